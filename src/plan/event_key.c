/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/event_key.h"

#include <string.h>

static struct event_key key_of_code(const struct event *e, bool is_of_task)
{
	if (e->code.site_count != 1 || e->kind == EVENT_STATIC_PROBE)
		return (struct event_key) { .kind = e->kind, .is_of_task = is_of_task, .place = e };
	return (struct event_key) {
		.kind = e->kind,
		.is_of_task = is_of_task,
		.a = e->code.sites[0].at,
		.b = (uint64_t)e->code.pid << 32 | e->code.sites[0].inside,
		.c = (uint64_t)e->code.sites[0].role << 32 | (uint32_t)e->code.target,
		.place = e->code.path,
	};
}

struct event_key event_key(const struct event *e, bool is_of_task)
{
	struct event_key key = { .kind = e->kind, .is_of_task = is_of_task };
	switch (e->kind) {
	case EVENT_BEGIN:
	case EVENT_END:
		break;
	case EVENT_SYSCALL_ENTRY:
	case EVENT_SYSCALL_RESUME:
	case EVENT_SYSCALL_RETURN:
		key.a = (uint32_t)e->call.native;
		key.b = (uint32_t)e->call.compat;
		break;
	case EVENT_TRACEPOINT:
		key.a = hash_more(HASH_OF_NOTHING, e->tracepoint.name, strlen(e->tracepoint.name));
		break;
	case EVENT_RECORD:
		key.a = hash_more(HASH_OF_NOTHING, e->record.name, strlen(e->record.name));
		key.b = hash_more(HASH_OF_NOTHING, e->record.group, strlen(e->record.group));
		break;
	case EVENT_KERNEL_ENTRY:
	case EVENT_KERNEL_FENTRY:
	case EVENT_KERNEL_RETURN:
	case EVENT_KERNEL_FEXIT:
	case EVENT_KERNEL_INSIDE:
		key.place = e->function.addresses;
		if (!e->function.count) {
			key.a = hash_more(HASH_OF_NOTHING, e->function.name,
					  strlen(e->function.name));
			key.b = hash_more(HASH_OF_NOTHING, e->function.module,
					  strlen(e->function.module));
		}
		break;
	case EVENT_TIMER:
		key.a = e->timer.period;
		key.b = e->timer.on_each_cpu;
		break;
	case EVENT_COUNTER:
		key.a = e->counter.config;
		key.b = e->counter.period;
		key.c = (uint64_t)e->counter.type << 2 | e->counter.no_user << 1 |
			e->counter.no_kernel;
		break;
	case EVENT_WATCH:
		key.a = e->watch.address;
		key.b = (uint64_t)e->watch.length << 32 | e->watch.access;
		key.c = (uint32_t)e->watch.pid;
		break;
	case EVENT_FUNCTION_ENTRY:
	case EVENT_FUNCTION_RETURN:
	case EVENT_FUNCTION_INSIDE:
	case EVENT_STATIC_PROBE:
		return key_of_code(e, is_of_task);
	case EVENT_COUNT:
		break;
	}
	return key;
}
