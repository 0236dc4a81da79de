/* SPDX-License-Identifier: BSD-2-Clause */
/* groups - the program's groups in the place of a file, and what calls their code */
#ifndef INJECT_GROUPS_H
#define INJECT_GROUPS_H

#include "abi/process.h"
#include "inject/code/code.h"
#include "inject/internal.h"

/* The group of the dynamic linker's site: the agent waits there for probes of libraries. */
#define LINKER_GROUP UINT32_MAX
/* Of the sites at execve(): it waits for the tracer (executed.c). */
#define EXEC_GROUP (UINT32_MAX - 1)
/* Of those before calls that make children: the cookie is the call's number. */
#define FORK_GROUP (UINT32_MAX - 2)
enum { CALL_CLONE = 56, CALL_VFORK = 58, CALL_CLONE3 = 435 }; /* of x86_64, as the code is */
#define CALL_ANY 0 /* at syscall(), whose calls may also be execve() */

static inline bool group_is_agents(uint32_t group)
{
	return group >= FORK_GROUP;
}

/* A group's code in a place. */
struct placed_group {
	uint64_t function; /* 0: the file has no site of it */
	uint64_t reads;	   /* as in struct patch_site */
	struct translation code;
};

/* The owner sets all but the groups, and calls placed_deinit(). */
struct placed {
	struct code_place place;
	struct injector *injector;
	const struct injected_program *program;
	uint64_t thread_number; /* of struct process_own */
	bool may_lack_tls;
	/* Of each group whose returns follow jumps: addresses of the functions that are covered
	 * (abi/exit.h), sorted. */
	const offset_vector *covered;
	struct placed_group *groups; /* of the program; owned */
};

/* Bytes that are enough for a place with so many SITES. */
uint64_t placed_room(const struct program *p, const offset_vector *covered, size_t sites);
/* The code of the groups that SITES are of; what it reads decides where windows can be. */
MUST_CHECK struct error *placed_groups(struct placed *p, code_site_vector *sites);
void placed_deinit(struct placed *p);

/* ARG: struct placed. */
code_fire_fn placed_fire;

/* --- exits.c: around the code of a group whose returns follow jumps --- */

struct exits_group {
	uint64_t function;	 /* the group's translated code */
	uint64_t agent_exits;	 /* of the image */
	const uint64_t *covered; /* head.covered_count of them */
	struct process_exits head;
};

#define EXITS_CODE_SIZE 160u /* without addresses of covered functions */
#define EXITS_STACK 80u	     /* that the code takes, with its return address */

/* Appended to TO; the result is its address.  It is a C function of the context, as the group's. */
uint64_t exits_put(struct patch_code *to, const struct exits_group *g);

#endif
