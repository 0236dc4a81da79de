/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/object.h"

#include <elf.h>
#include <lzma.h>
#include <sys/mman.h>

#include "test.h"

/* An ELF file written here: one code segment at 0x1000 and a symbol table. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segments[2];
	Elf64_Shdr sections[3];
	Elf64_Sym symbols[9];
	char strings[64];
	char interpreter[16];
	unsigned char code[256];
};

#define AT(field) offsetof(struct image, field)
#define CODE 0x1000

static void make_image(struct image *i)
{
	memset(i, 0, sizeof(*i));
	memcpy(i->header.e_ident, ELFMAG "\2\1\1", 7);
	i->header.e_type = ET_DYN;
	i->header.e_entry = CODE + 7;
	i->header.e_phoff = AT(segments);
	i->header.e_phentsize = sizeof(Elf64_Phdr);
	i->header.e_phnum = 2;
	i->header.e_shoff = AT(sections);
	i->header.e_shentsize = sizeof(Elf64_Shdr);
	i->header.e_shnum = 3;
	i->segments[0] = (Elf64_Phdr) { .p_type = PT_LOAD,
					.p_flags = PF_R | PF_X,
					.p_offset = AT(code),
					.p_vaddr = CODE,
					.p_filesz = sizeof(i->code),
					.p_memsz = 512 };
	i->segments[1] = (Elf64_Phdr) { .p_type = PT_INTERP,
					.p_offset = AT(interpreter),
					.p_filesz = sizeof(i->interpreter) };
	i->sections[1] = (Elf64_Shdr) { .sh_type = SHT_SYMTAB,
					.sh_link = 2,
					.sh_offset = AT(symbols),
					.sh_size = sizeof(i->symbols) };
	i->sections[2] = (Elf64_Shdr) { .sh_type = SHT_STRTAB,
					.sh_offset = AT(strings),
					.sh_size = sizeof(i->strings) };
	strcpy(i->interpreter, "/lib/ld.so");
	/*                 1    3     6        12         20     25     30 */
	memcpy(i->strings, "\0f\0_f\0local\0inside\0data\0label\0gone", 35);
	unsigned function = STT_FUNC, global = STB_GLOBAL << 4, weak = STB_WEAK << 4;
	i->symbols[1] = (Elf64_Sym) { 6, function, 0, 1, CODE + 16, 16 };	   /* local */
	i->symbols[2] = (Elf64_Sym) { 3, function | global, 0, 1, CODE + 16, 16 }; /* _f */
	i->symbols[3] = (Elf64_Sym) { 1, function | global, 0, 1, CODE + 16, 16 }; /* f */
	i->symbols[4] = (Elf64_Sym) { 12, function | weak, 0, 1, CODE + 20, 4 };   /* inside */
	i->symbols[5] = (Elf64_Sym) { 19, STT_OBJECT | global, 0, 1, CODE + 64, 8 };
	i->symbols[6] = (Elf64_Sym) { 24, STT_NOTYPE, 0, 1, CODE + 128, 0 }; /* label */
	i->symbols[7] = (Elf64_Sym) { 30, function | global, 0, SHN_UNDEF, CODE + 40, 8 };
	i->symbols[8] = (Elf64_Sym) { 0xffffff, function, 0, 1, CODE + 48, 8 }; /* name outside */
	memset(i->code, 0x90, sizeof(i->code));
}

static struct error *open_problem; /* of the last one */

static struct elf_file *open_image(const void *image, size_t size)
{
	char path[64];
	auto_close int fd = memfd_create("elf", MFD_CLOEXEC);
	if (write(fd, image, size) != (ssize_t)size)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct elf_file *e = NULL;
	error_free(open_problem);
	open_problem = elf_file_open_named(path, "it", &e);
	return e;
}

static const char *name_at(struct elf_file *e, uint64_t address)
{
	const struct elf_symbol *s = elf_file_symbol_at(e, address);
	return s ? s->name : "(none)";
}

