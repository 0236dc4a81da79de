/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of hosts (fleet.h) */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/fleet/internal.h"

static const char *host_state_word(const struct host *h)
{
	static const char *const words[] = {
		[HOST_WAITING] = "not asked", [HOST_STARTING] = "not ready",
		[HOST_READY] = "not traced",  [HOST_TRACING] = "not stopped",
		[HOST_ANSWERED] = "answered", [HOST_FAILED] = "failed",
		[HOST_LOST] = "lost",	      [HOST_STOPPED] = "stopped there",
	};
	return words[h->state];
}

static void put_until(struct strbuf *out, const struct host *h)
{
	time_t when = (time_t)((h->heard + clock_wall_offset()) / NS_PER_SECOND);
	struct tm parts;
	char text[16] = "";
	if (localtime_r(&when, &parts))
		strftime(text, sizeof(text), "%H:%M:%S", &parts);
	strbuf_printf(out, " until %s: %s", text, h->why);
}

void table_show(const struct asking *a, bool all)
{
	auto_strbuf struct strbuf table = { 0 };
	size_t width = strlen("HOST");
	for (size_t i = 0; i < a->hosts.count; i++)
		width = MAX(width, strlen(a->hosts.items[i].name));
	strbuf_printf(&table, "%-*s  %10s  %12s  STATE\n", (int)width, "HOST", "RECORDS",
		      "CLOCK ERROR");
	for (size_t i = 0; i < a->hosts.count; i++) {
		const struct host *h = &a->hosts.items[i];
		if (!all && h->state == HOST_ANSWERED)
			continue;
		strbuf_printf(&table, "%-*s  %10" PRIu64 "  %9.1f us  %s", (int)width, h->name,
			      remote_records(h->remote), (double)h->clock.best / 2000,
			      host_state_word(h));
		if (h->state == HOST_LOST)
			put_until(&table, h);
		strbuf_putc(&table, '\n');
	}
	message_listing(stderr, strbuf_text(&table));
}
