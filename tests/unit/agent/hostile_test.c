/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile_test - the interpreter on memory to which others write anything, between firings and
 * meanwhile: each firing ends, and touches nothing else (as the address sanitizer sees)
 */
#include <dirent.h>
#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "shared.h"

#define SCRIPTS "tests/unit/codegen/scripts"
#define LONGEST_NS 20000000000ull /* of a firing: with sanitizers, on a loaded machine */

static uint64_t random_state = 88172645463325252ull;

static uint64_t random_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* --- what is written ----------------------------------------------------------------------------
 */

enum garbage { BYTES, SMALL, ADDRESSES, SPARSE, KINDS };

/* Also addresses at the edges of what the tracer has. */
static uint64_t garbage_word(const struct shared *s, enum garbage kind, uint64_t *state)
{
	uint64_t x = random_number(state), near = x >> 32;
	char here;
	switch (kind) {
	case SMALL:
		return near % 10;
	case ADDRESSES:
		return (near & 8   ? (uintptr_t)s->memory.bytes + (near & 16 ? s->memory.size : 0)
			: near & 4 ? (uintptr_t)&here
				   : (uintptr_t)s->self) +
		       near % 64 - 32;
	case SPARSE:
		return near & 3 ? near % s->layout.head.slots_end : x;
	default:
		return x;
	}
}

static void write_garbage(const struct shared *s, enum garbage kind, uint64_t *state)
{
	char *memory = s->memory.bytes;
	uint64_t words = s->memory.size / 8;
	if (kind == SPARSE) {
		for (unsigned i = 0; i < 2000; i++) {
			uint64_t word = garbage_word(s, kind, state);
			memcpy(memory + random_number(state) % words * 8, &word, sizeof(word));
		}
		return;
	}
	for (uint64_t i = 0; i < words; i++) {
		uint64_t word = garbage_word(s, kind, state);
		memcpy(memory + i * 8, &word, sizeof(word));
	}
}

/* --- firings -------------------------------------------------------------------------------------
 */

struct hostility {
	uint64_t firings, stopped, longest;
};

/* A slot is free, and clauses run, so that more than the beginning is met. */
static void let_it_begin(const struct shared *s, uint64_t *state)
{
	const struct program *p = s->layout.program;
	uint64_t slot = random_number(state) % (p->area_count * SLOTS_PER_AREA);
	if (random_number(state) & 7)
		s->memory.control->activity = ACTIVITY_ACTIVE;
	if (p->slot_size)
		((struct slot *)(void *)(s->memory.scratch + slot * p->slot_size))->busy = 0;
}

static void fire_one(struct shared *s, unsigned group, uint32_t event, struct hostility *h)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	struct error *err = interpreter_executor.fire(s->self, group, event);
	uint64_t took = clock_ns(CLOCK_MONOTONIC) - begin;
	if (err)
		printf("%s\n", error_text(err));
	h->stopped += err != NULL;
	h->firings++;
	h->longest = MAX(h->longest, took);
	error_free(err);
}

static struct error *bytes_touch(void *sum, const void *data, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		*(volatile uint64_t *)sum += ((const unsigned char *)data)[i];
	return NULL;
}

static struct error *element_touch(void *map, const void *key, const void *value)
{
	const struct map_layout *layout = map;
	uint64_t sum = 0;
	error_free(bytes_touch(&sum, key, layout->key_size));
	return bytes_touch(&sum, value, layout->value_size);
}

static void read_all(struct shared *s)
{
	const struct program *p = s->layout.program;
	uint64_t sum = 0;
	for (unsigned n = 0; n < p->area_count; n++)
		error_free(agent_drain(&s->view, n, bytes_touch, &sum));
	for (unsigned map = 0; map < p->map_count; map++)
		check_holds("visit",
			    agent_visit(&s->view, map, element_touch, (void *)&p->maps[map]));
}

static void fire_groups(struct shared *s, struct hostility *h, enum garbage kind, bool writes)
{
	const struct program *p = s->layout.program;
	for (unsigned i = 0; i < p->group_count; i++) {
		if (!group_runs(&p->groups[i]) || !p->groups[i].table_entries)
			continue;
		if (writes)
			write_garbage(s, kind, &random_state);
		let_it_begin(s, &random_state);
		fire_one(s, i, 0, h);
		fire_one(s, i, 0, h); /* on what the first has left */
	}
}

/* --- scripts
 * -------------------------------------------------------------------------------------- */

static const struct executor_options policies[] = {
	{ .buffer_size = 4096,
	  .dynamic_size = 4096,
	  .speculation_count = 2,
	  .speculation_size = 1024 },
	{ .policy = POLICY_RING,
	  .buffer_size = 4096,
	  .dynamic_size = 4096,
	  .speculation_count = 2,
	  .speculation_size = 1024 },
};

static struct plan_options small_options(void)
{
	struct plan_options o = compile_defaults;
	o.dynamic_size = o.aggregation_size = 16384;
	o.string_size = 64;
	return o;
}