TEST(symbols_are_sorted_and_the_best_alias_is_first)
{
	struct image image;
	make_image(&image);
	struct elf_file *e = open_image(&image, sizeof(image));
	const struct elf_symbol *s;
	size_t count;
	CHECK(elf_file_symbols(e, &s, &count) == NULL);
	CHECK_INT(count, 6);
	CHECK_STR(s[0].name, "f");
	CHECK_STR(s[1].name, "local"); /* without an underscore */
	CHECK_STR(s[2].name, "_f");
	CHECK_STR(s[3].name, "inside");
	CHECK(s[3].weak && !s[3].global);
	CHECK(!s[4].is_function);

	CHECK_STR(name_at(e, CODE + 15), "(none)");
	CHECK_STR(name_at(e, CODE + 16), "f");
	CHECK_STR(name_at(e, CODE + 21), "inside");
	CHECK_STR(name_at(e, CODE + 24), "f"); /* after the inner one, still in the outer */
	CHECK_STR(name_at(e, CODE + 31), "f");
	CHECK_STR(name_at(e, CODE + 32), "(none)");
	CHECK_STR(name_at(e, CODE + 71), "data");
	CHECK_STR(name_at(e, CODE + 130), "label");
	CHECK_STR(name_at(e, CODE + 256), "(none)");
	elf_file_free(e);
}

static uint64_t address_named(struct elf_file *e, const char *name)
{
	const struct elf_symbol *s = elf_file_symbol_named(e, name);
	return s ? s->address : 0;
}

TEST(a_name_means_the_global_symbol_and_its_default_version)
{
	struct image image;
	make_image(&image);
	/*                        35   37    42     48 */
	memcpy(image.strings + 35, "x\0x@V1\0x@@V2\0xy", 16);
	unsigned object = STT_OBJECT, global = STB_GLOBAL << 4;
	image.symbols[1] = (Elf64_Sym) { 35, object, 0, 1, CODE + 8, 4 };
	image.symbols[2] = (Elf64_Sym) { 37, object | global, 0, 1, CODE + 12, 4 };
	image.symbols[3] = (Elf64_Sym) { 42, object | global, 0, 1, CODE + 16, 4 };
	image.symbols[4] = (Elf64_Sym) { 48, object | global, 0, 1, CODE + 4, 4 };
	struct elf_file *e = open_image(&image, sizeof(image));
	for (int round = 0; round < 20; round++) { /* by walks, then by a table */
		CHECK_INT(address_named(e, "x"), CODE + 16);
		CHECK_INT(address_named(e, "x@V1"), CODE + 12);
		CHECK_INT(address_named(e, "xy"), CODE + 4);
		CHECK_INT(address_named(e, "y"), 0);
	}
	elf_file_free(e);
}

TEST(a_symbol_of_several_addresses_is_nobodys)
{
	struct image image;
	make_image(&image);
	image.symbols[4].st_name = 6; /* a second `local` */
	struct elf_file *e = open_image(&image, sizeof(image));
	CHECK(!elf_file_symbol_sole(e, "local"));
	CHECK_STR(elf_file_symbol_sole(e, "data")->name, "data");
	CHECK(!elf_file_symbol_sole(e, "nothing"));
	CHECK(!elf_file_is_writable(e, CODE + 16));
	elf_file_free(e);
	image.segments[0].p_flags |= PF_W;
	e = open_image(&image, sizeof(image));
	CHECK(elf_file_is_writable(e, CODE + 511)); /* in memory, not in the file */
	CHECK(!elf_file_is_writable(e, CODE + 512));
	elf_file_free(e);
}

/* The number of symbols called NAME; they come by address. */
static unsigned count_named(struct elf_file *e, const char *name)
{
	struct elf_named named = elf_file_named(e, name);
	const struct elf_symbol *s;
	uint64_t last = 0;
	unsigned count = 0;
	for (; (s = elf_named_next(&named)); count++) {
		CHECK_STR(s->name, name);
		CHECK(s->address > last);
		last = s->address;
	}
	return count;
}

