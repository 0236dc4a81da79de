/* SPDX-License-Identifier: BSD-2-Clause */
/* convert - one conversion of a format, run */
#include <arpa/inet.h>
#include <locale.h>
#include <netdb.h>
#include <string.h>

#include "base/escape.h"
#include "base/format.h"
#include "output/internal.h"

static void pad_shown(struct output *o, const struct conversion *c, struct shown s)
{
	size_t width = (size_t)c->width;
	if (c->left)
		writer_pad_right(o->out, s.text, s.len, width);
	else
		writer_pad_left(o->out, s.text, s.len, width);
}

static void pad_scratch(struct output *o, const struct conversion *c)
{
	pad_shown(o, c, show_text(o, strbuf_text(&o->scratch), o->scratch.len, SHOW_LINES));
}

/* The values of * in the C conversion: a negative width is the flag "-". */
static int c_width(const struct conversion *c)
{
	return c->left ? -c->width : c->width;
}

/* The formats are those that printf_prepare() made for exactly these arguments. */
static void print_integer(struct output *o, const struct conversion *c, uint64_t x)
{
	writer_printf(o->out, c->spec, c_width(c), c->precision, (unsigned long)x);
}

static void print_float(struct output *o, const struct conversion *c, const struct value *v)
{
	writer_printf(o->out, c->spec, c_width(c), c->precision,
		      float_read(v->bytes, v->size, v->size));
}

static void convert_number(struct output *o, const struct conversion *c, int64_t number,
			   bool is_signed)
{
	char letter = c->what->letter;
	if (letter != 'd' && letter != 'i') {
		print_integer(o, c, (uint64_t)number);
		return;
	}
	struct conversion own = *c;
	own.spec[strlen(own.spec) - 1] = is_signed ? 'd' : 'u';
	print_integer(o, &own, (uint64_t)number);
}

static void convert_integer(struct output *o, const struct conversion *c, const struct value *v)
{
	char letter = c->what->letter;
	bool is_decimal = letter == 'd' || letter == 'i';
	if (is_decimal && v->field->is_signed)
		convert_number(o, c, value_integer(v), true);
	else
		convert_number(o, c, (int64_t)value_unsigned(v), false);
}

/* --- text ------------------------------------------------------------------------------- */

