/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure [-i TEXT] [-d MS] -o OUTPUT -e ERRORS -r REPORT COMMAND... - what a command costs
 *
 *   -o -e     where its standard output and standard error go
 *   -i TEXT   send it SIGINT once OUTPUT or ERRORS contains TEXT ...
 *   -d MS     ... and so many milliseconds have passed since
 *
 * The report, a line "KEY VALUE" each: wall_ms, cpu_ms (its own, children that it
 * waited for included), rss_mb (the peak), status (128 + signal if killed), start_ns
 * and end_ns (wall clock), and interrupt_ms (from SIGINT to its end) with -i.
 *
 * It is linked statically and stays small: the kernel counts the memory of the
 * process that called exec() into the peak of the program that it becomes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_SECONDS 120

static long long now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	nanosleep(&t, NULL);
}

static void redirect(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || dup2(fd, to) < 0)
		_exit(127);
	close(fd);
}

/* Within the first 64 KB; a greeting is there. */
static int file_contains(const char *path, const char *text)
{
	static char buffer[65537];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, buffer, sizeof(buffer) - 1);
	if (fd >= 0)
		close(fd);
	buffer[n > 0 ? n : 0] = '\0';
	return strstr(buffer, text) != NULL;
}

static pid_t child;

static void too_long(int signal)
{
	kill(child, SIGKILL);
}

static double ms_of(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	const char *output = "/dev/null", *errors = "/dev/null", *report = "/dev/stdout";
	const char *text = NULL;
	long delay = 0;

	for (int option; (option = getopt(argc, argv, "+i:d:o:e:r:")) != -1;)
		switch (option) {
		case 'i':
			text = optarg;
			break;
		case 'd':
			delay = atol(optarg);
			break;
		case 'o':
			output = optarg;
			break;
		case 'e':
			errors = optarg;
			break;
		case 'r':
			report = optarg;
			break;
		default:
			return 2;
		}
	if (optind == argc)
		return 2;

	/* Neither file may hold an earlier run's text when we begin to look. */
	unlink(output);
	unlink(errors);
	long long start = now(CLOCK_REALTIME), begin = now(CLOCK_MONOTONIC), interrupted = 0;
	child = fork();
	if (child == 0) {
		redirect(output, 1);
		redirect(errors, 2);
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	signal(SIGALRM, too_long);
	alarm(LONGEST_SECONDS);

	siginfo_t ended = { 0 };
	while (text && !interrupted && !ended.si_pid) {
		if (file_contains(output, text) || file_contains(errors, text)) {
			pause_ms(delay);
			interrupted = now(CLOCK_MONOTONIC);
			kill(child, SIGINT);
		} else {
			pause_ms(2);
			waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT);
		}
	}

	struct rusage used;
	int status;
	while (wait4(child, &status, 0, &used) < 0)
		if (errno != EINTR)
			return 1;
	long long end = now(CLOCK_MONOTONIC), end_wall = now(CLOCK_REALTIME);

	FILE *f = fopen(report, "w");
	if (!f)
		return 1;
	fprintf(f,
		"wall_ms %.3f\ncpu_ms %.3f\nrss_mb %.3f\nstatus %d\nstart_ns %lld\nend_ns %lld\n",
		(double)(end - begin) / 1e6, ms_of(used.ru_utime) + ms_of(used.ru_stime),
		(double)used.ru_maxrss / 1024,
		WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), start,
		end_wall);
	if (interrupted)
		fprintf(f, "interrupt_ms %.3f\n", (double)(end - interrupted) / 1e6);
	return fclose(f) != 0;
}
