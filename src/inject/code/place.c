/* SPDX-License-Identifier: BSD-2-Clause */
#include "inject/code/code.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/sort.h"

#define PAGE 4096u
#define LOWEST 65536ull /* vm.mmap_min_addr, as it is set everywhere */

/* --- room --- */

void code_space_deinit(struct code_space *s)
{
	vector_free(&s->taken);
}

static bool map_one_file(const struct mapping *a, const struct mapping *b)
{
	return a->inode && a->inode == b->inode && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor;
}

/* All that one load of a file has mapped around mapping N, and its zeros after that: what its code
 * reaches by displacements. */
static struct address_range load_around(const struct code_space *s, size_t n)
{
	size_t first = n, end = n + 1;
	while (first && map_one_file(&s->list[first - 1], &s->list[n]))
		first--;
	while (end < s->count && map_one_file(&s->list[end], &s->list[n]))
		end++;
	bool has_zeros = end < s->count && !s->list[end].inode && !*s->list[end].path &&
			 s->list[end].start == s->list[end - 1].end;
	return (struct address_range) { s->list[first].start, s->list[end - 1 + has_zeros].end };
}

static bool room_find(struct code_space *s, struct address_range near, uint64_t size, uint64_t *ret)
{
	VECTOR(struct address_range) used = { 0 };
	for (size_t i = 0; i < s->count; i++)
		vector_push(&used, ((struct address_range) { s->list[i].start, s->list[i].end }));
	for (size_t i = 0; i < s->taken.count; i++)
		vector_push(&used, s->taken.items[i]);
	sort_by_number(used.items, used.count, sizeof(*used.items), 0, NULL);
	const struct patch_space space = { .used = used.items,
					   .count = used.count,
					   .begin = LOWEST,
					   .end = (1ull << arch_host()->user_bits) - PAGE,
					   .heap_end = s->heap_end };
	bool found = patch_room_find(&space, near, size, ret);
	vector_free(&used);
	if (found)
		vector_push(&s->taken, ((struct address_range) { *ret, *ret + size }));
	return found;
}

bool code_place_open(struct code_place *p, const struct code_file *file, struct code_space *space,
		     size_t n, uint64_t size)
{
	const struct mapping *m = &space->list[n];
	uint64_t address;
	*p = (struct code_place) { .file = file,
				   .text = { m->start, m->end },
				   .text_at = m->offset,
				   .keeps_calls = space->has_shadow_stack };
	size = ALIGN_UP(size, (uint64_t)PAGE);
	if (!room_find(space, load_around(space, n), size, &address))
		return false;
	p->code = (struct patch_code) { .bytes = mem_zalloc(size),
					.size = size,
					.used = sizeof(struct process_place),
					.address = address };
	return true;
}

void code_place_deinit(struct code_place *p)
{
	free(p->code.bytes);
	vector_free(&p->windows);
	vector_free(&p->fired);
}

/* --- windows --- */

struct window_fire {
	const struct code_place *place;
	const struct code_site *sites; /* of the function */
	code_fire_fn *fire;
	void *arg;
};

static uint64_t address_of(const struct code_place *p, uint64_t offset)
{
	return p->text.begin + (offset - p->text_at);
}

bool code_place_has(const struct code_place *p, const struct patch_function *f)
{
	uint64_t size = p->text.end - p->text.begin;
	return f->begin >= p->text_at && f->end - p->text_at <= size;
}

static void fire_site(void *arg, const struct patch_firing *f, struct patch_code *to)
{
	const struct window_fire *w = arg;
	const struct code_site *site = &w->sites[f->site];
	w->fire(w->arg, site, address_of(w->place, site->at), f, to);
}

