/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpc_events - events of CPUs that are not in counter.def
 *
 * Caches: l1d_loads, llc_store_misses; the kernel knows which event of this CPU that is.  Events of
 * this model: sysfs has a folder for each kind of counters, with the events' names and how each is
 * asked for:
 *
 *     cpu/events/cache-misses        event=0x2e,umask=0x41
 *     cpu/format/umask               config:8-15
 *
 * A hyphen in a name is an underscore here.
 */
#ifndef PROVIDER_CPC_EVENTS_H
#define PROVIDER_CPC_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/event.h"
#include "base/base.h"

#define COUNTER_CACHE 3 /* PERF_TYPE_HW_CACHE */

/* Where sysfs has the kinds of counters. */
#define CPC_DEVICES "/sys/bus/event_source/devices"

/* The event of the caches that NAME, of LEN characters, means: type and config of RET. */
bool cpc_cache_event(const char *name, size_t len, struct event_counter *ret);

/* The same of an event that a folder of DEVICES has; those of uncore counters, which belong to no
 * CPU, are left out. */
bool cpc_device_event(const char *devices, const char *name, size_t len, struct event_counter *ret);

typedef void cpc_event_fn(void *arg, const char *name);

void cpc_each_cache_event(cpc_event_fn *visit, void *arg);
void cpc_each_device_event(const char *devices, cpc_event_fn *visit, void *arg);

#endif
