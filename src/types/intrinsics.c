/* SPDX-License-Identifier: BSD-2-Clause */
/* intrinsics - types that need no type data */
#include "types/model.h"

/*
 * Sizes of D's types: an address; a process and an address.  The size of stack depends on options.
 */
static const struct type intrinsics[INTRINSIC_COUNT] = {
	[INTRINSIC_VOID] = { TYPE_VOID, 0, "void" },
	[INTRINSIC_CHAR] = { TYPE_INTEGER, 1, "char", .is_signed = true, .is_char = true },
	[INTRINSIC_SCHAR] = { TYPE_INTEGER, 1, "signed char", .is_signed = true, .is_char = true },
	[INTRINSIC_UCHAR] = { TYPE_INTEGER, 1, "unsigned char", .is_char = true },
	[INTRINSIC_SHORT] = { TYPE_INTEGER, 2, "short", .is_signed = true },
	[INTRINSIC_USHORT] = { TYPE_INTEGER, 2, "unsigned short" },
	[INTRINSIC_INT] = { TYPE_INTEGER, 4, "int", .is_signed = true },
	[INTRINSIC_UINT] = { TYPE_INTEGER, 4, "unsigned int" },
	[INTRINSIC_LONG] = { TYPE_INTEGER, 8, "long", .is_signed = true },
	[INTRINSIC_ULONG] = { TYPE_INTEGER, 8, "unsigned long" },
	[INTRINSIC_LONG_LONG] = { TYPE_INTEGER, 8, "long long", .is_signed = true },
	[INTRINSIC_ULONG_LONG] = { TYPE_INTEGER, 8, "unsigned long long" },
	[INTRINSIC_INT128] = { TYPE_INTEGER, 16, "__int128", .is_signed = true },
	[INTRINSIC_UINT128] = { TYPE_INTEGER, 16, "unsigned __int128" },
	[INTRINSIC_BOOL] = { TYPE_INTEGER, 1, "_Bool", .is_bool = true },
	[INTRINSIC_FLOAT] = { TYPE_FLOAT, 4, "float" },
	[INTRINSIC_DOUBLE] = { TYPE_FLOAT, 8, "double" },
	[INTRINSIC_LONG_DOUBLE] = { TYPE_FLOAT, 16, "long double" },
	[INTRINSIC_STRING] = { TYPE_STRING, 256, "string" },
	[INTRINSIC_STACK] = { TYPE_STACK, 0, "stack" },
	[INTRINSIC_SYMADDR] = { TYPE_SYMADDR, 8, "_symaddr" },
	[INTRINSIC_USYMADDR] = { TYPE_USYMADDR, 16, "_usymaddr" },
	[INTRINSIC_DYNAMIC] = { TYPE_DYNAMIC, 0, "<DYN>" },
	[INTRINSIC_POISON] = { TYPE_POISON, 0, "<error>" },
};

const struct type *types_intrinsic(const struct types *t, enum type_intrinsic which)
{
	return &t->intrinsics[which];
}

/*
 * Other spellings of the base types; C allows the words of a name in any order, but compilers
 * write these.
 */
static const struct {
	const char *name;
	enum type_intrinsic is;
} spellings[] = {
	{ "short int", INTRINSIC_SHORT },
	{ "short unsigned int", INTRINSIC_USHORT },
	{ "unsigned", INTRINSIC_UINT },
	{ "signed", INTRINSIC_INT },
	{ "signed int", INTRINSIC_INT },
	{ "long int", INTRINSIC_LONG },
	{ "long unsigned int", INTRINSIC_ULONG },
	{ "unsigned long int", INTRINSIC_ULONG },
	{ "long long int", INTRINSIC_LONG_LONG },
	{ "long long unsigned int", INTRINSIC_ULONG_LONG },
	{ "unsigned long long int", INTRINSIC_ULONG_LONG },
};

const struct type *types_base_name(struct types *t, const char *name)
{
	for (unsigned i = 0; i <= INTRINSIC_USYMADDR; i++)
		if (string_equal(t->intrinsics[i].name, name))
			return &t->intrinsics[i];
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (string_equal(spellings[i].name, name))
			return &t->intrinsics[spellings[i].is];
	return NULL;
}

/* Of the kernel and of programs: their char may be unsigned, D's never is. */
const struct type *type_of_integer(struct types *t, const char *name, uint32_t size, bool is_signed,
				   bool is_char, bool is_bool)
{
	const struct type *known = types_base_name(t, name);
	if (known && known->kind == TYPE_INTEGER && known->size == size &&
	    known->is_signed == is_signed)
		return known;

	struct type *type = type_new(t, TYPE_INTEGER, size);
	type->name = name;
	type->is_signed = is_signed;
	type->is_char = is_char || string_equal(name, "char"); /* the kernel's BTF does not say */
	type->is_bool = is_bool;
	return type;
}

const struct type *type_of_float(struct types *t, const char *name, uint32_t size)
{
	const struct type *known = types_base_name(t, name);
	if (known && known->kind == TYPE_FLOAT && known->size == size)
		return known;
	struct type *type = type_new(t, TYPE_FLOAT, size);
	type->name = name;
	return type;
}

void intrinsics_init(struct types *t)
{
	memcpy(t->intrinsics, intrinsics, sizeof(intrinsics));

	static const struct {
		const char *name;
		enum type_intrinsic is;
	} typedefs[] = {
#define INTRINSIC_TYPEDEF(name, is) { #name, INTRINSIC_##is },
#include "types/intrinsic.def"
#undef INTRINSIC_TYPEDEF
	};
	for (size_t i = 0; i < ARRAY_SIZE(typedefs); i++)
		types_typedef(t, typedefs[i].name, types_intrinsic(t, typedefs[i].is), 0);
	types_typedef(t, "caddr_t", types_pointer(t, types_intrinsic(t, INTRINSIC_CHAR)), 0);
	/* Formats that D does not know: their bytes. */
	const struct type *byte = types_intrinsic(t, INTRINSIC_UCHAR);
	types_typedef(t, "_Float16", types_array(t, byte, 2), 2);
	types_typedef(t, "__bf16", types_array(t, byte, 2), 2);
	types_typedef(t, "_Float128", types_array(t, byte, 16), 16);
	types_typedef(t, "__float128", types_array(t, byte, 16), 16);
	types_typedef(t, "__builtin_va_list",
		      types_array(t, types_intrinsic(t, INTRINSIC_ULONG), 3), 0);
}
