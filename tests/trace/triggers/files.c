/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files - opens files with a name in /proc and closes them again, number 100 upwards
 *
 * A line each on standard output: the result of readlink(2) of /proc/self/fd.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "trigger.h"

static int next = 100;

static void keep(int fd)
{
	if (fd < 0 || dup2(fd, next) < 0)
		exit(1);
	close(fd);
	next++;
}

static void keep_path(const char *path)
{
	keep(open(path, O_RDONLY | O_CLOEXEC));
}

static void keep_deleted(void)
{
	char path[] = "/tmp/trigger-deleted-XXXXXX";
	keep(mkstemp(path));
	unlink(path);
}

static void keep_deep(void)
{
	char path[4096] = "deep";
	mkdir(path, 0700);
	for (int i = 0; i < 40; i++) {
		strcat(path, "/a-directory");
		mkdir(path, 0700);
	}
	keep_path(path);
}

static void say_name(int fd)
{
	char link[64], name[4096];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, name, sizeof(name) - 1);
	name[n < 0 ? 0 : n] = 0;
	printf("%s\n", name);
}

int main(int argc, char **argv)
{
	int ends[2];
	keep_path("/");
	keep_path("/etc/passwd");
	keep_path("/proc/self/status"); /* on a mount */
	keep_path("/dev/null");
	keep_path(".");
	keep_deleted();
	keep_deep();
	if (pipe(ends))
		return 1;
	keep(ends[0]);
	keep(socket(AF_UNIX, SOCK_STREAM, 0));
	keep(eventfd(0, 0));
	keep(memfd_create("a memory", 0));
	trigger_wait();
	for (int fd = 100; fd < next; fd++)
		say_name(fd);
	for (int fd = 100; fd < next; fd++)
		close(fd);
	return 0;
}
