/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_formula - providers as data (formula.h)
 *
 * The words of formulas are not keywords of D: the parser knows from their places what they mean.
 * After a mistake parsing resumes after the probe that has it; the others are not affected.
 */
#include "syntax/formula.h"

#include <string.h>

#include "syntax/parser.h"

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

static bool at_word(const struct parser *p, const char *word)
{
	bool is_word = parser_at(p, TOKEN_IDENT) || token_role(p->token.kind) != ROLE_NONE;
	return is_word && string_equal(p->token.text, word);
}

static bool accept_word(struct parser *p, const char *word)
{
	if (!at_word(p, word))
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

/* A name as it is written, up to a blank: exec-success, finish_task_switch*, libc:mutex_entry. */
static const char *parse_name(struct parser *p, const char *what)
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
		(*end)->text = parse_name(p, what);
		end = &(*end)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	return first;
}

static int64_t parse_number(struct parser *p)
{
	int64_t value = (int64_t)p->token.integer.value;
	if (!parser_at(p, TOKEN_INTEGER))
		parser_fail(p, "a number is expected");
	parser_advance(p);
	return value;
}

/* --- xlate <T>(e) with { ... } -------------------------------------------------------------- */

static struct translator_member *parse_with_member(struct parser *p)
{
	struct translator_member *m = ARENA_NEW(p->arena, struct translator_member);
	m->range = p->token.range;
	m->name = parse_member_name(p);
	parser_expect(p, TOKEN_ASSIGN);
	m->value = parse_assignment(p);
	m->range = parser_range(p, m->range);
	return m;
}

struct translator_member *parse_with(struct parser *p)
{
	struct translator_member *first = NULL, **end = &first;
	if (!p->mode.formulas || !accept_word(p, "with"))
		return NULL;
	parser_expect(p, TOKEN_LBRACE);
	do {
		*end = parse_with_member(p);
		end = &(*end)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	parser_expect(p, TOKEN_RBRACE);
	return first;
}

/* --- conditions for the kernel -------------------------------------------------------------- */

static bool is_predicate_call(const struct node *n)
{
	static const struct {
		const char *name;
		unsigned least, most;
	} rows[] = {
		{ "hasfunc", 1, 1 }, { "hastp", 1, 2 }, { "hasenum", 1, 1 },
		{ "config", 1, 1 },  { "arch", 1, 1 },
	};
	unsigned count = 0;
	for (const struct node *a = n->call.args; a; a = a->next, count++)
		if (a->kind != (count ? NODE_INTEGER : NODE_IDENT))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(rows) && n->call.callee->kind == NODE_IDENT; i++)
		if (string_equal(rows[i].name, n->call.callee->ident.name))
			return count >= rows[i].least && count <= rows[i].most;
	return false;
}

static bool check_condition(struct parser *p, const struct node *n)
{
	if (n->kind == NODE_HAS || (n->kind == NODE_CALL && is_predicate_call(n)))
		return true;
	if (n->kind == NODE_UNARY && n->unary.op == OP_LNOT)
		return check_condition(p, n->unary.operand);
	if (n->kind == NODE_BINARY && (n->binary.op == OP_LAND || n->binary.op == OP_LOR))
		return check_condition(p, n->binary.left) && check_condition(p, n->binary.right);
	lexer_mistake(&p->lexer, n->range, D_SYNTAX,
		      "a condition for the kernel is made of has(), hasfunc(), hastp(), hasenum(), "
		      "config(), arch(), !, && and ||");
	return false;
}

static struct node *parse_condition(struct parser *p)
{
	struct node *n = parse_conditional(p);
	if (!p->panic)
		check_condition(p, n);
	return n;
}

/* --- events --------------------------------------------------------------------------------- */

static enum formula_event_kind parse_event_kind(struct parser *p, const char **ret_what)
{
	static const char *const what[] = {
#define FORMULA_EVENT(id, word, what) [FORMULA_##id] = what,
#include "syntax/formula_event.def"
#undef FORMULA_EVENT
	};
	for (unsigned i = 0; i < FORMULA_EVENTS; i++)
		if (accept_word(p, formula_event_word((enum formula_event_kind)i))) {
			*ret_what = what[i];
			return (enum formula_event_kind)i;
		}
	parser_fail(p, "a kind of event is expected: tp, func, syscall ...");
	*ret_what = "";
	return FORMULA_TP;
}

