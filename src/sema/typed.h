/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typed - a checked D program
 *
 * The only result of sema that later stages use.  All names are resolved, all
 * conversions are explicit, all constants are folded:
 *
 *   - Every expression has a type.  Integers and pointers are 64-bit numbers,
 *     extended by the sign of their type; TEXPR_CONVERT narrows where D demands
 *     it.
 *   - Pointer arithmetic is plain arithmetic: scaling is an explicit multiply.
 *   - Reading memory is TEXPR_LOAD; nothing else reads kernel or user memory,
 *     except subroutines and TEXPR_STRING_AT.
 *   - Inlines, macros, typedefs, enumerators, sizeof and offsetof are gone.
 *
 * The tree lives in the compilation's arena; types belong to struct types.
 */
#ifndef SEMA_TYPED_H
#define SEMA_TYPED_H

#include "abi/abi.h"
#include "base/base.h"
#include "base/diagnostic.h"
#include "base/strbuf.h"
#include "probe/probe.h"
#include "syntax/ast.h"
#include "types/types.h"

enum builtin_variable {
#define VARIABLE(name, ...) BUILTIN_##name,
#include "sema/name/builtin.def"
#undef VARIABLE
	BUILTIN_COUNT,
};

enum subroutine {
#define SUBROUTINE(name, ...) SUBROUTINE_##name,
#define HIDDEN(name, ...) SUBROUTINE_##name,
#include "sema/name/builtin.def"
#undef SUBROUTINE
#undef HIDDEN
	SUBROUTINE_COUNT,
};

/* How a value that an entry saves is found at the return (abi/call.h). */
enum call_key { CALL_BY_THREAD, CALL_BY_FRAME, CALL_BY_DEPTH };

/*
 * One of the values that a clause reads by entry(EXPR), or what a register contained at the entry
 * of the function around the clause's probe (sema/clause/entry_register.c).  Of a register of
 * several functions there is one for each, with the same number and index.
 */
struct entry_value {
	struct entry_value *next; /* of the clause */
	unsigned number;	  /* of all, from 1 */
	unsigned index;		  /* of the clause's, from 0 */
	enum call_key key;
	const struct node *node; /* EXPR; of a register only for its range */
	struct variable *variable;
	bool is_register;   /* key: CALL_BY_FRAME, whichever function; */
	bool is_argument;   /* an argument that only some events of the clause have there */
	unsigned which;	    /* number in uregs[] */
	struct tclause *at; /* saves it */
};

/* A variable of the program. */
struct variable {
	const char *name;
	enum scope scope;
	enum declarer declarer;
	const struct type *type; /* of the value; resolved: integer, pointer, string or struct */
	const struct type *declared_type; /* the same with its typedefs */
	bool is_array;			  /* associative */
	const struct type **key_types;
	unsigned key_count;
	unsigned index; /* among the variables of its scope, from 0 */
	bool used;
	bool declared;	  /* not made by an assignment */
	bool is_kept;	  /* made for a read before its assignment, see sema/name/ahead.c */
	bool from_alloca; /* alloca() or copyin() gave an address to it or a part of it */
	bool in_slot;	  /* of scope this: never in the frame, see plan/layout.c */
	const struct clause_node *user; /* the first clause that names it; NULL: none does */
	bool is_shared;			/* others do, too */
	/* Of scope self, but not the thread's: it is in the call's cell; or NULL. */
	const struct entry_value *of_call;
};

struct aggregation {
	const char *name;   /* without @; "_" for @ */
	struct range range; /* of the first use */
	unsigned index;	    /* in order of first use */
	enum aggregate function;
	bool defined; /* assigned an aggregating function */
	int64_t base, limit;
	uint32_t step, levels;
	struct llquantize ll;
	const struct type **key_types;
	const struct type **column_types; /* of the keys at first: their columns keep that width */
	unsigned key_count;
	bool weighted;	   /* a histogram with weights in some statement: counts may cancel out */
	bool is_walked;	   /* by foreach: keys are as written, clear() begins with new elements */
	bool is_shortened; /* by trunc(@a, n) */
};

