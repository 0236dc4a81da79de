/* SPDX-License-Identifier: BSD-2-Clause */
/* printf_check - formats against the types of their arguments */
#include <ctype.h>

#include "sema/clause/action.h"

/* --- arguments of a conversion --- */

static bool takes_integer(const struct type *type, const struct format_conversion *c)
{
	if (!type_is_integer(type))
		return false;
	uint32_t size = type_size(type);
	if (string_equal(c->size, "h"))
		return size == 2;
	if (string_equal(c->size, "hh"))
		return size == 1;
	return c->size[0] == '\0' || size == 8;
}

static bool takes_float(const struct type *type, const struct format_conversion *c)
{
	return type->kind == TYPE_FLOAT && (c->size[0] == '\0' || type->size == 16);
}

static bool takes_character(const struct type *type, const struct format_conversion *c)
{
	return type_is_integer(type) && type_size(type) <= 4;
}

static bool takes_text(const struct type *type, const struct format_conversion *c)
{
	if (c->size[0]) /* ls, ws: an array of wide characters */
		return type->kind == TYPE_ARRAY && type_is_integer(type->target) &&
		       type_size(type->target) == 4;
	return type->kind == TYPE_STRING || type_resolve(type)->kind == TYPE_ENUM ||
	       (type->kind == TYPE_ARRAY && type_size(type->target) == 1 &&
		type_is_integer(type->target));
}

static bool takes_address(const struct type *type, const struct format_conversion *c)
{
	return type_is_scalar(type);
}

static bool takes_kernel_address(const struct type *type, const struct format_conversion *c)
{
	return type_is_scalar(type) || type->kind == TYPE_SYMADDR;
}

static bool takes_user_address(const struct type *type, const struct format_conversion *c)
{
	return type_is_scalar(type) || type->kind == TYPE_USYMADDR;
}

static bool takes_stack(const struct type *type, const struct format_conversion *c)
{
	return type->kind == TYPE_STACK;
}

static bool takes_time(const struct type *type, const struct format_conversion *c)
{
	return type_is_integer(type) && type_size(type) == 8;
}

static bool takes_port(const struct type *type, const struct format_conversion *c)
{
	return type_is_integer(type) && type_size(type) == 2;
}

static bool takes_host(const struct type *type, const struct format_conversion *c)
{
	return type->kind == TYPE_STRING;
}

static const struct {
	const char *letters;
	bool (*takes)(const struct type *type, const struct format_conversion *c);
	const char *what;
} conversions[] = {
	{ "diouxX", takes_integer, "an integer" },
	{ "eEfgG", takes_float, "a floating-point value" },
	{ "cC", takes_character, "a character: an integer of at most 4 bytes" },
	{ "sS", takes_text, "a string or char array" },
	{ "p", takes_address, "a pointer or integer" },
	{ "a", takes_kernel_address, "a pointer, integer or sym()" },
	{ "A", takes_user_address, "a usym(), or with -c or -p a number" },
	{ "k", takes_stack, "a stack() or ustack()" },
	{ "TY", takes_time, "a 64-bit integer: nanoseconds" },
	{ "P", takes_port, "a 16-bit integer" },
	{ "I", takes_host, "a string: an address of a host" },
};

static unsigned conversion_kind(char letter)
{
	unsigned i = 0;
	while (!strchr(conversions[i].letters, letter))
		i++;
	return i;
}

/* $1 is the argument as D code, $$1 the argument as a string: they are easily confused. */
static const char *macro_hint(struct sema *s, bool wants_text, struct range range)
{
	const struct source *source = range.source;
	if (!source || range.end > source->len || range.end < range.begin + 2)
		return "";
	const char *name = source->text + range.begin;
	int len = (int)(range.end - range.begin);
	bool takes_text = name[1] == '$';
	if (name[0] != '$' || takes_text == wants_text)
		return "";
	for (int i = takes_text ? 2 : 1; i < len; i++)
		if (name[i] != '_' && !isalnum((unsigned char)name[i]))
			return ""; /* more than the macro */
	if (wants_text)
		return arena_printf(s->arena, ": write $%.*s for its text", len, name);
	return arena_printf(s->arena, ": write %.*s for its value", len - 1, name + 1);
}

/* The conversion that prints values of TYPE, if C prints none of their kind. */
static const char *other_conversion(const struct type *type, const struct format_conversion *c)
{
	switch (type->kind) {
	case TYPE_STACK:
		return ": %k prints stacks";
	case TYPE_SYMADDR:
		return ": %a prints symbols";
	case TYPE_USYMADDR:
		return ": %A prints symbols of processes";
	case TYPE_STRING:
		return ": %s prints strings";
	case TYPE_POINTER:
		return ": %p prints pointers";
	case TYPE_FLOAT:
		return c->size[0] ? ": %f prints all sizes" : "";
	default:
		return c->size[0] && type_is_integer(type) ? ": %d and %x print all sizes" : "";
	}
}

