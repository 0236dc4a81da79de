/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls and writes in held processes, ours */
#include "process/process.h"

#include <elf.h>
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "holds.h"
#include "process/process_internal.h"

__attribute__((constructor)) static void limit_time(void)
{
	alarm(120);
}

static bool fails_with(struct error *err, const char *words)
{
	bool right = err && strstr(error_text(err), words);
	if (!right)
		printf("wanted \"%s\", got \"%s\"\n", words, err ? error_text(err) : "nothing");
	error_free(err);
	return right;
}

static struct process *start(const char *command, enum process_hold where)
{
	struct process *p = NULL;
	CHECK(is_fine(process_create(NULL, command, where, &p)));
	return p;
}

#define CALL(p, result, number, ...)                                                               \
	process_call(p, number, (const uint64_t[CALL_ARGUMENTS]) { __VA_ARGS__ }, result)

/* What the thread would see: registers, and what is around the stack pointer. */
struct seen {
	unsigned char registers[1024];
	size_t size;
	unsigned char stack[512]; /* from 256 bytes below the stack pointer on */
	uint64_t mask;
};

static void see(struct process *p, struct seen *ret)
{
	memset(ret, 0, sizeof(*ret));
	int pid = process_pid(p);
	struct iovec place = { ret->registers, sizeof(ret->registers) };
	CHECK(ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &place) == 0);
	ret->size = place.iov_len;
	CHECK(ptrace(PTRACE_GETSIGMASK, pid, (void *)8, &ret->mask) == 0);
	auto_close int memory = process_open_memory(pid);
	CHECK(pread(memory, ret->stack, sizeof(ret->stack), (off_t)(stack_pointer(pid) - 256)) ==
	      sizeof(ret->stack));
}

