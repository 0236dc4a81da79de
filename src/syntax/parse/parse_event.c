/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_event - the event of a formula's source: its kind, its names and its parameters */
#include "syntax/formula.h"

#include <string.h>

#include "syntax/parse/parser.h"

const char *formula_event_word(enum formula_event_kind kind)
{
	static const char *const words[] = {
#define FORMULA_EVENT(id, word, what) [FORMULA_##id] = word,
#include "syntax/formula_event.def"
#undef FORMULA_EVENT
	};
	return words[kind];
}

/* --- words -------------------------------------------------------------------------------- */

bool parser_at_word(const struct parser *p, const char *word)
{
	bool is_word = parser_at(p, TOKEN_IDENT) || token_role(p->token.kind) != ROLE_NONE;
	return is_word && string_equal(p->token.text, word);
}

bool parser_accept_word(struct parser *p, const char *word)
{
	if (!parser_at_word(p, word))
		return false;
	parser_advance(p);
	return true;
}

static bool ends_name(enum token_kind kind)
{
	switch (kind) {
	case TOKEN_NONE:
	case TOKEN_END:
	case TOKEN_BAD:
	case TOKEN_LPAREN:
	case TOKEN_RPAREN:
	case TOKEN_LBRACE:
	case TOKEN_RBRACE:
	case TOKEN_COMMA:
	case TOKEN_SEMICOLON:
		return true;
	default:
		return false;
	}
}

const char *parse_written_name(struct parser *p, const char *what)
{
	struct range begin = p->token.range;
	if (ends_name(p->token.kind))
		parser_fail(p, "the name of %s is expected", what);
	do
		parser_advance(p);
	while (!ends_name(p->token.kind) && p->token.range.begin == p->previous.end);
	if (p->panic)
		return "";
	struct range all = parser_range(p, begin);
	return arena_strndup(p->arena, all.source->text + all.begin, all.end - all.begin);
}

