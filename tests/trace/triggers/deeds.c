/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * deeds WORD N ... - what tools show, each kind a known number of times, with files of its own in
 * the current folder
 *
 *   open N       the file "deed" is opened and closed
 *   miss N       the file "no-deed" is opened, which does not exist
 *   stat N       stat(2) of "no-stat", which does not exist
 *   read N       100 bytes are read from "deed"
 *   write N      1000 bytes are written to "deed"
 *   sync N       fsync(2) of "deed"
 *   slow N       a read of a pipe to which a child writes 30 ms later
 *   user N       children that become nobody (setresuid)
 *   mount N      children that mount a tmpfs at "place" in a mount namespace of their own, and
 *                unmount it
 *   touch N      pages of new memory are written to, one after the other
 *   threads N    threads called "deedling", one after the other
 *   kill N       children that wait, and get SIGTERM
 *   open-at N    the same as open, by openat2(2)
 */
#include "trigger.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int deed;
static char bytes[1000];

static void do_open(void)
{
	close(open("deed", O_RDONLY));
}

static void do_open_at(void)
{
	struct open_how how = { .flags = O_RDONLY };
	close((int)syscall(SYS_openat2, AT_FDCWD, "deed", &how, sizeof(how)));
}

static void do_miss(void)
{
	if (open("no-deed", O_RDONLY) >= 0)
		exit(1);
}

static void do_stat(void)
{
	struct stat s;
	if (stat("no-stat", &s) == 0)
		exit(1);
}

static void do_read(void)
{
	if (pread(deed, bytes, 100, 0) != 100)
		exit(1);
}

static void do_write(void)
{
	if (pwrite(deed, bytes, 1000, 0) != 1000)
		exit(1);
}

static void do_sync(void)
{
	fsync(deed);
}

static void do_slow(void)
{
	int ends[2];
	if (pipe(ends))
		exit(1);
	pid_t child = fork();
	if (child == 0) {
		trigger_pause(30000);
		_exit(write(ends[1], "x", 1) != 1);
	}
	if (read(ends[0], bytes, 1) != 1)
		exit(1);
	waitpid(child, NULL, 0);
	close(ends[0]);
	close(ends[1]);
}

static void in_child(int (*work)(void))
{
	pid_t child = fork();
	if (child == 0)
		_exit(work());
	int status;
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		exit(WEXITSTATUS(status));
}

static int become_nobody(void)
{
	return setresuid(65534, 65534, 65534) != 0;
}

static int mount_and_unmount(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return 77;
	mkdir("place", 0700);
	return mount("deeds", "place", "tmpfs", 0, NULL) || umount2("place", MNT_DETACH) ? 77 : 0;
}

static void do_user(void)
{
	in_child(become_nobody);
}

static void do_mount(void)
{
	in_child(mount_and_unmount);
}

static void do_touch(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		exit(1);
	*(volatile char *)page = 1;
	munmap(page, 4096);
}

static void *deedling(void *arg)
{
	pthread_setname_np(pthread_self(), "deedling");
	return NULL;
}

static void do_threads(void)
{
	pthread_t t;
	pthread_create(&t, NULL, deedling, NULL);
	pthread_join(t, NULL);
}

static void do_kill(void)
{
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(1);
	}
	kill(child, SIGTERM);
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*work)(void);
	} deeds[] = {
		{ "open", do_open },   { "open-at", do_open_at }, { "miss", do_miss },
		{ "stat", do_stat },   { "read", do_read },	  { "write", do_write },
		{ "sync", do_sync },   { "slow", do_slow },	  { "user", do_user },
		{ "mount", do_mount }, { "touch", do_touch },	  { "threads", do_threads },
		{ "kill", do_kill },
	};
	deed = open("deed", O_RDWR | O_CREAT, 0600);
	if (deed < 0 || ftruncate(deed, 4096))
		return 1;
	trigger_wait();
	for (int i = 1; i + 1 < argc; i += 2)
		for (size_t j = 0; j < sizeof(deeds) / sizeof(*deeds); j++)
			for (long n = 0;
			     strcmp(deeds[j].word, argv[i]) == 0 && n < atol(argv[i + 1]); n++)
				deeds[j].work();
	return 0;
}
