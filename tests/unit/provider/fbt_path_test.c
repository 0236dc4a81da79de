/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/kernel/fbt_text.h"

#include "kernel/kernel.h"
#include "made_text.h"
#include "test.h"

/* --- made code: x86's, at this address ------------------------------------------------------- */

static const unsigned char made[] = {
	/* 0: trace_call_bpf */ CALL_ON(0, 16),
	CALL_ON(5, 48),
	RETURN,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	/* 16: inner */ JUMP_ON(16, 32),
	CALL_ON(21, 69),
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	/* 32: jumped_to */ CALL(32, 16),
	CALL_ON(37, 64),
	RETURN,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	/* 48: _printk */ CALL_ON(48, 80),
	RETURN,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	/* 64: leaf */ NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	RETURN,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	/* 80: of_printk */ RETURN,
	NOP,
	/* 82: other */ CALL(82, 16),
	RETURN,
};

static void add_made(struct kernel_text *t)
{
	text_add(t, BASE + 64, "leaf");
	text_add(t, BASE + 0, "trace_call_bpf");
	text_add(t, BASE + 16, "inner");
	text_add(t, BASE + 32, "jumped_to");
	text_add(t, BASE + 48, "_printk");
	text_add(t, BASE + 80, "of_printk");
	text_add(t, BASE + 82, "other");
	text_add(t, BASE + 82, "alias");
	text_sort(t);
}

#define WITH_MADE(size)                                                                            \
	struct bytes code = bytes_of(made, size);                                                  \
	struct kernel_text t;                                                                      \
	text_init(&t, &arch_x86_64, read_made, &code);                                             \
	add_made(&t)

#define CHECK_REASON(offset, why)                                                                  \
	do {                                                                                       \
		const char *reason = fbt_path_reason(p, BASE + (offset));                          \
		CHECK_STR(reason ? reason : "-", why);                                             \
	} while (0)

TEST(calls_and_jumps_are_followed_but_not_warnings)
{
	WITH_MADE(sizeof(made));
	struct fbt_path *p = fbt_path_new(&t);
	text_deinit(&t);
	CHECK_REASON(0, "runs programs");
	CHECK_REASON(16, "called by trace_call_bpf");
	CHECK_REASON(32, "called by inner");
	CHECK_REASON(64, "called by jumped_to");
	CHECK_REASON(48, "-"); /* printk */
	CHECK_REASON(80, "-"); /* called by printk alone */
	CHECK_REASON(69, "-"); /* into the middle of one */
	CHECK_REASON(82, "-"); /* it calls the path */
	CHECK_INT(fbt_path_count(p), 4);
	fbt_path_free(p);
}

TEST(code_that_cannot_be_read_calls_nothing)
{
	WITH_MADE(40); /* jumped_to's second call is not there */
	struct fbt_path *p = fbt_path_new(&t);
	text_deinit(&t);
	CHECK_REASON(32, "called by inner");
	CHECK_REASON(64, "-");
	fbt_path_free(p);
}

/* Each function calls the next one: of 200, the last ones belong to our path only if it enters
 * near them. */
TEST(a_call_that_leads_to_many_functions_is_not_followed)
{
	static unsigned char chain[200 * 16];
	struct bytes code = bytes_of(chain, sizeof(chain));
	struct kernel_text t;
	text_init(&t, &arch_x86_64, read_made, &code);
	for (unsigned i = 0; i < 200; i++) {
		const unsigned char call[] = { CALL_ON(0, 16), RETURN };
		char name[16];
		memset(chain + i * 16, NOP, 16);
		memcpy(chain + i * 16, call, sizeof(call));
		snprintf(name, sizeof(name), "f%u", i);
		text_add(&t, BASE + i * 16, i == 10 || i == 150 ? "trace_call_bpf" : name);
	}
	text_sort(&t);
	struct fbt_path *p = fbt_path_new(&t);
	CHECK_REASON(10 * 16, "runs programs");
	CHECK_REASON(11 * 16, "-");
	CHECK_REASON(150 * 16, "runs programs");
	CHECK_REASON(151 * 16, "called by trace_call_bpf");
	CHECK_REASON(199 * 16, "called by f198");
	fbt_path_free(p);
	text_deinit(&t);
}

TEST(a_symbol_is_found_by_its_addresses)
{
	WITH_MADE(sizeof(made));
	CHECK(!text_symbol_at(&t, BASE - 1));
	CHECK_STR(text_symbol_at(&t, BASE)->name, "trace_call_bpf");
	CHECK_STR(text_symbol_at(&t, BASE + 31)->name, "inner");
	CHECK_STR(text_symbol_at(&t, BASE + 82)->name, "alias"); /* the first by name */
	CHECK_INT(text_size(&t, text_symbol_at(&t, BASE + 33)), 16);
	text_deinit(&t);
}

TEST(names_are_known_where_the_code_is_not)
{
	CHECK_STR(fbt_path_name_reason("htab_map_update_elem"), "programs call it");
	CHECK_STR(fbt_path_name_reason("unwind_next_frame"), "walks stacks");
	CHECK(!fbt_path_name_reason("vfs_read"));
	CHECK_STR(fbt_path_name_reason("__bpf_task_storage_get"), "programs call it");
	CHECK_STR(fbt_path_name_reason("rcu_is_watching"), "of tracing functions");
	CHECK(!fbt_path_name_reason("rcu_note_context_switch")); /* not by a prefix */
	CHECK(!fbt_forbidden_reason("rcu_note_context_switch"));
	CHECK(fbt_forbidden_reason("default_idle_call"));
	CHECK(!fbt_forbidden_reason("vfs_read"));
}

/* --- this kernel's ---------------------------------------------------------------------------- */

static bool read_kernel(void *arg, uint64_t address, void *ret, size_t size)
{
	return kernel_code_read(arg, address, ret, size);
}

static void add_function(void *arg, const char *module, const char *name, uint64_t address)
{
	if (string_equal(module, "vmlinux"))
		text_add(arg, address, name);
}

static const char *reason_of(const struct kernel_text *t, const struct fbt_path *p,
			     const char *name)
{
	for (size_t i = 0; i < t->symbols.count; i++)
		if (string_equal(t->symbols.items[i].name, name))
			return fbt_path_reason(p, t->symbols.items[i].address);
	return "no such function";
}

TEST(of_this_kernel_what_programs_call_is_found)
{
	struct kernel_code *k;
	auto_error struct error *refused = kernel_check_privileges();
	auto_error struct error *err = refused ? NULL : kernel_code_open(&k);
	if (refused || err)
		SKIP("needs CAP_BPF and CAP_PERFMON");
	struct kernel_text t;
	text_init(&t, arch_host(), read_kernel, k);
	kernel_function_addresses(add_function, &t);
	text_sort(&t);
	struct fbt_path *p = fbt_path_new(&t);
	const char *reads = reason_of(&t, p, "copy_from_kernel_nofault");
	CHECK(reads && strncmp(reads, "called by ", 10) == 0);
	CHECK(!reason_of(&t, p, "vfs_read"));
	CHECK(!reason_of(&t, p, "__schedule"));
	CHECK(fbt_path_count(p) > 50 && fbt_path_count(p) < 1000);
	fbt_path_free(p);
	text_deinit(&t);
	kernel_code_close(k);
}

TEST_MAIN
