/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Jumps taken out of a process that goes on
 *
 * All its threads are stopped, and the instructions are put back.  Nobody comes into our code any
 * more.  Who is in it, or returns to it, ends what it does there: then the code stays, and the
 * memory with it.  Else all of it is unmapped.  Only what still is our jump is put back.
 *
 * The jumps of a dtrace that was killed pass through (struct process_head.tracer).  Each place
 * begins with struct process_place, so whoever enters the process next takes them out.  What that
 * says is the process's word: it is written only where the process has those bytes itself.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/log.h"
#include "base/sort.h"
#include "inject/code/code.h"
#include "inject/internal.h"

/* --- what is remembered ----------------------------------------------------------------------- */

/* SIZE bytes at BYTES, of the place at ADDRESS. */
static void place_read(const void *bytes, size_t size, uint64_t address, struct jumped_place *ret)
{
	const struct process_place *head = bytes;
	const char *from = bytes;
	struct process_jump jump;
	uint64_t at;
	*ret = (struct jumped_place) { .code = { address, address + head->size } };
	for (uint64_t i = 0; i < head->jump_count; i++) {
		uint64_t place = head->jumps + i * sizeof(jump);
		if (place + sizeof(jump) > size)
			return;
		memcpy(&jump, from + place, sizeof(jump));
		if (jump.size <= sizeof(jump.old_bytes))
			vector_push(&ret->jumps, jump);
	}
	for (uint64_t i = 0; i < head->semaphore_count; i++) {
		uint64_t place = head->semaphores + i * sizeof(at);
		if (place + sizeof(at) > size)
			return;
		memcpy(&at, from + place, sizeof(at));
		if (at)
			vector_push(&ret->semaphores, at);
	}
}

void jumps_remember(struct injected *t, const void *bytes, uint64_t address)
{
	const struct process_place *head = bytes;
	struct jumped_place p;
	place_read(bytes, head->size, address, &p);
	vector_push(&t->places, p);
	vector_push(&t->code, p.code);
}

void jumps_forget(struct injected *t)
{
	for (size_t i = 0; i < t->places.count; i++) {
		vector_free(&t->places.items[i].jumps);
		vector_free(&t->places.items[i].semaphores);
	}
	vector_free(&t->places);
	vector_free(&t->code);
}

/* --- the instructions ------------------------------------------------------------------------- */

#define PAGE 4096u
#define RUN_MOST (16u << 20) /* bytes */

static int jump_compare(const void *left, const void *right)
{
	const struct process_jump *a = left, *b = right;
	return (a->address > b->address) - (a->address < b->address);
}

/* The COUNT jumps are on pages that follow each other: one write. */
static struct error *run_take(const struct injected *t, const struct process_jump *jumps,
			      size_t count)
{
	uint64_t begin = jumps[0].address;
	size_t size = jumps[count - 1].address - begin + sizeof(jumps->new_bytes);
	auto_free unsigned char *bytes = mem_zalloc(size);
	ssize_t got = pread(t->memory, bytes, size, (off_t)begin);
	size_t read = got < 0 ? 0 : (size_t)got;
	bool any = false;
	for (size_t i = 0; i < count; i++) {
		const struct process_jump *j = &jumps[i];
		uint64_t at = j->address - begin;
		if (at + j->size > read || memcmp(bytes + at, j->new_bytes, j->size) != 0)
			continue;
		memcpy(bytes + at, j->old_bytes, j->size);
		any = true;
	}
	return any ? process_write(t->process, begin, bytes, read) : NULL;
}

static struct error *place_take(const struct injected *t, struct jumped_place *p)
{
	struct error *err = NULL;
	struct process_jump *j = p->jumps.items;
	if (p->jumps.count)
		qsort(j, p->jumps.count, sizeof(*j), jump_compare);
	for (size_t i = 0, end; i < p->jumps.count && !err; i = end) {
		end = i + 1;
		while (end < p->jumps.count && j[end].address - j[i].address < RUN_MOST &&
		       j[end].address / PAGE <= (j[end - 1].address + j[end - 1].size) / PAGE)
			end++;
		err = run_take(t, j + i, end - i);
	}
	for (size_t i = 0; i < p->semaphores.count && !err; i++) {
		uint16_t count = 0;
		uint64_t at = p->semaphores.items[i];
		if (pread(t->memory, &count, sizeof(count), (off_t)at) == sizeof(count) && count--)
			err = process_write(t->process, at, &count, sizeof(count));
	}
	return err;
}

/* --- the code, and the memory ----------------------------------------------------------------- */

static struct error *range_unmap(const struct injected *t, uint64_t begin, uint64_t size)
{
	int64_t ret;
	return process_call(t->process, SYS_munmap, (uint64_t[CALL_ARGUMENTS]) { begin, size },
			    &ret);
}

#define LOOKS_MOST 10
#define LOOK_NS 1000000