/* What would have helped. */
static const char *hint(struct sema *s, const struct type *type, const struct format_conversion *c,
			struct range range)
{
	bool text = c->letter == 's' || c->letter == 'S';
	if (text && type->kind == TYPE_POINTER)
		return type_is_userland(type) ? ": use copyinstr()"
					      : ": use stringof() or copyinstr()";
	const char *of_macro = macro_hint(s, text, range);
	if (text && !*of_macro && !c->aggregation && type_is_integer(type) && type_size(type) == 8)
		return ": use copyinstr() if it is the address of a string in the process";
	return *of_macro ? of_macro : other_conversion(type_resolve(type), c);
}

/* The conversion as written, without its flags and width. */
static const char *conversion_text(struct sema *s, const struct format_conversion *c)
{
	return arena_printf(s->arena, "%%%s%s%c", c->aggregation ? "@" : "", c->size, c->letter);
}

/* The kinds of values that the conversion prints, in words. */
static const char *printed_thing(const struct format_conversion *c)
{
	unsigned kind = conversion_kind(c->letter);
	if (c->size[0] && conversions[kind].takes == takes_text)
		return "an array of 32-bit characters";
	if (c->size[0] && conversions[kind].takes == takes_float)
		return "a long double";
	if (c->size[0] && conversions[kind].takes == takes_integer)
		return string_equal(c->size, "hh")  ? "an integer of 1 byte"
		       : string_equal(c->size, "h") ? "an integer of 2 bytes"
						    : "an integer of 8 bytes";
	return conversions[kind].what;
}

/* WHAT is "printf() argument 2" or similar. */
static bool type_check(struct sema *s, const char *what, const struct format_conversion *c,
		       const struct type *type, struct range range)
{
	if (type->kind == TYPE_POISON)
		return false;
	unsigned kind = conversion_kind(c->letter);
	bool user_number = c->letter == 'A' && type_is_scalar(type) && !s->env->target;
	if (conversions[kind].takes(type, c) && !user_number)
		return true;
	diagnose(s->diagnostics, range, D_PRINTF_ARG_TYPE, "%s has type %s, but %s prints %s%s",
		 what, type_text(s, type), conversion_text(s, c), printed_thing(c),
		 hint(s, type, c, range));
	return false;
}

/* --- printf --- */

struct printf_walk {
	const char *name;
	struct range range; /* of the format */
	const struct node *arg;
	unsigned number; /* of the argument, the format is 1 */
	struct texpr **end;
	unsigned *count;
};

static bool is_text_conversion(const struct format_conversion *c)
{
	return (c->letter == 's' || c->letter == 'S') && !c->size[0];
}

/* A pointer that is known to point to a process's characters is printed as its string. */
static bool is_user_text(const struct format_conversion *c, const struct type *type)
{
	if (!is_text_conversion(c) || !type_is_pointer(type) || !type_is_userland(type))
		return false;
	const struct type *target = type_resolve(type_resolve(type)->target);
	return type_is_integer(target) && type_size(target) == 1;
}

/* The next argument, or NULL.  C: what prints it; NULL: it is a width or precision. */
static struct texpr *next_argument(struct sema *s, struct printf_walk *w,
				   const struct format_conversion *c)
{
	if (!w->arg)
		return NULL;
	struct texpr *e = stack_read(s, expression_check(s, w->arg));
	struct texpr *text = c && is_text_conversion(c) ? s->text_of_struct(s, e) : NULL;
	if (text)
		e = text;
	else if (c && is_user_text(c, e->type))
		e = convert_string(s, e);
	else if (e->kind == TEXPR_LOAD && e->type->kind != TYPE_ARRAY)
		e = memory_decay(s, e);
	w->arg = w->arg->next;
	w->number++;
	*w->end = e;
	w->end = &e->next;
	++*w->count;
	return e;
}

/* Is E a constant above the limit of widths and precisions?  Other values are cut to it when they
 * are printed. */
static bool is_too_wide(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER &&
	       (e->integer > FORMAT_WIDTH_MOST || e->integer < -FORMAT_WIDTH_MOST);
}

static bool star_check(struct sema *s, struct printf_walk *w, const char *what)
{
	struct texpr *e = next_argument(s, w, NULL);
	if (!e) {
		diagnose(s->diagnostics, w->range, D_PRINTF_DYN_PROTO,
			 "%s() has no argument for the %s *", w->name, what);
		return false;
	}
	if (is_too_wide(e)) {
		diagnose(s->diagnostics, e->range, D_PRINTF_DYN_TYPE,
			 "%s() argument %u, the %s, is more than %d", w->name, w->number, what,
			 FORMAT_WIDTH_MOST);
		return false;
	}
	if (type_is_integer(e->type))
		return !texpr_is_poison(e);
	diagnose(s->diagnostics, e->range, D_PRINTF_DYN_TYPE,
		 "%s() argument %u, the %s, must be an integer, not %s", w->name, w->number, what,
		 type_text(s, e->type));
	return false;
}

