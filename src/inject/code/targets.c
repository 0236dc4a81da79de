/* SPDX-License-Identifier: BSD-2-Clause */
#include "inject/code/code.h"

#include <elf.h>

#include "base/sort.h"

#define AROUND 96 /* bytes before and after a function that a window may touch, and more */
#define DISTANCES_MOST 8192 /* entries of a table that are read */
#define ADDRESSES_MOST 1024
#define UNSIZED_MOST 4096ull /* bytes of a function whose size is not known */
#define SEQUENCE_SIZE 32     /* of struct rseq_cs (linux/rseq.h) */

static void take_target(struct code_file *f, uint64_t address)
{
	uint64_t offset;
	if (elf_file_offset(f->elf, address, &offset))
		vector_push(&f->targets, offset);
}

/* --- symbols --- */

/* Assembly has functions that begin in others, which other files may call. */
static void take_symbols(struct code_file *f)
{
	const struct elf_symbol *list;
	size_t count = 0;
	auto_error struct error *err = elf_file_symbols(f->elf, &list, &count);
	uint64_t last = UINT64_MAX;
	for (size_t i = 0; !err && i < count; i++)
		if (list[i].address != last && elf_file_is_code(f->elf, list[i].address))
			take_target(f, last = list[i].address);
}

/* --- landing pads (Itanium C++ ABI, level II; the encodings are those of LSB 5, 10.5) --- */

enum { PAD_ULEB = 1, PAD_U2 = 2, PAD_U4 = 3, PAD_U8 = 4, PAD_OMITTED = 0xff };

static uint64_t take_encoded(struct bytes *b, unsigned encoding)
{
	switch (encoding) {
	case PAD_ULEB:
		return bytes_uleb(b);
	case PAD_U2:
		return bytes_u16(b);
	case PAD_U4:
		return bytes_u32(b);
	case PAD_U8:
		return bytes_u64(b);
	default:
		b->failed = true;
		return 0;
	}
}

/* False: the table at ADDRESS, of the function that begins at BEGIN, is not understood. */
static bool add_pads_of(struct code_file *f, uint64_t address, uint64_t begin)
{
	struct bytes b = elf_file_code(f->elf, address, 1u << 20);
	bool has_base = bytes_u8(&b) != PAD_OMITTED;
	if (has_base || b.failed)
		return false;
	if (bytes_u8(&b) != PAD_OMITTED)
		bytes_uleb(&b);
	unsigned encoding = bytes_u8(&b);
	uint64_t size = bytes_uleb(&b);
	struct bytes list = bytes_slice(&b, b.pos, size);
	while (!list.failed && bytes_left(&list)) {
		take_encoded(&list, encoding);
		take_encoded(&list, encoding);
		uint64_t pad = take_encoded(&list, encoding);
		bytes_uleb(&list); /* what is to be done there */
		if (pad && !list.failed)
			take_target(f, begin + pad);
	}
	return !b.failed && !list.failed;
}

static void add_pads(struct code_file *f)
{
	size_t count;
	const struct frames *frames = elf_file_frames(f->elf);
	const struct frame_range *ranges = frames_ranges(frames, &count);
	struct frame_entry e;
	for (size_t i = 0; i < count; i++)
		if (frames_entry(frames, &ranges[i], &e) && e.exceptions)
			f->pads_unknown |= !add_pads_of(f, e.exceptions, ranges[i].begin);
}

/* --- restartable sequences: the thread is sent to their end if it is interrupted in them --- */

static void add_sequences(struct code_file *f)
{
	struct bytes list;
	uint64_t address;
	if (!elf_file_section(f->elf, "__rseq_cs", &list, &address))
		return;
	for (uint64_t i = 0; i + SEQUENCE_SIZE <= list.size; i += SEQUENCE_SIZE) {
		uint64_t words[SEQUENCE_SIZE / 8], begin, handler; /* numbers, first, bytes, last */
		if (elf_file_words(f->elf, address + i, 4, words) < 4 ||
		    !elf_file_offset(f->elf, words[1], &begin) ||
		    !elf_file_offset(f->elf, words[3], &handler))
			continue;
		vector_push(&f->sequences, ((struct address_range) { begin, begin + words[2] }));
		/* its signature is before it */
		vector_push(&f->sequences, ((struct address_range) { handler - 4, handler + 1 }));
	}
}

/* --- the file --- */

void offsets_sort(offset_vector *v)
{
	size_t kept = 0;
	sort_by_number(v->items, v->count, sizeof(*v->items), 0, NULL);
	for (size_t i = 0; i < v->count; i++)
		if (!kept || v->items[kept - 1] != v->items[i])
			v->items[kept++] = v->items[i];
	v->count = kept;
}

/* The linker changes such code after it has reported the library. */
static bool has_text_relocations(const struct elf_file *elf)
{
	struct bytes list;
	uint64_t address;
	bool has = false;
	if (!elf_file_section(elf, ".dynamic", &list, &address))
		return false;
	while (!list.failed && bytes_left(&list) >= sizeof(Elf64_Dyn)) {
		uint64_t tag = bytes_u64(&list), value = bytes_u64(&list);
		has |= tag == DT_TEXTREL || (tag == DT_FLAGS && value & DF_TEXTREL);
	}
	return has;
}

