/* SPDX-License-Identifier: BSD-2-Clause */
/* A host: its transport, the frames both ways, the difference of its clock (fleet.h) */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tracer/fleet/internal.h"

#define READ_BYTES 65536
#define SHOWN_MOST 4096 /* bytes of what a transport has printed instead of a greeting */
#define READS 16	/* in one round, so that no host keeps the others waiting */

extern char **environ;

/* --- the transport ---------------------------------------------------------------------------- */

static struct error *pipe_make(int fds[2])
{
	return pipe2(fds, O_CLOEXEC) < 0 ? error_sys(errno, "cannot make a pipe") : NULL;
}

static void pipe_close(int fds[2])
{
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* In a process group of its own: ^C is for us, and we tell the agents. */
static int transport_spawn(struct host *h, int in, int out, int err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	char *const words[] = { "/bin/sh", "-c", h->command, NULL };
	int errnum = posix_spawn(&h->pid, words[0], &actions, &attributes, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return errnum;
}

static void host_keeps(struct host *h, int in, int out, int err)
{
	h->in = in;
	h->out = out;
	h->err = err;
	fcntl(in, F_SETFL, O_NONBLOCK);
	fcntl(out, F_SETFL, O_NONBLOCK);
	fcntl(err, F_SETFL, O_NONBLOCK);
}

struct error *host_start(struct host *h)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
	struct error *wrong = pipe_make(in);
	if (!wrong)
		wrong = pipe_make(out);
	if (!wrong)
		wrong = pipe_make(err);
	int errnum = wrong ? 0 : transport_spawn(h, in[0], out[1], err[1]);
	if (errnum)
		wrong = error_sys(errnum, "cannot start its transport");
	if (wrong) {
		pipe_close(in);
		pipe_close(out);
		pipe_close(err);
		return wrong;
	}
	host_keeps(h, in[1], out[0], err[0]);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	h->state = HOST_STARTING;
	h->started = h->heard = clock_ns(CLOCK_MONOTONIC);
	return NULL;
}

static void descriptor_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Wait for its end for at most MS. */
static void transport_wait(struct host *h, unsigned ms, int *status)
{
	for (unsigned i = 0; h->pid && i <= 4 * ms; i++) {
		if (waitpid(h->pid, status, WNOHANG))
			h->pid = 0;
		else if (i < 4 * ms)
			nanosleep(&(struct timespec) { .tv_nsec = 250000 }, NULL);
	}
}

void host_close(struct host *h)
{
	descriptor_close(&h->in);
	descriptor_close(&h->out);
}

/* Wait for all that are left, for at most MS. */
static bool transports_wait(struct host *hosts, size_t count, unsigned ms)
{
	bool left = true;
	for (unsigned i = 0; left && i < 4 * ms; i++) {
		left = false;
		for (size_t k = 0; k < count; k++) {
			transport_wait(&hosts[k], 0, NULL);
			left |= hosts[k].pid != 0;
		}
		if (left)
			nanosleep(&(struct timespec) { .tv_nsec = 250000 }, NULL);
	}
	return left;
}

/* An agent ends with its standard input; transports that do not are killed. */
void hosts_end(struct host *hosts, size_t count, bool at_once)
{
	static const int signals[] = { SIGTERM, SIGKILL };
	for (size_t i = 0; i < count; i++)
		host_close(&hosts[i]);
	bool left = transports_wait(hosts, count, at_once ? 50 : 1000);
	for (size_t n = 0; left && n < ARRAY_SIZE(signals); n++) {
		for (size_t i = 0; i < count; i++)
			if (hosts[i].pid)
				kill(-hosts[i].pid, signals[n]);
		left = transports_wait(hosts, count, at_once ? 50 : 1000);
	}
}

void host_deinit(struct host *h)
{
	host_close(h);
	descriptor_close(&h->err);
	frame_reader_deinit(&h->reader);
	strbuf_deinit(&h->to_send);
	strbuf_deinit(&h->said);
	remote_free(h->remote);
	free(h->command);
	free(h->why);
	free(h->fired);
	free(h->fired_at);
}

void host_give_up(struct host *h, struct error *why)
{
	h->state = h->state == HOST_TRACING ? HOST_LOST : HOST_FAILED;
	h->why = mem_strdup(error_text(why));
	error_free(why);
	remote_end(h->remote);
	strbuf_deinit(&h->to_send);
	host_close(h);
}

/* --- frames ----------------------------------------------------------------------------------- */

void host_ping(struct host *h)
{
	h->clock.sent = clock_ns(CLOCK_MONOTONIC);
	frame_put_number(&h->to_send, FRAME_PING, h->clock.sent);
}

/* The clock there was read in the middle of the round trip, give or take half of it. */
static void pong_take(struct host *h, struct bytes b)
{
	uint64_t token = bytes_u64(&b), theirs = bytes_u64(&b);
	uint64_t now = clock_ns(CLOCK_MONOTONIC), trip = now - h->clock.sent;
	if (b.failed || token != h->clock.sent || !h->clock.sent)
		return;
	if (h->clock.pings % CLOCK_KEPT == 0 || trip < h->clock.best) {
		h->clock.best = trip;
		h->clock.offset = (int64_t)(h->clock.sent + trip / 2 - theirs);
		remote_set_clock(h->remote, h->clock.offset);
	}
	h->clock.sent = 0;
	if (++h->clock.pings < CLOCK_PINGS)
		host_ping(h);
}

/* One that ends by itself, because somebody there has stopped it, has not answered all. */
static void bye_take(struct host *h, struct bytes b)
{
	h->exited = bytes_u32(&b);
	h->status = bytes_u32(&b);
	h->state = h->exited || h->is_told ? HOST_ANSWERED : HOST_STOPPED;
	remote_end(h->remote);
}

static struct error *agent_frame(struct host *h, const struct frame *f)
{
	if (f->kind == FRAME_PONG) {
		pong_take(h, f->payload);
		return NULL;
	}
	if (f->kind == FRAME_BYE && h->state == HOST_TRACING) {
		bye_take(h, f->payload);
		return NULL;
	}
	struct error *err = remote_take(h->remote, f);
	if (!err && h->state == HOST_STARTING && remote_program(h->remote))
		h->state = HOST_READY;
	return err;
}

static struct error *frames_handle(struct host *h)
{
	struct error *err = NULL;
	for (bool found = true; found && !err && host_is_going(h);) {
		struct frame f;
		err = frame_next(&h->reader, &f, &found);
		if (!err && found)
			err = agent_frame(h, &f);
	}
	return err;
}

/* How the transport has ended, with what precedes the greeting if that has not come. */
static struct error *transport_ended(struct host *h)
{
	int status = 0;
	said_add(h->asking->said, h, strbuf_text(&h->reader.bytes),
		 h->reader.is_greeted ? 0 : MIN(h->reader.bytes.len, (size_t)SHOWN_MOST));
	transport_wait(h, 5, &status); /* it has closed its output */
	if (h->pid)
		return error_new("its transport has closed the connection");
	if (WIFSIGNALED(status))
		return error_new("its transport was killed by SIG%s",
				 sigabbrev_np(WTERMSIG(status)));
	return error_new("its transport has ended with status %d", WEXITSTATUS(status));
}

static struct error *host_receive(struct host *h)
{
	auto_free char *bytes = mem_alloc(READ_BYTES);
	struct error *err = NULL;
	for (unsigned i = 0; i < READS && !err && host_is_going(h); i++) {
		ssize_t n = read(h->out, bytes, READ_BYTES);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return NULL;
		if (n <= 0)
			return transport_ended(h);
		h->heard = clock_ns(CLOCK_MONOTONIC);
		frame_reader_add(&h->reader, bytes, (size_t)n);
		err = frames_handle(h);
	}
	return err;
}

static void host_send(struct host *h)
{
	size_t sent = 0;
	while (sent < h->to_send.len) {
		ssize_t n = write(h->in, h->to_send.text + sent, h->to_send.len - sent);
		if (n < 0 && errno != EINTR)
			break; /* it is full; a pipe without a reader is seen where we read */
		sent += n > 0 ? (size_t)n : 0;
	}
	memmove(h->to_send.text, h->to_send.text + sent, h->to_send.len - sent);
	h->to_send.len -= sent;
}

void host_serve(struct host *h, bool has_sent)
{
	struct error *err = has_sent ? host_receive(h) : NULL;
	if (err && host_is_going(h))
		host_give_up(h, err);
	else
		error_free(err);
	if (h->in >= 0 && h->to_send.len)
		host_send(h);
	if (host_is_going(h) && h->to_send.len + h->waiting > REMOTE_BYTES_MOST)
		host_give_up(h, error_new("it sends more, or reads less, than %u MiB of memory "
					  "allow",
					  REMOTE_BYTES_MOST >> 20));
}
