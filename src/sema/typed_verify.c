/* SPDX-License-Identifier: BSD-2-Clause */
/* What sema/typed.h promises, held against a typed program: the first promise that is broken */
#include "sema/typed.h"

struct verify {
	const struct typed_program *program;
	unsigned loops;	      /* around the statement */
	unsigned last_number; /* of the clause's statements so far */
	struct range range;   /* of the statement or expression that is being verified */
	struct error *err;    /* the first; later ones are not reported */
};

#define holds(v, it, range, ...) error_unless(&(v)->err, it, (range).line, __VA_ARGS__)

static void texpr_verify(void *verify, const struct texpr *e);

/* --- variables and aggregations ----------------------------------------------------- */

static bool is_of_program(const struct typed_program *p, const struct variable *x)
{
	return x && x->scope <= SCOPE_THIS && x->index < p->variable_count[x->scope] &&
	       p->variables[x->scope][x->index] == x;
}

static bool aggregation_is_of_program(const struct typed_program *p, const struct aggregation *a)
{
	return a && a->index < p->aggregation_count && p->aggregations[a->index] == a;
}

static bool is_storable(const struct type *type)
{
	return type && type_resolve(type) == type &&
	       (type_is_scalar(type) || type_is_string(type) || type_is_struct(type) ||
		type->kind == TYPE_INTEGER || type->kind == TYPE_FLOAT || type->kind == TYPE_ARRAY);
}

static void verify_variable(struct verify *v, const struct variable *x, enum scope scope,
			    unsigned index)
{
	const struct range none = { 0 };
	if (!x->used) /* a declaration alone is nothing to compile */
		return;
	holds(v, x->scope == scope && x->index == index, none,
	      "variable %s: it is not at its index", x->name);
	holds(v, is_storable(x->type), none, "variable %s: its type cannot be stored", x->name);
	holds(v, x->is_array == (x->key_count > 0), none,
	      "variable %s: keys and arrays belong together", x->name);
}

static bool weights_fit(const struct aggregation *a)
{
	return !a->weighted || aggregate_row(a->function)->is_histogram;
}

static void aggregation_verify(struct verify *v, const struct aggregation *a, unsigned index)
{
	holds(v, a->index == index, a->range, "aggregation @%s is not at its index", a->name);
	holds(v, a->function < AGGREGATE_KINDS, a->range, "@%s has no function", a->name);
	holds(v, weights_fit(a), a->range, "@%s has weights and is not a histogram", a->name);
	if (a->function == AGGREGATE_LQUANTIZE)
		holds(v, !a->defined || (a->step && a->levels), a->range,
		      "@%s: lquantize() needs a step and levels", a->name);
	if (a->function == AGGREGATE_LLQUANTIZE)
		holds(v,
		      !a->defined || (a->ll.factor > 1 && a->ll.steps && a->ll.low <= a->ll.high),
		      a->range, "@%s: llquantize() has impossible parameters", a->name);
}

/* --- expressions -------------------------------------------------------------------- */

static bool op_is_comparison(enum op op)
{
	return op >= OP_LT && op <= OP_NE;
}

static bool op_is_arithmetic(enum op op)
{
	return op >= OP_ADD && op <= OP_XOR;
}

static bool is_number(const struct texpr *e)
{
	return e && e->type && type_is_scalar(e->type);
}

static bool is_string(const struct texpr *e)
{
	return e && e->type && e->type->kind == TYPE_STRING;
}

/* Is it in memory: an lvalue, or the result of a struct's assignment? */
static bool has_place(const struct texpr *e)
{
	return texpr_is_lvalue(e) || (e->kind == TEXPR_ASSIGN && type_is_struct(e->type));
}

static unsigned count_of(const struct texpr *list)
{
	unsigned count = 0;
	for (; list; list = list->next)
		count++;
	return count;
}

static unsigned verify_list(struct verify *v, const struct texpr *list)
{
	for (const struct texpr *e = list; e; e = e->next)
		texpr_verify(v, e);
	return count_of(list);
}

