# What: frames of functions that end by jumps are left by exceptions, by the end of a thread, and their library is unloaded: the next calls return as ever. Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
cat >library.c <<'C'
#define F __attribute__((noinline, noclone))
static int (*volatile call)(int);
int F inner(int x) { int r = call(x) + 1; __asm__ volatile("" : "+r"(r)); return r; }
int F outer(int x) { __asm__ volatile("" : "+r"(x)); return inner(x * 2); }
void set(int (*f)(int)) { call = f; }
C
cat >program.cc <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
extern "C" {
int F throws(int x) { HIDE(x); if (x % 2) throw x; return x * 10; }
int F passes(int x) { HIDE(x); return throws(x + 1); }
int F passes_on(int x) { HIDE(x); return passes(x + 1); }
int F ends(int x) { HIDE(x); if (x % 2) pthread_exit(NULL); return x + 1; }
int F works(int x) { HIDE(x); return ends(x); }
}
struct guard {
	int *count;
	~guard() { ++*count; }
};
static void exceptions(void)
{
	int unwound = 0;
	for (int i = 0; i < 50; i++)
		try {
			guard g = { &unwound };
			printf("passes_on %d\n", passes_on(i));
		} catch (int) {
		}
	for (int i = 0; i < 50; i++)
		try {
			printf("passes %d\n", passes(i));
		} catch (int) {
		}
}
static void *thread(void *arg)
{
	printf("works %d\n", works((int)(long)arg));
	return NULL;
}
static jmp_buf out;
static int leaves(int x)
{
	if (x % 4)
		longjmp(out, 1);
	return x;
}
static void unloads(void)
{
	for (int i = 0; i < 40; i++) {
		void *library = dlopen("./libleft.so", RTLD_NOW);
		((void (*)(int (*)(int)))dlsym(library, "set"))(leaves);
		int (*outer)(int) = (int (*)(int))dlsym(library, "outer");
		if (!setjmp(out))
			printf("outer %d\n", outer(i));
		dlclose(library);
	}
}
int main(void)
{
	exceptions();
	for (long i = 0; i < 40; i++) {
		pthread_t t;
		pthread_create(&t, NULL, thread, (void *)i);
		pthread_join(t, NULL);
	}
	unloads();
	return 0;
}
C
gcc -O2 -fPIC -shared -o libleft.so library.c && g++ -O2 -pthread -o program program.cc -ldl || fail "cannot compile"
for function in passes passes_on works; do
	[ -n "$(jump_of program $function)" ] || fail "$function does not end by a jump"
done
./program | sort >wanted
same "$(cut -d ' ' -f 1 wanted | uniq -c | tr -s ' \n' ' ')" " 20 outer 25 passes 25 passes_on 20 works " "the program itself"
must_trace -Z -o got -x pidret=insn -n 'pid$target:a.out:passes:return,pid$target:a.out:works:return,pid$target:libleft.so:outer:return { printf("%s %d\n", probefunc, (int)arg1); }
	pid$target:a.out:passes_on:return { printf("%s %d\n", probefunc, (int)arg1); }' -c ./program
sed '/^$/d' got | sort >all
# Each call of passes_on() runs passes(), too.
printf '%s\n' "$(cat wanted)" "$(sed -n 's/^passes_on/passes/p' wanted)" | sort >wanted.all
cmp -s wanted.all all || fail "$(diff wanted.all all | head -n 20)"
