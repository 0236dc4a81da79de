/* SPDX-License-Identifier: BSD-2-Clause */
/* action - statements: actions, aggregations, speculations, what they may follow, their formats */
#ifndef SEMA_ACTION_H
#define SEMA_ACTION_H

#include "sema/sema_internal.h"

/* Order of statements in a clause: docs/guide/language.md. */
enum rule_event {
	RULE_RECORD = 1,
	RULE_AGGREGATE = 2,
	RULE_COMMIT = 4,
	RULE_SPECULATE = 8,
	RULE_DESTRUCTIVE = 16,
	RULE_EXIT = 32,
};
/* EVENTS, one or several, of an action whose arguments are right: mistakes in these come first. */
void rule_note(struct sema *s, unsigned events, struct range range);

/* The statements of a clause, or of a part of one (clause.c). */
struct tstmt *statements_check(struct sema *s, const struct node *list);

/* --- loops (loop.c) --- */
/* BEFORE is the statement before it, or NULL. */
struct tstmt *loop_check(struct sema *s, const struct node *n, const struct tstmt *before);
/* The parts of a loop N: what it changes is in the slot. */
void loop_body_check(struct sema *s, const struct node *n, struct tstmt *loop);
struct tstmt *foreach_check(struct sema *s, const struct node *n); /* foreach.c */
struct tstmt *loop_leave_check(struct sema *s, const struct node *n);

/* --- actions (action.c, action_*.c) --- */
struct tstmt *action_check(struct sema *s, const struct node *call);
/* One more value to record. */
void call_add_value(struct call *c, struct texpr *e);
/* Each function checks one kind of action and fills in c->stmt.  False: a mistake. */
bool check_printf(struct sema *s, struct call *c);
/* action_aggregation.c */
bool check_printa(struct sema *s, struct call *c);
bool check_clear(struct sema *s, struct call *c);
bool check_trunc(struct sema *s, struct call *c);
bool check_normalize(struct sema *s, struct call *c);
bool check_denormalize(struct sema *s, struct call *c);
/* action_memory.c */
bool check_tracemem(struct sema *s, struct call *c);
bool check_print(struct sema *s, struct call *c);
bool check_pcap(struct sema *s, struct call *c);
/* action_command.c */
bool check_freopen(struct sema *s, struct call *c);
bool check_ftruncate(struct sema *s, struct call *c);
bool check_setopt(struct sema *s, struct call *c);

/* --- @a[k] = f(x) (aggregate.c) --- */
struct tstmt *aggregate_check(struct sema *s, const struct node *assign);
struct aggregation *aggregation_find(struct sema *s, const char *name);

/* --- speculation.c --- */
struct tstmt *speculation_check(struct sema *s, enum speculation_verb verb,
				const struct node *call);
/* Does BODY consist only of speculate()? */
bool speculation_is_all(const struct tstmt *body);

/* --- formats (printf_check.c) --- */
/*
 * Check ARGS against FORMAT: the values to record, in order; *COUNT: their
 * number.  False: a mistake.
 */
bool printf_check(struct sema *s, const char *name, const char *format, const struct node *args,
		  struct range range, struct texpr **ret, unsigned *count);
void printa_check(struct sema *s, const char *format, struct aggregation *const *aggregations,
		  unsigned count, struct range range);

/* --- entry_probe.c: entries of C's calls --- */
enum call_key entry_key_of(const struct tclause *c);
/* A clause that sema makes at C's probes; at their entries, NULL: a mistake. */
struct tclause *clause_of_call(struct sema *s, const struct tclause *c, struct range range);
struct tclause *clause_at_entry(struct sema *s, const struct tclause *c, struct range range);

#endif
