/* SPDX-License-Identifier: BSD-2-Clause */
/* fbt_functions - the kernel's functions that have probes: what the files of fbt share */
#ifndef PROVIDER_KERNEL_FBT_FUNCTIONS_H
#define PROVIDER_KERNEL_FBT_FUNCTIONS_H

#include "kernel/kernel.h"
#include "probe/probe.h"
#include "provider/kernel/fbt_text.h"
#include "provider/provider.h"

/* What hangs on a probe. */
struct function {
	VECTOR(uint64_t) addresses;
	bool has_addresses; /* all that there are */
	bool can_be_probed; /* at each of them, as far as it is known */
	bool is_forbidden;  /* the kernel forbids kprobes in it, at whatever instruction */
	struct probe *entry, *returns;
	VECTOR(const struct probe *) inside; /* at its instructions */
	unsigned users;			     /* probes that have this data */
	struct probe_args entry_args, return_args;
	char *types[EVENT_ARGS + 1];
	char *result[3];
	const char *own_path; /* why patterns leave it out; NULL: they do not, or it is unknown */
	const struct functions *of;
	const struct event *exits; /* NULL: unknown, or nobody asked */
	bool exits_sought;
};

/* A module that is a part of the kernel. */
struct builtin {
	char *name;
	builtin_range_vector ranges; /* none: it is no part of it, or there is no list */
};

/* The functions of one of the two providers. */
struct functions {
	const struct provider *owner;
	struct probe_db *db;
	struct hash *by_name; /* "module name" -> struct function */
	VECTOR(struct function *) list;
	bool listed;
	bool forbidden_known;  /* is_forbidden of all */
	uint64_t modules_mark; /* when it was listed */
	struct hash *modules;  /* name -> identity, then (fbt_modules.c) */
	size_t with_addresses; /* of the list: the first ones */
	VECTOR(uint64_t)
	places; /* where functions are probed, sorted; none: nobody asked, or it is unknown */
	bool places_known;
	struct fbt_path *path; /* NULL: nobody needed it yet, or it is known by names alone */
	bool path_sought;
	struct kernel_code *code;	 /* NULL: nobody needed it yet, or it cannot be read */
	struct kernel_text text;	 /* if there is code */
	struct arena *arena;		 /* of events inside of functions, and of sites */
	VECTOR(struct sites *) sites;	 /* that formulas asked for (fbt_asked.c) */
	VECTOR(struct builtin) builtins; /* that descriptions named (fbt_builtin.c) */
};

/* The place of NAME's function in the table of names, made if need be; the function, or NULL. */
void **function_place(const struct functions *f, const char *module, const char *name);
struct function *function_named(const struct functions *f, const char *module, const char *name);
struct probe *function_probe_new(struct functions *f, struct function *function, const char *module,
				 const char *name, const char *what);

/* Add the functions that there are now and that the list does not have. */
void functions_list(struct functions *f);

/* modules_look() of the provider SELF (probe/probe.h). */
bool functions_look(const struct provider *self, struct probe_db *db);
/* What is listed after it is of the modules of now. */
void functions_mark_modules(struct functions *f);

/* The kernel's code and its symbols, by address: f->code and f->text. */
MUST_CHECK struct error *functions_open_text(struct functions *f);
void functions_close_text(struct functions *f); /* it is opened again when it is needed */

/* What probes and programs call: f->path and own_path of all; once. */
void fbt_find_path(struct functions *f);
/* Why FUNCTION is called while programs run; NULL: it is not, as far as it is known. */
const char *function_in_programs(const struct functions *f, const struct function *function);

void fbt_asked_free(struct functions *f); /* F->sites */

/* Is MODULE, a name, a part of the kernel?  Reads the list of these. */
bool fbt_is_builtin(struct functions *f, const char *module);
void fbt_builtins_free(struct functions *f); /* F->builtins */
/* Does MODULE, a name, mean FUNCTION of the kernel, whose addresses are known, as it is a part of
 * the kernel? */
bool fbt_builtin_has(const struct functions *f, const char *module,
		     const struct function *function);

/* Is NAME an offset: hexadecimal digits, 0x before them or not? */
bool fbt_is_offset(const char *name, uint64_t *ret);
/* Make the probes at OFFSET of the functions that DESC means. */
MUST_CHECK struct error *fbt_describe_inside(struct functions *f, const struct probe_desc *desc,
					     uint64_t offset);

/* --- fbt_absent.c --- */

/* What the kernel's lists say of the function that a description names. */
struct absence {
	const struct probe_desc *desc;
	bool is_listed; /* as one to be traced */
	bool is_there, is_forbidden, forbidden_are_known;
	uint64_t address, boot_begin, boot_end; /* boot_*: of code that is freed; 0: unknown */
};

/* Visitors (kernel/kernel.h: kernel_function_fn) of the lists; ARG: a struct absence. */
void absence_see_listed(void *arg, const char *module, const char *name, uint64_t address);
void absence_see_symbol(void *arg, const char *module, const char *name, uint64_t address);
void absence_see_forbidden(void *arg, const char *module, const char *name, uint64_t address);

/* The reason, as the end of a message; NULL: there is no such function, or it is listed. */
char *absence_text(const struct absence *a);

/* struct provider_kernel's why_absent */
char *fbt_why_absent(struct probe_db *db, const struct probe_desc *desc);

#endif
