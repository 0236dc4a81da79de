/* SPDX-License-Identifier: BSD-2-Clause */
/* args - args[]: by the types of the clause's probes, as declared in D, by name, and all at once */
#include "sema/sema_internal.h"

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
		files_differ(s, one, other);
		diagnose(s->diagnostics, n->range, D_ARGS_MULTI,
			 "the probes of this description differ in the types of args[]: %s:%s and "
			 "%s:%s",
			 one->function, one->name, other->function, other->name);
		return NULL;
	}
	c->reads_args = true;
	return args ? args : &none;
}

struct texpr *args_value(struct sema *s, const struct type *type, bool user_pointers,
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
	struct texpr *value = convert_scalar(s, raw, type);
	value->declared = type;
	return value;
}

/* argN as TEXT's type. */
static struct texpr *args_as_type(struct sema *s, const struct probe_args *args, const char *text,
				  unsigned index, struct range range)
{
	const struct type *type = library_type(s, text, true);
	if (!type || (!type_is_scalar(type) && !type_is_string(type)))
		return mistake(s, range, D_ARGS_TYPE,
			       "args[%u] has the type %s, which is not known", index, text);
	return args_value(s, type, args->user_pointers, index, range);
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
	struct texpr *raw = args_as_type(s, args, input + strspn(input, " "), from, range);
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
				 : args_as_type(s, args, text, index, range);
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
	struct texpr *raw = args_value(s, a->input, true, a->from, range);
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

struct texpr *args_wrong_index(struct sema *s, int64_t index, int64_t count, const char *problem,
			       struct range range)
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
static struct texpr *args_declared(struct sema *s, int64_t index, struct range range)
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
		return args_wrong_index(s, index, count, NULL, range);
	return declared_argument(s, &list[index], (unsigned)index, range);
}

struct texpr *args_check(struct sema *s, const struct node *n)
{
	int64_t index;
	bool poison;
	if (!expression_constant(s, n->index.args, &index, &poison) || n->index.args->next)
		return poison ? texpr_poison(s, n->range)
			      : mistake(s, n->range, D_ARGS_IDX,
					"the index of args[] must be one integer constant");
	if (s->clause && s->clause->source) {
		stability_use_args(s, n->range);
		return s->formula_names->argument(s, index, n->range);
	}
	struct texpr *declared = args_declared(s, index, n->range);
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
		return args_wrong_index(s, index, count, args->problem, n->range);
	return args->list ? process_argument(s, args, (unsigned)index, n->range)
			  : typed_argument(s, args, (unsigned)index, n->range);
}

bool args_is_name(struct sema *s, const struct node *n)
{
	return n->kind == NODE_IDENT && name_find(s, n->ident.name).kind == NAME_ARGS;
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
		return args_wrong_name(s, n, "argument", &nearest);
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

struct texpr *args_named(struct sema *s, const struct node *n)
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

/* At the entry of system call NAME, struct syscall_NAME of dlib/syscall_args.d; NULL: no such. */
static struct texpr *args_of_call(struct sema *s, struct range range)
{
	const struct tclause *c = s->clause;
	for (unsigned i = 0; i < c->probe_count; i++) {
		const struct probe *p = c->probes[i];
		if (!string_equal(p->provider, "syscall") || !string_equal(p->name, "entry") ||
		    !string_equal(p->function, c->probes[0]->function))
			return NULL;
	}
	const char *name = arena_printf(s->arena, "struct syscall_%s", c->probes[0]->function);
	const struct type *type = library_type(s, name, true);
	struct texpr *input = texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), range);
	bool exists = type && translator_exists(s, input, type);
	return exists ? translator_apply(s, type, input, 1, range) : NULL;
}

struct texpr *args_all(struct sema *s, const struct node *n)
{
	const struct probe_args *args = clause_args(s, n);
	if (!args)
		return texpr_poison(s, n->range);
	stability_use_args(s, n->range);
	struct texpr *of_call = args->count ? NULL : args_of_call(s, n->range);
	if (of_call)
		return of_call;
	if (args->problem || !args->count)
		return mistake(s, n->range, args->problem ? D_ARGS_TYPE : D_ARGS_IDX,
			       "there is nothing to print: %s",
			       args->problem ? args->problem
					     : "the probe has no arguments with names");
	return process_arguments(s, args, n->range);
}
