/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_thread - where the thread-local variables of a file are
 *
 *	                             thread pointer
 *	block of a library | block of the program | control block                  x86_64
 *	          control block | two words | block of the program | of a library    aarch64
 *	               thread pointer
 *
 * The program's block ends at the thread pointer, or begins two words after it, but for its
 * alignment (ELF Handling for Thread-Local Storage).  Code of a library with the initial-exec model
 * (errno in libc) reads the distance from a word that the dynamic linker has filled in.  What
 * machines differ in is in arch/, and passed by the caller.
 */
#include "object/elf/elf_internal.h"

static bool find_segment(const struct elf_file *e, uint32_t type, GElf_Phdr *ret)
{
	for (uint64_t i = 0; elf_program_header(e, i, ret); i++)
		if (ret->p_type == type)
			return true;
	return false;
}

/* A block begins as far after an aligned address as the segment does. */
bool elf_file_program_block(const struct elf_file *e, unsigned control_size, int64_t *ret)
{
	GElf_Phdr p;
	if (e->word != 8 || !find_segment(e, PT_TLS, &p) || (p.p_align & (p.p_align - 1)) ||
	    p.p_memsz > INT32_MAX || p.p_align > INT32_MAX)
		return false;
	uint64_t align = p.p_align ? p.p_align : 1;
	uint64_t lead = (0 - p.p_vaddr) & (align - 1);
	if (control_size)
		*ret = (int64_t)(control_size + ((p.p_vaddr - control_size) & (align - 1)));
	else
		*ret = -(int64_t)((p.p_memsz - MIN(lead, p.p_memsz) + align - 1) / align * align +
				  lead);
	return true;
}

/* What R, of type RELOCATION, adds to the block's distance; false: its word gets another value. */
static bool distance_added(const struct elf_file *e, uint32_t relocation, const Elf64_Rela *r,
			   uint64_t *ret)
{
	struct bytes symbols;
	uint64_t address, at = ELF64_R_SYM(r->r_info);
	Elf64_Sym s = { .st_value = 0, .st_shndx = SHN_ABS };
	if (ELF64_R_TYPE(r->r_info) != relocation)
		return false;
	if (at && (!elf_file_section(e, ".dynsym", &symbols, &address) ||
		   (at + 1) * sizeof(s) > symbols.size))
		return false;
	if (at)
		memcpy(&s, symbols.data + at * sizeof(s), sizeof(s));
	*ret = s.st_value + (uint64_t)r->r_addend;
	return s.st_shndx != SHN_UNDEF;
}

bool elf_file_block_word(const struct elf_file *e, uint32_t relocation, uint64_t *address,
			 uint64_t *plus)
{
	struct bytes list;
	uint64_t where;
	if (e->word != 8 || !elf_file_section(e, ".rela.dyn", &list, &where))
		return false;
	Elf64_Rela r;
	for (const void *p; (p = bytes_take(&list, sizeof(r)));) {
		memcpy(&r, p, sizeof(r));
		if (!distance_added(e, relocation, &r, plus))
			continue;
		*address = r.r_offset;
		return true;
	}
	return false;
}
