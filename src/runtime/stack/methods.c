/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Methods that HotSpot interprets, in the stack of the current thread (abi/interpreted.h)
 *
 * From a method the way leads to its ConstMethod, to the constants of its class, and from there to
 * the symbols with both names.  Where these members are the library says itself, in tables that it
 * fills in when it begins: they are read at the first stack that has code of its interpreter.
 * Nothing here is trusted: a wrong word is counted, or gives a frame the name of something else
 * that looks like a method.
 */
#include "abi/interpreted.h"
#include "runtime/stack/code_texts.h"

/* --- the process ------------------------------------------------------------------------------ */

/* Can a struct be as large?  Then the offset is there. */
static always_inline int read_offset(struct hotspot *h, int i)
{
	uint64_t offset = user_word(h->base + h->offset_at[i]);
	h->offset[i] = offset;
	return offset < 4096;
}

/* 0: they are known.  Threads that read at once read the same. */
static always_inline long read_hotspot(struct hotspot *h)
{
	if (!h->base)
		return -1;
	for (int i = 0; i < HOTSPOT_MEMBERS; i++)
		if (!read_offset(h, i))
			return -1;
	uint64_t codes = user_word(h->base + h->codes);
	/* A method begins with the address of its functions: the first member is not at 0. */
	if (!codes || !h->offset[HOTSPOT_METHOD_CODE])
		return -1;
	h->code_begin = user_word(codes + h->offset[HOTSPOT_CODES_BEGIN]);
	h->code_end = h->code_begin + (uint32_t)user_word(codes + h->offset[HOTSPOT_CODES_SIZE]);
	if (h->code_end <= h->code_begin)
		return -1;
	BARRIER();
	h->is_read = 1;
	return 0;
}

/* --- names ------------------------------------------------------------------------------------ */

#define NAME_PART_MOST (CODE_NAME_MOST / 2)

/* The bytes of the symbol at ADDRESS that are copied; -1: it is none. */
static always_inline long hotspot_symbol_size(const struct hotspot *h, uint64_t address)
{
	uint16_t length = 0;
	if (port_read_user(&length, sizeof(length),
			   (void *)(address + h->offset[HOTSPOT_SYMBOL_LENGTH])) < 0 ||
	    !length)
		return -1;
	return at_most(length, NAME_PART_MOST);
}

/* KEY's file is the class's name.  The place of both names; 0: they cannot be copied. */
static always_inline uint64_t copy_method(const struct code_key *key, const struct hotspot *h)
{
	long class_size = hotspot_symbol_size(h, key->file),
	     size = hotspot_symbol_size(h, key->name);
	if (class_size < 0 || size < 0)
		return 0;
	uint64_t text = h->offset[HOTSPOT_SYMBOL_TEXT], all = class_size + 1 + size;
	uint64_t place = claim_text(sizeof(struct code_text) + PADDED(all));
	uint64_t at = place + sizeof(struct code_text);
	if (!place || copy_text(at, class_size, NAME_PART_MOST, key->file + text) < 0 ||
	    copy_text(at + class_size + 1, size, NAME_PART_MOST, key->name + text) < 0)
		return 0;
	*text_at(at + class_size) = '.';
	struct code_text *t = (struct code_text *)(void *)text_at(place);
	*t = (struct code_text) {
		.name_size = all,
		.file_width = 1,
		.name_width = 1,
		.is_cut = class_size == NAME_PART_MOST || size == NAME_PART_MOST,
		.kind = CODE_METHOD,
	};
	return place;
}

/* The place of the names of METHOD; 0: it is no method, or there is no room. */
__attribute__((noinline)) uint64_t rt_method_place(uint64_t process, uint64_t method)
{
	struct code_key key = { .process = process, .code = method };
	struct interpreted_process *in = port_map_lookup(rt_interpreters, &key.process);
	uint16_t number = 0;
	if (!in)
		return 0;
	const struct hotspot *h = &in->hotspot;
	uint64_t code = user_word(method + h->offset[HOTSPOT_METHOD_CODE]);
	uint64_t constants = user_word(code + h->offset[HOTSPOT_CODE_CONSTANTS]);
	if (port_read_user(&number, sizeof(number), (void *)(code + h->offset[HOTSPOT_CODE_NAME])) <
	    0)
		return 0;
	uint64_t class = user_word(constants + h->offset[HOTSPOT_CONSTANTS_CLASS]);
	key.lines = code;
	key.name = user_word(constants + h->constants_size + (uint64_t)number * 8);
	key.file = user_word(class + h->offset[HOTSPOT_CLASS_NAME]);
	uint64_t *known = port_map_lookup(rt_codes, &key);
	if (known)
		return *known;
	uint64_t place = copy_method(&key, h);
	return place && port_map_update(rt_codes, &key, &place, 0) == 0 ? place : 0;
}

/* --- frames ----------------------------------------------------------------------------------- */

struct method_walk {
	uint64_t at, from, end; /* of the words: where they go, the next one, the end of these */
	uint64_t frames;	/* the first native frame */
	uint64_t begin, size;	/* of the interpreter's code */
	uint64_t process;
};

/* 1: there are no more. */
static long look_at_method(uint32_t i, struct method_walk *w)
{
	uint64_t *from = w->from < w->end ? scratch(w->from) : 0;
	uint64_t word = from ? *from : 0, number = frame_method_frame(word);
	if (!word)
		return 1;
	*from = 0; /* keys have nothing after the words that are made */
	w->from += 8;
	const uint64_t *frame = scratch(w->frames + number * 8);
	if (!frame || frame_address(*frame) - w->begin >= w->size)
		return 0;
	uint64_t place = rt_method_place(w->process, frame_method_word(word));
	uint64_t *to = scratch(w->at);
	if (!place || !to) {
		COUNT(unnamed_frames);
		return 0;
	}
	*to = interpreted_method(place, number);
	w->at += 8;
	return 0;
}

/*
 * The words that a walk has kept FROM there on (STACK_METHODS) become words of methods at AT, which
 * is not after FROM.  The frames have BYTES before FROM, and as many are the words' room.  The
 * bytes written; those of other processes are removed alike.
 */
__attribute__((noinline)) long rt_methods(uint64_t at, uint64_t bytes, uint64_t from,
					  uint64_t process)
{
	struct slot *slot = slot_of(at);
	const uint64_t *first = scratch(from);
	uint32_t key = process;
	if (!slot || !first || !*first)
		return 0;
	struct interpreted_process *in = port_map_lookup(rt_interpreters, &key);
	uint64_t blur = unknown_zero(&slot->unknown), begin = 0, size = 0;
	if (in && (in->hotspot.is_read || read_hotspot(&in->hotspot) == 0)) {
		begin = in->hotspot.code_begin;
		size = in->hotspot.code_end - begin;
	}
	struct method_walk w = {
		.at = at + blur,
		.from = from + blur,
		.end = from + bytes + blur,
		.frames = from - bytes + blur,
		.begin = begin + blur,
		.size = size + blur,
		.process = process + blur,
	};
	port_loop(STACK_FRAMES_MAX, look_at_method, &w, 0);
	return w.at - at;
}
