/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_event - links to perf events: counters, timers, tracepoints' records, single functions */
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/open_files.h"
#include "kernel/link/link_internal.h"
#include "kernel/uapi.h"

#define FILES_OF_OURS 64 /* that may be opened while places are probed one by one */
#define MANY_PLACES 8	 /* that are better one event than an event for each */

int event_open(struct perf_event_attr *attr, int pid, int cpu)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* For events that are on one CPU while their programs run on all.  CPU 0 may be offline (arm64). */
static int any_cpu(void)
{
	return kernel_cpu_or_other(0);
}

/* Takes EVENT: it belongs to SET in success, else it is closed. */
static struct error *event_attach(int event, int prog, uint64_t cookie, struct link_set *set)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)prog,
			.target_fd = (uint32_t)event,
			.attach_type = BPF_PERF_EVENT,
			.perf_event = { .bpf_cookie = cookie },
		},
	};
	int link = bpf_call(BPF_LINK_CREATE, &attr, sizeof(attr));
	if (link < 0) {
		int errnum = errno;
		close(event);
		return bpf_error(errnum, "cannot attach a program to a perf event");
	}
	vector_push(&set->links, ((struct attachment) { .fd = link }));
	vector_push(&set->events, ((struct attachment) { .fd = event }));
	return NULL;
}

/* The number of perf events of WHAT, "kprobe" or "uprobe". */
static struct error *event_type(const char *what, uint32_t *ret)
{
	auto_free char *path = mem_printf("/sys/bus/event_source/devices/%s/type", what);
	auto_fclose FILE *f = fopen(path, "re");
	if (!f)
		return error_sys(errno, "the kernel has no %ss: cannot open %s", what, path);
	if (fscanf(f, "%u", ret) != 1)
		return error_new("%s holds no number", path);
	return NULL;
}

/* --- counters and timers --- */

static struct perf_event_attr counter_attributes(const struct perf_counter *c)
{
	return (struct perf_event_attr) {
		.type = c->type,
		.config = c->config,
		.sample_period = c->period,
		.disabled = 1,
		.exclude_user = c->no_user,
		.exclude_kernel = c->no_kernel,
	};
}

bool kernel_counts(const struct perf_counter *counter)
{
	struct perf_event_attr attr = counter_attributes(counter);
	auto_close int event = event_open(&attr, 0, -1);
	return event >= 0;
}

struct error *event_start(int event, int prog, uint64_t cookie, struct link_set *set)
{
	struct error *err = event_attach(event, prog, cookie, set);
	if (err || ioctl(event, PERF_EVENT_IOC_ENABLE, 0) == 0)
		return err;
	err = error_sys(errno, "cannot start a perf event");
	link_set_shrink(set, set->links.count - 1, set->events.count - 1);
	return err;
}

/* WHAT: in messages. */
static struct error *counter_start(int prog, int cpu, const struct perf_counter *counter,
				   uint64_t cookie, const char *what, struct link_set *set)
{
	struct perf_event_attr attr = counter_attributes(counter);
	int event = event_open(&attr, -1, cpu);
	if (event < 0)
		return bpf_error(errno, "cannot open a %s on CPU %d", what, cpu);
	return event_start(event, prog, cookie, set);
}

struct error *link_counter(int prog, int cpu, const struct perf_counter *counter, uint64_t cookie,
			   struct link_set *set)
{
	return counter_start(prog, cpu, counter, cookie, "counter", set);
}

struct error *link_timer(int prog, int cpu, uint64_t period, uint64_t cookie, struct link_set *set)
{
	const struct perf_counter clock = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.period = period,
	};
	return counter_start(prog, cpu, &clock, cookie, "timer", set);
}

/* --- records --- */

static struct error *event_number(const char *group, const char *name, uint64_t *ret)
{
	auto_free char *path = mem_printf("events/%s/%s/id", group, name);
	auto_fclose FILE *f = tracefs_open(path);
	unsigned id;
	if (!f)
		return error_sys(errno, "cannot open %s in tracefs", path);
	if (fscanf(f, "%u", &id) != 1)
		return error_new("%s in tracefs holds no number", path);
	*ret = id;
	return NULL;
}

