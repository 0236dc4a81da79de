/* SPDX-License-Identifier: BSD-2-Clause */
/* Needs root for most; says so where bpf(2) is refused. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "kernel/kernel.h"
#include "test.h"

#define NEED_BPF()                                                                                 \
	do {                                                                                       \
		auto_error struct error *refused = kernel_check_privileges();                      \
		if (refused)                                                                       \
			SKIP("needs CAP_BPF and CAP_PERFMON");                                     \
	} while (0)

/* A perf event has 32 bits for it; the others would count somewhere else. */
TEST(a_semaphore_above_four_gigabytes_is_refused_without_uprobe_multi)
{
	const uint64_t place = 1, semaphore = 1ull << 32;
	const struct uprobe_multi request = { .path = "/none",
					      .name = "large",
					      .offsets = &place,
					      .semaphores = &semaphore,
					      .count = 1 };
	struct link_set set = { 0 };
	auto_error struct error *err = link_uprobes(-1, &request, &set);
	CHECK(strstr(error_text(err), "a static probe of large cannot be enabled: its semaphore is "
				      "at offset 0x100000000 of the file"));
	CHECK_INT(error_errno(err), EINVAL);
}

/* Where no child can be made this thread closes: what it starts later would inherit its CPU. */
TEST(a_thread_that_closes_stays_where_it_was)
{
	struct rlimit before;
	cpu_set_t old, now;
	int nice = getpriority(PRIO_PROCESS, 0);
	getrlimit(RLIMIT_AS, &before);
	sched_getaffinity(0, sizeof(old), &old);
	if (CPU_COUNT(&old) < 2)
		SKIP("needs two processors");
	struct link_set set = { 0 };
	int fd = open("/", O_PATH);
	vector_push(&set.links, ((struct attachment) { .fd = fd }));
	setrlimit(RLIMIT_AS, &(struct rlimit) { 0, before.rlim_max }); /* no room for a stack */
	link_set_silence(&set);
	setrlimit(RLIMIT_AS, &before);
	sched_getaffinity(0, sizeof(now), &now);
	CHECK(fcntl(fd, F_GETFD) < 0);
	CHECK(CPU_EQUAL(&now, &old));
	CHECK_INT(getpriority(PRIO_PROCESS, 0), nice);
	link_set_deinit(&set);
}

static uint64_t made_address(const char *symbol)
{
	return string_equal(symbol, "_text") ? 0x1000 : string_equal(symbol, "_data") ? 0x9000 : 0;
}

static void find_builtin(const char *text, const char *module, builtin_range_vector *ret)
{
	ret->count = 0;
	auto_fclose FILE *lines = fmemopen((void *)text, strlen(text), "r");
	builtin_ranges(lines, module, made_address, ret);
}

TEST(modules_that_are_a_part_of_the_kernel_are_found_in_their_list)
{
	static const char text[] = ".text 00000000-00000000 = _text\n"
				   ".text 00000010-00000020 one\n"
				   ".text 00000020-00000030 one two\n"
				   ".rodata 00000000-00000000 = unknown\n"
				   ".rodata 00000010-00000020 one\n"
				   ".data 00000100-00000100 = _data\n"
				   ".data 00000180-000001a0 two three\n"
				   ".bss 00000000-00000010 two\n";
	builtin_range_vector found = { 0 };
	find_builtin(text, "one", &found);
	CHECK_INT(found.count, 2);
	CHECK_INT(found.items[0].begin, 0x1010);
	CHECK_INT(found.items[1].end, 0x1030);
	find_builtin(text, "two", &found);
	CHECK_INT(found.count, 2);
	CHECK_INT(found.items[0].begin, 0x1020);
	CHECK_INT(found.items[1].begin, 0x9080); /* the symbol is 0x100 bytes after the beginning */
	find_builtin(text, "tw", &found);
	CHECK_INT(found.count, 0);
	vector_free(&found);
}

