/* SPDX-License-Identifier: BSD-2-Clause */
/* top - aggregations on a terminal, again each second; see top/top.h */
#include "show/top/top.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "show/request.h"
#include "show/top/screen.h"
#include "show/value.h"

#define MESSAGES_FD 3 /* src/tracer/reader/terminal.h */
#define REFRESH_NS 1000000000ull
#define WAIT_MOST_MS 10000ull
#define DRAWS_APART_NS 50000000ull
#define LAST_TEXT_MOST (64u << 10) /* of END's records */

struct view *top_view(const struct top *t)
{
	return t->view < t->views.list.count ? t->views.list.items[t->view] : NULL;
}

void top_list_make(struct top *t)
{
	const struct view *v = top_view(t);
	if (!t->is_list_old)
		return;
	t->is_list_old = false;
	t->list.rows.count = 0;
	if (v && v->table)
		list_make(&t->list, v);
}

bool top_is_selected(const struct top *t, const struct row *row)
{
	return t->selected && t->selected_len == row->key_len &&
	       memcmp(t->selected, row->key, row->key_len) == 0;
}

/* The pipe, if dtrace has given one; -1: it has not. */
static int messages_open(void)
{
	struct stat file;
	if (!request_is_possible(STDIN_FILENO) || fstat(MESSAGES_FD, &file) ||
	    !S_ISFIFO(file.st_mode))
		return -1;
	fcntl(MESSAGES_FD, F_SETFL, O_NONBLOCK);
	return MESSAGES_FD;
}

static void begin(struct show *s)
{
	struct top *t = mem_zalloc(sizeof(*t));
	s->state = t;
	t->show = s;
	t->list.sort = SIZE_MAX;
	t->is_old = true;
	t->keys_fd = STDOUT_FILENO;
	t->messages_fd = messages_open();
	t->problem = screen_open();
}

/* --- lines ----------------------------------------------------------------------------------- */

/* What ITEM of a record's data prints; printa() with a format has its rows. */
static void item_lines(struct top *t, struct json_object *item, struct strbuf *ret)
{
	const char *action = value_word(value_member(item, "action"));
	struct json_object *text = value_member(item, "text");
	if (string_equal(action, "printa")) {
		strbuf_add(ret, strbuf_text(&t->rows_text), t->rows_text.len);
		strbuf_clear(&t->rows_text);
	} else if (json_object_is_type(text, json_type_string)) {
		strbuf_add(ret, json_object_get_string(text),
			   (size_t)json_object_get_string_len(text));
	} else {
		item_text(item, ret);
		if (ret->len && ret->text[ret->len - 1] != '\n')
			strbuf_putc(ret, '\n');
	}
}

static void record_text(struct top *t, struct json_object *record)
{
	auto_strbuf struct strbuf text = { 0 };
	struct json_object *data = value_member(record, "data");
	for (size_t i = 0; i < value_count(data); i++)
		item_lines(t, json_object_array_get_idx(data, i), &text);
	strbuf_clear(&t->rows_text);
	if (!text.len)
		return;
	lines_add(&t->text, strbuf_text(&text), text.len);
	t->is_old = true;
	const char *name = value_word(value_member(value_member(record, "probe"), "name"));
	if (string_equal(name, "END"))
		strbuf_add(&t->last_text, strbuf_text(&text),
			   MIN(text.len, LAST_TEXT_MOST - t->last_text.len));
}

/* A row of printa() with a format. */
static void row_text_add(struct top *t, struct json_object *line)
{
	struct json_object *text = value_member(line, "text");
	bool is_full = t->rows_text.len >= LAST_TEXT_MOST;
	if (is_full && !t->rows_are_cut)
		strbuf_puts(&t->rows_text, "[further rows are left out]\n");
	t->rows_are_cut = is_full;
	if (json_object_is_type(text, json_type_string) && !is_full)
		strbuf_add(&t->rows_text, json_object_get_string(text),
			   (size_t)json_object_get_string_len(text));
}

/* Losses and faults. */
static void message_add(struct top *t, struct json_object *line)
{
	auto_strbuf struct strbuf text = { 0 };
	struct json_object *said = value_member(line, "text");
	value_text(said ? said : value_member(value_member(line, "fault"), "text"), &text);
	strbuf_putc(&text, '\n');
	lines_add(&t->messages, strbuf_text(&text), text.len);
	t->is_old = true;
}

/* What a clause prints is what its author wants to be seen: snapshots do not have it any more. */
static unsigned view_rank(const struct view *v)
{
	bool has_rows = v->table && v->table->rows.count;
	return has_rows && v->clause ? 3 : has_rows ? 2 : v->table ? 1 : 0;
}

