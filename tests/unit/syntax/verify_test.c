/* SPDX-License-Identifier: BSD-2-Clause */
/* syntax_verify() finds what is wrong in a tree. */
#include "syntax/syntax.h"

#include "test.h"

static struct arena *arena;
static struct diagnostics mistakes;
static struct source source;

/* The tree of TEXT, with which the verifier is content. */
static struct program_node *tree(const char *text)
{
	static const struct syntax_env env = { 0 };
	arena = arena_new();
	mistakes = (struct diagnostics) { 0 };
	source = (struct source) { .name = "x.d", .text = text, .len = strlen(text) };
	struct program_node *p =
		syntax_parse(arena, &source, &env, (struct syntax_mode) { 0 }, &mistakes);
	auto_error struct error *err = syntax_verify(p, &mistakes);
	CHECK_STR(err ? error_text(err) : "", "");
	return p;
}

static void finds(const struct program_node *p, const char *what)
{
	auto_error struct error *err = syntax_verify(p, &mistakes);
	CHECK_STR(err ? error_text(err) : "nothing", what);
	diagnostics_deinit(&mistakes);
	arena_free(arena);
}

static struct node *first_expression(struct program_node *p)
{
	return p->items->clause->body->statement.expr;
}

TEST(parts_that_are_missing)
{
	struct program_node *p = tree("BEGIN { x = 1 + y; }");
	first_expression(p)->assign.right->binary.right = NULL;
	finds(p, "line 1: an expression is missing");
	p = tree("BEGIN\n{ if (x) trace(1); }");
	p->items->clause->body->if_.condition = NULL;
	finds(p, "line 2: an expression is missing");
	p = tree("BEGIN { x->y; }");
	first_expression(p)->member.name = NULL;
	finds(p, "line 1: a name is missing");
	p = tree("BEGIN { (int)x; }");
	first_expression(p)->cast.type = NULL;
	finds(p, "line 1: a type is missing");
	p = tree("BEGIN { }");
	p->items->clause->pdescs = NULL;
	finds(p, "line 1: a clause without a description");
}

TEST(places)
{
	struct program_node *p = tree("BEGIN { x; }");
	first_expression(p)->range.end = 100;
	finds(p, "line 1: a node is outside of its source");
	p = tree("BEGIN { }\nEND { }");
	p->items->next->range.begin = 3;
	finds(p, "line 2: an item begins in the one before it");
	p = tree("BEGIN { x + y; }");
	first_expression(p)->height = 0;
	finds(p, "line 1: an expression is higher than what it is a part of");
}

TEST(kinds)
{
	struct program_node *p = tree("BEGIN { x; }");
	first_expression(p)->kind = NODE_IF;
	finds(p, "line 1: a statement or an item is part of an expression");
	p = tree("BEGIN { x; }");
	p->items->clause->body->kind = NODE_INTEGER;
	finds(p, "line 1: this is not a statement");
	p = tree("BEGIN { x; }");
	p->items->kind = NODE_INTEGER;
	finds(p, "line 1: this is not an item");
}

TEST(what_is_left_out_without_a_mistake)
{
	struct program_node *p = tree("BEGIN { } /* two */ END { } // three\nERROR { }");
	p->items->next = p->items->next->next;
	finds(p, "line 2: text before this item was left out without a mistake");
	p = tree("BEGIN { x + ; } END { }");
	CHECK(p->broken && mistakes.list.count);
	diagnostics_deinit(&mistakes);
	mistakes = (struct diagnostics) { 0 };
	finds(p, "a broken item, but no mistake is reported");
}

TEST_MAIN
