/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watcher - small programs of the loader itself, for data that the programs of clauses need
 *
 * In:   the needs of programs: the thread's block, its times on a CPU, notes of its returns,
 *       processes to watch and their children, control groups.
 * Out:  descriptors (struct loaded), to be attached: at the end of threads, at context switches, at
 *       forks, execs and ends of processes, when control groups come and go;
 *       arrivals (struct arrival) of code in watched processes, which are requests to the tracer.
 *
 * Each is a few instructions that call one function of the run-time library.
 */
#include "loader/internal.h"

/* A small program of the loader's own. */
static struct error *load_watcher(struct maps *m, const struct group_code *group, const char *name,
				  int *ret)
{
	return *ret >= 0 ? NULL : load_code(m, group, 0, name, ret);
}

/* At a raw tracepoint: FUNCTION(the first WORDS words of the context, at most 2) */
static struct error *load_tracepoint_watcher(struct maps *m, enum rt_function function,
					     unsigned words, const char *name, int *ret)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 2, .src_reg = 1, .off = 8 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 1, .src_reg = 1 },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct relocation call = { words, RELOCATE_CALL, function, 0 };
	const struct group_code group = {
		.kind = EVENT_BEGIN, /* a raw tracepoint, too */
		.code = code + 2 - words,
		.count = ARRAY_SIZE(code) - 2 + words,
		.relocations = &call,
		.relocation_count = 1,
	};
	return load_watcher(m, &group, name, ret);
}

/*
 * FUNCTION(rt_pid_tgid(), the word AT of the context).  A raw tracepoint with fewer words refuses
 * such a program (EINVAL): sched_process_exit has one before Linux 6.16.
 */
static struct error *load_arrival_watcher(struct maps *m, enum event_kind kind, unsigned at,
					  enum rt_function function, const char *name, int *ret)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 6, .src_reg = 1 },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 0 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW,
		  .dst_reg = 2,
		  .src_reg = 6,
		  .off = (int16_t)(8 * at) },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct relocation calls[] = {
		{ 1, RELOCATE_CALL, RT_pid_tgid, 0 },
		{ 4, RELOCATE_CALL, function, 0 },
	};
	const struct group_code group = {
		.kind = kind,
		.may_sleep = event_is_function(kind),
		.code = code,
		.count = ARRAY_SIZE(code),
		.relocations = calls,
		.relocation_count = ARRAY_SIZE(calls),
	};
	return load_watcher(m, &group, name, ret);
}

/* A watcher that makes the process wait in task work, and the one where that cannot be. */
struct waiting_watcher {
	enum event_kind kind;
	enum rt_function waits, otherwise;
	const char *waits_name, *otherwise_name;
	const char *refused; /* what is so now */
};

/* Where the kernel cannot make the process wait in task work, or not as we ask it to: the other. */
static struct error *load_waiting_watcher(struct maps *m, const struct waiting_watcher *w, int *ret)
{
	if (m->task_work >= 0) {
		auto_error struct error *err =
			load_arrival_watcher(m, w->kind, 1, w->waits, w->waits_name, ret);
		if (!err)
			return NULL;
		log_debug("%s: %s", w->refused, error_text(err));
		m->task_work = -1;
	}
	return load_arrival_watcher(m, w->kind, 1, w->otherwise, w->otherwise_name, ret);
}

static struct error *load_program_watcher(struct maps *m)
{
	static const struct waiting_watcher program = {
		EVENT_BEGIN, /* a raw tracepoint, too */
		RT_program_begins,
		RT_program_executed,
		"program-begins",
		"program-executed",
		"programs executed do not wait",
	};
	int watched;
	struct error *err = library_map(m, LIBRARY_watched, &watched);
	return err ? err : load_waiting_watcher(m, &program, &m->loaded->program_executed);
}

static struct error *load_exec_watcher(struct maps *m)
{
	struct error *err = load_program_watcher(m);
	/* clauses that arrive may leave records though none of the first does */
	return err ? err : bind_rings(m);
}

/*
 * child_begins(process_forked(rt_pid_tgid(), the new task), the new task)
 *
 * Task work needs the task with its type, and the others its address as a number, which is read
 * from the context: the verifier makes no number of a typed pointer.
 */
static struct error *load_child_watcher(struct maps *m)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 7, .src_reg = 1, .off = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 3, .src_reg = 1 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 3, .imm = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 8 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 0 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 2, .src_reg = 10, .off = -8 },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 7 },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	static const struct relocation calls[] = {
		{ 7, RELOCATE_CALL, RT_pid_tgid, 0 },
		{ 10, RELOCATE_CALL, RT_process_forked, 0 },
		{ 13, RELOCATE_CALL, RT_child_begins, 0 },
	};
	const struct group_code group = {
		.kind = EVENT_BEGIN, /* what its context is does not depend on the kind */
		.code = code,
		.count = ARRAY_SIZE(code),
		.relocations = calls,
		.relocation_count = ARRAY_SIZE(calls),
	};
	return load_typed(m, &group, CHILD_TRACEPOINT, "child-begins", &m->loaded->process_forked);
}

