/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_call - where a call of a process's function passes its arguments and result
 *
 * The types come from types/dwarf_function.c, types/btf_function.c or object/btf/ctf.c, the places
 * from object/dwarf/parameter.c, else from the calling convention (arch/call.h).  The expression
 * args[n] is sema/expression/process_argument.c.
 */
#include "provider/process/pid.h"

#include "arch/call.h"
#include "object/dwarf/parameter.h"

static const char in_floats[] = "is in a floating-point register, which probes cannot read";
static const char gone[] = "was optimized away";
static const char own_convention[] =
	"is passed by a rule of its language that the debug information does not tell";

/* --- values, as the calling convention sees them ---------------------------------------------- */

#define FLATTENED_MOST 64 /* bytes: larger ones are in memory whatever is in them */
#define NESTED_MOST 16

typedef VECTOR(struct call_part) part_vector;

/* Types of damaged debug information may have more members inside of each other than can be counted
 */
#define STEPS_MOST 65536

struct walk {
	struct types *types;
	unsigned steps_left;
	part_vector *parts;
};

static void flatten(struct walk *w, const struct type *type, uint32_t offset, unsigned depth);

/* Complex numbers are arrays of bytes to D, and no type of C has this name. */
static bool is_opaque(const struct type *array)
{
	const struct type *element = type_resolve(array->target);
	return array->is_vector || (element->kind == TYPE_INTEGER && element->name &&
				    string_equal(element->name, "byte"));
}

static void flatten_array(struct walk *w, const struct type *type, uint32_t offset, unsigned depth)
{
	if (is_opaque(type)) {
		uint32_t size = type_size(type);
		bool is_in_floats = type->is_vector || size <= 16; /* else complex long double */
		vector_push(w->parts,
			    (struct call_part) { offset, size,
						 is_in_floats ? CALL_FLOAT : CALL_LONG_DOUBLE });
		return;
	}
	for (uint32_t i = 0; i < type->count; i++)
		flatten(w, type->target, offset + i * type_size(type->target), depth);
}

static void flatten_members(struct walk *w, const struct type *type, uint32_t offset,
			    unsigned depth)
{
	for (unsigned i = 0; i < type_member_count(w->types, type); i++) {
		const struct member *m = type_member_at(w->types, type, i);
		if (m->absent || m->variant)
			continue;
		uint32_t first = m->bit_offset / 8, end = (m->bit_offset + m->bit_size + 7) / 8;
		if (!m->bit_size)
			flatten(w, m->type, offset + first, depth);
		else /* wherever it begins; the bytes have no alignment */
			for (uint32_t b = first; b < end; b++)
				vector_push(w->parts,
					    (struct call_part) { offset + b, 1, CALL_INTEGER });
	}
}

static void flatten(struct walk *w, const struct type *type, uint32_t offset, unsigned depth)
{
	type = type_resolve(type);
	uint32_t size = type_size(type);
	if (!size || !depth || offset + size > FLATTENED_MOST || !w->steps_left ||
	    w->parts->count > 8 * FLATTENED_MOST)
		return;
	w->steps_left--;
	if (type->kind == TYPE_ARRAY)
		flatten_array(w, type, offset, depth - 1);
	else if (type_is_struct(type))
		flatten_members(w, type, offset, depth - 1);
	else if (type->kind == TYPE_FLOAT)
		vector_push(w->parts,
			    (struct call_part) { offset, size,
						 size > 8 ? CALL_LONG_DOUBLE : CALL_FLOAT });
	else
		vector_push(w->parts, (struct call_part) { offset, size, CALL_INTEGER });
}

static bool is_aggregate(const struct type *type)
{
	type = type_resolve(type);
	return type_is_struct(type) || (type->kind == TYPE_ARRAY && !is_opaque(type));
}

static bool has_array(struct walk *w, const struct type *type, unsigned depth)
{
	type = type_resolve(type);
	if (type->kind == TYPE_ARRAY)
		return !is_opaque(type) && type->count > 1;
	if (!depth || !w->steps_left || !type_is_struct(type))
		return false;
	w->steps_left--;
	for (unsigned i = 0; i < type_member_count(w->types, type); i++)
		if (has_array(w, type_member_at(w->types, type, i)->type, depth - 1))
			return true;
	return false;
}

/* The caller frees the parts. */
static struct call_value call_value_of(struct types *t, const struct type *type, part_vector *parts)
{
	uint32_t size = type_size(type);
	struct walk walk = { t, STEPS_MOST, parts }, second = walk;
	if (size <= FLATTENED_MOST)
		flatten(&walk, type, 0, NESTED_MOST);
	else
		vector_push(parts, (struct call_part) { 0, size, CALL_INTEGER });
	return (struct call_value) {
		.size = size,
		.align = type_align(type),
		.is_aggregate = is_aggregate(type),
		.has_array = has_array(&second, type, NESTED_MOST),
		.by_address = type_is_passed_by_address(t, type),
		.parts = parts->items,
		.count = (unsigned)parts->count,
	};
}

