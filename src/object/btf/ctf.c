/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/object.h"

#include "object/btf/libctf.h"

#define BTF_MAGIC 0xeb9f
#define BTF_HEADER_SIZE 24

/* What is to become a record of BTF: a type, or a function of this name and type. */
struct wanted {
	const char *function; /* NULL: a type */
	ctf_id id;
};

/*
 * Each compilation becomes one BTF.  Records are numbered as they are requested and written in that
 * order, so a type that refers to itself through others ends.
 */
struct conversion {
	const struct libctf *lib;
	struct ctf_dict *dict; /* of one compilation; it knows the common types, too */
	struct strbuf types, strings;
	struct hash *numbers; /* id -> number of the record */
	VECTOR(struct wanted) all;
	size_t written;
};

/* --- records ---------------------------------------------------------------------------------- */

static void ctf_put(struct conversion *c, uint32_t value)
{
	strbuf_add(&c->types, &value, sizeof(value));
}

static uint32_t string(struct conversion *c, const char *text)
{
	if (!text || !*text)
		return 0;
	uint32_t at = (uint32_t)c->strings.len;
	strbuf_add(&c->strings, text, strlen(text) + 1);
	return at;
}

static void put_head(struct conversion *c, const char *name, enum btf_kind kind, uint32_t flag,
		     uint32_t count, uint32_t size_or_type)
{
	ctf_put(c, string(c, name));
	ctf_put(c, flag << 31 | (uint32_t)kind << 24 | MIN(count, 0xffff));
	ctf_put(c, size_or_type);
}

static bool is_void(struct conversion *c, ctf_id id)
{
	struct ctf_encoding e;
	int kind = c->lib->type_kind(c->dict, id);
	return kind <= CTF_UNKNOWN || kind > CTF_RESTRICT ||
	       (kind == CTF_INTEGER && c->lib->type_encoding(c->dict, id, &e) == 0 && !e.bits);
}

/*
 * Structs of one name that differ are only announced among the common types; each compilation has
 * its own.
 */
static ctf_id body_of(struct conversion *c, ctf_id id)
{
	const char *name = c->lib->type_name_raw(c->dict, id);
	if (c->lib->type_kind(c->dict, id) != CTF_FORWARD || !name)
		return id;
	bool is_union = c->lib->type_kind_forwarded(c->dict, id) == CTF_UNION;
	auto_free char *text = mem_printf("%s %s", is_union ? "union" : "struct", name);
	ctf_id body = c->lib->lookup_by_name(c->dict, text);
	return body == CTF_ERROR ? id : body;
}

/* The number of the record of type ID; 0: void, or nothing that BTF has. */
static uint32_t ctf_record_number(struct conversion *c, ctf_id id)
{
	if (id == CTF_ERROR || is_void(c, id))
		return 0;
	id = body_of(c, id);
	void **place = hash_place(c->numbers, &id, sizeof(id));
	if (!*place) {
		vector_push(&c->all, (struct wanted) { NULL, id });
		*place = (void *)(uintptr_t)c->all.count;
	}
	return (uint32_t)(uintptr_t)*place;
}

static uint32_t ctf_type_size(struct conversion *c, ctf_id id)
{
	ssize_t size = c->lib->type_size(c->dict, id);
	return size > 0 && size <= UINT32_MAX ? (uint32_t)size : 0;
}

/* --- structs and enums ------------------------------------------------------------------------ */

struct member_list {
	struct conversion *c;
	bool write, has_bits;
	uint32_t count;
};

/* A bit-field is a slice of a type: libctf calls that by the type's kind, with the slice's bits. */
static bool is_slice(struct conversion *c, ctf_id id, ctf_id *of, struct ctf_encoding *ret)
{
	int kind = c->lib->type_kind(c->dict, id);
	if (kind != CTF_INTEGER && kind != CTF_ENUM)
		return false;
	ctf_id whole = c->lib->type_reference(c->dict, id);
	if (whole == CTF_ERROR || c->lib->type_encoding(c->dict, id, ret) != 0)
		return false;
	*of = whole;
	return true;
}

