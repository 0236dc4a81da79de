/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From parts of memory to the recorded program and a copy of its memory
 *
 * The layout is computed again from the program, which was verified, and from a few numbers of the
 * head, within limits; all of the head must be the same.  So each offset and size that is used
 * later is our own.
 */
#include <errno.h>
#include <sys/mman.h>

#include "postmortem/internal.h"

#define NOTE_MOST (1u << 30) /* bytes */
#define AREAS_MOST 4096u
#define SLOT_MOST (1u << 26)
#define ELEMENT_MOST (1u << 24) /* bytes of a key, of a value */
#define SPECULATIONS_MOST 65536u

/* --- the head --------------------------------------------------------------------------------- */

static struct error *head_missing(const struct remains *r)
{
	for (size_t i = 0; i < r->parts.count && r->size; i++)
		if (r->parts.items[i].offset + r->parts.items[i].size > r->size)
			return error_new(
				"%s is truncated (ulimit -c, a full disk), and what is left "
				"has no flight recorder of dtrace",
				r->name);
	for (size_t i = 0; i < r->files.count; i++)
		if (strstr(r->files.items[i].path, "/memfd:dtrace"))
			return error_new("%s does not have the memory that the process shared with "
					 "dtrace: it was traced without -x bufpolicy=ring, or "
					 "/proc/PID/coredump_filter leaves out shared memory (2)",
					 r->name);
	return error_new("%s has no flight recorder of dtrace: the process has one if it is "
			 "traced with -x executor=process -x bufpolicy=ring",
			 r->name);
}

static struct error *head_find(const struct remains *r, uint64_t *base, struct process_head *ret)
{
	for (size_t i = 0; i < r->parts.count; i++) {
		uint64_t words[2] = { 0 };
		*base = r->parts.items[i].address;
		if (remains_read(r, *base, words, sizeof(words)) != sizeof(words) ||
		    words[0] != PROCESS_HEAD_MAGIC)
			continue;
		if (words[1] != PROCESS_HEAD_VERSION)
			return error_new("%s has a flight recorder of %s dtrace: its form is %llu, "
					 "and this one reads %u",
					 r->name,
					 words[1] > PROCESS_HEAD_VERSION ? "a later" : "an earlier",
					 (unsigned long long)words[1], PROCESS_HEAD_VERSION);
		if (remains_read(r, *base, ret, sizeof(*ret)) == sizeof(*ret))
			return NULL;
		return error_new("%s is truncated in the flight recorder's head", r->name);
	}
	return head_missing(r);
}

static struct error *recorder_damaged(const struct post_mortem *p, const char *what)
{
	return error_new("the flight recorder in %s is damaged: %s", p->remains.name, what);
}

static struct error *note_get(struct post_mortem *p, uint64_t base, const struct process_head *h,
			      struct arena *arena)
{
	if (!h->note)
		return error_new("%s has no flight recorder of dtrace: it is traced without "
				 "-x bufpolicy=ring",
				 p->remains.name);
	if (h->note_size > NOTE_MOST || h->note > UINT64_MAX - base)
		return recorder_damaged(p, "its note's size");
	auto_free char *note = try_alloc(h->note_size + 8);
	if (!note)
		return error_new("no memory for %llu bytes of %s", (unsigned long long)h->note_size,
				 p->remains.name);
	if (remains_read(&p->remains, base + h->note, note, h->note_size) != h->note_size)
		return error_new("%s is truncated in the flight recorder's note (ulimit -c, a full "
				 "disk)",
				 p->remains.name);
	if (agent_head_sum(h, note) != h->sum)
		return recorder_damaged(p, "the sum of head and note");
	if (!post_mortem_read(note, h->note_size, arena, &p->note))
		return recorder_damaged(p, "its note");
	return NULL;
}

/* --- the layout ------------------------------------------------------------------------------- */

static bool maps_are_sound(const struct program *p)
{
	bool sound = true;
	for (unsigned i = 0; i < p->map_count; i++)
		sound &= p->maps[i].key_size <= ELEMENT_MOST &&
			 p->maps[i].value_size <= ELEMENT_MOST;
	return sound;
}

