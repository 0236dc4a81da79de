/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * statics N [MICROSECONDS] - N rounds of static probes of provider trig, a pause after each; at
 * SIGUSR1 the semaphore is written to TRIGGER_SEEN
 */
#include <signal.h>
#include <sys/wait.h>

#include "notes.h"
#include "trigger.h"

SEMAPHORE(trig_checked_semaphore);

struct item {
	long before;
	int number;
	short half;
	signed char byte;
};

static long table[8];
static unsigned shared_number; /* of this file alone */
int exported_numbers[4];

PROBED void sizes(long n)
{
	STATIC_PROBE("trig", "signed", "0", "-1@%0 -2@%0 -4@%0 -8@%0", "r"(-n));
	STATIC_PROBE("trig", "unsigned", "0", "1@%0 2@%0 4@%0 8@%0", "r"(-n));
	STATIC_PROBE("trig", "constants", "0", "-4@%0 4@%0 8@%1 -1@%2", "n"(-7),
		     "n"(0x123456789abL), "n"(200));
}

PROBED void memory(struct item *item, long n)
{
	volatile long local = 3 * n;
	STATIC_PROBE("trig", "memory", "0", "8@%0 -4@%1 2@%2 -1@%3 8@%4", "m"(local),
		     "m"(item->number), "m"(item->half), "m"(item->byte), "m"(table[n & 7]));
	STATIC_PROBE("trig", "symbols", "0", "4@%0 -4@%1", "m"(shared_number),
		     "m"(exported_numbers[2]));
}

/* One probe at four sites, with three operand strings. */
PROBED void first_sites(int n)
{
	STATIC_PROBE("trig", "sites", "0", "-4@%0 8@%1", "r"(n), "n"(1));
	KEEP(n);
	STATIC_PROBE("trig", "sites", "0", "-4@%0 8@%1", "r"(n), "n"(2));
}

PROBED void one_more_site(const int *n)
{
	STATIC_PROBE("trig", "sites", "0", "-4@%0 8@%1", "m"(*n), "n"(3));
}

PROBED void texts(const char *text, double ratio)
{
	STATIC_PROBE("trig", "text__given", "0", "8@%0", "nor"(text));
	STATIC_PROBE("trig", "plain", "0", "", "n"(0));
	STATIC_PROBE("trig", "floating", "0", "8f@%0 4f@%1", "nor"(ratio), "nor"((float)ratio));
}

PROBED void twelve(long n)
{
	STATIC_PROBE("trig", "twelve", "0",
		     "8@%0 8@%1 8@%2 8@%3 8@%4 8@%5 8@%6 8@%7 8@%8 8@%9 8@%10 8@%11", "nor"(n),
		     "nor"(n + 1), "nor"(n + 2), "nor"(n + 3), "nor"(n + 4), "nor"(n + 5),
		     "nor"(n + 6), "nor"(n + 7), "nor"(n + 8), "nor"(n + 9), "nor"(n + 10),
		     "nor"(n + 11));
}

#ifdef __x86_64__
PROBED void by_hand(long n)
{
	long words[4] = { n, n + 1, n + 2, n + 3 };
	__asm__ volatile(
		"mov %0, %%rcx\n"
		"mov %1, %%rdx\n"
		"mov $3, %%rsi\n"
		"mov $0x4321, %%eax\n" /* %ah: 0x43 */
		NOTE("trig", "by__hand", "0",
		     "8@(%%rdx,%%rsi,8) 8@-16(%%rdx,%%rsi,8) 8@8(%%rdx) 8@-8+16(%%rdx) 1@%%ah "
		     "4@%%rcx 8@0x8(%%rdx)") NOTE("trig", "aliases", "0",
						  "1@%%al 2@%%ax -4@%%eax 1@%%ah")
			NOTE("trig", "odd", "0", "8@%%xmm0 8@%%rcx 16@(%%rdx) 8@nowhere(%%rip)")
		:
		: "r"(n), "r"(words)
		: "rax", "rcx", "rdx", "rsi", "memory");
}
#else
PROBED void by_hand(long n)
{
	KEEP(n);
}
#endif

static long checked;

PROBED void checks(long n)
{
	if (!trig_checked_semaphore)
		return;
	checked++;
	STATIC_PROBE("trig", "checked", "trig_checked_semaphore", "8@%0", "nor"(n));
}

static void write_seen(int signal)
{
	FILE *f = fopen(getenv("TRIGGER_SEEN"), "a");
	if (f) {
		fprintf(f, "%u\n", trig_checked_semaphore);
		fclose(f);
	}
}

static void round_of(long n)
{
	struct item item = { 0, (int)(-10 * n), (short)(2 * n), (signed char)-n };
	table[n & 7] = 100 + n;
	shared_number = (unsigned)(4 * n);
	exported_numbers[2] = (int)(-5 * n);
	int number = (int)n;
	KEEP(&item);
	KEEP(&number);
	sizes(n);
	memory(&item, n);
	first_sites(number);
	one_more_site(&number);
	texts(n % 2 ? "odd" : "even", (double)n + 0.5);
	twelve(n);
	by_hand(n);
	checks(n);
}

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 1);
	long pause = trigger_argument(argc, argv, 2, 0);

	if (getenv("TRIGGER_SEEN"))
		signal(SIGUSR1, write_seen);
	trigger_wait();
	for (long i = 1; i <= n; i++) {
		round_of(i);
		trigger_pause(pause);
	}
	trigger_count("rounds", n);
	trigger_count("checked", checked);
	trigger_count("semaphore", trig_checked_semaphore);
	return 0;
}
