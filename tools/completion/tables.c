/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion-tables bash|zsh|fish - the tables of the command line, for a shell's completion
 *
 * Printed before dtrace.bash, _dtrace or dtrace.fish, so that the completion has each letter,
 * option and provider of the command.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct letter {
	char letter;
	const char *name, *takes, *text;
} letters[] = {
#define LETTER(letter, name, takes, option, text) { letter, name, takes, text },
#include "cmd/letter.def"
#undef LETTER
};

static const struct option {
	const char *name, *type, *allowed, *text;
} options[] = {
#define OPTION(name, kind, type, initial, allowed, state, text) { #name, #type, allowed, text },
#include "tracer/option/option.def"
#undef OPTION
};

static const char *const providers[] = {
#define PROVIDER(name, file) #name,
#define LATER_PROVIDER(name)
#include "provider/provider.def"
#undef LATER_PROVIDER
#undef PROVIDER
};

/* Providers as data. */
static const char *const formulas[] = {
#define FORMULA(name, ...) #name,
#include "embedded_providers.inc"
#undef FORMULA
};

#define ZSH_ESCAPED "[]:\\"
#define FISH_ESCAPED "'\\"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Text within single quotes; zsh also reads brackets and colons in it, fish escapes. */
static void put(const char *text, const char *escaped)
{
	for (; *text; text++)
		if (strchr(escaped, *text))
			printf("\\%c", *text);
		else if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
}

static int takes_value(const struct option *o)
{
	return strcmp(o->type, "FLAG") != 0;
}

