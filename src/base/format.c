/* SPDX-License-Identifier: BSD-2-Clause */
/* format - printf and printa formats, taken apart */
#include "base/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Which size prefixes a conversion takes; "" is always right. */
static const struct {
	const char *letters;
	const char *sizes[5];
} letter_sizes[] = {
	{ "diouxX", { "h", "hh", "l", "ll" } },
	{ "eEfgG", { "L" } },
	{ "cs", { "l", "w" } },
	{ "aACIkpPSTY", { NULL } },
};

/* A place in the format, and where literal text goes. */
struct reader {
	const char *at;
	const char *percent; /* where the conversion began */
	char *text;	     /* the end of the literal text so far */
	struct format_conversion *conversion;
};

static void read_flags(struct reader *r)
{
	struct format_conversion *c = r->conversion;
	for (;; r->at++) {
		switch (*r->at) {
		case '#':
			c->alternate = true;
			break;
		case '0': /* the later one of 0 and - wins */
			c->zero = true;
			c->left = false;
			break;
		case '-':
			c->left = true;
			c->zero = false;
			break;
		case '+':
			c->plus = true;
			break;
		case ' ':
			c->blank = true;
			break;
		case '\'':
			c->group = true;
			break;
		case '?':
			c->pointer_width = true;
			break;
		case '@':
			c->aggregation = true;
			break;
		default:
			return;
		}
	}
}

/* Digits or a star.  Sets *NUMBER to -1 when there are neither. */
static const char *format_read_number(struct reader *r, int *number, bool *star)
{
	*number = -1;
	if (*r->at == '*') {
		*star = true;
		r->at++;
		return *r->at == '*' ? "it has more than one * in the same place" : NULL;
	}
	if (*r->at < '0' || *r->at > '9')
		return NULL;
	for (*number = 0; *r->at >= '0' && *r->at <= '9'; r->at++)
		*number = MIN(*number * 10 + (*r->at - '0'), FORMAT_WIDTH_MOST + 1);
	return *number > FORMAT_WIDTH_MOST ? "a width or precision is more than 65536" : NULL;
}

/* The classic reader takes flags at any place before the letter: %16@d is %@16d. */
static const char *read_flags_and_numbers(struct reader *r)
{
	struct format_conversion *c = r->conversion;
	read_flags(r);
	const char *problem = format_read_number(r, &c->width, &c->width_star);
	if (problem)
		return problem;
	if (*r->at == '$')
		return "positional arguments (n$) are not supported";

	read_flags(r);
	if (*r->at != '.')
		return NULL;
	r->at++;
	problem = format_read_number(r, &c->precision, &c->precision_star);
	if (problem)
		return problem;
	if (!c->precision_star && c->precision < 0)
		c->precision = 0;
	read_flags(r);
	return *r->at == '.' ? "it has more than one . in a conversion" : NULL;
}

static void read_size(struct reader *r)
{
	size_t len = strspn(r->at, "hlLw");
	size_t kept = len < sizeof(r->conversion->size) ? len : sizeof(r->conversion->size) - 1;
	memcpy(r->conversion->size, r->at, kept);
	if (len > kept) /* "lll": let no letter go with it */
		r->conversion->size[0] = '!';
	r->at += len;
}

static const char *check_letter(const struct format_conversion *c)
{
	for (size_t i = 0; i < sizeof(letter_sizes) / sizeof(letter_sizes[0]); i++) {
		if (!strchr(letter_sizes[i].letters, c->letter))
			continue;
		if (!c->size[0])
			return NULL;
		for (const char *const *size = letter_sizes[i].sizes; *size; size++)
			if (strcmp(*size, c->size) == 0)
				return NULL;
		return "a size prefix does not go with its conversion";
	}
	return "it has an unknown conversion";
}

static const char *read_conversion(struct reader *r)
{
	const char *problem = read_flags_and_numbers(r);
	if (problem)
		return problem;
	read_size(r);
	if (!*r->at)
		return "it ends inside a conversion";
	if (*r->at == '%')
		return "% with flags or a width is not a conversion";
	r->conversion->letter = *r->at;
	problem = check_letter(r->conversion);
	r->at += !problem;
	return problem;
}

/* Literal text up to the next conversion or the end; %% is one %. */
static const char *format_read_piece(struct reader *r)
{
	struct format_conversion *c = r->conversion;
	*c = (struct format_conversion) { .text = r->text, .width = -1, .precision = -1 };
	while (*r->at && !c->letter) {
		if (*r->at != '%') {
			*r->text++ = *r->at++;
			continue;
		}
		if (r->at[1] == '%') {
			*r->text++ = '%';
			r->at += 2;
			continue;
		}
		c->text_len = (size_t)(r->text - c->text);
		r->percent = r->at++;
		return read_conversion(r);
	}
	c->text_len = (size_t)(r->text - c->text);
	return NULL;
}

/*
 * The literal text is copied, with %% made %, after the conversions: one block of memory holds
 * both.
 */
struct error *format_parse(const char *text, struct format *ret)
{
	size_t most = 1;
	for (const char *p = text; *p; p++)
		most += *p == '%';
	struct format_conversion *conversions =
		mem_zalloc(most * sizeof(*conversions) + strlen(text) + 1);

	struct reader r = { text, NULL, (char *)(conversions + most), conversions };
	for (;; r.conversion++) {
		const char *problem = format_read_piece(&r);
		if (problem) {
			free(conversions);
			/* with the conversion that it is about, as far as it was read */
			size_t len = (size_t)(r.at - r.percent) + (*r.at != '\0');
			return error_new("%s: %.*s", problem, (int)len, r.percent);
		}
		if (!r.conversion->letter)
			break;
	}
	ret->conversions = conversions;
	ret->count = (size_t)(r.conversion - conversions) + 1;
	return NULL;
}

void format_deinit(struct format *f)
{
	free(f->conversions);
	*f = (struct format) { NULL, 0 };
}