struct error *link_record(int prog, const char *group, const char *name, uint64_t cookie,
			  struct link_set *set)
{
	uint64_t id = 0;
	struct error *err = event_number(group, name, &id);
	if (err)
		return err;
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id };
	int event = event_open(&attr, -1, any_cpu());
	if (event < 0)
		return bpf_error(errno, "cannot open the event %s:%s", group, name);
	return event_attach(event, prog, cookie, set);
}

/* --- functions of the kernel --- */

static struct error *kprobe_one(int prog, uint32_t type, const struct kprobe_multi *request,
				uint32_t index, struct link_set *set)
{
	const char *name = request->addresses ? NULL : request->names[index];
	struct perf_event_attr attr = {
		.type = type,
		.config = request->is_return, /* format/retprobe: bit 0 */
		.kprobe_func = pointer_number(name),
	};
	if (!name) /* with a name the same word is the offset in the function */
		attr.kprobe_addr = request->addresses[index];
	int event = event_open(&attr, -1, any_cpu());
	if (event < 0 && name)
		return bpf_error(errno, "cannot attach to the kernel's function %s", name);
	if (event < 0)
		return bpf_error(errno, "cannot attach at 0x%llx of the kernel",
				 (unsigned long long)request->addresses[index]);
	struct error *err = event_attach(event, prog, request->cookies[index], set);
	if (!err)
		set->links.items[set->links.count - 1].counts = true;
	return err;
}

struct error *link_kprobes(int prog, const struct kprobe_multi *request, struct link_set *set)
{
	size_t links = set->links.count, events = set->events.count;
	uint32_t type = 0;
	struct error *err = event_type("kprobe", &type);
	for (uint32_t i = 0; i < request->count && !err; i++)
		err = kprobe_one(prog, type, request, i, set);
	if (err)
		link_set_shrink(set, links, events);
	return err;
}

/* --- functions of processes --- */

/* An event that has ATTR's settings, of PID's firings at OFFSET of PATH; 0: of the calling
 * thread's. */
static struct error *uprobe_event_open(struct perf_event_attr attr, int pid, const char *path,
				       uint64_t offset, int *ret)
{
	attr.uprobe_path = pointer_number(path);
	attr.probe_offset = offset;
	struct error *err = event_type("uprobe", &attr.type);
	if (err)
		return err;
	int event = event_open(&attr, pid, -1);
	if (event < 0)
		return bpf_error(errno, "cannot probe offset 0x%llx of %s",
				 (unsigned long long)offset, path);
	*ret = event;
	return NULL;
}

struct error *uprobe_own_open(const char *path, uint64_t offset, int *ret)
{
	return uprobe_event_open((struct perf_event_attr) { 0 }, 0, path, offset, ret);
}

/* The kernel requires `remove_on_exec` with `sigtrap` (Linux 5.13). */
struct error *uprobe_stop_open(int pid, const char *path, uint64_t offset, int *ret)
{
	const struct perf_event_attr attr = {
		.sample_period = 1,
		.sigtrap = 1,
		.remove_on_exec = 1,
	};
	return uprobe_event_open(attr, pid, path, offset, ret);
}

/* format/retprobe: config bit 0, format/ref_ctr_offset: bits 32 to 63 */
static uint64_t config_of(const struct uprobe_multi *request, uint32_t index)
{
	uint64_t semaphore = request->semaphores ? request->semaphores[index] : 0;
	return semaphore << 32 | request->is_return;
}

static struct error *uprobe_open(struct perf_event_attr *attr, const struct uprobe_multi *request,
				 uint32_t index, int *ret)
{
	int pid = request->pid > 0 ? request->pid : -1;
	int event = event_open(attr, pid, pid > 0 ? -1 : any_cpu());
	if (event < 0)
		return bpf_error(errno, "cannot attach at offset 0x%llx of %s",
				 (unsigned long long)request->offsets[index], request->name);
	*ret = event;
	return NULL;
}

static bool uprobe_has_semaphore(const struct uprobe_multi *request, uint32_t index)
{
	return request->semaphores && request->semaphores[index];
}

/*
 * perf_event_open(2) makes the place a breakpoint and raises the semaphore; only then can a program
 * be attached.  A process that looks at its semaphore fires unseen in between.  So a process gets
 * two events.  The first one is to be enabled when the process executes a program: the kernel then
 * leaves the process's memory as it is (trace_uprobe_filter_add(), Linux 3.15), and the program is
 * attached.  The second one has no program and makes the breakpoint, which is the first one's, too.
 * There is no such way for every process: the time in between is noted.
 */
