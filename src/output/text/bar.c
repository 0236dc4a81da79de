/* SPDX-License-Identifier: BSD-2-Clause */
/* bar - counts as bars, 40 columns wide where they fit the terminal */
#include "output/internal.h"

#define BAR_LEAST 16

struct bars bars_begin(const struct writer *w, size_t beside)
{
	size_t room = !w->line_cells	       ? BAR_MOST
		      : w->line_cells > beside ? w->line_cells - beside
					       : 0;
	return (struct bars) { .width = MIN(MAX(room, BAR_LEAST), BAR_MOST) / 2 * 2 };
}

void bars_head(struct writer *w, const struct bars *b, const char *column, size_t width)
{
	static const char title[] = " Distribution ";
	unsigned dashes = (b->width - (unsigned)strlen(title)) / 2;
	writer_printf(w, "\n%*s  ", (int)width, column);
	writer_fill(w, '-', dashes);
	writer_puts(w, title);
	writer_fill(w, '-', dashes);
	writer_printf(w, " %-*s\n", COUNT_WIDTH, "count");
}

long double magnitude(int64_t count)
{
	return count < 0 ? -(long double)count : (long double)count;
}

void bars_add(struct bars *b, int64_t count)
{
	b->sum += magnitude(count);
	b->greatest = MAX(b->greatest, magnitude(count));
	b->has_positive |= count > 0;
	b->has_negative |= count < 0;
}

/* Columns that COUNT fills of WIDTH; with aggzoom the greatest fills 95 % of them. */
static size_t depth(const struct bars *b, int64_t count, unsigned width)
{
	long double whole = b->zoom ? b->greatest / 0.95L : b->sum;
	if (whole == 0)
		return 0;
	return MIN((size_t)(magnitude(count) * width / whole + 0.5L), width);
}

static void bar_mixed(struct writer *w, const struct bars *b, int64_t count)
{
	unsigned half = b->width / 2;
	size_t filled = depth(b, count, half);
	if (count <= 0) {
		writer_fill(w, ' ', half - filled);
		writer_fill(w, '@', filled);
		writer_putc(w, '|');
		writer_fill(w, ' ', half);
	} else {
		writer_fill(w, ' ', half);
		writer_putc(w, '|');
		writer_fill(w, '@', filled);
		writer_fill(w, ' ', half - filled);
	}
}

void bar_print(struct writer *w, const struct bars *b, int64_t count)
{
	size_t filled = depth(b, count, b->width);
	if (b->has_negative && b->has_positive) {
		bar_mixed(w, b, count);
	} else if (b->has_negative) {
		writer_fill(w, ' ', b->width - filled);
		writer_fill(w, '@', filled);
		writer_putc(w, '|');
	} else {
		writer_putc(w, '|');
		writer_fill(w, '@', filled);
		writer_fill(w, ' ', b->width - filled);
	}
}
