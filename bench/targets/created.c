/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * created CALLS REPORT - firings of a static probe that the program created (lib/usdt):
 * created:fire, with two arguments
 */
#include "dtrace-usdt.h"
#include "target.h"

static struct dtusdt_probe *probe;

static void work(long n)
{
	for (long i = 0; i < n; i++)
		dtusdt_fire(probe, i, n);
}

int main(int argc, char **argv)
{
	struct dtusdt_provider *p = dtusdt_provider("created");
	probe = dtusdt_probe(p, "fire", "long, long");
	if (!probe || dtusdt_enable(p) < 0) {
		fprintf(stderr, "created: %s\n", dtusdt_error());
		return 1;
	}
	return target_main(argc, argv, work);
}
