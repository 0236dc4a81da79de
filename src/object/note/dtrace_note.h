/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace_note - the bytes of section .note.dtrace: types, names and stability of static probes
 *
 * Sites are in .note.stapsdt (object/note/usdt.h); it has no types, no names of arguments, no
 * translators.  These notes have them.  usdt/ writes them (dtrace -h, dtrace -G), and lib/usdt.
 *
 * The section: SHT_NOTE, not allocated, alignment 4.  Each note, in the file's byte order:
 *
 *	u32 7, length of the descriptor (unpadded), type;
 *	"DTrace\0" and a zero byte; the descriptor; zero bytes up to a multiple of 4
 *
 * Descriptors begin with u16 version 1.  A reader passes over notes of other owners, types and
 * versions, and over bytes of a descriptor after what it knows.
 *
 *	PROVIDER  u16 1, u16 flags; u8[5][3] attributes, one zero byte; provider
 *	PROBE     u16 1, u8 native count N, u8 output count X;
 *	          u8 map[X], zero bytes up to a multiple of 4;
 *	          provider, probe, N native parameters, X output parameters
 *	D         u16 1, u16 encoding; u32 length; the text, no NUL (zlib: length is the text's)
 *	BTF       u16 1, u16 0; u32 length; a .BTF blob
 *	DOFREF    reserved
 *
 * Strings are UTF-8 and end in NUL.
 *
 *   attributes  of provider, module, function, name, args, in this order; of each name, data,
 *               class, with the values of enum stability and enum dependency (probe/probe.h),
 *               which are DTrace's own: Internal 0, Private, Obsolete, External, Unstable,
 *               Evolving, Stable, Standard 7; Unknown 0, CPU, Platform, Group, ISA, Common 5.
 *               Not declared: Unstable/Unstable/Common.
 *   probe       as consumers write it, with hyphens: query-start.  Its sites in .note.stapsdt may
 *               have the declared spelling, query__start: both are the same probe.
 *   parameter   a declaration of C without its semicolon, of one line: "int n", "const char *",
 *               "void (*f)(int)".  The name may be missing.  No parameters: N is 0, never "void".
 *   map         output argument i is native argument map[i] (0-based), translated if its type
 *               differs.  A definition without an output list: X equals N, map[i] is i, the
 *               strings are repeated.
 *   D text      the declarations of the definition file as they were written (typedef, struct,
 *               union, enum, inline, translator, #pragma D attributes and binding), in their
 *               order, without its providers: those are PROVIDER and PROBE.  The parameters'
 *               types may be declared here; others are the reader's to find (the file's BTF note,
 *               .BTF, DWARF), and may be unknown.
 *
 * Several D notes of a file: each is a unit of its own, for the PROVIDER notes after it up to the
 * next D note in the section, so that two objects may have different structs of one name.  Notes of
 * PROBE come after their PROVIDER.
 *
 * Linkers put the notes of all objects together: equal notes repeat.  A second note of a
 * provider or probe with other contents is ignored (the first one counts).
 */
#ifndef OBJECT_NOTE_DTRACE_NOTE_H
#define OBJECT_NOTE_DTRACE_NOTE_H

#define DTRACE_NOTE_SECTION ".note.dtrace"
#define DTRACE_NOTE_OWNER "DTrace" /* 7 bytes with its NUL */
#define DTRACE_NOTE_VERSION 1

enum dtrace_note_type {
	DTRACE_NOTE_PROVIDER = 1,
	DTRACE_NOTE_PROBE = 2,
	DTRACE_NOTE_D = 3,
	DTRACE_NOTE_BTF = 4,
	DTRACE_NOTE_DOFREF = 5, /* reserved */
};

enum dtrace_note_flag {
	DTRACE_NOTE_IN_SIGNAL = 1, /* its probes may fire in signal handlers */
};

enum dtrace_note_encoding { DTRACE_NOTE_PLAIN, DTRACE_NOTE_ZLIB };

#define DTRACE_NOTE_PARTS 5	     /* provider, module, function, name, args */
#define DTRACE_NOTE_PARAMETERS 255u  /* of one probe: the counts are bytes */
#define DTRACE_NOTE_LENGTH 65536u    /* of a descriptor; longer ones are not written and not read */
#define DTRACE_NOTE_MOST 4096u	     /* notes that are read of a file */
#define DTRACE_NOTE_BYTES (1u << 20) /* bytes that are read of a file */

#endif
