/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * connects ADDRESS MADE REFUSED - connections of TCP to a port of its own at ADDRESS (IPv4)
 *
 * MADE times a client connects, sends 1000 bytes, gets 3000 and closes first; then the server's
 * socket is closed, and REFUSED times a client is refused.  The port is counted as "port".
 */
#include "trigger.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static struct sockaddr_in place;

/* A client at the same address, connected or not. */
static int client(int wanted)
{
	struct sockaddr_in from = place;
	from.sin_port = 0;
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0 || bind(s, (struct sockaddr *)&from, sizeof(from)) ||
	    connect(s, (struct sockaddr *)&place, sizeof(place)) != wanted)
		exit(1);
	return s;
}

static void transfer(int from, int to, size_t length)
{
	static char bytes[4096];
	if (send(from, bytes, length, 0) != (ssize_t)length ||
	    recv(to, bytes, length, MSG_WAITALL) != (ssize_t)length)
		exit(1);
}

static void make(int server)
{
	int near = client(0), far = accept(server, NULL, NULL);
	char byte;
	transfer(near, far, 1000);
	transfer(far, near, 3000);
	close(near);
	if (recv(far, &byte, 1, 0) != 0)
		exit(1);
	close(far);
}

int main(int argc, char **argv)
{
	socklen_t length = sizeof(place);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	place.sin_family = AF_INET;
	if (argc != 4 || inet_pton(AF_INET, argv[1], &place.sin_addr) != 1 ||
	    bind(server, (struct sockaddr *)&place, sizeof(place)) || listen(server, 8) ||
	    getsockname(server, (struct sockaddr *)&place, &length))
		return 1;
	trigger_count("port", ntohs(place.sin_port));
	trigger_wait();
	for (long i = 0; i < atol(argv[2]); i++)
		make(server);
	close(server);
	for (long i = 0; i < atol(argv[3]); i++)
		close(client(-1));
	return 0;
}
