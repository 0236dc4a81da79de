/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_frames - functions that have no name: fde:ADDRESS
 *
 * Compilers write an FDE (object/frames/frames.h) for each function, also in stripped programs. One
 * whose code no symbol names is called by its link-time address in hexadecimal digits, `fde:1139`;
 * a pattern such as `fde:*` means all of these of an object, but not the parts of functions that
 * compilers move elsewhere, as far as their FDE shows that, nor stubs of the linker.  Other
 * patterns do not mean them: a stripped library has as many again.
 */
#include "provider/process/pid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool pid_frames_wanted(const char *function)
{
	return strncmp(function, PID_FRAMES_PREFIX, strlen(PID_FRAMES_PREFIX)) == 0;
}

/* Is ADDRESS in a table of the linker's stubs for functions of libraries? */
static bool is_stub(const struct elf_file *elf, uint64_t address)
{
	static const char *const tables[] = { ".plt", ".plt.sec", ".plt.got" };
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct bytes code;
		uint64_t begin;
		if (elf_file_section(elf, tables[i], &code, &begin) && address >= begin &&
		    address - begin < code.size)
			return true;
	}
	return false;
}

/* Is R one function's, without a symbol? */
static bool is_nameless(struct elf_file *elf, const struct frames *frames,
			const struct frame_range *r)
{
	return !elf_file_symbol_at(elf, r->begin) && !is_stub(elf, r->begin) &&
	       frames_is_function(frames, r);
}

struct error *pid_frames_search(struct pid_search *s, struct pid_object *object,
				struct error *(*make)(struct pid_search *s,
						      struct pid_object *object,
						      const struct elf_symbol *function))
{
	struct elf_file *elf = pid_object_elf(object);
	const struct frames *frames = image_frames(object->image);
	struct error *err = NULL;
	size_t count;
	const struct frame_range *ranges = frames_ranges(frames, &count);
	for (size_t i = 0; i < count && !err; i++) {
		char name[32];
		snprintf(name, sizeof(name), PID_FRAMES_PREFIX "%" PRIx64, ranges[i].begin);
		if (!pid_name_match(s->desc->function, name) ||
		    (!s->function_is_plain && !is_nameless(elf, frames, &ranges[i])))
			continue;
		const struct elf_symbol function = {
			.address = ranges[i].begin,
			.size = ranges[i].end - ranges[i].begin,
			.name = name,
			.is_function = true,
		};
		err = make(s, object, &function);
	}
	return err;
}