/* The code of one window, at the end of P's. */
static enum patch_refusal window_emit(struct code_place *p, const struct patch_plan *plan,
				      const struct patch_window *w, struct window_fire *fire,
				      struct code_window *ret)
{
	const struct patch_machine *m = patch_machine(arch_host());
	uint64_t address = address_of(p, w->at);
	struct patch_code code = { .bytes = p->code.bytes + p->code.used,
				   .size = p->code.size - p->code.used,
				   .address = p->code.address + p->code.used };
	enum patch_refusal why = patch_emit(m, plan, w, &ret->old, address, fire_site, fire, &code);
	if (why == PATCH_FITS && code.used > code.size)
		why = PATCH_FAR;
	if (why == PATCH_FITS)
		why = patch_write_make(m, &ret->old, address, code.address, &ret->write);
	if (why != PATCH_FITS)
		return why;
	ret->code = (struct address_range) { code.address, code.address + code.used };
	memcpy(ret->moved, code.moved, sizeof(ret->moved));
	p->code.used += code.used;
	return PATCH_FITS;
}

static void window_refuse(const struct code_place *p, const struct code_window *w,
			  struct code_site *sites, enum patch_refusal why)
{
	for (uint32_t i = 0; i < w->site_count; i++)
		sites[p->fired.items[w->sites + i]].refusal = (uint8_t)why;
}

void code_place_add(struct code_place *p, const struct patch_function *function,
		    const struct patch_plan *plan, struct code_site *sites, uint32_t first,
		    code_fire_fn *fire, void *arg)
{
	struct window_fire firing = { p, sites + first, fire, arg };
	for (size_t i = 0; i < plan->windows.count; i++) {
		const struct patch_window *w = &plan->windows.items[i];
		struct code_window window = { .sites = (uint32_t)p->fired.count,
					      .site_count = w->count };
		for (uint32_t k = 0; k < w->count; k++) {
			uint32_t site = first + plan->firings.items[w->first + k].site;
			vector_push(&p->fired, site);
			sites[site].safety = w->safety;
		}
		window.old = bytes_slice(&function->code, w->at - function->code_at, w->size);
		enum patch_refusal why = w->has_call && p->keeps_calls
						 ? PATCH_SHADOW_STACK
						 : window_emit(p, plan, w, &firing, &window);
		if (why == PATCH_FITS)
			vector_push(&p->windows, window);
		else
			window_refuse(p, &window, sites, why);
	}
}

/* --- the process --- */

static struct error *code_map(struct code_place *p, const struct remote *remote)
{
	const uint64_t arguments[CALL_ARGUMENTS] = {
		p->code.address,       ALIGN_UP(p->code.used, (size_t)PAGE),
		PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
		(uint64_t)-1,	       0
	};
	int64_t at;
	struct error *err = remote_call(remote, SYS_mmap, arguments, &at);
	if (err)
		return err;
	if ((uint64_t)at != p->code.address)
		return error_sys(at < 0 ? (int)-at : EEXIST,
				 "process %d cannot map %zu KB for the code of probes of %s "
				 "(limits: its address space, as of ulimit -v)",
				 process_pid(remote->process), p->code.used / 1024 + 1,
				 p->file->name);
	p->is_mapped = true;
	return remote_write(remote, p->code.address, p->code.bytes, p->code.used);
}

/* A core dump gets a mapping's changed code whole (libc: 1.4 MB), else none: it is in the file. */
static struct error *text_hide(const struct code_place *p, const struct remote *remote)
{
	int64_t ignored; /* the dump is larger */
	const uint64_t arguments[CALL_ARGUMENTS] = { p->text.begin, p->text.end - p->text.begin,
						     MADV_DONTDUMP };
	return remote_call(remote, SYS_madvise, arguments, &ignored);
}

/* Windows FIRST to END - 1 are on pages that follow each other: one write. */
struct write_run {
	size_t first, end;
	uint64_t begin, size;
};

static uint64_t window_end(const struct code_window *w)
{
	return w->write.address + w->old.size;
}

static struct write_run write_run_at(const struct code_place *p, size_t first)
{
	const struct code_window *w = p->windows.items;
	struct write_run r = { first, first + 1, w[first].write.address };
	uint64_t last = window_end(&w[first]) - 1;
	while (r.end < p->windows.count && w[r.end].write.address / PAGE == last / PAGE)
		last = window_end(&w[r.end++]) - 1;
	r.size = last + 1 - r.begin;
	return r;
}