TEST(names_are_found_by_walks_and_then_by_a_table)
{
	struct image image;
	make_image(&image);
	image.symbols[4].st_name = 6; /* a second `local` */
	struct elf_file *e = open_image(&image, sizeof(image));
	size_t before = elf_file_memory(e);
	for (int round = 0; round < 20; round++) {
		CHECK_INT(count_named(e, "local"), 2);
		CHECK_INT(count_named(e, "data"), 1);
		CHECK_INT(count_named(e, "dat"), 0);
	}
	CHECK(elf_file_memory(e) > before); /* which counts the table */
	CHECK(!elf_file_symbol_sole(e, "local"));
	CHECK_STR(elf_file_symbol_sole(e, "data")->name, "data");
	elf_file_free(e);
}

/* Another search may make the table while a walk is under way. */
TEST(a_walk_goes_on_while_the_table_is_made)
{
	struct image image;
	make_image(&image);
	image.symbols[4].st_name = 6; /* a second `local` */
	struct elf_file *e = open_image(&image, sizeof(image));
	struct elf_named named = elf_file_named(e, "local");
	unsigned count = 0;
	for (; elf_named_next(&named); count++)
		for (int i = 0; i < 20; i++)
			CHECK(elf_file_symbol_named(e, "data"));
	CHECK_INT(count, 2);
	elf_file_free(e);
}

TEST(segments_are_told_in_their_order)
{
	struct image image;
	make_image(&image);
	struct elf_file *e = open_image(&image, sizeof(image));
	uint64_t offset, address;
	CHECK(elf_file_segment(e, 0, &offset, &address));
	CHECK_INT(offset, AT(code));
	CHECK_INT(address, CODE);
	CHECK(!elf_file_segment(e, 1, &offset, &address)); /* the interpreter's is not mapped */
	elf_file_free(e);
}

TEST(addresses_and_offsets)
{
	struct image image;
	make_image(&image);
	struct elf_file *e = open_image(&image, sizeof(image));
	uint64_t n = 0;
	CHECK(elf_file_offset(e, CODE + 5, &n));
	CHECK_INT(n, AT(code) + 5);
	CHECK(elf_file_address(e, AT(code) + 9, &n));
	CHECK_INT(n, CODE + 9);
	CHECK(!elf_file_offset(e, CODE + 256, &n));
	CHECK(!elf_file_address(e, 0, &n));
	CHECK_INT(elf_file_code(e, CODE + 250, 100).size, 6);
	CHECK_INT(elf_file_code(e, CODE, 16).data[0], 0x90);
	CHECK_INT(elf_file_code(e, 0, 16).size, 0);
	CHECK_INT(elf_file_entry(e), CODE + 7);
	elf_file_free(e);
}

TEST(damage_never_leads_outside)
{
	struct image image;
	make_image(&image);
	for (size_t cut = 0; cut < sizeof(image); cut += 13) {
		struct elf_file *e = open_image(&image, cut);
		if (!e)
			continue;
		elf_file_symbol_at(e, CODE + 20);
		elf_file_code(e, CODE, 1000);
		elf_file_free(e);
	}
	image.segments[0].p_offset = UINT64_MAX - 4;
	image.sections[1].sh_size = UINT64_MAX;
	struct elf_file *e = open_image(&image, sizeof(image));
	CHECK_INT(elf_file_code(e, CODE, 16).size, 0);
	CHECK_INT(elf_file_code(e, CODE + 8, 16).size, 0);
	CHECK_STR(name_at(e, CODE + 16), "(none)");
	elf_file_free(e);

	image.header.e_ident[EI_DATA] = ELFDATA2MSB;
	CHECK(open_image(&image, sizeof(image)) == NULL);
	CHECK_STR(error_text(open_problem), "it: not a little-endian ELF file of 32 or 64 bits");
	error_free(open_problem);
	open_problem = NULL;
	struct error *err = elf_file_open("/proc/self/cmdline", &e);
	CHECK_STR(error_text(err), "/proc/self/cmdline: not an ELF file");
	error_free(err);
}

