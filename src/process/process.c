/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - create, hold and release; grab and follow
 *
 * How a created process comes to its stop:
 *
 *	fork -> PTRACE_TRACEME -> SIGSTOP -> [options, EXITKILL] -> execvp
 *	     -> exec stop -> (preinit only) breakpoint at AT_ENTRY -> trap
 *	     -> PTRACE_DETACH by process_run()
 *
 * Waits that are ptrace's have no timeout: each ends because the child stops
 * or dies, and the child cannot do anything else in between but load its
 * libraries.
 */
#include "process/process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

struct process {
	int pid;
	int pidfd; /* -1: kernel older than 5.3 */
	bool created, held, exited;
	int status;
};

static int open_pidfd(int pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static struct process *process_new(int pid, bool created)
{
	struct process *p = mem_zalloc(sizeof(*p));
	p->pid = pid;
	p->created = created;
	p->pidfd = open_pidfd(pid);
	return p;
}

void process_free(struct process *p)
{
	if (!p)
		return;
	if (p->held) {
		process_kill(p);
		process_exited(p, NULL);
	}
	if (p->pidfd >= 0)
		close(p->pidfd);
	free(p);
}

/* --- the child's side of fork --- */

/* Tells why exec failed through FD, which exec itself closes. */
static _Noreturn void become(char **words, int fd)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* What our caller ignores for its own sake is not the command's. */
	signal(SIGPIPE, SIG_DFL);

	int errnum = 0;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 || raise(SIGSTOP) != 0) {
		errnum = errno;
	} else {
		execvp(words[0], words);
		errnum = errno;
	}
	ssize_t ignored = write(fd, &errnum, sizeof(errnum));
	(void)ignored;
	_exit(127);
}

/* --- stops --- */

/* Wait for the next stop of a held process; false: it has ended. */
static bool wait_stop(struct process *p, int *status)
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

static bool is_stop(int status, int signal_number, int event)
{
	return WSTOPSIG(status) == signal_number && status >> 16 == event;
}

/* Let it run to its next stop.  SIGNAL is delivered to it; 0: none. */
static bool resume(struct process *p, int signal_number, int *status)
{
	if (ptrace(PTRACE_CONT, p->pid, NULL, (void *)(intptr_t)signal_number) < 0 &&
	    errno != ESRCH)
		return false;
	return wait_stop(p, status);
}

/* --- the entry of the program --- */

static uint64_t auxv_entry(int pid)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char data[4096];
	ssize_t n = fd < 0 ? -1 : read(fd, data, sizeof(data));
	struct bytes b = bytes_of(data, n > 0 ? (size_t)n : 0);
	while (bytes_left(&b) >= 16) {
		uint64_t type = bytes_u64(&b), value = bytes_u64(&b);
		if (type == AT_ENTRY)
			return value;
	}
	return 0;
}

#if defined(__x86_64__)

#define DEBUG_REGISTER(n) (offsetof(struct user, u_debugreg) + (n) * sizeof(unsigned long))
#define DR7_ENABLE_0 1ul /* local, breakpoint 0: execution, one byte */
#define DR6_HIT_0 1ul

static bool poke_debug(int pid, unsigned n, unsigned long value)
{
	return ptrace(PTRACE_POKEUSER, pid, (void *)DEBUG_REGISTER(n), (void *)value) == 0;
}

static uint64_t program_counter(int pid)
{
	struct user_regs_struct regs;
	return ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0 ? 0 : regs.rip;
}

static bool set_program_counter(int pid, uint64_t address)
{
	struct user_regs_struct regs;
	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0)
		return false;
	regs.rip = address;
	return ptrace(PTRACE_SETREGS, pid, NULL, &regs) == 0;
}

static bool arm_register(int pid, uint64_t address)
{
	return poke_debug(pid, 0, address) && poke_debug(pid, 7, DR7_ENABLE_0);
}

static void disarm_register(int pid)
{
	poke_debug(pid, 7, 0);
	poke_debug(pid, 0, 0);
	poke_debug(pid, 6, 0);
}

static const long trap_instruction = 0xcc;
static const long trap_mask = 0xff;
#define TRAP_PC_AFTER 1 /* the stop is reported behind the int3 */