TEST(a_list_of_modules_that_is_damaged_names_none)
{
	static const char *const texts[] = {
		"\n",
		".text\n",
		".text 10-20\n",
		".text 10-20 one\n", /* where the section is, is not said */
		".text 0-0 =\n.text 10-20 one\n",
		".text 0-0 = _text\n.text 10 one\n.text x-y one\n",
		"a-name-of-a-section-that-is-longer-than-any 0-0 = _text\n",
	};
	builtin_range_vector found = { 0 };
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		find_builtin(texts[i], "one", &found);
		CHECK_INT(found.count, 0);
	}
	vector_free(&found);
}

/* NULL is expected; anything else is printed. */
static bool fine(struct error *err)
{
	if (err)
		printf("error: %s\n", error_text(err));
	error_free(err);
	return !err;
}

static int hash_make(enum bpf_map_type type, uint32_t entries)
{
	struct map_request request = { .type = type,
				       .name = "test hash",
				       .key_size = 4,
				       .value_size = 12,
				       .max_entries = entries };
	int fd = -1;
	CHECK(fine(map_create(&request, &fd)));
	return fd;
}

struct seen {
	unsigned count, sum;
};

static struct error *see(void *arg, const void *key, const void *value)
{
	struct seen *seen = arg;
	uint32_t k, v;
	memcpy(&k, key, 4);
	memcpy(&v, value, 4);
	CHECK_INT(v, k * 3);
	seen->count++;
	seen->sum += k;
	return NULL;
}

static void visit_of(enum bpf_map_type type, bool per_cpu)
{
	enum { ENTRIES = 30000 };
	auto_close int map = hash_make(type, ENTRIES * 2);
	uint32_t bytes = per_cpu ? 16 * kernel_cpus_possible() : 12;
	auto_free char *value = mem_zalloc(bytes);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint32_t v = i * 3;
		memcpy(value, &v, 4);
		if (!fine(map_update(map, &i, value, BPF_ANY)))
			break;
	}
	struct seen seen = { 0 };
	CHECK(fine(map_visit(map, 4, bytes, ENTRIES * 2, see, &seen)));
	CHECK_INT(seen.count, ENTRIES);
	CHECK_INT(seen.sum, (unsigned)((uint64_t)ENTRIES * (ENTRIES - 1) / 2));
}

TEST(map_visit_hash)
{
	NEED_BPF();
	visit_of(BPF_MAP_TYPE_HASH, false);
}

TEST(map_visit_per_cpu)
{
	NEED_BPF();
	visit_of(BPF_MAP_TYPE_PERCPU_HASH, true);
}

static struct error *refuse(void *arg, const void *key, const void *value)
{
	return error_new("enough");
}

TEST(map_visit_stops_and_empty)
{
	NEED_BPF();
	auto_close int map = hash_make(BPF_MAP_TYPE_HASH, 10);
	CHECK(fine(map_visit(map, 4, 12, 10, refuse, NULL)));
	uint32_t key = 5, value[3] = { 15 };
	CHECK(fine(map_update(map, &key, value, BPF_ANY)));
	auto_error struct error *err = map_visit(map, 4, 12, 10, refuse, NULL);
	CHECK(err && string_equal(error_text(err), "enough"));
	memset(value, 0, sizeof(value));
	CHECK(map_lookup(map, &key, value));
	CHECK_INT(value[0], 15);
	CHECK(fine(map_remove(map, &key)));
	CHECK(!map_lookup(map, &key, value));
	CHECK(fine(map_remove(map, &key)));
}

/* That it waits for programs is shown by whole runs (balance/clear-loses-nothing). */
TEST(programs_settle_in_time)
{
	NEED_BPF();
	CHECK(fine(programs_settle()));
}

/* A socket map has no batches, a queue cannot be walked: the error says so, nothing breaks. */
TEST(map_visit_without_batches)
{
	NEED_BPF();
	struct map_request request = { .type = BPF_MAP_TYPE_HASH_OF_MAPS,
				       .name = "maps",
				       .key_size = 4,
				       .value_size = 4,
				       .max_entries = 4 };
	auto_close int inner = hash_make(BPF_MAP_TYPE_HASH, 4);
	request.inner = inner;
	int map = -1;
	CHECK(fine(map_create(&request, &map)));
	CHECK(fine(map_visit(map, 4, 4, 4, refuse, NULL)));
	close(map);
}

