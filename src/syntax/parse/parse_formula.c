/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_formula - providers as data (formula.h)
 *
 * The words of formulas are not keywords of D: the parser knows from their places what they mean.
 * After a mistake parsing resumes after the probe that has it; the others are not affected.
 */
#include "syntax/formula.h"

#include "syntax/parse/parser.h"

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

static void check_members(struct parser *p, const struct translator_member *first)
{
	for (const struct translator_member *m = first; m; m = m->next)
		for (const struct translator_member *q = first; q != m; q = q->next)
			if (string_equal(q->name, m->name)) {
				lexer_mistake(&p->lexer, m->range, D_SYNTAX, "%s is here already",
					      m->name);
				return;
			}
}

struct translator_member *parse_with(struct parser *p)
{
	struct translator_member *first = NULL, **end = &first;
	if (!p->mode.formulas || !parser_accept_word(p, "with"))
		return NULL;
	parser_expect(p, TOKEN_LBRACE);
	do {
		*end = parse_with_member(p);
		end = &(*end)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	parser_expect(p, TOKEN_RBRACE);
	if (!p->panic)
		check_members(p, first);
	return first;
}

/* --- conditions for the kernel -------------------------------------------------------------- */

static bool is_predicate_call(const struct node *n)
{
	static const struct {
		const char *name;
		unsigned least, most;
		enum node_kind second;
	} rows[] = {
		{ "hasfunc", 1, 1, 0 }, { "hastp", 1, 2, NODE_INTEGER }, { "hasenum", 1, 1, 0 },
		{ "config", 1, 1, 0 },	{ "option", 2, 2, NODE_IDENT },	 { "arch", 1, 1, 0 },
	};
	const struct node *first = n->call.args, *second = first ? first->next : NULL;
	unsigned count = 0;
	for (const struct node *a = first; a; a = a->next)
		count++;
	if (n->call.callee->kind != NODE_IDENT || !first || first->kind != NODE_IDENT)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (string_equal(rows[i].name, n->call.callee->ident.name))
			return count >= rows[i].least && count <= rows[i].most &&
			       (!second || second->kind == rows[i].second);
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
		      "config(), option(), arch(), !, && and ||");
	return false;
}

static struct node *parse_condition(struct parser *p)
{
	struct node *n = parse_conditional(p);
	if (!p->panic)
		check_condition(p, n);
	return n;
}

/* --- statements ----------------------------------------------------------------------------- */

static struct formula_field *parse_saved_fields(struct parser *p)
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

static enum formula_statement_kind kind_of_word(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(statement_words); i++)
		if (string_equal(statement_words[i].word, word))
			return statement_words[i].kind;
	return FORMULA_OUTPUT;
}

static enum formula_statement_kind statement_kind(struct parser *p)
{
	if (parser_at(p, KEYWORD_SELF))
		return FORMULA_SELF;
	return parser_at(p, TOKEN_IDENT) ? kind_of_word(p->token.text) : FORMULA_OUTPUT;
}

static struct formula_statement *parse_formula_statement(struct parser *p)
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
		s->number = parse_whole_number(p);
		parser_expect(p, TOKEN_ASSIGN);
		s->value = parse_assignment(p);
		break;
	case FORMULA_TASK:
		parser_expect(p, TOKEN_ASSIGN);
		s->value = parse_assignment(p);
		break;
	case FORMULA_DROP:
		if (!parser_accept_word(p, "when"))
			parser_fail(p, "\"when\" is expected");
		s->value = parse_assignment(p);
		break;
	case FORMULA_SAVE:
		s->value = parse_assignment(p);
		parser_expect(p, TOKEN_COLON);
		s->fields = parse_saved_fields(p);
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

static void parse_formula_statements(struct parser *p, struct formula_statement **end)
{
	parser_expect(p, TOKEN_LBRACE);
	while (parser_in_braces(p)) {
		*end = parse_formula_statement(p);
		end = &(*end)->next;
	}
	parser_expect(p, TOKEN_RBRACE);
}

static struct formula_source *parse_source(struct parser *p)
{
	struct formula_source *s = ARENA_NEW(p->arena, struct formula_source);
	s->range = p->token.range;
	s->optional = parser_accept(p, TOKEN_QUESTION);
	p->has_self = p->has_exists = false;
	if (!parser_accept_word(p, "on"))
		parser_fail(p, "\"on\" and an event are expected");
	parse_formula_event(p, &s->event);
	if (parser_accept(p, KEYWORD_IF))
		s->condition = parse_condition(p);
	if (parser_accept_word(p, "when"))
		s->when = parse_assignment(p);
	s->range = parser_range(p, s->range);
	if (parser_at(p, TOKEN_RBRACE))
		parser_fail(p, "; or {, which begins statements, is missing");
	if (!parser_accept(p, TOKEN_SEMICOLON))
		parse_formula_statements(p, &s->statements);
	s->reads_self = p->has_self;
	s->asks_exists = p->has_exists;
	return s;
}