#elif defined(__aarch64__)

#include <sys/uio.h>

static bool read_registers(int pid, struct user_regs_struct *regs)
{
	struct iovec iov = { regs, sizeof(*regs) };
	return ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &iov) == 0;
}

static uint64_t program_counter(int pid)
{
	struct user_regs_struct regs;
	return read_registers(pid, &regs) ? regs.pc : 0;
}

static bool set_program_counter(int pid, uint64_t address)
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

static bool arm_register(int pid, uint64_t address)
{
	/* Enabled (bit 0), for user code (bits 1-2 = 2), all four bytes (bits 5-8). */
	return set_breakpoint(pid, address, 1 | 2 << 1 | 0xf << 5);
}

static void disarm_register(int pid)
{
	set_breakpoint(pid, 0, 0);
}

static const long trap_instruction = 0xd4200000;
static const long trap_mask = 0xffffffff;
#define TRAP_PC_AFTER 0

#endif

/*
 * Run until the program counter is at ADDRESS, or behind the trap instruction
 * there.  Other signals that arrive meanwhile are the program's.
 */
static struct error *run_until(struct process *p, uint64_t address, unsigned pc_after)
{
	int status, pass = 0;
	for (;;) {
		if (!resume(p, pass, &status))
			return error_new("it ended while its libraries were loaded");
		uint64_t pc = program_counter(p->pid);
		if (WSTOPSIG(status) == SIGTRAP && pc == address + pc_after)
			return NULL;
		/* An event, not a signal: nothing is to be passed on. */
		pass = status >> 16 ? 0 : WSTOPSIG(status);
	}
}

static struct error *run_to_with_register(struct process *p, uint64_t address)
{
	struct error *err = run_until(p, address, 0);
	if (!err)
		disarm_register(p->pid);
	return err;
}

static struct error *run_to_with_trap(struct process *p, uint64_t address)
{
	errno = 0;
	long word = ptrace(PTRACE_PEEKTEXT, p->pid, (void *)address, NULL);
	if (errno)
		return error_sys(errno, "cannot read its entry point");
	long trapped = (word & ~trap_mask) | trap_instruction;
	if (ptrace(PTRACE_POKETEXT, p->pid, (void *)address, (void *)trapped) < 0)
		return error_sys(errno, "cannot set a breakpoint at its entry point");

	struct error *err = run_until(p, address, TRAP_PC_AFTER);
	if (err)
		return err;
	if (ptrace(PTRACE_POKETEXT, p->pid, (void *)address, (void *)word) < 0 ||
	    !set_program_counter(p->pid, address))
		return error_sys(errno, "cannot remove the breakpoint at its entry point");
	return NULL;
}

static struct error *run_to_entry(struct process *p)
{
	uint64_t entry = auxv_entry(p->pid);
	if (!entry)
		return error_new("its entry point is unknown");
	/* A static program that starts right there. */
	if (program_counter(p->pid) == entry)
		return NULL;
	/* For tests of the other way. */
	bool refuse = getenv("DTRACE_NO_DEBUGREG") != NULL;
	if (!refuse && arm_register(p->pid, entry))
		return run_to_with_register(p, entry);
	return run_to_with_trap(p, entry);
}

/* --- create --- */

/* From the stop before exec to the one after it.  *ERRNUM is exec's error, or 0. */
static struct error *run_to_exec(struct process *p, int error_fd, int *errnum)
{
	int status, pass = 0;
	if (!wait_stop(p, &status))
		return error_new("it ended before it was started");
	long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC;
	if (ptrace(PTRACE_SETOPTIONS, p->pid, NULL, (void *)options) < 0)
		return error_sys(errno, "cannot hold it");
	while (resume(p, pass, &status)) {
		if (is_stop(status, SIGTRAP, PTRACE_EVENT_EXEC))
			return NULL;
		pass = status >> 16 ? 0 : WSTOPSIG(status);
	}
	if (read(error_fd, errnum, sizeof(*errnum)) != sizeof(*errnum))
		*errnum = 0;
	return *errnum ? NULL : error_new("it ended before it was started");
}

