/* SPDX-License-Identifier: BSD-2-Clause */
/* variable - those of the program, their keys, and the built-in ones */
#include "sema/sema_internal.h"

struct texpr *variable_element(struct sema *s, struct variable *v, const struct node *keys,
			       struct range range)
{
	if (!variable_use(s, v, range))
		return texpr_poison(s, range);
	bool bad = false;
	struct texpr *list = keys_check(s, keys, variable_text(s, v->scope, v->name), &v->key_types,
					&v->key_count, true, &bad, range);
	if (bad || v->type->kind == TYPE_POISON)
		return texpr_poison(s, range);
	struct texpr *e = texpr_new(s, TEXPR_ELEMENT, v->type, range);
	e->element.variable = v;
	e->element.keys = list;
	return e;
}

/* --- keys --- */

/* A key as it is kept: texts become strings.  NULL: it cannot be one. */
static struct texpr *key_value(struct sema *s, const struct node *n)
{
	struct texpr *e = expression_plain(s, expression_argument(s, n, D_KEY_TYPE), D_KEY_TYPE);
	e = text_or_object(s, e);
	if (e->type->kind == TYPE_ARRAY)
		return type_is_string_like(e->type) ? convert_string(s, e) : NULL;
	e = time_key(s, memory_decay(s, e));
	switch (e->type->kind) {
	case TYPE_VOID:
	case TYPE_ARRAY:
	case TYPE_FLOAT:
	case TYPE_FORWARD:
	case TYPE_DYNAMIC:
	case TYPE_FUNCTION:
		return NULL;
	default:
		return type_is_struct(e->type) && !type_size(e->type) ? NULL : e;
	}
}

const struct type *key_type_wide(struct sema *s, const struct type *type)
{
	const struct type *t = type_resolve(type);
	if (!type_is_integer(t) || (t->kind == TYPE_ENUM && t->size == sizeof(int64_t)))
		return type;
	if (t->kind != TYPE_ENUM)
		return intrinsic(s, INTRINSIC_LONG);
	struct type *wide = ARENA_NEW(s->arena, struct type);
	*wide = *t;
	wide->size = sizeof(int64_t);
	wide->is_signed = true;
	return wide;
}

/*
 * The first use fixes the types.  Elements of associative arrays are found by
 * whole numbers, whatever width the first one had, so a[1] and a[timestamp] may
 * both be used; aggregations keep the width, because it shows in the output.
 */
static const struct type *first_key_type(struct sema *s, const struct texpr *e, bool widen)
{
	return widen ? key_type_wide(s, e->type) : e->type;
}

/* A later use may have a wider number: then the key has its size. */
static void widen_key(const struct type **type, const struct texpr *e)
{
	if (!texpr_is_poison(e) && type_is_integer(*type) && type_is_integer(e->type) &&
	    type_size(e->type) > type_size(*type))
		*type = e->type;
}

static struct texpr *key_of_type(struct sema *s, struct texpr *e, const struct type *type,
				 const char *what, unsigned number)
{
	struct texpr *key = convert_compatible(s, time_check(s, e, type), type);
	if (key)
		return key;
	return mistake(s, e->range, D_PROTO_ARG, "key %u of %s has type %s, but %s before", number,
		       what, type_text(s, e->type), type_text(s, type));
}

struct texpr *keys_check(struct sema *s, const struct node *list, const char *what,
			 const struct type ***types, unsigned *count, bool widen, bool *bad,
			 struct range range)
{
	unsigned given = node_count(list);
	bool first = !*types;
	if (first) {
		*types = arena_alloc(s->arena, (given + 1) * sizeof(**types));
		*count = given;
	}
	if (given > KEYS_MAX) {
		diagnose(s->diagnostics, range, D_PROTO_LEN, "%s may have at most %u keys, not %u",
			 what, KEYS_MAX, given);
		*bad = true;
		return NULL;
	}
	if (given != *count) {
		diagnose(s->diagnostics, range, D_PROTO_LEN, "%s has %u key%s, not %u", what,
			 *count, *count == 1 ? "" : "s", given);
		*bad = true;
		return NULL;
	}
	struct texpr *keys = NULL, **end = &keys;
	for (unsigned i = 0; i < given; i++, list = list->next) {
		struct texpr *e = key_value(s, list);
		if (e && widen && e->type->kind == TYPE_STACK)
			e = stack_kept(s, e, NULL);
		if (!e || (widen && type_is_action_result(e->type) && !type_is_kept_stack(e->type)))
			e = mistake(s, list->range, D_KEY_TYPE,
				    "key %u of %s has no type for a key", i + 1, what);
		if (first || !(*types)[i]) /* or a use inside of that key, see ahead.c */
			(*types)[i] = first_key_type(s, e, widen);
		widen_key(&(*types)[i], e);
		e = key_of_type(s, e, (*types)[i], what, i + 1);
		*bad |= texpr_is_poison(e);
		*end = e;
		end = &e->next;
	}
	return keys;
}

