/* SPDX-License-Identifier: BSD-2-Clause */
/* dump - bytes in hexadecimal, sixteen in a row */
#include "output/internal.h"

#define ROW_BYTES 16

static void dump_row(struct writer *w, const unsigned char *bytes, uint32_t offset, uint32_t count)
{
	writer_printf(w, "     %5x:", offset);
	for (uint32_t i = 0; i < ROW_BYTES; i++) {
		if (i < count)
			writer_printf(w, " %02x", bytes[i]);
		else
			writer_puts(w, "   ");
	}
	writer_puts(w, "  ");
	for (uint32_t i = 0; i < count; i++)
		writer_putc(w, bytes[i] >= 0x20 && bytes[i] <= 0x7e ? (char)bytes[i] : '.');
	writer_putc(w, '\n');
}

void dump_print(struct output *o, const unsigned char *bytes, uint32_t size)
{
	if (size == 0)
		return;
	writer_putc(o->out, '\n');
	writer_fill(o->out, ' ', 11);
	for (int i = 0; i < ROW_BYTES; i++)
		writer_printf(o->out, "  %x", (unsigned)i);
	writer_puts(o->out, "  0123456789abcdef\n");
	for (uint32_t at = 0; at < size; at += ROW_BYTES)
		dump_row(o->out, bytes + at, at, MIN(size - at, ROW_BYTES));
}
