/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_builtin - modules that are a part of the kernel: a description names their functions by them
 *
 * The probes' module stays vmlinux.  The list of these modules is in the directory of modules
 * (-x modpath); most kernels have none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "provider/kernel/fbt_functions.h"

static char *list_path(struct probe_db *db)
{
	const char *directory = probe_db_settings(db)->modules;
	struct utsname u;
	uname(&u);
	return directory ? mem_printf("%s/modules.builtin.ranges", directory)
			 : mem_printf("/lib/modules/%s/modules.builtin.ranges", u.release);
}

static void read_ranges(struct probe_db *db, struct builtin *b)
{
	auto_free char *path = list_path(db);
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read_regular(path, &text);
	auto_fclose FILE *lines = err || !text.len ? NULL : fmemopen(text.text, text.len, "r");
	if (err)
		log_debug("no modules that are a part of the kernel: %s: %s", path,
			  error_text(err));
	if (lines)
		builtin_ranges(lines, b->name, kernel_address, &b->ranges);
}

static const struct builtin *known(const struct functions *f, const char *module)
{
	for (size_t i = 0; i < f->builtins.count; i++)
		if (string_equal(f->builtins.items[i].name, module))
			return &f->builtins.items[i];
	return NULL;
}

bool fbt_is_builtin(struct functions *f, const char *module)
{
	const struct builtin *b = known(f, module);
	if (!b) {
		struct builtin new = { .name = mem_strdup(module) };
		read_ranges(f->db, &new);
		vector_push(&f->builtins, new);
		b = known(f, module);
	}
	return b->ranges.count;
}

bool fbt_builtin_has(const struct functions *f, const char *module, const struct function *function)
{
	const struct builtin *b = known(f, module);
	for (size_t i = 0; b && i < b->ranges.count; i++)
		for (size_t k = 0; k < function->addresses.count; k++)
			if (function->addresses.items[k] >= b->ranges.items[i].begin &&
			    function->addresses.items[k] < b->ranges.items[i].end)
				return true;
	return false;
}

void fbt_builtins_free(struct functions *f)
{
	for (size_t i = 0; i < f->builtins.count; i++) {
		free(f->builtins.items[i].name);
		vector_free(&f->builtins.items[i].ranges);
	}
	vector_free(&f->builtins);
}
