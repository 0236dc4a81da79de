/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - start and follow processes; their mappings
 *
 * In:   a command (-c), or the pid of a process that runs (-p).
 * Out:  struct process: held before its first instruction, released, waited for.
 *
 * A created process is our child and is held by ptrace until its probes are attached.
 * It stops at exec; for the usual moment, `preinit`, it then runs until the dynamic
 * linker has mapped all libraries (hold.c lists the moments), which its system calls
 * show, or a probe of the kernel.  Such probes are shared: other tracers may have theirs
 * at the same place, before, after and meanwhile.  Until the process is held its entry point is a
 * false one, so a process that nothing stops ends before its own code.  PTRACE_O_EXITKILL is set
 * from the first stop on: if we die, a process that has not been released dies too, so no stopped
 * process remains. After its release the process still dies with us, whatever killed us
 * (PR_SET_PDEATHSIG; supervisor.c, for processes that change their user), unless it
 * `outlives_us`; its children do not die.
 *
 * A grabbed process is never attached to, stopped or written to, unless it is held for a moment
 * (process_hold()): a pidfd reports its end.  An awaited one (await.c) is held as a created one,
 * and is not our child.
 *
 * Always true:
 *   1. After process_run() our only relation to the process is that of its parent.
 *   2. We can kill only processes that we created.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include <sys/stat.h>

#include "base/base.h"

struct process;

enum process_hold {
	PROCESS_HOLD_EXEC,     /* only the program and the dynamic linker are mapped */
	PROCESS_HOLD_PREINIT,  /* libraries are mapped, no initializer ran */
	PROCESS_HOLD_POSTINIT, /* initializers of libraries ran, the program's did not */
	PROCESS_HOLD_MAIN,     /* all initializers ran */
};

/* How to start a command, and changes of its environment; NULL, or all zero: the defaults. */
struct process_start {
	bool quotes_are_ordinary;
	bool outlives_us;
	bool must_hold;		  /* an error if the process cannot be held at the requested
				   * moment */
	const char *const *unset; /* names, before `set` */
	size_t unset_count;
	const char *const *set; /* NAME=VALUE */
	size_t set_count;
	int output, errors; /* its standard output and error; 0: ours */
	bool no_input;	    /* its standard input is at its end; else it is ours */
};

/* COMMAND is split into words like a shell's: blanks, '...', "...", backslash; no shell runs. */
MUST_CHECK struct error *process_create(const struct process_start *start, const char *command,
					enum process_hold hold, struct process **ret);
MUST_CHECK struct error *process_grab(int pid, struct process **ret);
/* Wait for the next process that executes the program NAME, a base name or an absolute path, and
 * hold it as a created one (MUST: must_hold); it is never killed. */
MUST_CHECK struct error *process_await(const char *name, enum process_hold hold, bool must,
				       struct process **ret);

/* A created process that is still held is killed; others continue. */
void process_free(struct process *p); /* NULL is fine */

int process_pid(const struct process *p);
bool process_is_created(const struct process *p);
bool process_is_held(const struct process *p);

/*
 * Why a created process is held at its entry, when the initializers of its libraries have run;
 * NULL: it is held at the requested moment, or nothing could be traced there anyway (no
 * privileges).
 */
const char *process_held_late(const struct process *p);

/*
 * Hold P, which runs: all of its threads are stopped, until process_run().  Calls that they wait in
 * go on then, and so does a process that is stopped (SIGSTOP) stay so.  No effect on one that is
 * held.  If we are killed meanwhile it is released, whole.  An error, and P is as before, if we may
 * not trace it, or a thread does not stop.
 */
MUST_CHECK struct error *process_hold(struct process *p);

/* Release a held process.  No effect on one that is not held.  An error if it has died. */
MUST_CHECK struct error *process_run(struct process *p);
/* What calls have mapped and opened in P, which ran, is whole: if we are killed it stays. */
MUST_CHECK struct error *process_keep(struct process *p);

/* --- call.c: while it is held --- */

#define CALL_ARGUMENTS 6

/*
 * The process makes the system call NUMBER; *RET is its result, -errno if it fails.  All registers
 * are afterwards as before, and so is its stack; signals that arrive wait.  An error if the process
 * is not held, has a 32-bit program, or has ended (the call may be its end), or if a filter of
 * system calls (seccomp) stops the call.
 */
