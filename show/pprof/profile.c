/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/pprof/profile.h"

#include <string.h>

#include "show/pprof/message.h"

#define PAGE 4096

/* Fields of profile.proto. */
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION };
enum { PROFILE_STRING = 6, PROFILE_TIME = 9, PROFILE_DURATION = 10, PROFILE_COMMENT = 13 };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE };
enum { MAPPING_BUILD_ID = 6, MAPPING_FUNCTIONS, MAPPING_FILES, MAPPING_LINES, MAPPING_INLINED };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

/* Code of a file, with the limits of what was seen of it. */
struct mapping {
	uint64_t id, low, high, begin;
	uint64_t file, build_id; /* strings */
	bool has_functions, has_lines, has_inlined;
	bool is_program; /* no library, not the kernel */
};

struct location {
	uint64_t id; /* 0: no sample has it yet */
	const struct frame *frame;
	struct location *caller; /* into which it was inlined */
};

struct profile {
	struct arena *arena;
	struct strbuf message;
	struct hash *strings, *functions; /* to numbers + 1, to ids */
	struct hash *locations, *mappings;
	VECTOR(struct mapping *) mapping_list;
	uint64_t string_count, function_count, location_count;
};

struct profile *profile_new(void)
{
	struct profile *p = mem_zalloc(sizeof(*p));
	p->arena = arena_new();
	p->strings = hash_new();
	p->functions = hash_new();
	p->locations = hash_new();
	p->mappings = hash_new();
	profile_string(p, ""); /* the first one must be empty */
	return p;
}

void profile_free(struct profile *p)
{
	strbuf_deinit(&p->message);
	hash_free(p->strings);
	hash_free(p->functions);
	hash_free(p->locations);
	hash_free(p->mappings);
	vector_free(&p->mapping_list);
	arena_free(p->arena);
	free(p);
}

uint64_t profile_string(struct profile *p, const char *text)
{
	size_t len = strlen(text);
	void **place = hash_place(p->strings, text, len);
	if (!*place) {
		message_bytes(&p->message, PROFILE_STRING, text, len);
		*place = (void *)(uintptr_t)++p->string_count;
	}
	return (uintptr_t)*place - 1;
}

/* --- functions and files --------------------------------------------------------------------- */

static uint64_t function_id(struct profile *p, const char *name, const char *file)
{
	uint64_t key[] = { profile_string(p, name), profile_string(p, file ? file : "") };
	void **place = hash_place(p->functions, key, sizeof(key));
	if (*place)
		return (uintptr_t)*place;
	auto_strbuf struct strbuf function = { 0 };
	*place = (void *)(uintptr_t)++p->function_count;
	message_number(&function, FUNCTION_ID, p->function_count);
	message_number(&function, FUNCTION_NAME, key[0]);
	message_number(&function, FUNCTION_SYSTEM_NAME, key[0]);
	message_number(&function, FUNCTION_FILE, key[1]);
	message_message(&p->message, PROFILE_FUNCTION, &function);
	return p->function_count;
}

/* The kernel's code is in no file: pprof takes names in brackets so. */
static uint64_t mapping_file(struct profile *p, const struct frame *f)
{
	const char *module = f->place->module ? f->place->module : "";
	if (f->kind != FRAME_KERNEL)
		return profile_string(p, module);
	auto_free char *name = mem_printf("[%s]", *module ? module : "kernel");
	return profile_string(p, name);
}

static bool frame_is_of_program(const struct frame *f)
{
	const char *module = f->place->module;
	return f->kind != FRAME_KERNEL && module && *module != '[' && !strstr(module, ".so");
}

/* NULL: FRAME has no address. */
static struct mapping *mapping_place(struct profile *p, const struct frame *f)
{
	const struct place *at = f->place;
	if (!at || !at->address)
		return NULL;
	uint64_t key[] = { mapping_file(p, f), profile_string(p, at->build_id ? at->build_id : ""),
			   at->begin };
	void **place = hash_place(p->mappings, key, sizeof(key));
	struct mapping *m = *place;
	if (!m) {
		m = *place = ARENA_NEW(p->arena, struct mapping);
		vector_push(&p->mapping_list, m);
		*m = (struct mapping) { .id = p->mapping_list.count,
					.low = UINT64_MAX,
					.begin = at->begin,
					.file = key[0],
					.build_id = key[1],
					.is_program = frame_is_of_program(f) };
	}
	m->low = MIN(m->low, at->address);
	m->high = MAX(m->high, at->address);
	m->has_functions |= at->symbol != NULL;
	m->has_lines |= at->file != NULL;
	return m;
}

