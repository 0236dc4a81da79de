/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps hold what a model holds, and what eight threads put into them at once */
#include "agent/table.h"

#include "placed.h"

/* --- a model ---------------------------------------------------------------------------------- */

#define KEYS 300

struct model {
	const struct map_layout *layout;
	char keys[KEYS][64], values[KEYS][64];
	bool is_there[KEYS];
	unsigned count;
};

static void model_init(struct model *m, const struct map_layout *layout, uint64_t *state)
{
	*m = (struct model) { .layout = layout };
	for (unsigned i = 0; i < KEYS; i++) {
		for (unsigned k = 0; k < layout->key_size; k++)
			m->keys[i][k] = (char)(next_random(state) % 3);
		memcpy(m->keys[i], &i, 4); /* all differ */
	}
}

static unsigned model_find(const struct model *m, const void *key)
{
	unsigned i;
	memcpy(&i, key, sizeof(i));
	CHECK(i < KEYS && memcmp(m->keys[i], key, m->layout->key_size) == 0);
	return i < KEYS ? i : 0;
}

static struct error *model_seen(void *arg, const void *key, const void *value)
{
	struct model *m = arg;
	unsigned i = model_find(m, key);
	CHECK(m->is_there[i]);
	CHECK(memcmp(m->values[i], value, m->layout->value_size) == 0);
	m->count++;
	return NULL;
}

static void model_step(struct model *m, struct placed *p, unsigned map, uint64_t *state)
{
	unsigned i = (unsigned)(next_random(state) % KEYS), live = 0;
	uint64_t flags = next_random(state) % 3; /* BPF_ANY, BPF_NOEXIST, BPF_EXIST */
	for (unsigned k = 0; k < KEYS; k++)
		live += m->is_there[k];
	bool is_full = live >= m->layout->max_entries;
	char value[64];
	for (unsigned k = 0; k < sizeof(value); k++)
		value[k] = (char)next_random(state);
	if (next_random(state) % 3 == 0) {
		CHECK_INT(p->remove(map_of(p, map), m->keys[i]), m->is_there[i] ? 0 : -ENOENT);
		m->is_there[i] = false;
		return;
	}
	long wanted = flags == BPF_NOEXIST && m->is_there[i]  ? -EEXIST
		      : flags == BPF_EXIST && !m->is_there[i] ? -ENOENT
		      : !m->is_there[i] && is_full	      ? -E2BIG
							      : 0;
	CHECK_INT(p->update(map_of(p, map), m->keys[i], value, flags), wanted);
	if (wanted)
		return;
	memcpy(m->values[i], value, sizeof(value));
	m->is_there[i] = true;
}

static void check_model(unsigned map, struct placed *p, struct memory *memory)
{
	static struct model m;
	uint64_t state = 7 + map;
	model_init(&m, &test_maps[map], &state);
	for (unsigned step = 0; step < 20000; step++) {
		model_step(&m, p, map, &state);
		unsigned i = (unsigned)(next_random(&state) % KEYS);
		const char *value = p->lookup(map_of(p, map), m.keys[i]);
		CHECK_INT(value != NULL, m.is_there[i]);
		CHECK(!value || memcmp(value, m.values[i], m.layout->value_size) == 0);
		if (step % 500)
			continue;
		unsigned live = 0;
		for (unsigned k = 0; k < KEYS; k++)
			live += m.is_there[k];
		m.count = 0;
		CHECK(!agent_visit(&memory->view, map, model_seen, &m));
		CHECK_INT(m.count, live);
	}
}

TEST(a_model)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	for (unsigned map = 0; map < ARRAY_SIZE(test_maps); map++)
		check_model(map, &p, &m);
	image_remove(&p);
	memory_end(&m);
}

/* --- many threads ----------------------------------------------------------------------------- */

#define THREADS 8
#define SHARED_KEYS 64

struct adding {
	struct placed *placed;
	unsigned thread;
	uint64_t failed;
};

/* A key of its own is inserted, read and removed; keys of all are inserted by all. */
static void *add_and_remove(void *arg)
{
	struct adding *a = arg;
	uint64_t state = 99 + a->thread, own[2] = { 0, 1000 + a->thread };
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t key[2] = { next_random(&state) % SHARED_KEYS, 1 };
		uint64_t *value = (uint64_t *)(void *)value_of(a->placed, 1, key);
		if (value)
			__atomic_fetch_add(value, 1, __ATOMIC_RELAXED);
		else
			a->failed++;
		own[0] = i % 16;
		if (a->placed->update(map_of(a->placed, 1), own, &i, BPF_ANY) != 0)
			a->failed++;
		value = (uint64_t *)(void *)a->placed->lookup(map_of(a->placed, 1), own);
		CHECK(value && *value == i);
		if (i % 3 == 0)
			CHECK_INT(a->placed->remove(map_of(a->placed, 1), own), 0);
	}
	return NULL;
}

struct seen {
	uint64_t shared[SHARED_KEYS], sum, other;
};

