/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image - the files that processes run
 *
 * In:   mappings of processes (process/process.h) and the mapped files.
 * Out:  struct image: one program or library and its data (object/): ELF, build id,
 *       debug information, frames.
 *
 * A file is one image for all processes that map it, identified by device, inode and change time.
 * Symbols, pid probes and types use the same image, so a file is opened and read once.
 *
 * A file is opened through the root of a process that maps it, else through /proc/PID/map_files,
 * and only if it is the file that is mapped.  From then on our own mapping holds the file, so names
 * survive the process, and the file's deletion.  The vdso, which is in no file, is copied from the
 * process's memory, once for each kind of process.
 *
 * The number of open images is bounded, and so is the memory of their data: images_trim() closes
 * the least recently used images.  A closed image opens again on demand, if its file still exists.
 * A closed image without references is removed.
 *
 *   images.c        the table of images; bounds on open ones
 *   image.c         one image: opening and reading it
 *   debug_file.c    finds a file's separate debug information
 *   debug_server.c  requests it from servers
 *   branches.c      the targets of its branches
 *   stubs.c         the linker's stubs in it
 *
 * Always true:
 *   1. Results of image_elf(), image_frames(), image_branches() and image_usdt() are valid until
 *      images_trim(); those of a held image, as long as the table, or until image_discard().
 *   2. An image found again has the same bytes as before: a changed file is another image.
 *   3. The only descriptors that stay open are those of image_path().
 */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include <signal.h>

#include "object/dwarf/debug_info.h"
#include "object/frames/frames.h"
#include "object/note/usdt.h"
#include "object/object.h"
#include "process/process.h"

struct images;
struct image;

/* At most so many are open after images_trim(), and so many bytes read; not counting held ones. */
struct images_bounds {
	size_t open;
	size_t bytes;
};
#define IMAGES_OPEN_MAX 4096
#define IMAGES_BYTES_MAX (256u << 20)

struct images *images_new(void);
void images_free(struct images *s); /* NULL is fine */
/* 2: the user ends dtrace at once, so transfers end.  NULL, as at first: never. */
void images_set_interrupts(struct images *s, const volatile sig_atomic_t *interrupts);
void images_set_bounds(struct images *s, struct images_bounds bounds);

struct images_counts {
	size_t known, open, bytes, descriptors;
};
struct images_counts images_count(const struct images *s);

/*
 * The image of the mapping M of PID, opened; NULL: M is not a mapping of a file, or the file
 * cannot be opened (the process is gone, or the file is refused).  A loan until images_trim(); to
 * keep the image, hold a reference.
 */
struct image *images_find(struct images *s, int pid, const struct mapping *m);

/* Open the image of M, as images_find(), unless the file is known: its process may end soon. */
void images_note(struct images *s, int pid, const struct mapping *m);

/* The file of M may have been replaced: its change time is read at the next look-up. */
void images_recheck(struct images *s, const struct mapping *m);

/* Is the file open by image_path()?  Then its inode is no other file's. */
bool image_is_open(const struct image *i);
/* Has the file, which image_path() opened, no name any more? */
bool image_is_deleted(const struct image *i);
/*
 * As image_release(); and if no one else has a reference, the file is closed at once, even if
 * image_path() holds it.
 */
void image_discard(struct image *i);

struct image *image_refer(struct image *i); /* NULL is fine */
void image_release(struct image *i);	    /* NULL is fine */

/* Enforce the bounds.  Call it where no data of an image are in use, except of held images. */
void images_trim(struct images *s);

/* --- one image; the results of all of these are owned by the image --- */

/* Where a process found the file last, for users. */
const char *image_name(const struct image *i);

/* NULL: it is not an ELF file that we read, or it was closed and is not there any more. */
struct elf_file *image_elf(struct image *i);
/* Why the result of image_elf() is NULL. */
MUST_CHECK struct error *image_problem(const struct image *i);

/* Is it no ELF file at all, but what else is mapped as code (a device, a JIT compiler's cache)? */
bool image_is_foreign(const struct image *i);

/* /proc/self/fd/N: the very file, for the kernel.  Holds the image.  NULL: it is not there. */
const char *image_path(struct image *i);

