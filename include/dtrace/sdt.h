/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace/sdt.h - static probes (USDT) in C, C++ and assembler
 *
 *	#include <dtrace/sdt.h>
 *	DTRACE_PROBE2(myapp, query__start, query, id);	(or DTRACE_PROBE, which counts them)
 *
 *	if (DTRACE_PROBE_ENABLED(myapp, query__done))
 *		DTRACE_PROBE1(myapp, query__done, costly());
 *
 * A site is a nop and a note in section .note.stapsdt, which dtrace and every other tracer of Linux
 * reads: myapp$target:::query-start.  While nobody traces, it costs the nop.  Arguments are
 * evaluated in any case, each once; DTRACE_PROBE_ENABLED() is true while the probe is traced, by a
 * counter that the kernel keeps (a semaphore, one for the probe in each program or library).
 *
 * Nothing has to be linked, and no file has to be generated.  `dtrace -h -s probes.d` makes macros
 * with names and types from a definition file; they use this header.
 *
 * Source-compatible with SystemTap's <sys/sdt.h>: DTRACE_PROBE ... DTRACE_PROBE12, STAP_PROBE ...
 * STAP_PROBE12, STAP_PROBEV with SDT_USE_VARIADIC, STAP_PROBE_ASM, _SDT_HAS_SEMAPHORES,
 * STAP_SDT_ARG_CONSTRAINT.  If both are included, the first one defines these macros.
 *
 *   DTRACE_SDT_SMALL   a site is one byte (or one instruction), not eleven
 *   DTRACE_SDT_NOP     the assembler text of a site, a string; its first instruction is traced
 *
 * Needs gcc 4.8 or clang; tested on x86_64 and aarch64.
 */
#ifndef _DTRACE_SDT_H
#define _DTRACE_SDT_H

/*
 * The site: on x86 a nop of one byte, which every tracer can use, then one of ten, by which newer
 * kernels can call the tracer instead of trapping.  A nop of five bytes in its place would be
 * unsafe: Linux 6.18 replaces it by a call, which overwrites the red zone of a leaf function.
 */
#ifndef DTRACE_SDT_NOP
#if (defined(__x86_64__) || defined(__i386__)) && !defined(DTRACE_SDT_SMALL)
#define DTRACE_SDT_NOP "nop\n\t.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"
#define _DTRACE_SDT_NOP_ASM                                                                        \
	nop;                                                                                       \
	.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
#else
#define DTRACE_SDT_NOP "nop"
#define _DTRACE_SDT_NOP_ASM nop
#endif
#endif
#ifndef _DTRACE_SDT_NOP_ASM
#define _DTRACE_SDT_NOP_ASM nop
#endif

/* A word of the note: an address of the program. */
#if defined(__LP64__) || defined(_LP64)
#define _DTRACE_SDT_WORD .8byte
#else
#define _DTRACE_SDT_WORD .4byte
#endif

#define _DTRACE_SDT_STRING_OF(...) #__VA_ARGS__
#define _DTRACE_SDT_STRING(...) _DTRACE_SDT_STRING_OF(__VA_ARGS__)
#define _DTRACE_SDT_WORD_TEXT _DTRACE_SDT_STRING(_DTRACE_SDT_WORD)

#ifdef __ASSEMBLER__
/* clang-format off */

/* ---- in assembler: operands as in the note, STAP_PROBE2(p, n, -4@%eax, 8@(%rdi)) ---- */

#ifdef _SDT_HAS_SEMAPHORES
#define _DTRACE_SDT_SEMAPHORE_ASM(symbol) symbol
#else
#define _DTRACE_SDT_SEMAPHORE_ASM(symbol) 0
#endif

