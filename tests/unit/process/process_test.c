/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/open_files.h"
#include "process/process_internal.h"
#include "test.h"

/* Nothing here may hang: a test that waits for longer than this is broken. */
__attribute__((constructor)) static void limit_time(void)
{
	alarm(300);
}

static bool ends_soon(struct process *p)
{
	struct pollfd f = { .fd = process_poll_fd(p), .events = POLLIN };
	return poll(&f, 1, 60000) == 1 && process_exited(p, NULL);
}

static bool maps_file(int pid, const char *part)
{
	struct mapping *list;
	size_t count;
	bool found = false;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return false;
	for (size_t i = 0; i < count; i++)
		found |= list[i].executable && strstr(list[i].path, part) != NULL;
	process_mappings_free(list, count);
	return found;
}

/* The state letter of /proc/PID/stat; 0: gone. */
static char state_of(int pid)
{
	char path[64], text[512] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	auto_fclose FILE *f = fopen(path, "re");
	if (!f || !fgets(text, sizeof(text), f) || !strrchr(text, ')'))
		return 0;
	return strrchr(text, ')')[2];
}

TEST(commands_are_split_as_a_shell_does)
{
	char **w = NULL;
	CHECK(command_split(" a 'b c'  \"d\\\"e\\x\" f\\ g''h ", &w) == NULL);
	CHECK_STR(w[0], "a");
	CHECK_STR(w[1], "b c");
	CHECK_STR(w[2], "d\"e\\x");
	CHECK_STR(w[3], "f gh");
	CHECK(w[4] == NULL);
	command_free(w);

	static const char *const wrong[][2] = {
		{ "", "no command" },
		{ "a 'b", "a quote (') is not closed" },
		{ "a \\", "nothing follows the last backslash" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct error *err = command_split(wrong[i][0], &w);
		CHECK(err && string_equal(error_text(err), wrong[i][1]));
		error_free(err);
	}
}

TEST(commands_are_split_at_blanks_only_when_quotes_are_ordinary)
{
	char **w = NULL;
	CHECK(command_split_at_blanks(" a 'b c' \\ ", &w) == NULL);
	CHECK_STR(w[0], "a");
	CHECK_STR(w[1], "'b");
	CHECK_STR(w[2], "c'");
	CHECK_STR(w[3], "\\");
	CHECK(w[4] == NULL);
	command_free(w);
}

TEST(lines_of_maps)
{
	struct mapping m;
	const char *line = "7f00000-7f10000 r-xp 00001000 fd:1a 1234    /tmp/a b (deleted)";
	CHECK(mapping_parse(line, strlen(line), &m));
	CHECK_INT(m.start, 0x7f00000);
	CHECK_INT(m.end, 0x7f10000);
	CHECK_INT(m.offset, 0x1000);
	CHECK(m.readable && !m.writable && m.executable && !m.shared);
	CHECK_INT(m.dev_major, 0xfd);
	CHECK_INT(m.inode, 1234);
	CHECK_STR(m.path, "/tmp/a b (deleted)");
	free(m.path);
	for (size_t cut = 0; cut < 36; cut++)
		CHECK(!mapping_parse(line, cut, &m));
	CHECK(!mapping_parse("2-1 r-xp 0 0:0 0", 16, &m));
	CHECK(!mapping_parse("10000000000000000-2 r-xp 0 0:0 0", 32, &m));
}

TEST(preinit_has_libraries_and_has_done_nothing)
{
	char path[] = "/tmp/process_test_XXXXXX";
	close(mkstemp(path));
	unlink(path);
	auto_free char *command = mem_printf("touch %s", path);
	struct process *p = NULL;
	auto_error struct error *err = process_create(NULL, command, PROCESS_HOLD_PREINIT, &p);
	CHECK_STR(err ? error_text(err) : "", "");
	if (err)
		return;
	CHECK(process_is_created(p));
	CHECK(maps_file(process_pid(p), "libc"));
	CHECK(access(path, F_OK) != 0);
	CHECK(!process_exited(p, NULL));
	CHECK(process_run(p) == NULL);
	int status = -1;
	CHECK(ends_soon(p) && process_exited(p, &status));
	CHECK_INT(status, 0);
	CHECK(access(path, F_OK) == 0);
	unlink(path);
	process_free(p);
}

#define BLOCK 4096

static bool same_block(int memory, uint64_t address, int file, uint64_t offset)
{
	char now[BLOCK], then[BLOCK];
	ssize_t n = pread(file, then, sizeof(then), (off_t)offset);
	return n > 0 && pread(memory, now, (size_t)n, (off_t)address) == n &&
	       memcmp(now, then, (size_t)n) == 0;
}

/* Blocks of PID's code that differ from those of the files; *BLOCKS: how many were compared. */
static size_t changed_code(int pid, size_t *blocks)
{
	struct mapping *list;
	size_t count, changed = 0;
	*blocks = 0;
	CHECK(process_mappings(pid, &list, &count) == NULL);
	auto_close int memory = process_open_memory(pid);
	for (size_t i = 0; i < count; i++) {
		const struct mapping *m = &list[i];
		if (!m->executable || m->path[0] != '/')
			continue;
		auto_close int file = mapping_open(pid, m);
		for (uint64_t at = 0; at < m->end - m->start; at += BLOCK) {
			changed += !same_block(memory, m->start + at, file, m->offset + at);
			++*blocks;
		}
	}
	process_mappings_free(list, count);
	return changed;
}

/* The kernel removes what stopped it a moment later. */
TEST(a_held_process_has_its_code_unchanged)
{
	for (int where = PROCESS_HOLD_PREINIT; where <= PROCESS_HOLD_MAIN; where++) {
		struct process *p = NULL;
		size_t blocks = 0;
		CHECK(process_create(NULL, "true", (enum process_hold)where, &p) == NULL);
		for (int i = 0; i < 1000 && changed_code(process_pid(p), &blocks); i++)
			usleep(10000);
		CHECK_INT(changed_code(process_pid(p), &blocks), 0);
		CHECK(blocks > 10);
		process_free(p);
	}
}

/* A process that will exit with N. */
static struct process *held_at(enum process_hold where, int n)
{
	auto_free char *command = mem_printf("sh -c 'exit %d'", n);
	struct process *p = NULL;
	struct error *err = process_create(NULL, command, where, &p);
	CHECK_STR(err ? error_text(err) : "", "");
	return p;
}

static void ends_with(struct process *p, int n)
{
	int status = -1;
	CHECK(process_run(p) == NULL);
	CHECK(ends_soon(p) && process_exited(p, &status));
	CHECK(WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), n);
	process_free(p);
}

