/* SPDX-License-Identifier: BSD-2-Clause */
/* Typed programs that are broken by hand: typed_verify() names the mistake of each */
#include "compile.h"

/* The first statement of the first clause, or its value. */
static struct texpr *first(const struct typed_program *p)
{
	return p->clauses[0]->body->expr;
}

static struct texpr *assigned(const struct typed_program *p)
{
	return first(p)->assign.value;
}

#define BREAK(name, change)                                                                        \
	static void name(struct typed_program *p)                                                  \
	{                                                                                          \
		change;                                                                            \
	}

static const struct type poison = { .kind = TYPE_POISON };
static const struct type alias = { .kind = TYPE_TYPEDEF, .target = &poison };
static struct variable stranger = { .name = "stranger" };
static struct aggregation unknown = { .name = "unknown" };

BREAK(untyped, first(p)->type = NULL)
BREAK(poisoned, first(p)->type = &poison)
BREAK(aliased, first(p)->type = &alias)
BREAK(of_another_program, first(p)->assign.target->variable = &stranger)
BREAK(without_keys, first(p)->assign.target->variable->is_array = true)
BREAK(fewer_keys, first(p)->assign.target->element.keys->next = NULL)
BREAK(index_of_variable, p->variables[SCOPE_GLOBAL][0]->index = 7)
BREAK(unfolded, *assigned(p)->binary.left = *assigned(p)->binary.right)
BREAK(without_operand, assigned(p)->binary.right = NULL)
BREAK(strange_operator, assigned(p)->binary.op = OP_COMMA)
BREAK(compared, assigned(p)->binary.op = OP_ADD)
BREAK(behind_its_end, first(p)->assign.target->field.offset = 60)
BREAK(unconverted, first(p)->assign.value = p->clauses[1]->body->expr->assign.value)
BREAK(translated, assigned(p)->kind = TEXPR_TRANSLATED)
BREAK(too_many_arguments, assigned(p)->argument.index = EVENT_ARGS)
BREAK(called_with_less, assigned(p)->call.count++)
BREAK(constant_target, first(p)->assign.target = assigned(p))
BREAK(wrong_number, p->clauses[0]->body->next->number = 1)
BREAK(strange_aggregation, p->clauses[0]->body->aggregate.aggregation = &unknown)
BREAK(counted_value, p->clauses[0]->body->aggregate.value = p->clauses[0]->body->aggregate.keys)
BREAK(no_levels, p->aggregations[0]->levels = 0)
BREAK(no_format, p->clauses[0]->body->action.format = NULL)
BREAK(less_to_print, p->clauses[0]->body->action.count = 1)
BREAK(index_of_clause, p->clauses[0]->index = 1)
BREAK(text_as_predicate, p->clauses[0]->predicate = p->clauses[0]->body->expr->assign.value)

static const struct broken {
	const char *script;
	void (*change)(struct typed_program *p);
	const char *message;
} broken[] = {
	{ "BEGIN { x = 1; }", untyped, "an expression has no type" },
	{ "BEGIN { x = 1; }", poisoned, "a mistake is left over" },
	{ "BEGIN { x = 1; }", aliased, "a type is not resolved" },
	{ "BEGIN { x = 1; }", of_another_program, "a variable is used that is not of the program" },
	{ "BEGIN { x = 1; }", without_keys, "keys and arrays belong together" },
	{ "BEGIN { x[1, 2] = 1; }", fewer_keys, "x[]: the number of keys" },
	{ "BEGIN { x = 1; }", index_of_variable, "variable x: it is not at its index" },
	{ "long x; BEGIN { x = arg0 + 1; }", unfolded, "an operator of constants is not folded" },
	{ "long x; BEGIN { x = arg0 + 1; }", without_operand,
	  "line 1: a part of an expression is missing" },
	{ "long x; BEGIN { x = arg0 + 1; }", strange_operator,
	  "neither arithmetic nor a comparison" },
	{ "BEGIN { x = execname == \"a\"; }", compared, "not compared but computed with" },
	{ "struct s { int a, b; } s; BEGIN { s.b = 1; }", behind_its_end,
	  "a field ends after its variable" },
	{ "BEGIN { x = 1; } BEGIN { y = execname; }", unconverted, "not converted to its target" },
	{ "BEGIN { x = pid; }", translated, "a translated value is left over" },
	{ "BEGIN { x = arg1; }", too_many_arguments, "no probe has so many arguments" },
	{ "BEGIN { x = strlen(\"a\"); }", called_with_less, "as many arguments as it says" },
	{ "BEGIN { x = 1; }", constant_target, "assigned to that is not an lvalue" },
	{ "BEGIN { x = 1; y = 2; }", wrong_number, "statements are not numbered in their order" },
	{ "BEGIN { @a = count(); }", strange_aggregation, "aggregation is used that is not of" },
	{ "BEGIN { @a[1] = count(); }", counted_value, "@a: count() alone takes no value" },
	{ "BEGIN { @a = lquantize(1, 0, 10); }", no_levels, "needs a step and levels" },
	{ "BEGIN { printf(\"x\"); }", no_format, "printf() has no format" },
	{ "BEGIN { printf(\"%d %d\", pid, pid); }", less_to_print, "as many arguments as it says" },
	{ "BEGIN { x = 1; }", index_of_clause, "a clause is not at its index" },
	{ "BEGIN { x = execname; }", text_as_predicate, "a predicate is not a number" },
};

TEST(each_broken_program_is_refused_by_its_own_message)
{
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		const struct broken *b = &broken[i];
		auto_compiled struct compiled c;
		bool compiled = compile(&c, "broken.d", b->script, &compile_defaults);
		if (!compiled) {
			CHECK_STR(b->script, "a program that compiles");
			continue;
		}
		b->change(sema_result(c.sema));
		auto_error struct error *err = typed_verify(sema_result(c.sema));
		const char *text = err ? error_text(err) : "nothing";
		if (strstr(text, b->message))
			continue;
		printf("%s: wanted \"%s\", got \"%s\"\n", b->script, b->message, text);
		test_failed_now = true;
	}
}

TEST_MAIN
