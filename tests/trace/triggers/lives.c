/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lives WORD ... - processes, threads and signals, each kind a known number of times
 *
 *   exit N       N children that exit
 *   kill N       N children that end by SIGKILL
 *   dump N       N children that end by SIGABRT with a core file
 *   leader N     N children whose first thread ends before another one
 *   threads N    N threads, one after the other
 *   exec N       N children that execute /bin/true
 *   failed N     N children that execute what is not there
 *   handle N     SIGUSR1 N times, which has a handler
 *   ignore N     SIGUSR2 N times, which is ignored
 *   wait N       SIGHUP N times, taken by sigwait()
 *   segv N       N children that read at address 16
 *   divide N     N children that divide by zero, where this is a fault
 *   breakpoint N N children that end at a breakpoint's instruction
 *   sleep N      sleep N times for a millisecond
 *   yield N      sched_yield() N times
 *   wake N       wake another thread N times, each time when it sleeps
 *   spin MS      use a CPU for MS milliseconds
 */
#include "trigger.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void in_child(int n, void (*work)(void))
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			work();
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void do_exit(void)
{
	_exit(3);
}

static void do_kill(void)
{
	kill(getpid(), SIGKILL);
}

static void do_dump(void)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	setrlimit(RLIMIT_CORE, &all);
	abort();
}

static pthread_t leader;

static void *outlive(void *arg)
{
	pthread_join(leader, NULL);
	return NULL;
}

static void do_leader(void)
{
	pthread_t other;
	leader = pthread_self();
	pthread_create(&other, NULL, outlive, NULL);
	pthread_exit(NULL);
}

static void *nothing(void *arg)
{
	return NULL;
}

static void do_exec(void)
{
	execl("/bin/true", "true", NULL);
}

static void do_failed(void)
{
	execl("/nonexistent/program", "program", NULL);
}

static void do_segv(void)
{
	signal(SIGSEGV, SIG_DFL);
	KEEP(*(volatile int *)16);
}

static void do_divide(void)
{
#ifdef __x86_64__
	__asm__ volatile("xorl %%ecx, %%ecx; movl $1, %%eax; cltd; idivl %%ecx"
			 :
			 :
			 : "eax", "ecx", "edx");
#endif
}

static void do_breakpoint(void)
{
#ifdef __x86_64__
	__asm__ volatile("int3");
#elif defined(__aarch64__)
	__asm__ volatile("brk #0");
#endif
}

static void handler(int number)
{
}

static void *wait_for(void *arg)
{
	sem_t *sems = arg;
	for (;;) {
		sem_wait(&sems[0]);
		sem_post(&sems[1]);
	}
	return NULL;
}

static void wake(int n)
{
	static sem_t sems[2];
	pthread_t thread;
	pthread_create(&thread, NULL, wait_for, sems);
	for (int i = 0; i < n; i++) {
		trigger_pause(2000);
		sem_post(&sems[0]);
		sem_wait(&sems[1]);
	}
}

static void spin(int ms)
{
	long long end = trigger_now(CLOCK_PROCESS_CPUTIME_ID) + ms * 1000000LL;
	while (trigger_now(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

static void signals(int number, int n)
{
	for (int i = 0; i < n; i++)
		kill(getpid(), number);
}

static void take(int n)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < n; i++) {
		int number;
		kill(getpid(), SIGHUP);
		sigwait(&set, &number);
	}
}

static void threads(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_t t;
		pthread_create(&t, NULL, nothing, NULL);
		pthread_join(t, NULL);
	}
}

static void carry_out(const char *word, int n)
{
	static const struct {
		const char *word;
		void (*work)(void);
	} children[] = {
		{ "exit", do_exit },	 { "kill", do_kill },	  { "dump", do_dump },
		{ "leader", do_leader }, { "exec", do_exec },	  { "failed", do_failed },
		{ "segv", do_segv },	 { "divide", do_divide }, { "breakpoint", do_breakpoint },
	};
	for (size_t i = 0; i < sizeof(children) / sizeof(*children); i++)
		if (strcmp(children[i].word, word) == 0)
			in_child(n, children[i].work);
	if (strcmp(word, "threads") == 0)
		threads(n);
	else if (strcmp(word, "handle") == 0)
		signals(SIGUSR1, n);
	else if (strcmp(word, "ignore") == 0)
		signals(SIGUSR2, n);
	else if (strcmp(word, "wait") == 0)
		take(n);
	else if (strcmp(word, "sleep") == 0)
		for (int i = 0; i < n; i++)
			trigger_pause(1000);
	else if (strcmp(word, "yield") == 0)
		for (int i = 0; i < n; i++)
			sched_yield();
	else if (strcmp(word, "wake") == 0)
		wake(n);
	else if (strcmp(word, "spin") == 0)
		spin(n);
}

int main(int argc, char **argv)
{
	signal(SIGUSR1, handler);
	signal(SIGUSR2, SIG_IGN);
	trigger_wait();
	for (int i = 1; i + 1 < argc; i += 2)
		carry_out(argv[i], atoi(argv[i + 1]));
	return 0;
}
