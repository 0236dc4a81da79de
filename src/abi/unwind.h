/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * unwind - tables by which programs walk user stacks, and the memory of a walk
 *
 * A table is of a file, not of a process: it is found by the file's device and inode, as the kernel
 * knows them, and searched by the offset in the file.  So a new process of known files needs
 * nothing.
 *
 * All tables are in one region, the pool, whose size is a power of two.  It begins with struct
 * unwind_pool.  A table is
 *
 *   used    uint32_t: unwind_pool.epoch when a walk used it last
 *   index   uint32_t for each 256 bytes of code, and one more: the number of the first row there
 *   rows    uint32_t each, by address; a row counts up to the next one
 *   rules   struct unwind_rule: what does not fit into a row (0.1 % of the rows; aarch64: 2 %)
 *   saved   uint8_t for each row, only in the few files that need it (ld.so): where one more
 *           callee-saved register is
 *
 * A row:    rule : 24 | address in its 256 bytes : 8
 * A rule:   frame pointer : 9 | CFA : 12 | kind : 3
 *           The CFA is a register + CFA * 8; the return address is at CFA - 8, and the frame
 *           pointer at CFA - 8 * `frame pointer` (0: it has its value still).
 *           Where calls put the return address into a register (aarch64: x30): the return address
 *           is in the word after the frame pointer (0: both have their values still).
 *           In files of 32-bit programs all these count words of 4 bytes.
 */
#ifndef ABI_UNWIND_H
#define ABI_UNWIND_H

#include "abi/record.h"

enum unwind_kind {
	UNWIND_NONE,   /* nothing is known here: by frame pointer */
	UNWIND_STACK,  /* CFA from the stack pointer */
	UNWIND_FRAME,  /* CFA from the frame pointer */
	UNWIND_END,    /* the outermost function */
	UNWIND_PLT,    /* CFA = stack pointer + (pc & 15 >= `CFA` ? 2 words : 1) */
	UNWIND_RULE,   /* `CFA` and `frame pointer` are together the number of a rule */
	UNWIND_REFUSE, /* something else, which we do not compute */
};

#define UNWIND_PAGE_BITS 8
#define UNWIND_KIND_AT 8
#define UNWIND_CFA_AT 11
#define UNWIND_CFA_BITS 12
#define UNWIND_FRAME_AT 23
#define UNWIND_FRAME_BITS 9

static inline uint32_t unwind_rule_word(enum unwind_kind kind, uint32_t cfa, uint32_t frame)
{
	return (uint32_t)kind << UNWIND_KIND_AT | cfa << UNWIND_CFA_AT | frame << UNWIND_FRAME_AT;
}

/* Where values of a rule begin. */
enum unwind_base {
	UNWIND_UNCHANGED, /* of the frame pointer alone */
	UNWIND_BASE_STACK,
	UNWIND_BASE_FRAME,
	UNWIND_BASE_CFA,
	UNWIND_BASE_REGISTER, /* and more: word `base - this` of struct pt_regs; first frame only */
};

/* base + offset; with `loads` 1 or 2 the word there; with 2 the word at that word + middle. */
struct unwind_value {
	uint8_t base, loads;
	int16_t after; /* added after the first load */
	int32_t offset;
};

/*
 * A byte of `saved` (x86_64: of rbx; aarch64 has no such tables, its register is x30): at CFA - 8 *
 * N; or one of these.
 */
#define UNWIND_SAVED_SAME 0
#define UNWIND_SAVED_UNKNOWN 255

struct unwind_rule {
	struct unwind_value cfa, return_address, frame_pointer;
	uint32_t is_signal; /* the caller was interrupted: its pc is of no call */
	uint32_t saved_at;  /* its register of `saved`, from the stack pointer; 0: not known */
};
_Static_assert(sizeof(struct unwind_rule) == 32, "layout");

/*
 * A file as the kernel knows it, with the time of its last change: written anew in place, it has
 * another table.  All 0: the vdso of 64-bit processes; with UNWIND_NARROW as its generation that of
 * 32-bit ones.
 */
struct unwind_key {
	uint32_t device, generation;
	uint64_t inode;
	uint32_t changed_s, changed_ns;
};

#define UNWIND_NARROW 4

static inline int unwind_key_is_vdso(const struct unwind_key *key)
{
	return !key->device && !key->inode;
}

enum unwind_state {
	UNWIND_ASKED, /* its table is asked for (ARRIVAL_TABLE) */
	UNWIND_TABLE,
	UNWIND_NO_TABLE, /* the file has none */
	UNWIND_NO_FILE,	 /* code that is in no file */
	UNWIND_NO_ROOM,	 /* the pool, or the list of files, is full of those in use */
};

