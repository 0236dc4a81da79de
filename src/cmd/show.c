/* SPDX-License-Identifier: BSD-2-Clause */
/* dtrace --show=FORM [-o OUTPUT] [-x show=@NAME] [FILE] - draw what was traced before */
#include "cmd/command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tracer/tracer.h"

#define FLAG "--show="

struct saved {
	struct options *options;
	const char *output;
};

bool saved_is_wanted(const char *word)
{
	return strncmp(word, FLAG, strlen(FLAG)) == 0;
}

/* -x TEXT */
static bool saved_take_setting(struct saved *s, const char *text)
{
	static const char *const names[] = { "show", "labels", "series" };
	auto_free char *name = mem_strndup(text, strcspn(text, "="));
	const char *value = text[strlen(name)] ? text + strlen(name) + 1 : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!string_equal(name, names[i]))
			continue;
		const char *why = options_set(s->options, name, value, OPTION_BY_COMMAND);
		if (why)
			fatal("failed to set -x %s: %s", text, why);
		return !why;
	}
	fatal("--show reads what was traced: -x %s has no effect", text);
	return false;
}

/* The words after --show=FORM. */
static bool saved_take_options(struct saved *s, int argc, char **argv)
{
	optind = 2;
	for (int c; (c = getopt(argc, argv, "o:x:")) != -1;) {
		if (c == 'o')
			s->output = optarg;
		else if (c != 'x' || !saved_take_setting(s, optarg))
			return false;
	}
	return argc - optind <= 1;
}

static int saved_draw(struct saved *s, const char *form, int argc, char **argv)
{
	const char *why = options_set(s->options, "oformat", form, OPTION_BY_COMMAND);
	if (why)
		return fatal("--show=%s: %s", form, why);
	if (!saved_take_options(s, argc, argv)) {
		fatal("usage: %s --show=FORM [-o OUTPUT] [-x show=@NAME] [FILE]",
		      message_program());
		return STATUS_USAGE;
	}
	const char *path = optind < argc ? argv[optind] : NULL;
	auto_close int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (path && file < 0)
		return fatal("cannot open %s: %s", path, strerror(errno));
	struct error *err = tracer_show(s->options, path ? file : STDIN_FILENO, s->output);
	return err ? fatal_error(err) : STATUS_OK;
}

int show_saved(int argc, char **argv)
{
	struct saved s = { options_new(), NULL };
	int status = saved_draw(&s, argv[1] + strlen(FLAG), argc, argv);
	options_free(s.options);
	return status;
}
