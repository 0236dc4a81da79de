/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit - types and translators that a traced file declares of its own probes
 *
 * A unit (struct probe_unit) is compiled whole when args[] of one of its probes is first read,
 * apart from the program that reads it.  A unit with a mistake is reported and not used at all. Its
 * text comes from the traced file, so it may only declare: no clauses, variables, assignments, and
 * no calls of functions that change something.  Its names are its own: two files, or two versions
 * of one, may give one name to different structs.
 *
 * The parameters of a probe are parsed when its args[] is first read.  A mistake there, as a type
 * that is unknown, affects this parameter alone.
 *
 * args[i] is native argument map[i], translated if its type differs: by a translator of the
 * program, of libraries, of the unit, in this order (translator.c).  So who traces may correct the
 * file.
 *
 * The probes of one description may be of several units.  A clause that reads their args[] is
 * checked for each unit alone (clause.c), and all must agree on the types of what it reads.
 */
#include "sema/declare/declare.h"
#include "syntax/syntax.h"

struct unit {
	const struct probe_unit *text;
	bool is_fine;
	struct declared_names names; /* in the place of DECLARED_BY_FILE's while the unit speaks */
};

/* An element of args[]. */
struct parameter {
	const char *text;    /* as declared: "conninfo_t *c" */
	const char *name;    /* "c"; NULL: it has none, or its types are not known */
	const char *problem; /* why its types are not known; NULL: they are */
	struct declared_argument argument;
};

/* Of a probe's declaration. */
struct declared_arguments {
	struct unit *unit;
	struct parameter *list;
	unsigned count;
};

/* --- whose names ------------------------------------------------------------------------------ */

static void unit_exchange(struct sema *s, struct unit *u)
{
	if (!u)
		return;
	struct declared_names other = s->names[DECLARED_BY_FILE];
	s->names[DECLARED_BY_FILE] = u->names;
	u->names = other;
}

struct speaking speak(struct sema *s, struct speaking now)
{
	struct speaking before = { types_speak_for(s->types, now.who), s->unit };
	unit_exchange(s, s->unit);
	unit_exchange(s, now.unit);
	s->unit = now.unit;
	types_enter(s->types, now.unit ? now.unit->text->types : NULL);
	return before;
}

struct context context_enter(struct sema *s, struct context now)
{
	struct context before = { s->bindings, s->formula, speak(s, now.speaking) };
	s->bindings = now.bindings;
	s->formula = now.formula;
	return before;
}

struct texpr *expression_in(struct sema *s, struct context c, const struct node *n)
{
	struct context before = context_enter(s, c);
	struct texpr *e = expression_any(s, n);
	context_enter(s, before);
	return e;
}

static struct unit *unit_new(struct sema *s, const struct probe_unit *text)
{
	struct unit *u = ARENA_NEW(s->arena, struct unit);
	u->text = text;
	declared_names_init(&u->names);
	return u;
}

static void unit_free(void *arg, const void *key, size_t len, void *unit)
{
	declared_names_deinit(&((struct unit *)unit)->names);
}

void units_free(struct sema *s)
{
	hash_visit(s->units, unit_free, NULL);
	hash_free(s->units);
	hash_free(s->declarations);
}

bool unit_may(struct sema *s, struct range range, const char *what)
{
	if (speaker(s) != DECLARED_BY_FILE)
		return true;
	diagnose(s->diagnostics, range, D_SYNTAX, "the text in a traced file has no %s", what);
	return false;
}

const char *unit_type_text(struct sema *s, const struct type *type)
{
	static const char userland[] = "userland ";
	const char *text = type_text(s, type);
	return strncmp(text, userland, strlen(userland)) == 0 ? text + strlen(userland) : text;
}

/* --- the text --------------------------------------------------------------------------------- */

static bool is_type_declaration(const struct declaration_node *d)
{
	return d->spec->storage == STORAGE_TYPEDEF || (!d->spec->storage && !d->declarators);
}

/* The providers of the text are declared by other notes. */
static void item_of_unit(struct sema *s, const struct node *n)
{
	bool is_type = n->kind == NODE_DECLARATION && is_type_declaration(n->declaration);
	if (is_type || n->kind == NODE_INLINE || n->kind == NODE_TRANSLATOR)
		s->item_check(s, n);
	else if (n->kind != NODE_PROVIDER)
		unit_may(s, n->range, n->kind == NODE_CLAUSE ? "clauses" : "variables");
}

static bool is_pragma_of_unit(const struct pragma_node *p)
{
	return !string_equal(p->words[0], "depends_on");
}

