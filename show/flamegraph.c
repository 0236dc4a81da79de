/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flamegraph - call stacks as one picture: SVG with its own script, no other file, no network
 *
 * Each frame is a box above its caller, as wide as its share of all stacks.  A click zooms, Escape
 * goes back, the search takes a regular expression; without a script the picture is whole, too.
 */
#include <inttypes.h>
#include <string.h>

#include "show/stacks.h"
#include "show/svg.h"
#include "show/xml.h"

#define ROW SVG_LINE  /* pixels of a frame's height */
#define CHARACTER 7.2 /* pixels of a character of 12 pixels, monospaced */
#define NARROWEST 0.1 /* frames that have less pixels are not drawn */

static const char script[] =
#include "flamegraph.inc"
	;

/* Colours from FROM by a share of RANGE that depends on the name, each red, green, blue. */
struct palette {
	const char *word; /* in the legend; NULL: it stands for itself */
	unsigned char from[3], range[3];
};

static const struct palette palettes[FRAME_KINDS] = {
	[FRAME_ALL] = { NULL, { 224, 224, 224 }, { 0, 0, 0 } },
	[FRAME_KEY] = { "key", { 205, 205, 190 }, { 30, 30, 30 } },
	[FRAME_MISSING] = { "missing", { 245, 245, 245 }, { 0, 0, 0 } },
	[FRAME_USER] = { "process", { 230, 130, 60 }, { 25, 80, 30 } },
	[FRAME_INLINED] = { "inlined", { 240, 195, 130 }, { 15, 45, 40 } },
	[FRAME_INTERPRETED] = { "interpreted", { 110, 180, 100 }, { 60, 50, 50 } },
	[FRAME_KERNEL] = { "kernel", { 110, 150, 210 }, { 60, 60, 40 } },
};

struct picture {
	FILE *out;
	size_t rows;	 /* of frames, with the root */
	uint64_t whole;	 /* weight of all stacks */
	uint64_t narrow; /* frames that are not drawn */
	bool used[FRAME_KINDS];
};

/* --- frames ---------------------------------------------------------------------------------- */

static double share(const struct picture *p, uint64_t weight)
{
	return p->whole ? (double)weight / (double)p->whole : 1;
}

static void write_colour(FILE *out, const struct frame *f)
{
	const struct palette *p = &palettes[f->kind];
	uint64_t hash = hash_more(HASH_OF_NOTHING, f->name, strlen(f->name));
	unsigned part = (unsigned)(hash >> 32) % 101;
	fputc('#', out);
	for (int i = 0; i < 3; i++)
		fprintf(out, "%02x", p->from[i] + p->range[i] * part / 100);
}

static void write_hover(const struct picture *p, const struct tree_node *n)
{
	const char *word = palettes[n->frame.kind].word;
	fputs("<title>", p->out);
	xml_text(p->out, n->frame.name, SIZE_MAX);
	fprintf(p->out, "\n%" PRIu64 " of %" PRIu64 ", %.2f %%", n->total, p->whole,
		100 * share(p, n->total));
	if (n->own && n->first)
		fprintf(p->out, "; own: %" PRIu64, n->own);
	if (word)
		fprintf(p->out, "; %s", word);
	fputs("</title>", p->out);
}

static void write_box(struct picture *p, const struct tree_node *n, double x, size_t depth)
{
	double width = SVG_WIDTH * share(p, n->total);
	unsigned y = SVG_TOP + (unsigned)(p->rows - 1 - depth) * ROW;
	size_t fits = width > 6 ? (size_t)((width - 6) / CHARACTER) : 0;
	fputs("<g class=\"f\">", p->out);
	write_hover(p, n);
	fprintf(p->out, "<rect x=\"%.4f\" y=\"%u\" width=\"%.4f\" height=\"%d\" fill=\"", x, y,
		width, ROW - 1);
	write_colour(p->out, &n->frame);
	fputs("\"/>", p->out);
	if (fits >= 3) {
		fprintf(p->out, "<text x=\"%.2f\" y=\"%u\">", x + 3, y + 12);
		xml_text(p->out, n->frame.name, fits);
		fputs("</text>", p->out);
	}
	fputs("</g>\n", p->out);
	p->used[n->frame.kind] = true;
}

