/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/pid_name.h"

#include "object/demangle.h"
#include "probe/probe.h"

static bool is_scoped(const char *function)
{
	return strstr(function, "::") != NULL;
}

static bool match_text(const char *function, const char *name, bool parameters)
{
	auto_strbuf struct strbuf text = { 0 };
	return demangle(name, parameters, &text) && glob_match(function, strbuf_text(&text));
}

/* With or without parameters. */
bool pid_name_match_written(const char *function, const char *name)
{
	return is_mangled(name) &&
	       (match_text(function, name, false) || match_text(function, name, true));
}

bool pid_name_is_plain(const char *function)
{
	return *function && glob_is_plain(function) && !is_scoped(function);
}

bool pid_name_is(const char *function, const char *name)
{
	return string_equal(function, name) ||
	       (is_mangled_unscoped(name) && match_text(function, name, false));
}

bool pid_name_match(const char *function, const char *name)
{
	if (is_scoped(function))
		return pid_name_match_written(function, name);
	return probe_field_match(function, name) ||
	       (is_mangled_unscoped(name) && pid_name_match_written(function, name));
}