MUST_CHECK struct error *process_call(struct process *p, long number,
				      const uint64_t arguments[CALL_ARGUMENTS], int64_t *ret);
/* Write to its memory, also where the process itself may not: it gets a private copy of the page
 * then. */
MUST_CHECK struct error *process_write(struct process *p, uint64_t address, const void *bytes,
				       size_t size);

/* Of the thread that makes calls; 0: it has none yet, or it is not known on this machine. */
uint64_t process_thread_pointer(const struct process *p);
int process_caller(const struct process *p); /* its number */

struct held_thread {
	int thread;
	bool restarts;	    /* its system call begins again at the instruction before pc */
	uint64_t pc, stack; /* 0: it has ended */
};
/* All threads.  The caller frees them. */
MUST_CHECK struct error *process_held_threads(struct process *p, struct held_thread **ret,
					      size_t *count);
/* The thread goes on at PC. */
MUST_CHECK struct error *process_move(struct process *p, int thread, uint64_t pc);

/* --- executed.c: when it executes another program --- */

/* THREAD of P, which runs, waits for us before its execve(): it is stopped.  False: it cannot be.
 */
bool process_seize_caller(struct process *p, int thread);
/*
 * It goes on with its call.  *RET: P is held at preinit in the new program; else the thread runs
 * on, as its call has failed, or gives privileges that a traced process does not get.  An error:
 * the process runs another program, but is not held where it should be, or has ended.
 */
MUST_CHECK struct error *process_hold_executed(struct process *p, int thread, bool *ret);

/* --- thread_place.c: while it runs --- */

struct thread_place {
	uint64_t pc, stack;
};
/* Where a thread of P is; false: it has ended, or we may not stop it. */
bool process_thread_place(struct process *p, int thread, struct thread_place *ret);

/* Becomes readable when the process has ended; -1: use process_exited() instead. */
int process_poll_fd(const struct process *p);

/*
 * Has it ended?  *STATUS (may be NULL) is that of waitpid() for a created
 * process, else 0. Once true, all later calls return true.
 */
bool process_exited(struct process *p, int *status);

/* Send SIGKILL to a process that we created and that has not ended; no effect on others. */
void process_kill(struct process *p);

/* --- mappings --- */

struct mapping {
	uint64_t start, end;
	uint64_t offset; /* in the file */
	bool readable, writable, executable, shared;
	uint32_t dev_major, dev_minor;
	uint64_t inode; /* 0: not a mapping of a file */
	char *path;	/* "" when anonymous; "[heap]"; may end with " (deleted)" */
};

/* Which file it is. */
struct file_key {
	uint64_t inode;
	uint32_t dev_major, dev_minor;
};

/* By address.  The caller frees them with process_mappings_free(). */
MUST_CHECK struct error *process_mappings(int pid, struct mapping **ret, size_t *count);
void process_mappings_free(struct mapping *list, size_t count);
/* The mapping of LIST at ADDRESS; NULL: there is none. */
const struct mapping *mappings_find(const struct mapping *list, size_t count, uint64_t address);

/* The process's memory, for pread(); -1: it cannot be read.  The caller closes it. */
int process_open_memory(int pid);
/* The 8 bytes at ADDRESS of the process; false: they cannot be read. */
bool process_read_word(int pid, uint64_t address, uint64_t *ret);

/* Open the mapped file of M, a mapping that the process has or had, for reading; -1: it no longer
 * exists, or refused. */
int mapping_open(int pid, const struct mapping *m);

/* The file that is now at M's path in PID's root; false: another inode, or PID is gone. */
bool mapping_stat(int pid, const struct mapping *m, struct stat *ret);

/* --- seen_path.c --- */

struct seen_path {
	bool is_there; /* a file, */
	struct stat st;
	char *name;  /* without links, as in mappings; NULL: it is not there */
	char *plain; /* the same of its folder, and the last part of the path; NULL: no folder */
};

/* The file at the absolute PATH as PID sees it, for seen_path_deinit(). */
struct seen_path process_path(int pid, const char *path);
void seen_path_deinit(struct seen_path *s);

/* Does M, a mapping of that process, map this file, or one that had its name and was deleted? */
bool seen_path_is(const struct seen_path *s, const struct mapping *m);

