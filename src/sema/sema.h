/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sema - AST to typed AST: names, types, actions
 *
 * In:   struct program_node, one program after another of the same handle.
 * Out:  struct typed_program (sema/typed.h), growing with each.
 *
 * A clause is checked once for each of its probe descriptions, because args[]
 * has the types of the probes that the description matches.
 *
 * Names are kept apart by who declares them, a program or a library: the rule stands at
 * enum declarer (types/types.h).
 *
 * Mistakes go to the diagnostics; an expression with a mistake gets the type
 * TYPE_POISON, which silences what would follow from it.
 *
 * To add a built-in variable, subroutine or action: a row in sema/builtin.def,
 * what is special about it in variable.c, subroutine.c or action.c, and its code:
 * gen_builtin() in codegen/builtin.c (strings: codegen/string.c), codegen/call.c or
 * codegen/action.c.
 */
#ifndef SEMA_SEMA_H
#define SEMA_SEMA_H

#include "sema/typed.h"

/* What D libraries have of a name; a value is whatever is no type. */
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
	const struct type *type; /* of a variable; NULL: nothing tells it */
	bool is_function;
};

enum sema_user_found {
	SEMA_USER_FOUND,
	SEMA_USER_NO_TARGET,
	SEMA_USER_NO_MODULE,	/* the target has not mapped MODULE */
	SEMA_USER_UNKNOWN,	/* which has no such symbol */
	SEMA_USER_THREAD_LOCAL, /* which has one at another place for each thread */
};

struct sema_env {
	void *arg;
	/* A kernel symbol.  MODULE NULL: of the kernel, else of any module.  False: none. */
	bool (*kernel_symbol)(void *arg, const char *module, const char *name,
			      struct sema_symbol *ret);
	/* Why there are none at all, or NULL; may be NULL itself. */
	const char *(*kernel_symbols_problem)(void *arg);
	bool allow_undefined; /* -xknodefs: symbols that the kernel has not are at address 0 */
	/* A symbol of the target.  MODULE NULL: of any file that it has mapped. */
	enum sema_user_found (*user_symbol)(void *arg, const char *module, const char *name,
					    struct sema_user_symbol *ret);
	bool allow_undefined_user; /* -xunodefs: the same of these */
	/* Current values of options. */
	uint32_t scratch_size; /* 0: not known */
	uint32_t string_size, stack_frames, ustack_frames, jstack_frames;
	uint32_t uregs_count;		  /* uregs[] of the machine */
	uint32_t max_frames;		  /* of any stack; 0: no limit of ours */
	bool max_frames_chosen;		  /* nobody misses the others */
	uint32_t print_size, packet_size; /* most bytes of print() and pcap() */
	bool zdefs;			  /* -Z */
	bool destructive;		  /* -w */
	int64_t target;			  /* $target, 0: none */
	bool has_amin;
	struct attributes amin; /* what is less stable is a mistake */
	uint32_t version;	/* identifiers that are newer are not seen; 0: all are */
	/*
	 * D libraries.  What do those of WHO (DECLARED_BY_SITE or _LIBRARY) have to define NAME
	 * ("curpsinfo", "struct bio", "xlate psinfo_t")?  NULL: there are none.
	 */
	enum library_kind (*library_find)(void *arg, enum declarer who, const char *name);
	/* Parse that and give it to sema_library().  Afterwards nothing is found any more. */
	void (*library_define)(void *arg, enum declarer who, const char *name);
	/*
	 * Of NAME that is unknown: the library that defines it and is left out, and what it
	 * depends on, "lib/a.d", "module x"; false: there is none.  NULL: there are none.
	 */
	bool (*library_left_out)(void *arg, const char *name, const char **file,
				 const char **needed);
	/* #pragma D depends_on module|provider NAME; NULL: all are there. */
	bool (*dependency)(void *arg, const char *kind, const char *name);
};

struct sema;

struct sema *
sema_new(struct arena *a, struct types *types, struct probe_db *probes,
	 const struct sema_env *env); /* loans for sema's life; env may change between */
void sema_free(struct sema *s);

/*
 * Check PROGRAM, but for what the parser found broken, and add its clauses.  Mistakes: D grows.
 * With a mistake of the parser or ours the clauses are good for nothing.
 */
void sema_program(struct sema *s, const struct program_node *program, struct diagnostics *d);

/* A part of a library, also in the midst of sema_program().  Its clauses are checked, no more. */
void sema_library(struct sema *s, const struct program_node *part, struct diagnostics *d);

/* Whose text SOURCE is; types_speak_for() him while it is parsed. */
enum declarer source_declarer(const struct source *source);

/* For the parser: is NAME a type?  Names of variables and built-ins are not. */
bool sema_is_type(struct sema *s, const char *name);

/* Everything so far; owned by S, changes with the next sema_program(). */
struct typed_program *sema_result(struct sema *s);

/* The typed tree as text, for -xdump=typed and golden tests. */
void typed_print(const struct typed_program *p, struct strbuf *out);

#endif
