/* SPDX-License-Identifier: BSD-2-Clause */
/* name - declarations of the files that find what names mean; see sema_internal.h */
#ifndef SEMA_NAME_H
#define SEMA_NAME_H

#include "sema/sema_internal.h"

/* --- symbols of the kernel (symbol.c) and of the target (user_symbol.c) --- */
struct symbol_path {
	const char *module; /* of the kernel, or a file that is mapped; NULL: any */
	const char *name;
};
/* N's name contains a backquote, or an extern declares it as the kernel's. */
struct texpr *symbol_check(struct sema *s, const struct node *n);
/* Bytes of the symbol in the kernel's list, padding included; 0: unknown. */
uint64_t symbol_size(struct sema *s, const struct node *n);
/* The type of NAME in an extern, or NULL. */
const struct type *extern_find(struct sema *s, const char *name);
/* The type of NAME in an extern or a header, or NULL. */
const struct type *symbol_declared_type(struct sema *s, const char *name);
bool symbol_is_function(struct sema *s, const char *name); /* of the kernel, not of a module */
bool module_is_kernel_elsewhere(const char *module);	   /* genunix, unix: Solaris's kernel */
bool symbol_is_listed(struct sema *s, const char *text);   /* "vmlinux`avenrun" */
bool symbol_is_typed(struct sema *s, const struct symbol_path *path); /* it exists, with a type */
bool symbol_exists(struct sema *s, const struct symbol_path *path);   /* in the kernel */
bool user_symbol_exists(struct sema *s, const struct symbol_path *path); /* in the target */
const struct type *symbol_function_type(struct sema *s); /* of a function without type data */
/* Has NAME the form of a symbol of the target? */
bool user_symbol_path(struct sema *s, const char *name, struct symbol_path *ret);
struct texpr *user_symbol_check(struct sema *s, const struct node *n,
				const struct symbol_path *path);
uint64_t user_symbol_size(struct sema *s, const struct symbol_path *path);

/* --- names (name.c) --- */
enum name_kind {
	NAME_UNKNOWN,
	NAME_BINDING,
	NAME_ENUMERATOR,
	NAME_VARIABLE,
	NAME_INLINE,
	NAME_BUILTIN,
	NAME_ARGUMENT,
	NAME_ARGS,
	NAME_NULL,
	NAME_EXTERN,
	NAME_FUNCTION,
};
struct name {
	enum name_kind kind;
	union {
		const struct binding *binding;
		int64_t number; /* enumerator; argument */
		struct variable *variable;
		struct inline_definition *inlined;
		enum builtin_variable builtin;
		const struct type *type; /* extern */
	};
};
/* The meaning of NAME for the current declarer; definitions of libraries are fetched. */
struct name name_find(struct sema *s, const char *name);
/* The same of a name that is read: the program may assign to it later (ahead.c). */
struct name name_read(struct sema *s, const char *name);
/* The meaning that prevents a declaration of NAME: the declarer's own, or a name that cannot be
 * declared. */
struct name name_taken(struct sema *s, const char *name);
/* Is NAME taken, so that it cannot be declared?  Then a mistake.  It HIDES an intrinsic type? */
bool name_is_taken(struct sema *s, const char *name, bool hides, struct range range);
bool name_is_declared(struct sema *s, enum declarer who, const char *name); /* so far */
/* Is it a built-in variable or function of D? */
bool name_is_built_in(struct name n);
/* Is it defined by our libraries, like curpsinfo? */
bool name_is_library_builtin(const char *name);
struct texpr *name_check(struct sema *s, const struct node *n);
/* ", did you mean X?" or "". */
const char *name_suggestion_variable(struct sema *s, enum scope scope, const char *name);
/* compatible.c: the replacement of a symbol (as WRITTEN, with its backquote), or of the member NAME
 * of OBJECT, an inline of OBJECT's address, which this kernel does not have; NULL: none. */
struct inline_definition *compatible_symbol(struct sema *s, const char *written);
bool compatible_has(struct sema *s, const char *symbol); /* without its backquote */
struct inline_definition *compatible_member(struct sema *s, const struct texpr *object,
					    const char *name);
/* foreign.c: the D form for NAME of another system; NULL: unknown. */
enum foreign_kind { FOREIGN_VARIABLE, FOREIGN_FUNCTION };
const char *foreign_remedy(enum foreign_kind kind, const char *name);
/* The same for a probe. */
const char *foreign_probe(struct sema *s, const struct probe_desc *desc);
/* What to write instead of PROVIDER of another system, with or without a process; NULL: nothing. */
const char *foreign_provider(struct sema *s, const char *provider);
/* Linux's name of FUNCTION, a system call that has other names elsewhere; NULL: none is known. */
const char *foreign_call_alias(struct sema *s, const char *function);

