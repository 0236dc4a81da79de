/* SPDX-License-Identifier: BSD-2-Clause */
/* regions - implements symbol/regions.h */
#include "symbol/regions.h"
#include "base/clock.h"
#include "base/sort.h"
#include "base/time_unit.h"

/*
 * An unmapped address costs a read of the mappings; the same page again within a second does not.
 * Whether it still is the same process is tested as rarely: the test costs 10 us.
 */
#define RETRY_NS NS_PER_SECOND
#define PAGE(address) ((address) >> 12)
/* A process that maps and unmaps all day must not fill our memory: the oldest are forgotten. */
#define PAST_MAX 4096

void regions_init(struct regions *all, int pid, struct images *images, struct mapping_log *log)
{
	*all = (struct regions) { .pid = pid, .images = images, .log = log };
}

static void region_deinit(struct region *r)
{
	image_release(r->image);
	free(r->object);
	free(r->path);
}

static void free_all(struct region *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		region_deinit(&list[i]);
}

void regions_deinit(struct regions *all)
{
	free_all(all->now.items, all->now.count);
	free_all(all->past.items, all->past.count);
	free_all(all->logged.items, all->logged.count);
	vector_free(&all->now);
	vector_free(&all->past);
	vector_free(&all->logged);
}

/* --- reading --- */

/* "/lib/x.so (deleted)" -> "x.so", the caller's; "[vdso]" is a name, "[heap]" is not. */
static char *object_name(const char *path)
{
	if (*path != '/' && !string_equal(path, "[vdso]") && !string_equal(path, "[vsyscall]"))
		return NULL;
	size_t len;
	const char *base = mapping_base_name(path, &len);
	return mem_strndup(base, len);
}

static bool is_same_region(const struct region *a, const struct region *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->inode == b->inode;
}

static void forget_oldest(struct regions *all)
{
	size_t half = all->past.count / 2;
	free_all(all->past.items, half);
	memmove(all->past.items, all->past.items + half,
		(all->past.count - half) * sizeof(*all->past.items));
	all->past.count -= half;
}

/* Keep mappings that are in OLD and no longer in all->now.  Both are sorted. */
static void regions_remember(struct regions *all, struct region *old, size_t count)
{
	size_t j = 0;
	for (size_t i = 0; i < count; i++) {
		while (j < all->now.count && all->now.items[j].start < old[i].start)
			j++;
		if (j < all->now.count && is_same_region(&old[i], &all->now.items[j])) {
			region_deinit(&old[i]);
			continue;
		}
		if (!old[i].object)
			continue; /* nor has it an image */
		if (all->past.count == PAST_MAX)
			forget_oldest(all);
		vector_push(&all->past, old[i]);
	}
}

static struct region region_of(struct regions *all, const struct mapping *m)
{
	struct region r = {
		.start = m->start,
		.end = m->end,
		.offset = m->offset,
		.inode = m->inode,
		.writable = m->writable,
		.executable = m->executable,
		.is_data = !m->executable &&
			   (string_equal(m->path, "[stack]") || string_equal(m->path, "[heap]")),
		.object = object_name(m->path),
		.path = m->path[0] == '/' ? mem_strdup(m->path) : NULL,
	};
	/* Opening costs some 20 us per file and is what makes names outlive the process. */
	if (m->executable || !m->writable)
		r.image = image_refer(images_find(all->images, all->pid, m));
	return r;
}

/* Data of a program is mapped apart from its code: it has the same file. */
static void share_files(struct regions *all)
{
	for (size_t i = 1; i < all->now.count; i++) {
		struct region *r = &all->now.items[i], *before = r - 1;
		if (!r->image && r->inode && r->inode == before->inode)
			r->image = image_refer(before->image);
	}
}

void regions_set(struct regions *all, const struct mapping *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		vector_push(&all->now, region_of(all, &list[i]));
	all->is_set = all->read_once = true;
}

