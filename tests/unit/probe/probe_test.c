/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/probe.h"

#include <string.h>

#include "test.h"

TEST(glob)
{
	static const struct {
		const char *pattern, *text;
		bool match;
	} cases[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "abc", "abc", true },
		{ "abc", "abcd", false },
		{ "abcd", "abc", false },
		{ "*", "", true },
		{ "*", "abc", true },
		{ "a*", "abc", true },
		{ "*c", "abc", true },
		{ "a*c", "abc", true },
		{ "a*c", "ac", true },
		{ "a*c", "acb", false },
		{ "a*b*c", "a1b2b3c", true },
		{ "**", "x", true },
		{ "?", "", false },
		{ "?", "x", true },
		{ "a?c", "abc", true },
		{ "[abc]", "b", true },
		{ "[abc]", "d", false },
		{ "[a-c]x", "bx", true },
		{ "[!a-c]", "b", false },
		{ "[!a-c]", "z", true },
		{ "[^a]", "^", true },
		{ "[^a]", "b", false },
		{ "[a\\]]", "]", true },
		{ "\\*", "*", true },
		{ "\\*", "a", false },
		{ "[a-]", "-", true },
		{ "[a", "a", false },
		{ "[", "[", false },
		{ "a\\", "a\\", true },
		{ "*[0-9]", "sda1", true },
		{ "[\xc0-\xff]", "\xe4", true },
		{ "A", "a", false },
		{ "[]", "]", false },
		{ "*a", "aaaa", true },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (glob_match(cases[i].pattern, cases[i].text) != cases[i].match) {
			printf("pattern %s, text %s\n", cases[i].pattern, cases[i].text);
			CHECK(false);
		}
	CHECK(glob_is_plain("read"));
	CHECK(!glob_is_plain("r*") && !glob_is_plain("r?") && !glob_is_plain("[r]"));
	CHECK(!glob_is_plain("r\\*"));
	CHECK(probe_field_match("", "read") && probe_field_match("", ""));
	CHECK(probe_field_match("r*", "read") && !probe_field_match("r", "read"));
}

/* Many stars against a long text: exponential for matchers that recurse. */
TEST(glob_many_stars)
{
	char text[4096], pattern[200] = "";
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (int i = 0; i < 60; i++)
		strcat(pattern, "*a");
	CHECK(glob_match(pattern, text));
	strcat(pattern, "*b");
	CHECK(!glob_match(pattern, text));
}

TEST(hyphens)
{
	char names[][16] = { "query__start", "a___b", "__", "a_b", "" };
	static const char *const shown[] = { "query-start", "a-_b", "-", "a_b", "" };
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		probe_name_hyphenate(names[i]);
		CHECK_STR(names[i], shown[i]);
	}
}

TEST(provider_pid)
{
	int pid = -1;
	CHECK(probe_provider_pid("pid123", "pid", &pid));
	CHECK_INT(pid, 123);
	CHECK(probe_provider_pid("pid0", "pid", &pid));
	CHECK_INT(pid, 0);
	CHECK(probe_provider_pid("pid99999999999999999999", "pid", &pid));
	CHECK_INT(pid, 0); /* not valid for any process */
	CHECK(!probe_provider_pid("pid", "pid", &pid));
	CHECK(!probe_provider_pid("pid*", "pid", &pid));
	CHECK(!probe_provider_pid("pid12x", "pid", &pid));
	CHECK(!probe_provider_pid("syscall", "pid", &pid));
}

/* --- a database of made-up providers --------------------------------------------------- */

static unsigned asked[3];

static const struct provider fake_dtrace, fake_calls, fake_pid;

static struct error *dtrace_discover(const struct provider *self, struct probe_db *db,
				     const struct probe_desc *desc)
{
	static const char *const names[] = { "BEGIN", "END", "ERROR" };
	asked[0]++;
	for (int i = 0; i < 3; i++)
		probe_db_add(db, &fake_dtrace, "dtrace", "", "", names[i]);
	return NULL;
}

static bool calls_alias(const struct probe *probe, const char *function)
{
	return string_equal(function, "newstat") && string_equal(probe->function, "stat");
}

static struct error *calls_discover(const struct provider *self, struct probe_db *db,
				    const struct probe_desc *desc)
{
	asked[1]++;
	probe_db_add(db, &fake_calls, "calls", "vmlinux", "read", "entry");
	probe_db_add(db, &fake_calls, "calls", "vmlinux", "stat", "entry");
	if (string_equal(desc->function, "rare"))
		probe_db_add(db, &fake_calls, "calls", "vmlinux", "rare", "entry");
	return NULL;
}

static unsigned freed;

static void pid_free(void *data)
{
	freed++;
	free(data);
}

