/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbol - address to name and name to address, for the kernel and for processes
 *
 * In:   addresses of records, names in D; /proc/kallsyms, /proc/PID/maps and the mapped files.
 * Out:  struct symbol_name, and its text; for a name the address, and the file that contains
 * it.
 *
 * Addresses are looked up when a record is printed, which may be long after it was
 * made: modules and processes come and go in between.  So a table is read at the
 * first look-up, and read again when an address is in no known mapping.  Mappings
 * that have disappeared are kept: they are used for addresses that no present
 * mapping contains.  symbols_process_snapshot() reads everything now, for a
 * process that may have ended when its records are printed; a log of what processes map
 * (symbols_set_log()) is for all others.
 *
 * The files are images (image/), which pid probes and types share.  No process is ever stopped or
 * attached to.
 *
 * The number of processes is limited, for machines that start programs all day: the last
 * thousands that were looked up are kept, and refer to the images that they map or mapped.  A
 * removed process is read again at its next look-up; if it has ended by then, and the log has
 * forgotten it, it has no names.
 * A reused pid is noticed within a second, and its cached data are removed.
 *
 * Always true:
 *   1. Strings in a struct symbol_name of the kernel live as long as its table, those of a process
 *      until symbols_of() is called (which trims the images) or the mappings of that process are
 *      read again.
 *   2. A process that has ended is not an error; its addresses have no names.
 */
#ifndef SYMBOL_SYMBOL_H
#define SYMBOL_SYMBOL_H

#include "image/image.h"
#include "object/dwarf/source_place.h"
#include "process/mapping_log.h"

struct symbol_name {
	const char *module; /* "vmlinux", "ext4"; base name of the mapped file; NULL: unknown */
	const char *name;   /* NULL: no symbol contains the address */
	uint64_t offset;    /* from the symbol's begin; 0 without a name */
	uint64_t mapping;   /* the start of the address's mapping; 0 in the kernel */
	uint64_t mapping_end;
	const char *path;  /* of its file, as the process sees it; NULL: none */
	bool is_anonymous; /* in anonymous memory, so without a module: mostly code of a JIT */
	bool is_in_file;   /* of a process: at `file_offset` */
	uint64_t file_offset;
	struct image *image; /* the file, as it was when it was mapped; NULL: not readable */
};

/* What identifies the file to others, as long as NAME's strings live; empty: it has none. */
struct bytes symbol_build_id(const struct symbol_name *name);

/* The module name of all anonymous memory of a process, for umod(). */
#define SYMBOL_ANONYMOUS "[anon]"
/* The module of code that a process has made and given a name (jit_map.c). */
#define SYMBOL_JIT "[jit]"

/* The module, or SYMBOL_ANONYMOUS; NULL: unknown. */
const char *symbol_module(const struct symbol_name *name);

/* --- the kernel --- */

struct symbols_kernel;

struct symbols_kernel *symbols_kernel_new(void);
/* The same from another file of this form, for tests; then the ranges of modules are unknown. */
struct symbols_kernel *symbols_kernel_of_file(const char *path);
void symbols_kernel_free(struct symbols_kernel *s); /* NULL is fine */

/* Why no kernel address has a name (kptr_restrict, no /proc), or NULL. Reads the table. */
const char *symbols_kernel_problem(struct symbols_kernel *s);

/*
 * Begin to read the symbols in a thread, because they will be needed soon.  The kernel
 * needs 50 ms to print them; meanwhile tracing can start.  All other functions wait for
 * the thread's end.
 */
void symbols_kernel_prefetch(struct symbols_kernel *s);

/* False: even the module is unknown. */
bool symbols_kernel_find(struct symbols_kernel *s, uint64_t address, struct symbol_name *ret);

struct kernel_symbol {
	uint64_t address;   /* of a per-CPU variable: to be added to each CPU's offset */
	uint64_t size;	    /* to the next symbol, padding included; 0: unknown */
	const char *module; /* "vmlinux", "ext4"; lives as long as the table */
	bool is_function;
};

/*
 * The symbol NAME.  MODULE NULL: of the core kernel, else of any module; "vmlinux": the
 * core kernel.  Of several symbols with this name: a global one, else the first.
 */
bool symbols_kernel_lookup(struct symbols_kernel *s, const char *module, const char *name,
			   struct kernel_symbol *ret);

/*
 * The address ranges of the core kernel's COUNT functions NAMES; zeros if a function does not
 * exist or the kernel hides addresses.  Reads the file only up to the last of them, independently
 * of other readers.
 */
void symbols_kernel_functions(const struct symbols_kernel *s, const char *const *names,
			      unsigned count, struct address_range *ret);

/* --- processes --- */

