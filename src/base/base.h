/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base - the ground of every other folder
 *
 * Memory, errors, messages, strings, vectors, hash tables, files, checked bytes, clocks,
 * diagnostics and the parser of printf formats.  Nothing here knows what tracing is.
 *
 * Always true:
 *   1. Running out of memory ends the program with one message (memory.c);
 *      only try_alloc() may return NULL.
 *   2. A function that can fail returns struct error *; NULL means success and
 *      results are written only then.
 *   3. Bytes from outside are read through struct bytes, which knows its end.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

/* A build that only links with the sanitizers looks as clean as one that has them. */
#if defined(BUILD_asan) && !defined(__SANITIZE_ADDRESS__)
#error "B=asan compiles without the address sanitizer"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "base/vector.h"

/*
 * Are the programs of each stage held against what its header promises (typed_verify() and
 * program_verify())?  The sanitizers' builds do so, -xdebug does, and unit tests call them.
 */
#if defined(BUILD_asan) || defined(BUILD_fuzz)
#define VERIFIES true
#else
#define VERIFIES log_enabled
#endif

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ALIGN_UP(x, a) (((x) + ((a)-1)) & ~((__typeof__(x))(a)-1))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Of memory, in any address space; END is after it. */
struct address_range {
	uint64_t begin, end;
};

static inline bool string_equal(const char *a, const char *b)
{
	return *a == *b && __builtin_strcmp(a, b) == 0;
}

#endif
