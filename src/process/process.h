/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - start and follow processes; their mappings
 *
 * In:   a command (-c), or the pid of a process that runs (-p).
 * Out:  struct process: held before its first instruction, released, waited for.
 *
 * A created process is ours and is held by ptrace until its probes are in
 * place.  It stops at exec; for the usual moment, `preinit`, it then runs until
 * the dynamic linker has mapped all libraries (hold.c tells the moments).
 * A hardware breakpoint catches it: it lives in the registers of that
 * one thread, so no byte of its memory is changed.  Where debug registers are
 * refused (some virtual machines), an int3 stands there during this run
 * and is gone before anyone looks.  PTRACE_O_EXITKILL is set from the first stop
 * on: if we die, a process that has not been released dies too, and nothing
 * stopped is left behind.  After its release the process still dies with us, whatever
 * killed us (PR_SET_PDEATHSIG; supervisor.c, for what changes its user), unless it
 * `outlives_us`; its own children do not.
 *
 * A grabbed process is never attached to, stopped or written to: a pidfd tells
 * of its end.
 *
 * Always true:
 *   1. After process_run() we have no hold on the process but being its parent.
 *   2. Only what we created can be killed by us.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include <sys/stat.h>

#include "base/base.h"

struct process;

enum process_hold {
	PROCESS_HOLD_EXEC,     /* only the program and the dynamic linker are mapped */
	PROCESS_HOLD_PREINIT,  /* libraries are mapped, no initializer ran */
	PROCESS_HOLD_POSTINIT, /* theirs ran, the program's did not */
	PROCESS_HOLD_MAIN,     /* all ran */
};

/* How a command is read and what changes in its environment; NULL, or all zero: the usual. */
struct process_start {
	bool quotes_are_ordinary;
	bool outlives_us;
	bool must_hold;		  /* one that cannot be held at the moment asked for is an error */
	const char *const *unset; /* names, before `set` */
	size_t unset_count;
	const char *const *set; /* NAME=VALUE */
	size_t set_count;
};

/* COMMAND as a shell reads words: blanks, '...', "...", backslash; but no shell runs. */
MUST_CHECK struct error *process_create(const struct process_start *start, const char *command,
					enum process_hold hold, struct process **ret);
MUST_CHECK struct error *process_grab(int pid, struct process **ret);

/* A created process that still is held is killed; one that runs goes on. */
void process_free(struct process *p); /* NULL is fine */

int process_pid(const struct process *p);
bool process_is_created(const struct process *p);

/* Let a held process go.  Fine for one that is not held.  An error if it died meanwhile. */
MUST_CHECK struct error *process_run(struct process *p);

/* Becomes readable when the process has ended; -1: only process_exited() can tell. */
int process_poll_fd(const struct process *p);

/*
 * Has it ended?  *STATUS (may be NULL) is as waitpid() gives it for a created
 * process, else 0.  True again and again, once it has been true.
 */
bool process_exited(struct process *p, int *status);

/* SIGKILL to a process that we created and that has not ended; nothing to others. */
void process_kill(struct process *p);

/* --- mappings --- */

struct mapping {
	uint64_t start, end;
	uint64_t offset; /* in the file */
	bool readable, writable, executable, shared;
	uint32_t dev_major, dev_minor;
	uint64_t inode; /* 0: not of a file */
	char *path;	/* "" when anonymous; "[heap]"; may end with " (deleted)" */
};

/* By address.  The caller frees them with process_mappings_free(). */
MUST_CHECK struct error *process_mappings(int pid, struct mapping **ret, size_t *count);
void process_mappings_free(struct mapping *list, size_t count);

/* The mapped file of M, which is the process's, for reading; -1: not there any more, or refused. */
int mapping_open(int pid, const struct mapping *m);

/* What PID's root has now where M's file was found; false: not this inode, or PID is gone. */
bool mapping_stat(int pid, const struct mapping *m, struct stat *ret);

/* The inode of the program that PID runs; 0: it is gone. */
uint64_t process_program(int pid);

enum process_state {
	PROCESS_RUNS,
	PROCESS_ENDED,	/* no such process, or a zombie */
	PROCESS_KERNEL, /* a thread of the kernel: it runs no program */
	PROCESS_CLOSED, /* its files cannot be opened: they need CAP_SYS_PTRACE, or its owner */
};
enum process_state process_state(int pid);

/*
 * Has the first thread of PID ended, and others go on (pthread_exit() in main)?  It stays as a
 * zombie, and /proc/PID tells of no memory, root and program any more: /proc/OTHER does.
 */
bool process_lost_first_thread(int pid, int *other);

/* What stands behind the last slash of a mapping's PATH; *LEN: without " (deleted)". */
const char *mapping_base_name(const char *path, size_t *len);

/*
 * Is NAME another name of the file with the base name BASE: its name up to ".so" or behind it, or
 * a.out, which means the program?
 */
bool mapping_alias(const char *base, bool is_program, const char *name);

/* One line of /proc/PID/maps without its newline; false when it is none. Path is allocated. */
bool mapping_parse(const char *line, size_t len, struct mapping *ret);

/* When the process was started, in clock ticks since boot; distinguishes a reused pid. 0: gone. */
uint64_t process_start_time(int pid);

/* What the kernel gave the program of PID under AT_... (getauxval(3)); 0: nothing. */
uint64_t process_auxiliary(int pid, uint64_t type);

/* The words of COMMAND, NULL-terminated, or an error such as a quote that is not closed. */
MUST_CHECK struct error *command_split(const char *command, char ***ret);
MUST_CHECK struct error *command_split_at_blanks(const char *command, char ***ret);
void command_free(char **words); /* NULL is fine */
/* What exec's ERRNUM means for the program NAME. */
MUST_CHECK struct error *command_exec_error(const char *name, int errnum);

#endif
