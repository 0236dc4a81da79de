# What: args[] in functions of libraries that come later: those that agree with the first ones are traced, others are left out and named.
# Needs: uprobe.
. "$LIB"
command -v gcc >/dev/null || skip "no C compiler"
cat >main.c <<'C'
#include <dlfcn.h>
struct job { int number; };
__attribute__((noinline)) void run_first(struct job *job) { asm volatile("" : : "r"(job) : "memory"); }
int main(void)
{
	struct job job = { 1 };
	run_first(&job);
	void *same = dlopen("./same.so", RTLD_NOW), *other = dlopen("./other.so", RTLD_NOW);
	job.number = 2;
	((void (*)(struct job *))dlsym(same, "run_same"))(&job);
	((void (*)(long))dlsym(other, "run_other"))(3);
	return 0;
}
C
printf 'struct job { int number; }; void run_same(struct job *job) { asm volatile("" : : "r"(job) : "memory"); }\n' >same.c
printf 'void run_other(long number) { asm volatile("" : : "r"(number) : "memory"); }\n' >other.c
for name in same other; do gcc -g -O1 -shared -fPIC -o $name.so $name.c || fail "$name.so"; done
gcc -g -O1 -o main main.c -ldl || fail "main"
trace -n 'pid$target::run_*:entry { printf("%s %d\n", probefunc, args[0]->number); }' -c ./main
same "$status" 0 "status"
same "$(tr '\n' ' ' <out)" "run_first 1 run_same 2  " "traced"
contains 'run_other:entry of other.so cannot be probed: its args\[\] differ from those of the first probes' err
