/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of the wing of user stacks; see stacks.h */
#include "tracer/stacks/stacks.h"

#include "tracer/names/names.h"

static void stacks_settings(struct tracer *t)
{
	if (stacks_are_unwound(t))
		t->sema_env.max_user_frames = (uint32_t)option_number(t->options, OPTION_maxframes);
}

static struct error *stacks_load(struct tracer *t, struct executor_options *o)
{
	o->unwind_pool = stacks_pool_size(t);
	o->stack_copies = option_number(t->options, OPTION_ustackcopy);
	o->unwind_must = string_equal(option_text(t->options, OPTION_ustack), "cfi");
	return NULL;
}

static uint64_t same_frame(void *arg, uint64_t word)
{
	return code_names_same(interpreters_names(arg), word);
}

static struct error *stacks_connect(struct tracer *t, struct consumer_setup *consumer,
				    struct output_setup *output)
{
	consumer->names.copied_frames = copies_frames;
	consumer->names.same_frame = same_frame;
	output->code_names = interpreters_names(t);
	if (interpreters_are_wanted(t))
		names_request_mappings(t);
	return NULL;
}

static struct error *stacks_attach(struct tracer *t, const struct program *p)
{
	return stacks_make_target_tables(t);
}

static struct error *stacks_serve(struct tracer *t)
{
	struct error *err = copies_take(t);
	if (!err)
		err = stacks_make_tables(t);
	return err ? err : copies_walk(t);
}

static void stacks_free(struct tracer *t)
{
	stacks_free_tables(t->stacks);
	copies_free(t->stacks->copies);
	interpreters_free(t->stacks->interpreters);
}

const struct wing stacks_wing = {
	.size = sizeof(struct stacks),
	.settings = stacks_settings,
	.load = stacks_load,
	.connect = stacks_connect,
	.attach = stacks_attach,
	.mapped = interpreters_note,
	.forked = interpreters_fork,
	.serve = stacks_serve,
	.free = stacks_free,
};
