/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "process/mapping_log.h"
#include "test.h"

static void nothing_new(void *arg)
{
	unsigned *calls = arg;
	++*calls;
}

static void note(struct mapping_log *l, int pid, uint64_t start, const char *path)
{
	char text[64];
	snprintf(text, sizeof(text), "%s", path);
	mapping_log_add(l, pid,
			&(struct mapping) { .start = start,
					    .end = start + 0x1000,
					    .executable = true,
					    .inode = path[0] == '/',
					    .path = text });
	memset(text, 'x', sizeof(text) - 1); /* it was copied */
}

static void add_text(void *arg, const struct mapping *m)
{
	strbuf_printf(arg, "%llx%s ", (unsigned long long)m->start, m->path);
}

/* What PID has, oldest first */
static const char *of(struct mapping_log *l, int pid)
{
	static struct strbuf text;
	strbuf_clear(&text);
	mapping_log_visit(l, pid, add_text, &text);
	return strbuf_text(&text);
}

TEST(what_was_mapped)
{
	unsigned calls = 0;
	struct mapping_log *l = mapping_log_new(nothing_new, &calls);
	note(l, 7, 0x1000, "/bin/a");
	note(l, 8, 0x1000, "/bin/b");
	note(l, 7, 0x2000, "/lib/c");
	note(l, 7, 0x3000, "[vdso]");
	note(l, 7, 0x4000, ""); /* in no file */
	CHECK_STR(of(l, 7), "1000/bin/a 2000/lib/c 3000[vdso] ");
	CHECK_STR(of(l, 8), "1000/bin/b ");
	CHECK_STR(of(l, 9), "");
	CHECK_INT(calls, 3);
	mapping_log_free(l);
	mapping_log_free(NULL);
}

TEST(children_have_what_the_parent_had_then)
{
	unsigned calls = 0;
	struct mapping_log *l = mapping_log_new(nothing_new, &calls);
	note(l, 7, 0x1000, "/bin/a");
	mapping_log_fork(l, 7, 8);
	note(l, 7, 0x2000, "/lib/later");
	note(l, 8, 0x3000, "/lib/own");
	mapping_log_fork(l, 8, 9);
	mapping_log_fork(l, 9, 10); /* 9 has mapped nothing itself */
	note(l, 8, 0x4000, "/lib/later");
	CHECK_STR(of(l, 8), "1000/bin/a 3000/lib/own 4000/lib/later ");
	CHECK_STR(of(l, 10), "1000/bin/a 3000/lib/own ");
	/* Another process has got the number. */
	mapping_log_fork(l, 1, 8);
	CHECK_STR(of(l, 8), "");
	CHECK_STR(of(l, 10), "1000/bin/a 3000/lib/own ");
	mapping_log_free(l);
}

TEST(bounds)
{
	unsigned calls = 0;
	struct mapping_log *l = mapping_log_new(nothing_new, &calls);
	note(l, 1, 0x1000, "/bin/first");
	for (int pid = 2; pid < 40; pid++) { /* a chain in which all have mapped something */
		mapping_log_fork(l, pid - 1, pid);
		note(l, pid, 0x1000 * (uint64_t)pid, "/x");
	}
	size_t inherited = mapping_log_visit(l, 39, NULL, NULL);
	CHECK(inherited >= 1 && inherited < 39);
	for (uint64_t i = 0; i < 5000; i++)
		note(l, 50, i << 12, "/lib/again");
	struct strbuf text = { 0 };
	CHECK_INT(mapping_log_visit(l, 50, add_text, &text), 5000); /* all that there were */
	CHECK(text.len < 1000 * strlen("1000000/lib/again "));
	CHECK(strstr(strbuf_text(&text), " 1387000/lib/again ")); /* the last */
	strbuf_deinit(&text);
	for (int pid = 100; pid < 40000; pid++)
		note(l, pid, 0x1000, "/bin/many");
	CHECK_STR(of(l, 1), ""); /* forgotten */
	CHECK_STR(of(l, 39999), "1000/bin/many ");
	CHECK_STR(of(l, 39999 - 8000), "1000/bin/many ");
	mapping_log_free(l);
}

TEST_MAIN
