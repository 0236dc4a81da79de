/* SPDX-License-Identifier: BSD-2-Clause */
/* What subroutines need (needs.c) */
#include "plan/needs_internal.h"

static const struct texpr *argument(const struct texpr *e, unsigned n)
{
	const struct texpr *a = e->call.args;
	while (a && n--)
		a = a->next;
	return a;
}

const struct rt_call *plan_rt_call(const struct texpr *e)
{
	static const struct {
		enum subroutine subroutine;
		struct rt_call call;
	} calls[] = {
		{ SUBROUTINE_strlen, { RT_strlen, "s", 0 } },
		{ SUBROUTINE_index, { RT_index, "ssn", 0 } },
		{ SUBROUTINE_rindex, { RT_rindex, "ssn", INT64_MAX } },
		{ SUBROUTINE_strtoll, { RT_strtoll, "sn", 10 } },
		{ SUBROUTINE_basename, { RT_basename, "s", 0 } },
		{ SUBROUTINE_dirname, { RT_dirname, "s", 0 } },
		{ SUBROUTINE_cleanpath, { RT_cleanpath, "s", 0 } },
		{ SUBROUTINE_lltostr, { RT_lltostr, "nn", 10 } },
		{ SUBROUTINE_strchr, { RT_strchr, "sn", 0 } },
		{ SUBROUTINE_strrchr, { RT_strrchr, "sn", 0 } },
		{ SUBROUTINE_strstr, { RT_strstr, "ss", 0 } },
		{ SUBROUTINE_strjoin, { RT_strjoin, "ss", 0 } },
		{ SUBROUTINE_substr, { RT_substr, "snn", INT64_MAX } },
		{ SUBROUTINE_tolower, { RT_tolower, "s", 0 } },
		{ SUBROUTINE_toupper, { RT_toupper, "s", 0 } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].subroutine == e->call.function)
			return &calls[i].call;
	return NULL;
}

/* Numbers are kept until all arguments are there. */
static void needs_rt_call(struct walk *w, const struct texpr *e, const struct rt_call *call)
{
	bool kept[4] = { false };
	for (unsigned i = 0; call->kinds[i]; i++) {
		const struct texpr *a = argument(e, i);
		if (call->kinds[i] == 's') {
			needs_string_temp(w, a);
		} else if (a) {
			needs_value(w, a);
			kept[i] = walk_push(w);
		}
	}
	for (unsigned i = 0; call->kinds[i]; i++)
		walk_pop(w, kept[i]);
	needs_function(w, call->function);
	needs_slot_fault(w);
}

/* A function with one number, which needs nothing else; RT_COUNT: E's subroutine is not such. */
static enum rt_function simple_function(enum subroutine subroutine)
{
	switch (subroutine) {
	case SUBROUTINE_getf:
		return RT_getf;
	case SUBROUTINE_progenyof:
		return RT_progenyof;
	case SUBROUTINE_target_of:
		return RT_target_of;
	case SUBROUTINE_rand:
		return RT_random;
	case SUBROUTINE_speculation:
		return RT_speculation;
	default:
		return RT_COUNT;
	}
}

/* A function of an address; its result or fault is written to the slot. */
static enum rt_function slot_function(enum subroutine subroutine)
{
	switch (subroutine) {
	case SUBROUTINE_mutex_owned:
		return RT_mutex_owned;
	case SUBROUTINE_mutex_owner:
		return RT_mutex_owner;
	case SUBROUTINE_rw_read_held:
		return RT_rw_read_held;
	case SUBROUTINE_rw_write_held:
		return RT_rw_write_held;
	case SUBROUTINE_rw_iswriter:
		return RT_rw_iswriter;
	case SUBROUTINE_d_path:
		return RT_d_path;
	case SUBROUTINE_inet_ntoa:
		return RT_inet_ntoa;
	case SUBROUTINE_inet_ntoa6:
		return RT_inet_ntoa6;
	case SUBROUTINE_inet_ntop:
		return RT_inet_ntop;
	case SUBROUTINE_link_ntop:
		return RT_link_ntop;
	default:
		return RT_COUNT;
	}
}

static void needs_slot_function(struct walk *w, const struct texpr *e, enum rt_function function)
{
	bool kept = false;
	const struct texpr *address =
		argument(e, function == RT_inet_ntop || function == RT_link_ntop);
	for (const struct texpr *a = e->call.args; a; a = a->next) {
		needs_source(w, a, a != address);
		walk_pop(w, kept);
		kept = a->next && walk_push(w);
	}
	w->needs->kernel_memory = true;
	needs_slot(w);
	needs_function(w, function);
	needs_slot_fault(w);
}

/* As codegen/task_test.c. */
static void needs_task_test(struct walk *w, const struct texpr *task)
{
	const struct plan_options *o = w->plan->options;
	needs_value(w, task);
	walk_pop(w, walk_push(w));
	if (o->tests_tree)
		needs_function(w, RT_target_of);
	needs_function(w, RT_kernel_word);
	for (unsigned i = 0; i < o->task_test_count; i++)
		if (o->task_tests[i].kind == TASK_IN_CGROUPS)
			needs_function(w, RT_cgroup_traced);
}

void needs_copyinstr(struct walk *w, const struct texpr *e)
{
	needs_value(w, argument(e, 0));
	bool address = walk_push(w);
	if (argument(e, 1))
		needs_value(w, argument(e, 1));
	walk_pop(w, address);
}

/* Room in alloca memory; true: its offset is kept in a register. */
static bool needs_alloca_room(struct walk *w, const struct texpr *size)
{
	needs_slot(w);
	if (!is_constant_size(size)) {
		needs_fault(w);
		needs_value(w, size);
	}
	return walk_push(w);
}

