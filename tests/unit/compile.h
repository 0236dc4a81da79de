/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile - D text to struct program for tests, with probes of a small kernel
 *
 * The probes are dtrace's three, a few of syscall, two timers, and functions
 * of a program; none of them needs privileges or exists.
 */
#ifndef TESTS_UNIT_COMPILE_H
#define TESTS_UNIT_COMPILE_H

#include "codegen/codegen.h"
#include "holds.h"
#include "program/program.h"
#include "sema/sema.h"
#include "syntax/syntax.h"
#include "test.h"

/* --- a small kernel --------------------------------------------------------------------- */

/* clang-format off */
static const struct event_args fake_no_places;
static const char *const fake_entry_types[] = { "int", "const char *", "size_t", NULL };
static const struct probe_args fake_entry_args = {
	.types = fake_entry_types,
	.user_pointers = true,
};
static const struct event_args fake_entry_places = {
	.arg = { { ARG_SYSCALL_ARGUMENT, .value = 0 }, { ARG_SYSCALL_ARGUMENT, .value = 1 },
		 { ARG_SYSCALL_ARGUMENT, .value = 2 }, { ARG_SYSCALL_ARGUMENT, .value = 3 },
		 { ARG_SYSCALL_ARGUMENT, .value = 4 }, { ARG_SYSCALL_ARGUMENT, .value = 5 } },
};
static const struct event_args fake_return_places = {
	.arg = { { ARG_SYSCALL_STATUS }, { ARG_SYSCALL_RESULT } },
};
static const struct event_args fake_timer_places = {
	.arg = { { ARG_KERNEL_PC }, { ARG_USER_PC } },
};
static const struct event_args fake_function_places = {
	.arg = { { ARG_FUNCTION_ARGUMENT, .value = 0 }, { ARG_FUNCTION_ARGUMENT, .value = 1 },
		 { ARG_FUNCTION_ARGUMENT, .value = 2 }, { ARG_FUNCTION_ARGUMENT, .value = 3 },
		 { ARG_FUNCTION_ARGUMENT, .value = 4 }, { ARG_FUNCTION_ARGUMENT, .value = 5 },
		 { ARG_FUNCTION_ARGUMENT, .value = 6 }, { ARG_FUNCTION_ARGUMENT, .value = 7 } },
};
static const struct event_args fake_result_places = {
	.arg = { { ARG_CONSTANT, .value = 0x40 }, { ARG_FUNCTION_RESULT } },
};

static const struct event_args fake_switch_places = {
	.arg = { { ARG_CONTEXT, .size = 1, .value = 0 }, { ARG_CONTEXT, .value = 8 },
		 { ARG_CONTEXT, .size = 4, .is_signed = true, .value = 16 } },
};
static const struct event_args fake_wakeup_places = {
	.arg = { { ARG_CONTEXT, .value = 0 }, { ARG_CONTEXT, .value = 8 } },
};

static const char *const fake_record_types[] = { "string", "int", "string", "unsigned char *", NULL };
static const char *const fake_record_names[] = { "path", "error", "comm", "address", NULL };
static const struct probe_args fake_record_args = {
	.types = fake_record_types,
	.names = fake_record_names,
};
static const struct event_args fake_record_places = {
	.arg = { { ARG_RECORD_DATA, .value = 8 },
		 { ARG_CONTEXT, .size = 4, .is_signed = true, .value = 12 },
		 { ARG_CONTEXT_ADDRESS, .value = 16 }, { ARG_RECORD_RELATIVE, .value = 32 } },
};

static const struct event_args fake_kernel_places = {
	.arg = { { ARG_FUNCTION_ARGUMENT, .size = 4, .is_signed = true, .value = 0 },
		 { ARG_FUNCTION_ARGUMENT, .value = 1 }, { ARG_FUNCTION_ARGUMENT, .value = 9 } },
};
static const char *const fake_kernel_types[] = { "int", "void *", "unsigned long", NULL };
static const struct probe_args fake_kernel_args = { .types = fake_kernel_types };
static const struct event_args fake_kernel_result_places = {
	.arg = { { ARG_CONSTANT, .value = -1 },
		 { ARG_FUNCTION_RESULT, .size = 4, .is_signed = true } },
};

