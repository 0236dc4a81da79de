/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_absent - why a function of the kernel has no probe
 *
 * Probes are in the functions that the kernel's function tracer lists.  Others are written in
 * assembly, are compiled without the tracer's call (lib/string.c), are noinstr, or are gone since
 * the kernel has booted.
 */
#ifndef PROVIDER_FBT_ABSENT_H
#define PROVIDER_FBT_ABSENT_H

#include "probe/probe.h"

/* What the kernel's lists say of the function that a description names. */
struct absence {
	const struct probe_desc *desc;
	bool is_listed; /* as one to be traced */
	bool is_there, is_forbidden, forbidden_are_known;
	uint64_t address, boot_begin, boot_end; /* boot_*: of code that is freed; 0: unknown */
};

/* Visitors (kernel/kernel.h: kernel_function_fn) of the lists; ARG: a struct absence. */
void absence_see_listed(void *arg, const char *module, const char *name, uint64_t address);
void absence_see_symbol(void *arg, const char *module, const char *name, uint64_t address);
void absence_see_forbidden(void *arg, const char *module, const char *name, uint64_t address);

/* The reason, as the end of a message; NULL: there is no such function, or it is listed. */
char *absence_text(const struct absence *a);

/* struct provider_kernel's why_absent */
char *fbt_why_absent(struct probe_db *db, const struct probe_desc *desc);

#endif
