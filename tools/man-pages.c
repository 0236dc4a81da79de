/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * man-pages PAGE.in - a manual page whose tables are ours
 *
 * Prints the page; a line "@TABLE" is replaced by the rows of the table that the command itself
 * reads, so the page cannot forget one (tables, below); "@type NAME" by the members of a translated
 * type as the guide has them.  Everything else is roff and stays.
 */
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider/provider.h"

static void __attribute__((noreturn)) die(const char *what, const char *problem)
{
	fprintf(stderr, "man-pages: %s: %s\n", what, problem);
	exit(1);
}

/* Plain text to roff: hyphens that can be copied, backslashes, lines that begin with a dot. */
static void put(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++)
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '^')
			fputs("\\(ha", stdout);
		else
			putchar(*text);
}

static void put_line(const char *macro, const char *text)
{
	fputs(macro, stdout);
	put(text);
	putchar('\n');
}

/* A tagged paragraph: the tag, what follows it in italics or "", and its text. */
static void entry(const char *tag, const char *rest, const char *text)
{
	fputs(".TP\n\\fB", stdout);
	put(tag);
	fputs("\\fR", stdout);
	if (*rest) {
		fputs("\\fI", stdout);
		put(rest);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	put_line("", text);
}

static void letters(const char *argument)
{
	static const struct {
		char letter;
		const char *name, *takes, *text;
	} rows[] = {
#define LETTER(letter, name, takes, option, text) { letter, name, takes ? takes : "", text },
#include "cmd/letter.def"
#undef LETTER
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool has_letter = rows[i].letter >= ' ';
		char tag[32] = { has_letter ? '-' : 0, rows[i].letter };
		if (isdigit((unsigned char)rows[i].letter)) {
			strcat(tag, rows[i].takes);
			entry(tag, "", rows[i].text);
			continue;
		}
		strcat(strcat(tag, has_letter ? ", --" : "--"), rows[i].name);
		if (*rows[i].takes)
			strcat(tag, " ");
		entry(tag, rows[i].takes, rows[i].text);
	}
}

static void options(const char *wanted)
{
	static const struct {
		const char *name, *kind, *type, *initial, *allowed, *state, *text;
	} rows[] = {
#define OPTION(name, kind, type, initial, allowed, state, text)                                    \
	{ #name, #kind, #type, initial, allowed, #state, text },
#include "tracer/option/option.def"
#undef OPTION
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strcmp(rows[i].kind, wanted) != 0)
			continue;
		int is_flag =
			strcmp(rows[i].type, "FLAG") == 0 || strcmp(rows[i].type, "BOOL") == 0;
		char value[32] = "";
		if (!is_flag) {
			snprintf(value, sizeof(value), "%s", rows[i].type);
			for (char *c = value; *c; c++)
				*c = (char)tolower((unsigned char)*c);
		}
		char tag[64];
		snprintf(tag, sizeof(tag), is_flag ? "%s" : "%s=", rows[i].name);
		entry(tag, value, rows[i].text);
		int is_idle = strcmp(rows[i].state, "IDLE") == 0;
		if (rows[i].allowed) {
			fputs(is_idle ? "(accepted, does nothing: " : "(allowed: ", stdout);
			put(rows[i].allowed);
			fputs(")\n", stdout);
		}
		if (rows[i].initial) {
			fputs("(initially ", stdout);
			put(rows[i].initial);
			fputs(")\n", stdout);
		}
		if (strcmp(rows[i].state, "IGNORED") == 0)
			puts("(accepted, does nothing)");
	}
}

static const char *written(const char *name)
{
#define WRITTEN(id, text)                                                                          \
	if (strcmp(name, #id) == 0)                                                                \
		return text;
#include "sema/name/builtin.def"
#undef WRITTEN
	return name;
}

struct variable_row {
	const char *name, *type, *text;
};

static int by_name(const void *a, const void *b)
{
	return strcasecmp(((const struct variable_row *)a)->name,
			  ((const struct variable_row *)b)->name);
}

static void variables(const char *argument)
{
	struct variable_row rows[] = {
#define VARIABLE(name, type, since, attributes, text) { #name, type, text },
#define LIBRARY(name, since, type, text) { #name, type, text },
#define SPECIAL(name, type, text) { #name, type, text },
#include "sema/name/builtin.def"
#undef VARIABLE
#undef LIBRARY
#undef SPECIAL
	};
	qsort(rows, ARRAY_SIZE(rows), sizeof(rows[0]), by_name);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char type[64];
		snprintf(type, sizeof(type), "  %s", rows[i].type);
		entry(written(rows[i].name), type, rows[i].text);
	}
}

static void subroutines(const char *argument)
{
#define SUBROUTINE(name, prototype, since, attributes, purity, text) entry(prototype, "", text);
#include "sema/name/builtin.def"
#undef SUBROUTINE
}

static void actions(const char *argument)
{
#define ACTION(name, kind, prototype, least, most, since, text) entry(prototype, "", text);
#define SPECULATION(name, prototype, text) entry(prototype, "", text);
#include "sema/name/builtin.def"
#undef ACTION
#undef SPECULATION
}

static void aggregators(const char *argument)
{
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  since, prototype, text)                                                          \
	entry(prototype, "", text);
#include "abi/aggregate.def"
#undef AGGREGATE
}

/* --- providers ------------------------------------------------------------------------------ */

static void stability_row(const char *what, struct attributes a)
{
	char text[128];
	snprintf(text, sizeof(text), "%s, %s, %s", stability_text(a.name), stability_text(a.data),
		 class_text(a.class));
	entry(what, "", text);
}

/* By enum provider_part. */
static const char *const parts[] = { "provider", "module", "function", "name", "arguments" };

/* Of a provider as data: the five words of providers/NAME.prov after "attributes". */
static void stability_of_file(const char *provider)
{
	char path[256], word[64];
	snprintf(path, sizeof(path), "providers/%s.prov", provider);
	FILE *f = fopen(path, "re");
	while (f && fscanf(f, "%63s", word) == 1 && strcmp(word, "attributes") != 0)
		;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct attributes a;
		if (!f || fscanf(f, " %63[^; \t\n]", word) != 1 || !attributes_parse(word, &a))
			die(path, "after \"attributes\" there are no five stabilities");
		stability_row(parts[i], a);
	}
	fclose(f);
}