/* The inode of the program that PID runs; 0: it is gone. */
uint64_t process_program(int pid);

/* The threads of PID; none: it is gone.  The caller frees them. */
int *process_threads(int pid, size_t *count);

enum process_state {
	PROCESS_RUNS,
	PROCESS_ENDED,	/* no such process, or a zombie */
	PROCESS_KERNEL, /* a kernel thread, without a program */
	PROCESS_CLOSED, /* its files cannot be opened without CAP_SYS_PTRACE or the owner's user
			 * id */
};
enum process_state process_state(int pid);
bool process_thread_has_ended(int thread);

/*
 * Has the first thread of PID ended while others run (pthread_exit() in main)? This thread
 * stays as a zombie, and /proc/PID no longer shows memory, root and program; /proc/OTHER does.
 */
bool process_lost_first_thread(int pid, int *other);

/*
 * The part after the last slash of a mapping's PATH; *LEN: without " (deleted)".  Of a file in
 * memory, "/memfd:NAME (deleted)", NAME: no probe's name can have a colon.
 */
const char *mapping_base_name(const char *path, size_t *len);

/*
 * Is NAME another name of the file with the base name BASE: BASE up to or including ".so", or
 * a.out for the program?
 */
bool mapping_alias(const char *base, bool is_program, const char *name);

/* Parse a line of /proc/PID/maps without its newline; false if it is malformed.  Path is
 * allocated. */
bool mapping_parse(const char *line, size_t len, struct mapping *ret);

/* The start time of the process, in clock ticks since boot; distinguishes a reused pid.  0:
 * gone. */
uint64_t process_start_time(int pid);

/* The parent's number; 0: it is gone, or has none that is seen here. */
int process_parent(int pid);

/* The process that traces PID by ptrace; 0: there is none. */
int process_tracer(int pid);

/* The FIELD of /proc/PID/stat, by its number in proc(5), and of /proc/PID/status; 0: PID is gone,
 * or has none. */
uint64_t process_stat_number(int pid, unsigned field);
int process_status_number(int pid, const char *field);
/* Has the list FIELD there, as x86_Thread_features, WORD? */
bool process_status_has(int pid, const char *field, const char *word);

/* The numbers of all processes.  The caller frees them. */
int *process_all(size_t *count);

/* The value of AT_... in PID's auxiliary vector (getauxval(3)); 0: none. */
uint64_t process_auxiliary(int pid, uint64_t type);
/*
 * What PID's link maps have now, for link_maps_free(): the number of the one in which an object is
 * loaded at BASE, its load bias.  0 is that of the program, others are made by dlmopen().  Where
 * there is no list of them (yet) all is in that of the program.  -1: it is in none (yet).
 */
struct link_maps *process_link_maps(int pid);
int link_maps_find(const struct link_maps *maps, uint64_t base);
void link_maps_free(struct link_maps *maps); /* NULL is fine */
/* Bytes of an address of the program that PID runs: 4 of a 32-bit program, else 8. */
unsigned process_word(int pid);

/* The words of COMMAND, NULL-terminated, or an error such as a quote that is not closed. */
MUST_CHECK struct error *command_split(const char *command, char ***ret);
MUST_CHECK struct error *command_split_at_blanks(const char *command, char ***ret);
void command_free(char **words); /* NULL is fine */
/*
 * The first word of COMMAND that is an operator of shells, as in `ls | wc`; free() it.  NULL: none.
 * A ; that ends find's -exec is not one.
 */
char *command_shell_operator(const char *command);
/* The error for exec's ERRNUM with the program NAME. */
MUST_CHECK struct error *command_exec_error(const char *name, int errnum);

/*
 * own_code.c - code of this process that no uprobe reaches
 *
 * A probe that is in all processes which run a file is in us, too, if we run it: think of the C
 * library.  dtrace then stops at each call of its own.  A copy of the code in anonymous memory, at
 * the same address, has no file, so the kernel sets no breakpoint in it.
 */

struct mapping;

/*
 * Replace M, a mapping of code of this process, by a copy of its file's bytes.  False: it stays as
 * it is (memory is short, or a security module forbids code without a file).
 */
bool own_code_copy(const struct mapping *m);

#endif
