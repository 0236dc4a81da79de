/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - what the files of tracer/ share; see tracer.h */
#ifndef TRACER_INTERNAL_H
#define TRACER_INTERNAL_H

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
#include "symbol/symbol.h"
#include "syntax/syntax.h"
#include "tracer/option.h"
#include "tracer/tracer.h"
#include "types/types.h"

/* One compiled program: its clauses stand together in the typed program. */
struct compiled {
	const struct tracer_program *program;
	unsigned first_clause, clause_count;
};

struct library;

/* A process whose new code is matched (rematch.c). */
struct watched {
	int pid;
	bool for_symbols;    /* it has no probes at all, but symbols that clauses name */
	bool has_no_returns; /* its kernel return probes were dropped: they would end it */
};

/* One that executed another program just now. */
struct executed {
	int pid;
	bool by_first_thread;
	bool waits; /* before its first instruction, for us */
};

/* $NAME, but for $target. */
struct macro_value {
	const char *name;
	int64_t value;
};

/* Do TYPED and P hold what their headers promise?  Asked only when VERIFIES (go.c). */
MUST_CHECK struct error *tracer_verify(const struct typed_program *typed, const struct program *p);

struct tracer {
	struct library *library; /* NULL until a name is asked for */
	struct diagnostics library_mistakes;
	struct options *options;
	struct arena *arena;
	struct types *types;
	struct images *images;
	struct symbols *symbols;
	struct probe_db *probes;
	struct sema *sema;
	struct sema_env sema_env;
	struct syntax_env syntax_env; /* of the program that is being read */
	struct macro_value macros[10];
	bool lacks_target;    /* a program was read that names $target, and there is none */
	int64_t boot_wall_ns; /* see topology.c; as it was when tracing began */
	const char *const *args;
	unsigned arg_count;
	VECTOR(struct process *) processes;
	VECTOR(int) targets; /* their pids */
	VECTOR(struct compiled) compiled;

	/* from tracer_go() on */
	bool generated;
	uint32_t part_size[EVENT_COUNT]; /* of split programs (split.c) */
	bool splits;			 /* the kernel refuses one, which is split further */
	bool never_sleeps;		 /* programs at user functions */
	struct program program;
	const struct executor_ops *executor;	/* who runs it */
	void *executing;			/* of the executor's functions; NULL: not loaded */
	struct record_source source;		/* what is loaded, as the consumer reads it */
	VECTOR(const struct program *) running; /* t->program, and those for later probes */
	VECTOR(struct watched) watched;
	VECTOR(struct executed) executed; /* of these */
	bool has_arrivals;		  /* in this round */
	bool match_again;		  /* in the next round, whatever arrives */
	bool is_full;			  /* no more files may be open: told */
	unsigned left_out_reported;	  /* functions */
	unsigned left_out_named_reported; /* of them, by name */
	uint64_t arrivals_reported;	  /* of control->arrivals_missed */
	struct consumer *consumer;
	struct output *output;
	int output_fd;
	const char *output_name;

	struct saved *restored; /* what its programs came from (anonymous.c), or NULL */
	bool testing;		/* _DTRACE_TESTING: what differs from run to run is not printed */
	volatile sig_atomic_t show_now;	  /* aggregations, in the next round */
	volatile sig_atomic_t interrupts; /* 1: end in order, 2: leave at once */
	uint64_t interrupted_at;	  /* the first time; of the signal handler alone */
	bool end_has_run, aggregations_shown;
	struct control
		*volatile firing; /* what a signal stops; NULL: nothing fires yet, or no more */
	int wake;		  /* eventfd that the signal handler writes to */
	uint64_t next_status;
	uint64_t missed_before; /* firings that the kernel skipped before tracing began */
};

/* compile.c */
void tracer_init_macros(struct tracer *t); /* as they are for this process */
/* Parse the item of a library and have sema define it.  Mistakes: library_mistakes grows. */
void tracer_compile_library(struct tracer *t, const struct source *library, uint32_t begin,
			    uint32_t end, uint32_t line);

/* topology.c: a library made of what /sys says */
bool topology_defines(const char *name);
/* What the kernel counts since boot, sleep of the machine included, becomes time of day by this. */
int64_t topology_boot_wall_ns(void);
void topology_print(struct strbuf *out, int64_t boot_wall_ns);

/* show.c: to standard error, all of it */
/* What is in D, if anything, with tags if they are wanted. */
void tracer_show_mistakes(const struct tracer *t, const struct diagnostics *d);
bool tracer_dump_wanted(const struct tracer *t, const char *stage);
void tracer_show_typed(const struct tracer *t);
void tracer_show_plan(const struct tracer *t, const struct plan *plan);
void tracer_show_code(struct tracer *t);
struct executor_viewer tracer_viewer(struct tracer *t);

