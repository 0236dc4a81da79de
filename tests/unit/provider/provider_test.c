/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/provider.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/diagnostic.h"
#include "test.h"

static struct probe_db *db;

static size_t match(struct probe_desc desc, const struct probe **first)
{
	if (!db)
		db = probe_db_new(providers);
	probe_vector found = { 0 };
	auto_error struct error *err = probe_db_match(db, &desc, &found);
	if (err)
		printf("error: %s\n", error_text(err));
	size_t count = found.count;
	*first = count ? found.items[0] : NULL;
	vector_free(&found);
	return count;
}

TEST(dtrace_ids)
{
	const struct probe *p;
	CHECK_INT(match((struct probe_desc) { "", "", "", "BEGIN" }, &p), 1);
	CHECK_INT(p->id, 1);
	CHECK_INT(p->events->event.kind, EVENT_BEGIN);
	CHECK_INT(match((struct probe_desc) { "dtrace", "", "", "ERROR" }, &p), 1);
	CHECK_INT(p->id, 3);
	CHECK(p->events == NULL);
	CHECK(probe_db_get(db, 4) == NULL);
}

TEST(no_provider_is_both_here_and_to_come)
{
	for (size_t i = 0; later_providers[i]; i++)
		for (size_t k = 0; providers[k]; k++)
			CHECK(!string_equal(later_providers[i], providers[k]->name));
}

TEST(syscall_probes)
{
	const struct probe *p;
	CHECK_INT(match((struct probe_desc) { "syscall", "", "read", "" }, &p), 2);
	CHECK_INT(p->id, 4); /* the first call of x86-64; numbers are stable */
	CHECK_STR(p->module, "vmlinux");
	CHECK_INT(p->events->event.call.native, SYS_read);
	CHECK_INT(p->events->event.kind, EVENT_SYSCALL_ENTRY);
	CHECK_STR(p->args->types[1], "void *");
	CHECK(p->args->types[3] == NULL && p->args->user_pointers);
	CHECK_INT(match((struct probe_desc) { "", "vmlinux", "read", "return" }, &p), 1);
	CHECK_INT(p->events->event.args->arg[0].kind, ARG_SYSCALL_STATUS);
	CHECK_INT(p->events->event.args->arg[1].kind, ARG_SYSCALL_RESULT);
	CHECK(match((struct probe_desc) { "syscall", "", "", "entry" }, &p) > 350);
	CHECK_INT(match((struct probe_desc) { "syscall", "", "newfstat", "entry" }, &p), 1);
	CHECK_STR(p->function, "fstat");
	CHECK_INT(match((struct probe_desc) { "syscall", "", "sendfile64", "entry" }, &p) > 0, 1);
	CHECK_INT(match((struct probe_desc) { "syscall", "ext4", "read", "entry" }, &p), 0);
}

#ifdef __x86_64__
static void has_numbers(const char *function, int native, int compat)
{
	const struct probe *p;
	CHECK_INT(match((struct probe_desc) { "syscall", "", function, "entry" }, &p), 1);
	CHECK_INT(p->events->event.call.native, native);
	CHECK_INT(p->events->event.call.compat, compat);
}

TEST(syscall_numbers)
{
	has_numbers("read", 0, 3);
	has_numbers("mseal", 462, 462);
	has_numbers("waitpid", -1, 7); /* only in the 32-bit table: a separate probe */
	has_numbers("newfstatat", 262, -1);
}

/* No number belongs to two probes. */
TEST(syscall_numbers_have_no_conflicts)
{
	static bool taken[2][SYSCALL_NUMBERS];
	const struct probe *p;
	match((struct probe_desc) { "syscall", "", "", "" }, &p);
	for (uint32_t id = 4; (p = probe_db_get(db, id)); id++) {
		if (!p->events || !event_is_syscall(p->events->event.kind))
			continue;
		const struct event *e = &p->events->event;
		bool is_entry = e->kind == EVENT_SYSCALL_ENTRY;
		CHECK_INT(e->call.no_return, is_entry && (string_equal(p->function, "exit") ||
							  string_equal(p->function, "exit_group")));
		const int32_t numbers[] = { e->call.native, e->call.compat };
		for (unsigned table = 0; is_entry && table < 2; table++) {
			if (numbers[table] < 0)
				continue;
			CHECK(numbers[table] < SYSCALL_NUMBERS && !taken[table][numbers[table]]);
			taken[table][numbers[table]] = true;
		}
	}
}
#endif