static struct error *pid_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	asked[2]++;
	int pid;
	CHECK(probe_provider_pid(desc->provider, "pid", &pid));
	if (pid == 0)
		return error_new("no such process");
	struct probe *p = probe_db_add(db, &fake_pid, desc->provider, "a.out", "main", "entry");
	if (!p->data)
		p->data = mem_alloc(10);
	return NULL;
}

/* Process 7 has new code each second time; its linker is watched once. */
static unsigned asked_for_code;
static bool is_watched;

static bool pid_code_has_changed(struct probe_db *db, int pid)
{
	return pid == 7 && asked_for_code++ % 2;
}

static struct error *pid_code_watch(struct probe_db *db, int pid, code_site_fn *watch, void *arg,
				    bool *had_it)
{
	*had_it = is_watched;
	is_watched = true;
	return *had_it ? NULL : watch(arg, &(struct event_code) { .pid = pid });
}

static void pid_code_unwatch(struct probe_db *db, int pid)
{
	is_watched = false;
}

static struct error *note_pid(void *arg, const struct event_code *linker)
{
	*(int *)arg += linker->pid;
	return NULL;
}

static const struct provider fake_dtrace = { .name = "dtrace", .discover = dtrace_discover };
static const struct provider fake_calls = { .name = "calls",
					    .discover = calls_discover,
					    .aliases = &(const struct provider_aliases) {
						    .function = calls_alias } };
static const struct provider_code fake_code = {
	.watch = pid_code_watch,
	.unwatch = pid_code_unwatch,
	.has_changed = pid_code_has_changed,
};
static const struct provider_process fake_process = { .code = &fake_code };
static const struct provider fake_pid = {
	.name = "pid",
	.discover = pid_discover,
	.free_data = pid_free,
	.process = &fake_process,
};
static const struct provider *const fakes[] = { &fake_dtrace, &fake_calls, &fake_pid, NULL };

static struct probe_db *fake_db(void)
{
	memset(asked, 0, sizeof(asked));
	return probe_db_new(fakes);
}

/* How many probes match; the id of the first in *ID. */
static size_t match(struct probe_db *db, struct probe_desc desc, uint32_t *id)
{
	probe_vector found = { 0 };
	auto_error struct error *err = probe_db_match(db, &desc, &found);
	CHECK(!err);
	size_t count = found.count;
	*id = count ? found.items[0]->id : 0;
	vector_free(&found);
	return count;
}

TEST(begin_asks_nobody_else)
{
	struct probe_db *db = fake_db();
	uint32_t id;
	CHECK_INT(match(db, (struct probe_desc) { "", "", "", "BEGIN" }, &id), 1);
	CHECK_INT(id, 1);
	CHECK_INT(match(db, (struct probe_desc) { "dtrace", "", "", "" }, &id), 3);
	CHECK_INT(match(db, (struct probe_desc) { "dtr*", "", "", "E*" }, &id), 2);
	CHECK_INT(id, 2);
	CHECK_INT(asked[1], 0);
	probe_db_free(db);
}

TEST(ids_do_not_depend_on_the_question)
{
	struct probe_db *db = fake_db();
	uint32_t id;
	CHECK_INT(match(db, (struct probe_desc) { "calls", "", "rare", "" }, &id), 1);
	CHECK_INT(id, 6);
	CHECK_INT(match(db, (struct probe_desc) { "calls", "", "stat", "entry" }, &id), 1);
	CHECK_INT(id, 5);
	CHECK_STR(probe_db_get(db, 1)->name, "BEGIN");
	CHECK(probe_db_get(db, 0) == NULL && probe_db_get(db, 7) == NULL);
	CHECK(probe_db_find(db, "calls", "vmlinux", "stat", "entry") == probe_db_get(db, 5));
	CHECK(probe_db_find(db, "calls", "vmlinux", "sta", "tentry") == NULL);
	probe_db_free(db);
}

/* Of providers whose sets have a known size, those that nobody asks for only keep their ids. */
static unsigned two(void)
{
	return 2;
}

static const struct provider fake_kept, fake_late;

static struct error *kept_discover(const struct provider *self, struct probe_db *db,
				   const struct probe_desc *desc)
{
	asked[1]++;
	probe_db_add(db, &fake_kept, "kept", "", "", "one");
	probe_db_add(db, &fake_kept, "kept", "", "", "two");
	return NULL;
}

static struct error *late_discover(const struct provider *self, struct probe_db *db,
				   const struct probe_desc *desc)
{
	probe_db_add(db, &fake_late, "late", "", "", "last");
	return NULL;
}

static const struct provider fake_kept = { .name = "kept",
					   .discover = kept_discover,
					   .count = two };
static const struct provider fake_late = { .name = "late", .discover = late_discover };