/* --- built-in ones --- */

/*
 * A static probe of every process has a name without a process; PROVIDER's value gets the number
 * of the process that fires, as in the names of one process's probes.
 */
static struct texpr *with_process(struct sema *s, struct texpr *provider)
{
	struct texpr *pid = variable_builtin(s, BUILTIN_pid, provider->range);
	provider->next = subroutine_of(s, SUBROUTINE_lltostr, pid, provider->range);
	return subroutine_of(s, SUBROUTINE_strjoin, provider, provider->range);
}

bool builtin_is_of_thread(enum builtin_variable which)
{
	return which == BUILTIN_stackdepth || which == BUILTIN_ustackdepth ||
	       which == BUILTIN_caller || which == BUILTIN_ucaller || which == BUILTIN_execargs ||
	       which == BUILTIN_vtimestamp || which == BUILTIN_cgroupname ||
	       which == BUILTIN_container || which == BUILTIN_errno;
}

struct texpr *variable_builtin(struct sema *s, enum builtin_variable which, struct range range)
{
	if (which == BUILTIN_uregs || which == BUILTIN_regs)
		return mistake(s, range, D_IDENT_BADREF, "%s needs an index: uregs[R_PC]",
			       which == BUILTIN_regs ? "regs" : "uregs");
	if (which == BUILTIN_threadname) /* here execname is of the thread, too */
		which = BUILTIN_execname;
	struct texpr *of_task = s->formula_names->builtin(s, which, range);
	if (of_task)
		return of_task;
	if (builtin_is_of_thread(which) && formula_refuses(s, builtin_rows[which].name, range))
		return texpr_poison(s, range);
	if (!s->builtin_types[which])
		s->builtin_types[which] = library_type(s, builtin_rows[which].type, false);
	if (!s->builtin_types[which]) {
		const char *problem = types_kernel_problem(s->types);
		return mistake(s, range, D_TYPE_ERR, "the type %s is not known%s%s",
			       builtin_rows[which].type, problem ? ": " : "",
			       problem ? problem : "");
	}
	stability_use_builtin(s, &builtin_rows[which], range);
	s->result.counts_frames |=
		which == BUILTIN_stackdepth ||
		(which == BUILTIN_ustackdepth && s->env->max_user_frames == s->env->max_frames);
	s->result.uses_target |= which == BUILTIN_target;
	s->result.walks_user |= which == BUILTIN_ustackdepth || which == BUILTIN_ucaller;
	struct texpr *e = texpr_new(s, TEXPR_BUILTIN, s->builtin_types[which], range);
	e->builtin = which;
	bool is_of_all = which == BUILTIN_probeprov && s->clause &&
			 probe_db_of_every_process(s->probes, s->clause->desc.provider);
	return is_of_all ? with_process(s, e) : e;
}

struct texpr *variable_uregs(struct sema *s, const struct node *n)
{
	int64_t index;
	bool poison;
	if (!expression_constant(s, n->index.args, &index, &poison) || n->index.args->next)
		return poison ? texpr_poison(s, n->range)
			      : mistake(s, n->range, D_REGS_IDX,
					"the index of uregs[] must be one integer constant");
	if (formula_refuses(s, "uregs[]", n->range))
		return texpr_poison(s, n->range);
	if (index < 0 || index >= s->env->uregs_count)
		return mistake(s, n->range, D_REGS_IDX, "uregs[] has no register %lld",
			       (long long)index);
	struct texpr *e = texpr_new(s, TEXPR_UREG, intrinsic(s, INTRINSIC_ULONG), n->range);
	e->argument.index = (unsigned)index;
	return e;
}
