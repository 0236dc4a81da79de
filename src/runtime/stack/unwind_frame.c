/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* One step of a walk: from a frame to its caller, by the row of its code */
#include "runtime/stack/unwind.h"

static always_inline long walk_find_mapping(struct stack_walk *w, uint64_t at, uint64_t address)
{
	for (long i = 0; i < WALK_MAPPINGS; i++)
		if (address >= w->mappings[i].begin && address < w->mappings[i].end)
			return i;
	return rt_walk_map(at, address);
}

/* --- rows ------------------------------------------------------------------------------------- */

/*
 * The rule for what is at OFFSET in the file; 0: none.  At most 9 steps, as the rows of 256 bytes
 * have different addresses: 256 of them leave 257 places for a row that is searched.
 */
static always_inline uint32_t find_row(struct stack_walk *w, const struct unwind_file *f,
				       uint64_t offset)
{
	uint64_t page = (offset >> UNWIND_PAGE_BITS) - f->first_page, byte = offset & 255;
	w->row = 0;
	if (page >= f->page_count)
		return 0;
	uint64_t low = pool_word(f->index + page * 4), high = pool_word(f->index + page * 4 + 4);
	for (int i = 0; i < 9 && low < high; i++) {
		uint64_t middle = (low + high) / 2;
		uint64_t row = pool_word(f->rows + middle * 4) & 255;
		uint64_t is_above = -((byte - row) >> 63); /* all ones, or 0: no branch */
		high += (middle - high) & is_above;
		low += (middle + 1 - low) & ~is_above;
	}
	w->row = low;
	return low ? pool_word(f->rows + low * 4 - 4) : 0;
}

/* --- the stack -------------------------------------------------------------------------------- */

static always_inline void set_piece(struct stack_walk *w, uint64_t at, uint64_t size)
{
	w->piece_at = at;
	w->piece_size = size;
	w->piece_words = w->word == WORD && size >= WORD ? size - WORD + 1 : 0;
}

static always_inline long walk_read_piece(struct stack_walk *w, uint64_t address)
{
	uint64_t size = PAGE - (address & (PAGE - 1));
	set_piece(w, address - WALK_PIECE_LOW, WALK_PIECE);
	if (port_read_user(w->piece, WALK_PIECE, (void *)w->piece_at) == 0)
		return 0;
	/* Perhaps the stack begins there. */
	if (size > WALK_PIECE)
		size = WALK_PIECE;
	OPAQUE(size);
	set_piece(w, address, size);
	if (size >= NARROW && size <= WALK_PIECE &&
	    port_read_user(w->piece, size, (void *)address) == 0)
		return 0;
	set_piece(w, address, 0);
	return -1;
}

/* The word at ADDRESS of the stack; else w->failed. */
__attribute__((noinline)) long rt_walk_word(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return 0;
	uint64_t offset = address - w->piece_at, word = w->word;
	if (w->piece_size < word || offset > w->piece_size - word) {
		if (walk_read_piece(w, address) < 0) {
			w->failed += !w->failed; /* else the first reason stays */
			return 0;
		}
		offset = address - w->piece_at;
	}
	OPAQUE(offset);
	if (word == NARROW)
		return offset <= WALK_PIECE - NARROW ? *(uint32_t *)(void *)(w->piece + offset) : 0;
	return offset <= WALK_PIECE - WORD ? port_word(w->piece + offset) : 0;
}

/* The same, without a call where it is in the piece: 44 words of a stack of 23 frames. */
static always_inline uint64_t stack_word(struct stack_walk *w, uint64_t at, uint64_t address)
{
	uint64_t offset = address - w->piece_at;
	OPAQUE(offset);
	if (offset < w->piece_words && offset <= WALK_PIECE - WORD)
		return port_word(w->piece + offset);
	return rt_walk_word(at, address);
}

/* --- what does not fit into a row ------------------------------------------------------------- */

static always_inline uint64_t base_value(struct stack_walk *w, uint64_t base)
{
	if (base == UNWIND_BASE_STACK && !w->is_lost)
		return w->stack;
	if (base == UNWIND_BASE_FRAME)
		return w->frame;
	if (base == UNWIND_BASE_CFA)
		return w->cfa;
	uint64_t number = base - UNWIND_BASE_REGISTER;
	OPAQUE(number);
	if (number == NUMBER(rt_register_saved) && w->has_saved)
		return w->saved;
	if (number < WALK_REGISTERS && w->count == 1)
		return w->registers[number];
	w->failed = 2;
	return 0;
}

