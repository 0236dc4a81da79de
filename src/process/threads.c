/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threads - all threads of a process that runs are stopped, and go on as if nothing had been
 *
 * Each thread is seized and interrupted, again until no new one appears: then none is left that
 * could make one.  A signal on its way is delivered first, so each thread is in the same kind of
 * stop, where no signal is in our hands.
 *
 * A system call that a thread waits in is interrupted.  Most calls continue by themselves when
 * the thread does.  Some answer EINTR instead (epoll_wait(), a socket with a time limit): these
 * begin again.  How long epoll_wait() has waited is what the scheduler knows of the thread's
 * sleep; others with a limit wait for all of it again.  Those that have done a part of their work
 * return with it (write() to a full pipe): nobody can begin them again.  Only a signal that the
 * program handles ends the call as it does without us.
 */
#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clock.h"
#include "base/file.h"
#include "process/process_internal.h"

#define STOP_NS                                                                                    \
	1000000000ull /* for all threads together; a thread may wait where nothing stops it */
#define TURN_NS 5000000ull

/* --- calls that answer EINTR ----------------------------------------------------------------- */

static bool waits_in_ms(int64_t number)
{
#if defined(SYS_epoll_wait)
	if (number == SYS_epoll_wait)
		return true;
#endif
	return number == SYS_epoll_pwait;
}
#define WAIT_MS_ARGUMENT 3

static bool begins_again(int64_t number)
{
	static const int64_t others[] = {
		SYS_epoll_pwait2, SYS_semop,	SYS_semtimedop,	    SYS_rt_sigtimedwait,
		SYS_io_getevents, SYS_read,	SYS_readv,	    SYS_write,
		SYS_writev,	  SYS_recvfrom, SYS_recvmsg,	    SYS_recvmmsg,
		SYS_sendto,	  SYS_sendmsg,	SYS_accept,	    SYS_accept4,
		SYS_sendmmsg,	  SYS_connect,	SYS_sendfile,	    SYS_splice,
		SYS_preadv2,	  SYS_pwritev2, SYS_io_uring_enter,
	};
	bool is = waits_in_ms(number);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		is |= number == others[i];
	return is;
}

/* What follows NAME and a colon in /proc/THREAD/FILE; false: it is not there. */
static bool thread_field(int thread, const char *file, const char *name, char *ret, size_t size)
{
	auto_free char *path = mem_printf("/proc/%d/%s", thread, file);
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read(path, 65536, &text);
	const char *at = err ? NULL : strstr(strbuf_text(&text), name);
	at = at ? strchr(at, ':') : NULL;
	return at && snprintf(ret, size, "%.40s", at + 1) > 0;
}

/* When the thread was scheduled last, in ms of its processor's clock of tasks; 0: not known. */
static double scheduled_ms(int thread)
{
	char word[64];
	return thread_field(thread, "sched", "se.exec_start", word, sizeof(word))
		       ? strtod(word, NULL)
		       : 0;
}

/* How often it has begun to wait. */
static uint64_t waits_of(int thread)
{
	char word[64];
	return thread_field(thread, "status", "\nvoluntary_ctxt_switches", word, sizeof(word))
		       ? strtoull(word, NULL, 10)
		       : 0;
}

static uint64_t signals_of(int thread, const char *field)
{
	char word[64];
	return thread_field(thread, "status", field, word, sizeof(word)) ? strtoull(word, NULL, 16)
									 : 0;
}

/* Does a signal wait for the thread that the program handles? */
static bool has_handled_signal(int thread)
{
	uint64_t waiting = signals_of(thread, "SigPnd") | signals_of(thread, "ShdPnd");
	return waiting & ~signals_of(thread, "SigBlk") & signals_of(thread, "SigCgt");
}

/* The number of the call that the thread waits in; -1: it does not. */
static int64_t waiting_call(int thread)
{
	auto_free char *path = mem_printf("/proc/%d/syscall", thread);
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read(path, 4096, &text);
	long long number;
	return !err && sscanf(strbuf_text(&text), "%lld", &number) == 1 ? number : -1;
}

#define STAT_PROCESSOR 39

/* That clock now: of ours, when we are scheduled there. */
static double processor_ms(int cpu)
{
	cpu_set_t before, one;
	double now = 0;
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	if (sched_getaffinity(0, sizeof(before), &before) != 0 ||
	    sched_setaffinity(0, sizeof(one), &one) != 0)
		return 0;
	nanosleep(&(struct timespec) { .tv_nsec = 1 }, NULL);
	now = scheduled_ms((int)syscall(SYS_gettid));
	sched_setaffinity(0, sizeof(before), &before);
	return now;
}

/* For how many ms the thread has waited, and its waits so far. */
static void look_at_wait(struct stopped_thread *t)
{
	if (!waits_in_ms(waiting_call(t->thread)))
		return;
	t->waits = waits_of(t->thread);
	double since = scheduled_ms(t->thread);
	int cpu = (int)process_stat_number(t->thread, STAT_PROCESSOR);
	double now = since ? processor_ms(cpu) : 0;
	t->waited_ms = now > since ? (int64_t)(now - since) : 0;
}

