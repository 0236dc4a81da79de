/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pointers KIND N - hands N pointers over, never reading them itself
 *
 * absent   a string in a mapped file, not resident yet (a fresh mapping each time)
 * bad      address 8
 * endless  the last four bytes before memory that is not there, without a NUL
 * zero     the number 0
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "trigger.h"

PROBED void take(const void *p)
{
	KEEP(p);
}

static const char *absent(void)
{
	static const char text[] = "not resident until dtrace read it";
	char path[] = "/tmp/trigger-XXXXXX";
	int fd = mkstemp(path);
	unlink(path);
	if (fd < 0 || ftruncate(fd, 8192) < 0 || pwrite(fd, text, sizeof(text), 4096) < 0)
		exit(1);
	char *p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
	madvise(p, 8192, MADV_RANDOM);
	close(fd);
	return p + 4096;
}

static const char *endless(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 'x', 4096);
	mprotect(p + 4096, 4096, PROT_NONE);
	return p + 4092;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	long n = trigger_argument(argc, argv, 2, 1);

	trigger_wait();
	for (long i = 0; i < n; i++) {
		if (!strcmp(kind, "absent"))
			take(absent());
		else if (!strcmp(kind, "bad"))
			take((void *)8);
		else if (!strcmp(kind, "endless"))
			take(endless());
		else
			take(NULL);
	}
	trigger_count("take", n);
	return 0;
}
