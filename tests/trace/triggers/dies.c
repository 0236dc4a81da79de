/* SPDX-License-Identifier: BSD-2-Clause */
/* dies N SIGNAL STATUS - N calls, then death by the signal, or exit with STATUS if it is 0 */
#include <signal.h>

#include "trigger.h"

PROBED void last_words(long number)
{
	KEEP(number);
}

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 1);
	int number = (int)trigger_argument(argc, argv, 2, SIGKILL);

	trigger_wait();
	for (long i = 0; i < n; i++)
		last_words(i);
	if (number) {
		signal(number, SIG_DFL);
		raise(number);
	}
	return (int)trigger_argument(argc, argv, 3, 0);
}
