/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages N - N new pages of memory are written to; then a child, which has them as copies, writes to
 * each of them, twice; then to N pages that its parent has shared with it
 *
 * sched_get_priority_max(2) is called before and after each of the three.  What the calls need was
 * written to before the first one, in each process.
 */
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "trigger.h"

static long count, size;

static void mark(void)
{
	sched_get_priority_max(0);
}

/* Small pages, each with a fault of its own. */
static char *pages_new(int sharing)
{
	char *pages = mmap(NULL, (size_t)(count * size), PROT_READ | PROT_WRITE,
			   sharing | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || madvise(pages, (size_t)(count * size), MADV_NOHUGEPAGE) != 0)
		exit(1);
	return pages;
}

/* It does not read: that would bring in a page of zeros, which the kernel copies, too. */
static void write_to(volatile char *pages)
{
	for (long i = 0; i < count; i++)
		pages[i * size] = 1;
}

static void write_between_marks(char *pages, int times)
{
	mark();
	for (int i = 0; i < times; i++)
		write_to(pages);
	mark();
}

int main(int argc, char **argv)
{
	count = trigger_argument(argc, argv, 1, 100);
	size = sysconf(_SC_PAGESIZE);
	char *own = pages_new(MAP_PRIVATE), *shared = pages_new(MAP_SHARED);
	write_to(shared);
	write_between_marks(own, 1);
	pid_t child = fork();
	if (child == 0) {
		write_between_marks(own, 2);
		write_between_marks(shared, 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}
