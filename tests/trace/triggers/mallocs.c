/* SPDX-License-Identifier: BSD-2-Clause */
/* mallocs N - N allocations of 3 MiB, a size that no other code requests */
#include "trigger.h"

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 1);

	trigger_wait();
	for (long i = 0; i < n; i++) {
		void *p = malloc(3 << 20);
		KEEP(p);
		free(p);
	}
	trigger_count("malloc", n);
	return 0;
}
