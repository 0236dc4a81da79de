/* SPDX-License-Identifier: BSD-2-Clause */
/* commanded - for each number N that is a line of standard input: N times getppid; counts their sum
 */
#include <sys/syscall.h>

#include "trigger.h"

int main(void)
{
	char line[32];
	long long sum = 0;
	while (fgets(line, sizeof(line), stdin)) {
		long n = atol(line);
		for (long i = 0; i < n; i++)
			syscall(SYS_getppid);
		sum += n;
		trigger_count("getppid", sum);
	}
	return 0;
}