TEST(ids_are_kept_free)
{
	static const struct provider *const some[] = { &fake_dtrace, &fake_kept, &fake_late, NULL };
	memset(asked, 0, sizeof(asked));
	struct probe_db *db = probe_db_new(some);
	uint32_t id;
	CHECK_INT(match(db, (struct probe_desc) { "late", "", "", "" }, &id), 1);
	CHECK_INT(id, 6);
	CHECK_INT(asked[1], 0);
	CHECK(probe_db_get(db, 4) == NULL && probe_db_get(db, 5) == NULL);
	CHECK(probe_db_next(db, probe_db_get(db, 3)) == probe_db_get(db, 6));
	CHECK(probe_db_next(db, NULL) == probe_db_get(db, 1));
	CHECK(probe_db_next(db, probe_db_get(db, 6)) == NULL);
	CHECK_INT(match(db, (struct probe_desc) { "kept", "", "", "two" }, &id), 1);
	CHECK_INT(id, 5);
	CHECK_STR(probe_db_get(db, 4)->name, "one");
	CHECK_INT(match(db, (struct probe_desc) { "", "", "", "" }, &id), 6);
	probe_db_free(db);

	db = probe_db_new(some);
	auto_error struct error *err = probe_db_discover_all(db);
	CHECK(!err && probe_db_get(db, 4) && probe_db_get(db, 6) && !probe_db_get(db, 7));
	probe_db_free(db);
}

TEST(matching)
{
	struct probe_db *db = fake_db();
	uint32_t id;
	CHECK_INT(match(db, (struct probe_desc) { "", "", "", "" }, &id), 5);
	CHECK_INT(match(db, (struct probe_desc) { "", "vm*", "", "" }, &id), 2);
	CHECK_INT(match(db, (struct probe_desc) { "", "", "newstat", "" }, &id), 1);
	CHECK_INT(id, 5);
	CHECK_INT(match(db, (struct probe_desc) { "", "", "newsta?", "" }, &id), 0);
	CHECK_INT(match(db, (struct probe_desc) { "nobody", "", "", "" }, &id), 0);
	CHECK_INT(asked[2], 0);
	probe_db_free(db);
}

TEST(process_providers)
{
	struct probe_db *db = fake_db();
	uint32_t id;
	freed = 0;
	CHECK_INT(match(db, (struct probe_desc) { "pid7", "", "", "" }, &id), 1);
	CHECK_INT(id, 6);
	CHECK_INT(match(db, (struct probe_desc) { "pid7", "", "", "" }, &id), 1);
	CHECK_INT(match(db, (struct probe_desc) { "pid*", "", "", "" }, &id), 1);
	CHECK_INT(asked[2], 2);
	struct probe_desc nobody = { "pid0", "", "", "" };
	probe_vector found = { 0 };
	auto_error struct error *err = probe_db_match(db, &nobody, &found);
	CHECK(err && string_equal(error_text(err), "no such process"));
	auto_error struct error *all = probe_db_discover_all(db);
	CHECK(!all);
	probe_db_free(db);
	CHECK_INT(freed, 1);
}

TEST(providers_to_come)
{
	static const char *const later[] = { "fbt", "io", NULL };
	struct probe_db *db = fake_db();
	CHECK(!probe_db_is_announced(db, "fbt"));
	probe_db_announce(db, later);
	CHECK(probe_db_is_announced(db, "fbt") && probe_db_is_announced(db, "io"));
	CHECK(!probe_db_is_announced(db, "fb") && !probe_db_is_announced(db, "calls"));
	CHECK(!probe_db_has_provider(db, "fbt") && probe_db_has_provider(db, "calls"));
	CHECK(probe_db_lacks_provider(db, "fbt"));
	probe_db_free(db);
}

TEST(long_names)
{
	struct probe_db *db = fake_db();
	char name[1000];
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	struct probe *p = probe_db_add(db, &fake_calls, "calls", "m", name, "entry");
	CHECK(probe_db_add(db, &fake_calls, "calls", "m", name, "entry") == p);
	CHECK_STR(p->function, name);
	probe_db_free(db);
}

TEST(providers_of_processes_are_asked_about_code_and_others_not)
{
	struct probe_db *db = fake_db();
	bool had_it = true;
	int pids = 0;
	CHECK(!probe_db_code_has_changed(db, 7));
	CHECK(probe_db_code_has_changed(db, 7));
	CHECK(!probe_db_code_has_changed(db, 8));
	CHECK(!probe_db_code_watch(db, 7, note_pid, &pids, &had_it) && !had_it);
	CHECK(!probe_db_code_watch(db, 7, note_pid, &pids, &had_it) && had_it);
	probe_db_code_unwatch(db, 7);
	CHECK(!probe_db_code_watch(db, 7, note_pid, &pids, &had_it) && !had_it);
	CHECK_INT(pids, 14);
	probe_db_free(db);
}

TEST_MAIN
