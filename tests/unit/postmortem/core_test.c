/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_test - a flight recorder is read from a core: all that was recorded, with names; from a
 * truncated, damaged or later one there is a message or less data, and nothing else is touched (as
 * the address sanitizer sees)
 */
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/shared.h"
#include "postmortem/postmortem.h"

#define PLACE 0x7000000000ull /* of the memory in the process */
#define FILE_PATH "/nowhere/program"

static const char script[] =
	"BEGIN { printf(\"%s %d\", \"text\", n++); @[n % 3] = count(); @q = quantize(n); }\n"
	"BEGIN /n > 2/ { trace(probefunc); @s[probename, n] = max(n); }";

static const struct executor_options ring_options = { .policy = POLICY_RING,
						      .buffer_size = 4096,
						      .dynamic_size = 4096,
						      .speculation_count = 1,
						      .speculation_size = 256 };

/* --- making one ------------------------------------------------------------------------------- */

struct made_core {
	struct compiled compiled;
	struct shared shared;
	struct strbuf note;
	char *bytes;
	size_t size, memory_at;
	int fd;
	char path[64];
};

static const struct recorded_probe probes[] = {
	{ 1, { "dtrace", "", "", "BEGIN", NULL } },
	{ 7, { "pid1", "a.out", "f", "entry", "f(int)" } },
};

static void note_make(struct made_core *m)
{
	auto_strbuf struct strbuf program = { 0 };
	program_write(&m->compiled.program, m->compiled.types, &program);
	const struct post_mortem_note note = { 4711,	    script, program.text,
					       program.len, probes, ARRAY_SIZE(probes) };
	post_mortem_write(&note, &m->note);
}

/* 64-bit little-endian words, then a path. */
static void core_files(struct strbuf *out)
{
	const uint64_t words[] = { 1, 4096, 0x400000, 0x401000, 0 };
	const uint32_t head[] = { 5, sizeof(words) + sizeof(FILE_PATH), NT_FILE };
	strbuf_add(out, head, sizeof(head));
	strbuf_add(out, "CORE\0\0\0", 8);
	strbuf_add(out, words, sizeof(words));
	strbuf_add(out, FILE_PATH, sizeof(FILE_PATH));
	while (out->len % 8)
		strbuf_putc(out, 0);
}

static void core_write(struct made_core *m)
{
	auto_strbuf struct strbuf notes = { 0 }, out = { 0 };
	core_files(&notes);
	uint64_t at = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
	Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
			 .e_type = ET_CORE,
			 .e_phoff = sizeof(e),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2 };
	Elf64_Phdr h[] = { { .p_type = PT_NOTE, .p_offset = at, .p_filesz = notes.len },
			   { .p_type = PT_LOAD,
			     .p_offset = at + notes.len,
			     .p_vaddr = PLACE,
			     .p_filesz = m->shared.layout.head.size } };
	strbuf_add(&out, &e, sizeof(e));
	strbuf_add(&out, h, sizeof(h));
	strbuf_add(&out, notes.text, notes.len);
	m->memory_at = out.len;
	strbuf_add(&out, m->shared.view.memory, m->shared.layout.head.size);
	m->size = out.len;
	m->bytes = strbuf_take(&out);
}

static void core_make(struct made_core *m, unsigned firings)
{
	struct plan_options plan = compile_defaults;
	struct executor_options o = ring_options;
	*m = (struct made_core) { .fd = memfd_create("core", MFD_CLOEXEC) };
	plan.aggregation_size = 4096;
	snprintf(m->path, sizeof(m->path), "/proc/self/fd/%d", m->fd);
	CHECK(compile(&m->compiled, "core.d", script, &plan));
	note_make(m);
	o.note = m->note.text;
	o.note_size = m->note.len;
	shared_init(&m->shared, &m->compiled.program, &o);
	for (unsigned i = 0; i < firings; i++)
		check_holds("fire", interpreter_executor.fire(m->shared.self, 0, 0));
	const struct process_head *h = &m->shared.layout.head;
	memset(m->shared.view.memory + h->dumped, 0xff, h->size / PROCESS_DUMP_PAGE / 8);
	core_write(m);
}

