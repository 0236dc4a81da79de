/* SPDX-License-Identifier: BSD-2-Clause */
/* variable - those of the program, their keys, and the built-in ones */
#include "sema/builtin.h"
#include "sema/sema_internal.h"

/* --- the program's --- */

struct variable *variable_declared(struct sema *s, enum declarer who, enum scope scope,
				   const char *name)
{
	return hash_get_string(s->names[who].variables[scope], name);
}

struct variable *variable_find(struct sema *s, enum scope scope, const char *name)
{
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++) {
		struct variable *v = variable_declared(s, who, scope, name);
		if (!v && library_want_value(s, who, variable_text(s, scope, name)))
			v = variable_declared(s, who, scope, name);
		if (v)
			return v;
	}
	return NULL;
}

const char *variable_text(struct sema *s, enum scope scope, const char *name)
{
	static const char *const prefixes[] = { "", "self->", "this->" };
	return arena_printf(s->arena, "%s%s", prefixes[scope], name);
}

struct variable *variable_new(struct sema *s, enum scope scope, const char *name,
			      const struct type *type, struct range range)
{
	if (s->variables[scope].count >= VARIABLES_MAX) {
		diagnose(s->diagnostics, range, D_ID_OFLOW, "there are too many variables");
		return NULL;
	}
	struct variable *v = ARENA_NEW(s->arena, struct variable);
	v->name = arena_strdup(s->arena, name);
	v->scope = scope;
	v->declarer = speaker(s);
	v->type = type_resolve(type);
	v->index = (unsigned)s->variables[scope].count;
	vector_push(&s->variables[scope], v);
	hash_put_string(s->names[v->declarer].variables[scope], name, v);
	return v;
}

struct texpr *variable_hidden(struct sema *s, const struct type *type, struct range range)
{
	const char *name = arena_printf(s->arena, "[%zu]", s->variables[SCOPE_THIS].count);
	struct variable *v = variable_new(s, SCOPE_THIS, name, type, range);
	return v ? variable_check(s, v, range) : texpr_poison(s, range);
}

struct texpr *variable_check(struct sema *s, struct variable *v, struct range range)
{
	if (v->is_array)
		return mistake(s, range, D_IDENT_BADREF,
			       "%s is an associative array: it needs an index",
			       variable_text(s, v->scope, v->name));
	if (v->scope == SCOPE_SELF && formula_refuses(s, "a self variable", range))
		return texpr_poison(s, range);
	v->used = true;
	if (v->scope == SCOPE_GLOBAL)
		stability_use_defined(s, v->declarer, v->name, range);
	struct texpr *e = texpr_new(s, TEXPR_VARIABLE, v->type, range);
	e->variable = v;
	return e;
}

