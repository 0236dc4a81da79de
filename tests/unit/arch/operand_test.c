/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/operand.h"

#include <string.h>

#include "test.h"

/* "memory 80+16<<3+12 4u": all that an operand says. */
static const char *shown(const struct operand *o)
{
	static char text[160];
	static const char *const kinds[] = { "unreadable", "constant", "register", "memory" };
	int n = snprintf(text, sizeof(text), "%s", kinds[o->kind]);
	if (o->kind == OPERAND_UNREADABLE)
		return text;
	if (o->base != OPERAND_NO_REGISTER)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " at %u", o->base);
	if (o->index != OPERAND_NO_REGISTER)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " and %u<<%u", o->index,
			      o->shift);
	if (o->kind != OPERAND_REGISTER)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %lld", (long long)o->value);
	if (o->symbol)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " of %.*s", (int)o->symbol_length,
			      o->symbol);
	snprintf(text + n, sizeof(text) - (size_t)n, ", %u%c", o->size,
		 o->is_float	? 'f'
		 : o->is_signed ? 's'
				: 'u');
	return text;
}

static const char *only(const struct arch *a, const char *text)
{
	static struct operand operands[OPERANDS_MOST];
	CHECK_INT(operands_parse(a, text, operands), 1);
	return shown(&operands[0]);
}

TEST(x86_constants)
{
	const struct arch *a = &arch_x86_64;
	CHECK_STR(only(a, "-4@$-1"), "constant -1, 4s");
	CHECK_STR(only(a, "4@$-1"), "constant 4294967295, 4u");
	CHECK_STR(only(a, "8@$-1"), "constant -1, 8u");
	CHECK_STR(only(a, "-1@$200"), "constant -56, 1s");
	CHECK_STR(only(a, "8@$0x10"), "constant 16, 8u");
	CHECK_STR(only(a, "-8@$9223372036854775807"), "constant 9223372036854775807, 8s");
	CHECK_STR(only(a, "8@$18446744073709551616"), "unreadable");
	CHECK_STR(only(a, "8@$name"), "unreadable");
}

TEST(x86_registers)
{
	const struct arch *a = &arch_x86_64;
	CHECK_STR(only(a, "8@%rax"), "register at 80, 8u");
	CHECK_STR(only(a, "-4@%eax"), "register at 80, 4s");
	CHECK_STR(only(a, "4@%r14d"), "register at 8, 4u");
	CHECK_STR(only(a, "2@%r8w"), "register at 72, 2u");
	CHECK_STR(only(a, "-1@%sil"), "register at 104, 1s");
	CHECK_STR(only(a, "1@%ah"), "register at 81, 1u");
	CHECK_STR(only(a, "4@%rdi"), "register at 112, 4u"); /* the size before @ counts */
	CHECK_STR(only(a, "8f@%r13"), "register at 16, 8f");
	CHECK_STR(only(a, "8@%rip"), "register at 128, 8u");
	CHECK_STR(only(a, "4@%ah"), "unreadable");
	CHECK_STR(only(a, "8f@%xmm0"), "unreadable");
	CHECK_STR(only(a, "16f@8(%rsp)"), "unreadable");
	CHECK_STR(only(a, "8@%rax8"), "unreadable");
}

TEST(x86_memory)
{
	const struct arch *a = &arch_x86_64;
	CHECK_STR(only(a, "8@(%rbp)"), "memory at 32 0, 8u");
	CHECK_STR(only(a, "-4@-20(%rbp)"), "memory at 32 -20, 4s");
	CHECK_STR(only(a, "8@-4+8(%rsp)"), "memory at 152 4, 8u");
	CHECK_STR(only(a, "8@1-4+8(%rsp)"), "memory at 152 5, 8u");
	CHECK_STR(only(a, "4@0x10(%rax,%rcx)"), "memory at 80 and 88<<0 16, 4u");
	CHECK_STR(only(a, "4@8(%rax,%rcx,8)"), "memory at 80 and 88<<3 8, 4u");
	CHECK_STR(only(a, "4@(,%rcx,4)"), "memory and 88<<2 0, 4u");
	CHECK_STR(only(a, "4@(%rax,%rcx,3)"), "unreadable");
	CHECK_STR(only(a, "8@(%rax"), "unreadable");
	CHECK_STR(only(a, "8@12"), "unreadable");
}

