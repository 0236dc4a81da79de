/* SPDX-License-Identifier: BSD-2-Clause */
/* D text to typed clauses */
#include <unistd.h>

#include "syntax/argument.h"
#include "tracer/internal.h"

static bool is_type(void *arg, const char *name)
{
	struct tracer *t = arg;
	return sema_is_type(t->sema, name);
}

/* Options for the parser; a pragma may change them for the lines after it. */
static void refresh_syntax_env(struct tracer *t)
{
	t->compiling.syntax_env.default_args = option_number(t->options, OPTION_defaultargs);
	t->compiling.syntax_env.bare = option_number(t->options, OPTION_pspec);
	t->compiling.syntax_env.allow_empty = option_number(t->options, OPTION_empty);
}

static bool has_created(const struct tracer *t)
{
	for (size_t i = 0; i < t->processes.list.count; i++)
		if (process_is_created(t->processes.list.items[i]))
			return true;
	return false;
}

/* These say how a process is created, so a pragma comes too late. */
static void warn_of_late_option(const struct tracer *t, const char *name)
{
	static const char *const late[] = { "evaltime", "cshell", "childkeep", "oformat" };
	for (size_t i = 0; i < ARRAY_SIZE(late); i++)
		if (string_equal(name, late[i]) && has_created(t))
			message("the processes were started before the program was read: give %s "
				"by -x",
				name);
}

static const char *set_option(void *arg, const char *name, const char *value)
{
	struct tracer *t = arg;
	const char *why = options_set(t->options, name, value, OPTION_BY_PROGRAM);
	refresh_syntax_env(t);
	if (!why)
		warn_of_late_option(t, name);
	return why;
}

void tracer_init_macros(struct tracer *t)
{
	const struct macro_value values[] = {
		{ "egid", getegid() }, { "euid", geteuid() }, { "gid", getgid() },
		{ "pgid", getpgrp() }, { "pid", getpid() },   { "ppid", getppid() },
		{ "sid", getsid(0) },  { "uid", getuid() },   { "projid", 0 },
		{ "taskid", 0 },
	};
	_Static_assert(ARRAY_SIZE(values) == ARRAY_SIZE(t->request.macros), "all of them");
	memcpy(t->request.macros, values, sizeof(values));
}

static int target(const struct tracer *t)
{
	return t->processes.list.count ? process_pid(t->processes.list.items[0]) : 0;
}

static bool macro(void *arg, const char *name, int64_t *ret)
{
	struct tracer *t = arg;
	if (string_equal(name, "target")) {
		*ret = target(t);
		t->compiling.lacks_target |= *ret == 0;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(t->request.macros); i++)
		if (string_equal(t->request.macros[i].name, name)) {
			*ret = t->request.macros[i].value;
			return true;
		}
	return false;
}

static const char *option_of(const void *options, const char *name)
{
	enum option id = option_by_name(name);
	return id == OPTION_COUNT ? NULL : option_text(options, id);
}

void tracer_refresh_env(struct tracer *t)
{
	const struct options *o = t->options;
	tracer_choose_executor(t);
	t->sema_env.string_size = (uint32_t)option_number(o, OPTION_strsize);
	t->sema_env.uregs_count = arch_host()->uregs_names;
	t->sema_env.thread_pointer = arch_host()->thread_pointer;
	t->sema_env.stack_frames = (uint32_t)option_number(o, OPTION_stackframes);
	t->sema_env.ustack_frames = (uint32_t)option_number(o, OPTION_ustackframes);
	t->sema_env.jstack_frames = (uint32_t)option_number(o, OPTION_jstackframes);
	t->sema_env.jstack_strings = (uint32_t)option_number(o, OPTION_jstackstrsize);
	t->sema_env.print_size = (uint32_t)ALIGN_UP(option_number(o, OPTION_printsize), 8);
	t->sema_env.packet_size =
		(uint32_t)MIN(ALIGN_UP(option_number(o, OPTION_pcapsize), 8), PACKET_SIZE_MAX);
	uint32_t max_frames = (uint32_t)option_number(o, OPTION_maxframes);
	t->sema_env.max_frames = MIN(max_frames, kernel_frames());
	t->sema_env.max_user_frames = t->sema_env.max_frames;
	t->sema_env.max_frames_chosen =
		option_is_set(o, OPTION_maxframes) && t->sema_env.max_frames == max_frames;
	uint32_t version = (uint32_t)option_number(o, OPTION_version);
	t->sema_env.version = version ? version : OPTION_VERSION_MOST;
	t->sema_env.scratch_size = (uint32_t)option_number(o, OPTION_scratchsize);
	t->sema_env.allow_undefined = option_number(o, OPTION_knodefs);
	t->sema_env.allow_undefined_user = option_number(o, OPTION_unodefs);
	t->sema_env.zdefs = option_number(o, OPTION_zdefs);
	t->sema_env.destructive = option_number(o, OPTION_destructive);
	const char *amin = option_text(o, OPTION_amin);
	t->sema_env.has_amin = amin && attributes_parse(amin, &t->sema_env.amin);
	t->sema_env.target = target(t);
	t->sema_env.tests_tasks = option_is_set(o, OPTION_target);
	*probe_db_settings(t->probes) = (struct probe_settings) {
		.images = t->images,
		.described = option_text(o, OPTION_provcheck),
		.kernel_returns = tracer_kernel_returns(t),
		.only_emulated = option_number(o, OPTION_pidfast),
		.without_copies = !option_number(o, OPTION_pidinline),
		.most = option_number(o, OPTION_pidmax),
		.modules = option_text(o, OPTION_modpath),
		.with_suffixes = option_number(o, OPTION_fbtalias),
		.lists = t->request.only_lists,
		.no_declarations = option_number(o, OPTION_notranslators),
		.option = option_of,
		.option_arg = o,
	};
	wings_do(settings, t);
}

