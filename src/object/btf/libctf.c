/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/btf/libctf.h"

#include <dlfcn.h>
#include <elf.h>
#include <stddef.h>

/* binutils have two: one that reads ELF itself, and one that does not. */
static const char *const libraries[] = { "libctf-nobfd.so.0", "libctf.so.0" };

#define FUNCTION(name)                                                                             \
	{                                                                                          \
		"ctf_" #name, offsetof(struct libctf, name)                                        \
	}

static const struct {
	const char *name;
	size_t at; /* in struct libctf */
} functions[] = {
	FUNCTION(arc_bufopen),	  FUNCTION(close),
	FUNCTION(archive_iter),	  FUNCTION(symbol_next),
	FUNCTION(func_type_info), FUNCTION(func_type_args),
	FUNCTION(type_kind),	  FUNCTION(type_kind_forwarded),
	FUNCTION(type_reference), FUNCTION(type_encoding),
	FUNCTION(type_size),	  FUNCTION(type_name_raw),
	FUNCTION(lookup_by_name), FUNCTION(array_info),
	FUNCTION(member_iter),	  FUNCTION(enum_iter),
	FUNCTION(next_destroy),
};

static bool find_functions(void *library, struct libctf *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *found = dlsym(library, functions[i].name);
		if (!found)
			return false;
		memcpy((char *)ret + functions[i].at, &found, sizeof(found));
	}
	return true;
}

struct error *libctf_load(const struct libctf **ret)
{
	static struct libctf lib;
	static bool is_loaded;
	for (size_t i = 0; !is_loaded && i < ARRAY_SIZE(libraries); i++) {
		void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
		is_loaded = library && find_functions(library, &lib);
	}
	if (!is_loaded)
		return error_new("section .ctf needs binutils' library %s, 2.36 or later",
				 libraries[0]);
	*ret = &lib;
	return NULL;
}

bool ctf_section_of(const struct elf_file *file, const char *name, size_t entry_size,
		    struct ctf_section *ret)
{
	struct bytes bytes;
	uint64_t address;
	if (!elf_file_section(file, name, &bytes, &address))
		return false;
	*ret = (struct ctf_section) { name, bytes.data, bytes.size, entry_size };
	return true;
}

#define ARCHIVE_MAGIC 0x8b47f2a4d7623eebu
#define FLAG_DYNAMIC 0x8 /* of a dictionary: its symbols and names are the dynamic ones */

/*
 * An archive has its first dictionary, after the dictionary's size, where its fifth word says; a
 * dictionary begins with two bytes of magic, version and flags.  All are of one kind.
 */
static bool is_about_dynamic_symbols(const struct ctf_section *ctf)
{
	struct bytes b = bytes_of(ctf->data, ctf->size), head = b;
	size_t at = 0;
	if (bytes_u64(&head) == ARCHIVE_MAGIC) {
		bytes_take(&head, 3 * sizeof(uint64_t));
		at = bytes_u64(&head) + sizeof(uint64_t);
	}
	struct bytes flags = bytes_slice(&b, at, 4);
	bytes_take(&flags, 3);
	return bytes_u8(&flags) & FLAG_DYNAMIC;
}

struct ctf_archive *libctf_open(const struct libctf *lib, const struct elf_file *file,
				const struct ctf_section *ctf)
{
	bool dynamic = is_about_dynamic_symbols(ctf);
	struct ctf_section symbols, strings;
	int problem;
	size_t symbol = elf_file_word(file) == 4 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	bool has = ctf_section_of(file, dynamic ? ".dynsym" : ".symtab", symbol, &symbols) &&
		   ctf_section_of(file, dynamic ? ".dynstr" : ".strtab", 0, &strings);
	return lib->arc_bufopen(ctf, has ? &symbols : NULL, has ? &strings : NULL, &problem);
}
