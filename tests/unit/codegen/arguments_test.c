/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What subroutines and aggregating functions take: each row of sema/name/builtin.def, called with
 * too few and too many arguments and with each of them of a wrong type; llquantize()'s parameters.
 */
#include <limits.h>

#include "compile.h"

#define PARAMETERS_MAX 4

struct signature {
	const char *name, *prototype;
	char *parameters[PARAMETERS_MAX];
	unsigned count, required;
};

static struct signature rows[] = {
#define SUBROUTINE(name, prototype, ...) { #name, prototype, { NULL }, 0, 0 },
#include "sema/name/builtin.def"
#undef SUBROUTINE
};

/* "int f(const char *s [, int start])": the parts between the commas. */
static void take_apart(struct signature *s)
{
	auto_free char *inside = mem_strdup(strchr(s->prototype, '(') + 1);
	char *rest, *optional = strchr(inside, '[');
	if (string_equal(inside, "void)"))
		return;
	for (char *p = strtok_r(inside, ",])", &rest); p; p = strtok_r(NULL, ",])", &rest)) {
		bool last_required = optional && p <= optional && strchr(p, '[');
		s->parameters[s->count++] = mem_strndup(p, strcspn(p, "["));
		s->required += !optional || p <= optional;
		if (last_required)
			optional = p;
	}
}

static bool is_text(const char *parameter)
{
	return strstr(parameter, "char *") || strstr(parameter, "string");
}

static const char *good_argument(const char *parameter)
{
	return is_text(parameter) ? "\"text\"" : strchr(parameter, '*') ? "(void *)8" : "1";
}

static const char *wrong_argument(const char *parameter)
{
	return is_text(parameter) || strstr(parameter, "void *") ? "pid" : "\"text\"";
}

static bool has_mistake(const char *call, const char *tag)
{
	auto_compiled struct compiled c;
	auto_strbuf struct strbuf mistakes = { 0 };
	/* Kernel types that prototypes name. */
	auto_free char *text = mem_printf("struct mutex { long owner; };\n"
					  "struct path { long dentry; };\n"
					  "struct file { long mode; };\n"
					  "struct task_struct { long pid; };\n"
					  "typedef struct rw { int count; } rwlock_t;\n"
					  "BEGIN { %s; }\n",
					  call);
	compile(&c, "call.d", text, &compile_defaults);
	compiled_mistakes(&c, &mistakes);
	bool found = tag ? strstr(strbuf_text(&mistakes), tag) != NULL : !mistakes.len;
	if (!found)
		printf("%s: %s\n", call, strbuf_text(&mistakes));
	return found;
}

/* S called with COUNT arguments, of which WRONG is one that it does not take. */
static void check_call(const struct signature *s, unsigned count, unsigned wrong, const char *tag)
{
	auto_strbuf struct strbuf call = { 0 };
	strbuf_printf(&call, "%s(", s->name);
	for (unsigned i = 0; i < count; i++) {
		const char *parameter = i < s->count ? s->parameters[i] : "int more";
		strbuf_printf(&call, "%s%s", i ? ", " : "",
			      i == wrong ? wrong_argument(parameter) : good_argument(parameter));
	}
	strbuf_puts(&call, ")");
	CHECK(has_mistake(strbuf_text(&call), tag));
}

#define NONE UINT_MAX

TEST(subroutines)
{
	unsigned parameters = 0;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct signature *s = &rows[i];
		take_apart(s);
		check_call(s, s->count + 1, NONE, "[D_PROTO_LEN]");
		if (s->required)
			check_call(s, s->required - 1, NONE, "[D_PROTO_LEN]");
		for (unsigned p = 0; p < s->count; p++)
			check_call(s, p < s->required ? s->required : p + 1, p, "[D_PROTO_ARG]");
		for (unsigned p = 0; p < s->count; p++, parameters++)
			free(s->parameters[p]);
	}
	CHECK(parameters > ARRAY_SIZE(rows)); /* the rows were read */
}

/* --- the prototypes of actions and aggregating functions, which only the manual prints --- */

/* LIST is changed. */
static unsigned parameters_in(char *list)
{
	unsigned count = 0;
	char *rest;
	for (char *p = strtok_r(list, ",[]", &rest); p; p = strtok_r(NULL, ",[]", &rest))
		count += strspn(p, " .") != strlen(p);
	return count;
}

/* Outside of brackets. */
static char *required_of(const char *list)
{
	char *required = mem_strdup(list), *to = required;
	unsigned depth = 0;
	for (const char *from = list; *from; from++) {
		depth += *from == '[';
		if (!depth)
			*to++ = *from;
		depth -= *from == ']';
	}
	*to = '\0';
	return required;
}

