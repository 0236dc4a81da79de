/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exit - returns of functions that end by a jump
 *
 * A return fires when the frame returns to its caller, also if the function ends by a jump to
 * another function (a *tail call*), which then returns in its place.  A function is *covered* if
 * all its exits, the instructions that leave it, are known and have sites.  At a jump to a covered
 * function, the program *notes* the probe; at the exits of covered functions, notes fire:
 *
 *                 own probe               notes of the place
 *     return      fires                   fire, the newest first
 *     jump to a covered function
 *                 is noted                stay
 *     jump elsewhere
 *                 fires, result unknown   the same, after it
 *
 * Where a jump reads its destination from a register or from memory, the program computes it at the
 * firing as the processor will.  It may be in the function itself, a label that was stored: then
 * nothing has left the function.  Else the program looks up whether a covered function begins
 * there: one of the same file, by its distance from the jump (struct exit_function), and on a miss
 * one of any file of the group, by the kernel's mapping of the destination (struct exit_file).  The
 * mapping is not found while another thread of the process changes mappings.
 *
 * A place is a process's stack pointer at an exit, which a jump to another function does not
 * change. It is the same whichever thread runs on that stack.  A place also has its return address
 * and the function that runs there now.  If either is another one, the notes are stale: their
 * frames were left by longjmp() or an exception.  They are dropped.
 *
 * A probe is noted once at a place.  A loop of tail calls comes to the same jump again: then the
 * older note fires, result unknown, so a place does not grow.  So does the probe itself if there is
 * no room for a note.
 *
 * Coroutines that move: a place belongs to a stack, not to a thread.  Not seen: calls of coroutines
 * that copy their stacks to one place, if they are in the same function there.  Fires once too
 * often: a probe whose frame was left by longjmp() or an exception, if the same instruction then
 * calls the function that was jumped to (through a pointer), as all three are equal.
 *
 * When a process ends or executes a program, its places are removed.  The child of a fork() has a
 * copy of the stack, so it gets copies of the places, where it is traced
 * (runtime/process/exit_process.c).
 *
 * Each group has its own notes, so each of its probes fires exactly once.  Its program is called by
 * bpf_loop() for the own probe and each note in turn, after rt_exits() has decided (loader/link.c).
 */
#ifndef ABI_EXIT_H
#define ABI_EXIT_H

#include "abi/record.h"

/*
 * When a conditional jump jumps, by the processor's flags: some of ANY is set, or one of the two of
 * DIFFER without the other; if IS_NOT, when this does not hold.  Jumps that always do have no flags
 * and IS_NOT.
 */
struct flag_test {
	uint16_t any, differ;
	uint8_t is_not;
};

/*
 * Where a jump reads its destination: in the register BASE, or in WORD bytes of memory at
 * base + index * scale + a displacement.
 */
struct exit_operand {
	uint8_t base, index; /* numbers of words of struct pt_regs; or EXIT_NO_REGISTER */
	uint8_t scale;
	uint8_t word; /* 4 or 8; 0: in the register */
};
#define EXIT_NO_REGISTER 255

/*
 * Where the code of a function is: so many bytes from its first one on, and as many as `other_size`
 * elsewhere, from `other` on.
 */
struct exit_extent {
	uint32_t size;
	int32_t other; /* from the first byte */
	uint32_t other_size;
};

enum exit_jump_kind {
	JUMP_AWAY,     /* SITE_AWAY */
	JUMP_FOLLOWED, /* SITE_JUMP */
	JUMP_LOOKED_UP /* SITE_LOOKUP */
};

/* A jump out of a function, in a group's probe table: in place of an entry, after the last one. */
struct exit_jump {
	int32_t inside;	     /* event_site.inside */
	int32_t destination; /* event_site.destination */
	uint8_t kind;	     /* enum exit_jump_kind */
	uint8_t of_destination;
	struct flag_test test;
	struct exit_operand operand; /* JUMP_LOOKED_UP: event_site.operand, */
	uint32_t file;		     /* exit_function.file, */
	uint64_t at;		     /* event_site.at, */
	struct exit_extent extent;   /* and .extent */
	int32_t pid;		     /* JUMP_LOOKED_UP: exit_file.pid */
};
_Static_assert(sizeof(struct exit_jump) == 48, "layout");
#define EXIT_NO_FILE UINT32_MAX /* as .file: no destination is found by its distance, */
#define EXIT_NO_PROCESS -1	/* as .pid: none by its mapping */

/* A covered function: a key of the program's table of those, which only jumps that are looked up
 * need. */
struct exit_function {
	uint64_t at;   /* offset in the file of its first byte */
	uint32_t file; /* the first event of the group in this file and process */
	uint32_t reserved;
};

/*
 * A file of the group, a key of a table whose values are exit_function.file.  Not by its device,
 * which stat(2) shows differently on overlayfs and btrfs.
 */
struct exit_file {
	uint64_t inode, size; /* bytes */
	int32_t pid;	      /* event_code.pid: of this process, or 0 */
	uint32_t reserved;
};

#define EXIT_PLACES 32768
#define EXIT_NOTES 16 /* of a place; a power of two */

struct exit_note {
	uint32_t index; /* of the event in the group */
	int32_t inside; /* of the jump in its function */
};

struct exit_key {
	uint64_t stack_pointer;
	uint32_t tgid, group;
};

struct exit_place {
	uint64_t return_address;
	uint64_t running; /* the first byte of the function that runs there, */
	uint64_t left;	  /* and of the one that jumped to it */
	uint64_t count;	  /* of notes; the newest is the last */
	struct exit_note notes[EXIT_NOTES];
};

/* A firing, in the frame of the group's first instructions: small, as programs have 512 bytes. */
struct exit_firing {
	uint64_t context; /* a pointer; the program sees what it is */
	uint64_t stack_pointer;
	/* Of the probe whose turn it is: */
	struct exit_note note;
	uint32_t tgid;	  /* the place's, once it was looked for */
	uint32_t unknown; /* its result is not known here: EXIT_UNKNOWN, EXIT_OF_OLDER */
};
_Static_assert(sizeof(struct exit_firing) == 32, "layout");

/* A site's cookie: EXIT_INDEX_BITS of the event, its role, 32 of `inside` or a jump's `entry`. */
#define EXIT_INDEX_BITS 24
/* An event of many places has this one, which is no probe's: the place has its own
 * (runtime/site.c). */
#define COOKIE_OF_PLACE (~(uint64_t)0)
/* EXIT_OF_OLDER: of two calls at one place, the second by a chain of jumps, the first ends. */
#define EXIT_UNKNOWN 1
#define EXIT_OF_OLDER 2
enum exit_role { EXIT_NONE, EXIT_RETURN, EXIT_RETURN_OF_DESTINATION, EXIT_JUMP };

#endif
