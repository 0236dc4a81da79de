/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind - the memory of walks of user stacks, and the pool of their tables (abi/unwind.h) */
#include <sys/mman.h>

#include "loader/internal.h"

/* --- made when a program's first walk refers to them ------------------------------------------ */

static uint32_t walks_size(const struct maps *m)
{
	return m->program->area_count * WALKS_PER_AREA * (uint32_t)sizeof(struct stack_walk);
}

static uint32_t pool_size(const struct executor_options *o)
{
	uint32_t size = 1u << 16;
	while (size < o->unwind_pool)
		size *= 2;
	return size;
}

static struct error *make_walks(struct maps *m)
{
	return make_memory(m, "walks", walks_size(m) + sizeof(struct stack_walk), 0, &m->walks);
}

static struct error *make_pool(struct maps *m)
{
	struct loaded *l = m->loaded;
	uint32_t size = pool_size(m->options);
	void *memory;
	struct error *err =
		make_memory(m, "unwind-pool", size + UNWIND_POOL_SLACK, BPF_F_MMAPABLE, &m->pool);
	if (!err)
		err = map_memory(m->pool, size + UNWIND_POOL_SLACK, &memory);
	if (err)
		return error_wrap(err, "cannot make the memory for unwind tables (-x ustackpool)");
	l->pool = memory;
	l->pool_size = size;
	l->pool_used = sizeof(struct unwind_pool);
	return NULL;
}

static struct error *make_files(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "unwind-files",
		.key_size = sizeof(struct unwind_key),
		.value_size = sizeof(struct unwind_file),
		.max_entries = UNWIND_FILES_MOST,
		.flags = BPF_F_NO_PREALLOC,
		.inner = -1,
		.btf = -1,
	};
	struct error *err = make_map(m, &request, &m->unwind_files);
	m->loaded->unwind_files = m->unwind_files;
	return err;
}

/* At user functions the registers are the context; elsewhere the kernel has saved them. */
static bool context_is_registers(const struct linker *k)
{
	return k->group && event_is_function(k->group->kind);
}

struct error *bind_unwind(struct linker *k, const char *name, struct bpf_insn *at, bool *found)
{
	struct maps *m = k->maps;
	struct error *err = NULL;
	*found = true;
	if (string_equal(name, "rt_walks")) {
		err = m->walks >= 0 ? NULL : make_walks(m);
		set_value(at, m->walks, 0);
	} else if (string_equal(name, "rt_unwind_pool")) {
		err = m->pool >= 0 ? NULL : make_pool(m);
		set_value(at, m->pool, 0);
	} else if (string_equal(name, "rt_unwind_files")) {
		err = m->unwind_files >= 0 ? NULL : make_files(m);
		set_map(at, m->unwind_files);
	} else if (string_equal(name, "rt_walks_end")) {
		set_number(at, walks_size(m));
	} else if (string_equal(name, "rt_pool_mask")) {
		set_number(at, pool_size(m->options) - 1);
	} else if (string_equal(name, "rt_context_registers")) {
		set_number(at, context_is_registers(k));
	} else {
		*found = false;
	}
	return err;
}

void unwind_deinit(struct loaded *l)
{
	if (l->pool)
		munmap(l->pool, l->pool_size + UNWIND_POOL_SLACK);
	l->pool = NULL;
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
	{ "super_block", "s_dev" },
	{ "inode", "i_generation" },
};

struct error *check_unwind(struct executor_options *o)
{
	for (size_t i = 0; o->unwind_pool && i < ARRAY_SIZE(needed); i++) {
		const char *type = needed[i].type, *member = needed[i].member;
		if (o->kernel.offset(o->kernel.arg, type, member) >= 0)
			continue;
		if (o->unwind_must)
			return error_new("user stacks cannot be walked by unwind tables: the "
					 "kernel's types do not have %s of struct %s",
					 member, type);
		if (!o->quiet)
			message("user stacks are walked by frame pointers: the kernel's types do "
				"not have %s of struct %s",
				member, type);
		o->unwind_pool = 0;
	}
	return NULL;
}

/* --- tables ----------------------------------------------------------------------------------- */

static struct error *ask_key(struct kernel_run *run, const void *mapped)
{
	struct loaded *l = &run->loaded;
	uint64_t context = (uint64_t)(uintptr_t)mapped;
	struct error *err = l->file_key >= 0 ? NULL : load_file_key(&run->options, l);
	l->pool->is_found = 2;
	return err ? err : prog_test_run(l->file_key, &context, sizeof(context), -1);
}

/* If not even our own program is found, which is mapped for sure, the kernel is another one. */
static void check_ourselves(struct kernel_run *run)
{
	struct unwind_pool *pool = run->loaded.pool;
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

bool loader_file_key(struct kernel_run *run, const void *mapped, struct unwind_key *ret)
{
	struct unwind_pool *pool = run->loaded.pool;
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

static uint32_t copy(struct loaded *l, const void *from, size_t size)
{
	uint32_t at = l->pool_used;
	memcpy((char *)l->pool + at, from, size);
	l->pool_used += (uint32_t)size;
	return at;
}

/* Of a full pool the file is one without a table. */
static struct unwind_file place(struct loaded *l, const struct unwind_table *t)
{
	struct unwind_file file = { .state = UNWIND_NO_TABLE };
	size_t index = t ? (t->page_count + 1) * sizeof(*t->index) : 0;
	size_t rows = t ? t->row_count * sizeof(*t->rows) : 0;
	size_t rules = t ? t->rule_count * sizeof(*t->rules) : 0;
	size_t saved = t && t->saved ? ALIGN_UP(t->row_count, 4) : 0;
	size_t left = l->pool_size - l->pool_used;
	if (!t)
		return file;
	if (index + rows + rules + saved > left) {
		if (!l->pool_full)
			message_loss(
				"the pool of unwind tables is full: files that stacks meet from "
				"now on are walked by frame pointers (-x ustackpool=N allows "
				"more)");
		l->pool_full = true;
		return file;
	}
	file.index = copy(l, t->index, index);
	file.rows = copy(l, t->rows, rows);
	file.rules = copy(l, t->rules, rules);
	file.saved = saved ? copy(l, t->saved, t->row_count) : 0;
	l->pool_used = ALIGN_UP(l->pool_used, 4u);
	file.first_page = t->first_page;
	file.page_count = t->page_count;
	file.state = UNWIND_TABLE;
	return file;
}

struct error *loader_table(struct loaded *l, const struct unwind_key *key,
			   const struct unwind_table *t)
{
	if (!l->pool || l->unwind_files < 0)
		return NULL;
	struct unwind_file file = place(l, t);
	struct error *err = map_update(l->unwind_files, key, &file, BPF_ANY);
	__atomic_add_fetch(&l->pool->generation, 1, __ATOMIC_SEQ_CST);
	return err;
}

void loader_forget_table(struct loaded *l, const struct unwind_key *key)
{
	if (l->unwind_files < 0)
		return;
	error_free(map_remove(l->unwind_files, key));
	__atomic_add_fetch(&l->pool->generation, 1, __ATOMIC_SEQ_CST);
}
