/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind - the memory of walks of user stacks, and the pool of their tables (abi/unwind.h) */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/internal.h"
#include "rewalk/rewalk.h"

/* --- made when a program's first walk refers to them ------------------------------------------ */

uint32_t walks_size(const struct maps *m)
{
	return m->program->area_count * WALKS_PER_AREA * (uint32_t)sizeof(struct stack_walk);
}

uint32_t unwind_pool_size(const struct executor_options *o)
{
	uint32_t size = 1u << 16;
	while (size < o->unwind_pool)
		size *= 2;
	return size;
}

#define COPIES_LEAST (64u << 10) /* room for most stacks */

uint32_t stack_copies_size(const struct executor_options *o)
{
	uint32_t size = COPIES_LEAST;
	while (size < o->stack_copies)
		size *= 2;
	return o->stack_copies ? size : (uint32_t)sysconf(_SC_PAGESIZE);
}

struct error *unwind_pool_make(struct maps *m, const struct map_request *request, int *ret)
{
	struct loaded *l = m->loaded;
	void *memory;
	struct error *err = map_make_mapped(m, request, ret, &memory);
	if (err)
		return error_wrap(err, "cannot make the memory for unwind tables (-x ustackpool)");
	l->pool.memory = memory;
	l->pool.size = request->value_size - UNWIND_POOL_SLACK;
	return NULL;
}

struct error *stack_copies_make(struct maps *m, const struct map_request *request, int *ret)
{
	m->loaded->copies_size = request->max_entries;
	struct error *err = map_make(m, request, ret);
	return err ? error_wrap(err, "cannot make the memory for copied stacks (-x ustackcopy)")
		   : NULL;
}

/*
 * All of it at the start, though the programs that walk may come later: user space opens rings, and
 * makes tables of targets, before they run.
 */
struct error *make_unwind(struct maps *m)
{
	static const enum library_map maps[] = { LIBRARY_unwind_pool, LIBRARY_unwind_files,
						 LIBRARY_stack_copies, LIBRARY_arrivals };
	struct error *err = NULL;
	int map;
	for (size_t i = 0; m->options->unwind_pool && i < ARRAY_SIZE(maps) && !err; i++)
		err = library_map(m, maps[i], &map);
	return err;
}

void unwind_deinit(struct loaded *l)
{
	if (l->pool.memory)
		munmap(l->pool.memory, l->pool.size + UNWIND_POOL_SLACK);
	l->pool.memory = NULL;
	table_pool_deinit(&l->pool);
}

/* --- can this kernel be walked in? ------------------------------------------------------------ */

static const struct {
	const char *type, *member;
} needed[] = {
	{ "mm_struct", "mm_mt.ma_root" },
	{ "mm_struct", "context.vdso" },
	{ "mm_struct", "uprobes_state.xol_area" },
	{ "xol_area", "vaddr" },
	{ "task_struct", "utask" },
	{ "task_struct", "self_exec_id" },
	{ "uprobe_task", "return_instances" },
	{ "return_instance", "orig_ret_vaddr" },
	{ "return_instance", "stack" },
	{ "return_instance", "next" },
	{ "vm_area_struct", "vm_pgoff" },
	{ "vm_area_struct", "vm_file" },
	{ "vm_area_struct", "vm_flags" },
	{ "vm_area_struct", "vm_mm" },
	{ "super_block", "s_dev" },
	{ "inode", "i_generation" },
};

static struct error *cannot_walk(struct executor_options *o, const char *member, const char *type)
{
	o->unwind_pool = 0;
	if (o->unwind_must)
		return error_new("user stacks cannot be walked by unwind tables: the kernel's "
				 "types do not have %s of struct %s",
				 member, type);
	if (!o->quiet)
		message("user stacks are walked by frame pointers: the kernel's types do not have "
			"%s of struct %s",
			member, type);
	return NULL;
}

struct error *check_unwind(struct executor_options *o)
{
	if (!o->unwind_pool)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (o->kernel.offset(o->kernel.arg, needed[i].type, needed[i].member) < 0)
			return cannot_walk(o, needed[i].member, needed[i].type);
	if (!kernel_has_member(&o->kernel, "rt_offset_inode_changed_s") ||
	    !kernel_has_member(&o->kernel, "rt_offset_inode_changed_ns"))
		return cannot_walk(o, "i_ctime_sec", "inode");
	return NULL;
}

/* --- tables ----------------------------------------------------------------------------------- */

static struct error *ask_key(struct kernel_run *run, const void *mapped)
{
	struct loaded *l = &run->loaded;
	uint64_t context = (uint64_t)(uintptr_t)mapped;
	struct error *err = l->file_key >= 0 ? NULL : load_file_key(&run->options, l);
	l->pool.memory->is_found = 2;
	return err ? err : prog_test_run(l->file_key, &context, sizeof(context), -1);
}

/* If not even our own program is found, which is mapped for sure, the kernel is another one. */
static void check_ourselves(struct kernel_run *run)
{
	struct unwind_pool *pool = run->loaded.pool.memory;
	if (run->loaded.file_key >= 0)
		return;
	auto_error struct error *err = ask_key(run, (const void *)(uintptr_t)check_unwind);
	pool->disabled = err || pool->is_found != 1;
	if (err)
		message_loss("user stacks are walked by frame pointers: %s", error_text(err));
	else if (!pool->is_found)
		message_loss("user stacks are walked by frame pointers: programs do not find the "
			     "files that processes map in this kernel");
}

