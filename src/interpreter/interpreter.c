/* SPDX-License-Identifier: BSD-2-Clause */
#include "interpreter/interpreter.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "interpreter/internal.h"

#define STEPS_MOST                                                                                 \
	10000000000 /* of one firing: loops are bounded, so only a mistake of ours can exceed it   \
		     */

/* --- what it can run -------------------------------------------------------------------------- */

static const char *refuse_event(const struct event *event)
{
	if (event_is_own(event->kind) || event_is_tick(event))
		return NULL;
	return event_is_timer(event->kind)
		       ? "it fires on every CPU, and the interpreter has one thread (tick does)"
		       : "the interpreter runs BEGIN, END, ERROR and tick probes only";
}

static bool is_own_call(enum rt_function function)
{
	return function == RT_cookie || function == RT_map_lookup || function == RT_map_update ||
	       function == RT_map_delete || function == RT_next_part || function == RT_loop ||
	       function == RT_for_each;
}

static struct error *interpreter_refuse_call(enum rt_function function)
{
	if (rt_row(function)->where == WHERE_KERNEL)
		return error_new("it needs a function that only the kernel has, not the "
				 "interpreter (%s: %s)",
				 rt_written(function), rt_row(function)->what);
	assert(is_own_call(function) || native_function(function));
	return NULL;
}

/* One thread runs on all CPUs, one after another, and each has its area: nothing is gained by
 * fewer.
 */
