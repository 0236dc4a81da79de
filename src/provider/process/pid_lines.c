/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_lines - lines of source files as probes: pid$target:a.out:file.c@123:
 *
 * In place of the function stands FILE@LINE, a file's name without its folders, which has a dot,
 * and the number of a line; both may be patterns.  The probe is called `line`.  It fires before
 * the code of the line runs: in each function, inlined function or block that has code of it, so
 * of an inlined function or a template one probe has several sites.  arg0 is the offset in the
 * function whose symbol is there.
 */
#include "provider/process/pid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/nearest.h"
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
