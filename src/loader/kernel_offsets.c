/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel offsets: members of the running kernel's structs, its interrupt count, its callers of our
 * programs */
#include "loader/internal.h"

static const struct offset {
	const char *name, *type, *member;
} offsets[] = {
#define OFFSET(name, type, member) { "rt_offset_" #name, type, member },
#include "abi/offset.def"
#undef OFFSET
};

/* What members were called before: Linux 6.15, 6.11, and 6.6. */
static const struct offset older[] = {
	{ "rt_offset_node_parent", "kernfs_node", "parent" },
	{ "rt_offset_inode_changed_s", "inode", "__i_ctime.tv_sec" },
	{ "rt_offset_inode_changed_s", "inode", "i_ctime.tv_sec" },
	{ "rt_offset_inode_changed_ns", "inode", "__i_ctime.tv_nsec" },
	{ "rt_offset_inode_changed_ns", "inode", "i_ctime.tv_nsec" },
};

static const struct offset *offset_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		if (string_equal(offsets[i].name, name))
			return &offsets[i];
	return NULL;
}

static int32_t offset_in_kernel(const struct executor_kernel *kernel, const struct offset *o)
{
	int32_t offset = kernel->offset(kernel->arg, o->type, o->member);
	for (size_t i = 0; i < ARRAY_SIZE(older) && offset < 0; i++)
		if (string_equal(older[i].name, o->name))
			offset = kernel->offset(kernel->arg, older[i].type, older[i].member);
	return offset;
}

bool kernel_has_member(const struct executor_kernel *kernel, const char *name)
{
	const struct offset *o = offset_find(name);
	return o && offset_in_kernel(kernel, o) >= 0;
}

/* Their readers do without them. */
static bool may_be_missing(const char *name)
{
	return string_equal(name, "rt_offset_memory_sequence") || /* runtime/stack/unwind.c */
	       string_equal(name, "rt_offset_task_fs_base");	  /* runtime/stack/interpreted.c */
}

struct error *bind_offset(const struct linker *k, const char *name, struct bpf_insn *at)
{
	const struct offset *o = offset_find(name);
	if (!o)
		return error_new("the run-time library refers to %s, which is unknown", name);
	int32_t offset = offset_in_kernel(&k->options->kernel, o);
	if (offset < 0 && may_be_missing(name))
		offset = 0;
	if (offset < 0)
		return error_new("the kernel's type data (/sys/kernel/btf/vmlinux) does not say "
				 "where %s of struct %s is",
				 o->member, o->type);
	set_number(at, (uint64_t)offset);
	return NULL;
}

static const struct {
	const char *variable, *member;
} preempt_variables[] = {
	{ "__preempt_count", NULL },	 /* until 6.1, and since 6.15 */
	{ "pcpu_hot", "preempt_count" }, /* between */
};

static struct preempt preempt_find(const struct executor_kernel *o)
{
	struct preempt p = { .offset = o->offset(o->arg, "task_struct",
						 "thread_info.preempt_count") };
	if (p.offset >= 0) {
		p.place = 1;
		return p;
	}
	p.fair_queue = o->offset(o->arg, "task_struct", "se.cfs_rq");
	p.queue = o->offset(o->arg, "cfs_rq", "rq");
	int64_t base = o->variable(o->arg, "runqueues");
	for (size_t i = 0; i < ARRAY_SIZE(preempt_variables); i++) {
		const char *name = preempt_variables[i].variable;
		const char *member = preempt_variables[i].member;
		int64_t variable = o->variable(o->arg, name);
		int32_t inside = member ? o->offset(o->arg, name, member) : 0;
		if (p.fair_queue < 0 || p.queue < 0 || base < 0 || variable < 0 || inside < 0)
			continue;
		p.place = 2;
		p.offset = variable + inside - base;
		return p;
	}
	return (struct preempt) { 0 };
}

const struct preempt *preempt_of(struct maps *m)
{
	if (!m->preempt.is_known)
		m->preempt = preempt_find(&m->options->kernel);
	m->preempt.is_known = true;
	return &m->preempt;
}

/* --- what calls programs --------------------------------------------------------------- */

static const struct address_range no_callers[CALLER_KINDS];

static bool at_system_call(const struct linker *k)
{
	return k->group && event_is_syscall(k->group->kind);
}

