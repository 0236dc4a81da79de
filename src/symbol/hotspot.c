/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/code_names.h"

#include <string.h>

/* Words of a row of the table of members, and of that of types. */
enum { ROW_TYPE, ROW_MEMBER, ROW_OFFSET = 4, ROW_ADDRESS, ROW_WORDS };
enum { TYPE_ROW_NAME, TYPE_ROW_SIZE = 4, TYPE_ROW_WORDS };
#define ROWS_MOST 4096 /* JDK 17 has 800 */
#define NAME_MOST 128

static const struct {
	const char *type, *member;
} members[] = {
	[HOTSPOT_METHOD_CODE] = { "Method", "_constMethod" },
	[HOTSPOT_CODE_CONSTANTS] = { "ConstMethod", "_constants" },
	[HOTSPOT_CODE_NAME] = { "ConstMethod", "_name_index" },
	[HOTSPOT_CONSTANTS_CLASS] = { "ConstantPool", "_pool_holder" },
	[HOTSPOT_CLASS_NAME] = { "Klass", "_name" },
	[HOTSPOT_SYMBOL_LENGTH] = { "Symbol", "_length" },
	[HOTSPOT_SYMBOL_TEXT] = { "Symbol", "_body[0]" },
	[HOTSPOT_CODES_BEGIN] = { "StubQueue", "_stub_buffer" },
	[HOTSPOT_CODES_SIZE] = { "StubQueue", "_buffer_limit" },
};

static bool hotspot_has_name(const struct elf_file *e, uint64_t address, const char *name)
{
	struct bytes there = elf_file_code(e, address, NAME_MOST);
	size_t size = strlen(name) + 1;
	return there.size >= size && memcmp(there.data, name, size) == 0;
}

/* The words of the table that the pointer NAME leads to; the caller frees them; NULL: none. */
static uint64_t *hotspot_read_table(struct elf_file *e, const char *name, size_t row_words,
				    size_t *rows, uint64_t *address)
{
	const struct elf_symbol *s = elf_file_symbol_named(e, name);
	if (!s || !elf_file_words(e, s->address, 1, address) || !*address)
		return NULL;
	uint64_t *words = mem_alloc(ROWS_MOST * row_words * sizeof(*words));
	*rows = elf_file_words(e, *address, ROWS_MOST * row_words, words) / row_words;
	for (size_t i = 0; i < *rows; i++)
		if (!words[i * row_words])
			*rows = i;
	return words;
}

/* How many things that were missing ROW, at the link-time ADDRESS, says. */
static unsigned note_row(const struct elf_file *e, const uint64_t *row, uint64_t address,
			 struct hotspot *ret)
{
	unsigned noted = 0;
	uint64_t at = address + ROW_OFFSET * sizeof(*row);
	for (size_t i = 0; i < HOTSPOT_MEMBERS; i++) {
		if (ret->offset_at[i] || at > UINT32_MAX ||
		    !hotspot_has_name(e, row[ROW_MEMBER], members[i].member) ||
		    !hotspot_has_name(e, row[ROW_TYPE], members[i].type))
			continue;
		ret->offset_at[i] = (uint32_t)at;
		noted++;
	}
	if (!ret->codes && row[ROW_ADDRESS] <= UINT32_MAX &&
	    hotspot_has_name(e, row[ROW_MEMBER], "_code") &&
	    hotspot_has_name(e, row[ROW_TYPE], "AbstractInterpreter")) {
		ret->codes = (uint32_t)row[ROW_ADDRESS];
		noted += ret->codes != 0;
	}
	return noted;
}

static bool read_members(struct elf_file *e, struct hotspot *ret)
{
	size_t rows;
	uint64_t address;
	auto_free uint64_t *words =
		hotspot_read_table(e, "gHotSpotVMStructs", ROW_WORDS, &rows, &address);
	unsigned missing = HOTSPOT_MEMBERS + 1;
	for (size_t i = 0; words && i < rows && missing; i++)
		missing -= note_row(e, &words[i * ROW_WORDS],
				    address + i * ROW_WORDS * sizeof(*words), ret);
	return !missing;
}

static bool read_types(struct elf_file *e, struct hotspot *ret)
{
	size_t rows;
	uint64_t address;
	auto_free uint64_t *words =
		hotspot_read_table(e, "gHotSpotVMTypes", TYPE_ROW_WORDS, &rows, &address);
	for (size_t i = 0; words && i < rows && !ret->constants_size; i++) {
		const uint64_t *row = &words[i * TYPE_ROW_WORDS];
		if (row[TYPE_ROW_SIZE] < 4096 &&
		    hotspot_has_name(e, row[TYPE_ROW_NAME], "ConstantPool"))
			ret->constants_size = (uint32_t)row[TYPE_ROW_SIZE];
	}
	return ret->constants_size != 0;
}

bool hotspot_of_file(struct elf_file *e, struct hotspot *ret)
{
	struct hotspot found = { 0 };
	if (!read_members(e, &found) || !read_types(e, &found))
		return false;
	*ret = found;
	return true;
}

bool hotspot_may_be_in(const char *base, size_t len)
{
	static const char name[] = "libjvm.so";
	return len == strlen(name) && memcmp(base, name, len) == 0;
}
