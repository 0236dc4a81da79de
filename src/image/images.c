/* SPDX-License-Identifier: BSD-2-Clause */
/* images - the table: which file is which image, and what stays open */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "image/image_internal.h"

/* Whether a file has been written to while it is mapped is tested so rarely: the test costs 3 us.
 */
#define CHECK_NS NS_PER_SECOND

/* From so many images on, closed images without references are removed. */
#define SWEEP_MIN 1024

struct images *images_new(void)
{
	struct images *s = mem_zalloc(sizeof(*s));
	s->by_key = hash_new();
	s->bounds = (struct images_bounds) { IMAGES_OPEN_MAX, IMAGES_BYTES_MAX };
	s->sweep_at = SWEEP_MIN;
	return s;
}

void images_free(struct images *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->known.count; i++)
		image_free(s->known.items[i]);
	vector_free(&s->known);
	debug_server_free(s->server);
	hash_free(s->by_key);
	free(s);
}

void images_set_interrupts(struct images *s, const volatile sig_atomic_t *interrupts)
{
	s->interrupts = interrupts;
}

void images_set_bounds(struct images *s, struct images_bounds bounds)
{
	s->bounds = bounds;
}

struct images_counts images_count(const struct images *s)
{
	return (struct images_counts) { s->known.count, s->open, s->bytes, s->descriptors };
}

/* --- finding --- */

#define VDSO_PAGES 16

static bool mapping_is_vdso(const struct mapping *m)
{
	return string_equal(m->path, "[vdso]") && m->end - m->start <= VDSO_PAGES << 12;
}

/*
 * Processes of 32-bit code have another vdso.  That of a process that has ended is judged by its
 * place: others have theirs above what 32 bits can address.
 */
static uint32_t vdso_kind(int pid, const struct mapping *m)
{
	auto_close int memory = process_open_memory(pid);
	unsigned char header[EI_NIDENT] = { 0 };
	if (memory >= 0 && pread(memory, header, sizeof(header), (off_t)m->start) > 0)
		return header[EI_CLASS];
	return m->end <= UINT32_MAX ? ELFCLASS32 : ELFCLASS64;
}

static struct image_key image_key_of(int pid, const struct mapping *m)
{
	if (mapping_is_vdso(m))
		return (struct image_key) { .dev_minor = vdso_kind(pid, m) };
	return (struct image_key) { m->inode, m->dev_major, m->dev_minor };
}

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* I is mapped as M by PID: there it can be opened again. */
static void note_place(struct image *i, int pid, const struct mapping *m)
{
	i->pid = pid;
	i->start = m->start;
	i->end = m->end;
	if (i->path && string_equal(i->path, m->path))
		return;
	free(i->path);
	i->path = mem_strdup(m->path);
}

static struct image *with_time(struct image *i, struct timespec changed)
{
	while (i && !is_same_time(i->changed, changed))
		i = i->older;
	return i;
}

/* The image of the mapped file that FD is: a known one, else a new one. */
static struct image *image_of(struct images *s, struct image_key key, int fd,
			      const struct mapping *m)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return NULL;
	if (mapping_is_vdso(m))
		st.st_ctim = (struct timespec) { 0 };
	void **place = hash_place(s->by_key, &key, sizeof(key));
	struct image *i = with_time(*place, st.st_ctim);
	if (i)
		return i;
	i = mem_zalloc(sizeof(*i));
	i->table = s;
	i->key = key;
	i->changed = st.st_ctim;
	i->fd = -1;
	i->older = *place;
	i->is_held = mapping_is_vdso(m); /* the process that it was copied from may be gone */
	*place = i;
	vector_push(&s->known, i);
	return i;
}

/* The data about the file are still true, as far as is known: our mapping holds its inode. */
static bool is_current(struct image *i, int pid, const struct mapping *m, uint64_t now)
{
	struct stat st;
	bool is_seen = i->pid == pid && i->start == m->start; /* another one may map what is new */
	if ((is_seen && now - i->checked_at < CHECK_NS) || mapping_is_vdso(m))
		return true;
	i->checked_at = now;
	return mapping_stat(pid, m, &st) ? is_same_time(st.st_ctim, i->changed) : i->elf != NULL;
}

struct image *images_find(struct images *s, int pid, const struct mapping *m)
{
	if (!mapping_is_vdso(m) && (!m->inode || m->path[0] != '/'))
		return NULL;
	struct image_key key = image_key_of(pid, m);
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct image *i = hash_get(s->by_key, &key, sizeof(key));
	if (i && is_current(i, pid, m, now) && (i->elf || i->problem)) {
		note_place(i, pid, m);
		i->used = ++s->questions;
		return i;
	}
	auto_close int fd = image_open_mapping(pid, m);
	struct image *found = fd < 0 ? NULL : image_of(s, key, fd, m);
	if (!found)
		return NULL;
	note_place(found, pid, m);
	found->checked_at = now;
	found->used = ++s->questions;
	if (!found->elf && !found->problem)
		image_read(found, fd);
	return found;
}

void images_note(struct images *s, int pid, const struct mapping *m)
{
	struct image_key key = { m->inode, m->dev_major, m->dev_minor };
	if (!hash_get(s->by_key, &key, sizeof(key)))
		images_find(s, pid, m);
}

void images_recheck(struct images *s, const struct mapping *m)
{
	struct image_key key = { m->inode, m->dev_major, m->dev_minor };
	struct image *i = hash_get(s->by_key, &key, sizeof(key));
	if (i)
		i->checked_at = 0;
}

struct image *image_refer(struct image *i)
{
	if (i)
		i->references++;
	return i;
}

void image_release(struct image *i)
{
	if (i)
		i->references--;
}

/* --- bounds --- */

static int by_use(const void *left, const void *right)
{
	const struct image *const *a = left, *const *b = right;
	return (*a)->used < (*b)->used ? -1 : (*a)->used > (*b)->used;
}

/* A quarter is closed at once, so that the next ones cost nothing. */
static void close_oldest(struct images *s)
{
	VECTOR(struct image *) open = { 0 };
	for (size_t i = 0; i < s->known.count; i++)
		if (s->known.items[i]->elf && !s->known.items[i]->is_held)
			vector_push(&open, s->known.items[i]);
	if (open.count)
		qsort(open.items, open.count, sizeof(*open.items), by_use);
	size_t open_left = s->bounds.open - s->bounds.open / 4;
	size_t bytes_left = s->bounds.bytes - s->bounds.bytes / 4;
	for (size_t i = 0; i < open.count && (s->open > open_left || s->bytes > bytes_left); i++)
		image_close(open.items[i]);
	vector_free(&open);
}

/* The table has no removal: it is made again, of those that stay. */
static void images_forget(struct images *s)
{
	hash_empty(s->by_key, NULL, NULL);
	size_t kept = 0;
	for (size_t n = 0; n < s->known.count; n++) {
		struct image *i = s->known.items[n];
		if (!i->elf && !i->is_held && !i->references) {
			image_free(i);
			continue;
		}
		void **place = hash_place(s->by_key, &i->key, sizeof(i->key));
		i->older = *place;
		*place = i; /* they are in the order in which they came */
		s->known.items[kept++] = i;
	}
	s->known.count = kept;
	s->sweep_at = MAX(SWEEP_MIN, 2 * kept);
}

void images_trim(struct images *s)
{
	if (s->open > s->bounds.open || s->bytes > s->bounds.bytes)
		close_oldest(s);
	if (s->known.count >= s->sweep_at)
		images_forget(s);
}
