/* SPDX-License-Identifier: BSD-2-Clause */
/* calls N [MICROSECONDS] - N rounds of calls with known arguments, a pause after each */
#include "trigger.h"

PROBED long inner(long a)
{
	KEEP(a);
	return a + 1;
}

PROBED long outer(long a, long b, long c, long d, long e, long f)
{
	long result = inner(a) + b + c + d + e + f;
	KEEP(result);
	return result;
}

PROBED void some_function(int number)
{
	KEEP(number);
}

PROBED void with_text(const char *text)
{
	size_t length = strlen(text); /* of libc: by whichever implementation it has here */
	KEEP(length);
}

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 1);
	long pause = trigger_argument(argc, argv, 2, 0);
	long sum = 0;

	trigger_wait();
	for (long i = 1; i <= n; i++) {
		some_function((int)i);
		sum += i;
		outer(i, 2 * i, 3 * i, 4 * i, 5 * i, 6 * i);
		with_text(i % 2 ? "odd" : "even");
		trigger_pause(pause);
		if (pause && i % 10 == 0)
			trigger_count("so_far", i);
	}
	trigger_count("some_function", n);
	trigger_count("sum", sum);
	return 0;
}
