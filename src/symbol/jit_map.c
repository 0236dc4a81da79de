/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/symbol_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sort.h"
#include "base/time_unit.h"

#define ENTRIES_MOST (4u << 20)
#define LAST_MOST 64u
#define FILE_MOST (256u << 20)		/* bytes that are read of it */
#define CHECK_NS (NS_PER_SECOND / 10)	/* between two looks: for the file, or at it; */
#define MISSED_NS (NS_PER_SECOND / 500) /* if an address has no name: 15 us each */
#define COVERING_MOST 64		/* entries before an address that may reach to it */

struct entry {
	uint64_t start, size;
	size_t line; /* code of a later line has replaced that of an earlier one */
	const char *name;
};

struct jit_map {
	int pid;
	int inner;	      /* its number in its own PID namespace; 0: not known yet */
	unsigned user;	      /* that it runs as */
	int fd;		      /* -1: no file yet */
	int dump_fd;	      /* -1: none is known */
	uint64_t dump_at;     /* where reading continues; UINT64_MAX: it is not read */
	struct hash *moving;  /* number of a piece of its code -> name */
	uint64_t checked_at;  /* CLOCK_MONOTONIC */
	uint64_t read;	      /* bytes of the file, whole lines */
	char last[LAST_MOST]; /* the last ones of these */
	size_t last_size;
	struct arena *names;
	VECTOR(struct entry) entries; /* by start, then by line */
	bool has_ended, always_checks;
};

static struct jit_map *map_new(int pid, int fd)
{
	struct jit_map *m = mem_zalloc(sizeof(*m));
	m->pid = pid;
	m->fd = fd;
	m->dump_fd = -1;
	m->moving = hash_new();
	m->names = arena_new();
	return m;
}

struct jit_map *jit_map_new(int pid)
{
	return map_new(pid, -1);
}

struct jit_map *jit_map_of_file(int fd)
{
	struct jit_map *m = map_new(0, fd);
	m->always_checks = true;
	return m;
}

void jit_map_free(struct jit_map *m)
{
	if (!m)
		return;
	if (m->fd >= 0)
		close(m->fd);
	if (m->dump_fd >= 0)
		close(m->dump_fd);
	hash_free(m->moving);
	arena_free(m->names);
	vector_free(&m->entries);
	free(m);
}

/* --- the file --------------------------------------------------------------------------------- */

/* Learn the process's number in its innermost PID namespace, and its user.  False: it is gone. */
static bool read_status(struct jit_map *m)
{
	char path[32], line[256];
	snprintf(path, sizeof(path), "/proc/%d/status", m->pid);
	auto_fclose FILE *f = fopen(path, "re");
	int inner = 0;
	unsigned user;
	bool has_user = false;
	while (f && fgets(line, sizeof(line), f)) {
		const char *last = strncmp(line, "NSpid:", 6) == 0 ? strrchr(line, '\t') : NULL;
		if (last)
			inner = atoi(last + 1);
		has_user |= sscanf(line, "Uid: %*u %u", &user) == 1;
	}
	if (inner <= 0 || !has_user)
		return false;
	m->inner = inner;
	m->user = user;
	return true;
}

/* Whose PATH is: a regular file of the process's user, or of root. */
static bool is_trusted(const struct jit_map *m, int fd, const char *path)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if (!st.st_uid || st.st_uid == m->user)
		return true;
	log_debug("%s is not read: it belongs to user %u", path, st.st_uid);
	return false;
}

/* The map of a process that is gone is still in our /tmp, if that was its own. */
static void open_file(struct jit_map *m)
{
	char path[64];
	bool is_there = m->pid && read_status(m);
	if (is_there)
		snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-%d.map", m->pid, m->inner);
	else if (m->inner && m->inner == m->pid)
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", m->pid);
	else
		return;
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd >= 0 && is_trusted(m, fd, path))
		m->fd = take_fd(fd);
}

/* --- its lines -------------------------------------------------------------------------------- */

static void add_line(struct jit_map *m, char *line)
{
	char *end, *name;
	struct entry e = { .start = strtoull(line, &end, 16), .line = m->entries.count };
	if (end == line || *end != ' ' || m->entries.count == ENTRIES_MOST)
		return;
	e.size = strtoull(end + 1, &name, 16);
	if (name == end + 1 || *name != ' ' || !name[1] || e.start + e.size < e.start)
		return;
	e.name = arena_strdup(m->names, name + 1);
	vector_push(&m->entries, e);
}

