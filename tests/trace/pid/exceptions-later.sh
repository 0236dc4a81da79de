# What: exceptions of a library that a C program loads while its returns are traced pass them unharmed.  Needs: uprobe.
# Executors: kernel (pidret=kernel).
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
cat >throws.cc <<'C'
extern "C" void thrower(int x) { if (x % 2) throw x; }
extern "C" int catcher(int (*f)(int, void (*)(int)), int x) { try { return f(x, thrower); } catch (int) { return -1; } }
C
cat >plain.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
__attribute__((noinline)) int pass(int x, void (*f)(int)) { f(x); __asm__ volatile("" : "+r"(x)); return x + 1; }
static void nothing(int x) { }
int main(void)
{
	for (int i = 0; i < 10; i++)
		pass(i, nothing);
	void *library = dlopen("./libthrows.so", RTLD_NOW);
	int (*catcher)(int (*)(int, void (*)(int)), int) = dlsym(library, "catcher");
	int caught = 0;
	for (int i = 0; i < 10; i++)
		caught += catcher(pass, i) < 0;
	printf("caught %d\n", caught);
}
C
g++ -O1 -shared -fPIC -o libthrows.so throws.cc && gcc -O1 -fexceptions -o plain plain.c || fail "no program"
for description in a.out:pass a.out:p* :pass; do
	must_trace -c ./plain -n 'pid$target:'"$description"':return { @[probefunc] = count(); }
		pid$target:a.out:pass:entry { entries++; } END { printf("entries %d\n", entries); printa("%s %@d\n", @); }'
	contains '^caught 5$'
	contains '^entries 20$'
	contains '^pass 15$'
done
# With pidret=kernel it is said what may happen, once.
trace -x pidret=kernel -c ./plain -n 'pid$target:a.out:pass:return { @ = count(); } pid$target:a.out:main:return { }'
same "$(grep -c '^dtrace: warning: pidret=kernel replaces return addresses' err)" 1 "warnings"
