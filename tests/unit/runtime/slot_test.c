/* SPDX-License-Identifier: BSD-2-Clause */
/* slot_test - slots, counters and buffers are the area's; a record's CPU is not */
#include "host.h"

static uint64_t host_rt_policy = POLICY_SWITCH, host_rt_ring_size = 1 << 20;
static uint64_t host_rt_flight_count = 1, host_rt_flight_stride;
static char rt_flight[sizeof(struct flight)];
static uint64_t host_rt_clauses = 2;
static char rt_clause_drops[HOST_AREAS * 2 * sizeof(struct clause_drops)]
	__attribute__((aligned(8)));

static struct {
	uint64_t area; /* whose buffer */
	struct record_header header;
	bool full;
} got;

static void *rt_ring(uint64_t area)
{
	return (void *)area;
}

static uint64_t port_output_query(void *ring, uint64_t flags)
{
	return 0;
}

static long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	got.area = (uint64_t)ring;
	memcpy(&got.header, data, sizeof(got.header));
	return got.full ? -1 : 0;
}

static long port_find_vma(void *task, uint64_t address, void *found, void *arg, uint64_t flags)
{
	return -EBUSY;
}

static uint64_t port_pid_tgid(void)
{
	return 0;
}

static void *port_task(void)
{
	return NULL;
}

#include "runtime/slot.c"

static struct area_counters *counters_of(unsigned area)
{
	return (struct area_counters *)(void *)rt_counters + area;
}

static void reset(uint64_t area, uint32_t cpu)
{
	memset(rt_scratch, 0, sizeof(rt_scratch));
	memset(rt_counters, 0, sizeof(rt_counters));
	memset(rt_clause_drops, 0, sizeof(rt_clause_drops));
	memset(&got, 0, sizeof(got));
	host_area = area;
	host_cpu = cpu;
}

TEST(slots_are_the_areas)
{
	reset(1, 0);
	for (unsigned i = 0; i < SLOTS_PER_AREA; i++)
		CHECK_INT(rt_slot_claim(), (SLOTS_PER_AREA + i) * HOST_SLOT);
	CHECK_INT(rt_slot_claim(), -1);
	CHECK_INT(counters_of(1)->principal, 1);
	CHECK_INT(counters_of(0)->principal, 0);
	rt_slot_release((SLOTS_PER_AREA + 3) * HOST_SLOT);
	CHECK_INT(rt_slot_claim(), (SLOTS_PER_AREA + 3) * HOST_SLOT);
	host_area = 0;
	CHECK_INT(rt_slot_claim(), 0);
}

TEST(a_record_is_in_the_areas_buffer_and_names_the_cpu)
{
	struct record_header record = { .clause = 1 };
	reset(1, 7);
	CHECK_INT(rt_output(&record, sizeof(record), PORT_NO_WAKE), 0);
	CHECK_INT(got.area, 1);
	CHECK_INT(got.header.cpu, 7);
	got.full = true;
	CHECK_INT(rt_output(&record, sizeof(record), PORT_NO_WAKE), -1);
	CHECK_INT(counters_of(1)->principal, 1);
}

TEST(drops_by_clause_are_the_areas)
{
	reset(1, 7);
	rt_drop_clause(1, CLAUSE_DROP_DYNAMIC);
	const struct clause_drops *drops = (const struct clause_drops *)(void *)rt_clause_drops;
	CHECK_INT(drops[1 * 2 + 1].count[CLAUSE_DROP_DYNAMIC], 1);
	rt_drop_clause(2, CLAUSE_DROP_DYNAMIC); /* there is none */
	host_area = HOST_AREAS;
	rt_drop_clause(0, CLAUSE_DROP_DYNAMIC); /* never happens; nothing is written outside */
	CHECK_INT(drops[1 * 2 + 1].count[CLAUSE_DROP_DYNAMIC], 1);
	CHECK_INT(drops[0].count[CLAUSE_DROP_DYNAMIC], 0);
}

TEST(firings_that_sleep_are_counted_by_area)
{
	reset(1, 0);
	rt_enter();
	CHECK_INT(counters_of(1)->running, 1);
	rt_leave();
	CHECK_INT(counters_of(1)->running, 0);
}

TEST_MAIN