/* --- ring ------------------------------------------------------------------------------- */

struct fake_ring {
	int fd;
	unsigned char *bytes;
	size_t page, size;
};

static struct fake_ring fake_ring_make(void)
{
	struct fake_ring f = { .page = (size_t)sysconf(_SC_PAGESIZE) };
	f.size = f.page;
	f.fd = memfd_create("ring", 0);
	size_t all = 2 * f.page + 2 * f.size;
	CHECK(ftruncate(f.fd, (off_t)all) == 0);
	f.bytes = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	return f;
}

static void fake_ring_close(struct fake_ring *f)
{
	munmap(f->bytes, 2 * f->page + 2 * f->size);
	close(f->fd);
}

static uint64_t *fake_producer(struct fake_ring *f)
{
	return (uint64_t *)(void *)(f->bytes + f->page);
}

/* The kernel maps the data twice; here the second copy is written by hand. */
static void fake_put(struct fake_ring *f, uint32_t word, const char *text)
{
	uint64_t *producer = fake_producer(f);
	unsigned char *data = f->bytes + 2 * f->page;
	uint32_t len = word & 0x3fffffff;
	for (uint32_t i = 0; i < 8 + len; i++) {
		unsigned char b = i < 4 ? (unsigned char)(word >> 8 * i) : 0;
		if (i >= 8)
			b = (unsigned char)text[i - 8];
		size_t at = (*producer + i) % f->size;
		data[at] = data[at + f->size] = b;
	}
	*producer += (8 + len + 7) / 8 * 8;
}

static struct error *collect(void *arg, const void *data, uint32_t size)
{
	strbuf_add(arg, data, size);
	return NULL;
}

TEST(ring_records)
{
	struct fake_ring f = fake_ring_make();
	struct ring *r = NULL;
	CHECK(fine(ring_open(f.fd, f.size, &r)));
	auto_strbuf struct strbuf text = { 0 };
	uint64_t count = 0;
	CHECK(fine(ring_consume(r, collect, &text, &count)));
	CHECK_INT(count, 0);

	fake_put(&f, 3, "abc");
	fake_put(&f, 2 | 1u << 30, "XX"); /* discarded */
	fake_put(&f, 8, "defghijk");
	fake_put(&f, 2 | 1u << 31, "lm"); /* busy */
	CHECK_INT(ring_waiting(r), 16 + 16 + 16 + 16);
	CHECK(fine(ring_consume(r, collect, &text, &count)));
	CHECK_STR(strbuf_text(&text), "abcdefghijk");
	CHECK_INT(count, 2);
	CHECK_INT(ring_waiting(r), 16);
	ring_close(r);
	fake_ring_close(&f);
}

TEST(ring_wraps)
{
	struct fake_ring f = fake_ring_make();
	struct ring *r = NULL;
	CHECK(fine(ring_open(f.fd, f.size, &r)));
	char filler[100] = { 0 };
	memset(filler, 'z', sizeof(filler));
	auto_strbuf struct strbuf text = { 0 };
	uint64_t count = 0;
	for (int i = 0; i < 1000; i++) {
		fake_put(&f, sizeof(filler), filler);
		strbuf_clear(&text);
		CHECK(fine(ring_consume(r, collect, &text, &count)));
		CHECK(text.len == sizeof(filler) && memcmp(text.text, filler, text.len) == 0);
	}
	CHECK_INT(count, 1000);
	CHECK_INT(ring_waiting(r), 0);
	ring_close(r);
	fake_ring_close(&f);
}

/* --- programs --------------------------------------------------------------------------- */

#define LOAD_MAP(reg, fd)                                                                          \
	{ .code = BPF_LD | BPF_DW | BPF_IMM,                                                       \
	  .dst_reg = reg,                                                                          \
	  .src_reg = BPF_PSEUDO_MAP_VALUE,                                                         \
	  .imm = fd },                                                                             \
	{                                                                                          \
		0                                                                                  \
	}

