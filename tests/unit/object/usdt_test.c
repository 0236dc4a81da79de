/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/note/usdt.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

struct section {
	unsigned char bytes[512];
	size_t used;
};

static void add_bytes(struct section *s, const void *bytes, size_t len)
{
	memcpy(s->bytes + s->used, bytes, len);
	s->used += len;
}

static void add_u32(struct section *s, uint32_t value)
{
	add_bytes(s, &value, 4);
}

static void add_words(struct section *s, unsigned word, uint64_t a, uint64_t b, uint64_t c)
{
	add_bytes(s, &a, word);
	add_bytes(s, &b, word);
	add_bytes(s, &c, word);
}

#define TEXTS(texts) texts, sizeof(texts)

/* A note; TEXTS: three strings with their NULs. */
static void add_note(struct section *s, unsigned word, uint64_t site, uint64_t base,
		     uint64_t semaphore, const char *texts, size_t len)
{
	add_u32(s, 8);
	add_u32(s, (uint32_t)(3 * word + len));
	add_u32(s, 3);
	add_bytes(s, "stapsdt", 8);
	add_words(s, word, site, base, semaphore);
	add_bytes(s, texts, len);
	s->used = ALIGN_UP(s->used, 4);
}

static struct error *read_all(const struct section *s, size_t size, unsigned word, uint64_t base,
			      usdt_note_vector *ret)
{
	*ret = (usdt_note_vector) { 0 };
	return usdt_notes_read(bytes_of(s->bytes, size), word, base, ret);
}

TEST(several_notes)
{
	struct section s = { 0 };
	usdt_note_vector notes;
	add_note(&s, 8, 0x1000, 0x500, 0, TEXTS("prov\0first\0-4@%eax"));
	add_note(&s, 8, 0x2000, 0x500, 0x8000, TEXTS("prov\0second\0"));
	add_note(&s, 8, 0x3000, 0x500, 0,
		 TEXTS("\0no__provider\0"
		       "8@$1"));
	CHECK(!read_all(&s, s.used, 8, 0x500, &notes));
	CHECK_INT(notes.count, 3);
	CHECK_STR(notes.items[0].provider, "prov");
	CHECK_STR(notes.items[0].name, "first");
	CHECK_STR(notes.items[0].operands, "-4@%eax");
	CHECK_INT(notes.items[0].site, 0x1000);
	CHECK_INT(notes.items[0].semaphore, 0);
	CHECK_INT(notes.items[1].semaphore, 0x8000);
	CHECK_STR(notes.items[1].operands, "");
	CHECK_STR(notes.items[2].provider, "");
	vector_free(&notes);
}

TEST(moved_since_it_was_linked)
{
	struct section s = { 0 };
	usdt_note_vector notes;
	add_note(&s, 8, 0x1000, 0x500, 0x8000, TEXTS("p\0n\0"));
	add_note(&s, 8, 0x1010, 0x500, 0, TEXTS("p\0n\0"));
	CHECK(!read_all(&s, s.used, 8, 0x700500, &notes));
	CHECK_INT(notes.items[0].site, 0x701000);
	CHECK_INT(notes.items[0].semaphore, 0x708000);
	CHECK_INT(notes.items[1].semaphore, 0);
	vector_free(&notes);
	/* Moved down; and a file without the section. */
	CHECK(!read_all(&s, s.used, 8, 0x400, &notes));
	CHECK_INT(notes.items[0].site, 0xf00);
	vector_free(&notes);
	CHECK(!read_all(&s, s.used, 8, 0, &notes));
	CHECK_INT(notes.items[0].site, 0x1000);
	vector_free(&notes);
}

TEST(words_of_four_bytes)
{
	struct section s = { 0 };
	usdt_note_vector notes;
	add_note(&s, 4, 0xfffff000, 0x100, 0x4000,
		 TEXTS("prov\0name\0"
		       "4@4(%ebp)"));
	add_note(&s, 4, 0x2000, 0x100, 0, TEXTS("prov\0name\0"));
	CHECK(!read_all(&s, s.used, 4, 0x2100, &notes));
	CHECK_INT(notes.count, 2);
	CHECK_INT(notes.items[0].site, 0x1000);
	CHECK_INT(notes.items[0].semaphore, 0x6000);
	CHECK_STR(notes.items[0].operands, "4@4(%ebp)");
	vector_free(&notes);
}

TEST(notes_of_others)
{
	struct section s = { 0 };
	usdt_note_vector notes;
	add_u32(&s, 4);
	add_u32(&s, 5);
	add_u32(&s, 3);
	add_bytes(&s,
		  "GNU\0"
		  "12345\0\0\0",
		  12);
	add_u32(&s, 8); /* an older version */
	add_u32(&s, 4);
	add_u32(&s, 2);
	add_bytes(&s,
		  "stapsdt\0"
		  "1234",
		  12);
	add_note(&s, 8, 0x1000, 0, 0, TEXTS("p\0n\0"));
	CHECK(!read_all(&s, s.used, 8, 0, &notes));
	CHECK_INT(notes.count, 1);
	vector_free(&notes);
}

static void check_damaged(const struct section *s)
{
	usdt_note_vector notes;
	struct error *err = read_all(s, s->used, 8, 0, &notes);
	CHECK(err && strstr(error_text(err), "section .note.stapsdt is damaged at byte 0 of"));
	CHECK_INT(notes.count, 0);
	error_free(err);
}

/* The notes before the damage are found; each shorter section is damaged or has fewer notes. */
TEST(damaged)
{
	struct section s = { 0 };
	usdt_note_vector notes;
	add_note(&s, 8, 0x1000, 0, 0, TEXTS("p\0first\0"));
	size_t first = s.used, unpadded = first - 3; /* the last one's padding may be missing */
	add_note(&s, 8, 0x2000, 0, 0, TEXTS("p\0second\0"));
	for (size_t size = 1; size < s.used - 2; size++) {
		struct error *err = read_all(&s, size, 8, 0, &notes);
		bool whole = size >= unpadded && size <= first;
		CHECK(whole == !err);
		CHECK_INT(notes.count, size >= unpadded);
		error_free(err);
		vector_free(&notes);
	}
	/* No name; strings without their ends. */
	struct section unnamed = { 0 }, endless = { 0 };
	add_note(&unnamed, 8, 0x1000, 0, 0, TEXTS("p\0\0"));
	check_damaged(&unnamed);
	add_note(&endless, 8, 0x1000, 0, 0, "p\0nnnn", 6);
	check_damaged(&endless);
}

TEST_MAIN
