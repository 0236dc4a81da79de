/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * interpreted - frames of interpreters in user stacks: where they are, and what is kept of their
 * code
 *
 * jstack() also records the frames of CPython.  Each is a word after the native frames, the
 * innermost first.  It has the place of the code's names in a region, the texts, and the number of
 * the instruction.  A code object is copied to the texts when a firing meets it the first time, so
 * names and lines are right when it has been freed, or its process has ended.
 */
#ifndef ABI_INTERPRETED_H
#define ABI_INTERPRETED_H

#include "abi/unwind.h"

/* --- a process with an interpreter ------------------------------------------------------------ */

/* Offsets of CPython's members. */
struct cpython_layout {
	uint16_t interpreters; /* of the first one, in _PyRuntime */
	uint16_t next_interpreter, threads;
	uint16_t next_thread, thread_pointer, thread_number;
	uint16_t current_frame; /* of a thread; or, if `indirect`, of struct _PyCFrame */
	uint16_t indirect;	/* of the pointer to that in a thread; 0: there is none */
	/* Of a frame; `position`: the instruction, and the word with the flags after it. */
	uint16_t code, previous, position;
	uint8_t entry_bit; /* flag: it is the first of its native frame; 0: see `owner_bit` */
	/* 8 bits: CPYTHON_OWNED_BY_NATIVE: no frame of Python, but after those of a native frame */
	uint8_t owner_bit;
	/* Of a code object: co_filename, co_name, co_qualname and co_linetable; others */
	uint16_t names, first_line, instructions;
	uint16_t ascii, compact; /* where the characters of strings begin */
	uint16_t reserved[3];
};
#define CPYTHON_OWNED_BY_NATIVE 3
_Static_assert(sizeof(struct cpython_layout) == 40, "layout");

struct interpreted_process {
	uint64_t runtime; /* address of _PyRuntime in the process */
	struct cpython_layout layout;
};

#define INTERPRETERS_MOST 8192 /* processes, those used last */

/* --- texts ------------------------------------------------------------------------------------ */

/*
 * What makes a code object the same as one that was met before: an address alone may have been
 * freed and used again.
 */
struct code_key {
	uint32_t process, first_line;
	uint64_t code, file, name, lines;
};

/* Strings of characters of 1 (Latin-1), 2 or 4 bytes, then the bytes of the table of lines. */
struct code_text {
	uint32_t first_line;
	uint32_t lines_size;
	uint16_t file_size, name_size; /* bytes; each is followed by padding to 8 */
	uint8_t file_width, name_width;
	uint8_t is_cut; /* something was longer than what is copied */
	uint8_t reserved;
};
_Static_assert(sizeof(struct code_text) == 16, "layout");
#define CODE_NAME_MOST 4096
#define CODE_LINES_MOST 65536

/* The texts begin with this; their size is a power of two, and slack follows them. */
struct code_texts {
	uint64_t used; /* bytes, these included */
	uint64_t reserved;
};
#define CODE_TEXTS_SIZE (8u << 20)
#define CODE_TEXTS_SLACK (CODE_LINES_MOST + 8)
#define CODES_MOST 65536

/* --- words ------------------------------------------------------------------------------------ */

/*
 * FRAME_INTERPRETED : 3 | last of its native frame : 1 | place in the texts / 8 : 28 | instruction
 * : 32.  Place 0: names were not readable, or there was no room for them.  No place and no
 * instruction: a native frame that has no frame of the language yet.
 */
#define INTERPRETED_LAST_AT 60
#define INTERPRETED_PLACE_AT 32
#define INTERPRETED_NONE 0xffffffffu

static inline uint64_t interpreted_word(uint64_t place, uint32_t instruction)
{
	return (uint64_t)FRAME_INTERPRETED << FRAME_HOW_AT | (place >> 3) << INTERPRETED_PLACE_AT |
	       instruction;
}

static inline int interpreted_is_last(uint64_t word)
{
	return word >> INTERPRETED_LAST_AT & 1;
}

/* Is it a frame of the language at all? */
static inline int interpreted_is_frame(uint64_t word)
{
	return (word & ((1ull << INTERPRETED_LAST_AT) - 1)) != INTERPRETED_NONE;
}

static inline uint64_t interpreted_place(uint64_t word)
{
	return (word & ((1ull << INTERPRETED_LAST_AT) - 1)) >> INTERPRETED_PLACE_AT << 3;
}

/* Instructions of 2 bytes; the frame has not begun: -1. */
static inline int32_t interpreted_instruction(uint64_t word)
{
	return (int32_t)(uint32_t)word;
}

#endif
