/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pprof - call stacks for pprof and all that reads its files: profile.proto, compressed by gzip
 *
 * Keys that are not stacks are labels, with their expressions as names.  Frames have their
 * addresses, lines and inlined functions, mappings their build ids.  Notes are comments.
 */
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "show/pprof/profile.h"
#include "show/stacks.h"
#include "show/value.h"

struct walk {
	const struct show *show;
	const struct stack_set *set;
	struct profile *profile;
	VECTOR(struct location *) path;
	VECTOR(struct label) labels;
	struct arena *names;
	uint64_t too_large; /* values */
};

static void begin(struct show *s)
{
	s->state = stacks_new(true);
}

/* --- samples --------------------------------------------------------------------------------- */

static const char *label_name(struct walk *w, const struct frame *key)
{
	size_t index = key->place ? key->place->index : 0;
	auto_strbuf struct strbuf name = { 0 };
	if (!w->set->name || !show_key_name(w->show, w->set->name, index, &name))
		strbuf_printf(&name, "key%zu", index + 1);
	return arena_strdup(w->names, strbuf_text(&name));
}

static void walk_node(struct walk *w, const struct tree_node *n);

static void walk_children(struct walk *w, const struct tree_node *n)
{
	uint64_t own = tree_own(n);
	w->too_large += own > INT64_MAX;
	if (own)
		profile_sample(w->profile, w->path.items, w->path.count, w->labels.items,
			       w->labels.count, own);
	for (const struct tree_node *child = n->first; child; child = child->next)
		walk_node(w, child);
}

/* An inlined function is a part of its caller's location. */
static void walk_inlined(struct walk *w, const struct tree_node *n)
{
	struct location **last = &w->path.items[w->path.count - 1], *caller = *last;
	*last = profile_location(w->profile, n->frame, caller);
	walk_children(w, n);
	w->path.items[w->path.count - 1] = caller;
}

static void walk_node(struct walk *w, const struct tree_node *n)
{
	if (n->frame->kind == FRAME_INLINED && w->path.count) {
		walk_inlined(w, n);
	} else if (n->frame->kind == FRAME_KEY) {
		vector_push(&w->labels, (struct label) { label_name(w, n->frame), n->frame->name });
		walk_children(w, n);
		w->labels.count--;
	} else {
		vector_push(&w->path, profile_location(w->profile, n->frame, NULL));
		walk_children(w, n);
		w->path.count--;
	}
}

/* --- the document ---------------------------------------------------------------------------- */

static const char *type_of(const struct stack_set *set)
{
	if (!set->name)
		return "stacks";
	return *set->name && !string_equal(set->name, "_") ? set->name : set->function;
}

static struct profile *profile_make(struct show *s, const struct stack_set *set)
{
	struct profile *p = profile_new();
	struct walk w = { .show = s, .set = set, .profile = p, .names = arena_new() };
	const struct show_unit *unit = set->name ? show_unit(s, set->name) : NULL;
	profile_type(p, type_of(set), unit ? unit->word : "count");
	walk_children(&w, tree_root(set->tree));
	if (w.too_large)
		show_note(s, "%" PRIu64 " values are above 2^63 - 1, which is written for them",
			  w.too_large);
	if (s->first_time)
		profile_time(p, s->first_time + (uint64_t)s->wall_offset,
			     s->last_time - s->first_time);
	if (s->command)
		profile_comment(p, s->command);
	profile_comment(p, set->title);
	for (size_t i = 0; i < s->notes.count; i++)
		profile_comment(p, s->notes.items[i]);
	vector_free(&w.path);
	vector_free(&w.labels);
	arena_free(w.names);
	return p;
}

/* As gzip would compress DATA; no name, no time. */
static struct error *write_gzip(const struct strbuf *data, FILE *out)
{
	unsigned char buffer[1 << 15];
	z_stream z = { .next_in = (unsigned char *)data->text, .avail_in = 0 };
	size_t left = data->len;
	int status =
		deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	while (status == Z_OK) {
		if (!z.avail_in) {
			z.avail_in = (uInt)MIN(left, (size_t)1 << 30);
			left -= z.avail_in;
		}
		z.next_out = buffer;
		z.avail_out = sizeof(buffer);
		status = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
		fwrite(buffer, 1, sizeof(buffer) - z.avail_out, out);
	}
	deflateEnd(&z);
	return status == Z_STREAM_END ? NULL : error_new("zlib failed: error %d", status);
}

static struct error *end(struct show *s, FILE *out)
{
	struct stack_set set;
	struct error *err = stacks_choose(s->state, s, &set);
	if (!err) {
		struct profile *p = profile_make(s, &set);
		err = write_gzip(profile_finish(p), out);
		profile_free(p);
	}
	stacks_free(s->state);
	return err;
}

const struct form form = { "pprof", begin, stacks_line, end };
