/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_argument - args[] of a process's functions (struct probe_argument)
 *
 * Numbers and pointers are registers.  An object in memory is read there; one in registers is put
 * together in a variable of the clause, so that members, print() and assignments find it at an
 * address like any other object.
 */
#include "sema/sema_internal.h"

struct texpr *args_wrong_name(struct sema *s, const struct node *n, const char *what,
			      const struct nearest *nearest)
{
	const char *best = nearest->best;
	return mistake(s, n->member.name_range, D_ARGS_IDX, "no %s is called %s%s", what,
		       n->member.name,
		       best ? arena_printf(s->arena, ": did you mean %s?", best) : "");
}

static struct texpr *word_value(struct sema *s, const struct probe_argument *a,
				const struct probe_word *w, struct range range)
{
	const struct type *type = intrinsic(s, INTRINSIC_ULONG);
	if (w->kind == WORD_ARGUMENT)
		return texpr_argument(s, (unsigned)w->value, range);
	if (w->kind == WORD_CONSTANT)
		return texpr_integer(s, w->value, type, range);
	if (w->kind == WORD_OF_ENTRY)
		return s->register_of_entry(s, (unsigned)w->value, range);
	struct texpr *e = texpr_new(s, TEXPR_UREG, type, range);
	e->argument.index = (unsigned)w->value;
	e->argument.is_result = a->is_result;
	return e;
}

/* A number of 8 bytes in two registers of a 32-bit program; their upper halves are not its own. */
static struct texpr *two_words(struct sema *s, const struct probe_argument *a, struct range range)
{
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	const struct type *half = intrinsic(s, INTRINSIC_UINT);
	struct texpr *low = convert_scalar(s, word_value(s, a, &a->words[0], range), half);
	struct texpr *high = word_value(s, a, &a->words[1], range);
	struct texpr *bits = texpr_integer(s, 32, number, range);
	high = fold_or_new(s, OP_SHL, number, false, high, bits, range);
	return fold_or_new(s, OP_OR, number, false, convert_scalar(s, low, number), high, range);
}

/* Of a bool, only the lowest byte is passed. */
static struct texpr *scalar(struct sema *s, const struct probe_argument *a, struct range range)
{
	struct texpr *e = a->word == 4 && type_size(a->type) > 4
				  ? two_words(s, a, range)
				  : word_value(s, a, &a->words[0], range);
	if (type_resolve(a->type)->is_bool)
		e = convert_scalar(s, e, intrinsic(s, INTRINSIC_UCHAR));
	if (a->offset)
		e = fold_or_new(s, OP_ADD, e->type, false, e,
				texpr_integer(s, a->offset, e->type, range), range);
	return convert_scalar(s, e, a->type);
}

static struct texpr *in_memory(struct sema *s, const struct probe_argument *a, struct range range)
{
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	const struct type *there = types_qualified(s->types, a->type, TYPE_USERLAND);
	struct texpr *address = word_value(s, a, &a->base, range);
	if (a->offset)
		address = fold_or_new(s, OP_ADD, number, false, address,
				      texpr_integer(s, a->offset, number, range), range);
	if (a->by_address)
		address = memory_load(s, address,
				      a->word == 4 ? intrinsic(s, INTRINSIC_UINT) : number, true,
				      range);
	address = convert_scalar(s, address, types_pointer(s->types, there));
	return memory_load(s, address, a->type, true, range);
}

/* --- objects in registers --------------------------------------------------------------------- */

/* The bytes of OBJECT from OFFSET on, as many as are one number: from their register. */
static struct texpr *register_store(struct sema *s, struct texpr *object,
				    const struct probe_argument *a, uint32_t offset, uint32_t *size)
{
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	uint32_t left = type_size(a->type) - offset;
	*size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
	const struct type *type = unsigned_of_size(s, *size);
	struct texpr *value = word_value(s, a, &a->words[offset / 8], object->range);
	if (offset % 8)
		value = fold_or_new(s, OP_SHR, number, false, value,
				    texpr_integer(s, offset % 8 * 8, number, object->range),
				    object->range);
	struct texpr *target = memory_field(s, object, offset, type, object->range);
	return texpr_assign(s, target, convert_scalar(s, value, type), object->range);
}

static struct texpr *in_registers(struct sema *s, const struct probe_argument *a,
				  struct range range)
{
	struct texpr *object = variable_hidden(s, a->type, range), *first = NULL;
	if (texpr_is_poison(object))
		return object;
	for (uint32_t offset = 0, size; offset < type_size(a->type); offset += size)
		effect_append(s, &first, register_store(s, object, a, offset, &size));
	s->effects++;
	struct texpr *e = value_after(s, first, object);
	e->is_translated = true;
	return e;
}

/* --- any argument ----------------------------------------------------------------------------- */

static struct texpr *argument_refuse(struct sema *s, const struct probe_argument *a, unsigned index,
				     struct range range)
{
	const struct probe *p = s->clause->probes[0];
	const char *name = a->name ? arena_printf(s->arena, " (%s)", a->name) : "";
	return mistake(s, range, D_ARGS_IDX,
		       "args[%u]%s of probe %s:%s:%s:%s cannot be read: it %s", index, name,
		       p->provider, p->module, p->function, p->name, a->problem);
}

