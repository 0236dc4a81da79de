/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * User stacks by tables of .eh_frame (abi/unwind.h; unwind/unwind.h has the whole design)
 *
 * A walk's state is in memory of its own, which functions find by a number: so the verifier sees
 * each of them once, apart from the others, and the loop's body is one call.  With all in one
 * function it gave up after 1,000,000 instructions.
 */
#include "runtime/text.h"

#define WORD 8
#define PAGE 4096
#define SEGMENT_64 0x33 /* of the code of 64-bit processes */

long rt_truncated_stack(uint64_t at);
long rt_namespace_pid_tgid(void);
long rt_ustack(void *context, uint64_t at, uint64_t bytes);

static always_inline struct stack_walk *walk_of(uint64_t at)
{
	OPAQUE(at);
	if (at >= NUMBER(rt_walks_end))
		return 0;
	OPAQUE(at);
	return (struct stack_walk *)(rt_walks + at);
}

/* --- the pool -------------------------------------------------------------------------------- */

static always_inline struct unwind_pool *pool_head(void)
{
	return (struct unwind_pool *)rt_unwind_pool;
}

static always_inline uint8_t pool_byte(uint64_t offset)
{
	OPAQUE(offset);
	offset &= NUMBER(rt_pool_mask);
	return *(uint8_t *)(rt_unwind_pool + offset);
}

/* The mask is for the verifier; offsets are right. */
static always_inline uint32_t pool_word(uint64_t offset)
{
	OPAQUE(offset);
	offset &= NUMBER(rt_pool_mask);
	return *(uint32_t *)(rt_unwind_pool + offset);
}

/* --- mappings: the kernel's maple tree, without its lock ------------------------------------- */

#define NODE_IS_ROOT 2u
#define NODE_MASK 255ull
#define NODE_LEAF_64 1 /* enum maple_type; what is above is no leaf */
#define NODE_ARANGE_64 3
#define LEVELS_MOST 6

/* 1 if A < B, without a branch.  An unused pivot is 0, and greater than all; so are pointers. */
static always_inline uint64_t is_pivot_below(uint64_t pivot, uint64_t address)
{
	return ((((pivot - 1) << 1) >> 1) - (address - 1)) >> 63;
}

/*
 * WORDS[INDEX], of COUNT, a power of two.  The verifier of 6.1 knows nothing of a sum that the
 * compiler has made an "or": so the mask comes after it, although INDEX is below COUNT.
 */
static always_inline uint64_t word_of(const uint64_t *words, uint64_t index, uint64_t count)
{
	OPAQUE(index);
	return words[index & (count - 1)];
}

/*
 * What the node ENTRY has for ADDRESS: another node, or a mapping.  A node is
 *   range_64, leaf_64   parent, 15 pivots, 16 slots
 *   arange_64           parent,  9 pivots, 10 slots, 10 gaps
 * Slot i has what is above pivot i - 1 up to pivot i.  Branches in the search would be followed
 * by the verifier in all combinations, at all levels.
 */
__attribute__((noinline)) long rt_walk_descend(uint64_t at, uint64_t entry, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w || port_read_kernel(w->node, WALK_NODE, (void *)(entry & ~NODE_MASK)) < 0)
		return 0;
	const uint64_t *words = (const uint64_t *)(void *)w->node;
	const uint64_t *pivots = words + 1;
	uint64_t slot = 8 * is_pivot_below(pivots[7], address);
	slot += 4 * is_pivot_below(word_of(pivots, slot + 3, 16), address);
	slot += 2 * is_pivot_below(word_of(pivots, slot + 1, 16), address);
	slot += is_pivot_below(word_of(pivots, slot, 16), address);
	uint64_t first = (entry >> 3 & 15) == NODE_ARANGE_64 ? 10 : 16;
	return word_of(words, first + slot, 32);
}

