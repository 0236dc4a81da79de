/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ast - a D program as its author wrote it
 *
 * Made by the parser in the compilation's arena, read by sema and by the
 * printer (-xdump=ast), never changed.  Names are not resolved and nothing is
 * typed; every node knows its place in the text.
 *
 * Lists are singly linked through `next`.
 */
#ifndef SYNTAX_AST_H
#define SYNTAX_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"

/* Operators; the token's text is op_text(). */
enum op {
	OP_NONE,
	/* binary arithmetic */
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_SHL,
	OP_SHR,
	OP_AND,
	OP_OR,
	OP_XOR,
	/* comparisons */
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_EQ,
	OP_NE,
	/* logical */
	OP_LAND,
	OP_LOR,
	OP_LXOR,
	/* unary */
	OP_NEG,
	OP_PLUS,
	OP_NOT /* ~ */,
	OP_LNOT /* ! */,
	OP_DEREF,
	OP_ADDROF,
	OP_PREINC,
	OP_PREDEC,
	OP_POSTINC,
	OP_POSTDEC,
	OP_COMMA,
};

const char *op_text(enum op op);

enum node_kind {
	/* expressions */
	NODE_INTEGER,	  /* integer */
	NODE_STRING,	  /* string */
	NODE_IDENT,	  /* ident: name, may hold backquotes (vmlinux`x) */
	NODE_SCOPED,	  /* ident, scope: self->x, this->x */
	NODE_AGGREGATION, /* aggregation: @name[keys] */
	NODE_UNARY,	  /* unary: op operand */
	NODE_BINARY,	  /* binary: left op right; comma and logical operators too */
	NODE_CONDITIONAL, /* conditional: condition ? then : otherwise */
	NODE_ASSIGN,	  /* assign: left op= right; op is OP_NONE for plain = */
	NODE_CALL,   /* call: callee(args); callee is any expression, sema requires an identifier */
	NODE_INDEX,  /* index: base[args] */
	NODE_MEMBER, /* member: base.name or base->name (arrow) */
	NODE_CAST,   /* cast: (type)operand */
	NODE_SIZEOF_TYPE, /* type */
	NODE_ALIGNOF,	  /* type */
	NODE_SIZEOF,	  /* unary.operand */
	NODE_STRINGOF,	  /* unary.operand */
	NODE_OFFSETOF,	  /* offset_of: type, member name */
	NODE_XLATE,	  /* cast: xlate<type>(operand) */
	NODE_HAS,	  /* has: has(type.member.member): does the running kernel have it? */
	/* statements */
	NODE_EXPRESSION, /* statement.expr; empty statements leave no node */
	NODE_IF,	 /* if_: condition, then list, else list (may be NULL) */
	NODE_LOOP,	 /* if_: condition, its body, and what follows each pass (may be NULL) */
	NODE_FOREACH,	 /* if_: `condition` is the array, `names` its keys; and the body */
	NODE_BREAK,
	NODE_CONTINUE,
	/* items of a program */
	NODE_CLAUSE,
	NODE_DECLARATION,
	NODE_INLINE,
	NODE_TRANSLATOR,
	NODE_PROVIDER,
	NODE_FORMULA, /* formula: a provider as data (syntax/formula.h) */
};

enum scope { SCOPE_GLOBAL, SCOPE_SELF, SCOPE_THIS };

/* How an integer constant was written, for C's choice of its type. */
enum integer_suffix { SUFFIX_NONE, SUFFIX_U, SUFFIX_L, SUFFIX_UL, SUFFIX_LL, SUFFIX_ULL };

struct member_name;