TEST(profile_periods)
{
	static const struct {
		const char *name;
		uint64_t period; /* 0: no probe */
		bool is_tick;
	} cases[] = {
		{ "profile-97", 10309278, false },
		{ "profile-5000", 200000, false },
		{ "profile-5001", 0, false },
		{ "profile-997hz", 1003009, false },
		{ "tick-1", 1000000000, true },
		{ "tick-1s", 1000000000, true },
		{ "tick-1SEC", 1000000000, true },
		{ "tick-10ms", 10000000, true },
		{ "tick-10msec", 10000000, true },
		{ "tick-200us", 200000, true },
		{ "tick-200usec", 200000, true },
		{ "tick-199us", 0, true },
		{ "tick-200000ns", 200000, true },
		{ "tick-250000nsec", 250000, true },
		{ "tick-1m", 60000000000, true },
		{ "tick-2min", 120000000000, true },
		{ "tick-1h", 3600000000000, true },
		{ "tick-1hour", 3600000000000, true },
		{ "tick-1d", 86400000000000, true },
		{ "tick-1day", 86400000000000, true },
		{ "tick-0", 0, true },
		{ "tick-", 0, true },
		{ "tick-s", 0, true },
		{ "tick-1x", 0, true },
		{ "tick-1 s", 0, true },
		{ "tick-999999999999d", 0, true },
		{ "tick-99999999999999999999", 0, true },
		{ "tick--1", 0, true },
		{ "profile", 0, false },
		{ "tock-1", 0, false },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t period = 0;
		bool is_tick;
		bool found = profile_period(cases[i].name, &period, &is_tick);
		if (found != (cases[i].period != 0) || period != cases[i].period)
			printf("%s\n", cases[i].name);
		CHECK_INT(period, cases[i].period);
		CHECK_INT(found, cases[i].period != 0);
		CHECK_INT(found && is_tick, found && cases[i].is_tick);
	}
}

TEST(profile_probes)
{
	const struct probe *p;
	CHECK_INT(match((struct probe_desc) { "profile", "", "", "" }, &p), 13);
	CHECK_STR(p->name, "profile-97");
	CHECK_INT(p->events->event.kind, EVENT_TIMER);
	CHECK(p->events->event.timer.on_each_cpu);
	CHECK_INT(match((struct probe_desc) { "", "", "", "tick-5sec" }, &p), 1);
	CHECK_INT(p->events->event.timer.period, 5000000000);
	CHECK(!p->events->event.timer.on_each_cpu);
	CHECK_INT(match((struct probe_desc) { "profile", "", "", "" }, &p), 14);
	CHECK_INT(match((struct probe_desc) { "profile", "", "", "tick-7*" }, &p), 0);
	CHECK_INT(match((struct probe_desc) { "profile", "vmlinux", "", "tick-8s" }, &p), 0);
	CHECK_INT(match((struct probe_desc) { "syscall", "", "", "tick-9s" }, &p), 0);
}

/* "" if there is no error. */
static void check_refusal(struct probe_desc desc, const char *expected)
{
	probe_vector found = { 0 };
	auto_error struct error *err = probe_db_match(db, &desc, &found);
	CHECK_INT(found.count, 0);
	CHECK_STR(err ? error_text(err) : "", expected);
	CHECK_INT(err ? error_tag_of(err) : D_PDESC_ZERO, D_PDESC_ZERO);
	vector_free(&found);
}

#define UNITS "the units are hz ns nsec us usec ms msec s sec m min h hour d day"

TEST(profile_says_why_a_rate_is_no_probe)
{
	check_refusal((struct probe_desc) { "profile", "", "", "tick-80000" },
		      "there is no probe tick-80000: 200 us (5000hz) is the shortest period");
	check_refusal((struct probe_desc) { "", "", "", "profile-199us" },
		      "there is no probe profile-199us: 200 us (5000hz) is the shortest period");
	check_refusal((struct probe_desc) { "profile", "", "", "tick-0" },
		      "there is no probe tick-0: it is written tick-N, N times a second, or "
		      "tick-NUNIT, as tick-10ms; " UNITS);
	check_refusal((struct probe_desc) { "", "", "", "profile-1x" },
		      "there is no probe profile-1x: it is written profile-N, N times a second, or "
		      "profile-NUNIT, as profile-10ms; " UNITS);
	check_refusal((struct probe_desc) { "profile", "", "", "tick-8000*" }, "");
	check_refusal((struct probe_desc) { "profile", "vmlinux", "", "tick-80000" }, "");
	check_refusal((struct probe_desc) { "syscall", "", "", "tick-80000" }, "");
}

TEST(ids_agree_between_runs)
{
	struct probe_db *other = probe_db_new(providers);
	probe_vector found = { 0 };
	struct probe_desc late = { "profile", "", "", "tick-77s" };
	auto_error struct error *err = probe_db_match(other, &late, &found);
	CHECK(!err && found.count == 1);
	vector_free(&found);
	const struct probe *a, *b = probe_db_find(other, "profile", "", "", "tick-5000");
	match((struct probe_desc) { "profile", "", "", "tick-5000" }, &a);
	CHECK(a && b && a->id == b->id);
	probe_db_free(other);
}

TEST(free_database)
{
	probe_db_free(db);
	db = NULL;
}

TEST_MAIN
