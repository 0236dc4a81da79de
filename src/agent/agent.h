/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agent - what runs inside a traced process, and how the tracer reads what it leaves
 *
 * In:   a program, and memory shared with processes (abi/process.h).
 * Out:  an image of code that is put into them: the functions of rt.def that a process can supply;
 *       records, elements and areas of the memory, for the consumer (executor/source.h).
 *
 * The image is src/runtime/, compiled for this processor without a change, and inside/, its
 * executor: areas of threads, rings, maps.  It is freestanding: no library, no relocation, no
 * writable data, no thread-local storage, general registers only; so it runs at any address, in
 * programs of any C library, at any instruction, in signal handlers too.  The build fails
 * otherwise (tools/embed-agent).  Translated code (translate/) calls its functions by address.
 *
 *   blob.c      the image and its symbols
 *   layout.c    where everything is in the memory
 *   firings.c   the memory as the interpreter's
 *   reader.c    rings and maps, read by the tracer; its own firings; threads that have ended
 *   errand.c    system calls that a waiting thread of the process makes for the tracer
 *   table.h     maps, for both sides
 *   inside/     area.c, child.c, output.c, arrive.c, memory.c, rows.c; library*.c and walk.c: the
 * run-time library
 *
 * Always true:
 *   1. No function waits: what it needs is there, or the firing is a counted drop.
 *   2. A firing reads the process's memory through the kernel, or from the stack that it runs on.
 *      So a bad pointer is never a signal.
 *   3. Only an area's thread changes what is the area's; its signal handlers nest.
 *   4. The tracer takes no address, size or number of the shared memory as it is.  It copies
 *      first, then checks, and each call ends after as many steps as the layout has places.
 *      Of its own ring it never reads back what it has written.
 *
 * To add a row of rt.def: nothing if src/runtime/ has it and inside/library*.c includes its file.
 * Else a function rt_NAME in inside/rows.c, with up to five numbers or addresses as arguments.
 */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#include <string.h>

#include "abi/abi.h"
#include "abi/process.h"
#include "base/base.h"
#include "base/hash.h"
#include "executor/executor.h"
#include "executor/flight.h"
#include "interpreter/interpreter.h"

/* --- the image -------------------------------------------------------------------------------- */

struct agent_image {
	size_t size; /* at most PROCESS_CODE_SIZE */
	uint64_t id;
};
MUST_CHECK struct error *agent_image(struct agent_image *ret);
/* Its bytes.  An error if the image and its symbols are not of one build. */
MUST_CHECK struct error *agent_image_read(void *to);

/* For tools/embed-agent: the table of symbols, and the id of an image and its symbols. */
struct agent_symbol {
	const char *name;
	uint32_t offset;
};

static inline uint64_t agent_id(const void *image, size_t size, const struct agent_symbol *symbols,
				size_t count)
{
	const char *bytes = image;
	uint64_t id = hash_more(HASH_OF_NOTHING, bytes + sizeof(struct process_image),
				size - sizeof(struct process_image));
	for (size_t i = 0; i < count; i++) {
		id = hash_more(id, symbols[i].name, strlen(symbols[i].name) + 1);
		id = hash_more(id, &symbols[i].offset, sizeof(symbols[i].offset));
	}
	return id;
}

/* Bytes of the stack that its functions take at most, with what they call: rt_ustack_entry() 680 by
 * gcc 12 (-fcallgraph-info=su), and functions of the vdso. */
#define AGENT_STACK 1024

/* Where the function is in the image; 0: there is none. */
uint64_t agent_symbol(const char *name);
/* rt_NAME, or rt_cfi_NAME if there is one, which walks stacks by tables where it may. */
uint64_t agent_row(enum rt_function function);

/* --- the memory ------------------------------------------------------------------------------- */

struct agent_layout {
	const struct program *program;
	struct process_head head;
	struct process_map *maps; /* of the program, in its order */
	uint64_t self_limit;	  /* of struct control */
	bool walks_by_tables;	  /* of stacks; else by frame pointers */
	const void *note;	  /* the caller's, or NULL */
};
MUST_CHECK struct error *agent_layout_init(struct agent_layout *l, const struct program *p,
					   const struct executor_options *o);
