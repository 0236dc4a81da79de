/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * definition_fuzz - any text as a definition file: a header, an object of 64 and of 32 bits
 *
 *	clang -fsanitize=fuzzer,address,undefined -O1 -g -D_GNU_SOURCE -std=gnu11 -Isrc \
 *		tests/fuzz/definition_fuzz.c src/usdt/?*.c src/syntax/?*.c src/arch/?*.c \
 *		src/base/?*.c src/probe/attributes.c -l:libelf.a -lz -o /tmp/definition_fuzz
 *
 * What has no mistakes gives the same bytes twice.
 */
#include <stdint.h>
#include <string.h>

#include "usdt/usdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void made(const struct definition *d, struct strbuf *ret)
{
	error_free(definition_header(d, "dir/app.d", "out/app.h", ret));
	definition_object(d, "dir/app.d", false, ret);
	definition_object(d, "dir/app.d", true, ret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	const struct source source = { .name = "app.d", .text = text, .len = strlen(text) };
	struct diagnostics mistakes = { 0 };
	struct definition *d = definition_new();
	definition_read(d, &source, &mistakes);
	if (!mistakes.list.count && definition_has_provider(d)) {
		auto_strbuf struct strbuf once = { 0 }, twice = { 0 };
		made(d, &once);
		made(d, &twice);
		if (once.len != twice.len || memcmp(once.text, twice.text, once.len) != 0)
			__builtin_trap();
	}
	diagnostics_deinit(&mistakes);
	definition_free(d);
	free(text);
	return 0;
}