struct node {
	enum node_kind kind;
	uint16_t height; /* levels of expressions below; bounded, so that recursion is safe */
	struct range range;
	struct node *next;
	union {
		struct {
			uint64_t value;
			bool decimal;	/* not octal, hex or a character */
			bool character; /* 'x': type int */
			bool negative;	/* a macro argument: -value */
			enum integer_suffix suffix;
		} integer;
		struct {
			const char *text; /* escapes done; may hold NULs */
			uint32_t len;
			bool is_argument; /* a macro argument: the user's, not the program's */
		} string;
		struct {
			const char *name;
			enum scope scope;
		} ident;
		struct {
			const char *name; /* "_" for a bare @ */
			struct node *keys;
			bool has_keys;	   /* brackets were written */
			bool many_indexes; /* @a[x][y]: D_AGG_MDIM */
		} aggregation;
		struct {
			enum op op;
			struct node *operand;
		} unary;
		struct {
			enum op op;
			struct node *left, *right;
		} binary;
		struct {
			struct node *condition, *then, *otherwise;
		} conditional;
		struct {
			enum op op;
			struct node *left, *right;
		} assign;
		struct {
			struct node *callee, *args;
		} call;
		struct {
			struct node *base, *args;
		} index;
		struct {
			struct node *base;
			const char *name;
			struct range name_range;
			bool arrow;
		} member;
		struct {
			struct type_name *type;
			struct node *operand;
			struct translator_member *with; /* of xlate in a formula, or NULL */
		} cast;
		struct type_name *type;
		struct {
			struct type_name *type;
			const char *member;
		} offset_of;
		struct {
			struct type_name *type; /* NULL: `name`, which is not a type */
			const char *name;
			struct member_name *members;
		} has;
		struct {
			struct node *expr;
		} statement;
		struct {
			struct node *condition, *then, *otherwise;
			struct member_name *names;
		} if_;
		struct clause_node *clause;
		struct declaration_node *declaration;
		struct inline_node *inline_;
		struct translator_node *translator;
		struct provider_node *provider;
		struct formula_provider *formula;
	};
};

/* --- types as written ------------------------------------------------------ */

enum type_word { /* bits: the words of a specifier */
		 WORD_VOID = 1 << 0,
		 WORD_CHAR = 1 << 1,
		 WORD_SHORT = 1 << 2,
		 WORD_INT = 1 << 3,
		 WORD_LONG = 1 << 4,
		 WORD_LONG_LONG = 1 << 5,
		 WORD_FLOAT = 1 << 6,
		 WORD_DOUBLE = 1 << 7,
		 WORD_SIGNED = 1 << 8,
		 WORD_UNSIGNED = 1 << 9,
		 WORD_BOOL = 1 << 10,
		 WORD_STRING = 1 << 11,
		 WORD_STRUCT = 1 << 12,
		 WORD_UNION = 1 << 13,
		 WORD_ENUM = 1 << 14,
		 WORD_NAME = 1 << 15, /* a typedef's name */
		 WORD_INT128 = 1 << 16,
		 WORD_COMPLEX = 1 << 17,
};

enum storage { /* bits */
	       STORAGE_TYPEDEF = 1 << 0,
	       STORAGE_EXTERN = 1 << 1,
	       STORAGE_SELF = 1 << 2,
	       STORAGE_THIS = 1 << 3,
	       STORAGE_AUTO = 1 << 4,
	       STORAGE_REGISTER = 1 << 5,
	       STORAGE_STATIC = 1 << 6,
};

enum qualifier { /* bits */
		 QUALIFIER_CONST = 1 << 0,
		 QUALIFIER_VOLATILE = 1 << 1,
		 QUALIFIER_RESTRICT = 1 << 2,
		 QUALIFIER_USERLAND = 1 << 3,
};

/* The layout of __attribute__; all other attributes are ignored. */
struct layout_attributes {
	bool packed;
	bool aligned;	    /* to `align`, or as far as the machine needs when that is NULL */
	struct node *align; /* a constant */
	/* GNU's other types; each NULL when it is not said */
	struct node *vector; /* vector_size: bytes, a constant */
	const char *mode;    /* mode: "__DI__", "V4SF" */
};

struct member_name {
	struct member_name *next;
	const char *name;
};

struct enumerator_node {
	struct enumerator_node *next;
	struct range range;
	const char *name;
	struct node *value; /* NULL: one more than before */
};

struct type_spec {
	struct range range;
	unsigned words;	     /* enum type_word */
	unsigned storage;    /* enum storage */
	unsigned qualifiers; /* enum qualifier */
	bool repeated;	     /* a word was given twice or does not go with another */
	const char *name;    /* typedef name or tag; may hold a backquote; NULL: anonymous */
	bool has_body;
	struct layout_attributes
		attributes;	       /* of the declaration: __u64 __attribute__((aligned(8))) x */
	struct layout_attributes body; /* of the struct itself */
	uint32_t pack;		       /* #pragma pack at the body, 0: none */
	struct member_node *members;
	struct enumerator_node *enumerators;
};

