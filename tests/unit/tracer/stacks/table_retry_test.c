/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/stacks/stacks.h"

#include "base/time_unit.h"
#include "test.h"

static const struct unwind_key one = { .inode = 1 }, two = { .inode = 2 };

TEST(a_table_that_fails_again_and_again_is_asked_for_rarely)
{
	table_failures f = { 0 };
	struct unwind_key key;
	uint64_t now = 1, waited = 0;
	unsigned asked = 0;
	while (now < 60 * NS_PER_SECOND) {
		waited = table_failed(&f, &one, now);
		CHECK(waited == 0 || !table_due(&f, now, &key));
		now += waited;
		CHECK(table_due(&f, now, &key) && key.inode == 1);
		CHECK(!table_due(&f, now, &key)); /* once */
		asked++;
	}
	CHECK_INT(asked, 13);
	CHECK_INT(waited, 32 * NS_PER_SECOND);
	table_made(&f, &one);
	CHECK_INT(f.count, 0);
	CHECK_INT(table_failed(&f, &one, now), 0);
	vector_free(&f);
}

TEST(files_that_nobody_asks_for_again_are_forgotten)
{
	table_failures f = { 0 };
	struct unwind_key key;
	table_failed(&f, &one, 1);
	CHECK(table_due(&f, 1, &key));
	table_failed(&f, &two, 70 * NS_PER_SECOND);
	CHECK(table_due(&f, 70 * NS_PER_SECOND, &key) && key.inode == 2);
	CHECK(!table_due(&f, 70 * NS_PER_SECOND, &key));
	CHECK_INT(f.count, 1);
	CHECK_INT(f.items[0].key.inode, 2);
	vector_free(&f);
}

TEST_MAIN
