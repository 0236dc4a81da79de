/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MOST (64u << 20) /* bytes of saved programs that we read */

int anonymous_check(const struct arguments *a)
{
	if (a->mode == MODE_ANONYMOUS && a->processes.count)
		return fatal("-%c has no meaning with -A: when the programs are enabled, its "
			     "process will have ended",
			     a->processes.items[0].letter);
	return STATUS_OK;
}

/* --- the file -------------------------------------------------------------------------------- */

static struct error *make_folders(const char *file)
{
	auto_free char *path = mem_strdup(file);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return error_sys(errno, "cannot make %s", path);
		*slash = '/';
	}
	return NULL;
}

/* The folder of FILE, which make_folders() made, if nothing is in it any more. */
static void folder_remove(const char *file)
{
	auto_free char *path = mem_strdup(file);
	*strrchr(path, '/') = 0;
	rmdir(path);
}

/* The programs in the file will run with our rights: no other user may have written it. */
static struct error *check_writers(const char *file, const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return error_new("%s is not a regular file", file);
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return error_new("%s belongs to user %u, and its programs would run as %s: if they "
				 "are what you want, chown it to yourself",
				 file, st->st_uid, geteuid() ? "you" : "root");
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return error_new("others may write %s, and its programs would run as %s: if they "
				 "are what you want, chmod go-w it",
				 file, geteuid() ? "you" : "root");
	return NULL;
}

/* To be run: the permissions are those of the opened file, not of the name. */
static struct error *read_trusted(const char *file, struct strbuf *ret)
{
	auto_close int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_sys(errno, "cannot open %s", file);
	struct error *err = check_writers(file, &st);
	int errnum = err ? 0 : fd_read_all(fd, FILE_MOST, ret);
	return errnum ? error_sys(errnum, "cannot read %s", file) : err;
}

/* A file that is not there holds nothing. */
static struct error *read_saved(const char *file, struct strbuf *ret)
{
	struct stat st;
	if (stat(file, &st) < 0)
		return errno == ENOENT ? NULL : error_sys(errno, "cannot look at %s", file);
	if (!S_ISREG(st.st_mode))
		return error_new("%s is not a regular file", file);
	return file_read(file, FILE_MOST, ret);
}

/* Its programs will run with our rights: it is ours alone. */
static struct error *saved_file_replace(const char *file, const struct strbuf *text)
{
	int errnum = file_replace(file, text, 0600);
	return errnum ? error_sys(errnum, "failed to open output file '%s'", file) : NULL;
}

/* What others wrote into the file is saved in REST.  Sets *FOUND if there are programs of ours,
 * too. */
static struct error *read_rest(const char *file, struct strbuf *rest, bool *found)
{
	auto_strbuf struct strbuf text = { 0 };
	struct error *err = read_saved(file, &text);
	if (!err)
		err = tracer_prune_saved(&text, rest, found);
	return err ? error_wrap(err, "failed to open output file '%s'", file) : NULL;
}

/* The file becomes TEXT; without any it goes away. */
static struct error *write_saved(const char *file, const struct strbuf *text)
{
	if (text->len)
		return saved_file_replace(file, text);
	return unlink(file) < 0 ? error_sys(errno, "cannot remove %s", file) : NULL;
}

/* What else the default FILE has. */
static struct error *clean_up(const char *file)
{
	bool found;
	struct error *err = boot_unit_remove(&found);
	if (!err && found)
		message("cleaned up boot unit %s", BOOT_UNIT_PATH);
	folder_remove(file);
	return err;
}

/* --- -A -------------------------------------------------------------------------------------- */

