/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Frames of interpreters in the stack of the current thread (abi/interpreted.h)
 *
 * CPython keeps them in lists of its own: a C function runs several.  The thread is looked up among
 * those of all its interpreters, by its thread pointer.  Nothing is locked: the thread whose frames
 * these are is the one that runs, but others may begin or end meanwhile.  What cannot be read is
 * counted.
 */
#include "abi/interpreted.h"
#include "runtime/stack/code_texts.h"

#define THREADS_MOST 4096

long rt_namespace_pid_tgid(void);
long rt_namespace_ppid(void);
long rt_ppid(void);
long rt_methods(uint64_t at, uint64_t bytes, uint64_t from, uint64_t process);

/* Is the tracer in a PID namespace?  The compiler takes the number for an address, never 0. */
static always_inline uint64_t is_in_namespace(void)
{
	uint64_t is_inside = NUMBER(rt_namespace);
	OPAQUE(is_inside);
	return is_inside;
}

static always_inline uint32_t interpreted_process_number(void)
{
	uint64_t pid_tgid = is_in_namespace() ? rt_namespace_pid_tgid() : port_pid_tgid();
	return pid_tgid >> 32;
}

/*
 * Is the memory of this process a copy of what its parent has? Each program that is executed adds
 * one to self_exec_id, and a child gets its parent's as both of its own.
 */
static always_inline int is_copy_of_parent(void)
{
	uint64_t task = port_task_number(), parent = word_at(task + NUMBER(rt_offset_task_parent));
	uint32_t inherited = half_at(task + NUMBER(rt_offset_task_parent_exec_id));
	return half_at(task + NUMBER(rt_offset_task_exec_id)) == inherited &&
	       half_at(parent + NUMBER(rt_offset_task_exec_id)) == inherited;
}

/* PROCESS was forked a moment ago, and the tracer does not know it yet: its parent's are its own.
 */
