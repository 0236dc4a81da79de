/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe - names, matching, the database, and the interface of providers
 *
 * In:   probe descriptions.
 * Out:  struct probe, with an id, made by providers on demand.
 *
 * No program needs all probes of a system at once, so providers make theirs
 * when a description may mean them.  Providers of a fixed set (dtrace,
 * syscall, profile) make all probes at once and always in the same order, so
 * ids agree between runs; syscall's keep their ids free until one is named.
 * Providers of processes make only the named probes.
 *
 * Providers describe: a probe is one or more events (abi/event.h), which name the
 * target to attach to and the places of arguments.  Providers never write an
 * instruction and never attach; executors attach (loader/attach/attach.c).
 *
 *   db.c         the database: providers, probes by id and by their names
 *   match.c      from a description to probes: which providers are asked, and in which order
 *   meaning.c    what a description of one process means: its owners
 *   code.c       code that comes and goes while we trace
 *   arguments.c  args[] of probes; attributes.c: stability
 *   name.c       what names say; glob.c: patterns; suggest.c: what was probably meant
 *
 * struct provider is what each provider is.  What only providers of processes have, or those of the
 * kernel's functions, is in tables (struct provider_process, provider_kernel).
 *
 * To add a provider: a file in provider/ (dtrace.c is the smallest), a row in
 * provider/provider.def, a line in provider/provider.h, and a manual page,
 * docs/man/dtrace-provider-NAME.7.in.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include "abi/abi.h"
#include "base/base.h"
#include "types/types.h"

struct provider;

/* The parts of a probe that have attributes. */
enum provider_part {
	PART_OF_PROVIDER,
	PART_OF_MODULE,
	PART_OF_FUNCTION,
	PART_OF_NAME,
	PART_OF_ARGS,
	PROVIDER_PARTS
};

/* Eight bytes of an argument. */
struct probe_word {
	/* argN, uregs[N], N, or uregs[N] at the entry of the function around the probe */
	enum { WORD_ARGUMENT, WORD_REGISTER, WORD_CONSTANT, WORD_OF_ENTRY } kind;
	int64_t value;
};

#define PROBE_WORDS 4

/* An argument of a process's function, whose type is of the process. */
struct probe_argument {
	const char *name; /* of the parameter; NULL: it has none */
	const struct type *type;
	const char *problem; /* why nobody can read it: words after "it"; NULL: it can be read */
	bool in_memory;	     /* of the process, at base + offset; else words, + offset */
	bool by_address;     /* in memory: the argument's address is there */
	bool is_result;	     /* or a part of it, which may be unknown when the probe fires */
	struct probe_word base;
	int64_t offset;
	unsigned word;	/* bytes of the value in each of the words, and of an address: 8 or 4 */
	unsigned count; /* of words */
	struct probe_word words[PROBE_WORDS];
};

/*
 * D text of a traced file: the types and translators of some of its probes (notes,
 * object/note/declared.h). What it declares, only its probes see.  Equal texts of one build of a
 * file are one unit.
 */
struct probe_unit {
	const char *file; /* for messages */
	const char *text; /* not parsed yet; "" if there are only types */
	size_t length;
	struct types_scope *types;
};

/* The parameters of a probe as the file itself declares them. */
struct probe_declaration {
	const struct probe_unit *unit;
	unsigned native_count, output_count;
	const char *const *natives, *const *outputs; /* declarations of C: "struct conn *c" */
	const uint8_t *map;			     /* of args[i]: its native argument */
	const struct attributes *attributes;	     /* by enum provider_part */
};

/* The C types of args[]. */
struct probe_args {
	/*
	 * Types for types_parse(), NULL-ended; NULL: no typed arguments.  A translated
	 * argument names its input type, and its input's argument if the number differs:
	 * "devinfo_t * < struct bio * 0".
	 */
	const char *const *types;
	const char *const *names; /* of each; NULL: they have none */
	bool user_pointers;	  /* pointers among args[] are the process's */
	/* Of a function, instead of types: */
	const struct probe_argument *list;
	unsigned count;
	const char *problem; /* why there are none, as a sentence; NULL: there are, or nobody
				asked */
	/* Says more than the types above, which hold if its unit is not fit for use; or NULL. */
	const struct probe_declaration *declaration;
};

