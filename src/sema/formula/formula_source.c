/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula_source - expressions of a formula, in the scope of one source
 *
 * The scope are bindings: the parameters of the event, then what `let` and `load` name.  None is
 * evaluated before an expression uses it, so an argument that no clause reads costs nothing, and a
 * program reads only those words of its context that it needs.
 *
 * What `save` keeps are associative arrays, one for each field, which no program can name; a
 * further one, of no field, says whether there is something under the key.
 *
 * Reads of kernel memory in these expressions give 0 instead of a fault: they are not the user's.
 */
#include "sema/declare/declare.h"
#include "sema/formula/formula.h"

/* --- what is kept under keys ---------------------------------------------------------------- */

const struct type *formula_param_type(struct sema *s, const struct param_node *p)
{
	return declarator_type(s, p->declarator, p->declarator->parts, specifier_type(s, p->spec));
}

void formula_make_array(struct sema *s, struct variable *v)
{
	v->is_array = v->declared = v->used = true;
	v->key_types = arena_alloc(s->arena, sizeof(*v->key_types));
	v->key_types[0] = intrinsic(s, INTRINSIC_LONG);
	v->key_count = 1;
}

struct texpr *formula_element(struct sema *s, struct variable *v, struct texpr *key,
			      struct range range)
{
	struct texpr *e = texpr_new(s, TEXPR_ELEMENT, v->type, range);
	e->element.variable = v;
	e->element.keys = key;
	return e;
}

/* The array of the field NAME; "": of the keys that have something. */
static struct variable *saved_array(struct sema *s, const struct formula_provider *provider,
				    const char *name)
{
	const char *text = arena_printf(s->arena, "[%s %s]", provider->name, name);
	struct variable *v = variable_declared(s, DECLARED_BY_LIBRARY, SCOPE_GLOBAL, text);
	if (v)
		return v;
	const struct formula_field *f = *name ? provider->saved : NULL;
	while (f && !string_equal(f->name, name))
		f = f->next_saved;
	const struct type *type =
		f ? formula_param_type(s, f->param) : intrinsic(s, INTRINSIC_CHAR);
	enum declarer before = types_speak_for(s->types, DECLARED_BY_LIBRARY);
	v = variable_new(s, SCOPE_GLOBAL, text, type, f ? f->param->range : (struct range) { 0 });
	types_speak_for(s->types, before);
	if (!v)
		return NULL;
	formula_make_array(s, v);
	return v;
}

static struct texpr *saved_element(struct sema *s, const char *name, struct texpr *key,
				   struct range range)
{
	struct variable *v = saved_array(s, s->formula->provider, name);
	if (!v || texpr_is_poison(key))
		return texpr_poison(s, range);
	return formula_element(s, v, convert_scalar(s, key, intrinsic(s, INTRINSIC_LONG)), range);
}

static struct texpr *saved_key(struct sema *s, const struct node *n)
{
	struct texpr *e = expression_value(s, n);
	if (texpr_is_poison(e) || type_is_scalar(e->type))
		return e;
	return mistake(s, n->range, D_KEY_TYPE, "a key must be a number or a pointer, not %s",
		       type_text(s, e->type));
}

struct texpr *formula_exists(struct sema *s, const struct node *n)
{
	const struct node *key = n->call.args;
	if (!key || key->next)
		return mistake(s, n->range, D_PROTO_LEN, "exists() takes one key");
	return saved_element(s, "", saved_key(s, key), n->range);
}

/* --- the scope ------------------------------------------------------------------------------ */

/* The result of a system call or of a process's function is its second argument
 * (provider/syscall.c, provider/process/pid_make.c); of an instruction the first is the offset. */
static unsigned word_of(const struct formula_event *e, unsigned index)
{
	if (e->kind == FORMULA_CALL || e->kind == FORMULA_INSN || e->kind == FORMULA_INC)
		return index + 1;
	bool is_second = e->kind == FORMULA_SYSCALL || e->kind == FORMULA_UPROBE;
	return is_second && e->is_return ? 1 : index;
}

const struct type *formula_event_type(struct sema *s, const struct param_node *p)
{
	const struct formula_event *e = &s->formula->event;
	const struct type *type = formula_param_type(s, p);
	bool is_users = e->kind == FORMULA_SYSCALL || formula_event_is_of_process(e);
	return is_users ? user_type(s, type) : type;
}

