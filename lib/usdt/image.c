/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image - probes to the bytes of an ELF file, a shared object without a dynamic section
 *
 *	ELF header, program headers
 *	.note.gnu.build-id  .stapsdt.base  .eh_frame_hdr  .eh_frame  .text	mapped as code
 *	.probes			semaphores, from a page's beginning		mapped as data
 *	.note.stapsdt  .note.dtrace  .symtab  .strtab  .shstrtab		not mapped
 *	section headers
 *
 * Addresses are offsets in the file.  .note.dtrace has the declarations of the arguments
 *(src/object/note/dtrace_note.h). .eh_frame lets tracers walk the stack from a site.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum section {
	NONE,
	BUILD_ID,
	BASE,
	FRAMES_HEADER,
	FRAMES,
	TEXT,
	PROBES,
	STAPSDT,
	TYPES,
	SYMBOLS,
	STRINGS,
	NAMES,
	SECTIONS
};

static const struct {
	const char *name;
	unsigned type, flags, align, link, entry;
} sections[SECTIONS] = {
	[NONE] = { "" },
	[BUILD_ID] = { ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4 },
	[BASE] = { ".stapsdt.base", SHT_PROGBITS, SHF_ALLOC, 1 },
	[FRAMES_HEADER] = { ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 4 },
	[FRAMES] = { ".eh_frame", SHT_PROGBITS, SHF_ALLOC, 8 },
	[TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16 },
	[PROBES] = { ".probes", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 2 },
	[STAPSDT] = { ".note.stapsdt", SHT_NOTE, 0, 4 },
	[TYPES] = { ".note.dtrace", SHT_NOTE, 0, 4 },
	[SYMBOLS] = { ".symtab", SHT_SYMTAB, 0, 8, STRINGS, sizeof(Elf64_Sym) },
	[STRINGS] = { ".strtab", SHT_STRTAB, 0, 1 },
	[NAMES] = { ".shstrtab", SHT_STRTAB, 0, 1 },
};

#define SEGMENTS 5
#define BUILD_ID_SIZE 20

struct writer {
	const struct machine *m;
	unsigned char *bytes;
	size_t size, room;
	bool failed;
	size_t at[SECTIONS], end[SECTIONS]; /* of each section */
};

/* --- bytes --- */

static bool make_room(struct writer *w, size_t size)
{
	if (w->failed || size <= w->room - w->size)
		return !w->failed;
	size_t room = 2 * w->room + size + 4096;
	unsigned char *bytes = realloc(w->bytes, room);
	if (!bytes) {
		w->failed = true;
		return false;
	}
	memset(bytes + w->room, 0, room - w->room);
	w->bytes = bytes;
	w->room = room;
	return true;
}

static void put(struct writer *w, const void *bytes, size_t size)
{
	if (size && make_room(w, size)) {
		if (bytes)
			memcpy(w->bytes + w->size, bytes, size);
		w->size += size;
	}
}

static void put_zeros(struct writer *w, size_t size)
{
	put(w, NULL, size);
}

static void put_u16(struct writer *w, uint16_t value)
{
	put(w, &value, sizeof(value));
}

static void put_u32(struct writer *w, uint32_t value)
{
	put(w, &value, sizeof(value));
}

static void put_u64(struct writer *w, uint64_t value)
{
	put(w, &value, sizeof(value));
}

static void put_string(struct writer *w, const char *text)
{
	put(w, text, strlen(text) + 1);
}

static void align(struct writer *w, size_t to)
{
	put_zeros(w, (to - w->size % to) % to);
}

/* VALUE in the four bytes AT, which were left free. */
static void patch_u32(struct writer *w, size_t at, uint32_t value)
{
	if (!w->failed)
		memcpy(w->bytes + at, &value, sizeof(value));
}

static void section_begin(struct writer *w, enum section s)
{
	align(w, sections[s].align);
	w->at[s] = w->size;
}

static void section_end(struct writer *w, enum section s)
{
	w->end[s] = w->size;
}

/* --- notes --- */

/* Where the length is, for note_end(). */
static size_t note_begin(struct writer *w, const char *owner, uint32_t type)
{
	put_u32(w, (uint32_t)strlen(owner) + 1);
	size_t length = w->size;
	put_u32(w, 0);
	put_u32(w, type);
	put_string(w, owner);
	align(w, 4);
	return length;
}

static void note_end(struct writer *w, size_t length, size_t descriptor)
{
	patch_u32(w, length, (uint32_t)(w->size - descriptor));
	align(w, 4);
}

/* "-4@%edi 8@%rsi" */
static void put_operands(struct writer *w, const struct arguments *a)
{
	for (unsigned i = 0; i < a->count; i++) {
		const struct argument *argument = &a->list[i];
		char text[48];
		int length = snprintf(text, sizeof(text), "%s%s%u@", i ? " " : "",
				      argument->is_signed ? "-" : "", argument->size);
		length += w->m->operand(i, argument->size, text + length,
					sizeof(text) - (size_t)length);
		put(w, text, (size_t)length);
	}
	put_zeros(w, 1);
}

