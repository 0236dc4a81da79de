/* SPDX-License-Identifier: BSD-2-Clause */
/* Where everything is in the shared memory */
#include <assert.h>
#include <string.h>

#include "agent/agent.h"
#include "arch/arch.h"

#define POOL_LEAST 65536
#define AREA_COUNT_MOST 4096
#define PLACES_MOST (1ull << 31)
#define MEMORY_MOST (1ull << 40)
#define PAGE_ALIGN 4096

/* SIZE bytes after those that are placed already. */
static uint64_t part_place(struct process_head *h, uint64_t size, uint64_t align)
{
	uint64_t at = ALIGN_UP(h->size, align);
	h->size = at + size;
	return at;
}

/* What cores have is first. */
static void place_state(struct process_head *h, const struct program *p)
{
	struct regions r = state_regions(p);
	h->control = part_place(h, r.size, REGION_ALIGN);
	h->counters = h->control + r.counters;
	h->globals = h->control + r.globals;
	h->keyless = h->control + r.keyless;
	h->clause_drops = p->drops_by_clause ? h->control + r.clause_drops : 0;
	h->areas = part_place(h, p->area_count * sizeof(struct process_area), REGION_ALIGN);
	h->maps = part_place(h, (p->map_count + 1) * sizeof(struct process_map), REGION_ALIGN);
	h->constants = part_place(h, constants_region_size(p), PAGE_ALIGN);
	h->errand_data = part_place(h, ERRAND_DATA, PAGE_ALIGN);
	h->more_constants = part_place(h, PROCESS_MORE_CONSTANTS, PAGE_ALIGN);
	h->scratch = part_place(h, scratch_size(p), PAGE_ALIGN);
	h->self_size = region_align(p->self_size);
	h->self = part_place(h, p->area_count * h->self_size, REGION_ALIGN);
	if (p->call_size)
		h->calls = part_place(h, calls_size(p), PAGE_ALIGN);
}

static struct error *place_map(struct process_head *h, const struct map_layout *m,
			       struct process_map *ret)
{
	uint64_t places = 64;
	while (places < 2ull * m->max_entries)
		places *= 2;
	if (places > PLACES_MOST)
		return error_new("%s has too many elements for a process: %u", m->name,
				 m->max_entries);
	ret->mask = (uint32_t)(places - 1);
	ret->shift = (uint32_t)(64 - __builtin_ctzll(places));
	ret->key_size = m->key_size;
	ret->value_size = m->value_size;
	ret->value_at = ALIGN_UP(m->key_size, 8);
	ret->stride = ret->value_at + ALIGN_UP(m->value_size, 8);
	ret->max_entries = m->max_entries;
	ret->words = part_place(h, places * sizeof(uint64_t), PAGE_ALIGN);
	ret->elements = part_place(h, places * ret->stride, PAGE_ALIGN);
	return NULL;
}

static bool follows_jumps(const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->group_count; i++)
		any |= p->groups[i].follows_jumps;
	return any;
}

/* The last map, if there is one, is not the program's. */
static struct error *place_maps(struct process_head *h, const struct program *p,
				struct process_map *maps)
{
	static const struct map_layout exits = { .name = "returns",
						 .key_size = sizeof(struct exit_key),
						 .value_size = sizeof(struct exit_place),
						 .max_entries = EXIT_PLACES };
	struct error *err = NULL;
	for (unsigned i = 0; i < p->map_count && !err; i++) {
		err = place_map(h, &p->maps[i], &maps[i]);
		maps[i].is_dumped = h->note && p->maps[i].kind == MAP_AGGREGATION;
	}
	if (err || !follows_jumps(p))
		return err;
	h->exits = h->maps + p->map_count * sizeof(*maps);
	return place_map(h, &exits, &maps[p->map_count]);
}