/* Without jumps a thread leaves our code soon, if it runs. */
static struct error *code_leave(const struct injected *t, enum stands_inside *ret)
{
	struct error *err = NULL;
	*ret = STANDS_INSIDE;
	for (unsigned n = 0; n < LOOKS_MOST && *ret == STANDS_INSIDE && !err; n++) {
		struct stands stands = { 0 };
		if (n) {
			error_free(process_run(t->process));
			nanosleep(&(struct timespec) { .tv_nsec = LOOK_NS << n }, NULL);
			err = process_hold(t->process);
		}
		if (!err)
			err = stands_find(t, &stands);
		if (!err)
			*ret = stands_in_code(t, &stands);
		vector_free(&stands.list);
	}
	return err;
}

/* SIZE bytes from the image on are T's. */
static struct error *code_unmap(const struct injected *t, uint64_t size)
{
	enum stands_inside inside;
	struct error *err = code_leave(t, &inside);
	if (inside && !err)
		log_debug("process: a thread of process %d is in the code of probes, which stays "
			  "mapped there",
			  process_pid(t->process));
	for (size_t i = 0; i < t->places.count && !inside && !err; i++) {
		const struct address_range *r = &t->places.items[i].code;
		err = range_unmap(t, r->begin, r->end - r->begin);
	}
	return err || inside ? err : range_unmap(t, t->base, size);
}

/* T's jumps, then its code and memory. */
static struct error *target_take(struct injected *t, uint64_t size)
{
	struct error *err = NULL;
	for (size_t i = 0; i < t->places.count && !err; i++)
		err = place_take(t, &t->places.items[i]);
	return err ? err : code_unmap(t, size);
}

void jumps_take(struct injector *i)
{
	struct injected *t = &i->target;
	if (!t->base || t->has_ended || process_exited(t->process, NULL))
		return;
	auto_error struct error *err = process_hold(t->process);
	if (!err)
		err = target_take(t, PROCESS_MEMORY_AT + i->layout.head.size);
	error_free(process_run(t->process));
	if (err && !process_exited(t->process, NULL))
		message("jumps of probes stay in process %d, without effect: %s", t->pid,
			error_text(err));
	t->base = 0;
}

/* --- what a dtrace that was killed has left --------------------------------------------------- */

#define PLACES_MOST (1ull << 30) /* bytes of a mapping that are looked at, and of a place */

static void left_places(struct injected *t, const struct mapping *m, uint64_t base)
{
	struct process_place head;
	uint64_t end = MIN(m->end, m->start + PLACES_MOST);
	for (uint64_t at = m->start; at < end; at += PAGE) {
		if (pread(t->memory, &head, sizeof(head), (off_t)at) != sizeof(head) ||
		    head.magic != PROCESS_PLACE_MAGIC || head.base != base ||
		    head.size > end - at || head.size % PAGE || !head.size)
			continue;
		auto_free char *bytes = mem_zalloc(head.size);
		if (pread(t->memory, bytes, head.size, (off_t)at) != (ssize_t)head.size)
			continue;
		memcpy(bytes, &head, sizeof(head)); /* it may have changed */
		jumps_remember(t, bytes, at);
		at += head.size - PAGE;
	}
}

/* M is the memory of a dtrace, or of none (its image is not there). */
static struct error *leftover_take(const struct injected *from, uint64_t image_id,
				   const struct mapping *list, size_t count,
				   const struct mapping *m)
{
	struct process_image image = { 0 };
	struct process_head head;
	struct injected t = *from;
	t.base = m->start - PROCESS_MEMORY_AT;
	memset(&t.places, 0, sizeof(t.places));
	memset(&t.code, 0, sizeof(t.code));
	if (pread(t.memory, &image, sizeof(image), (off_t)t.base) != sizeof(image) ||
	    image.magic != PROCESS_MAGIC)
		return NULL;
	if (image.id != image_id ||
	    pread(t.memory, &head, sizeof(head), (off_t)m->start) != sizeof(head))
		return error_new("another version of dtrace traces it from inside, or has been "
				 "killed meanwhile");
	if (head.tracer && !(head.tracer & FUTEX_OWNER_DIED))
		return error_new("another dtrace traces it from inside");
	vector_push(&t.code, ((struct address_range) { t.base, t.base + PROCESS_CODE_SIZE }));
	for (size_t k = 0; k < count; k++)
		if (list[k].executable && !list[k].inode && !*list[k].path)
			left_places(&t, &list[k], t.base);
	struct error *err = target_take(&t, m->end - t.base);
	jumps_forget(&t);
	return err;
}

struct error *leftovers_take(struct injected *t, uint64_t image_id)
{
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(t->pid, &list, &count);
	if (err)
		return err;
	for (size_t k = 0; k < count; k++)
		if (string_equal(list[k].path, "[vdso]"))
			t->vdso = (struct address_range) { list[k].start, list[k].end };
	for (size_t k = 0; k < count && !err; k++)
		if (string_equal(list[k].path, PROCESS_MEMORY_PATH) &&
		    list[k].start > PROCESS_MEMORY_AT)
			err = leftover_take(t, image_id, list, count, &list[k]);
	process_mappings_free(list, count);
	return err;
}
