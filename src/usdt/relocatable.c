/* SPDX-License-Identifier: BSD-2-Clause */
#include "usdt/relocatable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "usdt/elf_writer.h"

#define OBJECT_MOST (1u << 30) /* bytes */

struct object_section {
	Elf64_Shdr header;
	bool is_new; /* its bytes are BODY, not in the file */
	struct strbuf body;
};

struct relocatable {
	struct strbuf file;
	Elf64_Ehdr header;
	VECTOR(struct object_section) sections;
	unsigned symbols, strings, names; /* numbers of sections */
};

uint16_t relocatable_machine(const struct relocatable *r)
{
	return r->header.e_machine;
}

unsigned relocatable_sections(const struct relocatable *r)
{
	return (unsigned)r->sections.count;
}

const Elf64_Shdr *relocatable_section(const struct relocatable *r, unsigned index)
{
	return &r->sections.items[index].header;
}

unsigned char *relocatable_body(struct relocatable *r, unsigned index, size_t *size)
{
	struct object_section *s = &r->sections.items[index];
	bool is_empty = s->header.sh_type == SHT_NOBITS || s->header.sh_type == SHT_NULL;
	*size = is_empty ? 0 : s->is_new ? s->body.len : s->header.sh_size;
	size_t offset = is_empty ? 0 : s->header.sh_offset; /* of an empty one: any number */
	return (unsigned char *)(s->is_new ? s->body.text : r->file.text + offset);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Are all bytes of the section in the file? */
static bool section_is_inside(const struct relocatable *r, const Elf64_Shdr *s)
{
	return s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL ||
	       (s->sh_offset <= r->file.len && s->sh_size <= r->file.len - s->sh_offset);
}

static bool read_sections(struct relocatable *r)
{
	const Elf64_Ehdr *h = &r->header;
	struct bytes file = bytes_of(r->file.text, r->file.len);
	struct bytes table =
		bytes_slice(&file, h->e_shoff, (size_t)h->e_shnum * sizeof(Elf64_Shdr));
	if (table.failed || h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum)
		return false;
	for (unsigned i = 0; i < h->e_shnum; i++) {
		struct object_section s = { 0 };
		memcpy(&s.header, bytes_take(&table, sizeof(s.header)), sizeof(s.header));
		if (!section_is_inside(r, &s.header))
			return false;
		vector_push(&r->sections, s);
	}
	r->names = h->e_shstrndx;
	return true;
}

/* Symbols have names with an end; others refer to tables that there are. */
static bool check_tables(struct relocatable *r)
{
	for (unsigned i = 0; i < r->sections.count; i++) {
		const Elf64_Shdr *s = &r->sections.items[i].header;
		if (s->sh_type == SHT_SYMTAB)
			r->symbols = i;
		if ((s->sh_type == SHT_SYMTAB || s->sh_type == SHT_RELA) &&
		    (s->sh_link >= r->sections.count ||
		     s->sh_size %
			     (s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Sym))))
			return false;
		if (s->sh_type == SHT_RELA && s->sh_info >= r->sections.count)
			return false;
	}
	if (!r->symbols)
		return true;
	r->strings = r->sections.items[r->symbols].header.sh_link;
	size_t size, names_size;
	const unsigned char *strings = relocatable_body(r, r->strings, &size);
	const unsigned char *names = relocatable_body(r, r->names, &names_size);
	return size && !strings[size - 1] && names_size && !names[names_size - 1];
}

static bool has_long_numbers(const struct relocatable *r)
{
	for (unsigned i = 0; i < r->sections.count; i++)
		if (r->sections.items[i].header.sh_type == SHT_SYMTAB_SHNDX)
			return true;
	return r->header.e_shnum == 0 || r->sections.count + 1000 > SHN_LORESERVE;
}

static bool file_begins(const struct strbuf *file, const char *magic, size_t len)
{
	return file->len >= len && memcmp(file->text, magic, len) == 0;
}

static struct error *relocatable_read_all(struct relocatable *r, const char *path)
{
	struct error *err = file_read(path, OBJECT_MOST, &r->file);
	if (err)
		return err;
	if (file_begins(&r->file, "!<arch>\n", 8) || file_begins(&r->file, "!<thin>\n", 8))
		return error_new("archives are not permitted; use the contents of the archive "
				 "instead: %s",
				 path);
	if (file_begins(&r->file, "BC\xc0\xde", 4))
		return NULL; /* the compiler's own form: calls are not code yet */
	bool is_elf = file_begins(&r->file, ELFMAG, SELFMAG) && r->file.len >= sizeof(r->header);
	if (is_elf)
		memcpy(&r->header, r->file.text, sizeof(r->header));
	if (!is_elf || r->header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    r->header.e_ident[EI_DATA] != ELFDATA2LSB || r->header.e_type != ET_REL)
		return error_new("incorrect ELF class/machine type for object file: %s", path);
	if (!read_sections(r) || !check_tables(r))
		return error_new("%s is damaged: a table of it is not in the file", path);
	return has_long_numbers(r) ? error_new("%s has too many sections", path) : NULL;
}

