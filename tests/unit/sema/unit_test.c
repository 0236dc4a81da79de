/* SPDX-License-Identifier: BSD-2-Clause */
/* What files declare of their own probes: whose names, whose translators, what is refused. */
#include "sema/sema.h"
#include "syntax/syntax.h"
#include "test.h"

/* --- two files with a probe each -------------------------------------------------------------- */

#define FILES 2

static const struct attributes declared[PROVIDER_PARTS];
static const char *const natives[] = { "struct conn *c", "int n" };
static const char *const outputs[] = { "info_t *c", "int n", "struct conn *c" };
static const uint8_t map[] = { 0, 1, 0 };
static struct probe_unit units[FILES];
static struct probe_declaration declarations[FILES];
static struct probe_args arguments[FILES];
static const char *const operand_types[] = { "uint64_t", "uint32_t", NULL };

static struct error *discover(const struct provider *self, struct probe_db *db,
			      const struct probe_desc *desc);
static const struct provider provider = { .name = "dtrace", .discover = discover };
static const struct provider *const providers[] = { &provider, NULL };

static struct error *discover(const struct provider *self, struct probe_db *db,
			      const struct probe_desc *desc)
{
	probe_db_add(db, &provider, "dtrace", "one", "", "go")->args = &arguments[0];
	probe_db_add(db, &provider, "dtrace", "two", "", "go")->args = &arguments[1];
	return NULL;
}

static void declare_file(struct types *t, unsigned which, const char *text)
{
	struct types_scope *scope;
	CHECK(!types_scope_new(t, bytes_of(NULL, 0), NULL, NULL, &scope));
	units[which] = (struct probe_unit) { which ? "/two" : "/one", text, text ? strlen(text) : 0,
					     scope };
	declarations[which] = (struct probe_declaration) {
		&units[which], ARRAY_SIZE(natives), ARRAY_SIZE(outputs), natives, outputs, map,
		declared,
	};
	arguments[which] = (struct probe_args) {
		.types = operand_types,
		.user_pointers = true,
		.declaration = text ? &declarations[which] : NULL,
	};
}

/* --- compiling -------------------------------------------------------------------------------- */

static struct sema *compiling;
static struct arena *arena;

static bool is_type(void *unused, const char *name)
{
	return sema_is_type(compiling, name);
}

static const struct program_node *parse_note(void *unused, const char *name, const char *text,
					     size_t len, struct diagnostics *d)
{
	struct source *source = ARENA_NEW(arena, struct source);
	*source = (struct source) { .name = name, .text = text, .len = len, .kind = SOURCE_NOTE };
	const struct syntax_env env = { .is_type = is_type, .allow_empty = true };
	return syntax_parse(arena, source, &env, (struct syntax_mode) { 0 }, d);
}

/* PROGRAM with the texts of both files (NULL: it declares nothing): its mistakes, or itself. */
static void compile(const char *one, const char *two, const char *program, struct strbuf *out)
{
	arena = arena_new();
	struct types *types = types_new("/nonexistent");
	declare_file(types, 0, one);
	declare_file(types, 1, two);
	struct probe_db *db = probe_db_new(providers);
	struct sema_env env = { .string_size = 256, .parse_note = parse_note };
	compiling = sema_new(arena, types, db, &env);
	struct diagnostics mistakes = { 0 };
	struct source source = { .name = "p.d", .text = program, .len = strlen(program) };
	struct syntax_env syntax = { .is_type = is_type };
	sema_program(compiling,
		     syntax_parse(arena, &source, &syntax, (struct syntax_mode) { 0 }, &mistakes),
		     &mistakes);
	for (size_t i = 0; i < mistakes.list.count; i++)
		strbuf_printf(out, "%s\n", mistakes.list.items[i].text);
	if (!out->len)
		typed_print(sema_result(compiling), out);
	sema_free(compiling);
	diagnostics_deinit(&mistakes);
	probe_db_free(db);
	types_free(types);
	arena_free(arena);
}

static void check_has(const char *one, const char *two, const char *program, const char *wanted)
{
	auto_strbuf struct strbuf out = { 0 };
	compile(one, two, program, &out);
	CHECK(strstr(strbuf_text(&out), wanted));
	if (!strstr(strbuf_text(&out), wanted))
		printf("wanted %s in\n%s\n", wanted, strbuf_text(&out));
}