/* MOST: UINT32_MAX if it ends in "...". */
static void check_prototype(const char *name, const char *prototype, unsigned least, unsigned most)
{
	const char *begin = strchr(prototype, '('), *end = strchr(prototype, ')');
	CHECK(begin && end && !end[1]);
	CHECK(begin - prototype > (ptrdiff_t)strlen(name));
	CHECK(memcmp(begin - strlen(name), name, strlen(name)) == 0);
	bool is_empty = string_equal(begin, "(void)");
	auto_free char *list = is_empty ? mem_strdup("") : mem_strndup(begin + 1, end - begin - 1);
	auto_free char *required = required_of(list);
	CHECK((strstr(list, "...") != NULL) == (most == UINT32_MAX));
	CHECK(parameters_in(required) == least);
	CHECK(most == UINT32_MAX || parameters_in(list) == most);
}

TEST(prototypes)
{
#define ANY UINT32_MAX
#define ACTION(name, kind, prototype, least, most, ...)                                            \
	check_prototype(#name, prototype, least, most);
#define SPECULATION(name, prototype, what) check_prototype(#name, prototype, 1, 1);
#include "sema/name/builtin.def"
#undef SPECULATION
#undef ACTION
#undef ANY
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  since, prototype, what)                                                          \
	check_prototype(#name, prototype, aggregate_row(AGGREGATE_##id)->least,                    \
			aggregate_row(AGGREGATE_##id)->most);
#include "abi/aggregate.def"
#undef AGGREGATE
}

TEST(aggregating_functions)
{
	static const struct {
		const char *statement, *tag; /* NULL: it is right */
	} cases[] = {
		{ "@ = count()", NULL },
		{ "@ = count(1)", "[D_PROTO_LEN]" },
		{ "@ = sum()", "[D_PROTO_LEN]" },
		{ "@ = sum(1, 2)", "[D_PROTO_LEN]" },
		{ "@ = avg()", "[D_PROTO_LEN]" },
		{ "@ = avg(1, 2)", "[D_PROTO_LEN]" },
		{ "@ = min()", "[D_PROTO_LEN]" },
		{ "@ = max(1, 2)", "[D_PROTO_LEN]" },
		{ "@ = stddev()", "[D_PROTO_LEN]" },
		{ "@ = avg(\"x\")", "[D_AGG_SCALAR]" },
		{ "@ = min(\"x\")", "[D_AGG_SCALAR]" },
		{ "@ = max(execname)", "[D_AGG_SCALAR]" },
		{ "@ = stddev(\"x\")", "[D_AGG_SCALAR]" },
		{ "@ = quantize(\"x\")", "[D_AGG_SCALAR]" },
		{ "@ = lquantize(\"x\", 1, 2)", "[D_AGG_SCALAR]" },
		{ "@ = lquantize(1, 1, 2, 1, \"x\")", "[D_AGG_SCALAR]" },
		{ "@ = llquantize(\"x\", 10, 0, 2, 10)", "[D_AGG_SCALAR]" },
		{ "@ = llquantize(1, 10, 0, 2, 10, \"x\")", "[D_AGG_SCALAR]" },
		{ "@ = sum((char *)8)", NULL }, /* a pointer is scalar */
		{ "@ = quantize(1, (char *)8)", NULL },
		{ "@ = lquantize(1, 2)", "[D_PROTO_LEN]" },
		{ "@ = lquantize(1, 0, 5, 1, 1, 1)", "[D_PROTO_LEN]" },
		{ "@ = llquantize(1, 10, 0, 2)", "[D_PROTO_LEN]" },
		{ "@ = llquantize(1, 10, 0, 2, 10, 1, 1)", "[D_PROTO_LEN]" },
		{ "@ = lquantize(1, -2147483648, 2147483647, 65535)", "[D_LQUANT_STEPSMALL]" },
		{ "@ = lquantize(1, 0, 65535)", NULL }, /* the most levels */
		{ "@ = lquantize(1, 0, 65536)", "[D_LQUANT_STEPSMALL]" },
		{ "@ = lquantize(1, -2147483648, -2147483647)", NULL },
		{ "@ = lquantize(1, -2147483649, 0)", "[D_LQUANT_BASEVAL]" },
		{ "@ = lquantize(1, 2147483646, 2147483647)", NULL },
		{ "@ = lquantize(1, 0, 2147483648)", "[D_LQUANT_LIMVAL]" },
		{ "@ = lquantize(1, 5, 5)", "[D_LQUANT_MISMATCH]" },
		{ "@ = lquantize(1, 0, 10, 10)", NULL }, /* one level */
		{ "@ = lquantize(1, 0, 10, 11)", "[D_LQUANT_STEPLARGE]" },
		{ "@ = lquantize(1, 0, 65535, 65535)", NULL },
		{ "@ = lquantize(1, 0, 10, 65536)", "[D_LQUANT_STEPVAL]" },
		{ "@ = lquantize(1, 0, 10, -1)", "[D_LQUANT_STEPTYPE]" },
		{ "@ = lquantize(1, \"x\", 10)", "[D_PROTO_ARG]" },
		{ "@ = lquantize(1, 0, \"x\")", "[D_PROTO_ARG]" },
		{ "@ = lquantize(1, 0, 10, \"x\")", "[D_LQUANT_STEPTYPE]" },
		{ "@ = lquantize(1, 0, 10, 2); @ = lquantize(2, 0, 10, 2, 7)", NULL },
		{ "@ = llquantize(1, \"x\", 0, 2, 10)", "[D_PROTO_ARG]" },
		{ "@ = llquantize(1, 10, \"x\", 2, 10)", "[D_PROTO_ARG]" },
		{ "@ = llquantize(1, 10, 0, \"x\", 10)", "[D_PROTO_ARG]" },
		{ "@ = llquantize(1, 10, 0, 2, \"x\")", "[D_PROTO_ARG]" },
		{ "@ = lquantize(1, pid, 10)", "[D_LQUANT_BASETYPE]" },
		{ "@ = lquantize(1, 0, pid)", "[D_LQUANT_LIMTYPE]" },
		{ "@ = llquantize(1, pid, 0, 2, 10)", "[D_LLQUANT_FACTORTYPE]" },
		{ "@ = llquantize(1, 10, pid, 2, 10)", "[D_LLQUANT_LMAGTYPE]" },
		{ "@ = llquantize(1, 10, 0, pid, 10)", "[D_LLQUANT_HMAGTYPE]" },
		{ "@ = llquantize(1, 10, 0, 2, pid)", "[D_LLQUANT_STEPTYPE]" },
		{ "@ = llquantize(1, 65536, 0, 2, 10)", "[D_LLQUANT_FACTORVAL]" },
		{ "@ = llquantize(1, 10, 65536, 2, 10)", "[D_LLQUANT_LMAGVAL]" },
		{ "@ = llquantize(1, 10, 0, 65536, 10)", "[D_LLQUANT_HMAGVAL]" },
		{ "@ = llquantize(1, 10, 0, -1, 10)", "[D_LLQUANT_HMAGVAL]" },
		{ "@ = llquantize(1, 10, 0, 2, 65536)", "[D_LLQUANT_STEPVAL]" },
		{ "@ = llquantize(1, 10, 0, 2, -10)", "[D_LLQUANT_STEPTYPE]" },
		{ "@ = llquantize(1, 10, 0, 65535, 10)", "[D_LLQUANT_HMAGVAL]" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK(has_mistake(cases[i].statement, cases[i].tag));
}

/* --- llquantize: the rule of Solaris, or that of Oracle -------------------------- */

/* BASE^EXPONENT, or 0 when that is not below 2^64. */
static unsigned __int128 power(uint64_t base, unsigned exponent)
{
	unsigned __int128 x = 1;
	for (unsigned i = 0; i < exponent && x; i++) {
		x *= base;
		if (x >> 64)
			return 0;
	}
	return x;
}

/* Solaris: each magnitude whose buckets are wider than 1 is divided evenly. */
static bool solaris_takes(unsigned factor, unsigned steps)
{
	unsigned __int128 p = factor;
	while (p < steps)
		p *= factor;
	return steps >= factor && steps % factor == 0 && p % steps == 0;
}

static bool oracle_takes(unsigned factor, unsigned low, unsigned steps)
{
	if (steps <= factor)
		return factor % steps == 0;
	return steps % factor == 0 && power(factor, low ? low + 1 : 2) % steps == 0;
}

static const char *llquantize_mistake(unsigned factor, unsigned low, unsigned high, unsigned steps)
{
	if (factor < 2)
		return "[D_LLQUANT_FACTORVAL]";
	if (!steps)
		return "[D_LLQUANT_STEPTYPE]";
	if (low > high || !power(factor, high + 1))
		return "[D_LLQUANT_HMAGVAL]";
	if (!solaris_takes(factor, steps) && !oracle_takes(factor, low, steps))
		return "[D_LLQUANT_STEPVAL]";
	return NULL;
}

TEST(parameters_of_llquantize)
{
	static const unsigned factors[] = { 0, 1, 2, 3, 6, 10, 16, 1000, 65535 };
	static const unsigned lows[] = { 0, 1, 2, 3, 7 }, highs[] = { 0, 1, 3, 7, 18, 19, 62, 63 };
	static const unsigned steps[] = { 0,   1,   2,	 3,    4,    5,	   6,	 7,
					  10,  12,  20,	 30,   36,   48,   50,	 100,
					  200, 250, 500, 1000, 2000, 2048, 65535 };
	unsigned taken = 0;
	for (unsigned i = 0; i < 9 * 5 * 8 * 23; i++) {
		unsigned f = factors[i % 9], l = lows[i / 9 % 5], h = highs[i / 45 % 8],
			 s = steps[i / 360];
		auto_free char *call =
			mem_printf("@[1] = llquantize(1, %u, %u, %u, %u)", f, l, h, s);
		const char *tag = llquantize_mistake(f, l, h, s);
		taken += !tag;
		CHECK(has_mistake(call, tag));
	}
	CHECK(taken > 300);
}

TEST_MAIN
