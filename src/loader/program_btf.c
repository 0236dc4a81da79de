/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BTF of our programs and maps
 *
 * The kernel verifies a function separately only if BTF describes its parameters (all of ours are
 * 64-bit numbers), and accepts callbacks of bpf_loop only if they are static in BTF.  So every
 * function of a program is described: name, number of parameters, linkage.
 */
#include <linux/btf.h>

#include "loader/internal.h"

struct btf_writer {
	struct strbuf types, strings;
	uint32_t next; /* type id */
};

enum { TYPE_LONG = 1, TYPE_INT = 2 };

static uint32_t add_string(struct btf_writer *w, const char *s)
{
	uint32_t offset = (uint32_t)w->strings.len;
	strbuf_add(&w->strings, s, strlen(s) + 1);
	return offset;
}

static uint32_t add_type(struct btf_writer *w, uint32_t name, uint32_t kind, uint32_t vlen,
			 uint32_t size_or_type)
{
	struct btf_type t = {
		.name_off = name,
		.info = kind << 24 | vlen,
		.size = size_or_type,
	};
	strbuf_add(&w->types, &t, sizeof(t));
	return w->next++;
}

static void add_integer(struct btf_writer *w, const char *name, uint32_t size)
{
	add_type(w, add_string(w, name), BTF_KIND_INT, 0, size);
	uint32_t encoding = (uint32_t)BTF_INT_SIGNED << 24 | size * 8;
	strbuf_add(&w->types, &encoding, sizeof(encoding));
}

static void btf_writer_begin(struct btf_writer *w)
{
	*w = (struct btf_writer) { .next = 1 };
	strbuf_putc(&w->strings, 0);
	add_integer(w, "long", 8);
	add_integer(w, "int", 4);
}

static uint32_t btf_add_function(struct btf_writer *w, const char *name, unsigned params,
				 bool global)
{
	uint32_t proto = add_type(w, 0, BTF_KIND_FUNC_PROTO, params, TYPE_LONG);
	for (unsigned i = 0; i < params; i++) {
		struct btf_param p = { .name_off = add_string(w, "a"), .type = TYPE_LONG };
		strbuf_add(&w->types, &p, sizeof(p));
	}
	return add_type(w, add_string(w, name), BTF_KIND_FUNC,
			global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, proto);
}

static struct error *btf_writer_load(struct btf_writer *w, int *ret)
{
	struct btf_header h = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(h),
		.type_len = (uint32_t)w->types.len,
		.str_off = (uint32_t)w->types.len,
		.str_len = (uint32_t)w->strings.len,
	};
	auto_strbuf struct strbuf all = { 0 };
	strbuf_add(&all, &h, sizeof(h));
	strbuf_add(&all, w->types.text, w->types.len);
	strbuf_add(&all, w->strings.text, w->strings.len);
	strbuf_deinit(&w->types);
	strbuf_deinit(&w->strings);
	return btf_load(all.text, (uint32_t)all.len, ret);
}

static int by_place(const void *a, const void *b)
{
	const struct function_info *x = a, *y = b;
	return x->instruction < y->instruction ? -1 : 1;
}

struct error *btf_of_program(const struct linker *k, int *btf, struct function_info **info,
			     uint32_t *count)
{
	struct btf_writer w;
	btf_writer_begin(&w);
	bool has_error = k->group->error_entry != 0;
	uint32_t most = (uint32_t)k->order.count + k->group->relocation_count + 4;
	*info = mem_zalloc(most * sizeof(**info));
	*count = 0;
	bool is_called = k->group->follows_jumps;
	(*info)[(*count)++] =
		(struct function_info) { 0, btf_add_function(&w, is_called ? "exits" : "clauses", 1,
							     true) };
	if (is_called)
		(*info)[(*count)++] =
			(struct function_info) { k->head,
						 btf_add_function(&w, "clauses", 2, false) };
	if (has_error)
		(*info)[(*count)++] =
			(struct function_info) { k->head + k->group->error_entry,
						 btf_add_function(&w, "error_clauses", 2, false) };
	for (uint32_t i = 0; i < k->group->relocation_count; i++)
		if (k->group->relocations[i].kind == RELOCATE_FUNCTION)
			(*info)[(*count)++] =
				(struct function_info) { k->head + k->group->relocations[i].addend,
							 btf_add_function(&w, "loop", 2, false) };
	for (size_t i = 0; i < k->order.count; i++) {
		const struct runtime_function *f = runtime_function((unsigned)k->order.items[i]);
		(*info)[(*count)++] =
			(struct function_info) { (uint32_t)k->placed[k->order.items[i]],
						 btf_add_function(&w, f->name, f->params,
								  f->global) };
	}
	if (k->ring)
		(*info)[(*count)++] =
			(struct function_info) { k->ring,
						 btf_add_function(&w, "rt_ring", 1, false) };
	qsort(*info, *count, sizeof(**info), by_place);
	return btf_writer_load(&w, btf);
}

static void add_member(struct btf_writer *w, const char *name, uint32_t type, uint32_t bytes)
{
	struct btf_member m = { add_string(w, name), type, bytes * 8 };
	strbuf_add(&w->types, &m, sizeof(m));
}

struct error *btf_of_work(uint32_t size, int *btf, uint32_t *key, uint32_t *value)
{
	struct btf_writer w;
	btf_writer_begin(&w);
	*key = TYPE_INT;
	uint32_t work = add_type(&w, add_string(&w, "bpf_task_work"), BTF_KIND_STRUCT, 1, 8);
	add_member(&w, "__opaque", TYPE_LONG, 0);
	*value = add_type(&w, add_string(&w, "process"), BTF_KIND_STRUCT, 1, size);
	add_member(&w, "work", work, 0);
	return btf_writer_load(&w, btf);
}

struct error *btf_of_task_storage(uint32_t size, int *btf, uint32_t *key, uint32_t *value)
{
	struct btf_writer w;
	btf_writer_begin(&w);
	*key = TYPE_INT;
	*value = add_type(&w, 0, BTF_KIND_ARRAY, 0, 0);
	struct btf_array array = { .type = TYPE_LONG, .index_type = TYPE_INT, .nelems = size / 8 };
	strbuf_add(&w.types, &array, sizeof(array));
	return btf_writer_load(&w, btf);
}