static struct formula_name *parse_names(struct parser *p, const char *what)
{
	struct formula_name *first = NULL, **end = &first;
	do {
		*end = ARENA_NEW(p->arena, struct formula_name);
		(*end)->text = parse_written_name(p, what);
		end = &(*end)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	return first;
}

int64_t parse_whole_number(struct parser *p)
{
	int64_t value = (int64_t)p->token.integer.value;
	if (!parser_at(p, TOKEN_INTEGER))
		parser_fail(p, "a number is expected");
	parser_advance(p);
	return value;
}

/* --- events --------------------------------------------------------------------------------- */

static enum formula_event_kind parse_event_kind(struct parser *p, const char **ret_what)
{
	static const char *const what[] = {
#define FORMULA_EVENT(id, word, what) [FORMULA_##id] = what,
#include "syntax/formula_event.def"
#undef FORMULA_EVENT
	};
	for (unsigned i = 0; i < FORMULA_EVENTS; i++) {
		enum formula_event_kind kind = (enum formula_event_kind)i;
		if (!parser_at_word(p, formula_event_word(kind)))
			continue;
		if (kind == FORMULA_PROBE) /* a description is next */
			p->lexer.mode = LEXER_CLAUSE;
		parser_advance(p);
		*ret_what = what[i];
		return kind;
	}
	parser_fail(p, "a kind of event is expected: tp, func, syscall ...");
	*ret_what = "";
	return FORMULA_TP;
}

/* profile:::tick-100ms: a description, as before a clause. */
static void parse_description(struct parser *p, struct formula_event *e)
{
	e->names = ARENA_NEW(p->arena, struct formula_name);
	e->names->text = p->token.text;
	e->description = parse_probe(p);
	parser_mode(p, LEXER_EXPRESSION);
	p->lexer.mode = LEXER_EXPRESSION; /* after a mistake, too */
	if (e->description && e->description->by_id)
		lexer_mistake(&p->lexer, e->description->range, D_PDESC_INVAL,
			      "an event is the description of a probe, not its id");
}

/* in NAME # N: which of several calls. */
static void parse_place_of_call(struct parser *p, struct formula_event *e)
{
	if (!parser_accept_word(p, "in"))
		parser_fail(p, "\"in\" and the function are expected");
	e->names->next = ARENA_NEW(p->arena, struct formula_name);
	e->names->next->text = parse_written_name(p, "a function of the kernel");
	parser_expect(p, TOKEN_HASH);
	if (!parser_accept(p, TOKEN_STAR))
		e->number = parse_whole_number(p);
	e->is_after = parser_accept_word(p, "after");
	if (!e->is_after)
		parser_accept_word(p, "before");
}

/* insn NAME + OFF, insn NAME+OFF: the text up to a blank has both. */
static void parse_offset(struct parser *p, struct formula_event *e)
{
	const char *plus = strchr(e->names->text, '+');
	char *end;
	if (!plus) {
		parser_expect(p, TOKEN_PLUS);
		e->number = parse_whole_number(p);
		return;
	}
	e->number = strtoll(plus + 1, &end, 0);
	if (end == plus + 1 || *end)
		parser_fail(p, "an offset is expected after the function's name");
	e->names->text = arena_strndup(p->arena, e->names->text, (size_t)(plus - e->names->text));
}

/* sw NAME, hw NAME, timer 97, timer 10 ms: a number has no unit of its own in D. */
static void parse_perf(struct parser *p, struct formula_event *e, const char *what)
{
	const char *spec = parse_written_name(p, what);
	e->names->next = ARENA_NEW(p->arena, struct formula_name);
	bool has_unit = string_equal(e->names->text, "timer") && parser_at(p, TOKEN_IDENT) &&
			!parser_at_word(p, "when");
	e->names->next->text =
		has_unit ? arena_printf(p->arena, "%s%s", spec, parse_written_name(p, "a unit"))
			 : spec;
}

/* (m): a long, unless the probe has an argument of this name: type_parameters(). */
static void name_untyped(struct parser *p, struct param_node *params)
{
	for (struct param_node *q = params; q; q = q->next) {
		const struct type_spec *spec = q->spec;
		bool is_type =
			!spec->name || spec->words != WORD_NAME || parser_is_type(p, spec->name);
		if (q->declarator->name || q->declarator->parts || is_type)
			continue;
		q->declarator->name = spec->name;
		q->spec = ARENA_NEW(p->arena, struct type_spec);
		q->spec->range = spec->range;
		q->spec->words = WORD_LONG;
		q->is_untyped = true;
	}
}

/* May a source be of several of that kind? */
static bool takes_several(enum formula_event_kind kind)
{
	return kind == FORMULA_FUNC || kind == FORMULA_SYSCALL || kind == FORMULA_UPROBE ||
	       kind == FORMULA_USDT;
}

void parse_formula_event(struct parser *p, struct formula_event *e)
{
	const char *what;
	e->range = p->token.range;
	e->kind = parse_event_kind(p, &what);
	if (e->kind == FORMULA_PROBE)
		parse_description(p, e);
	else
		e->names = parse_names(p, what);
	bool has_several = e->names->next || parser_at(p, TOKEN_COMMA);
	if (has_several && !takes_several(e->kind))
		parser_fail(p, "a source has several names only after func, syscall, uprobe, usdt");
	if (e->kind == FORMULA_CALL)
		parse_place_of_call(p, e);
	if (e->kind == FORMULA_INSN)
		parse_offset(p, e);
	if (e->kind == FORMULA_PERF)
		parse_perf(p, e, what);
	e->is_return = parser_accept_word(p, "return");
	bool is_entry = !e->is_return && parser_accept_word(p, "entry");
	if (e->kind == FORMULA_SYSCALL && !is_entry && !e->is_return)
		parser_fail(p, "entry or return is expected");
	if (parser_accept(p, TOKEN_LPAREN))
		e->params = parse_params(p, TOKEN_RPAREN, &e->varargs);
	else
		e->varargs = true;
	name_untyped(p, e->params);
	if (e->is_return && parser_accept(p, TOKEN_ASSIGN))
		e->result = parse_written_name(p, "the result");
	e->range = parser_range(p, e->range);
}