/* The data about a file.  Offsets are bytes in the pool. */
struct unwind_file {
	uint32_t index, rows, rules;
	uint32_t first_page, page_count; /* offset in the file >> UNWIND_PAGE_BITS; 0: no table */
	uint32_t state;			 /* enum unwind_state */
	uint32_t saved;			 /* 0: there is none */
	uint32_t reserved;
};
#define UNWIND_FILES_MOST 4096 /* a bound on the files known at once */

/*
 * The pool's first bytes.  The memory of a table that is removed may have other rows at once: a
 * walk that has begun before ends when `evictions` changes.  `generation` changes before it, so a
 * walk that begins later remembers no place of the removed table.
 */
struct unwind_pool {
	uint64_t generation;	 /* changes when a file gets or loses its table */
	uint64_t disabled;	 /* not 0: the kernel walks, by frame pointers */
	struct unwind_key found; /* what RT_file_key found; */
	uint64_t is_found;	 /* 2: RT_file_key has not run */
	uint64_t evictions;	 /* changes when tables are removed */
	uint64_t copies;	 /* stacks copied so far */
	uint32_t epoch;		 /* what walks write to the tables that they use */
	uint32_t reserved[15];
};
_Static_assert(sizeof(struct unwind_pool) == 128, "layout");
#define UNWIND_USED_SIZE 4   /* bytes of `used` */
#define UNWIND_POOL_SLACK 64 /* bytes after its end that may be read */

/* A file's table as it is made (unwind/), before it has a place in the pool. */
struct unwind_table {
	uint32_t first_page, page_count; /* index[page_count + 1] */
	uint32_t row_count, rule_count;
	uint32_t *index, *rows;
	struct unwind_rule *rules;
	uint8_t *saved; /* of each row; NULL: the file does not need it */
};

/* --- frames in records and keys ------------------------------------------------------------- */

/*
 * A user frame: how it was found : 3 | address : 61.  If there is space for more frames, one
 * more word is the reason of the stack's end: FRAME_END : 3 | number of a copy : 53 | enum
 * stack_end : 8. Frames of the kernel's walk have 0 in the 3 bits, and no such word.
 */
#define FRAME_HOW_AT 61
#define FRAME_COPY_AT 8
enum frame_how {
	FRAME_POINTER,	/* by frame pointer, perhaps a wrong one: the consumer checks */
	FRAME_FIRST,	/* where the thread was */
	FRAME_TABLE,	/* by .eh_frame */
	FRAME_RETURNED, /* by .eh_frame, through the return address that a return probe replaced */
	FRAME_SIGNAL,	/* interrupted by a signal */
	FRAME_METHOD = 5,      /* not an address: of an interpreter that has a native frame each */
	FRAME_INTERPRETED = 6, /* not an address: a frame of an interpreter (interpreted.h) */
	FRAME_END = 7,
};

static inline uint64_t frame_address(uint64_t word)
{
	return word & ((1ull << FRAME_HOW_AT) - 1);
}

static inline enum frame_how frame_how(uint64_t word)
{
	return (enum frame_how)(word >> FRAME_HOW_AT);
}

static inline int frame_is_interpreted(uint64_t word)
{
	return frame_how(word) == FRAME_METHOD || frame_how(word) == FRAME_INTERPRETED;
}

/*
 * FRAME_METHOD : 3 | number of the native frame : 13 | word : 48.  HotSpot's interpreter keeps the
 * method in the third word below its frame pointer, on all machines (interpreted.h).
 */
#define METHOD_FRAME_AT 48
#define METHOD_WORDS_BELOW 3

static inline uint64_t frame_method(uint64_t frame, uint64_t word)
{
	return (uint64_t)FRAME_METHOD << FRAME_HOW_AT | frame << METHOD_FRAME_AT | word;
}

static inline uint64_t frame_method_word(uint64_t word)
{
	return word & ((1ull << METHOD_FRAME_AT) - 1);
}

static inline uint64_t frame_method_frame(uint64_t word)
{
	return frame_address(word) >> METHOD_FRAME_AT;
}

/* How stacks end: abi/stack_end.def */
enum stack_end {
#define STACK_END(id, name, words) STACK_END_##id,
#include "abi/stack_end.def"
#undef STACK_END
	STACK_END_COUNT,
};

struct stack_end_row {
	const char *name, *words;
};

static inline const struct stack_end_row *stack_end_row(enum stack_end end)
{
	static const struct stack_end_row rows[] = {
#define STACK_END(id, name, words) { name, words },
#include "abi/stack_end.def"
#undef STACK_END
	};
	return &rows[end];
}

static inline int stack_end_is_whole(enum stack_end end)
{
	return end == STACK_END_WHOLE || end == STACK_END_FULL;
}

static inline uint64_t frame_end(enum stack_end end)
{
	return (uint64_t)FRAME_END << FRAME_HOW_AT | end;
}

/* The number of the copy (struct stack_copy) that has the callers of the last frame; 0: none. */
static inline uint64_t frame_copy(uint64_t word)
{
	return frame_how(word) == FRAME_END ? frame_address(word) >> FRAME_COPY_AT : 0;
}

