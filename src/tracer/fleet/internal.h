/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of this room; see fleet.h */
#ifndef TRACER_FLEET_INTERNAL_H
#define TRACER_FLEET_INTERNAL_H

#include <poll.h>

#include "remote/remote.h"
#include "tracer/fleet/fleet.h"
#include "tracer/internal.h"

/* The first program and the options of a fleet, in T's state. */
struct fleet {
	struct asking *asking;
	struct serving *serving;
};

/* --- host.c ----------------------------------------------------------------------------------- */

enum host_state {
	HOST_WAITING,  /* its transport is not started yet */
	HOST_STARTING, /* it has not said that it is ready */
	HOST_READY,
	HOST_TRACING,
	HOST_ANSWERED, /* it has sent its last state */
	HOST_FAILED,   /* before tracing began */
	HOST_LOST,     /* while it traced */
	HOST_STOPPED,  /* it has ended by itself, and sent its last state */
};

#define CLOCK_PINGS 8 /* at the start, one after the other; then one a second */
#define CLOCK_KEPT 10 /* pings, whose shortest round trip counts: clocks drift */

/* The pings of a host's clock. */
struct host_clock {
	unsigned pings; /* that came back */
	uint64_t sent;	/* when the last one was sent; 0: none is under way */
	uint64_t best;	/* the shortest round trip, ns */
	int64_t offset; /* to be added to its times, by that one */
};

struct host {
	const char *name;
	char *command; /* of the transport, for the shell */
	enum host_state state;
	char *why; /* it has failed or is lost */
	pid_t pid; /* of the transport; 0: it has ended */
	int in, out, err;
	struct frame_reader reader;
	struct strbuf to_send, said;
	struct remote_host *remote;
	struct host_clock clock;
	uint64_t started, heard; /* when the transport was started, and a frame came last */
	uint32_t exited, status; /* BYE: was exit() called */
	bool is_told;		 /* to stop */
	struct asking *asking;	 /* of all hosts */
	uint64_t waiting;	 /* bytes of its records in rounds that are open */
	uint64_t latest;	 /* the time of its last record */
	bool is_late, is_silent, is_reported; /* it was named */
	/* by clause: how many records of rounds have come, and the time of the last one */
	uint64_t *fired, *fired_at;
};

static inline bool host_is_going(const struct host *h)
{
	return h->state == HOST_STARTING || h->state == HOST_READY || h->state == HOST_TRACING;
}

MUST_CHECK struct error *host_start(struct host *h);
/* Read what it has sent, if HAS_SENT, and send what waits; the state may change. */
void host_serve(struct host *h, bool has_sent);
/* It has failed, or is lost: WHY is taken. */
void host_give_up(struct host *h, struct error *why);
void host_ping(struct host *h);
void host_close(struct host *h); /* its agent ends */
/* The transports of all end; AT_ONCE: nobody waits for that. */
void hosts_end(struct host *hosts, size_t count, bool at_once);
void host_deinit(struct host *h);

/* --- agent.c: steps of the wing where T is an agent ------------------------------------------- */

MUST_CHECK struct error *agent_connect(struct tracer *t, struct output_setup *output);
void agent_enable(struct tracer *t);
int agent_poll_fd(const struct tracer *t);
MUST_CHECK struct error *agent_step(struct tracer *t, bool status);
void agent_free(struct serving *s);

/* --- said.c ----------------------------------------------------------------------------------- */

/* What was printed, until it is shown. */
struct said;
struct said *said_new(void);
void said_free(struct said *s);
/* The bytes that H has printed; partial lines wait in h->said. */
void said_add(struct said *s, struct host *h, const char *text, size_t len);
/* Why H has failed or is lost, as one of its lines. */
void said_report(struct said *s, const struct host *h);
/* Show the lines, each once; COUNT: of all hosts. */
void said_show(struct said *s, size_t count);

/* --- rounds.c --------------------------------------------------------------------------------- */

struct rounds;
/* The hosts do not move. */
struct rounds *rounds_new(struct host *hosts, size_t count, uint64_t slack_ns);
void rounds_free(struct rounds *r); /* NULL is fine */
/* A record of H. */
void rounds_take(struct rounds *r, struct host *h, const void *record, uint32_t size);
/* Pass on the rounds that are complete, or have waited; ALL: all of them. */
void rounds_pass(struct rounds *r, bool all);

/* --- the asker: fleet.c ----------------------------------------------------------------------- */

struct asking {
	VECTOR(struct host) hosts;
	struct remote_probes probes;
	struct strbuf text; /* options and programs */
	struct rounds *rounds;
	struct said *said;
	VECTOR(struct record_source) sources;
	VECTOR(struct pollfd) polled;
	VECTOR(struct host *) polled_hosts; /* of each */
	struct output_about about;
	bool is_impatient; /* ^C twice */
	uint64_t said_at, next_status, next_ping;
	uint64_t stops_until; /* 0: nobody has been told to stop */
};

size_t hosts_count(const struct asking *a, enum host_state state);

/* request.c: the text that all agents get, and the hosts. */
MUST_CHECK struct error *request_make(struct tracer *t, const struct fleet_host *hosts,
				      size_t host_count, const struct tracer_program *programs,
				      size_t count);
/* For H, to be sent. */
void request_put(const struct tracer *t, struct host *h);

/* sources.c: the ready hosts as sources of consumer and output. */
MUST_CHECK struct error *sources_connect(struct tracer *t);
MUST_CHECK struct error *asking_connect(struct tracer *t, struct consumer_setup *consumer,
					struct output_setup *output); /* a step of the wing */

/* table.c: on standard error; ALL: also those that have answered. */
void table_show(const struct asking *a, bool all);

#endif
