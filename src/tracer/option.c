/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/option.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

enum option_kind { COMPILE, CONTEXT, RUN, DYNAMIC };
enum option_type { FLAG, BOOL, INT, SIZE, RATE, TEXT, LIST, CHOICE };
enum option_state { WORKS, IGNORED, LATER };

static const struct row {
	const char *name;
	enum option_kind kind;
	enum option_type type;
	const char *initial;
	const char *allowed;
	enum option_state state;
	const char *meaning;
} rows[] = {
#define OPTION(name, kind, type, initial, allowed, state, meaning)                                 \
	{ #name, kind, type, initial, allowed, state, meaning },
#include "tracer/option.def"
#undef OPTION
};

struct value {
	uint64_t number;
	bool set;	      /* by somebody, not the initial value */
	VECTOR(char *) texts; /* TEXT, CHOICE: at most one */
};

struct options {
	struct value values[OPTION_COUNT];
	char complaint[128];
};

static const char bad_value[] = "Invalid value for specified option";

static void value_clear(struct value *v)
{
	for (size_t i = 0; i < v->texts.count; i++)
		free(v->texts.items[i]);
	vector_free(&v->texts);
	*v = (struct value) { 0 };
}

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit size_units[] = {
	{ "", 1 },	     { "k", 1ULL << 10 }, { "m", 1ULL << 20 },
	{ "g", 1ULL << 30 }, { "t", 1ULL << 40 },
};

#define SECOND 1000000000ULL
#define PER_SECOND 0 /* the number is a frequency */
static const struct unit rate_units[] = {
	{ "", 1 },
	{ "ns", 1 },
	{ "nsec", 1 },
	{ "us", 1000 },
	{ "usec", 1000 },
	{ "ms", 1000000 },
	{ "msec", 1000000 },
	{ "s", SECOND },
	{ "sec", SECOND },
	{ "m", 60 * SECOND },
	{ "min", 60 * SECOND },
	{ "h", 3600 * SECOND },
	{ "hour", 3600 * SECOND },
	{ "d", 86400 * SECOND },
	{ "day", 86400 * SECOND },
	{ "hz", PER_SECOND },
};

static const struct unit no_units[] = { { "", 1 } };

static bool number_with_unit(const char *text, const struct unit *units, size_t count,
			     uint64_t *ret)
{
	if (!isdigit((unsigned char)*text))
		return false;
	char *rest;
	errno = 0;
	uint64_t number = strtoull(text, &rest, 0);
	if (errno)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (strcasecmp(rest, units[i].name) != 0)
			continue;
		if (units[i].factor == PER_SECOND) {
			*ret = number ? SECOND / number : 0;
			return true;
		}
		return !__builtin_mul_overflow(number, units[i].factor, ret);
	}
	return false;
}

static bool number_of_type(enum option_type type, const char *text, uint64_t *ret)
{
	switch (type) {
	case SIZE:
		return number_with_unit(text, size_units, ARRAY_SIZE(size_units), ret);
	case RATE:
		return number_with_unit(text, rate_units, ARRAY_SIZE(rate_units), ret);
	default:
		return number_with_unit(text, no_units, ARRAY_SIZE(no_units), ret);
	}
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcasecmp(text, *words) == 0)
			return true;
	return false;
}

static bool means_yes(const char *text)
{
	static const char *const words[] = {
		"yes", "enable", "enabled", "true", "on", "set", NULL
	};
	return is_one_of(text, words);
}

static bool means_no(const char *text)
{
	static const char *const words[] = { "",      "no",  "disable", "disabled",
					     "false", "off", "unset",	NULL };
	return is_one_of(text, words);
}

/* Move *NUMBER into the "LEAST..MOST" of its row. */
static void number_limit(const struct row *row, uint64_t *number)
{
	if (!row->allowed)
		return;
	const char *dots = strstr(row->allowed, "..");
	auto_free char *least = mem_strndup(row->allowed, (size_t)(dots - row->allowed));
	uint64_t limit;
	if (number_of_type(row->type, least, &limit))
		*number = MAX(*number, limit);
	if (number_of_type(row->type, dots + 2, &limit))
		*number = MIN(*number, limit);
}

static void value_initial(struct value *v, const struct row *row);

static const char *set_yes_no(struct value *v, const char *text)
{
	uint64_t number;
	if (!text || means_yes(text))
		number = 1;
	else if (means_no(text))
		number = 0;
	else if (!number_of_type(INT, text, &number))
		return bad_value;
	v->number = number != 0;
	v->set = number != 0;
	return NULL;
}

static const char *set_number(struct value *v, const struct row *row, const char *text)
{
	if (text && means_no(text)) {
		value_initial(v, row);
		return NULL;
	}
	uint64_t number;
	if (!text && row->type == INT)
		number = 0;
	else if (!text)
		return bad_value;
	else if (means_yes(text))
		number = 1;
	else if (!number_of_type(row->type, text, &number))
		return bad_value;
	number_limit(row, &number);
	v->number = number;
	v->set = true;
	return NULL;
}

/* The place of the LEN bytes of WORD among the words of LIST, or -1. */
static int word_place(const char *list, const char *word, size_t len)
{
	for (int place = 0; *list; place++) {
		size_t this_len = strcspn(list, " ");
		if (this_len == len && strncmp(list, word, len) == 0)
			return place;
		list += this_len;
		list += strspn(list, " ");
	}
	return -1;
}

static const char *set_text(struct value *v, const struct row *row, const char *text)
{
	if (!text || !*text)
		return bad_value;
	int place = 1;
	if (row->type == CHOICE) {
		place = word_place(row->allowed, text, strlen(text));
		if (place < 0)
			return bad_value;
	}
	value_clear(v);
	vector_push(&v->texts, mem_strdup(text));
	v->number = (uint64_t)place;
	v->set = true;
	return NULL;
}