static void check_script(const char *name, const char *text, size_t len, struct hostility *h,
			 void (*check)(struct shared *s, struct hostility *h))
{
	struct plan_options plan = small_options();
	struct compiled c;
	bool is_ours = string_equal(name, "hostile.d");
	if (!compile_bytes(&c, name, text, len, &plan) && is_ours)
		diagnostics_print(&c.mistakes, stdout, name, true, 20);
	CHECK(!is_ours || c.program.group_count);
	if (c.program.group_count)
		for (unsigned k = 0; k < ARRAY_SIZE(policies); k++) {
			struct shared s;
			shared_init(&s, &c.program, &policies[k]);
			check(&s, h);
			shared_deinit(&s);
		}
	compiled_deinit(&c);
}

/* All that tests of codegen compile, and a script of what has loops, strings and speculations. */
static const char *const own_scripts[] = {
	"int n; string s, t; long a[int, string]; self int x; char *p;\n"
	"BEGIN { s = \"/usr/lib//x.y\"; t = basename(s); trace(dirname(s)); trace(cleanpath(s));\n"
	"  trace(strtok(s, \"/\")); trace(strtok(NULL, \".\")); trace(index(s, t)); trace(s == "
	"t);\n"
	"  trace(json(s, t)); trace(toupper(t)); trace(strtoll(s)); trace(strstr(s, t));\n"
	"  trace(lltostr(n, 10)); trace(substr(s, n, n)); trace(rindex(s, t)); trace(tolower(s));\n"
	"  a[n, s]++; @[s, t] = count(); @q[n] = quantize(n); @l = llquantize(n, 10, 0, 6, 20); }\n"
	"END { trace(strjoin(s, t)); trace(strchr(s, n)); trace(a[n, t]); @m = max(n); @d = "
	"stddev(n);\n"
	"  @k[s] = lquantize(n, 0, 100, 10); trace(progenyof(n)); self->x = n; trace(self->x); }",
	"int n; int *p; string s; BEGIN { trace(*p); } tick-1 { trace(stringof(p)); }\n"
	"END { trace(copyinstr((uintptr_t)p)); *(p + n) = 1; } ERROR { @[arg4, s] = sum(arg5); }",
	"int n; BEGIN { n = speculation(); } tick-1 { speculate(n); printf(\"%d\", n); }\n"
	"END { commit(n); } tick-1 { discard(n); } tick-1 { commit(n); n = speculation(); }",
	"this char *q; int n; string s; BEGIN { this->q = (char *)alloca(n); this->q[n] = 'x';\n"
	"  bcopy(s, this->q, n); trace(stringof(this->q)); tracemem(this->q, 16, n); }",
	"#pragma D option destructive\nuintptr_t p; int n; BEGIN { copyoutstr(\"x\", p, n); }\n"
	"END { copyout(alloca(8), p, 8); raise(n); }",
};

static void check_scripts(void (*check)(struct shared *s, struct hostility *h), struct hostility *h)
{
	DIR *dir = opendir(SCRIPTS);
	for (unsigned i = 0; i < ARRAY_SIZE(own_scripts); i++)
		check_script("hostile.d", own_scripts[i], strlen(own_scripts[i]), h, check);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		auto_free char *path = mem_printf(SCRIPTS "/%s", e->d_name);
		auto_strbuf struct strbuf text = { 0 };
		if (!strstr(e->d_name, ".d") || file_read(path, SIZE_MAX, &text))
			continue;
		check_script(e->d_name, text.text, text.len, h, check);
	}
	if (dir)
		closedir(dir);
	printf("hostile: %llu firings, %llu stopped, the longest %.3f ms\n",
	       (unsigned long long)h->firings, (unsigned long long)h->stopped,
	       (double)h->longest / 1e6);
	CHECK(h->firings > 100);
	CHECK_INT(h->stopped, 0);
	CHECK(h->longest < LONGEST_NS);
}

static void check_between(struct shared *s, struct hostility *h)
{
	for (unsigned round = 0; round < 2 * KINDS; round++) {
		fire_groups(s, h, (enum garbage)(round % KINDS), true);
		read_all(s);
	}
}

TEST(garbage_between_firings)
{
	struct hostility h = { 0 };
	check_scripts(check_between, &h);
}

struct scribbler {
	struct shared *shared;
	bool ends;
};

static void *scribble_on(void *arg)
{
	struct scribbler *s = arg;
	uint64_t state = 815;
	while (!__atomic_load_n(&s->ends, __ATOMIC_RELAXED))
		write_garbage(s->shared, SPARSE, &state);
	return NULL;
}

static void check_meanwhile(struct shared *s, struct hostility *h)
{
	struct scribbler scribbler = { s, false };
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, scribble_on, &scribbler) == 0);
	for (unsigned round = 0; round < 20; round++) {
		fire_groups(s, h, SPARSE, false);
		read_all(s);
	}
	__atomic_store_n(&scribbler.ends, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

TEST(garbage_meanwhile)
{
	struct hostility h = { 0 };
	check_scripts(check_meanwhile, &h);
}

TEST_MAIN
