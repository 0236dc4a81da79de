/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * random_expression - integer expressions of D, and their results
 *
 * An expression is made at random, printed as D, and evaluated here by the rules of D: arithmetic
 * has 64 bits and wraps; `/ % >>` and comparisons follow the sign of the promoted type (for >>
 * that of the left side); values are narrowed when they are stored or cast, those of unsigned int
 * also when they are widened or compared.
 *
 * It may change variables.  Each is changed at most once, so that no undefined order decides the
 * result; the rest is evaluated from left to right.
 */
#ifndef TESTS_UNIT_CODEGEN_RANDOM_EXPRESSION_H
#define TESTS_UNIT_CODEGEN_RANDOM_EXPRESSION_H

#include "base/base.h"

struct number_type {
	const char *name;
	unsigned bits;
	bool is_signed;
};

static const struct number_type number_types[] = {
	{ "char", 8, true },	   { "unsigned char", 8, false },
	{ "short", 16, true },	   { "unsigned short", 16, false },
	{ "int", 32, true },	   { "unsigned int", 32, false },
	{ "long", 64, true },	   { "unsigned long", 64, false },
	{ "long long", 64, true }, { "unsigned long long", 64, false },
	{ "enum hue", 32, true },  { "_Bool", 8, false }, /* bit-fields have no such type */
};
enum { TYPE_NUMBER_INT = 4, TYPE_NUMBER_UINT, TYPE_NUMBER_LONG, TYPE_NUMBER_ULONG };
enum { TYPE_NUMBER_BOOL = ARRAY_SIZE(number_types) - 1, TYPE_NUMBER_ENUM = TYPE_NUMBER_BOOL - 1 };

/* Where variables live, and how they are declared and written. */
struct number_home {
	const char *scope, *key_types, *prefix, *key;
};
static const struct number_home number_homes[] = {
	{ "", "", "", "" },
	{ "this ", "", "this->", "" },
	{ "self ", "", "self->", "" },
	{ "", "[int]", "", "[7]" },
	{ "self ", "[long]", "self->", "[-1]" },
	{ "", "", "bits.", "" }, /* bit-fields of one struct */
};
enum { HOME_BITS = ARRAY_SIZE(number_homes) - 1 };

#define NUMBER_VARIABLES 24

struct number_variable {
	const struct number_home *home;
	const struct number_type *type;
	unsigned bits; /* as many as the type has, but in bit-fields */
	int64_t value;
};

enum expr_kind {
	EXPR_LITERAL,
	EXPR_VARIABLE,
	EXPR_CAST,
	EXPR_NEGATE, /* unary: text */
	EXPR_COMPLEMENT,
	EXPR_NOT,
	EXPR_PLUS,
	EXPR_BINARY,
	EXPR_CONDITIONAL,
	EXPR_COMMA,
	EXPR_ASSIGN,
	EXPR_UPDATE,
	EXPR_INCREMENT, /* value: 0 ++x, 1 --x, 2 x++, 3 x-- */
};

/* The order is that of expr_operators. */
enum expr_operator {
	DO_ADD,
	DO_SUB,
	DO_MUL,
	DO_AND,
	DO_OR,
	DO_XOR,
	DO_DIV,
	DO_MOD,
	DO_SHL,
	DO_SHR,
	DO_LT,
	DO_LE,
	DO_GT,
	DO_GE,
	DO_EQ,
	DO_NE,
	DO_LAND,
	DO_LOR,
	DO_LXOR,
	DO_COUNT,
};
static const char *const expr_operators[DO_COUNT] = { "+",  "-",  "*",	"&",  "|",  "^", "/",
						      "%",  "<<", ">>", "<",  "<=", ">", ">=",
						      "==", "!=", "&&", "||", "^^" };

struct expr {
	enum expr_kind kind;
	enum expr_operator op;
	const struct number_type *type;
	bool constant; /* the compiler knows its value */
	bool hex;
	int64_t value; /* of a literal */
	unsigned variable;
	struct expr *a, *b, *c;
};

struct expr_world {
	uint64_t random;
	struct arena *arena;
	struct number_variable variables[NUMBER_VARIABLES];
	bool changed[NUMBER_VARIABLES]; /* by an expression made so far */
	bool divided_by_zero;
};

/* --- random numbers ----------------------------------------------------------------------- */