TEST(a_process_runs_from_each_hold)
{
	for (int where = PROCESS_HOLD_EXEC; where <= PROCESS_HOLD_MAIN; where++)
		ends_with(held_at((enum process_hold)where, where + 3), where + 3);
}

/* Nothing stops it, so it arrives at the false entry, and runs on from the true one. */
TEST(a_false_entry_stops_a_process_that_nothing_else_stops)
{
	struct false_entry entry;
	int status = 0;
	struct process *p = held_at(PROCESS_HOLD_EXEC, 5);
	int pid = process_pid(p);
	CHECK(false_entry_set(pid, &entry));
	CHECK_INT(entry.value, process_auxiliary(pid, AT_ENTRY));
	CHECK(hold_resume(p, 0, &status));
	CHECK_INT(WSTOPSIG(status), SIGSEGV);
	CHECK_INT(program_counter(pid), false_address(process_word(pid)));
	CHECK(false_entry_pass(&entry));
	ends_with(p, 5);
}

/* At its exec stop the linker has copied nothing. */
TEST(a_false_entry_without_copies_stays)
{
	static const struct memory_ranges none;
	struct false_entry entry;
	uint64_t value = 0;
	struct process *p = held_at(PROCESS_HOLD_EXEC, 0);
	CHECK(false_entry_set(process_pid(p), &entry));
	CHECK(!false_entry_clear(&entry, &none));
	CHECK(peek(process_pid(p), entry.place, entry.word, &value));
	CHECK_INT(value, false_address(entry.word));
	process_free(p);
}

