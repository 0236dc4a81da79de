/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * link_map - which of a process's link maps has an object
 *
 * dlmopen() makes a link map with copies of libraries of its own.  glibc (2.35 and later) keeps
 * them in a list for debuggers, which begins with _r_debug; the program's DT_DEBUG has its address:
 *
 *   _r_debug   +0 version (2: there is a list)   +8 objects   +40 the next link map's
 *   object     +0 base                           +24 the next one
 *
 * All is the process's own memory, which may change or be damaged: what cannot be read ends a list,
 * and lists have ends.
 *
 * See also provider/process/pid_object.c, which names a probe's object by its link map.
 */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/vector.h"
#include "process/process.h"

#define LINK_MAPS_MOST 64 /* glibc has at most 16 */
#define OBJECTS_MOST 4096 /* of one */
#define NEXT_LINK_MAP 40

struct loaded_object {
	uint64_t base;
	int link_map;
};

struct link_maps {
	bool has_list;
	VECTOR(struct loaded_object) objects;
};

/* A process's memory. */
struct memory {
	int pid, fd;
};

static uint64_t memory_word(const struct memory *m, uint64_t address)
{
	uint64_t word;
	return address && pread(m->fd, &word, sizeof(word), (off_t)address) == sizeof(word) ? word
											    : 0;
}

/* --- where the list begins ------------------------------------------------------------------ */

/* The program's headers in its memory. */
struct headers {
	uint64_t at, count;
};

/* The program header of TYPE, whose value P's offset AT has; or 0. */
static uint64_t header_value(const struct memory *m, struct headers h, uint32_t type, size_t at)
{
	for (uint64_t i = 0; h.at && i < MIN(h.count, (uint64_t)UINT16_MAX); i++) {
		uint64_t header = h.at + i * sizeof(Elf64_Phdr);
		if ((uint32_t)memory_word(m, header) == type)
			return memory_word(m, header + at);
	}
	return 0;
}

static uint64_t find_list(const struct memory *m)
{
	const size_t address = offsetof(Elf64_Phdr, p_vaddr);
	const struct headers h = { process_auxiliary(m->pid, AT_PHDR),
				   process_auxiliary(m->pid, AT_PHNUM) };
	uint64_t dynamic = header_value(m, h, PT_DYNAMIC, address);
	if (!dynamic)
		return 0;
	uint64_t own = header_value(m, h, PT_PHDR, address);
	uint64_t base = own ? h.at - own : 0;
	for (unsigned i = 0; i < OBJECTS_MOST; i++) {
		uint64_t entry = base + dynamic + i * sizeof(Elf64_Dyn);
		uint64_t tag = memory_word(m, entry);
		if (tag == DT_DEBUG)
			return memory_word(m, entry + sizeof(tag));
		if (tag == DT_NULL)
			break;
	}
	return 0;
}

/* --- all objects ---------------------------------------------------------------------------- */

static void read_objects(struct link_maps *maps, const struct memory *m, uint64_t list, int number)
{
	uint64_t at = memory_word(m, list + offsetof(struct r_debug, r_map));
	for (unsigned i = 0; at && i < OBJECTS_MOST; i++) {
		struct link_map object;
		if (pread(m->fd, &object, sizeof(object), (off_t)at) != sizeof(object))
			break;
		vector_push(&maps->objects, (struct loaded_object) { object.l_addr, number });
		at = (uint64_t)(uintptr_t)object.l_next;
	}
}

struct link_maps *process_link_maps(int pid)
{
	struct link_maps *ret = mem_zalloc(sizeof(*ret));
	if (process_word(pid) != sizeof(uint64_t))
		return ret;
	auto_close int fd = process_open_memory(pid);
	const struct memory memory = { pid, fd }, *m = &memory;
	uint64_t list = fd < 0 ? 0 : find_list(m);
	ret->has_list = memory_word(m, list + offsetof(struct r_debug, r_map));
	if (!ret->has_list)
		return ret;
	bool has_next = (int32_t)memory_word(m, list) >= 2;
	for (int n = 0; list && n < LINK_MAPS_MOST; n++) {
		read_objects(ret, m, list, n);
		list = has_next ? memory_word(m, list + NEXT_LINK_MAP) : 0;
	}
	return ret;
}

int link_maps_find(const struct link_maps *maps, uint64_t base)
{
	for (size_t i = 0; i < maps->objects.count; i++)
		if (maps->objects.items[i].base == base)
			return maps->objects.items[i].link_map;
	return maps->has_list ? -1 : 0;
}

void link_maps_free(struct link_maps *maps)
{
	if (maps)
		vector_free(&maps->objects);
	free(maps);
}
