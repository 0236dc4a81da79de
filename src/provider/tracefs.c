/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/tracefs.h"

#include <ctype.h>
#include <string.h>

#include "kernel/kernel.h"

/* --- events ----------------------------------------------------------------------------------- */

/* Groups whose events are not tracepoints; users may name dynamic events like one. */
static bool is_of_tracepoints(const char *group)
{
	static const char *const others[] = { "syscalls",  "kprobes", "uprobes",
					      "synthetic", "ftrace",  "eprobes" };
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (string_equal(group, others[i]))
			return false;
	return true;
}

/* Lines "group:event". */
void tracefs_events(tracefs_event_fn *visit, void *arg)
{
	auto_fclose FILE *f = tracefs_open("available_events");
	char line[256];
	while (f && fgets(line, sizeof(line), f)) {
		char *event = strchr(line, ':');
		if (!event)
			continue;
		*event++ = 0;
		event[strcspn(event, "\n")] = 0;
		if (is_of_tracepoints(line))
			visit(arg, line, event);
	}
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Remove PREFIX at *TEXT's beginning, if it is there. */
static bool skip(char **text, const char *prefix)
{
	size_t len = strlen(prefix);
	if (strncmp(*text, prefix, len) != 0)
		return false;
	*text += len;
	return true;
}

static char *trimmed(const char *text, size_t len)
{
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return mem_strndup(text, len);
}

/* "char[] name", "char name[16]", "struct page * page": into a type and a name. */
static bool field_declaration_parse(char *text, struct record_field *ret)
{
	ret->kind = skip(&text, "__data_loc ")	? FIELD_DATA
		    : skip(&text, "__rel_loc ") ? FIELD_RELATIVE
						: FIELD_VALUE;
	size_t end = strlen(text);
	if (end && text[end - 1] == ']' && strrchr(text, '[')) {
		ret->kind = FIELD_ARRAY;
		end = (size_t)(strrchr(text, '[') - text);
	}
	size_t name = end;
	while (name && (isalnum((unsigned char)text[name - 1]) || text[name - 1] == '_'))
		name--;
	if (!name || name == end)
		return false;
	size_t type = name;
	if (ret->kind == FIELD_DATA || ret->kind == FIELD_RELATIVE)
		type = MIN(type, strcspn(text, "["));
	ret->name = mem_strndup(text + name, end - name);
	ret->type = trimmed(text, type);
	return true;
}

/* The number after KEY in LINE. */
static bool field_number_parse(const char *line, const char *key, uint32_t *ret)
{
	const char *at = strstr(line, key);
	int number;
	if (!at || sscanf(at + strlen(key), "%d", &number) != 1 || number < 0)
		return false;
	*ret = (uint32_t)number;
	return true;
}

static bool parse_field(char *line, struct record_field *ret)
{
	char *end = strchr(line, ';');
	uint32_t is_signed = 0;
	if (!end || !field_number_parse(end, "offset:", &ret->offset) ||
	    !field_number_parse(end, "size:", &ret->size))
		return false;
	ret->is_signed = field_number_parse(end, "signed:", &is_signed) && is_signed;
	*end = 0;
	return field_declaration_parse(line, ret);
}

void record_fields_read(FILE *f, record_fields *ret)
{
	char line[512];
	while (fgets(line, sizeof(line), f)) {
		char *text = line + strspn(line, "\t ");
		struct record_field field = { 0 };
		if (!skip(&text, "field:") || !parse_field(text, &field))
			continue;
		if (strncmp(field.name, "common_", 7) != 0) {
			vector_push(ret, field);
			continue;
		}
		free(field.name);
		free(field.type);
	}
}

void record_fields_free(record_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++) {
		free(fields->items[i].name);
		free(fields->items[i].type);
	}
	vector_free(fields);
}
