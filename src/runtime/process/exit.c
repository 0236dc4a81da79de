/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Returns of functions that end by a jump (abi/exit.h)
 *
 * Nothing else changes a place while a program is at it: the thread whose stack it is on runs the
 * program.  While no probe is noted anywhere, a return costs one load here.
 */
#include "abi/exit.h"
#include "runtime/runtime.h"

static always_inline struct control *shared(void)
{
	return (struct control *)rt_control;
}

/* An exit that a thread is at. */
struct exit_site {
	uint64_t cookie, pc;
	uint64_t word; /* the return address, where calls put it into a register; else the flags */
};

/* --- places --- */

static always_inline struct exit_key exit_place_key(const struct exit_firing *f)
{
	return (struct exit_key) { f->stack_pointer, f->tgid, NUMBER(rt_exit_group) };
}

static always_inline struct exit_place *place_find(struct exit_firing *f)
{
	f->tgid = port_pid_tgid() >> 32;
	if (!shared()->exit_places)
		return 0;
	const struct exit_key key = exit_place_key(f);
	return port_map_lookup(rt_exit_places, &key);
}

/* The places of the process, for its end (exit_process.c); NULL: there was no room. */
static always_inline uint64_t *process_places(uint32_t tgid)
{
	const uint64_t none = 0;
	uint64_t *places = port_map_lookup(rt_exit_counts, &tgid);
	if (places)
		return places;
	port_map_update(rt_exit_counts, &tgid, &none, BPF_NOEXIST);
	return port_map_lookup(rt_exit_counts, &tgid);
}

static always_inline void place_count(uint64_t *of_process, uint64_t n)
{
	ADD_SHARED(&shared()->exit_places, n);
	if (of_process)
		ADD_SHARED(of_process, n);
}

static always_inline void place_remove(const struct exit_firing *f)
{
	const struct exit_key key = exit_place_key(f);
	if (!port_map_remove(rt_exit_places, &key))
		place_count(port_map_lookup(rt_exit_counts, &key.tgid), -1);
}

/*
 * As far as it is compared: its lower half.  Of a program of 32 bits, the upper half of the word is
 * the first argument.
 */
static always_inline uint64_t return_address(const struct exit_firing *f, const struct exit_site *s)
{
	uint32_t address = 0;
	uint64_t has_link = NUMBER(rt_has_link);
	OPAQUE(has_link); /* a symbol's address, which is never 0 to the compiler */
	if (has_link)
		return s->word;
	port_read_user(&address, sizeof(address), (void *)f->stack_pointer);
	return address;
}

/* The probe fires here instead. */
static always_inline long fire_unknown(struct exit_firing *f)
{
	f->unknown |= EXIT_UNKNOWN;
	return 1;
}

static always_inline long miss(struct exit_firing *f)
{
	ADD_SHARED(&shared()->exit_notes_missed, 1);
	return fire_unknown(f);
}

static always_inline long place_make(struct exit_firing *f, uint64_t address, uint64_t left,
				     uint64_t running)
{
	struct exit_place new = {
		.return_address = address,
		.running = running,
		.left = left,
		.count = 1,
		.notes = { f->note },
	};
	const struct exit_key key = exit_place_key(f);
	uint64_t *of_process = process_places(key.tgid);
	if (!of_process || port_map_update(rt_exit_places, &key, &new, 0))
		return miss(f);
	place_count(of_process, 1);
	return 0;
}

static always_inline void take_newest(struct exit_firing *f, struct exit_place *p)
{
	uint64_t n = p->count - 1;
	f->note = p->notes[n % EXIT_NOTES];
	p->count = n;
	if (!n)
		place_remove(f);
}

/* A note's number in a place. */
struct note_search {
	struct exit_place *place;
	uint64_t index, at;
};

static long note_compare(uint32_t i, struct note_search *s)
{
	if (s->place->notes[i % EXIT_NOTES].index != s->index)
		return 0;
	s->at = i;
	return 1;
}

/* The number of the note of the probe, EXIT_NOTES if it has none. */
static always_inline uint64_t note_find(struct exit_place *p, uint32_t index)
{
	struct note_search s = { p, index, EXIT_NOTES };
	port_loop(p->count, note_compare, &s, 0);
	return s.at;
}

