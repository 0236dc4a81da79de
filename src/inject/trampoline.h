/* SPDX-License-Identifier: BSD-2-Clause */
/* trampoline - the code of one firing */
#ifndef INJECT_TRAMPOLINE_H
#define INJECT_TRAMPOLINE_H

#include "abi/process.h"
#include "patch/patch.h"
#include "translate/translate.h"

/* What r12 points to in translated code, on the thread's stack. */
struct firing {
	uint64_t area, cookie;
};

struct trampoline {
	uint64_t function;		/* of the translated group */
	const struct translation *code; /* context_words, registers, stack */
	uint64_t cookie;		/* as RT_cookie gives it */
	uint64_t pc;			/* of the site, as the context has it */
	uint64_t base;			/* of the agent's image in the process */
	const struct process_head *head;
	uint64_t find_area; /* the slow path: agent_area(), or a variant */
	bool may_lack_tls;  /* the thread pointer may be 0 here */
};

/* A patch_fire_fn; TRAMPOLINE is a struct trampoline. */
void trampoline_fire(void *trampoline, const struct patch_firing *f, struct patch_code *to);

#endif
