/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sema - AST to typed AST: names, types, actions
 *
 * In:   struct program_node, the programs of one struct tracer, one after another.
 * Out:  struct typed_program (sema/typed.h), growing with each.
 *
 * A clause is checked once for each of its probe descriptions, because args[]
 * has the types of the probes that the description matches.
 *
 * Programs, libraries and traced files each declare their own names: the rule is at enum declarer
 * (types/types.h).
 *
 * Mistakes go to the diagnostics; an expression with a mistake gets the type
 * TYPE_POISON, which silences further mistakes that follow from it.
 *
 * Always true:
 *   1. A function that returns poison has diagnosed a mistake, or got poison.
 *   2. The result of programs without mistakes is as typed.h says (typed_verify()).
 *
 * To add a built-in variable: a row in sema/name/builtin.def, gen_builtin() in
 * codegen/value/builtin.c (strings: codegen/value/string.c), a line of
 * tests/unit/codegen/scripts/builtins.d.
 * To add a subroutine: a row in sema/name/builtin.def, its special checks in
 * sema/expression/subroutine.c, codegen/value/call.c, and a run-time function (abi/rt.def).
 * To add an action: a row in sema/name/builtin.def, one in abi/action.def if it is of a new kind,
 * sema/clause/action.c, codegen/action/action.c and output/text/text.c.
 */
#ifndef SEMA_SEMA_H
#define SEMA_SEMA_H

#include "sema/typed.h"

/* What a name is in D libraries; every definition that is not a type is a value. */
enum library_kind { LIBRARY_NOTHING, LIBRARY_VALUE, LIBRARY_TYPE };

/* A symbol of the kernel. */
struct sema_symbol {
	uint64_t address;
	const char *module; /* "vmlinux", "ext4" */
	bool is_function;
	uint64_t size; /* to the next symbol; 0: unknown */
};

/* A symbol of the target. */
struct sema_user_symbol {
	uint64_t address, size;	 /* as in struct sema_symbol */
	const struct type *type; /* of a variable; NULL: unknown */
	const char
		*missing; /* if unknown: a file of debug information that is not there; or NULL */
	bool is_function;
	bool is_thread_local; /* the address counts from the thread pointer */
};

enum sema_user_found {
	SEMA_USER_FOUND,
	SEMA_USER_NO_TARGET,
	SEMA_USER_NO_MODULE,	/* the target has not mapped MODULE */
	SEMA_USER_UNKNOWN,	/* MODULE has no such symbol */
	SEMA_USER_THREAD_LOCAL, /* each thread has its own, at an unknown address */
};

struct sema_env {
	void *arg;
	/* A kernel symbol.  MODULE NULL: of the kernel, else of any module.  False: none. */
	bool (*kernel_symbol)(void *arg, const char *module, const char *name,
			      struct sema_symbol *ret);
	/*
	 * The address of the core kernel's function NAME, the first one of this name; 0: ask
	 * kernel_symbol, which reads all symbols.  The function may be NULL.
	 */
	uint64_t (*kernel_function)(void *arg, const char *name);
	/* Why there are no kernel symbols at all, or NULL; the function may be NULL. */
	const char *(*kernel_symbols_problem)(void *arg);
	bool checks_translated; /* all members of translated arguments of formulas, at once */
	bool allow_undefined;	/* -xknodefs: missing kernel symbols are at address 0 */
	/* A symbol of the target.  MODULE NULL: of any file that it has mapped. */
	enum sema_user_found (*user_symbol)(void *arg, const char *module, const char *name,
					    struct sema_user_symbol *ret);
	bool allow_undefined_user; /* -xunodefs: the same for symbols of the target */
	/* Current values of options. */
	uint32_t scratch_size; /* 0: not known */
	uint32_t string_size, stack_frames, ustack_frames, jstack_frames, jstack_strings;
	uint32_t uregs_count;		  /* uregs[] of the machine */
	uint32_t thread_pointer;	  /* uregs[]'s number of it; 0: it is not known */
	uint32_t max_frames;		  /* of any stack; 0: not limited by us */
	uint32_t max_user_frames;	  /* of user stacks; 0: not limited by us */
	bool max_frames_chosen;		  /* by the user: no warning about missing frames */
	uint32_t print_size, packet_size; /* most bytes of print() and pcap() */
	bool zdefs;			  /* -Z */
	bool destructive;		  /* -w */
	int64_t target;			  /* $target, 0: none */
	bool tests_tasks;		  /* -x target: clauses see some tasks only */
	bool has_amin;
	struct attributes amin; /* the use of anything less stable is a mistake */
	uint32_t version;	/* newer identifiers are hidden; 0: none are */
	/*
	 * D libraries.  How do the libraries of WHO (DECLARED_BY_SITE or _LIBRARY) define NAME
	 * ("curpsinfo", "struct bio", "xlate psinfo_t")? NULL: there are no libraries.
	 */
	enum library_kind (*library_find)(void *arg, enum declarer who, const char *name);
	/* Parse the definition and pass it to sema_library().  Afterwards library_find() no longer
	 * finds it. */
	void (*library_define)(void *arg, enum declarer who, const char *name);
	/*
	 * NAME is unknown: is it in a library that was left out?  *FILE is that library
	 * ("lib/a.d"), *NEEDED what it lacks ("module x").  NULL: there are no libraries.
	 */
	bool (*library_left_out)(void *arg, const char *name, const char **file,
				 const char **needed);
	/*
	 * Parse TEXT, LEN bytes of D of the traced file NAME, for sema_is_type()'s current
	 * declarer; mistakes go to D.  All of it outlives sema.  NULL: files declare nothing.
	 */
	const struct program_node *(*parse_note)(void *arg, const char *name, const char *text,
						 size_t len, struct diagnostics *d);
	/* Reports the mistakes in a probe's formulas; the probe is then left out.  May be NULL. */
	void (*formula_mistakes)(void *arg, struct diagnostics *d);
	/* To which library_define() adds its mistakes: those that a formula meets are the
	 * formula's. NULL: there are no libraries, or they are another machine's. */
	struct diagnostics *library_mistakes;
	/* Is the module or provider NAME of #pragma D depends_on present? NULL: all are. */
	bool (*dependency)(void *arg, const char *kind, const char *name);
};