static struct error *load_fork_watcher(struct maps *m)
{
	bool is_private = m->options->follow & FOLLOW_PRIVATE;
	if (!is_private)
		return load_arrival_watcher(m, EVENT_BEGIN, 1, RT_process_forked, "process-forked",
					    &m->loaded->process_forked);
	static const char why[] = "follow=private needs a kernel that holds a child before its "
				  "first instruction (bpf_task_work_schedule_resume(), Linux "
				  "6.18); follow=all does not";
	if (m->task_work < 0 || !kernel_has(FEATURE_UPROBE_MULTI))
		return error_new("%s", why);
	struct error *err = load_child_watcher(m);
	return err ? error_wrap(err, "%s", why) : NULL;
}

/* They keep the set of members of trees up to date. */
static struct error *load_member_watchers(struct maps *m)
{
	enum event_kind kind = EVENT_BEGIN; /* a raw tracepoint, too */
	struct loaded *l = m->loaded;
	struct error *err = load_fork_watcher(m);
	if (!err)
		err = load_arrival_watcher(m, kind, 0, RT_process_ended, "process-ended",
					   &l->process_ended);
	return err ? err
		   : load_arrival_watcher(m, kind, 0, RT_process_freed, "process-freed",
					  &l->process_freed);
}

/* Do returns that follow jumps fire in children of their processes? */
static bool notes_are_inherited(const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0; p->groups[i].follows_jumps && k < p->groups[i].event_count;
		     k++)
			if (!p->groups[i].events[k].code.pid || p->groups[i].events[k].code.target)
				return true;
	return false;
}

static struct error *load_cgroup_watchers(struct maps *m)
{
	struct loaded *l = m->loaded;
	struct error *err =
		load_tracepoint_watcher(m, RT_cgroup_made, 2, "cgroup-made", &l->cgroup_made);
	return err ? err
		   : load_tracepoint_watcher(m, RT_cgroup_released, 2, "cgroup-released",
					     &l->cgroup_released);
}

/* Notes of returns go with their process; children that are traced, too, get copies. */
static struct error *load_note_watchers(struct maps *m)
{
	struct loaded *l = m->loaded;
	struct error *err =
		load_tracepoint_watcher(m, RT_exits_ended, 0, "exits-ended", &l->exits_ended);
	if (!err)
		err = load_tracepoint_watcher(m, RT_exits_executed, 0, "exits-executed",
					      &l->exits_executed);
	return err || !notes_are_inherited(m->program)
		       ? err
		       : load_tracepoint_watcher(m, RT_exits_forked, 2, "exits-forked",
						 &l->exits_forked);
}

/* Values of calls that never return. */
static struct error *load_call_watchers(struct maps *m)
{
	struct loaded *l = m->loaded;
	struct error *err =
		load_tracepoint_watcher(m, RT_calls_ended, 0, "calls-ended", &l->calls_ended);
	return err ? err
		   : load_tracepoint_watcher(m, RT_calls_executed, 0, "calls-executed",
					     &l->calls_executed);
}

struct error *load_file_key(const struct executor_options *options, struct loaded *loaded)
{
	struct maps m;
	maps_of_more(&m, loaded->program, options, loaded);
	return load_tracepoint_watcher(&m, RT_file_key, 1, "file-key", &loaded->file_key);
}

struct error *load_watchers(struct maps *m)
{
	struct loaded *l = m->loaded;
	struct error *err = NULL;
	if (l->library[LIBRARY_self] >= 0)
		err = load_tracepoint_watcher(
			m, l->library[LIBRARY_threads] < 0 ? RT_thread_exit : RT_thread_exit_listed,
			0, "thread-exit", &l->thread_exit);
	if (!err && l->library[LIBRARY_vtimes] >= 0)
		err = load_tracepoint_watcher(m, RT_thread_switch, 0, "thread-switch",
					      &l->thread_switch);
	if (!err && l->library[LIBRARY_exit_places] >= 0)
		err = load_note_watchers(m);
	if (!err && l->library[LIBRARY_calls] >= 0)
		err = load_call_watchers(m);
	if (!err && m->options->watched_processes)
		err = load_exec_watcher(m);
	if (!err && m->options->has_trees)
		err = load_member_watchers(m);
	if (!err && m->options->cgroup_rule_count)
		err = load_cgroup_watchers(m);
	return err;
}

struct error *load_code_watcher(const struct executor_options *options, struct loaded *loaded)
{
	static const struct waiting_watcher code = {
		EVENT_FUNCTION_ENTRY, RT_libraries_begin,
		RT_code_mapped,	      "libraries-begin",
		"code-mapped",	      "processes spin while libraries get their probes",
	};
	struct maps m;
	maps_of_more(&m, loaded->program, options, loaded);
	return load_waiting_watcher(&m, &code, &loaded->code_mapped);
}
