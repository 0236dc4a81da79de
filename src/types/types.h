/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types - one model of C types
 *
 * In:   BTF of the running kernel, DWARF of programs (object/), and declarations of D programs.
 * Out:  struct type, immutable once complete, owned by struct types.
 *
 * A kernel has some 100,000 types and a script names three, so nothing is
 * converted in advance: a type is made at its look-up, its members at theirs.  The
 * BTF file is not even opened before the first name that is neither intrinsic nor
 * declared by the program; DWARF, before the first look-up of the type of a
 * process's symbol.
 *
 * Spaces are searched in this order: C (included headers), D (declarations of
 * programs, then of libraries: enum declarer), intrinsics, vmlinux, then
 * modules in the order of their names.  The BTF of a module is opened when the
 * module is named, and that of all modules when a name is in no other space.
 *
 * Always true:
 *   1. Types of one BTF id are one object: pointers may be compared for
 *      identity after type_resolve(), except for derived types made by
 *      types_pointer() and friends, which are compared by type_same().
 *   2. A struct's members are complete before type_member() returns.
 */
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include "base/base.h"

enum type_kind {
	TYPE_POISON, /* the type of a mistake already reported; compatible with all */
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
	uint32_t btf_id;  /* in the kernel's BTF; 0: from elsewhere */
	bool is_signed;	  /* integers, enums */
	bool is_char;	  /* char and its signed and unsigned forms */
	bool is_bool;
	bool is_time;	     /* an enum: ns since 1970, shown by `name`, as strftime() takes it */
	bool is_vector;	     /* an array that the compiler has in one register */
	unsigned qualifiers; /* TYPE_QUALIFIED */
	const struct type *target; /* of pointer, array, typedef, qualified; result of function */
	uint32_t count;		   /* of an array; parameters of a function */
	bool varargs;
	bool of_process;		  /* from the debug information of a program or library */
	const struct type *const *params; /* of a function */
	uint32_t align;		/* of a typedef, vector or opaque bytes; 0: its target's */
	struct type_body *body; /* types.c's own: members, enumerators */
};

/*
 * A member that is there only if the tag of the value, a number in it, is one of NUMBERS, or
 * (IS_OTHER) none of them: a variant of Rust's enums.
 */
struct variant {
	uint32_t tag_offset, tag_size; /* bytes in the struct, at most 8 */
	bool is_other;
	unsigned count;
	const uint64_t *numbers;
};

