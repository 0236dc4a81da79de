/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"

struct words {
	VECTOR(char *) list;
};

static void add_symbols(struct words *w)
{
	static const char *const symbols[] = {
		"-D__linux",
		"-D__unix",
		"-D__SVR4",
		"-D__SUNW_D=1",
		"-D__SUNW_D_64",
		"-D__DTRACE__=1",
		"-U__GNUC__",
		/* else libc takes attributes away, and packed structs with them */
		"-D__clang__",
	};
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		vector_push(&w->list, mem_strdup(symbols[i]));
	for (const char *const *s = arch_host()->cpp_symbols; *s; s++)
		vector_push(&w->list, mem_strdup(*s));
	struct utsname u;
	uname(&u);
	vector_push(&w->list, mem_printf("-D__%s", u.sysname));
}

/* The version of D that the script is bound to: major 8 bits, minor 12, micro 12. */
static void add_version(struct words *w, const struct options *o)
{
	uint32_t version = (uint32_t)option_number(o, OPTION_version);
	vector_push(&w->list, mem_printf("-D__SUNW_D_VERSION=0x%08x",
					 version ? version : OPTION_VERSION_MOST));
}

static void add_list(struct words *w, const struct options *o, enum option id, const char *prefix)
{
	size_t count;
	const char *const *values = option_list(o, id, &count);
	for (size_t i = 0; i < count; i++)
		vector_push(&w->list, mem_printf("%s%s", prefix, values[i]));
}

/* "file.h" is searched next to the script; the preprocessor itself reads only standard input. */
static void add_script_folder(struct words *w, const char *path)
{
	const char *slash = strrchr(path, '/');
	vector_push(&w->list, mem_strdup("-iquote"));
	vector_push(&w->list,
		    slash ? mem_strndup(path, (size_t)(slash - path) + 1) : mem_strdup("."));
}

static void words_of_options(struct words *w, const struct options *o, const char *path)
{
	vector_push(&w->list, mem_strdup(option_text(o, OPTION_cpppath)));
	bool traditional = string_equal(option_text(o, OPTION_stdc), "s");
	vector_push(&w->list, mem_strdup(traditional ? "-traditional-cpp" : "-std=c99"));
	/* Only -Xc asks headers for no more than the standard has. */
	if (!string_equal(option_text(o, OPTION_stdc), "c"))
		vector_push(&w->list, mem_strdup("-D_DEFAULT_SOURCE"));
	if (option_number(o, OPTION_cpphdrs))
		vector_push(&w->list, mem_strdup("-H"));
	add_symbols(w);
	add_version(w, o);
	add_list(w, o, OPTION_define, "-D");
	add_list(w, o, OPTION_undef, "-U");
	add_list(w, o, OPTION_incdir, "-I");
	add_script_folder(w, path);
	add_list(w, o, OPTION_cppargs, "");
	vector_push(&w->list, mem_strdup("-"));
	vector_push(&w->list, NULL);
}

/* `# 1 "PATH"`, as a string of C. */
static void add_line_marker(const char *path, struct strbuf *input)
{
	strbuf_puts(input, "# 1 \"");
	for (const char *c = path; *c; c++)
		strbuf_printf(input, strchr("\"\\\n", *c) ? "\\%03o" : "%c", (unsigned char)*c);
	strbuf_puts(input, "\"\n");
}

/* A file without a name that has TEXT under PATH's name, without the contents of a "#!" line. */
static struct error *input_of_text(const char *path, const struct strbuf *text, int *ret)
{
	auto_close int fd = memfd_create("script", MFD_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "cannot make a temporary file for the preprocessor");

	const char *body = strbuf_text(text);
	if (strncmp(body, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
		body += 3;
	if (strncmp(body, "#!", 2) == 0)
		body += strcspn(body, "\n");
	auto_strbuf struct strbuf input = { 0 };
	add_line_marker(path, &input);
	strbuf_add(&input, body, text->len - (size_t)(body - strbuf_text(text)));

	int errnum = fd_write_all(fd, &input);
	if (errnum)
		return error_sys(errnum, "cannot write a temporary file for the preprocessor");
	lseek(fd, 0, SEEK_SET);
	*ret = take_fd(fd);
	return NULL;
}

static struct error *preprocessor_start(char *const *words, int input, int output, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	int status = posix_spawnp(ret, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);

	switch (status) {
	case 0:
		return NULL;
	case ENOENT:
		return error_new("Preprocessor not found (%s): install cpp or set -x cpppath",
				 words[0]);
	case EAGAIN:
	case ENOMEM:
		return error_sys(status, "Failed to fork preprocessor");
	default:
		return error_sys(status, "Failed to exec preprocessor %s", words[0]);
	}
}

static struct error *read_and_wait(pid_t pid, int fd, struct strbuf *ret)
{
	fd_read_all(fd, SIZE_MAX, ret);
	int status;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return error_new("Preprocessor failed to process input program");
	return NULL;
}

struct error *cpp_run(const struct options *o, const char *path, const struct strbuf *text,
		      struct strbuf *ret)
{
	auto_close int input = -1;
	struct error *err = input_of_text(path, text, &input);
	if (err)
		return err;

	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_sys(errno, "cannot make a pipe to the preprocessor");
	auto_close int output = ends[0];

	struct words words = { 0 };
	words_of_options(&words, o, path);
	pid_t pid;
	err = preprocessor_start(words.list.items, input, ends[1], &pid);
	close(ends[1]);
	for (size_t i = 0; i < words.list.count; i++)
		free(words.list.items[i]);
	vector_free(&words.list);
	if (err)
		return err;
	return read_and_wait(pid, output, ret);
}
