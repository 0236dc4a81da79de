/* SPDX-License-Identifier: BSD-2-Clause */
/* Records into the ring of the thread's area (abi/process.h); frames of its stack */
#include <asm/ptrace.h>

#include "agent/inside/host.h"

void wake_reader(void)
{
	__sync_fetch_and_add(&HEAD->wake, 1);
	SYSTEM(SYS_futex, &HEAD->wake, FUTEX_WAKE, 1);
}

/* Of SIZE bytes; 0, or < 0: there is no room. */
long agent_output(void *ring, const void *data, uint64_t size, uint64_t flags)
{
	struct process_area *area = ring;
	uint64_t head, room = ring_room(size);
	if (!area || size > HEAD->record_most)
		return -E2BIG;
	do {
		head = *(volatile uint64_t *)&area->head;
		uint64_t used = head - __atomic_load_n(&area->tail, __ATOMIC_ACQUIRE);
		if (used + room > HEAD->ring_size)
			return -EAGAIN;
	} while (own_exchanged(&area->head, head, head + room) != head);
	char *to = agent_memory + HEAD->rings + (uint64_t)(area - area_at(0)) * HEAD->ring_stride +
		   (head & (HEAD->ring_size - 1));
	volatile uint64_t *word = (volatile uint64_t *)(void *)to;
	*word = size << 1;
	memcpy(to + sizeof(*word), data, size);
	__atomic_store_n(word, size << 1 | RING_WRITTEN, __ATOMIC_RELEASE);
	if (flags == PORT_WAKE)
		wake_reader();
	return 0;
}

/* As the kernel's walk by frame pointers: the place itself, then return addresses. */
long agent_stack(const void *context, uint64_t *to, uint32_t size, uint64_t flags)
{
	const struct pt_regs *registers = context;
	uint64_t frame[2] = { registers->rbp, 0 };
	uint32_t count = size / sizeof(*to), i = 0;
	if (!(flags & PORT_USER_STACK))
		return -EFAULT;
	memset(to, 0, size);
	for (uint64_t pc = registers->rip; i < count; pc = frame[1]) {
		uint64_t at = frame[0];
		to[i++] = pc;
		if (at < 4096 || at % 8 || agent_read_user(frame, sizeof(frame), (void *)at))
			break;
	}
	return (long)(i * sizeof(*to));
}
