/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json_names - what comes often in a stream is described once, and is a number from then on
 *
 * Equal objects have equal numbers: they are compared as text, which says all that is known of an
 * address now.  So a process that maps another file at the same address, or a JIT that names its
 * code anew, gets another number.  Mappings, frames and stacks are forgotten together, between
 * lines: they refer to each other by their numbers.  Probes and threads have numbers of their own;
 * a thread is described again when it has another name, or when there were too many.
 */
#include <string.h>

#include "base/hash.h"
#include "output/json/json.h"

static const char *const kinds[] = {
	[JSON_PROBE] = "probe", [JSON_THREAD] = "thread", [JSON_MAPPING] = "mapping",
	[JSON_FRAME] = "frame", [JSON_STACK] = "stack",
};

struct json_names {
	struct {
		struct hash *known; /* text to number; of a thread: its number to its description */
		uint32_t count;
		struct writer room;
	} kinds[JSON_KINDS];
	size_t bytes; /* of all that is known, about */
	struct writer line;
};

struct json_names *json_names_new(void)
{
	struct json_names *n = mem_zalloc(sizeof(*n));
	writer_init(&n->line, -1);
	for (int i = 0; i < JSON_KINDS; i++) {
		n->kinds[i].known = hash_new();
		writer_init(&n->kinds[i].room, -1);
	}
	return n;
}

static void thread_free(void *arg, const void *key, size_t key_len, void *value)
{
	free(value);
}

void json_names_free(struct json_names *n)
{
	if (!n)
		return;
	hash_visit(n->kinds[JSON_THREAD].known, thread_free, NULL);
	for (enum json_kind i = 0; i < JSON_KINDS; i++) {
		hash_free(n->kinds[i].known);
		writer_deinit(&n->kinds[i].room);
	}
	writer_deinit(&n->line);
	free(n);
}

static void kind_forget(struct json_names *n, enum json_kind kind)
{
	hash_empty(n->kinds[kind].known, kind == JSON_THREAD ? thread_free : NULL, NULL);
	n->kinds[kind].count = 0;
}

void json_names_trim(struct output *o)
{
	struct json *j = json_of(o);
	struct json_names *n = j->names;
	bool is_full = n->bytes >= JSON_BYTES_MANY;
	for (enum json_kind i = JSON_MAPPING; i <= JSON_STACK; i++)
		is_full |= n->kinds[i].count >= JSON_NUMBERS_MANY;
	if (!is_full || j->record_has_numbers)
		return;
	for (enum json_kind i = JSON_MAPPING; i <= JSON_STACK; i++)
		kind_forget(n, i);
	n->bytes = 0;
	json_line_open(&n->line, "forget");
	json_line_close(o, &n->line);
}

struct writer *json_room(struct output *o, enum json_kind kind)
{
	struct json *j = json_of(o);
	struct writer *ret = &j->names->kinds[kind].room;
	ret->used = 0;
	return j->is_stream ? ret : NULL;
}

void json_number_of_room(struct output *o, enum json_kind kind, struct writer *w)
{
	struct json_names *n = json_of(o)->names;
	struct writer *room = &n->kinds[kind].room;
	uintptr_t number = (uintptr_t)hash_get(n->kinds[kind].known, room->buffer, room->used);
	if (!number) {
		number = ++n->kinds[kind].count;
		n->bytes += room->used;
		*hash_place(n->kinds[kind].known, room->buffer, room->used) = (void *)number;
		json_line_open(&n->line, kinds[kind]);
		json_unsigned_member(&n->line, "id", number);
		writer_putc(&n->line, ',');
		writer_add(&n->line, room->buffer + 1, room->used - 2); /* without braces */
		json_line_close(o, &n->line);
	}
	room->used = 0;
	json_of(o)->record_has_numbers |= w == &json_of(o)->record;
	json_unsigned(w, number);
}

static void describe_probe(struct output *o, const struct record *r)
{
	struct json_names *n = json_of(o)->names;
	uint32_t id = r->header->probe;
	if (hash_get(n->kinds[JSON_PROBE].known, &id, sizeof(id)))
		return;
	n->kinds[JSON_PROBE].count++;
	*hash_place(n->kinds[JSON_PROBE].known, &id, sizeof(id)) = n;
	json_line_open(&n->line, kinds[JSON_PROBE]);
	json_unsigned_member(&n->line, "id", id);
	json_probe_members(&n->line, r->probe);
	json_line_close(o, &n->line);
}

struct known_thread {
	struct record_thread thread;
	struct process_name process;
};

static void describe_thread(struct output *o, const struct record_thread *t)
{
	struct json_names *n = json_of(o)->names;
	const struct process_name *process = json_process_name(o, t);
	struct known_thread *known = hash_get(n->kinds[JSON_THREAD].known, &t->tid, sizeof(t->tid));
	if (known && known->thread.pid == t->pid &&
	    strncmp(known->thread.name, t->name, sizeof(t->name)) == 0 &&
	    strncmp(known->process.text, process->text, sizeof(process->text)) == 0)
		return;
	if (!known) {
		if (++n->kinds[JSON_THREAD].count > JSON_NUMBERS_MANY)
			kind_forget(n, JSON_THREAD);
		known = mem_alloc(sizeof(*known));
		*hash_place(n->kinds[JSON_THREAD].known, &t->tid, sizeof(t->tid)) = known;
	}
	*known = (struct known_thread) { *t, *process };
	json_line_open(&n->line, kinds[JSON_THREAD]);
	json_thread_members(&n->line, t, process);
	json_line_close(o, &n->line);
}

void json_describe_origin(struct output *o, const struct record *r)
{
	const struct record_thread *thread = record_thread(r);
	describe_probe(o, r);
	if (thread)
		describe_thread(o, thread);
}
