/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt - functions of the kernel and its modules, at their entry and their return; rawfbt: the same
 * with arguments as numbers
 *
 * All names are known at once: tracefs lists the functions that can be probed.  Addresses are read
 * when a description matches, types too.  Static functions of one name and module are one
 * probe; so its events are at several addresses.
 *
 * A function whose name has a suffix of the compiler (.isra.0) has other arguments than the
 * type data say: args[] does not exist.
 *
 * No storm by accident: a description without a provider means functions only if it names one.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "kernel/kernel.h"
#include "provider/fbt_exits.h"
#include "provider/fbt_path.h"
#include "provider/provider.h"

/* What hangs on a probe. */
struct function {
	VECTOR(uint64_t) addresses;
	struct probe *entry, *returns;
	unsigned users; /* probes that have this data */
	struct probe_args entry_args, return_args;
	char *types[EVENT_ARGS + 1];
	char *result[3];
	const char *own_path; /* why patterns leave it out; NULL: they do not, or it is unknown */
	const struct functions *of;
	const struct event *exits; /* NULL: unknown, or nobody asked */
	bool exits_sought;
};

/* The functions of one of the two providers. */
struct functions {
	const struct provider *owner;
	struct probe_db *db;
	struct hash *by_name; /* "module name" -> struct function */
	VECTOR(struct function *) list;
	bool listed, has_addresses;
	struct fbt_path *path; /* NULL: no pattern needed it yet, or it is known by names alone */
	bool path_sought;
	struct kernel_code *code; /* NULL: nobody needed it yet, or it cannot be read */
	struct kernel_text text;  /* if there is code */
	struct arena *arena;	  /* of events inside of functions */
};

static void *functions_new(struct probe_db *db)
{
	struct functions *f = mem_zalloc(sizeof(*f));
	f->db = db;
	f->by_name = hash_new();
	f->arena = arena_new();
	return f;
}

static void functions_free(void *state)
{
	struct functions *f = state;
	hash_free(f->by_name);
	vector_free(&f->list);
	fbt_path_free(f->path);
	if (f->code)
		text_deinit(&f->text);
	kernel_code_close(f->code);
	arena_free(f->arena);
	free(f);
}

