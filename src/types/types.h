/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types - one model of C types
 *
 * In:   BTF of the running kernel, DWARF of programs (object/), and declarations of D programs.
 * Out:  struct type, immutable once complete, owned by struct types.
 *
 * A kernel has some 100,000 types and a script names three, so nothing is
 * converted ahead: a type is made when it is looked up, its members when they
 * are asked for.  The BTF bytes are not even opened before the first name that
 * is neither intrinsic nor declared by the program; DWARF, before the first symbol
 * of a process whose type is asked for.
 *
 * Spaces are searched in this order: C (included headers),
 * D (what programs declare, then what libraries do: enum declarer), intrinsics,
 * vmlinux, then modules in the order of their names.  The BTF of a module is
 * opened when it is named, and all of them are when a name is nowhere else.
 *
 * Always true:
 *   1. Types of one BTF id are one object: pointers may be compared for
 *      identity after type_resolve(), except for derived types made by
 *      types_pointer() and friends, which are compared by type_same().
 *   2. A struct's members are complete before type_member() answers.
 */
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include "base/base.h"

enum type_kind {
	TYPE_POISON, /* stands for a mistake already reported; compatible with all */
	TYPE_VOID,
	TYPE_INTEGER,
	TYPE_FLOAT,
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FORWARD, /* a struct, union or enum whose body is nowhere */
	TYPE_TYPEDEF,
	TYPE_QUALIFIED, /* const, volatile, userland target */
	TYPE_FUNCTION,
	/* D's own */
	TYPE_STRING,
	TYPE_STACK,    /* stack(), ustack() */
	TYPE_SYMADDR,  /* sym(), func(), mod() */
	TYPE_USYMADDR, /* usym(), ufunc(), umod(), uaddr() */
	TYPE_DYNAMIC,
};

enum type_qualifier { TYPE_CONST = 1, TYPE_VOLATILE = 2, TYPE_USERLAND = 4 };

struct type {
	enum type_kind kind;
	uint32_t size;	  /* bytes; 0: unknown or none */
	const char *name; /* tag, typedef or base name; NULL: anonymous */
	uint32_t btf_id;  /* in the kernel's BTF; 0: not from there */
	bool is_signed;	  /* integers, enums */
	bool is_char;	  /* char and its signed and unsigned forms */
	bool is_bool;
	unsigned qualifiers;	   /* TYPE_QUALIFIED */
	const struct type *target; /* of pointer, array, typedef, qualified; result of function */
	uint32_t count;		   /* of an array; parameters of a function */
	bool varargs;
	bool of_process;		  /* from the debug information of a program or library */
	const struct type *const *params; /* of a function */
	uint32_t align;			  /* of a typedef or opaque bytes; 0: its target's */
	struct type_body *body;		  /* types.c's own: members, enumerators */
};

