/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From exec on a program passes these points; at one of them it is held:
 *
 *   exec      the kernel has mapped the program and the dynamic linker
 *   preinit   the linker has mapped and relocated all libraries.  It then calls
 *             _dl_debug_state(), an empty function for debuggers,
 *             with _r_debug.r_state saying that its list is consistent
 *   postinit  the initializers of the libraries have run; the linker jumps to the
 *             program's entry
 *   main      the program's own initializers have run.  main() is the first argument
 *             of __libc_start_main()
 *
 * A static program has no linker: its entry is both preinit and postinit.
 *
 * Another tracer may have breakpoints in the same files (dtrace with -x follow has them at
 * _dl_debug_state() of all processes).  The kernel would take a trap instruction that we write for
 * one of its own, and the process would run on; and the byte that we put back would remove the
 * other's.  So we write to no text.  What stops the process is at
 *
 *   preinit   the linker's last system call (linker_calls.c).  A linker without a cache of
 *             libraries has no such call: a probe of the kernel (stop_point_new()), which is
 *             shared with all other tracers
 *   postinit  a false entry point: the jump to it is a fault (false_entry.c).  It is there from
 *             exec on, so a process that nothing has stopped before stops here
 *   main      a false main(): the fault of its call.  __libc_start_main() is reached in the same
 *             way: the entry calls it by a pointer, data of the program.  A static program has no
 *             such pointer, and is single-stepped, a dozen instructions
 *
 * Debug registers would not change text either, but many virtual machines accept them and never
 * report anything (kernel/link/watchpoint.c), aarch64 disables those of a thread that is stopped at
 * one, and ptrace's are saved and loaded at each context switch until the thread ends.
 */
#include "process/process_internal.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "arch/arch.h"
#include "kernel/kernel.h"
#include "object/object.h"

/* --- stops --- */

bool hold_wait(struct process *p, int *status)
{
	while (waitpid(p->thread, status, __WALL) < 0) {
		if (errno == EINTR)
			continue;
		*status = 0;
		break;
	}
	if (WIFSTOPPED(*status))
		return true;
	p->held = false;
	p->exited = true;
	p->status = *status;
	return false;
}

int hold_signal_of(int status)
{
	return status >> 16 ? 0 : WSTOPSIG(status);
}

static bool resume_by(struct process *p, enum __ptrace_request how, int signal_number, int *status)
{
	if (ptrace(how, p->pid, NULL, (void *)(intptr_t)signal_number) < 0 && errno != ESRCH)
		return false;
	return hold_wait(p, status);
}

bool hold_resume(struct process *p, int signal_number, int *status)
{
	return resume_by(p, PTRACE_CONT, signal_number, status);
}

/* --- running --------------------------------------------------------------------------------- */

static struct error *ended(void)
{
	return error_new("it ended while its libraries were loaded");
}

enum stop { STOP_AT_CALL, STOP_AT_POINT, STOP_AT_FALSE_ADDRESS };

bool hold_is_call(int status)
{
	return status >> 8 == (SIGTRAP | 0x80); /* PTRACE_O_TRACESYSGOOD */
}

static bool is_at_stop_point(const struct process *p, int status)
{
	siginfo_t info;
	return WSTOPSIG(status) == SIGTRAP && !(status >> 16) &&
	       ptrace(PTRACE_GETSIGINFO, p->pid, NULL, &info) == 0 &&
	       info.si_code == STOP_POINT_CODE;
}

static bool is_at_false_address(const struct process *p)
{
	return program_counter(p->pid) == false_address(process_word(p->pid));
}

/*
 * A fault there is not one of the program's.  (A program that ignores or blocks SIGSEGV does so no
 * longer: the kernel makes the signal of a fault deadly.)
 */
static bool has_false_fault(const struct process *p, int status)
{
	return WSTOPSIG(status) == SIGSEGV && is_at_false_address(p);
}

/* Run by HOW to the next stop that we have prepared.  Other signals that arrive meanwhile are the
 * program's. */
static struct error *run_to_stop(struct process *p, enum __ptrace_request how, enum stop *ret)
{
	int status, pass = 0;
	while (resume_by(p, how, pass, &status)) {
		bool is_call = hold_is_call(status);
		bool is_point = is_at_stop_point(p, status);
		if (is_call || is_point || has_false_fault(p, status)) {
			*ret = is_call	  ? STOP_AT_CALL
			       : is_point ? STOP_AT_POINT
					  : STOP_AT_FALSE_ADDRESS;
			return NULL;
		}
		if (status >> 16 == PTRACE_EVENT_EXEC)
			return error_new(
				"an initializer of its libraries executes another program: "
				"use evaltime=preinit");
		pass = hold_signal_of(status);
	}
	return ended();
}

