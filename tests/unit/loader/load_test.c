/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The real kernel's verifier accepts the compiler's code, and its processor computes the
 * language's results.  Needs privileges; nothing is attached.
 */
#include "codegen/experiment.h"
#include "golden.h"
#include "kernel/kernel.h"
#include "loader/internal.h"
#include "object/object.h"

static bool may_load(void)
{
	auto_error struct error *err = kernel_check_privileges();
	return !err;
}

#define NEEDS_KERNEL                                                                               \
	do {                                                                                       \
		if (!may_load())                                                                   \
			SKIP("needs CAP_BPF and CAP_PERFMON");                                     \
	} while (0)

/* Any offset does: it is only a number of reads that may fail. */
static int32_t any_offset(void *arg, const char *type, const char *member)
{
	return 64;
}

static int64_t any_variable(void *arg, const char *name)
{
	return 128;
}

static void any_functions(void *arg, const char *const *names, unsigned count,
			  struct address_range *ret)
{
	for (unsigned i = 0; i < count; i++)
		ret[i] = (struct address_range) { 4096, 8192 };
}

/* Here only the right one does; opened once. */
static struct error *typed_tracepoint(void *arg, const char *name, uint32_t *ret)
{
	static struct btf *btf;
	auto_free char *type = mem_printf("btf_trace_%s", name);
	struct error *err = btf ? NULL : btf_open("/sys/kernel/btf/vmlinux", &btf);
	*ret = err ? 0 : btf_find(btf, BTF_TYPEDEF, type);
	return err;
}

static struct error *no_tracepoint(void *arg, const char *name, uint32_t *ret)
{
	return error_new("there is no tracepoint %s", name);
}

static struct executor_options loader_settings(void)
{
	struct executor_options o = { .buffer_size = 1 << 20,
				      .dynamic_size = 1 << 20,
				      .speculation_count = 3,
				      .speculation_size = 1 << 16 };
	o.kernel.offset = any_offset;
	o.kernel.variable = any_variable;
	o.kernel.functions = any_functions;
	o.kernel.tracepoint = typed_tracepoint;
	return o;
}

static unsigned open_descriptors(void)
{
	struct dirent **entries = NULL;
	int count = scandir("/proc/self/fd", &entries, NULL, NULL);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	return (unsigned)count;
}

/* --- golden scripts ---------------------------------------------------------------------- */

/*
 * The tracer does not pass the kernel calls that its settings forbid (refuse_call() in
 * loader/executor.c).
 */
static bool is_refused_here(const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t j = 0; j < p->groups[i].relocation_count; j++) {
			const struct relocation *r = &p->groups[i].relocations[j];
			if (r->kind == RELOCATE_CALL && r->index == RT_write_user)
				return !kernel_has(FEATURE_WRITE_USER);
		}
	return false;
}

static void load(const char *file, const struct strbuf *text, struct plan_options options)
{
	auto_compiled struct compiled c;
	struct executor_options settings = loader_settings();
	struct loaded loaded;
	options.area_count = options.cpu_count = kernel_cpus_possible();
	/* what -x can ask for, in one of the two sizes */
	settings.policy = options.string_size > 256 ? POLICY_RING : POLICY_SWITCH;
	options.drops_by_clause = options.string_size > 256;
	if (!compile(&c, file, strbuf_text(text), &options)) {
		printf("%s: cannot be compiled with strsize %u\n", file, options.string_size);
		test_failed_now = true;
		return;
	}
	if (is_refused_here(&c.program))
		return;
	auto_error struct error *err = loader_load(&c.program, &settings, &loaded);
	if (err) {
		printf("%s, strsize %u: %s\n", file, options.string_size, error_text(err));
		test_failed_now = true;
		return;
	}
	for (unsigned i = 0; i < c.program.group_count; i++)
		CHECK(loaded.programs[i] >= 0);
	loaded_deinit(&loaded);
}

/* Registers and the thread's status are this machine's. */
static bool is_for_here(const struct plan_options *options)
{
	return options->arch == arch_host() && options->arch == &arch_x86_64;
}

static void load_script(const char *file, const struct strbuf *text, struct strbuf *out)
{
	static const uint32_t sizes[] = { 256, 4096 };
	struct plan_options options = compile_options_of(text);
	if (!is_for_here(&options))
		return;
	if (options.string_size != sizes[0])
		load(file, text, options);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		options.string_size = sizes[i];
		load(file, text, options);
	}
}

TEST(the_kernel_accepts_the_golden_scripts)
{
	NEEDS_KERNEL;
	unsigned before = open_descriptors();
	golden_scripts("tests/golden/codegen", load_script, false);
	golden_scripts("tests/unit/codegen/scripts", load_script, false);
	CHECK_INT(open_descriptors(), before);
}

