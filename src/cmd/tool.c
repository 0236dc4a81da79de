/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/nearest.h"
#include "syntax/argument.h"
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

/* --- words after the name ------------------------------------------------------------------ */

/* Without a Usage: line; NAME is NULL for a program of -n. */
static char *script_usage(const char *name, const char *text, const struct script_arguments *args)
{
	auto_strbuf struct strbuf synopsis = { 0 };
	script_arguments_synopsis(args, &synopsis);
	if (!name)
		return mem_printf("usage: dtrace -n PROGRAM --%s", strbuf_text(&synopsis));
	bool is_program = strncmp(text, "#!", 2) == 0;
	return mem_printf("usage: %s%s%s%s", is_program ? "" : "dtrace -s ", name,
			  is_program ? "" : " --", strbuf_text(&synopsis));
}

int tool_find_declarer(struct command *c)
{
	struct arena *arena = arena_new();
	const char *first = NULL;
	for (size_t i = 0; i < c->arguments->programs.count; i++) {
		const struct tracer_program *p = &c->programs[i];
		const struct source source = { .text = p->text, .len = p->len };
		if (!script_arguments_read(arena, &source))
			continue;
		first = c->declarer;
		c->declarer = p->kind == PROGRAM_SCRIPT ? p->name : "the program of -n";
		if (first)
			break;
	}
	arena_free(arena);
	if (first && c->arguments->words.count > 1)
		return fatal("%s and %s both declare options (#pragma D argument): words after -- "
			     "can be those of one program only",
			     first, c->declarer);
	return STATUS_OK;
}

int tool_check_words(struct command *c, const struct program_request *request,
		     const struct tracer_program *program)
{
	const char *name = request->kind == PROGRAM_SCRIPT ? request->text : NULL;
	auto_free char *usage = name ? tool_usage(name, program->name, program->text) : NULL;
	auto_strbuf struct strbuf why = { 0 }, options = { 0 };
	struct arena *arena = arena_new();
	const struct source source = { .text = program->text, .len = program->len };
	struct script_arguments *args = script_arguments_read(arena, &source);
	bool fine = !args || args->is_wrong ||
		    script_arguments_take(args, arena, c->arguments->words.items,
					  (unsigned)c->arguments->words.count, NULL, &why);
	/* dtrace -s TOOL -- --help */
	bool is_alone = c->arguments->words.count == 2 &&
			string_equal(c->arguments->words.items[1], "--help");
	c->shows_usage |= args ? args->wants_help : usage && is_alone;
	if (args && !usage)
		usage = script_usage(name, program->text, args);
	if (args)
		script_arguments_describe(args, &options);
	arena_free(arena);
	if (!fine) {
		fatal("%s: %s", name ? name : "the program", strbuf_text(&why));
		message("%s", usage);
		message_listing(stderr, strbuf_text(&options));
		return STATUS_USAGE;
	}
	if (c->shows_usage)
		fprintf(c->output, "%s\n%s", usage, strbuf_text(&options));
	return STATUS_OK;
}

/* The declarations of the script NAME, if words after its name are its own; else NULL. */
static struct script_arguments *own_arguments(const struct options *o, struct arena *arena,
					      const char *name)
{
	struct stat st;
	auto_strbuf struct strbuf path = { 0 }, text = { 0 };
	auto_error struct error *err = tool_find(o, name, &path);
	if (err || stat(strbuf_text(&path), &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	err = script_read(strbuf_text(&path), &text);
	bool is_tool = !string_equal(strbuf_text(&path), name);
	if (err || (!is_tool && strncmp(strbuf_text(&text), "#!", 2) != 0))
		return NULL;
	const struct source source = { .text = arena_strdup(arena, strbuf_text(&text)),
				       .len = text.len };
	return script_arguments_read(arena, &source);
}

/* How many words are an option that is always dtrace's: -p PID, -xNAME; 0: WORD begins none. */
static unsigned span_of_ours(const char *word)
{
	if (word[0] != '-' || !word[1] || !strchr("copxW", word[1]))
		return 0;
	return word[2] ? 1 : 2;
}

unsigned tool_order_words(const struct arguments *a, const char *name, char **words, unsigned count)
{
	const char *variable;
	struct arena *arena = arena_new();
	struct options *o = options_new();
	options_set_from_environment(o, environ, &variable);
	for (size_t i = 0; i < a->settings.count; i++)
		if (string_equal(a->settings.items[i].name, "tooldir"))
			options_set(o, "tooldir", a->settings.items[i].value, OPTION_BY_COMMAND);
	const struct script_arguments *args = own_arguments(o, arena, name);
	VECTOR(char *) own = { 0 };
	unsigned ours = 0;
	bool lacks_value = false; /* the last word: getopt() reports it if nothing follows */
	for (unsigned i = 0; args && i < count;) {
		bool ends = string_equal(words[i], "--");
		unsigned declared =
			script_argument_span(args, (const char *const *)words, count, i);
		unsigned span = declared ? 0 : span_of_ours(words[i]);
		lacks_value = span > count - i;
		for (unsigned n = MIN(span, count - i); n; n--)
			words[ours++] = words[i++];
		for (unsigned n = ends ? count - i : span ? 0 : MAX(declared, 1u); n; n--)
			vector_push(&own, words[i++]);
	}
	/* getopt() stops here; the script's own -- may follow */
	bool has_end = own.count && string_equal(own.items[0], "--");
	if (args && !has_end && !lacks_value)
		words[ours++] = (char *)"--";
	for (size_t i = 0; i < own.count && !lacks_value; i++)
		words[ours++] = own.items[i];
	vector_free(&own);
	options_free(o);
	arena_free(arena);
	return args ? ours : count;
}
