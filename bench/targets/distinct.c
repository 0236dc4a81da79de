/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * distinct STACKS            getppid in so many stacks that differ, of 17 frames or more
 * distinct STACKS REPORT     the names of as many frames of its functions, by libdwfl
 *
 * The report: frame_ns, CPU time of a frame's name.
 */
#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

#define DEPTH 14
volatile long sink;
#define KEEP __asm__ volatile("" ::: "memory")

__attribute__((noinline)) void one(unsigned path, int depth);

/* Which function calls depends on a bit of PATH. */
__attribute__((noinline)) void zero(unsigned path, int depth)
{
	if (!depth)
		syscall(SYS_getppid);
	else if (path & 1)
		one(path >> 1, depth - 1);
	else
		zero(path >> 1, depth - 1);
	KEEP;
}

__attribute__((noinline)) void one(unsigned path, int depth)
{
	sink++;
	if (!depth)
		syscall(SYS_getppid);
	else if (path & 1)
		one(path >> 1, depth - 1);
	else
		zero(path >> 1, depth - 1);
	KEEP;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
};

static unsigned long name_frame(Dwfl *dwfl, uint64_t address)
{
	GElf_Sym symbol;
	GElf_Off offset;
	Dwfl_Module *module = dwfl_addrmodule(dwfl, address);
	const char *name =
		dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
	return name ? (unsigned long)*name : 0;
}

static void name_frames(Dwfl *dwfl, long stacks)
{
	for (long i = 0; i < stacks; i++) {
		for (int depth = 0; depth <= DEPTH; depth++)
			sink += (long)name_frame(dwfl,
						 (uintptr_t)(i >> depth & 1 ? one : zero) + 8);
		sink += (long)name_frame(dwfl, (uintptr_t)syscall + 8);
		sink += (long)name_frame(dwfl, (uintptr_t)name_frames);
	}
}

static int measure_names(long stacks, const char *report)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	if (!dwfl || dwfl_linux_proc_report(dwfl, getpid()) != 0 ||
	    dwfl_report_end(dwfl, NULL, NULL) != 0)
		return 1;
	long long start = target_now(CLOCK_THREAD_CPUTIME_ID);
	name_frames(dwfl, stacks);
	long long ns = target_now(CLOCK_THREAD_CPUTIME_ID) - start;
	FILE *f = fopen(report, "w");
	if (!f)
		return 1;
	fprintf(f, "frame_ns %.1f\n", (double)ns / (double)(stacks * (DEPTH + 3)));
	dwfl_end(dwfl);
	return fclose(f);
}

int main(int argc, char **argv)
{
	long stacks = argc > 1 ? atol(argv[1]) : 0;
	if (argc > 2)
		return measure_names(stacks, argv[2]);
	for (long i = 0; i < stacks; i++)
		zero((unsigned)i, DEPTH);
	return 0;
}
