/* SPDX-License-Identifier: BSD-2-Clause */
/* losses - data that were lost, and clauses that faults ended, by their kind and place */
#ifndef SHOW_HTML_LOSSES_H
#define SHOW_HTML_LOSSES_H

#include "show/show.h"

struct loss {
	uint64_t count;
	char *text;	   /* of the last one, without its count */
	const char *place; /* the probe's names, "" if there is none; owned by the list */
};

struct losses {
	VECTOR(struct loss) list;
	uint64_t others; /* kinds that are not in the list */
	struct hash *index;
	struct arena *places;
};

void losses_init(struct losses *l);
void losses_deinit(struct losses *l);

void losses_add_drop(struct losses *l, struct json_object *line);
void losses_add_error(struct losses *l, struct json_object *line);

#endif
