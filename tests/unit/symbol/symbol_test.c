/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/symbol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "kernel/kernel.h"
#include "process/process.h"
#include "test.h"

__attribute__((constructor)) static void limit_time(void)
{
	alarm(300);
}

int symbol_test_function(int x);
__attribute__((noinline)) int symbol_test_function(int x)
{
	return x * 3 + 1;
}

static struct images *images;

static struct symbols *symbols_here(void)
{
	images = images_new();
	return symbols_new(images);
}

static void symbols_done(struct symbols *s)
{
	symbols_free(s);
	images_free(images);
}

int symbol_test_object = 5;

static const char *user_text(struct symbols *s, enum symbol_form form, uint64_t address)
{
	static struct strbuf out;
	strbuf_clear(&out);
	symbol_print_user(&out, s, form, getpid(), address);
	return strbuf_text(&out);
}

static const char *kernel_text(struct symbols *s, enum symbol_form form, uint64_t address)
{
	static struct strbuf out;
	strbuf_clear(&out);
	symbol_print_kernel(&out, s, form, address);
	return strbuf_text(&out);
}

static double milliseconds(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e6;
}

static const char *printed(enum symbol_form form, uint64_t address, const struct symbol_name *name)
{
	static struct strbuf out;
	strbuf_clear(&out);
	symbol_print(&out, form, address, name);
	return strbuf_text(&out);
}

/* The output of each form, by the known parts of the name. */
TEST(texts_of_addresses)
{
	const struct symbol_name whole = {
		.module = "libc.so.6", .name = "read", .offset = 0x1c, .mapping = 0x7000
	};
	struct symbol_name start = whole, module = whole;
	start.offset = 0;
	module.name = NULL;
	CHECK_STR(printed(SYMBOL_NAME, 0x701c, &whole), "libc.so.6`read");
	CHECK_STR(printed(SYMBOL_OFFSET, 0x701c, &whole), "libc.so.6`read+0x1c");
	CHECK_STR(printed(SYMBOL_OFFSET, 0x7000, &start), "libc.so.6`read");
	CHECK_STR(printed(SYMBOL_MODULE, 0x701c, &whole), "libc.so.6");
	CHECK_STR(printed(SYMBOL_RAW, 0x701c, &whole), "libc.so.6:0x1c");
	CHECK_STR(printed(SYMBOL_NAME, 0x701c, &module), "libc.so.6`0x701c");
	CHECK_STR(printed(SYMBOL_OFFSET, 0x701c, &module), "libc.so.6`0x701c");
	CHECK_STR(printed(SYMBOL_MODULE, 0x701c, &module), "libc.so.6");
	for (enum symbol_form form = SYMBOL_NAME; form <= SYMBOL_RAW; form++)
		CHECK_STR(printed(form, 0x701c, NULL), "0x701c");
}

TEST(kernel_symbols)
{
	struct symbols *s = symbols_here();
	struct symbols_kernel *k = symbols_kernel(s);
	double begin = milliseconds();
	if (symbols_kernel_problem(k)) {
		symbols_done(s);
		SKIP("needs kernel addresses: root");
	}
	printf("kallsyms %.1f ms\n", milliseconds() - begin);
	struct kernel_symbol found;
	CHECK(symbols_kernel_lookup(k, "vmlinux", "vfs_read", &found));
	CHECK(symbols_kernel_lookup(k, NULL, "vfs_read", &found));
	CHECK(!symbols_kernel_lookup(k, "no_module", "vfs_read", &found));
	CHECK(!symbols_kernel_lookup(k, NULL, "no such symbol", &found));
	CHECK_STR(found.module, "vmlinux");
	CHECK(found.is_function);
	uint64_t address = found.address;
	CHECK_STR(kernel_text(s, SYMBOL_NAME, address + 1), "vmlinux`vfs_read");
	CHECK_STR(kernel_text(s, SYMBOL_OFFSET, address), "vmlinux`vfs_read");
	CHECK_STR(kernel_text(s, SYMBOL_OFFSET, address + 1), "vmlinux`vfs_read+0x1");
	CHECK_STR(kernel_text(s, SYMBOL_MODULE, address), "vmlinux");
	CHECK_STR(kernel_text(s, SYMBOL_NAME, 0x1234), "0x1234");
	CHECK_STR(kernel_text(s, SYMBOL_OFFSET, 0xfffffffffffffff0), "0xfffffffffffffff0");
	symbols_done(s);
}

