/* SPDX-License-Identifier: BSD-2-Clause */
/* What fields of records and keys need (needs.c) */
#include "plan/needs_internal.h"

void needs_comm(struct walk *w)
{
	needs_function(w, walk_is_resumed(w) ? RT_copy : RT_comm);
}

/* A literal is known to be longer than a string. */
static void needs_cut(struct walk *w, const struct texpr *e)
{
	if (strnlen(e->string.text, e->string.len) <= w->plan->options->string_size)
		return;
	needs_slot(w);
	needs_function(w, RT_truncated);
}

static void needs_string_field(struct walk *w, const struct texpr *e, const struct value_field *f,
			       bool in_key)
{
	if (!in_key) {
		needs_string_temp(w, e);
		needs_function(w, RT_string_record);
		needs_slot_fault(w);
		return;
	}
	if (e->kind == TEXPR_STRING && e->string.text && f->size <= KEY_LITERAL_WORDS) {
		needs_cut(w, e);
		return;
	}
	if (is_execname(e) && f->size >= 16) {
		needs_comm(w);
		return;
	}
	if (f->size > KEY_CLEARED_IN_LINE)
		needs_function(w, RT_copy);
	if (plan_is_text(e) && f->size > w->plan->options->string_size) {
		needs_string_at(w, e);
		return;
	}
	needs_string_temp(w, e);
	needs_function(w, RT_string_key);
	needs_slot_fault(w);
}

static void needs_bytes_field(struct walk *w, const struct texpr *e)
{
	if (e->kind == TEXPR_LOAD) {
		needs_source(w, e->load.address, e->load.user);
		needs_read(w, e->load.user);
	} else {
		needs_address(w, e);
		needs_function(w, RT_copy);
	}
}

static void needs_stack_field(struct walk *w, const struct texpr *e, bool in_key)
{
	if (in_key) {
		needs_function(w, RT_copy);
		needs_slot(w);
	}
	if (e->stack.user)
		needs_function(w, in_key ? RT_pid_tgid : RT_ustack_tgid);
	needs_frames(w, e->stack.user);
	if (e->stack.interpreted)
		needs_function(w, RT_interpreted);
}

void needs_field(struct walk *w, const struct texpr *e, const struct value_field *f, bool in_key)
{
	switch (f->kind) {
	case VALUE_INTEGER:
		needs_value(w, e);
		return;
	case VALUE_STRING:
		needs_string_field(w, e, f, in_key);
		return;
	case VALUE_STRING_INLINE:
		needs_comm(w);
		return;
	case VALUE_STRING_CONST:
		needs_cut(w, e);
		return;
	case VALUE_BYTES:
	case VALUE_FLOAT:
		needs_bytes_field(w, e);
		return;
	case VALUE_STACK:
	case VALUE_USTACK:
		needs_stack_field(w, e, in_key);
		return;
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		needs_value(w, e->symbol.address);
		if (f->size == 16)
			needs_function(w, RT_pid_tgid);
		return;
	default:
		return;
	}
}
