/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite_fuzz - any bytes as an object on the command line of dtrace -G
 *
 *	clang -fsanitize=fuzzer,address,undefined -O1 -g -D_GNU_SOURCE -std=gnu11 -Isrc \
 *		tests/fuzz/rewrite_fuzz.c src/usdt/?*.c src/syntax/?*.c src/arch/?*.c src/base/?*.c
 *\ src/probe/attributes.c -l:libelf.a -lz -o /tmp/rewrite_fuzz
 *
 * The file has no name, so the last step, to put another file in its place, fails.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "usdt/usdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] = "provider app { probe go(int a, char *b, long, long, long, long, long, "
			   "long, long); probe none(); probe real(double); };";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct source source = { .name = "app.d", .text = text, .len = strlen(text) };
	struct diagnostics mistakes = { 0 };
	struct definition *d = definition_new();
	definition_read(d, &source, &mistakes);
	auto_close int fd = memfd_create("object", MFD_CLOEXEC);
	if (mistakes.list.count || write(fd, data, size) != (ssize_t)size)
		__builtin_trap();
	auto_free char *path = mem_printf("/proc/self/fd/%d", fd);
	error_free(definition_rewrite(d, path));
	auto_strbuf struct strbuf object = { 0 };
	definition_object(d, "app.d", false, &object);
	definition_free(d);
	return 0;
}
