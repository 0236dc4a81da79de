/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/event_key.h"

#include <string.h>

static struct event_key key_of_code(const struct event *e, bool is_of_task)
{
	if (e->code.site_count != 1 || event_is_placed(e->kind))
		return (struct event_key) { .kind = e->kind, .is_of_task = is_of_task, .place = e };
	return (struct event_key) {
		.kind = e->kind,
		.is_of_task = is_of_task,
		.a = e->code.sites[0].at,
		.b = (uint64_t)e->code.pid << 32 | e->code.sites[0].inside,
		.c = (uint64_t)e->code.sites[0].role << 32 | (uint32_t)e->code.target,
		.place = e->code.path,
		.args = event_is_inside(e->kind) ? e->args : NULL,
	};
}

struct event_key event_key(const struct event *e, bool is_of_task)
{
	struct event_key key = { .kind = e->kind, .is_of_task = is_of_task };
	switch ((enum event_target)event_facts(e->kind).target) {
	case TARGET_NONE:
		break;
	case TARGET_CALL:
		key.a = (uint32_t)e->call.native;
		key.b = (uint32_t)e->call.compat;
		break;
	case TARGET_TRACEPOINT:
		key.a = hash_more(HASH_OF_NOTHING, e->tracepoint.name, strlen(e->tracepoint.name));
		break;
	case TARGET_RECORD:
		key.a = hash_more(HASH_OF_NOTHING, e->record.name, strlen(e->record.name));
		key.b = hash_more(HASH_OF_NOTHING, e->record.group, strlen(e->record.group));
		break;
	case TARGET_FUNCTION:
		key.place = e->function.addresses;
		if (!e->function.count) {
			key.a = hash_more(HASH_OF_NOTHING, e->function.name,
					  strlen(e->function.name));
			key.b = hash_more(HASH_OF_NOTHING, e->function.module,
					  strlen(e->function.module));
		}
		break;
	case TARGET_TIMER:
		key.a = e->timer.period;
		key.b = e->timer.on_each_cpu;
		break;
	case TARGET_COUNTER:
		key.a = e->counter.config;
		key.b = e->counter.period;
		key.c = (uint64_t)e->counter.type << 2 | e->counter.no_user << 1 |
			e->counter.no_kernel;
		break;
	case TARGET_WATCH:
		key.a = e->watch.address;
		key.b = (uint64_t)e->watch.length << 32 | e->watch.access;
		key.c = (uint32_t)e->watch.pid;
		break;
	case TARGET_CODE:
		return key_of_code(e, is_of_task);
	}
	return key;
}
