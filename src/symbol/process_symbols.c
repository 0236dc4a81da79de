/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_symbols - the mappings of one process, present and past
 *
 * `now` has the last contents of /proc/PID/maps.  Mappings that are no longer there move to
 * `past`, and stay there: records made before a dlclose(), an exec or the end are printed after
 * it.  What the process had between two looks at it, or before the first, is in the log of
 * mappings, if there is one: `logged` is a copy, made when an address is in no other.
 */
#include <ctype.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "symbol/jit_map.h"
#include "symbol/symbol_internal.h"

/*
 * An unmapped address costs a read of the mappings; the same page again within a second does not.
 * Whether it still is the same process is asked as rarely: it costs 10 us.
 */
#define RETRY_NS NS_PER_SECOND
#define PAGE(address) ((address) >> 12)
/* A process that maps and unmaps all day must not fill our memory: the oldest are forgotten. */
#define PAST_MAX 4096

struct region {
	uint64_t start, end, offset;
	uint64_t inode;
	bool writable;
	bool executable;
	bool is_data;	     /* the stack or heap, of which nothing is code */
	char *object;	     /* base name, ours; NULL: anonymous */
	struct image *image; /* referred to; NULL: none */
};

struct symbols_process {
	int pid;
	uint64_t start_time;
	uint64_t program;      /* its inode */
	uint64_t checked_at;   /* that it still is this process and program; CLOCK_MONOTONIC */
	struct images *images; /* owned by the images that share them */
	bool read_once;
	bool is_gone;		   /* when its mappings were read last it had none any more */
	VECTOR(struct region) now; /* by address */
	VECTOR(struct region) past;
	struct mapping_log *log;      /* the caller's; or NULL */
	VECTOR(struct region) logged; /* by time */
	size_t logged_count;	      /* in the log then */
	struct jit_map *jit;	      /* NULL: nobody has asked */
	uint64_t sought_dump_at;      /* the jitdump file, in the mappings; CLOCK_MONOTONIC */
	uint64_t missed_page;
	uint64_t missed_at; /* CLOCK_MONOTONIC */
};

struct symbols_process *symbols_process_new(int pid, struct images *images, struct mapping_log *log)
{
	struct symbols_process *s = mem_zalloc(sizeof(*s));
	s->pid = pid;
	s->images = images;
	s->log = log;
	return s;
}

static void region_deinit(struct region *r)
{
	image_release(r->image);
	free(r->object);
}

static void regions_deinit(struct region *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		region_deinit(&list[i]);
}

void symbols_process_free(struct symbols_process *s)
{
	if (!s)
		return;
	regions_deinit(s->now.items, s->now.count);
	regions_deinit(s->past.items, s->past.count);
	regions_deinit(s->logged.items, s->logged.count);
	vector_free(&s->now);
	vector_free(&s->past);
	vector_free(&s->logged);
	jit_map_free(s->jit);
	free(s);
}

/* --- reading --- */

/* "/lib/x.so (deleted)" -> "x.so", the caller's; "[vdso]" is a name, "[heap]" is not. */
static char *object_name(const char *path)
{
	if (*path != '/' && !string_equal(path, "[vdso]") && !string_equal(path, "[vsyscall]"))
		return NULL;
	size_t len;
	const char *base = mapping_base_name(path, &len);
	return mem_strndup(base, len);
}

static bool is_same_region(const struct region *a, const struct region *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->inode == b->inode;
}

static void forget_oldest(struct symbols_process *s)
{
	size_t half = s->past.count / 2;
	regions_deinit(s->past.items, half);
	memmove(s->past.items, s->past.items + half,
		(s->past.count - half) * sizeof(*s->past.items));
	s->past.count -= half;
}

/* Keep mappings that are in OLD and no longer in s->now.  Both are sorted. */
static void remember(struct symbols_process *s, struct region *old, size_t count)
{
	size_t j = 0;
	for (size_t i = 0; i < count; i++) {
		while (j < s->now.count && s->now.items[j].start < old[i].start)
			j++;
		if (j < s->now.count && is_same_region(&old[i], &s->now.items[j])) {
			region_deinit(&old[i]);
			continue;
		}
		if (!old[i].object)
			continue; /* nor has it an image */
		if (s->past.count == PAST_MAX)
			forget_oldest(s);
		vector_push(&s->past, old[i]);
	}
}

static struct jit_map *jit_of(struct symbols_process *s)
{
	if (!s->jit)
		s->jit = jit_map_new(s->pid);
	return s->jit;
}

/* A process maps its jitdump file as code, for tracers to see. */
static void add_dump(struct symbols_process *s, const struct mapping *m)
{
	if (!m->executable || !jit_map_is_dump(m->path))
		return;
	int fd = mapping_open(s->pid, m);
	if (fd >= 0)
		jit_map_add_dump(jit_of(s), fd);
}

