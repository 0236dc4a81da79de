/* SPDX-License-Identifier: BSD-2-Clause */
/* host_test - names of hosts, by a file like /etc/hosts */
#include <stdio.h>
#include <unistd.h>

#include "output/internal.h"
#include "test.h"

static char path[] = "/tmp/hosts_test.XXXXXX";

static void hosts_write(const char *text)
{
	FILE *f = fdopen(mkstemp(path), "w");
	fputs(text, f);
	fclose(f);
}

TEST(addresses_have_the_first_name_of_their_line)
{
	hosts_write("# a comment 10.0.0.1 no\n127.0.0.1\tlocalhost loopback\n\n 10.0.0.1  db # "
		    "10.0.0.2\n"
		    "fe80:0::1 link\r\n::1 six\n10.0.0.3\n10.0.0.1 second");
	static const struct {
		const char *address, *name;
	} cases[] = {
		{ "127.0.0.1", "localhost" },
		{ "10.0.0.1", "db" },
		{ "fe80::1", "link" },
		{ "::1", "six" },
		{ "0:0:0:0:0:0:0:1", "six" },
		{ "10.0.0.2", NULL },
		{ "10.0.0.3", NULL },
		{ "db", NULL },
		{ "", NULL },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_free char *name = host_name(cases[i].address, path);
		CHECK_STR(name ? name : "none", cases[i].name ? cases[i].name : "none");
	}
	unlink(path);
	CHECK(!host_name("127.0.0.1", path));
}

TEST_MAIN
