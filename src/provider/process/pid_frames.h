/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_frames - functions that have no name: fde:ADDRESS
 *
 * Compilers write an FDE (object/frames/frames.h) for each function, also in stripped programs. One
 * whose code no symbol names is called by its link-time address in hexadecimal digits, `fde:1139`;
 * a pattern such as `fde:*` means all of these of an object, but not the parts of functions that
 * compilers move elsewhere, as far as their FDE shows that, nor stubs of the linker.  Other
 * patterns do not mean them: a stripped library has as many again.
 */
#ifndef PROVIDER_PID_FRAMES_H
#define PROVIDER_PID_FRAMES_H

#include "provider/process/pid.h"

#define PID_FRAMES_PREFIX "fde:"

/* Does FUNCTION, of a description, mean functions without a name? */
bool pid_frames_wanted(const char *function);

/* Call MAKE for each function of OBJECT that S means, until it returns an error. */
MUST_CHECK struct error *
pid_frames_search(struct pid_search *s, struct pid_object *object,
		  struct error *(*make)(struct pid_search *s, struct pid_object *object,
					const struct elf_symbol *function));

#endif
