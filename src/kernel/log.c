/* SPDX-License-Identifier: BSD-2-Clause */
/* log - messages about our probes that are only in the kernel's log */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/kernel.h"

int kernel_log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* kernel/events/uprobes.c, prepare_uretprobe(): not more often than a log allows. */
static int process_without_return(const char *line)
{
	static const char words[] = "uprobe: omit uretprobe due to nestedness limit pid/tgid=";
	const char *found = strstr(line, words);
	int tid, tgid;
	return found && sscanf(found + strlen(words), "%d/%d", &tid, &tgid) == 2 ? tgid : 0;
}

void kernel_log_lost_returns(int fd, kernel_log_fn *lost, void *arg)
{
	char line[1024];
	for (;;) {
		ssize_t n = read(fd, line, sizeof(line) - 1);
		if (n < 0 &&
		    (errno == EPIPE || errno == EINVAL)) /* overwritten; longer than that */
			continue;
		if (n <= 0)
			return;
		line[n] = 0;
		int pid = process_without_return(line);
		if (pid)
			lost(arg, pid);
	}
}
