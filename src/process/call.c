/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call - system calls in a held process, and writes to its memory
 *
 * The instruction is borrowed: it is one that is somewhere in the process's code, mostly in the
 * vdso, also where another instruction has these bytes inside.  So no text is written (hold.c says
 * why).  The thread executes it by a single step, and gets its registers back; nothing below the
 * stack pointer is touched.  Signals that others send are blocked meanwhile.  SIGTRAP and SIGSYS,
 * by which the kernel stops the thread there, are not: it forgets a handler of a blocked one.  (It
 * also forgets that SIGTRAP was ignored.)
 *
 * A thread that is stopped in a system call, as each is at its exec stop, ends that first: its step
 * executes nothing, and the kernel writes the call's result over a register.  So that step is made
 * before the registers are saved.
 */
#include "process/process_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "arch/arch.h"

/* --- the instruction ------------------------------------------------------------------------- */

#define PIECE 65536

/* The address of CODE in the mapping M, by MEMORY; 0: it is not there. */
static uint64_t instruction_in(int memory, const struct mapping *m, const struct arch *a)
{
	auto_free unsigned char *bytes = mem_alloc(PIECE);
	size_t size = a->syscall.size, align = arch_has_link(a) ? size : 1;
	for (uint64_t at = m->start; at < m->end; at += PIECE - size) {
		ssize_t got = pread(memory, bytes, MIN(m->end - at, PIECE), (off_t)at);
		for (size_t i = 0; got > 0 && i + size <= (size_t)got; i++)
			if ((at + i) % align == 0 && !memcmp(bytes + i, a->syscall.code, size))
				return at + i;
	}
	return 0;
}

static uint64_t instruction_among(int memory, const struct mapping *list, size_t count,
				  const struct arch *a, bool in_vdso)
{
	uint64_t at = 0;
	for (size_t i = 0; i < count && !at; i++)
		if (list[i].executable && string_equal(list[i].path, "[vdso]") == in_vdso)
			at = instruction_in(memory, &list[i], a);
	return at;
}

static bool has_instruction_at(int memory, uint64_t address, const struct arch *a)
{
	unsigned char bytes[sizeof(a->syscall.code)];
	ssize_t size = (ssize_t)a->syscall.size;
	return address && pread(memory, bytes, (size_t)size, (off_t)address) == size &&
	       !memcmp(bytes, a->syscall.code, (size_t)size);
}

static struct error *instruction_find(struct process *p, const struct arch *a)
{
	auto_close int memory = process_open_memory(p->pid);
	if (memory < 0)
		return error_sys(errno, "cannot read its memory");
	if (has_instruction_at(memory, p->call_at, a))
		return NULL;
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(p->pid, &list, &count);
	if (err)
		return err;
	p->call_at = instruction_among(memory, list, count, a, true);
	if (!p->call_at)
		p->call_at = instruction_among(memory, list, count, a, false);
	process_mappings_free(list, count);
	return p->call_at ? NULL : error_new("its code has no instruction that makes one");
}

/* --- the step -------------------------------------------------------------------------------- */

static struct error *ended_error(const struct process *p)
{
	return error_new("process %d has ended", p->pid);
}

/* One instruction, or the rest of a system call.  SIGSTOP cannot be blocked: the process is stopped
 * by it when it is released. */
static struct error *make_step(struct process *p)
{
	int status, pass = 0;
	do {
		if (ptrace(PTRACE_SINGLESTEP, p->thread, NULL, (void *)(intptr_t)pass) < 0 &&
		    errno != ESRCH)
			return error_sys(errno, "cannot step it");
		if (!hold_wait(p, &status))
			return ended_error(p);
		pass = hold_signal_of(status) == SIGSTOP ? SIGSTOP : 0;
	} while (status >> 16 || pass);
	if (WSTOPSIG(status) == SIGSYS)
		return error_new("a filter of system calls (seccomp) does not let it");
	return WSTOPSIG(status) == SIGTRAP
		       ? NULL
		       : error_new("signal %d stopped it there", WSTOPSIG(status));
}

static bool is_in_exec(const struct process *p)
{
	siginfo_t info;
	return ptrace(PTRACE_GETSIGINFO, p->thread, NULL, &info) == 0 &&
	       info.si_code == (SIGTRAP | PTRACE_EVENT_EXEC << 8);
}

/* The registers of a thread that will make a call. */
static struct registers registers_for(const struct process *p, const struct registers *saved,
				      long number, const uint64_t *arguments)
{
	struct registers r = *saved;
	const struct arch *a = r.arch;
	for (unsigned i = 0; i < CALL_ARGUMENTS; i++)
		register_set(&r, i ? a->syscall_argument[i] : a->argument[0], arguments[i]);
	if (a->syscall_number < r.size) /* of x86: no call is to be restarted */
		register_set(&r, a->syscall_number, UINT64_MAX);
	register_set(&r, a->syscall.made_by, (uint64_t)number);
	register_set(&r, a->pc, p->call_at);
	return r;
}

