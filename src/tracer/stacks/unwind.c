/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables by which user stacks are walked (unwind/unwind.h), to the executor
 *
 * What the targets map has its tables before they run, and the C library that we have as soon as
 * tracing has begun.  Any other file gets its table when a stack meets it: 2 ms after that, for one
 * of libc's size (6.18).  Where that fails, stacks may ask again
 * after a while (table_retry.c).
 */
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/names/names.h"
#include "tracer/stacks/stacks.h"
#include "unwind/unwind.h"

/* --- is it wanted? --------------------------------------------------------------------------- */

bool stacks_are_unwound(const struct tracer *t)
{
	return !string_equal(option_text(t->options, OPTION_ustack), "fp") &&
	       !t->request.is_anonymous;
}

static bool walks_user_stacks(const struct group_code *g)
{
	return group_calls(g, RT_ustack) || group_calls(g, RT_ustack_entry) ||
	       group_calls(g, RT_ucaller);
}

static bool any_walks_user_stacks(const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++)
		if (walks_user_stacks(&p->groups[i]))
			return true;
	return false;
}

/* While probes may come that are not compiled yet, theirs may. */
static bool may_walk(const struct tracer *t)
{
	bool more_may_come = t->watched.list.count || t->watched.every;
	return any_walks_user_stacks(&t->program) ||
	       (more_may_come && sema_result(t->sema)->walks_user);
}

uint64_t stacks_pool_size(const struct tracer *t)
{
	bool may_unwind = may_walk(t) && stacks_are_unwound(t);
	return may_unwind ? option_number(t->options, OPTION_ustackpool) : 0;
}

/* --- one file --------------------------------------------------------------------------------- */

static void retry(struct tracer *t, const struct unwind_key *key, const char *why)
{
	uint64_t delay = table_failed(&t->stacks->failed, key, clock_ns(CLOCK_MONOTONIC));
	log_debug("no unwind table for inode %llu: %s; again in %llu ms",
		  (unsigned long long)key->inode, why, (unsigned long long)(delay / NS_PER_MS));
}

static void report_damage(struct tracer *t, struct image *image, const struct unwind_key *key)
{
	uint64_t at = frames_damage(image_frames(image));
	if (at == UINT64_MAX)
		return;
	if (!t->stacks->damaged)
		t->stacks->damaged = hash_new();
	void **is_reported = hash_place(t->stacks->damaged, key, sizeof(*key));
	if (!*is_reported)
		message_loss("%s: section .eh_frame is damaged at byte %llu: user stacks that pass "
			     "its code may end there",
			     image_name(image), (unsigned long long)at);
	*is_reported = t;
}

struct error *stacks_give_table(struct tracer *t, struct image *image, const struct unwind_key *key)
{
	bool has_room;
	struct elf_file *elf = image_elf(image);
	const struct arch *arch =
		elf ? arch_of_program(arch_host(), elf_file_word(elf), elf_file_machine(elf))
		    : NULL;
	struct unwind_table *table = unwind_table_new(arch, elf, image_frames(image));
	log_debug("unwind table of %s: %zu bytes", image_name(image),
		  table ? unwind_table_size(table) : 0);
	struct error *err = t->executor->stacks->table(t->executing, key, table, &has_room);
	unwind_table_free(table);
	report_damage(t, image, key);
	if (!err && has_room)
		table_made(&t->stacks->failed, key);
	else if (!err)
		retry(t, key, "the pool is full");
	return err;
}

/* --- of targets ------------------------------------------------------------------------------- */

static bool is_vdso(const struct mapping *m)
{
	return string_equal(m->path, "[vdso]");
}

/* The process may be gone that alone could open the file: the image that we have maps it, too. */
static bool key_of_image(struct tracer *t, int pid, const struct mapping *m, struct unwind_key *ret)
{
	struct image *image = images_find(t->images, pid, m);
	struct elf_file *elf = image ? image_elf(image) : NULL;
	size_t size;
	return elf && t->executor->stacks->file_key(t->executing, elf_file_image(elf, &size), ret);
}

/* The key by which programs find the file of M: they report the key of our own mapping of it. */
bool stacks_table_key(struct tracer *t, int pid, const struct mapping *m, struct unwind_key *ret)
{
	*ret = (struct unwind_key) { 0 };
	if (is_vdso(m)) {
		ret->generation = process_word(pid) == 4 ? UNWIND_NARROW : 0;
		return true;
	}
	auto_close int fd = mapping_open(pid, m);
	void *ours = fd < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	if (ours == MAP_FAILED)
		return key_of_image(t, pid, m, ret);
	bool is_known = t->executor->stacks->file_key(t->executing, ours, ret);
	munmap(ours, 1);
	return is_known;
}

static struct error *add_mapping(struct tracer *t, int pid, const struct mapping *m)
{
	struct unwind_key key;
	struct image *image = m->executable ? images_find(t->images, pid, m) : NULL;
	if (!image || !stacks_table_key(t, pid, m, &key))
		return NULL;
	void **known = hash_place(t->stacks->made, &key, sizeof(key));
	if (*known)
		return NULL;
	*known = t;
	return stacks_give_table(t, image, &key);
}

static struct error *add_process(struct tracer *t, int pid)
{
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(pid, &list, &count);
	if (err) { /* it is gone: others say so */
		error_free(err);
		return NULL;
	}
	for (size_t i = 0; i < count && !err; i++)
		err = add_mapping(t, pid, &list[i]);
	process_mappings_free(list, count);
	return err;
}