#define STOPS_MOST 1000

/*
 * Run by REQUEST to ADDRESS, which a program reaches before its first system call.  False: it does
 * not, or has ended.  A system call stops it by any PTRACE_SYSEMU, and is not made: so a program
 * that passes the address has done nothing.  (It passes where another tracer's probe takes a step
 * from us, on aarch64: arch_uprobe_post_xol() of Linux 6.12 ends all stepping.)
 */
static bool run_to_address(struct process *p, enum __ptrace_request request, uint64_t address)
{
	int status, pass = 0;
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		if (program_counter(p->pid) == address)
			return true;
		if (ptrace(request, p->pid, NULL, (void *)(intptr_t)pass) < 0 ||
		    !hold_wait(p, &status) || hold_is_call(status))
			return false;
		pass = WSTOPSIG(status) == SIGTRAP ? 0 : hold_signal_of(status);
	}
	return false;
}

/* --- the points ------------------------------------------------------------------------------ */

static struct error *cannot_go_on(void)
{
	return error_sys(errno, "cannot move it back from a false address");
}

/* The initializers of libraries have run.  It may be there already. */
static struct error *run_to_entry(struct process *p, const struct false_entry *entry)
{
	enum stop stop;
	struct error *err = is_at_false_address(p) ? NULL : run_to_stop(p, PTRACE_CONT, &stop);
	if (err)
		return err;
	return false_entry_pass(entry) ? NULL : cannot_go_on();
}

static struct error *passed_its_place(void)
{
	return error_new("nothing stopped it at _dl_debug_state() of its dynamic linker: "
			 "use evaltime=postinit");
}

static struct error *no_call(void)
{
	return error_new("its dynamic linker made no call that shows where it is");
}

/* The linker passes the place of the stop point more than once. */
static struct error *run_to_consistent(struct process *p, const struct dynamic_linker *l)
{
	enum stop stop;
	struct error *err;
	do
		err = run_to_stop(p, PTRACE_CONT, &stop);
	while (!err && stop == STOP_AT_POINT && !dynamic_linker_is_consistent(l));
	return !err && stop == STOP_AT_FALSE_ADDRESS ? passed_its_place() : err;
}

/* Hold P at its entry because of WHY, which is taken. */
static struct error *run_late(struct process *p, const struct false_entry *entry, struct error *why,
			      bool must)
{
	if (must)
		return why;
	p->late = why;
	return run_to_entry(p, entry);
}

/* Execute the call that P is stopped before. */
static struct error *end_call(struct process *p)
{
	int status, pass = 0;
	while (resume_by(p, PTRACE_SINGLESTEP, pass, &status)) {
		if (WSTOPSIG(status) == SIGTRAP)
			return NULL;
		pass = hold_signal_of(status);
	}
	return ended();
}

/* *RET: LINKER_READY, LINKER_UNKNOWN, or LINKER_WORKS if P is at its false entry instead. */
static struct error *run_by_calls(struct process *p, const struct dynamic_linker *l,
				  enum linker_progress *ret)
{
	struct linker_calls calls = { .linker = l };
	enum stop stop = STOP_AT_CALL;
	struct error *err = NULL;
	struct shared_cpu cpu = { 0 };
	*ret = linker_calls_are_known(p->pid) ? LINKER_WORKS : LINKER_UNKNOWN;
	if (p->created &&
	    *ret == LINKER_WORKS) /* others' stay as they are, even if we are killed */
		shared_cpu_begin(&cpu, p->pid);
	while (!err && *ret == LINKER_WORKS && stop == STOP_AT_CALL) {
		err = run_to_stop(p, PTRACE_SYSCALL, &stop);
		if (!err && stop == STOP_AT_CALL)
			*ret = linker_calls_look(&calls);
	}
	if (!err && *ret == LINKER_READY)
		err = end_call(p);
	shared_cpu_end(&cpu);
	return err;
}

static struct error *run_by_stop_point(struct process *p, const struct dynamic_linker *l,
				       bool *late)
{
	struct stop_point *point;
	struct error *err = stop_point_new(p->pid, l->path, l->call_offset, &point);
	*late = err != NULL;
	if (err)
		return err;
	err = run_to_consistent(p, l);
	stop_point_free(point);
	return err;
}