typedef VECTOR(struct stand) stand_vector;

/*
 * Who stands in the middle of W goes on in its copy: MOVES.  Not in a system call that begins
 * again: the kernel knows where.
 */
static bool window_leave(const struct code_window *w, const struct remote *remote,
			 stand_vector *moves)
{
	size_t before = moves->count;
	for (size_t i = 0; i < remote->stand_count; i++) {
		struct stand s = remote->stands[i];
		uint64_t pc = s.restarts ? s.pc - arch_host()->syscall.size : s.pc;
		if (pc <= w->write.address || pc >= window_end(w))
			continue;
		uint32_t moved = w->moved[pc - w->write.address];
		if (s.restarts || moved == PATCH_NOT_MOVED) {
			moves->count = before;
			return false;
		}
		s.pc = w->code.begin + moved;
		vector_push(moves, s);
	}
	return true;
}

static struct error *stands_move(const struct remote *remote, const stand_vector *moves)
{
	struct error *err = NULL;
	for (size_t i = 0; i < moves->count && !err; i++) {
		const struct stand *s = &moves->items[i];
		err = s->word ? process_write(remote->process, s->word, &s->pc, sizeof(s->pc))
			      : process_move(remote->process, s->thread, s->pc);
	}
	return err;
}

static enum patch_refusal window_compare_text(const struct code_window *w,
					      const struct bytes *memory,
					      const struct remote *remote, stand_vector *moves)
{
	enum patch_refusal why = patch_compare(patch_machine(arch_host()), &w->old, memory);
	return why == PATCH_FITS && !window_leave(w, remote, moves) ? PATCH_STANDS_THERE : why;
}

static struct error *run_write(const struct code_place *p, const struct write_run *r,
			       const struct remote *remote, struct code_site *sites)
{
	auto_free unsigned char *bytes = mem_alloc(r->size);
	stand_vector moves = { 0 };
	ssize_t got = pread(remote->memory, bytes, r->size, (off_t)r->begin);
	if (got != (ssize_t)r->size)
		return error_sys(got < 0 ? errno : EIO, "cannot read the code of process %d",
				 process_pid(remote->process));
	const struct bytes all = bytes_of(bytes, r->size);
	for (size_t i = r->first; i < r->end; i++) {
		const struct code_window *w = &p->windows.items[i];
		uint64_t at = w->write.address - r->begin;
		struct bytes there = bytes_slice(&all, at, w->old.size);
		enum patch_refusal why = window_compare_text(w, &there, remote, &moves);
		if (why == PATCH_FITS)
			memcpy(bytes + at, w->write.new_bytes, w->write.size);
		else
			window_refuse(p, w, sites, why);
	}
	struct error *err = stands_move(remote, &moves);
	vector_free(&moves);
	return err ? err : remote_write(remote, r->begin, bytes, r->size);
}

static int window_compare(const void *left, const void *right)
{
	const struct code_window *a = left, *b = right;
	return (a->write.address > b->write.address) - (a->write.address < b->write.address);
}

/* Functions that share bytes may have windows there: the first one stays. */
static void refuse_overlaps(struct code_place *p, struct code_site *sites)
{
	size_t kept = 0;
	struct code_window *w = p->windows.items;
	for (size_t i = 0; i < p->windows.count; i++) {
		if (kept && w[i].write.address < window_end(&w[kept - 1]))
			window_refuse(p, &w[i], sites, PATCH_TOO_MANY);
		else
			w[kept++] = w[i];
	}
	p->windows.count = kept;
}

static bool has_semaphores(const struct code_place *p, const struct code_site *sites)
{
	bool any = false;
	for (size_t i = 0; i < p->fired.count; i++)
		any |= sites[p->fired.items[i]].semaphore != 0;
	return any;
}

