/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/request.h"

#include <string.h>
#include <sys/socket.h>

bool request_is_possible(int stream)
{
	int type;
	socklen_t len = sizeof(type);
	return getsockopt(stream, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
}

/* The socket has room for many: a line is sent whole or, if dtrace reads none, not at all. */
static bool request_send(int stream, const char *line)
{
	size_t len = strlen(line);
	return send(stream, line, len, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len;
}

bool request_snapshot(int stream)
{
	return request_send(stream, "{\"request\":\"snapshot\"}\n");
}

bool request_end(int stream)
{
	return request_send(stream, "{\"request\":\"end\"}\n");
}
