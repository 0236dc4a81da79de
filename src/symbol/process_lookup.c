/* SPDX-License-Identifier: BSD-2-Clause */
/* process_lookup - from the name of a symbol to where a process has it */
#include <ctype.h>

#include "arch/arch.h"
#include "symbol/symbol_internal.h"

struct search {
	int pid;
	const char *module, *name;
	uint64_t program; /* its inode */
	enum user_symbol_found found;
	int rank; /* of the symbol found: less is better */
	struct user_symbol *ret;
};

/* The program's symbols hide exported ones of libraries, and these hide local ones of libraries. */
static int rank_of(bool is_program, bool is_exported)
{
	return is_program ? 0 : is_exported ? 1 : 2;
}

/* Is MODULE a name of R's file? D has no names with + and - in them, so _ replaces these. */
static bool is_called(const struct region *r, uint64_t program, const char *module)
{
	auto_free char *name = mem_strdup(r->object);
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '.')
			*c = '_';
	return string_equal(r->object, module) || string_equal(name, module) ||
	       mapping_alias(name, r->inode == program, module);
}

static void found_symbol(struct search *search, int rank, const struct user_symbol *symbol)
{
	if (search->found == USER_SYMBOL_FOUND && rank >= search->rank)
		return;
	search->found = USER_SYMBOL_FOUND;
	search->rank = rank;
	*search->ret = *symbol;
}

/*
 * From the thread pointer to the block of R's file in each thread; false: it differs between
 * threads, or the thread pointer is not known (arch.h: thread_pointer).  Which variables have a
 * fixed one is the theory of object/elf/elf_thread.c.
 */
static bool find_block(const struct search *search, const struct region *r, uint64_t bias,
		       bool is_program, int64_t *ret)
{
	uint64_t address, plus, word;
	struct elf_file *elf = region_elf(r);
	const struct arch *a = arch_host();
	unsigned control_size = a->thread_block.control_size;
	if (!a->thread_pointer || elf_file_machine(elf) != a->elf_machine)
		return false;
	if (is_program)
		return elf_file_program_block(elf, control_size, ret);
	if (!elf_file_block_word(elf, a->thread_block.distance_relocation, &address, &plus) ||
	    !process_read_word(search->pid, address + bias, &word))
		return false;
	*ret = (int64_t)(word - plus);
	return control_size ? *ret > 0 : *ret < 0; /* the dynamic linker has been there */
}

static void search_thread_local(struct search *search, const struct region *r, uint64_t bias,
				bool is_program, const struct elf_thread_local *v)
{
	int64_t block;
	if (!find_block(search, r, bias, is_program, &block)) {
		if (search->found == USER_SYMBOL_UNKNOWN)
			search->found = USER_SYMBOL_THREAD_LOCAL;
		return;
	}
	found_symbol(search, rank_of(is_program, !v->is_local),
		     &(struct user_symbol) {
			     .address = (uint64_t)block + v->offset,
			     .size = v->size,
			     .is_thread_local = true,
			     .image = r->image,
			     .link_address = v->offset,
		     });
}

/* R is a mapping of a file that is BIAS bytes after its link-time addresses. */
static void search_file(struct search *search, const struct region *r, uint64_t bias)
{
	bool is_program = search->program && r->inode == search->program;
	if (search->module && !is_called(r, search->program, search->module))
		return;
	if (search->found == USER_SYMBOL_NO_MODULE)
		search->found = USER_SYMBOL_UNKNOWN;
	const struct elf_symbol *symbol = elf_file_symbol_named(region_elf(r), search->name);
	const struct elf_thread_local *local = elf_file_thread_local(region_elf(r), search->name);
	bool is_exported = symbol && (symbol->global || symbol->weak);
	if (local && (!symbol || (!is_exported && !local->is_local)))
		search_thread_local(search, r, bias, is_program, local);
	else if (symbol)
		found_symbol(search, rank_of(is_program, is_exported),
			     &(struct user_symbol) {
				     .address = symbol->address + bias,
				     .size = symbol->size,
				     .is_function = symbol->is_function,
				     .image = r->image,
				     .link_address = symbol->address,
			     });
}

/*
 * Is each part of R's file at its link-time address plus BIAS? A file that the process only reads
 * (mmap() of all of it) has the parts at other distances from each other.
 */
static bool is_loaded(const struct regions *all, const struct region *r, uint64_t bias)
{
	uint64_t offset, address;
	for (size_t i = 0; elf_file_segment(region_elf(r), i, &offset, &address); i++) {
		const struct region *part = regions_at(all, address + bias);
		if (!part || part->inode != r->inode ||
		    address + bias - part->start + part->offset != offset)
			return false;
	}
	return true;
}

/* LOADED false: also files whose parts are no longer so; some programs move their code. */
static void search_mappings(const struct regions *all, struct search *search, bool loaded)
{
	const struct image *last = NULL;
	uint64_t last_bias = 0;
	for (size_t i = 0; i < all->now.count; i++) {
		const struct region *r = &all->now.items[i];
		uint64_t link_address;
		struct elf_file *elf = region_elf(r);
		if (!elf || !r->object || !elf_file_address(elf, r->offset, &link_address))
			continue;
		uint64_t bias = r->start - link_address;
		if ((r->image == last && bias == last_bias) || (loaded && !is_loaded(all, r, bias)))
			continue;
		last = r->image;
		last_bias = bias;
		search_file(search, r, bias);
	}
}

enum user_symbol_found symbols_process_lookup(struct symbols_process *s, const char *module,
					      const char *name, struct user_symbol *ret)
{
	regions_read(&s->regions);
	struct search search = {
		.pid = s->regions.pid,
		.module = module,
		.name = name,
		.program = s->regions.program,
		.found = USER_SYMBOL_NO_MODULE,
		.ret = ret,
	};
	search_mappings(&s->regions, &search, true);
	if (search.found != USER_SYMBOL_FOUND)
		search_mappings(&s->regions, &search, false);
	return search.found;
}

struct image *symbols_process_image(struct symbols_process *s, const char *module)
{
	regions_read(&s->regions);
	for (size_t i = 0; i < s->regions.now.count; i++) {
		const struct region *r = &s->regions.now.items[i];
		if (r->object && is_called(r, s->regions.program, module) && region_elf(r))
			return r->image;
	}
	return NULL;
}