#define BUILD_ID_MOST 64 /* bytes; linkers make 8, 16 or 20, what is longer is no identifier */

/* Empty: it has none.  Kept when the image is closed. */
struct bytes image_build_id(struct image *i);

/* Append what identifies the file's contents: its build id, else the file as it was opened. */
void image_identity(struct image *i, struct strbuf *ret);

/*
 * The file's debug information: its own, else that of the separate file that its build id or
 * .gnu_debuglink names.  NULL: there is none.  Holds the image.
 */
struct debug_info *image_debug_info(struct image *i);

/*
 * Why the debug information has nothing about the code at the link-time ADDRESS: it is damaged
 * there, or as a whole?
 */
bool image_debug_is_damaged(struct image *i, uint64_t address);
/* If so, it is reported, once, that stacks are shown without source lines. */
void image_report_debug(struct image *i, uint64_t address);

/*
 * BTF of the file: its section .BTF, else what .ctf says, of the file itself or of its separate
 * debug file; empty: there is none, or it cannot be read: then *WHY, else NULL.  Valid until the
 * next call for any image.
 */
struct bytes image_btf(struct image *i, const char **why);

/*
 * The notes of the file's static probes, maybe none; *WHY, if they are damaged from some note on,
 * else NULL.
 */
const usdt_note_vector *image_usdt(struct image *i, const char **why);

/*
 * The offset in the file of the semaphore of the static probe whose site is at the file's offset
 * SITE; 0: there is none.  Quick.
 */
uint64_t image_semaphore(struct image *i, uint64_t site);

/* The ranges of .eh_frame.  Never NULL; empty if there are none, or none that can be read. */
const struct frames *image_frames(struct image *i);

/* --- where branches lead: branches.c --- */

#define BRANCH_CODE_MOST (256u << 20)	/* bytes of code */
#define BRANCH_TARGETS_MOST (16u << 20) /* different ones */

struct branches {
	uint64_t *targets; /* offsets in the file, sorted, each once */
	size_t count;
};

/*
 * Those of ELF, for branches_free().  The result is NULL, or why they are not known: its machine is
 * not known, or there is too much code.
 */
const char *branches_find(struct elf_file *elf, struct branches *ret);
void branches_free(struct branches *b);

typedef VECTOR(uint64_t) offset_vector;
/* Append the offsets in the file of the branches and calls to ADDRESS; none, if it is not known. */
void branches_to(struct elf_file *elf, uint64_t address, offset_vector *ret);

/*
 * Where jumps, branches and calls in the file lead; NULL: not known, and *WHY says why.  The first
 * call decodes all code (libc: 1.5 MB, 10 to 20 ms).
 */
const struct branches *image_branches(struct image *i, const char **why);

/* --- stubs: stubs.c --- */

struct instruction; /* arch/arch.h */

/* The code by which a file calls SYMBOL of another file, up to its jump; named SYMBOL@plt. */
struct code_stub {
	uint64_t address, size; /* link-time */
	const char *symbol;	/* owned by the file */
};

/*
 * Is the code at ADDRESS, whatever table it is in, one that jumps where a pointer says at once, and
 * is not longer than a stub?  *POINTER: that pointer's address, or 0 if it is not among the
 * displacements that we decode; *SIZE: its bytes up to its jump.  Such stubs share an FDE.
 */
bool code_is_stub(const struct elf_file *elf, uint64_t address, uint64_t *pointer, uint64_t *size);
/* The address that the displacement of I means, which is CODE at ADDRESS; 0: it has none. */
uint64_t code_displaced(const struct bytes *code, const struct instruction *i, uint64_t address);

typedef bool stub_visit_fn(void *arg, const struct code_stub *stub); /* false: enough */
/* The stubs of the linker's tables, those with a symbol. */
void stubs_visit(const struct elf_file *elf, stub_visit_fn *visit, void *arg);
/* Is ADDRESS in such a table? */
bool stubs_have(const struct elf_file *elf, uint64_t address);
/* The stub that ADDRESS is in; false: none with a symbol. */
bool stub_around(const struct elf_file *elf, uint64_t address, struct code_stub *ret);

#endif
