/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/names.h"

#include "base/hash.h"
#include "show/value.h"

#define FRAMES_MOST 8192 /* of a stack: more than dtrace has */

enum kind { KIND_CLAUSE, KIND_PROBE, KIND_THREAD, KIND_MAPPING, KIND_FRAME, KIND_STACK, KINDS };

static const char *const kinds[] = {
	[KIND_CLAUSE] = "clause",   [KIND_PROBE] = "probe", [KIND_THREAD] = "thread",
	[KIND_MAPPING] = "mapping", [KIND_FRAME] = "frame", [KIND_STACK] = "stack",
};

struct names {
	struct hash *described[KINDS]; /* number to object */
	uint64_t unknown;
};

struct names *names_new(void)
{
	struct names *n = mem_zalloc(sizeof(*n));
	for (int i = 0; i < KINDS; i++)
		n->described[i] = hash_new();
	return n;
}

static void object_release(void *arg, const void *key, size_t key_len, void *value)
{
	json_object_put(value);
}

static void forget(struct names *n, enum kind kind)
{
	hash_visit(n->described[kind], object_release, NULL);
	hash_free(n->described[kind]);
	n->described[kind] = hash_new();
}

void names_free(struct names *n)
{
	for (enum kind i = 0; i < KINDS; i++) {
		forget(n, i);
		hash_free(n->described[i]);
	}
	free(n);
}

uint64_t names_unknown(const struct names *n)
{
	return n->unknown;
}

/* OBJECT is ours. */
static void describe(struct names *n, enum kind kind, struct json_object *number,
		     struct json_object *object)
{
	uint64_t id;
	if (!value_unsigned(number, &id)) {
		json_object_put(object);
		return;
	}
	void **place = hash_place(n->described[kind], &id, sizeof(id));
	json_object_put(*place);
	*place = object;
}

/* A reference to what NUMBER stands for; NULL: nothing, which is counted. */
static struct json_object *described(struct names *n, enum kind kind, struct json_object *number)
{
	uint64_t id;
	struct json_object *ret = NULL;
	if (value_unsigned(number, &id))
		ret = hash_get(n->described[kind], &id, sizeof(id));
	n->unknown += !ret;
	return json_object_get(ret);
}

/* The member NAME of OBJECT gets VALUE, which becomes OBJECT's; NULL: nothing is changed. */
static void member_set(struct json_object *object, const char *name, struct json_object *value)
{
	if (value)
		json_object_object_add(object, name, value);
}

/* The same, with a member of another object. */
static void member_copy(struct json_object *to, struct json_object *from, const char *name)
{
	member_set(to, name, json_object_get(value_member(from, name)));
}

static bool is_number(struct json_object *v)
{
	return json_object_is_type(v, json_type_int);
}

/* --- addresses and stacks ------------------------------------------------------------------ */

/* OBJECT, which has an address, in a mapping that has a number. */
static void expand_address(struct names *n, struct json_object *object)
{
	struct json_object *number = value_member(object, "mapping");
	if (!is_number(number))
		return;
	struct json_object *mapping = described(n, KIND_MAPPING, number);
	json_object_object_del(object, "mapping");
	member_copy(object, mapping, "module");
	member_copy(object, mapping, "build_id");
	if (!value_member(object, "symbol"))
		member_set(object, "mapping", json_object_get(value_member(mapping, "begin")));
	json_object_put(mapping);
}

/* The list of STACK, a description: frames instead of numbers. */
static void expand_frames(struct names *n, struct json_object *list)
{
	if (value_count(list) > FRAMES_MOST)
		json_object_array_del_idx(list, FRAMES_MOST, value_count(list) - FRAMES_MOST);
	for (size_t i = 0; i < value_count(list); i++) {
		struct json_object *frame = json_object_array_get_idx(list, i);
		if (!is_number(frame))
			continue;
		frame = described(n, KIND_FRAME, frame);
		json_object_array_put_idx(list, i, frame ? frame : json_object_new_object());
	}
}

/* V, a datum: a stack that has a number is replaced.  The result is V, or owned by the caller. */
static struct json_object *expand_value(struct names *n, struct json_object *v)
{
	const char *name = value_member(v, "stack") ? "stack" : "ustack";
	struct json_object *number = value_member(v, name);
	if (is_number(number)) {
		struct json_object *stack = described(n, KIND_STACK, number);
		if (!stack)
			member_set(v, name, json_object_new_array());
		return stack ? stack : v;
	}
	expand_address(n, v);
	return v;
}

