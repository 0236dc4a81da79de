/* SPDX-License-Identifier: BSD-2-Clause */
/* A program's declarations change no library, and a library's clauses leave nothing behind. */
#include "sema/sema.h"
#include "sema/small_kernel.h"
#include "syntax/outline.h"
#include "syntax/syntax.h"
#include "test.h"

/* --- a library ------------------------------------------------------------------------------- */

struct library {
	struct source source;
	struct outline outline;
	bool fetched[32]; /* by item of the outline */
	struct arena *arena;
	struct types *types;
	struct sema *sema;
	struct diagnostics mistakes;
};

static bool is_type(void *sema, const char *name)
{
	return sema_is_type(sema, name);
}

static int find_item(const struct library *l, const char *name)
{
	for (size_t i = 0; i < l->outline.items.count; i++)
		if (!l->fetched[i] &&
		    string_equal(strbuf_text(&l->outline.names) + l->outline.items.items[i].name,
				 name))
			return (int)i;
	return -1;
}

static enum library_kind library_find(void *arg, enum declarer who, const char *name)
{
	const struct library *l = arg;
	int item = who == DECLARED_BY_LIBRARY ? find_item(l, name) : -1;
	return item < 0						   ? LIBRARY_NOTHING
	       : l->outline.items.items[item].kind == OUTLINE_TYPE ? LIBRARY_TYPE
								   : LIBRARY_VALUE;
}

static void compile_item(struct library *l, const struct outline_item *item)
{
	struct source *part = ARENA_NEW(l->arena, struct source);
	*part = l->source;
	part->len = item->end;
	struct syntax_env env = { .arg = l->sema, .is_type = is_type, .allow_empty = true };
	struct syntax_mode mode = { .begin = item->begin, .line = item->line };
	enum declarer before = types_speak_for(l->types, source_declarer(part));
	struct program_node *node = syntax_parse(l->arena, part, &env, mode, &l->mistakes);
	types_speak_for(l->types, before);
	sema_library(l->sema, node, &l->mistakes);
}

static void library_define(void *arg, enum declarer who, const char *name)
{
	struct library *l = arg;
	const struct outline_item *item = &l->outline.items.items[find_item(l, name)];
	for (size_t i = 0; i < l->outline.items.count; i++)
		l->fetched[i] |= l->outline.items.items[i].begin == item->begin;
	compile_item(l, item);
}

static void compile_clauses(struct library *l)
{
	for (size_t i = 0; i < l->outline.items.count; i++)
		if (l->outline.items.items[i].kind == OUTLINE_CHECK)
			compile_item(l, &l->outline.items.items[i]);
}

/* --- compiling ------------------------------------------------------------------------------- */

static struct error *discover(const struct provider *self, struct probe_db *db,
			      const struct probe_desc *desc);

static const char *const argument_types[] = { "struct queue *", "of_program_t *", "seen_t *",
					      NULL };
static const struct probe_args arguments = { .types = argument_types };
static const struct provider provider = { .name = "dtrace", .discover = discover };
static const struct provider *const providers[] = { &provider, NULL };

static struct error *discover(const struct provider *self, struct probe_db *db,
			      const struct probe_desc *desc)
{
	probe_db_add(db, &provider, "dtrace", "", "", "BEGIN")->args = &arguments;
	return NULL;
}

static void mistakes_add(struct diagnostics *d, struct strbuf *out)
{
	for (size_t i = 0; i < d->list.count; i++)
		strbuf_printf(out, "%s\n", d->list.items[i].text);
}

/* PROGRAM together with LIBRARY: the mistakes of both, or the typed program. */
static void compile(const char *library, const char *program, struct strbuf *out)
{
	struct small_kernel kernel = small_kernel_new();
	struct library l = { .arena = arena_new() };
	l.source = (struct source) {
		.kind = SOURCE_LIBRARY,
		.is_ours = true,
		.name = "l.d",
		.text = library,
		.len = strlen(library),
	};
	outline_read(library, strlen(library), &l.outline);
	struct types *types = l.types = types_new(kernel.path);
	struct probe_db *db = probe_db_new(providers);
	struct sema_env env = { .arg = &l,
				.string_size = 256,
				.library_find = library_find,
				.library_define = library_define };
	l.sema = sema_new(l.arena, types, db, &env);

	struct diagnostics mistakes = { 0 };
	struct source source = { .name = "p.d", .text = program, .len = strlen(program) };
	struct syntax_env syntax = { .arg = l.sema, .is_type = is_type };
	sema_program(l.sema,
		     syntax_parse(l.arena, &source, &syntax, (struct syntax_mode) { 0 }, &mistakes),
		     &mistakes);
	compile_clauses(&l);
	mistakes_add(&mistakes, out);
	mistakes_add(&l.mistakes, out);
	if (!out->len)
		typed_print(sema_result(l.sema), out);
	if (sema_result(l.sema)->destructive)
		strbuf_puts(out, "destructive\n");

	sema_free(l.sema);
	diagnostics_deinit(&mistakes);
	diagnostics_deinit(&l.mistakes);
	probe_db_free(db);
	types_free(types);
	outline_deinit(&l.outline);
	arena_free(l.arena);
	small_kernel_free(&kernel);
}

