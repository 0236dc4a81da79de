/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * paths KIND N - system calls with paths and buffers in memory that is not there yet
 *
 * The paths stand in a private mapping of a file, a page each, which is forgotten (MADV_DONTNEED)
 * before each call; who reads one brings it in from the page cache.  This program never does.
 *
 * open     N openat() of /nowhere/0, /nowhere/1 ... in turn
 * across   N openat() of a path that begins at the end of a page that is there
 * threads  the same as open by four threads with mappings of their own
 * compat   the same by system calls of 32-bit code; status 3: not here
 * vector   N writev() of the path /nowhere/vector, whose struct iovec is not there either
 * exec     N times: a child (vfork) tries to execute /nowhere/0, then executes /bin/true
 * exit     N children end with such an address as their status
 * blocked  read() from an empty pipe (descriptor 99), into a page that nobody has touched
 * killed   N children do so and are killed there
 * restart  N signals come during such a read(), which is restarted each time
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "trigger.h"

#define PAGE 4096
#define PATHS 8
#define TRUE PATHS /* the page of "/bin/true" */
#define PAGES (PATHS + 1)
#define PIPE 99
#define THREADS 4

static char *map_paths(void)
{
	char name[] = "/tmp/trigger-XXXXXX", path[32];
	int fd = mkstemp(name);
	unlink(name);
	for (long i = 0; i < PAGES; i++) {
		snprintf(path, sizeof(path), i == TRUE ? "/bin/true" : "/nowhere/%ld", i);
		if (pwrite(fd, path, sizeof(path), i * PAGE) < 0)
			exit(1);
	}
	if (ftruncate(fd, PAGES * PAGE) < 0)
		exit(1);
	int low = 0;
#ifdef MAP_32BIT
	low = MAP_32BIT;
#endif
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE | low, fd, 0);
	close(fd);
	return p;
}

static const char *absent(char *paths, long i)
{
	madvise(paths, PAGES * PAGE, MADV_DONTNEED);
	return paths + i * PAGE;
}

static void *open_all(void *number)
{
	long n = *(long *)number;
	char *paths = map_paths();
	for (long i = 0; i < n; i++)
		syscall(SYS_openat, AT_FDCWD, absent(paths, i % PATHS), O_RDONLY);
	return NULL;
}

static void open_across(long n)
{
	static const char path[] = "/nowhere/across";
	char name[] = "/tmp/trigger-XXXXXX";
	int fd = mkstemp(name);
	unlink(name);
	if (pwrite(fd, path, sizeof(path), PAGE - 4) < 0 || ftruncate(fd, 2 * PAGE) < 0)
		exit(1);
	const volatile char *p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	for (long i = 0; i < n; i++) {
		char first = p[PAGE - 4]; /* the next page may come along */
		madvise((char *)p + PAGE, PAGE, MADV_DONTNEED);
		syscall(SYS_openat, AT_FDCWD, p + PAGE - 4, first == '/' ? O_RDONLY : O_WRONLY);
	}
}

static void write_vectors(long n)
{
	static const char path[] = "/nowhere/vector";
	char name[] = "/tmp/trigger-XXXXXX";
	int fd = mkstemp(name), memory = memfd_create("memory", 0);
	unlink(name);
	if (ftruncate(fd, 2 * PAGE) < 0)
		exit(1);
	char *p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	struct iovec vector = { p + PAGE, sizeof(path) };
	if (pwrite(fd, &vector, sizeof(vector), 0) < 0 ||
	    pwrite(fd, path, sizeof(path), PAGE) < 0 || memory < 0)
		exit(1);
	for (long i = 0; i < n; i++) {
		madvise(p, 2 * PAGE, MADV_DONTNEED);
		syscall(SYS_writev, memory, p, 1);
	}
}

static void open_in_threads(long n)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, open_all, &n))
			exit(1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

#define COMPAT_OPENAT 295

static void open_compat(long n)
{
#ifdef __x86_64__
	char *paths = map_paths();
	for (long i = 0; i < n; i++) {
		long result;
		__asm__ volatile("int $0x80"
				 : "=a"(result)
				 : "a"(COMPAT_OPENAT), "b"(AT_FDCWD), "c"(absent(paths, i % PATHS)),
				   "d"(O_RDONLY), "S"(0)
				 : "memory");
		if (result == -38)
			exit(3);
	}
#else
	exit(3);
#endif
}

static void execute(long n)
{
	static char *const arguments[] = { "true", NULL };
	char *paths = map_paths();
	for (long i = 0; i < n; i++) {
		pid_t child = vfork();
		if (child == 0) {
			syscall(SYS_execve, absent(paths, 0), arguments, NULL);
			syscall(SYS_execve, absent(paths, TRUE), arguments, NULL);
			_exit(1);
		}
		waitpid(child, NULL, 0);
	}
}

static void end(long n)
{
	char *paths = map_paths();
	for (long i = 0; i < n; i++) {
		pid_t child = fork();
		if (child == 0)
			syscall(SYS_exit_group, absent(paths, 0));
		waitpid(child, NULL, 0);
	}
}

static void open_pipe(void)
{
	int ends[2];
	if (pipe(ends) < 0 || dup2(ends[0], PIPE) < 0)
		exit(1);
}

static long read_pipe(void)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return syscall(SYS_read, PIPE, page, PAGE);
}

/* Until PID sleeps in a system call: in read(), which is its only one that does. */
static void until_asleep(pid_t pid)
{
	char name[64], state = 0;
	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	while (state != 'S') {
		FILE *f = fopen(name, "r");
		if (!f || fscanf(f, "%*d %*s %c", &state) != 1)
			exit(1);
		fclose(f);
		trigger_pause(1000);
	}
}

static void ignore(int signal)
{
}

/* N signals to a child in read(), then its end. */
static void interrupt(long n)
{
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	sigaction(SIGUSR1, &action, NULL);
	pid_t child = fork();
	if (child == 0)
		_exit((int)read_pipe());
	for (long i = 0; i < n; i++) {
		until_asleep(child);
		kill(child, SIGUSR1);
		trigger_pause(20000);
	}
	until_asleep(child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	long n = trigger_argument(argc, argv, 2, 1);

	trigger_wait();
	if (!strcmp(kind, "open"))
		open_all(&n);
	else if (!strcmp(kind, "across"))
		open_across(n);
	else if (!strcmp(kind, "threads"))
		open_in_threads(n);
	else if (!strcmp(kind, "compat"))
		open_compat(n);
	else if (!strcmp(kind, "vector"))
		write_vectors(n);
	else if (!strcmp(kind, "exec"))
		execute(n);
	else if (!strcmp(kind, "exit"))
		end(n);
	else
		open_pipe();
	if (!strcmp(kind, "blocked"))
		read_pipe();
	for (long i = 0; i < n && !strcmp(kind, "killed"); i++)
		interrupt(0);
	if (!strcmp(kind, "restart"))
		interrupt(n);
	trigger_count(kind, strcmp(kind, "threads") ? n : THREADS * n);
	return 0;
}
