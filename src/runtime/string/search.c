/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Searches for a string, a byte or a token in a string */
#include "runtime/string/scan.h"

#define NONE (~(uint64_t)0)

/*
 * A search compares the first eight bytes of each position at once, and the rest only where these
 * are equal.  At most strsize positions of strsize / 8 words: the product is reached only by
 * strings made for it ("aaaa...").
 */
struct search {
	const char *text, *sub;
	uint64_t word, mask; /* how SUB begins, and which of its bits count */
	uint64_t sub_len;
	uint64_t from;	/* the first position */
	uint64_t count; /* of positions */
	uint64_t backward;
	uint64_t passed; /* positions before the current eight */
	uint64_t blur;	 /* as in struct scan */
	uint64_t at;	 /* the current position */
	uint64_t differ; /* there, after the first eight bytes */
	uint64_t found;
};

static long search_further(uint32_t i, struct search *s)
{
	uint64_t offset = (uint64_t)i * 8 + 8;
	OPAQUE(offset);
	if (offset >= NUMBER(rt_string_size))
		return 1;
	uint64_t at = at_most(s->at + s->blur, NUMBER(rt_string_size));
	uint64_t word = port_word(s->text + at + offset);
	word ^= *(const uint64_t *)(s->sub + offset);
	if (word & low_bytes(s->sub_len + s->blur - offset))
		s->differ = 1 + s->blur;
	return s->differ != 0;
}

static long search_position(uint32_t i, struct search *s)
{
	uint64_t passed = s->passed + i;
	if (passed >= s->count + s->blur)
		return 1;
	uint64_t at = s->backward ? s->from - passed : s->from + passed;
	OPAQUE(at);
	if (at >= NUMBER(rt_string_size))
		return 1;
	if ((port_word(s->text + at) ^ s->word) & s->mask)
		return 0;
	s->at = at + s->blur;
	s->differ = s->blur;
	uint64_t sub_len = at_most(s->sub_len + s->blur, NUMBER(rt_string_size));
	if (sub_len > 8)
		port_loop((sub_len - 1) / 8, search_further, s, 0);
	if (s->differ)
		return 0;
	s->found = at + s->blur;
	return 1;
}

/*
 * Eight positions, of which mostly none begins like SUB: decided by sums alone, because with a
 * branch at each the verifier has ten times as much work.
 */
static long search_eight(uint32_t round, struct search *s)
{
	uint64_t passed = (uint64_t)round * 8;
	uint64_t at = s->backward ? s->from - passed - 7 : s->from + passed;
	OPAQUE(at);
	if (at >= NUMBER(rt_string_size)) /* below the first position, going backward */
		at = 0;
	uint64_t begins = 0;
	for (unsigned i = 0; i < 8; i++) {
		uint64_t differ = (port_word(s->text + at + i) ^ s->word) & s->mask;
		begins |= (differ - 1) & ~differ; /* the high bit: DIFFER is 0 */
	}
	if (!(begins >> 63))
		return 0;
	s->passed = passed + s->blur;
	port_loop(8, search_position, s, 0);
	return s->found != NONE;
}

/*
 * Where SUB, which is not empty, begins in TEXT, or NONE: the first position
 * that is >= START, or, backward, the last one that is <= START.
 */
static always_inline uint64_t search(const struct rt_string *text, const struct rt_string *sub,
				     uint64_t start, uint64_t backward, uint64_t blur)
{
	uint64_t len = string_length(text), sub_len = string_length(sub);
	if (sub_len > len)
		return NONE;
	uint64_t last = len - sub_len;
	struct search s = { .text = text->text, .sub = sub->text, .found = NONE + blur };
	s.word = *(const uint64_t *)sub->text;
	s.mask = low_bytes(sub_len) + blur;
	s.sub_len = sub_len + blur;
	s.backward = backward;
	s.blur = blur;
	if (backward) {
		s.from = start < last ? start : last;
		s.count = s.from + 1;
	} else {
		if (start > last)
			return NONE;
		s.from = start;
		s.count = last - start + 1;
	}
	s.from += blur; /* all ways to get here are one case to the verifier from now on */
	s.count += blur;
	port_loop((s.count + 7) / 8, search_eight, &s, 0);
	return s.found;
}

