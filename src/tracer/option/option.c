/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/option/option.h"

#include <ctype.h>
#include <string.h>

#include "base/base.h"
#include "base/nearest.h"
#include "output/output.h"
#include "probe/probe.h"
#include "process/process.h"
#include "tracer/option/option_value.h"
#include "tracer/targets/named_target.h"

enum option_kind { COMPILE, CONTEXT, RUN, DYNAMIC };
enum option_state { WORKS, IGNORED, IDLE };

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
#include "tracer/option/option.def"
#undef OPTION
};

struct value {
	uint64_t number;
	bool set;	      /* set, not the initial value */
	int moved;	      /* the requested value was -1: more than allowed, 1: less */
	VECTOR(char *) texts; /* TEXT, CHOICE: at most one */
};

struct options {
	struct value values[OPTION_COUNT];
	struct strbuf complaint;
	struct strbuf variable; /* of the environment: the last variable that was set */
	VECTOR(char *) given;	/* NAME[=VALUE], in order */
	VECTOR(char *) by_program;
};

static void value_clear(struct value *v)
{
	for (size_t i = 0; i < v->texts.count; i++)
		free(v->texts.items[i]);
	vector_free(&v->texts);
	*v = (struct value) { 0 };
}

static void value_initial(struct value *v, const struct row *row);

/* The setters return false, and change nothing, if TEXT (NULL: none) is not a value of the kind. */
static bool set_yes_no(struct value *v, const char *text)
{
	uint64_t number;
	if (!text || option_value_means_yes(text))
		number = 1;
	else if (option_value_means_no(text))
		number = 0;
	else if (!option_value_number(INT, text, &number))
		return false;
	v->number = number != 0;
	v->set = number != 0;
	return true;
}

static bool set_number(struct value *v, const struct row *row, const char *text)
{
	if (text && option_value_means_no(text)) {
		value_initial(v, row);
		return true;
	}
	uint64_t number = 0;
	if (text && option_value_means_yes(text))
		number = 1;
	else if (text ? !option_value_number(row->type, text, &number) : row->type != INT)
		return false;
	if (row->type == SIZE && !row->allowed && !number) /* room for nothing */
		return false;
	uint64_t asked = number;
	if (row->state != IDLE)
		option_value_limit(row->type, row->allowed, &number);
	v->moved = row->state == WORKS ? (asked < number) - (asked > number) : 0;
	v->number = number;
	v->set = true;
	return true;
}

static bool set_text(struct value *v, const char *text)
{
	value_clear(v);
	vector_push(&v->texts, mem_strdup(text));
	v->number = 1;
	v->set = true;
	return true;
}

/* A choice that can be on or off is so by the words of a BOOL, too. */
static bool set_choice(struct value *v, const struct row *row, const char *text)
{
	int place = text ? option_value_place(row->allowed, text, strlen(text)) : -1;
	bool is_switch = option_value_place(row->allowed, "off", strlen("off")) >= 0;
	struct value on = { 0 };
	if (place < 0 && is_switch && set_yes_no(&on, text)) {
		text = on.number ? "on" : "off";
		place = option_value_place(row->allowed, text, strlen(text));
	}
	if (place < 0)
		return false;
	set_text(v, text);
	v->number = (uint64_t)place;
	return true;
}

/* A list whose words are known takes several, separated by commas. */
static bool add_to_list(struct value *v, const struct row *row, const char *text)
{
	if (!row->allowed) {
		vector_push(&v->texts, mem_strdup(text));
	} else {
		for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',')
			if (option_value_place(row->allowed, p, strcspn(p, ",")) < 0)
				return false;
		for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',')
			vector_push(&v->texts, mem_strndup(p, strcspn(p, ",")));
	}
	v->number = 1;
	v->set = true;
	return true;
}

static bool add_words(struct value *v, const struct row *row, const char *text)
{
	char **words;
	auto_error struct error *err = command_split(text, &words);
	for (char **w = words; !err && *w; w++)
		add_to_list(v, row, *w);
	if (!err)
		command_free(words);
	return !err;
}

