/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Strings come and go: variables, literals, kernel and user memory, keys, records */
#include "runtime/string/text.h"

/*
 * At most strsize bytes, even if the tag is larger: an interrupted firing may be writing the
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

/* The highest bit of each byte that is zero; bytes above the first such may be wrong. */
static always_inline uint64_t zero_bytes(uint64_t word)
{
	return (word - 0x0101010101010101) & ~word & 0x8080808080808080;
}

/* Not 0: TEXT, of LEN <= SHORT_LENGTH bytes, holds a NUL. */
static always_inline uint64_t has_zero(const char *text, uint64_t len)
{
	const uint64_t *words = (const uint64_t *)text;
	uint64_t found = 0;
	for (unsigned i = 0; i <= SHORT_LENGTH; i += 8)
		found |= zero_bytes(words[i / 8] | (len > i ? ~low_bytes(len - i) : ~(uint64_t)0));
	return found;
}

/*
 * Tag and parts of the text may belong to values that others are writing.  The copy must be one
 * string all the same; otherwise it would be printed as one string but be two keys.  At most
 * strsize bytes.
 */
long rt_string_load_shared(uint64_t at, const struct rt_string *from)
{
	struct rt_string *to = scratch(at);
	if (!to)
		return 0;
	uint64_t tag = *(const volatile uint64_t *)&from->tag;
	uint64_t len = at_most(tag - 1, NUMBER(rt_string_size));
	if (!tag) {
		to->tag = 0;
		return 0;
	}
	if (NUMBER(rt_string_size) >= SHORT_LENGTH && len <= SHORT_LENGTH) {
		string_copy(to, from, len);
		if (!has_zero(to->text, len))
			return 0;
	}
	long got = port_copy_text(to->text, len + 1, from->text);
	string_end(to, got > 0 ? at_most(got - 1, NUMBER(rt_string_size)) : 0);
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

/*
 * Write SIZE bytes, at most strsize: the string's, and zeros after them, so that structs with
 * equal strings are equal.  The string AT becomes the stored one: for NULL the empty string; for a
 * string of more than SIZE bytes its first SIZE bytes.
 */
long rt_text_store(char *to, uint64_t at, uint64_t size)
{
	struct rt_string *from = scratch(at);
	if (!from)
		return 0;
	size = at_most(size, NUMBER(rt_string_size));
	uint64_t len = from->tag ? at_most(string_length(from), size) : 0;
	char *end = scratch(at + sizeof(*from) + len);
	if (!end)
		return 0;
	port_copy(end, at_most(size - len, NUMBER(rt_string_size)), rt_constants);
	from->text[size] = 0;
	from->tag = len + 1;
	port_copy(to, size, from->text);
	return 0;
}

/*
 * At most strsize bytes; the tag is of the whole text.  The constants end with a string's room:
 * whole words may be read.
 */
long rt_string_literal(uint64_t at, const struct rt_string *from)
{
	struct rt_string *to = scratch(at);
	if (!to)
		return 0;
	string_copy(to, from, fitting(at, from->tag - 1));
	return 0;
}

#define COMM_SIZE 16 /* TASK_COMM_LEN */

/* The number of bytes before the first zero byte; 8: there is none. */
static always_inline uint64_t bytes_before_nul(uint64_t word)
{
	uint64_t nul = zero_bytes(word);
	uint64_t n = 0;
	if (!nul)
		return 8;
	if (!(uint32_t)nul) {
		n = 4;
		nul >>= 32;
	}
	if (!(uint16_t)nul) {
		n += 2;
		nul >>= 16;
	}
	return (uint8_t)nul ? n : n + 1;
}

/* At most 15 bytes. */
long rt_string_comm(uint64_t at)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t name[COMM_SIZE / 8] = { 0 }; /* not every kernel writes after the NUL */
	port_comm(name, sizeof(name));
	uint64_t len = bytes_before_nul(name[0]);
	if (len == 8)
		len += bytes_before_nul(name[1]);
	*(uint64_t *)s->text = name[0]; /* the least room is 8 bytes */
	if (NUMBER(rt_string_size) >= 8)
		*(uint64_t *)(s->text + 8) = name[1];
	string_end(s, fitting(at, len));
	return 0;
}

/*
 * Read a string: at most min(max, strsize) bytes to AT, and a NUL.  The result is their number,
 * with the NUL; 0: a fault.  Of the memory after the NUL, only bytes of its word are changed: they
 * become zeros (since 5.10 the kernel's copy guarantees this for keys of maps), so a key is read
 * directly to its place.
 */

/*
 * Bytes read of a user's string, its NUL included.  For an empty string older kernels (6.1) return
 * 0.
 */
