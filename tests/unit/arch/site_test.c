/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/site.h"

#include <elf.h>

#include "test.h"

static void check_call(const struct arch_sites *sites, const char *code, size_t size, uint64_t at,
		       uint32_t type, const char *cleared, bool is_tail)
{
	unsigned char bytes[16];
	memcpy(bytes, code, size);
	const struct bytes b = bytes_of(bytes, size);
	struct site_call call;
	CHECK(sites->find(&b, at, type, &call));
	CHECK(call.is_tail == is_tail);
	sites->clear(bytes, &call);
	CHECK(memcmp(bytes, cleared, size) == 0);
	CHECK(!sites->find(&b, at, type, &call)); /* it is none any more */
}

TEST(x86_64)
{
	const struct arch_sites *s = &sites_x86_64;
	check_call(s, "\x55\xe8\0\0\0\0\xc3", 7, 2, R_X86_64_PLT32, "\x55\x90\x90\x90\x90\x90\xc3",
		   false);
	check_call(s, "\x55\xe9\0\0\0\0", 6, 2, R_X86_64_PC32, "\x55\xc3\x90\x90\x90\x90", true);
	check_call(s, "\xff\x15\0\0\0\0", 6, 2, R_X86_64_GOTPCRELX, "\x90\x90\x90\x90\x90\x90",
		   false);
	check_call(s, "\xff\x25\0\0\0\0", 6, 2, R_X86_64_GOTPCREL, "\xc3\x90\x90\x90\x90\x90",
		   true);
}

TEST(x86_64_no_call)
{
	struct site_call call;
	const struct bytes lea = bytes_of("\x48\x8d\x05\0\0\0\0", 7);
	const struct bytes short_call = bytes_of("\x55\xe8\0\0\0", 5);
	CHECK(!sites_x86_64.find(&lea, 3, R_X86_64_PC32, &call));
	CHECK(!sites_x86_64.find(&short_call, 2, R_X86_64_PLT32, &call));
	CHECK(!sites_x86_64.find(&lea, 0, R_X86_64_PLT32, &call));
	CHECK(!sites_x86_64.find(&lea, UINT64_MAX - 1, R_X86_64_PLT32, &call));
}

TEST(aarch64)
{
	const struct arch_sites *s = &sites_aarch64;
	check_call(s, "\0\0\0\x94", 4, 0, R_AARCH64_CALL26, "\x1f\x20\x03\xd5", false);
	check_call(s, "\0\0\0\x14", 4, 0, R_AARCH64_JUMP26, "\xc0\x03\x5f\xd6", true);
	struct site_call call;
	const struct bytes b = bytes_of("\0\0\0\x94", 4);
	CHECK(!s->find(&b, 0, R_AARCH64_ABS64, &call));
	CHECK(!s->find(&b, 4, R_AARCH64_CALL26, &call));
	CHECK(!s->find(&b, UINT64_MAX - 2, R_AARCH64_CALL26, &call));
}

TEST_MAIN
