/* SPDX-License-Identifier: BSD-2-Clause */
/* pid_watch - does a process run other code than before? */
#include <elf.h>

#include "process/process.h"
#include "provider/process/pid.h"

/* What dynamic linkers (glibc's and musl's) call when they have mapped or unmapped libraries. */
#define MAPPED "_dl_debug_state"

/*
 * The dynamic linker maps a library before it is in a link map, whose number is a part of the name:
 * at the first look it may still be about to do that.  It calls MAPPED after that.
 */
static bool object_is_new(struct pid_object *o)
{
	bool is_late = o->knows_link_map || o->was_looked_at;
	bool is_new = is_late && !o->is_matched;
	o->was_looked_at = true;
	o->is_matched |= is_late;
	return is_new;
}

bool pid_code_has_changed(struct probe_db *db, int pid)
{
	pid_object_vector objects = { 0 };
	error_free(pid_objects(pid_table_of(db), pid, &objects)); /* it is gone: nothing changed */
	bool changed = false;
	for (size_t i = 0; i < objects.count; i++)
		changed |= object_is_new(objects.items[i]);
	vector_free(&objects);
	return changed;
}

static struct error *linker_watch(struct pid_object *linker, code_site_fn *watch, void *arg)
{
	struct event_site site = { 0 };
	struct error *err = pid_object_open(linker);
	if (err)
		return err;
	const struct elf_symbol *symbol = elf_file_symbol_named(pid_object_elf(linker), MAPPED);
	if (!symbol || !pid_site(pid_object_elf(linker), symbol->address, &site.at) ||
	    !elf_file_offset(pid_object_elf(linker), symbol->address, &site.function))
		return error_new("%s has no function " MAPPED, linker->module);
	if (!image_path(linker->image))
		return image_problem(linker->image);
	struct event_code code = pid_object_code(linker);
	code.sites = &site;
	code.site_count = 1;
	return watch(arg, &code);
}

struct error *pid_code_watch(struct probe_db *db, int pid, code_site_fn *watch, void *arg,
			     bool *had_it)
{
	uint64_t base = process_auxiliary(pid, AT_BASE);
	struct pid_object *linker =
		base ? pid_object_beginning_at(pid_table_of(db), pid, base) : NULL;
	*had_it = linker && linker->is_watched;
	if (!linker || linker->is_watched) /* a static program maps nothing */
		return NULL;
	struct error *err = linker_watch(linker, watch, arg);
	linker->is_watched = !err;
	return err;
}
