/* SPDX-License-Identifier: BSD-2-Clause */
/* dwarf_fuzz - any bytes as a program with debug information: the types of its variables, the
 * parameters of its functions, a type by name, and places in the source */
#include "fuzz_elf.h"
#include "object/dwarf/debug_info.h"
#include "object/dwarf/parameter.h"
#include "object/dwarf/source_place.h"
#include "types/types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The inside of TYPE, as deep as DEPTH. */
static size_t ask(struct types *t, const struct type *type, unsigned depth)
{
	type = type_resolve(type);
	size_t seen = type_size(type) + type_align(type);
	for (unsigned i = 0; depth && type_is_struct(type) && i < type_member_count(t, type); i++)
		seen += ask(t, type_member_at(t, type, i)->type, depth - 1);
	if (type->kind == TYPE_ENUM)
		for (unsigned i = 0; i < type_enumerator_count(t, type); i++)
			seen += strlen(type_enumerator_at(t, type, i)->name);
	if (depth && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
		seen += ask(t, type->target, depth - 1);
	struct strbuf text = { 0 };
	type_print(type, &text);
	strbuf_deinit(&text);
	return seen;
}

static size_t ask_function(struct types *t, struct debug_info *info, const struct elf_symbol *s)
{
	const struct object_function *f = types_object_function(t, info, s->address, s);
	size_t seen = f ? ask(t, f->result, 2) : 0;
	for (unsigned i = 0; f && i < f->count && i < 20; i++) {
		const struct object_parameter *p = &f->parameters[i];
		seen += ask(t, p->type, 2) + (p->name ? strlen(p->name) : 0) + p->place->count +
			type_is_passed_by_address(t, p->type);
	}
	return seen;
}

static size_t ask_places(struct debug_info *d, uint64_t address)
{
	struct source_place places[SOURCE_PLACES_MAX];
	unsigned count = debug_info_places(d, address, places);
	size_t seen = count;
	for (unsigned i = 0; i < count; i++) {
		seen += places[i].function ? strlen(places[i].function) : 0;
		seen += places[i].file ? strlen(places[i].file) : 0;
	}
	return seen;
}

static struct file_types info_of(void *arg, int pid, const char *module)
{
	return (struct file_types) { .info = arg, .btf = bytes_of(NULL, 0) };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *e = fuzz_elf(data, size);
	if (!e)
		return 0;
	struct types *t = types_new("/nonexistent");
	bool is_damaged = false;
	struct debug_info *info = debug_info_open(e, &is_damaged);
	const struct elf_symbol *s;
	size_t count, seen = 0;
	error_free(elf_file_symbols(e, &s, &count));
	for (size_t i = 0; i < count && i < 100; i++) {
		const struct type *type = types_object_variable(t, info, s[i].address, s[i].name);
		seen += type ? ask(t, type, 5) : 0;
		seen += ask_function(t, info, &s[i]);
		seen += info ? ask_places(info, s[i].address + i % 16) : 0;
		seen += info && debug_info_is_damaged(info, s[i].address);
	}
	types_set_objects(t, info_of, info);
	const struct type *item = types_find(t, "struct pid`a.out`item");
	seen += item ? ask(t, item, 5) : 0;
	types_free(t);
	debug_info_free(info);
	elf_file_free(e);
	return seen == SIZE_MAX;
}