/* in NAME # N: which of several calls. */
static void parse_place_of_call(struct parser *p, struct formula_event *e)
{
	if (!accept_word(p, "in"))
		parser_fail(p, "\"in\" and the function are expected");
	e->names->next = ARENA_NEW(p->arena, struct formula_name);
	e->names->next->text = parse_name(p, "a function of the kernel");
	parser_expect(p, TOKEN_HASH);
	if (!parser_accept(p, TOKEN_STAR))
		e->number = parse_number(p);
	e->is_after = accept_word(p, "after");
	if (!e->is_after)
		accept_word(p, "before");
}

/* insn NAME + OFF, insn NAME+OFF: the text up to a blank has both. */
static void parse_offset(struct parser *p, struct formula_event *e)
{
	const char *plus = strchr(e->names->text, '+');
	char *end;
	if (!plus) {
		parser_expect(p, TOKEN_PLUS);
		e->number = parse_number(p);
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
	const char *spec = parse_name(p, what);
	e->names->next = ARENA_NEW(p->arena, struct formula_name);
	bool has_unit = string_equal(e->names->text, "timer") && parser_at(p, TOKEN_IDENT) &&
			!at_word(p, "when");
	e->names->next->text =
		has_unit ? arena_printf(p->arena, "%s%s", spec, parse_name(p, "a unit")) : spec;
}

/* (m): a parameter without a type is a long. */
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
	}
}

static void parse_event(struct parser *p, struct formula_event *e)
{
	const char *what;
	e->range = p->token.range;
	e->kind = parse_event_kind(p, &what);
	e->names = parse_names(p, what);
	if (e->kind == FORMULA_CALL)
		parse_place_of_call(p, e);
	if (e->kind == FORMULA_INSN)
		parse_offset(p, e);
	if (e->kind == FORMULA_PERF)
		parse_perf(p, e, what);
	e->is_return = accept_word(p, "return");
	bool is_entry = !e->is_return && accept_word(p, "entry");
	if (e->kind == FORMULA_SYSCALL && !is_entry && !e->is_return)
		parser_fail(p, "entry or return is expected");
	if (parser_accept(p, TOKEN_LPAREN))
		e->params = parse_params(p, TOKEN_RPAREN, &e->varargs);
	else
		e->varargs = true;
	name_untyped(p, e->params);
	if (e->is_return && parser_accept(p, TOKEN_ASSIGN))
		e->result = parse_name(p, "the result");
	e->range = parser_range(p, e->range);
}

/* --- statements ----------------------------------------------------------------------------- */

static struct formula_field *parse_fields(struct parser *p)
{
	struct formula_field *first = NULL, **end = &first;
	do {
		struct formula_field *f = *end = ARENA_NEW(p->arena, struct formula_field);
		end = &f->next;
		f->param = ARENA_NEW(p->arena, struct param_node);
		f->param->range = p->token.range;
		f->param->spec = parse_type_spec(p, false);
		f->param->declarator = parse_declarator(p);
		f->name = f->param->declarator->name;
		parser_expect(p, TOKEN_ASSIGN);
		f->value = parse_assignment(p);
	} while (parser_accept(p, TOKEN_COMMA));
	return first;
}

/* NAME = value */
static void parse_named(struct parser *p, struct formula_statement *s,
			enum formula_statement_kind kind)
{
	s->kind = kind;
	s->name = p->token.text;
	if (!parser_at(p, TOKEN_IDENT))
		parser_fail(p, "a name is expected");
	parser_advance(p);
	parser_expect(p, TOKEN_ASSIGN);
	s->value = parse_assignment(p);
}

/* The words that begin a statement; any other name is an argument of the probe. */
static const struct {
	const char *word;
	enum formula_statement_kind kind;
} statement_words[] = {
	{ "let", FORMULA_LET },	      { "task", FORMULA_TASK },	    { "drop", FORMULA_DROP },
	{ "raw", FORMULA_RAW },	      { "save", FORMULA_SAVE },	    { "load", FORMULA_LOAD },
	{ "delete", FORMULA_DELETE }, { "silent", FORMULA_SILENT }, { "keep", FORMULA_KEEP },
};

static enum formula_statement_kind statement_kind(struct parser *p)
{
	if (parser_at(p, KEYWORD_SELF))
		return FORMULA_SELF;
	for (size_t i = 0; i < ARRAY_SIZE(statement_words); i++)
		if (at_word(p, statement_words[i].word))
			return statement_words[i].kind;
	return FORMULA_OUTPUT;
}

