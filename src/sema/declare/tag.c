/* SPDX-License-Identifier: BSD-2-Clause */
/* tag - structs, unions and enums: their bodies, and the meaning of their names */
#include <limits.h>

#include "sema/declare/declare.h"

/* --- structs and unions --- */

typedef VECTOR(struct member) member_vector;

static bool member_is_taken(const member_vector *members, const char *name)
{
	for (size_t i = 0; name && i < members->count; i++)
		if (members->items[i].name && string_equal(members->items[i].name, name))
			return true;
	return false;
}

static bool bit_width_check(struct sema *s, const struct declarator *d, struct member *m)
{
	const struct type *type = type_resolve(m->type);
	if (type->kind != TYPE_INTEGER && type->kind != TYPE_ENUM) {
		if (type->kind != TYPE_POISON)
			diagnose(s->diagnostics, d->range, D_DECL_BFTYPE,
				 "a bit-field must be an integer, not %s", type_text(s, m->type));
		return false;
	}
	int64_t width;
	bool poison;
	bool constant = expression_constant(s, d->bit_width, &width, &poison);
	if (poison)
		return false;
	/* C ends a unit by `int : 0;` */
	bool ends_unit = constant && width == 0 && !d->name && s->in_header;
	if (!constant || (width <= 0 && !ends_unit)) {
		diagnose(s->diagnostics, d->range, D_DECL_BFCONST,
			 "the width of a bit-field must be a positive integer constant");
		return false;
	}
	if (width > type_size(type) * 8) {
		diagnose(s->diagnostics, d->range, D_DECL_BFSIZE,
			 "a bit-field of %lld bits is wider than its type %s", (long long)width,
			 type_text(s, m->type));
		return false;
	}
	m->bit_size = (uint32_t)width;
	return true;
}

static bool member_type_check(struct sema *s, const struct type *type, struct range range)
{
	const struct type *resolved = type_resolve(type);
	if (resolved->kind == TYPE_VOID)
		diagnose(s->diagnostics, range, D_DECL_VOIDOBJ, "a member cannot be void");
	else if (resolved->kind == TYPE_DYNAMIC || resolved->kind == TYPE_STACK)
		diagnose(s->diagnostics, range, D_DECL_DYNOBJ, "a member cannot be of type %s",
			 type_text(s, type));
	else if (!type_is_complete(type) || resolved->kind == TYPE_FUNCTION)
		diagnose(s->diagnostics, range, D_DECL_INCOMPLETE,
			 "a member cannot be of the incomplete type %s", type_text(s, type));
	else
		return resolved->kind != TYPE_POISON;
	return false;
}

/* The last bytes of a struct: `char data[]`, or as older headers write it, `char data[0]`. */
static bool is_flexible(const struct declarator_part *part)
{
	return part_is_unsized(part) || (part_is_array(part) && part->size->kind == NODE_INTEGER &&
					 !part->size->integer.value);
}

static const struct type *member_type(struct sema *s, const struct declarator *d,
				      const struct type *base)
{
	if (!is_flexible(d->parts))
		return declarator_type(s, d, d->parts, base);
	const struct type *element = declarator_type(s, d, d->parts->next, base);
	return element->kind == TYPE_POISON ? element : types_array(s->types, element, 0);
}

/* The alignment that these attributes ask for, 0: none. */
static uint32_t attributes_align(struct sema *s, const struct layout_attributes *a,
				 struct range range)
{
	if (!a->aligned)
		return 0;
	int64_t align = 16; /* the most that the machine's types need */
	bool poison = false;
	if (a->align && !expression_constant(s, a->align, &align, &poison))
		align = 0;
	if (align > 0 && align <= 1 << 20 && !(align & (align - 1)))
		return (uint32_t)align;
	if (!poison)
		diagnose(s->diagnostics, range, D_DECL_ARRSUB,
			 "an alignment must be a power of two that is a constant");
	return 0;
}

uint32_t declared_align(struct sema *s, const struct type_spec *spec, const struct declarator *d)
{
	uint32_t a = attributes_align(s, &spec->attributes, spec->range);
	uint32_t b = attributes_align(s, &d->attributes, d->range);
	return MAX(a, b);
}

static uint32_t member_align(struct sema *s, const struct type_spec *body,
			     const struct type_spec *spec, const struct declarator *d,
			     const struct type *type)
{
	uint32_t natural = type_align(type), align = 0;
	if (body->body.packed || spec->attributes.packed || (d && d->attributes.packed))
		align = 1;
	else if (body->pack && body->pack < natural)
		align = body->pack;
	uint32_t wanted = d ? declared_align(s, spec, d) : 0;
	/* aligned() can only raise, unless the member is packed */
	if (wanted && (align || wanted > natural))
		align = wanted;
	return align;
}

