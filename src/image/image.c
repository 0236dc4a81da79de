/* SPDX-License-Identifier: BSD-2-Clause */
/* image - one file: opening it, and its data */
#include "image/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/image_internal.h"
#include "object/object.h"

/* --- opening --- */

static int copy_vdso(int pid, const struct mapping *m)
{
	size_t size = m->end - m->start;
	auto_free char *bytes = mem_alloc(size);
	auto_close int memory = process_open_memory(pid);
	if (memory < 0 || pread(memory, bytes, size, (off_t)m->start) != (ssize_t)size)
		return -1;
	auto_close int copy = memfd_create("vdso", MFD_CLOEXEC);
	if (copy < 0 || write(copy, bytes, size) != (ssize_t)size)
		return -1;
	return take_fd(copy);
}

int image_open_mapping(int pid, const struct mapping *m)
{
	return m->inode ? mapping_open(pid, m) : copy_vdso(pid, m);
}

/* The separate debug file, opened once; NULL: there is none. */
static struct elf_file *separate_of(void *image)
{
	struct image *i = image;
	if (!i->sought_separate)
		i->separate = separate_open(i);
	i->sought_separate = true;
	return i->separate;
}

static bool is_elf(int fd)
{
	char magic[SELFMAG];
	return pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       memcmp(magic, ELFMAG, SELFMAG) == 0;
}

void image_read(struct image *i, int fd)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	auto_error struct error *err = elf_file_open_named(path, i->path, &i->elf);
	if (err) {
		i->problem = mem_strdup(error_text(err));
		i->is_foreign = !is_elf(fd);
		log_debug("%s is not read: %s", i->path, i->problem);
		return;
	}
	elf_file_set_separate(i->elf, separate_of, i);
	i->table->open++;
}

static bool image_is_file(const struct image *i, int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == i->key.inode &&
	       st.st_ctim.tv_sec == i->changed.tv_sec && st.st_ctim.tv_nsec == i->changed.tv_nsec;
}