static struct region region_of(struct symbols_process *s, const struct mapping *m)
{
	struct region r = {
		.start = m->start,
		.end = m->end,
		.offset = m->offset,
		.inode = m->inode,
		.writable = m->writable,
		.executable = m->executable,
		.is_data = !m->executable &&
			   (string_equal(m->path, "[stack]") || string_equal(m->path, "[heap]")),
		.object = object_name(m->path),
	};
	/* Opening costs some 20 us per file and is what makes names outlive the process. */
	if (m->executable || !m->writable)
		r.image = image_refer(images_find(s->images, s->pid, m));
	return r;
}

static void add_region(struct symbols_process *s, const struct mapping *m)
{
	add_dump(s, m);
	vector_push(&s->now, region_of(s, m));
}

/* Data of a program is mapped apart from its code: it has the same file. */
static void share_files(struct symbols_process *s)
{
	for (size_t i = 1; i < s->now.count; i++) {
		struct region *r = &s->now.items[i], *before = r - 1;
		if (!r->image && r->inode && r->inode == before->inode)
			r->image = image_refer(before->image);
	}
}

static void read_mappings(struct symbols_process *s)
{
	/* A reused pid is another process. */
	uint64_t start_time = process_start_time(s->pid);
	s->is_gone = true;
	if (s->start_time && start_time != s->start_time)
		return;
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(s->pid, &list, &count);
	if (err)
		return;
	s->is_gone = !count;
	s->read_once = true;
	s->start_time = start_time;
	s->program = process_program(s->pid);
	s->checked_at = clock_ns(CLOCK_MONOTONIC);
	/* While it exits it has no mappings any more: then the last ones are the truth. */
	if (count) {
		struct region *old = s->now.items;
		size_t old_count = s->now.count;
		s->now.items = NULL;
		s->now.count = s->now.capacity = 0;
		for (size_t i = 0; i < count; i++)
			add_region(s, &list[i]);
		share_files(s);
		remember(s, old, old_count);
		free(old);
	}
	process_mappings_free(list, count);
}

void symbols_process_snapshot(struct symbols_process *s)
{
	read_mappings(s);
	jit_map_update(jit_of(s));
}

/*
 * Programs that are not position-independent are all at the same addresses, so an address of the
 * new program may well be in a mapping of the old one.
 */
bool symbols_process_is_other(struct symbols_process *s)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (!s->read_once || now - s->checked_at < RETRY_NS)
		return false;
	s->checked_at = now;
	uint64_t start_time = process_start_time(s->pid);
	if (!start_time)
		return false;
	if (start_time != s->start_time)
		return true;
	uint64_t program = process_program(s->pid);
	if (program && program != s->program) {
		read_mappings(s);
		jit_map_free(take(s->jit));
	}
	return false;
}

/* --- finding --- */

static struct elf_file *elf_of(const struct region *r)
{
	return r->image ? image_elf(r->image) : NULL;
}

