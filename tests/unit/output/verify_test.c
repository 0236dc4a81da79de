/* SPDX-License-Identifier: BSD-2-Clause */
/* output_verify() finds output that is not as output.h says. */
#include <errno.h>

#include "output/capture.h"
#include "output/internal.h"
#include "output/json/json.h"

static const struct {
	const char *line;
	bool is_one;
} lines[] = {
	{ "{}\n", true },
	{ "{\"a\":1,\"b\":[-1.5e+3,true,null,\"\\u00e9\\\"\"],\"c\":{\"d\":[]}}\n", true },
	{ "{}", false },
	{ "", false },
	{ "[1]\n", false },
	{ "{\"a\":1}\n\n", false },
	{ "{\"a\":1\n", false },
	{ "{\"a\" 1}\n", false },
	{ "{\"a\":}\n", false },
	{ "{\"a\":1,}\n", false },
	{ "{a:1}\n", false },
	{ "{\"a\":01}\n", false },
	{ "{\"a\":1.}\n", false },
	{ "{\"a\":\"\x1b\"}\n", false },
	{ "{\"a\":\"\\x\"}\n", false },
	{ "{\"a\":\"x}\n", false },
	{ "{\"a\":tru}\n", false },
	{ "{\"a\":[1}\n", false },
};

TEST(lines_of_json)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (json_is_line(lines[i].line, strlen(lines[i].line)) != lines[i].is_one)
			printf("line %zu\n", i);
		CHECK(json_is_line(lines[i].line, strlen(lines[i].line)) == lines[i].is_one);
	}
}

static void finds(struct output *o, const char *what)
{
	auto_error struct error *err = output_verify(o);
	CHECK_STR(err ? error_text(err) : "nothing", what);
}

TEST(errors_of_writing)
{
	const struct program none = { 0 };
	struct capture c = capture_new(&none, NULL, (struct output_options) { 0 });
	struct output *o = c.output;
	writer_puts(&o->file, "abc");
	error_free(output_flush(o));
	finds(o, "nothing");
	writer_stop(&o->file, ENOSPC);
	writer_puts(&o->file, "def");
	error_free(output_flush(o));
	CHECK_INT(o->file.lost, 3);
	finds(o, "nothing");
	o->file.written++;
	finds(o, "output was written after an error");
	o->file.errnum = 0;
	finds(o, "output was lost without an error");
	o->messages_too_soon = 1;
	finds(o, "1 messages came before output that precedes them");
	o->lines_not_json = 2;
	finds(o, "2 lines are not JSON");
	o->messages_too_soon = o->lines_not_json = o->file.lost = 0;
	o->file.written = 0;
	capture_free(&c);
}

TEST_MAIN
