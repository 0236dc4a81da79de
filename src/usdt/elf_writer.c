/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_writer - headers and tables are put together with 64 bits; those of 32 are copied from them
 *
 *	header, bodies of the sections, table of sections
 *
 * The tables of symbols and of names are sections 1 to 3, so that groups can refer to them.
 */
#include "usdt/elf_writer.h"

#include <assert.h>
#include <elf.h>

enum { SECTION_NONE, SECTION_SYMBOLS, SECTION_STRINGS, SECTION_NAMES, SECTIONS_FIXED };

struct made_section {
	Elf64_Shdr header;
	struct strbuf body;
};

struct elf_writer {
	uint16_t machine;
	bool is_32;
	struct strbuf names, strings;
	VECTOR(Elf64_Sym) symbols;
	unsigned locals; /* of the symbols */
	VECTOR(struct made_section) sections;
};

uint32_t string_table_add(struct strbuf *table, const char *text)
{
	uint32_t at = (uint32_t)table->len;
	strbuf_add(table, text, strlen(text) + 1);
	return at;
}

static unsigned section_add(struct elf_writer *w, const char *name, Elf64_Shdr header,
			    const struct strbuf *body)
{
	struct made_section *s = vector_extend(&w->sections);
	*s = (struct made_section) { .header = header };
	s->header.sh_name = *name ? string_table_add(&w->names, name) : 0;
	if (body)
		strbuf_add(&s->body, strbuf_text(body), body->len);
	return (unsigned)w->sections.count - 1;
}

struct elf_writer *elf_writer_new(uint16_t machine, bool is_32)
{
	struct elf_writer *w = mem_zalloc(sizeof(*w));
	w->machine = machine;
	w->is_32 = is_32;
	string_table_add(&w->names, "");
	string_table_add(&w->strings, "");
	vector_push(&w->symbols, (Elf64_Sym) { 0 });
	w->locals = 1;
	section_add(w, "", (Elf64_Shdr) { 0 }, NULL);
	section_add(w, ".symtab",
		    (Elf64_Shdr) { .sh_type = SHT_SYMTAB,
				   .sh_link = SECTION_STRINGS,
				   .sh_addralign = is_32 ? 4 : 8,
				   .sh_entsize = is_32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym) },
		    NULL);
	section_add(w, ".strtab", (Elf64_Shdr) { .sh_type = SHT_STRTAB, .sh_addralign = 1 }, NULL);
	section_add(w, ".shstrtab", (Elf64_Shdr) { .sh_type = SHT_STRTAB, .sh_addralign = 1 },
		    NULL);
	return w;
}

void elf_writer_free(struct elf_writer *w)
{
	for (size_t i = 0; i < w->sections.count; i++)
		strbuf_deinit(&w->sections.items[i].body);
	vector_free(&w->sections);
	vector_free(&w->symbols);
	strbuf_deinit(&w->names);
	strbuf_deinit(&w->strings);
	free(w);
}

unsigned elf_writer_section(struct elf_writer *w, const struct elf_section *s,
			    const struct strbuf *body)
{
	return section_add(
		w, s->name,
		(Elf64_Shdr) { .sh_type = s->type, .sh_flags = s->flags, .sh_addralign = s->align },
		body);
}

unsigned elf_writer_symbol(struct elf_writer *w, const struct elf_symbol_made *s)
{
	assert(s->binding != STB_LOCAL || w->locals == w->symbols.count);
	w->locals += s->binding == STB_LOCAL;
	vector_push(&w->symbols, (Elf64_Sym) {
					 .st_name = string_table_add(&w->strings, s->name),
					 .st_info = ELF64_ST_INFO(s->binding, s->type),
					 .st_other = s->visibility,
					 .st_shndx = s->section,
					 .st_value = s->value,
					 .st_size = s->size,
				 });
	return (unsigned)w->symbols.count - 1;
}

void elf_writer_relocations(struct elf_writer *w, const char *name, unsigned target,
			    const struct strbuf *relocations)
{
	const Elf64_Shdr header = { .sh_type = SHT_RELA,
				    .sh_flags = SHF_INFO_LINK,
				    .sh_link = SECTION_SYMBOLS,
				    .sh_info = target,
				    .sh_addralign = 8,
				    .sh_entsize = sizeof(Elf64_Rela) };
	section_add(w, name, header, relocations);
}

