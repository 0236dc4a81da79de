/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames - call frame information: .eh_frame (LSB 5, 10.6; DWARF 5, 6.4)
 *
 *   .eh_frame   CIE   what several functions share: factors, the state at a function's first byte
 *               FDE   one range of code, its CIE, instructions: how the state changes in it
 *
 * Compilers write one FDE for each part of a function, also in stripped programs: the part that is
 * rarely run (.cold) has an FDE, even if it has no name.  Here are the ranges, sorted, and the
 * content of an FDE; running its instructions is left to the unwinder.
 *
 * The section is found by its name, else by .eh_frame_hdr, which a loader finds.  An entry that is
 * damaged or of a kind that we do not know has no range; the others do.
 */
#ifndef OBJECT_FRAMES_FRAMES_H
#define OBJECT_FRAMES_FRAMES_H

#include "object/object.h"

/* The code from BEGIN to END (link-time) has one FDE, at offset AT of the section. */
struct frame_range {
	uint64_t begin, end;
	uint32_t at;
};

struct frame_entry {
	uint64_t begin, end;
	uint64_t code_factor; /* of advances */
	int64_t data_factor;  /* of offsets */
	uint64_t return_column;
	bool is_signal_frame;	     /* the caller was interrupted, it has not called */
	struct bytes initial;	     /* instructions that give the state at the first byte, */
	struct bytes instructions;   /* and those that change it */
	bool begins_as_its_function; /* these change nothing at the first byte: nothing is saved yet
				      */
	uint64_t exceptions;	     /* link-time address of the table of landing pads; 0: none */
};

/* Never NULL.  ELF NULL, or without the section: no ranges.  ELF must outlive the result. */
struct frames *frames_read(const struct elf_file *elf);
void frames_free(struct frames *f);	/* NULL is fine */
extern const struct frames frames_none; /* without ranges */
/* The same, read once and owned by ELF; of NULL: frames_none. */
const struct frames *elf_file_frames(struct elf_file *elf);

const struct frame_range *frames_ranges(const struct frames *f, size_t *count); /* by address */
/* The offset in the section of the first entry that is damaged, or whose CIE is damaged or of an
 * unknown kind; UINT64_MAX: none is. */
uint64_t frames_damage(const struct frames *f);
size_t frames_memory(const struct frames *f);

/* The range that covers ADDRESS, or NULL. */
const struct frame_range *frames_at(const struct frames *f, uint64_t address);

/* False: the entry is damaged. */
bool frames_entry(const struct frames *f, const struct frame_range *range, struct frame_entry *ret);

/*
 * Is RANGE the code of a function from its first byte on?  Not a part that the compiler has moved
 * away from its function, as far as its entry shows that, nor where the kernel calls handlers from.
 */
bool frames_is_function(const struct frames *f, const struct frame_range *range);
/* The same of the range that begins at ADDRESS; 0: it is not, or there is none; else its bytes. */
uint64_t frames_function_size(const struct frames *f, uint64_t address);

#endif
