/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/letter.h"

#include <getopt.h> /* its struct option is why this file includes nothing of the tracer's */
#include <stdbool.h>
#include <stddef.h>

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

/* The leading "-" has getopt give us words in their place, as option 1. */
static void make_letters(char text[static 2 * LETTERS + 2])
{
	*text++ = '-';
	for (size_t i = 0; i < LETTERS; i++) {
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
	char text[2 * LETTERS + 2];
	struct option names[LETTERS + 1];
	make_letters(text);
	make_names(names);
	return getopt_long(argc, argv, text, names, NULL);
}

const char *letter_option(char letter)
{
	for (size_t i = 0; i < LETTERS; i++)
		if (letters[i].letter == letter)
			return letters[i].option;
	return NULL;
}
