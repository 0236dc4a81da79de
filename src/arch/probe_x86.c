/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/internal.h"

#include <string.h>

static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
static const unsigned char endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
static const unsigned char nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

static bool begins_with(const struct bytes *code, size_t at, const void *text, size_t len)
{
	return at + len <= code->size && memcmp(code->data + at, text, len) == 0;
}

static bool is_plain_push(const struct bytes *code, size_t at)
{
	return at < code->size && (code->data[at] & 0xf8) == 0x50;
}

static bool is_push(const struct bytes *code, size_t at)
{
	if (at + 2 > code->size)
		return false;
	return is_plain_push(code, at) ||
	       (code->data[at] == 0x41 && (code->data[at + 1] & 0xf8) == 0x50);
}

/* How many bytes of AVX come before the opcode that is looked for in the same table (VEX, EVEX). */
static size_t avx_prefix(unsigned char b)
{
	return b == 0xc5 ? 2 : b == 0xc4 ? 3 : b == 0x62 ? 4 : 0;
}

/* Instructions of AVX that cannot be probed, with which functions begin. */
static const struct vector_write {
	unsigned char first;	       /* of the prefix, which says how long it is */
	unsigned char table;	       /* of opcodes, in the second byte of a long prefix */
	unsigned char lowest, highest; /* opcode */
} vector_writes[] = {
	{ 0xc5, 1, 0x6e, 0x6e }, { 0xc4, 1, 0x6e, 0x6e },
	{ 0x62, 1, 0x6e, 0x6e }, /* vmovd, vmovq */
	{ 0xc5, 1, 0xef, 0xef }, { 0xc4, 1, 0xef, 0xef },
	{ 0x62, 1, 0xef, 0xef }, /* vpxor */
	{ 0x62, 2, 0x7a, 0x7c }, /* vpbroadcastb, w, d and q of a general register */
};

/* The size of the instruction if it is one of these, from registers; else 0. */
static unsigned vector_write_size(const struct bytes *code)
{
	const unsigned char *at = code->data;
	size_t prefix = code->size ? avx_prefix(at[0]) : 0;
	if (!prefix || code->size < prefix + 2 || at[prefix + 1] < 0xc0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(vector_writes); i++) {
		const struct vector_write *w = &vector_writes[i];
		bool is_in_table = prefix == 2 || (at[1] & 7) == w->table;
		if (at[0] == w->first && is_in_table && at[prefix] >= w->lowest &&
		    at[prefix] <= w->highest)
			return (unsigned)prefix + 2;
	}
	return 0;
}

/*
 * The kernel emulates pushes and nops, and single-steps endbr64: 600 against 5200 ns for a hit
 * (Linux 6.18 under KVM).  The instruction after endbr64 is reached by the same paths, with the
 * same registers and stack.
 *
 * A 5-byte nop becomes a call on new kernels, which writes below the stack pointer; at a
 * function's entry this memory is unused.
 *
 * What memset() and strchr() of the C library begin with on machines with AVX, a move of a general
 * register to a vector register, cannot be probed (can_probe()); it changes no register that is
 * read at an entry.
 */
unsigned x86_64_entry_site(const struct bytes *code)
{
	unsigned vector = vector_write_size(code);
	if (vector)
		return vector;
	size_t behind = sizeof(endbr64);
	if (!begins_with(code, 0, endbr64, sizeof(endbr64)))
		return 0;
	if (is_push(code, behind) || begins_with(code, behind, "\x90", 1) ||
	    begins_with(code, behind, nop5, sizeof(nop5)))
		return (unsigned)behind;
	return 0;
}

unsigned i386_entry_site(const struct bytes *code)
{
	unsigned vector = vector_write_size(code);
	if (vector && code->data[1] >= 0xc0) /* else les, lds or bound */
		return vector;
	size_t behind = sizeof(endbr32);
	bool is_near = begins_with(code, 0, endbr32, sizeof(endbr32)) &&
		       (is_plain_push(code, behind) || begins_with(code, behind, "\x90", 1));
	return is_near ? (unsigned)behind : 0;
}

#define CALL 0xe8 /* with a 32-bit displacement from its end */
#define CALL_SIZE 5

