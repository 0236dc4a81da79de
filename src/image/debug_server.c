/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug_server - debug files from the servers that DEBUGINFOD_URLS names, by libdebuginfod
 *
 * The library, with the HTTP client that it needs, is loaded at the first request of a file, and
 * only if the variable is set.  It keeps what it gets in the user's cache, also that a server has
 * nothing. A second interrupt of the user (or a signal to end at once) ends a transfer.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "image/image_internal.h"

#define LIBRARY "libdebuginfod.so.1"

/* As in elfutils/debuginfod.h (0.178 and later). */
typedef void *begin_fn(void);
typedef int find_fn(void *client, const unsigned char *build_id, int length, char **path);
typedef int progress_fn(void *client, long a, long b);
typedef void set_progress_fn(void *client, progress_fn *progress);
typedef void set_data_fn(void *client, void *data);
typedef void *get_data_fn(void *client);
typedef void end_fn(void *client);

struct debug_server {
	void *library, *client; /* NULL: there is none, or none is wanted */
	find_fn *find;
	end_fn *end;
	const volatile sig_atomic_t *interrupts;
};

/* The library's: its callback is given the client only. */
static get_data_fn *data_of;

static int is_interrupted(void *client, long a, long b)
{
	const struct debug_server *s = data_of(client);
	return s->interrupts && *s->interrupts >= 2;
}

/* RET: a pointer to a function, which C does not convert from dlsym()'s. */
static bool library_function(const struct debug_server *s, const char *name, void *ret)
{
	void *found = dlsym(s->library, name);
	memcpy(ret, &found, sizeof(found));
	return found != NULL;
}

static bool open_client(struct debug_server *s)
{
	begin_fn *begin;
	set_data_fn *set_data;
	set_progress_fn *set_progress;
	if (!library_function(s, "debuginfod_begin", &begin) ||
	    !library_function(s, "debuginfod_end", &s->end) ||
	    !library_function(s, "debuginfod_find_debuginfo", &s->find) ||
	    !library_function(s, "debuginfod_set_user_data", &set_data) ||
	    !library_function(s, "debuginfod_get_user_data", &data_of) ||
	    !library_function(s, "debuginfod_set_progressfn", &set_progress))
		return false;
	s->client = begin();
	if (!s->client)
		return false;
	set_data(s->client, s);
	set_progress(s->client, is_interrupted);
	return true;
}

struct debug_server *debug_server_new(const volatile sig_atomic_t *interrupts)
{
	struct debug_server *s = mem_zalloc(sizeof(*s));
	const char *urls = getenv("DEBUGINFOD_URLS");
	s->interrupts = interrupts;
	if (!urls || !*urls)
		return s;
	s->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!s->library || !open_client(s))
		message("warning: no debug files from DEBUGINFOD_URLS: %s cannot be used", LIBRARY);
	return s;
}

void debug_server_free(struct debug_server *s)
{
	if (!s)
		return;
	if (s->client)
		s->end(s->client);
	if (s->library)
		dlclose(s->library);
	free(s);
}

int debug_server_fetch(struct debug_server *s, struct bytes build_id)
{
	if (!s->client || !build_id.size)
		return -1;
	return s->find(s->client, build_id.data, (int)build_id.size, NULL);
}
