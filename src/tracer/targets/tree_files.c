/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree_files - files whose events are in all processes that run them: for the sake of a tree, or
 * because functions of every process are meant (pid*:libx.so:::)
 *
 * What this costs is said before the target runs: other processes stop there, too, and the kernel
 * sets all breakpoints of a file anew whenever a process maps it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "process/process.h"
#include "tracer/targets/targets.h"

struct file {
	const char *path, *name;
	uint64_t inode;
	bool of_tree;
	unsigned places, strangers;
};

typedef VECTOR(struct file) file_vector;

static struct file *file_of(file_vector *files, const struct event_code *code)
{
	struct stat st;
	for (size_t i = 0; i < files->count; i++)
		if (string_equal(files->items[i].path, code->path))
			return &files->items[i];
	if (stat(code->path, &st) < 0)
		return NULL;
	vector_push(files,
		    ((struct file) { code->path, code->name, st.st_ino, .of_tree = code->target }));
	return &files->items[files->count - 1];
}

static bool has_tree_files(const struct tracer *t)
{
	return tracer_follows(t) && !targets_have_private_members(t);
}

static bool is_of_tree(const struct tracer *t, const struct event *e)
{
	return has_tree_files(t) && event_of_tree(e);
}

/* Static probes cost nothing but at their sites, where few programs come by often. */
static bool is_shared(const struct tracer *t, const struct event *e)
{
	return is_of_tree(t, e) || (event_of_every_process(e) && e->kind != EVENT_STATIC_PROBE);
}

typedef bool event_test_fn(const struct tracer *t, const struct event *e);

/* The files of the events of P for which TEST holds. */
static void add_files(file_vector *files, const struct tracer *t, const struct program *p,
		      event_test_fn *test)
{
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0; k < p->groups[i].event_count; k++) {
			const struct event *e = &p->groups[i].events[k];
			if (test(t, e))
				file_of(files, &e->code);
		}
}

/* Some file systems have other device numbers in mappings than stat() says: the name decides. */
static bool is_file(const struct file *f, const struct mapping *m)
{
	size_t len, other;
	const char *name = mapping_base_name(f->name, &len);
	const char *its = mapping_base_name(m->path, &other);
	return m->executable && m->inode == f->inode && len == other && memcmp(name, its, len) == 0;
}

/* --- other processes -------------------------------------------------------------------------- */

static void count_process(file_vector *files, int pid)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return;
	for (size_t i = 0; i < files->count; i++)
		for (size_t k = 0; k < count; k++)
			if (is_file(&files->items[i], &list[k])) {
				files->items[i].strangers++;
				break;
			}
	process_mappings_free(list, count);
}

/* One message for all: the file with the most. */
static void report_strangers(const file_vector *files)
{
	const struct file *most = NULL;
	for (size_t i = 0; i < files->count; i++)
		if (!most || files->items[i].strangers > most->strangers)
			most = &files->items[i];
	if (most && most->strangers)
		message("warning: %u process%s that %s not followed run%s %s, too: %s at its "
			"probes, "
			"for 0.6 to 12 us each time",
			most->strangers, most->strangers == 1 ? "" : "es",
			most->strangers == 1 ? "is" : "are", most->strangers == 1 ? "s" : "",
			most->name, most->strangers == 1 ? "it stops" : "they stop");
}

/* Ourselves, or a child that helps us (process/supervisor.c)? */
static bool is_ours(int pid)
{
	return pid == getpid() || process_parent(pid) == getpid();
}

void tree_files_report_others(const struct tracer *t, const struct program *p)
{
	if (option_number(t->options, OPTION_quiet))
		return;
	file_vector files = { 0 };
	add_files(&files, t, p, is_of_tree);
	size_t count;
	auto_free int *all = files.count ? process_all(&count) : NULL;
	for (size_t i = 0; all && i < count; i++)
		if (!is_ours(all[i]) && !targets_has_member(t, all[i]))
			count_process(&files, all[i]);
	report_strangers(&files);
	vector_free(&files);
}

/* --- our own process -------------------------------------------------------------------------- */

/*
 * Matching descriptions again calls so many functions of the C library that, with all of their
 * entries and returns probed, a shell with two children took 18 s instead of 2 s.
 */
void tree_files_leave(const struct tracer *t, const struct program *p)
{
	file_vector files = { 0 };
	struct mapping *list;
	size_t count;
	add_files(&files, t, p, is_shared);
	auto_error struct error *err =
		files.count ? process_mappings(getpid(), &list, &count) : NULL;
	bool is_known = files.count && !err;
	for (size_t i = 0; is_known && i < files.count; i++)
		for (size_t k = 0; k < count; k++)
			if (is_file(&files.items[i], &list[k]) && !own_code_copy(&list[k]))
				log_debug("dtrace stops at probes in %s", files.items[i].path);
	if (is_known)
		process_mappings_free(list, count);
	vector_free(&files);
}

/* --- programs that start ---------------------------------------------------------------------- */

/* A program maps a library twice: as a whole, and its code again at the code's place. */
#define MAPPED_TIMES 2
#define PLACES_MANY 500

/* Several events may have a site at one place. */
static void file_add_places(struct hash *known, struct file *f, const struct event_code *code)
{
	for (uint32_t i = 0; i < code->site_count; i++) {
		const struct {
			const struct file *file;
			uint64_t at;
		} key = { f, code->sites[i].at };
		void **place = hash_place(known, &key, sizeof(key));
		f->places += !*place;
		*place = f;
	}
}

static void files_count_places(file_vector *files, const struct tracer *t, const struct program *p)
{
	struct hash *known = hash_new();
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0; k < p->groups[i].event_count; k++) {
			const struct event *e = &p->groups[i].events[k];
			struct file *f = is_shared(t, e) ? file_of(files, &e->code) : NULL;
			if (f)
				file_add_places(known, f, &e->code);
		}
	hash_free(known);
}

/* The time to map FILE, whose probes are there, once; 0: not known. */
static uint64_t mapping_ns(const struct file *f)
{
	auto_close int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return 0;
	size_t size = (size_t)st.st_size;
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	uint64_t end = clock_ns(CLOCK_MONOTONIC);
	if (memory == MAP_FAILED)
		return 0;
	munmap(memory, size);
	return end - begin;
}

void tree_files_report_starts(struct tracer *t)
{
	if (option_number(t->options, OPTION_quiet))
		return;
	file_vector files = { 0 };
	add_files(&files, t, &t->program, is_shared);
	files_count_places(&files, t, &t->program);
	for (size_t i = 0; i < files.count; i++) {
		const struct file *f = &files.items[i];
		uint64_t ns = f->places < PLACES_MANY ? 0 : MAPPED_TIMES * mapping_ns(f);
		if (ns)
			message("each program that starts with %s%s takes some %.1f ms longer: the "
				"kernel sets %u breakpoints in it, twice",
				f->name, f->of_tree ? ", followed or not," : "",
				(double)ns / NS_PER_MS, f->places);
	}
	vector_free(&files);
}