/* A program that adds to the first word of an array: 1, or HELPER's result for the context. */
static int adder_load(enum bpf_prog_type type, uint32_t attach_type, int map, int helper)
{
	struct bpf_insn code[] = {
		helper ? (struct bpf_insn) { .code = BPF_JMP | BPF_CALL, .imm = helper }
		       : (struct bpf_insn) { .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 },
		LOAD_MAP(BPF_REG_1, map),
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
		  .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_0,
		  .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	char log[4096] = "";
	struct prog_request request = { .type = type,
					.attach_type = attach_type,
					.name = "adder",
					.code = code,
					.count = ARRAY_SIZE(code),
					.log = log,
					.log_size = sizeof(log),
					.log_level = 1 };
	int prog = -1;
	if (!fine(prog_load(&request, &prog)))
		printf("%s\n", log);
	return prog;
}

static int array_make(uint64_t **memory)
{
	struct map_request request = { .type = BPF_MAP_TYPE_ARRAY,
				       .name = "state",
				       .key_size = 4,
				       .value_size = 64,
				       .max_entries = 1,
				       .flags = BPF_F_MMAPABLE };
	int map = -1;
	CHECK(fine(map_create(&request, &map)));
	void *p = NULL;
	CHECK(fine(map_memory(map, 64, &p)));
	*memory = p;
	return map;
}

TEST(prog_runs_once)
{
	NEED_BPF();
	uint64_t *memory, context[2] = { 0 };
	auto_close int map = array_make(&memory);
	auto_close int prog = adder_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, map, 0);
	CHECK(prog >= 0);
	CHECK(fine(prog_test_run(prog, context, sizeof(context), -1)));
	CHECK(fine(prog_test_run(prog, context, sizeof(context), 0)));
	CHECK_INT(*memory, 2);
	CHECK_INT(prog_missed(prog), 0);
	munmap(memory, 64);
}

TEST(prog_refused)
{
	NEED_BPF();
	struct bpf_insn exit_only[] = { { .code = BPF_JMP | BPF_EXIT } };
	char log[4096] = "";
	struct prog_request request = { .type = BPF_PROG_TYPE_RAW_TRACEPOINT,
					.name = "bad",
					.code = exit_only,
					.count = 1,
					.log = log,
					.log_size = sizeof(log),
					.log_level = 1 };
	int prog = -1;
	auto_error struct error *err = prog_load(&request, &prog);
	CHECK(err && error_errno(err) == EACCES);
	CHECK(strstr(log, "R0 !read_ok") != NULL);
	CHECK_INT(prog, -1);
}

/* --- links -------------------------------------------------------------------------------- */

int traced(int x);
__attribute__((noinline)) int traced(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

/* The offset of ADDRESS in our own file, by the mapping that contains it. */
static uint64_t offset_of(const volatile void *address)
{
	auto_fclose FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	uint64_t at = (uint64_t)(uintptr_t)address;
	unsigned long long start, end, offset;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx %*s %llx", &start, &end, &offset) == 3 && at >= start &&
		    at < end)
			return at - start + offset;
	return 0;
}

static uint64_t traced_offset(void)
{
	return offset_of(traced);
}

typedef struct error *attach_fn(int prog, const struct uprobe_multi *request, struct link_set *set);

static void uprobe_counts(attach_fn *attach, uint32_t attach_type)
{
	uint64_t *memory;
	auto_close int map = array_make(&memory);
	auto_close int prog =
		adder_load(BPF_PROG_TYPE_KPROBE, attach_type, map, BPF_FUNC_get_attach_cookie);
	uint64_t offset = traced_offset(), cookie = 7;
	struct uprobe_multi request = { .path = "/proc/self/exe",
					.name = "the program",
					.offsets = &offset,
					.cookies = &cookie,
					.count = 1,
					.pid = getpid() };
	struct link_set set = { 0 };
	CHECK(offset && fine(attach(prog, &request, &set)));
	request.is_return = true;
	CHECK(fine(attach(prog, &request, &set)));
	for (int i = 0; i < 10; i++)
		traced(i);
	CHECK_INT(*memory, 2 * 10 * 7);
	link_set_deinit(&set);
	traced(1);
	CHECK_INT(*memory, 2 * 10 * 7);
	munmap(memory, 64);
}

