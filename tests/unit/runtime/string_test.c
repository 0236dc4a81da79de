/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/string/string.c and runtime/string/edit.c, at several strsizes */
#include "host.h"

#include "runtime/string/edit.c"
#include "runtime/string/string.c"

#define MAX 4096
static char buffer[3 * MAX], other[3 * MAX];
static union {
	struct rt_string s;
	char bytes[8 + MAX + 1 + 64];
} variable;

TEST(load_store)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		uint64_t lengths[] = { 0, 1, 2, size / 2, size - 1, size };
		for (unsigned i = 0; i < 6; i++) {
			slot_reset();
			put_text(0, long_text(buffer, lengths[i], 'x'));
			memset(&variable, 0x5a, sizeof(variable));
			rt_string_store(&variable.s, ROOM(0));
			CHECK_INT(variable.s.tag, lengths[i] + 1);
			CHECK_STR(variable.s.text, buffer);
			CHECK_INT(variable.s.text[(size + 1 + 7) / 8 * 8], 0x5a);
			rt_string_load(ROOM(1), &variable.s);
			CHECK_TEXT(1, buffer);
			rt_string_literal(ROOM(2), &variable.s);
			CHECK_TEXT(2, buffer);
			CHECK_NO_FAULT();
			CHECK_CUTS();
		}
		variable.s.tag = 0;
		rt_string_load(ROOM(1), &variable.s);
		CHECK_TEXT(1, NULL);
		variable.s.tag = 5;
		rt_string_store(&variable.s, ROOM(1));
		CHECK_INT(variable.s.tag, 0);
		CHECK_NO_FAULT();
	}
}

/* Characters of a struct: all its bytes, and none of the earlier ones. */
TEST(text_store)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		uint64_t lengths[] = { 0, 1, 2, size / 2, size - 1, size };
		for (unsigned i = 0; i < 6; i++) {
			slot_reset();
			put_text(0, long_text(buffer, size, 'y'));
			put_text(0, long_text(buffer, lengths[i], 'x'));
			memset(other, 0x5a, sizeof(other));
			rt_text_store(other, ROOM(0), size);
			CHECK(memcmp(other, buffer, lengths[i]) == 0);
			for (uint64_t j = lengths[i]; j < size; j++)
				CHECK_INT(other[j], 0);
			CHECK_INT(other[size], 0x5a);
			CHECK_TEXT(0, buffer);
			/* an array shorter than the string gets its beginning */
			rt_text_store(other, ROOM(0), 2);
			buffer[2] = 0;
			CHECK_TEXT(0, buffer);
			CHECK_NO_FAULT();
			CHECK_CUTS();
		}
		put_text(0, NULL);
		memset(other, 0x5a, sizeof(other));
		rt_text_store(other, ROOM(0), size);
		CHECK_INT(other[0], 0);
		CHECK_INT(other[size - 1], 0);
		CHECK_TEXT(0, "");
	}
}

/* A short string over a long one, half-written: the tag is of one, the text of the other. */
TEST(load_shared_ends_at_the_first_nul)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		uint64_t lengths[] = { 0, 1, 2, 7, 8, 9, 30, 31, 32, size / 2, size - 1, size };
		for (unsigned i = 0; i < 12; i++)
			for (unsigned j = 0; j < 12; j++) {
				uint64_t tag = lengths[i], text = lengths[j];
				if (tag > size || text > size)
					continue;
				slot_reset();
				memset(&variable, 0x5a, sizeof(variable));
				memcpy(variable.s.text, long_text(buffer, text, 'x'), text + 1);
				variable.s.tag = tag + 1;
				rt_string_load_shared(ROOM(1), &variable.s);
				uint64_t len = tag < text ? tag : text;
				CHECK_TEXT(1, long_text(buffer, len, 'x'));
				CHECK_INT(string_in(ROOM(1))->tag, len + 1);
			}
		variable.s.tag = 0;
		rt_string_load_shared(ROOM(1), &variable.s);
		CHECK_TEXT(1, NULL);
		CHECK_NO_FAULT();
	}
}

