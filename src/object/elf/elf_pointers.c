/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_pointers - tables of pointers in a file, as the dynamic linker makes them
 *
 * In position-independent files the pointers of data are relocations: "the address where the file
 * is loaded, plus a number".  The numbers are in .rela.dyn, not in the data; with packed
 * relocations (.relr.dyn) they are in the data itself.
 */
#include "object/elf/elf_internal.h"

static bool is_relative(const struct elf_file *e, const Elf64_Rela *r)
{
	uint64_t type = ELF64_R_TYPE(r->r_info);
	return e->header.e_machine == EM_X86_64	   ? type == R_X86_64_RELATIVE
	       : e->header.e_machine == EM_AARCH64 ? type == R_AARCH64_RELATIVE
						   : false;
}

static void relocate(const struct elf_file *e, uint64_t address, size_t count, uint64_t *words)
{
	struct bytes list;
	uint64_t where;
	if (!elf_file_section(e, ".rela.dyn", &list, &where))
		return;
	Elf64_Rela r;
	for (const void *p; (p = bytes_take(&list, sizeof(r)));) {
		memcpy(&r, p, sizeof(r));
		uint64_t index = (r.r_offset - address) / 8;
		if (is_relative(e, &r) && index < count && r.r_offset % 8 == address % 8)
			words[index] = (uint64_t)r.r_addend;
	}
}

size_t elf_file_words(const struct elf_file *e, uint64_t address, size_t count, uint64_t *ret)
{
	if (e->word != 8 || count > SIZE_MAX / 8)
		return 0; /* one of 32 bits, or no such memory */
	struct bytes there = elf_file_code(e, address, count * 8);
	count = there.size / 8;
	if (count)
		memcpy(ret, there.data, count * 8);
	relocate(e, address, count, ret);
	return count;
}

/* --- symbols --- */

static bool is_symbols(const struct elf_file *e, const Elf64_Rela *r)
{
	uint64_t type = ELF64_R_TYPE(r->r_info);
	return e->header.e_machine == EM_X86_64
		       ? type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT
	       : e->header.e_machine == EM_AARCH64
		       ? type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT
		       : false;
}

/* The name of number INDEX of .dynsym; NULL: it has none. */
static const char *dynamic_name(const struct elf_file *e, uint64_t index)
{
	struct bytes symbols, strings;
	uint64_t where;
	Elf64_Sym symbol;
	if (!elf_file_section(e, ".dynsym", &symbols, &where) ||
	    !elf_file_section(e, ".dynstr", &strings, &where))
		return NULL;
	struct bytes at = bytes_slice(&symbols, index * sizeof(symbol), sizeof(symbol));
	const void *p = bytes_take(&at, sizeof(symbol));
	if (!p)
		return NULL;
	memcpy(&symbol, p, sizeof(symbol));
	struct bytes name = bytes_slice(&strings, symbol.st_name, strings.size - symbol.st_name);
	return symbol.st_name < strings.size && memchr(name.data, 0, name.size)
		       ? (const char *)name.data
		       : NULL;
}

const char *elf_file_pointer_symbol(const struct elf_file *e, uint64_t address)
{
	static const char *const lists[] = { ".rela.plt", ".rela.dyn" };
	for (size_t i = 0; i < ARRAY_SIZE(lists) && e->word == 8; i++) {
		struct bytes list;
		uint64_t where;
		Elf64_Rela r;
		if (!elf_file_section(e, lists[i], &list, &where))
			continue;
		for (const void *p; (p = bytes_take(&list, sizeof(r)));) {
			memcpy(&r, p, sizeof(r));
			if (r.r_offset == address && is_symbols(e, &r))
				return dynamic_name(e, ELF64_R_SYM(r.r_info));
		}
	}
	return NULL;
}
