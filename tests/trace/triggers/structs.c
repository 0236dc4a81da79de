/* SPDX-License-Identifier: BSD-2-Clause */
/* structs - passes a structure with pointers to structures, two levels deep */
#include <arpa/inet.h>
#include <stddef.h>

#include "trigger.h"

struct address {
	uint32_t family;
	uint32_t ip;
	const char *name;
};

struct connection {
	char before[0x60];
	struct address *peer;
};

_Static_assert(offsetof(struct connection, peer) == 0x60, "the tests read there");
_Static_assert(offsetof(struct address, ip) == 4 && offsetof(struct address, name) == 8,
	       "and there");

PROBED void serve(struct connection *c)
{
	KEEP(c);
}

int main(void)
{
	struct address *a = calloc(1, sizeof(*a));
	struct connection *c = calloc(1, sizeof(*c));
	a->family = 2;
	a->ip = inet_addr("192.0.2.17");
	a->name = "peer.example";
	c->peer = a;

	trigger_wait();
	serve(c);
	return 0;
}
