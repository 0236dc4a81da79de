# What: a C program that loads C++ while its returns are traced continues, and its returns are still counted. Needs: uprobe_multi.
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
	trace -c ./plain -n 'pid$target:'"$description"':return { @[probefunc] = count(); }
		pid$target:a.out:pass:entry { entries++; } END { printf("entries %d\n", entries); printa("%s %@d\n", @); }'
	same "$status" 0 "status of $description"
	contains '^caught 5$'
	contains '^entries 20$'
	contains '^pass 15$'
	contains '^dtrace: pid [0-9]* has loaded code that unwinds stacks: ' err
	! grep -q 'other threads' err || fail "a process of one thread has others: $(cat err)"
done
# With pidret=kernel it is said what will happen.
trace -x pidret=kernel -c ./plain -n 'pid$target:a.out:pass:return { @ = count(); }'
contains '^dtrace: warning: pid[0-9]* may unwind its stack' err
# Other threads run on meanwhile: their missing returns are reported, for a process that has some.
sed 's/^int main(void)$/#include <pthread.h>\nstatic void *other(void *p) { for (;;) pass(1, nothing); return p; }\n&/; s/^\tvoid \*library/\tpthread_t t;\n\tpthread_create(\&t, NULL, other, NULL);\n&/' plain.c >threads.c
gcc -O1 -fexceptions -o threads threads.c -pthread || fail "no program with threads"
trace -c ./threads -n 'pid$target:a.out:pass:return { @ = count(); }'
contains '^caught 5$'
contains '^dtrace: pid [0-9]* has loaded code that unwinds stacks: .*and those of its other threads until then are missing' err
