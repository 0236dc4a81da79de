/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sema_internal - declarations shared by the files of sema/
 *
 *   sema.c        the life of a compilation, programs
 *   clause.c      clauses and their statements
 *   version.c     clauses again, for probes that appear while they run
 *   description.c the probes that a clause's description names
 *   declare.c     declarations: variables, typedefs, structs, enums
 *   declarator.c  type specifiers and declarators to types
 *   tag.c         structs, unions and enums
 *   vector.c      GNU C's attributes mode and vector_size
 *   inline.c      inlines and their expansion; strict.c: which arguments they always evaluate
 *   translator.c  translators, and which of them xlate means; translated.c: its values
 *   provider.c    declarations of providers
 *   formula.c     probes made by formulas; formula_source.c, formula_self.c, formula_kept.c,
 *                 formula_clause.c: parts of that
 *   library.c     definitions of D libraries, added on demand
 *   unit.c        types and translators that traced files declare of their probes
 *   pragma.c      attributes, binding, depends_on
 *   broken.c      items that could not be parsed, and mistakes caused by their absence
 *   stability.c   attributes of clauses; versions of names
 *   name.c        the meaning of a name; nearest spellings
 *   symbol.c      symbols of the kernel
 *   variable.c    variables of the program and built-in ones (builtin.c: the rows of builtin.def)
 *   ahead.c       variables that are read before the text assigns to them
 *   args.c        args[]; process_argument.c: those of functions of processes
 *   expression.c  expressions by kind of node
 *   memory.c      members, dereferences, addresses
 *   index.c       the meaning of []; elements of C arrays
 *   operator.c    unary and binary operators
 *   conditional.c ?:, && and ||; the branch that a constant condition selects
 *   object.c      structs as their results
 *   assign.c      assignments, increments
 *   convert.c     conversions between types
 *   fold.c        constants
 *   subroutine.c  calls in expressions
 *   action.c      actions on values, order of statements
 *   action_aggregation.c, action_memory.c, action_command.c, destructive.c, speculation.c: more
 *   aggregate.c   @a[k] = f(x); printf_check.c: formats
 *   typed_print.c the typed program as text (-xdump=typed); typed_verify.c: what must hold of it
 *
 * Declarations for the checks of declarations and statements are in declare.h and action.h.
 *
 * An expression is checked from the leaves up, and each function returns a
 * complete texpr.  Four forms of the check:
 *
 *   expression_any()    as expression_check(), and it may be translated (TEXPR_TRANSLATED)
 *   expression_check()  as it is: arrays stay arrays, so it suits sizeof and &
 *   expression_value()  as an operand: arrays of the kernel became addresses
 *   convert_*()         as a required type: a string, an int
 *
 * Always true: a function that returns poison has diagnosed a mistake, or got poison.
 */
#ifndef SEMA_INTERNAL_H
#define SEMA_INTERNAL_H

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "base/nearest.h"
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

/* The names of one declarer; those of types are in types/. */
struct declared_names {
	struct hash *variables[3]; /* by enum scope: name -> struct variable */
	struct hash *inlines;	   /* name -> struct inline_definition */
	struct hash *externs;	   /* name -> struct type */
	struct hash *notes;	   /* name -> struct name_notes: what pragmas say of it */
};
void declared_names_init(struct declared_names *n);
void declared_names_deinit(struct declared_names *n);

struct open_tag {
	const char *name; /* NULL: it has none */
	enum type_kind kind;
	const struct type *type;
	const struct open_tag *outer;
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
	struct hash *aggregation_names;
	struct declared_names names[DECLARERS];
	struct hash *prototypes_of_headers; /* as externs, but they never hide a name of D */
	bool in_header;			    /* the declaration being checked was included */
	struct translator *translators;	    /* the latest first */
	const struct program_node *program; /* being checked, or a piece of a library */

