/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/debug_info.h"

#include <dwarf.h>

#include "base/message.h"
#include "object/dwarf/functions.h"

/* Several may be at one address: those of size 0, and those at 0 that the linker has removed. */
struct variable {
	Dwarf_Die entry;
	struct variable *next;
};

struct debug_info {
	Elf *elf;
	Dwarf *dwarf;
	struct arena *arena;	     /* the targets of the indexes */
	struct hash *variables;	     /* link-time address -> struct variable; NULL: not made yet */
	bool has_locals;	     /* among them those of functions */
	struct hash *announced;	     /* extern ones: name -> struct variable; NULL: not made yet */
	struct hash *definitions;    /* definition_key() -> Dwarf_Die; NULL: not made yet */
	struct hash *scopes;	     /* address of a declaration's bytes -> its scope */
	bool has_nested;	     /* in these two the entries inside classes */
	struct functions *functions; /* NULL: not made yet */
};

/* --- opening ---------------------------------------------------------------------------------- */

static Elf *elf_of(const struct elf_file *file)
{
	size_t size;
	void *image = elf_file_image(file, &size);
	elf_version(EV_CURRENT);
	return elf_memory(image, size);
}

/* 0: it has units; 1: it has none; -1: the first one cannot be read. */
static int look_for_units(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	return dwarf ? dwarf_get_units(dwarf, NULL, &unit, NULL, NULL, NULL, NULL) : 1;
}

static bool open_dwarf(struct debug_info *d, const struct elf_file *file, bool *is_damaged)
{
	d->elf = elf_of(file);
	d->dwarf = d->elf ? dwarf_begin_elf(d->elf, DWARF_C_READ, NULL) : NULL;
	int end = look_for_units(d->dwarf);
	if (end == 0)
		return true;
	*is_damaged |= end < 0;
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	d->dwarf = NULL;
	d->elf = NULL;
	return false;
}

static bool has_debug_info(const struct elf_file *file)
{
	return elf_file_has_section(file, ".debug_info") ||
	       elf_file_has_section(file, ".zdebug_info");
}

/* That there is no libdw is reported when it is first needed. */
static bool has_library(void)
{
	static bool is_reported;
	if (libdw_problem() && !is_reported)
		message_loss("%s", libdw_problem());
	is_reported = true;
	return !libdw_problem();
}

struct debug_info *debug_info_open(const struct elf_file *file, bool *is_damaged)
{
	if (!has_debug_info(file) || !has_library())
		return NULL;
	struct debug_info *d = mem_zalloc(sizeof(*d));
	if (!open_dwarf(d, file, is_damaged)) {
		debug_info_free(d);
		return NULL;
	}
	d->arena = arena_new();
	return d;
}

void debug_info_free(struct debug_info *d)
{
	if (!d)
		return;
	hash_free(d->variables);
	hash_free(d->announced);
	hash_free(d->definitions);
	hash_free(d->scopes);
	functions_free(d->functions);
	arena_free(d->arena);
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	free(d);
}

bool debug_info_next_unit(struct debug_info *d, Dwarf_CU **at, Dwarf_Die *ret)
{
	return dwarf_get_units(d->dwarf, *at, at, NULL, NULL, ret, NULL) == 0;
}

const char *debug_info_linker_name(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	const char *linkage = dwarf_attr_integrate(entry, DW_AT_linkage_name, &attribute)
				      ? dwarf_formstring(&attribute)
				      : NULL;
	return linkage ? linkage : dwarf_diename(entry);
}

/* --- entries of all units ------------------------------------------------------------------- */

/* SCOPE: the namespaces and classes around ENTRY, "std::list::"; lives as long as D. */
typedef void visit_fn(struct debug_info *d, const char *scope, Dwarf_Die *entry);

/* Which entries' children are visited, too. */
typedef bool enters_fn(int tag);

