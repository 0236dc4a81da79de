/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code - sites of files to windows, and their code to places in the process
 *
 *   targets.c   what is known of a file: where control comes to in it
 *   place.c     code for one mapping of a file: room near it, windows, what is written
 *   groups.c    the program's groups to code in a place
 *   exits.c     around the code of a group whose returns follow jumps
 *   trampoline.h   the code of one firing
 *
 * In the folder itself: remote.c, system calls and writes, while the process is held and later;
 * sites.c, the program's events to files; jumps.c, a file's sites to jumps, in the mappings that
 * may get them; refused.c, refusals to messages.
 *
 * A file is known by its bytes alone: the process's memory is only compared with it.  Each mapping
 * with code has a place of its own, with the groups' code and the trampolines of its sites, as
 * files are more than 2 GiB apart.
 *
 * Where control comes to: branches of the whole file (image/), first bytes of its symbols, landing
 * pads of its exceptions, and what tables of switches lead to.  A function with a computed jump
 * whose table is not found may jump anywhere in itself.
 */
#ifndef INJECT_CODE_H
#define INJECT_CODE_H

#include "agent/agent.h"
#include "image/image.h"
#include "patch/patch.h"
#include "process/process.h"

void offsets_sort(offset_vector *v); /* each number stays once */

/* --- targets.c --- */

struct code_file {
	struct image *image; /* a reference */
	struct elf_file *elf;
	const char *name;
	const char *problem;   /* why no site of it has a jump; NULL: some may */
	bool has_targets;      /* code_file_targets() was called */
	offset_vector targets; /* offsets in the file, sorted */
	/* Of restartable sequences, in offsets: the kernel knows them by their addresses. */
	VECTOR(struct address_range) sequences;
	bool pads_unknown; /* landing pads of some function could not be read */
};

/* Takes a reference of IMAGE, which is open until then. */
void code_file_init(struct code_file *f, struct image *image, const char *name);
void code_file_deinit(struct code_file *f);
/* Find the targets, once.  Until then functions jump anywhere. */
void code_file_targets(struct code_file *f);
/* Is the instruction at the offset AT as long as a jump? */
bool code_is_long(const struct code_file *f, uint64_t at);

/*
 * The function whose first byte is at the offset BEGIN, of SIZE bytes (0: as its call frame
 * information says), for plans.  WITH_JUMPS: sites are elsewhere than at its entry.  LOCAL has its
 * targets if it has more than the file's, so it must live as long.  The result is 0, or why there
 * can be no jump.
 */
enum patch_refusal code_function(const struct code_file *f, uint64_t begin, uint64_t size,
				 bool with_jumps, offset_vector *local, struct patch_function *ret);

/* --- remote.c --- */

/*
 * How a process is changed: while it is held, by ptrace; later by a thread of it that waits for the
 * probes of libraries.
 */
struct remote {
	struct process *process;
	const struct stand *stands; /* where threads are; none, if it is not held */
	size_t stand_count;
	int memory;		 /* a descriptor of its memory, for reading */
	struct agent_view *view; /* NULL: it is held */
	uint64_t memory_at;	 /* of the view's memory in the process */
	uint64_t ticket;	 /* of the waiting thread */
};
/* As process_call() and process_write(). */
MUST_CHECK struct error *remote_call(const struct remote *r, long number, const uint64_t *arguments,
				     int64_t *ret);
MUST_CHECK struct error *remote_write(const struct remote *r, uint64_t address, const void *bytes,
				      size_t size);

/* A thread, or a function that a signal has interrupted in it. */
struct stand {
	int thread;
	bool restarts;	    /* as in struct held_thread */
	uint64_t pc, stack; /* the pointer */
	uint64_t word;	    /* where the kernel has saved pc, for after the signal; 0: nowhere */
};

/* --- place.c --- */

/* A site of the program, in a file. */
struct code_site {
	struct patch_site patch;
	uint64_t function; /* as in struct event_site */
	uint32_t function_size;
	uint32_t group, event; /* of the program */
	uint64_t at;	       /* event_site.at: what the context's pc is, in the file */
	uint64_t cookie, semaphore;
	bool is_named;	     /* its function is named in full */
	bool of_destination; /* as in struct event_site */
	uint8_t refusal;     /* enum patch_refusal */
	uint8_t safety;	     /* enum patch_safety */
};
typedef VECTOR(struct code_site) code_site_vector;

struct code_window {
	struct patch_write write;
	struct bytes old;		   /* of the file */
	struct address_range code;	   /* what it leads to */
	uint32_t moved[PATCH_WINDOW_MOST]; /* as of struct patch_code */
	uint32_t sites;			   /* the first one of place.fired */
	uint32_t site_count;
};

/* Code for one mapping of a file. */
struct code_place {
	const struct code_file *file;
	struct address_range text; /* the mapping */
	uint64_t text_at;	   /* the offset in the file of its first byte */
	bool is_mapped;		   /* in the process */
	bool keeps_calls;	   /* moved calls are refused */
	struct patch_code code; /* at `address`; its bytes are owned; struct process_place first */
	uint64_t base;		/* of the agent's image */
	VECTOR(struct code_window) windows;
	VECTOR(uint32_t) fired; /* indexes of sites */
};

/* The firing of SITE, whose context's pc is PC. */
typedef void code_fire_fn(void *arg, const struct code_site *site, uint64_t pc,
			  const struct patch_firing *f, struct patch_code *to);

/* In what order: open, code of groups by place.code, functions, write. */

/* The mappings of a process, and what else room depends on. */
struct code_space {
	const struct mapping *list;
	size_t count;
	uint64_t heap_end;
	VECTOR(struct address_range) taken; /* places that are not mapped yet */
	bool has_shadow_stack;		    /* the processor compares return addresses */
};
void code_space_deinit(struct code_space *s);

/* A place of at most SIZE bytes near mapping number N.  False: there is no room within 2 GiB. */
bool code_place_open(struct code_place *p, const struct code_file *file, struct code_space *space,
		     size_t n, uint64_t size);
void code_place_deinit(struct code_place *p);

/*
 * The windows of PLAN, of FUNCTION with the sites from number FIRST on; refusals are written to
 * SITES.
 */
void code_place_add(struct code_place *p, const struct patch_function *function,
		    const struct patch_plan *plan, struct code_site *sites, uint32_t first,
		    code_fire_fn *fire, void *arg);

/* Is FUNCTION in its mapping? */
bool code_place_has(const struct code_place *p, const struct patch_function *function);

/* The semaphores of the sites that have a jump count one more. */
MUST_CHECK struct error *code_semaphores(const struct code_place *p, const struct remote *remote,
					 const code_site_vector *sites);

/* The code, then the jumps; sites whose memory is another than the file's are refused. */
MUST_CHECK struct error *code_place_write(struct code_place *p, const struct remote *remote,
					  struct code_site *sites);

#endif
