/* SPDX-License-Identifier: BSD-2-Clause */
/* strangers - how many processes that are not traced stop at probes of followed ones, too */
#include <string.h>
#include <sys/stat.h>

#include "tracer/internal.h"

struct file {
	const char *path, *name;
	uint64_t inode;
	unsigned strangers;
};

struct files {
	const struct tracer *tracer;
	VECTOR(struct file) list;
};

static void add_file(struct files *f, const struct event_code *code)
{
	struct stat st;
	for (size_t i = 0; i < f->list.count; i++)
		if (string_equal(f->list.items[i].path, code->path))
			return;
	if (stat(code->path, &st) == 0)
		vector_push(&f->list, ((struct file) { code->path, code->name, st.st_ino, 0 }));
}

static void add_files(struct files *f, const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0; k < p->groups[i].event_count; k++)
			if (event_of_tree(&p->groups[i].events[k]))
				add_file(f, &p->groups[i].events[k].code);
}

/* Some file systems have other device numbers in mappings than stat() says: the name decides. */
static bool is_file(const struct file *f, const struct mapping *m)
{
	size_t len, other;
	const char *name = mapping_base_name(f->name, &len);
	const char *its = mapping_base_name(m->path, &other);
	return m->executable && m->inode == f->inode && len == other && memcmp(name, its, len) == 0;
}

static void count_process(struct files *f, int pid)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return;
	for (size_t i = 0; i < f->list.count; i++)
		for (size_t k = 0; k < count; k++)
			if (is_file(&f->list.items[i], &list[k])) {
				f->list.items[i].strangers++;
				break;
			}
	process_mappings_free(list, count);
}

/* One message for all: the file with the most. */
static void report(const struct files *f)
{
	const struct file *most = NULL;
	for (size_t i = 0; i < f->list.count; i++)
		if (!most || f->list.items[i].strangers > most->strangers)
			most = &f->list.items[i];
	if (most && most->strangers)
		message("warning: %u process%s that %s not followed run%s %s, too: %s at its "
			"probes, "
			"for 0.5 to 5 us each time",
			most->strangers, most->strangers == 1 ? "" : "es",
			most->strangers == 1 ? "is" : "are", most->strangers == 1 ? "s" : "",
			most->name, most->strangers == 1 ? "it stops" : "they stop");
}

void tracer_report_strangers(const struct tracer *t, const struct program *p)
{
	if (!tracer_follows(t) || tracer_has_private_members(t) ||
	    option_number(t->options, OPTION_quiet))
		return;
	struct files f = { .tracer = t };
	add_files(&f, p);
	size_t count;
	auto_free int *all = f.list.count ? process_all(&count) : NULL;
	for (size_t i = 0; all && i < count; i++)
		if (all[i] != getpid() && !tracer_is_member(t, all[i]))
			count_process(&f, all[i]);
	report(&f);
	vector_free(&f.list);
}
