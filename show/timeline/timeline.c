/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/timeline/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "show/names.h"
#include "show/value.h"

enum event_type { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER }; /* of TrackEvent */

static void begin(struct show *s)
{
	struct timeline *t = s->state = mem_zalloc(sizeof(*t));
	t->tracks = hash_new();
	t->points = hash_new();
}

/* --- what was recorded ------------------------------------------------------------------------ */

/* An annotation of the event: NAME and the value V. */
static void annotate(struct timeline *t, const char *name, struct json_object *v)
{
	struct message *a = &t->annotation;
	int64_t number;
	message_text(a, 10, name, strlen(name));
	if (value_signed(v, &number)) {
		message_number(a, 4, (uint64_t)number);
	} else if (json_object_is_type(v, json_type_double)) {
		message_double(a, 5, json_object_get_double(v));
	} else {
		auto_strbuf struct strbuf text = { 0 };
		value_text(v, &text);
		message_text(a, 6, strbuf_text(&text), text.len);
	}
	message_part(&t->event, 4, a);
}

/* The values of an action, named as the program has them: EXPRESSIONS. */
static void annotate_values(struct timeline *t, struct json_object *values,
			    struct json_object *expressions)
{
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *v = json_object_array_get_idx(values, i);
		auto_strbuf struct strbuf name = { 0 };
		if (i < value_count(expressions))
			value_text(json_object_array_get_idx(expressions, i), &name);
		else
			strbuf_printf(&name, "value %zu", i + 1);
		if (!value_is_stack(v))
			annotate(t, strbuf_text(&name), v);
	}
}

static struct json_object *clause_of(struct show *s, struct json_object *record)
{
	uint64_t number;
	struct json_object *clauses = value_member(s->start, "clauses");
	bool known = value_unsigned(value_member(record, "clause"), &number) && number &&
		     number <= value_count(clauses);
	return known ? json_object_array_get_idx(clauses, number - 1) : NULL;
}

/*
 * The expressions of ITEM's values.  Without numbers in the stream, those of the clause's only
 * action of its kind: an if leaves out others.
 */
static struct json_object *expressions_of(struct json_object *clause, struct json_object *item)
{
	struct json_object *found = names_action(item);
	if (found)
		return value_member(found, "values");
	struct json_object *actions = value_member(clause, "actions");
	const char *kind = value_word(value_member(item, "action"));
	size_t count = 0;
	for (size_t i = 0; i < value_count(actions); i++) {
		struct json_object *action = json_object_array_get_idx(actions, i);
		bool is_one = string_equal(value_word(value_member(action, "action")), kind);
		count += is_one;
		found = is_one ? action : found;
	}
	return count > 1 ? NULL : value_member(found, "values");
}

/* Whether RECORD has printed something is the result. */
static bool annotate_data(struct show *s, struct json_object *record)
{
	struct json_object *data = value_member(record, "data");
	struct json_object *clause = clause_of(s, record);
	bool prints = false;
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *item = json_object_array_get_idx(data, i);
		const char *action = value_word(value_member(item, "action"));
		if (!action_prints(action))
			continue;
		prints = true;
		struct json_object *values = value_member(item, "values");
		struct json_object *text = values ? NULL : value_member(item, "text");
		annotate_values(s->state, values, expressions_of(clause, item));
		if (text)
			annotate(s->state, "text", text);
	}
	return prints;
}

/* --- records -----------------------------------------------------------------------------------
 */

static void event_begin(struct timeline *t, enum event_type type, const struct track *track,
			const char *name)
{
	strbuf_clear(&t->event.bytes);
	message_number(&t->event, 9, type);
	message_number(&t->event, 11, track->number);
	if (name)
		message_text(&t->event, 23, name, strlen(name));
}

/* RECORD's values are annotations, NULL: there are none.  An instant without is not written. */
static void event_write(struct show *s, enum event_type type, const struct track *track,
			uint64_t time, const char *name, struct json_object *record)
{
	event_begin(s->state, type, track, name);
	bool prints = record && annotate_data(s, record);
	if (prints || type != TYPE_INSTANT)
		packet_event(s->state, time);
}

