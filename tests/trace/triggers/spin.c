/* SPDX-License-Identifier: BSD-2-Clause */
/* spin MILLISECONDS [kernel] - use so much CPU time, once at least, in spin_inner() or in the
 * kernel */
#include <fcntl.h>

#include "trigger.h"

static long cpu_ms(void)
{
	return (long)(trigger_now(CLOCK_PROCESS_CPUTIME_ID) / 1000000);
}

PROBED long spin_inner(long rounds)
{
	long x = rounds;
	for (long i = 0; i < rounds; i++)
		KEEP(x += i);
	return x;
}

PROBED long spin_outer(void)
{
	long x = spin_inner(1000000);
	KEEP(x);
	return x;
}

int main(int argc, char **argv)
{
	long limit = trigger_argument(argc, argv, 1, 100);
	static char bytes[1 << 20];
	int zero = open("/dev/zero", O_RDONLY);

	trigger_wait();
	do {
		if (argc <= 2)
			spin_outer();
		else if (read(zero, bytes, sizeof(bytes)) < 0)
			return 1;
	} while (cpu_ms() < limit);
	trigger_count("cpu_ms", cpu_ms());
	return 0;
}
