/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables are our own: this program has them, as libjvm.so does, but for what is said. */
#include "symbol/code_names.h"

#include "test.h"

struct row {
	const char *type, *member, *type_text;
	int32_t is_static;
	uint64_t offset;
	void *address;
};

struct type_row {
	const char *name, *super;
	int32_t is_oop, is_integer, is_unsigned;
	uint64_t size;
};

static void *codes;
static struct row rows[] = {
	{ "Method", "_constMethod", "ConstMethod*", 0, 0, NULL },
	{ "ConstMethod", "_constants", "ConstantPool*", 0, 0, NULL },
	{ "ConstMethod", "_name_index", "u2", 0, 0, NULL },
	{ "ConstantPool", "_pool_holder", "InstanceKlass*", 0, 0, NULL },
	{ "InstanceKlass", "_name", "another", 0, 0, NULL },
	{ "Klass", "_name", "Symbol*", 0, 0, NULL },
	{ "Symbol", "_length", "u2", 0, 0, NULL },
	{ "Symbol", "_body[0]", "u1", 0, 0, NULL },
	{ "StubQueue", "_stub_buffer", "address", 0, 0, NULL },
	{ "StubQueue", "_buffer_limit", "int", 0, 0, NULL },
	{ "AbstractInterpreter", "_code", "StubQueue*", 1, 0, &codes },
	{ NULL, NULL, NULL, 0, 0, NULL },
};
static struct type_row types[] = {
	{ "Method", "Metadata", 0, 0, 0, 88 },
	{ "ConstantPool", "Metadata", 0, 0, 0, 72 },
	{ NULL, NULL, 0, 0, 0, 0 },
};
extern struct row *gHotSpotVMStructs;
extern struct type_row *gHotSpotVMTypes;
struct row *gHotSpotVMStructs = rows;
struct type_row *gHotSpotVMTypes = types;

static struct elf_file *ourselves(void)
{
	struct elf_file *e = NULL;
	struct error *err = elf_file_open("/proc/self/exe", &e);
	CHECK(!err);
	error_free(err);
	return e;
}

/* Where we are loaded. */
static uint64_t base_of(struct elf_file *e)
{
	const struct elf_symbol *s = elf_file_symbol_named(e, "gHotSpotVMStructs");
	CHECK(s != NULL);
	return s ? (uint64_t)&gHotSpotVMStructs - s->address : 0;
}

TEST(tables_of_pointers_as_the_linker_makes_them)
{
	struct elf_file *e = ourselves();
	uint64_t words[18] = { 0 }, base = base_of(e);
	CHECK_INT(elf_file_words(e, (uint64_t)rows - base, 18, words), 18);
	CHECK_INT(words[0] + base, (uint64_t)rows[0].type);
	CHECK_INT(words[13] + base, (uint64_t)rows[2].member);
	CHECK_INT(words[17], 0);
	CHECK_INT(elf_file_words(e, UINT64_MAX - 64, 18, words), 0);
	CHECK_INT(elf_file_words(e, (uint64_t)rows - base, SIZE_MAX, words), 0);
	elf_file_free(e);
}

TEST(rows_of_the_members)
{
	struct elf_file *e = ourselves();
	struct hotspot h;
	uint64_t base = base_of(e);
	CHECK(hotspot_of_file(e, &h));
	CHECK_INT(h.base, 0);
	CHECK_INT(h.offset_at[HOTSPOT_METHOD_CODE] + base, (uint64_t)&rows[0].offset);
	CHECK_INT(h.offset_at[HOTSPOT_CLASS_NAME] + base, (uint64_t)&rows[5].offset);
	CHECK_INT(h.offset_at[HOTSPOT_CODES_SIZE] + base, (uint64_t)&rows[9].offset);
	CHECK_INT(h.codes + base, (uint64_t)&codes);
	CHECK_INT(h.constants_size, 72);
	elf_file_free(e);
}

TEST(files_without_the_tables)
{
	struct elf_file *e = NULL;
	struct hotspot h = { .base = 5 };
	error_free(elf_file_open("/bin/true", &e));
	CHECK(e && !hotspot_of_file(e, &h));
	CHECK_INT(h.base, 5);
	elf_file_free(e);
	CHECK(hotspot_may_be_in("libjvm.so", 9));
	CHECK(!hotspot_may_be_in("libjvm.so.debug", 15));
	CHECK(!hotspot_may_be_in("java", 4));
}

TEST_MAIN