/* --- running for real ------------------------------------------------------------------------- */

/* 10,000 expressions.  A program's cost for the verifier grows faster than its length. */
#define PAIRS 8
#define PROGRAMS (2000 / PAIRS) /* a load takes some 20 calls of bpf(2), 30 ms of the kernel */

/*
 * The kernel refuses to make storage of a thread while another, interrupted program of this CPU is
 * making it.  It is a dynamic variable drop, and reported as one.
 */
static bool something_was_dropped(const struct loaded *loaded)
{
	uint64_t drops = 0;
	for (uint32_t cpu = 0; cpu < kernel_cpus_possible(); cpu++)
		drops += loaded->counters[cpu].dynamic;
	return drops > 0;
}

/* True: a drop happened meanwhile, so the results are not valid. */
static bool run(const struct experiment *x, struct strbuf *why)
{
	auto_compiled struct compiled c;
	struct plan_options options = compile_defaults;
	struct executor_options settings = loader_settings();
	struct loaded loaded;
	options.area_count = options.cpu_count = kernel_cpus_possible();
	options.arch = arch_host();
	if (!compile(&c, "random.d", strbuf_text(&x->text), &options)) {
		compiled_mistakes(&c, why);
		return false;
	}
	auto_error struct error *err = loader_load(&c.program, &settings, &loaded);
	if (err) {
		strbuf_printf(why, "%s\n", error_text(err));
		return false;
	}
	uint64_t context[1] = { 0 };
	experiment_set_inputs(x, &c, loaded.globals);
	auto_error struct error *problem =
		prog_test_run(loaded.programs[0], context, sizeof(context), -1);
	if (problem)
		strbuf_printf(why, "%s\n", error_text(problem));
	else
		experiment_check(x, &c, loaded.globals, why);
	bool dropped = why->len && something_was_dropped(&loaded);
	loaded_deinit(&loaded);
	return dropped;
}

TEST(the_kernel_computes_what_the_language_says)
{
	NEEDS_KERNEL;
	uint64_t seed = experiment_setting("SEED", 1),
		 count = experiment_setting("COUNT", PROGRAMS);
	for (uint64_t i = 0; i < count && !test_failed_now; i++) {
		struct experiment x;
		auto_strbuf struct strbuf why = { 0 };
		experiment_init(&x, seed + i, PAIRS);
		for (int again = 0; run(&x, &why) && again < 3; again++)
			strbuf_clear(&why);
		if (why.len) {
			experiment_show(&x, seed + i, strbuf_text(&why));
			test_failed_now = true;
		}
		experiment_deinit(&x);
	}
}

/* --- refusals -------------------------------------------------------------------------------- */

TEST(a_refusal_names_the_line_and_leaves_nothing_open)
{
	NEEDS_KERNEL;
	auto_compiled struct compiled c;
	struct plan_options options = compile_defaults;
	options.area_count = options.cpu_count = kernel_cpus_possible();
	CHECK(compile(&c, "x.d", "BEGIN\n{\n\tx = 7;\n}\n", &options));

	/* The number 7 becomes a read through nothing. */
	struct group_code *group = (struct group_code *)&c.program.groups[0];
	struct bpf_insn *code = (struct bpf_insn *)group->code;
	for (uint32_t i = 0; i < group->count; i++)
		if (code[i].code == (BPF_ALU64 | BPF_MOV | BPF_K) && code[i].imm == 7)
			code[i] = (struct bpf_insn) { .code = BPF_LDX | BPF_MEM | BPF_DW,
						      .src_reg = 9 };
	unsigned before = open_descriptors();
	struct executor_options settings = loader_settings();
	struct loaded loaded;
	auto_error struct error *err = loader_load(&c.program, &settings, &loaded);
	CHECK(err);
	if (!err)
		loaded_deinit(&loaded);
	CHECK(err && strstr(error_text(err), "line 3 (clause 1: \"R9 !read_ok\""));
	CHECK_INT(open_descriptors(), before);
}

TEST(a_kernel_without_types_of_its_tracepoints_is_reported)
{
	NEEDS_KERNEL;
	auto_compiled struct compiled c;
	struct plan_options options = compile_defaults;
	options.area_count = options.cpu_count = kernel_cpus_possible();
	CHECK(compile(&c, "x.d", "syscall::read:return { x = arg1; }", &options));
	unsigned before = open_descriptors();
	struct executor_options settings = loader_settings();
	settings.kernel.tracepoint = no_tracepoint;
	struct loaded loaded;
	auto_error struct error *err = loader_load(&c.program, &settings, &loaded);
	CHECK(err && strstr(error_text(err), "there is no tracepoint sys_exit"));
	CHECK_INT(open_descriptors(), before);
}

TEST_MAIN
