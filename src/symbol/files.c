/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/files.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct symbol_files {
	struct hash *by_inode;		  /* struct file_key -> struct elf_file or &unreadable */
	VECTOR(struct elf_file *) opened; /* to free them */
	struct hash *kept;		  /* some of them, by themselves */
};

/* What stands in the table for a file that is no ELF file: it is not tried again. */
static char unreadable;

struct file_key {
	uint64_t inode;
	uint32_t dev_major, dev_minor;
};

struct symbol_files *symbol_files_new(void)
{
	struct symbol_files *f = mem_zalloc(sizeof(*f));
	f->by_inode = hash_new();
	f->kept = hash_new();
	return f;
}

void symbol_files_free(struct symbol_files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->opened.count; i++)
		elf_file_free(f->opened.items[i]);
	vector_free(&f->opened);
	hash_free(f->by_inode);
	hash_free(f->kept);
	free(f);
}

/* The kernel's own library lies in no file: a copy of it, which is one. */
#define VDSO_PAGES 16

static bool is_vdso(const struct mapping *m)
{
	return string_equal(m->path, "[vdso]") && m->end - m->start <= VDSO_PAGES << 12;
}

static int memory_of(int pid)
{
	char path[32];
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int copy_vdso(int pid, const struct mapping *m)
{
	size_t size = m->end - m->start;
	auto_free char *image = mem_alloc(size);
	auto_close int memory = memory_of(pid);
	if (memory < 0 || pread(memory, image, size, (off_t)m->start) != (ssize_t)size)
		return -1;
	auto_close int copy = memfd_create("vdso", MFD_CLOEXEC);
	if (copy < 0 || write(copy, image, size) != (ssize_t)size)
		return -1;
	return take_fd(copy);
}

static struct elf_file *open_mapped(int pid, const struct mapping *m)
{
	auto_close int fd = is_vdso(m) ? copy_vdso(pid, m) : mapping_open(pid, m);
	struct elf_file *elf = NULL;
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	auto_error struct error *err =
		fd < 0 ? error_sys(errno, "cannot open") : elf_file_open_named(path, m->path, &elf);
	if (err)
		log_debug("no symbols of %s: %s", m->path, error_text(err));
	return elf;
}

/* Processes of 32-bit code have another one; 0: it cannot be told. */
static uint32_t vdso_kind(int pid, const struct mapping *m)
{
	auto_close int memory = memory_of(pid);
	unsigned char header[EI_NIDENT] = { 0 };
	if (memory >= 0 && pread(memory, header, sizeof(header), (off_t)m->start) > 0)
		return header[EI_CLASS];
	return 0;
}

struct elf_file *symbol_files_open(struct symbol_files *f, int pid, const struct mapping *m)
{
	if (!is_vdso(m) && (!m->inode || m->path[0] != '/'))
		return NULL;
	struct file_key key = { m->inode, m->dev_major, m->dev_minor };
	if (is_vdso(m))
		key.dev_minor = vdso_kind(pid, m);
	void *known = hash_get(f->by_inode, &key, sizeof(key));
	if (known)
		return known == &unreadable ? NULL : known;

	struct elf_file *elf = open_mapped(pid, m);
	/* A process that is gone says nothing about its files. */
	if (!elf && process_start_time(pid) == 0)
		return NULL;
	*hash_place(f->by_inode, &key, sizeof(key)) = elf ? (void *)elf : &unreadable;
	if (elf)
		vector_push(&f->opened, elf);
	return elf;
}

void symbol_files_keep(struct symbol_files *f, struct elf_file *file)
{
	*hash_place(f->kept, &file, sizeof(file)) = file;
}

size_t symbol_files_count(const struct symbol_files *f)
{
	return f->opened.count;
}

static bool is_needed(const struct symbol_files *f, const struct hash *used, const void *file)
{
	return hash_get(used, &file, sizeof(file)) || hash_get(f->kept, &file, sizeof(file));
}

struct copying {
	const struct symbol_files *files;
	const struct hash *used;
	struct hash *to;
};

static void copy_used(void *arg, const void *key, size_t key_len, void *value)
{
	const struct copying *c = arg;
	if (is_needed(c->files, c->used, value))
		*hash_place(c->to, key, key_len) = value;
}

void symbol_files_close_others(struct symbol_files *f, const struct hash *used)
{
	struct copying c = { f, used, hash_new() };
	hash_visit(f->by_inode, copy_used, &c);
	hash_free(f->by_inode);
	f->by_inode = c.to;

	size_t kept = 0;
	for (size_t i = 0; i < f->opened.count; i++) {
		struct elf_file *elf = f->opened.items[i];
		if (is_needed(f, used, elf))
			f->opened.items[kept++] = elf;
		else
			elf_file_free(elf);
	}
	f->opened.count = kept;
}
