/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/code_names.h"

#include <string.h>

struct names {
	const char *file, *function;
	struct bytes lines;
	uint32_t first_line;
	bool is_cut;
};

struct code_names {
	const struct code_texts *texts;
	size_t size;
	struct arena *arena;
	struct hash *by_place; /* struct names */
	struct hash *first;    /* uint64_t, by what is shown */
};

struct code_names *code_names_new(const struct code_texts *texts, size_t size)
{
	struct code_names *n = mem_zalloc(sizeof(*n));
	n->texts = texts;
	n->size = texts ? size : 0;
	n->arena = arena_new();
	n->by_place = hash_new();
	n->first = hash_new();
	return n;
}

void code_names_free(struct code_names *n)
{
	if (!n)
		return;
	hash_free(n->by_place);
	hash_free(n->first);
	arena_free(n->arena);
	free(n);
}

/* --- lines ------------------------------------------------------------------------------------ */

enum location {
	LOCATION_ONE_LINE = 10, /* and 11, 12: the line grows by 0, 1, 2 */
	LOCATION_NO_COLUMNS = 13,
	LOCATION_LONG = 14,
	LOCATION_NONE = 15,
};

/* A number of 6 bits in each byte, the lowest first, whose lowest bit is its sign. */
static int32_t signed_number(struct bytes b, size_t at)
{
	uint32_t value = 0;
	for (unsigned shift = 0; at < b.size && shift < 32; at++, shift += 6) {
		value |= (uint32_t)(b.data[at] & 63) << shift;
		if (!(b.data[at] & 64))
			break;
	}
	return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

static int32_t line_change(struct bytes lines, size_t at, unsigned code)
{
	if (code == LOCATION_NO_COLUMNS || code == LOCATION_LONG)
		return signed_number(lines, at + 1);
	return code >= LOCATION_ONE_LINE && code < LOCATION_NO_COLUMNS
		       ? (int32_t)code - LOCATION_ONE_LINE
		       : 0;
}

/* An entry begins with a byte whose highest bit is set; no other byte has that. */
uint32_t code_line(struct bytes lines, uint32_t first_line, int32_t number)
{
	uint32_t line = first_line;
	int64_t next = 0;
	if (number < 0)
		return first_line;
	for (size_t at = 0; at < lines.size; at++) {
		uint8_t head = lines.data[at];
		if (!(head & 128))
			continue;
		unsigned code = head >> 3 & 15;
		line += (uint32_t)line_change(lines, at, code);
		next += (head & 7) + 1;
		if (number < next)
			return code == LOCATION_NONE ? 0 : line;
	}
	return 0;
}

/* --- names ------------------------------------------------------------------------------------ */

static uint32_t character_at(const unsigned char *from, unsigned width)
{
	uint32_t c = 0;
	memcpy(&c, from, width);
	return c;
}

static void add_utf8(struct strbuf *to, uint32_t c)
{
	if (c < 0x80) {
		strbuf_putc(to, (char)c);
		return;
	}
	unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t heads[] = { 0, 0xc0, 0xe0, 0xf0 };
	strbuf_putc(to, (char)(heads[more] | (c >> 6 * more & 0x3f)));
	while (more--)
		strbuf_putc(to, (char)(0x80 | (c >> 6 * more & 0x3f)));
}

/* NUL if a character is none: then the name ends there. */
static const char *code_name_of(struct code_names *n, struct bytes b, unsigned width)
{
	auto_strbuf struct strbuf name = { 0 };
	for (size_t i = 0; i + width <= b.size; i += width)
		add_utf8(&name, character_at(b.data + i, width));
	return arena_strdup(n->arena, strbuf_text(&name));
}

/* java/lang/Thread.run: as it is written in the language. */
static const char *method_name(struct code_names *n, struct bytes b)
{
	char *name = arena_strndup(n->arena, (const char *)b.data, b.size);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '.';
	return name;
}

static bool is_width(unsigned width)
{
	return width == 1 || width == 2 || width == 4;
}

static struct names *read_names(struct code_names *n, uint64_t place)
{
	struct code_text t;
	if (!place || place > n->size - sizeof(t))
		return NULL;
	const unsigned char *at = (const unsigned char *)n->texts + place;
	memcpy(&t, at, sizeof(t));
	uint64_t file_size = ALIGN_UP((uint64_t)t.file_size, 8),
		 name_size = ALIGN_UP((uint64_t)t.name_size, 8);
	if (file_size + name_size + t.lines_size > n->size - place - sizeof(t) ||
	    !is_width(t.file_width) || !is_width(t.name_width))
		return NULL;
	at += sizeof(t);
	struct names *names = arena_alloc(n->arena, sizeof(*names));
	if (t.kind == CODE_METHOD) {
		*names = (struct names) {
			.function = method_name(n, bytes_of(at + file_size, t.name_size)),
			.is_cut = t.is_cut,
		};
		return names;
	}
	*names = (struct names) {
		.file = code_name_of(n, bytes_of(at, t.file_size), t.file_width),
		.function = code_name_of(n, bytes_of(at + file_size, t.name_size), t.name_width),
		.lines = bytes_of(at + file_size + name_size, t.lines_size),
		.first_line = t.first_line,
		.is_cut = t.is_cut,
	};
	return names;
}

/* What has a place in a record does not change any more. */
static const struct names *names_at(struct code_names *n, uint64_t place)
{
	if (!n || !n->texts || !place)
		return NULL;
	void **known = hash_place(n->by_place, &place, sizeof(place));
	if (!*known)
		*known = read_names(n, place);
	return *known;
}

bool code_names_find(struct code_names *n, uint64_t word, struct code_place *ret)
{
	const struct names *names = names_at(n, interpreted_place(word));
	if (!names)
		return false;
	*ret = (struct code_place) {
		.file = names->file,
		.function = names->function,
		.line = names->file ? code_line(names->lines, names->first_line,
						interpreted_instruction(word))
				    : 0,
		.is_cut = names->is_cut,
	};
	return true;
}

uint64_t code_names_same(struct code_names *n, uint64_t word)
{
	struct code_place p;
	if (!code_names_find(n, word, &p))
		return word;
	/* Of a method the number of the frame, else the mark of a native frame's last one. */
	const uint64_t own = p.file ? 1ull << INTERPRETED_LAST_AT : UINT32_MAX;
	auto_strbuf struct strbuf shown = { 0 };
	strbuf_printf(&shown, "%s:%u%c%s", p.file ? p.file : "", p.line, 0, p.function);
	uint64_t **first = (uint64_t **)hash_place(n->first, shown.text, shown.len);
	if (!*first) {
		*first = arena_alloc(n->arena, sizeof(word));
		**first = word & ~own;
	}
	return **first | (word & own);
}
