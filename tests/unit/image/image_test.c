/* SPDX-License-Identifier: BSD-2-Clause */
/* The files are copies of this program, mapped by this process or by a child. */
#include "image/image.h"

#include <dwarf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

/* A function to look for. */
int image_test_function(void);
int image_test_function(void)
{
	return 1;
}

static char folder[] = "/tmp/image-test-XXXXXX";

static void folder_make(void)
{
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	CHECK(mkdtemp(folder) != NULL);
}

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *format, ...)
{
	auto_strbuf struct strbuf command = { 0 };
	va_list ap;
	va_start(ap, format);
	strbuf_vprintf(&command, format, ap);
	va_end(ap);
	CHECK_INT(system(strbuf_text(&command)), 0);
}

static void folder_remove(void)
{
	run("rm -rf %s", folder);
}

static char *copy_of_ours(const char *name)
{
	char *path = mem_printf("%s/%s", folder, name);
	run("cp /proc/%d/exe %s", getpid(), path);
	return path;
}

/* PID's first mapping of a path that contains NAME. */
static struct mapping mapping_of(int pid, const char *name)
{
	struct mapping *list, found = { 0 };
	size_t count = 0;
	error_free(process_mappings(pid, &list, &count));
	for (size_t i = 0; i < count && !found.path; i++)
		if (strstr(list[i].path, name)) {
			found = list[i];
			found.path = mem_strdup(found.path);
		}
	if (count)
		process_mappings_free(list, count);
	CHECK(found.path != NULL);
	return found;
}

static void *map_file(const char *path)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	CHECK(at != MAP_FAILED);
	return at;
}

/* The image of PATH, which this process maps for a moment. */
static struct image *find(struct images *s, const char *path)
{
	void *at = map_file(path);
	struct mapping m = mapping_of(getpid(), path);
	struct image *i = images_find(s, getpid(), &m);
	free(m.path);
	munmap(at, 4096);
	return i;
}

static bool has_function(struct image *i)
{
	struct elf_file *elf = i ? image_elf(i) : NULL;
	return elf && elf_file_symbol_named(elf, "image_test_function");
}

TEST(a_file_is_one_image_whoever_maps_it)
{
	struct images *s = images_new();
	int pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	struct mapping ours = mapping_of(getpid(), "/libc.so"),
		       theirs = mapping_of(pid, "/libc.so");
	struct image *i = images_find(s, getpid(), &ours);
	CHECK(i && i == images_find(s, pid, &theirs));
	struct mapping program = mapping_of(pid, "image_test");
	CHECK(i != images_find(s, pid, &program));
	CHECK(has_function(images_find(s, pid, &program)));
	CHECK_INT(images_count(s).known, 2);
	CHECK_INT(images_count(s).open, 2);
	CHECK_INT(images_count(s).descriptors, 0);
	struct mapping heap = { .start = 4096, .end = 8192, .path = (char *)"[heap]" };
	CHECK(!images_find(s, pid, &heap));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	free(ours.path);
	free(theirs.path);
	free(program.path);
	images_free(s);
}

