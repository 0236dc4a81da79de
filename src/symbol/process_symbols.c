/* SPDX-License-Identifier: BSD-2-Clause */
/* process_symbols - from an address of a process to its name, file and source line */
#include "base/clock.h"
#include "base/time_unit.h"
#include "symbol/symbol_internal.h"

/* A jitdump file that is not there is sought once a second at most. */
#define RETRY_NS NS_PER_SECOND

static struct jit_map *jit_of(struct symbols_process *s)
{
	if (!s->jit)
		s->jit = jit_map_new(s->regions.pid);
	return s->jit;
}

/* A process maps its jitdump file as code, for tracers to see. */
static void add_dump(void *process, const struct mapping *m)
{
	struct symbols_process *s = process;
	if (!m->executable || !jit_map_is_dump(m->path))
		return;
	int fd = mapping_open(s->regions.pid, m);
	if (fd >= 0)
		jit_map_add_dump(jit_of(s), fd);
}

struct symbols_process *symbols_process_new(int pid, struct images *images, struct mapping_log *log)
{
	struct symbols_process *s = mem_zalloc(sizeof(*s));
	regions_init(&s->regions, pid, images, log);
	s->regions.see = add_dump;
	s->regions.see_arg = s;
	return s;
}

void symbols_process_free(struct symbols_process *s)
{
	if (!s)
		return;
	regions_deinit(&s->regions);
	jit_map_free(s->jit);
	hash_free(s->stubs);
	arena_free(s->names);
	free(s);
}

void symbols_process_snapshot(struct symbols_process *s)
{
	regions_read(&s->regions);
	jit_map_update(jit_of(s));
}

/*
 * Programs that are not position-independent are all at the same addresses, so an address of the
 * new program may well be in a mapping of the old one.
 */
bool symbols_process_is_other(struct symbols_process *s)
{
	switch (regions_owner_now(&s->regions)) {
	case REGIONS_OTHER_PROCESS:
		return true;
	case REGIONS_OTHER_PROGRAM:
		regions_read(&s->regions);
		jit_map_free(take(s->jit));
		return false;
	case REGIONS_SAME:
		break;
	}
	return false;
}

void symbols_process_set_mappings(struct symbols_process *s, const struct mapping *list,
				  size_t count)
{
	regions_set(&s->regions, list, count);
}

/* The file that R maps, and where ADDRESS is in it; NULL: in none that can be read. */
static struct elf_file *elf_at(const struct region *r, uint64_t address, uint64_t *link_address)
{
	struct elf_file *elf = region_elf(r);
	bool is_known = elf && elf_file_address(elf, address - r->start + r->offset, link_address);
	return is_known ? elf : NULL;
}

/* The mappings that were read may be older than the file.  Those in use stay as they are. */
static void seek_dump(struct symbols_process *s)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(s->regions.pid, &list, &count);
	if (err)
		return;
	for (size_t i = 0; i < count; i++)
		add_dump(s, &list[i]);
	process_mappings_free(list, count);
}

static const char *find_in_jit(struct symbols_process *s, uint64_t address, uint64_t *offset)
{
	if (s->regions.is_set)
		return NULL;
	const char *name = jit_map_find(jit_of(s), address, offset);
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (name || jit_map_has_dump(s->jit) || now - s->sought_dump_at < RETRY_NS)
		return name;
	s->sought_dump_at = now;
	seek_dump(s);
	if (!jit_map_has_dump(s->jit))
		return NULL;
	jit_map_update(s->jit);
	return jit_map_find(s->jit, address, offset);
}

static bool find_jit(struct symbols_process *s, uint64_t address, struct symbol_name *ret)
{
	uint64_t offset;
	const char *name = find_in_jit(s, address, &offset);
	if (name)
		*ret = (struct symbol_name) {
			.module = SYMBOL_JIT,
			.name = name,
			.offset = offset,
			.mapping = ret->mapping,
		};
	return name != NULL;
}

