/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/frames/frames.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <sys/mman.h>

#include "test.h"

/* Sections .eh_frame at FRAMES and its header, both in the one segment; symbols, if a test sets
 * them. */
#define BASE 0x10000

struct program {
	Elf64_Ehdr header;
	Elf64_Phdr segments[2];
	Elf64_Shdr sections[4];
	char names[32];
	Elf64_Sym symbols[8];
	unsigned char frame_header[16];
	unsigned char frames[256];
	size_t used; /* of frames */
};

#define AT(field) offsetof(struct program, field)

static void program_init(struct program *p)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->header.e_ident, ELFMAG "\2\1\1", 7);
	p->header.e_phoff = AT(segments);
	p->header.e_phentsize = sizeof(Elf64_Phdr);
	p->header.e_phnum = 2;
	p->header.e_shoff = AT(sections);
	p->header.e_shentsize = sizeof(Elf64_Shdr);
	p->header.e_shnum = 4;
	p->header.e_shstrndx = 1;
	p->segments[0] = (Elf64_Phdr) { .p_type = PT_LOAD,
					.p_flags = PF_R | PF_X,
					.p_vaddr = BASE,
					.p_filesz = sizeof(*p),
					.p_memsz = sizeof(*p) };
	p->segments[1] = (Elf64_Phdr) { .p_type = PT_GNU_EH_FRAME,
					.p_offset = AT(frame_header),
					.p_vaddr = BASE + AT(frame_header),
					.p_filesz = sizeof(p->frame_header) };
	p->sections[1] = (Elf64_Shdr) { .sh_type = SHT_STRTAB,
					.sh_offset = AT(names),
					.sh_size = sizeof(p->names) };
	p->sections[2] = (Elf64_Shdr) { .sh_type = SHT_PROGBITS,
					.sh_name = 1,
					.sh_addr = BASE + AT(frames),
					.sh_offset = AT(frames),
					.sh_size = sizeof(p->frames) };
	p->sections[3] = (Elf64_Shdr) { .sh_type = SHT_SYMTAB,
					.sh_link = 1,
					.sh_offset = AT(symbols),
					.sh_size = sizeof(p->symbols) };
	memcpy(p->names, "\0.eh_frame\0f\0_g\0h\0in\0d\0v", 25);
	/* version 1, the section's place as a number relative to its own, no table */
	int32_t distance = (int32_t)(AT(frames) - AT(frame_header) - 4);
	memcpy(p->frame_header, "\1\x1b\xff\xff", 4);
	memcpy(p->frame_header + 4, &distance, 4);
}

/* An entry of LEN bytes with their length in front; where it begins. */
static uint32_t add(struct program *p, const void *bytes, uint32_t len)
{
	uint32_t at = (uint32_t)p->used;
	memcpy(p->frames + at, &len, 4);
	memcpy(p->frames + at + 4, bytes, len);
	p->used += 4 + len;
	return at;
}

/* zR: addresses as 32 bits relative to their place; code factor 1, data factor -8, column 16. */
static const unsigned char cie[] = { 0,	 0, 0,	  0,	1, 'z', 'R',  0, 1, 0x78,
				     16, 1, 0x1b, 0x0c, 7, 8,	0x90, 1, 0, 0 };

static uint32_t add_fde(struct program *p, uint32_t of, uint64_t begin, uint32_t size,
			unsigned char first)
{
	unsigned char fde[20] = { 0 };
	uint32_t id_at = (uint32_t)p->used + 4, back = id_at - of;
	int32_t distance = (int32_t)(begin - (BASE + AT(frames) + id_at + 4));
	memcpy(fde, &back, 4);
	memcpy(fde + 4, &distance, 4);
	memcpy(fde + 8, &size, 4);
	fde[13] = first;
	return add(p, fde, sizeof(fde));
}

static struct elf_file *open_bytes(const void *bytes, size_t size)
{
	char path[64];
	auto_close int fd = memfd_create("frames", MFD_CLOEXEC);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct elf_file *e = NULL;
	error_free(elf_file_open(path, &e));
	return e;
}

