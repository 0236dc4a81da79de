/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/script.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct error *read_all(int fd, const char *path, struct strbuf *ret)
{
	char part[16384];
	for (;;) {
		ssize_t len = read(fd, part, sizeof(part));
		if (len == 0)
			return NULL;
		if (len > 0)
			strbuf_add(ret, part, (size_t)len);
		else if (errno != EINTR)
			return error_sys(errno, "failed to read %s", path);
	}
}

struct error *script_read(const char *path, struct strbuf *ret)
{
	/* Not opened by its name: /dev/stdin cannot be opened when it is a socket. */
	if (string_equal(path, "-") || string_equal(path, "/dev/stdin"))
		return read_all(STDIN_FILENO, path, ret);

	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "failed to open %s", path);
	return read_all(fd, path, ret);
}
