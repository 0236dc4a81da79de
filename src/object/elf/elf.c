/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf - programs and libraries: segments, code, sections; their symbols: elf_symbols.c
 *
 * The file is mapped.  libelf reads its tables, of 32 bits as of 64; one that is not wholly inside
 * the file counts as missing.  What they lead to is read through struct bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "object/elf/elf_internal.h"
#include "object/frames/frames.h"

/* --- opening --- */

/*
 * libelf takes 272 bytes for each section, at once, and a sparse file may claim a section for each
 * 64 of its bytes: 4 GB of nothing would be 18 GB of our memory.
 */
#define SECTIONS_MOST (1u << 18)

/* Where the number of sections does not fit into the header, the first section's size is it. */
static bool has_too_many_sections(const struct bytes *image)
{
	bool is_wide = image->size > EI_CLASS && image->data[EI_CLASS] == ELFCLASS64;
	struct bytes at = bytes_slice(
		image, is_wide ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff), 8);
	uint64_t table = is_wide ? bytes_u64(&at) : bytes_u32(&at);
	at = bytes_slice(
		image, is_wide ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum), 2);
	if (bytes_u16(&at) || !table)
		return false;
	struct bytes first =
		bytes_slice(image, table, is_wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	at = bytes_slice(&first,
			 is_wide ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size),
			 is_wide ? 8 : 4);
	return (is_wide ? bytes_u64(&at) : bytes_u32(&at)) > SECTIONS_MOST;
}

static struct error *elf_read_header(struct elf_file *e)
{
	if (has_too_many_sections(&e->image))
		return error_new("has more than %u sections", SECTIONS_MOST);
	elf_version(EV_CURRENT);
	e->elf = elf_memory((char *)e->image.data, e->image.size);
	if (elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &e->header))
		return error_new("not an ELF file");
	if (e->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return error_new("not a little-endian ELF file of 32 or 64 bits");
	e->word = gelf_getclass(e->elf) == ELFCLASS32 ? 4 : 8;
	return NULL;
}

bool elf_section_at(const struct elf_file *e, uint64_t index, GElf_Shdr *ret)
{
	return gelf_getshdr(elf_getscn(e->elf, index), ret);
}

bool elf_program_header(const struct elf_file *e, uint64_t index, GElf_Phdr *ret)
{
	size_t count;
	return elf_getphdrnum(e->elf, &count) == 0 && index < count &&
	       gelf_getphdr(e->elf, (int)index, ret);
}

static void read_segments(struct elf_file *e)
{
	GElf_Phdr p;
	for (uint64_t i = 0; elf_program_header(e, i, &p); i++)
		if (p.p_type == PT_LOAD)
			vector_push(&e->segments, p);
}

static struct error *map_file(struct elf_file *e, const char *path, const char *name)
{
	/* Not blocking: a path may turn out to be a pipe. */
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_sys(errno, "cannot open %s", name);
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return error_new("%s: not an ELF file", name);
	/* Our own copy of it: libelf notes in the headers which sections it has decompressed. */
	struct error *err = mapped_file_init(&e->mapped, fd, name);
	e->image = e->mapped.bytes;
	return err;
}

/* E, whose image ERR says is there or not. */
static struct error *elf_file_finish(struct elf_file *e, struct error *err, const char *name,
				     struct elf_file **ret)
{
	if (!err) {
		err = elf_read_header(e);
		if (err)
			err = error_wrap(err, "%s", name);
	}
	if (err) {
		elf_file_free(e);
		return err;
	}
	read_segments(e);
	*ret = e;
	return NULL;
}

struct error *elf_file_open_named(const char *path, const char *name, struct elf_file **ret)
{
	struct elf_file *e = mem_zalloc(sizeof(*e));
	return elf_file_finish(e, map_file(e, path, name), name, ret);
}

