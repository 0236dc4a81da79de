/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/process.h"

#include <sys/mman.h>
#include <unistd.h>

/* From the file: the mapping may have breakpoints, which are of no use in a copy. */
static bool mapping_read_code(const struct mapping *m, char *code, size_t size)
{
	auto_close int fd = mapping_open(getpid(), m);
	size_t done = 0;
	ssize_t got = fd < 0 ? -1 : 1;
	while (got > 0 && done < size) {
		got = pread(fd, code + done, size - done, (off_t)(m->offset + done));
		done += got > 0 ? (size_t)got : 0;
	}
	return got >= 0; /* after the file's end a page has zeros */
}

/*
 * The kernel exchanges the mappings at once for all threads: none can run in between, nor at
 * another address.
 */
bool own_code_copy(const struct mapping *m)
{
	void *place = (void *)(uintptr_t)m->start;
	size_t size = m->end - m->start;
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return false;
	if (mapping_read_code(m, copy, size) && mprotect(copy, size, PROT_READ | PROT_EXEC) == 0 &&
	    mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place)
		return true;
	munmap(copy, size);
	return false;
}