TEST(link_uprobe_multi)
{
	NEED_BPF();
	if (!kernel_has(FEATURE_UPROBE_MULTI))
		SKIP("needs uprobe_multi, Linux 6.6");
	uprobe_counts(link_uprobe_multi, 48);
}

TEST(link_uprobes_by_perf_events)
{
	NEED_BPF();
	uprobe_counts(link_uprobes, 0);
}

/* In .data, as the kernel counts in pages of the file. */
static volatile uint16_t semaphores[] = { 0, 1 };

struct looking {
	bool has_begun, stop; /* atomic */
	bool is_raised;
};

static void *look_at_semaphore(void *arg)
{
	struct looking *l = arg;
	do {
		l->is_raised |= semaphores[0] != 0;
		__atomic_store_n(&l->has_begun, true, __ATOMIC_RELEASE);
	} while (!__atomic_load_n(&l->stop, __ATOMIC_ACQUIRE));
	l->is_raised |= semaphores[0] != 0;
	return NULL;
}

static bool is_raised_while(int prog, const struct uprobe_multi *request, bool *attached)
{
	struct link_set set = { 0 };
	struct looking looking = { 0 };
	pthread_t thread;
	CHECK_INT(pthread_create(&thread, NULL, look_at_semaphore, &looking), 0);
	while (!__atomic_load_n(&looking.has_begun, __ATOMIC_ACQUIRE))
		sched_yield();
	auto_error struct error *err = link_uprobes(prog, request, &set);
	*attached = !err;
	__atomic_store_n(&looking.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	link_set_deinit(&set);
	return looking.is_raised;
}

/* A program that cannot be attached shows in which order things happen. */
TEST(link_uprobes_raise_a_semaphore_after_the_program)
{
	NEED_BPF();
	uint64_t *memory, offset = traced_offset(), semaphore = offset_of(&semaphores[0]);
	auto_close int map = array_make(&memory);
	auto_close int prog = adder_load(BPF_PROG_TYPE_KPROBE, 0, map, 0);
	struct uprobe_multi request = { .path = "/proc/self/exe",
					.name = "the program",
					.offsets = &offset,
					.semaphores = &semaphore,
					.count = 1,
					.pid = getpid() };
	bool attached;
	for (int i = 0; i < 5; i++)
		CHECK(!is_raised_while(map, &request, &attached) && !attached);
	CHECK(is_raised_while(prog, &request, &attached) && attached);

	struct link_set set = { 0 };
	CHECK(fine(link_uprobes(prog, &request, &set)));
	CHECK_INT(semaphores[0], 1);
	for (int i = 0; i < 10; i++)
		traced(i);
	CHECK_INT(*memory, 10);
	CHECK_INT(set.unseen_ns, 0);
	link_set_deinit(&set);
	CHECK_INT(semaphores[0], 0);
	munmap(memory, 64);
}

/* Each place takes two open files. */
TEST(link_uprobes_raise_the_limit)
{
	NEED_BPF();
	uint64_t *memory;
	auto_close int map = array_make(&memory);
	auto_close int prog = adder_load(BPF_PROG_TYPE_KPROBE, 0, map, BPF_FUNC_get_attach_cookie);
	struct rlimit before, low;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = (struct rlimit) { (rlim_t)prog + 3, before.rlim_max };
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &low), 0);
	uint64_t offset = traced_offset(), offsets[] = { offset, offset, offset },
		 cookies[] = { 1, 2, 3 };
	struct uprobe_multi request = { .path = "/proc/self/exe",
					.offsets = offsets,
					.cookies = cookies,
					.count = 3,
					.pid = getpid() };
	struct link_set set = { 0 };
	CHECK(fine(link_uprobes(prog, &request, &set)));
	traced(1);
	CHECK_INT(*memory, 1 + 2 + 3);
	link_set_deinit(&set);

	request.count = UINT32_MAX; /* more than any kernel allows */
	auto_error struct error *err = link_uprobes(prog, &request, &set);
	CHECK(err && strstr(error_text(err), "open files to probe 4294967295 places") != NULL);
	setrlimit(RLIMIT_NOFILE, &before);
	munmap(memory, 64);
}

