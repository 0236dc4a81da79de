/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry - entry(EXPR): the value that EXPR had at the entry of the same call
 *
 * Each such value gets a clause of its own at the entries, before all other clauses there, which
 * assigns it to a variable that no program can name; and each clause that reads values a clause
 * after all others at the returns, which ends the calls (abi/call.h):
 *
 *     f:return /P && arg1 < 0/ { trace(entry(arg0)); }
 *
 *     f:entry  /P/ { [entry 1] = arg0; }
 *     f:return /P && entry_seen(0) && arg1 < 0/ { trace([entry 1]); }
 *     f:return /P/ { entry_end(0); }
 *
 * Arguments of system calls are in the registers at the return, too, and are read there.
 *
 * P are the parts of the predicate that no call changes: the entry of other processes is not even
 * looked at.
 */
#include "sema/clause/action.h"

#define SYSCALL_ARGUMENTS 6

static struct texpr *entry_refuse(struct sema *s, struct range range, const char *why)
{
	return mistake(s, range, D_ARGS_NONE, "entry() %s", why);
}

/* --- the value -------------------------------------------------------------------------------- */

/* Variables whose names begin so are sema's own. */
static bool variable_is_own(const struct variable *v)
{
	return v->name[0] == '[';
}

static const struct variable *entry_root(const struct texpr *e)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	return e->kind == TEXPR_VARIABLE  ? e->variable
	       : e->kind == TEXPR_ELEMENT ? e->element.variable
					  : NULL;
}

/* What is refused in EXPR; each mistake once, from the outside. */
static void refuse_unfit(void *sema, const struct texpr *e)
{
	struct sema *s = sema;
	if (!e)
		return;
	bool writes = e->kind == TEXPR_ASSIGN || e->kind == TEXPR_UPDATE;
	const struct texpr *target = e->kind == TEXPR_ASSIGN   ? e->assign.target
				     : e->kind == TEXPR_UPDATE ? e->update.target
							       : NULL;
	const struct variable *v = entry_root(writes ? target : e);
	if (writes && (!v || !variable_is_own(v)))
		entry_refuse(s, e->range, "only reads: an assignment in it is refused");
	else if (v && v->scope == SCOPE_THIS && !variable_is_own(v))
		mistake(s, e->range, D_ARGS_NONE,
			"entry(): this->%s has no value at the entry, before all clauses", v->name);
	else
		texpr_each_part(e, refuse_unfit, s);
}

/* EXPR in C, a clause at the entries, is assigned to the variable NAME. */
static bool entry_save(struct sema *s, struct tclause *c, const struct node *expr, const char *name)
{
	struct node *target = ARENA_NEW(s->arena, struct node);
	struct node *assign = ARENA_NEW(s->arena, struct node);
	struct node *value = ARENA_NEW(s->arena, struct node);
	*value = *expr;
	target->kind = NODE_SCOPED;
	target->range = expr->range;
	target->ident.scope = SCOPE_SELF;
	target->ident.name = name;
	assign->kind = NODE_ASSIGN;
	assign->range = expr->range;
	assign->assign.op = OP_NONE;
	assign->assign.left = target;
	assign->assign.right = value;
	size_t mistakes = s->diagnostics->list.count;
	struct texpr *e = object_unwanted(expression_statement_value(s, assign_check(s, assign)));
	if (texpr_is_poison(e))
		return false;
	refuse_unfit(s, e);
	const struct variable *v = variable_find(s, SCOPE_SELF, name);
	if (v->from_alloca)
		entry_refuse(s, expr->range,
			     "cannot keep the address of memory of alloca() or copyin(), which is "
			     "gone at the return: read the value in it, "
			     "entry(*(int *)copyin(arg0, 4))");
	c->body = tstmt_new(s, TSTMT_EXPRESSION, expr->range);
	c->body->expr = e;
	c->body->number = 1;
	return s->diagnostics->list.count == mistakes;
}

void entry_check_saving(struct sema *s, struct tclause *c)
{
	if (c->saves->is_register) {
		c->body = c->saves->at->body;
		c->arguments_read = c->saves->at->arguments_read;
		return;
	}
	s->in_entry = true;
	entry_save(s, c, c->saves->node, c->saves->variable->name);
	s->in_entry = false;
	if (c->saves->key == CALL_BY_FRAME)
		c->arguments_read |= 1u << EVENT_FRAME;
}

static struct entry_value *value_make(struct sema *s, struct tclause *c, const struct node *expr)
{
	struct tclause *at = clause_at_entry(s, c, expr->range);
	if (!at)
		return NULL;
	unsigned effects = s->effects;
	struct entry_value *ret = ARENA_NEW(s->arena, struct entry_value);
	ret->number = ++s->result.entry_values;
	ret->index = s->entries_read;
	ret->key = entry_key_of(c);
	ret->node = expr;
	ret->at = at;
	at->saves = ret;
	const char *name = arena_printf(s->arena, "[entry %u]", ret->number);
	s->clause = at;
	s->in_entry = true;
	bool fine = entry_save(s, at, expr, name);
	s->in_entry = false;
	s->clause = c;
	s->effects = effects;
	ret->variable = variable_find(s, SCOPE_SELF, name);
	if (ret->variable)
		ret->variable->of_call = ret;
	if (ret->key == CALL_BY_FRAME)
		at->arguments_read |= 1u << EVENT_FRAME;
	return fine ? ret : NULL;
}

