/* SPDX-License-Identifier: BSD-2-Clause */
/* Records arrive whole and in order, or are counted; a damaged memory is noticed */
#include <linux/futex.h>
#include <sys/syscall.h>

#include "placed.h"

#define RECORDS 1000000

struct numbered {
	struct record_header header;
	uint64_t number, bytes[64];
};
#define NUMBERED_LEAST offsetof(struct numbered, bytes)

/* Every word after the header is of the number. */
static uint32_t numbered_fill(struct numbered *r, uint64_t number, uint64_t *state)
{
	uint32_t words = next_random(state) % 65;
	r->number = number;
	for (uint32_t i = 0; i < words; i++)
		r->bytes[i] = number * 3 + i;
	return (uint32_t)(NUMBERED_LEAST + words * 8 - next_random(state) % 8 * !!words);
}

struct reading {
	uint64_t next, count, wrong;
};

static struct error *numbered_check(void *arg, const void *data, uint32_t size)
{
	struct reading *reading = arg;
	struct numbered r;
	if (size < NUMBERED_LEAST || size > sizeof(r)) {
		reading->wrong++;
		return NULL;
	}
	memcpy(&r, data, size);
	reading->wrong += r.number < reading->next;
	for (uint32_t i = 0; NUMBERED_LEAST + i * 8 + 8 <= size; i++)
		reading->wrong += r.bytes[i] != r.number * 3 + i;
	reading->next = r.number + 1;
	reading->count++;
	return NULL;
}

static struct placed *writer_placed;
static bool writer_done, writer_waits;

