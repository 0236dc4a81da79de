/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decoder - a program that prints packets as text: tcpdump, or else tshark
 *
 *   file header, packet, packet ... --pipe--> decoder --pipe--> a line, a line ...
 *
 * One is started with the first packet of a link type and lives as long as the output: starting
 * one takes 10 ms (tcpdump) to half a second (tshark).  We wait for a packet's text, so that it
 * is in its record: all text up to the end of a line.  Decoders rarely write further lines of a
 * packet: these may be printed before the next packet's.
 *
 * We never hang: input and output of the decoder use poll(), and it has ANSWER_MS and
 * ANSWER_MOST for a packet, and as much for its remaining output.  It is in a separate process
 * group, or ^C would end it before the last packets; it ends when we do, because its input ends
 * then.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "output/internal.h"

#define ANSWER_MS 10000
#define ANSWER_MOST (1u << 20) /* bytes */

struct decoder {
	const char *name;
	pid_t pid;
	int in, out;	       /* our ends, which do not block; -1: closed */
	struct strbuf waiting; /* not yet sent */
	const volatile sig_atomic_t *interrupts;
};

/* --- life --- */

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* Without look-ups of names: these would cause traffic, and take long. */
static const char *const programs[][6] = {
	{ "tcpdump", "-l", "-n", "-r", "-", NULL },
	{ "tshark", "-l", "-n", "-r", "-", NULL },
};

static const char *first_on_path(const struct program_pipes *pipes, pid_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (program_start(programs[i], pipes, 0, ret) == 0)
			return programs[i][0];
	return NULL;
}

struct decoder *decoder_new(const volatile sig_atomic_t *interrupts)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) < 0)
		return NULL;
	if (pipe2(out, O_CLOEXEC) < 0) {
		close_both(in);
		return NULL;
	}
	pid_t pid;
	const char *name = first_on_path(&(struct program_pipes) { in[0], out[1] }, &pid);
	if (!name) {
		close_both(in);
		close_both(out);
		return NULL;
	}
	close(in[0]);
	close(out[1]);
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	struct decoder *d = mem_zalloc(sizeof(*d));
	d->name = name;
	d->pid = pid;
	d->in = in[1];
	d->out = out[0];
	d->interrupts = interrupts;
	return d;
}

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

void decoder_free(struct decoder *d)
{
	close_end(&d->in);
	close_end(&d->out);
	kill(-d->pid, SIGKILL); /* it has ended, or will not */
	while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR)
		;
	strbuf_deinit(&d->waiting);
	free(d);
}

const char *decoder_name(const struct decoder *d)
{
	return d->name;
}

/* --- packets there, text back --- */

/* False: it reads no more. */
static bool send_some(struct decoder *d)
{
	ssize_t n = write(d->in, d->waiting.text, d->waiting.len);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	d->waiting.len -= (size_t)n;
	memmove(d->waiting.text, d->waiting.text + n, d->waiting.len);
	return true;
}

/* False: there will be no more output. */
static bool receive_some(struct decoder *d, struct strbuf *text)
{
	char buffer[4096];
	ssize_t n = read(d->out, buffer, sizeof(buffer));
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	strbuf_add(text, buffer, (size_t)n);
	return n > 0;
}

static uint64_t now_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC) / (NS_PER_SECOND / 1000);
}

/* One step of both; false: it has ended, or has had its time (until DEADLINE) or said enough. */
static bool decoder_exchange(struct decoder *d, struct strbuf *text, uint64_t deadline)
{
	uint64_t now = now_ms();
	if (now >= deadline || text->len >= ANSWER_MOST)
		return false;
	struct pollfd ends[2] = {
		{ .fd = d->out, .events = POLLIN },
		{ .fd = d->waiting.len ? d->in : -1, .events = POLLOUT },
	};
	int ready = poll(ends, ARRAY_SIZE(ends), (int)(deadline - now));
	if (ready < 0 && errno == EINTR)
		return !d->interrupts || *d->interrupts < 2;
	if (ready <= 0)
		return false;
	if (ends[0].revents && !receive_some(d, text))
		return false;
	return !ends[1].revents || send_some(d);
}

void decoder_send(struct decoder *d, const void *bytes, size_t size)
{
	strbuf_add(&d->waiting, bytes, size);
}

static bool is_answer(const struct strbuf *text)
{
	return text->len && text->text[text->len - 1] == '\n';
}

bool decoder_answer(struct decoder *d, struct strbuf *ret)
{
	uint64_t deadline = now_ms() + ANSWER_MS;
	while (d->waiting.len || !is_answer(ret))
		if (!decoder_exchange(d, ret, deadline))
			return false;
	return true;
}

void decoder_end(struct decoder *d, struct strbuf *ret)
{
	uint64_t deadline = now_ms() + ANSWER_MS;
	close_end(&d->in);
	while (decoder_exchange(d, ret, deadline))
		;
}
