/* SPDX-License-Identifier: BSD-2-Clause */
/* jit_fuzz - any bytes as a jitdump file, and as a perf map */
#include <sys/mman.h>
#include <unistd.h>

#include "symbol/symbol_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_code(void *arg, const struct jit_code *code)
{
	*(size_t *)arg += (code->name ? strlen(code->name) : 0) + (code->start ^ code->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t seen = 0;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		__builtin_trap();
	uint64_t end = jit_dump_read(fd, 0, use_code, &seen);
	if (end != UINT64_MAX && end > size && end > UINT32_MAX)
		__builtin_trap();
	struct jit_map *m = jit_map_of_file(fd);
	uint64_t offset, address = 0;
	memcpy(&address, data, size < 4 ? size : 4);
	const char *name = jit_map_find(m, address, &offset);
	seen += name ? strlen(name) : 0;
	jit_map_free(m);
	return seen == SIZE_MAX;
}
