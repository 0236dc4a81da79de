/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/frames/frames.h"

#include "base/sort.h"

struct frames {
	unsigned word; /* bytes of an address */
	struct bytes section;
	uint64_t address; /* of the section */
	VECTOR(struct frame_range) ranges;
	uint64_t damage; /* the offset of the first damaged entry, or UINT64_MAX */
};

/* --- encoded pointers (LSB 5, 10.5) --- */

enum {
	POINTER_ABSOLUTE = 0x00,
	POINTER_ULEB = 0x01,
	POINTER_U16 = 0x02,
	POINTER_U32 = 0x03,
	POINTER_U64 = 0x04,
	POINTER_SLEB = 0x09,
	POINTER_I16 = 0x0a,
	POINTER_I32 = 0x0b,
	POINTER_I64 = 0x0c,
	POINTER_FORM = 0x0f,
	POINTER_RELATIVE = 0x10, /* to the place where it is written */
	POINTER_BASE = 0x70,
	POINTER_INDIRECT = 0x80,
	POINTER_OMITTED = 0xff,
};

static uint64_t take_form(struct bytes *b, unsigned form, unsigned word)
{
	switch (form) {
	case POINTER_ABSOLUTE:
		return word == 4 ? bytes_u32(b) : bytes_u64(b);
	case POINTER_U64:
	case POINTER_I64:
		return bytes_u64(b);
	case POINTER_ULEB:
		return bytes_uleb(b);
	case POINTER_SLEB:
		return (uint64_t)bytes_sleb(b);
	case POINTER_U16:
		return bytes_u16(b);
	case POINTER_I16:
		return (uint64_t)(int16_t)bytes_u16(b);
	case POINTER_U32:
		return bytes_u32(b);
	case POINTER_I32:
		return (uint64_t)bytes_i32(b);
	default:
		b->failed = true;
		return 0;
	}
}

/*
 * B's first byte is at the link-time ADDRESS of F's file.  Bases other than the place itself are
 * not used.
 */
static uint64_t take_pointer(const struct frames *f, struct bytes *b, uint64_t address,
			     unsigned encoding)
{
	uint64_t place = address + b->pos;
	uint64_t value = take_form(b, encoding & POINTER_FORM, f->word);
	unsigned base = encoding & POINTER_BASE;
	if (encoding & POINTER_INDIRECT || (base && base != POINTER_RELATIVE))
		b->failed = true;
	value = base && value ? value + place : value;
	return f->word == 4 ? (uint32_t)value : value;
}

/* --- entries --- */

struct cie {
	uint64_t code_factor, return_column;
	int64_t data_factor;
	unsigned pointers, exceptions; /* how these are encoded */
	bool has_augmentation, is_signal_frame;
	struct bytes instructions;
};

/* The entry at AT, after its length: at its id.  False: no more, or damaged. */
static bool entry_at(const struct frames *f, uint64_t at, struct bytes *ret, uint64_t *next)
{
	struct bytes all = f->section;
	if (at > all.size)
		return false;
	all.pos = at;
	uint64_t len = bytes_u32(&all);
	if (len == UINT32_MAX)
		len = bytes_u64(&all);
	if (all.failed || len > bytes_left(&all))
		return false;
	*next = all.pos + len;
	/* From the section's begin, so that places are addresses. */
	*ret = bytes_slice(&f->section, 0, all.pos + len);
	ret->pos = all.pos;
	return true;
}

static struct bytes frame_bytes_rest(struct bytes *b)
{
	return bytes_slice(b, b->pos, bytes_left(b));
}

/*
 * "zPLR": the kinds of the data after it.  Their length is known, so an unknown letter is
 * harmless.
 */
static void read_augmentation(const struct frames *f, struct bytes *b, const char *letters,
			      struct cie *c)
{
	struct bytes data = bytes_slice(b, 0, b->pos);
	uint64_t len = bytes_uleb(b);
	data.pos = b->pos;
	if (!bytes_take(b, len))
		return;
	data.size = b->pos;
	for (; *letters && !data.failed; letters++) {
		switch (*letters) {
		case 'L':
			c->exceptions = bytes_u8(&data);
			break;
		case 'R':
			c->pointers = bytes_u8(&data);
			break;
		case 'P': /* its value is not needed here */
			take_form(&data, bytes_u8(&data) & POINTER_FORM, f->word);
			break;
		case 'S':
			c->is_signal_frame = true;
			break;
		default:
			return;
		}
	}
	b->failed |= data.failed;
}

