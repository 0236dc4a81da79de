/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every tests/golden/sema/NAME.d must give NAME.out: the typed tree, or the
 * mistakes.  A script called err-TAG-... must have a mistake of that tag.
 * With GOLDEN_WRITE=1 in the environment the .out files are written.
 *
 * A small kernel, below, has a few symbols and probes; it has types (small_kernel.h)
 * when the first line is `#!-K`.  A first line `#!-n` makes the rest a probe
 * specifier, `#!-Z` sets zdefs, `#!-p` gives a $target, `#!-k` sets knodefs,
 * `#!-amin` asks for Evolving/Evolving/ISA, `#!-1.2` for that version of D.
 */
#include "golden.h"
#include "holds.h"
#include "sema/sema.h"
#include "sema/small_kernel.h"
#include "syntax/syntax.h"

#define DIRECTORY "tests/golden/sema"

/* --- a kernel ----------------------------------------------------------------------- */

static const char *const read_types[] = { "int", "const char *", "size_t", NULL };
static const char *const exit_types[] = { "uint16_t", "struct unheard_of", "string", NULL };
static const char *const request_types[] = { "out_t * < struct in * 2", "out_t < int",
					     "never_t * < int", "out_t * < long", NULL };
static const struct probe_args request_args = { .types = request_types };
static const struct probe_args read_args = { .types = read_types, .user_pointers = true };
static const struct probe_args exit_args = { .types = exit_types };
static const struct probe_args no_args = { .types = NULL };

static void add(struct probe_db *db, const struct provider *p, const char *module,
		const char *function, const char *name, const struct probe_args *args)
{
	probe_db_add(db, p, p->name, module, function, name)->args = args;
}

static const struct provider dtrace_provider, fake_provider, pid_provider;

static struct error *dtrace_discover(const struct provider *self, struct probe_db *db,
				     const struct probe_desc *desc)
{
	add(db, &dtrace_provider, "", "", "BEGIN", &no_args);
	add(db, &dtrace_provider, "", "", "END", &no_args);
	add(db, &dtrace_provider, "", "", "ERROR", &no_args);
	return NULL;
}

static struct error *fake_discover(const struct provider *self, struct probe_db *db,
				   const struct probe_desc *desc)
{
	add(db, &fake_provider, "core", "read", "entry", &read_args);
	add(db, &fake_provider, "core", "read", "return", &no_args);
	add(db, &fake_provider, "core", "write", "entry", &read_args);
	add(db, &fake_provider, "core", "exit", "entry", &exit_args);
	add(db, &fake_provider, "core", "request", "start", &request_args);
	return NULL;
}

static struct error *pid_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	int pid;
	if (!probe_provider_pid(desc->provider, "pid", &pid))
		return NULL;
	return error_tag(error_new("process %d does not exist", pid), D_PROC_GRAB);
}

#define STABLE_COMMON                                                                              \
	{                                                                                          \
		STABILITY_STABLE, STABILITY_STABLE, CLASS_COMMON                                   \
	}
#define EVOLVING_ISA                                                                               \
	{                                                                                          \
		STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_ISA                                  \
	}
#define PRIVATE_UNKNOWN                                                                            \
	{                                                                                          \
		STABILITY_PRIVATE, STABILITY_PRIVATE, CLASS_UNKNOWN                                \
	}
static const struct provider dtrace_provider = { .name = "dtrace",
						 .attributes = { STABLE_COMMON, PRIVATE_UNKNOWN,
								 PRIVATE_UNKNOWN, STABLE_COMMON,
								 STABLE_COMMON },
						 .discover = dtrace_discover };
static const struct provider fake_provider = { .name = "fake",
					       .attributes = { EVOLVING_ISA, PRIVATE_UNKNOWN,
							       PRIVATE_UNKNOWN, EVOLVING_ISA,
							       EVOLVING_ISA },
					       .discover = fake_discover };
static const struct provider pid_provider = { .name = "pid",
					      .process = &provider_by_number,
					      .discover = pid_discover };
static const struct provider *const providers[] = { &dtrace_provider, &fake_provider, &pid_provider,
						    NULL };

