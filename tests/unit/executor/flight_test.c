/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flight_test - records that the run-time library writes to flight recorders are found by readers
 */
#include <pthread.h>

#include "runtime/host.h"

#include "executor/flight.h"

#define SIZE 4096
#define SLACK 512
#define STRIDE (sizeof(struct flight) + SIZE + SLACK)

static char rt_flight[2 * STRIDE] __attribute__((aligned(64)));
static uint64_t host_rt_ring_size = SIZE, host_rt_flight_count = 2, host_rt_flight_stride = STRIDE;

#include "runtime/flight.h"

static struct flight_memory reader(void)
{
	struct flight_memory f = {
		.memory = rt_flight, .count = 2, .stride = STRIDE, .size = SIZE
	};
	flight_init(&f);
	return f;
}

/* A record of writer, number and SIZE - 24 bytes that follow from both. */
struct test_record {
	struct record_header header; /* cpu: the recorder, clause 0, seq: number */
	uint64_t content[40];
};

static uint64_t content_of(uint64_t writer, uint64_t number, unsigned i)
{
	return writer << 56 | number << 16 | i;
}

static long leave(unsigned recorder, unsigned writer, uint32_t number, unsigned words)
{
	struct test_record r = { .header = { .cpu = (uint16_t)recorder,
					     .time = number,
					     .probe = 1 + writer,
					     .seq = number } };
	for (unsigned i = 0; i < words; i++)
		r.content[i] = content_of(writer, number, i);
	return flight_put(recorder, &r, sizeof(r.header) + words * 8);
}

static struct {
	unsigned count, wrong, damaged;
	uint32_t first, last[5];
} seen;

static struct error *look(void *arg, const void *data, uint32_t size)
{
	const struct test_record *record = data;
	if (size < sizeof(record->header)) {
		seen.damaged++;
		return NULL;
	}
	unsigned writer = record->header.probe - 1;
	for (unsigned i = 0; i < (size - sizeof(record->header)) / 8; i++)
		seen.wrong += record->content[i] != content_of(writer, record->header.seq, i);
	seen.wrong += seen.last[writer] >= record->header.seq;
	seen.last[writer] = record->header.seq;
	if (!seen.count++)
		seen.first = record->header.seq;
	return NULL;
}

static void flush(struct flight_memory *f)
{
	memset(&seen, 0, sizeof(seen));
	for (unsigned n = 0; n < 2; n++)
		CHECK(!flight_drain(f, n, look, NULL));
}

TEST(all_is_there_until_it_is_full)
{
	memset(rt_flight, 0, sizeof(rt_flight));
	struct flight_memory r = reader();
	flush(&r);
	CHECK_INT(seen.count, 0);
	for (uint32_t i = 1; i <= 20; i++)
		CHECK_INT(leave(i & 1, i & 1, i, i), 0);
	flush(&r);
	CHECK_INT(seen.count, 20);
	CHECK_INT(seen.wrong + seen.damaged, 0);
	flush(&r); /* only once */
	CHECK_INT(seen.count, 0);
	leave(1, 1, 21, 3);
	flush(&r);
	CHECK_INT(seen.count, 1);
	flight_deinit(&r);
}

TEST(the_newest_survive)
{
	for (uint32_t total = 30; total < 400; total++) {
		memset(rt_flight, 0, sizeof(rt_flight));
		struct flight_memory r = reader();
		unsigned kept = 0, bytes = 0;
		for (uint32_t i = 1; i <= total; i++)
			leave(0, 0, i, i % 37);
		for (uint32_t i = total; i && bytes + 24 + i % 37 * 8 + 16 <= SIZE; i--, kept++)
			bytes += 24 + i % 37 * 8 + 16;
		flush(&r);
		CHECK_INT(seen.count, kept);
		CHECK_INT(seen.first, total - kept + 1);
		CHECK_INT(seen.last[0], total);
		CHECK_INT(seen.wrong + seen.damaged, 0);
		flight_deinit(&r);
	}
}

TEST(positions_run_over)
{
	memset(rt_flight, 0, sizeof(rt_flight));
	struct flight *f = (struct flight *)rt_flight;
	f->word = FLIGHT_MASK - 3; /* as after 2 GiB */
	struct flight_memory r = reader();
	for (uint32_t i = 1; i <= 200; i++)
		CHECK_INT(leave(0, 0, i, 8), 0);
	flush(&r);
	CHECK_INT(seen.count, SIZE / 104);
	CHECK_INT(seen.last[0], 200);
	CHECK_INT(seen.wrong + seen.damaged, 0);
	flight_deinit(&r);
}

TEST(nobody_passes_an_interrupted_writer)
{
	memset(rt_flight, 0, sizeof(rt_flight));
	struct flight *f = (struct flight *)rt_flight;
	struct flight_memory r = reader();
	leave(0, 0, 1, 0);
	CHECK(flight_claim(f, 10) >= 0); /* it will never continue */
	unsigned kept = 0;
	for (uint32_t i = 2; i <= 500; i++)
		kept += leave(0, 0, i, 1) == 0;
	CHECK_INT(kept, (SIZE / 8 - 10) / 6);
	flush(&r);
	CHECK_INT(seen.wrong, 0);
	CHECK(seen.last[0] == kept + 1);
	CHECK_INT(seen.count, kept); /* the last one has overwritten that before it */
	CHECK_INT(seen.first, 2);
	CHECK_INT(seen.damaged, 1);
	flight_deinit(&r);
}

TEST(a_killed_writer_leaves_what_was_before)
{
	memset(rt_flight, 0, sizeof(rt_flight));
	struct flight *f = (struct flight *)rt_flight;
	struct flight_memory r = reader();
	for (uint32_t i = 1; i <= 500; i++)
		CHECK_INT(leave(0, 0, i, 1), 0);
	CHECK(flight_claim(f, 10) >= 0);
	flush(&r);
	CHECK_INT(seen.count, (SIZE / 8 - 10) / 6);
	CHECK_INT(seen.last[0], 500);
	CHECK_INT(seen.damaged, 1);
	CHECK_INT(seen.wrong, 0);
	flight_deinit(&r);
}

/* --- threads: writers of one recorder that interrupt each other anywhere --------------------- */

#define ROUNDS 60000
static uint32_t written[4];
static uint64_t refused;

static void *writer(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		if (leave(0, me, i, (i * 7 + me) % 38) == 0)
			written[me] = i;
		else
			__atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

TEST(no_record_is_torn)
{
	for (int round = 0; round < 5; round++) {
		memset(rt_flight, 0, sizeof(rt_flight));
		pthread_t threads[4];
		for (uintptr_t i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, writer, (void *)i);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		CHECK_INT(((struct flight *)rt_flight)->word >> 2 * FLIGHT_BITS, 0);
		struct flight_memory r = reader();
		flush(&r);
		CHECK(seen.count >= SIZE / (24 + 37 * 8 + 16) - 1);
		CHECK_INT(seen.wrong + seen.damaged, 0);
		for (int i = 0; i < 4; i++)
			CHECK(!seen.last[i] || seen.last[i] == written[i]);
		flight_deinit(&r);
	}
}

TEST_MAIN
