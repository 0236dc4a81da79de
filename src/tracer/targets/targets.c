/* SPDX-License-Identifier: BSD-2-Clause */
/* targets - the processes of -c and -p as a set of trees */
#include <stdlib.h>
#include <string.h>

#include "tracer/targets/targets.h"

/* In the order of the option's words. */
enum follow {
	FOLLOWS_NONE,
	FOLLOWS_FORK,
	FOLLOWS_EXEC,
	FOLLOWS_ALL,
	FOLLOWS_TREE,
	FOLLOWS_PRIVATE
};

static uint32_t follow_flags(const struct tracer *t)
{
	static const uint32_t flags[] = {
		[FOLLOWS_FORK] = FOLLOW_FORK,
		[FOLLOWS_EXEC] = FOLLOW_EXEC,
		[FOLLOWS_ALL] = FOLLOW_FORK | FOLLOW_EXEC,
		[FOLLOWS_TREE] = FOLLOW_FORK | FOLLOW_EXEC,
		[FOLLOWS_PRIVATE] = FOLLOW_FORK | FOLLOW_EXEC | FOLLOW_PRIVATE,
	};
	return flags[option_number(t->options, OPTION_follow)];
}

bool targets_have_private_members(const struct tracer *t)
{
	return tracer_follows(t) && follow_flags(t) & FOLLOW_PRIVATE;
}

const descendant_vector *targets_descendants(const struct tracer *t)
{
	return &t->targets->descendants;
}

static bool has_trees(const struct tracer *t)
{
	return t->processes.pids.count &&
	       (tracer_follows(t) || sema_result(t->sema)->uses_target || t->targets->tests.count);
}

/* --- members that are there ------------------------------------------------------------------ */

static int root_of(const struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->processes.pids.count; i++)
		if (t->processes.pids.items[i] == pid)
			return pid;
	for (size_t i = 0; i < t->targets->descendants.count; i++)
		if (t->targets->descendants.items[i].pid == pid)
			return t->targets->descendants.items[i].root;
	return 0;
}

bool targets_has_member(const struct tracer *t, int pid)
{
	return root_of(t, pid) != 0;
}

/* *IS_NEW: it may have children that are not members yet. */
typedef struct error *found_fn(struct tracer *t, struct descendant d, bool *is_new);

/* Processes found by one pass over /proc; their children may come before them. */
static struct error *find_more(struct tracer *t, found_fn *found, bool *any)
{
	size_t count;
	auto_free int *all = process_all(&count);
	struct error *err = NULL;
	*any = false;
	for (size_t i = 0; i < count && !err; i++) {
		if (root_of(t, all[i]))
			continue;
		struct descendant d = { all[i], root_of(t, process_parent(all[i])) };
		if (!d.root)
			continue;
		bool is_new;
		vector_push(&t->targets->descendants, d);
		err = found(t, d, &is_new);
		*any |= !err && is_new;
	}
	return err;
}

static struct error *match_in(struct tracer *t, struct descendant d, bool *is_new)
{
	probe_db_code_join(t->probes, d.root, d.pid);
	*is_new = true;
	return NULL;
}

/* Those that are missed are found when all join. */
static void find_descendants(struct tracer *t)
{
	bool any;
	if (option_number(t->options, OPTION_follow) == FOLLOWS_TREE)
		error_free(find_more(t, match_in, &any));
}

/* --- the set --------------------------------------------------------------------------------- */

static struct error *join(struct tracer *t, int pid, int root, uint32_t flags, bool *is_new)
{
	flags |= tracer_watched(t, pid) ? MEMBER_NAMED : 0;
	return t->executor->follow->join(t->executing, pid, root, flags, is_new);
}

static struct error *join_descendant(struct tracer *t, struct descendant d, bool *is_new)
{
	bool follows = option_number(t->options, OPTION_follow) == FOLLOWS_TREE;
	uint32_t flags = follows ? MEMBER_TRACED | MEMBER_WATCHED : 0;
	struct error *err = join(t, d.pid, d.root, flags, is_new);
	if (!err && follows && *is_new)
		probe_db_code_join(t->probes, d.root, d.pid);
	return err;
}

/*
 * Until a pass finds none that has not joined by itself, as children of members do: a tree that
 * forks all the time has new ones in each pass.
 */
static struct error *join_all_descendants(struct tracer *t)
{
	struct error *err = NULL;
	for (bool any = true; any && !err;)
		err = find_more(t, join_descendant, &any);
	return err;
}

static void warn_of_no_target(const struct tracer *t)
{
	static const char why[] = "because no process was given by -c COMMAND or -p PID";
	if (t->processes.pids.count || t->request.is_anonymous)
		return;
	if (option_number(t->options, OPTION_follow) != FOLLOWS_NONE)
		message("warning: follow has no effect, %s", why);
	if (sema_result(t->sema)->uses_target && !option_number(t->options, OPTION_defaultargs))
		message("warning: target is always 0, %s", why);
}

/* Roots first: from then on their new children join by themselves, so no child is missed. */
static struct error *join_targets(struct tracer *t)
{
	bool is_new, traces = tracer_follows(t);
	uint32_t flags = MEMBER_IS_ROOT | (traces ? MEMBER_TRACED | MEMBER_WATCHED : 0);
	struct error *err = NULL;
	warn_of_no_target(t);
	if (!has_trees(t))
		return NULL;
	err = tracer_lacks(t, t->executor->follow, "follow children of processes");
	if (err)
		return err;
	for (size_t i = 0; i < t->processes.pids.count && !err; i++)
		err = join(t, t->processes.pids.items[i], t->processes.pids.items[i], flags,
			   &is_new);
	for (size_t i = 0; i < t->targets->descendants.count && !err; i++)
		err = join_descendant(t, t->targets->descendants.items[i], &is_new);
	if (!err)
		err = join_all_descendants(t);
	return err ? error_wrap(err, "cannot follow children of processes") : NULL;
}

