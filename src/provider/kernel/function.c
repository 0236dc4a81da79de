/* SPDX-License-Identifier: BSD-2-Clause */
/* function - where the arguments and the result of a function of the kernel are */
#include <string.h>

#include "provider/provider.h"

#define REGISTER 8
#define ARGUMENT_REGISTERS_MOST 2 /* of one struct */

/* Registers that an argument of TYPE takes; 0: it is in memory. */
static unsigned registers_of(const struct type *type)
{
	uint32_t size = type_size(type);
	if (size <= REGISTER)
		return 1;
	return size <= ARGUMENT_REGISTERS_MOST * REGISTER ? ARGUMENT_REGISTERS_MOST : 0;
}

static struct arg_location value_of(enum arg_kind kind, const struct type *type, unsigned number)
{
	uint32_t size = type_size(type);
	struct arg_location ret = { .kind = (uint8_t)kind, .value = number };
	if (type_is_integer(type) && (size == 1 || size == 2 || size == 4)) {
		ret.size = (uint8_t)size;
		ret.is_signed = type_is_signed(type);
	}
	return ret;
}

/* Structs in memory end the list: what comes after them is on the stack. */
unsigned function_argument_places(const struct type *type, struct event_args *ret)
{
	unsigned i = 0, next = 0;
	for (; type && i < type->count && i < PROBE_ARGS; i++) {
		unsigned count = registers_of(type->params[i]);
		if (!count)
			return i;
		ret->arg[i] = value_of(ARG_FUNCTION_ARGUMENT, type->params[i], next);
		next += count;
	}
	for (; !type && i < PROBE_ARGS; i++)
		ret->arg[i] = (struct arg_location) { .kind = ARG_FUNCTION_ARGUMENT, .value = i };
	return i;
}

struct arg_location function_result_place(const struct type *type)
{
	if (!type)
		return (struct arg_location) { .kind = ARG_FUNCTION_RESULT };
	if (type_resolve(type->target)->kind == TYPE_VOID)
		return (struct arg_location) { 0 };
	return value_of(ARG_FUNCTION_RESULT, type->target, 0);
}

const struct type *function_type(struct probe_db *db, const char *module, const char *name)
{
	struct types *types = probe_db_types(db);
	if (!types || types_kernel_problem(types))
		return NULL;
	if (string_equal(module, "vmlinux"))
		return types_kernel_function(types, name);
	auto_free char *in_module = mem_printf("%s`%s", module, name);
	return types_kernel_function(types, in_module);
}

/* --- by name ---------------------------------------------------------------------------------- */

/* Functions of vmlinux that a pattern matches. */
struct matches {
	const char *pattern;
	function_fn *visit;
	void *arg;
	bool any;
};

static void match_one(void *arg, const char *module, const char *name, uint64_t address)
{
	struct matches *m = arg;
	if (!string_equal(module, "vmlinux") || !glob_match(m->pattern, name))
		return;
	m->any = true;
	m->visit(m->arg, module, name, NULL);
}

const char *function_find(struct arena *a, struct probe_db *db, const char *name,
			  function_fn *visit, void *arg)
{
	const char *colon = strchr(name, ':');
	const char *module = colon ? arena_strndup(a, name, (size_t)(colon - name)) : "vmlinux";
	const char *function = colon ? colon + 1 : name;
	if (!asked_kprobes(db))
		return "this kernel has no kprobes (CONFIG_KPROBES)";
	if (!glob_is_plain(name)) {
		struct matches m = { name, visit, arg };
		const char *problem = asked_functions(db, match_one, &m);
		return problem ? problem
		       : m.any ? NULL
			       : arena_printf(a, "no function of the kernel is like %s", name);
	}
	const struct type *type = function_type(db, module, function);
	if (!type)
		return arena_printf(a, "there is no function %s", name);
	visit(arg, module, function, type);
	return NULL;
}
