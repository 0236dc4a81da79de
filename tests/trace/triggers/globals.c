/* SPDX-License-Identifier: BSD-2-Clause */
/* globals - has global variables: globals [again], which executes itself after the first call */
#include <unistd.h>

#include "trigger.h"

enum state { IDLE, BUSY = 7, BROKEN = -1 };

struct opaque {
	int value;
};

struct item {
	struct item *next;
	char name[16];
	const char *text;
	unsigned low : 3, high : 13;
	enum state state;
	struct opaque *hidden;
};

static struct opaque hidden = { 99 };
struct item second = {
	.name = "two", .text = "the second", .low = 5, .high = 4097, .state = BROKEN
};
struct item first = { .next = &second, .name = "one", .state = BUSY, .hidden = &hidden };
struct inode *foreign; /* no unit has its body, and the kernel another struct of this name */
int table[4] = { 10, 20, 30, 40 };
char greeting[] = "hello there";
const char *words = "of two words";
static long calls;
__thread int of_each_thread = 1;

PROBED void step(int n)
{
	calls += n;
	of_each_thread++;
}

typedef struct item item_t;
typedef struct item *item_pointer;

PROBED void take(item_t *item, item_pointer *place)
{
	KEEP(item);
	KEEP(place);
}

PROBED void done(void)
{
	KEEP(table);
}

int main(int argc, char **argv)
{
	trigger_wait();
	for (int i = 1; i <= 3; i++)
		step(i);
	item_pointer pointer = &second;
	take(&first, &pointer);
	done();
	if (argc > 1)
		execl("/proc/self/exe", "globals", (char *)NULL);
	return greeting[0] == 0 || words[0] == 0 || second.text[0] == 0;
}