/* What the kernel answers when it is asked for one function, as a formula does. */
TEST(kernel_function_alone)
{
	static const char *const names[] = {
		"vfs_read",	    "schedule", "tick_nohz_handler",
		"tick_sched_timer", "do_exit",	"no_such_function_of_the_kernel"
	};
	struct symbols *s = symbols_here();
	struct symbols_kernel *k = symbols_kernel(s);
	if (symbols_kernel_problem(k) || !kernel_address("schedule")) {
		symbols_done(s);
		SKIP("needs kernel addresses and BPF: root");
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct kernel_symbol found = { 0 };
		symbols_kernel_lookup(k, NULL, names[i], &found);
		CHECK_INT(kernel_address(names[i]), found.address);
	}
	char too_long[1000];
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = 0;
	CHECK_INT(kernel_address(too_long), 0);
	too_long[503] = 0; /* the longest that is asked for */
	CHECK_INT(kernel_address(too_long), 0);
	symbols_done(s);
}

/* Data symbols, modules and aliases, which the kernel of this machine may not have. */
TEST(symbols_of_a_kernel_with_data)
{
	static const char text[] = "0000000000021a80 A runqueues\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000100 t twin\n"
				   "ffffffff81000200 T twin\n"
				   "ffffffff81000300 W weak_one\n"
				   "ffffffff82600000 D jiffies_64\n"
				   "ffffffff82600000 D jiffies\n"
				   "ffffffff82680000 T __local\n"
				   "ffffffff82680000 t local\n"
				   "ffffffff82680000 t _local\n"
				   "ffffffff82700000 b local_data\n"
				   "ffffffffc0402000 t twin\t[ext4]\n"
				   "ffffffffc0400000 d ext4_data\t[ext4]\n"
				   "ffffffffc0500000 t only_here\t[xfs]\n";
	auto_free char *path = mem_strdup("/tmp/kallsyms-XXXXXX");
	int fd = mkstemp(path);
	CHECK_INT(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	struct symbols_kernel *k = symbols_kernel_of_file(path);
	static const struct {
		const char *module, *name, *in;
		uint64_t address, size;
		bool is_function;
	} wanted[] = {
		{ NULL, "runqueues", "vmlinux", 0x21a80, 0, false },
		{ NULL, "jiffies", "vmlinux", 0xffffffff82600000, 0x80000, false },
		{ NULL, "local_data", "vmlinux", 0xffffffff82700000, 0, false },
		{ NULL, "weak_one", "vmlinux", 0xffffffff81000300, 0x15ffd00, true },
		{ NULL, "twin", "vmlinux", 0xffffffff81000200, 0x100, true },
		{ "vmlinux", "twin", "vmlinux", 0xffffffff81000200, 0x100, true },
		{ "ext4", "twin", "ext4", 0xffffffffc0402000, 0, true },
		{ NULL, "ext4_data", "ext4", 0xffffffffc0400000, 0x2000, false },
		{ "xfs", "only_here", "xfs", 0xffffffffc0500000, 0, true },
	};
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct kernel_symbol found = { 0 };
		CHECK(symbols_kernel_lookup(k, wanted[i].module, wanted[i].name, &found));
		CHECK_INT(found.address, wanted[i].address);
		CHECK_INT(found.size, wanted[i].size);
		CHECK_STR(found.module, wanted[i].in);
		CHECK(found.is_function == wanted[i].is_function);
	}
	struct kernel_symbol found;
	CHECK(!symbols_kernel_lookup(k, "vmlinux", "ext4_data", &found));
	CHECK(!symbols_kernel_lookup(k, "ext4", "jiffies", &found));
	struct symbol_name name;
	CHECK(symbols_kernel_find(k, 0xffffffff82600004, &name));
	CHECK_STR(name.name, "jiffies");
	CHECK(symbols_kernel_find(k, 0xffffffff82680004, &name));
	CHECK_STR(name.name, "local"); /* fewest underscores, before global or local */
	CHECK(!symbols_kernel_find(k, 0x21a84, &name));
	symbols_kernel_free(k);
	unlink(path);
}

