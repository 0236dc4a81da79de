/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace - BEGIN, END and ERROR
 *
 * The tracer runs BEGIN and END itself.  ERROR has no group of its own: its
 * clauses are compiled into each group as a subprogram, hence EVENT_COUNT.
 */
#include "provider/provider.h"

static const struct probe_args no_args;

/* The fault: docs/guide/errors.md.  arg0 is unset. */
static const struct probe_args error_args = {
	.arg = {
		{ ARG_NONE, 0 },
		{ ARG_FAULT, 1 }, /* id of the probe */
		{ ARG_FAULT, 2 }, /* action */
		{ ARG_FAULT, 3 }, /* pc */
		{ ARG_FAULT, 4 }, /* code */
		{ ARG_FAULT, 5 }, /* address */
	},
};

static struct error *dtrace_discover(struct probe_db *db, const struct probe_desc *desc)
{
	static const struct {
		const char *name;
		enum event_kind event;
		const struct probe_args *args;
	} rows[] = {
		{ "BEGIN", EVENT_BEGIN, &no_args },
		{ "END", EVENT_END, &no_args },
		{ "ERROR", EVENT_COUNT, &error_args },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe *p =
			probe_db_add(db, &provider_dtrace, "dtrace", "", "", rows[i].name);
		p->event = rows[i].event;
		p->args = rows[i].args;
	}
	return NULL;
}

static struct error *dtrace_attach(const struct attach_request *request, struct link_set *links)
{
	return NULL;
}

const struct provider provider_dtrace = {
	.name = "dtrace",
	.provider = STABLE_COMMON,
	.module = PRIVATE_UNKNOWN,
	.function = PRIVATE_UNKNOWN,
	.probe = STABLE_COMMON,
	.args = STABLE_COMMON,
	.discover = dtrace_discover,
	.attach = dtrace_attach,
};