static struct error *copy_bytes(struct elf_file *e, const void *bytes, size_t size,
				const char *name)
{
	void *p = mmap(NULL, MAX(size, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	if (p == MAP_FAILED)
		return error_sys(errno, "cannot map %s", name);
	memcpy(p, bytes, size);
	e->image = bytes_of(p, size);
	return NULL;
}

struct error *elf_file_of_bytes(const void *bytes, size_t size, const char *name,
				struct elf_file **ret)
{
	struct elf_file *e = mem_zalloc(sizeof(*e));
	return elf_file_finish(e, copy_bytes(e, bytes, size, name), name, ret);
}

struct error *elf_file_open(const char *path, struct elf_file **ret)
{
	return elf_file_open_named(path, path, ret);
}

void elf_file_free(struct elf_file *e)
{
	if (!e)
		return;
	if (e->mapped.bytes.data)
		mapped_file_deinit(&e->mapped);
	else if (e->image.data)
		munmap((void *)e->image.data, MAX(e->image.size, 1));
	elf_file_free(e->debugdata);
	frames_free(e->frames);
	elf_end(e->elf);
	vector_free(&e->segments);
	vector_free(&e->symbols);
	vector_free(&e->thread_locals);
	free(e->by_name);
	free(e->highest_end);
	arena_free(e->names);
	free(e);
}

/* --- addresses --- */

const GElf_Phdr *elf_segment_of(const struct elf_file *e, uint64_t address)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const GElf_Phdr *p = &e->segments.items[i];
		if (address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz)
			return p;
	}
	return NULL;
}

bool elf_file_is_code(const struct elf_file *e, uint64_t address)
{
	const GElf_Phdr *p = elf_segment_of(e, address);
	return p && p->p_flags & PF_X;
}

bool elf_file_is_writable(const struct elf_file *e, uint64_t address)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const GElf_Phdr *p = &e->segments.items[i];
		if (p->p_flags & PF_W && address >= p->p_vaddr && address - p->p_vaddr < p->p_memsz)
			return true;
	}
	return false;
}

unsigned elf_file_code_segments(const struct elf_file *e)
{
	unsigned count = 0;
	for (size_t i = 0; i < e->segments.count; i++)
		count += (e->segments.items[i].p_flags & PF_X) != 0;
	return count;
}

bool elf_file_offset(const struct elf_file *e, uint64_t address, uint64_t *ret)
{
	const GElf_Phdr *p = elf_segment_of(e, address);
	if (!p)
		return false;
	*ret = address - p->p_vaddr + p->p_offset;
	return true;
}

bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const GElf_Phdr *p = &e->segments.items[i];
		if (offset >= p->p_offset && offset - p->p_offset < p->p_filesz) {
			*ret = offset - p->p_offset + p->p_vaddr;
			return true;
		}
	}
	return false;
}

bool elf_file_zeroed_address(const struct elf_file *e, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const GElf_Phdr *p = &e->segments.items[i];
		if (p->p_flags & PF_W && offset >= p->p_offset &&
		    offset - p->p_offset >= p->p_filesz && offset - p->p_offset < p->p_memsz) {
			*ret = offset - p->p_offset + p->p_vaddr;
			return true;
		}
	}
	return false;
}

bool elf_file_segment(const struct elf_file *e, size_t index, uint64_t *offset, uint64_t *address)
{
	size_t left = index;
	for (size_t i = 0; i < e->segments.count; i++) {
		const GElf_Phdr *p = &e->segments.items[i];
		if (p->p_filesz == 0 || left-- > 0)
			continue;
		*offset = p->p_offset;
		*address = p->p_vaddr;
		return true;
	}
	return false;
}

struct bytes elf_file_code(const struct elf_file *e, uint64_t address, size_t len)
{
	const GElf_Phdr *p = elf_segment_of(e, address);
	if (!p)
		return bytes_of(NULL, 0);
	uint64_t skip = address - p->p_vaddr;
	uint64_t offset = skip + p->p_offset;
	if (offset < skip || offset >= e->image.size)
		return bytes_of(NULL, 0);
	uint64_t have = MIN(p->p_filesz - skip, e->image.size - offset);
	return bytes_of(e->image.data + offset, MIN(have, len));
}

void *elf_file_image(const struct elf_file *e, size_t *size)
{
	*size = e->image.size;
	return (void *)e->image.data;
}

uint64_t elf_file_entry(const struct elf_file *e)
{
	return e->header.e_entry;
}

unsigned elf_file_word(const struct elf_file *e)
{
	return e->word;
}

uint16_t elf_file_machine(const struct elf_file *e)
{
	return e->header.e_machine;
}

