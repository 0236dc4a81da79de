/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_function - types of programs and libraries by BTF: parameters and results of functions, and
 * types by their names
 *
 * BTF knows types and names, but no places: they are the calling convention's.  A linker leaves
 * the BTF of several compilations one after the other, each with ids of its own; a function that
 * two of them describe in different ways is described by none.
 */
#include "types/model.h"

#include "object/dwarf/parameter.h"

struct btf_section {
	struct btf_section *next;
	struct bytes bytes; /* our copy */
	bool is_narrow;	    /* of a program of 32 bits, which BTF does not say */
	VECTOR(struct space *) spaces;
};

/* --- the section ------------------------------------------------------------------------------ */

/* Linkers may leave zeros between two compilations. */
static void skip_padding(struct bytes *rest)
{
	while (bytes_left(rest) && !rest->data[rest->pos])
		bytes_u8(rest);
}

static struct btf_section *section_read(struct types *t, struct bytes from, bool is_narrow)
{
	struct btf_section *s = ARENA_NEW(t->arena, struct btf_section);
	void *copy = arena_alloc(t->arena, from.size);
	memcpy(copy, from.data, from.size);
	s->bytes = bytes_of(copy, from.size);
	s->is_narrow = is_narrow;
	struct bytes rest = s->bytes;
	for (skip_padding(&rest); bytes_left(&rest); skip_padding(&rest)) {
		struct btf *btf;
		size_t size = btf_size(bytes_slice(&rest, rest.pos, bytes_left(&rest)));
		struct bytes one = bytes_slice(&rest, rest.pos, size);
		auto_error struct error *err = btf_of_bytes(one.data, one.size, &btf);
		if (err) {
			log_debug("BTF of a program, byte %zu: %s", rest.pos, error_text(err));
			break;
		}
		struct space *space = ARENA_NEW(t->arena, struct space);
		space_open(t, space, "", btf);
		space->of_process = true;
		space->is_narrow = is_narrow;
		vector_push(&s->spaces, space);
		bytes_take(&rest, size);
	}
	return s;
}

/* One file's section is read once, however many processes run the file. */
static struct btf_section *section_of(struct types *t, const struct file_types *f)
{
	struct bytes b = f->btf;
	bool is_narrow = f->is_narrow;
	if (!b.size)
		return NULL;
	for (struct btf_section *s = t->sections; s; s = s->next)
		if (s->is_narrow == is_narrow && s->bytes.size == b.size &&
		    memcmp(s->bytes.data, b.data, b.size) == 0)
			return s;
	struct btf_section *s = section_read(t, b, is_narrow);
	s->next = t->sections;
	t->sections = s;
	return s;
}

void btf_sections_free(struct types *t)
{
	for (struct btf_section *s = t->sections; s; s = s->next) {
		for (size_t i = 0; i < s->spaces.count; i++)
			space_close(s->spaces.items[i]);
		vector_free(&s->spaces);
	}
}

/* --- types ------------------------------------------------------------------------------------ */

const struct type *btf_file_type(struct types *t, const struct file_types *f, enum type_kind kind,
				 const char *name)
{
	const struct type *found = NULL;
	const struct btf_section *s = section_of(t, f);
	for (size_t i = 0; s && i < s->spaces.count; i++) {
		const struct type *type = space_find(t, s->spaces.items[i], kind, name);
		if (type && (!found || found->kind == TYPE_FORWARD))
			found = type;
	}
	return found;
}

/* --- functions -------------------------------------------------------------------------------- */

static void name_parameters(struct types *t, struct space *space, const struct btf_type *prototype,
			    struct object_parameter *list, unsigned count)
{
	uint32_t type;
	for (unsigned i = 0; i < count; i++) {
		const char *name;
		if (btf_param_at(space->btf, prototype, i, &name, &type) && *name)
			list[i].name = arena_strdup(t->arena, name);
	}
}

/* The function of the BTF_FUNC ID. */
static struct object_function *function_describe(struct types *t, struct space *space, uint32_t id)
{
	struct btf_type function, prototype;
	const struct type *type = space_type(t, space, id);
	if (type->kind != TYPE_FUNCTION || !btf_type_at(space->btf, id, &function) ||
	    !btf_type_at(space->btf, function.size_or_type, &prototype))
		return NULL;
	struct object_function *ret = ARENA_NEW(t->arena, struct object_function);
	struct object_parameter *list = arena_alloc(t->arena, (type->count + 1) * sizeof(*list));
	struct parameter_place *by_call = ARENA_NEW(t->arena, struct parameter_place);
	for (unsigned i = 0; i < type->count; i++)
		list[i] = (struct object_parameter) { NULL, type->params[i], by_call };
	name_parameters(t, space, &prototype, list, type->count);
	ret->parameters = list;
	ret->count = type->count;
	ret->result = type->target;
	ret->keeps_result = true;
	ret->convention = CONVENTION_C;
	return ret;
}

/*
 * BTF also lists functions that a compilation only calls, and gcc 12 does not mark them: their
 * parameters have no names.
 */
static bool is_definition(const struct object_function *f)
{
	return !f->count || f->parameters[0].name;
}

static bool types_print_alike(const struct type *a, const struct type *b)
{
	auto_strbuf struct strbuf one = { 0 }, other = { 0 };
	type_print(a, &one);
	type_print(b, &other);
	return string_equal(strbuf_text(&one), strbuf_text(&other));
}

/* Each compilation has types of its own, so those of one name are the same here. */
static bool function_same(const struct object_function *a, const struct object_function *b)
{
	if (a->count != b->count || !types_print_alike(a->result, b->result))
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (!types_print_alike(a->parameters[i].type, b->parameters[i].type))
			return false;
	return true;
}

struct candidate {
	const struct object_function *found; /* NULL: none yet */
	bool is_ambiguous;
};

static void candidate_consider(struct candidate *c, const struct object_function *f)
{
	bool better = !c->found || is_definition(f) > is_definition(c->found);
	bool rival = !better && is_definition(f) == is_definition(c->found);
	c->is_ambiguous = (c->is_ambiguous && !better) || (rival && !function_same(f, c->found));
	c->found = better ? f : c->found;
}

static void find_in(struct types *t, struct space *space, const char *name, struct candidate *c)
{
	struct btf_type function;
	for (uint32_t n = 0, id; (id = btf_nth(space->btf, BTF_FUNC, n)); n++) {
		if (!btf_type_at(space->btf, id, &function) || function.vlen == BTF_FUNC_EXTERN ||
		    !string_equal(function.name, name))
			continue;
		const struct object_function *f = function_describe(t, space, id);
		if (f)
			candidate_consider(c, f);
	}
}

const struct object_function *types_btf_function(struct types *t, const struct file_types *f,
						 const char *name, bool *several)
{
	struct candidate c = { 0 };
	const struct btf_section *s = section_of(t, f);
	for (size_t i = 0; s && i < s->spaces.count; i++)
		find_in(t, s->spaces.items[i], name, &c);
	*several = c.is_ambiguous;
	return c.is_ambiguous ? NULL : c.found;
}
