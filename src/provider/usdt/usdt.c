/* SPDX-License-Identifier: BSD-2-Clause */
/* usdt - from a description to the notes that it means, and their probes */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/diagnostic.h"
#include "provider/process/mapped_files.h"
#include "provider/process/pid.h"
#include "provider/provider.h"
#include "provider/usdt/usdt.h"

#define PROVIDERS_SHOWN 8

struct usdt_search {
	struct probe_db *db;
	const struct probe_desc *desc;
	int pid;
	char *provider; /* of the description, without the process */
	pid_object_vector objects;
	size_t found;		  /* notes of such providers */
	char *refused;		  /* why a probe that is meant cannot be made; NULL: all can */
	struct error *unreadable; /* why the program itself cannot be read */
};

/* Letters and more, then digits; pid123 and watch123 are other providers'. */
static bool usdt_process_of(const char *field, int *pid)
{
	size_t len = strlen(field), digits = len;
	int unused;
	while (digits && isdigit((unsigned char)field[digits - 1]))
		digits--;
	if (!digits || digits == len || probe_provider_pid(field, "pid", &unused) ||
	    probe_provider_pid(field, "watch", &unused))
		return false;
	auto_free char *name = mem_strndup(field, digits);
	return probe_provider_pid(field, name, pid);
}

static bool module_wanted(const struct usdt_search *s, const struct pid_object *object)
{
	const char *module = s->desc->module;
	return probe_field_match(module, object->module) ||
	       (glob_is_plain(module) && pid_object_alias(object, module));
}

/* --- one object ------------------------------------------------------------------------------- */

/* Some static probes of OBJECT are not known: the description may mean them. */
static void report_unknown(const struct usdt_search *s, const struct pid_object *object,
			   const char *why)
{
	const struct probe_desc d = { s->desc->provider, object->module, "", "some static probe" };
	probe_db_leave_out(s->db, &d, why, true);
}

/* NOTE's probe, which the description means, cannot be made. */
static void note_refuse(struct usdt_search *s, struct pid_object *object,
			const struct usdt_note *note, const char *why)
{
	const char *function = usdt_note_function(object, note);
	auto_free char *name = usdt_shown_name(note->name);
	const struct probe_desc d = { usdt_provider_name(note), object->module, function, name };
	if (!probe_field_match(s->desc->function, function) ||
	    !(probe_field_match(s->desc->name, name) ||
	      probe_field_match(s->desc->name, note->name)))
		return;
	probe_db_leave_out(s->db, &d, why, true);
	if (!s->refused)
		s->refused = mem_printf("%s of %s cannot be probed: %s", name, object->module, why);
}

/* What is mapped as code but is no program has no notes. */
static void report_unreadable(struct usdt_search *s, const struct pid_object *object,
			      struct error *why)
{
	if (object->is_main && !s->unreadable) {
		s->unreadable = why;
		return;
	}
	if (!object->image || !image_is_foreign(object->image))
		report_unknown(s, object, error_text(why));
	error_free(why);
}

static void object_search(struct usdt_search *s, struct pid_object *object)
{
	struct error *err = pid_object_open(object);
	if (err) {
		report_unreadable(s, object, err);
		return;
	}
	const char *damage;
	const usdt_note_vector *notes = image_usdt(object->image, &damage);
	for (size_t i = 0; i < notes->count; i++) {
		const struct usdt_note *note = &notes->items[i];
		if (!glob_match(s->provider, usdt_provider_name(note)))
			continue;
		s->found++;
		const char *why = usdt_note_make(s->db, object, note);
		if (why)
			note_refuse(s, object, note, why);
	}
	if (damage)
		report_unknown(s, object, damage);
}

/* --- nothing ---------------------------------------------------------------------------------- */

typedef VECTOR(const char *) name_vector;

static bool has_name(const name_vector *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (string_equal(names->items[i], name))
			return true;
	return false;
}

static void providers_of(const struct pid_object *object, name_vector *ret)
{
	const char *why;
	if (!pid_object_elf(object))
		return;
	const usdt_note_vector *notes = image_usdt(object->image, &why);
	for (size_t i = 0; i < notes->count; i++)
		if (!has_name(ret, usdt_provider_name(&notes->items[i])))
			vector_push(ret, usdt_provider_name(&notes->items[i]));
}

