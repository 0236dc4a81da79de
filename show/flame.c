/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/flame.h"

#include <inttypes.h>
#include <string.h>

#include "show/svg.h"
#include "show/xml.h"

#define ROW SVG_LINE	 /* pixels of a frame's height */
#define CHARACTER 7.2	 /* pixels of a character of 12 pixels, monospaced */
#define NARROW_LEAST 0.1 /* frames that have less pixels are not drawn */

const char flame_script[] =
#include "show/flame.js.inc"
	;

const char flame_style[] =
	".f { cursor: pointer; } .f:hover rect { stroke: #000; stroke-width: 0.6; }\n"
	".f text { pointer-events: none; } .caller { opacity: 0.5; }\n"
	".found rect { fill: #c020c0; } .found text { fill: #fff; }\n"
	".button { cursor: pointer; fill: #04c; } .reset, .clear { visibility: hidden; }\n";

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

/* --- what is drawn --------------------------------------------------------------------------- */

static double width_of(const struct flame *f, const struct tree_node *n)
{
	uint64_t whole = tree_root(f->set->tree)->total;
	return SVG_WIDTH * (whole ? (double)n->total / (double)whole : 1);
}

static void count_boxes(struct flame *f, const struct tree_node *n)
{
	if (width_of(f, n) < f->narrowest) {
		f->narrow++;
		return;
	}
	f->boxes++;
	f->used[n->frame->kind] = true;
	for (const struct tree_node *child = n->first; child; child = child->next)
		count_boxes(f, child);
}

void flame_plan(struct flame *ret, const struct stack_set *set, uint64_t most)
{
	*ret = (struct flame) { set, .narrowest = NARROW_LEAST };
	count_boxes(ret, tree_root(set->tree));
	while (ret->boxes > most && ret->narrowest < SVG_WIDTH / 2) {
		*ret = (struct flame) { set, .narrowest = 2 * ret->narrowest };
		count_boxes(ret, tree_root(set->tree));
	}
}

static unsigned rows_end(const struct flame *f)
{
	return SVG_TOP + (unsigned)(tree_depth(f->set->tree) + 1) * ROW;
}

double flame_height(const struct flame *f)
{
	return rows_end(f) + ROW;
}

char *flame_title(const struct flame *f)
{
	return mem_printf("%s, %" PRIu64 " in all", f->set->title, tree_root(f->set->tree)->total);
}

char *flame_missing(const struct flame *f)
{
	if (!f->narrow)
		return NULL;
	return mem_printf("%" PRIu64 " functions, and what they call, are narrower than %.1f "
			  "pixels and not drawn",
			  f->narrow, f->narrowest);
}

/* --- boxes ----------------------------------------------------------------------------------- */

static void write_colour(FILE *out, const struct frame *f)
{
	const struct palette *p = &palettes[f->kind];
	uint64_t hash = hash_more(HASH_OF_NOTHING, f->name, strlen(f->name));
	unsigned part = (unsigned)(hash >> 32) % 101;
	fputc('#', out);
	for (int i = 0; i < 3; i++)
		fprintf(out, "%02x", p->from[i] + p->range[i] * part / 100);
}

static void write_hover(FILE *out, const struct flame *f, const struct tree_node *n)
{
	const char *word = palettes[n->frame->kind].word;
	fputs("<title>", out);
	xml_text(out, n->frame->name, SIZE_MAX);
	fprintf(out, "\n%" PRIu64 " of %" PRIu64 ", %.2f %%", n->total,
		tree_root(f->set->tree)->total, 100 * width_of(f, n) / SVG_WIDTH);
	uint64_t own = n->first ? tree_own(n) : 0;
	if (own)
		fprintf(out, "; own: %" PRIu64, own);
	if (word)
		fprintf(out, "; %s", word);
	fputs("</title>", out);
}

static void write_box(FILE *out, const struct flame *f, const struct tree_node *n, double x,
		      unsigned y)
{
	double width = width_of(f, n);
	size_t fits = width > 6 ? (size_t)((width - 6) / CHARACTER) : 0;
	fputs("<g class=\"f\">", out);
	write_hover(out, f, n);
	fprintf(out, "<rect x=\"%.4f\" y=\"%u\" width=\"%.4f\" height=\"%d\" fill=\"", x, y, width,
		ROW - 1);
	write_colour(out, n->frame);
	fputs("\"/>", out);
	if (fits >= 3) {
		fprintf(out, "<text x=\"%.2f\" y=\"%u\">", x + 3, y + 12);
		xml_text(out, n->frame->name, fits);
		fputs("</text>", out);
	}
	fputs("</g>\n", out);
}

/* N, whose box is at X and Y, and above it all that it calls. */
static void write_boxes(FILE *out, const struct flame *f, const struct tree_node *n, double x,
			unsigned y)
{
	if (width_of(f, n) < f->narrowest)
		return;
	write_box(out, f, n, x, y);
	for (const struct tree_node *child = n->first; child; child = child->next) {
		write_boxes(out, f, child, x, y - ROW);
		x += width_of(f, child);
	}
}

/* --- the rest -------------------------------------------------------------------------------- */

/* What the script works with: buttons, the share that was found, the frame below the pointer. */
static void write_controls(FILE *out)
{
	fprintf(out,
		"<text class=\"button reset\" x=\"3\" y=\"14\">reset zoom</text>\n"
		"<text class=\"button search\" x=\"%.0f\" y=\"14\" "
		"text-anchor=\"end\">search</text>\n"
		"<text class=\"says\" x=\"%.0f\" y=\"30\" text-anchor=\"end\"></text>\n"
		"<text class=\"button clear\" x=\"%.0f\" y=\"14\" "
		"text-anchor=\"end\">clear</text>\n"
		"<text class=\"info\" x=\"3\" y=\"%d\">\xc2\xa0</text>\n",
		SVG_WIDTH - 3, SVG_WIDTH - 3, SVG_WIDTH - 60, SVG_TOP - 6);
}

/* A box of its colour and a word for each kind of frame that is in the picture. */
static void write_legend(FILE *out, const struct flame *f, unsigned y)
{
	double x = 3;
	for (unsigned kind = 0; kind < FRAME_KINDS; kind++) {
		const struct palette *c = &palettes[kind];
		if (!f->used[kind] || !c->word)
			continue;
		fprintf(out,
			"<rect x=\"%.1f\" y=\"%u\" width=\"12\" height=\"12\" "
			"fill=\"#%02x%02x%02x\"/><text x=\"%.1f\" y=\"%u\">%s</text>\n",
			x, y - 10, c->from[0] + c->range[0] / 2, c->from[1] + c->range[1] / 2,
			c->from[2] + c->range[2] / 2, x + 16, y, c->word);
		x += 16 + CHARACTER * (double)(strlen(c->word) + 2);
	}
}

void flame_write(FILE *out, const struct flame *f)
{
	write_controls(out);
	write_boxes(out, f, tree_root(f->set->tree), 0, rows_end(f) - ROW);
	write_legend(out, f, rows_end(f) + ROW);
}
