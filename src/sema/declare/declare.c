/* SPDX-License-Identifier: BSD-2-Clause */
/* declare - declarations of variables, typedefs and externs */
#include "sema/declare/declare.h"

/* --- kinds of declarations --- */

static bool storage_check(struct sema *s, const struct type_spec *spec)
{
	unsigned storage = spec->storage;
	if (storage & (storage - 1)) {
		diagnose(s->diagnostics, spec->range, D_DECL_CLASS,
			 "a declaration can have only one storage class");
		return false;
	}
	if (storage & (STORAGE_AUTO | STORAGE_REGISTER | STORAGE_STATIC)) {
		diagnose(s->diagnostics, spec->range, D_DECL_BADCLASS,
			 "auto, register and static are not used in D");
		return false;
	}
	return true;
}

static void declare_typedef(struct sema *s, const char *name, const struct type *type,
			    uint32_t align, struct range range)
{
	const struct type *before = types_declared_typedef(s->types, speaker(s), name);
	if (before) {
		if (!type_same(before, type))
			diagnose(s->diagnostics, range, D_DECL_TYPERED,
				 "the typedef %s is %s already", name,
				 type_text(s, before->target));
		return;
	}
	if (variable_declared(s, speaker(s), SCOPE_GLOBAL, name)) {
		diagnose(s->diagnostics, range, D_DECL_IDRED, "%s is already a variable", name);
		return;
	}
	if (name_is_taken(s, name, true, range)) /* intrinsic ones may be hidden */
		return;
	types_typedef(s->types, name, type, align);
}

static void declare_extern(struct sema *s, const char *name, const struct type *type,
			   struct range range)
{
	if (s->in_header) {
		hash_put_string(s->prototypes_of_headers, name, (void *)type);
		return;
	}
	const struct type *before = hash_get_string(s->names[speaker(s)].externs, name);
	if (variable_declared(s, speaker(s), SCOPE_GLOBAL, name) ||
	    (before && !type_same(before, type)))
		diagnose(s->diagnostics, range, D_DECL_IDRED, "%s is already declared differently",
			 name);
	else if (!name_is_taken(s, name, false, range))
		hash_put_string(s->names[speaker(s)].externs, name, (void *)type);
}

/* --- variables --- */

static bool object_check(struct sema *s, const struct type *type, struct range range)
{
	enum type_kind kind = type_resolve(type)->kind;
	if (kind == TYPE_VOID)
		diagnose(s->diagnostics, range, D_DECL_VOIDOBJ, "a variable cannot be void");
	else if (kind == TYPE_DYNAMIC || kind == TYPE_STACK)
		diagnose(s->diagnostics, range, D_DECL_DYNOBJ, "a variable cannot be of type %s",
			 type_text(s, type));
	else if (!type_is_complete(type))
		diagnose(s->diagnostics, range, D_DECL_INCOMPLETE,
			 "a variable cannot be of the incomplete type %s", type_text(s, type));
	else if (type_is_struct(type) && type_size(type) == 0)
		diagnose(s->diagnostics, range, D_DECL_INCOMPLETE,
			 "a variable cannot be of type %s, which has no size", type_text(s, type));
	else
		return kind != TYPE_POISON;
	return false;
}

struct wanted {
	enum scope scope;
	const struct type *type;
	bool is_array;
	const struct type **key_types;
	unsigned key_count;
};

static bool matches(const struct variable *v, const struct wanted *w)
{
	if (v->is_array != w->is_array || !type_same(v->type, w->type))
		return false;
	if (!v->is_array)
		return true;
	if (v->key_count != w->key_count)
		return false;
	for (unsigned i = 0; i < v->key_count; i++)
		if (!type_same(v->key_types[i], w->key_types[i]))
			return false;
	return true;
}

static void variable_declare(struct sema *s, const char *name, const struct wanted *w,
			     struct range range)
{
	struct variable *v = variable_declared(s, speaker(s), w->scope, name);
	if (v && !matches(v, w)) {
		diagnose(s->diagnostics, range, D_DECL_IDRED, "%s is already a variable of type %s",
			 variable_text(s, w->scope, name), type_text(s, v->type));
		return;
	}
	if (v || (w->scope == SCOPE_GLOBAL && name_is_taken(s, name, false, range)))
		return;
	if (w->scope == SCOPE_GLOBAL && hash_get_string(s->names[speaker(s)].externs, name)) {
		diagnose(s->diagnostics, range, D_DECL_IDRED, "%s is already an extern", name);
		return;
	}
	v = variable_new(s, w->scope, name, w->type, range);
	if (!v)
		return;
	v->declared = true;
	v->is_array = w->is_array;
	v->key_types = w->key_types;
	v->key_count = w->key_count;
}

