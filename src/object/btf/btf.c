/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf - types of a kernel in its own description
 *
 *	+--------+------------------------------+---------------------+
 *	| header | types: 12 bytes + extra each | strings, NUL-ended  |
 *	+--------+------------------------------+---------------------+
 *
 * Types are numbered from 1 by their order and vary in length, so opening
 * walks them once to note where each sixteenth begins: the walk from there is
 * cheaper than the memory of them all.  Everything else is read on demand.  A
 * module's BTF continues its base: its first id follows the base's last one,
 * and so do its string offsets.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "object/btf/btf_internal.h"

#define BTF_MAGIC 0xeb9f
#define BTF_HEADER_SIZE 24
#define BTF_TYPE_SIZE 12

/* --- opening --- */

/* Bytes after the fixed 12, of each kind: some, and some for each of vlen. */
#define EXTRA(once, each) ((once) | (each) << 8)
static const uint16_t extra_sizes[KINDS] = {
	[BTF_INT] = EXTRA(4, 0),	[BTF_VAR] = EXTRA(4, 0),     [BTF_DECL_TAG] = EXTRA(4, 0),
	[BTF_ARRAY] = EXTRA(12, 0),	[BTF_STRUCT] = EXTRA(0, 12), [BTF_UNION] = EXTRA(0, 12),
	[BTF_DATASEC] = EXTRA(0, 12),	[BTF_ENUM64] = EXTRA(0, 12), [BTF_ENUM] = EXTRA(0, 8),
	[BTF_FUNC_PROTO] = EXTRA(0, 8),
};

static bool kind_is_known(uint32_t kind)
{
	return kind != BTF_VOID && kind < KINDS;
}

/* Of a known kind. */
static size_t extra_size(uint32_t kind, uint32_t vlen)
{
	uint32_t sizes = extra_sizes[kind];
	return (sizes & 0xff) + (size_t)(sizes >> 8) * vlen;
}

static uint32_t info_vlen(uint32_t info)
{
	return info & 0xffff;
}

/* The reason why the walk ended at AT: after the types, if the last one is not whole. */
static struct error *btf_type_problem(const struct btf *b, size_t at)
{
	if (at > b->types.size)
		return error_new("BTF type %u is truncated", b->first_id + b->count - 1);
	if (b->types.size - at < BTF_TYPE_SIZE)
		return error_new("BTF type %u is truncated", b->first_id + b->count);
	return error_new("BTF type %u is of unknown kind %u", b->first_id + b->count,
			 info_kind(u32_at(&b->types, at + 4)));
}

/* Most scripts request only these kinds: the others are listed at their first request. */
static const enum btf_kind listed_early[] = { BTF_STRUCT, BTF_TYPEDEF };

/* Where the next type of each kind is written; those of no list all to one place. */
struct lists {
	struct named *ends[KINDS];
	uint32_t steps[KINDS];
	struct named nowhere;
};

static void lists_begin(struct btf *b, struct lists *l)
{
	for (unsigned kind = 0; kind < KINDS; kind++) {
		l->ends[kind] = &l->nowhere;
		l->steps[kind] = 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(listed_early); i++) {
		enum btf_kind kind = listed_early[i];
		size_t most = b->types.size / BTF_TYPE_SIZE + 1;
		b->kinds[kind].types = mem_alloc(most * sizeof(struct named));
		l->ends[kind] = b->kinds[kind].types;
		l->steps[kind] = 1;
	}
}

static void lists_end(struct btf *b, const struct lists *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(listed_early); i++) {
		struct of_kind *k = &b->kinds[listed_early[i]];
		k->count = (uint32_t)(l->ends[listed_early[i]] - k->types);
		k->types = mem_realloc(k->types, (k->count + 1) * sizeof(*k->types));
	}
}

/*
 * The one walk over all types, to the end or to what is wrong: where each group begins, and the
 * kinds that are listed early.  It is a fifth of the start of a script that names a type of the
 * kernel (130,000 types: 0.6 ms), so it has few branches that are guessed wrong.  Returns where it
 * ended.  Kinds newer than we are end it.
 */
static size_t btf_walk(struct btf *b, struct lists *l)
{
	const struct bytes types = b->types;
	size_t at = 0;
	uint32_t count = 0;
	for (; at + BTF_TYPE_SIZE <= types.size; count++) {
		uint32_t info = u32_at(&types, at + 4), kind = info_kind(info);
		if (!kind_is_known(kind))
			break;
		if (count % GROUP_TYPES == 0)
			b->groups[count / GROUP_TYPES] = (uint32_t)at;
		*l->ends[kind] = (struct named) { (uint32_t)at, u32_at(&types, at) };
		l->ends[kind] += l->steps[kind];
		at += BTF_TYPE_SIZE;
		/* Mostly there is no more: guessed right, the next type is read without delay. */
		if (extra_sizes[kind])
			at += extra_size(kind, info_vlen(info));
	}
	b->count = count;
	return at;
}