/* Of its names, of their data, and their dependency class, as in dtrace -lv. */
static void stability(const char *provider)
{
	const struct provider *const *p = providers;
	while (*p && strcmp((*p)->name, provider) != 0)
		p++;
	if (!*p) {
		stability_of_file(provider);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		stability_row(parts[i], (*p)->attributes[i]);
}

/* The probes that a provider lists everywhere. */
static void probes(const char *provider)
{
	struct probe_db *db = probe_db_new(providers);
	probe_vector found = { 0 };
	struct error *err =
		probe_db_match(db, &(struct probe_desc) { provider, "", "", "" }, &found);
	if (err)
		die(provider, error_text(err));
	for (size_t i = 0; i < found.count; i++) {
		fputs(i ? ",\n\\fB" : "\\fB", stdout);
		put(found.items[i]->name);
		fputs("\\fR", stdout);
	}
	puts(".");
	vector_free(&found);
	probe_db_free(db);
}

/* --- tools: their comments begin with " * NAME - what it does" --- */

static void tool(const char *path)
{
	char line[256] = "";
	FILE *f = fopen(path, "re");
	char *what = NULL;
	while (f && !what && fgets(line, sizeof(line), f))
		what = strncmp(line, " * ", 3) == 0 ? strstr(line, " - ") : NULL;
	if (!what)
		die(path, "no line \" * NAME - what it does\"");
	fclose(f);
	line[strcspn(line, "\n")] = '\0';
	*what = '\0';
	entry(line + strlen(" * "), "", what + strlen(" - "));
}

static void tools(const char *argument)
{
	glob_t files;
	if (glob("toolkit/*.d", 0, NULL, &files) != 0)
		die("toolkit", "no tool is there");
	for (size_t i = 0; i < files.gl_pathc; i++)
		tool(files.gl_pathv[i]);
	globfree(&files);
}

static void call(const char *name, const char *const *types)
{
	char text[256] = "";
	for (; *types; types++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", *types,
			 types[1] ? ", " : "");
	entry(name, "", text);
}

static void calls(const char *argument)
{
#define CALL(name, ...) call(#name, (const char *const[]) { __VA_ARGS__, NULL });
#include "provider/syscall_types.def"
#undef CALL
}

static void tracepoints(const char *argument)
{
#define TRACEPOINT(pattern, why) entry(pattern, "", why);
#include "provider/tracepoint.def"
#undef TRACEPOINT
}

/* For each reason its functions, which are next to each other. */
static void own_path(const char *argument)
{
	static const char *const rows[][2] = {
#define OWN_BEGIN(pattern, why) { pattern, why },
#include "provider/kernel/own_path.def"
	};
	const char *why = "";
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strcmp(rows[i][1], why) == 0) {
			fputs(",\n", stdout);
			put(rows[i][0]);
			continue;
		}
		why = rows[i][1];
		printf("%s.TP\n%s\n", i ? "\n" : "", why);
		put(rows[i][0]);
	}
	putchar('\n');
}