#define _DTRACE_SDT_ASM(provider, name, operands)                                                  \
	990: _DTRACE_SDT_NOP_ASM;                                                                  \
	.pushsection .note.stapsdt, "?", "note";                                                   \
	.balign 4;                                                                                 \
	.4byte 992f - 991f, 994f - 993f, 3;                                                        \
	991: .asciz "stapsdt";                                                                     \
	992: .balign 4;                                                                            \
	993: _DTRACE_SDT_WORD 990b;                                                                \
	_DTRACE_SDT_WORD _.stapsdt.base;                                                           \
	_DTRACE_SDT_WORD _DTRACE_SDT_SEMAPHORE_ASM(provider##_##name##_semaphore);                 \
	.asciz #provider;                                                                          \
	.asciz #name;                                                                              \
	.asciz operands;                                                                           \
	994: .balign 4;                                                                            \
	.popsection;                                                                               \
	.ifndef _.stapsdt.base;                                                                    \
	.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat;                       \
	.weak _.stapsdt.base;                                                                      \
	.hidden _.stapsdt.base;                                                                    \
	_.stapsdt.base: .space 1;                                                                  \
	.size _.stapsdt.base, 1;                                                                   \
	.popsection;                                                                               \
	.endif

#define _DTRACE_SDT_ASM_OPERANDS(provider, name, operands) _DTRACE_SDT_ASM(provider, name, operands)
#define STAP_PROBE_ASM(provider, name, ...)                                                        \
	_DTRACE_SDT_ASM_OPERANDS(provider, name, _DTRACE_SDT_STRING(__VA_ARGS__))

#define _DTRACE_SDT_0(p, n) STAP_PROBE_ASM(p, n, )
#define _DTRACE_SDT_1(p, n, a) STAP_PROBE_ASM(p, n, a)
#define _DTRACE_SDT_2(p, n, a, b) STAP_PROBE_ASM(p, n, a b)
#define _DTRACE_SDT_3(p, n, a, b, c) STAP_PROBE_ASM(p, n, a b c)
#define _DTRACE_SDT_4(p, n, a, b, c, d) STAP_PROBE_ASM(p, n, a b c d)
#define _DTRACE_SDT_5(p, n, a, b, c, d, e) STAP_PROBE_ASM(p, n, a b c d e)
#define _DTRACE_SDT_6(p, n, a, b, c, d, e, f) STAP_PROBE_ASM(p, n, a b c d e f)
#define _DTRACE_SDT_7(p, n, a, b, c, d, e, f, g) STAP_PROBE_ASM(p, n, a b c d e f g)
#define _DTRACE_SDT_8(p, n, a, b, c, d, e, f, g, h) STAP_PROBE_ASM(p, n, a b c d e f g h)
#define _DTRACE_SDT_9(p, n, a, b, c, d, e, f, g, h, i) STAP_PROBE_ASM(p, n, a b c d e f g h i)
#define _DTRACE_SDT_10(p, n, a, b, c, d, e, f, g, h, i, j)                                         \
	STAP_PROBE_ASM(p, n, a b c d e f g h i j)
#define _DTRACE_SDT_11(p, n, a, b, c, d, e, f, g, h, i, j, k)                                      \
	STAP_PROBE_ASM(p, n, a b c d e f g h i j k)
#define _DTRACE_SDT_12(p, n, a, b, c, d, e, f, g, h, i, j, k, l)                                   \
	STAP_PROBE_ASM(p, n, a b c d e f g h i j k l)

/* clang-format on */
#else /* C and C++ */

/* ---- what is written about an argument: its size, negative if it is signed, and its place ---- */

/*
 * A number for each argument's type: its size, positive if signed; 64 more, and negative, if it is
 * of floating point.  Negated, it is what the note has.  Arrays and functions count as pointers.
 */
#ifdef __cplusplus

template <typename T> struct _dtrace_sdt_type {
	enum { code = T(-1) < T(1) ? (int)sizeof(T) : -(int)sizeof(T), is_pointer = 0 };
};
template <typename T> struct _dtrace_sdt_type<T *> {
	enum { code = -(int)sizeof(T *), is_pointer = 1 };
};
#if __cplusplus >= 201103L
template <> struct _dtrace_sdt_type<decltype(nullptr)> {
	enum { code = -(int)sizeof(void *), is_pointer = 1 };
};
#endif
template <> struct _dtrace_sdt_type<float> {
	enum { code = -64 - (int)sizeof(float), is_pointer = 0 };
};
template <> struct _dtrace_sdt_type<double> {
	enum { code = -64 - (int)sizeof(double), is_pointer = 0 };
};
template <> struct _dtrace_sdt_type<long double> {
	enum { code = -64 - (int)sizeof(long double), is_pointer = 0 };
};
template <typename T> T _dtrace_sdt_value(T); /* never called: its type has decayed */

#define _DTRACE_SDT_TYPE(x) __typeof__(_dtrace_sdt_value(x))
#define _DTRACE_SDT_CODE(x) (_dtrace_sdt_type<_DTRACE_SDT_TYPE(x)>::code)
#define _DTRACE_SDT_POINTS(x) (_dtrace_sdt_type<_DTRACE_SDT_TYPE(x)>::is_pointer != 0)
#define _DTRACE_SDT_VALUE(x) ((_DTRACE_SDT_TYPE(x))(x))

#else

#define _DTRACE_SDT_VALUE(x) ((void)0, (x)) /* the comma's operand decays and is not promoted */
#define _DTRACE_SDT_POINTER 5		    /* of __builtin_classify_type() */
#define _DTRACE_SDT_REAL 8
#define _DTRACE_SDT_IS(x, class) (__builtin_classify_type(_DTRACE_SDT_VALUE(x)) == (class))
#define _DTRACE_SDT_POINTS(x) _DTRACE_SDT_IS(x, _DTRACE_SDT_POINTER)
#define _DTRACE_SDT_NUMBER(x)                                                                      \
	__typeof__(__builtin_choose_expr(_DTRACE_SDT_IS(x, _DTRACE_SDT_POINTER), 0u,               \
					 _DTRACE_SDT_VALUE(x)))
#define _DTRACE_SDT_SIZE(x) ((int)sizeof(__typeof__(_DTRACE_SDT_VALUE(x))))
#define _DTRACE_SDT_CODE(x)                                                                        \
	(_DTRACE_SDT_IS(x, _DTRACE_SDT_REAL)			  ? -64 - _DTRACE_SDT_SIZE(x)      \
	 : (_DTRACE_SDT_NUMBER(x)) - 1 < (_DTRACE_SDT_NUMBER(x))1 ? _DTRACE_SDT_SIZE(x)            \
								  : -_DTRACE_SDT_SIZE(x))

#endif

/* Where an argument may be: a constant, memory whose address the note can have, a register. */
#ifndef STAP_SDT_ARG_CONSTRAINT
#if defined(__powerpc__)
#define STAP_SDT_ARG_CONSTRAINT nZr
#elif defined(__arm__)
#define STAP_SDT_ARG_CONSTRAINT g
#else
#define STAP_SDT_ARG_CONSTRAINT nor
#endif
#endif
#define _DTRACE_SDT_CONSTRAINT _DTRACE_SDT_STRING(STAP_SDT_ARG_CONSTRAINT)

#define _DTRACE_SDT_OPERAND(k, x)                                                                  \
	[_sdt_s##k] "n"(_DTRACE_SDT_CODE(x)),                                                      \
		[_sdt_a##k] _DTRACE_SDT_CONSTRAINT(_DTRACE_SDT_VALUE(x))

/* "-4@%eax", "8f@(%rax)" */
#define _DTRACE_SDT_TEMPLATE(k)                                                                    \
	".if %n[_sdt_s" #k "] == 68\n\t.ascii \"4f\"\n\t"                                          \
	".elseif %n[_sdt_s" #k "] == 72\n\t.ascii \"8f\"\n\t"                                      \
	".elseif %n[_sdt_s" #k "] > 64\n\t.ascii \"16f\"\n\t"                                      \
	".else\n\t.ascii \"%n[_sdt_s" #k "]\"\n\t.endif\n\t"                                       \
	".ascii \"@%[_sdt_a" #k "]\"\n\t"
#define _DTRACE_SDT_NEXT ".ascii \" \"\n\t"

/* ---- the site and its note ---- */

/*
 * The semaphore's address: 0 unless the program tests the probe somewhere (then a weak symbol is
 * defined there).  With _SDT_HAS_SEMAPHORES the program defines PROVIDER_NAME_semaphore itself.
 */
#ifdef _SDT_HAS_SEMAPHORES
#define _DTRACE_SDT_REFER(semaphore)
#else
#define _DTRACE_SDT_REFER(semaphore)                                                               \
	".weak " semaphore "\n\t"                                                                  \
	".hidden " semaphore "\n\t"
#endif

/* The note has the compiler's operands in AT&T's syntax; nobody could read the other one. */
#if defined(__x86_64__) || defined(__i386__)
#define _DTRACE_SDT_SYNTAX                                                                         \
	"{|.error \"<dtrace/sdt.h>: static probes cannot be compiled with -masm=intel\"}\n\t"
#else
#define _DTRACE_SDT_SYNTAX
#endif

#define _DTRACE_SDT_TEXT(provider, name, semaphore, operands)                                      \
	_DTRACE_SDT_SYNTAX                                                                         \
	"990:\t" DTRACE_SDT_NOP "\n\t"                                                             \
	".pushsection .note.stapsdt,\"?\",\"note\"\n\t"                                            \
	".balign 4\n\t"                                                                            \
	".4byte 992f-991f,994f-993f,3\n"                                                           \
	"991:\t.asciz \"stapsdt\"\n"                                                               \
	"992:\t.balign 4\n"                                                                        \
	"993:\t" _DTRACE_SDT_WORD_TEXT " 990b\n\t" _DTRACE_SDT_WORD_TEXT                           \
	" _.stapsdt.base\n\t" _DTRACE_SDT_REFER(semaphore) _DTRACE_SDT_WORD_TEXT                   \
		" " semaphore "\n\t"                                                               \
		".asciz \"" provider "\"\n\t"                                                      \
		".asciz \"" name "\"\n\t" operands ".byte 0\n"                                     \
		"994:\t.balign 4\n\t"                                                              \
		".popsection\n\t" _DTRACE_SDT_BASE

/* The section by whose address readers find out that a program was moved after its link. */
#define _DTRACE_SDT_BASE                                                                           \
	".ifndef _.stapsdt.base\n\t"                                                               \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n\t"                  \
	".weak _.stapsdt.base\n\t"                                                                 \
	".hidden _.stapsdt.base\n"                                                                 \
	"_.stapsdt.base:\t.space 1\n\t"                                                            \
	".size _.stapsdt.base,1\n\t"                                                               \
	".popsection\n\t"                                                                          \
	".endif\n"

/* The text is long, its code short: inlining shall count the code. */
#if !defined(__clang__) && __GNUC__ >= 9
#define _DTRACE_SDT_ASM __asm__ __inline__ __volatile__
#else
#define _DTRACE_SDT_ASM __asm__ __volatile__
#endif

/*
 * Tracers read what pointers point to, so what was stored before the site must be in memory there;
 * without pointers the compiler may keep all in registers.  The condition is a constant.
 */
#define _DTRACE_SDT_EMIT(provider, name, semaphore, template, has_pointer, operands)               \
	do {                                                                                       \
		if (has_pointer)                                                                   \
			_DTRACE_SDT_ASM(_DTRACE_SDT_TEXT(provider, name, semaphore, template)      \
					:                                                          \
					: operands                                                 \
					: "memory");                                               \
		else                                                                               \
			_DTRACE_SDT_ASM(_DTRACE_SDT_TEXT(provider, name, semaphore, template)      \
					:                                                          \
					: operands);                                               \
	} while (0)

#define _DTRACE_SDT_T1 _DTRACE_SDT_TEMPLATE(1)
#define _DTRACE_SDT_T2 _DTRACE_SDT_T1 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(2)
#define _DTRACE_SDT_T3 _DTRACE_SDT_T2 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(3)
#define _DTRACE_SDT_T4 _DTRACE_SDT_T3 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(4)
#define _DTRACE_SDT_T5 _DTRACE_SDT_T4 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(5)
#define _DTRACE_SDT_T6 _DTRACE_SDT_T5 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(6)
#define _DTRACE_SDT_T7 _DTRACE_SDT_T6 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(7)
#define _DTRACE_SDT_T8 _DTRACE_SDT_T7 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(8)
#define _DTRACE_SDT_T9 _DTRACE_SDT_T8 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(9)
#define _DTRACE_SDT_T10 _DTRACE_SDT_T9 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(10)
#define _DTRACE_SDT_T11 _DTRACE_SDT_T10 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(11)
#define _DTRACE_SDT_T12 _DTRACE_SDT_T11 _DTRACE_SDT_NEXT _DTRACE_SDT_TEMPLATE(12)

#define _DTRACE_SDT_O1(a) _DTRACE_SDT_OPERAND(1, a)
#define _DTRACE_SDT_O2(a, b) _DTRACE_SDT_O1(a), _DTRACE_SDT_OPERAND(2, b)
#define _DTRACE_SDT_O3(a, b, c) _DTRACE_SDT_O2(a, b), _DTRACE_SDT_OPERAND(3, c)
#define _DTRACE_SDT_O4(a, b, c, d) _DTRACE_SDT_O3(a, b, c), _DTRACE_SDT_OPERAND(4, d)
#define _DTRACE_SDT_O5(a, b, c, d, e) _DTRACE_SDT_O4(a, b, c, d), _DTRACE_SDT_OPERAND(5, e)
#define _DTRACE_SDT_O6(a, b, c, d, e, f) _DTRACE_SDT_O5(a, b, c, d, e), _DTRACE_SDT_OPERAND(6, f)
#define _DTRACE_SDT_O7(a, b, c, d, e, f, g)                                                        \
	_DTRACE_SDT_O6(a, b, c, d, e, f), _DTRACE_SDT_OPERAND(7, g)
#define _DTRACE_SDT_O8(a, b, c, d, e, f, g, h)                                                     \
	_DTRACE_SDT_O7(a, b, c, d, e, f, g), _DTRACE_SDT_OPERAND(8, h)
#define _DTRACE_SDT_O9(a, b, c, d, e, f, g, h, i)                                                  \
	_DTRACE_SDT_O8(a, b, c, d, e, f, g, h), _DTRACE_SDT_OPERAND(9, i)
#define _DTRACE_SDT_O10(a, b, c, d, e, f, g, h, i, j)                                              \
	_DTRACE_SDT_O9(a, b, c, d, e, f, g, h, i), _DTRACE_SDT_OPERAND(10, j)
#define _DTRACE_SDT_O11(a, b, c, d, e, f, g, h, i, j, k)                                           \
	_DTRACE_SDT_O10(a, b, c, d, e, f, g, h, i, j), _DTRACE_SDT_OPERAND(11, k)
#define _DTRACE_SDT_O12(a, b, c, d, e, f, g, h, i, j, k, l)                                        \
	_DTRACE_SDT_O11(a, b, c, d, e, f, g, h, i, j, k), _DTRACE_SDT_OPERAND(12, l)

#define _DTRACE_SDT_P1(a) _DTRACE_SDT_POINTS(a)
#define _DTRACE_SDT_P2(a, b) _DTRACE_SDT_P1(a) || _DTRACE_SDT_POINTS(b)
#define _DTRACE_SDT_P3(a, b, c) _DTRACE_SDT_P2(a, b) || _DTRACE_SDT_POINTS(c)
#define _DTRACE_SDT_P4(a, b, c, d) _DTRACE_SDT_P3(a, b, c) || _DTRACE_SDT_POINTS(d)
#define _DTRACE_SDT_P5(a, b, c, d, e) _DTRACE_SDT_P4(a, b, c, d) || _DTRACE_SDT_POINTS(e)
#define _DTRACE_SDT_P6(a, b, c, d, e, f) _DTRACE_SDT_P5(a, b, c, d, e) || _DTRACE_SDT_POINTS(f)
#define _DTRACE_SDT_P7(a, b, c, d, e, f, g)                                                        \
	_DTRACE_SDT_P6(a, b, c, d, e, f) || _DTRACE_SDT_POINTS(g)
#define _DTRACE_SDT_P8(a, b, c, d, e, f, g, h)                                                     \
	_DTRACE_SDT_P7(a, b, c, d, e, f, g) || _DTRACE_SDT_POINTS(h)
#define _DTRACE_SDT_P9(a, b, c, d, e, f, g, h, i)                                                  \
	_DTRACE_SDT_P8(a, b, c, d, e, f, g, h) || _DTRACE_SDT_POINTS(i)
#define _DTRACE_SDT_P10(a, b, c, d, e, f, g, h, i, j)                                              \
	_DTRACE_SDT_P9(a, b, c, d, e, f, g, h, i) || _DTRACE_SDT_POINTS(j)
#define _DTRACE_SDT_P11(a, b, c, d, e, f, g, h, i, j, k)                                           \
	_DTRACE_SDT_P10(a, b, c, d, e, f, g, h, i, j) || _DTRACE_SDT_POINTS(k)
#define _DTRACE_SDT_P12(a, b, c, d, e, f, g, h, i, j, k, l)                                        \
	_DTRACE_SDT_P11(a, b, c, d, e, f, g, h, i, j, k) || _DTRACE_SDT_POINTS(l)

/* Sites by number of arguments; provider, name and the semaphore's symbol are strings. */
#define _DTRACE_SDT_SITE0(p, n, s) _DTRACE_SDT_EMIT(p, n, s, "", 0, )
#define _DTRACE_SDT_SITE1(p, n, s, a)                                                              \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T1, _DTRACE_SDT_P1(a), _DTRACE_SDT_O1(a))
#define _DTRACE_SDT_SITE2(p, n, s, a, b)                                                           \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T2, _DTRACE_SDT_P2(a, b), _DTRACE_SDT_O2(a, b))
#define _DTRACE_SDT_SITE3(p, n, s, a, b, c)                                                        \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T3, _DTRACE_SDT_P3(a, b, c), _DTRACE_SDT_O3(a, b, c))
#define _DTRACE_SDT_SITE4(p, n, s, a, b, c, d)                                                     \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T4, _DTRACE_SDT_P4(a, b, c, d),                      \
			 _DTRACE_SDT_O4(a, b, c, d))
#define _DTRACE_SDT_SITE5(p, n, s, a, b, c, d, e)                                                  \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T5, _DTRACE_SDT_P5(a, b, c, d, e),                   \
			 _DTRACE_SDT_O5(a, b, c, d, e))
#define _DTRACE_SDT_SITE6(p, n, s, a, b, c, d, e, f)                                               \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T6, _DTRACE_SDT_P6(a, b, c, d, e, f),                \
			 _DTRACE_SDT_O6(a, b, c, d, e, f))
