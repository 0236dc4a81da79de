/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an expression of a clause will be, told at its begin (for steady_read.c)
 *
 * The survey comes through the clause in the order of its text.  Of each variable that the clause
 * assigns it keeps the assigned expression, put in terms of what is known at the begin, so that in
 * `this->p = arg1 + 8; n++; trace(copyinstr(this->p))` the address is arg1 + 8.  A variable that is
 * assigned in a condition is this or what it was.  What has an effect when it is asked, or answers
 * something else each time, is not known; nor is what was written through a pointer.
 *
 * All this is a good guess, no more: another CPU may change a global variable meanwhile.  A wrong
 * address costs a look, or a wait that was for nothing.
 */
#include "codegen/layout.h"

/* An expression that becomes larger than this is not known: they are put into each other. */
#define NODES_MAX 64

/* An assignment of the clause that is surveyed. */
struct store {
	struct steady value;
	const struct texpr *keys; /* of the element, or NULL */
	const struct store *before;
};

static const struct texpr *put(struct gen *g, const struct texpr *e, unsigned *nodes);

struct texpr *expression_copy(struct gen *g, const struct texpr *e)
{
	struct texpr *copy = arena_alloc(g->arena, sizeof(*copy));
	*copy = *e;
	copy->next = NULL;
	return copy;
}

/* *SIDE put in other terms; false: it cannot be. */
static bool put_side(struct gen *g, struct texpr **side, unsigned *nodes)
{
	*side = (struct texpr *)put(g, *side, nodes);
	return *side != NULL;
}

static bool put_list(struct gen *g, struct texpr **list, unsigned *nodes)
{
	for (struct texpr **e = list; *e; e = &(*e)->next) {
		struct texpr *next = (*e)->next;
		if (!put_side(g, e, nodes))
			return false;
		*e = expression_copy(g, *e);
		(*e)->next = next;
	}
	return true;
}

/* --- variables --- */

/* Surely the same value?  A and B are in terms of the clause's begin. */
static bool is_same(const struct texpr *a, const struct texpr *b)
{
	if (a->kind != b->kind || a->type != b->type)
		return false;
	switch (a->kind) {
	case TEXPR_INTEGER:
		return a->integer == b->integer;
	case TEXPR_STRING:
		return a->string.text && b->string.text && a->string.len == b->string.len &&
		       memcmp(a->string.text, b->string.text, a->string.len) == 0;
	case TEXPR_ARGUMENT:
		return a->argument.index == b->argument.index;
	case TEXPR_BUILTIN:
		return a->builtin == b->builtin;
	case TEXPR_VARIABLE:
		return a->variable == b->variable;
	case TEXPR_CONVERT:
		return is_same(a->operand, b->operand);
	case TEXPR_BINARY:
		return a->binary.op == b->binary.op && a->binary.is_signed == b->binary.is_signed &&
		       is_same(a->binary.left, b->binary.left) &&
		       is_same(a->binary.right, b->binary.right);
	default:
		return false;
	}
}

static bool are_same(const struct texpr *a, const struct texpr *b)
{
	while (a && b && is_same(a, b)) {
		a = a->next;
		b = b->next;
	}
	return !a && !b;
}

static bool is_constant(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER || (e->kind == TEXPR_STRING && e->string.text);
}

static bool surely_differ(const struct texpr *a, const struct texpr *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (is_constant(a) && is_constant(b) && a->type == b->type && !is_same(a, b))
			return true;
	}
	return false;
}

/* E is the variable V, or its element KEYS. */
static const struct texpr *put_stored(const struct variable *v, const struct texpr *keys,
				      const struct texpr *e, unsigned *nodes)
{
	const struct store *s = v->last;
	while (s && surely_differ(s->keys, keys))
		s = s->before;
	if (!s)
		return e;
	*nodes += s->value.nodes;
	return are_same(s->keys, keys) ? s->value.value : NULL;
}

static const struct texpr *put_variable(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	return put_stored(e->variable, NULL, expression_copy(g, e), nodes);
}

static const struct texpr *put_element(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = expression_copy(g, e);
	if (!put_list(g, &copy->element.keys, nodes))
		return NULL;
	return put_stored(e->element.variable, copy->element.keys, copy, nodes);
}

/* A part of a variable that the clause has not assigned. */
static const struct texpr *put_field(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	const struct variable *v = root_variable(e);
	struct texpr *copy = expression_copy(g, e);
	if (!v || v->last || !put_side(g, &copy->field.base, nodes) ||
	    (copy->field.index && !put_side(g, &copy->field.index, nodes)))
		return NULL;
	return copy;
}

