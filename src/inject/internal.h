/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of inject/; see inject.h */
#ifndef INJECT_INTERNAL_H
#define INJECT_INTERNAL_H

#include "agent/agent.h"
#include "image/image.h"
#include "inject/inject.h"
#include "process/process.h"
#include "translate/translate.h"

/* The process that the code is in. */
struct injected {
	struct process *process; /* NULL: there is none */
	int pid;
	uint64_t base; /* of the agent's image in it; own page and memory: abi/process.h */
	/* Where our code is in it, the agent's image among it. */
	VECTOR(struct address_range) code;
	bool has_ended; /* it has ended, executed another program, or damaged the memory */
};

struct sites; /* of sites.c */

struct injector {
	const struct program *program;
	struct executor_options options;
	struct agent_layout layout;
	struct agent_view view; /* its memory: ours, at another address than the process's */
	void *interpreter;	/* of BEGIN, END and ticks: interpreter_on() */
	struct injected target;
	struct sites *sites;
};

/* Addresses in the process. */
static inline uint64_t target_memory(const struct injector *i)
{
	return i->target.base + PROCESS_MEMORY_AT;
}

static inline uint64_t target_function(const struct injector *i, const char *name)
{
	return i->target.base + agent_symbol(name);
}

/* --- refer.c --- */

/* What a group's references mean in the process: GROUP's owner, valid as long as G. */
struct group_owner {
	const struct injector *injector;
	unsigned group; /* of the program */
};
struct translate_owner group_owner(struct group_owner *g);

#endif
