/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_trampoline - entries and returns of the kernel's functions by fentry and fexit
 *
 * A trampoline at the function's beginning calls the program, with the arguments as the kernel's
 * types have them: no breakpoint, no registers to save.
 *
 * A kernel return probe needs an object for each call under way.  There are two for each CPU and
 * function (6.12), or ten at least (6.1); calls that find none are missed.  Fexit has a frame on
 * the thread's own stack instead, and misses none.
 *
 * What it costs: a program is not kept out of another one that runs on this CPU, as programs of
 * kprobes are; so functions that programs themselves call are left to these.  Our programs would
 * nest without a bound, and one that waits for a lock of a buffer would end in waiting for itself.
 *
 * A function that never returns would keep the trampoline of fexit for ever.
 *
 * See also fbt_path.c, the functions that programs call; fbt_functions.h, what of a function is
 * known; kernel/link/link.c, how events are opened; tracer/trampolines.c, the second choice.
 */
#include "arch/arch.h"
#include "provider/kernel/fbt_functions.h"
#include "provider/kernel/fbt_text.h"

#define WORD 8

/* Is a value of TYPE one register and one word of the context? */
static bool type_is_word(const struct type *type)
{
	const struct type *t = type_resolve(type);
	return t->kind != TYPE_STRUCT && t->kind != TYPE_UNION && t->kind != TYPE_FLOAT &&
	       type_size(t) > 0 && type_size(t) <= WORD;
}

static const char *type_problem(const struct type *type)
{
	if (!type)
		return "its type is not known";
	if (type->varargs)
		return "it has a variable number of arguments";
	if (type->count > arch_host()->argument_count)
		return "it has arguments on the stack";
	for (uint32_t i = 0; i < type->count; i++)
		if (!type_is_word(type->params[i]))
			return "an argument is not one word";
	bool has_result = type_resolve(type->target)->kind != TYPE_VOID;
	return has_result && !type_is_word(type->target) ? "its result is not one word" : NULL;
}

static const char *exits_problem(struct functions *f, const struct function *function)
{
	const struct text_symbol *symbol = text_symbol_at(&f->text, function->addresses.items[0]);
	address_vector exits = { 0 };
	if (!symbol)
		return "its address has no symbol";
	const char *problem = fbt_exits(&f->text, symbol, &exits);
	bool returns = problem || exits.count;
	vector_free(&exits);
	return returns ? NULL : "it never returns";
}

/* Static functions of one name have one type, but which of them a program is for is not known. */
static const char *code_problem(struct functions *f, const struct function *function,
				bool is_return)
{
	if (function->addresses.count != 1)
		return "several functions have its name";
	auto_error struct error *err = functions_open_text(f);
	if (err)
		return "the kernel's code cannot be read";
	return is_return ? exits_problem(f, function) : NULL;
}

/* The function of fbt with this event, or NULL: a formula's, which is known by its name alone. */
static const struct function *trampoline_function(const struct functions *f, const struct event *e)
{
	const struct function *function = function_named(f, e->function.module, e->function.name);
	bool is_same = function && function->addresses.items == e->function.addresses;
	return e->function.count && is_same ? function : NULL;
}

static const char *find_problem(struct functions *f, const struct event *e, const struct type *type)
{
	const char *name = e->function.name, *problem = type_problem(type);
	if (problem)
		return problem;
	if (e->function.in_programs || fbt_path_name_reason(name) || fbt_forbidden_reason(name))
		return "programs themselves call it";
	if (!e->function.count)
		return NULL;
	const struct function *function = trampoline_function(f, e);
	return function ? code_problem(f, function, event_is_return(e->kind)) : "it is of rawfbt";
}

/*
 * The context has a word for each argument, and at the return one more.  A formula whose pattern
 * may mean functions of any type knows more arguments than this one has.
 */
static struct arg_location place_in_context(struct arg_location at, const struct type *type)
{
	static const struct arg_location none = { ARG_NONE };
	if (at.kind == ARG_FUNCTION_RESULT)
		at.value = type->count;
	else if (at.kind == ARG_FUNCTION_ARGUMENT && at.value >= type->count)
		return none;
	return at;
}

const struct event *function_trampoline(struct probe_db *db, const struct event *e,
					const char **problem)
{
	struct functions *f = probe_db_state(db, &provider_fbt);
	const struct type *type = function_type(db, e->function.module, e->function.name);
	*problem = find_problem(f, e, type);
	if (*problem)
		return NULL;
	struct event *ret = ARENA_NEW(f->arena, struct event);
	struct event_args *args = ARENA_NEW(f->arena, struct event_args);
	for (unsigned i = 0; e->args && i < EVENT_ARGS; i++)
		args->arg[i] = place_in_context(e->args->arg[i], type);
	*ret = *e;
	ret->kind = event_is_return(e->kind) ? EVENT_KERNEL_FEXIT : EVENT_KERNEL_FENTRY;
	ret->args = args;
	return ret;
}
