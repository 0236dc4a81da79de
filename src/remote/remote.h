/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remote - a program that runs on another machine, as a source of the consumer
 *
 * In:   the frames that `dtrace --agent` sends through a pipe (ssh, kubectl exec, a shell).
 * Out:  a source (executor/source.h): a copy of the other machine's records, aggregations and
 *       counters, which the consumer reads as it reads those of this machine.
 *
 * Two machines have one dtrace each.  The *asker* has the terminal; the *agent* compiles the text,
 * traces, and sends what it has.  So only the asker's consumer merges, and only its output prints.
 *
 *   agent                                  asker
 *   greeting, a line of text          ->
 *                                     <-   REQUEST  the host's name; options and programs as text
 *   READY    the compiled program     ->
 *                                     <-   PING ... (the clocks), GO
 *   PROBE    before its id is used    ->
 *   RECORD   as it is in the buffer   ->
 *   STATE    changed words            ->   of counters and aggregations without keys
 *   ELEMENT  changed values           ->   of aggregations with keys
 *                                     <-   WRITE, UPDATE, REMOVE: what clear() and trunc() change
 *   SETTLED                           ->   to SETTLE: firings that began before have ended
 *                                     <-   STOP, or the end of the pipe
 *   BYE      the last state is sent   ->
 *
 * A frame is u32 size, u32 kind and SIZE bytes, little-endian (frame.c).  What precedes the
 * greeting is skipped: banners of the host.
 *
 * Values are words as firings leave them, never results, and cumulative: when a machine is lost,
 * what earlier frames had is still right.  Probe ids are the agent's; the asker gives
 * each probe of each host a number of its own (struct remote_probes), in records and in keys.
 *
 *   frame.c    frames and the greeting, both ways
 *   state.c    the agent's side: what has changed since the last time
 *   mirror.c   the asker's side: the copy, and all checks
 *   source.c   the copy as a source
 *   store.c    elements of a map, of which many come and go
 *
 * Always true:
 *   1. All that a machine sends is foreign: the program is verified, sizes and numbers are
 *      compared with it, and a machine has at most REMOTE_BYTES_MOST bytes here.
 *   2. Times of records are of the asker's clock.
 *   3. The agent changes nothing of its memory by what the asker sends but aggregations and their
 *      generations.
 */
#ifndef REMOTE_REMOTE_H
#define REMOTE_REMOTE_H

#include "abi/abi.h"
#include "base/base.h"
#include "executor/source.h"

struct types;

#define REMOTE_VERSION 1	       /* of the frames */
#define REMOTE_BYTES_MOST (64u << 20)  /* of one machine: its program, values, waiting records */
#define REMOTE_FRAME_MOST (16u << 20)  /* bytes of a payload */
#define REMOTE_BANNER_MOST (64u << 10) /* bytes before the greeting */

enum frame_kind {
	/* u32 1: records name their threads, u32 bytes of the longest name of a host, string
	 * host, string text */
	FRAME_REQUEST,
	FRAME_PING, /* u64 token */
	FRAME_GO,
	FRAME_STOP,
	FRAME_WRITE,   /* struct state_write */
	FRAME_UPDATE,  /* u32 map, key, value */
	FRAME_REMOVE,  /* u32 map, key */
	FRAME_SETTLE,  /* u64 token */
	FRAME_READY,   /* struct remote_facts, options as strings, the program */
	FRAME_PROBE,   /* u32 id, u8 which of five names are there, those as strings */
	FRAME_RECORD,  /* the record */
	FRAME_STATE,   /* u32 enum state_region, u32 offset, bytes */
	FRAME_ELEMENT, /* u32 map, key, value */
	FRAME_SETTLED, /* u64 token */
	FRAME_MISSED,  /* u64 firings that the kernel skipped since the start */
	FRAME_PONG,    /* u64 token, u64 time */
	FRAME_BYE,     /* u32 was exit() called, u32 status */
	FRAME_KINDS,
};

struct frame {
	enum frame_kind kind;
	struct bytes payload; /* valid until the next frame is read */
};

/* --- frame.c ---------------------------------------------------------------------------------- */

/* Append the greeting of an agent: this version, and WORDS about its build. */
void greeting_add(struct strbuf *out, const char *words);

/* A frame is appended piece by piece: frame_open() ... frame_close() with its result. */
size_t frame_open(struct strbuf *out, enum frame_kind kind);
void frame_close(struct strbuf *out, size_t begun);
void frame_put_u32(struct strbuf *out, uint32_t x);
void frame_put_u64(struct strbuf *out, uint64_t x);
void frame_put_string(struct strbuf *out, const char *text); /* with its NUL */
/* A frame without payload, or with a number. */
void frame_put(struct strbuf *out, enum frame_kind kind);
void frame_put_number(struct strbuf *out, enum frame_kind kind, uint64_t x);

