/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/stacks.h"

#include <inttypes.h>
#include <string.h>

#include "show/value.h"

/* The stacks of one aggregation, or of all records. */
struct set {
	char *name; /* NULL: records */
	char *title;
	uint64_t run, time;	   /* of the printing that the rows are of; time 0: the end */
	uint64_t printings, added; /* in all, and of these in the tree */
	uint64_t left_out;	   /* rows */
	bool is_cleared;	   /* since the last printing */
	bool adds;		   /* the sum of two values is one: not of averages */
	struct tree *tree;
};

struct stacks {
	VECTOR(struct set) sets;
	struct strbuf text;
	VECTOR(struct frame) frames;
};

void stacks_begin(struct show *show)
{
	show->state = mem_zalloc(sizeof(struct stacks));
}

void stacks_free(struct show *show)
{
	struct stacks *s = show->state;
	for (size_t i = 0; i < s->sets.count; i++) {
		struct set *set = &s->sets.items[i];
		free(set->name);
		free(set->title);
		tree_free(set->tree);
	}
	vector_free(&s->sets);
	vector_free(&s->frames);
	strbuf_deinit(&s->text);
	free(s);
}

/* --- frames ---------------------------------------------------------------------------------- */

static void frame_push(struct stacks *s, struct tree *t, enum frame_kind kind)
{
	if (!s->text.len)
		strbuf_puts(&s->text, "[no name]");
	struct frame frame = { kind, tree_name(t, strbuf_text(&s->text), s->text.len) };
	vector_push(&s->frames, frame);
	strbuf_clear(&s->text);
}

/* Frames that ran in the frame above, innermost first in LIST, each named by its MEMBER. */
static void frames_in_frame(struct stacks *s, struct tree *t, struct json_object *list,
			    const char *member, enum frame_kind kind)
{
	for (size_t i = value_count(list); i-- > 0;) {
		struct json_object *name = value_member(json_object_array_get_idx(list, i), member);
		if (name)
			value_text(name, &s->text);
		else
			strbuf_puts(&s->text, "[unknown]");
		frame_push(s, t, kind);
	}
}

/* LIST has the innermost frame first. */
static void frames_add(struct stacks *s, struct tree *t, struct json_object *list,
		       enum frame_kind kind)
{
	for (size_t i = value_count(list); i-- > 0;) {
		struct json_object *frame = json_object_array_get_idx(list, i);
		value_frame(frame, &s->text);
		frame_push(s, t, kind);
		frames_in_frame(s, t, value_member(frame, "inlined"), "symbol", FRAME_INLINED);
		frames_in_frame(s, t, value_member(frame, "interpreted"), "function",
				FRAME_INTERPRETED);
	}
}

static void user_frames_add(struct stacks *s, struct tree *t, struct json_object *stack)
{
	if (value_member(stack, "truncated")) {
		strbuf_puts(&s->text, "[callers missing]");
		frame_push(s, t, FRAME_MISSING);
	}
	frames_add(s, t, value_member(stack, "ustack"), FRAME_USER);
}

static bool is_stack(struct json_object *v)
{
	return value_member(v, "stack") || value_member(v, "ustack");
}

static bool has_stack(struct json_object *values)
{
	for (size_t i = 0; i < value_count(values); i++)
		if (is_stack(json_object_array_get_idx(values, i)))
			return true;
	return false;
}

/* The frames of KEY, outermost first, to s->frames. */
static void frames_of_key(struct stacks *s, struct tree *t, struct json_object *key)
{
	size_t count = value_count(key);
	s->frames.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct json_object *v = json_object_array_get_idx(key, i);
		if (is_stack(v))
			continue;
		value_text(v, &s->text);
		frame_push(s, t, FRAME_KEY);
	}
	for (size_t i = 0; i < count; i++)
		user_frames_add(s, t, json_object_array_get_idx(key, i));
	for (size_t i = 0; i < count; i++)
		frames_add(s, t, value_member(json_object_array_get_idx(key, i), "stack"),
			   FRAME_KERNEL);
}

/* --- rows ------------------------------------------------------------------------------------ */

static struct set *set_find(struct stacks *s, const char *name)
{
	for (size_t i = 0; i < s->sets.count; i++) {
		struct set *set = &s->sets.items[i];
		if (name && set->name ? string_equal(name, set->name) : !name && !set->name)
			return set;
	}
	return NULL;
}

/* Is the sum of two values of the aggregating FUNCTION a value, too? */
static bool function_adds(const char *function)
{
	static const char *const others[] = { "avg", "min", "max", "stddev" };
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (string_equal(function, others[i]))
			return false;
	return true;
}

/* The set of NAME, NULL for records; made if there is none. */
static struct set *set_place(struct stacks *s, const char *name, const char *function)
{
	struct set *ret = set_find(s, name);
	if (ret)
		return ret;
	ret = vector_extend(&s->sets);
	*ret = (struct set) {
		.name = name ? mem_strdup(name) : NULL,
		.title = name ? aggregation_title(name, function) : mem_strdup("stacks of records"),
		.adds = function_adds(function),
	};
	return ret;
}