TEST(load_cuts)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		variable.s.tag = UINT64_MAX; /* torn: another CPU is writing */
		memset(variable.s.text, 'y', MAX);
		rt_string_load(ROOM(0), &variable.s);
		CHECK_TEXT(0, long_text(buffer, size, 'y'));
	}
	host_rt_string_size = 16;
	slot_reset();
	strcpy(variable.s.text, "a literal of 23 letters");
	variable.s.tag = 24;
	rt_string_literal(ROOM(0), &variable.s);
	CHECK_TEXT(0, cut("a literal of 23 letters"));
	CHECK_CUTS();
}

TEST(comm)
{
	FOR_SIZES
	{
		const char *names[] = { "", "a", "sh", "kworker/0:1-eve", "exactly16minus1" };
		for (unsigned i = 0; i < 5; i++) {
			host_comm = names[i];
			rt_string_comm(ROOM(0));
			CHECK_TEXT(0, cut(names[i]));
			CHECK_CUTS();
		}
	}
}

/* A string as the compiler writes it, in temporary number ROOM. */
static void read_text(unsigned room, long (*read)(uint64_t at, uint64_t address, uint64_t max),
		      uint64_t address, uint64_t max)
{
	struct rt_string *s = string_in(ROOM(room));
	s->tag = read(ROOM(room) + sizeof(struct rt_string), address, max);
}

TEST(kernel_and_user)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		uint64_t at = (uint64_t)long_text(buffer, size + 10, 'k');
		read_text(0, rt_text_kernel, at, TEXT_TO_ITS_END);
		CHECK_TEXT(0, long_text(other, size, 'k'));
		read_text(0, rt_text_kernel, at + 11, TEXT_TO_ITS_END);
		CHECK_TEXT(0, other + 1);
		read_text(0, rt_text_user, at, TEXT_TO_ITS_END);
		CHECK_TEXT(0, other);
		cuts_taken();
		read_text(0, rt_text_user, at, 1);
		CHECK_TEXT(0, "k");
		read_text(0, rt_text_user, at, 0);
		CHECK_TEXT(0, "");
		CHECK_NO_FAULT();
		CHECK_CUTS();
		read_text(0, rt_text_kernel, 0, TEXT_TO_ITS_END);
		CHECK_TEXT(0, NULL);
		CHECK_FAULT(FAULT_BADADDR, 0);
		read_text(0, rt_text_user, 77, 5);
		CHECK_TEXT(0, NULL);
		CHECK_FAULT(FAULT_BADADDR, 77);
	}
}

/*
 * A string of strsize bytes is not truncated, one byte more is; not if no more were requested.  A
 * string whose end cannot be seen counts as truncated, except for the last strsize bytes
 * requested.
 */
TEST(cuts_of_memory)
{
	static char pages[4 * 4096] __attribute__((aligned(4096)));
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size), end = (uint64_t)pages + 3 * 4096;
		const struct {
			uint64_t max;
			long more;     /* bytes of the string, compared with strsize */
			bool bad_from; /* the memory after them cannot be read */
			uint64_t cuts; /* each */
		} cases[] = {
			{ -1, -1, false, 0 },	   { -1, 0, false, 0 },
			{ -1, 1, false, 1 },	   { -1, 2, false, 1 },
			{ size, 1, false, 0 },	   { size + 1, 1, false, 1 },
			{ size - 1, 1, false, 0 }, { size + 1, 0, false, 0 },
			{ size, 0, true, 0 },	   { -1, 0, true, 1 },
		};
		for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			uint64_t length = size + cases[i].more, max = cases[i].max;
			uint64_t at = end - length - !cases[i].bad_from;
			memset(pages, 'm', 3 * 4096);
			if (!cases[i].bad_from)
				pages[3 * 4096 - 1] = 0;
			host_bad_from = end;
			host_bad_end = end + 4096;
			read_text(0, rt_text_user, at, max);
			read_text(1, rt_text_user_sleepable, at, max);
			long_text(buffer, length < size ? length : size, 'm');
			if (max < size)
				buffer[max] = 0;
			CHECK_TEXT(0, buffer);
			CHECK_TEXT(1, buffer);
			cuts_wanted = 2 * cases[i].cuts;
			CHECK_CUTS();
			if (!cases[i].bad_from) {
				read_text(2, rt_text_kernel, at, max);
				CHECK_TEXT(2, buffer);
				cuts_wanted = cases[i].cuts;
				CHECK_CUTS();
			}
			host_bad_from = host_bad_end = UINT64_MAX;
			CHECK_NO_FAULT();
		}
	}
}

