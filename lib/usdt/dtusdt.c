/* SPDX-License-Identifier: BSD-2-Clause */
/* dtusdt - the interface of dtrace-usdt.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct dtusdt_provider {
	char *name, *module; /* NULL: the provider's name */
	bool in_folder;
	struct dtusdt_probe **probes;
	unsigned count;
	struct object *object;
};

/* Tracers add the number of the process: a name cannot end in a digit; pid1234 is another one. */
static int provider_name_check(const char *name)
{
	if (name_check(NAME_PROVIDER, name) < 0)
		return -1;
	char last = name[strlen(name) - 1];
	if (last >= '0' && last <= '9')
		return fail(EINVAL, "the name of a provider cannot end in a digit: %s", name);
	if (strcmp(name, "pid") == 0)
		return fail(EINVAL, "the name of a provider cannot be pid, which is dtrace's");
	return 0;
}

struct dtusdt_provider *dtusdt_provider(const char *name)
{
	if (provider_name_check(name) < 0)
		return NULL;
	struct dtusdt_provider *p = calloc(1, sizeof(*p));
	if (p && (p->name = strdup(name)))
		return p;
	free(p);
	fail(ENOMEM, "out of memory");
	return NULL;
}

void dtusdt_free(struct dtusdt_provider *p)
{
	if (!p)
		return;
	changes_lock();
	object_free(p->object);
	for (unsigned i = 0; i < p->count; i++)
		probe_release(p->probes[i]);
	changes_unlock();
	free(p->probes);
	free(p->module);
	free(p->name);
	free(p);
}

/* Can P, which may be NULL, be changed now? */
static int check_changeable(const struct dtusdt_provider *p)
{
	if (!p)
		return fail(EINVAL, "there is no provider");
	if (object_is_mapped(p->object))
		return fail(EBUSY, "the provider %s is enabled", p->name);
	return 0;
}

static int check_new(const struct dtusdt_provider *p, const char *function, const char *name)
{
	for (unsigned i = 0; i < p->count; i++)
		if (probe_is_same(p->probes[i], function, name))
			return fail(EEXIST, "the provider %s has a probe %s already", p->name,
				    name);
	return 0;
}

static int probe_append(struct dtusdt_provider *p, struct dtusdt_probe *probe)
{
	struct dtusdt_probe **list =
		realloc(p->probes, (p->count + 1) * sizeof(struct dtusdt_probe *));
	if (!list)
		return fail(ENOMEM, "out of memory");
	p->probes = list;
	p->probes[p->count++] = probe;
	return 0;
}

static struct dtusdt_probe *probe_add(struct dtusdt_provider *p, const char *function,
				      const char *name, struct arguments *arguments)
{
	struct dtusdt_probe *probe = probe_new(function, name, arguments);
	if (!probe)
		return NULL;
	if (check_new(p, function, name) < 0 || probe_append(p, probe) < 0) {
		probe_release(probe);
		return NULL;
	}
	return probe;
}

struct dtusdt_probe *dtusdt_probe_in(struct dtusdt_provider *p, const char *function,
				     const char *name, const char *arguments)
{
	struct arguments list = { 0 };
	struct dtusdt_probe *probe = NULL;
	changes_lock();
	if (check_changeable(p) == 0 && declaration_parse(arguments, &list) == 0)
		probe = probe_add(p, function, name, &list);
	arguments_deinit(&list);
	changes_unlock();
	return probe;
}

struct dtusdt_probe *dtusdt_probe(struct dtusdt_provider *p, const char *name,
				  const char *arguments)
{
	return dtusdt_probe_in(p, name, name, arguments);
}

static int module_set(struct dtusdt_provider *p, const char *module)
{
	if (check_changeable(p) < 0 || name_check(NAME_MODULE, module) < 0)
		return -1;
	char *name = strdup(module);
	if (!name)
		return fail(ENOMEM, "out of memory");
	free(p->module);
	p->module = name;
	return 0;
}

int dtusdt_module(struct dtusdt_provider *p, const char *module)
{
	changes_lock();
	int status = module_set(p, module);
	changes_unlock();
	return status;
}

int dtusdt_use_file(struct dtusdt_provider *p, int is_wanted)
{
	changes_lock();
	int status = check_changeable(p);
	if (status == 0)
		p->in_folder = is_wanted;
	changes_unlock();
	return status;
}

static int enable(struct dtusdt_provider *p)
{
	if (check_changeable(p) < 0)
		return -1;
	if (!p->count)
		return fail(ENOENT, "the provider %s has no probes", p->name);
	return object_map(&p->object, p->name, p->module ? p->module : p->name, p->in_folder,
			  p->probes, p->count);
}

int dtusdt_enable(struct dtusdt_provider *p)
{
	changes_lock();
	int status = enable(p);
	changes_unlock();
	return status;
}

int dtusdt_disable(struct dtusdt_provider *p)
{
	if (!p)
		return fail(EINVAL, "there is no provider");
	changes_lock();
	int status = object_unmap(p->object);
	changes_unlock();
	return status;
}