/* Segment overrides but fs and gs, and lock: refused by the kernel's uprobes on x86. */
static bool is_refused_prefix(unsigned char b)
{
	return b == 0x26 || b == 0x2e || b == 0x36 || b == 0x3e || b == 0xf0;
}

static bool is_prefix(unsigned char b)
{
	return b == 0x66 || b == 0x67 || b == 0xf2 || b == 0xf3 || b == 0x64 || b == 0x65;
}

static bool is_rex(unsigned char b)
{
	return (b & 0xf0) == 0x40;
}

typedef bool opcode_is_fn(unsigned char b);

/* Privileged, in, out, int, and what no compiler writes: pop %es, arpl. */
static bool is_refused_opcode_32(unsigned char b)
{
	static const unsigned char refused[] = {
		0x07, 0x17, 0x1f, 0x63, 0x6c, 0x6d, 0x6e, 0x6f, 0xcc, 0xcd, 0xcf, 0xd6,
		0xe4, 0xe5, 0xe6, 0xe7, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf4, 0xfa, 0xfb,
	};
	return memchr(refused, b, sizeof(refused)) != NULL;
}

/* Privileged, in, out, int, and opcodes without a meaning in 64-bit code. */
static bool is_refused_opcode(unsigned char b)
{
	static const unsigned char refused[] = {
		0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61,
		0x6c, 0x6d, 0x6e, 0x6f, 0x82, 0x9a, 0xcc, 0xcd, 0xce, 0xcf, 0xd4, 0xd5, 0xd6,
		0xe4, 0xe5, 0xe6, 0xe7, 0xea, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf4, 0xfa, 0xfb,
	};
	return memchr(refused, b, sizeof(refused)) != NULL;
}

/*
 * Opcodes of AVX that the kernel emulates as those of the first table: conditional jumps, a nop,
 * jumps and calls (arch/x86/kernel/uprobes.c, branch_setup_ops(); 6.1 to 6.18).  The instruction
 * itself is skipped then: strchrnul() of the C library begins with vpbroadcastb, opcode 7a, and
 * would find nothing any more.  Others are single-stepped, but take what comes next for a
 * return's or popf's (arch_uprobe_analyze_insn()).
 */
static bool is_mistaken_opcode(unsigned char b)
{
	return (b & 0xf0) == 0x70 || b == 0x90 || b == CALL || b == 0xe9 || b == 0xeb ||
	       b == 0x9d || b == 0xc2 || b == 0xc3 || b == 0xca || b == 0xcb || b == 0xff;
}

/* FMA4 of AMD: VEX with opcodes of the third table that the kernel's decoder does not have. */
static bool is_fma4(const struct bytes *code, size_t prefix)
{
	unsigned char opcode = code->data[prefix + 3];
	return code->data[prefix] == 0xc4 && (code->data[prefix + 1] & 31) == 3 &&
	       ((opcode & 0xfc) == 0x5c || (opcode & 0xf8) == 0x68 || (opcode & 0xf8) == 0x78);
}

static bool can_probe(const struct bytes *code, bool has_rex, opcode_is_fn *is_refused)
{
	for (size_t i = 0; i < code->size && i < 15; i++) {
		if (is_refused_prefix(code->data[i]))
			return false;
		if (is_prefix(code->data[i]) || (has_rex && is_rex(code->data[i])))
			continue;
		size_t opcode = i + avx_prefix(code->data[i]);
		return opcode < code->size && !is_refused(code->data[opcode]) &&
		       !(opcode > i && is_mistaken_opcode(code->data[opcode])) &&
		       !(opcode == i + 3 && is_fma4(code, i));
	}
	return false;
}

bool x86_64_can_probe(const struct bytes *code)
{
	return can_probe(code, true, is_refused_opcode);
}

bool i386_can_probe(const struct bytes *code)
{
	return can_probe(code, false, is_refused_opcode_32);
}

/*
 * Pushes, nops, relative jumps and calls (arch/x86/kernel/uprobes.c).  Nops of several bytes are so
 * on new kernels only (6.18, not 6.12); few functions begin with one.
 */
