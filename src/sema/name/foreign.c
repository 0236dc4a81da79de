/* SPDX-License-Identifier: BSD-2-Clause */
/* foreign - names of other systems: what to write instead */
#include "sema/sema_internal.h"

static const struct {
	enum foreign_kind kind;
	const char *name, *remedy;
} rows[] = {
#define FOREIGN(kind, name, remedy) { FOREIGN_##kind, name, remedy },
#include "sema/name/foreign.def"
#undef FOREIGN
};

static const struct {
	const char *shortened, *word;
} words[] = {
#define FOREIGN_WORD(shortened, word) { shortened, word },
#include "sema/name/foreign.def"
#undef FOREIGN_WORD
};

static const struct {
	const char *pattern, *remedy;
} probes[] = {
#define FOREIGN_PROBE(pattern, remedy) { pattern, remedy },
#include "sema/name/foreign.def"
#undef FOREIGN_PROBE
};

static const struct {
	const char *pattern, *remedy;
} names[] = {
#define FOREIGN_NAME(pattern, remedy) { pattern, remedy },
#include "sema/name/foreign.def"
#undef FOREIGN_NAME
};

static const struct {
	const char *pattern, *names;
	bool is_alias;
} calls[] = {
#define FOREIGN_CALL(pattern, names) { pattern, names, false },
#define FOREIGN_ALIAS(pattern, name) { pattern, name, true },
#include "sema/name/foreign.def"
#undef FOREIGN_CALL
#undef FOREIGN_ALIAS
};

static const struct {
	const char *name, *remedy;
} providers[] = {
#define FOREIGN_PROVIDER(name, remedy) { name, remedy },
#include "sema/name/foreign.def"
#undef FOREIGN_PROVIDER
};

static const struct {
	const char *name, *instead;
} library_calls[] = {
#define LIBRARY_CALL(name, instead) { name, instead },
#include "sema/name/foreign.def"
#undef LIBRARY_CALL
};

static const char *remedy_of(enum foreign_kind kind, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].kind == kind && string_equal(rows[i].name, name))
			return rows[i].remedy;
	return NULL;
}

/* arg10 and on. */
static bool is_argument(const char *name)
{
	return strncmp(name, "arg", 3) == 0 && name[3] && !name[3 + strspn(name + 3, "0123456789")];
}

const char *foreign_remedy(enum foreign_kind kind, const char *name)
{
	const char *remedy = remedy_of(kind, name);
	if (kind == FOREIGN_VARIABLE && is_argument(name))
		return "there are arg0 to arg9; args[] has what the probe declares";
	return remedy || kind == FOREIGN_VARIABLE ? remedy : remedy_of(FOREIGN_VARIABLE, name);
}

/* --- probes --------------------------------------------------------------------------------- */

#define PARTS_MOST 3

/* The parts of a text that the *s of a pattern match. */
struct parts {
	unsigned count;
	struct {
		const char *text;
		size_t len;
	} items[PARTS_MOST];
};

/* A part does not begin with a colon: `profile:::tick-1s` is D. */
static bool pattern_fits(const char *pattern, const char *text, struct parts *ret)
{
	ret->count = 0;
	for (; *pattern; pattern++) {
		if (*pattern != '*') {
			if (*pattern != *text++)
				return false;
			continue;
		}
		if (*text == ':')
			return false;
		size_t len =
			pattern[1] ? strcspn(text, (const char[]) { pattern[1], 0 }) : strlen(text);
		ret->items[ret->count].text = text;
		ret->items[ret->count++].len = len;
		text += len;
	}
	return !*text;
}

static char *remedy_fill(struct sema *s, const char *remedy, const struct parts *parts)
{
	auto_strbuf struct strbuf text = { 0 };
	for (const char *c = remedy; *c; c++) {
		unsigned which = *c == '%' ? (unsigned)(c[1] - '1') : parts->count;
		if (which < parts->count) {
			strbuf_add(&text, parts->items[which].text, parts->items[which].len);
			c++;
		} else {
			strbuf_putc(&text, *c);
		}
	}
	return arena_strdup(s->arena, strbuf_text(&text));
}

/* The fields of D, without those before the first that is given; the first word in full. */
static void description_text(const struct probe_desc *d, struct strbuf *ret)
{
	const char *const fields[] = { d->provider, d->module, d->function, d->name };
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const char *field = fields[i];
		for (size_t w = 0; !ret->len && w < ARRAY_SIZE(words); w++)
			if (string_equal(words[w].shortened, fields[i]))
				field = words[w].word;
		if (ret->len || *field)
			strbuf_printf(ret, "%s%s", ret->len ? ":" : "", field);
	}
}

static const char *foreign_call(struct sema *s, const char *function)
{
	struct parts parts;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (pattern_fits(calls[i].pattern, function, &parts))
			return arena_printf(s->arena, "on Linux it is %s",
					    remedy_fill(s, calls[i].names, &parts));
	return NULL;
}

const char *sema_call_of_linux(const char *function)
{
	struct parts parts;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (pattern_fits(calls[i].pattern, function, &parts) && !parts.count)
			return calls[i].names;
	return NULL;
}

const char *foreign_call_alias(struct sema *s, const char *function)
{
	struct parts parts;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (pattern_fits(calls[i].pattern, function, &parts))
			return calls[i].is_alias ? remedy_fill(s, calls[i].names, &parts) : NULL;
	return NULL;
}

const char *sema_call_of_library(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(library_calls); i++)
		if (string_equal(library_calls[i].name, function))
			return library_calls[i].instead;
	return NULL;
}

const char *foreign_provider(struct sema *s, const char *provider)
{
	for (size_t i = 0; i < ARRAY_SIZE(providers); i++) {
		size_t len = strlen(providers[i].name);
		if (strncmp(provider, providers[i].name, len) == 0 &&
		    !provider[len + strspn(provider + len, "0123456789")] &&
		    !probe_db_has_provider(s->probes, provider))
			return arena_printf(s->arena, "there is no provider %s: %s",
					    providers[i].name, providers[i].remedy);
	}
	return NULL;
}

/* Of other D's: names of system calls, and providers. */
static const char *foreign_d(struct sema *s, const struct probe_desc *desc)
{
	return string_equal(desc->provider, "syscall") ? foreign_call(s, desc->function)
						       : foreign_provider(s, desc->provider);
}

const char *foreign_probe(struct sema *s, const struct probe_desc *desc)
{
	const char *of_d = foreign_d(s, desc);
	if (of_d)
		return of_d;
	auto_strbuf struct strbuf text = { 0 };
	auto_free char *whole =
		mem_printf("%s:%s:%s:%s", desc->provider, desc->module, desc->function, desc->name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct parts parts;
		if (pattern_fits(names[i].pattern, whole, &parts))
			return remedy_fill(s, names[i].remedy, &parts);
	}
	description_text(desc, &text);
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		struct parts parts;
		if (pattern_fits(probes[i].pattern, strbuf_text(&text), &parts))
			return arena_printf(s->arena, "it is bpftrace's; %s",
					    remedy_fill(s, probes[i].remedy, &parts));
	}
	return NULL;
}
