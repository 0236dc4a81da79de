/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel_cost - what probes of very many functions of the kernel will cost all processes, reported
 * before they are there
 *
 * How often the kernel calls a function is not known before; so those are counted whose names say
 * that they are called all the time (busy.def).
 */
#include "tracer/advice/advice.h"

#define FUNCTIONS_MANY 1000

static const struct {
	const char *class, *pattern;
} busy[] = {
#define BUSY(class, pattern) { class, pattern },
#include "tracer/advice/busy.def"
#undef BUSY
};

struct kernel_cost {
	unsigned entries, returns;
	unsigned by_row[ARRAY_SIZE(busy)];
};

static void count_one(struct kernel_cost *c, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(busy); i++)
		if (glob_match(busy[i].pattern, name)) {
			c->by_row[i]++;
			return;
		}
}

static void count_events(struct kernel_cost *c, const struct group_code *group)
{
	if (!event_is_kernel(group->kind) || group->part)
		return;
	if (event_facts(group->kind).point == POINT_ENTRY)
		c->entries += group->event_count;
	else
		c->returns += group->event_count;
	for (uint32_t i = 0; i < group->event_count; i++)
		count_one(c, group->events[i].function.name);
}

/* "31 of locks, 55 of the scheduler": rows of one class are neighbours. */
static void add_classes(struct strbuf *text, const struct kernel_cost *c)
{
	for (size_t i = 0, next; i < ARRAY_SIZE(busy); i = next) {
		unsigned count = 0;
		for (next = i;
		     next < ARRAY_SIZE(busy) && string_equal(busy[next].class, busy[i].class);
		     next++)
			count += c->by_row[next];
		if (count)
			strbuf_printf(text, "%s%u of %s", text->len ? ", " : "", count,
				      busy[i].class);
	}
}

void kernel_cost_report(const struct tracer *t, const struct program *p)
{
	struct kernel_cost c = { 0 };
	auto_strbuf struct strbuf text = { 0 };
	if (option_number(t->options, OPTION_quiet))
		return;
	for (unsigned i = 0; i < p->group_count; i++)
		count_events(&c, &p->groups[i]);
	if (c.entries + c.returns < FUNCTIONS_MANY)
		return;
	add_classes(&text, &c);
	message("%u entries and %u returns of the kernel's functions are probed: the whole machine "
		"will be slower until the end.  Called all the time are%s%s",
		c.entries, c.returns, text.len ? " " : " none by their names", strbuf_text(&text));
}
