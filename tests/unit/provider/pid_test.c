/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The traced process is our child and runs this same program.
 *
 * Built with sanitizers the program differs: these add branches and calls to functions, but not to
 * the targets.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "kernel/kernel.h"
#include "loader/internal.h"
#include "provider/process/pid.h"
#include "provider/process/pid_object.h"
#include "provider/provider.h"
#include "test.h"

int pid_test_target(int x);
int pid_test_target_again(int x) __attribute__((alias("pid_test_target")));
int pid_test_other(int x);

#define TARGET __attribute__((noinline, no_sanitize("address", "undefined")))

TARGET int pid_test_target(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

TARGET int pid_test_other(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 2;
}

struct child {
	int pid;
	int go[2], done[2];
};

/* For each byte that it reads, the child calls the targets and replies with a byte. */
static void child_main(const struct child *c)
{
	char byte;
	while (read(c->go[0], &byte, 1) == 1) {
		pid_test_target(byte);
		pid_test_target(byte);
		pid_test_other(byte);
		if (write(c->done[1], &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static struct child child_start(void)
{
	struct child c;
	CHECK(pipe(c.go) == 0 && pipe(c.done) == 0);
	fflush(stdout);
	c.pid = fork();
	if (c.pid == 0) {
		close(c.go[1]);
		child_main(&c);
	}
	close(c.go[0]);
	close(c.done[1]);
	return c;
}

static void child_turn(const struct child *c)
{
	char byte = 1;
	CHECK(write(c->go[1], &byte, 1) == 1);
	CHECK(read(c->done[0], &byte, 1) == 1);
}

static void child_end(const struct child *c)
{
	close(c->go[1]);
	close(c->done[0]);
	waitpid(c->pid, NULL, 0);
}

static struct error *match(struct probe_db *db, int pid, const char *module, const char *function,
			   const char *name, probe_vector *ret)
{
	char provider[32];
	snprintf(provider, sizeof(provider), "pid%d", pid);
	struct probe_desc desc = { provider, module, function, name };
	return probe_db_match(db, &desc, ret);
}

/* How many probes a description means; -1 and the text for an error. */
static int count_of(struct probe_db *db, int pid, const char *module, const char *function,
		    const char *name, char *text, size_t size)
{
	probe_vector found = { 0 };
	auto_error struct error *err = match(db, pid, module, function, name, &found);
	int count = err ? -1 : (int)found.count;
	snprintf(text, size, "%s",
		 err	       ? error_text(err)
		 : found.count ? found.items[0]->module
			       : "");
	vector_free(&found);
	return count;
}

#define COUNT(module, function, name)                                                              \
	count_of(db, c.pid, module, function, name, text, sizeof(text))

/* The id of the one entry probe of FUNCTION; 0: there is not one. */
static uint32_t function_id(struct probe_db *db, int pid, const char *function)
{
	probe_vector found = { 0 };
	auto_error struct error *err = match(db, pid, "a.out", function, "entry", &found);
	uint32_t id = found.count == 1 ? found.items[0]->id : 0;
	vector_free(&found);
	return id;
}

TEST(names)
{
	struct probe_db *db = probe_db_new(providers);
	struct child c = child_start();
	char text[300];
	CHECK_INT(COUNT("a.out", "pid_test_target", "entry"), 1);
	CHECK_STR(text, "pid_test");
	CHECK_INT(COUNT("pid_test", "pid_test_target", "return"), 1);
	CHECK_INT(COUNT("pid_*", "pid_test_target", "[er]*"), 2);
	CHECK_INT(COUNT("", "pid_test_other", "e*"), 1);
	CHECK_INT(COUNT("no_such_*", "pid_test_target", "entry"), 0);
	/* An alias is the same probe, in full and for patterns. */
	CHECK_INT(COUNT("a.out", "pid_test_*", "entry"), 2);
	uint32_t id = function_id(db, c.pid, "pid_test_target");
	CHECK_INT(function_id(db, c.pid, "pid_test_target_again"), id);
	CHECK_INT(function_id(db, c.pid, "pid_test_target_a*"), id);
	probe_db_free(db);
	child_end(&c);
}

/* Each instruction has its place; one past it has none. */
TEST(offsets)
{
	struct probe_db *db = probe_db_new(providers);
	struct child c = child_start();
	char text[300], address[32];
	CHECK_INT(COUNT("a.out", "pid_test_other", "0"), 1);
	int all = COUNT("a.out", "pid_test_other", "");
	CHECK(all >= 4);
	CHECK_INT(COUNT("a.out", "pid_test_other", "[0-9a-f]*"), all - 1); /* with entry */
	snprintf(address, sizeof(address), "%llx", (unsigned long long)(uintptr_t)pid_test_other);
	CHECK_INT(COUNT("", "-", address), 1);
	CHECK_STR(text, "pid_test");
	probe_db_free(db);
	child_end(&c);
}

/* Each site says where its function begins, and how long it is. */
TEST(sites_know_their_function)
{
	struct probe_db *db = probe_db_new(providers);
	struct child c = child_start();
	probe_vector found = { 0 };
	struct elf_file *elf = NULL;
	error_free(elf_file_open("/proc/self/exe", &elf));
	const struct elf_symbol *symbol = elf_file_symbol_named(elf, "pid_test_other");
	uint64_t begin = 0;
	CHECK(symbol && elf_file_offset(elf, symbol->address, &begin));
	error_free(match(db, c.pid, "a.out", "pid_test_other", "", &found)); /* offsets, too */
	CHECK(found.count >= 4);
	for (size_t i = 0; i < found.count; i++) {
		const struct event_code *code = &found.items[i]->events->event.code;
		CHECK_INT(code->site_count, 1);
		CHECK_INT(code->sites[0].function, begin);
		CHECK_INT(code->sites[0].function_size, symbol->size);
		CHECK(code->sites[0].at - begin < symbol->size);
	}
	vector_free(&found);
	elf_file_free(elf);
	probe_db_free(db);
	child_end(&c);
}

TEST(returns_by_exits)
{
	struct probe_db *db = probe_db_new(providers);
	struct child c = child_start();
	probe_vector found = { 0 };
	error_free(match(db, c.pid, "a.out", "pid_test_other", "return", &found));
	CHECK_INT(found.count, 1);
	if (found.count) {
		const struct pid_probe *p = found.items[0]->data;
		CHECK_INT(found.items[0]->events->event.kind, EVENT_FUNCTION_INSIDE);
		CHECK_INT(p->sites.count, 1);
		CHECK(p->sites.items[0].inside > 0);
	}
	vector_free(&found);
	probe_db_free(db);
	child_end(&c);
}

TEST(errors)
{
	struct probe_db *db = probe_db_new(providers);
	struct child c = child_start();
	char text[300];
	CHECK_INT(COUNT("a.out", "no_such_function", "entry"), -1);
	CHECK_STR(text, "failed to lookup 'no_such_function' in module 'a.out'");
	CHECK_INT(COUNT("a.out", "no_such_*", "entry"), -1);
	CHECK(strstr(text, "does not match any probes: no function there fits") != NULL);
	CHECK_INT(COUNT("", "no_such_function_at_all", "entry"), -1);
	CHECK(strstr(text, "does not match any probes: no module has such a function") != NULL);
	CHECK_INT(COUNT("pid_tset", "main", "entry"), -1);
	CHECK(strstr(text, "has no module pid_tset, did you mean pid_test?") != NULL);
	CHECK_INT(COUNT("a.out", "pid_test_tagret", "entry"), -1);
	CHECK(strstr(text, "did you mean pid_test_target?") != NULL);
	CHECK_INT(COUNT("a.out", "main", "enter"), -1);
	CHECK(strstr(text, "'enter' is neither entry, return nor an offset") != NULL);
	CHECK_INT(COUNT("a.out", "main", "fffff"), -1);
	CHECK_STR(text, "offset 0xfffff outside of function 'main'");
	CHECK_INT(COUNT("libc", "-", "1000"), -1);
	CHECK_STR(text, "only the a.out module is valid with the '-' function");
	CHECK_INT(COUNT("", "-", "*"), -1);
	CHECK_STR(text, "only individual addresses may be specified with the '-' function");
	CHECK_INT(COUNT("", "-", "1000"), -1);
	CHECK_STR(text, "failed to create probes at 0x1000: no code is mapped there");
	probe_db_settings(db)->kernel_returns = true;
	CHECK_INT(COUNT("a.out", "_start", "return"), -1);
	probe_db_settings(db)->kernel_returns = false;
	CHECK_STR(text, "failed to create return probe for '_start': it is not called");
	CHECK_INT(COUNT("a.out", "_start", "entry"), 1);
	child_end(&c);
	CHECK_INT(count_of(db, 0, "", "", "entry", text, sizeof(text)), -1);
	CHECK_STR(text, "pid0 does not contain a valid pid");
	CHECK_INT(count_of(db, getpid(), "", "", "entry", text, sizeof(text)), -1);
	CHECK(strstr(text, "is dtrace itself") != NULL);
	CHECK_INT(count_of(db, c.pid, "", "", "entry", text, sizeof(text)), -1);
	CHECK(strstr(text, "failed to grab process") == text);
	probe_db_free(db);
}

static double milliseconds(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e6;
}

TEST(libraries)
{
	struct probe_db *db = probe_db_new(providers);
	struct child c = child_start();
	char text[300];
	double start = milliseconds();
	int entries = COUNT("libc", "", "entry");
	printf("libc: %d functions in %.1f ms\n", entries, milliseconds() - start);
	CHECK(entries > 1500);
	CHECK_STR(text, "libc.so.6");
	CHECK_INT(COUNT("libc.so.6", "malloc", "entry"), 1);
	probe_db_settings(db)->kernel_returns = true;
	CHECK_INT(COUNT("libc", "setjmp", "return"), -1);
	probe_db_settings(db)->kernel_returns = false;
	CHECK(COUNT("lib*", "malloc", "entry") >= 1);
	CHECK_INT(COUNT("", "", ""), -1);
	CHECK(strstr(text, "means more than 100000 probes") != NULL);
	probe_db_free(db);
	child_end(&c);
}

/* --- attaching: a program that adds its probe's index, +1, to a word ----------------------- */

static int counter_load(uint64_t **memory)
{
	struct map_request m = { .type = BPF_MAP_TYPE_ARRAY,
				 .name = "count",
				 .key_size = 4,
				 .value_size = 8,
				 .max_entries = 1,
				 .flags = BPF_F_MMAPABLE };
	int map = -1, prog = -1;
	auto_error struct error *err = map_create(&m, &map);
	void *p = NULL;
	if (!err)
		err = map_memory(map, 8, &p);
	*memory = p;
	struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_attach_cookie },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 },
		{ .code = BPF_LD | BPF_DW | BPF_IMM,
		  .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_VALUE,
		  .imm = map },
		{ 0 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
		  .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_0,
		  .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct prog_request request = { .type = BPF_PROG_TYPE_KPROBE,
					.attach_type = kernel_has(FEATURE_UPROBE_MULTI) ? 48 : 0,
					.name = "count",
					.code = code,
					.count = ARRAY_SIZE(code) };
	if (!err)
		err = prog_load(&request, &prog);
	close(map);
	return prog;
}

static struct error *refuse(void *arg, unsigned group, uint32_t event, bool alone,
			    struct error *why)
{
	return why;
}

static struct error *attach(const probe_vector *probes, enum event_kind event, int prog,
			    struct link_set *links)
{
	auto_free struct event *events = mem_alloc((probes->count + 1) * sizeof(*events));
	for (uint32_t i = 0; i < probes->count; i++)
		events[i] = probes->items[i]->events->event;
	struct group_code group = { .kind = event,
				    .events = events,
				    .event_count = (uint32_t)probes->count };
	struct attach_request request = {
		.group = &group, .program = prog, .pid = events[0].code.pid, .refused = refuse
	};
	return loader_attach(&request, links);
}

static void fires(const char *name, enum event_kind event)
{
	uint64_t *memory;
	auto_close int prog = counter_load(&memory);
	struct probe_db *db = probe_db_new(providers);
	probe_db_settings(db)->kernel_returns = event == EVENT_FUNCTION_RETURN;
	struct child c = child_start();
	probe_vector probes = { 0 };
	auto_error struct error *err = match(db, c.pid, "a.out", "pid_test_other", name, &probes);
	if (!err)
		err = match(db, c.pid, "a.out", "pid_test_target", name, &probes);
	CHECK_INT(probes.count, 2);
	struct link_set links = { 0 };
	if (!err)
		err = attach(&probes, event, prog, &links);
	if (err)
		printf("error: %s\n", error_text(err));
	for (int i = 0; i < 100; i++)
		child_turn(&c);
	/* Not ours: another process of the same file. */
	pid_test_target(1);
	CHECK_INT((uint32_t)*memory, 100 * (1 + 2 * 2)); /* above: offsets */
	link_set_deinit(&links);
	child_turn(&c);
	CHECK_INT((uint32_t)*memory, 100 * (1 + 2 * 2));
	vector_free(&probes);
	probe_db_free(db);
	child_end(&c);
	munmap(memory, 8);
}

TEST(static_functions_of_one_name)
{
	struct pid_object object = { 0 };
	struct pid_probe *p = pid_probe_new(&object);
	pid_probe_add_site(p, (struct event_site) { 0x100, 0 }, 0);
	pid_probe_add_site(p, (struct event_site) { 0x200, 0 }, 0);
	pid_probe_add_site(p, (struct event_site) { 0x100, 0 }, 0);
	CHECK_INT(p->sites.count, 2);
	CHECK_INT(object.probes, 1);
	pid_probe_free(p);
	CHECK_INT(object.probes, 0);
}

/* execve() maps the program's parts one by one, its vdso last. */
static bool runs(int pid, const char *path)
{
	char maps[64];
	auto_strbuf struct strbuf text = { 0 };
	snprintf(maps, sizeof(maps), "/proc/%d/maps", pid);
	auto_error struct error *err = file_read(maps, SIZE_MAX, &text);
	return !err && strstr(strbuf_text(&text), path) && strstr(strbuf_text(&text), "[vdso]");
}

static struct pid_object *main_object(struct probe_db *db, int pid)
{
	pid_object_vector objects = { 0 };
	auto_error struct error *err = pid_objects(pid_table_of(db), pid, &objects);
	struct pid_object *found = NULL;
	for (size_t i = 0; !err && i < objects.count; i++)
		if (objects.items[i]->is_main)
			found = objects.items[i];
	vector_free(&objects);
	return found;
}

/* The file of a running program may be deleted, and replaced by another. */
TEST(replaced_file)
{
	char path[] = "/tmp/pid_test_XXXXXX";
	close(mkstemp(path));
	auto_free char *copy = mem_printf("cp /bin/sleep %s && chmod 755 %s", path, path);
	CHECK(system(copy) == 0);
	int pid = fork();
	if (pid == 0) {
		execl(path, path, "100", (char *)NULL);
		_exit(1);
	}
	struct timespec pause = { .tv_nsec = 1000000 };
	for (int i = 0; i < 5000 && !runs(pid, path); i++)
		nanosleep(&pause, NULL);
	unlink(path);
	auto_free char *other = mem_printf("cp /bin/true %s", path);
	CHECK(system(other) == 0);

	struct probe_db *db = probe_db_new(providers);
	struct pid_object *object = main_object(db, pid);
	CHECK(object != NULL);
	struct stat held, there;
	if (object) {
		CHECK(stat(image_path(object->image), &held) == 0 && stat(path, &there) == 0);
		CHECK(held.st_ino == object->inode && held.st_ino != there.st_ino);
		auto_error struct error *err = pid_object_open(object);
		CHECK(!err);
		CHECK_STR(object->module, strrchr(path, '/') + 1);
	}
	probe_db_free(db);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(path);
}

/* Opened files and queries of one database do not affect another. */
TEST(two_databases)
{
	struct probe_db *a = probe_db_new(providers), *b = probe_db_new(providers);
	struct child c = child_start();
	CHECK(main_object(a, c.pid) != main_object(b, c.pid));
	CHECK(main_object(a, c.pid) == main_object(a, c.pid));
	probe_db_settings(a)->most = 1;
	char text[300];
	CHECK_INT(count_of(a, c.pid, "a.out", "pid_test_*", "entry", text, sizeof(text)), -1);
	CHECK(strstr(text, "means more than 1 probes") != NULL);
	CHECK(count_of(b, c.pid, "a.out", "pid_test_*", "entry", text, sizeof(text)) > 1);
	int before = (int)probe_db_left_out(b);
	const struct probe_desc f = { "pid1", "a.out", "f", "" };
	probe_db_leave_out(a, &f, "for a reason", true);
	probe_db_leave_out(a, &f, "for a reason", true);
	CHECK_STR(probe_db_left_out_text(a, 0), "f of a.out cannot be probed: for a reason");
	CHECK(!probe_db_left_out_text(a, 1));
	CHECK_INT(probe_db_left_out(a), 1);
	CHECK_INT(probe_db_left_out(b), before);
	probe_db_free(a);
	CHECK(main_object(b, c.pid) != NULL);
	probe_db_free(b);
	child_end(&c);
}

static bool refused(void)
{
	auto_error struct error *err = kernel_check_privileges();
	return err != NULL;
}

TEST(entry_fires)
{
	if (refused())
		SKIP("needs CAP_BPF and CAP_PERFMON");
	fires("entry", EVENT_FUNCTION_ENTRY);
}

TEST(return_fires)
{
	if (refused())
		SKIP("needs CAP_BPF and CAP_PERFMON");
	fires("return", EVENT_FUNCTION_INSIDE);
}

TEST(return_of_the_kernel_fires)
{
	if (refused())
		SKIP("needs CAP_BPF and CAP_PERFMON");
	fires("return", EVENT_FUNCTION_RETURN);
}

/* All functions of a process: none is refused, nothing breaks, the child continues. */
static void all_of(const char *module, const char *name, enum event_kind event)
{
	uint64_t *memory;
	auto_close int prog = counter_load(&memory);
	struct probe_db *db = probe_db_new(providers);
	probe_db_settings(db)->kernel_returns = event == EVENT_FUNCTION_RETURN;
	struct child c = child_start();
	probe_vector probes = { 0 };
	auto_error struct error *err = match(db, c.pid, module, "", name, &probes);
	struct link_set links = { 0 };
	double start = milliseconds();
	if (!err)
		err = attach(&probes, event, prog, &links);
	if (err)
		printf("error: %s\n", error_text(err));
	CHECK(!err && probes.count > 1000);
	double attached = milliseconds();
	size_t link_count = links.links.count;
	child_turn(&c);
	child_turn(&c);
	CHECK(*memory > 0);
	double turned = milliseconds();
	link_set_deinit(&links);
	printf("%zu %s probes on %zu links: attached in %.1f ms, closed in %.1f ms\n", probes.count,
	       name, link_count, attached - start, milliseconds() - turned);
	child_turn(&c);
	vector_free(&probes);
	probe_db_free(db);
	child_end(&c);
	munmap(memory, 8);
}

TEST(all_entries)
{
	if (refused() || !kernel_has(FEATURE_UPROBE_MULTI))
		SKIP("needs CAP_BPF and uprobe_multi");
	all_of("", "entry", EVENT_FUNCTION_ENTRY);
}

TEST(all_returns)
{
	if (refused() || !kernel_has(FEATURE_UPROBE_MULTI))
		SKIP("needs CAP_BPF and uprobe_multi");
	all_of("", "return", EVENT_FUNCTION_INSIDE);
}

TEST(all_returns_of_the_kernel)
{
	if (refused() || !kernel_has(FEATURE_UPROBE_MULTI))
		SKIP("needs CAP_BPF and uprobe_multi");
	all_of("", "return", EVENT_FUNCTION_RETURN);
}

TEST_MAIN
