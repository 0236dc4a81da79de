/* SPDX-License-Identifier: BSD-2-Clause */
/* What variables, assignments and keys need (needs.c) */
#include "plan/needs_internal.h"

void needs_lookup_or_insert(struct walk *w, int map, enum rt_function drop)
{
	if (w->inserts)
		w->inserts[map] += w->firings;
	needs_function(w, RT_map_lookup);
	needs_function(w, RT_map_update);
	needs_function(w, drop);
	needs_drop(w);
}

void needs_key(struct walk *w, const struct texpr *keys, const struct key_place *place)
{
	if (!plan_key_in_frame(w->plan, keys, place))
		needs_slot(w);
	for (unsigned i = 0; keys; keys = keys->next, i++)
		needs_field(w, keys, &place->fields[i], true);
	if (place->shard_offset)
		needs_function(w, RT_area);
}

/* The thread's block; MAKE: it is made if there is none. */
static void needs_block(struct walk *w, bool make)
{
	needs_function(w, make ? RT_self_make : RT_self_find);
	if (make)
		needs_drop(w);
}

static void needs_element_key(struct walk *w, const struct texpr *e, bool make)
{
	const struct variable *v = root_variable(e);
	const struct texpr *keys = e->kind == TEXPR_ELEMENT ? e->element.keys : NULL;
	needs_key(w, keys, &plan_variable(w->plan, v)->key);
	if (v->scope == SCOPE_SELF)
		needs_block(w, make);
}

static void needs_delete(struct walk *w, const struct texpr *e)
{
	const struct variable *v = root_variable(e);
	bool is_long = v->type->kind != TYPE_STRING && type_size(v->type) > 8;
	needs_element_key(w, e, false);
	needs_function(w, RT_map_delete);
	needs_function(w, is_long ? RT_drop_dynamic : RT_map_lookup);
	if (is_long)
		needs_drop(w);
}

static void needs_scalar(struct walk *w, const struct variable *v, bool make)
{
	if (v->scope == SCOPE_SELF)
		needs_block(w, make);
	else if (plan_variable(w->plan, v)->home == HOME_SLOT)
		needs_slot(w);
}

static void needs_index(struct walk *w, const struct texpr *e)
{
	if (!e->field.index)
		return;
	bool base = walk_push_pointer(w);
	needs_value(w, e->field.index);
	needs_fault(w);
	walk_pop(w, base);
}

void needs_address(struct walk *w, const struct texpr *e)
{
	if (plan_is_element(w->plan, e)) {
		needs_element_key(w, e, false);
		needs_function(w, RT_map_lookup);
	} else if (e->kind == TEXPR_VARIABLE) {
		needs_scalar(w, e->variable, false);
	} else if (e->kind == TEXPR_FIELD) {
		needs_address(w, e->field.base);
		needs_index(w, e);
	}
}

void needs_variable_value(struct walk *w, const struct texpr *e)
{
	if (!plan_is_in_frame(w->plan, e))
		needs_address(w, e);
}

void needs_target(struct walk *w, const struct texpr *e)
{
	if (plan_is_element(w->plan, e)) {
		needs_element_key(w, e, true);
		needs_lookup_or_insert(w, plan_variable(w->plan, root_variable(e))->key.map,
				       RT_drop_dynamic);
	} else if (e->kind == TEXPR_VARIABLE) {
		needs_scalar(w, e->variable, true);
	} else if (e->kind == TEXPR_LOAD) {
		needs_value(w, e->load.address);
		needs_own_pointer(w, type_size(e->type));
	} else {
		needs_target(w, e->field.base);
		needs_index(w, e);
	}
}

/* --- pointers --------------------------------------------------------------------------------- */

void needs_own_pointer(struct walk *w, uint32_t size)
{
	const struct typed_program *t = w->plan->typed;
	needs_slot(w);
	needs_fault(w);
	if (plan_largest_piece(w->plan) && plan_largest_piece(w->plan) >= size)
		needs_function(w, RT_piece_test);
	for (unsigned i = 0; i < t->variable_count[SCOPE_SELF]; i++) {
		const struct variable_place *place = &w->plan->variables[SCOPE_SELF][i];
		uint32_t room = type_size(t->variables[SCOPE_SELF][i]->type);
		if (place->is_pointed_to && place->home != HOME_MAP && room && room >= size)
			needs_block(w, false);
	}
}

void needs_own_bytes(struct walk *w)
{
	needs_fault(w);
	needs_own_pointer(w, 0);
}

static void needs_assigned_struct(struct walk *w, const struct texpr *e);

