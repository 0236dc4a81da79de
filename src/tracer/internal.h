/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * internal - the functions that files of the session share, and that wings call; see tracer.h and
 * wing.h
 *
 * Files of the session: tracer.c (the handle), compile.c (text to typed clauses), list.c, permit.c
 * (may it be enabled?), go.c (to a running program; watched.c, facts.c, make.c, place.c,
 * executor.c, split.c, trampolines.c, attach.c), run.c (the main loop and the end; lost.c), show.c
 * and notice.c (messages), about.c, announce.c, beat.c, wing.c.
 */
#ifndef TRACER_INTERNAL_H
#define TRACER_INTERNAL_H

#include "tracer/session.h"
#include "tracer/wing.h"

/* --- compile.c -------------------------------------------------------------------------------- */

void tracer_init_macros(struct tracer *t); /* their values for this process */
/* Parse the item of a library and let sema define it.  Mistakes are added to library_mistakes. */
void tracer_compile_library(struct tracer *t, const struct source *library, uint32_t begin,
			    uint32_t end, uint32_t line);
struct syntax_mode tracer_syntax_mode(const struct tracer_program *program);
/* Parse D of the traced file NAME: struct sema_env. */
const struct program_node *tracer_parse_note(void *arg, const char *name, const char *text,
					     size_t len, struct diagnostics *d);
void tracer_refresh_env(struct tracer *t); /* what options say, for sema and providers */

/* --- list.c ----------------------------------------------------------------------------------- */

/* P's events as -lv shows them, each once, " ONE, ANOTHER"; A has their system calls. */
void list_events(FILE *f, const struct arch *a, const struct probe *p);
bool tracer_is_compat_call(const struct probe *p); /* a system call of 32-bit programs alone */

/* --- show.c, notice.c, lost.c: messages ------------------------------------------------------- */

/* Print the diagnostics in D, if any, with tags if they are wanted. */
void tracer_show_mistakes(const struct tracer *t, struct diagnostics *d);
/* The same, for which a program is refused: also as lines for programs. */
void tracer_refuse(const struct tracer *t, struct diagnostics *d);
bool tracer_dump_wanted(const struct tracer *t, const char *stage);
void tracer_show_typed(const struct tracer *t);
void tracer_show_plan(const struct tracer *t, const struct plan *plan);
void tracer_show_code(struct tracer *t);
struct executor_viewer tracer_viewer(struct tracer *t);
/* Report options whose values were lowered, unless quietresize. */
__attribute__((format(printf, 2, 3))) void tracer_notice(const struct tracer *t, const char *fmt,
							 ...);
void tracer_notice_options(const struct tracer *t);
void tracer_notice_option(const struct tracer *t, enum option id);
void tracer_notice_sizes(const struct tracer *t);
void tracer_report_lost(struct tracer *t); /* tracer_run() was ended at once */

/* --- permit.c: before programs are compiled --------------------------------------------------- */

MUST_CHECK struct error *tracer_permit(struct tracer *t); /* may they be enabled? */
void tracer_choose_executor(struct tracer *t);		  /* as the options say now */
bool tracer_is_auto(const struct tracer *t);		  /* -x executor=auto */
/* Are returns in processes traced by return probes of the kernel (pidret=kernel)? */
bool tracer_kernel_returns(const struct tracer *t);

/* --- watched.c: whose code clauses mean ------------------------------------------------------- */

void tracer_choose_watched(struct tracer *t);			 /* before code is made */
struct watched *tracer_watched(const struct tracer *t, int pid); /* NULL: not watched */
/* Is DESC of a provider of processes?  Of which process? */
bool tracer_process_of(const struct probe_desc *desc, int *pid);
/* Does C mean static probes of every process? */
bool tracer_of_every_process(const struct tracer *t, const struct tclause *c);

/* --- facts.c: input of plan and executors ----------------------------------------------------- */

