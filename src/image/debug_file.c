/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug_file - where a file's debug information is if not in the file
 *
 * Two conventions: /usr/lib/debug/.build-id/XX/YYYY.debug, XXYYYY the build id, and the name in the
 * section .gnu_debuglink, next to the file, in .debug/ there, or below /usr/lib/debug.  A name
 * alone may be that of another version's file, so the section has a checksum.  Both are looked for
 * under the root of the process that maps the file, then under ours; then servers are asked by
 * build id, if the user names any.
 */
#include <stdio.h>
#include <zlib.h>

#include "image/image_internal.h"

#define DEBUG_FOLDER "/usr/lib/debug"
#define BUILD_ID_MAX 64

static struct elf_file *open_under(const char *root, const char *path)
{
	auto_free char *whole = mem_printf("%s%s", root, path);
	struct elf_file *elf = NULL;
	auto_error struct error *err = elf_file_open(whole, &elf);
	return err ? NULL : elf;
}

static bool has_build_id(const struct elf_file *elf, struct bytes id)
{
	struct bytes its = elf_file_build_id(elf);
	return its.size == id.size && memcmp(its.data, id.data, id.size) == 0;
}

static struct elf_file *by_build_id(struct image *i, const char *root)
{
	struct bytes id = image_build_id(i);
	auto_strbuf struct strbuf hex = { 0 };
	if (id.size < 2 || id.size > BUILD_ID_MAX)
		return NULL;
	strbuf_add_hexadecimal(&hex, id.data, id.size);
	auto_free char *path = mem_printf(DEBUG_FOLDER "/.build-id/%.2s/%s.debug",
					  strbuf_text(&hex), strbuf_text(&hex) + 2);
	struct elf_file *elf = open_under(root, path);
	if (elf && has_build_id(elf, id))
		return elf;
	elf_file_free(elf);
	return NULL;
}

static bool has_checksum(const struct elf_file *elf, uint32_t wanted)
{
	size_t size;
	const unsigned char *all = elf_file_image(elf, &size);
	return crc32_z(0, all, size) == wanted;
}

static struct elf_file *linked_at(const char *root, const char *path, uint32_t checksum)
{
	struct elf_file *elf = open_under(root, path);
	if (elf && has_checksum(elf, checksum))
		return elf;
	elf_file_free(elf);
	return NULL;
}

static struct elf_file *by_link(struct image *i, const char *root)
{
	uint32_t checksum;
	const char *name = elf_file_debug_link(i->elf, &checksum);
	const char *slash = strrchr(i->path, '/');
	if (!name || !slash || strchr(name, '/'))
		return NULL;
	int len = (int)(slash - i->path);
	static const char *const forms[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_FOLDER "%.*s/%s" };
	struct elf_file *found = NULL;
	for (size_t n = 0; n < ARRAY_SIZE(forms) && !found; n++) {
		auto_strbuf struct strbuf path = { 0 };
		strbuf_printf(&path, forms[n], len, i->path, name);
		found = linked_at(root, strbuf_text(&path), checksum);
	}
	return found;
}

/* The servers that the user names are queried last. */
static struct elf_file *from_server(struct image *i)
{
	struct images *t = i->table;
	struct elf_file *elf = NULL;
	if (!t->server)
		t->server = debug_server_new(t->interrupts);
	auto_close int fd = debug_server_fetch(t->server, image_build_id(i));
	auto_free char *path = mem_printf("/proc/self/fd/%d", fd);
	auto_error struct error *err = fd < 0 ? NULL : elf_file_open(path, &elf);
	return err ? NULL : elf;
}

struct elf_file *separate_open(struct image *i)
{
	char theirs[32];
	snprintf(theirs, sizeof(theirs), "/proc/%d/root", i->pid);
	const char *const roots[] = { theirs, "" };
	struct elf_file *found = NULL;
	for (size_t n = 0; n < ARRAY_SIZE(roots) && !found; n++) {
		found = by_build_id(i, roots[n]);
		if (!found)
			found = by_link(i, roots[n]);
	}
	return found ? found : from_server(i);
}
