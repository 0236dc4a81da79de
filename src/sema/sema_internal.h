/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sema_internal - declarations shared by the files of sema/
 *
 *   sema.c        the life of a compilation, programs
 *   typed_print.c the typed program as text (-xdump=typed); typed_verify.c: what must hold of it;
 *                 typed_parts.c: the parts of its expressions; pair.c: which probes are a pair
 *
 * clause/
 *   clause.c      clauses and their statements
 *   version.c     clauses again, for probes that appear while they run
 *   description.c the probes that a clause's description names
 *   broken.c      items that could not be parsed, and mistakes caused by their absence
 *   stability.c   attributes of clauses; versions of names
 *   action.c      actions on values, order of statements; action_aggregation.c, action_memory.c,
 *                 action_command.c, speculation.c: more of them
 *   loop.c        for and while
 *   entry.c       entry(EXPR): what a return reads of its entry; entry_probe.c: at which probes
 *   aggregate.c   @a[k] = f(x); printf_check.c: formats
 * expression/
 *   expression.c  expressions by kind of node
 *   args.c        args[]; process_argument.c: those of functions of processes
 *   memory.c      members, dereferences, addresses as written; load.c: objects in memory
 *   index.c       the meaning of []; elements of C arrays
 *   operator.c    unary and binary operators
 *   conditional.c ?:, && and ||; the branch that a constant condition selects
 *   object.c      structs as their results
 *   assign.c      assignments, increments; order.c: operands whose order matters
 *   convert.c     conversions between types
 *   fold.c        constants
 *   stack_value.c stacks in variables
 *   subroutine.c  calls in expressions; action_value.c: stack(), sym()
 *   strict.c      which arguments an inline always evaluates
 * formula/
 *   formula.c     probes made by formulas; formula_source.c, formula_self.c, formula_kept.c,
 *                 formula_clause.c: parts of that
 * name/
 *   name.c        the meaning of a name; nearest spellings
 *   symbol.c      symbols of the kernel; user_symbol.c: of the target
 *   scope.c       what a clause may name: variables, arguments
 *   variable.c    keys of variables, built-in ones (builtin.c: the rows of builtin.def)
 *   ahead.c       variables that are read before the text assigns to them
 *   inline.c      inlines and their expansion
 *   library.c     definitions of D libraries, added on demand
 *   compatible.c  names of Solaris's kernel that an inline of dlib/solaris.d replaces
 *   foreign.c     names of other systems, for messages: what to write instead
 * declare/
 *   declare.c     declarations: variables, typedefs, structs, enums
 *   declarator.c  type specifiers and declarators to types
 *   tag.c         structs, unions and enums
 *   vector.c      GNU C's attributes mode and vector_size
 *   translator.c  translators, and which of them xlate means; translated.c: its values
 *   provider.c    declarations of providers
 *   unit.c        types and translators that traced files declare of their probes
 *   pragma.c      attributes, binding, depends_on
 *
 * Declarations of the checks of expressions, names, declarations and statements are in
 * expression/expression.h, name/name.h, declare/declare.h and clause/action.h.
 *
 * An expression is checked from the leaves up, and each function returns a
 * complete texpr.  Four forms of the check:
 *
 *   expression_any()    as expression_check(), and it may be translated (TEXPR_TRANSLATED)
 *   expression_check()  as it is: arrays stay arrays, so it suits sizeof and &
 *   expression_value()  as an operand: arrays of the kernel became addresses
 *   convert_*()         as a required type: a string, an int
 */
#ifndef SEMA_INTERNAL_H
#define SEMA_INTERNAL_H

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "base/nearest.h"
#include "sema/name/builtin.h"
#include "sema/sema.h"

#define EXPRESSION_DEPTH 1000	 /* nested expressions, inlines expanded */
#define EXPRESSION_BUDGET 200000 /* texprs of one clause: inlines may double at each step */
#define VARIABLES_MAX 65536
#define KEYS_MAX 32

typedef VECTOR(struct variable *) variable_vector;
typedef VECTOR(struct aggregation *) aggregation_vector;
typedef VECTOR(struct tclause *) clause_vector;

/* A parameter of the inline being expanded, or an enumerator of the enum being declared. */
struct binding {
	struct binding *next;
	const char *name;
	struct texpr *value;
	unsigned cost; /* of the value, see EXPRESSION_BUDGET */
	/* Of a formula, if value is NULL: makes it at each use, from the two below. */
	struct texpr *(*make)(struct sema *s, const struct binding *b);
	const void *from;
	unsigned number;
};