/* Where it was found last, else where its name leads; -1: it is not there any more. */
static int open_again(const struct image *i)
{
	struct mapping seen = {
		.start = i->start,
		.end = i->end,
		.inode = i->key.inode,
		.path = i->path,
	};
	auto_close int fd = mapping_open(i->pid, &seen);
	if (fd >= 0 && image_is_file(i, fd))
		return take_fd(fd);
	auto_close int ours = open(i->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return ours >= 0 && image_is_file(i, ours) ? take_fd(ours) : -1;
}

static void count_bytes(struct image *i)
{
	size_t now = i->elf ? elf_file_memory(i->elf) : 0;
	now += i->usdt.capacity * sizeof(*i->usdt.items);
	now += i->branches.count * sizeof(*i->branches.targets);
	i->table->bytes += now - i->bytes;
	i->bytes = now;
}

/* A missing part is reported when it is used. */
static void report_truncated(struct image *i)
{
	if (!i->elf || i->is_truncated || !elf_file_lost_bytes(i->elf))
		return;
	i->is_truncated = true;
	message_loss("%s was truncated while it was read: some of its symbols, probes and unwind "
		     "tables are missing",
		     i->path);
}

struct elf_file *image_elf(struct image *i)
{
	report_truncated(i);
	i->used = ++i->table->questions;
	if (!i->elf && !i->problem) {
		auto_close int fd = open_again(i);
		if (fd >= 0)
			image_read(i, fd);
	}
	count_bytes(i);
	return i->elf;
}

struct error *image_problem(const struct image *i)
{
	return i->problem ? error_new("%s", i->problem) : error_new("%s no longer exists", i->path);
}

static void usdt_close(struct image *i)
{
	vector_free(&i->usdt);
	free(i->usdt_problem);
	i->usdt_problem = NULL;
	hash_free(i->semaphores);
	i->semaphores = NULL;
	i->sought_usdt = false;
}

/* Identifies the file for others, who may ask when it is closed and gone. */
static void build_id_keep(struct image *i)
{
	if (!i->elf || i->sought_build_id)
		return;
	i->sought_build_id = true;
	struct bytes id = elf_file_build_id(i->elf);
	if (id.size && id.size <= BUILD_ID_MOST) {
		memcpy(i->build_id, id.data, id.size);
		i->build_id_size = id.size;
	}
}

void image_close(struct image *i)
{
	report_truncated(i);
	build_id_keep(i);
	usdt_close(i);
	branches_free(&i->branches);
	i->sought_branches = false;
	if (i->elf)
		i->table->open--;
	elf_file_free(i->elf);
	i->elf = NULL;
	if (!i->debug) {
		elf_file_free(i->separate);
		i->separate = NULL;
		i->sought_separate = false;
	}
	count_bytes(i);
}

static bool path_open(struct image *i)
{
	i->fd = open_again(i);
	if (i->fd < 0)
		return false;
	i->fd_path = mem_printf("/proc/self/fd/%d", i->fd);
	i->table->descriptors++;
	return true;
}

static void path_close(struct image *i)
{
	if (i->fd < 0)
		return;
	close(i->fd);
	i->fd = -1;
	free(i->fd_path);
	i->fd_path = NULL;
	i->table->descriptors--;
}

void image_free(struct image *i)
{
	debug_info_free(i->debug);
	i->debug = NULL;
	image_close(i);
	path_close(i);
	strbuf_deinit(&i->ctf);
	free(i->ctf_problem);
	free(i->problem);
	free(i->path);
	free(i);
}

/* --- its data --- */

const char *image_name(const struct image *i)
{
	return i->path;
}

bool image_is_foreign(const struct image *i)
{
	return i->is_foreign;
}

const char *image_path(struct image *i)
{
	if (!image_elf(i))
		return NULL;
	if (i->fd < 0 && !path_open(i))
		return NULL;
	i->is_held = true;
	return i->fd_path;
}

bool image_is_open(const struct image *i)
{
	return i->fd >= 0;
}

bool image_is_deleted(const struct image *i)
{
	struct stat st;
	return i->fd >= 0 && fstat(i->fd, &st) == 0 && st.st_nlink == 0;
}

void image_discard(struct image *i)
{
	if (i->references == 1 && !i->debug) {
		path_close(i);
		i->is_held = false;
		image_close(i);
	}
	image_release(i);
}

struct bytes image_build_id(struct image *i)
{
	if (!i->sought_build_id && image_elf(i))
		build_id_keep(i);
	return bytes_of(i->build_id, i->build_id_size);
}

void image_identity(struct image *i, struct strbuf *ret)
{
	struct bytes id = image_build_id(i);
	strbuf_putc(ret, (char)id.size);
	strbuf_add(ret, id.data, id.size);
	if (id.size)
		return;
	strbuf_add(ret, &i->key, sizeof(i->key));
	strbuf_add(ret, &i->changed, sizeof(i->changed));
}

struct debug_info *image_debug_info(struct image *i)
{
	struct elf_file *elf = image_elf(i);
	if (i->sought_debug || !elf)
		return i->debug;
	i->sought_debug = true;
	i->debug = debug_info_open(elf, &i->is_debug_damaged);
	if (!i->debug) {
		struct elf_file *separate = separate_of(i);
		i->debug = separate ? debug_info_open(separate, &i->is_debug_damaged) : NULL;
	}
	i->is_held |= i->debug != NULL;
	return i->debug;
}

bool image_debug_is_damaged(struct image *i, uint64_t address)
{
	struct debug_info *d = image_debug_info(i);
	return d ? debug_info_is_damaged(d, address) : i->is_debug_damaged;
}

void image_report_debug(struct image *i, uint64_t address)
{
	if (i->reported_debug || !image_debug_is_damaged(i, address))
		return;
	i->reported_debug = true;
	message_loss("the debug information of %s is damaged: some of its source lines and inlined "
		     "functions are missing",
		     i->path);
}

static void ctf_read(struct image *i, const struct elf_file *elf)
{
	if (i->sought_ctf)
		return;
	i->sought_ctf = true;
	auto_error struct error *err = ctf_to_btf(elf, &i->ctf);
	if (err)
		i->ctf_problem = mem_printf("%s: %s", i->path, error_text(err));
}

/* Of the file ELF, which is the image's own or its separate one. */
static struct bytes btf_of_file(struct image *i, const struct elf_file *elf)
{
	struct bytes ret;
	uint64_t address;
	if (elf_file_section(elf, ".BTF", &ret, &address))
		return ret;
	ctf_read(i, elf);
	return bytes_of(strbuf_text(&i->ctf), i->ctf.len);
}

struct bytes image_btf(struct image *i, const char **why)
{
	const struct elf_file *elf = image_elf(i);
	struct bytes ret = elf ? btf_of_file(i, elf) : bytes_of(NULL, 0);
	const struct elf_file *separate = elf && !ret.size ? separate_of(i) : NULL;
	if (separate) {
		i->sought_ctf = i->ctf_problem;
		ret = btf_of_file(i, separate);
	}
	*why = i->ctf_problem;
	return ret;
}

const struct frames *image_frames(struct image *i)
{
	const struct frames *frames = elf_file_frames(image_elf(i));
	count_bytes(i);
	return frames;
}

const struct branches *image_branches(struct image *i, const char **why)
{
	struct elf_file *elf = image_elf(i);
	if (elf && !i->sought_branches)
		i->branches_problem = branches_find(elf, &i->branches);
	i->sought_branches = elf;
	count_bytes(i);
	*why = elf ? i->branches_problem : "it cannot be read";
	return *why ? NULL : &i->branches;
}

static void usdt_read(struct image *i, const struct elf_file *elf)
{
	i->sought_usdt = true;
	auto_error struct error *err = elf_file_usdt(elf, &i->usdt);
	if (err)
		i->usdt_problem = mem_strdup(error_text(err));
}

const usdt_note_vector *image_usdt(struct image *i, const char **why)
{
	const struct elf_file *elf = image_elf(i);
	if (elf && !i->sought_usdt)
		usdt_read(i, elf);
	count_bytes(i);
	*why = i->usdt_problem;
	return &i->usdt;
}

static void add_semaphore(struct image *i, const struct usdt_note *note)
{
	uint64_t site, semaphore;
	if (!note->semaphore || !elf_file_offset(i->elf, note->site, &site) ||
	    !usdt_is_countable(i->elf, note->semaphore, &semaphore))
		return;
	*hash_place(i->semaphores, &site, sizeof(site)) = (void *)(uintptr_t)semaphore;
}

uint64_t image_semaphore(struct image *i, uint64_t site)
{
	const char *why;
	const usdt_note_vector *notes = image_usdt(i, &why);
	if (!notes->count)
		return 0;
	if (!i->semaphores) {
		i->semaphores = hash_new();
		for (size_t n = 0; n < notes->count; n++)
			add_semaphore(i, &notes->items[n]);
	}
	return (uintptr_t)hash_get(i->semaphores, &site, sizeof(site));
}
