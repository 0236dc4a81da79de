/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libstapsdt.h - the calls of libstapsdt, for programs and language bindings that were written for
 * it
 *
 * What differs: wrong names, types and counts are refused, with a sentence in the provider's
 * `error`; a provider can be loaded again; is-enabled reads a semaphore, too.  See dtrace-usdt(3).
 */
#ifndef DTRACE_USDT_LIBSTAPSDT_H
#define DTRACE_USDT_LIBSTAPSDT_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define MAX_ARGUMENTS 6

typedef enum {
	noError = -1,
	elfCreationError = 0,
	tmpCreationError = 1,
	sharedLibraryOpenError = 2,
	symbolLoadingError = 3,
	sharedLibraryCloseError = 4,
} SDTError_t;

typedef enum {
	noarg = 0,
	uint8 = 1,
	int8 = -1,
	uint16 = 2,
	int16 = -2,
	uint32 = 4,
	int32 = -4,
	uint64 = 8,
	int64 = -8,
} ArgType_t;

typedef enum {
	memfd_disabled = 0,
	memfd_enabled = 1,
} MemFDOption_t;

struct SDTProvider;

typedef struct SDTProbe {
	char *name;
	ArgType_t argFmt[MAX_ARGUMENTS];
	void *_fire; /* a struct dtusdt_probe */
	struct SDTProvider *provider;
	int argCount;
} SDTProbe_t;

typedef struct SDTProbeList_ {
	SDTProbe_t probe;
	struct SDTProbeList_ *next;
} SDTProbeList_t;

/* The member errno, also where <errno.h> has made that a macro. */
#pragma push_macro("errno")
#undef errno
typedef struct SDTProvider {
	char *name;
	SDTProbeList_t *probes;
	SDTError_t errno;
	char *error;

	/* private */
	void *_handle;
	char *_filename;
	int _memfd;
	MemFDOption_t _use_memfd;
} SDTProvider_t;
#pragma pop_macro("errno")

SDTProvider_t *providerInit(const char *name);
int providerUseMemfd(SDTProvider_t *provider, const MemFDOption_t use_memfd);
SDTProbe_t *providerAddProbe(SDTProvider_t *provider, const char *name, int argCount, ...);
int providerLoad(SDTProvider_t *provider);
int providerUnload(SDTProvider_t *provider);
void providerDestroy(SDTProvider_t *provider);
void probeFire(SDTProbe_t *probe, ...);
int probeIsEnabled(SDTProbe_t *probe);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