static bool is_power(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Numbers that the layout is computed from: no sum of products of them exceeds 64 bits. */
static bool numbers_are_sound(const struct program *p, const struct process_head *h)
{
	return is_power(p->area_count) && p->area_count <= AREAS_MOST && is_power(h->slot_size) &&
	       h->slot_size >= p->slot_size && h->slot_size <= SLOT_MOST &&
	       is_power(h->ring_size) && h->ring_size <= RING_SIZE_MOST &&
	       h->speculation_count <= SPECULATIONS_MOST && h->pool_size <= RING_SIZE_MOST &&
	       maps_are_sound(p);
}

static struct error *layout_compute(struct post_mortem *p, const struct process_head *h)
{
	if (!numbers_are_sound(&p->program, h))
		return recorder_damaged(p, "sizes");
	p->program.slot_size = (uint32_t)h->slot_size;
	const struct executor_options o = {
		.policy = POLICY_RING,
		.buffer_size = h->ring_size,
		.speculation_count = (unsigned)h->speculation_count,
		.speculation_size = h->speculation_size,
		.wall_offset = h->wall_offset,
		.unwind_pool = h->pool_size,
		.note_size = h->note_size,
	};
	struct error *err = agent_layout_init(&p->layout, &p->program, &o);
	if (err)
		return err;
	struct process_head ours = p->layout.head;
	ours.image_id = h->image_id;
	ours.sum = h->sum;
	if (memcmp(&ours, h, offsetof(struct process_head, errand)) != 0)
		return recorder_damaged(p, "its layout is not that of its program");
	return NULL;
}

/* --- its memory ------------------------------------------------------------------------------- */

/* SIZE bytes at offset AT of the memory, of which some may be missing. */
static void memory_copy(struct post_mortem *p, uint64_t base, char *memory, uint64_t at,
			uint64_t size)
{
	for (uint64_t end = at + size; at < end;) {
		uint64_t got = remains_copy(&p->remains, base + at, memory + at, end - at);
		at += got;
		if (at == end)
			return;
		uint64_t next = remains_next(&p->remains, base + at) - base;
		next = MIN(MAX(next, at + 1), end);
		p->missing += next - at;
		at = next;
	}
}

/* The parts of the core that are of the memory: of a core whose end, with the marks, is missing. */
static void memory_copy_parts(struct post_mortem *p, uint64_t base, char *memory)
{
	uint64_t size = p->layout.head.size;
	for (size_t i = 0; i < p->remains.parts.count; i++) {
		const struct remains_part *part = &p->remains.parts.items[i];
		if (part->address >= base && part->address - base < size)
			memory_copy(p, base, memory, part->address - base,
				    MIN(part->size, size - (part->address - base)));
	}
}

static void memory_copy_marked(struct post_mortem *p, uint64_t base, char *memory)
{
	const struct process_head *h = &p->layout.head;
	uint64_t size = h->size / PROCESS_DUMP_PAGE / 8;
	struct address_range r = { 0 };
	if (remains_copy(&p->remains, base + h->dumped, memory + h->dumped, size) != size) {
		memory_copy_parts(p, base, memory);
		return;
	}
	while (agent_marked(&p->layout, memory, r.end, &r))
		memory_copy(p, base, memory, r.begin, r.end - r.begin);
}

static struct error *memory_recover(struct post_mortem *p, uint64_t base)
{
	uint64_t size = p->layout.head.size;
	if (base > UINT64_MAX - size)
		return recorder_damaged(p, "its place");
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return error_sys(errno, "cannot map %llu MiB for the flight recorder in %s",
				 (unsigned long long)(size >> 20), p->remains.name);
	agent_view_init(&p->view, &p->layout, memory);
	memory_copy_marked(p, base, memory);
	if (p->is_living)
		recorders_limit(p, base);
	return NULL;
}

static struct error *post_mortem_recover(struct post_mortem *p, struct types *types,
					 struct arena *arena)
{
	uint64_t base = 0;
	struct process_head h;
	struct error *err = head_find(&p->remains, &base, &h);
	if (!err)
		err = note_get(p, base, &h, arena);
	if (err)
		return err;
	err = program_read(p->note.program, p->note.program_size, types, arena, &p->program);
	if (err)
		return error_wrap(err, "the program of the flight recorder in %s", p->remains.name);
	err = layout_compute(p, &h);
	return err ? err : memory_recover(p, base);
}

/* P, or why it is not there: ERR, or what is found later. */
static struct error *post_mortem_or_error(struct post_mortem *p, struct error *err,
					  struct types *types, struct arena *arena,
					  struct post_mortem **ret)
{
	if (!err)
		err = post_mortem_recover(p, types, arena);
	if (err)
		post_mortem_free(p);
	else
		*ret = p;
	return err;
}

struct error *post_mortem_of_core(const char *path, struct types *types, struct arena *arena,
				  struct post_mortem **ret)
{
	struct post_mortem *p = mem_zalloc(sizeof(*p));
	return post_mortem_or_error(p, core_open(path, &p->remains), types, arena, ret);
}

struct error *post_mortem_of_process(int pid, struct types *types, struct arena *arena,
				     struct post_mortem **ret)
{
	struct post_mortem *p = mem_zalloc(sizeof(*p));
	p->is_living = true;
	return post_mortem_or_error(p, living_open(pid, &p->remains), types, arena, ret);
}

void post_mortem_free(struct post_mortem *p)
{
	if (!p)
		return;
	if (p->view.memory) {
		munmap(p->view.memory, p->layout.head.size);
		agent_view_deinit(&p->view);
	}
	agent_layout_deinit(&p->layout);
	remains_deinit(&p->remains);
	free(p);
}

const struct program *post_mortem_program(const struct post_mortem *p)
{
	return &p->program;
}

const struct post_mortem_note *post_mortem_note(const struct post_mortem *p)
{
	return &p->note;
}

int64_t post_mortem_wall_offset(const struct post_mortem *p)
{
	return (int64_t)p->layout.head.wall_offset;
}

uint64_t post_mortem_undumped(const struct post_mortem *p)
{
	return ((const struct process_head *)(void *)p->view.memory)->undumped;
}

uint64_t post_mortem_missing(const struct post_mortem *p)
{
	return p->missing;
}
