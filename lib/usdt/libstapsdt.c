/* SPDX-License-Identifier: BSD-2-Clause */
/* libstapsdt - the interface of libstapsdt.h */
#include "libstapsdt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#undef errno /* here it is the member */

struct provider {
	SDTProvider_t shown;
	struct object *object;
};

static struct provider *provider_of(SDTProvider_t *shown)
{
	return (struct provider *)shown;
}

static void error_set(SDTProvider_t *p, SDTError_t error)
{
	p->errno = error;
	free(p->error);
	p->error = error == noError ? NULL : strdup(dtusdt_error());
}

/* --- providers --- */

SDTProvider_t *providerInit(const char *name)
{
	if (name_check(NAME_PROVIDER, name) < 0)
		return NULL;
	struct provider *p = calloc(1, sizeof(*p));
	if (!p || !(p->shown.name = strdup(name))) {
		free(p);
		fail(ENOMEM, "out of memory");
		return NULL;
	}
	error_set(&p->shown, noError);
	p->shown._memfd = -1;
	p->shown._use_memfd = memfd_enabled;
	return &p->shown;
}

int providerUseMemfd(SDTProvider_t *provider, const MemFDOption_t use_memfd)
{
	if (!provider)
		return fail(EINVAL, "there is no provider");
	provider->_use_memfd = use_memfd;
	return 0;
}

void providerDestroy(SDTProvider_t *provider)
{
	if (!provider)
		return;
	changes_lock();
	object_free(provider_of(provider)->object);
	for (SDTProbeList_t *item = provider->probes, *next; item; item = next) {
		next = item->next;
		probe_release(item->probe._fire);
		free(item);
	}
	changes_unlock();
	free(provider->name);
	free(provider->error);
	free(provider);
}

/* --- probes --- */

static const struct {
	ArgType_t number;
	const char *name;
} types[] = {
	{ uint8, "uint8_t" },	{ int8, "int8_t" },   { uint16, "uint16_t" }, { int16, "int16_t" },
	{ uint32, "uint32_t" }, { int32, "int32_t" }, { uint64, "uint64_t" }, { int64, "int64_t" },
};

static const char *type_name(int number)
{
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((int)types[i].number == number)
			return types[i].name;
	return NULL;
}

static int arguments_of(int count, va_list given, struct arguments *ret)
{
	if (count < 0 || count > MAX_ARGUMENTS)
		return fail(E2BIG, "a probe has at most %d arguments, not %d", MAX_ARGUMENTS,
			    count);
	for (int i = 0; i < count; i++) {
		int number = va_arg(given, int);
		const char *name = type_name(number);
		if (!name)
			return fail(EINVAL, "argument %d has an unknown type, %d", i, number);
		if (declaration_add(ret, name) < 0)
			return -1;
	}
	return 0;
}

static int check_new(SDTProvider_t *p, const char *name)
{
	if (object_is_mapped(provider_of(p)->object))
		return fail(EBUSY, "the provider %s is loaded", p->name);
	for (const SDTProbeList_t *item = p->probes; item && name; item = item->next)
		if (strcmp(item->probe.name, name) == 0)
			return fail(EEXIST, "the provider %s has a probe %s already", p->name,
				    name);
	return 0;
}

static SDTProbe_t *probe_add(SDTProvider_t *p, const char *name, struct arguments *arguments)
{
	int count = (int)arguments->count;
	struct dtusdt_probe *probe = probe_new(name, name, arguments);
	SDTProbeList_t *item = probe ? calloc(1, sizeof(*item)) : NULL;
	if (!item) {
		if (probe)
			fail(ENOMEM, "out of memory");
		probe_release(probe);
		return NULL;
	}
	item->probe.name = probe->name;
	item->probe.argCount = count;
	item->probe.provider = p;
	item->probe._fire = probe;
	for (int i = 0; i < count; i++) {
		const struct argument *a = &probe->arguments.list[i];
		item->probe.argFmt[i] = (ArgType_t)(a->is_signed ? -a->size : a->size);
	}
	item->next = p->probes;
	p->probes = item;
	return &item->probe;
}

SDTProbe_t *providerAddProbe(SDTProvider_t *provider, const char *name, int argCount, ...)
{
	struct arguments list = { 0 };
	SDTProbe_t *probe = NULL;
	if (!provider) {
		fail(EINVAL, "there is no provider");
		return NULL;
	}
	va_list given;
	va_start(given, argCount);
	changes_lock();
	if (check_new(provider, name) == 0 && arguments_of(argCount, given, &list) == 0)
		probe = probe_add(provider, name, &list);
	if (!probe)
		error_set(provider, elfCreationError);
	arguments_deinit(&list);
	changes_unlock();
	va_end(given);
	return probe;
}

int probeIsEnabled(SDTProbe_t *probe)
{
	return probe && dtusdt_enabled(probe->_fire);
}

void probeFire(SDTProbe_t *probe, ...)
{
	if (!probeIsEnabled(probe))
		return;
	struct dtusdt_probe *p = probe->_fire;
	uint64_t values[ARGUMENTS_MOST] = { 0 };
	va_list given;
	va_start(given, probe);
	probe_values(p, given, values);
	va_end(given);
	probe_fire(p, values);
}

/* --- loading --- */

static unsigned probe_count(const struct provider *p)
{
	unsigned count = 0;
	for (const SDTProbeList_t *item = p->shown.probes; item; item = item->next)
		count++;
	return count;
}

static int load(struct provider *p)
{
	unsigned count = probe_count(p);
	if (object_is_mapped(p->object))
		return fail(EBUSY, "the provider %s is loaded already", p->shown.name);
	if (!count)
		return 0;
	struct dtusdt_probe **probes = calloc(count, sizeof(struct dtusdt_probe *));
	if (!probes)
		return fail(ENOMEM, "out of memory");
	unsigned at = count;
	for (const SDTProbeList_t *item = p->shown.probes; item; item = item->next)
		probes[--at] = item->probe._fire; /* in the order in which they were added */
	int status = object_map(&p->object, p->shown.name, p->shown.name,
				p->shown._use_memfd == memfd_disabled, probes, count);
	free(probes);
	return status;
}

/* The private members are as libstapsdt's: some programs look. */
static void file_note(struct provider *p)
{
	const char *path;
	int fd = object_file(p->object, &path);
	p->shown._handle = object_is_mapped(p->object) ? p->object : NULL;
	p->shown._memfd = path ? -1 : fd;
	p->shown._filename = (char *)path;
}

int providerLoad(SDTProvider_t *provider)
{
	if (!provider)
		return fail(EINVAL, "there is no provider");
	changes_lock();
	int status = load(provider_of(provider));
	error_set(provider, status < 0 ? sharedLibraryOpenError : noError);
	file_note(provider_of(provider));
	changes_unlock();
	return status;
}

int providerUnload(SDTProvider_t *provider)
{
	if (!provider)
		return fail(EINVAL, "there is no provider");
	changes_lock();
	int status = object_unmap(provider_of(provider)->object);
	error_set(provider, status < 0 ? sharedLibraryCloseError : noError);
	file_note(provider_of(provider));
	changes_unlock();
	return status;
}