TEST(kernel_functions)
{
	static const char text[] = "0000000000021a80 A first\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000100 t first\n"
				   "ffffffff81000100 T alias\n"
				   "ffffffff81000140 T second\n"
				   "ffffffff81000150 T third\n"
				   "ffffffffc0402000 t last\t[ext4]\n";
	auto_free char *path = mem_strdup("/tmp/kallsyms-XXXXXX");
	int fd = mkstemp(path);
	CHECK_INT(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	struct symbols_kernel *k = symbols_kernel_of_file(path);
	static const char *const names[] = { "second", "first", "alias", "none", "last" };
	struct address_range found[ARRAY_SIZE(names)];
	symbols_kernel_functions(k, names, ARRAY_SIZE(names), found);
	CHECK_INT(found[0].begin, 0xffffffff81000140);
	CHECK_INT(found[0].end, 0xffffffff81000150);
	CHECK_INT(found[1].begin, 0xffffffff81000100);
	CHECK_INT(found[1].end, 0xffffffff81000140);
	CHECK_INT(found[2].begin, 0xffffffff81000100);
	CHECK_INT(found[2].end, 0xffffffff81000140);
	CHECK_INT(found[3].begin, 0);
	CHECK_INT(found[4].begin, 0); /* its end is unknown */
	symbols_kernel_free(k);
	unlink(path);
}

/* Are the code's bytes at ADDRESS those at OFFSET of our program? */
static bool has_bytes_at(uint64_t offset, uint64_t address)
{
	char bytes[8];
	auto_close int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	return pread(fd, bytes, sizeof(bytes), (off_t)offset) == sizeof(bytes) &&
	       memcmp(bytes, (const void *)(uintptr_t)address, sizeof(bytes)) == 0;
}

TEST(own_functions_and_objects)
{
	struct symbols *s = symbols_here();
	uint64_t f = (uint64_t)(uintptr_t)symbol_test_function;
	CHECK_STR(user_text(s, SYMBOL_NAME, f + 1), "symbol_test`symbol_test_function");
	CHECK_STR(user_text(s, SYMBOL_OFFSET, f), "symbol_test`symbol_test_function");
	CHECK_STR(user_text(s, SYMBOL_OFFSET, f + 2), "symbol_test`symbol_test_function+0x2");
	CHECK_STR(user_text(s, SYMBOL_MODULE, f), "symbol_test");
	CHECK_STR(user_text(s, SYMBOL_OFFSET, (uint64_t)(uintptr_t)&symbol_test_object),
		  "symbol_test`symbol_test_object");
	CHECK_STR(user_text(s, SYMBOL_NAME, 16), "0x10");
	CHECK(strstr(user_text(s, SYMBOL_RAW, f), "symbol_test:0x") != NULL);

	struct symbol_name name;
	CHECK(symbols_process_find(symbols_of(s, getpid()), f, &name));
	CHECK(name.mapping <= f && !name.is_anonymous);
	struct bytes id = symbol_build_id(&name);
	CHECK(id.size >= 8 && id.size <= BUILD_ID_MOST);
	CHECK(name.is_in_file && has_bytes_at(name.file_offset, f));
	CHECK(symbols_of(s, getpid()) == symbols_of(s, getpid()));

	/* The stack is a mapping without a name. */
	int local;
	uint64_t stack = (uint64_t)(uintptr_t)&local;
	CHECK(symbols_process_find(symbols_of(s, getpid()), stack, &name));
	CHECK(name.module == NULL && name.is_anonymous);
	CHECK(!name.is_in_file && !symbol_build_id(&name).size);
	symbols_done(s);
}

static unsigned vdso_names(struct symbols_process *s)
{
	uint64_t begin = getauxval(AT_SYSINFO_EHDR);
	unsigned named = 0;
	struct symbol_name name;
	for (uint64_t at = begin; at < begin + 4096; at += 16)
		named += symbols_process_find(s, at, &name) && name.name &&
			 string_equal(name.module, "[vdso]");
	return named;
}

/*
 * The kernel's library is in no file, and has names all the same; a fork has it at the same place.
 */
TEST(names_of_the_vdso)
{
	if (!getauxval(AT_SYSINFO_EHDR))
		return;
	struct symbols *symbols = symbols_here();
	CHECK(vdso_names(symbols_of(symbols, getpid())) > 4);
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	symbols_process_snapshot(symbols_of(symbols, child));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	CHECK(vdso_names(symbols_of(symbols, child)) > 4);
	CHECK(vdso_names(symbols_of(symbols, child)) == vdso_names(symbols_of(symbols, getpid())));
	symbols_done(symbols);
}

/* New mappings are seen at the look-up, old ones are kept. */
TEST(mappings_come_and_go)
{
	struct symbols *s = symbols_here();
	char self[] = "/proc/self/exe";
	CHECK_STR(user_text(s, SYMBOL_MODULE, 16), "0x10");

	auto_fclose FILE *f = fopen(self, "re");
	void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(f), 0);
	CHECK_STR(user_text(s, SYMBOL_MODULE, (uint64_t)(uintptr_t)p), "symbol_test");
	munmap(p, 4096);
	symbols_process_snapshot(symbols_of(s, getpid()));
	CHECK_STR(user_text(s, SYMBOL_MODULE, (uint64_t)(uintptr_t)p), "symbol_test");
	symbols_done(s);
}