/* --- registers of a thread in a system call --------------------------------------------------- */

static bool is_in_call(const struct registers *r)
{
	return r->arch->syscall_number < r->size &&
	       (int64_t)register_value(r, r->arch->syscall_number) >= 0;
}

#define RESTART_FIRST 512 /* ERESTARTSYS and others: <linux/errno.h> of the kernel */
#define RESTART_LAST 516

/* Will the call begin again when the thread goes on? */
static bool restarts(const struct registers *r)
{
	int64_t result = (int64_t)register_value(r, r->arch->result);
	return is_in_call(r) &&
	       ((result <= -RESTART_FIRST && result >= -RESTART_LAST) ||
		(result == -EINTR &&
		 begins_again((int64_t)register_value(r, r->arch->syscall_number))));
}

static void call_again(const struct stopped_thread *t, struct registers *r)
{
	const struct arch *a = r->arch;
	uint64_t number = register_value(r, a->syscall_number);
	if ((int64_t)register_value(r, a->result) != -EINTR || !restarts(r) ||
	    has_handled_signal(t->thread))
		return;
	/* Its stop is a wait, too; one more, and this is another call. */
	int64_t waited = waits_of(t->thread) == t->waits + 1 ? t->waited_ms : 0;
	int limit = (int)register_value(r, a->syscall_argument[WAIT_MS_ARGUMENT]);
	if (waits_in_ms((int64_t)number) && limit > 0)
		register_set(r, a->syscall_argument[WAIT_MS_ARGUMENT],
			     (uint64_t)MAX(limit - waited, 0));
	register_set(r, a->syscall.made_by, number);
	register_set(r, a->syscall_number, UINT64_MAX);
	register_set(r, a->pc, register_value(r, a->pc) - a->syscall.size);
	registers_write(t->thread, r);
}

/* --- why a thread cannot be seized ------------------------------------------------------------ */

/* Its name; free() it. */
static char *tracer_name(int tracer)
{
	auto_free char *path = mem_printf("/proc/%d/comm", tracer);
	auto_strbuf struct strbuf name = { 0 };
	error_free(file_read(path, 64, &name));
	return mem_printf("%.*s", (int)strcspn(strbuf_text(&name), "\n"), strbuf_text(&name));
}

static int yama_scope(void)
{
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read("/proc/sys/kernel/yama/ptrace_scope", 16, &text);
	return err ? 0 : atoi(strbuf_text(&text));
}

static struct error *seize_refusal(int pid, int thread, int errnum)
{
	struct stat st;
	auto_free char *path = mem_printf("/proc/%d", pid);
	int tracer = process_tracer(thread), owner = process_status_number(pid, "Uid");
	bool is_root = geteuid() == 0;
	auto_free char *name = tracer ? tracer_name(tracer) : NULL;
	if (tracer)
		return error_new("%s (process %d) traces it, and a process has one tracer", name,
				 tracer);
	if (errnum != EPERM)
		return error_sys(errnum, "cannot stop its thread %d", thread);
	if (!is_root && owner != (int)geteuid())
		return error_new("it belongs to another user (%d)", owner);
	if (!is_root && stat(path, &st) == 0 && st.st_uid != (uid_t)owner)
		return error_new(
			"the kernel lets nobody look into it but root (PR_SET_DUMPABLE of "
			"prctl(), or a program with privileges or without read permission)");
	if (yama_scope())
		return error_new("/proc/sys/kernel/yama/ptrace_scope is %d, which forbids it",
				 yama_scope());
	return error_new("the kernel does not let us trace it: needs CAP_SYS_PTRACE");
}

/* --- stopping --------------------------------------------------------------------------------- */

/* Another dtrace holds a process for a moment. */
static bool is_held_elsewhere(int thread)
{
	int tracer = process_tracer(thread);
	auto_free char *name = tracer ? tracer_name(tracer) : NULL;
	return name && string_equal(name, HAND_NAME);
}

static struct error *thread_seize(struct stopped_threads *all, const struct stopped_thread *t,
				  uint64_t until)
{
	int thread = t->thread;
	long got;
	while ((got = ptrace(PTRACE_SEIZE, thread, NULL, NULL)) < 0 && errno == EPERM &&
	       is_held_elsewhere(thread) && clock_ns(CLOCK_MONOTONIC) < until)
		nanosleep(&(struct timespec) { .tv_nsec = TURN_NS }, NULL);
	if (got < 0) {
		int errnum = errno;
		return errnum == ESRCH || process_thread_has_ended(thread)
			       ? NULL
			       : seize_refusal(all->pid, thread, errnum);
	}
	/* It fails only of a thread that ends: the wait sees the end. */
	ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
	vector_push(&all->list, *t);
	return NULL;
}

static bool is_seized(const struct stopped_threads *all, int thread)
{
	bool is = false;
	for (size_t i = 0; i < all->list.count; i++)
		is |= all->list.items[i].thread == thread;
	return is;
}