static void check_two(struct program *p)
{
	struct elf_file *e = open_bytes(p, sizeof(*p));
	struct frames *f = frames_read(e);
	size_t count;
	const struct frame_range *r = frames_ranges(f, &count);
	CHECK_INT(count, 2);
	if (count == 2) {
		CHECK_INT(r[0].begin, 0x500);
		CHECK_INT(r[0].end, 0x540);
		CHECK_INT(r[1].begin, 0x20000);
		struct frame_entry entry;
		CHECK(frames_entry(f, &r[0], &entry));
		CHECK_INT(entry.data_factor, -8);
		CHECK_INT(entry.code_factor, 1);
		CHECK_INT(entry.return_column, 16);
		CHECK_INT(entry.initial.data[0], 0x0c);
		CHECK(!entry.begins_as_its_function); /* def_cfa_offset comes first */
		CHECK(frames_entry(f, &r[1], &entry) && entry.begins_as_its_function);
		CHECK(!frames_at(f, 0x4ff) && !frames_at(f, 0x540) && !frames_at(f, UINT64_MAX));
		CHECK(frames_at(f, 0x500) == &r[0] && frames_at(f, 0x53f) == &r[0]);
		CHECK(frames_at(f, 0x2000f) == &r[1]);
	}
	frames_free(f);
	elf_file_free(e);
}

static struct program with_two(void)
{
	struct program p;
	program_init(&p);
	uint32_t of = add(&p, cie, sizeof(cie));
	add_fde(&p, of, 0x20000, 16, 0x41); /* advance_loc 1 */
	add_fde(&p, of, 0x500, 64, 0x0e);   /* def_cfa_offset */
	return p;
}

TEST(ranges_and_what_an_entry_says)
{
	struct program p = with_two();
	check_two(&p);
	p.header.e_shoff = 0; /* found like a loader does */
	check_two(&p);
}

static uint64_t damage_of(const struct program *p)
{
	struct elf_file *e = open_bytes(p, sizeof(*p));
	struct frames *f = frames_read(e);
	uint64_t at = frames_damage(f);
	frames_free(f);
	elf_file_free(e);
	return at;
}

TEST(damage_is_known_by_its_place)
{
	struct program p = with_two();
	CHECK_INT(damage_of(&p), UINT64_MAX);
	uint32_t bad = add_fde(&p, 0, 0xa00, 16, 0);
	memset(p.frames + bad + 4, 0xff, 4); /* a CIE before the section */
	CHECK_INT(damage_of(&p), bad);
	memset(p.frames + 4 + 4, 9, 1); /* a version that the CIE of all cannot have */
	CHECK_INT(damage_of(&p), 4 + sizeof(cie));
	memset(p.frames, 0xee, 4); /* a length beyond the section */
	CHECK_INT(damage_of(&p), 0);
	p.header.e_shoff = 0; /* how long it is nobody says */
	CHECK_INT(damage_of(&p), UINT64_MAX);
}

TEST(a_damaged_entry_has_no_range)
{
	struct program p = with_two();
	uint32_t of = 0;
	add_fde(&p, of, 0x900, 0, 0); /* no bytes of code */
	uint32_t bad = add_fde(&p, of, 0xa00, 16, 0);
	memset(p.frames + bad + 4, 0xff, 4); /* a CIE before the section */
	uint32_t zero = add_fde(&p, of, 0xb00, 16, 0);
	memset(p.frames + zero + 16, 0xff, 1); /* data longer than the entry */
	check_two(&p);
	for (size_t len = sizeof(p); len > 0; len--) {
		struct elf_file *e = open_bytes(&p, len);
		struct frames *f = frames_read(e);
		size_t count;
		frames_ranges(f, &count);
		CHECK(count <= 2);
		frames_free(f);
		elf_file_free(e);
	}
	frames_free(frames_read(NULL));
}

enum { NAME_F = 11, NAME_G = 13, NAME_H = 16, NAME_IN = 18, NAME_D = 21, NAME_V = 23 };