struct texpr *formula_parameter(struct sema *s, const struct param_node *p, unsigned number)
{
	const char *name = p->declarator->name;
	const struct formula_event *event = &s->formula->event;
	const struct type *type = formula_event_type(s, p);
	unsigned word = word_of(event, number);
	if (type_resolve(type)->kind == TYPE_POISON)
		return texpr_poison(s, p->range);
	if (type_is_string(type)) /* an address of the kernel, or of the process */
		return args_value(s, type, formula_event_is_of_process(event), word, p->range);
	if (!type_is_scalar(type))
		return mistake(s, p->range, D_ARGS_TYPE,
			       "%s has the type %s, which no argument "
			       "of an event can have",
			       name, type_text(s, type));
	return convert_scalar(s, texpr_argument(s, word, p->range), type);
}

static struct texpr *parameter_value(struct sema *s, const struct binding *b)
{
	return formula_parameter(s, b->from, b->number);
}

static struct texpr *kept_value(struct sema *s, const struct binding *b)
{
	return formula_kept_value(s, b->from);
}

/* Of a function of the kernel, whose type data say what it returns. */
static struct texpr *result_value(struct sema *s, const struct binding *b)
{
	const struct formula_event *e = b->from;
	if (formula_event_is_of_process(e))
		return texpr_argument(s, word_of(e, 0), e->range);
	const struct type *function = NULL;
	for (const struct formula_name *n = e->names; n && !function; n = n->next)
		function = types_kernel_function(s->types, n->text);
	const struct type *type = function ? function->target : intrinsic(s, INTRINSIC_LONG);
	if (!type_is_scalar(type))
		return mistake(s, e->range, D_ARGS_TYPE, "%s has the type %s, which cannot be read",
			       e->result, type_text(s, type));
	return convert_scalar(s, texpr_argument(s, 0, e->range), type);
}

/* In the scope that was before it. */
static struct texpr *let_value(struct sema *s, const struct binding *b)
{
	const struct formula_statement *let = b->from;
	const struct binding *outer = s->bindings;
	s->bindings = b->next;
	struct texpr *e = expression_operand(s, expression_any(s, let->value));
	s->bindings = outer;
	return e;
}

static struct texpr *loaded_value(struct sema *s, const struct binding *b)
{
	const struct formula_statement *load = b->from;
	const struct binding *outer = s->bindings;
	s->bindings = b->next;
	struct texpr *key = saved_key(s, load->value);
	s->bindings = outer;
	return saved_element(s, b->name, key, load->range);
}

static void bind(struct sema *s, const struct binding **scope, const char *name, const void *from,
		 unsigned number, struct texpr *(*make)(struct sema *s, const struct binding *b))
{
	struct binding *b = ARENA_NEW(s->arena, struct binding);
	*b = (struct binding) {
		.next = (struct binding *)*scope,
		.name = name,
		.make = make,
		.from = from,
		.number = number,
	};
	*scope = b;
}

/* The names in SOURCE before the statement END (NULL: in its condition). */
static const struct binding *scope_before(struct sema *s, const struct formula_source *source,
					  const struct formula_statement *end)
{
	const struct binding *scope = NULL;
	const struct formula_event *e = &source->event;
	const struct formula_field *f;
	unsigned number = 0;
	for (const struct param_node *p = e->params; p; p = p->next, number++)
		if (p->declarator->name)
			bind(s, &scope, p->declarator->name, p, number,
			     source->entry ? kept_value : parameter_value);
	if (e->result)
		bind(s, &scope, e->result, e, 0, result_value);
	for (const struct formula_statement *t = source->statements; end && t != end; t = t->next) {
		if (t->kind == FORMULA_LET)
			bind(s, &scope, t->name, t, 0, let_value);
		for (f = t->kind == FORMULA_LOAD ? source->provider->saved : NULL; f;
		     f = f->next_saved)
			bind(s, &scope, f->name, t, 0, loaded_value);
	}
	return scope;
}

/* --- expressions ---------------------------------------------------------------------------- */

struct context formula_enter(struct sema *s, const struct formula_source *source,
			     const struct formula_statement *end)
{
	s->hidden++;
	return context_enter(s, (struct context) {
					scope_before(s, source, end),
					source,
					{ source_declarer(source->range.source), s->unit },
				});
}

void formula_leave(struct sema *s, struct context before)
{
	context_enter(s, before);
	s->hidden--;
}

struct texpr *formula_expression(struct sema *s, const struct formula_source *source,
				 const struct formula_statement *t, const struct node *n)
{
	struct context before = formula_enter(s, source, t);
	struct texpr *e = expression_operand(s, expression_any(s, n));
	formula_leave(s, before);
	return e;
}

