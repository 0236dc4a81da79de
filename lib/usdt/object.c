/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object - an image, mapped into the process
 *
 * We map the file ourselves instead of by dlopen(), for dlclose() would unmap it while threads look
 * at its semaphores.  Here the addresses stay ours until the object is freed: unmapping puts
 * zeros there, in one step.  As the dynamic linker does for debuggers, we call the empty function
 * that it names (r_debug.r_brk): a tracer of this process sees the new code before we continue.
 *
 * The code is taken away when no thread is in it.  A thread that stays longer than WAIT_NS keeps
 * it; the next call tries again.
 *
 * If a provider is enabled again with the same probes, so is the file, whose probes tracers have
 * already.
 */
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define WAIT_NS 1000000000ll

/* Addresses; threads may read those of earlier images, too. */
struct range {
	unsigned char *at; /* NULL: none yet */
	size_t size;
	struct range *next;
};

struct object {
	struct object *next; /* all of them, for fork() */
	struct image image;
	char *module, *path;
	int fd;
	dev_t device; /* of the file: daemons close descriptors that they do not know */
	ino_t inode;
	struct range memory, *outgrown;
	bool is_mapped; /* fires */
	bool has_code;	/* the code is in memory */
	struct dtusdt_probe **probes;
	unsigned probe_count;
};

/* --- the lock, and fork() --- */

static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;
static struct object *all;

void changes_lock(void)
{
	pthread_mutex_lock(&changes);
}

void changes_unlock(void)
{
	pthread_mutex_unlock(&changes);
}

/* The child has one thread, and that one is in no probe. */
static void in_child(void)
{
	for (struct object *o = all; o; o = o->next)
		for (unsigned i = 0; i < o->probe_count; i++)
			o->probes[i]->firing = 0;
	changes_unlock();
}

__attribute__((constructor)) static void follow_forks(void)
{
	pthread_atfork(changes_lock, changes_unlock, in_child);
}

static void object_list(struct object *o)
{
	o->next = all;
	all = o;
}

static void object_unlist(struct object *o)
{
	struct object **place = &all;
	while (*place && *place != o)
		place = &(*place)->next;
	if (*place)
		*place = o->next;
}

/* --- mapping --- */

static size_t up(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return (size + page - 1) & ~(page - 1);
}

/* The object's addresses, without its file. */
static int clear(struct object *o)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (o->memory.at ? MAP_FIXED : 0);
	void *at = mmap(o->memory.at, o->memory.size, PROT_READ, flags, -1, 0);
	if (at == MAP_FAILED)
		return fail(errno, "no memory for the probes: %s", strerror(errno));
	o->memory.at = at;
	o->has_code = false;
	return 0;
}

static int map_part(const struct object *o, size_t at, size_t size, int protection)
{
	if (mmap(o->memory.at + at, up(size), protection, MAP_PRIVATE | MAP_FIXED, o->fd,
		 (off_t)at) != MAP_FAILED)
		return 0;
	return fail(errno, "cannot map the probes: %s", strerror(errno));
}

extern struct r_debug _r_debug __attribute__((weak)); /* static programs have none */

static void notify_debuggers(void)
{
	struct r_debug *linker = &_r_debug;
	if (linker && linker->r_brk)
		((void (*)(void))linker->r_brk)();
}

/* Code comes last: a tracer that sees it finds the semaphores. */
static int map_file(struct object *o)
{
	if (!o->memory.at && clear(o) < 0)
		return -1;
	if (map_part(o, o->image.data_at, o->image.data_size, PROT_READ | PROT_WRITE) < 0 ||
	    map_part(o, 0, o->image.code_size, PROT_READ | PROT_EXEC) < 0) {
		int error = errno;
		clear(o);
		errno = error;
		return -1;
	}
	o->has_code = true;
	return 0;
}

static void probes_show(struct object *o)
{
	const struct machine *m = machine_host();
	for (unsigned i = 0; i < o->probe_count; i++) {
		const unsigned char *semaphore =
			o->memory.at + o->image.data_at + i * sizeof(uint16_t);
		const unsigned char *site =
			o->memory.at + o->image.functions + (size_t)i * m->function_size;
		__atomic_store_n(&o->probes[i]->semaphore, (const void *)semaphore,
				 __ATOMIC_RELAXED);
		__atomic_store_n(&o->probes[i]->site, site, __ATOMIC_SEQ_CST);
	}
	o->is_mapped = true;
}

/* --- unmapping --- */

static void probes_hide(struct object *o)
{
	for (unsigned i = 0; i < o->probe_count; i++)
		__atomic_store_n(&o->probes[i]->site, NULL, __ATOMIC_SEQ_CST);
	o->is_mapped = false;
}

static bool has_thread(const struct object *o)
{
	for (unsigned i = 0; i < o->probe_count; i++)
		if (__atomic_load_n(&o->probes[i]->firing, __ATOMIC_SEQ_CST) > 0)
			return true;
	return false;
}

static long long now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static bool threads_have_left(const struct object *o)
{
	long long until = now_ns() + WAIT_NS;
	for (unsigned tries = 0; has_thread(o); tries++) {
		if (now_ns() > until)
			return false;
		if (tries < 100)
			sched_yield();
		else
			nanosleep(&(struct timespec) { .tv_nsec = 100000 }, NULL);
	}
	return true;
}

