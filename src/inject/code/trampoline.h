/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trampoline - the code of one firing: what is between a window's jump and the translated group
 *
 *	a frame: struct firing, below the red zone where that is live
 *	registers, and flags where they are live    into the frame's context
 *	own.process == 0: a forked child            ───┐ or, if the run follows children,
 *	                                               │ TRAMPOLINE.find_area begins it
 *	head.tracer has FUTEX_OWNER_DIED            ───┤
 *	the thread's area, or TRAMPOLINE.find_area  ───┤ there is none: counted there
 *	the translated function                        │
 *	registers, flags, stack pointer             ◄──┘
 *
 * Always true:
 *   1. Registers and the stack pointer are after the firing what they were before it, also where
 *      the area has to be found; the flags, where they are live.  Vector registers are not touched:
 *      neither the agent nor translated code has instructions for them.
 *   2. Nothing is written below the stack pointer but in the frame, so a signal handler may come
 *      at each instruction.
 *   3. Of the context only the words that the code reads have a value.  Their places have the saved
 *      registers, too.
 *   4. The trampoline and what it calls may be any distance apart.
 *
 * The direction flag is clear where functions begin and end (System V ABI, 3.2.3).  Where flags are
 * live it is tested, and restored by popf only if it was set.
 */
#ifndef INJECT_TRAMPOLINE_H
#define INJECT_TRAMPOLINE_H

#include "abi/process.h"
#include "patch/patch.h"
#include "translate/translate.h"

#define CONTEXT_WORDS 21 /* of struct pt_regs of x86_64 */

/* r12 of translated code points here: RT_area and RT_cookie are words of it. */
struct firing {
	uint64_t area, cookie;
	uint64_t context[CONTEXT_WORDS];
};

struct trampoline {
	uint64_t function; /* the address of the translated group */
	const struct translation *code;
	uint64_t cookie; /* the event's index in its group */
	uint64_t pc;	 /* of the site, as the context has it */
	uint64_t base;	 /* of the agent's image in the process */
	const struct process_head *head;
	uint64_t thread_number; /* as in struct process_own */
	/* agent_area_kept() of the image, which saves all registers but rax. */
	uint64_t find_area;
	/* The thread pointer may be 0 here: then the firing is counted as one without an area.
	 * The processor must have rdfsbase (HWCAP2, bit 1). */
	bool may_lack_tls;
	bool needs_no_area;
};

/* A patch_fire_fn; ARG: struct trampoline. */
void trampoline_fire(void *arg, const struct patch_firing *f, struct patch_code *to);

#endif
