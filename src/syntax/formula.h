/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula - providers as data: the tree of a .prov file
 *
 * A file has one provider, that of its name, and declarations of D before it.  A probe is made of
 * kernel events:
 *
 *   provider sched {
 *       attributes Evolving/Evolving/ISA ... ;      five: provider module function name args
 *       module vmlinux;
 *       probe off-cpu (lwpsinfo_t *lwp, psinfo_t *ps) {
 *           on tp sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next) {
 *               lwp = xlate <lwpsinfo_t *>(next);
 *               ps = xlate <psinfo_t *>(next);
 *           }
 *       }
 *   }
 *
 * A probe has alternatives, separated by `else`: the first one whose sources are all there is the
 * probe; a source after `?` may be missing.  Each source is an event, a condition for the kernel
 * (`if`), a condition for the firing (`when`), and the arguments as expressions over the event's
 * parameters.  An argument that a source does not assign is the parameter of its name, or 0.  An
 * expression is an expression of D, and
 *
 *   xlate <T>(e) with { member = e, ... }             these members are not the translator's
 *
 * `save KEY: fields` keeps values under a key until `delete KEY`; `load KEY` makes them names.
 * `self.NAME = value` keeps one for the thread, until a source that uses such values fires.
 *
 * The parameters of a function's return are those of its entry, which are kept for the thread.
 *
 * A provider with `context pidclass;` has probes in one process each, as NAME$target.  Its events
 * are functions (`uprobe OBJECT:FUNCTION`) and static probes (`usdt PROVIDER:NAME`) of the process,
 * and those of the kernel in the process's threads.
 *
 * A source may be of several functions, system calls or static probes, with commas between them:
 * of those that are there.
 *
 * A condition for the kernel is an expression, too, of has(struct x.member), hasfunc(NAME),
 * hastp(NAME), hastp(NAME, ARGUMENTS), hasenum(NAME), config(NAME), arch(NAME), !, && and ||; and
 * of option(NAME, WORD): has the user's option this value?
 *
 * All grammar is known here.  Which events this program can use, formula/event.c says.
 */
#ifndef SYNTAX_FORMULA_H
#define SYNTAX_FORMULA_H

#include "syntax/ast.h"

struct formula_name {
	struct formula_name *next;
	const char *text;
};

/* --- events --------------------------------------------------------------------------------- */

enum formula_event_kind {
#define FORMULA_EVENT(id, word, what) FORMULA_##id,
#include "syntax/formula_event.def"
#undef FORMULA_EVENT
	FORMULA_EVENTS,
};

const char *formula_event_word(enum formula_event_kind kind);

struct formula_event {
	enum formula_event_kind kind;
	struct range range;
	struct formula_name *names;	      /* of a tracepoint, of functions ... */
	const struct pdesc_node *description; /* of another probe; its name is the text */
	bool is_return, is_after;
	int64_t number; /* of a call in a function, from 1, 0: all; offset of an instruction */
	struct param_node *params;
	bool varargs;	    /* the event may have more parameters */
	const char *result; /* the name of a function's result, or NULL */
};

/* Is E at the code of a process? */
static inline bool formula_event_is_of_process(const struct formula_event *e)
{
	return e->kind == FORMULA_UPROBE || e->kind == FORMULA_USDT;
}

/* --- statements ----------------------------------------------------------------------------- */

enum formula_statement_kind {
	FORMULA_LET,	/* name = value: for the statements after it */
	FORMULA_OUTPUT, /* name = value: an argument of the probe */
	FORMULA_SELF,	/* name = value: kept for the thread */
	FORMULA_TASK,	/* value: the task that pid, execname ... are of */
	FORMULA_DROP,	/* value: no firing if it is true */
	FORMULA_RAW,	/* number: arg`number` = value */
	FORMULA_SAVE,	/* fields, under the key `value` */
	FORMULA_LOAD,	/* those of the key `value` become names */
	FORMULA_DELETE, /* the key `value` */
	FORMULA_SILENT, /* the source fires no probe */
	FORMULA_KEEP,	/* self values stay after the firing */
};

struct formula_field {
	struct formula_field *next;
	struct formula_field *next_saved; /* of the provider */
	const char *name;
	struct param_node *param; /* its type */
	struct node *value;
};

struct formula_statement {
	struct formula_statement *next;
	enum formula_statement_kind kind;
	struct range range;
	const char *name;
	int64_t number;
	struct node *value;
	struct formula_field *fields;
	/* Of FORMULA_SELF: */
	const struct formula_source *source;
	struct formula_statement *next_self; /* of the provider */
};

/* --- probes --------------------------------------------------------------------------------- */

struct formula_source {
	struct formula_source *next;
	struct range range;
	bool optional;	       /* ? */
	bool reads_self;       /* self.x */
	bool asks_exists;      /* exists() */
	bool keeps_parameters; /* an entry, for the return (formula/function.c) */
	/* Of a return with parameters: the source before it that keeps them; set by formula/. */
	const struct formula_source *entry;
	struct formula_event event;
	struct node *condition; /* if; or NULL */
	struct node *when;	/* or NULL */
	struct formula_statement *statements;
	const struct formula_probe *probe;
	const struct formula_provider *provider;
};

struct formula_alternative {
	struct formula_alternative *next;
	struct range range;
	const char *note; /* what it lacks, or how it works; or NULL */
	struct formula_source *sources;
};

struct formula_probe {
	struct formula_probe *next;
	struct range range;
	const char *name;
	struct param_node *outputs;
	struct node *needs; /* or NULL */
	struct formula_alternative *alternatives;
};

#define FORMULA_ATTRIBUTES 5
#define FORMULA_PROBES_MAX 4096 /* of a provider: each name is compared with all before it */

struct formula_provider {
	const char *name, *module;		    /* module: "" if a per_process has none */
	bool per_process;			    /* context pidclass */
	const char *attributes[FORMULA_ATTRIBUTES]; /* all or none */
	struct range attributes_range;
	struct formula_probe *probes;
	unsigned probe_count;	     /* of those within the limit, and the ones left out for it */
	struct formula_field *saved; /* all fields that sources save, of each name the first */
	struct formula_statement *selfs, *last_self; /* all statements `self.NAME = value` */
};

/* Is one of SOURCE's statements of KIND? */
bool formula_has(const struct formula_source *source, enum formula_statement_kind kind);
/* The argument NAME of PROBE, or NULL. */
const struct param_node *formula_output(const struct formula_probe *probe, const char *name);
/* What the grammar does not say of PROBE, which comes after OTHERS in its provider: to D. */
void formula_check(const struct formula_probe *probe, const struct formula_probe *others,
		   struct diagnostics *d);
/* PROBE is one of PROVIDER's: its sources refer to both; the lists of PROVIDER contain its values.
 */
void formula_own(struct formula_probe *probe, struct formula_provider *provider);

#endif