struct inline_definition {
	enum declarer declarer;
	const struct inline_node *node;
	const struct type *type;
	const struct param_node *params;
	const struct type **param_types;
	unsigned param_count;
	bool is_array;
	bool has_effects;	/* its value changes something */
	struct texpr *constant; /* its value when it is one; or poison */
};

struct prototype {
	const struct type *result; /* NULL: not parsed yet */
	const struct type *params[4];
	unsigned count, required;
	const char *unknown; /* a type that is missing because the kernel's type data are */
};

/* The attributes and version that #pragma D attributes and binding set for a name. */
struct name_notes {
	bool has_attributes;
	struct attributes attributes;
	uint32_t since; /* version of D, as in __SUNW_D_VERSION; 0: always */
};

/* The names of one declarer; names of types are in types/. */
struct declared_names {
	struct hash *variables[3]; /* by enum scope: name -> struct variable */
	struct hash *inlines;	   /* name -> struct inline_definition */
	struct hash *externs;	   /* name -> struct type */
	struct hash *notes;	   /* name -> struct name_notes: what pragmas say of it */
};
void declared_names_init(struct declared_names *n);
void declared_names_deinit(struct declared_names *n);

/* A translator to a string, from a pattern of names of types (text_rule.c). */
struct text_rule {
	const struct translator_node *node;
	enum declarer declarer;
	struct unit *unit;
	struct text_rule *next;
};

/* A call of strftime(): the type of its value. */
struct time_format {
	const struct type *type;
	struct range range;
};

struct open_tag {
	const char *name; /* NULL: it has none */
	enum type_kind kind;
	const struct type *type;
	const struct open_tag *outer;
};

/* What names mean in clauses on probes of formulas, and in formulas. */
struct formula_names {
	/* args[INDEX] and argINDEX of the clause, which is on a source. */
	struct texpr *(*argument)(struct sema *s, int64_t index, struct range range);
	struct texpr *(*raw)(struct sema *s, unsigned index, struct range range);
	/* The built-in variable of the task that the clause's probe is about; NULL: of the current
	 * one. */
	struct texpr *(*builtin)(struct sema *s, enum builtin_variable which, struct range range);
	/* In a formula: self.NAME, exists(KEY). */
	struct texpr *(*self)(struct sema *s, const char *name, struct range range);
	struct texpr *(*exists)(struct sema *s, const struct node *n);
};

struct sema {
	struct arena *arena;
	struct types *types;
	struct probe_db *probes;
	const struct sema_env *env;
	struct diagnostics *diagnostics; /* of the running sema_program() */

	struct typed_program result;
	clause_vector clauses;
	variable_vector variables[3]; /* by enum scope */
	aggregation_vector aggregations;
	VECTOR(const char *) pairs; /* as in struct typed_program */
	VECTOR(struct time_format) time_formats;
	struct hash *aggregation_names;
	struct declared_names names[DECLARERS];
	struct hash *prototypes_of_headers; /* as externs, but they never hide a name of D */
	bool in_header;			    /* the declaration being checked was included */
	struct translator *translators;	    /* the latest first */
	struct text_rule *text_rules;	    /* the program's first */
	const struct program_node *program; /* being checked, or a piece of a library */

	struct hash *units;	   /* struct probe_unit * -> struct unit */
	struct hash *declarations; /* struct probe_declaration * -> struct declared_arguments */
	struct unit *unit;	   /* whose names DECLARED_BY_FILE are; or NULL */
	const struct sought_variable *sought; /* by the checks that run, see ahead.c */
	unsigned clauses_sought;	      /* such checks for this program */
	bool definitions_wait; /* the program's that come after the clause being checked */
	bool differs_in_units; /* the clause reads args[] that several units declare */
	bool is_version;       /* the clause is a version (version.c) */
	bool differs_in_files; /* it reads what files of its probes, of every process, have each */

	/* What is above expressions, which need it where a name is declared elsewhere: the check of
	 * a definition, the variable that another clause makes (clause_variable()), and what names
	 * mean in formulas. */
	void (*item_check)(struct sema *s, const struct node *n);
	/* The string that the struct E, or the one it points to, stands for; NULL: none. */
	struct texpr *(*text_of_struct)(struct sema *s, struct texpr *e);
	struct variable *(*variable_of_clause)(struct sema *s, const struct clause_node *node,
					       enum scope scope, const char *name);
	const struct formula_names *formula_names;
	struct texpr *(*entry_value)(struct sema *s, const struct node *n); /* entry(EXPR) */
	struct texpr *(*register_of_entry)(struct sema *s, unsigned which, struct range range);
	void (*argument_is_read)(struct sema *s, struct tclause *c, unsigned index,
				 struct range range);