/* Which providers of static probes are there? */
static struct error *provider_missing(const struct usdt_search *s)
{
	const struct probe_desc *d = s->desc;
	name_vector names = { 0 };
	auto_strbuf struct strbuf text = { 0 };
	for (size_t i = 0; i < s->objects.count; i++)
		if (module_wanted(s, s->objects.items[i]))
			providers_of(s->objects.items[i], &names);
	for (size_t i = 0; i < names.count && i < PROVIDERS_SHOWN; i++)
		strbuf_printf(&text, "%s%s", i ? ", " : "", names.items[i]);
	if (names.count > PROVIDERS_SHOWN)
		strbuf_printf(&text, " and %zu more", names.count - PROVIDERS_SHOWN);
	bool has_some = names.count > 0;
	vector_free(&names);
	return probe_desc_unmatched(
		d, ": %s%s of process %d %s static probes%s%s (%s)",
		*d->module ? "module " : "no file", d->module, s->pid,
		*d->module && has_some ? "has no such"
		: *d->module	       ? "has no"
		: has_some	       ? "has such"
				       : "has",
		has_some ? "; its providers are " : "", strbuf_text(&text),
		probe_db_lists(s->db) ? "libraries that it loads later are not listed: use -p then"
				      : "-Z waits for libraries that it loads later");
}

/* --- the provider ----------------------------------------------------------------------------- */

/* Only if no other probe is meant, this is an error. */
static struct error *nothing_made(const struct usdt_search *s)
{
	const struct probe_desc *d = s->desc;
	if (probe_db_first_match(s->db, d))
		return NULL;
	return probe_desc_unmatched(d, ": %s", s->refused);
}

static struct error *objects_search(struct usdt_search *s)
{
	for (size_t i = 0; i < s->objects.count; i++)
		if (module_wanted(s, s->objects.items[i]))
			object_search(s, s->objects.items[i]);
	if (s->found && !s->refused)
		return NULL;
	if (s->found)
		return nothing_made(s);
	return s->unreadable ? error_tag(take(s->unreadable), D_PROC_LIB) : provider_missing(s);
}

/* Names of providers may end in digits without meaning a process: nfsv3. */
static struct error *process_missing(const struct probe_desc *d, int pid)
{
	bool is_there = kill(pid, 0) == 0 || errno != ESRCH;
	if (is_there && process_state(pid) != PROCESS_KERNEL)
		return NULL;
	auto_free char *why =
		is_there ? mem_printf("there is no provider %s, and process %d is a thread of the "
				      "kernel",
				      d->provider, pid)
			 : mem_printf("there is no process %d", pid);
	return probe_desc_unmatched(d, ": %s", why);
}

static struct error *process_search(struct usdt_search *s)
{
	bool is_followed =
		pid_is_followed(pid_table_of(s->db), s->pid); /* its root may have ended */
	struct error *err = is_followed ? NULL : process_missing(s->desc, s->pid);
	if (!err)
		err = pid_grab(s->db, s->desc->provider, s->pid, &s->objects);
	if (!err)
		err = objects_search(s);
	vector_free(&s->objects);
	error_free(s->unreadable);
	return err;
}

/* --- every process ---------------------------------------------------------------------------- */

static bool has_notes(struct image *image)
{
	const char *damage;
	return image_usdt(image, &damage)->count || damage;
}

static uint64_t hash_of_notes(struct image *image)
{
	const char *damage;
	const usdt_note_vector *notes = image_usdt(image, &damage);
	uint64_t hash = HASH_OF_NOTHING;
	for (size_t i = 0; i < notes->count; i++) {
		const struct usdt_note *n = &notes->items[i];
		hash = hash_more(hash, &n->site, sizeof(n->site));
		hash = hash_more(hash, &n->semaphore, sizeof(n->semaphore));
		hash = hash_more(hash, n->provider, strlen(n->provider) + 1);
		hash = hash_more(hash, n->name, strlen(n->name) + 1);
		hash = hash_more(hash, n->operands, strlen(n->operands) + 1);
	}
	return hash;
}

