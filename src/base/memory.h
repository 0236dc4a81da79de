/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory - allocation that cannot fail, and arenas
 *
 * Out of memory is not an error to handle: it ends the program with one
 * message.  Amounts that the user chooses (bufsize, dynvarsize) go through
 * try_alloc(), whose NULL becomes an ordinary error.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

void *mem_alloc(size_t size) __attribute__((malloc, alloc_size(1)));
void *mem_zalloc(size_t size) __attribute__((malloc, alloc_size(1)));
void *mem_realloc(void *p, size_t size);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t len);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vprintf(const char *fmt, va_list ap);

/* Zeroed memory, or NULL if there is not enough. */
void *try_alloc(size_t size);

/* An arena frees all that it gave out in one step; items are never freed alone. */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *a);		 /* NULL is fine */
void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned to 16 bytes */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))

#endif