struct formula_source; /* syntax/formula.h */

/* One event of a probe. */
struct probe_event {
	struct event event;
	/* Of a probe that is made by a formula: the condition of the firing, and the arguments;
	 * else NULL. */
	const struct formula_source *source;
	struct probe_event *next;
};

#define PROBE_ARGS 10 /* arg0 ... arg9 */
#define PROBE_ERROR 3 /* the id of dtrace:::ERROR: the first provider's third */

struct probe {
	uint32_t id;
	const char *provider, *module, *function, *name; /* never NULL; owned by the database */
	const char
		*written; /* probefunc, of a mangled function (probe_db_write()); NULL: it is it */
	const struct provider *owner;
	const struct probe_args *args;
	struct probe_event *events; /* any of them fires the probe; ERROR has none */
	struct probe_event *last_event;
	void *data; /* the owner's data */
	/* Why argN can never be read, in a few words, by N: EVENT_ARGS of them; or NULL. */
	const char *const *unreadable;
	bool is_named;	/* a description names its function and name in full, as far as is known */
	bool is_hidden; /* its formula has a mistake, or is nothing here: nothing matches it */
	/* How it is made, and what it lacks; why other ways were not chosen, a line each; of a
	 * formula, or NULL. */
	const char *note, *not_chosen;
	struct probe *before; /* had these names before this probe (probe_db_succeed()), or NULL */
	bool is_retired;      /* probe_db_retire() */
};

static inline bool probe_has_event(const struct probe *p, enum event_kind kind)
{
	for (const struct probe_event *e = p->events; e; e = e->next)
		if (e->event.kind == kind)
			return true;
	return false;
}

/* One description; "" matches all.  Globs: * ? [a-z] [!a-z] \c. */
struct probe_desc {
	const char *provider, *module, *function, *name;
};