static bool code_is_emulated(const struct bytes *code, bool is_pushed)
{
	size_t at = 0;
	while (at < code->size && code->data[at] == 0x66)
		at++;
	if (begins_with(code, at, "\x90", 1) || begins_with(code, at, "\x0f\x1f", 2))
		return true;
	if (at || !code->size)
		return false;
	unsigned char first = code->data[0];
	bool far_branch = first == 0x0f && code->size > 1 && (code->data[1] & 0xf0) == 0x80;
	return is_pushed || first == CALL || first == 0xe9 || first == 0xeb ||
	       (first & 0xf0) == 0x70 || far_branch;
}

bool x86_64_is_emulated(const struct bytes *code)
{
	return code_is_emulated(code, is_push(code, 0));
}

bool i386_is_emulated(const struct bytes *code)
{
	return code_is_emulated(code, is_plain_push(code, 0));
}

/* mov (%esp), %REGISTER; ret: how position independent code learns where it is. */
bool i386_returns_its_place(const struct bytes *code)
{
	const unsigned char *at = code->data;
	return code->size >= 4 && at[0] == 0x8b && (at[1] & 0xc7) == 0x04 && at[2] == 0x24 &&
	       at[3] == 0xc3;
}

bool x86_64_may_become_call(const struct bytes *code)
{
	return begins_with(code, 0, nop5, sizeof(nop5));
}

/* mov $15, %rax (or %eax); syscall: rt_sigreturn(). */
bool x86_64_is_signal_return(const struct bytes *code)
{
	return begins_with(code, 0, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9) ||
	       begins_with(code, 0, "\xb8\x0f\0\0\0\x0f\x05", 7);
}

/* sub $8, %rsp, perhaps after endbr64, and at the end add $8, %rsp; ret. */
unsigned x86_64_start_push(const struct bytes *code)
{
	static const char push[] = "\x48\x83\xec\x08", end[] = "\x48\x83\xc4\x08\xc3";
	size_t at = begins_with(code, 0, endbr64, sizeof(endbr64)) ? sizeof(endbr64) : 0;
	size_t last = code->size < strlen(end) ? 0 : code->size - strlen(end);
	bool is_known = begins_with(code, at, push, strlen(push)) && last > at &&
			begins_with(code, last, end, strlen(end));
	return is_known ? (unsigned)(at + strlen(push)) : 0;
}

#define BEFORE_MOST 0xa0 /* bytes of the first two of start_functions */
#define TEST_SIZE 10	 /* cmpb $0, DISPLACEMENT(%rip); jne TARGET; push %rbp */
#define LAST_MOST 32	 /* bytes up to the end of the last function, which jumps */

/* The offset of that test; CODE.size: not found. */
static size_t start_test(const struct bytes *code)
{
	for (size_t at = 0; at < BEFORE_MOST && at + TEST_SIZE <= code->size; at++)
		if (begins_with(code, at, "\x80\x3d", 2) &&
		    begins_with(code, at + 6, "\0\x75", 2) && begins_with(code, at + 9, "\x55", 1))
			return at;
	return code->size;
}

bool x86_64_start_functions(const struct bytes *code, struct start_functions *ret)
{
	const unsigned char *bytes = code->data;
	size_t at = start_test(code);
	if (at == code->size)
		return false;
	/* The test goes to the function's last instruction, ret, if it has run before. */
	size_t push = at + TEST_SIZE, last = push - 1 + bytes[at + 8], pop = push;
	while (pop < last && !begins_with(code, pop, "\x5d\xc3", 2))
		pop++;
	if (pop >= last || !begins_with(code, last, "\xc3", 1))
		return false;
	size_t end = last + 1, jump = end;
	while (jump < last + LAST_MOST && jump + 5 <= code->size && bytes[jump] != 0xe9 &&
	       bytes[jump] != 0xeb)
		jump++;
	if (jump < last + LAST_MOST && jump + 5 <= code->size)
		end = jump + (bytes[jump] == 0xe9 ? 5 : 2);
	*ret = (struct start_functions) { (unsigned)push, (unsigned)pop + 1, (unsigned)end };
	return true;
}

/* mov $173, %eax: rt_sigreturn(); pop %eax; mov $119, %eax: sigreturn(); int $0x80. */
bool i386_is_signal_return(const struct bytes *code)
{
	return begins_with(code, 0, "\xb8\xad\0\0\0\xcd\x80", 7) ||
	       begins_with(code, 0, "\x58\xb8\x77\0\0\0\xcd\x80", 8);
}
