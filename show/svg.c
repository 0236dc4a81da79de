/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/svg.h"

#include "show/xml.h"

void svg_begin(FILE *out, const struct show *s, const char *class, const char *subtitle,
	       const char *style, double height)
{
	const char *title = s->command ? s->command : subtitle;
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" width=\"%.0f\" "
		"height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
		class, SVG_WIDTH, height, SVG_WIDTH, height);
	xml_text(out, title, SIZE_MAX);
	fprintf(out,
		"</title>\n<style>\ntext { font: 12px monospace; }\n%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\" pointer-events=\"none\"/>\n"
		"<text x=\"%.0f\" y=\"14\" text-anchor=\"middle\" font-weight=\"bold\">",
		style, SVG_WIDTH / 2);
	xml_text(out, title, 125);
	fputs("</text>\n<text x=\"3\" y=\"30\">", out);
	xml_text(out, subtitle, 140);
	fputs("</text>\n", out);
}

double svg_notes_height(const struct show *s)
{
	return SVG_LINE * (double)(s->notes.count + 1);
}

void svg_notes(FILE *out, const struct show *s, double y)
{
	for (size_t i = 0; i < s->notes.count; i++) {
		fprintf(out, "<text class=\"note\" x=\"3\" y=\"%.0f\">", y += SVG_LINE);
		xml_text(out, s->notes.items[i], 160);
		fputs("</text>\n", out);
	}
}
