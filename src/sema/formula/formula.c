/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula - clauses on probes that are made by formulas
 *
 * A clause on such a probe is checked once for each source of the probe, and becomes a clause on
 * the source's events: the source's condition comes before the predicate; args[] and argN are its
 * expressions; with `task =`, pid, execname and the like are those of that task.
 */
#include "sema/formula/formula.h"

#include "syntax/syntax.h"

/* --- arguments ------------------------------------------------------------------------------ */

static const struct formula_statement *statement_of(const struct formula_source *source,
						    enum formula_statement_kind kind,
						    const char *name, unsigned number)
{
	for (const struct formula_statement *t = source->statements; t; t = t->next)
		if (t->kind == kind && (!name || string_equal(t->name, name)) &&
		    (kind != FORMULA_RAW || t->number == number))
			return t;
	return NULL;
}

static const struct param_node *output_at(const struct formula_source *source, unsigned index)
{
	const struct param_node *p = source->probe->outputs;
	while (p && index--)
		p = p->next;
	return p;
}

/* VALUE as an output of TYPE; NULL: it has another type. */
static struct texpr *fitted(struct sema *s, struct texpr *value, const struct type *type)
{
	if (value->kind == TEXPR_TRANSLATED)
		return type_same(value->type, type) ? value : NULL;
	bool is_number = type_is_integer(value->type);
	bool is_whole_address = value->type->kind == TYPE_POINTER && type_size(type) == 8;
	if (type_is_integer(type) && (is_number || is_whole_address))
		return convert_scalar(s, value, type);
	if (type_is_pointer(type) && is_number)
		return convert_scalar(s, value, type);
	return convert_compatible(s, value, type);
}

/* VALUE as the output P, which -lv shows.  An address in a process stays one; in formulas of
 * processes numbers are such addresses. */
static struct texpr *as_output(struct sema *s, const struct formula_provider *provider,
			       struct texpr *value, const struct param_node *p, struct range range)
{
	const struct type *type = formula_param_type(s, p);
	if (texpr_is_poison(value) || type_resolve(type)->kind == TYPE_POISON)
		return value;
	bool is_there = type_is_user_pointer(value->type) ||
			(provider->per_process && type_is_integer(value->type));
	struct texpr *e = fitted(s, value, is_there ? user_type(s, type) : type);
	return e ? e
		 : mistake(s, range, D_OP_INCOMPAT, "%s has the type %s, but its value %s",
			   p->declarator->name, type_text(s, type), type_text(s, value->type));
}

/* What SOURCE gives to the output P: by a statement, or by its parameter of the same name; NULL:
 * nothing. */
static struct texpr *output_value(struct sema *s, const struct formula_source *source,
				  const struct param_node *p)
{
	const char *name = p->declarator->name;
	const struct formula_statement *t = statement_of(source, FORMULA_OUTPUT, name, 0);
	return t ? formula_value(s, source, t) : formula_bound(s, source, name);
}

bool formula_fires(const struct formula_source *source)
{
	return !formula_has(source, FORMULA_SILENT);
}

/* The value of an output that a source does not assign. */
static struct texpr *output_nothing(struct sema *s, struct range range)
{
	return texpr_integer(s, 0, intrinsic(s, INTRINSIC_LONG), range);
}

/* args[] and argN in the text of a formula, which makes them. */
static bool is_own_argument(const struct sema *s, struct range range)
{
	return s->formula && range.source->is_formulas;
}

static struct texpr *own_argument(struct sema *s, const char *what, struct range range)
{
	return mistake(s, range, D_ARGS_NONE,
		       "%s is made by this formula: name the parameters of its events", what);
}

static struct texpr *typed_argument_made(struct sema *s, int64_t index, struct range range)
{
	const struct formula_source *source = s->clause->source;
	const struct param_node *p = index < 0 ? NULL : output_at(source, (unsigned)index);
	if (is_own_argument(s, range))
		return own_argument(s, "args[]", range);
	if (!p) {
		unsigned count = params_count(source->probe->outputs);
		return mistake(s, range, D_ARGS_IDX,
			       "args[%lld] does not exist: the probe has %u argument%s",
			       (long long)index, count, count == 1 ? "" : "s");
	}
	struct texpr *e = output_value(s, source, p);
	e = as_output(s, source->provider, e ? e : output_nothing(s, range), p, range);
	if (!texpr_is_poison(e))
		e->range = range;
	return e;
}

/* E, an argument before it is translated, as argN. */
static struct texpr *as_raw(struct sema *s, struct texpr *e, unsigned index, struct range range)
{
	if (e->kind == TEXPR_TRANSLATED)
		e = e->translated.input;
	if (texpr_is_poison(e))
		return e;
	if (!type_is_scalar(e->type))
		return mistake(s, range, D_ARGS_TYPE,
			       "arg%u of this probe is not a number: use args[%u]", index, index);
	return convert_scalar(s, e, intrinsic(s, INTRINSIC_LONG));
}

