/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* deadman - does the consumer still get CPU time? (struct deadman, abi/state.h) */
#ifndef RUNTIME_DEADMAN_H
#define RUNTIME_DEADMAN_H

#include "runtime/output.h"

/* A look at time NOW.  1: tracing ends. */
static always_inline long deadman_look(uint64_t now)
{
	struct control *control = (struct control *)rt_control;
	struct deadman *deadman = &control->deadman;
	uint64_t since = now - deadman->looked;
	deadman->looked = now;
	uint64_t alone = deadman->alone + (since < DEADMAN_NS ? since : DEADMAN_NS);
	*(volatile uint64_t *)&deadman->alone = alone;
	if (!deadman->limit || alone < deadman->limit)
		return 0;
	control->abandoned = 1;
	tracing_drain(control);
	return 1;
}

/*
 * The same without ticks, for firings that cost microseconds anyway.  Work that they leave to
 * interrupts (bpf_find_vma() does, where interrupts are off) may keep the CPU from its timer, whose
 * interrupt has a lower priority: then the ticks stand still.  (A fault in each firing of
 * fbt:::entry, 6.12 in an emulated machine with one CPU: in 157 of 158 samples interrupts were off,
 * most of them in what sysvec_irq_work() calls.)
 */
static always_inline void deadman_look_in_time(void)
{
	const struct control *control = (struct control *)rt_control;
	uint64_t now = port_time(), since = now - control->deadman.looked;
	if ((int64_t)since > (int64_t)DEADMAN_LOOKS_NS)
		deadman_look(now);
}

#endif