static void put_stapsdt(struct writer *w, const char *provider, const struct dtusdt_probe *p,
			unsigned index)
{
	size_t length = note_begin(w, "stapsdt", 3), descriptor = w->size;
	put_u64(w, w->at[TEXT] + (uint64_t)index * w->m->function_size);
	put_u64(w, w->at[BASE]);
	put_u64(w, w->at[PROBES] + index * sizeof(uint16_t));
	put_string(w, provider);
	put_string(w, p->name);
	put_operands(w, &p->arguments);
	note_end(w, length, descriptor);
}

/* D's name: two underscores are a hyphen. */
static void put_shown(struct writer *w, const char *name)
{
	for (const char *c = name; *c; c++) {
		bool is_hyphen = c[0] == '_' && c[1] == '_';
		put(w, is_hyphen ? "-" : c, 1);
		c += is_hyphen;
	}
	put_zeros(w, 1);
}

#define NOTE_PROVIDER 1
#define NOTE_PROBE 2

/* Its stability is not known: Unstable, Unstable, Common, five times. */
static void put_provider(struct writer *w, const char *provider)
{
	static const unsigned char attributes[] = {
		4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 0
	};
	size_t length = note_begin(w, "DTrace", NOTE_PROVIDER), descriptor = w->size;
	put_u16(w, 1);
	put_u16(w, 0);
	put(w, attributes, sizeof(attributes));
	put_string(w, provider);
	note_end(w, length, descriptor);
}

/* The types are those that the probe gives and those that D sees: the same. */
static void put_types(struct writer *w, const char *provider, const struct dtusdt_probe *p)
{
	const struct arguments *a = &p->arguments;
	size_t length = note_begin(w, "DTrace", NOTE_PROBE), descriptor = w->size;
	const unsigned char counts[] = { (unsigned char)a->count, (unsigned char)a->count };
	put_u16(w, 1);
	put(w, counts, sizeof(counts));
	for (unsigned char i = 0; i < a->count; i++)
		put(w, &i, 1);
	align(w, 4);
	put_string(w, provider);
	put_shown(w, p->name);
	for (unsigned i = 0; i < 2 * a->count; i++)
		put_string(w, a->list[i % a->count].declaration);
	note_end(w, length, descriptor);
}

/* --- sections --- */

static void put_build_id(struct writer *w)
{
	section_begin(w, BUILD_ID);
	size_t length = note_begin(w, "GNU", NT_GNU_BUILD_ID), descriptor = w->size;
	put_zeros(w, BUILD_ID_SIZE); /* build_id_set() */
	note_end(w, length, descriptor);
	section_end(w, BUILD_ID);
}

/* Of the bytes alone, so that equal files have equal ids (FNV-1a). */
static void build_id_set(struct writer *w)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < w->size; i++)
		hash = (hash ^ w->bytes[i]) * 0x100000001b3;
	for (size_t i = 0; i < BUILD_ID_SIZE; i++) {
		w->bytes[w->end[BUILD_ID] - BUILD_ID_SIZE + i] = (unsigned char)(hash >> 56);
		hash = (hash ^ i) * 0x100000001b3;
	}
}

static void put_base(struct writer *w)
{
	section_begin(w, BASE);
	put_zeros(w, 1);
	section_end(w, BASE);
}

#define DW_EH_PE_sdata4_pcrel 0x1b
#define DW_EH_PE_sdata4_datarel 0x3b
#define DW_EH_PE_udata4 0x03

/*
 * One entry for all functions.  The header is a table of one row; the addresses of code and rows
 * are known when .eh_frame and .text are.
 */
static void put_frames(struct writer *w, unsigned count)
{
	static const unsigned char encodings[] = { 1, DW_EH_PE_sdata4_pcrel, DW_EH_PE_udata4,
						   DW_EH_PE_sdata4_datarel };
	section_begin(w, FRAMES_HEADER);
	size_t header = w->size;
	put(w, encodings, sizeof(encodings));
	put_zeros(w, 16);
	section_end(w, FRAMES_HEADER);

	section_begin(w, FRAMES);
	size_t common = w->size;
	put(w, w->m->frames, w->m->frames_size);
	patch_u32(w, common, w->m->frames_size - 4);
	size_t entry = w->size;
	put_u32(w, 4 * 4);
	put_u32(w, (uint32_t)(w->size - common));
	size_t function = w->size;
	put_u32(w, 0);
	put_u32(w, count * w->m->function_size);
	put_u32(w, 0); /* no augmentation data; nops */
	put_u32(w, 0); /* the end */
	section_end(w, FRAMES);

	align(w, sections[TEXT].align);
	patch_u32(w, function, (uint32_t)(w->size - function));
	patch_u32(w, header + 4, (uint32_t)(common - (header + 4)));
	patch_u32(w, header + 8, 1);
	patch_u32(w, header + 12, (uint32_t)(w->size - header));
	patch_u32(w, header + 16, (uint32_t)(entry - header));
}

static void put_code(struct writer *w, unsigned count)
{
	section_begin(w, TEXT);
	for (unsigned i = 0; i < count; i++)
		put(w, w->m->function, w->m->function_size);
	section_end(w, TEXT);
}

