/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/names.h"

#include <string.h>

#include "base/hash.h"
#include "show/value.h"

#define FRAMES_MOST 8192 /* of a stack: more than dtrace has */

enum kind { KIND_CLAUSE, KIND_PROBE, KIND_THREAD, KIND_MAPPING, KIND_FRAME, KIND_STACK, KINDS };

static const char *const kinds[] = {
	[KIND_CLAUSE] = "clause",   [KIND_PROBE] = "probe", [KIND_THREAD] = "thread",
	[KIND_MAPPING] = "mapping", [KIND_FRAME] = "frame", [KIND_STACK] = "stack",
};

/*
 * A stack takes a fifth of what an object of JSON with its frames would: a run has 100,000.  The
 * members besides the frames are an object that equal ones share.
 */
struct held_stack {
	struct json_object *others;
	bool is_user;
	size_t count;
	struct json_object *frames[]; /* a reference to each */
};

struct names {
	struct hash *described[KINDS]; /* number to object; of a stack: to struct held_stack */
	struct hash *others;	       /* text to object */
	struct json_object *rows;      /* the last line of this type; NULL: there was none */
	uint64_t unknown;
};

struct names *names_new(void)
{
	struct names *n = mem_zalloc(sizeof(*n));
	for (int i = 0; i < KINDS; i++)
		n->described[i] = hash_new();
	n->others = hash_new();
	return n;
}

static void object_release(void *arg, const void *key, size_t key_len, void *value)
{
	json_object_put(value);
}

static void held_stack_free(struct held_stack *held)
{
	for (size_t i = 0; held && i < held->count; i++)
		json_object_put(held->frames[i]);
	if (held)
		json_object_put(held->others);
	free(held);
}

static void stack_release(void *arg, const void *key, size_t key_len, void *value)
{
	held_stack_free(value);
}

static void forget(struct names *n, enum kind kind)
{
	hash_empty(n->described[kind], kind == KIND_STACK ? stack_release : object_release, NULL);
	if (kind == KIND_STACK)
		hash_empty(n->others, object_release, NULL);
}