struct sema;

struct sema *
sema_new(struct arena *a, struct types *types, struct probe_db *probes,
	 const struct sema_env *env); /* loans for sema's life; env may change between */
void sema_free(struct sema *s);

/*
 * Check PROGRAM, except the items that the parser found broken, and add its clauses.  Mistakes
 * are added to D.  After a mistake found by the parser or by sema the clauses must not be used.
 */
void sema_program(struct sema *s, const struct program_node *program, struct diagnostics *d);

/* Check a part of a library, also during sema_program().  Its clauses are only checked. */
void sema_library(struct sema *s, const struct program_node *part, struct diagnostics *d);

/*
 * While the result of S runs: have argN and args[] in the compiled code of its clause C (or of a
 * version of C) the meaning that P gives them?  P matches C's description.
 */
bool sema_reads_alike(struct sema *s, const struct tclause *c, const struct probe *p);

/*
 * The probe whose file pid`MODULE`TYPE means in the clause that is being checked, which is of every
 * process; NULL: there is none.
 */
const struct probe *sema_probe_of_module(struct sema *s, const char *module);

/*
 * C compiled again for P alone, for which sema_reads_alike() is false.  The version has C's index
 * and uses the present variables and aggregations; nothing else changes.  Mistakes are added to D,
 * which is empty, also that the version would need others: such a version must not run.
 */
struct tclause *sema_version(struct sema *s, const struct tclause *c, const struct probe *p,
			     struct diagnostics *d);

/*
 * False: P is made by a formula that has mistakes.  They are reported once, and nothing matches P.
 */
bool sema_formula_is_right(struct sema *s, const struct probe *p);

/* The declarer of SOURCE; call types_speak_for() with it while SOURCE is parsed. */
static inline enum declarer source_declarer(const struct source *source)
{
	return source->kind == SOURCE_NOTE	? DECLARED_BY_FILE
	       : source->kind != SOURCE_LIBRARY ? DECLARED_BY_D
	       : source->is_ours		? DECLARED_BY_LIBRARY
						: DECLARED_BY_SITE;
}

/* For the parser: is NAME a type?  Names of variables and built-ins are not. */
bool sema_is_type(struct sema *s, const char *name);

struct sema_declared {
	const char *type; /* as text; NULL: there are not so many arguments */
	const char *name; /* NULL: it has none */
};
/*
 * args[INDEX] of P as P's own file declares it (struct probe_declaration), valid as long as S.
 * False: the file declares none, or none that can be used.
 */
bool sema_declared_argument(struct sema *s, const struct probe *p, unsigned index,
			    struct sema_declared *ret);

/* Why DESC matches nothing, or what it may mean, to be added to a message; the caller frees it. */
char *sema_why_unmatched(struct sema *s, const struct probe_desc *desc);

/* Linux's names for FUNCTION, a system call of Solaris, FreeBSD or macOS; NULL: none is known. */
const char *sema_call_of_linux(const char *function);
/* What programs do instead of the system call FUNCTION, which they rarely make; NULL: programs do
 * make this call. */
const char *sema_call_of_library(const char *function);

/* All programs so far; owned by S, changes with the next sema_program(). */
struct typed_program *sema_result(struct sema *s);

/* The typed tree as text, for -xdump=typed and golden tests. */
void typed_print(const struct typed_program *p, struct strbuf *out);

#endif
