/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes of the kernel by address: nothing is watched, but the kernel is asked what can be. */
#include <string.h>

#include "arch/arch.h"
#include "base/diagnostic.h"
#include "kernel/kernel.h"
#include "provider/provider.h"
#include "test.h"

#define KERNEL "0xffff800000000000"

static struct probe_db *db;

/* The event of the one probe that DESC means; NULL, and in *WHY what is said: there is none. */
static const struct event_watch *watched(struct probe_desc desc, const struct probe **ret,
					 char *why)
{
	if (!db)
		db = probe_db_new(providers);
	probe_vector found = { 0 };
	auto_error struct error *err = probe_db_match(db, &desc, &found);
	*ret = found.count == 1 ? found.items[0] : NULL;
	snprintf(why, 400, "%s", err ? error_text(err) : "");
	vector_free(&found);
	return *ret ? &(*ret)->events->event.watch : NULL;
}

TEST(lengths_and_accesses)
{
	static const struct {
		const char *function, *name;
		uint64_t address;
		uint32_t length, access;
		const char *its_function, *its_name;
	} cases[] = {
		{ "", KERNEL, 0xffff800000000000, 8, WATCH_WRITES, KERNEL "+8", "w" },
		{ KERNEL, "", 0xffff800000000000, 8, WATCH_WRITES, KERNEL "+8", "w" },
		{ KERNEL "+2", "rw", 0xffff800000000000, 2, WATCH_READS | WATCH_WRITES, KERNEL "+2",
		  "rw" },
		{ "", "0xffff800000000004", 0xffff800000000004, 4, WATCH_WRITES,
		  "0xffff800000000004+4", "w" },
		{ "0xffff800000000001", "w", 0xffff800000000001, 1, WATCH_WRITES,
		  "0xffff800000000001+1", "w" },
		{ "18446603336221196288+1", "w", 0xffff800000000000, 1, WATCH_WRITES, KERNEL "+1",
		  "w" },
	};
	char why[400];
	if (kernel_watches(WATCH_WRITES, 8) != 0)
		SKIP("no debug registers here");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct probe *p;
		const struct event_watch *w = watched(
			(struct probe_desc) { "watch", "", cases[i].function, cases[i].name }, &p,
			why);
		CHECK_STR(why, "");
		CHECK(w);
		if (!w)
			continue;
		CHECK_INT(w->address, cases[i].address);
		CHECK_INT(w->length, cases[i].length);
		CHECK_INT(w->access, cases[i].access);
		CHECK_INT(w->pid, 0);
		CHECK_STR(p->function, cases[i].its_function);
		CHECK_STR(p->name, cases[i].its_name);
		CHECK_INT(p->events->event.args->arg[0].value, (int64_t)cases[i].address);
		CHECK_INT(p->events->event.args->arg[1].value, arch_host()->pc);
	}
}

TEST(a_length_that_was_not_given_is_that_of_the_alignment)
{
	const struct probe *all, *half, *again;
	char why[400];
	if (kernel_watches(WATCH_WRITES, 8) != 0)
		SKIP("no debug registers here");
	watched((struct probe_desc) { "watch", "", "0xffff800000000010", "w" }, &all, why);
	watched((struct probe_desc) { "watch", "", "0xffff800000000010+4", "w" }, &half, why);
	watched((struct probe_desc) { "watch", "", "", "0xffff800000000010" }, &again, why);
	CHECK(all && half && all != half && again == all);
}

TEST(refused)
{
	static const struct {
		const char *function, *name, *why;
	} cases[] = {
		{ "0x1234", "w", "is not an address of the kernel" },
		{ KERNEL "+3", "w", "the length is 1, 2, 4 or 8" },
		{ KERNEL "+16", "w", "the length is 1, 2, 4 or 8" },
		{ KERNEL "+0", "w", "it is written" },
		{ KERNEL "+", "w", "it is written" },
		{ KERNEL "x", "w", "it is written" },
		{ "`", "w", "it is written" },
		{ "+8", "w", "it is written" },
		{ "0xffff800000000002+4", "w", "not a multiple of the length, 4" },
		{ KERNEL, "entry", "it is written" },
		{ KERNEL "+8", "x", "an instruction has no LENGTH" },
		{ "`no_such_symbol_of_the_kernel", "w", "no_such_symbol_of_the_kernel" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct probe *p;
		char why[400];
		CHECK(!watched(
			(struct probe_desc) { "watch", "", cases[i].function, cases[i].name }, &p,
			why));
		CHECK(strstr(why, cases[i].why));
	}
}

TEST(patterns_mean_none)
{
	static const struct probe_desc descs[] = { { "watch", "", "", "" },
						   { "watch", "", "`*", "w" },
						   { "wat*", "", KERNEL, "w" } };
	for (size_t i = 0; i < ARRAY_SIZE(descs); i++) {
		const struct probe *p;
		char why[400];
		struct probe_db *fresh = probe_db_new(providers), *old = db;
		db = fresh;
		CHECK(!watched(descs[i], &p, why));
		CHECK_STR(why, "");
		db = old;
		probe_db_free(fresh);
	}
}
TEST_MAIN
