/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All functions of a private copy of libc, and some of this program, count their calls and returns:
 * they do what they did before.
 */
#include <dlfcn.h>
#include <link.h>
#include <regex.h>
#include <search.h>
#include <time.h>

#include "file_code.h"
#include "live.h"
#include "test.h"

#ifdef __x86_64__

/* Patched code of one file: counters, then code. */
struct patched {
	struct file_code file;
	uint64_t base; /* the address of its link-time address 0 */
	unsigned char *room;
	size_t code_used, sites, sites_fit, calls_moved;
	VECTOR(struct patch_write) writes;
	VECTOR(struct counted) counters;
};

struct counted {
	uint64_t function; /* link-time */
	enum patch_kind kind;
	uint64_t *counter;
};

/* --- windows ------------------------------------------------------------------------------------
 */

struct firing_place {
	struct patched *p;
	const struct patch_site *sites;
	uint64_t function;
};

static uint64_t *counter_new(struct firing_place *f, enum patch_kind kind)
{
	struct patched *p = f->p;
	uint64_t *ret = (uint64_t *)p->room + p->counters.count;
	vector_push(&p->counters, ((struct counted) { f->function, kind, ret }));
	return ret;
}

/* lea -128(%rsp),%rsp; pushf; incq COUNTER(%rip); popf; lea 128(%rsp),%rsp */
static void put_counter(void *arg, const struct patch_firing *firing, struct patch_code *to)
{
	struct firing_place *f = arg;
	uint64_t *counter = counter_new(f, f->sites[firing->site].kind);
	patch_put(to, "\x48\x8d\x64\x24\x80\x9c\x48\xff\x05", 9);
	patch_put_distance(to, (uint64_t)counter);
	patch_put(to, "\x9d\x48\x8d\xa4\x24\x80\0\0\0", 9);
}

static void patch_window_make(struct patched *p, const struct patch_plan *plan,
			      const struct patch_window *w, struct firing_place *place)
{
	const struct patch_machine *m = patch_machine(&arch_x86_64);
	struct bytes old = file_code_at(&p->file, w->at, w->size);
	uint64_t address = p->base + w->at;
	struct bytes memory = bytes_of((const void *)address, w->size);
	size_t half = ROOM / 2 + p->code_used;
	struct patch_code code = { .bytes = p->room + half,
				   .size = ROOM - half,
				   .address = (uint64_t)p->room + half };
	struct patch_write write;
	CHECK_INT(patch_compare(m, &old, &memory), PATCH_FITS);
	CHECK_INT(patch_emit(m, plan, w, &old, address, put_counter, place, &code), PATCH_FITS);
	CHECK_INT(patch_write_make(m, &old, address, code.address, &write), PATCH_FITS);
	CHECK(code.used < code.size);
	p->code_used += code.used;
	p->calls_moved += w->has_call;
	vector_push(&p->writes, write);
}

static void patch_function(struct patched *p, size_t n)
{
	struct patch_function f = file_code_function(&p->file, n);
	site_vector sites = { 0 };
	struct patch_plan plan = { 0 };
	file_code_sites(&f, &sites, &f.jumps_anywhere);
	patch_plan_make(patch_machine(&arch_x86_64), &f, sites.items, sites.count, &plan);
	struct firing_place place = { p, sites.items, f.begin };
	for (size_t w = 0; w < plan.windows.count; w++)
		patch_window_make(p, &plan, &plan.windows.items[w], &place);
	p->sites += sites.count;
	p->sites_fit += plan.firings.count;
	patch_plan_deinit(&plan);
	vector_free(&sites);
}

static void write_jumps(struct patched *p, bool is_in)
{
	for (size_t i = 0; i < p->writes.count; i++) {
		const struct patch_write *w = &p->writes.items[i];
		CHECK(write_text(w->address, is_in ? w->new_bytes : w->old_bytes, w->size));
	}
}

static bool patched_open(struct patched *p, const char *path, uint64_t base)
{
	*p = (struct patched) { .base = base };
	if (!file_code_open(path, &p->file))
		return false;
	uint64_t first = p->file.ranges[0].begin,
		 last = p->file.ranges[p->file.range_count - 1].end;
	p->room = room_map((struct address_range) { base + first, base + last + (16u << 20) });
	return p->room;
}

static void patched_close(struct patched *p)
{
	file_code_close(&p->file);
	vector_free(&p->writes);
	vector_free(&p->counters);
}

