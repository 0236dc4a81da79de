/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of tracer/; see tracer.h */
#ifndef TRACER_INTERNAL_H
#define TRACER_INTERNAL_H

#include <sched.h>
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
#include "tracer/limits/beat.h"
#include "tracer/live/versions.h"
#include "tracer/option/option.h"
#include "tracer/stacks/table_retry.h"
#include "tracer/targets/cgroups.h"
#include "tracer/targets/named_target.h"
#include "tracer/tracer.h"
#include "tracer/wing.h"
#include "types/types.h"

/* One compiled program: its clauses are consecutive in the typed program. */
struct compiled {
	const struct tracer_program *program;
	unsigned first_clause, clause_count;
};

struct library;

/* New probes and their program: running number 1 and more (rematch.c). */
struct addition {
	struct arena *arena; /* of all below; NULL: released (reap.c) */
	const struct typed_program *typed;
	struct program *program;
};

/* The probes of a clause, once some were added to those it had at first. */
struct kept_probes {
	VECTOR(const struct probe *) list;
};

/* A process whose new code is matched (rematch.c). */
struct watched {
	int pid;
	bool for_symbols; /* it has no probes at all, but clauses name its symbols */
};

/* A process that has just executed another program. */
struct executed {
	int pid;
	bool by_first_thread;
	int root;   /* of its tree, which is followed; 0: it is in none */
	bool waits; /* the process waits for us before its first instruction */
};

/* While processes wait for their probes (waiting.c); `control` is NULL when none does. */
struct waiting {
	struct control *control;
	struct beat beat;
	bool has_moved;
	cpu_set_t before; /* our CPUs, if we have left one */
};

/* A process in the tree of a -c or -p process. */
struct descendant {
	int pid, root;
};
typedef VECTOR(struct descendant) descendant_vector;

/* $NAME, except $target. */
struct macro_value {
	const char *name;
	int64_t value;
};

/* Are the statements of TYPED's and P's headers true? Called only if VERIFIES (go.c). */
MUST_CHECK struct error *tracer_verify(const struct typed_program *typed, const struct program *p);

struct formulas; /* formula/formula.h */

/* Functions of the kernel that take no program by fentry or fexit (trampolines.c). */
struct refused_trampolines {
	VECTOR(char *) names; /* in the tracer's arena: module`function */
	bool is_new;	      /* the last one */
};

/* A variable of our library that host.c writes. */
struct host_value {
	bool is_used;	 /* by the program */
	uint32_t offset; /* in the globals */
};

struct host_values {
	struct host_value loads, free_pages;
	struct beat beat;
};

struct tracer {
	struct library *library;   /* NULL until the first look-up of a name */
	struct formulas *formulas; /* NULL: not opened yet */
	struct diagnostics library_mistakes;
	bool formulas_are_wrong; /* mistakes of theirs were shown */
	struct options *options;
	struct arena *arena;
	struct types *types;
	struct images *images;
	struct symbols *symbols;
	struct probe_db *probes;
	struct sema *sema;
	struct sema_env sema_env;
	struct syntax_env syntax_env; /* of the program that is being parsed */
	struct macro_value macros[10];
	bool lacks_target;    /* a program that names $target was read, and there is no target */
	int64_t boot_wall_ns; /* see topology.c; as it was when tracing began */
	const char *const *args;
	unsigned arg_count;
	VECTOR(struct process *) processes;
	VECTOR(int) targets;		     /* their pids */
	descendant_vector descendants;	     /* that were there (targets.c) */
	struct hierarchy hierarchy;	     /* of control groups; mount NULL: not looked for */
	cgroup_rules cgroup_rules;	     /* of all targets in their order */
	VECTOR(struct task_test) task_tests; /* one for all control groups (task_tests.c) */
	VECTOR(struct compiled) compiled;

