/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreach - the elements of an associative array, of all threads or of this one, or of an
 *           aggregation
 *
 *	foreach (k1, k2 in a) ...	a, self->a, @a
 *	foreach (self->x) ...		all threads that have it
 *
 * The names are bound to hidden this variables, which each pass gets from the element's key.  In
 * the body of foreach (k in @a), @a[k] is the value, over all CPUs: a number that is computed from
 * the words of the element (abi/aggregate.def).
 *
 * foreach (self->x) has a pass for each thread whose x is not zero.  In the body self-> is of that
 * thread, a copy, which is not written; pid, tid, execname, curthread and other names of a task are
 * of it, too, as in clauses whose formula names a task (formula.c).
 *
 * The kernel's table is walked, where the clause runs.  What the consumer does to values afterwards
 * is not in it: normalize(), and trunc(@a, n), with which foreach is refused.  Once the
 * consumer has read the record of a clear() or trunc(), firings begin again with other elements
 * (plan/analysis.c).
 */
#include "sema/clause/action.h"
#include "sema/name/name.h"

struct walked {
	const char *name; /* with its scope */
	const struct type *const *key_types;
	unsigned key_count;
	struct variable *array; /* or */
	struct aggregation *aggregation;
};

/* @a and self->x of END and tick- probes: elsewhere the walk would make others wait. */
static bool may_walk_all(const struct sema *s)
{
	for (unsigned i = 0; s->clause && i < s->clause->probe_count; i++) {
		const struct probe *p = s->clause->probes[i];
		bool is_end = string_equal(p->provider, "dtrace") && string_equal(p->name, "END");
		bool is_tick =
			string_equal(p->provider, "profile") && strncmp(p->name, "tick-", 5) == 0;
		if (!is_end && !is_tick)
			return false;
	}
	return true;
}

static bool foreach_aggregation(struct sema *s, const struct node *in, struct walked *ret)
{
	struct aggregation *a = aggregation_find(s, in->aggregation.name);
	const char *problem = NULL;
	if (in->aggregation.has_keys)
		problem = "the name of an aggregation without keys must follow in";
	else if (!a || !a->defined)
		problem = "nothing was aggregated in @%s so far";
	else if (!a->key_count)
		problem = "@%s has no keys: there is nothing to walk";
	else if (!may_walk_all(s))
		problem = "foreach over an aggregation is for END and tick- probes";
	else if (a->is_shortened)
		problem = "foreach does not see what trunc(@%s, n) removes: all is removed by "
			  "trunc(@%s)";
	if (problem) {
		diagnose(s->diagnostics, in->range, D_SYNTAX, problem, in->aggregation.name,
			 in->aggregation.name);
		return false;
	}
	a->is_walked = true;
	*ret = (struct walked) { arena_printf(s->arena, "@%s", a->name), a->key_types, a->key_count,
				 .aggregation = a };
	return true;
}

/* What foreach walks; false: a mistake. */
static bool foreach_walked(struct sema *s, const struct node *in, struct walked *ret)
{
	if (in->kind == NODE_AGGREGATION)
		return foreach_aggregation(s, in, ret);
	struct variable *v = NULL;
	if (in->kind == NODE_IDENT) {
		struct name name = name_read(s, in->ident.name);
		v = name.kind == NAME_VARIABLE ? name.variable : NULL;
	} else if (in->kind == NODE_SCOPED && in->ident.scope == SCOPE_SELF) {
		v = variable_read(s, SCOPE_SELF, in->ident.name);
	}
	if (!v || !v->is_array) {
		diagnose(s->diagnostics, in->range, D_IDENT_BADREF,
			 "the name of an associative array or of an aggregation must follow in");
		return false;
	}
	const char *text = variable_text(s, v->scope, v->name);
	*ret = (struct walked) { text, v->key_types, v->key_count, .array = v };
	return variable_use(s, v, in->range);
}

/* --- the value of an aggregation --- */

static struct texpr *aggregation_value(struct sema *s, const struct binding *b)
{
	const struct texpr *words = b->from;
	struct range range = words->range;
	struct texpr *first = variable_check(s, words->variable, range);
	const struct type *type = intrinsic(s, INTRINSIC_LONG);
	switch ((enum aggregate)b->number) {
	case AGGREGATE_AVG:
		return operator_arithmetic(
			s, OP_DIV, variable_check(s, words->next->variable, range), first, range);
	case AGGREGATE_MIN:
		return operator_arithmetic(s, OP_SUB, texpr_integer(s, INT64_MAX, type, range),
					   first, range);
	case AGGREGATE_MAX:
		return operator_arithmetic(s, OP_ADD, first,
					   texpr_integer(s, INT64_MIN, type, range), range);
	default:
		return first;
	}
}

static bool aggregation_has_number(enum aggregate function)
{
	return function == AGGREGATE_COUNT || function == AGGREGATE_SUM ||
	       function == AGGREGATE_AVG || function == AGGREGATE_MIN || function == AGGREGATE_MAX;
}

/* --- names --- */

static struct texpr *hidden_in_slot(struct sema *s, const struct type *type, struct range range)
{
	struct texpr *e = variable_hidden(s, type, range);
	if (!texpr_is_poison(e))
		e->variable->in_slot = true;
	return e;
}