static void *write_records(void *arg)
{
	uint64_t state = 88172645463325252ull;
	struct numbered r = { .header = { 0 } };
	for (uint64_t n = 0; n < RECORDS; n++) {
		uint32_t size = numbered_fill(&r, n, &state);
		while (writer_placed->output(&r, size, BPF_RB_NO_WAKEUP) < 0 && writer_waits) {
			++*(uint64_t *)arg; /* dropped, counted, and tried again */
			sched_yield();
		}
	}
	__atomic_store_n(&writer_done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void check_concurrent(bool waits)
{
	struct memory m;
	struct placed p;
	struct reading reading = { 0 };
	uint64_t again = 0;
	pthread_t writer;
	memory_make(&m, 1);
	image_place(&p, &m);
	writer_placed = &p;
	writer_waits = waits;
	writer_done = false;
	CHECK(pthread_create(&writer, NULL, write_records, &again) == 0);
	for (bool done = false; !done;) {
		done = __atomic_load_n(&writer_done, __ATOMIC_ACQUIRE);
		uint64_t before = reading.count;
		struct error *err = agent_drain(&m.view, 0, numbered_check, &reading);
		CHECK(!err);
		if (err)
			break;
		if (reading.count == before)
			sched_yield();
	}
	pthread_join(writer, NULL);
	printf("ring: %lu records read, %lu dropped\n", reading.count, COUNTED(&m, principal));
	CHECK_INT(reading.wrong, 0);
	CHECK_INT(reading.count + COUNTED(&m, principal), RECORDS + again);
	if (waits)
		CHECK_INT(reading.count, RECORDS);
	CHECK_INT(m.view.lost, 0);
	image_remove(&p);
	memory_end(&m);
}

TEST(a_million_records)
{
	check_concurrent(true);
}

TEST(drops_are_counted)
{
	check_concurrent(false);
}

/* --- edges ------------------------------------------------------------------------------------ */

TEST(full_and_too_long)
{
	struct memory m;
	struct placed p;
	struct reading reading = { 0 };
	memory_make(&m, 1);
	image_place(&p, &m);
	static char record[2 * SLOT];
	CHECK(p.output(record, sizeof(record), BPF_RB_NO_WAKEUP) < 0);
	CHECK_INT(COUNTED(&m, principal), 1);
	uint64_t state = 1, n = 0, dropped;
	struct numbered r = { .header = { 0 } };
	while (p.output(&r, numbered_fill(&r, n, &state), BPF_RB_NO_WAKEUP) == 0)
		n++;
	dropped = COUNTED(&m, principal);
	CHECK_INT(dropped, 2);
	long (*room)(uint64_t size) = FUNCTION(&p, "rt_room");
	CHECK_INT(room(600), 0);
	CHECK(!agent_drain(&m.view, 0, numbered_check, &reading));
	CHECK_INT(reading.count, n);
	CHECK(room(600) != 0);
	/* what was read is zero again */
	const char *ring = m.view.memory + m.layout.head.rings;
	for (uint64_t i = 0; i < m.layout.head.ring_stride; i++)
		if (ring[i]) {
			CHECK(ring[i] == 0);
			break;
		}
	image_remove(&p);
	memory_end(&m);
}

/* A thread ends in the middle of a record: others are read on when its area has a new owner. */
static void check_unfinished(uint64_t word, unsigned lost)
{
	struct memory m;
	struct placed p;
	struct reading reading = { 0 };
	uint64_t state = 1;
	struct numbered r = { .header = { 0 } };
	memory_make(&m, 1);
	image_place(&p, &m);
	CHECK_INT(p.output(&r, numbered_fill(&r, 0, &state), BPF_RB_NO_WAKEUP), 0);
	struct process_area *area = area_of(&m, 0);
	uint64_t *at = (uint64_t *)(void *)(m.view.memory + m.layout.head.rings + area->head);
	area->head += ring_room(100);
	*at = word;
	CHECK_INT(p.output(&r, numbered_fill(&r, 1, &state), BPF_RB_NO_WAKEUP), 0);
	CHECK(!agent_drain(&m.view, 0, numbered_check, &reading));
	CHECK_INT(reading.count, 1); /* it may still be written */
	area->owner = area_key(p.own->process, 0x7ffffff0);
	CHECK_INT(p.output(&r, numbered_fill(&r, 2, &state), BPF_RB_NO_WAKEUP), 0);
	CHECK(!agent_drain(&m.view, 0, numbered_check, &reading));
	CHECK_INT(reading.count, 3 - lost);
	CHECK_INT(reading.wrong, 0);
	CHECK_INT(m.view.lost, 1);
	image_remove(&p);
	memory_end(&m);
}

TEST(an_unfinished_record_is_skipped)
{
	check_unfinished(100 << 1, 0);
	check_unfinished(0, 1); /* its size is not known: what follows is lost with it */
}

static void *wait_for_wake(void *memory)
{
	struct process_head *h = memory;
	while (!__atomic_load_n(&h->wake, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &h->wake, FUTEX_WAIT, 0, NULL, NULL, 0);
	return NULL;
}

TEST(a_mark_wakes_the_reader)
{
	struct memory m;
	struct placed p;
	pthread_t waiter;
	uint64_t state = 1, n = 0;
	struct numbered r = { .header = { 0 } };
	memory_make(&m, 1);
	image_place(&p, &m);
	CHECK(pthread_create(&waiter, NULL, wait_for_wake, m.view.memory) == 0);
	long (*room)(uint64_t size) = FUNCTION(&p, "rt_room");
	long wake = BPF_RB_NO_WAKEUP;
	for (; wake != BPF_RB_FORCE_WAKEUP && n < 4096; n++) {
		uint32_t size = numbered_fill(&r, n, &state);
		wake = room(size);
		CHECK_INT(p.output(&r, size, (uint64_t)wake), 0);
	}
	pthread_join(waiter, NULL);
	CHECK(area_of(&m, 0)->head >= m.layout.head.ring_size / 4);
	CHECK(area_of(&m, 0)->head < m.layout.head.ring_size / 4 + 1024);
	image_remove(&p);
	memory_end(&m);
}

/* --- a process that writes anywhere ----------------------------------------------------------- */

static struct error *bytes_touch(void *sum, const void *data, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		*(uint64_t *)sum += ((const unsigned char *)data)[i];
	return NULL;
}

static struct error *element_touch(void *map, const void *key, const void *value)
{
	const struct map_layout *layout = map;
	uint64_t sum = 0;
	bytes_touch(&sum, key, layout->key_size);
	return bytes_touch(&sum, value, layout->value_size);
}

static bool half_ended(void *arg, uint32_t process, uint32_t thread, uint64_t own)
{
	return thread & 1;
}

/* All that the tracer does with the memory.  Were there errors? */
static bool read_all(struct agent_view *v, uint64_t *state)
{
	bool is_damaged = false;
	uint64_t sum = 0;
	char key[64], value[64] = "";
	for (unsigned n = 0; n < v->layout->head.area_count; n++) {
		struct error *err = agent_drain(v, n, bytes_touch, &sum);
		is_damaged |= err != NULL;
		error_free(err);
	}
	for (unsigned map = 0; map < ARRAY_SIZE(test_maps); map++) {
		for (unsigned i = 0; i < sizeof(key); i++)
			key[i] = (char)next_random(state);
		CHECK(!agent_visit(v, map, element_touch, (void *)&test_maps[map]));
		CHECK(!agent_update(v, map, key, value));
		CHECK(!agent_remove(v, map, key));
	}
	agent_release(v, half_ended, NULL);
	return is_damaged;
}

struct scribbling {
	char *memory;
	uint64_t size;
	bool ends;
};

/* Of all kinds: words anywhere; what looks like a record; positions near the right ones. */
static void scribble(const struct scribbling *s, uint64_t *state, const struct agent_layout *l)
{
	uint64_t what = next_random(state) % 4, at = next_random(state) % (s->size / 8) * 8;
	uint64_t word = next_random(state) << 11 ^ next_random(state);
	const struct process_head *h = &l->head;
	unsigned n = (unsigned)(next_random(state) % h->area_count);
	struct process_area *area = (struct process_area *)(void *)(s->memory + h->areas) + n;
	if (what == 0)
		memcpy(s->memory + at, &word, 8);
	else if (what == 1)
		*(uint64_t *)(void *)(s->memory + h->rings + n * h->ring_stride +
				      at % h->ring_size) =
			(word % (2 * h->record_most)) << 1 | (word >> 60 & 1);
	else if (what == 2)
		area->head = area->tail + word % (h->ring_size + 64) / 8 * 8;
	else
		area->sealed = area->tail + word % (h->ring_size + 64) / 8 * 8;
}

TEST(garbage_everywhere)
{
	enum { ROUNDS = 60, WORDS = 2000 };
	struct memory m;
	uint64_t state = 4711, damaged = 0;
	memory_make(&m, 4);
	/* The heap, so that the address sanitizer sees what is outside. */
	char *shared = m.view.memory, *heap = malloc(m.layout.head.size);
	struct scribbling s = { heap, m.layout.head.size, false };
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct agent_view v;
		memcpy(heap, shared, m.layout.head.size);
		agent_view_init(&v, &m.layout, heap);
		for (unsigned i = 0; i < WORDS; i++)
			scribble(&s, &state, &m.layout);
		for (unsigned k = 0; k < 3; k++)
			damaged += read_all(&v, &state);
		agent_view_deinit(&v);
	}
	printf("garbage: %lu of %u reads found damage\n", damaged, ROUNDS * 3);
	CHECK(damaged > 0);
	for (uint64_t i = 0; i + 8 <= m.layout.head.size; i += 8) {
		uint64_t word = next_random(&state) << 11 ^ next_random(&state);
		memcpy(heap + i, &word, 8);
	}
	struct agent_view v;
	agent_view_init(&v, &m.layout, heap);
	CHECK(read_all(&v, &state));
	agent_view_deinit(&v);
	free(heap);
	memory_end(&m);
}

static struct agent_layout *scribbled_layout;

static void *scribble_on(void *arg)
{
	struct scribbling *s = arg;
	uint64_t state = 815;
	while (!__atomic_load_n(&s->ends, __ATOMIC_RELAXED))
		scribble(s, &state, scribbled_layout);
	return NULL;
}

TEST(garbage_meanwhile)
{
	struct memory m;
	pthread_t scribbler;
	uint64_t state = 42;
	memory_make(&m, 4);
	char *heap = malloc(m.layout.head.size);
	memcpy(heap, m.view.memory, m.layout.head.size);
	struct scribbling s = { heap, m.layout.head.size, false };
	scribbled_layout = &m.layout;
	CHECK(pthread_create(&scribbler, NULL, scribble_on, &s) == 0);
	for (unsigned round = 0; round < 300; round++) {
		struct agent_view v;
		agent_view_init(&v, &m.layout, heap);
		for (unsigned n = 0; n < 4; n++)
			v.tails[n] = area_of(&m, n)->tail;
		read_all(&v, &state);
		agent_view_deinit(&v);
	}
	__atomic_store_n(&s.ends, true, __ATOMIC_RELAXED);
	pthread_join(scribbler, NULL);
	free(heap);
	memory_end(&m);
}

TEST_MAIN