/* --- a walk ----------------------------------------------------------------------------------- */

/*
 * Each area has some, claimed as slots are.  None free: the kernel walks by frame pointers.
 */
#define WALKS_PER_AREA 4
#define WALK_MAPPINGS 4	  /* that a walk remembers */
#define WALK_PIECE 1024	  /* bytes of the stack that are read at once */
#define WALK_PIECE_LOW 64 /* of these below the requested stack: registers are saved there */
#define WALK_REGISTERS 34 /* words of struct pt_regs, at most */
#define WALK_NODE 256	  /* bytes of a node of the maple tree */
#define WALK_VMA 256	  /* bytes read of a struct vm_area_struct */

struct walk_mapping {
	uint64_t begin, end; /* 0, 0: none */
	uint64_t offset;     /* in the file, of `begin` */
	uint64_t executable;
	struct unwind_file file;
};
_Static_assert(sizeof(struct walk_mapping) == 64, "layout");

struct stack_walk {
	uint64_t busy;
	uint64_t pc, stack, frame; /* registers of the current frame */
	uint64_t cfa;
	uint64_t word; /* bytes of an address: 8, or 4 in 32-bit code */
	uint64_t how;  /* enum frame_how of the current frame */
	uint64_t at;   /* where frames go; or WALK_NO_FRAMES */
	uint64_t count, most;
	uint64_t methods;    /* where the next word of STACK_METHODS goes; 0: none are wanted */
	uint64_t wants_more; /* more frames than `most` are a loss (STACK_WANTS_MORE) */
	uint64_t end;	     /* enum stack_end */
	uint64_t failed;     /* a load did */
	uint64_t at_entry;   /* the first frame is a function's first instruction */
	uint64_t row;	     /* 1 + its number in the file's table; 0: none */
	uint64_t saved, has_saved; /* the register of `saved`, while it is known */
	uint64_t is_lost;	   /* `stack` is only a lower bound */
	uint64_t next_mapping;
	/* mappings[] are right while these are: */
	uint64_t memory, root, sequence, generation;
	uint64_t evictions;  /* of the pool, when the walk began */
	uint64_t process;    /* and this: the tracer's number of it */
	uint64_t returns;    /* the thread's first pending return probe */
	uint64_t trampoline; /* which such a probe returns to; 0: none is pending */
	uint64_t piece_at, piece_size;
	uint64_t piece_words; /* so many first bytes of it begin a word of 64-bit code that is in it
			       */
	uint64_t copy;	      /* the number of this stack's copy; 0: none */
	uint64_t blur;	      /* always 0, which the verifier cannot know */
	struct walk_mapping mappings[WALK_MAPPINGS];
	uint64_t registers[64]; /* WALK_REGISTERS; a power of two for the verifier */
	char node[WALK_NODE];
	char vma[WALK_VMA];
	char piece[WALK_PIECE];
};
#define WALK_NO_FRAMES (~0ull)
_Static_assert(sizeof(struct stack_walk) % 8 == 0, "layout");

/* --- a copied stack --------------------------------------------------------------------------- */

#define COPY_PAGE 4096
#define COPY_PAGES_MOST 32 /* 128 KiB */
#define COPY_RETURNS 64	   /* the kernel's own limit of pending return probes of a thread */

struct copied_return {
	uint64_t place; /* of the stack; 0: there are no more */
	uint64_t address;
};
_Static_assert(sizeof(struct copied_return) * COPY_RETURNS == WALK_PIECE, "collected there");

/*
 * A walk that has met a file whose table is not there yet, for user space to finish (rewalk/).  The
 * members are those of struct stack_walk at its last frame.  The stack's bytes follow.
 */
struct stack_copy {
	uint64_t number;     /* in the last word of the stack's frames; from 1 on */
	uint64_t process;    /* the tracer's number of it */
	uint64_t begin;	     /* address of the first byte of the stack */
	uint64_t page_count; /* that were copied, */
	uint64_t absent;     /* but those whose bit is set: they were not there */
	uint64_t mapped_at;  /* where the file that has no table is mapped, */
	struct unwind_key key;
	uint64_t pc, stack, frame, how, saved, has_saved, is_lost, word;
	uint64_t count, most, wants_more, at_entry, trampoline;
	uint64_t registers[64];
	struct copied_return returns[COPY_RETURNS];
};
_Static_assert(sizeof(struct stack_copy) % 8 == 0, "layout");

/* Is this a whole copy?  SIZE: of it, in bytes. */
static inline int stack_copy_is_valid(const struct stack_copy *copy, uint32_t size)
{
	return size >= sizeof(*copy) && copy->number && copy->page_count <= COPY_PAGES_MOST &&
	       size - sizeof(*copy) >= copy->page_count * COPY_PAGE &&
	       copy->begin % COPY_PAGE == 0 && copy->count && copy->count < copy->most &&
	       copy->most <= 65535;
}

#endif
