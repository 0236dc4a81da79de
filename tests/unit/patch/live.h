/* SPDX-License-Identifier: BSD-2-Clause */
/* live - code of this process, changed while it runs, and room for more near it */
#ifndef TESTS_PATCH_LIVE_H
#define TESTS_PATCH_LIVE_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "patch/patch.h"

#define ROOM (8u << 20)

typedef VECTOR(struct address_range) range_vector;

static inline void read_maps(range_vector *ret, uint64_t *heap_end)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	unsigned long begin, end;
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx", &begin, &end) != 2)
			continue;
		vector_push(ret, ((struct address_range) { begin, end }));
		if (strstr(line, "[heap]"))
			*heap_end = end;
	}
	if (maps)
		fclose(maps);
}

static inline unsigned char *room_map(struct address_range near)
{
	range_vector used = { 0 };
	struct patch_space s = { .begin = 65536, .end = 0x7ffffffff000 };
	uint64_t at;
	read_maps(&used, &s.heap_end);
	s.used = used.items;
	s.count = used.count;
	bool found = patch_room_find(&s, near, ROOM, &at);
	vector_free(&used);
	if (!found)
		return NULL;
	void *ret = mmap((void *)at, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	return ret == MAP_FAILED ? NULL : ret;
}

static inline bool write_text(uint64_t address, const void *bytes, size_t size)
{
	static int fd = -1;
	if (fd < 0)
		fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	return fd >= 0 && pwrite(fd, bytes, size, (off_t)address) == (ssize_t)size;
}

#endif