#define _DTRACE_SDT_SITE7(p, n, s, a, b, c, d, e, f, g)                                            \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T7, _DTRACE_SDT_P7(a, b, c, d, e, f, g),             \
			 _DTRACE_SDT_O7(a, b, c, d, e, f, g))
#define _DTRACE_SDT_SITE8(p, n, s, a, b, c, d, e, f, g, h)                                         \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T8, _DTRACE_SDT_P8(a, b, c, d, e, f, g, h),          \
			 _DTRACE_SDT_O8(a, b, c, d, e, f, g, h))
#define _DTRACE_SDT_SITE9(p, n, s, a, b, c, d, e, f, g, h, i)                                      \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T9, _DTRACE_SDT_P9(a, b, c, d, e, f, g, h, i),       \
			 _DTRACE_SDT_O9(a, b, c, d, e, f, g, h, i))
#define _DTRACE_SDT_SITE10(p, n, s, a, b, c, d, e, f, g, h, i, j)                                  \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T10, _DTRACE_SDT_P10(a, b, c, d, e, f, g, h, i, j),  \
			 _DTRACE_SDT_O10(a, b, c, d, e, f, g, h, i, j))
#define _DTRACE_SDT_SITE11(p, n, s, a, b, c, d, e, f, g, h, i, j, k)                               \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T11,                                                 \
			 _DTRACE_SDT_P11(a, b, c, d, e, f, g, h, i, j, k),                         \
			 _DTRACE_SDT_O11(a, b, c, d, e, f, g, h, i, j, k))
