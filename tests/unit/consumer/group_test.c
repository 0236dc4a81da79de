/* SPDX-License-Identifier: BSD-2-Clause */
/* group_test - committed speculations, record by record */
#include "consumer/fake.h"
#include "consumer/seen.h"
#include "test.h"

static const struct clause_layout clauses[] = { { .epid = 1, .records = true, .fixed_size = 24 } };
static const struct program program = {
	.clauses = clauses, .clause_count = 1, .area_count = 4, .cpu_count = 4
};

static struct consumer *consumer_of(bool temporal)
{
	struct record_source source = { .program = &program };
	return fake_consumer_of(&source, temporal);
}

/* A group under way. */
struct builder {
	uint64_t words[60];
	uint32_t size;
};

static void group_begin(struct builder *b, uint32_t cpu, uint64_t time)
{
	struct record_header header = { .kind = RECORD_GROUP, .time = time, .seq = cpu };
	memcpy(b->words, &header, sizeof(header));
	b->size = sizeof(header);
}

static void group_add(struct builder *b, uint16_t cpu, uint32_t seq)
{
	struct record_header header = { .cpu = cpu, .probe = 1, .seq = seq };
	b->words[b->size / 8] = sizeof(header);
	memcpy((char *)b->words + b->size + 8, &header, sizeof(header));
	b->size += 8 + sizeof(header);
}

static const char *seen_of(const struct builder *b, uint32_t size)
{
	struct consumer *c = consumer_of(true);
	fake_reset();
	fake_record(1, b->words, size);
	seen[0] = 0;
	CHECK(!consumer_flush(c, note, NULL));
	consumer_free(c);
	return seen;
}

TEST(cpu_by_cpu_the_committing_one_first)
{
	struct builder b;
	group_begin(&b, 2, 5);
	group_add(&b, 3, 1);
	group_add(&b, 1, 2);
	group_add(&b, 2, 3);
	group_add(&b, 3, 4);
	group_add(&b, 1, 5);
	group_add(&b, 2, 6);
	CHECK_STR(seen_of(&b, b.size), "2:3 2:6 1:2 1:5 3:1 3:4 ");
}

TEST(a_size_of_zero_ends_it)
{
	struct builder b;
	group_begin(&b, 1, 5);
	group_add(&b, 1, 1);
	b.words[b.size / 8] = 0;
	b.size += 8;
	group_add(&b, 1, 2);
	CHECK_STR(seen_of(&b, b.size), "1:1 ");
}

TEST(damaged_ones_end_where_the_damage_begins)
{
	struct builder b;
	group_begin(&b, 1, 5);
	CHECK_STR(seen_of(&b, b.size), "");
	group_add(&b, 1, 1);
	group_add(&b, 1, 2);
	CHECK_STR(seen_of(&b, b.size - 8), "1:1 ");
	b.words[3] = 20;
	CHECK_STR(seen_of(&b, b.size), "1:0 1:2 ");
	b.words[3] = UINT64_MAX;
	CHECK_STR(seen_of(&b, b.size), "");
}

TEST(a_group_has_its_place_in_time)
{
	struct consumer *c = consumer_of(true);
	fake_reset();
	struct builder b;
	group_begin(&b, 0, 50);
	group_add(&b, 0, 7);
	struct record_header before = { .time = 49, .probe = 1, .seq = 1 },
			     after = { .time = 51, .probe = 1, .seq = 2 };
	fake_record(1, &before, sizeof(before));
	fake_record(1, &after, sizeof(after));
	fake_record(0, b.words, b.size);
	seen[0] = 0;
	CHECK(!consumer_flush(c, note, NULL));
	CHECK_STR(seen, "1:1 0:7 1:2 ");
	consumer_free(c);
}

TEST_MAIN
