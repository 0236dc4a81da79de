/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_name - which functions a description's FUNCTION means
 *
 * The symbol's name, or a pattern of it.  With "::" in it, the name that a programmer of C++ or
 * Rust gave, with or without parameters: `std::vector::push_back`, `shape::area(int)`; overloads
 * and, without arguments of templates, all instances are meant.  Functions of C++ outside of
 * namespaces and classes have no "::": `work` is work(int), of the symbol _Z4worki, as well as the
 * C function work.
 */
#include "provider/process/pid.h"

#include "object/demangle.h"

/* --- functions -------------------------------------------------------------------------------- */

static bool is_scoped(const char *function)
{
	return strstr(function, "::") != NULL;
}

/* Remove what the compiler adds to a name for the version of the library: f[abi:cxx11]. */
static void strip_tags(char *text)
{
	char *tag;
	while ((tag = strstr(text, "[abi:"))) {
		size_t len = strcspn(tag, "]");
		memmove(tag, tag + len + (tag[len] == ']'),
			strlen(tag + len) + 1 - (tag[len] == ']'));
	}
}

/* Where FUNCTION has <...>, as -x demangle=short writes it, with or without backslashes. */
static const char *short_arguments(const char *function, size_t *len)
{
	static const char *const forms[] = { "\\<...\\>", "<...>" };
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *found = strstr(function, forms[i]);
		*len = strlen(forms[i]);
		if (found)
			return found;
	}
	return NULL;
}

/* Any arguments are meant there. */
static bool match_short(const char *function, const char *text)
{
	auto_strbuf struct strbuf pattern = { 0 };
	size_t len;
	for (const char *found; (found = short_arguments(function, &len)); function = found + len) {
		strbuf_add(&pattern, function, (size_t)(found - function));
		strbuf_puts(&pattern, "<*>");
	}
	strbuf_puts(&pattern, function);
	return glob_match(strbuf_text(&pattern), text);
}

/*
 * The text as it is, without the tags that FUNCTION leaves out, and without arguments of templates
 * if FUNCTION has none, or <...>, as -x demangle=short writes: then all instances are meant.
 */
static bool match_text(const char *function, const char *name, enum demangle_form form)
{
	auto_strbuf struct strbuf text = { 0 };
	if (!demangle(name, form, &text))
		return false;
	if (string_equal(function, strbuf_text(&text)) || glob_match(function, strbuf_text(&text)))
		return true; /* a name as it is shown may have brackets: f[abi:cxx11]() */
	auto_free char *plain = mem_strdup(strbuf_text(&text));
	strip_tags(plain);
	if (glob_match(function, plain))
		return true;
	size_t len;
	if (short_arguments(function, &len))
		return match_short(function, plain);
	if (strchr(function, '<') || !strchr(plain, '<'))
		return false;
	demangled_shorten(plain, "");
	return glob_match(function, plain);
}

/* With or without parameters. */
bool pid_name_match_written(const char *function, const char *name)
{
	return is_mangled(name) && (match_text(function, name, DEMANGLE_NAME) ||
				    match_text(function, name, DEMANGLE_WHOLE));
}

bool pid_name_is_plain(const char *function)
{
	return *function && glob_is_plain(function) && !is_scoped(function);
}

bool pid_name_is(const char *function, const char *name)
{
	return string_equal(function, name) ||
	       (is_mangled_unscoped(name) && pid_name_match_written(function, name));
}

bool pid_name_match(const char *function, const char *name)
{
	if (is_scoped(function))
		return pid_name_match_written(function, name);
	return probe_field_match(function, name) ||
	       (is_mangled_unscoped(name) && pid_name_match_written(function, name));
}

/* --- probes ----------------------------------------------------------------------------------- */

/* Of a pattern: could an offset fit it? */
static bool may_be_offset(const char *name)
{
	return !name[strspn(name, "0123456789abcdefABCDEF*?[]-!")];
}

enum probe_name pid_names_mean(const struct probe_desc *desc)
{
	const char *name = desc->name;
	if (pid_lines_wanted(desc->function) || probe_field_match(name, "entry") ||
	    probe_field_match(name, "return"))
		return PROBE_NAME_OWN;
	if (!may_be_offset(name))
		return PROBE_NAME_STATIC;
	return glob_is_plain(name) ? PROBE_NAME_BOTH : PROBE_NAME_OWN;
}