	/* from tracer_go() on */
	bool generated;
	uint32_t part_size[EVENT_COUNT]; /* of split programs (split.c) */
	bool this_in_slot;		 /* a clause alone was too large (split.c) */
	bool splits;		   /* the kernel refused a program, which is split further ... */
	enum event_kind too_large; /* ... of events of this kind */
	bool never_sleeps;	   /* programs at user functions */
	struct refused_trampolines refused_trampolines;
	struct program program;
	const struct executor_ops *executor;	/* runs the program */
	void *executing;			/* of the executor's functions; NULL: not loaded */
	struct record_source source;		/* the loaded program's source, for the consumer */
	VECTOR(const struct program *) running; /* t->program, and the programs for later probes */
	VECTOR(struct addition) additions;	/* those of running from 1 on */
	VECTOR(struct kept_probes) kept;	/* by clause; or empty */
	VECTOR(struct clause_version) versions; /* of clauses, for probes that came later */
	VECTOR(struct watched) watched;
	VECTOR(struct executed) executed; /* of these */
	VECTOR(int) unheld;		  /* of those, looked at too early, maybe */
	unsigned unseen;		  /* and those that ended before they were looked at */
	descendant_vector children; /* that wait for their own links (loader/attach/members.c) */
	descendant_vector threads_executed;  /* members whose links are dead */
	VECTOR(struct arrival) tables_asked; /* for user stacks (unwind.c) */
	struct hash *tables;		     /* by struct unwind_key: made for targets */
	struct hash *tables_damaged;	     /* by struct unwind_key: reported */
	table_failures tables_failed;	     /* of these and those */
	struct copies *copies;		     /* of user stacks (copies.c); NULL: there were none */
	bool only_lists;		     /* -l */
	bool is_anonymous;		     /* nobody is there while it traces */
	uint64_t arrivals_met;		     /* read from the ring; see tracer_owes_arrivals() */
	bool has_arrivals;		     /* since the last round, */
	struct waiting waiting;		     /* and the processes of some wait */
	bool match_again;		     /* in the next round, even if nothing arrives */
	bool wants_files;		     /* descriptions of every process: new_files.c */
	struct code_watch *code_watch;	     /* NULL: not open */
	struct mapping_log *mapping_log;     /* NULL: nobody wants names */
	struct interpreters *interpreters; /* for jstack() (interpreters.c); NULL: none were met */
	VECTOR(int) present;		   /* processes still to be looked at */
	bool lost_mapped;		   /* reports of those, since the last round; */
	bool told_lost_mapped;		   /* ever */
	bool wants_modules, has_modules;   /* descriptions of functions: modules.c */
	uint64_t next_modules;		   /* a look at the list of modules */
	uint64_t next_look;		   /* at all processes' files */
	unsigned new_files;		   /* since the last look */
	VECTOR(int) ended_early;	   /* processes that mapped the files matched now */
	unsigned all_ended_early;	   /* how many there were before them */
	bool is_full;			   /* no more files may be open: reported */
	unsigned left_out_reported;	   /* functions */
	/* Returns whose arg0 is -1 though it is read; not reported yet. */
	unsigned exits_unknown, exits_dropped;
	bool warned_of_returns;		  /* of the kernel, in processes */
	unsigned left_out_named_reported; /* of them, by name */
	uint32_t members_reported;	  /* of control->members_missed */
	uint64_t arrivals_reported;	  /* of control->arrivals_missed */
	struct consumer *consumer;
	struct output *output;
	int output_fd;
	const char *output_name;

	struct saved *restored; /* the saved programs that it runs (anonymous.c), or NULL */
	bool testing;		/* _DTRACE_TESTING: values that differ from run to run are not
				 * printed */
	volatile sig_atomic_t show_now;	  /* aggregations, in the next round */
	volatile sig_atomic_t interrupts; /* 1: end in order, 2: leave at once */
	uint64_t interrupted_at;	  /* of the first signal; used only by the signal handler */
	bool end_has_run, aggregations_shown;
	bool has_recorded; /* a record was visited between BEGIN and END */
	struct control
		*volatile firing; /* stopped by a signal; NULL: nothing fires yet, or no more */
	int wake;		  /* eventfd that the signal handler writes to */
	struct host_values host;  /* host.c */
	uint64_t next_status;
	uint64_t missed_before; /* firings that the kernel skipped before tracing began */

