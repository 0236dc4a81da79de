/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event - an occurrence at which a program can run
 *
 * An event has a kind, a target, and a layout of its arguments.  It is plain data: numbers,
 * offsets, strings.  An executor needs no provider to attach it, and an event can be serialized.
 *
 * A probe is one or more events (probe/probe.h); an event may serve several probes.  Events of one
 * kind whose arguments (those that clauses read) are at the same places form a group
 * (plan/group.h).  One program serves a group; it distinguishes the events by the index in the
 * group's probe table, which is the cookie where the kernel has cookies.
 *
 * To add a kind: a row in event.def, whose columns say what the stages need to know of the kind,
 * and one of `ways` in loader/attach/attach.c with what opens the event: kernel/link/link.c,
 * perf_event.c, or for debug registers watchpoint.c.  With a new target: a struct below,
 * event_key() in plan/event_key.c (events of one key are one), archive_target() in
 * program/serialize.c, and for a pointer in it program/verify_code.c.  With another way to the
 * index of the event: gen_index_of_probe() in codegen/prologue.c.
 *
 * Planned: an executor inside the traced process, which attaches the same events.
 *
 * A probe made by a formula is no kind: it has several events, a condition and expressions (sema).
 */
#ifndef ABI_EVENT_H
#define ABI_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/exit.h"

enum event_kind {
#define EVENT(id, ...) EVENT_##id,
#include "abi/event.def"
#undef EVENT
	EVENT_COUNT,
};

/* The member of struct event that says where events of a kind are. */
enum event_target {
	TARGET_NONE, /* in dtrace: its programs are run, not attached */
	TARGET_CALL, /* of a process, in the kernel */
	TARGET_TRACEPOINT,
	TARGET_RECORD,
	TARGET_FUNCTION, /* of the kernel */
	TARGET_TIMER,
	TARGET_COUNTER,
	TARGET_WATCH,
	TARGET_CODE, /* user code: the context has the registers, and the program may sleep */
};

/* Of what is called: a system call, a function of the kernel or of a process. */
enum event_point {
	POINT_NONE,
	POINT_ENTRY,
	POINT_RESUME, /* at the return, for clauses of the entry that were suspended */
	POINT_RETURN,
	POINT_INSIDE,
};

/* Where the arguments are that clauses read. */
enum event_arguments {
	ARGS_ALIKE,  /* at the same places in all events of the kind, with few exceptions */
	ARGS_DIFFER, /* each event has its own places */
	ARGS_CHOSEN, /* of many places in one group: its program chooses by the event's layout */
};

/* The events that one program is for. */
enum event_program {
	PROGRAM_SHARED,
	PROGRAM_COOKIES,    /* shared where the kernel has cookies for them, else for one event */
	PROGRAM_SINGLE,	    /* for one: threads of older kernels do not inherit cookies */
	PROGRAM_TRAMPOLINE, /* for one: it is loaded for its function, whose trampoline calls it */
};

struct event_facts {
	uint8_t target, point, arguments, program; /* of the enums above */
	bool nests;
};

