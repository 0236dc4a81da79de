/* SPDX-License-Identifier: BSD-2-Clause */
/* mappings - /proc/PID/maps, and what else /proc says of a process */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "process/process.h"

#define MAPPINGS_MAX (64u << 20) /* no process has mappings for more text than this */
#define STAT_MAX 4096		 /* nor so many numbers in its stat */

bool mapping_alias(const char *base, bool is_program, const char *name)
{
	if (is_program && string_equal(name, "a.out"))
		return true;
	size_t len = strlen(name);
	if (strncmp(base, name, len) != 0)
		return false;
	bool has_so = len > 3 && string_equal(name + len - 3, ".so");
	return strncmp(base + len, ".so", 3) == 0 || (has_so && base[len] == '.');
}

const char *mapping_base_name(const char *path, size_t *len)
{
	static const char deleted[] = " (deleted)", memory[] = "/memfd:";
	const char *base = path_base_name(path);
	size_t tail = strlen(deleted), head = strlen(memory);
	if (strncmp(path, memory, head) == 0 && base == path + 1)
		base = path + head;
	*len = strlen(base);
	if (*len > tail && string_equal(base + *len - tail, deleted))
		*len -= tail;
	return base;
}

/* --- one line: "7f00-7f10 r-xp 00001000 08:01 1234    /lib/x.so" --- */

struct line {
	const char *p, *end;
	bool failed;
};

static uint64_t take_number(struct line *l, unsigned base)
{
	uint64_t v = 0;
	const char *begin = l->p;
	for (; l->p < l->end; l->p++) {
		unsigned digit = *l->p >= '0' && *l->p <= '9'	? (unsigned)(*l->p - '0')
				 : *l->p >= 'a' && *l->p <= 'f' ? (unsigned)(*l->p - 'a' + 10)
								: 99;
		if (digit >= base)
			break;
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v))
			l->failed = true;
	}
	l->failed |= l->p == begin;
	return v;
}

static void take_char(struct line *l, char c)
{
	if (l->p < l->end && *l->p == c)
		l->p++;
	else
		l->failed = true;
}

static bool take_flag(struct line *l, char set)
{
	bool is_set = l->p < l->end && *l->p == set;
	if (l->p < l->end)
		l->p++;
	else
		l->failed = true;
	return is_set;
}

bool mapping_parse(const char *line, size_t len, struct mapping *ret)
{
	struct line l = { line, line + len, false };
	struct mapping m = { 0 };
	m.start = take_number(&l, 16);
	take_char(&l, '-');
	m.end = take_number(&l, 16);
	take_char(&l, ' ');
	m.readable = take_flag(&l, 'r');
	m.writable = take_flag(&l, 'w');
	m.executable = take_flag(&l, 'x');
	m.shared = take_flag(&l, 's');
	take_char(&l, ' ');
	m.offset = take_number(&l, 16);
	take_char(&l, ' ');
	m.dev_major = (uint32_t)take_number(&l, 16);
	take_char(&l, ':');
	m.dev_minor = (uint32_t)take_number(&l, 16);
	take_char(&l, ' ');
	m.inode = take_number(&l, 10);
	if (l.failed || m.end <= m.start)
		return false;
	while (l.p < l.end && *l.p == ' ')
		l.p++;
	m.path = mem_strndup(l.p, (size_t)(l.end - l.p));
	*ret = m;
	return true;
}

static struct error *maps_read(int pid, struct strbuf *ret)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	return file_read(path, MAPPINGS_MAX, ret);
}

struct error *process_mappings(int pid, struct mapping **ret, size_t *count)
{
	struct error *err = kernel_check_proc();
	if (err)
		return err;
	auto_strbuf struct strbuf text = { 0 };
	err = maps_read(pid, &text);
	if (!err && !text.len && process_lost_first_thread(pid, &pid))
		err = maps_read(pid, &text);
	if (err)
		return err;

	VECTOR(struct mapping) list = { 0 };
	const char *end = strbuf_text(&text) + text.len;
	for (const char *line = strbuf_text(&text); line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		if (!newline)
			newline = end;
		struct mapping m;
		if (mapping_parse(line, (size_t)(newline - line), &m))
			vector_push(&list, m);
		line = newline + 1;
	}
	*ret = list.items;
	*count = list.count;
	return NULL;
}

void process_mappings_free(struct mapping *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].path);
	free(list);
}

const struct mapping *mappings_find(const struct mapping *list, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (address >= list[i].start && address < list[i].end)
			return &list[i];
	return NULL;
}

/* --- its file --- */

/* Open PATH if it is the file with this inode, else -1. */
static int open_inode(const char *path, uint64_t inode)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_ino != inode || !S_ISREG(st.st_mode))
		return -1;
	return take_fd(fd);
}

/*
 * The process may have another root, and its file may be deleted or replaced.
 * The links of map_files always lead to the very file, but only with
 * CAP_CHECKPOINT_RESTORE, so they come last.
 */
static int open_seen_by(int thread, const struct mapping *m)
{
	auto_free char *rooted = mem_printf("/proc/%d/root%s", thread, m->path);
	int fd = open_inode(rooted, m->inode);
	if (fd >= 0)
		return fd;
	auto_free char *exe = mem_printf("/proc/%d/exe", thread);
	fd = open_inode(exe, m->inode);
	if (fd >= 0)
		return fd;
	auto_free char *link = mem_printf("/proc/%d/map_files/%llx-%llx", thread,
					  (unsigned long long)m->start, (unsigned long long)m->end);
	return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* The process is gone: its file may be where it was, if that is seen from here. */
static int open_here(const struct mapping *m)
{
	auto_close int fd = open_inode(m->path, m->inode);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0 || major(st.st_dev) != m->dev_major ||
	    minor(st.st_dev) != m->dev_minor)
		return -1;
	return take_fd(fd);
}