/* The struct unwind_value at PLACE of the pool; else w->failed. */
__attribute__((noinline)) long rt_walk_value(uint64_t at, uint64_t place)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return 0;
	uint64_t head = pool_word(place), loads = head >> 8 & 255;
	uint64_t value = base_value(w, head & 255) + (int32_t)pool_word(place + 4);
	if (loads > 0)
		value = rt_walk_word(at, value) + (int16_t)(head >> 16);
	if (loads > 1)
		value = rt_walk_word(at, value);
	return value;
}

/* --- the caller ------------------------------------------------------------------------------- */

static always_inline long end_walk(struct stack_walk *w, enum stack_end end)
{
	w->end = end;
	return 1;
}

struct pending {
	uint64_t at; /* struct return_instance */
	uint64_t place, trampoline;
	uint64_t found;
	uint64_t blur;
};

/* One of another call of the same place returned to a trampoline, too: the next one has more. */
static long look_at_pending(uint32_t i, struct pending *p)
{
	if (!p->at)
		return 1;
	uint64_t place = word_at(p->at + NUMBER(rt_offset_return_stack));
	if (place == p->place)
		p->found = word_at(p->at + NUMBER(rt_offset_return_address)) + p->blur;
	p->at = word_at(p->at + NUMBER(rt_offset_return_next)) + p->blur;
	return p->found && p->found != p->trampoline;
}

#define PENDING_MOST 64 /* the kernel's own limit */

/* The return address that a return probe has replaced at PLACE of the stack; 0: not known. */
__attribute__((noinline)) long rt_walk_returned(uint64_t at, uint64_t place)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return 0;
	uint64_t blur = w->blur;
	struct pending p = { w->returns + blur, place + blur, w->trampoline + blur, blur, blur };
	port_loop(PENDING_MOST, look_at_pending, &p, 0);
	return p.found == w->trampoline ? 0 : p.found;
}

#define SAVED_IS_CALLERS 2 /* has_saved: as the caller had it, already */

/*
 * The register of `saved` as the caller had it.  On x86_64 only the dynamic linker's stub needs it,
 * which calls functions of its own file, and these call functions that choose implementations
 * (STT_GNU_IFUNC), with nothing on the stack: after any other frame the register is not known.  On
 * aarch64 it is the one that calls write: it is known where no call was, in the first frame and in
 * one that a signal has interrupted.
 */
static always_inline void find_saved(struct stack_walk *w, uint64_t at, const struct unwind_file *f)
{
	if (w->has_saved == SAVED_IS_CALLERS) {
		w->has_saved = 1;
		return;
	}
	uint64_t slot =
		f->saved && w->row ? pool_byte(f->saved + w->row - 1) : UNWIND_SAVED_UNKNOWN;
	if (slot == UNWIND_SAVED_UNKNOWN)
		w->has_saved = 0;
	else if (slot && w->has_saved)
		w->saved = rt_walk_word(at, w->cfa - slot * w->word);
	if (w->failed)
		w->failed = w->has_saved = 0;
}

/* Do calls put the return address into a register, the one of `saved`? */
static always_inline uint64_t has_link(void)
{
	uint64_t has = NUMBER(rt_has_link);
	OPAQUE(has); /* else the compiler takes it for an address, which is not 0 */
	return has;
}

/* It is still there; else w->failed. */
static always_inline uint64_t link_of(struct stack_walk *w)
{
	if (!w->has_saved)
		w->failed = 2;
	return w->saved;
}

/* Where no call was, nothing need be on the stack. */
static always_inline int is_exact(const struct stack_walk *w)
{
	return w->how == FRAME_FIRST || w->how == FRAME_SIGNAL;
}

/*
 * The current frame is the caller's from now on, found by HOW.  A return address may be signed
 * (ARMv8.3): then it has bits above those of addresses.
 */
static always_inline long go_on(struct stack_walk *w, uint64_t at, uint64_t pc, enum frame_how how)
{
	if (w->failed)
		return end_walk(w, w->failed == 2 ? STACK_END_RULE : STACK_END_UNREADABLE);
	pc &= NUMBER(rt_code_mask);
	if (w->trampoline && pc == w->trampoline) {
		pc = rt_walk_returned(at, has_link() ? w->cfa : w->cfa - w->word);
		if (how == FRAME_TABLE)
			how = FRAME_RETURNED;
		if (!pc)
			return end_walk(w, STACK_END_RETURN);
	}
	/* Else it might go round and round; vfork() keeps its return address in a register. */
	if (w->cfa < w->stack + !is_exact(w) && how != FRAME_SIGNAL)
		return end_walk(w, STACK_END_RULE);
	w->pc = pc;
	w->stack = w->cfa;
	w->how = how;
	return pc ? 0 : end_walk(w, STACK_END_WHOLE);
}