enum texpr_kind {
	TEXPR_INTEGER,	/* integer */
	TEXPR_STRING,	/* string: a literal; text NULL: the NULL string */
	TEXPR_BUILTIN,	/* builtin */
	TEXPR_ARGUMENT, /* argument.index: argN and args[N], raw 64 bits */
	TEXPR_UREG,	/* argument.index: register number as in regs.d */
	TEXPR_VARIABLE, /* variable: a scalar, string or struct variable */
	TEXPR_ELEMENT,	/* element: variable[keys] */
	TEXPR_FIELD,	/* field: a part of a variable, element or field: an lvalue */
	TEXPR_LOAD,	/* load: the object of `type` at an address.  Arrays and structs are never
			 * loaded as such: only trace() and similar actions use their value */
	TEXPR_NEGATE,
	TEXPR_COMPLEMENT,
	TEXPR_NOT,	       /* operand */
	TEXPR_BINARY,	       /* binary: arithmetic and integer comparisons; see `is_signed` */
	TEXPR_LOGICAL,	       /* binary: OP_LAND OP_LOR OP_LXOR */
	TEXPR_COMPARE_STRINGS, /* binary: op is a comparison; both sides of type string */
	TEXPR_CONDITIONAL,     /* conditional */
	TEXPR_COMMA,	       /* binary */
	TEXPR_CONVERT,	  /* operand, to the integer or pointer `type`: truncate and extend.  An
			   * operand of type string: the address of its bytes */
	TEXPR_ADDRESS,	  /* operand, a part of a variable, often an array, or the assignment of a
			   * struct: its address, for reading.  A this variable of type string:
			   * that of its bytes, NULL of a NULL string */
	TEXPR_STRING_AT,  /* load.address (also `operand`): kernel address of a string (stringof);
			   * load.user: of the process.  An operand of type char []: a D object.
			   * load.is_object: a string object at the address, not a result of
			   * stringof() */
	TEXPR_ASSIGN,	  /* assign: target = value; the result is the value as stored */
	TEXPR_UPDATE,	  /* update: target = target op value; the result is the new or old value */
	TEXPR_CALL,	  /* call: a subroutine */
	TEXPR_STACK,	  /* stack: a value of type stack */
	TEXPR_SYMBOL,	  /* symbol: sym(), usym() ...: a value of type symaddr or usymaddr */
	TEXPR_TRANSLATED, /* translated: xlate <T>(e); only inside sema, codegen never sees one */
};

struct texpr {
	enum texpr_kind kind;
	const struct type *type;
	const struct type *declared; /* the same with its typedefs, for print() */
	struct range range;
	bool is_translated; /* a member, made by a translator, or an argument put together from
			     * registers: it cannot be assigned to; only inside sema */
	struct texpr *next; /* in argument and key lists */
	union {
		int64_t integer;
		struct {
			const char *text;
			uint32_t len;
			bool is_argument; /* a macro argument: the user's, not the program's */
		} string;
		enum builtin_variable builtin;
		struct {
			unsigned index;
			bool is_result; /* TEXPR_UREG: a part of a function's result */
		} argument;
		struct variable *variable;
		struct {
			struct variable *variable;
			struct texpr *keys;
		} element;
		struct {
			struct texpr *
				base; /* TEXPR_VARIABLE, ELEMENT or FIELD of struct or array type */
			uint32_t offset;	/* bytes in base */
			struct texpr *index;	/* or NULL: an element of an array in base ... */
			uint32_t count, stride; /* ... with this many elements; checked: BADINDEX */
			uint8_t bit_offset,
				bit_size; /* bit_size 0: none; bit_offset from `offset` */
		} field;
		struct {
			struct texpr *address;
			uint8_t bit_offset, bit_size; /* bit_size 0: none */
			bool user;		      /* the process's memory */
			bool is_object;		      /* TEXPR_STRING_AT */
			bool is_quiet;	     /* of the kernel, by a formula: 0 instead of a fault */
			uint32_t room;	     /* TEXPR_STRING_AT: bytes of its array, or 0; a symbol
					      * without a type, only inside sema: those of a number, or 0
					      */
			const char *missing; /* the same, of a process: sema_user_symbol.missing */
		} load;
		struct texpr *operand;
		struct {
			enum op op;
			struct texpr *left, *right;
			bool is_signed; /* of / % >> and comparisons */
		} binary;
		struct {
			struct texpr *condition, *then, *otherwise;
		} conditional;
		struct {
			struct texpr *target; /* VARIABLE, ELEMENT, FIELD; or LOAD through a
						 pointer: D's memory */
			struct texpr *value;  /* converted to the target's type; INTEGER 0 frees or
					       * zeroes a struct.  A string, for a target that is
					       * an array: its bytes, and zeros after them */
		} assign;
		struct {
			struct texpr *target;
			enum op op; /* OP_ADD ... */
			struct texpr *value;
			bool is_signed;
			bool old; /* postfix: the result is the value before */
		} update;
		struct {
			enum subroutine function;
			struct texpr *args; /* missing optional ones are not in the list */
			unsigned count;
		} call;
		struct {
			bool user;
			bool wants_more; /* than `frames`, the maximum */
			uint32_t frames;
			uint32_t interpreted; /* of an interpreter, at most; 0: none are wanted */
			uint32_t strings;     /* bytes of each of those that are printed */
		} stack;
		struct {
			enum value_kind kind; /* VALUE_SYM ... VALUE_UADDR */
			struct texpr *address;
		} symbol;
		struct {
			const struct translator *translator;
			struct texpr *input;
			struct texpr *first; /* evaluated before a member; or NULL */
			unsigned cost;	     /* of the input, see EXPRESSION_BUDGET */
			/* Of a formula, or NULL: these members have other values, expressions of
			 * the source with the names in scope. */
			const struct translator_member *with;
			const struct formula_source *source;
			const struct binding *scope;
		} translated;
	};
};

