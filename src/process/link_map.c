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
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include "process/process.h"

#define LINK_MAPS_MOST 64 /* glibc has at most 16 */
#define OBJECTS_MOST 4096
#define NEXT_LINK_MAP 40

/* A process's memory. */
struct memory {
	int pid, fd;
};

static uint64_t word_at(const struct memory *m, uint64_t address)
{
	uint64_t word;
	return address && pread(m->fd, &word, sizeof(word), (off_t)address) == sizeof(word) ? word
											    : 0;
}

/* The program header of TYPE, whose value P's offset AT has; or 0. */
static uint64_t header_value(const struct memory *m, uint32_t type, size_t at)
{
	uint64_t headers = process_auxiliary(m->pid, AT_PHDR),
		 count = process_auxiliary(m->pid, AT_PHNUM);
	for (uint64_t i = 0; headers && i < MIN(count, (uint64_t)UINT16_MAX); i++) {
		uint64_t header = headers + i * sizeof(Elf64_Phdr);
		if ((uint32_t)word_at(m, header) == type)
			return word_at(m, header + at);
	}
	return 0;
}

static uint64_t find_list(const struct memory *m)
{
	const size_t address = offsetof(Elf64_Phdr, p_vaddr);
	uint64_t dynamic = header_value(m, PT_DYNAMIC, address);
	if (!dynamic)
		return 0;
	uint64_t own = header_value(m, PT_PHDR, address);
	uint64_t base = own ? process_auxiliary(m->pid, AT_PHDR) - own : 0;
	for (unsigned i = 0; i < OBJECTS_MOST; i++) {
		uint64_t entry = base + dynamic + i * sizeof(Elf64_Dyn);
		uint64_t tag = word_at(m, entry);
		if (tag == DT_DEBUG)
			return word_at(m, entry + sizeof(tag));
		if (tag == DT_NULL)
			break;
	}
	return 0;
}

static bool has_object(const struct memory *m, uint64_t list, uint64_t base)
{
	uint64_t object = word_at(m, list + offsetof(struct r_debug, r_map));
	for (unsigned i = 0; object && i < OBJECTS_MOST; i++) {
		if (word_at(m, object) == base)
			return true;
		object = word_at(m, object + offsetof(struct link_map, l_next));
	}
	return false;
}

int process_link_map(int pid, uint64_t base)
{
	if (process_word(pid) != sizeof(uint64_t))
		return 0;
	char path[32];
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct memory memory = { pid, fd }, *m = &memory;
	uint64_t list = fd < 0 ? 0 : find_list(m);
	if (!word_at(m, list + offsetof(struct r_debug, r_map)))
		return 0;
	bool has_next = (int32_t)word_at(m, list) >= 2;
	for (int n = 0; list && n < LINK_MAPS_MOST; n++) {
		if (has_object(m, list, base))
			return n;
		list = has_next ? word_at(m, list + NEXT_LINK_MAP) : 0;
	}
	return -1;
}
