/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt.h - the calls of libusdt, for programs and language bindings that were written for it
 *
 * What differs: the probes are notes of SystemTap's format, not DOF (dtrace-usdt(3)); a probe has
 * at most 12 arguments (EINVAL or E2BIG, and dtusdt_error() has a sentence); isenabled_addr is
 * NULL.  Types are C's: "int", "char *", "uint64_t".  ARGV has the values themselves, numbers as
 * well as addresses, each in a void *.
 */
#ifndef DTRACE_USDT_USDT_H
#define DTRACE_USDT_USDT_H

#include <stdint.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define USDT_ARG_MAX 32 /* the size of arrays */

typedef enum usdt_error {
	USDT_ERROR_MALLOC = 0,
	USDT_ERROR_VALLOC,
	USDT_ERROR_NOPROBES,
	USDT_ERROR_LOADDOF,
	USDT_ERROR_ALREADYENABLED,
	USDT_ERROR_UNLOADDOF,
	USDT_ERROR_DUP_PROBE,
	USDT_ERROR_REMOVE_PROBE
} usdt_error_t;

typedef struct usdt_probe {
	int (*isenabled_addr)(void);
	void *probe_addr; /* a struct dtusdt_probe */
} usdt_probe_t;

int usdt_is_enabled(usdt_probe_t *probe);
void usdt_fire_probe(usdt_probe_t *probe, size_t argc, void **argv);

typedef struct usdt_probedef {
	const char *name;
	const char *function;
	size_t argc;
	char *types[USDT_ARG_MAX];
	struct usdt_probe *probe; /* NULL before the provider is enabled */
	struct usdt_probedef *next;
	int refcnt;
} usdt_probedef_t;

usdt_probedef_t *usdt_create_probe(const char *func, const char *name, size_t argc,
				   const char **types);
void usdt_probe_release(usdt_probedef_t *probedef);

typedef struct usdt_provider {
	const char *name;
	const char *module;
	usdt_probedef_t *probedefs;
	char *error;
	int enabled;
	void *file;
} usdt_provider_t;

usdt_provider_t *usdt_create_provider(const char *name, const char *module);
int usdt_provider_add_probe(usdt_provider_t *provider, usdt_probedef_t *probedef);
int usdt_provider_remove_probe(usdt_provider_t *provider, usdt_probedef_t *probedef);
int usdt_provider_enable(usdt_provider_t *provider);
int usdt_provider_disable(usdt_provider_t *provider);
void usdt_provider_free(usdt_provider_t *provider);

void usdt_error(usdt_provider_t *provider, usdt_error_t error, ...);
char *usdt_errstr(usdt_provider_t *provider);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