struct syntax_mode tracer_syntax_mode(const struct tracer_program *program)
{
	static const enum pdesc_last last[] = {
		[PROGRAM_SCRIPT] = PDESC_NAME,	     [PROGRAM_NAME] = PDESC_NAME,
		[PROGRAM_FUNCTION] = PDESC_FUNCTION, [PROGRAM_MODULE] = PDESC_MODULE,
		[PROGRAM_PROVIDER] = PDESC_PROVIDER, [PROGRAM_ID] = PDESC_ID,
	};
	return (struct syntax_mode) {
		.specifier = program->kind != PROGRAM_SCRIPT,
		.last = last[program->kind],
	};
}

static struct source *source_of(struct tracer *t, const struct tracer_program *program)
{
	struct source *s = ARENA_NEW(t->arena, struct source);
	s->name = program->name;
	s->text = program->text;
	s->len = program->len;
	s->kind = program->kind == PROGRAM_SCRIPT ? SOURCE_FILE : SOURCE_SPECIFIER;
	return s;
}

/* An unused argument is probably a mistake: only the last one is checked, as in classic DTrace. */
static void check_args_used(struct tracer *t, const struct program_node *node, const bool *used,
			    struct diagnostics *d)
{
	const struct script_arguments *declared = node->arguments;
	unsigned count = declared ? declared->rest_count : t->request.arg_count;
	if (count < 2 || (t->request.args_are_of && !declared))
		return;
	unsigned last = declared ? declared->rest[count - 1] : count - 1;
	if (used[last] || option_number(t->options, OPTION_argref))
		return;
	diagnose(d, (struct range) { .source = node->source }, D_MACRO_UNUSED,
		 "extraneous argument '%s' ($%u is not referenced)", t->request.args[last],
		 count - 1);
}

static void verify_tree(const struct source *source, const struct program_node *node,
			struct diagnostics *d)
{
	auto_error struct error *err = VERIFIES ? syntax_verify(node, d) : NULL;
	if (err)
		diagnose(d, (struct range) { .source = source }, D_UNKNOWN,
			 "a bug of %s: the parsed program: %s", message_program(), error_text(err));
}

static void dump_ast(struct tracer *t, const struct program_node *node)
{
	auto_strbuf struct strbuf text = { 0 };
	if (tracer_dump_wanted(t, "ast")) {
		syntax_print(node, &text);
		message_listing(stderr, strbuf_text(&text));
	}
}

void tracer_compile_library(struct tracer *t, const struct source *library, uint32_t begin,
			    uint32_t end, uint32_t line)
{
	struct source *part = ARENA_NEW(t->arena, struct source);
	*part = *library;
	part->len = end;
	struct syntax_env env = {
		.arg = t, .is_type = is_type, .macro = macro, .allow_empty = true
	};
	struct syntax_mode mode = { .begin = begin, .line = line };
	struct diagnostics *d = &t->compiling.library_mistakes;
	size_t before = d->list.count;
	enum declarer speaker = types_speak_for(t->types, source_declarer(part));
	const struct program_node *node = syntax_parse(t->arena, part, &env, mode, d);
	types_speak_for(t->types, speaker);
	if (d->list.count == before)
		sema_library(t->sema, node, d);
}

