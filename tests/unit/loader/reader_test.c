/* SPDX-License-Identifier: BSD-2-Clause */
/* reader_test - when the firings that may sleep have ended */
#include "loader/internal.h"
#include "test.h"

static struct area_counters counters[3];
static unsigned pauses;

/* What sleeps on one CPU ends, and a firing on the next begins. */
static void pass_on(void)
{
	uint64_t last = counters[2].running;
	counters[2].running = counters[1].running;
	counters[1].running = counters[0].running;
	counters[0].running = last;
	pauses++;
}

static void stay(void)
{
	pauses++;
}

TEST(each_cpu_must_be_seen_idle_once)
{
	CHECK(sleepers_ended(counters, 3, stay));
	CHECK_INT(pauses, 0);
	counters[0].running = 1; /* never none, but each is idle now and then */
	CHECK(sleepers_ended(counters, 3, pass_on));
	CHECK(pauses >= 1 && pauses <= 6);
}

TEST(one_that_goes_on_is_not_waited_for_for_ever)
{
	for (unsigned cpu = 0; cpu < 3; cpu++) {
		memset(counters, 0, sizeof(counters));
		counters[cpu].running = 2;
		pauses = 0;
		CHECK(!sleepers_ended(counters, 3, stay));
		CHECK(pauses > 0 && pauses < 1000);
	}
}

TEST_MAIN