static struct error *index_types(struct btf *b)
{
	if (b->types.size > UINT32_MAX)
		return error_new("BTF with %zu bytes of types is too large", b->types.size);
	size_t most = b->types.size / BTF_TYPE_SIZE / GROUP_TYPES + 1;
	b->groups = mem_alloc(most * sizeof(*b->groups));
	struct lists lists;
	lists_begin(b, &lists);
	size_t at = btf_walk(b, &lists);
	lists_end(b, &lists);
	return at == b->types.size ? NULL : btf_type_problem(b, at);
}

size_t btf_size(struct bytes b)
{
	bytes_take(&b, 4);
	uint64_t header = bytes_u32(&b), type_offset = bytes_u32(&b), type_size = bytes_u32(&b);
	uint64_t string_offset = bytes_u32(&b), string_size = bytes_u32(&b);
	return b.failed ? 0 : header + MAX(type_offset + type_size, string_offset + string_size);
}

static struct error *btf_read_header(struct btf *b, struct bytes all)
{
	uint16_t magic = bytes_u16(&all);
	uint8_t version = bytes_u8(&all);
	bytes_u8(&all); /* flags: none defined */
	uint32_t header_size = bytes_u32(&all);
	uint32_t type_offset = bytes_u32(&all), type_size = bytes_u32(&all);
	uint32_t string_offset = bytes_u32(&all), string_size = bytes_u32(&all);
	if (all.failed || magic != BTF_MAGIC)
		return error_new("not BTF of this machine's byte order");
	if (version != 1)
		return error_new("BTF version %u is unknown", version);
	if (header_size < BTF_HEADER_SIZE || header_size > all.size)
		return error_new("BTF header of %u bytes does not fit", header_size);

	struct bytes body = bytes_slice(&all, header_size, all.size - header_size);
	b->types = bytes_slice(&body, type_offset, type_size);
	b->strings = bytes_slice(&body, string_offset, string_size);
	if (b->types.failed || b->strings.failed)
		return error_new("BTF sections end after the end of the file");
	if (string_size && b->strings.data[string_size - 1] != 0)
		return error_new("BTF strings do not end");
	return NULL;
}

static struct error *btf_init(struct btf *b, const void *data, size_t size, const struct btf *base)
{
	b->base = base;
	b->first_id = 1;
	if (base) {
		b->first_id = base->first_id + base->count;
		b->first_string = base->first_string + (uint32_t)base->strings.size;
	}
	struct error *err = btf_read_header(b, bytes_of(data, size));
	return err ? err : index_types(b);
}

struct error *btf_of_bytes(const void *data, size_t size, struct btf **ret)
{
	struct btf *b = mem_zalloc(sizeof(*b));
	struct error *err = btf_init(b, data, size, NULL);
	if (err) {
		btf_free(b);
		return err;
	}
	*ret = b;
	return NULL;
}

/* Files of sysfs can be mapped since Linux 6.16; before, their size is known and they are read. */
static struct error *load_file(struct btf *b, const char *path, size_t *ret)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "cannot open %s", path);
	struct stat st;
	if (fstat(fd, &st) < 0)
		return error_sys(errno, "cannot read %s", path);
	if (st.st_size <= 0 || st.st_size > INT32_MAX)
		return error_new("%s has no usable size", path);
	size_t size = (size_t)st.st_size;

	/* Only sysfs is mapped: these files cannot be truncated. */
	void *p = strncmp(path, "/sys/", 5) == 0
			  ? mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0)
			  : MAP_FAILED;
	if (p != MAP_FAILED) {
		b->mapped = p;
		b->mapped_size = size;
		*ret = size;
		return NULL;
	}

	auto_strbuf struct strbuf text = { 0 };
	strbuf_room(&text, size);
	int errnum = fd_read_all(fd, size, &text);
	if (errnum)
		return error_sys(errnum, "cannot read %s", path);
	*ret = text.len;
	b->allocated = strbuf_take(&text);
	return NULL;
}