static struct formula_alternative *parse_alternative(struct parser *p)
{
	struct formula_alternative *a = ARENA_NEW(p->arena, struct formula_alternative);
	a->range = p->token.range;
	if (parser_accept_word(p, "note")) {
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

/* All parameters have names, which differ, and can be assigned to. */
static void check_outputs(struct parser *p, const struct formula_probe *probe, bool varargs)
{
	if (varargs)
		parser_fail(p, "a probe has a fixed number of arguments: ... cannot be used");
	for (const struct param_node *q = probe->outputs; q && !p->panic; q = q->next)
		if (!q->declarator->name || is_named_before(probe->outputs, q))
			parser_fail(p, "each argument of a probe needs a name of its own");
		else if (kind_of_word(q->declarator->name) != FORMULA_OUTPUT)
			lexer_mistake(&p->lexer, q->range, D_SYNTAX,
				      "%s begins a statement: the argument needs another name",
				      q->declarator->name);
}

#define NAME_MOST 63 /* characters: those of other systems, too */

static const char *parse_short_name(struct parser *p, const char *what)
{
	struct range range = p->token.range;
	const char *name = parse_written_name(p, what);
	if (!p->panic && strlen(name) > NAME_MOST)
		lexer_mistake(&p->lexer, parser_range(p, range), D_SYNTAX,
			      "the name of %s has at most %d characters", what, NAME_MOST);
	return name;
}

/* A name that a description can mean; a pattern has other characters. */
static const char *parse_plain_name(struct parser *p, const char *what)
{
	struct range range = p->token.range;
	const char *name = parse_short_name(p, what);
	if (!p->panic && name[strcspn(name, "*?[]\\:`\"")])
		lexer_mistake(&p->lexer, parser_range(p, range), D_SYNTAX,
			      "the name of %s has no *, ?, [, ], \\, :, ` or \"", what);
	return name;
}

static struct formula_probe *parse_probe_formula(struct parser *p)
{
	struct formula_probe *probe = ARENA_NEW(p->arena, struct formula_probe);
	bool varargs = false;
	probe->range = p->token.range;
	parser_expect(p, KEYWORD_PROBE);
	probe->name = parse_plain_name(p, "a probe");
	probe->range = parser_range(p, probe->range);
	parser_expect(p, TOKEN_LPAREN);
	probe->outputs = parse_params(p, TOKEN_RPAREN, &varargs);
	check_outputs(p, probe, varargs);
	if (parser_accept_word(p, "needs"))
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
	for (unsigned i = 0; i < FORMULA_ATTRIBUTES; i++) {
		if (parser_at(p, TOKEN_SEMICOLON))
			parser_fail(p, "five stabilities are expected: of the provider, its "
				       "modules, functions, probes and arguments");
		f->attributes[i] = parse_written_name(p, "a stability");
	}
	if (p->panic)
		f->attributes[0] = NULL; /* it has none */
	f->attributes_range = parser_range(p, f->attributes_range);
	parser_expect(p, TOKEN_SEMICOLON);
}

static void parse_header_word(struct parser *p, struct formula_provider *f)
{
	if (parser_accept_word(p, "attributes")) {
		parse_attributes_of_provider(p, f);
	} else if (parser_accept_word(p, "module")) {
		size_t mistakes = p->diagnostics->list.count;
		f->module = parse_plain_name(p, "a module");
		if (p->diagnostics->list.count > mistakes)
			f->module = NULL;
		parser_expect(p, TOKEN_SEMICOLON);
	} else if (parser_accept_word(p, "context")) {
		if (!parser_at_word(p, "pidclass"))
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

/* PROBE is one of them: it is left out.  The first one is reported. */
static void too_many_probes(struct parser *p, struct formula_provider *f,
			    const struct formula_probe *probe)
{
	if (f->probe_count++ == FORMULA_PROBES_MAX)
		lexer_mistake(
			&p->lexer, probe->range, D_SYNTAX,
			"the provider has more than %d probes: this and later ones are left out",
			FORMULA_PROBES_MAX);
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
	if (f->probe_count >= FORMULA_PROBES_MAX && !p->panic) {
		too_many_probes(p, f, probe);
		return;
	}
	if (p->panic)
		parser_recover_braces(p, open_braces(p, begin));
	if (p->diagnostics->list.count > mistakes || p->lexer.gave_up)
		return; /* who gave up counts no mistakes */
	formula_check(probe, f->probes, p->diagnostics);
	if (p->diagnostics->list.count > mistakes)
		return;
	formula_own(probe, f);
	**end = probe;
	*end = &probe->next;
	f->probe_count++;
}

/* What follows the next token here; outside of the provider it may be another one. */
static enum token_kind kind_after(const struct parser *p)
{
	struct lexer lexer = p->lexer;
	struct token t = p->token;
	lexer.quiet = true;
	lexer.controls_done = UINT32_MAX;
	lexer_rewind(&lexer, &t);
	lexer_next(&lexer, &t);
	lexer_next(&lexer, &t);
	return t.kind;
}

/* At a `}` that a probe follows: the provider goes on. */
static bool skip_brace_too_many(struct parser *p)
{
	if (p->panic || !parser_at(p, TOKEN_RBRACE) || kind_after(p) != KEYWORD_PROBE)
		return false;
	parser_fail(p, "this } is one too many: a probe follows");
	parser_recover_braces(p, 1);
	return true;
}

struct node *parse_formula_provider(struct parser *p)
{
	struct node *n = node_new(p, NODE_FORMULA, p->token.range);
	struct formula_provider *f = n->formula = ARENA_NEW(p->arena, struct formula_provider);
	struct formula_probe **end = &f->probes;
	parser_advance(p);
	f->name = parse_short_name(p, "a provider");
	parser_expect(p, TOKEN_LBRACE);
	do
		while (parser_in_braces(p))
			parse_part(p, f, &end);
	while (skip_brace_too_many(p));
	if (parser_at(p, TOKEN_END))
		f->probes = NULL; /* the } is missing: what belongs to the provider is unknown */
	if (!f->module)
		f->module = f->per_process ? "" : "vmlinux";
	if (parser_at(p, TOKEN_RBRACE) && lexer_char_after(&p->lexer, &p->token) == ';')
		parser_advance(p);
	parser_finish(p, p->token.kind == TOKEN_SEMICOLON ? TOKEN_SEMICOLON : TOKEN_RBRACE);
	n->range = parser_range(p, n->range);
	return n;
}
