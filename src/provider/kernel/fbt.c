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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diagnostic.h"
#include "provider/kernel/fbt_functions.h"

static void *fbt_functions_new(struct probe_db *db)
{
	struct functions *f = mem_zalloc(sizeof(*f));
	f->db = db;
	f->by_name = hash_new();
	f->arena = arena_new();
	return f;
}

void functions_close_text(struct functions *f)
{
	if (f->code)
		text_deinit(&f->text);
	kernel_code_close(take(f->code));
}

static void fbt_functions_free(void *state)
{
	struct functions *f = state;
	hash_free(f->by_name);
	hash_free(f->modules);
	vector_free(&f->list);
	vector_free(&f->places);
	fbt_path_free(f->path);
	functions_close_text(f);
	fbt_asked_free(f);
	fbt_builtins_free(f);
	arena_free(f->arena);
	free(f);
}

/* Two probes have one. */
static void fbt_function_free(void *data)
{
	struct function *f = data;
	if (--f->users)
		return;
	vector_free(&f->addresses);
	vector_free(&f->inside);
	for (unsigned i = 0; i < ARRAY_SIZE(f->types); i++)
		free(f->types[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(f->result); i++)
		free(f->result[i]);
	free(f);
}

#define FUNCTION_KEY 600

/* --- the list ------------------------------------------------------------------------------- */

/* KEY, of FUNCTION_KEY bytes, in the table of names; its length. */
static size_t function_key(char *key, const char *module, const char *name)
{
	int len = snprintf(key, FUNCTION_KEY, "%s %s", module, name);
	return MIN((size_t)len, FUNCTION_KEY - 1);
}

void **function_place(const struct functions *f, const char *module, const char *name)
{
	char key[FUNCTION_KEY];
	size_t length = function_key(key, module, name);
	return hash_place(f->by_name, key, length);
}

struct function *function_named(const struct functions *f, const char *module, const char *name)
{
	char key[FUNCTION_KEY];
	size_t length = function_key(key, module, name);
	return hash_get(f->by_name, key, length);
}

/* Tracefs marks with such names what it has forgotten. */
static bool function_is_gone(const char *name)
{
	return strncmp(name, "__ftrace_invalid_address", 24) == 0;
}

struct probe *function_probe_new(struct functions *f, struct function *function, const char *module,
				 const char *name, const char *what)
{
	struct probe *p = probe_db_add(f->db, f->owner, f->owner->name, module, name, what);
	if (p->data) /* of a module that is not there any more */
		p = probe_db_succeed(f->db, p);
	p->data = function;
	function->users++;
	return p;
}

static void function_list_one(void *arg, const char *module, const char *name, uint64_t address)
{
	struct functions *f = arg;
	void **place = function_place(f, module, name);
	if (*place || function_is_gone(name))
		return;
	struct function *function = mem_zalloc(sizeof(*function));
	*place = function;
	function->of = f;
	function->entry = function_probe_new(f, function, module, name, "entry");
	function->returns = function_probe_new(f, function, module, name, "return");
	vector_push(&f->list, function);
}

void functions_list(struct functions *f)
{
	f->places.count = 0;
	f->places_known = false;
	f->forbidden_known = false;
	kernel_functions(function_list_one, f);
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
		r->functions ? function_named(r->functions, module, name) : NULL;
	if (function && !function->has_addresses)
		vector_push(&function->addresses, address);
	if (r->text)
		text_add(r->text, address, name);
}

static void read_addresses(struct functions *f, struct kernel_text *text)
{
	struct reading r = { f->with_addresses == f->list.count ? NULL : f, text };
	if (!r.functions && !text)
		return;
	kernel_function_addresses(read_symbol, &r);
	for (; f->with_addresses < f->list.count; f->with_addresses++)
		f->list.items[f->with_addresses]->has_addresses = true;
}

/* --- functions of one name -------------------------------------------------------------------- */

static void add_place(void *arg, const char *module, const char *name, uint64_t address)
{
	struct functions *f = arg;
	vector_push(&f->places, address);
}

static int compare_places(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* A function may begin with an instruction for indirect branches and, on aarch64, a nop. */
static bool is_probed_at(const struct functions *f, uint64_t function)
{
	for (uint64_t at = function; at <= function + 8; at += 4)
		if (bsearch(&at, f->places.items, f->places.count, sizeof(at), compare_places))
			return true;
	return false;
}

/*
 * Of several functions of one name some may have no place for probes.  One of them makes the kernel
 * refuse all functions of a link, so that many would need many links: 113 for 42,909 functions of
 * which 19 have such namesakes.
 */
static void leave_out_unprobed(struct functions *f, struct function *function)
{
	if (function->can_be_probed || function->addresses.count < 2)
		return;
	function->can_be_probed = true;
	if (!f->places_known) {
		kernel_traced_places(add_place, f);
		if (f->places.count)
			qsort(f->places.items, f->places.count, sizeof(uint64_t), compare_places);
		f->places_known = true;
	}
	if (!f->places.count)
		return;
	size_t left = 0;
	for (size_t i = 0; i < function->addresses.count; i++)
		if (is_probed_at(f, function->addresses.items[i]))
			function->addresses.items[left++] = function->addresses.items[i];
	if (left)
		function->addresses.count = left;
}

/* --- machine code ----------------------------------------------------------------------------- */

static bool read_code(void *arg, uint64_t address, void *ret, size_t size)
{
	return kernel_code_read(arg, address, ret, size);
}

struct error *functions_open_text(struct functions *f)
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
void fbt_find_path(struct functions *f)
{
	if (f->path_sought)
		return;
	f->path_sought = true;
	auto_error struct error *err = functions_open_text(f);
	if (err) {
		log_debug("what probes call is known by names alone: %s", error_text(err));
		return;
	}
	f->path = fbt_path_new(&f->text);
	for (size_t i = 0; i < f->list.count; i++)
		f->list.items[i]->own_path = path_reason(f, f->list.items[i]);
	log_debug("probes and programs call %zu functions of the kernel", fbt_path_count(f->path));
}

const char *function_in_programs(const struct functions *f, const struct function *function)
{
	return f->path ? function->own_path : fbt_path_name_reason(function->entry->function);
}

/* --- arguments ------------------------------------------------------------------------------ */

/* The kernel's type data of P's function; NULL: they are unknown, or not to be used. */
static const struct type *fbt_type_of(const struct functions *f, const struct probe *p)
{
	return f->owner == &provider_fbt ? function_type(f->db, p->module, p->function) : NULL;
}

/* Functions of the kernel as targets. */
static struct event_function probe_target(const struct functions *f,
					  const struct function *function)
{
	const struct probe *p = function->entry;
	return (struct event_function) {
		.module = p->module,
		.name = p->function,
		.addresses = function->addresses.items,
		.count = (uint32_t)function->addresses.count,
		.in_programs = function_in_programs(f, function),
	};
}

static void describe_entry(struct functions *f, struct function *function)
{
	const struct type *type = fbt_type_of(f, function->entry);
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
		probe_target(f, function);
}

/* The offset of the instruction that returns is -1, unless a clause reads it: function_exits(). */
static void describe_return(struct functions *f, struct function *function)
{
	struct probe *p = function->returns;
	const struct type *type = fbt_type_of(f, p);
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
		probe_target(f, function);
}

/* Is FIELD, a name, FUNCTION's without the suffix of the compiler? */
static bool is_without_suffix(const char *field, const char *function)
{
	size_t len = strcspn(function, ".");
	return function[len] && strlen(field) == len && !strncmp(field, function, len);
}

static bool fbt_function_alias(const struct probe *p, const char *field)
{
	const struct function *function = p->data;
	return probe_db_settings(function->of->db)->with_suffixes &&
	       is_without_suffix(field, p->function);
}

static bool fbt_module_alias(const struct probe *p, const char *module)
{
	const struct function *function = p->data;
	return fbt_builtin_has(function->of, module, function);
}

static bool function_is_meant(const struct probe_desc *desc, const struct probe *p)
{
	return !p->events && probe_field_match(desc->name, p->name) && probe_place_match(desc, p);
}

static void describe_meant(struct functions *f, const struct probe_desc *desc)
{
	for (size_t i = 0; i < f->list.count; i++) {
		struct function *function = f->list.items[i];
		bool entry = function_is_meant(desc, function->entry);
		bool returns = function_is_meant(desc, function->returns);
		if (entry || returns)
			read_addresses(f, NULL);
		if (!function->addresses.count)
			continue;
		if (entry || returns)
			leave_out_unprobed(f, function);
		if (entry)
			describe_entry(f, function);
		if (returns)
			describe_return(f, function);
	}
}

/* --- the providers ---------------------------------------------------------------------------- */

static bool fbt_may_mean(const struct provider *self, const struct probe_desc *desc)
{
	uint64_t offset;
	if (fbt_is_offset(desc->name, &offset) && !*desc->function)
		return false;
	if (*desc->name && !probe_field_match(desc->name, "entry") &&
	    !probe_field_match(desc->name, "return") && !fbt_is_offset(desc->name, &offset))
		return false;
	return (*desc->provider && glob_is_plain(desc->provider)) || *desc->function;
}

static bool functions_have_module(const struct functions *f, const char *module)
{
	for (size_t i = 0; i < f->list.count; i++)
		if (string_equal(f->list.items[i]->entry->module, module))
			return true;
	return false;
}

static struct error *fbt_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	struct functions *f = probe_db_state(db, self);
	const char *problem = kernel_functions_problem();
	if (problem && string_equal(desc->provider, self->name))
		return error_tag(error_new("there are no %s probes: %s", self->name, problem),
				 D_PDESC_ZERO);
	if (problem)
		return NULL;
	f->owner = self;
	if (!f->listed) {
		functions_mark_modules(f);
		functions_list(f);
		f->listed = true;
		return NULL; /* the next description that matches one reads its types */
	}
	bool unknown = glob_is_plain(desc->module) && *desc->module &&
		       !functions_have_module(f, desc->module);
	bool is_builtin = unknown && fbt_is_builtin(f, desc->module);
	if (is_builtin)
		read_addresses(f, NULL);
	if (unknown && !is_builtin && string_equal(desc->provider, self->name))
		return error_tag(
			error_new("no module %s is loaded (-Z waits for it)", desc->module),
			D_PDESC_ZERO);
	fbt_find_path(f);
	uint64_t offset;
	if (fbt_is_offset(desc->name, &offset))
		return fbt_describe_inside(f, desc, offset);
	describe_meant(f, desc);
	return NULL;
}

static const char *fbt_only_in_full(const struct probe *probe)
{
	const struct function *function = probe->data;
	const char *why = function_in_programs(function->of, function);
	return why ? why : fbt_forbidden_reason(probe->function);
}

/* Functions of "vmlinux" are all there. */
static bool fbt_is_in_modules(const struct probe_desc *desc)
{
	return !string_equal(desc->module, "vmlinux");
}

static const struct provider_aliases aliases = { .function = fbt_function_alias,
						 .module = fbt_module_alias };
static const struct provider_kernel kernel = { .why_absent = fbt_why_absent,
					       .is_in_modules = fbt_is_in_modules,
					       .modules_look = functions_look };

#define FUNCTION_PROVIDER(provider_name)                                                           \
	.name = provider_name,                                                                     \
	.attributes = { EVOLVING_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, EVOLVING_COMMON,        \
			PRIVATE_ISA },                                                             \
	.state_new = fbt_functions_new, .state_free = fbt_functions_free,                          \
	.discover = fbt_discover, .may_mean = fbt_may_mean, .only_in_full = fbt_only_in_full,      \
	.free_data = fbt_function_free, .aliases = &aliases, .kernel = &kernel

const struct provider provider_fbt = { FUNCTION_PROVIDER("fbt") };
const struct provider provider_rawfbt = { FUNCTION_PROVIDER("rawfbt") };