/* argN: `raw N`, or the N-th argument before it is translated. */
static struct texpr *raw_argument_made(struct sema *s, unsigned index, struct range range)
{
	const struct formula_source *source = s->clause->source;
	const struct param_node *p = output_at(source, index);
	const struct formula_statement *t = statement_of(source, FORMULA_RAW, NULL, index);
	if (is_own_argument(s, range))
		return own_argument(s, arena_printf(s->arena, "arg%u", index), range);
	if (s->formula)
		return texpr_argument(s, index, range);
	struct texpr *e = t ? formula_value(s, source, t) : p ? output_value(s, source, p) : NULL;
	return e ? as_raw(s, e, index, range) : output_nothing(s, range);
}

/* --- the task that it is about -------------------------------------------------------------- */

static const struct formula_statement *task_statement(const struct sema *s)
{
	const struct tclause *c = s->clause;
	return c && c->source && !s->formula ? statement_of(c->source, FORMULA_TASK, NULL, 0)
					     : NULL;
}

/* The task that names of tasks mean here; NULL: the current one. */
static struct texpr *named_task(struct sema *s)
{
	if (s->walked_task)
		return texpr_copy(s, s->walked_task);
	const struct formula_statement *t = task_statement(s);
	return t ? formula_value(s, s->clause->source, t) : NULL;
}

/* WHICH of TASK. */
static struct texpr *of_task(struct sema *s, enum subroutine which, struct texpr *task,
			     struct range range)
{
	s->result.uses_target = true;
	return texpr_is_poison(task) ? task : subroutine_of(s, which, task, range);
}

static struct texpr *builtin_of_task(struct sema *s, enum builtin_variable which,
				     struct range range)
{
	static const struct {
		enum builtin_variable which;
		const char *inlined; /* of dlib/procfs.d; its argument is the task */
	} rows[] = {
		{ BUILTIN_pid, "task_tgid" },	   { BUILTIN_tid, "task_pid" },
		{ BUILTIN_ppid, "task_ppid" },	   { BUILTIN_uid, "task_uid" },
		{ BUILTIN_gid, "task_gid" },	   { BUILTIN_execname, "task_comm" },
		{ BUILTIN_cgroup, "task_cgroup" }, { BUILTIN_curthread, NULL },
	};
	struct texpr *task = named_task(s);
	if (task && which == BUILTIN_target)
		return of_task(s, SUBROUTINE_target_of, task, range);
	for (size_t i = 0; task && i < ARRAY_SIZE(rows); i++) {
		if (rows[i].which != which)
			continue;
		if (!rows[i].inlined)
			return task;
		struct inline_definition *def = library_inline(s, rows[i].inlined);
		return def ? inline_of(s, def, task, false, range) : NULL;
	}
	return NULL;
}

const struct formula_names formula_names = {
	.argument = typed_argument_made,
	.raw = raw_argument_made,
	.builtin = builtin_of_task,
	.self = formula_self,
	.exists = formula_exists,
};

struct texpr *formula_task_test(struct sema *s)
{
	const struct formula_statement *t = s->env->tests_tasks ? task_statement(s) : NULL;
	return t ? of_task(s, SUBROUTINE_is_traced, formula_value(s, s->clause->source, t),
			   t->range)
		 : NULL;
}

/* --- is the formula right? ------------------------------------------------------------------ */

/*
 * Translated arguments of our own formulas are not checked before a clause uses them: their types
 * take time to be found, and a test checks them on several kernels (-x provcheck).
 */
static void check_output(struct sema *s, const struct formula_source *source,
			 const struct formula_statement *t)
{
	const struct param_node *p = formula_output(source->probe, t->name);
	if (!p) {
		diagnose(s->diagnostics, t->range, D_ARGS_NONE, "the probe has no argument %s",
			 t->name);
	} else if (!source->range.source->is_ours || t->value->kind != NODE_XLATE ||
		   s->env->checks_translated) {
		struct texpr *e = formula_value(s, source, t);
		as_output(s, source->provider, e, p, t->range);
		translator_check_with(s, e);
		if (s->env->checks_translated)
			translator_check_members(s, e);
	}
}

static void check_raw(struct sema *s, const struct formula_source *source,
		      const struct formula_statement *t)
{
	struct texpr *e = formula_value(s, source, t);
	if (!texpr_is_poison(e) && e->kind != TEXPR_TRANSLATED && !type_is_scalar(e->type))
		diagnose(s->diagnostics, t->range, D_ARGS_TYPE,
			 "arg%lld is a number or a pointer, not %s", (long long)t->number,
			 type_text(s, e->type));
}

static bool is_task(const struct texpr *e)
{
	const struct type *to =
		type_is_pointer(e->type) ? type_resolve(type_resolve(e->type)->target) : NULL;
	return to && e->kind != TEXPR_TRANSLATED && to->kind == TYPE_STRUCT &&
	       string_equal(to->name, "task_struct");
}