/* In the order of their ids, because codegen requires ERROR to have the third. */
static const struct fake_probe {
	const char *provider, *module, *function, *name;
	enum event_kind event; /* EVENT_COUNT: none */
	const struct event_args *places;
	const struct probe_args *args;
	int32_t native, compat; /* system calls; timers: native is the period in seconds */
} fake_probes[] = {
	{ "dtrace", "", "", "BEGIN", EVENT_BEGIN, &fake_no_places },
	{ "dtrace", "", "", "END", EVENT_END, &fake_no_places },
	{ "dtrace", "", "", "ERROR", EVENT_COUNT, &fake_no_places },
	{ "syscall", "vmlinux", "read", "entry", EVENT_SYSCALL_ENTRY, &fake_entry_places, &fake_entry_args, 0, 3 },
	{ "syscall", "vmlinux", "read", "return", EVENT_SYSCALL_RETURN, &fake_return_places, NULL, 0, 3 },
	{ "syscall", "vmlinux", "write", "entry", EVENT_SYSCALL_ENTRY, &fake_entry_places, &fake_entry_args, 1, 4 },
	{ "syscall", "vmlinux", "write", "return", EVENT_SYSCALL_RETURN, &fake_return_places, NULL, 1, 4 },
	{ "syscall", "vmlinux", "openat", "entry", EVENT_SYSCALL_ENTRY, &fake_entry_places, &fake_entry_args, 257, 295 },
	{ "profile", "", "", "profile-97", EVENT_TIMER, &fake_timer_places, NULL, 97 },
	{ "profile", "", "", "tick-1", EVENT_TIMER, &fake_timer_places, NULL, 1 },
	{ "fun", "program", "first", "entry", EVENT_FUNCTION_ENTRY, &fake_function_places },
	{ "fun", "program", "first", "return", EVENT_FUNCTION_RETURN, &fake_result_places },
	{ "fun", "program", "second", "entry", EVENT_FUNCTION_ENTRY, &fake_function_places },
	{ "fun", "kernel", "", "switch", EVENT_TRACEPOINT, &fake_switch_places },
	{ "fun", "kernel", "", "wakeup", EVENT_TRACEPOINT, &fake_wakeup_places },
	{ "fun", "kernel", "", "waking", EVENT_TRACEPOINT, &fake_wakeup_places },
	{ "fun", "", "", "tick-one", EVENT_TIMER, &fake_timer_places, NULL, 1 }, /* tick-1's event */
	{ "fun", "vmlinux", "read", "call", EVENT_SYSCALL_ENTRY, &fake_entry_places, &fake_entry_args, 0, 3 }, /* read's entry */
	{ "fun", "tracefs", "", "record", EVENT_RECORD, &fake_record_places, &fake_record_args },
	{ "fun", "core", "open", "entered", EVENT_KERNEL_ENTRY, &fake_kernel_places, &fake_kernel_args },
	{ "fun", "core", "open", "returned", EVENT_KERNEL_RETURN, &fake_kernel_result_places },
	{ "fun", "core", "close", "entered", EVENT_KERNEL_ENTRY, &fake_kernel_places, &fake_kernel_args },
	{ "fun", "path", "lock", "held", EVENT_KERNEL_ENTRY, &fake_kernel_places, &fake_kernel_args }, /* programs call it */
	{ "fun", "raw", "", "record", EVENT_TRACEPOINT, &fake_wakeup_places }, /* where tracefs's record is made */
};
/* clang-format on */

static struct error *fake_discover(const struct provider *self, struct probe_db *db,
				   const struct probe_desc *desc);

static const struct provider fake_dtrace = { .name = "dtrace", .discover = fake_discover };
static const struct provider fake_syscall = { .name = "syscall", .discover = fake_discover };
static const struct provider fake_profile = { .name = "profile", .discover = fake_discover };
static const struct provider fake_fun = { .name = "fun", .discover = fake_discover };
static const struct provider *const fake_providers[] = { &fake_dtrace, &fake_syscall, &fake_profile,
							 &fake_fun, NULL };

static struct event_site fake_sites[ARRAY_SIZE(fake_probes)];