static bool keys_declare(struct sema *s, const struct declarator_part *part, struct wanted *w,
			 struct range range)
{
	w->is_array = true;
	if (w->scope == SCOPE_THIS) {
		diagnose(s->diagnostics, range, D_DECL_LOCASSC,
			 "a clause-local variable cannot be an associative array");
		return false;
	}
	if (part->varargs) {
		diagnose(s->diagnostics, range, D_DECL_PROTO_VARARGS,
			 "the keys of an associative array are a fixed number");
		return false;
	}
	w->key_types = params_check(s, part->params, &w->key_count);
	if (!w->key_types)
		return false;
	if (!w->key_count) {
		diagnose(s->diagnostics, range, D_DECL_PROTO_VOID,
			 "an associative array needs keys: void is not a key");
		return false;
	}
	for (unsigned i = 0; i < w->key_count; i++)
		w->key_types[i] = type_resolve(w->key_types[i]);
	return true;
}

/* extern char end[]; and in headers typedef int list[]; */
static bool may_be_unsized(const struct sema *s, const struct type_spec *spec)
{
	return spec->storage & STORAGE_EXTERN || (s->in_header && spec->storage & STORAGE_TYPEDEF);
}

static void declare_one(struct sema *s, const struct type_spec *spec, const struct declarator *d,
			const struct type *base)
{
	const struct declarator_part *parts = d->parts;
	base = attributed_type(s, spec, d, base);
	struct wanted w = { .scope = spec->storage & STORAGE_SELF   ? SCOPE_SELF
				     : spec->storage & STORAGE_THIS ? SCOPE_THIS
								    : SCOPE_GLOBAL };
	bool is_variable = !(spec->storage & (STORAGE_TYPEDEF | STORAGE_EXTERN));
	if (is_variable && part_is_associative(parts)) {
		if (!keys_declare(s, parts, &w, d->range))
			return;
		parts = parts->next;
	}
	if (part_is_unsized(parts) && may_be_unsized(s, spec))
		w.type = types_array(s->types, declarator_type(s, d, parts->next, base), 0);
	else
		w.type = declarator_type(s, d, parts, base);
	if (!d->name || w.type->kind == TYPE_POISON)
		return;
	if (spec->storage & STORAGE_TYPEDEF)
		declare_typedef(s, d->name, w.type, declared_align(s, spec, d), d->range);
	else if (!is_variable || (type_resolve(w.type)->kind == TYPE_FUNCTION && !w.is_array))
		declare_extern(s, d->name, w.type, d->range);
	else if (object_check(s, w.type, d->range))
		variable_declare(s, d->name, &w, d->range);
}

/* C's own objects and functions: only the types in their declarations are for D. */
static bool is_no_concern(const struct sema *s, const struct type_spec *spec)
{
	return s->in_header && (spec->storage & (STORAGE_STATIC | STORAGE_REGISTER | STORAGE_AUTO));
}

/* A tag or enumerators can be used later; a struct without a name cannot. */
static bool is_useless(const struct type_spec *spec)
{
	return !(spec->words & WORD_TAGS) || (!spec->name && !(spec->words & WORD_ENUM));
}

static void declare_all(struct sema *s, const struct declaration_node *node, struct range range)
{
	if (!is_no_concern(s, node->spec) && !storage_check(s, node->spec))
		return;
	const struct type *base = specifier_type(s, node->spec);
	if (is_no_concern(s, node->spec) || (!node->declarators && s->in_header))
		return;
	if (!node->declarators) {
		if (is_useless(node->spec))
			diagnose(s->diagnostics, range, D_DECL_USELESS, "this declares nothing");
		return;
	}
	for (const struct declarator *d = node->declarators; d; d = d->next)
		declare_one(s, node->spec, d, base);
}

void declaration_check(struct sema *s, const struct declaration_node *node, struct range range)
{
	s->in_header = node->in_header;
	enum declarer who = node->in_header ? DECLARED_BY_C : speaker(s);
	enum declarer before = types_speak_for(s->types, who);
	declare_all(s, node, range);
	types_speak_for(s->types, before);
	s->in_header = false;
}
