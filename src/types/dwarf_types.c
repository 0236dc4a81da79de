/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_types - from DWARF entries to types of programs and libraries
 *
 * As with BTF (btf_types.c): one type per entry, in its place before its target is made; members
 * at their first use (dwarf_body.c).  Types of C++ and Rust become types of C: a class is a
 * struct, a base class is an unnamed member, a reference is a pointer.
 */
#include <dwarf.h>

#include "types/model.h"

/* No type of a real program nests deeper than some 20; damaged DWARF may. */
#define DEPTH_MAX 200

static const struct type *dwarf_make(struct types *t, struct debug_info *info, Dwarf_Die *entry,
				     unsigned depth);

/* --- attributes ------------------------------------------------------------------------------- */

bool entry_number(Dwarf_Die *entry, unsigned name, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	if (!dwarf_attr_integrate(entry, name, &attribute) ||
	    dwarf_formudata(&attribute, &value) != 0)
		return false;
	*ret = value;
	return true;
}

static uint32_t size_of(Dwarf_Die *entry)
{
	uint64_t size;
	return entry_number(entry, DW_AT_byte_size, &size) && size <= UINT32_MAX ? (uint32_t)size
										 : 0;
}

uint32_t entry_align(Dwarf_Die *entry)
{
	uint64_t align;
	bool is_power = entry_number(entry, DW_AT_alignment, &align) && align <= ALIGN_MOST &&
			!(align & (align - 1));
	return is_power ? (uint32_t)align : 0;
}

const char *entry_name(struct types *t, Dwarf_Die *entry)
{
	const char *name = dwarf_diename(entry);
	return name ? arena_strdup(t->arena, name) : NULL;
}

const struct type *entry_type(struct types *t, struct debug_info *info, Dwarf_Die *entry,
			      unsigned depth)
{
	Dwarf_Attribute attribute;
	Dwarf_Die target;
	if (!dwarf_attr_integrate(entry, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &target))
		return types_intrinsic(t, INTRINSIC_VOID);
	return dwarf_make(t, info, &target, depth + 1);
}

/* --- shells ----------------------------------------------------------------------------------- */

static struct type *process_type(struct types *t, enum type_kind kind, uint32_t size)
{
	struct type *type = type_new(t, kind, size);
	type->of_process = true;
	return type;
}

static const struct type *make_bytes(struct types *t, uint32_t size)
{
	return types_array(t, type_of_integer(t, "byte", 1, false, false, false), size);
}

/* C's three.  On x86 _Float128 is as large as long double, and another format. */
static bool is_float_of_c(const char *name, uint32_t size)
{
	return size == 4 || size == 8 || (size == 16 && !strstr(name, "128"));
}

static const struct type *make_float(struct types *t, const char *name, uint32_t size)
{
	return is_float_of_c(name, size) ? type_of_float(t, name, size) : make_bytes(t, size);
}

static const struct type *make_base(struct types *t, Dwarf_Die *entry)
{
	const char *name = entry_name(t, entry);
	uint64_t encoding;
	if (!name || !entry_number(entry, DW_AT_encoding, &encoding))
		return types_intrinsic(t, INTRINSIC_VOID);
	uint32_t size = size_of(entry);
	switch (encoding) {
	case DW_ATE_float:
	case DW_ATE_imaginary_float:
		return make_float(t, name, size);
	case DW_ATE_complex_float:
	case DW_ATE_decimal_float:
		return make_bytes(t, size);
	default:
		return type_of_integer(
			t, name, size, encoding == DW_ATE_signed || encoding == DW_ATE_signed_char,
			encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char,
			encoding == DW_ATE_boolean);
	}
}

static enum type_kind tagged_kind(int tag)
{
	return tag == DW_TAG_union_type		? TYPE_UNION
	       : tag == DW_TAG_enumeration_type ? TYPE_ENUM
						: TYPE_STRUCT;
}

