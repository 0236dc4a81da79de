/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../trace/triggers/notes.h"
#include "provider/provider.h"
#include "provider/usdt/usdt.h"
#include "test.h"

SEMAPHORE(usdt_test_semaphore);
/* No counter: nothing can be written there. */
__attribute__((used)) const unsigned short usdt_test_constant __asm__("usdt_test_constant") = 1;
static volatile long usdt_test_number = 5;

/* The notes of this very program are those of a child of it. */
__attribute__((noinline, used)) static void usdt_test_first(long n)
{
	STATIC_PROBE("unit", "two__sites", "usdt_test_semaphore", "-4@%0 8@%1", "n"(-7), "r"(n));
	STATIC_PROBE("unit", "two__sites", "usdt_test_semaphore", "-4@%0 8@%1", "n"(-7), "r"(n));
	STATIC_PROBE("unit", "memory", "0", "-2@%0", "m"(usdt_test_number));
	STATIC_PROBE("unit", "wide", "0", "16@%0 -4@%1", "m"(n), "n"(1));
	STATIC_PROBE("unit", "differs", "0", "-1@%0 1@%1 4@%1", "n"(-1), "n"(1));
	STATIC_PROBE("unit", "differs", "0", "-8@%0 -2@%1 4@%1", "n"(-1), "n"(2));
	STATIC_PROBE("", "nobodys", "0", "", "n"(0));
	STATIC_PROBE("other", "alone", "0", "", "n"(0));
	/* Providers of other kinds, and of other processes. */
	STATIC_PROBE("pid", "entry", "0", "", "n"(0));
	STATIC_PROBE("unit1", "alone", "0", "", "n"(0));
	STATIC_PROBE("constant", "alone", "usdt_test_constant", "", "n"(0));
}

struct traced {
	pid_t pid;
	struct probe_db *db;
	probe_vector probes;
};

static void traced_init(struct traced *t)
{
	*t = (struct traced) { .pid = fork(), .db = probe_db_new(providers) };
	if (t->pid == 0) {
		pause();
		_exit(0);
	}
	usdt_test_first(1);
}

static void traced_deinit(struct traced *t)
{
	kill(t->pid, SIGKILL);
	waitpid(t->pid, NULL, 0);
	vector_free(&t->probes);
	probe_db_free(t->db);
}

/* The probes of PROVIDER<pid>:MODULE::NAME; why not, or "". */
static char *match(struct traced *t, const char *provider, const char *module, const char *name)
{
	auto_free char *of_process = mem_printf("%s%d", provider, t->pid);
	const struct probe_desc d = { of_process, module, "", name };
	t->probes.count = 0;
	auto_error struct error *err = probe_db_match(t->db, &d, &t->probes);
	return mem_strdup(err ? error_text(err) : "");
}

/* unit1234 */
static const char *t_name(const struct traced *t)
{
	static char name[32];
	snprintf(name, sizeof(name), "unit%d", t->pid);
	return name;
}

static const struct probe *only(struct traced *t, const char *name)
{
	auto_free char *why = match(t, "unit", "", name);
	CHECK_STR(why, "");
	CHECK_INT(t->probes.count, 1);
	return t->probes.items[0];
}

TEST(sites_of_one_string_are_one_event)
{
	struct traced t;
	traced_init(&t);
	const struct probe *p = only(&t, "two-sites");
	CHECK_STR(p->name, "two-sites");
	CHECK_STR(p->module, "usdt_test");
	CHECK_STR(p->function, "usdt_test_first");
	const struct event *e = &p->events->event;
	CHECK(!p->events->next);
	CHECK_INT(e->kind, EVENT_STATIC_PROBE);
	CHECK_INT(e->code.pid, t.pid);
	CHECK_INT(e->code.site_count, 2);
	CHECK(e->code.sites[0].at != e->code.sites[1].at);
	CHECK(e->code.sites[0].semaphore &&
	      e->code.sites[0].semaphore == e->code.sites[1].semaphore);
	CHECK_INT(e->args->arg[0].kind, ARG_CONSTANT);
	CHECK_INT(e->args->arg[0].value, -7);
	CHECK_INT(e->args->arg[1].kind, ARG_CONTEXT);
	CHECK_INT(e->args->arg[2].kind, ARG_NONE);
	CHECK_STR(p->args->types[0], "int32_t");
	CHECK_STR(p->args->types[1], "uint64_t");
	CHECK(!p->args->types[2]);
	/* Asked again, by the note's own name: nothing more. */
	CHECK(only(&t, "two__sites") == p);
	CHECK_INT(p->events->event.code.site_count, 2);
	traced_deinit(&t);
}

TEST(symbols_are_found_from_the_site)
{
	struct traced t;
	traced_init(&t);
	const struct probe *p = only(&t, "memory");
	const struct arg_location *where = &p->events->event.args->arg[0];
	CHECK_INT(where->kind, ARG_USER_MEMORY);
	CHECK_INT(where->size, 2);
	CHECK(where->is_signed);
	CHECK_INT(where->index, ARG_NO_REGISTER);
	CHECK_INT(p->events->event.code.sites[0].semaphore, 0);
#ifdef __x86_64__
	/* Sites and variables keep their distances wherever the program is mapped. */
	uint64_t distance =
		(uint64_t)(uintptr_t)&usdt_test_number - (uint64_t)(uintptr_t)usdt_test_first;
	CHECK_INT(where->base, arch_host()->pc);
	CHECK((uint64_t)where->value <= distance && (uint64_t)where->value + 512 > distance);
#endif
	traced_deinit(&t);
}

