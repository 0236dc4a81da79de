/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * interpreted - frames of interpreters in user stacks: where they are, and what is kept of their
 * code
 *
 * jstack() also records the frames of CPython.  Each is a word after the native frames, the
 * innermost first.  It has the place of the code's names in a region, the texts, and the number of
 * the instruction.  A code object is copied to the texts when a firing meets it the first time, so
 * names and lines are right when it has been freed, or its process has ended.
 *
 * A method that HotSpot interprets has a native frame of its own, with a frame pointer; the code is
 * that of the interpreter, in no file.  A walk keeps what is below that frame pointer, and what is
 * a method of code in the interpreter becomes a word, with the number of its native frame and the
 * place of the method's names.  These words come before those of CPython.
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

/* Members whose offsets HotSpot says itself, in its tables for debuggers. */
enum hotspot_member {
	HOTSPOT_METHOD_CODE,	/* Method: its ConstMethod */
	HOTSPOT_CODE_CONSTANTS, /* ConstMethod: the class's constants, */
	HOTSPOT_CODE_NAME,	/* and 16 bits: which of them is the method's name */
	HOTSPOT_CONSTANTS_CLASS,
	HOTSPOT_CLASS_NAME,
	HOTSPOT_SYMBOL_LENGTH, /* 16 bits */
	HOTSPOT_SYMBOL_TEXT,
	HOTSPOT_CODES_BEGIN, /* StubQueue: address of its code, */
	HOTSPOT_CODES_SIZE,  /* and 32 bits */
	HOTSPOT_MEMBERS,
};

struct hotspot {
	uint64_t base; /* of libjvm in the process; 0: there is none */
	/* From there: where the offset of each member is found, once the library has begun; */
	uint32_t offset_at[HOTSPOT_MEMBERS];
	uint32_t codes;		 /* the address of the interpreter's StubQueue, */
	uint32_t constants_size; /* bytes of ConstantPool before its first constant */
	/* What programs have read of these: */
	uint32_t is_read;
	uint64_t code_begin, code_end; /* of the interpreter */
	uint16_t offset[HOTSPOT_MEMBERS];
	uint16_t reserved[3];
};
_Static_assert(sizeof(struct hotspot) == 96, "layout");

struct interpreted_process {
	uint64_t runtime; /* address of _PyRuntime in the process; 0: there is none */
	struct cpython_layout layout;
	struct hotspot hotspot;
};

#define INTERPRETERS_MOST 8192 /* processes, those used last */

/* --- texts ------------------------------------------------------------------------------------ */

/*
 * What makes a code object the same as one that was met before: an address alone may have been
 * freed and used again.
 */
struct code_key {
	uint32_t process, first_line;
	uint64_t code, file, name, lines; /* of a method: itself, both names, its ConstMethod */
};

/* Strings of characters of 1 (Latin-1), 2 or 4 bytes, then the bytes of the table of lines. */
struct code_text {
	uint32_t first_line;
	uint32_t lines_size;
	uint16_t file_size, name_size; /* bytes; each is followed by padding to 8 */
	uint8_t file_width, name_width;
	uint8_t is_cut; /* something was longer than what is copied */
	uint8_t kind;	/* enum code_kind */
};
enum code_kind {
	CODE_PYTHON,
	CODE_METHOD, /* a name alone: bytes of the class's, with slashes, a dot, the method's */
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

/* FRAME_METHOD : 3 | 0 : 1 | place in the texts / 8 : 28 | number of the native frame : 32 */
static inline uint64_t interpreted_method(uint64_t place, uint32_t frame)
{
	return (uint64_t)FRAME_METHOD << FRAME_HOW_AT | (place >> 3) << INTERPRETED_PLACE_AT |
	       frame;
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
