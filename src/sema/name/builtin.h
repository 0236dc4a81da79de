/* SPDX-License-Identifier: BSD-2-Clause */
/* builtin - the rows of builtin.def */
#ifndef SEMA_BUILTIN_H
#define SEMA_BUILTIN_H

#include "sema/typed.h"

/* A version of D, as named by -xversion and pragmas; versions are ordered by this number. */
#define VERSION(major, minor, micro) ((uint32_t)(major) << 24 | (minor) << 12 | (micro))
enum {
	DT_1_0 = VERSION(1, 0, 0),
	DT_1_1 = VERSION(1, 1, 0),
	DT_1_2 = VERSION(1, 2, 0),
	DT_1_3 = VERSION(1, 3, 0),
	DT_1_5 = VERSION(1, 5, 0),
	DT_1_6 = VERSION(1, 6, 0),
	DT_1_6_4 = VERSION(1, 6, 4),
	DT_1_8 = VERSION(1, 8, 0),
	DT_1_9 = VERSION(1, 9, 0),
	DT_1_10 = VERSION(1, 10, 0),
	DT_1_11 = VERSION(1, 11, 0),
	DT_1_14 = VERSION(1, 14, 0),
	DT_2_0_1 = VERSION(2, 0, 1),
};

enum purity { PURITY_PURE, PURITY_ONCE, PURITY_DESTRUCTIVE, PURITY_IMPOSSIBLE };

struct builtin_attributes {
	struct attributes own;
	bool is_of_part; /* the attributes are those of PART of the probe's provider */
	enum provider_part part;
};

struct builtin_row {
	const char *name;
	const char *type; /* of a subroutine: its prototype */
	uint32_t since;
	enum purity purity;
	struct builtin_attributes attributes;
};

extern const struct builtin_row builtin_rows[BUILTIN_COUNT];
extern const struct builtin_row subroutine_rows[SUBROUTINE_COUNT];

/* The subroutine NAME, or SUBROUTINE_COUNT. */
enum subroutine subroutine_find(const char *name);
/* Does a file of dlib/ define this variable? */
bool builtin_is_library(const char *name);
/* The version that introduced NAME, a built-in or a name of our libraries; 0: another name. */
uint32_t builtin_since(const char *name);

/* An action that records data or is for the consumer. */
struct action_row {
	const char *name;
	enum action_kind kind;
	unsigned least, most; /* arguments */
};
const struct action_row *action_find(const char *name); /* or NULL */
bool action_has_value(enum action_kind kind);		/* stack(), sym() and similar ones */
bool speculation_find(const char *name, enum speculation_verb *verb);
const char *speculation_name(enum speculation_verb verb);
/* Is it stop(), raise() or a similar action, which records nothing? */
bool destructive_is_name(const char *name);
bool aggregator_find(const char *name, enum aggregate *function);
/* Is this expression the call of one of these, aggregating functions excepted? */
bool action_is_call(const struct node *n);
/* Is N the call of an action that has no value, as stack() and sym() have? */
bool action_is_void(const struct node *n);

#endif
