/* SPDX-License-Identifier: BSD-2-Clause */
/* The embedded image and its symbols */
#include <stdio.h>
#include <stdlib.h>

#include "agent/agent.h"

#define IMAGE(size, ...)                                                                           \
	static const unsigned char agent_bytes[] = { __VA_ARGS__ };                                \
	static const struct packed agent_packed = { agent_bytes, sizeof(agent_bytes), size };

#if defined(__x86_64__)
#include "agent_image.inc"
#else
static const struct packed agent_packed;
static const struct agent_symbol agent_symbols[0];
static const uint64_t agent_built;
#endif

struct error *agent_image(struct agent_image *ret)
{
	if (!ARRAY_SIZE(agent_symbols))
		return error_new("there is no code for processes of this processor yet");
	*ret = (struct agent_image) { agent_packed.whole, agent_built };
	return NULL;
}

struct error *agent_image_read(void *to)
{
	struct process_image head;
	packed_read(&agent_packed, to);
	memcpy(&head, to, sizeof(head));
	if (head.magic != PROCESS_MAGIC || head.id != agent_built)
		return error_new("the agent's code and its symbols differ: build dtrace anew");
	return NULL;
}

static int symbol_compare(const void *name, const void *symbol)
{
	return strcmp(name, ((const struct agent_symbol *)symbol)->name);
}

uint64_t agent_symbol(const char *name)
{
	const struct agent_symbol *found = bsearch(name, agent_symbols, ARRAY_SIZE(agent_symbols),
						   sizeof(*agent_symbols), symbol_compare);
	return found ? found->offset : 0;
}

uint64_t agent_row(enum rt_function function)
{
	char name[64];
	snprintf(name, sizeof(name), "rt_cfi_%s", rt_row_name(function));
	uint64_t at = agent_symbol(name);
	snprintf(name, sizeof(name), "rt_%s", rt_row_name(function));
	return at ? at : agent_symbol(name);
}