/* Two probes have one. */
static void function_free(void *data)
{
	struct function *f = data;
	if (--f->users)
		return;
	vector_free(&f->addresses);
	for (unsigned i = 0; i < ARRAY_SIZE(f->types); i++)
		free(f->types[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(f->result); i++)
		free(f->result[i]);
	free(f);
}

/* --- the list ------------------------------------------------------------------------------- */

/* The place of NAME's function. */
static void **place_of_function(const struct functions *f, const char *module, const char *name)
{
	char key[600];
	int len = snprintf(key, sizeof(key), "%s %s", module, name);
	return hash_place(f->by_name, key, MIN((size_t)len, sizeof(key) - 1));
}

/* Tracefs marks with such names what it has forgotten. */
static bool is_gone(const char *name)
{
	return strncmp(name, "__ftrace_invalid_address", 24) == 0;
}

static struct probe *add_probe(struct functions *f, struct function *function, const char *module,
			       const char *name, const char *what)
{
	struct probe *p = probe_db_add(f->db, f->owner, f->owner->name, module, name, what);
	p->data = function;
	function->users++;
	return p;
}

static void list_one(void *arg, const char *module, const char *name, uint64_t address)
{
	struct functions *f = arg;
	void **place = place_of_function(f, module, name);
	if (*place || is_gone(name))
		return;
	struct function *function = mem_zalloc(sizeof(*function));
	*place = function;
	function->of = f;
	function->entry = add_probe(f, function, module, name, "entry");
	function->returns = add_probe(f, function, module, name, "return");
	vector_push(&f->list, function);
}

/* What is read in one pass over the kernel's symbols. */
struct reading {
	struct functions *functions; /* NULL: these have their addresses */
	struct kernel_text *text;    /* NULL: nobody asks for it */
};

static void read_symbol(void *arg, const char *module, const char *name, uint64_t address)
{
	const struct reading *r = arg;
	struct function *function =
		r->functions ? *place_of_function(r->functions, module, name) : NULL;
	if (function)
		vector_push(&function->addresses, address);
	if (r->text)
		text_add(r->text, address, name);
}

static void read_addresses(struct functions *f, struct kernel_text *text)
{
	struct reading r = { f->has_addresses ? NULL : f, text };
	if (!r.functions && !text)
		return;
	kernel_function_addresses(read_symbol, &r);
	f->has_addresses = true;
}

/* --- machine code ----------------------------------------------------------------------------- */

static bool read_code(void *arg, uint64_t address, void *ret, size_t size)
{
	return kernel_code_read(arg, address, ret, size);
}

static struct error *open_text(struct functions *f)
{
	if (f->code)
		return NULL;
	struct error *err = kernel_code_open(&f->code);
	if (err)
		return err;
	text_init(&f->text, arch_host(), read_code, f->code);
	read_addresses(f, &f->text);
	text_sort(&f->text);
	return NULL;
}

static const char *path_reason(const struct functions *f, const struct function *function)
{
	const char *why = NULL;
	for (size_t i = 0; i < function->addresses.count && !why; i++)
		why = fbt_path_reason(f->path, function->addresses.items[i]);
	return why;
}

/* Without privileges the kernel's code cannot be read: names have to do. */
static void find_path(struct functions *f)
{
	f->path_sought = true;
	auto_error struct error *err = open_text(f);
	if (err) {
		log_debug("what probes call is known by names alone: %s", error_text(err));
		return;
	}
	f->path = fbt_path_new(&f->text);
	for (size_t i = 0; i < f->list.count; i++)
		f->list.items[i]->own_path = path_reason(f, f->list.items[i]);
	log_debug("probes and programs call %zu functions of the kernel", fbt_path_count(f->path));
}

/* --- arguments ------------------------------------------------------------------------------ */

/* The kernel's type data of P's function; NULL: they are unknown, or not to be used. */
static const struct type *type_of(const struct functions *f, const struct probe *p)
{
	return f->owner == &provider_fbt ? function_type(f->db, p->module, p->function) : NULL;
}

static void describe_entry(struct functions *f, struct function *function)
{
	const struct type *type = type_of(f, function->entry);
	struct event_args args = { 0 };
	unsigned count = function_argument_places(type, &args);
	for (unsigned i = 0; type && i < count; i++)
		function->types[i] = argument_type_text(type->params[i]);
	if (type) {
		function->entry_args.types = (const char *const *)function->types;
		function->entry->args = &function->entry_args;
	}
	struct probe *p = function->entry;
	probe_db_add_event(f->db, p, EVENT_KERNEL_ENTRY, &args)->function =
		(struct event_function) { p->module, p->function, function->addresses.items,
					  (uint32_t)function->addresses.count };
}

/* The offset of the instruction that returns is -1, unless a clause reads it: function_exits(). */
static void describe_return(struct functions *f, struct function *function)
{
	struct probe *p = function->returns;
	const struct type *type = type_of(f, p);
	struct event_args args = { .arg = { { .kind = ARG_CONSTANT, .value = -1 },
					    function_result_place(type) } };
	if (type) {
		bool has_result = args.arg[1].kind != ARG_NONE;
		function->result[0] = mem_strdup("int");
		function->result[1] = has_result ? argument_type_text(type->target) : NULL;
		function->return_args.types = (const char *const *)function->result;
		p->args = &function->return_args;
	}
	probe_db_add_event(f->db, p, EVENT_KERNEL_RETURN, &args)->function =
		(struct event_function) { p->module, p->function, function->addresses.items,
					  (uint32_t)function->addresses.count };
}

static bool is_meant(const struct probe_desc *desc, const struct probe *p)
{
	return !p->events && probe_field_match(desc->function, p->function) &&
	       probe_field_match(desc->module, p->module) && probe_field_match(desc->name, p->name);
}

static void describe_meant(struct functions *f, const struct probe_desc *desc)
{
	for (size_t i = 0; i < f->list.count; i++) {
		struct function *function = f->list.items[i];
		bool entry = is_meant(desc, function->entry);
		bool returns = is_meant(desc, function->returns);
		if (entry || returns)
			read_addresses(f, NULL);
		if (!function->addresses.count)
			continue;
		if (entry)
			describe_entry(f, function);
		if (returns)
			describe_return(f, function);
	}
}

/* --- single instructions ---------------------------------------------------------------------- */

/* At instructions that do not return, the result's register means nothing in particular. */
static const struct event_args inside_args = {
	.arg = { { ARG_SITE_OFFSET }, { ARG_FUNCTION_RESULT } },
};

struct place {
	uint64_t address;
	uint32_t offset;
};
typedef VECTOR(struct place) place_vector;

static struct event_function function_at(struct functions *f, const struct probe *p,
					 const place_vector *places)
{
	uint64_t *addresses = arena_alloc(f->arena, (places->count + 1) * sizeof(*addresses));
	uint32_t *offsets = arena_alloc(f->arena, (places->count + 1) * sizeof(*offsets));
	for (size_t i = 0; i < places->count; i++) {
		addresses[i] = places->items[i].address;
		offsets[i] = places->items[i].offset;
	}
	return (struct event_function) { p->module, p->function, addresses, (uint32_t)places->count,
					 offsets };
}

/* A name of hexadecimal digits, 0x before it or not. */
static bool is_offset(const char *name, uint64_t *ret)
{
	char *end;
	*ret = strtoull(name, &end, 16);
	return isxdigit((unsigned char)*name) && !*end && strlen(name) <= 16;
}

/* FUNCTION's probe at OFFSET, as DESC names it; the result is NULL, or why there is none. */
static const char *make_inside(struct functions *f, struct function *function,
			       const struct probe_desc *desc, uint64_t offset)
{
	const char *problem = "it has no address", *module = function->entry->module;
	const char *name = function->entry->function;
	place_vector places = { 0 };
	if (probe_db_find(f->db, f->owner->name, module, name, desc->name))
		return NULL;
	for (size_t i = 0; i < function->addresses.count; i++) {
		uint64_t at = function->addresses.items[i];
		const struct text_symbol *symbol = text_symbol_at(&f->text, at);
		problem = symbol ? fbt_offset_problem(&f->text, symbol, offset) : problem;
		if (!problem)
			vector_push(&places, ((struct place) { at + offset, (uint32_t)offset }));
	}
	if (places.count) {
		struct probe *p = add_probe(f, function, module, name, desc->name);
		probe_db_add_event(f->db, p, EVENT_KERNEL_INSIDE, &inside_args)->function =
			function_at(f, p, &places);
		problem = NULL;
	}
	vector_free(&places);
	return problem;
}

static struct error *describe_inside(struct functions *f, const struct probe_desc *desc,
				     uint64_t offset)
{
	struct error *err = open_text(f);
	for (size_t i = 0; i < f->list.count && !err; i++) {
		struct function *function = f->list.items[i];
		const struct probe *entry = function->entry;
		if (!probe_field_match(desc->function, entry->function) ||
		    !probe_field_match(desc->module, entry->module))
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

/* The exits of all functions of this name; NULL, or why they are not known. */
static const char *find_exits(struct functions *f, const struct function *function,
			      place_vector *ret)
{
	const char *problem = NULL;
	for (size_t i = 0; i < function->addresses.count && !problem; i++) {
		uint64_t at = function->addresses.items[i];
		const struct text_symbol *symbol = text_symbol_at(&f->text, at);
		address_vector exits = { 0 };
		problem = symbol ? fbt_exits(&f->text, symbol, &exits) : "it has no address";
		for (size_t k = 0; k < exits.count; k++)
			vector_push(ret, ((struct place) { exits.items[k],
							   (uint32_t)(exits.items[k] - at) }));
		vector_free(&exits);
	}
	return problem || ret->count ? problem : "it never returns";
}

static const char *make_exits(struct functions *f, struct function *function, const struct event *e)
{
	auto_error struct error *err = open_text(f);
	place_vector places = { 0 };
	const char *problem =
		err ? "the kernel's code cannot be read" : find_exits(f, function, &places);
	if (!problem) {
		struct event *exits = ARENA_NEW(f->arena, struct event);
		struct event_args *args = ARENA_NEW(f->arena, struct event_args);
		*args = *e->args; /* the result is as at the return */
		args->arg[0] = (struct arg_location) { ARG_SITE_OFFSET };
		*exits = (struct event) { .kind = EVENT_KERNEL_INSIDE, .args = args };
		exits->function = function_at(f, function->returns, &places);
		function->exits = exits;
	}
	vector_free(&places);
	return problem;
}

const struct event *function_exits(struct probe_db *db, const struct event *e, const char **problem)
{
	const struct provider *const owners[] = { &provider_fbt, &provider_rawfbt };
	*problem = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(owners) && e->function.count; i++) {
		struct functions *f = probe_db_state(db, owners[i]);
		struct function *function =
			*place_of_function(f, e->function.module, e->function.name);
		if (!function || function->addresses.items != e->function.addresses)
			continue;
		if (!function->exits_sought)
			*problem = make_exits(f, function, e);
		function->exits_sought = true;
		return function->exits;
	}
	return NULL;
}

/* --- the providers ---------------------------------------------------------------------------- */

static bool fbt_may_mean(const struct probe_desc *desc)
{
	uint64_t offset;
	if (is_offset(desc->name, &offset) && !*desc->function)
		return false;
	if (*desc->name && !probe_field_match(desc->name, "entry") &&
	    !probe_field_match(desc->name, "return") && !is_offset(desc->name, &offset))
		return false;
	return (*desc->provider && glob_is_plain(desc->provider)) || *desc->function;
}

static struct error *fbt_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	struct functions *f = probe_db_state(db, self);
	const char *problem = kernel_functions_problem();
	if (problem && string_equal(desc->provider, self->name))
		return error_new("there are no %s probes: %s", self->name, problem);
	if (problem)
		return NULL;
	f->owner = self;
	if (!f->listed) {
		kernel_functions(list_one, f);
		f->listed = true;
		return NULL; /* the next description that matches one reads its types */
	}
	if (!f->path_sought && !(*desc->function && glob_is_plain(desc->function)))
		find_path(f);
	uint64_t offset;
	if (is_offset(desc->name, &offset))
		return describe_inside(f, desc, offset);
	describe_meant(f, desc);
	return NULL;
}

static const char *fbt_only_in_full(const struct probe *probe)
{
	const struct function *function = probe->data;
	const char *why =
		function->of->path ? function->own_path : fbt_path_name_reason(probe->function);
	return why ? why : fbt_forbidden_reason(probe->function);
}

#define FUNCTION_PROVIDER(provider_name)                                                           \
	.name = provider_name, .provider = EVOLVING_COMMON, .module = PRIVATE_UNKNOWN,             \
	.function = PRIVATE_UNKNOWN, .probe = EVOLVING_COMMON, .args = PRIVATE_ISA,                \
	.state_new = functions_new, .state_free = functions_free, .discover_as = fbt_discover,     \
	.may_mean = fbt_may_mean, .only_in_full = fbt_only_in_full, .free_data = function_free

const struct provider provider_fbt = { FUNCTION_PROVIDER("fbt") };
const struct provider provider_rawfbt = { FUNCTION_PROVIDER("rawfbt") };