static void place_buffers(struct process_head *h, const struct program *p,
			  const struct executor_options *o)
{
	h->ring_size = executor_ring_size(o);
	h->speculation_count = o->speculation_count;
	h->speculation_size = executor_speculation_size(o, h->ring_size);
	h->speculation_stride =
		ALIGN_UP(sizeof(struct speculation) + h->speculation_size + p->slot_size + 16, 64);
	h->speculations = part_place(h, h->speculation_count * h->speculation_stride, PAGE_ALIGN);
	h->record_most =
		MAX((uint64_t)p->slot_size, h->speculation_size + sizeof(struct record_header));
	if (o->policy == POLICY_RING) {
		h->flight_stride = ALIGN_UP(
			sizeof(struct flight) + h->ring_size + h->record_most + 64, PAGE_ALIGN);
		h->flight = part_place(h, p->area_count * h->flight_stride, PAGE_ALIGN);
		return;
	}
	h->ring_stride = ALIGN_UP(h->ring_size + ring_room(h->record_most), PAGE_ALIGN);
	h->rings = part_place(h, p->area_count * h->ring_stride, PAGE_ALIGN);
}

/* The last part: a bit for each page, its own among them. */
static void place_marks(struct process_head *h)
{
	uint64_t pages = h->size / PROCESS_DUMP_PAGE + 2 * PROCESS_OWN_SIZE / PROCESS_DUMP_PAGE;
	h->dumped = part_place(h, ALIGN_UP(pages / 8 + pages / 65536 + 8, PAGE_ALIGN), PAGE_ALIGN);
}

/* As the kernel's programs have them: loader/unwind.c. */
static void place_walks(struct process_head *h, const struct program *p,
			const struct executor_options *o)
{
	h->pool_size = POOL_LEAST;
	while (h->pool_size < o->unwind_pool)
		h->pool_size *= 2;
	h->pool = part_place(h, h->pool_size + UNWIND_POOL_SLACK, PAGE_ALIGN);
	h->walks = part_place(h, (p->area_count * WALKS_PER_AREA + 1) * sizeof(struct stack_walk),
			      PAGE_ALIGN);
	h->mappings = part_place(h, sizeof(struct process_mappings), PAGE_ALIGN);
	const struct arch *a = arch_host();
	h->machine = (struct process_machine) {
#define MACHINE(name, value) .name = value,
#include "abi/machine.def"
#undef MACHINE
	};
}

static void set_numbers(struct process_head *h, const struct program *p,
			const struct executor_options *o, uint64_t image_id)
{
	h->image_id = image_id;
	h->area_count = p->area_count;
	h->slot_size = p->slot_size;
	h->slots_end = scratch_slots_size(p);
	h->string_size = p->string_size;
	h->clauses = p->drops_by_clause ? p->clause_count : 0;
	h->wall_offset = o->wall_offset;
	h->policy = o->policy;
	h->follows = o->follow;
	h->map_count = p->map_count;
	h->cpu_count = p->cpu_count;
	h->call_mask = call_cells(p) / CALL_BUCKET - 1;
	h->call_cells = call_cells(p) * sizeof(uint64_t);
	h->call_size = p->call_size;
	h->call_values = p->call_values;
}

struct error *agent_layout_init(struct agent_layout *l, const struct program *p,
				const struct executor_options *o)
{
	struct agent_image image;
	struct error *err = agent_image(&image);
	if (err)
		return err;
	assert(p->area_count && !(p->area_count & (p->area_count - 1)) &&
	       p->area_count <= AREA_COUNT_MOST);
	struct process_head h = { .magic = PROCESS_HEAD_MAGIC,
				  .version = PROCESS_HEAD_VERSION,
				  .size = sizeof(h),
				  .note_size = o->note_size };
	if (o->policy == POLICY_RING && o->note_size)
		h.note = part_place(&h, o->note_size, REGION_ALIGN);
	struct process_map *maps = mem_zalloc((p->map_count + 1) * sizeof(*maps));
	set_numbers(&h, p, o, image.id);
	place_state(&h, p);
	err = place_maps(&h, p, maps);
	place_walks(&h, p, o);
	place_buffers(&h, p, o);
	if (h.note)
		place_marks(&h);
	h.size = ALIGN_UP(h.size, PROCESS_OWN_SIZE);
	if (!err && h.size > MEMORY_MOST)
		err = error_new("the processes' shared memory would have %llu GiB: lower bufsize, "
				"aggsize or dynvarsize",
				(unsigned long long)(h.size >> 30));
	if (err) {
		free(maps);
		return err;
	}
	*l = (struct agent_layout) { .program = p, .head = h, .maps = maps };
	l->walks_by_tables = o->unwind_pool != 0;
	if (p->self_size)
		l->self_limit = self_limit(p, o);
	l->note = o->note;
	if (h.note && o->note)
		l->head.sum = agent_head_sum(&h, o->note);
	return NULL;
}

