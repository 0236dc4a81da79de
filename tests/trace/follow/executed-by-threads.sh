# What: processes that another thread than the first executes, while others map, load, fork, vfork and spawn: each call and each stack is
# counted, in every way to follow.  Needs: uprobe uprobe_multi cc.
. "$LIB"
grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms || skip "programs do not wait at exec on this kernel"
cat >program.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile int over;
static char *self;
static int rounds;
__attribute__((noinline)) int work(int n) { __asm__ volatile("" : : "r"(n) : "memory"); return n + 1; }
static void calls(int n) { for (int i = 0; i < n; i++) work(i); }
static void *maps(void *unused)
{
	int fd = open(self, O_RDONLY | O_CLOEXEC);
	while (!over) {
		char *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p[1] = 1;
		void *file = mmap(NULL, 1 << 14, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		munmap(p, 1 << 16);
		munmap(file, 1 << 14);
	}
	return NULL;
}
static void *works(void *unused)
{
	calls(20);
	return NULL;
}
static void *executes(void *unused)
{
	char left[16];
	snprintf(left, sizeof(left), "%d", rounds - 1);
	execl(self, self, "live", left, NULL);
	return NULL;
}
static void children(void)
{
	pid_t child = fork();
	if (!child) {
		pid_t grandchild = fork();
		calls(2);
		_exit(grandchild && waitpid(grandchild, NULL, 0) != grandchild);
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (!child) {
		calls(3);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	char *leaf[] = { self, "leaf", NULL };
	if (!posix_spawn(&child, self, NULL, NULL, leaf, environ))
		waitpid(child, NULL, 0);
}
static void load(void)
{
	void *library = dlopen("./library.so", RTLD_NOW);
	int (*f)(int) = (int (*)(int))dlsym(library, "of_library");
	for (int i = 0; i < 4; i++) f(i);
	dlclose(library);
}
static void live(void)
{
	pthread_t map, worker[2], other;
	pthread_create(&map, NULL, maps, NULL);
	for (int i = 0; i < 2; i++) pthread_create(&worker[i], NULL, works, NULL);
	load();
	children();
	for (int i = 0; i < 2; i++) pthread_join(worker[i], NULL);
	if (rounds > 1) { /* the first thread and the one that maps end by that */
		pthread_create(&other, NULL, executes, NULL);
		pthread_join(other, NULL);
	}
	over = 1;
	pthread_join(map, NULL);
}
int main(int argc, char **argv)
{
	self = argv[0];
	if (!strcmp(argv[1], "leaf")) {
		calls(6);
		return 0;
	}
	rounds = atoi(argv[2]);
	if (!strcmp(argv[1], "live")) {
		live();
		return 0;
	}
	for (int i = 0; i < atoi(argv[1]); i++)
		if (!fork()) {
			execl(self, self, "live", argv[2], NULL);
			_exit(1);
		}
	while (wait(NULL) > 0) {}
	return 0;
}
C
echo '__attribute__((noinline)) int of_library(int n) { __asm__ volatile("" : : "r"(n) : "memory"); return n + 1; }' >library.c
gcc -O1 -shared -fPIC -o library.so library.c && gcc -O1 -o program program.c -lpthread || fail "cannot compile"
# In a round: two threads, a child and its own, one of vfork(), one spawned.
for way in all:4:2 private:2:2; do # each child's links are made alone
	processes=${way#*:} rounds=${processes#*:} processes=${processes%:*} way=${way%%:*}
	lives=$((processes * rounds))
	trace -Z -x follow=$way -n 'pid$target:program:work:entry { @n = count(); @stack[ustack(3)] = count(); }
		pid$target:library.so:of_library:entry { @l = count(); }
		END { printa("n %@u\n", @n); printa("l %@u\n", @l); printa("%k= %@u\n", @stack); }' -c "$PWD/program $processes $rounds"
	same "$status" 0 "status with follow=$way"
	stacks=$(awk '$1 == "=" { n += $2 } END { print n + 0 }' out)
	same "$stacks" "$(value_of n)" "stacks of the calls, with follow=$way"
	# held too long, on a busy machine: reported
	grep -q 'could not wait' err && [ "$(value_of n)" -le $((lives * 53)) ] && continue
	same "$(value_of n) $(value_of l)" "$((lives * 53)) $((lives * 4))" "calls with follow=$way"
	grep -v 'mapped code faster than it could be read' err >other && fail "messages with follow=$way"
done
exit 0
