/* SPDX-License-Identifier: BSD-2-Clause */
/* The copy of the memory as a source of the consumer (executor/source.h) */
#include "postmortem/internal.h"

static struct control *recorded_control(const struct post_mortem *p)
{
	return (struct control *)(void *)(p->view.memory + p->layout.head.control);
}

static struct error *recorded_drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct post_mortem *p = self;
	uint64_t before = p->view.lost;
	struct error *err = agent_drain(&p->view, area, visit, arg);
	if (!p->is_living) /* else they are being written */
		recorded_control(p)->records_lost += p->view.lost - before;
	return err;
}

static struct error *recorded_visit(void *self, unsigned map, element_visit_fn *visit, void *arg)
{
	return agent_visit(&((struct post_mortem *)self)->view, map, visit, arg);
}

static struct error *recorded_update(void *self, unsigned map, const void *key, const void *value)
{
	return agent_update(&((struct post_mortem *)self)->view, map, key, value);
}

static struct error *recorded_remove(void *self, unsigned map, const void *key)
{
	return agent_remove(&((struct post_mortem *)self)->view, map, key);
}

static struct error *recorded_settle(void *self, bool *all)
{
	*all = true;
	return NULL;
}

static const struct source_reader recorded_reader = {
	.drain = recorded_drain,
	.visit = recorded_visit,
	.update = recorded_update,
	.remove = recorded_remove,
	.settle = recorded_settle,
};

static struct error *recorded_source(void *self, struct record_source *ret)
{
	struct post_mortem *p = self;
	*ret = agent_source(&p->view, &p->program, &recorded_reader, p);
	return NULL;
}

static void recorded_free(void *self)
{
	post_mortem_free(self);
}

const struct executor_ops post_mortem_executor = {
	.word = "core",
	.name = "a core",
	.source = recorded_source,
	.free = recorded_free,
};
