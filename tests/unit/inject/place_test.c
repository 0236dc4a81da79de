/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes whose functions all count their calls and returns do what they do otherwise.  The
 * firing is one of this test: it adds to a word of memory that the process shares with us.
 */
#include "inject/code/code.h"
#include "inject/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "holds.h"

#ifdef __x86_64__

#define COUNTERS_SIZE (1ull << 24)

__attribute__((constructor)) static void limit_time(void)
{
	alarm(120);
}

struct counted {
	struct process *process;
	struct remote remote;
	struct images *images;
	struct mapping *list;
	struct code_space space;
	uint64_t counters_at; /* in the process */
	uint64_t *counters;   /* the same memory, here */
	unsigned used;
	unsigned sites, fit;
};

static int64_t call(struct process *p, long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
		    uint64_t e)
{
	const uint64_t arguments[CALL_ARGUMENTS] = { a, b, c, d, e, 0 };
	int64_t ret = -1;
	CHECK(is_fine(process_call(p, number, arguments, &ret)));
	return ret;
}

static void share_counters(struct counted *c)
{
	char path[64];
	int pid = process_pid(c->process);
	uint64_t name = c->list[0].start + 1; /* "ELF..." */
	int64_t fd = call(c->process, SYS_memfd_create, name, 0, 0, 0, 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, (int)fd);
	auto_close int ours = open(path, O_RDWR | O_CLOEXEC);
	CHECK(ours >= 0 && ftruncate(ours, COUNTERS_SIZE) == 0);
	c->counters = mmap(NULL, COUNTERS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, ours, 0);
	c->counters_at = (uint64_t)call(c->process, SYS_mmap, 0, COUNTERS_SIZE,
					PROT_READ | PROT_WRITE, MAP_SHARED, (uint64_t)fd);
	call(c->process, SYS_close, (uint64_t)fd, 0, 0, 0, 0);
}

/* lea -128(%rsp),%rsp; pushf; push %rax; mov $COUNTER,%rax; lock incq (%rax); pop; popf; lea */
static void count(void *arg, const struct code_site *site, uint64_t pc,
		  const struct patch_firing *f, struct patch_code *to)
{
	struct counted *c = arg;
	patch_put(to, "\x48\x8d\x64\x24\x80\x9c\x50\x48\xb8", 9);
	patch_put_number(to, c->counters_at + site->cookie * 8, 8);
	patch_put(to, "\xf0\x48\xff\x00\x58\x9d\x48\x8d\xa4\x24\x80\0\0\0", 14);
}

/* --- a file --- */

static void add_site(struct counted *c, code_site_vector *sites, uint64_t function, uint64_t size,
		     uint64_t at, enum patch_kind kind)
{
	vector_push(sites, ((struct code_site) {
				   .patch = { at, (uint8_t)kind, true, 0 },
				   .function = function,
				   .function_size = (uint32_t)size,
				   .at = at,
				   .cookie = c->used++,
			   }));
}

static void list_function(struct counted *c, const struct code_file *f, const struct frame_range *r,
			  code_site_vector *sites)
{
	uint64_t begin, size = r->end - r->begin;
	struct bytes all = elf_file_code(f->elf, r->begin, size);
	struct instruction i;
	if (!elf_file_offset(f->elf, r->begin, &begin) || all.failed)
		return;
	if (frames_is_function(elf_file_frames(f->elf), r))
		add_site(c, sites, begin, size, begin, PATCH_ENTRY);
	for (uint64_t at = 0; at < size; at += i.length) {
		struct bytes code = bytes_slice(&all, at, all.size - at);
		if (code.failed || !arch_host()->decode(&code, &i))
			return;
		if (i.flow == FLOW_RETURN)
			add_site(c, sites, begin, size, begin + at, PATCH_EXIT);
	}
}