TEST(user_wait)
{
	static char pages[4 * 4096] __attribute__((aligned(4096)));
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size), base = (uint64_t)pages;
		memset(pages, 'w', sizeof(pages) - 1);
		long_text(buffer, size, 'w');
		for (uint64_t from = base; from < base + 2 * 4096; from += 1021) {
			host_absent_from = base;
			read_text(0, rt_text_user, from, UINT64_MAX);
			CHECK_FAULT(FAULT_BADADDR, from);
			read_text(0, rt_text_user_sleepable, from, UINT64_MAX);
			CHECK_TEXT(0, buffer);
			CHECK_NO_FAULT();
		}
		/* the text ends with the last page that is there */
		pages[4095] = 0;
		host_absent_from = base;
		host_bad_from = base + 4096;
		read_text(0, rt_text_user_sleepable, base + 4094, UINT64_MAX);
		CHECK_TEXT(0, "w");
		CHECK_NO_FAULT();
		pages[4095] = 'w';
		read_text(0, rt_text_user_sleepable, base + 4095, UINT64_MAX);
		CHECK_TEXT(0, NULL);
		CHECK_FAULT(FAULT_BADADDR, base + 4095);
		read_text(0, rt_text_user_sleepable, base + 8192, 1);
		CHECK_FAULT(FAULT_BADADDR, base + 8192);
		host_bad_from = host_absent_from = UINT64_MAX;
	}
}

/* A key is read in place, among zeros: the bytes after the string do not change. */
TEST(text_leaves_what_is_behind)
{
	static const uint64_t lengths[] = { 0, 1, 7, 8, 9, 15, 16, 31, 255, 4096 };
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size), room = (size + 8) / 8 * 8;
		char *key = rt_scratch + ROOM(0);
		for (unsigned i = 0; i < sizeof(lengths) / sizeof(*lengths) && lengths[i] <= size;
		     i++) {
			uint64_t at = (uint64_t)long_text(buffer, lengths[i], 'b');
			memset(other, 0, sizeof(other));
			memset(other, 'b', lengths[i]);
			memset(key, 0, room);
			CHECK_INT(rt_text_user(ROOM(0), at, TEXT_TO_ITS_END), lengths[i] + 1);
			CHECK(memcmp(key, other, room) == 0);
			memset(key, 0, room);
			CHECK_INT(rt_text_kernel(ROOM(0), at, TEXT_TO_ITS_END), lengths[i] + 1);
			CHECK(memcmp(key, other, room) == 0);
			CHECK_INT((unsigned char)key[room], 0xa5);
		}
		CHECK_CUTS();
		CHECK_NO_FAULT();
	}
}

/*
 * The text has no end within its memory when it is looked for, and the process has put one into
 * the middle of it when the bytes are copied: then that is the end, and zeros follow.
 */
