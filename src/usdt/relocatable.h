/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relocatable - an object that a compiler wrote, changed in place
 *
 * In:   a 64-bit ELF object.
 * Out:  the same with patched code and relocations, more sections, more symbols.
 *
 * What was there keeps its offset; what is new, and tables that grow, come after it, and the table
 * of sections comes last.  New symbols are not local, so they follow all others, and no number
 * changes.
 */
#ifndef USDT_RELOCATABLE_H
#define USDT_RELOCATABLE_H

#include <elf.h>

#include "base/base.h"

struct relocatable;

/* NULL in RET: the file is not an object with sites (LLVM's bit code, no table of symbols). */
MUST_CHECK struct error *relocatable_read(const char *path, struct relocatable **ret);
void relocatable_free(struct relocatable *r);
uint16_t relocatable_machine(const struct relocatable *r);

unsigned relocatable_sections(const struct relocatable *r);
const Elf64_Shdr *relocatable_section(const struct relocatable *r, unsigned index);
/* Its bytes, which may be changed; none if they are not in the file. */
unsigned char *relocatable_body(struct relocatable *r, unsigned index, size_t *size);

unsigned relocatable_symbols(struct relocatable *r);
Elf64_Sym relocatable_symbol(struct relocatable *r, unsigned index);
void relocatable_symbol_set(struct relocatable *r, unsigned index, const Elf64_Sym *s);
const char *relocatable_symbol_name(struct relocatable *r, unsigned index);

/* A weak, hidden symbol that is defined elsewhere; its number. */
unsigned relocatable_refer(struct relocatable *r, const char *name);
/* A new section; its number.  GROUPED: it goes where the section of this number goes. */
unsigned relocatable_add(struct relocatable *r, const char *name, Elf64_Shdr header,
			 const struct strbuf *body, unsigned grouped);

/* Put it in place of the file at PATH. */
MUST_CHECK struct error *relocatable_write(struct relocatable *r, const char *path);

#endif
