/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The other side: dtrace --agent
 *
 * It has no arguments but -w: the program comes on standard input, so a forced command in
 * authorized_keys, or a line of sudoers, can allow this alone.  The output form is frames: records
 * are sent as they are, and nothing of what they do to aggregations is done here.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "output/writer.h"
#include "tracer/anonymous/anonymous.h"
#include "tracer/fleet/internal.h"

struct serving {
	int in;
	struct writer out;
	struct frame_reader reader;
	struct strbuf text; /* of the request */
	bool is_asked, goes, stops;
	bool is_alone;		    /* the asker is gone */
	struct state_sender *state; /* NULL: no source is connected yet */
	bool state_is_sent;	    /* in this round */
	struct strbuf frames;
	uint64_t settle;     /* a token that waits; 0: none */
	struct hash *probes; /* whose names were sent */
	uint64_t missed;     /* as it was sent */
};

static struct serving *serving_of(const struct tracer *t)
{
	return t->fleet->serving;
}

/* --- what is sent ----------------------------------------------------------------------------- */

static struct error *written(struct serving *s)
{
	return s->out.errnum ? error_sys(s->out.errnum, "the asker is gone") : NULL;
}

static void frames_write(struct serving *s)
{
	writer_add(&s->out, strbuf_text(&s->frames), s->frames.len);
	strbuf_clear(&s->frames);
}

/* At once. */
static struct error *frames_send(struct serving *s)
{
	frames_write(s);
	writer_flush(&s->out);
	return written(s);
}

static void probe_send(void *arg, uint32_t id)
{
	struct tracer *t = arg;
	struct serving *s = serving_of(t);
	void **place = hash_place(s->probes, &id, sizeof(id));
	const struct probe *p = *place ? NULL : probe_db_get(t->probes, id);
	*place = s;
	if (!p)
		return;
	const char *const names[] = { p->provider, p->module, p->function, p->name, p->written };
	auto_strbuf struct strbuf frame = { 0 };
	remote_add_probe(id, names, &frame);
	writer_add(&s->out, frame.text, frame.len);
}

/* What has changed, before the record that shows it. */
static struct error *state_write(struct tracer *t)
{
	struct serving *s = serving_of(t);
	struct error *err = state_send(s->state, &s->frames);
	uint64_t missed = tracer_missed(t) - t->progress.missed_before;
	if (missed != s->missed)
		frame_put_number(&s->frames, FRAME_MISSED, missed);
	s->missed = missed;
	s->state_is_sent = true;
	frames_write(s);
	return err;
}

static bool shows_aggregations(const struct record *r)
{
	bool any = false;
	for (unsigned i = 0; i < r->clause->action_count; i++)
		any |= r->clause->actions[i].aggregation_count > 0;
	return any;
}

static struct error *form_record(void *arg, const struct record *r)
{
	struct tracer *t = arg;
	struct serving *s = serving_of(t);
	if (r->problem) {
		message_loss("damaged record on CPU %d: %s", r->cpu, r->problem);
		return NULL;
	}
	struct error *err = shows_aggregations(r) && !s->state_is_sent ? state_write(t) : NULL;
	if (err)
		return err;
	probe_send(t, r->header->probe);
	size_t begun = frame_open(&s->frames, FRAME_RECORD);
	strbuf_add(&s->frames, r->header, r->size);
	frame_close(&s->frames, begun);
	frames_write(s);
	return written(s);
}

static void form_flush(void *arg)
{
	struct serving *s = serving_of(arg);
	s->state_is_sent = false;
	writer_flush(&s->out);
}

/* The asker reads rows and counters itself. */
static void no_rows(struct output *o, const struct record *r, const struct action_layout *action,
		    const struct aggregation_rows *rows)
{
}

static void no_drop(struct output *o, const struct drop *drop)
{
}

static const struct output_ops output_frames_ops = { .aggregations = no_rows, .drop = no_drop };

