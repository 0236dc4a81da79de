/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread that waits for probes makes calls, goes on when they are there, and never waits long */
#include <sys/syscall.h>

#include "base/clock.h"
#include "placed.h"

static uint64_t test_ticket = 1;

static void *arrive(void *arg)
{
	struct placed *p = arg;
	void (*arrived)(void) = FUNCTION(p, "agent_arrived");
	arrived();
	return NULL;
}

static struct error *call(struct memory *m, long number, uint64_t first, uint64_t second,
			  uint64_t third, int64_t *ret)
{
	const uint64_t arguments[6] = { first, second, third };
	return agent_errand(&m->view, test_ticket, number, arguments, ret);
}

static void check_call(struct memory *m, long number, uint64_t first, uint64_t second,
		       uint64_t third, int64_t expected)
{
	int64_t result = 0;
	struct error *err = call(m, number, first, second, third, &result);
	CHECK(!err);
	CHECK_INT(result, expected);
}

TEST(calls_while_it_waits)
{
	struct memory m;
	struct placed p;
	pthread_t thread;
	char *pages = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memory_make(&m, 8);
	image_place(&p, &m);
	pthread_create(&thread, NULL, arrive, &p);
	check_call(&m, SYS_getpid, 0, 0, 0, getpid());
	check_call(&m, SYS_close, (uint64_t)-1, 0, 0, -EBADF);
	check_call(&m, SYS_mprotect, (uint64_t)(uintptr_t)pages, 8192, PROT_READ | PROT_WRITE, 0);
	pages[5000] = 1;
	CHECK_INT(control_of(&m)->arrivals, 1);
	int64_t stale;
	test_ticket = 2;
	auto_error struct error *other = call(&m, SYS_getpid, 0, 0, 0, &stale);
	CHECK(other); /* it is not the thread that is meant */
	test_ticket = 1;
	control_of(&m)->arrivals_seen = 1;
	pthread_join(thread, NULL);
	CHECK_INT(control_of(&m)->arrivals_missed, 0);
	int64_t ignored;
	auto_error struct error *err = call(&m, SYS_getpid, 0, 0, 0, &ignored);
	CHECK_STR(err ? error_text(err) : "none", "no thread waits for probes of a library");
	image_remove(&p);
	memory_end(&m);
}

/* The first has no answer for a second; others do not wait then. */
TEST(a_tracer_without_answer)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 8);
	image_place(&p, &m);
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	arrive(&p);
	uint64_t waited = clock_ns(CLOCK_MONOTONIC) - begin;
	CHECK(waited >= 900000000 && waited < 3000000000);
	begin = clock_ns(CLOCK_MONOTONIC);
	arrive(&p);
	CHECK(clock_ns(CLOCK_MONOTONIC) - begin < 500000000);
	CHECK_INT(control_of(&m)->arrivals, 2);
	CHECK_INT(control_of(&m)->arrivals_missed, 1);
	image_remove(&p);
	memory_end(&m);
}

TEST(who_does_not_wait)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 8);
	image_place(&p, &m);
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	control_of(&m)->activity = ACTIVITY_INACTIVE;
	arrive(&p); /* nothing fires yet */
	control_of(&m)->activity = ACTIVITY_ACTIVE;
	((struct process_head *)(void *)m.view.memory)->tracer = 0x40000000; /* FUTEX_OWNER_DIED */
	arrive(&p);
	((struct process_head *)(void *)m.view.memory)->tracer = 0;
	p.own->process = 0; /* a child */
	arrive(&p);
	CHECK(clock_ns(CLOCK_MONOTONIC) - begin < 500000000);
	CHECK_INT(control_of(&m)->arrivals, 1);
	CHECK_INT(control_of(&m)->arrivals_missed, 0);
	image_remove(&p);
	memory_end(&m);
}

/* Several threads: one makes the calls, all go on. */
TEST(threads_at_once)
{
	enum { THREADS = 4 };
	struct memory m;
	struct placed p;
	pthread_t threads[THREADS];
	memory_make(&m, 8);
	image_place(&p, &m);
	struct process_head *head = (void *)m.view.memory;
	for (int i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, arrive, &p);
		while (!i && !__atomic_load_n(&head->errand.state, __ATOMIC_ACQUIRE))
			usleep(100);
	}
	for (int i = 0; i < 200; i++)
		check_call(&m, SYS_getppid, 0, 0, 0, getppid());
	while (__atomic_load_n(&control_of(&m)->arrivals, __ATOMIC_ACQUIRE) < THREADS)
		usleep(1000);
	control_of(&m)->arrivals_seen = THREADS;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK_INT(control_of(&m)->arrivals_missed, 0);
	image_remove(&p);
	memory_end(&m);
}

TEST_MAIN
