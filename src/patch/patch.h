/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * patch - jumps in the functions of a process: where they fit, and the code they lead to
 *
 * In:   bytes of a file's code; one of its functions and the sites in it where something shall
 *       happen (a firing); all places of the file that control comes to; addresses.
 * Out:  windows, or for each site the reason why it has none; for each window the code that does
 *       what the window did, with the firings in it; the bytes to write; a place for that code.
 *
 * Only computation: no process is touched here.
 *
 *       function                              code elsewhere, within 2 GiB
 *       push %rbp        site: entry
 *       mov %rsp,%rbp    } window        ───► firing (rsp + 8, pc: the function)
 *       sub $0x20,%rsp   } jmp            │   mov %rsp,%rbp
 *       ...                ◄──────────────┼── sub $0x20,%rsp; jmp
 *       mov $1,%eax      } window        ─┘
 *       ret              } jmp  site: exit    mov $1,%eax; firing; ret
 *
 * A window is whole instructions that the jump overwrites.  Nothing but the instruction before it
 * may lead into it, else control would come into the middle of the jump: so the targets are those
 * of the whole file (libc's mempcpy jumps into memmove), first bytes of functions, places in
 * tables of switches and landing pads of exceptions among them.
 *
 * Entries: a foreign tracer's probe, and ours of the kernel (arch's entry_site), are on the first
 * instruction: the kernel executes a copy of it, and resumes after it, in the middle of a jump
 * that is longer.  So the window begins after it, where
 *     - 5 bytes fit there, and
 *     - what comes before changes nothing that the program reads; the stack pointer may move by a
 *       known number, which the firing's context has to correct.
 * Else it is the first instruction, if that has 5 bytes (a foreign probe there is hit in the place
 * of ours); else it is several instructions from the first on, where a foreign probe kills the
 * process: only where the caller asks for it.  endbr64 is never in a window.
 *
 * The first instruction as a site is treated as the entry.  Exits, and instructions inside: the
 * window begins at the site, or, where nothing follows, before it.  After a return or jump, padding
 * may be overwritten.  The firing is just before the site's instruction in all cases.  Sites whose
 * windows overlap share one; the firings stay in order.
 *
 * Moved instructions: displacements from the pc are changed, short jumps become long ones, loops
 * jump around a jump.  A call pushes the original return address and jumps, so stacks are as
 * before; nothing in the window may follow it.  (With a shadow stack, its function's return would
 * fault: patch_window.has_call.)
 *
 * Order.  In: the code, then the jumps, while no thread runs that code; a thread in the middle of a
 * window is moved (struct patch_code.moved).  Out: the jumps, then the code, if no thread is in it.
 *
 *   plan.c     windows          emit.c    the code of a window    write.c   what is written
 *   room.c     places for code  x86_64.c  the only machine so far
 *
 * Always true:
 *   1. Windows of a plan are in order and apart, inside of the function or in padding after it.
 *   2. No target is in a window but at its first byte.
 *   3. Each site has one firing, or a refusal.
 *   4. A displacement that does not fit is an error, never cut.
 *
 * To add a machine: a table as patch_x86_64 in a file of its own, a row in patch_machine(), and
 * arch_effects().
 */
#ifndef PATCH_PATCH_H
#define PATCH_PATCH_H

#include "arch/arch.h"

struct patch_machine;
/* NULL: jumps are not known for A. */
const struct patch_machine *patch_machine(const struct arch *a);

unsigned patch_jump_size(const struct patch_machine *m);

/* --- plan: windows of a function -------------------------------------------------------------- */

enum patch_refusal {
	PATCH_FITS,
#define REFUSAL(id, words) PATCH_##id,
#include "patch/refusal.def"
#undef REFUSAL
	PATCH_REFUSALS,
};

/* "a branch leads into the bytes that the jump needs" */
const char *patch_refusal_words(enum patch_refusal r);

/* In the order of their firings at one instruction. */
enum patch_kind { PATCH_ENTRY, PATCH_INSIDE, PATCH_EXIT };

#define PATCH_READS_MEMORY (1ull << 63)

struct patch_site {
	uint64_t at;	     /* offset in the file; of an entry: of its function's first byte */
	uint8_t kind;	     /* enum patch_kind */
	bool may_take_first; /* also where a foreign probe at the function would kill */
	uint64_t reads;	     /* by the code: words of struct pt_regs, a bit each, and memory */
};

struct patch_function {
	struct bytes code; /* of the file; it should have some bytes after the function, too */
	uint64_t code_at;  /* the offset in the file of its first byte */
	uint64_t begin, end;
	const uint64_t *targets; /* offsets in the file, sorted */
	size_t target_count;
	/* It jumps to places of itself that are not among the targets: then what is not straight
	 * after its entry is not overwritten, but for the site's instruction itself. */
	bool jumps_anywhere;
};