static uint64_t count_of(const struct patched *p, const void *function, enum patch_kind kind)
{
	uint64_t ret = 0;
	for (size_t i = 0; i < p->counters.count; i++)
		if (p->base + p->counters.items[i].function == (uint64_t)function &&
		    p->counters.items[i].kind == kind)
			ret += *p->counters.items[i].counter;
	return ret;
}

static uint64_t count_all(const struct patched *p)
{
	uint64_t ret = 0;
	for (size_t i = 0; i < p->counters.count; i++)
		ret += *p->counters.items[i].counter;
	return ret;
}

/* --- this program -------------------------------------------------------------------------------
 */

uint64_t patch_fib(uint64_t n);
int patch_71(void);
uint64_t patch_call(uint64_t n);
uint64_t patch_loop(uint64_t n);

/* clang-format off */
__asm__(".pushsection .text\n.balign 16\n.globl patch_fib, patch_71, patch_call, patch_loop\n"
	/* its entry's window follows a comparison, and has the branch that reads the flags */
	"patch_fib: .cfi_startproc\ncmp $2,%rdi\njb 1f\npush %rbx\npush %r12\nmov %rdi,%rbx\n"
	"lea -1(%rdi),%rdi\ncall patch_fib\nmov %rax,%r12\nlea -2(%rbx),%rdi\ncall patch_fib\n"
	"add %r12,%rax\npop %r12\npop %rbx\nret\n1: mov %rdi,%rax\nret\n.cfi_endproc\n.balign 16\n"
	/* entry and return in one window */
	"patch_71: .cfi_startproc\nmov $71,%eax\nret\n.cfi_endproc\n.byte 0x90\n.balign 16,0xcc\n"
	/* its window ends with a call */
	"patch_call: .cfi_startproc\npush %rbx\ncall patch_71\nadd %eax,%eax\npop %rbx\nret\n.cfi_endproc\n"
	".balign 16\n"
	/* a loop whose first byte is that of a window; jrcxz */
	"patch_loop: .cfi_startproc\nxor %eax,%eax\nmov %rdi,%rcx\njrcxz 2f\n1: add %rcx,%rax\nloop 1b\n"
	"2: ret\n.cfi_endproc\n.fill 16,1,0x90\n"
	".popsection\n");
/* clang-format on */

static int find_base(struct dl_phdr_info *info, size_t size, void *ret)
{
	*(uint64_t *)ret = info->dlpi_addr; /* the program is the first one */
	return 1;
}

static bool is_ours(uint64_t address)
{
	return address == (uint64_t)patch_fib || address == (uint64_t)patch_71 ||
	       address == (uint64_t)patch_call || address == (uint64_t)patch_loop;
}

TEST(functions_of_this_program_are_counted)
{
	struct patched p;
	uint64_t base;
	dl_iterate_phdr(find_base, &base);
	if (!patched_open(&p, "/proc/self/exe", base))
		SKIP("needs room for code near this program");
	for (size_t i = 0; i < p.file.range_count; i++)
		if (is_ours(base + p.file.ranges[i].begin))
			patch_function(&p, i);
	CHECK_INT(p.sites, 4 + 5);
	CHECK_INT(p.sites_fit, p.sites);
	write_jumps(&p, true);
	CHECK_INT(patch_fib(20), 6765);
	CHECK_INT(count_of(&p, patch_fib, PATCH_ENTRY), 21891);
	CHECK_INT(count_of(&p, patch_fib, PATCH_EXIT), 21891);
	CHECK_INT(patch_71(), 71);
	CHECK_INT(patch_call(3), 142);
	CHECK_INT(count_of(&p, patch_71, PATCH_ENTRY), 2);
	CHECK_INT(count_of(&p, patch_71, PATCH_EXIT), 2);
	CHECK_INT(count_of(&p, patch_call, PATCH_EXIT), 1);
	CHECK_INT(patch_loop(100) + patch_loop(0), 5050);
	CHECK_INT(count_of(&p, patch_loop, PATCH_ENTRY), 2);
	CHECK_INT(count_of(&p, patch_loop, PATCH_EXIT), 2);
	uint64_t all = count_all(&p);
	write_jumps(&p, false);
	CHECK_INT(patch_fib(10), 55);
	CHECK_INT(count_all(&p), all);
	patched_close(&p);
}

/* --- a libc
 * --------------------------------------------------------------------------------------- */

