/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/process/mapped_files.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEEN_MOST 65536 /* files that are remembered; then all are looked at again */

struct seen_file {
	bool is_known;		   /* it was looked at as it is now */
	struct timespec changed;   /* 0: nobody knows, it has no name any more */
	struct timespec modified;  /* the same */
	struct pid_object *object; /* NULL: the provider does not want it */
};

#define UNMAPPED_MOST 256 /* files that nobody maps and that stay traced */

struct mapped_files {
	struct probe_db *db;
	const struct mapped_files_kind *kind;
	void *arg;
	struct hash *seen; /* struct file_key -> struct seen_file */
	struct arena *arena;
	size_t seen_count;
	pid_object_vector objects;
	unsigned looks;	     /* that have begun */
	bool is_current;     /* a look has been made since the last question */
	unsigned kept_since; /* the look at which an unmapped file was mapped that is kept */
};

static struct seen_file *seen_of(struct mapped_files *f, struct file_key key)
{
	void **place = hash_place(f->seen, &key, sizeof(key));
	if (!*place) {
		*place = ARENA_NEW(f->arena, struct seen_file);
		f->seen_count++;
	}
	return *place;
}

static struct file_key file_key_of(const struct pid_object *o)
{
	return (struct file_key) { o->inode, o->dev_major, o->dev_minor };
}

/* All but those with objects, which are not looked at again. */
static void forget_seen(struct mapped_files *f)
{
	struct hash *before = f->seen;
	struct arena *arena = f->arena;
	f->seen = hash_new();
	f->arena = arena_new();
	f->seen_count = 0;
	for (size_t i = 0; i < f->objects.count; i++) {
		struct file_key key = file_key_of(f->objects.items[i]);
		const struct seen_file *seen = hash_get(before, &key, sizeof(key));
		if (seen && seen->object == f->objects.items[i])
			*seen_of(f, key) = *seen;
	}
	hash_free(before);
	if (arena)
		arena_free(arena);
}

struct mapped_files *mapped_files_new(struct probe_db *db, const struct mapped_files_kind *kind,
				      void *arg)
{
	struct mapped_files *f = mem_zalloc(sizeof(*f));
	f->db = db;
	f->kind = kind;
	f->arg = arg;
	forget_seen(f);
	return f;
}

void mapped_files_free(struct mapped_files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->objects.count; i++)
		pid_object_free(f->objects.items[i]);
	vector_free(&f->objects);
	hash_free(f->seen);
	arena_free(f->arena);
	free(f);
}

void mapped_files_ask_again(struct mapped_files *f)
{
	forget_seen(f);
	f->is_current = false;
}

/* --- one file --------------------------------------------------------------------------------- */

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/*
 * Was the mapped file, as ST says it is now (NULL: it has no name any more), looked at before?  The
 * inode of a file that is traced is no other file's: only its contents may have changed.
 */
static bool was_seen(const struct seen_file *seen, const struct stat *st)
{
	if (!seen->is_known || !st || same_time(seen->changed, st->st_ctim))
		return seen->is_known;
	return seen->object && image_is_open(seen->object->image) &&
	       same_time(seen->modified, st->st_mtim);
}

static struct pid_object *object_of_image(const struct mapped_files *f, const struct image *image)
{
	for (size_t i = 0; image && i < f->objects.count; i++)
		if (f->objects.items[i]->image == image)
			return f->objects.items[i];
	return NULL;
}

static bool is_code(const struct mapping *m)
{
	return m->executable && m->inode && m->path[0] == '/';
}

/* The file of OLD, which is traced, was written to: is IMAGE, its new contents, the same to us? */
static bool is_as_before(const struct mapped_files *f, const struct pid_object *old,
			 struct image *image)
{
	return old && image_is_open(old->image) && old->contents == f->kind->contents(image);
}

/* M's file, which the provider wants by its name, cannot be opened: reported once for each name. */
static void unread_file_report(struct mapped_files *f, const struct mapping *m)
{
	size_t len;
	const char *base = mapping_base_name(m->path, &len);
	auto_free char *text = mem_printf("a new file of %.*s cannot be probed: it was deleted or "
					  "replaced before it was read, or cannot be read",
					  (int)len, base);
	probe_db_unread(f->db, text);
}

/* The image of M, if the provider wants it, or NULL. */
static struct image *image_wanted(struct mapped_files *f, int pid, const struct mapping *m)
{
	struct images *images = pid_table_of(f->db)->images;
	if (f->kind->is_candidate && !f->kind->is_candidate(f->arg, m))
		return NULL;
	images_recheck(images, m);
	struct image *image = images_find(images, pid, m);
	if (image && f->kind->has_probes(image))
		return image;
	if (!image && f->kind->is_candidate)
		unread_file_report(f, m);
	images_trim(images);
	return NULL;
}

