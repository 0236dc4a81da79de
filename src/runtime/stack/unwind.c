/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A walk: from the registers of the first frame to the end of the stack */
#include "runtime/stack/unwind.h"

long rt_truncated_stack(uint64_t at);
long rt_namespace_pid_tgid(void);
long rt_ustack(void *context, uint64_t at, uint64_t bytes);
long rt_ustack_entry(void *context, uint64_t at, uint64_t bytes, uint64_t caller,
		     uint64_t frame_pointer);

struct stepping {
	uint64_t at;
};

static long walk_step(uint32_t i, struct stepping *s)
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
	int is_same = has_sequence && w->memory == (uint64_t)memory && w->root == root &&
		      w->sequence == sequence && w->generation == generation &&
		      w->process == process;
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

#define REGISTER(w, name) ((w)->registers[NUMBER(rt_register_##name) & 63])

/* Bytes of an address of the code that runs; 0: we do not know it. */
static always_inline uint64_t word_of_code(const struct stack_walk *w)
{
	uint64_t mode = REGISTER(w, mode) & NUMBER(rt_mode_mask);
	uint64_t wide = NUMBER(rt_mode_64), narrow = NUMBER(rt_mode_32);
	OPAQUE(wide); /* else the compiler takes them for addresses, which are not 0 */
	OPAQUE(narrow);
	return mode == wide ? WORD : mode == narrow ? NARROW : 0;
}

/* From the registers; -1: nothing can be walked. */
__attribute__((noinline)) long rt_walk_begin(uint64_t at)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return -1;
	w->word = word_of_code(w);
	if (!w->word)
		return -1;
	w->evictions = pool_head()->evictions;
	BARRIER(); /* before what is remembered of tables is checked */
	if (check_memory(w) < 0)
		return -1;
	w->pc = REGISTER(w, pc);
	w->stack = REGISTER(w, stack);
	w->frame = REGISTER(w, frame);
	w->saved = REGISTER(w, saved);
	w->has_saved = 1;
	w->how = FRAME_FIRST;
	w->count = w->failed = w->piece_size = w->piece_words = w->copy = w->is_lost = 0;
	w->end = STACK_END_FULL;
	check_returns(w);
	return 0;
}

static always_inline long read_registers(void *context, struct stack_walk *w)
{
	uint64_t is_context = NUMBER(rt_context_registers);
	OPAQUE(is_context); /* else the compiler takes it for an address, which is not 0 */
	const void *from = is_context ? context : port_user_regs(port_task());
	return port_read_kernel(w->registers, NUMBER(rt_registers_size), from);
}

/* From AT on, of w, the walk at WALK; -1: this is no code that we know. */
static always_inline long walk_frames(void *context, struct stack_walk *w, uint64_t walk)
{
	if (read_registers(context, w) < 0)
		return -1;
	struct stepping s = { walk + unknown_zero(&w->blur) };
	if (rt_walk_begin(walk) < 0)
		return -1;
	port_loop(STACK_FRAMES_MAX, walk_step, &s, 0);
	return 0;
}

/* Where there is room the stack says how it ended. */
static always_inline long walk_finish(struct stack_walk *w, uint64_t bytes)
{
	uint64_t count = w->count;
	if (count >= w->most && bytes & STACK_WANTS_MORE)
		rt_truncated_stack(w->at);
	if (bytes & STACK_COUNTS && !stack_end_is_whole(w->end))
		COUNT(unproven_depths);
	if (count >= w->most || bytes & STACK_COUNTS)
		return count * WORD;
	uint64_t at = w->at + count * WORD;
	OPAQUE(at);
	uint64_t *to = scratch(at);
	if (to)
		*to = frame_end(w->end) | w->copy << FRAME_COPY_AT;
	return (count + 1) * WORD;
}

static always_inline void walk_release(struct stack_walk *w)
{
	BARRIER();
	*(volatile uint64_t *)&w->busy = 0;
}

/* The list of methods, whose room ends at END, ends here. */
static always_inline void end_methods(struct stack_walk *w, uint64_t end)
{
	uint64_t at = w->methods;
	OPAQUE(at);
	uint64_t *to = at < end ? scratch(at) : 0;
	if (to)
		*to = 0;
}

/* A walk that is ours until walk_release(); NULL: the kernel is to walk. */
static always_inline struct stack_walk *walk_claim(long *number)
{
	*number = pool_head()->disabled ? -1 : rt_walk_claim();
	return *number < 0 ? 0 : walk_of(*number);
}

