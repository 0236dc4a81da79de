/* SPDX-License-Identifier: BSD-2-Clause */
/* event - what happens that a program can run at */
#ifndef ABI_EVENT_H
#define ABI_EVENT_H

#include <stdbool.h>
#include <stdint.h>

enum event_kind {
#define EVENT(id, name, what, how, cost) EVENT_##id,
#include "abi/event.def"
#undef EVENT
	EVENT_COUNT,
};

/* As event.def calls it: "syscall-entry". */
static inline const char *event_name(enum event_kind kind)
{
	static const char *const names[] = {
#define EVENT(id, name, what, how, cost) [EVENT_##id] = name,
#include "abi/event.def"
#undef EVENT
	};
	return names[kind];
}

/* Is the context a user's struct pt_regs? */
static inline bool event_is_function(enum event_kind kind)
{
	return kind == EVENT_FUNCTION_ENTRY || kind == EVENT_FUNCTION_RETURN ||
	       kind == EVENT_FUNCTION_INSIDE;
}

static inline bool event_is_syscall(enum event_kind kind)
{
	return kind == EVENT_SYSCALL_ENTRY || kind == EVENT_SYSCALL_RESUME ||
	       kind == EVENT_SYSCALL_RETURN;
}

/* Entries of each of the two tables of system calls, native and 32-bit; numbers are below. */
#define SYSCALL_NUMBERS 512

#endif
