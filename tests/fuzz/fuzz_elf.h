/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_elf - any bytes as a program */
#ifndef TESTS_FUZZ_ELF_H
#define TESTS_FUZZ_ELF_H

#include "fuzz_file.h"
#include "object/object.h"

/* NULL: they are not one. */
static inline struct elf_file *fuzz_elf(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct elf_file *e = NULL;
	if (path)
		error_free(elf_file_open(path, &e));
	return e;
}

#endif