/* clang-format off */
#define FUNCTIONS(F) \
	F(qsort) F(strtol) F(strtod) F(snprintf) F(sscanf) F(regcomp) F(regexec) F(regfree) \
	F(memmove) F(mempcpy) F(memset) F(memcmp) F(strlen) F(strstr) F(strchr) F(strcmp) \
	F(strncpy) F(malloc) F(free) F(realloc) F(tsearch) F(twalk_r) F(tdestroy) F(gmtime_r) \
	F(mktime) F(strftime) F(open_memstream) F(fprintf) F(fclose) F(getenv) F(strdup) \
	F(bsearch) F(strtok_r) F(random_r) F(initstate_r) F(usleep) F(getpid)
/* clang-format on */

struct libc {
#define F(name) __typeof__(name) *name;
	FUNCTIONS(F)
#undef F
};

static bool libc_open(struct libc *l, void *handle)
{
	bool has_all = true;
#define F(name) has_all &= (l->name = (__typeof__(l->name))dlsym(handle, #name)) != NULL;
	FUNCTIONS(F)
#undef F
	return has_all;
}

struct output {
	char text[1 << 16];
	size_t used;
};

#define SAY(o, l, ...)                                                                             \
	((o)->used +=                                                                              \
	 (size_t)(l)->snprintf((o)->text + (o)->used, sizeof((o)->text) - (o)->used, __VA_ARGS__))