static inline struct event_facts event_facts(enum event_kind kind)
{
	static const struct event_facts facts[] = {
#define EVENT(id, name, target, point, args, program, nests, ...)                                  \
	[EVENT_##id] = { TARGET_##target, POINT_##point, ARGS_##args, PROGRAM_##program, nests },
#include "abi/event.def"
#undef EVENT
	};
	return facts[kind];
}

/* As event.def calls it: "syscall-entry". */
static inline const char *event_name(enum event_kind kind)
{
	static const char *const names[] = {
#define EVENT(id, name, ...) [EVENT_##id] = name,
#include "abi/event.def"
#undef EVENT
	};
	return names[kind];
}

/* Is it BEGIN or END? */
static inline bool event_is_own(enum event_kind kind)
{
	return event_facts(kind).target == TARGET_NONE;
}

static inline bool event_is_syscall(enum event_kind kind)
{
	return event_facts(kind).target == TARGET_CALL;
}

/* Is the context a user function's struct pt_regs? */
static inline bool event_is_function(enum event_kind kind)
{
	return event_facts(kind).target == TARGET_CODE;
}

static inline bool event_is_function_entry(enum event_kind kind)
{
	return event_is_function(kind) && event_facts(kind).point == POINT_ENTRY;
}

/* The function has returned: its frame is gone. */
static inline bool event_is_function_return(enum event_kind kind)
{
	return event_is_function(kind) && event_facts(kind).point == POINT_RETURN;
}

/* Has each site its own places of arguments?  Static probes, and inlined copies of functions. */
static inline bool event_is_placed(enum event_kind kind)
{
	return event_facts(kind).arguments == ARGS_CHOSEN;
}

/* Does a trampoline call the program, which is loaded for one function of the kernel? */
static inline bool event_is_trampoline(enum event_kind kind)
{
	return event_facts(kind).program == PROGRAM_TRAMPOLINE;
}

/* A function of the kernel? */
static inline bool event_is_kernel(enum event_kind kind)
{
	return event_facts(kind).target == TARGET_FUNCTION;
}

/* Is it the return of a system call or of a function? */
static inline bool event_is_return(enum event_kind kind)
{
	return event_facts(kind).point == POINT_RETURN;
}

/* Is it at an instruction, which the cookie's upper half says? */
static inline bool event_is_inside(enum event_kind kind)
{
	return event_facts(kind).point == POINT_INSIDE;
}

static inline bool event_is_timer(enum event_kind kind)
{
	return event_facts(kind).target == TARGET_TIMER;
}

/* Does the kernel run its programs at perf events, so also in interrupts and NMIs? */
static inline bool event_is_perf(enum event_kind kind)
{
	enum event_target target = event_facts(kind).target;
	return target == TARGET_TIMER || target == TARGET_COUNTER || target == TARGET_WATCH;
}

/* May it fire while the CPU lets no interrupt in? */
static inline bool event_may_bar_interrupts(enum event_kind kind)
{
	return !event_is_own(kind) && !event_is_syscall(kind) && !event_is_function(kind);
}

/* May its clauses be suspended, until the call's return, for memory that is absent? */
static inline bool event_is_syscall_entry(enum event_kind kind)
{
	return event_is_syscall(kind) && event_facts(kind).point == POINT_ENTRY;
}

/* Does its program resume clauses of the entry? */
static inline bool event_is_resumption(enum event_kind kind)
{
	return event_facts(kind).point == POINT_RESUME;
}

/* The kind of the events whose probes' clauses the program of KIND runs. */
static inline enum event_kind event_of_probes(enum event_kind kind)
{
	return event_is_resumption(kind) ? EVENT_SYSCALL_ENTRY : kind;
}

/* --- arguments ------------------------------------------------------------------------------ */

/* Where an argument is when the event happens. */
enum arg_kind {
	ARG_NONE,	     /* 0 */
	ARG_CONSTANT,	     /* value */
	ARG_CONTEXT,	     /* at offset `value` of the context, `size` bytes */
	ARG_CONTEXT_ADDRESS, /* the address of offset `value` of the context */
	/* The address that a record's 32 bits at `value` mean: the lower half counts bytes from the
	 * context's beginning; or from those 32 bits' end. */
	ARG_RECORD_DATA,
	ARG_RECORD_RELATIVE,
	/* value: n-th argument by the platform's calling convention, `size` bytes of it */
	ARG_FUNCTION_ARGUMENT,
	ARG_FUNCTION_RESULT, /* of EVENT_KERNEL_FEXIT: value: the number of the context's word */
	/* Of a user function: its stack pointer at its entry, also at its return: a number of each
	 * call under way.  `value` is added.  Inside of a function ARG_USER_ADDRESS is the same. */
	ARG_FRAME,
	/* The same in code of Go, whose stacks move: also a hash of the goroutine, in the register
	 * `base`, and of the distance from its stack's end. */
	ARG_FRAME_OF_GO,
	ARG_SITE_OFFSET,      /* of the instruction in its function: the cookie's upper half */
	ARG_SYSCALL_ARGUMENT, /* value: n-th */
	ARG_SYSCALL_RESULT,   /* raw: -errno on error */
	ARG_SYSCALL_STATUS,   /* -1 on error */
	ARG_KERNEL_PC,	      /* the interrupted one, 0 if that was user code */
	ARG_USER_PC,
	ARG_LATENESS, /* ns since the timer was to fire */
	/* `size` bytes of user memory, at context[base] + (context[index] << shift) + value */
	ARG_USER_MEMORY,
	ARG_USER_ADDRESS, /* this address itself */
	ARG_UNREADABLE,	  /* it is there, but we cannot read it: a fault */
	/* What context[base] contained at the entry of the function around the event, a place with
	 * an ARG_FRAME at EVENT_FRAME, and `value`; `size` bytes of the sum (abi/call.h). */
	ARG_ENTRY_REGISTER,
};

#define ARG_NO_REGISTER UINT16_MAX

/* Without holes: compared byte by byte. */
struct arg_location {
	uint8_t kind; /* enum arg_kind */
	uint8_t size; /* bytes: 1, 2, 4; 0: all 8 of the register or word */
	bool is_signed;
	uint8_t shift;
	uint16_t base, index; /* ARG_USER_*: offsets in the context, or ARG_NO_REGISTER */
	int64_t value;
};

#define EVENT_ARGS 20  /* as many as a tracepoint's record has; arg0 ... arg9 have names */
#define EVENT_RESULT 1 /* of functions of processes, at their returns */
/* Of functions of processes with inlined copies, at their entries: the first of nine, as args[]
 * reads them (provider/process/pid_inlined.c). */
#define EVENT_COPY_ARGUMENT 11
#define EVENT_ENTRY_ARGUMENT 11 /* of system calls, at their returns: the first of six */
#define EVENT_FRAME 10 /* the one that is ARG_FRAME, for those who make formulas' clauses */

struct event_args {
	struct arg_location arg[EVENT_ARGS];
};

/* --- targets -------------------------------------------------------------------------------- */

/* Entries of each of the two tables of system calls, native and 32-bit; numbers are below. */
#define SYSCALL_NUMBERS 512

struct event_call {
	int32_t native, compat; /* its number in each of the two tables, or -1 */
	bool no_return;		/* the thread ends in it */
};

struct event_tracepoint {
	const char *name; /* as in the kernel's type data after btf_trace_ */
};

/* The record of a tracepoint; an event whose arguments nobody reads is the tracepoint itself. */
struct event_record {
	const char *group, *name; /* as in tracefs; NAME is the tracepoint's */
};

/* Functions of the kernel with one name; without addresses: the one that the kernel knows by it. */
struct event_function {
	const char *module, *name;
	const uint64_t *addresses;
	uint32_t count;	  /* of addresses */
	bool in_programs; /* programs call it, perhaps with a lock held (plan/group.h) */
	/* Of EVENT_KERNEL_INSIDE, of each address: from its function's first byte; else NULL. */
	const uint32_t *offsets;
};

struct event_timer {
	uint64_t period; /* ns */
	bool on_each_cpu;
};

/* What a CPU or the kernel counts, on each CPU; numbers are perf_event_open(2)'s. */
struct event_counter {
	uint64_t config, period; /* it fires each PERIOD-th time */
	uint32_t type;
	bool no_user, no_kernel;
};

/* Accesses of memory; bits of `access` are perf_event_open(2)'s. */
enum watch_access { WATCH_READS = 1, WATCH_WRITES = 2, WATCH_EXECUTION = 4 };

struct event_watch {
	uint64_t address;
	uint32_t length; /* bytes */
	uint32_t access; /* enum watch_access */
	int pid;	 /* by the threads of this process; 0: an address of the kernel */
	bool follows;	 /* by the process's children, too */
};

/* What the instruction at a site of EVENT_FUNCTION_INSIDE does (abi/exit.h). */
enum site_role {
	SITE_PLAIN,  /* nothing that matters here: its firing is the probe's */
	SITE_RETURN, /* it returns from a function all of whose exits have sites */
	SITE_JUMP,   /* it jumps to a function of that kind */
	SITE_LOOKUP, /* it jumps where its operand says when it fires */
	SITE_AWAY,   /* it jumps elsewhere */
};

struct event_site {
	uint64_t at;	 /* offset in the file */
	uint32_t inside; /* from the function's first byte, of instructions in it */
	uint8_t role;	 /* enum site_role */
	/* It is in a function that the probe's function jumps to: the probe does not fire here. */
	bool of_destination;
	struct flag_test test; /* of jumps */
	/* SITE_JUMP: the function's first byte, from the site; SITE_LOOKUP: the displacement */
	int32_t destination;
	uint32_t entry;		     /* of jumps: of its struct exit_jump in the probe table */
	struct exit_operand operand; /* SITE_LOOKUP, */
	struct exit_extent extent;   /* of the function that the site is in */
	bool is_followed;	     /* SITE_LOOKUP: to covered functions, */
	bool is_near;		     /* also by their distance: it is the same in the file */
	/* Its function: the first byte's offset in the file, and bytes; 0 bytes: not known. */
	uint64_t function;
	uint32_t function_size;
	/* Offset in the file of a uint16_t that counts who traces the site, for the process; 0:
	 * there is none. */
	uint64_t semaphore;
};

static inline bool site_is_jump(const struct event_site *s)
{
	return s->role >= SITE_JUMP;
}

/* Instructions of one file. */
struct event_code {
	int pid;    /* in this process; 0: in each that runs the file, now or later */
	int target; /* pid is 0, and only the tree of this -c or -p process fires; 0: each does */
	const char *path; /* of the file, for opening it */
	const char *name; /* of the file, in messages */
	const struct event_site *sites;
	uint32_t site_count;
	uint32_t file; /* where returns follow jumps: exit_function.file */
};

struct event {
	enum event_kind kind;
	const struct event_args *args; /* mostly shared; NULL: it has none */
	union {
		struct event_call call; /* system calls */
		struct event_tracepoint tracepoint;
		struct event_record record;
		struct event_function function; /* of the kernel */
		struct event_timer timer;	/* timers */
		struct event_counter counter;
		struct event_watch watch;
		struct event_code code; /* functions */
	};
};

static inline struct arg_location event_argument(const struct event *e, unsigned index)
{
	return e->args ? e->args->arg[index] : (struct arg_location) { ARG_NONE };
}

/* Does only the tree of one process fire it, though its place is in all that run the file? */
static inline bool event_of_tree(const struct event *e)
{
	return event_is_function(e->kind) && e->code.target;
}

/* Does each process that runs the file fire it? */
static inline bool event_of_every_process(const struct event *e)
{
	return event_is_function(e->kind) && !e->code.pid && !e->code.target;
}

/* Is it a timer that fires on one CPU? */
static inline bool event_is_tick(const struct event *e)
{
	return event_is_timer(e->kind) && !e->timer.on_each_cpu;
}

/* Is it a function of the kernel that programs call? */
static inline bool event_in_programs(const struct event *e)
{
	return event_is_kernel(e->kind) && e->function.in_programs;
}

#endif
