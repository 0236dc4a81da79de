/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Strings come and go: variables, literals, kernel and user memory, keys, records */
#include "runtime/text.h"

/*
 * At most strsize bytes, whatever the tag says: another CPU may be writing the
 * variable, so that tag and text belong to two values.
 */
long rt_string_load(uint64_t at, const struct rt_string *from)
{
	struct rt_string *to = scratch(at);
	if (!to)
		return 0;
	uint64_t tag = *(const volatile uint64_t *)&from->tag;
	if (tag)
		string_copy(to, from, at_most(tag - 1, NUMBER(rt_string_size)));
	else
		to->tag = 0;
	return 0;
}

/* At most strsize bytes. */
long rt_string_store(struct rt_string *to, uint64_t at)
{
	const struct rt_string *from = scratch(at);
	if (!from)
		return 0;
	if (from->tag)
		string_copy(to, from, string_length(from));
	else
		to->tag = 0;
	return 0;
}

/* At most strsize bytes.  The constants end with a string's room: whole words may be read. */
long rt_string_literal(uint64_t at, const struct rt_string *from)
{
	struct rt_string *to = scratch(at);
	if (!to)
		return 0;
	string_copy(to, from, at_most(from->tag - 1, NUMBER(rt_string_size)));
	return 0;
}

/* At most strsize bytes. */
long rt_string_move(uint64_t to_at, uint64_t from_at)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *from = scratch(from_at);
	if (!to || !from)
		return 0;
	if (from->tag)
		string_copy(to, from, string_length(from));
	else
		to->tag = 0;
	return 0;
}

#define COMM_SIZE 16 /* TASK_COMM_LEN */

/* At most 15 bytes, found in 16 rounds. */
long rt_string_comm(uint64_t at)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	char name[COMM_SIZE];
	port_comm(name, sizeof(name));
	uint64_t len = 0;
	for (unsigned i = 0; i < COMM_SIZE; i++) {
		if (len == NUMBER(rt_string_size) || name[i] == 0)
			break;
		s->text[i] = name[i];
		len = i + 1;
	}
	string_end(s, len);
	return 0;
}

/* What a helper that copies text returned: bytes with the NUL, or an error. */
static always_inline long text_arrived(uint64_t at, struct rt_string *s, long got, uint64_t address)
{
	if (got > 0) {
		s->tag = got;
		return 0;
	}
	s->tag = 0;
	return fault(at, FAULT_BADADDR, address);
}

/* At most strsize bytes. */
long rt_string_kernel(uint64_t at, uint64_t address)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	long got = port_read_kernel_text(s->text, NUMBER(rt_string_size) + 1, (void *)address);
	return text_arrived(at, s, got, address);
}

/* At most min(max, strsize) bytes. */
long rt_string_user(uint64_t at, uint64_t address, uint64_t max)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t limit = at_most(max, NUMBER(rt_string_size));
	long got = port_read_user_text(s->text, limit + 1, (void *)address);
	return text_arrived(at, s, got, address);
}

#define PAGE 4096ull /* larger pages are only touched more than once */

struct page_in {
	char *text;
	uint64_t size; /* with the NUL */
	uint64_t address;
	long got;
};

/* Bring in one page, then try again.  A text never ends in a page that cannot be had. */
static long page_in(uint32_t page, struct page_in *p)
{
	uint64_t from = p->address;
	if (page)
		from = (from & ~(PAGE - 1)) + page * PAGE;
	char byte;
	if (port_read_user_wait(&byte, 1, (void *)from) < 0)
		return 1;
	uint64_t size = at_most(p->size, NUMBER(rt_string_size) + 1);
	p->got = port_read_user_text(p->text, size, (void *)p->address);
	return p->got > 0;
}

/* At most min(max, strsize) bytes, read again for each page they lie in. */
long rt_string_user_wait(uint64_t at, uint64_t address, uint64_t max)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	struct page_in p = { .text = s->text, .address = address };
	p.size = at_most(max, NUMBER(rt_string_size)) + 1;
	p.got = port_read_user_text(p.text, p.size, (void *)address);
	if (p.got <= 0)
		port_loop(NUMBER(rt_string_size) / PAGE + 2, page_in, &p, 0);
	return text_arrived(at, s, p.got, address);
}

struct comparison {
	const char *a, *b;
	uint64_t common; /* bytes that both have */
	long result;
};

/* The I-th words: a big-endian word orders as its bytes do. */
static always_inline long compare_word(uint64_t i, struct comparison *c)
{
	uint64_t offset = i * 8;
	OPAQUE(offset);
	if (offset >= NUMBER(rt_string_size))
		return 1;
	uint64_t a = *(const uint64_t *)(c->a + offset);
	uint64_t b = *(const uint64_t *)(c->b + offset);
	if (a == b)
		return 0;
	uint64_t valid = c->common - offset;
	uint64_t mask = valid < 8 ? ((uint64_t)1 << valid * 8) - 1 : ~(uint64_t)0;
	a = __builtin_bswap64(a & mask);
	b = __builtin_bswap64(b & mask);
	if (a == b)
		return 0;
	c->result = a < b ? -1 : 1;
	return 1;
}

static long compare_further(uint32_t i, struct comparison *c)
{
	return compare_word((uint64_t)i + 1, c);
}

/* At most strsize bytes, eight at a time; the first eight decide most comparisons. */
long rt_string_compare(uint64_t a_at, uint64_t b_at)
{
	const struct rt_string *a = scratch(a_at), *b = scratch(b_at);
	if (!a || !b)
		return 0;
	if (!a->tag || !b->tag)
		return (a->tag != 0) - (b->tag != 0);
	uint64_t a_len = string_length(a), b_len = string_length(b);
	struct comparison c = { .a = a->text, .b = b->text };
	c.common = a_len < b_len ? a_len : b_len;
	if (c.common && !compare_word(0, &c) && c.common > 8)
		port_loop((c.common - 1) / 8, compare_further, &c, 0);
	if (c.result)
		return c.result;
	return (a_len > b_len) - (a_len < b_len);
}

/* SIZE bytes, at most what one slot holds: the text, cut or followed by zeros. */
long rt_string_key(uint64_t to_at, uint64_t size, uint64_t from_at)
{
	char *to = scratch(to_at);
	const struct rt_string *from = string_at(from_at);
	if (!to || !from)
		return 0;
	size = at_most(size, NUMBER(rt_string_size) + 16);
	uint64_t len = string_length(from);
	if (len > size)
		len = size;
	/* Checked again, else "R2 unbounded memory access": LEN lost its bound beside SIZE. */
	port_read_kernel(to, at_most(len, NUMBER(rt_string_size)), from->text);
	char *tail = scratch(to_at + len);
	uint64_t zeros = at_most(size - len, NUMBER(rt_string_size) + 16);
	if (tail && zeros)
		port_read_kernel(tail, zeros, rt_constants);
	return 0;
}

/* At most strsize bytes, without the NUL. */
long rt_string_record(uint64_t end_at, uint64_t from_at)
{
	char *end = scratch(end_at);
	const struct rt_string *from = string_at(from_at);
	if (!end || !from)
		return 0;
	uint64_t len = string_length(from);
	port_read_kernel(end, len, from->text);
	return len;
}

long rt_strlen(uint64_t at)
{
	const struct rt_string *s = string_at(at);
	return s ? string_length(s) : 0;
}
