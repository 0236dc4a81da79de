/* SPDX-License-Identifier: BSD-2-Clause */
/* run - a script compiled into a machine that runs it */
#ifndef TESTS_UNIT_CODEGEN_RUN_H
#define TESTS_UNIT_CODEGEN_RUN_H

#include "codegen/interpreter.h"
#include "compile.h"

struct run {
	struct compiled compiled;
	struct bench machine;
};

static inline void run_init_with(struct run *r, const char *script,
				 const struct plan_options *options)
{
	*r = (struct run) { 0 };
	if (!compile(&r->compiled, "run.d", script, options)) {
		diagnostics_print(&r->compiled.mistakes, stdout, "run_test", true, 20);
		exit(1); /* a mistake in the test */
	}
	bench_init(&r->machine, &r->compiled.program);
}

static inline void run_init(struct run *r, const char *script)
{
	run_init_with(r, script, &compile_defaults);
}

static inline void run_deinit(struct run *r)
{
	bench_deinit(&r->machine);
	compiled_deinit(&r->compiled);
}
#define auto_run __attribute__((cleanup(run_deinit)))
/* Declare R, a run of SCRIPT. */
#define RUN(r, script)                                                                             \
	auto_run struct run r;                                                                     \
	run_init(&r, script)

static inline void fire(struct run *r, enum event_kind kind, uint64_t index)
{
	const struct group_code *group = compiled_group(&r->compiled, kind);
	CHECK(group);
	if (group && !bench_fire(&r->machine, group, index)) {
		printf("the program %s\n", r->machine.problem);
		test_failed_now = true;
	}
	CHECK_INT(r->machine.claimed, 0);
}

static inline int64_t global(const struct run *r, const char *name)
{
	const struct variable *v = compiled_variable(&r->compiled, SCOPE_GLOBAL, name);
	int64_t value = 0;
	memcpy(&value, r->machine.globals + plan_variable(r->compiled.plan, v)->offset, 8);
	return value;
}

/* Do the global variables have these values: "a=1 b=-2"? */
static inline void check_globals(const struct run *r, const char *wanted, int line)
{
	auto_strbuf struct strbuf got = { 0 };
	char name[32];
	for (const char *at = wanted; sscanf(at, " %31[a-zA-Z_0-9]", name) == 1;) {
		strbuf_printf(&got, "%s%s=%lld", got.len ? " " : "", name,
			      (long long)global(r, name));
		at += strcspn(at, "=");
		at += strcspn(at, " ");
	}
	if (strcmp(strbuf_text(&got), wanted) == 0)
		return;
	printf("line %d: globals are %s, wanted %s\n", line, strbuf_text(&got), wanted);
	test_failed_now = true;
}
#define CHECK_GLOBALS(r, wanted) check_globals(r, wanted, __LINE__)

static inline const struct record_header *header(const struct run *r, size_t i)
{
	return (const struct record_header *)r->machine.records.items[i].bytes;
}

/* The n-th field of the record's only or ACTION-th action, as a number. */
static inline int64_t field(const struct run *r, size_t record, unsigned action, unsigned n)
{
	const char *bytes = r->machine.records.items[record].bytes;
	const struct clause_layout *c = &r->compiled.program.clauses[header(r, record)->clause];
	const struct value_field *f = &c->actions[action].fields[n];
	uint64_t value = 0;
	memcpy(&value, bytes + f->offset, MIN(f->size, 8u));
	unsigned up = 64 - 8 * MIN(f->size, 8u);
	return f->is_signed ? (int64_t)(value << up) >> up : (int64_t)value;
}

#endif