static struct error *see_element(void *arg, const void *key, const void *value)
{
	struct seen *s = arg;
	uint64_t k[2], v;
	memcpy(k, key, sizeof(k));
	memcpy(&v, value, sizeof(v));
	if (k[1] != 1) {
		s->other++;
		return NULL;
	}
	CHECK(k[0] < SHARED_KEYS);
	s->shared[k[0] % SHARED_KEYS]++;
	s->sum += v;
	return NULL;
}

TEST(eight_threads)
{
	struct memory m;
	struct placed p;
	pthread_t threads[THREADS];
	struct adding adding[THREADS];
	struct seen seen = { .sum = 0 };
	memory_make(&m, 16);
	image_place(&p, &m);
	for (unsigned i = 0; i < THREADS; i++) {
		adding[i] = (struct adding) { &p, i, 0 };
		CHECK(pthread_create(&threads[i], NULL, add_and_remove, &adding[i]) == 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		CHECK_INT(adding[i].failed, 0);
	}
	CHECK(!agent_visit(&m.view, 1, see_element, &seen));
	for (unsigned i = 0; i < SHARED_KEYS; i++)
		CHECK_INT(seen.shared[i], 1);
	CHECK_INT(seen.sum, THREADS * 100000);
	const struct process_map *map = map_of(&p, 1);
	CHECK_INT(map->count, SHARED_KEYS + seen.other);
	image_remove(&p);
	memory_end(&m);
}

/* All threads insert the same keys at the same time: each is there once, and nothing is lost. */
static pthread_barrier_t start;

static void *insert_same(void *arg)
{
	struct adding *a = arg;
	for (uint64_t round = 0; round < 300; round++) {
		pthread_barrier_wait(&start);
		for (uint64_t i = 0; i < 8; i++) {
			uint64_t key = round * 8 + i;
			uint64_t *value = (uint64_t *)(void *)value_of(a->placed, 0, &key);
			if (value)
				__atomic_fetch_add(value, 1, __ATOMIC_RELAXED);
			else
				a->failed++;
		}
	}
	return NULL;
}

static struct error *see_value(void *values, const void *key, const void *value)
{
	uint64_t k, v;
	memcpy(&k, key, sizeof(k));
	memcpy(&v, value, sizeof(v));
	CHECK(k < 2400 && ((uint64_t *)values)[k] == 0);
	((uint64_t *)values)[k % 2400] = v;
	return NULL;
}

TEST(the_same_key_at_once)
{
	struct memory m;
	struct placed p;
	pthread_t threads[4];
	struct adding adding[4];
	uint64_t values[2400] = { 0 }, sum = 0, failed = 0;
	memory_make(&m, 16);
	image_place(&p, &m);
	pthread_barrier_init(&start, NULL, 4);
	for (unsigned i = 0; i < 4; i++) {
		adding[i] = (struct adding) { &p, i, 0 };
		CHECK(pthread_create(&threads[i], NULL, insert_same, &adding[i]) == 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		failed += adding[i].failed;
	}
	CHECK(!agent_visit(&m.view, 0, see_value, values));
	for (unsigned i = 0; i < 2400; i++)
		sum += values[i];
	CHECK_INT(sum + failed, 4 * 2400);
	printf("the same key at once: %lu insertions gave up\n", failed);
	image_remove(&p);
	memory_end(&m);
}

/* --- an insertion that was interrupted -------------------------------------------------------- */

/* A handler inserts the key that the code it interrupts has published, or is about to. */
static void check_interrupted(enum place_state state, enum place_state then)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	uint64_t key = 5, other = 6;
	struct process_map *map = map_of(&p, 0);
	struct table t = { p.memory, map, &map->count };
	uint64_t hash = table_hash(map, (const char *)&key);
	uint64_t *word = place_word(&t, table_first(map, hash));
	memcpy(table_element(&t, table_first(map, hash)), &key, sizeof(key));
	*word = table_with(table_ready(hash), state);
	CHECK(!p.lookup(map, &key));
	CHECK(value_of(&p, 0, &key));
	CHECK(value_of(&p, 0, &other));
	CHECK_INT(*word & PLACE_STATE, then);
	image_remove(&p);
	memory_end(&m);
}

TEST(an_interrupted_insertion)
{
	check_interrupted(PLACE_BUSY, PLACE_BUSY);
	check_interrupted(PLACE_NEW, PLACE_GONE);
	check_interrupted(PLACE_GONE, PLACE_READY);
}

TEST(for_each_and_loop)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	for (uint64_t key = 0; key < 100; key++)
		CHECK(value_of(&p, 0, &key));
	long (*for_each)(void *, void *, void *) = FUNCTION(&p, "rt_for_each");
	long (*loop)(uint64_t, void *, void *) = FUNCTION(&p, "rt_loop");
	uint64_t sum = 0;
	CHECK_INT(for_each(map_of(&p, 0), FUNCTION(&p, "rt_ticks"), &sum), 100);
	CHECK_INT(loop(12, FUNCTION(&p, "rt_ticks"), &sum), 12);
	CHECK_INT(loop(12, FUNCTION(&p, "rt_time"), &sum), 1); /* not 0: it ends */
	image_remove(&p);
	memory_end(&m);
}

TEST_MAIN