/* Why there is nothing better than a frame pointer. */
static always_inline enum stack_end why_no_row(const struct unwind_file *f)
{
	return f->state == UNWIND_ASKED	    ? STACK_END_NO_TABLE
	       : f->state == UNWIND_NO_FILE ? STACK_END_NO_FILE
	       : f->state == UNWIND_NO_ROOM ? STACK_END_NO_ROOM
					    : STACK_END_NO_ROW;
}

static always_inline long go_on_at(struct stack_walk *w, uint64_t at, uint64_t cfa, uint64_t pc,
				   enum frame_how how)
{
	w->cfa = cfa;
	return go_on(w, at, pc, how);
}

/* What may be the method of the current frame, in code that no file has. */
__attribute__((noinline)) long rt_walk_method(uint64_t at)
{
	struct stack_walk *w = walk_of(at);
	if (!w || w->word != WORD)
		return 0;
	uint64_t method = rt_walk_word(at, w->frame - METHOD_WORDS_BELOW * WORD);
	uint64_t *to = scratch(w->methods);
	w->failed = 0;
	if (!to || !method || method != frame_method_word(method))
		return 0;
	*to = frame_method(w->count - 1, method);
	w->methods += WORD;
	return 1;
}

/*
 * Where there is a link register, the two words at the frame pointer may be anywhere in the frame:
 * gcc has them at its lower end.
 */
static always_inline long by_frame_pointer(struct stack_walk *w, uint64_t at,
					   const struct unwind_file *f, uint64_t address)
{
	if (w->methods && f->state == UNWIND_NO_FILE)
		rt_walk_method(at);
	/* Nothing is saved yet at a function's first instruction. */
	int is_new = w->at_entry && w->count == 1;
	if (f->state == UNWIND_ASKED && !is_new && w->wants_more & STACK_IS_VALUE) {
		COUNT(unproven_depths);
		return end_walk(w, STACK_END_NO_TABLE);
	}
	if (f->state == UNWIND_ASKED && !is_new) {
		w->copy = rt_walk_copy(at, address);
		if (w->copy)
			return end_walk(w, STACK_END_NO_TABLE);
	}
	if (is_new && has_link())
		return go_on_at(w, at, w->stack, link_of(w), FRAME_TABLE);
	uint64_t place = is_new ? w->stack : w->frame + w->word;
	if (place < w->stack || place & (w->word - 1))
		return end_walk(w, why_no_row(f));
	uint64_t pc = rt_walk_word(at, place);
	uint64_t frame = is_new ? w->frame : rt_walk_word(at, w->frame);
	if (w->failed || (!pc && !is_new))
		return end_walk(w, why_no_row(f));
	w->frame = frame;
	w->is_lost = has_link();
	return go_on_at(w, at, place + w->word, pc, is_new ? FRAME_TABLE : FRAME_POINTER);
}

static always_inline long by_rule(struct stack_walk *w, uint64_t at, uint64_t rules, uint32_t row)
{
	uint64_t number = (row >> UNWIND_CFA_AT & ((1u << UNWIND_CFA_BITS) - 1)) |
			  (uint64_t)(row >> UNWIND_FRAME_AT) << UNWIND_CFA_BITS;
	uint64_t rule = rules + number * sizeof(struct unwind_rule);
	w->cfa = rt_walk_value(at, rule);
	uint64_t pc_at = rule + __builtin_offsetof(struct unwind_rule, return_address);
	uint64_t frame_at = rule + __builtin_offsetof(struct unwind_rule, frame_pointer);
	uint64_t pc = rt_walk_value(at, pc_at);
	if (pool_word(frame_at) & 255)
		w->frame = rt_walk_value(at, frame_at);
	int is_signal = pool_word(rule + __builtin_offsetof(struct unwind_rule, is_signal)) != 0;
	uint64_t saved_at = pool_word(rule + __builtin_offsetof(struct unwind_rule, saved_at));
	if (saved_at) {
		w->saved = rt_walk_word(at, w->stack + saved_at);
		w->has_saved = SAVED_IS_CALLERS;
	}
	w->is_lost = 0;
	return go_on(w, at, pc, is_signal ? FRAME_SIGNAL : FRAME_TABLE);
}

