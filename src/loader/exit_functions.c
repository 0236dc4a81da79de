/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a group that are covered (abi/exit.h), for jumps whose destination is known when
 * they fire
 *
 * A function is covered if its exits have sites: so it is found by any of them.  The table is full
 * before the sites are attached.
 */
#include <string.h>

#include "loader/internal.h"

typedef struct error *function_fn(void *arg, const struct exit_function *function);

static struct error *covered_of_code(const struct event_code *code, function_fn *visit, void *arg)
{
	struct exit_function function = { .file = code->file }, before = { .file = UINT32_MAX };
	struct error *err = NULL;
	for (uint32_t i = 0; i < code->site_count && !err; i++) {
		const struct event_site *site = &code->sites[i];
		function.at = site->at - (uint64_t)(int32_t)site->inside;
		bool is_next = memcmp(&function, &before, sizeof(function)) != 0;
		if (site->role != SITE_PLAIN && is_next)
			err = visit(arg, &function);
		before = function;
	}
	return err;
}

static struct error *covered_visit(const struct group_code *group, function_fn *visit, void *arg)
{
	struct error *err = NULL;
	for (uint32_t i = 0; i < group->event_count && !err; i++)
		err = covered_of_code(&group->events[i].code, visit, arg);
	return err;
}

static bool looks_up(const struct group_code *group)
{
	for (uint32_t i = 0; i < group->event_count; i++)
		for (uint32_t k = 0; k < group->events[i].code.site_count; k++)
			if (group->events[i].code.sites[k].is_followed)
				return true;
	return false;
}

static struct error *covered_count(void *arg, const struct exit_function *function)
{
	++*(uint32_t *)arg;
	return NULL;
}

static struct error *covered_add(void *arg, const struct exit_function *function)
{
	const uint8_t value = 1;
	return map_update(*(const int *)arg, function, &value, BPF_ANY);
}

struct error *exit_functions_make(struct linker *k)
{
	if (k->functions)
		return NULL;
	bool is_used = looks_up(k->group);
	uint32_t most = 0;
	struct error *err = is_used ? covered_visit(k->group, covered_count, &most) : NULL;
	const struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "exit_functions",
		.key_size = sizeof(struct exit_function),
		.value_size = 1,
		.max_entries = MAX(most, 1u),
		.inner = -1,
		.btf = -1,
	};
	if (!err)
		err = map_create(&request, &k->functions);
	return err || !is_used ? err : covered_visit(k->group, covered_add, &k->functions);
}
