/* SPDX-License-Identifier: BSD-2-Clause */
/* list - the rows of a view that are shown: folded, filtered, sorted */
#ifndef SHOW_TOP_LIST_H
#define SHOW_TOP_LIST_H

#include "show/top/table.h"

enum column_kind { COLUMN_KEY, COLUMN_AMOUNT, COLUMN_RATE, COLUMN_P50, COLUMN_P99, COLUMN_SHAPE };

struct column {
	enum column_kind kind;
	unsigned index; /* of the key or amount */
	char title[32];
};

struct list {
	VECTOR(struct column) columns;
	VECTOR(struct row *) rows;
	struct table *folded; /* the groups; NULL: the rows are the view's own */
	unsigned keys;	      /* that are shown; 0: all */
	size_t sort;	      /* column; SIZE_MAX: the first that is no key */
	bool is_reversed;
	struct strbuf filter; /* rows with this text in a key, small letters as capital ones */
};

void list_deinit(struct list *l);

/* The columns and rows of V, as the members above want them. */
void list_make(struct list *l, const struct view *v);

/* The column by which it is sorted; an index of columns. */
size_t list_sorted(const struct list *l);

#endif
