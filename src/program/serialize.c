/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program as bytes: "DTPROG\n", FORM_VERSION, then the fields of struct program in the order
 * below
 *
 * Each struct is described once, for writing and for reading (base/archive.h).  To add a field to
 * abi/program.h, add it here and raise FORM_VERSION.
 */
#include "program/program_internal.h"

#define FORM_VERSION 16

static const char magic[8] = "DTPROG\n";

/* A struct that grows has a field that is not written. */
#define IS_WRITTEN(name, size)                                                                     \
	_Static_assert(sizeof(struct name) == (size), "write the new field, and count it here")
IS_WRITTEN(value_field, 40);
IS_WRITTEN(action_layout, 72);
IS_WRITTEN(clause_layout, 64);
IS_WRITTEN(aggregation_layout, 96);
IS_WRITTEN(map_layout, 40);
IS_WRITTEN(relocation, 16);
IS_WRITTEN(line_mark, 24);
IS_WRITTEN(event, 56);
IS_WRITTEN(arg_location, 16);
IS_WRITTEN(event_site, 72);
IS_WRITTEN(group_code, 112);
IS_WRITTEN(program, 160);

/* --- layouts ------------------------------------------------------------------------ */

static void archive_field(struct archive *a, void *item, void *types)
{
	struct value_field *f = item;
	ARCHIVE(a, f->kind);
	ARCHIVE(a, f->offset);
	ARCHIVE(a, f->size);
	ARCHIVE(a, f->is_signed);
	ARCHIVE(a, f->is_text);
	ARCHIVE(a, f->is_argument);
	ARCHIVE(a, f->column_size);
	ARCHIVE(a, f->strings);
	f->text = archive_string(a, f->text);
	f->type = type_archive(a, types, f->type);
}

static const struct value_field *archive_fields(struct archive *a, const struct value_field *fields,
						unsigned count, struct types *types)
{
	return archive_items(a, fields, count, sizeof(*fields), archive_field, types);
}

static void archive_index(struct archive *a, void *item, void *arg)
{
	ARCHIVE(a, *(uint32_t *)item);
}

static void archive_text(struct archive *a, void *item, void *arg)
{
	struct printed_text *t = item;
	ARCHIVE(a, t->offset);
	ARCHIVE(a, t->depth);
}

static void archive_action(struct archive *a, void *item, void *types)
{
	struct action_layout *l = item;
	ARCHIVE(a, l->kind);
	ARCHIVE(a, l->flag);
	l->format = archive_string(a, l->format);
	ARCHIVE(a, l->field_count);
	l->fields = archive_fields(a, l->fields, l->field_count, types);
	ARCHIVE(a, l->aggregation_count);
	l->aggregations = archive_items(a, l->aggregations, l->aggregation_count,
					sizeof(*l->aggregations), archive_index, NULL);
	l->type = type_archive(a, types, l->type);
	ARCHIVE(a, l->text_count);
	l->texts = archive_items(a, l->texts, l->text_count, sizeof(*l->texts), archive_text, NULL);
	ARCHIVE(a, l->link);
}

static void archive_clause(struct archive *a, void *item, void *types)
{
	struct clause_layout *l = item;
	ARCHIVE(a, l->epid);
	l->description = archive_string(a, l->description);
	l->source = archive_string(a, l->source);
	ARCHIVE(a, l->line);
	ARCHIVE(a, l->records);
	ARCHIVE(a, l->flag_words);
	ARCHIVE(a, l->continues);
	ARCHIVE(a, l->thread);
	ARCHIVE(a, l->fixed_size);
	ARCHIVE(a, l->action_count);
	l->actions = archive_items(a, l->actions, l->action_count, sizeof(*l->actions),
				   archive_action, types);
}

static void archive_aggregation(struct archive *a, void *item, void *types)
{
	struct aggregation_layout *l = item;
	l->name = archive_string(a, l->name);
	ARCHIVE(a, l->function);
	ARCHIVE(a, l->base);
	ARCHIVE(a, l->step);
	ARCHIVE(a, l->levels);
	ARCHIVE(a, l->ll.factor);
	ARCHIVE(a, l->ll.low);
	ARCHIVE(a, l->ll.high);
	ARCHIVE(a, l->ll.steps);
	ARCHIVE(a, l->key_count);
	l->keys = archive_fields(a, l->keys, l->key_count, types);
	ARCHIVE(a, l->key_size);
	ARCHIVE(a, l->key_id);
	ARCHIVE(a, l->shard_offset);
	ARCHIVE(a, l->areas_per_shard);
	ARCHIVE(a, l->sum_word);
	ARCHIVE(a, l->has_generations);
	ARCHIVE(a, l->generation_offset);
	ARCHIVE(a, l->is_walked);
	ARCHIVE(a, l->value_size);
	ARCHIVE(a, l->map);
	ARCHIVE(a, l->keyless_offset);
}