static bool is_class(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool enters_namespaces(int tag)
{
	return tag == DW_TAG_namespace;
}

static bool enters_scopes(int tag)
{
	return tag == DW_TAG_namespace || is_class(tag);
}

/* Functions have most of the entries and few static variables, so they are looked into last. */
static bool enters_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

struct visit {
	struct debug_info *d;
	enters_fn *enters;
	visit_fn *visit;
};

/* Namespaces, classes and blocks are nested, but in no real program as deep as this. */
#define SCOPE_DEPTH_MAX 64

static void visit_children(const struct visit *v, const char *scope, Dwarf_Die *parent,
			   unsigned depth);

static void visit_entry(const struct visit *v, const char *scope, Dwarf_Die *entry, unsigned depth)
{
	int tag = dwarf_tag(entry);
	v->visit(v->d, scope, entry);
	if (!v->enters(tag) || !dwarf_haschildren(entry) || depth == SCOPE_DEPTH_MAX)
		return;
	const char *name = enters_scopes(tag) ? dwarf_diename(entry) : NULL;
	visit_children(v, name ? arena_printf(v->d->arena, "%s%s::", scope, name) : scope, entry,
		       depth + 1);
}

static void visit_children(const struct visit *v, const char *scope, Dwarf_Die *parent,
			   unsigned depth)
{
	Dwarf_Die entry;
	if (dwarf_child(parent, &entry) != 0)
		return;
	do
		visit_entry(v, scope, &entry, depth);
	while (dwarf_siblingof(&entry, &entry) == 0);
}

bool debug_info_next_whole_unit(struct debug_info *d, Dwarf_CU **at, Dwarf_Die *ret)
{
	Dwarf_Die below;
	uint8_t kind;
	if (dwarf_get_units(d->dwarf, *at, at, NULL, &kind, ret, &below) != 0)
		return false;
	if (kind == DW_UT_skeleton && below.addr)
		*ret = below;
	return true;
}

static void visit_units(struct debug_info *d, enters_fn *enters, visit_fn *visit)
{
	const struct visit v = { d, enters, visit };
	Dwarf_CU *unit = NULL;
	Dwarf_Die top;
	while (debug_info_next_whole_unit(d, &unit, &top))
		visit_children(&v, "", &top, 0);
}

/* --- variables -------------------------------------------------------------------------------- */

bool operation_is_address(Dwarf_Attribute *location, const Dwarf_Op *op, Dwarf_Addr *ret)
{
	Dwarf_Attribute entry;
	switch (op->atom) {
	case DW_OP_addr:
		*ret = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return dwarf_getlocation_attr(location, op, &entry) == 0 &&
		       dwarf_formaddr(&entry, ret) == 0;
	default:
		return false;
	}
}

static bool pushed_offset(const Dwarf_Op *op, Dwarf_Addr *ret)
{
	*ret = op->number | DEBUG_INFO_THREAD_LOCAL;
	return op->atom == DW_OP_const8u || op->atom == DW_OP_const4u || op->atom == DW_OP_addr;
}

/* The address of the variable ENTRY, as of debug_info_variable(); false: elsewhere, in registers,
 * or optimized away. */
static bool variable_address(Dwarf_Die *entry, Dwarf_Addr *ret)
{
	Dwarf_Attribute location;
	Dwarf_Op *ops;
	size_t count;
	if (!dwarf_attr(entry, DW_AT_location, &location) ||
	    dwarf_getlocation(&location, &ops, &count) != 0)
		return false;
	return (count == 1 && operation_is_address(&location, &ops[0], ret)) ||
	       (count == 2 &&
		(ops[1].atom == DW_OP_GNU_push_tls_address ||
		 ops[1].atom == DW_OP_form_tls_address) &&
		pushed_offset(&ops[0], ret));
}

static void variable_add(struct debug_info *d, struct hash *to, const void *key, size_t len,
			 const Dwarf_Die *entry)
{
	void **place = hash_place(to, key, len);
	struct variable *v = ARENA_NEW(d->arena, struct variable);
	v->entry = *entry;
	v->next = *place;
	*place = v;
}

static void index_variable(struct debug_info *d, const char *scope, Dwarf_Die *entry)
{
	Dwarf_Addr address;
	const char *name;
	if (dwarf_tag(entry) != DW_TAG_variable)
		return;
	if (variable_address(entry, &address))
		variable_add(d, d->variables, &address, sizeof(address), entry);
	else if (dwarf_hasattr(entry, DW_AT_declaration) && (name = debug_info_linker_name(entry)))
		variable_add(d, d->announced, name, strlen(name), entry);
}

/* Of several without this name any: its symbol is an alias of theirs (environ, __environ). */
static bool find_placed(struct debug_info *d, uint64_t address, const char *name, Dwarf_Die *ret)
{
	Dwarf_Addr key = address;
	struct variable *first = hash_get(d->variables, &key, sizeof(key)), *v = first;
	const char *its;
	while (v && !((its = debug_info_linker_name(&v->entry)) && string_equal(its, name)))
		v = v->next;
	if (!first)
		return false;
	*ret = v ? v->entry : first->entry;
	return true;
}

/*
 * A library's variable may be in the program, where the linker has reserved memory for it (stdout,
 * environ).  The program's only entry for it is an `extern`.
 */
static bool find_announced(struct debug_info *d, const char *name, Dwarf_Die *ret)
{
	const struct variable *found = hash_get_string(d->announced, name);
	if (found)
		*ret = found->entry;
	return found;
}

static bool debug_info_find_variable(struct debug_info *d, uint64_t address, const char *name,
				     Dwarf_Die *ret)
{
	return find_placed(d, address, name, ret) || find_announced(d, name, ret);
}

bool debug_info_variable(struct debug_info *d, uint64_t address, const char *name, Dwarf_Die *ret)
{
	if (!d->variables) {
		d->variables = hash_new();
		d->announced = hash_new();
		visit_units(d, enters_namespaces, index_variable);
	}
	if (debug_info_find_variable(d, address, name, ret))
		return true;
	if (d->has_locals)
		return false;
	d->has_locals = true;
	visit_units(d, enters_functions, index_variable);
	return debug_info_find_variable(d, address, name, ret);
}

/* --- functions -------------------------------------------------------------------------------- */

static struct functions *debug_info_functions(struct debug_info *d)
{
	if (!d->functions)
		d->functions = functions_new(d->dwarf);
	return d->functions;
}

bool debug_info_function(struct debug_info *d, uint64_t address, const char *name, Dwarf_Die *ret,
			 uint64_t *begin)
{
	return functions_find(debug_info_functions(d), address, name, ret, begin);
}

bool debug_info_is_damaged(struct debug_info *d, uint64_t address)
{
	Dwarf_Die unit;
	Dwarf_Lines *lines;
	size_t count;
	if (functions_are_damaged(debug_info_functions(d), address))
		return true;
	return functions_unit(debug_info_functions(d), address, &unit) &&
	       dwarf_hasattr(&unit, DW_AT_stmt_list) &&
	       dwarf_getsrclines(&unit, &lines, &count) != 0;
}

static const char *skeleton_text(Dwarf_Die *unit, unsigned name, unsigned gnu_name)
{
	Dwarf_Attribute attribute;
	bool has = dwarf_attr(unit, name, &attribute) || dwarf_attr(unit, gnu_name, &attribute);
	return has ? dwarf_formstring(&attribute) : NULL;
}

static const char *unit_missing_file(struct debug_info *d, Dwarf_Die *unit)
{
	Dwarf_Die whole = { 0 };
	uint8_t type = 0;
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &whole, NULL, NULL, NULL) < 0 ||
	    type != DW_UT_skeleton || whole.addr)
		return NULL;
	const char *file = skeleton_text(unit, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	const char *folder = skeleton_text(unit, DW_AT_comp_dir, DW_AT_comp_dir);
	bool is_whole = file && (*file == '/' || !folder);
	return !file || is_whole ? file : arena_printf(d->arena, "%s/%s", folder, file);
}

