/* SPDX-License-Identifier: BSD-2-Clause */
/* command_test - freopen(), ftruncate(), system() and setopt() in their place among records */
#include <fcntl.h>
#include <sys/resource.h>

#include "base/open_files.h"
#include "output/capture.h"
#include "test.h"

static char path[] = "/tmp/dtrace-command-test-XXXXXX";
static const struct value_field name = { VALUE_STRING, .offset = 24 };
static const struct value_field option[] = {
	{ VALUE_STRING_CONST, .text = "bufsize" },
	{ VALUE_STRING_CONST, .text = "4m" },
};

#define ACTION(k, f, list, n)                                                                      \
	{                                                                                          \
		.kind = ACTION_##k, .flag = -1, .format = (f), .fields = (list),                   \
		.field_count = (n)                                                                 \
	}
static const struct action_layout actions[] = {
	ACTION(FREOPEN, "%s", &name, 1),   ACTION(FTRUNCATE, NULL, NULL, 0),
	ACTION(SYSTEM, "%s", &name, 1),	   ACTION(SETOPT, NULL, option, 2),
	ACTION(PRINTF, "text\n", NULL, 0),
};
#define CLAUSE(i)                                                                                  \
	{                                                                                          \
		.epid = 1, .records = true, .fixed_size = 32, .actions = &actions[i],              \
		.action_count = 1                                                                  \
	}
enum { FREOPEN, FTRUNCATE, SYSTEM, SETOPT, PRINT };
static const struct clause_layout clauses[] = { CLAUSE(0), CLAUSE(1), CLAUSE(2), CLAUSE(3),
						CLAUSE(4) };
static const struct program program = {
	.clauses = clauses, .clause_count = 5, .area_count = 1, .cpu_count = 1
};

static void run(struct capture *c, uint32_t clause, const char *text)
{
	struct {
		struct record_header header;
		struct record_ref ref;
		char text[64];
	} r = { { .clause = clause, .probe = 1 }, { 32, (uint32_t)strlen(text) }, "" };
	strcpy(r.text, text);
	capture_record(c, 0, &r, sizeof(r));
}

static const char *file_text(void)
{
	static char text[64];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	close(fd);
	return text;
}

TEST(output_moves_and_comes_back)
{
	close(mkstemp(path));
	fake_reset();
	struct capture c = capture_new(&program, NULL, (struct output_options) { .quiet = true });
	run(&c, PRINT, "");
	run(&c, FREOPEN, path);
	run(&c, PRINT, "");
	run(&c, PRINT, "");
	run(&c, SYSTEM, "exit 0");
	CHECK_STR(file_text(), "text\ntext\n");
	run(&c, FTRUNCATE, "");
	run(&c, PRINT, "");
	run(&c, FREOPEN, "");
	run(&c, PRINT, "");
	CHECK_STR(file_text(), "text\n");
	CHECK_STR(capture_text(&c), "text\ntext\n");
	run(&c, FREOPEN, "/nowhere/x");
	CHECK_STR(capture_messages(&c),
		  "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): couldn't freopen() "
		  "\"/nowhere/x\": No such file or directory\n");
	run(&c, SETOPT, "");
	CHECK_STR(capture_messages(&c),
		  "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): couldn't set option "
		  "\"bufsize\" to \"4m\": it cannot be changed\n");
	capture_free(&c);
	unlink(path);
}

TEST(system_does_not_inherit_the_limit_that_we_raised)
{
	struct rlimit before, now;
	CHECK_INT(getrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit) { 64, before.rlim_max }), 0);
	CHECK(open_files_allow(100));
	strcpy(path + strlen(path) - 6, "XXXXXX");
	close(mkstemp(path));
	fake_reset();
	struct capture c = capture_new(&program, NULL, (struct output_options) { .quiet = true });
	auto_free char *command = mem_printf("ulimit -n >%s", path);
	run(&c, SYSTEM, command);
	CHECK_STR(file_text(), "64\n");
	getrlimit(RLIMIT_NOFILE, &now);
	CHECK_INT(now.rlim_cur, 100);
	capture_free(&c);
	unlink(path);
	setrlimit(RLIMIT_NOFILE, &before);
}

TEST_MAIN
