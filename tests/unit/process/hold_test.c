/* SPDX-License-Identifier: BSD-2-Clause */
/* A process that runs is held for a moment: it makes calls, and its threads do not notice it */
#include "process/process.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "holds.h"
#include "process/process_internal.h"

#define HOLDS 30
#define THREADS 4
#define WAIT_MS 20

__attribute__((constructor)) static void limit_time(void)
{
	alarm(120);
}

/* --- the process: threads that wait and one that computes; odd results end it with a status --- */

static int waiting;

static void *waits(void *kind)
{
	struct epoll_event event;
	struct pollfd none = { .fd = -1 };
	for (;;) {
		struct timespec t = { .tv_nsec = WAIT_MS * 1000000 };
		int got = kind == (void *)0   ? nanosleep(&t, NULL)
			  : kind == (void *)1 ? epoll_wait(waiting, &event, 1, WAIT_MS)
			  : kind == (void *)2 ? poll(&none, 1, WAIT_MS)
					      : 0;
		if (got)
			_exit(errno ? errno : 1);
	}
	return NULL;
}

static _Noreturn void run(void)
{
	pthread_t threads[THREADS];
	waiting = epoll_create1(0);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, waits, (void *)i))
			_exit(2);
	for (;;)
		pause();
}

static int begin(void)
{
	int pid = fork();
	if (!pid)
		run();
	size_t count = 0;
	while (pid > 0 && count <= THREADS) {
		free(process_threads(pid, &count));
		usleep(1000);
	}
	return pid;
}

static int end(int pid)
{
	int status = 0;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status;
}

/* --- holds ------------------------------------------------------------------------------------ */

TEST(threads_do_not_notice_a_hold)
{
	int pid = begin();
	struct process *p = NULL;
	CHECK(is_fine(process_grab(pid, &p)));
	for (unsigned i = 0; p && i < HOLDS; i++) {
		const uint64_t map[CALL_ARGUMENTS] = { 0, 4096, PROT_READ | PROT_WRITE,
						       MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX };
		struct held_thread *threads = NULL;
		size_t count = 0;
		uint64_t word = i, there = 0;
		int64_t at = 0, ret = -1;
		CHECK(is_fine(process_hold(p)));
		CHECK(process_is_held(p));
		CHECK(is_fine(process_held_threads(p, &threads, &count)));
		CHECK_INT(count, THREADS + 1);
		CHECK(is_fine(process_call(p, SYS_mmap, map, &at)) && at > 0);
		CHECK(is_fine(process_write(p, (uint64_t)at, &word, sizeof(word))));
		CHECK(process_read_word(pid, (uint64_t)at, &there) && there == i);
		CHECK(is_fine(process_call(
			p, SYS_munmap, (uint64_t[CALL_ARGUMENTS]) { (uint64_t)at, 4096 }, &ret)));
		CHECK_INT(ret, 0);
		CHECK(is_fine(process_run(p)));
		CHECK_INT(process_tracer(pid), 0);
		free(threads);
		usleep(7000);
	}
	process_free(p);
	CHECK_INT(end(pid), SIGKILL);
}

/* Where another tracer has a thread, nothing is held. */
TEST(a_tracer_is_named)
{
	int pid = begin();
	struct process *p = NULL;
	CHECK(is_fine(process_grab(pid, &p)));
	CHECK(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0);
	auto_error struct error *err = process_hold(p);
	CHECK(err && strstr(error_text(err), "traces it, and a process has one tracer"));
	CHECK(!process_is_held(p));
	process_free(p);
	end(pid);
}

/* A child of vfork() has the memory of its parent, which nothing stops. */
TEST(a_parent_that_waits_for_vfork_is_refused)
{
	int pid = fork();
	if (!pid && vfork() == 0) {
		sleep(3);
		_exit(0);
	}
	struct process *p = NULL;
	usleep(100000);
	CHECK(is_fine(process_grab(pid, &p)));
	auto_error struct error *err = process_hold(p);
	CHECK(err && strstr(error_text(err), "waits in the kernel and does not stop"));
	CHECK_INT(process_tracer(pid), 0);
	process_free(p);
	end(pid);
}

TEST_MAIN
