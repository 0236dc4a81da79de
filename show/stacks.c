/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/stacks.h"

#include <inttypes.h>
#include <string.h>

#include "show/value.h"

/* The stacks of one aggregation, or of all records. */
struct set {
	char *name; /* NULL: records */
	char *function, *title;
	uint64_t run, printing;	   /* that the rows are of */
	uint64_t printings, added; /* in all, and of these in the tree */
	uint64_t left_out;	   /* rows */
	bool is_cleared;	   /* since the last printing */
	bool adds;		   /* the sum of two values is one: not of averages */
	struct tree *tree;
};

struct stacks {
	bool has_places;
	VECTOR(struct set) sets;
	VECTOR(const struct frame *) frames; /* of the row that is added to TREE */
	struct tree *tree;
};

struct stacks *stacks_new(bool has_places)
{
	struct stacks *s = mem_zalloc(sizeof(*s));
	s->has_places = has_places;
	return s;
}

void stacks_free(struct stacks *s)
{
	for (size_t i = 0; i < s->sets.count; i++) {
		struct set *set = &s->sets.items[i];
		free(set->name);
		free(set->function);
		free(set->title);
		tree_free(set->tree);
	}
	vector_free(&s->sets);
	vector_free(&s->frames);
	free(s);
}

static void frame_push(void *arg, const struct seen_frame *seen)
{
	struct stacks *s = arg;
	const struct place *place = s->has_places ? place_read(s->tree, seen) : NULL;
	vector_push(&s->frames, tree_frame(s->tree, seen->kind, seen->name, seen->len, place));
}

/* The stack of VALUES, which are the key of a row or a record's, to TREE. */
static void stack_add(struct stacks *s, struct tree *tree, struct json_object *values,
		      uint64_t weight)
{
	s->frames.count = 0;
	s->tree = tree;
	frames_visit_all(values, frame_push, s);
	tree_add(tree, s->frames.items, s->frames.count, weight);
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
static struct set *set_place(struct stacks *s, const struct show *show, const char *name,
			     const char *function)
{
	struct set *ret = set_find(s, name);
	if (ret)
		return ret;
	ret = vector_extend(&s->sets);
	*ret = (struct set) {
		.name = name ? mem_strdup(name) : NULL,
		.function = mem_strdup(function),
		.title = name ? show_title(show, name, function) : mem_strdup("stacks of records"),
		.adds = function_adds(function),
	};
	return ret;
}

/* The rows of another printing replace those before, unless these were cleared. */
static void set_begin(struct set *set, uint64_t run, uint64_t printing)
{
	if (set->tree && set->run == run && set->printing == printing)
		return;
	if (!set->is_cleared) {
		tree_free(set->tree);
		set->tree = tree_new();
		set->left_out = set->added = 0;
	}
	set->run = run;
	set->printing = printing;
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
	struct set *set = set_place(s, show, value_word(value_member(value, "name")),
				    value_word(value_member(value, "function")));
	set_begin(set, show->runs, line_printing(line));
	uint64_t weight;
	if (value_member(value, "missing"))
		return;
	if (!weight_of(value, &weight)) {
		set->left_out++;
		return;
	}
	stack_add(s, set->tree, key, weight);
}

static void aggregation_add(struct stacks *s, const struct show *show, struct json_object *line)
{
	struct json_object *key = value_member(line, "key"), *values = value_member(line, "values");
	if (!values_have_stack(key))
		return;
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		if (show_is_wanted(show, value_word(value_member(value, "name"))))
			row_add(s, show, line, key, value);
	}
}

static void record_add(struct stacks *s, const struct show *show, struct json_object *line)
{
	struct json_object *data = value_member(line, "data");
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *values =
			value_member(json_object_array_get_idx(data, i), "values");
		if (!values_have_stack(values))
			continue;
		struct set *set = set_place(s, show, NULL, "count");
		set_begin(set, 0, 0); /* all records are one printing */
		stack_add(s, set->tree, values, 1);
	}
}

void stacks_add_line(struct stacks *s, const struct show *show, const char *type,
		     struct json_object *line)
{
	if (string_equal(type, "aggregation"))
		aggregation_add(s, show, line);
	if (!string_equal(type, "record"))
		return;
	for (size_t i = 0; i < s->sets.count && record_clears(line, NULL); i++)
		if (s->sets.items[i].name)
			s->sets.items[i].is_cleared |= record_clears(line, s->sets.items[i].name);
	if (!show->wanted)
		record_add(s, show, line);
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

/* What is missing in SET, or is not what it seems to be. */
static void notes_of_set(const struct set *set, struct show *show)
{
	if (set->added > 1)
		show_note(show,
			  "%" PRIu64 " printings of @%s, which was cleared between them, are added",
			  set->added, set->name);
	else if (set->printings > 1)
		show_note(show, "the last of %" PRIu64 " printings of @%s is drawn", set->printings,
			  set->name);
	if (set->left_out)
		show_note(show,
			  "%" PRIu64
			  " rows of @%s are left out: their values are negative, or no integers",
			  set->left_out, set->name);
	if (!set->adds)
		show_note(show,
			  "values of %s do not add up: a function that calls others is as wide as "
			  "their sum",
			  set->title);
	if (tree_cut(set->tree))
		show_note(show, "%" PRIu64 " rows have stacks with more frames than are drawn",
			  tree_cut(set->tree));
}

bool stacks_find(struct stacks *s, struct show *show, const char *name, struct stack_set *ret)
{
	struct set *set = set_find(s, name);
	if (!set)
		return false;
	notes_of_set(set, show);
	tree_sort(set->tree);
	*ret = (struct stack_set) { set->title, set->name, set->function, set->tree };
	return tree_root(set->tree)->total > 0;
}

struct error *stacks_choose(struct stacks *s, struct show *show, struct stack_set *ret)
{
	struct set *set = set_choose(s);
	if (!set && show->wanted)
		return error_new("@%s has no row with a stack() or ustack() as a key",
				 show->wanted);
	if (!set)
		return error_new("nothing has call stacks: no aggregation has stack() or ustack() "
				 "as a key, and no record is one");
	for (size_t i = 0; i < s->sets.count; i++) {
		const char *name = s->sets.items[i].name;
		if (&s->sets.items[i] != set && name)
			show_note(show, "@%s has stacks, too (-x show=@%s draws it)", name, name);
	}
	if (!stacks_find(s, show, set->name, ret))
		return error_new("no value of %s is above 0", set->title);
	return NULL;
}

/* --- forms that draw stacks ------------------------------------------------------------------ */

void stacks_begin(struct show *show)
{
	show->state = stacks_new(false);
}

void stacks_line(struct show *show, const char *type, struct json_object *line)
{
	stacks_add_line(show->state, show, type, line);
}
