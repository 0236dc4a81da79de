/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of this program's own variables, as gcc or clang describes them. */
#include "object/dwarf/debug_info.h"
#include "test.h"
#include "types/type_text.h"
#include "types/types.h"

enum color { RED, GREEN = 5, BLUE = -2 };

struct hidden;

struct node {
	struct node *next;
	char name[16];
	unsigned a : 3, b : 13;
	long c : 20;
	enum color color;
	union {
		int whole;
		float part;
	};
	short table[2][3];
	void (*call)(int, char *, ...);
	struct hidden *hidden;
	const volatile unsigned char *bytes;
};

typedef struct node node_t;

node_t dwarf_test_node;
static int dwarf_test_static[4] __attribute__((used));
long double dwarf_test_wide;
const char *const dwarf_test_text = "text";
double _Complex dwarf_test_complex;
#ifdef __SIZEOF_FLOAT128__
__float128 dwarf_test_other_format;
#endif
enum { UPPER_HALF = 200 } __attribute__((packed)) dwarf_test_byte;
enum { MINUS_ONE = -1, STILL_200 = 200 } dwarf_test_signed;

__attribute__((used)) static int *dwarf_test_local(void)
{
	static int dwarf_test_inside;
	return &dwarf_test_inside;
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

static const struct type *type_named(struct subject *s, const char *name)
{
	const struct elf_symbol *symbol = elf_file_symbol_named(s->file, name);
	return symbol ? types_object_variable(s->types, s->info, symbol->address, name) : NULL;
}

TEST(variables_are_found_by_address)
{
	struct subject s = subject_new();
	CHECK_STR(text_of(type_named(&s, "dwarf_test_node")), "node_t");
	CHECK_STR(text_of(type_named(&s, "dwarf_test_static")), "int [4]");
	CHECK_STR(text_of(type_named(&s, "dwarf_test_wide")), "long double");
	CHECK_STR(text_of(type_named(&s, "dwarf_test_text")), "userland const char *const");
	CHECK(type_named(&s, "dwarf_test_static") == type_named(&s, "dwarf_test_static"));
	CHECK(!types_object_variable(s.types, s.info, 1, "one"));
	subject_free(&s);
}

static void check_member(struct subject *s, const char *name, const char *type, size_t offset)
{
	struct member m;
	const struct type *node = type_named(s, "dwarf_test_node");
	CHECK(type_member(s->types, node, name, &m));
	CHECK_STR(text_of(m.type), type);
	CHECK_INT(m.bit_offset, offset * 8);
	CHECK_INT(m.bit_size, 0);
}

TEST(members_lie_where_the_compiler_put_them)
{
	struct subject s = subject_new();
	check_member(&s, "next", "userland struct node *", offsetof(struct node, next));
	check_member(&s, "name", "char [16]", offsetof(struct node, name));
	check_member(&s, "color", "enum color", offsetof(struct node, color));
	check_member(&s, "whole", "int", offsetof(struct node, whole));
	check_member(&s, "part", "float", offsetof(struct node, part));
	check_member(&s, "table", "short [2][3]", offsetof(struct node, table));
	check_member(&s, "call", "void (*)(int, userland char *, ...)",
		     offsetof(struct node, call));
	check_member(&s, "hidden", "userland struct hidden *", offsetof(struct node, hidden));
	check_member(&s, "bytes", "userland const volatile unsigned char *",
		     offsetof(struct node, bytes));
	const struct type *node = type_named(&s, "dwarf_test_node");
	CHECK_INT(type_size(node), sizeof(struct node));
	CHECK_INT(type_align(node), _Alignof(struct node));
	struct member next;
	CHECK(type_member(s.types, node, "next", &next));
	CHECK(type_resolve(next.type->target) == type_resolve(node));
	subject_free(&s);
}

/* The value of a bit-field, found by the place in its type. */
static int64_t bits_of(const struct node *n, const struct member *m)
{
	uint64_t value = 0;
	for (uint32_t i = 0; i < m->bit_size; i++) {
		uint32_t at = m->bit_offset + i;
		uint64_t bit = ((const uint8_t *)n)[at / 8] >> at % 8 & 1;
		value |= bit << i;
	}
	unsigned unused = 64 - m->bit_size;
	return type_is_signed(m->type) ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

TEST(bit_fields_lie_where_the_compiler_put_them)
{
	struct subject s = subject_new();
	struct node n = { .a = 5, .b = 4097, .c = -77 };
	const struct type *node = type_named(&s, "dwarf_test_node");
	struct member m;
	CHECK(type_member(s.types, node, "a", &m));
	CHECK_INT(bits_of(&n, &m), 5);
	CHECK(type_member(s.types, node, "b", &m));
	CHECK_INT(bits_of(&n, &m), 4097);
	CHECK(type_member(s.types, node, "c", &m));
	CHECK_INT(bits_of(&n, &m), -77);
	subject_free(&s);
}

TEST(enumerators_have_their_values)
{
	struct subject s = subject_new();
	struct member m;
	CHECK(type_member(s.types, type_named(&s, "dwarf_test_node"), "color", &m));
	CHECK(type_is_signed(m.type));
	CHECK_INT(type_enumerator_count(s.types, m.type), 3);
	CHECK_STR(type_enumerator_at(s.types, m.type, 1)->name, "GREEN");
	CHECK_INT(type_enumerator_at(s.types, m.type, 1)->value, 5);
	CHECK_INT(type_enumerator_at(s.types, m.type, 2)->value, -2);
	subject_free(&s);
}

static int64_t last_value(struct subject *s, const char *variable)
{
	const struct type *type = type_named(s, variable);
	return type_enumerator_at(s->types, type, type_enumerator_count(s->types, type) - 1)->value;
}

TEST(enumerators_of_the_upper_half_are_positive)
{
	struct subject s = subject_new();
	CHECK_INT(last_value(&s, "dwarf_test_byte"), 200);
	CHECK_INT(last_value(&s, "dwarf_test_signed"), 200);
	subject_free(&s);
}

TEST(numbers_that_d_does_not_know_are_made_of_what_it_knows)
{
	struct subject s = subject_new();
	CHECK_STR(text_of(type_named(&s, "dwarf_test_complex")), "byte [16]");
#ifdef __SIZEOF_FLOAT128__
	CHECK_STR(text_of(type_named(&s, "dwarf_test_other_format")), "byte [16]");
#endif
	subject_free(&s);
}

/* Its symbol has a number or the function's name besides, which the compiler chose. */
TEST(static_variables_of_functions_have_types)
{
	struct subject s = subject_new();
	const struct elf_symbol *symbols;
	size_t count;
	const struct type *type = NULL;
	error_free(elf_file_symbols(s.file, &symbols, &count));
	for (size_t i = 0; i < count && !type; i++)
		if (strstr(symbols[i].name, "dwarf_test_inside"))
			type = types_object_variable(s.types, s.info, symbols[i].address,
						     symbols[i].name);
	CHECK_STR(text_of(type), "int");
	subject_free(&s);
}

TEST(what_is_described_nowhere_may_be_declared_by_d)
{
	struct subject s = subject_new();
	struct member m;
	CHECK(type_member(s.types, type_named(&s, "dwarf_test_node"), "hidden", &m));
	const struct type *hidden = m.type->target;
	CHECK_INT(type_resolve(hidden)->kind, TYPE_FORWARD);
	struct type *declared = types_declare_tag(s.types, TYPE_STRUCT, "hidden");
	struct member inside = { .name = "x", .type = types_intrinsic(s.types, INTRINSIC_INT) };
	types_complete_struct(s.types, declared, &inside, 1, 0);
	CHECK_INT(type_size(hidden), 4);
	subject_free(&s);
}

static struct file_types own_info(void *arg, int pid, const char *module)
{
	return (struct file_types) { .info = pid == 0 && string_equal(module, "a.out") ? arg : NULL,
				     .btf = bytes_of(NULL, 0) };
}

TEST(types_of_files_are_found_by_name)
{
	struct subject s = subject_new();
	const struct type *node = type_resolve(type_named(&s, "dwarf_test_node"));
	CHECK(!types_find(s.types, "struct pid`a.out`node"));
	types_set_objects(s.types, own_info, s.info);
	CHECK(types_find(s.types, "struct pid`a.out`node") == node);
	CHECK(types_find(s.types, "pid`a.out`struct node") == node);
	CHECK(type_resolve(types_find(s.types, "pid`a.out`node_t")) == node);
	CHECK(type_is_of_process(types_find(s.types, "pid`a.out`node_t")));
	CHECK(!types_find(s.types, "pid`a.out`node"));
	CHECK(!types_find(s.types, "pid1`a.out`node_t"));
	CHECK(!types_find(s.types, "pid`b.out`node_t"));
	CHECK(!types_find(s.types, "pid``node_t"));
	CHECK(!types_find(s.types, "pid`a`b`node_t"));
	CHECK(!types_find(s.types, "pid99999999999`a.out`node_t"));
	subject_free(&s);
}

TEST(a_file_without_debug_information_has_no_types)
{
	struct types *t = types_new("/nonexistent");
	struct elf_file *file;
	struct error *err = elf_file_open("/bin/true", &file);
	CHECK(!err);
	error_free(err);
	bool is_damaged = false;
	struct debug_info *info = debug_info_open(file, &is_damaged);
	CHECK(!info && !is_damaged);
	CHECK(!types_object_variable(t, info, elf_file_entry(file), "_start"));
	types_free(t);
	debug_info_free(info);
	elf_file_free(file);
}

TEST_MAIN
