/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake_kernel - a kernel that accepts everything except its n-th call and programs of more
 * instructions than a test allows
 *
 * The linker puts these functions before the C library's (Makefile: --wrap).  bpf(2) and
 * perf_event_open(2) return descriptors of memory files, so maps can be mapped; programs never run
 * and maps are empty.  No privileges are needed.
 */
#ifndef TESTS_UNIT_TRACER_FAKE_KERNEL_H
#define TESTS_UNIT_TRACER_FAKE_KERNEL_H

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAKE_FILES 4096

static struct {
	unsigned calls;	       /* so far */
	unsigned fails;	       /* this one does; 0: none */
	int errnum;	       /* so */
	unsigned most;	       /* instructions of a program; 0: any number */
	unsigned loads;	       /* of programs so far */
	unsigned refusals;     /* of programs that were too large */
	bool ours[FAKE_FILES]; /* by descriptor */
} fake;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
void *__real_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);
int __real_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event);
int __real_close(int fd);
int __wrap_close(int fd);

static bool is_ours(int fd)
{
	return fd >= 0 && fd < FAKE_FILES && fake.ours[fd];
}

/* One more call; true: it is the one that fails. */
static bool fails(void)
{
	if (++fake.calls != fake.fails)
		return false;
	errno = fake.errnum;
	return true;
}

static int file_of(size_t size)
{
	int fd = (int)__real_syscall(SYS_memfd_create, "fake", 1u /* MFD_CLOEXEC */);
	if (fd < 0 || fd >= FAKE_FILES || ftruncate(fd, (off_t)size) < 0)
		_exit(99);
	fake.ours[fd] = true;
	return fd;
}

static size_t map_bytes(const union bpf_attr *attr)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (attr->map_type == BPF_MAP_TYPE_RINGBUF)
		return 2 * page + 2 * (size_t)attr->max_entries;
	return attr->map_flags & BPF_F_MMAPABLE
		       ? (size_t)((attr->value_size + 7) & ~7u) * attr->max_entries + page
		       : 0;
}

/* As the verifier refuses what takes it too long. */
static long fake_load(union bpf_attr *attr)
{
	fake.loads++;
	if (!fake.most || attr->insn_cnt <= fake.most)
		return file_of(0);
	fake.refusals++;
	if (attr->log_buf)
		snprintf((char *)(uintptr_t)attr->log_buf, attr->log_size,
			 "BPF program is too large. Processed 1000001 insn\n"
			 "processed 1000001 insns (limit 1000000)\n");
	errno = E2BIG;
	return -1;
}

static long fake_bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	switch (command) {
	case BPF_MAP_CREATE:
		return file_of(map_bytes(attr));
	case BPF_PROG_LOAD:
		return fake_load(attr);
	case BPF_BTF_LOAD:
	case BPF_LINK_CREATE:
	case BPF_RAW_TRACEPOINT_OPEN:
		return file_of(0);
	case BPF_MAP_LOOKUP_BATCH:
		attr->batch.count = 0;
		errno = ENOENT;
		return -1;
	case BPF_MAP_LOOKUP_ELEM:
	case BPF_MAP_GET_NEXT_KEY:
	case BPF_MAP_DELETE_ELEM:
		errno = ENOENT;
		return -1;
	case BPF_OBJ_GET_INFO_BY_FD:
		((struct bpf_prog_info *)(uintptr_t)attr->info.info)->jited_prog_len = 64;
		return 0;
	default:
		return 0;
	}
}

/* An event that stops a process is refused, as without privileges: none would ever stop one. */
static long fake_event(const struct perf_event_attr *attr)
{
	if (!attr->sigtrap)
		return fails() ? -1 : file_of(0);
	errno = EACCES;
	return -1;
}

/* As libc's, it takes six arguments, however many there are: the last may be any word of the stack.
 */
__attribute__((no_sanitize("address"))) long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list ap;
	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_bpf)
		return fails() ? -1 : fake_bpf((enum bpf_cmd)a[0], (union bpf_attr *)a[1]);
	if (number == SYS_perf_event_open)
		return fake_event((const struct perf_event_attr *)a[0]);
	if (number == SYS_capget) { /* everything is allowed */
		memset((void *)a[1], 0xff, 24);
		return 0;
	}
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (is_ours(fd) && fails())
		return MAP_FAILED;
	return __real_mmap(address, size, protection, flags, fd, offset);
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	if (!is_ours(fd))
		return __real_ioctl(fd, request, arg);
	return fails() ? -1 : 0;
}

int __wrap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
	if (!is_ours(fd))
		return __real_epoll_ctl(epoll, op, fd, event);
	return fails() ? -1 : 0;
}

int __wrap_close(int fd)
{
	if (is_ours(fd))
		fake.ours[fd] = false;
	return __real_close(fd);
}

#endif
