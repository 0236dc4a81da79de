/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider - where probes come from
 *
 * In:   probe descriptions.
 * Out:  probes and their events in the database (probe/probe.h).
 *
 *   dtrace.c    BEGIN, END, ERROR: run by the tracer itself, attached to nothing
 *   syscall.c   two raw tracepoints; the program finds its probe by the call's number
 *   profile.c   cpu-clock events
 *   cpc.c       what the kernel and CPUs count
 *   watch.c     accesses of memory: the kernel's, a process's
 *   rawtp.c     tracepoints of the kernel, by its type data; tracepoint.def lists those left out
 *   sdt.c       tracepoints of the kernel, by their formatted records (tracefs.c)
 *   fbt.c       functions of the kernel; fbt_inside.c: their single instructions; fbt_path.c
 *               finds those that patterns leave out, in the machine code that fbt_text.c reads
 *   fbt_builtin.c  names of modules that are a part of the kernel
 *   function.c  where the arguments of these functions are, and those that formulas name
 *   fbt_asked.c instructions that formulas ask for, found by fbt_sites.c
 *   described.c what formulas ask of the running kernel, or of the description of another one
 *   pid.c       functions of a process, and single instructions; it lists its other files
 *   usdt.c      static probes of a process or of all, from notes of programs and libraries
 *
 * A provider gives the place of an argument but no code to read it; it describes events and
 * never attaches to them.
 */
#ifndef PROVIDER_PROVIDER_H
#define PROVIDER_PROVIDER_H

#include <stdio.h>

#include "arch/arch.h"
#include "probe/probe.h"

/* NULL-ended, for probe_db_new(). */
extern const struct provider *const providers[];

#define PROVIDER(name, file) extern const struct provider provider_##name;
#include "provider/provider.def"
#undef PROVIDER

/* Names, NULL-ended, for probe_db_announce(). */
extern const char *const later_providers[];

/* Stability of a provider's parts: name, data, dependency class. */
#define STABLE_COMMON                                                                              \
	{                                                                                          \
		STABILITY_STABLE, STABILITY_STABLE, CLASS_COMMON                                   \
	}
#define EVOLVING_COMMON                                                                            \
	{                                                                                          \
		STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_COMMON                               \
	}
#define EVOLVING_ISA                                                                               \
	{                                                                                          \
		STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_ISA                                  \
	}
#define PRIVATE_UNKNOWN                                                                            \
	{                                                                                          \
		STABILITY_PRIVATE, STABILITY_PRIVATE, CLASS_UNKNOWN                                \
	}
#define PRIVATE_ISA                                                                                \
	{                                                                                          \
		STABILITY_PRIVATE, STABILITY_PRIVATE, CLASS_ISA                                    \
	}

/* Of probes at tracepoints (rawtp.c): struct provider. */
const char *tracepoint_only_in_full(const struct probe *probe);
bool tracepoint_may_mean(const struct provider *self, const struct probe_desc *desc);
/* The places of the kernel's tracepoint NAME, and their number; -1: there is no such tracepoint. */
int tracepoint_places(struct probe_db *db, const char *name, struct event_args *ret);
/* Its prototype, the first parameter of which is not the tracepoint's, or NULL. */
const struct type *tracepoint_type(struct probe_db *db, const char *name);

/*
 * What formulas ask of a kernel (described.c): of the running one, or of a description
 * (probe_settings.described).
 */
const struct arch *asked_arch(struct probe_db *db); /* NULL: a description names none */
/* Is NAME, or CONFIG_NAME, y or m, where there is a configuration to be read? */
bool asked_config(struct probe_db *db, const char *name);
bool asked_kprobes(struct probe_db *db);
/* Visit the functions that can be probed; a reason, if they are not known. */
typedef void asked_function_fn(void *arg, const char *module, const char *name, uint64_t address);
const char *asked_functions(struct probe_db *db, asked_function_fn *visit, void *arg);
/* The description of the record of GROUP:NAME, or NULL. */
FILE *asked_format(struct probe_db *db, const char *group, const char *name);

/* Functions of the kernel (function.c).  TYPE: of the function, NULL if it is unknown; the places
 * of its arguments that can be read, and their number; of its result (ARG_NONE: it has none). */
