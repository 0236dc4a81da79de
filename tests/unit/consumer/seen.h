/* SPDX-License-Identifier: BSD-2-Clause */
/* seen - the records that a consumer gives out, as a text: "CPU:NUMBER " each, 0 for a bad one */
#ifndef TESTS_UNIT_CONSUMER_SEEN_H
#define TESTS_UNIT_CONSUMER_SEEN_H

#include <stdio.h>
#include <string.h>

#include "consumer/consumer.h"

static char seen[4096]; /* what does not fit is left out, and missed by the test */

static void seen_add(const char *text)
{
	size_t len = strlen(seen);
	snprintf(seen + len, sizeof(seen) - len, "%s", text);
}

static struct error *note(void *arg, const struct record *r)
{
	char text[64];
	snprintf(text, sizeof(text), "%d:%u ", r->cpu, r->problem ? 0 : r->header->seq);
	seen_add(text);
	return NULL;
}

#endif
