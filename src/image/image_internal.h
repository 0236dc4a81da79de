/* SPDX-License-Identifier: BSD-2-Clause */
/* image_internal - shared by the files of image/ */
#ifndef IMAGE_INTERNAL_H
#define IMAGE_INTERNAL_H

#include <time.h>

#include "image/image.h"

/* As in /proc/PID/maps: the device is that of the file system, which may differ from stat()'s. */
struct image_key {
	uint64_t inode;
	uint32_t dev_major, dev_minor;
};

struct image {
	struct images *table;
	struct image *older; /* of the same key, with another change time */
	struct image_key key;
	struct timespec changed;

	/* where it was found last: it is opened again here */
	int pid;
	uint64_t start, end;
	char *path;
	uint64_t checked_at; /* that it still is this file; CLOCK_MONOTONIC */

	unsigned references;
	bool is_held;	      /* is never closed */
	bool is_truncated;    /* while we read it; reported */
	uint64_t used;	      /* at the last look-up: the count of look-ups */
	struct elf_file *elf; /* NULL: closed, or a problem */
	size_t bytes;	      /* of the data read, as counted by the table */
	char *problem; /* why there is no elf and never will be; NULL: there is, or it is closed */
	bool is_foreign;

	int fd;	       /* -1: image_path() was not called */
	char *fd_path; /* NULL: fd is -1 */

	bool sought_build_id;
	unsigned char build_id[BUILD_ID_MOST];
	size_t build_id_size; /* 0: it has none */

	bool sought_separate, sought_debug;
	struct elf_file *separate; /* whose symbols may be elf's */
	struct debug_info *debug;
	bool is_debug_damaged; /* so that none of it is read; */
	bool reported_debug;   /* or that of some code */
	bool sought_ctf;
	struct strbuf ctf; /* as BTF */
	char *ctf_problem;
	bool sought_usdt;
	usdt_note_vector usdt;
	char *usdt_problem;
	bool sought_branches;
	struct branches branches;
	const char *branches_problem; /* NULL: they are known */
	struct hash *semaphores; /* site -> semaphore, offsets in the file; NULL: not made yet */
};

struct images {
	struct hash *by_key; /* struct image_key -> the newest image */
	VECTOR(struct image *) known;
	struct images_bounds bounds;
	size_t sweep_at; /* so many known ones are looked through for forgotten ones */
	size_t open, bytes, descriptors;
	uint64_t questions;
	struct debug_server *server; /* NULL if not used yet */
	const volatile sig_atomic_t *interrupts;
};

/* --- image.c --- */

/* The file of M in PID, copied if M is the vdso; -1: it cannot be opened. */
int image_open_mapping(int pid, const struct mapping *m);
/* Read the ELF of FD, else note the problem. */
void image_read(struct image *i, int fd);
void image_close(struct image *i); /* all data read, except of held images */
void image_free(struct image *i);

/* --- debug_file.c --- */

/* The file with the debug information of I, or NULL; the caller's. */
struct elf_file *separate_open(struct image *i);

/* --- debug_server.c --- */

struct debug_server *debug_server_new(const volatile sig_atomic_t *interrupts);
void debug_server_free(struct debug_server *s); /* NULL is fine */
/* The debug file of BUILD_ID, a descriptor for the caller; negative: no server has it. */
int debug_server_fetch(struct debug_server *s, struct bytes build_id);

#endif