static int ctf_add_member(const char *name, ctf_id id, unsigned long offset, void *arg)
{
	struct member_list *l = arg;
	struct ctf_encoding bits = { 0 };
	bool is_bits = is_slice(l->c, id, &id, &bits);
	l->has_bits |= is_bits;
	if (l->write) {
		uint32_t at = (uint32_t)offset + (is_bits ? bits.offset : 0);
		ctf_put(l->c, string(l->c, name));
		ctf_put(l->c, ctf_record_number(l->c, id));
		ctf_put(l->c, l->has_bits ? bits.bits << 24 | (at & 0xffffff) : at);
	}
	return ++l->count >= 0xffff;
}

static void put_members(struct conversion *c, const char *name, enum btf_kind kind, ctf_id id)
{
	struct member_list l = { .c = c };
	c->lib->member_iter(c->dict, id, ctf_add_member, &l);
	put_head(c, name, kind, l.has_bits, l.count, ctf_type_size(c, id));
	l.write = true;
	l.count = 0;
	c->lib->member_iter(c->dict, id, ctf_add_member, &l);
}

static int add_enumerator(const char *name, int value, void *arg)
{
	struct member_list *l = arg;
	if (l->write) {
		ctf_put(l->c, string(l->c, name));
		ctf_put(l->c, (uint32_t)value);
	}
	l->has_bits |= value < 0; /* BTF: signed */
	return ++l->count >= 0xffff;
}

static void ctf_put_enum(struct conversion *c, const char *name, ctf_id id)
{
	struct member_list l = { .c = c };
	c->lib->enum_iter(c->dict, id, add_enumerator, &l);
	put_head(c, name, BTF_ENUM, l.has_bits, l.count, ctf_type_size(c, id));
	l.write = true;
	l.count = 0;
	c->lib->enum_iter(c->dict, id, add_enumerator, &l);
}

/* --- other types ------------------------------------------------------------------------------ */

static void ctf_put_integer(struct conversion *c, const char *name, ctf_id id)
{
	struct ctf_encoding e = { 0 };
	c->lib->type_encoding(c->dict, id, &e);
	put_head(c, name, BTF_INT, 0, 0, ctf_type_size(c, id));
	ctf_put(c, (e.format & 7) << 24 | (e.offset & 0xff) << 16 | (e.bits & 0xff));
}

static void put_array(struct conversion *c, ctf_id id)
{
	struct ctf_array a = { .contents = CTF_ERROR, .index = CTF_ERROR };
	c->lib->array_info(c->dict, id, &a);
	put_head(c, NULL, BTF_ARRAY, 0, 0, 0);
	ctf_put(c, ctf_record_number(c, a.contents));
	ctf_put(c, ctf_record_number(c, a.index));
	ctf_put(c, a.count);
}

/* BTF counts parameters in 16 bits.  Nobody writes as many, but damage has them. */
#define PARAMETERS_MOST 0xfffe

/* CTF has no names of parameters. */
static void put_prototype(struct conversion *c, ctf_id id)
{
	struct ctf_function f = { .result = CTF_ERROR };
	c->lib->func_type_info(c->dict, id, &f);
	if (f.count > PARAMETERS_MOST)
		f.count = 0;
	auto_free ctf_id *list = mem_zalloc((f.count + 1) * sizeof(*list));
	if (c->lib->func_type_args(c->dict, id, f.count, list) != 0)
		f.count = 0;
	bool varargs = f.flags & CTF_FUNCTION_VARARGS;
	put_head(c, NULL, BTF_FUNC_PROTO, 0, f.count + varargs, ctf_record_number(c, f.result));
	for (uint32_t i = 0; i < f.count; i++) {
		ctf_put(c, 0);
		ctf_put(c, ctf_record_number(c, list[i]));
	}
	if (varargs) {
		ctf_put(c, 0);
		ctf_put(c, 0);
	}
}

static void put_reference(struct conversion *c, const char *name, enum btf_kind kind, ctf_id id)
{
	put_head(c, name, kind, 0, 0, ctf_record_number(c, c->lib->type_reference(c->dict, id)));
}