static bool value_set(struct value *v, const struct row *row, const char *text)
{
	switch (row->type) {
	case FLAG:
	case BOOL:
		return set_yes_no(v, text);
	case INT:
	case SIZE:
	case RATE:
	case TIME:
		return set_number(v, row, text);
	case TEXT:
		return text && *text && set_text(v, text);
	case CHOICE:
		return set_choice(v, row, text);
	case PERCENTS:
		if (text && option_value_means_no(text))
			return value_initial(v, row), true;
		return text && percentiles_parse(text, &(struct percentiles) { 0 }) &&
		       set_text(v, text);
	case ATTRIBUTES:
		return text && attributes_parse(text, &(struct attributes) { 0 }) &&
		       set_text(v, text);
	case SETTINGS:
		return text && strchr(text, '=') > text && add_to_list(v, row, text);
	case TARGET:
		return text && named_target_parse(text, &(struct named_target) { 0 }) &&
		       add_to_list(v, row, text);
	case LIST:
		return text && *text && add_to_list(v, row, text);
	case WORDS:
		return text && *text && add_words(v, row, text);
	case VERSION:
		return false; /* set_version() has its own complaints */
	}
	return false;
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
	strbuf_deinit(&o->complaint);
	strbuf_deinit(&o->variable);
	for (size_t i = 0; i < o->given.count; i++)
		free(o->given.items[i]);
	vector_free(&o->given);
	for (size_t i = 0; i < o->by_program.count; i++)
		free(o->by_program.items[i]);
	vector_free(&o->by_program);
	free(o);
}

enum option option_by_name(const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (string_equal(rows[i].name, name))
			return (enum option)i;
	return OPTION_COUNT;
}

static char *to_lower(const char *text)
{
	char *lower = mem_strdup(text);
	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return lower;
}

static const char *complain_unknown(struct options *o, const char *name)
{
	auto_free char *lower = to_lower(name);
	struct nearest nearest = nearest_to(lower);
	enum option same = option_by_name(lower);
	for (int i = 0; i < OPTION_COUNT; i++)
		nearest_try(&nearest, rows[i].name);
	const char *best = same == OPTION_COUNT ? nearest.best : rows[same].name;
	if (!best)
		return "Invalid option name (dtrace --help lists them)";
	strbuf_printf(&o->complaint, "Invalid option name (did you mean %s?)", best);
	return strbuf_text(&o->complaint);
}

static const char *complain_value(struct options *o, const struct row *row, const char *value)
{
	strbuf_puts(&o->complaint, "Invalid value for specified option (");
	if (value && *value)
		strbuf_printf(&o->complaint, "'%s' is not ", value);
	else
		strbuf_puts(&o->complaint, "it needs ");
	option_value_wanted(row->type, row->allowed, &o->complaint);
	strbuf_putc(&o->complaint, ')');
	return strbuf_text(&o->complaint);
}

/* All options of Solaris, illumos and Oracle, each between two blanks. */
static const char known_versions[] = " 1.0 1.1 1.2 1.2.1 1.2.2 1.3 1.4 1.4.1 1.5 1.6 1.6.1 1.6.2 "
				     "1.6.3 1.6.4 1.7 1.7.1 1.8 1.8.1 "
				     "1.9 1.9.1 1.10 1.11 1.12 1.12.1 1.13 1.14 2.0 2.0.1 ";

static bool version_is_known(uint64_t version)
{
	unsigned micro = version & 0xfff;
	auto_free char *text =
		mem_printf(micro ? " %u.%u.%u " : " %u.%u ", (unsigned)(version >> 24),
			   (unsigned)(version >> 12 & 0xfff), micro);
	return strstr(known_versions, text);
}

/* Versions have other reasons.  A version may be lowered again, never raised. */
static const char *set_version(struct value *v, const char *text)
{
	uint64_t version;
	if (!text || !option_value_version(text, &version))
		return "Version is not properly formatted or is too large";
	if (!version_is_known(version))
		return "Requested version is not supported by compiler";
	if (v->set && version > v->number)
		return "Requested version conflicts with earlier setting";
	v->number = version;
	v->set = true;
	return NULL;
}

/* Of two that say the opposite the later one wins. */
static void unset_opposite(struct options *o, enum option id)
{
	enum option other = id == OPTION_kdefs	   ? OPTION_knodefs
			    : id == OPTION_knodefs ? OPTION_kdefs
			    : id == OPTION_udefs   ? OPTION_unodefs
			    : id == OPTION_unodefs ? OPTION_udefs
						   : OPTION_COUNT;
	if (other != OPTION_COUNT && o->values[id].number)
		value_initial(&o->values[other], &rows[other]);
}