static long note_move(uint32_t i, struct note_search *s)
{
	struct exit_note *notes = s->place->notes;
	uint64_t at = s->at + i;
	notes[at % EXIT_NOTES] = notes[(at + 1) % EXIT_NOTES];
	return 0;
}

/* Note number AT goes, the probe's comes; the older one fires. */
static always_inline long note_renew(struct exit_firing *f, struct exit_place *p, uint64_t at)
{
	struct note_search s = { p, 0, at };
	struct exit_note older = p->notes[at % EXIT_NOTES];
	port_loop(p->count - 1 - at, note_move, &s, 0);
	p->notes[(p->count - 1) % EXIT_NOTES] = f->note;
	f->note = older;
	f->unknown = EXIT_OF_OLDER;
	return fire_unknown(f);
}

static always_inline long exit_note_add(struct exit_firing *f, struct exit_place *p)
{
	uint64_t at = note_find(p, f->note.index);
	if (at < EXIT_NOTES)
		return note_renew(f, p, at);
	if (p->count >= EXIT_NOTES)
		return miss(f);
	p->notes[p->count % EXIT_NOTES] = f->note;
	p->count++;
	return 0;
}

/* --- exits: the result is how many probes fire --- */

/* The function that begins at BEGIN is left for its caller, or for code that is not covered. */
static always_inline long function_leave(struct exit_firing *f, const struct exit_site *s,
					 uint64_t begin, uint64_t own)
{
	struct exit_place *p = place_find(f);
	if (!p)
		return own;
	if (p->running != begin || p->return_address != return_address(f, s)) {
		place_remove(f);
		return own;
	}
	uint64_t count = p->count;
	if (!own)
		take_newest(f, p);
	return own + count;
}

/* Has another probe of this jump been noted just now? */
static always_inline int is_second(const struct exit_firing *f, struct exit_place *p,
				   uint64_t begin, uint64_t to)
{
	return p->left == begin && p->running == to && note_find(p, f->note.index) == EXIT_NOTES;
}

/* The function that begins at BEGIN jumps to the covered one that begins at TO. */
static always_inline long pass_on(struct exit_firing *f, const struct exit_site *s, uint64_t begin,
				  uint64_t to, uint64_t own)
{
	struct exit_place *p = place_find(f);
	uint64_t address = p || own ? return_address(f, s) : 0;
	if (p && (p->return_address != address ||
		  (p->running != begin && !(own && is_second(f, p, begin, to))))) {
		place_remove(f);
		p = 0;
	}
	if (!p)
		return own ? place_make(f, address, begin, to) : 0;
	p->left = begin;
	p->running = to;
	return own ? exit_note_add(f, p) : 0;
}

static always_inline int is_true(const struct flag_test *t, uint64_t flags)
{
	uint64_t two = flags & t->differ;
	int holds = (flags & t->any) != 0 || (two && two != t->differ);
	return holds != t->is_not;
}

static always_inline uint64_t register_at(const struct exit_firing *f, uint64_t number)
{
	uint64_t value = 0;
	if (number != EXIT_NO_REGISTER)
		port_read_kernel(&value, sizeof(value), (void *)(f->context + number * 8));
	return value;
}

/* Where J jumps; 0: its memory cannot be read. */
static always_inline uint64_t destination_now(const struct exit_firing *f,
					      const struct exit_jump *j)
{
	const struct exit_operand *o = &j->operand;
	uint64_t at = register_at(f, o->base), to = 0;
	if (!o->word)
		return at;
	at += register_at(f, o->index) * o->scale + (int64_t)j->destination;
	if (o->word == 8)
		port_read_user(&to, 8, (void *)at);
	else
		port_read_user(&to, 4, (void *)(uint64_t)(uint32_t)at);
	return to;
}

/*
 * Is TO in the function that begins at BEGIN?  Where it begins, it is called once more: a jump from
 * one handler of an interpreter to the next, which is the same one.
 */
static always_inline int stays_inside(const struct exit_jump *j, uint64_t begin, uint64_t to)
{
	const struct exit_extent *e = &j->extent;
	uint64_t at = to - begin;
	return (at && at < e->size) || at - (int64_t)e->other < e->other_size;
}

