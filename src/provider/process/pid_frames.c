/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_frames - functions that have no symbol: fde:ADDRESS, and stubs of the linker: puts@plt
 *
 * Compilers write an FDE (object/frames/frames.h) for each function, also in stripped programs. One
 * whose code no symbol names is called by its link-time address in hexadecimal digits, `fde:1139`;
 * a pattern such as `fde:*` means all of these of an object, but not the parts of functions that
 * compilers move elsewhere, as far as their FDE shows that, nor stubs of the linker.  Other
 * patterns do not mean them: a stripped library has as many again.
 *
 * A stub is the code by which a file calls a function of another one, whichever that is.  It has
 * the name of the symbol of the pointer by which it jumps.  puts@plt:return is the return of the
 * called function, as that of a function that ends by a jump (pid_exits.c).
 */
#include "provider/process/pid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STUB_SUFFIX "@plt"

bool pid_frames_wanted(const char *function)
{
	return strncmp(function, PID_FRAMES_PREFIX, strlen(PID_FRAMES_PREFIX)) == 0;
}

/* Is R one function's, without a symbol? */
static bool is_nameless(struct elf_file *elf, const struct frames *frames,
			const struct frame_range *r)
{
	return !elf_file_symbol_at(elf, r->begin) && !stubs_have(elf, r->begin) &&
	       frames_is_function(frames, r);
}

struct error *pid_frames_search(struct pid_search *s, struct pid_object *object,
				pid_function_fn *make)
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

bool pid_stubs_wanted(const char *function)
{
	size_t len = strlen(function), suffix = strlen(STUB_SUFFIX);
	return len > suffix && string_equal(function + len - suffix, STUB_SUFFIX);
}

struct stubs_search {
	struct pid_search *s;
	struct pid_object *object;
	pid_function_fn *make;
	struct error *err;
};

static bool stub_make(void *arg, const struct code_stub *stub)
{
	struct stubs_search *search = arg;
	auto_free char *name = mem_printf("%s" STUB_SUFFIX, stub->symbol);
	const struct elf_symbol function = {
		.address = stub->address, .size = stub->size, .name = name, .is_function = true
	};
	if (pid_name_match(search->s->desc->function, name))
		search->err = search->make(search->s, search->object, &function);
	return !search->err;
}

struct error *pid_stubs_search(struct pid_search *s, struct pid_object *object,
			       pid_function_fn *make)
{
	struct stubs_search search = { s, object, make, NULL };
	stubs_visit(pid_object_elf(object), stub_make, &search);
	return search.err;
}
