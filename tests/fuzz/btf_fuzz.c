/* SPDX-License-Identifier: BSD-2-Clause */
/* btf_fuzz - any bytes as BTF: read, find, and make types of all that has a name */
#include "fuzz_file.h"
#include "object/object.h"
#include "types/types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(struct btf *b)
{
	for (uint32_t id = 0; id <= btf_count(b) + 1; id++) {
		struct btf_type type;
		if (!btf_type_at(b, id, &type))
			continue;
		struct btf_member m;
		const char *name;
		int64_t value;
		uint32_t param;
		for (uint32_t i = 0; btf_member_at(b, &type, i, &m); i++)
			;
		for (uint32_t i = 0; btf_enumerator_at(b, &type, i, &name, &value); i++)
			;
		for (uint32_t i = 0; btf_param_at(b, &type, i, &name, &param); i++)
			;
		btf_find(b, type.kind, type.name);
	}
}

static void ask(struct types *t, const struct type *type)
{
	if (!type)
		return;
	struct strbuf out = { 0 };
	struct member m;
	type_print(type, &out);
	type_align(type);
	type_member(t, type, "nothing", &m);
	type_same(type, types_pointer(t, type));
	for (unsigned i = 0; i < type_member_count(t, type); i++)
		type_print(type_member_at(t, type, i)->type, &out);
	for (unsigned i = 0; i < type_enumerator_count(t, type); i++)
		strbuf_puts(&out, type_enumerator_at(t, type, i)->name);
	strbuf_deinit(&out);
}

static void make_types(const uint8_t *data, size_t size, struct btf *b)
{
	const char *path = fuzz_file(data, size);
	if (!path)
		return;
	struct types *t = types_new(path);
	for (uint32_t id = 1; id <= btf_count(b); id++) {
		struct btf_type type;
		if (!btf_type_at(b, id, &type) || !*type.name)
			continue;
		ask(t, types_find_tag(t, TYPE_STRUCT, type.name));
		ask(t, types_find_tag(t, TYPE_UNION, type.name));
		ask(t, types_find_tag(t, TYPE_ENUM, type.name));
		ask(t, types_find(t, type.name));
		ask(t, types_kernel_function(t, type.name));
		bool per_cpu;
		ask(t, types_kernel_variable(t, type.name, &per_cpu));
		types_parse(t, type.name);
	}
	types_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *b;
	struct error *err = btf_of_bytes(data, size, &b);
	if (err) {
		error_free(err);
		return 0;
	}
	read_all(b);
	make_types(data, size, b);
	btf_free(b);
	return 0;
}
