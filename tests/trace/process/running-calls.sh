# What: -p with executor=process: system calls that threads wait in meanwhile are as without it: no result but the usual one, none ends early; a signal arrives
# once.  Needs: x86_64 cc.  Executors: usual (it names them).
. "$LIB"
cat >calls.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/sem.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
/* Each thread makes one kind of call again and again, with a limit of 20 ms; every result but the usual one is counted, and how long the longest took. */
static volatile int stop;
static volatile long signals;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }
static int pipes[2], idle[2], pair[2], sem, epoll;
static int client, full[2], unread[2], file, ring;
static struct sockaddr_un name = { AF_UNIX };
static struct result { long calls, odd, last; double least; } results[16];
static long call(int kind)
{
	struct timespec t = { 0, 20000000 };
	struct timeval v = { 0, 20000 };
	struct pollfd p = { idle[0], POLLIN, 0 };
	struct epoll_event e;
	fd_set set;
	char byte;
	static int word;
	sigset_t none;
	struct iovec one = { &byte, 1 };
	struct mmsghdr many = { { .msg_iov = &one, .msg_iovlen = 1 } };
	off_t begin = 0;
	struct { uint64_t mask; uint32_t size, pad; uint64_t time; } limit = { 0, 0, 0, (uintptr_t)&t };
	struct sembuf down = { 0, -1, 0 };
	long r;
	errno = 0;
	switch (kind) {
	case 0: r = nanosleep(&t, 0); break;
	case 1: r = read(pipes[0], &byte, 1) - 1; break;
	case 2: r = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t) + 1; if (errno != ETIMEDOUT) r = -1; break;
	case 3: r = epoll_wait(epoll, &e, 1, 20); break;
	case 4: FD_ZERO(&set); FD_SET(idle[0], &set); r = select(idle[0] + 1, &set, 0, 0, &v); break;
	case 5: r = poll(&p, 1, 20); break;
	case 6: sigemptyset(&none); sigaddset(&none, SIGUSR2); r = sigtimedwait(&none, 0, &t) + 1; if (errno != EAGAIN) r = -1; break;
	case 7: r = recv(pair[0], &byte, 1, 0) + 1; if (errno != EAGAIN) r = -1; break;
	case 8: r = semtimedop(sem, &down, 1, &t) + 1; if (errno != EAGAIN) r = -1; break;
	case 10: r = connect(client, (void *)&name, sizeof name) + 1; if (errno != EAGAIN) r = -1; break;
	case 11: r = sendmmsg(full[0], &many, 1, 0) + 1; if (errno != EAGAIN) r = -1; break;
	case 12: r = sendfile(full[0], file, &begin, 4096) + 1; if (errno != EAGAIN) r = -1; break;
	case 13: r = splice(pair[0], 0, unread[1], 0, 1, 0) + 1; if (errno != EAGAIN) r = -1; break;
	case 14: r = preadv2(pair[0], &one, 1, -1, 0) + 1; if (errno != EAGAIN) r = -1; break;
	case 15: r = ring < 0 ? (usleep(20000), 0) : syscall(SYS_io_uring_enter, ring, 0, 1, 1 | 8, &limit, sizeof limit) + 1; if (ring >= 0 && errno != ETIME) r = -1; break;
	case 9: r = clock_nanosleep(CLOCK_MONOTONIC, 0, &t, 0); break;
	default: r = 0;
	}
	if (r) results[kind].last = errno;
	return r;
}
static const char *const names[] = { "nanosleep", "read", "futex", "epoll_wait", "select", "poll", "sigtimedwait", "recv", "semtimedop", "clock_nanosleep", "connect", "sendmmsg", "sendfile", "splice", "preadv2", "io_uring_enter" };
__attribute__((noinline)) int around(int kind) { __asm__ volatile("" : "+r"(kind)); return call(kind) != 0; }
static void *run(void *a)
{
	int kind = (int)(long)a;
	struct result *r = &results[kind];
	while (!stop) {
		double t = now();
		r->odd += around(kind);
		t = now() - t;
		r->calls++;
		if (r->calls == 1 || t < r->least) r->least = t;
	}
	return 0;
}
static void *feed(void *a) { while (!stop) { usleep(20000); if (write(pipes[1], "", 1) < 0) abort(); } return 0; }
static void end(int s) { stop = 1; }
static void count(int s) { signals++; }
int main(int argc, char **argv)
{
	pthread_t t[16], f;
	struct io_uring_params ring_like = { 0 };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
	struct timeval v = { 0, 20000 };
	struct epoll_event e = { EPOLLIN };
	sigset_t set;
	sigemptyset(&set); sigaddset(&set, SIGTERM); sigaddset(&set, SIGUSR1); sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	if (pipe(pipes) || pipe(idle) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &v, sizeof v);
	/* A listener whose queue is full, and a socket whose buffer is. */
	snprintf(name.sun_path + 1, 90, "dtrace-calls-%d", getpid());
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listener, (void *)&name, sizeof name) || listen(listener, 0) || connect(other, (void *)&name, sizeof name)) return 2;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, full) || pipe(unread)) return 2;
	while (send(full[0], &name, sizeof name, MSG_DONTWAIT) > 0) ;
	setsockopt(full[0], SOL_SOCKET, SO_SNDTIMEO, &v, sizeof v);
	setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &v, sizeof v);
	file = memfd_create("calls", 0);
	if (ftruncate(file, 4096)) return 2;
	ring = (int)syscall(SYS_io_uring_setup, 4, &ring_like);
	sem = semget(IPC_PRIVATE, 1, 0600);
	epoll = epoll_create1(0); epoll_ctl(epoll, EPOLL_CTL_ADD, idle[0], &e);
	struct sigaction sa = { .sa_handler = count }; sigaction(SIGUSR1, &sa, 0);
	sa.sa_handler = end; sigaction(SIGTERM, &sa, 0);
	for (long i = 0; i < 16; i++) pthread_create(&t[i], 0, run, (void *)i);
	pthread_create(&f, 0, feed, 0);
	sigdelset(&set, SIGUSR2);
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	while (!stop) pause();
	for (int i = 0; i < 16; i++) pthread_join(t[i], 0);
	for (int i = 0; i < 16; i++) {
		/* of a pipe that is written to every 20 ms a read may come just before */
		int is_early = i != 1 && results[i].least < 19.5;
		printf("%s %s\n", names[i], results[i].odd ? strerror((int)results[i].last) : is_early ? "early" : results[i].calls > 3 ? "fine" : "few");
	}
	printf("signals %ld\n", signals);
	semctl(sem, 0, IPC_RMID);
	return 0;
}
C
cc -w -O2 -o calls calls.c -lpthread || fail 'the program'
./calls >said &
target=$!
sleep 0.2
for round in 1 2 3 4 5 6 7 8; do
	trace -x executor=process -n 'pid$target:a.out:around:entry { @ = count(); } tick-20ms /++n == 5/ { exit(0); }' -p "$target"
	[ "$status" -eq 0 ] || fail "status $status"
	[ ! -s err ] || fail 'messages'
	kill -USR1 "$target"
done
# Functions of system calls, whose calls are moved.
for round in 1 2 3; do
	trace -x executor=process -x processsites=all -n 'pid$target:libc:*sleep*:entry,pid$target:libc:*wait*:entry,pid$target:libc:re*:entry { @ = count(); }
		tick-20ms /++n == 5/ { exit(0); }' -p "$target"
	[ "$status" -eq 0 ] || fail "status $status"
done
kill -TERM "$target"
wait "$target" || fail "its status: $?"
grep -v ' fine$' said >others
[ "$(cat others)" = 'signals 8' ] || fail "$(cat said)"
exit 0