/*
 * Each entry of a file may read the same common one: a hostile one of megabytes would take hours.
 * Compilers write 4 letters and 8 bytes.
 */
#define LETTERS_MOST 16
#define COMMON_MOST 1024

static bool cie_read(const struct frames *f, uint64_t at, struct cie *ret)
{
	struct bytes b;
	uint64_t next;
	if (!entry_at(f, at, &b, &next) || bytes_u32(&b) != 0)
		return false;
	unsigned version = bytes_u8(&b);
	const char *letters = bytes_string_at(&b, b.pos);
	if (!letters || (version != 1 && version != 3 && version != 4))
		return false;
	size_t letters_size = strnlen(letters, LETTERS_MOST) + 1;
	if (letters_size > LETTERS_MOST)
		return false;
	bytes_take(&b, letters_size);
	if (version == 4 && (bytes_u8(&b) != f->word || bytes_u8(&b) != 0)) /* address, segment */
		return false;
	*ret = (struct cie) { .exceptions = POINTER_OMITTED };
	ret->code_factor = bytes_uleb(&b);
	ret->data_factor = bytes_sleb(&b);
	ret->return_column = version == 1 ? bytes_u8(&b) : bytes_uleb(&b);
	ret->has_augmentation = *letters == 'z';
	if (*letters && !ret->has_augmentation)
		return false; /* without a length the next entry is not found */
	if (ret->has_augmentation)
		read_augmentation(f, &b, letters + 1, ret);
	ret->instructions = frame_bytes_rest(&b);
	return !b.failed && bytes_left(&ret->instructions) <= COMMON_MOST;
}

/* Does the state change at the first byte already? */
static bool begins_unchanged(struct bytes instructions)
{
	enum { NOP = 0, ADVANCE1 = 2, ADVANCE4 = 4, ADVANCE = 1 };
	unsigned op = NOP;
	while (op == NOP && bytes_left(&instructions))
		op = bytes_u8(&instructions);
	return op == NOP || op >> 6 == ADVANCE || (op >= ADVANCE1 && op <= ADVANCE4);
}

/* Where the FDE that B is at its id of has its CIE; false: it is a CIE itself, or damaged. */
static bool cie_of(struct bytes *b, uint64_t *ret)
{
	uint64_t place = b->pos;
	uint32_t back = bytes_u32(b);
	*ret = place - back;
	return !b->failed && back && back <= place;
}

static bool fde_read(const struct frames *f, const struct cie *c, struct bytes b,
		     struct frame_entry *ret)
{
	*ret = (struct frame_entry) {
		.code_factor = c->code_factor,
		.data_factor = c->data_factor,
		.return_column = c->return_column,
		.is_signal_frame = c->is_signal_frame,
		.initial = c->instructions,
	};
	ret->begin = take_pointer(f, &b, f->address, c->pointers);
	uint64_t size = take_form(&b, c->pointers & POINTER_FORM, f->word);
	if (c->has_augmentation) {
		uint64_t len = bytes_uleb(&b), after = b.pos + len;
		if (len > bytes_left(&b))
			return false;
		if (c->exceptions != POINTER_OMITTED && len)
			ret->exceptions = take_pointer(f, &b, f->address, c->exceptions);
		b.pos = after;
	}
	ret->instructions = frame_bytes_rest(&b);
	ret->begins_as_its_function = begins_unchanged(ret->instructions);
	ret->end = ret->begin + size;
	return !b.failed && size && ret->end > ret->begin;
}

bool frames_entry(const struct frames *f, const struct frame_range *range, struct frame_entry *ret)
{
	struct bytes b;
	uint64_t next, at;
	struct cie c;
	return entry_at(f, range->at, &b, &next) && cie_of(&b, &at) && cie_read(f, at, &c) &&
	       fde_read(f, &c, b, ret);
}