static void check_text(struct sema *s, const struct program_node *program)
{
	for (const struct pragma_node *p = program->pragmas; p; p = p->next)
		if (!is_pragma_of_unit(p))
			unit_may(s, p->range, "dependencies");
	pragmas_begin(s, program);
	for (const struct node *n = program->items; n; n = n->next)
		item_of_unit(s, n);
}

/* What is parsed and checked apart from the program, and how that went. */
struct unit_task {
	struct unit *unit;
	const char *text;
	size_t length;
	void (*check)(struct sema *s, const struct program_node *program, void *arg);
	void *arg;
	const char *problem; /* NULL: it was fine */
};

static const char *first_problem(struct sema *s, const struct diagnostics *d)
{
	const struct diagnostic *m = &d->list.items[0];
	return m->range.line > 1 || strchr(m->range.source->text, '\n')
		       ? arena_printf(s->arena, "line %u: %s", m->range.line, m->text)
		       : arena_printf(s->arena, "%s", m->text);
}

static void run_task(struct sema *s, void *arg)
{
	struct unit_task *t = arg;
	struct diagnostics own = { 0 }, *outer = s->diagnostics;
	const struct program_node *wanting = s->program;
	struct speaking before = speak(s, (struct speaking) { DECLARED_BY_FILE, t->unit });
	s->diagnostics = &own;
	s->program = s->env->parse_note(s->env->arg, t->unit->text->file, t->text, t->length, &own);
	if (!own.list.count)
		t->check(s, s->program, t->arg);
	speak(s, before);
	s->program = wanting;
	s->diagnostics = outer;
	t->problem = own.list.count ? first_problem(s, &own) : NULL;
	diagnostics_deinit(&own);
}

static void check_unit(struct sema *s, const struct program_node *program, void *unused)
{
	check_text(s, program);
}

static void compile_unit(struct sema *s, struct unit *u)
{
	struct unit_task task = {
		.unit = u, .text = u->text->text, .length = u->text->length, .check = check_unit
	};
	library_apart(s, run_task, &task);
	u->is_fine = !task.problem;
	if (task.problem)
		message("%s: the types and translators in the file are not used, and its static "
			"probes have those of their operands: its D text, %s",
			u->text->file, task.problem);
}

/* NULL: it has a mistake. */
static struct unit *unit_of(struct sema *s, const struct probe_unit *text)
{
	struct unit *u = hash_get(s->units, &text, sizeof(text));
	if (!u) {
		u = unit_new(s, text);
		*hash_place(s->units, &text, sizeof(text)) = u;
		compile_unit(s, u);
	}
	return u->is_fine ? u : NULL;
}

/* --- parameters ------------------------------------------------------------------------------- */

struct typed_name {
	const struct type *type;
	const char *name;
};

/* The text is `void f(PARAMETER);`, *ARG gets its type and name. */
static void check_parameter(struct sema *s, const struct program_node *program, void *arg)
{
	struct typed_name *ret = arg;
	const struct node *n = program->items;
	const struct declarator *d =
		n && n->kind == NODE_DECLARATION ? n->declaration->declarators : NULL;
	bool is_one = d && !n->next && !d->next && d->parts && !d->parts->next &&
		      d->parts->kind == PART_FUNCTION;
	unsigned count = 0;
	const struct type **types = is_one ? params_check(s, d->parts->params, &count) : NULL;
	if (count == 1 && types)
		*ret = (struct typed_name) { types[0], d->parts->params->declarator->name };
	else if (!s->diagnostics->list.count)
		diagnose(s->diagnostics, (struct range) { .source = program->source }, D_SYNTAX,
			 "it is not the declaration of one parameter");
}

/* The type of the parameter TEXT, NULL: a mistake, *PROBLEM; and its name. */
static struct typed_name parameter_parse(struct sema *s, struct unit *u, const char *text,
					 const char **problem)
{
	struct typed_name parsed = { 0 };
	const char *whole = arena_printf(s->arena, "void f(%s);", text);
	struct unit_task task = { .unit = u,
				  .text = whole,
				  .length = strlen(whole),
				  .check = check_parameter,
				  .arg = &parsed };
	library_apart(s, run_task, &task);
	*problem = task.problem;
	return parsed;
}

static struct parameter unit_parameter(struct sema *s, struct unit *u, const char *native,
				       const char *output, unsigned from)
{
	struct parameter p = { .argument.from = from, .text = output };
	struct typed_name parsed = parameter_parse(s, u, native, &p.problem);
	p.argument.input = parsed.type;
	if (parsed.type && !string_equal(native, output))
		parsed = parameter_parse(s, u, output, &p.problem);
	p.argument.output = parsed.type;
	p.name = parsed.name;
	return p;
}

