/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbol - symbols of the kernel: `name, module`name, and externs; for those of the target, the way
 * to user_symbol.c
 *
 * The address comes from the kernel's symbols, the type from an extern, else
 * from BTF, which knows the functions and those variables of which each CPU has
 * its own.  Anything else is void: & gives a void *, and only what is as large as a number has a
 * value.
 *
 * A variable of each CPU is the one of the CPU on which the clause runs: its
 * address is the symbol's and what __per_cpu_offset[cpu] says, which costs one
 * more read of kernel memory.
 */
#include "sema/sema_internal.h"

static bool path_split(struct sema *s, const char *name, struct symbol_path *ret)
{
	const char *tick = strrchr(name, '`');
	ret->name = tick ? tick + 1 : name;
	ret->module = NULL;
	if (tick > name)
		ret->module = arena_strndup(s->arena, name, (size_t)(tick - name));
	return *ret->name && (!ret->module || !strchr(ret->module, '`'));
}

/* --- missing symbols ------------------------------------------------------------------------ */

bool symbol_is_function(struct sema *s, const char *name)
{
	return types_kernel_function(s->types, arena_printf(s->arena, "vmlinux`%s", name));
}

/*
 * Formulas and our libraries compare with addresses of functions that the kernel's types know.  The
 * kernel finds one of them at once; reading all symbols takes longer than the rest of the start. Of
 * several functions with one name this is the first.  In a D program it is a global one, so all are
 * read.
 */
static bool symbol_find_function(struct sema *s, const char *name, struct sema_symbol *ret)
{
	if (!s->env->kernel_function || !symbol_is_function(s, name))
		return false;
	if (!s->function.name || !string_equal(s->function.name, name)) {
		s->function.name = arena_strdup(s->arena, name);
		s->function.address = s->env->kernel_function(s->env->arg, name);
	}
	if (s->function.address)
		*ret = (struct sema_symbol) { s->function.address, "vmlinux", .is_function = true };
	return s->function.address;
}

/* Among all symbols; only this one knows its size. */
static bool symbol_find_any(struct sema *s, const char *module, const char *name,
			    struct sema_symbol *ret)
{
	return s->env->kernel_symbol && s->env->kernel_symbol(s->env->arg, module, name, ret);
}

bool module_is_kernel_elsewhere(const char *module)
{
	return string_equal(module, "genunix") || string_equal(module, "unix");
}

static bool symbol_find(struct sema *s, const char *module, const char *name,
			struct sema_symbol *ret)
{
	bool is_ours = s->formula || speaker(s) == DECLARED_BY_LIBRARY;
	if (module && module_is_kernel_elsewhere(module) &&
	    symbol_find_any(s, "vmlinux", name, ret))
		return true;
	return (is_ours && !module && symbol_find_function(s, name, ret)) ||
	       symbol_find_any(s, module, name, ret);
}

bool symbol_exists(struct sema *s, const struct symbol_path *path)
{
	struct sema_symbol any;
	return symbol_find(s, path->module, path->name, &any);
}

bool symbol_is_listed(struct sema *s, const char *text)
{
	struct symbol_path path;
	return path_split(s, text, &path) && symbol_exists(s, &path);
}

/* Many kernels list functions only. */
static const char *data_hint(struct sema *s)
{
	struct sema_symbol any;
	return symbol_find(s, NULL, "init_task", &any)
		       ? ""
		       : " (this kernel lists functions, but no variables: CONFIG_KALLSYMS_ALL)";
}

const struct type *extern_find(struct sema *s, const char *name)
{
	const struct type *type = NULL;
	for (enum declarer who = speaker(s); !type && who <= DECLARED_BY_LIBRARY; who++)
		type = hash_get_string(s->names[who].externs, name);
	return type;
}

static struct texpr *undefined(struct sema *s, const struct node *n, const struct symbol_path *path)
{
	const char *problem =
		s->env->kernel_symbols_problem ? s->env->kernel_symbols_problem(s->env->arg) : NULL;
	if (problem)
		return mistake(s, n->range, D_IDENT_UNDEF,
			       "the kernel's symbols cannot be read, so %s is unknown: %s",
			       path->name, problem);
	const char *module = path->module ? path->module : "";
	if (user_symbol_exists(s, path))
		return mistake(s, n->range, D_SYM_BADREF,
			       "%s`%s is not a symbol of the kernel, but of the target: %s``%s",
			       module, path->name, module, path->name);
	if (path->module && s->env->dependency &&
	    !s->env->dependency(s->env->arg, "module", path->module))
		return mistake(s, n->range, D_IDENT_UNDEF,
			       "%s`%s is unknown: the kernel has no module %s (a symbol of the "
			       "target has two backquotes: %s``%s)",
			       module, path->name, module, module, path->name);
	const char *of = path->module ? arena_printf(s->arena, "%s has", path->module)
				      : "the kernel and its modules have";
	/* An extern promised it. */
	bool declared = extern_find(s, path->name);
	return mistake(s, n->range, declared ? D_ASRELO : D_IDENT_UNDEF, "%s no symbol %s%s", of,
		       path->name, data_hint(s));
}

/* --- its type ------------------------------------------------------------------------------- */

const struct type *symbol_declared_type(struct sema *s, const char *name)
{
	const struct type *type = extern_find(s, name);
	return type ? type : hash_get_string(s->prototypes_of_headers, name);
}

