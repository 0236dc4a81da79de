/* SPDX-License-Identifier: BSD-2-Clause */
#include "executor/unwind_pool.h"

#include <string.h>

#include "base/clock.h"
#include "base/time_unit.h"

#define NONE SIZE_MAX

void table_pool_deinit(struct table_pool *p)
{
	vector_free(&p->tables);
	vector_free(&p->without);
}

static bool key_is_same(const struct unwind_key *a, const struct unwind_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* --- tables ----------------------------------------------------------------------------------- */

static uint32_t *used_word(const struct table_pool *p, const struct pool_table *t)
{
	return (uint32_t *)(void *)((char *)p->memory + t->at);
}

static void remove_table(struct table_pool *p, size_t i)
{
	memmove(&p->tables.items[i], &p->tables.items[i + 1],
		(p->tables.count - i - 1) * sizeof(*p->tables.items));
	p->tables.count--;
}

/* Between two tables, or behind the last one: the number of the one after it; NONE. */
static size_t find_gap(const struct table_pool *p, uint32_t size, uint32_t *ret)
{
	uint32_t at = sizeof(struct unwind_pool);
	for (size_t i = 0; i <= p->tables.count; i++) {
		const struct pool_table *next = &p->tables.items[i];
		uint32_t end = i < p->tables.count ? next->at : p->size;
		if (end - at >= size) {
			*ret = at;
			return i;
		}
		if (i < p->tables.count)
			at = next->at + next->size;
	}
	return NONE;
}

static void insert(struct table_pool *p, size_t i, struct pool_table table)
{
	vector_push(&p->tables, table);
	memmove(&p->tables.items[i + 1], &p->tables.items[i],
		(p->tables.count - i - 1) * sizeof(*p->tables.items));
	p->tables.items[i] = table;
}

static void change_epoch(struct table_pool *p, uint64_t now)
{
	if (now - p->epoch_time < NS_PER_SECOND)
		return;
	p->epoch_time = now;
	__atomic_add_fetch(&p->memory->epoch, 1, __ATOMIC_SEQ_CST);
}

/* The table that was not used for longest; NONE: all of them are in use. */
static size_t find_unused(const struct table_pool *p)
{
	uint32_t most = 1; /* epochs since, which this and the last one are */
	size_t found = NONE;
	for (size_t i = 0; i < p->tables.count; i++) {
		const struct pool_table *t = &p->tables.items[i];
		uint32_t since =
			p->memory->epoch - __atomic_load_n(used_word(p, t), __ATOMIC_RELAXED);
		if (since <= most || unwind_key_is_vdso(&t->key))
			continue;
		most = since;
		found = i;
	}
	return found;
}

static bool remove_unused(struct table_pool *p, pool_remove_fn *remove, void *arg)
{
	size_t i = find_unused(p);
	if (i == NONE)
		return false;
	remove(arg, &p->tables.items[i].key);
	remove_table(p, i);
	p->removed++;
	return true;
}

uint32_t table_pool_place(struct table_pool *p, const struct unwind_key *key, uint32_t size,
			  uint64_t now, pool_remove_fn *remove, void *arg)
{
	struct pool_table table = { .key = *key, .size = ALIGN_UP(size + UNWIND_USED_SIZE, 4u) };
	size_t i = NONE;
	change_epoch(p, now);
	if (size > p->size || table.size > p->size - sizeof(struct unwind_pool))
		return 0;
	while (i == NONE) {
		i = find_gap(p, table.size, &table.at);
		if (i == NONE && !remove_unused(p, remove, arg))
			return 0;
	}
	insert(p, i, table);
	*used_word(p, &table) = p->memory->epoch;
	return table.at + UNWIND_USED_SIZE;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool remove_without(struct table_pool *p, pool_remove_fn *remove, void *arg)
{
	size_t i = 0;
	while (i < p->without.count && unwind_key_is_vdso(&p->without.items[i]))
		i++;
	if (i == p->without.count)
		return false;
	struct unwind_key key = p->without.items[i];
	remove(arg, &key);
	table_pool_forget(p, &key);
	p->removed++;
	return true;
}

/* A quarter of the list is free for those that stacks meet before we know of them. */
#define FILES_KEPT (UNWIND_FILES_MOST / 4 * 3)

void table_pool_note(struct table_pool *p, const struct unwind_key *key, pool_remove_fn *remove,
		     void *arg)
{
	vector_push(&p->without, *key);
	while (p->tables.count + p->without.count > FILES_KEPT && remove_without(p, remove, arg))
		;
}

bool table_pool_remove_one(struct table_pool *p, pool_remove_fn *remove, void *arg)
{
	return remove_without(p, remove, arg) || remove_unused(p, remove, arg);
}

bool table_pool_forget(struct table_pool *p, const struct unwind_key *key)
{
	for (size_t i = 0; i < p->tables.count; i++)
		if (key_is_same(&p->tables.items[i].key, key)) {
			remove_table(p, i);
			return true;
		}
	for (size_t i = 0; i < p->without.count; i++)
		if (key_is_same(&p->without.items[i], key)) {
			p->without.count--;
			memmove(&p->without.items[i], &p->without.items[i + 1],
				(p->without.count - i) * sizeof(*p->without.items));
			return true;
		}
	return false;
}

/* --- tables into the pool --------------------------------------------------------------------- */

static uint32_t pool_copy(const struct table_pool *p, uint32_t *at, const void *from, size_t size)
{
	uint32_t begin = *at;
	if (size)
		memcpy((char *)p->memory + begin, from, size);
	*at += (uint32_t)size;
	return begin;
}

static struct unwind_file table_write(const struct table_pool *p, const struct unwind_table *t,
				      uint32_t at)
{
	struct unwind_file file = { .first_page = t->first_page,
				    .page_count = t->page_count,
				    .state = UNWIND_TABLE };
	file.index = pool_copy(p, &at, t->index, (t->page_count + 1) * sizeof(*t->index));
	file.rows = pool_copy(p, &at, t->rows, t->row_count * sizeof(*t->rows));
	file.rules = pool_copy(p, &at, t->rules, t->rule_count * sizeof(*t->rules));
	file.saved = t->saved ? pool_copy(p, &at, t->saved, t->row_count) : 0;
	return file;
}

static uint64_t table_bytes(const struct unwind_table *t)
{
	return ((uint64_t)t->page_count + 1) * sizeof(*t->index) + t->row_count * sizeof(*t->rows) +
	       t->rule_count * sizeof(*t->rules) + (t->saved ? t->row_count : 0);
}

struct unwind_file table_pool_add(struct table_pool *p, const struct unwind_key *key,
				  const struct unwind_table *t, pool_remove_fn *remove, void *arg)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), size = t ? table_bytes(t) : 0;
	uint32_t at = 0;
	if (t && size <= p->size)
		at = table_pool_place(p, key, (uint32_t)size, now, remove, arg);
	if (at)
		return table_write(p, t, at);
	table_pool_note(p, key, remove, arg);
	return (struct unwind_file) { .state = t ? UNWIND_NO_ROOM : UNWIND_NO_TABLE };
}

void table_pool_report_full(struct table_pool *p)
{
	if (!p->reports_full)
		message_loss("the pool of unwind tables is full of those in use: some files that "
			     "stacks meet are walked by frame pointers (-x ustackpool=N allows "
			     "more)");
	p->reports_full = true;
}
