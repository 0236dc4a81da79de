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
 *   main      the program's own initializers have run.  main() is found by its
 *             symbol, or by the first argument of __libc_start_main()
 *
 * A static program has no linker: its entry is both preinit and postinit.
 */
#include "process/hold.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "arch/arch.h"
#include "object/object.h"
#include "process/registers.h"

/* --- stops --- */

bool hold_wait(struct process *p, int *status)
{
	while (waitpid(p->pid, status, __WALL) < 0) {
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

bool hold_resume(struct process *p, int signal_number, int *status)
{
	if (ptrace(PTRACE_CONT, p->pid, NULL, (void *)(intptr_t)signal_number) < 0 &&
	    errno != ESRCH)
		return false;
	return hold_wait(p, status);
}

/* --- running to an address --- */

/*
 * Run until a trap, after which the program counter is at PC.  Other signals that arrive meanwhile
 * are the program's.
 */
static struct error *run_to_trap(struct process *p, uint64_t pc)
{
	int status, pass = 0;
	for (;;) {
		if (!hold_resume(p, pass, &status))
			return error_new("it ended while its libraries were loaded");
		if (WSTOPSIG(status) == SIGTRAP && program_counter(p->pid) == pc)
			return NULL;
		pass = hold_signal_of(status);
	}
}

/* The word of the process's memory that has the byte at ADDRESS: one that begins there may end in
 * a page that is not mapped. */
static struct error *poke_word(struct process *p, uint64_t address, long word)
{
	if (ptrace(PTRACE_POKETEXT, p->pid, (void *)(address & -sizeof(word)), (void *)word) < 0)
		return error_sys(errno, "cannot write a breakpoint into it");
	return NULL;
}

static struct error *run_to_address(struct process *p, uint64_t address)
{
	const struct arch *a = arch_host();
	if (program_counter(p->pid) == address)
		return NULL;
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, p->pid, (void *)(address & -sizeof(word)), NULL);
	if (errno)
		return error_sys(errno, "cannot read its instructions");
	unsigned shift = address % sizeof(word) * 8;
	uint64_t trapped = (uint64_t)word & ~((uint64_t)a->trap_mask << shift);
	struct error *err = poke_word(p, address, (long)(trapped | (uint64_t)a->trap << shift));
	if (!err)
		err = run_to_trap(p, address + a->trap_pc_after);
	if (!err)
		err = poke_word(p, address, word);
	if (!err && !set_program_counter(p->pid, address))
		err = error_sys(errno, "cannot move it back to its breakpoint");
	return err;
}

static struct error *step(struct process *p)
{
	int status;
	if (ptrace(PTRACE_SINGLESTEP, p->pid, NULL, NULL) < 0 || !hold_wait(p, &status))
		return error_new("it ended while its libraries were loaded");
	return NULL;
}

/* --- places --- */

unsigned process_word(int pid)
{
	char path[64];
	unsigned char ident[EI_NIDENT];
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_32 = fd >= 0 && read(fd, ident, sizeof(ident)) == sizeof(ident) &&
		     memcmp(ident, ELFMAG, SELFMAG) == 0 && ident[EI_CLASS] == ELFCLASS32;
	return is_32 ? 4 : 8;
}

uint64_t process_auxiliary(int pid, uint64_t wanted)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char data[4096];
	ssize_t n = fd < 0 ? -1 : read(fd, data, sizeof(data));
	struct bytes b = bytes_of(data, n > 0 ? (size_t)n : 0);
	unsigned word = process_word(pid);
	while (bytes_left(&b) >= 2 * word) {
		uint64_t type = word == 4 ? bytes_u32(&b) : bytes_u64(&b);
		uint64_t value = word == 4 ? bytes_u32(&b) : bytes_u64(&b);
		if (type == wanted)
			return value;
	}
	return 0;
}

/* Addresses of NAMES in the file whose beginning M maps, as the process sees them; 0: not there. */
static void mapped_symbols(int pid, const struct mapping *m, const char *const *names,
			   uint64_t *ret, size_t count)
{
	auto_free char *path = mem_printf("/proc/%d/root%s", pid, m->path);
	struct elf_file *elf = NULL;
	auto_error struct error *err = elf_file_open(path, &elf);
	uint64_t first;
	bool known = !err && elf_file_address(elf, 0, &first);
	for (size_t i = 0; i < count; i++) {
		const struct elf_symbol *symbol =
			known ? elf_file_symbol_named(elf, names[i]) : NULL;
		ret[i] = symbol && symbol->address ? m->start + (symbol->address - first) : 0;
	}
	elf_file_free(elf);
}

