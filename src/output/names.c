/* SPDX-License-Identifier: BSD-2-Clause */
/* names - names of probes that strsize truncates, one count for each record and row printed */
#include <string.h>

#include "output/internal.h"

static void name_count(struct output *o, const struct value_field *f, const struct probe_names *n)
{
	uint32_t most = consumer_program(o->setup.consumer)->string_size;
	o->names_truncated += n && most && strlen(probe_name_part(n, f->kind)) > most;
}

void names_of_record(struct output *o, const struct record *r, const struct action_layout *action)
{
	for (unsigned i = 0; i < action->field_count; i++)
		if (value_kind_is_probe_name(action->fields[i].kind))
			name_count(o, &action->fields[i], r->probe);
}

static bool key_has_name(const struct key_layout *key)
{
	for (unsigned i = 0; i < key->count; i++)
		if (value_kind_is_probe_name(key->fields[i].kind))
			return true;
	return false;
}

static void names_of_key(struct output *o, const struct aggregation_row *row)
{
	for (unsigned i = 0; i < row->layout->count; i++) {
		const struct value_field *f = &row->layout->fields[i];
		if (value_kind_is_probe_name(f->kind))
			name_count(o, f, value_names_of_key(o, row->key, f));
	}
}

void names_of_rows(struct output *o, const struct aggregation_rows *rows)
{
	size_t next;
	for (size_t at = 0; at < rows->count; at = next) {
		next = at + aggregation_rows_alike(rows, at);
		if (!key_has_name(aggregation_row_at(rows, at)->layout))
			continue;
		for (size_t i = at; i < next; i++)
			names_of_key(o, aggregation_row_at(rows, i));
	}
}

void names_report(struct output *o)
{
	if (o->names_truncated)
		output_drop(o,
			    &(struct drop) {
				    .kind = DROP_TRUNCATED_STRINGS,
				    .cpu = -1,
				    .string_size = consumer_program(o->setup.consumer)->string_size,
				    .count = o->names_truncated,
			    });
}
