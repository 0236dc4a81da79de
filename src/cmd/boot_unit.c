/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define UNITS "/etc/systemd/system"
#define WANTS UNITS "/sysinit.target.wants"
#define WANTED WANTS "/" BOOT_UNIT_NAME

bool boot_unit_is_possible(void)
{
	return access(UNITS, F_OK) == 0;
}

/* As systemd.service(5) reads a word of a command line. */
static void put_unit_word(struct strbuf *out, const char *word)
{
	strbuf_putc(out, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			strbuf_putc(out, '\\');
		if (*word == '%' || *word == '$')
			strbuf_putc(out, *word);
		strbuf_putc(out, *word);
	}
	strbuf_putc(out, '"');
}

/* As systemd.unit(5) reads a path in a condition: percent signs alone are special. */
static void put_path(struct strbuf *out, const char *path)
{
	for (; *path; path++) {
		if (*path == '%')
			strbuf_putc(out, '%');
		strbuf_putc(out, *path);
	}
}

/* Early: next to the mounts, before sysinit.target, where ordinary services begin. */
static void compose(struct strbuf *out, const char *program, const char *file)
{
	auto_free char *setting = mem_printf("anonfile=%s", file);
	strbuf_puts(out, "# Written by dtrace -A, which removes it, too\n"
			 "[Unit]\n"
			 "Description=Anonymous tracing by DTrace\n"
			 "DefaultDependencies=no\n"
			 "Before=sysinit.target\n"
			 "ConditionPathExists=");
	put_path(out, file);
	strbuf_puts(out, "\n\n[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=");
	put_unit_word(out, program);
	strbuf_puts(out, " -x ");
	put_unit_word(out, setting);
	strbuf_puts(out, " -x anon=run\n# once it is claimed there is nothing to stop\nExecStop=-");
	put_unit_word(out, program);
	strbuf_puts(out, " -x anon=stop\n\n[Install]\nWantedBy=sysinit.target\n");
}

struct error *boot_unit_write(const char *file)
{
	auto_free char *program = own_program_path();
	if (!*program)
		return error_sys(errno, "cannot find the path of %s", message_program());
	auto_strbuf struct strbuf text = { 0 };
	compose(&text, program, file);
	int errnum = file_replace(BOOT_UNIT_PATH, &text, 0);
	if (errnum)
		return error_sys(errnum, "cannot write %s", BOOT_UNIT_PATH);
	if (mkdir(WANTS, 0755) < 0 && errno != EEXIST)
		return error_sys(errno, "cannot make %s", WANTS);
	if (symlink("../" BOOT_UNIT_NAME, WANTED) < 0 && errno != EEXIST)
		return error_sys(errno, "cannot make %s", WANTED);
	return NULL;
}

struct error *boot_unit_remove(bool *found)
{
	*found = unlink(BOOT_UNIT_PATH) == 0;
	if (!*found && errno != ENOENT)
		return error_sys(errno, "cannot remove %s", BOOT_UNIT_PATH);
	if (unlink(WANTED) < 0 && errno != ENOENT)
		return error_sys(errno, "cannot remove %s", WANTED);
	return NULL;
}
