/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that run CPython or HotSpot, for jstack()
 *
 * A process is known to programs from the report on that it maps a file called *python* that has
 * the interpreter (symbol/cpython.c), or libjvm.so (symbol/hotspot.c).  Targets are looked at
 * before they run; what others had mapped before is read in the first rounds (names/mapped.c).
 * Programs know children of known processes themselves, for as long as neither executes another
 * program; we are told later.  A stack of before that has native frames alone, and is counted when
 * it is printed.
 */
#include "symbol/code_names.h"
#include "tracer/stacks/stacks.h"

struct interpreters {
	struct arena *arena;
	struct hash *by_file;	 /* struct cpython, struct hotspot */
	struct hash *by_process; /* struct interpreted_process */
	struct code_names *names;
	bool is_lost; /* reported */
};

struct file_id {
	uint64_t inode;
	uint32_t major, minor;
};

bool interpreters_are_wanted(const struct tracer *t)
{
	return t->executor->stacks && t->executor->stacks->code_texts(t->executing);
}

static struct interpreters *interpreters_of(struct tracer *t)
{
	if (t->stacks->interpreters)
		return t->stacks->interpreters;
	struct interpreters *in = mem_zalloc(sizeof(*in));
	in->arena = arena_new();
	in->by_file = hash_new();
	in->by_process = hash_new();
	t->stacks->interpreters = in;
	return in;
}

struct code_names *interpreters_names(struct tracer *t)
{
	if (!interpreters_are_wanted(t))
		return NULL;
	struct interpreters *in = interpreters_of(t);
	if (!in->names)
		in->names = code_names_new(t->executor->stacks->code_texts(t->executing),
					   CODE_TEXTS_SIZE);
	return in->names;
}

void interpreters_free(struct interpreters *in)
{
	if (!in)
		return;
	code_names_free(in->names);
	hash_free(in->by_file);
	hash_free(in->by_process);
	arena_free(in->arena);
	free(in);
}

static void report_version(const struct cpython *c, const char *path)
{
	if (!c->is_here || c->is_known)
		return;
	if (c->major)
		message_loss("jstack() shows no frames of Python in %s: CPython %u.%u is not one "
			     "of 3.11 to 3.13",
			     path, c->major, c->minor);
	else
		message_loss("jstack() shows no frames of Python in %s: CPython before 3.11", path);
}

static const struct cpython *cpython_in(struct tracer *t, struct elf_file *e,
					const struct mapping *m)
{
	struct interpreters *in = interpreters_of(t);
	const struct file_id id = { m->inode, m->dev_major, m->dev_minor };
	void **known = hash_place(in->by_file, &id, sizeof(id));
	if (*known)
		return *known;
	struct cpython *c = arena_alloc(in->arena, sizeof(*c));
	*c = cpython_of_file(e);
	report_version(c, m->path);
	*known = c;
	return c;
}

/* What is known of the process PID, maybe nothing yet. */
static struct interpreted_process *process_of(struct tracer *t, int pid)
{
	struct interpreters *in = interpreters_of(t);
	void **place = hash_place(in->by_process, &pid, sizeof(pid));
	if (!*place)
		*place = ARENA_NEW(in->arena, struct interpreted_process);
	return *place;
}

/* Programs get to know what ITS, of process_of(PID), says. */
static void publish(struct tracer *t, int pid, const struct interpreted_process *its)
{
	auto_error struct error *err = t->executor->stacks->interpreter(t->executing, pid, its);
	if (err && !t->stacks->interpreters->is_lost)
		message_loss("jstack() shows no interpreted frames in process %d: %s", pid,
			     error_text(err));
	t->stacks->interpreters->is_lost |= err != NULL;
}

/* Of libjvm.so; NULL: it lacks the tables. */
static const struct hotspot *hotspot_in(struct tracer *t, struct elf_file *e,
					const struct mapping *m)
{
	struct interpreters *in = interpreters_of(t);
	const struct file_id id = { m->inode, m->dev_major, m->dev_minor };
	void **known = hash_place(in->by_file, &id, sizeof(id));
	struct hotspot *h = *known;
	if (!h) {
		*known = h = ARENA_NEW(in->arena, struct hotspot);
		if (!hotspot_of_file(e, h))
			message_loss("jstack() names no interpreted methods of %s: it has no "
				     "tables for debuggers (gHotSpotVMStructs)",
				     m->path);
	}
	return h->codes ? h : NULL;
}

static void note_hotspot(struct tracer *t, int pid, const struct mapping *m)
{
	struct image *image = images_find(t->images, pid, m);
	struct elf_file *e = image ? image_elf(image) : NULL;
	const struct hotspot *h = e ? hotspot_in(t, e, m) : NULL;
	uint64_t address;
	if (!h || !elf_file_address(e, m->offset, &address))
		return;
	struct interpreted_process *its = process_of(t, pid);
	its->hotspot = *h;
	its->hotspot.base = m->start - address;
	log_debug("process %d runs HotSpot, libjvm at %#llx", pid,
		  (unsigned long long)its->hotspot.base);
	publish(t, pid, its);
}

void interpreters_note(struct tracer *t, int pid, const struct mapping *m, uint64_t when)
{
	size_t len;
	const char *base = mapping_base_name(m->path, &len);
	if (!m->executable || !interpreters_are_wanted(t))
		return;
	if (hotspot_may_be_in(base, len))
		note_hotspot(t, pid, m);
	if (!cpython_may_be_in(base, len))
		return;
	struct image *image = images_find(t->images, pid, m);
	struct elf_file *e = image ? image_elf(image) : NULL;
	const struct cpython *c = e ? cpython_in(t, e, m) : NULL;
	uint64_t address;
	if (!c || !c->is_known || !elf_file_address(e, m->offset, &address))
		return;
	struct interpreted_process *its = process_of(t, pid);
	its->runtime = m->start - address + c->runtime;
	its->layout = c->layout;
	log_debug("process %d runs CPython %u.%u, _PyRuntime at %#llx", pid, c->major, c->minor,
		  (unsigned long long)its->runtime);
	publish(t, pid, its);
}

void interpreters_fork(struct tracer *t, int parent, int pid, uint64_t when)
{
	const struct interpreted_process *its =
		t->stacks->interpreters
			? hash_get(t->stacks->interpreters->by_process, &parent, sizeof(parent))
			: NULL;
	if (!its)
		return;
	*process_of(t, pid) = *its;
	publish(t, pid, process_of(t, pid));
}