#define _DTRACE_SDT_SITE12(p, n, s, a, b, c, d, e, f, g, h, i, j, k, l)                            \
	_DTRACE_SDT_EMIT(p, n, s, _DTRACE_SDT_T12,                                                 \
			 _DTRACE_SDT_P12(a, b, c, d, e, f, g, h, i, j, k, l),                      \
			 _DTRACE_SDT_O12(a, b, c, d, e, f, g, h, i, j, k, l))

/*
 * Is the probe traced?  The counter is defined next to the test, once in each program or library.
 * VARIABLE: a name in C; it has the symbol SEMAPHORE.
 */
#define _DTRACE_SDT_ENABLED(variable, semaphore)                                                   \
	__extension__({                                                                            \
		extern unsigned short _dtrace_##variable __asm__(semaphore)                        \
			__attribute__((visibility("hidden")));                                     \
		_DTRACE_SDT_ASM(_DTRACE_SDT_COUNTER(semaphore)::);                                 \
		__builtin_expect(*(const volatile unsigned short *)&_dtrace_##variable != 0, 0) != \
			0;                                                                         \
	})

#ifdef _SDT_HAS_SEMAPHORES
#define _DTRACE_SDT_COUNTER(semaphore) ""
#else
#define _DTRACE_SDT_COUNTER(semaphore)                                                             \
	".ifndef " semaphore "\n\t"                                                                \
	".pushsection .probes,\"awG\",\"progbits\"," semaphore ",comdat\n\t"                       \
	".balign 2\n\t"                                                                            \
	".weak " semaphore "\n\t"                                                                  \
	".hidden " semaphore "\n\t"                                                                \
	".type " semaphore ",STT_OBJECT\n\t"                                                       \
	".size " semaphore ",2\n" semaphore ":\t.zero 2\n\t"                                       \
	".popsection\n\t"                                                                          \
	".endif\n"
#endif

/*
 * For headers of dtrace -h: types and names of PROVIDER's probes, bytes in the assembler's syntax,
 * once in each program or library.  Readers of other byte orders do without them.
 */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define _DTRACE_SDT_NOTES(provider, bytes)                                                         \
	__asm__(".ifndef .Ldtrace." provider "\n\t"                                                \
		".set .Ldtrace." provider ",1\n\t"                                                 \
		".pushsection .note.dtrace,\"G\",\"note\",.note.dtrace." provider ",comdat\n\t"    \
		".balign 4\n\t" bytes ".popsection\n\t"                                            \
		".endif\n");
#else
#define _DTRACE_SDT_NOTES(provider, bytes)
#endif

/* ---- by names ---- */

#define _DTRACE_SDT_SEMAPHORE(p, n) _DTRACE_SDT_STRING(p##_##n##_semaphore)

#define _DTRACE_SDT_0(p, n)                                                                        \
	_DTRACE_SDT_SITE0(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n), _DTRACE_SDT_SEMAPHORE(p, n))
