/* SPDX-License-Identifier: BSD-2-Clause */
/* The library except its strings (native_string.c), and replacements of BPF helpers */
#include "interpreter/host.h"

#include <signal.h>
#include <stdlib.h>

#include "runtime/aggregate.c"
#include "runtime/deadman.c"
#include "runtime/piece.c"
#include "runtime/process/task.c"
#include "runtime/real.c"
#include "runtime/self.c"
#include "runtime/slot.c"
#include "runtime/speculation.c"
#include "runtime/stack/stack.c"
#include "runtime/string/arithmetic.c"
#include "runtime/truncation.c"
#include "runtime/words.c"

struct native native;

bool native_owns(const void *address, size_t size)
{
	uint64_t offset = (uintptr_t)address - (uintptr_t)&native.task;
	return offset < sizeof(native.task) || native.owns(native.owner, (uintptr_t)address, size);
}

long native_output(struct native_ring *ring, const void *data, uint64_t size)
{
	uint64_t room = record_room(size);
	if (ring->used + room > native.ring_size - 1)
		return -1;
	if (!ring->bytes)
		ring->bytes = mem_zalloc(native.ring_size);
	memcpy(ring->bytes + ring->used, &size, sizeof(size));
	memcpy(ring->bytes + ring->used + sizeof(size), data, size);
	ring->used += room;
	return 0;
}

/* --- what BPF has helpers for ----------------------------------------------------------------- */

#define ROW(name) uint64_t native_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)

ROW(time)
{
	return port_time();
}

/* Nothing fires while the consumer gets no CPU: it is this thread. */
ROW(ticks)
{
	return 0;
}

ROW(pid_tgid)
{
	return port_pid_tgid();
}

ROW(uid_gid)
{
	return (uint64_t)getgid() << 32 | getuid();
}

ROW(cpu)
{
	return port_cpu();
}

ROW(area)
{
	return port_area();
}

ROW(interpreted)
{
	return 0; /* no stack is walked here (port_stack()) */
}

ROW(random)
{
	return (uint32_t)random();
}

ROW(copy)
{
	return (uint64_t)port_copy((void *)a, (uint32_t)b, (const void *)c);
}

ROW(read_kernel)
{
	return (uint64_t)port_read_kernel((void *)a, (uint32_t)b, (const void *)c);
}

ROW(read_user)
{
	return (uint64_t)port_read_user((void *)a, (uint32_t)b, (const void *)c);
}

ROW(comm)
{
	return (uint64_t)port_comm((void *)a, (uint32_t)b);
}

ROW(write_user)
{
	struct iovec here = { (void *)b, c }, there = { (void *)a, c };
	return process_vm_writev(getpid(), &here, 1, &there, 1, 0) == (ssize_t)c ? 0 : -EFAULT;
}

ROW(raise)
{
	return kill(getpid(), (int)a) == 0 ? 0 : (uint64_t)-errno;
}

ROW(vtime)
{
	struct timespec run;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &run);
	return (uint64_t)run.tv_sec * 1000000000 + (uint64_t)run.tv_nsec;
}
