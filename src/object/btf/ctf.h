/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ctf - the functions and types of a file's section .ctf, as BTF
 *
 * CTF is what gcc -gctf writes: types, compressed or not, common ones of all compilations and those
 * of each one, with names in the file's own string tables.  binutils' libctf reads all that, so it
 * does here, loaded when the first such section is asked for.  BTF has the same kinds of types, so
 * the rest of dtrace knows BTF only.
 *
 * Functions are those that ld lists: the ones in the file's dynamic symbol table, so all that a
 * library exports, and of a program those that -rdynamic exports.
 */
#ifndef OBJECT_CTF_H
#define OBJECT_CTF_H

#include "object/object.h"

/* Appends to RET; nothing, if there is no such section. */
MUST_CHECK struct error *ctf_to_btf(const struct elf_file *file, struct strbuf *ret);

#endif
