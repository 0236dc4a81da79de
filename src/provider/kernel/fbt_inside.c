/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_inside - probes at single instructions of the kernel's functions: at an offset, at returns
 *
 * See also fbt_text.c, which reads the instructions; fbt_sites.c, where the kernel allows a probe;
 * fbt_exits.c, how a function ends.
 */
#include <ctype.h>
#include <string.h>

#include "provider/kernel/fbt_functions.h"
#include "provider/kernel/fbt_text.h"

/* At instructions that do not return, the result's register means nothing in particular. */
static const struct event_args inside_args = {
	.arg = { { ARG_SITE_OFFSET }, { ARG_FUNCTION_RESULT } },
};

struct event_function kernel_function_at(struct arena *a, const char *module, const char *name,
					 const struct kernel_site *sites, size_t count)
{
	uint64_t *addresses = arena_alloc(a, (count + 1) * sizeof(*addresses));
	uint32_t *offsets = arena_alloc(a, (count + 1) * sizeof(*offsets));
	for (size_t i = 0; i < count; i++) {
		addresses[i] = sites[i].address;
		offsets[i] = sites[i].offset;
	}
	return (struct event_function) {
		module, name, addresses, (uint32_t)count, kernel_function_in_programs(name), offsets
	};
}

bool kernel_function_in_programs(const char *name)
{
	return fbt_path_name_reason(name);
}

static void inside_site_add(kernel_site_vector *sites, uint64_t function, uint64_t offset)
{
	vector_push(sites, ((struct kernel_site) { .address = function + offset,
						   .offset = (uint32_t)offset }));
}

bool fbt_is_offset(const char *name, uint64_t *ret)
{
	char *end;
	*ret = strtoull(name, &end, 16);
	return isxdigit((unsigned char)*name) && !*end && strlen(name) <= 16;
}

/* --- functions in which the kernel forbids kprobes
 * ----------------------------------------------------- */

static void forbid_function(void *arg, const char *module, const char *name, uint64_t address)
{
	struct function *function = function_named(arg, module, name);
	if (function)
		function->is_forbidden = true;
}

/* Ftrace lists some of these functions, so they have entries and returns. */
static void find_forbidden(struct functions *f)
{
	if (!f->forbidden_known)
		kernel_forbidden_functions(forbid_function, f);
	f->forbidden_known = true;
}

static const char forbidden_problem[] =
	"the kernel forbids probes at instructions of this function";

/* --- an offset -------------------------------------------------------------------------------- */

/* FUNCTION's probe at OFFSET, as DESC names it; the result is NULL, or why there is none. */
static const char *make_inside(struct functions *f, struct function *function,
			       const struct probe_desc *desc, uint64_t offset)
{
	const char *problem = "it has no address";
	const char *module = function->entry->module, *name = function->entry->function;
	kernel_site_vector sites = { 0 };
	const struct probe *made = probe_db_find(f->db, f->owner->name, module, name, desc->name);
	if (made && made->data == function)
		return NULL;
	if (function->is_forbidden)
		return forbidden_problem;
	for (size_t i = 0; i < function->addresses.count; i++) {
		uint64_t at = function->addresses.items[i];
		const struct text_symbol *symbol = text_symbol_at(&f->text, at);
		problem =
			symbol ? fbt_offset_problem(&f->text, symbol, offset) : "it has no address";
		if (!problem)
			inside_site_add(&sites, at, offset);
	}
	if (sites.count) {
		struct probe *p = function_probe_new(f, function, module, name, desc->name);
		vector_push(&function->inside, p);
		struct event *e = probe_db_add_event(f->db, p, EVENT_KERNEL_INSIDE, &inside_args);
		e->function = kernel_function_at(f->arena, p->module, p->function, sites.items,
						 sites.count);
		e->function.in_programs = function_in_programs(f, function);
		problem = NULL;
	}
	vector_free(&sites);
	return problem;
}

struct error *fbt_describe_inside(struct functions *f, const struct probe_desc *desc,
				  uint64_t offset)
{
	struct error *err = functions_open_text(f);
	find_forbidden(f);
	for (size_t i = 0; i < f->list.count && !err; i++) {
		struct function *function = f->list.items[i];
		const struct probe *entry = function->entry;
		if (!probe_place_match(desc, entry))
			continue;
		const char *problem = make_inside(f, function, desc, offset);
		const struct probe_desc d = { f->owner->name, entry->module, entry->function,
					      desc->name };
		if (problem && glob_is_plain(desc->function))
			err = error_new("cannot probe offset %s of %s`%s: %s", desc->name,
					entry->module, entry->function, problem);
		else if (problem)
			probe_db_leave_out(f->db, &d, problem, false);
	}
	return err;
}

/* --- exits ------------------------------------------------------------------------------------ */

/* The exits of all functions of this name; NULL, or why they are not known. */
static const char *find_exits(struct functions *f, const struct function *function,
			      kernel_site_vector *ret)
{
	const char *problem = function->is_forbidden ? forbidden_problem : NULL;
	for (size_t i = 0; i < function->addresses.count && !problem; i++) {
		uint64_t at = function->addresses.items[i];
		const struct text_symbol *symbol = text_symbol_at(&f->text, at);
		address_vector exits = { 0 };
		problem = symbol ? fbt_exits(&f->text, symbol, &exits) : "it has no address";
		for (size_t k = 0; k < exits.count; k++)
			inside_site_add(ret, at, exits.items[k] - at);
		vector_free(&exits);
	}
	return problem || ret->count ? problem : "it never returns";
}

static const char *make_exits(struct functions *f, struct function *function, const struct event *e)
{
	auto_error struct error *err = functions_open_text(f);
	kernel_site_vector sites = { 0 };
	find_forbidden(f);
	const char *problem =
		err ? "the kernel's code cannot be read" : find_exits(f, function, &sites);
	if (!problem) {
		struct event *exits = ARENA_NEW(f->arena, struct event);
		struct event_args *args = ARENA_NEW(f->arena, struct event_args);
		*args = *e->args; /* the result is as at the return */
		args->arg[0] = (struct arg_location) { ARG_SITE_OFFSET };
		*exits = (struct event) { .kind = EVENT_KERNEL_INSIDE, .args = args };
		exits->function =
			kernel_function_at(f->arena, function->returns->module,
					   function->returns->function, sites.items, sites.count);
		exits->function.in_programs = function_in_programs(f, function);
		function->exits = exits;
	}
	vector_free(&sites);
	return problem;
}

const struct event *function_exits(struct probe_db *db, const struct event *e, const char **problem)
{
	const struct provider *const owners[] = { &provider_fbt, &provider_rawfbt };
	*problem = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(owners) && e->function.count; i++) {
		struct functions *f = probe_db_state(db, owners[i]);
		struct function *function = function_named(f, e->function.module, e->function.name);
		if (!function || function->addresses.items != e->function.addresses)
			continue;
		if (!function->exits_sought)
			*problem = make_exits(f, function, e);
		function->exits_sought = true;
		return function->exits;
	}
	return NULL;
}