/* notice.c: unless quietresize, what became of what was asked for */
void tracer_notice_options(const struct tracer *t);
void tracer_notice_option(const struct tracer *t, enum option id);
void tracer_notice_sizes(const struct tracer *t);

/* names.c: names of user addresses must be learnt before the process is gone */
void tracer_prefetch_names(struct tracer *t);
void tracer_learn_names(struct tracer *t);
void tracer_tell_nameless(const struct tracer *t); /* the kernel's, if they have none */

/* executor.c: what the table of t->executor does for the others */
void tracer_choose_executor(struct tracer *t);
/* An error if the table lacks FUNCTION, which is needed for this: "the interpreter cannot ...". */
MUST_CHECK struct error *tracer_lacks(const struct tracer *t, bool function, const char *what);
MUST_CHECK struct error *
tracer_load(struct tracer *t); /* an error, too, if it cannot run the program */
MUST_CHECK struct error *tracer_load_more(struct tracer *t, const struct program *p);
MUST_CHECK struct error *tracer_fire(struct tracer *t, enum event_kind kind);
uint64_t tracer_missed(const struct tracer *t); /* firings that were skipped so far */

/* go.c: the typed program to t->program, as its plan is now */
MUST_CHECK struct error *tracer_compile_program(struct tracer *t);

/* facts.c: what plan and executors are given */
struct plan_options tracer_plan_options(struct tracer *t);
struct executor_options tracer_executor_options(struct tracer *t);
uint64_t tracer_speculation_size(const struct options *o);

/* go.c: the steps of tracer_go() */
MUST_CHECK struct error *
tracer_enable(struct tracer *t); /* to BEGIN, whose records nobody has read */
struct error *
tracer_connect(struct tracer *t);	/* buffers of what is loaded to consumer and output */
void tracer_activate(struct tracer *t); /* what BEGIN allows (no exit()) may fire */
MUST_CHECK struct error *tracer_release_processes(struct tracer *t);

/* split.c */
void tracer_split_init(struct tracer *t);
/* For the executor: a program of so many INSTRUCTIONS is refused for its size. */
void tracer_too_large(void *tracer, enum event_kind kind, uint32_t instructions);
/* Was ERR, if any, of a program that is split further now?  Then ERR is freed, and the caller
 * compiles and loads again. */
bool tracer_splits(struct tracer *t, struct error **err);

/* rematch.c: code that arrives in traced processes while tracing goes on */
void tracer_choose_watched(struct tracer *t); /* before anything is loaded */
MUST_CHECK struct error *tracer_watch_code(struct tracer *t);
/* Is DESC of a provider of processes?  Of which one? */
bool tracer_process_of(const struct probe_desc *desc, int *pid);
struct watched *tracer_watched(const struct tracer *t, int pid); /* NULL: it is not */
/* In each round: what has arrived gets its probes. */
MUST_CHECK struct error *tracer_follow_code(struct tracer *t);
void tracer_let_go(struct tracer *t); /* nobody waits for probes any more */

/* run.c: ERR, or NULL if that is only the second ^C, which ends writing and whatever is left */
MUST_CHECK struct error *tracer_unless_cancelled(const struct tracer *t, struct error *err);

/* attach.c */
/* -x cpu, or -1. */
int tracer_only_cpu(const struct tracer *t);
MUST_CHECK struct error *tracer_attach(struct tracer *t);
/* The N-th program that runs, at its probes. */
MUST_CHECK struct error *tracer_attach_program(struct tracer *t, unsigned n);
/* All probes of process PID once more, as they are dead (executor_ops.forget()). */
MUST_CHECK struct error *tracer_attach_anew(struct tracer *t, int pid);
/* If W can unwind stacks by now: its kernel return probes go, or with pidret=kernel a warning
 * comes. */
void tracer_drop_returns(struct tracer *t, struct watched *w);
/* Functions that patterns leave out, since the last time. */
void tracer_report_left_out(struct tracer *t);

/* permit.c: may this program be enabled?  Before it is compiled. */
MUST_CHECK struct error *tracer_permit(struct tracer *t);

static inline enum buffer_policy tracer_policy(const struct tracer *t)
{
	return (enum buffer_policy)option_number(t->options, OPTION_bufpolicy);
}

/* lost.c: after tracer_run() was ended at once */
void tracer_report_lost(struct tracer *t);

#endif