TEST(exec_has_no_libraries_yet)
{
	struct process *p = NULL;
	CHECK(process_create(NULL, "sh -c 'exit 3'", PROCESS_HOLD_EXEC, &p) == NULL);
	CHECK(!maps_file(process_pid(p), "libc"));
	CHECK(maps_file(process_pid(p), "ld-linux"));
	CHECK(process_run(p) == NULL);
	int status = -1;
	CHECK(ends_soon(p) && process_exited(p, &status));
	CHECK_INT(WEXITSTATUS(status), 3);
	process_free(p);
}

TEST(the_limit_of_open_files_is_the_one_that_we_found)
{
	struct rlimit before;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit) { 64, before.rlim_max }), 0);
	CHECK(open_files_allow(100));
	struct process *p = NULL;
	CHECK(process_create(NULL, "sh -c 'exit $(ulimit -n)'", PROCESS_HOLD_EXEC, &p) == NULL);
	CHECK(process_run(p) == NULL);
	int status = -1;
	CHECK(ends_soon(p) && process_exited(p, &status));
	CHECK_INT(WEXITSTATUS(status), 64);
	process_free(p);
	setrlimit(RLIMIT_NOFILE, &before);
}

TEST(exec_errors_are_reported)
{
	struct process *p = NULL;
	struct error *err = process_create(NULL, "/no/such/program x", PROCESS_HOLD_PREINIT, &p);
	CHECK_STR(error_text(err), "failed to execute /no/such/program: No such file or directory");
	error_free(err);
	err = process_create(NULL, "/etc/passwd", PROCESS_HOLD_EXEC, &p);
	CHECK_STR(error_text(err), "failed to execute /etc/passwd: Permission denied");
	error_free(err);
	err = process_create(NULL, "'", PROCESS_HOLD_EXEC, &p);
	CHECK_STR(error_text(err), "failed to execute ': a quote (') is not closed");
	error_free(err);
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* Make an executable file that begins with TEXT; the caller frees its path. */
static char *executable(const char *text)
{
	char *path = mem_strdup("/tmp/dtrace-process-test-XXXXXX");
	int fd = mkstemp(path);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(fd, 0755) == 0);
	close(fd);
	return path;
}

TEST(missing_interpreter_is_reported)
{
	auto_free char *script = executable("#! /no/such/shell -e\necho\n");
	struct process *p = NULL;
	struct error *err = process_create(NULL, script, PROCESS_HOLD_EXEC, &p);
	auto_free char *wanted = mem_printf("failed to execute %s: its interpreter /no/such/shell: "
					    "No such file or directory",
					    script);
	CHECK_STR(err ? error_text(err) : "", wanted);
	error_free(err);
	/* found by PATH, too */
	setenv("PATH", "/nowhere::/tmp:/usr/bin", 1);
	err = process_create(NULL, script + strlen("/tmp/"), PROCESS_HOLD_EXEC, &p);
	CHECK(err && strstr(error_text(err), ": its interpreter /no/such/shell: "));
	error_free(err);
	unlink(script);
}

TEST(death_while_held_is_reported)
{
	struct process *p = NULL;
	CHECK(process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p) == NULL);
	kill(process_pid(p), SIGKILL);
	CHECK(ends_soon(p));
	struct error *err = process_run(p);
	CHECK(err == NULL); /* it is no longer held: its end has been reported */
	int status = 0;
	CHECK(process_exited(p, &status));
	CHECK_INT(WTERMSIG(status), SIGKILL);
	process_free(p);

	CHECK(process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p) == NULL);
	kill(process_pid(p), SIGKILL);
	struct pollfd f = { .fd = process_poll_fd(p), .events = POLLIN };
	CHECK(poll(&f, 1, 60000) == 1);
	err = process_run(p);
	CHECK(err != NULL);
	error_free(err);
	process_free(p);
}