const char *debug_info_missing_file(struct debug_info *d, uint64_t address)
{
	Dwarf_Die unit;
	return functions_unit(debug_info_functions(d), address, &unit) ? unit_missing_file(d, &unit)
								       : NULL;
}

const char *debug_info_first_missing_file(struct debug_info *d)
{
	Dwarf_CU *at = NULL;
	Dwarf_Die unit;
	const char *file = NULL;
	while (!file && debug_info_next_unit(d, &at, &unit))
		file = unit_missing_file(d, &unit);
	return file;
}

bool debug_info_unit(struct debug_info *d, uint64_t address, Dwarf_Die *ret)
{
	return functions_unit(debug_info_functions(d), address, ret);
}

/* --- definitions ------------------------------------------------------------------------------ */

/* Used for any scope but the outermost. */
#define SOME_SCOPE "::"

/* For C a class is a struct. */
static char *definition_key(int tag, const char *scope, const char *name)
{
	return mem_printf("%d %s%s", tag == DW_TAG_class_type ? DW_TAG_structure_type : tag, scope,
			  name);
}

/* The first of several is kept. */
static void entry_keep(struct debug_info *d, int tag, const char *scope, const char *name,
		       const Dwarf_Die *entry)
{
	auto_free char *key = definition_key(tag, scope, name);
	void **place = hash_place(d->definitions, key, strlen(key));
	if (*place)
		return;
	Dwarf_Die *copy = ARENA_NEW(d->arena, Dwarf_Die);
	*copy = *entry;
	*place = copy;
}

