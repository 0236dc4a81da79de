/* SPDX-License-Identifier: BSD-2-Clause */
/* What golden scripts cannot show: questions to the environment, limits, ranges. */
#include "syntax/syntax.h"
#include "test.h"

static unsigned questions;

static bool count_is_type(void *arg, const char *name)
{
	questions++;
	return false;
}

struct run {
	struct arena *arena;
	struct source source;
	struct diagnostics mistakes;
	struct program_node *program;
};

static struct run run_of(const char *text, size_t len, const struct syntax_env *env,
			 struct syntax_mode mode)
{
	struct run r = { .arena = arena_new() };
	struct source *src = ARENA_NEW(r.arena, struct source);
	*src = (struct source) { .name = "x.d", .text = text, .len = len };
	src->kind = mode.specifier ? SOURCE_SPECIFIER : SOURCE_FILE;
	r.source = *src;
	r.program = syntax_parse(r.arena, src, env, mode, &r.mistakes);
	auto_error struct error *err = syntax_verify(r.program, &r.mistakes);
	CHECK_STR(err ? error_text(err) : "", "");
	return r;
}

static struct run run_text(const char *text)
{
	static const struct syntax_env env = { .is_type = count_is_type };
	questions = 0;
	return run_of(text, strlen(text), &env, (struct syntax_mode) { 0 });
}

static void run_deinit(struct run *r)
{
	diagnostics_deinit(&r->mistakes);
	arena_free(r->arena);
}

/* PIECE, COUNT times, between HEAD and TAIL. */
static struct run run_repeated(const char *head, const char *piece, size_t count, const char *tail)
{
	auto_strbuf struct strbuf text = { 0 };
	strbuf_puts(&text, head);
	for (size_t i = 0; i < count; i++)
		strbuf_puts(&text, piece);
	strbuf_puts(&text, tail);
	struct run r = run_text(strbuf_text(&text));
	auto_strbuf struct strbuf printed = { 0 };
	syntax_print(r.program, &printed);
	return r;
}

static unsigned questions_for(const char *text)
{
	struct run r = run_text(text);
	run_deinit(&r);
	return questions;
}

TEST(types_are_asked_for_only_when_it_matters)
{
	CHECK_INT(questions_for("BEGIN, foo { x = (y) + z * (a)->b - (c)[1]; (d * e); f(g); }"), 1);
	CHECK_INT(questions_for("BEGIN { (foo *)x; (foo const)x; sizeof(struct foo); }"), 0);
	CHECK_INT(questions_for("syscall::read:entry, foo, bar/x/ { } baz { }"), 0);
	CHECK_INT(questions_for("typedef int foo; foo x; BEGIN { (foo)(x); }"), 0);
	CHECK_INT(questions_for("BEGIN { (foo)(x); (foo)(y); (foo)-z; }"), 1);
	CHECK_INT(questions_for("extern foo x; self bar y; int a[int, foo];"), 0);
	/* what can only be a probe's name */
	CHECK_INT(questions_for("BEGIN x;"), 0);
	CHECK_INT(questions_for("END x;"), 0);
	CHECK_INT(questions_for("ERROR x;"), 0);
	CHECK_INT(questions_for("a:b x;"), 0);
	CHECK_INT(questions_for("a-b x;"), 0);
	CHECK_INT(questions_for("a.b x;"), 0);
	CHECK_INT(questions_for("a?b x;"), 0);
	CHECK_INT(questions_for("a!b x;"), 0);
	CHECK_INT(questions_for("a*-b x;"), 0);
	CHECK_INT(questions_for("ab x; a* x;"), 2);
}