static bool fake_symbol(void *arg, const char *module, const char *name, struct sema_symbol *ret)
{
	static const struct {
		const char *module, *name;
		struct sema_symbol symbol;
	} symbols[] = {
		{ "vmlinux", "max_pfn", { 0xffff0010, "vmlinux", false, 8 } },
		{ "vmlinux", "jiffies", { 0xffff0010, "vmlinux", false } },
		/* numbers and padding, and what may be something else */
		{ "vmlinux", "padded_int", { 0xffff0024, "vmlinux", false, 12 } },
		{ "vmlinux", "padded_short", { 0xffff0002, "vmlinux", false, 6 } },
		{ "vmlinux", "padded_byte", { 0xffff0045, "vmlinux", false, 3 } },
		{ "vmlinux", "two_pointers", { 0xffff0030, "vmlinux", false, 16 } },
		{ "vmlinux", "two_ints", { 0xffff0024, "vmlinux", false, 8 } },
		{ "vmlinux", "three_bytes", { 0xffff0028, "vmlinux", false, 3 } },
		{ "vmlinux", "many_ints", { 0xffff0f84, "vmlinux", false, 124 } },
		{ "vmlinux", "init_task", { 0xffff0020, "vmlinux", false } },
		{ "vmlinux", "__per_cpu_offset", { 0xffff0100, "vmlinux", false } },
		{ "vmlinux", "counts", { 0x1000, "vmlinux", false } },
		{ "vmlinux", "schedule", { 0xffff0200, "vmlinux", true, 160 } },
		{ "ext4", "ext4_read", { 0xffff0300, "ext4", true } },
		{ "ext4", "ext4_limit", { 0xffff0400, "ext4", false } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		if ((module && !string_equal(symbols[i].module, module)) ||
		    !string_equal(symbols[i].name, name))
			continue;
		*ret = symbols[i].symbol;
		return true;
	}
	return false;
}

static struct small_kernel kernel;

/* --- compiling ------------------------------------------------------------------------ */

static bool is_type(void *sema, const char *name)
{
	return sema_is_type(sema, name);
}

static bool fake_macro(void *arg, const char *name, int64_t *ret)
{
	*ret = 42;
	return string_equal(name, "target") || string_equal(name, "pid");
}

static void mistakes_print(struct diagnostics *d, struct strbuf *out)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	diagnostics_print(d, f, "dtrace", true, 20);
	fclose(f);
	strbuf_add(out, text, len);
	free(text);
}

static void compile(struct source *src, struct sema_env *env, struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct types *types = types_new(kernel.path && env->arg ? kernel.path : "/nonexistent");
	struct probe_db *db = probe_db_new(providers);
	struct sema *s = sema_new(arena, types, db, env);
	struct diagnostics mistakes = { 0 };
	struct syntax_env syntax = { .arg = s, .is_type = is_type, .macro = fake_macro };
	struct syntax_mode mode = { .specifier = src->kind == SOURCE_SPECIFIER,
				    .last = PDESC_NAME };

	struct program_node *program = syntax_parse(arena, src, &syntax, mode, &mistakes);
	sema_program(s, program, &mistakes);
	if (mistakes.list.count)
		mistakes_print(&mistakes, out);
	else {
		typed_print(sema_result(s), out);
		check_holds(src->name, typed_verify(sema_result(s)));
	}

	diagnostics_deinit(&mistakes);
	sema_free(s);
	probe_db_free(db);
	types_free(types);
	arena_free(arena);
}

static void compile_file(const char *file, const struct strbuf *text, struct strbuf *out)
{
	struct source src = { .name = file, .text = strbuf_text(text), .len = text->len };
	struct sema_env env = { .kernel_symbol = fake_symbol,
				.scratch_size = 4096,
				.string_size = 256,
				.print_size = 8192,
				.packet_size = 1520,
				.stack_frames = 20,
				.uregs_count = 26,
				.ustack_frames = 100,
				.jstack_frames = 50 };
	env.arg = strncmp(src.text, "#!-K", 4) == 0 ? &kernel : NULL;
	env.allow_undefined = strncmp(src.text, "#!-k", 4) == 0;
	env.zdefs = strncmp(src.text, "#!-Z", 4) == 0;
	env.has_amin = strncmp(src.text, "#!-amin", 7) == 0;
	env.amin = (struct attributes) { STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_ISA };
	env.version = strncmp(src.text, "#!-1.2", 6) == 0 ? 0x01002000 : 0;
	env.target = strncmp(src.text, "#!-p", 4) == 0 ? 42 : 0;
	if (strncmp(src.text, "#!-n", 4) == 0) {
		src.kind = SOURCE_SPECIFIER;
		src.name = "TEXT";
		src.text += 5;
		src.len -= 6;
	}
	compile(&src, &env, out);
}