static const struct region *region_now(const struct symbols_process *s, uint64_t address)
{
	size_t low = 0, high = s->now.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct region *r = &s->now.items[middle];
		if (address >= r->start && address < r->end)
			return r;
		if (r->start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static const struct region *last_at(const struct region *list, size_t count, uint64_t address)
{
	for (size_t i = count; i-- > 0;)
		if (address >= list[i].start && address < list[i].end)
			return &list[i];
	return NULL;
}

static void add_logged(void *process, const struct mapping *m)
{
	struct symbols_process *s = process;
	vector_push(&s->logged, region_of(s, m));
}

/* What the process has mapped since it was looked at, or before. */
static void read_log(struct symbols_process *s)
{
	if (!s->log || mapping_log_visit(s->log, s->pid, NULL, NULL) == s->logged_count)
		return;
	regions_deinit(s->logged.items, s->logged.count);
	s->logged.count = 0;
	s->logged_count = mapping_log_visit(s->log, s->pid, add_logged, s);
}

static const struct region *region_past(struct symbols_process *s, uint64_t address)
{
	const struct region *r = last_at(s->past.items, s->past.count, address);
	if (r)
		return r;
	read_log(s);
	return last_at(s->logged.items, s->logged.count, address);
}

/*
 * A file that is not a program, and only read: most look-ups are of code, which may be at these
 * addresses because the file is no longer mapped.  This is also true of the first library that a
 * program loads itself, where the linker had its cache.  Such addresses are rare, and looked up
 * each time.
 */
static bool is_doubtful(const struct region *r)
{
	return r->object && r->inode && !elf_of(r) && !r->executable && !r->writable;
}

static const struct region *find_region(struct symbols_process *s, uint64_t address)
{
	const struct region *r = region_now(s, address);
	if (!r && s->is_gone) /* nothing new is there, unless the number is another's by now */
		r = region_past(s, address);
	if (r && !is_doubtful(r))
		return r;
	bool tried = s->read_once && PAGE(address) == s->missed_page &&
		     clock_ns(CLOCK_MONOTONIC) - s->missed_at < RETRY_NS;
	if (r || !tried) {
		read_mappings(s);
		r = region_now(s, address);
		s->missed_page = PAGE(address);
		s->missed_at = clock_ns(CLOCK_MONOTONIC);
	}
	if (r)
		return is_doubtful(r) && s->is_gone ? NULL : r;
	r = region_past(s, address);
	return r && is_doubtful(r) ? NULL : r;
}

/* The file that R maps, and where ADDRESS is in it; NULL: in none that can be read. */
static struct elf_file *elf_at(const struct region *r, uint64_t address, uint64_t *link_address)
{
	struct elf_file *elf = elf_of(r);
	bool is_known = elf && elf_file_address(elf, address - r->start + r->offset, link_address);
	return is_known ? elf : NULL;
}

/* The mappings that were read may be older than the file.  Those in use stay as they are. */
static void seek_dump(struct symbols_process *s)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(s->pid, &list, &count);
	if (err)
		return;
	for (size_t i = 0; i < count; i++)
		add_dump(s, &list[i]);
	process_mappings_free(list, count);
}

static const char *find_in_jit(struct symbols_process *s, uint64_t address, uint64_t *offset)
{
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

bool symbols_process_find(struct symbols_process *s, uint64_t address, struct symbol_name *ret)
{
	const struct region *r = find_region(s, address);
	*ret = (struct symbol_name) {
		.module = r ? r->object : NULL,
		.mapping = r ? r->start : 0,
		.is_anonymous = r && !r->object,
	};
	uint64_t link_address;
	struct elf_file *elf = r ? elf_at(r, address, &link_address) : NULL;
	if (!elf)
		return (!(r && r->is_data) && find_jit(s, address, ret)) || r;
	const struct elf_symbol *symbol = elf_file_symbol_at(elf, link_address);
	if (symbol) {
		ret->name = symbol->name;
		ret->offset = link_address - symbol->address;
	}
	return true;
}

unsigned symbols_process_places(struct symbols_process *s, uint64_t address, bool is_return,
				struct source_place *ret)
{
	uint64_t link_address, at = address - is_return;
	const struct region *r = find_region(s, at);
	struct elf_file *elf = r ? elf_at(r, at, &link_address) : NULL;
	struct debug_info *debug = elf ? image_debug_info(r->image) : NULL;
	return debug ? debug_info_places(debug, link_address, ret) : 0;
}

static uint64_t highest_end(const struct region *list, size_t count)
{
	uint64_t highest = 0;
	for (size_t i = 0; i < count; i++)
		if (list[i].end >> 57 == 0) /* not [vsyscall] */
			highest = MAX(highest, list[i].end);
	return highest;
}

/* The first thread's stack and the vdso are at the top of user memory: nothing comes after them. */
static bool is_above_all(const struct symbols_process *s, uint64_t address)
{
	uint64_t highest = MAX(highest_end(s->now.items, s->now.count),
			       highest_end(s->past.items, s->past.count));
	return highest && address >= highest;
}

struct elf_file *symbols_process_code(struct symbols_process *s, uint64_t address,
				      uint64_t *link_address, bool *is_data)
{
	const struct region *r = find_region(s, address);
	*is_data = r ? r->is_data : is_above_all(s, address);
	return r ? elf_at(r, address, link_address) : NULL;
}

/* --- by name ---------------------------------------------------------------------------------- */

struct search {
	int pid;
	const char *module, *name;
	uint64_t program; /* its inode */
	enum user_symbol_found found;
	int rank; /* of the symbol found: less is better */
	struct user_symbol *ret;
};

/* The program's symbols hide exported ones of libraries, and these hide local ones of libraries. */
static int rank_of(bool is_program, bool is_exported)
{
	return is_program ? 0 : is_exported ? 1 : 2;
}

/* Is MODULE a name of R's file? D has no names with + and - in them, so _ replaces these. */
static bool is_called(const struct region *r, uint64_t program, const char *module)
{
	auto_free char *name = mem_strdup(r->object);
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '.')
			*c = '_';
	return string_equal(r->object, module) || string_equal(name, module) ||
	       mapping_alias(name, r->inode == program, module);
}

static void found_symbol(struct search *search, int rank, const struct user_symbol *symbol)
{
	if (search->found == USER_SYMBOL_FOUND && rank >= search->rank)
		return;
	search->found = USER_SYMBOL_FOUND;
	search->rank = rank;
	*search->ret = *symbol;
}

/*
 * From the thread pointer to the block of R's file in each thread; false: it differs between
 * threads.  Which variables have a fixed one is the theory of object/elf_thread.c.
 */
static bool find_block(const struct search *search, const struct region *r, uint64_t bias,
		       bool is_program, int64_t *ret)
{
	uint64_t address, plus, word;
	struct elf_file *elf = elf_of(r);
	if (is_program)
		return elf_file_program_block(elf, ret);
	if (!elf_file_block_word(elf, &address, &plus) ||
	    !process_read_word(search->pid, address + bias, &word))
		return false;
	*ret = (int64_t)(word - plus);
	return *ret < 0; /* the dynamic linker has been there */
}

static void search_thread_local(struct search *search, const struct region *r, uint64_t bias,
				bool is_program, const struct elf_thread_local *v)
{
	int64_t block;
	if (!find_block(search, r, bias, is_program, &block)) {
		if (search->found == USER_SYMBOL_UNKNOWN)
			search->found = USER_SYMBOL_THREAD_LOCAL;
		return;
	}
	found_symbol(search, rank_of(is_program, !v->is_local),
		     &(struct user_symbol) {
			     .address = (uint64_t)block + v->offset,
			     .size = v->size,
			     .is_thread_local = true,
			     .image = r->image,
			     .link_address = v->offset,
		     });
}

/* R is a mapping of a file that is BIAS bytes after its link-time addresses. */
static void search_file(struct search *search, const struct region *r, uint64_t bias)
{
	bool is_program = search->program && r->inode == search->program;
	if (search->module && !is_called(r, search->program, search->module))
		return;
	if (search->found == USER_SYMBOL_NO_MODULE)
		search->found = USER_SYMBOL_UNKNOWN;
	const struct elf_symbol *symbol = elf_file_symbol_named(elf_of(r), search->name);
	const struct elf_thread_local *local = elf_file_thread_local(elf_of(r), search->name);
	bool is_exported = symbol && (symbol->global || symbol->weak);
	if (local && (!symbol || (!is_exported && !local->is_local)))
		search_thread_local(search, r, bias, is_program, local);
	else if (symbol)
		found_symbol(search, rank_of(is_program, is_exported),
			     &(struct user_symbol) {
				     .address = symbol->address + bias,
				     .size = symbol->size,
				     .is_function = symbol->is_function,
				     .image = r->image,
				     .link_address = symbol->address,
			     });
}

/*
 * Is each part of R's file at its link-time address plus BIAS? A file that the process only reads
 * (mmap() of all of it) has the parts at other distances from each other.
 */
static bool is_loaded(const struct symbols_process *s, const struct region *r, uint64_t bias)
{
	uint64_t offset, address;
	for (size_t i = 0; elf_file_segment(elf_of(r), i, &offset, &address); i++) {
		const struct region *part = region_now(s, address + bias);
		if (!part || part->inode != r->inode ||
		    address + bias - part->start + part->offset != offset)
			return false;
	}
	return true;
}

/* LOADED false: also files whose parts are no longer so; some programs move their code. */
static void search_mappings(struct symbols_process *s, struct search *search, bool loaded)
{
	const struct image *last = NULL;
	uint64_t last_bias = 0;
	for (size_t i = 0; i < s->now.count; i++) {
		const struct region *r = &s->now.items[i];
		uint64_t link_address;
		struct elf_file *elf = elf_of(r);
		if (!elf || !r->object || !elf_file_address(elf, r->offset, &link_address))
			continue;
		uint64_t bias = r->start - link_address;
		if ((r->image == last && bias == last_bias) || (loaded && !is_loaded(s, r, bias)))
			continue;
		last = r->image;
		last_bias = bias;
		search_file(search, r, bias);
	}
}

enum user_symbol_found symbols_process_lookup(struct symbols_process *s, const char *module,
					      const char *name, struct user_symbol *ret)
{
	struct search search = {
		.pid = s->pid,
		.module = module,
		.name = name,
		.program = process_program(s->pid),
		.found = USER_SYMBOL_NO_MODULE,
		.ret = ret,
	};
	read_mappings(s);
	search_mappings(s, &search, true);
	if (search.found != USER_SYMBOL_FOUND)
		search_mappings(s, &search, false);
	return search.found;
}

struct image *symbols_process_image(struct symbols_process *s, const char *module)
{
	uint64_t program = process_program(s->pid);
	read_mappings(s);
	for (size_t i = 0; i < s->now.count; i++) {
		const struct region *r = &s->now.items[i];
		if (r->object && is_called(r, program, module) && elf_of(r))
			return r->image;
	}
	return NULL;
}
