/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of scratch memory: what D's pointers may lead to in the slot
 *
 * Each call of alloca() and copyin() in the text has a place in a table in the slot, where the
 * firing writes the bytes that it has allocated there.  Before memory is read or written at an
 * address that may be one of scratch memory, the table is searched: in the memory of all slots
 * only the firing's own pieces are accessible, so an address that an earlier firing, or an earlier
 * clause, has left in a variable is a fault.
 *
 * Clauses share the end of the table, as they share alloca memory; pieces that a clause keeps for
 * later ones have separate places before it.  At the table's begin are the this variables in the
 * slot whose addresses are taken, as those that keep a string for a pointer: each from the moment
 * on at which the firing takes it.
 *
 * A search costs 2 to 5 ns (6.18), and the clause a slot, so it is left out where the address
 * cannot be one: its value comes from no call of alloca() or copyin() and no kept string, by way of
 * any variable or memory.  A program without these has neither table nor tests.
 *
 * See also codegen/value/piece.c, which writes the table; memory.c and pointer.c there, the tests;
 * runtime/piece.c, the search.
 */
#include "plan/plan_internal.h"

/* --- addresses that may be of scratch memory ------------------------------------------------- */

static bool holds_scratch(const struct plan *p, const struct variable *v)
{
	const struct variable_place *place = plan_variable(p, v);
	return place->may_be_scratch || place->is_pointed_to;
}

static bool may_be_scratch(const struct plan *p, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_CALL:
		return e->call.function == SUBROUTINE_alloca ||
		       e->call.function == SUBROUTINE_copyin;
	case TEXPR_ADDRESS: /* numbers that are added to it may lead from this variables anywhere */
		return true;
	case TEXPR_VARIABLE:
		return holds_scratch(p, e->variable);
	case TEXPR_ELEMENT:
		return holds_scratch(p, e->element.variable);
	case TEXPR_FIELD:
		return may_be_scratch(p, e->field.base);
	case TEXPR_LOAD: /* what memory that D writes may hold */
		return may_be_scratch(p, e->load.address);
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_CONVERT:
		return may_be_scratch(p, e->operand);
	case TEXPR_BINARY:
		return may_be_scratch(p, e->binary.left) || may_be_scratch(p, e->binary.right);
	case TEXPR_COMMA:
		return may_be_scratch(p, e->binary.right);
	case TEXPR_CONDITIONAL:
		return may_be_scratch(p, e->conditional.then) ||
		       may_be_scratch(p, e->conditional.otherwise);
	case TEXPR_ASSIGN:
		return may_be_scratch(p, e->assign.value);
	case TEXPR_UPDATE:
		return may_be_scratch(p, e->update.target) || may_be_scratch(p, e->update.value);
	default:
		return false;
	}
}

bool plan_may_be_scratch(const struct plan *p, const struct texpr *e)
{
	return p->piece_count && may_be_scratch(p, e);
}

static const struct variable *holder_assigned(const struct texpr *e)
{
	return root_variable(e->kind == TEXPR_ASSIGN ? e->assign.target : e->update.target);
}

/* Addresses go from variable to variable: until no assignment adds one. */
static void find_holders(struct planner *p)
{
	bool found = true;
	while (found) {
		found = false;
		for (size_t i = 0; i < p->assignments.count; i++) {
			const struct texpr *e = p->assignments.items[i];
			const struct variable *v = holder_assigned(e);
			if (!v || holds_scratch(p->plan, v) || !may_be_scratch(p->plan, e))
				continue;
			p->plan->variables[v->scope][v->index].may_be_scratch = true;
			found = true;
		}
	}
}

/* --- the table ------------------------------------------------------------------------------- */

bool plan_is_piece(const struct plan *p, const struct variable *v)
{
	const struct variable_place *place = plan_variable(p, v);
	return v->scope == SCOPE_THIS && place->is_pointed_to && place->home == HOME_SLOT;
}

static unsigned count_this_pieces(const struct plan *plan)
{
	unsigned n = 0;
	for (unsigned i = 0; i < plan->typed->variable_count[SCOPE_THIS]; i++)
		n += plan_is_piece(plan, plan->typed->variables[SCOPE_THIS][i]);
	return n;
}

/* The bytes of strings that are kept for a pointer (memory_kept_string_address()). */
static bool has_kept_string(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->typed->variable_count[SCOPE_THIS]; i++) {
		const struct variable *v = plan->typed->variables[SCOPE_THIS][i];
		if (v->type->kind == TYPE_STRING && plan_is_piece(plan, v))
			return true;
	}
	return false;
}

static void check_piece_count(struct planner *p, const struct tclause *clause)
{
	unsigned n = plan_pieces_of(p->plan, clause);
	if (n > PIECES_MOST)
		diagnose(p->diagnostics, clause->range, D_UNKNOWN,
			 "%u pieces of memory of alloca() and copyin() may exist here at once, and "
			 "there may be %d: split the clause, or keep fewer addresses for later "
			 "clauses",
			 n, PIECES_MOST);
}

unsigned plan_pieces_of(const struct plan *p, const struct tclause *clause)
{
	const struct clause_alloca *a = &plan_clause(p, clause)->alloca;
	return p->this_pieces + p->kept_pieces + (a->is_kept ? 0 : a->pieces);
}

uint32_t place_pieces(struct planner *p)
{
	struct plan *plan = p->plan;
	unsigned count = plan->typed->clause_count, shared = 0;
	unsigned this_pieces = count_this_pieces(plan);
	for (unsigned i = 0; i < count; i++) {
		struct clause_alloca *a = &plan->clauses[i].alloca;
		a->first_piece = this_pieces + plan->kept_pieces;
		if (a->is_kept)
			plan->kept_pieces += a->pieces;
		else
			shared = MAX(shared, a->pieces);
	}
	if (!plan->kept_pieces && !shared && !has_kept_string(plan))
		return 0;
	plan->this_pieces = this_pieces;
	plan->piece_count = this_pieces + plan->kept_pieces + shared;
	for (unsigned i = 0; i < count; i++) {
		struct clause_alloca *a = &plan->clauses[i].alloca;
		if (!a->is_kept)
			a->first_piece = this_pieces + plan->kept_pieces;
		check_piece_count(p, plan->typed->clauses[i]);
	}
	find_holders(p);
	return plan->piece_count * (uint32_t)sizeof(struct piece);
}
