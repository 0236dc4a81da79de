/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * printf - formats, prepared once and run for each record or row
 *
 * Preparing binds each conversion to its fields and finds the common ones that
 * need no library: plain decimal numbers and strings without width.
 */
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "output/internal.h"

enum step_kind {
	STEP_TEXT,     /* nothing but the literal text */
	STEP_SIGNED,   /* %d of a signed integer, without flags and width */
	STEP_UNSIGNED, /* %d, %u of an unsigned one */
	STEP_STRING,   /* %s without width */
	STEP_VALUE,    /* anything else: convert.c */
	STEP_RESULT,   /* @: of the aggregation number `result`, or the last one */
};

struct step {
	enum step_kind kind;
	const char *text; /* before the conversion */
	size_t text_len;
	const struct value_field *field, *width, *precision; /* NULL: none */
	unsigned result;
	struct conversion conversion;
};

struct prepared {
	struct format format;
	struct arena *arena; /* of the fields of a join */
	size_t count;
	struct step steps[];
};

/* --- preparing ---------------------------------------------------------------------------- */

/* For C's printf(), with * for width and precision; the letter comes last. */
static void spec_write(const struct format_conversion *f, char *spec)
{
	char letter = f->letter == 'p' ? 'x' : f->letter == 'i' ? 'd' : f->letter;
	*spec++ = '%';
	if (f->alternate)
		*spec++ = '#';
	if (f->zero)
		*spec++ = '0';
	if (f->plus)
		*spec++ = '+';
	if (f->blank)
		*spec++ = ' ';
	if (f->group)
		*spec++ = '\'';
	memcpy(spec, "*.*", 3);
	spec += 3;
	*spec++ = strchr("eEfgG", letter) ? 'L' : 'l';
	*spec++ = letter;
	*spec = '\0';
}

static enum step_kind step_kind_of(const struct format_conversion *f, const struct value_field *v)
{
	bool is_plain = !f->alternate && !f->plus && !f->blank && !f->group && !f->zero &&
			!f->pointer_width && !f->width_star && !f->precision_star &&
			f->width <= 0 && f->precision < 0;
	bool is_decimal = f->letter == 'd' || f->letter == 'i';
	if (!is_plain)
		return STEP_VALUE;
	if (v->kind == VALUE_INTEGER && is_decimal && v->is_signed)
		return STEP_SIGNED;
	if (v->kind == VALUE_INTEGER && (is_decimal || f->letter == 'u'))
		return STEP_UNSIGNED;
	return f->letter == 's' && value_kind_is_text(v->kind) ? STEP_STRING : STEP_VALUE;
}

struct fields {
	const struct value_field *items;
	unsigned count, next;
	unsigned results; /* @ conversions so far */
};

static const struct value_field *field_next(struct fields *fields)
{
	return fields->next < fields->count ? &fields->items[fields->next++] : NULL;
}

/* False: the conversion has no field. */
static bool step_prepare(const struct format_conversion *f, struct fields *fields,
			 struct step *step)
{
	*step = (struct step) {
		.text = f->text,
		.text_len = f->text_len,
		.conversion = { .what = f,
				.left = f->left,
				.width = f->pointer_width ? 16 : MAX(f->width, 0),
				.precision = f->precision },
	};
	if (!f->letter)
		return true;
	spec_write(f, step->conversion.spec);
	if (f->width_star && !(step->width = field_next(fields)))
		return false;
	if (f->precision_star && !(step->precision = field_next(fields)))
		return false;
	if (f->aggregation) {
		step->kind = STEP_RESULT;
		step->result = fields->results++;
		return true;
	}
	step->field = field_next(fields);
	if (!step->field)
		return false;
	step->kind = step_kind_of(f, step->field);
	return true;
}

static struct fields fields_of(const struct program *p, const struct action_layout *action,
			       struct arena *arena)
{
	if (action->kind != ACTION_PRINTA)
		return (struct fields) { action->fields, action->field_count, 0, 0 };
	if (!action->aggregation_count)
		return (struct fields) { 0 };
	struct key_layout keys =
		keys_join(p, action->aggregations, action->aggregation_count, arena);
	return (struct fields) { keys.fields, keys.count, 0, 0 };
}

struct error *printf_prepare(const struct program *p, const struct action_layout *action,
			     struct prepared **ret)
{
	struct format format;
	struct error *err = format_parse(action->format, &format);
	if (err)
		return error_wrap(err, "cannot use the format \"%s\"", action->format);

