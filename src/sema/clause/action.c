/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * action - the statements that record data and control the consumer
 *
 * One function for each kind of action; the names are in builtin.def.  This file has the order of
 * statements and the actions on values; printa() and other actions on aggregations are in
 * action_aggregation.c, print() and other memory in action_memory.c, system() and similar ones in
 * action_command.c, actions that the kernel carries out at once in destructive.c.
 */
#include "sema/clause/action.h"

#include <inttypes.h>

#define ANY UINT32_MAX

struct action_row {
	const char *name;
	enum action_kind kind;
	unsigned least, most; /* arguments */
};

static const struct action_row actions[] = {
#define ACTION(name, kind, least, most, ...) { #name, kind, least, most },
#include "sema/name/builtin.def"
#undef ACTION
};

static const struct action_row *row_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (string_equal(actions[i].name, name))
			return &actions[i];
	return NULL;
}

bool action_find(const char *name, enum action_kind *kind)
{
	const struct action_row *row = row_find(name);
	if (row)
		*kind = row->kind;
	return row;
}

static bool has_value(enum action_kind kind)
{
	return kind == ACTION_STACK || kind == ACTION_USTACK || kind == ACTION_SYMBOL;
}

bool action_is_void(const struct node *n)
{
	enum action_kind kind;
	if (!action_is_call(n))
		return false;
	return !action_find(n->call.callee->ident.name, &kind) || !has_value(kind);
}

bool action_is_call(const struct node *n)
{
	enum action_kind kind;
	enum speculation_verb verb;
	if (n->kind != NODE_CALL || n->call.callee->kind != NODE_IDENT)
		return false;
	const char *name = n->call.callee->ident.name;
	return action_find(name, &kind) || speculation_find(name, &verb) ||
	       destructive_is_name(name);
}

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

void call_add(struct call *c, struct texpr *e)
{
	*c->end = e;
	c->end = &e->next;
	c->stmt->action.count++;
}

void call_wrong_count(struct sema *s, const struct call *c, enum diagnostic_tag tag,
		      const char *wanted)
{
	diagnose(s->diagnostics, c->node->range, tag, "%s() takes %s, not %u", c->name, wanted,
		 c->count);
}

const char *arguments_text(struct sema *s, unsigned least, unsigned most)
{
	static const char *const numbers[] = { "no", "one", "two", "three", "four", "five", "six" };
	const char *plural = (most == ANY ? least : most) == 1 ? "" : "s";
	if (most == ANY)
		return arena_printf(s->arena, "at least %s argument%s", numbers[least], plural);
	if (least == most)
		return arena_printf(s->arena, "%s argument%s", numbers[least], plural);
	if (least == 0)
		return arena_printf(s->arena, "at most %s argument%s", numbers[most], plural);
	return arena_printf(s->arena, "%s %s %s arguments", numbers[least],
			    most == least + 1 ? "or" : "to", numbers[most]);
}

/* False, and a mistake: C has too few arguments, or too many. */
static bool check_count(struct sema *s, const struct call *c)
{
	const struct action_row *row = row_find(c->name);
	if (c->count >= row->least && c->count <= row->most)
		return true;
	if (row->kind == ACTION_PRINT && c->args && c->args->kind == NODE_AGGREGATION)
		diagnose(s->diagnostics, c->node->range, D_PROTO_LEN,
			 "print() cannot show an aggregation: use printa(), after trunc(@%s, N) if "
			 "only the first N keys are wanted",
			 c->args->aggregation.name);
	else
		call_wrong_count(s, c, D_PROTO_LEN, arguments_text(s, row->least, row->most));
	return false;
}

bool constant_argument(struct sema *s, const struct node *n, const char *what,
		       const struct constant_range *range, int64_t *ret)
{
	struct texpr *e = expression_number(s, n);
	if (texpr_is_poison(e))
		return false;
	*ret = e->integer;
	bool constant = e->kind == TEXPR_INTEGER && type_is_integer(e->type);
	if (constant && *ret >= range->low && *ret <= range->high)
		return true;
	enum diagnostic_tag tag = type_is_integer(e->type) ? range->tag : range->kind_tag;
	if (constant && *ret > range->high)
		diagnose(s->diagnostics, n->range, tag, "%s must be at most %" PRId64, what,
			 range->high);
	else
		diagnose(s->diagnostics, n->range, tag, "%s must be %s integer constant", what,
			 range->low > 0 ? "a positive" : "a non-negative");
	return false;
}

/* --- stacks and symbols, as values --- */

