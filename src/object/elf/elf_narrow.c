/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_narrow - headers and symbols of 32-bit files, read as those of 64-bit ones */
#include "object/elf/elf_internal.h"

static void widen_header(const void *from, void *to)
{
	Elf32_Ehdr narrow;
	Elf64_Ehdr *wide = to;
	memcpy(&narrow, from, sizeof(narrow));
	memcpy(wide->e_ident, narrow.e_ident, EI_NIDENT);
	wide->e_type = narrow.e_type;
	wide->e_machine = narrow.e_machine;
	wide->e_version = narrow.e_version;
	wide->e_entry = narrow.e_entry;
	wide->e_phoff = narrow.e_phoff;
	wide->e_shoff = narrow.e_shoff;
	wide->e_flags = narrow.e_flags;
	wide->e_ehsize = narrow.e_ehsize;
	wide->e_phentsize = narrow.e_phentsize;
	wide->e_phnum = narrow.e_phnum;
	wide->e_shentsize = narrow.e_shentsize;
	wide->e_shnum = narrow.e_shnum;
	wide->e_shstrndx = narrow.e_shstrndx;
}

static void widen_segment(const void *from, void *to)
{
	Elf32_Phdr narrow;
	memcpy(&narrow, from, sizeof(narrow));
	*(Elf64_Phdr *)to = (Elf64_Phdr) {
		.p_type = narrow.p_type,
		.p_flags = narrow.p_flags,
		.p_offset = narrow.p_offset,
		.p_vaddr = narrow.p_vaddr,
		.p_paddr = narrow.p_paddr,
		.p_filesz = narrow.p_filesz,
		.p_memsz = narrow.p_memsz,
		.p_align = narrow.p_align,
	};
}

static void widen_section(const void *from, void *to)
{
	Elf32_Shdr narrow;
	memcpy(&narrow, from, sizeof(narrow));
	*(Elf64_Shdr *)to = (Elf64_Shdr) {
		.sh_name = narrow.sh_name,
		.sh_type = narrow.sh_type,
		.sh_flags = narrow.sh_flags,
		.sh_addr = narrow.sh_addr,
		.sh_offset = narrow.sh_offset,
		.sh_size = narrow.sh_size,
		.sh_link = narrow.sh_link,
		.sh_info = narrow.sh_info,
		.sh_addralign = narrow.sh_addralign,
		.sh_entsize = narrow.sh_entsize,
	};
}

static void widen_symbol(const void *from, void *to)
{
	Elf32_Sym narrow;
	memcpy(&narrow, from, sizeof(narrow));
	*(Elf64_Sym *)to = (Elf64_Sym) {
		.st_name = narrow.st_name,
		.st_info = narrow.st_info,
		.st_other = narrow.st_other,
		.st_shndx = narrow.st_shndx,
		.st_value = narrow.st_value,
		.st_size = narrow.st_size,
	};
}

const struct elf_item elf_header_item = { sizeof(Elf64_Ehdr), sizeof(Elf32_Ehdr), widen_header };
const struct elf_item elf_segment_item = { sizeof(Elf64_Phdr), sizeof(Elf32_Phdr), widen_segment };
const struct elf_item elf_section_item = { sizeof(Elf64_Shdr), sizeof(Elf32_Shdr), widen_section };
const struct elf_item elf_symbol_item = { sizeof(Elf64_Sym), sizeof(Elf32_Sym), widen_symbol };

size_t elf_item_size(const struct elf_item *item, unsigned word)
{
	return word == 4 ? item->narrow_size : item->size;
}

void elf_item_copy(const struct elf_item *item, unsigned word, const void *from, void *ret)
{
	if (word == 4)
		item->widen(from, ret);
	else
		memcpy(ret, from, item->size);
}