static void unit_arguments_fill(struct sema *s, const struct probe_declaration *from,
				struct declared_arguments *to)
{
	to->count = from->output_count;
	to->list = arena_alloc(s->arena, (to->count + 1) * sizeof(*to->list));
	for (unsigned i = 0; i < to->count; i++)
		to->list[i] = unit_parameter(s, to->unit, from->natives[from->map[i]],
					     from->outputs[i], from->map[i]);
}

/* NULL: its unit has a mistake. */
static const struct declared_arguments *unit_arguments(struct sema *s,
						       const struct probe_declaration *from)
{
	struct unit *u = unit_of(s, from->unit);
	if (!u)
		return NULL;
	struct declared_arguments *to = hash_get(s->declarations, &from, sizeof(from));
	if (to)
		return to;
	to = ARENA_NEW(s->arena, struct declared_arguments);
	to->unit = u;
	unit_arguments_fill(s, from, to);
	*hash_place(s->declarations, &from, sizeof(from)) = to;
	return to;
}

/* --- use -------------------------------------------------------------------------------------- */

static const struct probe_declaration *declaration_of(struct sema *s, const struct probe *p)
{
	const struct probe_args *args =
		s->env->parse_note ? probe_db_arguments(s->probes, p) : NULL;
	return args ? args->declaration : NULL;
}

const struct probe_unit *unit_of_probe(struct sema *s, const struct probe *p)
{
	const struct probe_declaration *d = declaration_of(s, p);
	struct unit *u = d ? unit_of(s, d->unit) : NULL;
	return u ? u->text : NULL;
}

static struct texpr *multiple(struct sema *s, const struct probe *one, const struct probe *other,
			      struct range range)
{
	return mistake(s, range, D_ARGS_MULTI,
		       "the probes of this description differ in the types of args[]: %s:%s:%s and "
		       "%s:%s:%s",
		       one->module, one->function, one->name, other->module, other->function,
		       other->name);
}

/* NULL: all probes of the clause have D, or the result: a mistake. */
static struct texpr *check_same(struct sema *s, const struct probe_declaration *d,
				struct range range)
{
	const struct tclause *c = s->clause;
	const struct probe_unit *unit = unit_of_probe(s, c->probes[0]);
	for (unsigned i = 1; i < c->probe_count; i++) {
		const struct probe *p = c->probes[i];
		s->differs_in_units |= unit_of_probe(s, p) != unit;
		if (!probe_declarations_same(d, declaration_of(s, p)))
			return multiple(s, c->probes[0], p, range);
	}
	return NULL;
}

static struct texpr *declared_value(struct sema *s, const struct declared_arguments *args,
				    const struct declared_argument *a, struct range range)
{
	bool is_value = type_is_scalar(a->input) || type_is_string(a->input);
	bool same = type_same(a->input, a->output);
	if (same && is_value)
		return args_value(s, a->output, true, a->from, range);
	struct texpr *e = same || !is_value ? NULL
					    : translator_of_unit(s, args->unit, a->from, a->input,
								 a->output, range);
	if (e || same || !is_value)
		return e;
	struct texpr *raw = args_value(s, a->input, true, a->from, range);
	return convert_typed(s, raw, a->output);
}

/* The argument, or why there is none. */
static struct texpr *argument_at(struct sema *s, const struct declared_arguments *args,
				 unsigned index, struct range range)
{
	const struct parameter *p = &args->list[index];
	const struct declared_argument *a = &p->argument;
	const char *file = args->unit->text->file;
	if (p->problem)
		return mistake(s, range, D_ARGS_TYPE, "%s declares args[%u] as \"%s\": %s", file,
			       index, p->text, p->problem);
	if (a->from >= PROBE_ARGS)
		return mistake(s, range, D_ARGS_IDX,
			       "args[%u] is argument %u, and only those up to %d can be read",
			       index, a->from, PROBE_ARGS - 1);
	struct texpr *e = declared_value(s, args, a, range);
	if (e)
		return e;
	if (type_same(a->input, a->output))
		return mistake(s, range, D_ARGS_TYPE,
			       "%s gives args[%u] the type %s, which no argument can have", file,
			       index, unit_type_text(s, a->input));
	return mistake(s, range, D_ARGS_XLATOR,
		       "%s makes args[%u] a %s out of a %s, but there is no translator", file,
		       index, unit_type_text(s, a->output), unit_type_text(s, a->input));
}