static always_inline long walk_at(void *context, uint64_t at, uint64_t bytes, uint64_t at_entry)
{
	long number, got = -1;
	struct stack_walk *w = walk_claim(&number);
	if (!w)
		return -1;
	int counts = (bytes & STACK_COUNTS) != 0;
	uint64_t room =
		counts ? bytes : at_most(bytes & ~STACK_IS_VALUE, NUMBER(rt_slot_size) - WORD);
	w->at = counts ? WALK_NO_FRAMES : at;
	w->most = room / WORD;
	w->methods = bytes & STACK_METHODS ? at + (bytes & ~STACK_FLAGS) : 0;
	w->wants_more = bytes & (STACK_WANTS_MORE | STACK_IS_VALUE);
	w->at_entry = at_entry;
	if (walk_frames(context, w, number) == 0)
		got = walk_finish(w, bytes);
	if (bytes & STACK_METHODS)
		end_methods(w, at + 2 * (bytes & ~STACK_FLAGS));
	walk_release(w);
	return got;
}

/*
 * GOT bytes of BYTES at AT are of the kernel's walk, which does not say how it ended.  Where it is
 * always the kernel's, that was reported when tracing began.
 */
static always_inline long finish_kernel(long got, uint64_t at, uint64_t bytes)
{
	if (got <= 0 || pool_head()->disabled)
		return got;
	if (bytes & STACK_COUNTS) {
		COUNT(unproven_depths);
		return got;
	}
	if (got + WORD > (long)at_most(bytes & ~STACK_FLAGS, NUMBER(rt_slot_size) - WORD))
		return got;
	at += got;
	OPAQUE(at);
	uint64_t *to = scratch(at);
	if (to)
		*to = frame_end(STACK_END_KERNEL);
	return got + WORD;
}

/* Else by frame pointers: processes that end, and too many walks at once in one area. */
long rt_cfi_ustack(void *context, uint64_t at, uint64_t bytes)
{
	long got = walk_at(context, at, bytes, 0);
	return got >= 0 ? got : finish_kernel(rt_ustack(context, at, bytes), at, bytes);
}

long rt_cfi_ustack_entry(void *context, uint64_t at, uint64_t bytes, uint64_t caller,
			 uint64_t frame_pointer)
{
	long got = walk_at(context, at, bytes, 1);
	if (got >= 0)
		return got;
	got = rt_ustack_entry(context, at, bytes, caller, frame_pointer);
	return finish_kernel(got, at, bytes);
}

static always_inline uint64_t kernel_ucaller(void *context)
{
	uint64_t frames[2] = { 0, 0 };
	port_stack(context, frames, sizeof(frames), PORT_USER_STACK);
	if (!pool_head()->disabled)
		COUNT(unproven_depths);
	return frames[1];
}

/* A caller found by a frame pointer is one if its code keeps frame pointers, which is not known. */
static always_inline int is_caller_proven(const struct stack_walk *w)
{
	return w->count == 2 ? w->how != FRAME_POINTER : w->end == STACK_END_WHOLE;
}

long rt_cfi_ucaller(void *context)
{
	long number, caller = 0;
	struct stack_walk *w = walk_claim(&number);
	if (!w)
		return kernel_ucaller(context);
	w->at = WALK_NO_FRAMES;
	w->methods = 0;
	w->most = 2;
	w->at_entry = 0;
	long walked = walk_frames(context, w, number);
	if (walked == 0 && w->count == 2)
		caller = w->pc;
	if (walked == 0 && !is_caller_proven(w))
		COUNT(unproven_depths);
	walk_release(w);
	return walked < 0 ? kernel_ucaller(context) : caller;
}

/* --- for the loader --------------------------------------------------------------------------- */

/* Which file has this process mapped at ADDRESS? */
long rt_file_key(uint64_t address)
{
	struct unwind_pool *pool = pool_head();
	long at = rt_walk_claim();
	struct stack_walk *w = at < 0 ? 0 : walk_of(at);
	pool->is_found = 0;
	if (!w)
		return -1;
	if (check_memory(w) == 0 && rt_walk_vma(at, address) == 0 && VMA(w, file)) {
		key_of_file(VMA(w, file), &pool->found);
		pool->is_found = 1;
	}
	walk_release(w);
	return 0;
}
