/* SPDX-License-Identifier: BSD-2-Clause */
/* The probes at the entries of a clause's calls, for entry() (entry.c) */
#include "sema/clause/action.h"

enum call_key entry_key_of(const struct tclause *c)
{
	const struct probe *p = c->probe_count ? c->probes[0] : NULL;
	if (!p || !p->events || !string_equal(p->name, "return"))
		return CALL_BY_DEPTH;
	enum event_kind kind = p->events->event.kind;
	bool is_function = event_is_function(kind) && kind != EVENT_STATIC_PROBE;
	return event_is_syscall(kind) ? CALL_BY_THREAD
	       : is_function	      ? CALL_BY_FRAME
				      : CALL_BY_DEPTH;
}

/* A probe of C that ends nothing, or that has another key than the first one; or NULL. */
static const struct probe *not_an_end(struct sema *s, const struct tclause *c)
{
	for (unsigned i = 0; i < c->probe_count; i++) {
		const struct probe *p = c->probes[i];
		auto_strbuf struct strbuf begin = { 0 };
		struct tclause alone = { .probes = &c->probes[i], .probe_count = 1 };
		if (!pair_beginning(sema_result(s), p->provider, p->name, &begin) ||
		    entry_key_of(&alone) != entry_key_of(c))
			return p;
	}
	return NULL;
}

/* The name in the description of C's entries; NULL: none. */
static const char *name_of_entries(struct sema *s, const struct tclause *c)
{
	const char *name = c->desc.name, *provider = c->desc.provider;
	bool is_plain = *name && glob_is_plain(name);
	auto_strbuf struct strbuf begin = { 0 };
	if (!is_plain && c->probe_count) { /* all have one name? */
		const char *first = c->probes[0]->name;
		unsigned same = 1;
		while (same < c->probe_count && string_equal(c->probes[same]->name, first))
			same++;
		name = same == c->probe_count ? first : name;
		provider = same == c->probe_count ? c->probes[0]->provider : provider;
	}
	return pair_beginning(sema_result(s), provider, name, &begin)
		       ? arena_strdup(s->arena, strbuf_text(&begin))
		       : NULL;
}

static const char *call_text(struct sema *s, const struct probe *p)
{
	return arena_printf(s->arena, "%s:%s:%s", p->provider, p->module, p->function);
}

/* Each build of a file, of every process, has its own calls. */
static const char *call_of_build(struct sema *s, const struct probe *p)
{
	auto_strbuf struct strbuf key = { 0 };
	const char *file;
	struct bytes build_id;
	strbuf_puts(&key, call_text(s, p));
	if (probe_file(p, &file, &build_id)) {
		strbuf_printf(&key, " %s ", file);
		strbuf_add_hexadecimal(&key, build_id.data, build_id.size);
	}
	return arena_strdup(s->arena, strbuf_text(&key));
}

/* The calls that the probes LIST are of. */
static struct hash *calls_of(struct sema *s, const struct probe *const *list, size_t count)
{
	struct hash *ret = hash_new();
	for (size_t i = 0; i < count; i++)
		hash_put_string(ret, call_of_build(s, list[i]), s);
	return ret;
}

/*
 * Those of FOUND that are entries of C's calls; of static probes all, as the beginning is in
 * another function.  False: the entry of *LACKS is not there.
 */
static bool entries_among(struct sema *s, const struct tclause *c, const probe_vector *found,
			  probe_vector *ret, const struct probe **lacks)
{
	struct hash *begun = calls_of(s, found->items, found->count);
	struct hash *ended = calls_of(s, c->probes, c->probe_count);
	bool is_call = entry_key_of(c) != CALL_BY_DEPTH ||
		       (c->probe_count && probe_is_of_call(c->probes[0]));
	*lacks = NULL;
	for (unsigned i = 0; i < c->probe_count && is_call; i++)
		if (!hash_get_string(begun, call_of_build(s, c->probes[i])))
			*lacks = c->probes[i];
	if (!found->count && c->probe_count)
		*lacks = c->probes[0];
	for (size_t i = 0; i < found->count; i++)
		if (!is_call || hash_get_string(ended, call_of_build(s, found->items[i])))
			vector_push(ret, found->items[i]);
	hash_free(begun);
	hash_free(ended);
	return !*lacks;
}

/* The probes of AT are those of the entries of C; false: a mistake. */
static bool entry_probes_find(struct sema *s, const struct tclause *c, struct tclause *at,
			      struct range range)
{
	probe_vector found = { 0 }, entries = { 0 };
	const struct probe *lacks;
	auto_error struct error *err = probe_db_match(s->probes, &at->desc, &found);
	bool fine = entries_among(s, c, &found, &entries, &lacks);
	if (!fine)
		mistake(s, range, D_ARGS_NONE, "entry(): the probe %s:%s:%s:%s does not exist%s%s",
			lacks->provider, at->desc.module, at->desc.function, at->desc.name,
			err ? ": " : "", err ? error_text(err) : "");
	at->probe_count = (unsigned)entries.count;
	at->probes = arena_alloc(s->arena, (entries.count + 1) * sizeof(*at->probes));
	if (entries.count)
		memcpy(at->probes, entries.items, entries.count * sizeof(*at->probes));
	vector_free(&found);
	vector_free(&entries);
	return fine;
}

struct tclause *clause_of_call(struct sema *s, const struct tclause *c, struct range range)
{
	static const struct clause_node nothing;
	struct tclause *ret = ARENA_NEW(s->arena, struct tclause);
	ret->node = &nothing;
	ret->range = range;
	ret->is_made = true;
	ret->desc = c->desc;
	ret->probes = c->probes;
	ret->probe_count = c->probe_count;
	ret->attributes =
		(struct attributes) { STABILITY_STANDARD, STABILITY_STANDARD, CLASS_COMMON };
	return ret;
}

struct tclause *clause_at_entry(struct sema *s, const struct tclause *c, struct range range)
{
	struct tclause *at = clause_of_call(s, c, range);
	const struct probe *other = not_an_end(s, c);
	const char *name = name_of_entries(s, c);
	if (other || !name) {
		const struct probe *p = other ? other : c->probe_count ? c->probes[0] : NULL;
		mistake(s, range, D_ARGS_NONE,
			"entry() is for returns, whose probes are called return, and for the ends "
			"of pairs of static probes (NAME-return, NAME-done, NAME-end, #pragma D "
			"pair)%s%s",
			p ? ", not for " : "",
			p ? arena_printf(s->arena, "%s:%s", call_text(s, p), p->name) : "");
		return NULL;
	}
	if (c->entries) {
		at->desc = c->entries->at->desc;
		at->probes = c->entries->at->probes;
		at->probe_count = c->entries->at->probe_count;
		return at;
	}
	at->desc.name = name;
	if (c->probe_count && !probe_is_of_call(c->probes[0]))
		at->desc.function = "";
	return entry_probes_find(s, c, at, range) ? at : NULL;
}
