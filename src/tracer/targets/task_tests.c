/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -x target: whose events clauses see
 *
 * Several targets are joined by or; with -c and -p the process must be in one of their trees, too.
 * Users and programs are tests in the programs alone (codegen/task_test.c).  Control groups are a
 * set of ids that BPF keeps: here those that are there are added, when later ones add themselves
 * (runtime/process/cgroup.c).  A target that matches nothing yet is reported, and waited for.
 */
#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tracer/targets/targets.h"

static struct named_target target_of(const char *text)
{
	struct named_target target = { 0 };
	named_target_parse(text, &target); /* it was checked when it was set */
	return target;
}

/* --- before compiling ------------------------------------------------------------------------- */

/* A user's name, or a number. */
static struct error *user_of(const char *name, uint32_t *ret)
{
	errno = 0;
	const struct passwd *user = getpwnam(name);
	char *end;
	unsigned long number = isdigit((unsigned char)*name) ? strtoul(name, &end, 10) : 0;
	if (user)
		*ret = user->pw_uid;
	else if (isdigit((unsigned char)*name) && !*end && number < UINT32_MAX)
		*ret = (uint32_t)number;
	else
		return error_new("there is no user %s", name);
	return NULL;
}

/* The kernel keeps 15 bytes of a program's name. */
static struct task_test test_of_program(const char *name)
{
	struct task_test test = { .kind = TASK_OF_PROGRAM };
	memcpy(test.name, name, MIN(strlen(name), sizeof(test.name) - 1));
	return test;
}

static struct error *add_cgroup_rules(struct tracer *t, struct named_target target)
{
	auto_free char *path = NULL;
	struct error *err =
		t->targets->hierarchy.mount ? NULL : hierarchy_find(&t->targets->hierarchy);
	if (!err && target.kind == NAMED_CGROUP)
		err = hierarchy_path(&t->targets->hierarchy, target.name, &path);
	if (err)
		return err;
	size_t before = t->targets->rules.count;
	if (path)
		target.name = path;
	if (!named_target_rules(&target, &t->targets->rules))
		return error_new("the name is longer than a control group's");
	if (t->targets->rules.count > CGROUP_RULES)
		return error_new("too many targets");
	if (!before)
		vector_push(&t->targets->tests, ((struct task_test) { .kind = TASK_IN_CGROUPS }));
	return NULL;
}

static struct error *add_test(struct tracer *t, struct named_target target)
{
	struct task_test test = { .kind = TASK_OF_USER };
	struct error *err = NULL;
	if (named_target_is_cgroup(&target))
		return add_cgroup_rules(t, target);
	if (target.kind == NAMED_USER)
		err = user_of(target.name, &test.user);
	else
		test = test_of_program(target.name);
	if (!err)
		vector_push(&t->targets->tests, test);
	return err;
}

struct error *task_tests_make(struct tracer *t)
{
	size_t count;
	const char *const *texts = option_list(t->options, OPTION_target, &count);
	if (count && t->request.is_anonymous)
		return error_new("target is not possible with anonymous tracing");
	for (size_t i = 0; i < count; i++) {
		struct error *err = add_test(t, target_of(texts[i]));
		if (err)
			return error_wrap(err, "target=%s", texts[i]);
	}
	return NULL;
}

static struct task_offsets task_offsets(struct tracer *t)
{
	return (struct task_offsets) {
		.cgroups = tracer_kernel_offset(t, "task_struct", "cgroups"),
		.cgroup = tracer_kernel_offset(t, "css_set", "dfl_cgrp"),
		.node = tracer_kernel_offset(t, "cgroup", "kn"),
		.number = tracer_kernel_offset(t, "kernfs_node", "id"),
		.credentials = tracer_kernel_offset(t, "task_struct", "cred"),
		.user = tracer_kernel_offset(t, "cred", "uid"),
		.leader = tracer_kernel_offset(t, "task_struct", "group_leader"),
		.name = tracer_kernel_offset(t, "task_struct", "comm"),
	};
}

void task_tests_plan(struct tracer *t, struct plan_options *o)
{
	o->task_tests = t->targets->tests.items;
	o->task_test_count = (unsigned)t->targets->tests.count;
	if (o->task_test_count)
		o->task_offsets = task_offsets(t);
}

/* --- control groups that are there ------------------------------------------------------------ */

struct adding {
	struct tracer *tracer;
	struct error *err;
	bool *seen; /* for each rule: a group that it means */
	bool any;   /* was new */
};

