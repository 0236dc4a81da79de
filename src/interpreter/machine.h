/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine - runs the instructions that codegen emits, in this process
 *
 * The machine is stricter than the kernel: registers and the frame begin as garbage, calls destroy
 * R1 to R5, and each access must be in a region that the program may access.  The owner of the
 * machine supplies the functions and memory that code refers to.
 */
#ifndef INTERPRETER_MACHINE_H
#define INTERPRETER_MACHINE_H

#include "abi/abi.h"
#include "base/base.h"

struct machine_region {
	const char *bytes;
	size_t size;
	bool read_only;
};

struct machine_elements {
	struct strbuf keys;
	size_t key_size;
	VECTOR(uint64_t) values; /* addresses */
};

struct machine {
	void *arg; /* of the functions */
	uint64_t (*call)(void *arg, enum rt_function function, const uint64_t *r);
	/* The result of a 16-byte load; false: not loadable. */
	bool (*refer)(void *arg, const struct relocation *r, uint64_t *ret);
	/* For RT_for_each: the keys and values of MAP, each key copied; may be NULL. */
	void (*elements)(void *arg, uint64_t map, struct machine_elements *ret);
	/* A store of VALUE at AT was made; may be NULL. */
	void (*stored)(void *arg, uint64_t at, uint64_t value);
	VECTOR(struct machine_region) regions; /* of no bytes: free */
	size_t last;			       /* the region that was found last */
	const struct group_code *group;	       /* that runs */
	uint32_t next_part;		       /* the next program of the tail call; 0: none */
	uint64_t steps, steps_most;
	const char *problem; /* why it stopped; NULL: by its exit */
};

#define MACHINE_GARBAGE 0xa5a5a5a5a5a5a5a5ull

void machine_deinit(struct machine *m);
/* The program may access these bytes from now on.  Returns the region's index. */
size_t machine_allow(struct machine *m, const void *bytes, size_t size, bool read_only);
void machine_forbid(struct machine *m, size_t region);
/* May it touch these bytes?  If not, it stops. */
bool machine_may_touch(struct machine *m, uint64_t address, size_t size, bool write);
/* Are they in one of its regions? */
bool machine_owns(struct machine *m, uint64_t address, size_t size);
/* Stop with this problem; false. */
bool machine_stop(struct machine *m, const char *problem);
/* Run GROUP with CONTEXT.  False: see problem. */
bool machine_run(struct machine *m, const struct group_code *group, const void *context);

#endif
