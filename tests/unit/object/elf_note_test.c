/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/object.h"

#include "test.h"

/* Two notes: of "GNU" with 5 bytes, of "stapsdt" with 2 bytes. */
#define GNU_NOTE "\4\0\0\0\5\0\0\0\3\0\0\0GNU\0abcde\0\0\0"
#define OTHER_NOTE "\10\0\0\0\2\0\0\0\1\1\0\0stapsdt\0xy\0\0"
#define BYTES(text) bytes_of(text, sizeof(text) - 1)

TEST(one_after_the_other)
{
	struct bytes notes = BYTES(GNU_NOTE OTHER_NOTE);
	struct elf_note note;
	CHECK(elf_note_next(&notes, &note));
	CHECK_INT(note.type, 3);
	CHECK(elf_note_is_of(&note, "GNU"));
	CHECK_INT(note.descriptor.size, 5);
	CHECK(memcmp(note.descriptor.data, "abcde", 5) == 0);
	CHECK(elf_note_next(&notes, &note));
	CHECK_INT(note.type, 0x101);
	CHECK(elf_note_is_of(&note, "stapsdt"));
	CHECK_INT(note.descriptor.size, 2);
	CHECK(memcmp(note.descriptor.data, "xy", 2) == 0);
	CHECK_INT(bytes_left(&notes), 0);
	CHECK(!elf_note_next(&notes, &note));
}

TEST(owners_are_whole_strings)
{
	struct bytes notes = BYTES(OTHER_NOTE "\0\0\0\0\0\0\0\0\3\0\0\0"
					      "\3\0\0\0\0\0\0\0\3\0\0\0GNU\0");
	struct elf_note note;
	CHECK(elf_note_next(&notes, &note));
	CHECK(!elf_note_is_of(&note, "stap"));
	CHECK(!elf_note_is_of(&note, "stapsdt2"));
	CHECK(elf_note_next(&notes, &note)); /* of nobody */
	CHECK(!elf_note_is_of(&note, ""));
	CHECK(elf_note_next(&notes, &note)); /* without its NUL */
	CHECK(!elf_note_is_of(&note, "GNU"));
	CHECK_INT(bytes_left(&notes), 0);
}

/* All beginnings of a section: only the last one's padding may be missing. */
TEST(truncated)
{
	static const char text[] = GNU_NOTE OTHER_NOTE;
	size_t first = sizeof(GNU_NOTE) - 1, all = sizeof(text) - 1;
	for (size_t size = 0; size <= all; size++) {
		struct bytes notes = bytes_of(text, size);
		struct elf_note note;
		unsigned count = 0;
		while (elf_note_next(&notes, &note))
			count++;
		CHECK_INT(count, (size >= first - 3) + (size >= all - 2));
		CHECK(notes.failed);
	}
}

/* A length that is zero when it is padded in 32 bits. */
TEST(lengths_that_lie)
{
	static const char *const texts[] = {
		"\4\0\0\0\375\377\377\377\3\0\0\0GNU\0abcd",
		"\375\377\377\377\4\0\0\0\3\0\0\0GNU\0abcd",
		"\377\377\377\377\377\377\377\377\3\0\0\0GNU\0abcd",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct bytes notes = bytes_of(texts[i], 20);
		struct elf_note note = { .type = 77 };
		CHECK(!elf_note_next(&notes, &note));
		CHECK_INT(note.type, 77);
	}
}

TEST_MAIN
