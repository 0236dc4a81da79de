/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a group that are covered (abi/exit.h), for jumps whose destination is known when
 * they fire, and the files that have them
 *
 * A function is covered if its exits have sites: so it is found by any of them.  The tables are
 * full before the sites are attached.
 */
#include <string.h>
#include <sys/stat.h>

#include "loader/internal.h"

typedef struct error *function_fn(void *arg, const struct exit_function *function);

static struct error *covered_of_code(const struct event_code *code, function_fn *visit, void *arg)
{
	struct exit_function function = { .file = code->file }, before = { .file = UINT32_MAX };
	struct error *err = NULL;
	for (uint32_t i = 0; i < code->site_count && !err; i++) {
		const struct event_site *site = &code->sites[i];
		function.at = site->function;
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

/* A file that is gone is not found. */
static struct error *file_add(int files, const struct event_code *code)
{
	struct stat st;
	if (stat(code->path, &st) != 0)
		return NULL;
	const struct exit_file key = { st.st_ino, (uint64_t)st.st_size, code->pid, 0 };
	return map_update(files, &key, &code->file, BPF_ANY);
}

static uint32_t files_count(const struct group_code *group)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < group->event_count; i++)
		count += group->events[i].code.file == i;
	return count;
}

static struct error *files_add(const struct linker *k)
{
	struct error *err = NULL;
	for (uint32_t i = 0; i < k->group->event_count && !err; i++)
		if (k->group->events[i].code.file == i)
			err = file_add(k->files, &k->group->events[i].code);
	return err;
}

static struct error *tables_create(struct linker *k, uint32_t functions, uint32_t files)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "exit_functions",
		.key_size = sizeof(struct exit_function),
		.value_size = 1,
		.max_entries = MAX(functions, 1u),
	};
	struct error *err = map_create(&request, &k->functions);
	request.name = "exit_files";
	request.key_size = sizeof(struct exit_file);
	request.value_size = sizeof(uint32_t);
	request.max_entries = MAX(files, 1u);
	return err ? err : map_create(&request, &k->files);
}

struct error *exit_functions_make(struct linker *k)
{
	if (k->functions)
		return NULL;
	bool is_used = looks_up(k->group);
	uint32_t functions = 0, files = is_used ? files_count(k->group) : 0;
	struct error *err = is_used ? covered_visit(k->group, covered_count, &functions) : NULL;
	if (!err)
		err = tables_create(k, functions, files);
	if (!err && is_used)
		err = covered_visit(k->group, covered_add, &k->functions);
	return err || !is_used ? err : files_add(k);
}