void regions_read(struct regions *all)
{
	if (all->is_set)
		return;
	/* A reused pid is another process. */
	uint64_t start_time = process_start_time(all->pid);
	all->is_gone = true;
	if (all->start_time && start_time != all->start_time)
		return;
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(all->pid, &list, &count);
	if (err)
		return;
	all->is_gone = !count;
	all->read_once = true;
	all->start_time = start_time;
	all->program = process_program(all->pid);
	all->checked_at = clock_ns(CLOCK_MONOTONIC);
	/* While it exits it has no mappings any more: then the last ones are the truth. */
	if (count) {
		struct region *old = all->now.items;
		size_t old_count = all->now.count;
		all->now.items = NULL;
		all->now.count = all->now.capacity = 0;
		for (size_t i = 0; i < count; i++) {
			if (all->see)
				all->see(all->see_arg, &list[i]);
			vector_push(&all->now, region_of(all, &list[i]));
		}
		share_files(all);
		regions_remember(all, old, old_count);
		free(old);
	}
	process_mappings_free(list, count);
}

enum regions_owner regions_owner_now(struct regions *all)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (!all->read_once || all->is_set || now - all->checked_at < RETRY_NS)
		return REGIONS_SAME;
	all->checked_at = now;
	uint64_t start_time = process_start_time(all->pid);
	if (!start_time)
		return REGIONS_SAME;
	if (start_time != all->start_time)
		return REGIONS_OTHER_PROCESS;
	uint64_t program = process_program(all->pid);
	return program && program != all->program ? REGIONS_OTHER_PROGRAM : REGIONS_SAME;
}

/* --- finding --- */

struct elf_file *region_elf(const struct region *r)
{
	return r->image ? image_elf(r->image) : NULL;
}

const struct region *regions_at(const struct regions *all, uint64_t address)
{
	size_t until = vector_until(&all->now, start, address);
	const struct region *r = until ? &all->now.items[until - 1] : NULL;
	return r && address < r->end ? r : NULL;
}

static const struct region *last_at(const struct region *list, size_t count, uint64_t address)
{
	for (size_t i = count; i-- > 0;)
		if (address >= list[i].start && address < list[i].end)
			return &list[i];
	return NULL;
}

static void add_logged(void *regions, const struct mapping *m)
{
	struct regions *all = regions;
	vector_push(&all->logged, region_of(all, m));
}

/* What the process has mapped since it was looked at, or before. */
static void read_log(struct regions *all)
{
	if (!all->log || mapping_log_visit(all->log, all->pid, NULL, NULL) == all->logged_count)
		return;
	free_all(all->logged.items, all->logged.count);
	all->logged.count = 0;
	all->logged_count = mapping_log_visit(all->log, all->pid, add_logged, all);
}

static const struct region *region_past(struct regions *all, uint64_t address)
{
	const struct region *r = last_at(all->past.items, all->past.count, address);
	if (r)
		return r;
	read_log(all);
	return last_at(all->logged.items, all->logged.count, address);
}

/*
 * A file that is not a program, and only read: most look-ups are of code, which may be at these
 * addresses because the file is no longer mapped.  This is also true of the first library that a
 * program loads itself, where the linker had its cache.  Such addresses are rare, and looked up
 * each time.
 */
static bool is_doubtful(const struct region *r)
{
	return r->object && r->inode && !region_elf(r) && !r->executable && !r->writable;
}

const struct region *regions_find(struct regions *all, uint64_t address)
{
	const struct region *r = regions_at(all, address);
	if (!r && all->is_gone) /* nothing new is there, unless the number is another's by now */
		r = region_past(all, address);
	if (r && !is_doubtful(r))
		return r;
	bool tried = all->read_once && PAGE(address) == all->missed_page &&
		     clock_ns(CLOCK_MONOTONIC) - all->missed_at < RETRY_NS;
	if (r || !tried) {
		regions_read(all);
		r = regions_at(all, address);
		all->missed_page = PAGE(address);
		all->missed_at = clock_ns(CLOCK_MONOTONIC);
	}
	if (r)
		return is_doubtful(r) && all->is_gone ? NULL : r;
	r = region_past(all, address);
	return r && is_doubtful(r) ? NULL : r;
}

static uint64_t highest_end(const struct region *list, size_t count)
{
	uint64_t highest = 0;
	for (size_t i = 0; i < count; i++)
		if (list[i].end >> 57 == 0) /* not [vsyscall] */
			highest = MAX(highest, list[i].end);
	return highest;
}

bool regions_end_before(const struct regions *all, uint64_t address)
{
	uint64_t highest = MAX(highest_end(all->now.items, all->now.count),
			       highest_end(all->past.items, all->past.count));
	return highest && address >= highest;
}