void agent_layout_deinit(struct agent_layout *l);
/* Into head.size bytes of zeros: what is there before a process begins. */
void agent_layout_write(const struct agent_layout *l, char *memory);
/* What cores get from the start on: the N-th range of offsets; false: there are fewer. */
bool agent_dumped(const struct agent_layout *l, unsigned n, struct address_range *ret);
/* The recorder that a thread with such a number has, if no other has it. */
struct address_range agent_recorder(const struct agent_layout *l, uint64_t area);
/* Only with dumped: what cores get more, and the first such range from the offset FROM on. */
void agent_mark(const struct agent_layout *l, char *memory, struct address_range r);
bool agent_marked(const struct agent_layout *l, const char *memory, uint64_t from,
		  struct address_range *ret);
/* struct process_head.sum of HEAD, with its NOTE. */
uint64_t agent_head_sum(const struct process_head *head, const void *note);

/* --- reading ---------------------------------------------------------------------------------- */

struct agent_view {
	const struct agent_layout *layout;
	char *memory;
	int file; /* of the memory, from its first byte; -1: not known, so all of a map is read */
	uint64_t *tails;	     /* of each area's ring */
	struct flight_memory flight; /* instead of rings, under POLICY_RING */
	char *copy;		     /* of a record */
	char *element;		     /* a copy of one, also while a record is visited (printa()) */
	uint64_t lost; /* records that were never finished: their threads have ended */
	uint64_t head; /* of the tracer's own ring */
};
/* MEMORY and LAYOUT are valid until agent_view_deinit(). */
void agent_view_init(struct agent_view *v, const struct agent_layout *layout, char *memory);
void agent_view_deinit(struct agent_view *v);

/*
 * As source_reader's.  An error: the process has damaged the memory; read it no more.  Under
 * POLICY_RING firings must not write meanwhile; what they do all the same damages no more than what
 * is visited.
 */
MUST_CHECK struct error *agent_drain(struct agent_view *v, unsigned area, bytes_visit_fn *visit,
				     void *arg);
MUST_CHECK struct error *agent_visit(struct agent_view *v, unsigned map, element_visit_fn *visit,
				     void *arg);
MUST_CHECK struct error *agent_update(struct agent_view *v, unsigned map, const void *key,
				      const void *value);
MUST_CHECK struct error *agent_remove(struct agent_view *v, unsigned map, const void *key);

/* Does a ring have more records than may wait (control.wake_bytes)? */
bool agent_is_above(const struct agent_view *v);
/* The process has ended: what is not written is not going to be. */
void agent_seal(struct agent_view *v);

/*
 * Areas of threads that have ended become free.  THREAD: as the process PROCESS has it, whose own
 * page was at OWN, as it says.
 */
typedef bool thread_ended_fn(void *arg, uint32_t process, uint32_t thread, uint64_t own);
void agent_release(struct agent_view *v, thread_ended_fn *ended, void *arg);

/* The memory as a source of the consumer, which calls READER with SELF. */
struct record_source agent_source(const struct agent_view *v, const struct program *program,
				  const struct source_reader *reader, void *self);

/* For interpreter_on(): all of the above, with the area of these firings (agent_reserve()). */
struct interpreter_memory agent_tracer_memory(struct agent_view *v);

/* --- while a thread waits for the probes of a library ----------------------------------------- */

/*
 * The thread whose report made control.arrivals TICKET makes the system call NUMBER with six
 * ARGUMENTS; *RET is what it says the result is, -errno on error.  An error: it does not wait (any
 * more).  At most a second passes.
 */
MUST_CHECK struct error *agent_errand(struct agent_view *v, uint64_t ticket, long number,
				      const uint64_t *arguments, int64_t *ret);

/* --- firings in the tracer ---------------------------------------------------------------- */

/*
 * What BEGIN, END and ticks need, which the interpreter runs on the same memory
 * (interpreter_on()).  An element's address is valid until the memory ends; the process may change
 * what is there at any time.
 */
/* The area of these firings, reserved before a process begins (AREA_TRACER): of two at least. */
unsigned agent_reserve(struct agent_view *v);
/* A record into its ring; false: there is no room. */
bool agent_put(struct agent_view *v, const void *data, uint64_t size);
uint64_t agent_used(const struct agent_view *v);		       /* bytes in that ring */
char *agent_find(struct agent_view *v, unsigned map, const void *key); /* a value, or NULL */
/* FLAGS as bpf(2)'s; the result, too: 0 or a negative error. */
int agent_insert(struct agent_view *v, unsigned map, const void *key, const void *value,
		 uint64_t flags);
int agent_delete(struct agent_view *v, unsigned map, const void *key);
/* As agent_visit(), but the values are where they are. */
MUST_CHECK struct error *agent_each(struct agent_view *v, unsigned map, element_visit_fn *visit,
				    void *arg);

#endif