/* The rows of another printing replace those before, unless these were cleared. */
static void set_begin(struct set *set, uint64_t run, uint64_t time)
{
	if (set->tree && set->run == run && set->time == time)
		return;
	if (!set->is_cleared) {
		tree_free(set->tree);
		set->tree = tree_new();
		set->left_out = set->added = 0;
	}
	set->run = run;
	set->time = time;
	set->printings++;
	set->added++;
	set->is_cleared = false;
}

/* How often, or how much; false: the value is no weight. */
static bool weight_of(struct json_object *value, uint64_t *ret)
{
	struct json_object *buckets = value_member(value, "buckets");
	if (!buckets)
		return value_unsigned(value_member(value, "value"), ret);
	*ret = 0;
	for (size_t i = 0; i < value_count(buckets); i++) {
		uint64_t count;
		struct json_object *bucket = json_object_array_get_idx(buckets, i);
		if (value_unsigned(value_member(bucket, "count"), &count))
			count_add(ret, count);
	}
	return true;
}

static void row_add(struct stacks *s, const struct show *show, struct json_object *line,
		    struct json_object *key, struct json_object *value)
{
	struct set *set = set_place(s, value_word(value_member(value, "name")),
				    value_word(value_member(value, "function")));
	uint64_t time;
	set_begin(set, show->runs, value_unsigned(value_member(line, "time"), &time) ? time : 0);
	uint64_t weight;
	if (value_member(value, "missing"))
		return;
	if (!weight_of(value, &weight)) {
		set->left_out++;
		return;
	}
	frames_of_key(s, set->tree, key);
	tree_add(set->tree, s->frames.items, s->frames.count, weight);
}

static void aggregation_add(struct stacks *s, const struct show *show, struct json_object *line)
{
	struct json_object *key = value_member(line, "key"), *values = value_member(line, "values");
	if (!has_stack(key))
		return;
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		if (show_is_wanted(show, value_word(value_member(value, "name"))))
			row_add(s, show, line, key, value);
	}
}

static void record_add(struct stacks *s, struct json_object *line)
{
	struct json_object *data = value_member(line, "data");
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *values =
			value_member(json_object_array_get_idx(data, i), "values");
		if (!has_stack(values))
			continue;
		struct set *set = set_place(s, NULL, "count");
		set_begin(set, 0, 0);
		frames_of_key(s, set->tree, values);
		tree_add(set->tree, s->frames.items, s->frames.count, 1);
	}
}

void stacks_line(struct show *show, const char *type, struct json_object *line)
{
	struct stacks *s = show->state;
	if (string_equal(type, "aggregation"))
		aggregation_add(s, show, line);
	if (!string_equal(type, "record"))
		return;
	for (size_t i = 0; i < s->sets.count; i++)
		if (s->sets.items[i].name)
			s->sets.items[i].is_cleared |= record_clears(line, s->sets.items[i].name);
	if (!show->wanted)
		record_add(s, line);
}

/* --- what is drawn --------------------------------------------------------------------------- */

/* The first aggregation; records if there is none. */
static struct set *set_choose(struct stacks *s)
{
	for (size_t i = 0; i < s->sets.count; i++)
		if (s->sets.items[i].name)
			return &s->sets.items[i];
	return s->sets.count ? &s->sets.items[0] : NULL;
}

static void notes_add(struct stacks *s, struct show *show, const struct set *drawn)
{
	for (size_t i = 0; i < s->sets.count; i++) {
		const struct set *set = &s->sets.items[i];
		if (set != drawn && set->name)
			show_note(show, "@%s has stacks, too (-x show=@%s draws it)", set->name,
				  set->name);
	}
	if (drawn->added > 1)
		show_note(show,
			  "%" PRIu64 " printings of @%s, which was cleared between them, are added",
			  drawn->added, drawn->name);
	else if (drawn->printings > 1)
		show_note(show, "the last of %" PRIu64 " printings of @%s is drawn",
			  drawn->printings, drawn->name);
	if (drawn->left_out)
		show_note(show,
			  "%" PRIu64
			  " rows are left out: their values are negative, or no integers",
			  drawn->left_out);
	if (!drawn->adds)
		show_note(show,
			  "values of %s do not add up: a function that calls others is as wide as "
			  "their sum",
			  drawn->title);
	if (tree_cut(drawn->tree))
		show_note(show, "%" PRIu64 " rows have stacks with more frames than are drawn",
			  tree_cut(drawn->tree));
}

struct error *stacks_choose(struct show *show, struct stack_set *ret)
{
	struct stacks *s = show->state;
	struct set *set = set_choose(s);
	if (!set && show->wanted)
		return error_new("@%s has no row with a stack() or ustack() as a key",
				 show->wanted);
	if (!set)
		return error_new("nothing has call stacks: no aggregation has stack() or ustack() "
				 "as a key, and no record is one");
	notes_add(s, show, set);
	if (!tree_root(set->tree)->total)
		return error_new("no value of %s is above 0", set->title);
	tree_sort(set->tree);
	*ret = (struct stack_set) { set->title, set->tree };
	return NULL;
}
