/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * feature - the features of this kernel, determined by trying
 *
 * Version numbers are unreliable (distributions backport and switch off), so each feature is tried
 * once, at the first query, and the result kept.
 *
 * To add one: an enumerator in kernel.h and a row in `tries`.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kernel/insn.h"
#include "kernel/link/link_internal.h"
#include "kernel/uapi.h"

/* Does the kernel take this code?  -1: no. */
static int try_program(enum bpf_prog_type type, uint32_t attach_type, const struct bpf_insn *code,
		       unsigned count)
{
	struct prog_request request = {
		.type = type,
		.attach_type = attach_type,
		.name = "dtrace_try",
		.code = code,
		.count = count,
	};
	int prog;
	struct error *err = prog_load(&request, &prog);
	if (!err)
		return prog;
	log_debug("feature: %s", error_text(err));
	error_free(err);
	return -1;
}

/* The same of a raw tracepoint's program, which is not kept. */
static bool takes_raw(const struct bpf_insn *code, unsigned count)
{
	auto_close int prog = try_program(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, code, count);
	return prog >= 0;
}

/* A program that calls HELPER (0: none) with its context. */
static int tiny_program(enum bpf_prog_type type, uint32_t attach_type, int helper)
{
	const struct bpf_insn code[] = { INSN_CALL(helper), INSN_SET(BPF_REG_0, 0), INSN_EXIT };
	unsigned skip = helper ? 0 : 1;
	return try_program(type, attach_type, code + skip, ARRAY_SIZE(code) - skip);
}

/*
 * A directory cannot have probes: EBADF if the kernel checked it, EINVAL if it does not know the
 * call.
 */
static bool try_uprobe_multi(void)
{
	auto_close int prog = tiny_program(BPF_PROG_TYPE_KPROBE, UAPI_TRACE_UPROBE_MULTI, 0);
	if (prog < 0)
		return false;
	uint64_t offset = 0;
	struct uapi_link_uprobe_multi attr = {
		.prog = (uint32_t)prog,
		.attach_type = UAPI_TRACE_UPROBE_MULTI,
		.path = pointer_number("/"),
		.offsets = pointer_number(&offset),
		.count = 1,
	};
	auto_close int link = bpf_call(BPF_LINK_CREATE, &attr, sizeof(attr));
	return link >= 0 || errno == EBADF;
}

static bool try_kprobe(void)
{
	return access("/sys/bus/event_source/devices/kprobe/type", R_OK) == 0;
}

/* A name that no function has: the kernel has searched for it, or does not know the call. */
static bool try_kprobe_multi(void)
{
	auto_close int prog = tiny_program(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0);
	if (prog < 0 || !try_kprobe())
		return false;
	const char *names[] = { "dtrace has no function" };
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)prog,
			.attach_type = BPF_TRACE_KPROBE_MULTI,
			.kprobe_multi = { .cnt = 1, .syms = pointer_number(names) },
		},
	};
	auto_close int link = bpf_call(BPF_LINK_CREATE, &attr, sizeof(attr));
	return link >= 0 || errno == ESRCH || errno == ENOENT;
}

static bool try_btf(void)
{
	return access("/sys/kernel/btf/vmlinux", R_OK) == 0;
}

static bool try_cookie_raw(void)
{
	auto_close int prog =
		tiny_program(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_FUNC_get_attach_cookie);
	return prog >= 0;
}

static bool try_write_user(void)
{
	const struct bpf_insn code[] = {
		INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0),
		INSN_SET(BPF_REG_1, 0),
		INSN_COPY(BPF_REG_2, BPF_REG_10),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -8),
		INSN_SET(BPF_REG_3, 8),
		INSN_CALL(BPF_FUNC_probe_write_user),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	return takes_raw(code, ARRAY_SIZE(code));
}

static bool try_send_signal(void)
{
	const struct bpf_insn code[] = {
		INSN_SET(BPF_REG_1, 0),
		INSN_CALL(BPF_FUNC_send_signal),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	return takes_raw(code, ARRAY_SIZE(code));
}

/* The shortest program: if the JIT does not translate this one, it translates none. */
static bool try_jit(void)
{
	auto_close int prog = tiny_program(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0);
	struct bpf_prog_info info;
	return prog >= 0 && prog_info(prog, &info) && info.jited_prog_len;
}

/* A link of any kind shows how long the kernel's struct bpf_link_info is: here one that never
 * fires. */
static bool try_link_missed(void)
{
	auto_close int prog = tiny_program(BPF_PROG_TYPE_PERF_EVENT, 0, 0);
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY };
	int event = prog < 0 ? -1 : event_open(&attr, 0, -1);
	if (event < 0)
		return false;
	struct link_set set = { 0 };
	struct uapi_link_info info = { 0 };
	auto_error struct error *err = event_start(event, prog, 0, &set);
	bool has = !err && link_info(set.links.items[0].fd, &info) == sizeof(info);
	link_set_deinit(&set);
	return has;
}

static bool (*const tries[FEATURE_COUNT])(void) = {
	[FEATURE_UPROBE_MULTI] = try_uprobe_multi,
	[FEATURE_BTF] = try_btf,
	[FEATURE_COOKIE_RAW] = try_cookie_raw,
	[FEATURE_WRITE_USER] = try_write_user,
	[FEATURE_SEND_SIGNAL] = try_send_signal,
	[FEATURE_JIT] = try_jit,
	[FEATURE_KPROBE] = try_kprobe,
	[FEATURE_KPROBE_MULTI] = try_kprobe_multi,
	[FEATURE_LINK_MISSED] = try_link_missed,
};

const char *kernel_feature_name(enum kernel_feature feature)
{
	static const char *const names[FEATURE_COUNT] = {
		[FEATURE_UPROBE_MULTI] = "uprobe_multi",
		[FEATURE_BTF] = "btf",
		[FEATURE_COOKIE_RAW] = "raw_cookie",
		[FEATURE_WRITE_USER] = "write_user",
		[FEATURE_SEND_SIGNAL] = "send_signal",
		[FEATURE_JIT] = "jit",
		[FEATURE_KPROBE] = "kprobe",
		[FEATURE_KPROBE_MULTI] = "kprobe_multi",
		[FEATURE_LINK_MISSED] = "link_missed",
	};
	return names[feature] ? names[feature] : "?";
}

bool kernel_has(enum kernel_feature feature)
{
	static signed char answers[FEATURE_COUNT]; /* 0: not tested, 1: yes, -1: no */
	if (!answers[feature])
		answers[feature] = tries[feature]() ? 1 : -1;
	return answers[feature] > 0;
}