struct plan_options tracer_plan_options(struct tracer *t, const struct executor_ops *executor);
struct executor_options tracer_executor_options(struct tracer *t); /* without those of wings */
uint64_t tracer_speculation_size(const struct options *o);
/* The offset of MEMBER ("se.exec_start") in the kernel's struct TAG, or -1. */
int32_t tracer_kernel_offset(void *tracer, const char *tag, const char *member);

/* --- make.c: typed programs to programs ------------------------------------------------------- */

/* TYPED to RET and *PLAN, for EXECUTOR, in ARENA. */
MUST_CHECK struct error *tracer_make_program(struct tracer *t, const struct executor_ops *executor,
					     struct arena *arena, const struct typed_program *typed,
					     struct program *ret, const struct plan **plan);
/* Are the statements of TYPED's and P's headers true?  Called only if VERIFIES. */
MUST_CHECK struct error *tracer_verify(const struct typed_program *typed, const struct program *p);

/* --- place.c: what the kernel runs beside an executor in a process -----------------------------
 */

/* An executor, and what it runs. */
struct half {
	const struct executor_ops *executor;
	const struct program *program;
	void *executing;
	const struct record_source *source;
};

/* How many run clauses: 1, or 2.  Half 0 is that of t->executor. */
static inline unsigned tracer_halves(const struct tracer *t)
{
	return t->beside.places ? 2 : 1;
}

static inline struct half tracer_half(const struct tracer *t, unsigned n)
{
	const struct beside *b = &t->beside;
	if (n == 0)
		return (struct half) { t->executor, &t->program, t->executing, &t->source };
	return (struct half) { b->executor, &b->program, b->executing, &b->source };
}

/* The greatest of the halves' (struct control): exit() in one ends both. */
static inline uint32_t tracer_activity(const struct tracer *t)
{
	uint32_t most = 0;
	for (unsigned n = 0; n < tracer_halves(t); n++)
		most = MAX(most, __atomic_load_n(&tracer_half(t, n).source->control->activity,
						 __ATOMIC_ACQUIRE));
	return most;
}

/* Has a deadman ended tracing? */
static inline bool tracer_is_abandoned(const struct tracer *t)
{
	bool any = false;
	for (unsigned n = 0; n < tracer_halves(t); n++)
		any |= __atomic_load_n(&tracer_half(t, n).source->control->abandoned,
				       __ATOMIC_ACQUIRE) != 0;
	return any;
}

/* Does the kernel alone run the clause? */
static inline bool tracer_is_beside(const struct tracer *t, const struct tclause *c)
{
	return t->beside.places && t->beside.places[c->index].moves;
}

/* To t->program, divided if that is needed. */
MUST_CHECK struct error *tracer_compile_program(struct tracer *t);
/* WHOLE: as for the other half. */
MUST_CHECK struct error *tracer_load_beside(struct tracer *t, const struct executor_options *whole);
/* BEGIN has run: its variables for the half that has not run it. */
void tracer_copy_variables(struct tracer *t);

/* --- go.c ------------------------------------------------------------------------------------- */

/* The steps of tracer_go(): up to BEGIN, whose records are not read yet, */
MUST_CHECK struct error *tracer_enable(struct tracer *t);
/* of that: connect the loaded buffers to consumer and output; */
MUST_CHECK struct error *tracer_connect(struct tracer *t);
void tracer_refresh_output(struct tracer *t); /* options have changed */
/* setopt() in a record of a core or of another machine: for output_setup.set_option. */
const char *tracer_foreign_setopt(void *tracer, const char *name, const char *value);
void tracer_activate(struct tracer *t); /* probes may fire if BEGIN allows it (no exit()) */
MUST_CHECK struct error *tracer_release_processes(struct tracer *t);

/* --- executor.c: calls of the table of t->executor for the other files ------------------------ */