static void record_line(struct show *s, struct track *track, const struct point *p, uint64_t time,
			struct json_object *record)
{
	struct timeline *t = s->state;
	bool is_new = firing_is_new(track, p, member_unsigned(record, "clause"));
	enum edge edge = is_new ? p->edge : EDGE_NONE;
	bool begins = edge == EDGE_BEGIN && slice_begin(track, p);
	bool was_too_deep = edge == EDGE_END && track->too_deep;
	size_t ended = edge == EDGE_END ? slices_end(track, p) : 0;
	track->too_deep -= was_too_deep;
	t->unmatched += edge == EDGE_END && !ended && !was_too_deep;
	for (size_t i = 1; i < ended; i++) /* what began in it */
		event_write(s, TYPE_END, track, time, NULL, NULL);
	if (ended)
		event_write(s, TYPE_END, track, time, NULL, record);
	else
		event_write(s, begins ? TYPE_BEGIN : TYPE_INSTANT, track, time, p->name, record);
}

/* --- counters ----------------------------------------------------------------------------------
 */

static void counter_line(struct show *s, uint64_t time, struct json_object *row,
			 struct json_object *value)
{
	struct timeline *t = s->state;
	int64_t number;
	const char *aggregation = value_word(value_member(value, "name"));
	if (!value_signed(value_member(value, "value"), &number) || !show_is_wanted(s, aggregation))
		return;
	struct json_object *key = value_member(row, "key");
	auto_strbuf struct strbuf name = { 0 };
	strbuf_printf(&name, "@%s", string_equal(aggregation, "_") ? "" : aggregation);
	for (size_t i = 0; i < value_count(key); i++) {
		strbuf_puts(&name, i ? ", " : "[");
		value_text(json_object_array_get_idx(key, i), &name);
	}
	strbuf_puts(&name, value_count(key) ? "]" : "");
	struct track *track = track_of_counter(t, strbuf_text(&name), show_unit(s, aggregation));
	t->counters_left_out += !track;
	if (!track)
		return;
	event_begin(t, TYPE_COUNTER, track, NULL);
	message_number(&t->event, 30, (uint64_t)number);
	packet_event(t, time);
}

static void counter_lines(struct show *s, uint64_t time, struct json_object *row)
{
	struct json_object *key = value_member(row, "key"), *values = value_member(row, "values");
	for (size_t i = 0; i < value_count(values) && !values_have_stack(key); i++)
		counter_line(s, time, row, json_object_array_get_idx(values, i));
}

/* --- the form -----------------------------------------------------------------------------------
 */

/* What has begun in one run does not end in the next, whose probes are others. */
static void run_end(struct timeline *t)
{
	tracks_free(t);
	points_free(t);
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	struct timeline *t = s->state;
	uint64_t time;
	if (string_equal(type, "start"))
		run_end(t);
	if (!value_unsigned(value_member(line, "time"), &time) &&
	    !value_unsigned(value_member(line, "to"), &time))
		return;
	if (!t->has_clock)
		packet_clocks(t, time, s->wall_offset);
	t->has_clock = true;
	if (string_equal(type, "aggregation"))
		counter_lines(s, time, line);
	if (!string_equal(type, "record"))
		return;
	const struct point *p = point_of(t, s->start, line);
	struct track *track = p->is_tick ? track_of_ticks(t) : track_of_thread(t, line);
	t->nobodys += !track;
	if (track)
		record_line(s, track, p, time, line);
}

static void notes(struct show *s)
{
	const struct timeline *t = s->state;
	if (t->unmatched)
		show_note(s, "%" PRIu64 " ends had no begin: they are instants", t->unmatched);
	if (t->nobodys)
		show_note(s,
			  "%" PRIu64
			  " records do not say which thread left them: they are left out",
			  t->nobodys);
	if (t->counters_left_out)
		show_note(s, "%" PRIu64 " values are of more counters than are drawn",
			  t->counters_left_out);
}

static struct error *end(struct show *s, FILE *out)
{
	struct timeline *t = s->state;
	struct error *err = NULL;
	notes(s);
	if (t->events)
		fwrite(t->trace.bytes.text, 1, t->trace.bytes.len, out);
	else
		err = error_new("nothing has a time: no clause has recorded anything, and no tick "
				"has printed a count, a sum or the like");
	run_end(t);
	hash_free(t->tracks);
	hash_free(t->points);
	strbuf_deinit(&t->trace.bytes);
	strbuf_deinit(&t->packet.bytes);
	strbuf_deinit(&t->event.bytes);
	strbuf_deinit(&t->annotation.bytes);
	free(t);
	return err;
}

const struct form form = { "timeline", begin, line, end };
