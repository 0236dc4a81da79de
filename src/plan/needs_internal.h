/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the files that determine a clause's needs; see needs.c */
#ifndef PLAN_NEEDS_INTERNAL_H
#define PLAN_NEEDS_INTERNAL_H

#include "plan/plan_internal.h"

/* The state of the walk through a clause. */
struct walk {
	const struct plan *plan;
	const struct tclause *clause;
	enum event_kind event;
	bool in_error;
	struct needs *needs;
	bool in_body;	      /* after the predicate */
	unsigned statement;   /* number of the current statement */
	unsigned registers;   /* that keep a value meanwhile */
	bool has_effect;      /* something outside the firing may have been changed by now */
	unsigned effect_at;   /* ... since this statement */
	bool reads_late;      /* user memory is read after that */
	bool predicate_fails; /* ... may: with an address in the frame */
	bool faults;	      /* some statement may */
	uint32_t *inserts;    /* by map: elements that FIRINGS may make; NULL: not wanted */
	uint32_t firings;
};

/* --- needs.c: one need --- */
void needs_slot(struct walk *w);
void needs_time(struct walk *w);
void needs_run_time(struct walk *w);
void needs_function(struct walk *w, enum rt_function function);
void needs_instructions(struct walk *w); /* those of one more value */
void needs_drop(struct walk *w);	 /* dropsby=clause */
void needs_effect(struct walk *w);
void needs_fault(struct walk *w);
/* A fault that the run-time library writes to the slot. */
void needs_slot_fault(struct walk *w);
/* A read, with a fault where the memory is absent. */
void needs_read(struct walk *w, bool user);
void needs_quiet_read(struct walk *w); /* of the kernel; 0 instead of a fault */
void needs_text(struct walk *w, bool user);
void needs_piece_test(struct walk *w); /* the table of pieces is searched */
bool walk_is_resumed(const struct walk *w);
bool walk_may_sleep(const struct walk *w);
/* A value is kept while others are computed; false: not in a register. */
bool walk_push(struct walk *w);
bool walk_push_pointer(struct walk *w); /* never in the slot */
void walk_pop(struct walk *w, bool in_register);

/* --- needs_value.c --- */
void needs_value(struct walk *w, const struct texpr *e);
/* The value of E, an address that is read; USER: as one of a process. */
void needs_source(struct walk *w, const struct texpr *e, bool user);
void needs_condition(struct walk *w, const struct texpr *e);
void needs_discarded(struct walk *w, const struct texpr *e);
void needs_frames(struct walk *w, bool user);
void needs_string(struct walk *w, const struct texpr *e);
void needs_string_temp(struct walk *w, const struct texpr *e);
void needs_string_at(struct walk *w, const struct texpr *e); /* plan_is_text() */
/* MAY_FAULT: plan_may_divide_by_zero() */
void needs_arithmetic(struct walk *w, enum op op, bool is_signed, bool may_fault);

/* --- needs_variable.c --- */
void needs_address(struct walk *w, const struct texpr *e);
void needs_address_number(struct walk *w, const struct texpr *e);
void needs_kept_address(struct walk *w, const struct texpr *e);
void needs_variable_value(struct walk *w, const struct texpr *e);
void needs_target(struct walk *w, const struct texpr *e);
void needs_assign(struct walk *w, const struct texpr *e);
void needs_assigned_string(struct walk *w, const struct texpr *e);
void needs_update(struct walk *w, const struct texpr *e);
void needs_key(struct walk *w, const struct texpr *keys, const struct key_place *place);
void needs_lookup_or_insert(struct walk *w, int map, enum rt_function drop);
/* SIZE bytes are written through a pointer. */
void needs_own_pointer(struct walk *w, uint32_t size);
void needs_own_bytes(struct walk *w); /* ... a number of bytes known only at run time */

/* --- needs_field.c --- */
void needs_field(struct walk *w, const struct texpr *e, const struct value_field *f, bool in_key);
void needs_comm(struct walk *w);

/* --- needs_call.c --- */
void needs_call(struct walk *w, const struct texpr *e);
void needs_copyinstr(struct walk *w, const struct texpr *e);

#endif
