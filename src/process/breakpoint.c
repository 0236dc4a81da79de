/* SPDX-License-Identifier: BSD-2-Clause */
/* breakpoint - one address that a held process must not pass: what differs by CPU */
#include "process/breakpoint.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#if defined(__x86_64__)

#define DEBUG_REGISTER(n) (offsetof(struct user, u_debugreg) + (n) * sizeof(unsigned long))
#define DR7_ENABLE_0 1ul /* local, breakpoint 0: execution, one byte */

static bool poke_debug(int pid, unsigned n, unsigned long value)
{
	return ptrace(PTRACE_POKEUSER, pid, (void *)DEBUG_REGISTER(n), (void *)value) == 0;
}

uint64_t program_counter(int pid)
{
	struct user_regs_struct regs;
	return ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0 ? 0 : regs.rip;
}

uint64_t first_argument(int pid)
{
	struct user_regs_struct regs;
	return ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0 ? 0 : regs.rdi;
}

bool set_program_counter(int pid, uint64_t address)
{
	struct user_regs_struct regs;
	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0)
		return false;
	regs.rip = address;
	return ptrace(PTRACE_SETREGS, pid, NULL, &regs) == 0;
}

static bool set_register(int pid, uint64_t address)
{
	return poke_debug(pid, 0, address) && poke_debug(pid, 7, DR7_ENABLE_0);
}

void breakpoint_clear(int pid)
{
	poke_debug(pid, 7, 0);
	poke_debug(pid, 0, 0);
	poke_debug(pid, 6, 0);
}

const long trap_instruction = 0xcc;
const long trap_mask = 0xff;
const unsigned trap_pc_after = 1; /* the stop is reported behind the int3 */

#elif defined(__aarch64__)

static bool read_registers(int pid, struct user_regs_struct *regs)
{
	struct iovec iov = { regs, sizeof(*regs) };
	return ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &iov) == 0;
}

uint64_t program_counter(int pid)
{
	struct user_regs_struct regs;
	return read_registers(pid, &regs) ? regs.pc : 0;
}

uint64_t first_argument(int pid)
{
	struct user_regs_struct regs;
	return read_registers(pid, &regs) ? regs.regs[0] : 0;
}

bool set_program_counter(int pid, uint64_t address)
{
	return program_counter(pid) == address; /* brk does not move it */
}

static bool set_breakpoint(int pid, uint64_t address, uint32_t control)
{
	/* struct user_hwdebug_state with one breakpoint: info, pad, then { addr, ctrl, pad }. */
	struct {
		uint32_t info, pad;
		uint64_t address;
		uint32_t control, pad2;
	} state = { .address = address, .control = control };
	struct iovec iov = { &state, sizeof(state) };
	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_HW_BREAK, &iov) == 0;
}

static bool set_register(int pid, uint64_t address)
{
	/* Enabled (bit 0), for user code (bits 1-2 = 2), all four bytes (bits 5-8). */
	return set_breakpoint(pid, address, 1 | 2 << 1 | 0xf << 5);
}

void breakpoint_clear(int pid)
{
	set_breakpoint(pid, 0, 0);
}

const long trap_instruction = 0xd4200000;
const long trap_mask = 0xffffffff;
const unsigned trap_pc_after = 0;

#endif

/* --- does it work here? --- */

static __attribute__((noinline)) void trial_point(void)
{
	__asm__ volatile("" ::: "memory");
}

/*
 * Ends if the pipe is closed before the byte comes: our death leaves nothing stopped (process.c).
 * Writes nothing of ours: only what a forked child may do.
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
	    !set_register(*pid, point) || write(go_fd, "g", 1) != 1 ||
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
	return !refuse && state == WORKS && set_register(pid, address);
}