	struct hash *units;	   /* struct probe_unit * -> struct unit */
	struct hash *declarations; /* struct probe_declaration * -> struct declared_arguments */
	struct unit *unit;	   /* whose names DECLARED_BY_FILE are; or NULL */
	const struct sought_variable *sought; /* by the checks that run, see ahead.c */
	unsigned clauses_sought;	      /* such checks for this program */
	bool definitions_wait; /* the program's that come after the clause being checked */
	bool differs_in_units; /* the clause reads args[] that several units declare */

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
	struct attributes attributes; /* of the names checked so far, see stability.c */
	unsigned self_depth;	      /* types of self values of formulas that are being found */
	unsigned hidden; /* expansions of inlines and translators, which do not count */
	const struct open_tag *open_tags; /* whose bodies are being read, the innermost first */
	/* while an expression is checked */
	const struct binding *bindings;
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
/* argN, also as the source of args[]; it is noted that the clause reads it. */
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

/* --- expressions (expression.c) --- */
struct texpr *expression_any(struct sema *s, const struct node *n);
struct texpr *expression_check(struct sema *s, const struct node *n);
/* As expression_any(), but an aggregation and an action without a value are mistakes of TAG. */
struct texpr *expression_argument(struct sema *s, const struct node *n, enum diagnostic_tag tag);
/* An argument that must be a number: the caller reports all other types as D_PROTO_ARG. */
struct texpr *expression_number(struct sema *s, const struct node *n);
/* E; a mistake with TAG if E is translated. */
struct texpr *expression_plain(struct sema *s, struct texpr *e, enum diagnostic_tag tag);
struct texpr *expression_value(struct sema *s, const struct node *n);
/* E, already checked, as a value. */
struct texpr *expression_operand(struct sema *s, struct texpr *e);
/* Advice for the end of a message if a string (TYPE) is used as a condition; else "". */
const char *text_condition_advice(const struct type *type);
/* As an operand of !, &&, ||, ?: or if: the caller checks that the result is scalar. */
struct texpr *expression_truth(struct sema *s, const struct node *n);
/* A value that may be true or false; else TAG. */
struct texpr *expression_condition(struct sema *s, const struct node *n, enum diagnostic_tag tag);
/* An integer constant: true and *RET.  Else false; *POISON: a mistake was already diagnosed. */
bool expression_constant(struct sema *s, const struct node *n, int64_t *ret, bool *poison);
unsigned node_count(const struct node *list);

/* --- memory (memory.c) --- */
/* Advice about a type without a body, for the end of a message. */
const char *forward_advice(struct sema *s);
struct texpr *memory_load(struct sema *s, struct texpr *address, const struct type *type, bool user,
			  struct range range);
struct texpr *memory_dereference(struct sema *s, struct texpr *pointer, struct range range);
struct texpr *memory_member(struct sema *s, const struct node *n);
struct texpr *memory_member_of(struct sema *s, struct texpr *object, const struct member *m,
			       struct range range);
/* The array, a FIELD or LOAD, that contains the string object E; NULL: there is none. */
struct texpr *memory_text_place(struct sema *s, struct texpr *e);
struct texpr *memory_address_of(struct sema *s, struct texpr *e, struct range range);
/* The object at OFFSET in BASE, an object of D. */
struct texpr *memory_field(struct sema *s, struct texpr *base, uint32_t offset,
			   const struct type *type, struct range range);
/* Arrays and functions of the kernel become addresses. */
struct texpr *memory_decay(struct sema *s, struct texpr *e);
/* E; the value of a symbol without type is a mistake. */
struct texpr *memory_typed(struct sema *s, struct texpr *e);
struct texpr *memory_string_address(struct sema *s, struct texpr *string);
/* The same, for as long as the firing: a string that is computed is kept in a this variable. */
struct texpr *memory_kept_string_address(struct sema *s, struct texpr *string);
struct texpr *memory_scaled(struct sema *s, struct texpr *count, uint32_t size);
bool texpr_is_lvalue(const struct texpr *e);
bool is_owned_array(const struct texpr *e); /* of a variable, or a part of one */
bool texpr_is_bit_field(const struct texpr *e);
/* May E be an address from alloca() or copyin(), judging by the assignments? */
bool texpr_is_alloca(const struct texpr *e);
/* TARGET is assigned VALUE: its variable may hold such an address from now on. */
void memory_note_alloca(const struct texpr *target, const struct texpr *value);

/* --- x[i] (index.c) --- */
struct texpr *index_check(struct sema *s, const struct node *n);
/* Element INDEX, within the bounds, of the array BASE, an object of D. */
struct texpr *index_element(struct sema *s, struct texpr *base, struct texpr *index,
			    struct range range);
/* The object of D that P points to, or NULL: it may be any memory. */
struct texpr *index_owned(struct sema *s, struct texpr *p, struct range range);

/* --- structs that are results of operators (object.c) --- */
/* E; if it is a struct of ?:, a comma or =, as an object in memory. */
struct texpr *object_value(struct sema *s, struct texpr *e);
bool object_is_assigned(const struct texpr *e); /* is it the result of = ? */
/* The same where the value is not used: only the side effects matter. */
struct texpr *object_unwanted(struct texpr *e);

/* --- operators (operator.c, assign.c) --- */
struct texpr *operator_unary(struct sema *s, const struct node *n);
struct texpr *operator_binary(struct sema *s, const struct node *n);
struct texpr *operator_arithmetic(struct sema *s, enum op op, struct texpr *left,
				  struct texpr *right, struct range range);
/* The usual arithmetic conversion of both types. */
const struct type *operator_promoted(struct sema *s, const struct type *a, const struct type *b);
bool operator_check_scalar(struct sema *s, enum op op, const struct texpr *e);
bool operator_pointers_comparable(const struct texpr *a, const struct texpr *b);
struct texpr *assign_check(struct sema *s, const struct node *n);
struct texpr *assign_increment(struct sema *s, const struct node *n);

/* --- left to right (order.c) --- */
/* Is it seen which of FIRST and SECOND is evaluated first? */
bool order_is_seen(const struct texpr *first, const struct texpr *second);
/* Does VALUE, when it is evaluated, assign what TARGET is, or a part of? */
bool order_is_written(const struct texpr *target, const struct texpr *value);
/*
 * The lvalue TARGET with its keys, index or address in variables: it may be evaluated twice.  Their
 * assignments are appended to *FIRST, as by value_once().
 */
struct texpr *order_settle(struct sema *s, const struct texpr *target, struct texpr **first);
/* The same of a TARGET or of KEYS where VALUE's evaluation before them would be seen. */
struct texpr *order_target(struct sema *s, struct texpr *target, const struct texpr *value,
			   struct texpr **first);
struct texpr *order_keys(struct sema *s, struct texpr *keys, const struct texpr *value,
			 struct texpr **first);

/* --- ?:, &&, || and ^^ (conditional.c) --- */
struct texpr *conditional_check(struct sema *s, const struct node *n);
struct texpr *conditional_logical(struct sema *s, const struct node *n);
/*
 * The statement of N: N itself, or the branch that constant conditions select if some branch is an
 * action or an aggregation.  NULL: a mistake.
 */
const struct node *conditional_statement(struct sema *s, const struct node *n);

/* Both of two conditions, each of which may be NULL, no condition; the opposite of one. */
struct texpr *conditional_and(struct sema *s, struct texpr *a, struct texpr *b);
struct texpr *conditional_not(struct sema *s, struct texpr *e);

/* --- conversions (convert.c) --- */
/* E, without what an unsigned int has beyond 32 bits: before it is widened, compared, or counts. */
struct texpr *convert_whole(struct sema *s, struct texpr *e);
/* To another integer or pointer type; code is added only if the value may change. */
struct texpr *convert_scalar(struct sema *s, struct texpr *e, const struct type *type);
struct texpr *convert_string(struct sema *s, struct texpr *e); /* from a string-like type */
bool type_is_user_pointer(const struct type *type);	       /* to memory of a process */
/* A cast as written: D_CAST_INVAL. */
struct texpr *convert_cast(struct sema *s, struct texpr *e, const struct type *type,
			   struct range range);
/* Is it the type of stack(), sym(), usym() or a similar action? */
bool type_is_action_result(const struct type *type);
/* For assignments, keys, arguments and inlines: E as TYPE; NULL, and no mistake: it cannot be. */
struct texpr *convert_compatible(struct sema *s, struct texpr *e, const struct type *type);
/* The same; a number or pointer then has the type TYPE for further operations. */
struct texpr *convert_typed(struct sema *s, struct texpr *e, const struct type *type);

/* --- symbols of the kernel (symbol.c) and of the target (user_symbol.c) --- */
struct symbol_path {
	const char *module; /* of the kernel, or a file that is mapped; NULL: any */
	const char *name;
};
/* N's name contains a backquote, or an extern declares it as the kernel's. */
struct texpr *symbol_check(struct sema *s, const struct node *n);
/* Bytes of the symbol in the kernel's list, padding included; 0: unknown. */
uint64_t symbol_size(struct sema *s, const struct node *n);
/* The type of NAME in an extern, or NULL. */
const struct type *extern_find(struct sema *s, const char *name);
/* The type of NAME in an extern or a header, or NULL. */
const struct type *symbol_declared_type(struct sema *s, const char *name);
bool symbol_is_function(struct sema *s, const char *name); /* of the kernel, not of a module */
bool module_is_kernel_elsewhere(const char *module);	   /* genunix, unix: Solaris's kernel */
bool symbol_is_listed(struct sema *s, const char *text);   /* "vmlinux`avenrun" */
bool symbol_is_typed(struct sema *s, const struct symbol_path *path); /* it exists, with a type */
bool symbol_exists(struct sema *s, const struct symbol_path *path);   /* in the kernel */
bool user_symbol_exists(struct sema *s, const struct symbol_path *path); /* in the target */
const struct type *symbol_function_type(struct sema *s); /* of a function without type data */
/* Has NAME the form of a symbol of the target? */
bool user_symbol_path(struct sema *s, const char *name, struct symbol_path *ret);
struct texpr *user_symbol_check(struct sema *s, const struct node *n,
				const struct symbol_path *path);
uint64_t user_symbol_size(struct sema *s, const struct symbol_path *path);

/* --- names (name.c) --- */
enum name_kind {
	NAME_UNKNOWN,
	NAME_BINDING,
	NAME_ENUMERATOR,
	NAME_VARIABLE,
	NAME_INLINE,
	NAME_BUILTIN,
	NAME_ARGUMENT,
	NAME_ARGS,
	NAME_NULL,
	NAME_EXTERN,
	NAME_FUNCTION,
};
struct name {
	enum name_kind kind;
	union {
		const struct binding *binding;
		int64_t number; /* enumerator; argument */
		struct variable *variable;
		struct inline_definition *inlined;
		enum builtin_variable builtin;
		const struct type *type; /* extern */
	};
};
/* The meaning of NAME for the current declarer; definitions of libraries are fetched. */
struct name name_find(struct sema *s, const char *name);
/* The same of a name that is read: the program may assign to it later (ahead.c). */
struct name name_read(struct sema *s, const char *name);
/* The meaning that prevents a declaration of NAME: the declarer's own, or a name that cannot be
 * declared. */
struct name name_taken(struct sema *s, const char *name);
bool name_is_declared(struct sema *s, enum declarer who, const char *name); /* so far */
/* Is it a built-in variable or function of D? */
bool name_is_built_in(struct name n);
/* Is it defined by our libraries, like curpsinfo? */
bool name_is_library_builtin(const char *name);
struct texpr *name_check(struct sema *s, const struct node *n);
/* ", did you mean X?" or "". */
const char *name_suggestion_variable(struct sema *s, enum scope scope, const char *name);
/* compatible.c: the replacement of a symbol (as WRITTEN, with its backquote) or a member that this
 * kernel does not have; NULL: none. */
struct inline_definition *compatible_symbol(struct sema *s, const char *written);
bool compatible_has(struct sema *s, const char *symbol); /* without its backquote */
struct texpr *compatible_member(struct sema *s, struct texpr *object, const char *name, bool once,
				struct range range);
/* foreign.c: the D form for NAME of another system; NULL: unknown. */
enum foreign_kind { FOREIGN_VARIABLE, FOREIGN_FUNCTION };
const char *foreign_remedy(enum foreign_kind kind, const char *name);
/* The same for a probe. */
const char *foreign_probe(struct sema *s, const struct probe_desc *desc);
/* What to write instead of PROVIDER of another system, with or without a process; NULL: nothing. */
const char *foreign_provider(struct sema *s, const char *provider);
/* Linux's name of FUNCTION, a system call that has other names elsewhere; NULL: none is known. */
const char *foreign_call_alias(struct sema *s, const char *function);

const char *name_suggestion_function(struct sema *s, const char *name);
const char *name_suggestion_member(struct sema *s, const struct type *type, const char *name);

/* --- variables (variable.c) --- */
struct variable *variable_find(struct sema *s, enum scope scope, const char *name);
struct variable *variable_declared(struct sema *s, enum declarer who, enum scope scope,
				   const char *name);
/* NULL: too many. TYPE is stored resolved. */
struct variable *variable_new(struct sema *s, enum scope scope, const char *name,
			      const struct type *type, struct range range);
/* V, which the check of a clause made that was undone, is there from now on. */
struct variable *variable_keep(struct sema *s, struct variable *v);
/* A variable that no text so far has made: the program assigns to it later.  NULL: it does not. */
struct variable *variable_ahead(struct sema *s, enum scope scope, const char *name);
/* The variable that is read: variable_find(), else variable_ahead(). */
struct variable *variable_read(struct sema *s, enum scope scope, const char *name);
const char *variable_text(struct sema *s, enum scope scope, const char *name);
struct texpr *variable_check(struct sema *s, struct variable *v, struct range range);
/* A new this variable, by a name that no program can contain. */
struct texpr *variable_hidden(struct sema *s, const struct type *type, struct range range);
struct texpr *variable_element(struct sema *s, struct variable *v, const struct node *keys,
			       struct range range);
struct texpr *variable_builtin(struct sema *s, enum builtin_variable which, struct range range);
struct texpr *variable_uregs(struct sema *s, const struct node *n);
/* The keys of N, converted to TYPES, which the first use sets (*TYPES NULL). */
struct texpr *keys_check(struct sema *s, const struct node *list, const char *what,
			 const struct type ***types, unsigned *count, bool widen, bool *bad,
			 struct range range);

/* --- args[] (args.c) --- */
struct texpr *args_check(struct sema *s, const struct node *n);
/* args[INDEX] of a function of a process (process_argument.c). */
struct texpr *process_argument(struct sema *s, const struct probe_args *args, unsigned index,
			       struct range range);
/* args.NAME (N: NODE_MEMBER), and args: a struct of them all. */
struct texpr *process_argument_named(struct sema *s, const struct probe_args *args,
				     const struct node *n);
struct texpr *process_arguments(struct sema *s, const struct probe_args *args, struct range range);
/* The same for the clause's probes. */
struct texpr *args_named(struct sema *s, const struct node *n);
struct texpr *args_all(struct sema *s, const struct node *n);
/* Is N the name args itself? */
bool args_is_name(struct sema *s, const struct node *n);
/* argINDEX as a value of TYPE, a scalar or a string. */
struct texpr *args_value(struct sema *s, const struct type *type, bool user_pointers,
			 unsigned index, struct range range);
/* That args[INDEX] does not exist. */
struct texpr *args_wrong_index(struct sema *s, int64_t index, int64_t count, const char *problem,
			       struct range range);
/* That NAME of N, args.NAME, is the name of no WHAT; NEAREST saw the names that there are. */
struct texpr *args_wrong_name(struct sema *s, const struct node *n, const char *what,
			      const struct nearest *nearest);

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
/* Assign all members of the translated VALUE to the struct TARGET. */
/* E, translated, or a pointer to it, as an object with all its members; *SHOWN: its type, in which
 * those without a value are absent. */
struct texpr *translator_whole(struct sema *s, const struct texpr *e, const struct type **shown);
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
/* DECLARED_BY_FILE's names are U's (NULL: there are none) and it speaks if WHO says so; the result
 * is what was before. */
struct speaking {
	enum declarer who;
	struct unit *unit;
};
struct speaking speak(struct sema *s, struct speaking now);
/* args[INDEX] as the file of the clause's probes declares it; NULL: it does not. */
struct texpr *unit_argument(struct sema *s, int64_t index, struct range range);
/* The same of args.NAME; it is the number that the first probe's argument of this name has. */
struct texpr *unit_argument_named(struct sema *s, const struct node *n);
/* The unit that has PROBE's declaration; NULL: none, or it cannot be used. */
const struct probe_unit *unit_of_probe(struct sema *s, const struct probe *probe);
/* How P's own file declares it, also outside of a check; NULL: not at all, or not usably. */
const struct probe_declaration *unit_declaration(struct sema *s, const struct probe *p);
/* Have the arguments that A and B read the same types?  Else a mistake. */
void unit_check_alike(struct sema *s, const struct tclause *a, const struct tclause *b);
/* TYPE as text without `userland`: that a file's pointers are its process's is understood. */
const char *unit_type_text(struct sema *s, const struct type *type);
void units_free(struct sema *s);
/* A file may not NAME that: a mistake if one speaks. */
bool unit_may(struct sema *s, struct range range, const char *what);
/* --- probes made by formulas (formula.c) --- */
/* args[INDEX] and argINDEX of the clause, which is on a source. */
struct texpr *formula_argument(struct sema *s, int64_t index, struct range range);
struct texpr *formula_raw(struct sema *s, unsigned index, struct range range);
/* The built-in variable of the task that the clause's probe is about; NULL: of the current one. */
struct texpr *formula_builtin(struct sema *s, enum builtin_variable which, struct range range);
/* Is the clause about another task than the current one? Then a mistake: WHAT cannot be used. */
bool formula_refuses(struct sema *s, const char *what, struct range range);
/* Has SOURCE, which may be NULL, a `task =`? */
bool formula_is_of_task(const struct formula_source *source);
/* Does the task that the clause is about pass -x target?  NULL: that is not asked, or it is about
 * the task that runs, which programs test before their clauses. */
struct texpr *formula_task_test(struct sema *s);
/* self.NAME in a formula. */
struct texpr *formula_self(struct sema *s, const char *name, struct range range);
/* exists(KEY) in a formula. */
struct texpr *formula_exists(struct sema *s, const struct node *n);
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

/* --- libraries (library.c) --- */
/* RUN, during the check of a clause, apart from it: the state of that check is saved. */
void library_apart(struct sema *s, void (*run)(struct sema *s, void *arg), void *arg);
/* Define NAME ("xlate psinfo_t", "provider io") if a library visible to the current declarer has
 * it. */
void library_want(struct sema *s, const char *name);
/* Define NAME ("curpsinfo", "self->x") if a library of WHO has it, and it is not a type. */
bool library_want_value(struct sema *s, enum declarer who, const char *name);
/* Why NAME is unknown although a library has it, for the end of a message; or "". */
const char *library_advice(struct sema *s, const char *name);
void library_want_tag(struct sema *s, enum type_kind kind, const char *tag);
/* Define the types that a text like "struct bio *" names. */
void library_want_types(struct sema *s, const char *text);
/*
 * A type named by us or by a provider: the kernel's or, with FETCH, a library's, even if a
 * program declares this name.  If neither has it, the program's.  NULL: unknown.
 */
const struct type *library_type(struct sema *s, const char *text, bool fetch);
/* The kind of NAME in a library of WHO, known without parsing it. */
enum library_kind library_kind(const struct sema *s, enum declarer who, const char *name);

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
struct builtin_row;
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
void item_check(struct sema *s, const struct node *n); /* one of a program or library */
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

/* --- inlines (inline.c) --- */
/* A value of TYPE that is not a constant, for the check of definitions. */
struct texpr *sample_new(struct sema *s, const struct type *type, struct range range);
void inline_define(struct sema *s, const struct inline_node *node, struct range range);
/* DEF, which has one parameter, of ARGUMENT, which is evaluated before it if ONCE. */
struct texpr *inline_of(struct sema *s, const char *name, struct inline_definition *def,
			struct texpr *argument, bool once, struct range range);
struct texpr *inline_expand(struct sema *s, const char *name, struct inline_definition *def,
			    const struct node *args, bool has_args, struct range range);
/* E's value in a new variable; the assignment is appended to *FIRST. */
struct texpr *value_once(struct sema *s, struct texpr *e, struct texpr **first);
/* EFFECT, which is evaluated after what is in *FIRST, NULL at the beginning. */
void effect_append(struct sema *s, struct texpr **first, struct texpr *effect);
/* FIRST, if it is not NULL, then VALUE. */
struct texpr *value_after(struct sema *s, struct texpr *first, struct texpr *value);
/* Does VALUE, which has no effects, evaluate the parameter NAME in any case, and more than once
 * (strict.c)? */
bool strict_repeats(const struct node *value, const char *name);

/* --- calls (subroutine.c, action.c) --- */
struct texpr *subroutine_call(struct sema *s, const struct node *n);
/* The same of ARGS, a list of typed expressions that fit. */
struct texpr *subroutine_of(struct sema *s, enum subroutine which, struct texpr *args,
			    struct range range);
/* Is the name in the call N a function or an action? */
bool subroutine_is_known(const struct node *n);
/* Is this expression an action's call, as a whole statement may be? */
bool action_is_call(const struct node *n);
/* Is N the call of an action that has no value, as stack() and sym() have? */
bool action_is_void(const struct node *n);
/* stack(), sym() and similar actions as values; NULL if NAME is not one of them. */
struct texpr *action_value(struct sema *s, const char *name, const struct node *n);

#endif