struct error *relocatable_read(const char *path, struct relocatable **ret)
{
	struct relocatable *r = mem_zalloc(sizeof(*r));
	struct error *err = relocatable_read_all(r, path);
	if (err || !r->symbols) {
		relocatable_free(r);
		r = NULL;
	}
	*ret = r;
	return err;
}

void relocatable_free(struct relocatable *r)
{
	for (size_t i = 0; i < r->sections.count; i++)
		strbuf_deinit(&r->sections.items[i].body);
	vector_free(&r->sections);
	strbuf_deinit(&r->file);
	free(r);
}

unsigned relocatable_symbols(struct relocatable *r)
{
	size_t size;
	relocatable_body(r, r->symbols, &size);
	return (unsigned)(size / sizeof(Elf64_Sym));
}

/* Copied, because the file may have put them anywhere. */
Elf64_Sym relocatable_symbol(struct relocatable *r, unsigned index)
{
	size_t size;
	Elf64_Sym s;
	memcpy(&s, relocatable_body(r, r->symbols, &size) + index * sizeof(s), sizeof(s));
	return s;
}

void relocatable_symbol_set(struct relocatable *r, unsigned index, const Elf64_Sym *s)
{
	size_t size;
	memcpy(relocatable_body(r, r->symbols, &size) + index * sizeof(*s), s, sizeof(*s));
}

const char *relocatable_symbol_name(struct relocatable *r, unsigned index)
{
	size_t size;
	const char *strings = (const char *)relocatable_body(r, r->strings, &size);
	uint32_t at = relocatable_symbol(r, index).st_name;
	return at < size ? strings + at : "";
}

/* --- adding ----------------------------------------------------------------------------------- */

/* The bytes of section INDEX, to be added to. */
static struct strbuf *grow(struct relocatable *r, unsigned index)
{
	struct object_section *s = &r->sections.items[index];
	if (!s->is_new) {
		strbuf_add(&s->body, r->file.text + s->header.sh_offset, s->header.sh_size);
		s->is_new = true;
	}
	return &s->body;
}

unsigned relocatable_refer(struct relocatable *r, const char *name)
{
	unsigned count = relocatable_symbols(r);
	for (unsigned i = 1; i < count; i++)
		if (ELF64_ST_BIND(relocatable_symbol(r, i).st_info) != STB_LOCAL &&
		    string_equal(relocatable_symbol_name(r, i), name))
			return i;
	const Elf64_Sym symbol = {
		.st_name = string_table_add(grow(r, r->strings), name),
		.st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE),
		.st_other = STV_HIDDEN,
	};
	strbuf_add(grow(r, r->symbols), &symbol, sizeof(symbol));
	return count;
}

/* Section INDEX becomes a member of the group that MEMBER is in. */
static void join_group(struct relocatable *r, unsigned index, unsigned member)
{
	for (unsigned i = 0; i < r->sections.count; i++) {
		if (r->sections.items[i].header.sh_type != SHT_GROUP)
			continue;
		size_t size;
		const unsigned char *body = relocatable_body(r, i, &size);
		for (size_t at = 4; at + 4 <= size; at += 4) {
			uint32_t found;
			memcpy(&found, body + at, sizeof(found));
			if (found != member)
				continue;
			strbuf_add(grow(r, i), &index, sizeof(index));
			r->sections.items[index].header.sh_flags |= SHF_GROUP;
			return;
		}
	}
}

unsigned relocatable_add(struct relocatable *r, const char *name, Elf64_Shdr header,
			 const struct strbuf *body, unsigned grouped)
{
	header.sh_name = string_table_add(grow(r, r->names), name);
	struct object_section s = { .header = header, .is_new = true };
	strbuf_add(&s.body, body->text, body->len);
	vector_push(&r->sections, s);
	unsigned index = (unsigned)r->sections.count - 1;
	if (r->sections.items[grouped].header.sh_flags & SHF_GROUP)
		join_group(r, index, grouped);
	return index;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void put_together(struct relocatable *r)
{
	struct strbuf *out = &r->file;
	for (size_t i = 0; i < r->sections.count; i++) {
		struct object_section *s = &r->sections.items[i];
		if (!s->is_new)
			continue;
		strbuf_fill(out, '\0', ALIGN_UP(out->len, 8) - out->len);
		s->header.sh_offset = out->len;
		s->header.sh_size = s->body.len;
		strbuf_add(out, s->body.text, s->body.len);
	}
	strbuf_fill(out, '\0', ALIGN_UP(out->len, 8) - out->len);
	r->header.e_shoff = out->len;
	r->header.e_shnum = (uint16_t)r->sections.count;
	for (size_t i = 0; i < r->sections.count; i++)
		strbuf_add(out, &r->sections.items[i].header, sizeof(Elf64_Shdr));
	memcpy(out->text, &r->header, sizeof(r->header));
}

/* The object is whole at all times. */
struct error *relocatable_write(struct relocatable *r, const char *path)
{
	put_together(r);
	int errnum = file_replace(path, &r->file, 0);
	return errnum ? error_sys(errnum, "cannot rewrite %s", path) : NULL;
}
