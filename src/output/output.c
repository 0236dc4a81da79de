/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output/internal.h"

/* --- life ----------------------------------------------------------------------------- */

static struct error *prepare_clause(const struct program *p, unsigned clause,
				    struct prepared ***ret)
{
	const struct clause_layout *layout = &p->clauses[clause];
	struct prepared **prepared = mem_zalloc(layout->action_count * sizeof(*prepared));
	*ret = prepared;
	for (unsigned i = 0; i < layout->action_count; i++) {
		if (!layout->actions[i].format)
			continue;
		struct error *err = printf_prepare(p, &layout->actions[i], &prepared[i]);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *prepare_source(const struct program *p, struct prepared ****ret)
{
	struct error *err = NULL;
	*ret = mem_zalloc(p->clause_count * sizeof(**ret));
	for (unsigned i = 0; i < p->clause_count && !err; i++)
		err = prepare_clause(p, i, &(*ret)[i]);
	return err;
}

static struct error *prepare_all(struct output *o)
{
	const struct consumer *c = o->setup.consumer;
	const struct program *p;
	struct error *err = NULL;
	while (consumer_source_program(c, o->source_count))
		o->source_count++;
	o->prepared = mem_zalloc(o->source_count * sizeof(*o->prepared));
	for (unsigned i = 0; !err && (p = consumer_source_program(c, i)); i++)
		err = prepare_source(p, &o->prepared[i]);
	return err;
}

struct error *output_new(const struct output_setup *setup, struct output **ret)
{
	struct output *o = mem_zalloc(sizeof(*o));
	o->setup = *setup;
	o->ops = setup->ops ? setup->ops : &output_text_ops;
	o->options = setup->options;
	writer_init(&o->file, setup->fd);
	o->file.interrupts = setup->interrupts;
	o->file_name = setup->fd_name;
	o->out = &o->file;
	o->reopened_fd = -1;
	o->flows = mem_zalloc(consumer_cpu_count(setup->consumer) * sizeof(*o->flows));
	struct error *err = prepare_all(o);
	if (err) {
		output_free(o);
		return err;
	}
	*ret = o;
	return NULL;
}

static void prepared_free_source(const struct program *p, struct prepared ***prepared)
{
	for (unsigned i = 0; prepared && i < p->clause_count; i++) {
		if (!prepared[i])
			continue;
		for (unsigned j = 0; j < p->clauses[i].action_count; j++)
			prepared_free(prepared[i][j]);
		free(prepared[i]);
	}
	free(prepared);
}

static void prepared_free_all(struct output *o)
{
	for (unsigned i = 0; i < o->source_count; i++)
		prepared_free_source(consumer_source_program(o->setup.consumer, i), o->prepared[i]);
	free(o->prepared);
}

void output_free(struct output *o)
{
	if (!o)
		return;
	if (o->reopened_fd >= 0)
		close(o->reopened_fd);
	free(o->reopened_name);
	if (o->ops->free)
		o->ops->free(o);
	prepared_free_all(o);
	pcap_free(o);
	strbuf_deinit(&o->scratch);
	strbuf_deinit(&o->shown);
	strbuf_deinit(&o->stack);
	hash_free(o->faults);
	writer_deinit(&o->file);
	free(o->flows);
	free(o);
}

struct output_options *output_options(struct output *o)
{
	return &o->options;
}

static struct error *write_error(const struct output *o)
{
	if (!o->file.errnum)
		return NULL;
	return error_sys(o->file.errnum, "failed to write to %s", o->file_name);
}

struct error *output_flush(struct output *o)
{
	writer_flush(&o->file);
	if (o->setup.flush)
		o->setup.flush(o->setup.arg);
	struct error *err = VERIFIES ? output_verify(o) : NULL;
	if (err)
		return error_wrap(err, "a bug of %s: the output", message_program());
	return write_error(o);
}

struct error *output_start(struct output *o)
{
	if (o->ops->start)
		o->ops->start(o);
	return output_flush(o);
}

void output_puts(struct output *o, const char *text)
{
	if (o->ops->puts)
		o->ops->puts(o, text);
}

const struct prepared *prepared_of(const struct output *o, const struct record *r,
				   const struct action_layout *action)
{
	/* rows have the first source's layout */
	unsigned source = action->kind == ACTION_PRINTA ? 0 : r->source;
	return o->prepared[source][r->header->clause][action - r->clause->actions];
}

/* --- what actions mean -------------------------------------------------------------------- */

static struct error *rows_show(struct output *o, const struct record *r,
			       const struct action_layout *action, const uint32_t *aggregations,
			       unsigned count)
{
	struct aggregation_rows rows;
	struct error *err = consumer_rows(o->setup.consumer, aggregations, count, action != NULL,
					  &o->options.order, &rows);
	if (err)
		return err;
	o->ops->aggregations(o, r, action, &rows);
	names_of_rows(o, &rows);
	for (unsigned i = 0; i < count && action && rows.count; i++)
		consumer_mark_printed(o->setup.consumer, aggregations[i]);
	aggregation_rows_free(&rows);
	return NULL;
}

/* The number that the action carries, or OTHERWISE. */
static int64_t action_number(const struct output *o, const struct record *r,
			     const struct action_layout *action, int64_t otherwise)
{
	if (!action->field_count)
		return otherwise;
	struct value v = value_of_record(o, r, &action->fields[0]);
	return value_integer(&v);
}

static void normalize(struct output *o, const struct record *r, const struct action_layout *action)
{
	uint64_t normal = (uint64_t)action_number(o, r, action, 1);
	if (normal == 0)
		message_library_fault(o, r, "Invalid normalization: normalize() by 0");
	else
		consumer_normalize(o->setup.consumer, action->aggregations[0], normal);
}

/* ACTION, of R, is about to empty an aggregation: its reader would never see the last values. */
static struct error *rows_show_last(struct output *o, const struct record *r,
				    const struct action_layout *action)
{
	return o->setup.shows_cleared ? rows_show(o, r, NULL, action->aggregations, 1) : NULL;
}

/* Actions on aggregations. */
static struct error *run_aggregation_action(struct output *o, const struct record *r,
					    const struct action_layout *action)
{
	struct consumer *c = o->setup.consumer;
	struct error *err;
	if (!action->aggregation_count)
		return NULL;
	switch (action->kind) {
	case ACTION_PRINTA:
		return rows_show(o, r, action, action->aggregations, action->aggregation_count);
	case ACTION_CLEAR:
		err = rows_show_last(o, r, action);
		return err ? err : consumer_clear(c, action->aggregations[0]);
	case ACTION_TRUNC:
		err = rows_show_last(o, r, action);
		return err ? err
			   : consumer_trunc(c, action->aggregations[0],
					    action_number(o, r, action, 0));
	case ACTION_NORMALIZE:
		normalize(o, r, action);
		return NULL;
	default:
		consumer_normalize(c, action->aggregations[0], 1);
		return NULL;
	}
}

/* Commands and files, for records that may be anyone's. */
static bool action_is_refused(struct output *o, const struct record *r,
			      const struct action_layout *action)
{
	bool runs = action->kind == ACTION_SYSTEM && !o->setup.is_elsewhere;
	bool acts = runs || action->kind == ACTION_FREOPEN || action->kind == ACTION_FTRUNCATE;
	if (acts && o->setup.is_foreign)
		message_library_fault(o, r, "%s() is not carried out (-w does it)",
				      action_name(action->kind));
	return acts && o->setup.is_foreign;
}

/* What an action does here, on our side. */
static struct error *carry_out(struct output *o, const struct record *r, unsigned i)
{
	const struct action_layout *action = &r->clause->actions[i];
	const struct prepared *prepared = prepared_of(o, r, action);
	if (action_is_refused(o, r, action))
		return NULL;
	switch (action->kind) {
	case ACTION_EXIT: /* the firing itself has notified the tracer: struct control */
		break;
	case ACTION_SYSTEM:
		if (o->setup.is_elsewhere)
			break;
		return prepared ? command_system(o, r, prepared) : NULL;
	case ACTION_FREOPEN:
		if (prepared)
			command_freopen(o, r, prepared);
		break;
	case ACTION_FTRUNCATE:
		command_ftruncate(o);
		break;
	case ACTION_SETOPT:
		command_setopt(o, r, action);
		break;
	default:
		return run_aggregation_action(o, r, action);
	}
	return NULL;
}

/* Does it act, and show nothing? */
static bool action_acts(enum action_kind kind)
{
	switch (kind) {
	case ACTION_EXIT:
	case ACTION_CLEAR:
	case ACTION_TRUNC:
	case ACTION_NORMALIZE:
	case ACTION_DENORMALIZE:
	case ACTION_SYSTEM:
	case ACTION_FREOPEN:
	case ACTION_FTRUNCATE:
	case ACTION_SETOPT:
		return true;
	default:
		return false;
	}
}

/* Is nothing to be done for ACTION, of R?  What a record of several machines does is done once. */
static bool action_is_done(const struct record *r, const struct action_layout *action)
{
	return action->kind == ACTION_DEFAULT ||
	       (r->is_again && (action_acts(action->kind) || action->kind == ACTION_PRINTA));
}

bool record_shows(const struct record *r)
{
	bool any = false;
	for (unsigned i = 0; i < r->clause->action_count; i++) {
		const struct action_layout *action = &r->clause->actions[i];
		any |= record_flag(r, action->flag) && !action_is_done(r, action) &&
		       !action_acts(action->kind);
	}
	return any;
}

static struct error *run_action(struct output *o, const struct record *r, unsigned i)
{
	const struct action_layout *action = &r->clause->actions[i];
	if (action_is_done(r, action))
		return NULL;
	if (action->kind == ACTION_PRINTA)
		return run_aggregation_action(o, r, action);
	if (action_acts(action->kind)) {
		struct error *err = carry_out(o, r, i);
		if (!err && o->ops->acted)
			o->ops->acted(o, r, action);
		return err;
	}
	o->ops->action(o, r, action);
	names_of_record(o, r, action);
	return NULL;
}

/* --- records --------------------------------------------------------------------------------- */

static void record_fault(struct output *o, const struct record *r)
{
	struct record_fault fault;
	memcpy(&fault, r->header + 1, sizeof(fault));
	o->ops->fault(o, r, &fault);
}

static struct error *record_data(struct output *o, const struct record *r)
{
	if (r->is_again && !record_shows(r))
		return NULL;
	if (!o->has_begun) {
		o->has_begun = true;
		if (o->ops->begin)
			o->ops->begin(o);
	}
	o->ops->record_begin(o, r);
	for (unsigned i = 0; i < r->clause->action_count; i++) {
		if (!record_flag(r, r->clause->actions[i].flag))
			continue;
		struct error *err = run_action(o, r, i);
		if (err)
			return err;
	}
	o->ops->record_end(o, r);
	return write_error(o);
}

static void damaged(struct output *o, const struct record *r)
{
	auto_free char *text = mem_printf("damaged record on CPU %d: %s", r->cpu, r->problem);
	o->ops->problem(o, r, text);
}

static struct error *record_pass_on(struct output *o, const struct record *r)
{
	struct error *err = o->setup.record(o->setup.arg, r);
	bool has_actions = !r->problem && r->header->kind == RECORD_DATA;
	for (unsigned i = 0; has_actions && i < r->clause->action_count && !err; i++)
		if (r->clause->actions[i].kind == ACTION_SYSTEM &&
		    record_flag(r, r->clause->actions[i].flag))
			err = carry_out(o, r, i);
	return err;
}

struct error *output_record(void *output, const struct record *r)
{
	struct output *o = output;
	if (o->setup.interrupts && *o->setup.interrupts >= 2) {
		o->skipped++;
		return error_sys(ECANCELED, "interrupted twice");
	}
	if (o->setup.record)
		return record_pass_on(o, r);
	if (r->problem)
		damaged(o, r);
	else if (r->header->kind == RECORD_FAULT)
		record_fault(o, r);
	else
		return record_data(o, r);
	return write_error(o);
}

struct error *output_skip(void *output, const struct record *r)
{
	struct output *o = output;
	return ++o->skipped < OUTPUT_SKIPPED_MAX ? NULL : error_sys(ECANCELED, "skipped enough");
}

void output_abandon(struct output *o, uint64_t *records, uint64_t *bytes)
{
	writer_stop(&o->file, ECANCELED);
	message_more_faults(o);
	*records = o->skipped;
	*bytes = o->file.lost + o->file.used;
}

void output_drop(void *output, const struct drop *drop)
{
	struct output *o = output;
	o->ops->drop(o, drop);
}

/* --- the end --------------------------------------------------------------------------------- */

static struct error *show_unprinted(struct output *o)
{
	struct consumer *c = o->setup.consumer;
	unsigned all = consumer_program(c)->aggregation_count, count = 0;
	auto_free uint32_t *list = mem_alloc(all * sizeof(*list));
	for (uint32_t i = 0; i < all; i++)
		if (!consumer_was_printed(c, i))
			list[count++] = i;
	return rows_show(o, NULL, NULL, list, count);
}

struct error *output_show(struct output *o)
{
	struct error *err = show_unprinted(o);
	return err ? err : output_flush(o);
}

struct error *output_end(struct output *o, bool aggregations)
{
	pcap_end(o);
	message_more_faults(o);
	if (o->ops->end)
		o->ops->end(o);
	o->is_ending = true;
	struct error *err = aggregations ? show_unprinted(o) : NULL;
	if (err)
		return err;
	for (enum stack_end end = 0; end < STACK_END_COUNT; end++)
		if (o->stacks_cut[end])
			output_drop(o, &(struct drop) { .kind = DROP_CALLERS,
							.cpu = -1,
							.stack_end = end,
							.count = o->stacks_cut[end] });
	names_report(o);
	interpreted_report(o);
	return output_flush(o);
}

struct error *output_exit(struct output *o, int status)
{
	if (o->ops->exit)
		o->ops->exit(o, status);
	return output_flush(o);
}
