/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct error *script_read_all(int fd, const char *path, struct strbuf *ret)
{
	int errnum = fd_read_all(fd, SIZE_MAX, ret);
	return errnum ? error_sys(errnum, "failed to read %s", path) : NULL;
}

#define TEXT_BEGIN 64 /* bytes: a 0 after them is reported with its line */

static bool is_elf_program(const struct strbuf *text)
{
	static const char magic[] = { 0x7f, 'E', 'L', 'F' };
	return text->len >= sizeof(magic) && memcmp(text->text, magic, sizeof(magic)) == 0;
}

static struct error *script_read_text(int fd, const char *path, struct strbuf *ret)
{
	struct error *err = script_read_all(fd, path, ret);
	if (err)
		return err;
	if (is_elf_program(ret))
		return error_new("%s is a program, not a script: -c %s runs it", path, path);
	if (ret->len && memchr(ret->text, 0, MIN(ret->len, TEXT_BEGIN)))
		return error_new("%s is not a script: it begins with bytes that no text has", path);
	return NULL;
}

struct error *script_read(const char *path, struct strbuf *ret)
{
	/* Not opened by its name: /dev/stdin cannot be opened when it is a socket. */
	if (string_equal(path, "-") || string_equal(path, "/dev/stdin"))
		return script_read_all(STDIN_FILENO, path, ret);

	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && string_equal(path, "\r"))
		return error_new("the script's first line (#!) ends in a carriage return and a "
				 "newline, as on Windows: sed -i 's/\\r$//' SCRIPT mends it");
	if (fd < 0)
		return error_sys(errno, "failed to open %s", path);
	return script_read_text(fd, path, ret);
}