/* Not while a thread is in the code: then it stays. */
static int code_remove(struct object *o)
{
	return o->has_code && threads_have_left(o) ? clear(o) : 0;
}

int object_unmap(struct object *o)
{
	if (!o || !o->has_code)
		return 0;
	probes_hide(o);
	return code_remove(o);
}

bool object_is_mapped(const struct object *o)
{
	return o && o->is_mapped;
}

/* --- objects --- */

/* Is the descriptor still the file's? */
static bool has_file(const struct object *o)
{
	struct stat st;
	return o->fd >= 0 && fstat(o->fd, &st) == 0 && st.st_dev == o->device &&
	       st.st_ino == o->inode;
}

static bool is_same(const struct object *o, const struct image *image, const char *module,
		    bool in_folder)
{
	return has_file(o) && o->image.size == image->size && strcmp(o->module, module) == 0 &&
	       in_folder == (o->path != NULL) &&
	       memcmp(o->image.bytes, image->bytes, image->size) == 0;
}

static void file_close(struct object *o)
{
	if (has_file(o))
		close(o->fd);
	if (o->path)
		unlink(o->path);
	free(o->path);
	o->fd = -1;
	o->path = NULL;
}

static void probes_release(struct object *o)
{
	for (unsigned i = 0; i < o->probe_count; i++)
		probe_release(o->probes[i]);
	free(o->probes);
	o->probes = NULL;
	o->probe_count = 0;
}

/* Addresses for an image of SIZE bytes: those that O has, if they are enough. */
static int memory_choose(struct object *o, size_t size)
{
	if (o->memory.at && o->memory.size >= up(size))
		return 0;
	if (o->memory.at) {
		struct range *old = malloc(sizeof(*old));
		if (!old)
			return fail(ENOMEM, "out of memory");
		*old = o->memory;
		old->next = o->outgrown;
		o->outgrown = old;
	}
	o->memory = (struct range) { .size = up(size) };
	return 0;
}

static void memory_free(struct object *o)
{
	if (o->memory.at && !o->has_code) /* else a thread is still in the code */
		munmap(o->memory.at, o->memory.size);
	for (struct range *r = o->outgrown, *next; r; r = next) {
		next = r->next;
		munmap(r->at, r->size);
		free(r);
	}
}

void object_free(struct object *o)
{
	if (!o)
		return;
	object_unmap(o);
	object_unlist(o);
	memory_free(o);
	file_close(o);
	probes_release(o);
	free(o->image.bytes);
	free(o->module);
	free(o);
}

static struct object *object_new(void)
{
	struct object *o = calloc(1, sizeof(*o));
	if (!o) {
		fail(ENOMEM, "out of memory");
		return NULL;
	}
	o->fd = -1;
	object_list(o);
	return o;
}

static int probes_take(struct object *o, struct dtusdt_probe *const *probes, unsigned count)
{
	struct dtusdt_probe **list = calloc(count, sizeof(struct dtusdt_probe *));
	if (!list)
		return fail(ENOMEM, "out of memory");
	for (unsigned i = 0; i < count; i++)
		list[i] = probe_use(probes[i]);
	probes_release(o);
	o->probes = list;
	o->probe_count = count;
	return 0;
}

static void file_remember(struct object *o)
{
	struct stat st;
	if (fstat(o->fd, &st) == 0) {
		o->device = st.st_dev;
		o->inode = st.st_ino;
	}
}

/* IMAGE becomes O's. */
static int object_set(struct object *o, struct image *image, const char *module, bool in_folder)
{
	char *path, *name = strdup(module);
	if (!name || memory_choose(o, image->data_at + image->data_size) < 0) {
		free(name);
		return fail(ENOMEM, "out of memory");
	}
	int fd = file_make(module, image, in_folder, &path);
	if (fd < 0) {
		free(name);
		return -1;
	}
	file_close(o);
	free(o->image.bytes);
	free(o->module);
	o->image = *image;
	o->module = name;
	o->fd = fd;
	o->path = path;
	file_remember(o);
	image->bytes = NULL;
	return 0;
}

int object_map(struct object **object, const char *provider, const char *module, bool in_folder,
	       struct dtusdt_probe *const *probes, unsigned count)
{
	struct image image;
	if (!*object && !(*object = object_new()))
		return -1;
	struct object *o = *object;
	if (code_remove(o) < 0 || image_make(machine_host(), provider, probes, count,
					     (size_t)sysconf(_SC_PAGESIZE), &image) < 0)
		return -1;
	int status = 0;
	if (!o->module || !is_same(o, &image, module, in_folder))
		status = o->has_code ? fail(EBUSY, "a thread is still in a probe of the last time")
				     : object_set(o, &image, module, in_folder);
	free(image.bytes);
	if (status < 0 || probes_take(o, probes, count) < 0 || map_file(o) < 0)
		return -1;
	notify_debuggers();
	probes_show(o);
	return 0;
}

int object_file(const struct object *o, const char **path)
{
	*path = o ? o->path : NULL;
	return o ? o->fd : -1;
}
