/* SPDX-License-Identifier: BSD-2-Clause */
/* macro - macro variables and arguments: $1, $$1, $target, ${name} */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "syntax/lexer.h"

struct macro {
	bool as_string; /* $$ */
	bool argument;	/* a number */
	const char *name;
	size_t len; /* of the whole reference; 0: not a reference */
};

static struct macro macro_read(struct lexer *lx, const char *text, size_t len)
{
	struct macro m = { 0 };
	size_t i = 1;
	if (i < len && text[i] == '$') {
		m.as_string = true;
		i++;
	}
	bool braced = i < len && text[i] == '{';
	i += braced;
	size_t begin = i;
	m.argument = i < len && char_is_digit(text[i]);
	while (i < len && (m.argument ? char_is_digit(text[i]) : char_is_name(text[i])))
		i++;
	if (i == begin || (braced && (i == len || text[i] != '}')))
		return m;
	m.name = arena_strndup(lx->arena, text + begin, i - begin);
	m.len = i + braced;
	return m;
}

/* How many words are $0, $1 ...: those that are not options of the program. */
static unsigned argument_count(const struct lexer *lx)
{
	return lx->arguments	      ? lx->arguments->rest_count
	       : lx->env->args_are_of ? 1
				      : lx->env->arg_count;
}

/* The argument's text, marked as used, or NULL. */
static const char *argument_text(const struct lexer *lx, const char *number)
{
	const struct syntax_env *env = lx->env;
	unsigned long i = strlen(number) < 9 ? strtoul(number, NULL, 10) : ~0ul;
	if (i >= argument_count(lx))
		return NULL;
	if (lx->arguments)
		i = lx->arguments->rest[i];
	if (env->arg_used)
		env->arg_used[i] = true;
	return env->args[i];
}

static bool variable_value(const struct syntax_env *env, const char *name, int64_t *ret)
{
	return env->macro && env->macro(env->arg, name, ret);
}

/* In a description both mean each process of -c and -p. */
static bool means_targets(const char *name)
{
	return string_equal(name, "target") || string_equal(name, "targets");
}

/* The process whose description is made now; without processes env->macro() decides. */
static bool next_target(struct lexer *lx, const char *name, int64_t *ret)
{
	if (!means_targets(name) || lx->target >= lx->env->target_count)
		return false;
	lx->meant_targets = true;
	*ret = lx->env->targets[lx->target];
	return true;
}

/* An argument of a description may end in $target: pid$target. */
static const char *expand_target(struct lexer *lx, const char *argument)
{
	const char *dollar = strchr(argument, '$');
	int64_t value;
	if (!dollar || !means_targets(dollar + 1) ||
	    (!next_target(lx, dollar + 1, &value) && !variable_value(lx->env, "target", &value)))
		return argument;
	return arena_printf(lx->arena, "%.*s%" PRId64, (int)(dollar - argument), argument, value);
}

const char *macro_expand(struct lexer *lx, const char *text, size_t len, size_t *used)
{
	struct macro m = macro_read(lx, text, len);
	*used = m.len;
	if (!m.len)
		return NULL;
	if (m.argument) {
		const char *value = argument_text(lx, m.name);
		return value ? expand_target(lx, value) : lx->env->default_args ? "0" : NULL;
	}
	bool is_declared;
	const char *given = script_argument_value(lx->arguments, m.name, &is_declared);
	if (is_declared)
		return given ? expand_target(lx, given) : "0";
	int64_t value;
	const char *name = means_targets(m.name) ? "target" : m.name;
	if (!next_target(lx, name, &value) && !variable_value(lx->env, name, &value))
		return NULL;
	return arena_printf(lx->arena, "%" PRId64, value);
}

/* The names for env->macro(). */
static const char *const names[] = { "egid", "euid", "gid",    "pgid",	 "pid",	  "ppid",
				     "sid",  "uid",  "projid", "taskid", "target" };

bool macro_is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (string_equal(names[i], name))
			return true;
	return means_targets(name);
}

const char *macro_suggestion(struct lexer *lx, const char *text, size_t len)
{
	struct macro m = macro_read(lx, text, len);
	unsigned count = argument_count(lx) ? argument_count(lx) - 1 : 0;
	if (m.argument)
		return arena_printf(lx->arena, " (%u argument%s given)", count,
				    count == 1 ? " is" : "s are");
	struct nearest nearest = nearest_to(m.name);
	nearest_try_all(&nearest, names, ARRAY_SIZE(names));
	for (size_t i = 0; lx->arguments && i < lx->arguments->count; i++)
		nearest_try(&nearest, lx->arguments->items[i].name);
	return nearest.best ? arena_printf(lx->arena, ": did you mean $%s?", nearest.best) : "";
}

/* --- as tokens of an expression ---------------------------------------------------- */

