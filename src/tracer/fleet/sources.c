/* SPDX-License-Identifier: BSD-2-Clause */
/* The ready hosts as sources of one consumer (fleet.h) */
#include <string.h>

#include "base/clock.h"
#include "tracer/fleet/internal.h"

#define LAG_NS 150000000ull /* what a record takes from its firing until it is here, about */

static const struct probe_names *fleet_probe(void *arg, uint32_t id)
{
	const struct asking *a = ((struct tracer *)arg)->fleet->asking;
	_Static_assert(sizeof(struct probe_names) == sizeof(((struct remote_probe *)0)->names),
		       "five names");
	return id && id < a->probes.items.count
		       ? (const struct probe_names *)&a->probes.items.items[id]->names
		       : NULL;
}

/* Records wait until those of other hosts that fired before them are here. */
static uint64_t clock_of_records(void)
{
	return clock_ns(CLOCK_MONOTONIC) - LAG_NS;
}

static struct error *fleet_source(void *self, struct record_source *ret)
{
	const struct asking *a = self;
	*ret = a->sources.items[0];
	return NULL;
}

static void fleet_source_free(void *self)
{
}

static const struct executor_ops fleet_executor = {
	.word = "fleet",
	.name = "a fleet",
	.source = fleet_source,
	.free = fleet_source_free,
};

static uint32_t cpu_count(const struct asking *a)
{
	uint32_t most = 1;
	for (size_t i = 0; i < a->hosts.count; i++)
		if (a->hosts.items[i].state == HOST_READY)
			most = MAX(most, remote_facts(a->hosts.items[i].remote)->cpu_count);
	return most;
}

/* Do our own programs write files here?  A host must not be able to. */
static bool names_files(const struct tracer *t)
{
	const char *text = strbuf_text(&t->fleet->asking->text);
	return option_number(t->options, OPTION_destructive) &&
	       (strstr(text, "freopen") || strstr(text, "ftruncate"));
}

struct error *asking_connect(struct tracer *t, struct consumer_setup *consumer,
			     struct output_setup *output)
{
	struct asking *a = t->fleet->asking;
	consumer->sources = a->sources.items;
	consumer->source_count = (unsigned)a->sources.count;
	consumer->cpu_count = cpu_count(a);
	consumer->names.probe = fleet_probe;
	consumer->now = clock_of_records;
	a->about = tracer_about_compiled(t, a->sources.items[0].program);
	output->about = output->about ? &a->about : NULL;
	output->set_option = tracer_foreign_setopt;
	output->is_elsewhere = true;
	output->is_foreign = !names_files(t);
	return NULL;
}

/* #pragma D option of the programs: the first host has read them for us. */
static void options_take(struct tracer *t, const struct host *h)
{
	size_t count;
	const char *const *options = remote_options(h->remote, &count);
	for (size_t i = 0; i < count; i++) {
		auto_free char *name = mem_strdup(options[i]);
		char *equals = strchr(name, '=');
		if (equals)
			*equals = 0;
		options_set_foreign(t->options, name, equals ? equals + 1 : NULL);
	}
}

struct error *sources_connect(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	for (size_t i = 0; i < a->hosts.count; i++) {
		struct host *h = &a->hosts.items[i];
		if (h->state != HOST_READY)
			continue;
		if (!a->sources.count)
			options_take(t, h);
		vector_push(&a->sources, remote_source(h->remote));
	}
	t->executor = &fleet_executor;
	t->executing = a;
	struct error *err = tracer_connect(t);
	return err ? err : output_start(t->output);
}