TEST(arguments_that_cannot_be_read)
{
	struct traced t;
	traced_init(&t);
	const struct probe *p = only(&t, "wide");
	CHECK_INT(p->events->event.args->arg[0].kind, ARG_UNREADABLE);
	CHECK(p->unreadable[0] != NULL);
	CHECK(!p->unreadable[1]);
	CHECK(!p->unreadable[2]);
	traced_deinit(&t);
}

/* Each site's value is extended by its own sign; the type holds all of them. */
TEST(sites_that_differ)
{
	struct traced t;
	traced_init(&t);
	const struct probe *p = only(&t, "differs");
	CHECK(p->events && p->events->next && !p->events->next->next);
	CHECK_STR(p->args->types[0], "int64_t");
	CHECK_STR(p->args->types[1], "int64_t");
	CHECK_STR(p->args->types[2], "uint32_t");
	traced_deinit(&t);
}

TEST(providers_by_name)
{
	struct traced t;
	traced_init(&t);
	free(match(&t, "un*", "a.out", ""));
	CHECK_INT(t.probes.count, 4);
	free(match(&t, "usdt", "", ""));
	CHECK_INT(t.probes.count, 1);
	CHECK_STR(t.probes.items[0]->name, "nobodys");
	auto_free char *nobody = match(&t, "nobody", "", "");
	CHECK(strstr(nobody, " has such static probes; its providers are ") != NULL);
	auto_free char *elsewhere = match(&t, "unit", "libc.so.6", "");
	CHECK(strstr(elsewhere, "module libc.so.6 of process ") != NULL);
	traced_deinit(&t);
}

TEST(which_process)
{
	static const struct {
		const char *field;
		int pid; /* 0: none */
	} rows[] = {
		{ "prov12", 12 }, { "p1v12", 12 }, { "prov*7", 7 }, { "pid12", 0 },
		{ "prov", 0 },	  { "12", 0 },	   { "", 0 },	    { "prov*", 0 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int pid = 0;
		CHECK(provider_process_of(&provider_usdt, rows[i].field, &pid) ==
		      (rows[i].pid != 0));
		CHECK_INT(pid, rows[i].pid);
	}
}

TEST(which_names_mean_every_process)
{
	static const struct {
		const char *field;
		bool means;
		bool lists; /* only in a list */
	} rows[] = {
		{ "prov", true, false },     { "prov*", true, false },	 { "*prov", true, false },
		{ "prov1", false, false },   { "prov*1", false, false }, { "", false, false },
		{ "pid", false, false },     { "pid*", true, false },	 { "pidgin", true, false },
		{ "syscall", false, false }, { "fbt", false, false },	 { "sys*", false, true },
		{ "*", false, true },	     { "?*", false, true },
	};
	struct probe_db *db = probe_db_new(providers);
	probe_db_announce(db, later_providers);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		probe_db_settings(db)->lists = false;
		CHECK_INT(probe_db_of_every_process(db, rows[i].field), rows[i].means);
		probe_db_settings(db)->lists = true;
		CHECK_INT(probe_db_of_every_process(db, rows[i].field),
			  rows[i].means || rows[i].lists);
	}
	probe_db_free(db);
}

/* A child of this program maps its file: one probe for both, in no process. */
TEST(probes_of_every_process)
{
	struct traced t;
	traced_init(&t);
	const struct probe_desc d = { "unit", "usdt_test", "", "two-sites" };
	const struct probe_desc of_child = { t_name(&t), "", "", "two-sites" };
	auto_error struct error *err = probe_db_match(t.db, &d, &t.probes);
	CHECK(!err);
	CHECK_INT(t.probes.count, 1);
	CHECK_STR(t.probes.items[0]->provider, "unit");
	CHECK_INT(t.probes.items[0]->events->event.code.pid, 0);
	CHECK_INT(t.probes.items[0]->events->event.code.site_count, 2);
	/* Nothing is new at the next look, but what other processes of the machine begin to run
	 * meanwhile; and the child's own probe is another one. */
	unsigned looks = 1;
	while (looks < 100 && probe_db_files_look(t.db))
		looks++;
	CHECK(looks < 100);
	auto_error struct error *other = probe_db_match(t.db, &of_child, &t.probes);
	CHECK(!other);
	CHECK_INT(t.probes.count, 2);
	CHECK_INT(t.probes.items[1]->events->event.code.pid, t.pid);
	t.probes.count = 0;
	auto_error struct error *again = probe_db_match(t.db, &d, &t.probes);
	CHECK(!again);
	CHECK_INT(t.probes.count, 1);
	traced_deinit(&t);
}

TEST(what_a_note_says_wrongly_is_left_out)
{
	struct traced t;
	traced_init(&t);
	free(match(&t, "*", "", ""));
	for (size_t i = 0; i < t.probes.count; i++) {
		CHECK(!string_equal(t.probes.items[i]->name, "entry"));
		CHECK(strncmp(t.probes.items[i]->provider, "constant", 8) != 0);
	}
	CHECK(probe_db_left_out(t.db) >= 3);
	traced_deinit(&t);
}

TEST(a_pattern_of_a_process_means_static_probes_of_that_process)
{
	struct traced t;
	traced_init(&t);
	free(match(&t, "pid", "", "entry"));
	CHECK(t.probes.count > 10);
	free(match(&t, "*", "", ""));
	CHECK(t.probes.count > 3);
	for (size_t i = 0; i < t.probes.count; i++)
		CHECK(strncmp(t.probes.items[i]->provider, "pid", 3) != 0);
	traced_deinit(&t);
}

TEST_MAIN
