/* SPDX-License-Identifier: BSD-2-Clause */
/* A .gopclntab that is written here: three functions from CODE on. */
#include "object/frames/go_frames.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

#define CODE 0x401000

struct function_1_18 {
	uint32_t entry, name, args, deferreturn, numbers, others[4];
	uint8_t id, flag, zero, data;
};

static struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[32];
	struct {
		uint32_t magic;
		uint8_t zeros[2], quantum, word;
		uint64_t functions, files, text, names_at, units_at, files_at, numbers_at, list_at;
		unsigned char numbers[32];
		uint32_t list[8];
		struct function_1_18 of[3];
	} table;
} image;

#define AT(member) (offsetof(struct image, table.member) - offsetof(struct image, table))

static void make_image(void)
{
	memset(&image, 0, sizeof(image));
	memcpy(image.header.e_ident, ELFMAG "\2\1\1", 7);
	image.header.e_shoff = offsetof(struct image, sections);
	image.header.e_shentsize = sizeof(Elf64_Shdr);
	image.header.e_shnum = 3;
	image.header.e_shstrndx = 1;
	memcpy(image.names, "\0.names\0.gopclntab", 19);
	image.sections[1] = (Elf64_Shdr) { .sh_name = 1,
					   .sh_type = SHT_STRTAB,
					   .sh_offset = offsetof(struct image, names),
					   .sh_size = sizeof(image.names) };
	image.sections[2] = (Elf64_Shdr) { .sh_name = 8,
					   .sh_type = SHT_PROGBITS,
					   .sh_offset = offsetof(struct image, table),
					   .sh_size = sizeof(image.table) };
	image.table.magic = 0xfffffff0;
	image.table.quantum = 1;
	image.table.word = 8;
	image.table.functions = 3;
	image.table.text = CODE;
	image.table.numbers_at = AT(numbers);
	image.table.list_at = AT(list);
	/* From byte 1 on: 0 for 4 bytes, 24 for 300, 0 for the rest */
	static const unsigned char numbers[] = { 0, 2, 4, 48, 0xac, 2, 47, 100, 0 };
	memcpy(image.table.numbers, numbers, sizeof(numbers));
	for (uint32_t i = 0; i < 3; i++) {
		image.table.list[2 * i] = i * 0x200;
		image.table.list[2 * i + 1] = (uint32_t)(AT(of[i]) - AT(list));
		image.table.of[i].numbers = 1;
		image.table.of[i].flag = (uint8_t)i;
	}
	image.table.list[6] = 0x700;
}

static struct elf_file *elf;

static struct go_frames read_image(void)
{
	char path[64];
	auto_close int fd = memfd_create("elf", MFD_CLOEXEC);
	CHECK_INT(write(fd, &image, sizeof(image)), sizeof(image));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	elf_file_free(elf);
	elf = NULL;
	CHECK(elf_file_open(path, &elf) == NULL);
	return go_frames_read(elf);
}

static char seen[256];

static void note(void *arg, uint64_t begin, uint64_t end, int64_t distance)
{
	sprintf(seen + strlen(seen), "%x-%x:%d ", (unsigned)(begin - CODE), (unsigned)(end - CODE),
		(int)distance);
}

static const char *visited(const struct go_frames *g, const struct go_function *f, bool is_whole)
{
	seen[0] = '\0';
	CHECK_INT(go_frames_visit(g, f, note, NULL), is_whole);
	return seen;
}

TEST(functions_and_how_they_move_the_stack)
{
	struct go_function f;
	make_image();
	struct go_frames g = read_image();
	CHECK_INT(g.count, 3);
	CHECK(go_frames_function(&g, 0, &f) && !f.is_outermost && !f.moves_stack);
	CHECK(f.begin == CODE && f.end == CODE + 0x200);
	CHECK_STR(visited(&g, &f, true), "0-4:0 4-130:24 130-194:0 ");
	CHECK(go_frames_function(&g, 1, &f) && f.is_outermost && !f.moves_stack);
	CHECK(go_frames_function(&g, 2, &f) && !f.is_outermost && f.moves_stack);
	CHECK(f.begin == CODE + 0x400 && f.end == CODE + 0x700);
	CHECK(!go_frames_function(&g, 3, &f));
	image.table.list[2] = 0x100;
	g = read_image();
	CHECK(go_frames_function(&g, 0, &f));
	CHECK_STR(visited(&g, &f, true), "0-4:0 4-100:24 "); /* not more than the function */
}

TEST(damage)
{
	struct go_function f;
	make_image();
	image.table.list[1] = 0xfffffff0;
	image.table.list[4] = 0; /* ends before it begins */
	struct go_frames g = read_image();
	CHECK(!go_frames_function(&g, 0, &f));
	CHECK(!go_frames_function(&g, 1, &f));
	CHECK(go_frames_function(&g, 2, &f));
	image.table.of[2].numbers = 0;
	g = read_image();
	CHECK(go_frames_function(&g, 2, &f));
	CHECK_STR(visited(&g, &f, false), "");
	image.table.of[2].numbers = 100000;
	g = read_image();
	CHECK(go_frames_function(&g, 2, &f));
	CHECK_STR(visited(&g, &f, false), "");

	make_image();
	image.table.numbers[4] = 0; /* a part of no bytes */
	g = read_image();
	CHECK(go_frames_function(&g, 0, &f));
	CHECK_STR(visited(&g, &f, false), "0-4:0 ");

	make_image();
	image.table.functions = 1u << 30;
	CHECK_INT(read_image().count, 0);
	make_image();
	image.table.list_at = UINT64_MAX;
	CHECK_INT(read_image().count, 0);
	make_image();
	image.table.magic = 0xfffffffb; /* Go 1.2 */
	CHECK_INT(read_image().count, 0);
	make_image();
	image.sections[2].sh_size = 50;
	CHECK_INT(read_image().count, 0);
	elf_file_free(elf);
	elf = NULL;
}

TEST_MAIN