const char *name_suggestion_function(struct sema *s, const char *name);
const char *name_suggestion_member(struct sema *s, const struct type *type, const char *name);

/* --- variables (scope.c, variable.c) --- */
struct variable *variable_find(struct sema *s, enum scope scope, const char *name);
struct variable *variable_declared(struct sema *s, enum declarer who, enum scope scope,
				   const char *name);
/* NULL: too many. TYPE is stored resolved. */
struct variable *variable_new(struct sema *s, enum scope scope, const char *name,
			      const struct type *type, struct range range);
/* V, which the check of a clause made that was undone, is there from now on. */
struct variable *variable_keep(struct sema *s, struct variable *v);
/* A variable that no text so far has made: the program assigns to it later.  NULL: it does not. */
struct variable *variable_ahead(struct sema *s, enum scope scope, const char *name);
/* Does the text that is checked declare or assign the global variable NAME? */
bool variable_is_assigned(const struct sema *s, const char *name);
/* The variable that is read: variable_find(), else variable_ahead(). */
struct variable *variable_read(struct sema *s, enum scope scope, const char *name);
const char *variable_text(struct sema *s, enum scope scope, const char *name);
/* V is used at RANGE; false: it may not be, and that is reported. */
bool variable_use(struct sema *s, struct variable *v, struct range range);
/* May V, in the version that is being checked, be a pointer of TYPE? */
bool variable_may_retype(const struct sema *s, const struct variable *v, const struct type *type);
struct texpr *variable_check(struct sema *s, struct variable *v, struct range range);
/* A new this variable, by a name that no program can contain. */
struct texpr *variable_hidden(struct sema *s, const struct type *type, struct range range);
struct texpr *variable_element(struct sema *s, struct variable *v, const struct node *keys,
			       struct range range);
/* Is it known of the thread that runs alone? */
bool builtin_is_of_thread(enum builtin_variable which);
struct texpr *variable_builtin(struct sema *s, enum builtin_variable which, struct range range);
struct texpr *variable_uregs(struct sema *s, const struct node *n);
/* A type of 64 bits for numbers of TYPE: an enum has its names still.  Other types as they are. */
const struct type *key_type_wide(struct sema *s, const struct type *type);
/* The keys of N, converted to TYPES, which the first use sets (*TYPES NULL). */
struct texpr *keys_check(struct sema *s, const struct node *list, const char *what,
			 const struct type ***types, unsigned *count, bool widen, bool *bad,
			 struct range range);

/* --- libraries (library.c) --- */
/* RUN, during the check of a clause, apart from it: the state of that check is saved. */
void library_apart(struct sema *s, void (*run)(struct sema *s, void *arg), void *arg);
/* Define NAME ("xlate psinfo_t", "provider io") if a library visible to the current declarer has
 * it. */
void library_want(struct sema *s, const char *name);
/* Define NAME ("curpsinfo", "self->x") if a library of WHO has it, and it is not a type. */
bool library_want_value(struct sema *s, enum declarer who, const char *name);
/* The inline NAME of our libraries; NULL: they have none. */
struct inline_definition *library_inline(struct sema *s, const char *name);
/* Why NAME is unknown although a library has it, for the end of a message; or "". */
const char *library_advice(struct sema *s, const char *name);
void library_want_tag(struct sema *s, enum type_kind kind, const char *tag);
/* Define the types that a text like "struct bio *" names. */
void library_want_types(struct sema *s, const char *text);
/*
 * A type named by us or by a provider: the kernel's or, with FETCH, a library's, even if a
 * program declares this name.  If neither has it, the program's.  NULL: unknown.
 */
const struct type *library_type(struct sema *s, const char *text, bool fetch);
/* The kind of NAME in a library of WHO, known without parsing it. */
enum library_kind library_kind(const struct sema *s, enum declarer who, const char *name);

/* --- inlines (inline.c) --- */
/* A value of TYPE that is not a constant, for the check of definitions. */
struct texpr *sample_new(struct sema *s, const struct type *type, struct range range);
void inline_define(struct sema *s, const struct inline_node *node, struct range range);
/* DEF, which has one parameter, of ARGUMENT, which is evaluated before it if ONCE. */
struct texpr *inline_of(struct sema *s, struct inline_definition *def, struct texpr *argument,
			bool once, struct range range);
struct texpr *inline_expand(struct sema *s, const char *name, struct inline_definition *def,
			    const struct node *args, bool has_args, struct range range);
/* Does VALUE, which has no effects, evaluate the parameter NAME in any case, and more than once
 * (strict.c)? */
bool strict_repeats(const struct node *value, const char *name);

#endif