	const struct type *builtin_types[BUILTIN_COUNT]; /* NULL: not used yet */
	struct prototype prototypes[SUBROUTINE_COUNT];
	bool discovered_all;

	struct {
		const char *name;
		uint64_t address;
	} function;			  /* of the kernel, the last one that a formula asked for */
	struct hash *formulas_checked;	  /* struct probe * -> not NULL */
	struct hash *providers;		  /* name -> struct provider_declaration */
	struct hash *provider_attributes; /* name -> struct attributes[PROVIDER_PARTS] */

	/* while a clause is checked; library.c saves and clears the members below, except
	 * `depth` */
	struct tclause *clause;	      /* NULL: outside */
	unsigned done;		      /* enum rule_event bits: of the clause so far */
	unsigned loops;		      /* around the current statement */
	struct texpr *walked_task;    /* the thread of a foreach (self->x) around it; or NULL */
	unsigned entries_read;	      /* by entry() in the clause so far */
	bool in_entry;		      /* what is checked is EXPR of entry(EXPR) */
	struct attributes attributes; /* of the names checked so far, see stability.c */
	unsigned self_depth;	      /* types of self values of formulas that are being found */
	unsigned hidden; /* expansions of inlines and translators, which do not count */
	const struct open_tag *open_tags; /* whose bodies are being read, the innermost first */
	/* while an expression is checked */
	const struct binding *bindings;
	const struct type *shown; /* of the object of the text rule being checked; or NULL */
	const struct formula_source *formula; /* the expression is of this source, not the
					       * user's; NULL: it is not of a formula */
	unsigned depth;
	unsigned budget;
	bool out_of_budget;
	unsigned effects; /* expressions so far that must not be evaluated twice */
};

/* --- making texprs (fold.c) --- */
struct texpr *texpr_new(struct sema *s, enum texpr_kind kind, const struct type *type,
			struct range range);
/* E for one more list. */
struct texpr *texpr_copy(struct sema *s, const struct texpr *e);
struct tstmt *tstmt_new(struct sema *s, enum tstmt_kind kind, struct range range);
/* argN, also as the source of args[]; it is noted that the clause reads it (scope.c). */
struct texpr *texpr_argument(struct sema *s, unsigned index, struct range range);
struct texpr *texpr_integer(struct sema *s, int64_t value, const struct type *type,
			    struct range range);
/* FIRST, then SECOND, the result if TYPE is not void. */
struct texpr *texpr_comma(struct sema *s, struct texpr *first, struct texpr *second,
			  const struct type *type, struct range range);
/* An assignment.  VALUE was converted to TARGET's type, or is a string for an array of
 * characters. */
struct texpr *texpr_assign(struct sema *s, struct texpr *target, struct texpr *value,
			   struct range range);
struct texpr *texpr_null_string(struct sema *s, struct range range);
struct texpr *texpr_poison(struct sema *s, struct range range);
bool texpr_is_poison(const struct texpr *e);
bool texpr_is_zero(const struct texpr *e); /* the constant 0: a null pointer or string */

#define mistake(s, range, tag, ...)                                                                \
	({                                                                                         \
		diagnose((s)->diagnostics, (range), (tag), __VA_ARGS__);                           \
		texpr_poison((s), (range));                                                        \
	})

/* The type as text, in the compilation's arena. */
const char *type_text(struct sema *s, const struct type *type);

/* The current declarer: DECLARED_BY_D, _SITE or _LIBRARY. */
static inline enum declarer speaker(const struct sema *s)
{
	return types_speaker(s->types);
}

static inline const struct type *intrinsic(struct sema *s, enum type_intrinsic which)
{
	return types_intrinsic(s->types, which);
}

/* The operator's texpr, folded when both sides are constants. */
struct texpr *fold_or_new(struct sema *s, enum op op, const struct type *type, bool is_signed,
			  struct texpr *left, struct texpr *right, struct range range);

/* --- translators (translator.c, translated.c) --- */
void translator_define(struct sema *s, const struct translator_node *node, struct range range);
struct texpr *translator_check(struct sema *s, const struct node *n); /* xlate */
/* INPUT as the struct TYPE or, when TYPE is a pointer, a pointer to one; COST: see binding. */
struct texpr *translator_apply(struct sema *s, const struct type *type, struct texpr *input,
			       unsigned cost, struct range range);