/* Code points beyond ASCII go out as UTF-8, whatever the locale. */
static void wide_add(struct strbuf *out, uint32_t c)
{
	if (c < 0x80) {
		strbuf_putc(out, (char)c);
		return;
	}
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char marks[] = { 0, 0xc0, 0xe0, 0xf0 };
	strbuf_putc(out, (char)(marks[more] | ((c >> (6 * more)) & 0x3f)));
	while (more--)
		strbuf_putc(out, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

static void convert_character(struct output *o, const struct conversion *c, const struct value *v)
{
	uint32_t code = (uint32_t)value_unsigned(v);
	strbuf_clear(&o->scratch);
	if (c->what->size[0])
		wide_add(&o->scratch, code);
	else if (c->what->letter == 'C')
		escape_add_byte(&o->scratch, (unsigned char)code);
	else
		strbuf_putc(&o->scratch, (char)code);
	pad_scratch(o, c);
}

static void convert_wide_string(struct output *o, const struct conversion *c, const struct value *v)
{
	strbuf_clear(&o->scratch);
	uint32_t most = c->precision >= 0 ? (uint32_t)c->precision : UINT32_MAX;
	for (uint32_t i = 0; i < v->size / 4 && i < most; i++) {
		uint32_t code;
		memcpy(&code, v->bytes + 4 * (size_t)i, sizeof(code));
		if (!code)
			break;
		wide_add(&o->scratch, code);
	}
	pad_scratch(o, c);
}

static void convert_text_value(struct output *o, const struct conversion *c, const struct value *v)
{
	size_t len = strnlen((const char *)v->bytes, v->size);
	if (c->what->letter != 'S') {
		if (c->precision >= 0)
			len = MIN(len, (size_t)c->precision);
		pad_shown(o, c, show_value(o, v, len, SHOW_LINES));
		return;
	}
	strbuf_clear(&o->scratch);
	for (size_t i = 0; i < len; i++)
		escape_add_byte(&o->scratch, v->bytes[i]);
	if (c->precision >= 0 && (size_t)c->precision < o->scratch.len)
		o->scratch.len = (size_t)c->precision;
	pad_scratch(o, c);
}

/* Of an enum: the name or the number. */
static void convert_enum(struct output *o, const struct conversion *c, const struct value *v)
{
	value_enum_text(o, v);
	if (c->precision >= 0)
		o->scratch.len = MIN(o->scratch.len, (size_t)c->precision);
	pad_scratch(o, c);
}

/* --- what only D has ------------------------------------------------------------------------ */

static void convert_address(struct output *o, const struct conversion *c, const struct value *v)
{
	strbuf_clear(&o->scratch);
	if (value_is_symbol(v))
		address_text(o, v, true, &o->scratch);
	else if (c->what->letter == 'A')
		address_text_user(o, o->setup.target, value_unsigned(v), &o->scratch);
	else
		address_text_kernel(o, value_unsigned(v), &o->scratch);
	pad_scratch(o, c);
}

static void convert_time(struct output *o, const struct conversion *c, const struct value *v)
{
	const char *format = c->what->letter == 'T' ? "%a, %d %b %Y %T %Z" : "%Y %b %e %T";
	strbuf_clear(&o->scratch);
	time_text(format, (int64_t)value_unsigned(v), &o->scratch);
	pad_scratch(o, c);
}

static void convert_port(struct output *o, const struct conversion *c, const struct value *v)
{
	uint16_t port = (uint16_t)value_unsigned(v);
	struct servent entry, *found = NULL;
	char names[1024], number[8];
	getservbyport_r(htons(port), NULL, &entry, names, sizeof(names), &found);
	snprintf(number, sizeof(number), "%u", port);
	const char *text = found ? found->s_name : number;
	pad_shown(o, c, show_text(o, text, strlen(text), SHOW_LINES));
}

static void convert_host(struct output *o, const struct conversion *c, const struct value *v)
{
	size_t len = strnlen((const char *)v->bytes, v->size);
	auto_free char *address = mem_strndup((const char *)v->bytes, len);
	auto_free char *name = host_name(address, HOSTS_FILE);
	const char *text = name ? name : address;
	pad_shown(o, c, show_text(o, text, strlen(text), SHOW_LINES));
}

static void convert_stack(struct output *o, const struct conversion *c, const struct value *v)
{
	if (value_is_stack(v))
		stack_print(o, v, c->left ? c->width : 0, c->left ? 0 : c->width);
}

/* --- any ------------------------------------------------------------------------------------- */

/* Sema has matched letters and types; a mismatch is printed by its kind. */
static void convert_by_kind(struct output *o, const struct conversion *c, const struct value *v)
{
	if (value_is_stack(v))
		convert_stack(o, c, v);
	else if (value_is_symbol(v))
		convert_address(o, c, v);
	else
		convert_text_value(o, c, v);
}

static void convert_any(struct output *o, const struct conversion *c, const struct value *v)
{
	bool is_integer = v->field->kind == VALUE_INTEGER;
	switch (c->what->letter) {
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
	case 'p':
		return is_integer ? convert_integer(o, c, v) : convert_by_kind(o, c, v);
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		return v->field->kind == VALUE_FLOAT ? print_float(o, c, v)
						     : convert_by_kind(o, c, v);
	case 'c':
	case 'C':
		return is_integer ? convert_character(o, c, v) : convert_by_kind(o, c, v);
	case 's':
	case 'S':
		if (c->what->size[0] && v->field->kind == VALUE_BYTES)
			return convert_wide_string(o, c, v);
		return is_integer ? convert_enum(o, c, v) : convert_by_kind(o, c, v);
	case 'a':
	case 'A':
		return is_integer || value_is_symbol(v) ? convert_address(o, c, v)
							: convert_by_kind(o, c, v);
	case 'T':
	case 'Y':
		return convert_time(o, c, v);
	case 'P':
		return convert_port(o, c, v);
	case 'I':
		return convert_host(o, c, v);
	default:
		return convert_by_kind(o, c, v);
	}
}

/*
 * The user's grouping of digits.  We run in the C locale, where all output is the same everywhere,
 * and which has no grouping; 0: no grouping here either.
 */
static locale_t grouping_locale(void)
{
	static locale_t locale;
	static bool is_known;
	if (!is_known)
		locale = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);
	is_known = true;
	return locale;
}

void convert_value(struct output *o, const struct conversion *c, const struct value *v)
{
	locale_t before = c->what->group ? uselocale(grouping_locale()) : (locale_t)0;
	convert_any(o, c, v);
	if (before)
		uselocale(before);
}
