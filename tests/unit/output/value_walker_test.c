/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/print/value_walker.h"

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

/* A tag of one byte at 1; two variants of two bytes at 2, and a member that is absent. */
static struct visits visit_variants(unsigned char tag, uint32_t there)
{
	static const uint64_t numbers[] = { 3, 200 };
	static const struct variant listed = { 1, 1, false, 2, numbers },
				    other = { 1, 1, true, 2, numbers };
	struct types *t = types_new(NULL);
	const struct member members[] = {
		{ .name = "first", .type = types_parse(t, "char") },
		{ .name = "tag", .type = types_parse(t, "char") },
		{ .name = "one", .type = types_parse(t, "short"), .variant = &listed },
		{ .name = "two", .type = types_parse(t, "char [4]"), .variant = &other },
		{ .type = types_parse(t, "int [8]"), .absent = "is elsewhere" },
	};
	struct type *type = types_declare_tag(t, TYPE_STRUCT, NULL);
	types_complete_struct(t, type, members, ARRAY_SIZE(members), 0);
	const unsigned char bytes[16] = { 1, tag, 2, 2, 3, 3, 3, 3 };
	struct visits v = { 0 };
	const struct value_walker visitor = { &v, leaf, begin, end, cut };
	struct part whole = part_whole(type, bytes, there);
	value_walk(t, &whole, &visitor);
	struct member found;
	CHECK(type_member(t, type, "tag", &found));
	CHECK(!type_member(t, type, "one", &found) && type_member_problem(t, type, "one"));
	CHECK(!type_member_problem(t, type, "tag") && !type_member_problem(t, type, "none"));
	types_free(t);
	return v;
}

TEST(of_variants_the_one_with_the_tag_is_visited)
{
	CHECK_INT(visit_variants(3, 16).leaves, 4);   /* first, tag, one, the absent one */
	CHECK_INT(visit_variants(200, 16).leaves, 4); /* a tag has no sign */
	CHECK_INT(visit_variants(4, 16).leaves, 7);   /* the four of two */
	struct visits v = visit_variants(4, 1);
	CHECK_INT(v.leaves, 1);
	CHECK_INT(v.cuts, 1);
}

TEST_MAIN
