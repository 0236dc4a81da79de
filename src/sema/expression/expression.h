/* SPDX-License-Identifier: BSD-2-Clause */
/* expression - declarations of the files that check expressions; see sema_internal.h */
#ifndef SEMA_EXPRESSION_H
#define SEMA_EXPRESSION_H

#include "sema/sema_internal.h"

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

/* --- memory (memory.c, load.c) --- */
/* TYPE, if it is a pointer, as one to memory of a process; a pointer to TARGET. */
const struct type *user_type(struct sema *s, const struct type *type);
const struct type *pointer_to(struct sema *s, const struct type *target, bool user);
/* The unsigned integer of SIZE bytes; NULL: there is none. */
const struct type *unsigned_of_size(struct sema *s, uint32_t size);
/* The address of the part E of a variable, as a pointer to TARGET. */
struct texpr *owned_address(struct sema *s, struct texpr *e, const struct type *target,
			    struct range range);
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
struct texpr *operator_comparison(struct sema *s, enum op op, struct texpr *left,
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
bool value_can_be_kept(const struct texpr *e); /* in a this variable */
/* E's value in a new variable; the assignment is appended to *FIRST. */
struct texpr *value_once(struct sema *s, struct texpr *e, struct texpr **first);
/* EFFECT, which is evaluated after what is in *FIRST, NULL at the beginning. */
void effect_append(struct sema *s, struct texpr **first, struct texpr *effect);
/* FIRST, if it is not NULL, then VALUE. */
struct texpr *value_after(struct sema *s, struct texpr *first, struct texpr *value);

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
bool type_is_complete(const struct type *type);
/* A cast as written: D_CAST_INVAL. */
struct texpr *convert_cast(struct sema *s, struct texpr *e, const struct type *type,
			   struct range range);
/* Is it the type of stack(), sym(), usym() or a similar action? */
/* E, a whole statement: as an operand, or the assignment of a stack. */
struct texpr *expression_statement_value(struct sema *s, struct texpr *e);
/* E, which is not a whole statement: a mistake if it is the assignment of a stack. */
struct texpr *stack_read(struct sema *s, struct texpr *e);
/* E, a stack(), as a value in memory; WANTED, which may be NULL, if it fits. */
struct texpr *stack_kept(struct sema *s, struct texpr *e, const struct type *wanted);
bool type_is_action_result(const struct type *type);
/* For assignments, keys, arguments and inlines: E as TYPE; NULL, and no mistake: it cannot be. */
struct texpr *convert_compatible(struct sema *s, struct texpr *e, const struct type *type);
/* The same; a number or pointer then has the type TYPE for further operations. */
struct texpr *convert_typed(struct sema *s, struct texpr *e, const struct type *type);

/* --- args[] (args.c) --- */
struct texpr *args_check(struct sema *s, const struct node *n);
/* args[INDEX] of a function of a process (process_argument.c). */
struct texpr *process_argument(struct sema *s, const struct probe_args *args, unsigned index,
			       struct range range);
/* args.NAME (N: NODE_MEMBER), and args: a struct of them all. */
struct texpr *process_argument_named(struct sema *s, const struct probe_args *args,
				     const struct node *n);
/* The variable NAME of the function that the clause's probes are in; NULL: it has none. */
struct texpr *process_variable(struct sema *s, const char *name, struct range range);
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

/* --- calls (subroutine.c, action.c) --- */
struct texpr *subroutine_call(struct sema *s, const struct node *n);
/* The string that E, or the object of the process that it points to, stands for; else E. */
struct texpr *text_or_object(struct sema *s, struct texpr *e);
/* E as a key: of a time (strftime()) what its format prints is left. */
struct texpr *time_key(struct sema *s, struct texpr *e);
/* E, for a variable or key of TYPE; a mistake if both are times, printed by different formats. */
struct texpr *time_check(struct sema *s, struct texpr *e, const struct type *type);
/* The same as subroutine_call() of ARGS, a list of typed expressions that fit. */
struct texpr *subroutine_of(struct sema *s, enum subroutine which, struct texpr *args,
			    struct range range);
/* The call of a destructive action: a subroutine that may be called only as a statement. */
struct texpr *subroutine_statement(struct sema *s, const struct node *n);
/* Is it about the thread that runs, its memory or what it holds? */
bool subroutine_is_of_thread(enum subroutine which);
/* Is the name in the call N a function or an action? */
bool subroutine_is_known(const struct node *n);

/* --- calls of actions (action_value.c) --- */
/* stack(), sym() and similar actions as values; NULL if N calls another function. */
struct texpr *action_value(struct sema *s, const struct node *n);
/* The call of an action. */
struct call {
	const char *name;
	const struct action_row *row; /* or NULL: it has no row of its own */
	const struct node *node, *args;
	unsigned count;
	/* Of a call that is a statement: the statement made from it. */
	struct tstmt *stmt;
	struct texpr **end;
};
struct call call_of_node(const struct node *n);
void call_wrong_count(struct sema *s, const struct call *c, enum diagnostic_tag tag,
		      const char *wanted);
/* False, and a mistake: C has too few arguments, or too many. */
bool call_count_fits(struct sema *s, const struct call *c);
/* "no arguments", "one or two arguments"; MOST may be UINT32_MAX */
const char *arguments_text(struct sema *s, unsigned least, unsigned most);
struct constant_range {
	int64_t low, high;
	enum diagnostic_tag tag, kind_tag; /* for other integers; for other types */
};
/* An integer constant of RANGE. */
bool constant_argument(struct sema *s, const struct node *n, const char *what,
		       const struct constant_range *range, int64_t *ret);

/* --- floating-point values (real.c) --- */
/* float, double, long double */
bool type_is_real(const struct type *type);
/* The bits of E, a number, as a double, of type unsigned long; NULL: E is no number. */
struct texpr *real_bits(struct sema *s, struct texpr *e);
/* One of LEFT and RIGHT is real; NULL: the other one is no number. */
struct texpr *real_compare(struct sema *s, enum op op, struct texpr *left, struct texpr *right,
			   struct range range);
/* The real E without its fraction, an int64_t. */
struct texpr *real_integer(struct sema *s, struct texpr *e, struct range range);
bool real_scale_fits(struct sema *s, const struct texpr *scale);
/* For the end of a message about an operand of TYPE; else "". */
const char *real_advice(const struct type *type);

#endif
