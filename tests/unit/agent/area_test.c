/* SPDX-License-Identifier: BSD-2-Clause */
/* Firings of many threads and signal handlers are counted, each once */
#include "placed.h"

#define THREADS_MOST 64

struct firing {
	struct placed *placed;
	uint64_t count, without;
};

static void *fire_many(void *arg)
{
	struct firing *f = arg;
	for (uint64_t i = 0; i < f->count; i++)
		f->without += !fire(f->placed, i);
	return NULL;
}

/* COUNT threads with EACH firings, half of them at the second image. */
static void fire_in_threads(struct placed *placed, unsigned count, uint64_t each, uint64_t *without)
{
	pthread_t threads[THREADS_MOST];
	struct firing firings[THREADS_MOST];
	for (unsigned i = 0; i < count; i++) {
		firings[i] = (struct firing) { &placed[i % 2], each, 0 };
		CHECK(pthread_create(&threads[i], NULL, fire_many, &firings[i]) == 0);
	}
	for (unsigned i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		*without += firings[i].without;
	}
}

static void check_threads(uint32_t areas, unsigned count, uint64_t each)
{
	struct memory m;
	struct placed placed[2];
	uint64_t without = 0;
	memory_make(&m, areas);
	image_place(&placed[0], &m);
	image_place(&placed[1], &m);
	CHECK(placed[0].code != placed[1].code);
	fire_in_threads(placed, count, each, &without);
	CHECK_INT(keyless_sum(&m) + without, count * each);
	CHECK_INT(control_of(&m)->no_area, without);
	CHECK_INT(map_sum(&m, 1) + COUNTED(&m, principal), count * each - without);
	CHECK_INT(COUNTED(&m, principal), 0);
	if (count <= areas)
		CHECK_INT(without, 0);
	image_remove(&placed[0]);
	image_remove(&placed[1]);
	memory_end(&m);
}

TEST(eight_threads_at_two_addresses)
{
	check_threads(64, 8, 400000);
}

TEST(forty_threads)
{
	check_threads(64, 40, 80000);
}

TEST(more_threads_than_areas)
{
	check_threads(8, 20, 50000);
}

/* --- threads that come and go ----------------------------------------------------------------- */

TEST(threads_come_and_go)
{
	enum { ROUNDS = 1500 };
	struct memory m;
	struct placed placed[2];
	uint64_t without = 0;
	memory_make(&m, 8);
	image_place(&placed[0], &m);
	image_place(&placed[1], &m);
	for (unsigned i = 0; i < ROUNDS; i++)
		fire_in_threads(placed, 4, 3, &without);
	CHECK_INT(keyless_sum(&m) + without, ROUNDS * 4 * 3);
	CHECK_INT(control_of(&m)->no_area, without);
	printf("threads come and go: %lu of %u firings had no area\n", without, ROUNDS * 12);
	CHECK(without < ROUNDS * 12 / 10);
	image_remove(&placed[0]);
	image_remove(&placed[1]);
	memory_end(&m);
}

/* Another process may have the same numbers of threads: areas are the tracer's to release. */
static bool is_ours(void *arg, uint32_t process, uint32_t thread, uint64_t own)
{
	return process == (uint32_t)getpid();
}

TEST(areas_of_another_process_stay)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 2);
	image_place(&p, &m);
	area_of(&m, 0)->owner = area_key(p.own->process + 1, 1);
	area_of(&m, 1)->owner = area_key(p.own->process + 1, 0x7ffffff0);
	CHECK_INT(p.area(), -1);
	CHECK_INT(control_of(&m)->no_area, 1);
	area_of(&m, 0)->owner = area_key(p.own->process, 0x7ffffff0); /* no thread has it */
	((struct process_head *)(void *)p.memory)->reap_tries = 0;
	CHECK_INT(p.area(), 0);
	CHECK_INT(area_of(&m, 0)->owner, area_key(p.own->process, (uint32_t)gettid()));
	agent_release(&m.view, is_ours, NULL);
	CHECK_INT(area_of(&m, 0)->owner, AREA_FREE);
	CHECK(area_of(&m, 1)->owner > AREA_FREE);
	image_remove(&p);
	memory_end(&m);
}

