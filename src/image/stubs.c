/* SPDX-License-Identifier: BSD-2-Clause */
/* stubs - the linker's stubs for functions of libraries: puts@plt */
#include <string.h>

#include "arch/arch.h"
#include "image/image.h"

#define STUB_MOST 5	    /* instructions, each of at most */
#define INSTRUCTION_MOST 16 /* bytes */
#define STUB_ALIGN 8	    /* entries of .plt.got without CET are so short */
#define STUB_SLOT 16	    /* no entry is longer */
/* Of x86, of a stub that does not begin at a slot: the one before is as short. */
#define STUB_SHORT 8

static const char *const stub_tables[] = { ".plt", ".plt.sec", ".plt.got" };

static const struct arch *arch_of_code(const struct elf_file *elf)
{
	return arch_of_program(arch_host(), elf_file_word(elf), elf_file_machine(elf));
}

uint64_t code_displaced(const struct bytes *code, const struct instruction *i, uint64_t address)
{
	int32_t displacement;
	if (i->displacement_bits != 32 || i->displacement_at % 8 ||
	    i->displacement_at / 8u + sizeof(displacement) > code->size)
		return 0;
	memcpy(&displacement, code->data + i->displacement_at / 8, sizeof(displacement));
	return address + i->length + (uint64_t)(int64_t)displacement;
}

bool code_is_stub(const struct elf_file *elf, uint64_t address, uint64_t *pointer, uint64_t *size)
{
	const struct arch *a = arch_of_code(elf);
	struct instruction i = { .flow = FLOW_NEXT };
	const uint64_t begin = address;
	for (unsigned n = 0; n < STUB_MOST && i.flow == FLOW_NEXT; n++) {
		struct bytes code = elf_file_code(elf, address, INSTRUCTION_MOST);
		if (!a || !a->decode(&code, &i))
			return false;
		*pointer = code_displaced(&code, &i, address);
		address += i.length;
	}
	struct bytes code = elf_file_code(elf, begin, STUB_MOST * INSTRUCTION_MOST);
	if (a->stub_pointer && !a->stub_pointer(&code, begin, pointer))
		*pointer = 0;
	*size = address - begin;
	return i.flow == FLOW_POINTER;
}

/* Where fixed sizes of instructions do not say it: can a stub of SIZE bytes begin at ADDRESS?  The
 * middle of one with a longer instruction (mold: endbr64, mov, jump) decodes as a stub, too. */
static bool stub_begins(const struct elf_file *elf, uint64_t table, uint64_t address, uint64_t size)
{
	uint64_t pointer, before;
	if (arch_of_code(elf)->stub_pointer)
		return true;
	if ((address - table) % STUB_SLOT == 0)
		return size <= STUB_SLOT;
	return size <= STUB_SHORT && code_is_stub(elf, address - STUB_SHORT, &pointer, &before) &&
	       before <= STUB_SHORT;
}

/* The stub that begins at ADDRESS, in the table that begins at TABLE. */
static bool stub_at(const struct elf_file *elf, uint64_t table, uint64_t address,
		    struct code_stub *ret)
{
	uint64_t pointer, size;
	if (!code_is_stub(elf, address, &pointer, &size) || !pointer ||
	    !stub_begins(elf, table, address, size))
		return false;
	*ret = (struct code_stub) { address, size, elf_file_pointer_symbol(elf, pointer) };
	return ret->symbol;
}

void stubs_visit(const struct elf_file *elf, stub_visit_fn *visit, void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(stub_tables); i++) {
		struct bytes code;
		struct code_stub stub;
		uint64_t begin;
		if (!elf_file_section(elf, stub_tables[i], &code, &begin))
			continue;
		for (uint64_t at = begin; at - begin < code.size; at += STUB_ALIGN)
			if (stub_at(elf, begin, at, &stub) && !visit(arg, &stub))
				return;
	}
}

static bool stub_table_at(const struct elf_file *elf, uint64_t address, uint64_t *begin)
{
	struct bytes code;
	for (size_t i = 0; i < ARRAY_SIZE(stub_tables); i++)
		if (elf_file_section(elf, stub_tables[i], &code, begin) && address >= *begin &&
		    address - *begin < code.size)
			return true;
	return false;
}

bool stubs_have(const struct elf_file *elf, uint64_t address)
{
	uint64_t begin;
	return stub_table_at(elf, address, &begin);
}

/* What comes after the jump in a slot is the stub's, too, until it has been resolved. */
bool stub_around(const struct elf_file *elf, uint64_t address, struct code_stub *ret)
{
	uint64_t begin;
	if (!stub_table_at(elf, address, &begin))
		return false;
	uint64_t at = address - (address - begin) % STUB_ALIGN;
	bool found = stub_at(elf, begin, at, ret);
	while (!found && at > begin && address - at + STUB_ALIGN < STUB_SLOT) {
		at -= STUB_ALIGN;
		found = stub_at(elf, begin, at, ret);
	}
	return found;
}
