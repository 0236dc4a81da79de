/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parameter - can the parameters of a source be the arguments of the kernel's event?
 *
 * Prototypes change between kernels, and a formula binds its parameters by position.  An argument
 * of another type is a sign that the event is not the one that the formula means.  Only what
 * cannot be an accident is compared: pointers to structs by the names of these, and pointers,
 * numbers and strings with each other.  Names are compared, not members, so that a struct that
 * only the file declares is the kernel's of the same name.  void *, pointers to other things, and
 * parameters without a type are anything.
 */
#include <string.h>

#include "formula/formula_internal.h"
#include "provider/provider.h"

struct shape {
	enum { SHAPE_ANY, SHAPE_NUMBER, SHAPE_STRING, SHAPE_STRUCT, SHAPE_STRUCT_POINTER } kind;
	const char *name; /* of the struct; NULL: it has none */
};

static const struct shape any = { SHAPE_ANY };

static struct shape shape_pointer(struct shape target)
{
	return target.kind == SHAPE_STRUCT ? (struct shape) { SHAPE_STRUCT_POINTER, target.name }
					   : any;
}

static struct shape shape_of(const struct type *type)
{
	if (type_is_string(type))
		return (struct shape) { SHAPE_STRING };
	if (type_is_integer(type))
		return (struct shape) { SHAPE_NUMBER };
	type = type_resolve(type);
	if (type->kind == TYPE_POINTER)
		return shape_pointer(shape_of(type->target));
	bool is_struct = type_is_struct(type) || type->kind == TYPE_FORWARD;
	return is_struct && type->name ? (struct shape) { SHAPE_STRUCT, type->name } : any;
}

/* The file's names are those of its declarer. */
static struct shape shape_of_name(struct types *types, const struct type_spec *spec)
{
	enum declarer who = spec->range.source->is_ours ? DECLARED_BY_LIBRARY : DECLARED_BY_SITE;
	enum declarer before = types_speak_for(types, who);
	const struct type *type = types_find(types, spec->name);
	types_speak_for(types, before);
	return type ? shape_of(type) : any;
}

/* module`name: the kernel's structs have no modules in their names. */
static const char *spec_tag(const struct type_spec *spec)
{
	const char *backquote = spec->name ? strrchr(spec->name, '`') : NULL;
	return backquote ? backquote + 1 : spec->name;
}

static struct shape shape_of_spec(struct types *types, const struct type_spec *spec)
{
	const unsigned others = WORD_VOID | WORD_FLOAT | WORD_DOUBLE | WORD_COMPLEX;
	if (spec->words & (WORD_STRUCT | WORD_UNION))
		return spec->name ? (struct shape) { SHAPE_STRUCT, spec_tag(spec) } : any;
	if (spec->words & WORD_NAME)
		return shape_of_name(types, spec);
	if (spec->words & WORD_STRING)
		return (struct shape) { SHAPE_STRING };
	return spec->words & others ? any : (struct shape) { SHAPE_NUMBER };
}

static struct shape shape_of_parameter(struct types *types, const struct param_node *p)
{
	if (p->is_untyped && !p->like)
		return any;
	const struct declarator_part *part = p->declarator->parts;
	if (!part)
		return shape_of_spec(types, p->spec);
	return part->kind == PART_POINTER && !part->next
		       ? shape_pointer(shape_of_spec(types, p->spec))
		       : any;
}

static bool may_be(struct shape a, struct shape b)
{
	if (a.kind == SHAPE_ANY || b.kind == SHAPE_ANY)
		return true;
	return a.kind == b.kind && (!a.name || string_equal(a.name, b.name));
}

const char *parameter_mismatch(struct arena *a, struct probe_db *db, const struct param_node *p,
			       const char *what, const struct type *type)
{
	if (may_be(shape_of_parameter(probe_db_types(db), p), shape_of(type)))
		return NULL;
	auto_free char *text = argument_type_text(type);
	return arena_printf(a, "%s is %s, not %s", what, text,
			    parameter_type_text(a, p->like ? p->like : p));
}

const char *prototype_mismatch(struct arena *a, struct probe_db *db, const struct formula_event *e,
			       const char *event, const struct type *function, unsigned first)
{
	unsigned i = 0;
	const char *problem = NULL;
	for (const struct param_node *p = e->params; p && !problem; p = p->next, i++) {
		if (!function || first + i >= function->count)
			break;
		auto_free char *what = mem_printf("%s: its argument %u", event, i + 1);
		problem = parameter_mismatch(a, db, p, what, function->params[first + i]);
	}
	return problem;
}