static bool ends_well(struct process *p)
{
	int status = -1;
	bool runs = is_fine(process_run(p));
	while (runs && !process_exited(p, &status))
		usleep(1000);
	process_free(p);
	return runs && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool maps(struct process *p, uint64_t address, const char *name)
{
	struct mapping *list;
	size_t count = 0;
	CHECK(is_fine(process_mappings(process_pid(p), &list, &count)));
	const struct mapping *m = mappings_find(list, count, address);
	bool right = m && m->executable && m->shared && strstr(m->path, name);
	process_mappings_free(list, count);
	return right;
}

/* It makes shared memory, maps it as code, and runs on as if nothing had been. */
static void makes_memory(const char *command, enum process_hold where)
{
	struct process *p = start(command, where);
	if (!p)
		return;
	int64_t fd = -1, at = -1, ret = 0;
	struct seen before, after;
	/* The call that it may be in has ended then. */
	CHECK(is_fine(CALL(p, &ret, SYS_getpid, 0)));
	CHECK_INT(ret, process_pid(p));
	see(p, &before);
	uint64_t name = stack_pointer(process_pid(p)) & ~15ull;
	uint64_t old[2];
	CHECK(process_read_word(process_pid(p), name - 4096, &old[0]));
	CHECK(process_read_word(process_pid(p), name - 4088, &old[1]));
	CHECK(is_fine(process_write(p, name - 4093, "agent-test", 11)));
	CHECK(is_fine(CALL(p, &fd, SYS_memfd_create, name - 4093, MFD_CLOEXEC)));
	CHECK(is_fine(process_write(p, name - 4096, old, sizeof(old))));
	CHECK(fd > 2);
	CHECK(is_fine(CALL(p, &ret, SYS_ftruncate, (uint64_t)fd, 8192)));
	CHECK_INT(ret, 0);
	CHECK(is_fine(CALL(p, &at, SYS_mmap, 0, 8192, PROT_READ | PROT_EXEC, MAP_SHARED,
			   (uint64_t)fd, 4096)));
	CHECK(at > 0 && maps(p, (uint64_t)at, "memfd:agent-test"));
	CHECK(is_fine(CALL(p, &ret, SYS_close, (uint64_t)fd)));
	CHECK(is_fine(CALL(p, &ret, SYS_close, (uint64_t)fd)));
	CHECK_INT(ret, -EBADF);
	CHECK(is_fine(CALL(p, &ret, SYS_mmap, 4096, 0, 0, 0, 0, 0)));
	CHECK_INT(ret, -EINVAL);
	see(p, &after);
	CHECK(!memcmp(&before, &after, sizeof(before)));
	CHECK(ends_well(p));
}

TEST(memory_is_made_at_each_moment)
{
	makes_memory("true", PROCESS_HOLD_EXEC);
	makes_memory("true", PROCESS_HOLD_POSTINIT);
	makes_memory("true", PROCESS_HOLD_MAIN);
	if (geteuid() == 0)
		makes_memory("true", PROCESS_HOLD_PREINIT);
	makes_memory("sh -c 'x=$(echo 3); test $x = 3'", PROCESS_HOLD_POSTINIT);
}

TEST(a_static_program_does_it_too)
{
	if (access("/sbin/ldconfig", X_OK) == 0)
		makes_memory("/sbin/ldconfig --version", PROCESS_HOLD_POSTINIT);
}

/* At its exec stop, nothing before: registers are those with which the program begins. */
TEST(the_program_begins_as_without_calls)
{
	struct process *plain = start("true", PROCESS_HOLD_EXEC);
	struct process *p = start("true", PROCESS_HOLD_EXEC);
	int64_t ret;
	struct seen first, second;
	CHECK(is_fine(CALL(p, &ret, SYS_getppid, 0)));
	CHECK_INT(ret, getpid());
	CHECK(is_fine(CALL(plain, &ret, SYS_getpid, 0)));
	see(p, &first);
	CHECK(is_fine(CALL(p, &ret, SYS_getpid, 0)));
	see(p, &second);
	CHECK(!memcmp(&first, &second, sizeof(first)));
	CHECK(ends_well(plain));
	CHECK(ends_well(p));
}

TEST(signals_wait)
{
	struct process *p = start("sleep 60", PROCESS_HOLD_POSTINIT);
	int64_t ret = 0;
	int status = 0;
	kill(process_pid(p), SIGUSR1);
	for (int i = 0; i < 20; i++) {
		CHECK(is_fine(CALL(p, &ret, SYS_getpid, 0)));
		CHECK_INT(ret, process_pid(p));
	}
	CHECK(is_fine(process_run(p)));
	while (!process_exited(p, &status))
		usleep(1000);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
	process_free(p);
}

static void on_signal(int number)
{
	(void)number;
}

/* In a copy of this program. */
__attribute__((constructor)) static void handle_signals(void)
{
	if (!getenv("CALL_TEST_HANDLES"))
		return;
	signal(SIGTRAP, on_signal);
	signal(SIGSYS, on_signal);
}

TEST(handlers_stay)
{
	char path[4096] = "";
	CHECK(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	setenv("CALL_TEST_HANDLES", "1", 1);
	struct process *p = start(path, PROCESS_HOLD_MAIN);
	unsetenv("CALL_TEST_HANDLES");
	int64_t ret = 0;
	CHECK(is_fine(CALL(p, &ret, SYS_getpid, 0)));
	char status[64];
	snprintf(status, sizeof(status), "/proc/%d/status", process_pid(p));
	FILE *f = fopen(status, "r");
	char line[256];
	unsigned long long caught = 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "SigCgt: %llx", &caught) == 1)
			break;
	fclose(f);
	CHECK(caught >> (SIGTRAP - 1) & 1 && caught >> (SIGSYS - 1) & 1);
	process_free(p);
}

