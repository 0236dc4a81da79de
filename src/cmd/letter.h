/* SPDX-License-Identifier: BSD-2-Clause */
/* letter - the letters of the command line and their long names (letter.def) */
#ifndef CMD_LETTER_H
#define CMD_LETTER_H

/* The result of letter_next() for a word that is not an option. */
#define LETTER_NONE 1

#define LETTER_TOP '\2'	 /* --top */
#define LETTER_CORE '\3' /* --core */
#define LETTER_ON '\4'
#define LETTER_ON_FILE '\5'
#define LETTER_AGENT '\6'

/* A new command line follows. */
void letter_begin(void);

/* As getopt(3), with long names, and with words in their places: the next letter, LETTER_NONE, '?'
 * or ':' (letter_mistake() says why), or -1 at the end; optarg, optopt and optind are set. */
int letter_next(int argc, char **argv);

/* Why letter_next() returned ANSWER, '?' or ':'; the caller frees it. */
char *letter_mistake(int answer, char **argv);

/* The -x option that LETTER means, or NULL. */
const char *letter_option(char letter);

#endif
