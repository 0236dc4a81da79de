/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compatible - names of Solaris's kernel: `freemem, curthread->t_procp
 *
 * If this kernel has no such symbol with a type, or no such member, an inline of our library
 * dlib/solaris.d may replace it: solaris_freemem; solaris_task_struct_t_procp, whose argument is
 * the address of the struct.
 */
#include "sema/sema_internal.h"

#define PREFIX "solaris_"

struct inline_definition *compatible_symbol(struct sema *s, const char *written)
{
	static const char *const modules[] = { "`", "unix`", "genunix`" };
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		size_t len = strlen(modules[i]);
		const struct symbol_path path = { .name = written + len };
		if (strncmp(written, modules[i], len) == 0 && !strchr(path.name, '`') &&
		    !symbol_is_typed(s, &path))
			return library_inline(s, arena_printf(s->arena, PREFIX "%s", path.name));
	}
	return NULL;
}

bool compatible_has(struct sema *s, const char *symbol)
{
	const char *name = arena_printf(s->arena, PREFIX "%s", symbol);
	return library_kind(s, DECLARED_BY_LIBRARY, name) == LIBRARY_VALUE ||
	       hash_get_string(s->names[DECLARED_BY_LIBRARY].inlines, name);
}

struct inline_definition *compatible_member(struct sema *s, const struct texpr *object,
					    const char *name)
{
	const struct type *type = object->type;
	if (!type->name || object->kind != TEXPR_LOAD || object->load.user)
		return NULL;
	return library_inline(s, arena_printf(s->arena, PREFIX "%s_%s", type->name, name));
}
