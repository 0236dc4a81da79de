/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order - one queue of records per lane, merged by time
 *
 * A lane is an area of a source: sources one after another, each by its areas.
 *
 * A queue's records are copied one behind the other into chunks; beside them
 * stands an array of (time, place), kept sorted by inserting from its tail: a
 * lane's records arrive sorted but for a few whose firing was interrupted.
 */
#ifndef CONSUMER_ORDER_H
#define CONSUMER_ORDER_H

#include "base/base.h"

struct order;

struct order *order_new(unsigned lane_count);
void order_free(struct order *o); /* NULL is fine */

void order_add(struct order *o, unsigned lane, uint64_t time, const void *data, uint32_t size);
size_t order_count(const struct order *o);

/* Visit records older than WATERMARK in order.  One whose visit fails is gone. */
typedef struct error *order_visit_fn(void *arg, unsigned lane, const void *data, uint32_t size);
MUST_CHECK struct error *order_visit(struct order *o, uint64_t watermark, order_visit_fn *visit,
				     void *arg);

#endif