static struct error *uprobe_one(int prog, uint32_t type, const struct uprobe_multi *request,
				uint32_t index, struct link_set *set)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = config_of(request, index),
		.uprobe_path = pointer_number(request->path),
		.probe_offset = request->offsets[index],
		.enable_on_exec = uprobe_has_semaphore(request, index) && request->pid > 0,
	};
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	int event;
	struct error *err = uprobe_open(&attr, request, index, &event);
	if (!err)
		err = event_attach(event, prog, request->cookies ? request->cookies[index] : 0,
				   set);
	if (!err && uprobe_has_semaphore(request, index) && request->pid <= 0)
		set->unseen_ns = MAX(set->unseen_ns, clock_ns(CLOCK_MONOTONIC) - begin);
	if (err || !attr.enable_on_exec)
		return err;
	attr.enable_on_exec = 0;
	err = uprobe_open(&attr, request, index, &event);
	if (!err)
		vector_push(&set->events, ((struct attachment) { .fd = event }));
	return err;
}

struct attaching {
	int prog;
	uint32_t type;
	const struct uprobe_multi *request;
	struct link_set *set;
	struct place_event *places;
	struct error *err;
};

static void uprobes_attach(void *arg)
{
	struct attaching *a = arg;
	for (uint32_t i = 0; i < a->request->count && !a->err; i++)
		a->err = uprobe_one(a->prog, a->type, a->request, i, a->set);
}

/* Each place takes two descriptors, an event and its link, and one more if it has a semaphore
 * (uprobe_one()): allow us so many. */
static struct error *files_allow(const struct uprobe_multi *request)
{
	uint32_t places = request->count;
	uint64_t each = request->semaphores ? 3 : 2;
	uint64_t wanted = open_files_next() + each * places + FILES_OF_OURS;
	if (open_files_allow(wanted))
		return NULL;
	return error_sys(errno,
			 "this kernel (without uprobe_multi, Linux 6.6) needs %llu open files to "
			 "probe %u places: allow so many (ulimit -n) or trace fewer functions",
			 (unsigned long long)wanted, places);
}

/* A perf event has 32 bits for the offset of a semaphore. */
static struct error *check_semaphores(const struct uprobe_multi *request)
{
	for (uint32_t i = 0; request->semaphores && i < request->count; i++)
		if (request->semaphores[i] > UINT32_MAX)
			return bpf_error(EINVAL,
					 "a static probe of %s cannot be enabled: its semaphore is "
					 "at offset 0x%llx of the file, and this kernel (without "
					 "uprobe_multi, Linux 6.6) takes none above 4 GiB",
					 request->name, (unsigned long long)request->semaphores[i]);
	return NULL;
}

/* All places as one event; A->places stays NULL where that is not possible. */
static void places_attach(void *arg)
{
	struct attaching *a = arg;
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	int pid = a->request->pid > 0 ? a->request->pid : -1;
	a->places = place_event_new(a->request, (uint64_t *)&attr.config);
	if (!a->places)
		return;
	int event = event_open(&attr, pid, pid > 0 ? -1 : any_cpu());
	if (event < 0)
		a->err = bpf_error(errno, "cannot attach to %u places in %s", a->request->count,
				   a->request->name);
	else
		a->err = event_attach(event, a->prog, a->request->asks, a->set);
	if (a->err)
		place_event_free(a->places);
	else
		a->set->events.items[a->set->events.count - 1].places = a->places;
}

struct error *link_uprobes(int prog, const struct uprobe_multi *request, struct link_set *set)
{
	struct attaching a = { .prog = prog, .request = request, .set = set };
	/* Semaphores need two events of a place (uprobe_one()). */
	if (request->asks && !request->semaphores && request->count >= MANY_PLACES)
		run_unkillable(places_attach, &a);
	if (a.places)
		return a.err;
	size_t links = set->links.count, events = set->events.count;
	struct error *err = check_semaphores(request);
	if (!err)
		err = files_allow(request);
	if (!err)
		err = event_type("uprobe", &a.type);
	if (err)
		return err;
	run_unkillable(uprobes_attach, &a);
	if (a.err)
		link_set_shrink(set, links, events);
	return a.err;
}
