/* SPDX-License-Identifier: BSD-2-Clause */
/* declarator - specifiers and declarators, as written, to types */
#include "sema/declare/declare.h"
#include "syntax/syntax.h"

/* --- words --- */

#define SIGNS (WORD_SIGNED | WORD_UNSIGNED)
#define LONGS (WORD_LONG | WORD_LONG_LONG)
#define SIZES (LONGS | WORD_SHORT)
#define FLOATS (WORD_FLOAT | WORD_DOUBLE)

/* Which words do not go together. */
static const struct {
	unsigned words, with;
	enum diagnostic_tag tag;
	const char *text;
} clashes[] = {
	{ SIZES, WORD_CHAR, D_DECL_CHARATTR, "char cannot be short or long" },
	{ SIGNS | SIZES, WORD_VOID, D_DECL_VOIDATTR, "void has no sign and no size" },
	{ SIGNS, FLOATS | WORD_STRING | WORD_BOOL | WORD_TAGS | WORD_NAME, D_DECL_SIGNINT,
	  "only integers can be signed or unsigned" },
	{ LONGS, WORD_FLOAT | WORD_STRING | WORD_BOOL | WORD_TAGS | WORD_NAME | WORD_INT128,
	  D_DECL_LONGINT, "only int and double can be long" },
	{ WORD_LONG_LONG, WORD_DOUBLE, D_DECL_LONGINT, "double cannot be long long" },
	{ WORD_SHORT,
	  FLOATS | WORD_STRING | WORD_BOOL | WORD_TAGS | WORD_NAME | LONGS | WORD_INT128,
	  D_DECL_COMBO, "short does not go with the other words of the type" },
	{ WORD_SIGNED, WORD_UNSIGNED, D_DECL_COMBO, "signed and unsigned contradict each other" },
};

static const struct {
	unsigned words;
	enum type_intrinsic type;
} word_types[] = {
	{ WORD_VOID, INTRINSIC_VOID },
	{ WORD_CHAR, INTRINSIC_CHAR },
	{ WORD_CHAR | WORD_SIGNED, INTRINSIC_SCHAR },
	{ WORD_CHAR | WORD_UNSIGNED, INTRINSIC_UCHAR },
	{ WORD_SHORT, INTRINSIC_SHORT },
	{ WORD_SHORT | WORD_UNSIGNED, INTRINSIC_USHORT },
	{ WORD_INT, INTRINSIC_INT },
	{ WORD_UNSIGNED, INTRINSIC_UINT },
	{ WORD_LONG, INTRINSIC_LONG },
	{ WORD_LONG | WORD_UNSIGNED, INTRINSIC_ULONG },
	{ WORD_LONG_LONG, INTRINSIC_LONG_LONG },
	{ WORD_LONG_LONG | WORD_UNSIGNED, INTRINSIC_ULONG_LONG },
	{ WORD_INT128, INTRINSIC_INT128 },
	{ WORD_INT128 | WORD_UNSIGNED, INTRINSIC_UINT128 },
	{ WORD_BOOL, INTRINSIC_BOOL },
	{ WORD_FLOAT, INTRINSIC_FLOAT },
	{ WORD_DOUBLE, INTRINSIC_DOUBLE },
	{ WORD_DOUBLE | WORD_LONG, INTRINSIC_LONG_DOUBLE },
	{ WORD_STRING, INTRINSIC_STRING },
};

/* The real and the imaginary part. */
static const struct type *complex_type(struct sema *s, const struct type_spec *spec,
				       enum type_intrinsic part)
{
	const struct type *type = intrinsic(s, part);
	return type->kind == TYPE_FLOAT || type_is_integer(type)
		       ? types_opaque(s->types, 2 * type_size(type), type_align(type))
		       : type_mistake(s, spec->range, D_DECL_COMBO, "only numbers can be complex");
}

static const struct type *words_type(struct sema *s, const struct type_spec *spec)
{
	unsigned words = spec->words;
	if (words & (SIGNS | SIZES)) { /* int goes without saying */
		words &= ~(unsigned)WORD_INT;
		if (!(words & WORD_CHAR))
			words &= ~(unsigned)WORD_SIGNED;
	}
	bool complex = words & WORD_COMPLEX;
	words &= ~(unsigned)WORD_COMPLEX;
	if (words == 0)
		words = complex ? WORD_DOUBLE : WORD_INT;
	for (size_t i = 0; i < ARRAY_SIZE(word_types); i++)
		if (word_types[i].words == words)
			return complex ? complex_type(s, spec, word_types[i].type)
				       : intrinsic(s, word_types[i].type);
	return type_mistake(s, spec->range, D_DECL_COMBO, "these words do not make a type");
}