	/* The states of the wings. */
#define WING(name) struct name *name;
#include "tracer/wing.def"
#undef WING
};

/* cost.c: of the probes of functions of P, if they are many */
void tracer_report_cost(const struct tracer *t, const struct program *p);
/* kernel_cost.c: the same of functions of the kernel */
void tracer_report_kernel_cost(const struct tracer *t, const struct program *p);
/* An error if P's end would take long; detach.c. */
MUST_CHECK struct error *tracer_check_detaching(const struct tracer *t, const struct program *p);

/* compile.c */
void tracer_init_macros(struct tracer *t); /* their values for this process */
/* Parse the item of a library and let sema define it.  Mistakes are added to library_mistakes. */
void tracer_compile_library(struct tracer *t, const struct source *library, uint32_t begin,
			    uint32_t end, uint32_t line);

struct syntax_mode tracer_syntax_mode(const struct tracer_program *program);
/* Parse D of the traced file NAME: struct sema_env. */
const struct program_node *tracer_parse_note(void *arg, const char *name, const char *text,
					     size_t len, struct diagnostics *d);

/* formulas.c */
void tracer_open_formulas(struct tracer *t); /* make the providers that are data known, once */
/* For struct sema_env and struct formulas_env. */
void tracer_formula_mistakes(void *tracer, const struct diagnostics *d);
/* What options say, for sema and providers (compile.c). */
void tracer_refresh_env(struct tracer *t);
/* P's events as -lv shows them, each once, " ONE, ANOTHER"; A has their system calls (list.c). */
void list_events(FILE *f, const struct arch *a, const struct probe *p);

/* targets.c */
/* Processes that may be members of trees at once. */
#define MEMBERS_MOST 65536
void tracer_warn_of_first_target(const struct tracer *t, const struct program_node *program);
bool tracer_follows(const struct tracer *t);		 /* children of -c and -p processes */
uint32_t tracer_follow_flags(const struct tracer *t);	 /* enum follow_flag */
bool tracer_has_private_members(const struct tracer *t); /* each has its own links */
bool tracer_has_trees(const struct tracer *t);		 /* once all programs are compiled */
void tracer_find_descendants(struct tracer *t);		 /* before descriptions are matched */
bool tracer_is_member(const struct tracer *t, int pid);	 /* as far as we know */
MUST_CHECK struct error *tracer_join_targets(struct tracer *t); /* before they are attached to */
bool tracer_has_members(const struct tracer *t); /* is a followed process, or its child, alive? */
void tracer_report_missed_members(struct tracer *t);

/* task_tests.c: -x target */
MUST_CHECK struct error *tracer_make_task_tests(struct tracer *t);  /* before compiling */
MUST_CHECK struct error *tracer_add_task_targets(struct tracer *t); /* before probes are attached */
void tracer_report_task_tests(const struct tracer *t);		    /* losses, at the end */

/* tree_files.c: the files of P's events in trees of processes */
/* Warn of other processes that run them. */
void tracer_report_strangers(const struct tracer *t, const struct program *p);
/* Our own process does not run them any more, but copies: before P is attached. */
void tracer_leave_tree_files(const struct tracer *t, const struct program *p);
/* What programs that start with them pay: once P is attached. */
void tracer_report_starts(const struct tracer *t, const struct program *p);

/* compat_calls.c */
bool tracer_is_compat_call(const struct probe *p); /* a system call of 32-bit programs alone */
void tracer_report_compat_calls(const struct tracer *t); /* warn of clauses that such fire alone */

/* unbuilt.c: with -Z, once tracing begins */
void tracer_report_unbuilt(const struct tracer *t);

/* unset_start.c */
void tracer_warn_of_unset_start(const struct program_node *program);

/* quiet_calls.c: at the end, before END */
void tracer_report_quiet_calls(const struct tracer *t);

