/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/reader/listen.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/base.h"

#define BACKLOG 128

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

/* --- addresses ------------------------------------------------------------------------------- */

static bool port_read(const char *text, in_port_t *ret)
{
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	unsigned long port = strtoul(text, &end, 10);
	*ret = htons((in_port_t)port);
	return !*end && port > 0 && port <= 65535;
}

/* "[HOST]:PORT" */
static bool address_read_six(const char *text, union address *ret)
{
	const char *end = strstr(text, "]:");
	if (!end)
		return false;
	auto_free char *host = mem_strndup(text + 1, (size_t)(end - text - 1));
	ret->six.sin6_family = AF_INET6;
	return inet_pton(AF_INET6, host, &ret->six.sin6_addr) == 1 &&
	       port_read(end + 2, &ret->six.sin6_port);
}

static bool address_read(const char *text, union address *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (*text == '[')
		return address_read_six(text, ret);
	const char *colon = strrchr(text, ':');
	auto_free char *host = mem_strndup(text, colon ? (size_t)(colon - text) : 0);
	ret->four.sin_family = AF_INET;
	return inet_pton(AF_INET, colon ? host : "127.0.0.1", &ret->four.sin_addr) == 1 &&
	       port_read(colon ? colon + 1 : text, &ret->four.sin_port);
}

/* --- the socket ------------------------------------------------------------------------------ */

struct error *listener_open(struct listener *l, const char *text)
{
	union address address;
	if (l->is_open)
		return NULL;
	if (!address_read(text, &address))
		return error_new("-x listen=%s is no address: write PORT, ADDRESS:PORT or "
				 "[IPv6]:PORT, in numbers",
				 text);
	bool is_six = address.any.sa_family == AF_INET6;
	int on = 1;
	auto_close int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    (is_six && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on))) ||
	    bind(fd, &address.any, is_six ? sizeof(address.six) : sizeof(address.four)) ||
	    listen(fd, BACKLOG))
		return error_sys(errno, "cannot listen on %s", text);
	*l = (struct listener) { true, fd };
	fd = -1;
	return NULL;
}

void listener_close(struct listener *l)
{
	if (l->is_open)
		close(l->fd);
	l->is_open = false;
}

/* --- labels ---------------------------------------------------------------------------------- */

/* The length of the name that TEXT begins with, of letters, digits and underlines; 0: none. */
static size_t label_length(const char *text)
{
	size_t len = 0;
	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return isdigit((unsigned char)*text) ? 0 : len;
}

static bool label_is_reserved(const char *name, size_t len)
{
	static const char *const reserved[] = { "le", "other" };
	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (len == strlen(reserved[i]) && strncmp(name, reserved[i], len) == 0)
			return true;
	return strncmp(name, "__", 2) == 0;
}

const char *labels_mistake(const char *names)
{
	if (*names == '@') {
		names += 1 + label_length(names + 1);
		if (*names++ != '=')
			return "write LABEL,LABEL or @NAME=LABEL,LABEL";
	}
	for (;; names++) {
		size_t len = label_length(names);
		if (!len || (names[len] && names[len] != ','))
			return "a label is letters, digits and underlines, and begins with no "
			       "digit";
		if (label_is_reserved(names, len))
			return "le, other and names that begin with __ are reserved";
		names += len;
		if (!*names)
			return NULL;
	}
}