static always_inline long read_user_text(char *to, uint64_t size, uint64_t address)
{
	long got = port_read_user_text(to, size, (void *)address);
	return got ? got : 1;
}

/*
 * A string was read whole if its length with the NUL, GOT, is at most strsize: an error is a great
 * number here, and 0 is an error, too.  All other cases are checked further.
 */
static always_inline uint64_t string_is_whole(long got)
{
	return (uint64_t)got <= NUMBER(rt_string_size);
}

/*
 * GOT bytes fill the string, and MAX allows a longer text: the byte after them shows whether it is
 * longer.  An unreadable byte is not the end of a string.
 */
static always_inline uint64_t may_be_longer(long got, uint64_t max)
{
	return got > 0 && !string_is_whole(got) && max > NUMBER(rt_string_size);
}

static always_inline const void *behind(uint64_t address)
{
	return (const void *)(address + NUMBER(rt_string_size));
}

static always_inline long text_arrived(uint64_t at, long got, uint64_t address)
{
	return got > 0 ? got : fault(at, FAULT_BADADDR, address);
}

long rt_text_kernel(uint64_t at, uint64_t address, uint64_t max)
{
	char *text = scratch(at);
	if (!text)
		return 0;
	uint64_t limit = at_most(max, NUMBER(rt_string_size));
	long got = port_read_kernel_text(text, limit + 1, (void *)address);
	if (string_is_whole(got))
		return got;
	char next;
	if (may_be_longer(got, max) && (port_read_kernel(&next, 1, behind(address)) < 0 || next))
		rt_truncated(at);
	return text_arrived(at, got, address);
}

/*
 * LIMIT bytes without a NUL may end exactly where the memory does; a read of a string of LIMIT
 * bytes reads one more.  GOT is the result of that read.  The process may have written a NUL there
 * meanwhile: the bytes after it are removed.
 */
static always_inline long whole_limit(uint64_t at, char *text, long got, uint64_t limit,
				      uint64_t address)
{
	if (got > 0 || port_read_user(text, limit, (void *)address) < 0)
		return got;
	text[limit] = 0;
	got = port_copy_text(text, limit + 1, text);
	uint64_t len = at_most(got, limit);
	char *rest = scratch(at + len);
	if (rest)
		port_copy(rest, at_most(limit - len, NUMBER(rt_string_size)), rt_constants);
	return got;
}

/* A string of the process that may be truncated: GOT is the result of the read. */
__attribute__((noinline)) long rt_text_user_end(uint64_t at, uint64_t address, uint64_t max,
						long got)
{
	char *text = scratch(at);
	if (!text)
		return 0;
	got = whole_limit(at, text, got, at_most(max, NUMBER(rt_string_size)), address);
	char next;
	if (may_be_longer(got, max) && (port_read_user(&next, 1, behind(address)) < 0 || next))
		rt_truncated(at);
	return text_arrived(at, got, address);
}

long rt_text_user(uint64_t at, uint64_t address, uint64_t max)
{
	char *text = scratch(at);
	if (!text)
		return 0;
	uint64_t limit = at_most(max, NUMBER(rt_string_size));
	long got = read_user_text(text, limit + 1, address);
	return string_is_whole(got) ? got : rt_text_user_end(at, address, max, got);
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
	if (port_read_user_sleepable(&byte, 1, (void *)from) < 0)
		return 1;
	uint64_t size = at_most(p->size, NUMBER(rt_string_size) + 1);
	p->got = read_user_text(p->text, size, p->address);
	return p->got > 0;
}

/* Read again for each page of the text. */
long rt_text_user_sleepable(uint64_t at, uint64_t address, uint64_t max)
{
	char *text = scratch(at);
	if (!text)
		return 0;
	struct page_in p = { .text = text, .address = address };
	p.size = at_most(max, NUMBER(rt_string_size)) + 1;
	p.got = read_user_text(p.text, p.size, address);
	if (p.got <= 0)
		port_loop(NUMBER(rt_string_size) / PAGE + 2, page_in, &p, 0);
	if (string_is_whole(p.got))
		return p.got;
	char next;
	if (may_be_longer(p.got, max)) /* the page of the next byte, too */
		port_read_user_sleepable(&next, 1, behind(address));
	return rt_text_user_end(at, address, max, p.got);
}

struct comparison {
	const char *a, *b;
	uint64_t common; /* bytes that both have */
	long result;
};

/* Compare the words at OFFSET: a big-endian word has the order of its bytes.  0: continue. */
static always_inline long compare_word(uint64_t offset, struct comparison *c)
{
	if (offset >= c->common)
		return 1;
	uint64_t a = *(const uint64_t *)(c->a + offset);
	uint64_t b = *(const uint64_t *)(c->b + offset);
	if (a == b)
		return 0;
	uint64_t mask = low_bytes(c->common - offset);
	a = __builtin_bswap64(a & mask);
	b = __builtin_bswap64(b & mask);
	if (a == b)
		return 1;
	c->result = a < b ? -1 : 1;
	return 1;
}