static void integer_token(struct token *t, int64_t value)
{
	t->kind = TOKEN_INTEGER;
	t->integer.decimal = true;
	t->integer.negative = value < 0;
	t->integer.value = value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static void string_token(struct lexer *lx, struct token *t, const char *text, size_t len)
{
	char *decoded = arena_alloc(lx->arena, len + 1);
	t->kind = TOKEN_STRING;
	t->is_argument = true;
	t->text_len = escapes_decode(text, len, decoded);
	t->text = decoded;
}

/* An argument that looks like an integer becomes one. */
static bool number_token(struct lexer *lx, struct token *t, const char *text)
{
	bool sign = *text == '-' || *text == '+';
	size_t len = strlen(text + sign);
	struct number n = number_read(text + sign, len);
	if (!len || n.len != len || n.bad_digit)
		return false;
	integer_token(t, 0);
	t->integer.value = n.value;
	t->integer.decimal = n.decimal;
	t->integer.negative = *text == '-';
	if (n.overflow || (t->integer.negative && n.value > (uint64_t)INT64_MAX + 1))
		lexer_mistake(lx, lexer_range(lx, t->start), D_MACRO_OFLOW,
			      "the argument %s does not fit in 64 bits", text);
	return true;
}

static bool looks_like_name(const char *text)
{
	size_t len = 0;
	while (char_is_name(text[len]) || text[len] == '`')
		len++;
	return len && !text[len];
}

static void argument_token(struct lexer *lx, struct token *t, const char *text)
{
	size_t len = strlen(text);
	if (number_token(lx, t, text))
		return;
	if (looks_like_name(text)) {
		t->text = text;
		t->kind = keyword_find(text);
	} else if (len >= 2 && text[0] == '"' && text[len - 1] == '"') {
		string_token(lx, t, text + 1, len - 2);
	} else {
		string_token(lx, t, text, len);
	}
}

/* TEXT is the value of the argument M; NULL: it is missing, and may be. */
static void value_token(struct lexer *lx, struct token *t, const struct macro *m, const char *text)
{
	if (!text && !m->as_string)
		integer_token(t, 0);
	else if (!text)
		string_token(lx, t, "", 0);
	else if (m->as_string || string_equal(m->name, "0"))
		string_token(lx, t, text, strlen(text));
	else
		argument_token(lx, t, text);
}

static void lex_argument(struct lexer *lx, struct token *t, const struct macro *m)
{
	const char *text = argument_text(lx, m->name);
	const char *owner = lx->arguments ? NULL : lx->env->args_are_of;
	if (!text && !lx->env->default_args)
		lexer_mistake(lx, lexer_range(lx, t->start), D_MACRO_UNDEF,
			      "macro argument %s%s is not defined: %s%s%s "
			      "(-x defaultargs makes missing ones %s)",
			      m->as_string ? "$$" : "$", m->name,
			      owner ? "the words belong to " : "arguments follow the program",
			      owner ? owner : "", owner ? ", which declares options" : "",
			      m->as_string ? "empty" : "0");
	value_token(lx, t, m, text);
}

static void macro_unknown(struct lexer *lx, const struct token *t, const struct macro *m)
{
	struct range range = lexer_range(lx, t->start);
	const char *meant = macro_suggestion(lx, lx->source->text + t->start.pos, m->len);
	if (string_equal(m->name, "targets"))
		lexer_mistake(lx, range, D_MACRO_UNDEF, "$targets is for descriptions only%s",
			      meant);
	else
		lexer_mistake(lx, range, D_MACRO_UNDEF, "there is no macro variable $%s%s", m->name,
			      *meant ? meant : ": a variable of a clause is written this->NAME");
}

static void lex_variable(struct lexer *lx, struct token *t, const struct macro *m)
{
	bool is_declared;
	const char *given = script_argument_value(lx->arguments, m->name, &is_declared);
	if (is_declared) {
		value_token(lx, t, m, given);
		return;
	}
	int64_t value = 0;
	if (!variable_value(lx->env, m->name, &value))
		macro_unknown(lx, t, m);
	integer_token(t, value);
	if (!m->as_string)
		return;
	const char *text = arena_printf(lx->arena, "%" PRId64, value);
	string_token(lx, t, text, strlen(text));
}

void lexer_macro(struct lexer *lx, struct token *t)
{
	struct macro m = macro_read(lx, lexer_here(lx), lx->source->len - lx->at.pos);
	lx->at.pos += m.len ? m.len : 1;
	if (m.len && m.argument) {
		lex_argument(lx, t, &m);
	} else if (m.len) {
		lex_variable(lx, t, &m);
	} else {
		t->kind = TOKEN_BAD;
		lexer_mistake(lx, lexer_range(lx, t->start), D_SYNTAX,
			      "a macro variable's name must follow near \"$\"");
	}
}
