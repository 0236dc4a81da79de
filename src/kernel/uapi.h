/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uapi - kernel interface newer than the headers we build with
 *
 * Debian 12's <linux/bpf.h> is of Linux 6.1.  These numbers are ABI; the
 * release that added each is in its comment.  Only kernel/ includes this.
 */
#ifndef KERNEL_UAPI_H
#define KERNEL_UAPI_H

#include <linux/bpf.h>

#include "base/base.h"

#define UAPI_TRACE_UPROBE_MULTI 48 /* enum bpf_attach_type, 6.6 */
#define UAPI_UPROBE_MULTI_RETURN 1 /* flag of uprobe_multi links, 6.6 */
#define UAPI_ENOTSUPP 524	   /* the kernel's own errno, which leaks from some calls */

/* BPF_LINK_CREATE of a uprobe_multi link, 6.6. */
struct uapi_link_uprobe_multi {
	uint32_t prog;
	uint32_t target; /* unused */
	uint32_t attach_type;
	uint32_t flags; /* unused */
	uint64_t path;
	uint64_t offsets;
	uint64_t ref_ctr_offsets;
	uint64_t cookies;
	uint32_t count;
	uint32_t multi_flags;
	uint32_t pid;
	uint32_t padding;
};
_Static_assert(sizeof(struct uapi_link_uprobe_multi) == 64, "layout of union bpf_attr");

/* BPF_RAW_TRACEPOINT_OPEN; the cookie since 6.10. */
struct uapi_raw_tracepoint {
	uint64_t name;
	uint32_t prog;
	uint32_t padding;
	uint64_t cookie;
};

/* BPF_OBJ_GET_INFO_BY_FD of links to functions of the kernel: kprobe_multi 6.6, perf_event 6.6,
 * `missed` of both 6.7. */
struct uapi_link_info {
	uint32_t type, id, program, padding;
	union {
		struct {
			uint64_t addresses; /* ours to fill; 0: not requested */
			uint32_t count, flags;
			uint64_t missed;
		} kprobe_multi;
		struct {
			uint32_t kind, padding;
			uint64_t name; /* ours to fill; 0: not requested */
			uint32_t name_length, offset;
			uint64_t address, missed;
		} perf_event;
	};
};
_Static_assert(offsetof(struct uapi_link_info, kprobe_multi.missed) == 32, "struct bpf_link_info");
_Static_assert(offsetof(struct uapi_link_info, perf_event.missed) == 48, "struct bpf_link_info");
#define UAPI_PERF_EVENT_KPROBE 3 /* enum bpf_perf_event_type, 6.6 */
#define UAPI_PERF_EVENT_KRETPROBE 4

/* --- shared by the files of kernel/ (bpf.c) --- */

/* bpf(2).  Returns the descriptor or 0, or -1 with errno. */
int bpf_call(enum bpf_cmd command, void *attributes, unsigned size);

static inline uint64_t pointer_number(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* What the kernel knows about LINK: so many bytes of *RET, which the caller has cleared; 0: none.
 */
uint32_t link_info(int link, struct uapi_link_info *ret);
/* Firings that LINK's functions missed (link_set_missed()). */
uint64_t link_missed(int link);

/* The kernel's data about a program, zeros for missing values; false: none. */
bool prog_info(int prog, struct bpf_prog_info *ret);

/* An error for a refused call; on EPERM it names the missing privilege. */
MUST_CHECK struct error *bpf_error(int errnum, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A name as the kernel takes it: at most 15 letters, digits, '_' and '.'. */
void bpf_name(char ret[BPF_OBJ_NAME_LEN], const char *name);

/* What is missing for tracing, in the user's words; NULL: nothing known. */
const char *privilege_missing(void);

/* --- sched_setattr(2): <linux/sched/types.h> and the C library's <sched.h> exclude each other - */
struct uapi_sched_attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};
#define UAPI_SCHED_RESET_ON_FORK 1

#endif
