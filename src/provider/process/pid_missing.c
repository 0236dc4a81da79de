/* SPDX-License-Identifier: BSD-2-Clause */
/* A description of the pid provider that matches nothing: why, and a suggestion */
#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/nearest.h"
#include "object/demangle.h"
#include "process/process.h"
#include "provider/process/pid.h"

#define MODULES_SHOWN 8

/* Does the description name one module, rather than a pattern of them? */
static bool names_module(const struct pid_search *s)
{
	return *s->desc->module && glob_is_plain(s->desc->module);
}

/* "a.out, libc.so.6, ..." */
static void modules_print(const struct pid_search *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->objects.count; i++) {
		if (i == MODULES_SHOWN) {
			strbuf_printf(out, " and %zu more", s->objects.count - i);
			return;
		}
		strbuf_printf(out, "%s%s", i ? ", " : "", s->objects.items[i]->module);
	}
}

/* libx.so.1 may have been meant by libx.so.1 or by libx. */
static void module_try(struct nearest *n, const struct pid_object *object, struct arena *a)
{
	nearest_try(n, object->module);
	const char *so = strstr(object->module, ".so");
	if (so)
		nearest_try(n, arena_strndup(a, object->module, (size_t)(so - object->module)));
}

/* The module that is the same file in another link map; NULL: there is none. */
static const char *file_copy_of(const struct pid_search *s)
{
	for (size_t i = 0; i < s->objects.count; i++)
		if (pid_object_is_other_copy(s->objects.items[i], s->desc->module))
			return s->objects.items[i]->module;
	return NULL;
}

static struct error *module_missing(const struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	struct arena *a = arena_new();
	auto_strbuf struct strbuf text = { 0 };
	struct nearest nearest = nearest_to(d->module);
	for (size_t i = 0; i < s->objects.count; i++)
		module_try(&nearest, s->objects.items[i], a);
	/* A library's name may well be near another one's that is loaded first. */
	bool may_come = process_auxiliary(s->pid, AT_BASE) &&
			(!nearest.best || strncmp(d->module, "lib", 3) == 0);
	const char *copy = file_copy_of(s);
	if (copy) {
		strbuf_printf(&text,
			      ": it has %s, and the probes of a file fire in each of its copies",
			      copy);
	} else if (nearest.best && !may_come) {
		strbuf_printf(&text, ", did you mean %s?", nearest.best);
	} else {
		if (may_come)
			strbuf_printf(&text, " yet: %s;",
				      probe_db_lists(s->db) ? "use -p once it is loaded"
							    : "-Z waits for it");
		strbuf_printf(&text, "%s it has ", may_come ? "" : ",");
		modules_print(s, &text);
	}
	arena_free(a);
	return probe_desc_unmatched(d, ": process %d has no module %s%s", s->pid, d->module,
				    strbuf_text(&text));
}

/* The nearest function of all modules in question. */
struct near_function {
	struct nearest nearest;
	const char *module;
	struct strbuf written; /* the name, if it is not that of a symbol */
};

/*
 * The named module, if its symbols are incomplete; else NULL.  For a pattern of all modules it is
 * the program: libraries are mostly stripped, so they are no indication.
 */
static const char *stripped_module(const struct pid_search *s)
{
	for (size_t i = 0; i < s->objects.count; i++) {
		const struct pid_object *object = s->objects.items[i];
		bool meant = names_module(s) ? pid_module_wanted(s, object) : object->is_main;
		if (meant && pid_object_elf(object) && elf_file_is_stripped(pid_object_elf(object)))
			return object->module;
	}
	return NULL;
}

static void stripped_print(const char *module, struct strbuf *out)
{
	if (module)
		strbuf_printf(
			out,
			": %s is stripped, only functions that it exports have names (fde:* means "
			"the others)",
			module);
}

static void symbol_try(struct near_function *near, const char *module, const char *name)
{
	const char *before = near->nearest.best;
	nearest_try(&near->nearest, name);
	if (near->nearest.best != before)
		near->module = module;
}

/* Names as they were written, if one like that is sought. */
static void written_try(struct near_function *near, const char *module, const char *name)
{
	auto_strbuf struct strbuf written = { 0 };
	bool may_be =
		strstr(near->nearest.wanted, "::") ? is_mangled(name) : is_mangled_unscoped(name);
	if (!may_be || !demangle(name, DEMANGLE_NAME, &written))
		return;
	symbol_try(near, module, strbuf_text(&written));
	if (near->nearest.best != strbuf_text(&written))
		return;
	strbuf_clear(&near->written);
	strbuf_puts(&near->written, strbuf_text(&written));
	near->nearest.best = strbuf_text(&near->written);
}