/* --- children that are followed --------------------------------------------------------------- */

static void kept_fill(struct placed *p)
{
	struct process_kept *kept = (struct process_kept *)(void *)(p->code + PROCESS_KEPT_AT);
	memset(kept, 0, sizeof(*kept));
	memcpy(&kept->first, p->own, offsetof(struct process_own, tasks));
	kept->lineage[0] = (uint32_t)getppid();
	kept->lineage[1] = (uint32_t)getpid();
	kept->lineage_count = 2;
}

static bool number_is(long (*progeny_of)(uint64_t), pid_t pid)
{
	return progeny_of((uint64_t)pid) != 0;
}

/* The caller is a child, made by fork() or vfork(): does it fire as itself? */
static bool child_fires(struct memory *m, struct placed *p, pid_t first, pid_t parent)
{
	long (*progeny_of)(uint64_t) = FUNCTION(p, "rt_progenyof");
	uint64_t (*numbers)(void) = FUNCTION(p, "rt_pid_tgid");
	long n = p->area();
	uint64_t own = (uint64_t)getpid() << 32 | (uint32_t)gettid();
	return n >= 0 && area_of(m, (unsigned)n)->owner == own && numbers() == own &&
	       number_is(progeny_of, getpid()) && number_is(progeny_of, parent) &&
	       number_is(progeny_of, first) && !number_is(progeny_of, 0x7ffffff0);
}

static bool ends_well(pid_t pid)
{
	int status;
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

TEST(followed_children)
{
	struct memory m;
	struct placed p;
	pid_t first = getpid(), pid;
	memory_make(&m, 4);
	image_place(&p, &m);
	kept_fill(&p);
	if (!(pid = fork()))
		_exit(p.area() != -1); /* the run does not follow */
	CHECK(ends_well(pid));
	((struct process_head *)(void *)p.memory)->follows = FOLLOW_FORK;
	for (unsigned i = 0; i < 20; i++) { /* more than areas */
		if (!(pid = fork())) {
			pid_t parent = getpid();
			bool fires = i % 2 || child_fires(&m, &p, first, first);
			if (!(pid = fork())) /* its parent may not have fired */
				_exit(!child_fires(&m, &p, first, parent));
			_exit(!fires || !ends_well(pid));
		}
		CHECK(ends_well(pid));
	}
	CHECK_INT(control_of(&m)->no_area, 0);
	image_remove(&p);
	memory_end(&m);
}

TEST(followed_children_that_share_the_memory)
{
	struct memory m;
	struct placed p;
	static volatile bool fires;
	memory_make(&m, 4);
	image_place(&p, &m);
	kept_fill(&p);
	((struct process_head *)(void *)p.memory)->follows = FOLLOW_FORK;
	void (*forks)(void) = FUNCTION(&p, "agent_forks");
	uint64_t (*numbers)(void) = FUNCTION(&p, "rt_pid_tgid");
	long area = p.area();
	for (unsigned i = 0; i < 20; i++) {
		forks();
		pid_t pid = vfork();
		if (!pid) {
			long n = p.area();
			uint64_t own = (uint64_t)getpid() << 32 | (uint32_t)gettid();
			fires = n >= 0 && n != area && area_of(&m, (unsigned)n)->owner == own &&
				numbers() == own;
			_exit(0);
		}
		CHECK(ends_well(pid) && fires);
		CHECK_INT(p.area(), area);
		CHECK_INT(numbers(), (uint64_t)getpid() << 32 | (uint32_t)gettid());
	}
	CHECK_INT(control_of(&m)->no_area, 0);
	image_remove(&p);
	memory_end(&m);
}

TEST(children_of_another_namespace)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	kept_fill(&p);
	((struct process_kept *)(void *)(p.code + PROCESS_KEPT_AT))->pid_namespace = 1;
	((struct process_head *)(void *)p.memory)->follows = FOLLOW_FORK;
	pid_t pid = fork();
	if (!pid)
		_exit(p.area() != -1 || p.area() != -1);
	CHECK(ends_well(pid));
	CHECK_INT(((struct process_head *)(void *)p.memory)->foreigners, 1);
	CHECK_INT(control_of(&m)->no_area, 0);
	image_remove(&p);
	memory_end(&m);
}