TEST(text_that_becomes_shorter)
{
	static char pages[2 * 4096] __attribute__((aligned(4096)));
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		char *text = pages + 4096 - size, *key = rt_scratch + ROOM(0);
		memset(pages, 's', sizeof(pages));
		host_bad_from = (uint64_t)pages + 4096;
		host_bad_end = host_bad_from + 4096;
		host_shortens = text + size / 2;
		CHECK_INT(rt_text_user(ROOM(0), (uint64_t)text, size), size / 2 + 1);
		host_bad_from = host_bad_end = UINT64_MAX;
		memset(other, 0, sizeof(other));
		memset(other, 's', size / 2);
		CHECK(memcmp(key, other, size + 1) == 0);
		CHECK_CUTS();
		CHECK_NO_FAULT();
	}
}

TEST(empty_text_on_older_kernels)
{
	host_is_old = true;
	FOR_SIZES
	{
		char *key = rt_scratch + ROOM(0);
		*key = 'x';
		CHECK_INT(rt_text_user(ROOM(0), (uint64_t) "", 100), 1);
		CHECK_INT(*key, 0);
		*key = 'x';
		CHECK_INT(rt_text_user_sleepable(ROOM(0), (uint64_t) "", 100), 1);
		CHECK_INT(*key, 0);
		CHECK_NO_FAULT();
	}
	host_is_old = false;
}

static int sign(long x)
{
	return (x > 0) - (x < 0);
}

TEST(compare)
{
	FOR_SIZES
	{
		put_text(0, NULL);
		put_text(1, "");
		put_text(2, NULL);
		CHECK_INT(rt_string_compare(ROOM(0), ROOM(1)), -1);
		CHECK_INT(rt_string_compare(ROOM(1), ROOM(0)), 1);
		CHECK_INT(rt_string_compare(ROOM(0), ROOM(2)), 0);
		CHECK_INT(rt_string_compare(ROOM(1), ROOM(1)), 0);
		for (int i = 0; i < 3000; i++) {
			const char *alphabet = i & 1 ? "a" : "a\xff";
			put_text(0, random_text(buffer, NUMBER(rt_string_size), alphabet));
			put_text(1, random_text(other, NUMBER(rt_string_size), alphabet));
			CHECK_INT(rt_string_compare(ROOM(0), ROOM(1)), sign(strcmp(buffer, other)));
			strcpy(other, buffer);
			if (*other && i % 3)
				other[test_random() % strlen(other)] ^= 1 + i % 2;
			put_text(1, other);
			CHECK_INT(rt_string_compare(ROOM(0), ROOM(1)), sign(strcmp(buffer, other)));
		}
		CHECK_NO_FAULT();
	}
}

TEST(key)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		for (uint64_t key = 1; key <= size + 8; key += 1 + key / 4) {
			slot_reset();
			random_text(buffer, size, "abc");
			put_text(0, buffer);
			char *got = rt_scratch + ROOM(1);
			memset(got, 0, key);
			rt_string_key(ROOM(1), key, ROOM(0));
			memset(other, 0, key);
			memcpy(other, buffer, strlen(buffer) < key ? strlen(buffer) : key);
			CHECK(memcmp(got, other, key) == 0);
			CHECK_INT((unsigned char)got[key], 0xa5);
		}
		CHECK_NO_FAULT();
		put_text(0, NULL);
		rt_string_key(ROOM(1), size, ROOM(0));
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

TEST(record_and_length)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		put_text(0, long_text(buffer, size, 'r'));
		CHECK_INT(rt_strlen(ROOM(0)), size);
		CHECK_INT(rt_string_record(ROOM(1) + 3, ROOM(0)), size);
		CHECK(memcmp(rt_scratch + ROOM(1) + 3, buffer, size) == 0);
		CHECK_INT((unsigned char)rt_scratch[ROOM(1) + 3 + size], 0xa5);
		put_text(0, "");
		CHECK_INT(rt_string_record(ROOM(1), ROOM(0)), 0);
		CHECK_INT(rt_strlen(ROOM(0)), 0);
		CHECK_NO_FAULT();
		put_text(0, NULL);
		CHECK_INT(rt_string_record(ROOM(1), ROOM(0)), 0);
		CHECK_FAULT(FAULT_BADADDR, 0);
		CHECK_INT(rt_strlen(ROOM(0)), 0);
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

