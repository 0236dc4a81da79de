/* SPDX-License-Identifier: BSD-2-Clause */
/* speculation_test - what threads write to speculations is handed over once, or counted */
#include <pthread.h>
#include <sched.h>

#include "host.h"

#define COUNT_OF 3
#define SIZE 4096
#define SIZE_MOST (8 << 20)
#define SLACK 256

static char rt_speculations[COUNT_OF * (sizeof(struct speculation) + SIZE_MOST + SLACK)]
	__attribute__((aligned(64)));
static uint64_t host_rt_speculation_count = COUNT_OF, host_rt_speculation_size = SIZE;
static uint64_t host_rt_speculation_stride = sizeof(struct speculation) + SIZE_MOST + SLACK;

static uint64_t host_rt_policy = POLICY_SWITCH, host_rt_ring_size = 1 << 20;
static uint64_t host_rt_flight_count = 1, host_rt_flight_stride;
static char rt_flight[sizeof(struct flight)];

/* What reached the buffer: the records of all groups. */
static struct {
	pthread_mutex_t lock;
	uint64_t groups, records, sum;
	bool full; /* refuse everything */
} buffer = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *rt_ring(uint64_t cpu)
{
	return &buffer;
}

static uint64_t port_output_query(void *ring, uint64_t flags)
{
	return 0;
}

struct test_record {
	struct record_header header;
	uint64_t value;
};

static long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	if (buffer.full)
		return -1;
	pthread_mutex_lock(&buffer.lock);
	buffer.groups++;
	for (uint64_t at = sizeof(struct record_header); at + 8 <= size;) {
		uint64_t n;
		memcpy(&n, (char *)data + at, 8);
		if (n == 0)
			break;
		struct test_record r;
		memcpy(&r, (char *)data + at + 8, sizeof(r));
		if (n != sizeof(r))
			abort();
		buffer.records++;
		buffer.sum += r.value;
		at += 8 + n;
	}
	pthread_mutex_unlock(&buffer.lock);
	return 0;
}

static uint64_t host_rt_clauses; /* drops are not counted by clause */
static char rt_clause_drops[sizeof(struct clause_drops)] __attribute__((aligned(8)));
#include "runtime/speculation.c"

static struct area_counters *lost(void)
{
	return (struct area_counters *)rt_counters;
}

static void reset(void)
{
	memset(rt_speculations, 0, sizeof(rt_speculations));
	memset(rt_counters, 0, sizeof(rt_counters));
	buffer.groups = buffer.records = buffer.sum = 0;
	buffer.full = false;
	host_rt_speculation_size = SIZE;
}

/* A clause: speculate(id), a record of VALUE.  True: it ran to its end. */
static bool write_to(uint64_t id, uint64_t value)
{
	struct test_record r = { .header = { .kind = RECORD_DATA }, .value = value };
	bool ran = rt_speculate(id, sizeof(r), 0) > 0;
	if (ran) {
		rt_speculative(&r, sizeof(r), id);
		rt_speculation_leave(id);
	}
	return ran;
}

TEST(ids_come_and_go)
{
	reset();
	CHECK_INT(rt_speculation(), 1);
	CHECK_INT(rt_speculation(), 2);
	CHECK_INT(rt_speculation(), 3);
	CHECK_INT(rt_speculation(), 0);
	CHECK_INT(lost()->spec_unavailable, 1);
	CHECK_INT(rt_discard(2), 0);
	CHECK_INT(rt_speculation(), 2);
	CHECK_INT(rt_commit(0, 1), 0);
	CHECK_INT(rt_commit(4, 1), -1);
	CHECK_INT(rt_discard(UINT64_MAX), -1);
	CHECK_INT(rt_speculate(4, 24, 0), -1);
	CHECK_INT(rt_speculate(0, 24, 0), 0);
}

TEST(ids_that_were_never_given_out_are_mistakes)
{
	reset();
	CHECK_INT(rt_speculate(1, 24, 0), -1);
	CHECK_INT(rt_commit(1, 1), -1);
	CHECK_INT(rt_discard(1), -1);
	CHECK_INT(rt_speculation(), 1);
	CHECK_INT(rt_discard(1), 0);
	CHECK_INT(rt_speculate(1, 24, 0), 0); /* it has ended */
	CHECK_INT(rt_commit(1, 1), 0);
	CHECK_INT(rt_discard(1), 0);
	CHECK_INT(rt_discard(2), -1);
}

