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
#include "show/xml.h"

#define WIDTH 1200.0
#define ROW 16	      /* pixels of a frame's height, and of a line of text */
#define CHARACTER 7.2 /* pixels of a character of 12 pixels, monospaced */
#define NARROWEST 0.1 /* frames that have less pixels are not drawn */
#define TOP (3 * ROW) /* title, search, the frame below the pointer */

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

static void begin(struct show *s)
{
	s->state = stacks_new();
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	stacks_line(s->state, s, type, line);
}

/* --- frames ---------------------------------------------------------------------------------- */

static double share(const struct picture *p, uint64_t weight)
{
	return p->whole ? (double)weight / (double)p->whole : 1;
}

static void write_color(FILE *out, const struct frame *f)
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
	double width = WIDTH * share(p, n->total);
	unsigned y = TOP + (unsigned)(p->rows - 1 - depth) * ROW;
	size_t fits = width > 6 ? (size_t)((width - 6) / CHARACTER) : 0;
	fputs("<g class=\"f\">", p->out);
	write_hover(p, n);
	fprintf(p->out, "<rect x=\"%.4f\" y=\"%u\" width=\"%.4f\" height=\"%d\" fill=\"", x, y,
		width, ROW - 1);
	write_color(p->out, &n->frame);
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
	if (WIDTH * share(p, n->total) < NARROWEST) {
		p->narrow++;
		return;
	}
	write_box(p, n, x, depth);
	for (const struct tree_node *child = n->first; child; child = child->next) {
		write_frames(p, child, x, depth + 1);
		x += WIDTH * share(p, child->total);
	}
}

/* --- the rest -------------------------------------------------------------------------------- */

/* TITLE is that of the document, SUBTITLE says what is drawn. */
static void write_head(const struct picture *p, const char *title, const char *subtitle,
		       unsigned height)
{
	fprintf(p->out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%u\" "
		"viewBox=\"0 0 %.0f %u\">\n<title>",
		WIDTH, height, WIDTH, height);
	xml_text(p->out, title, SIZE_MAX);
	fputs("</title>\n<style>\n"
	      "text { font: 12px monospace; }\n"
	      ".f { cursor: pointer; } .f:hover rect { stroke: #000; stroke-width: 0.6; }\n"
	      ".f text { pointer-events: none; } .caller { opacity: 0.5; }\n"
	      ".found rect { fill: #c020c0; } .found text { fill: #fff; }\n"
	      ".button { cursor: pointer; fill: #04c; } #reset, #clear { visibility: hidden; }\n"
	      "</style>\n"
	      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
	      p->out);
	fprintf(p->out, "<text x=\"%.0f\" y=\"14\" text-anchor=\"middle\" font-weight=\"bold\">",
		WIDTH / 2);
	xml_text(p->out, title, 125);
	fputs("</text>\n<text x=\"3\" y=\"30\">", p->out);
	xml_text(p->out, subtitle, 140);
	fprintf(p->out,
		"</text>\n<text id=\"reset\" class=\"button\" x=\"3\" y=\"14\">reset zoom</text>\n"
		"<text id=\"search\" class=\"button\" x=\"%.0f\" y=\"14\" "
		"text-anchor=\"end\">search</text>\n"
		"<text id=\"found\" x=\"%.0f\" y=\"30\" text-anchor=\"end\"></text>\n"
		"<text id=\"clear\" class=\"button\" x=\"%.0f\" y=\"14\" "
		"text-anchor=\"end\">clear</text>\n"
		"<text id=\"info\" x=\"3\" y=\"%d\">\xc2\xa0</text>\n",
		WIDTH - 3, WIDTH - 3, WIDTH - 60, TOP - 6);
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

static void write_foot(const struct picture *p, const struct show *s, unsigned y)
{
	write_legend(p, y += ROW);
	for (size_t i = 0; i < s->notes.count; i++) {
		fprintf(p->out, "<text class=\"note\" x=\"3\" y=\"%u\">", y += ROW);
		xml_text(p->out, s->notes.items[i], 160);
		fputs("</text>\n", p->out);
	}
	fprintf(p->out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
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
	unsigned foot = TOP + (unsigned)p.rows * ROW;
	auto_free char *subtitle = mem_printf("%s, %" PRIu64 " in all", set->title, p.whole);
	write_head(&p, s->command ? s->command : set->title, subtitle,
		   foot + ROW * (unsigned)(s->notes.count + 2));
	fwrite(frames, 1, len, out);
	write_foot(&p, s, foot);
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

const struct form form = { "flamegraph", begin, line, end };