/* The mapping at ADDRESS into w->vma; 0: there. */
__attribute__((noinline)) long rt_walk_vma(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return -1;
	uint64_t entry = w->root;
	if ((entry & 3) != NODE_IS_ROOT)
		return -1;
	for (int i = 0; i < LEVELS_MOST; i++) {
		uint64_t type = entry >> 3 & 15;
		entry = rt_walk_descend(at, entry, address);
		if (entry < PAGE)
			return -1;
		if (type <= NODE_LEAF_64)
			break;
	}
	return port_read_kernel(w->vma, WALK_VMA, (void *)entry);
}

/* A member of the mapping that was read. */
#define VMA(w, member)                                                                             \
	(*(const uint64_t *)(void *)((w)->vma +                                                    \
				     (NUMBER(rt_offset_vma_##member) & (WALK_VMA - WORD))))
#define VMA_EXECUTABLE 4

/* The file that the kernel's struct file at FILE is of. */
static always_inline void key_of_file(uint64_t file, struct unwind_key *key)
{
	uint64_t inode = word_at(file + NUMBER(rt_offset_file_inode));
	uint64_t sb = word_at(inode + NUMBER(rt_offset_inode_sb));
	key->inode = word_at(inode + NUMBER(rt_offset_inode_number));
	key->generation = half_at(inode + NUMBER(rt_offset_inode_generation));
	key->device = half_at(sb + NUMBER(rt_offset_sb_device));
}

/* A file that is met the first time: its table is asked for, once. */
static always_inline void ask(const struct stack_walk *w, const struct unwind_key *key,
			      uint64_t address)
{
	const struct unwind_file asked = { .state = UNWIND_ASKED };
	struct arrival arrival = {
		.tgid = w->process,
		.kind = ARRIVAL_TABLE,
		.address = address,
		.key = *key,
	};
	if (port_map_update(rt_unwind_files, key, &asked, BPF_NOEXIST) == 0 &&
	    port_output(rt_arrivals, &arrival, sizeof(arrival), PORT_WAKE) < 0)
		port_map_remove(rt_unwind_files, key);
}

static always_inline void find_file(const struct stack_walk *w, struct walk_mapping *m,
				    uint64_t file, uint64_t is_vdso, uint64_t address)
{
	struct unwind_key key = { 0 };
	m->file = (struct unwind_file) { .state = UNWIND_NO_FILE };
	if (file)
		key_of_file(file, &key);
	else if (!is_vdso)
		return;
	const struct unwind_file *known = port_map_lookup(rt_unwind_files, &key);
	m->file.state = UNWIND_ASKED;
	if (known)
		m->file = *known;
	else if (file)
		ask(w, &key, address);
}

/* The number of the mapping at ADDRESS among those remembered, which it becomes; -1: none. */
__attribute__((noinline)) long rt_walk_map(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w || rt_walk_vma(at, address) < 0)
		return -1;
	uint64_t begin = VMA(w, begin), end = VMA(w, end);
	if (address < begin || address >= end)
		return -1;
	uint64_t number = w->next_mapping++ & (WALK_MAPPINGS - 1);
	struct walk_mapping *m = &w->mappings[number];
	m->begin = m->end = 0;
	m->offset = VMA(w, page) * PAGE;
	m->executable = VMA(w, flags) & VMA_EXECUTABLE;
	if (m->executable)
		find_file(w, m, VMA(w, file),
			  begin == word_at(w->memory + NUMBER(rt_offset_memory_vdso)), address);
	m->begin = begin;
	m->end = end;
	return number;
}

static always_inline long find_mapping(struct stack_walk *w, uint64_t at, uint64_t address)
{
	for (long i = 0; i < WALK_MAPPINGS; i++)
		if (address >= w->mappings[i].begin && address < w->mappings[i].end)
			return i;
	return rt_walk_map(at, address);
}

/* --- rows ------------------------------------------------------------------------------------- */

/*
 * The rule for what is at OFFSET in the file; 0: none.  At most 8 steps, as the rows of 256 bytes
 * have different addresses.
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

/* --- the stack ------------------------------------------------------------------------------- */

static always_inline long read_piece(struct stack_walk *w, uint64_t address)
{
	uint64_t size = PAGE - (address & (PAGE - 1));
	w->piece_at = address - WALK_PIECE_LOW;
	w->piece_size = WALK_PIECE;
	if (port_read_user(w->piece, WALK_PIECE, (void *)w->piece_at) == 0)
		return 0;
	/* Perhaps the stack begins there. */
	if (size > WALK_PIECE)
		size = WALK_PIECE;
	OPAQUE(size);
	w->piece_at = address;
	w->piece_size = size;
	if (size >= WORD && size <= WALK_PIECE &&
	    port_read_user(w->piece, size, (void *)address) == 0)
		return 0;
	w->piece_size = 0;
	return -1;
}

/* The word at ADDRESS of the stack; else w->failed. */
__attribute__((noinline)) long rt_walk_word(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return 0;
	uint64_t offset = address - w->piece_at;
	if (w->piece_size < WORD || offset > w->piece_size - WORD) {
		if (read_piece(w, address) < 0) {
			w->failed = 1;
			return 0;
		}
		offset = address - w->piece_at;
	}
	OPAQUE(offset);
	return offset <= WALK_PIECE - WORD ? port_word(w->piece + offset) : 0;
}

/* --- what does not fit into a row ------------------------------------------------------------- */

static always_inline uint64_t base_value(struct stack_walk *w, uint64_t base)
{
	if (base == UNWIND_BASE_STACK)
		return w->stack;
	if (base == UNWIND_BASE_FRAME)
		return w->frame;
	if (base == UNWIND_BASE_CFA)
		return w->cfa;
	uint64_t number = base - UNWIND_BASE_REGISTER;
	OPAQUE(number);
	if (number == UNWIND_SAVED_REGISTER && w->has_saved)
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

/*
 * The register of `saved` as the caller had it.  Only the dynamic linker's stub needs it, which
 * calls functions of its own file: after any other frame the register is not known.
 */
static always_inline void find_saved(struct stack_walk *w, uint64_t at, const struct unwind_file *f)
{
	uint64_t slot =
		f->saved && w->row ? pool_byte(f->saved + w->row - 1) : UNWIND_SAVED_UNKNOWN;
	if (slot == UNWIND_SAVED_UNKNOWN)
		w->has_saved = 0;
	else if (slot && w->has_saved)
		w->saved = rt_walk_word(at, w->cfa - slot * WORD);
	if (w->failed)
		w->failed = w->has_saved = 0;
}

/* The current frame is the caller's from now on, found by HOW; its return address was at PLACE. */
static always_inline long go_on(struct stack_walk *w, uint64_t at, uint64_t pc, uint64_t place,
				enum frame_how how)
{
	if (w->failed)
		return end_walk(w, w->failed == 2 ? STACK_END_RULE : STACK_END_UNREADABLE);
	if (w->trampoline && pc == w->trampoline) {
		pc = rt_walk_returned(at, place);
		if (how == FRAME_TABLE)
			how = FRAME_RETURNED;
		if (!pc)
			return end_walk(w, STACK_END_RETURN);
	}
	/* Else it might go round and round; vfork() keeps its return address in a register. */
	if (w->cfa < w->stack + (w->count > 1) && how != FRAME_SIGNAL)
		return end_walk(w, STACK_END_RULE);
	w->pc = pc;
	w->stack = w->cfa;
	w->how = how;
	if (pc)
		return 0;
	return end_walk(w, how == FRAME_POINTER ? STACK_END_NO_ROW : STACK_END_WHOLE);
}

/* Why there is nothing better than a frame pointer. */
static always_inline enum stack_end why_no_row(const struct unwind_file *f)
{
	return f->state == UNWIND_ASKED	    ? STACK_END_NO_TABLE
	       : f->state == UNWIND_NO_FILE ? STACK_END_NO_FILE
					    : STACK_END_NO_ROW;
}

static always_inline long by_frame_pointer(struct stack_walk *w, uint64_t at,
					   const struct unwind_file *f)
{
	/* Nothing is saved yet at a function's first instruction. */
	int is_new = w->at_entry && w->count == 1;
	uint64_t place = is_new ? w->stack : w->frame + WORD;
	if (place < w->stack || place & (WORD - 1))
		return end_walk(w, why_no_row(f));
	uint64_t pc = rt_walk_word(at, place);
	uint64_t frame = is_new ? w->frame : rt_walk_word(at, w->frame);
	if (w->failed)
		return end_walk(w, why_no_row(f));
	w->cfa = place + WORD;
	w->frame = frame;
	return go_on(w, at, pc, place, is_new ? FRAME_TABLE : FRAME_POINTER);
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
	return go_on(w, at, pc, w->cfa - WORD, is_signal ? FRAME_SIGNAL : FRAME_TABLE);
}

static always_inline long by_row(struct stack_walk *w, uint64_t at, uint64_t cfa, uint32_t row)
{
	uint64_t slot = row >> UNWIND_FRAME_AT;
	w->cfa = cfa;
	uint64_t pc = rt_walk_word(at, cfa - WORD);
	if (slot)
		w->frame = rt_walk_word(at, cfa - slot * WORD);
	return go_on(w, at, pc, cfa - WORD, FRAME_TABLE);
}

static always_inline long find_caller(struct stack_walk *w, uint64_t at,
				      const struct unwind_file *f, uint64_t offset)
{
	uint32_t row = find_row(w, f, offset);
	uint64_t cfa = (row >> UNWIND_CFA_AT & ((1u << UNWIND_CFA_BITS) - 1));
	switch (row >> UNWIND_KIND_AT & 7) {
	case UNWIND_STACK:
		return by_row(w, at, w->stack + cfa * WORD, row);
	case UNWIND_FRAME:
		return by_row(w, at, w->frame + cfa * WORD, row);
	case UNWIND_PLT:
		return by_row(w, at, w->stack + WORD * (1 + ((w->pc & 15) >= cfa)), row);
	case UNWIND_RULE:
		return by_rule(w, at, f->rules, row);
	case UNWIND_END:
		return end_walk(w, STACK_END_WHOLE);
	case UNWIND_REFUSE:
		return end_walk(w, STACK_END_RULE);
	default:
		return by_frame_pointer(w, at, f);
	}
}

/* --- a walk -------------------------------------------------------------------------------- */

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
	int is_exact = w->how == FRAME_FIRST || w->how == FRAME_SIGNAL;
	uint64_t address = w->pc - !is_exact;
	uint64_t number = find_mapping(w, at, address);
	OPAQUE(number);
	int is_code = number < WALK_MAPPINGS && w->mappings[number].executable;
	if (is_code || w->how == FRAME_FIRST)
		record_frame(w);
	if (!is_code || number >= WALK_MAPPINGS)
		return end_walk(w, w->how == FRAME_POINTER ? STACK_END_NO_CALL : STACK_END_NO_CODE);
	if (w->count >= w->most)
		return end_walk(w, STACK_END_FULL);
	const struct walk_mapping *m = &w->mappings[number];
	long ended = find_caller(w, at, &m->file, address - m->begin + m->offset);
	if (w->has_saved && !ended)
		find_saved(w, at, &m->file);
	return ended;
}

struct stepping {
	uint64_t at;
};

static long step(uint32_t i, struct stepping *s)
{
	return rt_walk_step(s->at) != 0;
}

/* The first free walk of this area, as slots are claimed; -1: none. */
__attribute__((noinline)) long rt_walk_claim(void)
{
	uint64_t at = port_area() * WALKS_PER_AREA * sizeof(struct stack_walk);
	for (int i = 0; i < WALKS_PER_AREA; i++, at += sizeof(struct stack_walk)) {
		struct stack_walk *w = walk_of(at);
		if (!w)
			break;
		if (__sync_val_compare_and_swap(&w->busy, 0, 1) == 0)
			return at;
	}
	return -1;
}

#define MEMBER(pointer, type, member)                                                              \
	(*(type *)((const char *)(pointer) + NUMBER(rt_offset_##member)))

/* As the tracer knows it. */
static always_inline uint64_t process_number(void)
{
	uint64_t is_inside = NUMBER(rt_namespace);
	OPAQUE(is_inside);
	uint64_t pid_tgid = is_inside ? rt_namespace_pid_tgid() : port_pid_tgid();
	return pid_tgid >> 32;
}

/*
 * The mappings remembered from the walk before are valid until the process changes its mappings:
 * then the lock's sequence has another value.
 */
static always_inline long check_memory(struct stack_walk *w)
{
	void *task = port_task();
	void *memory = MEMBER(task, void *, task_memory);
	if (!memory)
		return -1;
	uint64_t root = MEMBER(memory, uint64_t, memory_tree);
	uint64_t generation = pool_head()->generation, process = process_number();
	uint64_t sequence = MEMBER(task, uint32_t, task_exec_id);
	uint64_t has_sequence = NUMBER(rt_offset_memory_sequence);
	OPAQUE(has_sequence);
	if (has_sequence)
		sequence |= (uint64_t)MEMBER(memory, uint32_t, memory_sequence) << 32;
	int is_same = w->memory == (uint64_t)memory && w->root == root && w->sequence == sequence &&
		      w->generation == generation && w->process == process &&
		      NUMBER(rt_offset_memory_sequence) != 0;
	for (int i = 0; i < WALK_MAPPINGS && !is_same; i++)
		w->mappings[i].begin = w->mappings[i].end = 0;
	w->memory = (uint64_t)memory;
	w->root = root;
	w->sequence = sequence;
	w->generation = generation;
	w->process = process;
	return 0;
}

/* Return probes that are pending have replaced return addresses. */
static always_inline void check_returns(struct stack_walk *w)
{
	w->trampoline = w->returns = 0;
	uint64_t probes = (uint64_t)MEMBER(port_task(), void *, task_probes);
	if (!probes)
		return;
	w->returns = word_at(probes + NUMBER(rt_offset_probes_returns));
	if (!w->returns)
		return;
	uint64_t area = word_at(w->memory + NUMBER(rt_offset_memory_probes));
	w->trampoline = word_at(area + NUMBER(rt_offset_area_address));
}

#define REGISTER(w, member) ((w)->registers[NUMBER(rt_offset_user_##member) / WORD & 31])

/* From the registers; -1: nothing can be walked. */
__attribute__((noinline)) long rt_walk_begin(uint64_t at)
{
	struct stack_walk *w = walk_of(at);
	if (!w || REGISTER(w, segment) != SEGMENT_64 || check_memory(w) < 0)
		return -1;
	w->pc = REGISTER(w, pc);
	w->stack = REGISTER(w, stack);
	w->frame = REGISTER(w, frame);
	w->saved = w->registers[UNWIND_SAVED_REGISTER];
	w->has_saved = 1;
	w->how = FRAME_FIRST;
	w->count = w->failed = w->piece_size = 0;
	w->end = STACK_END_FULL;
	check_returns(w);
	return 0;
}

static always_inline long read_registers(void *context, struct stack_walk *w)
{
	uint64_t is_context = NUMBER(rt_context_registers);
	OPAQUE(is_context); /* else the compiler takes it for an address, which is not 0 */
	const void *from = is_context ? context : port_user_regs(port_task());
	return port_read_kernel(w->registers, WALK_REGISTERS * WORD, from);
}

/* From AT on, of w, the walk at WALK; -1: this is no process of 64 bits. */
static always_inline long walk(void *context, struct stack_walk *w, uint64_t walk)
{
	if (read_registers(context, w) < 0)
		return -1;
	struct stepping s = { walk + unknown_zero(&w->blur) };
	if (rt_walk_begin(walk) < 0)
		return -1;
	port_loop(STACK_FRAMES_MAX, step, &s, 0);
	return 0;
}

/* Where there is room the stack says how it ended. */
static always_inline long finish(struct stack_walk *w, uint64_t bytes)
{
	uint64_t count = w->count;
	if (count >= w->most && bytes & STACK_WANTS_MORE)
		rt_truncated_stack(w->at);
	if (count >= w->most || bytes & STACK_COUNTS)
		return count * WORD;
	uint64_t at = w->at + count * WORD;
	OPAQUE(at);
	uint64_t *to = scratch(at);
	if (to)
		*to = frame_end(w->end);
	return (count + 1) * WORD;
}

static always_inline void release(struct stack_walk *w)
{
	BARRIER();
	*(volatile uint64_t *)&w->busy = 0;
}

/* A walk that is ours until release(); NULL: the kernel is to walk. */
static always_inline struct stack_walk *claim(long *number)
{
	*number = pool_head()->disabled ? -1 : rt_walk_claim();
	return *number < 0 ? 0 : walk_of(*number);
}

static always_inline long walk_at(void *context, uint64_t at, uint64_t bytes, uint64_t at_entry)
{
	long number, got = -1;
	struct stack_walk *w = claim(&number);
	if (!w)
		return -1;
	int counts = (bytes & STACK_COUNTS) != 0;
	uint64_t room = counts ? bytes : at_most(bytes, NUMBER(rt_slot_size) - WORD);
	w->at = counts ? WALK_NO_FRAMES : at;
	w->most = room / WORD;
	w->at_entry = at_entry;
	if (walk(context, w, number) == 0)
		got = finish(w, bytes);
	release(w);
	return got;
}

/* By frame pointers: processes of 32 bits, and too many walks at once in one area. */
static always_inline long walk_or_kernel(void *context, uint64_t at, uint64_t bytes,
					 uint64_t at_entry)
{
	long got = walk_at(context, at, bytes, at_entry);
	return got >= 0 ? got : rt_ustack(context, at, bytes);
}

long rt_cfi_ustack(void *context, uint64_t at, uint64_t bytes)
{
	return walk_or_kernel(context, at, bytes, 0);
}

long rt_cfi_ustack_entry(void *context, uint64_t at, uint64_t bytes, uint64_t caller,
			 uint64_t frame_pointer)
{
	return walk_or_kernel(context, at, bytes, 1);
}

long rt_cfi_ucaller(void *context)
{
	uint64_t frames[2] = { 0, 0 };
	long number;
	struct stack_walk *w = claim(&number);
	if (!w) {
		port_stack(context, frames, sizeof(frames), PORT_USER_STACK);
		return frames[1];
	}
	w->at = WALK_NO_FRAMES;
	w->most = 2;
	w->at_entry = 0;
	if (walk(context, w, number) == 0 && w->count == 2)
		frames[1] = w->pc;
	release(w);
	return frames[1];
}

/* --- for the loader ------------------------------------------------------------------------- */

/* Which file has this process mapped at ADDRESS? */
long rt_file_key(uint64_t address)
{
	struct unwind_pool *pool = pool_head();
	long at = rt_walk_claim();
	struct stack_walk *w = at < 0 ? 0 : walk_of(at);
	pool->is_found = 0;
	if (!w)
		return -1;
	if (check_memory(w) == 0 && rt_walk_vma(at, address) == 0 && VMA(w, begin) <= address &&
	    VMA(w, end) > address && VMA(w, file)) {
		key_of_file(VMA(w, file), &pool->found);
		pool->is_found = 1;
	}
	release(w);
	return 0;
}
