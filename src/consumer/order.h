/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order - a queue of records for each lane, merged by time
 *
 * A lane is an area of a source: the areas of the first source, then those of the second, ...
 *
 * A queue's records are copied one after another into chunks.  An array of
 * (time, place) is kept sorted by insertion from its tail: a lane's records
 * arrive sorted except a few whose firing was interrupted.
 */
#ifndef CONSUMER_ORDER_H
#define CONSUMER_ORDER_H

#include "base/base.h"

struct order;

struct order *order_new(unsigned lane_count);
void order_free(struct order *o); /* NULL is fine */

void order_add(struct order *o, unsigned lane, uint64_t time, const void *data, uint32_t size);
size_t order_count(const struct order *o);

/* Visit records older than WATERMARK in order.  A record whose visit fails is removed, too. */
typedef struct error *order_visit_fn(void *arg, unsigned lane, const void *data, uint32_t size);
MUST_CHECK struct error *order_visit(struct order *o, uint64_t watermark, order_visit_fn *visit,
				     void *arg);

#endif