TEST(bad_offsets)
{
	slot_reset();
	CHECK_INT(rt_strlen(UINT64_MAX), 0);
	CHECK_INT(rt_string_compare(ROOM(0), -8), 0);
}

TEST(strjoin)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		for (int i = 0; i < 500; i++) {
			random_text(buffer, size, "ab");
			random_text(other, i % 2 || size < 3 ? size : 3, "cd");
			put_text(0, buffer);
			put_text(1, other);
			rt_strjoin(ROOM(2), ROOM(0), ROOM(1));
			strcat(buffer, other);
			CHECK_TEXT(2, cut(buffer));
			CHECK_CUTS();
		}
		CHECK_NO_FAULT();
		put_text(0, NULL);
		rt_strjoin(ROOM(2), ROOM(0), ROOM(1));
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_strjoin(ROOM(2), ROOM(1), ROOM(0));
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

static const struct {
	const char *text;
	long start, count;
	const char *result;
} substr_cases[] = {
	{ "abcdef", 0, INT64_MAX, "abcdef" },
	{ "abcdef", 2, INT64_MAX, "cdef" },
	{ "abcdef", 2, 3, "cde" },
	{ "abcdef", 2, 99, "cdef" },
	{ "abcdef", 6, INT64_MAX, "" },
	{ "abcdef", 7, 2, "" },
	{ "abcdef", 0, 0, "" },
	{ "abcdef", -2, INT64_MAX, "ef" },
	{ "abcdef", -6, 2, "ab" },
	{ "abcdef", -8, 4, "ab" },
	{ "abcdef", -8, 2, "" },
	{ "abcdef", -8, 1, "" },
	{ "abcdef", -8, INT64_MAX, "abcdef" },
	{ "abcdef", 1, -1, "bcde" },
	{ "abcdef", 1, -5, "" },
	{ "abcdef", 1, -9, "" },
	{ "abcdef", -3, -1, "de" },
	{ "abcdef", -8, -1, "" },
	{ "", 0, INT64_MAX, "" },
	{ "", -1, 3, "" },
	{ "abcdef", INT64_MIN, INT64_MIN, "" },
	{ "abcdef", INT64_MAX, INT64_MAX, "" },
	{ "abcdef", INT64_MIN, INT64_MAX, "abcdef" },
	{ "abcdef", 5, -1, "" },
};

TEST(substr)
{
	FOR_SIZES
	{
		if (NUMBER(rt_string_size) < 6)
			continue;
		for (unsigned i = 0; i < sizeof(substr_cases) / sizeof(*substr_cases); i++) {
			put_text(0, substr_cases[i].text);
			rt_substr(ROOM(1), ROOM(0), substr_cases[i].start, substr_cases[i].count);
			CHECK_TEXT(1, substr_cases[i].result);
		}
		CHECK_NO_FAULT();
		put_text(0, NULL);
		rt_substr(ROOM(1), ROOM(0), 0, 1);
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

TEST(case_of_letters)
{
	FOR_SIZES
	{
		uint64_t size = NUMBER(rt_string_size);
		for (int i = 0; i < 300; i++) {
			uint32_t len = test_random() % (size + 1);
			for (uint32_t k = 0; k < len; k++)
				buffer[k] = 1 + test_random() % 255;
			buffer[len] = 0;
			put_text(0, buffer);
			rt_tolower(ROOM(1), ROOM(0));
			rt_toupper(ROOM(2), ROOM(0));
			for (uint32_t k = 0; k < len; k++) {
				char c = buffer[k];
				buffer[k] = c >= 'A' && c <= 'Z' ? c + 32 : c;
				other[k] = c >= 'a' && c <= 'z' ? c - 32 : c;
			}
			other[len] = 0;
			CHECK_TEXT(1, buffer);
			CHECK_TEXT(2, other);
		}
	}
}

TEST_MAIN