/* Is E made of arguments of a system call alone, which are in the registers at its return, too? */
static void note_other(void *holds, const struct texpr *e)
{
	bool *all = holds;
	bool is_argument = e && e->kind == TEXPR_ARGUMENT && e->argument.index < SYSCALL_ARGUMENTS;
	bool is_plain = e && (e->kind == TEXPR_INTEGER || e->kind == TEXPR_CONVERT ||
			      e->kind == TEXPR_BINARY || e->kind == TEXPR_NEGATE ||
			      e->kind == TEXPR_COMPLEMENT);
	*all &= is_argument || is_plain;
	if (is_plain)
		texpr_each_part(e, note_other, all);
}

/* They have other numbers at the return. */
static void read_at_return(void *sema, const struct texpr *part)
{
	struct texpr *e = (struct texpr *)part;
	struct sema *s = sema;
	if (e->kind == TEXPR_ARGUMENT) {
		e->argument.index += EVENT_ENTRY_ARGUMENT;
		s->clause->arguments_read |= 1u << e->argument.index;
	}
	texpr_each_part(e, read_at_return, s);
}

/* Has C a probe of one of the functions CALLS, a list that NULL ends? */
static bool clause_is_of_call(const struct tclause *c, const char *const *calls)
{
	for (unsigned i = 0; i < c->probe_count; i++)
		for (size_t k = 0; calls[k]; k++)
			if (string_equal(c->probes[i]->function, calls[k]))
				return true;
	return false;
}

/* Calls that return with other registers than they began with. */
static const char *const losing_registers[] = { "execve", "execveat", "rt_sigreturn", "sigreturn",
						NULL };

/* The value V of C if nothing need be saved for it; else NULL. */
static struct texpr *value_at_return(struct sema *s, const struct tclause *c,
				     const struct entry_value *v)
{
	bool holds = true;
	struct texpr *e = v->at->body->expr;
	if (v->key != CALL_BY_THREAD || clause_is_of_call(c, losing_registers) ||
	    e->kind != TEXPR_ASSIGN)
		return NULL;
	note_other(&holds, e->assign.value);
	if (!holds)
		return NULL;
	read_at_return(s, e->assign.value);
	hash_put_string(s->names[v->variable->declarer].variables[SCOPE_SELF], v->variable->name,
			NULL);
	s->variables[SCOPE_SELF].count--; /* it was the last one */
	e->assign.value->range = v->node->range;
	e->assign.value->is_translated = true;
	return e->assign.value;
}

/* Value number INDEX of C; NULL: it is new. */
static struct entry_value *value_known(const struct tclause *c, unsigned index)
{
	for (struct entry_value *v = c->entries; v; v = v->next)
		if (v->index == index)
			return v;
	return NULL;
}

static const char *why_not_here(const struct sema *s)
{
	if (s->in_entry)
		return "cannot be in another entry(): the inner one means the entry already";
	if (!s->clause || s->formula)
		return "is only possible in a clause, not in an inline, a translator or a formula";
	if (s->clause->source)
		return "is not possible here: the probe is made by a formula (FILE.prov), whose "
		       "text can keep values";
	return NULL;
}

struct texpr *entry_check(struct sema *s, const struct node *n)
{
	struct tclause *c = s->clause;
	const char *why = why_not_here(s);
	if (why)
		return entry_refuse(s, n->range, why);
	if (node_count(n->call.args) != 1)
		return mistake(s, n->range, D_PROTO_LEN, "entry() takes 1 argument, not %u",
			       node_count(n->call.args));
	struct entry_value *v = value_known(c, s->entries_read);
	if (!v) {
		v = value_make(s, c, n->call.args);
		struct texpr *same = v ? value_at_return(s, c, v) : NULL;
		if (same || !v)
			return same ? same : texpr_poison(s, n->range);
		v->next = c->entries;
		c->entries = v;
	}
	s->entries_read++;
	if (v->key == CALL_BY_FRAME)
		c->arguments_read |= 1u << EVENT_FRAME;
	struct texpr *e = texpr_new(s, TEXPR_VARIABLE, v->variable->type, n->range);
	e->variable = v->variable;
	e->is_translated = true;
	return e;
}

/* --- the predicate ---------------------------------------------------------------------------- */

struct parts {
	struct sema *s;
	VECTOR(struct texpr *) list; /* all must be true */
};

static void parts_of(struct parts *p, struct texpr *e)
{
	if (e->kind == TEXPR_LOGICAL && e->binary.op == OP_LAND) {
		parts_of(p, e->binary.left);
		parts_of(p, e->binary.right);
	} else {
		vector_push(&p->list, e);
	}
}