static int compare_numbers(const void *a, const void *b)
{
	const long *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void use_numbers(const struct libc *l, struct output *o)
{
	struct random_data data = { 0 };
	char state[64];
	int32_t r;
	long numbers[500], sum = 0;
	l->initstate_r(7, state, sizeof(state), &data);
	for (unsigned i = 0; i < 500; i++) {
		l->random_r(&data, &r);
		numbers[i] = r % 1000;
	}
	l->qsort(numbers, 500, sizeof(long), compare_numbers);
	for (unsigned i = 0; i < 500; i++)
		sum = sum * 31 + numbers[i];
	SAY(o, l, "%ld %p|", sum,
	    l->bsearch(&numbers[7], numbers, 500, sizeof(long), compare_numbers) ? NULL : o);
	static const char *const texts[] = { "0", "-17", "0x7fff", "017", "99999999999999999999",
					     "x" };
	for (unsigned i = 0; i < ARRAY_SIZE(texts); i++)
		for (int radix = 0; radix <= 36; radix += 4)
			SAY(o, l, "%ld,", l->strtol(texts[i], NULL, radix));
	SAY(o, l, "%a %.17g %g %e|", l->strtod("1e-310", NULL), l->strtod("0.1", NULL),
	    l->strtod("nan", NULL), l->strtod("123456789e300", NULL));
	SAY(o, l, "%5d|%-8s|%08.3f|%#llx|%c|%+d|%*.*s|%zu\n", 42, "ab", 3.14159, 0xfeedull, 'x', 7,
	    9, 2, "xyz", (size_t)9);
	int a = 0, b = 0;
	char word[8];
	SAY(o, l, "%d ", l->sscanf("12 0x1f hello", "%d %i %7s", &a, &b, word));
	SAY(o, l, "%d %d %s\n", a, b, word);
}

static void use_memory(const struct libc *l, struct output *o)
{
	static unsigned char from[6000], to[6000];
	for (size_t size = 0; size < 5000; size = size * 9 / 8 + 1) {
		for (unsigned i = 0; i < sizeof(from); i++)
			from[i] = (unsigned char)(i * 7 + size);
		l->memset(to, 3, sizeof(to));
		l->memmove(to + 5, from + 1, size);
		l->memmove(from + 33, from, size); /* they overlap */
		unsigned char *end = l->mempcpy(to + 500, from + 3, size);
		unsigned sum = (unsigned)(end - to);
		for (unsigned i = 0; i < sizeof(to); i++)
			sum = sum * 31 + to[i] + from[i];
		SAY(o, l, "%x %d,", sum, l->memcmp(to, from, size) > 0);
	}
	void *p = NULL;
	for (size_t size = 1; size < 300000; size *= 3) {
		p = l->realloc(p, size);
		l->memset(p, 'y', size);
		((char *)p)[size - 1] = 0;
		SAY(o, l, "%zu ", l->strlen(p));
	}
	l->free(p);
	char *copy = l->strdup("one,two;three"), *rest;
	for (char *t = l->strtok_r(copy, ",;", &rest); t; t = l->strtok_r(NULL, ",;", &rest))
		SAY(o, l, "<%s>", t);
	l->free(copy);
	SAY(o, l, "%s %s\n", l->strstr("a needle in hay", "needle"), l->strchr("abcdef", 'd'));
}

static void count_node(const void *node, VISIT v, void *sum)
{
	if (v == leaf || v == postorder)
		*(long *)sum = *(long *)sum * 7 + **(long *const *)node;
}

static void no_free(void *node)
{
}

static void use_others(const struct libc *l, struct output *o)
{
	regex_t r;
	regmatch_t at[3];
	SAY(o, l, "%d ", l->regcomp(&r, "([a-z]+)[0-9]*(foo|bar)+$", REG_EXTENDED));
	SAY(o, l, "%d ", l->regexec(&r, "some text abc123foobarfoo", 3, at, 0));
	SAY(o, l, "%d %d %d\n", (int)at[0].rm_so, (int)at[1].rm_eo, (int)at[2].rm_so);
	l->regfree(&r);
	static long keys[300];
	void *root = NULL;
	long sum = 0;
	for (long i = 0; i < 300; i++) {
		keys[i] = i * 7919 % 1009;
		l->tsearch(&keys[i], &root, compare_numbers);
	}
	l->twalk_r(root, count_node, &sum);
	l->tdestroy(root, no_free);
	struct tm tm;
	time_t when = 1700000000;
	char text[64];
	l->gmtime_r(&when, &tm);
	l->strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %j %A", &tm);
	SAY(o, l, "%lx %s %d\n", sum, text, (int)(l->mktime(&tm) != -1));
	char *stream_text = NULL;
	size_t size;
	FILE *f = l->open_memstream(&stream_text, &size);
	for (int i = 0; i < 200; i++)
		l->fprintf(f, "%d:%s;", i, "line");
	l->fclose(f);
	SAY(o, l, "%zu %.20s\n", size, stream_text + size - 20);
	l->free(stream_text);
	l->usleep(1);
	SAY(o, l, "%d\n", l->getpid() > 0);
}

static void use_libc(const struct libc *l, struct output *o)
{
	o->used = 0;
	memset(o->text, 0, sizeof(o->text));
	use_numbers(l, o);
	use_memory(l, o);
	use_others(l, o);
}

static bool copy_file(const char *from, const char *to)
{
	char command[512];
	snprintf(command, sizeof(command), "cp -L '%s' '%s'", from, to);
	return system(command) == 0;
}

static struct output wanted, got;

static void check_libc(struct patched *p, const struct libc *l)
{
	for (size_t i = 0; i < p->file.range_count; i++)
		if (frames_is_function(elf_file_frames(p->file.elf), &p->file.ranges[i]))
			patch_function(p, i);
	printf("  %zu of %zu sites, %zu calls moved, %zu bytes of code\n", p->sites_fit, p->sites,
	       p->calls_moved, p->code_used);
	use_libc(l, &wanted);
	write_jumps(p, true);
	for (unsigned i = 0; i < 20; i++)
		use_libc(l, &got);
	write_jumps(p, false);
	uint64_t all = count_all(p);
	CHECK_STR(got.text, wanted.text);
	CHECK(got.used == wanted.used && got.used > 1000);
	CHECK_INT(count_of(p, l->regcomp, PATCH_ENTRY), 20);
	CHECK_INT(count_of(p, l->regcomp, PATCH_EXIT), 20);
	CHECK_INT(count_of(p, l->twalk_r, PATCH_ENTRY), 20);
	CHECK_INT(count_of(p, l->tsearch, PATCH_ENTRY), 20 * 300);
	CHECK_INT(count_of(p, l->strftime, PATCH_ENTRY), 20);
	use_libc(l, &got);
	CHECK_STR(got.text, wanted.text);
	CHECK_INT(count_all(p), all);
	printf("  %llu firings, %zu bytes of output\n", (unsigned long long)all, got.used);
}

TEST(all_functions_of_a_libc_do_the_same)
{
#ifdef BUILD_asan
	SKIP("needs a second libc, which the sanitizer does not know");
#endif
	char folder[] = "/tmp/patch-XXXXXX", path[64];
	struct patched p;
	struct libc l;
	struct link_map *map;
	if (!mkdtemp(folder))
		SKIP("needs a folder in /tmp");
	snprintf(path, sizeof(path), "%s/libc.so.6", folder);
	bool is_copied = copy_file("/lib/x86_64-linux-gnu/libc.so.6", path);
	void *handle = is_copied ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW) : NULL;
	bool is_open = handle && libc_open(&l, handle) &&
		       dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 &&
		       patched_open(&p, path, map->l_addr);
	if (is_open) {
		check_libc(&p, &l);
		patched_close(&p);
	}
	unlink(path);
	rmdir(folder);
	if (!is_open)
		SKIP("needs a second libc");
}

#else

TEST(functions_are_counted)
{
	SKIP("needs code of x86_64");
}

#endif

TEST_MAIN
