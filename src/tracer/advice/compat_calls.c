/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compat_calls - clauses whose system calls are made by 32-bit programs alone
 *
 * Names of other systems, such as sigaction and stat64, are those of 32-bit calls here: the clause
 * is right, and 64-bit programs never fire it.
 */
#include <string.h>

#include "tracer/advice/advice.h"

/* Is P of a native call that NAME is a part of? */
static bool is_native_call(const struct probe *p, const char *name)
{
	if (!strstr(p->function, name))
		return false;
	for (const struct probe_event *e = p->events; e; e = e->next)
		if (event_is_syscall(e->event.kind) && e->event.call.native >= 0)
			return true;
	return false;
}

/* Of one description that names the call in full. */
static bool is_of_compat_call(const struct tclause *c)
{
	for (unsigned i = 0; i < c->probe_count; i++)
		if (!tracer_is_compat_call(c->probes[i]))
			return false;
	return c->probe_count && *c->desc.function && glob_is_plain(c->desc.function);
}

/* A program for several machines names the calls of each: open and openat, stat and newfstatat. */
static bool has_native_call(const struct typed_program *typed, const char *name)
{
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		for (unsigned k = 0; k < c->probe_count; k++)
			if (is_native_call(c->probes[k], name))
				return true;
	}
	return false;
}

static void warn(const struct typed_program *typed, const struct tclause *c)
{
	const char *native = sema_call_of_linux(c->desc.function);
	if (!native && has_native_call(typed, c->desc.function))
		return;
	message("warning: line %u: only 32-bit programs make the system call %s%s%s", c->range.line,
		c->desc.function, native ? ": of 64-bit ones it is " : "", native ? native : "");
}

/* The descriptions of a clause in the program are clauses of ours, one after the other. */
void compat_calls_report(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	unsigned end;
	for (unsigned i = 0; i < typed->clause_count; i = end) {
		bool all = true;
		for (end = i; end < typed->clause_count &&
			      typed->clauses[end]->node == typed->clauses[i]->node;
		     end++)
			all &= is_of_compat_call(typed->clauses[end]);
		if (all)
			warn(typed, typed->clauses[i]);
	}
}