/* What R says of ADDRESS; the vdso is a file to us. */
static struct symbol_name name_in(const struct region *r, uint64_t address)
{
	struct symbol_name name = {
		.module = r->object,
		.mapping = r->start,
		.mapping_end = r->end,
		.path = r->path,
		.is_anonymous = !r->object,
		.is_in_file = r->object && (r->inode || r->image),
	};
	if (name.is_in_file) {
		name.file_offset = address - r->start + r->offset;
		name.image = r->image;
	}
	return name;
}

/*
 * Data that begin as zeros (.bss) are not in the file, but in the rest of the last page that is
 * mapped of it, and in memory after that.  RET gets the file's name; NULL: ADDRESS is no such
 * place.
 */
static struct elf_file *zeroed_elf_at(const struct symbols_process *s, const struct region *r,
				      uint64_t address, uint64_t *link_address,
				      struct symbol_name *ret)
{
	const struct region *file = r->object ? r : regions_at(&s->regions, r->start - 1);
	struct elf_file *elf = file && r->writable ? region_elf(file) : NULL;
	if (!elf ||
	    !elf_file_zeroed_address(elf, address - file->start + file->offset, link_address))
		return NULL;
	ret->module = file->object;
	ret->is_anonymous = false;
	return elf;
}

/* A symbol without a size is the last one before the linker's stubs, too. */
static bool has_address(const struct elf_symbol *symbol, uint64_t link_address)
{
	return symbol && link_address - symbol->address < symbol->size;
}

static const char *stub_name(struct symbols_process *s, const char *symbol)
{
	if (!s->stubs) {
		s->stubs = hash_new();
		s->names = arena_new();
	}
	void **place = hash_place(s->stubs, symbol, strlen(symbol));
	if (!*place)
		*place = arena_printf(s->names, "%s@plt", symbol);
	return *place;
}

bool symbols_process_find(struct symbols_process *s, uint64_t address, struct symbol_name *ret)
{
	const struct region *r = regions_find(&s->regions, address);
	*ret = r ? name_in(r, address) : (struct symbol_name) { 0 };
	uint64_t link_address;
	struct elf_file *elf = r ? elf_at(r, address, &link_address) : NULL;
	if (r && !elf)
		elf = zeroed_elf_at(s, r, address, &link_address, ret);
	if (!elf)
		return (!(r && r->is_data) && find_jit(s, address, ret)) || r;
	const struct elf_symbol *symbol = elf_file_symbol_at(elf, link_address);
	struct code_stub stub;
	if (!has_address(symbol, link_address) && stub_around(elf, link_address, &stub)) {
		ret->name = stub_name(s, stub.symbol);
		ret->offset = link_address - stub.address;
	} else if (symbol) {
		ret->name = symbol->name;
		ret->offset = link_address - symbol->address;
	}
	return true;
}

bool symbols_process_identity(struct symbols_process *s, uint64_t address, bool file_alone,
			      struct strbuf *ret)
{
	const struct region *r = regions_find(&s->regions, address);
	struct symbol_name name = r ? name_in(r, address) : (struct symbol_name) { 0 };
	if (!name.image)
		return false;
	if (!file_alone)
		strbuf_add(ret, &name.file_offset, sizeof(name.file_offset));
	strbuf_add(ret, name.module, strlen(name.module) + 1);
	image_identity(name.image, ret);
	return true;
}

unsigned symbols_process_places(struct symbols_process *s, uint64_t address, bool is_return,
				struct source_place *ret)
{
	uint64_t link_address, at = address - is_return;
	const struct region *r = regions_find(&s->regions, at);
	struct elf_file *elf = r ? elf_at(r, at, &link_address) : NULL;
	struct debug_info *debug = elf ? image_debug_info(r->image) : NULL;
	unsigned count = debug ? debug_info_places(debug, link_address, ret) : 0;
	if (elf && !count)
		image_report_debug(r->image, link_address);
	return count;
}

struct elf_file *symbols_process_code(struct symbols_process *s, uint64_t address,
				      uint64_t *link_address, bool *is_data)
{
	const struct region *r = regions_find(&s->regions, address);
	*is_data = r ? r->is_data || (r->writable && !r->executable && region_elf(r))
		     : regions_end_before(&s->regions, address);
	return r ? elf_at(r, address, link_address) : NULL;
}