static struct executor_facts interpreter_facts(uint32_t kinds)
{
	return (struct executor_facts) {
		.area_count = (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
		.kernel_frames = STACK_FRAMES_USUAL,
		.returns_by_exits = true,
		.never_splits = true,
	};
}

/* --- what code calls -------------------------------------------------------------------------- */

static uint64_t map_call(struct interpreter *i, enum rt_function function, const uint64_t *r)
{
	const struct interpreter_memory *m = &i->native.memory;
	uint64_t map = r[1] - 1;
	if (map >= i->program->map_count)
		return machine_stop(&i->machine, "calls a map function without a map");
	const struct map_layout *layout = &i->program->maps[map];
	const void *key = (const void *)(uintptr_t)r[2], *value = (const void *)(uintptr_t)r[3];
	if (!machine_may_touch(&i->machine, r[2], layout->key_size, false))
		return 0;
	if (function == RT_map_lookup)
		return (uintptr_t)m->functions->find(m->arg, (unsigned)map, key);
	if (function == RT_map_delete)
		return (uint64_t)m->functions->remove(m->arg, (unsigned)map, key);
	if (!machine_may_touch(&i->machine, r[3], layout->value_size, false))
		return 0;
	return (uint64_t)m->functions->update(m->arg, (unsigned)map, key, value, r[4]);
}

static struct error *element_collect(void *elements, const void *key, const void *value)
{
	struct machine_elements *ret = elements;
	strbuf_add(&ret->keys, key, ret->key_size);
	vector_push(&ret->values, (uint64_t)(uintptr_t)value);
	return NULL;
}

static void interpreter_elements(void *interpreter, uint64_t map, struct machine_elements *ret)
{
	struct interpreter *i = interpreter;
	const struct interpreter_memory *m = &i->native.memory;
	if (!map || map > i->program->map_count) {
		machine_stop(&i->machine, "walks what is not a map");
		return;
	}
	ret->key_size = i->program->maps[map - 1].key_size;
	error_free(m->functions->each(m->arg, (unsigned)map - 1, element_collect, ret));
}

/* Are the arguments that are addresses the program's own? */
static bool may_call(struct interpreter *i, enum rt_function function, const uint64_t *R)
{
	const uint64_t STRING_SIZE = i->program->string_size;
	bool may = true;
#define NATIVE(name)
#define LIBRARY(name)
#define POINTED(name, n, size, writes)                                                             \
	if (function == RT_##name && may && (size) > 0)                                            \
		may = machine_may_touch(&i->machine, R[n], size, writes);
#include "interpreter/row.def"
#undef NATIVE
#undef LIBRARY
#undef POINTED
	return may;
}

static uint64_t interpreter_call(void *interpreter, enum rt_function function, const uint64_t *r)
{
	struct interpreter *i = interpreter;
	if (function == RT_cookie)
		return i->cookie;
	if (is_own_call(function))
		return map_call(i, function, r);
	native_fn *f = native_function(function);
	if (!f)
		return machine_stop(&i->machine, "calls what the interpreter does not have");
	return may_call(i, function, r) ? f(r[1], r[2], r[3], r[4], r[5]) : 0;
}

/* --- life ------------------------------------------------------------------------------------- */

static void interpreter_free(void *self)
{
	struct interpreter *i = self;
	if (!i)
		return;
	own_memory_free(i->own);
	free(i->native.constants);
	free(i->ancestors);
	machine_deinit(&i->machine);
	vector_free(&i->ticks);
	if (i->timer >= 0)
		close(i->timer);
	free(i);
}

static bool interpreter_owns(void *machine, uint64_t address, size_t size)
{
	return machine_owns(machine, address, size);
}

/* Without a memory. */
static struct interpreter *interpreter_new(const struct program *p,
					   const struct executor_options *options)
{
	struct interpreter *i = mem_zalloc(sizeof(*i));
	i->program = p;
	i->timer = -1;
	i->machine = (struct machine) { .arg = i,
					.call = interpreter_call,
					.refer = interpreter_refer,
					.elements = interpreter_elements,
					.steps_most = STEPS_MOST };
	i->native = (struct native) { .program = p,
				      .policy = options->policy,
				      .wall_offset = options->wall_offset,
				      .owner = &i->machine,
				      .owns = interpreter_owns };
	describe_process(&i->native.task, &i->ancestors, &i->machine);
	machine_allow(&i->machine, i->context, sizeof(i->context), true);
	return i;
}

static struct error *interpreter_begin(struct interpreter *i,
				       const struct interpreter_memory *memory)
{
	size_t size = constants_region_size(i->program);
	i->native.memory = *memory;
	machine_allow(&i->machine, memory->bytes, memory->size, false);
	i->native.constants = try_alloc(size + 8);
	if (!i->native.constants)
		return error_new("no memory for constants: %zu bytes", size);
	constants_fill(i->program, i->native.constants);
	machine_allow(&i->machine, i->native.constants, size, true);
	return NULL;
}

struct error *interpreter_on(const struct program *p, const struct executor_options *options,
			     const struct interpreter_memory *memory, void **ret)
{
	struct interpreter *i = interpreter_new(p, options);
	struct error *err = interpreter_begin(i, memory);
	if (err)
		interpreter_free(i);
	else
		*ret = i;
	return err;
}

static struct error *interpreter_load(const struct program *p,
				      const struct executor_options *options, void **ret)
{
	struct interpreter *i = interpreter_new(p, options);
	struct interpreter_memory memory;
	i->own = mem_zalloc(sizeof(*i->own));
	struct error *err = own_memory_make(i->own, p, options, &i->machine, &memory);
	if (!err)
		err = interpreter_begin(i, &memory);
	if (err)
		interpreter_free(i);
	else
		*ret = i;
	return err;
}

/* --- firings ---------------------------------------------------------------------------------- */

static struct error *run(struct interpreter *i, unsigned group, uint32_t event)
{
	const struct group_code *g = &i->program->groups[group];
	int cpu = sched_getcpu();
	i->cookie = event;
	i->native.cpu = cpu < 0 ? 0 : (uint32_t)cpu;
	i->native.area =
		i->native.memory.area == AREA_OF_CPU ? i->native.cpu : i->native.memory.area;
	if (i->native.area >= i->program->area_count) { /* a drop: abi/state.h */
		i->native.memory.control->no_area++;
		return NULL;
	}
	native = i->native;
	bool fine = machine_run(&i->machine, g, i->context);
	i->native = native;
	return fine ? NULL
		    : error_new("the interpreter stopped the program for %s, which %s: please "
				"report this",
				event_name(g->kind), i->machine.problem);
}

static struct error *interpreter_fire(void *self, unsigned group, uint32_t event)
{
	struct interpreter *i = self;
	memset(i->context, 0, sizeof(i->context));
	i->context[0] = event;
	return run(i, group, event);
}

static struct error *fire_tick(struct interpreter *i, struct tick *tick)
{
	struct native_timer timer = { NULL, tick->due };
	size_t region = machine_allow(&i->machine, &timer, sizeof(timer), true);
	timer.self = &timer;
	memset(i->context, 0, sizeof(i->context));
	memcpy(i->context, &timer, sizeof(timer));
	struct error *err = run(i, tick->group, tick->index);
	machine_forbid(&i->machine, region);
	tick->due += tick->period;
	return err;
}

static struct tick *next_tick(const struct interpreter *i)
{
	struct tick *next = NULL;
	for (size_t k = 0; k < i->ticks.count; k++)
		if (!next || i->ticks.items[k].due < next->due)
			next = &i->ticks.items[k];
	return next;
}

static struct error *timer_set(struct interpreter *i)
{
	const struct tick *next = next_tick(i);
	if (!next)
		return NULL;
	/* Relative, as absolute times are those of our time namespace. */
	uint64_t now = clock_ns(CLOCK_MONOTONIC), wait = next->due > now ? next->due - now : 1;
	struct itimerspec when = { .it_value = { .tv_sec = (time_t)(wait / 1000000000),
						 .tv_nsec = (long)(wait % 1000000000) } };
	if (timerfd_settime(i->timer, 0, &when, NULL) < 0)
		return error_sys(errno, "cannot set a timer");
	return NULL;
}

static void ticks_add(struct interpreter *i, unsigned group)
{
	const struct group_code *g = &i->program->groups[group];
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	for (uint32_t k = 0; event_is_timer(g->kind) && k < g->event_count; k++) {
		uint64_t period = g->events[k].timer.period;
		vector_push(&i->ticks, ((struct tick) { group, k, period, now + period }));
	}
}

static struct error *interpreter_attach(void *self, const struct executor_request *request)
{
	struct interpreter *i = self;
	for (unsigned n = 0; n < i->program->group_count; n++)
		ticks_add(i, n);
	if (!i->ticks.count)
		return NULL;
	i->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (i->timer < 0)
		return error_sys(errno, "cannot make a timer");
	return timer_set(i);
}

/*
 * Ticks that were due while dtrace was busy fire now, each in its turn, but none that become due
 * meanwhile.
 */
static struct error *interpreter_step(void *self, bool status)
{
	struct interpreter *i = self;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct error *err = NULL;
	for (struct tick *next = next_tick(i); next && next->due <= now && !err;
	     next = next_tick(i))
		err = fire_tick(i, next);
	return err ? err : timer_set(i);
}

static int interpreter_poll_fd(void *self, unsigned n)
{
	return n ? -1 : ((struct interpreter *)self)->timer;
}

const struct executor_ops interpreter_executor = {
	.word = "interpreter",
	.name = "the interpreter",
	.facts = interpreter_facts,
	.refuse_event = refuse_event,
	.refuse_call = interpreter_refuse_call,
	.load = interpreter_load,
	.source = interpreter_source,
	.attach = interpreter_attach,
	.fire = interpreter_fire,
	.step = interpreter_step,
	.poll_fd = interpreter_poll_fd,
	.free = interpreter_free,
};
