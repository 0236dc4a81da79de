/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which file a mapping is of
 *
 * A core has the first page of each mapped ELF file (coredump_filter 16, the default), which has
 * the build id: the file that has the path now may be another one.
 */
#include <elf.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

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

/* The file that has the path of M now: does it have the build id that M's file had? */
static bool file_is_same(const struct remains *r, const struct mapping *m)
{
	unsigned char page[HEADER_PAGE];
	uint64_t got = remains_read(r, m->start, page, sizeof(page));
	struct bytes id = header_build_id(bytes_of(page, got));
	struct elf_file *elf = NULL;
	auto_error struct error *err = elf_file_open(m->path, &elf);
	if (err)
		return false;
	struct bytes its = elf_file_build_id(elf);
	bool same = !id.size || (its.size == id.size && memcmp(its.data, id.data, id.size) == 0);
	elf_file_free(elf);
	return same;
}

/* M and the mappings of the same file after it are of the file that is here. */
static void files_identify(struct post_mortem *p, size_t first)
{
	struct mapping *m = &p->remains.files.items[first];
	struct stat st;
	if (m->path[0] != '/' || stat(m->path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	if (!file_is_same(&p->remains, m)) {
		p->changed++;
		return;
	}
	for (size_t i = first; i < p->remains.files.count; i++) {
		struct mapping *other = &p->remains.files.items[i];
		if (!string_equal(other->path, m->path))
			break;
		other->inode = st.st_ino;
		other->dev_major = major(st.st_dev);
		other->dev_minor = minor(st.st_dev);
	}
}

const struct mapping *post_mortem_files(struct post_mortem *p, size_t *count, unsigned *changed)
{
	for (size_t i = 0; !p->files_are_known && i < p->remains.files.count; i++)
		if (!p->remains.files.items[i].offset)
			files_identify(p, i);
	p->files_are_known = true;
	*count = p->remains.files.count;
	*changed = p->changed;
	return p->remains.files.items;
}
