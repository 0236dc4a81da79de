/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_space - the kernel's type data and those of its modules, and the meaning of their names
 *
 * A space is one file of BTF.  A module's ids follow the kernel's, and its types may refer to the
 * kernel's.
 */
#include <ctype.h>
#include <dirent.h>

#include "types/model.h"

/* --- opening ---------------------------------------------------------------------------------- */

void space_open(struct types *t, struct space *space, const char *name, struct btf *btf)
{
	space->name = arena_strdup(t->arena, name);
	space->btf = btf;
	space->by_id = mem_zalloc(((size_t)btf_count(btf) + 1) * sizeof(*space->by_id));
	space->by_id[0] = types_intrinsic(t, INTRINSIC_VOID);
}

void space_close(struct space *space)
{
	btf_free(space->btf);
	free(space->by_id);
}

struct space *kernel_space(struct types *t)
{
	if (!t->opened) {
		struct btf *btf;
		t->opened = true;
		t->problem = btf_open(t->btf_path, &btf);
		if (t->problem)
			t->problem = error_wrap(t->problem, "this needs the kernel's type data "
							    "(CONFIG_DEBUG_INFO_BTF)");
		else
			space_open(t, &t->vmlinux, "vmlinux", btf);
	}
	return t->problem ? NULL : &t->vmlinux;
}

const char *types_kernel_problem(struct types *t)
{
	kernel_space(t);
	return t->problem ? error_text(t->problem) : NULL;
}

static bool is_module_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
	return *name;
}

/* Modules' files are next to the kernel's. */
struct space *module_space(struct types *t, const char *name)
{
	struct space *kernel = kernel_space(t);
	if (!kernel || string_equal(name, "vmlinux"))
		return kernel;
	for (size_t i = 0; i < t->modules.count; i++)
		if (string_equal(t->modules.items[i]->name, name))
			return t->modules.items[i];

	const char *slash = strrchr(t->btf_path, '/');
	if (!slash || !is_module_name(name))
		return NULL;
	auto_free char *path = mem_printf("%.*s/%s", (int)(slash - t->btf_path), t->btf_path, name);
	struct btf *btf;
	auto_error struct error *err = btf_open_module(path, kernel->btf, &btf);
	if (err) {
		log_debug("types of module %s: %s", name, error_text(err));
		return NULL;
	}
	struct space *space = ARENA_NEW(t->arena, struct space);
	space_open(t, space, name, btf);
	space->base = kernel;
	vector_push(&t->modules, space);
	return space;
}

/* By name, so that of a type which several modules have always the same one is found. */
static int is_module_file(const struct dirent *entry)
{
	return is_module_name(entry->d_name) && !string_equal(entry->d_name, "vmlinux");
}