static struct error *fake_discover(const struct provider *self, struct probe_db *db,
				   const struct probe_desc *desc)
{
	for (size_t i = 0; i < ARRAY_SIZE(fake_probes); i++) {
		const struct fake_probe *f = &fake_probes[i];
		fake_sites[i].at = 16 * i;
		if (!string_equal(f->provider, self->name))
			continue;
		struct probe *p =
			probe_db_add(db, self, f->provider, f->module, f->function, f->name);
		p->args = f->args;
		if (f->event == EVENT_COUNT || p->events)
			continue;
		struct event *e = probe_db_add_event(db, p, f->event, f->places);
		if (f->event == EVENT_TIMER)
			e->timer.period = (uint64_t)f->native;
		else if (event_is_function(f->event))
			e->code = (struct event_code) { .pid = 42,
							.path = "/program",
							.name = f->module,
							.sites = &fake_sites[i],
							.site_count = 1 };
		else if (f->event == EVENT_TRACEPOINT)
			e->tracepoint.name = f->name;
		else if (event_is_kernel(f->event))
			e->function = (struct event_function) { f->module,
								f->function,
								&fake_sites[i].at,
								1,
								string_equal(f->function, "lock"),
								NULL };
		else if (f->event == EVENT_RECORD)
			e->record = (struct event_record) { f->module, f->name };
		else if (event_is_syscall(f->event))
			e->call = (struct event_call) { f->native, f->compat, false };
	}
	return NULL;
}

static bool fake_symbol(void *arg, const char *module, const char *name, struct sema_symbol *ret)
{
	*ret = (struct sema_symbol) { 0xffffffff81000010, "vmlinux", false };
	return string_equal(name, "max_pfn");
}

static bool fake_macro(void *arg, const char *name, int64_t *ret)
{
	*ret = 42;
	return string_equal(name, "target");
}

static bool fake_is_type(void *sema, const char *name)
{
	return sema_is_type(sema, name);
}

/* --- compiling ------------------------------------------------------------------------------ */

struct compiled {
	struct arena *arena;
	struct types *types;
	struct probe_db *probes;
	struct sema *sema;
	struct source source; /* its text is a loan */
	struct diagnostics mistakes;
	struct program program;	 /* if there are no mistakes */
	const struct plan *plan; /* of this program */
};

static inline bool compile_has_cookies(void)
{
	return true;
}

static const struct plan_options compile_defaults = {
	.arch = &arch_x86_64,
	.area_count = 2,
	.cpu_count = 2,
	.string_size = 256,
	.kernel_frames = 127,
	.scratch_size = 256,
	.loop_passes = 1024,
	.dynamic_size = 1 << 20,
	.aggregation_size = 1 << 20,
	.thread_status_offset = 16, /* as on x86_64 */
	.task_tgid_offset = 0,	    /* numbers, too, so that a kernel loads it */
	.task_pid_offset = 8,
	.only_cpu = -1,
	.can_sleep = true,
	.checks = true,
	.tracepoint_cookies = compile_has_cookies,
};

/* Programs of more instructions than SIZE, about, are split. */
static inline const uint32_t *compile_part_sizes(uint32_t size)
{
	static uint32_t sizes[EVENT_COUNT];
	for (unsigned i = 0; i < EVENT_COUNT; i++)
		sizes[i] = size;
	return sizes;
}

/* As if each run-time function needed so many bytes of the stack. */
static inline const uint16_t *compile_stacks(unsigned bytes)
{
	static uint16_t stacks[RT_COUNT];
	for (unsigned i = 0; i < RT_COUNT; i++)
		stacks[i] = (uint16_t)bytes;
	return stacks;
}

static inline void compiled_deinit(struct compiled *c)
{
	diagnostics_deinit(&c->mistakes);
	sema_free(c->sema);
	probe_db_free(c->probes);
	types_free(c->types);
	arena_free(c->arena);
}
#define auto_compiled __attribute__((cleanup(compiled_deinit)))

/* What tests run, load and print is the program that was written and read back. */
static inline void compiled_write_and_read(struct compiled *c, const char *name)
{
	auto_strbuf struct strbuf once = { 0 }, again = { 0 };
	program_write(&c->program, c->types, &once);
	c->program = (struct program) { 0 };
	check_holds(name, program_read(once.text, once.len, c->types, c->arena, &c->program));
	program_write(&c->program, c->types, &again);
	CHECK(once.len == again.len && memcmp(once.text, again.text, once.len) == 0);
}