static struct formula_statement *parse_statement(struct parser *p)
{
	struct formula_statement *s = ARENA_NEW(p->arena, struct formula_statement);
	s->range = p->token.range;
	s->kind = statement_kind(p);
	if (s->kind != FORMULA_OUTPUT)
		parser_advance(p);
	switch (s->kind) {
	case FORMULA_SELF:
		parser_expect(p, TOKEN_DOT);
		parse_named(p, s, s->kind);
		break;
	case FORMULA_LET:
	case FORMULA_OUTPUT:
		parse_named(p, s, s->kind);
		break;
	case FORMULA_RAW:
		s->number = (unsigned)parse_number(p);
		parser_expect(p, TOKEN_ASSIGN);
		s->value = parse_assignment(p);
		break;
	case FORMULA_TASK:
		parser_expect(p, TOKEN_ASSIGN);
		s->value = parse_assignment(p);
		break;
	case FORMULA_DROP:
		if (!accept_word(p, "when"))
			parser_fail(p, "\"when\" is expected");
		s->value = parse_assignment(p);
		break;
	case FORMULA_SAVE:
		s->value = parse_assignment(p);
		parser_expect(p, TOKEN_COLON);
		s->fields = parse_fields(p);
		break;
	case FORMULA_LOAD:
	case FORMULA_DELETE:
		s->value = parse_assignment(p);
		break;
	case FORMULA_SILENT:
	case FORMULA_KEEP:
		break;
	}
	parser_expect(p, TOKEN_SEMICOLON);
	s->range = parser_range(p, s->range);
	return s;
}

/* --- sources, alternatives, probes ------------------------------------------------------------ */

static void parse_statements(struct parser *p, struct formula_statement **end)
{
	parser_expect(p, TOKEN_LBRACE);
	while (parser_in_braces(p)) {
		*end = parse_statement(p);
		end = &(*end)->next;
	}
	parser_expect(p, TOKEN_RBRACE);
}

static struct formula_source *parse_source(struct parser *p)
{
	struct formula_source *s = ARENA_NEW(p->arena, struct formula_source);
	s->range = p->token.range;
	s->optional = parser_accept(p, TOKEN_QUESTION);
	p->has_self = false;
	if (!accept_word(p, "on"))
		parser_fail(p, "\"on\" and an event are expected");
	parse_event(p, &s->event);
	if (parser_accept(p, KEYWORD_IF))
		s->condition = parse_condition(p);
	if (accept_word(p, "when"))
		s->when = parse_assignment(p);
	s->range = parser_range(p, s->range);
	if (!parser_accept(p, TOKEN_SEMICOLON))
		parse_statements(p, &s->statements);
	s->reads_self = p->has_self;
	return s;
}

static struct formula_alternative *parse_alternative(struct parser *p)
{
	struct formula_alternative *a = ARENA_NEW(p->arena, struct formula_alternative);
	a->range = p->token.range;
	if (accept_word(p, "note")) {
		a->note = p->token.text;
		if (!parser_at(p, TOKEN_STRING))
			parser_fail(p, "a string is expected");
		parser_advance(p);
	}
	struct formula_source **end = &a->sources;
	do {
		*end = parse_source(p);
		end = &(*end)->next;
	} while (parser_in_braces(p) && !parser_at(p, KEYWORD_ELSE));
	a->range = parser_range(p, a->range);
	return a;
}

static void parse_alternatives(struct parser *p, struct formula_probe *probe)
{
	struct formula_alternative **end = &probe->alternatives;
	do {
		*end = parse_alternative(p);
		end = &(*end)->next;
	} while (parser_accept(p, KEYWORD_ELSE));
}

static bool is_named_before(const struct param_node *first, const struct param_node *last)
{
	for (const struct param_node *q = first; q != last; q = q->next)
		if (string_equal(q->declarator->name, last->declarator->name))
			return true;
	return false;
}

/* All parameters have names, which differ. */
static void check_outputs(struct parser *p, const struct formula_probe *probe, bool varargs)
{
	if (varargs)
		parser_fail(p, "a probe has a fixed number of arguments: ... cannot be used");
	for (const struct param_node *q = probe->outputs; q && !p->panic; q = q->next)
		if (!q->declarator->name || is_named_before(probe->outputs, q))
			parser_fail(p, "each argument of a probe needs a name of its own");
}

