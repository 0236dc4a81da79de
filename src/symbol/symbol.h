/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbol - address to name and name to address, for the kernel and for processes
 *
 * In:   addresses of records, names in D; /proc/kallsyms, /proc/PID/maps and the mapped files.
 * Out:  struct symbol_name, and its text; of a name the place, and the file that it lies in.
 *
 * Addresses are looked up when a record is printed, which may be long after it was
 * made: modules and processes come and go in between.  So a table is read when
 * the first address asks for it, read again when an address is in none of the
 * mappings known, and what has disappeared is remembered: it answers when
 * nothing present does.  symbols_process_snapshot() reads everything now, for
 * a process that may be gone when its records are printed.
 *
 * The files are images (image/), which pid probes and types share.  No process is ever stopped or
 * attached to.
 *
 * On a machine that starts programs all day, processes are forgotten again: some thousands that
 * were asked for last are kept, and refer to the images that they map or mapped.  One
 * that was forgotten is read when it is asked for again; if it is gone by then it has no names.
 * A reused pid is noticed within a second, and its cached data are removed.
 *
 * Always true:
 *   1. Strings in a struct symbol_name of the kernel live as long as its table, those of a process
 *      until symbols_of() is called (which trims the images) or the mappings of that process are
 *      read again.
 *   2. A process that is gone is not an error; its addresses just have no names.
 */
#ifndef SYMBOL_SYMBOL_H
#define SYMBOL_SYMBOL_H

#include "image/image.h"

struct symbol_name {
	const char *module; /* "vmlinux", "ext4"; base name of the mapped file; NULL: unknown */
	const char *name;   /* NULL: none covers the address */
	uint64_t offset;    /* from the symbol's begin; 0 without a name */
	uint64_t mapping;   /* where the mapping of the address begins; 0 in the kernel */
	bool is_anonymous;  /* in memory of no file, so there is no module: code of a JIT, mostly */
};

/* What all anonymous memory of a process is called where modules are counted. */
#define SYMBOL_ANONYMOUS "[anon]"

/* The module, or that; NULL: unknown. */
const char *symbol_module(const struct symbol_name *name);

/* --- the kernel --- */

struct symbols_kernel;

struct symbols_kernel *symbols_kernel_new(void);
/* The same from another file of this form, for tests; modules have no known ranges then. */
struct symbols_kernel *symbols_kernel_of_file(const char *path);
void symbols_kernel_free(struct symbols_kernel *s); /* NULL is fine */

/* Why no kernel address has a name (kptr_restrict, no /proc), or NULL. Reads the table. */
const char *symbols_kernel_problem(struct symbols_kernel *s);

/*
 * Begin to read them in a thread: somebody will ask soon.  The kernel needs 50 ms to write
 * them down, during which we can start to trace.  All other functions wait for its end.
 */
void symbols_kernel_prefetch(struct symbols_kernel *s);

/* False: not even the module is known. */
bool symbols_kernel_find(struct symbols_kernel *s, uint64_t address, struct symbol_name *ret);

struct kernel_symbol {
	uint64_t address;   /* of a per-CPU variable: what to add to each CPU's offset */
	uint64_t size;	    /* to the next symbol, padding included; 0: unknown */
	const char *module; /* "vmlinux", "ext4"; lives as long as the table */
	bool is_function;
};

/*
 * The symbol NAME.  MODULE NULL: of the core kernel, else of any module; "vmlinux": the
 * core kernel.  Of several with this name a global one, else the first.
 */
bool symbols_kernel_lookup(struct symbols_kernel *s, const char *module, const char *name,
			   struct kernel_symbol *ret);

/*
 * Where the core kernel's COUNT functions NAMES begin and end, zeros if they are not there or the
 * kernel hides addresses.  Reads the file only as far as it must, whatever else is read of it.
 */
void symbols_kernel_functions(const struct symbols_kernel *s, const char *const *names,
			      unsigned count, struct address_range *ret);

/* --- processes --- */

struct symbols_process;

/* False: in no mapping that was ever seen. */
bool symbols_process_find(struct symbols_process *s, uint64_t address, struct symbol_name *ret);

/*
 * Can ADDRESS, found on a stack, be where a call returns to?  Code that has been built without
 * frame pointers leaves other things there.  The bytes of the file tell: a call must precede it,
 * unless signal handlers return there or a goroutine began there.  Code that is in no file, or in
 * none that we can read, may be.
 */
bool symbols_process_may_return(struct symbols_process *s, uint64_t address);

/* Read the mappings and open the mapped programs and libraries now. */
void symbols_process_snapshot(struct symbols_process *s);

struct user_symbol {
	uint64_t address; /* in the process */
	uint64_t size;	  /* bytes; 0: unknown */
	bool is_function;
	struct image *image; /* that it is in; there it has ... */
	uint64_t link_address;
};

enum user_symbol_found {
	USER_SYMBOL_FOUND,
	USER_SYMBOL_NO_MODULE,	  /* MODULE is not mapped */
	USER_SYMBOL_UNKNOWN,	  /* no such symbol there */
	USER_SYMBOL_THREAD_LOCAL, /* each thread has its own */
};

/*
 * The symbol NAME of what is mapped now.  MODULE: the base name of a file, also with _ for what D
 * has not in names, or what mapping_alias() says; NULL: of the program, else what a library
 * exports, else of a library.
 */
enum user_symbol_found symbols_process_lookup(struct symbols_process *s, const char *module,
					      const char *name, struct user_symbol *ret);

/* What is mapped as MODULE, which is as above; NULL: none, or it cannot be read. */
struct image *symbols_process_image(struct symbols_process *s, const char *module);

/* --- both, kept --- */

struct symbols;

/* IMAGES must outlive it. */
struct symbols *symbols_new(struct images *images);
void symbols_free(struct symbols *s); /* NULL is fine */

struct symbols_kernel *symbols_kernel(struct symbols *s);
/* What is known of the process PID; owned by S, until the next call. */
struct symbols_process *symbols_of(struct symbols *s, int pid);

/* --- as text: without the blanks around, which are the printer's (language-output.md 3) --- */

enum symbol_form {
	SYMBOL_NAME,   /* sym, usym:    module`name, module`0xaddr, 0xaddr */
	SYMBOL_OFFSET, /* uaddr, frame: module`name+0xoff (no +0x0), module`0xaddr, 0xaddr */
	SYMBOL_MODULE, /* mod, umod:    module, [anon], 0xaddr */
	SYMBOL_RAW,    /* ustack with -xnoresolve: object:0xoffset in the mapping, 0xaddr */
};

/* NAME NULL: nothing is known. */
void symbol_print(struct strbuf *out, enum symbol_form form, uint64_t address,
		  const struct symbol_name *name);
void symbol_print_kernel(struct strbuf *out, struct symbols *s, enum symbol_form form,
			 uint64_t address);
void symbol_print_user(struct strbuf *out, struct symbols *s, enum symbol_form form, int pid,
		       uint64_t address);

#endif
