/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object - readers of foreign files: BTF, ELF, call frames (frames.h), and DWARF (debug_info.h)
 *
 * Everything here comes from outside and may be damaged or hostile.  The tables of ELF files are
 * read by libelf, DWARF by libdw; all else through struct bytes, and lengths are checked before
 * use.  Readers keep the file's bytes (mapped, but safe when the file is truncated:
 * base/mapped_file.h) and hand out pointers into them; those live as long as the reader.
 *
 *   BTF           btf.c; types by their names: btf_find.c
 *   ELF           elf.c, whose tables libelf reads; notes: elf_note.c
 *     symbols     elf_symbols.c, by their exact names: elf_names.c, of stripped files: debugdata.c;
 *                 mangled names: demangle.c; thread-local variables: elf_thread.c
 *     pointers    elf_pointers.c
 *   call frames   frames.c, whose rows cfi.c computes; Go's: go_frames.c
 *   static probes usdt.c; types that a file declares for them: declared.c
 *   DWARF         debug_info.c; functions: functions.c, parameter.c, parameter_list.c;
 *                 lines: source_place.c
 *   CTF           ctf.c, by the library that libctf.c loads
 */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include "base/base.h"

/* --- BTF (Documentation/bpf/btf.rst) ---------------------------------------------- */

struct btf;

/* Map (or read) a raw BTF file; checks the header and indexes the offsets of all types. */
MUST_CHECK struct error *btf_open(const char *path, struct btf **ret);
/* The same over bytes that the caller keeps alive. */
MUST_CHECK struct error *btf_of_bytes(const void *data, size_t size, struct btf **ret);
/*
 * A module's BTF (/sys/kernel/btf/MODULE), which continues BASE: ids up to btf_count(BASE) are
 * BASE's.  BASE must outlive it.
 */
MUST_CHECK struct error *btf_open_module(const char *path, const struct btf *base,
					 struct btf **ret);
void btf_free(struct btf *b); /* NULL is fine */

enum btf_kind {
	BTF_VOID,
	BTF_INT,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FWD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNC,
	BTF_FUNC_PROTO,
	BTF_VAR,
	BTF_DATASEC,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64,
};

struct btf_type {
	uint32_t id;
	const char *name; /* "" if there is none */
	enum btf_kind kind;
	bool kind_flag;
	uint32_t vlen;
	uint32_t size_or_type;
	struct bytes extra; /* what follows the 12 bytes of struct btf_type */
};

/* The bytes of the BTF at B's beginning, by its header; 0: there is none. */
size_t btf_size(struct bytes b);
uint32_t btf_count(const struct btf *b); /* ids are 1 ... count */
/* False: no such id, or damaged.  Id 0 is void. */
bool btf_type_at(const struct btf *b, uint32_t id, struct btf_type *ret);
const char *btf_string(const struct btf *b, uint32_t offset); /* "" when out of range */

/*
 * The first id of this kind and name, or 0; of a module's BTF, its own types only.
 * The first few calls for a kind scan, then an index by name is built.
 */
uint32_t btf_find(struct btf *b, enum btf_kind kind, const char *name);
/* The id of the N-th own type of this kind, from 0; 0: there are fewer. */
uint32_t btf_nth(struct btf *b, enum btf_kind kind, uint32_t n);

struct btf_member {
	const char *name;
	uint32_t type;
	uint32_t bit_offset, bit_size; /* bit_size 0: not a bit-field */
};
bool btf_member_at(const struct btf *b, const struct btf_type *type, uint32_t index,
		   struct btf_member *ret);
/* Values are sign-extended when kind_flag says that the enum is signed. */
bool btf_enumerator_at(const struct btf *b, const struct btf_type *type, uint32_t index,
		       const char **name, int64_t *value);
/* vlen of a BTF_FUNC */
enum btf_linkage { BTF_FUNC_STATIC, BTF_FUNC_GLOBAL, BTF_FUNC_EXTERN };

/* Of a BTF_FUNC_PROTO.  A last parameter of type 0 means "...". */
bool btf_param_at(const struct btf *b, const struct btf_type *type, uint32_t index,
		  const char **name, uint32_t *id);

/* --- ELF symbols and segments ------------------------------------------------------- */

struct elf_file;

/* Opens and maps the file; an error unless it is a little-endian ELF, of 32 or 64 bits. */
MUST_CHECK struct error *elf_file_open(const char *path, struct elf_file **ret);
/* The same of a file that messages call NAME. */
MUST_CHECK struct error *elf_file_open_named(const char *path, const char *name,
					     struct elf_file **ret);
