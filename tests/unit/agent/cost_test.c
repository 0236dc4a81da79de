/* SPDX-License-Identifier: BSD-2-Clause */
/* What the hot functions cost: figures of this machine, printed; nothing is compared with them */
#include "placed.h"

#define PASSES 200000
#define BATCHES 15

static uint64_t thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int double_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Median of batches, in ns of thread time for each pass of BODY. */
#define COST(words, prepare, body)                                                                 \
	do {                                                                                       \
		double ns_[BATCHES];                                                               \
		for (unsigned b_ = 0; b_ < BATCHES; b_++) {                                        \
			prepare;                                                                   \
			uint64_t begin_ = thread_ns();                                             \
			for (uint64_t i = 0; i < PASSES; i++) {                                    \
				body;                                                              \
			}                                                                          \
			ns_[b_] = (double)(thread_ns() - begin_) / PASSES;                         \
		}                                                                                  \
		qsort(ns_, BATCHES, sizeof(*ns_), double_compare);                                 \
		printf("%-52s %6.1f ns [%.1f-%.1f]\n", words, ns_[BATCHES / 2], ns_[0],            \
		       ns_[BATCHES - 1]);                                                          \
	} while (0)

static struct error *nothing(void *arg, const void *data, uint32_t size)
{
	return NULL;
}

static void ring_empty(struct memory *m)
{
	CHECK(!agent_drain(&m->view, (unsigned)0, nothing, NULL));
	for (unsigned n = 1; n < m->program.area_count; n++)
		CHECK(!agent_drain(&m->view, n, nothing, NULL));
}

static void cost_of_maps(struct placed *p, volatile uint64_t *key)
{
	void *words = map_of(p, 0), *pairs = map_of(p, 1);
	for (uint64_t k = 0; k < 1000; k++)
		CHECK(value_of(p, 0, &k));
	key[0] = key[1] = 1;
	CHECK(value_of(p, 1, (const void *)key));
	COST("find, key of 8 bytes, one of 1000", , key[0] = i % 1000;
	     private_add(p->lookup(words, (const void *)key)));
	COST("find, key of 8 bytes stored as halves", , ((volatile uint32_t *)key)[0] = i & 511;
	     ((volatile uint32_t *)key)[1] = 0; private_add(p->lookup(words, (const void *)key)));
	COST("find, key of 8 bytes, always the same", , key[0] = 7;
	     private_add(p->lookup(words, (const void *)key)));
	COST("find, key of 16 bytes, one of 1000", , key[0] = i % 1000; key[1] = 1;
	     private_add(value_of(p, 1, (const void *)key)));
	COST("find, key of 16 bytes, always the same", , key[0] = 1; key[1] = 1;
	     private_add(p->lookup(pairs, (const void *)key)));
}

TEST(cost)
{
	struct memory m;
	struct placed p;
	uint64_t key[2] = { 0 }, counter = 0, lock = 0;
	char record[40] = { 0 };
	memory_make(&m, 64);
	image_place(&p, &m);
	uint64_t (*now)(void) = FUNCTION(&p, "rt_time");
	uint64_t (*nothing_done)(void) = FUNCTION(&p, "rt_ticks");
	long (*room)(uint64_t) = FUNCTION(&p, "rt_room");
	COST("a call that does nothing", , nothing_done());
	COST("lock add", , __atomic_fetch_add(&lock, 1, __ATOMIC_SEQ_CST));
	COST("the vdso's clock", , now());
	COST("area, and a private add", , p.area(); private_add(&counter));
	COST("a slot claimed and given back", , p.slot_release((uint64_t)p.slot_claim()));
	cost_of_maps(&p, key);
	COST("a record of 40 bytes: rt_output", ring_empty(&m), if (i % 1024 == 0) ring_empty(&m);
	     p.output(record, sizeof(record), BPF_RB_NO_WAKEUP));
	COST("the same: slot, clock, room, output, release", ring_empty(&m),
	     if (i % 1024 == 0) ring_empty(&m);
	     long at = p.slot_claim(); now();
	     p.output(record, sizeof(record), (uint64_t)room(sizeof(record)));
	     p.slot_release((uint64_t)at));
	CHECK_INT(COUNTED(&m, principal), 0);
	image_remove(&p);
	memory_end(&m);
}

TEST_MAIN