TEST(only_what_we_created_is_killed)
{
	struct process *p = NULL, *grabbed = NULL;
	CHECK(process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p) == NULL);
	CHECK(process_run(p) == NULL);
	CHECK(process_grab(process_pid(p), &grabbed) == NULL);
	process_kill(grabbed);
	CHECK(!process_exited(p, NULL));
	process_kill(p);
	CHECK(ends_soon(p));
	CHECK(process_exited(grabbed, NULL));
	int pid = process_pid(p);
	process_free(p);
	process_free(grabbed);

	auto_free char *wanted = mem_printf("failed to grab pid %d: No such process", pid);
	struct error *err = process_grab(pid, &grabbed);
	CHECK_STR(error_text(err), wanted);
	error_free(err);
	err = process_grab(-1, &grabbed);
	CHECK(err != NULL);
	error_free(err);
}

TEST(freeing_a_held_process_ends_it)
{
	struct process *p = NULL;
	CHECK(process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p) == NULL);
	int pid = process_pid(p);
	process_free(p);
	CHECK(kill(pid, 0) < 0 && errno == ESRCH);
}

/* A holder that is killed with -9 leaves neither a stopped process nor a traced one. */
TEST(our_death_leaves_nothing_stopped)
{
	int fds[2];
	CHECK(pipe(fds) == 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	int holder = fork();
	if (holder == 0) {
		struct process *p = NULL;
		if (process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p))
			_exit(1);
		int pid = process_pid(p);
		if (write(fds[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		for (;;)
			pause();
	}
	close(fds[1]);
	int pid = 0;
	CHECK(read(fds[0], &pid, sizeof(pid)) == sizeof(pid));
	close(fds[0]);
	CHECK_INT(state_of(pid), 't');
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
	/* It is ours now, as we adopt orphans: its end can be waited for. */
	int status = 0;
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* What probes and symbols call the module. */
TEST(base_names)
{
	static const char *const names[][2] = {
		{ "/usr/lib/libc.so.6", "libc.so.6" },
		{ "/tmp/gone (deleted)", "gone" },
		{ "/memfd:name (deleted)", "name" },
		{ "/memfd:a:b", "a:b" },
		{ "/tmp/memfd:name", "memfd:name" },
		{ "/memfd:a/b (deleted)", "b" },
		{ "[vdso]", "[vdso]" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len;
		const char *base = mapping_base_name(names[i][0], &len);
		auto_free char *name = mem_strndup(base, len);
		CHECK_STR(name, names[i][1]);
	}
}

static uint64_t base_of(void *opened)
{
	struct link_map *map = NULL;
	CHECK(opened && dlinfo(opened, RTLD_DI_LINKMAP, &map) == 0);
	return map ? map->l_addr : 1;
}

static int link_map_of(uint64_t base)
{
	struct link_maps *maps = process_link_maps(getpid());
	int ret = link_maps_find(maps, base);
	link_maps_free(maps);
	return ret;
}

/* The C library, and once more into a link map of its own. */
TEST(link_maps_that_have_an_object)
{
	void *here = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	if (!here)
		SKIP("needs glibc as libc.so.6");
	CHECK_INT(link_map_of(base_of(here)), 0);
	CHECK_INT(link_map_of(1), -1);
	void *there = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
	CHECK(base_of(there) != base_of(here));
	struct r_debug *lists = &_r_debug;
	if (lists->r_version >= 2) { /* glibc 2.35 */
		CHECK_INT(link_map_of(base_of(there)), 1);
		CHECK_INT(link_map_of(base_of(here)), 0);
	}
	dlclose(there);
	dlclose(here);
}

TEST_MAIN