static bool file_key(void *self, const void *mapped, struct unwind_key *ret)
{
	struct kernel_run *run = self;
	struct unwind_pool *pool = run->loaded.pool.memory;
	if (!pool)
		return false;
	check_ourselves(run);
	if (pool->disabled)
		return false;
	auto_error struct error *err = ask_key(run, mapped);
	if (err || pool->is_found != 1)
		return false;
	*ret = pool->found;
	return true;
}

/* The table of a file that is no longer known is used no more, once this returns. */
static void remove_file(void *loaded, const struct unwind_key *key)
{
	struct loaded *l = loaded;
	error_free(map_remove(l->library[LIBRARY_unwind_files], key));
	__atomic_add_fetch(&l->pool.memory->generation, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&l->pool.memory->evictions, 1, __ATOMIC_SEQ_CST);
}

static bool is_full(const struct error *err)
{
	return err && error_errno(err) == E2BIG;
}

static struct error *table(void *self, const struct unwind_key *key, const struct unwind_table *t,
			   bool *has_room)
{
	struct loaded *l = &((struct kernel_run *)self)->loaded;
	*has_room = true;
	if (!l->pool.memory || l->library[LIBRARY_unwind_files] < 0)
		return NULL;
	if (table_pool_forget(&l->pool, key))
		remove_file(l, key);
	struct unwind_file file = table_pool_add(&l->pool, key, t, remove_file, l);
	struct error *err = map_update(l->library[LIBRARY_unwind_files], key, &file, BPF_ANY);
	while (is_full(err) && table_pool_remove_one(&l->pool, remove_file, l)) {
		error_free(err);
		err = map_update(l->library[LIBRARY_unwind_files], key, &file, BPF_ANY);
	}
	*has_room = !err && file.state != UNWIND_NO_ROOM;
	if (is_full(err)) { /* that of other files, which are asked for, too */
		table_pool_forget(&l->pool, key);
		error_free(err);
		err = NULL;
	}
	if (!*has_room)
		table_pool_report_full(&l->pool);
	__atomic_add_fetch(&l->pool.memory->generation, 1, __ATOMIC_SEQ_CST);
	return err;
}

static void forget_table(void *self, const struct unwind_key *key)
{
	struct loaded *l = &((struct kernel_run *)self)->loaded;
	if (l->library[LIBRARY_unwind_files] < 0 || !l->pool.memory)
		return;
	table_pool_forget(&l->pool, key);
	remove_file(l, key);
}

/* --- copied stacks ---------------------------------------------------------------------------- */

static bool unwind_file_find(struct loaded *l, const struct unwind_key *key,
			     struct unwind_file *ret)
{
	return l->library[LIBRARY_unwind_files] >= 0 &&
	       map_lookup(l->library[LIBRARY_unwind_files], key, ret);
}

static enum unwind_state table_state(void *self, const struct unwind_key *key)
{
	struct unwind_file file;
	return unwind_file_find(&((struct kernel_run *)self)->loaded, key, &file)
		       ? (enum unwind_state)file.state
		       : UNWIND_ASKED;
}

struct finding {
	struct loaded *loaded;
	copied_mapping_fn *mapping;
	void *arg;
};

static bool copied_mapping_find(void *arg, uint64_t address, struct walk_mapping *ret)
{
	const struct finding *f = arg;
	struct copied_mapping m = { 0 };
	if (!f->mapping(f->arg, address, &m))
		return false;
	*ret = (struct walk_mapping) {
		.begin = m.begin,
		.end = m.end,
		.offset = m.offset,
		.executable = m.executable,
		.file = { .state = m.has_file ? UNWIND_ASKED : UNWIND_NO_FILE },
	};
	if (m.has_file)
		unwind_file_find(f->loaded, &m.key, &ret->file);
	return true;
}

/* As programs count them. */
static void count_full(struct loaded *l, const struct stack_copy *copy, uint32_t count)
{
	if (copy->wants_more && copy->count + count >= copy->most)
		__atomic_add_fetch(&l->counters[0].truncated_stacks, 1, __ATOMIC_RELAXED);
}

static enum stack_end walk_copy(void *self, const struct stack_copy *copy,
				copied_mapping_fn *mapping, void *arg, uint64_t *frames,
				uint32_t *count)
{
	struct loaded *l = &((struct kernel_run *)self)->loaded;
	struct finding finding = { l, mapping, arg };
	const struct rewalk_setup setup = {
		.arch = arch_host(),
		.pool = l->pool.memory,
		.pool_size = l->pool.size,
		.mapping = copied_mapping_find,
		.arg = &finding,
	};
	enum stack_end end = rewalk(&setup, copy, frames, count);
	count_full(l, copy, *count);
	return end;
}

const struct executor_stacks loader_stacks = {
	.file_key = file_key,
	.table = table,
	.forget_table = forget_table,
	.table_state = table_state,
	.walk_copy = walk_copy,
	.interpreter = loader_interpreter,
	.code_texts = loader_code_texts,
};
