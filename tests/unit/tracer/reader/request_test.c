/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/reader/reader.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

#define SNAPSHOT "{\"request\":\"snapshot\"}\n"
#define END "{\"request\":\"end\"}\n"

/* A reader whose end of the socket is *THEIRS. */
static struct reader connected(int *theirs)
{
	int pair[2] = { -1, -1 };
	CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	*theirs = pair[1];
	return (struct reader) { .pid = 1, .stream = pair[0], .document = -1 };
}

static void sends(int fd, const void *bytes, size_t len)
{
	CHECK_INT(send(fd, bytes, len, MSG_DONTWAIT), len);
}

static unsigned requests_of(struct reader *r)
{
	unsigned ret;
	auto_error struct error *err = reader_requests(r, &ret);
	CHECK(!err);
	return ret;
}

TEST(nothing_was_requested)
{
	auto_close int theirs;
	struct reader r = connected(&theirs);
	CHECK_INT(requests_of(&r), 0);
	close(r.stream);
}

TEST(each_request)
{
	auto_close int theirs;
	struct reader r = connected(&theirs);
	sends(theirs, SNAPSHOT, strlen(SNAPSHOT));
	CHECK_INT(requests_of(&r), REQUEST_SNAPSHOT);
	sends(theirs, END, strlen(END));
	CHECK_INT(requests_of(&r), REQUEST_END);
	sends(theirs, SNAPSHOT END SNAPSHOT, strlen(SNAPSHOT END SNAPSHOT));
	CHECK_INT(requests_of(&r), REQUEST_SNAPSHOT | REQUEST_END);
	CHECK_INT(requests_of(&r), 0);
	close(r.stream);
}

TEST(byte_by_byte)
{
	auto_close int theirs;
	struct reader r = connected(&theirs);
	for (const char *c = SNAPSHOT END; *c; c++) {
		sends(theirs, c, 1);
		unsigned wanted = *c != '\n' ? 0 : c[1] ? REQUEST_SNAPSHOT : REQUEST_END;
		CHECK_INT(requests_of(&r), wanted);
	}
	close(r.stream);
}

TEST(more_than_the_buffer)
{
	auto_close int theirs;
	struct reader r = connected(&theirs);
	auto_strbuf struct strbuf lines = { 0 };
	for (int i = 0; i < 1000; i++)
		strbuf_puts(&lines, SNAPSHOT);
	strbuf_puts(&lines, END);
	sends(theirs, lines.text, lines.len);
	size_t calls = 1, most = lines.len / sizeof(r.received);
	while (!(requests_of(&r) & REQUEST_END) && calls <= most)
		calls++;
	CHECK(calls >= most / REQUEST_READS);
	CHECK(calls <= most);
	close(r.stream);
}

static void refused(const void *bytes, size_t len)
{
	auto_close int theirs;
	struct reader r = connected(&theirs);
	unsigned ret;
	sends(theirs, bytes, len);
	auto_error struct error *err = reader_requests(&r, &ret);
	CHECK(err != NULL);
	CHECK(err && strstr(error_text(err), "not a request"));
	CHECK_INT(error_errno(err), 0);
	close(r.stream);
}

TEST(all_else_is_refused)
{
	static const char *const lines[] = {
		"\n",
		"x",
		"{}\n",
		" " SNAPSHOT,
		"{\"request\":\"snapshot\"}\r\n",
		"{\"request\":\"snapshots\"}\n",
		"{\"request\":\"end\",\"more\":1}\n",
		"{\"request\": \"end\"}\n",
		"{\"request\":\"clear\"}\n",
		SNAPSHOT "{\"request\":\"END\"}\n",
		"{\"request\":\"en\n",
	};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		refused(lines[i], strlen(lines[i]));
	refused("", 1);
	refused("{\"request\":\"end\"}\0", strlen(END));
	char many[4096];
	memset(many, '{', sizeof(many));
	refused(many, sizeof(many));
}

TEST(random_bytes_are_refused)
{
	srand(1);
	for (int run = 0; run < 1000; run++) {
		char bytes[200];
		size_t begin = (size_t)rand() % 24;
		memcpy(bytes, SNAPSHOT, strlen(SNAPSHOT));
		for (size_t i = begin; i < sizeof(bytes); i++)
			bytes[i] = (char)(rand() | 0x80); /* no byte of a request */
		refused(bytes, sizeof(bytes));
	}
}

TEST(the_reader_is_gone)
{
	int theirs;
	struct reader r = connected(&theirs);
	unsigned ret;
	sends(theirs, SNAPSHOT "{\"requ", strlen(SNAPSHOT) + 6);
	close(theirs);
	auto_error struct error *err = reader_requests(&r, &ret);
	CHECK_INT(error_errno(err), EPIPE);
	close(r.stream);
}

TEST(the_reader_has_left_lines)
{
	int theirs;
	struct reader r = connected(&theirs);
	unsigned ret;
	sends(r.stream, "{}\n", 3);
	close(theirs);
	auto_error struct error *err = reader_requests(&r, &ret);
	CHECK_INT(error_errno(err), ECONNRESET);
	close(r.stream);
}

TEST_MAIN