#define _DTRACE_SDT_1(p, n, a)                                                                     \
	_DTRACE_SDT_SITE1(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a)
#define _DTRACE_SDT_2(p, n, a, b)                                                                  \
	_DTRACE_SDT_SITE2(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b)
#define _DTRACE_SDT_3(p, n, a, b, c)                                                               \
	_DTRACE_SDT_SITE3(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c)
#define _DTRACE_SDT_4(p, n, a, b, c, d)                                                            \
	_DTRACE_SDT_SITE4(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d)
#define _DTRACE_SDT_5(p, n, a, b, c, d, e)                                                         \
	_DTRACE_SDT_SITE5(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e)
#define _DTRACE_SDT_6(p, n, a, b, c, d, e, f)                                                      \
	_DTRACE_SDT_SITE6(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f)
#define _DTRACE_SDT_7(p, n, a, b, c, d, e, f, g)                                                   \
	_DTRACE_SDT_SITE7(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f, g)
#define _DTRACE_SDT_8(p, n, a, b, c, d, e, f, g, h)                                                \
	_DTRACE_SDT_SITE8(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f, g, h)
#define _DTRACE_SDT_9(p, n, a, b, c, d, e, f, g, h, i)                                             \
	_DTRACE_SDT_SITE9(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                            \
			  _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f, g, h, i)