/* The same of 32 bits, shorter: its structs have other members in other places. */
struct narrow_image {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	Elf32_Shdr sections[4];
	Elf32_Sym symbols[3];
	char strings[64];
	unsigned char code[64];
};

#define NARROW_AT(field) offsetof(struct narrow_image, field)

static void make_narrow(struct narrow_image *i)
{
	memset(i, 0, sizeof(*i));
	memcpy(i->header.e_ident, ELFMAG "\1\1\1", 7);
	i->header.e_machine = EM_386;
	i->header.e_entry = CODE + 5;
	i->header.e_phoff = NARROW_AT(segment);
	i->header.e_phentsize = sizeof(i->segment);
	i->header.e_phnum = 1;
	i->header.e_shoff = NARROW_AT(sections);
	i->header.e_shentsize = sizeof(Elf32_Shdr);
	i->header.e_shnum = 4;
	i->header.e_shstrndx = 2;
	i->segment = (Elf32_Phdr) { .p_type = PT_LOAD,
				    .p_flags = PF_R | PF_X,
				    .p_offset = NARROW_AT(code),
				    .p_vaddr = CODE,
				    .p_filesz = sizeof(i->code),
				    .p_memsz = sizeof(i->code) };
	i->sections[1] = (Elf32_Shdr) { .sh_type = SHT_SYMTAB,
					.sh_link = 2,
					.sh_offset = NARROW_AT(symbols),
					.sh_size = sizeof(i->symbols) };
	i->sections[2] = (Elf32_Shdr) { .sh_type = SHT_STRTAB,
					.sh_offset = NARROW_AT(strings),
					.sh_size = sizeof(i->strings) };
	i->sections[3] = (Elf32_Shdr) { .sh_name = 12,
					.sh_type = SHT_PROGBITS,
					.sh_addr = CODE + 32,
					.sh_offset = NARROW_AT(code) + 32,
					.sh_size = 8 };
	/*                      1      7     12 */
	memcpy(i->strings, "\0first\0main\0.part", 18);
	i->symbols[1] = (Elf32_Sym) { 1, CODE, 16, STT_FUNC, 0, 1 };
	i->symbols[2] = (Elf32_Sym) { 7, CODE + 16, 8, STT_FUNC | STB_GLOBAL << 4, 0, 1 };
	i->code[33] = 0x33;
}

/* The number of sections is in the first one where the header has no room for it. */
TEST(a_file_may_not_claim_any_number_of_sections)
{
	struct image i;
	struct elf_file *e;
	make_image(&i);
	i.header.e_shnum = 0;
	i.sections[0].sh_size = 3;
	e = open_image(&i, sizeof(i));
	CHECK(e);
	elf_file_free(e);
	i.sections[0].sh_size = 1u << 30;
	CHECK(!open_image(&i, sizeof(i)));
	CHECK(strstr(error_text(open_problem), "sections"));
	error_free(open_problem);
	open_problem = NULL;
}

TEST(a_file_of_32_bits)
{
	struct narrow_image image;
	make_narrow(&image);
	struct elf_file *e = open_image(&image, sizeof(image));
	CHECK_INT(elf_file_word(e), 4);
	CHECK_INT(elf_file_machine(e), EM_386);
	CHECK_INT(elf_file_entry(e), CODE + 5);
	CHECK_STR(name_at(e, CODE + 15), "first");
	CHECK_STR(name_at(e, CODE + 23), "main");
	CHECK_STR(name_at(e, CODE + 24), "(none)");
	CHECK(elf_file_symbol_named(e, "main")->global &&
	      !elf_file_symbol_named(e, "first")->global);
	uint64_t at;
	CHECK(elf_file_offset(e, CODE + 1, &at));
	CHECK_INT(at, NARROW_AT(code) + 1);
	struct bytes part;
	CHECK(elf_file_section(e, ".part", &part, &at));
	CHECK_INT(at, CODE + 32);
	CHECK_INT(part.size, 8);
	CHECK_INT(part.data[1], 0x33);
	elf_file_free(e);
	for (size_t size = 0; size < sizeof(image); size += 7) {
		e = open_image(&image, size);
		CHECK(!e == (size < sizeof(Elf32_Ehdr)));
		if (e)
			elf_file_symbol_at(e, CODE + 20);
		elf_file_free(e);
	}
	error_free(open_problem);
	open_problem = NULL;
}

