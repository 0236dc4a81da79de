/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * receives N - N connections with three states each: static probe rx:::conn-state, whose types and
 * translators are in the program (receives.types)
 */
#include "notes.h"
#include "trigger.h"

struct rx_conn {
	const char *remote;
	short port;
	int status;
};

DECLARED_TEXT("tests/trace/triggers/receives.types");
DECLARED_PROVIDER("\"rx\"");
DECLARED_PROBE("2, 3", "0, 1, 1",
	       "\"rx\", \"conn-state\", \"int id\", \"struct rx_conn *c\", "
	       "\"int id\", \"conninfo_t *c\", \"rxinfo_t *info\"");

PROBED void report(int id, struct rx_conn *c)
{
	STATIC_PROBE("rx", "conn__state", "0", "-4@%0 8@%1", "nor"(id), "nor"(c));
}

int main(int argc, char **argv)
{
	static const char *const remotes[] = { "192.0.2.1", "192.0.2.2", "192.0.2.3" };
	long n = trigger_argument(argc, argv, 1, 1);

	trigger_wait();
	for (long i = 0; i < n; i++) {
		struct rx_conn c = { remotes[i % 3], (short)(1000 + i), 0 };
		for (c.status = 0; c.status < 3; c.status++)
			report((int)i, &c);
	}
	trigger_count("connections", n);
	return 0;
}
