/* SPDX-License-Identifier: BSD-2-Clause */
/* syscalls N [MICROSECONDS] - N times getppid, read, write, openat and close */
#include <fcntl.h>
#include <sys/syscall.h>

#include "trigger.h"

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 1);
	long pause = trigger_argument(argc, argv, 2, 0);
	char bytes[16] = "";
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);

	trigger_wait();
	for (long i = 0; i < n; i++) {
		syscall(SYS_getppid);
		if (read(zero, bytes, sizeof(bytes)) < 0 || write(null, bytes, sizeof(bytes)) < 0)
			return 1;
		close((int)syscall(SYS_openat, AT_FDCWD, "/dev/tty0/no such file", O_RDONLY));
		trigger_pause(pause);
	}
	trigger_count("getppid", n);
	trigger_count("read", n);
	trigger_count("write", n);
	trigger_count("openat", n);
	return 0;
}
