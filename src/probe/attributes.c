/* SPDX-License-Identifier: BSD-2-Clause */
/* attributes - stability as text, and the weaker of two */
#include <string.h>

#include "probe/probe.h"

static const char *const stability_names[] = { "Internal", "Private",  "Obsolete", "External",
					       "Unstable", "Evolving", "Stable",   "Standard" };
static const char *const class_names[] = { "Unknown", "CPU", "Platform", "Group", "ISA", "Common" };

const char *stability_text(enum stability which)
{
	return stability_names[which];
}

const char *class_text(enum dependency which)
{
	return class_names[which];
}

struct attributes attributes_weaker(struct attributes a, struct attributes b)
{
	return (struct attributes) { MIN(a.name, b.name), MIN(a.data, b.data),
				     MIN(a.class, b.class) };
}

bool attributes_are_weaker(struct attributes a, struct attributes b)
{
	return a.name < b.name || a.data < b.data || a.class < b.class;
}

/*
 * The word of TEXT up to END among NAMES, and *TEXT is moved after it and END; -1: not one of
 * them.
 */
static int word(const char **text, char end, const char *const *names, size_t count)
{
	size_t len = strcspn(*text, "/");
	if ((*text)[len] != end)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == len && strncmp(names[i], *text, len) == 0) {
			*text += len + (end != '\0');
			return (int)i;
		}
	return -1;
}

bool attributes_parse(const char *text, struct attributes *ret)
{
	int name = word(&text, '/', stability_names, ARRAY_SIZE(stability_names));
	int data = name < 0 ? -1 : word(&text, '/', stability_names, ARRAY_SIZE(stability_names));
	int class = data < 0 ? -1 : word(&text, '\0', class_names, ARRAY_SIZE(class_names));
	if (class < 0)
		return false;
	*ret = (struct attributes) { (enum stability)name, (enum stability)data,
				     (enum dependency) class };
	return true;
}

struct attributes probe_part_attributes(const struct probe *p, enum provider_part part)
{
	const struct probe_declaration *d = p->args ? p->args->declaration : NULL;
	return d ? d->attributes[part] : p->owner->attributes[part];
}

struct attributes probe_attributes(const struct probe *p, const struct probe_desc *desc)
{
	struct attributes a = attributes_weaker(probe_part_attributes(p, PART_OF_PROVIDER),
						probe_part_attributes(p, PART_OF_NAME));
	if (desc->module[0])
		a = attributes_weaker(a, probe_part_attributes(p, PART_OF_MODULE));
	if (desc->function[0])
		a = attributes_weaker(a, probe_part_attributes(p, PART_OF_FUNCTION));
	return a;
}
