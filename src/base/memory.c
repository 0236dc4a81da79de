/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/message.h"

static void *checked(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "%s: out of memory\n", message_program()); /* needs no memory itself */
	exit(1);
}

void *mem_alloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *mem_zalloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *mem_realloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

char *mem_strdup(const char *s)
{
	return checked(strdup(s));
}

char *mem_strndup(const char *s, size_t len)
{
	return checked(strndup(s, len));
}

char *mem_vprintf(const char *fmt, va_list ap)
{
	char *text;
	return vasprintf(&text, fmt, ap) < 0 ? checked(NULL) : text;
}

char *mem_printf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	return text;
}

void *try_alloc(size_t size)
{
	return calloc(1, size ? size : 1);
}

/* Each chunk is twice as large as the one before: most arenas hold a few names only. */
#define ARENA_CHUNK_FIRST 512
#define ARENA_CHUNK_MOST 16384
#define ARENA_ALIGN 16

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	_Alignas(ARENA_ALIGN) char data[];
};

struct arena {
	struct arena_chunk *chunks; /* the newest first */
};

struct arena *arena_new(void)
{
	return mem_zalloc(sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct arena_chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

static struct arena_chunk *arena_grow(struct arena *a, size_t size)
{
	size_t room =
		a->chunks ? MIN(a->chunks->size * 2, (size_t)ARENA_CHUNK_MOST) : ARENA_CHUNK_FIRST;
	room = MAX(room, size);
	struct arena_chunk *c = mem_zalloc(sizeof(*c) + room);
	c->size = room;
	c->next = a->chunks;
	a->chunks = c;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		checked(NULL);
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	struct arena_chunk *c = a->chunks;
	if (!c || c->size - c->used < size)
		c = arena_grow(a, size);
	void *p = c->data + c->used;
	c->used += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy = arena_alloc(a, len + 1);
	memcpy(copy, s, len);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	char *copy = arena_strdup(a, text);
	free(text);
	return copy;
}