__attribute__((noinline)) long rt_inherit_interpreter(uint64_t process)
{
	uint32_t key = process;
	uint32_t parent = is_in_namespace() ? rt_namespace_ppid() : rt_ppid();
	struct interpreted_process *its = port_map_lookup(rt_interpreters, &parent);
	if (!its || !is_copy_of_parent())
		return 0;
	return port_map_update(rt_interpreters, &key, its, 0) == 0;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* What a string object says of its characters. */
struct characters {
	uint64_t address;
	uint32_t size, width; /* bytes; of each character */
};

#define STRING_LENGTH 16
#define STRING_STATE 32
#define STATE_KIND(state) ((state) >> 2 & 7)
#define STATE_IS_ASCII(state) ((state) >> 6 & 1)

static always_inline int find_characters(uint64_t string, const struct cpython_layout *l,
					 struct characters *ret)
{
	uint64_t state = user_word(string + STRING_STATE), width = STATE_KIND(state);
	uint64_t all = user_word(string + STRING_LENGTH), length = at_most(all, CODE_NAME_MOST);
	if (width != 1 && width != 2 && width != 4)
		return -1;
	uint64_t size = at_most(length * width, CODE_NAME_MOST);
	ret->width = width;
	ret->size = size & ~(width - 1);
	ret->address = string + (STATE_IS_ASCII(state) ? l->ascii : l->compact);
	return all * width > size;
}

#define BYTES_SIZE 16
#define BYTES_AT 32

/* Copy the names and lines of KEY's code; the place of the copy; 0: that was not possible. */
static always_inline uint64_t copy_code(const struct code_key *key, const struct cpython_layout *l)
{
	struct characters file = { 0 }, name = { 0 };
	int file_is_cut = find_characters(key->file, l, &file);
	int name_is_cut = find_characters(key->name, l, &name);
	if (file_is_cut < 0 || name_is_cut < 0)
		return 0;
	uint64_t all = user_word(key->lines + BYTES_SIZE), lines = at_most(all, CODE_LINES_MOST);
	uint64_t size =
		sizeof(struct code_text) + PADDED(file.size) + PADDED(name.size) + PADDED(lines);
	uint64_t place = claim_text(size);
	if (!place)
		return 0;
	uint64_t at = place + sizeof(struct code_text);
	if (copy_text(at, file.size, CODE_NAME_MOST, file.address) < 0 ||
	    copy_text(at + PADDED(file.size), name.size, CODE_NAME_MOST, name.address) < 0 ||
	    copy_text(at + PADDED(file.size) + PADDED(name.size), lines, CODE_LINES_MOST,
		      key->lines + BYTES_AT) < 0)
		return 0;
	struct code_text *text = (struct code_text *)(void *)text_at(place);
	text->first_line = key->first_line;
	text->lines_size = lines;
	text->file_size = file.size;
	text->name_size = name.size;
	text->file_width = file.width;
	text->name_width = name.width;
	text->is_cut = file_is_cut || name_is_cut || lines < all;
	return place;
}

/*
 * The place of the texts of this code; 0: counted.  With all in one function the verifier gave up:
 * it sees this one once.
 */
__attribute__((noinline)) uint64_t rt_code_place(uint64_t code, uint64_t file, uint64_t name,
						 uint64_t lines, uint64_t first_line)
{
	struct code_key key = { interpreted_process_number(), first_line, code, file, name, lines };
	uint64_t *known = port_map_lookup(rt_codes, &key);
	if (known)
		return *known;
	struct interpreted_process *in = port_map_lookup(rt_interpreters, &key.process);
	uint64_t place = in ? copy_code(&key, &in->layout) : 0;
	if (!place || port_map_update(rt_codes, &key, &place, 0) < 0)
		COUNT(unnamed_frames);
	return place;
}

/* --- the thread ------------------------------------------------------------------------------- */

struct thread_search {
	uint64_t interpreter, thread, wanted, next_interpreter, threads, next, number, found;
};

static long look_at_thread(uint32_t i, struct thread_search *s)
{
	if (!s->thread) {
		if (!s->interpreter)
			return 1;
		s->thread = user_word(s->interpreter + s->threads);
		s->interpreter = user_word(s->interpreter + s->next_interpreter);
		return 0;
	}
	if (user_word(s->thread + s->number) == s->wanted) {
		s->found = s->thread;
		return 1;
	}
	s->thread = user_word(s->thread + s->next);
	return 0;
}

/* The current thread as the interpreter knows it; 0: it does not. */
static always_inline uint64_t find_thread(const struct interpreted_process *in, uint64_t blur)
{
	const struct cpython_layout *l = &in->layout;
	uint64_t pointer = NUMBER(rt_offset_task_fs_base);
	OPAQUE(pointer);
	struct thread_search s = {
		.interpreter = user_word(in->runtime + l->interpreters),
		.thread = blur,
		.wanted =
			pointer ? word_at(port_task_number() + pointer) : (uint32_t)port_pid_tgid(),
		.next_interpreter = l->next_interpreter,
		.threads = l->threads,
		.next = l->next_thread,
		.number = pointer ? l->thread_pointer : l->thread_number,
		.found = blur,
	};
	port_loop(THREADS_MOST, look_at_thread, &s, 0);
	return s.found;
}

/* The current thread's innermost frame; 0: it has none.  AT: in the firing's slot. */
__attribute__((noinline)) uint64_t rt_first_interpreted(uint64_t at)
{
	struct slot *slot = slot_of(at);
	uint32_t process = interpreted_process_number();
	struct interpreted_process *in = port_map_lookup(rt_interpreters, &process);
	if (!in && rt_inherit_interpreter(process))
		in = port_map_lookup(rt_interpreters, &process);
	if (!slot || !in)
		return 0;
	uint64_t thread = find_thread(in, unknown_zero(&slot->unknown));
	if (!thread)
		return 0;
	const struct cpython_layout *l = &in->layout;
	uint64_t from = l->indirect ? user_word(thread + l->indirect) : thread;
	return from ? user_word(from + l->current_frame) : 0;
}

/* --- frames ----------------------------------------------------------------------------------- */

struct frame_walk {
	uint64_t at, begin, end; /* of the words */
	uint64_t frame;
	uint64_t process;
};

/* The last word ends its native frame; or there is none: one of no frame does. */
static always_inline void end_native_frame(struct frame_walk *w)
{
	uint64_t *before = w->at > w->begin ? scratch(w->at - 8) : 0;
	if (before && !interpreted_is_last(*before)) {
		*before |= 1ull << INTERPRETED_LAST_AT;
		return;
	}
	uint64_t *to = scratch(w->at);
	if (!to || w->at >= w->end)
		return;
	*to = interpreted_word(0, INTERPRETED_NONE) | 1ull << INTERPRETED_LAST_AT;
	w->at += 8;
}

/* Of a code object: co_filename, co_name, co_qualname, co_linetable. */
struct names {
	uint64_t file, name, qualified_name, lines;
};

static always_inline uint64_t code_word(uint64_t code, uint64_t instruction,
					const struct cpython_layout *l)
{
	struct names names;
	uint32_t first_line;
	if (port_read_user(&names, sizeof(names), (void *)(code + l->names)) < 0 ||
	    port_read_user(&first_line, sizeof(first_line), (void *)(code + l->first_line)) < 0) {
		COUNT(unnamed_frames);
		return interpreted_word(0, 0);
	}
	int64_t number = (int64_t)(instruction - code - l->instructions) >> 1;
	uint64_t place =
		rt_code_place(code, names.file, names.qualified_name, names.lines, first_line);
	return interpreted_word(place, place ? (uint32_t)number : 0);
}

/* What follows the instruction in a frame has the bytes of flags. */
struct position {
	uint64_t instruction, flags;
};

/* 1: there are no more. */
static long look_at_frame(uint32_t i, struct frame_walk *w)
{
	uint32_t process = w->process;
	uint64_t frame = w->frame;
	struct interpreted_process *in = port_map_lookup(rt_interpreters, &process);
	struct position p;
	if (!in || !frame || w->at >= w->end)
		return 1;
	const struct cpython_layout *l = &in->layout;
	if (port_read_user(&p, sizeof(p), (void *)(frame + l->position)) < 0) {
		COUNT(unnamed_frames);
		return 1;
	}
	w->frame = user_word(frame + l->previous);
	if (!l->entry_bit && (p.flags >> l->owner_bit & 0xff) == CPYTHON_OWNED_BY_NATIVE) {
		end_native_frame(w);
		return 0;
	}
	uint64_t *to = scratch(w->at);
	if (!to)
		return 1;
	uint64_t is_entry = l->entry_bit ? p.flags >> l->entry_bit & 1 : 0;
	*to = code_word(user_word(frame + l->code) & ~7ull, p.instruction, l) |
	      is_entry << INTERPRETED_LAST_AT;
	w->at += 8;
	return 0;
}

/*
 * Words of at most BYTES go to AT; the bytes written.  FROM: where the walk has kept words
 * (STACK_METHODS), in as many bytes.
 */
__attribute__((noinline)) long rt_interpreted(uint64_t at, uint64_t bytes, uint64_t from)
{
	struct slot *slot = slot_of(at);
	long methods = rt_methods(at, bytes, from, interpreted_process_number());
	uint64_t first = rt_first_interpreted(at);
	if (!slot || !first || methods < 0)
		return methods;
	at += methods;
	bytes -= methods;
	uint64_t blur = unknown_zero(&slot->unknown);
	struct frame_walk w = {
		.at = at + blur,
		.begin = at + blur,
		.end = at + at_most(bytes, NUMBER(rt_slot_size) - 8) + blur,
		.frame = first + blur,
		.process = interpreted_process_number() + blur,
	};
	port_loop(STACK_FRAMES_MAX, look_at_frame, &w, 0);
	return methods + (w.at - at);
}