/* Others may truncate a file at any time; what it had is missing then. */
TEST(a_file_that_is_truncated_while_it_is_read)
{
	static struct {
		struct image image;
		char padding[1 << 16];
		char end[4096];
	} file;
	make_image(&file.image);
	memcpy(file.end, file.image.strings, sizeof(file.image.strings));
	file.image.sections[2].sh_offset = (uint64_t)(file.end - (char *)&file);
	char path[64];
	auto_close int fd = memfd_create("elf", MFD_CLOEXEC);
	CHECK_INT(write(fd, &file, sizeof(file)), sizeof(file));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct elf_file *whole = NULL, *e = NULL;
	CHECK(elf_file_open(path, &whole) == NULL);
	CHECK_STR(name_at(whole, CODE + 16), "f");
	CHECK(!elf_file_lost_bytes(whole));
	CHECK(elf_file_open(path, &e) == NULL);
	CHECK_INT(ftruncate(fd, 8192), 0);
	CHECK_STR(name_at(e, CODE + 16), "(none)");
	CHECK(elf_file_lost_bytes(e));
	CHECK_INT(elf_file_code(e, CODE, 16).size, 16);
	CHECK_INT(ftruncate(fd, 0), 0);
	CHECK_INT(elf_file_code(e, CODE, 16).data[0], 0);
	/* Its pages are zeros from now on, also if the file grows again. */
	size_t size;
	const char *all = elf_file_image(e, &size);
	CHECK_INT(size, sizeof(file));
	CHECK_INT(all[size - 1] | all[size - 5000], 0);
	elf_file_free(e);
	CHECK_STR(name_at(whole, CODE + 16), ""); /* its name is gone */
	elf_file_free(whole);
}

TEST(this_program)
{
	struct elf_file *e = NULL;
	CHECK(elf_file_open("/proc/self/exe", &e) == NULL);
	const struct elf_symbol *s;
	size_t count;
	CHECK(elf_file_symbols(e, &s, &count) == NULL);
	bool found = false;
	for (size_t i = 0; i < count; i++) {
		if (!string_equal(s[i].name, "main"))
			continue;
		found = s[i].is_function && s[i].global;
		CHECK_STR(name_at(e, s[i].address + 1), "main");
		CHECK(elf_file_code(e, s[i].address, 8).size == 8);
	}
	CHECK(found);
	elf_file_free(e);
}

TEST(pointers_to_symbols_of_this_program)
{
	struct elf_file *e = NULL;
	uint64_t pointer = 0;
	CHECK(elf_file_open("/proc/self/exe", &e) == NULL);
	CHECK(elf_file_symbol_pointer(e, "__libc_start_main", &pointer));
	CHECK_STR(elf_file_pointer_symbol(e, pointer), "__libc_start_main");
	CHECK(elf_file_is_writable(e, pointer));
	CHECK(elf_file_pointer_symbol(e, pointer + 1) == NULL);
	CHECK(!elf_file_symbol_pointer(e, "__libc_start_mai", &pointer));
	elf_file_free(e);
}

/* --- symbols that a stripped file keeps or has elsewhere --- */

/* An image that is stripped: .dynsym has `f` alone; the file in .gnu_debugdata has all symbols. */
struct stripped {
	struct image image;
	Elf64_Shdr sections[4];
	unsigned char debugdata[4096];
};

