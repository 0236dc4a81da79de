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

static bool is_symbols(const struct elf_file *e, const GElf_Rela *r)
{
	uint64_t type = GELF_R_TYPE(r->r_info);
	switch (e->header.e_machine) {
	case EM_X86_64:
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
	case EM_AARCH64:
		return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
	case EM_386:
		return type == R_386_JMP_SLOT || type == R_386_GLOB_DAT;
	default:
		return false;
	}
}

/* The next relocation of LIST; 32-bit machines have the addend in the word itself. */
static bool relocation_next(const struct elf_file *e, struct bytes *list, GElf_Rela *ret)
{
	if (e->word == 4) {
		ret->r_offset = bytes_u32(list);
		uint32_t info = bytes_u32(list);
		ret->r_info = GELF_R_INFO((uint64_t)ELF32_R_SYM(info), ELF32_R_TYPE(info));
		return !list->failed;
	}
	const void *p = bytes_take(list, sizeof(*ret));
	if (p)
		memcpy(ret, p, sizeof(*ret));
	return p;
}

/* A walk over the pointers to symbols, from zeros on. */
struct pointers {
	size_t lists;
	struct bytes list;
};

static bool pointers_next(const struct elf_file *e, struct pointers *p, GElf_Rela *ret)
{
	static const char *const narrow[] = { ".rel.plt", ".rel.dyn" };
	static const char *const wide[] = { ".rela.plt", ".rela.dyn" };
	uint64_t where;
	for (;;) {
		while (relocation_next(e, &p->list, ret))
			if (is_symbols(e, ret))
				return true;
		if (p->lists == ARRAY_SIZE(wide))
			return false;
		const char *name = (e->word == 4 ? narrow : wide)[p->lists++];
		if (!elf_file_section(e, name, &p->list, &where))
			p->list = bytes_of(NULL, 0);
	}
}

/* The name of number INDEX of .dynsym; NULL: it has none. */
static const char *dynamic_name(const struct elf_file *e, uint64_t index)
{
	struct bytes symbols, strings;
	uint64_t where, size = e->word == 4 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	if (!elf_file_section(e, ".dynsym", &symbols, &where) ||
	    !elf_file_section(e, ".dynstr", &strings, &where))
		return NULL;
	struct bytes at = bytes_slice(&symbols, index * size, size);
	uint32_t first = bytes_u32(&at); /* st_name */
	struct bytes name = bytes_slice(&strings, first, strings.size - first);
	return !at.failed && first < strings.size && memchr(name.data, 0, name.size)
		       ? (const char *)name.data
		       : NULL;
}

const char *elf_file_pointer_symbol(const struct elf_file *e, uint64_t address)
{
	struct pointers walk = { 0 };
	GElf_Rela r;
	while (pointers_next(e, &walk, &r))
		if (r.r_offset == address)
			return dynamic_name(e, GELF_R_SYM(r.r_info));
	return NULL;
}

bool elf_file_symbol_pointer(const struct elf_file *e, const char *name, uint64_t *ret)
{
	struct pointers walk = { 0 };
	GElf_Rela r;
	while (pointers_next(e, &walk, &r)) {
		const char *symbol = dynamic_name(e, GELF_R_SYM(r.r_info));
		if (!symbol || strcmp(symbol, name) != 0)
			continue;
		*ret = r.r_offset;
		return true;
	}
	return false;
}
