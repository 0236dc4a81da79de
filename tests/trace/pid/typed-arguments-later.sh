# What: args[] in functions of libraries that come later: those that agree with the first ones are traced, also of other types, by a clause compiled for them; those that cannot be are left out and named.
# Needs: uprobe.  Executors: kernel process.
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
	void *moved = dlopen("./moved.so", RTLD_NOW);
	long place[5] = { 0, 0, 0, 4 };
	job.number = 2;
	((void (*)(struct job *))dlsym(same, "run_same"))(&job);
	((void (*)(long))dlsym(other, "run_other"))(3);
	((void (*)(void *))dlsym(moved, "run_moved"))(place);
	return 0;
}
C
printf 'struct job { int number; }; void run_same(struct job *job) { asm volatile("" : : "r"(job) : "memory"); }\n' >same.c
printf 'void run_other(long number) { asm volatile("" : : "r"(number) : "memory"); }\n' >other.c
printf 'struct job { long other[3]; int number; }; void run_moved(struct job *job) { asm volatile("" : : "r"(job) : "memory"); }\n' >moved.c
for name in same other moved; do gcc -g -O1 -shared -fPIC -o $name.so $name.c || fail "$name.so"; done
gcc -g -O1 -o main main.c -ldl || fail "main"
trace -n 'pid$target::run_*:entry { printf("%s %d\n", probefunc, args[0]->number); }' -c ./main
same "$status" 0 "status"
same "$(tr '\n' ' ' <out)" "run_first 1 run_same 2 run_moved 4  " "traced"
contains 'run_other:entry of other.so cannot be probed: its args\[\] differ from those of the first probes' err