static bool has_members(const struct tracer *t)
{
	const struct control *c = t->source.control;
	return tracer_follows(t) && c && __atomic_load_n(&c->members, __ATOMIC_SEQ_CST);
}

static struct error *report_missed_members(struct tracer *t, bool status)
{
	uint32_t missed = __atomic_load_n(&t->source.control->members_missed, __ATOMIC_RELAXED);
	if (missed == t->targets->missed_reported)
		return NULL;
	message_loss("%u processes forked by traced ones are not followed: more than %u lived at "
		     "once, or memory was short",
		     missed - t->targets->missed_reported, MEMBERS_MOST);
	t->targets->missed_reported = missed;
	return NULL;
}

/* --- a warning about predicates -------------------------------------------------------------- */

static bool is_pid(const struct node *n)
{
	return n->kind == NODE_IDENT && string_equal(n->ident.name, "pid");
}

static bool is_first_target(const struct node *n)
{
	static const char name[] = "$target", braced[] = "${target}";
	const struct range *r = &n->range;
	size_t len = r->end - r->begin;
	if (n->kind != NODE_INTEGER || r->end > r->source->len)
		return false;
	const char *text = r->source->text + r->begin;
	return (len == strlen(name) && memcmp(text, name, len) == 0) ||
	       (len == strlen(braced) && memcmp(text, braced, len) == 0);
}

/* The comparison `pid == $target` in N; NULL: there is none. */
static const struct node *comparison_in(const struct node *n)
{
	if (n->kind != NODE_BINARY)
		return NULL;
	const struct node *left = n->binary.left, *right = n->binary.right;
	if (n->binary.op == OP_EQ &&
	    ((is_pid(left) && is_first_target(right)) || (is_first_target(left) && is_pid(right))))
		return n;
	const struct node *found = comparison_in(left);
	return found ? found : comparison_in(right);
}

static void warn_of_first_target(const struct tracer *t, const struct program_node *program)
{
	if ((t->processes.pids.count < 2 && !tracer_follows(t)) ||
	    option_number(t->options, OPTION_quiet))
		return;
	for (const struct node *item = program->items; item; item = item->next) {
		const struct node *predicate =
			item->kind == NODE_CLAUSE ? item->clause->predicate : NULL;
		const struct node *found = predicate ? comparison_in(predicate) : NULL;
		if (found)
			message("warning: line %u: pid == $target is true in process %d only; "
				"/target/ is true in all -c and -p processes and their children",
				found->range.line, t->processes.pids.items[0]);
	}
}

/* --- the steps of the wing ------------------------------------------------------------------- */

static void targets_settings(struct tracer *t)
{
	struct probe_settings *settings = probe_db_settings(t->probes);
	bool by_links = tracer_follows(t) && !t->executor->enter;
	settings->followed = t->processes.pids.items;
	settings->followed_count = by_links ? t->processes.pids.count : 0;
}

static void targets_parsed(struct tracer *t, const struct program_node *program)
{
	warn_of_first_target(t, program);
	find_descendants(t);
}

/* What an executor in the process does not follow so far. */
static struct error *permit_in_process(const struct tracer *t)
{
	if (follow_flags(t) != FOLLOW_FORK)
		return error_new("executor=process follows children until they execute a program "
				 "(follow=fork), and not yet otherwise: use executor=kernel");
	if (tracer_policy(t) == POLICY_RING)
		return error_new("executor=process has no flight recorder of children "
				 "(bufpolicy=ring): use executor=kernel");
	return NULL;
}

/* Other processes that run the same files would get return probes that end them at exceptions. */
static struct error *targets_permit(struct tracer *t)
{
	if (tracer_follows(t) && t->executor->enter)
		return permit_in_process(t);
	if (!tracer_follows(t) || !tracer_kernel_returns(t))
		return NULL;
	if (targets_have_private_members(t))
		return error_new("pidret=kernel is not possible with follow=private: returns in "
				 "children are traced at the instructions that return");
	return error_new("pidret=kernel is not possible with follow: return probes of the kernel "
			 "would be in processes that are not traced, too");
}

static struct error *targets_load(struct tracer *t, struct executor_options *o)
{
	o->has_trees = has_trees(t);
	if (o->has_trees)
		o->watched_processes = MEMBERS_MOST;
	o->follow = follow_flags(t);
	o->cgroup_rules = t->targets->rules.items;
	o->cgroup_rule_count = (uint32_t)t->targets->rules.count;
	return NULL;
}

static struct error *targets_enable(struct tracer *t)
{
	tree_files_report_others(t, &t->program);
	struct error *err = join_targets(t);
	return err ? err : task_tests_add_targets(t);
}

static struct error *targets_attach(struct tracer *t, const struct program *p)
{
	tree_files_leave(t, p);
	return NULL;
}

static void targets_free(struct tracer *t)
{
	vector_free(&t->targets->descendants);
	vector_free(&t->targets->tests);
	vector_free(&t->targets->rules);
	hierarchy_deinit(&t->targets->hierarchy);
}

const struct wing targets_wing = {
	.size = sizeof(struct targets),
	.settings = targets_settings,
	.parsed = targets_parsed,
	.permit = targets_permit,
	.prepare = task_tests_make,
	.plan = task_tests_plan,
	.load = targets_load,
	.enable = targets_enable,
	.attach = targets_attach,
	.begin = tree_files_report_starts,
	.step = report_missed_members,
	.goes_on = has_members,
	.report = task_tests_report,
	.free = targets_free,
};
