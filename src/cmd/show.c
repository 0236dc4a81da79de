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
	const char *form, *output, *aggregation;
};

bool saved_is_wanted(const char *word)
{
	return strncmp(word, FLAG, strlen(FLAG)) == 0;
}

/* -x TEXT */
static bool saved_take_setting(struct saved *s, const char *text)
{
	bool is_show = strncmp(text, "show=", strlen("show=")) == 0;
	if (is_show)
		s->aggregation = text + strlen("show=");
	else
		fatal("--show reads what was traced: -x %s has no effect", text);
	return is_show;
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

int show_saved(int argc, char **argv)
{
	struct saved s = { .form = argv[1] + strlen(FLAG) };
	if (!saved_take_options(&s, argc, argv)) {
		fatal("usage: %s --show=FORM [-o OUTPUT] [-x show=@NAME] [FILE]",
		      message_program());
		return STATUS_USAGE;
	}
	const char *path = optind < argc ? argv[optind] : NULL;
	auto_close int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (path && file < 0)
		return fatal("cannot open %s: %s", path, strerror(errno));
	struct error *err =
		tracer_show(s.form, s.aggregation, path ? file : STDIN_FILENO, s.output);
	return err ? fatal_error(err) : STATUS_OK;
}