struct symbols_process;

/* False: ADDRESS was never in a known mapping. */
bool symbols_process_find(struct symbols_process *s, uint64_t address, struct symbol_name *ret);

/*
 * Append what identifies the file that ADDRESS is in, as it is named, and unless FILE_ALONE also
 * the place there, in all processes.  False: ADDRESS is in no file, or the file cannot be read.
 */
bool symbols_process_identity(struct symbols_process *s, uint64_t address, bool file_alone,
			      struct strbuf *ret);

/*
 * Can ADDRESS, a word of a stack, be the return address of a call? Code without frame pointers
 * leaves other values on the stack.  The file's code is checked: a call must precede the address,
 * unless signal handlers return there or a goroutine began there.  The result is true for code in
 * no file, or in an unreadable one.
 */
bool symbols_process_may_return(struct symbols_process *s, uint64_t address);

/*
 * Where ADDRESS is in the source (source_place.h); IS_RETURN: a call returns there, so where that
 * is.  Texts live as long as the process's file is open: until symbols_of().
 */
unsigned symbols_process_places(struct symbols_process *s, uint64_t address, bool is_return,
				struct source_place *ret);

/* Read the mappings and open the mapped programs and libraries now. */
void symbols_process_snapshot(struct symbols_process *s);

struct user_symbol {
	uint64_t address; /* in the process */
	uint64_t size;	  /* bytes; 0: unknown */
	bool is_function;
	bool is_thread_local;  /* the address counts from the thread pointer */
	struct image *image;   /* contains the symbol; there it has ... */
	uint64_t link_address; /* thread-local: the offset in the file's block */
};

enum user_symbol_found {
	USER_SYMBOL_FOUND,
	USER_SYMBOL_NO_MODULE,	  /* MODULE is not mapped */
	USER_SYMBOL_UNKNOWN,	  /* MODULE has no such symbol */
	USER_SYMBOL_THREAD_LOCAL, /* each thread has its own, at an unknown place */
};

/*
 * The symbol NAME of a file that is mapped now.  MODULE: the base name of a file, also with _ for
 * characters that D does not allow in names, or an alias of mapping_alias(); NULL: a symbol of
 * the program, else an exported one of a library, else any of a library.
 */
enum user_symbol_found symbols_process_lookup(struct symbols_process *s, const char *module,
					      const char *name, struct user_symbol *ret);

/* The file mapped as MODULE, as above; NULL: none, or it cannot be read. */
struct image *symbols_process_image(struct symbols_process *s, const char *module);

/* --- the cache of both --- */

struct symbols;

/* IMAGES must outlive it. */
struct symbols *symbols_new(struct images *images);
void symbols_free(struct symbols *s); /* NULL is fine */

/* Processes that have ended are looked up in LOG, too, which must outlive S. To be set before the
 * first look-up. */
void symbols_set_log(struct symbols *s, struct mapping_log *log);
/* From now on process PID has the COUNT mappings of LIST, by address, and no others: it has ended,
 * and its number may be another's. */
void symbols_set_mappings(struct symbols *s, int pid, const struct mapping *list, size_t count);
/* How names of C++ and Rust are shown: the values of -x demangle, in their order. */
enum name_form { NAMES_OF_FILES, NAMES_WRITTEN, NAMES_SHORT };
void symbols_set_names(struct symbols *s, enum name_form names); /* initially NAMES_OF_FILES */
/* Then NAME's name becomes that; the text is owned by S, until symbols_of(). */
void symbols_demangle(struct symbols *s, struct symbol_name *name);

struct symbols_kernel *symbols_kernel(struct symbols *s);
/* The symbols of the process PID; owned by S, valid until the next call. */
struct symbols_process *symbols_of(struct symbols *s, int pid);

/* --- as text, without the blanks around it: these are the printer's --- */

enum symbol_form {
	SYMBOL_NAME,   /* sym, usym:    module`name, module`0xaddr, 0xaddr */
	SYMBOL_OFFSET, /* uaddr, frame: module`name+0xoff (no +0x0), module`0xaddr, 0xaddr */
	SYMBOL_MODULE, /* mod, umod:    module, [anon], 0xaddr */
	SYMBOL_RAW,    /* ustack with -xnoresolve: object:0xoffset in the mapping, 0xaddr */
};

/* NAME NULL: unknown. */
void symbol_print(struct strbuf *out, enum symbol_form form, uint64_t address,
		  const struct symbol_name *name);
void symbol_print_kernel(struct strbuf *out, struct symbols *s, enum symbol_form form,
			 uint64_t address);
void symbol_print_user(struct strbuf *out, struct symbols *s, enum symbol_form form, int pid,
		       uint64_t address);

#endif
