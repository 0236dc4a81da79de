/* SPDX-License-Identifier: BSD-2-Clause */
/* probe - a probe, and its firing: no lock, no system call, in any thread and signal handler */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const volatile uint16_t nobody; /* until the probe is mapped */

struct dtusdt_probe *probe_new(const char *function, const char *name, struct arguments *arguments)
{
	if (name_check(NAME_PROBE, name) < 0 || name_check(NAME_FUNCTION, function) < 0)
		return NULL;
	struct dtusdt_probe *p = calloc(1, sizeof(*p));
	if (p) {
		p->name = strdup(name);
		p->function = strdup(function);
		p->semaphore = &nobody;
		p->users = 1;
	}
	if (!p || !p->name || !p->function) {
		probe_release(p);
		fail(ENOMEM, "out of memory");
		return NULL;
	}
	p->arguments = *arguments;
	arguments->count = 0;
	return p;
}

struct dtusdt_probe *probe_use(struct dtusdt_probe *p)
{
	p->users++;
	return p;
}

void probe_release(struct dtusdt_probe *p)
{
	if (!p || --p->users)
		return;
	arguments_deinit(&p->arguments);
	free(p->name);
	free(p->function);
	free(p);
}

bool probe_is_same(const struct dtusdt_probe *p, const char *function, const char *name)
{
	return strcmp(p->name, name) == 0 && strcmp(p->function, function) == 0;
}

/* Has a tracer replaced the instruction?  Some do not count in the semaphore. */
static bool is_replaced(const unsigned char *site)
{
#if defined(__aarch64__)
	return *(const volatile uint32_t *)(const void *)site != 0xd503201f;
#else
	return *(const volatile unsigned char *)site != 0x90;
#endif
}

int dtusdt_enabled(const struct dtusdt_probe *p)
{
	if (!p)
		return 0;
	const unsigned char *site = __atomic_load_n(&p->site, __ATOMIC_ACQUIRE);
	if (!site)
		return 0;
	return *__atomic_load_n(&p->semaphore, __ATOMIC_RELAXED) || is_replaced(site);
}

/* The arguments in the places that machine.c's operands name. */
static void call(const unsigned char *site, const uint64_t v[ARGUMENTS_MOST], unsigned count)
{
	typedef uint64_t u;
	_Static_assert(ARGUMENTS_MOST == 12, "calls with so many arguments");
	if (count <= 6)
		((void (*)(u, u, u, u, u, u))(uintptr_t)site)(v[0], v[1], v[2], v[3], v[4], v[5]);
	else
		((void (*)(u, u, u, u, u, u, u, u, u, u, u, u))(uintptr_t)site)(
			v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]);
}

/*
 * The thread says that it is coming before it looks whether the code is there; object_unmap() does
 * the reverse: it takes the code away, then looks who is coming.
 */
bool probe_fire(struct dtusdt_probe *p, const uint64_t values[ARGUMENTS_MOST])
{
	__atomic_fetch_add(&p->firing, 1, __ATOMIC_SEQ_CST);
	const unsigned char *site = __atomic_load_n(&p->site, __ATOMIC_SEQ_CST);
	if (site)
		call(site, values, p->arguments.count);
	__atomic_fetch_sub(&p->firing, 1, __ATOMIC_RELEASE);
	return site;
}

/* --- values --- */

/* A fraction is its bits, of the argument's size. */
static uint64_t fraction_bits(double value, unsigned size)
{
	union {
		double d;
		float f[2];
		uint64_t bits;
	} u = { .bits = 0 };
	if (size == 4)
		u.f[0] = (float)value;
	else
		u.d = value;
	return u.bits;
}

/* What is passed for `...` has at least the size of an int, and a place of 64 bits. */
void probe_values(const struct dtusdt_probe *p, va_list given, uint64_t ret[ARGUMENTS_MOST])
{
	for (unsigned i = 0; i < p->arguments.count; i++) {
		const struct argument *a = &p->arguments.list[i];
		ret[i] = a->is_float ? fraction_bits(va_arg(given, double), a->size)
				     : va_arg(given, uint64_t);
	}
}

int dtusdt_fire(struct dtusdt_probe *p, ...)
{
	if (!dtusdt_enabled(p))
		return 0;
	uint64_t values[ARGUMENTS_MOST] = { 0 };
	va_list given;
	va_start(given, p);
	probe_values(p, given, values);
	va_end(given);
	return probe_fire(p, values);
}

int dtusdt_fire_values(struct dtusdt_probe *p, const uint64_t *values, size_t count)
{
	if (!dtusdt_enabled(p) || (count && !values))
		return 0;
	uint64_t all[ARGUMENTS_MOST] = { 0 };
	for (size_t i = 0; i < count && i < ARGUMENTS_MOST; i++)
		all[i] = values[i];
	return probe_fire(p, all);
}
