/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_internal - what elf.c and elf_symbols.c share */
#ifndef OBJECT_ELF_INTERNAL_H
#define OBJECT_ELF_INTERNAL_H

#include <elf.h>

#include "object/object.h"

struct elf_file {
	struct bytes image;
	Elf64_Ehdr header;
	VECTOR(Elf64_Phdr) segments; /* PT_LOAD only */
	bool symbols_read, has_symtab;
	VECTOR(struct elf_symbol) symbols;
	VECTOR(const char *) thread_locals; /* names */
	uint64_t *highest_end;		    /* of symbols[0 ... i] */
};

/* The section header at INDEX; false: it is not in the file. */
bool elf_section_at(const struct elf_file *e, uint64_t index, Elf64_Shdr *ret);
uint64_t elf_section_count(const struct elf_file *e);
/* The segment that ADDRESS is in, or NULL. */
const Elf64_Phdr *elf_segment_of(const struct elf_file *e, uint64_t address);

#endif