TEST(a_stop_signal_stops_it_when_it_is_released)
{
	struct process *p = start("sleep 60", PROCESS_HOLD_POSTINIT);
	int64_t ret = 0;
	int status = 0, pid = process_pid(p);
	kill(pid, SIGSTOP);
	for (int i = 0; i < 3; i++)
		CHECK(is_fine(CALL(p, &ret, SYS_getpid, 0)));
	CHECK(is_fine(process_run(p)));
	CHECK(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
	process_kill(p);
	kill(pid, SIGKILL);
	process_free(p);
}

TEST(a_process_that_ends_is_an_error)
{
	int64_t ret = 77;
	struct process *p = start("true", PROCESS_HOLD_POSTINIT);
	CHECK(fails_with(CALL(p, &ret, SYS_exit_group, 3), "has ended"));
	int status = 0;
	CHECK(process_exited(p, &status) && WEXITSTATUS(status) == 3);
	CHECK(fails_with(CALL(p, &ret, SYS_getpid, 0), "is not held"));
	CHECK(fails_with(process_write(p, 4096, "x", 1), "is not held"));
	process_free(p);

	p = start("true", PROCESS_HOLD_EXEC);
	kill(process_pid(p), SIGKILL);
	CHECK(fails_with(CALL(p, &ret, SYS_getpid, 0), "has ended"));
	process_free(p);

	p = start("true", PROCESS_HOLD_EXEC);
	kill(process_pid(p), SIGKILL);
	CHECK(fails_with(process_write(p, 4096, "x", 1), "cannot write to process"));
	process_free(p);
	CHECK_INT(ret, 77);
}

TEST(code_is_written_in_a_private_copy)
{
	struct process *p = start("true", PROCESS_HOLD_EXEC);
	uint64_t at = program_counter(process_pid(p)), old, now;
	CHECK(process_read_word(process_pid(p), at, &old));
	CHECK(is_fine(process_write(p, at + 1, "\x90\x90\x90", 3)));
	CHECK(process_read_word(process_pid(p), at, &now));
	CHECK_INT((now ^ old) & 0xffffffff000000ff, 0);
	CHECK_INT(now >> 8 & 0xffffff, 0x909090);
	CHECK(is_fine(process_write(p, at, &old, sizeof(old))));
	CHECK(fails_with(process_write(p, 16, "abc", 3), "at 0x10: "));
	CHECK(ends_well(p));
}

/* getppid() is refused by a signal; the process then runs on. */
static void forbid_getppid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(code), code };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* RUN in a child of ours, whose checks count. */
static void in_child(void (*run)(void))
{
	fflush(stdout);
	int pid = fork(), status = -1;
	if (pid == 0) {
		test_failed_now = false;
		run();
		fflush(stdout);
		_exit(test_failed_now);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void refused(void)
{
	forbid_getppid();
	struct process *p = start("true", PROCESS_HOLD_POSTINIT);
	struct seen before, after;
	int64_t ret = 77;
	if (!p)
		return;
	see(p, &before);
	CHECK(fails_with(CALL(p, &ret, SYS_getppid, 0), "seccomp"));
	see(p, &after);
	CHECK(!memcmp(&before, &after, sizeof(before)));
	CHECK_INT(ret, 77);
	CHECK(is_fine(CALL(p, &ret, SYS_getpid, 0)));
	CHECK(ends_well(p));
}

TEST(a_filter_of_system_calls_is_named)
{
	in_child(refused);
}

static void as_nobody(void)
{
	CHECK(setgroups(0, NULL) == 0);
	CHECK(setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* as of a program that nobody has begun */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	makes_memory("true", PROCESS_HOLD_EXEC);
	makes_memory("true", PROCESS_HOLD_POSTINIT);
	if (access("/sbin/ldconfig", X_OK) == 0)
		makes_memory("/sbin/ldconfig --version", PROCESS_HOLD_POSTINIT);
}

TEST(no_privileges_are_needed)
{
	if (geteuid() == 0)
		in_child(as_nobody);
}

TEST_MAIN