static void plan_all(struct counted *c, const struct code_file *f, struct code_place *p,
		     code_site_vector *sites)
{
	struct patch_plan plan = { 0 };
	struct patch_site wanted[4096];
	offset_vector local = { 0 };
	for (size_t i = 0, end; i < sites->count; i = end) {
		struct code_site *s = sites->items;
		struct patch_function function;
		for (end = i; end < sites->count && s[end].function == s[i].function; end++)
			if (end - i < ARRAY_SIZE(wanted))
				wanted[end - i] = s[end].patch;
		size_t count_of = MIN(end - i, ARRAY_SIZE(wanted));
		enum patch_refusal why = code_function(f, s[i].function, s[i].function_size, true,
						       &local, &function);
		if (why == PATCH_FITS)
			patch_plan_make(patch_machine(arch_host()), &function, wanted, count_of,
					&plan);
		for (size_t k = i; k < end; k++)
			s[k].refusal = why == PATCH_FITS && k - i < count_of
					       ? plan.refusals.items[k - i]
					       : (uint8_t)why;
		if (why == PATCH_FITS)
			code_place_add(p, &function, &plan, s, (uint32_t)i, count, c);
	}
	vector_free(&local);
	patch_plan_deinit(&plan);
}

static void count_mapping(struct counted *c, size_t n)
{
	struct code_file file;
	struct code_place place;
	code_site_vector sites = { 0 };
	size_t count_of;
	struct image *image = images_find(c->images, process_pid(c->process), &c->list[n]);
	if (!image || !image_elf(image))
		return;
	code_file_init(&file, image, c->list[n].path);
	code_file_targets(&file);
	CHECK(!file.problem);
	const struct frame_range *ranges = frames_ranges(elf_file_frames(file.elf), &count_of);
	for (size_t i = 0; i < count_of; i++)
		list_function(c, &file, &ranges[i], &sites);
	CHECK(c->used < COUNTERS_SIZE / 8);
	CHECK(code_place_open(&place, &file, &c->space, n, sites.count * 512 + 4096));
	plan_all(c, &file, &place, &sites);
	CHECK(is_fine(code_place_write(&place, &c->remote, sites.items)));
	for (size_t i = 0; i < sites.count; i++)
		c->fit += sites.items[i].refusal == PATCH_FITS;
	c->sites += (unsigned)sites.count;
	vector_free(&sites);
	code_place_deinit(&place);
	code_file_deinit(&file);
}

/* --- a process --- */

/* A window may have to be left by its thread. */
static void find_stands(struct counted *c, struct stands *stands)
{
	const struct injected target = { .process = c->process,
					 .pid = process_pid(c->process),
					 .memory = c->remote.memory };
	CHECK(is_fine(stands_find(&target, stands)));
	c->remote.stands = stands->list.items;
	c->remote.stand_count = stands->list.count;
}

static uint64_t count_process(const char *command, int output)
{
	struct counted c = { .images = images_new() };
	struct stands stands = { 0 };
	const struct process_start start = { .output = output, .no_input = true };
	int status = -1;
	uint64_t ret = 0;
	CHECK(is_fine(process_create(&start, command, PROCESS_HOLD_PREINIT, &c.process)));
	c.remote = (struct remote) { .process = c.process,
				     .memory = process_open_memory(process_pid(c.process)) };
	CHECK(is_fine(process_mappings(process_pid(c.process), &c.list, &c.space.count)));
	c.space.list = c.list;
	share_counters(&c);
	process_mappings_free(c.list, c.space.count);
	c.remote = (struct remote) { .process = c.process,
				     .memory = process_open_memory(process_pid(c.process)) };
	CHECK(is_fine(process_mappings(process_pid(c.process), &c.list, &c.space.count)));
	c.space.list = c.list;
	find_stands(&c, &stands);
	for (size_t i = 0; i < c.space.count; i++)
		if (c.list[i].executable && c.list[i].inode)
			count_mapping(&c, i);
	CHECK(is_fine(process_run(c.process)));
	while (!process_exited(c.process, &status))
		usleep(1000);
	CHECK_INT(status, 0);
	for (unsigned i = 0; i < c.used; i++)
		ret += c.counters[i];
	CHECK(c.fit > c.sites * 9 / 10);
	vector_free(&stands.list);
	process_mappings_free(c.list, c.space.count);
	close(c.remote.memory);
	process_free(c.process);
	munmap(c.counters, COUNTERS_SIZE);
	code_space_deinit(&c.space);
	images_free(c.images);
	return ret;
}

