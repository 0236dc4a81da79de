/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula_kept - parameters of a function, from its entry to its return
 *
 * At a return the registers of the arguments have other values, so a second source, at the entry
 * (formula/function.c), keeps the parameters for the thread, in self variables.  A function may be
 * entered again before it has returned:
 *
 *   - A function of the kernel by an interrupt, rarely by itself.  The entry moves what is kept on,
 *     to the places of two older calls, and the return moves it back.
 *   - A user function by itself, to any depth.  The frame of the last call is kept, too.  An entry
 *     that finds one puts that call's parameters into arrays, by its frame, and a return from
 *     another frame takes its own from there.  So calls that do not nest need no element of an
 *     array, and what a thread has kept when it ends is freed with it.
 *
 * A return of a user function whose entry was before its probe is none of the formula: its
 * parameters are not known.
 *
 * Functions of the kernel have no frames here: what their return probes tell of the stack pointer
 * differs between kernels.
 */
#include "sema/formula/formula.h"

#define CALLS_UNDER_WAY 3 /* of a function of the kernel: of a thread, a softirq, an interrupt */

/* Each probe keeps its own: what it removes when it fires, another one may still need. */
static const char *name_of(struct sema *s, const char *what)
{
	const struct formula_source *source = s->formula;
	return arena_printf(s->arena, "%s %s %s", source->probe->name, source->event.names->text,
			    what);
}

static bool is_of_process(const struct sema *s)
{
	return formula_event_is_of_process(&s->formula->event);
}

static const struct type *number(struct sema *s)
{
	return intrinsic(s, INTRINSIC_LONG);
}

/* Where P of the WHICH-th call under way is, the last one first. */
static struct texpr *kept_place(struct sema *s, const struct param_node *p, unsigned which)
{
	const char *name = name_of(s, p->declarator->name);
	if (which)
		name = arena_printf(s->arena, "%s %u", name, which);
	return formula_self_value(s, name, formula_event_type(s, p), p->range);
}

/* The frame of the last call, and the frame of the event's call. */
static struct texpr *last_frame(struct sema *s)
{
	return formula_self_value(s, name_of(s, "[frame]"), number(s), s->formula->range);
}

static struct texpr *own_frame(struct sema *s)
{
	return texpr_argument(s, EVENT_FRAME, s->formula->range);
}

/* Where P of the call with FRAME is, if that is not the last one. */
static struct texpr *outer_place(struct sema *s, const struct param_node *p, struct texpr *frame)
{
	const char *name = arena_printf(s->arena, "%s[]", name_of(s, p->declarator->name));
	return formula_self_element(s, name, formula_event_type(s, p), frame, p->range);
}

/* Is the call with FRAME, which is not the last one, under way? */
static struct texpr *outer_call(struct sema *s, struct texpr *frame)
{
	return formula_self_element(s, name_of(s, "[frame][]"), number(s), frame,
				    s->formula->range);
}

/* --- expressions ------------------------------------------------------------------------------ */

static struct texpr *is_last_call(struct sema *s)
{
	return fold_or_new(s, OP_EQ, intrinsic(s, INTRINSIC_INT), true, last_frame(s), own_frame(s),
			   s->formula->range);
}

static struct texpr *conditional_of(struct sema *s, struct texpr *condition, struct texpr *then,
				    struct texpr *otherwise)
{
	struct texpr *e = texpr_new(s, TEXPR_CONDITIONAL, then->type, s->formula->range);
	e->conditional.condition = condition;
	e->conditional.then = then;
	e->conditional.otherwise = otherwise;
	return e;
}

static struct texpr *kept_nothing(struct sema *s)
{
	return texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), s->formula->range);
}

/* TO = VALUE, a value of its type, as a number that says nothing. */
static struct texpr *kept_assign(struct sema *s, struct texpr *to, struct texpr *value)
{
	struct texpr *e = texpr_assign(s, to, value, s->formula->range);
	return texpr_comma(s, e, kept_nothing(s), intrinsic(s, INTRINSIC_INT), s->formula->range);
}

static struct texpr *kept_both(struct sema *s, struct texpr *first, struct texpr *second)
{
	return first ? texpr_comma(s, first, second, intrinsic(s, INTRINSIC_INT), s->formula->range)
		     : second;
}

static struct texpr *kept_zero(struct sema *s, const struct texpr *to)
{
	return convert_scalar(s, kept_nothing(s), to->type);
}

/* --- entry ------------------------------------------------------------------------------------ */