uint64_t agent_head_sum(const struct process_head *head, const void *note)
{
	struct process_head h = *head;
	h.sum = 0;
	uint64_t sum = hash_more(HASH_OF_NOTHING, &h, offsetof(struct process_head, errand));
	return hash_more(sum, note, h.note_size);
}

struct address_range agent_recorder(const struct agent_layout *l, uint64_t area)
{
	const struct process_head *h = &l->head;
	uint64_t at = h->flight + area % h->area_count * h->flight_stride;
	bool is_whole = program_calls(l->program, RT_speculation);
	uint64_t room = is_whole ? h->flight_stride : recorder_room(h);
	return (struct address_range) { at, ALIGN_UP(at + room, PROCESS_DUMP_PAGE) };
}

bool agent_dumped(const struct agent_layout *l, unsigned n, struct address_range *ret)
{
	const struct process_head *h = &l->head;
	const struct address_range ranges[] = { { 0, h->constants },
						agent_recorder(l, h->area_count - 1),
						{ h->dumped, h->size } };
	if (!h->note || n >= ARRAY_SIZE(ranges))
		return false;
	*ret = ranges[n];
	return true;
}

void agent_mark(const struct agent_layout *l, char *memory, struct address_range r)
{
	for (uint64_t at = r.begin; at < r.end; at += PROCESS_DUMP_PAGE)
		memory[l->head.dumped + at / PROCESS_DUMP_PAGE / 8] |=
			(char)(1 << at / PROCESS_DUMP_PAGE % 8);
}

bool agent_marked(const struct agent_layout *l, const char *memory, uint64_t from,
		  struct address_range *ret)
{
	const struct process_head *h = &l->head;
	uint64_t pages = h->size / PROCESS_DUMP_PAGE, begin = from / PROCESS_DUMP_PAGE;
	const unsigned char *marks = (const unsigned char *)memory + h->dumped;
	while (begin < pages && !(marks[begin / 8] >> begin % 8 & 1))
		begin++;
	uint64_t end = begin;
	while (end < pages && marks[end / 8] >> end % 8 & 1)
		end++;
	*ret = (struct address_range) { begin * PROCESS_DUMP_PAGE, end * PROCESS_DUMP_PAGE };
	return begin < end;
}

static void marks_begin(const struct agent_layout *l, char *memory)
{
	struct address_range r;
	for (unsigned n = 0; agent_dumped(l, n, &r); n++)
		agent_mark(l, memory, r);
}

void agent_layout_deinit(struct agent_layout *l)
{
	free(l->maps);
}

void agent_layout_write(const struct agent_layout *l, char *memory)
{
	const struct process_head *h = &l->head;
	struct control *control = (struct control *)(void *)(memory + h->control);
	memcpy(memory, h, sizeof(*h));
	if (h->note && l->note) {
		memcpy(memory + h->note, l->note, h->note_size);
		marks_begin(l, memory);
	}
	memcpy(memory + h->maps, l->maps, (l->program->map_count + 1) * sizeof(*l->maps));
	constants_fill(l->program, memory + h->constants);
	((struct unwind_pool *)(void *)(memory + h->pool))->disabled = !l->walks_by_tables;
	control->self_limit = l->self_limit;
	control->wake_bytes = h->ring_size / 4;
}
