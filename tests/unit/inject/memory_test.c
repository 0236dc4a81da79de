/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_test - the memory of a held process: what it leaves there is read, however it ends
 *
 * The process is this test itself, which calls the agent's functions as a trampoline would.
 */
#include <poll.h>
#include <sys/eventfd.h>

#include "agent/placed.h"
#include "base/clock.h"
#include "holds.h"
#include "inject/internal.h"

#define RECORDS 20000
#define WAKES 5

struct numbered {
	struct record_header header;
	uint64_t number;
};

/* --- the process ------------------------------------------------------------------------------ */

static void image_find(struct placed *p)
{
	uint64_t begin = 0;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");
	while (f && !begin && fgets(line, sizeof(line), f))
		if (strstr(line, "memfd:dtrace"))
			sscanf(line, "%lx-", &begin);
	if (!begin)
		exit(3);
	fclose(f);
	p->code = (char *)(begin - PROCESS_MEMORY_AT);
	image_bind(p);
}

static void put(struct placed *p, uint64_t number)
{
	struct numbered r = { .number = number };
	while (p->output(&r, sizeof(r), 0) < 0)
		sched_yield();
}

/* A record that is begun, and never written. */
static void claim(struct placed *p)
{
	const struct process_head *h = (const void *)p->memory;
	struct process_area *area =
		(void *)(p->memory + h->areas + (uint64_t)p->area() * sizeof(*area));
	area->head += ring_room(sizeof(struct numbered));
}

static int as_children(struct placed *p)
{
	int status, wrong = 0;
	for (int i = 0; i < 3; i++) {
		if (!fork())
			_exit(p->area() == -1 && !p->own->process ? 0 : 1);
		wait(&status);
		wrong += status != 0;
	}
	put(p, (uint64_t)wrong);
	return 0;
}

static int as_scribbler(struct placed *p)
{
	const struct process_head *h = (const void *)p->memory;
	uint64_t state = 88172645463325252ull, size = h->size;
	for (int round = 0; round < 300; round++)
		for (uint64_t i = 0; i < size / 8; i += 1 + state % 512) {
			state ^= state << 13, state ^= state >> 7, state ^= state << 17;
			((uint64_t *)(void *)p->memory)[i] = state & 1 ? state : state % 4096;
		}
	return 0;
}

static struct placed *handler_placed;
static int handler_ms; /* 0: it has interrupted a firing */

/* It lasts so long, where it has interrupted our code. */
static void handler_run(int number, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	uint64_t at = (uint64_t)c->uc_mcontext.gregs[REG_RIP] - (uintptr_t)handler_placed->code;
	int ms = handler_ms;
	if (at >= PROCESS_CODE_SIZE || !ms)
		return;
	handler_ms = 0;
	put(handler_placed, 0);
	for (uint64_t until = clock_ns(CLOCK_MONOTONIC) + (uint64_t)ms * 1000000;
	     clock_ns(CLOCK_MONOTONIC) < until;)
		poll(NULL, 0, 1);
}

/* A firing that is interrupted for so long. */
static int as_sleeper(struct placed *p, int ms)
{
	struct sigaction action = { .sa_sigaction = handler_run, .sa_flags = SA_SIGINFO };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	uint64_t key = 0;
	handler_placed = p;
	handler_ms = ms;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handler_ms)
		p->lookup(map_of(p, 0), &key);
	setitimer(ITIMER_REAL, &(struct itimerval) { 0 }, NULL);
	for (int i = 0; i < 1000; i++)
		poll(NULL, 0, 1);
	return 0;
}

/* Firings most of the time. */
static int as_runner(struct placed *p)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + 1000000000;
	uint64_t (*time)(void) = FUNCTION(p, "rt_time");
	put(p, 0);
	while (time() < until) {
		p->lookup(map_of(p, 0), &until);
		for (volatile int i = 0; i < 50; i++)
			;
	}
	return 0;
}