void code_file_init(struct code_file *f, struct image *image, const char *name)
{
	*f = (struct code_file) { .image = image_refer(image), .name = name };
	f->elf = image_elf(image);
	if (!f->elf || elf_file_machine(f->elf) != arch_host()->elf_machine ||
	    elf_file_word(f->elf) != 8)
		f->problem = "its code is not of this machine";
	else if (elf_file_is_go(f->elf))
		f->problem = "the stacks of Go's goroutines are small";
	else if (has_text_relocations(f->elf))
		f->problem = "its code is changed when it is loaded (DT_TEXTREL)";
}

bool code_is_long(const struct code_file *f, uint64_t at)
{
	uint64_t address;
	struct instruction i;
	if (!elf_file_address(f->elf, at, &address))
		return false;
	struct bytes code = elf_file_code(f->elf, address, AROUND);
	return arch_host()->decode(&code, &i) &&
	       i.length >= patch_jump_size(patch_machine(arch_host()));
}

void code_file_targets(struct code_file *f)
{
	bool seeks = !f->problem && !f->has_targets;
	const struct branches *b = seeks ? image_branches(f->image, &f->problem) : NULL;
	if (!b)
		return;
	f->has_targets = true;
	for (size_t i = 0; i < b->count; i++)
		vector_push(&f->targets, b->targets[i]);
	take_symbols(f);
	add_pads(f);
	add_sequences(f);
	offsets_sort(&f->targets);
}

void code_file_deinit(struct code_file *f)
{
	image_release(f->image);
	vector_free(&f->targets);
	vector_free(&f->sequences);
}

/* --- computed jumps of a function --- */

struct computed_jump {
	struct jump_operand operand;
	bool is_plain; /* by one register, or what is in memory where that points */
};

struct jump_search {
	const struct code_file *file;
	struct patch_function *function;
	uint64_t address;    /* link-time, of its first byte */
	bool is_absolute;    /* the file is not position-independent */
	offset_vector *ret;  /* what tables lead to, in the function */
	offset_vector bases; /* link-time addresses that it computes: of tables, labels */
	VECTOR(struct computed_jump) jumps;
};

/* False: TO is not in code, so it is no entry of a table. */
static bool take_table_entry(struct jump_search *s, uint64_t to)
{
	uint64_t offset;
	if (!elf_file_is_code(s->file->elf, to) || !elf_file_offset(s->file->elf, to, &offset))
		return false;
	if (offset > s->function->begin && offset < s->function->end)
		vector_push(s->ret, offset);
	return true;
}

/* Tables may be taken for longer than they are, which does no harm. */
static void take_distances(struct jump_search *s, uint64_t base)
{
	struct bytes b = elf_file_code(s->file->elf, base, DISTANCES_MOST * sizeof(int32_t));
	while (bytes_left(&b) >= sizeof(int32_t))
		if (!take_table_entry(s, base + (uint64_t)(int64_t)bytes_i32(&b)))
			return;
}

static void take_addresses(struct jump_search *s, uint64_t base)
{
	uint64_t words[ADDRESSES_MOST];
	size_t count = elf_file_words(s->file->elf, base, ADDRESSES_MOST, words);
	for (size_t i = 0; i < count && take_table_entry(s, words[i]); i++)
		;
}

static void base_take(struct jump_search *s, uint64_t base)
{
	bool has_addresses = s->is_absolute || elf_file_is_writable(s->file->elf, base);
	if (elf_file_is_code(s->file->elf, base)) { /* a label, for a jump to it */
		take_table_entry(s, base);
		return;
	}
	take_distances(s, base);
	if (has_addresses) /* which the dynamic linker writes */
		take_addresses(s, base);
}

static void base_add(struct jump_search *s, const struct bytes *code, const struct instruction *i,
		     uint64_t address)
{
	int32_t distance;
	if (i->address_register == JUMP_NO_REGISTER || i->displacement_bits != 32)
		return;
	memcpy(&distance, code->data + i->displacement_at / 8, sizeof(distance));
	vector_push(&s->bases, address + i->length + (uint64_t)(int64_t)distance);
}

/* AFTER_SUM: of two registers.  A jump through a pointer at a fixed place, as a stub's, is out of
 * the function. */
static void jump_add(struct jump_search *s, const struct instruction *i, bool after_sum)
{
	const struct jump_operand *o = &i->operand;
	bool is_indexed = o->index != JUMP_NO_REGISTER;
	bool is_fixed = i->flow == FLOW_POINTER && o->is_known && !is_indexed &&
			o->base == JUMP_NO_REGISTER;
	if (i->is_call || i->flow < FLOW_TABLE || is_fixed)
		return;
	bool is_plain =
		i->flow == FLOW_REGISTER ? !after_sum : i->flow == FLOW_POINTER && !is_indexed;
	vector_push(&s->jumps, ((struct computed_jump) { *o, is_plain }));
}