/* A function of 32 bytes at BASE, one of 16 at BASE + 64, a part of one at BASE + 96. */
static struct program with_symbols(unsigned type)
{
	struct program p;
	program_init(&p);
	uint32_t of = add(&p, cie, sizeof(cie));
	add_fde(&p, of, BASE, 32, 0x41);
	add_fde(&p, of, BASE + 64, 16, 0x41);
	add_fde(&p, of, BASE + 96, 16, 0x0e); /* something is saved at its first byte */
	unsigned global = STB_GLOBAL << 4;
	p.symbols[1] = (Elf64_Sym) { NAME_F, STT_NOTYPE | global, 0, 1, BASE, 0 };
	p.symbols[2] = (Elf64_Sym) { NAME_G, type, 0, 1, BASE, type == STT_FUNC ? 30 : 0 };
	p.symbols[3] = (Elf64_Sym) { NAME_IN, STT_NOTYPE, 0, 1, BASE + 8, 0 };
	p.symbols[4] = (Elf64_Sym) { NAME_D, STT_NOTYPE, 0, 1, BASE + 48, 0 };
	p.symbols[5] = (Elf64_Sym) { NAME_H, STT_NOTYPE, 0, 1, BASE + 64, 0 };
	p.symbols[6] = (Elf64_Sym) { NAME_V, STT_NOTYPE, 0, 1, BASE + 96, 0 };
	return p;
}

static void check_symbols(const struct program *p, const char *first, uint64_t size)
{
	struct elf_file *e = open_bytes(p, sizeof(*p));
	const struct elf_symbol *s;
	size_t count;
	CHECK(elf_file_symbols(e, &s, &count) == NULL);
	CHECK_INT(count, 6);
	CHECK_STR(s[0].name, first);
	CHECK(s[0].is_function && s[1].is_function && s[4].is_function);
	CHECK(!s[2].is_function && !s[3].is_function && !s[5].is_function);
	CHECK_INT(s[0].size, size);
	CHECK_INT(s[1].size, size);
	CHECK_INT(s[4].size, 16);
	CHECK_STR(elf_file_symbol_at(e, BASE + 9)->name, first); /* not the label */
	CHECK_STR(elf_file_symbol_at(e, BASE + 79)->name, "h");
	elf_file_free(e);
}

TEST(an_untyped_symbol_is_a_functions_where_its_frames_begin)
{
	struct program p = with_symbols(STT_NOTYPE);
	check_symbols(&p, "f", 32);
	p.segments[0].p_flags = PF_R; /* no code */
	struct elf_file *e = open_bytes(&p, sizeof(p));
	CHECK(!elf_file_symbol_named(e, "h")->is_function);
	elf_file_free(e);
}

TEST(an_untyped_symbol_is_another_name_of_a_typed_one)
{
	struct program p = with_symbols(STT_FUNC);
	check_symbols(&p, "_g", 30);
}

/* libdw counts the same entries in a real file. */
TEST(all_of_this_program)
{
	struct elf_file *e;
	struct error *err = elf_file_open("/proc/self/exe", &e);
	CHECK(!err);
	struct frames *f = frames_read(e);
	size_t count, wanted = 0;
	frames_ranges(f, &count);
	struct bytes section;
	uint64_t address;
	CHECK(elf_file_section(e, ".eh_frame", &section, &address));
	Elf_Data data = { .d_buf = (void *)section.data, .d_size = section.size };
	Dwarf_Off at = 0, next;
	Dwarf_CFI_Entry entry;
	size_t size;
	const unsigned char *ident = elf_file_image(e, &size);
	for (; dwarf_next_cfi(ident, &data, true, at, &next, &entry) == 0; at = next)
		wanted += entry.CIE_id != DW_CIE_ID_64 && !dwarf_cfi_cie_p(&entry);
	CHECK_INT(count, wanted);
	CHECK(count > 100);

	const struct elf_symbol *s;
	CHECK(elf_file_symbols(e, &s, &count) == NULL);
	size_t functions = 0, covered = 0;
	for (size_t i = 0; i < count; i++) {
		const struct frame_range *r = frames_at(f, s[i].address);
		functions += s[i].is_function && s[i].size;
		covered += s[i].is_function && s[i].size && r && r->begin == s[i].address;
	}
	CHECK(functions > 100 && covered > functions * 9 / 10);
	frames_free(f);
	elf_file_free(e);
}

TEST_MAIN