static struct texpr *stack_value(struct sema *s, const struct call *c)
{
	bool user = c->name[0] != 's';
	int64_t frames = c->name[0] == 's'   ? s->env->stack_frames
			 : c->name[0] == 'u' ? s->env->ustack_frames
					     : s->env->jstack_frames;
	int64_t string_size = c->name[0] == 'j' ? s->env->jstack_strings : 0;
	enum diagnostic_tag tag = user ? D_USTACK_FRAMES : D_STACK_SIZE;
	const struct constant_range most_frames = { 1, INT32_MAX, tag, D_PROTO_ARG };
	const struct constant_range sizes = { 0, INT32_MAX, D_USTACK_STRSIZE, D_PROTO_ARG };
	if (c->count > 0 &&
	    !constant_argument(s, c->args, "the number of frames", &most_frames, &frames))
		return texpr_poison(s, c->node->range);
	if (c->count > 1 &&
	    !constant_argument(s, c->args->next, "the size of strings", &sizes, &string_size))
		return texpr_poison(s, c->node->range);
	if (formula_refuses(s, "a stack", c->node->range))
		return texpr_poison(s, c->node->range);
	struct texpr *e = texpr_new(s, TEXPR_STACK, intrinsic(s, INTRINSIC_STACK), c->node->range);
	e->stack.user = user;
	s->result.walks_user |= user;
	uint32_t most = user ? s->env->max_user_frames : s->env->max_frames;
	most = most ? most : UINT32_MAX;
	e->stack.frames = MIN((uint32_t)frames, most);
	e->stack.strings = (uint32_t)string_size;
	e->stack.interpreted = string_size ? e->stack.frames : 0;
	e->stack.wants_more = frames > most && !s->env->max_frames_chosen;
	if (e->stack.wants_more && (uint32_t)frames > s->result.frames_asked) {
		s->result.frames_asked = (uint32_t)frames;
		s->result.frames_given = most;
	}
	return e;
}

static enum value_kind symbol_kind(const char *name, bool *user)
{
	static const struct {
		const char *name;
		enum value_kind kind;
	} kinds[] = {
		{ "sym", VALUE_SYM },	  { "func", VALUE_SYM },   { "mod", VALUE_MOD },
		{ "usym", VALUE_USYM },	  { "ufunc", VALUE_USYM }, { "umod", VALUE_UMOD },
		{ "uaddr", VALUE_UADDR },
	};
	unsigned i = 0;
	while (!string_equal(kinds[i].name, name))
		i++;
	*user = i >= 3;
	return kinds[i].kind;
}

static struct texpr *symbol_value(struct sema *s, const struct call *c)
{
	struct texpr *address = expression_argument(s, c->args, D_PROTO_ARG);
	address = expression_operand(s, expression_plain(s, address, D_OP_DYN));
	if (texpr_is_poison(address))
		return address;
	if (!type_is_scalar(address->type))
		return mistake(s, c->args->range, D_PROTO_ARG,
			       "the argument of %s() must be an address, not %s", c->name,
			       type_text(s, address->type));
	bool user;
	enum value_kind kind = symbol_kind(c->name, &user);
	if (user && formula_refuses(s, c->name, c->node->range))
		return texpr_poison(s, c->node->range);
	struct texpr *e = texpr_new(s, TEXPR_SYMBOL,
				    intrinsic(s, user ? INTRINSIC_USYMADDR : INTRINSIC_SYMADDR),
				    c->node->range);
	e->symbol.kind = kind;
	e->symbol.address = address;
	return e;
}

struct texpr *action_value(struct sema *s, const char *name, const struct node *n)
{
	enum action_kind kind;
	if (!action_find(name, &kind))
		return NULL;
	struct call c = { .name = name, .node = n, .args = n->call.args };
	c.count = node_count(c.args);
	if (!has_value(kind))
		return NULL;
	if (!check_count(s, &c))
		return texpr_poison(s, n->range);
	return kind == ACTION_SYMBOL ? symbol_value(s, &c) : stack_value(s, &c);
}

/* --- recording actions --- */

static bool check_value(struct sema *s, struct call *c)
{
	struct texpr *e = action_value(s, c->name, c->node);
	call_add(c, e);
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
	const struct type *type = e->type;
	bool symbol = e->kind == TEXPR_LOAD && type->kind == TYPE_VOID;
	if (symbol || type->kind == TYPE_FUNCTION) {
		e = memory_decay(s, e);
		type = e->type;
	}
	if (texpr_is_poison(e))
		return false;
	call_add(c, e);
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
	call_add(c, convert_scalar(s, status, intrinsic(s, INTRINSIC_INT)));
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

static unsigned event_of(enum action_kind kind)
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

struct tstmt *action_check(struct sema *s, const struct node *n)
{
	struct call c = { .name = n->call.callee->ident.name, .node = n, .args = n->call.args };
	c.count = node_count(c.args);
	enum speculation_verb verb;
	if (speculation_find(c.name, &verb))
		return speculation_check(s, verb, n);
	c.stmt = tstmt_new(s, TSTMT_ACTION, n->range);
	c.end = &c.stmt->action.args;

	if (destructive_is_name(c.name))
		return destructive_check(s, n);
	bool known = action_find(c.name, &c.stmt->action.kind);
	assert(known); /* action_is_call() has said so */
	unsigned event = event_of(c.stmt->action.kind);
	rule_note(s, event, n->range);
	return check_count(s, &c) && checks[c.stmt->action.kind](s, &c) ? c.stmt : NULL;
}
