/* SPDX-License-Identifier: BSD-2-Clause */
/* The PID namespace that we are in: whose numbers users, /proc and system calls mean */
#include <sys/stat.h>

#include <stdlib.h>
#include <unistd.h>

#include "kernel/kernel.h"

#define FIRST_PID_NAMESPACE 0xeffffffcu /* PROC_PID_INIT_INO, include/linux/proc_ns.h */

uint32_t kernel_pid_namespace(void)
{
	static bool is_known;
	static uint32_t inode;
	struct stat st;
	if (!is_known && stat("/proc/self/ns/pid", &st) == 0 && st.st_ino != FIRST_PID_NAMESPACE)
		inode = (uint32_t)st.st_ino;
	is_known = true;
	return inode;
}

struct error *kernel_check_proc(void)
{
	static bool is_ours;
	char self[32] = "";
	ssize_t len = is_ours ? 0 : readlink("/proc/self", self, sizeof(self) - 1);
	is_ours = len <= 0 || atoi(self) == getpid();
	if (!is_ours)
		return error_new("/proc shows another PID namespace than the one we are in: mount "
				 "its own there (unshare --mount-proc does)");
	return NULL;
}