const struct type *function_type(struct probe_db *db, const char *module, const char *name);
unsigned function_argument_places(const struct type *type, struct event_args *ret);
struct arg_location function_result_place(const struct type *type);

typedef void function_fn(void *arg, const char *module, const char *name, const struct type *type);
/*
 * Pass VISIT the function NAME ("vfs_read", "ext4:ext4_iget"), or all of vmlinux that can be
 * probed and are like NAME, a pattern; TYPE is NULL then.  Else why there is none, in A.
 */
const char *function_find(struct arena *a, struct probe_db *db, const char *name,
			  function_fn *visit, void *arg);

/* What an instruction of the kernel does: where it is. */
struct site_query {
	enum { SITE_OFFSET, SITE_CALL, SITE_INCREMENT } kind;
	const char *function; /* it is in; or is called; or the per-CPU variable */
	const char *caller;   /* the function that calls */
	int64_t number;	      /* the offset; which call, 0: all */
	bool is_after;	      /* the call */
	uint64_t element;     /* of the variable: bytes from its beginning */
};

struct kernel_site {
	const char *function;
	uint64_t address;
	uint32_t offset;	    /* in the function */
	struct arg_location amount; /* of an increment */
};

/*
 * The instructions that Q means, *COUNT; owned by DB.  NULL: there are none, *PROBLEM says why, in
 * a few words (fbt_asked.c; what is sought: fbt_sites.c).
 */
const struct kernel_site *kernel_sites(struct probe_db *db, const struct site_query *q,
				       uint32_t *count, const char **problem);
/* What an event at these COUNT sites has, of the function NAME; its lists are in A. */
struct event_function kernel_function_at(struct arena *a, const char *module, const char *name,
					 const struct kernel_site *sites, size_t count);

/* Do programs call the kernel's function NAME, as far as its name tells (own_path.def)? */
bool kernel_function_in_programs(const char *name);

/* The place and the type of FIELD in the formatted record of tracefs's event GROUP:NAME. */
enum record_answer { RECORD_FIELD, RECORD_NO_FIELD, RECORD_NO_EVENT };
enum record_answer record_field_place(struct probe_db *db, const char *group, const char *name,
				      const char *field, struct arg_location *ret,
				      const struct type **ret_type);

/* Can the process PID, which PROVIDER's name has, be traced?  Else why not (pid.c). */
MUST_CHECK struct error *process_check(struct probe_db *db, const char *provider, int pid);

/*
 * Does the event of LEAVE, a return probe of pid, fire with its result for its site number SITE?
 * Not if the function ends there by a jump to one whose return is not seen (abi/exit.h).
 */
bool process_site_returns(const struct probe *leave, size_t site);

/* What counter events (cpc.c) and timers (profile.c) have: two addresses, of a timer the delay. */
extern const struct event_args counter_args, timer_args;
/* NAME ("page_faults", "cycles-user-100000") of the kernel, else of the CPU; or why it is not
 * counted, in a few words. */
const char *counter_find(struct probe_db *db, const char *name, bool of_kernel,
			 struct event_counter *ret);

/*
 * The instructions that return from the function whose return E is, an event of fbt or rawfbt, as
 * EVENT_KERNEL_INSIDE; owned by DB.  NULL: they are not known; *PROBLEM says why, once, else it is
 * NULL.
 */
const struct event *function_exits(struct probe_db *db, const struct event *e,
				   const char **problem);

/*
 * The entry or return E of fbt or of a formula as EVENT_KERNEL_FENTRY or _FEXIT; owned by DB.
 * NULL: the kernel would not take it, or it might harm; *PROBLEM says why.
 */
const struct event *function_trampoline(struct probe_db *db, const struct event *e,
					const char **problem);

/* The numbers of the system call NAME; false: this machine has none of this name. */
bool syscall_numbers(struct probe_db *db, const char *name, struct event_call *ret);
const struct event_args *syscall_places(bool is_return);

/* TYPE for types_parse(), in memory of the caller; a number instead of an anonymous type. */
char *argument_type_text(const struct type *type);

/* "profile-97", "tick-5sec": the period in ns; false: no such probe. */
bool profile_period(const char *name, uint64_t *period, bool *is_tick);

#endif
