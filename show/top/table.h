/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table - rows of printings, and how fast their values grow
 *
 * A view is what one printa() prints, or the snapshots of an aggregation that none prints.  Its
 * table is the last printing that is whole; the next one is collected in another table and then
 * replaces it.  The rate of a row is its difference to the table before; of an aggregation that was
 * cleared since, all of its value.
 */
#ifndef SHOW_TOP_TABLE_H
#define SHOW_TOP_TABLE_H

#include <json-c/json.h>

#include "show/show.h"
#include "show/top/amount.h"

#define AMOUNTS_MOST 8 /* aggregations that one printa() joins; more are left out */

struct frames {
	const char **names; /* innermost first */
	size_t count;
	bool is_kernel, is_truncated;
};

struct row {
	const char *key; /* the texts of all keys, each with a NUL after it */
	size_t key_len;
	unsigned key_count;
	const char **texts;    /* of each key; of a stack its frames in one line */
	struct frames *frames; /* of each key; count 0: it is no stack */
	struct amount amounts[];
};

struct table {
	struct arena *arena;
	unsigned amount_count; /* of each row */
	VECTOR(struct row *) rows;
	struct hash *index; /* key to row */
	uint64_t time;	    /* of the printing; 0: not known */
};

struct view {
	char *title; /* "@a[execname] = count()", "@a, @b" */
	VECTOR(char *)
	key_names; /* as the program has them; none if the stream does not say them */
	unsigned amount_count;
	char *names[AMOUNTS_MOST];
	char *functions[AMOUNTS_MOST];
	enum function kinds[AMOUNTS_MOST];
	unsigned key_count;  /* of its last row */
	uint64_t clause;     /* of the printa(); 0: snapshots */
	struct table *table; /* NULL: none is whole yet */
	struct table *next;  /* is being collected; NULL: none */
	uint64_t next_id;    /* of the printing that it collects */
	uint64_t ended_at;   /* time of the last printing that was whole, also if it is not shown */
	bool is_cleared;     /* since then */
};

struct views {
	VECTOR(struct view *) list;
	bool is_held;	  /* new tables are not shown */
	bool has_changed; /* a table has been replaced; for the caller, who sets it to false */
};

void views_deinit(struct views *v);

/* A line of the stream. */
void views_line(struct views *v, const struct show *s, const char *type, struct json_object *line);
/* Nothing follows: what was collected is shown. */
void views_end(struct views *v);

/* The row that has KEY; NULL: none. */
struct row *table_row(const struct table *t, const char *key, size_t len);

/* The text of the key I, "" if the row has fewer. */
static inline const char *row_text(const struct row *row, unsigned i)
{
	return i < row->key_count ? row->texts[i] : "";
}

/* A table in which row_place() makes rows of so many amounts. */
struct table *table_new(uint64_t time, unsigned amount_count);
void table_free(struct table *t); /* NULL is fine */

/* The row with KEY, whose amounts are not known if it is new; *IS_NEW: then the caller sets all
 * else.
 */
struct row *row_place(struct table *t, const char *key, size_t len, unsigned keys, bool *is_new);

#endif