#define _DTRACE_SDT_10(p, n, a, b, c, d, e, f, g, h, i, j)                                         \
	_DTRACE_SDT_SITE10(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                           \
			   _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f, g, h, i, j)
#define _DTRACE_SDT_11(p, n, a, b, c, d, e, f, g, h, i, j, k)                                      \
	_DTRACE_SDT_SITE11(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                           \
			   _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f, g, h, i, j, k)
#define _DTRACE_SDT_12(p, n, a, b, c, d, e, f, g, h, i, j, k, l)                                   \
	_DTRACE_SDT_SITE12(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                           \
			   _DTRACE_SDT_SEMAPHORE(p, n), a, b, c, d, e, f, g, h, i, j, k, l)

#define DTRACE_PROBE_ENABLED(p, n) _DTRACE_SDT_ENABLED_OF(p, n, _DTRACE_SDT_SEMAPHORE(p, n))
#define _DTRACE_SDT_ENABLED_OF(p, n, semaphore) _DTRACE_SDT_ENABLED(p##_##n##_semaphore, semaphore)

/* ---- inside of assembler that the program writes itself ---- */

#ifndef _SYS_SDT_H

/*
 *	__asm__ volatile("..." STAP_PROBE_ASM(prov, name, STAP_PROBE_ASM_TEMPLATE(2))
 *			 : : STAP_PROBE_ASM_OPERANDS(2, a, b));
 */