unsigned elf_writer_once(struct elf_writer *w, const char *signature, const struct elf_section *s,
			 const struct strbuf *body)
{
	uint32_t group = (uint32_t)w->sections.count, words[] = { GRP_COMDAT, group + 1 };
	auto_strbuf struct strbuf members = { 0 };
	strbuf_add(&members, words, sizeof(words));
	const Elf64_Shdr header = { .sh_type = SHT_GROUP,
				    .sh_link = SECTION_SYMBOLS,
				    .sh_info = (uint32_t)w->symbols.count,
				    .sh_addralign = 4,
				    .sh_entsize = 4 };
	section_add(w, ".group", header, &members);
	elf_writer_symbol(
		w, &(struct elf_symbol_made) { .name = signature, .section = (uint16_t)group });
	struct elf_section member = *s;
	member.flags |= SHF_GROUP;
	return elf_writer_section(w, &member, body);
}

/* --- the bytes -------------------------------------------------------------------------------- */

/* FIELD of a 64-bit struct into the 32-bit one that has it, too. */
#define NARROW(to, from, field) ((to).field = (__typeof__((to).field))(from).field)

static void symbol_put(struct strbuf *out, bool is_32, const Elf64_Sym *s)
{
	Elf32_Sym narrow = { 0 };
	NARROW(narrow, *s, st_name);
	NARROW(narrow, *s, st_value);
	NARROW(narrow, *s, st_size);
	NARROW(narrow, *s, st_info);
	NARROW(narrow, *s, st_other);
	NARROW(narrow, *s, st_shndx);
	if (is_32)
		strbuf_add(out, &narrow, sizeof(narrow));
	else
		strbuf_add(out, s, sizeof(*s));
}

static void section_put(struct strbuf *out, bool is_32, const Elf64_Shdr *s)
{
	Elf32_Shdr narrow = { 0 };
	NARROW(narrow, *s, sh_name);
	NARROW(narrow, *s, sh_type);
	NARROW(narrow, *s, sh_flags);
	NARROW(narrow, *s, sh_offset);
	NARROW(narrow, *s, sh_size);
	NARROW(narrow, *s, sh_link);
	NARROW(narrow, *s, sh_info);
	NARROW(narrow, *s, sh_addralign);
	NARROW(narrow, *s, sh_entsize);
	if (is_32)
		strbuf_add(out, &narrow, sizeof(narrow));
	else
		strbuf_add(out, s, sizeof(*s));
}

static void header_put(struct strbuf *out, const struct elf_writer *w, uint64_t sections_at)
{
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, w->is_32 ? ELFCLASS32 : ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = w->machine,
		.e_version = EV_CURRENT,
		.e_shoff = sections_at,
		.e_ehsize = w->is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr),
		.e_shentsize = w->is_32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr),
		.e_shnum = (uint16_t)w->sections.count,
		.e_shstrndx = SECTION_NAMES,
	};
	Elf32_Ehdr narrow = { 0 };
	memcpy(narrow.e_ident, h.e_ident, sizeof(narrow.e_ident));
	NARROW(narrow, h, e_type);
	NARROW(narrow, h, e_machine);
	NARROW(narrow, h, e_version);
	NARROW(narrow, h, e_shoff);
	NARROW(narrow, h, e_ehsize);
	NARROW(narrow, h, e_shentsize);
	NARROW(narrow, h, e_shnum);
	NARROW(narrow, h, e_shstrndx);
	if (w->is_32)
		memcpy(out->text, &narrow, sizeof(narrow));
	else
		memcpy(out->text, &h, sizeof(h));
}

static void align(struct strbuf *out, uint64_t to)
{
	strbuf_fill(out, '\0', ALIGN_UP(out->len, to ? to : 1) - out->len);
}

static void tables_fill(struct elf_writer *w)
{
	struct made_section *symbols = &w->sections.items[SECTION_SYMBOLS];
	symbols->header.sh_info = w->locals;
	for (size_t i = 0; i < w->symbols.count; i++)
		symbol_put(&symbols->body, w->is_32, &w->symbols.items[i]);
	strbuf_add(&w->sections.items[SECTION_STRINGS].body, w->strings.text, w->strings.len);
	strbuf_add(&w->sections.items[SECTION_NAMES].body, w->names.text, w->names.len);
}

void elf_writer_finish(struct elf_writer *w, struct strbuf *ret)
{
	assert(w->sections.count < SHN_LORESERVE);
	struct strbuf out = { 0 };
	tables_fill(w);
	strbuf_fill(&out, '\0', w->is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr));
	for (size_t i = SECTION_SYMBOLS; i < w->sections.count; i++) {
		struct made_section *s = &w->sections.items[i];
		align(&out, s->header.sh_addralign);
		s->header.sh_offset = out.len;
		s->header.sh_size = s->body.len;
		strbuf_add(&out, strbuf_text(&s->body), s->body.len);
	}
	align(&out, 8);
	header_put(&out, w, out.len);
	for (size_t i = 0; i < w->sections.count; i++)
		section_put(&out, w->is_32, &w->sections.items[i].header);
	strbuf_add(ret, out.text, out.len);
	strbuf_deinit(&out);
}