const struct type *symbol_function_type(struct sema *s)
{
	return types_function(s->types, intrinsic(s, INTRINSIC_VOID), NULL, 0, true);
}

/* The kernel's clock is alone in a line of the cache: its distance to the next symbol is no size.
 */
static bool is_kernel_clock(const char *name)
{
	return string_equal(name, "jiffies") || string_equal(name, "jiffies_64");
}

static const struct type *symbol_type_of(struct sema *s, const char *name,
					 const struct sema_symbol *found, bool *per_cpu)
{
	const char *full = arena_printf(s->arena, "%s`%s", found->module, name);
	const struct type *known = types_kernel_variable(s->types, full, per_cpu);
	const struct type *type = symbol_declared_type(s, name);
	if (!type)
		type = known;
	if (!type && found->is_function)
		type = types_kernel_function(s->types, full);
	if (!type && found->is_function)
		type = symbol_function_type(s);
	if (!type && is_kernel_clock(name))
		type = intrinsic(s, INTRINSIC_ULONG);
	return type ? type : intrinsic(s, INTRINSIC_VOID);
}

/*
 * The bytes of an untyped variable, if it is a number; 0: it may be something else.  Numbers are
 * aligned to their size.  What is left up to the next symbol must be padding, which that one's
 * alignment asks for; beyond a line of the cache it is not.  At a multiple of eight anything may be
 * in more than eight bytes.
 */
static uint32_t number_size(const struct sema_symbol *symbol)
{
	uint64_t next = symbol->address + symbol->size, alignment = MIN(next & -next, 64u);
	uint32_t size = 8;
	while (size > 1 && (symbol->address % size || size > symbol->size))
		size /= 2;
	if (symbol->size < size || (size == 8 && symbol->size > size))
		return 0;
	return symbol->size - size < alignment ? size : 0;
}

bool symbol_is_typed(struct sema *s, const struct symbol_path *path)
{
	struct sema_symbol found;
	bool per_cpu;
	return symbol_find(s, path->module, path->name, &found) &&
	       symbol_type_of(s, path->name, &found, &per_cpu)->kind != TYPE_VOID;
}

/* --- its address ---------------------------------------------------------------------------- */

static struct texpr *this_cpu(struct sema *s, int64_t address, const struct type *pointer,
			      struct range range)
{
	struct sema_symbol offsets;
	if (!symbol_find(s, "vmlinux", "__per_cpu_offset", &offsets))
		return mistake(s, range, D_SYM_NOTYPES,
			       "this is a per-CPU variable, but the kernel does not say where "
			       "(__per_cpu_offset)");
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	const struct type *offset_pointer = types_pointer(s->types, number);
	struct texpr *cpu = texpr_new(s, TEXPR_BUILTIN, intrinsic(s, INTRINSIC_INT), range);
	cpu->builtin = BUILTIN_cpu;
	struct texpr *place = fold_or_new(
		s, OP_ADD, offset_pointer, false, memory_scaled(s, cpu, 8),
		texpr_integer(s, (int64_t)offsets.address, offset_pointer, range), range);
	struct texpr *offset = memory_load(s, place, number, false, range);
	return fold_or_new(s, OP_ADD, pointer, false, offset,
			   texpr_integer(s, address, pointer, range), range);
}

uint64_t symbol_size(struct sema *s, const struct node *n)
{
	struct symbol_path path;
	struct sema_symbol found = { 0 };
	if (user_symbol_path(s, n->ident.name, &path))
		return user_symbol_size(s, &path);
	if (path_split(s, n->ident.name, &path))
		symbol_find_any(s, path.module, path.name, &found);
	uint32_t number = number_size(&found);
	return number ? number : found.size;
}

static struct texpr *kernel_symbol_check(struct sema *s, const struct node *n,
					 const struct symbol_path *path)
{
	struct sema_symbol found = { 0 };
	bool exists = symbol_find(s, path->module, path->name, &found);
	if (!exists && !s->env->allow_undefined)
		return undefined(s, n, path);
	if (!exists)
		found.module = path->module ? path->module : "vmlinux";

	bool per_cpu;
	const struct type *type = symbol_type_of(s, path->name, &found, &per_cpu);
	const struct type *pointer = types_pointer(s->types, type);
	int64_t address = (int64_t)found.address;
	struct texpr *place = per_cpu && exists ? this_cpu(s, address, pointer, n->range)
						: texpr_integer(s, address, pointer, n->range);
	if (texpr_is_poison(place))
		return place;
	struct texpr *e = memory_load(s, place, type, false, n->range);
	if (e->type->kind == TYPE_VOID && !found.is_function)
		e->load.room = number_size(&found);
	return e;
}

struct texpr *symbol_check(struct sema *s, const struct node *n)
{
	struct symbol_path path;
	stability_use_symbol(s, n->range);
	struct texpr *local =
		process_variable(s, n->ident.name + strspn(n->ident.name, "`"), n->range);
	if (local)
		return local;
	if (user_symbol_path(s, n->ident.name, &path))
		return user_symbol_check(s, n, &path);
	if (path_split(s, n->ident.name, &path))
		return kernel_symbol_check(s, n, &path);
	return mistake(
		s, n->range, D_IDENT_UNDEF,
		"%s is neither a symbol of the kernel (`name, module`name) nor one of the target "
		"(``name, object``name)",
		n->ident.name);
}
