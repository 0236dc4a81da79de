/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * folded - a line for each stack: its frames, outermost first, with semicolons between them, and
 * its weight
 *
 * The format of flamegraph.pl and all that read its input.  A semicolon in a name becomes a colon.
 */
#include <inttypes.h>

#include "show/stacks.h"

static void name_add(struct strbuf *path, const char *name)
{
	if (path->len)
		strbuf_putc(path, ';');
	for (; *name; name++)
		strbuf_putc(path, *name == ';' ? ':' : *name);
}

/* Stacks that begin with PATH and go on with N. */
static void write_stacks(FILE *out, struct strbuf *path, const struct tree_node *n)
{
	size_t len = path->len;
	name_add(path, n->frame->name);
	uint64_t own = tree_own(n);
	if (own)
		fprintf(out, "%s %" PRIu64 "\n", strbuf_text(path), own);
	for (const struct tree_node *child = n->first; child; child = child->next)
		write_stacks(out, path, child);
	path->len = len;
	strbuf_room(path, 0)[0] = '\0';
}

static struct error *end(struct show *s, FILE *out)
{
	struct stack_set set;
	struct error *err = stacks_choose(s->state, s, &set);
	auto_strbuf struct strbuf path = { 0 };
	uint64_t without = err ? 0 : tree_own(tree_root(set.tree));
	if (without)
		fprintf(out, "[no frames] %" PRIu64 "\n", without);
	if (!err)
		for (const struct tree_node *n = tree_root(set.tree)->first; n; n = n->next)
			write_stacks(out, &path, n);
	stacks_free(s->state);
	return err;
}

const struct form form = { "folded", stacks_begin, stacks_line, end };