static void core_free(struct made_core *m)
{
	close(m->fd);
	free(m->bytes);
	shared_deinit(&m->shared);
	strbuf_deinit(&m->note);
	compiled_deinit(&m->compiled);
}

/* --- reading it ------------------------------------------------------------------------------- */

struct seen {
	unsigned records, elements;
	uint64_t sum, missing;
	char message[512];
};

static struct error *record_seen(void *arg, const void *data, uint32_t size)
{
	struct seen *s = arg;
	for (uint32_t i = 0; i < size; i++)
		s->sum += ((const unsigned char *)data)[i];
	s->records++;
	return NULL;
}

struct seen_map {
	struct seen *seen;
	const struct map_layout *layout;
};

static struct error *element_seen(void *arg, const void *key, const void *value)
{
	const struct seen_map *m = arg;
	error_free(record_seen(m->seen, key, m->layout->key_size));
	error_free(record_seen(m->seen, value, m->layout->value_size));
	m->seen->records -= 2;
	m->seen->elements++;
	return NULL;
}

static void all_seen(struct post_mortem *p, struct seen *ret)
{
	struct record_source s;
	const struct program *program = post_mortem_program(p);
	CHECK(is_fine(post_mortem_executor.source(p, &s)));
	for (unsigned n = 0; n < program->area_count; n++)
		CHECK(is_fine(s.reader->drain(s.self, n, record_seen, ret)));
	for (unsigned map = 0; map < program->map_count; map++)
		CHECK(is_fine(s.reader->visit(s.self, map, element_seen,
					      &(struct seen_map) { ret, &program->maps[map] })));
	size_t files;
	unsigned changed, unknown;
	post_mortem_files(p, &files, &changed, &unknown);
	ret->missing = post_mortem_missing(p);
}

/* The first SIZE bytes of M's core. */
static bool core_seen(struct made_core *m, size_t size, struct seen *ret)
{
	*ret = (struct seen) { 0 };
	CHECK(ftruncate(m->fd, 0) == 0);
	CHECK(pwrite(m->fd, m->bytes, size, 0) == (ssize_t)size);
	struct types *types = types_new(NULL);
	struct arena *arena = arena_new();
	struct post_mortem *p;
	struct error *err = post_mortem_of_core(m->path, types, arena, &p);
	if (!err)
		all_seen(p, ret);
	if (!err)
		post_mortem_free(p);
	else
		snprintf(ret->message, sizeof(ret->message), "%s", error_text(err));
	error_free(err);
	types_free(types);
	arena_free(arena);
	return !ret->message[0];
}

TEST(all_is_there)
{
	struct made_core m;
	struct seen seen;
	core_make(&m, 20);
	CHECK(core_seen(&m, m.size, &seen));
	CHECK_STR(seen.message, "");
	CHECK_INT(seen.records, 20 + 18);
	CHECK_INT(seen.elements, 3 + 18);
	CHECK_INT(seen.missing, 0);
	core_free(&m);
}

TEST(the_note_has_names_and_files)
{
	struct made_core m;
	core_make(&m, 1);
	CHECK(pwrite(m.fd, m.bytes, m.size, 0) == (ssize_t)m.size);
	struct types *types = types_new(NULL);
	struct arena *arena = arena_new();
	struct post_mortem *p;
	if (is_fine(post_mortem_of_core(m.path, types, arena, &p))) {
		const struct post_mortem_note *n = post_mortem_note(p);
		size_t count;
		unsigned changed, unknown;
		const struct mapping *files = post_mortem_files(p, &count, &changed, &unknown);
		CHECK_INT(n->pid, 4711);
		CHECK_STR(n->text, script);
		CHECK_INT(n->probe_count, 2);
		CHECK_STR(n->probes[1].names[4], "f(int)");
		CHECK_INT(count, 1);
		CHECK_STR(files[0].path, FILE_PATH);
		CHECK_INT(files[0].inode, 0); /* it is not here */
		post_mortem_free(p);
	}
	types_free(types);
	arena_free(arena);
	core_free(&m);
}