static struct error *hold(struct process *p, enum process_hold where, int error_fd)
{
	int errnum = 0;
	struct error *err = run_to_exec(p, error_fd, &errnum);
	if (err)
		return err;
	if (errnum) /* error_sys() would put a sentence before the reason */
		return error_new("%s", strerror(errnum));
	return where == PROCESS_HOLD_PREINIT ? run_to_entry(p) : NULL;
}

static struct error *create(char **words, enum process_hold where, struct process **ret)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_sys(errno, "cannot make a pipe");
	auto_close int read_end = fds[0], write_end = fds[1];
	int pid = fork();
	if (pid < 0)
		return error_sys(errno, "cannot fork");
	if (pid == 0)
		become(words, write_end);
	close(take_fd(write_end));

	struct process *p = process_new(pid, true);
	p->held = true;
	struct error *err = hold(p, where, read_end);
	if (err) {
		process_free(p);
		return err;
	}
	*ret = p;
	return NULL;
}

struct error *process_create(const char *command, enum process_hold where, struct process **ret)
{
	char **words;
	struct error *err = command_split(command, &words);
	if (err)
		return error_wrap(err, "failed to execute %s", command);
	err = create(words, where, ret);
	if (err)
		err = error_wrap(err, "failed to execute %s", words[0]);
	command_free(words);
	return err;
}

/* --- grab --- */

struct error *process_grab(int pid, struct process **ret)
{
	struct process *p = pid > 0 ? process_new(pid, false) : NULL;
	if (p && p->pidfd < 0 && errno == EINVAL) {
		/* A thread that is not the first one of its process. */
		process_free(p);
		return error_new("failed to grab pid %d: it is a thread, not a process", pid);
	}
	int errnum = ESRCH;
	if (p && p->pidfd < 0 && errno != ENOSYS)
		errnum = errno;
	bool there = p && (p->pidfd >= 0 || kill(pid, 0) == 0 || errno == EPERM);
	/* A zombie has no code to trace. */
	if (!there || process_exited(p, NULL)) {
		process_free(p);
		return error_new("failed to grab pid %d: %s", pid, strerror(errnum));
	}
	*ret = p;
	return NULL;
}

/* --- follow --- */

int process_pid(const struct process *p)
{
	return p->pid;
}

bool process_is_created(const struct process *p)
{
	return p->created;
}

bool process_is_held(const struct process *p)
{
	return p->held;
}

int process_poll_fd(const struct process *p)
{
	return p->pidfd;
}

struct error *process_run(struct process *p)
{
	if (!p->held)
		return NULL;
	p->held = false;
	if (ptrace(PTRACE_DETACH, p->pid, NULL, NULL) == 0)
		return NULL;
	int errnum = errno;
	if (process_exited(p, NULL))
		return error_new("process %d ended before it was released", p->pid);
	return error_sys(errnum, "cannot release process %d", p->pid);
}

static void reap(struct process *p)
{
	int status;
	/* A held process was killed by us, or stands: waiting for its end would not end. */
	int got = waitpid(p->pid, &status, WNOHANG | __WALL);
	if (got == p->pid && !WIFSTOPPED(status)) {
		p->exited = true;
		p->status = status;
	} else if (got < 0 && errno == ECHILD) {
		p->exited = true;
	}
	if (p->exited)
		p->held = false;
}

static bool pidfd_is_readable(int fd)
{
	struct pollfd f = { .fd = fd, .events = POLLIN };
	return poll(&f, 1, 0) == 1 && (f.revents & POLLIN);
}

bool process_exited(struct process *p, int *status)
{
	if (!p->exited && p->created)
		reap(p);
	else if (!p->exited)
		p->exited = p->pidfd >= 0 ? pidfd_is_readable(p->pidfd)
					  : kill(p->pid, 0) < 0 && errno == ESRCH;
	if (p->exited && status)
		*status = p->status;
	return p->exited;
}

/* Our child cannot be another process before we have reaped it. */
void process_kill(struct process *p)
{
	if (!p->created || process_exited(p, NULL))
		return;
	kill(p->pid, SIGKILL);
	if (!p->held)
		return;
	/* Nothing else can happen to it: this wait is short. */
	int status;
	while (!p->exited && wait_stop(p, &status))
		;
}
