/* SPDX-License-Identifier: BSD-2-Clause */
/* command - actions that do something here: system(), freopen(), ftruncate(), setopt() */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/internal.h"

#define GO_ON_MS 1 /* between looks at what the command, or another process, has mapped */

/*
 * What the command executes is new to us, and must be traced while it runs.  Without a pidfd
 * (kernels before 5.3) tracing goes on after its end.  A second ^C ends the waiting.
 */
static struct error *wait_for_command(struct output *o, pid_t pid)
{
	const volatile sig_atomic_t *interrupts = o->setup.interrupts;
	auto_close int pidfd = o->setup.go_on ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };
	struct error *err = NULL;
	while (pidfd >= 0 && !err && poll(&ended, 1, GO_ON_MS) <= 0) {
		if (interrupts && *interrupts >= 2)
			return NULL;
		err = o->setup.go_on(o->setup.arg);
	}
	while (!err && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		if (interrupts && *interrupts >= 2)
			return NULL;
	return err;
}

/*
 * Not system(3), which ignores SIGINT while it waits: a ^C ends the command (it has our
 * terminal) and then tracing; a second one ends the waiting.
 */
struct error *command_system(struct output *o, const struct record *r, const struct prepared *p)
{
	const volatile sig_atomic_t *interrupts = o->setup.interrupts;
	if (interrupts && *interrupts >= 2)
		return NULL; /* the one before has ended by itself */
	auto_free char *text = printf_text(o, p, &(struct arguments) { .record = r });
	writer_flush(&o->file);
	pid_t pid;
	int errnum = program_start((const char *[]) { "/bin/sh", "-c", text, NULL }, NULL,
				   o->setup.command_fd, &pid);
	if (errnum) {
		message_library_fault(o, r, "couldn't run \"%s\": %s", text, strerror(errnum));
		return NULL;
	}
	return wait_for_command(o, pid);
}

static void output_goes_to(struct output *o, int fd, char *name)
{
	writer_flush(&o->file);
	if (o->file.errnum) { /* it is reported with the name of the file that failed */
		if (fd >= 0)
			close(fd);
		free(name);
		return;
	}
	if (o->reopened_fd >= 0)
		close(o->reopened_fd);
	free(o->reopened_name);
	o->reopened_fd = fd;
	o->packets_begun = false;
	o->reopened_name = name;
	writer_set_fd(&o->file, fd >= 0 ? fd : o->setup.fd);
	o->file_name = fd >= 0 ? name : o->setup.fd_name;
}

void command_freopen(struct output *o, const struct record *r, const struct prepared *p)
{
	auto_free char *name = printf_text(o, p, &(struct arguments) { .record = r });
	if (!*name) {
		if (o->reopened_fd >= 0)
			output_goes_to(o, -1, NULL);
		return;
	}
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		message_library_fault(o, r, "couldn't freopen() \"%s\": %s", name, strerror(errno));
	else
		output_goes_to(o, fd, take(name));
}

void command_ftruncate(struct output *o)
{
	struct stat about;
	writer_flush(&o->file);
	if (fstat(o->file.fd, &about) < 0 || !S_ISREG(about.st_mode))
		return;
	o->packets_begun = false;
	if (ftruncate(o->file.fd, 0) == 0)
		lseek(o->file.fd, 0, SEEK_SET);
}

static char *command_field_text(const struct output *o, const struct record *r,
				const struct value_field *f)
{
	struct value v = value_of_record(o, r, f);
	return mem_strndup((const char *)v.bytes, v.size);
}

void command_setopt(struct output *o, const struct record *r, const struct action_layout *action)
{
	if (action->field_count == 0)
		return;
	auto_free char *name = command_field_text(o, r, &action->fields[0]);
	auto_free char *value = action->field_count > 1
					? command_field_text(o, r, &action->fields[1])
					: mem_strdup("1");
	const char *problem = "it cannot be changed";
	if (o->setup.set_option)
		problem = o->setup.set_option(o->setup.arg, name, value);
	if (problem)
		message_library_fault(o, r, "couldn't set option \"%s\" to \"%s\": %s", name, value,
				      problem);
}
