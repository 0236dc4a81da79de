/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Scratch slots, records, exit() */
#include "runtime/clause_drop.h"
#include "runtime/deadman.h"
#include "runtime/output.h"

/*
 * The first free slot of this area.  Only what interrupts or preempts us competes; the exchange
 * decides. At most SLOTS_PER_AREA tries.
 */
long rt_slot_claim(void)
{
	uint64_t at = port_area() * SLOTS_PER_AREA * NUMBER(rt_slot_size);
	for (int i = 0; i < SLOTS_PER_AREA; i++, at += NUMBER(rt_slot_size)) {
		struct slot *slot = scratch(at);
		if (!slot)
			break;
		if (EXCHANGE_OWN(&slot->busy, 0, 1) != 0)
			continue;
		slot->fault = 0;
		slot->alloca_used = 0;
		slot->alloca_kept = 0;
		slot->token = 0;
		/* A pointer stored to map memory reads back as a number: our own address. */
		*(void *volatile *)&slot->address = slot;
		return at;
	}
	COUNT(principal);
	return -1;
}

/* The slot that the FIRING has left on its way to its next part.  At most SLOTS_PER_AREA looks. */
long rt_slot_of(uint64_t firing)
{
	uint64_t at = port_area() * SLOTS_PER_AREA * NUMBER(rt_slot_size);
	for (int i = 0; i < SLOTS_PER_AREA; i++, at += NUMBER(rt_slot_size)) {
		struct slot *slot = scratch(at);
		if (!slot)
			break;
		if (slot->busy != firing)
			continue;
		slot->busy = 1;
		return at;
	}
	COUNT(principal);
	return -1;
}

long rt_slot_release(uint64_t at)
{
	struct slot *slot = slot_of(at);
	BARRIER();
	if (slot)
		*(volatile uint64_t *)&slot->busy = 0;
	return 0;
}

/*
 * A kernel's grace period, which the consumer waits for at the end, is over while programs sleep.
 * So these count themselves, before they look whether tracing is on.  They stay on their CPU.
 */
long rt_enter(void)
{
	uint64_t before = __sync_fetch_and_add(&counters()->running, 1);
	OPAQUE(before); /* wanted, hence ordered */
	return 0;
}

long rt_leave(void)
{
	uint64_t before = __sync_fetch_and_add(&counters()->running, -1);
	OPAQUE(before);
	return 0;
}

/* Preempted ones, and those that sleep, are counted, too: we cannot know which one has called us.
 */
long rt_nested(void)
{
	struct control *control = (struct control *)rt_control;
	if (!*(volatile uint64_t *)&counters()->running)
		return 0;
	ADD_SHARED(&control->nested, 1);
	return 1;
}

/*
 * Asked before a clause does anything, with the most that it can leave: a clause that has no
 * room for its record is not run.  (What interrupts us may still take the room: then the record
 * is a drop when it is written.)  The same sum as in the kernel's reservation: a buffer
 * is never quite full.
 */
static always_inline long room(uint64_t size)
{
	uint64_t before = used_now();
	uint64_t after = before + record_room(size);
	if (after <= NUMBER(rt_ring_size) - 1)
		return wake_flags(before, after);
	overflow();
	COUNT(principal);
	return 0;
}

long rt_room(uint64_t size)
{
	return room(size);
}

static always_inline long output(void *data, uint64_t size, uint64_t wake)
{
	if (record_put(data, size, wake) == 0)
		return 0;
	COUNT(principal);
	return -1;
}

long rt_output(void *data, uint64_t size, uint64_t wake)
{
	return output(data, size, wake);
}

long rt_output_slot(uint64_t at, uint64_t size, uint64_t wake)
{
	void *data = record_in_slot(at, &size);
	return data ? output(data, size, wake) : -1;
}

static long note_mapped(void *task, void *mapping, uint32_t *memory)
{
	*memory = MEMORY_MAPPED;
	return 0;
}

/*
 * An address of user space: faults are rare, so it may cost something.  Where interrupts are off,
 * bpf_find_vma() leaves work to an interrupt of its own, so it is not called for a firing without a
 * record.
 */
static always_inline uint32_t memory_at(uint64_t address)
{
	uint32_t memory = MEMORY_UNKNOWN;
	if (!may_be_user(address))
		return MEMORY_UNKNOWN;
	if (port_find_vma(port_task(), address, note_mapped, &memory, 0) == PORT_NO_VMA)
		return MEMORY_UNMAPPED;
	return memory;
}

/* HEADER: of the clause that failed; WHERE: action << 32 | code. */
long rt_fault(struct record_header *header, uint64_t where, uint64_t address)
{
	struct {
		struct record_header header;
		struct record_fault fault;
	} record = { .header = *header };
	deadman_look_in_time();
	long wake = room(sizeof(record));
	if (!wake)
		return -1;
	record.header.kind = RECORD_FAULT;
	record.fault.code = (uint32_t)where;
	record.fault.action = where >> 32;
	record.fault.address = address;
	record.fault.pc = -1;
	record.fault.memory =
		record.fault.code == FAULT_BADADDR ? memory_at(address) : MEMORY_UNKNOWN;
	return output(&record, sizeof(record), (uint64_t)wake);
}

/* AT: the place of the process number, before its frames. */
long rt_ustack_tgid(uint64_t at)
{
	uint64_t *to = scratch(at);
	if (to)
		*to = port_pid_tgid() >> 32;
	return 0;
}

/* The status is kept apart from the record, which may be lost to a fault or a full buffer. */
long rt_exit(uint64_t status)
{
	struct control *control = (struct control *)rt_control;
	if (!control->exited || control->activity == ACTIVITY_STOPPED)
		control->status = status;
	control->exited = 1;
	tracing_drain(control);
	return 0;
}

long rt_drop_clause(uint64_t clause, uint64_t kind)
{
	return drop_clause(clause, kind, 1);
}

long rt_drop_truncations(uint64_t clause, uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot && slot->truncated_strings) {
		drop_clause(clause, CLAUSE_DROP_TRUNCATED_STRINGS, slot->truncated_strings);
		slot->truncated_strings = 0;
	}
	if (slot && slot->truncated_stacks) {
		drop_clause(clause, CLAUSE_DROP_TRUNCATED_STACKS, slot->truncated_stacks);
		slot->truncated_stacks = 0;
	}
	return 0;
}

long rt_drop_dynamic(void)
{
	COUNT(dynamic);
	return 0;
}

long rt_drop_aggregation(void)
{
	COUNT(aggregation);
	return 0;
}

long rt_error_in_error(struct record_header *header, uint64_t where, uint64_t address)
{
	COUNT(error_in_error);
	return 0;
}
