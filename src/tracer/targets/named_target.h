/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * named_target - whose events are traced, by what people name: values of -x target
 *
 * In:   "cgroup:PATH", "unit:NAME", "container:ID", "user:NAME", "exec:NAME".
 * Out:  for the first three: rules about the paths of control groups (abi/state.h), because the
 * names of units and containers are in these paths; nobody else is asked.
 *
 * To add a container runtime: a row of `containers` in named_target.c.
 */
#ifndef TRACER_TARGETS_NAMED_TARGET_H
#define TRACER_TARGETS_NAMED_TARGET_H

#include "abi/abi.h"
#include "base/base.h"

enum named_target_kind {
	NAMED_CGROUP,
	NAMED_UNIT,
	NAMED_CONTAINER,
	NAMED_USER,
	NAMED_EXEC,
};

struct named_target {
	enum named_target_kind kind;
	const char *name; /* in the text that was parsed */
};

typedef VECTOR(struct cgroup_rule) cgroup_rules;

/* False: TEXT is not a target. */
bool named_target_parse(const char *text, struct named_target *ret);
bool named_target_is_cgroup(const struct named_target *t);

/*
 * Add the rules that mean T.  The name of NAMED_CGROUP is a path in the hierarchy here.  False: a
 * name is longer than any path.
 */
bool named_target_rules(const struct named_target *t, cgroup_rules *ret);

/* Does RULE mean the control group at PATH, which begins with a slash? */
bool cgroup_rule_fits(const struct cgroup_rule *rule, const char *path);

#endif
