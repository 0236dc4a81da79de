/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libusdt - the interface of usdt.h
 *
 * A definition's struct usdt_probe is made when it is first enabled and stays until the definition
 * is released, so that other threads may fire it meanwhile.
 */
#include "usdt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* What usdt.h does not show of a definition and of a provider. */
struct definition {
	usdt_probedef_t shown;
	struct dtusdt_probe *probe;
};

struct provider {
	usdt_provider_t shown;
	struct object *object;
};

static struct definition *definition_of(usdt_probedef_t *shown)
{
	return (struct definition *)shown;
}

static struct provider *provider_of(usdt_provider_t *shown)
{
	return (struct provider *)shown;
}

/* --- errors --- */

static const char *const texts[] = {
	[USDT_ERROR_MALLOC] = "out of memory",
	[USDT_ERROR_VALLOC] = "out of memory for pages",
	[USDT_ERROR_NOPROBES] = "the provider has no probes",
	[USDT_ERROR_LOADDOF] = "the probes cannot be shown: %s",
	[USDT_ERROR_ALREADYENABLED] = "the provider is enabled already",
	[USDT_ERROR_UNLOADDOF] = "the probes cannot be hidden: %s",
	[USDT_ERROR_DUP_PROBE] = "there is a probe %s:%s:%s:%s already",
	[USDT_ERROR_REMOVE_PROBE] = "there is no probe %s:%s:%s:%s",
};

void usdt_error(usdt_provider_t *provider, usdt_error_t error, ...)
{
	if (!provider || (unsigned)error >= sizeof(texts) / sizeof(texts[0]))
		return;
	va_list values;
	char *text;
	va_start(values, error);
	if (vasprintf(&text, texts[error], values) < 0)
		text = NULL;
	va_end(values);
	free(provider->error);
	provider->error = text;
}

char *usdt_errstr(usdt_provider_t *provider)
{
	return provider && provider->error ? provider->error : (char *)dtusdt_error();
}

/* --- probes --- */

static struct dtusdt_probe *probe_of_types(const char *function, const char *name, size_t argc,
					   const char **types)
{
	struct arguments list = { 0 };
	struct dtusdt_probe *probe = NULL;
	size_t i = 0;
	while (i < argc && declaration_add(&list, types ? types[i] : NULL) == 0)
		i++;
	if (i == argc)
		probe = probe_new(function, name, &list);
	arguments_deinit(&list);
	return probe;
}

static void definition_release(struct definition *d)
{
	if (--d->shown.refcnt)
		return;
	probe_release(d->probe);
	free(d->shown.probe);
	free(d);
}

usdt_probedef_t *usdt_create_probe(const char *function, const char *name, size_t argc,
				   const char **types)
{
	struct dtusdt_probe *probe = probe_of_types(function, name, argc, types);
	struct definition *d = probe ? calloc(1, sizeof(*d)) : NULL;
	if (!d) {
		if (probe)
			fail(ENOMEM, "out of memory");
		probe_release(probe);
		return NULL;
	}
	d->probe = probe;
	d->shown.name = probe->name;
	d->shown.function = probe->function;
	d->shown.argc = argc;
	d->shown.refcnt = 1;
	for (unsigned i = 0; i < probe->arguments.count; i++)
		d->shown.types[i] = probe->arguments.list[i].declaration;
	return &d->shown;
}

void usdt_probe_release(usdt_probedef_t *probedef)
{
	if (!probedef)
		return;
	changes_lock();
	definition_release(definition_of(probedef));
	changes_unlock();
}

int usdt_is_enabled(usdt_probe_t *probe)
{
	return probe && dtusdt_enabled(probe->probe_addr);
}

void usdt_fire_probe(usdt_probe_t *probe, size_t argc, void **argv)
{
	if (!usdt_is_enabled(probe) || (argc && !argv))
		return;
	uint64_t values[ARGUMENTS_MOST] = { 0 };
	for (size_t i = 0; i < argc && i < ARGUMENTS_MOST; i++)
		values[i] = (uintptr_t)argv[i];
	probe_fire(probe->probe_addr, values);
}

/* --- providers --- */

usdt_provider_t *usdt_create_provider(const char *name, const char *module)
{
	if (name_check(NAME_PROVIDER, name) < 0 || name_check(NAME_MODULE, module) < 0)
		return NULL;
	struct provider *p = calloc(1, sizeof(*p));
	if (p) {
		p->shown.name = strdup(name);
		p->shown.module = strdup(module);
	}
	if (!p || !p->shown.name || !p->shown.module) {
		usdt_provider_free(p ? &p->shown : NULL);
		fail(ENOMEM, "out of memory");
		return NULL;
	}
	return &p->shown;
}

