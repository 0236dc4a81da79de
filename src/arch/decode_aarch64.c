/* SPDX-License-Identifier: BSD-2-Clause */
/* All instructions have 4 bytes; jumps are recognized by a few masks (Arm ARM, C4.1.66). */
#include "arch/internal.h"

/* BITS bits of I from SHIFT on, as a signed count of instructions. */
static int64_t displacement_in(uint32_t i, unsigned shift, unsigned bits)
{
	return bits ? ((int64_t)((uint64_t)i << (64 - bits - shift)) >> (64 - bits)) * 4 : 0;
}

/*
 * br x16 and br x17 are what tail calls use, so that BTI lets them pass.  Other registers are used
 * by switches, and by tail calls of clang without BTI.  No switch signs its addresses (braa).
 */
static enum flow register_flow(uint32_t i)
{
	unsigned number = i >> 5 & 31;
	bool is_signed = (i & 0xfffffc1f) != 0xd61f0000;
	return number == 16 || number == 17 || is_signed ? FLOW_POINTER : FLOW_TABLE;
}

/* add of a register that is extended, or shifted to the left, by 2 (Arm ARM, C6.2.5, C6.2.7) */
static bool is_scaled_sum(uint32_t i)
{
	return (i & 0xffe01c00) == 0x8b200800 || (i & 0xffe0fc00) == 0x8b000800;
}

/* ldxr, ldaxr and their pairs; stxr, stlxr and theirs, and clrex. */
static int exclusive_of(uint32_t i)
{
	if ((i & 0xfffff0ff) == 0xd503305f)
		return EXCLUSIVE_STORE;
	if ((i & 0x3f800000) != 0x08000000)
		return EXCLUSIVE_NO;
	bool compare_and_swap_pair = (i & 0x80200000) == 0x00200000;
	if (compare_and_swap_pair)
		return EXCLUSIVE_NO;
	return i & 1 << 22 ? EXCLUSIVE_LOAD : EXCLUSIVE_STORE;
}

/* ldr of the general registers (4, 8, 4 bytes), of SIMD's (4, 8, 16); prfm loads nothing. */
static unsigned literal_size_of(uint32_t i)
{
	static const unsigned char sizes[2][4] = { { 4, 8, 4, 0 }, { 4, 8, 16, 0 } };
	return (i & 0x3b000000) == 0x18000000 ? sizes[i >> 26 & 1][i >> 30] : 0;
}

/* Instructions with a displacement from their address, and its place. */
static const struct {
	uint32_t mask, value;
	enum flow flow;
	uint8_t at, bits;
} relative[] = {
	{ 0xfc000000, 0x14000000, FLOW_JUMP, 0, 26 },	/* b */
	{ 0xfc000000, 0x94000000, FLOW_CALL, 0, 26 },	/* bl */
	{ 0xff000000, 0x54000000, FLOW_BRANCH, 5, 19 }, /* b.cond */
	{ 0x7e000000, 0x34000000, FLOW_BRANCH, 5, 19 }, /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, FLOW_BRANCH, 5, 14 }, /* tbz, tbnz */
	{ 0x1f000000, 0x10000000, FLOW_NEXT, 5, 19 },	/* adr, adrp */
	{ 0x3b000000, 0x18000000, FLOW_NEXT, 5, 19 },	/* ldr and prfm of a literal */
};

/* [bti c]; adrp x16, page; ldr x17, [x16, #offset], and so on (Arm ARM, C6.2.12, C6.2.192) */
bool aarch64_stub_pointer(const struct bytes *code, uint64_t address, uint64_t *ret)
{
	const uint32_t bti_c = 0xd503245f;
	struct bytes b = *code;
	uint32_t page = bytes_u32(&b);
	if (page == bti_c) {
		page = bytes_u32(&b);
		address += 4;
	}
	uint32_t load = bytes_u32(&b);
	bool is_page = (page & 0x9f000000) == 0x90000000;
	bool is_load = (load & 0xffc00000) == 0xf9400000 && (load >> 5 & 31) == (page & 31);
	if (b.failed || !is_page || !is_load)
		return false;
	int64_t pages = displacement_in(page, 5, 19) | (page >> 29 & 3);
	*ret = (address & ~(uint64_t)4095) + (uint64_t)(pages * 4096) + (load >> 10 & 4095) * 8;
	return true;
}

bool aarch64_decode(const struct bytes *code, struct instruction *ret)
{
	struct bytes b = *code;
	uint32_t i = bytes_u32(&b);
	if (b.failed)
		return false;
	*ret = (struct instruction) {
		.length = 4,
		.exclusive = exclusive_of(i),
		.is_sum = is_scaled_sum(i),
		.summands = { JUMP_NO_REGISTER, JUMP_NO_REGISTER },
		.address_register = JUMP_NO_REGISTER,
	};
	for (size_t n = 0; n < ARRAY_SIZE(relative) && !ret->displacement_bits; n++)
		if ((i & relative[n].mask) == relative[n].value) {
			ret->flow = relative[n].flow;
			ret->displacement_at = relative[n].at;
			ret->displacement_bits = relative[n].bits;
		}
	int64_t offset = displacement_in(i, ret->displacement_at, ret->displacement_bits);
	ret->target = instruction_has_target(ret) ? offset : 0;
	ret->literal_size = literal_size_of(i);
	ret->literal = ret->literal_size ? offset : 0;
	/* bl; blr, blraa and their kind */
	ret->is_call = ret->flow == FLOW_CALL || (i & 0xfffffc1f) == 0xd63f0000 ||
		       (i & 0xfefff800) == 0xd63f0800;
	if ((i & 0xfffffc1f) == 0xd65f0000 || (i & 0xfffffbff) == 0xd65f0bff)
		ret->flow = FLOW_RETURN; /* ret, retaa, retab */
	else if ((i & 0xfffffc1f) == 0xd61f0000 || (i & 0xfefff800) == 0xd61f0800)
		ret->flow = register_flow(i);
	if ((i & 0xfffffc1f) == 0xd61f0000) /* not braa and its kind: the address is signed */
		ret->operand =
			(struct jump_operand) { true, i >> 5 & 31, JUMP_NO_REGISTER, 0, 0, 0 };
	return true;
}
