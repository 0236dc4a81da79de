/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_internal - shared by elf.c, elf_symbols.c, elf_names.c and debugdata.c */
#ifndef OBJECT_ELF_ELF_INTERNAL_H
#define OBJECT_ELF_ELF_INTERNAL_H

#include <gelf.h>

#include "base/mapped_file.h"
#include "object/object.h"

struct elf_file {
	struct bytes image;
	struct mapped_file mapped; /* or zeros: the image is a copy */
	Elf *elf;		   /* libelf's view of the image */
	unsigned word;		   /* bytes of an address: 8, or 4 of a 32-bit file */
	GElf_Ehdr header;
	VECTOR(GElf_Phdr) segments; /* PT_LOAD only */
	bool symbols_read, has_symtab;
	VECTOR(struct elf_symbol) symbols;
	VECTOR(struct elf_thread_local) thread_locals;
	uint64_t *highest_end; /* of symbols[0 ... i] */
	bool has_unscoped;     /* a function that is_mangled_unscoped() */
	uint32_t *by_name;  /* elf_names.c: number of a symbol + 1, 0: free; NULL: not made yet */
	size_t names_slots; /* of by_name, a power of two */
	unsigned walks;	    /* over the symbols, in search of a name */
	bool sought_go, is_go;
	struct arena *names; /* those that are not in the image as they are; or NULL */
	size_t names_size;
	struct elf_file *debugdata; /* contains the names of symbols; NULL: there is none */
	struct frames *frames;	    /* frames.h; NULL: not read yet */
	elf_separate_fn *separate;  /* NULL: separate files are not searched */
	void *separate_arg;
};

/* A copy of BYTES as a file that messages call NAME. */
MUST_CHECK struct error *elf_file_of_bytes(const void *bytes, size_t size, const char *name,
					   struct elf_file **ret);
/* The file in .gnu_debugdata, or NULL: there is none, or it is damaged.  Owned by the caller. */
struct elf_file *elf_debugdata_open(const struct elf_file *e);

/* The section header at INDEX; false: it is not in the file. */
bool elf_section_at(const struct elf_file *e, uint64_t index, GElf_Shdr *ret);
/* The program header at INDEX; false: it is not in the file. */
bool elf_program_header(const struct elf_file *e, uint64_t index, GElf_Phdr *ret);
/* The segment that ADDRESS is in, or NULL. */
const GElf_Phdr *elf_segment_of(const struct elf_file *e, uint64_t address);

/* By its binding: 0 global, 1 weak, 2 local. */
int elf_symbol_rank(const struct elf_symbol *s);

#endif