/* splitmix64 */
static inline uint64_t random_next(struct expr_world *w)
{
	uint64_t z = w->random += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static inline unsigned random_below(struct expr_world *w, unsigned limit)
{
	return (unsigned)(random_next(w) % limit);
}

/* Where mistakes live: at the ends of types, around zero; and anywhere. */
static inline uint64_t random_value(struct expr_world *w)
{
	static const uint64_t edges[] = { 0x7f,
					  0x80,
					  0xff,
					  0x7fff,
					  0x8000,
					  0xffff,
					  0x7fffffff,
					  0x80000000,
					  0xffffffff,
					  INT64_MAX,
					  1ull << 63,
					  UINT64_MAX,
					  (uint64_t)-0x80,
					  0x100000000 };
	switch (random_below(w, 4)) {
	case 0:
		return edges[random_below(w, ARRAY_SIZE(edges))] + random_below(w, 3) - 1;
	case 1:
		return random_below(w, 12) - 3ull;
	case 2:
		return random_below(w, 70);
	default:
		return random_next(w) >> random_below(w, 64);
	}
}

/* --- types ----------------------------------------------------------------------------------- */

static inline int64_t number_cut(uint64_t value, unsigned bits, bool is_signed)
{
	unsigned up = 64 - bits;
	if (!up)
		return (int64_t)value;
	return is_signed ? (int64_t)(value << up) >> up : (int64_t)(value << up >> up);
}

static inline int64_t number_narrow(uint64_t value, const struct number_type *type)
{
	if (type == &number_types[TYPE_NUMBER_BOOL])
		return value != 0;
	return number_cut(value, type->bits, type->is_signed);
}

/* VALUE of TYPE, before it is widened or compared */
static inline int64_t number_whole(int64_t value, const struct number_type *type)
{
	bool is_uint = type == &number_types[TYPE_NUMBER_UINT];
	return is_uint ? number_narrow((uint64_t)value, type) : value;
}

/* The same, if that is to become a value of type TO. */
static inline int64_t number_widened(int64_t value, const struct number_type *type,
				     const struct number_type *to)
{
	bool is_widened = to->bits > 32 || to == &number_types[TYPE_NUMBER_BOOL];
	return is_widened ? number_whole(value, type) : value;
}

/* VALUE as the variable V keeps it */
static inline int64_t number_stored(uint64_t value, const struct number_variable *v)
{
	if (v->bits == v->type->bits)
		return number_narrow(value, v->type);
	return number_cut(value, v->bits, v->type->is_signed);
}

static inline const struct number_type *number_promote(const struct number_type *a,
						       const struct number_type *b)
{
	unsigned rank_a = a->bits + !a->is_signed, rank_b = b->bits + !b->is_signed;
	return rank_b > rank_a ? b : a;
}

static inline const struct number_type *
expr_binary_type(enum expr_operator op, const struct number_type *a, const struct number_type *b)
{
	if (op >= DO_LT)
		return &number_types[TYPE_NUMBER_INT];
	return op == DO_SHL || op == DO_SHR ? a : number_promote(a, b);
}

/* --- evaluation ------------------------------------------------------------------------------- */

static inline int64_t expr_divide(struct expr_world *w, enum expr_operator op, bool is_signed,
				  int64_t a, int64_t b)
{
	if (b == 0) {
		w->divided_by_zero = true;
		return 0;
	}
	if (!is_signed)
		return (int64_t)(op == DO_DIV ? (uint64_t)a / (uint64_t)b
					      : (uint64_t)a % (uint64_t)b);
	if (b == -1)
		return op == DO_DIV ? (int64_t)(0 - (uint64_t)a) : 0;
	return op == DO_DIV ? a / b : a % b;
}

static inline bool expr_less(bool is_signed, int64_t a, int64_t b)
{
	return is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

/* A and B in 64 bits; IS_SIGNED of the promoted type, or of the left one for shifts. */
static inline int64_t expr_operate(struct expr_world *w, enum expr_operator op, bool is_signed,
				   int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
	switch (op) {
	case DO_ADD:
		return (int64_t)(ua + ub);
	case DO_SUB:
		return (int64_t)(ua - ub);
	case DO_MUL:
		return (int64_t)(ua * ub);
	case DO_DIV:
	case DO_MOD:
		return expr_divide(w, op, is_signed, a, b);
	case DO_SHL: /* the low six bits count, as in the instruction set */
		return (int64_t)(ua << (ub & 63));
	case DO_SHR:
		return is_signed ? a >> (ub & 63) : (int64_t)(ua >> (ub & 63));
	case DO_AND:
		return a & b;
	case DO_OR:
		return a | b;
	case DO_XOR:
		return a ^ b;
	case DO_LT:
		return expr_less(is_signed, a, b);
	case DO_LE:
		return !expr_less(is_signed, b, a);
	case DO_GT:
		return expr_less(is_signed, b, a);
	case DO_GE:
		return !expr_less(is_signed, a, b);
	case DO_EQ:
		return a == b;
	case DO_NE:
		return a != b;
	default:
		return (a != 0) != (b != 0); /* ^^ */
	}
}

static inline int64_t expr_value(struct expr_world *w, const struct expr *e);

static inline int64_t expr_binary_value(struct expr_world *w, const struct expr *e)
{
	bool is_logical = e->op >= DO_LAND;
	int64_t a = expr_value(w, e->a);
	if (w->divided_by_zero)
		return 0;
	if (is_logical)
		a = number_whole(a, e->a->type);
	if (e->op == DO_LAND && !a)
		return 0;
	if (e->op == DO_LOR && a)
		return 1;
	int64_t b = expr_value(w, e->b);
	if (w->divided_by_zero)
		return 0;
	if (is_logical)
		b = number_whole(b, e->b->type);
	if (e->op == DO_LAND || e->op == DO_LOR)
		return b != 0;
	const struct number_type *type = e->op == DO_SHL || e->op == DO_SHR
						 ? e->a->type
						 : number_promote(e->a->type, e->b->type);
	if (e->op >= DO_LT && !is_logical) { /* next to an unsigned int, an int is one, too */
		bool are_unsigned = type == &number_types[TYPE_NUMBER_UINT];
		a = number_whole(a, are_unsigned ? type : e->a->type);
		b = number_whole(b, are_unsigned ? type : e->b->type);
	}
	return expr_operate(w, e->op, type->is_signed, number_widened(a, e->a->type, type),
			    number_widened(b, e->b->type, type));
}

/* Nothing is stored when a division failed on the way. */
static inline int64_t expr_store(struct expr_world *w, unsigned variable, int64_t value)
{
	struct number_variable *v = &w->variables[variable];
	if (!w->divided_by_zero)
		v->value = number_stored((uint64_t)value, v);
	return v->value;
}

static inline int64_t expr_update_value(struct expr_world *w, const struct expr *e)
{
	const struct number_variable *v = &w->variables[e->variable];
	int64_t by = expr_value(w, e->a);
	if (w->divided_by_zero)
		return 0;
	bool is_shift = e->op == DO_SHL || e->op == DO_SHR;
	const struct number_type *type = is_shift ? v->type : number_promote(v->type, e->a->type);
	by = number_widened(by, e->a->type, v->type);
	int64_t result = expr_operate(w, e->op, type->is_signed, v->value, by);
	return expr_store(w, e->variable,
			  is_shift ? result : number_widened(result, type, v->type));
}

static inline int64_t expr_value(struct expr_world *w, const struct expr *e)
{
	int64_t old, by;
	const struct expr *chosen;
	switch (e->kind) {
	case EXPR_LITERAL:
		return e->value;
	case EXPR_VARIABLE:
		return w->variables[e->variable].value;
	case EXPR_CAST:
		old = number_widened(expr_value(w, e->a), e->a->type, e->type);
		return number_narrow((uint64_t)old, e->type);
	case EXPR_NEGATE:
		return (int64_t)(0 - (uint64_t)expr_value(w, e->a));
	case EXPR_COMPLEMENT:
		return ~expr_value(w, e->a);
	case EXPR_NOT:
		return !number_whole(expr_value(w, e->a), e->a->type);
	case EXPR_PLUS:
		return expr_value(w, e->a);
	case EXPR_BINARY:
		return expr_binary_value(w, e);
	case EXPR_CONDITIONAL:
		old = expr_value(w, e->a);
		if (w->divided_by_zero)
			return 0;
		chosen = number_whole(old, e->a->type) ? e->b : e->c;
		return number_widened(expr_value(w, chosen), chosen->type, e->type);
	case EXPR_COMMA:
		expr_value(w, e->a);
		return w->divided_by_zero ? 0 : expr_value(w, e->b);
	case EXPR_ASSIGN:
		old = expr_value(w, e->a);
		return expr_store(w, e->variable,
				  number_widened(old, e->a->type, w->variables[e->variable].type));
	case EXPR_UPDATE:
		return expr_update_value(w, e);
	case EXPR_INCREMENT:
		old = w->variables[e->variable].value;
		by = e->value & 1 ? -1 : 1;
		by = expr_store(w, e->variable, (int64_t)((uint64_t)old + (uint64_t)by));
		return e->value & 2 ? old : by;
	}
	return 0;
}

/* --- making ----------------------------------------------------------------------------------- */

static inline struct expr *expr_make(struct expr_world *w, unsigned depth);

static inline struct expr *expr_new(struct expr_world *w, enum expr_kind kind,
				    const struct number_type *type)
{
	struct expr *e = ARENA_NEW(w->arena, struct expr);
	e->kind = kind;
	e->type = type;
	return e;
}

/* The types of literals are those of C99. */
static inline struct expr *expr_literal(struct expr_world *w)
{
	static const uint8_t types[] = { TYPE_NUMBER_INT, TYPE_NUMBER_UINT, TYPE_NUMBER_LONG,
					 TYPE_NUMBER_ULONG };
	struct expr *e = expr_new(w, EXPR_LITERAL, &number_types[types[random_below(w, 4)]]);
	uint64_t value = random_value(w);
	if (e->type->bits == 32)
		value &= e->type->is_signed ? INT32_MAX : UINT32_MAX;
	else if (e->type->is_signed)
		value &= INT64_MAX;
	e->value = (int64_t)value;
	e->hex = random_below(w, 3) == 0;
	e->constant = true;
	return e;
}

static inline struct expr *expr_variable(struct expr_world *w)
{
	unsigned i = random_below(w, NUMBER_VARIABLES);
	struct expr *e = expr_new(w, EXPR_VARIABLE, w->variables[i].type);
	e->variable = i;
	return e;
}

/* A variable that nothing changes yet, or -1. */
static inline int expr_target(struct expr_world *w)
{
	unsigned i = random_below(w, NUMBER_VARIABLES);
	if (w->changed[i])
		return -1;
	w->changed[i] = true;
	return (int)i;
}

static inline bool is_constant_zero(struct expr_world *w, const struct expr *e)
{
	return e->constant && expr_value(w, e) == 0;
}

static inline struct expr *expr_divisor(struct expr_world *w, struct expr *e)
{
	return is_constant_zero(w, e) ? expr_variable(w) : e; /* the compiler refuses it */
}

static inline struct expr *expr_make_binary(struct expr_world *w, unsigned depth)
{
	struct expr *e = expr_new(w, EXPR_BINARY, NULL);
	e->op = random_below(w, DO_COUNT);
	e->a = expr_make(w, depth - 1);
	e->b = expr_make(w, depth - 1);
	if (e->op == DO_DIV || e->op == DO_MOD)
		e->b = expr_divisor(w, e->b);
	/* `0 && x`: whether that is a constant is not written. */
	if ((e->op == DO_LAND || e->op == DO_LOR) && e->a->constant && !e->b->constant)
		e->a = expr_variable(w);
	e->type = expr_binary_type(e->op, e->a->type, e->b->type);
	e->constant = e->a->constant && e->b->constant;
	return e;
}

static inline struct expr *expr_make_unary(struct expr_world *w, unsigned depth)
{
	struct expr *e = expr_new(w, EXPR_CAST + random_below(w, 5), NULL);
	e->a = expr_make(w, depth - 1);
	e->type = e->a->type;
	if (e->kind == EXPR_CAST)
		e->type = &number_types[random_below(w, ARRAY_SIZE(number_types))];
	else if (e->kind == EXPR_NOT)
		e->type = &number_types[TYPE_NUMBER_INT];
	e->constant = e->a->constant;
	return e;
}

static inline struct expr *expr_make_conditional(struct expr_world *w, unsigned depth)
{
	struct expr *e = expr_new(w, EXPR_CONDITIONAL, NULL);
	e->a = expr_make(w, depth - 1);
	e->b = expr_make(w, depth - 1);
	e->c = expr_make(w, depth - 1);
	e->type = number_promote(e->b->type, e->c->type);
	if (e->a->constant) {
		bool holds = number_whole(expr_value(w, e->a), e->a->type) != 0;
		const struct expr *chosen = holds ? e->b : e->c;
		e->type = chosen->type;
		e->constant = chosen->constant;
	}
	return e;
}

static inline struct expr *expr_make_change(struct expr_world *w, unsigned depth)
{
	static const enum expr_kind kinds[] = { EXPR_ASSIGN, EXPR_UPDATE, EXPR_UPDATE,
						EXPR_INCREMENT };
	int target = expr_target(w);
	if (target < 0)
		return expr_variable(w);
	struct expr *e = expr_new(w, kinds[random_below(w, 4)], w->variables[target].type);
	e->variable = (unsigned)target;
	e->value = random_below(w, 4);
	e->op = random_below(w, DO_LT);
	if (e->kind != EXPR_INCREMENT)
		e->a = expr_make(w, depth - 1);
	if (e->kind == EXPR_UPDATE && (e->op == DO_DIV || e->op == DO_MOD))
		e->a = expr_divisor(w, e->a);
	return e;
}

static inline struct expr *expr_make_comma(struct expr_world *w, unsigned depth)
{
	struct expr *e = expr_new(w, EXPR_COMMA, NULL);
	e->a = expr_make(w, depth - 1);
	e->b = expr_make(w, depth - 1);
	e->type = e->b->type;
	return e;
}

static inline struct expr *expr_make(struct expr_world *w, unsigned depth)
{
	unsigned choice = random_below(w, 20);
	if (depth == 0 || choice == 0)
		return random_below(w, 3) ? expr_variable(w) : expr_literal(w);
	if (choice < 5)
		return expr_make_unary(w, depth);
	if (choice < 7)
		return expr_make_conditional(w, depth);
	if (choice < 9)
		return expr_make_change(w, depth);
	if (choice < 10)
		return expr_make_comma(w, depth);
	return expr_make_binary(w, depth);
}

/* --- as D ------------------------------------------------------------------------------------- */

static inline void number_variable_print(const struct number_variable *v, unsigned i,
					 struct strbuf *out)
{
	strbuf_printf(out, "%sv%u%s", v->home->prefix, i, v->home->key);
}

static inline void expr_print_literal(const struct expr *e, struct strbuf *out)
{
	bool wide = e->type->bits == 64;
	strbuf_printf(out, e->hex ? "0x%llx" : "%llu", (unsigned long long)e->value);
	/* Without a suffix hexadecimal int and long may turn out unsigned; values here never do. */
	strbuf_puts(out, e->type->is_signed ? "" : "u");
	strbuf_puts(out, wide ? "l" : "");
}

static inline void expr_print(const struct expr_world *w, const struct expr *e, struct strbuf *out);

static inline void expr_print_joined(const struct expr_world *w, const struct expr *a,
				     const char *op, const struct expr *b, struct strbuf *out)
{
	strbuf_putc(out, '(');
	expr_print(w, a, out);
	strbuf_printf(out, " %s ", op);
	expr_print(w, b, out);
	strbuf_putc(out, ')');
}

static inline void expr_print_change(const struct expr_world *w, const struct expr *e,
				     struct strbuf *out)
{
	static const char *const before[] = { "++", "--", "", "" }, *const behind[] = { "", "",
											"++",
											"--" };
	strbuf_putc(out, '(');
	strbuf_puts(out, e->kind == EXPR_INCREMENT ? before[e->value] : "");
	number_variable_print(&w->variables[e->variable], e->variable, out);
	if (e->kind == EXPR_INCREMENT) {
		strbuf_puts(out, behind[e->value]);
	} else {
		strbuf_printf(out, " %s= ", e->kind == EXPR_UPDATE ? expr_operators[e->op] : "");
		expr_print(w, e->a, out);
	}
	strbuf_putc(out, ')');
}

static inline void expr_print(const struct expr_world *w, const struct expr *e, struct strbuf *out)
{
	static const char *const unary[] = {
		[EXPR_NEGATE] = "-", [EXPR_COMPLEMENT] = "~", [EXPR_NOT] = "!", [EXPR_PLUS] = "+"
	};
	switch (e->kind) {
	case EXPR_LITERAL:
		expr_print_literal(e, out);
		return;
	case EXPR_VARIABLE:
		number_variable_print(&w->variables[e->variable], e->variable, out);
		return;
	case EXPR_CAST:
		strbuf_printf(out, "((%s)", e->type->name);
		break;
	case EXPR_NEGATE:
	case EXPR_COMPLEMENT:
	case EXPR_NOT:
	case EXPR_PLUS:
		strbuf_printf(out, "(%s ", unary[e->kind]);
		break;
	case EXPR_BINARY:
		expr_print_joined(w, e->a, expr_operators[e->op], e->b, out);
		return;
	case EXPR_COMMA:
		expr_print_joined(w, e->a, ",", e->b, out);
		return;
	case EXPR_CONDITIONAL:
		strbuf_putc(out, '(');
		expr_print(w, e->a, out);
		strbuf_puts(out, " ? ");
		expr_print(w, e->b, out);
		strbuf_puts(out, " : ");
		expr_print(w, e->c, out);
		break;
	default:
		expr_print_change(w, e, out);
		return;
	}
	if (e->kind != EXPR_CONDITIONAL)
		expr_print(w, e->a, out);
	strbuf_putc(out, ')');
}

#endif