static void expand_values(struct names *n, struct json_object *list)
{
	for (size_t i = 0; i < value_count(list); i++) {
		struct json_object *v = json_object_array_get_idx(list, i);
		struct json_object *whole = expand_value(n, v);
		if (whole != v)
			json_object_array_put_idx(list, i, whole);
	}
}

/* --- lines ----------------------------------------------------------------------------------- */

/* The ITEM of a clause's ACTION as JSON has it; the result is the caller's. */
static struct json_object *expand_item(struct names *n, struct json_object *item,
				       struct json_object *action)
{
	struct json_object *ret = json_object_new_object();
	member_copy(ret, action, "action");
	member_copy(ret, action, "aggregations");
	if (json_object_is_type(item, json_type_array)) {
		if (value_count(item))
			member_set(ret, "values", json_object_get(item));
	} else if (json_object_is_type(item, json_type_object)) {
		json_object_object_foreach(item, name, value)
		{
			member_set(ret, name, json_object_get(value));
		}
	}
	expand_values(n, value_member(ret, "values"));
	json_object_set_userdata(ret, action, NULL);
	return ret;
}

struct json_object *names_action(struct json_object *item)
{
	return json_object_get_userdata(item);
}

/* Those items of DATA that have run. */
static struct json_object *expand_data(struct names *n, struct json_object *data,
				       struct json_object *actions)
{
	struct json_object *ret = json_object_new_array();
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *item = json_object_array_get_idx(data, i);
		struct json_object *action =
			i < value_count(actions) ? json_object_array_get_idx(actions, i) : NULL;
		if (item)
			json_object_array_add(ret, expand_item(n, item, action));
	}
	return ret;
}

static void expand_thread(struct names *n, struct json_object *line)
{
	struct json_object *number = value_member(line, "tid");
	if (!number)
		return;
	struct json_object *thread = described(n, KIND_THREAD, number);
	member_copy(line, thread, "pid");
	member_copy(line, thread, "thread");
	json_object_put(thread);
}

/* A record, or an error, whose probe is a number. */
static void expand_record(struct names *n, struct json_object *line)
{
	struct json_object *clause = described(n, KIND_CLAUSE, value_member(line, "clause"));
	struct json_object *data = value_member(line, "data");
	member_set(line, "probe", described(n, KIND_PROBE, value_member(line, "probe")));
	expand_thread(n, line);
	member_copy(line, clause, "line");
	if (data)
		member_set(line, "data", expand_data(n, data, value_member(clause, "actions")));
	json_object_put(clause);
}

/* A run begins: its numbers are new. */
static void run_begin(struct names *n, struct json_object *start)
{
	struct json_object *clauses = value_member(start, "clauses");
	for (enum kind i = 0; i < KINDS; i++)
		forget(n, i);
	for (size_t i = 0; i < value_count(clauses); i++) {
		struct json_object *clause = json_object_array_get_idx(clauses, i);
		describe(n, KIND_CLAUSE, value_member(clause, "clause"), json_object_get(clause));
	}
}

static void line_describe(struct names *n, enum kind kind, struct json_object *line)
{
	struct json_object *number =
		json_object_get(value_member(line, kind == KIND_THREAD ? "tid" : "id"));
	if (kind == KIND_FRAME)
		expand_address(n, line);
	if (kind == KIND_STACK) {
		expand_frames(n, value_member(line, "stack"));
		expand_frames(n, value_member(line, "ustack"));
	}
	json_object_object_del(line, "type");
	if (kind != KIND_PROBE)
		json_object_object_del(line, "id");
	describe(n, kind, number, line);
	json_object_put(number);
}

static enum kind kind_of(const char *type)
{
	enum kind kind = KIND_PROBE;
	while (kind < KINDS && !string_equal(kinds[kind], type))
		kind++;
	return kind;
}

static void numbers_forget(struct names *n)
{
	for (enum kind i = KIND_MAPPING; i <= KIND_STACK; i++)
		forget(n, i);
}

struct json_object *names_expand(struct names *n, struct json_object *line, const char *type)
{
	enum kind kind = kind_of(type);
	if (kind < KINDS) {
		line_describe(n, kind, line);
		return NULL;
	}
	if (string_equal(type, "start"))
		run_begin(n, line);
	else if (string_equal(type, "forget"))
		numbers_forget(n);
	else if (is_number(value_member(line, "probe")))
		expand_record(n, line);
	else
		expand_values(n, value_member(line, "key"));
	return line;
}