static char *output_of(const char *command, bool counted)
{
	char *ret = mem_zalloc(65536);
	auto_fclose FILE *file = tmpfile();
	if (counted) {
		CHECK(count_process(command, fileno(file)) > 100);
	} else {
		char shell[512];
		snprintf(shell, sizeof(shell), "%s > /proc/%d/fd/%d < /dev/null", command, getpid(),
			 fileno(file));
		CHECK_INT(system(shell), 0);
	}
	CHECK(pread(fileno(file), ret, 65535, 0) >= 0);
	return ret;
}

static void check_same(const char *command)
{
	auto_free char *plain = output_of(command, false);
	auto_free char *counted = output_of(command, true);
	CHECK(*plain);
	CHECK_STR(counted, plain);
}

TEST(programs_do_what_they_do_otherwise)
{
	check_same("/bin/ls -l /bin/sh /etc/passwd");
	check_same("/bin/bash -c 'for ((i = 0; i < 1000; i++)); do x=$x.; done; echo ${#x}'");
}

/* --- memory that is not the file's --- */

/* The first site of FILE at the entry of a function whose window is after an instruction. */
static size_t first_entry(struct counted *c, const struct code_file *file, code_site_vector *sites)
{
	size_t count;
	const struct frame_range *ranges = frames_ranges(elf_file_frames(file->elf), &count);
	for (size_t i = 0; i < count; i++)
		list_function(c, file, &ranges[i], sites);
	size_t n = 0;
	while (n < sites->count && sites->items[n].patch.kind != PATCH_ENTRY)
		n++;
	CHECK(n < sites->count);
	return n;
}

TEST(code_of_another_tracer_stays)
{
	struct counted c = { .images = images_new() };
	const struct process_start start = { .no_input = true };
	code_site_vector all = { 0 }, one = { 0 };
	struct code_file file;
	struct code_place place;
	size_t n = 0;
	unsigned char byte = 0xcc, there = 0;
	CHECK(is_fine(process_create(&start, "/bin/true", PROCESS_HOLD_PREINIT, &c.process)));
	c.remote = (struct remote) { .process = c.process,
				     .memory = process_open_memory(process_pid(c.process)) };
	CHECK(is_fine(process_mappings(process_pid(c.process), &c.list, &c.space.count)));
	c.space.list = c.list;
	while (n + 1 < c.space.count && !(c.list[n].executable && c.list[n].inode))
		n++;
	code_file_init(&file, images_find(c.images, process_pid(c.process), &c.list[n]), "true");
	code_file_targets(&file);
	CHECK(!file.problem);
	size_t entry = first_entry(&c, &file, &all);
	vector_push(&one, all.items[entry]);
	CHECK(code_place_open(&place, &file, &c.space, n, 65536));
	plan_all(&c, &file, &place, &one);
	CHECK_INT(one.items[0].refusal, PATCH_FITS);
	CHECK_INT(place.windows.count, 1);
	uint64_t at = place.windows.items[0].write.address;
	CHECK(is_fine(process_write(c.process, at, &byte, 1)));
	CHECK(is_fine(code_place_write(&place, &c.remote, one.items)));
	CHECK_INT(one.items[0].refusal, PATCH_BREAKPOINT);
	auto_close int memory = process_open_memory(process_pid(c.process));
	CHECK(pread(memory, &there, 1, (off_t)at) == 1);
	CHECK_INT(there, 0xcc);
	code_place_deinit(&place);
	code_file_deinit(&file);
	vector_free(&all);
	vector_free(&one);
	process_mappings_free(c.list, c.space.count);
	close(c.remote.memory);
	process_free(c.process);
	code_space_deinit(&c.space);
	images_free(c.images);
}

#else

TEST(programs_do_what_they_do_otherwise)
{
	SKIP("needs code of x86_64");
}

#endif

TEST_MAIN