static struct process_head *head_in(struct made_core *m)
{
	return (struct process_head *)(void *)(m->bytes + m->memory_at);
}

TEST(a_truncated_one_says_so)
{
	struct made_core m;
	struct seen seen;
	core_make(&m, 20);
	for (size_t size = 0; size < m.size; size += size < m.memory_at + 8192 ? 97 : 40961)
		CHECK(!core_seen(&m, size, &seen) || seen.missing);
	CHECK(!core_seen(&m, m.memory_at + 600, &seen));
	CHECK(strstr(seen.message, "truncated in the flight recorder's"));
	struct seen whole;
	CHECK(core_seen(&m, m.size, &whole) && whole.records && !whole.missing);
	uint64_t marks = head_in(&m)->dumped; /* the last part: what is before is all there */
	CHECK(core_seen(&m, m.memory_at + marks + 1, &seen));
	CHECK_INT(seen.records, whole.records);
	CHECK_INT(seen.elements, whole.elements);
	CHECK_INT(seen.missing, m.size - (m.memory_at + marks + 1));
	core_free(&m);
}

static bool says(struct made_core *m, const char *words)
{
	struct seen seen;
	bool right = !core_seen(m, m->size, &seen) && strstr(seen.message, words);
	if (!right)
		printf("not what was expected: %s\n", seen.message);
	return right;
}

TEST(what_is_wrong_is_named)
{
	struct made_core m;
	core_make(&m, 2);
	struct process_head *h = head_in(&m), right = *h;
	h->version++;
	CHECK(says(&m, "a flight recorder of a later dtrace: its form is 4, and this one reads 3"));
	*h = right;
	h->ring_size *= 2;
	CHECK(says(&m, "damaged: the sum"));
	h->sum = agent_head_sum(h, m.bytes + m.memory_at + h->note);
	CHECK(says(&m, "damaged: its layout"));
	*h = right;
	h->magic++;
	CHECK(says(&m, "has no flight recorder of dtrace"));
	*h = right;
	m.bytes[0]++;
	CHECK(says(&m, "is not a core file"));
	core_free(&m);
}

/* --- anything --------------------------------------------------------------------------------- */

static uint64_t random_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The sum is right, so that what it covers is read. */
static void sum_again(struct made_core *m)
{
	struct process_head *h = head_in(m);
	uint64_t room = m->shared.layout.head.size;
	if (h->note <= room && h->note_size <= room - h->note)
		h->sum = agent_head_sum(h, (char *)h + h->note);
}

TEST(damage_is_a_message_or_less)
{
	struct made_core m;
	struct seen seen;
	uint64_t state = 88172645463325252ull;
	unsigned read = 0;
	core_make(&m, 20);
	char *right = mem_alloc(m.size);
	memcpy(right, m.bytes, m.size);
	const struct process_head *h = &m.shared.layout.head;
	const uint64_t ends[] = { m.memory_at, m.memory_at + sizeof(*h),
				  m.memory_at + h->note + h->note_size, m.memory_at + h->constants,
				  m.size };
	for (unsigned round = 0; round < 1500; round++) {
		uint64_t end = ends[round % ARRAY_SIZE(ends)];
		for (uint64_t n = random_number(&state) % 8; n-- > 0;) {
			uint64_t x = random_number(&state), at = x % (end - 8);
			x = x & 1 << 20 ? random_number(&state) : x >> 40 & 15;
			memcpy(m.bytes + at, &x, 1 + (at ^ x) % 8);
		}
		if (round & 1)
			sum_again(&m);
		read += core_seen(&m, m.size, &seen);
		memcpy(m.bytes, right, m.size);
	}
	printf("%u of 1500 damaged cores were read\n", read);
	CHECK(read > 100);
	free(right);
	core_free(&m);
}

TEST_MAIN