static bool add_group(void *arg, uint64_t id, const char *path, bool is_below)
{
	struct adding *a = arg;
	struct tracer *t = a->tracer;
	bool is_new = false, is_meant = is_below;
	for (size_t i = 0; i < t->targets->rules.count; i++) {
		bool fits = cgroup_rule_fits(&t->targets->rules.items[i], path);
		a->seen[i] |= fits;
		is_meant |= fits;
	}
	if (is_meant && !a->err)
		a->err = t->executor->follow->add_cgroup(t->executing, id, &is_new);
	a->any |= is_new;
	return is_meant;
}

/*
 * Until a pass finds nothing new: the kernel reports a new group before it shows the folder, so a
 * group may be reported before the one above has joined, and shown after that one was read.
 */
static struct error *add_groups(struct tracer *t, bool *seen)
{
	struct adding a = { .tracer = t, .seen = seen };
	struct error *err = t->executor->follow->watch_cgroups(t->executing);
	if (err)
		return err;
	do {
		a.any = false;
		hierarchy_walk(&t->targets->hierarchy, add_group, &a);
	} while (a.any && !a.err);
	return a.err;
}

/* --- targets that are not there --------------------------------------------------------------- */

/* Does a line of STATUS (/proc/PID/status) begin with KEY, a tab, and VALUE as a whole word? */
static bool says(const char *status, const char *key, const char *value)
{
	auto_free char *line = mem_printf("%s:\t%s", key, value);
	const char *at = strstr(status, line);
	return at && isspace((unsigned char)at[strlen(line)]);
}

static bool passes(const char *status, const struct task_test *test)
{
	auto_free char *user = mem_printf("%u", test->user);
	return test->kind == TASK_OF_USER ? says(status, "Uid", user)
					  : says(status, "Name", test->name);
}

static bool any_process_passes(const struct task_test *test)
{
	size_t count;
	bool any = false;
	auto_free int *all = process_all(&count);
	for (size_t i = 0; i < count && !any; i++) {
		auto_strbuf struct strbuf status = { 0 };
		auto_free char *path = mem_printf("/proc/%d/status", all[i]);
		auto_error struct error *err = file_read(path, 4096, &status);
		any = !err && passes(strbuf_text(&status), test);
	}
	return any;
}

static bool is_there(const struct tracer *t, const struct named_target *target, const bool *seen,
		     size_t *test, size_t *rule)
{
	cgroup_rules rules = { 0 };
	if (!named_target_is_cgroup(target)) {
		while (t->targets->tests.items[*test].kind == TASK_IN_CGROUPS)
			++*test;
		return any_process_passes(&t->targets->tests.items[(*test)++]);
	}
	bool any = false;
	named_target_rules(target, &rules);
	for (size_t i = 0; i < rules.count; i++)
		any |= seen[(*rule)++];
	vector_free(&rules);
	return any;
}

static void report_absent(const struct tracer *t, const bool *seen)
{
	size_t count, test = 0, rule = 0;
	const char *const *texts = option_list(t->options, OPTION_target, &count);
	for (size_t i = 0; i < count; i++) {
		struct named_target target = target_of(texts[i]);
		bool follows = target.kind != NAMED_CGROUP || !hierarchy_is_in_namespace();
		if (!is_there(t, &target, seen, &test, &rule))
			message("warning: target=%s matches nothing now; %s", texts[i],
				follows ? "it is traced as soon as it is there"
					: "nor later, because the cgroup namespace hides its "
					  "whole path");
	}
}

struct error *task_tests_add_targets(struct tracer *t)
{
	if (!t->targets->tests.count || !t->executor->follow)
		return NULL;
	auto_free bool *seen = mem_zalloc(t->targets->rules.count + 1);
	struct error *err = t->targets->rules.count ? add_groups(t, seen) : NULL;
	if (err)
		return error_wrap(err, "cannot trace control groups");
	report_absent(t, seen);
	return NULL;
}

/* --- the end ---------------------------------------------------------------------------------- */

void task_tests_report(struct tracer *t)
{
	const struct control *c = t->source.control;
	uint64_t without = __atomic_load_n(&c->without_task, __ATOMIC_RELAXED);
	uint64_t missed = __atomic_load_n(&c->cgroups_missed, __ATOMIC_RELAXED);
	if (without)
		message_loss("%llu firings of rawtp in interrupts are left out: they are not about "
			     "the process that was interrupted (-x target)",
			     (unsigned long long)without);
	if (missed)
		message_loss("%llu control groups made while tracing are not traced: more than %u, "
			     "or memory was short",
			     (unsigned long long)missed, CGROUPS_MOST);
}