/* topology.c: a library made from /sys */
bool topology_defines(const char *name);
/* To be added to time since boot, sleep of the machine included, for the time of day. */
int64_t topology_boot_wall_ns(void);
void topology_print(struct strbuf *out, int64_t boot_wall_ns);

/* show.c: to standard error, all of it */
/* Print the diagnostics in D, if any, with tags if they are wanted. */
void tracer_show_mistakes(const struct tracer *t, const struct diagnostics *d);
bool tracer_dump_wanted(const struct tracer *t, const char *stage);
void tracer_show_typed(const struct tracer *t);
void tracer_show_plan(const struct tracer *t, const struct plan *plan);
void tracer_show_code(struct tracer *t);
struct executor_viewer tracer_viewer(struct tracer *t);

/* notice.c: report options whose values were lowered, unless quietresize */
__attribute__((format(printf, 2, 3))) void tracer_notice(const struct tracer *t, const char *fmt,
							 ...);
void tracer_notice_options(const struct tracer *t);
void tracer_notice_option(const struct tracer *t, enum option id);
void tracer_notice_sizes(const struct tracer *t);

/* names.c: read the names of user addresses before the process ends */
void tracer_prefetch_names(struct tracer *t);
/* What probefunc says of TYPED's probes, before code is made of it. */
void tracer_write_names(const struct tracer *t, const struct typed_program *typed);
void tracer_learn_names(struct tracer *t);
bool tracer_wants_names(const struct tracer *t);   /* are user addresses recorded? */
void tracer_tell_nameless(const struct tracer *t); /* report that kernel addresses have no names, if
						    * so */

/* executor.c: calls of the table of t->executor for the other files */
void tracer_choose_executor(struct tracer *t);
/* An error if the table lacks FUNCTION, which WHAT needs: "the interpreter cannot ...". */
MUST_CHECK struct error *tracer_lacks(const struct tracer *t, bool function, const char *what);
MUST_CHECK struct error *
tracer_load(struct tracer *t); /* an error, too, if it cannot run the program */
MUST_CHECK struct error *tracer_load_more(struct tracer *t, const struct program *p);
MUST_CHECK struct error *tracer_fire(struct tracer *t, enum event_kind kind);
uint64_t tracer_missed(const struct tracer *t); /* firings skipped so far */

/* go.c: compile the typed program to t->program, by its current plan */
MUST_CHECK struct error *tracer_compile_program(struct tracer *t);

/* facts.c: input of plan and executors */
struct plan_options tracer_plan_options(struct tracer *t);
struct executor_options tracer_executor_options(struct tracer *t);
uint64_t tracer_speculation_size(const struct options *o);

/* host.c */
struct plan;
void tracer_place_host_values(struct tracer *t, const struct plan *plan);
void tracer_begin_host_values(struct tracer *t); /* before clauses run */
void tracer_end_host_values(struct tracer *t);	 /* also if it has not begun, or has ended */

/* The words of -x oformat, in their order. */
enum form { FORM_TEXT, FORM_JSON, FORM_BUFFERED };
/* Standard output of the programs that we start, which keeps it out of data; 0: ours. */
int tracer_command_output(const struct tracer *t);

/* go.c: the steps of tracer_go() */
MUST_CHECK struct error *
tracer_enable(struct tracer *t); /* up to BEGIN, whose records are not read yet */
struct error *
tracer_connect(struct tracer *t);	/* connect the loaded buffers to consumer and output */
void tracer_activate(struct tracer *t); /* probes may fire if BEGIN allows it (no exit()) */
MUST_CHECK struct error *tracer_release_processes(struct tracer *t);

/* trampolines.c: fentry and fexit of the kernel's functions */
const struct event *tracer_trampoline_of(void *tracer, const struct event *e); /* plan/group.h */
void tracer_no_trampoline(void *tracer, const struct event *e, const struct error *why);
/* Returns that the kernel may miss, before they are attached. */
void tracer_report_returns(const struct tracer *t, const struct program *p);
/* Was one refused since the last call?  Then compiling again leaves it out. */
bool tracer_lost_trampoline(struct tracer *t);

