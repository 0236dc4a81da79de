/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters and results of this program's own functions, as gcc or clang describes them. */
#include "object/dwarf/debug_info.h"
#include "object/dwarf/parameter.h"
#include "test.h"
#include "types/type_text.h"
#include "types/types.h"

struct node {
	struct node *next;
	long value;
};

__attribute__((noinline, used)) struct node function_test_plain(struct node *node, unsigned char c,
								double d);
__attribute__((noinline, used)) struct node function_test_plain(struct node *node, unsigned char c,
								double d)
{
	asm volatile("" : : "r"(node), "r"((int)c), "r"((int)d));
	return *node;
}

__attribute__((noinline, used)) static void function_test_static(void)
{
	asm volatile("");
}

/* 8 to the power of 13 members inside of each other. */
#define EIGHT(name, inner)                                                                         \
	union name {                                                                               \
		union inner a, b, c, d, e, f, g, h;                                                \
	};
union n0 {
	int x;
};
EIGHT(n1, n0)
EIGHT(n2, n1)
EIGHT(n3, n2)
EIGHT(n4, n3)
EIGHT(n5, n4)
EIGHT(n6, n5)
EIGHT(n7, n6)
EIGHT(n8, n7)
EIGHT(n9, n8)
EIGHT(n10, n9)
EIGHT(n11, n10)
EIGHT(n12, n11)
EIGHT(n13, n12)

__attribute__((noinline, used)) static void function_test_nested(union n13 *p)
{
	asm volatile("" : : "r"(p));
}

struct subject {
	struct elf_file *file;
	struct debug_info *info;
	struct types *types;
};

static struct subject subject_new(void)
{
	struct subject s = { .types = types_new("/nonexistent") };
	struct error *err = elf_file_open("/proc/self/exe", &s.file);
	CHECK(!err);
	error_free(err);
	bool is_damaged = false;
	s.info = debug_info_open(s.file, &is_damaged);
	CHECK(!is_damaged);
	return s;
}

static void subject_free(struct subject *s)
{
	types_free(s->types);
	debug_info_free(s->info);
	elf_file_free(s->file);
}

/* OFFSET: into its code. */
static const struct object_function *function_named(struct subject *s, const char *name,
						    uint64_t offset)
{
	const struct elf_symbol *symbol = elf_file_symbol_named(s->file, name);
	return symbol ? types_object_function(s->types, s->info, symbol->address + offset, symbol)
		      : NULL;
}

TEST(parameters_have_names_and_types)
{
	struct subject s = subject_new();
	const struct object_function *f = function_named(&s, "function_test_plain", 0);
	CHECK(f && f->count == 3);
	CHECK(f->convention == CONVENTION_C);
	CHECK_STR(text_of(f->result), "struct node");
	CHECK_STR(f->parameters[0].name, "node");
	CHECK_STR(text_of(f->parameters[0].type), "userland struct node *");
	CHECK_STR(f->parameters[1].name, "c");
	CHECK_STR(text_of(f->parameters[1].type), "unsigned char");
	CHECK_STR(text_of(f->parameters[2].type), "double");
	for (unsigned i = 0; i < f->count; i++) /* whatever the optimization is */
		CHECK(f->parameters[i].place->kind == PARAMETER_BY_CALL ||
		      f->parameters[i].place->kind == PARAMETER_REGISTERS);
	CHECK(!type_is_passed_by_address(s.types, f->result));
	subject_free(&s);
}

TEST(any_address_of_the_code_finds_the_function)
{
	struct subject s = subject_new();
	const struct object_function *f = function_named(&s, "function_test_plain", 1);
	CHECK(f && f->count == 3);
	f = function_named(&s, "function_test_static", 0);
	CHECK(f && f->count == 0);
	CHECK(f && type_resolve(f->result)->kind == TYPE_VOID);
	subject_free(&s);
}

TEST(members_nested_without_end_are_looked_at_only_so_long)
{
	struct subject s = subject_new();
	const struct object_function *f = function_named(&s, "function_test_nested", 0);
	const struct type *pointer = f && f->count ? type_resolve(f->parameters[0].type) : NULL;
	CHECK(pointer && pointer->kind == TYPE_POINTER);
	CHECK(pointer && !type_is_passed_by_address(s.types, pointer->target));
	subject_free(&s);
}

TEST(addresses_without_code_are_no_functions)
{
	struct subject s = subject_new();
	const struct elf_symbol main_symbol = { .name = "main", .global = true };
	CHECK(!types_object_function(s.types, s.info, 0, &main_symbol));
	CHECK(!types_object_function(s.types, s.info, UINT64_MAX, &main_symbol));
	CHECK(!types_object_function(s.types, NULL, 0x1000, &main_symbol));
	subject_free(&s);
}

TEST_MAIN
