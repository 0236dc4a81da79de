/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model - what the files of types/ share
 *
 * A type is made in two steps: its shell when it is named, its body (members,
 * enumerators) when somebody asks.  So a pointer to a struct costs one object
 * and recursion through members cannot happen.
 */
#ifndef TYPES_MODEL_H
#define TYPES_MODEL_H

#include "object/debug_info.h"
#include "object/object.h"
#include "types/types.h"

/* The types of the kernel, or of one module. */
struct space {
	const char *name; /* "vmlinux", "ext4" */
	struct btf *btf;
	const struct type **by_id; /* NULL: not made yet */
	const struct space *base;  /* of a module: the kernel */
};

/* A type of a program or library, as its compiler described it. */
struct described {
	struct debug_info *info;
	Dwarf_Die entry;
};

struct type_body {
	struct types *owner;
	enum type_kind kind; /* what a TYPE_FORWARD will become */
	struct space *space; /* where the members come from; NULL: declared by D, or described */
	uint32_t id;	     /* in space */
	struct described *described;
	bool loaded; /* the rest is filled in */
	struct member *members;
	struct enumerator *enumerators;
	unsigned count;
	uint32_t align;		  /* of a struct, 0: not known yet */
	const struct type *found; /* of a TYPE_FORWARD, once loaded: the kernel's body */
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
	bool opened;	       /* the kernel's BTF was tried */
	struct error *problem; /* why it could not be opened */
	struct space vmlinux;
	VECTOR(struct space *) modules; /* those that have been asked for */
	bool opened_modules;		/* all of them */
	types_object_fn *find_object;
	void *object_arg;
	struct hash *described; /* address of an entry's bytes -> struct type */
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
/* Open those of all modules, which takes some ms: only when a name is nowhere else. */
void modules_open(struct types *t);
/* A module's, or NULL.  "vmlinux" is the kernel. */
struct space *module_space(struct types *t, const char *name);
/* What WHO declared as KEY in TABLES ("struct x" in tags), or NULL; DECLARED_BY_D: headers as well.
 */
struct type *declared_by(struct hash *const *tables, enum declarer who, const char *key);
/* What a TYPE_FORWARD of this tag stands for, in D or in the kernel; NULL: nothing yet. */
const struct type *forward_body(const struct type *type);

const struct type *space_find(struct types *t, struct space *space, enum type_kind kind,
			      const char *name);
void spaces_free(struct types *t);
/* The type ID, never NULL: what cannot be read is void. */
const struct type *space_type(struct types *t, struct space *space, uint32_t id);

/* Fill in members or enumerators of a struct, union or enum that was not declared by D. */
void body_load(struct type_body *body);
void described_load(struct type_body *body); /* the same of one in a program or library */

/* Of an entry of DWARF: the attribute NAME (DW_AT_...) as a number, or false. */
bool entry_number(Dwarf_Die *entry, unsigned name, uint64_t *ret);
const char *entry_name(struct types *t, Dwarf_Die *entry); /* NULL: it has none */
/* The type that it says it has: none is void.  DEPTH: of the types that led here. */
const struct type *entry_type(struct types *t, struct debug_info *info, Dwarf_Die *entry,
			      unsigned depth);

/* The type NAME of FILE: of this tag, or (TYPE_TYPEDEF) a typedef; NULL: none. */
const struct type *object_type(struct types *t, struct debug_info *info, enum type_kind kind,
			       const char *name);

/* What BTF or DWARF calls NAME: C's own type of this name and shape, else one that is its own. */
const struct type *integer_type(struct types *t, const char *name, uint32_t size, bool is_signed,
				bool is_char, bool is_bool);
const struct type *float_type(struct types *t, const char *name, uint32_t size);

/*
 * Damaged BTF or DWARF only: a typedef, qualifier, array or function that leads to
 * itself.  Its target is not set while it is being made.
 */
bool type_is_unfinished(const struct type *type);

/* One of C's or D's own types, "unsigned long", in the usual spellings; NULL: it is none. */
const struct type *types_base_name(struct types *t, const char *name);

void intrinsics_init(struct types *t);

#endif