static void check_lacks(const char *one, const char *two, const char *program, const char *unwanted)
{
	auto_strbuf struct strbuf out = { 0 };
	compile(one, two, program, &out);
	CHECK(!strstr(strbuf_text(&out), unwanted));
}

#define FIRST                                                                                      \
	"struct conn { int a, b; }; typedef struct info { int x; } info_t;"                        \
	"inline int ten[int n] = n * 10;"                                                          \
	"translator info_t < struct conn *C > { x = ten[C->b]; };"
#define SECOND                                                                                     \
	"struct conn { long o; int b; }; typedef struct info { int x; } info_t;"                   \
	"translator info_t < struct conn *C > { x = C->b + 77; };"
#define GO_ONE "dtrace:one::go { trace(args[0]->x); }"

TEST(each_file_by_its_own_translators)
{
	check_has(FIRST, SECOND, GO_ONE, "10");
	check_has(FIRST, SECOND, "dtrace:two::go { trace(args[0]->x); }", "77");
	/* Both: a clause for each. */
	check_has(FIRST, SECOND, "dtrace:::go { trace(args[0]->x); }", "10");
	check_has(FIRST, SECOND, "dtrace:::go { trace(args[0]->x); }", "77");
	check_has(FIRST, FIRST, "dtrace:::go { trace(args[1]); }", "trace");
	check_has(FIRST, SECOND, "dtrace:::go { trace(args.n); }", "arg1");
	check_has(FIRST, SECOND, "dtrace:one::go { trace(args.m); }", "no argument is called m");
}

TEST(types_that_differ_in_one_clause)
{
	const char *wide = "struct conn { int b; }; typedef struct info { long x; } info_t;"
			   "translator info_t < struct conn *C > { x = C->b; };";
	check_has(FIRST, wide, "dtrace:::go { trace(args[0]->x); }",
		  "differ in the types of args[]");
	check_lacks(FIRST, wide, "dtrace:::go { trace(args[1]); }", "differ");
	check_has(FIRST, NULL, "dtrace:::go { trace(args[1]); }", "differ in the types of args[]");
	check_lacks(FIRST, NULL, "dtrace:::go { trace(arg1); }", "differ");
}

TEST(names_of_files_and_programs_are_apart)
{
	check_has(FIRST, SECOND, GO_ONE " dtrace:one::go { trace(ten[1]); }", "ten is unknown");
	check_has(FIRST, SECOND, "inline int ten[int n] = n * 55; " GO_ONE, "10");
	check_has(FIRST, SECOND, "struct conn { char z; }; " GO_ONE, "10");
	check_has("typedef struct info { int x; } info_t; struct conn { int b; };"
		  "translator info_t < struct conn *C > { x = mine; };",
		  NULL, "inline int mine = 3; dtrace:one::go { trace(args[0]); }", "arg0");
}

TEST(the_program_comes_first)
{
	check_has(FIRST, SECOND,
		  "struct conn { int q; }; typedef struct info { int x; } info_t;"
		  "translator info_t < struct conn *C > { x = C->q + 4321; }; " GO_ONE,
		  "4321");
	/* Another struct of the name is another output. */
	check_lacks(FIRST, SECOND,
		    "struct conn { int q; }; typedef struct info { char x; } info_t;"
		    "translator info_t < struct conn *C > { x = 43; }; " GO_ONE,
		    "43");
}

TEST(a_unit_with_a_mistake_is_not_used)
{
	static const char *const refused[] = {
		"int x;",
		"self int x;",
		"extern int x;",
		"dtrace:::go { exit(0); }",
		"inline int x = rand();",
		"inline int x = y++;",
		"inline int x = (y = 3);",
		"inline int x = speculation();",
		"typedef nothing_t info_t;",
		"struct s { struct t x; };",
		"#pragma D depends_on library io.d\n",
		"typedef int",
		"}",
	};
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		check_has(refused[i], NULL, "dtrace:one::go { trace(args[0]); }", "unsigned long");
		check_has(refused[i], NULL, "dtrace:one::go { trace(args[2]); }", "does not exist");
	}
}

/* --- a file that comes while the program runs ------------------------------------------------- */