struct texpr *variable_element(struct sema *s, struct variable *v, const struct node *keys,
			       struct range range)
{
	if (v->scope == SCOPE_SELF && formula_refuses(s, "a self variable", range))
		return texpr_poison(s, range);
	v->used = true;
	if (v->scope == SCOPE_GLOBAL)
		stability_use_defined(s, v->declarer, v->name, range);
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
	if (e->type->kind == TYPE_ARRAY)
		return type_is_string_like(e->type) ? convert_string(s, e) : NULL;
	e = memory_decay(s, e);
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

/*
 * The first use fixes the types.  Elements of associative arrays are found by
 * whole numbers, whatever width the first one had, so a[1] and a[timestamp] may
 * both be used; aggregations keep the width, because it shows in the output.
 */
static const struct type *first_key_type(struct sema *s, const struct texpr *e, bool widen)
{
	if (widen && type_is_integer(e->type))
		return intrinsic(s, INTRINSIC_LONG);
	return e->type;
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
	struct texpr *key = convert_compatible(s, e, type);
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
		if (!e || (widen && type_is_action_result(e->type)))
			e = mistake(s, list->range, D_KEY_TYPE,
				    "key %u of %s has no type for a key", i + 1, what);
		if (first)
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

/* These are known of the thread that runs alone. */
static bool builtin_is_of_thread(enum builtin_variable which)
{
	return which == BUILTIN_stackdepth || which == BUILTIN_ustackdepth ||
	       which == BUILTIN_caller || which == BUILTIN_ucaller || which == BUILTIN_execargs ||
	       which == BUILTIN_vtimestamp || which == BUILTIN_cgroupname;
}

struct texpr *variable_builtin(struct sema *s, enum builtin_variable which, struct range range)
{
	if (which == BUILTIN_uregs || which == BUILTIN_regs)
		return mistake(s, range, D_IDENT_BADREF, "%s needs an index: uregs[R_PC]",
			       which == BUILTIN_regs ? "regs" : "uregs");
	if (which == BUILTIN_threadname) /* here execname is of the thread, too */
		which = BUILTIN_execname;
	struct texpr *of_task = formula_builtin(s, which, range);
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

/* --- args[] --- */

/* With -Z the program may come later. */
static void args_have_no_probe(struct sema *s, const struct tclause *c, struct range range)
{
	const char *provider = c ? provider_declared_name(s, c->desc.provider) : "";
	if (*provider && !probe_db_has_provider(s->probes, provider))
		diagnose(s->diagnostics, range, D_ARGS_NONE,
			 "there is no probe here yet to give args[] a type (arg0 ... arg9 need "
			 "none): a declaration in the script or in a library (-L) does, provider "
			 "%s { probe NAME(TYPES); };",
			 provider);
	else
		diagnose(s->diagnostics, range, D_ARGS_NONE,
			 c ? "there is no probe here yet to give args[] a type (arg0 ... arg9 need "
			     "none)"
			   : "there is no probe here to give args[] a type");
}

/* The arguments on which the probes of the clause agree; NULL and a mistake if they do not. */
static const struct probe_args *clause_args(struct sema *s, const struct node *n)
{
	static const struct probe_args none;
	struct tclause *c = s->clause;
	if (!c || c->probe_count == 0) {
		args_have_no_probe(s, c, n->range);
		return NULL;
	}
	const struct probe_args *args = probe_db_arguments(s->probes, c->probes[0]);
	for (unsigned i = 1; i < c->probe_count; i++) {
		if (probe_args_same(args, probe_db_arguments(s->probes, c->probes[i])))
			continue;
		const struct probe *one = c->probes[0], *other = c->probes[i];
		diagnose(s->diagnostics, n->range, D_ARGS_MULTI,
			 "the probes of this description differ in the types of args[]: %s:%s and "
			 "%s:%s",
			 one->function, one->name, other->function, other->name);
		return NULL;
	}
	c->reads_args = true;
	return args ? args : &none;
}

struct texpr *variable_argument_of(struct sema *s, const struct type *type, bool user_pointers,
				   unsigned index, struct range range)
{
	struct texpr *raw = texpr_argument(s, index, range);
	const struct type *resolved = type_resolve(type);
	if (user_pointers && resolved->kind == TYPE_POINTER)
		type = types_pointer(s->types,
				     types_qualified(s->types, resolved->target, TYPE_USERLAND));
	if (resolved->kind == TYPE_STRING) {
		struct texpr *string = convert_cast(s, raw, type, range);
		string->load.user = user_pointers;
		return string;
	}
	return convert_scalar(s, raw, type);
}

/* argN as TEXT's type. */
static struct texpr *argument_as(struct sema *s, const struct probe_args *args, const char *text,
				 unsigned index, struct range range)
{
	const struct type *type = library_type(s, text, true);
	if (!type || (!type_is_scalar(type) && !type_is_string(type)))
		return mistake(s, range, D_ARGS_TYPE,
			       "args[%u] has the type %s, which is not known", index, text);
	return variable_argument_of(s, type, args->user_pointers, index, range);
}

/* "devinfo_t * < struct bio * 0": arg0 is a struct bio *, to be translated. */
static struct texpr *translated_argument(struct sema *s, const struct probe_args *args,
					 const char *text, unsigned index, struct range range)
{
	const char *native = strchr(text, '<') + 1, *end = native + strlen(native);
	while (end[-1] >= '0' && end[-1] <= '9')
		end--;
	unsigned from = *end ? (unsigned)strtoul(end, NULL, 10) : index;
	auto_free char *output = mem_strndup(text, (size_t)(native - 1 - text));
	auto_free char *input = mem_strndup(native, (size_t)(end - native));
	struct texpr *raw = argument_as(s, args, input + strspn(input, " "), from, range);
	const struct type *type = library_type(s, output, true);
	if (!type)
		return mistake(s, range, D_ARGS_TYPE,
			       "args[%u] has the type %s, which is not known", index, output);
	if (!texpr_is_poison(raw) && !translator_exists(s, raw, type))
		return mistake(s, range, D_ARGS_XLATOR,
			       "args[%u] is a %s made of a %s, but there is no translator", index,
			       type_text(s, type), type_text(s, raw->type));
	return translator_apply(s, type, raw, 1, range);
}

static struct texpr *typed_argument(struct sema *s, const struct probe_args *args, unsigned index,
				    struct range range)
{
	const char *text = args->types[index];
	return strchr(text, '<') ? translated_argument(s, args, text, index, range)
				 : argument_as(s, args, text, index, range);
}

/* args[INDEX] of probes that are only declared yet; they will be a process's. */
static struct texpr *declared_argument(struct sema *s, const struct declared_argument *a,
				       unsigned index, struct range range)
{
	if (a->from >= PROBE_ARGS)
		return mistake(s, range, D_ARGS_IDX,
			       "args[%u] is argument %u, and only those up to %d can be read",
			       index, a->from, PROBE_ARGS - 1);
	if (!type_is_scalar(a->input) && !type_is_string(a->input))
		return mistake(s, range, D_ARGS_TYPE,
			       "args[%u] has the type %s, which no argument can have", index,
			       type_text(s, a->input));
	struct texpr *raw = variable_argument_of(s, a->input, true, a->from, range);
	if (texpr_is_poison(raw) || a->output == a->input)
		return raw;
	struct texpr *same = convert_compatible(s, raw, a->output);
	if (same)
		return type_is_scalar(a->output) ? convert_scalar(s, same, a->output) : same;
	if (!translator_exists(s, raw, a->output))
		return mistake(s, range, D_ARGS_XLATOR,
			       "args[%u] is a %s made of a %s, but there is no translator", index,
			       type_text(s, a->output), type_text(s, raw->type));
	return translator_apply(s, a->output, raw, 1, range);
}

struct texpr *variable_wrong_index(struct sema *s, int64_t index, int64_t count,
				   const char *problem, struct range range)
{
	if (problem)
		return mistake(s, range, D_ARGS_TYPE, "args[%lld] has no type: %s",
			       (long long)index, problem);
	return mistake(s, range, D_ARGS_IDX,
		       "args[%lld] does not exist: the probe has %lld typed argument%s%s",
		       (long long)index, (long long)count, count == 1 ? "" : "s",
		       count ? "" : " (arg0 ... arg9 are raw integers)");
}

/* args[INDEX] of a clause whose provider is declared (tclause.is_declared); NULL: it is not. */
static struct texpr *variable_declared_args(struct sema *s, int64_t index, struct range range)
{
	unsigned count;
	bool differ;
	if (!s->clause || !s->clause->is_declared)
		return NULL;
	const struct declared_argument *list = provider_arguments(s, s->clause, &count, &differ);
	if (differ)
		return mistake(
			s, range, D_ARGS_MULTI,
			"the declared probes of this description differ in the types of args[]");
	if (!list)
		return NULL;
	stability_use_args(s, range);
	if (index < 0 || index >= count)
		return variable_wrong_index(s, index, count, NULL, range);
	return declared_argument(s, &list[index], (unsigned)index, range);
}

struct texpr *variable_args(struct sema *s, const struct node *n)
{
	int64_t index;
	bool poison;
	if (!expression_constant(s, n->index.args, &index, &poison) || n->index.args->next)
		return poison ? texpr_poison(s, n->range)
			      : mistake(s, n->range, D_ARGS_IDX,
					"the index of args[] must be one integer constant");
	if (s->clause && s->clause->source) {
		stability_use_args(s, n->range);
		return formula_argument(s, index, n->range);
	}
	struct texpr *declared = variable_declared_args(s, index, n->range);
	if (!declared)
		declared = unit_argument(s, index, n->range);
	if (declared)
		return declared;
	const struct probe_args *args = clause_args(s, n);
	if (!args)
		return texpr_poison(s, n->range);
	stability_use_args(s, n->range);
	int64_t count = args->count;
	while (args->types && args->types[count])
		count++;
	if (index < 0 || index >= count)
		return variable_wrong_index(s, index, count, args->problem, n->range);
	return args->list ? process_argument(s, args, (unsigned)index, n->range)
			  : typed_argument(s, args, (unsigned)index, n->range);
}

bool variable_is_args(struct sema *s, const struct node *n)
{
	return n->kind == NODE_IDENT && name_find(s, n->ident.name).kind == NAME_ARGS;
}

struct texpr *variable_wrong_name(struct sema *s, const struct node *n, const char *what,
				  const struct nearest *nearest)
{
	const char *best = nearest->best;
	return mistake(s, n->member.name_range, D_ARGS_IDX, "no %s is called %s%s", what,
		       n->member.name,
		       best ? arena_printf(s->arena, ": did you mean %s?", best) : "");
}

/* The index of NAME among NAMES (NULL: none), or -1; *NEAREST sees all others. */
static int64_t index_of_name(const char *const *names, const char *name, struct nearest *nearest)
{
	for (int64_t i = 0; names && names[i]; i++) {
		if (string_equal(names[i], name))
			return i;
		nearest_try(nearest, names[i]);
	}
	return -1;
}

/* args.NAME of probes that have types and names. */
static struct texpr *typed_argument_named(struct sema *s, const struct probe_args *args,
					  const struct node *n)
{
	struct nearest nearest = nearest_to(n->member.name), ignored = nearest;
	int64_t index = index_of_name(args->names, n->member.name, &nearest);
	if (index < 0)
		return variable_wrong_name(s, n, "argument", &nearest);
	for (unsigned i = 1; i < s->clause->probe_count; i++) {
		const struct probe_args *other =
			probe_db_arguments(s->probes, s->clause->probes[i]);
		if (index_of_name(other->names, n->member.name, &ignored) != index)
			return mistake(s, n->member.name_range, D_ARGS_MULTI,
				       "the probes of this description differ in which argument "
				       "is called %s",
				       n->member.name);
	}
	return typed_argument(s, args, (unsigned)index, n->range);
}

struct texpr *variable_args_named(struct sema *s, const struct node *n)
{
	struct texpr *declared = unit_argument_named(s, n);
	if (declared)
		return declared;
	const struct probe_args *args = clause_args(s, n);
	if (!args)
		return texpr_poison(s, n->range);
	stability_use_args(s, n->range);
	if (args->names)
		return typed_argument_named(s, args, n);
	return process_argument_named(s, args, n);
}

struct texpr *variable_args_all(struct sema *s, const struct node *n)
{
	const struct probe_args *args = clause_args(s, n);
	if (!args)
		return texpr_poison(s, n->range);
	stability_use_args(s, n->range);
	if (args->problem || !args->count)
		return mistake(s, n->range, args->problem ? D_ARGS_TYPE : D_ARGS_IDX,
			       "there is nothing to print: %s",
			       args->problem ? args->problem
					     : "the probe has no arguments with names");
	return process_arguments(s, args, n->range);
}
