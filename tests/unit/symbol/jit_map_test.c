/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/symbol_internal.h"

#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

static int file;

static struct jit_map *map_with(const char *text)
{
	file = memfd_create("map", MFD_CLOEXEC);
	dprintf(file, "%s", text);
	return jit_map_of_file(dup(file));
}

static const char *name_at(struct jit_map *m, uint64_t address)
{
	uint64_t offset = 0;
	const char *name = jit_map_find(m, address, &offset);
	static char text[128];
	snprintf(text, sizeof(text), "%s+%llu", name ? name : "(none)", (unsigned long long)offset);
	return text;
}

static void end(struct jit_map *m)
{
	jit_map_free(m);
	close(file);
}

TEST(names_of_addresses)
{
	struct jit_map *m = map_with("2000 10 second\n1000 20 first function\nff00 1 last\n");
	CHECK_STR(name_at(m, 0xfff), "(none)+0");
	CHECK_STR(name_at(m, 0x1000), "first function+0");
	CHECK_STR(name_at(m, 0x101f), "first function+31");
	CHECK_STR(name_at(m, 0x1020), "(none)+0");
	CHECK_STR(name_at(m, 0x2001), "second+1");
	CHECK_STR(name_at(m, 0xff00), "last+0");
	CHECK_STR(name_at(m, UINT64_MAX), "(none)+0");
	end(m);
}

TEST(what_is_new_is_read)
{
	struct jit_map *m = map_with("1000 20 first\n2000 20 half of a li");
	CHECK_STR(name_at(m, 0x2000), "(none)+0");
	dprintf(file, "ne\n3000 20 third\n");
	CHECK_STR(name_at(m, 0x2000), "half of a line+0");
	CHECK_STR(name_at(m, 0x3000), "third+0");
	end(m);
}

TEST(later_code_replaces_earlier_code)
{
	struct jit_map *m = map_with("1000 100 old\n5000 10 other\n1040 10 inside\n");
	CHECK_STR(name_at(m, 0x1048), "inside+8");
	CHECK_STR(name_at(m, 0x1050), "old+80");
	dprintf(file, "1000 80 new\n");
	CHECK_STR(name_at(m, 0x1048), "new+72");
	CHECK_STR(name_at(m, 0x1000), "new+0");
	CHECK_STR(name_at(m, 0x1090), "old+144");
	end(m);
}

TEST(new_code_is_found_before_between_and_after_what_is_known)
{
	struct jit_map *m = map_with("3000 10 c\n5000 10 e\n7000 10 g\n");
	CHECK_STR(name_at(m, 0x5001), "e+1");
	dprintf(file, "8000 10 h\n1000 10 a\n6000 10 f\n2000 10 b\n4000 10 d\n5000 8 new e\n");
	static const char *const names[] = { "a+2",	"b+2", "c+2", "d+2",
					     "new e+2", "f+2", "g+2", "h+2" };
	for (unsigned i = 0; i < 8; i++)
		CHECK_STR(name_at(m, 0x1002 + 0x1000 * i), names[i]);
	CHECK_STR(name_at(m, 0x5009), "e+9");
	end(m);
}

TEST(a_file_that_was_begun_again)
{
	struct jit_map *m = map_with("1000 100 old\n2000 10 older\n");
	CHECK_STR(name_at(m, 0x1000), "old+0");
	CHECK_INT(ftruncate(file, 0), 0);
	lseek(file, 0, SEEK_SET);
	dprintf(file, "1000 10 new\n");
	CHECK_STR(name_at(m, 0x1001), "new+1");
	CHECK_STR(name_at(m, 0x2000), "(none)+0");
	/* ... and is longer than before already */
	CHECK_INT(ftruncate(file, 0), 0);
	lseek(file, 0, SEEK_SET);
	dprintf(file, "5000 10 other\n6000 10 another one\n");
	CHECK_STR(name_at(m, 0x5000), "other+0");
	CHECK_STR(name_at(m, 0x6000), "another one+0");
	CHECK_STR(name_at(m, 0x1001), "(none)+0");
	end(m);
}

