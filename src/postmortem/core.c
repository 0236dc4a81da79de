/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A core file: ELF of type ET_CORE, as Linux and gdb's gcore write it
 *
 *   PT_LOAD   a part of memory: p_vaddr, p_filesz bytes of it at p_offset; the rest was not dumped
 *   PT_NOTE   notes, among them NT_FILE, the table of mapped files:
 *             u64 count, page size | count * (u64 begin, end, offset in pages) | count paths
 *
 * With more than 65,534 parts the number of program headers is in the first section header.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sort.h"
#include "object/object.h"
#include "postmortem/internal.h"

#define PARTS_MOST (1u << 20)
#define NOTES_MOST (64u << 20) /* bytes, of all; threads have some 4 KB each */
#define FILES_MOST (1u << 18)  /* mappings of files; a process has 65,530 mappings at most */

void remains_deinit(struct remains *r)
{
	for (size_t i = 0; i < r->files.count; i++)
		free(r->files.items[i].path);
	vector_free(&r->files);
	vector_free(&r->parts);
	if (r->fd >= 0)
		close(r->fd);
	free(r->name);
}

/* How many of SIZE bytes at OFFSET are there, from the first on. */
static uint64_t bytes_read(int fd, uint64_t offset, void *to, uint64_t size)
{
	uint64_t got = 0;
	while (got < size && offset <= INT64_MAX - size) {
		ssize_t n = pread(fd, (char *)to + got, size - got, (off_t)(offset + got));
		if (n <= 0 && !(n < 0 && errno == EINTR))
			break;
		got += n > 0 ? (uint64_t)n : 0;
	}
	return got;
}

static bool bytes_are_there(int fd, uint64_t offset, void *to, uint64_t size)
{
	return bytes_read(fd, offset, to, size) == size;
}

/*
 * The same, TO being zeros, which stay as they are where the file has a hole: a core with holes
 * takes as much memory as it has on the disk.
 */
