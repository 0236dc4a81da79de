/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_modules - functions of modules that are loaded and unloaded while we trace
 *
 * A module that is loaded again has other functions, even if they have the old names and are at the
 * old addresses: the kernel's probes of the old ones never fire again.  So the functions of a
 * module that was unloaded are forgotten: nothing matches their probes any more, and new ones
 * succeed them.  (Where the link of many functions has probes in a module, the kernel keeps the
 * module.)
 */
#include <string.h>

#include "provider/kernel/fbt_functions.h"

static void keep_module(void *modules, const char *name, uint64_t identity)
{
	hash_put_string(modules, name, (void *)(uintptr_t)identity);
}

void functions_mark_modules(struct functions *f)
{
	f->modules_mark = kernel_modules_mark();
	hash_free(f->modules);
	f->modules = hash_new();
	kernel_modules(keep_module, f->modules);
}

/* Was FUNCTION's module, which is in WERE, unloaded since? */
static bool is_unloaded(const struct functions *f, const struct hash *were,
			const struct function *function)
{
	const char *module = function->entry->module;
	void *was = hash_get_string(were, module);
	return was && was != hash_get_string(f->modules, module);
}

/* The probes and their data stay: there may be links to them. */
static void functions_forget(struct functions *f, struct function *function)
{
	*function_place(f, function->entry->module, function->entry->function) = NULL;
	probe_db_hide(f->db, function->entry);
	probe_db_hide(f->db, function->returns);
	for (size_t i = 0; i < function->inside.count; i++)
		probe_db_hide(f->db, function->inside.items[i]);
}

static void forget_unloaded(struct functions *f, const struct hash *were)
{
	size_t left = 0, with_addresses = 0;
	for (size_t i = 0; i < f->list.count; i++) {
		struct function *function = f->list.items[i];
		if (is_unloaded(f, were, function)) {
			functions_forget(f, function);
			continue;
		}
		with_addresses += i < f->with_addresses;
		f->list.items[left++] = function;
	}
	f->list.count = left;
	f->with_addresses = with_addresses;
}

/* The new functions' addresses are read when a description means them; their code, too. */
bool functions_look(const struct provider *self, struct probe_db *db)
{
	struct functions *f = probe_db_state(db, self);
	uint64_t mark = f->listed ? kernel_modules_mark() : 0;
	if (!mark || mark == f->modules_mark)
		return false;
	struct hash *were = take(f->modules);
	functions_mark_modules(f);
	forget_unloaded(f, were);
	hash_free(were);
	size_t before = f->list.count;
	functions_list(f);
	functions_close_text(f);
	return f->list.count > before;
}
