/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loop - for and while, and how many passes they have at most (foreach.c: as many as elements)
 *
 * The number of passes is known if the text says it:
 *
 *	for (this->i = 0; this->i < 10; this->i++)
 *
 * The variable begins with a constant, is compared with a constant, and changes by a constant
 * after each pass and nowhere else (no pointer leads to a scalar of D).  All its values fit its
 * type; of loops in loops all passes together are at most what one may have.  Other loops have at
 * most -x maxloop passes, in loops at most LOOP_PASSES_MOST together (codegen/loop.c).
 *
 * this variables that a loop changes are in the slot: the verifier follows values in the frame
 * (Linux 6.1 follows them through the first pass only, and removes code that later ones reach).
 */
#include "sema/clause/action.h"
#include "sema/name/name.h"

#define LOOPS_NESTED 3 /* the kernel has eight frames, the run-time functions need some */
#define NUMBER_MOST INT32_MAX

static struct variable *this_variable(const struct texpr *e)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	bool is_this = e->kind == TEXPR_VARIABLE && e->variable->scope == SCOPE_THIS;
	return is_this ? e->variable : NULL;
}

/* --- what the statements of a loop change --- */

struct changes {
	struct sema *s;
	const struct variable *counter; /* or NULL */
	bool changes_counter;		/* in one of these statements */
	bool of_another;		/* they are about another thread, which a foreach walks */
	struct range range;		/* of the statement */
};

static void changes_of_target(struct changes *c, const struct texpr *target)
{
	struct variable *v = this_variable(target);
	if (v)
		v->in_slot = true;
	c->changes_counter |= v && v == c->counter;
}

/* What E reads of the thread that runs, and of no other one; NULL: nothing. */
static const char *read_of_thread(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_LOAD:
	case TEXPR_STRING_AT:
		return e->load.user ? "user memory" : NULL;
	case TEXPR_UREG:
		return "uregs[]";
	case TEXPR_STACK:
		return "a stack";
	case TEXPR_SYMBOL:
		return value_kind_is_user(e->symbol.kind) ? "a user symbol" : NULL;
	case TEXPR_BUILTIN:
		return builtin_is_of_thread(e->builtin) ? builtin_rows[e->builtin].name : NULL;
	case TEXPR_CALL:
		return subroutine_is_of_thread(e->call.function)
			       ? subroutine_rows[e->call.function].name
			       : NULL;
	default:
		return NULL;
	}
}

/* Is WHAT, which may be NULL, refused here?  The text of a library is not the user's. */
static bool refuse_of_thread(const struct changes *c, const char *what, struct range range)
{
	if (!what || !c->of_another)
		return false;
	diagnose(c->s->diagnostics, range.source->is_ours ? c->range : range, D_IDENT_BADREF,
		 "%s is unknown of another thread, in foreach (self->x)", what);
	return true;
}

static void changes_of_expression(void *changes, const struct texpr *e)
{
	struct changes *c = changes;
	if (!e || refuse_of_thread(c, read_of_thread(e), e->range))
		return;
	if (e->kind == TEXPR_ASSIGN)
		changes_of_target(c, e->assign.target);
	else if (e->kind == TEXPR_UPDATE)
		changes_of_target(c, e->update.target);
	else if (e->kind == TEXPR_ADDRESS && texpr_is_lvalue(e->operand))
		changes_of_target(c, e->operand);
	texpr_each_part(e, changes_of_expression, c);
}

static void changes_of_list(struct changes *c, const struct texpr *list)
{
	for (; list; list = list->next)
		changes_of_expression(c, list);
}

/* Of print() and tracemem(), which read there. */
static void refuse_user_address(const struct changes *c, const struct tstmt *t)
{
	bool reads = t->action.kind == ACTION_TRACEMEM || t->action.at_address;
	const struct texpr *address = reads ? t->action.args : NULL;
	if (address && type_is_userland(address->type))
		refuse_of_thread(c, "user memory", address->range);
}

