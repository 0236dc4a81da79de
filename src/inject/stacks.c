/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables by which the process walks its own stacks (agent/inside/walk.c)
 *
 * The tables are in the pool of the shared memory.  Which code has which table is a list by
 * address, which is written anew when the process has mapped code, or a table has come or gone.
 *
 * A file is known by the device and inode of its mapping, as /proc shows them in the process and
 * here: no generation, no time of change, as neither of them asks the kernel's structures.
 */
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "inject/internal.h"

static struct unwind_pool *pool_memory(const struct injector *i)
{
	return (struct unwind_pool *)(void *)(i->view.memory + i->layout.head.pool);
}

/* --- files ------------------------------------------------------------------------------------ */

static bool mapping_key(const struct mapping *m, struct unwind_key *ret)
{
	*ret = (struct unwind_key) { .device = (uint32_t)makedev(m->dev_major, m->dev_minor),
				     .inode = m->inode };
	return m->inode || string_equal(m->path, "[vdso]");
}

static size_t file_find(const struct injected_stacks *s, const struct unwind_key *key)
{
	size_t n = 0;
	while (n < s->files.count && memcmp(&s->files.items[n].key, key, sizeof(*key)) != 0)
		n++;
	return n;
}

/* --- the list --------------------------------------------------------------------------------- */

static struct walk_mapping list_entry(const struct injected_stacks *s, const struct walked_code *c)
{
	struct walk_mapping ret = { .begin = c->begin,
				    .end = c->end,
				    .offset = c->offset,
				    .executable = 1,
				    .file.state = c->has_file ? UNWIND_ASKED : UNWIND_NO_FILE };
	size_t n = c->has_file ? file_find(s, &c->key) : s->files.count;
	if (n < s->files.count)
		ret.file = s->files.items[n].file;
	return ret;
}

static void list_write(struct injector *i)
{
	const struct injected_stacks *s = &i->stacks;
	struct process_mappings *all =
		(struct process_mappings *)(void *)(i->view.memory + i->layout.head.mappings);
	uint64_t next = !(__atomic_load_n(&all->current, __ATOMIC_RELAXED) & 1);
	size_t count = MIN(s->code.count, (size_t)PROCESS_MAPPINGS_MOST);
	for (size_t n = 0; n < count; n++)
		all->lists[next][n] = list_entry(s, &s->code.items[n]);
	all->counts[next] = count;
	__atomic_store_n(&all->current, next, __ATOMIC_RELEASE);
	__atomic_add_fetch(&pool_memory(i)->generation, 1, __ATOMIC_SEQ_CST);
}

static void report_cut(struct injected_stacks *s, int pid)
{
	if (s->code.count > PROCESS_MAPPINGS_MOST && !s->is_cut)
		message_loss("process %d has mapped code in %zu places: stacks that pass those "
			     "after the first %u end there",
			     pid, s->code.count, PROCESS_MAPPINGS_MOST);
	s->is_cut |= s->code.count > PROCESS_MAPPINGS_MOST;
}

bool stacks_look(struct injector *i)
{
	struct mapping *list;
	size_t count;
	if (!i->layout.walks_by_tables || !i->target.pid)
		return true;
	auto_error struct error *err = process_mappings(i->target.pid, &list, &count);
	if (err)
		return false;
	i->stacks.code.count = 0;
	for (size_t n = 0; n < count; n++) {
		const struct mapping *m = &list[n];
		struct walked_code c = { m->start, m->end, m->offset, { 0 }, false };
		c.has_file = mapping_key(m, &c.key);
		if (m->executable)
			vector_push(&i->stacks.code, c);
	}
	process_mappings_free(list, count);
	report_cut(&i->stacks, i->target.pid);
	list_write(i);
	return true;
}

bool stacks_unknown(const struct injector *i, size_t n, struct arrival *ret)
{
	const struct injected_stacks *s = &i->stacks;
	for (size_t k = 0; k < s->code.count; k++) {
		const struct walked_code *c = &s->code.items[k];
		if (!c->has_file || file_find(s, &c->key) < s->files.count || n--)
			continue;
		*ret = (struct arrival) { .tgid = (uint32_t)i->target.pid,
					  .kind = ARRIVAL_TABLE,
					  .address = c->begin,
					  .key = c->key };
		return true;
	}
	return false;
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool stacks_file_key(void *injector, const void *mapped, struct unwind_key *ret)
{
	struct mapping *list;
	size_t count;
	const struct injector *i = injector;
	auto_error struct error *err =
		i->layout.walks_by_tables ? process_mappings(getpid(), &list, &count) : NULL;
	if (err || !i->layout.walks_by_tables)
		return false;
	const struct mapping *m = mappings_find(list, count, (uintptr_t)mapped);
	bool is_known = m && mapping_key(m, ret);
	process_mappings_free(list, count);
	return is_known;
}

/* No walk uses the table any more that begins after this. */
static void file_remove(void *injector, const struct unwind_key *key)
{
	struct injector *i = injector;
	struct injected_stacks *s = &i->stacks;
	size_t n = file_find(s, key);
	if (n == s->files.count)
		return;
	s->files.items[n] = s->files.items[--s->files.count];
	list_write(i);
	__atomic_add_fetch(&pool_memory(i)->evictions, 1, __ATOMIC_SEQ_CST);
}

static void stacks_forget_table(void *injector, const struct unwind_key *key)
{
	struct injector *i = injector;
	if (table_pool_forget(&i->stacks.pool, key))
		file_remove(i, key);
}

static struct error *stacks_table(void *injector, const struct unwind_key *key,
				  const struct unwind_table *t, bool *has_room)
{
	struct injector *i = injector;
	struct injected_stacks *s = &i->stacks;
	stacks_forget_table(i, key);
	s->pool.memory = pool_memory(i);
	s->pool.size = (uint32_t)i->layout.head.pool_size;
	struct walked_file f = { *key, table_pool_add(&s->pool, key, t, file_remove, i) };
	*has_room = f.file.state != UNWIND_NO_ROOM;
	if (!*has_room)
		table_pool_report_full(&s->pool);
	vector_push(&s->files, f);
	list_write(i);
	return NULL;
}

static enum unwind_state stacks_table_state(void *injector, const struct unwind_key *key)
{
	const struct injected_stacks *s = &((struct injector *)injector)->stacks;
	size_t n = file_find(s, key);
	return n < s->files.count ? (enum unwind_state)s->files.items[n].file.state : UNWIND_ASKED;
}

/* --- what no process of this executor has ------------------------------------------------------
 */

/* Its walks end where a table is missing. */
static enum stack_end stacks_walk_copy(void *injector, const struct stack_copy *copy,
				       copied_mapping_fn *mapping, void *arg, uint64_t *frames,
				       uint32_t *count)
{
	*count = 0;
	return STACK_END_NO_TABLE;
}

static struct error *stacks_interpreter(void *injector, int pid,
					const struct interpreted_process *in)
{
	return NULL;
}

static const struct code_texts *stacks_code_texts(const void *injector)
{
	return NULL;
}

void stacks_deinit(struct injector *i)
{
	table_pool_deinit(&i->stacks.pool);
	vector_free(&i->stacks.files);
	vector_free(&i->stacks.code);
}

const struct executor_stacks inject_stacks = {
	.file_key = stacks_file_key,
	.table = stacks_table,
	.forget_table = stacks_forget_table,
	.table_state = stacks_table_state,
	.walk_copy = stacks_walk_copy,
	.interpreter = stacks_interpreter,
	.code_texts = stacks_code_texts,
};