TEST(x86_symbols)
{
	const struct arch *a = &arch_x86_64;
	CHECK_STR(only(a, "-4@NBuffers(%rip)"), "memory at 128 0 of NBuffers, 4s");
	CHECK_STR(only(a, "8@stats+16(%rip)"), "memory at 128 16 of stats, 8u");
	CHECK_STR(only(a, "8@16+stats(%rip)"), "memory at 128 16 of stats, 8u");
	CHECK_STR(only(a, "8@stats-8(%rip)"), "memory at 128 -8 of stats, 8u");
	CHECK_STR(only(a, "8f@.LC0(%rip)"), "memory at 128 0 of .LC0, 8f");
	CHECK_STR(only(a, "8@stats"), "memory 0 of stats, 8u");
	CHECK_STR(only(a, "8@table(,%rax,8)"), "memory and 80<<3 0 of table, 8u");
	CHECK_STR(only(a, "8@a+b(%rip)"), "unreadable");
}

TEST(aarch64_operands)
{
	const struct arch *a = &arch_aarch64;
	CHECK_STR(only(a, "-4@-1"), "constant -1, 4s");
	CHECK_STR(only(a, "4@#12"), "constant 12, 4u");
	CHECK_STR(only(a, "8@x0"), "register at 0, 8u");
	CHECK_STR(only(a, "-4@w30"), "register at 240, 4s");
	CHECK_STR(only(a, "8@sp"), "register at 248, 8u");
	CHECK_STR(only(a, "8@[x19]"), "memory at 152 0, 8u");
	CHECK_STR(only(a, "4@[sp, 40]"), "memory at 248 40, 4u");
	CHECK_STR(only(a, "4@[sp,-8]"), "memory at 248 -8, 4u");
	CHECK_STR(only(a, "4@[x0, #-8]"), "memory at 0 -8, 4u");
	CHECK_STR(only(a, "4@[x0, x1]"), "memory at 0 and 8<<0 0, 4u");
	CHECK_STR(only(a, "4@[x0, x1, lsl 3]"), "memory at 0 and 8<<3 0, 4u");
	CHECK_STR(only(a, "8@x31"), "unreadable");
	CHECK_STR(only(a, "8@x"), "unreadable");
	CHECK_STR(only(a, "8f@d0"), "unreadable");
	CHECK_STR(only(a, "4@[x0, 8"), "unreadable");
}

TEST(strings)
{
	struct operand o[OPERANDS_MOST];
	CHECK_INT(operands_parse(&arch_x86_64, "", o), 0);
	CHECK_INT(operands_parse(&arch_x86_64, "-4@%eax 8@16(%rsp) 1@$7", o), 3);
	CHECK_STR(shown(&o[1]), "memory at 152 16, 8u");
	/* One that is not understood spoils none of the others. */
	CHECK_INT(operands_parse(&arch_x86_64, "8@%st0 8@%rdx", o), 2);
	CHECK_STR(shown(&o[0]), "unreadable");
	CHECK_INT(o[0].text_length, 4);
	CHECK_STR(shown(&o[1]), "register at 96, 8u");
	/* Blanks inside of brackets part nothing. */
	CHECK_INT(operands_parse(&arch_aarch64, "4@[sp, 12] 8@x1", o), 2);
	CHECK_STR(shown(&o[0]), "memory at 248 12, 4u");
	/* Handwritten, without sizes. */
	CHECK_INT(operands_parse(&arch_x86_64, "%rdi  8(%rax) ", o), 2);
	CHECK_STR(shown(&o[1]), "memory at 80 8, 8u");
	CHECK_INT(operands_parse(&arch_x86_64,
				 "1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 1@$1 "
				 "1@$1 1@$1 1@$1 1@$1",
				 o),
		  OPERANDS_MOST);
	CHECK_INT(operands_parse(&arch_x86_64, "- 8@ @ ((", o), 4);
	for (int i = 0; i < 4; i++)
		CHECK_STR(shown(&o[i]), "unreadable");
}

TEST_MAIN
