/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which file a mapping is of
 *
 * A core has the first page of each mapped ELF file (coredump_filter 16, the default), which has
 * the build id: the file that has the path now may be another one.
 */
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "object/object.h"
#include "postmortem/internal.h"

#define HEADER_PAGE 4096

/* Of the ELF file whose first bytes these are; empty: not known. */
static struct bytes header_build_id(struct bytes page)
{
	Elf64_Ehdr e;
	struct bytes header = page, none = { 0 };
	const void *bytes = bytes_take(&header, sizeof(e));
	if (!bytes)
		return none;
	memcpy(&e, bytes, sizeof(e));
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64)
		return none;
	struct bytes table = bytes_slice(&page, e.e_phoff, e.e_phnum * sizeof(Elf64_Phdr));
	for (unsigned i = 0; i < e.e_phnum && !table.failed; i++) {
		Elf64_Phdr h;
		const void *one = bytes_take(&table, sizeof(h));
		if (!one)
			break;
		memcpy(&h, one, sizeof(h));
		struct bytes notes = bytes_slice(&page, h.p_offset, h.p_filesz);
		struct elf_note note;
		while (h.p_type == PT_NOTE && !notes.failed && elf_note_next(&notes, &note))
			if (note.type == NT_GNU_BUILD_ID && elf_note_is_of(&note, "GNU"))
				return note.descriptor;
	}
	return none;
}

enum identity { FILE_SAME, FILE_CHANGED, FILE_UNKNOWN, FILE_NO_CODE };

static bool bytes_are_equal(struct bytes a, struct bytes b)
{
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* The file that has the path of M now against M's: by build ids, else by their first pages. */
static enum identity file_identity(const struct remains *r, const struct mapping *m)
{
	unsigned char page[HEADER_PAGE], now[HEADER_PAGE] = { 0 };
	bool is_known = remains_read(r, m->start, page, sizeof(page)) == sizeof(page);
	if (is_known && memcmp(page, ELFMAG, SELFMAG) != 0)
		return FILE_NO_CODE;
	auto_close int fd = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct elf_file *elf = NULL;
	auto_error struct error *err = elf_file_open(m->path, &elf);
	if (err)
		return is_known ? FILE_CHANGED : FILE_NO_CODE;
	struct bytes id = header_build_id(bytes_of(page, is_known ? sizeof(page) : 0));
	bool same = is_known && pread(fd, now, sizeof(now), 0) > 0;
	if (id.size)
		same = bytes_are_equal(id, elf_file_build_id(elf));
	else
		same = same && memcmp(page, now, sizeof(now)) == 0;
	elf_file_free(elf);
	return same ? FILE_SAME : is_known ? FILE_CHANGED : FILE_UNKNOWN;
}

/* M and the mappings of the same file after it are of the file that is here. */
static void files_identify(struct post_mortem *p, size_t first)
{
	struct mapping *m = &p->remains.files.items[first];
	struct stat st;
	if (m->path[0] != '/' || stat(m->path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	enum identity identity = file_identity(&p->remains, m);
	p->changed += identity == FILE_CHANGED;
	p->unknown += identity == FILE_UNKNOWN;
	if (identity != FILE_SAME)
		return;
	for (size_t i = first; i < p->remains.files.count; i++) {
		struct mapping *other = &p->remains.files.items[i];
		if (!string_equal(other->path, m->path))
			break;
		other->inode = st.st_ino;
		other->dev_major = major(st.st_dev);
		other->dev_minor = minor(st.st_dev);
	}
}

/* Is it the file of the mapping before? */
static bool is_of_last(const struct mapping *list, size_t i)
{
	return i && string_equal(list[i].path, list[i - 1].path);
}

const struct mapping *post_mortem_files(struct post_mortem *p, size_t *count, unsigned *changed,
					unsigned *unknown)
{
	const struct mapping *list = p->remains.files.items;
	for (size_t i = 0; !p->files_are_known && i < p->remains.files.count; i++)
		if (!list[i].offset && !is_of_last(list, i))
			files_identify(p, i);
	p->files_are_known = true;
	*count = p->remains.files.count;
	*changed = p->changed;
	*unknown = p->unknown;
	return list;
}