#define COMPARE_AT_ONCE 64 /* bytes: a round of the loop costs as much as several words */

static long compare_further(uint32_t i, struct comparison *c)
{
	uint64_t offset = (uint64_t)i * COMPARE_AT_ONCE + 8;
	OPAQUE(offset);
	if (offset >= NUMBER(rt_string_size))
		return 1;
	for (unsigned k = 0; k < COMPARE_AT_ONCE; k += 8)
		if (compare_word(offset + k, c))
			return 1;
	return 0;
}

/* At most strsize bytes, eight at a time; the first eight decide most comparisons. */
long rt_string_compare(uint64_t a_at, uint64_t b_at)
{
	const struct rt_string *a = scratch(a_at), *b = scratch(b_at);
	struct slot *slot = slot_of(a_at);
	if (!a || !b || !slot)
		return 0;
	if (!a->tag || !b->tag)
		return (a->tag != 0) - (b->tag != 0);
	uint64_t a_len = string_length(a), b_len = string_length(b);
	struct comparison c = { .a = a->text, .b = b->text };
	c.common = a_len < b_len ? a_len : b_len;
	c.common += unknown_zero(&slot->unknown);
	if (!compare_word(0, &c))
		port_loop((c.common + COMPARE_AT_ONCE - 1) / COMPARE_AT_ONCE, compare_further, &c,
			  0);
	if (c.result)
		return c.result;
	return (a_len > b_len) - (a_len < b_len);
}

/*
 * Write the string, truncated to SIZE bytes, at most strsize + 16, over zeros that become a key.
 * A short string is written as four words, with zeros after its end.
 */
long rt_string_key(uint64_t to_at, uint64_t size, uint64_t from_at)
{
	char *to = scratch(to_at);
	const struct rt_string *from = string_at(from_at);
	if (!to || !from)
		return 0;
	size = at_most(size, NUMBER(rt_string_size) + 16);
	uint64_t len = string_length(from);
	if (NUMBER(rt_string_size) >= SHORT_LENGTH && len <= SHORT_LENGTH && size % 8 == 0) {
		for (unsigned i = 0; i < 32 && i < size; i += 8) {
			uint64_t word = *(const uint64_t *)(from->text + i);
			word &= len > i ? low_bytes(len - i) : 0;
			*(uint64_t *)(to + i) = word;
		}
		return 0;
	}
	/* Bounded again, else "R2 unbounded memory access": it may have come from SIZE. */
	len = at_most(len < size ? len : size, NUMBER(rt_string_size) + 16);
	port_copy(to, len, from->text);
	return 0;
}

/*
 * Copy exactly LEN bytes, at most 32, by words that overlap in the middle.  The bytes after them
 * are not changed, and the reads after FROM's bytes are within its memory.
 */
static always_inline void copy_exactly(char *to, const char *from, uint64_t len)
{
	if (len >= 16) {
		uint64_t last = len - 16;
		port_put_word(to, port_word(from));
		port_put_word(to + 8, port_word(from + 8));
		port_put_word(to + last, port_word(from + last));
		port_put_word(to + last + 8, port_word(from + last + 8));
	} else if (len >= 8) {
		uint64_t last = len - 8;
		port_put_word(to, port_word(from));
		port_put_word(to + last, port_word(from + last));
	} else {
		uint64_t word = port_word(from);
		for (unsigned i = 0; i < 7 && i < len; i++, word >>= 8)
			to[i] = word;
	}
}

/* At most strsize bytes, without the NUL. */
long rt_string_record(uint64_t end_at, uint64_t from_at)
{
	char *end = scratch(end_at);
	const struct rt_string *from = string_at(from_at);
	if (!end || !from)
		return 0;
	uint64_t len = string_length(from);
	if (len <= SHORT_LENGTH)
		copy_exactly(end, from->text, len);
	else
		port_copy(end, len, from->text);
	return len;
}

/* Less than a slot's size. */
long rt_memory_record(uint64_t end_at, uint64_t address, uint64_t size)
{
	char *end = scratch(end_at);
	if (!end)
		return 0;
	size = at_most(size, NUMBER(rt_slot_size) - 1);
	if (port_read_kernel(end, size, (const void *)address) < 0)
		return fault(end_at, FAULT_BADADDR, address);
	return size;
}

long rt_strlen(uint64_t at)
{
	const struct rt_string *s = string_at(at);
	return s ? string_length(s) : 0;
}
