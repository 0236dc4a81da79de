/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/targets/cgroups.h"

#include <string.h>

/* A line (proc(5)): ID PARENT DEVICE ROOT POINT OPTIONS ... - TYPE SOURCE OPTIONS */
static bool mount_parse(char *line, struct mount *ret)
{
	char *type = strstr(line, " - "), *save;
	if (!type)
		return false;
	*type = 0;
	const char *fields[5] = { 0 }, *last[3] = { 0 };
	char *word = strtok_r(line, " ", &save);
	for (size_t i = 0; word && i < ARRAY_SIZE(fields); i++, word = strtok_r(NULL, " ", &save))
		fields[i] = word;
	word = strtok_r(type + 3, " ", &save);
	for (size_t i = 0; word && i < ARRAY_SIZE(last); i++, word = strtok_r(NULL, " ", &save))
		last[i] = word;
	*ret = (struct mount) { fields[3], fields[4], last[0], last[2] ? last[2] : "" };
	return fields[4] && ret->type;
}

bool list_has_word(const char *list, const char *word)
{
	size_t len = strlen(word);
	for (;; list++) {
		size_t end = strcspn(list, ",");
		if (end == len && strncmp(list, word, len) == 0)
			return true;
		list += end;
		if (!*list)
			return false;
	}
}

bool path_is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);
	return strncmp(path, folder, len) == 0 && (!path[len] || path[len] == '/');
}

static bool is_wanted(const struct mount *m, struct mount_wanted wanted)
{
	return (!wanted.type || string_equal(m->type, wanted.type)) &&
	       (!wanted.path || path_is_in(wanted.path, m->point)) &&
	       (!wanted.option || list_has_word(m->options, wanted.option));
}

bool mount_find(struct strbuf *mounts, struct mount_wanted wanted, struct mount *ret)
{
	char *save;
	strbuf_putc(mounts, 0);
	char *all = (char *)strbuf_text(mounts);
	for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (mount_parse(line, ret) && is_wanted(ret, wanted))
			return true;
	return false;
}
