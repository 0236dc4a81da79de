/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>

#include "base/clock.h"

#include "test.h"

TEST(error_grows_in_front)
{
	auto_error struct error *err = error_sys(ENOENT, "cannot open %s", "x");
	err = error_wrap(err, "looking for %d probes", 2);
	CHECK_STR(error_text(err),
		  "looking for 2 probes: cannot open x: No such file or directory");
	CHECK_INT(error_errno(err), ENOENT);
}

TEST(what_to_do_about_too_many_files)
{
	auto_error struct error *err = error_sys(EMFILE, "cannot open %s", "x");
	CHECK_STR(error_text(err), "cannot open x: Too many open files (allow more: ulimit -n)");
	CHECK_INT(error_errno(err), EMFILE);
}

TEST(hash_keeps_what_it_got_while_growing)
{
	struct hash *h = hash_new();
	for (uintptr_t i = 1; i <= 10000; i++)
		*hash_place(h, &i, sizeof(i)) = (void *)i;
	for (uintptr_t i = 1; i <= 10000; i++)
		CHECK(hash_get(h, &i, sizeof(i)) == (void *)i);
	CHECK(hash_get_string(h, "absent") == NULL);
	hash_free(h);
}

static void value_add(void *sum, const void *key, size_t len, void *value)
{
	*(uintptr_t *)sum += (uintptr_t)value;
}

TEST(an_empty_hash_takes_keys_again)
{
	struct hash *h = hash_new();
	uintptr_t sum = 0;
	hash_empty(h, value_add, &sum);
	for (uintptr_t i = 1; i <= 100; i++)
		*hash_place(h, &i, sizeof(i)) = (void *)i;
	hash_empty(h, value_add, &sum);
	CHECK_INT(sum, 5050);
	CHECK(hash_get(h, &sum, sizeof(sum)) == NULL);
	hash_put_string(h, "again", h);
	CHECK(hash_get_string(h, "again") == h);
	hash_empty(h, NULL, NULL);
	CHECK(hash_get_string(h, "again") == NULL);
	hash_free(h);
}

TEST(bytes_never_pass_their_end)
{
	unsigned char data[6] = { 1, 0, 0, 0, 'a', 0 };
	struct bytes b = bytes_of(data, sizeof(data));
	CHECK_INT(bytes_u32(&b), 1);
	CHECK_INT(bytes_u32(&b), 0);
	CHECK(b.failed);
	CHECK_STR(bytes_string_at(&b, 4), "a");
	CHECK(bytes_string_at(&b, 6) == NULL);
	CHECK(bytes_slice(&b, 3, 4).failed);
	CHECK(!bytes_slice(&b, 2, 4).failed);
}

TEST(strings_one_after_the_other)
{
	struct bytes b = bytes_of("ab\0\0end", 7);
	CHECK_STR(bytes_string(&b), "ab");
	CHECK_STR(bytes_string(&b), "");
	CHECK_INT(b.pos, 4);
	CHECK(bytes_string(&b) == NULL); /* the NUL after "end" is not inside */
	CHECK(b.failed);
	CHECK_INT(b.pos, 4);
	b.size = 8;
	CHECK(bytes_string(&b) == NULL); /* failed before */
}

TEST(strbuf_prints_long_texts)
{
	auto_strbuf struct strbuf b = { 0 };
	CHECK_STR(strbuf_text(&b), "");
	strbuf_printf(&b, "%0500d", 7);
	CHECK_INT(b.len, 500);
	strbuf_fill(&b, '-', 3);
	CHECK_STR(strbuf_text(&b) + 498, "07---");
}

TEST(file_is_read_behind_what_is_there_up_to_the_most_allowed)
{
	char path[] = "/tmp/base_test.XXXXXX";
	auto_close int fd = mkostemp(path, O_CLOEXEC);
	auto_strbuf struct strbuf long_text = { 0 }, all = { 0 }, part = { 0 }, rest = { 0 };
	strbuf_fill(&long_text, 'x', 100000);
	strbuf_puts(&long_text, "end");
	CHECK_INT(fd_write_all(fd, &long_text), 0);
	CHECK_INT(fd_write_all(fd, &all), 0); /* nothing */
	CHECK_INT(fd_write_all(-1, &long_text), EBADF);

	CHECK(!file_read(path, SIZE_MAX, &all));
	CHECK_STR(strbuf_text(&all), long_text.text);
	strbuf_puts(&part, "before ");
	CHECK(!file_read(path, 4, &part));
	CHECK_STR(strbuf_text(&part), "before xxxx");
	CHECK_INT(fd_read_all(fd, SIZE_MAX, &rest), 0); /* from the file's position: its end */
	CHECK_STR(strbuf_text(&rest), "");
	unlink(path);

	auto_error struct error *missing = file_read(path, 4, &part);
	CHECK_INT(error_errno(missing), ENOENT);
	CHECK_INT(fd_read_all(-1, 4, &part), EBADF);
	CHECK_STR(strbuf_text(&part), "before xxxx");
}

TEST(arena_items_are_zeroed_and_apart)
{
	struct arena *a = arena_new();
	char *x = arena_alloc(a, 100000), *y = arena_alloc(a, 1);
	CHECK(x[99999] == 0 && y[0] == 0);
	CHECK_STR(arena_printf(a, "%s-%d", "n", 4), "n-4");
	arena_free(a);
}

TEST(monotonic_time_and_the_offset_are_the_time_of_day)
{
	uint64_t offset = clock_wall_offset();
	uint64_t before = clock_ns(CLOCK_MONOTONIC) + offset;
	uint64_t day = clock_ns(CLOCK_REALTIME);
	uint64_t after = clock_ns(CLOCK_MONOTONIC) + offset;
	uint64_t drift = 1000000000; /* of the time of day, which may be adjusted meanwhile */
	CHECK(before < day + drift && day < after + drift);
	CHECK(clock_wall_offset() == offset);
}

TEST_MAIN