bool elf_file_lost_bytes(const struct elf_file *e)
{
	return mapped_file_lost_bytes(&e->mapped);
}

const struct frames *elf_file_frames(struct elf_file *e)
{
	if (e && !e->frames)
		e->frames = frames_read(e);
	return e ? e->frames : &frames_none;
}

size_t elf_file_memory(const struct elf_file *e)
{
	return e->symbols.capacity * sizeof(*e->symbols.items) +
	       e->symbols.count * sizeof(*e->highest_end) + e->names_slots * sizeof(*e->by_name) +
	       e->thread_locals.capacity * sizeof(*e->thread_locals.items) + e->names_size +
	       (e->frames ? frames_memory(e->frames) : 0) +
	       (e->debugdata ? e->debugdata->image.size : 0);
}

/* --- parts --- */

static bool section_has_name(const struct bytes *names, const GElf_Shdr *s, const char *name)
{
	const char *its = bytes_string_at(names, s->sh_name);
	return its && string_equal(its, name);
}

static bool elf_section_named(const struct elf_file *e, const char *name, GElf_Shdr *ret)
{
	GElf_Shdr s;
	size_t names_at;
	if (elf_getshdrstrndx(e->elf, &names_at) < 0 || !elf_section_at(e, names_at, &s))
		return false;
	struct bytes names = bytes_slice(&e->image, s.sh_offset, s.sh_size);
	for (uint64_t i = 1; elf_section_at(e, i, ret); i++) {
		if (section_has_name(&names, ret, name))
			return ret->sh_type != SHT_NOBITS;
	}
	return false;
}

bool elf_file_has_section(const struct elf_file *e, const char *name)
{
	GElf_Shdr s;
	return elf_section_named(e, name, &s);
}

bool elf_file_section(const struct elf_file *e, const char *name, struct bytes *ret,
		      uint64_t *address)
{
	GElf_Shdr s;
	if (!elf_section_named(e, name, &s) || s.sh_flags & SHF_COMPRESSED)
		return false;
	*ret = bytes_slice(&e->image, s.sh_offset, s.sh_size);
	*address = s.sh_addr;
	return !ret->failed;
}

/* The bytes of the INDEXth part of the file whose header is of TYPE; empty: there is none. */
static struct bytes elf_file_part(const struct elf_file *e, uint32_t type, size_t index,
				  uint64_t *address)
{
	GElf_Phdr p;
	for (uint64_t i = 0; elf_program_header(e, i, &p); i++) {
		if (p.p_type != type || index-- > 0)
			continue;
		*address = p.p_vaddr;
		return bytes_slice(&e->image, p.p_offset, p.p_filesz);
	}
	return bytes_of(NULL, 0);
}

struct bytes elf_file_frame_header(const struct elf_file *e, uint64_t *address)
{
	return elf_file_part(e, PT_GNU_EH_FRAME, 0, address);
}

static struct bytes build_id_of(struct bytes notes)
{
	struct elf_note note;
	while (elf_note_next(&notes, &note))
		if (note.type == NT_GNU_BUILD_ID && elf_note_is_of(&note, ELF_NOTE_GNU))
			return note.descriptor;
	return bytes_of(NULL, 0);
}

struct bytes elf_file_build_id(const struct elf_file *e)
{
	struct bytes notes, id = { 0 };
	uint64_t address;
	if (elf_file_section(e, ".note.gnu.build-id", &notes, &address))
		id = build_id_of(notes);
	for (size_t i = 0; !id.size; i++) {
		notes = elf_file_part(e, PT_NOTE, i, &address);
		if (!notes.size)
			break;
		id = build_id_of(notes);
	}
	return id;
}

const char *elf_file_debug_link(const struct elf_file *e, uint32_t *checksum)
{
	struct bytes link;
	uint64_t address;
	if (!elf_file_section(e, ".gnu_debuglink", &link, &address))
		return NULL;
	const char *name = bytes_string_at(&link, 0);
	if (!name || !*name)
		return NULL;
	bytes_take(&link, ALIGN_UP(strlen(name) + 1, 4));
	*checksum = bytes_u32(&link);
	return link.failed ? NULL : name;
}