/* OLD: what the file was, or NULL.  NULL: it is not wanted. */
static struct pid_object *object_take(struct mapped_files *f, int pid, const struct mapping *m,
				      struct pid_object *old)
{
	struct pid_table *t = pid_table_of(f->db);
	struct image *image = image_wanted(f, pid, m);
	if (!image)
		return NULL;
	struct pid_object *known = object_of_image(f, image);
	if (!known && is_as_before(f, old, image))
		known = old;
	if (known) {
		images_trim(t->images);
		return known;
	}
	struct pid_object *o = pid_object_new(t, 0, pid, m);
	o->is_main = process_program(pid) == m->inode;
	o->is_mapped = true;
	o->contents = f->kind->contents(image);
	vector_push(&f->objects, o);
	return o;
}

static void process_begin(struct mapped_files *f, int pid)
{
	if (f->kind->process_begin)
		f->kind->process_begin(f->arg, pid);
}

/* O, or if NULL a file that was not wanted, has been looked at as it is now, and is M. */
static bool is_news(struct mapped_files *f, struct pid_object *o, const struct mapping *m)
{
	return f->kind->is_news && f->kind->is_news(f->arg, o, m);
}

/* PID has mapped M.  True: a file with probes that were not known. */
static bool note_file(struct mapped_files *f, int pid, const struct mapping *m)
{
	if (f->seen_count >= SEEN_MOST)
		forget_seen(f);
	struct seen_file *seen =
		seen_of(f, (struct file_key) { m->inode, m->dev_major, m->dev_minor });
	struct stat st;
	bool has_name = mapping_stat(pid, m, &st);
	if (seen->object)
		seen->object->last_look = f->looks;
	bool is_same = was_seen(seen, has_name ? &st : NULL);
	seen->is_known = true;
	seen->changed = has_name ? st.st_ctim : (struct timespec) { 0 };
	if (is_same && (seen->object || !is_news(f, NULL, m)))
		return seen->object && is_news(f, seen->object, m);
	seen->modified = has_name ? st.st_mtim : (struct timespec) { 0 };
	size_t count = f->objects.count;
	seen->object = object_take(f, pid, m, seen->object);
	if (!seen->object)
		return false;
	seen->object->last_look = f->looks;
	return is_news(f, seen->object, m) | (f->objects.count > count);
}

static bool note_mapping(struct mapped_files *f, int pid, const struct mapping *m)
{
	return is_code(m) && pid != getpid() && note_file(f, pid, m);
}

/* PID has mapped M: a list has a row for each such process, and the report of what they cost counts
 * them. */
static void mapper_add(struct mapped_files *f, int pid, const struct mapping *m)
{
	const struct file_key key = { m->inode, m->dev_major, m->dev_minor };
	const struct seen_file *seen =
		is_code(m) && pid != getpid() ? hash_get(f->seen, &key, sizeof(key)) : NULL;
	struct pid_object *o = seen ? seen->object : NULL;
	if (o && !(o->mappers.count && o->mappers.items[o->mappers.count - 1] == pid))
		vector_push(&o->mappers, pid);
}

/* --- files that nobody maps ------------------------------------------------------------------- */

static bool is_unmapped(const struct mapped_files *f, const struct pid_object *o)
{
	return o->last_look + 2 <= f->looks;
}

/*
 * Is O's file mapped by nobody, and deleted, or one of too many?  A file must be missing at two
 * looks: a process may have come and gone while we looked.
 */
static bool object_is_gone(const struct mapped_files *f, const struct pid_object *o)
{
	return !o->pid && is_unmapped(f, o) &&
	       (image_is_deleted(o->image) || o->last_look < f->kept_since);
}

static int by_look(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

/* Of those that nobody maps, the UNMAPPED_MOST that were mapped last are kept. */
static void choose_kept(struct mapped_files *f)
{
	auto_free unsigned *looks = mem_alloc((f->objects.count + 1) * sizeof(*looks));
	size_t count = 0;
	for (size_t i = 0; i < f->objects.count; i++)
		if (is_unmapped(f, f->objects.items[i]))
			looks[count++] = f->objects.items[i]->last_look;
	f->kept_since = 0;
	if (count <= UNMAPPED_MOST)
		return;
	qsort(looks, count, sizeof(*looks), by_look);
	f->kept_since = looks[UNMAPPED_MOST - 1];
}

static void object_remove(struct mapped_files *f, struct pid_object *o)
{
	struct file_key key = file_key_of(o);
	struct seen_file *seen = hash_get(f->seen, &key, sizeof(key));
	if (seen && seen->object == o)
		*seen = (struct seen_file) { 0 };
	image_discard(take(o->image));
	pid_object_free(o);
}

/* Files without probes: none was asked for, or all are retired. */
static void forget_unmapped(struct mapped_files *f)
{
	size_t kept = 0;
	for (size_t i = 0; i < f->objects.count; i++) {
		struct pid_object *o = f->objects.items[i];
		if (!o->probes && is_unmapped(f, o))
			object_remove(f, o);
		else
			f->objects.items[kept++] = o;
	}
	f->objects.count = kept;
}

/* --- all processes ---------------------------------------------------------------------------- */

static bool process_look(struct mapped_files *f, int pid)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	bool has_new = false;
	if (err) /* it has ended, or is not ours to read */
		return false;
	process_begin(f, pid);
	for (size_t i = 0; i < count; i++) {
		has_new |= note_mapping(f, pid, &list[i]);
		mapper_add(f, pid, &list[i]);
	}
	process_mappings_free(list, count);
	return has_new;
}