/* False: an instruction is unknown. */
static bool search_jumps(struct jump_search *s)
{
	const struct bytes *all = &s->function->code;
	uint64_t size = s->function->end - s->function->begin;
	bool after_sum = false;
	struct instruction i;
	for (uint64_t at = 0; at < size; at += i.length, after_sum = i.is_sum) {
		struct bytes code = bytes_slice(all, at, all->size - at);
		if (code.failed || !arch_host()->decode(&code, &i))
			return false;
		jump_add(s, &i, after_sum);
		base_add(s, &code, &i, s->address + at);
	}
	return true;
}

/*
 * Is all known that jumps of the function may lead to in it?  A plain one in
 * position-independent code, whose function computes no address of a label or table, has got its
 * destination elsewhere: it calls.
 */
static bool jumps_are_known(struct jump_search *s)
{
	bool known = search_jumps(s);
	for (size_t i = 0; i < s->bases.count && s->jumps.count; i++)
		base_take(s, s->bases.items[i]);
	size_t by_bases = s->ret->count;
	for (size_t i = 0; i < s->jumps.count && known; i++) {
		const struct computed_jump *j = &s->jumps.items[i];
		const struct jump_operand *o = &j->operand;
		size_t before = s->ret->count;
		bool has_table = o->is_known && o->word && o->base == JUMP_NO_REGISTER;
		if (has_table)
			take_addresses(s, (uint64_t)(int64_t)o->displacement);
		known = has_table ? s->ret->count > before
				  : by_bases || (j->is_plain && !s->is_absolute);
	}
	return known;
}

/* --- a function --- */

static bool is_sequence(const struct code_file *f, const struct patch_function *function)
{
	for (size_t i = 0; i < f->sequences.count; i++)
		if (f->sequences.items[i].begin < function->end &&
		    function->begin < f->sequences.items[i].end)
			return true;
	return false;
}

static bool code_is_absolute(const struct code_file *f)
{
	uint64_t offset, address;
	return elf_file_segment(f->elf, 0, &offset, &address) && address != 0;
}

/* The targets near FUNCTION, and those of LOCAL. */
static void targets_merge(const struct code_file *f, struct patch_function *function,
			  offset_vector *local)
{
	size_t i = sorted_until(f->targets.items, f->targets.count, sizeof(uint64_t), 0,
				function->begin > AROUND ? function->begin - AROUND : 0);
	for (; i < f->targets.count && f->targets.items[i] < function->end + AROUND; i++)
		vector_push(local, f->targets.items[i]);
	offsets_sort(local);
	function->targets = local->items;
	function->target_count = local->count;
}

/* Of a function that neither its symbol nor call frame information gives a size, as start files
 * have them: up to what follows. */
static uint64_t size_to_next(const struct code_file *f, uint64_t address)
{
	size_t count = 0, n;
	const struct elf_symbol *list = NULL;
	auto_error struct error *err = elf_file_symbols(f->elf, &list, &count);
	n = err ? 0
		: sorted_until(list, count, sizeof(*list), offsetof(struct elf_symbol, address),
			       address);
	uint64_t end = !err && n < count ? list[n].address : UINT64_MAX;
	const struct frame_range *r = frames_ranges(elf_file_frames(f->elf), &count);
	n = sorted_until(r, count, sizeof(*r), offsetof(struct frame_range, begin), address);
	end = MIN(end, n < count ? r[n].begin : UINT64_MAX);
	bool is_inside = n && address < r[n - 1].end;
	return is_inside ? 0
			 : elf_file_code(f->elf, address, MIN(end - address, UNSIZED_MOST)).size;
}

static uint64_t size_by_frames(const struct code_file *f, uint64_t address)
{
	const struct frame_range *r = frames_at(elf_file_frames(f->elf), address);
	return r && r->begin == address ? r->end - address : size_to_next(f, address);
}

enum patch_refusal code_function(const struct code_file *f, uint64_t begin, uint64_t size,
				 bool with_jumps, offset_vector *local, struct patch_function *ret)
{
	uint64_t address;
	local->count = 0;
	if (!elf_file_address(f->elf, begin, &address))
		return PATCH_UNKNOWN_CODE;
	if (!size)
		size = size_by_frames(f, address);
	*ret = (struct patch_function) { .code = elf_file_code(f->elf, address, size + AROUND),
					 .code_at = begin,
					 .begin = begin,
					 .end = begin + size,
					 .targets = f->targets.items,
					 .target_count = f->targets.count };
	if (!size || ret->code.failed || ret->code.size < size)
		return PATCH_UNKNOWN_CODE;
	if (is_sequence(f, ret))
		return PATCH_RESTARTABLE;
	ret->jumps_anywhere = !f->has_targets;
	if (!with_jumps || !f->has_targets)
		return PATCH_FITS;
	struct jump_search s = { f, ret, address, code_is_absolute(f), local };
	ret->jumps_anywhere = !jumps_are_known(&s) || f->pads_unknown;
	vector_free(&s.bases);
	vector_free(&s.jumps);
	if (local->count)
		targets_merge(f, ret, local);
	return PATCH_FITS;
}