static struct error *agent_bye(struct tracer *t, int status)
{
	struct serving *s = serving_of(t);
	struct error *err = state_write(t);
	size_t begun = frame_open(&s->frames, FRAME_BYE);
	frame_put_u32(&s->frames, t->source.control->exited);
	frame_put_u32(&s->frames, (uint32_t)status);
	frame_close(&s->frames, begun);
	return err ? err : frames_send(s);
}

/* --- what is received ------------------------------------------------------------------------- */

static struct error *request_take(struct tracer *t, struct bytes b)
{
	struct serving *s = serving_of(t);
	uint32_t names_threads = bytes_u32(&b), width = bytes_u32(&b);
	const char *host = bytes_string(&b), *text = bytes_string(&b);
	if (!text || s->is_asked || width < strlen(host) || width > HOST_NAME_MOST)
		return error_new("the request is damaged");
	t->request.host = arena_strdup(t->arena, host);
	t->request.host_width = width;
	t->request.names_threads = names_threads;
	strbuf_puts(&s->text, text);
	s->is_asked = true;
	return NULL;
}

static struct error *pong(struct serving *s, struct bytes b)
{
	size_t begun = frame_open(&s->frames, FRAME_PONG);
	frame_put_u64(&s->frames, bytes_u64(&b));
	frame_put_u64(&s->frames, clock_ns(CLOCK_MONOTONIC));
	frame_close(&s->frames, begun);
	return frames_send(s);
}

/* Firings that began before have ended: what they have added goes first.  Else again, in the next
 * round. */
static struct error *agent_settle(struct tracer *t)
{
	struct serving *s = serving_of(t);
	bool all = false;
	struct error *err = t->source.reader->settle(t->source.self, &all);
	if (err || !all)
		return err;
	err = state_write(t);
	frame_put_number(&s->frames, FRAME_SETTLED, s->settle);
	s->settle = 0;
	frames_write(s);
	return err;
}

static struct error *request_frame(struct tracer *t, const struct frame *f)
{
	struct serving *s = serving_of(t);
	switch (f->kind) {
	case FRAME_REQUEST:
		return request_take(t, f->payload);
	case FRAME_PING:
		return pong(s, f->payload);
	case FRAME_GO:
		s->goes = true;
		return NULL;
	case FRAME_STOP:
		s->stops = true;
		return NULL;
	case FRAME_SETTLE:
		s->settle = bytes_u64(&(struct bytes) { f->payload.data, f->payload.size });
		return s->state ? agent_settle(t) : NULL;
	default:
		return s->state ? state_change(s->state, f) : error_new("nothing is traced yet");
	}
}

/*
 * What has come, waiting for it at most MS; -1: until it comes.  Standard input may be the same
 * socket as standard output, so it stays one that blocks.
 */
static struct error *receive(struct tracer *t, int ms)
{
	struct serving *s = serving_of(t);
	char bytes[4096];
	struct frame f;
	struct pollfd in = { .fd = s->in, .events = POLLIN };
	if (poll(&in, 1, ms) <= 0)
		return NULL;
	ssize_t n = read(s->in, bytes, sizeof(bytes));
	if (n < 0 && errno == EINTR)
		return NULL;
	if (n <= 0) {
		s->stops = s->is_alone = true;
		return NULL;
	}
	frame_reader_add(&s->reader, bytes, (size_t)n);
	struct error *err = NULL;
	for (bool found = true; found && !err;) {
		err = frame_next(&s->reader, &f, &found);
		if (!err && found)
			err = request_frame(t, &f);
	}
	return err;
}

/* Before anything fires.  A host that is to go and to stop at once has its BEGIN and END. */
static bool agent_is_over(const struct tracer *t)
{
	return t->signals.interrupts || serving_of(t)->is_alone;
}

static struct error *receive_until(struct tracer *t, const bool *it)
{
	struct error *err = NULL;
	while (!err && !agent_is_over(t) && !*it)
		err = receive(t, -1);
	return err;
}