static struct formula_probe *parse_probe_formula(struct parser *p)
{
	struct formula_probe *probe = ARENA_NEW(p->arena, struct formula_probe);
	bool varargs = false;
	probe->range = p->token.range;
	parser_expect(p, KEYWORD_PROBE);
	probe->name = parse_name(p, "a probe");
	probe->range = parser_range(p, probe->range);
	parser_expect(p, TOKEN_LPAREN);
	probe->outputs = parse_params(p, TOKEN_RPAREN, &varargs);
	check_outputs(p, probe, varargs);
	if (accept_word(p, "needs"))
		probe->needs = parse_condition(p);
	parser_expect(p, TOKEN_LBRACE);
	parse_alternatives(p, probe);
	parser_expect(p, TOKEN_RBRACE);
	return probe;
}

/* --- providers -------------------------------------------------------------------------------- */

/* "Evolving/Evolving/ISA", which formula/ reads. */
static void parse_attributes_of_provider(struct parser *p, struct formula_provider *f)
{
	f->attributes_range = p->token.range;
	for (unsigned i = 0; i < FORMULA_ATTRIBUTES; i++)
		f->attributes[i] = parse_name(p, "a stability");
	f->attributes_range = parser_range(p, f->attributes_range);
	parser_expect(p, TOKEN_SEMICOLON);
}

static void parse_header_word(struct parser *p, struct formula_provider *f)
{
	if (accept_word(p, "attributes")) {
		parse_attributes_of_provider(p, f);
	} else if (accept_word(p, "module")) {
		f->module = parse_name(p, "a module");
		parser_expect(p, TOKEN_SEMICOLON);
	} else if (accept_word(p, "context")) {
		if (!at_word(p, "pidclass"))
			parser_fail(p, "the only context is pidclass");
		parser_advance(p);
		f->per_process = true;
		parser_expect(p, TOKEN_SEMICOLON);
	} else {
		parser_fail(p, "attributes, module, context or probe is expected");
	}
}

/* What the recovery after a mistake needs: how many braces of the probe are open. */
static unsigned open_braces(const struct parser *p, struct range begin)
{
	const char *text = begin.source->text;
	struct lexer lexer = p->lexer;
	struct token t = { .start = { .pos = begin.begin, .line = begin.line } };
	unsigned depth = 0;
	lexer.quiet = true;
	lexer.controls_done = UINT32_MAX;
	lexer_rewind(&lexer, &t);
	for (lexer_next(&lexer, &t); t.kind != TOKEN_END && t.range.begin < p->held.range.begin;
	     lexer_next(&lexer, &t)) {
		depth += text[t.range.begin] == '{' && t.kind == TOKEN_LBRACE;
		depth -= depth && t.kind == TOKEN_RBRACE;
	}
	return depth;
}

static void own_sources(struct formula_probe *probe, const struct formula_provider *provider)
{
	for (struct formula_alternative *a = probe->alternatives; a; a = a->next)
		for (struct formula_source *s = a->sources; s; s = s->next) {
			s->probe = probe;
			s->provider = provider;
		}
}

static void parse_part(struct parser *p, struct formula_provider *f, struct formula_probe ***end)
{
	struct range begin = p->token.range;
	size_t mistakes = p->diagnostics->list.count;
	if (!parser_at(p, KEYWORD_PROBE)) {
		parse_header_word(p, f);
		if (p->panic)
			parser_recover_inside(p);
		return;
	}
	struct formula_probe *probe = parse_probe_formula(p);
	if (p->panic)
		parser_recover_braces(p, open_braces(p, begin));
	if (p->diagnostics->list.count > mistakes)
		return;
	own_sources(probe, f);
	**end = probe;
	*end = &probe->next;
}

struct node *parse_formula_provider(struct parser *p)
{
	struct node *n = node_new(p, NODE_FORMULA, p->token.range);
	struct formula_provider *f = n->formula = ARENA_NEW(p->arena, struct formula_provider);
	struct formula_probe **end = &f->probes;
	parser_advance(p);
	f->name = parse_name(p, "a provider");
	parser_expect(p, TOKEN_LBRACE);
	while (parser_in_braces(p))
		parse_part(p, f, &end);
	if (!f->module)
		f->module = f->per_process ? "" : "vmlinux";
	if (parser_at(p, TOKEN_RBRACE) && lexer_char_after(&p->lexer, &p->token) == ';')
		parser_advance(p);
	parser_finish(p, p->token.kind == TOKEN_SEMICOLON ? TOKEN_SEMICOLON : TOKEN_RBRACE);
	n->range = parser_range(p, n->range);
	return n;
}