static int by_start(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* After the first KNOWN entries, which are sorted, others were added.  Those that come after a new
 * one move, from the end on. */
static void sort_new(struct jit_map *m, size_t known)
{
	size_t to = m->entries.count, left = to - known;
	struct entry *items = m->entries.items;
	if (!left)
		return;
	auto_free struct entry *added = mem_alloc(left * sizeof(*added));
	memcpy(added, items + known, left * sizeof(*added));
	qsort(added, left, sizeof(*added), by_start);
	while (left)
		items[--to] = known && by_start(&items[known - 1], &added[left - 1]) > 0
				      ? items[--known]
				      : added[--left];
}

/* TEXT is what is new; its last line may be written in part. */
static void add_lines(struct jit_map *m, char *text, size_t len)
{
	size_t known = m->entries.count;
	for (char *line = text, *end; (end = memchr(line, '\n', len - (size_t)(line - text)));
	     line = end + 1) {
		*end = '\0';
		add_line(m, line);
		m->read += (uint64_t)(end + 1 - line);
	}
	sort_new(m, known);
}

/* Is the last line that was read still where it was?  Else the file was written from its begin. */
static bool has_last_line(const struct jit_map *m)
{
	char now[LAST_MOST];
	return !m->last_size || (pread(m->fd, now, m->last_size, (off_t)(m->read - m->last_size)) ==
					 (ssize_t)m->last_size &&
				 memcmp(now, m->last, m->last_size) == 0);
}

static void keep_last_line(struct jit_map *m, const char *end, size_t len)
{
	m->last_size = MIN(len, LAST_MOST);
	memcpy(m->last, end - m->last_size, m->last_size);
}

static void begin_again(struct jit_map *m)
{
	arena_free(m->names);
	hash_free(m->moving);
	m->names = arena_new();
	m->moving = hash_new();
	m->read = m->entries.count = m->last_size = m->dump_at = 0;
}

static void read_more(struct jit_map *m)
{
	struct stat st;
	if (fstat(m->fd, &st) < 0)
		return;
	if ((uint64_t)st.st_size < m->read || !has_last_line(m))
		begin_again(m);
	if ((uint64_t)st.st_size == m->read || m->read >= FILE_MOST)
		return;
	size_t len = (size_t)MIN((uint64_t)st.st_size, FILE_MOST) - m->read;
	auto_free char *text = try_alloc(len);
	ssize_t got = text ? pread(m->fd, text, len, (off_t)m->read) : -1;
	const char *end = got > 0 ? memrchr(text, '\n', (size_t)got) : NULL;
	if (!end)
		return;
	keep_last_line(m, end + 1, (size_t)(end + 1 - text));
	add_lines(m, text, (size_t)(end + 1 - text));
}

/* --- the jitdump file ------------------------------------------------------------------------- */

bool jit_map_is_dump(const char *path)
{
	const char *name = path_base_name(path);
	int end = 0;
	return sscanf(name, "jit-%*u.dump%n", &end) == 0 && end && !name[end];
}

void jit_map_add_dump(struct jit_map *m, int fd)
{
	if (m->dump_fd < 0 && (m->inner || read_status(m)) && is_trusted(m, fd, "its jitdump file"))
		m->dump_fd = fd;
	else
		close(fd);
}

bool jit_map_has_dump(const struct jit_map *m)
{
	return m->dump_fd >= 0;
}

static void jit_map_add_code(void *arg, const struct jit_code *code)
{
	struct jit_map *m = arg;
	struct entry e = { .start = code->start, .size = code->size, .line = m->entries.count };
	if (m->entries.count == ENTRIES_MOST || e.start + e.size < e.start)
		return;
	void **name = hash_place(m->moving, &code->index, sizeof(code->index));
	if (code->name)
		*name = arena_strdup(m->names, code->name);
	e.name = *name;
	if (e.name)
		vector_push(&m->entries, e);
}

static void read_dump(struct jit_map *m)
{
	size_t known = m->entries.count;
	if (m->dump_at == UINT64_MAX)
		return;
	m->dump_at = jit_dump_read(m->dump_fd, m->dump_at, jit_map_add_code, m);
	if (m->dump_at == UINT64_MAX)
		log_debug("the jitdump file of process %d is not read (on)", m->pid);
	sort_new(m, known);
}

void jit_map_update(struct jit_map *m)
{
	m->checked_at = clock_ns(CLOCK_MONOTONIC);
	if (m->fd < 0)
		open_file(m);
	if (m->fd >= 0)
		read_more(m);
	if (m->dump_fd >= 0)
		read_dump(m);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Of the entries that cover ADDRESS the one that was made last. */
static const struct entry *jit_entry_covering(const struct jit_map *m, uint64_t address)
{
	const struct entry *best = NULL;
	size_t until = vector_until(&m->entries, start, address);
	for (size_t n = 0; n < COVERING_MOST && n < until; n++) {
		const struct entry *e = &m->entries.items[until - 1 - n];
		if (address - e->start < e->size && (!best || e->line > best->line))
			best = e;
	}
	return best;
}

static uint64_t age(const struct jit_map *m)
{
	return clock_ns(CLOCK_MONOTONIC) - m->checked_at;
}

/* Is it time to look at the file again?  The end of the process is an occasion, too. */
static bool is_due(struct jit_map *m)
{
	bool had_ended = m->has_ended;
	m->has_ended = m->pid && kill(m->pid, 0) < 0 && errno == ESRCH;
	return m->always_checks || m->has_ended != had_ended || age(m) >= CHECK_NS;
}

const char *jit_map_find(struct jit_map *m, uint64_t address, uint64_t *offset)
{
	if (is_due(m))
		jit_map_update(m);
	const struct entry *e = jit_entry_covering(m, address);
	if (!e && age(m) >= MISSED_NS) {
		jit_map_update(m);
		e = jit_entry_covering(m, address);
	}
	if (!e)
		return NULL;
	*offset = address - e->start;
	return e->name;
}
