/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of inject/; see inject.h */
#ifndef INJECT_INTERNAL_H
#define INJECT_INTERNAL_H

#include <linux/futex.h>
#include <pthread.h>

#include "abi/process.h"
#include "agent/agent.h"
#include "executor/unwind_pool.h"
#include "image/image.h"
#include "inject/inject.h"
#include "inject/sites.h"
#include "interpreter/interpreter.h"
#include "process/process.h"
#include "translate/translate.h"

#define PROCESS_MEMORY_PATH "/memfd:dtrace (deleted)" /* in the process's mappings */

/* A place of code, and what to undo when the jumps to it are taken out. */
struct jumped_place {
	struct address_range code;
	VECTOR(struct process_jump) jumps;
	VECTOR(uint64_t) semaphores;
};

/* The process that the code is in. */
struct injected {
	struct process *process; /* NULL: there is none */
	int pid;
	uint64_t base; /* of the agent's image in it; own page and memory: abi/process.h */
	/* Where our code is in it, the agent's image among it. */
	VECTOR(struct address_range) code;
	struct address_range vdso;
	VECTOR(struct jumped_place) places; /* of `code`, but the image */
	int memory;	  /* a descriptor of its memory as it was entered; -1: there is none */
	int seccomp;	  /* its mode when it was entered */
	bool has_filters; /* another mode now: reported */
	bool has_ended;	  /* it has ended, executed another program, or damaged the memory */
	bool is_damaged;  /* the last of these */
};

/* What has been reported of children (children.c). */
struct injected_children {
	uint32_t foreigners;
	bool has_arrivals;
};

/* --- waker.c: wake-ups by the process, and the word that says to it that dtrace lives --- */
struct waker {
	int news;		 /* becomes readable */
	uint32_t *wake, *tracer; /* of struct process_head; NULL: it was not started */
	pthread_t thread;
	bool runs, ends;
	struct {
		struct robust_list_head head;
		struct robust_list entry;
	} robust;
};
/* The word TRACER is marked from now on. */
MUST_CHECK struct error *waker_start(struct waker *w, uint32_t *wake, uint32_t *tracer);
/* Trampolines pass through from now on. */
void waker_mark_end(struct waker *w);
void waker_end(struct waker *w);

/* Tables by which stacks are walked, and the code of the process that they are for: stacks.c. */
struct walked_file {
	struct unwind_key key;
	struct unwind_file file;
};
struct walked_code {
	uint64_t begin, end, offset;
	struct unwind_key key;
	bool has_file;
};
struct injected_stacks {
	struct table_pool pool;
	VECTOR(struct walked_file) files; /* that have a table, or for sure none */
	VECTOR(struct walked_code) code;  /* as the process had it mapped last */
	bool is_cut;			  /* it has more than PROCESS_MAPPINGS_MOST: reported */
};

/* A program whose clauses run in the process, and where its constants are in the memory. */
struct injected_program {
	const struct program *program;
	uint64_t constants;
};

struct stand;
struct stands {
	VECTOR(struct stand) list;
};

/* A mapping of a file's code. */
struct mapped_code {
	uint64_t begin, end, offset, inode;
};
typedef VECTOR(struct mapped_code) mapped_code_vector;

/* What a thread has mapped that waits in its dynamic linker (arrivals.c). */
struct injected_arrival {
	uint64_t ticket;	  /* control.arrivals with its report */
	mapped_code_vector known; /* of the last look: threads may run it */
	mapped_code_vector fresh; /* what only the waiting thread knows */
};

/* The dynamic linker's function that reports libraries: threads wait there (arrivals.c). */
struct injected_linker {
	const char *path, *name; /* of its file */
	uint64_t at;		 /* the function, in the file; 0: nobody waits for libraries */
	bool has_jump;
};

/* Another program that the process has executed (executed.c). */
enum executed {
	EXECUTED_NONE,
	EXECUTED_HELD,	   /* the process is held in it, and has our memory again */
	EXECUTED_REPORTED, /* its probes are put in place */
};

struct injector {
	const struct program *program; /* of load(): its state is that of all */
	struct program state;	       /* it, with slots that records of later ones fit in */
	VECTOR(struct injected_program) programs; /* it, and those that were added */
	uint64_t constants_used;		  /* of head.more_constants */
	struct executor_options options;
	struct agent_layout layout;
	struct agent_view view; /* its memory: ours, at another address than the process's */
	int memory_fd;		/* its file; -1 */
	void *interpreter;	/* of BEGIN, END and ticks: interpreter_on() */
	struct injected target;
	struct waker waker;
	struct injected_stacks stacks;
	struct injected_linker linker;
	struct injected_arrival arrival;
	enum executed executed;
	uint64_t sleeping; /* firings that the last settle() did not see end */
	struct injected_children children;
	struct jumped_files *jumped; /* of sites.c; NULL: none is */
};

