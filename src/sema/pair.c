/* SPDX-License-Identifier: BSD-2-Clause */
/* pair - which probe is the beginning of what another one ends */
#include <ctype.h>

#include "base/hash.h"
#include "sema/typed.h"

/* Of functions and system calls the whole name; of static probes how it ends. */
static const struct {
	const char *end, *begin;
} pair_words[] = {
	{ "return", "entry" },
	{ "-return", "-entry" },
	{ "-done", "-start" },
	{ "-end", "-begin" },
};

static bool ends_in(const char *name, size_t len, const char *word)
{
	size_t size = strlen(word);
	return len >= size && memcmp(name + len - size, word, size) == 0 &&
	       (word[0] == '-' || len == size);
}

/* Does WRITTEN ("prov:::b", "prov*:::b", "prov$target:::b") mean NAME of PROVIDER ("prov123")? */
static bool pair_is_written(const char *written, const char *provider, const char *name)
{
	const char *last = strrchr(written, ':');
	size_t stem = strcspn(written, ":*$");
	if (!last || strcmp(last + 1, name) != 0 || strncmp(written, provider, stem) != 0)
		return false;
	for (const char *rest = provider + stem; *rest; rest++)
		if (!isdigit((unsigned char)*rest) && !strchr("*$", *rest))
			return string_equal(rest, "target") && rest > provider && rest[-1] == '$';
	return true;
}

bool pair_beginning(const struct typed_program *p, const char *provider, const char *name,
		    struct strbuf *ret)
{
	size_t len = strlen(name);
	for (unsigned i = 0; i + 1 < p->pair_count; i += 2) {
		const char *begin = strrchr(p->pairs[i], ':');
		if (!begin || !pair_is_written(p->pairs[i + 1], provider, name))
			continue;
		strbuf_puts(ret, begin + 1);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(pair_words); i++) {
		if (!ends_in(name, len, pair_words[i].end))
			continue;
		strbuf_printf(ret, "%.*s%s", (int)(len - strlen(pair_words[i].end)), name,
			      pair_words[i].begin);
		return true;
	}
	return false;
}

bool probe_is_of_call(const struct probe *p)
{
	return string_equal(p->name, "entry") || string_equal(p->name, "return");
}

uint32_t probe_call_number(const struct typed_program *p, const struct probe *probe)
{
	auto_strbuf struct strbuf text = { 0 };
	strbuf_printf(&text, "%s:", probe->provider);
	if (probe_is_of_call(probe))
		strbuf_printf(&text, "%s:%s", probe->module, probe->function);
	else if (!pair_beginning(p, probe->provider, probe->name, &text))
		strbuf_puts(&text, probe->name);
	return (uint32_t)hash_more(HASH_OF_NOTHING, text.text, text.len);
}