static int as_target(const char *mode)
{
	struct placed p;
	image_find(&p);
	if (string_equal(mode, "scribble"))
		return as_scribbler(&p);
	if (string_equal(mode, "long"))
		return as_sleeper(&p, 400);
	if (string_equal(mode, "short"))
		return as_sleeper(&p, 20);
	if (string_equal(mode, "run"))
		return as_runner(&p);
	if (string_equal(mode, "fork"))
		return as_children(&p);
	if (p.area() < 0)
		return 4;
	for (uint64_t n = 0; n < RECORDS; n++)
		put(&p, n);
	if (string_equal(mode, "unfinished")) {
		claim(&p);
		put(&p, RECORDS);
	}
	if (string_equal(mode, "kill"))
		kill(getpid(), SIGKILL);
	if (string_equal(mode, "exec"))
		execl("/bin/sleep", "sleep", "0.3", NULL);
	for (int i = 0; string_equal(mode, "wake") && i < WAKES; i++) {
		poll(NULL, 0, 30);
		struct numbered r = { .number = clock_ns(CLOCK_MONOTONIC) };
		p.output(&r, sizeof(r), BPF_RB_FORCE_WAKEUP);
	}
	return 0;
}

__attribute__((constructor)) static void target_main(int argc, char **argv)
{
	if (argc == 3 && string_equal(argv[1], "target"))
		exit(as_target(argv[2]));
}

/* --- dtrace ----------------------------------------------------------------------------------- */

struct entered {
	struct program program;
	struct process *process;
	struct injector *injector;
	struct record_source source;
	uint64_t next, wrong, slowest;
};

/* The process MODE runs. */
static bool target_enter(struct entered *e, const char *mode)
{
	const struct executor_options o = { .policy = POLICY_SWITCH,
					    .buffer_size = 1 << 22,
					    .dynamic_size = 1 << 20,
					    .speculation_count = 2,
					    .speculation_size = 4096,
					    .images = images_new() };
	char command[64];
	void *self = NULL;
	snprintf(command, sizeof(command), "/proc/self/exe target %s", mode);
	*e = (struct entered) { .program = test_program(4) };
	bool fine = is_fine(process_create(NULL, command, PROCESS_HOLD_POSTINIT, &e->process)) &&
		    is_fine(process_executor.load(&e->program, &o, &self)) &&
		    is_fine(process_executor.enter(self, e->process)) &&
		    is_fine(process_executor.source(self, &e->source));
	e->injector = self;
	CHECK(fine);
	if (!fine)
		return false;
	e->source.control->activity = ACTIVITY_ACTIVE;
	CHECK(is_fine(process_run(e->process)));
	return true;
}

static void target_leave(struct entered *e)
{
	struct images *images = e->injector ? e->injector->options.images : NULL;
	process_executor.free(e->injector);
	images_free(images);
	process_free(e->process);
}

static struct error *record_check(void *arg, const void *data, uint32_t size)
{
	struct entered *e = arg;
	struct numbered r;
	CHECK_INT(size, sizeof(r));
	memcpy(&r, data, sizeof(r));
	e->wrong += r.number != e->next;
	e->next++;
	if (r.number > RECORDS) { /* the time when it was written */
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		e->wrong -= r.number != e->next - 1;
		e->slowest = MAX(e->slowest, now - r.number);
	}
	return NULL;
}

static void target_drain(struct entered *e)
{
	for (unsigned n = 0; n < e->program.area_count; n++)
		CHECK(is_fine(e->source.reader->drain(e->injector, n, record_check, e)));
}

/* Rounds as the tracer makes them, until the process has ended. */
static void target_follow(struct entered *e)
{
	bool ended = false;
	while (!ended) {
		struct pollfd news = { process_executor.poll_fd(e->injector, 0), POLLIN };
		eventfd_t ignored;
		ended = process_exited(e->process, NULL);
		if (poll(&news, 1, 10) == 1)
			eventfd_read(news.fd, &ignored);
		CHECK(is_fine(process_executor.step(e->injector, false)));
		target_drain(e);
	}
	process_executor.outside->stop(e->injector);
	target_drain(e);
}

