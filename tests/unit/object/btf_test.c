/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/btf_bytes.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "test.h"

/* int; struct pair { int a; int b:3 }; enum colour { RED = -1, BLUE = 7 }; int f(int x, ...) */
static void *small_btf(size_t *size)
{
	struct btf_bytes w = { 0 };
	uint32_t encoding = 1u << 24 | 32;
	uint32_t i = btf_bytes_type(&w, "int", BTF_INT, false, 0, 4, &encoding, 1);
	uint32_t members[] = { btf_bytes_string(&w, "a"), i, 0,
			       btf_bytes_string(&w, "b"), i, 3u << 24 | 32 };
	btf_bytes_type(&w, "pair", BTF_STRUCT, true, 2, 8, members, 6);
	uint32_t values[] = { btf_bytes_string(&w, "RED"), UINT32_MAX, btf_bytes_string(&w, "BLUE"),
			      7 };
	btf_bytes_type(&w, "colour", BTF_ENUM, true, 2, 4, values, 4);
	uint32_t params[] = { btf_bytes_string(&w, "x"), i, 0, 0 };
	uint32_t proto = btf_bytes_type(&w, "", BTF_FUNC_PROTO, false, 2, i, params, 4);
	btf_bytes_type(&w, "f", BTF_FUNC, false, 0, proto, NULL, 0);
	btf_bytes_type(&w, "pair", BTF_TYPEDEF, false, 0, 2, NULL, 0);
	uint32_t big[] = { btf_bytes_string(&w, "HUGE"), 1, 0x80000000u };
	btf_bytes_type(&w, "wide", BTF_ENUM64, false, 1, 8, big, 3);
	return btf_bytes_finish(&w, size);
}

TEST(types_are_found_by_kind_and_name)
{
	size_t size;
	auto_free void *data = small_btf(&size);
	struct btf *b = NULL;
	CHECK(btf_of_bytes(data, size, &b) == NULL);
	CHECK_INT(btf_count(b), 7);
	for (int round = 0; round < 40; round++) { /* scans first, then the index */
		CHECK_INT(btf_find(b, BTF_STRUCT, "pair"), 2);
		CHECK_INT(btf_find(b, BTF_TYPEDEF, "pair"), 6);
		CHECK_INT(btf_find(b, BTF_UNION, "pair"), 0);
		CHECK_INT(btf_find(b, BTF_FUNC, "f"), 5);
		CHECK_INT(btf_find(b, BTF_FUNC_PROTO, ""), 0);
	}
	CHECK_INT(btf_nth(b, BTF_TYPEDEF, 0), 6);
	CHECK_INT(btf_nth(b, BTF_TYPEDEF, 1), 0);
	btf_free(b);
}

/* Types of three sizes and three kinds, which fill several groups of the table of offsets. */
TEST(each_of_many_types_is_found)
{
	struct btf_bytes w = { 0 };
	uint32_t count = 100;
	for (uint32_t id = 1; id <= count; id++) {
		auto_free char *name = mem_printf("t%u", id);
		uint32_t members[] = { 0, id, 0, 0, id, 32 };
		if (id % 3 == 0)
			btf_bytes_type(&w, name, BTF_STRUCT, false, 2, id, members, 6);
		else if (id % 3 == 1)
			btf_bytes_type(&w, name, BTF_VAR, false, 0, id, members, 1);
		else
			btf_bytes_type(&w, name, BTF_TYPEDEF, false, 0, id, NULL, 0);
	}
	size_t size;
	auto_free void *data = btf_bytes_finish(&w, &size);
	struct btf *b = NULL;
	CHECK(btf_of_bytes(data, size, &b) == NULL);
	CHECK_INT(btf_count(b), count);
	static const enum btf_kind kinds[] = { BTF_STRUCT, BTF_VAR, BTF_TYPEDEF };
	for (uint32_t id = 1; id <= count; id++) {
		auto_free char *name = mem_printf("t%u", id);
		struct btf_type type;
		CHECK(btf_type_at(b, id, &type));
		CHECK_STR(type.name, name);
		CHECK_INT(type.size_or_type, id);
		CHECK_INT(btf_find(b, kinds[id % 3], name), id);
		CHECK_INT(btf_find(b, kinds[(id + 1) % 3], name), 0);
		CHECK_INT(btf_nth(b, kinds[id % 3], (id - 1) / 3), id);
	}
	btf_free(b);
}