/* The symbols of an object, *COUNT of them; those that cannot be read have none. */
static const struct elf_symbol *object_symbols(const struct pid_object *object, size_t *count)
{
	const struct elf_symbol *symbols = NULL;
	*count = 0;
	if (pid_object_elf(object))
		error_free(elf_file_symbols(pid_object_elf(object), &symbols, count));
	return symbols;
}

static void object_try(struct near_function *near, struct pid_object *object)
{
	size_t count;
	const struct elf_symbol *symbols = object_symbols(object, &count);
	for (size_t i = 0; i < count; i++) {
		if (!symbols[i].is_function)
			continue;
		symbol_try(near, object->module, symbols[i].name);
		written_try(near, object->module, symbols[i].name);
	}
}

/* The copy of FUNCTION in an object, as f.constprop.0 is one of f; NULL: none. */
static const char *copy_in(struct pid_object *object, const char *function)
{
	size_t count, len = strlen(function);
	const struct elf_symbol *symbols = object_symbols(object, &count);
	for (size_t i = 0; i < count; i++)
		if (symbols[i].is_function && strncmp(symbols[i].name, function, len) == 0 &&
		    symbols[i].name[len] == '.')
			return symbols[i].name;
	return NULL;
}

/* The compiler may have made copies for all callers, and then left the function out. */
static bool copy_print(const struct pid_search *s, struct strbuf *out)
{
	const char *name = NULL;
	for (size_t i = 0; !name && i < s->objects.count; i++)
		if (pid_module_wanted(s, s->objects.items[i]))
			name = copy_in(s->objects.items[i], s->desc->function);
	if (name)
		strbuf_printf(out,
			      ": the compiler has left only copies and parts of it, as %s (%s.* "
			      "means all)",
			      name, s->desc->function);
	return name;
}

/*
 * An untyped symbol in code: a place in a function, or one that may be a function, or data, on
 * which a probe would change what the program reads.
 */
static bool label_print(const struct pid_search *s, struct elf_file *elf, struct strbuf *out)
{
	const struct elf_symbol *label = elf_file_symbol_named(elf, s->desc->function);
	if (!label || !label->is_untyped || !elf_file_is_code(elf, label->address))
		return false;
	const struct elf_symbol *in = elf_file_symbol_at(elf, label->address);
	if (in && in->is_function)
		strbuf_printf(out, ": it is a place in %s, whose probe is %s:%" PRIx64, in->name,
			      in->name, label->address - in->address);
	else
		strbuf_printf(out,
			      ": its symbol has no type, and no unwind table says that a function "
			      "begins there (in assembly: .type %s, @function)",
			      label->name);
	return true;
}

static bool labels_print(const struct pid_search *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->objects.count; i++) {
		struct elf_file *elf = pid_object_elf(s->objects.items[i]);
		if (elf && pid_module_wanted(s, s->objects.items[i]) && label_print(s, elf, out))
			return true;
	}
	return false;
}

/* ": did you mean f of libx.so?"  False, and nothing: no function is near. */
static bool near_function_print(const struct pid_search *s, struct strbuf *out)
{
	if (copy_print(s, out) || labels_print(s, out))
		return true;
	struct near_function near = { .nearest = nearest_to(s->desc->function) };
	for (size_t i = 0; i < s->objects.count; i++)
		if (pid_module_wanted(s, s->objects.items[i]))
			object_try(&near, s->objects.items[i]);
	if (near.nearest.best)
		strbuf_printf(out, ": did you mean %s%s%s?", near.nearest.best,
			      names_module(s) ? "" : " of ", names_module(s) ? "" : near.module);
	strbuf_deinit(&near.written);
	return near.nearest.best;
}

/* The symbol of an object that fits the pattern if it is read as it was written; NULL: none. */
static const char *written_in(struct pid_object *object, const char *pattern)
{
	size_t count;
	const struct elf_symbol *symbols = object_symbols(object, &count);
	for (size_t i = 0; i < count; i++)
		if (symbols[i].is_function && pid_name_match_written(pattern, symbols[i].name))
			return symbols[i].name;
	return NULL;
}

/* Patterns mean names of symbols, those with :: what was written. */
static bool written_print(const struct pid_search *s, struct strbuf *out)
{
	const char *name = NULL;
	for (size_t i = 0; !name && i < s->objects.count; i++)
		if (pid_module_wanted(s, s->objects.items[i]))
			name = written_in(s->objects.items[i], s->desc->function);
	if (!name)
		return false;
	auto_strbuf struct strbuf written = { 0 };
	demangle(name, DEMANGLE_NAME, &written);
	strbuf_printf(out, ": %s fits as it was written, which a pattern with \"::\" means",
		      strbuf_text(&written));
	return true;
}

