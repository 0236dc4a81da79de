/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/string/search.c and runtime/string/path.c, against the C library and slow, plain versions
 */
#include "host.h"

#include "runtime/string/path.c"
#include "runtime/string/search.c"

#include <libgen.h>
#undef basename

#define MAX 4096
static char buffer[2 * MAX], other[2 * MAX], third[2 * MAX];

static long plain_index(const char *s, const char *sub, long start)
{
	long len = strlen(s), sub_len = strlen(sub);
	if (start < 0)
		start = 0;
	if (sub_len == 0)
		return start < len ? start : len;
	for (long i = start; i + sub_len <= len; i++)
		if (memcmp(s + i, sub, sub_len) == 0)
			return i;
	return -1;
}

static long plain_rindex(const char *s, const char *sub, long start)
{
	long len = strlen(s), sub_len = strlen(sub);
	if (sub_len == 0)
		return start < 0 ? 0 : start < len ? start : len;
	for (long i = start < len ? start : len; i >= 0; i--)
		if (i + sub_len <= len && memcmp(s + i, sub, sub_len) == 0)
			return i;
	return -1;
}

TEST(index_and_strstr)
{
	FOR_SIZES
	{
		long size = NUMBER(rt_string_size);
		for (int i = 0; i < 4000; i++) {
			long text_max = i % 3 ? size : 40 < size ? 40 : size;
			random_text(buffer, text_max, i % 2 ? "ab" : "aaaaaaaaaaaaab");
			random_text(other, i % 5 ? (size < 30 ? size : 30) : size,
				    i % 2 ? "ab" : "aaaaaaaaaaaaab");
			if (i % 7 == 0 && *buffer) { /* a part of the text, so that it is found */
				long from = test_random() % strlen(buffer);
				strcpy(other, buffer + from);
				if (*other)
					other[test_random() % strlen(other)] = 0;
			}
			put_text(0, buffer);
			put_text(1, other);
			long start = (long)(test_random() % (size + 10)) - 5;
			CHECK_INT(rt_index(ROOM(0), ROOM(1), start),
				  plain_index(buffer, other, start));
			CHECK_INT(rt_rindex(ROOM(0), ROOM(1), start),
				  plain_rindex(buffer, other, start));
			CHECK_INT(rt_index(ROOM(0), ROOM(1), 0), plain_index(buffer, other, 0));
			CHECK_INT(rt_rindex(ROOM(0), ROOM(1), INT64_MAX),
				  plain_rindex(buffer, other, INT64_MAX));
			rt_strstr(ROOM(2), ROOM(0), ROOM(1));
			CHECK_TEXT(2, strstr(buffer, other));
		}
		CHECK_NO_FAULT();
	}
}

