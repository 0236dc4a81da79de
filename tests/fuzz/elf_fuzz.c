/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_fuzz - any bytes as an ELF file: segments, symbols, code */
#include "fuzz_elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The sum of the code's bytes: reads them all. */
static size_t ask(struct elf_file *e, uint64_t address)
{
	uint64_t n;
	elf_file_symbol_at(e, address);
	elf_file_address(e, address, &n);
	if (elf_file_offset(e, address, &n))
		elf_file_address(e, n, &n);
	struct bytes code = elf_file_code(e, address, 64);
	uint64_t words[8];
	size_t sum = elf_file_words(e, address, ARRAY_SIZE(words), words);
	for (size_t i = 0; i < code.size; i++)
		sum += code.data[i];
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *e = fuzz_elf(data, size);
	if (!e)
		return 0;
	const struct elf_symbol *s;
	size_t count, seen = 0;
	error_free(elf_file_symbols(e, &s, &count));
	for (size_t i = 0; i < count && i < 100; i++) {
		seen += strlen(s[i].name);
		seen += ask(e, s[i].address) + ask(e, s[i].address + s[i].size);
	}
	seen += ask(e, elf_file_entry(e)) + ask(e, UINT64_MAX);
	elf_file_free(e);
	return seen == SIZE_MAX;
}