void needs_address_number(struct walk *w, const struct texpr *e)
{
	if (e->kind == TEXPR_ASSIGN) {
		needs_assigned_struct(w, e);
		return;
	}
	needs_address(w, e);
	needs_slot(w);
}

void needs_kept_address(struct walk *w, const struct texpr *e)
{
	const struct variable *v = root_variable(e);
	if (v && v->scope == SCOPE_SELF && plan_variable(w->plan, v)->home != HOME_MAP)
		needs_block(w, true);
	needs_address_number(w, e);
}

/* --- assignments ------------------------------------------------------------------------------ */

static void needs_assign_effect(struct walk *w, const struct texpr *e)
{
	bool is_seen = root_variable(e->assign.target) || plan_writes_variables(w->plan);
	if (is_seen && !plan_is_redone(w->plan, e))
		needs_effect(w);
}

/* What gives room back; false: TARGET is not such. */
static bool needs_assign_zero(struct walk *w, const struct texpr *target)
{
	if (plan_is_element(w->plan, target)) {
		needs_delete(w, target);
		return true;
	}
	if (target->kind != TEXPR_VARIABLE || target->variable->scope != SCOPE_SELF)
		return false;
	needs_scalar(w, target->variable, false);
	if (target->type->kind != TYPE_STRING && !is_number_size(type_size(target->type)))
		needs_function(w, RT_copy);
	return true;
}

static void needs_assign_text(struct walk *w, const struct texpr *target)
{
	needs_target(w, target);
	needs_slot(w);
	needs_function(w, target->type->kind == TYPE_ARRAY ? RT_text_store : RT_string_store);
}

static void needs_assign_number(struct walk *w, const struct texpr *e)
{
	const struct texpr *target = e->assign.target;
	needs_value(w, e->assign.value);
	if (plan_is_in_frame(w->plan, target))
		return;
	bool value = walk_push(w);
	if (plan_is_element(w->plan, target) && e->assign.value->kind != TEXPR_INTEGER)
		needs_delete(w, target);
	needs_target(w, target);
	walk_pop(w, value);
}

static void needs_assign_struct(struct walk *w, const struct texpr *e, bool wanted)
{
	const struct texpr *value = e->assign.value;
	if (value->kind == TEXPR_LOAD)
		needs_source(w, value->load.address, value->load.user);
	else if (wanted)
		needs_address_number(w, value);
	else
		needs_address(w, value);
	bool from = wanted ? walk_push(w) : walk_push_pointer(w);
	needs_target(w, e->assign.target);
	if (value->kind == TEXPR_LOAD) {
		needs_assign_effect(w, e);
		needs_read(w, value->load.user);
	} else {
		needs_function(w, RT_copy);
	}
	walk_pop(w, from);
}

void needs_assign(struct walk *w, const struct texpr *e)
{
	const struct texpr *target = e->assign.target;
	bool is_zero = is_zero_value(e->assign.value);
	if (root_variable(target) && is_zero && needs_assign_zero(w, target)) {
		/* nothing more */
	} else if (e->type->kind == TYPE_STRING) {
		needs_string_temp(w, e->assign.value);
		needs_assign_text(w, target);
	} else if (!type_is_struct(target->type) && target->type->kind != TYPE_ARRAY) {
		needs_assign_number(w, e);
	} else if (is_zero) {
		needs_target(w, target);
		needs_function(w, RT_copy);
	} else {
		needs_assign_struct(w, e, false);
	}
	needs_assign_effect(w, e);
}

void needs_assigned_string(struct walk *w, const struct texpr *e)
{
	needs_string(w, e->assign.value);
	if (!is_zero_value(e->assign.value) || !needs_assign_zero(w, e->assign.target))
		needs_assign_text(w, e->assign.target);
	needs_assign_effect(w, e);
}

static void needs_assigned_struct(struct walk *w, const struct texpr *e)
{
	if (is_zero_value(e->assign.value)) {
		needs_assign(w, e);
		needs_slot(w);
		return;
	}
	needs_assign_struct(w, e, true);
	needs_assign_effect(w, e);
}

void needs_update(struct walk *w, const struct texpr *e)
{
	const struct texpr *target = e->update.target;
	needs_value(w, e->update.value);
	bool value = walk_push(w);
	needs_target(w, target);
	bool address = walk_push_pointer(w), old = walk_push(w);
	needs_arithmetic(w, e->update.op, e->update.is_signed, true);
	walk_pop(w, old);
	walk_pop(w, address);
	walk_pop(w, value);
	if (root_variable(target) || plan_writes_variables(w->plan))
		needs_effect(w);
}
