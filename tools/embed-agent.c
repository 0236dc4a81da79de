/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed-agent - the linked agent (src/agent/inside/) into C tables for src/agent/blob.c
 *
 * embed-agent AGENT > agent_image.inc
 *
 * Fails if the image would not run at any address without anything else: if it has a relocation, an
 * undefined symbol, data that are written, or more bytes than there is room for.
 */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/agent.h"
#include "tools/pack.h"

static VECTOR(struct agent_symbol) symbols;
static Elf_Data *image;

static void die(const char *what, const char *name)
{
	fprintf(stderr, "embed-agent: %s: %s\n", what, name);
	exit(1);
}

/* Of the sections that have a place in memory only these are right. */
static void check_section(const GElf_Shdr *h, const char *name, Elf_Data *data)
{
	static const char *const known[] = { ".image",	".own",	     ".kept",
					     ".memory", ".dynamic",  ".dynsym",
					     ".dynstr", ".gnu.hash", ".hash" };
	bool is_known = !(h->sh_flags & SHF_ALLOC);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		is_known |= string_equal(name, known[i]);
	if ((h->sh_type == SHT_RELA || h->sh_type == SHT_REL) && h->sh_size)
		die("relocations are left", name);
	if (!is_known && h->sh_size)
		die("a section that the image cannot have", name);
	if (string_equal(name, ".image"))
		image = data;
	if (string_equal(name, ".image") && (h->sh_addr || h->sh_flags & SHF_WRITE))
		die("not code at address 0", name);
	if (string_equal(name, ".own") && h->sh_addr != PROCESS_OWN_AT)
		die("abi/process.h has another place", name);
	if (string_equal(name, ".kept") && h->sh_addr != PROCESS_KEPT_AT)
		die("abi/process.h has another place", name);
	if (string_equal(name, ".memory") && h->sh_addr != PROCESS_MEMORY_AT)
		die("abi/process.h has another place", name);
}

static void read_symbols(Elf *elf, const GElf_Shdr *h, Elf_Data *data)
{
	GElf_Sym s;
	for (int i = 1; gelf_getsym(data, i, &s); i++) {
		const char *name = elf_strptr(elf, h->sh_link, s.st_name);
		if (s.st_shndx == SHN_UNDEF)
			die("an undefined symbol", name);
		if (GELF_ST_TYPE(s.st_info) == STT_TLS)
			die("a variable of threads", name);
		if (GELF_ST_TYPE(s.st_info) == STT_FUNC &&
		    (strncmp(name, "rt_", 3) == 0 || strncmp(name, "agent_", 6) == 0))
			vector_push(&symbols, (struct agent_symbol) { name, (uint32_t)s.st_value });
	}
}

static void read_agent(Elf *elf)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names))
		die("no section names", "");
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
		GElf_Shdr h;
		gelf_getshdr(s, &h);
		Elf_Data *data = elf_getdata(s, NULL);
		check_section(&h, elf_strptr(elf, names, h.sh_name), data);
		if (h.sh_type == SHT_SYMTAB)
			read_symbols(elf, &h, data);
	}
	if (!image || image->d_size > PROCESS_CODE_SIZE || !symbols.count)
		die("no image, or more than PROCESS_CODE_SIZE", "");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct agent_symbol *)a)->name,
		      ((const struct agent_symbol *)b)->name);
}

static void write_tables(void)
{
	unsigned char *bytes = image->d_buf;
	struct process_image head;
	qsort(symbols.items, symbols.count, sizeof(*symbols.items), by_name);
	memcpy(&head, bytes, sizeof(head));
	if (head.magic != PROCESS_MAGIC)
		die("the image does not begin with its head", "");
	head.id = agent_id(bytes, image->d_size, symbols.items, symbols.count);
	memcpy(bytes, &head, sizeof(head));
	printf("IMAGE(");
	pack(bytes, image->d_size);
	printf(")\n\nstatic const struct agent_symbol agent_symbols[] = {\n");
	for (size_t i = 0; i < symbols.count; i++)
		printf("\t{ \"%s\", %u },\n", symbols.items[i].name, symbols.items[i].offset);
	printf("};\n\nstatic const uint64_t agent_built = 0x%llx;\n", (unsigned long long)head.id);
}

int main(int argc, char **argv)
{
	elf_version(EV_CURRENT);
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		die("cannot read", argc == 2 ? argv[1] : "AGENT");
	read_agent(elf);
	write_tables();
	elf_end(elf);
	return 0;
}
