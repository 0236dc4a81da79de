/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * announce - the providers whose probes we want of every process, for the commands that we start
 *
 * A program that has never run while we trace is found when it is mapped, and may have ended before
 * its probes are in place (new_files.c).  Programs built with our headers wait for them if the
 * variable DTRACE_WAITS_FOR names their provider; <dtrace/wait.h> has its form, and reads it.
 *
 * Commands of system() are told by what was compiled.  That of -c is executed before, because
 * programs may depend on its process: for it they are parsed here, and mistakes are left to
 * tracer_compile().
 */
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include "tracer/internal.h"

/* A pattern means names that end with a process's number: app1* may mean app of process 12. */
static void announced_add(struct strbuf *words, const char *provider)
{
	size_t len = strcspn(provider, "*?[\\");
	bool is_plain = !provider[len];
	while (!is_plain && len && isdigit((unsigned char)provider[len - 1]))
		len--;
	strbuf_printf(words, " %.*s%s", (int)len, provider, is_plain ? "" : "*");
}

static void announced_tell(const struct strbuf *words)
{
	if (!words->len)
		return;
	auto_free char *value = mem_printf("%d%s", (int)getpid(), strbuf_text(words));
	setenv("DTRACE_WAITS_FOR", value, 1);
}

void tracer_announce_compiled(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	auto_strbuf struct strbuf words = { 0 };
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (tracer_of_every_process(t, typed->clauses[i]))
			announced_add(&words, typed->clauses[i]->desc.provider);
	announced_tell(&words);
}

/* --- before the programs are compiled --- */

static void clause_announce(struct tracer *t, const struct clause_node *c, struct strbuf *words)
{
	for (const struct pdesc_node *d = c->pdescs; d; d = d->next)
		if (!d->by_id && probe_db_of_every_process(t->probes, d->provider))
			announced_add(words, d->provider);
}

static void program_announce(struct tracer *t, const struct tracer_program *program,
			     struct strbuf *words)
{
	struct arena *arena = arena_new();
	struct diagnostics unreported = { 0 };
	const struct source source = {
		.name = program->name,
		.text = program->text,
		.len = program->len,
		.kind = program->kind == PROGRAM_SCRIPT ? SOURCE_FILE : SOURCE_SPECIFIER,
	};
	const struct syntax_env env = { .args = t->request.args,
					.arg_count = t->request.arg_count };
	const struct program_node *node =
		syntax_parse(arena, &source, &env, tracer_syntax_mode(program), &unreported);
	for (const struct node *item = node->items; item; item = item->next)
		if (item->kind == NODE_CLAUSE)
			clause_announce(t, item->clause, words);
	diagnostics_deinit(&unreported);
	arena_free(arena);
}

void tracer_announce(struct tracer *t, const struct tracer_program *programs, size_t count)
{
	auto_strbuf struct strbuf words = { 0 };
	for (size_t i = 0; i < count; i++)
		program_announce(t, &programs[i], &words);
	announced_tell(&words);
}
