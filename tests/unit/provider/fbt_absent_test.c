/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions without probes: lists as the kernel writes them */
#include "provider/kernel/fbt_functions.h"

#include <stdio.h>

#include "kernel/kernel.h"
#include "test.h"

static const char forbidden[] = "0xffffffff81008940-0xffffffff81008970\tcall_thunk\n"
				"a line that is none\n"
				"0xffffffffc0001000-0xffffffffc0001020\thandler [kvm]\n";

static const char *reason(const char *module, const char *function, bool readable)
{
	static char *text;
	const struct probe_desc desc = { "fbt", module, function, "entry" };
	struct absence a = { .desc = &desc, .forbidden_are_known = readable };
	absence_see_listed(&a, "vmlinux", "vfs_read", 0);
	absence_see_symbol(&a, "vmlinux", "vfs_read", 0xffffffff81200000);
	absence_see_symbol(&a, "vmlinux", "call_thunk", 0xffffffff81008940);
	absence_see_symbol(&a, "vmlinux", "_sinittext", 0xffffffff83000000);
	absence_see_symbol(&a, "vmlinux", "start", 0xffffffff83000000);
	absence_see_symbol(&a, "vmlinux", "_einittext", 0xffffffff83000100);
	absence_see_symbol(&a, "vmlinux", "strcmp", 0xffffffff81900000);
	absence_see_symbol(&a, "kvm", "handler", 0xffffffffc0001000);
	auto_fclose FILE *list = fmemopen((void *)forbidden, sizeof(forbidden) - 1, "r");
	if (readable)
		kernel_forbidden_read(list, absence_see_forbidden, &a);
	free(text);
	text = absence_text(&a);
	return text ? text : "";
}

TEST(why_a_function_has_no_probe)
{
	CHECK_STR(reason("", "vfs_read", true), "");
	CHECK_STR(reason("", "no_such", true), "");
	CHECK_STR(reason("ext4", "strcmp", true), "");
	CHECK_STR(reason("", "strcmp", true),
		  ": the kernel has this function, but its function tracer cannot see it; "
		  "watch::`strcmp:x does");
	CHECK_STR(reason("vmlinux", "strcmp", false),
		  ": the kernel has this function, but its function tracer cannot see it; "
		  "watch:vmlinux:`strcmp:x does, unless the kernel forbids probes in it");
	CHECK_STR(reason("", "call_thunk", true),
		  ": the kernel has this function, but forbids probes in it");
	CHECK_STR(reason("kvm", "handler", true),
		  ": the kernel has this function, but forbids probes in it");
	CHECK_STR(reason("", "start", true),
		  ": the kernel runs this function at boot, and has freed its code");
}

TEST_MAIN