	struct prepared *prepared =
		mem_zalloc(sizeof(*prepared) + format.count * sizeof(prepared->steps[0]));
	prepared->format = format;
	prepared->count = format.count;
	prepared->arena = arena_new();
	struct fields fields = fields_of(p, action, prepared->arena);
	for (size_t i = 0; i < format.count; i++) {
		if (step_prepare(&format.conversions[i], &fields, &prepared->steps[i]))
			continue;
		prepared_free(prepared);
		return error_new("the format \"%s\" has more conversions than values",
				 action->format);
	}
	*ret = prepared;
	return NULL;
}

void prepared_free(struct prepared *p)
{
	if (!p)
		return;
	format_deinit(&p->format);
	arena_free(p->arena);
	free(p);
}

/* --- running -------------------------------------------------------------------------------- */

static struct value format_argument(const struct output *o, const struct arguments *from,
				    const struct value_field *f)
{
	if (from->record)
		return value_of_record(o, from->record, f);
	return value_of_key(o, from->row->key, f);
}

static struct conversion conversion_with_stars(const struct output *o, const struct step *s,
					       const struct arguments *from)
{
	struct conversion c = s->conversion;
	if (s->width) {
		struct value v = format_argument(o, from, s->width);
		int64_t width = value_integer(&v);
		c.left = c.left || width < 0;
		c.width = (int)MIN(width < 0 ? 0 - (uint64_t)width : (uint64_t)width,
				   FORMAT_WIDTH_MOST);
	}
	if (s->precision) {
		struct value v = format_argument(o, from, s->precision);
		int64_t precision = value_integer(&v);
		c.precision = precision < 0 ? -1 : (int)MIN(precision, FORMAT_WIDTH_MOST);
	}
	return c;
}

static void result_print(struct output *o, const struct step *s, const struct arguments *from)
{
	if (!from->row)
		return;
	unsigned at = MIN(s->result, from->row->value_count - 1);
	const struct aggregation_value *v = &from->row->values[at];
	if (aggregate_row(v->layout->function)->is_histogram) {
		histogram_print(o, v);
		return;
	}
	int64_t result = aggregation_result(v);
	struct value_field number = {
		.kind = VALUE_INTEGER,
		.size = sizeof(result),
		.is_signed = !aggregate_row(v->layout->function)->is_unsigned,
	};
	struct conversion c = conversion_with_stars(o, s, from);
	convert_value(o, &c, &(struct value) { &number, (const void *)&result, sizeof(result) });
}

static void step_convert(struct output *o, const struct step *s, const struct arguments *from,
			 const struct value *v)
{
	struct conversion c = conversion_with_stars(o, s, from);
	convert_value(o, &c, v);
}

static void step_run(struct output *o, const struct step *s, const struct arguments *from)
{
	struct value v;
	if (o->setup.is_foreign) /* the format, too, may be anyone's */
		writer_add_shown(o->out, show_text(o, s->text, s->text_len, SHOW_LINES));
	else
		writer_add(o->out, s->text, s->text_len);
	switch (s->kind) {
	case STEP_TEXT:
		return;
	case STEP_SIGNED:
		v = format_argument(o, from, s->field);
		writer_signed(o->out, value_integer(&v), 0);
		return;
	case STEP_UNSIGNED:
		v = format_argument(o, from, s->field);
		writer_unsigned(o->out, value_unsigned(&v), 0);
		return;
	case STEP_STRING:
		v = format_argument(o, from, s->field);
		writer_add_shown(o->out, show_value(o, &v, strnlen((const char *)v.bytes, v.size),
						    SHOW_LINES));
		return;
	case STEP_VALUE:
		v = format_argument(o, from, s->field);
		step_convert(o, s, from, &v);
		return;
	case STEP_RESULT:
		result_print(o, s, from);
		return;
	}
}

void printf_run(struct output *o, const struct prepared *p, const struct arguments *from)
{
	for (size_t i = 0; p && i < p->count; i++)
		step_run(o, &p->steps[i], from);
}

char *printf_text(struct output *o, const struct prepared *p, const struct arguments *from)
{
	struct writer memory, *before = o->out;
	writer_init(&memory, -1);
	o->out = &memory;
	printf_run(o, p, from);
	writer_putc(&memory, '\0');
	o->out = before;
	return memory.buffer;
}