struct texpr *unit_argument(struct sema *s, int64_t index, struct range range)
{
	struct tclause *c = s->clause;
	if (!c || !c->probe_count)
		return NULL;
	for (unsigned i = 1; i < c->probe_count && !unit_of_probe(s, c->probes[0]); i++)
		if (unit_of_probe(s, c->probes[i])) {
			s->differs_in_units = true;
			return multiple(s, c->probes[0], c->probes[i], range);
		}
	const struct probe_declaration *d = declaration_of(s, c->probes[0]);
	const struct declared_arguments *args = d ? unit_arguments(s, d) : NULL;
	if (!args)
		return NULL;
	struct texpr *bad = check_same(s, d, range);
	if (bad)
		return bad;
	stability_use_args(s, range);
	if (index < 0 || index >= args->count)
		return args_wrong_index(s, index, args->count, NULL, range);
	c->reads_args = true;
	c->declaration = d;
	c->args_read |= index < 32 ? 1u << index : 0;
	return argument_at(s, args, (unsigned)index, range);
}

/* Of a clause whose probes have one unit. */
static const struct declared_arguments *arguments_of_clause(struct sema *s, const struct tclause *c)
{
	const struct probe_declaration *d = declaration_of(s, c->probes[0]);
	return d ? unit_arguments(s, d) : NULL;
}

static bool is_alike(struct sema *s, const struct parameter *p, const struct parameter *q)
{
	const struct type *a = p->argument.output, *b = q->argument.output;
	if (p->problem || q->problem || !string_equal(unit_type_text(s, a), unit_type_text(s, b)) ||
	    type_size(a) != type_size(b))
		return false;
	const struct type *x = type_resolve(a), *y = type_resolve(b);
	if (x->kind == TYPE_POINTER && y->kind == TYPE_POINTER) {
		x = type_resolve(x->target);
		y = type_resolve(y->target);
	}
	return x->kind == y->kind && type_size(x) == type_size(y) && type_same_members(x, y);
}

void unit_check_alike(struct sema *s, const struct tclause *a, const struct tclause *b)
{
	const struct declared_arguments *x = arguments_of_clause(s, a);
	const struct declared_arguments *y = arguments_of_clause(s, b);
	uint32_t read = a->args_read | b->args_read; /* not all of a constant condition is read */
	bool fine = x && y;
	for (unsigned i = 0; i < 32 && fine; i++)
		if (read >> i & 1)
			fine = i < x->count && i < y->count &&
			       is_alike(s, &x->list[i], &y->list[i]);
	if (!fine)
		multiple(s, a->probes[0], b->probes[0], a->range);
}

/* --- by name ---------------------------------------------------------------------------------- */

struct texpr *unit_argument_named(struct sema *s, const struct node *n)
{
	const struct tclause *c = s->clause;
	const struct probe_declaration *d =
		c && c->probe_count ? declaration_of(s, c->probes[0]) : NULL;
	const struct declared_arguments *args = d ? unit_arguments(s, d) : NULL;
	struct nearest nearest = nearest_to(n->member.name);
	for (unsigned i = 0; args && i < args->count; i++) {
		const char *name = args->list[i].name;
		if (name && string_equal(name, n->member.name))
			return unit_argument(s, i, n->range);
		if (name)
			nearest_try(&nearest, name);
	}
	if (!args)
		return NULL;
	return args_wrong_name(s, n, "argument", &nearest);
}

/* --- outside of a check ----------------------------------------------------------------------- */

/* As unit_arguments(). */
static const struct declared_arguments *arguments_of_probe(struct sema *s, const struct probe *p)
{
	struct diagnostics unused = { 0 }, *before = s->diagnostics;
	const struct probe_declaration *d = declaration_of(s, p);
	s->diagnostics = &unused;
	const struct declared_arguments *args = d ? unit_arguments(s, d) : NULL;
	s->diagnostics = before;
	diagnostics_deinit(&unused);
	return args;
}

bool sema_declared_argument(struct sema *s, const struct probe *p, unsigned index,
			    struct sema_declared *ret)
{
	const struct declared_arguments *args = arguments_of_probe(s, p);
	const struct parameter *of = args && index < args->count ? &args->list[index] : NULL;
	*ret = (struct sema_declared) { 0 };
	if (of && of->problem)
		ret->type = of->text;
	else if (of)
		*ret = (struct sema_declared) { unit_type_text(s, of->argument.output), of->name };
	return args;
}

const struct probe_declaration *unit_declaration(struct sema *s, const struct probe *p)
{
	return arguments_of_probe(s, p) ? declaration_of(s, p) : NULL;
}