/*
 * Call VISIT with each part of E, in the order of the text; NULL: one that must be there is
 * missing (typed_verify()).
 */
typedef void texpr_visit_fn(void *arg, const struct texpr *part);
void texpr_each_part(const struct texpr *e, texpr_visit_fn *visit, void *arg);
/* Where the pointer to part N of E is, or to the first of a list; NULL: E has no part N. */
struct texpr **texpr_part(struct texpr *e, unsigned n);

/* pcap(): offsets in struct sk_buff, and the kind of packet. */
struct packet_layout {
	uint32_t data;	    /* the pointer to its bytes */
	uint32_t length;    /* all of them */
	uint32_t elsewhere; /* those that are not at `data` */
	uint32_t link;	    /* the link type of pcap files */
};

enum tstmt_kind {
	TSTMT_EXPRESSION, /* expr */
	TSTMT_IF,
	TSTMT_LOOP, /* if_: `then` is its body, `otherwise` what follows each pass */
	TSTMT_BREAK,
	TSTMT_CONTINUE,
	TSTMT_ACTION,
	TSTMT_AGGREGATE,
	TSTMT_SPECULATION,
};

enum speculation_verb {
#define SPECULATION(name, prototype, what) VERB_##name,
#include "sema/name/builtin.def"
#undef SPECULATION
};

struct tstmt {
	enum tstmt_kind kind;
	struct range range;
	unsigned number; /* n-th of the clause, from 1; the statements of an `if` come after it:
			  * "action #n" */
	struct tstmt *next;
	union {
		struct texpr *expr;
		struct {
			struct texpr *condition;
			struct tstmt *then, *otherwise;
			/* Of a loop: its condition holds exactly so often, if `passes_known`. */
			uint32_t passes;
			bool passes_known;
			/* foreach: for each element of the array or aggregation, with its keys in
			 * these this variables, and the words of its value; else NULL.  An array
			 * that is a self variable: for each thread that has it, with the thread's
			 * task as the key. */
			struct variable *array;
			struct aggregation *aggregation;
			struct texpr *keys, *words;
		} if_;
		struct {
			enum action_kind kind;
			const char *format; /* printf, printa; or NULL */
			struct texpr *args; /* values to record, in order of the format */
			unsigned count;
			struct aggregation **aggregations;
			unsigned aggregation_count;
			uint32_t size; /* bytes to copy: tracemem, pcap; print of structs and arrays
					*/
			bool at_address; /* print: args is the address, not the value itself */
			const struct type *type;    /* print: of the printed value, as declared */
			struct printed_text *texts; /* print: where args after the first belong */
			unsigned text_count;
			struct packet_layout packet; /* pcap */
		} action;
		struct {
			struct aggregation *aggregation;
			struct texpr *keys;
			struct texpr *value;  /* NULL for count() */
			struct texpr *weight; /* NULL: 1 */
		} aggregate;
		struct {
			enum speculation_verb verb;
			struct texpr *id;
		} speculation;
	};
};

/* Is S a foreach (self->x) over threads? */
static inline bool tstmt_walks_threads(const struct tstmt *s)
{
	return s->kind == TSTMT_LOOP && s->if_.array && !s->if_.array->is_array;
}

/* Has S statements of its own, `if_`? */
static inline bool tstmt_has_branches(const struct tstmt *s)
{
	return s->kind == TSTMT_IF || s->kind == TSTMT_LOOP;
}