/* N and all that it calls, from X on. */
static void write_frames(struct picture *p, const struct tree_node *n, double x, size_t depth)
{
	if (SVG_WIDTH * share(p, n->total) < NARROWEST) {
		p->narrow++;
		return;
	}
	write_box(p, n, x, depth);
	for (const struct tree_node *child = n->first; child; child = child->next) {
		write_frames(p, child, x, depth + 1);
		x += SVG_WIDTH * share(p, child->total);
	}
}

/* --- the rest -------------------------------------------------------------------------------- */

static const char style[] =
	".f { cursor: pointer; } .f:hover rect { stroke: #000; stroke-width: 0.6; }\n"
	".f text { pointer-events: none; } .caller { opacity: 0.5; }\n"
	".found rect { fill: #c020c0; } .found text { fill: #fff; }\n"
	".button { cursor: pointer; fill: #04c; } #reset, #clear { visibility: hidden; }\n";

/* What the script works with: buttons, the share that was found, the frame below the pointer. */
static void write_controls(FILE *out)
{
	fprintf(out,
		"<text id=\"reset\" class=\"button\" x=\"3\" y=\"14\">reset zoom</text>\n"
		"<text id=\"search\" class=\"button\" x=\"%.0f\" y=\"14\" "
		"text-anchor=\"end\">search</text>\n"
		"<text id=\"found\" x=\"%.0f\" y=\"30\" text-anchor=\"end\"></text>\n"
		"<text id=\"clear\" class=\"button\" x=\"%.0f\" y=\"14\" "
		"text-anchor=\"end\">clear</text>\n"
		"<text id=\"info\" x=\"3\" y=\"%d\">\xc2\xa0</text>\n",
		SVG_WIDTH - 3, SVG_WIDTH - 3, SVG_WIDTH - 60, SVG_TOP - 6);
}

/* A box of its colour and a word for each kind of frame that is in the picture. */
static void write_legend(const struct picture *p, unsigned y)
{
	double x = 3;
	for (unsigned kind = 0; kind < FRAME_KINDS; kind++) {
		const struct palette *c = &palettes[kind];
		if (!p->used[kind] || !c->word)
			continue;
		fprintf(p->out,
			"<rect x=\"%.1f\" y=\"%u\" width=\"12\" height=\"12\" "
			"fill=\"#%02x%02x%02x\"/><text x=\"%.1f\" y=\"%u\">%s</text>\n",
			x, y - 10, c->from[0] + c->range[0] / 2, c->from[1] + c->range[1] / 2,
			c->from[2] + c->range[2] / 2, x + 16, y, c->word);
		x += 16 + CHARACTER * (double)(strlen(c->word) + 2);
	}
}

static void count_narrow(const struct picture *p, struct show *s)
{
	if (p->narrow)
		show_note(s,
			  "%" PRIu64 " functions, and what they call, are narrower than %.1f "
			  "pixels and not drawn",
			  p->narrow, NARROWEST);
}

static void write_picture(struct show *s, const struct stack_set *set, FILE *out)
{
	const struct tree_node *root = tree_root(set->tree);
	struct picture p = { out, .rows = tree_depth(set->tree) + 1, .whole = root->total };
	/* How many lines the foot has is known after the frames, which are a text of their own. */
	auto_free char *frames = NULL;
	size_t len;
	p.out = open_memstream(&frames, &len);
	write_frames(&p, root, 0, 0);
	fclose(p.out);
	p.out = out;
	count_narrow(&p, s);
	unsigned foot = SVG_TOP + (unsigned)p.rows * ROW;
	auto_free char *subtitle = mem_printf("%s, %" PRIu64 " in all", set->title, p.whole);
	svg_begin(out, s, subtitle, style, foot + ROW * (unsigned)(s->notes.count + 2));
	write_controls(out);
	fwrite(frames, 1, len, out);
	write_legend(&p, foot + ROW);
	svg_notes(out, s, foot + ROW);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
}

static struct error *end(struct show *s, FILE *out)
{
	struct stack_set set;
	struct error *err = stacks_choose(s, &set);
	if (!err)
		write_picture(s, &set, out);
	stacks_free(s);
	return err;
}

const struct form form = { "flamegraph", stacks_begin, stacks_line, end };