/* PROGRAM for the first file, then its last clause again for SECOND's: mistakes, or the version. */
static void compile_version(const char *second, const char *program, struct strbuf *out)
{
	arena = arena_new();
	struct types *types = types_new("/nonexistent");
	declare_file(types, 0, FIRST);
	declare_file(types, 1, second);
	struct probe_db *db = probe_db_new(providers);
	struct sema_env env = { .string_size = 256, .parse_note = parse_note };
	compiling = sema_new(arena, types, db, &env);
	struct diagnostics d = { 0 };
	struct source source = { .name = "p.d", .text = program, .len = strlen(program) };
	struct syntax_env syntax = { .is_type = is_type };
	sema_program(compiling,
		     syntax_parse(arena, &source, &syntax, (struct syntax_mode) { 0 }, &d), &d);
	CHECK(!d.list.count);
	struct typed_program *all = sema_result(compiling);
	struct tclause *last = all->clauses[all->clause_count - 1];
	const struct probe_desc two = { "dtrace", "two", "", "go" };
	probe_vector probes = { 0 };
	CHECK(!probe_db_match(db, &two, &probes));
	CHECK(sema_reads_alike(compiling, last, last->probes[0]));
	CHECK(!sema_reads_alike(compiling, last, probes.items[0]));
	auto_strbuf struct strbuf before = { 0 }, after = { 0 };
	typed_print(all, &before);
	struct tclause *version = sema_version(compiling, last, probes.items[0], &d);
	typed_print(sema_result(compiling), &after);
	CHECK_STR(strbuf_text(&after), strbuf_text(&before));
	for (size_t i = 0; i < d.list.count; i++)
		strbuf_printf(out, "%s\n", d.list.items[i].text);
	all->clauses[all->clause_count - 1] = version;
	if (!d.list.count)
		typed_print(all, out);
	CHECK(d.list.count || sema_reads_alike(compiling, version, probes.items[0]));
	vector_free(&probes);
	sema_free(compiling);
	diagnostics_deinit(&d);
	probe_db_free(db);
	types_free(types);
	arena_free(arena);
}

TEST(a_version_is_read_by_its_own_translator)
{
	auto_strbuf struct strbuf out = { 0 };
	compile_version(SECOND, GO_ONE, &out);
	CHECK(strstr(strbuf_text(&out), "77"));
}

/* The key would be wider. */
TEST(a_version_changes_no_aggregation)
{
	auto_strbuf struct strbuf out = { 0 };
	compile_version("struct conn { long q; }; typedef struct info { long x; } info_t;"
			"translator info_t < struct conn *C > { x = C->q; };",
			"dtrace:one::go { trace(args[0]->x); @[args[0]->x] = count(); }", &out);
	CHECK(strstr(strbuf_text(&out), "differ in the types of args[]"));
}

TEST(a_parameter_is_one_declaration)
{
	static const char *const broken[] = {
		"int a, int b", "int a); inline int i = 3; void g(int b",
		"nothing_t *x", "",
		"int a;",	"int f("
	};
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		const char *const list[] = { broken[i], "int n" };
		struct sema_declared got;
		struct probe_declaration whole = declarations[0];
		arena = arena_new();
		struct types *types = types_new("/nonexistent");
		declare_file(types, 0, "");
		declare_file(types, 1, NULL);
		whole = declarations[0];
		whole.natives = whole.outputs = list;
		whole.output_count = 2;
		arguments[0].declaration = &whole;
		struct probe_db *db = probe_db_new(providers);
		struct sema_env env = { .string_size = 256, .parse_note = parse_note };
		compiling = sema_new(arena, types, db, &env);
		probe_vector probes = { 0 };
		const struct probe_desc desc = { "dtrace", "one", "", "go" };
		CHECK(!probe_db_match(db, &desc, &probes));
		CHECK(sema_declared_argument(compiling, probes.items[0], 0, &got));
		CHECK_STR(got.type, broken[i]);
		CHECK(!got.name);
		CHECK(sema_declared_argument(compiling, probes.items[0], 1, &got));
		CHECK_STR(got.type, "int");
		CHECK_STR(got.name, "n");
		CHECK(sema_declared_argument(compiling, probes.items[0], 2, &got));
		CHECK(!got.type);
		vector_free(&probes);
		sema_free(compiling);
		probe_db_free(db);
		types_free(types);
		arena_free(arena);
	}
}

TEST_MAIN
