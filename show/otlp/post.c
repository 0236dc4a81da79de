/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/otlp/post.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <json-c/json.h>
#include <string.h>

#include "base/clock.h"
#include "show/value.h"

#define ANSWER_MOST 4096 /* bytes of an answer that are read */
#define RETRY_LEAST_NS 1000000000ull

#undef curl_easy_setopt /* macros, which check types */
#undef curl_easy_getinfo
#undef curl_multi_setopt

/* clang-format off */
#define FUNCTIONS(F)                                                                               \
	F(curl_easy_init) F(curl_easy_cleanup) F(curl_easy_setopt) F(curl_easy_getinfo)            \
	F(curl_easy_strerror) F(curl_slist_append) F(curl_slist_free_all) F(curl_multi_init)       \
	F(curl_multi_cleanup) F(curl_multi_add_handle) F(curl_multi_remove_handle)                 \
	F(curl_multi_perform) F(curl_multi_poll) F(curl_multi_info_read)
/* clang-format on */

struct curl_functions {
	void *library;
#define FUNCTION(name) __typeof__(&name) name;
	FUNCTIONS(FUNCTION)
#undef FUNCTION
};

struct batch {
	char *body;
	size_t len;
};

struct post {
	struct curl_functions f;
	CURLM *multi;
	CURL *easy;
	struct curl_slist *headers;
	char error[CURL_ERROR_SIZE];
	VECTOR(struct batch) queue; /* the first is being sent, if is_sending */
	bool is_sending;
	struct strbuf answer;
	uint64_t next, apart; /* not before, ns of CLOCK_MONOTONIC; the last wait */
	uint64_t lost, rejected;
	char *problem;
};

/* --- the library ----------------------------------------------------------------------------- */

static bool curl_load(struct curl_functions *f)
{
	static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
	for (size_t i = 0; i < ARRAY_SIZE(names) && !f->library; i++)
		f->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!f->library)
		return false;
	void *found;
#define FUNCTION(name)                                                                             \
	found = dlsym(f->library, #name);                                                          \
	if (!found)                                                                                \
		return false;                                                                      \
	memcpy(&f->name, &found, sizeof(found));
	FUNCTIONS(FUNCTION)
#undef FUNCTION
	return true;
}

static size_t answer_take(char *text, size_t size, size_t count, void *arg)
{
	struct post *p = arg;
	size_t room = ANSWER_MOST - MIN(p->answer.len, (size_t)ANSWER_MOST);
	strbuf_add(&p->answer, text, MIN(size * count, room));
	return size * count;
}

static bool transfer_make(struct post *p, const char *endpoint)
{
	struct curl_functions *f = &p->f;
	p->multi = f->curl_multi_init();
	p->easy = f->curl_easy_init();
	p->headers = f->curl_slist_append(NULL, "Content-Type: application/json");
	if (!p->multi || !p->easy || !p->headers)
		return false;
	f->curl_easy_setopt(p->easy, CURLOPT_ERRORBUFFER, p->error);
	f->curl_easy_setopt(p->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	f->curl_easy_setopt(p->easy, CURLOPT_HTTPHEADER, p->headers);
	f->curl_easy_setopt(p->easy, CURLOPT_TIMEOUT, (long)POST_SECONDS);
	f->curl_easy_setopt(p->easy, CURLOPT_NOSIGNAL, 1L);
	f->curl_easy_setopt(p->easy, CURLOPT_WRITEFUNCTION, answer_take);
	f->curl_easy_setopt(p->easy, CURLOPT_WRITEDATA, p);
	f->curl_easy_setopt(p->easy, CURLOPT_USERAGENT, "dtrace");
	return f->curl_easy_setopt(p->easy, CURLOPT_URL, endpoint) == CURLE_OK;
}

struct error *post_new(const char *endpoint, struct post **ret)
{
	struct post *p = mem_zalloc(sizeof(*p));
	if (!curl_load(&p->f)) {
		free(p);
		return error_new("-x endpoint needs libcurl.so.4 (package libcurl4)");
	}
	if (!transfer_make(p, endpoint)) {
		post_free(p);
		return error_new("libcurl cannot be used");
	}
	*ret = p;
	return NULL;
}

/* --- the queue ------------------------------------------------------------------------------- */

static void batch_remove(struct post *p, size_t at)
{
	free(p->queue.items[at].body);
	p->queue.count--;
	memmove(&p->queue.items[at], &p->queue.items[at + 1],
		(p->queue.count - at) * sizeof(p->queue.items[0]));
}

void post_add(struct post *p, const char *body, size_t len)
{
	if (p->queue.count == BATCHES_MOST) {
		p->lost++;
		batch_remove(p, p->is_sending); /* libcurl has the first one */
	}
	vector_push(&p->queue, (struct batch) { mem_strndup(body, len), len });
}

void post_free(struct post *p)
{
	if (!p)
		return;
	if (p->is_sending)
		p->f.curl_multi_remove_handle(p->multi, p->easy);
	if (p->easy)
		p->f.curl_easy_cleanup(p->easy);
	if (p->multi)
		p->f.curl_multi_cleanup(p->multi);
	p->f.curl_slist_free_all(p->headers);
	while (p->queue.count)
		batch_remove(p, p->queue.count - 1);
	vector_free(&p->queue);
	strbuf_deinit(&p->answer);
	free(p->problem);
	free(p); /* the library stays: it may have begun what ends with the process */
}

/* --- one transfer ---------------------------------------------------------------------------- */

static void transfer_begin(struct post *p)
{
	const struct batch *b = &p->queue.items[0];
	strbuf_clear(&p->answer);
	p->error[0] = '\0';
	p->f.curl_easy_setopt(p->easy, CURLOPT_POSTFIELDS, b->body);
	p->f.curl_easy_setopt(p->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)b->len);
	p->is_sending = p->f.curl_multi_add_handle(p->multi, p->easy) == CURLM_OK;
}

