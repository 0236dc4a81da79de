/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/letter.h"

#include <getopt.h> /* its struct option is why this file includes nothing of the tracer's */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/nearest.h"

static const struct letter {
	char letter;
	const char *name;
	bool takes_argument;
	const char *option;
} letters[] = {
#define LETTER(letter, name, takes, option, in_a_word) { letter, name, takes != NULL, option },
#include "cmd/letter.def"
#undef LETTER
};

#define LETTERS (sizeof(letters) / sizeof(letters[0]))

/* The leading "-" has getopt give us words in their place, as option 1; ":" has it say nothing. */
static void make_letters(char text[static 2 * LETTERS + 3])
{
	*text++ = '-';
	*text++ = ':';
	for (size_t i = 0; i < LETTERS; i++) {
		if (letters[i].letter < ' ')
			continue;
		*text++ = letters[i].letter;
		if (letters[i].takes_argument)
			*text++ = ':';
	}
	*text = 0;
}

static void make_names(struct option names[static LETTERS + 1])
{
	for (size_t i = 0; i < LETTERS; i++)
		if (letters[i].name)
			*names++ = (struct option) { letters[i].name, letters[i].takes_argument,
						     NULL, letters[i].letter };
	*names = (struct option) { 0 };
}

void letter_begin(void)
{
	optind = 0; /* makes glibc read POSIXLY_CORRECT and "-" again */
}

int letter_next(int argc, char **argv)
{
	char text[2 * LETTERS + 3];
	struct option names[LETTERS + 1];
	make_letters(text);
	make_names(names);
	return getopt_long(argc, argv, text, names, NULL);
}

static const struct letter *letter_find(int letter)
{
	for (size_t i = 0; i < LETTERS; i++)
		if (letters[i].letter == letter)
			return &letters[i];
	return NULL;
}

static bool name_is_ambiguous(const char *word)
{
	size_t len = strcspn(word, "="), count = 0;
	for (size_t i = 0; i < LETTERS; i++)
		count += letters[i].name && strncmp(letters[i].name, word, len) == 0;
	return count > 1;
}

/* WORD begins with "--". */
static char *unknown_name(const char *word)
{
	auto_free char *name = mem_strndup(word + 2, strcspn(word + 2, "="));
	struct nearest nearest = nearest_to(name);
	for (size_t i = 0; i < LETTERS; i++)
		nearest_try(&nearest, letters[i].name);
	return nearest.best ? mem_printf("unrecognized option '%s' (did you mean --%s?)", word,
					 nearest.best)
			    : mem_printf("unrecognized option '%s'", word);
}

/* getopt sets optopt to 0 for names that it does not know, and else to the letter. */
char *letter_mistake(int answer, char **argv)
{
	const char *word = argv[optind - 1];
	bool is_name = strncmp(word, "--", 2) == 0;
	const struct letter *known = letter_find(optopt);
	if (answer == ':' && is_name)
		return mem_printf("option '--%s' requires an argument", known->name);
	if (answer == ':')
		return mem_printf("option requires an argument -- '%c'", optopt);
	if (!optopt && name_is_ambiguous(word + 2))
		return mem_printf("option '%s' is ambiguous", word);
	if (!optopt)
		return unknown_name(word);
	if (known)
		return mem_printf("option '--%s' takes no argument", known->name);
	return mem_printf("invalid option -- '%c'", optopt);
}

const char *letter_option(char letter)
{
	const struct letter *known = letter_find(letter);
	return known ? known->option : NULL;
}
