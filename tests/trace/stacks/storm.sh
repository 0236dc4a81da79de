# What: no stack is lost or wrong while other threads map, unmap and start processes all the time.  Needs: cc.
. "$LIB"
cat >storm.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int ends;
static void *maps(void *arg)
{
	while (!ends) {
		char *at = mmap(NULL, 40960, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(at + 4096, 4096, PROT_READ | PROT_EXEC);
		munmap(at, 40960);
	}
	return arg;
}
static void *forks(void *arg)
{
	while (!ends) {
		pid_t child = fork();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	return arg;
}
__attribute__((noinline)) void leaf(void) { getppid(); __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void calls(int n)
{
	if (n)
		calls(n - 1);
	else
		leaf();
	__asm__ volatile("" ::: "memory");
}
static void *asks(void *arg)
{
	for (int i = 0; i < 10000; i++)
		calls(8);
	return arg;
}
int main(void)
{
	pthread_t id[5];
	pthread_create(&id[0], NULL, maps, NULL);
	pthread_create(&id[1], NULL, maps, NULL);
	pthread_create(&id[2], NULL, forks, NULL);
	pthread_create(&id[3], NULL, asks, NULL);
	pthread_create(&id[4], NULL, asks, NULL);
	pthread_join(id[3], NULL);
	pthread_join(id[4], NULL);
	ends = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
	return 0;
}
C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o storm storm.c -lpthread || fail "cannot compile"
trace -n 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c ./storm
same "$status" 0 "status"
# It maps code as fast as it can: on a busy machine dtrace may not keep up, and says so.
same "$(grep -v 'mapped code faster than it could be read' err)" "" "messages"
same "$(awk 'NF == 1 && /^ +[0-9]+$/ { keys++; sum += $1 } END { print keys, sum }' out)" "1 20000" "keys, and stacks"
same "$(grep -c 'storm`calls' out)" 9 "frames of calls()"
