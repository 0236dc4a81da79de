/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every tests/golden/syntax/NAME.d must give NAME.out: the tree, then the
 * mistakes.  With GOLDEN_WRITE=1 in the environment the .out files are written.
 *
 * A first line `#!-n`, `#!-f`, `#!-m`, `#!-P` or `#!-i` makes the rest of the
 * script a probe specifier of that option.
 */
#include <dirent.h>

#include "syntax/syntax.h"
#include "test.h"

#define DIRECTORY "tests/golden/syntax"

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
					 "-0x1f",    "\"q\\n\"", "uint_t", "99999999999999999999" };

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

static void file_read(const char *path, struct strbuf *ret)
{
	auto_fclose FILE *f = fopen(path, "r");
	char buffer[4096];
	for (size_t n; f && (n = fread(buffer, 1, sizeof(buffer), f));)
		strbuf_add(ret, buffer, n);
}

/* The mode of a specifier; its text begins behind the first line. */
static struct syntax_mode mode_of(struct source *src)
{
	static const char letters[] = "Pmfni";
	const char *letter = NULL;
	if (src->len > 4 && strncmp(src->text, "#!-", 3) == 0)
		letter = strchr(letters, src->text[3]);
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

	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	diagnostics_print(&mistakes, f, "dtrace", true);
	fclose(f);
	strbuf_add(out, text, len);
	free(text);
	diagnostics_deinit(&mistakes);
	arena_free(arena);
}

static void golden_check(const char *file)
{
	auto_strbuf struct strbuf text = { 0 }, got = { 0 }, wanted = { 0 };
	auto_free char *path = mem_printf(DIRECTORY "/%s", file);
	file_read(path, &text);
	struct source src = { .name = file, .text = strbuf_text(&text), .len = text.len };
	compile(src, &got);

	auto_free char *out_path = mem_printf("%.*sout", (int)strlen(path) - 1, path);
	if (getenv("GOLDEN_WRITE")) {
		auto_fclose FILE *f = fopen(out_path, "w");
		fwrite(strbuf_text(&got), 1, got.len, f);
		return;
	}
	file_read(out_path, &wanted);
	if (strcmp(strbuf_text(&got), strbuf_text(&wanted)) == 0)
		return;
	printf("%s: got\n%s-- wanted\n%s--\n", file, strbuf_text(&got), strbuf_text(&wanted));
	test_failed_now = true;
}

static int is_script(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);
	return len > 2 && strcmp(entry->d_name + len - 2, ".d") == 0;
}

TEST(golden_scripts_give_their_trees_and_mistakes)
{
	struct dirent **entries = NULL;
	int count = scandir(DIRECTORY, &entries, is_script, alphasort);
	CHECK(count > 0);
	for (int i = 0; i < count; i++) {
		golden_check(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

TEST_MAIN
