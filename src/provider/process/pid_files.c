/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_files - functions of every process: pid*:libx.so:f:entry
 *
 * The function in each process that maps the file, now or later.  A probe is one for all of them,
 * named without a number, in an object without a process (struct pid_object, pid 0); so are its
 * links, and the kernel puts the breakpoint into each process that maps the file, from its first
 * instruction on.  Of such probes everything holds that usdt.h says of static probes of every
 * process: files come and go (mapped_files.h), two files of one name are two probes, probeprov has
 * the number of the process that fires.
 *
 * MODULE is the name of a file, as a library has it, or a pattern with some of it, or a path.  A
 * name means the files of this name in all mount namespaces; a path the file that each process sees
 * there, so of two containers two files, and in those that run it still the file that was there
 * before an update, or at first nobody's.  A file is traced in all processes that map it, under
 * whatever path.  What MODULE must not be is every file, or one that is different in each process
 * (a.out).
 */
#include "provider/process/pid.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "provider/process/mapped_files.h"
#include "provider/provider.h"

/* --- which files ------------------------------------------------------------------------------ */

static void paths_see(void *arg, int pid)
{
	struct pid_table *t = arg;
	for (size_t i = 0; i < t->modules.count; i++) {
		struct pid_module *module = &t->modules.items[i];
		if (*module->text != '/')
			continue;
		seen_path_deinit(&module->seen);
		module->seen = process_path(pid, module->text);
	}
}

/* M is the file of MODULE, which a description names. */
static bool is_named(const struct pid_module *module, const struct mapping *m)
{
	const char *text = module->text;
	if (*text == '/')
		return seen_path_is(&module->seen, m);
	size_t len;
	const char *base = mapping_base_name(m->path, &len);
	auto_free char *name = mem_strndup(base, len);
	return glob_match(text, name) || (glob_is_plain(text) && mapping_alias(name, false, text));
}

static bool is_candidate(void *arg, const struct mapping *m)
{
	const struct pid_table *t = arg;
	for (size_t i = 0; i < t->modules.count; i++)
		if (is_named(&t->modules.items[i], m))
			return true;
	return false;
}

static bool has_path(const struct pid_object *o, const char *path)
{
	for (size_t i = 0; i < o->paths.count; i++)
		if (o->paths.items[i] == path)
			return true;
	return false;
}

/* O, if any, gets the paths at which this process sees it. */
static bool path_is_news(void *arg, struct pid_object *o, const struct mapping *m)
{
	struct pid_table *t = arg;
	bool any = false;
	for (size_t i = 0; i < t->modules.count; i++) {
		const struct pid_module *module = &t->modules.items[i];
		if (*module->text != '/' || (o && has_path(o, module->text)) ||
		    !is_named(module, m))
			continue;
		any = true;
		if (o)
			vector_push(&o->paths, module->text);
	}
	return any;
}

static bool is_program(struct image *image)
{
	return image_elf(image);
}

/* The build id stands for the code and its symbols; without one these are read. */
static uint64_t hash_of_code(struct image *image)
{
	struct bytes id = image_build_id(image);
	uint64_t hash = hash_more(HASH_OF_NOTHING, id.data, id.size);
	const struct elf_symbol *symbols;
	size_t count;
	auto_error struct error *err =
		id.size ? NULL : elf_file_symbols(image_elf(image), &symbols, &count);
	for (size_t i = 0; !id.size && !err && i < count; i++) {
		const struct elf_symbol *s = &symbols[i];
		struct bytes code = elf_file_code(image_elf(image), s->address, s->size);
		hash = hash_more(hash, &s->address, sizeof(s->address));
		hash = hash_more(hash, s->name, strlen(s->name) + 1);
		hash = hash_more(hash, code.data, code.size);
	}
	return hash;
}

static const struct mapped_files_kind files_of_names = {
	.process_begin = paths_see,
	.is_candidate = is_candidate,
	.is_news = path_is_news,
	.has_probes = is_program,
	.contents = hash_of_code,
};

static void ask_for(struct pid_table *t, const char *module)
{
	if (!t->files)
		t->files = mapped_files_new(t->db, &files_of_names, t);
	for (size_t i = 0; i < t->modules.count; i++)
		if (string_equal(t->modules.items[i].text, module))
			return;
	vector_push(&t->modules, ((struct pid_module) { .text = mem_strdup(module) }));
	mapped_files_ask_again(t->files);
	mapped_files_objects(t->files);
	if (*module == '/') /* processes that start later miss nothing */
		mapped_files_add(t->files, module);
}

void pid_files_free(struct pid_table *t)
{
	for (size_t i = 0; i < t->modules.count; i++) {
		seen_path_deinit(&t->modules.items[i].seen);
		free(t->modules.items[i].text);
	}
	vector_free(&t->modules);
}

/* --- descriptions ----------------------------------------------------------------------------- */

/* Is something of the name in PATTERN?  Otherwise it means each file. */
static bool has_a_part_of_name(const char *pattern)
{
	for (const char *p = pattern; *p; p++) {
		if (*p == '[' && strchr(p, ']'))
			p = strchr(p, ']');
		else if (isalnum((unsigned char)*p))
			return true;
	}
	return false;
}

/* Why D's module cannot be meant in every process; NULL: it can. */
static char *module_problem(const struct probe_desc *d)
{
	const char *module = d->module;
	if (string_equal(module, "a.out"))
		return mem_strdup("a.out is another program in each");
	if (!has_a_part_of_name(module))
		return mem_printf("%s%s means every file", *module ? "" : "no module", module);
	if (*module == '/' ? !glob_is_plain(module) : strchr(module, '/') != NULL)
		return mem_printf("%s is not an absolute path", module);
	if (string_equal(d->function, "-"))
		return mem_strdup("an address is that of one process");
	return NULL;
}

struct error *pid_files_find(struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	auto_free char *problem = module_problem(d);
	if (problem)
		return error_tag(error_new("pid* means every process that maps a library, which is "
					   "named, or given by an absolute path, but %s",
					   problem),
				 D_PDESC_INVAL);
	struct pid_table *t = pid_table_of(s->db);
	ask_for(t, d->module);
	const pid_object_vector *objects = mapped_files_objects(t->files);
	for (size_t i = 0; i < objects->count; i++)
		vector_push(&s->objects, objects->items[i]);
	return NULL;
}

struct error *pid_files_missing(const struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	bool is_absent = *d->module == '/' && access(d->module, F_OK) < 0 && errno == ENOENT;
	return probe_desc_unmatched(
		d, ": %s %s%s", is_absent ? "there is no file" : "no process has mapped", d->module,
		probe_db_lists(s->db) ? "" : ": -Z waits for one that does");
}

/* --- the provider ----------------------------------------------------------------------------- */

bool pid_of_every_process(const struct provider *self, const struct probe_db *db, const char *field)
{
	return string_equal(field, "pid*");
}