void elf_file_free(struct elf_file *e); /* NULL is fine */

/*
 * Finds the separate debug file of a stripped file, at the first look-up of symbols: the result,
 * or NULL, stays open as long as the file.
 */
typedef struct elf_file *elf_separate_fn(void *arg);
void elf_file_set_separate(struct elf_file *e, elf_separate_fn *separate, void *arg);

struct elf_symbol {
	const char *name;
	uint64_t address; /* link-time */
	uint64_t size;
	bool is_function; /* STT_FUNC or STT_GNU_IFUNC, or untyped where a function begins */
	bool is_ifunc;
	bool is_untyped; /* as labels of assembly are */
	bool global, weak;
	bool hidden; /* from other files, whatever it is in its own */
};

/*
 * All defined symbols, sorted by address; of aliases the better name first (typed, then fewest
 * leading underscores, then global over weak over local, then the shortest).  Read at the first
 * call: those of .symtab; of a stripped file those of the .symtab of its separate debug file, else
 * of .dynsym and .gnu_debugdata.
 *
 * An untyped symbol is a function's if a typed one at its address is, or if its call frame
 * information begins there: assemblers leave the type to the programmer.  Others are labels in
 * functions, or data among code.
 */
MUST_CHECK struct error *elf_file_symbols(struct elf_file *e, const struct elf_symbol **ret,
					  size_t *count);

/* Has E functions of C++ outside of namespaces and classes (demangle.h: is_mangled_unscoped())? */
bool elf_file_has_unscoped(struct elf_file *e);

/* Negative: A's name is the better one of two names of one function. */
int elf_symbol_compare_names(const struct elf_symbol *a, const struct elf_symbol *b);

/* Those that begin at ADDRESS, the best name first, and their count; maybe none. */
const struct elf_symbol *elf_file_symbols_at(struct elf_file *e, uint64_t address, size_t *count);

/*
 * The symbol NAME, or NULL: a global one rather than a weak or local one, and of those with
 * versions (x@V1, x@@V2) the one that programs are linked with.
 */
const struct elf_symbol *elf_file_symbol_named(struct elf_file *e, const char *name);

/*
 * All that are called exactly NAME, in the order of elf_file_symbols():
 *
 *	struct elf_named named = elf_file_named(e, name);
 *	while ((symbol = elf_named_next(&named)))
 */
struct elf_named {
	struct elf_file *file;
	const char *name;
	bool in_table; /* which another search may make while this one goes on */
	size_t at;
};
struct elf_named elf_file_named(struct elf_file *e, const char *name);
const struct elf_symbol *elf_named_next(struct elf_named *n); /* NULL: there is no other */

/*
 * The one that is called NAME, or NULL: there is none, or there are several at different addresses,
 * and it is not known which one is meant.
 */
const struct elf_symbol *elf_file_symbol_sole(struct elf_file *e, const char *name);

/* Is ADDRESS in a part of the file that is mapped to be run? */
bool elf_file_is_code(const struct elf_file *e, uint64_t address);
/* Is ADDRESS in a part of the file that is mapped to be written to? */
bool elf_file_is_writable(const struct elf_file *e, uint64_t address);

/* Was E written in Go?  It has goexit(), which never calls anything: each goroutine returns there.
 */
bool elf_file_is_go(struct elf_file *e);
bool elf_symbol_is_goexit(const struct elf_symbol *symbol);

/* A variable of which each thread has its own.  Those are not among the symbols. */
struct elf_thread_local {
	const char *name;
	uint64_t offset, size; /* in the file's block of each thread */
	bool is_local;	       /* of the file alone */
};

/* The variable NAME that E defines, or NULL: there is none. */
const struct elf_thread_local *elf_file_thread_local(struct elf_file *e, const char *name);

/*
 * From the thread pointer to the block of the program E, on a machine with CONTROL_SIZE (arch.h:
 * thread_block).  False: E has none.  The blocks of libraries are where the dynamic linker puts
 * them.
 */
bool elf_file_program_block(const struct elf_file *e, unsigned control_size, int64_t *ret);

/*
 * The link-time ADDRESS of a word in which the dynamic linker stores how far it is from the thread
 * pointer to the byte PLUS of E's block: a word with such a RELOCATION.  False: there is none; then
 * E looks up its block for each access.
 */
bool elf_file_block_word(const struct elf_file *e, uint32_t relocation, uint64_t *address,
			 uint64_t *plus);

/*
 * The function (else object) symbol that covers ADDRESS, or NULL.  A symbol of
 * size 0 in code, as assembly leaves them, reaches to the next one.
 */