struct texpr *formula_bound(struct sema *s, const struct formula_source *source, const char *name)
{
	struct context before = formula_enter(s, source, NULL);
	const struct binding *b = s->bindings;
	while (b && !string_equal(b->name, name))
		b = b->next;
	struct texpr *e = b ? b->make(s, b) : NULL;
	formula_leave(s, before);
	return e;
}

/*
 * An event of the kernel for a probe of one process is an event in the threads of that, or of its
 * tree; NULL: all firings of the event are.
 */
static struct texpr *process_condition(struct sema *s, const struct formula_source *source)
{
	const struct probe *p = s->clause->probes[0];
	int pid;
	if (formula_event_is_of_process(&source->event) ||
	    !provider_process_of(p->owner, p->provider, &pid))
		return NULL;
	enum builtin_variable whose =
		probe_db_follows(s->probes, pid) ? BUILTIN_target : BUILTIN_pid;
	struct texpr *is = texpr_new(s, TEXPR_BINARY, intrinsic(s, INTRINSIC_INT), source->range);
	is->binary.op = OP_EQ;
	is->binary.left = convert_scalar(s, variable_builtin(s, whose, source->range),
					 intrinsic(s, INTRINSIC_LONG));
	is->binary.right = texpr_integer(s, pid, intrinsic(s, INTRINSIC_LONG), source->range);
	return is;
}

/* The condition N in SOURCE before END. */
static struct texpr *condition_in(struct sema *s, const struct formula_source *source,
				  const struct formula_statement *end, const struct node *n)
{
	struct context before = formula_enter(s, source, end);
	struct texpr *condition = expression_condition(s, n, D_PRED_SCALAR);
	formula_leave(s, before);
	return condition;
}

struct texpr *formula_condition(struct sema *s, const struct formula_source *source)
{
	struct texpr *all = process_condition(s, source);
	all = conditional_and(s, all, formula_kept_known(s, source));
	if (source->when)
		all = conditional_and(s, all, condition_in(s, source, NULL, source->when));
	for (const struct formula_statement *t = source->statements; t; t = t->next)
		if (t->kind == FORMULA_DROP)
			all = conditional_and(
				s, all, conditional_not(s, condition_in(s, source, t, t->value)));
	return all;
}

void formula_load_check(struct sema *s, const struct formula_source *source,
			const struct formula_statement *t)
{
	struct context before = formula_enter(s, source, t);
	saved_key(s, t->value);
	formula_leave(s, before);
}

/* What T gives to F, or to the mark; deleted is 0. */
static struct texpr *saved_value(struct sema *s, const struct formula_statement *t,
				 const struct formula_field *f)
{
	if (f && t->kind == FORMULA_SAVE)
		return expression_value(s, f->value);
	return texpr_integer(s, t->kind == FORMULA_SAVE, intrinsic(s, INTRINSIC_INT), t->range);
}

static struct texpr *saved_assign(struct sema *s, struct texpr *to, struct texpr *value,
				  const char *name, struct range range)
{
	if (texpr_is_poison(to) || texpr_is_poison(value))
		return texpr_poison(s, range);
	if (!type_is_scalar(to->type))
		return mistake(s, range, D_OP_INCOMPAT,
			       "%s cannot be saved: a value that is kept is a number or a pointer, "
			       "not %s",
			       name, type_text(s, to->type));
	struct texpr *converted = convert_compatible(s, value, to->type);
	if (!converted)
		return mistake(s, range, D_OP_INCOMPAT, "%s has the type %s, but its value %s",
			       name, type_text(s, to->type), type_text(s, value->type));
	return texpr_assign(s, to, convert_scalar(s, converted, to->type), range);
}

struct texpr *formula_state(struct sema *s, const struct formula_source *source,
			    const struct formula_statement *t, const struct formula_field *f)
{
	struct context before = formula_enter(s, source, t);
	struct texpr *key = saved_key(s, t->value);
	struct texpr *to = saved_element(s, f ? f->name : "", key, t->range);
	struct texpr *e = saved_assign(s, to, saved_value(s, t, f), f ? f->name : "it", t->range);
	formula_leave(s, before);
	return e;
}

struct tstmt **formula_add_assignment(struct sema *s, struct tstmt **end, struct texpr *assignment)
{
	if (texpr_is_poison(assignment))
		return end;
	*end = tstmt_new(s, TSTMT_EXPRESSION, assignment->range);
	(*end)->expr = assignment;
	return &(*end)->next;
}
