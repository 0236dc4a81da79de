/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BTF for what we load
 *
 * The kernel verifies a function by itself only when BTF tells its parameters
 * (all of ours are 64-bit numbers), and callbacks of bpf_loop only when they
 * are known as static functions.  So every function of a program is described:
 * name, number of parameters, linkage.
 */
#include <linux/btf.h>

#include "loader/internal.h"

struct describer {
	struct strbuf types, strings;
	uint32_t next; /* type id */
};

enum { TYPE_LONG = 1, TYPE_INT = 2 };

static uint32_t add_string(struct describer *d, const char *s)
{
	uint32_t offset = (uint32_t)d->strings.len;
	strbuf_add(&d->strings, s, strlen(s) + 1);
	return offset;
}

static uint32_t add_type(struct describer *d, uint32_t name, uint32_t kind, uint32_t vlen,
			 uint32_t size_or_type)
{
	struct btf_type t = {
		.name_off = name,
		.info = kind << 24 | vlen,
		.size = size_or_type,
	};
	strbuf_add(&d->types, &t, sizeof(t));
	return d->next++;
}

static void add_integer(struct describer *d, const char *name, uint32_t size)
{
	add_type(d, add_string(d, name), BTF_KIND_INT, 0, size);
	uint32_t encoding = (uint32_t)BTF_INT_SIGNED << 24 | size * 8;
	strbuf_add(&d->types, &encoding, sizeof(encoding));
}

static void describer_begin(struct describer *d)
{
	*d = (struct describer) { .next = 1 };
	strbuf_putc(&d->strings, 0);
	add_integer(d, "long", 8);
	add_integer(d, "int", 4);
}

static uint32_t add_function(struct describer *d, const char *name, unsigned params, bool global)
{
	uint32_t proto = add_type(d, 0, BTF_KIND_FUNC_PROTO, params, TYPE_LONG);
	for (unsigned i = 0; i < params; i++) {
		struct btf_param p = { .name_off = add_string(d, "a"), .type = TYPE_LONG };
		strbuf_add(&d->types, &p, sizeof(p));
	}
	return add_type(d, add_string(d, name), BTF_KIND_FUNC,
			global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, proto);
}

static struct error *describer_load(struct describer *d, int *ret)
{
	struct btf_header h = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(h),
		.type_len = (uint32_t)d->types.len,
		.str_off = (uint32_t)d->types.len,
		.str_len = (uint32_t)d->strings.len,
	};
	auto_strbuf struct strbuf all = { 0 };
	strbuf_add(&all, &h, sizeof(h));
	strbuf_add(&all, d->types.text, d->types.len);
	strbuf_add(&all, d->strings.text, d->strings.len);
	strbuf_deinit(&d->types);
	strbuf_deinit(&d->strings);
	return btf_load(all.text, (uint32_t)all.len, ret);
}

static int by_place(const void *a, const void *b)
{
	const struct function_info *x = a, *y = b;
	return x->instruction < y->instruction ? -1 : 1;
}

struct error *describe_program(const struct linker *k, int *btf, struct function_info **info,
			       uint32_t *count)
{
	struct describer d;
	describer_begin(&d);
	bool has_error = k->group->error_entry != 0;
	*info = mem_zalloc((k->order.count + 3) * sizeof(**info));
	*count = 0;
	(*info)[(*count)++] = (struct function_info) { 0, add_function(&d, "clauses", 1, true) };
	if (has_error)
		(*info)[(*count)++] =
			(struct function_info) { k->group->error_entry,
						 add_function(&d, "error_clauses", 2, false) };
	for (size_t i = 0; i < k->order.count; i++) {
		const struct runtime_function *f = runtime_function((unsigned)k->order.items[i]);
		(*info)[(*count)++] =
			(struct function_info) { (uint32_t)k->placed[k->order.items[i]],
						 add_function(&d, f->name, f->params, f->global) };
	}
	if (k->ring)
		(*info)[(*count)++] =
			(struct function_info) { k->ring, add_function(&d, "rt_ring", 1, false) };
	qsort(*info, *count, sizeof(**info), by_place);
	return describer_load(&d, btf);
}

static void add_member(struct describer *d, const char *name, uint32_t type, uint32_t bytes)
{
	struct btf_member m = { add_string(d, name), type, bytes * 8 };
	strbuf_add(&d->types, &m, sizeof(m));
}

struct error *describe_watched(int *btf, uint32_t *key, uint32_t *value)
{
	struct describer d;
	describer_begin(&d);
	*key = TYPE_INT;
	uint32_t work = add_type(&d, add_string(&d, "bpf_task_work"), BTF_KIND_STRUCT, 1, 8);
	add_member(&d, "__opaque", TYPE_LONG, 0);
	*value = add_type(&d, add_string(&d, "watched_process"), BTF_KIND_STRUCT, 1,
			  sizeof(struct watched_process));
	add_member(&d, "work", work, offsetof(struct watched_process, work));
	return describer_load(&d, btf);
}

struct error *describe_task_storage(uint32_t size, int *btf, uint32_t *key, uint32_t *value)
{
	struct describer d;
	describer_begin(&d);
	*key = TYPE_INT;
	*value = add_type(&d, 0, BTF_KIND_ARRAY, 0, 0);
	struct btf_array array = { .type = TYPE_LONG, .index_type = TYPE_INT, .nelems = size / 8 };
	strbuf_add(&d.types, &array, sizeof(array));
	return describer_load(&d, btf);
}
