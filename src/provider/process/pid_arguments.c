/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_arguments - args[] of entry and return probes, by the object's debug information
 *
 * Types and names come from the function's DWARF entry (types/), found only when a program uses
 * args[] or -lv lists the probe.  An argument's place is what DWARF says for the function's first
 * instruction, else what the calling convention says (arch/call.h).  All that is read is a register
 * or the process's memory: floating-point registers cannot be read.
 *
 * Rust and Go have conventions of their own.  Go passes each scalar in a register; Rust passes
 * numbers and pointers as C does, larger objects by their address, and what is between as it likes:
 * from such a parameter on, places are known by DWARF only.
 */
#include "provider/process/pid.h"

#include "provider/process/pid_object.h"

struct pid_arguments {
	struct probe_args args;
	char *problem;
};

void pid_arguments_free(struct pid_arguments *a)
{
	if (!a)
		return;
	free((void *)a->args.list);
	free(a->problem);
	free(a);
}

/* --- functions -------------------------------------------------------------------------------- */

struct file_types pid_object_types(const struct pid_object *object, const char **why)
{
	*why = NULL;
	struct file_types ret = { .btf = bytes_of(NULL, 0) };
	if (!object->image)
		return ret;
	ret.info = image_debug_info(object->image);
	ret.btf = image_btf(object->image, why);
	ret.is_narrow = elf_file_word(pid_object_elf(object)) == 4;
	return ret;
}

/* NAME at ADDRESS; what has no symbol is what DWARF says. */
static struct elf_symbol symbol_of(struct elf_file *elf, uint64_t address, const char *name)
{
	const struct elf_symbol *covering = elf_file_symbol_at(elf, address);
	size_t count = 0;
	const struct elf_symbol *all =
		covering ? elf_file_symbols_at(elf, covering->address, &count) : NULL;
	for (size_t i = 0; i < count; i++)
		if (string_equal(all[i].name, name))
			return all[i];
	return (struct elf_symbol) { .name = name, .global = true };
}

static const struct object_function *site_function(struct types *t, const struct probe *probe,
						   struct event_site site)
{
	const struct pid_object *object = pid_object_of(probe);
	struct elf_file *elf = pid_object_elf(object);
	uint64_t address;
	const char *why;
	bool several;
	if (!elf || !elf_file_address(elf, site.at, &address))
		return NULL;
	const struct elf_symbol symbol = symbol_of(elf, address, probe->function);
	const struct file_types its = pid_object_types(object, &why);
	const struct object_function *f = types_object_function(t, its.info, address, &symbol);
	return f ? f : types_btf_function(t, &its, probe->function, &several);
}

static void list_parameters(const struct arch *arch, struct types *t,
			    const struct object_function *f, struct probe_args *ret)
{
	struct probe_argument *list = mem_zalloc((f->count + 1) * sizeof(*list));
	for (unsigned i = 0; i < f->count; i++) {
		list[i].name = f->parameters[i].name;
		list[i].type = f->parameters[i].type;
	}
	pid_call_arguments(arch, t, f, list);
	ret->list = list;
	ret->count = f->count;
}

static void list_go_results(const struct arch *arch, struct types *t,
			    const struct object_function *f, struct probe_argument *list)
{
	for (unsigned i = 0; i < f->result_count; i++) {
		const char *name = f->results[i].name;
		list[i].name = name && name[0] != '~' ? name : NULL; /* ~r0: it has none */
		list[i].type = f->results[i].type;
	}
	pid_call_go_results(arch, t, f, list);
}

/* The event's first argument is what the provider knows without types. */
static void list_result(const struct arch *arch, struct types *t, const struct object_function *f,
			struct probe_args *ret)
{
	struct probe_argument *list = mem_zalloc((f->result_count + 2) * sizeof(*list));
	list[0].type = types_intrinsic(t, INTRINSIC_LONG);
	list[0].word = 8;
	list[0].count = 1;
	list[0].words[0].kind = WORD_ARGUMENT;
	list[1].type = f->result;
	for (unsigned i = 0; i < MAX(f->result_count, 1u); i++)
		list[1 + i].is_result = true;
	ret->list = list;
	ret->count = 1 + f->result_count;
	if (f->result_count) {
		list_go_results(arch, t, f, list + 1);
	} else if (type_resolve(f->result)->kind != TYPE_VOID) {
		pid_call_result(arch, t, f, &list[1]);
		ret->count = 2;
	}
}

