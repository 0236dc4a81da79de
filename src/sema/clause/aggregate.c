/* SPDX-License-Identifier: BSD-2-Clause */
/* aggregate - @name[keys] = function(arguments) */
#include "sema/clause/action.h"

struct aggregation *aggregation_find(struct sema *s, const char *name)
{
	return hash_get_string(s->aggregation_names, name);
}

static struct aggregation *aggregation_place(struct sema *s, const struct node *n)
{
	struct aggregation *a = aggregation_find(s, n->aggregation.name);
	if (a)
		return a;
	if (s->aggregations.count >= VARIABLES_MAX) {
		diagnose(s->diagnostics, n->range, D_ID_OFLOW, "there are too many aggregations");
		return NULL;
	}
	a = ARENA_NEW(s->arena, struct aggregation);
	a->name = arena_strdup(s->arena, n->aggregation.name);
	a->range = n->range;
	a->index = (unsigned)s->aggregations.count;
	vector_push(&s->aggregations, a);
	hash_put_string(s->aggregation_names, a->name, a);
	return a;
}

/* --- parameters --- */

struct parameter {
	const char *what;
	int64_t low, high;
	/*
	 * Tags: for types other than integers; for integers that are not constant; for other
	 * numbers.
	 */
	enum diagnostic_tag kind_tag, type_tag, value_tag;
};

/* A step of 0 or less is of the wrong type: that must be a positive constant. */
static enum diagnostic_tag number_tag(const struct parameter *p, int64_t value)
{
	return p->low == 1 && value < 1 ? p->type_tag : p->value_tag;
}

static bool parameter_check(struct sema *s, const struct node *n, const struct parameter *p,
			    int64_t *ret)
{
	struct texpr *e = expression_argument(s, n, p->kind_tag);
	e = expression_operand(s, expression_plain(s, e, D_OP_DYN));
	if (texpr_is_poison(e))
		return false;
	bool is_integer = type_is_integer(e->type);
	if (e->kind != TEXPR_INTEGER || !is_integer) {
		diagnose(s->diagnostics, n->range, is_integer ? p->type_tag : p->kind_tag,
			 "the %s must be an integer constant", p->what);
		return false;
	}
	*ret = e->integer;
	if (*ret >= p->low && *ret <= p->high)
		return true;
	diagnose(s->diagnostics, n->range, number_tag(p, *ret),
		 "the %s is %lld, but must be from %lld to %lld", p->what, (long long)*ret,
		 (long long)p->low, (long long)p->high);
	return false;
}

static bool parameters_check(struct sema *s, const struct node *args, const struct parameter *list,
			     unsigned count, int64_t *values)
{
	bool good = true;
	for (unsigned i = 0; i < count && args; i++, args = args->next)
		good &= parameter_check(s, args, &list[i], &values[i]);
	return good;
}

static bool same_parameter(struct sema *s, struct range range, int64_t now, int64_t before,
			   enum diagnostic_tag tag, const char *what)
{
	if (now == before)
		return true;
	diagnose(s->diagnostics, range, tag, "the %s is %lld here, but was %lld before", what,
		 (long long)now, (long long)before);
	return false;
}

#define LQUANTIZE_LEVELS_MAX 65535

static bool parameters_lquantize(struct sema *s, const struct node *n, const struct node *args,
				 struct aggregation *a)
{
	static const struct parameter list[] = {
		{ "base", INT32_MIN, INT32_MAX, D_PROTO_ARG, D_LQUANT_BASETYPE, D_LQUANT_BASEVAL },
		{ "limit", INT32_MIN, INT32_MAX, D_PROTO_ARG, D_LQUANT_LIMTYPE, D_LQUANT_LIMVAL },
		{ "step", 1, UINT16_MAX, D_LQUANT_STEPTYPE, D_LQUANT_STEPTYPE, D_LQUANT_STEPVAL },
	};
	int64_t values[3] = { 0, 0, 1 };
	if (!parameters_check(s, args, list, 3, values))
		return false;
	int64_t base = values[0], limit = values[1], step = values[2];
	int64_t levels = (limit - base) / step;
	if (base >= limit)
		diagnose(s->diagnostics, n->range, D_LQUANT_MISMATCH,
			 "the base %lld is not below the limit %lld", (long long)base,
			 (long long)limit);
	else if (levels == 0)
		diagnose(s->diagnostics, n->range, D_LQUANT_STEPLARGE,
			 "the step %lld is too large: there is no level", (long long)step);
	else if (levels > LQUANTIZE_LEVELS_MAX)
		diagnose(s->diagnostics, n->range, D_LQUANT_STEPSMALL,
			 "the step %lld is too small: there are %lld levels, but at most %d are "
			 "possible",
			 (long long)step, (long long)levels, LQUANTIZE_LEVELS_MAX);
	if (base >= limit || levels == 0 || levels > LQUANTIZE_LEVELS_MAX)
		return false;
	if (a->defined)
		return same_parameter(s, n->range, base, a->base, D_LQUANT_MATCHBASE, "base") &&
		       same_parameter(s, n->range, limit, a->limit, D_LQUANT_MATCHLIM, "limit") &&
		       same_parameter(s, n->range, step, a->step, D_LQUANT_MATCHSTEP, "step");
	a->base = base;
	a->limit = limit;
	a->step = (uint32_t)step;
	a->levels = (uint32_t)levels;
	return true;
}

