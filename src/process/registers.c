/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers - general ones as in pt_regs (struct arch), with more after them; those of 32-bit
 * programs in the order of arch->saved_registers
 */
#include "process/process_internal.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "arch/arch.h"

bool registers_read(int pid, struct registers *ret)
{
	const struct arch *host = arch_host(), *narrow = host->narrow;
	struct iovec place = { ret->words, sizeof(ret->words) };
	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &place) != 0)
		return false;
	ret->size = place.iov_len;
	bool is_narrow = narrow && ret->size == narrow->saved_count * narrow->word;
	ret->arch = is_narrow ? narrow : host;
	return true;
}

bool registers_write(int pid, struct registers *r)
{
	struct iovec place = { r->words, r->size };
	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &place) == 0;
}

/* The number of the word of R that has the register at OFFSET of pt_regs. */
static unsigned register_word_number(const struct registers *r, unsigned offset)
{
	unsigned i = 0;
	if (!r->arch->saved_count)
		return offset / 8;
	while (i + 1 < r->arch->saved_count && r->arch->saved_registers[i] != offset)
		i++;
	return i;
}

uint64_t register_value(const struct registers *r, unsigned offset)
{
	unsigned i = register_word_number(r, offset);
	return r->arch->saved_count ? r->narrow[i] : r->words[i];
}

void register_set(struct registers *r, unsigned offset, uint64_t value)
{
	unsigned i = register_word_number(r, offset);
	if (r->arch->saved_count)
		r->narrow[i] = (uint32_t)value;
	else
		r->words[i] = value;
}

static bool set_value_at(int pid, struct registers *r, unsigned offset, uint64_t value)
{
	register_set(r, offset, value);
	return registers_write(pid, r);
}

uint64_t program_counter(int pid)
{
	struct registers r;
	return registers_read(pid, &r) ? register_value(&r, r.arch->pc) : 0;
}

bool set_program_counter(int pid, uint64_t address)
{
	struct registers r;
	return registers_read(pid, &r) && set_value_at(pid, &r, r.arch->pc, address);
}

uint64_t stack_pointer(int pid)
{
	struct registers r;
	return registers_read(pid, &r) ? register_value(&r, r.arch->stack_pointer) : 0;
}

/* Where the first argument is on the stack. */
static uint64_t first_on_stack(const struct registers *r)
{
	return register_value(r, r->arch->stack_pointer) + r->arch->stack_argument;
}

uint64_t first_argument(int pid)
{
	struct registers r;
	uint64_t word;
	if (!registers_read(pid, &r))
		return 0;
	if (r.arch->argument_count)
		return register_value(&r, r.arch->argument[0]);
	return peek(pid, first_on_stack(&r), r.arch->word, &word) ? word : 0;
}

bool set_first_argument(int pid, uint64_t value)
{
	struct registers r;
	if (!registers_read(pid, &r))
		return false;
	if (r.arch->argument_count)
		return set_value_at(pid, &r, r.arch->argument[0], value);
	return poke(pid, first_on_stack(&r), r.arch->word, value);
}

uint64_t process_thread_pointer(const struct process *p)
{
	uint64_t pointer = 0;
	if (p->hand.pid)
		return hand_pointer(p);
#if defined(__x86_64__)
	errno = 0;
	pointer = (uint64_t)ptrace(PTRACE_PEEKUSER, p->thread, offsetof(struct user, regs.fs_base),
				   0);
	if (errno)
		pointer = 0;
#endif
	return pointer;
}

/* --- memory --- */

/* Ptrace's words; one that is aligned is in one page. */
static bool ptrace_peek_word(int pid, uint64_t address, uint64_t *ret)
{
	errno = 0;
	*ret = (uint64_t)ptrace(PTRACE_PEEKDATA, pid, (void *)(uintptr_t)address, NULL);
	return !errno;
}

bool peek(int pid, uint64_t address, unsigned size, uint64_t *ret)
{
	uint64_t word;
	if (!ptrace_peek_word(pid, address & -sizeof(word), &word))
		return false;
	*ret = size == 4 ? (uint32_t)(word >> address % sizeof(word) * 8) : word;
	return true;
}

bool poke(int pid, uint64_t address, unsigned size, uint64_t value)
{
	uint64_t place = address & -sizeof(value);
	union {
		uint64_t word;
		uint32_t halves[2];
	} u = { value };
	if (size == 4 && !ptrace_peek_word(pid, place, &u.word))
		return false;
	if (size == 4)
		u.halves[address % sizeof(value) / 4] = (uint32_t)value;
	return ptrace(PTRACE_POKEDATA, pid, (void *)(uintptr_t)place, (void *)(uintptr_t)u.word) ==
	       0;
}
