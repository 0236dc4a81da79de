/* SPDX-License-Identifier: BSD-2-Clause */
/* key_shown - keys as they are shown: those that print alike are equal */
#include <string.h>

#include "consumer/internal.h"

/* --- the first of those that print alike ------------------------------------------------------ */

static struct shown_names *names_new(void)
{
	struct shown_names *n = mem_zalloc(sizeof(*n));
	n->first = hash_new();
	n->arena = arena_new();
	return n;
}

static void names_free(struct shown_names *n)
{
	if (!n)
		return;
	hash_free(n->first);
	arena_free(n->arena);
	free(n);
}

void shown_deinit(struct consumer *c)
{
	names_free(c->shown);
	names_free(c->shown_before);
}

/*
 * Names are needed as long as a snapshot has keys with them, which is one round, or aggrate.  Those
 * that no snapshot had between two calls that did something are forgotten.
 */
void shown_forget(struct consumer *c)
{
	uint64_t now = c->setup.now();
	if (!c->shown || c->shown->bytes < SHOWN_BYTES_MOST || c->shown_round == c->round ||
	    now - c->shown_time < c->aggregation_rate)
		return;
	names_free(c->shown_before);
	c->shown_before = c->shown;
	c->shown = NULL;
	c->shown_round = c->round;
	c->shown_time = now;
}

/* The SIZE bytes that we met first with KEY: those of FIRST, if there were none. */
static const void *first_shown(struct consumer *c, const struct strbuf *key, const void *first,
			       size_t size)
{
	if (!c->shown)
		c->shown = names_new();
	struct shown_names *n = c->shown;
	void **place = hash_place(n->first, key->text, key->len);
	if (*place)
		return *place;
	const void *before =
		c->shown_before ? hash_get(c->shown_before->first, key->text, key->len) : NULL;
	*place = arena_alloc(n->arena, size);
	memcpy(*place, before ? before : first, size);
	n->bytes += key->len + size;
	return *place;
}

/* The first number we met for NAME (of a kind of key, and a process). */
static uint64_t canonical_number(struct consumer *c, enum value_kind kind, uint32_t tgid,
				 const char *name, uint64_t number)
{
	auto_strbuf struct strbuf key = { 0 };
	strbuf_putc(&key, (char)kind);
	strbuf_add(&key, &tgid, sizeof(tgid));
	strbuf_puts(&key, name);
	return *(const uint64_t *)first_shown(c, &key, &number, sizeof(number));
}

/* --- keys ------------------------------------------------------------------------------------- */

static void probe_reduce(struct consumer *c, enum value_kind kind, unsigned char *bytes)
{
	uint32_t id;
	memcpy(&id, bytes, sizeof(id));
	const struct probe_names *names = consumer_probe(c, id);
	if (!names)
		return;
	id = (uint32_t)canonical_number(c, kind, 0, probe_name_part(names, kind), id);
	memcpy(bytes, &id, sizeof(id));
}

/* Times with the same text are equal. */
static void time_reduce(struct consumer *c, const struct value_field *f, unsigned char *bytes)
{
	const struct consumer_names *names = &c->setup.names;
	auto_strbuf struct strbuf text = { 0 };
	int64_t time;
	if (!f->type || f->size != sizeof(time) || !names->time_text)
		return;
	memcpy(&time, bytes, sizeof(time));
	if (!names->time_text(f->type, time, &text))
		return;
	uint64_t first = canonical_number(c, f->kind, 0, strbuf_text(&text), (uint64_t)time);
	memcpy(bytes, &first, sizeof(first));
}

static uint64_t address_reduce(struct consumer *c, enum value_kind kind, uint32_t tgid,
			       uint64_t address)
{
	const struct consumer_names *names = &c->setup.names;
	if (kind != VALUE_MOD && kind != VALUE_UMOD)
		return names->symbol_start ? names->symbol_start(names->arg, tgid, address)
					   : address;
	const char *module =
		names->module_name ? names->module_name(names->arg, tgid, address) : NULL;
	return module ? canonical_number(c, kind, tgid, module, address) : address;
}

/* Append what identifies the code at ADDRESS, or its file alone, in all processes; else TGID and
 * the address do. */
static void place_identify(struct consumer *c, uint32_t tgid, uint64_t address, bool file_alone,
			   struct strbuf *key)
{
	const struct consumer_names *names = &c->setup.names;
	size_t flag = key->len;
	strbuf_putc(key, 1);
	if (names->place_identity &&
	    names->place_identity(names->arg, tgid, address, file_alone, key))
		return;
	key->text[flag] = 0;
	strbuf_add(key, &tgid, sizeof(tgid));
	strbuf_add(key, &address, sizeof(address));
}

/* WORDS, a process and an address, become those that we met first at that place, or in that file.
 */
static void place_reduce(struct consumer *c, enum value_kind kind, uint64_t words[2])
{
	auto_strbuf struct strbuf key = { 0 };
	strbuf_putc(&key, (char)kind);
	place_identify(c, (uint32_t)words[0], words[1], kind == VALUE_UMOD, &key);
	memcpy(words, first_shown(c, &key, words, 2 * sizeof(*words)), 2 * sizeof(*words));
}