static void verify_variable_use(struct verify *v, const struct texpr *e)
{
	bool is_element = e->kind == TEXPR_ELEMENT;
	const struct variable *x = is_element ? e->element.variable : e->variable;
	if (!holds(v, is_of_program(v->program, x), e->range,
		   "a variable is used that is not of the program"))
		return;
	holds(v, x->is_array == is_element, e->range, "%s: %s", x->name,
	      x->is_array ? "an array is used without keys" : "a scalar is used with keys");
	if (is_element)
		holds(v, count_of(e->element.keys) == x->key_count, e->range,
		      "%s[]: the number of keys is not that of its declaration", x->name);
}

static void texpr_verify_field(struct verify *v, const struct texpr *e)
{
	const struct texpr *base = e->field.base;
	if (!holds(v, texpr_is_lvalue(base) && base->kind != TEXPR_LOAD, e->range,
		   "a field is part of something that is not a variable"))
		return;
	uint64_t size = e->field.bit_size
				? ((unsigned)e->field.bit_offset + e->field.bit_size + 7) / 8
				: type_size(e->type);
	uint64_t count = e->field.index ? e->field.count : 1;
	uint64_t end = e->field.offset + (count ? (count - 1) * e->field.stride : 0) + size;
	holds(v, end <= ALIGN_UP(type_size(base->type), 8), e->range,
	      "a field ends after its variable");
	holds(v, e->field.bit_size <= 64, e->range, "a bit-field is wider than a word");
	if (e->field.index) {
		holds(v, e->field.stride, e->range, "elements of an array have no size");
		holds(v, is_number(e->field.index), e->range, "an index is not a number");
	}
}

static void verify_binary(struct verify *v, const struct texpr *e)
{
	const struct texpr *left = e->binary.left, *right = e->binary.right;
	enum op op = e->binary.op;
	switch (e->kind) {
	case TEXPR_LOGICAL:
		holds(v, op >= OP_LAND && op <= OP_LXOR, e->range, "a logical operator is not one");
		holds(v, is_number(left) && is_number(right), e->range,
		      "an operand of a logical operator is not a number");
		break;
	case TEXPR_COMPARE_STRINGS:
		holds(v, op_is_comparison(op), e->range,
		      "strings are not compared but computed with");
		holds(v, is_string(left) && is_string(right), e->range,
		      "something that is not a string is compared with one");
		break;
	case TEXPR_COMMA:
		break;
	default:
		holds(v, op_is_arithmetic(op) || op_is_comparison(op), e->range,
		      "a binary operator is neither arithmetic nor a comparison");
		holds(v, is_number(left) && is_number(right), e->range,
		      "an operand is not a number");
		bool faults = (op == OP_DIV || op == OP_MOD) && right->integer == 0;
		holds(v, left->kind != TEXPR_INTEGER || right->kind != TEXPR_INTEGER || faults,
		      e->range, "an operator of constants is not folded");
	}
}

static void verify_unary(struct verify *v, const struct texpr *e)
{
	if (e->kind == TEXPR_CONVERT) {
		holds(v, type_is_scalar(e->type), e->range,
		      "a conversion is to something that is not a number");
		holds(v, is_number(e->operand) || is_string(e->operand), e->range,
		      "something that is not a number is converted");
		holds(v, e->operand->kind != TEXPR_INTEGER, e->range,
		      "the conversion of a constant is not folded");
		return;
	}
	holds(v, is_number(e->operand), e->range, "an operand is not a number");
	holds(v, e->operand->kind != TEXPR_INTEGER, e->range,
	      "an operator of a constant is not folded");
}

/* May VALUE be stored to an lvalue of TYPE? */
static bool lvalue_takes(const struct type *type, const struct texpr *value)
{
	if (value->kind == TEXPR_INTEGER && value->integer == 0)
		return true;
	if (type->kind == TYPE_STRING)
		return is_string(value);
	if (type->kind == TYPE_ARRAY)
		return is_string(value) || value->type->kind == TYPE_ARRAY;
	if (type_is_scalar(type))
		return is_number(value);
	return type_size(type) == type_size(value->type); /* structs, and what D only copies */
}

static void verify_assign(struct verify *v, const struct texpr *e)
{
	bool updates = e->kind == TEXPR_UPDATE;
	const struct texpr *target = updates ? e->update.target : e->assign.target;
	const struct texpr *value = updates ? e->update.value : e->assign.value;
	holds(v, texpr_is_lvalue(target), e->range,
	      "something is assigned to that is not an lvalue");
	holds(v, lvalue_takes(target->type, value), e->range,
	      "a value is not converted to its target");
	if (updates) {
		holds(v, op_is_arithmetic(e->update.op), e->range,
		      "a variable is updated by an operator that is not arithmetic");
		holds(v, is_number(target), e->range, "something is updated that is not a number");
	}
}