static void archive_map(struct archive *a, void *item, void *arg)
{
	struct map_layout *m = item;
	ARCHIVE(a, m->kind);
	m->name = archive_string(a, m->name);
	ARCHIVE(a, m->key_size);
	ARCHIVE(a, m->value_size);
	ARCHIVE(a, m->max_entries);
	ARCHIVE(a, m->shards);
	ARCHIVE(a, m->is_preallocated);
}

/* --- code --------------------------------------------------------------------------- */

static void archive_relocation(struct archive *a, void *item, void *arg)
{
	struct relocation *r = item;
	ARCHIVE(a, r->instruction);
	ARCHIVE(a, r->kind);
	ARCHIVE(a, r->index);
	ARCHIVE(a, r->addend);
}

static void archive_line(struct archive *a, void *item, void *arg)
{
	struct line_mark *l = item;
	ARCHIVE(a, l->instruction);
	ARCHIVE(a, l->clause);
	ARCHIVE(a, l->line);
	l->text = archive_string(a, l->text);
}

/* --- events ------------------------------------------------------------------------- */

static void archive_site(struct archive *a, void *item, void *arg)
{
	struct event_site *s = item;
	ARCHIVE(a, s->at);
	ARCHIVE(a, s->inside);
	ARCHIVE(a, s->role);
	ARCHIVE(a, s->test.any);
	ARCHIVE(a, s->test.differ);
	ARCHIVE(a, s->test.is_not);
	ARCHIVE(a, s->of_destination);
	ARCHIVE(a, s->destination);
	ARCHIVE(a, s->entry);
	ARCHIVE(a, s->operand.base);
	ARCHIVE(a, s->operand.index);
	ARCHIVE(a, s->operand.scale);
	ARCHIVE(a, s->operand.word);
	ARCHIVE(a, s->extent.size);
	ARCHIVE(a, s->extent.other);
	ARCHIVE(a, s->extent.other_size);
	ARCHIVE(a, s->is_followed);
	ARCHIVE(a, s->is_near);
	ARCHIVE(a, s->function);
	ARCHIVE(a, s->function_size);
	ARCHIVE(a, s->semaphore);
}

static void archive_code(struct archive *a, struct event_code *c)
{
	ARCHIVE(a, c->pid);
	ARCHIVE(a, c->target);
	c->path = archive_string(a, c->path);
	c->name = archive_string(a, c->name);
	ARCHIVE(a, c->site_count);
	ARCHIVE(a, c->file);
	c->sites = archive_items(a, c->sites, c->site_count, sizeof(*c->sites), archive_site, NULL);
}

static void archive_function(struct archive *a, struct event_function *f)
{
	f->module = archive_string(a, f->module);
	f->name = archive_string(a, f->name);
	ARCHIVE(a, f->count);
	f->addresses = archive_bytes(a, f->addresses, f->count * sizeof(*f->addresses));
	bool has_offsets = f->offsets;
	ARCHIVE(a, has_offsets);
	ARCHIVE(a, f->in_programs);
	if (has_offsets)
		f->offsets = archive_bytes(a, f->offsets, f->count * sizeof(*f->offsets));
}

static void archive_target(struct archive *a, struct event *e)
{
	if (e->kind >= EVENT_COUNT) /* refused when the program is verified */
		return;
	switch ((enum event_target)event_facts(e->kind).target) {
	case TARGET_NONE:
		return;
	case TARGET_CALL:
		ARCHIVE(a, e->call.native);
		ARCHIVE(a, e->call.compat);
		ARCHIVE(a, e->call.no_return);
		return;
	case TARGET_TRACEPOINT:
		e->tracepoint.name = archive_string(a, e->tracepoint.name);
		return;
	case TARGET_RECORD:
		e->record.group = archive_string(a, e->record.group);
		e->record.name = archive_string(a, e->record.name);
		return;
	case TARGET_FUNCTION:
		archive_function(a, &e->function);
		return;
	case TARGET_TIMER:
		ARCHIVE(a, e->timer.period);
		ARCHIVE(a, e->timer.on_each_cpu);
		return;
	case TARGET_COUNTER:
		ARCHIVE(a, e->counter.config);
		ARCHIVE(a, e->counter.period);
		ARCHIVE(a, e->counter.type);
		ARCHIVE(a, e->counter.no_user);
		ARCHIVE(a, e->counter.no_kernel);
		return;
	case TARGET_WATCH:
		ARCHIVE(a, e->watch.address);
		ARCHIVE(a, e->watch.length);
		ARCHIVE(a, e->watch.access);
		ARCHIVE(a, e->watch.pid);
		ARCHIVE(a, e->watch.follows);
		return;
	case TARGET_CODE:
		archive_code(a, &e->code);
		return;
	}
}

static void archive_argument(struct archive *a, void *item, void *arg)
{
	struct arg_location *l = item;
	ARCHIVE(a, l->kind);
	ARCHIVE(a, l->size);
	ARCHIVE(a, l->is_signed);
	ARCHIVE(a, l->shift);
	ARCHIVE(a, l->base);
	ARCHIVE(a, l->index);
	ARCHIVE(a, l->value);
}