static const char *refuse_option(void *arg, const char *name, const char *value)
{
	return "the text in a traced file sets no options";
}

/* For struct sema_env; ARG is the tracer.  The text is untrusted: it knows no macros. */
const struct program_node *tracer_parse_note(void *arg, const char *name, const char *text,
					     size_t len, struct diagnostics *d)
{
	struct tracer *t = arg;
	struct source *note = ARENA_NEW(t->arena, struct source);
	*note = (struct source) { .name = name, .text = text, .len = len, .kind = SOURCE_NOTE };
	const struct syntax_env env = {
		.arg = t, .is_type = is_type, .set_option = refuse_option, .allow_empty = true
	};
	return syntax_parse(t->arena, note, &env, (struct syntax_mode) { 0 }, d);
}

static void check(struct tracer *t, const struct source *source, struct tracer_program *program,
		  struct diagnostics *d)
{
	auto_free bool *used = mem_zalloc((t->request.arg_count + 1) * sizeof(*used));
	t->compiling.syntax_env = (struct syntax_env) {
		.arg = t,
		.is_type = is_type,
		.set_option = set_option,
		.macro = macro,
		.targets = t->processes.pids.items,
		.target_count = (unsigned)t->processes.pids.count,
		.args = t->request.args,
		.arg_count = t->request.arg_count,
		.arg_used = used,
		.args_are_of = t->request.args_are_of,
	};
	refresh_syntax_env(t);
	tracer_refresh_env(t);
	const struct program_node *node = syntax_parse(t->arena, source, &t->compiling.syntax_env,
						       tracer_syntax_mode(program), d);
	dump_ast(t, node);
	verify_tree(source, node, d);
	if (!d->list.count)
		check_args_used(t, node, used, d);
	tracer_refresh_env(t); /* pragmas may have changed options */
	wings_do(parsed, t, node);
	sema_program(t->sema, node, d);
	wings_do(checked, t, node, !d->list.count);
}

/*
 * A predicate like pid == $target is then false for all processes, and nothing is printed.  With
 * -x defaultargs the program expects that arguments are missing.
 */
static void warn_of_no_target(struct tracer *t)
{
	if (t->compiling.lacks_target && !t->request.is_anonymous &&
	    !option_number(t->options, OPTION_defaultargs))
		message("warning: $target is 0, because no process was given by -c COMMAND or "
			"-p PID");
	t->compiling.lacks_target = false;
}

/* A probe that is several events has a clause for each: it counts once. */
static unsigned count_matches(struct tracer *t, const struct compiled *c)
{
	const struct typed_program *typed = sema_result(t->sema);
	unsigned count = 0;
	for (unsigned i = 0; i < c->clause_count; i++) {
		const struct tclause *clause = typed->clauses[c->first_clause + i];
		count += clause->is_repeated ? 0 : clause->probe_count;
	}
	return count;
}

/* Those that somebody wrote: the clauses of formulas come after them. */
static unsigned written_clauses(const struct typed_program *typed)
{
	unsigned count = typed->clause_count;
	while (count && typed->clauses[count - 1]->is_made)
		count--;
	return count;
}

bool tracer_compile(struct tracer *t, struct tracer_program *program)
{
	struct diagnostics d = { 0 };
	const struct source *source = source_of(t, program);
	struct compiled compiled = {
		.program = program,
		.first_clause = written_clauses(sema_result(t->sema)),
	};
	d.program = t->compiling.library_mistakes.program = source;
	wings_do(open, t, program);
	check(t, source, program, &d);
	bool fine = d.list.count == 0 && t->compiling.library_mistakes.list.count == 0;
	tracer_refuse(t, &t->compiling.library_mistakes);
	tracer_refuse(t, &d);
	diagnostics_deinit(&d);
	if (!fine)
		return false; /* no code is made of a program with mistakes */
	warn_of_no_target(t);
	compiled.clause_count = written_clauses(sema_result(t->sema)) - compiled.first_clause;
	vector_push(&t->compiling.done, compiled);
	program->matched = count_matches(t, &compiled);
	if (tracer_dump_wanted(t, "typed"))
		tracer_show_typed(t);
	return true;
}