static bool words_are_good(struct sema *s, const struct type_spec *spec)
{
	for (size_t i = 0; i < ARRAY_SIZE(clashes); i++)
		if ((spec->words & clashes[i].words) && (spec->words & clashes[i].with)) {
			diagnose(s->diagnostics, spec->range, clashes[i].tag, "%s",
				 clashes[i].text);
			return false;
		}
	if (spec->repeated) {
		diagnose(s->diagnostics, spec->range, D_DECL_COMBO,
			 "a word of the type is repeated or contradicts another");
		return false;
	}
	return true;
}

/* --- specifiers --- */

/* typename0 ... in a text rule; NULL: NAME is another one, or there is no such argument. */
static const struct type *template_argument(struct sema *s, const char *name)
{
	static const char word[] = "typename";
	const char *number = name + strlen(word);
	bool is_one = s->shown && strncmp(name, word, strlen(word)) == 0 && *number >= '0' &&
		      *number <= '9' && !number[1];
	return is_one ? type_template_argument(s->types, s->shown, (unsigned)(*number - '0'))
		      : NULL;
}

static const struct type *unqualified_type(struct sema *s, const struct type_spec *spec)
{
	if (!words_are_good(s, spec))
		return poison_type(s);
	if (spec->words & WORD_TAGS)
		return tag_type(s, spec);
	if (!(spec->words & WORD_NAME))
		return words_type(s, spec);
	const struct type *argument = template_argument(s, spec->name);
	if (argument)
		return argument;
	library_want_types(s, spec->name);
	const struct type *type = types_find(s->types, spec->name);
	if (!type)
		return type_unknown(s, spec);
	stability_use_type(s, type, spec->range);
	return type;
}

const struct type *specifier_type(struct sema *s, const struct type_spec *spec)
{
	const struct type *type = unqualified_type(s, spec);
	unsigned qualifiers = 0;
	if (spec->qualifiers & QUALIFIER_CONST)
		qualifiers |= TYPE_CONST;
	if (spec->qualifiers & QUALIFIER_VOLATILE)
		qualifiers |= TYPE_VOLATILE;
	if (spec->qualifiers & QUALIFIER_USERLAND)
		qualifiers |= TYPE_USERLAND;
	return qualifiers && type->kind != TYPE_POISON ? types_qualified(s->types, type, qualifiers)
						       : type;
}

/* --- declarators --- */

bool part_is_array(const struct declarator_part *part)
{
	return part && part->kind == PART_ARRAY && !part->has_params;
}

bool part_is_associative(const struct declarator_part *part)
{
	return part && part->kind == PART_ARRAY && part->has_params;
}

bool part_is_unsized(const struct declarator_part *part)
{
	return part_is_array(part) && !part->size;
}

static const struct type *array_type(struct sema *s, const struct declarator *d,
				     const struct declarator_part *part, const struct type *element)
{
	if (part->has_params)
		return type_mistake(s, d->range, D_DECL_DYNOBJ,
				    "only a variable can be an associative array");
	if (!part->size)
		return type_mistake(s, d->range, D_DECL_ARRNULL, "the array has no size");
	int64_t count;
	bool poison;
	bool constant = expression_constant(s, part->size, &count, &poison);
	if (poison)
		return poison_type(s);
	if (!constant || count < !s->in_header) /* GNU C has arrays of nothing: computed padding */
		return type_mistake(s, d->range, D_DECL_ARRSUB,
				    "the size of an array must be a positive integer constant");
	uint64_t size = type_size(element);
	if (count > UINT32_MAX || (size && (uint64_t)count > UINT32_MAX / size))
		return type_mistake(s, d->range, D_DECL_ARRBIG, "the array is too large");
	if (type_resolve(element)->kind == TYPE_VOID)
		return type_mistake(s, d->range, D_DECL_VOIDOBJ,
				    "an array cannot have void elements");
	if (!type_is_complete(element))
		return type_mistake(s, d->range, D_DECL_INCOMPLETE,
				    "an array cannot have elements of the incomplete type %s",
				    type_text(s, element));
	return types_array(s->types, element, (uint32_t)count);
}

/*
 * Pointers to pointers, arrays of arrays: each question about such a type goes through all of them,
 * and some of the functions that answer call themselves.
 */
#define LEVELS_MOST 256

static bool is_deep(const struct type *type)
{
	unsigned levels = 0;
	while (levels < LEVELS_MOST && type->target) {
		levels += type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY ||
			  type->kind == TYPE_FUNCTION;
		type = type->target;
	}
	return levels == LEVELS_MOST;
}