static struct probe_args list_arguments(struct types *t, const struct probe *probe,
					const struct object_function *f)
{
	const struct arch *arch = pid_arch(pid_object_elf(pid_object_of(probe)));
	struct probe_args ret = { 0 };
	if (string_equal(probe->name, "entry"))
		list_parameters(arch, t, f, &ret);
	else
		list_result(arch, t, f, &ret);
	return ret;
}

/* --- probes ----------------------------------------------------------------------------------- */

/* False: SITE is not in a file that can be read. */
static bool site_address(const struct pid_object *object, struct event_site site, uint64_t *ret)
{
	return object->image && elf_file_address(pid_object_elf(object), site.at, ret);
}

static bool is_damaged(const struct pid_object *object, struct event_site site)
{
	uint64_t address;
	return site_address(object, site, &address) &&
	       image_debug_is_damaged(object->image, address);
}

/* The file that has the debug information of SITE, and is not there; NULL: there is none such. */
static const char *missing_file(const struct pid_object *object, struct event_site site)
{
	uint64_t address;
	struct debug_info *info =
		site_address(object, site, &address) ? image_debug_info(object->image) : NULL;
	return info ? debug_info_missing_file(info, address) : NULL;
}

static char *no_debug_info(struct types *t, const struct probe *probe, struct event_site site)
{
	const struct pid_object *object = pid_object_of(probe);
	const char *why;
	bool several;
	const struct file_types its = pid_object_types(object, &why);
	types_btf_function(t, &its, probe->function, &several);
	if (several)
		return mem_printf("the debug information of %s describes several functions %s, "
				  "and not where they are",
				  object->module, probe->function);
	if (why)
		return mem_strdup(why);
	if (is_damaged(object, site))
		return mem_printf("the debug information of %s is damaged (arg0, arg1 ... are "
				  "known without it)",
				  object->module);
	const char *missing = missing_file(object, site);
	if (missing)
		return mem_printf("the debug information of %s for it is in %s (-gsplit-dwarf), "
				  "which is not there",
				  object->module, missing);
	if (its.btf.size || its.info)
		return mem_printf("the debug information of %s does not describe %s",
				  object->module, probe->function);
	if (libdw_problem())
		return mem_strdup(libdw_problem());
	return mem_printf("%s has no debug information: compile it with -g, or install its "
			  "separate debug file",
			  object->module);
}

/* Add what the function at SITE says to A; false, and A->problem: nothing, or something else. */
static bool add_site(struct pid_arguments *a, struct types *t, const struct probe *probe,
		     struct event_site site)
{
	const struct object_function *f = site_function(t, probe, site);
	if (!f) {
		a->problem = no_debug_info(t, probe, site);
		return false;
	}
	struct probe_args more = list_arguments(t, probe, f);
	if (!a->args.list) {
		a->args = more;
		return true;
	}
	bool same = probe_args_same_places(&a->args, &more);
	free((void *)more.list);
	if (!same)
		a->problem = mem_printf("%s has several functions %s, whose arguments differ",
					pid_object_of(probe)->module, probe->function);
	return same;
}

static struct pid_arguments *read_arguments(struct types *t, const struct probe *probe)
{
	struct pid_arguments *a = mem_zalloc(sizeof(*a));
	const struct pid_probe *p = probe->data;
	bool is_typed = string_equal(probe->name, "entry") || string_equal(probe->name, "return");
	if (string_equal(probe->name, PID_LINE_NAME))
		a->problem = mem_strdup("at a source line, variables are `NAME");
	else if (!is_typed)
		a->problem = mem_strdup("only entry and return probes have typed arguments");
	for (size_t i = 0; !a->problem && t && i < p->sites.count; i++)
		if (!add_site(a, t, probe, p->sites.items[i]))
			break;
	if (!a->problem && t && p->copies)
		pid_copies_arguments(t, probe, &a->args);
	if (a->problem) {
		a->args.problem = a->problem;
		a->args.count = 0;
	}
	return a;
}

const struct probe_args *pid_arguments(struct probe_db *db, const struct probe *probe)
{
	struct pid_probe *p = probe->data;
	if (!p)
		return NULL;
	if (!p->arguments)
		p->arguments = read_arguments(probe_db_types(db), probe);
	return &p->arguments->args;
}
