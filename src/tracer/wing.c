/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/wing.h"

#include "tracer/internal.h"

#define WING(name) extern const struct wing name##_wing;
#include "tracer/wing.def"
#undef WING

const struct wing *const wings[] = {
#define WING(name) &name##_wing,
#include "tracer/wing.def"
#undef WING
	NULL,
};

void wings_new(struct tracer *t)
{
#define WING(name) t->name = mem_zalloc(name##_wing.size);
#include "tracer/wing.def"
#undef WING
	wings_do(new, t);
}

void wings_free(struct tracer *t)
{
	wings_do(free, t);
#define WING(name) free(t->name);
#include "tracer/wing.def"
#undef WING
}