bool frames_is_function(const struct frames *f, const struct frame_range *range)
{
	struct frame_entry e;
	return frames_entry(f, range, &e) && e.begins_as_its_function && !e.is_signal_frame;
}

/* --- ranges --- */

/* Neighbours mostly have the same CIE. */
struct last_cie {
	uint64_t at;
	bool known, good;
	struct cie cie;
};

static void note_damage(struct frames *f, uint64_t at)
{
	f->damage = MIN(f->damage, at);
}

/* B, at its id: a CIE? */
static bool is_common_entry(struct bytes b)
{
	return bytes_u32(&b) == 0 && !b.failed;
}

static void frames_add_range(struct frames *f, struct last_cie *last, uint64_t at, struct bytes b)
{
	uint64_t cie;
	struct frame_entry entry;
	if (is_common_entry(b))
		return;
	if (!cie_of(&b, &cie)) {
		note_damage(f, at);
		return;
	}
	if (!last->known || last->at != cie) {
		last->good = cie_read(f, cie, &last->cie);
		last->known = true;
		last->at = cie;
		if (!last->good)
			note_damage(f, at);
	}
	/* FDEs of code that the linker removed are at 0. */
	if (last->good && fde_read(f, &last->cie, b, &entry) && entry.begin)
		vector_push(&f->ranges,
			    ((struct frame_range) { entry.begin, entry.end, (uint32_t)at }));
}

/* An entry without bytes ends the section for a loader; linkers leave such ones in the middle. */
static void frames_read_ranges(struct frames *f, bool ends_at_empty)
{
	struct last_cie last = { 0 };
	struct bytes b;
	uint64_t at = 0, next;
	for (; at < UINT32_MAX && entry_at(f, at, &b, &next); at = next) {
		if (bytes_left(&b))
			frames_add_range(f, &last, at, b);
		else if (ends_at_empty)
			break;
	}
	/* The header does not say where the section ends. */
	if (!ends_at_empty && at < f->section.size)
		note_damage(f, at);
	sort_by_number(f->ranges.items, f->ranges.count, sizeof(*f->ranges.items),
		       offsetof(struct frame_range, begin), NULL);
}

/* The header that a loader finds says where the section is: up to the end of its segment. */
static bool find_by_header(const struct elf_file *elf, struct frames *f)
{
	uint64_t address;
	struct bytes b = elf_file_frame_header(elf, &address);
	unsigned version = bytes_u8(&b), pointer = bytes_u8(&b);
	bytes_take(&b, 2);
	f->address = take_pointer(f, &b, address, pointer);
	if (b.failed || version != 1)
		return false;
	f->section = elf_file_code(elf, f->address, SIZE_MAX);
	return true;
}

const struct frames frames_none = { .word = 8, .damage = UINT64_MAX };

struct frames *frames_read(const struct elf_file *elf)
{
	struct frames *f = mem_zalloc(sizeof(*f));
	f->word = elf ? elf_file_word(elf) : 8;
	f->damage = UINT64_MAX;
	if (elf && elf_file_section(elf, ".eh_frame", &f->section, &f->address))
		frames_read_ranges(f, false);
	else if (elf && find_by_header(elf, f))
		frames_read_ranges(f, true);
	return f;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	vector_free(&f->ranges);
	free(f);
}

const struct frame_range *frames_ranges(const struct frames *f, size_t *count)
{
	*count = f->ranges.count;
	return f->ranges.items;
}

uint64_t frames_damage(const struct frames *f)
{
	return f->damage;
}

size_t frames_memory(const struct frames *f)
{
	return f->ranges.capacity * sizeof(*f->ranges.items);
}

const struct frame_range *frames_at(const struct frames *f, uint64_t address)
{
	size_t until = vector_until(&f->ranges, begin, address);
	const struct frame_range *r = until ? &f->ranges.items[until - 1] : NULL;
	return r && address < r->end ? r : NULL;
}

uint64_t frames_function_size(const struct frames *f, uint64_t address)
{
	const struct frame_range *r = frames_at(f, address);
	return r && r->begin == address && frames_is_function(f, r) ? r->end - r->begin : 0;
}