struct member {
	const char *name; /* NULL: an unnamed struct or union */
	const struct type *type;
	uint32_t bit_offset;
	uint32_t bit_size; /* 0: not a bit-field */
	uint32_t align;	   /* when a struct is declared: bytes, 0: what the type needs */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct types;

/* BTF_PATH NULL: /sys/kernel/btf/vmlinux.  Never fails: a kernel without BTF just has no types. */
struct types *types_new(const char *btf_path);
void types_free(struct types *t); /* NULL is fine */

/* Does module NAME have types?  "vmlinux" is the kernel; "C" and "D" always have. */
bool types_has_scope(struct types *t, const char *name);

/* Why the kernel's types cannot be read, or NULL when they can. Opens the BTF. Owned by T. */
const char *types_kernel_problem(struct types *t);

/* --- intrinsic types: always there, never NULL --- */
enum type_intrinsic {
	INTRINSIC_VOID,
	INTRINSIC_CHAR,
	INTRINSIC_SCHAR,
	INTRINSIC_UCHAR,
	INTRINSIC_SHORT,
	INTRINSIC_USHORT,
	INTRINSIC_INT,
	INTRINSIC_UINT,
	INTRINSIC_LONG,
	INTRINSIC_ULONG,
	INTRINSIC_LONG_LONG,
	INTRINSIC_ULONG_LONG,
	INTRINSIC_INT128,
	INTRINSIC_UINT128,
	INTRINSIC_BOOL,
	INTRINSIC_FLOAT,
	INTRINSIC_DOUBLE,
	INTRINSIC_LONG_DOUBLE,
	INTRINSIC_STRING,
	INTRINSIC_STACK,
	INTRINSIC_SYMADDR,
	INTRINSIC_USYMADDR,
	INTRINSIC_DYNAMIC,
	INTRINSIC_POISON,
	INTRINSIC_COUNT,
};
const struct type *types_intrinsic(const struct types *t, enum type_intrinsic which);

/* --- look-up by name --- */

/*
 * Who declares names, of types here and of all else in sema.  The one rule for both: whoever
 * speaks declares names of his own and finds his own first, then those of the declarers below;
 * he never sees those above.  So a program may declare anew what a library declares, and means its
 * own from there on; and a library means the same whoever uses it.  Programs of one handle and
 * their headers are one declarer in this, and so are all the libraries of the user.
 */
enum declarer {
	DECLARED_BY_C,	     /* the headers of programs */
	DECLARED_BY_D,	     /* programs */
	DECLARED_BY_SITE,    /* libraries of the user and the site: -L, /etc/dtrace/lib */
	DECLARED_BY_LIBRARY, /* our libraries, the system's, what stands in place of one of ours */
	DECLARED_BY_US,	     /* intrinsics, built-ins */
	DECLARERS,
};

/* Names are declared and looked up for WHO from now on (at first: DECLARED_BY_D).  Answers who it
 * was before. */
enum declarer types_speak_for(struct types *t, enum declarer who);
/* Whose names they are now: DECLARED_BY_D for headers, too. */
enum declarer types_speaker(const struct types *t);

/*
 * A typedef, "int64_t", or with its keyword a tag: "struct task_struct".  A
 * module may stand before a backquote, or a file of a process before two: pid`libc.so.6`FILE.
 * NULL: no such type.
 */
const struct type *types_find(struct types *t, const char *name);
const struct type *types_find_tag(struct types *t, enum type_kind kind, const char *tag);
const char *tag_keyword(enum type_kind kind); /* "struct" ... */

/* A typedef's name in declared, intrinsic and kernel types; of modules, in those open by now. */
bool types_is_typedef(struct types *t, const char *name);

/*
 * What WHO declared, DECLARED_BY_D: headers as well.  NULL: nothing of this name.  The kernel's
 * types are not opened.
 */
const struct type *types_declared_typedef(struct types *t, enum declarer who, const char *name);
const struct type *types_declared_tag(struct types *t, enum declarer who, enum type_kind kind,
				      const char *tag);

/*
 * Text as C writes it: "struct task_struct *", "const char *", "unsigned int [4]",
 * "uint64_t".  NULL when it is not a type.  For tables of prototypes.
 */
const struct type *types_parse(struct types *t, const char *text);

/* The same of an enumerator: true and *RET when there is one. */
bool types_declared_enumerator(const struct types *t, enum declarer who, const char *name,
			       int64_t *ret);

/*
 * The kernel's enum that has an enumerator NAME, and its value; NULL: none.  Looks at all of
 * them, which is for messages.
 */
const struct type *types_kernel_enum_of(struct types *t, const char *name, int64_t *value);

/* The prototype of a kernel function, TYPE_FUNCTION, or NULL.  NAME may be module`name. */
const struct type *types_kernel_function(struct types *t, const char *name);
/*
 * The type of a kernel variable, or NULL: most have none, because the kernel's BTF names
 * those only of which each CPU has its own.  *PER_CPU: it is one of these.
 */
const struct type *types_kernel_variable(struct types *t, const char *name, bool *per_cpu);
/* Where a per-CPU variable of the kernel lies among these, or -1. */
int64_t types_kernel_variable_offset(struct types *t, const char *name);
/*
 * Visit the typedefs of the kernel and of its modules whose names begin with PREFIX, in the order
 * of their ids; MODULE: "vmlinux" or the module's name.
 */
typedef void types_typedef_fn(void *arg, const char *module, const char *name,
			      const struct type *type);
void types_kernel_typedefs(struct types *t, const char *prefix, types_typedef_fn *visit, void *arg);
/* The id of the kernel's function NAME in its BTF, or -1. */
int32_t types_kernel_function_id(struct types *t, const char *name);

/* --- types of programs and libraries --- */
struct debug_info;

/*
 * Where pid`MODULE`type and pid123`MODULE`type are looked for: the debug information of the file
 * that process PID (0: the target) has mapped, which must outlive T; NULL: there is none.
 */
typedef struct debug_info *types_object_fn(void *arg, int pid, const char *module);
void types_set_objects(struct types *t, types_object_fn *find, void *arg);

/* Does SCOPE, "pid`libc.so.6", mean a file of a process?  *MODULE: its name, a part of SCOPE. */
bool types_scope_of_process(const char *scope, int *pid, const char **module);

/*
 * The type of the variable NAME at the link-time ADDRESS of the file that INFO (NULL is fine) tells
 * of; NULL: there is none for it.  INFO must outlive T.
 */
const struct type *types_object_variable(struct types *t, struct debug_info *info, uint64_t address,
					 const char *name);

/* --- building --- */
const struct type *types_pointer(struct types *t, const struct type *target);
const struct type *types_array(struct types *t, const struct type *element, uint32_t count);
/* An array of bytes for what D does not take apart: vectors, complex numbers. */
const struct type *types_opaque(struct types *t, uint32_t size, uint32_t align);
const struct type *types_qualified(struct types *t, const struct type *target, unsigned qualifiers);
const struct type *types_function(struct types *t, const struct type *result,
				  const struct type *const *params, unsigned count, bool varargs);
/*
 * A new typedef; visible to types_find(), in place of an older one of this name.
 * ALIGN: bytes that __attribute__((aligned)) asks for, or 0.
 */
const struct type *types_typedef(struct types *t, const char *name, const struct type *target,
				 uint32_t align);

/*
 * A struct, union or enum declared by D code, TAG may be NULL.  It is a
 * TYPE_FORWARD of the right future kind until completed.  A tag that only
 * others declared, or the kernel has, is declared anew and hidden.
 */
struct type *types_declare_tag(struct types *t, enum type_kind kind, const char *tag);
/*
 * Lays members out by the platform's C rules, bit-fields included; fills in bit_offset and size.
 * ALIGN: the least alignment of the whole, as __attribute__((aligned)) asks for, or 0.
 */
void types_complete_struct(struct types *t, struct type *type, const struct member *members,
			   unsigned count, uint32_t align);
void types_complete_enum(struct types *t, struct type *type, const struct enumerator *list,
			 unsigned count);

/* sizeof(string), which follows the option strsize. */
void types_set_string_size(struct types *t, uint32_t size);

/* --- questions --- */

/* Without typedefs and qualifiers; a TYPE_FORWARD becomes its body if one exists. */
const struct type *type_resolve(const struct type *type);
uint32_t type_size(const struct type *type);  /* of the resolved type */
uint32_t type_align(const struct type *type); /* of the resolved type, at least 1 */
/*
 * Integers and enums, after resolving; those of 128 bits are none that D can compute with.  A
 * poison counts as integer and scalar, so that one mistake is told once.
 */
bool type_is_integer(const struct type *type);
bool type_is_scalar(const struct type *type); /* and pointers */
bool type_is_pointer(const struct type *type);
bool type_is_struct(const struct type *type); /* struct or union */
bool type_is_string(const struct type *type); /* D's string itself */
/* Shown as a character: plain char, whatever its sign, and signed char. */
bool type_is_character(const struct type *type);
bool type_is_string_like(const struct type *type); /* string, char *, char [] */
bool type_is_userland(const struct type *type);	   /* the qualifier on it, or on its target */
bool type_is_of_process(const struct type *type);  /* or made of one: a pointer, an array */
bool type_is_signed(const struct type *type); /* of an integer or enum; pointers are unsigned */
bool type_same(const struct type *a, const struct type *b); /* after resolving */
bool type_pointers_compatible(const struct type *a, const struct type *b);

/*
 * Find NAME in a struct or union, looking into unnamed members too; the offset
 * in *RET counts from the start of TYPE.  False: no such member.
 */
bool type_member(struct types *t, const struct type *type, const char *name, struct member *ret);
unsigned type_member_count(struct types *t, const struct type *type);
const struct member *type_member_at(struct types *t, const struct type *type, unsigned index);
unsigned type_enumerator_count(struct types *t, const struct type *type);
const struct enumerator *type_enumerator_at(struct types *t, const struct type *type,
					    unsigned index);

/*
 * TYPE with all that a value of it consists of, as bytes (serialize.c), and back again: then it is
 * of T, and no look-up finds it.  What pointers point to has its name and no members.  NULL stands
 * for itself.
 */
const struct type *type_archive(struct archive *a, struct types *t, const struct type *type);

/* The type as C writes it, into OUT: "struct task_struct *", "char [16]". */
void type_print(const struct type *type, struct strbuf *out);

#endif