static struct error *announce(const char *file, bool is_ours)
{
	char whole[PATH_MAX];
	if (!realpath(file, whole))
		return error_sys(errno, "cannot find %s", file);
	if (!is_ours || !boot_unit_is_possible()) {
		message("have an early service run '%s -x anonfile=%s -x anon=run' to enable "
			"changes",
			message_program(), whole);
		return NULL;
	}
	struct error *err = boot_unit_write(whole);
	if (err)
		return err;
	message("added boot unit %s", BOOT_UNIT_PATH);
	message("run 'systemctl daemon-reload && systemctl restart %s' or reboot to enable changes",
		BOOT_UNIT_NAME);
	return NULL;
}

/* Programs of an earlier -A go away as the new ones come: in one step, so that the old file stays
 * where the new one finds no room. */
static struct error *save(struct tracer *t, const char *file, bool is_ours, bool programs)
{
	auto_strbuf struct strbuf saved = { 0 }, text = { 0 };
	bool found = false;
	struct error *err = programs ? tracer_save(t, &saved) : NULL;
	if (!err)
		err = read_rest(file, &text, &found);
	strbuf_add(&text, strbuf_text(&saved), saved.len);
	if (!err && programs && is_ours)
		err = make_folders(file);
	if (!err && (programs || found))
		err = write_saved(file, &text);
	if (err)
		return err;
	if (found)
		message("cleaned up old anonymous enabling in %s", file);
	if (programs) {
		message("saved anonymous enabling in %s", file);
		return announce(file, is_ours);
	}
	return is_ours ? clean_up(file) : NULL;
}

int anonymous_save(struct tracer *t, const struct arguments *a)
{
	const char *file = a->output;
	if (!file)
		file = option_text(tracer_options(t), OPTION_anonfile);
	bool is_ours = !a->output && !option_is_set(tracer_options(t), OPTION_anonfile);
	struct error *err = save(t, file, is_ours, a->programs.count > 0);
	return err ? fatal_error(err) : STATUS_OK;
}

/* --- -x anon ---------------------------------------------------------------------------------- */

enum { ANON_NONE, ANON_RUN, ANON_STOP }; /* in the order of option.def */

bool anonymous_is_asked(const struct tracer *t)
{
	return option_number(tracer_options(t), OPTION_anon) != ANON_NONE;
}

/* anonpin without slashes after it; the caller frees it. */
static char *pins_of(const struct tracer *t)
{
	char *pins = mem_strdup(option_text(tracer_options(t), OPTION_anonpin));
	for (size_t len = strlen(pins); len > 1 && pins[len - 1] == '/'; len--)
		pins[len - 1] = '\0';
	return pins;
}

void anonymous_renew(struct tracer **t, char **pins)
{
	*pins = pins_of(*t);
	signals_forget();
	tracer_free(*t);
	*t = tracer_new();
}

static int programs_run(struct tracer **t)
{
	auto_free char *file = mem_strdup(option_text(tracer_options(*t), OPTION_anonfile));
	auto_strbuf struct strbuf text = { 0 };
	struct error *err = read_trusted(file, &text);
	if (err)
		return fatal_error(err);
	auto_free char *pins = NULL;
	anonymous_renew(t, &pins);
	err = tracer_leave(*t, &text, pins);
	if (err)
		return fatal_error(error_wrap(err, "%s", file));
	if (!tracer_option_is_set(*t, "quiet"))
		message("anonymous tracing is running: %s -a claims it", message_program());
	return STATUS_OK;
}

static int tracing_stop(const struct tracer *t)
{
	auto_free char *pins = pins_of(t);
	bool found;
	struct error *err = tracer_stop_anonymous(pins, &found);
	if (err)
		return fatal_error(err);
	return found ? STATUS_OK : fatal("No anonymous tracing state");
}

int anonymous_control(struct tracer **t, const struct arguments *a)
{
	const struct options *o = tracer_options(*t);
	if (a->mode != MODE_TRACE || a->programs.count || a->processes.count)
		return fatal("-x anon=%s takes neither programs nor processes: -A saves programs",
			     option_text(o, OPTION_anon));
	if (option_number(o, OPTION_anon) == ANON_STOP)
		return tracing_stop(*t);
	return programs_run(t);
}
