/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argument - options that a script declares, and the words that are given to it
 *
 *	#pragma D argument slower "-m MS" "only calls that take longer" default 10 from 0 to 1000
 *	                   NAME   OPTION  MEANING                       VALUE
 *
 * In:   the text of a program, and the words after it on the command line.
 * Out:  $NAME and $$NAME; the words that are left are $1, $2 ...
 *
 * OPTION is a letter (-m), a word (--slower) or both, and the name of its value; without that name
 * it is a switch, whose value is 1.  An option that is not given and has no default is 0 as $NAME
 * and "" as $$NAME.  If the default is an integer, the value must be one, too.
 *
 * The declarations are found by the lexer before the program is parsed, because $1 depends on all
 * of them, and because the command reports wrong words before it starts a process.
 *
 * Always true: a declaration with a mistake takes no words (is_wrong), so that the mistake itself
 * is reported, when its line is parsed.
 */
#ifndef SYNTAX_ARGUMENT_H
#define SYNTAX_ARGUMENT_H

#include "base/base.h"

struct source;

struct script_argument {
	const char *name;
	char letter;		/* 0: none */
	const char *word;	/* without "--"; NULL: none */
	const char *value_name; /* NULL: a switch */
	const char *meaning;
	const char *initial; /* the default; NULL: none */
	bool is_number, has_range;
	int64_t least, most;
	uint32_t begin;	   /* of its line in the text */
	const char *given; /* the value, or NULL */
};

struct script_arguments {
	struct script_argument *items;
	size_t count;
	bool is_wrong;	 /* one of the declarations */
	bool wants_help; /* --help was given */
	unsigned *rest;	 /* the words that are $0, $1 ...: their indices */
	unsigned rest_count;
};

/* The declarations of SRC, in A, which must live as long as the result; NULL: there are none. */
struct script_arguments *script_arguments_read(struct arena *a, const struct source *src);

/*
 * Take the options from WORDS, of which the first is $0.  USED (or NULL) is set for their words.
 * False: one of them is wrong, and WHY says so.
 */
MUST_CHECK bool script_arguments_take(struct script_arguments *args, struct arena *a,
				      const char *const *words, unsigned count, bool *used,
				      struct strbuf *why);

/* How many of WORDS, from the I-th on, are a declared option with its value; 0: it is not one. */
unsigned script_argument_span(const struct script_arguments *args, const char *const *words,
			      unsigned count, unsigned i);

/* " [-m MS] [-v]", and a line for each option; appended to RET. */
void script_arguments_synopsis(const struct script_arguments *args, struct strbuf *ret);
void script_arguments_describe(const struct script_arguments *args, struct strbuf *ret);

/* The value of $NAME; *FOUND: it is declared.  NULL: it was not given and has no default. */
const char *script_argument_value(const struct script_arguments *args, const char *name,
				  bool *found);

/* --- for control.c --- */
struct lexer;

/*
 * The declaration in the COUNT words after "#pragma D argument", at BEGIN of the text.  The result
 * is NULL, or what is wrong, in LX's arena.
 */
const char *script_argument_declare(struct lexer *lx, const char *const *words, size_t count,
				    uint32_t begin);

#endif