void names_free(struct names *n)
{
	for (enum kind i = 0; i < KINDS; i++) {
		forget(n, i);
		hash_free(n->described[i]);
	}
	hash_free(n->others);
	json_object_put(n->rows);
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

/*
 * The member NAME, a literal, of OBJECT gets VALUE, which becomes OBJECT's; NULL: nothing is
 * changed.
 */
static void member_set(struct json_object *object, const char *name, struct json_object *value)
{
	if (value)
		json_object_object_add_ex(object, name, value, JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

/* TO gets all members of FROM, if it is an object. */
static void members_copy(struct json_object *to, struct json_object *from)
{
	if (!json_object_is_type(from, json_type_object))
		return;
	json_object_object_foreach(from, name, value)
	{
		if (value)
			json_object_object_add(to, name, json_object_get(value));
	}
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

/* A reference to the members of LINE but its frames, the same for equal ones. */
static struct json_object *others_of(struct names *n, struct json_object *line)
{
	const char *text = json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN);
	void **place = hash_place(n->others, text, strlen(text));
	if (!*place)
		*place = json_object_get(line);
	return json_object_get(*place);
}

/* LINE, a description without its type and number, is changed. */
static struct held_stack *stack_hold(struct names *n, struct json_object *line)
{
	bool is_user = !value_member(line, "stack");
	const char *name = is_user ? "ustack" : "stack";
	struct json_object *list = json_object_get(value_member(line, name));
	size_t count = MIN(value_count(list), (size_t)FRAMES_MOST);
	struct held_stack *ret = mem_alloc(sizeof(*ret) + count * sizeof(ret->frames[0]));
	json_object_object_del(line, name);
	*ret = (struct held_stack) { others_of(n, line), is_user, count };
	for (size_t i = 0; i < count; i++) {
		struct json_object *frame = json_object_array_get_idx(list, i);
		if (is_number(frame))
			frame = described(n, KIND_FRAME, frame);
		else
			json_object_get(frame);
		ret->frames[i] = frame ? frame : json_object_new_object();
	}
	json_object_put(list);
	return ret;
}

/* The value that NUMBER stands for: the caller's.  NULL: nothing, which is counted. */
static struct json_object *stack_of(struct names *n, struct json_object *number)
{
	uint64_t id;
	const struct held_stack *held = NULL;
	if (value_unsigned(number, &id))
		held = hash_get(n->described[KIND_STACK], &id, sizeof(id));
	n->unknown += !held;
	if (!held)
		return NULL;
	struct json_object *ret = json_object_new_object();
	struct json_object *list = json_object_new_array_ext((int)held->count);
	for (size_t i = 0; i < held->count; i++)
		json_object_array_add(list, json_object_get(held->frames[i]));
	member_set(ret, held->is_user ? "ustack" : "stack", list);
	members_copy(ret, held->others);
	return ret;
}

/* V, a datum: a stack that has a number is replaced.  The result is V, or owned by the caller. */
static struct json_object *expand_value(struct names *n, struct json_object *v)
{
	const char *name = value_member(v, "stack") ? "stack" : "ustack";
	struct json_object *number = value_member(v, name);
	if (is_number(number)) {
		struct json_object *stack = stack_of(n, number);
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
	} else {
		members_copy(ret, item);
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
	member_copy(line, thread, "process");
	json_object_set_userdata(line, thread, NULL);
	json_object_put(thread);
}

struct json_object *names_thread(struct json_object *record)
{
	return json_object_get_userdata(record);
}

/* A record, or an error, whose probe is a number or left out: the only one of its clause. */
static void expand_record(struct names *n, struct json_object *line)
{
	struct json_object *clause = described(n, KIND_CLAUSE, value_member(line, "clause"));
	struct json_object *data = value_member(line, "data");
	struct json_object *probe = value_member(line, "probe");
	member_set(line, "probe",
		   described(n, KIND_PROBE, probe ? probe : value_member(clause, "probe")));
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
	json_object_put(n->rows);
	n->rows = NULL;
	for (size_t i = 0; i < value_count(clauses); i++) {
		struct json_object *clause = json_object_array_get_idx(clauses, i);
		describe(n, KIND_CLAUSE, value_member(clause, "clause"), json_object_get(clause));
	}
}

static void name_free(struct json_object *frame, void *name)
{
	free(name);
}

/* Its text is made once (value_frame()). */
static void frame_prepare(struct names *n, struct json_object *frame)
{
	auto_strbuf struct strbuf name = { 0 };
	expand_address(n, frame);
	value_frame(frame, &name);
	json_object_set_userdata(frame, strbuf_take(&name), name_free);
}

static void stack_describe(struct names *n, struct json_object *number, struct json_object *line)
{
	uint64_t id;
	if (value_unsigned(number, &id)) {
		void **place = hash_place(n->described[KIND_STACK], &id, sizeof(id));
		held_stack_free(*place);
		*place = stack_hold(n, line);
	}
	json_object_put(line);
}

static void line_describe(struct names *n, enum kind kind, struct json_object *line)
{
	struct json_object *number =
		json_object_get(value_member(line, kind == KIND_THREAD ? "tid" : "id"));
	json_object_object_del(line, "type");
	if (kind != KIND_PROBE)
		json_object_object_del(line, "id");
	if (kind == KIND_STACK) {
		stack_describe(n, number, line);
	} else {
		if (kind == KIND_FRAME)
			frame_prepare(n, line);
		describe(n, kind, number, line);
	}
	json_object_put(number);
}

/* VALUE of a row, with what HEAD says of all values in its place. */
static struct json_object *row_value(struct json_object *head, struct json_object *value)
{
	struct json_object *ret = json_object_new_object();
	member_copy(ret, head, "name");
	member_copy(ret, head, "function");
	member_copy(ret, head, "from");
	if (json_object_is_type(value, json_type_object))
		members_copy(ret, value);
	else
		member_set(ret, "value", json_object_get(value));
	return ret;
}

/* ROW, of a stream, as JSON has it: the caller's.  A row before any line `rows` has no values. */
static struct json_object *expand_row(struct names *n, struct json_object *row)
{
	struct json_object *ret = json_object_new_object(), *values = json_object_new_array();
	struct json_object *heads = value_member(n->rows, "values"),
			   *list = value_member(row, "values");
	json_object_object_add(ret, "type", json_object_new_string("aggregation"));
	member_copy(ret, n->rows, "time");
	member_copy(ret, n->rows, "clause");
	member_copy(ret, n->rows, "printing");
	member_copy(ret, n->rows, "to");
	expand_values(n, value_member(row, "key"));
	member_copy(ret, row, "key");
	for (size_t i = 0; i < MIN(value_count(heads), value_count(list)); i++)
		json_object_array_add(values, row_value(json_object_array_get_idx(heads, i),
							json_object_array_get_idx(list, i)));
	json_object_object_add(ret, "values", values);
	member_copy(ret, row, "text");
	n->unknown += !n->rows;
	json_object_put(row);
	return ret;
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

/* Is LINE, a record or an error, one of a stream? */
static bool is_in_numbers(struct json_object *line)
{
	struct json_object *probe = value_member(line, "probe");
	return probe ? is_number(probe) : value_member(line, "clause") != NULL;
}

struct json_object *names_expand(struct names *n, struct json_object *line, const char *type)
{
	if (string_equal(type, "record") || string_equal(type, "error")) {
		if (is_in_numbers(line))
			expand_record(n, line);
		return line;
	}
	enum kind kind = kind_of(type);
	if (kind < KINDS) {
		line_describe(n, kind, line);
		return NULL;
	}
	if (string_equal(type, "rows")) {
		json_object_put(n->rows);
		n->rows = line;
		return NULL;
	}
	if (string_equal(type, "row"))
		return expand_row(n, line);
	if (string_equal(type, "start"))
		run_begin(n, line);
	else if (string_equal(type, "forget"))
		numbers_forget(n);
	else
		expand_values(n, value_member(line, "key"));
	return line;
}