/* The place that points to the definition with the names of D, or the last place. */
static usdt_probedef_t **place_of(usdt_provider_t *p, const usdt_probedef_t *d)
{
	usdt_probedef_t **place = &p->probedefs;
	while (*place && !probe_is_same(definition_of(*place)->probe, d->function, d->name))
		place = &(*place)->next;
	return place;
}

static int add_probe(usdt_provider_t *p, usdt_probedef_t *d)
{
	usdt_probedef_t **place = place_of(p, d);
	if (*place) {
		usdt_error(p, USDT_ERROR_DUP_PROBE, p->name, p->module, d->function, d->name);
		return fail(EEXIST, "%s", usdt_errstr(p));
	}
	d->refcnt++;
	d->next = NULL;
	*place = d;
	return 0;
}

static int remove_probe(usdt_provider_t *p, const usdt_probedef_t *d)
{
	usdt_probedef_t **place = place_of(p, d), *found = *place;
	if (!found) {
		usdt_error(p, USDT_ERROR_REMOVE_PROBE, p->name, p->module, d->function, d->name);
		return fail(ENOENT, "%s", usdt_errstr(p));
	}
	*place = found->next;
	found->next = NULL;
	definition_release(definition_of(found));
	return 0;
}

int usdt_provider_add_probe(usdt_provider_t *provider, usdt_probedef_t *probedef)
{
	if (!provider || !probedef)
		return fail(EINVAL, "there is no provider or probe");
	changes_lock();
	int status = add_probe(provider, probedef);
	changes_unlock();
	return status;
}

int usdt_provider_remove_probe(usdt_provider_t *provider, usdt_probedef_t *probedef)
{
	if (!provider || !probedef)
		return fail(EINVAL, "there is no provider or probe");
	changes_lock();
	int status = remove_probe(provider, probedef);
	changes_unlock();
	return status;
}

/* The part of a definition that is fired. */
static int handle_make(struct definition *d)
{
	if (d->shown.probe)
		return 0;
	usdt_probe_t *handle = calloc(1, sizeof(*handle));
	if (!handle)
		return fail(ENOMEM, "out of memory");
	handle->probe_addr = d->probe;
	d->shown.probe = handle;
	return 0;
}

static int show(struct provider *p)
{
	unsigned count = 0;
	for (usdt_probedef_t *d = p->shown.probedefs; d; d = d->next) {
		if (handle_make(definition_of(d)) < 0)
			return -1;
		count++;
	}
	struct dtusdt_probe **probes = calloc(count, sizeof(struct dtusdt_probe *));
	if (!probes)
		return fail(ENOMEM, "out of memory");
	count = 0;
	for (usdt_probedef_t *d = p->shown.probedefs; d; d = d->next)
		probes[count++] = definition_of(d)->probe;
	int status = object_map(&p->object, p->shown.name, p->shown.module, false, probes, count);
	free(probes);
	return status;
}

static int enable(struct provider *p)
{
	if (p->shown.enabled) {
		usdt_error(&p->shown, USDT_ERROR_ALREADYENABLED);
		return 0; /* as in libusdt */
	}
	if (!p->shown.probedefs) {
		usdt_error(&p->shown, USDT_ERROR_NOPROBES);
		return fail(ENOENT, "%s", usdt_errstr(&p->shown));
	}
	if (show(p) < 0) {
		usdt_error(&p->shown, USDT_ERROR_LOADDOF, dtusdt_error());
		return -1;
	}
	p->shown.enabled = 1;
	p->shown.file = p->object;
	return 0;
}

int usdt_provider_enable(usdt_provider_t *provider)
{
	if (!provider)
		return fail(EINVAL, "there is no provider");
	changes_lock();
	int status = enable(provider_of(provider));
	changes_unlock();
	return status;
}

static int disable(struct provider *p)
{
	if (object_unmap(p->object) < 0) {
		usdt_error(&p->shown, USDT_ERROR_UNLOADDOF, dtusdt_error());
		return -1;
	}
	p->shown.enabled = 0;
	p->shown.file = NULL;
	return 0;
}

int usdt_provider_disable(usdt_provider_t *provider)
{
	if (!provider)
		return fail(EINVAL, "there is no provider");
	changes_lock();
	int status = disable(provider_of(provider));
	changes_unlock();
	return status;
}

void usdt_provider_free(usdt_provider_t *provider)
{
	if (!provider)
		return;
	changes_lock();
	object_free(provider_of(provider)->object);
	for (usdt_probedef_t *d = provider->probedefs, *next; d; d = next) {
		next = d->next;
		definition_release(definition_of(d));
	}
	changes_unlock();
	free((char *)provider->name);
	free((char *)provider->module);
	free(provider->error);
	free(provider);
}