static bool member_check(struct sema *s, const struct type_spec *spec, const struct declarator *d,
			 const struct type *base, member_vector *members)
{
	struct member m = { .name = d->name };
	m.type = member_type(s, d, attributed_type(s, spec, d, base));
	if (!d->name && !d->bit_width) {
		diagnose(s->diagnostics, d->range, D_DECL_MNAME, "a member needs a name");
		return false;
	}
	if (!member_type_check(s, m.type, d->range))
		return false;
	if (d->bit_width && !bit_width_check(s, d, &m))
		return false;
	if (member_is_taken(members, d->name)) {
		diagnose(s->diagnostics, d->range, D_DECL_IDRED, "there are two members %s",
			 d->name);
		return false;
	}
	vector_push(members, m);
	return true;
}

static void unnamed_member_check(struct sema *s, const struct type_spec *body,
				 const struct type_spec *spec, const struct type *type,
				 member_vector *members)
{
	if (spec->has_body && !spec->name && type_is_struct(type))
		vector_push(members, (struct member) {
					     .type = type,
					     .align = member_align(s, body, spec, NULL, type),
				     });
	else if (type_resolve(type)->kind != TYPE_POISON && !spec->has_body)
		diagnose(s->diagnostics, spec->range,
			 spec->words & WORD_TAGS ? D_DECL_USELESS : D_DECL_MNAME,
			 spec->words & WORD_TAGS ? "this declares no member"
						 : "a member needs a name");
}

static void struct_body(struct sema *s, const struct type_spec *spec, struct type *type)
{
	member_vector members = { 0 };
	for (const struct member_node *m = spec->members; m; m = m->next) {
		const struct type *base = specifier_type(s, m->spec);
		if (!m->declarators)
			unnamed_member_check(s, spec, m->spec, base, &members);
		for (const struct declarator *d = m->declarators; d; d = d->next) {
			if (!member_check(s, m->spec, d, base, &members))
				continue;
			struct member *last = &members.items[members.count - 1];
			last->align = member_align(s, spec, m->spec, d, last->type);
			if ((d->next || m->next) && part_is_unsized(d->parts) && !s->in_header &&
			    tag_kind(spec) == TYPE_STRUCT)
				diagnose(s->diagnostics, d->range, D_DECL_ARRNULL,
					 "only the last array of a struct may have no size");
		}
	}
	types_complete_struct(s->types, type, members.items, (unsigned)members.count,
			      attributes_align(s, &spec->body, spec->range));
	vector_free(&members);
}

/* --- enums --- */

static int64_t enumerator_value(struct sema *s, const struct enumerator_node *n, int64_t next)
{
	int64_t value = next;
	bool poison = false;
	if (n->value && !expression_constant(s, n->value, &value, &poison)) {
		if (!poison)
			diagnose(s->diagnostics, n->range, D_DECL_ENCONST,
				 "the value of %s must be an integer constant", n->name);
		return 0;
	}
	if ((value <= INT_MAX && value >= INT_MIN) || s->in_header)
		return value;
	diagnose(s->diagnostics, n->range, D_DECL_ENOFLOW, "the value of %s does not fit an int",
		 n->name);
	return 0;
}

/* Enums of our libraries may share an enumerator: flags that several system calls take. */
static bool enumerator_is_shared(struct sema *s, const char *name, int64_t value)
{
	struct name n = name_taken(s, name);
	return speaker(s) == DECLARED_BY_LIBRARY && n.kind == NAME_ENUMERATOR && n.number == value;
}

/* While the list is read, earlier enumerators are names for later ones. */
static void enum_body(struct sema *s, const struct type_spec *spec, struct type *type)
{
	const struct binding *outer = s->bindings;
	VECTOR(struct enumerator) list = { 0 };
	int64_t next = 0;
	for (const struct enumerator_node *n = spec->enumerators; n; n = n->next) {
		int64_t value = enumerator_value(s, n, next);
		next = value + 1;
		if (s->in_header ? name_is_built_in(name_taken(s, n->name))
				 : !enumerator_is_shared(s, n->name, value) &&
					   name_is_taken(s, n->name, false, n->range))
			continue;
		if (variable_declared(s, speaker(s), SCOPE_GLOBAL, n->name)) {
			diagnose(s->diagnostics, n->range, D_DECL_IDRED, "%s is already a variable",
				 n->name);
			continue;
		}
		vector_push(&list, (struct enumerator) { n->name, value });
		struct binding *b = ARENA_NEW(s->arena, struct binding);
		b->name = n->name;
		b->value = texpr_integer(s, value, intrinsic(s, INTRINSIC_INT), n->range);
		b->next = (struct binding *)s->bindings;
		s->bindings = b;
	}
	s->bindings = outer;
	types_complete_enum(s->types, type, list.items, (unsigned)list.count);
	vector_free(&list);
}

