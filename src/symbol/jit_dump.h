/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit_dump - the records of a jitdump file
 *
 * In:   jit-PID.dump (linux/tools/perf/Documentation/jitdump-specification.txt), as Node.js, the
 * JVM, .NET, LLVM and others write on demand: a header, then a record for each piece of code. Out:
 * where code is and its name, in the order of the file.
 *
 * The file has the code itself, too: of each record only its begin is read.
 */
#ifndef SYMBOL_JIT_DUMP_H
#define SYMBOL_JIT_DUMP_H

#include "base/base.h"

struct jit_code {
	uint64_t start, size;
	uint64_t index;	  /* the code's number: it stays when code moves */
	const char *name; /* NULL: it has moved here and keeps its name */
};

typedef void jit_code_fn(void *arg, const struct jit_code *code);

/*
 * FOUND for the whole records from byte AT of FD on, AT being 0 or an earlier result.  The result
 * is where the next record will be; UINT64_MAX: what is there is damaged, or is not of this form.
 */
uint64_t jit_dump_read(int fd, uint64_t at, jit_code_fn *found, void *arg);

#endif
