/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "tracer/tracer.h"

#define SUFFIX ".d"
#define SYSTEM_TOOLS "/etc/dtrace/toolkit"

static bool is_directory(const char *name)
{
	struct stat st;
	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Is no file of that name here, readable or not? A directory is none. */
static bool is_not_here(const char *name)
{
	return access(name, F_OK) == 0 ? is_directory(name) : errno == ENOENT;
}

/* Is that a name that a tool may have? A file here comes first. */
static bool may_be_tool(const char *name)
{
	return *name && !strchr(name, '/') && !string_equal(name, "-") &&
	       !string_equal(name, "\r") && is_not_here(name);
}

static bool has_suffix(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);
	return len > suffix && string_equal(name + len - suffix, SUFFIX);
}

/* The last part of PATH is taken away; it is the result. */
static const char *cut_last(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash)
		return "";
	*slash = '\0';
	return slash + 1;
}

/*
 * Where our own tools are.  What make builds is in build/ or, of another kind (B=asan), in a folder
 * of that: the sources are around it.  Installed, dtrace is in sbin or bin.
 */
static char *own_directory(void)
{
	auto_free char *path = own_program_path();
	cut_last(path);
	const char *folder = cut_last(path);
	if (string_equal(folder, "build"))
		return mem_printf("%s/toolkit", path);
	auto_free char *above = mem_strdup(path);
	if (string_equal(cut_last(above), "build"))
		return mem_printf("%s/toolkit", above);
	return mem_printf("%s/share/dtrace", path);
}

/* Is NAME in DIRECTORY? Then *RET has its path; otherwise the directory is added to PLACES. */
static bool tool_find_in(const char *directory, const char *name, struct strbuf *places,
			 struct strbuf *ret)
{
	auto_free char *path =
		mem_printf("%s/%s%s", directory, name, has_suffix(name) ? "" : SUFFIX);
	if (access(path, F_OK) == 0) {
		strbuf_puts(ret, path);
		return true;
	}
	strbuf_printf(places, "%s%s", places->len ? ", " : "", directory);
	return false;
}

/* Try the names of the tools in DIRECTORY; they are owned by NAMES. */
static void try_tools(const char *directory, struct arena *names, struct nearest *nearest)
{
	DIR *d = opendir(directory);
	for (struct dirent *e; d && (e = readdir(d));)
		if (has_suffix(e->d_name))
			nearest_try(nearest, arena_strndup(names, e->d_name,
							   strlen(e->d_name) - strlen(SUFFIX)));
	if (d)
		closedir(d);
}

static struct error *no_tool(const struct options *o, const char *name, const char *own,
			     const char *places)
{
	struct arena *names = arena_new();
	struct nearest nearest = nearest_to(name);
	size_t count;
	const char *const *directories = option_list(o, OPTION_tooldir, &count);
	for (size_t i = 0; i < count; i++)
		try_tools(directories[i], names, &nearest);
	try_tools(SYSTEM_TOOLS, names, &nearest);
	try_tools(own, names, &nearest);
	auto_free char *hint =
		nearest.best ? mem_printf(" (did you mean %s?)", nearest.best) : mem_strdup("");
	arena_free(names);
	return error_new("failed to open %s: there is no such file here, and no tool of that name "
			 "in %s%s",
			 name, places, hint);
}

/* Options after the s, as of `#!/usr/sbin/dtrace -s -q`, are the name of a script to getopt. */
static bool is_options(const char *name)
{
	const char *word = name + strspn(name, " \t");
	return word[0] == '-' && word[1] && access(name, F_OK) < 0;
}

struct error *tool_find(const struct options *o, const char *name, struct strbuf *ret)
{
	if (is_options(name))
		return error_new("failed to open %s: a file's name follows -s, options come before "
				 "it (a #! line ends in s: -q -x strsize=16 -s, or -qs)",
				 name);
	if (!may_be_tool(name)) {
		strbuf_puts(ret, name);
		return NULL;
	}
	auto_strbuf struct strbuf places = { 0 };
	size_t count;
	const char *const *directories = option_list(o, OPTION_tooldir, &count);
	for (size_t i = 0; i < count; i++)
		if (tool_find_in(directories[i], name, &places, ret))
			return NULL;
	auto_free char *own = own_directory();
	if (tool_find_in(SYSTEM_TOOLS, name, &places, ret) || tool_find_in(own, name, &places, ret))
		return NULL;
	if (is_directory(name)) { /* which cannot be read */
		strbuf_puts(ret, name);
		return NULL;
	}
	return no_tool(o, name, own, strbuf_text(&places));
}

char *tool_usage(const char *name, const char *path, const char *text)
{
	static const char begin[] = "\n * Usage: ";
	const char *usage = string_equal(name, path) ? NULL : strstr(text, begin);
	if (!usage)
		return NULL;
	usage += strlen(begin);
	return mem_printf("usage: dtrace -s %s %.*s", name, (int)strcspn(usage, "\n"), usage);
}
