/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "revision.inc" /* made by the Makefile when it has changed */
#include "tracer/tracer.h"

static const char synopsis[] =
	" [-32|-64] [-aACeFGhHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]\n"
	"\t[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]\n"
	"\t[-x opt[=val]] [-X a|c|s|t]\n"
	"\n"
	"\t[-P provider [[ predicate ] action ]]\n"
	"\t[-m [ provider: ] module [[ predicate ] action ]]\n"
	"\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
	"\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
	"\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n"
	"\t--show=form [-o output] [-x show=@name] [file]\n"
	"\n"
	"\tpredicate -> '/' D-expression '/'\n"
	"\t   action -> '{' D-statements '}'\n"
	"\n";

static const struct row {
	char letter;
	const char *name;
	const char *takes;
	const char *in_a_word;
} rows[] = {
#define LETTER(letter, name, takes, option, in_a_word) { letter, name, takes, in_a_word },
#include "cmd/letter.def"
#undef LETTER
};

static void print_usage(FILE *f)
{
	fprintf(f, "Usage: %s%s", message_program(), synopsis);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		const char *rest = isdigit((unsigned char)row->letter) ? row->takes : "";
		auto_free char *name =
			mem_printf("%s%s", row->name ? "--" : "", row->name ? row->name : "");
		char letter[] = { '-', row->letter, 0 };
		fprintf(f, "\t%-2s%-3s %-15s %s\n", row->letter < ' ' ? "" : letter, rest, name,
			row->in_a_word);
	}
}

int usage(void)
{
	print_usage(stderr);
	return STATUS_USAGE;
}

void help(void)
{
	print_usage(stdout);
	printf("\nOptions of -x, #pragma D option and DTRACE_OPT_NAME:\n\n");
	options_describe(stdout);
}

void version(unsigned verbosity)
{
	printf("%s: D 2.0\n", message_program());
	if (!verbosity)
		return;

	struct utsname u;
	uname(&u);
	printf("Release:   " RELEASE "\n");
	printf("Revision:  " REVISION "\n");
	printf("Kernel:    %s %s\n", u.release, u.machine);
	printf("Type data: %s\n", access("/sys/kernel/btf/vmlinux", R_OK) == 0
					  ? "/sys/kernel/btf/vmlinux"
					  : "none (/sys/kernel/btf/vmlinux cannot be read)");
	printf("Features: ");
	tracer_describe_kernel(stdout);
	printf("\n");
}
