/* SPDX-License-Identifier: BSD-2-Clause */
/* frames_fuzz - any bytes as a program: its call frame information, build id, debug link */
#include "fuzz_elf.h"
#include "object/frames/frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t sum(struct bytes b)
{
	size_t all = 0;
	while (bytes_left(&b))
		all += bytes_u8(&b);
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *e = fuzz_elf(data, size);
	if (!e)
		return 0;
	struct frames *f = frames_read(e);
	size_t count, seen = 0;
	const struct frame_range *r = frames_ranges(f, &count);
	for (size_t i = 0; i < count && i < 1000; i++) {
		struct frame_entry entry;
		if (!frames_entry(f, &r[i], &entry) || entry.begin != r[i].begin ||
		    entry.end != r[i].end)
			__builtin_trap(); /* an FDE with a range can be read, and has the same
					   * range */
		seen += sum(entry.initial) + sum(entry.instructions);
		seen += frames_at(f, r[i].begin) != NULL;
	}
	uint32_t checksum;
	const char *link = elf_file_debug_link(e, &checksum);
	seen += link ? strlen(link) + checksum : 0;
	seen += sum(elf_file_build_id(e));
	frames_free(f);
	elf_file_free(e);
	return seen == SIZE_MAX;
}