/* --- memory and calls --- */

/* Does E point into what copyin() has brought? */
static bool is_copied(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_VARIABLE:
		return e->variable->last && e->variable->last->value.is_copied;
	case TEXPR_CONVERT:
		return is_copied(e->operand);
	case TEXPR_BINARY:
		return is_copied(e->binary.left) || is_copied(e->binary.right);
	case TEXPR_COMMA:
		return is_copied(e->binary.right);
	case TEXPR_CONDITIONAL:
		return is_copied(e->conditional.then) || is_copied(e->conditional.otherwise);
	case TEXPR_ASSIGN:
		return is_copied(e->assign.value);
	case TEXPR_CALL:
		return e->call.function == SUBROUTINE_copyin;
	default:
		return false;
	}
}

/* Nothing is copied while we look: what would be read of a copy is read where it comes from. */
static const struct texpr *put_load(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = expression_copy(g, e);
	copy->load.user |= is_copied(e->load.address);
	return put_side(g, &copy->load.address, nodes) ? copy : NULL;
}

/* Answers it the same when it is asked twice, and leaves nothing behind? */
static bool is_pure(enum subroutine function)
{
	switch (function) {
	case SUBROUTINE_basename:
	case SUBROUTINE_cleanpath:
	case SUBROUTINE_copyinstr:
	case SUBROUTINE_dirname:
	case SUBROUTINE_getf:
	case SUBROUTINE_getmajor:
	case SUBROUTINE_getminor:
	case SUBROUTINE_htonl:
	case SUBROUTINE_htonll:
	case SUBROUTINE_htons:
	case SUBROUTINE_index:
	case SUBROUTINE_json:
	case SUBROUTINE_lltostr:
	case SUBROUTINE_ntohl:
	case SUBROUTINE_ntohll:
	case SUBROUTINE_ntohs:
	case SUBROUTINE_progenyof:
	case SUBROUTINE_rindex:
	case SUBROUTINE_strchr:
	case SUBROUTINE_strjoin:
	case SUBROUTINE_strlen:
	case SUBROUTINE_strrchr:
	case SUBROUTINE_strstr:
	case SUBROUTINE_strtoll:
	case SUBROUTINE_substr:
	case SUBROUTINE_tolower:
	case SUBROUTINE_toupper:
		return true;
	default:
		return false;
	}
}

static const struct texpr *put_call(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	if (e->call.function == SUBROUTINE_copyin)
		return put(g, e->call.args, nodes);
	struct texpr *copy = expression_copy(g, e);
	return is_pure(e->call.function) && put_list(g, &copy->call.args, nodes) ? copy : NULL;
}

static bool is_steady_builtin(enum builtin_variable builtin)
{
	switch (builtin) {
	case BUILTIN_cpu:
	case BUILTIN_curthread:
	case BUILTIN_epid:
	case BUILTIN_execname:
	case BUILTIN_gid:
	case BUILTIN_id:
	case BUILTIN_pid:
	case BUILTIN_ppid:
	case BUILTIN_probefunc:
	case BUILTIN_probemod:
	case BUILTIN_probename:
	case BUILTIN_probeprov:
	case BUILTIN_tid:
	case BUILTIN_timestamp:
	case BUILTIN_uid:
		return true;
	default:
		return false;
	}
}

/* --- operators --- */

static const struct texpr *put_operand(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = expression_copy(g, e);
	return put_side(g, &copy->operand, nodes) ? copy : NULL;
}

static const struct texpr *put_binary(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = expression_copy(g, e);
	return put_side(g, &copy->binary.left, nodes) && put_side(g, &copy->binary.right, nodes)
		       ? copy
		       : NULL;
}

static const struct texpr *put_conditional(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = expression_copy(g, e);
	return put_side(g, &copy->conditional.condition, nodes) &&
			       put_side(g, &copy->conditional.then, nodes) &&
			       put_side(g, &copy->conditional.otherwise, nodes)
		       ? copy
		       : NULL;
}

/* What an update makes of its target. */
static const struct texpr *put_update(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *sum = expression_copy(g, e), *stored = expression_copy(g, e);
	sum->kind = TEXPR_BINARY;
	sum->binary.op = e->update.op;
	sum->binary.left = e->update.target;
	sum->binary.right = e->update.value;
	sum->binary.is_signed = e->update.is_signed;
	stored->kind = TEXPR_CONVERT; /* to the target's size */
	stored->operand = sum;
	return put(g, stored, nodes);
}

