/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/value_walker.h"

#include "test.h"

struct visits {
	unsigned leaves, cuts;
};

static void leaf(void *arg, const struct part *p)
{
	((struct visits *)arg)->leaves++;
}

static bool begin(void *arg, const struct part *p)
{
	return true;
}

static void end(void *arg, const struct part *p)
{
}

static void cut(void *arg, const struct part *whole)
{
	((struct visits *)arg)->cuts++;
}

/* Visit THERE bytes of a value of this type. */
static struct visits visit(const char *type, uint32_t there)
{
	struct types *t = types_new(NULL);
	unsigned char *bytes = mem_zalloc(there); /* its end is known to sanitizers */
	struct visits v = { 0 };
	const struct value_walker visitor = { &v, leaf, begin, end, cut };
	struct part whole = part_whole(types_parse(t, type), bytes, there);
	bool complete = value_walk(t, &whole, &visitor);
	CHECK(complete == !v.cuts);
	free(bytes);
	types_free(t);
	return v;
}

TEST(what_is_not_there_is_cut)
{
	struct visits v = visit("int [4]", 10);
	CHECK_INT(v.leaves, 2);
	CHECK_INT(v.cuts, 1);
	v = visit("int [4]", 100);
	CHECK_INT(v.leaves, 4);
	CHECK_INT(v.cuts, 0);
	v = visit("long double", 3);
	CHECK_INT(v.leaves, 0);
	CHECK_INT(v.cuts, 1);
	v = visit("int", 4);
	CHECK_INT(v.leaves, 1);
}

TEST_MAIN