struct error *btf_open_module(const char *path, const struct btf *base, struct btf **ret)
{
	struct btf *b = mem_zalloc(sizeof(*b));
	size_t size = 0;
	struct error *err = load_file(b, path, &size);
	if (!err) {
		err = btf_init(b, b->mapped ? b->mapped : b->allocated, size, base);
		if (err)
			err = error_wrap(err, "cannot read %s", path);
	}
	if (err) {
		btf_free(b);
		return err;
	}
	*ret = b;
	return NULL;
}

struct error *btf_open(const char *path, struct btf **ret)
{
	return btf_open_module(path, NULL, ret);
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	if (b->mapped)
		munmap(b->mapped, b->mapped_size);
	free(b->allocated);
	free(b->groups);
	for (unsigned kind = 0; kind < KINDS; kind++)
		btf_names_free(&b->kinds[kind]);
	free(b);
}

/* --- reading --- */

uint32_t btf_count(const struct btf *b)
{
	return b->first_id + b->count - 1;
}

const char *btf_string(const struct btf *b, uint32_t offset)
{
	return btf_string_at(b, offset);
}

size_t btf_next(const struct btf *b, size_t at)
{
	uint32_t info = u32_at(&b->types, at + 4);
	return at + BTF_TYPE_SIZE + extra_size(info_kind(info), info_vlen(info));
}

size_t btf_offset(const struct btf *b, uint32_t i)
{
	size_t at = b->groups[i / GROUP_TYPES];
	for (uint32_t rest = i % GROUP_TYPES; rest; rest--)
		at = btf_next(b, at);
	return at;
}

bool btf_type_at(const struct btf *b, uint32_t id, struct btf_type *ret)
{
	if (id == 0) {
		*ret = (struct btf_type) { .name = "void", .kind = BTF_VOID };
		return true;
	}
	if (id < b->first_id)
		return b->base && btf_type_at(b->base, id, ret);
	if (id - b->first_id >= b->count)
		return false;

	size_t at = btf_offset(b, id - b->first_id);
	uint32_t info = u32_at(&b->types, at + 4);
	*ret = (struct btf_type) {
		.id = id,
		.name = btf_string(b, u32_at(&b->types, at)),
		.kind = (enum btf_kind)info_kind(info),
		.kind_flag = info >> 31,
		.vlen = info_vlen(info),
		.size_or_type = u32_at(&b->types, at + 8),
		.extra = bytes_of(b->types.data + at + BTF_TYPE_SIZE,
				  extra_size(info_kind(info), info_vlen(info))),
	};
	return true;
}

bool btf_member_at(const struct btf *b, const struct btf_type *type, uint32_t index,
		   struct btf_member *ret)
{
	if ((type->kind != BTF_STRUCT && type->kind != BTF_UNION) || index >= type->vlen)
		return false;
	struct bytes item = bytes_slice(&type->extra, (size_t)index * 12, 12);
	uint32_t name = bytes_u32(&item), id = bytes_u32(&item), offset = bytes_u32(&item);
	if (item.failed)
		return false;
	*ret = (struct btf_member) {
		.name = btf_string(b, name),
		.type = id,
		.bit_offset = type->kind_flag ? offset & 0xffffff : offset,
		.bit_size = type->kind_flag ? offset >> 24 : 0,
	};
	return true;
}

bool btf_enumerator_at(const struct btf *b, const struct btf_type *type, uint32_t index,
		       const char **name, int64_t *value)
{
	if ((type->kind != BTF_ENUM && type->kind != BTF_ENUM64) || index >= type->vlen)
		return false;
	size_t item_size = type->kind == BTF_ENUM ? 8 : 12;
	struct bytes item = bytes_slice(&type->extra, index * item_size, item_size);
	uint32_t name_offset = bytes_u32(&item), low = bytes_u32(&item);
	uint32_t high = type->kind == BTF_ENUM64		 ? bytes_u32(&item)
			: type->kind_flag && (low & 0x80000000u) ? UINT32_MAX
								 : 0;
	if (item.failed)
		return false;
	*name = btf_string(b, name_offset);
	*value = (int64_t)((uint64_t)high << 32 | low);
	return true;
}

bool btf_param_at(const struct btf *b, const struct btf_type *type, uint32_t index,
		  const char **name, uint32_t *id)
{
	if (type->kind != BTF_FUNC_PROTO || index >= type->vlen)
		return false;
	struct bytes item = bytes_slice(&type->extra, (size_t)index * 8, 8);
	uint32_t name_offset = bytes_u32(&item), type_id = bytes_u32(&item);
	if (item.failed)
		return false;
	*name = btf_string(b, name_offset);
	*id = type_id;
	return true;
}
