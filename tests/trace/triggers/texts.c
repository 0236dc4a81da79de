/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * texts LENGTH... - call take(TEXT, LENGTH) with a string of each length, all of them 'x', and
 * close a file whose name from the root directory has as many bytes, if so few are possible
 *
 * The files are made in the current folder and stay there.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "trigger.h"

#define FILE_NUMBER 100

PROBED void take(const char *text, long length)
{
	KEEP(text);
	KEEP(length);
}

static void take_text(long length)
{
	char *text = malloc((size_t)length + 1);
	if (!text)
		exit(1);
	memset(text, 'x', (size_t)length);
	text[length] = 0;
	take(text, length);
	free(text);
}

/* Folders in folders, the last one's path is as long; each path is made one level at a time. */
static int file_of(long length)
{
	char here[PATH_MAX], name[NAME_MAX + 1];
	long left = length - (getcwd(here, sizeof(here)) ? (long)strlen(here) : 0);
	int at = open(".", O_RDONLY | O_DIRECTORY);
	while (at >= 0 && left > 0) {
		/* "/" and a name each, and never one byte that is left alone */
		long part = left <= 200 ? left : left == 201 ? 199 : 200;
		memset(name, 'd', (size_t)part - 1);
		name[part - 1] = 0;
		mkdirat(at, name, 0700);
		int next = openat(at, name, O_RDONLY | O_DIRECTORY);
		close(at);
		at = next;
		left -= part;
	}
	return left == 0 ? at : -1;
}

int main(int argc, char **argv)
{
	long files = 0;
	trigger_wait();
	for (int i = 1; i < argc; i++) {
		long length = trigger_argument(argc, argv, i, 0);
		take_text(length);
		int fd = file_of(length);
		if (fd < 0)
			continue;
		if (dup2(fd, FILE_NUMBER) < 0)
			return 1;
		close(fd);
		close(FILE_NUMBER);
		files++;
	}
	trigger_count("files", files);
	return 0;
}