/* A module that has the function itself, where another one was named; NULL: none has. */
static const char *module_with_function(const struct pid_search *s)
{
	for (size_t i = 0; i < s->objects.count; i++) {
		struct pid_object *object = s->objects.items[i];
		error_free(pid_object_open(object)); /* those that cannot be read have nothing */
		const struct elf_symbol *symbol =
			pid_object_elf(object)
				? elf_file_symbol_named(pid_object_elf(object), s->desc->function)
				: NULL;
		if (symbol && symbol->is_function)
			return object->module;
	}
	return NULL;
}

static struct error *function_missing(const struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	auto_strbuf struct strbuf hint = { 0 };
	const char *elsewhere = names_module(s) ? module_with_function(s) : NULL;
	bool is_near = false;
	if (elsewhere)
		strbuf_printf(&hint, ": %s has it", elsewhere);
	else
		is_near = near_function_print(s, &hint);
	if (s->inlined && !elsewhere)
		strbuf_printf(&hint, "%s %s", is_near ? ";" : ":", s->inlined);
	else if (!elsewhere && !is_near)
		stripped_print(stripped_module(s), &hint);
	if (names_module(s))
		return error_tag(error_new("failed to lookup '%s' in module '%s'%s", d->function,
					   d->module, strbuf_text(&hint)),
				 D_PROC_FUNC);
	return probe_desc_unmatched(d, "%s%s", is_near ? "" : ": no module has such a function",
				    strbuf_text(&hint));
}

/* What the user can do about the danger. */
static const char *remedy(const struct pid_search *s)
{
	return s->exits_unknown ? " (-x pidret=kernel traces it, but may change what the process "
				  "does)"
				: "";
}

static struct error *pattern_missing(const struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	auto_strbuf struct strbuf why = { 0 };
	if (s->slow) {
		strbuf_printf(&why,
			      "pidfast leaves out what fits: %u function%s whose probes would be "
			      "single-stepped",
			      s->slow, s->slow == 1 ? "" : "s");
	} else if (s->danger) {
		strbuf_printf(&why, "a function that fits cannot be probed: %s%s", s->danger,
			      remedy(s));
	} else {
		strbuf_puts(&why, "no function there fits");
		bool is_plain = glob_is_plain(d->function);
		if (is_plain ? !near_function_print(s, &why) : !written_print(s, &why))
			stripped_print(stripped_module(s), &why);
	}
	return probe_desc_unmatched(d, ": %s", strbuf_text(&why));
}

static struct error *probe_refused(const struct pid_search *s)
{
	const struct probe_desc *d = s->desc;
	if (s->offset_is_plain && s->danger_tag == D_PROC_CREATEFAIL)
		return error_tag(error_new("failed to create probes at '%s+0x%llx': %s",
					   d->function, (unsigned long long)s->offset, s->danger),
				 D_PROC_CREATEFAIL);
	if (s->offset_is_plain)
		return error_tag(error_new("offset 0x%llx %s '%s'", (unsigned long long)s->offset,
					   s->danger, d->function),
				 s->danger_tag);
	return error_tag(error_new("failed to create %s probe for '%s': %s%s",
				   s->entry ? "entry" : "return", d->function, s->danger,
				   remedy(s)),
			 s->danger_tag);
}

struct error *pid_nothing_found(const struct pid_search *s)
{
	if (s->sites)
		return NULL;
	if (!s->found_object && s->of_every_process)
		return pid_files_missing(s);
	if (!s->found_object)
		return names_module(s) ? module_missing(s) : NULL;
	if (pid_lines_wanted(s->desc->function))
		return pid_lines_missing(s);
	if (pid_stubs_wanted(s->desc->function) && !s->danger)
		return probe_desc_unmatched(
			s->desc, strpbrk(s->desc->function, "(:")
					 ? ": stubs have the linker's names: _Znwm@plt, not "
					   "\"operator new(unsigned long)@plt\""
					 : ": no stub of the linker has that name (files that are "
					   "compiled with -fno-plt call without stubs)");
	if (!s->function_is_plain)
		return pattern_missing(s);
	if (s->danger)
		return probe_refused(s);
	if (s->ifunc)
		return error_tag(
			error_new("'%s' of %s has several implementations, and the one that this "
				  "process uses is unknown: name one of them, or a pattern",
				  s->desc->function, s->ifunc),
			D_PROC_FUNC);
	return function_missing(s);
}
