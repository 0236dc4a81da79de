/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that the kernel's JIT compiler does not translate are not run.  The kernel is a fake
 * here: bpf(2) loads anything, and translates programs up to `jit_limit` instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/internal.h"
#include "test.h"

static uint32_t jit_limit;   /* 0: the JIT is off */
static uint32_t sizes[1024]; /* of the programs, by descriptor */
static unsigned loads;

static long fake_load(const union bpf_attr *attr)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sizes[fd] = attr->insn_cnt;
	loads++;
	return fd;
}

static long fake_info(const union bpf_attr *attr)
{
	struct bpf_prog_info *info = (void *)(uintptr_t)attr->info.info;
	uint32_t count = sizes[attr->info.bpf_fd];
	info->xlated_prog_len = count * (uint32_t)sizeof(struct bpf_insn);
	info->jited_prog_len = count <= jit_limit ? 4 * count : 0;
	return 0;
}

/* Overrides libc's. */
long syscall(long number, ...)
{
	va_list ap;
	va_start(ap, number);
	int command = va_arg(ap, int);
	const union bpf_attr *attr = va_arg(ap, void *);
	va_end(ap);
	if (number == SYS_bpf && command == BPF_PROG_LOAD)
		return fake_load(attr);
	if (number == SYS_bpf && command == BPF_OBJ_GET_INFO_BY_FD)
		return fake_info(attr);
	errno = ENOSYS;
	return -1;
}

/* A program of COUNT instructions: the descriptor, -1 and *ERR. */
static int load(uint32_t count, struct error **err)
{
	static const struct executor_options options;
	auto_free struct bpf_insn *code = mem_zalloc(count * sizeof(*code));
	const struct group_code group = { .code = code, .count = count };
	const struct linker k = { .options = &options, .group = &group };
	struct prog_request request = { .name = "clauses", .code = code, .count = count };
	int prog = -1;
	*err = verify_load(&k, &request, &prog);
	return prog;
}

static bool loads_under(uint32_t limit, uint32_t count)
{
	auto_error struct error *err = NULL;
	jit_limit = limit;
	auto_close int prog = load(count, &err);
	return prog >= 0 && !err;
}

static int next_descriptor(void)
{
	auto_close int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fd;
}

static bool refused_in_words(uint32_t limit, uint32_t count)
{
	auto_error struct error *err = NULL;
	int before = next_descriptor();
	jit_limit = limit;
	CHECK_INT(load(count, &err), -1);
	CHECK(err && strstr(error_text(err), "the clauses here are 5001 instructions, too many for "
					     "the kernel's JIT compiler"));
	CHECK_INT(next_descriptor(), before); /* nothing stays open */
	return !test_failed_now;
}

static bool asks_nothing_more(uint32_t limit, uint32_t count)
{
	return loads_under(limit, count) && loads == 1;
}

/* Whether the JIT is on is queried once in a process: each result comes from a new one. */
static bool in_a_child(bool (*answer)(uint32_t, uint32_t), uint32_t limit, uint32_t count)
{
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		bool yes = answer(limit, count);
		fflush(stdout);
		_exit(yes ? 0 : 1);
	}
	int status = -1;
	waitpid(child, &status, 0);
	return status == 0;
}

TEST(a_program_that_the_jit_gave_up_is_refused)
{
	CHECK(in_a_child(refused_in_words, 5000, 5001));
}

TEST(while_all_are_translated_no_other_program_is_loaded)
{
	CHECK(in_a_child(asks_nothing_more, 5000, 5000));
}

TEST(without_a_jit_short_programs_run)
{
	CHECK(in_a_child(loads_under, 0, 1000));
	CHECK(in_a_child(loads_under, 0, 32767));
}

/* A call between functions could be longer than the 16 bits that the interpreter reads. */
TEST(without_a_jit_long_programs_are_refused)
{
	CHECK(!in_a_child(loads_under, 0, 32768));
}

TEST_MAIN
