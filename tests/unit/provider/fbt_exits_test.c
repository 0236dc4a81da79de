/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/kernel/fbt_text.h"

#include "kernel/kernel.h"
#include "made_text.h"
#include "test.h"

static const unsigned char made[] = {
	/* 0: f */ 0x0f,
	0x84,
	10,
	0,
	0,
	0,
	/* je f.cold, at 16 */ RETURN,
	0x74,
	0xf7, /* je 0 */
	0xe9,
	18,
	0,
	0,
	0,
	/* jmp g, at 32 */ NOP,
	NOP,
	/* 16: f.cold */ 0xe8,
	11,
	0,
	0,
	0,
	/* call g */ RETURN,
	0xeb,
	0xe8,
	/* jmp 0 */ NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	NOP,
	/* 32: g */ 0x74,
	0xde,
	/* je f */ RETURN,
	NOP,
	/* 36: endless */ 0xeb,
	0xfe,
	NOP,
	NOP,
	/* 40: unknown */ 0x06,
	RETURN,
};

#define WITH_MADE                                                                                  \
	struct bytes code = bytes_of(made, sizeof(made));                                          \
	struct kernel_text t;                                                                      \
	text_init(&t, &arch_x86_64, read_made, &code);                                             \
	text_add(&t, BASE + 0, "f");                                                               \
	text_add(&t, BASE + 16, "f.cold");                                                         \
	text_add(&t, BASE + 32, "g");                                                              \
	text_add(&t, BASE + 36, "endless");                                                        \
	text_add(&t, BASE + 40, "unknown");                                                        \
	text_add(&t, BASE + 42, "end");                                                            \
	text_sort(&t);                                                                             \
	address_vector exits = { 0 }

#define SYMBOL(offset) text_symbol_at(&t, BASE + (offset))

TEST(exits_are_returns_and_jumps_out_of_the_function_and_its_cold_part)
{
	WITH_MADE;
	CHECK(!fbt_exits(&t, SYMBOL(0), &exits));
	CHECK_INT(exits.count, 3);
	CHECK_INT(exits.items[0], BASE + 6);
	CHECK_INT(exits.items[1], BASE + 9);
	CHECK_INT(exits.items[2], BASE + 21);
	vector_free(&exits);
	text_deinit(&t);
}

TEST(exits_are_unknown_after_a_conditional_jump_out_or_in_unknown_code)
{
	WITH_MADE;
	CHECK_STR(fbt_exits(&t, SYMBOL(32), &exits), "it is left by a conditional jump");
	CHECK_STR(fbt_exits(&t, SYMBOL(40), &exits), "its code cannot be read");
	CHECK(!fbt_exits(&t, SYMBOL(36), &exits));
	CHECK_INT(exits.count, 0);
	vector_free(&exits);
	text_deinit(&t);
}

TEST(an_offset_must_be_where_an_instruction_begins)
{
	WITH_MADE;
	CHECK(!fbt_offset_problem(&t, SYMBOL(0), 0));
	CHECK(!fbt_offset_problem(&t, SYMBOL(0), 6));
	CHECK_STR(fbt_offset_problem(&t, SYMBOL(0), 3), "no instruction begins there");
	CHECK_STR(fbt_offset_problem(&t, SYMBOL(0), 16), "it is outside of the function");
	CHECK_STR(fbt_offset_problem(&t, SYMBOL(40), 1), "no instruction begins there");
	vector_free(&exits);
	text_deinit(&t);
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

static const struct text_symbol *find(const struct kernel_text *t, const char *name)
{
	for (size_t i = 0; i < t->symbols.count; i++)
		if (string_equal(t->symbols.items[i].name, name))
			return &t->symbols.items[i];
	return NULL;
}

TEST(of_this_kernel_vfs_read_returns_somewhere)
{
	struct kernel_code *k;
	auto_error struct error *refused = kernel_check_privileges();
	auto_error struct error *err = refused ? NULL : kernel_code_open(&k);
	if (refused || err)
		SKIP("needs CAP_BPF and CAP_PERFMON");
	struct kernel_text t;
	address_vector exits = { 0 };
	text_init(&t, arch_host(), read_kernel, k);
	kernel_function_addresses(add_function, &t);
	text_sort(&t);
	const struct text_symbol *s = find(&t, "vfs_read");
	CHECK(s && !fbt_exits(&t, s, &exits));
	CHECK(exits.count > 0);
	for (size_t i = 0; i < exits.count && text_symbol_at(&t, exits.items[i]) == s; i++)
		CHECK(!fbt_offset_problem(&t, s, exits.items[i] - s->address));
	vector_free(&exits);
	text_deinit(&t);
	kernel_code_close(k);
}

TEST_MAIN
