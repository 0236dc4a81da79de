/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/code_names.h"

#include <string.h>

/*
 * By release; measured by offsetof() in the headers of 3.11.2, 3.11.7, 3.12.1 and 3.13.0
 * (Include/internal/pycore_*.h).
 */
static const struct {
	unsigned major, minor;
	struct cpython_layout layout;
} releases[] = {
	{ 3,
	  11,
	  { .interpreters = 40,
	    .threads = 16,
	    .next_thread = 8,
	    .thread_pointer = 152,
	    .thread_number = 160,
	    .indirect = 56,
	    .current_frame = 8,
	    .code = 32,
	    .previous = 48,
	    .position = 56,
	    .entry_bit = 32,
	    .owner_bit = 40,
	    .names = 112,
	    .first_line = 72,
	    .instructions = 184,
	    .ascii = 48,
	    .compact = 72 } },
	{ 3,
	  12,
	  { .interpreters = 40,
	    .threads = 72,
	    .next_thread = 8,
	    .thread_pointer = 136,
	    .thread_number = 144,
	    .indirect = 56,
	    .previous = 8,
	    .position = 56,
	    .owner_bit = 48,
	    .names = 112,
	    .first_line = 68,
	    .instructions = 192,
	    .ascii = 40,
	    .compact = 56 } },
	{ 3,
	  13,
	  { .interpreters = 632,
	    .next_interpreter = 7264,
	    .threads = 7344,
	    .next_thread = 8,
	    .thread_pointer = 152,
	    .thread_number = 160,
	    .current_frame = 72,
	    .previous = 8,
	    .position = 56,
	    .owner_bit = 48,
	    .names = 112,
	    .first_line = 68,
	    .instructions = 200,
	    .ascii = 40,
	    .compact = 56 } },
};

/* Py_Version: the major and the minor number are its two highest bytes. */
static uint32_t cpython_version(struct elf_file *e)
{
	const struct elf_symbol *s = elf_file_symbol_named(e, "Py_Version");
	struct bytes at = s ? elf_file_code(e, s->address, sizeof(uint64_t)) : (struct bytes) { 0 };
	uint32_t version = 0;
	if (at.size >= sizeof(version))
		memcpy(&version, at.data, sizeof(version));
	return version;
}

struct cpython cpython_of_file(struct elf_file *e)
{
	const struct elf_symbol *runtime = elf_file_symbol_named(e, "_PyRuntime");
	if (!runtime || elf_file_word(e) != 8)
		return (struct cpython) { 0 };
	uint32_t version = cpython_version(e);
	struct cpython found = { .is_here = true,
				 .major = version >> 24,
				 .minor = version >> 16 & 0xff,
				 .runtime = runtime->address };
	for (size_t i = 0; i < ARRAY_SIZE(releases); i++)
		if (releases[i].major == found.major && releases[i].minor == found.minor) {
			found.layout = releases[i].layout;
			found.is_known = true;
		}
	return found;
}

bool cpython_may_be_in(const char *base, size_t len)
{
	return memmem(base, len, "python", strlen("python")) != NULL;
}