static struct error *seize_new(struct stopped_threads *all, uint64_t until, bool *any)
{
	size_t count = 0, before = all->list.count;
	auto_free int *threads = process_threads(all->pid, &count);
	VECTOR(struct stopped_thread) fresh = { 0 };
	struct error *err = NULL;
	for (size_t i = 0; i < count; i++)
		if (!is_seized(all, threads[i]))
			vector_push(&fresh, ((struct stopped_thread) { .thread = threads[i] }));
	for (size_t i = 0; i < fresh.count; i++)
		look_at_wait(&fresh.items[i]);
	for (size_t i = 0; i < fresh.count && !err; i++)
		err = thread_seize(all, &fresh.items[i], until);
	vector_free(&fresh);
	*any = all->list.count > before;
	return err;
}

/* Of a thread that runs so far. */
static void thread_look(struct stopped_thread *t)
{
	int status, got;
	while ((got = waitpid(t->thread, &status, __WALL | WNOHANG)) > 0) {
		t->is_stopped = WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_STOP;
		t->has_ended = !WIFSTOPPED(status);
		if (t->is_stopped || t->has_ended)
			return;
		ptrace(PTRACE_CONT, t->thread, NULL, (void *)(intptr_t)hold_signal_of(status));
	}
	t->has_ended = got < 0;
}

/* One that is neither stopped nor has ended; NULL: there is none. */
static struct stopped_thread *stops_look(struct stopped_threads *all)
{
	struct stopped_thread *runs = NULL;
	for (size_t i = 0; i < all->list.count; i++) {
		struct stopped_thread *t = &all->list.items[i];
		if (!t->is_stopped && !t->has_ended)
			thread_look(t);
		if (!t->is_stopped && !t->has_ended)
			runs = t;
	}
	return runs;
}

static struct error *wait_for_stops(struct stopped_threads *all, uint64_t until)
{
	struct stopped_thread *t;
	struct timespec turn = { .tv_nsec = TURN_NS };
	sigset_t children;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD); /* it is blocked (hand.c) */
	while ((t = stops_look(all))) {
		/* The end of a first thread is not reported while others run. */
		if (sigtimedwait(&children, NULL, &turn) < 0 && errno == EAGAIN)
			t->has_ended = process_thread_has_ended(t->thread);
		if (clock_ns(CLOCK_MONOTONIC) > until)
			return error_new("its thread %d waits in the kernel and does not stop (as "
					 "after vfork(), until the child executes a program)",
					 t->thread);
	}
	return NULL;
}

struct error *threads_stop(struct stopped_threads *all)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + STOP_NS;
	bool any = true;
	struct error *err = NULL;
	while (any && !err) {
		err = seize_new(all, until, &any);
		if (!err)
			err = wait_for_stops(all, until);
	}
	if (!err && !all->list.count)
		err = error_new("it has no thread that runs");
	return err;
}

void threads_release(struct stopped_threads *all)
{
	struct registers r;
	for (size_t i = 0; i < all->list.count; i++) {
		struct stopped_thread *t = &all->list.items[i];
		if (t->is_stopped && registers_read(t->thread, &r))
			call_again(t, &r);
		ptrace(PTRACE_DETACH, t->thread, NULL, NULL);
	}
	vector_free(&all->list);
}

/* --- the stopped threads ---------------------------------------------------------------------- */

bool threads_list(const struct stopped_threads *all, struct held_thread *ret)
{
	struct registers r;
	bool all_known = true;
	for (size_t i = 0; i < all->list.count; i++) {
		const struct stopped_thread *t = &all->list.items[i];
		ret[i] = (struct held_thread) { .thread = t->thread };
		if (t->has_ended)
			continue;
		all_known &= registers_read(t->thread, &r);
		ret[i].pc = register_value(&r, r.arch->pc);
		ret[i].stack = register_value(&r, r.arch->stack_pointer);
		ret[i].restarts = restarts(&r);
	}
	return all_known;
}

#define STEPS_MOST 16

/* One instruction, after signals. */
static struct error *thread_step(int thread)
{
	int status, pass = 0;
	for (unsigned i = 0; i < STEPS_MOST; i++) {
		if (ptrace(PTRACE_SINGLESTEP, thread, NULL, (void *)(intptr_t)pass) < 0 ||
		    waitpid(thread, &status, __WALL) < 0 || !WIFSTOPPED(status))
			break;
		pass = hold_signal_of(status);
		if (pass == SIGTRAP)
			return NULL;
	}
	return error_new("its thread %d does not make a step", thread);
}

/*
 * A thread in a system call is in no restartable sequence (rseq), which the kernel would not abort
 * if the thread were elsewhere meanwhile.  Of another one it is aborted by a step.
 */
struct error *threads_choose(const struct stopped_threads *all, int *ret)
{
	struct registers r;
	*ret = 0;
	for (size_t i = 0; i < all->list.count; i++) {
		const struct stopped_thread *t = &all->list.items[i];
		if (t->has_ended || !registers_read(t->thread, &r))
			continue;
		*ret = t->thread;
		if (is_in_call(&r))
			return NULL;
	}
	return *ret ? thread_step(*ret) : error_new("it has ended");
}