TEST(index_edges)
{
	FOR_SIZES
	{
		put_text(0, "ab");
		put_text(1, "");
		CHECK_INT(rt_index(ROOM(0), ROOM(1), -3), 0);
		CHECK_INT(rt_index(ROOM(0), ROOM(1), 9), 2);
		CHECK_INT(rt_rindex(ROOM(0), ROOM(1), INT64_MAX), 2);
		CHECK_INT(rt_rindex(ROOM(0), ROOM(1), -1), 0);
		put_text(1, "a");
		CHECK_INT(rt_rindex(ROOM(0), ROOM(1), -1), -1);
		CHECK_INT(rt_index(ROOM(0), ROOM(1), INT64_MAX), -1);
		CHECK_INT(rt_index(ROOM(0), ROOM(1), INT64_MIN), 0);
		CHECK_NO_FAULT();
		put_text(1, NULL);
		rt_index(ROOM(0), ROOM(1), 0);
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_rindex(ROOM(1), ROOM(0), 0);
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_strstr(ROOM(2), ROOM(0), ROOM(1));
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

TEST(characters)
{
	FOR_SIZES
	{
		for (int i = 0; i < 2000; i++) {
			put_text(0, random_text(buffer, NUMBER(rt_string_size),
						i % 2 ? "a\xff" : "aaaaaaaaaaaaaaaaaaab/\x80"));
			const char wanted[] = { 'a', 'b', '/', '\xff', '\x80', 0, 'z' };
			char c = wanted[i % 7];
			rt_strchr(ROOM(1), ROOM(0), (uint64_t)(int64_t)c);
			CHECK_TEXT(1, strchr(buffer, c));
			rt_strrchr(ROOM(1), ROOM(0), c);
			CHECK_TEXT(1, strrchr(buffer, c));
		}
		CHECK_NO_FAULT();
		put_text(0, NULL);
		rt_strchr(ROOM(1), ROOM(0), 'a');
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

TEST(tokens)
{
	FOR_SIZES
	{
		for (int i = 0; i < 500; i++) {
			put_text(0, random_text(buffer, NUMBER(rt_string_size),
						i % 2 ? "ab,;" : "abcdefghijklmnop, \xff"));
			put_text(1, random_text(other, i % 11 ? 2 : NUMBER(rt_string_size),
						",;\xff "));
			char *rest;
			char *wanted = strtok_r(buffer, other, &rest);
			rt_strtok(ROOM(2), ROOM(0), ROOM(1), ROOM(3));
			put_text(0, NULL); /* the copy is what counts */
			for (int k = 0; k < 5000 && wanted; k++) {
				CHECK_TEXT(2, wanted);
				wanted = strtok_r(NULL, other, &rest);
				rt_strtok(ROOM(2), k % 2 ? ROOM(0) : 0, ROOM(1), ROOM(3));
			}
			CHECK_TEXT(2, NULL);
			rt_strtok(ROOM(2), 0, ROOM(1), ROOM(3));
			CHECK_TEXT(2, NULL);
			CHECK_NO_FAULT();
		}
		slot_reset();
		put_text(1, ",");
		rt_strtok(ROOM(2), 0, ROOM(1), ROOM(3));
		CHECK_TEXT(2, NULL);
		CHECK_FAULT(FAULT_BADADDR, 0);
		put_text(0, "a");
		put_text(1, NULL);
		rt_strtok(ROOM(2), ROOM(0), ROOM(1), ROOM(3));
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

static const struct {
	const char *path, *base, *dir, *clean;
} path_cases[] = {
	{ "", ".", ".", "" },
	{ "/", "/", "/", "/" },
	{ "//", "/", "/", "/" },
	{ "a", "a", ".", "a" },
	{ "a/", "a", ".", "a" },
	{ "/a", "a", "/", "/a" },
	{ "//a//", "a", "/", "/a" },
	{ "/usr/lib", "lib", "/usr", "/usr/lib" },
	{ "/usr//lib//", "lib", "/usr", "/usr/lib" },
	{ "usr/lib", "lib", "usr", "usr/lib" },
	{ ".", ".", ".", "." },
	{ "..", "..", ".", ".." },
	{ "./", ".", ".", "." },
	{ "../a", "a", "..", "../a" },
	{ "/foo/bar/baz/", "baz", "/foo/bar", "/foo/bar/baz" },
	{ "a/..", "..", "a", "." },
	{ "a/../..", "..", "a/..", ".." },
	{ "/..", "..", "/", "/" },
	{ "/../..//a", "a", "/../..", "/a" },
	{ "a/./b", "b", "a/.", "a/b" },
	{ "a/...", "...", "a", "a/..." },
	{ "a/.b/..c/d..", "d..", "a/.b/..c", "a/.b/..c/d.." },
	{ "../../a/../b", "b", "../../a/..", "../../b" },
	{ "a/../../b", "b", "a/../..", "../b" },
};

TEST(paths)
{
	FOR_SIZES
	{
		for (unsigned i = 0; i < sizeof(path_cases) / sizeof(*path_cases); i++) {
			if (strlen(path_cases[i].path) > NUMBER(rt_string_size))
				continue;
			put_text(0, path_cases[i].path);
			rt_basename(ROOM(1), ROOM(0));
			CHECK_TEXT(1, path_cases[i].base);
			rt_dirname(ROOM(1), ROOM(0));
			CHECK_TEXT(1, path_cases[i].dir);
			rt_cleanpath(ROOM(1), ROOM(0));
			CHECK_TEXT(1, path_cases[i].clean);
		}
		CHECK_NO_FAULT();
		put_text(0, NULL);
		rt_basename(ROOM(1), ROOM(0));
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_dirname(ROOM(1), ROOM(0));
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_cleanpath(ROOM(1), ROOM(0));
		CHECK_FAULT(FAULT_BADADDR, 0);
	}
}

/* From the first component on, with a stack of them. */
static void plain_cleanpath(const char *path, char *out)
{
	static const char *parts[2 * MAX];
	static char text[2 * MAX];
	int depth = 0;
	strcpy(text, path);
	char *rest, *part = strtok_r(text, "/", &rest);
	for (; part; part = strtok_r(NULL, "/", &rest)) {
		if (strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") != 0)
			parts[depth++] = part;
		else if (depth && strcmp(parts[depth - 1], "..") != 0)
			depth--;
		else if (*path != '/')
			parts[depth++] = part;
	}
	char *end = out;
	*end = 0;
	for (int i = 0; i < depth; i++)
		end += sprintf(end, "%s%s", i || *path == '/' ? "/" : "", parts[i]);
	if (*path && !*out)
		strcpy(out, *path == '/' ? "/" : ".");
}

TEST(random_paths)
{
	FOR_SIZES
	{
		for (int i = 0; i < 3000; i++) {
			random_text(
				buffer,
				i % 4 ? (NUMBER(rt_string_size) < 20 ? NUMBER(rt_string_size) : 20)
				      : NUMBER(rt_string_size),
				i % 2 ? "/." : "/..ab");
			put_text(0, buffer);
			rt_basename(ROOM(1), ROOM(0));
			CHECK_TEXT(1, __xpg_basename(strcpy(other, buffer)));
			rt_dirname(ROOM(1), ROOM(0));
			if (strspn(buffer, "/") == 2) /* the C library keeps "//" */
				CHECK(text_in(1) != NULL);
			else
				CHECK_TEXT(1, dirname(strcpy(other, buffer)));
			plain_cleanpath(buffer, third);
			rt_cleanpath(ROOM(1), ROOM(0));
			CHECK_TEXT(1, third);
		}
		CHECK_NO_FAULT();
	}
}

TEST_MAIN
