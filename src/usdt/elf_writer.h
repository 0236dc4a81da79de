/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_writer - a relocatable object, put together from sections and symbols
 *
 * Little-endian, of 64 or 32 bits.  Sections and symbols are in the order of
 * the calls, and nothing else comes in: equal calls give equal bytes.
 *
 * Local symbols, those of groups included, are added before global ones, as the format demands
 * (asserted).
 */
#ifndef USDT_ELF_WRITER_H
#define USDT_ELF_WRITER_H

#include "base/base.h"

struct elf_writer;

struct elf_writer *elf_writer_new(uint16_t machine, bool is_32);
void elf_writer_free(struct elf_writer *w);

struct elf_section {
	const char *name;
	uint32_t type;	/* SHT_* */
	uint64_t flags; /* SHF_* */
	uint64_t align;
};

/* Its number.  BODY is copied; NAME is not. */
unsigned elf_writer_section(struct elf_writer *w, const struct elf_section *s,
			    const struct strbuf *body);
/* The same in a group of its own, of which the linker keeps one for each SIGNATURE. */
unsigned elf_writer_once(struct elf_writer *w, const char *signature, const struct elf_section *s,
			 const struct strbuf *body);

struct elf_symbol_made {
	const char *name;
	unsigned char binding, type, visibility; /* STB_*, STT_*, STV_* */
	uint16_t section;			 /* or SHN_* */
	uint64_t value, size;
};

/* Its number. */
unsigned elf_writer_symbol(struct elf_writer *w, const struct elf_symbol_made *s);

/* Relocations (Elf64_Rela) of section TARGET. */
void elf_writer_relocations(struct elf_writer *w, const char *name, unsigned target,
			    const struct strbuf *relocations);

/* The place of TEXT, added at the end of the names of symbols or sections. */
uint32_t string_table_add(struct strbuf *table, const char *text);

/* All of it, after RET's contents. */
void elf_writer_finish(struct elf_writer *w, struct strbuf *ret);

#endif
