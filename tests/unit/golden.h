/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * golden - each DIRECTORY/NAME.d must give NAME.out
 *
 * With GOLDEN_WRITE=1 in the environment the .out files are written.
 */
#ifndef TESTS_UNIT_GOLDEN_H
#define TESTS_UNIT_GOLDEN_H

#include <dirent.h>

#include "base/base.h"
#include "test.h"

/* What script FILE, with this TEXT, gives. */
typedef void golden_fn(const char *file, const struct strbuf *text, struct strbuf *out);

/* One that is missing is empty. */
static inline void golden_read(const char *path, struct strbuf *ret)
{
	error_free(file_read(path, SIZE_MAX, ret));
}

/* The first line that differs, which is easier to find than two whole texts. */
static inline void golden_difference(const char *file, const char *got, const char *wanted)
{
	int line = 1;
	size_t start = 0;
	for (size_t i = 0; got[i] && got[i] == wanted[i]; i++)
		if (got[i] == '\n') {
			line++;
			start = i + 1;
		}
	printf("%s: line %d is\n%.*s\nwanted\n%.*s\n", file, line, (int)strcspn(got + start, "\n"),
	       got + start, (int)strcspn(wanted + start, "\n"), wanted + start);
	test_failed_now = true;
}

static inline void golden_compare(const char *script, const char *got)
{
	auto_free char *path = mem_printf("%.*sout", (int)strlen(script) - 1, script);
	if (getenv("GOLDEN_WRITE")) {
		auto_fclose FILE *f = fopen(path, "w");
		fputs(got, f);
		return;
	}
	auto_strbuf struct strbuf wanted = { 0 };
	golden_read(path, &wanted);
	if (strcmp(got, strbuf_text(&wanted)) != 0)
		golden_difference(script, got, strbuf_text(&wanted));
}

static inline int golden_is_script(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);
	return len > 2 && strcmp(entry->d_name + len - 2, ".d") == 0;
}

/* Call GIVE for each script; COMPARE its output with the .out file. */
static inline int golden_scripts(const char *directory, golden_fn *give, bool compare)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, golden_is_script, alphasort);
	for (int i = 0; i < count; i++) {
		auto_strbuf struct strbuf text = { 0 }, out = { 0 };
		auto_free char *path = mem_printf("%s/%s", directory, entries[i]->d_name);
		golden_read(path, &text);
		give(entries[i]->d_name, &text, &out);
		if (compare)
			golden_compare(path, strbuf_text(&out));
		free(entries[i]);
	}
	free(entries);
	return count;
}

#endif
