/* SPDX-License-Identifier: BSD-2-Clause */
#include "sema/name/builtin.h"

#define ATTRIBUTES_STABLE                                                                          \
	{                                                                                          \
		.own = { STABILITY_STABLE, STABILITY_STABLE, CLASS_COMMON }                        \
	}
#define ATTRIBUTES_EVOLVING                                                                        \
	{                                                                                          \
		.own = { STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_COMMON }                    \
	}
#define ATTRIBUTES_KERNEL_DATA                                                                     \
	{                                                                                          \
		.own = { STABILITY_STABLE, STABILITY_PRIVATE, CLASS_COMMON }                       \
	}
#define ATTRIBUTES_OF(part_name)                                                                   \
	{                                                                                          \
		.is_of_part = true, .part = PART_OF_##part_name                                    \
	}

const struct builtin_row builtin_rows[BUILTIN_COUNT] = {
#define VARIABLE(name, type, since, attributes, what)                                              \
	{ #name, type, since, PURITY_PURE, ATTRIBUTES_##attributes },
#include "sema/name/builtin.def"
#undef VARIABLE
};

const struct builtin_row subroutine_rows[SUBROUTINE_COUNT] = {
#define SUBROUTINE(name, prototype, since, attributes, purity, what)                               \
	{ #name, prototype, since, PURITY_##purity, ATTRIBUTES_##attributes },
#define HIDDEN(name, prototype, what)                                                              \
	{ "[" #name "]", prototype, DT_1_0, PURITY_PURE, ATTRIBUTES_STABLE },
#include "sema/name/builtin.def"
#undef SUBROUTINE
#undef HIDDEN
};

struct word {
	const char *name;
	uint32_t since;
};

static const struct word words[] = {
#define VARIABLE(name, type, since, attributes, what) { #name, since },
#define SUBROUTINE(name, prototype, since, attributes, purity, what) { #name, since },
#define ACTION(name, kind, prototype, least, most, since, what) { #name, since },
#define LIBRARY(name, since, type, what) { #name, since },
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  since, prototype, what)                                                          \
	{ #name, since },
#include "abi/aggregate.def"
#include "sema/name/builtin.def"
#undef VARIABLE
#undef SUBROUTINE
#undef ACTION
#undef LIBRARY
#undef AGGREGATE
}, library[] = {
#define LIBRARY(name, since, type, what) { #name, since },
#include "sema/name/builtin.def"
#undef LIBRARY
};

static uint32_t since_among(const struct word *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (string_equal(list[i].name, name))
			return list[i].since;
	return 0;
}

enum subroutine subroutine_find(const char *name)
{
	unsigned i = 0;
	while (i < SUBROUTINE_COUNT && !string_equal(subroutine_rows[i].name, name))
		i++;
	return (enum subroutine)i;
}

bool builtin_is_library(const char *name)
{
	return since_among(library, ARRAY_SIZE(library), name);
}

uint32_t builtin_since(const char *name)
{
	return since_among(words, ARRAY_SIZE(words), name);
}

/* --- calls that are statements ---------------------------------------------------------------- */

#define ANY UINT32_MAX

const struct action_row *action_find(const char *name)
{
	static const struct action_row actions[] = {
#define ACTION(name, kind, prototype, least, most, ...) { #name, kind, least, most },
#include "sema/name/builtin.def"
#undef ACTION
	};
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (string_equal(actions[i].name, name))
			return &actions[i];
	return NULL;
}

static const char *const verbs[] = {
#define SPECULATION(name, prototype, what) [VERB_##name] = #name,
#include "sema/name/builtin.def"
#undef SPECULATION
};

bool speculation_find(const char *name, enum speculation_verb *verb)
{
	for (unsigned i = 0; i < ARRAY_SIZE(verbs); i++)
		if (string_equal(verbs[i], name)) {
			*verb = (enum speculation_verb)i;
			return true;
		}
	return false;
}

const char *speculation_name(enum speculation_verb verb)
{
	return verbs[verb];
}

bool destructive_is_name(const char *name)
{
	enum subroutine which = subroutine_find(name);
	return which != SUBROUTINE_COUNT && subroutine_rows[which].purity >= PURITY_DESTRUCTIVE;
}

bool aggregator_find(const char *name, enum aggregate *function)
{
	for (unsigned i = 0; i < AGGREGATE_KINDS; i++)
		if (string_equal(aggregate_row(i)->name, name)) {
			*function = i;
			return true;
		}
	return false;
}

bool action_has_value(enum action_kind kind)
{
	return kind == ACTION_STACK || kind == ACTION_USTACK || kind == ACTION_SYMBOL;
}

bool action_is_call(const struct node *n)
{
	enum speculation_verb verb;
	if (n->kind != NODE_CALL || n->call.callee->kind != NODE_IDENT)
		return false;
	const char *name = n->call.callee->ident.name;
	return action_find(name) || speculation_find(name, &verb) || destructive_is_name(name);
}

bool action_is_void(const struct node *n)
{
	if (!action_is_call(n))
		return false;
	const struct action_row *row = action_find(n->call.callee->ident.name);
	return !row || !action_has_value(row->kind);
}
