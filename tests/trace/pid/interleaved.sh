# What: a thread that waits for its memory in a probe keeps what it has there while others fire the same probe on its CPU.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
cat >threads.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#define ROUNDS 200
#define PAGE 4096
static int fault;
static char *page;
static volatile int over;
__attribute__((noinline)) void f(const char *text, long who)
{
	__asm__ volatile("" : : "r"(text), "r"(who) : "memory");
}
static void pin(void)
{
	cpu_set_t one;
	sched_getaffinity(0, sizeof(one), &one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &one)) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
			return;
		}
}
/* Gives the page some time after it was asked for. */
static void *give(void *unused)
{
	struct uffd_msg message;
	char *text = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	strcpy(text, "from the page");
	while (read(fault, &message, sizeof(message)) == sizeof(message)) {
		struct uffdio_copy copy = { .dst = (unsigned long)page, .src = (unsigned long)text, .len = PAGE };
		usleep(2000);
		ioctl(fault, UFFDIO_COPY, &copy);
	}
	return NULL;
}
static void *other(void *unused)
{
	char text[] = "of the other thread";
	long n = 0;
	pin();
	for (; !over; n++) {
		f(text, 222);
		if (n % 16 == 0)
			usleep(100);
	}
	return (void *)n;
}
int main(void)
{
	pthread_t giver, thread;
	void *n;
	fault = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register range = { .range = { (unsigned long)page, PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	if (fault < 0 || ioctl(fault, UFFDIO_API, &api) || ioctl(fault, UFFDIO_REGISTER, &range))
		return perror("userfaultfd"), 77;
	pthread_create(&giver, NULL, give, NULL);
	pthread_create(&thread, NULL, other, NULL);
	pin();
	for (int i = 0; i < ROUNDS; i++) {
		madvise(page, PAGE, MADV_DONTNEED);
		f(page, 111);
	}
	over = 1;
	pthread_join(thread, &n);
	printf("111 from the page %d\n222 of the other thread %ld\n", ROUNDS, (long)n);
	return 0;
}
C
gcc -O1 -pthread -o threads threads.c || fail "cannot compile"
./threads >/dev/null 2>err || skip "no $(cut -c 1-60 err)"
# trace_both PROGRAM: what it prints in the end is what the threads say they did.
trace_both() {
	must_trace -x aggsortkey -n "$1" -c ./threads
	same "$(sed -n '/./p' out | sed -n '3,$p' | sort)" "$(sed -n '1,2p' out | sort)" "$1"
}
trace_both 'pid$target:a.out:f:entry { @[arg1, copyinstr(arg0)] = count(); } END { printa("%d %s %@d\n", @); }'
trace_both 'pid$target:a.out:f:entry { this->who = arg1; this->text = copyinstr(arg0); @[this->who, this->text] = count(); } END { printa("%d %s %@d\n", @); }'
trace_both 'pid$target:a.out:f:entry { @[(arg1 / 111) * 111, strjoin(copyinstr(arg0), "")] = count(); } END { printa("%d %s %@d\n", @); }'
