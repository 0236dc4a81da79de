/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model - declarations shared by the files of types/
 *
 * A type is made in two steps: its struct type when it is named, its body
 * (members, enumerators) at the first use.  So a pointer to a struct costs
 * one object and recursion through members cannot happen.
 */
#ifndef TYPES_MODEL_H
#define TYPES_MODEL_H

#include "object/dwarf/debug_info.h"
#include "object/object.h"
#include "types/types.h"

/* The types of the kernel, or of one module. */
struct space {
	const char *name; /* "vmlinux", "ext4" */
	struct btf *btf;
	const struct type **by_id; /* NULL: not made yet */
	const struct space *base;  /* of a module: the kernel */
	bool of_process;	   /* of a program or library, */
	bool is_narrow;		   /* of 32 bits: pointers have 4 bytes */
};

/* A type of a program or library, described by DWARF. */
struct described {
	struct debug_info *info;
	Dwarf_Die entry;
	const char *scoped_name; /* with its namespaces; NULL: not yet looked for */
};

struct type_body {
	struct types *owner;
	enum type_kind kind; /* the future kind of a TYPE_FORWARD */
	struct space *space; /* the source of the members; NULL: declared by D, or described */
	uint32_t id;	     /* in space */
	struct described *described;
	bool loaded; /* the members below are filled in */
	struct member *members;
	struct enumerator *enumerators;
	unsigned count;
	uint32_t align;		   /* of a struct, 0: not known yet */
	struct types_scope *scope; /* of a TYPE_FORWARD that a traced file declared */
	const struct type *found;  /* of a TYPE_FORWARD, once loaded: the kernel's body */
};

/* The names of a traced file (scope.c). */
struct types_scope {
	struct types *owner;
	struct types_scope *next;
	struct hash *typedefs, *tags, *enumerators; /* as those of struct types */
	struct space space;			    /* its BTF; btf NULL: none */
	types_scope_debug_fn *debug;
	void *debug_arg;
};

struct types {
	struct arena *arena;
	struct type intrinsics[INTRINSIC_COUNT];
	enum declarer declarer;		     /* see types_speak_for() */
	struct hash *typedefs[DECLARERS];    /* name -> struct type */
	struct hash *tags[DECLARERS];	     /* "struct NAME" -> struct type */
	struct hash *enumerators[DECLARERS]; /* name -> struct enumerator */
	struct hash *derived;		     /* struct derivation -> struct type */
	char *btf_path;
	bool opened;	       /* opening the kernel's BTF was tried */
	struct error *problem; /* why it could not be opened */
	struct space vmlinux;
	struct hash *kernel_enumerators; /* name -> struct btf_enumerator; NULL: not read yet */
	VECTOR(struct space *) modules;	 /* the modules looked up so far */
	bool opened_modules;		 /* all of them */
	types_object_fn *find_object;
	void *object_arg;
	struct hash *described;		    /* address of an entry's bytes -> struct type */
	struct types_scope *scopes, *scope; /* all; the current one, or NULL */
	struct btf_section *sections;	    /* BTF of programs and libraries (btf_function.c) */
};

static inline struct type *type_new(struct types *t, enum type_kind kind, uint32_t size)
{
	struct type *type = ARENA_NEW(t->arena, struct type);
	type->kind = kind;
	type->size = size;
	return type;
}

static inline struct type_body *body_new(struct types *t, struct type *type)
{
	type->body = ARENA_NEW(t->arena, struct type_body);
	type->body->owner = t;
	type->body->kind = type->kind;
	return type->body;
}

/* The kernel's types, or NULL when there are none. */
struct space *kernel_space(struct types *t);
/* Open the types of all modules, which takes some ms: only when a name is in no other space. */
void modules_open(struct types *t);
/* The types of a module, or NULL.  "vmlinux" is the kernel. */
struct space *module_space(struct types *t, const char *name);
/* WHO's declaration of KEY in TABLES ("struct x" in tags), or NULL; DECLARED_BY_D: or a header's.
 */
struct type *declared_by(struct hash *const *tables, enum declarer who, const char *key);
/* The body of a TYPE_FORWARD by its tag, in D or in the kernel; NULL: none yet. */
const struct type *forward_body(const struct type *type);

/* SPACE is BTF's, which is closed with T. */
void space_open(struct types *t, struct space *space, const char *name, struct btf *btf);
void space_close(struct space *space);

/* What BTF or DWARF of the scope's file has under NAME. */
const struct type *scope_find(struct types_scope *scope, enum type_kind kind, const char *name);
/* A tag that the scope declares, or what scope_find() finds: with a body, or NULL. */
const struct type *scope_body(struct types_scope *scope, enum type_kind kind, const char *tag);
void scopes_free(struct types *t);
void btf_sections_free(struct types *t);

const struct type *space_find(struct types *t, struct space *space, enum type_kind kind,
			      const char *name);
void spaces_free(struct types *t);
/* The type ID, never NULL: an unreadable one is void. */
const struct type *space_type(struct types *t, struct space *space, uint32_t id);

/* Fill in members or enumerators of a struct, union or enum that was not declared by D. */
void body_load(struct type_body *body);
void described_load(struct type_body *body); /* the same for a type of a program or library */

/* The attribute NAME (DW_AT_...) of a DWARF entry as a number, or false. */
bool entry_number(Dwarf_Die *entry, unsigned name, uint64_t *ret);
#define ALIGN_MOST 4096
/* What the source demands of it (alignas), a power of two; 0: nothing, or more than ALIGN_MOST. */
uint32_t entry_align(Dwarf_Die *entry);
const char *entry_name(struct types *t, Dwarf_Die *entry); /* NULL: it has none */
/* The type in DW_AT_type of ENTRY: void if there is none.  DEPTH: of the types that led here. */
const struct type *entry_type(struct types *t, struct debug_info *info, Dwarf_Die *entry,
			      unsigned depth);

/* The type NAME of FILE: of this tag, or (TYPE_TYPEDEF) a typedef; NULL: none. */
const struct type *object_type(struct types *t, struct debug_info *info, enum type_kind kind,
			       const char *name);

/* The same by F's BTF: a tag with its body, if one of the compilations has it. */
const struct type *btf_file_type(struct types *t, const struct file_types *f, enum type_kind kind,
				 const char *name);

/* The integer type NAME of BTF or DWARF: C's type of this name and size, else a new one. */
const struct type *type_of_integer(struct types *t, const char *name, uint32_t size, bool is_signed,
				   bool is_char, bool is_bool);
const struct type *type_of_float(struct types *t, const char *name, uint32_t size);

/*
 * Damaged BTF or DWARF only: a typedef, qualifier, array or function that leads to
 * itself.  The target of such a type is not set while the type is being made.
 */
bool type_is_unfinished(const struct type *type);

/* A base type of C or D, "unsigned long", in the usual spellings; NULL: NAME is not one. */
const struct type *types_base_name(struct types *t, const char *name);

void intrinsics_init(struct types *t);

#endif
