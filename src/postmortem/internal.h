/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of postmortem/; see postmortem.h */
#ifndef POSTMORTEM_INTERNAL_H
#define POSTMORTEM_INTERNAL_H

#include "agent/agent.h"
#include "postmortem/postmortem.h"
#include "program/program.h"

/* SIZE bytes of memory from ADDRESS on, at OFFSET in the file. */
struct remains_part {
	uint64_t address, size, offset;
};

/* What is left of a process. */
struct remains {
	char *name; /* for messages */
	int fd;
	uint64_t size;	/* of the file; 0: it is a process's memory */
	uint64_t notes; /* bytes of notes that were read */
	VECTOR(struct remains_part) parts;
	VECTOR(struct mapping) files;
};

/* --- core.c --- */
MUST_CHECK struct error *core_open(const char *path, struct remains *ret);
void remains_deinit(struct remains *r);
/* How many of SIZE bytes at ADDRESS are there, from the first on; they are copied TO. */
uint64_t remains_read(const struct remains *r, uint64_t address, void *to, uint64_t size);
/* The same where TO has zeros, which are not touched where there are zeros. */
uint64_t remains_copy(const struct remains *r, uint64_t address, void *to, uint64_t size);
/* Where the next part after ADDRESS begins; UINT64_MAX: there is none. */
uint64_t remains_next(const struct remains *r, uint64_t address);

/* --- living.c --- */
MUST_CHECK struct error *living_open(int pid, struct remains *ret);
/* Leave out what firings have overwritten while the recorders were copied. */
void recorders_limit(struct post_mortem *p, uint64_t base);

/* --- recover.c --- */
struct post_mortem {
	struct remains remains;
	struct post_mortem_note note;
	struct program program;
	struct agent_layout layout;
	struct agent_view view; /* of our copy of the memory; memory NULL: there is none */
	bool is_living;
	uint64_t missing;
	bool files_are_known;
	unsigned changed, unknown;
};

#endif
