/* SPDX-License-Identifier: BSD-2-Clause */
/* time_text - nanoseconds since 1970 as text, by a format of strftime(3) */
#include <time.h>

#include "base/time_unit.h"
#include "output/internal.h"
#include "types/types.h"

#define TEXT_MOST 8192 /* of a format that sema takes (sema/expression/subroutine.c) */

/* FORMAT with %N, nanoseconds, and %f, microseconds, which strftime() does not have, replaced. */
static void fraction_put(struct strbuf *out, const char *format, unsigned ns)
{
	for (; *format; format++) {
		if (format[0] != '%' || !format[1]) {
			strbuf_putc(out, *format);
			continue;
		}
		format++;
		if (*format == 'N')
			strbuf_printf(out, "%09u", ns);
		else if (*format == 'f')
			strbuf_printf(out, "%06u", ns / 1000);
		else
			strbuf_printf(out, "%%%c", *format);
	}
}

bool output_time_text(const struct type *type, int64_t value, struct strbuf *out)
{
	if (type->is_time)
		time_text(type->name, value, out);
	return type->is_time;
}

void time_text(const char *format, int64_t ns, struct strbuf *out)
{
	const int64_t second = NS_PER_SECOND;
	const bool before = ns % second < 0; /* 1970: the fraction counts upwards nevertheless */
	int64_t rest = ns % second + (before ? second : 0);
	time_t seconds = (time_t)(ns / second - before);
	auto_strbuf struct strbuf whole = { 0 };
	fraction_put(&whole, format, (unsigned)rest);
	struct tm local;
	char text[TEXT_MOST];
	if (localtime_r(&seconds, &local))
		strbuf_add(out, text, strftime(text, sizeof(text), strbuf_text(&whole), &local));
}