static void counters(const char *argument)
{
#define COUNTER(name, type, config, count, about) entry(name, "", about);
#define COUNTER_PAPI(name, type, config)
#include "provider/counter.def"
#undef COUNTER
}

/* --- translated types: docs/guide/types.md has a section "## TYPE" for each ------------------ */

static const char types_page[] = "docs/guide/types.md";

/* Text of the guide, where `these` are bold. */
static void put_marked(const char *text)
{
	bool is_bold = false;
	for (const char *end; (end = strchr(text, '`')); text = end + 1) {
		auto_free char *piece = mem_printf("%.*s", (int)(end - text), text);
		put(piece);
		fputs(is_bold ? "\\fR" : "\\fB", stdout);
		is_bold = !is_bold;
	}
	put(text);
	putchar('\n');
}

/* "| `name` | `type` | meaning |" */
static void member(char *row)
{
	char *name = strtok(row + strlen("| `"), "`");
	char *type = name ? strtok(NULL, "`") : NULL; /* " | " */
	type = type ? strtok(NULL, "`") : NULL;
	char *text = type ? strtok(NULL, "") : NULL;
	size_t len = text ? strlen(text) : 0;
	if (len < strlen(" | x |"))
		die(types_page, name ? name : "a row without a name");
	text[len - strlen(" |")] = '\0';
	printf(".TP\n\\fB%s\\fR  \\fI", name);
	put(type);
	fputs("\\fR\n", stdout);
	put_marked(text + strlen(" | "));
}

static void translated_type(const char *wanted)
{
	auto_free char *title = mem_printf("## %s\n", wanted);
	char line[1024];
	bool is_here = false, was_found = false;
	FILE *f = fopen(types_page, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "## ", 3) == 0) {
			is_here = strcmp(line, title) == 0;
			was_found |= is_here;
			if (is_here)
				printf(".SS %s\n", wanted);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		if (is_here && strncmp(line, "| `", 3) == 0)
			member(line);
		else if (is_here && *line && *line != '|')
			put_marked(line);
	}
	if (!was_found)
		die(types_page, wanted);
	fclose(f);
}

static const struct {
	const char *name;
	void (*print)(const char *argument); /* which follows the name */
} tables[] = {
	{ "letters", letters },		{ "options", options },
	{ "variables", variables },	{ "actions", actions },
	{ "subroutines", subroutines }, { "aggregators", aggregators },
	{ "stability", stability },	{ "tools", tools },
	{ "probes", probes },		{ "calls", calls },
	{ "tracepoints", tracepoints }, { "own_path", own_path },
	{ "counters", counters },	{ "type", translated_type },
};

static int table(char *line)
{
	char *argument = strchr(line, ' ');
	if (argument)
		*argument++ = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (strcmp(tables[i].name, line) == 0) {
			tables[i].print(argument ? argument : "");
			return 0;
		}
	return -1;
}

int main(int argc, char **argv)
{
	FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!page) {
		fprintf(stderr, "usage: man-pages PAGE.in\n");
		return 2;
	}
	char line[1024];
	for (unsigned number = 1; fgets(line, sizeof(line), page); number++) {
		if (line[0] != '@') {
			fputs(line, stdout);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		if (table(line + 1)) {
			fprintf(stderr, "%s:%u: no such table: %s\n", argv[1], number, line);
			return 1;
		}
	}
	fclose(page);
	return ferror(stdout) != 0;
}