/* One whose body is in no unit of the file: a D program may declare it. */
static const struct type *make_opaque(struct types *t, int tag, const char *name)
{
	struct type *type = process_type(t, TYPE_FORWARD, 0);
	type->name = name;
	struct type_body *body = body_new(t, type);
	body->kind = tagged_kind(tag);
	body->loaded = true; /* a kernel's struct of this name is another one */
	return type;
}

/* An enum's values may be negative: decided by its own type, or by the enum itself. */
static bool is_signed_enum(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	Dwarf_Die base = *entry;
	uint64_t encoding;
	if (dwarf_attr_integrate(entry, DW_AT_type, &attribute))
		dwarf_formref_die(&attribute, &base);
	return entry_number(&base, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
}

static const struct type *dwarf_make_tagged(struct types *t, struct debug_info *info,
					    Dwarf_Die *entry, unsigned depth)
{
	int tag = dwarf_tag(entry);
	const char *name = entry_name(t, entry);
	Dwarf_Die definition;
	if (dwarf_hasattr(entry, DW_AT_declaration))
		return debug_info_definition(info, entry, &definition)
			       ? dwarf_make(t, info, &definition, depth + 1)
			       : make_opaque(t, tag, name);
	struct type *type = process_type(t, tagged_kind(tag), size_of(entry));
	type->name = name;
	type->is_signed = type->kind == TYPE_ENUM && is_signed_enum(entry);
	struct described *described = ARENA_NEW(t->arena, struct described);
	described->info = info;
	described->entry = *entry;
	struct type_body *body = body_new(t, type);
	body->described = described;
	uint32_t align = entry_align(entry);
	if (align && type->kind != TYPE_ENUM && type->size % align == 0)
		body->align = align;
	return type;
}

/* C counts from 0. Without a bound (`char x[]`) there are no elements. */
static uint32_t elements_of(Dwarf_Die *range)
{
	uint64_t count = 0, last;
	if (!entry_number(range, DW_AT_count, &count) &&
	    entry_number(range, DW_AT_upper_bound, &last))
		count = last + 1; /* gcc says -1 of x[0] */
	return count <= UINT32_MAX ? (uint32_t)count : 0;
}

/* int x[2][3] is one entry with two ranges; the last one is that of the innermost array. */
static const struct type *array_from(struct types *t, Dwarf_Die *range, const struct type *element,
				     unsigned depth)
{
	Dwarf_Die next;
	bool is_range = dwarf_tag(range) == DW_TAG_subrange_type;
	if (depth < DEPTH_MAX && dwarf_siblingof(range, &next) == 0)
		element = array_from(t, &next, element, depth + 1);
	return is_range ? types_array(t, element, elements_of(range)) : element;
}

/* An array of its own: others of these elements are no vectors. */
static const struct type *make_vector(struct types *t, const struct type *array)
{
	struct type *type = type_new(t, TYPE_ARRAY, array->size);
	*type = *array;
	type->is_vector = true;
	if (array->size <= 64 && (array->size & (array->size - 1)) == 0)
		type->align = array->size;
	return type;
}

static const struct type *make_array(struct types *t, struct debug_info *info, Dwarf_Die *entry,
				     unsigned depth)
{
	const struct type *element = entry_type(t, info, entry, depth);
	Dwarf_Die range;
	if (dwarf_child(entry, &range) != 0)
		return types_array(t, element, 0);
	const struct type *array = array_from(t, &range, element, 0);
	bool is_vector = array->kind == TYPE_ARRAY && dwarf_hasattr(entry, DW_AT_GNU_vector);
	return is_vector ? make_vector(t, array) : array;
}

static void dwarf_fill_function(struct types *t, struct debug_info *info, struct type *type,
				Dwarf_Die *entry, unsigned depth)
{
	VECTOR(const struct type *) params = { 0 };
	Dwarf_Die child;
	for (int end = dwarf_child(entry, &child); end == 0;
	     end = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			vector_push(&params, entry_type(t, info, &child, depth));
		type->varargs |= dwarf_tag(&child) == DW_TAG_unspecified_parameters;
	}
	const struct type **copy = arena_alloc(t->arena, params.count * sizeof(*copy));
	if (params.count)
		memcpy(copy, params.items, params.count * sizeof(*copy));
	type->params = copy;
	type->count = (uint32_t)params.count;
	vector_free(&params);
	type->target = entry_type(t, info, entry, depth);
}

static unsigned dwarf_qualifier(int tag)
{
	return tag == DW_TAG_const_type	     ? TYPE_CONST
	       : tag == DW_TAG_volatile_type ? TYPE_VOLATILE
					     : 0;
}

/* Of the unit that ENTRY is in: 4 bytes in 32-bit programs. */
static uint32_t pointer_size(Dwarf_Die *entry)
{
	Dwarf_Die unit;
	uint8_t size;
	return dwarf_diecu(entry, &unit, &size, NULL) && size == 4 ? 4 : 8;
}

/* Types that refer to another one: the type is in its PLACE before the target is made. */
static const struct type *dwarf_make_derived(struct types *t, struct debug_info *info,
					     const struct type **place, enum type_kind kind,
					     Dwarf_Die *entry, unsigned depth)
{
	struct type *type = process_type(t, kind, kind == TYPE_POINTER ? pointer_size(entry) : 0);
	*place = type;
	if (kind == TYPE_FUNCTION) {
		dwarf_fill_function(t, info, type, entry, depth);
		return type;
	}
	type->name = kind == TYPE_TYPEDEF ? entry_name(t, entry) : NULL;
	type->qualifiers = dwarf_qualifier(dwarf_tag(entry));
	type->target = entry_type(t, info, entry, depth);
	/* Wherever a pointer is copied to, it points into the process. */
	if (kind == TYPE_POINTER && type->target->kind != TYPE_FUNCTION)
		type->target = types_qualified(t, type->target, TYPE_USERLAND);
	if (kind == TYPE_QUALIFIED && type->target->kind == TYPE_QUALIFIED) {
		type->qualifiers |= type->target->qualifiers;
		type->target = type->target->target;
	}
	return type;
}

/* An offset in the class; to a function, its address or place in the table, and an offset. */
static const struct type *make_member_pointer(struct types *t, struct debug_info *info,
					      Dwarf_Die *entry, unsigned depth)
{
	const struct type *number = types_intrinsic(t, INTRINSIC_LONG);
	bool to_function = type_resolve(entry_type(t, info, entry, depth))->kind == TYPE_FUNCTION;
	return to_function ? types_array(t, number, 2) : number;
}

/* Of these only C++'s std::nullptr_t has values: it is passed as a pointer. */
static const struct type *make_unspecified(struct types *t, Dwarf_Die *entry)
{
	const struct type *nothing = types_intrinsic(t, INTRINSIC_VOID);
	const char *name = dwarf_diename(entry);
	bool is_null = name && string_equal(name, "decltype(nullptr)");
	return is_null ? types_pointer(t, nothing) : nothing;
}

/* *PLACE is the entry's, and known to be empty. */
static const struct type *make_new(struct types *t, struct debug_info *info,
				   const struct type **place, Dwarf_Die *entry, unsigned depth)
{
	switch (dwarf_tag(entry)) {
	case DW_TAG_base_type:
		return make_base(t, entry);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return dwarf_make_tagged(t, info, entry, depth);
	case DW_TAG_array_type:
		return make_array(t, info, entry, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return dwarf_make_derived(t, info, place, TYPE_POINTER, entry, depth);
	case DW_TAG_typedef:
		return dwarf_make_derived(t, info, place, TYPE_TYPEDEF, entry, depth);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
		return dwarf_make_derived(t, info, place, TYPE_QUALIFIED, entry, depth);
	case DW_TAG_subroutine_type:
		return dwarf_make_derived(t, info, place, TYPE_FUNCTION, entry, depth);
	case DW_TAG_unspecified_type:
		return make_unspecified(t, entry);
	case DW_TAG_ptr_to_member_type:
		return make_member_pointer(t, info, entry, depth);
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_shared_type:
	case DW_TAG_packed_type:
	case DW_TAG_subrange_type:
		return entry_type(t, info, entry, depth);
	default:
		return types_intrinsic(t, INTRINSIC_VOID);
	}
}

/* Places must stay where they are while others are made, which those of a hash table do not. */
static const struct type **entry_place(struct types *t, const Dwarf_Die *entry)
{
	if (!t->described)
		t->described = hash_new();
	void **place = hash_place(t->described, &entry->addr, sizeof(entry->addr));
	if (!*place)
		*place = ARENA_NEW(t->arena, const struct type *);
	return *place;
}

static const struct type *dwarf_make(struct types *t, struct debug_info *info, Dwarf_Die *entry,
				     unsigned depth)
{
	const struct type *nothing = types_intrinsic(t, INTRINSIC_VOID);
	if (depth > DEPTH_MAX)
		return nothing;
	Dwarf_Attribute signature;
	Dwarf_Die elsewhere;
	/* With -fdebug-types-section a struct's entry may only name the unit of its body. */
	if (dwarf_attr(entry, DW_AT_signature, &signature) &&
	    dwarf_formref_die(&signature, &elsewhere))
		return dwarf_make(t, info, &elsewhere, depth + 1);
	const struct type **place = entry_place(t, entry);
	if (*place)
		return type_is_unfinished(*place) && (*place)->kind != TYPE_POINTER ? nothing
										    : *place;
	return *place = make_new(t, info, place, entry, depth);
}

/* --- objects ---------------------------------------------------------------------------------- */

const struct type *types_object_variable(struct types *t, struct debug_info *info, uint64_t address,
					 const char *name)
{
	Dwarf_Die entry;
	if (!info || !debug_info_variable(info, address, name, &entry))
		return NULL;
	return entry_type(t, info, &entry, 0);
}

static int tag_of_kind(enum type_kind kind)
{
	return kind == TYPE_STRUCT  ? DW_TAG_structure_type
	       : kind == TYPE_UNION ? DW_TAG_union_type
	       : kind == TYPE_ENUM  ? DW_TAG_enumeration_type
				    : DW_TAG_typedef;
}

const struct type *object_type(struct types *t, struct debug_info *info, enum type_kind kind,
			       const char *name)
{
	Dwarf_Die entry;
	if (!debug_info_type(info, tag_of_kind(kind), name, &entry))
		return NULL;
	return dwarf_make(t, info, &entry, 0);
}

/* --- namespaces --- */

static bool entry_is_scope(Dwarf_Die *entry)
{
	int tag = dwarf_tag(entry);
	return (tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
		tag == DW_TAG_class_type || tag == DW_TAG_union_type) &&
	       dwarf_diename(entry);
}

/* libdw searches the whole unit for the entry. */
static const char *described_scoped_name(const struct type *type, struct described *described)
{
	auto_strbuf struct strbuf name = { 0 };
	Dwarf_Die *scopes = NULL, entry = described->entry;
	int count = dwarf_getscopes_die(&entry, &scopes);
	for (int i = count - 1; i > 0; i--) /* the first is the entry */
		if (entry_is_scope(&scopes[i]))
			strbuf_printf(&name, "%s::", dwarf_diename(&scopes[i]));
	strbuf_puts(&name, type->name);
	free(scopes);
	return arena_strdup(type->body->owner->arena, strbuf_text(&name));
}

const char *type_scoped_name(const struct type *type)
{
	struct described *described = type->body ? type->body->described : NULL;
	if (described && !described->scoped_name)
		described->scoped_name = described_scoped_name(type, described);
	return described ? described->scoped_name : type->name;
}

const struct type *type_template_argument(struct types *t, const struct type *type, unsigned number)
{
	const struct described *described = type->body ? type->body->described : NULL;
	Dwarf_Die entry, child;
	if (!described)
		return NULL;
	entry = described->entry;
	if (pointer_size(&entry) < 8)
		return NULL;
	for (int err = dwarf_child(&entry, &child); err == 0; err = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter && !number--)
			return entry_type(t, described->info, &child, 0);
	return NULL;
}