static void needs_alloca(struct walk *w, const struct texpr *e)
{
	bool offset = needs_alloca_room(w, argument(e, 0));
	needs_function(w, RT_copy);
	walk_pop(w, offset);
}

static void needs_copyin(struct walk *w, const struct texpr *e)
{
	needs_value(w, argument(e, 0));
	bool address = walk_push(w);
	bool offset = needs_alloca_room(w, argument(e, 1));
	needs_read(w, true);
	walk_pop(w, offset);
	walk_pop(w, address);
}

/* TO, a part of a variable, and SIZE; copyinto() has them in the other order. */
static void needs_owned_part(struct walk *w, const struct texpr *to, const struct texpr *size,
			     bool size_first)
{
	bool kept = false;
	if (!size_first) {
		needs_target(w, to);
		kept = walk_push_pointer(w);
	}
	needs_value(w, size);
	needs_fault(w);
	if (size_first) {
		kept = walk_push(w);
		needs_target(w, to);
	}
	walk_pop(w, kept);
}

static void needs_own_part(struct walk *w, const struct texpr *to, const struct texpr *size,
			   bool size_first)
{
	needs_value(w, size_first ? size : to);
	bool first = walk_push(w);
	needs_value(w, size_first ? to : size);
	bool bytes = !size_first && walk_push(w);
	needs_own_bytes(w);
	walk_pop(w, bytes);
	walk_pop(w, first);
}

static void needs_copy_into(struct walk *w, const struct texpr *from, const struct texpr *to,
			    const struct texpr *size, bool user)
{
	bool size_first = user;
	needs_source(w, from, user);
	bool address = walk_push(w);
	if (plan_has_known_room(w->plan, to)) {
		needs_owned_part(w, to->operand, size, size_first);
	} else if (is_constant_size(size)) {
		needs_value(w, to);
		needs_own_pointer(w, (uint32_t)size->integer);
	} else {
		needs_own_part(w, to, size, size_first);
	}
	walk_pop(w, address);
	if (to->kind == TEXPR_ADDRESS || plan_writes_variables(w->plan))
		needs_effect(w);
	needs_read(w, user);
}

static void needs_raise(struct walk *w, const struct texpr *signal)
{
	needs_fault(w);
	if (signal)
		needs_value(w, signal);
	needs_function(w, RT_raise);
	needs_effect(w);
}

static void needs_write(struct walk *w)
{
	w->needs->user_memory = true;
	needs_function(w, RT_write_user);
	needs_fault(w);
}

static void needs_copyout(struct walk *w, const struct texpr *e)
{
	needs_slot(w);
	bool user = type_is_userland(argument(e, 0)->type);
	needs_source(w, argument(e, 0), user);
	bool from = walk_push(w);
	needs_value(w, argument(e, 1));
	bool to = walk_push(w);
	needs_value(w, argument(e, 2));
	needs_fault(w);
	bool bytes = walk_push(w);
	needs_read(w, user);
	walk_pop(w, bytes);
	walk_pop(w, to);
	walk_pop(w, from);
	needs_write(w);
}

static void needs_copyoutstr(struct walk *w, const struct texpr *e)
{
	needs_string_temp(w, argument(e, 0));
	needs_value(w, argument(e, 1));
	bool to = walk_push(w);
	needs_value(w, argument(e, 2));
	walk_pop(w, to);
	needs_fault(w);
	needs_write(w);
}

/* strtok() and json(): of two strings. */
static void needs_text_function(struct walk *w, const struct texpr *e, enum rt_function function)
{
	needs_string_temp(w, argument(e, 0));
	needs_string_temp(w, argument(e, 1));
	needs_function(w, function);
	needs_slot_fault(w);
}

static bool needs_memory_call(struct walk *w, const struct texpr *e)
{
	switch (e->call.function) {
	case SUBROUTINE_alloca:
		needs_alloca(w, e);
		return true;
	case SUBROUTINE_copyin:
		needs_copyin(w, e);
		return true;
	case SUBROUTINE_copyinto:
		needs_copy_into(w, argument(e, 0), argument(e, 2), argument(e, 1), true);
		return true;
	case SUBROUTINE_bcopy:
		needs_copy_into(w, argument(e, 0), argument(e, 1), argument(e, 2), false);
		return true;
	case SUBROUTINE_copyout:
		needs_copyout(w, e);
		return true;
	case SUBROUTINE_copyoutstr:
		needs_copyoutstr(w, e);
		return true;
	default:
		return false;
	}
}

void needs_call(struct walk *w, const struct texpr *e)
{
	const struct rt_call *call = plan_rt_call(e);
	enum rt_function function = slot_function(e->call.function);
	if (call) {
		needs_rt_call(w, e, call);
		return;
	}
	if (function != RT_COUNT) {
		needs_slot_function(w, e, function);
		return;
	}
	if (needs_memory_call(w, e))
		return;
	switch (e->call.function) {
	case SUBROUTINE_stop:
	case SUBROUTINE_raise:
		needs_raise(w, e->call.function == SUBROUTINE_raise ? argument(e, 0) : NULL);
		return;
	case SUBROUTINE_strtok:
		needs_text_function(w, e, RT_strtok);
		needs_effect(w);
		return;
	case SUBROUTINE_json:
		needs_text_function(w, e, RT_json);
		return;
	case SUBROUTINE_is_traced:
		needs_task_test(w, argument(e, 0));
		return;
	default:
		break;
	}
	function = simple_function(e->call.function);
	if (argument(e, 0))
		needs_value(w, argument(e, 0));
	if (function != RT_COUNT)
		needs_function(w, function);
	if (e->call.function == SUBROUTINE_speculation)
		needs_effect(w);
}
