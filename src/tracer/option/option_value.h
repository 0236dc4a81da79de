/* SPDX-License-Identifier: BSD-2-Clause */
/* option_value - values after "name=", as numbers; their forms are in option.h */
#ifndef TRACER_OPTION_OPTION_VALUE_H
#define TRACER_OPTION_OPTION_VALUE_H

#include "base/base.h"

enum option_type {
	FLAG,
	BOOL,
	INT,
	SIZE,
	RATE,
	TIME,
	TEXT,
	LIST,
	SETTINGS,
	WORDS,
	CHOICE,
	PERCENTS,
	VERSION,
	ATTRIBUTES,
	TARGET
};

/* TEXT as a number of this TYPE; false: it is not a number. */
bool option_value_number(enum option_type type, const char *text, uint64_t *ret);
/* Move *NUMBER into ALLOWED, "LEAST..MOST" or NULL. */
void option_value_limit(enum option_type type, const char *allowed, uint64_t *number);

bool option_value_means_yes(const char *text);
bool option_value_means_no(const char *text);

/* "1.2.3" as 0x01002003, as __SUNW_D_VERSION has it; false: not a version. */
bool option_value_version(const char *text, uint64_t *ret);

/* The index of WORD, of LEN bytes, among the words of LIST, or -1. */
int option_value_place(const char *list, const char *word, size_t len);

/* The values that such an option accepts, for messages: "on or off", "one of: exec preinit".  Into
 * RET. */
void option_value_wanted(enum option_type type, const char *allowed, struct strbuf *ret);

/* NUMBER of an INT, SIZE, RATE or TIME in the largest unit of which it is a multiple.  Into RET. */
void option_value_print(enum option_type type, uint64_t number, struct strbuf *ret);

#endif
