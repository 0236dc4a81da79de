/* SPDX-License-Identifier: BSD-2-Clause */
/* file_code - functions and branch targets of a file, for plans; in link-time addresses */
#ifndef TESTS_UNIT_PATCH_FILE_CODE_H
#define TESTS_UNIT_PATCH_FILE_CODE_H

#include "object/frames/frames.h"
#include "patch/patch.h"

#include "base/sort.h"

struct file_code {
	struct elf_file *elf;
	const struct frame_range *ranges;
	size_t range_count;
	VECTOR(uint64_t) targets;
};

static inline struct bytes file_code_at(const struct file_code *c, uint64_t begin, uint64_t size)
{
	return elf_file_code(c->elf, begin, size);
}

static inline void file_code_take_targets(struct file_code *c, const struct frame_range *r)
{
	struct bytes all = file_code_at(c, r->begin, r->end - r->begin);
	struct instruction i;
	for (uint64_t at = r->begin; at < r->end; at += i.length) {
		struct bytes code = bytes_slice(&all, at - r->begin, all.size - (at - r->begin));
		if (code.failed || !arch_x86_64.decode(&code, &i))
			return;
		if (instruction_has_target(&i))
			vector_push(&c->targets, at + (uint64_t)i.target);
	}
}

/* False: it cannot be read. */
static inline bool file_code_open(const char *path, struct file_code *c)
{
	*c = (struct file_code) { 0 };
	struct error *err = elf_file_open(path, &c->elf);
	if (err) {
		error_free(err);
		return false;
	}
	const struct frames *f = elf_file_frames(c->elf);
	c->ranges = frames_ranges(f, &c->range_count);
	for (size_t i = 0; i < c->range_count; i++) {
		vector_push(&c->targets, c->ranges[i].begin);
		file_code_take_targets(c, &c->ranges[i]);
	}
	sort_by_number(c->targets.items, c->targets.count, sizeof(uint64_t), 0, NULL);
	return c->targets.count;
}

static inline void file_code_close(struct file_code *c)
{
	vector_free(&c->targets);
	elf_file_free(c->elf);
}

static inline struct patch_function file_code_function(const struct file_code *c, size_t n)
{
	const struct frame_range *r = &c->ranges[n];
	struct patch_function f = { .begin = r->begin,
				    .end = r->end,
				    .code_at = r->begin,
				    .targets = c->targets.items,
				    .target_count = c->targets.count };
	f.code = file_code_at(c, r->begin, r->end - r->begin + 32);
	if (f.code.failed || !f.code.size)
		f.code = file_code_at(c, r->begin, r->end - r->begin);
	return f;
}

typedef VECTOR(struct patch_site) site_vector;

/* The entry, and returns.  A jump by a register or table may lead to any place of the function. */
static inline void file_code_sites(const struct patch_function *f, site_vector *sites,
				   bool *jumps_anywhere)
{
	struct instruction i;
	*jumps_anywhere = false;
	vector_push(sites, ((struct patch_site) { f->begin, PATCH_ENTRY, true, 0 }));
	for (uint64_t at = f->begin; at < f->end; at += i.length) {
		struct bytes code =
			bytes_slice(&f->code, at - f->begin, f->code.size - (at - f->begin));
		if (code.failed || !arch_x86_64.decode(&code, &i))
			return;
		*jumps_anywhere |= !i.is_call && i.flow >= FLOW_TABLE;
		if (i.flow == FLOW_RETURN)
			vector_push(sites, ((struct patch_site) { at, PATCH_EXIT, true, 0 }));
	}
}

#endif