/* BEGIN and END run in this process. */
static struct error *add_ourselves(struct tracer *t)
{
	for (unsigned i = 0; i < t->program.group_count; i++) {
		const struct group_code *g = &t->program.groups[i];
		if (event_is_own(g->kind) && walks_user_stacks(g))
			return add_process(t, getpid());
	}
	return NULL;
}

/* Those of our own mappings that IS says. */
static struct error *add_ours(struct tracer *t, bool (*is)(const struct mapping *m))
{
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(getpid(), &list, &count);
	if (err)
		return err;
	for (size_t i = 0; i < count && !err; i++)
		if (is(&list[i]))
			err = add_mapping(t, getpid(), &list[i]);
	process_mappings_free(list, count);
	return err;
}

/* Does nearly every process map the file that we map? */
static bool is_common(const struct mapping *m)
{
	size_t len;
	const char *base = mapping_base_name(m->path, &len);
	return mapping_alias(base, false, "libc") || strncmp(base, "ld-linux", 8) == 0;
}

static struct error *make_common_tables(struct tracer *t)
{
	t->stacks->has_common = true;
	return t->stacks->made ? add_ours(t, is_common) : NULL;
}

/* -x ustack=cfi asks for no other way. */
static bool must_walk(const struct tracer *t)
{
	return string_equal(option_text(t->options, OPTION_ustack), "cfi") && may_walk(t);
}

static struct error *check_possible(const struct tracer *t)
{
	if (!must_walk(t))
		return NULL;
	if (t->request.is_anonymous)
		return error_new("anonymous tracing cannot walk user stacks by unwind tables: "
				 "their tables are made while dtrace runs (-x ustack)");
	return tracer_lacks(t, t->executor->stacks, "walk user stacks by unwind tables");
}

struct error *stacks_make_target_tables(struct tracer *t)
{
	struct error *impossible = check_possible(t);
	if (impossible || !t->executor->stacks || !stacks_pool_size(t))
		return impossible;
	struct unwind_key ours;
	/* Also as the first time takes 5 ms, which a stack that meets a file should not wait. */
	if (!t->executor->stacks->file_key(t->executing,
					   (const void *)(uintptr_t)stacks_are_unwound, &ours))
		return must_walk(t) ? error_new("user stacks cannot be walked by unwind tables in "
						"this kernel (-x ustack)")
				    : NULL;
	if (!t->stacks->made)
		t->stacks->made = hash_new();
	struct error *err = add_ours(t, is_vdso); /* all processes of 64 bits have it */
	if (!err)
		err = add_ourselves(t);
	for (size_t i = 0; i < t->processes.pids.count && !err; i++)
		err = add_process(t, t->processes.pids.items[i]);
	for (size_t i = 0; i < t->watched.list.count && !err; i++)
		err = add_process(t, t->watched.list.items[i].pid);
	return err ? error_wrap(err, "cannot make tables for user stacks") : NULL;
}

/* --- of all others ---------------------------------------------------------------------------- */

/* Until it is forgotten it has no table, and does not wait for one. */
struct error *stacks_hide_file(struct tracer *t, const struct unwind_key *key)
{
	bool has_room;
	return t->executor->stacks->table(t->executing, key, NULL, &has_room);
}

/*
 * The process may be gone, or have mapped something else since: another one that maps the file may
 * ask again.  So it may if its file, or its list of mappings, cannot be opened.
 */
static struct error *make_table_of(struct tracer *t, const struct arrival *asked,
				   const struct mapping *m)
{
	struct unwind_key key;
	int pid = (int)asked->tgid;
	bool is_known = m && stacks_table_key(t, pid, m, &key);
	bool is_asked = is_known && memcmp(&key, &asked->key, sizeof(key)) == 0;
	struct image *image = is_asked ? images_find(t->images, pid, m) : NULL;
	if (image)
		return stacks_give_table(t, image, &asked->key);
	retry(t, &asked->key, m ? "its file is not found" : "its mapping is not found");
	if (m && !is_known && process_state(pid) == PROCESS_RUNS)
		return stacks_hide_file(t, &asked->key);
	return NULL;
}

static struct error *make_table(struct tracer *t, const struct arrival *asked)
{
	struct mapping *list;
	size_t count;
	names_mappings(t, (int)asked->tgid, &list, &count);
	struct error *err = make_table_of(t, asked, mappings_find(list, count, asked->address));
	process_mappings_free(list, count);
	return err;
}

void stacks_request(struct tracer *t, const struct arrival *request)
{
	vector_push(&t->stacks->asked, *request);
}

static void forget_failed(struct tracer *t)
{
	struct unwind_key key;
	while (t->stacks->failed.count &&
	       table_due(&t->stacks->failed, clock_ns(CLOCK_MONOTONIC), &key))
		t->executor->stacks->forget_table(t->executing, &key);
}

struct error *stacks_make_tables(struct tracer *t)
{
	struct error *err = t->stacks->has_common ? NULL : make_common_tables(t);
	for (size_t i = 0; i < t->stacks->asked.count && !err; i++)
		err = make_table(t, &t->stacks->asked.items[i]);
	t->stacks->asked.count = 0;
	forget_failed(t);
	return err;
}

void stacks_free_tables(struct stacks *s)
{
	vector_free(&s->asked);
	vector_free(&s->failed);
	hash_free(s->made);
	hash_free(s->damaged);
}