/* Calls EACH for the words that a choice allows, or once with none. */
static void for_values(const struct option *o,
		       void (*each)(const struct option *o, const char *value))
{
	char words[256];
	if (strcmp(o->type, "CHOICE") != 0) {
		each(o, "");
		return;
	}
	snprintf(words, sizeof(words), "%s", o->allowed);
	for (char *save, *word = strtok_r(words, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		each(o, word);
}

static void put_bash_option(const struct option *o, const char *value)
{
	printf(" %s%s%s", o->name, takes_value(o) ? "=" : "", value);
}

static void put_zsh_option(const struct option *o, const char *value)
{
	printf("\t'%s%s%s:", o->name, takes_value(o) ? "=" : "", value);
	put(o->text, ZSH_ESCAPED);
	puts("'");
}

static int is_provider(const char *name)
{
	for (size_t i = 0; i < COUNT(providers); i++)
		if (!strcmp(providers[i], name))
			return 1;
	return 0;
}

/* Each name once.  A name with an underscore is a second half of a provider (process_watch). */
static void put_providers(void)
{
	for (size_t i = 0; i < COUNT(providers); i++)
		if (!strchr(providers[i], '_'))
			printf(" %s", providers[i]);
	for (size_t i = 0; i < COUNT(formulas); i++)
		if (!is_provider(formulas[i]))
			printf(" %s", formulas[i]);
}

static int is_digit_letter(const struct letter *l)
{
	return isdigit((unsigned char)l->letter);
}

static int has_no_letter(const struct letter *l)
{
	return l->letter < ' ';
}

static void bash(void)
{
	fputs("_dtrace_letters='", stdout);
	for (size_t i = 0; i < COUNT(letters); i++)
		if (is_digit_letter(&letters[i]))
			printf(" -%c%s", letters[i].letter, letters[i].takes);
		else if (has_no_letter(&letters[i]))
			printf(" --%s", letters[i].name);
		else
			printf(" -%c --%s", letters[i].letter, letters[i].name);
	fputs(" --help'\n_dtrace_options='", stdout);
	for (size_t i = 0; i < COUNT(options); i++)
		for_values(&options[i], put_bash_option);
	fputs("'\n_dtrace_providers='", stdout);
	put_providers();
	puts("'");
}

/* The kind of a letter's argument: the part of the specification that names the function for it. */
static const char *zsh_action(char letter)
{
	switch (letter) {
	case 'x':
		return "_dtrace_options";
	case 'n':
	case 'P':
	case 'm':
	case 'f':
		return "_dtrace_probes";
	case 'p':
		return "_dtrace_processes";
	case 'c':
		return "_command_names -e";
	case 's':
		return "_dtrace_scripts";
	case 'o':
		return "_files";
	case 'I':
	case 'L':
		return "_files -/";
	default:
		return "";
	}
}

static void zsh(void)
{
	puts("#compdef dtrace\nlocal -a _dtrace_specs _dtrace_option_list _dtrace_provider_list\n"
	     "_dtrace_specs=(");
	for (size_t i = 0; i < COUNT(letters); i++) {
		const struct letter *l = &letters[i];
		if (is_digit_letter(l))
			printf("\t'-%c%s[", l->letter, l->takes);
		else if (has_no_letter(l))
			printf("\t'--%s[", l->name);
		else
			printf("\t'*'{-%c%s,--%s%s}'[", l->letter, l->takes ? "+" : "", l->name,
			       l->takes ? "=" : "");
		put(l->text, ZSH_ESCAPED);
		fputs("]", stdout);
		if (l->takes && !is_digit_letter(l)) {
			fputs(":", stdout);
			put(l->takes, ZSH_ESCAPED);
			printf(":%s", zsh_action(l->letter));
		}
		puts("'");
	}
	puts("\t'--help[print all letters and options]'\n)\n_dtrace_option_list=(");
	for (size_t i = 0; i < COUNT(options); i++)
		for_values(&options[i], put_zsh_option);
	fputs(")\n_dtrace_provider_list=(", stdout);
	put_providers();
	puts(" )");
}

static void put_fish_option(const struct option *o, const char *value)
{
	printf(" \\\n\t\t'%s%s%s' '", o->name, takes_value(o) ? "=" : "", value);
	put(o->text, FISH_ESCAPED);
	fputs("'", stdout);
}

/* What completes a letter's argument: options of fish's command `complete`. */
static const char *fish_argument(char letter)
{
	switch (letter) {
	case 'x':
		return "-x -a '(__dtrace_options)'";
	case 'n':
	case 'm':
	case 'f':
		return "-x -a '(__dtrace_probes)'";
	case 'P':
		return "-x -a '(__dtrace_providers)'";
	case 'p':
		return "-x -a '(__fish_complete_pids)'";
	case 'c':
		return "-x -a '(__fish_complete_command)'";
	case 's':
		return "-r -F -a '(__dtrace_tools)'";
	case 'o':
		return "-r -F";
	case 'I':
	case 'L':
		return "-x -a '(__fish_complete_directories)'";
	default:
		return "-x";
	}
}

static void fish(void)
{
	for (size_t i = 0; i < COUNT(letters); i++) {
		const struct letter *l = &letters[i];
		fputs("complete -c dtrace", stdout);
		if (is_digit_letter(l))
			printf(" -o %c%s", l->letter, l->takes);
		else if (has_no_letter(l))
			printf(" -l %s", l->name);
		else
			printf(" -s %c -l %s", l->letter, l->name);
		if (l->takes && !is_digit_letter(l))
			printf(" %s", fish_argument(l->letter));
		fputs(" -d '", stdout);
		put(l->text, FISH_ESCAPED);
		puts("'");
	}
	fputs("complete -c dtrace -l help -d 'print all letters and options'\n"
	      "function __dtrace_options\n\tprintf '%s\\t%s\\n'",
	      stdout);
	for (size_t i = 0; i < COUNT(options); i++)
		for_values(&options[i], put_fish_option);
	fputs("\nend\nfunction __dtrace_providers\n\tprintf '%s\\n'", stdout);
	put_providers();
	puts("\nend");
}

static const struct {
	const char *name;
	void (*print)(void);
} shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

int main(int argc, char **argv)
{
	for (size_t i = 0; i < COUNT(shells) && argc == 2; i++)
		if (strcmp(argv[1], shells[i].name) == 0) {
			shells[i].print();
			return fflush(stdout) || ferror(stdout);
		}
	fprintf(stderr, "usage: completion-tables bash|zsh|fish\n");
	return 2;
}