static bool find_definition(struct debug_info *d, int tag, const char *scope, const char *name,
			    Dwarf_Die *ret)
{
	auto_free char *key = definition_key(tag, scope, name);
	const Dwarf_Die *found = hash_get(d->definitions, key, strlen(key));
	if (found)
		*ret = *found;
	return found;
}

static void index_definition(struct debug_info *d, const char *scope, Dwarf_Die *entry)
{
	int tag = dwarf_tag(entry);
	bool is_type = is_class(tag) || tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef;
	const char *name = is_type ? dwarf_diename(entry) : NULL;
	if (!name)
		return;
	if (dwarf_hasattr(entry, DW_AT_declaration)) {
		*hash_place(d->scopes, &entry->addr, sizeof(entry->addr)) = (void *)scope;
		return;
	}
	entry_keep(d, tag, scope, name, entry);
	if (*scope)
		entry_keep(d, tag, SOME_SCOPE, name, entry);
}

static void index_outermost(struct debug_info *d)
{
	if (d->definitions)
		return;
	d->definitions = hash_new();
	d->scopes = hash_new();
	visit_units(d, enters_namespaces, index_definition);
}

/* False: they are there already.  Classes have most of the entries outside of functions. */
static bool index_nested(struct debug_info *d)
{
	if (d->has_nested)
		return false;
	d->has_nested = true;
	visit_units(d, enters_scopes, index_definition);
	return true;
}

static bool find_type(struct debug_info *d, int tag, const char *name, Dwarf_Die *ret)
{
	return find_definition(d, tag, "", name, ret) ||
	       find_definition(d, tag, SOME_SCOPE, name, ret);
}

bool debug_info_type(struct debug_info *d, int tag, const char *name, Dwarf_Die *ret)
{
	index_outermost(d);
	return find_type(d, tag, name, ret) || (index_nested(d) && find_type(d, tag, name, ret));
}

static const char *scope_of(struct debug_info *d, const Dwarf_Die *declaration)
{
	return hash_get(d->scopes, &declaration->addr, sizeof(declaration->addr));
}

bool debug_info_definition(struct debug_info *d, Dwarf_Die *declaration, Dwarf_Die *ret)
{
	const char *name = dwarf_diename(declaration);
	if (!name)
		return false;
	index_outermost(d);
	const char *scope = scope_of(d, declaration);
	if (!scope && index_nested(d))
		scope = scope_of(d, declaration);
	return scope && find_definition(d, dwarf_tag(declaration), scope, name, ret);
}