static void verify_conditional(struct verify *v, const struct texpr *e)
{
	holds(v, is_number(e->conditional.condition), e->range, "a condition is not a number");
	holds(v,
	      is_string(e) == is_string(e->conditional.then) &&
		      is_string(e) == is_string(e->conditional.otherwise),
	      e->range, "only one side of a conditional is a string");
}

static void verify_call(struct verify *v, const struct texpr *e)
{
	holds(v, e->call.function < SUBROUTINE_COUNT, e->range, "there is no such subroutine");
	holds(v, count_of(e->call.args) == e->call.count, e->range,
	      "a call has not as many arguments as it says");
}

static void texpr_verify_kind(struct verify *v, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_INTEGER:
	case TEXPR_UREG:
		holds(v, type_is_scalar(e->type), e->range, "a number has not the type of one");
		break;
	case TEXPR_STRING:
		holds(v, is_string(e), e->range, "a literal is not of type string");
		break;
	case TEXPR_BUILTIN:
		holds(v, e->builtin < BUILTIN_COUNT, e->range,
		      "there is no such built-in variable");
		break;
	case TEXPR_ARGUMENT:
		holds(v, e->argument.index < EVENT_ARGS, e->range,
		      "no probe has so many arguments");
		break;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
		verify_variable_use(v, e);
		break;
	case TEXPR_FIELD:
		texpr_verify_field(v, e);
		break;
	case TEXPR_LOAD:
		holds(v, e->load.bit_size <= 64, e->range, "a bit-field is wider than a word");
		break;
	case TEXPR_STRING_AT:
		holds(v, is_string(e), e->range, "a text at an address is not of type string");
		break;
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
		verify_unary(v, e);
		break;
	case TEXPR_ADDRESS:
		holds(v, has_place(e->operand), e->range,
		      "the address is wanted of something that is not an lvalue");
		break;
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_COMMA:
		verify_binary(v, e);
		break;
	case TEXPR_CONDITIONAL:
		verify_conditional(v, e);
		break;
	case TEXPR_ASSIGN:
	case TEXPR_UPDATE:
		verify_assign(v, e);
		break;
	case TEXPR_CALL:
		verify_call(v, e);
		break;
	case TEXPR_STACK:
		holds(v, e->type->kind == TYPE_STACK, e->range, "a stack is not of type stack");
		break;
	case TEXPR_SYMBOL:
		holds(v, value_kind_is_symbol(e->symbol.kind), e->range,
		      "a symbol is of no kind that symbols have");
		break;
	case TEXPR_TRANSLATED:
		holds(v, false, e->range, "a translated value is left over");
		break;
	}
}

/* Parts first: what is verified of E relies on theirs. */
static void texpr_verify(void *verify, const struct texpr *e)
{
	struct verify *v = verify;
	if (v->err || !holds(v, e, v->range, "a part of an expression is missing") ||
	    !holds(v, e->type, e->range, "an expression has no type"))
		return;
	struct range outer = v->range;
	v->range = e->range;
	holds(v, e->type->kind != TYPE_POISON, e->range, "a mistake is left over");
	holds(v, type_resolve(e->type) == e->type, e->range, "a type is not resolved");
	texpr_each_part(e, texpr_verify, v);
	if (!v->err)
		texpr_verify_kind(v, e);
	v->range = outer;
}

/* --- statements and clauses --------------------------------------------------------- */

static void tstmts_verify(struct verify *v, const struct tstmt *list);

static void action_verify(struct verify *v, const struct tstmt *s)
{
	holds(v, verify_list(v, s->action.args) == s->action.count, s->range,
	      "an action has not as many arguments as it says");
	for (unsigned i = 0; i < s->action.aggregation_count; i++)
		holds(v, aggregation_is_of_program(v->program, s->action.aggregations[i]), s->range,
		      "an action is for an aggregation that is not of the program");
	if (s->action.kind == ACTION_PRINTF)
		holds(v, s->action.format, s->range, "printf() has no format");
	if (s->action.kind == ACTION_PRINT)
		holds(v, s->action.type, s->range, "print() does not know its type");
}

