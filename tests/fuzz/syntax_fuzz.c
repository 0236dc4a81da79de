/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syntax_fuzz - any text may be given to the parser
 *
 *	clang -fsanitize=fuzzer,address,undefined -O1 -g -D_GNU_SOURCE -std=gnu11 -Isrc \
 *		tests/fuzz/syntax_fuzz.c src/syntax/?*.c src/base/?*.c -l:libelf.a -lz -o
 * /tmp/syntax_fuzz /tmp/syntax_fuzz CORPUS tests/golden/syntax
 *
 * The first byte chooses the mode; the tree and the mistakes are printed too.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/syntax.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool fuzz_is_type(void *arg, const char *name)
{
	return name[0] == 't' || strchr(name, '`');
}

static const char *fuzz_set_option(void *arg, const char *name, const char *value)
{
	return value ? "refused" : NULL;
}

static bool fuzz_macro(void *arg, const char *name, int64_t *ret)
{
	*ret = -5;
	return name[0] == 'p';
}

static const char *const fuzz_args[] = { "x.d", "-12", "name", "\"a\\x\"", "int", "" };

static void mistakes_print(struct diagnostics *mistakes)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	diagnostics_print(mistakes, f, "dtrace", true, 20);
	fclose(f);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	bool used[ARRAY_SIZE(fuzz_args)];
	struct syntax_env env = {
		.is_type = fuzz_is_type,
		.set_option = fuzz_set_option,
		.macro = fuzz_macro,
		.args = fuzz_args,
		.arg_count = ARRAY_SIZE(fuzz_args),
		.arg_used = used,
		.default_args = data[0] & 16,
		.allow_empty = data[0] & 32,
	};
	struct syntax_mode mode = {
		.specifier = data[0] & 1,
		.formulas = data[0] & 64,
		.last = (data[0] >> 1) % (PDESC_ID + 1),
	};
	char *text = malloc(size - 1); /* exactly as long, for the sanitizer */
	memcpy(text, data + 1, size - 1);
	struct source src = {
		.name = "x.d",
		.text = text,
		.len = size - 1,
		.kind = mode.specifier ? SOURCE_SPECIFIER : SOURCE_FILE,
	};
	struct arena *arena = arena_new();
	struct diagnostics mistakes = { 0 };
	auto_strbuf struct strbuf out = { 0 };
	const struct program_node *program = syntax_parse(arena, &src, &env, mode, &mistakes);
	syntax_print(program, &out);
	struct error *err = syntax_verify(program, &mistakes);
	if (err) {
		fprintf(stderr, "%s\n", error_text(err));
		abort();
	}
	mistakes_print(&mistakes);
	diagnostics_deinit(&mistakes);
	arena_free(arena);
	free(text);
	return 0;
}