enum patch_safety {
	PATCH_SAFE,
	PATCH_HIDDEN, /* a foreign probe at the function's entry is hit in the place of ours */
	PATCH_FATAL,  /* a foreign probe there kills the process */
};

struct patch_firing {
	uint32_t site;	 /* its index */
	uint8_t offset;	 /* of the instruction before which it fires, in the window */
	int32_t stack;	 /* added to the stack pointer, it is what it was at the site */
	bool flags_live; /* the code after it may read the flags, */
	bool below_live; /* what is below the stack pointer (128 bytes) */
};

#define PATCH_WINDOW_MOST 64 /* bytes */

struct patch_window {
	uint64_t at; /* offset in the file */
	uint8_t size;
	uint8_t safety;	       /* enum patch_safety */
	bool has_call;	       /* as its last instruction */
	uint32_t first, count; /* its firings: first ... in patch_plan.firings */
};

struct patch_plan {
	VECTOR(struct patch_window) windows; /* by `at` */
	VECTOR(struct patch_firing) firings;
	VECTOR(uint8_t) refusals; /* of each site: PATCH_FITS, or why it has no firing */
};

/* Windows for the COUNT sites of F.  PLAN is zero, or has been used before. */
void patch_plan_make(const struct patch_machine *m, const struct patch_function *f,
		     const struct patch_site *sites, size_t count, struct patch_plan *plan);
void patch_plan_deinit(struct patch_plan *plan);

/* --- emit: what a window's jump leads to ------------------------------------------------------ */

/* Code for ADDRESS.  Bytes after its end are counted, not written. */
struct patch_code {
	unsigned char *bytes;
	size_t size, used;
	uint64_t address;
	bool is_far; /* a displacement did not fit: the code is of no use */
	/* By offset in the window: where in the code a thread continues that stands there, after
	 * the firings of that place; PATCH_NOT_MOVED: no instruction begins there. */
	uint32_t moved[PATCH_WINDOW_MOST];
};
#define PATCH_NOT_MOVED UINT32_MAX

void patch_put(struct patch_code *to, const void *bytes, size_t size);
/* A number of SIZE bytes. */
void patch_put_number(struct patch_code *to, uint64_t number, size_t size);
/* The 4 bytes of a displacement from their end, as of x86_64's jumps and calls. */
void patch_put_distance(struct patch_code *to, uint64_t target);

/* Append the code of a firing. It may change only what F says is not live. */
typedef void patch_fire_fn(void *arg, const struct patch_firing *f, struct patch_code *to);

/*
 * The code of window W of PLAN, whose bytes in the file are OLD, and which is at ADDRESS in the
 * process; TO is zero but for bytes, size and address.  Returns PATCH_FITS or PATCH_FAR.
 */
enum patch_refusal patch_emit(const struct patch_machine *m, const struct patch_plan *plan,
			      const struct patch_window *w, const struct bytes *old,
			      uint64_t address, patch_fire_fn *fire, void *arg,
			      struct patch_code *to);

/* --- write: the bytes that change --------------------------------------------------------------
 */

#define PATCH_JUMP_MOST 8

struct patch_write {
	uint64_t address;
	uint8_t size;
	unsigned char old_bytes[PATCH_JUMP_MOST], new_bytes[PATCH_JUMP_MOST];
};

/* The write that makes the window at ADDRESS, which has the bytes OLD, lead to TARGET: PATCH_FITS,
 * or PATCH_FAR. */
enum patch_refusal patch_write_make(const struct patch_machine *m, const struct bytes *old,
				    uint64_t address, uint64_t target, struct patch_write *ret);
/* PATCH_FITS, or why the memory of a window is not that of the file: then nothing is written. */
enum patch_refusal patch_compare(const struct patch_machine *m, const struct bytes *file,
				 const struct bytes *memory);

/* --- room: where code can be ------------------------------------------------------------------ */

struct patch_space {
	const struct address_range *used; /* mappings, sorted */
	size_t count;
	uint64_t begin, end; /* of the addresses that can be mapped */
	uint64_t heap_end;   /* 0: none; it grows from here */
};

/*
 * The free SIZE bytes nearest to NEAR, all of which they reach and are reached from: a place for
 * each file, as files are more than 2 GiB apart.  The GiB after the heap is taken last: brk()
 * needs it.  False: there is none.
 */
bool patch_room_find(const struct patch_space *space, struct address_range near, uint64_t size,
		     uint64_t *ret);

#endif
