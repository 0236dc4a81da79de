/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

#define NAME_LEN_MAX 64

/* Letters to insert, delete, replace or swap to make A into B. */
static unsigned word_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned rows[3][NAME_LEN_MAX + 1];
	for (unsigned j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= a_len; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
		row[0] = i;
		for (unsigned j = 1; j <= b_len; j++) {
			unsigned replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = MIN(replaced, MIN(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], twice[j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

struct nearest nearest_to(const char *wanted)
{
	size_t len = strlen(wanted);
	return (struct nearest) { wanted, NULL, len < 3 ? 1 : len < 6 ? 2 : 3 };
}

/* Most of many thousand names are out by their length alone. */
void nearest_try(struct nearest *n, const char *name)
{
	if (!name)
		return;
	size_t len = strlen(name), wanted_len = strlen(n->wanted);
	size_t difference = len > wanted_len ? len - wanted_len : wanted_len - len;
	if (difference >= n->distance || len > NAME_LEN_MAX || wanted_len > NAME_LEN_MAX)
		return;
	unsigned d = strcasecmp(n->wanted, name) == 0
			     ? strcmp(n->wanted, name) != 0
			     : word_distance(n->wanted, wanted_len, name, len);
	if (d && d < n->distance) {
		n->distance = d;
		n->best = name;
	}
}

void nearest_try_all(struct nearest *n, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		nearest_try(n, names[i]);
}