static uint64_t bytes_copy(const struct remains *r, uint64_t offset, void *to, uint64_t size)
{
	uint64_t got = 0;
	if (!r->size)
		return bytes_read(r->fd, offset, to, size);
	size = offset < r->size ? MIN(size, r->size - offset) : 0;
	while (got < size) {
		off_t data = lseek(r->fd, (off_t)(offset + got), SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			return size;
		if (data < 0)
			return got + bytes_read(r->fd, offset + got, (char *)to + got, size - got);
		got = MIN((uint64_t)data - offset, size);
		off_t hole = lseek(r->fd, (off_t)(offset + got), SEEK_HOLE);
		uint64_t part = hole < 0 ? size - got : (uint64_t)hole - offset - got;
		part = MIN(part, size - got);
		uint64_t done = bytes_read(r->fd, offset + got, (char *)to + got, part);
		got += done;
		if (done < part)
			break;
	}
	return got;
}

uint64_t remains_copy(const struct remains *r, uint64_t address, void *to, uint64_t size)
{
	uint64_t got = 0;
	while (got < size) {
		size_t until = vector_until(&r->parts, address, address + got);
		const struct remains_part *p = until ? &r->parts.items[until - 1] : NULL;
		uint64_t at = p ? address + got - p->address : 0;
		if (!p || at >= p->size)
			break;
		uint64_t part = MIN(p->size - at, size - got);
		uint64_t done = bytes_copy(r, p->offset + at, (char *)to + got, part);
		got += done;
		if (done < part)
			break;
	}
	return got;
}

uint64_t remains_read(const struct remains *r, uint64_t address, void *to, uint64_t size)
{
	memset(to, 0, size);
	return remains_copy(r, address, to, size);
}

uint64_t remains_next(const struct remains *r, uint64_t address)
{
	size_t until = vector_until(&r->parts, address, address);
	return until < r->parts.count ? r->parts.items[until].address : UINT64_MAX;
}

/* --- the table of files ----------------------------------------------------------------------- */

static void core_files_add(struct remains *r, struct bytes note)
{
	uint64_t count = bytes_u64(&note), page = bytes_u64(&note);
	if (note.failed || count > MIN(bytes_left(&note) / (3 * sizeof(uint64_t)), FILES_MOST))
		return;
	struct bytes names = note;
	bytes_take(&names, count * 3 * sizeof(uint64_t));
	for (uint64_t i = 0; i < count; i++) {
		struct mapping m = { .executable = true };
		m.start = bytes_u64(&note);
		m.end = bytes_u64(&note);
		m.offset = bytes_u64(&note) * page;
		const char *path = (const char *)names.data + names.pos;
		size_t len = strnlen(path, bytes_left(&names));
		if (!bytes_take(&names, len + 1))
			return;
		if (m.start >= m.end ||
		    (r->files.count && r->files.items[r->files.count - 1].end > m.start))
			continue;
		m.path = mem_strndup(path, len);
		vector_push(&r->files, m);
	}
}

static struct error *notes_read(struct remains *r, const Elf64_Phdr *h)
{
	if (r->files.count)
		return NULL;
	r->notes += MIN(h->p_filesz, NOTES_MOST + 1ull);
	if (r->notes > NOTES_MOST)
		return error_new("%s: its notes have more than %u MiB", r->name, NOTES_MOST >> 20);
	auto_free char *bytes = try_alloc(h->p_filesz + 8);
	if (!bytes || !bytes_are_there(r->fd, h->p_offset, bytes, h->p_filesz))
		return NULL; /* truncated: there are no names */
	struct bytes notes = bytes_of(bytes, h->p_filesz);
	struct elf_note note;
	while (elf_note_next(&notes, &note))
		if (note.type == NT_FILE && elf_note_is_of(&note, "CORE") && !r->files.count)
			core_files_add(r, note.descriptor);
	return NULL;
}

/* --- headers ---------------------------------------------------------------------------------- */

static int part_order(const void *left, const void *right)
{
	const struct remains_part *a = left, *b = right;
	return a->address < b->address ? -1 : a->address > b->address;
}

/*
 * Parts that overlap are not of a core: the later ones are left out.  So are those that do not
 * follow one another in the file: many could have the same bytes, and would need any memory.
 */
static void parts_sort(struct remains *r)
{
	size_t kept = 0;
	if (r->parts.count)
		qsort(r->parts.items, r->parts.count, sizeof(*r->parts.items), part_order);
	for (size_t i = 0; i < r->parts.count; i++) {
		const struct remains_part *last = kept ? &r->parts.items[kept - 1] : NULL;
		const struct remains_part *p = &r->parts.items[i];
		if (!last || (p->address - last->address >= last->size &&
			      p->offset >= last->offset + last->size))
			r->parts.items[kept++] = *p;
	}
	r->parts.count = kept;
}

static struct error *header_read(struct remains *r, const Elf64_Phdr *h)
{
	if (h->p_type == PT_NOTE)
		return notes_read(r, h);
	bool fits =
		h->p_filesz <= UINT64_MAX - h->p_vaddr && h->p_filesz <= UINT64_MAX - h->p_offset;
	if (h->p_type == PT_LOAD && h->p_filesz && fits)
		vector_push(&r->parts,
			    ((struct remains_part) { h->p_vaddr, h->p_filesz, h->p_offset }));
	return NULL;
}

static struct error *core_headers(struct remains *r)
{
	Elf64_Ehdr e;
	if (!bytes_are_there(r->fd, 0, &e, sizeof(e)) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_type != ET_CORE)
		return error_new("%s is not a core file", r->name);
	if (e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB ||
	    e.e_phentsize != sizeof(Elf64_Phdr))
		return error_new("%s is not a core file of a 64-bit process", r->name);
	uint64_t count = e.e_phnum;
	Elf64_Shdr first;
	if (count == PN_XNUM && bytes_are_there(r->fd, e.e_shoff, &first, sizeof(first)))
		count = first.sh_info;
	for (uint64_t i = 0; i < MIN(count, (uint64_t)PARTS_MOST); i++) {
		Elf64_Phdr h;
		if (!bytes_are_there(r->fd, e.e_phoff + i * sizeof(h), &h, sizeof(h)))
			return error_new("%s is truncated: it has %llu of %llu program headers",
					 r->name, (unsigned long long)i, (unsigned long long)count);
		struct error *err = header_read(r, &h);
		if (err)
			return err;
	}
	parts_sort(r);
	return NULL;
}

struct error *core_open(const char *path, struct remains *ret)
{
	struct stat st;
	*ret = (struct remains) { .name = mem_strdup(path) };
	ret->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (ret->fd < 0 || fstat(ret->fd, &st) < 0)
		return error_sys(errno, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return error_new("%s is not a regular file", path);
	ret->size = (uint64_t)st.st_size;
	return core_headers(ret);
}