#define STAP_PROBE_ASM(p, n, ...)                                                                  \
	_DTRACE_SDT_TEXT(_DTRACE_SDT_STRING(p), _DTRACE_SDT_STRING(n),                             \
			 _DTRACE_SDT_SEMAPHORE(p, n),                                              \
			 ".ascii \"" _DTRACE_SDT_STRING(__VA_ARGS__) "\"\n\t")
#define STAP_PROBE_ASM_TEMPLATE(k) _DTRACE_SDT_ASM_T##k
#define STAP_PROBE_ASM_OPERANDS(k, ...) _DTRACE_SDT_ASM_O##k(__VA_ARGS__)
/* clang-format off */
#define _DTRACE_SDT_ASM_T0
#define _DTRACE_SDT_ASM_T1 %n[_sdt_s1]@%[_sdt_a1]
#define _DTRACE_SDT_ASM_T2 _DTRACE_SDT_ASM_T1 %n[_sdt_s2]@%[_sdt_a2]
#define _DTRACE_SDT_ASM_T3 _DTRACE_SDT_ASM_T2 %n[_sdt_s3]@%[_sdt_a3]
#define _DTRACE_SDT_ASM_T4 _DTRACE_SDT_ASM_T3 %n[_sdt_s4]@%[_sdt_a4]
#define _DTRACE_SDT_ASM_T5 _DTRACE_SDT_ASM_T4 %n[_sdt_s5]@%[_sdt_a5]
#define _DTRACE_SDT_ASM_T6 _DTRACE_SDT_ASM_T5 %n[_sdt_s6]@%[_sdt_a6]
#define _DTRACE_SDT_ASM_T7 _DTRACE_SDT_ASM_T6 %n[_sdt_s7]@%[_sdt_a7]
#define _DTRACE_SDT_ASM_T8 _DTRACE_SDT_ASM_T7 %n[_sdt_s8]@%[_sdt_a8]
#define _DTRACE_SDT_ASM_T9 _DTRACE_SDT_ASM_T8 %n[_sdt_s9]@%[_sdt_a9]
#define _DTRACE_SDT_ASM_T10 _DTRACE_SDT_ASM_T9 %n[_sdt_s10]@%[_sdt_a10]
#define _DTRACE_SDT_ASM_T11 _DTRACE_SDT_ASM_T10 %n[_sdt_s11]@%[_sdt_a11]
#define _DTRACE_SDT_ASM_T12 _DTRACE_SDT_ASM_T11 %n[_sdt_s12]@%[_sdt_a12]
/* clang-format on */
#define _DTRACE_SDT_ASM_O0()
#define _DTRACE_SDT_ASM_O1 _DTRACE_SDT_O1
#define _DTRACE_SDT_ASM_O2 _DTRACE_SDT_O2
#define _DTRACE_SDT_ASM_O3 _DTRACE_SDT_O3
#define _DTRACE_SDT_ASM_O4 _DTRACE_SDT_O4
#define _DTRACE_SDT_ASM_O5 _DTRACE_SDT_O5
#define _DTRACE_SDT_ASM_O6 _DTRACE_SDT_O6
#define _DTRACE_SDT_ASM_O7 _DTRACE_SDT_O7
#define _DTRACE_SDT_ASM_O8 _DTRACE_SDT_O8
#define _DTRACE_SDT_ASM_O9 _DTRACE_SDT_O9
#define _DTRACE_SDT_ASM_O10 _DTRACE_SDT_O10
#define _DTRACE_SDT_ASM_O11 _DTRACE_SDT_O11
#define _DTRACE_SDT_ASM_O12 _DTRACE_SDT_O12

#endif

#endif /* C and C++ */

#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

