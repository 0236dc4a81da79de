/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_symbol - symbols of the target process: ``name, object``name, LM0`object`name
 *
 * Their addresses are those of $target at compile time; they are read in the process that fires
 * the clause; thread-local ones, in the thread.  The type comes from an extern, else from the
 * object's debug information.  Values are in the process, so they are copied in, and pointers read
 * there are userland pointers.
 */
#include "sema/sema_internal.h"

bool user_symbol_path(struct sema *s, const char *name, struct symbol_path *ret)
{
	static const char base_link_map[] = "LM0`";
	const char *tick = strrchr(name, '`');
	size_t prefix = sizeof(base_link_map) - 1;
	const char *object = name, *end = tick;
	if (strncmp(name, base_link_map, prefix) == 0 && tick >= name + prefix)
		object += prefix;
	else if (tick > name && tick[-1] == '`')
		end--;
	else
		return false;
	ret->name = tick + 1;
	ret->module = end > object ? arena_strndup(s->arena, object, (size_t)(end - object)) : NULL;
	return *ret->name && (!ret->module || !strchr(ret->module, '`'));
}

/* --- symbols found -------------------------------------------------------------------------- */

static enum sema_user_found user_symbol_find(struct sema *s, const struct symbol_path *path,
					     struct sema_user_symbol *ret)
{
	if (!s->env->user_symbol || !s->env->target)
		return SEMA_USER_NO_TARGET;
	return s->env->user_symbol(s->env->arg, path->module, path->name, ret);
}

bool user_symbol_exists(struct sema *s, const struct symbol_path *path)
{
	struct sema_user_symbol any;
	return user_symbol_find(s, path, &any) == SEMA_USER_FOUND;
}

/* --- missing symbols ------------------------------------------------------------------------ */

static struct texpr *user_symbol_refuse(struct sema *s, const struct node *n,
					const struct symbol_path *path, enum sema_user_found found)
{
	const char *of =
		path->module ? path->module
			     : arena_printf(s->arena, "process %lld", (long long)s->env->target);
	if (found == SEMA_USER_NO_MODULE && !path->module)
		return mistake(s, n->range, D_IDENT_UNDEF,
			       "no file of %s can be read: it has ended", of);
	switch (found) {
	case SEMA_USER_NO_TARGET:
		return mistake(
			s, n->range, D_IDENT_UNDEF,
			"%s is a symbol of the target, but there is no target: name the process by "
			"-p, or start it by -c",
			n->ident.name);
	case SEMA_USER_NO_MODULE:
		return mistake(s, n->range, D_IDENT_UNDEF,
			       "process %lld has not mapped %s: /proc/%lld/maps has the names of "
			       "its files",
			       (long long)s->env->target, path->module, (long long)s->env->target);
	case SEMA_USER_THREAD_LOCAL:
		return mistake(s, n->range, D_VAR_UNSUP,
			       "each thread has its own %s, and where that is in %s is not known: "
			       "on x86_64 it is for variables of the program and of libraries with "
			       "the initial-exec model",
			       path->name, of);
	default:
		if (symbol_exists(s, path))
			return mistake(s, n->range, D_SYM_BADREF,
				       "%s is not a symbol of the target, but of the kernel: `%s",
				       n->ident.name, path->name);
		return mistake(s, n->range, extern_find(s, path->name) ? D_ASRELO : D_IDENT_UNDEF,
			       "%s is not a symbol of %s", n->ident.name, of);
	}
}

/* --- its type and value --------------------------------------------------------------------- */

static const struct type *user_symbol_type(struct sema *s, const struct symbol_path *path,
					   const struct sema_user_symbol *found)
{
	const struct type *declared = symbol_declared_type(s, path->name);
	if (declared)
		return declared;
	if (found->is_function)
		return symbol_function_type(s);
	return found->type ? found->type : intrinsic(s, INTRINSIC_VOID);
}

uint64_t user_symbol_size(struct sema *s, const struct symbol_path *path)
{
	struct sema_user_symbol found = { 0 };
	user_symbol_find(s, path, &found);
	return found.size;
}

static struct texpr *user_symbol_address(struct sema *s, const struct sema_user_symbol *symbol,
					 const struct type *type, struct range range)
{
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	if (!symbol->is_thread_local)
		return texpr_integer(s, (int64_t)symbol->address, type, range);
	struct texpr *pointer = texpr_new(s, TEXPR_UREG, number, range);
	pointer->argument.index = s->env->thread_pointer;
	struct texpr *offset = texpr_integer(s, (int64_t)symbol->address, number, range);
	return convert_scalar(s, fold_or_new(s, OP_ADD, number, false, pointer, offset, range),
			      type);
}

struct texpr *user_symbol_check(struct sema *s, const struct node *n,
				const struct symbol_path *path)
{
	struct sema_user_symbol symbol = { 0 };
	enum sema_user_found found = user_symbol_find(s, path, &symbol);
	if (found != SEMA_USER_FOUND && !s->env->allow_undefined_user)
		return user_symbol_refuse(s, n, path, found);
	s->result.uses_user_symbols = true;
	const struct type *type = user_symbol_type(s, path, &symbol);
	const struct type *there = types_qualified(s->types, type, TYPE_USERLAND);
	struct texpr *address =
		user_symbol_address(s, &symbol, types_pointer(s->types, there), n->range);
	struct texpr *e = memory_load(s, address, type, true, n->range);
	if (type->kind == TYPE_VOID)
		e->load.missing = symbol.missing;
	return e;
}