/* BASE to the power of EXPONENT, or UINT64_MAX when that does not fit. */
static uint64_t power(uint64_t base, uint64_t exponent)
{
	uint64_t result = 1;
	while (exponent--)
		if (__builtin_mul_overflow(result, base, &result))
			return UINT64_MAX;
	return result;
}

/* Do steps divide a magnitude evenly, by Solaris' rule or by Oracle's? */
static bool steps_are_even(uint64_t factor, uint64_t low, uint64_t steps)
{
	if (steps < factor)
		return factor % steps == 0;
	uint64_t span = power(factor, low > 0 ? low + 1 : 2);
	if (steps % factor == 0 && span % steps == 0)
		return true;
	/* Solaris: the factor divides the steps, which divide some power of it */
	uint64_t p = factor;
	while (p < steps && p <= UINT64_MAX / factor)
		p *= factor;
	return steps % factor == 0 && p % steps == 0;
}

static bool llquantize_relations(struct sema *s, const struct node *n, const int64_t *v)
{
	uint64_t factor = (uint64_t)v[0], low = (uint64_t)v[1], high = (uint64_t)v[2];
	if (low > high) {
		diagnose(s->diagnostics, n->range, D_LLQUANT_HMAGVAL,
			 "the high magnitude %lld is below the low one %lld", (long long)high,
			 (long long)low);
		return false;
	}
	if (power(factor, high + 1) == UINT64_MAX) {
		diagnose(s->diagnostics, n->range, D_LLQUANT_HMAGVAL,
			 "the high magnitude is too large: %lld to the power of %lld does not fit "
			 "64 bits",
			 (long long)factor, (long long)high + 1);
		return false;
	}
	if (!steps_are_even(factor, low, (uint64_t)v[3])) {
		diagnose(s->diagnostics, n->range, D_LLQUANT_STEPVAL,
			 "%lld steps do not divide a magnitude of factor %lld evenly",
			 (long long)v[3], (long long)factor);
		return false;
	}
	return true;
}

static bool parameters_llquantize(struct sema *s, const struct node *n, const struct node *args,
				  struct aggregation *a)
{
	static const struct parameter list[] = {
		{ "factor", 2, UINT16_MAX, D_PROTO_ARG, D_LLQUANT_FACTORTYPE, D_LLQUANT_FACTORVAL },
		{ "low magnitude", 0, UINT16_MAX, D_PROTO_ARG, D_LLQUANT_LMAGTYPE,
		  D_LLQUANT_LMAGVAL },
		{ "high magnitude", 0, UINT16_MAX, D_PROTO_ARG, D_LLQUANT_HMAGTYPE,
		  D_LLQUANT_HMAGVAL },
		{ "number of steps", 1, UINT16_MAX, D_PROTO_ARG, D_LLQUANT_STEPTYPE,
		  D_LLQUANT_STEPVAL },
	};
	int64_t v[4];
	if (!parameters_check(s, args, list, 4, v) || !llquantize_relations(s, n, v))
		return false;
	if (a->defined)
		return same_parameter(s, n->range, v[0], a->ll.factor, D_LLQUANT_MATCHFACTOR,
				      "factor") &&
		       same_parameter(s, n->range, v[1], a->ll.low, D_LLQUANT_MATCHLMAG,
				      "low magnitude") &&
		       same_parameter(s, n->range, v[2], a->ll.high, D_LLQUANT_MATCHHMAG,
				      "high magnitude") &&
		       same_parameter(s, n->range, v[3], a->ll.steps, D_LLQUANT_MATCHSTEPS,
				      "number of steps");
	a->ll = (struct llquantize) { (uint16_t)v[0], (uint16_t)v[1], (uint16_t)v[2],
				      (uint16_t)v[3] };
	return true;
}

/* --- arguments --- */

typedef bool parameters_fn(struct sema *s, const struct node *call, const struct node *args,
			   struct aggregation *a);

#define parameters_none NULL
#define parameters_quantize NULL
static parameters_fn *const parameters_of[] = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	parameters_##buckets,
#include "abi/aggregate.def"
#undef AGGREGATE
};

static const struct node *nth(const struct node *list, unsigned n)
{
	while (list && n--)
		list = list->next;
	return list;
}

static bool scalar_check(struct sema *s, const struct node *n, const char *what, struct texpr **ret)
{
	struct texpr *e = expression_argument(s, n, D_AGG_SCALAR);
	e = expression_operand(s, expression_plain(s, e, D_OP_DYN));
	if (!type_is_scalar(e->type))
		e = mistake(s, n->range, D_AGG_SCALAR,
			    "the %s to aggregate must be scalar, not %s%s", what,
			    type_text(s, e->type), real_advice(e->type));
	*ret = convert_whole(s, e);
	return !texpr_is_poison(e);
}

