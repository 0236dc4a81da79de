/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * record - the data of a firing in its CPU's principal buffer
 *
 *   +--------+-------+--------------------------+-----------------------------+
 *   | header | flags | fields, at fixed offsets | tail: strings and stacks    |
 *   | 24     | 8*n   | (struct value_field)    | where struct record_ref is  |
 *   +--------+-------+--------------------------+-----------------------------+
 *
 * A record has the size of its data: a path of 30 bytes costs 30 bytes,
 * whatever strsize is.  Little-endian, naturally aligned, no padding at the end.
 * The clause's struct clause_layout (abi/program.h) has the place of each field.
 */
#ifndef ABI_RECORD_H
#define ABI_RECORD_H

#ifdef __bpf__
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
#else
#include <stdint.h>
#endif

#define RECORD_VERSION 1

enum record_kind {
	RECORD_DATA,  /* a clause's data; `clause` is an index into program.clauses */
	RECORD_FAULT, /* struct record_fault follows the header */
	/*
	 * What commit() brought: u64 size and a record of kind DATA, rounded up to 8, again and
	 * again until the end or a size of 0.  `seq` is the CPU that called commit(), `time` when.
	 */
	RECORD_GROUP,
};

struct record_header {
	uint16_t kind; /* enum record_kind */
	uint16_t cpu;  /* the executor fills it in */
	uint32_t clause;
	uint64_t time;	/* ns of CLOCK_MONOTONIC, taken once per firing of the clause */
	uint32_t probe; /* probe id */
	uint32_t seq;	/* free for the executor */
};
_Static_assert(sizeof(struct record_header) == 24, "layout");

/* Who left the record, where its clause's layout has a place for it. */
struct record_thread {
	uint32_t tid, pid; /* as D's variables */
	char name[16];	   /* as execname; ends by a NUL unless it is damaged */
};
_Static_assert(sizeof(struct record_thread) == 24, "layout");

/* The place of a string or a stack in the tail; offset from the start of the record. */
struct record_ref {
	uint32_t offset;
	uint32_t size; /* bytes; strings without their NUL */
};

struct record_fault {
	uint32_t code;	  /* enum fault */
	uint32_t action;  /* 0: predicate; n: n-th action of the clause */
	uint64_t address; /* or size, index; by code */
	int32_t pc;	  /* -1: unknown */
	uint32_t memory;  /* of FAULT_BADADDR: enum fault_memory */
};
_Static_assert(sizeof(struct record_fault) == 24, "layout");

/* The process's memory at the address. */
enum fault_memory {
	MEMORY_UNKNOWN,	 /* an address of the kernel, or the kernel was busy with the mappings */
	MEMORY_MAPPED,	 /* a page that was not in memory, or was read as if it were the kernel's */
	MEMORY_UNMAPPED, /* nothing at all */
};

enum fault {
	FAULT_NONE = -1,
	FAULT_UNKNOWN = 0,
	FAULT_BADADDR = 1,
	FAULT_BADALIGN = 2,
	FAULT_ILLOP = 3,
	FAULT_DIVZERO = 4,
	FAULT_NOSCRATCH = 5,
	FAULT_KPRIV = 6,
	FAULT_UPRIV = 7,
	FAULT_TUPOFLOW = 8,
	FAULT_BADSTACK = 9,
	FAULT_BADSIZE = 10,
	FAULT_BADINDEX = 11,
	FAULT_BADSPEC = 12,
	FAULT_TAILCALL = 13,
	FAULT_LOOP = 14,
	FAULT_UNREADABLE = 15,
	FAULT_NOINTEGER = 16,
	FAULT_LIBRARY = 1000,
};

#endif
