/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_probe - probe descriptions: fields, macro variables and ids */
#include <string.h>

#include "syntax/parse/parser.h"

static void description_mistake(struct parser *p, const struct token *t, const char *what)
{
	lexer_mistake(&p->lexer, t->range, D_PDESC_INVAL, "invalid probe description \"%s\": %s",
		      t->text, what);
}

/* NAME: the reference as it was written. */
static void macro_mistake(struct parser *p, const struct token *t, const char *name, size_t len)
{
	lexer_mistake(&p->lexer, t->range, D_PDESC_INVAL,
		      "invalid probe description \"%s\": Undefined macro variable in probe "
		      "description: %.*s%s",
		      t->text, (int)len, name, macro_suggestion(&p->lexer, name, len));
}

/* --- ids -------------------------------------------------------------------------------- */

static bool id_read(const char *text, size_t len, uint32_t *ret)
{
	uint64_t value = 0;
	for (size_t i = 0; i < len && value <= UINT32_MAX; i++) {
		if (!char_is_digit(text[i]))
			return false;
		value = value * 10 + (text[i] - '0');
	}
	*ret = value > UINT32_MAX ? 0 : (uint32_t)value; /* 0 is not an id */
	return len > 0;
}

/* N or, for -i, A-B. */
static bool ids_read(struct parser *p, const char *text, struct pdesc_node *ret)
{
	const char *dash = p->mode.last == PDESC_ID ? strchr(text, '-') : NULL;
	size_t len = dash ? (size_t)(dash - text) : strlen(text);
	if (!id_read(text, len, &ret->first_id))
		return false;
	ret->last_id = ret->first_id;
	return !dash || id_read(dash + 1, strlen(dash + 1), &ret->last_id);
}

static bool parse_ids(struct parser *p, const struct token *t, const char *text,
		      struct pdesc_node *ret)
{
	if (!ids_read(p, text, ret))
		return false;
	ret->by_id = true;
	if (p->mode.last < PDESC_NAME)
		description_mistake(p, t, "a name is expected, not a probe's id");
	else if (!ret->first_id || !ret->last_id)
		lexer_mistake(&p->lexer, t->range, D_PDESC_INVAL,
			      "invalid probe identifier %s: Unknown probe identifier", text);
	else if (ret->last_id < ret->first_id)
		lexer_mistake(&p->lexer, t->range, D_PDESC_INVAL,
			      "invalid probe identifier %s: the range ends before it begins", text);
	return true;
}

/* --- fields ----------------------------------------------------------------------------- */

/* TEXT with its macro variables replaced, and without quotes. */
static const char *field_expand(struct parser *p, const struct token *t, const char *text,
				size_t len)
{
	auto_strbuf struct strbuf out = { 0 };
	if (len >= 2 && text[0] == '"' && text[len - 1] == '"') {
		text++;
		len -= 2;
	}
	for (size_t i = 0; i < len;) {
		size_t used = 0;
		const char *value = NULL;
		if (text[i] == '$')
			value = macro_expand(&p->lexer, text + i, len - i, &used);
		if (value)
			strbuf_puts(&out, value);
		else if (used)
			macro_mistake(p, t, text + i, used);
		else
			used = text[i] == '\\' && i + 1 < len ? 2 : 1;
		if (!value)
			strbuf_add(&out, text + i, used);
		i += used;
	}
	return arena_strdup(p->arena, strbuf_text(&out));
}

/* The end of a field: its colon, or the end of the text.  Colons in quotes end nothing. */
static const char *field_end(const char *text)
{
	const char *quote = *text == '"' ? strchr(text + 1, '"') : NULL;
	if (quote)
		text = quote + 1;
	while (*text && *text != ':')
		text += *text == '\\' && text[1] ? 2 : 1;
	return text;
}

static unsigned field_count(const char *text)
{
	unsigned count = 1;
	for (const char *end = field_end(text); *end; end = field_end(end + 1))
		count++;
	return count;
}

/*
 * The end of the function in the middle of `prov:mod:ns::f:n`, from BEGIN: a name of C++ or Rust,
 * whose colons all come in pairs, or one by its address, `fde:1139`.  NULL: it is not so.
 */
