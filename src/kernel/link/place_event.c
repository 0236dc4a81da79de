/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * place_event - many places of a file by one event, for kernels without uprobe_multi (Linux 6.6)
 *
 * Each perf event of a place takes 0.1 s to close, one after another.  tracefs makes one event of
 * many places (Linux 5.4): lines with one name in its file uprobe_events.  They share the link's
 * cookie, so each place has its own as an argument of the event, a constant, which the kernel keeps
 * with the place, and which our program finds there (runtime/site.c).
 *
 * Such an event outlives us and is removed by its name.  That must not happen while it is in use:
 * of an event with several places the kernel then frees places whose breakpoints stay
 * (unregister_trace_uprobe()).  So who has the event open has a lock of its
 * file `id`, too, also a child that goes on after kill -9 of us (unkillable.c).  An event whose
 * lock is free was left by a dtrace that was killed: who makes the next event removes it.  The lock
 * of uprobe_events is for the time in which an event is made or removed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "kernel/link/link_internal.h"

#define GROUP "dtrace_places"
#define LOCK_TRIES 500 /* every 10 ms: another dtrace makes an event of 10,000 places in 1 s */

/* --- the list of events --- */

/* With the lock; -1: we may not write to it, or another one does not let it go. */
static int list_open(void)
{
	int fd = openat(tracefs_folder(), "uprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC);
	for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return fd;
		usleep(10000);
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The file `id` of the event NAME; -1: there is no such event. */
static int id_open(const char *name)
{
	auto_free char *path = mem_printf("events/" GROUP "/%s/id", name);
	return openat(tracefs_folder(), path, O_RDONLY | O_CLOEXEC);
}

static void remove_from(int list, const char *name)
{
	auto_free char *line = mem_printf("-:" GROUP "/%s\n", name);
	if (write(list, line, strlen(line)) < 0)
		log_debug("place_event: %s stays: %s", name, strerror(errno));
}

static void remove_left(int list)
{
	int fd = openat(tracefs_folder(), "events/" GROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *events = fd < 0 ? NULL : fdopendir(fd);
	for (struct dirent *e; events && (e = readdir(events));) {
		auto_close int id = e->d_name[0] == 'p' ? id_open(e->d_name) : -1;
		if (id >= 0 && flock(id, LOCK_EX | LOCK_NB) == 0)
			remove_from(list, e->d_name);
	}
	if (events)
		closedir(events);
}

/* --- an event --- */

struct place_event {
	int id; /* its file, locked */
	char name[40];
};

/* A name that no event has: other PID namespaces have processes of our number, too. */
static void name_choose(char *ret, size_t size)
{
	static unsigned last;
	for (int id = 0; id >= 0;) {
		snprintf(ret, size, "p%d_%u", (int)getpid(), ++last);
		id = id_open(ret);
		if (id >= 0)
			close(id);
	}
}

/* FILE: opened, as a path may have characters that the list's lines cannot have. */
static bool places_add(int list, const char *name, const struct uprobe_multi *request, int file)
{
	auto_strbuf struct strbuf lines = { 0 };
	for (uint32_t i = 0; i < request->count; i++)
		strbuf_printf(&lines, "%c:" GROUP "/%s /proc/self/fd/%d:0x%llx site=\\0x%llx:u64\n",
			      request->is_return ? 'r' : 'p', name, file,
			      (unsigned long long)request->offsets[i],
			      (unsigned long long)request->cookies[i]);
	if (write(list, strbuf_text(&lines), lines.len) == (ssize_t)lines.len)
		return true;
	log_debug("place_event: %u places of %s: %s", request->count, request->name,
		  strerror(errno));
	return false;
}

static bool event_make(struct place_event *e, int list, const struct uprobe_multi *request,
		       uint64_t *ret)
{
	auto_close int file = open(request->path, O_PATH | O_CLOEXEC);
	char number[32] = "";
	bool added = file >= 0 && places_add(list, e->name, request, file);
	e->id = id_open(e->name);
	bool ours = e->id >= 0 && flock(e->id, LOCK_EX | LOCK_NB) == 0;
	if (ours && added && read(e->id, number, sizeof(number) - 1) > 0) {
		*ret = strtoull(number, NULL, 10);
		return true;
	}
	if (e->id >= 0) {
		remove_from(list, e->name);
		close(e->id);
	}
	return false;
}

struct place_event *place_event_new(const struct uprobe_multi *request, uint64_t *ret)
{
	auto_close int list = list_open();
	if (list < 0)
		return NULL;
	remove_left(list);
	struct place_event *e = mem_zalloc(sizeof(*e));
	name_choose(e->name, sizeof(e->name));
	if (event_make(e, list, request, ret))
		return e;
	free(e);
	return NULL;
}

/* Without the list it stays, for the next one who makes an event. */
void place_event_free(struct place_event *e)
{
	auto_close int list = list_open();
	if (list >= 0)
		remove_from(list, e->name);
	close(e->id);
	free(e);
}
