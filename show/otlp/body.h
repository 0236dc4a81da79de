/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * body - metrics as a request of OTLP, in JSON
 *
 * Numbers of 64 bits are strings of digits, as the JSON form of protobuf has them.
 */
#ifndef SHOW_OTLP_BODY_H
#define SHOW_OTLP_BODY_H

#include "show/openmetrics/metrics.h"

struct body_times {
	uint64_t start, now; /* ns since 1970 */
};

/* LOST: batches that were thrown away.  The caller releases it by json_object_put(). */
struct json_object *body_make(const struct metrics *m, const struct show *show,
			      struct body_times times, uint64_t lost);

#endif