/* split.c */
void tracer_split_init(struct tracer *t);
/* For the executor: a program of INSTRUCTIONS instructions was refused for its size. */
void tracer_too_large(void *tracer, enum event_kind kind, uint32_t instructions);
/*
 * LOAD what COMPILE has made of P.  If a program is refused for its size, both again, in more
 * parts, until all are loaded or a clause alone is too large; or without a refused trampoline.
 */
typedef struct error *tracer_step_fn(struct tracer *t, void *arg);
MUST_CHECK struct error *tracer_load_in_parts(struct tracer *t, const struct program *p,
					      tracer_step_fn *compile, tracer_step_fn *load,
					      void *arg);

/* rematch.c: code that arrives in traced processes during tracing */
void tracer_choose_watched(struct tracer *t); /* before anything is loaded */
MUST_CHECK struct error *tracer_watch_code(struct tracer *t);
/* Is DESC of a provider of processes? Of which process? */
bool tracer_process_of(const struct probe_desc *desc, int *pid);
struct watched *tracer_watched(const struct tracer *t, int pid); /* NULL: not watched */
bool tracer_watch_linker(struct tracer *t, int pid);		 /* was it watched already? */
/* Match descriptions, and attach what is new.  Were there new probes? */
bool tracer_match_again(struct tracer *t);

/* modules.c: when tracing begins, in each round, and after a match: HAS_NEW, it has found some. */
void tracer_watch_modules(struct tracer *t);
void tracer_follow_modules(struct tracer *t);
void tracer_report_modules(struct tracer *t, bool has_new);

/* new_files.c: does C mean static probes of every process?  Does any clause? */
bool tracer_of_every_process(const struct tracer *t, const struct tclause *c);
bool tracer_wants_files(const struct tracer *t);
void tracer_watch_files(struct tracer *t); /* from now on, unless there is no such clause */
/* In a round: PID has mapped M; then, some reports were lost or not.  t->match_again: there are new
 * files. */
void tracer_note_file(struct tracer *t, int pid, const struct mapping *m);
void tracer_follow_files(struct tracer *t, bool some_lost);
/* MORE is about to be attached: count the processes that have run its files and ended. */
void tracer_note_ended(struct tracer *t, const struct typed_program *more);
void tracer_sum_ended(struct tracer *t);    /* all that was new has been attached */
void tracer_report_ended(struct tracer *t); /* at the end */
#define FILES_LOOK_SECONDS 10u		    /* between looks at all processes */

/* mapped.c: what processes map as code, for these and for names; no effect if nobody wants it */
void tracer_watch_mapped(struct tracer *t);
void tracer_unwatch_mapped(struct tracer *t);
int tracer_mapped_poll_fd(const struct tracer *t); /* readable when there may be something; or -1 */
void tracer_read_mapped(struct tracer *t);
void tracer_watch_new_cpus(struct tracer *t);
/* What PID maps, or has mapped as code if it has ended; the caller frees it. */
void tracer_mappings(struct tracer *t, int pid, struct mapping **ret, size_t *count);

/* interpreters.c: does a program ask for frames of interpreters?  It must be loaded. */
bool tracer_wants_interpreters(const struct tracer *t);
void tracer_find_interpreters(struct tracer *t); /* of targets */
/* PID has mapped M: perhaps it runs one. */
void tracer_note_interpreter(struct tracer *t, int pid, const struct mapping *m);
void tracer_fork_interpreter(struct tracer *t, int parent, int pid);
struct code_names *tracer_code_names(struct tracer *t); /* NULL: nobody asks for them */
void tracer_free_interpreters(struct tracer *t);

/* arrivals.c */
/* In each round: attach probes in code that has arrived. */
MUST_CHECK struct error *tracer_follow_code(struct tracer *t);
void tracer_report_unseen(struct tracer *t); /* at the end: programs that ended too early */
/*
 * A part of that, which stacks wait for: tables that are missing, and copied stacks, whose process
 * may end soon.  Other arrivals are noted for the next round.
 */