/* Probes agree on the types, and may pass the argument in different places. */
static bool is_in_one_place(struct sema *s, const struct probe_argument *a, unsigned index)
{
	for (unsigned i = 1; i < s->clause->probe_count; i++) {
		const struct probe_args *other =
			probe_db_arguments(s->probes, s->clause->probes[i]);
		if (!probe_argument_same_place(a, &other->list[index])) {
			files_differ(s, s->clause->probes[0], s->clause->probes[i]);
			return false;
		}
	}
	return true;
}

/* An object in registers: a variable. */
static bool is_put_together(const struct probe_argument *a)
{
	return !a->in_memory && !type_is_scalar(a->type);
}

static struct texpr *argument_value(struct sema *s, const struct probe_argument *a,
				    struct range range)
{
	struct texpr *e = is_put_together(a) ? in_registers(s, a, range)
			  : a->in_memory     ? in_memory(s, a, range)
					     : scalar(s, a, range);
	e->declared = a->type;
	return e;
}

struct texpr *process_argument(struct sema *s, const struct probe_args *args, unsigned index,
			       struct range range)
{
	const struct probe_argument *a = &args->list[index];
	if (!is_in_one_place(s, a, index))
		return mistake(s, range, D_ARGS_MULTI,
			       "the probes of this description differ in where args[%u] is", index);
	if (a->problem)
		return argument_refuse(s, a, index, range);
	return argument_value(s, a, range);
}

/* --- variables of functions ------------------------------------------------------------------- */

static const struct probe_argument *process_variable_of(struct sema *s, const struct probe *p,
							const char *name)
{
	const struct provider_process *process = p->owner->process;
	return process && process->variable ? process->variable(s->probes, p, name) : NULL;
}

struct texpr *process_variable(struct sema *s, const char *name, struct range range)
{
	struct tclause *c = s->clause;
	const struct probe_argument *a =
		c && c->probe_count ? process_variable_of(s, c->probes[0], name) : NULL;
	for (unsigned i = 1; c && i < c->probe_count; i++) {
		const struct probe_argument *other = process_variable_of(s, c->probes[i], name);
		bool is_same = a && other && probe_types_same(a->type, other->type) &&
			       probe_argument_same_place(a, other);
		if ((a || other) && !is_same)
			files_differ(s, c->probes[0], c->probes[i]);
		if ((a || other) && !is_same)
			return mistake(s, range, D_ARGS_MULTI,
				       "the probes of this description differ in where `%s is",
				       name);
	}
	if (!a)
		return NULL;
	c->reads_file_types = true; /* another build of the file may have it elsewhere */
	const struct probe *p = c->probes[0];
	if (a->problem)
		return mistake(s, range, D_ARGS_IDX, "`%s cannot be read at %s:%s:%s:%s: it %s",
			       name, p->provider, p->module, p->function, p->name, a->problem);
	return argument_value(s, a, range);
}

/* --- by name, and all ------------------------------------------------------------------------- */

struct texpr *process_argument_named(struct sema *s, const struct probe_args *args,
				     const struct node *n)
{
	const char *name = n->member.name;
	struct nearest nearest = nearest_to(name);
	for (unsigned i = 0; i < args->count; i++) {
		const char *its = args->list[i].name;
		if (its && string_equal(its, name))
			return process_argument(s, args, i, n->range);
		if (its)
			nearest_try(&nearest, its);
	}
	if (!args->list)
		return mistake(s, n->member.name_range, args->problem ? D_ARGS_TYPE : D_ARGS_IDX,
			       "args.%s does not exist: %s", name,
			       args->problem ? args->problem
					     : "arguments of this probe have numbers, args[0] ...");
	return args_wrong_name(s, n, "parameter", &nearest);
}

/* A struct with a member for each argument; those that cannot be read are absent. */
static const struct type *whole_type(struct sema *s, const struct probe_args *args)
{
	auto_free struct member *members = mem_zalloc((args->count + 1) * sizeof(*members));
	for (unsigned i = 0; i < args->count; i++) {
		const char *name = args->list[i].name;
		members[i].name = name ? name : arena_printf(s->arena, "args[%u]", i);
		members[i].type = args->list[i].type;
		members[i].absent = args->list[i].problem;
	}
	struct type *type = types_declare_tag(s->types, TYPE_STRUCT, NULL);
	types_complete_struct(s->types, type, members, args->count, 0);
	return type_resolve(type);
}

struct texpr *process_arguments(struct sema *s, const struct probe_args *args, struct range range)
{
	const struct type *type = whole_type(s, args);
	struct texpr *whole = variable_hidden(s, type, range), *first = NULL;
	bool bad = texpr_is_poison(whole);
	for (unsigned i = 0; i < args->count; i++) {
		if (args->list[i].problem && is_in_one_place(s, &args->list[i], i))
			continue;
		struct texpr *value = process_argument(s, args, i, range);
		bad |= texpr_is_poison(value);
		if (bad)
			continue;
		uint32_t offset = type_member_at(s->types, type, i)->bit_offset / 8;
		struct texpr *target = memory_field(s, whole, offset, value->type, range);
		effect_append(s, &first, texpr_assign(s, target, value, range));
	}
	s->effects++;
	return bad ? texpr_poison(s, range) : value_after(s, first, whole);
}