static void put_notes(struct writer *w, const char *provider, struct dtusdt_probe *const *probes,
		      unsigned count)
{
	section_begin(w, STAPSDT);
	for (unsigned i = 0; i < count; i++)
		put_stapsdt(w, provider, probes[i], i);
	section_end(w, STAPSDT);
	section_begin(w, TYPES);
	put_provider(w, provider);
	for (unsigned i = 0; i < count; i++)
		put_types(w, provider, probes[i]);
	section_end(w, TYPES);
}

static void put_symbols(struct writer *w, struct dtusdt_probe *const *probes, unsigned count)
{
	uint32_t name = 1;
	section_begin(w, SYMBOLS);
	put_zeros(w, sizeof(Elf64_Sym));
	for (unsigned i = 0; i < count; i++) {
		const Elf64_Sym symbol = {
			.st_name = name,
			.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC), /* names may repeat */
			.st_shndx = TEXT,
			.st_value = w->at[TEXT] + (uint64_t)i * w->m->function_size,
			.st_size = w->m->code_size,
		};
		put(w, &symbol, sizeof(symbol));
		name += (uint32_t)strlen(probes[i]->function) + 1;
	}
	section_end(w, SYMBOLS);
	section_begin(w, STRINGS);
	put_zeros(w, 1);
	for (unsigned i = 0; i < count; i++)
		put_string(w, probes[i]->function);
	section_end(w, STRINGS);
}

/* --- headers --- */

static void put_section_headers(struct writer *w)
{
	uint32_t name = 0;
	align(w, 8);
	for (unsigned i = 0; i < SECTIONS; i++) {
		const Elf64_Shdr header = {
			.sh_name = name,
			.sh_type = sections[i].type,
			.sh_flags = sections[i].flags,
			.sh_addr = sections[i].flags & SHF_ALLOC ? w->at[i] : 0,
			.sh_offset = w->at[i],
			.sh_size = w->end[i] - w->at[i],
			.sh_link = sections[i].link,
			.sh_info = i == SYMBOLS
					   ? (uint32_t)(w->end[i] - w->at[i]) / sizeof(Elf64_Sym)
					   : 0,
			.sh_addralign = sections[i].align,
			.sh_entsize = sections[i].entry,
		};
		put(w, &header, sizeof(header));
		name += (uint32_t)strlen(sections[i].name) + 1;
	}
}

static void put_section_names(struct writer *w)
{
	section_begin(w, NAMES);
	for (unsigned i = 0; i < SECTIONS; i++)
		put_string(w, sections[i].name);
	section_end(w, NAMES);
}

static Elf64_Phdr segment(unsigned type, unsigned flags, size_t from, size_t to, size_t align_to)
{
	return (Elf64_Phdr) {
		.p_type = type,
		.p_flags = flags,
		.p_offset = from,
		.p_vaddr = from,
		.p_paddr = from,
		.p_filesz = to - from,
		.p_memsz = to - from,
		.p_align = align_to,
	};
}

static void set_segments(struct writer *w, size_t page)
{
	const Elf64_Phdr list[SEGMENTS] = {
		segment(PT_LOAD, PF_R | PF_X, 0, w->end[TEXT], page),
		segment(PT_LOAD, PF_R | PF_W, w->at[PROBES], w->end[PROBES], page),
		segment(PT_NOTE, PF_R, w->at[BUILD_ID], w->end[BUILD_ID], 4),
		segment(PT_GNU_EH_FRAME, PF_R, w->at[FRAMES_HEADER], w->end[FRAMES_HEADER], 4),
		segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 16),
	};
	memcpy(w->bytes + sizeof(Elf64_Ehdr), list, sizeof(list));
}

static void set_header(struct writer *w, size_t section_headers)
{
	const Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = w->m->elf_number,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = section_headers,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = SEGMENTS,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = NAMES,
	};
	memcpy(w->bytes, &header, sizeof(header));
}

int image_make(const struct machine *m, const char *provider, struct dtusdt_probe *const *probes,
	       unsigned count, size_t page, struct image *ret)
{
	struct writer w = { .m = m };
	put_zeros(&w, sizeof(Elf64_Ehdr) + SEGMENTS * sizeof(Elf64_Phdr));
	put_build_id(&w);
	put_base(&w);
	put_frames(&w, count);
	put_code(&w, count);
	align(&w, page);
	section_begin(&w, PROBES);
	put_zeros(&w, count * sizeof(uint16_t));
	section_end(&w, PROBES);
	put_notes(&w, provider, probes, count);
	put_symbols(&w, probes, count);
	put_section_names(&w);
	align(&w, 8);
	size_t section_headers = w.size;
	put_section_headers(&w);
	if (w.failed) {
		free(w.bytes);
		return fail(ENOMEM, "out of memory");
	}
	set_segments(&w, page);
	set_header(&w, section_headers);
	build_id_set(&w);
	*ret = (struct image) {
		.bytes = w.bytes,
		.size = w.size,
		.code_size = w.end[TEXT],
		.data_at = w.at[PROBES],
		.data_size = w.end[PROBES] - w.at[PROBES],
		.functions = w.at[TEXT],
	};
	return 0;
}
