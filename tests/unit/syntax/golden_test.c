/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every tests/golden/syntax/NAME.d must give NAME.out: the tree, then the
 * mistakes.  With GOLDEN_WRITE=1 in the environment the .out files are written.
 *
 * A first line `#!-n`, `#!-f`, `#!-m`, `#!-P` or `#!-i` makes the rest of the
 * script a probe specifier of that option; `#!formulas` makes it a file of providers as data.
 */
#include "golden.h"
#include "syntax/syntax.h"

static bool fake_is_type(void *arg, const char *name)
{
	size_t len = strlen(name);
	return len > 2 && strcmp(name + len - 2, "_t") == 0;
}

static const char *fake_set_option(void *arg, const char *name, const char *value)
{
	return strcmp(name, "nonsense") == 0 ? "Invalid option name" : NULL;
}

static bool fake_macro(void *arg, const char *name, int64_t *ret)
{
	*ret = strcmp(name, "pid") == 0 ? 42 : 7;
	return strcmp(name, "pid") == 0 || strcmp(name, "target") == 0;
}

static const char *const fake_args[] = { "/tmp/x.d", "12",	 "name",   "two words",
					 "-0x1f",    "\"q\\n\"", "uint_t", "99999999999999999999",
					 "+5",	     "`max_pfn", "089",	   "say \"\\t\"" };

static const int fake_targets[] = { 7, 9 };

static const struct syntax_env fake_env = {
	.is_type = fake_is_type,
	.set_option = fake_set_option,
	.macro = fake_macro,
	.targets = fake_targets,
	.target_count = ARRAY_SIZE(fake_targets),
	.args = fake_args,
	.arg_count = ARRAY_SIZE(fake_args),
};

/* The mode of a specifier; its text begins after the first line. */
static struct syntax_mode mode_of(struct source *src)
{
	static const char letters[] = "Pmfni";
	const char *letter = NULL;
	if (src->len > 4 && strncmp(src->text, "#!-", 3) == 0)
		letter = strchr(letters, src->text[3]);
	if (src->len > 10 && strncmp(src->text, "#!formulas", 10) == 0)
		return (struct syntax_mode) { .formulas = true };
	if (!letter)
		return (struct syntax_mode) { 0 };

	src->kind = SOURCE_SPECIFIER;
	src->text += 5;
	src->len -= 5;
	if (src->len && src->text[src->len - 1] == '\n')
		src->len--;
	src->name = "TEXT";
	return (struct syntax_mode) { .specifier = true, .last = letter - letters };
}

static void compile(struct source src, struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct diagnostics mistakes = { 0 };
	struct syntax_mode mode = mode_of(&src);
	struct program_node *program = syntax_parse(arena, &src, &fake_env, mode, &mistakes);
	syntax_print(program, out);
	auto_error struct error *err = syntax_verify(program, &mistakes);
	if (err)
		strbuf_printf(out, "%s\n", error_text(err));

	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	diagnostics_print(&mistakes, f, "dtrace", true, 20);
	fclose(f);
	strbuf_add(out, text, len);
	free(text);
	diagnostics_deinit(&mistakes);
	arena_free(arena);
}

static void give(const char *file, const struct strbuf *text, struct strbuf *out)
{
	compile((struct source) { .name = file, .text = strbuf_text(text), .len = text->len }, out);
}

TEST(golden_scripts_give_their_trees_and_mistakes)
{
	CHECK(golden_scripts("tests/golden/syntax", give, true) > 0);
}

TEST_MAIN
