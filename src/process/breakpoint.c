/* SPDX-License-Identifier: BSD-2-Clause */
/* breakpoint - one address that a held process must not pass */
#include "process/breakpoint.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "arch/arch.h"

/*
 * --- registers: general ones as in pt_regs (struct arch), with more after them; those of 32-bit
 * programs in the order of arch->saved_registers ---
 */

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

/* --- does it work here? --- */

static __attribute__((noinline)) void trial_point(void)
{
	__asm__ volatile("" ::: "memory");
}

/*
 * Ends if the pipe is closed before the byte comes: if we die, no stopped process remains
 * (process.c).  Changes none of our memory: does only what a forked child may do.
 */
static _Noreturn void trial_child(int go_fd)
{
	char go;
	if (read(go_fd, &go, 1) == 1)
		trial_point();
	_exit(0);
}

/* False: it has ended instead; *PID is 0 then. */
static bool wait_for_stop(int *pid, int *status)
{
	if (waitpid(*pid, status, __WALL) == *pid && WIFSTOPPED(*status))
		return true;
	*pid = 0;
	return false;
}

/* It is held where it waits for its byte, then runs into a breakpoint, or past it. */
static bool runs_into_breakpoint(int *pid, int go_fd)
{
	uint64_t point = (uint64_t)(uintptr_t)trial_point;
	int status;
	if (ptrace(PTRACE_SEIZE, *pid, NULL, (void *)PTRACE_O_EXITKILL) < 0 ||
	    ptrace(PTRACE_INTERRUPT, *pid, NULL, NULL) < 0 || !wait_for_stop(pid, &status) ||
	    !arch_host()->set_breakpoint(*pid, point) || write(go_fd, "g", 1) != 1 ||
	    ptrace(PTRACE_CONT, *pid, NULL, NULL) < 0)
		return false;
	return wait_for_stop(pid, &status) && WSTOPSIG(status) == SIGTRAP &&
	       program_counter(*pid) == point;
}

static bool trial(void)
{
	int go[2];
	if (pipe2(go, O_CLOEXEC) < 0)
		return false;
	auto_close int go_read = go[0], go_write = go[1];
	int pid = fork();
	if (pid == 0) {
		close(go_write);
		trial_child(go_read);
	}
	bool hit = pid > 0 && runs_into_breakpoint(&pid, go_write);
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
	}
	return hit;
}

bool breakpoint_set(int pid, uint64_t address)
{
	static enum { UNKNOWN, WORKS, FAILS } state;
	if (state == UNKNOWN) {
		state = trial() ? WORKS : FAILS;
		log_debug("hardware breakpoints: %s", state == WORKS ? "work" : "do not work here");
	}
	/* For tests of the other way. */
	bool refuse = getenv("DTRACE_NO_DEBUGREG") != NULL;
	return !refuse && state == WORKS && arch_host()->set_breakpoint(pid, address);
}

void breakpoint_clear(int pid)
{
	arch_host()->set_breakpoint(pid, 0);
}
