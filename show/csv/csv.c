/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv - one table for spreadsheets and programs, as RFC 4180 says: the rows of an aggregation, or
 * the records
 *
 * Columns of an aggregation are the time of its printing, the seconds that it covers, keys and
 * values; a histogram has a row for each bucket.  Columns of records are when and where, and their
 * values.  What becomes of other aggregations and of records is a note.
 */
#include <inttypes.h>
#include <string.h>

#include "show/csv/sheet.h"
#include "show/value.h"

#define NAMES_MOST 20

struct csv {
	struct sheet *rows;	/* NULL: there is no such aggregation */
	struct sheet *records;	/* NULL: they are not written */
	uint64_t other_records; /* that are not written */
	struct hash *others;	/* names of aggregations that are not written */
	VECTOR(char *) other_names;
};

static void begin(struct show *s)
{
	struct csv *c = s->state = mem_zalloc(sizeof(*c));
	c->others = hash_new();
	if (!s->wanted || string_equal(s->wanted, "records"))
		c->records = sheet_new(NULL);
}

static void csv_free(struct csv *c)
{
	sheet_free(c->rows);
	sheet_free(c->records);
	hash_free(c->others);
	for (size_t i = 0; i < c->other_names.count; i++)
		free(c->other_names.items[i]);
	vector_free(&c->other_names);
	free(c);
}

/* Aggregations of VALUES, which are not written. */
static void others_add(struct csv *c, struct json_object *values)
{
	for (size_t i = 0; i < value_count(values); i++) {
		const char *name =
			value_word(value_member(json_object_array_get_idx(values, i), "name"));
		if (hash_get_string(c->others, name))
			continue;
		hash_put_string(c->others, name, c);
		vector_push(&c->other_names, mem_strdup(name));
	}
}

/* The first ones that fit are written; records are not, then. */
static void row_add(struct csv *c, const struct show *s, struct json_object *line)
{
	struct json_object *values = value_member(line, "values");
	auto_free char *names = values_names(values);
	if (!c->rows && show_wants_any(s, values)) {
		c->rows = sheet_new(names);
		c->other_records += c->records ? c->records->rows : 0;
		sheet_free(take(c->records));
	}
	if (c->rows && string_equal(c->rows->names, names))
		sheet_add_row(c->rows, s, line);
	else
		others_add(c, values);
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	struct csv *c = s->state;
	if (string_equal(type, "aggregation"))
		row_add(c, s, line);
	else if (!string_equal(type, "record") || !record_has_values(line))
		return;
	else if (c->records)
		sheet_add_record(c->records, s, line);
	else
		c->other_records++;
}

/* --- notes ----------------------------------------------------------------------------------- */

static bool sheet_has_name(const struct sheet *s, const char *name)
{
	auto_free char *word = mem_printf("%s,", name);
	const char *place = s ? strstr(s->names, word) : NULL;
	return place && (place == s->names || place[-1] == ',');
}

static void notes_of_others(const struct csv *c, struct show *s)
{
	auto_strbuf struct strbuf names = { 0 };
	size_t count = 0;
	for (size_t i = 0; i < c->other_names.count; i++) {
		const char *name = c->other_names.items[i];
		if (!sheet_has_name(c->rows, name) && count++ < NAMES_MOST)
			strbuf_printf(&names, "%s@%s", names.len ? ", " : "", name);
	}
	if (count > NAMES_MOST)
		strbuf_printf(&names, " and %zu more", count - NAMES_MOST);
	if (count)
		show_note(s, "left out: %s (-x show=@NAME writes one)", strbuf_text(&names));
	if (c->other_records)
		show_note(s, "left out: records, %" PRIu64 " (-x show=records writes them)",
			  c->other_records);
}

static void notes_of_sheet(const struct sheet *t, struct show *s)
{
	if (t->unlike)
		show_note(s, "%" PRIu64 " rows are left out: they are unlike the first one",
			  t->unlike);
	if (t->has_normal)
		show_note(s, "values are divided as normalize() said");
	if (t->has_counts)
		show_note(s, "the number of its values is written for a histogram that was printed "
			     "with other aggregations");
	if (t->has_percentiles)
		show_note(s, "percentiles are left out");
	if (t->has_cpus)
		show_note(s, "values of each CPU are left out");
	if (t->body.guarded)
		show_note(s,
			  "cells that a spreadsheet would take for a formula have an apostrophe "
			  "before them: %" PRIu64,
			  t->body.guarded);
}

static struct error *end(struct show *s, FILE *out)
{
	struct csv *c = s->state;
	struct sheet *sheet = c->rows ? c->rows : c->records;
	struct error *err = NULL;
	if (!sheet)
		err = error_new("@%s was not printed", s->wanted);
	else if (!sheet->rows)
		err = error_new("there is no table: no aggregation was printed, and no record has "
				"a value");
	notes_of_others(c, s);
	if (!err) {
		notes_of_sheet(sheet, s);
		sheet_write(sheet, out);
	}
	csv_free(c);
	return err;
}

const struct form form = { "csv", begin, line, end };