TEST(what_follows_a_type_is_decoded)
{
	size_t size;
	auto_free void *data = small_btf(&size);
	struct btf *b = NULL;
	CHECK(btf_of_bytes(data, size, &b) == NULL);

	struct btf_type type;
	struct btf_member m;
	CHECK(btf_type_at(b, 2, &type));
	CHECK(btf_member_at(b, &type, 0, &m));
	CHECK_STR(m.name, "a");
	CHECK_INT(m.bit_size, 0);
	CHECK(btf_member_at(b, &type, 1, &m));
	CHECK_INT(m.bit_offset, 32);
	CHECK_INT(m.bit_size, 3);
	CHECK(!btf_member_at(b, &type, 2, &m));

	const char *name;
	int64_t value;
	CHECK(btf_type_at(b, 3, &type));
	CHECK(btf_enumerator_at(b, &type, 0, &name, &value));
	CHECK_INT(value, -1);
	CHECK(btf_type_at(b, 7, &type));
	CHECK(btf_enumerator_at(b, &type, 0, &name, &value));
	CHECK_STR(name, "HUGE");
	CHECK(value == (int64_t)0x8000000000000001u);

	uint32_t id;
	CHECK(btf_type_at(b, 4, &type));
	CHECK(btf_param_at(b, &type, 0, &name, &id));
	CHECK_STR(name, "x");
	CHECK(btf_param_at(b, &type, 1, &name, &id));
	CHECK_INT(id, 0);

	CHECK(btf_type_at(b, 0, &type));
	CHECK_INT(type.kind, BTF_VOID);
	CHECK(!btf_type_at(b, 8, &type));
	CHECK_STR(btf_string(b, 100000), "");
	btf_free(b);
}

TEST(damage_is_an_error)
{
	size_t size;
	auto_free unsigned char *data = small_btf(&size);
	struct btf *b = NULL;
	for (size_t cut = 0; cut < size; cut++) {
		auto_free unsigned char *copy = mem_alloc(cut);
		memcpy(copy, data, cut);
		struct error *err = btf_of_bytes(copy, cut, &b);
		CHECK(err != NULL);
		error_free(err);
	}
	data[24 + 7] = 0x1f; /* the kind of the first type */
	struct error *err = btf_of_bytes(data, size, &b);
	CHECK(err != NULL);
	if (err)
		CHECK_STR(error_text(err), "BTF type 1 is of unknown kind 31");
	error_free(err);
}

static double milliseconds(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e6;
}

TEST(running_kernel)
{
	const char *path = "/sys/kernel/btf/vmlinux";
	if (access(path, R_OK) != 0)
		SKIP("needs the kernel's BTF");
	double begin = milliseconds();
	struct btf *b = NULL;
	CHECK(btf_open(path, &b) == NULL);
	double opened = milliseconds();
	uint32_t id = btf_find(b, BTF_FUNC, "vfs_read");
	double found = milliseconds();
	for (int i = 0; i < 20; i++)
		CHECK_INT(btf_find(b, BTF_FUNC, "vfs_read"), id);
	double indexed = milliseconds();
	printf("%u types: open %.2f ms, first look-up %.2f ms, 20 more %.2f ms\n", btf_count(b),
	       opened - begin, found - opened, indexed - found);
	struct btf_type type;
	CHECK(btf_type_at(b, id, &type));
	CHECK_STR(type.name, "vfs_read");
	btf_free(b);

	struct error *err = btf_open("/nonexistent/btf", &b);
	CHECK_STR(error_text(err), "cannot open /nonexistent/btf: No such file or directory");
	error_free(err);
}

TEST_MAIN