/* Deinitialize C after false, too. */
static inline bool compile_bytes(struct compiled *c, const char *name, const char *text, size_t len,
				 const struct plan_options *options)
{
	struct sema_env env = { .kernel_symbol = fake_symbol,
				.string_size = options->string_size,
				.print_size = 8192,
				.packet_size = 1520,
				.stack_frames = 20,
				.uregs_count = options->arch->uregs_names,
				.ustack_frames = 20,
				.jstack_frames = 20,
				.target = 42 };
	*c = (struct compiled) { .arena = arena_new(),
				 .types = types_new("/nonexistent"),
				 .probes = probe_db_new(fake_providers),
				 .source = { .name = name, .text = text, .len = len } };
	error_free(probe_db_discover_all(c->probes));
	c->sema = sema_new(c->arena, c->types, c->probes, &env);
	struct syntax_env syntax = { .arg = c->sema, .is_type = fake_is_type, .macro = fake_macro };
	struct syntax_mode mode = { .last = PDESC_NAME };
	struct program_node *program =
		syntax_parse(c->arena, &c->source, &syntax, mode, &c->mistakes);
	if (!c->mistakes.list.count)
		sema_program(c->sema, program, &c->mistakes);
	if (!c->mistakes.list.count)
		check_holds(name, typed_verify(sema_result(c->sema)));
	if (c->mistakes.list.count || !codegen_program(c->arena, sema_result(c->sema), options,
						       &c->mistakes, &c->program, &c->plan))
		return false;
	check_holds(name, program_verify(&c->program));
	compiled_write_and_read(c, name);
	return true;
}

static inline bool compile(struct compiled *c, const char *name, const char *text,
			   const struct plan_options *options)
{
	return compile_bytes(c, name, text, strlen(text), options);
}

static inline const struct group_code *compiled_group(const struct compiled *c,
						      enum event_kind kind)
{
	for (unsigned i = 0; i < c->program.group_count; i++)
		if (c->program.groups[i].kind == kind)
			return &c->program.groups[i];
	return NULL;
}

static inline const struct variable *compiled_variable(const struct compiled *c, enum scope scope,
						       const char *name)
{
	const struct typed_program *t = sema_result(c->sema);
	for (unsigned i = 0; i < t->variable_count[scope]; i++)
		if (string_equal(t->variables[scope][i]->name, name))
			return t->variables[scope][i];
	return NULL;
}

static inline void compiled_mistakes(struct compiled *c, struct strbuf *out)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	diagnostics_print(&c->mistakes, f, "dtrace", true, 20);
	fclose(f);
	strbuf_add(out, text, len);
	free(text);
}

/* --- options of golden scripts ------------------------------------------------------------- */

static inline int64_t compile_option(const char *line, const char *name, int64_t usual)
{
	auto_free char *wanted = mem_printf(" %s=", name);
	const char *found = strstr(line, wanted);
	return found ? strtoll(found + strlen(wanted), NULL, 0) : usual;
}

/* A script's first line may end with "Options: strsize=4096 status=-1 sleep=0 areas=64 parts=1
 * arch=aarch64". */
static inline struct plan_options compile_options_of(const struct strbuf *text)
{
	auto_free char *line = mem_strndup(strbuf_text(text), strcspn(strbuf_text(text), "\n"));
	struct plan_options o = compile_defaults;
	o.string_size = (uint32_t)compile_option(line, "strsize", o.string_size);
	o.thread_status_offset = (int32_t)compile_option(line, "status", o.thread_status_offset);
	o.only_cpu = (int)compile_option(line, "cpu", o.only_cpu);
	o.can_sleep = compile_option(line, "sleep", o.can_sleep);
	o.area_count = (uint32_t)compile_option(line, "areas", o.area_count);
	o.cpu_parts = compile_option(line, "parts", o.cpu_parts);
	o.part_size = compile_part_sizes((uint32_t)compile_option(line, "part", UINT32_MAX));
	o.runtime_stack = compile_stacks((unsigned)compile_option(line, "stack", 224));
	if (strstr(line, " arch=aarch64"))
		o.arch = &arch_aarch64;
	return o;
}

#endif
