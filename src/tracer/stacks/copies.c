/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * User stacks that programs have copied, as the tables of their files were not there yet
 *
 * A copy is taken from the executor as soon as it reports it, with what its process maps: the
 * process may end soon.  Then the tables are made that it asked for, and the copy is walked
 * (rewalk/rewalk.h), which may need more tables.  The record, or the key, that has the copy's
 * number is read later, or never.  So the frames are kept until the end, each list once; what is
 * not kept is reported.
 */
#include <string.h>

#include "tracer/names/names.h"
#include "tracer/stacks/stacks.h"

/* --- what a process maps ---------------------------------------------------------------------- */

struct copied_process {
	struct tracer *tracer;
	int pid;
	struct mapping *list;
	size_t count;
	struct copied_mapping *known; /* of each one; end 0: not looked at yet */
	struct error *err;
};

/* The words that follow those of the record. */
struct rest {
	unsigned count;
	uint64_t words[];
};

struct copies {
	VECTOR(struct stack_copy *) taken;
	VECTOR(struct copied_process *) processes; /* of those */
	VECTOR(const struct rest *) rests;	   /* by number - 1; NULL: lost, or not there yet */
	struct hash *by_content;		   /* struct rest */
	struct arena *arena;			   /* for them */
	size_t bytes;				   /* of them */
	bool is_full;				   /* reported */
};

#define BYTES_MOST (64u << 20)
#define NUMBERS_MOST (4u << 20)

static struct copied_process *process_new(struct tracer *t, int pid)
{
	struct copied_process *p = mem_zalloc(sizeof(*p));
	p->tracer = t;
	p->pid = pid;
	names_mappings(t, pid, &p->list, &p->count);
	p->known = mem_zalloc((p->count + 1) * sizeof(*p->known));
	return p;
}

static void process_release(struct copied_process *p)
{
	process_mappings_free(p->list, p->count);
	free(p->known);
	error_free(p->err);
	free(p);
}

static struct copied_process *process_of(struct tracer *t, int pid)
{
	struct copies *c = t->stacks->copies;
	for (size_t i = 0; i < c->processes.count; i++)
		if (c->processes.items[i]->pid == pid)
			return c->processes.items[i];
	vector_push(&c->processes, process_new(t, pid));
	return c->processes.items[c->processes.count - 1];
}

/* Its table is made now, if nobody has asked for it. */
static void find_file(struct copied_process *p, const struct mapping *m, struct copied_mapping *ret)
{
	struct tracer *t = p->tracer;
	ret->has_file = stacks_table_key(t, p->pid, m, &ret->key);
	if (!ret->has_file ||
	    t->executor->stacks->table_state(t->executing, &ret->key) != UNWIND_ASKED)
		return;
	struct image *image = images_find(t->images, p->pid, m);
	if (image && !p->err)
		p->err = stacks_give_table(t, image, &ret->key);
}

static bool find_mapping(void *arg, uint64_t address, struct copied_mapping *ret)
{
	struct copied_process *p = arg;
	const struct mapping *m = mappings_find(p->list, p->count, address);
	if (!m)
		return false;
	struct copied_mapping *known = &p->known[m - p->list];
	if (!known->end) {
		*known = (struct copied_mapping) { .begin = m->start,
						   .end = m->end,
						   .offset = m->offset,
						   .executable = m->executable };
		if (m->executable)
			find_file(p, m, known);
	}
	*ret = *known;
	return true;
}

/* --- frames ----------------------------------------------------------------------------------- */

static void report_full(struct copies *c)
{
	if (!c->is_full)
		message_loss(
			"too many user stacks have been copied before their unwind tables were "
			"there: those that are copied from now on end early");
	c->is_full = true;
}

static struct copies *copies_of(struct tracer *t)
{
	if (t->stacks->copies)
		return t->stacks->copies;
	t->stacks->copies = mem_zalloc(sizeof(*t->stacks->copies));
	t->stacks->copies->by_content = hash_new();
	t->stacks->copies->arena = arena_new();
	return t->stacks->copies;
}

/* COUNT words as a list that is kept; NULL: there is no room. */
static const struct rest *keep(struct copies *c, const uint64_t *words, unsigned count)
{
	size_t size = count * sizeof(*words);
	if (c->bytes > BYTES_MOST) {
		report_full(c);
		return NULL;
	}
	void **place = hash_place(c->by_content, words, size);
	if (*place)
		return *place;
	struct rest *r = arena_alloc(c->arena, sizeof(*r) + size);
	r->count = count;
	memcpy(r->words, words, size);
	c->bytes += 2 * size + sizeof(*r);
	*place = r;
	return r;
}