typedef bool mapping_is_fn(const struct mapping *m, uint64_t arg);

static bool begins_at(const struct mapping *m, uint64_t address)
{
	return m->start == address;
}

static bool is_libc(const struct mapping *m, uint64_t unused)
{
	size_t len;
	const char *base = mapping_base_name(m->path, &len);
	return strncmp(base, "libc.so", 7) == 0 || strncmp(base, "libc-", 5) == 0 ||
	       strncmp(base, "ld-musl-", 8) == 0;
}

static bool is_of_inode(const struct mapping *m, uint64_t inode)
{
	return m->inode == inode;
}

static void find_symbols(int pid, mapping_is_fn *is, uint64_t arg, const char *const *names,
			 uint64_t *ret, size_t count)
{
	struct mapping *list;
	size_t mappings;
	memset(ret, 0, count * sizeof(*ret));
	auto_error struct error *err = process_mappings(pid, &list, &mappings);
	if (err)
		return;
	for (size_t i = 0; i < mappings && !ret[0]; i++)
		if (list[i].path[0] == '/' && !list[i].offset && is(&list[i], arg))
			mapped_symbols(pid, &list[i], names, ret, count);
	process_mappings_free(list, mappings);
}

/* --- the points --- */

/* After run_to_linked(), or for a static program, the initializers of libraries have run. */
static struct error *run_to_entry(struct process *p)
{
	uint64_t entry = process_auxiliary(p->pid, AT_ENTRY);
	if (entry)
		return run_to_address(p, entry);
	log_debug("process %d: no entry point found", p->pid);
	return NULL;
}

/* Of struct r_debug in 32-bit programs: r_version, r_map and r_brk have 4 bytes each. */
#define NARROW_STATE 12

static int linker_state(int pid, uint64_t r_debug)
{
	errno = 0;
	size_t at = process_word(pid) == 4 ? NARROW_STATE : offsetof(struct r_debug, r_state);
	long word = ptrace(PTRACE_PEEKDATA, pid, (void *)(r_debug + at), NULL);
	return errno ? RT_CONSISTENT : (int)word;
}

static struct error *run_to_linked(struct process *p)
{
	static const char *const names[] = { "_dl_debug_state", "_r_debug" };
	uint64_t base = process_auxiliary(p->pid, AT_BASE), found[2] = { 0 };
	if (base)
		find_symbols(p->pid, begins_at, base, names, found, ARRAY_SIZE(names));
	if (!found[0] || !found[1])
		return run_to_entry(p);
	for (;;) {
		struct error *err = run_to_address(p, found[0]);
		if (err || linker_state(p->pid, found[1]) == RT_CONSISTENT)
			return err;
		err = step(p);
		if (err)
			return err;
	}
}

static struct error *run_to_main(struct process *p)
{
	static const char *const name = "main", *const start = "__libc_start_main";
	struct error *err = run_to_entry(p);
	if (err)
		return err;
	uint64_t address;
	find_symbols(p->pid, is_of_inode, process_program(p->pid), &name, &address, 1);
	if (address)
		return run_to_address(p, address);
	find_symbols(p->pid, is_libc, 0, &start, &address, 1);
	if (!address)
		return error_new("its main() was not found: use evaltime=postinit");
	err = run_to_address(p, address);
	return err ? err : run_to_address(p, first_argument(p->pid));
}

struct error *hold_run_to(struct process *p, enum process_hold where, bool must)
{
	const struct arch *a = arch_host();
	if (where != PROCESS_HOLD_EXEC && process_word(p->pid) != a->word && !a->narrow)
		return must ? error_new("a 32-bit program can only be held at exec (evaltime=exec)")
			    : NULL;
	switch (where) {
	case PROCESS_HOLD_EXEC:
		return NULL;
	case PROCESS_HOLD_PREINIT:
		return run_to_linked(p);
	case PROCESS_HOLD_POSTINIT:
		return run_to_entry(p);
	case PROCESS_HOLD_MAIN:
		return run_to_main(p);
	}
	return NULL;
}
