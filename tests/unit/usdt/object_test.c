/* SPDX-License-Identifier: BSD-2-Clause */
/* What -G writes, read by another reader of ELF (libelf), and byte by byte where the bytes are
 * ours. */
#include <elf.h>
#include <gelf.h>

#include "test.h"
#include "usdt/internal.h"

static const char text[] = "typedef struct item { int n; } item_t;\n"
			   "typedef struct unused { int x; } unused_t;\n"
			   "provider app { probe go__fast(item_t *i, int n) : (int n); };\n"
			   "provider two { probe x(); probe y(); };\n"
			   "#pragma D attributes Stable/Evolving/ISA provider app name\n";

static struct definition *definition_of(const char *source_text)
{
	static struct source source;
	struct diagnostics mistakes = { 0 };
	struct definition *d = definition_new();
	source = (struct source) { .name = "app.d",
				   .text = source_text,
				   .len = strlen(source_text) };
	definition_read(d, &source, &mistakes);
	CHECK_INT(mistakes.list.count, 0);
	diagnostics_deinit(&mistakes);
	return d;
}

#define NOTE(length, type) "\7\0\0\0" length "\0\0\0" type "\0\0\0DTrace\0\0"

TEST(notes_of_one_provider)
{
	/* clang-format off */
	static const char expected[] =
		NOTE("/", "\3") "\1\0\0\0\x27\0\0\0typedef struct item { int n; } item_t;\n\0"
		NOTE("\x18", "\1") "\1\0\0\0\4\4\5\4\4\5\4\4\5\6\5\4\4\4\5\0app\0"
		NOTE("\x2a", "\2") "\1\0\2\1\1\0\0\0app\0go-fast\0item_t *i\0int n\0int n\0\0\0";
	/* clang-format on */
	struct definition *d = definition_of(text);
	auto_strbuf struct strbuf bytes = { 0 };
	notes_of_provider(d, d->providers.items[0], &bytes);
	CHECK_INT(bytes.len, sizeof(expected) - 1);
	size_t same = 0;
	while (same < bytes.len && bytes.text[same] == expected[same])
		same++;
	CHECK_INT(same, sizeof(expected) - 1);
	definition_free(d);
}

/* The text of a section, by number. */
static const char *section_name(Elf *e, size_t index, GElf_Shdr *header)
{
	size_t names;
	CHECK(elf_getshdrstrndx(e, &names) == 0);
	CHECK(gelf_getshdr(elf_getscn(e, index), header));
	return elf_strptr(e, names, header->sh_name);
}

static void check_object(bool is_32, int class)
{
	struct definition *d = definition_of(text);
	auto_strbuf struct strbuf bytes = { 0 }, again = { 0 };
	definition_object(d, "dir/app.d", is_32, &bytes);
	definition_object(d, "other/app.d", is_32, &again);
	CHECK(bytes.len == again.len && memcmp(bytes.text, again.text, bytes.len) == 0);

	elf_version(EV_CURRENT);
	Elf *e = elf_memory(bytes.text, bytes.len);
	size_t sections = 0;
	CHECK_INT(gelf_getclass(e), class);
	CHECK(elf_getshdrnum(e, &sections) == 0);
	static const char *const names[] = {
		"",	  ".symtab",	  ".strtab", ".shstrtab",   ".probes", ".note.GNU-stack",
		".group", ".note.dtrace", ".group",  ".note.dtrace"
	};
	CHECK_INT(sections, ARRAY_SIZE(names));
	for (size_t i = 0; i < sections && i < ARRAY_SIZE(names); i++) {
		GElf_Shdr header;
		CHECK_STR(section_name(e, i, &header), names[i]);
		CHECK_INT(header.sh_flags & SHF_GROUP,
			  string_equal(names[i], ".note.dtrace") ? SHF_GROUP : 0);
	}

	GElf_Shdr header;
	section_name(e, 1, &header);
	static const char *const symbols[] = { "",
					       "app.d",
					       ".note.dtrace.app",
					       ".note.dtrace.two",
					       "app_go__fast_semaphore",
					       "two_x_semaphore",
					       "two_y_semaphore" };
	CHECK_INT(header.sh_size / header.sh_entsize, ARRAY_SIZE(symbols));
	CHECK_INT(header.sh_info, 4);
	Elf_Data *data = elf_getdata(elf_getscn(e, 1), NULL);
	for (int i = 0; i < (int)ARRAY_SIZE(symbols); i++) {
		GElf_Sym symbol;
		CHECK(gelf_getsym(data, i, &symbol));
		CHECK_STR(elf_strptr(e, 2, symbol.st_name), symbols[i]);
		if (i < 4)
			continue;
		CHECK_INT(GELF_ST_BIND(symbol.st_info), STB_WEAK);
		CHECK_INT(GELF_ST_VISIBILITY(symbol.st_other), STV_HIDDEN);
		CHECK_INT(symbol.st_shndx, 4);
		CHECK_INT(symbol.st_value, 2 * (i - 4));
		CHECK_INT(symbol.st_size, 2);
	}
	elf_end(e);
	definition_free(d);
}

TEST(object_of_64_bits)
{
	check_object(false, ELFCLASS64);
}

TEST(object_of_32_bits)
{
	check_object(true, ELFCLASS32);
}

/* Types that a descriptor cannot hold are left out, the rest stays. */
TEST(types_that_are_too_long)
{
	auto_strbuf struct strbuf source = { 0 };
	strbuf_puts(&source, "struct item { int a0;");
	for (int i = 1; i < 9000; i++)
		strbuf_printf(&source, " int a%d;", i);
	strbuf_puts(&source, " };\nprovider app { probe go(struct item *i); };\n");
	struct definition *d = definition_of(strbuf_text(&source));
	CHECK(d->types.len > DTRACE_NOTE_LENGTH);
	auto_strbuf struct strbuf bytes = { 0 };
	notes_of_provider(d, d->providers.items[0], &bytes);
	CHECK(bytes.len > 0 && bytes.len < 200);
	CHECK_INT(bytes.text[8], DTRACE_NOTE_PROVIDER);
	definition_free(d);
}

TEST(squeezed_text)
{
	static const char in[] = "  a /* x\n */ b // y\n\n# 12 \"f.h\"\n  c \"d  /* e */\"\n\tf#g";
	auto_strbuf struct strbuf out = { 0 };
	text_squeeze(&out, in, sizeof(in) - 1);
	CHECK_STR(strbuf_text(&out), "a b c \"d  /* e */\" f#g");
}

TEST_MAIN
