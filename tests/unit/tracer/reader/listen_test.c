/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/reader/listen.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

#include "base/base.h"
#include "test.h"

/* A port that was free a moment ago. */
static in_port_t port_free(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	auto_close int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	CHECK_INT(bind(fd, (struct sockaddr *)&address, len), 0);
	CHECK_INT(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	return ntohs(address.sin_port);
}

static bool refuses(const char *address)
{
	struct listener l = { 0 };
	auto_error struct error *err = listener_open(&l, address);
	listener_close(&l);
	return err && strstr(error_text(err), "is no address");
}

TEST(port_alone_is_of_loopback)
{
	struct listener l = { 0 };
	struct sockaddr_in address;
	socklen_t len = sizeof(address);
	in_port_t port = port_free();
	auto_free char *text = mem_printf("%u", port);
	CHECK(!listener_open(&l, text));
	CHECK_INT(getsockname(l.fd, (struct sockaddr *)&address, &len), 0);
	CHECK_INT(ntohl(address.sin_addr.s_addr), INADDR_LOOPBACK);
	CHECK_INT(ntohs(address.sin_port), port);
	int fd = l.fd;
	CHECK(!listener_open(&l, "no address, but it is open"));
	CHECK_INT(l.fd, fd);
	listener_close(&l);
	CHECK(!l.is_open);
}

TEST(address_is_in_numbers)
{
	static const char *const wrong[] = {
		"",
		"0",
		"65536",
		"80x",
		"-1",
		":80",
		"localhost:80",
		"1.2.3:80",
		"1.2.3.4:",
		"1.2.3.4:0",
		"[::1]",
		"[::1:80",
		"::1:80",
		"[1.2.3.4]:80",
		"[]:80",
		"[::1]:",
		"[::g]:80",
		"1.2.3.4:80 ",
	};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK(refuses(wrong[i]));
}

TEST(labels_are_names)
{
	static const char *const right[] = { "a", "comm,call", "@n=a,b", "@=a", "_x9,B" };
	static const char *const wrong[] = { "",	",",   "a,", "a,,b", "9a",   "a-b", "le",
					     "a,other", "__x", "@n", "@n=",  "@n,a", "a=b", "a b" };
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		CHECK(!labels_mistake(right[i]));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK(labels_mistake(wrong[i]) != NULL);
}

TEST_MAIN
