/* SPDX-License-Identifier: BSD-2-Clause */
/* translator - shared by translator.c and translated.c */
#ifndef SEMA_TRANSLATOR_H
#define SEMA_TRANSLATOR_H

#include "sema/sema_internal.h"

struct translator {
	struct translator *next; /* defined before */
	const struct translator_node *node;
	const struct type *output, *input;
	enum declarer declarer;
	struct unit *unit; /* of DECLARED_BY_FILE */
	uint32_t since;	   /* version of D; 0: always */
};

/* M's expression with INPUT for T's parameter, and no other parameter in sight; COST: see binding.
 */
struct texpr *translator_value(struct sema *s, const struct translator *t,
			       const struct translator_member *m, struct texpr *input,
			       unsigned cost);

#endif