/* --- tags and names --- */

enum type_kind tag_kind(const struct type_spec *spec)
{
	return spec->words & WORD_STRUCT  ? TYPE_STRUCT
	       : spec->words & WORD_UNION ? TYPE_UNION
					  : TYPE_ENUM;
}

static const struct type *tag_with_body(struct sema *s, const struct type_spec *spec)
{
	if (spec->name && strchr(spec->name, '`'))
		return type_mistake(s, spec->range, D_DECL_SCOPE,
				    "a tag that is declared cannot hold a backquote: %s",
				    spec->name);
	struct type *type = types_declare_tag(s->types, tag_kind(spec), spec->name);
	if (type->kind != TYPE_FORWARD)
		return type_mistake(s, spec->range, D_DECL_TYPERED, "%s is defined already",
				    type_text(s, type));
	types_open_tag(type);
	const struct open_tag *outer = s->open_tags;
	s->open_tags = &(struct open_tag) { spec->name, tag_kind(spec), type, outer };
	if (spec->words & WORD_ENUM)
		enum_body(s, spec, type);
	else
		struct_body(s, spec, type);
	s->open_tags = outer;
	return type;
}

/* The type whose body we are in, and not the kernel's of the same name; NULL: there is none. */
static const struct type *tag_open(const struct sema *s, const struct type_spec *spec)
{
	for (const struct open_tag *o = s->open_tags; o; o = o->outer)
		if (o->name && string_equal(o->name, spec->name) && o->kind == tag_kind(spec))
			return o->type;
	return NULL;
}

static const struct type *process_type_unknown(struct sema *s, const struct type_spec *spec,
					       int pid, const char *module)
{
	if (!pid && s->clause && probe_db_of_every_process(s->probes, s->clause->desc.provider))
		return type_mistake(s, spec->range, D_DECL_IDENT,
				    "there is no type %s: in probes of every process it is that "
				    "of their own file, whose name must be %s, with debug "
				    "information that has the type (-g, or /usr/lib/debug)",
				    spec->name, module);
	if (!pid && !s->env->target)
		return type_mistake(s, spec->range, D_DECL_IDENT,
				    "%s is a type of the target, but there is no target: name the "
				    "process by -p, or start it by -c",
				    spec->name);
	return type_mistake(s, spec->range, D_DECL_IDENT,
			    "there is no type %s: the process has not mapped %s, or there is no "
			    "debug information of it that has the type (-g, or /usr/lib/debug)",
			    spec->name, module);
}

const struct type *type_unknown(struct sema *s, const struct type_spec *spec)
{
	const char *tick = strrchr(spec->name, '`'), *module;
	auto_free char *scope = tick ? mem_strndup(spec->name, (size_t)(tick - spec->name)) : NULL;
	int pid;
	if (scope && types_scope_of_process(scope, &pid, &module))
		return process_type_unknown(s, spec, pid, module);
	if (scope && !strchr(scope, '`') && !types_has_scope(s->types, scope))
		return type_mistake(s, spec->range, D_DECL_IDENT,
				    "there is no type %s: no module %s is loaded that has types",
				    spec->name, scope);
	return type_mistake(s, spec->range, D_DECL_IDENT, "there is no type %s%s", spec->name,
			    library_advice(s, spec->name));
}

const struct type *tag_type(struct sema *s, const struct type_spec *spec)
{
	if (spec->has_body)
		return tag_with_body(s, spec);
	const struct type *type;
	if (strchr(spec->name, '`')) {
		auto_free char *name = tag_name(tag_kind(spec), spec->name);
		type = types_find(s->types, name);
		return type ? type : type_unknown(s, spec);
	}
	type = tag_open(s, spec);
	if (type)
		return type;
	library_want_tag(s, tag_kind(spec), spec->name);
	type = types_find_tag(s->types, tag_kind(spec), spec->name);
	if (type)
		stability_use_type(s, type, spec->range);
	return type ? type : types_declare_tag(s->types, tag_kind(spec), spec->name);
}
