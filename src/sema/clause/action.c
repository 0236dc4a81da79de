/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * action - the statements that record data and control the consumer
 *
 * One function for each kind of action; the names are in builtin.def.  This file has the order of
 * statements and the actions on values; their arguments are in expression/action_value.c, printa()
 * and other actions on aggregations in action_aggregation.c, print() and other memory in
 * action_memory.c, system() and similar ones in action_command.c.
 */
#include "sema/clause/action.h"

/* --- order of statements --- */

static const struct {
	enum rule_event now, before;
	enum diagnostic_tag tag;
	const char *text;
} rules[] = {
	{ RULE_COMMIT, RULE_RECORD | RULE_AGGREGATE, D_COMM_DREC,
	  "commit() must not follow an action that records data" },
	{ RULE_SPECULATE, RULE_SPECULATE, D_SPEC_SPEC, "speculate() must not follow speculate()" },
	{ RULE_SPECULATE, RULE_COMMIT, D_SPEC_COMM, "speculate() must not follow commit()" },
	{ RULE_SPECULATE, RULE_RECORD | RULE_AGGREGATE, D_SPEC_DREC,
	  "speculate() must not follow an action that records data" },
	{ RULE_AGGREGATE, RULE_COMMIT, D_AGG_COMM, "an aggregation must not follow commit()" },
	{ RULE_AGGREGATE, RULE_SPECULATE, D_AGG_SPEC,
	  "an aggregation must not follow speculate()" },
	{ RULE_DESTRUCTIVE, RULE_SPECULATE, D_ACT_SPEC,
	  "a destructive action must not follow speculate()" },
	{ RULE_EXIT, RULE_SPECULATE, D_EXIT_SPEC, "exit() must not follow speculate()" },
	{ RULE_RECORD | RULE_EXIT, RULE_COMMIT, D_DREC_COMM,
	  "an action that records data must not follow commit()" },
};

void rule_note(struct sema *s, unsigned event, struct range range)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if ((rules[i].now & event) && (rules[i].before & s->done))
			diagnose(s->diagnostics, range, rules[i].tag, "%s", rules[i].text);
	s->result.destructive |= (event & RULE_DESTRUCTIVE) != 0;
	s->done |= event == RULE_EXIT ? RULE_EXIT | RULE_RECORD : event;
}

/* --- helpers --- */

void call_add_value(struct call *c, struct texpr *e)
{
	*c->end = e;
	c->end = &e->next;
	c->stmt->action.count++;
}

/* --- recording actions --- */

static bool check_value(struct sema *s, struct call *c)
{
	struct texpr *e = action_value(s, c->node);
	call_add_value(c, e);
	return !texpr_is_poison(e);
}

/* Arrays and structs are recorded whole, so they are not converted. */
static bool check_trace(struct sema *s, struct call *c)
{
	if (c->args->kind == NODE_AGGREGATION) {
		diagnose(s->diagnostics, c->args->range, D_TRACE_AGG,
			 "trace() cannot record an aggregation: use printa()");
		return false;
	}
	struct texpr *e = expression_plain(s, expression_any(s, c->args), D_TRACE_DYN);
	e = text_or_object(s, e);
	const struct type *type = e->type;
	bool symbol = e->kind == TEXPR_LOAD && type->kind == TYPE_VOID;
	if (symbol || type->kind == TYPE_FUNCTION) {
		e = memory_decay(s, e);
		type = e->type;
	}
	if (texpr_is_poison(e))
		return false;
	call_add_value(c, e);
	if (type->kind == TYPE_VOID) {
		diagnose(s->diagnostics, c->args->range, D_TRACE_VOID,
			 "a void value cannot be traced");
		return false;
	}
	if (type_is_scalar(type) || type_is_struct(type) || type->kind == TYPE_STRING ||
	    type->kind == TYPE_ARRAY || type->kind == TYPE_FLOAT)
		return true;
	diagnose(s->diagnostics, c->args->range, D_PROTO_ARG, "a value of type %s cannot be traced",
		 type_text(s, type));
	return false;
}