bool probe_desc_same(const struct probe_desc *a, const struct probe_desc *b);
/* The error that DESC matches nothing, with the reason: ": because", or "". */
MUST_CHECK struct error *probe_desc_unmatched(const struct probe_desc *desc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* That reason of ERR, or of another error all of it, after ": "; the caller frees it. */
char *probe_desc_why_unmatched(const struct probe_desc *desc, const struct error *err);
bool glob_match(const char *pattern, const char *text);
bool glob_is_plain(const char *pattern); /* no * ? [ \ in it */
/* Does PATTERN, a field of a description, match TEXT? */
bool probe_field_match(const char *pattern, const char *text);
/* Do DESC's module and function match P's, or other names that its provider knows of these? */
bool probe_place_match(const struct probe_desc *desc, const struct probe *p);

/* --- stability --- */
enum stability {
	STABILITY_INTERNAL,
	STABILITY_PRIVATE,
	STABILITY_OBSOLETE,
	STABILITY_EXTERNAL,
	STABILITY_UNSTABLE,
	STABILITY_EVOLVING,
	STABILITY_STABLE,
	STABILITY_STANDARD
};
enum dependency { CLASS_UNKNOWN, CLASS_CPU, CLASS_PLATFORM, CLASS_GROUP, CLASS_ISA, CLASS_COMMON };

struct attributes {
	enum stability name, data;
	enum dependency class;
};

const char *stability_text(enum stability which); /* "Stable" */
const char *class_text(enum dependency which);	  /* "Common" */
/* "Stable/Evolving/ISA"; false: not of this form. */
bool attributes_parse(const char *text, struct attributes *ret);
struct attributes attributes_weaker(struct attributes a, struct attributes b);
bool attributes_are_weaker(struct attributes a, struct attributes b); /* is A weaker than B in any
								       * part? */

/* --- providers --- */

struct probe_db;
struct file_key; /* process/process.h */
struct mapping;

typedef struct error *code_site_fn(void *arg, const struct event_code *linker);

enum probe_name { PROBE_NAME_OWN, PROBE_NAME_STATIC, PROBE_NAME_BOTH };

/* Names in a description that mean a probe though they are not its own; each may be NULL. */
struct provider_aliases {
	/* FUNCTION: the kernel's event name of a system call, an alias in a program */
	bool (*function)(const struct probe *probe, const char *function);
	/* MODULE, written in full: a.out, libc for libc.so.6 */
	bool (*module)(const struct probe *probe, const char *module);
	bool (*name)(const struct probe *probe, const char *name);
};

/* Code of processes, which may change while they run. */
struct provider_code {
	/*
	 * Pass WATCH the function that PID's dynamic linker calls when it has mapped libraries,
	 * unless it was passed before (*HAD_IT).  Static programs have none: this is not an
	 * error.
	 */
	struct error *(*watch)(struct probe_db *db, int pid, code_site_fn *watch, void *arg,
			       bool *had_it);
	void (*unwatch)(struct probe_db *db, int pid); /* WATCH no longer has the function */
	/* PID is in the tree of TARGET: TARGET's probes are those of PID's files, too. */
	void (*join)(struct probe_db *db, int target, int pid);
	/* Does PID run files that it did not run at the last call? */
	bool (*has_changed)(struct probe_db *db, int pid);
};

/* Files of every process, present and future. */
struct provider_files {
	/* PID has mapped M as code: does the file have probes of SELF that were not known? */
	bool (*mapped)(const struct provider *self, struct probe_db *db, int pid,
		       const struct mapping *m);
	/* Read all mappings of all processes again; the same answer. */
	bool (*look)(const struct provider *self, struct probe_db *db);
	/*
	 * After look(): can PROBE not fire any more, as no process has its file mapped and none can
	 * map it again?  Or is it one of so many unmapped ones that it is given up, and found again
	 * when a process maps it?
	 */
	bool (*is_gone)(struct probe_db *db, const struct probe *probe);
	/* Which file is PROBE's?  False: PROBE is not of every process. */
	bool (*key)(const struct probe *probe, struct file_key *ret);
	/* Those that had it at the last look, valid until the next; the result: their count. */
	size_t (*mappers)(const struct probe *probe, const int **ret);
	/* Name and build id of PROBE's file; *NAME NULL: PROBE is not of every process. */
	struct bytes (*file)(const struct probe *probe, const char **name);
	/* Are the files of A and B one, or two of one content? */
	bool (*same_file)(const struct probe *a, const struct probe *b);
	/* The types of PROBE's file. */
	struct file_types (*types)(const struct probe *probe);
	/* Probes were retired: files without any may be forgotten. */
	void (*forget)(const struct provider *self, struct probe_db *db);
};

/* Of a provider whose name has a process: NAME<pid>; never listed without a pid. */
struct provider_process {
	/* Does FIELD, a description's provider, mean probes of one process, *PID?  NULL: NAME and a
	 * number do (probe_provider_pid()). */
	bool (*process_of)(const char *field, int *pid);
	/* Is a description's name one of the provider's own, or of static probes?  NULL: own. */
	enum probe_name (*name_means)(const struct probe_desc *desc);
	/* The variable NAME of the function that P is in, where P is; NULL: it has none. */
	const struct probe_argument *(*variable)(struct probe_db *db, const struct probe *p,
						 const char *name);
	/* Names of the functions around P, NULL-ended: whose entries WORD_OF_ENTRY means. */
	const char *const *(*functions_around)(const struct probe *p);
	/* A declaration of the provider in D says more of args[] than its probes do. */
	bool declared_args;
	const struct provider_code *code;   /* NULL: its probes do not change */
	const struct provider_files *files; /* NULL: each probe is of one process */
	/* Does FIELD of a description mean probes of SELF's FILES?  Required with these. */
	bool (*files_are_meant)(const struct provider *self, const struct probe_db *,
				const char *field);
};

/* NAME and a number, and no more. */
extern const struct provider_process provider_by_number;

/* Functions of the kernel and of its modules. */
struct provider_kernel {
	/* Why nothing fits DESC, which names the provider, as the end of a message that the caller
	 * frees; NULL: there is nothing to say. */
	char *(*why_absent)(struct probe_db *db, const struct probe_desc *desc);
	/* May a module that is loaded later have probes that DESC means? */
	bool (*is_in_modules)(const struct probe_desc *desc);
	/* Modules were loaded; are there new functions? */
	bool (*modules_look)(const struct provider *self, struct probe_db *db);
};

/* A member that is a pointer may be NULL, except name and discover. */
struct provider {
	const char *name; /* "syscall"; of a provider of processes: the part before the pid */
	struct attributes attributes[PROVIDER_PARTS]; /* stability, by enum provider_part */
	bool takes_others; /* others of the same name may add probes to it (probe_db_insert()) */

	/* Make and free the provider's data for DB (probe_db_state()). */
	void *(*state_new)(struct probe_db *db);
	void (*state_free)(void *state);

	/* May DESC mean a probe of SELF at all?  A cheap check of its fields, which avoids needless
	 * discovery; NULL: any description may. */
	bool (*may_mean)(const struct provider *self, const struct probe_desc *desc);
	/*
	 * Make the probes that DESC may mean, unless made before.  An empty
	 * result is not an error; an error says why a named probe is not
	 * available (no such process, a feature that this kernel lacks).
	 */
	struct error *(*discover)(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc);
	/*
	 * Of a fixed set: how many probes discover() makes for everything.  They keep these ids
	 * free, and are made only for a description that may mean one.  NULL: not known before
	 * they are made.
	 */
	unsigned (*count)(void);

	const struct provider_aliases *aliases;
	/* Why patterns do not match PROBE, which must be named in full; NULL: they do. */
	const char *(*only_in_full)(const struct probe *probe);
	/* args[] of PROBE, which owns them, if it takes reading to know: called at their first use,
	 * instead of probe->args. */
	const struct probe_args *(*arguments)(struct probe_db *db, const struct probe *probe);
	void (*free_data)(void *data); /* frees probe->data */

	const struct provider_process *process;
	const struct provider_kernel *kernel;
};

/* The attributes of a PART of P: as P's file declares them, if args[] was asked for, else as P's
 * provider does. */
struct attributes probe_part_attributes(const struct probe *p, enum provider_part part);
/* Attributes of P as named by DESC: module and function matter only where DESC has them. */
struct attributes probe_attributes(const struct probe *p, const struct probe_desc *desc);

/* --- the database --- */

/* PROVIDERS: NULL-ended, in the order of their ids; must outlive the database. */
struct probe_db *probe_db_new(const struct provider *const *providers);
/*
 * Add OWNER, a loan for DB's life, before the provider NEXT (the end, if there is none of this
 * name): only while no provider after it has been asked for probes.  False: there is a provider
 * of its name that takes no others.
 */
bool probe_db_insert(struct probe_db *db, const struct provider *owner, const char *next);
/* Providers may look up the kernel's types in TYPES, which must outlive DB; before this call
 * there are no types. */
void probe_db_lend_types(struct probe_db *db, struct types *types);
struct types *probe_db_types(const struct probe_db *db); /* or NULL */
void probe_db_free(struct probe_db *db);

/* The user's settings for probes that are made from now on. */
struct images; /* image/image.h */
struct probe_settings {
	struct images *images; /* the files of processes; must outlive the database */
	bool kernel_returns;   /* returns of processes by return probes of the kernel: pid.c */
	/* Processes whose trees are traced (-x follow): events in them are in each process that
	 * runs the file (event_code.target). */
	const int *followed;
	size_t followed_count;
	bool only_emulated;    /* patterns leave out instructions that are single-stepped */
	bool without_copies;   /* inlined ones of functions of processes are left out */
	const char *described; /* formulas are for the kernel that this folder describes; or NULL */
	const char *modules;   /* directory of the kernel's modules; NULL: as usual */
	bool with_suffixes;    /* foo means foo.isra.0, too, a function of the kernel */
	bool lists;	       /* probes are only listed, none is attached */
	bool no_declarations;  /* what files declare of their static probes is not used */
	uint64_t most; /* probes that one description of a process may mean; 0: the provider's limit
			*/
	/* The value of the option NAME, a word; NULL: it has none, or is unknown. */
	const char *(*option)(const void *arg, const char *name);
	const void *option_arg;
};
struct probe_settings *probe_db_settings(struct probe_db *db);
/* Is PID the root of a tree that is traced (settings.followed)? */
bool probe_db_follows(const struct probe_db *db, int pid);
bool probe_db_lists(const struct probe_db *db); /* its setting */

/* The same for all providers: see struct provider_code, provider_files and provider_kernel. */
MUST_CHECK struct error *probe_db_code_watch(struct probe_db *db, int pid, code_site_fn *watch,
					     void *arg, bool *had_it);
void probe_db_code_unwatch(struct probe_db *db, int pid);
void probe_db_code_join(struct probe_db *db, int target, int pid);
bool probe_db_code_has_changed(struct probe_db *db, int pid);

bool probe_db_file_mapped(struct probe_db *db, int pid, const struct mapping *m);
bool probe_db_files_look(struct probe_db *db);
bool probe_db_is_in_modules(const struct probe_db *db, const struct probe_desc *desc);
bool probe_db_modules_look(struct probe_db *db);
bool probe_db_is_gone(struct probe_db *db, const struct probe *p);
bool probe_file_key(const struct probe *p, struct file_key *ret);
size_t probe_mappers(const struct probe *p, const int **ret);
/* The same; false: P is not of every process. */
bool probe_file(const struct probe *p, const char **name, struct bytes *build_id);
/* Are A and B of files of one content, or one probe? */
bool probe_same_file(const struct probe *a, const struct probe *b);
struct file_types probe_file_types(const struct probe *p);
void probe_db_files_forget(struct probe_db *db);

/* args[] of P; NULL: untyped. */
const struct probe_args *probe_db_arguments(struct probe_db *db, const struct probe *p);
/* Do they declare the same parameters of the same unit?  NULL is only like NULL. */
bool probe_declarations_same(const struct probe_declaration *a, const struct probe_declaration *b);
/* Do A and B have the same types? */
bool probe_args_same(const struct probe_args *a, const struct probe_args *b);
/* The same of the types A and B alone. */
bool probe_types_same(const struct type *a, const struct type *b);
/* Can the same code read both?  And all arguments of A and B? */
bool probe_argument_same_place(const struct probe_argument *a, const struct probe_argument *b);
bool probe_args_same_places(const struct probe_args *a, const struct probe_args *b);

/* OWNER's data for DB: made by owner->state_new() at the first call, freed with DB. */
void *probe_db_state(struct probe_db *db, const struct provider *owner);

/* For providers: a function (or an event without one) that a pattern matches but that gets no
 * probe.  Each is counted once; -x debug prints WHY.  If it is BY_NAME, a message names it. */
void probe_db_leave_out(struct probe_db *db, const struct probe_desc *what, const char *why,
			bool by_name);
unsigned probe_db_left_out(const struct probe_db *db);	     /* their number */
void probe_db_unread(struct probe_db *db, const char *text); /* the same of a file, once */
/* The WHICH-th of those reported by name, as a sentence; NULL: there are fewer. */
const char *probe_db_left_out_text(const struct probe_db *db, unsigned which);

/*
 * For providers: a new probe.  The names are copied.  The result is the
 * existing probe if it has the same four names.
 */
struct probe *probe_db_add(struct probe_db *db, const struct provider *owner, const char *provider,
			   const char *module, const char *function, const char *name);
/*
 * For providers: one more event that fires P; the caller fills in its target (all zeros).  ARGS
 * is copied; NULL: no arguments.
 */
struct event *probe_db_add_event(struct probe_db *db, struct probe *p, enum event_kind kind,
				 const struct event_args *args);
/* The event that was added to P last belongs to SOURCE. */
void probe_set_source(struct probe *p, const struct formula_source *source);
/* Nothing matches P any more: its formula has a mistake, or nothing on this kernel is its event. */
void probe_db_hide(struct probe_db *db, const struct probe *p);
/* The first probe after AFTER (NULL: of all) that DESC would mean, but that is not on this kernel:
 * probe->not_chosen says why.  NULL: there is none. */
const struct probe *probe_db_missing(const struct probe_db *db, const struct probe_desc *desc,
				     const struct probe *after);
/* A new probe with the names of OLD, whose place no longer exists: from now on the names mean the
 * new probe. */
struct probe *probe_db_succeed(struct probe_db *db, struct probe *old);
/*
 * PROBE, which is detached, matches no description any more and loses its data and events.  Its
 * names and its id stay; a probe that is added later with these names may be the same.
 */
void probe_db_retire(struct probe_db *db, const struct probe *probe);
/* PROBE's function was written as WRITTEN, which is copied: that is what probefunc says. */
void probe_db_write(struct probe_db *db, const struct probe *probe, const char *written);
const struct probe *probe_db_find(const struct probe_db *db, const char *provider,
				  const char *module, const char *function, const char *name);
const struct probe *probe_db_get(const struct probe_db *db, uint32_t id); /* NULL: none yet */
/* The first probe that is made whose id is after PROBE's (NULL: any); NULL: there is none. */
const struct probe *probe_db_next(const struct probe_db *db, const struct probe *probe);

typedef VECTOR(const struct probe *) probe_vector;

/*
 * Append the probes that match DESC to RET, in id order, asking providers to
 * discover them first.
 */
MUST_CHECK struct error *probe_db_match(struct probe_db *db, const struct probe_desc *desc,
					probe_vector *ret);
/* The same, with those that a pattern leaves out because programs call their functions. */
MUST_CHECK struct error *probe_db_match_whole(struct probe_db *db, const struct probe_desc *desc,
					      probe_vector *ret);
/*
 * While probe_db_match() runs: a number of this call and of those in it, by which a provider knows
 * that what it has read of a process is new enough.  0: it does not run.
 */
unsigned probe_db_round(const struct probe_db *db);

/* The first probe that is there and matches DESC, or NULL.  Discovers nothing. */
const struct probe *probe_db_first_match(const struct probe_db *db, const struct probe_desc *desc);

/*
 * For DESC, which matches nothing: a description that differs in one field, or in where the probe
 * is, and matches (globs in a field are kept), as text that the caller frees; NULL: none is
 * similar.
 */
char *probe_db_suggest(struct probe_db *db, const struct probe_desc *desc);

/* Is PROVIDER, a field of a description, a name (no glob, not empty) that no probe's provider has?
 */
bool probe_db_lacks_provider(struct probe_db *db, const char *provider);

/*
 * For a PROVIDER whose last part should be a process id but is not ("pidabc", "pid*"): the name
 * of the intended provider ("pid"); else NULL.
 */
const char *probe_db_without_pid(const struct probe_db *db, const char *provider);

/*
 * Why DESC may match nothing, and what to do: words in parentheses for the end of a message;
 * "": unknown.  The caller frees the string.
 */
char *probe_db_why_unmatched(struct probe_db *db, const struct probe_desc *desc);

/* Do we have a provider of this name? Discovers nothing. */
bool probe_db_has_provider(const struct probe_db *db, const char *name);

/* Does PATTERN match the name of a provider of a fixed set, or of a planned one? */
bool probe_db_matches_fixed(const struct probe_db *db, const char *pattern);

/* Does PROVIDER, a field of a description, mean probes of one process, as pid1234 does? */
bool probe_db_is_of_process(const struct probe_db *db, const char *provider);

/* Does PROVIDER, a field of a description, mean probes of every process, present and future? */
bool probe_db_of_every_process(const struct probe_db *db, const char *provider);

/* NAMES of planned providers: NULL-ended, must outlive the database. */
void probe_db_announce(struct probe_db *db, const char *const *names);
bool probe_db_is_announced(const struct probe_db *db, const char *name);

/* All probes of all fixed providers, for -l and ids. */
MUST_CHECK struct error *probe_db_discover_all(struct probe_db *db);

/*
 * The pid in a FIELD of a provider of processes: 123 of "pid123" for "pid".
 * False: another provider, or a glob.
 */
bool probe_provider_pid(const char *field, const char *provider, int *pid);
/* Does FIELD mean probes of P in one process?  Which one? */
bool provider_process_of(const struct provider *p, const char *field, int *pid);

/* A declared NAME, query__start, becomes the probe's, query-start. */
void probe_name_hyphenate(char *name);

#endif