/* At most strsize positions.  An empty string is everywhere, so also where the search begins. */
static always_inline long position(uint64_t text_at, uint64_t sub_at, int64_t start,
				   uint64_t backward)
{
	const struct rt_string *text = string_at(text_at), *sub = string_at(sub_at);
	if (!text || !sub)
		return 0;
	struct slot *slot = slot_of(text_at);
	if (!slot)
		return 0;
	uint64_t from = start < 0 ? 0 : start;
	if (sub->tag == 1)
		return at_most(from, string_length(text));
	if (backward && start < 0)
		return -1;
	return search(text, sub, from, backward, unknown_zero(&slot->unknown));
}

long rt_index(uint64_t text_at, uint64_t sub_at, int64_t start)
{
	return position(text_at, sub_at, start, 0);
}

/* START is INT64_MAX when not given. */
long rt_rindex(uint64_t text_at, uint64_t sub_at, int64_t start)
{
	return position(text_at, sub_at, start, 1);
}

/* At most strsize positions. */
long rt_strstr(uint64_t to_at, uint64_t text_at, uint64_t sub_at)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *text = string_at(text_at), *sub = string_at(sub_at);
	if (!to || !text || !sub)
		return 0;
	uint64_t blur = unknown_zero(&to->tag);
	uint64_t at = sub->tag == 1 ? blur : search(text, sub, 0, 0, blur);
	if (at == NONE)
		to->tag = 0;
	else
		string_part(to, text, at, string_length(text) - at);
	return 0;
}

/* At most strsize bytes. */
static always_inline long rest_from(uint64_t to_at, uint64_t from_at, uint64_t c, uint64_t backward)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *from = string_at(from_at);
	if (!to || !from)
		return 0;
	uint64_t len = string_length(from);
	uint64_t start = len; /* where the NUL is */
	if (c & 255) {
		struct scan s = { .text = from->text, .blur = unknown_zero(&to->tag) };
		scan_set(&s, c);
		uint64_t passed = backward ? scan_back(&s, len, 1) : scan_forward(&s, 0, len, 1);
		if (passed >= len) {
			to->tag = 0;
			return 0;
		}
		start = backward ? len - 1 - passed : passed;
	}
	string_part(to, from, start, len - start);
	return 0;
}

long rt_strchr(uint64_t to_at, uint64_t from_at, uint64_t c)
{
	return rest_from(to_at, from_at, c, 0);
}

long rt_strrchr(uint64_t to_at, uint64_t from_at, uint64_t c)
{
	return rest_from(to_at, from_at, c, 1);
}

struct delimiters {
	const char *text;
	struct scan *scan;
};

static long add_delimiter(uint32_t i, struct delimiters *d)
{
	uint64_t at = i;
	OPAQUE(at);
	if (at >= NUMBER(rt_string_size))
		return 1;
	uint64_t c = (unsigned char)d->text[at];
	d->scan->set[c >> 6] |= (uint64_t)1 << (c & 63);
	return 0;
}

/*
 * The next token of the string at KEPT_AT, where TEXT_AT, if it is not NULL, is
 * copied first.  slot.token is 1 + what of it is done.  At most strsize bytes of
 * text and of delimiters.
 */
long rt_strtok(uint64_t to_at, uint64_t text_at, uint64_t delimiters_at, uint64_t kept_at)
{
	struct slot *slot = slot_of(to_at);
	struct rt_string *to = scratch(to_at), *kept = scratch(kept_at);
	const struct rt_string *text = scratch(text_at), *sub = string_at(delimiters_at);
	if (!slot || !to || !kept || !text || !sub)
		return 0;
	if (text_at && text->tag) {
		string_copy(kept, text, string_length(text));
		slot->token = 1;
	}
	to->tag = 0;
	if (slot->token == 0 || kept->tag == 0)
		return fault(to_at, FAULT_BADADDR, 0);

	struct scan s = { .text = kept->text, .blur = unknown_zero(&to->tag) };
	struct delimiters d = { .text = sub->text, .scan = &s };
	port_loop(string_length(sub), add_delimiter, &d, 0);

	uint64_t len = string_length(kept);
	uint64_t start = at_most(slot->token - 1, len);
	start += scan_forward(&s, start, len - start, 0);
	if (start >= len) {
		slot->token = len + 1;
		return 0;
	}
	uint64_t token_len = scan_forward(&s, start, len - start, 1);
	string_part(to, kept, start, token_len);
	slot->token = start + token_len + 1; /* its delimiter is skipped with the next ones */
	return 0;
}