/* With any number of arguments after the probe's name. */
#define DTRACE_PROBE(p, ...)                                                                       \
	_DTRACE_SDT_NAME(_DTRACE_SDT_, _DTRACE_SDT_COUNT(__VA_ARGS__))(p, __VA_ARGS__)
#define _DTRACE_SDT_NAME(prefix, count) _DTRACE_SDT_NAME_OF(prefix, count)
#define _DTRACE_SDT_NAME_OF(prefix, count) prefix##count
#define _DTRACE_SDT_COUNT(...)                                                                     \
	_DTRACE_SDT_THIRTEENTH(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, )
#define _DTRACE_SDT_THIRTEENTH(n, a, b, c, d, e, f, g, h, i, j, k, l, count, ...) count

#define STAP_PROBE(p, n) _DTRACE_SDT_0(p, n)
#define STAP_PROBE1(p, n, a) _DTRACE_SDT_1(p, n, a)
#define DTRACE_PROBE1(p, n, a) _DTRACE_SDT_1(p, n, a)
#define STAP_PROBE2(p, n, a, b) _DTRACE_SDT_2(p, n, a, b)
#define DTRACE_PROBE2(p, n, a, b) _DTRACE_SDT_2(p, n, a, b)
#define STAP_PROBE3(p, n, a, b, c) _DTRACE_SDT_3(p, n, a, b, c)
#define DTRACE_PROBE3(p, n, a, b, c) _DTRACE_SDT_3(p, n, a, b, c)
#define STAP_PROBE4(p, n, a, b, c, d) _DTRACE_SDT_4(p, n, a, b, c, d)
#define DTRACE_PROBE4(p, n, a, b, c, d) _DTRACE_SDT_4(p, n, a, b, c, d)
#define STAP_PROBE5(p, n, a, b, c, d, e) _DTRACE_SDT_5(p, n, a, b, c, d, e)
#define DTRACE_PROBE5(p, n, a, b, c, d, e) _DTRACE_SDT_5(p, n, a, b, c, d, e)
#define STAP_PROBE6(p, n, a, b, c, d, e, f) _DTRACE_SDT_6(p, n, a, b, c, d, e, f)
#define DTRACE_PROBE6(p, n, a, b, c, d, e, f) _DTRACE_SDT_6(p, n, a, b, c, d, e, f)
#define STAP_PROBE7(p, n, a, b, c, d, e, f, g) _DTRACE_SDT_7(p, n, a, b, c, d, e, f, g)
#define DTRACE_PROBE7(p, n, a, b, c, d, e, f, g) _DTRACE_SDT_7(p, n, a, b, c, d, e, f, g)
#define STAP_PROBE8(p, n, a, b, c, d, e, f, g, h) _DTRACE_SDT_8(p, n, a, b, c, d, e, f, g, h)
#define DTRACE_PROBE8(p, n, a, b, c, d, e, f, g, h) _DTRACE_SDT_8(p, n, a, b, c, d, e, f, g, h)
#define STAP_PROBE9(p, n, a, b, c, d, e, f, g, h, i) _DTRACE_SDT_9(p, n, a, b, c, d, e, f, g, h, i)
#define DTRACE_PROBE9(p, n, a, b, c, d, e, f, g, h, i)                                             \
	_DTRACE_SDT_9(p, n, a, b, c, d, e, f, g, h, i)
#define STAP_PROBE10(p, n, a, b, c, d, e, f, g, h, i, j)                                           \
	_DTRACE_SDT_10(p, n, a, b, c, d, e, f, g, h, i, j)
#define DTRACE_PROBE10(p, n, a, b, c, d, e, f, g, h, i, j)                                         \
	_DTRACE_SDT_10(p, n, a, b, c, d, e, f, g, h, i, j)
#define STAP_PROBE11(p, n, a, b, c, d, e, f, g, h, i, j, k)                                        \
	_DTRACE_SDT_11(p, n, a, b, c, d, e, f, g, h, i, j, k)
#define DTRACE_PROBE11(p, n, a, b, c, d, e, f, g, h, i, j, k)                                      \
	_DTRACE_SDT_11(p, n, a, b, c, d, e, f, g, h, i, j, k)
#define STAP_PROBE12(p, n, a, b, c, d, e, f, g, h, i, j, k, l)                                     \
	_DTRACE_SDT_12(p, n, a, b, c, d, e, f, g, h, i, j, k, l)
#define DTRACE_PROBE12(p, n, a, b, c, d, e, f, g, h, i, j, k, l)                                   \
	_DTRACE_SDT_12(p, n, a, b, c, d, e, f, g, h, i, j, k, l)

#ifdef SDT_USE_VARIADIC
#define STAP_PROBEV(p, ...) DTRACE_PROBE(p, __VA_ARGS__)
#endif

#endif /* _SYS_SDT_H */

#endif /* _DTRACE_SDT_H */