static void check(const char *library, const char *program, const char *wanted)
{
	auto_strbuf struct strbuf out = { 0 };
	compile(library, program, &out);
	CHECK_STR(strbuf_text(&out), wanted);
}

/* --- types ----------------------------------------------------------------------------------- */

static const char translating[] =
	"struct seen { unsigned number; }; typedef struct seen seen_t;\n"
	"translator seen_t < struct queue *Q > { number = ((struct queue *)(long)Q)->count; };\n"
	"inline seen_t *first = xlate <seen_t *>((struct queue *)16);\n"
	"inline long size[int n] = n * sizeof(struct queue);\n";

TEST(a_library_finds_the_kernels_types)
{
	static const char wanted[] = "clause 0 :::BEGIN, 1 probe\n"
				     "  #1 trace(*(unsigned int *)16 : unsigned int)\n"
				     "  #2 trace(192 : long)\n";
	check(translating, "BEGIN { trace(first->number); trace(size[2]); }", wanted);
	check(translating,
	      "struct queue { int x; }; struct seen { int y; }; typedef int seen_t;\n"
	      "BEGIN { trace(first->number); trace(size[2]); }",
	      wanted);
}

TEST(a_program_finds_its_own_types_first)
{
	check(translating,
	      "struct queue { int x; }; typedef int seen_t;\n"
	      "BEGIN { trace(sizeof(struct queue)); trace(sizeof(seen_t)); trace(size[1]);\n"
	      "trace(sizeof(struct seen)); trace(sizeof(D`seen_t)); }",
	      "clause 0 :::BEGIN, 1 probe\n"
	      "  #1 trace(4 : unsigned long)\n"
	      "  #2 trace(4 : unsigned long)\n"
	      "  #3 trace(96 : long)\n"
	      "  #4 trace(4 : unsigned long)\n"
	      "  #5 trace(4 : unsigned long)\n");
}

TEST(what_a_library_announces_is_not_what_a_program_defines)
{
	check("struct later *pointer; inline int n = pointer->x;",
	      "BEGIN { trace(pointer); } struct later { int x; }; BEGIN { trace(n); }",
	      "struct later is incomplete: its members are unknown "
	      "(declare it, or include its header with -C)\n");
}

/* The second has a type that only the program knows. */
TEST(arguments_have_types_of_the_kernel_and_of_libraries)
{
	check("typedef struct seen { int number; } seen_t;",
	      "struct queue { int x; }; typedef struct { char c; } of_program_t; typedef int "
	      "seen_t;\n"
	      "BEGIN { trace(args[0]->count); trace(args[1]->c); trace(args[2]->number); }",
	      "clause 0 :::BEGIN, 1 probe\n"
	      "  attributes Internal/Internal/Unknown\n"
	      "  #1 trace(*(unsigned int *)arg0 : unsigned int)\n"
	      "  #2 trace(*(char *)arg1 : char)\n"
	      "  #3 trace(*(int *)arg2 : int)\n");
}

/* --- clauses --------------------------------------------------------------------------------- */

TEST(clauses_of_a_library_leave_nothing)
{
	check("inline int one = 1; string kept;\n"
	      "BEGIN { x = one; self->y = 2; kept = \"\"; @a[x] = count(); raise(9); z = "
	      "stackdepth; }",
	      "BEGIN { trace(one); }",
	      "variable kept : string\nclause 0 :::BEGIN, 1 probe\n  #1 trace(1 : int)\n");
}

TEST(mistakes_of_a_librarys_clauses_count)
{
	check("inline int one = 1; BEGIN { x = one; trace(nothing); }", "BEGIN { trace(one); }",
	      "nothing is unknown\n");
}

TEST_MAIN
