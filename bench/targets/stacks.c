/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks CALLS REPORT - getppid in 17 functions of different frame sizes, built with frame pointers
 *
 * With -DCALLS the calls are of called().  With -DTIMED they are, too, after 2 us of work or, with
 * -DCOLD, when the caches and what a walk remembers of mappings are lost.  The report has run_ns:
 * how long all BPF programs of our parent, which traces us, ran until then (BPF_ENABLE_STATS,
 * Linux 5.8).
 */
#include <dirent.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

volatile long sink;
#define KEEP __asm__ volatile("" ::: "memory")

__attribute__((noinline)) void called(void)
{
	sink++;
	KEEP;
}

#define SWEPT (8 << 20)
#define LINE 64

static void forget(void)
{
	static volatile char *swept;
	if (!swept)
		swept = mmap(NULL, SWEPT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
	for (long i = 0; i < SWEPT; i += LINE)
		swept[i]++;
	munmap(mmap(NULL, LINE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), LINE);
}

static void work_a_little(void)
{
	for (int i = 0; i < 1000; i++)
		sink++;
}

__attribute__((noinline)) void leaf(long n)
{
	for (long i = 0; i < n; i++) {
#if defined(COLD)
		forget();
		called();
#elif defined(TIMED)
		work_a_little();
		called();
#elif defined(CALLS)
		called();
#else
		syscall(SYS_getppid);
		sink++;
#endif
	}
}

#define CALLER(name, next, size)                                                                   \
	__attribute__((noinline)) void name(long n)                                                \
	{                                                                                          \
		volatile char room[size];                                                          \
		room[0] = 1;                                                                       \
		next(n);                                                                           \
		sink += room[0];                                                                   \
		KEEP;                                                                              \
	}
CALLER(f1, leaf, 8)
CALLER(f2, f1, 24)
CALLER(f3, f2, 40)
CALLER(f4, f3, 56)
CALLER(f5, f4, 72)
CALLER(f6, f5, 88)
CALLER(f7, f6, 104)
CALLER(f8, f7, 120)
CALLER(f9, f8, 136)
CALLER(f10, f9, 152)
CALLER(f11, f10, 16)
CALLER(f12, f11, 32)
CALLER(f13, f12, 48)
CALLER(f14, f13, 64)
CALLER(f15, f14, 80)
CALLER(f16, f15, 96)

static void work(long n)
{
	f16(n);
}

/* Of one open file of our parent; 0: it is no program. */
static long long run_time(const char *number)
{
	char path[64], line[128];
	long long ns = 0;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.20s", getppid(), number);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "run_time_ns: %lld", &ns);
	if (f)
		fclose(f);
	return ns;
}

static void report_run_time(const char *report)
{
	char path[64];
	long long ns = 0;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo", getppid());
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));)
		ns += run_time(e->d_name);
	FILE *f = fopen(report, "a");
	if (f) {
		fprintf(f, "run_ns %lld\n", ns);
		fclose(f);
	}
}

int main(int argc, char **argv)
{
#if defined(TIMED) || defined(COLD)
	union bpf_attr stats = { 0 }; /* enable_stats.type: BPF_STATS_RUN_TIME */
	if (syscall(SYS_bpf, BPF_ENABLE_STATS, &stats, sizeof(stats)) < 0)
		perror("BPF_ENABLE_STATS");
#endif
	int status = target_main(argc, argv, work);
#if defined(TIMED) || defined(COLD)
	if (status == 0)
		report_run_time(argv[2]);
#endif
	return status;
}