/* Where FILE's function NAME is in the process, by looking at every mapping's names. */
static uint64_t executable_address(int pid, const char *part)
{
	struct mapping *list;
	size_t count;
	uint64_t found = 0;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	for (size_t i = 0; !err && i < count; i++)
		if (list[i].executable && strstr(list[i].path, part))
			found = list[i].start;
	if (!err)
		process_mappings_free(list, count);
	return found;
}

#define REGIONS 2000

/* REGIONS pages of FD, each a separate mapping, from AT on. */
static void map_pages(char *at, int fd)
{
	for (long i = 0; i < REGIONS; i++)
		CHECK(mmap(at + i * 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
			   i % 2 * 4096 * 2) != MAP_FAILED);
}

/* More than are kept: it is the oldest that are forgotten. */
TEST(last_mappings_are_remembered)
{
	auto_close int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct symbols *s = symbols_here();
	size_t len = REGIONS * 4096;
	char *at = mmap(NULL, 4 * len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int round = 0; round < 4; round++, at += len) {
		map_pages(at, fd);
		symbols_process_snapshot(symbols_of(s, getpid()));
		munmap(at, len);
		symbols_process_snapshot(symbols_of(s, getpid()));
		CHECK_STR(user_text(s, SYMBOL_MODULE, (uint64_t)at), "symbol_test");
	}
	symbols_done(s);
}

TEST(names_outlive_the_process)
{
	struct process *p = NULL;
	struct error *err = process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p);
	CHECK(err == NULL);
	if (err) {
		error_free(err);
		return;
	}
	int pid = process_pid(p);
	struct symbols *symbols = symbols_here();
	struct symbols_process *s = symbols_of(symbols, pid);
	double begin = milliseconds();
	symbols_process_snapshot(s);
	printf("snapshot %.2f ms\n", milliseconds() - begin);
	uint64_t libc = executable_address(pid, "libc.so");
	CHECK(libc != 0);
	process_kill(p);
	process_free(p);

	struct symbol_name name = { 0 };
	CHECK(symbols_process_find(s, libc, &name) && name.is_in_file && name.file_offset);
	CHECK(symbol_build_id(&name).size >= 8);
	unsigned named = 0;
	for (uint64_t at = libc; at < libc + 0x100000; at += 0x1000)
		named += symbols_process_find(s, at, &name) && name.name;
	CHECK(named > 50);
	CHECK(name.module && strncmp(name.module, "libc", 4) == 0);
	CHECK(!symbols_process_find(s, 16, &name));
	/* Bytes of code that a walk took for an address: above all that was mapped. */
	CHECK(!symbols_process_may_return(s, 0xd8ec81485355));
	CHECK(symbols_process_may_return(s, 0x100000)); /* maybe a JIT's, unmapped since */
	symbols_done(symbols);

	symbols = symbols_here(); /* gone before it was read */
	CHECK(!symbols_process_find(symbols_of(symbols, pid), libc, &name));
	symbols_done(symbols);
}

/* The page of a file that is not a program, mapped here and in children; its descriptor. */
static int data_file(void **at)
{
	char path[] = "/tmp/symbol-data-XXXXXX";
	int fd = mkstemp(path);
	unlink(path);
	CHECK(fd >= 0 && write(fd, "no program", 10) == 10);
	*at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	return fd;
}

/* Code may have been mapped there since: libraries are where their linker had its cache. */
TEST(what_was_data_names_nothing_later)
{
	void *at;
	auto_close int fd = data_file(&at);
	CHECK(fd >= 0);
	struct symbols *symbols = symbols_here();
	struct symbol_name name = { 0 };
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	struct symbols_process *of_child = symbols_of(symbols, child);
	CHECK(symbols_process_find(of_child, (uint64_t)at, &name));
	CHECK(name.module && !strncmp(name.module, "symbol-data-", 12));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	CHECK(!symbols_process_find(of_child, (uint64_t)at, &name));

	struct symbols_process *own = symbols_of(symbols, getpid());
	CHECK(symbols_process_find(own, (uint64_t)at, &name) && name.module);
	munmap(at, 4096);
	symbols_process_snapshot(own);
	CHECK(!symbols_process_find(own, (uint64_t)at, &name));
	symbols_done(symbols);
}

