/* SPDX-License-Identifier: BSD-2-Clause */
/* seen - the records that a consumer gives out, as a text: "CPU:NUMBER " each, 0 for a bad one */
#ifndef TESTS_UNIT_CONSUMER_SEEN_H
#define TESTS_UNIT_CONSUMER_SEEN_H

#include <stdio.h>
#include <string.h>

#include "consumer/consumer.h"

static char seen[256];

static struct error *note(void *arg, const struct record *r)
{
	char text[64];
	snprintf(text, sizeof(text), "%d:%u ", r->cpu, r->problem ? 0 : r->header->seq);
	strcat(seen, text);
	return NULL;
}

#endif