/* A list whose words are known takes several, separated by commas. */
static const char *add_to_list(struct value *v, const struct row *row, const char *text)
{
	if (!text || !*text)
		return bad_value;
	if (!row->allowed) {
		vector_push(&v->texts, mem_strdup(text));
	} else {
		for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',')
			if (word_place(row->allowed, p, strcspn(p, ",")) < 0)
				return bad_value;
		for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',')
			vector_push(&v->texts, mem_strndup(p, strcspn(p, ",")));
	}
	v->number = 1;
	v->set = true;
	return NULL;
}

static const char *value_set(struct value *v, const struct row *row, const char *text)
{
	switch (row->type) {
	case FLAG:
	case BOOL:
		return set_yes_no(v, text);
	case INT:
	case SIZE:
	case RATE:
		return set_number(v, row, text);
	case TEXT:
	case CHOICE:
		return set_text(v, row, text);
	case LIST:
		return add_to_list(v, row, text);
	}
	return bad_value;
}

static void value_initial(struct value *v, const struct row *row)
{
	value_clear(v);
	if (row->initial)
		value_set(v, row, row->initial);
	v->set = false;
}

struct options *options_new(void)
{
	struct options *o = mem_zalloc(sizeof(*o));
	for (int i = 0; i < OPTION_COUNT; i++)
		value_initial(&o->values[i], &rows[i]);
	return o;
}

void options_free(struct options *o)
{
	if (!o)
		return;
	for (int i = 0; i < OPTION_COUNT; i++)
		value_clear(&o->values[i]);
	free(o);
}

enum option option_by_name(const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (string_equal(rows[i].name, name))
			return (enum option)i;
	return OPTION_COUNT;
}

const char *option_name(enum option id)
{
	return rows[id].name;
}

/* How many letters to insert, leave out or change to get from A to B; at most 31 letters each. */
static unsigned distance(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	unsigned row[32];
	if (a_len > 31 || b_len > 31)
		return 32;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned diagonal = row[0];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			unsigned changed = diagonal + (tolower(a[i - 1]) != b[j - 1]);
			diagonal = row[j];
			row[j] = MIN(changed, MIN(row[j], row[j - 1]) + 1);
		}
	}
	return row[b_len];
}

static const char *complain_unknown(struct options *o, const char *name)
{
	const char *nearest = NULL;
	/* Further away it is no slip of the finger. */
	unsigned least = (unsigned)MIN(strlen(name) / 2, 3);
	for (int i = 0; i < OPTION_COUNT; i++) {
		unsigned d = distance(name, rows[i].name);
		if (d < least) {
			least = d;
			nearest = rows[i].name;
		}
	}
	if (!nearest)
		return "Invalid option name";
	snprintf(o->complaint, sizeof(o->complaint), "Invalid option name (did you mean %s?)",
		 nearest);
	return o->complaint;
}

const char *options_set(struct options *o, const char *name, const char *value,
			enum option_setter setter)
{
	enum option id = option_by_name(name);
	if (id == OPTION_COUNT)
		return complain_unknown(o, name);

	const struct row *row = &rows[id];
	if (row->kind == CONTEXT && setter == OPTION_BY_PROGRAM)
		return "Option cannot be used from within a D program";
	if (row->kind != DYNAMIC && setter == OPTION_BY_SETOPT)
		return "Operation illegal when tracing is active";
	if (row->state == LATER) {
		snprintf(o->complaint, sizeof(o->complaint), "option %s is not yet supported",
			 row->name);
		return o->complaint;
	}
	return value_set(&o->values[id], row, value);
}

const char *options_set_from_environment(struct options *o, char *const *environment,
					 const char **variable)
{
	static const char prefix[] = "DTRACE_OPT_";
	static char name[64];

	for (; *environment; environment++) {
		const char *equals = strchr(*environment, '=');
		if (!equals || strncmp(*environment, prefix, strlen(prefix)) != 0)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(equals - *environment), *environment);
		char lower[sizeof(name)];
		size_t i = 0;
		for (const char *p = name + strlen(prefix); *p; p++)
			lower[i++] = (char)tolower((unsigned char)*p);
		lower[i] = 0;
		const char *why =
			options_set(o, lower, equals[1] ? equals + 1 : NULL, OPTION_BY_COMMAND);
		if (why) {
			*variable = name;
			return why;
		}
	}
	return NULL;
}

uint64_t option_number(const struct options *o, enum option id)
{
	return o->values[id].number;
}

bool option_is_set(const struct options *o, enum option id)
{
	const struct row *row = &rows[id];
	if (row->type == FLAG || row->type == BOOL)
		return o->values[id].number != 0;
	return o->values[id].set;
}

const char *option_text(const struct options *o, enum option id)
{
	const struct value *v = &o->values[id];
	return v->texts.count ? v->texts.items[v->texts.count - 1] : NULL;
}

const char *const *option_list(const struct options *o, enum option id, size_t *count)
{
	*count = o->values[id].texts.count;
	return (const char *const *)o->values[id].texts.items;
}

void options_describe(FILE *f)
{
	static const char *const kinds[] = { "compile", "compile", "run", "dynamic" };
	fprintf(f, "%-14s %-8s %-10s %s\n", "NAME", "SET", "INITIAL", "MEANING");
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct row *row = &rows[i];
		const char *note = row->state == IGNORED ? " (ignored)"
				   : row->state == LATER ? " (not yet supported)"
							 : "";
		fprintf(f, "%-14s %-8s %-10s %s%s\n", row->name, kinds[row->kind],
			row->initial ? row->initial : "-", row->meaning, note);
	}
}