TEST(nesting_has_an_end)
{
	static const struct {
		const char *head, *piece, *tail;
	} nests[] = {
		{ "BEGIN { x = ", "(", "1; } END { }" },
		{ "BEGIN { x = ", "-", "1; }" },
		{ "BEGIN { x = ", "(int)", "1; }" },
		{ "BEGIN { x = ", "a = ", "1; }" },
		{ "BEGIN { x = ", "a ? b : ", "1; }" },
		{ "BEGIN { x = ", "a ? ", "1; }" },
		{ "BEGIN { x = ", "a[", "1; }" },
		{ "BEGIN { x = ", "@a[", "1; }" },
		{ "BEGIN { x = 1", "+ 1", "; }" },
		{ "BEGIN { x = 1", ", 1", "; }" },
		{ "BEGIN { x = a", "->b", "; }" },
		{ "BEGIN { x = a", "()", "; }" },
		{ "BEGIN { ", "if (1) ", "x = 1; }" },
		{ "BEGIN { ", "if (1) { ", "x = 1; }" },
		{ "BEGIN { ", "if (1) 1; else ", "x = 1; }" },
		{ "BEGIN { x = ", "sizeof ", "1; }" },
		{ "BEGIN { x = ", "stringof ", "1; }" },
		{ "BEGIN { x = ", "sizeof(int[", "1; }" },
		{ "int ", "(", "x;" },
		{ "int ", "(*", "x;" },
		{ "int x", "[int", ";" },
		{ "int x", "(int", ";" },
		{ "", "struct { ", "int x; } y;" },
		{ "", "struct x { enum { a = sizeof(", "int x; } y;" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(nests); i++) {
		struct run r = run_repeated(nests[i].head, nests[i].piece, 100000, nests[i].tail);
		if (!r.mistakes.list.count)
			printf("no mistake for %s\n", nests[i].piece);
		CHECK(r.mistakes.list.count > 0);
		run_deinit(&r);
	}
}

TEST(usual_depths_are_fine)
{
	struct run r = run_repeated("BEGIN { x = ", "a == 1 ? \"b\" : ", 400, "1; }");
	CHECK_INT(r.mistakes.list.count, 0);
	run_deinit(&r);
	r = run_repeated("BEGIN { x = 1", " || a == 1", 900, "; }");
	CHECK_INT(r.mistakes.list.count, 0);
	run_deinit(&r);
	r = run_repeated("BEGIN { x = ((((((((((((((((((((1", ")", 20, "; }");
	CHECK_INT(r.mistakes.list.count, 0);
	run_deinit(&r);
}

TEST(long_texts_are_fine)
{
	struct run r = run_repeated("", "BEGIN /x/ { x = 1; printf(\"%d\", x); }\n", 30000, "");
	CHECK_INT(r.mistakes.list.count, 0);
	run_deinit(&r);
	r = run_repeated("BEGIN { x = a", ".b", 500000, " }");
	CHECK(r.mistakes.list.count > 0);
	run_deinit(&r);
	r = run_repeated("BEGIN { trace(0", ", 1", 300000, "); }");
	CHECK_INT(r.mistakes.list.count, 0);
	run_deinit(&r);
}

TEST(names_and_texts_have_no_limit)
{
	struct run r = run_repeated("BEGIN { ", "long_name_", 50000, " = 1; }");
	CHECK_INT(r.mistakes.list.count, 0);
	const struct node *body = r.program->items->clause->body;
	CHECK_INT(strlen(body->statement.expr->assign.left->ident.name), 500000);
	run_deinit(&r);
	r = run_repeated("BEGIN { trace(\"", "long text ", 50000, "\"); }");
	CHECK_INT(r.mistakes.list.count, 0);
	body = r.program->items->clause->body;
	CHECK_INT(body->statement.expr->call.args->string.len, 500000);
	run_deinit(&r);
}

TEST(binary_data_ends_after_some_mistakes)
{
	static char bytes[1 << 20];
	unsigned seed = 1;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (seed = seed * 1103515245 + 12345) >> 16;
	static const struct syntax_env env = { 0 };
	struct run r = run_of(bytes, sizeof(bytes), &env, (struct syntax_mode) { 0 });
	CHECK(r.mistakes.list.count > 0 && r.mistakes.list.count < 200);
	CHECK(r.mistakes.gave_up);
	run_deinit(&r);
}

TEST(arguments_are_marked_as_used)
{
	static const char *const args[] = { "x.d", "1", "2", "3", "4" };
	bool used[ARRAY_SIZE(args)] = { 0 };
	const struct syntax_env env = { .args = args, .arg_count = 5, .arg_used = used };
	const char *text = "pid$1:::entry { trace($$3); } /* $4 */ END { \"$2\" }";
	struct run r = run_of(text, strlen(text), &env, (struct syntax_mode) { 0 });
	CHECK_INT(r.mistakes.list.count, 0);
	CHECK(used[1] && !used[2] && used[3] && !used[4]);
	run_deinit(&r);
}

TEST(missing_arguments_have_defaults_when_wanted)
{
	const struct syntax_env env = { .default_args = true };
	const char *text = "BEGIN { x = $1; y = $$2; }";
	struct run r = run_of(text, strlen(text), &env, (struct syntax_mode) { 0 });
	CHECK_INT(r.mistakes.list.count, 0);
	const struct node *x = r.program->items->clause->body;
	CHECK_INT(x->statement.expr->assign.right->kind, NODE_INTEGER);
	CHECK_INT(x->next->statement.expr->assign.right->kind, NODE_STRING);
	run_deinit(&r);
}

static unsigned options;

static const char *count_option(void *arg, const char *name, const char *value)
{
	options++;
	return NULL;
}

TEST(a_pragma_is_carried_out_once)
{
	static const struct syntax_env env = { .set_option = count_option };
	const char *text = "BEGIN { x = (\n#pragma D option quiet\ny) } "
			   "BEGIN / x /\n#pragma D option a=b\n{ }\n"
			   "#pragma D option c\nint\n#pragma D option d\nx;";
	options = 0;
	struct run r = run_of(text, strlen(text), &env, (struct syntax_mode) { 0 });
	CHECK_INT(r.mistakes.list.count, 0);
	CHECK_INT(options, 4);
	run_deinit(&r);
}

static void check_range(const struct range *range, const char *wanted)
{
	char got[100] = "";
	snprintf(got, sizeof(got), "%.*s", (int)(range->end - range->begin),
		 range->source->text + range->begin);
	CHECK_STR(got, wanted);
}

TEST(nodes_know_their_places)
{
	struct run r = run_text("a:b, c /x/\n{\n\tf((1 + 2) * y->z[3], \"s\") ;\n}");
	const struct clause_node *clause = r.program->items->clause;
	check_range(&clause->head, "a:b, c");
	check_range(&clause->predicate->range, "x");
	const struct node *call = clause->body->statement.expr;
	CHECK_INT(call->range.line, 3);
	check_range(&call->range, "f((1 + 2) * y->z[3], \"s\")");
	check_range(&call->call.args->range, "(1 + 2) * y->z[3]");
	check_range(&call->call.args->binary.left->range, "(1 + 2)");
	check_range(&call->call.args->binary.right->range, "y->z[3]");
	check_range(&call->call.args->binary.right->index.base->member.name_range, "z");
	run_deinit(&r);
}

TEST_MAIN
