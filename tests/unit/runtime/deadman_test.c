/* SPDX-License-Identifier: BSD-2-Clause */
/* deadman_test - firings that see no sign of the consumer for too long end tracing */
#include "host.h"

static uint64_t host_rt_policy, host_rt_ring_size, host_rt_flight_count, host_rt_flight_stride;
static char rt_flight[sizeof(struct flight)];

static void *rt_ring(uint64_t area)
{
	return NULL;
}

static uint64_t port_output_query(void *ring, uint64_t flags)
{
	return 0;
}

static long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	return 0;
}

#include "runtime/deadman.c"

#define SECOND 1000000000ull
#define TICKS 250 /* a second */

static struct control *begin(uint64_t limit)
{
	struct control *control = (struct control *)(void *)rt_control;
	memset(control, 0, sizeof(*control));
	control->activity = ACTIVITY_ACTIVE;
	control->deadman.limit = limit;
	host_time = 77 * SECOND;
	return control;
}

/* A firing in each tick for so many seconds; how many did something. */
static unsigned fire(unsigned seconds)
{
	unsigned done = 0;
	for (unsigned i = 0; i < seconds * TICKS; i++, host_time += SECOND / TICKS)
		done += !rt_look(host_time / (SECOND / TICKS));
	return done;
}

TEST(tracing_ends_when_the_limit_has_passed)
{
	struct control *control = begin(10 * SECOND);
	fire(8);
	CHECK_INT(control->activity, ACTIVITY_ACTIVE);
	fire(4);
	CHECK_INT(control->activity, ACTIVITY_DRAINING);
	CHECK_INT(control->abandoned, 1);
}

TEST(a_consumer_that_runs_keeps_it_going)
{
	struct control *control = begin(2 * SECOND);
	for (unsigned i = 0; i < 20; i++) {
		CHECK_INT(fire(1), TICKS);
		control->deadman.alone = 0;
	}
	CHECK_INT(control->activity, ACTIVITY_ACTIVE);
}

TEST(no_limit_is_no_deadman)
{
	struct control *control = begin(0);
	CHECK_INT(fire(100), 100 * TICKS);
	CHECK_INT(control->activity, ACTIVITY_ACTIVE);
}

/* The machine was suspended, or nothing fired. */
TEST(time_in_which_nothing_fires_does_not_count)
{
	struct control *control = begin(10 * SECOND);
	fire(1);
	host_time += 3600 * SECOND;
	fire(1);
	CHECK_INT(control->activity, ACTIVITY_ACTIVE);
	CHECK(control->deadman.alone < 4 * SECOND);
}

/* The others go on: the next look is later. */
TEST(one_firing_looks)
{
	struct control *control = begin(10 * SECOND);
	rt_look(1000);
	CHECK_INT(control->deadman.look_at, 1000 + DEADMAN_TICKS);
	uint64_t alone = control->deadman.alone;
	host_time += SECOND / 10;
	rt_look(1000 + DEADMAN_TICKS - 1);
	CHECK_INT(control->deadman.alone, alone);
	rt_look(1000 + DEADMAN_TICKS);
	CHECK_INT(control->deadman.alone, alone + SECOND / 10);
}

TEST_MAIN