/* A child that maps PATH until it is killed. */
static int child_with(const char *path)
{
	int ready[2];
	char c = 0;
	CHECK(pipe(ready) == 0);
	int pid = fork();
	if (pid == 0) {
		map_file(path);
		if (write(ready[1], &c, 1) == 1)
			pause();
		_exit(0);
	}
	CHECK(read(ready[0], &c, 1) == 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static const char *hexadecimal(struct bytes b)
{
	static char text[2 * BUILD_ID_MOST + 1];
	text[0] = 0;
	for (size_t n = 0; n < b.size; n++)
		snprintf(text + 2 * n, 3, "%02x", b.data[n]);
	return text;
}

TEST(names_survive_the_process_and_the_file)
{
	folder_make();
	struct images *s = images_new();
	auto_free char *path = copy_of_ours("gone");
	int pid = child_with(path);
	struct mapping m = mapping_of(pid, path);
	struct image *i = image_refer(images_find(s, pid, &m));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	folder_remove();
	CHECK(has_function(i));
	images_trim(s);
	CHECK(has_function(i));
	/* beyond the bounds it is closed, and the file is not there to be opened again */
	images_set_bounds(s, (struct images_bounds) { 0, SIZE_MAX });
	images_trim(s);
	CHECK(!image_elf(i));
	auto_error struct error *err = image_problem(i);
	CHECK(strstr(error_text(err), "/gone no longer exists") != NULL);
	CHECK(image_build_id(i).size >= 8); /* by which it is found elsewhere; asked for now */
	image_release(i);
	free(m.path);
	images_free(s);
}

TEST(a_file_that_was_written_to_is_another_image)
{
	folder_make();
	struct images *s = images_new();
	auto_free char *path = copy_of_ours("written");
	struct image *before = image_refer(find(s, path));
	CHECK(before == find(s, path));
	run("sleep 1.1; printf 'no program' > %s", path);
	struct image *after = find(s, path);
	CHECK(after && after != before);
	CHECK(after && !image_elf(after));
	auto_error struct error *err = image_problem(after);
	CHECK(strstr(error_text(err), "not an ELF file") != NULL);
	CHECK(after == find(s, path));
	image_release(before);
	images_free(s);
	folder_remove();
}

#define FILES 40

TEST(how_many_are_open_is_bounded)
{
	folder_make();
	struct images *s = images_new();
	struct image *all[FILES];
	images_set_bounds(s, (struct images_bounds) { .open = 10, .bytes = SIZE_MAX });
	for (int n = 0; n < FILES; n++) {
		auto_free char *name = mem_printf("file-%d", n), *path = copy_of_ours(name);
		all[n] = image_refer(find(s, path));
		CHECK(n == 0 || has_function(all[0])); /* the first one is used all the time */
		images_trim(s);
		CHECK(images_count(s).open <= 10);
	}
	CHECK_INT(images_count(s).known, FILES);
	size_t open = images_count(s).open;
	CHECK(has_function(all[0]));
	CHECK_INT(images_count(s).open, open);
	CHECK(has_function(all[1]));
	CHECK_INT(images_count(s).open, open + 1); /* it was closed, and opened again */

	for (int n = 0; n < FILES; n++)
		CHECK(has_function(all[n]));
	CHECK_INT(images_count(s).open, FILES);
	size_t bytes = images_count(s).bytes;
	CHECK(bytes > FILES * 1000);
	images_set_bounds(s, (struct images_bounds) { FILES, bytes / 2 });
	images_trim(s);
	CHECK(images_count(s).bytes <= bytes / 2);
	CHECK(images_count(s).open > 1);

	CHECK_INT(images_count(s).descriptors, 0);
	CHECK(image_path(all[3]) != NULL);
	CHECK_INT(images_count(s).descriptors, 1);
	images_set_bounds(s, (struct images_bounds) { 0, 0 });
	images_trim(s);
	CHECK_INT(images_count(s).open, 1); /* for the kernel it stays */
	CHECK_INT(images_count(s).bytes, 0 + elf_file_memory(image_elf(all[3])));
	for (int n = 0; n < FILES; n++)
		image_release(all[n]);
	images_free(s);
	folder_remove();
}

TEST(files_that_nobody_refers_to_are_forgotten)
{
	folder_make();
	struct images *s = images_new();
	images_set_bounds(s, (struct images_bounds) { 8, SIZE_MAX });
	auto_free char *path = mem_printf("%s/short", folder);
	for (int n = 0; n < 3000; n++) {
		auto_close int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
		CHECK(write(fd, &n, sizeof(n)) == sizeof(n));
		CHECK(find(s, path) != NULL); /* no program, which is remembered */
		unlink(path);
		images_trim(s);
	}
	CHECK(images_count(s).known <= 1024);
	images_free(s);
	folder_remove();
}

static bool has_tools(void)
{
	return system("objcopy --version >/dev/null 2>&1") == 0;
}

/* Linkers write what they are given. */
TEST(build_ids_of_any_form)
{
	if (!has_tools())
		SKIP("needs binutils");
	folder_make();
	run("cd %s && echo .globl _start, f >s.s && echo '_start: f:' >>s.s && as -o s.o s.s && "
	    "ld --build-id=0x00ff01 -o short s.o && ld --build-id=0x$(printf %%0128d 7) -o long "
	    "s.o "
	    "&& ld --build-id=0x$(printf %%0130d 7) -o longer s.o && ld --build-id=none -o none "
	    "s.o",
	    folder);
	static const struct {
		const char *name;
		size_t size;
	} files[] = { { "short", 3 }, { "long", 64 }, { "longer", 0 }, { "none", 0 } };
	struct images *s = images_new();
	for (size_t n = 0; n < ARRAY_SIZE(files); n++) {
		auto_free char *path = mem_printf("%s/%s", folder, files[n].name);
		struct bytes id = image_build_id(find(s, path));
		CHECK_INT(id.size, files[n].size);
		CHECK(n || string_equal(hexadecimal(id), "00ff01"));
	}
	images_free(s);
	folder_remove();
}

/* --- debug information in another file --- */

static bool has_debug_info(const char *path)
{
	struct images *s = images_new();
	struct image *i = find(s, path);
	Dwarf_Die entry;
	struct debug_info *d = i ? image_debug_info(i) : NULL;
	bool found = d && debug_info_type(d, DW_TAG_structure_type, "mapping", &entry);
	images_free(s);
	return found;
}

TEST(separate_file_by_its_name)
{
	if (!has_tools())
		SKIP("needs objcopy");
	folder_make();
	auto_free char *path = copy_of_ours("p");
	CHECK(has_debug_info(path));
	run("cd %s && mkdir .debug && objcopy --only-keep-debug p .debug/p.debug && "
	    "objcopy -R .note.gnu.build-id -S --add-gnu-debuglink=.debug/p.debug p",
	    folder);
	CHECK(has_debug_info(path));
	run("cd %s && mv .debug/p.debug .", folder);
	CHECK(has_debug_info(path));
	run("printf x >> %s/p.debug", folder); /* it is not the one that was meant */
	CHECK(!has_debug_info(path));
	folder_remove();
}

/* In the root of the process: our root has the files of the machine's packages. */
TEST(separate_file_by_build_id)
{
	if (!has_tools() || getuid() != 0)
		SKIP("needs objcopy and root");
	folder_make();
	auto_free char *path = copy_of_ours("q");
	struct images *s = images_new();
	struct bytes id = image_build_id(find(s, path));
	CHECK(id.size >= 8);
	const char *hex = hexadecimal(id);
	run("cd %s && mkdir -p usr/lib/debug/.build-id/%.2s && "
	    "objcopy --only-keep-debug q usr/lib/debug/.build-id/%.2s/%s.debug && strip q",
	    folder, hex, hex, hex + 2);
	CHECK(!has_debug_info(path));

	int pid = child_with(path), changed = fork();
	if (changed == 0) {
		map_file(path);
		_exit(chroot(folder) == 0 ? pause() : 1);
	}
	char root[64], target[200] = "";
	snprintf(root, sizeof(root), "/proc/%d/root", changed);
	for (int n = 0; n < 5000 && !string_equal(target, folder); n++) {
		usleep(1000);
		ssize_t len = readlink(root, target, sizeof(target) - 1);
		target[MAX(len, 0)] = 0;
	}
	struct mapping outside = mapping_of(pid, path), inside = mapping_of(changed, "/q");
	struct images *fresh = images_new();
	struct image *i = images_find(fresh, pid, &outside);
	CHECK(i && !image_debug_info(i));
	images_free(fresh);
	fresh = images_new();
	i = images_find(fresh, changed, &inside);
	CHECK(i && image_debug_info(i) != NULL);
	images_free(fresh);
	kill(pid, SIGKILL);
	kill(changed, SIGKILL);
	waitpid(pid, NULL, 0);
	waitpid(changed, NULL, 0);
	free(outside.path);
	free(inside.path);
	images_free(s);
	folder_remove();
}

TEST_MAIN
