/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline - what happened in each thread, for the viewer of Perfetto (ui.perfetto.dev)
 *
 * In:   records and printings of aggregations.
 * Out:  a trace of Perfetto: packets of protobuf, in the order of the records.
 *
 * A thread is a track.  An entry begins a slice there, its return ends it, if both are traced; so
 * do other pairs of names, NAME-start and NAME-done.  What else is recorded is an instant.  An
 * aggregation that is printed is a counter, one for each key.
 *
 *   timeline.c  lines to events     points.c  probes where something begins or ends
 *   tracks.c    threads, counters   slices.c  what has begun in a thread
 *   packets.c   what is written, by nanopb
 *
 * Always true: slices of a track nest, and only what has begun ends.
 */
#ifndef SHOW_TIMELINE_TIMELINE_H
#define SHOW_TIMELINE_TIMELINE_H

#include "show/show.h"

/* --- packets.c --- */

/* A message of protobuf, as it grows.  Fields have their numbers in Perfetto's trace format. */
struct message {
	struct strbuf bytes;
};

void message_number(struct message *m, uint32_t field, uint64_t number);
void message_text(struct message *m, uint32_t field, const char *text, size_t len);
void message_double(struct message *m, uint32_t field, double number);
/* PART, which is empty afterwards. */
void message_part(struct message *m, uint32_t field, struct message *part);

/* --- tracks.c --- */

struct track {
	uint64_t number;
	uint64_t pid, tid;
	char *name;	     /* that was written last */
	VECTOR(char *) open; /* what has begun, by its pair, the innermost last */
	uint64_t too_deep;   /* begun inside of these, and not ended: they are instants */
	uint64_t probe,
		clause; /* of the record that began or ended something, if it was the last */
};

struct timeline {
	struct message trace;			  /* so far */
	struct message packet, event, annotation; /* empty: memory for the next ones */
	struct hash *tracks; /* of threads, processes and counters, by their identity */
	uint64_t track_count, counters;
	bool has_clock;
	struct hash *points; /* of the run's probes, by their id */
	uint64_t events;
	uint64_t unmatched; /* ends whose begin was not seen */
	uint64_t nobodys, counters_left_out;
};

/* The track of the thread that left RECORD; NULL: the record does not say it. */
struct track *track_of_thread(struct timeline *t, struct json_object *record);
/* Of timers that tick in whatever thread runs. */
struct track *track_of_ticks(struct timeline *t);
/* The track of the counter NAME; NULL: there are too many.  UNIT may be NULL. */
struct track *track_of_counter(struct timeline *t, const char *name, const struct show_unit *unit);
void tracks_free(struct timeline *t);

/* TIME, ns of CLOCK_MONOTONIC as all our times, is TIME + WALL_OFFSET since 1970. */
void packet_clocks(struct timeline *t, uint64_t time, int64_t wall_offset);
/* A packet: of the event at TIME, of DESCRIPTOR; they are empty afterwards. */
void packet_event(struct timeline *t, uint64_t time);
void packet_track(struct timeline *t, struct message *descriptor);

/* --- points.c --- */

enum edge { EDGE_NONE, EDGE_BEGIN, EDGE_END };

/* A probe as a timeline shows it. */
struct point {
	uint64_t probe; /* its id */
	enum edge edge; /* EDGE_NONE, too, where something begins whose end no clause traces */
	bool is_tick;	/* the thread that it interrupts does not matter */
	char *name;
	char *pair; /* what begin and end have in common; NULL without an edge */
};

/* The one of RECORD; START is the run's first line.  Valid until the next run begins. */
struct point *point_of(struct timeline *t, struct json_object *start, struct json_object *record);
void points_free(struct timeline *t);

/* --- slices.c --- */

/*
 * The next record of TRACK is of P and CLAUSE.  Is it of another firing than the one before?  A
 * firing leaves records of different clauses; if the first of these comes again, so does the
 * firing.
 */
bool firing_is_new(struct track *track, const struct point *p, uint64_t clause);
/* Something begins at P; false: it is too deep. */
bool slice_begin(struct track *track, const struct point *p);
/* It ends, and all that began in it.  The result is how many slices end; 0: it has not begun. */
size_t slices_end(struct track *track, const struct point *p);

#endif