/*
 * How Rust passes what C would pass as V: large objects by their address, those of one scalar, or
 * of two words, as scalars.  False: nobody knows.  Variants (of Option) have no parts here.
 */
static bool adapt_to_rust(const struct type *type, struct call_value *v)
{
	if (!is_aggregate(type) || !v->size)
		return true;
	v->by_address |= v->size > 16;
	bool is_scalar = v->count == 1 && v->parts[0].size == v->size;
	bool is_two_words = v->count == 2 && v->parts[0].size == 8 && v->parts[1].size == 8;
	return v->by_address || is_scalar || is_two_words;
}

/* In programs of 32 bits we know C's rule alone. */
static bool call_is_known(const struct arch *arch, const struct object_function *f,
			  const struct type *type, struct call_value *v)
{
	if (arch != arch_host() && f->convention != CONVENTION_C)
		return false;
	switch (f->convention) {
	case CONVENTION_C:
		return v->size || is_aggregate(type);
	case CONVENTION_RUST:
		return adapt_to_rust(type, v);
	case CONVENTION_GO:
		return v->size || is_aggregate(type);
	case CONVENTION_UNKNOWN:
		return false;
	}
	return false;
}

/* --- places ----------------------------------------------------------------------------------- */

static void place_in_memory(struct probe_argument *a, uint16_t base, int64_t offset)
{
	a->in_memory = true;
	a->base = (struct probe_word) { WORD_REGISTER, base / 8 };
	a->offset = offset;
}

static void place_on_stack(const struct arch *arch, struct probe_argument *a, int64_t offset)
{
	place_in_memory(a, arch->stack_pointer, arch->stack_argument + offset);
}

static void place_by_call(const struct arch *arch, struct probe_argument *a,
			  const struct call_place *p)
{
	switch (p->kind) {
	case CALL_NOWHERE:
		a->problem = "has no bytes";
		return;
	case CALL_IN_FLOATS:
		a->problem = in_floats;
		return;
	case CALL_UNKNOWN:
		a->problem = "is in memory whose address is not known";
		return;
	case CALL_ON_STACK:
		place_on_stack(arch, a, p->offset);
		a->by_address = p->is_address;
		return;
	case CALL_IN_REGISTERS:
		break;
	}
	if (p->is_address) {
		place_in_memory(a, p->registers[0], 0);
		return;
	}
	for (unsigned i = 0; i < p->count; i++)
		a->words[i] = (struct probe_word) { WORD_REGISTER, p->registers[i] / 8 };
	/* Words of padding have no register. */
	unsigned words = (type_size(a->type) + a->word - 1) / a->word;
	a->count = words <= PROBE_WORDS ? MAX(p->count, words) : p->count;
	for (unsigned i = p->count; i < a->count; i++)
		a->words[i] = (struct probe_word) { WORD_CONSTANT, 0 };
}

/* The register of DWARF's number; false: it is not in struct pt_regs. */
static bool register_of(const struct arch *arch, unsigned number, uint16_t *ret)
{
	if (number >= arch->dwarf_count)
		return false;
	*ret = arch->dwarf_registers[number];
	return true;
}

static void place_in_registers(const struct arch *arch, struct probe_argument *a,
			       const struct parameter_place *p)
{
	uint16_t at = 0;
	a->count = p->count;
	for (unsigned i = 0; i < p->count; i++) {
		if (!register_of(arch, p->registers[i], &at))
			a->problem = in_floats;
		a->words[i] = (struct probe_word) { WORD_REGISTER, at / 8 };
	}
}

/* As DWARF says; false: it leaves that to the calling convention. */
static bool place_by_dwarf(const struct arch *arch, struct probe_argument *a,
			   const struct parameter_place *p)
{
	uint16_t at;
	switch (p->kind) {
	case PARAMETER_BY_CALL:
		return false;
	case PARAMETER_GONE:
		a->problem = gone;
		return true;
	case PARAMETER_REGISTERS:
		place_in_registers(arch, a, p);
		return true;
	case PARAMETER_MEMORY:
		if (!register_of(arch, p->registers[0], &at))
			return false;
		place_in_memory(a, at, p->offset);
		if (p->of_entry)
			a->base.kind = WORD_OF_ENTRY;
		return true;
	case PARAMETER_ON_STACK:
		place_on_stack(arch, a, p->offset);
		return true;
	case PARAMETER_CONSTANT:
		a->word = 8;
		a->count = 1;
		a->words[0] = (struct probe_word) { WORD_CONSTANT, p->value };
		return true;
	case PARAMETER_SUM:
		if (!register_of(arch, p->registers[0], &at))
			return false;
		a->count = 1;
		a->words[0].kind = p->of_entry ? WORD_OF_ENTRY : WORD_REGISTER;
		a->words[0].value = at / 8;
		a->offset = p->offset;
		return true;
	case PARAMETER_STATIC:
	case PARAMETER_ADDRESS:
	case PARAMETER_UNKNOWN:
		break;
	}
	return false;
}