MUST_CHECK struct error *tracer_serve_stacks(struct tracer *t);
/* Did it meet an arrival whose ticket came later?  Then its process waits for another round. */
bool tracer_owes_arrivals(const struct tracer *t);
void tracer_let_go(struct tracer *t); /* release the processes that wait for probes */

/* reap.c */
/* Detach the additions whose probes can fire no more, after a look at all processes. */
void tracer_reap(struct tracer *t);
bool tracer_is_released(const struct tracer *t, unsigned n); /* the N-th program */
void tracer_free_additions(struct tracer *t);
/* C's probes from now on; in order of their ids. */
void tracer_keep_probes(struct tracer *t, struct tclause *c, const probe_vector *list);

/* waiting.c: a process waits, spinning on CPU; it is called for each of them. */
void waiting_begin(struct waiting *w, struct control *control, unsigned cpu);
void waiting_beat(struct waiting *w); /* those that wait see that we are at work */
void waiting_end(struct waiting *w);  /* for all */

/* unwind.c: user stacks by unwind tables */
bool tracer_unwinds(const struct tracer *t);	     /* if the kernel allows it */
uint64_t tracer_unwind_pool(const struct tracer *t); /* executor_options; 0: no stack is walked */
/* What the targets map has its tables before they run, and before what they load later does. */
MUST_CHECK struct error *tracer_make_target_tables(struct tracer *t);
/* Then, while it traces: of files that most processes have. */
MUST_CHECK struct error *tracer_make_common_tables(struct tracer *t);
/* In each round: tables that stacks have asked for. */
MUST_CHECK struct error *tracer_make_tables(struct tracer *t);
/* The key by which programs find the file of M; false: it cannot be opened, or there is none. */
bool tracer_table_key(struct tracer *t, int pid, const struct mapping *m, struct unwind_key *ret);
MUST_CHECK struct error *tracer_give_table(struct tracer *t, struct image *image,
					   const struct unwind_key *key);
/* Until it is forgotten the file has no table, and does not wait for one. */
MUST_CHECK struct error *tracer_hide_file(struct tracer *t, const struct unwind_key *key);

/* copies.c: user stacks that programs have copied */
/* In each round, before tables are made: copies from the executor, and what their processes map. */
MUST_CHECK struct error *tracer_take_copies(struct tracer *t);
/* After that: their frames, by the tables. */
MUST_CHECK struct error *tracer_walk_copies(struct tracer *t);
/* consumer_names.copied_frames */
const uint64_t *tracer_copied_frames(void *tracer, uint64_t number, unsigned *count);
void tracer_free_copies(struct tracer *t);

/* run.c: ERR, or NULL if ERR is only the second ^C, which ends writing and all remaining work */
MUST_CHECK struct error *tracer_unless_cancelled(const struct tracer *t, struct error *err);

/* attach.c */
/* -x cpu, or -1. */
int tracer_only_cpu(const struct tracer *t);
MUST_CHECK struct error *tracer_attach(struct tracer *t);
/* Attach the N-th running program to its probes. */
MUST_CHECK struct error *tracer_attach_program(struct tracer *t, unsigned n);
/* Attach all probes of process PID again, because they are dead (executor_ops.forget()). */
MUST_CHECK struct error *tracer_attach_anew(struct tracer *t, int pid);
/* Report functions that patterns left out since the last report. */
void tracer_report_left_out(struct tracer *t);

/* permit.c: may this program be enabled?  Before it is compiled. */
MUST_CHECK struct error *tracer_permit(struct tracer *t);
/* Are returns in processes traced by return probes of the kernel (pidret=kernel)? */
bool tracer_kernel_returns(const struct tracer *t);

static inline enum buffer_policy tracer_policy(const struct tracer *t)
{
	return (enum buffer_policy)option_number(t->options, OPTION_bufpolicy);
}

/* lost.c: report losses after tracer_run() was ended at once */
void tracer_report_lost(struct tracer *t);

#endif