static inline struct control *injector_control(const struct injector *i)
{
	return (struct control *)(void *)(i->view.memory + i->layout.head.control);
}

/* Addresses in the process. */
static inline uint64_t target_memory(const struct injector *i)
{
	return i->target.base + PROCESS_MEMORY_AT;
}

static inline uint64_t target_function(const struct injector *i, const char *name)
{
	return i->target.base + agent_symbol(name);
}

/* --- memory.c --- */

/* What refuses the memory, asked of the process before it is changed, and before it is held. */
MUST_CHECK struct error *memory_check(const struct injector *i);
/* Make the memory in the held process, and ours. */
MUST_CHECK struct error *memory_enter(struct injector *i);
/* The same memory, in a program that the process has executed. */
MUST_CHECK struct error *memory_enter_again(struct injector *i);
/* Without a process. */
MUST_CHECK struct error *memory_alone(struct injector *i);
void memory_separate(struct injector *i);
void memory_unmake(struct injector *i);

/* --- own.c --- */

/* The descriptor of T's memory, if it has none. */
void own_open(struct injected *t);
MUST_CHECK struct error *own_write(struct injector *i);

/* --- reader.c --- */

MUST_CHECK struct error *process_source(void *self, struct record_source *ret);
/* Notice the end of the process and of its threads. */
void target_step(struct injector *i);
/* Report that the process has begun to filter its system calls. */
void target_look_at_filters(struct injector *i);

/* --- taken.c --- */

/* Code is, or will be, at ADDRESS of the process: BYTES, which begin with struct process_place. */
void jumps_remember(struct injected *t, const void *bytes, uint64_t address);
void jumps_forget(struct injected *t);
/* Jumps that a dtrace has left that was killed, or has marked its end, are taken out of the held
 * process T; an error if it has not ended. */
MUST_CHECK struct error *leftovers_take(struct injected *t, uint64_t image_id);
/* All of ours are taken out of the process, which runs. */
void jumps_take(struct injector *i);

/* --- settle.c --- */

/* Where the threads of the held process are, signal handlers on their stacks, too. */
MUST_CHECK struct error *stands_find(const struct injected *t, struct stands *ret);
/* Is one of them in T's code, or returns to it?  Waiting: in a system call that was moved there. */
enum stands_inside { STANDS_OUTSIDE, STANDS_INSIDE, STANDS_WAITING };
enum stands_inside stands_in_code(const struct injected *t, const struct stands *s);

/* As source_reader's. */
MUST_CHECK struct error *process_settle(void *self, bool *all);
uint64_t process_sleeping(void *self);

/* --- executed.c --- */

/* Hold the process when it asks for it, and release it when its probes are in place. */
void executed_step(struct injector *i);
/* As the source's requests(). */
MUST_CHECK struct error *executed_report(struct injector *i, bytes_visit_fn *visit, void *arg);

/* --- refer.c --- */

/* What a group's references mean in the process: GROUP's owner, valid as long as G. */
struct group_owner {
	const struct injector *injector;
	const struct injected_program *program;
	unsigned group; /* of the program */
};
struct translate_owner group_owner(struct group_owner *g);

/* --- children.c --- */

/* Does anybody but us have the memory: the process, or a child that is followed? */
/* Can children_live() know it? */
MUST_CHECK struct error *children_check(const struct injector *i);
bool children_live(const struct injector *i);
/* Has the child with a page at OWN ended, or executed a program? */
bool child_has_ended(uint32_t process, uint32_t thread, uint64_t own);
/* Each child that has the memory, while TARGET describes it; an error ends it. */
typedef struct error *child_fn(void *arg, struct injected *target);
MUST_CHECK struct error *children_each(struct injector *i, child_fn *fn, void *arg);
/* Report what is not traced of children. */
void children_report(struct injector *i);
/* Jumps are taken out of children that live. */
void children_take(struct injector *i);

/* --- arrivals.c --- */

extern const struct executor_follow inject_follow;
/* LIST is what the held process has mapped: threads may run all of it later. */
void arrival_begin(struct injector *i, const struct mapping *list, size_t count);
/* Has the waiting thread mapped M, and nobody else seen it? */
bool arrival_is_new(const struct injector *i, const struct mapping *m);
void arrival_deinit(struct injector *i);
/* As the source's requests(). */
MUST_CHECK struct error *inject_requests(void *self, bytes_visit_fn *visit, void *arg);

/* --- stacks.c --- */

extern const struct executor_stacks inject_stacks;
/* Read what code the process has mapped.  False: it is gone. */
bool stacks_look(struct injector *i);
/* The N-th code of a file that is not known to have a table or none; false: there are fewer. */
bool stacks_unknown(const struct injector *i, size_t n, struct arrival *ret);
void stacks_deinit(struct injector *i);

#endif