static void verify_aggregate(struct verify *v, const struct tstmt *s)
{
	const struct aggregation *a = s->aggregate.aggregation;
	if (!holds(v, aggregation_is_of_program(v->program, a), s->range,
		   "an aggregation is used that is not of the program"))
		return;
	holds(v, a->defined, s->range, "@%s gets a value and has no function", a->name);
	holds(v, verify_list(v, s->aggregate.keys) == a->key_count, s->range,
	      "@%s[]: the number of keys is not that of its first use", a->name);
	holds(v, (s->aggregate.value == NULL) == !aggregate_row(a->function)->most, s->range,
	      "@%s: count() alone takes no value", a->name);
	holds(v, !s->aggregate.weight || a->weighted, s->range,
	      "@%s: a statement gives a weight that the aggregation does not have", a->name);
	if (s->aggregate.value)
		texpr_verify(v, s->aggregate.value);
	if (s->aggregate.weight)
		texpr_verify(v, s->aggregate.weight);
}

static void tstmt_verify(struct verify *v, const struct tstmt *s)
{
	holds(v, s->number > v->last_number, s->range,
	      "statements are not numbered in their order");
	v->last_number = s->number;
	v->range = s->range;
	switch (s->kind) {
	case TSTMT_EXPRESSION:
		texpr_verify(v, s->expr);
		break;
	case TSTMT_BREAK:
	case TSTMT_CONTINUE:
		holds(v, v->loops, s->range, "a loop is left outside of loops");
		break;
	case TSTMT_LOOP:
	case TSTMT_IF:
		v->loops += s->kind == TSTMT_LOOP;
		if (s->kind == TSTMT_LOOP && s->if_.array)
			holds(v,
			      verify_list(v, s->if_.keys) ==
				      (tstmt_walks_threads(s) ? 1 : s->if_.array->key_count),
			      s->range, "foreach has not the keys of its array");
		if (s->kind == TSTMT_LOOP && s->if_.aggregation)
			holds(v,
			      verify_list(v, s->if_.keys) == s->if_.aggregation->key_count &&
				      verify_list(v, s->if_.words) == 2,
			      s->range, "foreach has not the keys and words of its aggregation");
		texpr_verify(v, s->if_.condition);
		holds(v, is_number(s->if_.condition), s->range, "a condition is not a number");
		tstmts_verify(v, s->if_.then);
		tstmts_verify(v, s->if_.otherwise);
		v->loops -= s->kind == TSTMT_LOOP;
		break;
	case TSTMT_ACTION:
		action_verify(v, s);
		break;
	case TSTMT_AGGREGATE:
		verify_aggregate(v, s);
		break;
	case TSTMT_SPECULATION:
		texpr_verify(v, s->speculation.id);
		break;
	}
}

static void tstmts_verify(struct verify *v, const struct tstmt *list)
{
	for (const struct tstmt *s = list; s && !v->err; s = s->next)
		tstmt_verify(v, s);
}

static void tclause_verify(struct verify *v, const struct tclause *c, unsigned index)
{
	holds(v, c->index == index, c->range, "a clause is not at its index");
	for (unsigned i = 0; i < c->probe_count; i++)
		holds(v, c->probes[i] && c->probes[i]->id, c->range, "a probe has no id");
	if (c->predicate) {
		texpr_verify(v, c->predicate);
		holds(v, is_number(c->predicate), c->range, "a predicate is not a number");
	}
	v->last_number = 0;
	tstmts_verify(v, c->body);
}

struct error *typed_verify(const struct typed_program *p)
{
	struct verify v = { .program = p };
	for (unsigned scope = 0; scope < ARRAY_SIZE(p->variables); scope++)
		for (unsigned i = 0; i < p->variable_count[scope]; i++)
			verify_variable(&v, p->variables[scope][i], scope, i);
	for (unsigned i = 0; i < p->aggregation_count; i++)
		aggregation_verify(&v, p->aggregations[i], i);
	for (unsigned i = 0; i < p->clause_count && !v.err; i++)
		tclause_verify(&v, p->clauses[i], i);
	return v.err;
}
