/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <unistd.h>

#include "inject/code.h"

struct error *remote_call(const struct remote *r, long number, const uint64_t *arguments,
			  int64_t *ret)
{
	return process_is_held(r->process) ? process_call(r->process, number, arguments, ret)
					   : agent_errand(r->view, number, arguments, ret);
}

struct error *remote_write(const struct remote *r, uint64_t address, const void *bytes, size_t size)
{
	if (process_is_held(r->process))
		return process_write(r->process, address, bytes, size);
	ssize_t done = pwrite(r->memory, bytes, size, (off_t)address);
	return done == (ssize_t)size
		       ? NULL
		       : error_sys(done < 0 ? errno : EIO, "cannot write to process %d at %#llx",
				   process_pid(r->process), (unsigned long long)address);
}
