/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_lines - lines of source files as probes: pid$target:a.out:file.c@123:
 *
 * In place of the function stands FILE@LINE, a file's name without its folders, which has a dot,
 * and the number of a line; both may be patterns.  The probe is called `line`.  It fires before
 * the code of the line runs: in each function, inlined function or block that has code of it, so
 * of an inlined function or a template one probe has several sites.  arg0 is the offset in the
 * function whose symbol is there.
 *
 * `x in a clause of such a probe, or of one at an offset, is the variable that x means there in the
 * source: of the innermost block or inlined function with the address.  Its place is what DWARF
 * says for that address, and has to be the same at all sites; only then is it one expression.
 */
#include "provider/process/pid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/nearest.h"
#include "object/dwarf/parameter.h"
#include "object/dwarf/source_place.h"
#include "provider/process/pid_code.h"
#include "provider/process/pid_object.h"

#define LINE_NAME_SIZE 280 /* names of files have 255 bytes at most */

static const char *line_of(const char *function)
{
	const char *at = strrchr(function, '@');
	return at ? at + 1 : "";
}

/* memcpy@GLIBC_2.2.5 is a function. */
bool pid_lines_wanted(const char *function)
{
	const char *line = line_of(function), *dot = strchr(function, '.');
	return *line && !line[strspn(line, "0123456789*?[]-")] && dot && dot < line;
}

/* A description, and where it is looked for now. */
struct line_search {
	struct pid_search *s;
	struct pid_object *object;
	char file[LINE_NAME_SIZE]; /* a pattern */
	const char *line;	   /* the same */
};

static void line_search_begin(struct line_search *l, const struct pid_search *s)
{
	l->line = line_of(s->desc->function);
	snprintf(l->file, sizeof(l->file), "%.*s", (int)(l->line - 1 - s->desc->function),
		 s->desc->function);
}

static bool wants_file(void *arg, const char *file)
{
	const struct line_search *l = arg;
	return glob_match(l->file, file);
}

const char *pid_place_danger(struct pid_object *object, uint64_t address, uint64_t *site)
{
	if (pid_code_is_exclusive(pid_object_elf(object), address))
		return "it is between an exclusive load and its store, which would never succeed";
	if (!pid_site_exact(pid_object_elf(object), address, site))
		return "the kernel cannot probe this instruction";
	return pid_red_zone_danger(object, address);
}

static void line_make(void *arg, const struct source_line *from)
{
	struct line_search *l = arg;
	struct pid_search *s = l->s;
	char number[16], name[LINE_NAME_SIZE];
	struct event_site site = { 0 };
	snprintf(number, sizeof(number), "%d", from->line);
	if (!glob_match(l->line, number))
		return;
	snprintf(name, sizeof(name), "%s@%s", from->file, number);
	const char *danger = pid_place_danger(l->object, from->address, &site.at);
	if (danger) {
		s->danger = danger;
		pid_leave_out(s, l->object, name, danger, true);
		return;
	}
	const struct elf_symbol *function =
		elf_file_symbol_at(pid_object_elf(l->object), from->address);
	site.inside = function ? (uint32_t)(from->address - function->address) : 0;
	s->named_at = 0;
	pid_probe_make(s, l->object, name, PID_LINE_NAME, site);
}

void pid_lines_search(struct pid_search *s, struct pid_object *object)
{
	struct debug_info *d = image_debug_info(object->image);
	struct line_search l = { .s = s, .object = object };
	line_search_begin(&l, s);
	if (d)
		debug_info_lines(d, &(struct source_line_visitor) { wants_file, line_make, &l });
}

/* --- registers at the entry ------------------------------------------------------------------- */

/* Where the function around the link-time ADDRESS begins; false: it is not known. */
static bool entry_around(const struct pid_object *object, uint64_t address, uint64_t *ret)
{
	struct debug_info *d = image_debug_info(object->image);
	Dwarf_Die function;
	return d && debug_info_function(d, address, "", &function, ret);
}

void pid_place_at_entry(const struct pid_object *object, uint64_t address,
			struct parameter_place *p)
{
	struct elf_file *elf = pid_object_elf(object);
	uint64_t entry, site, first;
	if (!p->of_entry || !entry_around(object, address, &entry))
		return;
	bool has_site = pid_site(elf, entry, &site) && elf_file_address(elf, site, &first);
	p->of_entry = address < entry || address > (has_site ? first : entry);
}

struct arg_location pid_frame_location(const struct pid_object *object,
				       const struct frame_place *cfa)
{
	struct elf_file *elf = pid_object_elf(object);
	const struct arch *arch = pid_arch(elf);
	if (!cfa->is_known || cfa->number >= arch->dwarf_count || elf_file_is_go(elf))
		return (struct arg_location) { ARG_UNREADABLE };
	return (struct arg_location) { .kind = ARG_USER_ADDRESS,
				       .base = arch->dwarf_registers[cfa->number],
				       .index = ARG_NO_REGISTER,
				       .value = cfa->offset - arch->stack_argument };
}

static void function_around_add(struct pid_probe *p, uint64_t site)
{
	struct elf_file *elf = pid_object_elf(p->object);
	uint64_t address, entry;
	if (!elf_file_address(elf, site, &address) || !entry_around(p->object, address, &entry))
		return;
	const struct elf_symbol *f = elf_file_symbol_at(elf, entry);
	if (!f || f->address != entry)
		return;
	for (size_t i = 0; i < p->around.count; i++)
		if (string_equal(p->around.items[i], f->name))
			return;
	vector_push(&p->around, f->name);
}

const char *const *pid_functions_around(const struct probe *probe)
{
	struct pid_probe *p = probe->data;
	p->around.count = 0;
	for (const struct probe_event *e = probe->events; e && p->object->image; e = e->next)
		for (uint32_t i = 0; i < e->event.code.site_count; i++)
			if (!event_is_function_entry(e->event.kind))
				function_around_add(p, e->event.code.sites[i].at);
	vector_push(&p->around, NULL);
	return p->around.items;
}

/* --- variables -------------------------------------------------------------------------------- */

/* Those of a probe that were asked for; NULL: no variable has the name. */
struct pid_variables {
	struct hash *by_name; /* -> struct pid_variable */
	VECTOR(struct pid_variable *) all;
	struct event_args args; /* of the event, if one of them is in a register of the entry */
};

struct pid_variable {
	struct probe_argument argument;
	struct arg_location frame; /* pid_frame_location(); of what is in a register of the entry */
	bool exists;
	char *name;
};

void pid_variables_free(struct pid_variables *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->all.count; i++) {
		free(v->all.items[i]->name);
		free(v->all.items[i]);
	}
	vector_free(&v->all);
	hash_free(v->by_name);
	free(v);
}

/* What is at a link-time address is at a distance from the place that fires. */
static struct parameter_place place_from_site(const struct arch *arch, struct parameter_place p,
					      uint64_t site)
{
	bool is_static = p.kind == PARAMETER_STATIC;
	if (!is_static && p.kind != PARAMETER_ADDRESS)
		return p;
	return (struct parameter_place) { .kind = is_static ? PARAMETER_MEMORY : PARAMETER_SUM,
					  .registers = { arch->dwarf_pc },
					  .offset = p.value - (int64_t)site };
}

static const struct arg_location no_frame = { ARG_NONE };

/* At SITE, a file offset, of code of LINE; false: there is none. */
static bool variable_at(struct types *t, struct pid_object *object, uint64_t site,
			const struct source_place *line, const char *name,
			struct probe_argument *ret, struct arg_location *frame)
{
	struct debug_info *d = image_debug_info(object->image);
	const struct arch *arch = pid_arch(pid_object_elf(object));
	struct parameter_place place = { .kind = PARAMETER_GONE };
	struct parameter_entry variable;
	Dwarf_Die function;
	uint64_t address;
	memset(ret, 0, sizeof(*ret));
	*frame = no_frame;
	if (!d || !elf_file_address(pid_object_elf(object), site, &address) ||
	    !variable_in_scope(d, address, line, name, &function, &variable))
		return false;
	const struct frame_place cfa = pid_frame_at(object, address);
	if (!variable.is_missing)
		place = variable_place(&function, &variable.entry, address, &cfa);
	ret->type = types_of_variable(t, d, &variable);
	pid_place_at_entry(object, address, &place);
	*frame = place.of_entry ? pid_frame_location(object, &cfa) : no_frame;
	place = place_from_site(arch, place, address);
	pid_call_variable(arch, &place, ret);
	if (frame->kind == ARG_UNREADABLE)
		ret->problem = "is in a register of the caller's, and where its frame is there is "
			       "not known";
	return true;
}

/* A line may have code at several places. */
static struct pid_variable *pid_variable_read(struct types *t, const struct probe *probe,
					      const char *name)
{
	const struct pid_probe *p = probe->data;
	auto_free char *file = mem_strdup(probe->function);
	file[strcspn(file, "@")] = 0;
	const struct source_place at = { NULL, file, atoi(line_of(probe->function)) };
	const struct source_place *line = pid_lines_wanted(probe->function) ? &at : NULL;
	struct pid_variable *v = mem_zalloc(sizeof(*v));
	struct probe_argument other;
	struct arg_location frame;
	v->name = mem_strdup(name);
	for (size_t i = 0; t && p->object->image && i < p->sites.count; i++) {
		bool is_there =
			variable_at(t, p->object, p->sites.items[i].at, line, name, &other, &frame);
		bool is_same = is_there && v->exists &&
			       probe_types_same(v->argument.type, other.type) &&
			       probe_argument_same_place(&v->argument, &other) &&
			       memcmp(&v->frame, &frame, sizeof(frame)) == 0;
		if (i && (is_there || v->exists) && !is_same)
			v->argument.problem = "is not in the same place in all code of the line";
		else if (!i)
			v->argument = other;
		v->frame = i ? v->frame : frame;
		v->exists |= is_there;
	}
	v->argument.name = v->name;
	return v;
}

/* The frame is where that of a variable is, at all places of the line: pid_variable_read(). */
static void variable_frame_use(const struct probe *probe, const struct pid_variable *v)
{
	struct event *e = &probe->events->event;
	struct event_args *args = &((struct pid_probe *)probe->data)->variables->args;
	if (v->frame.kind != ARG_USER_ADDRESS || e->args == args)
		return;
	*args = *e->args;
	args->arg[EVENT_FRAME] = v->frame;
	e->args = args;
}

const struct probe_argument *pid_variable(struct probe_db *db, const struct probe *probe,
					  const char *name)
{
	struct pid_probe *p = probe->data;
	if (!p || !probe_has_event(probe, EVENT_FUNCTION_INSIDE) ||
	    string_equal(probe->name, "return"))
		return NULL;
	if (!p->variables) {
		p->variables = mem_zalloc(sizeof(*p->variables));
		p->variables->by_name = hash_new();
	}
	void **place = hash_place(p->variables->by_name, name, strlen(name));
	if (!*place) {
		*place = pid_variable_read(probe_db_types(db), probe, name);
		vector_push(&p->variables->all, *place);
		variable_frame_use(probe, *place);
	}
	struct pid_variable *v = *place;
	return v->exists ? &v->argument : NULL;
}

/* --- nothing found ---------------------------------------------------------------------------- */

struct line_missing {
	struct line_search search;
	struct nearest file;	    /* of all files with code */
	long wanted, before, after; /* lines; the nearest ones with code, 0: none */
};

static bool try_file(void *arg, const char *file)
{
	struct line_missing *m = arg;
	nearest_try(&m->file, file);
	return wants_file(&m->search, file);
}

static void try_line(void *arg, const struct source_line *line)
{
	struct line_missing *m = arg;
	if (line->line < m->wanted && line->line > m->before)
		m->before = line->line;
	if (line->line > m->wanted && (!m->after || line->line < m->after))
		m->after = line->line;
}

static void print_near(const struct line_missing *m, struct strbuf *out)
{
	const char *file = m->search.file;
	if (m->before && m->after)
		strbuf_printf(out, ": line %ld of %s has no code, lines %ld and %ld have",
			      m->wanted, file, m->before, m->after);
	else if (m->before || m->after)
		strbuf_printf(out, ": line %ld of %s has no code, line %ld has", m->wanted, file,
			      m->before ? m->before : m->after);
	else if (m->file.best)
		strbuf_printf(out, ": no code of %s there; did you mean %s?", file, m->file.best);
	else
		strbuf_printf(out, ": no code of %s there", file);
}

/* Look at all wanted modules again; the result is whether one has debug information. */
static bool look_around(const struct pid_search *s, struct line_missing *m)
{
	bool has_any = false;
	const struct source_line_visitor v = { try_file, try_line, m };
	for (size_t i = 0; i < s->objects.count; i++) {
		struct pid_object *object = s->objects.items[i];
		struct debug_info *d = pid_module_wanted(s, object) && object->image
					       ? image_debug_info(object->image)
					       : NULL;
		has_any |= d != NULL;
		if (d)
			debug_info_lines(d, &v);
	}
	return has_any;
}

struct error *pid_lines_missing(const struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	auto_strbuf struct strbuf why = { 0 };
	struct line_missing m = { .wanted = LONG_MAX };
	line_search_begin(&m.search, s);
	if (glob_is_plain(m.search.line))
		m.wanted = strtol(m.search.line, NULL, 10);
	m.file = nearest_to(m.search.file);
	if (s->danger)
		strbuf_printf(&why, ": its code cannot be probed: %s", s->danger);
	else if (look_around(s, &m))
		print_near(&m, &why);
	else if (libdw_problem())
		strbuf_printf(&why, ": %s", libdw_problem());
	else
		strbuf_puts(&why, ": there is no debug information (compile with -g, or install "
				  "separate debug files)");
	return probe_desc_unmatched(d, "%s", strbuf_text(&why));
}