static struct error *run_to_linked(struct process *p, const struct false_entry *entry,
				   const struct dynamic_linker *l, bool must)
{
	enum linker_progress progress;
	bool late = false;
	struct error *err = run_by_calls(p, l, &progress);
	if (!err && progress == LINKER_UNKNOWN)
		err = run_by_stop_point(p, l, &late);
	if (late)
		return run_late(p, entry, err, must);
	if (!err && progress == LINKER_WORKS)
		return run_late(p, entry, no_call(), must);
	if (err || false_entry_clear(entry, &l->data))
		return err;
	return run_late(p, entry, error_new("its dynamic linker is of an unknown kind"), must);
}

/* A linker that we do not know may be musl's, whose programs run all initializers after the entry.
 */
static struct error *run_to_preinit(struct process *p, const struct false_entry *entry, bool must)
{
	struct dynamic_linker linker;
	bool known = dynamic_linker_find(p->pid, process_auxiliary(p->pid, AT_BASE), &linker);
	struct error *err = known ? run_to_linked(p, entry, &linker, must) : run_to_entry(p, entry);
	dynamic_linker_deinit(&linker);
	return err;
}

#define START "__libc_start_main"

/*
 * Of the program of PID.  *POINTER: the address of the pointer by which it calls
 * __libc_start_main(); *FUNCTION: the function's address, in a static program.  0: not there.
 */
static void start_find(int pid, uint64_t *pointer, uint64_t *function)
{
	char path[64];
	struct elf_file *elf = NULL;
	*pointer = *function = 0;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	auto_error struct error *err = elf_file_open(path, &elf);
	if (err)
		return;
	uint64_t base = process_auxiliary(pid, AT_ENTRY) - elf_file_entry(elf);
	if (elf_file_symbol_pointer(elf, START, pointer)) {
		*pointer += base;
	} else {
		const struct elf_symbol *symbol = elf_file_symbol_named(elf, START);
		if (symbol && symbol->address)
			*function = base + symbol->address;
	}
	elf_file_free(elf);
}

/* Run P until it jumps to the address that is stored at POINTER. */
static bool run_to_jump(struct process *p, uint64_t pointer)
{
	unsigned word = process_word(p->pid);
	uint64_t value;
	return peek(p->pid, pointer, word, &value) &&
	       poke(p->pid, pointer, word, false_address(word)) &&
	       run_to_address(p, PTRACE_SYSEMU, false_address(word)) &&
	       poke(p->pid, pointer, word, value) && set_program_counter(p->pid, value);
}

/*
 * Run to the call of __libc_start_main().  A lazy linker looks the function up only then, which
 * changes no argument.
 */
static bool run_to_start(struct process *p)
{
	uint64_t pointer, function;
	start_find(p->pid, &pointer, &function);
	return pointer ? run_to_jump(p, pointer)
		       : function && run_to_address(p, PTRACE_SYSEMU_SINGLESTEP, function);
}

/* From the entry on. */
static struct error *run_to_main(struct process *p)
{
	enum stop stop;
	if (!run_to_start(p))
		return error_new("its main() was not found: use evaltime=postinit");
	uint64_t address = first_argument(p->pid);
	if (!set_first_argument(p->pid, false_address(process_word(p->pid))))
		return error_sys(errno, "cannot hold it at main()");
	struct error *err = run_to_stop(p, PTRACE_CONT, &stop);
	if (err)
		return err;
	return set_program_counter(p->pid, address) ? NULL : cannot_go_on();
}

static struct error *run_from_exec(struct process *p, enum process_hold where, bool must)
{
	struct error *err = NULL;
	if (process_auxiliary(p->pid, AT_BASE)) {
		struct false_entry entry;
		if (!false_entry_set(p->pid, &entry))
			return error_sys(errno, "cannot change its entry point");
		err = where == PROCESS_HOLD_PREINIT ? run_to_preinit(p, &entry, must)
						    : run_to_entry(p, &entry);
		if (err && is_at_false_address(p)) /* it may go on without us */
			false_entry_pass(&entry);
	}
	return err || where != PROCESS_HOLD_MAIN ? err : run_to_main(p);
}

struct error *hold_run_to(struct process *p, enum process_hold where, bool must)
{
	const struct arch *a = arch_host();
	if (where == PROCESS_HOLD_EXEC)
		return NULL;
	if (process_word(p->pid) == a->word || a->narrow)
		return run_from_exec(p, where, must);
	return must ? error_new("a 32-bit program can only be held at exec (evaltime=exec)") : NULL;
}