static const char *scoped_end(const char *begin)
{
	static const char by_address[] = "fde:";
	const char *end = begin;
	if (strncmp(begin, by_address, strlen(by_address)) == 0 && begin[strlen(by_address)] != ':')
		end += strlen(by_address);
	for (;;) {
		end = field_end(end);
		if (!*end)
			return NULL;
		if (end[1] != ':')
			return *field_end(end + 1) ? NULL : end;
		end += 2;
	}
}

/* The fields of a description with a scoped function.  False: it is not one. */
static bool parse_scoped_function(struct parser *p, const struct token *t, struct pdesc_node *ret)
{
	const char *provider_end = field_end(t->text), *module = provider_end + 1;
	const char *module_end = *provider_end ? field_end(module) : provider_end;
	const char *function = module_end + 1, *end = *module_end ? scoped_end(function) : NULL;
	if (!end)
		return false;
	ret->provider = field_expand(p, t, t->text, provider_end - t->text);
	ret->module = field_expand(p, t, module, module_end - module);
	ret->function = field_expand(p, t, function, end - function);
	ret->name = field_expand(p, t, end + 1, strlen(end + 1));
	return true;
}

/* `watch:::PLACE:w` is `watch::PLACE:w`.  False: it is not one. */
static bool parse_watch(struct parser *p, const struct token *t, struct pdesc_node *ret)
{
	static const char watch[] = "watch";
	const char *module = field_end(t->text) + 1;
	const char *module_end = field_end(module);
	const char *place = module_end + 2, *access = field_end(place) + 1;
	if (field_count(t->text) != 5 || module_end[1] != ':' ||
	    strncmp(t->text, watch, strlen(watch)) != 0)
		return false;
	ret->provider = field_expand(p, t, t->text, module - 1 - t->text);
	ret->module = field_expand(p, t, module, module_end - module);
	ret->function = field_expand(p, t, place, access - 1 - place);
	ret->name = field_expand(p, t, access, strlen(access));
	return true;
}

/* Fields are given from the right: of `f:n`, n is the last field that the mode allows. */
static void parse_description_fields(struct parser *p, const struct token *t,
				     struct pdesc_node *ret)
{
	const char **fields[] = { &ret->provider, &ret->module, &ret->function, &ret->name };
	unsigned most = MIN((unsigned)p->mode.last + 1, (unsigned)ARRAY_SIZE(fields));
	unsigned count = field_count(t->text);
	if (count > ARRAY_SIZE(fields) && most == ARRAY_SIZE(fields) &&
	    (parse_scoped_function(p, t, ret) || parse_watch(p, t, ret)))
		return;
	if (count > most) {
		description_mistake(p, t, "Overspecified probe description");
		return;
	}
	const char *begin = t->text;
	for (unsigned i = most - count; i < most; i++) {
		const char *end = field_end(begin);
		*fields[i] = field_expand(p, t, begin, end - begin);
		begin = end + 1;
	}
}

static struct pdesc_node *pdesc_of(struct parser *p, const struct token *t)
{
	struct pdesc_node *pdesc = ARENA_NEW(p->arena, struct pdesc_node);
	pdesc->range = t->range;
	pdesc->provider = pdesc->module = pdesc->function = pdesc->name = "";
	if (parse_ids(p, t, t->text, pdesc))
		return pdesc;
	parse_description_fields(p, t, pdesc);
	bool only_name = !*pdesc->provider && !*pdesc->module && !*pdesc->function;
	if (p->mode.last >= PDESC_NAME && *t->text == '$' && only_name)
		parse_ids(p, t, pdesc->name, pdesc); /* -i '$1' */
	return pdesc;
}

struct pdesc_node *parse_probe(struct parser *p)
{
	if (!parser_at(p, TOKEN_PROBE)) {
		parser_fail(p, "a probe description is expected");
		return NULL;
	}
	struct token t = p->token;
	parser_advance(p);
	struct lexer *lx = &p->lexer;
	lx->meant_targets = false;
	lx->target = 0;
	struct pdesc_node *first = pdesc_of(p, &t), *last = first;
	first->first = first;
	for (lx->target = 1; lx->meant_targets && lx->target < lx->env->target_count;
	     lx->target++) {
		last = last->next = pdesc_of(p, &t);
		last->first = first;
	}
	return first;
}
