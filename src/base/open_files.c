/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/open_files.h"

#include <sys/eventfd.h>
#include <sys/resource.h>

#include "base/base.h"

static struct rlimit found, raised;
static bool is_raised;

bool open_files_allow(uint64_t count)
{
	struct rlimit now;
	if (getrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur >= count)
		return true; /* otherwise opening a file fails with an error */
	struct rlimit more = { count, MAX(now.rlim_max, count) };
	if (setrlimit(RLIMIT_NOFILE, &more) < 0)
		return false;
	if (!is_raised)
		found = now;
	raised = more;
	is_raised = true;
	return true;
}

uint64_t open_files_next(void)
{
	auto_close int lowest = eventfd(0, EFD_CLOEXEC);
	struct rlimit now;
	if (lowest >= 0)
		return (uint64_t)lowest;
	return getrlimit(RLIMIT_NOFILE, &now) < 0 ? 0 : now.rlim_cur;
}

/* Descriptors above a lowered limit stay open. */
void open_files_as_found(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &found);
}

void open_files_as_raised(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &raised);
}