/* An error if not HAS_IT, the table or function that WHAT needs: "the interpreter cannot ...". */
MUST_CHECK struct error *tracer_lacks(const struct tracer *t, bool has_it, const char *what);
/* An error, too, if it cannot run the program. */
MUST_CHECK struct error *tracer_load(struct tracer *t);
MUST_CHECK struct error *tracer_load_more(struct tracer *t, const struct program *p);
MUST_CHECK struct error *tracer_fire(struct tracer *t, enum event_kind kind);
uint64_t tracer_missed(const struct tracer *t); /* firings skipped so far */

/* --- split.c ---------------------------------------------------------------------------------- */

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

/* --- trampolines.c: fentry and fexit of the kernel's functions -------------------------------- */

const struct event *tracer_trampoline_of(void *tracer, const struct event *e); /* plan/group.h */
void tracer_no_trampoline(void *tracer, const struct event *e, const struct error *why);
/* Returns that the kernel may miss, before they are attached. */
void tracer_report_returns(const struct tracer *t, const struct program *p);
/* Was one refused since the last call?  Then compiling again leaves it out. */
bool tracer_lost_trampoline(struct tracer *t);

/* --- attach.c --------------------------------------------------------------------------------- */

int tracer_only_cpu(const struct tracer *t); /* -x cpu, or -1 */
/* Attach the N-th running program to its probes. */
MUST_CHECK struct error *tracer_attach_program(struct tracer *t, unsigned n);
/* ERR of the process PID; if that has ended, this is the error instead. */
MUST_CHECK struct error *tracer_if_ended(struct error *err, int pid);
/* Attach all probes of process PID again, because they are dead (executor_follow.forget()). */
MUST_CHECK struct error *tracer_attach_anew(struct tracer *t, int pid);
/* Report functions that patterns left out since the last report. */
void tracer_report_left_out(struct tracer *t);

/* --- run.c ------------------------------------------------------------------------------------ */

/* Take the steps of the wings in a round. */
MUST_CHECK struct error *tracer_step_wings(struct tracer *t, bool status);
/* ERR, or NULL if ERR is only the second ^C, which ends writing and all remaining work */
MUST_CHECK struct error *tracer_unless_cancelled(const struct tracer *t, struct error *err);

/* The words of -x oformat, in their order; from FORM_READER on they are names of readers. */
enum form { FORM_TEXT, FORM_JSON, FORM_BUFFERED, FORM_STREAM, FORM_READER };
/* -x demangle: short where people read it on a terminal, if nothing else is set. */
enum name_form tracer_name_form(const struct tracer *t);
/* What output for programs begins with; in T's arena. */
const struct output_about *tracer_about(struct tracer *t);
/* The same of a program that was compiled elsewhere: without texts, expressions and processes. */
struct output_about tracer_about_compiled(struct tracer *t, const struct program *p);
/* Have the programs the aggregations that -x units, labels and show name? */
MUST_CHECK struct error *tracer_check_about(const struct tracer *t);
/* Is the output the lines of docs/json.md, whoever reads them? */
bool tracer_is_for_programs(const struct tracer *t);
/* Are lists and mistakes lines, too?  No reader draws those. */
static inline bool tracer_writes_lines(const struct tracer *t)
{
	uint64_t form = option_number(t->options, OPTION_oformat);
	return form == FORM_JSON || form == FORM_STREAM;
}
/* The output has its last line, or ERR has ended it: what wings say then. */
MUST_CHECK struct error *tracer_written(struct tracer *t, struct error *err);
/* Standard output of the programs that we start, which keeps it out of data; 0: ours. */
int tracer_command_output(const struct tracer *t);

/* Are children of -c and -p processes traced? */
static inline bool tracer_follows(const struct tracer *t)
{
	return option_number(t->options, OPTION_follow) && t->processes.pids.count;
}

static inline enum buffer_policy tracer_policy(const struct tracer *t)
{
	return (enum buffer_policy)option_number(t->options, OPTION_bufpolicy);
}

#endif
