/* SPDX-License-Identifier: BSD-2-Clause */
/* pid_site - the file offsets of a function's probes, and whether probes are possible there */
#ifndef PROVIDER_PID_SITE_H
#define PROVIDER_PID_SITE_H

#include "abi/event.h"
#include "base/base.h"
#include "object/object.h"

/* The places of one probe in its object: more than one for static functions of one name. */
struct pid_probe {
	struct pid_object *object;	 /* outlives this struct */
	VECTOR(struct event_site) sites; /* the event's */
	VECTOR(uint64_t) functions; /* where their functions begin, link-time: these have names */
	char *note;		    /* the probe's */
	struct pid_arguments *arguments; /* pid_arguments.h; NULL: nobody asked for args[] */
};

struct pid_probe *pid_probe_new(struct pid_object *object);
void pid_probe_free(void *probe);
/* Add a site, once, even if called again; FUNCTION 0: it is in no function. */
void pid_probe_add_site(struct pid_probe *p, struct event_site site, uint64_t function);

/* The offset of an entry probe for the function at ADDRESS; false: it cannot be probed. */
bool pid_site(const struct elf_file *elf, uint64_t address, uint64_t *ret);
/* The offset of the instruction at ADDRESS itself; false: it cannot be probed. */
bool pid_site_exact(const struct elf_file *elf, uint64_t address, uint64_t *ret);

/* Does the kernel emulate the instruction of pid_site() or, if EXACT, of pid_site_exact()? */
bool pid_site_is_emulated(const struct elf_file *elf, uint64_t address, bool exact);

/*
 * Why a kernel return probe on SYMBOL would break the process, in a few words; NULL: no
 * reason is known.  *RETURNS: the function returns, or may return.
 */
const char *pid_return_danger(const struct elf_file *elf, const struct elf_symbol *symbol,
			      bool *returns);

#endif
