/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relay - an agent and an asker in one process: a program runs in the interpreter, and its frames
 * are taken by a mirror
 */
#ifndef TESTS_UNIT_REMOTE_RELAY_H
#define TESTS_UNIT_REMOTE_RELAY_H

#include "compile.h"
#include "interpreter/interpreter.h"
#include "remote/remote.h"

struct relay {
	struct compiled compiled;
	void *interpreter;
	struct record_source source; /* the agent's */
	struct state_sender *sender;
	struct strbuf frames; /* on their way to the asker */
	struct hash *sent;    /* probes */
	struct frame_reader reader;
	struct types *types; /* the asker's */
	struct remote_probes probes;
	struct remote_host *host;
	unsigned records;
};

static void relay_probe(void *arg, uint32_t id)
{
	struct relay *r = arg;
	static const char *const names[] = { "dtrace", "", "", "BEGIN", NULL };
	void **place = hash_place(r->sent, &id, sizeof(id));
	if (!*place)
		remote_add_probe(id, names, &r->frames);
	*place = r;
}

static void relay_record(void *arg, struct remote_host *h, const void *record, uint32_t size)
{
	struct relay *r = arg;
	r->records++;
	remote_queue(h, record, size, OWNER_HOST);
}

static struct error *relay_send_record(void *arg, const void *data, uint32_t size)
{
	struct relay *r = arg;
	struct record_header header;
	memcpy(&header, data, sizeof(header));
	relay_probe(r, header.probe);
	size_t begun = frame_open(&r->frames, FRAME_RECORD);
	strbuf_add(&r->frames, data, size);
	frame_close(&r->frames, begun);
	return NULL;
}

static void relay_ready(struct relay *r)
{
	static const char *const options[] = { "quiet", "aggsize=1m" };
	const struct remote_facts facts = { .cpu_count = 4, .area_is_cpu = 0 };
	remote_add_ready(&facts, options, 2, &r->compiled.program, r->compiled.types, &r->frames);
}

/* Records and values of the agent, to the frames. */
static void relay_send(struct relay *r)
{
	for (unsigned area = 0; area < r->source.program->area_count; area++)
		error_free(r->source.reader->drain(r->source.self, area, relay_send_record, r));
	error_free(state_send(r->sender, &r->frames));
}

/* The frames in BYTES, until one is refused. */
static struct error *relay_take(struct relay *r, const void *bytes, size_t size)
{
	struct error *err = NULL;
	frame_reader_add(&r->reader, bytes, size);
	for (bool found = true; found && !err;) {
		struct frame f;
		err = frame_next(&r->reader, &f, &found);
		if (!err && found)
			err = remote_take(r->host, &f);
	}
	return err;
}

static void relay_asker_init(struct relay *r)
{
	r->types = types_new("/nonexistent");
	r->probes = (struct remote_probes) { .arena = arena_new() };
	const struct remote_setup setup = { "h", r->types, &r->probes, relay_record, r };
	r->host = remote_new(&setup);
	r->reader.is_greeted = true;
	r->records = 0;
}

static inline void relay_asker_deinit(struct relay *r)
{
	remote_free(r->host);
	frame_reader_deinit(&r->reader);
	r->reader = (struct frame_reader) { 0 };
	vector_free(&r->probes.items);
	arena_free(r->probes.arena);
	types_free(r->types);
}

static bool relay_init(struct relay *r, const char *script)
{
	static const struct executor_options options = { .buffer_size = 65536,
							 .dynamic_size = 65536 };
	*r = (struct relay) { .sent = hash_new() };
	if (!compile(&r->compiled, "relay.d", script, &compile_defaults))
		return false;
	struct error *err =
		interpreter_executor.load(&r->compiled.program, &options, &r->interpreter);
	if (!err)
		err = interpreter_executor.source(r->interpreter, &r->source);
	if (!err)
		r->sender = state_sender_new(&r->source, relay_probe, r);
	relay_asker_init(r);
	bool fine = !err;
	error_free(err);
	return fine;
}

/* BEGIN's clauses, once. */
static void relay_fire(struct relay *r)
{
	const struct program *p = &r->compiled.program;
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0;
		     p->groups[i].kind == EVENT_BEGIN && k < p->groups[i].event_count; k++)
			error_free(interpreter_executor.fire(r->interpreter, i, k));
}

static inline void relay_deinit(struct relay *r)
{
	relay_asker_deinit(r);
	state_sender_free(r->sender);
	if (r->interpreter)
		interpreter_executor.free(r->interpreter);
	strbuf_deinit(&r->frames);
	hash_free(r->sent);
	compiled_deinit(&r->compiled);
}

#endif