/*
 * Some thousand processes are kept, those looked up last: more would be a leak, on a machine that
 * starts programs all day.  The numbers 1000000000 and up are unused.
 */
TEST(processes_are_forgotten)
{
	struct symbols *s = symbols_here();
	struct process *p = NULL;
	auto_error struct error *err = process_create(NULL, "sleep 30", PROCESS_HOLD_PREINIT, &p);
	CHECK(err == NULL);
	if (err)
		return;
	int pid = process_pid(p);
	symbols_process_snapshot(symbols_of(s, pid));
	uint64_t libc = executable_address(pid, "libc.so");
	process_kill(p);
	process_free(p);

	struct symbol_name name;
	for (int i = 0; i < 20000; i++) {
		symbols_of(s, 1000000000 + i);
		if (i % 4000 == 0)
			CHECK(symbols_process_find(symbols_of(s, pid), libc, &name));
	}
	CHECK(symbols_process_find(symbols_of(s, pid), libc, &name));
	for (int i = 0; i < 20000; i++)
		symbols_of(s, 1000000000 + i);
	CHECK(!symbols_process_find(symbols_of(s, pid), libc, &name));
	symbols_done(s);
}

/* The number of the child's libraries that we have open: our mappings. */
static unsigned open_files_of_child(void)
{
	struct mapping *list;
	size_t count;
	unsigned found = 0;
	auto_error struct error *err = process_mappings(getpid(), &list, &count);
	CHECK(err == NULL);
	for (size_t i = 0; !err && i < count; i++)
		found += strstr(list[i].path, "/symbol-test-gone-") != NULL;
	if (!err)
		process_mappings_free(list, count);
	return found;
}

/* A library that is only an ELF header, mapped, and deleted at once. */
static void *map_library(const char *header)
{
	char path[] = "/tmp/symbol-test-gone-XXXXXX";
	auto_close int fd = mkstemp(path);
	char page[4096] = { 0 };
	memcpy(page, header, 32); /* no sections, no segments */
	bool written = write(fd, page, sizeof(page)) == sizeof(page);
	unlink(path);
	return written ? mmap(NULL, sizeof(page), PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
}

/* For each byte from ASKED another library instead of the last one, and a byte as the reply. */
static void map_when_asked(int asked, int answer)
{
	char header[32], c;
	auto_close int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool good = read(self, header, sizeof(header)) == sizeof(header);
	void *at = NULL;
	while (good && read(asked, &c, 1) == 1) {
		if (at)
			munmap(at, 4096);
		at = map_library(header);
		good = at != MAP_FAILED && write(answer, &c, 1) == 1;
	}
	_exit(!good);
}

/* Have PID map COUNT libraries, one after the other, and look at each. */
static void look_at_libraries(struct symbols *s, int pid, int ask, int answer, int count)
{
	char c = 0;
	for (int i = 0; i < count; i++) {
		CHECK_INT(write(ask, &c, 1), 1);
		CHECK_INT(read(answer, &c, 1), 1);
		symbols_process_snapshot(symbols_of(s, pid));
	}
}

/* The disk keeps the blocks of files that are open: how many are does not grow with those seen. */
TEST(files_are_closed)
{
	int ask[2], answer[2];
	CHECK(pipe(ask) == 0 && pipe(answer) == 0);
	int pid = fork();
	if (pid == 0) {
		close(ask[1]);
		map_when_asked(ask[0], answer[1]);
	}
	struct symbols *s = symbols_here();
	struct image *ours = symbols_process_image(symbols_of(s, getpid()), "a.out");
	CHECK(ours && image_path(ours));
	images_set_bounds(images, (struct images_bounds) { .open = 200, .bytes = SIZE_MAX });
	look_at_libraries(s, pid, ask[1], answer[0], 1200);
	symbols_of(s, pid);
	unsigned now = open_files_of_child();
	CHECK(now > 100 && now <= 200);
	/* a holder may still read it */
	CHECK(elf_file_symbol_named(image_elf(ours), "map_library"));
	symbols_done(s);
	CHECK_INT(open_files_of_child(), 0);

	close(ask[1]);
	int status;
	CHECK_INT(waitpid(pid, &status, 0), pid);
	CHECK_INT(status, 0);
	close(ask[0]);
	close(answer[0]);
	close(answer[1]);
}

TEST_MAIN