static void refuse_in_loop(struct changes *c, const struct tstmt *t)
{
	bool is_printed = t->kind == TSTMT_ACTION && t->action.kind != ACTION_EXIT &&
			  t->action.kind != ACTION_STACK && t->action.kind != ACTION_USTACK;
	if (!is_printed)
		diagnose(c->s->diagnostics, t->range, D_SYNTAX,
			 "exit, stacks as actions and speculations cannot be in a loop");
}

static void changes_of_statements(struct changes *c, const struct tstmt *t)
{
	for (; t; t = t->next) {
		c->range = t->range;
		if (t->kind == TSTMT_EXPRESSION) {
			changes_of_expression(c, t->expr);
		} else if (tstmt_has_branches(t)) {
			bool before = c->of_another;
			changes_of_expression(c, t->if_.condition);
			c->of_another |= tstmt_walks_threads(t);
			changes_of_statements(c, t->if_.then);
			changes_of_statements(c, t->if_.otherwise);
			c->of_another = before;
		} else if (t->kind == TSTMT_AGGREGATE) {
			changes_of_list(c, t->aggregate.keys);
			changes_of_expression(c, t->aggregate.value);
			changes_of_expression(c, t->aggregate.weight);
		} else if (t->kind == TSTMT_ACTION || t->kind == TSTMT_SPECULATION) {
			refuse_in_loop(c, t);
			if (t->kind == TSTMT_ACTION)
				refuse_user_address(c, t);
			changes_of_list(c, t->kind == TSTMT_ACTION ? t->action.args : NULL);
		}
	}
}

/* --- the number of passes --- */

/* Values of the counter: from FIRST on by STEP, as long as `counter OP limit`. */
struct counting {
	struct variable *counter;
	int64_t first, limit, step;
	enum op op;
	bool is_signed;
};

static bool is_small(int64_t value)
{
	return value >= -(int64_t)NUMBER_MOST && value <= NUMBER_MOST;
}

static bool counting_constant(const struct texpr *e, int64_t *ret)
{
	int64_t most = INT64_MAX / 4; /* the passes can be computed */
	if (e->kind != TEXPR_INTEGER || e->integer < -most || e->integer > most)
		return false;
	*ret = e->integer;
	return true;
}

static bool counting_begins(struct counting *c, const struct tstmt *before)
{
	if (!before || before->kind != TSTMT_EXPRESSION || before->expr->kind != TEXPR_ASSIGN ||
	    before->expr->assign.target->kind != TEXPR_VARIABLE)
		return false;
	c->counter = this_variable(before->expr->assign.target);
	return c->counter && type_is_integer(c->counter->type) &&
	       counting_constant(before->expr->assign.value, &c->first);
}

static bool counting_ends(struct counting *c, const struct texpr *condition)
{
	if (condition->kind != TEXPR_BINARY)
		return false;
	c->op = condition->binary.op;
	c->is_signed = condition->binary.is_signed;
	const struct texpr *left = condition->binary.left;
	return left->kind == TEXPR_VARIABLE && left->variable == c->counter &&
	       counting_constant(condition->binary.right, &c->limit);
}

static bool counting_steps(struct counting *c, const struct tstmt *step)
{
	if (!step || step->next || step->kind != TSTMT_EXPRESSION ||
	    step->expr->kind != TEXPR_UPDATE)
		return false;
	const struct texpr *e = step->expr;
	if (this_variable(e->update.target) != c->counter ||
	    e->update.target->kind != TEXPR_VARIABLE ||
	    !counting_constant(e->update.value, &c->step))
		return false;
	if (e->update.op == OP_SUB)
		c->step = -c->step;
	return e->update.op == OP_ADD || e->update.op == OP_SUB;
}

/* The passes, or -1: it does not end, or not so that it can be said. */
static int64_t counting_passes(const struct counting *c)
{
	int64_t distance = c->limit - c->first, step = c->step;
	bool is_down = c->op == OP_GT || c->op == OP_GE;
	if (c->op == OP_NE)
		return step && distance % step == 0 ? distance / step : -1;
	if (c->op != OP_LT && c->op != OP_LE && !is_down)
		return -1;
	if (is_down) {
		distance = -distance;
		step = -step;
	}
	distance += c->op == OP_LE || c->op == OP_GE;
	return step > 0 ? MAX((distance + step - 1) / step, (int64_t)0) : -1;
}