const struct elf_symbol *elf_file_symbol_at(struct elf_file *e, uint64_t address);

/* Link-time address <-> offset in the file, through PT_LOAD.  False: in no segment. */
bool elf_file_offset(const struct elf_file *e, uint64_t address, uint64_t *ret);
bool elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *ret);
/* The same of what a writable segment has in memory after the file's bytes (.bss). */
bool elf_file_zeroed_address(const struct elf_file *e, uint64_t offset, uint64_t *ret);

/* Where the INDEXth part of the file that is to be mapped begins, or false: there are fewer. */
bool elf_file_segment(const struct elf_file *e, size_t index, uint64_t *offset, uint64_t *address);

/* How many segments have code. */
unsigned elf_file_code_segments(const struct elf_file *e);

/* Bytes of the file at a link-time address (for decoding instructions): up to LEN, maybe fewer. */
struct bytes elf_file_code(const struct elf_file *e, uint64_t address, size_t len);

/* All of the file, for libelf, which may change headers in it; the file itself stays as it is. */
void *elf_file_image(const struct elf_file *e, size_t *size);

/* Without .symtab: only exported symbols have a name. */
bool elf_file_is_stripped(struct elf_file *e);

uint64_t elf_file_entry(const struct elf_file *e);
unsigned elf_file_word(const struct elf_file *e);    /* bytes of an address: 8 or 4 */
uint16_t elf_file_machine(const struct elf_file *e); /* EM_* */

/* The symbol NAME of a 64-bit file's dynamic linking, without reading all symbols. */
bool elf_file_exported(const struct elf_file *e, const char *name, uint64_t *address,
		       uint64_t *size);
/* Whether the file has a section NAME, compressed or not. */
bool elf_file_has_section(const struct elf_file *e, const char *name);
/* The bytes of the section NAME if it is in the file and not compressed; false: there is none. */
bool elf_file_section(const struct elf_file *e, const char *name, struct bytes *ret,
		      uint64_t *address);
/* .eh_frame_hdr, found as by a loader; empty: there is none. */
struct bytes elf_file_frame_header(const struct elf_file *e, uint64_t *address);

/*
 * Up to COUNT words of the file at the link-time ADDRESS, where pointers are link-time addresses;
 * so many are there.  Of 64-bit files.
 */
size_t elf_file_words(const struct elf_file *e, uint64_t address, size_t count, uint64_t *ret);

/*
 * The name of the symbol whose address the dynamic linker stores at the link-time ADDRESS, a stub's
 * pointer (.got.plt); NULL: it stores no symbol's.
 */
const char *elf_file_pointer_symbol(const struct elf_file *e, uint64_t address);
/* The first such address of the symbol NAME; false: E has none. */
bool elf_file_symbol_pointer(const struct elf_file *e, const char *name, uint64_t *ret);

struct bytes elf_file_build_id(const struct elf_file *e); /* empty: there is none */
/* The name in .gnu_debuglink and the checksum of the file of that name, or NULL. */
const char *elf_file_debug_link(const struct elf_file *e, uint32_t *checksum);

/* The file was truncated after it was opened: what was read of it since may be zeros. */
bool elf_file_lost_bytes(const struct elf_file *e);

/* The memory used for the data read so far. */
size_t elf_file_memory(const struct elf_file *e);

/*
 * elf_note.c - the notes of a section or segment, one after the other
 *
 *	u32 length of the owner, length of the descriptor, type; the owner, a string with its NUL;
 *	the descriptor; both padded to a multiple of 4
 *
 * The padding of the last descriptor may be missing.
 */

struct elf_note {
	uint32_t type;
	struct bytes owner, descriptor; /* without their padding */
};

/* The next note of NOTES.  False: it is not whole. */
bool elf_note_next(struct bytes *notes, struct elf_note *ret);

/* Is the note OWNER's, whose rules say what its type means? */
bool elf_note_is_of(const struct elf_note *n, const char *owner);

/*
 * ctf.c - the functions and types of a file's section .ctf, as BTF
 *
 * CTF is what gcc -gctf writes: types, compressed or not, common ones of all compilations and those
 * of each one, with names in the file's own string tables.  binutils' libctf reads all that, so it
 * does here, loaded at the first request of such a section.  BTF has the same kinds of types, so
 * the rest of dtrace knows BTF only.
 *
 * Functions are those that ld lists: the ones in the file's dynamic symbol table, so all that a
 * library exports, and of a program those that -rdynamic exports.
 */

/* Appends to RET; nothing, if there is no such section. */
MUST_CHECK struct error *ctf_to_btf(const struct elf_file *file, struct strbuf *ret);

#endif
