/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host - names of hosts, for %I
 *
 * They are those of /etc/hosts: a question to a name server would be network traffic, which the
 * program may trace, and which may take seconds.
 */
#include <arpa/inet.h>
#include <string.h>

#include "base/file.h"
#include "output/internal.h"

#define HOSTS_SIZE_MAX (1u << 20)

struct address {
	int family; /* 0: the text is not an address */
	unsigned char bytes[sizeof(struct in6_addr)];
};

static struct address address_parse(const char *text)
{
	struct address a = { 0 };
	if (inet_pton(AF_INET, text, a.bytes) == 1)
		a.family = AF_INET;
	else if (inet_pton(AF_INET6, text, a.bytes) == 1)
		a.family = AF_INET6;
	return a;
}

char *host_name(const char *address, const char *file)
{
	const struct address wanted = address_parse(address);
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read(file, HOSTS_SIZE_MAX, &text);
	if (err || !wanted.family)
		return NULL;
	auto_free char *copy = mem_strdup(strbuf_text(&text));
	char *rest_of_file = copy, *line;
	while ((line = strsep(&rest_of_file, "\n"))) {
		char *rest_of_line;
		line[strcspn(line, "#")] = '\0';
		const char *field = strtok_r(line, " \t\r", &rest_of_line);
		const char *name = field ? strtok_r(NULL, " \t\r", &rest_of_line) : NULL;
		if (!name)
			continue;
		const struct address found = address_parse(field);
		if (memcmp(&found, &wanted, sizeof(found)) == 0)
			return mem_strdup(name);
	}
	return NULL;
}
