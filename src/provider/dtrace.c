/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace - BEGIN, END and ERROR
 *
 * The tracer runs BEGIN and END itself.  ERROR has no event: its clauses are
 * compiled into each group of events as a subprogram.
 */
#include "provider/provider.h"

static struct error *dtrace_discover(const struct provider *self, struct probe_db *db,
				     const struct probe_desc *desc)
{
	static const struct {
		const char *name;
		enum event_kind event;
	} rows[] = { { "BEGIN", EVENT_BEGIN }, { "END", EVENT_END }, { "ERROR", EVENT_COUNT } };
	if (probe_db_find(db, "dtrace", "", "", "BEGIN"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe *p =
			probe_db_add(db, &provider_dtrace, "dtrace", "", "", rows[i].name);
		if (rows[i].event != EVENT_COUNT)
			probe_db_add_event(db, p, rows[i].event, NULL);
	}
	return NULL;
}

const struct provider provider_dtrace = {
	.name = "dtrace",
	.attributes = { STABLE_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, STABLE_COMMON,
			STABLE_COMMON },
	.discover = dtrace_discover,
};
