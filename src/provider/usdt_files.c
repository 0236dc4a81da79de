/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/usdt_files.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEEN_MOST 65536 /* files that are remembered; then all are looked at again */

struct file_key {
	uint64_t inode;
	uint32_t dev_major, dev_minor;
};

struct seen_file {
	struct timespec changed; /* 0: nobody knows, it has no name any more */
};

struct usdt_files {
	struct probe_db *db;
	struct hash *seen; /* struct file_key -> struct seen_file */
	struct arena *arena;
	size_t seen_count;
	pid_object_vector objects;
	bool has_looked;
};

static void forget_seen(struct usdt_files *f)
{
	hash_free(f->seen);
	arena_free(f->arena);
	f->seen = hash_new();
	f->arena = arena_new();
	f->seen_count = 0;
}

struct usdt_files *usdt_files_new(struct probe_db *db)
{
	struct usdt_files *f = mem_zalloc(sizeof(*f));
	f->db = db;
	forget_seen(f);
	return f;
}

void usdt_files_free(struct usdt_files *f)
{
	for (size_t i = 0; i < f->objects.count; i++)
		pid_object_free(f->objects.items[i]);
	vector_free(&f->objects);
	hash_free(f->seen);
	arena_free(f->arena);
	free(f);
}

/* --- one file --------------------------------------------------------------------------------- */

/* Was the mapped file, as it is now, looked at before?  From now on it was. */
static bool was_seen(struct usdt_files *f, int pid, const struct mapping *m)
{
	if (f->seen_count == SEEN_MOST)
		forget_seen(f);
	const struct file_key key = { m->inode, m->dev_major, m->dev_minor };
	void **place = hash_place(f->seen, &key, sizeof(key));
	struct seen_file *seen = *place;
	struct stat st;
	if (!mapping_stat(pid, m, &st))
		st.st_ctim = (struct timespec) { 0 };
	bool is_same =
		seen && (!st.st_ctim.tv_sec || (seen->changed.tv_sec == st.st_ctim.tv_sec &&
						seen->changed.tv_nsec == st.st_ctim.tv_nsec));
	if (!seen) {
		*place = seen = ARENA_NEW(f->arena, struct seen_file);
		f->seen_count++;
	}
	seen->changed = st.st_ctim;
	return is_same;
}

static bool has_object(const struct usdt_files *f, const struct image *image)
{
	for (size_t i = 0; i < f->objects.count; i++)
		if (f->objects.items[i]->image == image)
			return true;
	return false;
}

static bool has_notes(struct image *image)
{
	const char *damage;
	return image && (image_usdt(image, &damage)->count || damage);
}

static bool is_code(const struct mapping *m)
{
	return m->executable && m->inode && m->path[0] == '/';
}

bool usdt_files_mapped(struct usdt_files *f, int pid, const struct mapping *m)
{
	struct pid_table *t = pid_table_of(f->db);
	if (!is_code(m) || pid == getpid() || was_seen(f, pid, m))
		return false;
	images_recheck(t->images, m);
	struct image *image = images_find(t->images, pid, m);
	if (!has_notes(image) || has_object(f, image)) {
		images_trim(t->images);
		return false;
	}
	struct pid_object *o = pid_object_new(t, 0, pid, m);
	o->is_main = process_program(pid) == m->inode;
	o->is_mapped = true;
	vector_push(&f->objects, o);
	return true;
}

/* --- all processes ---------------------------------------------------------------------------- */

static bool process_look(struct usdt_files *f, int pid)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	bool has_new = false;
	if (err) /* it has ended, or is not ours to read */
		return false;
	for (size_t i = 0; i < count; i++)
		has_new |= usdt_files_mapped(f, pid, &list[i]);
	process_mappings_free(list, count);
	return has_new;
}

bool usdt_files_look(struct usdt_files *f)
{
	DIR *processes = opendir("/proc");
	bool has_new = false;
	f->has_looked = true;
	for (struct dirent *e; processes && (e = readdir(processes));)
		if (isdigit((unsigned char)e->d_name[0]))
			has_new |= process_look(f, atoi(e->d_name));
	if (processes)
		closedir(processes);
	return has_new;
}

const pid_object_vector *usdt_files_objects(struct usdt_files *f)
{
	if (!f->has_looked)
		usdt_files_look(f);
	return &f->objects;
}
