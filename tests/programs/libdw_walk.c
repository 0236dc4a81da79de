/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libdw_walk FILE MOST - stacks of a process of the test's own, by libdw, whenever it is stopped
 *
 * FILE has its number, once it is there.  At each stop the stacks of all threads go to standard
 * output, one line each: time of the stop, thread, whole or not, stack pointer, program counters;
 * then the process goes on.  After MOST stops it is killed.
 */
#include <elfutils/libdwfl.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FRAMES_MOST 1024
#if defined(__aarch64__)
#define STACK_POINTER 31 /* DWARF's number */
#else
#define STACK_POINTER 7
#endif

static uint64_t stopped_at; /* CLOCK_MONOTONIC, ns */

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct walk {
	unsigned count;
	uint64_t stack_pointer, pcs[FRAMES_MOST];
};

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct walk *w = arg;
	Dwarf_Addr pc;
	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	if (!w->count)
		dwfl_frame_reg(frame, STACK_POINTER, &w->stack_pointer);
	w->pcs[w->count++] = pc;
	return w->count < FRAMES_MOST ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static int walk_thread(Dwfl_Thread *thread, void *arg)
{
	struct walk w = { 0 };
	int failed = dwfl_thread_getframes(thread, add_frame, &w);
	printf("%" PRIu64 " %d %s 0x%" PRIx64, stopped_at, dwfl_thread_tid(thread),
	       failed ? "part" : "whole", w.stack_pointer);
	for (unsigned i = 0; i < w.count; i++)
		printf(" 0x%" PRIx64, w.pcs[i]);
	putchar('\n');
	return DWARF_CB_OK;
}

/* Call frame information of the files alone. */
static int no_debug_info(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word check, char **ret)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = no_debug_info,
};

static void walk_all(Dwfl *dwfl, int pid)
{
	static int attached;
	dwfl_report_begin(dwfl);
	if (dwfl_linux_proc_report(dwfl, pid) != 0 || dwfl_report_end(dwfl, NULL, NULL) != 0)
		return;
	if (!attached && dwfl_linux_proc_attach(dwfl, pid, false) != 0) {
		fprintf(stderr, "cannot attach to %d: %s\n", pid, dwfl_errmsg(-1));
		exit(1);
	}
	attached = 1;
	dwfl_getthreads(dwfl, walk_thread, NULL);
}

/* 'T': stopped; 0: gone. */
static char state_of(int pid)
{
	char path[64], text[512] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	size_t size = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	const char *end = size ? strrchr(text, ')') : NULL;
	return end && end[2] != 'Z' && end[2] != 'X' ? end[2] : 0;
}

static int wait_for_number(const char *file)
{
	int pid = 0;
	for (int i = 0; i < 30000 && pid <= 0; i++) {
		FILE *f = fopen(file, "r");
		char end = 0;
		if (f && (fscanf(f, "%d%c", &pid, &end) < 2 || end != '\n'))
			pid = 0;
		if (f)
			fclose(f);
		usleep(1000);
	}
	return pid;
}

int main(int argc, char **argv)
{
	int pid = argc == 3 ? wait_for_number(argv[1]) : 0, most = argc == 3 ? atoi(argv[2]) : 0;
	Dwfl *dwfl = dwfl_begin(&callbacks);
	if (pid <= 0 || !dwfl)
		return 1;
	for (char state; most > 0 && (state = state_of(pid));) {
		if (state != 'T') {
			usleep(200);
			continue;
		}
		stopped_at = now();
		walk_all(dwfl, pid);
		fflush(stdout);
		most--;
		if (most)
			kill(pid, SIGCONT);
	}
	if (state_of(pid))
		kill(pid, SIGKILL);
	dwfl_end(dwfl);
	return 0;
}
