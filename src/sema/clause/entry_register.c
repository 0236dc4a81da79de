/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry_register - what a register contained at the entry of the function around a probe
 *
 * Of many variables of optimized code debug information says that they are what the caller has
 * passed in a register (DW_OP_entry_value), which has another value since.  As for entry(EXPR), a
 * clause at the entries of the functions saves it, and the predicate of the clause that reads it
 * demands that the entry was seen:
 *
 *     f.c@12  /P/ { trace(`n); }
 *
 *     f:entry /P/ { register_save(0, uregs[R_RDI]); }
 *     f.c@12  /P && entry_seen(0)/ { trace((int)register_saved(0)); }
 *
 * At inlined copies the same may hold for an argument of some copies alone; then a copy whose
 * function's entry was not seen cannot read it, which is a fault.
 *
 * P are the parts of the predicate that hold in the whole function.  Nothing ends such values
 * (abi/call.h).
 */
#include "sema/clause/action.h"

/* The value of register WHICH among those of C; NULL: it is new. */
static struct entry_value *register_known(const struct tclause *c, unsigned which)
{
	for (struct entry_value *v = c->entries; v; v = v->next)
		if (v->is_register && v->which == which)
			return v;
	return NULL;
}

static bool register_is_saved_at(const struct tclause *c, const struct entry_value *like,
				 const struct probe_desc *desc)
{
	for (struct entry_value *v = c->entries; v; v = v->next)
		if (v->number == like->number && probe_desc_same(&v->at->desc, desc))
			return true;
	return false;
}

/* A clause at the entries of FUNCTION, of the file of P, a probe of C; NULL: a mistake. */
static struct tclause *clause_at_function(struct sema *s, const struct tclause *c,
					  const struct probe_desc *desc, struct range range)
{
	struct tclause *at = clause_of_call(s, c, range);
	probe_vector found = { 0 };
	at->desc = *desc;
	auto_error struct error *err = probe_db_match(s->probes, desc, &found);
	at->probe_count = (unsigned)found.count;
	at->probes = arena_alloc(s->arena, (found.count + 1) * sizeof(*at->probes));
	if (found.count)
		memcpy(at->probes, found.items, found.count * sizeof(*at->probes));
	vector_free(&found);
	if (at->probe_count)
		return at;
	mistake(s, range, D_ARGS_IDX,
		"this is what a register contained at the entry of %s, and %s:%s:%s:entry does not "
		"exist%s%s",
		desc->function, desc->provider, desc->module, desc->function, err ? ": " : "",
		err ? error_text(err) : "");
	return NULL;
}

/* What V, of C, is like is saved at the entries of FUNCTION, too. */
static bool register_save_at(struct sema *s, struct tclause *c, const struct entry_value *like,
			     const struct probe *p, const char *function)
{
	struct range range = like->node->range;
	bool is_named = *c->desc.module && glob_is_plain(c->desc.module);
	const struct probe_desc desc = { c->desc.provider, is_named ? c->desc.module : p->module,
					 arena_strdup(s->arena, function), "entry" };
	if (register_is_saved_at(c, like, &desc))
		return true;
	struct tclause *at = clause_at_function(s, c, &desc, range);
	if (!at)
		return false;
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	struct entry_value *v = ARENA_NEW(s->arena, struct entry_value);
	*v = *like;
	v->at = at;
	struct texpr *contents = texpr_new(s, TEXPR_UREG, number, range);
	contents->argument.index = like->which;
	struct texpr *index = texpr_integer(s, v->index, intrinsic(s, INTRINSIC_INT), range);
	index->next = contents;
	at->saves = v;
	at->arguments_read = 1u << EVENT_FRAME;
	at->body = tstmt_new(s, TSTMT_EXPRESSION, range);
	at->body->expr = subroutine_of(s, SUBROUTINE_register_save, index, range);
	at->body->number = 1;
	v->next = c->entries;
	c->entries = v;
	return true;
}

static unsigned count_registers(const struct tclause *c)
{
	unsigned count = 0;
	for (struct entry_value *v = c->entries; v; v = v->next)
		count = MAX(count, v->index + 1);
	return count;
}

/* The value of register WHICH in C, saved at all functions around C's probes; NULL: a mistake. */
static const struct entry_value *value_of_register(struct sema *s, struct tclause *c,
						   unsigned which, struct range range)
{
	const struct entry_value *known = register_known(c, which);
	if (known)
		return known;
	if (s->is_version) {
		mistake(s, range, D_ARGS_MULTI, "it is in another register of the caller's there");
		return NULL;
	}
	struct node *node = ARENA_NEW(s->arena, struct node);
	node->range = range;
	const struct entry_value like = { .number = ++s->result.entry_values,
					  .index = count_registers(c),
					  .key = CALL_BY_FRAME,
					  .node = node,
					  .is_register = true,
					  .which = which };
	for (unsigned i = 0; i < c->probe_count; i++) {
		const struct probe *p = c->probes[i];
		const char *const *functions = p->owner->process->functions_around(p);
		for (; *functions; functions++)
			if (!register_save_at(s, c, &like, p, *functions))
				return NULL;
	}
	c->arguments_read |= 1u << EVENT_FRAME;
	if (!register_known(c, which))
		mistake(s, range, D_ARGS_IDX,
			"this is what a register contained at the entry of a function that has no "
			"symbol");
	return register_known(c, which);
}

struct texpr *entry_register(struct sema *s, unsigned which, struct range range)
{
	const struct entry_value *v = value_of_register(s, s->clause, which, range);
	if (!v)
		return texpr_poison(s, range);
	struct texpr *index = texpr_integer(s, v->index, intrinsic(s, INTRINSIC_INT), range);
	return subroutine_of(s, SUBROUTINE_register_saved, index, range);
}

/* The register of the entry that argument INDEX is in at E; false: it is elsewhere. */
static bool event_has_entry_register(const struct event *e, unsigned index, unsigned *ret)
{
	const struct arg_location at = event_argument(e, index);
	*ret = at.base / 8;
	return at.kind == ARG_ENTRY_REGISTER;
}

void entry_registers_note(struct sema *s, struct tclause *c, unsigned index, struct range range)
{
	unsigned which;
	for (unsigned i = 0; i < c->probe_count && index < EVENT_ARGS; i++)
		for (const struct probe_event *e = c->probes[i]->events; e; e = e->next) {
			if (!event_is_placed(e->event.kind) ||
			    !event_has_entry_register(&e->event, index, &which) ||
			    (s->is_version && !register_known(c, which)))
				continue;
			value_of_register(s, c, which, range);
			for (struct entry_value *v = c->entries; v; v = v->next)
				v->is_argument = true;
		}
}
