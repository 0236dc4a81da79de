# What: storms of forks, execs, mappings and libraries loaded at once: each call and each stack is counted, or its loss is reported; in every
# way to follow.  Needs: uprobe uprobe_multi cc.
. "$LIB"
# storm PROCESSES ROUNDS: each process loads and unloads the library, maps and unmaps memory in a thread, forks, and executes itself
cat >library.c <<'C'
__attribute__((noinline)) int of_library(int n) { __asm__ volatile("" : : "r"(n) : "memory"); return n + 1; }
C
cat >program.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int over;
static void *maps(void *unused)
{
	while (!over) {
		char *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p[1] = 1;
		munmap(p, 1 << 16);
	}
	return NULL;
}
__attribute__((noinline)) int work(int n) { __asm__ volatile("" : : "r"(n) : "memory"); return n + 1; }
static void load(void)
{
	void *library = dlopen("./library.so", RTLD_NOW);
	int (*f)(int) = (int (*)(int))dlsym(library, "of_library");
	for (int i = 0; i < 5; i++) f(i), work(i);
	dlclose(library);
}
static void live(char **argv, int rounds)
{
	pthread_t thread;
	pthread_create(&thread, NULL, maps, NULL);
	load();
	pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < 5; i++) work(i);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	over = 1;
	pthread_join(thread, NULL);
	char left[16];
	snprintf(left, sizeof(left), "%d", rounds - 1);
	if (rounds > 1)
		execl(argv[0], argv[0], "0", left, NULL);
}
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++)
		if (fork() == 0) {
			live(argv, atoi(argv[2]));
			_exit(0);
		}
	if (!atoi(argv[1]))
		live(argv, atoi(argv[2]));
	while (wait(NULL) > 0) {}
	return 0;
}
C
gcc -O1 -shared -fPIC -o library.so library.c && gcc -O1 -fno-omit-frame-pointer -o program program.c || fail "cannot compile"
ways=all:8
grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms && ways="all:8 private:4" # each child's links are made alone
for way in $ways; do
	processes=${way#*:} rounds=3 way=${way%:*}
	in_program=$((processes * rounds * 10)) in_library=$((processes * rounds * 5))
	trace -Z -x follow=$way -n 'pid$target:program:work:entry { @n = count(); @stack[ustack(3)] = count(); }
		pid$target:library.so:of_library:entry { @l = count(); }
		END { printa("n %@u\n", @n); printa("l %@u\n", @l); printa("%k= %@u\n", @stack); }' -c "$PWD/program $processes $rounds"
	same "$status" 0 "status with follow=$way"
	n=$(value_of n) l=$(value_of l) stacks=$(awk '$1 == "=" { n += $2 } END { print n + 0 }' out)
	same "$stacks" "$n" "stacks of the calls, with follow=$way"
	if [ "$n $l" != "$in_program $in_library" ]; then
		grep -q 'could not wait\|ended before they were\|is not traced' err || fail "$n of $in_program, $l of $in_library calls with follow=$way, and no word of it"
	fi
	[ "$n" -le "$in_program" ] && [ "$l" -le "$in_library" ] || fail "$n of $in_program, $l of $in_library calls with follow=$way"
	grep -q 'could not wait' err || same "$n $l" "$in_program $in_library" "calls with follow=$way"
done
exit 0