/* Do all values fit the type of the counter, as the condition compares them? */
static bool counting_fits(const struct counting *c, int64_t passes)
{
	int64_t last = c->first + passes * c->step;
	if (!is_small(c->first) || !is_small(c->limit) || !is_small(c->step) || !is_small(last))
		return false;
	if (type_is_signed(c->counter->type) && c->is_signed)
		return type_size(c->counter->type) >= 4;
	return c->first >= 0 && last >= 0 && c->limit >= 0 && type_size(c->counter->type) >= 4;
}

/* Of the loops in LIST together; unknown ones count as one pass. */
static uint64_t passes_inside(const struct tstmt *list)
{
	uint64_t most = 1;
	for (const struct tstmt *t = list; t; t = t->next) {
		if (!tstmt_has_branches(t))
			continue;
		uint64_t inside = MAX(passes_inside(t->if_.then), passes_inside(t->if_.otherwise));
		most = MAX(most, inside * (t->if_.passes_known ? MAX(t->if_.passes, 1u) : 1));
	}
	return most;
}

/* Does a break in LIST leave the loop around it? */
static bool leaves_loop(const struct tstmt *list)
{
	for (const struct tstmt *t = list; t; t = t->next)
		if (t->kind == TSTMT_BREAK ||
		    (t->kind == TSTMT_IF &&
		     (leaves_loop(t->if_.then) || leaves_loop(t->if_.otherwise))))
			return true;
	return false;
}

static void passes_find(struct sema *s, struct tstmt *loop, const struct tstmt *before)
{
	struct counting c = { 0 };
	if (!counting_begins(&c, before) || !counting_ends(&c, loop->if_.condition) ||
	    !counting_steps(&c, loop->if_.otherwise))
		return;
	struct changes body = { .s = s, .counter = c.counter };
	changes_of_statements(&body, loop->if_.then);
	int64_t passes = counting_passes(&c);
	if (body.changes_counter || passes < 0)
		return;
	if (passes > LOOP_PASSES_MOST && !leaves_loop(loop->if_.then))
		diagnose(s->diagnostics, loop->range, D_SYNTAX,
			 "the loop has %lld passes: it may have %u at most", (long long)passes,
			 LOOP_PASSES_MOST);
	if (passes > LOOP_PASSES_MOST || !counting_fits(&c, passes) ||
	    (uint64_t)passes * passes_inside(loop->if_.then) > LOOP_PASSES_MOST)
		return;
	loop->if_.passes = (uint32_t)passes;
	loop->if_.passes_known = true;
}

/* --- statements --- */

void loop_body_check(struct sema *s, const struct node *n, struct tstmt *t)
{
	if (s->loops == LOOPS_NESTED)
		diagnose(s->diagnostics, n->range, D_SYNTAX, "loops may be nested %d deep",
			 LOOPS_NESTED);
	s->loops++;
	t->if_.then = statements_check(s, n->if_.then);
	s->loops--;
	t->if_.otherwise = statements_check(s, n->if_.otherwise);
	struct changes changes = { .s = s, .of_another = s->walked_task };
	changes_of_expression(&changes, t->if_.condition);
	if (!s->loops) { /* else the outer loop does it */
		changes_of_statements(&changes, t->if_.then);
		changes_of_statements(&changes, t->if_.otherwise);
	}
}

struct tstmt *loop_check(struct sema *s, const struct node *n, const struct tstmt *before)
{
	struct tstmt *t = tstmt_new(s, TSTMT_LOOP, n->range);
	t->if_.condition = expression_condition(s, n->if_.condition, D_OP_SCALAR);
	loop_body_check(s, n, t);
	passes_find(s, t, before);
	return t;
}

struct tstmt *loop_leave_check(struct sema *s, const struct node *n)
{
	bool is_break = n->kind == NODE_BREAK;
	if (!s->loops) {
		diagnose(s->diagnostics, n->range, D_SYNTAX, "there is no loop that this %s leaves",
			 is_break ? "break" : "continue");
		return NULL;
	}
	return tstmt_new(s, is_break ? TSTMT_BREAK : TSTMT_CONTINUE, n->range);
}
