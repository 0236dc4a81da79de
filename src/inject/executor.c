/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of the executor: what it can run, and the life of a run */
#include "inject/internal.h"
#include "inject/sites.h"
#include "interpreter/interpreter.h"

#define AREAS 64
#define AREAS_OF_TREES 256 /* each process has one thread at least */
#define SLOT_LEAST 16384u  /* memory that is not used is not there */

/* --- what it can run -------------------------------------------------------------------------- */

static const char *process_refuse_event(const struct event *e)
{
	if (event_is_own(e->kind) || event_is_tick(e))
		return NULL;
	if (!event_is_function(e->kind))
		return "it is outside of processes, and executor=process traces one from inside";
	if (!e->code.pid)
		return "it is in more than one process, and executor=process traces one so far";
	return NULL;
}

static bool is_in_line(enum rt_function function)
{
	return function == RT_cookie || function == RT_area || function == RT_target;
}

/* Rows that are the kernel's for system calls and other events, and the agent's for functions. */
static bool is_of_functions(enum rt_function function)
{
	return function == RT_target || function == RT_exit_next || function == RT_call_make ||
	       function == RT_call_find || function == RT_call_end || function == RT_call_unseen ||
	       function == RT_register_keep || function == RT_register_find;
}

static struct error *process_refuse_call(enum rt_function function)
{
	bool has_it = rt_row(function)->where != WHERE_KERNEL || is_of_functions(function);
	if (has_it && (is_in_line(function) || agent_row(function)))
		return NULL;
	return error_new("it needs a function that only the kernel has, not a process (%s: %s)",
			 rt_written(function), rt_row(function)->what);
}

static struct executor_facts process_facts(uint32_t kinds)
{
	return (struct executor_facts) {
		.area_count = AREAS,
		.tree_area_count = AREAS_OF_TREES,
		.kernel_frames = STACK_FRAMES_USUAL,
		.returns_by_exits = true,
		.never_splits = true,
		.never_starves = true,
	};
}

/* --- before it runs --------------------------------------------------------------------------- */

static void process_free_run(void *self)
{
	struct injector *i = self;
	if (!i)
		return;
	stacks_deinit(i);
	memory_unmake(i);
	agent_layout_deinit(&i->layout);
	jumps_free(i);
	arrival_deinit(i);
	vector_free(&i->programs);
	free(i);
}

static struct error *process_load(const struct program *p, const struct executor_options *options,
				  void **ret)
{
	struct injector *i = mem_zalloc(sizeof(*i));
	i->state = *p;
	i->state.slot_size = MAX(p->slot_size, SLOT_LEAST);
	i->program = &i->state;
	vector_push(&i->programs, ((struct injected_program) { i->program, 0 }));
	i->options = *options;
	i->target.memory = i->memory_fd = -1;
	struct error *err = agent_layout_init(&i->layout, i->program, &i->options);
	if (err) {
		vector_free(&i->programs);
		free(i);
		return err;
	}
	i->programs.items[0].constants = i->layout.head.constants;
	*ret = i;
	return NULL;
}

static struct error *held_enter(struct injector *i)
{
	own_open(&i->target);
	struct error *err = leftovers_take(&i->target, i->layout.head.image_id);
	if (!err)
		err = memory_enter(i);
	return err ? err : own_write(i);
}

static struct error *process_enter(void *self, struct process *process)
{
	struct injector *i = self;
	if (i->target.process)
		return error_new("executor=process traces one process so far");
	i->target.process = process;
	i->target.pid = process_pid(process);
	bool runs = !process_is_held(process);
	struct error *err = memory_check(i);
	if (!err)
		err = process_hold(process);
	if (!err)
		err = held_enter(i);
	if (runs)
		error_free(process_run(process)); /* its end is seen later, too */
	if (!err)
		stacks_look(i);
	return err ? error_wrap(err, "cannot trace process %d from inside", i->target.pid) : NULL;
}

static struct error *process_attach(void *self, const struct executor_request *request)
{
	struct injector *i = self;
	bool is_ours = !request->pid && !request->program; /* ticks are in the first program */
	struct error *err = is_ours ? interpreter_executor.attach(i->interpreter, request) : NULL;
	return err ? err : jumps_attach(i, request);
}

/* --- while it runs ---------------------------------------------------------------------------- */

static struct error *process_fire(void *self, unsigned group, uint32_t index)
{
	return interpreter_executor.fire(((struct injector *)self)->interpreter, group, index);
}

static struct error *process_step(void *self, bool status)
{
	struct injector *i = self;
	target_step(i);
	if (status) {
		target_look_at_filters(i);
		children_report(i);
	}
	return interpreter_executor.step(i->interpreter, status);
}

static int process_poll_news(void *self, unsigned n)
{
	struct injector *i = self;
	int timer = interpreter_executor.poll_fd(i->interpreter, 0);
	int fds[] = { i->waker.news, timer, -1 };
	return n < 2 ? fds[n] : -1;
}

static struct executor_sizes process_sizes(const void *self)
{
	const struct injector *i = self;
	const struct process_head *h = &i->layout.head;
	bool speculates = program_calls(i->program, RT_speculation);
	return (struct executor_sizes) {
		.buffer = (uint32_t)h->ring_size,
		.speculation = speculates ? (uint32_t)h->speculation_size : 0,
		.speculation_lowered = h->speculation_size + 64 < i->options.speculation_size,
	};
}

static bool process_is_above_mark(const void *self)
{
	return agent_is_above(&((const struct injector *)self)->view);
}

static uint64_t process_missed(const void *self)
{
	return 0;
}

static struct error *inject_check(void)
{
	return NULL;
}

/* Firings under way may still end: settle() waits for them. */
static bool process_stop(void *self)
{
	struct injector *i = self;
	target_step(i);
	return i->target.process && (!i->target.has_ended || children_live(i));
}

/* Each trampoline passes through.  The jumps of -c stay: the process ends with us. */
static void process_detach(void *self)
{
	struct injector *i = self;
	waker_mark_end(&i->waker);
	if (i->target.process && !process_is_created(i->target.process))
		jumps_take(i);
	children_report(i);
	children_take(i);
}

static const struct executor_outside process_outside = {
	.check = inject_check,
	.sizes = process_sizes,
	.is_above_mark = process_is_above_mark,
	.missed = process_missed,
	.stop = process_stop,
	.detach = process_detach,
	.sleeping = process_sleeping,
};

const struct executor_ops process_executor = {
	.word = "process",
	.name = "the process",
	.facts = process_facts,
	.refuse_event = process_refuse_event,
	.refuse_call = process_refuse_call,
	.load = process_load,
	.enter = process_enter,
	.source = process_source,
	.attach = process_attach,
	.fire = process_fire,
	.step = process_step,
	.poll_fd = process_poll_news,
	.free = process_free_run,
	.outside = &process_outside,
	.follow = &inject_follow,
	.stacks = &inject_stacks,
};