/*
 * A declarator, from the name outwards: `int (*f[3])(char)` is
 * ARRAY(3) -> POINTER -> FUNCTION(char), applied to int from the last to the
 * first.
 */
struct declarator_part {
	struct declarator_part *next;
	enum { PART_POINTER, PART_ARRAY, PART_FUNCTION } kind;
	unsigned qualifiers; /* of a pointer */
	struct node *size;   /* of an array; NULL with params: int a[int, string] */
	struct param_node *params;
	bool has_params; /* an associative array's keys, or a prototype */
	bool varargs;
};

struct declarator {
	struct declarator *next;
	struct range range;
	const char *name; /* NULL when abstract */
	uint32_t name_at; /* in the source's text */
	struct declarator_part *parts;
	struct node *bit_width; /* of a member, or NULL */
	struct layout_attributes attributes;
};

struct param_node {
	struct param_node *next;
	struct range range;
	struct type_spec *spec;
	struct declarator *declarator; /* never NULL; its name may be */
	/* Of a formula's event: the type is not written; it is that of `like`, an argument of the
	 * probe, or long. */
	bool is_untyped;
	const struct param_node *like;
};

struct member_node {
	struct member_node *next;
	struct type_spec *spec;
	struct declarator *declarators; /* NULL: an unnamed struct or union */
};

struct type_name {
	struct range range;
	struct type_spec *spec;
	struct declarator *declarator; /* never NULL, nameless */
};

/* --- items ------------------------------------------------------------------ */

struct pdesc_node {
	struct pdesc_node *next;
	struct range range;
	/* The first of the descriptions that one text with $target means, one for each process;
	 * itself if the text means only this one. */
	const struct pdesc_node *first;
	bool by_id;
	uint32_t first_id, last_id;			 /* by_id */
	const char *provider, *module, *function, *name; /* macros replaced; "" matches all */
};

struct clause_node {
	struct pdesc_node *pdescs;
	struct node *predicate; /* or NULL */
	struct node *body;	/* statements */
	bool has_body;		/* {} was written, maybe empty */
	struct range head;	/* the descriptions, as written */
};

struct declaration_node {
	bool in_header; /* from an #included file: belongs to C's types, not D's */
	struct type_spec *spec;
	struct declarator *declarators; /* NULL: only a type */
};

struct inline_node {
	struct type_spec *spec;
	struct declarator *declarator;
	struct node *value;
};

struct translator_node {
	struct type_name *output, *input; /* input NULL: those of a pattern */
	const char *input_name;
	const char *pattern; /* of names of types; NULL: input */
	struct node *value;  /* of a pattern: the string */
	struct translator_member {
		struct translator_member *next;
		struct range range;
		const char *name;
		struct node *value;
	} * members;
};

struct provider_node {
	const char *name;
	struct provider_probe_node {
		struct provider_probe_node *next;
		struct range range;
		const char *name;
		struct param_node *input, *output;
		bool has_output;
	} * probes;
};

/* #pragma D lines other than option (which is carried out at once), in order. */
struct pragma_node {
	struct pragma_node *next;
	struct range range;
	const char *words[6]; /* attributes|binding|depends_on|pair ... ; NULL-ended */
};

struct script_arguments;

struct program_node {
	const struct source *source;
	struct node *items;
	struct pragma_node *pragmas;
	const struct script_arguments *arguments; /* that it declares, or NULL */
	struct broken_node *broken; /* items with mistakes; they are in the items, too, as far as
				     * they were parsed */
};

struct broken_node {
	struct range range;
	struct broken_node *next;
};

/*
 * Call VISIT with each part of the expression or statement N, in the order of the text; NULL: one
 * that must be there is missing (syntax_verify()).
 */
typedef void node_visit_fn(void *arg, const struct node *part);
void node_each_part(const struct node *n, node_visit_fn *visit, void *arg);

/* The first node, in the order of the text, of LIST and below that FITS, or NULL. */
typedef bool node_fits_fn(const void *arg, const struct node *n);
const struct node *node_find(const struct node *list, node_fits_fn *fits, const void *arg);

#endif