static const char *set_by_row(struct options *o, enum option id, const char *value)
{
	const struct row *row = &rows[id];
	if (row->type == VERSION)
		return set_version(&o->values[id], value);
	if (!value_set(&o->values[id], row, value))
		return complain_value(o, row, value);
	unset_opposite(o, id);
	return NULL;
}

const char *options_set(struct options *o, const char *name, const char *value,
			enum option_setter setter)
{
	enum option id = option_by_name(name);
	strbuf_clear(&o->complaint);
	if (id == OPTION_COUNT)
		return complain_unknown(o, name);

	enum option_kind kind = rows[id].kind;
	if (kind == CONTEXT && setter == OPTION_BY_PROGRAM)
		return "Option cannot be used from within a D program";
	if (kind != DYNAMIC && setter == OPTION_BY_SETOPT)
		return "Operation illegal when tracing is active";
	const char *why = set_by_row(o, id, value);
	if (why || setter == OPTION_BY_SETOPT || kind == CONTEXT)
		return why;
	char *setting = value ? mem_printf("%s=%s", name, value) : mem_strdup(name);
	if (setter == OPTION_BY_COMMAND)
		vector_push(&o->given, setting);
	else
		vector_push(&o->by_program, setting);
	return NULL;
}

bool option_may_travel(enum option id)
{
	if (id == OPTION_COUNT || id == OPTION_oformat || rows[id].kind == CONTEXT)
		return false;
	switch (rows[id].type) {
	case TEXT:
	case LIST:
	case WORDS:
	case SETTINGS:
		return false;
	default:
		return true;
	}
}

/* Of options that a program cannot change while it runs: those of the output alone. */
static bool is_of_output(enum option id)
{
	static const enum option list[] = { OPTION_aggpercpu,	OPTION_demangle,   OPTION_droptags,
					    OPTION_encoding,	OPTION_noresolve,  OPTION_temporal,
					    OPTION_ustacklines, OPTION_ustackmerge };
	bool is = false;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		is |= list[i] == id;
	return is;
}

const char *options_set_foreign(struct options *o, const char *name, const char *value)
{
	enum option id = option_by_name(name);
	if (id == OPTION_rawterminal)
		return "only -x can set it here";
	return options_set(o, name, value,
			   id != OPTION_COUNT && is_of_output(id) ? OPTION_BY_COMMAND
								  : OPTION_BY_SETOPT);
}

const char *const *options_given(const struct options *o, size_t *count)
{
	*count = o->given.count;
	return (const char *const *)o->given.items;
}

const char *const *options_by_program(const struct options *o, size_t *count)
{
	*count = o->by_program.count;
	return (const char *const *)o->by_program.items;
}

const char *options_set_from_environment(struct options *o, char *const *environment,
					 const char **variable)
{
	static const char prefix[] = "DTRACE_OPT_";

	for (; *environment; environment++) {
		const char *equals = strchr(*environment, '=');
		if (!equals || strncmp(*environment, prefix, strlen(prefix)) != 0)
			continue;
		strbuf_clear(&o->variable);
		strbuf_add(&o->variable, *environment, (size_t)(equals - *environment));
		*variable = strbuf_text(&o->variable);
		auto_free char *name = to_lower(*variable + strlen(prefix));
		const char *why =
			options_set(o, name, equals[1] ? equals + 1 : NULL, OPTION_BY_COMMAND);
		if (why)
			return why;
	}
	return NULL;
}

uint64_t option_number(const struct options *o, enum option id)
{
	return o->values[id].number;
}

int option_moved(const struct options *o, enum option id)
{
	return o->values[id].moved;
}

const char *option_idle(const struct options *o, enum option id)
{
	return rows[id].state == IDLE && option_is_set(o, id) ? rows[id].allowed : NULL;
}

void option_print(const struct options *o, enum option id, struct strbuf *ret)
{
	option_value_print(rows[id].type, o->values[id].number, ret);
}

const char *option_name(enum option id)
{
	return rows[id].name;
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
		const char *note = row->state == WORKS ? "" : " (ignored)";
		fprintf(f, "%-14s %-8s %-10s %s%s\n", row->name, kinds[row->kind],
			row->initial ? row->initial : "-", row->meaning, note);
	}
}