static void note_value_read(void *reads, const struct texpr *e)
{
	if (!e)
		return;
	*(bool *)reads |= (e->kind == TEXPR_VARIABLE && e->variable->of_call) ||
			  (e->kind == TEXPR_CALL && e->call.function == SUBROUTINE_register_saved);
	texpr_each_part(e, note_value_read, reads);
}

static bool reads_value(const struct texpr *e)
{
	bool reads = false;
	note_value_read(&reads, e);
	return reads;
}

/* Calls that may give their process another name. */
static const char *const renaming[] = { "execve", "execveat", "prctl", NULL };

struct stays {
	bool may_rename, other_names, holds;
};

static bool builtin_stays(enum builtin_variable which, const struct stays *t)
{
	bool is_of_probe = which == BUILTIN_probeprov || which == BUILTIN_probemod ||
			   which == BUILTIN_probefunc;
	return which == BUILTIN_pid || which == BUILTIN_target ||
	       (is_of_probe && !t->other_names) || (which == BUILTIN_execname && !t->may_rename);
}

/* Is E the same at the entry and the return? */
static void note_changing(void *stays, const struct texpr *e)
{
	struct stays *t = stays;
	if (!e)
		return;
	switch (e->kind) {
	case TEXPR_BUILTIN:
		t->holds &= builtin_stays(e->builtin, t);
		break;
	case TEXPR_INTEGER:
	case TEXPR_STRING:
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_CONDITIONAL:
	case TEXPR_CONVERT:
		texpr_each_part(e, note_changing, t);
		break;
	default:
		t->holds = false;
	}
}

static bool part_stays(const struct tclause *c, const struct texpr *e)
{
	struct stays t = { clause_is_of_call(c, renaming), c->entries->is_register, true };
	note_changing(&t, e);
	return t.holds;
}

/* FUNCTION(the number of V). */
static struct texpr *call_of_value(struct sema *s, enum subroutine function,
				   const struct entry_value *v, struct range range)
{
	struct texpr *number = texpr_integer(s, v->index, intrinsic(s, INTRINSIC_INT), range);
	return subroutine_of(s, function, number, range);
}

static struct texpr *and_seen(struct sema *s, const struct tclause *c, struct texpr *so_far)
{
	for (const struct entry_value *v = c->entries; v; v = v->next) {
		bool is_next = v->next && v->next->index == v->index;
		if (!v->is_argument && !is_next)
			so_far = conditional_and(
				s, so_far,
				call_of_value(s, SUBROUTINE_entry_seen, v, v->node->range));
	}
	return so_far;
}

void entry_finish(struct sema *s, struct tclause *c, const struct entry_value *known)
{
	struct parts parts = { .s = s };
	struct texpr *stays = NULL, *all;
	if (!c->entries)
		return;
	if (c->predicate && !texpr_is_poison(c->predicate))
		parts_of(&parts, c->predicate);
	for (size_t i = 0; i < parts.list.count; i++)
		if (part_stays(c, parts.list.items[i]))
			stays = conditional_and(s, stays, parts.list.items[i]);
	for (struct entry_value *v = c->entries; v && !known; v = v->next)
		v->at->predicate = stays;
	all = stays;
	bool seen = false;
	for (size_t i = 0; i < parts.list.count; i++) {
		struct texpr *e = parts.list.items[i];
		if (part_stays(c, e))
			continue;
		if (!seen && reads_value(e)) {
			all = and_seen(s, c, all);
			seen = true;
		}
		all = conditional_and(s, all, e);
	}
	c->predicate = seen ? all : and_seen(s, c, all);
	vector_free(&parts.list);
}

/* --- the clauses ------------------------------------------------------------------------------ */

static void add_made(struct sema *s, struct tclause *c, const struct tclause *reader)
{
	c->index = (unsigned)s->clauses.count;
	c->entries = reader->entries;
	vector_push(&s->clauses, c);
}

static void add_end_of_calls(struct sema *s, const struct tclause *c)
{
	struct tclause *end = clause_of_call(s, c, c->range);
	struct tstmt **next = &end->body;
	unsigned number = 0;
	end->predicate = c->entries->at->predicate;
	end->arguments_read = c->arguments_read & 1u << EVENT_FRAME;
	for (const struct entry_value *v = c->entries; v; v = v->next) {
		*next = tstmt_new(s, TSTMT_EXPRESSION, v->node->range);
		(*next)->expr = call_of_value(s, SUBROUTINE_entry_end, v, v->node->range);
		(*next)->number = ++number;
		next = &(*next)->next;
	}
	add_made(s, end, c);
}

void entries_end(struct sema *s)
{
	size_t written = s->clauses.count;
	for (size_t i = 0; i < written; i++) {
		struct tclause *c = s->clauses.items[i];
		for (struct entry_value *v = c->is_made ? NULL : c->entries; v; v = v->next)
			add_made(s, v->at, c);
	}
	for (size_t i = 0; i < written; i++)
		if (s->clauses.items[i]->entries && !s->clauses.items[i]->is_made &&
		    !s->clauses.items[i]->entries->is_register)
			add_end_of_calls(s, s->clauses.items[i]);
}
