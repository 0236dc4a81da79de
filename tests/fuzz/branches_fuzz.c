/* SPDX-License-Identifier: BSD-2-Clause */
/* branches_fuzz - any bytes as a program: where its branches lead */
#include "fuzz_elf.h"
#include "image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *e = fuzz_elf(data, size);
	if (!e)
		return 0;
	struct branches b;
	const char *problem = branches_find(e, &b);
	if (problem && b.targets)
		__builtin_trap();
	for (size_t i = 0; i < b.count; i++) {
		uint64_t address;
		if (b.targets[i] >= size || (i && b.targets[i] <= b.targets[i - 1]) ||
		    !elf_file_address(e, b.targets[i], &address))
			__builtin_trap(); /* in the file, sorted */
	}
	branches_free(&b);
	elf_file_free(e);
	return 0;
}