/* The place says what leads to it. */
static void place_describe(struct code_place *p, const struct code_site *sites)
{
	static const unsigned char zeros[8];
	struct agent_image image;
	error_free(agent_image(&image));
	struct process_place head = { .magic = PROCESS_PLACE_MAGIC,
				      .image_id = image.id,
				      .base = p->base };
	patch_put(&p->code, zeros, -p->code.used % 8);
	head.jumps = (uint32_t)p->code.used;
	head.jump_count = (uint32_t)p->windows.count;
	for (size_t i = 0; i < p->windows.count; i++) {
		const struct patch_write *w = &p->windows.items[i].write;
		struct process_jump jump = { .address = w->address, .size = w->size };
		memcpy(jump.old_bytes, w->old_bytes, sizeof(jump.old_bytes));
		memcpy(jump.new_bytes, w->new_bytes, sizeof(jump.new_bytes));
		patch_put(&p->code, &jump, sizeof(jump));
	}
	head.semaphores = (uint32_t)p->code.used;
	head.semaphore_count = has_semaphores(p, sites) ? (uint32_t)p->fired.count : 0;
	for (size_t i = 0; i < head.semaphore_count; i++)
		patch_put(&p->code, zeros, sizeof(uint64_t));
	head.size = ALIGN_UP(p->code.used, (size_t)PAGE);
	memcpy(p->code.bytes, &head, sizeof(head));
}

struct error *code_place_write(struct code_place *p, const struct remote *remote,
			       struct code_site *sites)
{
	if (!p->windows.count)
		return NULL;
	qsort(p->windows.items, p->windows.count, sizeof(*p->windows.items), window_compare);
	refuse_overlaps(p, sites);
	place_describe(p, sites);
	if (p->code.used > p->code.size)
		return error_new("there is no room for what probes of %s change", p->file->name);
	struct error *err = code_map(p, remote);
	if (!err)
		err = process_keep(remote->process);
	if (!err)
		err = text_hide(p, remote);
	for (size_t i = 0; i < p->windows.count && !err;) {
		struct write_run r = write_run_at(p, i);
		err = run_write(p, &r, remote, sites);
		i = r.end;
	}
	return err;
}

/* --- semaphores --- */

/* The address of the file's byte at the offset SEMAPHORE, in data, where the byte AT is in code;
 * 0: nowhere. */
static uint64_t semaphore_address(const struct code_place *p, uint64_t semaphore, uint64_t at)
{
	uint64_t data, code;
	struct elf_file *elf = p->file->elf;
	if (!elf_file_address(elf, at, &code) || (!elf_file_address(elf, semaphore, &data) &&
						  !elf_file_zeroed_address(elf, semaphore, &data)))
		return 0;
	return address_of(p, at) + (data - code);
}

/* The N-th of the place. */
static struct error *semaphore_raise(const struct code_place *p, unsigned n, uint64_t address,
				     const struct remote *remote)
{
	uint16_t count;
	uint64_t at = (uint64_t)((struct process_place *)(void *)p->code.bytes)->semaphores +
		      n * sizeof(address);
	if (pread(remote->memory, &count, sizeof(count), (off_t)address) != sizeof(count))
		return error_new("cannot read the semaphore of a static probe of process %d",
				 process_pid(remote->process));
	count++;
	memcpy(p->code.bytes + at, &address, sizeof(address));
	struct error *err = remote_write(remote, address, &count, sizeof(count));
	return err ? err : remote_write(remote, p->code.address + at, &address, sizeof(address));
}

struct error *code_semaphores(const struct code_place *p, const struct remote *remote,
			      const code_site_vector *sites)
{
	struct error *err = NULL;
	const struct process_place *head = (const struct process_place *)(void *)p->code.bytes;
	unsigned count = 0;
	struct hash *raised = hash_new();
	for (size_t i = 0; i < sites->count && !err; i++) {
		const struct code_site *s = &sites->items[i];
		uint64_t at = s->semaphore ? semaphore_address(p, s->semaphore, s->at) : 0;
		void **place = at && s->refusal == PATCH_FITS && count < head->semaphore_count
				       ? hash_place(raised, &at, sizeof(at))
				       : NULL;
		if (place && !*place)
			err = semaphore_raise(p, count++, at, remote);
		if (place)
			*place = raised;
	}
	hash_free(raised);
	return err;
}