TEST(link_uprobes_fail_whole)
{
	NEED_BPF();
	uint64_t *memory;
	auto_close int map = array_make(&memory);
	auto_close int prog = adder_load(BPF_PROG_TYPE_KPROBE, 0, map, 0);
	uint64_t offsets[] = { traced_offset(), 1ull << 40 };
	struct uprobe_multi request = { .path = "/proc/self/exe",
					.name = "the program",
					.offsets = offsets,
					.count = 2,
					.pid = getpid() };
	struct link_set set = { 0 };
	auto_error struct error *err = link_uprobes(prog, &request, &set);
	CHECK(err && strstr(error_text(err), "offset 0x10000000000 of the program"));
	CHECK_INT(set.links.count + set.events.count, 0);
	link_set_deinit(&set);
	munmap(memory, 64);
}

/* Waits on CPU without sleeping: an idle virtual CPU may sleep through its timers. */
static void wait_until(int cpu, const uint64_t *word, uint64_t wanted)
{
	cpu_set_t before, one;
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	time_t end = time(NULL) + 10;
	while (__atomic_load_n(word, __ATOMIC_RELAXED) < wanted && time(NULL) < end)
		;
	sched_setaffinity(0, sizeof(before), &before);
}

TEST(link_timer)
{
	NEED_BPF();
	uint64_t *memory;
	auto_close int map = array_make(&memory);
	auto_close int prog =
		adder_load(BPF_PROG_TYPE_PERF_EVENT, 0, map, BPF_FUNC_get_attach_cookie);
	unsigned count;
	const int *cpus = kernel_cpus_online(&count);
	CHECK(count >= 1 && count <= kernel_cpus_possible());
	struct link_set set = { 0 };
	CHECK(fine(link_timer(prog, cpus[count - 1], 1000000, 1000, &set)));
	wait_until(cpus[count - 1], memory, 5000);
	link_set_deinit(&set);
	CHECK(*memory >= 5000 && *memory % 1000 == 0);
	munmap(memory, 64);
}

TEST(link_raw_tracepoint)
{
	NEED_BPF();
	uint64_t *memory;
	auto_close int map = array_make(&memory);
	auto_close int prog = adder_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, map, 0);
	struct link_set set = { 0 };
	CHECK(fine(link_raw_tracepoint(prog, "sys_enter", 0, &set)));
	getppid();
	CHECK(*memory > 0);
	auto_error struct error *err = link_raw_tracepoint(prog, "no_such_event", 0, &set);
	CHECK(err && strstr(error_text(err), "no_such_event"));
	link_set_deinit(&set);
	munmap(memory, 64);
}

/* A program without a type has no tracepoint. */
TEST(link_typed_tracepoint_wants_a_typed_program)
{
	NEED_BPF();
	uint64_t *memory;
	auto_close int map = array_make(&memory);
	auto_close int prog = adder_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, map, 0);
	struct link_set set = { 0 };
	auto_error struct error *err = link_typed_tracepoint(prog, "sys_enter", &set);
	CHECK(err && strstr(error_text(err), "sys_enter"));
	link_set_deinit(&set);
	munmap(memory, 64);
}

/* They would all arrive once more, and be sampled twice. */
TEST(cpus_do_not_arrive_because_their_list_could_not_be_read)
{
	unsigned count;
	struct cpus_seen seen = { 0 };
	kernel_cpus_arrived(&seen, &count);
	struct rlimit before;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit) { 0, before.rlim_max }), 0);
	kernel_cpus_arrived(&seen, &count);
	CHECK_INT(count, 0);
	setrlimit(RLIMIT_NOFILE, &before);
	kernel_cpus_arrived(&seen, &count);
	CHECK_INT(count, 0);
	cpus_seen_deinit(&seen);
}