static void mapping_write(struct profile *p, const struct mapping *m)
{
	auto_strbuf struct strbuf mapping = { 0 };
	uint64_t start = m->low - (m->begin ? (m->low - m->begin) % PAGE : m->low % PAGE);
	uint64_t limit = m->high > UINT64_MAX - PAGE ? UINT64_MAX : ALIGN_UP(m->high + 1, PAGE);
	message_number(&mapping, MAPPING_ID, m->id);
	message_number(&mapping, MAPPING_START, start);
	message_number(&mapping, MAPPING_LIMIT, limit);
	message_number(&mapping, MAPPING_OFFSET,
		       m->begin && start > m->begin ? start - m->begin : 0);
	message_number(&mapping, MAPPING_FILE, m->file);
	message_number(&mapping, MAPPING_BUILD_ID, m->build_id);
	message_number(&mapping, MAPPING_FUNCTIONS, m->has_functions);
	message_number(&mapping, MAPPING_FILES, m->has_lines);
	message_number(&mapping, MAPPING_LINES, m->has_lines);
	message_number(&mapping, MAPPING_INLINED, m->has_inlined);
	message_message(&p->message, PROFILE_MAPPING, &mapping);
}

/* --- locations ------------------------------------------------------------------------------- */

struct location *profile_location(struct profile *p, const struct frame *frame,
				  struct location *caller)
{
	const void *key[] = { caller, frame };
	void **place = hash_place(p->locations, key, sizeof(key));
	if (!*place) {
		struct location *l = ARENA_NEW(p->arena, struct location);
		*l = (struct location) { .frame = frame, .caller = caller };
		*place = l;
	}
	return *place;
}

/* A function of the process without a symbol is its address alone. */
static void line_write(struct profile *p, const struct frame *f, struct strbuf *location)
{
	const struct place *at = f->place;
	const char *name = at && at->symbol ? at->symbol : f->name;
	auto_strbuf struct strbuf line = { 0 };
	if (at && at->address && !at->symbol)
		return;
	message_number(&line, LINE_FUNCTION, function_id(p, name, at ? at->file : NULL));
	message_number(&line, LINE_LINE, at ? at->line : 0);
	message_message(location, LOCATION_LINE, &line);
}

static uint64_t location_id(struct profile *p, struct location *l)
{
	if (l->id)
		return l->id;
	auto_strbuf struct strbuf location = { 0 };
	const struct location *outermost = l;
	while (outermost->caller)
		outermost = outermost->caller;
	struct mapping *m = mapping_place(p, outermost->frame);
	message_number(&location, LOCATION_ID, l->id = ++p->location_count);
	if (m) {
		m->has_inlined |= l->caller != NULL;
		message_number(&location, LOCATION_MAPPING, m->id);
		message_number(&location, LOCATION_ADDRESS, outermost->frame->place->address);
	}
	for (const struct location *i = l; i; i = i->caller)
		line_write(p, i->frame, &location);
	message_message(&p->message, PROFILE_LOCATION, &location);
	return l->id;
}

/* --- the rest -------------------------------------------------------------------------------- */

static void label_write(struct profile *p, const struct label *l, struct strbuf *sample)
{
	auto_strbuf struct strbuf label = { 0 };
	message_number(&label, LABEL_KEY, profile_string(p, l->name));
	message_number(&label, LABEL_STRING, profile_string(p, l->text));
	message_message(sample, SAMPLE_LABEL, &label);
}

void profile_sample(struct profile *p, struct location *const *path, size_t count,
		    const struct label *labels, size_t label_count, uint64_t value)
{
	auto_strbuf struct strbuf sample = { 0 };
	auto_free uint64_t *ids = mem_alloc((count + 1) * sizeof(*ids));
	uint64_t most = MIN(value, (uint64_t)INT64_MAX);
	for (size_t i = 0; i < count; i++)
		ids[count - 1 - i] = location_id(p, path[i]);
	message_numbers(&sample, SAMPLE_LOCATION, ids, count);
	message_numbers(&sample, SAMPLE_VALUE, &most, 1);
	for (size_t i = 0; i < label_count; i++)
		label_write(p, &labels[i], &sample);
	message_message(&p->message, PROFILE_SAMPLE, &sample);
}

void profile_type(struct profile *p, const char *type, const char *unit)
{
	auto_strbuf struct strbuf value = { 0 };
	message_number(&value, TYPE_TYPE, profile_string(p, type));
	message_number(&value, TYPE_UNIT, profile_string(p, unit));
	message_message(&p->message, PROFILE_TYPE, &value);
}

void profile_time(struct profile *p, uint64_t begin, uint64_t duration)
{
	message_number(&p->message, PROFILE_TIME, begin);
	message_number(&p->message, PROFILE_DURATION, duration);
}

void profile_comment(struct profile *p, const char *text)
{
	uint64_t number = profile_string(p, text);
	message_numbers(&p->message, PROFILE_COMMENT, &number, 1);
}

/* The first mapping is the program for pprof, which has its name over the profile. */
const struct strbuf *profile_finish(struct profile *p)
{
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < p->mapping_list.count; i++)
			if (p->mapping_list.items[i]->is_program == !pass)
				mapping_write(p, p->mapping_list.items[i]);
	return &p->message;
}
