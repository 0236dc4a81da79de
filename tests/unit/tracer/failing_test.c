/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole life of a tracer (start, attach, run, end) under a kernel whose n-th call fails, for each
 * n: it does not crash, it leaves nothing open, and it says one thing.  B=asan adds: it leaks
 * nothing.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "test.h"
#include "tracer/fake_kernel.h"
#include "tracer/tracer.h"

static const struct traced {
	const char *script;
	const char *command;	/* -c */
	const char *options[4]; /* name, value ... */
} traced[] = {
	{ "BEGIN { x = 1; } ERROR { trace(arg4); }"
	  "syscall::read:entry { self->t = timestamp; @[execname] = quantize(arg2); }"
	  "syscall::openat:entry { printf(\"%s\", copyinstr(arg1)); this->s = speculation(); }"
	  "syscall::read:return /self->t/ { a[pid] = self->t; self->t = 0; stack(); }"
	  "tick-10 { @ticks = count(); trunc(@); } profile-97 { @cpu[ustack()] = count(); }"
	  "END { printa(@); trace(x); }",
	  NULL,
	  { "nspec", "2" } },
	{ "pid$target:libc.so.6:malloc:entry { @[ustack()] = count(); trace(vtimestamp); }"
	  "pid$target:libc.so.6:malloc:return { trace(arg1); }",
	  "/bin/true",
	  { "bufpolicy", "ring", "bufsize", "1m" } },
};

/* What became of a life. */
#define LIFE_WELL 0
#define LIFE_ERROR 1
#define LIFE_LEAKS 2