/* Values that D has no form for, or that damaged debug information puts where they do not fit. */
static void argument_place_check(struct probe_argument *a)
{
	const struct type *type = type_resolve(a->type);
	if (!type_size(type) && a->problem != gone)
		a->problem = "is of a type of which only the name is known here";
	else if (a->problem)
		return;
	else if (!a->in_memory && type_size(type) > a->count * a->word)
		a->problem = gone;
	else if (!a->in_memory && !type_is_scalar(type) && (!type_is_struct(type) || a->word < 8))
		a->problem = "is of a type that D cannot take from registers";
}

void pid_call_variable(const struct arch *arch, const struct parameter_place *p,
		       struct probe_argument *ret)
{
	ret->word = arch->word;
	if (!place_by_dwarf(arch, ret, p))
		ret->problem = "is computed there by an expression that is not followed";
	else if (type_resolve(ret->type)->kind == TYPE_FLOAT && !ret->in_memory && !ret->problem)
		ret->problem = "is a constant of floating point";
	argument_place_check(ret);
}

/* --- calls ------------------------------------------------------------------------------------ */

/* The place of F's result; false: it is not known.  TAKES_ARGUMENT: see struct arch. */
static bool result_place(const struct arch *arch, const struct object_function *f, struct types *t,
			 struct call_place *ret, bool *takes_argument)
{
	part_vector parts = { 0 };
	struct call_value v = call_value_of(t, f->result, &parts);
	bool known = call_is_known(arch, f, f->result, &v);
	*takes_argument = false;
	*ret = (struct call_place) { CALL_UNKNOWN };
	if (known && f->convention != CONVENTION_GO)
		arch->call_result(&v, ret, takes_argument);
	vector_free(&parts);
	return known;
}

/* Also counts the argument in CALL.  False: from this one on, nobody knows where they are. */
static bool argument_place(const struct arch *arch, const struct object_function *f,
			   struct types *t, const struct object_parameter *parameter,
			   struct call *call, struct call_place *ret)
{
	const struct type *type = parameter->type;
	const struct parameter_place *p = parameter->place;
	part_vector parts = { 0 };
	struct call_value v = call_value_of(t, type, &parts);
	v.by_address |= p->by_address;
	bool known = v.by_address || call_is_known(arch, f, type, &v);
	if (known && f->convention == CONVENTION_GO)
		call_go(arch, call, &v, ret);
	else if (known)
		arch->call_argument(call, &v, ret);
	vector_free(&parts);
	return known;
}

void pid_call_arguments(const struct arch *arch, struct types *t, const struct object_function *f,
			struct probe_argument *list)
{
	struct call call = { 0 };
	struct call_place place;
	bool takes_argument, known = true;
	result_place(arch, f, t, &place, &takes_argument);
	if (takes_argument)
		arch->call_argument(&call, &call_pointer, &place);
	for (unsigned i = 0; i < f->count; i++) {
		list[i].word = arch->word;
		known = known && argument_place(arch, f, t, &f->parameters[i], &call, &place);
		if (place_by_dwarf(arch, &list[i], f->parameters[i].place))
			;
		else if (known)
			place_by_call(arch, &list[i], &place);
		else
			list[i].problem = own_convention;
		argument_place_check(&list[i]);
	}
}

void pid_call_result(const struct arch *arch, struct types *t, const struct object_function *f,
		     struct probe_argument *ret)
{
	ret->word = arch->word;
	struct call_place place;
	bool takes_argument;
	bool known = result_place(arch, f, t, &place, &takes_argument);
	if (!f->keeps_result)
		ret->problem = gone;
	else if (known)
		place_by_call(arch, ret, &place);
	else
		ret->problem = own_convention;
	argument_place_check(ret);
}

void pid_call_go_results(const struct arch *arch, struct types *t, const struct object_function *f,
			 struct probe_argument *list)
{
	struct call call = { 0 };
	struct call_place place;
	for (unsigned i = 0; i < f->result_count; i++) {
		list[i].word = arch->word;
		if (argument_place(arch, f, t, &f->results[i], &call, &place))
			place_by_call(arch, &list[i], &place);
		else
			list[i].problem = own_convention;
		argument_place_check(&list[i]);
	}
}
