/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers - general ones as in pt_regs (struct arch), with more after them; those of 32-bit
 * programs in the order of arch->saved_registers
 */
#include "process/registers.h"

#include <elf.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "arch/arch.h"

#define REGISTERS_MOST 64

struct registers {
	union {
		uint64_t words[REGISTERS_MOST];
		uint32_t narrow[REGISTERS_MOST * 2];
	};
	struct iovec place;
	const struct arch *arch;
};

static bool read_registers(int pid, struct registers *ret)
{
	const struct arch *host = arch_host(), *narrow = host->narrow;
	ret->place = (struct iovec) { ret->words, sizeof(ret->words) };
	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &ret->place) != 0)
		return false;
	bool is_narrow = narrow && ret->place.iov_len == narrow->saved_count * narrow->word;
	ret->arch = is_narrow ? narrow : host;
	return true;
}

/* The number of the word of R that has the register at OFFSET of pt_regs. */
static unsigned word_of(const struct registers *r, unsigned offset)
{
	unsigned i = 0;
	if (!r->arch->saved_count)
		return offset / 8;
	while (i + 1 < r->arch->saved_count && r->arch->saved_registers[i] != offset)
		i++;
	return i;
}

static uint64_t value_at(const struct registers *r, unsigned offset)
{
	unsigned i = word_of(r, offset);
	return r->arch->saved_count ? r->narrow[i] : r->words[i];
}

uint64_t program_counter(int pid)
{
	struct registers r;
	return read_registers(pid, &r) ? value_at(&r, r.arch->pc) : 0;
}

static uint64_t word_in_memory(int pid, uint64_t address, unsigned size)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKDATA, pid, (void *)(uintptr_t)address, NULL);
	return errno ? 0 : size == 4 ? (uint32_t)word : (uint64_t)word;
}

uint64_t first_argument(int pid)
{
	struct registers r;
	if (!read_registers(pid, &r))
		return 0;
	if (r.arch->argument_count)
		return value_at(&r, r.arch->argument[0]);
	uint64_t place = value_at(&r, r.arch->stack_pointer) + r.arch->stack_argument;
	return word_in_memory(pid, place, r.arch->word);
}

bool set_program_counter(int pid, uint64_t address)
{
	struct registers r;
	if (!read_registers(pid, &r))
		return false;
	unsigned i = word_of(&r, r.arch->pc);
	if (r.arch->saved_count)
		r.narrow[i] = (uint32_t)address;
	else
		r.words[i] = address;
	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &r.place) == 0;
}
