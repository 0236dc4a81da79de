/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/script.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct error *read_all(int fd, const char *path, struct strbuf *ret)
{
	int errnum = fd_read_all(fd, SIZE_MAX, ret);
	return errnum ? error_sys(errnum, "failed to read %s", path) : NULL;
}

struct error *script_read(const char *path, struct strbuf *ret)
{
	/* Not opened by its name: /dev/stdin cannot be opened when it is a socket. */
	if (string_equal(path, "-") || string_equal(path, "/dev/stdin"))
		return read_all(STDIN_FILENO, path, ret);

	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && string_equal(path, "\r"))
		return error_new("the script's first line (#!) ends in a carriage return and a "
				 "newline, as on Windows: sed -i 's/\\r$//' SCRIPT mends it");
	if (fd < 0)
		return error_sys(errno, "failed to open %s", path);
	return read_all(fd, path, ret);
}