/* Here the last CPU has not been seen: it arrives once for each who asks. */
TEST(cpus_arrive_for_each_who_asks)
{
	unsigned online, count;
	const int last = (kernel_cpus_online(&online))[online - 1];
	struct cpus_seen one = { 0 }, other = { 0 };
	kernel_cpus_arrived(&one, &count);
	kernel_cpus_arrived(&other, &count);
	one.arrival[last] = 0; /* it was offline */
	other.arrival[last]++; /* it has gone and come */
	const int *arrived = kernel_cpus_arrived(&one, &count);
	CHECK_INT(count, 1);
	CHECK_INT(arrived[0], last);
	kernel_cpus_arrived(&one, &count);
	CHECK_INT(count, 0);
	kernel_cpus_arrived(&other, &count);
	CHECK_INT(count, 1);
	cpus_seen_deinit(&one);
	cpus_seen_deinit(&other);
}

/* --- code_watch ------------------------------------------------------------------------------- */

struct watched_family {
	int parent, child;
	bool is_forked, is_mapped, is_mapped_first;
	bool has_executed;
	uint64_t address, mapped, ended;
};

static void note_mapped(void *arg, const struct code_mapped *m)
{
	struct watched_family *f = arg;
	if (m->pid != f->child || m->address != f->address || !strstr(m->path, "kernel_test"))
		return;
	f->is_mapped = true;
	f->mapped = m->when;
	f->is_mapped_first |= !f->is_forked;
}

static void note_forked(void *arg, int parent, int pid, uint64_t when)
{
	struct watched_family *f = arg;
	if (parent == f->parent && pid == f->child)
		f->is_forked = true;
}

static void note_left(void *arg, int pid, bool by_exec, uint64_t when)
{
	struct watched_family *f = arg;
	if (pid != f->child)
		return;
	if (by_exec)
		f->has_executed = true;
	else
		f->ended = when;
}

/* A child, on another CPU if there is one, that maps this program at AT and ends. */
static int child_that_maps(void *at)
{
	int child = fork();
	if (child)
		return child;
	cpu_set_t all, other;
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&other);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && cpu != sched_getcpu())
			CPU_SET(cpu, &other);
	sched_setaffinity(0, sizeof(other), &other); /* fails if there is none */
	int fd = open("/proc/self/exe", O_RDONLY);
	mmap(at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
	_exit(0);
}

TEST(forks_and_mappings_are_reported_by_time)
{
	NEED_BPF();
	struct code_watch *w;
	CHECK(!code_watch_open(false, &w));
	void *at = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct watched_family f = { .parent = getpid(), .address = (uint64_t)at };
	const struct code_watch_visitor visitor = { note_mapped, note_forked, note_left, &f };
	for (int i = 0; i < 50; i++) {
		f.is_forked = f.is_mapped = false;
		uint64_t begin = clock_ns(CLOCK_MONOTONIC);
		f.child = child_that_maps(at);
		waitpid(f.child, NULL, 0);
		CHECK(!code_watch_read(w, &visitor));
		CHECK(f.is_forked && f.is_mapped && !f.is_mapped_first && !f.has_executed);
		CHECK(begin < f.mapped && f.mapped < f.ended);
		CHECK(f.ended < clock_ns(CLOCK_MONOTONIC));
	}
	munmap(at, 4096);
	code_watch_close(w);
}

TEST(executed_programs_are_reported)
{
	NEED_BPF();
	struct code_watch *w;
	CHECK(!code_watch_open(true, &w));
	struct watched_family f = { .parent = getpid() };
	const struct code_watch_visitor visitor = { note_mapped, note_forked, note_left, &f };
	f.child = fork();
	if (!f.child) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(f.child, NULL, 0);
	CHECK(!code_watch_read(w, &visitor));
	CHECK(f.is_forked && f.has_executed && f.ended);
	code_watch_close(w);
}

TEST_MAIN
