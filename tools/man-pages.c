/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * man-pages PAGE.in - a manual page whose tables are ours
 *
 * Prints the page; a line "@letters", "@options KIND", "@variables", "@actions", "@subroutines" or
 * "@aggregators" is replaced by the rows of the table that the compiler itself reads, so the page
 * cannot forget one.  Everything else is roff and stays.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

static void letters(void)
{
	static const struct {
		char letter;
		const char *name, *takes, *text;
	} rows[] = {
#define LETTER(letter, name, takes, option, text) { letter, name, takes ? takes : "", text },
#include "cmd/letter.def"
#undef LETTER
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char tag[32] = { '-', rows[i].letter };
		if (isdigit((unsigned char)rows[i].letter)) {
			strcat(tag, rows[i].takes);
			entry(tag, "", rows[i].text);
			continue;
		}
		strcat(strcat(tag, ", --"), rows[i].name);
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
#include "tracer/option.def"
#undef OPTION
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
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

static void variables(void)
{
#define VARIABLE(name, type, since, attributes, text) entry(#name, " " type, text);
#include "sema/builtin.def"
#undef VARIABLE
}

static void subroutines(void)
{
#define SUBROUTINE(name, prototype, since, attributes, purity, text) entry(prototype, "", text);
#include "sema/builtin.def"
#undef SUBROUTINE
}

static void actions(void)
{
#define ACTION(name, kind, least, most, since, text) entry(#name "()", "", text);
#include "sema/builtin.def"
#undef ACTION
}

static void aggregators(void)
{
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  since, text)                                                                     \
	entry(#name "()", "", text);
#include "abi/aggregate.def"
#undef AGGREGATE
}

static int table(char *line)
{
	char *argument = strchr(line, ' ');
	if (argument)
		*argument++ = '\0';
	if (strcmp(line, "letters") == 0)
		letters();
	else if (strcmp(line, "options") == 0 && argument)
		options(argument);
	else if (strcmp(line, "variables") == 0)
		variables();
	else if (strcmp(line, "subroutines") == 0)
		subroutines();
	else if (strcmp(line, "actions") == 0)
		actions();
	else if (strcmp(line, "aggregators") == 0)
		aggregators();
	else
		return -1;
	return 0;
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
