/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugdata - the section .gnu_debugdata: symbols that a stripped file keeps
 *
 * An ELF file within the file, compressed by xz.  Its .symtab has the functions that .dynsym lacks
 * (GDB's manual, "MiniDebugInfo").
 */
#include <lzma.h>
#include <sys/mman.h>

#include "object/elf/elf_internal.h"

#define MEMORY_MOST (256u << 20) /* of the decoder: xz -9 needs 65 MiB */
#define SIZE_MOST (256u << 20)	 /* of the file: libxul.so's has 30 MiB */

/* Decode all of FROM into new memory, which grows by doubling; false: it is damaged. */
static bool xz_decode(struct bytes from, unsigned char **to, size_t *size)
{
	for (size_t room = ALIGN_UP(from.size * 4, 4096); room <= SIZE_MOST; room *= 2) {
		unsigned char *p = mem_alloc(room);
		uint64_t memory = MEMORY_MOST;
		size_t in = 0, out = 0;
		lzma_ret done = lzma_stream_buffer_decode(&memory, 0, NULL, from.data, &in,
							  from.size, p, &out, room);
		if (done == LZMA_OK) {
			*to = p;
			*size = out;
			return true;
		}
		free(p);
		if (done != LZMA_BUF_ERROR)
			return false;
	}
	return false;
}

struct elf_file *elf_debugdata_open(const struct elf_file *e)
{
	struct bytes section;
	uint64_t address;
	unsigned char *decoded;
	size_t size;
	if (!elf_file_section(e, ".gnu_debugdata", &section, &address) || !section.size ||
	    !xz_decode(section, &decoded, &size))
		return NULL;
	struct elf_file *ret = NULL;
	auto_error struct error *err = elf_file_of_bytes(decoded, size, ".gnu_debugdata", &ret);
	free(decoded);
	return err ? NULL : ret;
}