static unsigned open_files(void)
{
	unsigned count = 0;
	for (int fd = 3; fd < FAKE_FILES; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static struct error *live(struct tracer *t, const struct traced *what)
{
	struct tracer_program p = { .kind = PROGRAM_NAME,
				    .name = what->script,
				    .text = what->script,
				    .len = strlen(what->script) };
	struct error *refused = what->command ? tracer_create_process(t, what->command) : NULL;
	if (refused)
		return refused;
	if (!tracer_compile(t, &p))
		return error_new("mistakes");
	struct error *err = tracer_go(t);
	if (err)
		return err;
	int status;
	tracer_interrupt(t, false);
	return tracer_run(t, &status);
}

static int one_life(const struct traced *what)
{
	unsigned before = open_files();
	struct tracer *t = tracer_new();
	auto_close int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	tracer_set_output(t, null, "/dev/null");
	tracer_set_option(t, "quiet", NULL);
	for (unsigned i = 0; i < ARRAY_SIZE(what->options) && what->options[i]; i += 2)
		tracer_set_option(t, what->options[i], what->options[i + 1]);
	auto_error struct error *err = live(t, what);
	if (err)
		message("%s", error_text(err));
	tracer_free(t);
	unsigned kept = open_files() - before - 1;
	if (kept)
		message("%u files are left open", kept);
	return kept ? LIFE_LEAKS : err ? LIFE_ERROR : LIFE_WELL;
}

struct life {
	int status; /* of the process */
	unsigned lines, calls, loads, refusals;
	char said[4096];
};

static void count_lines(struct life *l, int fd)
{
	ssize_t len = pread(fd, l->said, sizeof(l->said) - 1, 0);
	l->said[len > 0 ? len : 0] = 0;
	for (const char *s = l->said; *s; s++)
		l->lines += *s == '\n';
}

/* In a process, because features of the kernel are queried once in each. */
static struct life life(const struct traced *what, unsigned n, int errnum)
{
	struct life ret = { 0 };
	unsigned *counts = mmap(NULL, 3 * sizeof(*counts), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	FILE *said = tmpfile();
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(60);
		dup2(fileno(said), STDERR_FILENO);
		fclose(said);
		fake.fails = n;
		fake.errnum = errnum;
		int status = one_life(what);
		counts[0] = fake.calls;
		counts[1] = fake.loads;
		counts[2] = fake.refusals;
		exit(status);
	}
	waitpid(pid, &ret.status, 0);
	count_lines(&ret, fileno(said));
	ret.calls = counts[0];
	ret.loads = counts[1];
	ret.refusals = counts[2];
	munmap(counts, 3 * sizeof(*counts));
	fclose(said);
	return ret;
}

static bool is_reported(const struct life *l, int errnum)
{
	return l->lines == 1 && strncmp(l->said, "dtrace: ", 8) == 0 &&
	       strstr(l->said, strerrordesc_np(errnum));
}

static void check_life(const struct traced *what, unsigned n, int errnum)
{
	struct life l = life(what, n, errnum);
	bool well = WIFEXITED(l.status) && WEXITSTATUS(l.status) == LIFE_WELL && l.lines <= 1;
	bool error = WIFEXITED(l.status) && WEXITSTATUS(l.status) == LIFE_ERROR;
	if (getenv("FAKE_SHOW"))
		printf("%u %s: %d %s", n, strerrorname_np(errnum), WEXITSTATUS(l.status),
		       *l.said ? l.said : "\n");
	if (well || (error && is_reported(&l, errnum)))
		return;
	printf("call %u, %s: status %#x, said:\n%s", n, strerrorname_np(errnum), l.status, l.said);
	test_failed_now = true;
}

TEST(a_kernel_that_takes_all_is_traced_in_silence)
{
	for (unsigned i = 0; i < ARRAY_SIZE(traced); i++) {
		struct life l = life(&traced[i], 0, 0);
		CHECK_INT(l.status, 0);
		CHECK_STR(l.said, "");
		CHECK(l.calls > 30);
	}
}

/* All ways to fail for each call take a minute: FAKE_ALL=1.  Else one of them each, in turn. */
TEST(each_call_may_fail)
{
	static const int errnums[] = { ENOMEM, EPERM, EINVAL };
	for (unsigned i = 0; i < ARRAY_SIZE(traced); i++) {
		unsigned calls = life(&traced[i], 0, 0).calls;
		for (unsigned n = 1; n <= calls; n++)
			for (unsigned j = 0; j < ARRAY_SIZE(errnums); j++)
				if (n % ARRAY_SIZE(errnums) == j || getenv("FAKE_ALL"))
					check_life(&traced[i], n, errnums[j]);
	}
}

/* COUNT clauses of CLAUSE, then the clause LAST, under a kernel of programs of at most MOST
 * instructions. */
static struct life life_of_clauses(const char *clause, unsigned count, const char *last,
				   unsigned most)
{
	auto_strbuf struct strbuf script = { 0 };
	for (unsigned i = 0; i < count; i++)
		strbuf_puts(&script, clause);
	strbuf_puts(&script, last);
	struct traced what = { strbuf_text(&script), NULL, { "nspec", "1" } };
	fake.most = most;
	struct life l = life(&what, 0, 0);
	fake.most = 0;
	return l;
}

#define ADDS "BEGIN { this->n++; a[1] += this->n; b[2] += this->n; c[3] += this->n; }"

TEST(a_program_that_the_verifier_refuses_is_split_and_loaded_again)
{
	struct life whole = life_of_clauses(ADDS, 20, "END { exit(0); }", 0);
	CHECK_INT(whole.refusals, 0);
	for (unsigned most = 2000; most >= 800; most -= 400) {
		struct life l = life_of_clauses(ADDS, 20, "END { exit(0); }", most);
		CHECK_STR(l.said, "");
		CHECK_INT(l.status, 0);
		CHECK(l.refusals > 0);
		CHECK(l.loads > whole.loads);
	}
}

#define TEN(x) x x x x x x x x x x

TEST(a_clause_that_is_too_large_by_itself_is_refused_once)
{
	struct life l = life_of_clauses(ADDS, 3, "BEGIN { " TEN(TEN("a[1] += pid; ")) "}", 1000);
	CHECK_INT(WEXITSTATUS(l.status), LIFE_ERROR);
	CHECK_INT(l.lines, 1);
	CHECK(strstr(l.said, "too many for the kernel's verifier"));
	/* Four times, first with all clauses, then in smaller parts; each once more for the log. */
	CHECK_INT(l.refusals, 8);
}

TEST_MAIN
