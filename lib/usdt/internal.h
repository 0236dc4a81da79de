/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of this folder share
 *
 *   dtusdt.c, libusdt.c, libstapsdt.c    the three interfaces: names and counts are checked here
 *   name.c, declaration.c                names that tracers can take; "int a, char *s" to arguments
 *   image.c                              probes to the bytes of an ELF file
 *   machine.c                            what differs by processor: instructions, registers, CFI
 *   file.c                               the file, in memory or in a folder
 *   object.c                             mapped and unmapped; threads that fire meanwhile
 *   probe.c                              a probe: firing
 *
 * The folder stands alone: programs link it, so it uses nothing of src/, and no library but libc.
 *
 * Always true:
 *   1. What a firing reads is mapped until the probe's provider is freed.
 *   2. Code is unmapped only when no thread is in it.
 */
#ifndef DTUSDT_INTERNAL_H
#define DTUSDT_INTERNAL_H

#include <stdarg.h>
#include <stdbool.h>

#include "dtrace-usdt.h"

#define ARGUMENTS_MOST DTUSDT_ARGUMENTS_MOST

/* --- errors --- */

/* The text of dtusdt_error(), and errno.  Always -1. */
int fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- arguments --- */

struct argument {
	uint8_t size; /* 1, 2, 4, 8 */
	bool is_signed, is_float;
	char *declaration; /* of C, on one line: "char *article" */
};

struct arguments {
	unsigned count;
	struct argument list[ARGUMENTS_MOST];
};

int declaration_parse(const char *text, struct arguments *ret);
/* One type, without a name, appended. */
int declaration_add(struct arguments *to, const char *type);
void arguments_deinit(struct arguments *a);

/* --- names --- */

enum name_kind { NAME_PROVIDER, NAME_PROBE, NAME_MODULE, NAME_FUNCTION };

/* Can tracers take it? */
int name_check(enum name_kind kind, const char *name);

/* --- processors --- */

struct machine {
	uint16_t elf_number;
	const unsigned char *function; /* a site, first, and a return */
	unsigned function_size;	       /* of the function and what fills up to the next one */
	unsigned code_size;	       /* of the function alone */
	unsigned site_size;	       /* what a tracer replaces */
	const unsigned char *frames;   /* the entry of .eh_frame that all functions share: a CIE */
	unsigned frames_size;
	unsigned registers; /* arguments in registers */
	/* Where argument INDEX of SIZE bytes is, as notes say. */
	int (*operand)(unsigned index, unsigned size, char *text, size_t room);
};

extern const struct machine machine_x86_64, machine_aarch64;
const struct machine *machine_host(void);

/* --- probes --- */

/*
 * SITE and SEMAPHORE are in the mapped object.  A thread reads SITE, then what it points to; the
 * object's addresses stay readable after it is unmapped.
 */
struct dtusdt_probe {
	const unsigned char *site; /* NULL: not mapped */
	const volatile uint16_t *semaphore;
	int firing; /* threads that are about to call the site, or in it */
	unsigned users;
	char *name, *function;
	struct arguments arguments;
};

/* The arguments are taken over.  NULL: a name is not possible. */
struct dtusdt_probe *probe_new(const char *function, const char *name, struct arguments *arguments);
struct dtusdt_probe *probe_use(struct dtusdt_probe *p);
void probe_release(struct dtusdt_probe *p);
bool probe_is_same(const struct dtusdt_probe *p, const char *function, const char *name);
/* A value for each argument.  False: nobody traces it. */
bool probe_fire(struct dtusdt_probe *p, const uint64_t values[ARGUMENTS_MOST]);
/* The values of the probe's types that were passed for `...`; the others stay. */
void probe_values(const struct dtusdt_probe *p, va_list given, uint64_t ret[ARGUMENTS_MOST]);

/* --- the file --- */

struct image {
	unsigned char *bytes;
	size_t size;
	size_t code_size;	   /* from the beginning: headers and code */
	size_t data_at, data_size; /* the semaphores; from a page's beginning */
	size_t functions;	   /* offset of the first function, then each function_size */
};

/* PAGE: the size of the largest page that the kernel may use. */
int image_make(const struct machine *m, const char *provider, struct dtusdt_probe *const *probes,
	       unsigned count, size_t page, struct image *ret);

/* A new file with these bytes; *PATH: what to unlink, or NULL.  -1: an error. */
int file_make(const char *module, const struct image *image, bool in_folder, char **path);

/* --- mapped objects --- */

struct object;

/* From now on tracers see the probes.  OBJECT: of the last time, or NULL. */
int object_map(struct object **object, const char *provider, const char *module, bool in_folder,
	       struct dtusdt_probe *const *probes, unsigned count);
int object_unmap(struct object *o);
bool object_is_mapped(const struct object *o);
/* Unmaps it if need be. */
void object_free(struct object *o);
int object_file(const struct object *o, const char **path); /* the descriptor, or -1 */

/* What changes probes, providers and objects holds it; fork() does, too. */
void changes_lock(void);
void changes_unlock(void);

#endif