void modules_open(struct types *t)
{
	const char *slash = strrchr(t->btf_path, '/');
	if (t->opened_modules || !slash || !kernel_space(t))
		return;
	t->opened_modules = true;
	auto_free char *folder = mem_strndup(t->btf_path, (size_t)(slash - t->btf_path));
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_module_file, alphasort);
	for (int i = 0; i < count; i++) {
		module_space(t, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

void spaces_free(struct types *t)
{
	for (size_t i = 0; i < t->modules.count; i++)
		space_close(t->modules.items[i]);
	vector_free(&t->modules);
	hash_free(t->kernel_enumerators);
	space_close(&t->vmlinux);
}

/* --- names ----------------------------------------------------------------------------------- */

static uint32_t find_id(struct space *space, enum type_kind kind, const char *name)
{
	switch (kind) {
	case TYPE_STRUCT:
		return btf_find(space->btf, BTF_STRUCT, name);
	case TYPE_UNION:
		return btf_find(space->btf, BTF_UNION, name);
	case TYPE_TYPEDEF:
		return btf_find(space->btf, BTF_TYPEDEF, name);
	case TYPE_FUNCTION:
		return btf_find(space->btf, BTF_FUNC, name);
	case TYPE_ENUM: {
		uint32_t id = btf_find(space->btf, BTF_ENUM, name);
		return id ? id : btf_find(space->btf, BTF_ENUM64, name);
	}
	default:
		return 0;
	}
}

const struct type *space_find(struct types *t, struct space *space, enum type_kind kind,
			      const char *name)
{
	uint32_t id = find_id(space, kind, name);
	return id ? space_type(t, space, id) : NULL;
}

/* An enumerator of the kernel, and the id of its type. */
struct btf_enumerator {
	uint32_t id;
	int64_t value;
};

/* Of several with one name the first. */
static void read_enumerators(struct types *t, const struct btf *btf, uint32_t id)
{
	struct btf_enumerator e = { .id = id };
	struct btf_type type;
	const char *name;
	if (!btf_type_at(btf, id, &type))
		return;
	for (uint32_t i = 0; btf_enumerator_at(btf, &type, i, &name, &e.value); i++) {
		void **place = hash_place(t->kernel_enumerators, name, strlen(name));
		if (*place)
			continue;
		*place = ARENA_NEW(t->arena, struct btf_enumerator);
		*(struct btf_enumerator *)*place = e;
	}
}

/* They are needed where a name is unknown, or a library asks for one.  Of two with one name the one
 * of fewer bits counts. */
static void read_all_enumerators(struct types *t, struct btf *btf)
{
	static const enum btf_kind kinds[] = { BTF_ENUM, BTF_ENUM64 };
	t->kernel_enumerators = hash_new();
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		uint32_t id;
		for (uint32_t i = 0; (id = btf_nth(btf, kinds[k], i)); i++)
			read_enumerators(t, btf, id);
	}
}

const struct type *types_kernel_enum_of(struct types *t, const char *name, int64_t *value)
{
	struct space *kernel = kernel_space(t);
	if (!kernel)
		return NULL;
	if (!t->kernel_enumerators)
		read_all_enumerators(t, kernel->btf);
	const struct btf_enumerator *e = hash_get_string(t->kernel_enumerators, name);
	if (!e)
		return NULL;
	*value = e->value;
	return space_type(t, kernel, e->id);
}

/* Where module`name is looked for, which is the kernel without a module; *REST: the name. */
static struct space *space_of_name(struct types *t, const char *name, const char **rest)
{
	const char *tick = strchr(name, '`');
	*rest = tick ? tick + 1 : name;
	auto_free char *module = tick ? mem_strndup(name, (size_t)(tick - name)) : NULL;
	return module_space(t, module ? module : "vmlinux");
}

const struct type *types_kernel_function(struct types *t, const char *name)
{
	struct space *space = space_of_name(t, name, &name);
	const struct type *type = space ? space_find(t, space, TYPE_FUNCTION, name) : NULL;
	return type && type->kind == TYPE_FUNCTION ? type : NULL;
}

/* The offset of the BTF_VAR ID among the per-CPU variables, or -1. */
static int64_t per_cpu_offset(struct space *space, uint32_t id)
{
	uint32_t section = id ? btf_find(space->btf, BTF_DATASEC, ".data..percpu") : 0;
	struct btf_type type;
	if (!section || !btf_type_at(space->btf, section, &type))
		return -1;
	struct bytes b = type.extra;
	while (bytes_left(&b) >= 12) { /* a variable's id, offset and size each */
		uint32_t variable = bytes_u32(&b), offset = bytes_u32(&b);
		bytes_u32(&b);
		if (variable == id)
			return offset;
	}
	return -1;
}

const struct type *types_kernel_variable(struct types *t, const char *name, bool *per_cpu)
{
	struct space *space = space_of_name(t, name, &name);
	uint32_t id = space ? btf_find(space->btf, BTF_VAR, name) : 0;
	struct btf_type var;
	*per_cpu = false;
	if (!id || !btf_type_at(space->btf, id, &var))
		return NULL;
	*per_cpu = per_cpu_offset(space, id) >= 0;
	return space_type(t, space, var.size_or_type);
}

static void visit_typedefs(struct types *t, struct space *space, const char *prefix,
			   types_typedef_fn *visit, void *arg)
{
	struct btf_type type;
	uint32_t id;
	for (uint32_t i = 0; (id = btf_nth(space->btf, BTF_TYPEDEF, i)); i++)
		if (btf_type_at(space->btf, id, &type) &&
		    strncmp(type.name, prefix, strlen(prefix)) == 0)
			visit(arg, space->name, type.name, space_type(t, space, id));
}

void types_kernel_typedefs(struct types *t, const char *prefix, types_typedef_fn *visit, void *arg)
{
	struct space *kernel = kernel_space(t);
	if (!kernel)
		return;
	modules_open(t);
	visit_typedefs(t, kernel, prefix, visit, arg);
	for (size_t i = 0; i < t->modules.count; i++)
		visit_typedefs(t, t->modules.items[i], prefix, visit, arg);
}

const struct type *types_vmlinux_typedef(struct types *t, const char *name)
{
	struct space *kernel = kernel_space(t);
	return kernel ? space_find(t, kernel, TYPE_TYPEDEF, name) : NULL;
}

int32_t types_kernel_function_id(struct types *t, const char *name)
{
	struct space *space = space_of_name(t, name, &name);
	uint32_t id = space ? btf_find(space->btf, BTF_FUNC, name) : 0;
	return id ? (int32_t)id : -1;
}

int64_t types_kernel_variable_offset(struct types *t, const char *name)
{
	struct space *kernel = kernel_space(t);
	return kernel ? per_cpu_offset(kernel, btf_find(kernel->btf, BTF_VAR, name)) : -1;
}
