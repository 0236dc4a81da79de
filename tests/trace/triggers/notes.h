/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notes - static probes with notes in SystemTap's format, whose operands the test chooses
 *
 *	STATIC_PROBE("prov", "name", "0", "-4@%0 8@%1", "nor"(number), "nor"(pointer));
 *
 * SEMAPHORE: the assembler's name of a uint16_t, or "0".  Operands are the compiler's (%0) or
 * written out (%%rdi).
 */
#ifndef NOTES_H
#define NOTES_H

#define NOTE_BASE                                                                                  \
	".ifndef _.stapsdt.base\n"                                                                 \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                    \
	".weak _.stapsdt.base\n"                                                                   \
	".hidden _.stapsdt.base\n"                                                                 \
	"_.stapsdt.base: .space 1\n"                                                               \
	".size _.stapsdt.base, 1\n"                                                                \
	".popsection\n"                                                                            \
	".endif\n"

#define NOTE(provider, name, semaphore, operands)                                                  \
	"980: nop\n"                                                                               \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                                               \
	".balign 4\n"                                                                              \
	".4byte 982f - 981f, 984f - 983f, 3\n"                                                     \
	"981: .asciz \"stapsdt\"\n"                                                                \
	"982: .balign 4\n"                                                                         \
	"983: .8byte 980b, _.stapsdt.base, " semaphore "\n"                                        \
	".asciz \"" provider "\"\n"                                                                \
	".asciz \"" name "\"\n"                                                                    \
	".asciz \"" operands "\"\n"                                                                \
	"984: .balign 4\n"                                                                         \
	".popsection\n" NOTE_BASE

#define STATIC_PROBE(provider, name, semaphore, operands, ...)                                     \
	__asm__ volatile(NOTE(provider, name, semaphore, operands) : : __VA_ARGS__)

/*
 * Outside of functions: notes of section .note.dtrace (src/object/note/dtrace_note.h).  STRINGS are
 * assembler strings: "\"rx\"".
 *
 *	DECLARED_TEXT("FILE.d");
 *	DECLARED_PROVIDER("\"rx\"");
 *	DECLARED_PROBE("1, 1", "0", "\"rx\", \"go\", \"int n\", \"int n\"");
 */
#define DECLARED_NOTE(type, descriptor)                                                            \
	__asm__(".pushsection .note.dtrace,\"\",\"note\"\n"                                        \
		".balign 4\n"                                                                      \
		".4byte 7, 992f - 991f, " type "\n"                                                \
		".asciz \"DTrace\"\n"                                                              \
		".balign 4\n"                                                                      \
		"991: .2byte 1\n" descriptor "992: .balign 4\n"                                    \
		".popsection\n")
#define DECLARED_PROVIDER(strings)                                                                 \
	DECLARED_NOTE("1", ".2byte 0\n"                                                            \
			   ".byte 5,5,5, 4,4,5, 4,4,5, 6,6,5, 5,5,5, 0\n"                          \
			   ".asciz " strings "\n")
#define DECLARED_PROBE(counts, map, strings)                                                       \
	DECLARED_NOTE("2", ".byte " counts "\n"                                                    \
			   ".byte " map "\n"                                                       \
			   ".balign 4\n"                                                           \
			   ".asciz " strings "\n")
#define DECLARED_TEXT(file)                                                                        \
	DECLARED_NOTE("3", ".2byte 0\n"                                                            \
			   ".4byte 995f - 994f\n"                                                  \
			   "994: .incbin \"" file "\"\n995:\n")

/* volatile unsigned short NAME, which who traces raises. */
#define SEMAPHORE(name) __attribute__((section(".probes"), used)) volatile unsigned short name

#endif