struct member {
	const char *name; /* NULL: an unnamed struct or union */
	const struct type *type;
	uint32_t bit_offset;
	uint32_t bit_size;  /* 0: not a bit-field */
	uint32_t align;	    /* that the source demands, in bytes; 0: what the type needs */
	const char *absent; /* why values do not contain it, "was optimized away"; NULL: they do */
	const struct variant *variant; /* NULL: it is in all values */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct types;

/* BTF_PATH NULL: /sys/kernel/btf/vmlinux.  Never fails: a kernel without BTF has no types. */
struct types *types_new(const char *btf_path);
/* The kernel's types are at PATH: before the first of them is looked for. */
void types_set_btf(struct types *t, const char *path);
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

/* A stack of at most so many frames as a value in memory, of a process with its number first. */
const struct type *types_stack(struct types *t, bool user, uint32_t frames);
bool type_is_kept_stack(const struct type *type); /* one of these */
bool type_is_user_stack(const struct type *type);

/* --- look-up by name --- */

/*
 * Who declares names: of types here, of everything else in sema.  One rule for both: a declarer
 * finds its own names first, then those of the declarers after it in this list; it never sees
 * those before it.  So a program may declare a name of a library again and uses its own
 * declaration from then on; and a library's names mean the same in every program.  Programs of one
 * handle and their headers are one declarer in this rule, and so are all the libraries of the
 * user.
 */
enum declarer {
	DECLARED_BY_C,	     /* the headers of programs */
	DECLARED_BY_D,	     /* programs */
	DECLARED_BY_FILE,    /* a traced file, in notes; only while types_enter() has its names */
	DECLARED_BY_SITE,    /* libraries of the user and the site: -L, /etc/dtrace/lib */
	DECLARED_BY_LIBRARY, /* our libraries, the system's, and replacements of ours */
	DECLARED_BY_US,	     /* intrinsics, built-ins */
	DECLARERS,
};

/* Names are declared and looked up for WHO from now on (at first: DECLARED_BY_D).  The result is
 * the declarer before. */
enum declarer types_speak_for(struct types *t, enum declarer who);
/* The current declarer: DECLARED_BY_D for headers, too. */
enum declarer types_speaker(const struct types *t);

/*
 * The names that one traced file declares for itself.  Nobody else sees them, and it sees no
 * program's: the types after its own, those of libraries and intrinsic ones are BTF's and those of
 * the debug information that DEBUG finds, which is called when a name is nowhere else (NULL: there
 * is none).  Of the kernel only typedefs are found: its structs of the same name are others.
 * BTF is copied; an error if it is damaged.
 */
struct types_scope;
typedef struct debug_info *types_scope_debug_fn(void *arg);
MUST_CHECK struct error *types_scope_new(struct types *t, struct bytes btf,
					 types_scope_debug_fn *debug, void *arg,
					 struct types_scope **ret);
/* DECLARED_BY_FILE's names are SCOPE's from now on; NULL: there are none.  Returns the scope
 * before. */
struct types_scope *types_enter(struct types *t, struct types_scope *scope);

/*
 * A typedef, "int64_t", or with its keyword a tag: "struct task_struct".  A module may
 * precede it with a backquote, or a file of a process with two: pid`libc.so.6`FILE.  NULL: no
 * such type.
 */
const struct type *types_find(struct types *t, const char *name);
const struct type *types_find_tag(struct types *t, enum type_kind kind, const char *tag);
const char *tag_keyword(enum type_kind kind);	      /* "struct" ... */
char *tag_name(enum type_kind kind, const char *tag); /* "struct TAG", the caller's */

/* Of ns since 1970 that are shown by FORMAT. */
const struct type *types_time(struct types *t, const char *format);

/* Is NAME a typedef among declared, intrinsic and kernel types, and those of modules opened so
 * far? */
bool types_is_typedef(struct types *t, const char *name);

/*
 * The typedef NAME that WHO declared (DECLARED_BY_D: or a header).  NULL: none of this name.
 * The kernel's types are not opened.
 */
const struct type *types_declared_typedef(struct types *t, enum declarer who, const char *name);
const struct type *types_declared_tag(struct types *t, enum declarer who, enum type_kind kind,
				      const char *tag);

/*
 * Text as C writes it: "struct task_struct *", "const char *", "unsigned int [4]",
 * "uint64_t".  NULL when it is not a type.  For tables of prototypes.
 */
const struct type *types_parse(struct types *t, const char *text);

/* The same for an enumerator: true and *RET if it exists. */
bool types_declared_enumerator(const struct types *t, enum declarer who, const char *name,
			       int64_t *ret);

/*
 * The kernel's enum that has an enumerator NAME, and its value; NULL: none.  Searches all
 * enums, so it is for messages only.
 */
const struct type *types_kernel_enum_of(struct types *t, const char *name, int64_t *value);

/* The prototype of a kernel function, TYPE_FUNCTION, or NULL.  NAME may be module`name. */
const struct type *types_kernel_function(struct types *t, const char *name);
/*
 * The type of a kernel variable, or NULL: most have none, because the kernel's BTF has
 * only per-CPU variables.  *PER_CPU: it is a per-CPU variable.
 */
const struct type *types_kernel_variable(struct types *t, const char *name, bool *per_cpu);
/* The offset of a per-CPU variable of the kernel among the per-CPU variables, or -1. */
int64_t types_kernel_variable_offset(struct types *t, const char *name);
/*
 * Visit the typedefs of the kernel and of its modules whose names begin with PREFIX, in the order
 * of their ids; MODULE: "vmlinux" or the module's name.
 */
typedef void types_typedef_fn(void *arg, const char *module, const char *name,
			      const struct type *type);
void types_kernel_typedefs(struct types *t, const char *prefix, types_typedef_fn *visit, void *arg);
/* The kernel's own, by name, or NULL; the BTF of modules need not be opened. */
const struct type *types_vmlinux_typedef(struct types *t, const char *name);
/* The id of the kernel's function NAME (module`name: of a module) in its BTF, or -1. */
int32_t types_kernel_function_id(struct types *t, const char *name);

/* --- types of programs and libraries --- */
struct debug_info;

/* What a file of a process says of types: by DWARF, and by BTF what DWARF lacks. */
struct file_types {
	struct debug_info *info; /* NULL: none; must outlive the struct types */
	struct bytes btf;	 /* of one or several compilations, or empty; it is copied */
	bool is_narrow;		 /* the file is of 32 bits, which BTF does not say */
};

/*
 * The types for pid`MODULE`type and pid123`MODULE`type: those of the file MODULE that process PID
 * (0: the target) has mapped.
 */
typedef struct file_types types_object_fn(void *arg, int pid, const char *module);
void types_set_objects(struct types *t, types_object_fn *find, void *arg);

/* Is SCOPE, "pid`libc.so.6", a file of a process? *MODULE: its name, a part of SCOPE. */
bool types_scope_of_process(const char *scope, int *pid, const char **module);

/*
 * The type of the variable NAME at the link-time ADDRESS of the file described by INFO (NULL is
 * fine); NULL: there is none.  INFO must outlive T.
 */
const struct type *types_object_variable(struct types *t, struct debug_info *info, uint64_t address,
					 const char *name);

/* Does a call of C++ pass the address of a copy instead of the object?  Then its copying or its
 * destruction is a function. */
bool type_is_passed_by_address(struct types *t, const struct type *type);

struct parameter_place; /* object/dwarf/parameter.h */

struct object_parameter {
	const char *name; /* NULL: it has none */
	const struct type *type;
	const struct parameter_place *place; /* at the function's first instruction */
};

enum object_convention {
	CONVENTION_C,
	CONVENTION_RUST,
	CONVENTION_GO, /* in registers: since 1.17 */
	CONVENTION_UNKNOWN,
};

struct object_function {
	const struct type *result;
	bool keeps_result; /* the compiler has not made it a function without a result */
	const struct object_parameter *parameters;
	unsigned count;
	const struct object_parameter *results; /* Go's: without places */
	unsigned result_count;
	enum object_convention convention;
};

/*
 * The function that the linker knows as SYMBOL, whose code is at the link-time ADDRESS of the file
 * described by INFO, for T's lifetime; NULL: nothing is known about it.
 */
struct elf_symbol; /* object/object.h */
const struct object_function *types_object_function(struct types *t, struct debug_info *info,
						    uint64_t address,
						    const struct elf_symbol *symbol);

/* The same of one of its inlined copies: names and types. */
struct inlined_copy; /* object/dwarf/inlined.h */
const struct object_function *types_inlined_function(struct types *t, struct debug_info *info,
						     const struct inlined_copy *copy);

/* The type of a variable of a function; VOID if it is unknown. */
struct parameter_entry; /* object/dwarf/parameter.h */
const struct type *types_of_variable(struct types *t, struct debug_info *info,
				     const struct parameter_entry *variable);

/* The same by F's BTF.  NULL: it does not describe the function, or SEVERAL of this name. */
const struct object_function *types_btf_function(struct types *t, const struct file_types *f,
						 const char *name, bool *several);

/* --- building --- */
const struct type *types_pointer(struct types *t, const struct type *target);
const struct type *types_array(struct types *t, const struct type *element, uint32_t count);
/* An array of bytes for types that D does not analyze: vectors, complex numbers. */
const struct type *types_opaque(struct types *t, uint32_t size, uint32_t align);
const struct type *types_qualified(struct types *t, const struct type *target, unsigned qualifiers);
const struct type *types_function(struct types *t, const struct type *result,
				  const struct type *const *params, unsigned count, bool varargs);
/*
 * A new typedef; visible to types_find(), instead of an older one of this name.
 * ALIGN: bytes of __attribute__((aligned)), or 0.
 */
const struct type *types_typedef(struct types *t, const char *name, const struct type *target,
				 uint32_t align);

/*
 * A struct, union or enum declared by D code, TAG may be NULL.  It is a
 * TYPE_FORWARD with its future kind until completed.  A tag of another
 * declarer or of the kernel is hidden by the new declaration.
 */
struct type *types_declare_tag(struct types *t, enum type_kind kind, const char *tag);
/* The body of a declared TYPE is read: until it is completed, the kernel's of that tag is none. */
void types_open_tag(struct type *type);
/*
 * Lays members out by the platform's C rules, bit-fields included; fills in bit_offset and size.
 * ALIGN: the least alignment of the whole, of __attribute__((aligned)), or 0.
 */
void types_complete_struct(struct types *t, struct type *type, const struct member *members,
			   unsigned count, uint32_t align);
void types_complete_enum(struct types *t, struct type *type, const struct enumerator *list,
			 unsigned count);

/* sizeof(string), which follows the option strsize. */
void types_set_string_size(struct types *t, uint32_t size);

/* --- predicates and properties --- */

/* Without typedefs and qualifiers; a TYPE_FORWARD becomes its body if one exists. */
const struct type *type_resolve(const struct type *type);
uint32_t type_size(const struct type *type);  /* of the resolved type */
uint32_t type_align(const struct type *type); /* of the resolved type, at least 1 */
/*
 * Integers and enums, after resolving; not those of 128 bits, because D cannot compute with
 * them.  A poison counts as integer and scalar, so that one mistake is reported once.
 */
bool type_is_integer(const struct type *type);
bool type_is_scalar(const struct type *type); /* integers and pointers */
bool type_is_pointer(const struct type *type);
bool type_is_struct(const struct type *type); /* struct or union */
bool type_is_string(const struct type *type); /* D's string itself */
/* Printed as a character: plain char, signed or not, and signed char. */
bool type_is_character(const struct type *type);
bool type_is_string_like(const struct type *type); /* string, char *, char [] */
bool type_is_userland(const struct type *type);	   /* the qualifier on it, or on its target */
bool type_is_of_process(const struct type *type);  /* or derived from such a type: a pointer, an
						    * array */
bool type_is_signed(const struct type *type); /* of an integer or enum; pointers are unsigned */
bool type_same(const struct type *a, const struct type *b); /* after resolving */
bool type_pointers_compatible(const struct type *a, const struct type *b);

/*
 * Find NAME in a struct or union, looking into unnamed members too; the offset
 * in *RET counts from the start of TYPE.  False: no such member, or not in all values.
 */
bool type_member(struct types *t, const struct type *type, const char *name, struct member *ret);
/* Why not all values have the member NAME: "was optimized away"; NULL: there is no such member. */
const char *type_member_problem(struct types *t, const struct type *type, const char *name);
unsigned type_member_count(struct types *t, const struct type *type);
const struct member *type_member_at(struct types *t, const struct type *type, unsigned index);
/* Have A and B members of the same names, places and sizes?  True if they are no structs. */
bool type_same_members(const struct type *a, const struct type *b);
/* The name of TYPE, a struct with a name, in its namespaces: std::__cxx11::basic_string<...>. */
const char *type_scoped_name(const struct type *type);
/* The type that is argument NUMBER, from 0, of the template or generic struct TYPE; or NULL, as of
 * 32-bit programs, whose nodes of containers the runtime does not follow. */
const struct type *type_template_argument(struct types *t, const struct type *type,
					  unsigned number);
unsigned type_enumerator_count(struct types *t, const struct type *type);
const struct enumerator *type_enumerator_at(struct types *t, const struct type *type,
					    unsigned index);

/*
 * Write TYPE with the types of all parts of its values as bytes (serialize.c), or read it back:
 * then it is owned by T, and no look-up finds it.  Targets of pointers have their names and no
 * members.  NULL is written as NULL.
 */
const struct type *type_archive(struct archive *a, struct types *t, const struct type *type);

/* The type as C writes it, into OUT: "struct task_struct *", "char [16]". */
void type_print(const struct type *type, struct strbuf *out);

#endif
