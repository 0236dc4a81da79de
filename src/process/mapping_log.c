/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapping_log - two generations of processes
 *
 * A process that is noted belongs to the young generation; when that is full it becomes the old
 * one, and what the old one had is forgotten.  So at least GENERATION processes are kept: 600 bytes
 * for one that has executed a program with five libraries.
 *
 * A child refers to its parent, and to how much the parent had mapped by then, so a fork costs no
 * copy.  Parents that have mapped nothing are passed over, so that a chain of forks is no chain of
 * references.
 */
#include <stdlib.h>
#include <string.h>

#include "process/mapping_log.h"

#define GENERATION 8192
#define MAPPINGS_MAX 512 /* of a process; the oldest half is forgotten then */
#define DEPTH_MAX 16	 /* of parents that have mapped something */

struct logged {
	unsigned references;
	struct logged *parent;	    /* NULL: unknown */
	size_t inherited;	    /* so many of the parent's, counted from its first */
	size_t forgotten;	    /* so many of the first are no longer in the list */
	VECTOR(struct mapping) own; /* by time */
};

struct mapping_log {
	struct hash *young, *old; /* pid -> struct logged, referred to */
	size_t young_count;
	mapping_log_refresh_fn *refresh;
	void *arg;
};

struct mapping_log *mapping_log_new(mapping_log_refresh_fn *refresh, void *arg)
{
	struct mapping_log *l = mem_zalloc(sizeof(*l));
	l->refresh = refresh;
	l->arg = arg;
	l->young = hash_new();
	l->old = hash_new();
	return l;
}

static void paths_free(struct logged *p, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(p->own.items[i].path);
}

static void logged_release(struct logged *p)
{
	while (p && --p->references == 0) {
		struct logged *parent = p->parent;
		paths_free(p, p->own.count);
		vector_free(&p->own);
		free(p);
		p = parent;
	}
}

static void release_entry(void *arg, const void *key, size_t key_len, void *value)
{
	logged_release(value);
}

static void generation_free(struct hash *processes)
{
	hash_visit(processes, release_entry, NULL);
	hash_free(processes);
}

void mapping_log_free(struct mapping_log *l)
{
	if (!l)
		return;
	generation_free(l->young);
	generation_free(l->old);
	free(l);
}

/* --- which process ---------------------------------------------------------------------------- */

static struct logged *logged_find(const struct mapping_log *l, int pid)
{
	struct logged *p = hash_get(l->young, &pid, sizeof(pid));
	return p ? p : hash_get(l->old, &pid, sizeof(pid));
}

static void logged_put(struct mapping_log *l, int pid, struct logged *p)
{
	p->references++;
	if (l->young_count == GENERATION) {
		generation_free(l->old);
		l->old = l->young;
		l->young = hash_new();
		l->young_count = 0;
	}
	void **place = hash_place(l->young, &pid, sizeof(pid));
	l->young_count += !*place;
	logged_release(*place);
	*place = p;
}

/* --- noting ----------------------------------------------------------------------------------- */

static void forget_half(struct logged *p)
{
	size_t half = p->own.count / 2;
	paths_free(p, half);
	memmove(p->own.items, p->own.items + half, (p->own.count - half) * sizeof(*p->own.items));
	p->own.count -= half;
	p->forgotten += half;
}

void mapping_log_add(struct mapping_log *l, int pid, const struct mapping *m)
{
	if (!m->inode && !string_equal(m->path, "[vdso]"))
		return;
	struct logged *p = hash_get(l->young, &pid, sizeof(pid));
	if (!p) {
		p = hash_get(l->old, &pid, sizeof(pid));
		p = p ? p : mem_zalloc(sizeof(*p));
		logged_put(l, pid, p);
	}
	if (p->own.count == MAPPINGS_MAX)
		forget_half(p);
	struct mapping copy = *m;
	copy.path = mem_strdup(m->path);
	vector_push(&p->own, copy);
}

static size_t depth_of(const struct logged *p)
{
	size_t depth = 0;
	for (; p; p = p->parent)
		depth++;
	return depth;
}

/* A number that is used again belongs to another process, which inherits nothing of the first. */
void mapping_log_fork(struct mapping_log *l, int parent, int pid)
{
	struct logged *from = logged_find(l, parent), *child = mem_zalloc(sizeof(*child));
	size_t count = from ? from->forgotten + from->own.count : 0;
	if (from && !count) {
		count = from->inherited;
		from = from->parent;
	}
	if (from && depth_of(from) < DEPTH_MAX) {
		from->references++;
		child->parent = from;
		child->inherited = count;
	}
	logged_put(l, pid, child);
}

/* --- asking ----------------------------------------------------------------------------------- */

/* P's first UNTIL ones, after those of its parents. */
static size_t logged_visit(const struct logged *p, size_t until, mapping_log_fn *visit, void *arg)
{
	if (!p)
		return 0;
	size_t before = logged_visit(p->parent, p->inherited, visit, arg); /* DEPTH_MAX at most */
	for (size_t i = 0; visit && i < p->own.count && p->forgotten + i < until; i++)
		visit(arg, &p->own.items[i]);
	return before + MIN(until, p->forgotten + p->own.count);
}

size_t mapping_log_visit(struct mapping_log *l, int pid, mapping_log_fn *visit, void *arg)
{
	l->refresh(l->arg);
	return logged_visit(logged_find(l, pid), SIZE_MAX, visit, arg);
}
