/* SPDX-License-Identifier: BSD-2-Clause */
/* process_internal - what the files of process/ share */
#ifndef PROCESS_INTERNAL_H
#define PROCESS_INTERNAL_H

#include <sched.h>
#include <sys/types.h>

#include "base/base.h"
#include "process/process.h"

struct arch;

/*
 * supervisor.c - a process that ends a created process when we are killed
 *
 * PR_SET_PDEATHSIG alone is not enough: the kernel clears it when the process changes its user,
 * its group or its capabilities (su, setpriv, programs with the set-user-ID bit; commit_creds()
 * and begin_new_exec() of Linux 6.18).  No thread of ours survives SIGKILL either.
 *
 * So a second child of ours waits for the end of a socket that only we hold open, and kills the
 * process by its pidfd, which names no other process ever.  It has no other descriptor, so it
 * keeps neither BPF programs nor a terminal or pipe; it is in a separate session and blocks all
 * signals, so signals to our group do not reach it; it makes no system call while we live, so it
 * appears in no trace.
 */

struct supervisor {
	pid_t pid;    /* 0: none */
	int lifeline; /* while we hold it open, it waits */
};

/* For the process of PIDFD.  `pid` is 0 when no process can be made: PR_SET_PDEATHSIG remains. */
struct supervisor supervisor_start(int pidfd);

/* Nothing is to be killed any more; fine for one that was not started. */
void supervisor_end(struct supervisor *s);

/* Close all descriptors but A and B: what a child inherits stays open by it. */
void descriptors_keep(int a, int b);

/* hand.c - another process of ours, which holds a process that runs */

#define HAND_NAME "dtrace-hand"

struct hand {
	pid_t pid; /* 0: there is none */
	int fd;
	uint64_t since; /* ns: it has stopped the process */
};

/* No effect if there is none. */
void hand_release(struct process *p);
MUST_CHECK struct error *hand_call(struct process *p, long number, const uint64_t *arguments,
				   int64_t *ret);
MUST_CHECK struct error *hand_write(struct process *p, uint64_t address, const void *bytes,
				    size_t size);
uint64_t hand_pointer(const struct process *p);

/* threads.c - all threads of a process that runs, stopped by their tracer: the hand */

struct stopped_thread {
	int thread;
	/* Of a call with a time limit, before the thread was stopped: its age, and the number of
	 * the thread's waits with it. */
	int64_t waited_ms;
	uint64_t waits;
	bool is_stopped, has_ended;
};
struct stopped_threads {
	int pid;
	VECTOR(struct stopped_thread) list;
};

/* An error if one of them cannot be stopped: then some may be, for threads_release(). */
MUST_CHECK struct error *threads_stop(struct stopped_threads *all);
void threads_release(struct stopped_threads *all);
/* RET has room for all; false: some are gone. */
bool threads_list(const struct stopped_threads *all, struct held_thread *ret);
/* One that may make calls. */
MUST_CHECK struct error *threads_choose(const struct stopped_threads *all, int *ret);

/* registers.c - those of a stopped process that we trace, and words of its memory, as its run to a
 * stop needs them */

#define REGISTERS_MOST 64

struct registers {
	union {
		uint64_t words[REGISTERS_MOST];
		uint32_t narrow[REGISTERS_MOST * 2];
	};
	size_t size;
	const struct arch *arch; /* of the program */
};

bool registers_read(int pid, struct registers *ret);
bool registers_write(int pid, struct registers *r);
/* The one at OFFSET of pt_regs. */
uint64_t register_value(const struct registers *r, unsigned offset);
void register_set(struct registers *r, unsigned offset, uint64_t value);

uint64_t program_counter(int pid); /* 0: it is gone */
uint64_t stack_pointer(int pid);   /* 0: it is gone */
bool set_program_counter(int pid, uint64_t address);

/* The first argument, at a function's first instruction. */
uint64_t first_argument(int pid); /* 0: it is gone */
bool set_first_argument(int pid, uint64_t value);

/* Words of SIZE bytes, 4 or 8, at addresses that are aligned so. */
bool peek(int pid, uint64_t address, unsigned size, uint64_t *ret);
bool poke(int pid, uint64_t address, unsigned size, uint64_t value);

/*
 * false_entry.c - a dynamic linker that jumps to an address that no process maps
 *
 * The linker reads the program's entry point from the auxiliary vector on the stack, and jumps
 * there when the initializers of the libraries have run.  While the vector holds a false address no
 * instruction of the program can run: the jump is a fault, which stops the process for its tracer.
 * No text is written, so no other tracer is disturbed, and none can make the process pass.
 *
 * At the fault the true address becomes the program counter, and all is as without us.  For an
 * earlier stop the true entry has to be put back, also where the linker has copied it: glibc and
 * musl keep it in a variable whose address they pass on, that is in memory: on their stack; glibc
 * also in a link map that nothing reads.
 */