TEST(commit_hands_over_and_discard_forgets)
{
	reset();
	CHECK(!write_to(1, 1)); /* not active */
	uint64_t a = rt_speculation(), b = rt_speculation();
	CHECK(write_to(a, 10));
	CHECK(write_to(b, 100));
	CHECK(write_to(a, 20));
	rt_discard(b);
	CHECK_INT(buffer.groups, 0);
	rt_commit(a, 5);
	CHECK_INT(buffer.groups, 1);
	CHECK_INT(buffer.records, 2);
	CHECK_INT(buffer.sum, 30);
	rt_commit(a, 6);
	rt_commit(rt_speculation(), 7); /* nothing in it */
	CHECK_INT(buffer.groups, 1);
}

TEST(a_speculation_is_busy_while_somebody_writes)
{
	reset();
	for (int i = 0; i < COUNT_OF; i++)
		rt_speculation();
	struct test_record r = { .value = 7 };
	CHECK_INT(rt_speculate(1, sizeof(r), 0), 1);
	rt_commit(1, 5);
	CHECK_INT(rt_speculation(), 0);
	CHECK_INT(lost()->spec_busy, 1);
	CHECK(!write_to(1, 8)); /* too late */
	rt_speculative(&r, sizeof(r), 1);
	CHECK_INT(buffer.groups, 0);
	rt_speculation_leave(1);
	CHECK_INT(buffer.sum, 7);
	CHECK_INT(rt_speculation(), 1);
}

TEST(what_does_not_fit_is_counted)
{
	reset();
	uint64_t id = rt_speculation();
	unsigned ran = 0;
	for (int i = 0; i < 200; i++)
		ran += write_to(id, 1);
	CHECK_INT(ran, SIZE / 40);
	CHECK_INT(lost()->speculative, 200 - ran);
	/* room that another took after we had asked */
	rt_discard(id);
	id = rt_speculation();
	struct test_record r = { .value = 1 };
	CHECK(rt_speculate(id, sizeof(r), 0) > 0);
	for (int i = 0; i < 200; i++)
		write_to(id, 1);
	memset(lost(), 0, sizeof(*lost()));
	rt_speculative(&r, sizeof(r), id);
	CHECK_INT(lost()->speculative, 1);
	rt_speculation_leave(id);
	rt_commit(id, 5);
	CHECK_INT(buffer.records, SIZE / 40);
	CHECK_INT(buffer.sum, SIZE / 40);
}

TEST(a_commit_without_room_counts_its_records)
{
	reset();
	uint64_t id = rt_speculation();
	write_to(id, 1);
	write_to(id, 1);
	buffer.full = true;
	rt_commit(id, 5);
	CHECK_INT(lost()->principal, 2);
	CHECK_INT(rt_speculation(), 1);
}

/* --- threads --------------------------------------------------------------------------------- */

#define ROUNDS 40000
#define ENOUGH 1000	  /* records written, of all writers */
#define REFUSALS 10000000 /* after which a writer gives up: the test fails, it does not hang */

static uint64_t current, ran_sum, ran, stopped;

/* A committer that loses its CPU between its two calls leaves nothing to write to: hand it back. */
static void *writer(void *arg)
{
	uint64_t refused = 0;
	for (uint64_t i = 1; i <= ROUNDS || (__atomic_load_n(&ran, __ATOMIC_RELAXED) < ENOUGH &&
					     refused < REFUSALS);
	     i++) {
		uint64_t id = __atomic_load_n(&current, __ATOMIC_RELAXED);
		if (!write_to(id, i)) {
			refused++;
			sched_yield();
			continue;
		}
		__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&ran_sum, i, __ATOMIC_RELAXED);
	}
	__atomic_fetch_add(&stopped, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Commits and begins again as fast as possible; two of them at once. */
static void *committer(void *arg)
{
	while (__atomic_load_n(&stopped, __ATOMIC_ACQUIRE) < 3) {
		rt_commit(__atomic_load_n(&current, __ATOMIC_RELAXED), 1);
		uint64_t id = rt_speculation();
		if (id)
			__atomic_store_n(&current, id, __ATOMIC_RELAXED);
	}
	return NULL;
}

TEST(nothing_is_lost_or_doubled_between_threads)
{
	reset();
	host_rt_speculation_size = SIZE_MOST; /* all that there is fits */
	pthread_t threads[5];
	current = rt_speculation();
	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, i < 3 ? writer : committer, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	for (uint64_t id = 1; id <= COUNT_OF; id++)
		rt_commit(id, 1);
	CHECK(ran >= ENOUGH);
	CHECK_INT(lost()->speculative, 0);
	CHECK_INT(buffer.records, ran);
	CHECK_INT(buffer.sum, ran_sum);
	for (uint64_t i = 1; i <= COUNT_OF; i++) {
		CHECK_INT(speculation_of(i)->writers, 0);
		CHECK(speculation_of(i)->state <= SPECULATION_INACTIVE);
	}
}

TEST_MAIN
