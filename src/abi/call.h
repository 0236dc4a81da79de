/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * call - values that a call's entry saves for its return: entry(EXPR)
 *
 * A table of cells, one for each value of each call that is under way.  A cell's tag is a hash of
 *
 *   whose call it is    the process, or the thread
 *   where               of a function of a process, the stack pointer at its entry, which is the
 *                       same at its return, whichever thread runs there then; of a system call
 *                       nothing, as a thread is in one at most; else the number of such calls that
 *                       the thread is in, of which the last one ends first
 *   what                the number of the value, and the function
 *
 * of 64 bits: two calls under way share one by a chance of 2^-64.  The low bits say the bucket, 8
 * tags in one line of the processor's cache.  A look-up costs 5 ns, and a cell is made by one
 * atomic instruction (a hash map would need 200 ns for a key that comes and goes).
 *
 * The return frees the cell.  A frame that longjmp() or an exception left has none: its cell stays
 * until the next call of the function at this place takes it, or until the process ends or executes
 * a program; that of a system call until the thread ends.
 *
 * A bucket without a free cell is a drop.
 *
 * What a register contained at the entry, for variables of which debug information says no more, is
 * read at source lines: no return frees its cell, as that would be a third probe for each call.
 * Such cells are in the first half of a bucket, and a newer one may take the cell of an older one,
 * which is most often of a call that is over.  Two threads may be at one cell then, so it has a
 * check of tag and value: a reader that finds another one has not seen the entry.
 */
#ifndef ABI_CALL_H
#define ABI_CALL_H

#include "abi/record.h"

struct call_cell {
	uint32_t tgid; /* and CALL_IS_OF_THREAD, CALL_HAS_NO_END */
	union {
		/* 0: the value follows; else enum fault + 1, and the address follows */
		uint32_t fault;
		uint32_t check; /* CALL_HAS_NO_END */
	};
};

#define CALL_IS_OF_THREAD (1u << 31)
#define CALL_HAS_NO_END (1u << 30)
#define CALL_BUCKET 8
#define CALL_CELLS 16384	 /* a power of two; */
#define CALL_BYTES (32ull << 20) /* fewer if they would be larger than this, */
#define CALL_CELLS_LEAST 1024	 /* but so many */
#define CALLS_NESTED_MOST 1024	 /* of a thread, of one function: then it is counted anew */

/* As where: */
#define CALL_OF_THREAD 0
#define CALL_NESTED (~(uint64_t)0)

/* The number of a value, from 1 on, in what. */
#define CALL_VALUE_SHIFT 32
#define CALL_VALUES_OF_THREADS 32 /* cells of the first so many are freed when a thread ends */

#endif