static bool conversion_check(struct sema *s, struct printf_walk *w,
			     const struct format_conversion *c)
{
	if (c->aggregation) {
		diagnose(s->diagnostics, w->range, D_PRINTF_AGG_CONV,
			 "%s belongs to printa(): %s() has no aggregation", conversion_text(s, c),
			 w->name);
		return false;
	}
	if (c->width_star && !star_check(s, w, "width"))
		return false;
	if (c->precision_star && !star_check(s, w, "precision"))
		return false;
	struct texpr *e = next_argument(s, w, c);
	if (e)
		return type_check(s, arena_printf(s->arena, "%s() argument %u", w->name, w->number),
				  c, e->type, e->range);
	diagnose(s->diagnostics, w->range, D_PRINTF_ARG_PROTO, "%s() has no argument for %s",
		 w->name, conversion_text(s, c));
	return false;
}

static bool format_of(struct sema *s, const char *format, struct range range, struct format *f)
{
	auto_error struct error *err = format_parse(format, f);
	if (err)
		diagnose(s->diagnostics, range, D_SYNTAX, "the format is wrong: %s",
			 error_text(err));
	return !err;
}

bool printf_check(struct sema *s, const char *name, const char *format, const struct node *args,
		  struct range range, struct texpr **ret, unsigned *count)
{
	if (!*format) {
		diagnose(s->diagnostics, range, D_PRINTF_FMT_EMPTY, "the format is empty");
		return false;
	}
	struct format f;
	if (!format_of(s, format, range, &f))
		return false;
	struct printf_walk w = { .name = name, .range = range, .arg = args, .number = 1 };
	w.end = ret;
	w.count = count;
	bool good = true;
	for (size_t i = 0; good && i + 1 < f.count; i++)
		good = conversion_check(s, &w, &f.conversions[i]);
	format_deinit(&f);
	if (good && w.arg) {
		diagnose(s->diagnostics, w.arg->range, D_PRINTF_ARG_EXTRA,
			 "%s() has more arguments than its format prints", name);
		return false;
	}
	return good;
}

/* --- printa --- */

static const struct type *result_type(struct sema *s, const struct aggregation *a)
{
	return intrinsic(s, aggregate_row(a->function)->is_unsigned ? INTRINSIC_ULONG
								    : INTRINSIC_LONG);
}

struct printa_walk {
	struct aggregation *const *aggregations;
	unsigned count, next; /* aggregation */
	unsigned key;
	bool shows_value; /* some conversion is %@ */
	struct range range;
};

/* The next key is a width or a precision. */
static bool printa_star(struct sema *s, struct printa_walk *w, const char *what)
{
	const struct aggregation *a = w->aggregations[0];
	if (w->key >= a->key_count) {
		diagnose(s->diagnostics, w->range, D_PRINTF_DYN_PROTO,
			 "@%s has no key left for the %s *", a->name, what);
		return false;
	}
	const struct type *type = a->key_types[w->key++];
	if (type_is_integer(type))
		return true;
	diagnose(s->diagnostics, w->range, D_PRINTF_DYN_TYPE,
		 "key %u of @%s, the %s, must be an integer, not %s", w->key, a->name, what,
		 type_text(s, type));
	return false;
}

static void printa_conversion(struct sema *s, struct printa_walk *w,
			      const struct format_conversion *c)
{
	if ((c->width_star && !printa_star(s, w, "width")) ||
	    (c->precision_star && !printa_star(s, w, "precision")))
		return;
	if (c->aggregation) {
		const struct aggregation *a = w->aggregations[w->next];
		if (w->next + 1 < w->count)
			w->next++;
		if (!aggregate_row(a->function)->is_histogram)
			type_check(s, arena_printf(s->arena, "printa(): the value of @%s", a->name),
				   c, result_type(s, a), w->range);
		return;
	}
	const struct aggregation *a = w->aggregations[0];
	if (w->key >= a->key_count) {
		diagnose(s->diagnostics, w->range, D_PRINTF_ARG_PROTO,
			 "@%s has %u key%s, but the format prints more%s", a->name, a->key_count,
			 a->key_count == 1 ? "" : "s",
			 w->shows_value ? "" : " (%@d prints the aggregated value)");
		return;
	}
	const struct type *type = a->key_types[w->key++];
	type_check(s, arena_printf(s->arena, "printa(): key %u of @%s", w->key, a->name), c, type,
		   w->range);
}

void printa_check(struct sema *s, const char *format, struct aggregation *const *aggregations,
		  unsigned count, struct range range)
{
	struct format f;
	if (!format_of(s, format, range, &f))
		return;
	struct printa_walk w = { .aggregations = aggregations, .count = count, .range = range };
	for (size_t i = 0; i + 1 < f.count; i++)
		w.shows_value |= f.conversions[i].aggregation;
	for (size_t i = 0; i + 1 < f.count; i++)
		printa_conversion(s, &w, &f.conversions[i]);
	format_deinit(&f);
}
