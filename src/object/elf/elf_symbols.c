/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_symbols - the functions and variables of an ELF file, by name and by address */
#include <elf.h>

#include "base/sort.h"
#include "object/demangle.h"
#include "object/elf/elf_internal.h"
#include "object/frames/frames.h"

static bool symbol_is_wanted(const GElf_Sym *s, const char *name)
{
	unsigned type = GELF_ST_TYPE(s->st_info);
	if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || s->st_shndx == SHN_COMMON)
		return false;
	/* $x and $d mark code and data for disassemblers of aarch64. */
	if (!name || !*name || (type == STT_NOTYPE && *name == '$'))
		return false;
	return type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE ||
	       type == STT_GNU_IFUNC;
}

/*
 * The linker writes the default version of a name into .symtab as name@@VERSION: programs call it
 * by the name alone, and so do people.  Beyond PLAIN_MOST bytes a name stays, so that a damaged
 * file cannot take much memory.
 */
#define PLAIN_MOST 256

static const char *plain_name(struct elf_file *e, const char *name)
{
	const char *version = strstr(name, "@@");
	if (!version || version == name || version - name > PLAIN_MOST)
		return name;
	if (!e->names)
		e->names = arena_new();
	e->names_size += (size_t)(version - name) + 1;
	return arena_strndup(e->names, name, (size_t)(version - name));
}

/* The symbols of TABLE, which is in FILE, become E's. */
static void symbol_table_read(struct elf_file *e, const struct elf_file *file,
			      const GElf_Shdr *table)
{
	GElf_Shdr names;
	if (!elf_section_at(file, table->sh_link, &names) || names.sh_type != SHT_STRTAB)
		return;
	struct bytes strings = bytes_slice(&file->image, names.sh_offset, names.sh_size);
	Elf_Data *symbols = elf_getdata_rawchunk(file->elf, (int64_t)table->sh_offset,
						 table->sh_size, ELF_T_SYM);
	GElf_Sym s;
	for (int i = 0; symbols && gelf_getsym(symbols, i, &s); i++) {
		const char *name = bytes_string_at(&strings, s.st_name);
		unsigned type = GELF_ST_TYPE(s.st_info);
		if (type == STT_TLS && name && s.st_shndx != SHN_UNDEF)
			vector_push(&e->thread_locals,
				    (struct elf_thread_local) {
					    .name = plain_name(e, name),
					    .offset = s.st_value,
					    .size = s.st_size,
					    .is_local = GELF_ST_BIND(s.st_info) == STB_LOCAL,
				    });
		if (!symbol_is_wanted(&s, name))
			continue;
		unsigned bind = GELF_ST_BIND(s.st_info);
		unsigned visibility = GELF_ST_VISIBILITY(s.st_other);
		e->has_unscoped |= type == STT_FUNC && is_mangled_unscoped(name);
		vector_push(
			&e->symbols,
			(struct elf_symbol) {
				.name = plain_name(e, name),
				.address = s.st_value,
				.size = s.st_size,
				.is_function = type == STT_FUNC || type == STT_GNU_IFUNC,
				.is_ifunc = type == STT_GNU_IFUNC,
				.is_untyped = type == STT_NOTYPE,
				.global = bind == STB_GLOBAL || bind == STB_GNU_UNIQUE,
				.weak = bind == STB_WEAK,
				.hidden = visibility == STV_HIDDEN || visibility == STV_INTERNAL,
			});
	}
}

int elf_symbol_rank(const struct elf_symbol *s)
{
	return s->global ? 0 : s->weak ? 1 : 2;
}