/* The number is the executor's: the next ones. */
static void note(struct copies *c, uint64_t number, const struct rest *rest)
{
	if (number > NUMBERS_MOST) {
		report_full(c);
		return;
	}
	while (c->rests.count < number)
		vector_push(&c->rests, NULL);
	c->rests.items[number - 1] = rest;
}

/* Does the process still map the file that the walk met?  Else it may run another program. */
static bool is_same(struct copied_process *p, const struct stack_copy *copy)
{
	struct copied_mapping m;
	return find_mapping(p, copy->mapped_at, &m) && m.has_file &&
	       memcmp(&m.key, &copy->key, sizeof(m.key)) == 0;
}

/* Stacks of a process whose mappings are hidden are copied no more, until they ask again. */
static struct error *give_up(struct tracer *t, struct copied_process *p,
			     const struct stack_copy *copy)
{
	if (p->count || process_state(p->pid) != PROCESS_RUNS ||
	    t->executor->stacks->table_state(t->executing, &copy->key) != UNWIND_ASKED)
		return NULL;
	return stacks_hide_file(t, &copy->key);
}

static struct error *walk(struct tracer *t, const struct stack_copy *copy)
{
	struct copied_process *p = process_of(t, (int)copy->process);
	uint32_t room = (uint32_t)(copy->most - copy->count), count = 0;
	uint64_t *words = mem_alloc((room + 1) * sizeof(*words));
	enum stack_end end = STACK_END_GONE;
	bool can_walk = is_same(p, copy);
	if (can_walk)
		end = t->executor->stacks->walk_copy(t->executing, copy, find_mapping, p, words,
						     &count);
	words[count] = frame_end(end);
	note(t->stacks->copies, copy->number,
	     keep(t->stacks->copies, words, count + (count < room)));
	free(words);
	struct error *err = take(p->err);
	return err || can_walk ? err : give_up(t, p, copy);
}

/* --- rounds ----------------------------------------------------------------------------------- */

static struct error *take_copy(void *arg, const void *data, uint32_t size)
{
	struct tracer *t = arg;
	struct copies *c = copies_of(t);
	if (!stack_copy_is_valid(data, size))
		return NULL;
	struct stack_copy *copy = mem_alloc(size);
	memcpy(copy, data, size);
	vector_push(&c->taken, copy);
	process_of(t, (int)copy->process);
	return NULL;
}

struct error *copies_take(struct tracer *t)
{
	const struct source_reader *r = t->source.reader;
	return r->copies ? r->copies(t->source.self, take_copy, t) : NULL;
}

static void release_taken(struct copies *c)
{
	for (size_t i = 0; i < c->taken.count; i++)
		free(c->taken.items[i]);
	for (size_t i = 0; i < c->processes.count; i++)
		process_release(c->processes.items[i]);
	c->taken.count = c->processes.count = 0;
}

struct error *copies_walk(struct tracer *t)
{
	struct error *err = NULL;
	if (!t->stacks->copies || !t->stacks->copies->taken.count)
		return NULL;
	log_debug("%zu copied stacks of %zu processes", t->stacks->copies->taken.count,
		  t->stacks->copies->processes.count);
	for (size_t i = 0; i < t->stacks->copies->taken.count && !err; i++)
		err = walk(t, t->stacks->copies->taken.items[i]);
	release_taken(t->stacks->copies);
	return err;
}

/* --- for the consumer ------------------------------------------------------------------------- */

static const struct rest *rest_of(const struct tracer *t, uint64_t number)
{
	const struct copies *c = t->stacks->copies;
	return c && number && number <= c->rests.count ? c->rests.items[number - 1] : NULL;
}

/* A copy may be newer than the last round. */
const uint64_t *copies_frames(void *tracer, uint64_t number, unsigned *count)
{
	struct tracer *t = tracer;
	const struct rest *r = rest_of(t, number);
	if (!r) {
		struct error *err = copies_take(t);
		if (!err)
			err = copies_walk(t);
		if (err)
			message_loss("copied user stacks end early: %s", error_text(err));
		error_free(err);
		r = rest_of(t, number);
	}
	if (!r)
		return NULL;
	*count = r->count;
	return r->words;
}

void copies_free(struct copies *c)
{
	if (!c)
		return;
	release_taken(c);
	vector_free(&c->taken);
	vector_free(&c->processes);
	vector_free(&c->rests);
	hash_free(c->by_content);
	arena_free(c->arena);
	free(c);
}