struct texpr *translator_member(struct sema *s, const struct texpr *object, const struct node *n);
struct texpr *translator_dereference(struct sema *s, const struct texpr *e, struct range range);
/* The address of the object that is E's value; NULL: it has none. */
struct texpr *translator_object(struct sema *s, const struct texpr *e);
/* Find the mistakes in the members that a formula gives E, maybe translated, after `with`. */
void translator_check_with(struct sema *s, const struct texpr *e);
/* And in those that its translator gives. */
void translator_check_members(struct sema *s, const struct texpr *e);
/* E, translated, or a pointer to it, as an object with all its members; *SHOWN: its type, in which
 * those without a value are absent. */
struct texpr *translator_whole(struct sema *s, const struct texpr *e, const struct type **shown);
/* Assign all members of the translated VALUE to the struct TARGET. */
struct texpr *translator_copy(struct sema *s, struct texpr *target, const struct texpr *value);

/* Is there a translator from INPUT's type to TYPE, or, if TYPE is a pointer, to its target? */
bool translator_exists(struct sema *s, struct texpr *input, const struct type *type);

/*
 * The same of argument FROM as the OUTPUT of a unit: by a translator of the program, of the user's
 * libraries, of our libraries, or of U itself.  NULL: there is none.
 */
struct texpr *translator_of_unit(struct sema *s, struct unit *u, unsigned from,
				 const struct type *input, const struct type *output,
				 struct range range);

/* --- what traced files declare (unit.c) --- */
/* The current declarer becomes NOW.who, and the names of DECLARED_BY_FILE those of NOW.unit (NULL:
 * there are none); the result is the state before. */
struct speaking {
	enum declarer who;
	struct unit *unit;
};
struct speaking speak(struct sema *s, struct speaking now);
/* Where an expression is: what its names mean. */
struct context {
	const struct binding *bindings;
	const struct formula_source *formula;
	struct speaking speaking;
};
/* Expressions are in NOW; the result is the context before. */
struct context context_enter(struct sema *s, struct context now);
/* N, an expression in C, as expression_any(). */
struct texpr *expression_in(struct sema *s, struct context c, const struct node *n);
/* args[INDEX] as the file of the clause's probes declares it; NULL: it does not. */
struct texpr *unit_argument(struct sema *s, int64_t index, struct range range);
/* The same of args.NAME; it is the number that the first probe's argument of this name has. */
struct texpr *unit_argument_named(struct sema *s, const struct node *n);
/* The unit that has PROBE's declaration; NULL: none, or it cannot be used. */
const struct probe_unit *unit_of_probe(struct sema *s, const struct probe *probe);
/* How P's own file declares it, also outside of a check; NULL: not at all, or not usably. */
const struct probe_declaration *unit_declaration(struct sema *s, const struct probe *p);
/* Have the arguments that A and B read the same types?  Else a mistake. */
/* ONE and OTHER, probes of the clause, differ in what it reads: if they are of two files of every
 * process, the clause is for one of them (clause.c). */
void files_differ(struct sema *s, const struct probe *one, const struct probe *other);
void unit_check_alike(struct sema *s, const struct tclause *a, const struct tclause *b);
/* TYPE as text without `userland`: that a file's pointers are its process's is understood. */
const char *unit_type_text(struct sema *s, const struct type *type);
void units_free(struct sema *s);
/* False, and a mistake that a traced file may not contain WHAT, if the current text is a file's. */
bool unit_may(struct sema *s, struct range range, const char *what);
/* --- probes made by formulas (formula.c) --- */
extern const struct formula_names formula_names;
/* Is the clause about another task than the current one? Then a mistake: WHAT cannot be used
 * (scope.c). */
bool formula_refuses(struct sema *s, const char *what, struct range range);
bool formula_is_of_another(const struct sema *s); /* without it */
/* Has SOURCE, which may be NULL, a `task =` (scope.c)? */
bool formula_is_of_task(const struct formula_source *source);
/* Does the task that the clause is about pass -x target?  NULL if the clause needs no test: there
 * is no -x target, or the task is the one that runs, which programs test before their clauses. */
struct texpr *formula_task_test(struct sema *s);
/* Remove those of PROBES whose formulas have mistakes, which are reported. */
void formulas_check(struct sema *s, probe_vector *probes);
/* Before and after a program: the clauses that change the state of formulas are the last ones
 * (formula_clause.c). */
void formulas_begin(struct sema *s);
void formulas_end(struct sema *s);
/* Does SOURCE fire the probe, or does it only change state? */
bool formula_fires(const struct formula_source *source);
/* The condition of SOURCE, or NULL. */
struct texpr *formula_condition(struct sema *s, const struct formula_source *source);