/* --- the wing --------------------------------------------------------------------------------- */

struct error *agent_connect(struct tracer *t, struct output_setup *output)
{
	output->ops = &output_frames_ops;
	output->record = form_record;
	output->flush = form_flush;
	output->about = NULL;
	return NULL;
}

void agent_enable(struct tracer *t)
{
	serving_of(t)->state = state_sender_new(&t->source, probe_send, t);
}

int agent_poll_fd(const struct tracer *t)
{
	return serving_of(t)->in;
}

struct error *agent_step(struct tracer *t, bool status)
{
	struct serving *s = serving_of(t);
	struct error *err = s->is_alone ? NULL : receive(t, 0);
	if (s->stops && !t->signals.interrupts)
		tracer_interrupt(t, false);
	if (!err && s->settle)
		err = agent_settle(t);
	if (!err && status)
		err = state_write(t);
	return err ? err : written(s);
}

void agent_free(struct serving *s)
{
	state_sender_free(s->state);
	writer_deinit(&s->out);
	frame_reader_deinit(&s->reader);
	strbuf_deinit(&s->text);
	strbuf_deinit(&s->frames);
	hash_free(s->probes);
	free(s);
}

/* --- the session ------------------------------------------------------------------------------ */

/* Standard output has the frames, and nothing else: what programs that we start print is said. */
static struct error *serving_new(struct tracer *t)
{
	struct serving *s = t->fleet->serving = mem_zalloc(sizeof(*s));
	s->in = STDIN_FILENO;
	s->probes = hash_new();
	s->reader.is_greeted = true;
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return error_sys(errno, "cannot use standard output");
	writer_init(&s->out, out);
	return NULL;
}

static struct error *greet(struct serving *s)
{
	greeting_add(&s->frames, message_program());
	return frames_send(s);
}

static struct error *check_request(const struct tracer *t, bool destroys)
{
	if (option_number(t->options, OPTION_destructive) && !destroys)
		return error_new("destructive actions need dtrace --agent -w on the host: the "
				 "asker's -w alone does not allow them");
	if (tracer_policy(t) == POLICY_RING)
		return error_new("-x bufpolicy=ring cannot be used with --on yet");
	return NULL;
}

static struct error *send_ready(struct tracer *t)
{
	struct serving *s = serving_of(t);
	if (tracer_halves(t) > 1)
		return error_new("clauses of two executors cannot be sent to an asker "
				 "(-x executor)");
	size_t count;
	const char *const *options = options_by_program(t->options, &count);
	const struct remote_facts facts = {
		.cpu_count = kernel_cpus_possible(),
		.area_is_cpu = t->executor->outside != NULL,
	};
	remote_add_ready(&facts, options, count, &t->program, t->types, &s->frames);
	return frames_send(s);
}

static struct error *agent_prepare(struct tracer *t, bool destroys)
{
	struct serving *s = serving_of(t);
	struct error *err = receive_until(t, &s->is_asked);
	if (err || agent_is_over(t))
		return err;
	err = anonymous_restore(t, strbuf_text(&s->text), s->text.len, true);
	tracer_set_option(t, "oformat", "text"); /* a pragma may have chosen a program */
	if (!err)
		err = check_request(t, destroys);
	if (!err)
		err = tracer_prepare(t);
	if (!err)
		err = send_ready(t);
	return err ? err : receive_until(t, &s->goes);
}

struct error *tracer_serve(struct tracer *t, bool destroys, int *status)
{
	*status = 0;
	struct error *err = serving_new(t);
	if (!err)
		err = greet(serving_of(t));
	if (!err)
		err = agent_prepare(t, destroys);
	if (err || agent_is_over(t))
		return err;
	err = tracer_go(t);
	if (serving_of(t)->stops)
		tracer_interrupt(t, false);
	if (!err)
		err = tracer_run(t, status);
	return err ? err : agent_bye(t, *status);
}
