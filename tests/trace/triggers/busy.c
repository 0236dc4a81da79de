/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * busy [DISK] - something for each provider, again and again, until it is killed, 2 minutes at most
 *
 * Processes and signals, files, memory, connections and datagrams on loopback, reads of DISK past
 * the page cache, writes of the variable `turns`; two threads that wait for each other's mutex.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "trigger.h"

#define PAGE 4096

volatile long turns;
extern char **environ;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		trigger_pause(50);
		pthread_mutex_unlock(&mutex);
		trigger_pause(10);
	}
	return arg;
}

static void on_signal(int signal)
{
	(void)signal;
}

static int socket_at_loopback(int type, struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	*address = (struct sockaddr_in) { .sin_family = AF_INET,
					  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (fd < 0 || bind(fd, (struct sockaddr *)address, size) != 0 ||
	    getsockname(fd, (struct sockaddr *)address, &size) != 0)
		exit(1);
	return fd;
}

/* Ended by RST, so that no port is occupied by what is over. */
static void talk(int listener, const struct sockaddr_in *address)
{
	const struct linger now = { .l_onoff = 1 };
	char byte = 0;
	int ours = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(ours, (const struct sockaddr *)address, sizeof(*address)) != 0)
		exit(1);
	int theirs = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (write(ours, "x", 1) != 1 || read(theirs, &byte, 1) != 1)
		exit(1);
	setsockopt(ours, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(ours);
	close(theirs);
}

static void send_to_itself(int fd, const struct sockaddr_in *address)
{
	char byte;
	if (sendto(fd, "x", 1, 0, (const struct sockaddr *)address, sizeof(*address)) != 1 ||
	    recv(fd, &byte, 1, 0) != 1)
		exit(1);
}

static void touch_memory(void)
{
	char *memory =
		mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 16; i++)
		memory[i * PAGE] = 1;
	munmap(memory, 16 * PAGE);
}

static void run_program(void)
{
	static char program[] = "/bin/true";
	char *words[] = { program, NULL };
	pid_t child;
	if (posix_spawn(&child, program, NULL, NULL, words, environ) != 0)
		exit(1);
	waitpid(child, NULL, 0);
}

static void read_file(int file, char *page)
{
	if (pwrite(file, page, PAGE, 0) != PAGE || pread(file, page, PAGE, 0) != PAGE)
		exit(1);
}

int main(int argc, char **argv)
{
	static char page[PAGE] __attribute__((aligned(PAGE)));
	struct sockaddr_in listens, receives;
	int disk = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC) : -1;
	int listener = socket_at_loopback(SOCK_STREAM, &listens);
	int receiver = socket_at_loopback(SOCK_DGRAM, &receives);
	int file = open(".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	pthread_t threads[2];
	alarm(120);
	signal(SIGUSR1, on_signal);
	if (listen(listener, 1) != 0)
		return 1;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hold, NULL);
	for (;; turns++) {
		run_program();
		raise(SIGUSR1);
		talk(listener, &listens);
		send_to_itself(receiver, &receives);
		touch_memory();
		read_file(file, page);
		if (disk >= 0 && pread(disk, page, PAGE, 0) != PAGE)
			return 1;
	}
}
