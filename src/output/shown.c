/* SPDX-License-Identifier: BSD-2-Clause */
/* shown - foreign text on a terminal, and in lines with our layout */
#include "base/escape.h"
#include "output/internal.h"

struct shown show_text(struct output *o, const void *text, size_t len, enum show how)
{
	bool on_terminal = o->out->is_terminal && !o->options.rawterminal;
	bool in_line = how == SHOW_IN_LINE;
	unsigned what = (on_terminal ? ESCAPE_CONTROLS : 0) | (in_line ? ESCAPE_NEWLINES : 0) |
			(on_terminal && in_line ? ESCAPE_TABS : 0);
	if (!escape_changes(text, len, what))
		return (struct shown) { text, len };
	strbuf_clear(&o->shown);
	escape_add(&o->shown, text, len, what);
	return (struct shown) { strbuf_text(&o->shown), o->shown.len };
}

struct shown show_value(struct output *o, const struct value *v, size_t len, enum show how)
{
	if (v->field->kind == VALUE_STRING_CONST && !v->field->is_argument && !o->setup.is_foreign)
		return (struct shown) { (const char *)v->bytes, len };
	return show_text(o, v->bytes, len, how);
}