static void symbol_reduce(struct consumer *c, enum value_kind kind, unsigned char *bytes)
{
	uint64_t words[2] = { 0 };
	bool is_user = value_kind_is_user(kind);
	size_t size = value_symbol_size(kind);
	memcpy(words, bytes, size);
	if (kind != VALUE_UADDR)
		words[is_user] =
			address_reduce(c, kind, is_user ? (uint32_t)words[0] : 0, words[is_user]);
	if (is_user && c->setup.names.place_identity)
		place_reduce(c, kind, words);
	memcpy(bytes, words, size);
}

/*
 * Stacks that differ only in how frames were found become the one that we met first.  MORE: the
 * words of frames of an interpreter.
 */
static void frames_reduce(struct consumer *c, uint64_t *words, unsigned count, const uint64_t *more,
			  unsigned more_count)
{
	auto_strbuf struct strbuf key = { 0 };
	strbuf_putc(&key, (char)VALUE_USTACK);
	if (!c->setup.names.place_identity)
		strbuf_add(&key, &words[0], sizeof(words[0]));
	for (unsigned i = 1; i < count; i++) {
		if (words[i] && frame_how(words[i]) != FRAME_END) {
			place_identify(c, (uint32_t)words[0], frame_address(words[i]), false, &key);
		} else {
			strbuf_putc(&key, 2);
			strbuf_add(&key, &words[i], sizeof(words[i]));
		}
	}
	strbuf_add(&key, more, more_count * sizeof(*more));
	size_t size = count * sizeof(*words);
	memcpy(words, first_shown(c, &key, words, size), size);
}

static const uint64_t copy_lost = (uint64_t)FRAME_END << FRAME_HOW_AT | STACK_END_NO_TABLE;

const uint64_t *consumer_copied_frames(struct consumer *c, const uint64_t *word, unsigned *count)
{
	const struct consumer_names *names = &c->setup.names;
	uint64_t number = frame_copy(*word);
	const uint64_t *rest = number && names->copied_frames
				       ? names->copied_frames(names->arg, number, count)
				       : NULL;
	if (rest)
		return rest;
	*count = 1;
	return number ? &copy_lost : word;
}

/* A copied stack gets the rest of its COUNT words. */
static void stack_complete(struct consumer *c, uint64_t *words, unsigned count)
{
	unsigned end = 0, more;
	while (end < count && words[end] && frame_how(words[end]) != FRAME_END)
		end++;
	if (end == count || !frame_copy(words[end]))
		return;
	const uint64_t *rest = consumer_copied_frames(c, &words[end], &more);
	memcpy(&words[end], rest, MIN(more, count - end) * sizeof(*words));
}

/* The first of those words that is a frame of an interpreter; else COUNT. */
static unsigned native_words(const uint64_t *words, unsigned count)
{
	unsigned i = 1;
	while (i < count && !frame_is_interpreted(words[i]))
		i++;
	return MIN(i, count);
}

/* Stacks that differ only in words that are not frames are equal. */
static void stack_reduce(struct consumer *c, const struct value_field *f, unsigned char *bytes)
{
	const struct consumer_names *names = &c->setup.names;
	uint64_t *words = (uint64_t *)(void *)bytes; /* the process, its frames */
	unsigned all = f->size / 8, count = native_words(words, all);
	if (all < 2)
		return;
	for (unsigned i = count; i < all && names->same_frame && words[i]; i++)
		words[i] = names->same_frame(names->arg, words[i]);
	stack_complete(c, words + 1, count - 1);
	if (!names->stack_frames)
		return;
	unsigned end =
		1 + names->stack_frames(names->arg, (uint32_t)words[0], words + 1, count - 1);
	if (end < count && words[end] && frame_how(words[end]) != FRAME_END) {
		memset(&words[end], 0, (count - end) * sizeof(*words));
		words[end] = frame_end(STACK_END_NO_CALL);
	}
	frames_reduce(c, words, MIN(end + 1, count), words + count, all - count);
}

/* In place; there must be keys. */
static void key_reduce(struct consumer *c, const struct aggregation_layout *layout,
		       unsigned char *key)
{
	if (layout->shard_offset)
		memset(key + layout->shard_offset, 0, sizeof(struct key_shard));
	for (unsigned i = 0; i < layout->key_count; i++) {
		const struct value_field *f = &layout->keys[i];
		unsigned char *bytes = key + f->offset;
		switch (f->kind) {
		case VALUE_PROBE_PROVIDER:
		case VALUE_PROBE_MODULE:
		case VALUE_PROBE_FUNCTION:
		case VALUE_PROBE_NAME:
			probe_reduce(c, f->kind, bytes);
			break;
		case VALUE_SYM:
		case VALUE_MOD:
		case VALUE_USYM:
		case VALUE_UADDR:
		case VALUE_UMOD:
			symbol_reduce(c, f->kind, bytes);
			break;
		case VALUE_USTACK:
			stack_reduce(c, f, bytes);
			break;
		case VALUE_INTEGER:
			time_reduce(c, f, bytes);
			break;
		default:
			break;
		}
	}
}

void key_shown(struct consumer *c, const struct aggregation_state *a,
	       const struct aggregation_share *share, const unsigned char *key, unsigned char *ret)
{
	const struct aggregation_layout *layout = a->layout;
	if (share->has_own_keys) {
		struct key_layout from = key_layout_of(share->layout), to = key_layout_of(layout);
		memset(ret, 0, layout->key_size);
		if (layout->key_id)
			memcpy(ret, &layout->key_id, sizeof(layout->key_id));
		key_convert(c, &from, key, &to, ret);
	} else {
		memcpy(ret, key, layout->key_size);
	}
	key_reduce(c, layout, ret);
}
