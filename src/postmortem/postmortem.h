/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * postmortem - what a process has recorded itself, read from its core, or from its memory
 *
 * In:   a core file of a process that ran a flight recorder (executor=process, bufpolicy=ring), or
 *       such a process: one that hangs, or whose dtrace was killed.
 * Out:  its program, records and aggregations, as an executor that runs nothing
 *       (executor/executor.h); what files it had mapped, and where.
 *
 * The memory that the process shared with dtrace (abi/process.h) begins with a head.  With a flight
 * recorder the head has a note: the compiled program (program/program.h), the names of its probes,
 * and the D text with its options.  So neither the traced files nor the D libraries are needed to
 * read what is left, and no text is compiled again: layouts that are compiled on another machine,
 * where the probes of the process do not exist, would not be found, or be others.  What compiling
 * again would show is shown by the sum over head and note, and by the version of both.
 *
 *   note.c     the note, written and read
 *   core.c     a core file: its parts of memory, its table of mapped files
 *   living.c   a process: the same
 *   recover.c  from the parts of memory to the program and its memory; all that is checked
 *   source.c   the executor
 *   build_id.c which file a mapping is of
 *
 * Always true:
 *   1. All of it is foreign.  Numbers are compared with those that the verified program has;
 * records and elements are read as from a process that may write anything (agent/agent.h).
 *   2. Nothing of the recorded program runs, and nothing is written.
 *   3. Pages that firings have used and that the core does not have are counted.
 */
#ifndef POSTMORTEM_POSTMORTEM_H
#define POSTMORTEM_POSTMORTEM_H

#include "base/base.h"
#include "base/strbuf.h"
#include "executor/executor.h"
#include "process/process.h"

struct types;

struct recorded_probe {
	uint32_t id;
	const char *names[5]; /* provider, module, function, name; as written, or NULL */
};

/* What the head of the memory points to. */
struct post_mortem_note {
	uint32_t pid;	     /* as records have it */
	const char *text;    /* programs and options (tracer/anonymous/saved.h) */
	const void *program; /* program_write() */
	uint64_t program_size;
	const struct recorded_probe *probes; /* by id */
	uint64_t probe_count;
};

void post_mortem_write(const struct post_mortem_note *note, struct strbuf *out);
/* False: it is damaged.  All of RET is in ARENA. */
bool post_mortem_read(const void *bytes, size_t size, struct arena *arena,
		      struct post_mortem_note *ret);

struct post_mortem;

/* TYPES and ARENA, which outlive RET, get what the program has. */
MUST_CHECK struct error *post_mortem_of_core(const char *path, struct types *types,
					     struct arena *arena, struct post_mortem **ret);
/* The same of the process PID, which runs on. */
MUST_CHECK struct error *post_mortem_of_process(int pid, struct types *types, struct arena *arena,
						struct post_mortem **ret);
void post_mortem_free(struct post_mortem *p); /* NULL is fine */

const struct program *post_mortem_program(const struct post_mortem *p);
const struct post_mortem_note *post_mortem_note(const struct post_mortem *p);
/* To be added to times of records for UTC. */
int64_t post_mortem_wall_offset(const struct post_mortem *p);
/* Bytes that were recorded, or whose state is needed to read what was, and that are missing. */
uint64_t post_mortem_missing(const struct post_mortem *p);
/* Areas and pages that the process could not add to what its core gets. */
uint64_t post_mortem_undumped(const struct post_mortem *p);
/*
 * The files that it had mapped, by address.  One whose inode is not 0 is here under its path, or by
 * its build id among debug files: it has the build id that the mapped file had, or the same first
 * page.  *CHANGED: how many are here, but have another one; *UNKNOWN: of how many the core does not
 * have the first page.
 */
const struct mapping *post_mortem_files(struct post_mortem *p, size_t *count, unsigned *changed,
					unsigned *unknown);

/* Its functions get a struct post_mortem; only name, source and free are there. */
extern const struct executor_ops post_mortem_executor;

#endif