/* E in terms of what is known at the clause's begin; NULL: it cannot be told there. */
static const struct texpr *put(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	if (++*nodes > NODES_MAX)
		return NULL;
	switch (e->kind) {
	case TEXPR_INTEGER:
	case TEXPR_STRING:
	case TEXPR_ARGUMENT:
	case TEXPR_UREG:
		return expression_copy(g, e);
	case TEXPR_BUILTIN:
		return is_steady_builtin(e->builtin) ? expression_copy(g, e) : NULL;
	case TEXPR_VARIABLE:
		return put_variable(g, e, nodes);
	case TEXPR_ELEMENT:
		return put_element(g, e, nodes);
	case TEXPR_FIELD:
		return put_field(g, e, nodes);
	case TEXPR_LOAD:
	case TEXPR_STRING_AT:
		return put_load(g, e, nodes);
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
		return put_operand(g, e, nodes);
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
		return put_binary(g, e, nodes);
	case TEXPR_CONDITIONAL:
		return put_conditional(g, e, nodes);
	case TEXPR_COMMA:
		return put(g, e->binary.right, nodes);
	case TEXPR_ASSIGN:
		return put(g, e->assign.value, nodes);
	case TEXPR_UPDATE:
		return e->update.old ? put(g, e->update.target, nodes) : put_update(g, e, nodes);
	case TEXPR_CALL:
		return put_call(g, e, nodes);
	default:
		return NULL;
	}
}

/* --- what the survey tells ---------------------------------------------------------------------
 */

/* A number, a pointer or a text: what is known of it can stand for it. */
static bool is_plain(const struct type *type)
{
	return type_is_scalar(type) || type->kind == TYPE_STRING;
}

static struct steady steady_of(const struct texpr *value, unsigned nodes, bool copied)
{
	return (struct steady) { nodes <= NODES_MAX ? value : NULL, nodes, copied };
}

struct steady steady_value(struct gen *g, const struct texpr *e)
{
	unsigned nodes = 0;
	if (!g->at_entry || !e)
		return (struct steady) { 0 };
	const struct texpr *value = put(g, e, &nodes);
	return steady_of(value, nodes, is_copied(e));
}

struct steady steady_value_updated(struct gen *g, const struct texpr *update)
{
	unsigned nodes = 0;
	if (!g->at_entry)
		return (struct steady) { 0 };
	const struct texpr *value = put_update(g, update, &nodes);
	return steady_of(value, nodes, is_copied(update->update.target));
}

void steady_forget(struct gen *g)
{
	const struct typed_program *t = g->typed;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < t->variable_count[scope]; i++)
			t->variables[scope][i]->last = NULL;
}

/* VALUE where the conditions at hand hold, else what TARGET is before. */
static struct steady in_conditions(struct gen *g, const struct texpr *target, struct steady value)
{
	if (!g->conditions)
		return value;
	struct steady before = steady_value(g, target);
	for (const struct condition *c = g->conditions; c; c = c->outer) {
		if (!c->holds.value || !value.value || !before.value)
			return (struct steady) { 0 };
		struct texpr *either = expression_copy(g, target);
		either->kind = TEXPR_CONDITIONAL;
		either->conditional.condition = (struct texpr *)c->holds.value;
		either->conditional.then = (struct texpr *)value.value;
		either->conditional.otherwise = (struct texpr *)before.value;
		value = steady_of(either, 1 + c->holds.nodes + value.nodes + before.nodes,
				  value.is_copied);
	}
	return value;
}

void steady_assign(struct gen *g, const struct texpr *target, struct steady value)
{
	struct variable *v = root_variable(target);
	if (!g->at_entry || !v)
		return;
	bool is_whole = target->kind != TEXPR_FIELD && is_plain(v->type);
	struct texpr *keys = target->kind == TEXPR_ELEMENT ? target->element.keys : NULL;
	unsigned nodes = 0;
	struct store *store = arena_alloc(g->arena, sizeof(*store));
	*store = (struct store) { .before = v->last };
	if (is_whole)
		store->value = in_conditions(g, target, value);
	if (put_list(g, &keys, &nodes))
		store->keys = keys;
	v->last = store;
}

struct steady steady_denied(struct gen *g, struct steady value)
{
	if (!value.value)
		return value;
	struct texpr *denied = expression_copy(g, value.value);
	denied->kind = TEXPR_NOT;
	denied->operand = (struct texpr *)value.value;
	return steady_of(denied, value.nodes + 1, false);
}
