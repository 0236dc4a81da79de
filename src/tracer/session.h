/* SPDX-License-Identifier: BSD-2-Clause */
/* session - struct tracer: the state shared by the files of the session, and read by wings */
#ifndef TRACER_SESSION_H
#define TRACER_SESSION_H

#include <signal.h>

#include "abi/abi.h"
#include "base/base.h"
#include "base/diagnostic.h"
#include "codegen/codegen.h"
#include "consumer/consumer.h"
#include "executor/executor.h"
#include "kernel/kernel.h"
#include "output/output.h"
#include "probe/probe.h"
#include "process/process.h"
#include "program/program.h"
#include "provider/provider.h"
#include "sema/sema.h"
#include "symbol/code_names.h"
#include "symbol/symbol.h"
#include "syntax/syntax.h"
#include "tracer/option/option.h"
#include "tracer/tracer.h"
#include "types/types.h"

/* $NAME, except $target. */
struct macro_value {
	const char *name;
	int64_t value;
};

/* What the command asks for, besides options. */
struct request {
	const char *const *args;
	unsigned arg_count;
	const char *args_are_of; /* see struct syntax_env */
	struct macro_value macros[10];
	int output_fd;
	const char *output_name;
	/* D's host, and to how many bytes it is filled up with NULs; NULL: the machine's name */
	const char *host;
	uint32_t host_width;
	bool names_threads; /* records have who left them, as in output for programs */
	bool only_lists;    /* -l */
	bool is_anonymous;  /* nobody is there while it traces, or was until it is claimed */
	bool testing; /* _DTRACE_TESTING: values that differ from run to run are not printed */
};

/* One compiled program: its clauses are consecutive in the typed program. */
struct compiled {
	const struct tracer_program *program;
	unsigned first_clause, clause_count;
};

struct compiling {
	struct syntax_env syntax_env; /* of the program that is being parsed */
	bool lacks_target; /* a program that names $target was read, and there is no target */
	struct diagnostics library_mistakes;
	VECTOR(struct compiled) done;
};

/* The processes of -c and -p. */
struct target_processes {
	VECTOR(struct process *) list;
	VECTOR(int) pids; /* of these */
};

/* A process whose new code is matched. */
struct watched {
	int pid;
	bool for_symbols; /* it has no probes at all, but clauses name its symbols */
};

/* Whose code the clauses mean (watched.c). */
struct watched_processes {
	VECTOR(struct watched) list;
	bool every; /* descriptions of every process: new files have probes */
};

/* What the kernel has refused, and what is compiled differently for it (split.c, trampolines.c). */
struct refusals {
	uint32_t part_size[EVENT_COUNT]; /* of split programs */
	bool this_in_slot;		 /* a clause alone was too large */
	bool splits;		    /* the kernel refused a program, which is split further ... */
	enum event_kind too_large;  /* ... of events of this kind */
	bool never_sleeps;	    /* programs at user functions */
	VECTOR(char *) trampolines; /* in the tracer's arena: module`function */
	bool has_new_trampoline;    /* the last one */
};

/* Probes that are left out, as reported so far (attach.c). */
struct left_out {
	unsigned all, named;
	/* Returns whose arg0 is -1 though it is read; not reported yet. */
	unsigned exits_unknown, exits_dropped;
	bool warned_of_returns; /* of the kernel, in processes */
};

/* What the kernel runs beside an executor in a process (place.c). */
struct beside {
	const struct clause_place *places; /* by clause; NULL: t->executor runs all */
	const char *const *needs; /* why only the kernel can run the clause; NULL: others can */
	const struct typed_program *typed;
	const struct plan *plan;
	struct program program;
	const struct executor_ops *executor;
	void *executing;
	struct record_source source;
};

/* What signal handlers write. */
struct signals {
	volatile sig_atomic_t show_now;	  /* aggregations, in the next round */
	volatile sig_atomic_t interrupts; /* 1: end in order, 2: leave at once */
	uint64_t interrupted_at;	  /* of the first signal; used only by the handler */
	/* Stopped by a signal; NULL: nothing fires yet, or no more. */
	struct control *volatile firing[2]; /* of the halves */
	int wake;			    /* eventfd */
};

/* The run (run.c). */
struct progress {
	uint64_t next_status;
	uint64_t missed_before; /* firings that the kernel skipped before tracing began */
	bool has_recorded;	/* a record was visited between BEGIN and END */
	bool end_has_run, aggregations_shown;
};

struct tracer {
	struct options *options;
	struct request request;
	struct arena *arena;
	struct types *types;
	struct images *images;
	struct symbols *symbols;
	struct probe_db *probes;
	struct sema *sema;
	struct sema_env sema_env;
	struct compiling compiling;
	struct target_processes processes;

	/* from tracer_generate() on */
	struct watched_processes watched;
	struct refusals refusals;
	struct left_out left_out;
	const struct plan *plan; /* of `program`; NULL: none was made */
	struct program program;
	const struct executor_ops *executor; /* runs the program */
	bool has_privileges;		     /* the kernel may: asked once */
	void *executing;		     /* of the executor's functions; NULL: not loaded */
	struct record_source source;	     /* the loaded program's source, for the consumer */
	struct beside beside;
	VECTOR(const struct program *) running; /* t->program, and those for later probes */
	struct consumer *consumer;
	struct output *output;
	struct signals signals;
	struct progress progress;

	/* The states of the wings. */
#define WING(name) struct name *name;
#include "tracer/wing.def"
#undef WING
};

#endif