int elf_symbol_compare_names(const struct elf_symbol *a, const struct elf_symbol *b)
{
	if (a->is_untyped != b->is_untyped)
		return a->is_untyped - b->is_untyped;
	size_t a_bars = strspn(a->name, "_"), b_bars = strspn(b->name, "_");
	if (a_bars != b_bars)
		return a_bars < b_bars ? -1 : 1;
	if (elf_symbol_rank(a) != elf_symbol_rank(b))
		return elf_symbol_rank(a) - elf_symbol_rank(b);
	size_t a_len = strlen(a->name), b_len = strlen(b->name);
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Of one address: the better name first. */
static int compare_aliases(const void *left, const void *right)
{
	return elf_symbol_compare_names(left, right);
}

static uint64_t end_of(const struct elf_symbol *s)
{
	return s->address + s->size < s->address ? UINT64_MAX : s->address + s->size;
}

/* A file has one table of a KIND; more would only multiply the work.  False: none, or empty. */
static bool read_kind(struct elf_file *e, const struct elf_file *file, uint32_t kind)
{
	size_t before = e->symbols.count;
	GElf_Shdr s;
	for (uint64_t i = 0; elf_section_at(file, i, &s); i++) {
		if (s.sh_type != kind)
			continue;
		symbol_table_read(e, file, &s);
		break;
	}
	return e->symbols.count > before;
}

static bool read_separate(struct elf_file *e)
{
	const struct elf_file *separate = e->separate ? e->separate(e->separate_arg) : NULL;
	return separate && read_kind(e, separate, SHT_SYMTAB);
}

/* --- functions without a type --- */

/* The names of one address, from FIRST to END, are those of a function of SIZE bytes. */
static void name_function(struct elf_symbol *first, const struct elf_symbol *end, uint64_t size)
{
	for (struct elf_symbol *s = first; s < end; s++) {
		if (s->is_untyped && !s->size)
			s->size = size;
		s->is_function |= s->is_untyped;
	}
}

/* Call frame information is read only for symbols that no typed function covers. */
static void find_untyped(struct elf_file *e)
{
	struct elf_symbol *next, *end = e->symbols.items + e->symbols.count;
	uint64_t covered = 0; /* by the functions before, up to this address */
	for (struct elf_symbol *first = e->symbols.items; first < end; first = next) {
		bool is_function = false;
		uint64_t size = 0;
		for (next = first; next < end && next->address == first->address; next++) {
			is_function |= next->is_function;
			if (next->is_function)
				size = MAX(size, next->size);
		}
		/* The untyped ones are the last. */
		if (!is_function && next[-1].is_untyped && first->address >= covered)
			size = elf_file_is_code(e, first->address)
				       ? frames_function_size(elf_file_frames(e), first->address)
				       : 0;
		if (is_function || size)
			name_function(first, next, size);
		covered = MAX(covered, first->address + size);
	}
}

/* --- reading --- */

static void index_ends(struct elf_file *e)
{
	e->highest_end = mem_alloc(e->symbols.count * sizeof(*e->highest_end));
	uint64_t highest = 0;
	for (size_t i = 0; i < e->symbols.count; i++) {
		highest = MAX(highest, end_of(&e->symbols.items[i]));
		e->highest_end[i] = highest;
	}
}

static void read_symbols(struct elf_file *e)
{
	e->symbols_read = true;
	e->has_symtab = read_kind(e, e, SHT_SYMTAB) || read_separate(e);
	if (!e->has_symtab) {
		/* .gnu_debugdata has what .dynsym lacks. */
		read_kind(e, e, SHT_DYNSYM);
		e->debugdata = elf_debugdata_open(e);
		e->has_symtab = e->debugdata && read_kind(e, e->debugdata, SHT_SYMTAB);
	}
	if (!e->symbols.count)
		return;
	sort_by_number(e->symbols.items, e->symbols.count, sizeof(*e->symbols.items),
		       offsetof(struct elf_symbol, address), compare_aliases);
	find_untyped(e);
	index_ends(e);
}

void elf_file_set_separate(struct elf_file *e, elf_separate_fn *separate, void *arg)
{
	e->separate = separate;
	e->separate_arg = arg;
}

bool elf_file_is_stripped(struct elf_file *e)
{
	if (!e->symbols_read)
		read_symbols(e);
	return !e->has_symtab;
}

bool elf_file_has_unscoped(struct elf_file *e)
{
	if (!e->symbols_read)
		read_symbols(e);
	return e->has_unscoped;
}

struct error *elf_file_symbols(struct elf_file *e, const struct elf_symbol **ret, size_t *count)
{
	if (!e->symbols_read)
		read_symbols(e);
	*ret = e->symbols.items;
	*count = e->symbols.count;
	return NULL;
}

const struct elf_symbol *elf_file_symbols_at(struct elf_file *e, uint64_t address, size_t *count)
{
	if (!e->symbols_read)
		read_symbols(e);
	size_t first = address ? vector_until(&e->symbols, address, address - 1) : 0;
	*count = vector_until(&e->symbols, address, address) - first;
	return e->symbols.items + first;
}

/*
 * Of the symbols that cover ADDRESS, the one that begins last; of its aliases
 * the first.  Looking back ends where nothing before reaches so far.
 */
static const struct elf_symbol *symbol_covering(const struct elf_file *e, size_t until,
						uint64_t address, bool function)
{
	const struct elf_symbol *best = NULL;
	for (size_t i = until; i > 0 && e->highest_end[i - 1] > address; i--) {
		const struct elf_symbol *s = &e->symbols.items[i - 1];
		if (best && s->address != best->address)
			break;
		if (s->is_function == function && end_of(s) > address)
			best = s;
	}
	return best;
}

/* The last symbol before ADDRESS, if it has no size and both are in the same code. */
static const struct elf_symbol *sizeless_before(const struct elf_file *e, size_t until,
						uint64_t address)
{
	if (!until)
		return NULL;
	const struct elf_symbol *s = &e->symbols.items[until - 1];
	const GElf_Phdr *p = elf_segment_of(e, address);
	if (s->size || !elf_file_is_code(e, address) || elf_segment_of(e, s->address) != p)
		return NULL;
	while (s > e->symbols.items && s[-1].address == s->address && !s[-1].size)
		s--;
	return s;
}

const struct elf_thread_local *elf_file_thread_local(struct elf_file *e, const char *name)
{
	if (!e->symbols_read)
		read_symbols(e);
	const struct elf_thread_local *found = NULL;
	for (size_t i = 0; i < e->thread_locals.count; i++) {
		const struct elf_thread_local *v = &e->thread_locals.items[i];
		if (string_equal(v->name, name) && (!found || found->is_local))
			found = v;
	}
	return found;
}

const struct elf_symbol *elf_file_symbol_at(struct elf_file *e, uint64_t address)
{
	if (!e->symbols_read)
		read_symbols(e);
	size_t until = vector_until(&e->symbols, address, address);
	const struct elf_symbol *s = symbol_covering(e, until, address, true);
	if (!s)
		s = symbol_covering(e, until, address, false);
	return s ? s : sizeless_before(e, until, address);
}

/* --- Go -------------------------------------------------------------------------------------- */

static const char *const goexit_names[] = { "runtime.goexit", "runtime.goexit.abi0" };

/* Each program with Go's runtime has its table of functions, so others' symbols are not read. */
static bool has_go_table(const struct elf_file *e)
{
	return elf_file_has_section(e, ".gopclntab") ||
	       elf_file_has_section(e, ".data.rel.ro.gopclntab");
}

bool elf_file_is_go(struct elf_file *e)
{
	e->sought_go |= !has_go_table(e);
	for (size_t i = 0; i < ARRAY_SIZE(goexit_names) && !e->sought_go; i++)
		e->is_go = e->is_go || elf_file_symbol_named(e, goexit_names[i]);
	e->sought_go = true;
	return e->is_go;
}

bool elf_symbol_is_goexit(const struct elf_symbol *symbol)
{
	bool found = false;
	for (size_t i = 0; i < ARRAY_SIZE(goexit_names); i++)
		found |= string_equal(symbol->name, goexit_names[i]);
	return found;
}