#define TRAPS_BEFORE 8

/* A SIGTRAP that was pending stops the thread before the instruction: of the step before, if that
 * ended by SIGSYS, or another's, which is lost. */
static struct error *step_over_call(struct process *p, struct registers *r)
{
	for (unsigned i = 0; i < TRAPS_BEFORE; i++) {
		struct error *err = make_step(p);
		if (err)
			return err;
		if (!registers_read(p->thread, r))
			return error_sys(errno, "cannot read its registers");
		if (register_value(r, r->arch->pc) != p->call_at)
			break;
	}
	return NULL;
}

static struct error *call_by_step(struct process *p, struct registers *r, int64_t *ret)
{
	if (!registers_write(p->thread, r))
		return error_sys(errno, "cannot write its registers");
	struct error *err = step_over_call(p, r);
	if (err)
		return err;
	if (register_value(r, r->arch->pc) != p->call_at + r->arch->syscall.size)
		return error_new("it went elsewhere");
	*ret = (int64_t)register_value(r, r->arch->result);
	return NULL;
}

/* --- the call -------------------------------------------------------------------------------- */

#define SIGNAL_BIT(number) (1ull << ((number)-1))

static bool mask_swap(int pid, uint64_t mask, uint64_t *before)
{
	return ptrace(PTRACE_GETSIGMASK, pid, (void *)sizeof(*before), before) == 0 &&
	       ptrace(PTRACE_SETSIGMASK, pid, (void *)sizeof(mask), &mask) == 0;
}

static struct error *call_masked(struct process *p, long number, const uint64_t *arguments,
				 int64_t *ret)
{
	struct registers saved, r;
	struct error *err = is_in_exec(p) ? make_step(p) : NULL;
	if (!err && !registers_read(p->thread, &saved))
		err = error_sys(errno, "cannot read its registers");
	if (!err && !saved.arch->syscall.size)
		err = error_new("it has a 32-bit program");
	if (!err)
		err = instruction_find(p, saved.arch);
	if (err)
		return err;
	r = registers_for(p, &saved, number, arguments);
	err = call_by_step(p, &r, ret);
	if (!p->exited && !registers_write(p->thread, &saved) && !err)
		err = error_sys(errno, "cannot write its registers");
	return err;
}

struct error *process_call(struct process *p, long number, const uint64_t arguments[CALL_ARGUMENTS],
			   int64_t *ret)
{
	uint64_t mask, ours;
	if (!p->held)
		return error_new("process %d is not held", p->pid);
	if (p->hand.pid)
		return hand_call(p, number, arguments, ret);
	if (!mask_swap(p->thread, ~(SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGSYS)), &mask))
		return errno == ESRCH ? ended_error(p)
				      : error_sys(errno, "cannot block its signals");
	struct error *err = call_masked(p, number, arguments, ret);
	if (!p->exited && !mask_swap(p->thread, mask, &ours) && !err)
		err = error_sys(errno, "cannot unblock its signals");
	return err ? error_wrap(err, "a system call in process %d", p->pid) : NULL;
}

/* --- memory ---------------------------------------------------------------------------------- */

/* Word by word, which the kernel always allows a tracer. */
static bool write_words(int pid, uint64_t address, const unsigned char *bytes, size_t size)
{
	union {
		uint64_t word;
		unsigned char bytes[8];
	} u;
	for (size_t done = 0; done < size;) {
		uint64_t at = address + done, shift = at % sizeof(u);
		size_t count = MIN(sizeof(u) - shift, size - done);
		if (!peek(pid, at - shift, sizeof(u), &u.word))
			return false;
		memcpy(u.bytes + shift, bytes + done, count);
		if (!poke(pid, at - shift, sizeof(u), u.word))
			return false;
		done += count;
	}
	return true;
}

struct error *process_write(struct process *p, uint64_t address, const void *bytes, size_t size)
{
	char path[64];
	if (!p->held)
		return error_new("process %d is not held", p->pid);
	if (p->hand.pid)
		return hand_write(p, address, bytes, size);
	snprintf(path, sizeof(path), "/proc/%d/mem", p->pid);
	auto_close int memory = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t done = memory < 0 ? 0 : pwrite(memory, bytes, size, (off_t)address);
	size_t count = done < 0 ? 0 : (size_t)done;
	if (count == size || write_words(p->thread, address + count,
					 (const unsigned char *)bytes + count, size - count))
		return NULL;
	return error_sys(errno, "cannot write to process %d at %#llx", p->pid,
			 (unsigned long long)(address + count));
}