/* --- what entries save for returns (entry.c) --- */
struct texpr *entry_check(struct sema *s, const struct node *n); /* entry(EXPR) */
/* uregs[WHICH] at the entry of the function around the clause's probes (entry_register.c). */
struct texpr *entry_register(struct sema *s, unsigned which, struct range range);
/* Argument INDEX, which C reads, may be in such registers at some of its events. */
void entry_registers_note(struct sema *s, struct tclause *c, unsigned index, struct range range);
/* The body of C, which saves a value, again for other probes. */
void entry_check_saving(struct sema *s, struct tclause *c);
/* The predicate of C, complete: what entry() reads has been seen.  KNOWN: of what the clause that
 * C is a version of reads. */
void entry_finish(struct sema *s, struct tclause *c, const struct entry_value *known);
/* After a program: the clauses that save values, and those that end calls. */
void entries_end(struct sema *s);

/* --- providers (provider.c) --- */
void provider_declare(struct sema *s, const struct provider_node *node, struct range range);
/* Attributes of the provider NAME, to be changed by pragmas; all Unstable/Unstable/Common at
 * first. */
struct attributes *provider_attributes(struct sema *s, const char *name);
/* "calm" of calm, calm123 and calm*; its process may come later. */
const char *provider_declared_name(struct sema *s, const char *provider);
/* Nothing matched C's description: take the attributes in the declaration of its provider. */
void provider_describe(struct sema *s, struct tclause *c);
/* An element of args[] in a declaration: argN of one type, converted to another. */
struct declared_argument {
	unsigned from; /* N */
	const struct type *input, *output;
};
/*
 * The arguments of probes that C's description may match when they exist; *COUNT of them.
 * NULL: none is declared, or (*DIFFER) declarations disagree.
 */
const struct declared_argument *provider_arguments(struct sema *s, const struct tclause *c,
						   unsigned *count, bool *differ);

/* --- items that could not be parsed (broken.c) --- */
bool item_is_broken(const struct program_node *program, const struct node *item);
/*
 * From the mistakes from number FIRST on, remove those caused by the omission of a broken
 * item: names that it may define are unknown.
 */
void forget_consequences(const struct program_node *program, struct diagnostics *d, size_t first);
/* The same for mistakes that args[] has no types: a consequence if no probe was found. */
void forget_untyped_arguments(struct diagnostics *d, size_t first);

/* --- pragmas (pragma.c) --- */
void pragmas_begin(struct sema *s, const struct program_node *program);
void pragmas_end(struct sema *s, const struct program_node *program);
/* The version of D that introduces the program's translator at PLACE; 0: all versions have it. */
uint32_t translator_since(const struct sema *s, struct range place);

/* --- stability and versions (stability.c) --- */
void stability_begin(struct sema *s); /* a clause */
/* A use at RANGE: a mistake if its attributes are below amin. */
void stability_use_type(struct sema *s, const struct type *type, struct range range);
void stability_use_symbol(struct sema *s, struct range range); /* of the kernel */
void stability_use_args(struct sema *s, struct range range);   /* args[] */
void stability_use_builtin(struct sema *s, const struct builtin_row *row, struct range range);
/* A variable or inline of WHO: the attributes set by a pragma. */
void stability_use_defined(struct sema *s, enum declarer who, const char *name, struct range range);
void stability_use_probes(struct sema *s, const struct tclause *c);
/* Does the requested version of D have WHO's NAME? */
bool version_has(struct sema *s, enum declarer who, const char *name);
/* That NAME is newer, for the end of a message; or "". */
const char *version_advice(struct sema *s, const char *name);
/* False and a mistake if the function called in N is newer. */
bool version_check_call(struct sema *s, const struct node *n);

/* --- programs and clauses (sema.c, clause.c, description.c) --- */
void clause_check(struct sema *s, const struct clause_node *node);
/* The same; false: it reads a name that is unknown, and nothing has changed. */
bool clause_check_known(struct sema *s, const struct clause_node *node);
/* Check the text of VERSION (sema_version()).  False: it has named new variables, now forgotten. */
bool clause_check_version(struct sema *s, struct tclause *version);
/* Check a library's clause only for mistakes; the clause is not kept. */
void clause_try(struct sema *s, const struct clause_node *node);
/* The variable NAME that a check of NODE makes, which is undone: variable_keep(); or NULL. */
struct variable *clause_variable(struct sema *s, const struct clause_node *node, enum scope scope,
				 const char *name);
/*
 * The probes that N matches are added to RET; *DESC is N's description, or that of a probe by
 * its id.  False: a mistake.  With -Z there may be no probes.
 */
bool description_find(struct sema *s, const struct pdesc_node *n, struct probe_desc *desc,
		      probe_vector *ret);

#include "sema/expression/expression.h"
#include "sema/name/name.h"

#endif
