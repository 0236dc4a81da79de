/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * absent MILLISECONDS - call late(TEXT) with a string in memory that is filled so much later
 *
 * The page belongs to a userfaultfd; every reader, the kernel too, sleeps until then.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "trigger.h"

static char *page;
static char text[4096] __attribute__((aligned(4096))) = "here at last";

PROBED void late(const char *bytes)
{
	KEEP(bytes);
}

static void *caller(void *arg)
{
	late(page);
	return NULL;
}

int main(int argc, char **argv)
{
	long wait = trigger_argument(argc, argv, 1, 100);
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = { .range = { (unsigned long)page, 4096 },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) < 0 || ioctl(fd, UFFDIO_REGISTER, &all) < 0)
		return 3;

	trigger_wait();
	pthread_t thread;
	if (pthread_create(&thread, NULL, caller, NULL))
		return 1;
	trigger_pause(wait * 1000);
	struct uffdio_copy copy = { .dst = (unsigned long)page,
				    .src = (unsigned long)text,
				    .len = 4096 };
	ioctl(fd, UFFDIO_COPY, &copy);
	pthread_join(thread, NULL);
	return 0;
}
