/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <signal.h>

#include "tracer/tracer.h"

static struct tracer *tracer; /* NULL: it has been freed */

/* All whose default ends the process, except those of our own mistakes and of failed writes. */
static const int endings[] = { SIGINT,	  SIGTERM, SIGQUIT, SIGHUP, SIGALRM,   SIGUSR2,
			       SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,  SIGSTKFLT, SIGPWR };

static void interrupt(int signal)
{
	struct tracer *t = __atomic_load_n(&tracer, __ATOMIC_RELAXED);
	if (t)
		tracer_interrupt(t, signal == SIGQUIT);
}

static void signal_show(int signal)
{
	struct tracer *t = __atomic_load_n(&tracer, __ATOMIC_RELAXED);
	if (t)
		tracer_show_now(t);
}

/* Not SIG_IGN: a handler goes back to the default in the commands we start. */
static void do_nothing(int signal)
{
	(void)signal;
}

static void handle_unless_ignored(int signal, void (*handler)(int), int flags)
{
	struct sigaction old;
	sigaction(signal, NULL, &old);
	if (old.sa_handler == SIG_IGN)
		return;
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	sigfillset(&action.sa_mask); /* one at a time: tracer_interrupt() keeps account */
	sigaction(signal, &action, NULL);
}

void signals_catch_show(struct tracer *t)
{
	tracer = t;
	handle_unless_ignored(SIGUSR1, signal_show, 0);
}

void signals_catch(struct tracer *t)
{
	tracer = t;
	/* No SA_RESTART: waiting code must check whether tracing has ended. */
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		handle_unless_ignored(endings[i], interrupt, 0);
	for (int real_time = SIGRTMIN; real_time <= SIGRTMAX; real_time++)
		handle_unless_ignored(real_time, interrupt, 0);
}

void signals_forget(void)
{
	__atomic_store_n(&tracer, NULL, __ATOMIC_RELAXED);
}

void signals_survive_failed_writes(void)
{
	handle_unless_ignored(SIGPIPE, do_nothing, SA_RESTART);
	handle_unless_ignored(SIGXFSZ, do_nothing, SA_RESTART);
}

bool signals_pipes_end_us(void)
{
	struct sigaction now;
	return sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler != SIG_IGN;
}

void signals_end_by_pipe(void)
{
	sigset_t pipe;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &pipe, NULL);
	raise(SIGPIPE);
}
