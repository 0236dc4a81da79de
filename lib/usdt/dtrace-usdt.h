/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace-usdt - static probes (USDT) that a program creates while it runs
 *
 * For interpreters, language bindings, and all who cannot compile <sys/sdt.h> into their program.
 *
 *	struct dtusdt_provider *shop = dtusdt_provider("shop");
 *	struct dtusdt_probe *sold = dtusdt_probe(shop, "sold", "int64_t pence, char *article");
 *	if (!sold || dtusdt_enable(shop) < 0)
 *		fprintf(stderr, "%s\n", dtusdt_error());
 *	...
 *	dtusdt_fire(sold, (int64_t)250, "tea");
 *
 *	# dtrace -n 'shop:::sold { @[copyinstr(arg1)] = sum(args[0]); }'
 *
 * dtusdt_enable() makes a small ELF file in memory (memfd) that has a function and a note in the
 * format of SystemTap for each probe, and maps it as a library would be mapped.  So every tracer
 * that reads .note.stapsdt finds the probes: this dtrace, bpftrace, SystemTap, perf.
 *
 * A function that fails returns NULL or -1 and sets errno; dtusdt_error() has a sentence.  Firing
 * and asking whether a probe is traced make no system call, take no lock, are allowed in signal
 * handlers and in any number of threads, also while another thread enables or disables the
 * provider.  The other functions take a lock.  After fork() the child has the same probes.
 *
 * Manual: dtrace-usdt(3).  The headers usdt.h and libstapsdt.h have the calls of libusdt and
 * libstapsdt, for programs that were written for these.
 */
#ifndef DTRACE_USDT_H
#define DTRACE_USDT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define DTUSDT_ARGUMENTS_MOST 12 /* what all tracers read */
#define DTUSDT_NAME_MOST 63	 /* bytes of a provider's, probe's or module's name */

struct dtusdt_provider;
struct dtusdt_probe;

/* NAME: a letter or _, then letters, digits, _ and -; the last one is not a digit; not pid. */
struct dtusdt_provider *dtusdt_provider(const char *name);

/* The provider and its probes.  No thread may fire them any more. */
void dtusdt_free(struct dtusdt_provider *provider);

/*
 * A probe, owned by the provider; tracers see it after dtusdt_enable().  ARGUMENTS: types as in a
 * prototype, "int a, char *s"; NULL or "": none.  Known are C's numbers, <stdint.h>, the common
 * names of <sys/types.h>, enumerations and pointers of any type.  EBUSY: the provider is enabled.
 */
struct dtusdt_probe *dtusdt_probe(struct dtusdt_provider *provider, const char *name,
				  const char *arguments);

/* The same with the name of a function (probefunc); otherwise that is the probe's name. */
struct dtusdt_probe *dtusdt_probe_in(struct dtusdt_provider *provider, const char *function,
				     const char *name, const char *arguments);

/* The module (probemod); otherwise that is the provider's name. */
int dtusdt_module(struct dtusdt_provider *provider, const char *module);

/* Use a file of the folder $TMPDIR, or /tmp, for tracers that want a path. */
int dtusdt_use_file(struct dtusdt_provider *provider, int is_wanted);

/* Show the probes to tracers.  If they are those of the last time, so is the file. */
int dtusdt_enable(struct dtusdt_provider *provider);

/*
 * Hide them.  Waits for firings that are under way, at most a second: if one takes longer (it may
 * be stopped), tracers can see the probes until the next call for this provider.
 */
int dtusdt_disable(struct dtusdt_provider *provider);

/* Does somebody trace it? */
int dtusdt_enabled(const struct dtusdt_probe *probe);

/* With values of the declared types.  Returns 1 if it was traced, 0 if not. */
int dtusdt_fire(struct dtusdt_probe *probe, ...);

/*
 * The same for values in an array, each extended to 64 bits; a fraction is its bits.  Missing
 * values are 0, too many are ignored.
 */
int dtusdt_fire_values(struct dtusdt_probe *probe, const uint64_t *values, size_t count);

/* Why the last call of this thread failed. */
const char *dtusdt_error(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
