/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hand - another process of ours that holds a process which runs
 *
 * A thread that makes a system call for us has other registers meanwhile.  If its tracer ended just
 * then, it would go on with them, and crash.  So the tracer is a child of ours, which no signal but
 * SIGKILL of its own reaches.  It does what it is asked, each time as a whole.  When we release the
 * process, or have ended, it undoes the mappings and descriptors that we have not said are whole
 * (process_keep()), gives the threads back and ends.  The kernel releases those that it could not
 * stop when it ends.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "process/process_internal.h"

enum hand_task {
	HAND_HOLD,
	HAND_CALL,
	HAND_WRITE,
	HAND_LIST,
	HAND_MOVE,
	HAND_POINTER,
	HAND_KEEP,
	HAND_RELEASE
};

struct hand_request {
	uint32_t task;
	int32_t thread;
	uint64_t number; /* of the call; an address */
	uint64_t arguments[CALL_ARGUMENTS];
	uint64_t size; /* of the bytes that follow */
};

struct hand_answer {
	uint64_t result;
	uint64_t size;	 /* of the bytes that follow, */
	bool has_failed; /* which are the error's words, with the final 0 */
};

/* --- both sides ------------------------------------------------------------------------------- */

static bool bytes_receive(int fd, void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = recv(fd, (char *)bytes + done, size - done, 0);
		if (got <= 0 && !(got < 0 && errno == EINTR))
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static bool bytes_send(int fd, const void *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = send(fd, (const char *)bytes + done, size - done, MSG_NOSIGNAL);
		if (got < 0 && errno != EINTR)
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* --- the child -------------------------------------------------------------------------------- */

struct undo {
	long number; /* of the call */
	uint64_t arguments[CALL_ARGUMENTS];
};

struct hand_child {
	struct process *process; /* a copy of the parent's */
	VECTOR(struct undo) undo;
	struct stopped_threads threads;
	struct hand_answer answer;
	void *bytes; /* of the answer */
};

static struct error *child_hold(struct hand_child *h)
{
	struct error *err = threads_stop(&h->threads);
	if (!err)
		err = threads_choose(&h->threads, &h->process->thread);
	h->process->held = !err;
	h->answer.result = (uint64_t)h->process->thread;
	return err;
}

static void undo_forget_close(struct hand_child *h, uint64_t fd)
{
	for (size_t i = 0; i < h->undo.count; i++) {
		struct undo *u = &h->undo.items[i];
		if (u->number == SYS_close && u->arguments[0] == fd)
			u->number = 0;
	}
}

/* How to undo a call that has answered RESULT. */
static void undo_add(struct hand_child *h, const struct hand_request *r, uint64_t result)
{
	bool has_failed = result > (uint64_t)-4096;
	if (r->number == SYS_mmap && !has_failed)
		vector_push(&h->undo, ((struct undo) { SYS_munmap, { result, r->arguments[1] } }));
	if (r->number == SYS_memfd_create && !has_failed)
		vector_push(&h->undo, ((struct undo) { SYS_close, { result } }));
	if (r->number == SYS_close)
		undo_forget_close(h, r->arguments[0]);
}

static void child_undo(struct hand_child *h)
{
	int64_t ignored;
	while (h->undo.count) {
		const struct undo *u = &h->undo.items[--h->undo.count];
		if (u->number)
			error_free(process_call(h->process, u->number, u->arguments, &ignored));
	}
}

static struct error *child_list(struct hand_child *h)
{
	h->answer.size = h->threads.list.count * sizeof(struct held_thread);
	h->bytes = mem_zalloc(h->answer.size + 1);
	return threads_list(&h->threads, h->bytes) ? NULL : error_new("a thread of it has ended");
}

static struct error *child_do(struct hand_child *h, const struct hand_request *r, const void *bytes)
{
	int64_t result;
	struct error *err = NULL;
	switch (r->task) {
	case HAND_HOLD:
		return child_hold(h);
	case HAND_CALL:
		err = process_call(h->process, (long)r->number, r->arguments, &result);
		h->answer.result = err ? 0 : (uint64_t)result;
		if (!err)
			undo_add(h, r, h->answer.result);
		return err;
	case HAND_WRITE:
		return process_write(h->process, r->number, bytes, r->size);
	case HAND_LIST:
		return child_list(h);
	case HAND_MOVE:
		return set_program_counter(r->thread, r->number)
			       ? NULL
			       : error_sys(errno, "cannot move thread %d", r->thread);
	case HAND_POINTER:
		h->answer.result = process_thread_pointer(h->process);
		return NULL;
	case HAND_KEEP:
		h->undo.count = 0;
		return NULL;
	default:
		child_undo(h);
		threads_release(&h->threads);
		return NULL;
	}
}

static bool child_answer(struct hand_child *h, int fd, struct error *err)
{
	if (err) {
		free(h->bytes);
		h->bytes = mem_printf("%s", error_text(err));
		h->answer.size = strlen(h->bytes) + 1;
		h->answer.has_failed = true;
		error_free(err);
	}
	bool sent = bytes_send(fd, &h->answer, sizeof(h->answer)) &&
		    bytes_send(fd, h->bytes, h->answer.size);
	free(h->bytes);
	h->bytes = NULL;
	h->answer = (struct hand_answer) { 0 };
	return sent;
}

static _Noreturn void hand_run(struct process *p, int fd)
{
	struct hand_child h = { .process = p, .threads = { .pid = p->pid } };
	struct hand_request r;
	sigset_t signals;
	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	setsid();
	prctl(PR_SET_NAME, HAND_NAME);
	descriptors_keep(fd, fd);
	for (bool goes_on = true; goes_on && bytes_receive(fd, &r, sizeof(r));) {
		auto_free char *bytes = mem_alloc(r.size + 1);
		goes_on = bytes_receive(fd, bytes, r.size) &&
			  child_answer(&h, fd, child_do(&h, &r, bytes)) && r.task != HAND_RELEASE;
	}
	child_undo(&h);
	threads_release(&h.threads);
	_exit(0);
}

/* --- the parent ------------------------------------------------------------------------------- */

/* The bytes of the answer, if RET is not NULL; free() them. */
static struct error *hand_ask(struct process *p, const struct hand_request *r, const void *bytes,
			      struct hand_answer *answer, void **ret)
{
	bool is_there = bytes_send(p->hand.fd, r, sizeof(*r)) &&
			bytes_send(p->hand.fd, bytes, r->size) &&
			bytes_receive(p->hand.fd, answer, sizeof(*answer));
	auto_free char *got = is_there ? mem_zalloc(answer->size + 1) : NULL;
	if (!is_there || !bytes_receive(p->hand.fd, got, answer->size))
		return error_new("the process of dtrace that held process %d has ended", p->pid);
	if (answer->has_failed)
		return error_new("%s", got);
	if (ret) {
		*ret = got;
		got = NULL;
	}
	return NULL;
}

void hand_release(struct process *p)
{
	struct hand_answer ignored;
	if (!p->hand.pid)
		return;
	error_free(
		hand_ask(p, &(struct hand_request) { .task = HAND_RELEASE }, NULL, &ignored, NULL));
	if (p->hand.since)
		log_debug("process %d was stopped for %llu us", p->pid,
			  (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - p->hand.since) / 1000);
	close(p->hand.fd);
	while (waitpid(p->hand.pid, NULL, 0) < 0 && errno == EINTR)
		;
	p->hand = (struct hand) { 0 };
	p->held = false;
	p->thread = p->pid;
}

static struct error *hand_start(struct process *p)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_sys(errno, "cannot make sockets");
	auto_close int its_end = ends[0], our_end = ends[1];
	pid_t pid = fork();
	if (pid < 0)
		return error_sys(errno, "cannot fork");
	if (pid == 0) {
		close(our_end); /* or it would wait for itself */
		hand_run(p, its_end);
	}
	p->hand = (struct hand) { .pid = pid, .fd = take_fd(our_end) };
	return NULL;
}

struct error *process_hold(struct process *p)
{
	struct hand_answer answer = { 0 };
	if (p->held)
		return NULL;
	struct error *err = hand_start(p);
	if (!err)
		err = hand_ask(p, &(struct hand_request) { .task = HAND_HOLD }, NULL, &answer,
			       NULL);
	if (err) {
		hand_release(p);
		return error_wrap(err, "cannot stop process %d", p->pid);
	}
	p->held = true;
	p->hand.since = clock_ns(CLOCK_MONOTONIC);
	p->thread = (int)answer.result;
	return NULL;
}

struct error *hand_call(struct process *p, long number, const uint64_t *arguments, int64_t *ret)
{
	struct hand_request r = { .task = HAND_CALL, .number = (uint64_t)number };
	struct hand_answer answer = { 0 };
	memcpy(r.arguments, arguments, sizeof(r.arguments));
	struct error *err = hand_ask(p, &r, NULL, &answer, NULL);
	*ret = (int64_t)answer.result;
	return err;
}

struct error *hand_write(struct process *p, uint64_t address, const void *bytes, size_t size)
{
	const struct hand_request r = { .task = HAND_WRITE, .number = address, .size = size };
	struct hand_answer ignored;
	return hand_ask(p, &r, bytes, &ignored, NULL);
}

struct error *process_keep(struct process *p)
{
	struct hand_answer ignored;
	return p->hand.pid ? hand_ask(p, &(struct hand_request) { .task = HAND_KEEP }, NULL,
				      &ignored, NULL)
			   : NULL;
}

uint64_t hand_pointer(const struct process *p)
{
	struct process copy = *p;
	struct hand_answer answer = { 0 };
	error_free(hand_ask(&copy, &(struct hand_request) { .task = HAND_POINTER }, NULL, &answer,
			    NULL));
	return answer.result;
}

/* --- threads of a held process ---------------------------------------------------------------- */

struct error *process_held_threads(struct process *p, struct held_thread **ret, size_t *count)
{
	void *bytes = NULL;
	struct hand_answer answer = { 0 };
	if (!p->held)
		return error_new("process %d is not held", p->pid);
	if (!p->hand.pid) {
		*ret = mem_zalloc(sizeof(**ret));
		**ret = (struct held_thread) { .thread = p->thread,
					       .pc = program_counter(p->thread),
					       .stack = stack_pointer(p->thread) };
		*count = 1;
		return NULL;
	}
	struct error *err =
		hand_ask(p, &(struct hand_request) { .task = HAND_LIST }, NULL, &answer, &bytes);
	*ret = bytes;
	*count = err ? 0 : answer.size / sizeof(**ret);
	return err;
}

struct error *process_move(struct process *p, int thread, uint64_t pc)
{
	const struct hand_request r = { .task = HAND_MOVE, .thread = thread, .number = pc };
	struct hand_answer ignored;
	if (p->hand.pid)
		return hand_ask(p, &r, NULL, &ignored, NULL);
	return set_program_counter(thread, pc) ? NULL : error_sys(errno, "cannot move its thread");
}
