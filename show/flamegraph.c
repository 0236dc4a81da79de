/* SPDX-License-Identifier: BSD-2-Clause */
/* flamegraph - call stacks as one picture: SVG with its own script, no other file, no network */
#include "show/flame.h"
#include "show/stacks.h"
#include "show/svg.h"

static void write_picture(struct show *s, const struct stack_set *set, FILE *out)
{
	struct flame f;
	flame_plan(&f, set, UINT64_MAX);
	auto_free char *subtitle = flame_title(&f), *missing = flame_missing(&f);
	if (missing)
		show_note(s, "%s", missing);
	double foot = flame_height(&f);
	svg_begin(out, s, "flamegraph", subtitle, flame_style, foot + svg_notes_height(s));
	flame_write(out, &f);
	svg_notes(out, s, foot);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_script);
}

static struct error *end(struct show *s, FILE *out)
{
	struct stack_set set;
	struct error *err = stacks_choose(s->state, s, &set);
	if (!err)
		write_picture(s, &set, out);
	stacks_free(s->state);
	return err;
}

const struct form form = { "flamegraph", stacks_begin, stacks_line, end };