int process_open_memory(int pid)
{
	char path[32];
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool process_read_word(int pid, uint64_t address, uint64_t *ret)
{
	auto_close int memory = process_open_memory(pid);
	return memory >= 0 && pread(memory, ret, sizeof(*ret), (off_t)address) == sizeof(*ret);
}

int mapping_open(int pid, const struct mapping *m)
{
	int fd = open_seen_by(pid, m);
	if (fd < 0 && process_lost_first_thread(pid, &pid))
		fd = open_seen_by(pid, m);
	return fd < 0 ? open_here(m) : fd;
}

bool mapping_stat(int pid, const struct mapping *m, struct stat *ret)
{
	auto_free char *rooted = mem_printf("/proc/%d/root%s", pid, m->path);
	return stat(rooted, ret) == 0 && ret->st_ino == m->inode && S_ISREG(ret->st_mode);
}

static uint64_t program_of(int thread)
{
	char path[64];
	struct stat st;
	snprintf(path, sizeof(path), "/proc/%d/exe", thread);
	return stat(path, &st) == 0 ? st.st_ino : 0;
}

uint64_t process_program(int pid)
{
	uint64_t inode = program_of(pid);
	if (!inode && process_lost_first_thread(pid, &pid))
		inode = program_of(pid);
	return inode;
}

/* --- stat --- */

/* The FIELD-th field of /proc/PID/stat, or NULL.  The second is a name that may hold anything. */
static const char *stat_field(int pid, int field, struct strbuf *text)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	auto_error struct error *err = file_read(path, STAT_MAX, text);
	const char *p = err ? NULL : strrchr(strbuf_text(text), ')');
	for (int at = 2; p && at < field; at++) {
		p = strchr(p, ' ');
		p = p ? p + 1 : NULL;
	}
	return p;
}

uint64_t process_stat_number(int pid, unsigned field)
{
	auto_strbuf struct strbuf text = { 0 };
	const char *p = stat_field(pid, field, &text);
	return p ? strtoull(p, NULL, 10) : 0;
}

uint64_t process_start_time(int pid)
{
	return process_stat_number(pid, 22);
}

int process_parent(int pid)
{
	return (int)process_stat_number(pid, 4);
}

/* What follows FIELD in /proc/PID/status, which is in TEXT; NULL: it is not there. */
static const char *status_field(int pid, const char *field, struct strbuf *text)
{
	char path[64], line[64];
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	snprintf(line, sizeof(line), "\n%s:\t", field);
	auto_error struct error *err = file_read(path, STAT_MAX, text);
	const char *p = err ? NULL : strstr(strbuf_text(text), line);
	return p ? p + strlen(line) : NULL;
}

int process_status_number(int pid, const char *field)
{
	auto_strbuf struct strbuf text = { 0 };
	const char *p = status_field(pid, field, &text);
	return p ? atoi(p) : 0;
}

bool process_status_has(int pid, const char *field, const char *word)
{
	auto_strbuf struct strbuf text = { 0 };
	const char *p = status_field(pid, field, &text), *at = p ? strstr(p, word) : NULL;
	return at && at < strchrnul(p, '\n');
}

int process_tracer(int pid)
{
	return process_status_number(pid, "TracerPid");
}

/* The entries of the folder PATH that are numbers. */
static int *numbers_in(const char *path, size_t *count)
{
	VECTOR(int) list = { 0 };
	DIR *dir = opendir(path);
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
			vector_push(&list, atoi(e->d_name));
	if (dir)
		closedir(dir);
	*count = list.count;
	return list.items;
}

int *process_all(size_t *count)
{
	return numbers_in("/proc", count);
}

int *process_threads(int pid, size_t *count)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return numbers_in(path, count);
}

bool process_thread_has_ended(int thread)
{
	auto_strbuf struct strbuf text = { 0 };
	const char *state = stat_field(thread, 3, &text);
	return !state || *state == 'Z' || *state == 'X';
}

#define KERNEL_THREAD 0x00200000 /* PF_KTHREAD of the kernel's <linux/sched.h> */

static bool is_kernel_thread(int pid)
{
	auto_strbuf struct strbuf text = { 0 };
	const char *flags = stat_field(pid, 9, &text);
	return flags && strtoull(flags, NULL, 10) & KERNEL_THREAD;
}

static bool is_closed(int pid)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	auto_close int fd = open(path, O_PATH | O_CLOEXEC);
	return fd < 0 && (errno == EACCES || errno == EPERM);
}

enum process_state process_state(int pid)
{
	int other;
	if (process_thread_has_ended(pid) && !process_lost_first_thread(pid, &other))
		return PROCESS_ENDED;
	if (is_kernel_thread(pid))
		return PROCESS_KERNEL;
	return is_closed(pid) ? PROCESS_CLOSED : PROCESS_RUNS;
}

bool process_lost_first_thread(int pid, int *other)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *threads = process_thread_has_ended(pid) ? opendir(path) : NULL;
	int found = 0;
	for (struct dirent *e; !found && threads && (e = readdir(threads));) {
		int thread = atoi(e->d_name); /* 0: "." and ".." */
		if (thread && thread != pid && !process_thread_has_ended(thread))
			found = thread;
	}
	if (threads)
		closedir(threads);
	if (found)
		*other = found;
	return found;
}