TEST(lines_of_another_form_are_ignored)
{
	struct jit_map *m = map_with("\n \nx\n1000\n1000 \n1000 20\n1000 20 \n-1 5 sum overflows\n"
				     "g 1 a\n1000 h b\n3000 20 good\n");
	CHECK_STR(name_at(m, 0x1000), "(none)+0");
	CHECK_STR(name_at(m, UINT64_MAX), "(none)+0");
	CHECK_STR(name_at(m, 0x3000), "good+0");
	end(m);
}

TEST(a_process_without_a_map)
{
	uint64_t offset;
	struct jit_map *m = jit_map_new(getpid());
	CHECK(jit_map_find(m, 0x1000, &offset) == NULL);
	jit_map_free(m);
	jit_map_free(NULL);
}

TEST_MAIN

/* --- jitdump files ---------------------------------------------------------------------------- */

static void put(int fd, uint64_t value, int size)
{
	CHECK(write(fd, &value, (size_t)size) == size);
}

static void put_code(int fd, uint32_t size, uint64_t start, const char *name)
{
	put(fd, 0, 4);
	put(fd, size, 4);
	for (int i = 0; i < 3; i++)
		put(fd, 0, 8);
	put(fd, start, 8);
	put(fd, 0x10, 8);
	put(fd, start, 8);
	dprintf(fd, "%s%c", name, 0);
}

static void count_code(void *arg, const struct jit_code *code)
{
	++*(unsigned *)arg;
	CHECK_STR(code->name, "named");
}

TEST(jitdump_records_are_read_when_they_are_whole)
{
	int fd = memfd_create("dump", MFD_CLOEXEC);
	unsigned seen = 0;
	put(fd, 0x4a695444, 4);
	CHECK_INT(jit_dump_read(fd, 0, count_code, &seen), 0);
	put(fd, 1, 4);
	put(fd, 40, 4);
	for (int i = 0; i < 7; i++)
		put(fd, 0, 4);
	CHECK_INT(jit_dump_read(fd, 0, count_code, &seen), 40);
	put_code(fd, 62, 0x1000, "named");
	CHECK_INT(jit_dump_read(fd, 0, count_code, &seen), 102);
	CHECK_INT(seen, 1);
	put_code(fd, 63, 0x2000, "named");
	CHECK_INT(jit_dump_read(fd, 102, count_code, &seen), 102);
	put(fd, 0, 1);
	CHECK_INT(jit_dump_read(fd, 102, count_code, &seen), 165);
	CHECK_INT(seen, 2);
	put_code(fd, 15, 0x3000, "named");
	CHECK(jit_dump_read(fd, 165, count_code, &seen) == UINT64_MAX);
	close(fd);
}

TEST(names_of_jitdump_records_end_with_their_records)
{
	int fd = memfd_create("dump", MFD_CLOEXEC);
	unsigned seen = 0;
	put(fd, 0x14a695444, 8);
	put(fd, 40, 8);
	for (int i = 0; i < 3; i++)
		put(fd, 0, 8);
	put_code(fd, 61, 0x1000, "named by more than it has");
	CHECK_INT(pwrite(fd, (uint64_t[2]) { 16ul << 32, 0 }, 16, 40 + 61), 16);
	CHECK_INT(ftruncate(fd, 40 + 61 + 16), 0);
	CHECK_INT(jit_dump_read(fd, 0, count_code, &seen), 40 + 61 + 16);
	CHECK_INT(seen, 1);
	close(fd);
}

TEST(other_files_are_no_jitdump_files)
{
	int fd = memfd_create("dump", MFD_CLOEXEC);
	put(fd, 0x44546a49, 8);
	put(fd, 40, 8);
	CHECK(jit_dump_read(fd, 0, count_code, NULL) == UINT64_MAX);
	close(fd);
	CHECK(jit_map_is_dump("/x/jit-12.dump"));
	CHECK(jit_map_is_dump("jit-1.dump"));
	CHECK(!jit_map_is_dump("/jit-12.dump/jit-.dump"));
	CHECK(!jit_map_is_dump("jit-1.dump2"));
	CHECK(!jit_map_is_dump("xjit-1.dump"));
}
