/* SPDX-License-Identifier: BSD-2-Clause */
/* Where something begins, ends or happens: probes by their names */
#include <fnmatch.h>
#include <string.h>

#include "base/hash.h"
#include "show/timeline/timeline.h"
#include "show/value.h"

#define TICK "profile:::tick-"

/* Names that belong together: NAME-begin and NAME-end, or these alone. */
static const struct {
	const char *begin, *end;
} pairs[] = { { "entry", "return" }, { "start", "done" }, { "begin", "end" } };

/* Is NAME the word, or NAME-word?  The length of what is before it. */
static bool name_ends(const char *name, const char *word, size_t *before)
{
	size_t len = strlen(name), word_len = strlen(word);
	if (len < word_len || !string_equal(name + len - word_len, word))
		return false;
	*before = len - word_len;
	if (*before && name[*before - 1] != '-')
		return false;
	*before -= *before > 0;
	return true;
}

static enum edge edge_of_name(const char *name, size_t *before, size_t *pair)
{
	for (*pair = 0; *pair < ARRAY_SIZE(pairs); ++*pair) {
		if (name_ends(name, pairs[*pair].begin, before))
			return EDGE_BEGIN;
		if (name_ends(name, pairs[*pair].end, before))
			return EDGE_END;
	}
	return EDGE_NONE;
}

/* A field of a description: empty, or a pattern; names of C++ are written in more than one way. */
static bool field_fits(const char *field, size_t len, const char *name)
{
	auto_free char *pattern = mem_strndup(field, len);
	return !len || strstr(pattern, "::") || fnmatch(pattern, name, 0) == 0;
}

/* Could DESCRIPTION, "provider:module:function:name", mean the probe NAME at PROBE's place? */
static bool description_fits(const char *description, struct json_object *probe, const char *name)
{
	const char *module = strchr(description, ':'), *last = strrchr(description, ':');
	const char *function = module ? strchr(module + 1, ':') : NULL;
	if (!function || function == last)
		return true; /* not known */
	auto_strbuf struct strbuf provider = { 0 }, own = { 0 };
	value_text(value_member(probe, "provider"), &provider);
	value_text(value_member(probe, "function"), &own);
	return field_fits(description, (size_t)(module - description), strbuf_text(&provider)) &&
	       field_fits(function + 1, (size_t)(last - function - 1), strbuf_text(&own)) &&
	       field_fits(last + 1, strlen(last + 1), name);
}

/* What the program pairs by #pragma D pair: the edge of PROBE, called NAME, and which pair it is
 * of. */
static enum edge edge_declared(struct json_object *start, struct json_object *probe,
			       const char *name, size_t *pair)
{
	struct json_object *list = value_member(start, "pairs");
	for (size_t i = 0; i < value_count(list); i++)
		if (description_fits(value_word(json_object_array_get_idx(list, i)), probe, name)) {
			*pair = i / 2;
			return i % 2 ? EDGE_END : EDGE_BEGIN;
		}
	return EDGE_NONE;
}

/* The name of P, and its pair: the PROBE's NAME is a pair's word, after BEFORE bytes. */
static void point_name(struct point *p, struct json_object *probe, const char *name, size_t before,
		       size_t which)
{
	auto_strbuf struct strbuf function = { 0 }, provider = { 0 }, pair = { 0 };
	value_text(value_member(probe, "function"), &function);
	value_text(value_member(probe, "provider"), &provider);
	if (before)
		p->name = mem_strndup(name, before);
	else
		p->name = mem_strdup(function.len ? function.text : strbuf_text(&provider));
	strbuf_printf(&pair, "%s:%.*s:%zu", strbuf_text(&provider), (int)before, name, which);
	if (!before) { /* the function is what they have in common */
		strbuf_putc(&pair, ':');
		value_text(value_member(probe, "module"), &pair);
		strbuf_printf(&pair, ":%s", strbuf_text(&function));
	}
	p->pair = strbuf_take(&pair);
}

/* Does a clause of START trace the end of what begins at PROBE? */
static bool edge_has_end(struct json_object *start, struct json_object *probe)
{
	struct json_object *clauses = value_member(start, "clauses");
	auto_strbuf struct strbuf end = { 0 };
	size_t before, pair;
	value_text(value_member(probe, "name"), &end);
	edge_of_name(strbuf_text(&end), &before, &pair);
	end.len -= strlen(pairs[pair].begin);
	strbuf_puts(&end, pairs[pair].end);
	for (size_t i = 0; i < value_count(clauses); i++) {
		auto_strbuf struct strbuf description = { 0 };
		value_text(value_member(json_object_array_get_idx(clauses, i), "description"),
			   &description);
		if (description_fits(strbuf_text(&description), probe, strbuf_text(&end)))
			return true;
	}
	return !clauses;
}

static struct point *point_make(struct json_object *start, struct json_object *probe, uint64_t id)
{
	struct point *p = mem_zalloc(sizeof(*p));
	auto_strbuf struct strbuf name = { 0 }, whole = { 0 };
	size_t before, which;
	value_text(value_member(probe, "name"), &name);
	value_probe(probe, &whole);
	p->probe = id;
	p->is_tick = strncmp(strbuf_text(&whole), TICK, strlen(TICK)) == 0;
	p->edge = edge_declared(start, probe, strbuf_text(&name), &which);
	if (p->edge != EDGE_NONE) {
		p->name = strbuf_take(&whole);
		p->pair = mem_printf("pair %zu of the program", which);
		return p;
	}
	p->edge = edge_of_name(strbuf_text(&name), &before, &which);
	if (p->edge == EDGE_BEGIN && !edge_has_end(start, probe))
		p->edge = EDGE_NONE;
	if (p->edge == EDGE_NONE)
		p->name = strbuf_take(&whole);
	else
		point_name(p, probe, strbuf_text(&name), before, which);
	return p;
}

struct point *point_of(struct timeline *t, struct json_object *start, struct json_object *record)
{
	struct json_object *probe = value_member(record, "probe");
	uint64_t id = member_unsigned(probe, "id");
	void **place = hash_place(t->points, &id, sizeof(id));
	if (!*place)
		*place = point_make(start, probe, id);
	return *place;
}

static void point_free(void *arg, const void *key, size_t key_len, void *value)
{
	struct point *p = value;
	free(p->name);
	free(p->pair);
	free(p);
}

void points_free(struct timeline *t)
{
	hash_empty(t->points, point_free, NULL);
}