bool check_printf(struct sema *s, struct call *c)
{
	if (c->args->kind != NODE_STRING) {
		diagnose(s->diagnostics, c->node->range, D_PRINTF_ARG_FMT,
			 "the first argument of %s() must be a string constant", c->name);
		return false;
	}
	c->stmt->action.format = c->args->string.text;
	return printf_check(s, c->name, c->args->string.text, c->args->next, c->args->range,
			    &c->stmt->action.args, &c->stmt->action.count);
}

static bool check_exit(struct sema *s, struct call *c)
{
	struct texpr *status = expression_number(s, c->args);
	if (!type_is_integer(status->type)) {
		diagnose(s->diagnostics, c->args->range, D_PROTO_ARG,
			 "the status must be an integer, not %s", type_text(s, status->type));
		return false;
	}
	call_add_value(c, convert_scalar(s, status, intrinsic(s, INTRINSIC_INT)));
	return !texpr_is_poison(status);
}

static bool (*const checks[])(struct sema *, struct call *) = {
	[ACTION_TRACE] = check_trace,
	[ACTION_PRINTF] = check_printf,
	[ACTION_PRINTA] = check_printa,
	[ACTION_STACK] = check_value,
	[ACTION_USTACK] = check_value,
	[ACTION_SYMBOL] = check_value,
	[ACTION_EXIT] = check_exit,
	[ACTION_CLEAR] = check_clear,
	[ACTION_TRUNC] = check_trunc,
	[ACTION_NORMALIZE] = check_normalize,
	[ACTION_DENORMALIZE] = check_denormalize,
	[ACTION_TRACEMEM] = check_tracemem,
	[ACTION_PRINT] = check_print,
	[ACTION_PCAP] = check_pcap,
	[ACTION_SYSTEM] = check_printf,
	[ACTION_FREOPEN] = check_freopen,
	[ACTION_FTRUNCATE] = check_ftruncate,
	[ACTION_SETOPT] = check_setopt,
};

static unsigned action_event(enum action_kind kind)
{
	switch (kind) {
	case ACTION_EXIT:
		return RULE_EXIT;
	case ACTION_SYSTEM:
	case ACTION_FREOPEN:
		return RULE_DESTRUCTIVE | RULE_RECORD;
	default:
		return RULE_RECORD;
	}
}

/*
 * Actions that change the traced process at the firing record nothing, so they are checked and
 * generated like subroutines; but they must be statements, and need -w.  Some of them compile
 * although no kernel permits them in a BPF program: the tracer refuses to enable those.
 */
static struct tstmt *destructive_check(struct sema *s, const struct node *n)
{
	const struct builtin_row *row =
		&subroutine_rows[subroutine_find(n->call.callee->ident.name)];
	if (row->purity == PURITY_DESTRUCTIVE && formula_refuses(s, row->name, n->range))
		return NULL;
	struct texpr *e = subroutine_statement(s, n);
	if (texpr_is_poison(e))
		return NULL;
	rule_note(s, RULE_DESTRUCTIVE, n->range);
	if (row->purity == PURITY_IMPOSSIBLE)
		s->result.impossible = row->name;
	struct tstmt *t = tstmt_new(s, TSTMT_EXPRESSION, n->range);
	t->expr = e;
	return t;
}

struct tstmt *action_check(struct sema *s, const struct node *n)
{
	struct call c = call_of_node(n);
	enum speculation_verb verb;
	if (speculation_find(c.name, &verb))
		return speculation_check(s, verb, n);
	c.stmt = tstmt_new(s, TSTMT_ACTION, n->range);
	c.end = &c.stmt->action.args;

	if (destructive_is_name(c.name))
		return destructive_check(s, n);
	c.stmt->action.kind = c.row->kind; /* action_is_call() has found the row */
	if (!call_count_fits(s, &c) || !checks[c.stmt->action.kind](s, &c))
		return NULL;
	rule_note(s, action_event(c.stmt->action.kind), n->range);
	return c.stmt;
}