/* P of older calls goes one place on. */
static struct texpr *make_room(struct sema *s, const struct param_node *p)
{
	struct texpr *ret = NULL;
	if (is_of_process(s)) {
		struct texpr *outer = outer_place(s, p, last_frame(s));
		return conditional_of(s, last_frame(s), kept_assign(s, outer, kept_place(s, p, 0)),
				      kept_nothing(s));
	}
	for (unsigned i = CALLS_UNDER_WAY - 1; i; i--)
		ret = kept_both(s, ret,
				kept_assign(s, kept_place(s, p, i), kept_place(s, p, i - 1)));
	return ret;
}

static struct texpr *kept_assignment(struct sema *s, const struct param_node *p, unsigned number)
{
	const struct type *type = formula_event_type(s, p);
	if (!type_is_scalar(type))
		return mistake(s, p->range, D_ARGS_TYPE,
			       "%s has the type %s, which cannot be kept until the return",
			       p->declarator->name, type_text(s, type));
	struct texpr *value = formula_parameter(s, p, number);
	if (texpr_is_poison(value) || texpr_is_poison(kept_place(s, p, 0)))
		return texpr_poison(s, p->range);
	return kept_both(s, make_room(s, p),
			 kept_assign(s, kept_place(s, p, 0), convert_scalar(s, value, type)));
}

struct tstmt **formula_kept_set(struct sema *s, struct tstmt **end,
				const struct formula_source *source)
{
	struct context before = formula_enter(s, source, NULL);
	unsigned i = 0;
	for (const struct param_node *p = source->event.params; p; p = p->next, i++)
		if (p->declarator->name)
			end = formula_add_assignment(s, end, kept_assignment(s, p, i));
	if (is_of_process(s)) {
		struct texpr *outer = outer_call(s, last_frame(s));
		struct texpr *one = texpr_integer(s, 1, number(s), source->range);
		struct texpr *noted = conditional_of(s, last_frame(s), kept_assign(s, outer, one),
						     kept_nothing(s));
		end = formula_add_assignment(s, end, noted);
		end = formula_add_assignment(s, end, kept_assign(s, last_frame(s), own_frame(s)));
	}
	formula_leave(s, before);
	return end;
}

/* --- return ----------------------------------------------------------------------------------- */

struct texpr *formula_kept_value(struct sema *s, const struct param_node *p)
{
	if (!type_is_scalar(formula_event_type(s, p))) /* its entry reports it */
		return texpr_poison(s, p->range);
	struct texpr *last = kept_place(s, p, 0);
	if (texpr_is_poison(last) || !is_of_process(s))
		return last;
	return conditional_of(s, is_last_call(s), last, outer_place(s, p, own_frame(s)));
}

struct texpr *formula_kept_known(struct sema *s, const struct formula_source *source)
{
	if (!source->entry || !formula_event_is_of_process(&source->event))
		return NULL;
	struct context before = formula_enter(s, source, NULL);
	struct texpr *outer = conditional_not(s, conditional_not(s, outer_call(s, own_frame(s))));
	struct texpr *one = texpr_integer(s, 1, outer->type, source->range);
	struct texpr *known = conditional_of(s, is_last_call(s), one, outer);
	formula_leave(s, before);
	return known;
}

/* P of older calls comes back. */
static struct texpr *kept_remove_one(struct sema *s, const struct param_node *p)
{
	struct texpr *ret = NULL;
	if (is_of_process(s)) {
		struct texpr *outer = outer_place(s, p, own_frame(s));
		return conditional_of(s, is_last_call(s), kept_nothing(s),
				      kept_assign(s, outer, kept_zero(s, outer)));
	}
	for (unsigned i = 1; i < CALLS_UNDER_WAY; i++)
		ret = kept_both(s, ret,
				kept_assign(s, kept_place(s, p, i - 1), kept_place(s, p, i)));
	struct texpr *oldest = kept_place(s, p, CALLS_UNDER_WAY - 1);
	return kept_both(s, ret, kept_assign(s, oldest, kept_zero(s, oldest)));
}

void formula_kept_remove(struct sema *s, struct tstmt **end, const struct formula_source *source)
{
	struct context before = formula_enter(s, source, NULL);
	for (const struct param_node *p = source->event.params; p; p = p->next)
		if (p->declarator->name)
			end = formula_add_assignment(s, end, kept_remove_one(s, p));
	if (is_of_process(s)) {
		struct texpr *last = last_frame(s), *outer = outer_call(s, own_frame(s));
		struct texpr *removed = kept_assign(s, last, kept_zero(s, last));
		struct texpr *forgotten = kept_assign(s, outer, kept_zero(s, outer));
		formula_add_assignment(s, end,
				       conditional_of(s, is_last_call(s), removed, forgotten));
	}
	formula_leave(s, before);
}
