/* SPDX-License-Identifier: BSD-2-Clause */
/* link - BPF links: tracepoints, many functions of a process or of the kernel at once */
#include <errno.h>

#include "base/clock.h"
#include "kernel/kernel.h"
#include "kernel/link/link_internal.h"
#include "kernel/uapi.h"

/* GIVEN: the name, or NULL, as the kernel requires for a program with a fixed tracepoint. */
static struct error *open_tracepoint(int prog, const char *name, const char *given, uint64_t cookie,
				     struct link_set *set)
{
	struct uapi_raw_tracepoint attr = {
		.name = pointer_number(given),
		.prog = (uint32_t)prog,
		.cookie = cookie,
	};
	int fd = bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	if (fd < 0)
		return bpf_error(errno, "cannot attach to raw tracepoint %s", name);
	vector_push(&set->links, ((struct attachment) { .fd = fd }));
	return NULL;
}

struct error *link_raw_tracepoint(int prog, const char *name, uint64_t cookie, struct link_set *set)
{
	return open_tracepoint(prog, name, name, cookie, set);
}

struct error *link_typed_tracepoint(int prog, const char *name, struct link_set *set)
{
	return open_tracepoint(prog, name, NULL, 0, set);
}

struct error *link_traced_function(int prog, const char *name, struct link_set *set)
{
	struct uapi_raw_tracepoint attr = { .prog = (uint32_t)prog };
	int fd = bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	if (fd < 0)
		return bpf_error(errno, "cannot attach to the function %s", name);
	vector_push(&set->links, ((struct attachment) { .fd = fd }));
	return NULL;
}

struct creating {
	struct uapi_link_uprobe_multi attr;
	int fd, errnum;
	uint64_t begin, end;
};

static int link_create(void *arg)
{
	struct creating *c = arg;
	c->begin = clock_ns(CLOCK_MONOTONIC);
	c->fd = bpf_call(BPF_LINK_CREATE, &c->attr, sizeof(c->attr));
	c->errnum = errno;
	c->end = clock_ns(CLOCK_MONOTONIC);
	return c->fd;
}

static void link_create_here(void *arg)
{
	link_create(arg);
}

/*
 * The kernel notes a place, so that whoever maps it from then on has it, and waits for a grace
 * period before it looks for those that have mapped it.  Of a link with one place it is noted 36 to
 * 58 us after the call begins, which takes 7 to 24 ms; of several, all but the first after the wait
 * (6.18).
 */
#define PLACE_NS 60000

static struct in_place in_place_of(const struct creating *c, const char *path)
{
	return (struct in_place) {
		.path = path,
		.since = c->attr.count == 1 ? MIN(c->begin + PLACE_NS, c->end) : c->end,
		.all = c->end,
	};
}

struct error *link_uprobe_multi(int prog, const struct uprobe_multi *request, struct link_set *set)
{
	struct creating c = { .fd = -1,
			      .errnum = EAGAIN,
			      .attr = {
				      .prog = (uint32_t)prog,
				      .attach_type = UAPI_TRACE_UPROBE_MULTI,
				      .path = pointer_number(request->path),
				      .offsets = pointer_number(request->offsets),
				      .ref_ctr_offsets = pointer_number(request->semaphores),
				      .cookies = pointer_number(request->cookies),
				      .count = request->count,
				      .multi_flags =
					      request->is_return ? UAPI_UPROBE_MULTI_RETURN : 0,
				      .pid = (uint32_t)request->pid,
			      } };
	struct link_thread *thread = NULL;
	if (request->is_return)
		thread = link_thread_start(link_create, &c);
	else
		run_unkillable(link_create_here, &c);
	if (!c.begin)
		return error_new(
			"no thread can be made that attaches to %s: ulimit -u, or pids.max "
			"of the control group, allows no more",
			request->name);
	if (c.fd < 0)
		return bpf_error(c.errnum, "cannot attach to %u place%s in %s", request->count,
				 request->count == 1 ? "" : "s", request->name);
	vector_push(&set->in_place, in_place_of(&c, request->path));
	if (thread)
		vector_push(&set->link_threads, thread);
	else
		vector_push(&set->links, ((struct attachment) { .fd = c.fd }));
	return NULL;
}

struct error *link_kprobe_multi(int prog, const struct kprobe_multi *request, struct link_set *set)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)prog,
			.attach_type = BPF_TRACE_KPROBE_MULTI,
			.kprobe_multi = {
				.flags = request->is_return ? BPF_F_KPROBE_MULTI_RETURN : 0,
				.cnt = request->count,
				.addrs = pointer_number(request->addresses),
				.syms = pointer_number(request->names),
				.cookies = pointer_number(request->cookies),
			},
		},
	};
	int link = bpf_call(BPF_LINK_CREATE, &attr, sizeof(attr));
	if (link < 0)
		return bpf_error(errno, "cannot attach to %u function%s of the kernel",
				 request->count, request->count == 1 ? "" : "s");
	vector_push(&set->links, ((struct attachment) { .fd = link, .counts = true }));
	return NULL;
}

uint32_t link_info(int link, struct uapi_link_info *ret)
{
	union bpf_attr attr = {
		.info = {
			.bpf_fd = (uint32_t)link,
			.info_len = sizeof(*ret),
			.info = pointer_number(ret),
		},
	};
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) < 0 ? 0 : attr.info.info_len;
}

uint64_t link_missed(int link)
{
	struct uapi_link_info info = { 0 };
	if (!link_info(link, &info))
		return 0;
	if (info.type == BPF_LINK_TYPE_KPROBE_MULTI)
		return info.kprobe_multi.missed;
	bool at_function = info.perf_event.kind == UAPI_PERF_EVENT_KPROBE ||
			   info.perf_event.kind == UAPI_PERF_EVENT_KRETPROBE;
	return info.type == BPF_LINK_TYPE_PERF_EVENT && at_function ? info.perf_event.missed : 0;
}