static bool look_at_all(struct mapped_files *f)
{
	DIR *processes = opendir("/proc");
	bool has_new = false;
	f->looks++;
	f->is_current = true;
	for (size_t i = 0; i < f->objects.count; i++)
		f->objects.items[i]->mappers.count = 0;
	for (struct dirent *e; processes && (e = readdir(processes));)
		if (isdigit((unsigned char)e->d_name[0]))
			has_new |= process_look(f, atoi(e->d_name));
	if (processes)
		closedir(processes);
	forget_unmapped(f);
	choose_kept(f);
	return has_new;
}

const pid_object_vector *mapped_files_objects(struct mapped_files *f)
{
	if (!f->is_current)
		look_at_all(f);
	return &f->objects;
}

/* A mapping of PATH's file, as only the kernel knows it; *RET's path is allocated. */
static bool mapping_of_path(const char *path, struct mapping *ret)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return false;
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(getpid(), &list, &count);
	const struct mapping *m = err ? NULL : mappings_find(list, count, (uint64_t)(uintptr_t)at);
	bool found = m && m->inode == st.st_ino;
	if (found) {
		*ret = *m;
		ret->path = mem_strdup(m->path);
	}
	if (!err)
		process_mappings_free(list, count);
	munmap(at, 1);
	return found;
}

void mapped_files_add(struct mapped_files *f, const char *path)
{
	struct mapping m;
	if (!mapping_of_path(path, &m))
		return;
	process_begin(f, getpid());
	note_file(f, getpid(), &m);
	free(m.path);
}

/* --- what providers say of them --------------------------------------------------------------- */

static struct mapped_files *known_files(const struct provider *self, struct probe_db *db)
{
	return *(struct mapped_files **)probe_db_state(db, self);
}

/* NULL: PROBE has no place. */
static struct pid_object *probe_object(const struct probe *probe)
{
	return probe->data ? *(struct pid_object **)probe->data : NULL;
}

static bool file_mapped(const struct provider *self, struct probe_db *db, int pid,
			const struct mapping *m)
{
	struct mapped_files *f = known_files(self, db);
	if (!f)
		return false;
	process_begin(f, pid);
	return note_mapping(f, pid, m);
}

static bool files_look(const struct provider *self, struct probe_db *db)
{
	struct mapped_files *f = known_files(self, db);
	return f && look_at_all(f);
}

static bool probe_is_gone(struct probe_db *db, const struct probe *probe)
{
	const struct mapped_files *f = known_files(probe->owner, db);
	const struct pid_object *o = probe_object(probe);
	return f && o && object_is_gone(f, o);
}

static bool key_of_probe(const struct probe *probe, struct file_key *ret)
{
	const struct pid_object *o = probe_object(probe);
	if (!o || o->pid)
		return false;
	*ret = file_key_of(o);
	return true;
}

static size_t mappers(const struct probe *probe, const int **ret)
{
	const struct pid_object *o = probe_object(probe);
	if (!o)
		return 0;
	*ret = o->mappers.items;
	return o->mappers.count;
}

static struct bytes probe_its_file(const struct probe *probe, const char **name)
{
	const struct pid_object *o = probe_object(probe);
	if (!o || o->pid || !o->image)
		return bytes_of(NULL, 0);
	*name = image_name(o->image);
	return image_build_id(o->image);
}

static bool same_file(const struct probe *a, const struct probe *b)
{
	const struct pid_object *x = probe_object(a), *y = probe_object(b);
	return x == y || (x && y && !x->pid && !y->pid && x->contents == y->contents);
}

static struct file_types probe_types(const struct probe *probe)
{
	const struct pid_object *o = probe_object(probe);
	const char *why;
	return o && !o->pid ? pid_object_types(o, &why)
			    : (struct file_types) { .btf = bytes_of(NULL, 0) };
}

static void files_forget(const struct provider *self, struct probe_db *db)
{
	struct mapped_files *f = known_files(self, db);
	if (f)
		forget_unmapped(f);
}

const struct provider_files mapped_files_of_provider = {
	.mapped = file_mapped,
	.look = files_look,
	.is_gone = probe_is_gone,
	.key = key_of_probe,
	.mappers = mappers,
	.file = probe_its_file,
	.same_file = same_file,
	.types = probe_types,
	.forget = files_forget,
};