static struct binding *name_bind(struct sema *s, const char *name, struct texpr *value)
{
	struct binding *b = ARENA_NEW(s->arena, struct binding);
	*b = (struct binding) {
		.next = (struct binding *)s->bindings, .name = name, .value = value, .cost = 1
	};
	s->bindings = b;
	return b;
}

/* The keys' names, bound to hidden variables; *FIRST: these, in order. */
static void foreach_bind(struct sema *s, const struct node *n, const struct walked *w,
			 struct texpr **first)
{
	const struct member_name *name = n->if_.names;
	for (unsigned i = 0; name && i < w->key_count; i++, name = name->next) {
		const struct type *type = key_type_wide(s, type_resolve(w->key_types[i]));
		struct texpr *key = hidden_in_slot(s, type, n->range);
		if (!type_is_scalar(type) && type->kind != TYPE_STRING)
			diagnose(s->diagnostics, n->range, D_PROTO_ARG,
				 "foreach has no keys that are %s%s", type_text(s, type),
				 w->aggregation ? ": printa() prints them" : "");
		if (texpr_is_poison(key))
			return;
		name_bind(s, name->name, key);
		*first = key;
		first = &key->next;
	}
}

/* The words of the value, and its name, @NAME, after those of the keys (is_value_of_pass()). */
static void foreach_bind_value(struct sema *s, const struct node *n, const struct walked *w,
			       struct texpr **words)
{
	const struct aggregation *a = w->aggregation;
	const struct type *type = intrinsic(s, INTRINSIC_LONG);
	*words = hidden_in_slot(s, type, n->range);
	(*words)->next = hidden_in_slot(s, type, n->range);
	if (!aggregation_has_number(a->function) || texpr_is_poison((*words)->next))
		return;
	struct binding *b = name_bind(s, w->name, NULL);
	b->make = aggregation_value;
	b->from = *words;
	b->number = a->function;
}

static unsigned count_names(const struct member_name *names)
{
	unsigned count = 0;
	for (; names; names = names->next)
		count++;
	return count;
}

/* --- threads --- */

/* The self variable of foreach (self->x); NULL: a mistake. */
static struct variable *foreach_variable(struct sema *s, const struct node *in)
{
	bool is_self = in->kind == NODE_SCOPED && in->ident.scope == SCOPE_SELF;
	struct variable *v = is_self ? variable_read(s, SCOPE_SELF, in->ident.name) : NULL;
	const char *problem = NULL;
	if (is_self && !v) {
		expression_check(s, in); /* which says so */
		return NULL;
	}
	if (!v)
		problem = "a self variable must follow, as in foreach (self->x)";
	else if (v->is_array)
		problem = "this is an array: foreach (KEY in self->a) walks those of this thread";
	else if (!type_is_scalar(v->type) && v->type->kind != TYPE_STRING)
		problem = "foreach (self->x) is for numbers, pointers and strings";
	else if (s->walked_task)
		problem = "foreach (self->x) cannot be in another one";
	else if (!may_walk_all(s))
		problem = "foreach (self->x) is for END and tick- probes";
	if (!problem)
		return variable_use(s, v, in->range) ? v : NULL;
	diagnose(s->diagnostics, in->range, D_SYNTAX, "%s", problem);
	return NULL;
}

static struct tstmt *foreach_thread(struct sema *s, const struct node *n)
{
	struct variable *v = foreach_variable(s, n->if_.condition);
	const struct type *task = library_type(s, "struct task_struct *", false);
	if (v && !task)
		diagnose(s->diagnostics, n->range, D_TYPE_ERR,
			 "foreach (self->x) needs the types of the kernel");
	if (!task)
		return NULL;
	struct tstmt *t = tstmt_new(s, TSTMT_LOOP, n->range);
	struct texpr *outside = s->walked_task;
	t->if_.array = v;
	t->if_.condition =
		v ? operator_comparison(s, OP_NE, variable_check(s, v, n->range),
					texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), n->range),
					n->range)
		  : texpr_poison(s, n->range);
	t->if_.keys = s->walked_task = hidden_in_slot(s, type_resolve(task), n->range);
	loop_body_check(s, n, t);
	s->walked_task = outside;
	return v ? t : NULL; /* the body assigns to variables that others read */
}

struct tstmt *foreach_check(struct sema *s, const struct node *n)
{
	if (!n->if_.names)
		return foreach_thread(s, n);
	struct walked w;
	if (!foreach_walked(s, n->if_.condition, &w))
		return NULL;
	unsigned count = count_names(n->if_.names);
	if (count != w.key_count) {
		diagnose(s->diagnostics, n->range, D_PROTO_LEN, "%s[] has %u key%s, not %u", w.name,
			 w.key_count, w.key_count == 1 ? "" : "s", count);
		return NULL;
	}
	struct tstmt *t = tstmt_new(s, TSTMT_LOOP, n->range);
	const struct binding *outside = s->bindings;
	t->if_.array = w.array;
	t->if_.aggregation = w.aggregation;
	t->if_.condition = texpr_integer(s, 1, intrinsic(s, INTRINSIC_INT), n->range);
	foreach_bind(s, n, &w, &t->if_.keys);
	if (w.aggregation)
		foreach_bind_value(s, n, &w, &t->if_.words);
	loop_body_check(s, n, t);
	s->bindings = outside;
	return t;
}