static void put_type(struct conversion *c, ctf_id id)
{
	const char *name = c->lib->type_name_raw(c->dict, id);
	switch (c->lib->type_kind(c->dict, id)) {
	case CTF_INTEGER:
		return ctf_put_integer(c, name, id);
	case CTF_FLOAT:
		return put_head(c, name, BTF_FLOAT, 0, 0, ctf_type_size(c, id));
	case CTF_POINTER:
		return put_reference(c, NULL, BTF_PTR, id);
	case CTF_ARRAY:
		return put_array(c, id);
	case CTF_FUNCTION:
		return put_prototype(c, id);
	case CTF_STRUCT:
		return put_members(c, name, BTF_STRUCT, id);
	case CTF_UNION:
		return put_members(c, name, BTF_UNION, id);
	case CTF_ENUM:
		return ctf_put_enum(c, name, id);
	case CTF_TYPEDEF:
		return put_reference(c, name, BTF_TYPEDEF, id);
	case CTF_VOLATILE:
		return put_reference(c, NULL, BTF_VOLATILE, id);
	case CTF_CONST:
		return put_reference(c, NULL, BTF_CONST, id);
	case CTF_RESTRICT:
		return put_reference(c, NULL, BTF_RESTRICT, id);
	default: /* CTF_FORWARD: is_void() leaves no others */
		put_head(c, name, BTF_FWD, c->lib->type_kind_forwarded(c->dict, id) == CTF_UNION, 0,
			 0);
	}
}

/* --- the section ------------------------------------------------------------------------------ */

static void put_wanted(struct conversion *c)
{
	while (c->written < c->all.count) {
		struct wanted w = c->all.items[c->written++];
		if (w.function)
			put_head(c, w.function, BTF_FUNC, 0, BTF_FUNC_GLOBAL,
				 ctf_record_number(c, w.id));
		else
			put_type(c, w.id);
	}
}

static void put_btf(const struct conversion *c, struct strbuf *ret)
{
	const uint32_t types = (uint32_t)c->types.len, strings = (uint32_t)c->strings.len;
	const uint16_t magic = BTF_MAGIC, version = 1;
	const uint32_t rest[] = { BTF_HEADER_SIZE, 0, types, types, strings };
	strbuf_add(ret, &magic, sizeof(magic));
	strbuf_add(ret, &version, sizeof(version));
	strbuf_add(ret, rest, sizeof(rest));
	strbuf_add(ret, strbuf_text(&c->types), types);
	strbuf_add(ret, strbuf_text(&c->strings), strings);
}

struct target {
	const struct libctf *lib;
	struct strbuf *ret;
};

/* The functions of one compilation, or the common ones, and what types they need. */
static int add_dict(struct ctf_dict *dict, const char *compilation, void *arg)
{
	struct target *to = arg;
	struct conversion c = { .lib = to->lib, .dict = dict, .numbers = hash_new() };
	struct ctf_next *next = NULL;
	const char *name;
	strbuf_putc(&c.strings, 0);
	for (ctf_id id; (id = c.lib->symbol_next(dict, &next, &name, 1)) != CTF_ERROR;)
		vector_push(&c.all, (struct wanted) { name, id });
	c.lib->next_destroy(next); /* an error leaves it, the end does not */
	put_wanted(&c);
	if (c.all.count)
		put_btf(&c, to->ret);
	strbuf_deinit(&c.types);
	strbuf_deinit(&c.strings);
	hash_free(c.numbers);
	vector_free(&c.all);
	return 0;
}

struct error *ctf_to_btf(const struct elf_file *file, struct strbuf *ret)
{
	struct ctf_section section;
	const struct libctf *lib;
	if (!ctf_section_of(file, ".ctf", 0, &section))
		return NULL;
	struct error *err = libctf_load(&lib);
	if (err)
		return err;
	struct ctf_archive *archive = libctf_open(lib, file, &section);
	if (!archive)
		return error_new("section .ctf is damaged");
	struct target to = { lib, ret };
	bool failed = lib->archive_iter(archive, add_dict, &to) != 0;
	lib->close(archive);
	return failed ? error_new("section .ctf is damaged") : NULL;
}