static const struct type *declarator_part_type(struct sema *s, const struct declarator *d,
					       const struct declarator_part *part,
					       const struct type *type)
{
	enum type_kind kind = type_resolve(type)->kind;
	if (is_deep(type))
		return type_mistake(s, d->range, D_DECL_COMBO,
				    "the type is nested too deeply: at most %u pointers, arrays "
				    "and functions",
				    LEVELS_MOST);
	if (part->kind == PART_POINTER && type_is_of_process(type))
		type = types_qualified(s->types, type, TYPE_USERLAND);
	if (part->kind == PART_POINTER)
		return types_pointer(s->types, type);
	if (kind == TYPE_FUNCTION)
		return type_mistake(s, d->range, D_DECL_COMBO, "%s: use pointers",
				    part->kind == PART_ARRAY
					    ? "an array cannot hold functions"
					    : "a function cannot return a function");
	if (part->kind == PART_ARRAY)
		return array_type(s, d, part, type);
	if (kind == TYPE_ARRAY && !type_resolve(type)->align) /* not opaque */
		return type_mistake(s, d->range, D_DECL_COMBO,
				    "a function cannot return an array: use a pointer");
	unsigned count = 0;
	const struct type **params = params_check(s, part->params, &count);
	return params ? types_function(s->types, type, params, count, part->varargs)
		      : poison_type(s);
}

/* The parts are in order from the name outwards, so the last one applies first. */
const struct type *declarator_type(struct sema *s, const struct declarator *d,
				   const struct declarator_part *parts, const struct type *base)
{
	if (!parts || base->kind == TYPE_POISON)
		return base;
	const struct type *type = declarator_type(s, d, parts->next, base);
	return type->kind == TYPE_POISON ? type : declarator_part_type(s, d, parts, type);
}

const struct type *type_if_known(struct sema *s, const struct type_name *name)
{
	const struct type_spec *spec = name->spec;
	if (!(spec->words & (WORD_TAGS | WORD_NAME)))
		return words_type(s, spec);
	if (!spec->name)
		return NULL;
	if (spec->words & WORD_NAME) {
		library_want_types(s, spec->name);
		return types_find(s->types, spec->name);
	}
	library_want_tag(s, tag_kind(spec), spec->name);
	return types_find_tag(s->types, tag_kind(spec), spec->name);
}

const struct type *type_name_check(struct sema *s, const struct type_name *name)
{
	const struct type *base = specifier_type(s, name->spec);
	return declarator_type(s, name->declarator, name->declarator->parts, base);
}

/* --- parameters --- */

/* A parameter's array is a pointer, so its size may be missing, or in C depend on others. */
static const struct type *param_base_type(struct sema *s, const struct param_node *p)
{
	const struct type *base = specifier_type(s, p->spec);
	const struct declarator_part *parts = p->declarator->parts;
	if (!part_is_unsized(parts) && !(s->in_header && part_is_array(parts)))
		return declarator_type(s, p->declarator, parts, base);
	const struct type *element = declarator_type(s, p->declarator, parts->next, base);
	return element->kind == TYPE_POISON ? element : types_pointer(s->types, element);
}

static bool param_is_associative(const struct param_node *p)
{
	for (const struct declarator_part *part = p->declarator->parts; part; part = part->next)
		if (part_is_associative(part))
			return true;
	return false;
}

static const struct type *param_type(struct sema *s, const struct param_node *p, bool alone)
{
	if (p->spec->storage & ~(unsigned)STORAGE_REGISTER || (p->spec->storage && !s->in_header))
		return type_mistake(s, p->range, D_DECL_PARMCLASS,
				    "a parameter cannot have a storage class");
	if (param_is_associative(p))
		return type_mistake(s, p->range, D_DECL_PROTO_TYPE,
				    "a parameter cannot be an associative array");
	const struct type *type = param_base_type(s, p);
	const struct type *resolved = type_resolve(type);
	if (resolved->kind == TYPE_VOID)
		return type_mistake(s, p->range, alone ? D_DECL_PROTO_NAME : D_DECL_PROTO_VOID,
				    alone ? "a void parameter has no name"
					  : "void must be the only parameter");
	if (resolved->kind == TYPE_FUNCTION && s->in_header)
		return types_pointer(s->types, type);
	if (resolved->kind == TYPE_FUNCTION || resolved->kind == TYPE_DYNAMIC ||
	    resolved->kind == TYPE_STACK)
		return type_mistake(s, p->range, D_DECL_PROTO_TYPE,
				    "a parameter cannot be of type %s", type_text(s, type));
	if (resolved->kind == TYPE_ARRAY)
		return types_pointer(s->types, resolved->target);
	return type;
}

const struct type **params_check(struct sema *s, const struct param_node *params, unsigned *count)
{
	unsigned given = 0;
	for (const struct param_node *p = params; p; p = p->next)
		given++;
	const struct type **types = arena_alloc(s->arena, (given + 1) * sizeof(*types));
	*count = 0;
	if (params_are_void(params))
		return types;
	bool good = true;
	for (const struct param_node *p = params; p; p = p->next) {
		types[*count] = param_type(s, p, given == 1);
		good &= types[(*count)++]->kind != TYPE_POISON;
	}
	return good ? types : NULL;
}
