/* SPDX-License-Identifier: BSD-2-Clause */
/* auxiliary - the values that the kernel gives a program at its start (getauxval(3)) */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "process/process.h"

unsigned process_word(int pid)
{
	char path[64];
	unsigned char ident[EI_NIDENT];
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_32 = fd >= 0 && read(fd, ident, sizeof(ident)) == sizeof(ident) &&
		     memcmp(ident, ELFMAG, SELFMAG) == 0 && ident[EI_CLASS] == ELFCLASS32;
	return is_32 ? 4 : 8;
}

uint64_t process_auxiliary(int pid, uint64_t wanted)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char data[4096];
	ssize_t n = fd < 0 ? -1 : read(fd, data, sizeof(data));
	struct bytes b = bytes_of(data, n > 0 ? (size_t)n : 0);
	unsigned word = process_word(pid);
	while (bytes_left(&b) >= 2 * word) {
		uint64_t type = word == 4 ? bytes_u32(&b) : bytes_u64(&b);
		uint64_t value = word == 4 ? bytes_u32(&b) : bytes_u64(&b);
		if (type == wanted)
			return value;
	}
	return 0;
}