static void problem_set(struct post *p, char *text)
{
	free(p->problem);
	p->problem = text;
}

/* The first body again, after a while. */
static void transfer_repeat(struct post *p)
{
	curl_off_t seconds = 0;
	p->f.curl_easy_getinfo(p->easy, CURLINFO_RETRY_AFTER, &seconds);
	p->apart = p->apart ? MIN(2 * p->apart, RETRY_MOST_NS) : RETRY_LEAST_NS;
	uint64_t wanted = seconds > 0 ? MIN((uint64_t)seconds * 1000000000, 10 * RETRY_MOST_NS) : 0;
	p->next = clock_ns(CLOCK_MONOTONIC) + MAX(p->apart, wanted);
}

/* What a good answer says of points that were not good; garbage says nothing. */
static void answer_read(struct post *p)
{
	struct json_object *answer = json_tokener_parse(strbuf_text(&p->answer));
	struct json_object *partial = value_member(answer, "partialSuccess");
	uint64_t rejected = member_unsigned(partial, "rejectedDataPoints");
	if (rejected) {
		auto_strbuf struct strbuf why = { 0 };
		value_text(value_member(partial, "errorMessage"), &why);
		count_add(&p->rejected, rejected);
		problem_set(p, mem_printf("it has refused points: %s", strbuf_text(&why)));
	}
	json_object_put(answer);
}

static bool status_is_temporary(long status)
{
	return status == 429 || (status >= 502 && status <= 504);
}

static void transfer_end(struct post *p, CURLcode result)
{
	long status = 0;
	p->f.curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &status);
	p->f.curl_multi_remove_handle(p->multi, p->easy);
	p->is_sending = false;
	if (result != CURLE_OK)
		problem_set(p,
			    mem_strdup(p->error[0] ? p->error : p->f.curl_easy_strerror(result)));
	else if (status < 200 || status >= 300)
		problem_set(p, mem_printf("it answers %ld", status));
	if (result != CURLE_OK || status_is_temporary(status)) {
		transfer_repeat(p);
		return;
	}
	p->next = p->apart = 0;
	if (status >= 200 && status < 300)
		answer_read(p);
	else
		p->lost++;
	batch_remove(p, 0);
}

/* As far as it goes now; the result is how long nothing more is to be done, in ms. */
static int transfer_step(struct post *p)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int left;
	if (!p->is_sending && p->queue.count && now >= p->next)
		transfer_begin(p);
	p->f.curl_multi_perform(p->multi, &left);
	for (CURLMsg *m; (m = p->f.curl_multi_info_read(p->multi, &left));)
		if (m->msg == CURLMSG_DONE) {
			transfer_end(p, m->data.result);
			return 0;
		}
	if (!p->is_sending && p->queue.count)
		return p->next > now ? (int)((p->next - now) / 1000000) + 1 : 0;
	return 1000000;
}

/* --- the loop -------------------------------------------------------------------------------- */

bool post_wait(struct post *p, int fd, int timeout)
{
	struct curl_waitfd extra = { .fd = fd, .events = CURL_WAIT_POLLIN };
	int most = transfer_step(p);
	p->f.curl_multi_poll(p->multi, &extra, 1, MIN(most, timeout), NULL);
	return extra.revents != 0;
}

void post_drain(struct post *p, int timeout)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), end = now + (uint64_t)timeout * 1000000;
	for (; p->queue.count && now < end; now = clock_ns(CLOCK_MONOTONIC)) {
		int most = (int)((end - now) / 1000000) + 1, step = transfer_step(p);
		p->f.curl_multi_poll(p->multi, NULL, 0, MIN(step, most), NULL);
	}
	p->lost += p->queue.count;
}

uint64_t post_lost(const struct post *p)
{
	return p->lost;
}

uint64_t post_rejected(const struct post *p)
{
	return p->rejected;
}

const char *post_problem(const struct post *p)
{
	return p->problem;
}