static void compress(struct stripped *s, const void *bytes, size_t size)
{
	size_t written = 0;
	CHECK_INT(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, bytes, size, s->debugdata,
					  &written, sizeof(s->debugdata)),
		  LZMA_OK);
	s->sections[3].sh_size = written;
}

static void make_stripped(struct stripped *s)
{
	struct image whole;
	make_image(&whole);
	memset(s, 0, sizeof(*s));
	s->image = whole;
	s->image.header.e_shoff = offsetof(struct stripped, sections);
	s->image.header.e_shnum = 4;
	s->image.header.e_shstrndx = 2;
	memcpy(s->image.strings + 35, ".gnu_debugdata", 15);
	s->sections[1] = (Elf64_Shdr) { .sh_type = SHT_DYNSYM,
					.sh_link = 2,
					.sh_offset = AT(symbols) + 3 * sizeof(Elf64_Sym),
					.sh_size = sizeof(Elf64_Sym) };
	s->sections[2] = whole.sections[2];
	s->sections[3] = (Elf64_Shdr) { .sh_name = 35,
					.sh_type = SHT_PROGBITS,
					.sh_offset = offsetof(struct stripped, debugdata) };
	whole.symbols[3] = whole.symbols[2] = (Elf64_Sym) { 0 };
	compress(s, &whole, sizeof(whole));
}

TEST(a_stripped_file_has_the_names_of_its_debugdata)
{
	struct stripped s;
	make_stripped(&s);
	struct elf_file *e = open_image(&s, sizeof(s));
	CHECK_STR(name_at(e, CODE + 16), "f");
	CHECK_STR(name_at(e, CODE + 21), "inside");
	CHECK_STR(name_at(e, CODE + 71), "data");
	CHECK(!elf_file_is_stripped(e));
	CHECK(elf_file_memory(e) >= sizeof(struct image));
	elf_file_free(e);
}

static void check_only_f(const struct stripped *s)
{
	struct elf_file *e = open_image(s, sizeof(*s));
	CHECK_STR(name_at(e, CODE + 16), "f");
	CHECK_STR(name_at(e, CODE + 21), "f");
	CHECK_STR(name_at(e, CODE + 71), "(none)");
	CHECK(elf_file_is_stripped(e));
	elf_file_free(e);
}

TEST(damaged_debugdata_leaves_the_dynamic_symbols)
{
	struct stripped s;
	make_stripped(&s);
	s.sections[3].sh_size -= 9; /* it has no end */
	check_only_f(&s);
	make_stripped(&s);
	s.debugdata[s.sections[3].sh_size / 2] ^= 0x40;
	check_only_f(&s);
	make_stripped(&s);
	compress(&s, "no ELF", 6);
	check_only_f(&s);
	make_stripped(&s);
	compress(&s, "", 0);
	check_only_f(&s);
	make_stripped(&s);
	s.sections[3].sh_size = UINT64_MAX / 2;
	check_only_f(&s);
}

static unsigned asked;

static struct elf_file *answer(void *separate)
{
	asked++;
	return separate;
}

TEST(a_separate_file_is_asked_for_once_and_only_if_the_file_is_stripped)
{
	struct image whole;
	struct stripped s;
	make_image(&whole);
	make_stripped(&s);
	struct elf_file *separate = open_image(&whole, sizeof(whole));
	struct elf_file *e = open_image(&s, sizeof(s));
	asked = 0;
	elf_file_set_separate(e, answer, separate);
	CHECK_INT(asked, 0);
	CHECK_STR(name_at(e, CODE + 130), "label");
	CHECK_STR(name_at(e, CODE + 21), "inside");
	CHECK(!elf_file_is_stripped(e));
	CHECK_INT(asked, 1);
	elf_file_free(e);
	e = open_image(&whole, sizeof(whole));
	elf_file_set_separate(e, answer, separate);
	CHECK_STR(name_at(e, CODE + 21), "inside");
	CHECK_INT(asked, 1);
	elf_file_free(e);
	elf_file_free(separate);
}

TEST_MAIN
