/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FORM [--show=@NAME] [--labels=[@NAME=]LABEL,LABEL] [--series=NUMBER] [FILE] - draw FILE, the
 * standard input without one, on standard output
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <sys/prctl.h>

#include "show/show.h"

static int show_usage(void)
{
	fprintf(stderr, "usage: %s [--show=@NAME] [OPTION...] [FILE]\n", form.name);
	return 2;
}

static bool take_option(struct show *s, int option, const char *value)
{
	switch (option) {
	case 's':
		s->wanted = value + (*value == '@');
		if (!*s->wanted)
			s->wanted = "_"; /* the aggregation without a name */
		return true;
	case 'l':
		vector_push(&s->labels, value);
		return true;
	case 'n':
		s->series_most = strtoul(value, NULL, 10);
		return true;
	case 'e':
		s->endpoint = value;
		return true;
	case 'p':
		s->push_ns = strtoull(value, NULL, 10);
		return true;
	default:
		return false;
	}
}

/* The words after the options; -1: they are wrong. */
static int take_options(struct show *s, int argc, char **argv)
{
	static const struct option options[] = { { "show", required_argument, NULL, 's' },
						 { "labels", required_argument, NULL, 'l' },
						 { "series", required_argument, NULL, 'n' },
						 { "endpoint", required_argument, NULL, 'e' },
						 { "pushrate", required_argument, NULL, 'p' },
						 { 0 } };
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
		if (!take_option(s, c, optarg))
			return -1;
	return argc - optind > 1 ? -1 : optind;
}

int main(int argc, char **argv)
{
	struct show s = { .form = &form };
	prctl(PR_SET_DUMPABLE, 0); /* other processes of nobody must not look into us */
	message_init(form.name);
	int words = take_options(&s, argc, argv);
	if (words < 0)
		return show_usage();
	auto_close int file = words < argc ? open(argv[words], O_RDONLY | O_CLOEXEC) : -1;
	auto_error struct error *err = NULL;
	if (words < argc && file < 0)
		err = error_sys(errno, "cannot open %s", argv[words]);
	else
		err = show_draw(&s, words < argc ? file : STDIN_FILENO, stdout);
	for (size_t i = 0; i < s.notes.count; i++)
		message_loss("%s", s.notes.items[i]);
	show_deinit(&s);
	if (err)
		message("%s", error_text(err));
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