/* --- golden scripts -------------------------------------------------------------------- */

/* err-D_TAG-words.d: the output must name D_TAG. */
static void tag_check(const char *file, const char *output)
{
	if (strncmp(file, "err-", 4) != 0)
		return;
	auto_free char *tag = mem_printf("[%.*s]", (int)strcspn(file + 4, "-."), file + 4);
	if (strstr(output, tag))
		return;
	printf("%s: no mistake has the tag %s\n%s", file, tag, output);
	test_failed_now = true;
}

static void give(const char *file, const struct strbuf *text, struct strbuf *out)
{
	compile_file(file, text, out);
	tag_check(file, strbuf_text(out));
}

TEST(golden_scripts_give_their_trees_or_mistakes)
{
	kernel = small_kernel_new();
	CHECK(golden_scripts(DIRECTORY, give, true) > 0);
	small_kernel_free(&kernel);
	kernel.path = NULL;
}

/* --- what no single script can show ------------------------------------------------------ */

static void nested_inlines(struct strbuf *out)
{
	strbuf_puts(out, "inline int x0 = pid;\n");
	for (int i = 1; i < 40; i++)
		strbuf_printf(out, "inline int x%d = x%d + x%d;\n", i, i - 1, i - 1);
	strbuf_puts(out, "BEGIN { trace(x39); }\n");
}

TEST(inlines_that_double_at_each_step_end)
{
	auto_strbuf struct strbuf text = { 0 }, out = { 0 };
	nested_inlines(&text);
	compile_file("double.d", &text, &out);
	CHECK(strstr(strbuf_text(&out), "[D_NOREG]"));
}

TEST(a_clause_without_inlines_may_be_too_large_as_well)
{
	auto_strbuf struct strbuf text = { 0 }, out = { 0 };
	strbuf_puts(&text, "BEGIN { x = 0;");
	for (int i = 0; i < 60000; i++)
		strbuf_puts(&text, " x = x + 1;");
	strbuf_puts(&text, " }\n");
	compile_file("long.d", &text, &out);
	CHECK(strstr(strbuf_text(&out), "[D_NOREG] line 1: this clause is too large"));
}

static void nested_arguments(const char *value, struct strbuf *out)
{
	strbuf_printf(out, "inline int f[int x] = %s;\nBEGIN { trace(", value);
	for (int i = 0; i < 60; i++)
		strbuf_puts(out, "f[");
	strbuf_puts(out, "tid");
	strbuf_fill(out, ']', 60);
	strbuf_puts(out, "); }\n");
}

TEST(variables_have_a_limit)
{
	auto_strbuf struct strbuf text = { 0 }, out = { 0 };
	for (int i = 0; i < 65536; i++)
		strbuf_printf(&text, "int x%d;\n", i);
	strbuf_puts(&text, "BEGIN { x0 = 1; this->y = 2; }\n");
	compile_file("many.d", &text, &out);
	CHECK(!strstr(strbuf_text(&out), "[D_"));
	strbuf_clear(&out);
	strbuf_puts(&text, "BEGIN { one_more = 1; }\n");
	compile_file("many.d", &text, &out);
	CHECK(strstr(strbuf_text(&out), "[D_ID_OFLOW]"));
}

TEST(arguments_that_double_at_each_step_end)
{
	auto_strbuf struct strbuf text = { 0 }, out = { 0 };
	nested_arguments("pid && (x || x + 1)", &text);
	compile_file("double.d", &text, &out);
	CHECK(strstr(strbuf_text(&out), "[D_NOREG]"));
}

TEST(arguments_evaluated_in_any_case_do_not_double)
{
	auto_strbuf struct strbuf text = { 0 }, out = { 0 };
	nested_arguments("pid ? x : x + 1", &text);
	compile_file("single.d", &text, &out);
	CHECK(!strstr(strbuf_text(&out), "[D_"));
}

TEST_MAIN