/* Bytes that have arrived. */
struct frame_reader {
	struct strbuf bytes;
	size_t used;	 /* of them */
	bool is_greeted; /* frames follow; an agent, which is not greeted, sets it */
};
void frame_reader_deinit(struct frame_reader *r);
void frame_reader_add(struct frame_reader *r, const void *data, size_t size);
/* The next frame; *FOUND false: its end has not arrived.  An error: these are no frames of ours. */
MUST_CHECK struct error *frame_next(struct frame_reader *r, struct frame *ret, bool *found);

/* --- state.c: the agent's side ---------------------------------------------------------------- */

enum state_region {
	REGION_CONTROL,	 /* struct control */
	REGION_COUNTERS, /* struct area_counters of each area */
	REGION_DROPS,	 /* struct clause_drops: [areas][clauses] */
	REGION_KEYLESS,	 /* keyless_size bytes of each area */
	REGION_GLOBALS,	 /* only written: generations are there */
	REGION_COUNT,
};

/* A word becomes TO if it is FROM. */
struct state_write {
	uint32_t region, offset;
	uint64_t from, to;
};

/* The memory of REGION, of *SIZE bytes by its program; NULL: the source has none (yet). */
void *state_region(const struct record_source *s, enum state_region region, uint64_t *size);

/* The caller sends a FRAME_PROBE of ID unless it has done so. */
typedef void probe_needed_fn(void *arg, uint32_t id);

struct state_sender;
struct state_sender *state_sender_new(const struct record_source *s, probe_needed_fn *needs,
				      void *arg);
void state_sender_free(struct state_sender *s); /* NULL is fine */
/* Append what has changed since the last call. */
MUST_CHECK struct error *state_send(struct state_sender *s, struct strbuf *out);
/* FRAME_WRITE, FRAME_UPDATE or FRAME_REMOVE of the asker.  An error: it is not one of those. */
MUST_CHECK struct error *state_change(struct state_sender *s, const struct frame *f);

/* --- mirror.c, source.c: the asker's side ----------------------------------------------------- */

/* Probes of all machines, by the number that they have here; at 0 there is none. */
struct remote_probe {
	uint32_t id;	      /* the agent's */
	const char *names[5]; /* provider, module, function, name; as written, or NULL */
};
struct remote_probes {
	struct arena *arena;
	VECTOR(struct remote_probe *) items;
};

/* Of a machine, as its agent says. */
struct remote_facts {
	uint32_t cpu_count;   /* D's cpu is less */
	uint32_t area_is_cpu; /* areas are CPUs */
};

struct remote_host;

/* Records are passed on by VISIT, which calls remote_queue() for those that the consumer gets. */
typedef void remote_record_fn(void *arg, struct remote_host *r, const void *record, uint32_t size);

struct remote_setup {
	const char *host;
	struct types *types;	      /* get those that the program shows */
	struct remote_probes *probes; /* of all machines */
	remote_record_fn *visit;
	void *arg;
};

/* What the agent sends as READY: F, OPTIONS ("NAME" or "NAME=VALUE"), and the program. */
void remote_add_ready(const struct remote_facts *f, const char *const *options, size_t count,
		      const struct program *p, struct types *types, struct strbuf *out);
void remote_add_probe(uint32_t id, const char *const names[5], struct strbuf *out);

/* HOST and the rest are loans, until remote_free(). */
struct remote_host *remote_new(const struct remote_setup *setup);
void remote_free(struct remote_host *r); /* NULL is fine */

/* A frame of the agent, but PONG and BYE.  An error: the machine is not to be trusted. */
MUST_CHECK struct error *remote_take(struct remote_host *r, const struct frame *f);

const char *remote_host(const struct remote_host *r);
/* NULL: it is not ready. */
const struct program *remote_program(const struct remote_host *r);
const struct remote_facts *remote_facts(const struct remote_host *r);
/* "NAME" or "NAME=VALUE" of #pragma D option. */
const char *const *remote_options(const struct remote_host *r, size_t *count);

/* To be added to the times of its records for the asker's clock. */
void remote_set_clock(struct remote_host *r, int64_t offset);

/* A record for the consumer. */
void remote_queue(struct remote_host *r, const void *record, uint32_t size,
		  enum record_owner owner);
uint64_t remote_records(const struct remote_host *r); /* that it has sent */
uint64_t remote_missed(const struct remote_host *r);  /* firings that its kernel skipped */

/* The copy as a source. */
struct record_source remote_source(struct remote_host *r);
/* Append what the consumer has changed since the last call, for the agent. */
void remote_send_changes(struct remote_host *r, struct strbuf *out);
/* The machine is gone: what is there remains, and nothing is changed any more. */
void remote_end(struct remote_host *r);

#endif
