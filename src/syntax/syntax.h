/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syntax - D text to AST
 *
 * In:   a struct source, and the functions of struct syntax_env.
 * Out:  struct program_node (syntax/ast.h), all of it in one arena.
 *
 * The lexer has two modes because `*`, `-`, `[` and `?` are letters of a probe
 * description and operators elsewhere; the parser chooses the mode.  The parser
 * is recursive descent and bounded in depth, so that no text can exhaust the
 * stack.
 *
 * C's grammar needs to know which names are types: `(a)(b)` is a cast or a
 * call.  The parser remembers the typedefs that it has read and asks the
 * environment about others, and only where the answer matters, because a
 * look-up in the kernel's types is slow.
 *
 * Always true (syntax_verify()):
 *   1. A mistake is diagnosed and parsing resumes at the next ; or }, so one
 *      run shows them all.  Nothing is left out without a mistake.
 *   2. A program with diagnostics still yields a whole tree, of which no part is missing, but code
 *      must not be made from it (tracer_compile()).
 *   3. Each node knows its place in the source.  Without mistakes no expression is higher than
 *      HEIGHT_MAX (parser.h).
 */
#ifndef SYNTAX_SYNTAX_H
#define SYNTAX_SYNTAX_H

#include "base/base.h"
#include "base/diagnostic.h"
#include "syntax/ast.h"

/* The names and options that the text may refer to.  All functions get ARG. */
struct syntax_env {
	void *arg;

	/* Is NAME (maybe with a backquote) a typedef?  NULL: none is. */
	bool (*is_type)(void *arg, const char *name);

	/*
	 * `#pragma D option NAME[=VALUE]`; VALUE is NULL without "=".  The
	 * result is NULL, or why not, a string owned by the callee.
	 */
	const char *(*set_option)(void *arg, const char *name, const char *value);

	/* $name (pid, target, uid...): true and *RET when it exists. */
	bool (*macro)(void *arg, const char *name, int64_t *ret);

	/* The processes of $target in descriptions: one description for each. */
	const int *targets;
	unsigned target_count;

	const char *const *args; /* args[0] is $0, args[1] is $1 ... */
	unsigned arg_count;	 /* with args[0] */
	bool *arg_used;		 /* arg_count flags, set when referred to; may be NULL */
	const char *args_are_of; /* the one program that has args[1] ...; NULL: all have them */

	/* Values of options: read again each time, because set_option() may change them. */
	bool default_args; /* -xdefaultargs: a missing $N is 0 or "" */
	bool bare;	   /* -xpspec: a script's description needs no body, like that of -n */
	bool allow_empty;  /* -xempty: a program without clauses is fine */
};

/* Which field the last part of a probe description is: for -P, -m, -f, or -n and scripts. */
enum pdesc_last { PDESC_PROVIDER, PDESC_MODULE, PDESC_FUNCTION, PDESC_NAME, PDESC_ID };

struct syntax_mode {
	bool specifier;	      /* from -n and friends: predicate and body may be missing */
	bool formulas;	      /* a .prov file: providers are data (formula.h) */
	enum pdesc_last last; /* the last field of a description */
	uint32_t begin,
		line; /* parse a part of the source: it begins here, in this line (0: the first) */
};

/*
 * Parse SRC into the arena A.  Mistakes go to D.  Never NULL.  SRC and ENV's
 * strings must outlive the result.
 */
struct program_node *syntax_parse(struct arena *a, const struct source *src,
				  const struct syntax_env *env, struct syntax_mode mode,
				  struct diagnostics *d);

/*
 * What the words of a provider's declaration must hold, whatever its types are: names of providers
 * and probes, each probe once, at most PROBE_PARAMS_MAX parameters, names by which outputs choose
 * their inputs.
 * RANGE: of the declaration.  Mistakes go to D.
 */
#define PROBE_PARAMS_MAX 255
void provider_check(const struct provider_node *n, struct range range, struct diagnostics *d);
/* Has PROBE, one of N's, the name of an earlier one? */
bool provider_probe_is_repeated(const struct provider_node *n,
				const struct provider_probe_node *probe);

bool params_are_void(const struct param_node *params);	/* (void): no parameters */
unsigned params_count(const struct param_node *params); /* of (void): 1 */
/* The place of NAME (NULL: not found) among PARAMS, or -1. */
int params_find(const struct param_node *params, const char *name);

/*
 * The false statement of "Always true" about P and the mistakes D of its parsing, or NULL: a bug of
 * ours, never of the script.  Called if VERIFIES (base/base.h), and for all golden scripts.
 */
MUST_CHECK struct error *syntax_verify(const struct program_node *p, const struct diagnostics *d);

/* The tree as an indented text, for -xdump=ast and golden tests. */
void syntax_print(const struct program_node *p, struct strbuf *out);

#endif