/* Does a covered function begin at TO?  An executor that knows all addresses has its own. */
#ifndef port_is_covered

/* What is mapped at an address. */
struct exit_mapping {
	uint64_t address;
	struct exit_file file; /* inode 0: none */
	uint64_t at;	       /* the address's offset in it */
};

static long mapping_note(void *task, void *mapping, struct exit_mapping *m)
{
	uint64_t vma = (uint64_t)mapping, file = word_at(vma + NUMBER(rt_offset_vma_file));
	if (!file)
		return 0;
	uint64_t inode = word_at(file + NUMBER(rt_offset_file_inode));
	m->file.inode = word_at(inode + NUMBER(rt_offset_inode_number));
	m->file.size = word_at(inode + NUMBER(rt_offset_inode_size));
	m->at = m->address - word_at(vma + NUMBER(rt_offset_vma_begin)) +
		word_at(vma + NUMBER(rt_offset_vma_page)) * NUMBER(rt_page_size);
	return 0;
}

/* Does a covered function of any file of the group begin at TO? */
static always_inline int is_covered_elsewhere(const struct exit_jump *j, uint64_t to)
{
	struct exit_mapping m = { .address = to, .file = { .pid = j->pid } };
	if (port_find_vma(port_task(), to, mapping_note, &m, 0))
		return 0;
	const uint32_t *file = port_map_lookup(rt_exit_files, &m.file);
	if (!file)
		return 0;
	const struct exit_function key = { .at = m.at, .file = *file };
	return port_map_lookup(rt_exit_functions, &key) != 0;
}

static always_inline int port_is_covered(const struct exit_firing *f, const struct exit_site *s,
					 const struct exit_jump *j, uint64_t to)
{
	const struct exit_function key = { .at = j->at + (to - s->pc), .file = j->file };
	if (port_map_lookup(rt_exit_functions, &key))
		return 1;
	return j->pid != EXIT_NO_PROCESS && is_covered_elsewhere(j, to);
}
#endif

static always_inline long jump(struct exit_firing *f, const struct exit_site *s)
{
	uint64_t entry = s->cookie >> 32;
	OPAQUE(entry);
	if (entry >= NUMBER(rt_table_entries))
		return 0;
	OPAQUE(entry);
	const struct exit_jump *j = (const void *)(rt_table + entry * NUMBER(rt_table_entry_size));
	if (!is_true(&j->test, s->word))
		return 0;
	f->note.inside = j->inside;
	uint64_t begin = s->pc - (int64_t)j->inside, own = !j->of_destination;
	uint64_t to = s->pc + (int64_t)j->destination, follows = j->kind == JUMP_FOLLOWED;
	if (j->kind == JUMP_LOOKED_UP) {
		to = destination_now(f, j);
		if (stays_inside(j, begin, to))
			return 0;
		follows = port_is_covered(f, s, j, to);
	}
	if (follows)
		return pass_on(f, s, begin, to, own);
	f->unknown = 1;
	return function_leave(f, s, begin, own);
}

/* F has the context and the stack pointer; the probe whose turn is first is in it then. */
long rt_exits(struct exit_firing *f, uint64_t cookie, uint64_t pc, uint64_t word)
{
	const struct exit_site s = { cookie, pc, word };
	uint64_t role = cookie >> EXIT_INDEX_BITS & 0xff;
	f->note.index = cookie & ((1u << EXIT_INDEX_BITS) - 1);
	f->note.inside = cookie >> 32;
	f->unknown = 0;
	if (shared()->activity != ACTIVITY_ACTIVE)
		return 0;
	if (role == EXIT_NONE)
		return 1;
	if (role == EXIT_JUMP)
		return jump(f, &s);
	return function_leave(f, &s, pc - (int64_t)f->note.inside, role == EXIT_RETURN);
}

long rt_exit_next(struct exit_firing *f)
{
	const struct exit_key key = exit_place_key(f);
	struct exit_place *p = port_map_lookup(rt_exit_places, &key);
	if (!p || !p->count)
		return 0;
	take_newest(f, p);
	return 1;
}