/* --- what the owner before left --------------------------------------------------------------- */

TEST(an_area_is_taken_over_clean)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 1);
	image_place(&p, &m);
	struct process_area *area = area_of(&m, 0);
	uint64_t *(*self_make)(void) = FUNCTION(&p, "rt_self_make");
	uint64_t *(*self_find)(void) = FUNCTION(&p, "rt_self_find");
	CHECK_INT(p.area(), 0);
	CHECK(!self_find());
	uint64_t *block = self_make();
	CHECK(block && self_find() == block);
	block[1] = 7;
	CHECK_INT(control_of(&m)->self_live, 1);
	for (int i = 0; i < SLOTS_PER_AREA; i++)
		CHECK(p.slot_claim() >= 0);
	CHECK_INT(p.slot_claim(), -1);
	CHECK_INT(COUNTED(&m, principal), 1);
	area->owner = area_key(p.own->process, 0x7ffffff0);
	CHECK_INT(p.area(), 0);
	CHECK(!self_find());
	CHECK_INT(control_of(&m)->self_live, 0);
	CHECK_INT(block[1], 0);
	CHECK(p.slot_claim() >= 0);
	image_remove(&p);
	memory_end(&m);
}

/* --- signal handlers -------------------------------------------------------------------------- */

static struct placed *handled;
static uint64_t handler_firings;

static void fire_in_handler(int signal)
{
	uint64_t record[4] = { [3] = 1 };
	handler_firings++;
	fire(handled, handler_firings);
	handled->output(record, sizeof(record), BPF_RB_NO_WAKEUP);
}

static struct error *record_count(void *count, const void *data, uint32_t size)
{
	uint64_t record[4];
	CHECK_INT(size, sizeof(record));
	memcpy(record, data, sizeof(record));
	*(uint64_t *)count += record[3];
	return NULL;
}

TEST(handlers_every_100_us)
{
	enum { FIRINGS = 3000000 };
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	handled = &p;
	handler_firings = 0;
	signal(SIGALRM, fire_in_handler);
	struct itimerval every = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	setitimer(ITIMER_REAL, &every, NULL);
	uint64_t read = 0;
	for (unsigned i = 0; i < FIRINGS; i++) {
		uint64_t record[4] = { [3] = 1 };
		fire(&p, i);
		p.output(record, sizeof(record), BPF_RB_NO_WAKEUP);
		for (unsigned n = 0; i % 512 == 0 && n < 4; n++)
			CHECK(!agent_drain(&m.view, n, record_count, &read));
	}
	setitimer(ITIMER_REAL, &never, NULL);
	for (unsigned n = 0; n < 4; n++)
		CHECK(!agent_drain(&m.view, n, record_count, &read));
	uint64_t all = FIRINGS + handler_firings;
	printf("signal handlers: %lu firings in them\n", handler_firings);
	CHECK(handler_firings > 100);
	CHECK_INT(keyless_sum(&m), all);
	CHECK_INT(map_sum(&m, 1), all);
	CHECK_INT(read + COUNTED(&m, principal), all);
	CHECK_INT(COUNTED(&m, principal), 0);
	CHECK_INT(m.view.lost, 0);
	image_remove(&p);
	memory_end(&m);
}

/* --- children --------------------------------------------------------------------------------- */

TEST(a_child_has_no_number)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	CHECK(fire(&p, 0));
	pid_t child = fork();
	if (!child)
		_exit(p.own->process != 0 || p.own->clock_gettime != 0 || p.area() != -1);
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(p.own->process == (uint32_t)getpid());
	CHECK_INT(control_of(&m)->no_area, 0);
	image_remove(&p);
	memory_end(&m);
}

TEST_MAIN
