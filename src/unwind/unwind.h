/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind - call frame information of a file to a table by which programs walk user stacks
 *
 * In:   .eh_frame of a program or library (object/frames/frames.h, object/frames/cfi.h); of Go
 * .gopclntab, too (object/frames/go_frames.h). Out:  struct unwind_table (abi/unwind.h): sorted
 * rows by offset in the file.
 *
 * Most code has no frame pointers, so a stack can only be walked by what compilers write for
 * exceptions: for each instruction, where the caller's registers are.  Reading that in a program of
 * the kernel is out of the question; a sorted table of words is found in 4 steps
 * (runtime/stack/unwind.h). 99.9 % of the rows of a Debian fit a word of 32 bits; the others have a
 * rule of 32 bytes.  The format is one for all machines.  What differs is in struct arch: which
 * registers count, whether calls put the return address into one of them (abi/machine.def), and
 * what is known of code without such information (.plt and the vdso's return from signals, on
 * aarch64).
 *
 * How a stack is walked, from the first frame on:
 *
 *   pc -> mapping   the kernel's own tree of mappings, read without its lock: every process,
 *                   unnamed, with what it has mapped just now
 *   -> file         (device, inode, change time) -> the place of its table in the pool.  A file
 *                   that is met the first time is reported (ARRIVAL_TABLE); the tracer makes its
 *                   table, in 15 ms for 1 MB of .eh_frame, and gives it to the executor
 *                   (executor_stacks.table), which removes tables that are not in use for it
 *   -> row          by the offset in the file; of a return address, the byte before it
 *   -> caller       CFA, return address, frame pointer; the stack is read in pieces of 1 KiB
 *
 * A stack that meets a file before its table is there is copied (runtime/stack/unwind_copy.c):
 * where its walk is, and all that is on the stack from there on.  The tracer walks the copy once
 * the table is made (rewalk/rewalk.h, tracer/stacks/copies.c).  The frames in the record, or in the
 * key of an aggregation, end with the copy's number.  The consumer puts the other frames in its
 * place before it prints them or compares keys, so copied stacks and later ones of the same calls
 * are one key. Depths and callers (ustackdepth, ucaller) are needed at once, so nothing is copied
 * for them.
 *
 * Where there is no row the frame pointer is followed, and then rows again: so code of a JIT that
 * keeps frame pointers is passed.  A return address that a return probe has replaced is looked up
 * among the thread's pending ones.  The outermost function is one whose return address is undefined
 * (_start, clone), that has no row and contains the file's entry (ld.so's _start), or that Go marks
 * as such (goexit).  Every frame says how it was found, and every stack how it ended.
 *
 * On aarch64 a function that calls nothing leaves its return address in x30.  That register is
 * known in the first frame, and in one that a signal has interrupted; in any other frame it is
 * saved.  A signed return address is stripped of its signature.
 *
 * Always true:
 *   1. Rows are sorted, and the index has the first row of each 256 bytes.
 *   2. A damaged entry has only a row UNWIND_NONE; all other entries have their rows.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "abi/unwind.h"
#include "arch/arch.h"
#include "object/frames/frames.h"
#include "object/object.h"

/* What rows describe is at most so many bytes of a file: 1 GiB. */
#define UNWIND_PAGES_MOST (1u << 22)

/* NULL: there are no rows, or too many, or ARCH is NULL: of code that we do not know. */
struct unwind_table *unwind_table_new(const struct arch *arch, struct elf_file *elf,
				      const struct frames *frames);
void unwind_table_free(struct unwind_table *t); /* NULL is fine */

/* Bytes in the pool. */
size_t unwind_table_size(const struct unwind_table *t);

/* The rule word for the code at OFFSET in the file, found as programs find it; UNWIND_NONE:
 * none. */
uint32_t unwind_table_rule(const struct unwind_table *t, uint64_t offset);

#endif
