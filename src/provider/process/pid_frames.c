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

#include "provider/process/pid_parts.h"

#define STUB_SUFFIX "@plt"
#define STUB_ALIGN 8 /* entries of .plt.got without CET are so short */
/* Of x86: endbr64, and a jump with a prefix.  What begins at the entry before is longer. */
#define STUB_BYTES_MOST 11

bool pid_frames_wanted(const char *function)
{
	return strncmp(function, PID_FRAMES_PREFIX, strlen(PID_FRAMES_PREFIX)) == 0;
}

/* Where the linker's stubs for functions of libraries are. */
static const char *const stub_tables[] = { ".plt", ".plt.sec", ".plt.got" };

static bool is_stub(const struct elf_file *elf, uint64_t address)
{
	for (size_t i = 0; i < ARRAY_SIZE(stub_tables); i++) {
		struct bytes code;
		uint64_t begin;
		if (elf_file_section(elf, stub_tables[i], &code, &begin) && address >= begin &&
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

/* Bytes of the stub that begins at ADDRESS, up to its jump, and its POINTER; 0: none does. */
static uint64_t stub_size(const struct elf_file *elf, uint64_t address, uint64_t *pointer)
{
	const struct arch *a = pid_arch(elf);
	struct instruction i;
	uint64_t size = 0;
	if (!code_is_stub(elf, address, pointer) || !*pointer)
		return 0;
	do {
		struct bytes code = elf_file_code(elf, address + size, INSTRUCTION_MOST);
		if (!a->decode(&code, &i))
			return 0;
		size += i.length;
	} while (i.flow != FLOW_POINTER);
	return size <= STUB_BYTES_MOST || a->stub_pointer ? size : 0;
}

/* Those of the table whose section is NAME. */
static struct error *stubs_search(struct pid_search *s, struct pid_object *object,
				  const char *section, pid_function_fn *make)
{
	const struct elf_file *elf = pid_object_elf(object);
	struct error *err = NULL;
	struct bytes code;
	uint64_t begin, pointer;
	if (!elf_file_section(elf, section, &code, &begin))
		return NULL;
	for (uint64_t at = begin; at - begin < code.size && !err; at += STUB_ALIGN) {
		uint64_t size = stub_size(elf, at, &pointer);
		const char *symbol = size ? elf_file_pointer_symbol(elf, pointer) : NULL;
		auto_free char *name = symbol ? mem_printf("%s" STUB_SUFFIX, symbol) : NULL;
		if (!name || !pid_name_match(s->desc->function, name))
			continue;
		const struct elf_symbol stub = {
			.address = at, .size = size, .name = name, .is_function = true
		};
		err = make(s, object, &stub);
	}
	return err;
}

struct error *pid_stubs_search(struct pid_search *s, struct pid_object *object,
			       pid_function_fn *make)
{
	struct error *err = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(stub_tables) && !err; i++)
		err = stubs_search(s, object, stub_tables[i], make);
	return err;
}