/* One clause and the probes of one of its descriptions: an enabling. */
struct tclause {
	unsigned index; /* from 0, program order; epid is index + 1 */
	struct range range;
	const struct clause_node *node;
	struct probe_desc desc;
	const struct formula_source *source; /* the clause runs at the events of its only probe that
					      * have this source; NULL: at events without one */
	bool is_repeated; /* an earlier clause is the same text on the same probe */
	bool is_of_task;  /* it is about another task than the one that runs (`task =`) */
	bool is_made;	  /* sema made it: it changes the saved values of a formula or of calls */
	/* What the clause reads by entry(EXPR); clauses that are made have the list of theirs: */
	struct entry_value *entries;
	const struct entry_value *saves; /* the clause, at the entry, saves this one; or NULL */
	const struct probe **probes;	 /* the probes that it matched; may be none (zdefs) */
	unsigned probe_count;
	uint32_t arguments_read; /* bit n: the clause reads argN, maybe as args[] */
	/* It reads args[] by the types of its probes: further ones must pass theirs alike
	 * (sema_reads_alike()), or get a version of the clause (sema_version()). */
	bool reads_args;
	/* It names types of its probes' file (pid`libx.so`struct s), of every process, or variables
	 * of its functions: likewise. */
	bool reads_file_types;
	/* args[] are those that a traced file declares, of all its probes; NULL: they are not. */
	const struct probe_declaration *declaration;
	uint32_t args_read; /* bit n: args[n] of them; n < 32 */
	bool is_declared;   /* the provider is declared in D, and its probes may appear later, or
			     * have weaker types of their own */
	struct attributes declared;   /* attributes of its probes by that declaration */
	struct attributes attributes; /* the weakest of all names that its statements use */
	struct texpr *predicate;      /* NULL: always */
	struct tstmt *body;
	bool default_action; /* the body is empty, or only speculate(): a record without data */
};

static inline bool texpr_is_lvalue(const struct texpr *e)
{
	return e->kind == TEXPR_VARIABLE || e->kind == TEXPR_ELEMENT || e->kind == TEXPR_FIELD ||
	       e->kind == TEXPR_LOAD;
}

/*
 * Is the clause on E, an event of one of its probes?  An inlined copy, whose event is like that of
 * a static probe, is not a call, for which entry() could save something.
 */
static inline bool clause_is_on(const struct tclause *clause, const struct probe_event *e)
{
	bool saves_of_call = clause->saves && clause->saves->key == CALL_BY_FRAME;
	return e->source == clause->source && !(saves_of_call && event_is_placed(e->event.kind));
}

/* Does it run at dtrace:::ERROR? */
static inline bool is_error_clause(const struct tclause *clause)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		if (clause->probes[i]->id == PROBE_ERROR)
			return true;
	return false;
}

struct typed_program {
	struct tclause **clauses; /* all programs of the handle, in order */
	unsigned clause_count;
	struct variable **variables[3]; /* by enum scope */
	unsigned variable_count[3];
	struct aggregation **aggregations;
	unsigned aggregation_count;
	const char *const *pairs; /* of #pragma D pair, as written: where something begins, where it
				   * ends */
	unsigned pair_count;	  /* descriptions: an even number */
	unsigned entry_values;	  /* numbers of struct entry_value, some of them not used */
	bool destructive;	  /* some action needs -w */
	const char *impossible;	  /* an action that no kernel permits, or NULL */
	bool counts_frames;	  /* stackdepth, or ustackdepth, which the kernel's limit ends */
	bool uses_target;	  /* the variable target */
	bool walks_user;	  /* ustack(), ustackdepth, ucaller */
	bool has_other_files;	/* some clauses are for one of several files (check_for_files()) */
	bool uses_user_symbols; /* addresses in the target, as mapped at compile time */
	uint32_t frames_asked;	/* of a stack with more frames than possible; 0: none */
	uint32_t frames_given;	/* how many are */
};

/*
 * Is NAME, a pattern perhaps, of PROVIDER the end of a pair?  *RET gets the name of its beginning.
 */
bool pair_beginning(const struct typed_program *p, const char *provider, const char *name,
		    struct strbuf *ret);
/* Is it at the entry or the return of a call, not one of two static probes? */
bool probe_is_of_call(const struct probe *p);
/* A number of the function, the system call or the pair: PROBE's beginning and end have the same.
 */
uint32_t probe_call_number(const struct typed_program *p, const struct probe *probe);

/*
 * What the values of each aggregation count, by its index: "ns", "us", "ms", "s" or "bytes"; NULL:
 * it is not known.
 */
const char *const *typed_units(struct arena *a, const struct typed_program *p);

/*
 * Check all statements of this header.  An error names the false one, and where: a mistake of sema,
 * never of the script.  Called if VERIFIES (base/base.h).
 */
MUST_CHECK struct error *typed_verify(const struct typed_program *p);

#endif