static void check_task(struct sema *s, const struct formula_source *source,
		       const struct formula_statement *t)
{
	struct texpr *e = formula_value(s, source, t);
	if (!texpr_is_poison(e) && !is_task(e))
		diagnose(s->diagnostics, t->range, D_OP_INCOMPAT,
			 "the task is a struct task_struct *, but its value %s",
			 type_text(s, e->type));
}

static void check_statement(struct sema *s, const struct formula_source *source,
			    const struct formula_statement *t)
{
	switch (t->kind) {
	case FORMULA_LET:
		formula_value(s, source, t);
		break;
	case FORMULA_RAW:
		if (t->number < 0 || t->number >= PROBE_ARGS)
			diagnose(s->diagnostics, t->range, D_ARGS_IDX, "a probe has arg0 to arg%d",
				 PROBE_ARGS - 1);
		check_raw(s, source, t);
		break;
	case FORMULA_TASK:
		check_task(s, source, t);
		break;
	case FORMULA_SAVE:
		for (const struct formula_field *f = t->fields; f; f = f->next)
			formula_state(s, source, t, f);
		break;
	case FORMULA_DELETE:
		formula_state(s, source, t, NULL);
		break;
	case FORMULA_SELF:
		formula_self_set(s, source, t);
		break;
	case FORMULA_LOAD:
		formula_load_check(s, source, t);
		break;
	case FORMULA_OUTPUT:
		check_output(s, source, t);
		break;
	default: /* in formula_condition(), or without an expression of its own */
		break;
	}
}

/* Those that no statement assigns; without a parameter of the name they are 0, which void is not.
 */
static void check_bound(struct sema *s, const struct formula_source *source)
{
	for (const struct param_node *p = source->probe->outputs; p && formula_fires(source);
	     p = p->next) {
		const char *name = p->declarator->name;
		if (statement_of(source, FORMULA_OUTPUT, name, 0))
			continue;
		struct texpr *e = formula_bound(s, source, name);
		if (e)
			as_output(s, source->provider, e, p, e->range);
		else if (type_resolve(formula_param_type(s, p))->kind == TYPE_VOID)
			diagnose(s->diagnostics, p->range, D_ARGS_TYPE,
				 "the argument %s cannot be void", name);
	}
}

static void formula_check_source(struct sema *s, const struct probe *p,
				 const struct formula_source *source)
{
	struct tclause *c = ARENA_NEW(s->arena, struct tclause);
	c->probes = arena_alloc(s->arena, sizeof(*c->probes));
	c->probes[0] = p;
	c->probe_count = 1;
	c->source = source;
	c->range = source->range;
	struct tclause *before = s->clause;
	unsigned budget = s->budget;
	s->clause = c;
	s->budget = EXPRESSION_BUDGET;
	formula_condition(s, source);
	for (const struct formula_statement *t = source->statements; t; t = t->next)
		check_statement(s, source, t);
	check_bound(s, source);
	struct tstmt *kept = NULL;
	if (source->keeps_parameters)
		formula_kept_set(s, &kept, source);
	s->clause = before;
	s->budget = budget;
}

/* Mistakes of P's sources, and of the definitions of libraries that they use. */
static void formula_check_sources(struct sema *s, const struct probe *p,
				  struct diagnostics *mistakes)
{
	struct diagnostics *before = s->diagnostics, *library = s->env->library_mistakes;
	size_t library_count = library ? library->list.count : 0;
	s->diagnostics = mistakes;
	const struct formula_source *last = NULL;
	for (const struct probe_event *e = p->events; e; e = e->next) {
		if (e->source != last)
			formula_check_source(s, p, e->source);
		last = e->source;
	}
	s->diagnostics = before;
	if (library)
		diagnostics_move(library, library_count, mistakes);
}

bool sema_formula_is_right(struct sema *s, const struct probe *p)
{
	struct diagnostics mistakes = { 0 };
	if (!p->events || !p->events->source || hash_get(s->formulas_checked, &p, sizeof(p)))
		return !p->is_hidden;
	*hash_place(s->formulas_checked, &p, sizeof(p)) = s;
	formula_check_sources(s, p, &mistakes);
	bool is_right = !mistakes.list.count;
	if (!is_right && s->env->formula_mistakes)
		s->env->formula_mistakes(s->env->arg, &mistakes);
	if (!is_right)
		probe_db_hide(s->probes, p);
	diagnostics_deinit(&mistakes);
	return is_right;
}

void formulas_check(struct sema *s, probe_vector *probes)
{
	size_t kept = 0;
	for (size_t i = 0; i < probes->count; i++)
		if (sema_formula_is_right(s, probes->items[i]))
			probes->items[kept++] = probes->items[i];
	probes->count = kept;
}