static void check_records(const char *mode, uint64_t wanted, uint64_t lost)
{
	struct entered e;
	if (target_enter(&e, mode)) {
		target_follow(&e);
		CHECK_INT(e.next, wanted);
		CHECK_INT(e.wrong, 0);
		CHECK_INT(e.source.control->records_lost, lost);
		CHECK(e.injector->target.has_ended && !e.injector->target.is_damaged);
	}
	target_leave(&e);
}

TEST(an_end_leaves_all_records)
{
	check_records("end", RECORDS, 0);
}

TEST(a_kill_leaves_all_records)
{
	check_records("kill", RECORDS, 0);
}

TEST(what_is_not_finished_is_counted)
{
	check_records("unfinished", RECORDS, 1);
}

TEST(children_do_not_fire)
{
	check_records("fork", 1, 0);
}

TEST(another_program_ends_the_trace)
{
	struct entered e;
	bool had_ended = false;
	if (target_enter(&e, "exec")) {
		while (!process_exited(e.process, NULL)) {
			poll(NULL, 0, 10);
			CHECK(is_fine(process_executor.step(e.injector, false)));
			had_ended |=
				e.injector->target.has_ended && !process_exited(e.process, NULL);
			target_drain(&e);
		}
		CHECK(had_ended);
		CHECK_INT(e.next, RECORDS);
	}
	target_leave(&e);
}

static struct error *count_one(void *count, const void *data, uint32_t size)
{
	++*(uint64_t *)count;
	return NULL;
}

static struct error *element_count(void *count, const void *key, const void *value)
{
	return count_one(count, key, 0);
}

/* As the address sanitizer sees, nothing outside is touched; what is said is a message. */
TEST(damage_ends_the_trace)
{
	struct entered e;
	if (target_enter(&e, "scribble")) {
		uint64_t count = 0;
		while (!process_exited(e.process, NULL)) {
			CHECK(is_fine(process_executor.step(e.injector, false)));
			for (unsigned n = 0; n < e.program.area_count; n++)
				CHECK(is_fine(
					e.source.reader->drain(e.injector, n, count_one, &count)));
			for (unsigned n = 0; n < e.program.map_count; n++)
				CHECK(is_fine(e.source.reader->visit(e.injector, n, element_count,
								     &count)));
		}
		CHECK(e.injector->target.is_damaged);
	}
	target_leave(&e);
}

TEST(a_record_wakes_dtrace)
{
	struct entered e;
	if (target_enter(&e, "wake")) {
		target_follow(&e);
		CHECK_INT(e.next, RECORDS + WAKES);
		printf("slowest wake-up: %llu us\n", (unsigned long long)e.slowest / 1000);
	}
	target_leave(&e);
}

static void check_settle(const char *mode, bool wanted)
{
	struct entered e;
	bool all = !wanted;
	if (target_enter(&e, mode)) {
		while (!e.next) { /* it has begun */
			poll(NULL, 0, 1);
			target_drain(&e);
		}
		uint64_t begin = clock_ns(CLOCK_MONOTONIC);
		CHECK(is_fine(e.source.reader->settle(e.injector, &all)));
		printf("%s: %llu us\n", mode,
		       (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - begin) / 1000);
		CHECK_INT(all, wanted);
		CHECK(!process_exited(e.process, NULL));
		process_kill(e.process);
	}
	target_leave(&e);
}

TEST(firings_under_way_are_waited_for)
{
	check_settle("short", true);
	check_settle("run", true);
	check_settle("long", false);
}

TEST(the_marks_are_there)
{
	struct entered e;
	if (target_enter(&e, "end")) {
		struct process_head *h = (void *)e.injector->view.memory;
		CHECK(h->tracer && !(h->tracer & FUTEX_OWNER_DIED));
		process_executor.outside->detach(e.injector);
		CHECK(h->tracer & FUTEX_OWNER_DIED);
		target_follow(&e);
	}
	target_leave(&e);
}

TEST_MAIN