static const struct mapped_files_kind files_with_notes = {
	.has_probes = has_notes,
	.contents = hash_of_notes,
};

static struct mapped_files *usdt_files(struct probe_db *db)
{
	struct usdt_table *t = usdt_table_of(db);
	if (!t->files)
		t->files = mapped_files_new(db, &files_with_notes, NULL);
	return t->files;
}

/* Of every process.  That no file has such probes is no error: other providers may have them. */
static struct error *files_search(struct usdt_search *s)
{
	const pid_object_vector *objects = mapped_files_objects(usdt_files(s->db));
	for (size_t i = 0; i < objects->count; i++)
		if (module_wanted(s, objects->items[i]))
			object_search(s, objects->items[i]);
	return s->refused ? nothing_made(s) : NULL;
}

static struct error *usdt_discover(const struct provider *self, struct probe_db *db,
				   const struct probe_desc *desc)
{
	struct usdt_search s = { .db = db, .desc = desc };
	bool has_process = usdt_process_of(desc->provider, &s.pid);
	size_t len = strlen(desc->provider);
	while (isdigit((unsigned char)desc->provider[len - 1]))
		len--;
	s.provider = mem_strndup(desc->provider, len);
	struct error *err = has_process ? process_search(&s) : files_search(&s);
	free(s.refused);
	free(s.provider);
	return err;
}

/*
 * A name without a number, or a pattern: prov, prov*.  What may mean another provider means that
 * alone: nobody who writes *:::BEGIN wants probes in all programs.  A list shows them, too.
 */
static bool usdt_of_every_process(const struct provider *self, const struct probe_db *db,
				  const char *field)
{
	size_t len = strlen(field);
	bool is_plain = glob_is_plain(field);
	if (!len || isdigit((unsigned char)field[len - 1]) ||
	    strncmp(field, "pid", is_plain ? 4 : 3) == 0)
		return false;
	/* Of processes, a formula: in one, or with an asterisk in every one. */
	auto_free char *stem = mem_strndup(field, len - (field[len - 1] == '*'));
	if (probe_db_has_provider(db, stem) && (is_plain || !string_equal(stem, self->name)))
		return false;
	return !probe_db_matches_fixed(db, field) || (!is_plain && probe_db_lists(db));
}

static void *usdt_table_new(struct probe_db *db)
{
	return mem_zalloc(sizeof(struct usdt_table));
}

static void usdt_table_free(void *table)
{
	struct usdt_table *t = table;
	mapped_files_free(t->files);
	usdt_declared_free(t->declared);
	free(t);
}

struct usdt_table *usdt_table_of(struct probe_db *db)
{
	return probe_db_state(db, &provider_usdt);
}

static bool usdt_module_alias(const struct probe *probe, const char *module)
{
	return pid_object_alias(((const struct usdt_probe *)probe->data)->object, module);
}

static bool usdt_name_alias(const struct probe *probe, const char *name)
{
	return probe_field_match(name, ((const struct usdt_probe *)probe->data)->raw_name);
}

static const struct probe_args *usdt_arguments(struct probe_db *db, const struct probe *probe)
{
	struct usdt_probe *p = probe->data;
	if (!p)
		return NULL;
	if (!p->sought_declaration)
		p->args.declaration = usdt_declaration(db, p, probe->name);
	p->sought_declaration = true;
	return &p->args;
}

static const struct provider_aliases aliases = { .module = usdt_module_alias,
						 .name = usdt_name_alias };

MAPPED_FILES_OF(struct usdt_table, struct usdt_probe);

static const struct provider_process process = {
	.process_of = usdt_process_of,
	.declared_args = true,
	.files = &mapped_files_of_provider,
	.files_are_meant = usdt_of_every_process,
};

const struct provider provider_usdt = {
	.name = "usdt",
	.attributes = { EVOLVING_ISA, EVOLVING_ISA, EVOLVING_ISA, EVOLVING_ISA, EVOLVING_ISA },
	.state_new = usdt_table_new,
	.state_free = usdt_table_free,
	.discover = usdt_discover,
	.aliases = &aliases,
	.arguments = usdt_arguments,
	.free_data = usdt_probe_free,
	.process = &process,
};
