/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libctf - binutils' reader of CTF, loaded on demand
 *
 * Declared as in ctf-api.h of binutils 2.36 and later, which few machines have installed, though
 * the library comes with binutils.
 */
#ifndef OBJECT_BTF_LIBCTF_H
#define OBJECT_BTF_LIBCTF_H

#include <sys/types.h>

#include "object/object.h"

typedef unsigned long ctf_id;
#define CTF_ERROR ((ctf_id)-1)

enum ctf_kind {
	CTF_UNKNOWN,
	CTF_INTEGER,
	CTF_FLOAT,
	CTF_POINTER,
	CTF_ARRAY,
	CTF_FUNCTION,
	CTF_STRUCT,
	CTF_UNION,
	CTF_ENUM,
	CTF_FORWARD,
	CTF_TYPEDEF,
	CTF_VOLATILE,
	CTF_CONST,
	CTF_RESTRICT,
};

#define CTF_FUNCTION_VARARGS 1

struct ctf_archive;
struct ctf_dict;
struct ctf_next;

struct ctf_section {
	const char *name;
	const void *data;
	size_t size, entry_size;
};

struct ctf_encoding {
	uint32_t format, offset, bits; /* 1: signed, 2: character, 4: boolean */
};

struct ctf_function {
	ctf_id result;
	uint32_t count, flags;
};

struct ctf_array {
	ctf_id contents, index;
	uint32_t count;
};

typedef int ctf_member_fn(const char *name, ctf_id type, unsigned long bit_offset, void *arg);
typedef int ctf_enumerator_fn(const char *name, int value, void *arg);
typedef int ctf_dict_fn(struct ctf_dict *dict, const char *name, void *arg);

/* The library's functions, without the ctf_ before each name. */
struct libctf {
	struct ctf_archive *(*arc_bufopen)(const struct ctf_section *ctf,
					   const struct ctf_section *symbols,
					   const struct ctf_section *strings, int *error);
	void (*close)(struct ctf_archive *archive);
	int (*archive_iter)(const struct ctf_archive *archive, ctf_dict_fn *visit, void *arg);
	ctf_id (*symbol_next)(struct ctf_dict *d, struct ctf_next **next, const char **name,
			      int functions);
	void (*next_destroy)(struct ctf_next *next); /* NULL is fine */
	int (*func_type_info)(struct ctf_dict *d, ctf_id id, struct ctf_function *ret);
	int (*func_type_args)(struct ctf_dict *d, ctf_id id, uint32_t count, ctf_id *ret);
	int (*type_kind)(struct ctf_dict *d, ctf_id id);
	int (*type_kind_forwarded)(struct ctf_dict *d, ctf_id id);
	ctf_id (*type_reference)(struct ctf_dict *d, ctf_id id);
	int (*type_encoding)(struct ctf_dict *d, ctf_id id, struct ctf_encoding *ret);
	ssize_t (*type_size)(struct ctf_dict *d, ctf_id id);
	const char *(*type_name_raw)(struct ctf_dict *d, ctf_id id);
	ctf_id (*lookup_by_name)(struct ctf_dict *d, const char *name);
	int (*array_info)(struct ctf_dict *d, ctf_id id, struct ctf_array *ret);
	int (*member_iter)(struct ctf_dict *d, ctf_id id, ctf_member_fn *visit, void *arg);
	int (*enum_iter)(struct ctf_dict *d, ctf_id id, ctf_enumerator_fn *visit, void *arg);
};

/* The library, which stays loaded; an error if it is not installed, or too old. */
MUST_CHECK struct error *libctf_load(const struct libctf **ret);

/* The section NAME of FILE, of entries of ENTRY_SIZE bytes, in the form that the library takes; or
 * false. */
bool ctf_section_of(const struct elf_file *file, const char *name, size_t entry_size,
		    struct ctf_section *ret);

/* CTF of FILE with the symbols that it is about; NULL: it cannot be read.  End: lib->close(). */
struct ctf_archive *libctf_open(const struct libctf *lib, const struct elf_file *file,
				const struct ctf_section *ctf);

#endif