/* The first one of the highest rank, until a key chooses another; the text if there is none. */
static void view_choose(struct top *t)
{
	unsigned best = 0;
	for (size_t i = 0; i < t->views.list.count && !t->has_chosen; i++) {
		unsigned rank = view_rank(t->views.list.items[i]);
		if (rank > best) {
			best = rank;
			t->view = i;
		}
	}
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	struct top *t = s->state;
	size_t views = t->views.list.count;
	views_line(&t->views, s, type, line);
	if (string_equal(type, "record"))
		record_text(t, line);
	else if (string_equal(type, "aggregation"))
		row_text_add(t, line);
	else if (string_equal(type, "drop") || string_equal(type, "error"))
		message_add(t, line);
	if (t->view >= views) /* the text stays the last one */
		t->view += t->views.list.count - views;
	if (t->views.has_changed) {
		t->views.has_changed = false;
		t->is_old = t->is_list_old = true;
		view_choose(t);
	}
}

/* --- the loop -------------------------------------------------------------------------------- */

/* False: there are none now. */
static bool messages_read(struct top *t)
{
	char text[4096];
	ssize_t got = read(t->messages_fd, text, sizeof(text));
	if (got > 0)
		lines_add(&t->messages, text, (size_t)got);
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		t->messages_fd = -1;
	t->is_old = true;
	return got > 0;
}

static void keys_read(struct top *t)
{
	for (int key; (key = screen_key()) != KEY_NOT;) {
		top_list_make(t);
		top_key(t, key);
		t->is_old = t->is_list_old = true;
	}
}

/* Requests and the screen, as far as they are due; the result is when more is. */
static uint64_t work_do(struct top *t)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (now >= t->next_refresh) {
		t->next_refresh = now + REFRESH_NS;
		t->is_old = true; /* its clock */
		if (!t->is_paused)
			request_snapshot(t->stream);
	}
	if (!t->is_old)
		return t->next_refresh;
	if (now < t->next_draw)
		return t->next_draw;
	t->next_draw = now + DRAWS_APART_NS;
	page_draw(t);
	return t->next_refresh;
}

/* Wait for input, or until UNTIL.  Is there more of STREAM (-1: never)? */
static bool input_wait(struct top *t, int stream, uint64_t until)
{
	struct pollfd list[] = { { .fd = stream, .events = POLLIN },
				 { .fd = t->keys_fd, .events = POLLIN },
				 { .fd = t->messages_fd, .events = POLLIN } };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int timeout = until > now ? (int)MIN((until - now) / 1000000 + 1, WAIT_MOST_MS) : 0;
	if (poll(list, ARRAY_SIZE(list), timeout) <= 0)
		return false;
	if (list[2].revents)
		messages_read(t);
	if (list[1].revents & (POLLHUP | POLLERR | POLLNVAL)) /* the terminal is gone */
		t->keys_fd = -1;
	return list[0].revents != 0;
}

static void wait(struct show *s, int fd)
{
	struct top *t = s->state;
	t->stream = fd;
	if (t->problem) { /* the end of the stream is its message */
		request_end(fd);
		return;
	}
	do
		keys_read(t);
	while (!input_wait(t, fd, work_do(t)));
}

/* --- the end --------------------------------------------------------------------------------- */

/* A saved run is looked at until a key ends that. */
static void saved_look(struct top *t)
{
	t->next_refresh = UINT64_MAX;
	while (!t->is_ending && t->keys_fd >= 0) {
		input_wait(t, -1, work_do(t));
		keys_read(t);
	}
}

/* What the command and dtrace wrote, then what END printed. */
static void last_print(struct top *t, FILE *out)
{
	auto_strbuf struct strbuf text = { 0 };
	if (lines_first(&t->messages))
		strbuf_printf(&text, "[%" PRIu64 " lines before are not kept]\n",
			      lines_first(&t->messages));
	for (uint64_t i = lines_first(&t->messages); i < t->messages.count; i++)
		strbuf_printf(&text, "%s\n", lines_at(&t->messages, i));
	if (t->messages.open.len)
		strbuf_printf(&text, "%s\n", strbuf_text(&t->messages.open));
	message_listing(stderr, strbuf_text(&text));
	if (t->last_text.len && t->last_text.text[t->last_text.len - 1] != '\n')
		strbuf_putc(&t->last_text, '\n');
	message_listing(out, strbuf_text(&t->last_text));
}

static void top_free(struct top *t)
{
	views_deinit(&t->views);
	lines_deinit(&t->text);
	lines_deinit(&t->messages);
	list_deinit(&t->list);
	strbuf_deinit(&t->rows_text);
	strbuf_deinit(&t->last_text);
	free(t->selected);
	free(t);
}

static struct error *end(struct show *s, FILE *out)
{
	struct top *t = s->state;
	struct error *err = t->problem;
	if (!err) {
		views_end(&t->views);
		view_choose(t);
		t->is_old = t->is_list_old = true;
		if (!request_is_possible(t->stream))
			saved_look(t);
		screen_close();
		while (t->messages_fd >= 0 && messages_read(t))
			continue;
		last_print(t, out);
	}
	top_free(t);
	return err;
}

const struct form form = { .name = "top", .begin = begin, .line = line, .end = end, .wait = wait };
