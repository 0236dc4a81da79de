/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_file - a fuzzer's bytes for readers that open a path */
#ifndef TESTS_FUZZ_FUZZ_FILE_H
#define TESTS_FUZZ_FUZZ_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* The path of a file without a disk that holds these bytes until the next call; NULL: no room. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	bool whole = ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size;
	return whole ? path : NULL;
}

#endif