/* CFA from the stack pointer; else from the two saved words, to which the frame pointer points. */
static always_inline uint64_t stack_cfa(struct stack_walk *w, uint64_t cfa, uint64_t slot)
{
	if (!w->is_lost)
		return w->stack + cfa * w->word;
	if (!slot)
		w->failed = 2;
	return w->frame + slot * w->word;
}

static always_inline uint64_t saved_pc(struct stack_walk *w, uint64_t at, uint64_t slot)
{
	if (!has_link())
		return stack_word(w, at, w->cfa - w->word);
	return slot ? stack_word(w, at, w->cfa - slot * WORD + WORD) : link_of(w);
}

/* A function with nothing but its return address on the stack, WORDS below the CFA, has changed no
 * register that its caller needs. */
static always_inline void keep_saved(struct stack_walk *w, uint64_t words)
{
	if (words == 1 && w->has_saved && !has_link())
		w->has_saved = SAVED_IS_CALLERS;
}

/* From w->cfa on. */
static always_inline long by_row(struct stack_walk *w, uint64_t at, uint32_t row)
{
	uint64_t slot = row >> UNWIND_FRAME_AT;
	uint64_t pc = saved_pc(w, at, slot);
	if (slot)
		w->frame = stack_word(w, at, w->cfa - slot * w->word);
	w->is_lost = 0;
	return go_on(w, at, pc, FRAME_TABLE);
}

static always_inline long find_caller(struct stack_walk *w, uint64_t at,
				      const struct walk_mapping *m, uint64_t address)
{
	const struct unwind_file *f = &m->file;
	uint32_t row = find_row(w, f, address - m->begin + m->offset);
	uint64_t cfa = (row >> UNWIND_CFA_AT & ((1u << UNWIND_CFA_BITS) - 1));
	switch (row >> UNWIND_KIND_AT & 7) {
	case UNWIND_STACK:
		keep_saved(w, cfa);
		w->cfa = stack_cfa(w, cfa, row >> UNWIND_FRAME_AT);
		return by_row(w, at, row);
	case UNWIND_FRAME:
		w->cfa = w->frame + cfa * w->word;
		return by_row(w, at, row);
	case UNWIND_PLT:
		w->cfa = w->stack + w->word * (1 + ((w->pc & 15) >= cfa));
		return by_row(w, at, row);
	case UNWIND_RULE:
		return by_rule(w, at, f->rules, row);
	case UNWIND_END:
		return end_walk(w, STACK_END_WHOLE);
	case UNWIND_REFUSE:
		return end_walk(w, STACK_END_RULE);
	default:
		return by_frame_pointer(w, at, f, address);
	}
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Never an address that is in no code; but where the thread was is a fact. */
static always_inline void record_frame(struct stack_walk *w)
{
	uint64_t at = w->at + w->count * WORD;
	OPAQUE(at);
	uint64_t *to = w->at == WALK_NO_FRAMES ? 0 : scratch(at);
	if (to)
		*to = frame_address(w->pc) | w->how << FRAME_HOW_AT;
	w->count++;
}

/* Record the current frame and find its caller; 1: the walk has ended. */
__attribute__((noinline)) long rt_walk_step(uint64_t at)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return 1;
	uint64_t address = w->pc - !is_exact(w);
	uint64_t number = walk_find_mapping(w, at, address);
	OPAQUE(number);
	int is_code = number < WALK_MAPPINGS && w->mappings[number].executable;
	if (is_code || w->how == FRAME_FIRST)
		record_frame(w);
	if (!is_code || number >= WALK_MAPPINGS)
		return end_walk(w, w->how == FRAME_POINTER ? STACK_END_NO_CALL : STACK_END_NO_CODE);
	if (w->count >= w->most)
		return end_walk(w, STACK_END_FULL);
	const struct walk_mapping *m = &w->mappings[number];
	if (m->file.state == UNWIND_TABLE && pool_head()->evictions == w->evictions)
		note_use(m->file.index);
	long ended = find_caller(w, at, m, address);
	if (pool_head()->evictions != w->evictions) /* perhaps these were not the file's rows */
		return end_walk(w, STACK_END_NO_TABLE);
	if (w->has_saved && !ended)
		find_saved(w, at, &m->file);
	return ended;
}