static bool arguments_check(struct sema *s, const struct node *call, enum aggregate function,
			    struct tstmt *t)
{
	const struct aggregate_row *row = aggregate_row(function);
	const struct node *args = call->call.args;
	unsigned given = node_count(args);
	if (given < row->least || given > row->most) {
		diagnose(s->diagnostics, call->range, D_PROTO_LEN, "%s() takes %s, not %u",
			 row->name, arguments_text(s, row->least, row->most), given);
		return false;
	}
	bool good = true;
	if (args)
		good = scalar_check(s, args, "value", &t->aggregate.value);
	const struct node *weight = nth(args, 1 + row->parameters);
	if (weight)
		good &= scalar_check(s, weight, "weight", &t->aggregate.weight);
	struct aggregation *a = t->aggregate.aggregation;
	a->weighted |= weight != NULL;
	if (parameters_of[function])
		good &= parameters_of[function](s, call, args->next, a);
	return good;
}

/* --- the statement --- */

/* In `tick-1()` a number is called. */
static bool calls_no_name(struct sema *s, const struct node *n)
{
	while (n->kind == NODE_BINARY)
		n = n->binary.right;
	if (n->kind != NODE_CALL || n->call.callee->kind == NODE_IDENT)
		return false;
	subroutine_call(s, n);
	return true;
}

static bool aggregation_function(struct sema *s, const struct node *n, enum aggregate *ret)
{
	const char *name = n->assign.left->aggregation.name;
	const struct node *call = n->assign.right;
	if (n->assign.op == OP_NONE && call->kind == NODE_CALL &&
	    call->call.callee->kind == NODE_IDENT &&
	    aggregator_find(call->call.callee->ident.name, ret))
		return version_check_call(s, call);
	if (n->assign.op == OP_NONE && call->kind == NODE_CALL && !subroutine_is_known(call)) {
		subroutine_call(s, call);
		return false;
	}
	if (calls_no_name(s, call))
		return false;
	if (n->assign.op == OP_ADD) {
		diagnose(s->diagnostics, n->range, D_AGG_FUNC,
			 "+= does not change aggregations: write @%s%s = sum(...)", name,
			 n->assign.left->aggregation.keys ? "[...]" : "");
		return false;
	}
	diagnose(s->diagnostics, n->range, D_AGG_FUNC,
		 "only an aggregating function may be assigned to @%s: a variable is written "
		 "without @, as self->%s, which each thread has, or %s",
		 name, name, name);
	return false;
}

static bool aggregation_bind(struct sema *s, struct aggregation *a, enum aggregate function,
			     struct range range)
{
	if (!a->defined || a->function == function) {
		a->function = function;
		return true;
	}
	diagnose(s->diagnostics, range, D_AGG_REDEF, "@%s is aggregated by %s() already, not %s()",
		 a->name, aggregate_row(a->function)->name, aggregate_row(function)->name);
	return false;
}

/* The code of an aggregation computes its value and weight before its keys. */
static void keys_first(struct sema *s, struct tstmt *t)
{
	struct texpr *first = NULL, **value = &t->aggregate.value;
	if (*value)
		t->aggregate.keys = order_keys(s, t->aggregate.keys, *value, &first);
	if (t->aggregate.weight)
		t->aggregate.keys = order_keys(s, t->aggregate.keys, t->aggregate.weight, &first);
	if (first)
		*value = value_after(s, first, *value);
}

/* This is the first use of A's keys: later ones may be wider. */
static void columns_note(struct sema *s, struct aggregation *a)
{
	a->column_types = arena_alloc(s->arena, (a->key_count + 1) * sizeof(*a->column_types));
	for (unsigned i = 0; i < a->key_count; i++)
		a->column_types[i] = a->key_types[i];
}

static struct tstmt *assignment_check(struct sema *s, const struct node *n)
{
	const struct node *left = n->assign.left;
	enum aggregate function;
	if (!aggregation_function(s, n, &function))
		return NULL;
	if (left->aggregation.many_indexes) {
		diagnose(s->diagnostics, left->range, D_AGG_MDIM,
			 "@%s has several indexes: write its keys in one, as in @a[x, y]",
			 left->aggregation.name);
		return NULL;
	}
	struct aggregation *a = aggregation_place(s, left);
	if (!a || !aggregation_bind(s, a, function, n->range))
		return NULL;
	struct tstmt *t = tstmt_new(s, TSTMT_AGGREGATE, n->range);
	t->aggregate.aggregation = a;
	bool bad = false;
	unsigned effects = s->effects;
	const char *what = arena_printf(s->arena, "@%s", a->name);
	t->aggregate.keys = keys_check(s, left->aggregation.keys, what, &a->key_types,
				       &a->key_count, false, &bad, left->range);
	if (!a->column_types)
		columns_note(s, a);
	bool good = arguments_check(s, n->assign.right, function, t);
	a->defined = true;
	if (!good || bad)
		return NULL;
	if (s->effects != effects)
		keys_first(s, t);
	return t;
}

struct tstmt *aggregate_check(struct sema *s, const struct node *n)
{
	struct tstmt *t = assignment_check(s, n);
	if (t)
		rule_note(s, RULE_AGGREGATE, n->range);
	return t;
}
