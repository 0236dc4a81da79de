/* SPDX-License-Identifier: BSD-2-Clause */
/* action - what the files share that check actions */
#ifndef SEMA_ACTION_H
#define SEMA_ACTION_H

#include "sema/sema_internal.h"

/* A call that is a statement, and what becomes of it. */
struct call {
	const char *name;
	const struct node *node, *args;
	unsigned count;
	struct tstmt *stmt;
	struct texpr **end;
};

/* One more value to record. */
void call_add(struct call *c, struct texpr *e);
void call_wrong_count(struct sema *s, const struct call *c, enum diagnostic_tag tag,
		      const char *wanted);
/* An integer constant from LOW to HIGH; else TAG. */
bool constant_argument(struct sema *s, const struct node *n, const char *what, int64_t low,
		       int64_t high, enum diagnostic_tag tag, int64_t *ret);

/* Each checks one kind of action and fills c->stmt in.  False: a mistake. */
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

/* destructive.c: stop(), raise() and their kin, which leave nothing in the record */
bool destructive_is_name(const char *name);
struct tstmt *destructive_check(struct sema *s, const struct node *call);

#endif
