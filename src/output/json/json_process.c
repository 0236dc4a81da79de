/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json_process - the names of processes, next to those of their threads
 *
 * The first thread's name is the process's: known at each of its records.  Before the first one
 * /proc is read, once, which has none of a process that has ended.
 */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "output/json/json.h"

#define PROCESSES_MANY 65536

struct process_names {
	struct hash *known; /* by pid */
	uint32_t count;
};

struct process_names *process_names_new(void)
{
	struct process_names *p = mem_zalloc(sizeof(*p));
	p->known = hash_new();
	return p;
}

static void process_name_free(void *arg, const void *key, size_t key_len, void *value)
{
	free(value);
}

void process_names_free(struct process_names *p)
{
	if (!p)
		return;
	hash_visit(p->known, process_name_free, NULL);
	hash_free(p->known);
	free(p);
}

static void process_name_read(uint32_t pid, struct process_name *ret)
{
	auto_free char *path = mem_printf("/proc/%u/comm", pid);
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read(path, sizeof(ret->text) + 1, &text);
	if (!err && text.len && text.text[text.len - 1] == '\n')
		text.len--;
	if (!err)
		memcpy(ret->text, strbuf_text(&text), MIN(text.len, sizeof(ret->text)));
}

static void process_names_trim(struct process_names *p)
{
	if (p->count < PROCESSES_MANY)
		return;
	hash_empty(p->known, process_name_free, NULL);
	p->count = 0;
}

const struct process_name *json_process_name(struct output *o, const struct record_thread *t)
{
	static const struct process_name unknown;
	struct process_names *p = json_of(o)->processes;
	if (o->setup.is_elsewhere)
		return &unknown;
	process_names_trim(p);
	void **place = hash_place(p->known, &t->pid, sizeof(t->pid));
	struct process_name *name = *place;
	if (!name) {
		name = *place = mem_zalloc(sizeof(*name));
		p->count++;
		if (t->tid != t->pid)
			process_name_read(t->pid, name);
	}
	if (t->tid == t->pid)
		memcpy(name->text, t->name, sizeof(name->text));
	return name;
}