static bool at_tracepoint(const struct linker *k)
{
	return k->group && (k->group->kind == EVENT_TRACEPOINT || k->group->kind == EVENT_RECORD);
}

static const char *tracepoint_at(const struct group_code *group, uint32_t i)
{
	return group->kind == EVENT_RECORD ? group->events[i].record.name
					   : group->events[i].tracepoint.name;
}

/* The tracepoint of all firings of this group, or NULL: there are several. */
static const char *tracepoint_of_group(const struct linker *k)
{
	if (!at_tracepoint(k) || !k->group->event_count)
		return NULL;
	for (uint32_t i = 1; i < k->group->event_count; i++)
		if (!string_equal(tracepoint_at(k->group, i), tracepoint_at(k->group, 0)))
			return NULL;
	return tracepoint_at(k->group, 0);
}

enum caller_place callers_place(const struct linker *k)
{
	const char *name = tracepoint_of_group(k);
	if (at_system_call(k))
		return event_is_syscall_entry(k->group->kind) ? CALLER_ENTRY : CALLER_RETURN;
	if (!name || k->group->kind == EVENT_RECORD)
		return CALLER_OTHER;
	return string_equal(name, "sys_enter")	? CALLER_ENTRY
	       : string_equal(name, "sys_exit") ? CALLER_RETURN
						: CALLER_OTHER;
}

/*
 * Only the iterator: the stub is left by a jump, or its frame is the one of tracepoint_frames.  The
 * compiler may have put the iterator into the function that has the tracepoint.
 */
static const struct address_range *callers_of_tracepoint(const struct linker *k)
{
	struct callers *c = &k->maps->callers;
	const char *event = tracepoint_of_group(k);
	if (!event)
		return no_callers;
	if (c->group != k->group) {
		const struct executor_kernel *o = &k->options->kernel;
		auto_free char *name = mem_printf("__traceiter_%s", event);
		const char *names[] = { name };
		o->functions(o->arg, names, 1, &c->of_group[CALLER_ITERATOR]);
		c->group = k->group;
	}
	return c->of_group;
}

/* Both at system calls; zeros when only one of them is known. */
static const struct address_range *callers_of_system_call(const struct linker *k)
{
	static const char *const names[] = {
		"__bpf_trace_sys_enter",
		"__traceiter_sys_enter",
		"__bpf_trace_sys_exit",
		"__traceiter_sys_exit",
	};
	struct callers *c = &k->maps->callers;
	if (!c->is_known) {
		const struct executor_kernel *o = &k->options->kernel;
		o->functions(o->arg, names, ARRAY_SIZE(names), c->at[0]);
		for (int side = 0; side < 2; side++)
			if (!c->at[side][CALLER_STUB].end || !c->at[side][CALLER_ITERATOR].end)
				memset(c->at[side], 0, sizeof(c->at[side]));
		c->is_known = true;
	}
	return c->at[callers_place(k) == CALLER_RETURN];
}

const struct address_range *callers_of(const struct linker *k)
{
	return callers_place(k) == CALLER_OTHER ? callers_of_tracepoint(k)
						: callers_of_system_call(k);
}

/*
 * A system call's stack begins with rt_stack(), the program, bpf_trace_run2() and the callers; for
 * a kernel that hides its symbols one caller is assumed, as on 6.18 on x86_64.  Other tracepoints'
 * have bpf_trace_run1() to bpf_trace_run12(), which most of their callers reach by a jump: no frame
 * of the probed code is taken for one of these; where the kernel is compiled with frame pointers,
 * the stub comes after it.  Then there may be the iterator's (walk_kernel()).  The stack of BEGIN
 * and END begins with the first two. One of fentry or fexit has the trampoline after the first two,
 * then the function.  Timers begin with the interrupted code, and user functions have no kernel
 * frames.
 */
uint64_t frames_of_ours(const struct linker *k, uint32_t subprograms)
{
	uint64_t ours = k->options->kernel.walker_frames + subprograms;
	if (callers_place(k) != CALLER_OTHER)
		return (callers_of(k)[CALLER_STUB].end ? 3 : 4) + ours;
	if (event_is_own(k->group->kind))
		return 2 + ours;
	if (event_is_trampoline(k->group->kind))
		return 3 + ours;
	if (at_tracepoint(k))
		return 3 + k->options->kernel.tracepoint_frames + ours;
	return 0;
}
