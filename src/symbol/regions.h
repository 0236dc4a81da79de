/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * regions - the mappings of one process, present and past
 *
 * `now` has the last contents of /proc/PID/maps.  Mappings that are no longer there move to
 * `past`, and stay there: records made before a dlclose(), an exec or the end are printed after
 * it.  What the process had between two looks at it, or before the first, is in the log of
 * mappings, if there is one: `logged` is a copy, made when an address is in no other.
 */
#ifndef SYMBOL_REGIONS_H
#define SYMBOL_REGIONS_H

#include "symbol/symbol.h"

struct region {
	uint64_t start, end, offset;
	uint64_t inode;
	bool writable;
	bool executable;
	bool is_data;	     /* the stack or heap, of which nothing is code */
	char *object;	     /* base name, ours; NULL: anonymous */
	char *path;	     /* as the process sees it, ours; NULL: no file */
	struct image *image; /* referred to; NULL: none */
};

struct regions {
	int pid;
	uint64_t start_time;
	uint64_t program;      /* its inode */
	uint64_t checked_at;   /* that it still is this process and program; CLOCK_MONOTONIC */
	struct images *images; /* owned by the images that share them */
	bool is_set;	       /* by regions_set(): they are never read */
	bool read_once;
	bool is_gone;		   /* when its mappings were read last it had none any more */
	VECTOR(struct region) now; /* by address */
	VECTOR(struct region) past;
	struct mapping_log *log;      /* the caller's; or NULL */
	VECTOR(struct region) logged; /* by time */
	size_t logged_count;	      /* in the log then */
	uint64_t missed_page;
	uint64_t missed_at;  /* CLOCK_MONOTONIC */
	mapping_log_fn *see; /* called for each mapping that is read; or NULL */
	void *see_arg;
};

/* IMAGES and LOG (NULL: there is none) are shared, and must outlive the regions. */
void regions_init(struct regions *all, int pid, struct images *images, struct mapping_log *log);
void regions_deinit(struct regions *all);

/* The mappings are LIST, by address, whatever process has the number now. */
void regions_set(struct regions *all, const struct mapping *list, size_t count);
/* Read the mappings now.  They stay as they are if the process has ended or is another by now. */
void regions_read(struct regions *all);

/* Whose mappings would be read now; queried once a second at most. */
enum regions_owner { REGIONS_SAME, REGIONS_OTHER_PROCESS, REGIONS_OTHER_PROGRAM };
enum regions_owner regions_owner_now(struct regions *all);

/* The region of ADDRESS as it was read last; NULL: none. */
const struct region *regions_at(const struct regions *all, uint64_t address);
/* The region of ADDRESS, present or past; reads again if it is in none. */
const struct region *regions_find(struct regions *all, uint64_t address);
/*
 * Is ADDRESS above all regions? The first thread's stack and the vdso are at the top of user
 * memory: nothing comes after them.
 */
bool regions_end_before(const struct regions *all, uint64_t address);

/* R's file if it is an ELF file that can be read; or NULL. */
struct elf_file *region_elf(const struct region *r);

#endif
