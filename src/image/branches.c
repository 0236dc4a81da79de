/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branches - where control comes to in a file's code, but for the instruction after another one
 *
 * A jump that a tracer writes over several instructions must not be entered in its middle.  Its
 * function alone does not show that: libc's mempcpy jumps to the third byte of memmove.  So all
 * code of the file is decoded once, and the targets of its jumps, branches and calls are collected,
 * and the first byte of each range of call frame information: of functions and of their parts.
 *
 * Not among them: what tables of switches and of exceptions lead to, and addresses that are
 * computed.  Code of a function that has any of these is the concern of who asks.
 *
 * Data among the code is decoded, too, so there may be targets that are none.  What follows it is
 * decoded right from the next range of frame information on; code without such information, as
 * assembly may be, some instructions later.
 *
 * The targets are bits first, so that they need not be sorted.
 */
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/sort.h"

#define SEGMENTS_MOST 64 /* with code; linkers make one or two */

struct code_segment {
	uint64_t address, offset;
	struct bytes code;
	uint64_t *bits; /* one for each byte, set if it is a target; owned */
};

struct pass {
	const struct arch *arch;
	uint64_t wanted;	/* the target of branches whose own places are collected; */
	offset_vector *sources; /* NULL: of none */
	struct code_segment segments[SEGMENTS_MOST];
	unsigned count;
	const struct frame_range *ranges;
	size_t range_count;
};

/* Words of bits of a segment. */
static size_t bit_words(const struct code_segment *s)
{
	return (s->code.size + 63) / 64;
}

/* --- the code --------------------------------------------------------------------------------- */

static const char *segments_find(const struct elf_file *elf, struct pass *p)
{
	uint64_t offset, address, total = 0;
	for (size_t i = 0; elf_file_segment(elf, i, &offset, &address); i++) {
		if (!elf_file_is_code(elf, address))
			continue;
		if (p->count == SEGMENTS_MOST)
			return "it has too many segments of code";
		struct code_segment s = { .address = address, .offset = offset };
		s.code = elf_file_code(elf, address, BRANCH_CODE_MOST + 1ull);
		total += s.code.size;
		p->segments[p->count++] = s;
		if (total > BRANCH_CODE_MOST)
			return "it has too much code";
	}
	for (unsigned i = 0; i < p->count; i++)
		p->segments[i].bits = mem_zalloc(bit_words(&p->segments[i]) * sizeof(uint64_t) + 1);
	return NULL;
}

/* --- the pass --------------------------------------------------------------------------------- */

static void target_add(struct pass *p, uint64_t address)
{
	for (unsigned i = 0; i < p->count; i++) {
		struct code_segment *s = &p->segments[i];
		uint64_t at = address - s->address;
		if (at < s->code.size)
			s->bits[at / 64] |= 1ull << at % 64;
	}
}

/* Bytes of the instruction at offset AT of S, whose target is added; 1: it is none. */
static uint64_t branch_add(struct pass *p, const struct code_segment *s, uint64_t at)
{
	struct bytes code = bytes_of(s->code.data + at, s->code.size - at);
	struct instruction i = { 0 };
	if (!p->arch->decode(&code, &i) || !i.length)
		return 1;
	if (!instruction_has_target(&i))
		return i.length;
	uint64_t target = s->address + at + (uint64_t)i.target;
	target_add(p, target);
	if (p->sources && target == p->wanted)
		vector_push(p->sources, s->offset + at);
	return i.length;
}

/* The code from AT up to END, where decoding begins anew. */
static void range_decode(struct pass *p, const struct code_segment *s, uint64_t at, uint64_t end)
{
	struct bytes code = bytes_of(s->code.data + at, end - at);
	if (p->sources && !arch_may_branch(p->arch, &code, (int64_t)(p->wanted - s->address - at)))
		return;
	while (at < end)
		at += branch_add(p, s, at);
}

static void segment_decode(struct pass *p, const struct code_segment *s)
{
	size_t next = sorted_until(p->ranges, p->range_count, sizeof(*p->ranges),
				   offsetof(struct frame_range, begin), s->address);
	uint64_t at = 0;
	while (at < s->code.size) {
		while (next < p->range_count && p->ranges[next].begin - s->address <= at)
			next++;
		uint64_t end =
			next < p->range_count ? p->ranges[next].begin - s->address : s->code.size;
		end = MIN(end, s->code.size);
		range_decode(p, s, at, end);
		at = end;
	}
}

/* --- the list --------------------------------------------------------------------------------- */

static size_t targets_count(const struct code_segment *s)
{
	size_t n = 0;
	for (size_t i = 0; i < bit_words(s); i++)
		n += (size_t)__builtin_popcountll(s->bits[i]);
	return n;
}

static void targets_take(const struct code_segment *s, struct branches *to)
{
	for (size_t i = 0; i < bit_words(s); i++)
		for (uint64_t word = s->bits[i]; word; word &= word - 1)
			to->targets[to->count++] =
				s->offset + i * 64 + (uint64_t)__builtin_ctzll(word);
}

/* Segments are in the order of their addresses, mostly also in that of their offsets, and a byte of
 * the file may be in two. */
static void targets_sort(struct branches *b)
{
	size_t kept = 0;
	sort_by_number(b->targets, b->count, sizeof(*b->targets), 0, NULL);
	for (size_t i = 0; i < b->count; i++)
		if (!kept || b->targets[kept - 1] != b->targets[i])
			b->targets[kept++] = b->targets[i];
	b->count = kept;
}

static const char *list_make(const struct pass *p, struct branches *ret)
{
	size_t count = 0;
	for (unsigned i = 0; i < p->count; i++)
		count += targets_count(&p->segments[i]);
	if (count > BRANCH_TARGETS_MOST)
		return "it has too many branches";
	ret->targets = mem_alloc((count + 1) * sizeof(*ret->targets));
	for (unsigned i = 0; i < p->count; i++)
		targets_take(&p->segments[i], ret);
	if (p->count > 1)
		targets_sort(ret);
	return NULL;
}

static const char *pass_run(struct pass *p, struct elf_file *elf)
{
	p->arch = arch_of_program(arch_host(), elf_file_word(elf), elf_file_machine(elf));
	if (!p->arch)
		return "its machine is not known";
	p->ranges = frames_ranges(elf_file_frames(elf), &p->range_count);
	const char *problem = segments_find(elf, p);
	for (size_t i = 0; i < p->range_count && !problem; i++)
		target_add(p, p->ranges[i].begin);
	for (unsigned i = 0; i < p->count && !problem; i++)
		segment_decode(p, &p->segments[i]);
	return problem;
}

static void pass_deinit(struct pass *p)
{
	for (unsigned i = 0; i < p->count; i++)
		free(p->segments[i].bits);
}

const char *branches_find(struct elf_file *elf, struct branches *ret)
{
	struct pass p = { 0 };
	*ret = (struct branches) { 0 };
	const char *problem = pass_run(&p, elf);
	if (!problem)
		problem = list_make(&p, ret);
	pass_deinit(&p);
	return problem;
}

void branches_to(struct elf_file *elf, uint64_t address, offset_vector *ret)
{
	struct pass p = { .wanted = address, .sources = ret };
	pass_run(&p, elf);
	pass_deinit(&p);
}

void branches_free(struct branches *b)
{
	free(b->targets);
	*b = (struct branches) { 0 };
}