static void archive_event(struct archive *a, void *item, void *arg)
{
	struct event *e = item;
	ARCHIVE(a, e->kind);
	bool has_args = e->args;
	ARCHIVE(a, has_args);
	if (has_args)
		e->args = archive_items(a, e->args, EVENT_ARGS, sizeof(struct arg_location),
					archive_argument, NULL);
	archive_target(a, e);
}

static void archive_group(struct archive *a, void *item, void *arg)
{
	struct group_code *g = item;
	ARCHIVE(a, g->kind);
	ARCHIVE(a, g->count);
	g->code = archive_bytes(a, g->code, (uint64_t)g->count * sizeof(*g->code));
	ARCHIVE(a, g->error_entry);
	ARCHIVE(a, g->relocation_count);
	g->relocations = archive_items(a, g->relocations, g->relocation_count,
				       sizeof(*g->relocations), archive_relocation, NULL);
	ARCHIVE(a, g->line_count);
	g->lines = archive_items(a, g->lines, g->line_count, sizeof(*g->lines), archive_line, NULL);
	ARCHIVE(a, g->part);
	ARCHIVE(a, g->parts);
	ARCHIVE(a, g->may_sleep);
	ARCHIVE(a, g->follows_jumps);
	ARCHIVE(a, g->table_entries);
	ARCHIVE(a, g->table_entry_size);
	ARCHIVE(a, g->jump_count);
	g->probe_table =
		archive_bytes(a, g->probe_table, (uint64_t)g->table_entries * g->table_entry_size);
	ARCHIVE(a, g->event_count);
	g->events = archive_items(a, g->events, g->event_count, sizeof(*g->events), archive_event,
				  NULL);
	ARCHIVE(a, g->passes);
	g->probe_ids = archive_items(a, g->probe_ids, group_probe_count(g), sizeof(*g->probe_ids),
				     archive_index, NULL);
}

/* --- the whole ---------------------------------------------------------------------- */

static void archive_program(struct archive *a, struct program *p, struct types *types)
{
	ARCHIVE(a, p->version);
	ARCHIVE(a, p->group_count);
	p->groups = archive_items(a, p->groups, p->group_count, sizeof(*p->groups), archive_group,
				  NULL);
	ARCHIVE(a, p->clause_count);
	p->clauses = archive_items(a, p->clauses, p->clause_count, sizeof(*p->clauses),
				   archive_clause, types);
	ARCHIVE(a, p->aggregation_count);
	p->aggregations = archive_items(a, p->aggregations, p->aggregation_count,
					sizeof(*p->aggregations), archive_aggregation, types);
	ARCHIVE(a, p->map_count);
	p->maps = archive_items(a, p->maps, p->map_count, sizeof(*p->maps), archive_map, NULL);
	ARCHIVE(a, p->constants_size);
	p->constants = archive_bytes(a, p->constants, p->constants_size);
	ARCHIVE(a, p->zeros_size);
	ARCHIVE(a, p->globals_size);
	ARCHIVE(a, p->keyless_size);
	ARCHIVE(a, p->self_size);
	ARCHIVE(a, p->call_size);
	ARCHIVE(a, p->call_values);
	ARCHIVE(a, p->suspended_size);
	ARCHIVE(a, p->slot_size);
	ARCHIVE(a, p->string_size);
	ARCHIVE(a, p->area_count);
	ARCHIVE(a, p->cpu_count);
	ARCHIVE(a, p->drops_by_clause);
	ARCHIVE(a, p->largest_record);
	ARCHIVE(a, p->end_records);
	ARCHIVE(a, p->records_at_most);
}

void program_write(const struct program *p, struct types *types, struct strbuf *out)
{
	struct archive a = { .out = out };
	struct program copy = *p;
	strbuf_add(out, magic, sizeof(magic));
	archive_number(&a, FORM_VERSION);
	archive_program(&a, &copy, types);
}

struct error *program_read(const void *bytes, size_t size, struct types *types, struct arena *arena,
			   struct program *ret)
{
	struct archive a = { .in = bytes_of(bytes, size), .arena = arena };
	struct program p = { 0 };
	const char *begin = bytes_take(&a.in, sizeof(magic));
	if (!begin || memcmp(begin, magic, sizeof(magic)) != 0)
		return error_new("this is not a written program");
	uint64_t version = archive_number(&a, 0);
	if (version != FORM_VERSION)
		return error_new(
			"the program is written in form %llu, and only form %u can be read",
			(unsigned long long)version, FORM_VERSION);
	archive_program(&a, &p, types);
	if (a.failed || bytes_left(&a.in))
		return error_new("the written program is damaged, after %zu of %zu bytes", a.in.pos,
				 size);
	struct error *err = program_verify(&p);
	if (err)
		return error_wrap(err, "the written program is damaged");
	*ret = p;
	return NULL;
}
