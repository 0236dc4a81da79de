/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf - the system call, and why it was refused
 *
 * The kernel says EPERM for three different reasons: a capability that we lack,
 * root of a user namespace only, and lockdown.  We look which one it is, once
 * something was refused and not before.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "kernel/uapi.h"

int bpf_call(enum bpf_cmd command, void *attributes, unsigned size)
{
	return (int)syscall(SYS_bpf, command, attributes, size);
}

void bpf_name(char ret[BPF_OBJ_NAME_LEN], const char *name)
{
	memset(ret, 0, BPF_OBJ_NAME_LEN);
	if (!name)
		return;
	for (size_t i = 0; name[i] && i < BPF_OBJ_NAME_LEN - 1; i++) {
		bool fine = isalnum((unsigned char)name[i]) || name[i] == '.';
		ret[i] = fine ? name[i] : '_';
	}
}

/* The first line of a small file, without its end; "" when it cannot be read. */
static void line_of_file(const char *path, char *ret, size_t size)
{
	ret[0] = 0;
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t len = read(fd, ret, size - 1);
	ret[len > 0 ? len : 0] = 0;
	ret[strcspn(ret, "\n")] = 0;
}

uint32_t kernel_frames(void)
{
	static uint32_t frames;
	if (frames)
		return frames;
	char most[16];
	line_of_file("/proc/sys/kernel/perf_event_max_stack", most, sizeof(most));
	frames = most[0] ? (uint32_t)strtoul(most, NULL, 10) : STACK_FRAMES_USUAL;
	return frames;
}

static uint64_t capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	if (syscall(SYS_capget, &header, data) < 0)
		return 0;
	return data[0].effective | (uint64_t)data[1].effective << 32;
}

static const char *lockdown_mode(void)
{
	char line[128];
	line_of_file("/sys/kernel/security/lockdown", line, sizeof(line));
	if (strstr(line, "[confidentiality]"))
		return "confidentiality";
	return strstr(line, "[integrity]") ? "integrity" : NULL;
}

/* CAP_SYS_ADMIN includes both of the others, as before Linux 5.8. */
const char *privilege_missing(void)
{
	uint64_t have = capabilities();
	bool admin = have & 1ull << CAP_SYS_ADMIN;
	bool bpf = admin || have & 1ull << CAP_BPF;
	bool perfmon = admin || have & 1ull << CAP_PERFMON;
	if (bpf && perfmon)
		return NULL;
	if (bpf)
		return "needs CAP_PERFMON: run as root";
	if (perfmon)
		return "needs CAP_BPF: run as root";
	return "needs CAP_BPF and CAP_PERFMON: run as root";
}

bool kernel_in_user_namespace(void)
{
	char map[64];
	line_of_file("/proc/self/uid_map", map, sizeof(map));
	unsigned long inside = 0, outside = 0, count = 0;
	return sscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3 && count < UINT32_MAX;
}

static char *refusal_reason(void)
{
	const char *missing = privilege_missing();
	if (missing)
		return mem_strdup(missing);

	if (kernel_in_user_namespace())
		return mem_strdup("root of a user namespace only: run on the host");

	const char *mode = lockdown_mode();
	if (mode)
		return mem_printf("refused by kernel lockdown (%s)", mode);

	char disabled[16];
	line_of_file("/proc/sys/kernel/unprivileged_bpf_disabled", disabled, sizeof(disabled));
	return mem_printf("refused by a security module or seccomp filter; "
			  "kernel.unprivileged_bpf_disabled is %s",
			  disabled[0] ? disabled : "unknown");
}

char *kernel_why_no_writing(void)
{
	if (!(capabilities() & 1ull << CAP_SYS_ADMIN))
		return mem_strdup("needs CAP_SYS_ADMIN: run as root");
	const char *mode = lockdown_mode();
	if (mode)
		return mem_printf("refused by kernel lockdown (%s)", mode);
	/* Nothing else takes it away; the mode cannot be read while securityfs is not mounted. */
	return mem_strdup("refused by kernel lockdown (see kernel_lockdown(7))");
}

struct error *bpf_error(int errnum, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	auto_free char *what = mem_vprintf(fmt, ap);
	va_end(ap);
	if (errnum == EPERM) {
		auto_free char *reason = refusal_reason();
		return error_sys(errnum, "%s (%s)", what, reason);
	}
	if (errnum == ENOSYS)
		return error_sys(errnum, "%s (the kernel has no bpf(2))", what);
	return error_sys(errnum, "%s", what);
}

struct error *kernel_check_privileges(void)
{
	const char *missing = privilege_missing();
	if (missing)
		return error_new("DTrace requires additional privileges: %s", missing);
	const char *mode = lockdown_mode();
	if (mode && string_equal(mode, "confidentiality"))
		return error_new("BPF tracing programs are refused by kernel lockdown (%s)", mode);
	return NULL;
}