struct memory_range {
	uint64_t start, end;
};
struct memory_ranges {
	struct memory_range *items;
	size_t count, capacity;
};

struct false_entry {
	int pid; /* a stopped process that we trace */
	unsigned word;
	uint64_t place; /* in the auxiliary vector; 0: there is none */
	uint64_t value; /* the true one */
};

/* What a program counter is after a jump to a false address of a program with words of this size.
 */
uint64_t false_address(unsigned word);

/* PID is at its exec stop.  False: its entry was not found, or cannot be changed. */
bool false_entry_set(int pid, struct false_entry *ret);

/* PID has jumped to the false entry: it continues at the true one.  False: it does not (errno). */
bool false_entry_pass(const struct false_entry *f);

/*
 * PID has not yet: restore the true entry, and the linker's copies in its stack and in DATA, what
 * else it may write to.  False: there is no copy, so the linker keeps it elsewhere, and nothing was
 * restored.
 */
bool false_entry_clear(const struct false_entry *f, const struct memory_ranges *data);

/* dynamic_linker.c - that of a process that has just executed a program */

struct dynamic_linker {
	int pid;
	char *path;		   /* of its file, as we open it */
	uint64_t call_offset;	   /* in the file, of _dl_debug_state() */
	uint64_t r_debug;	   /* the address of _r_debug in the process */
	struct memory_ranges data; /* what it may write to but its stack */
};

/* The linker that PID has mapped at BASE, for dynamic_linker_deinit().  False: it has no such
 * names. */
bool dynamic_linker_find(int pid, uint64_t base, struct dynamic_linker *ret);
void dynamic_linker_deinit(struct dynamic_linker *l);

/* Is its list of objects complete?  Also true if that cannot be read. */
bool dynamic_linker_is_consistent(const struct dynamic_linker *l);

/*
 * linker_calls.c - how far a dynamic linker is, by the system calls that it makes
 *
 * glibc's linker maps its cache of libraries when it looks for the first one that no other path
 * has.  When all libraries are relocated and reported it unmaps the cache: its last call before
 * the initializers.  A process that is stopped at each call is thus held at preinit without any
 * event of the kernel or privileges, and without a trace later.  The price is some twenty stops
 * for each library, 3 us each (the kernel takes 20 to 100 ms to remove a stop point).
 */

enum linker_progress {
	LINKER_WORKS,
	LINKER_READY,	/* all is relocated; its call has not begun */
	LINKER_UNKNOWN, /* it relocates, and has no cache: nothing will be seen */
};

struct linker_calls {
	const struct dynamic_linker *linker;
	uint64_t cache; /* its address; 0: not mapped so far */
};

/*
 * A stop and the next run are two switches between us and the process, and to wake another
 * processor for each costs 60 us where it is a virtual one.  So both are on ours meanwhile.
 */
struct shared_cpu {
	int pid;
	bool has_ours, has_its;
	cpu_set_t ours, its; /* as they were */
};
void shared_cpu_begin(struct shared_cpu *s, int pid);
void shared_cpu_end(const struct shared_cpu *s);

/* Are the calls of the program of PID those of this machine's words? */
bool linker_calls_are_known(int pid);
/* The process is stopped at a call's begin or end. */
enum linker_progress linker_calls_look(struct linker_calls *c);

/* hold.c - stops of a created process, and its run to the stop where it is held */

/* Options of ptrace for a process that is held: its calls are told from its signals. */
#define HOLD_OPTIONS (PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD)

struct process {
	int pid;
	int thread; /* that makes calls while it is held */
	int pidfd;  /* -1: kernel older than 5.3 */
	bool created, held, exited;
	int status;
	uint64_t call_at;   /* of an instruction that makes a system call (call.c); 0: not sought */
	struct error *late; /* why it is held at its entry, not at preinit; NULL: it is not */
	struct hand hand;
	struct supervisor supervisor; /* of one that was created, until it is freed */
};

struct process *process_new(int pid, bool created);

/* Wait for the next stop of a held process; false: it has ended. */
bool hold_wait(struct process *p, int *status);

/* Let the process run to its next stop.  SIGNAL is delivered to it; 0: none. */
bool hold_resume(struct process *p, int signal, int *status);

/* Is it a stop at a system call? */
bool hold_is_call(int status);

/* The signal of a stop; 0 for ptrace's own events, where no signal is to be delivered. */
int hold_signal_of(int status);

/* Why PID could not be seized: its tracer, and what it traces with the REMEDY; else ERRNUM's text.
 * Tracers that follow forks have our child already. */
MUST_CHECK struct error *seize_error(int pid, int errnum, const char *remedy);

/*
 * Run P from its exec stop to WHERE.  If it cannot be held there it is held elsewhere, an error if
 * MUST: instead of preinit at its entry (P->late says why), a 32-bit program of a machine whose
 * registers we do not know at exec.
 */
MUST_CHECK struct error *hold_run_to(struct process *p, enum process_hold where, bool must);

#endif
