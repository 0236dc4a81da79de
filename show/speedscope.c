/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speedscope - call stacks for https://www.speedscope.app: its file format 0.7.0, one sampled
 * profile
 *
 * Each function is listed once, and each stack is a list of places in this list, outermost first.
 */
#include <inttypes.h>
#include <string.h>

#include "show/stacks.h"

struct profile {
	struct hash *frames; /* name and kind to the frame's place + 1 */
	uintptr_t count;
	struct strbuf names, samples, weights; /* items of the arrays, with commas between them */
	VECTOR(uintptr_t) path;
};

/* TEXT as a string of JSON; what is not UTF-8 does not come out of a stream. */
static void string_add(struct strbuf *out, const char *text)
{
	struct json_object *string = json_object_new_string(text);
	strbuf_puts(out, json_object_to_json_string_ext(string, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(string);
}

static void separate(struct strbuf *out)
{
	if (out->len)
		strbuf_puts(out, ",\n");
}

static uintptr_t frame_place(struct profile *p, const struct frame *f)
{
	struct {
		const char *name; /* interned */
		uint64_t kind;
	} key = { f->name, f->kind };
	void **place = hash_place(p->frames, &key, sizeof(key));
	if (*place)
		return (uintptr_t)*place - 1;
	separate(&p->names);
	strbuf_puts(&p->names, "{\"name\":");
	string_add(&p->names, f->name);
	strbuf_putc(&p->names, '}');
	*place = (void *)++p->count;
	return p->count - 1;
}

static void sample_add(struct profile *p, uint64_t weight)
{
	separate(&p->samples);
	for (size_t i = 0; i < p->path.count; i++)
		strbuf_printf(&p->samples, "%s%" PRIuPTR, i ? "," : "[", p->path.items[i]);
	strbuf_puts(&p->samples, p->path.count ? "]" : "[]");
	separate(&p->weights);
	strbuf_printf(&p->weights, "%" PRIu64, weight);
}

static void samples_add(struct profile *p, const struct tree_node *n)
{
	uint64_t own = tree_own(n);
	if (own)
		sample_add(p, own);
	for (const struct tree_node *child = n->first; child; child = child->next) {
		vector_push(&p->path, frame_place(p, child->frame));
		samples_add(p, child);
		p->path.count--;
	}
}

static void write_profile(const struct show *s, const struct stack_set *set, FILE *out)
{
	struct profile p = { .frames = hash_new() };
	auto_strbuf struct strbuf title = { 0 }, name = { 0 };
	const struct show_unit *unit = set->name ? show_unit(s, set->name) : NULL;
	samples_add(&p, tree_root(set->tree));
	string_add(&name, set->title);
	string_add(&title, s->command ? s->command : set->title);
	fprintf(out,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"dtrace\",\"name\":%s,\n\"shared\":{\"frames\":[\n%s\n]},\n"
		"\"profiles\":[{\"type\":\"sampled\",\"name\":%s,\"unit\":\"%s\","
		"\"startValue\":0,\"endValue\":%" PRIu64 ",\n"
		"\"samples\":[\n%s\n],\n\"weights\":[\n%s\n]}]}\n",
		strbuf_text(&title), strbuf_text(&p.names), strbuf_text(&name),
		unit ? unit->word : "none", tree_root(set->tree)->total, strbuf_text(&p.samples),
		strbuf_text(&p.weights));
	hash_free(p.frames);
	strbuf_deinit(&p.names);
	strbuf_deinit(&p.samples);
	strbuf_deinit(&p.weights);
	vector_free(&p.path);
}

static struct error *end(struct show *s, FILE *out)
{
	struct stack_set set;
	struct error *err = stacks_choose(s->state, s, &set);
	if (!err)
		write_profile(s, &set, out);
	stacks_free(s->state);
	return err;
}

const struct form form = { "speedscope", stacks_begin, stacks_line, end };
