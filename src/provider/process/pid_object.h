/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_object - the files that a process runs code from
 *
 * An object is an image (image/) in a process, or in the tree of a process (-x follow): then its
 * `pid` is the root's, its events are in each process that runs the file, and it stays mapped.  It
 * lives as long as its table, which the probe
 * database owns, because probes point to it.  Mappings are read again at each search, so
 * libraries loaded later are found.
 */
#ifndef PROVIDER_PROCESS_PID_OBJECT_H
#define PROVIDER_PROCESS_PID_OBJECT_H

#include "arch/arch.h"
#include "base/base.h"
#include "image/image.h"
#include "object/object.h"
#include "probe/probe.h"
#include "process/process.h"

struct pid_table;

/* The code at IMPLEMENTATION is what the ifunc at IFUNC chooses; link-time addresses. */
struct pid_ifunc {
	uint64_t implementation, ifunc;
};

/* A process in the tree of `target`, whose files may be others than the root's. */
struct pid_member {
	int target, pid;
	bool is_read; /* its mappings, since it reported new code */
};

struct pid_object {
	struct pid_table *table;    /* contains the object, if it is of one process */
	int pid;		    /* 0: of every process */
	int seen_by;		    /* a process that has mapped the file */
	VECTOR(int) mappers;	    /* of every process: all that have, at the last look */
	VECTOR(const char *) paths; /* of every process: of pid_table.modules, where it is */
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	char *module;			    /* base name; after LM1` etc. if link_map is not 0 */
	unsigned link_map;		    /* the only one that has the file; or 0 */
	struct image *image;		    /* NULL: refused */
	struct code_uses *uses;		    /* of its image (pid_parts.c); NULL: not needed yet */
	struct hash *exits;		    /* pid_exits.c; NULL: none asked */
	VECTOR(struct pid_ifunc) choices;   /* pid_ifunc.c; */
	bool choices_known;		    /* they have been looked up */
	struct file_declarations *declared; /* usdt_declared.c; NULL: nobody asked, or none */
	struct hash *usdt_sites;	    /* of probes: which they have (usdt_make.c); or NULL */
	struct hash *usdt_events;    /* of probes, by the places of their arguments: number + 1 */
	uint64_t contents;	     /* of every process: a hash (mapped_files.h) */
	unsigned probes;	     /* of it that are not retired */
	unsigned last_look;	     /* at which it was mapped (mapped_files.c) */
	struct pid_inlined *inlined; /* pid_inlined.c; NULL: no function was looked for */
	struct hash *red_zones;	     /* of its functions (pid_red_zone.c); NULL: none asked */
	bool knows_link_map, has_probes; /* then the module keeps its name */
	bool was_looked_at;		 /* pid_watch.c */
	bool is_main;			 /* the executable: a.out */
	bool is_mapped;			 /* at the last call of pid_objects() */
	bool is_matched; /* descriptions have been matched since it was mapped (pid_watch.c) */
	bool is_watched; /* a dynamic linker, where our program is attached */
};

typedef VECTOR(struct pid_object *) pid_object_vector;

/* What a description calls files of every process: a name, a pattern, or a path, which is now the
 * file that one process has there. */
struct pid_module {
	char *text;
	struct seen_path seen;
};

/* The provider's data for a database: all objects seen. */
struct pid_table {
	struct mapped_files *files; /* of every process: first, for its hooks; NULL: none meant */
	VECTOR(struct pid_module) modules; /* of these files (pid_files.c) */
	struct probe_db *db;		   /* which owns this */
	struct images *images;		   /* of the database's settings; */
	bool owns_images;		   /* if they have none, our own */
	struct mapping *ours;		   /* mappings of our own process; NULL: not read yet */
	size_t our_count;
	struct event_args go_args[3];	       /* of code of Go, */
	struct event_args narrow_args[3];      /* of code of 32 bits (pid_make.c) */
	bool red_zone_tried, red_zone_is_safe; /* what the kernel does (pid_red_zone.c) */
	pid_object_vector known;
	VECTOR(struct pid_member) members;
	size_t members_allowed; /* with more, those that have ended are removed */
	struct {
		unsigned round; /* of probe_db_match(); 0: none */
		int pid;
		pid_object_vector objects;
	} last; /* what pid_objects() found */
};

void *pid_table_new(struct probe_db *db);
void pid_table_free(void *table);
struct pid_table *pid_table_of(struct probe_db *db);
void pid_code_unwatch(struct probe_db *db, int pid); /* struct provider_code */

/* Is PID the root of a tree that is traced? */
bool pid_is_followed(const struct pid_table *t, int pid);
void pid_code_join(struct probe_db *db, int target, int pid); /* struct provider_code */
/* Whose objects those of PID are: PID's own, or those of the root of its tree. */
int pid_owner(const struct pid_table *t, int pid);

/*
 * A new object of the mapping M of SEEN_BY, in none of T's lists; PID: the process that it is of.
 */
struct pid_object *pid_object_new(struct pid_table *t, int pid, int seen_by,
				  const struct mapping *m);
void pid_object_free(struct pid_object *o);

/* The objects of PID now, by address; of its tree, if it is followed.  The caller frees the vector
 * only. */
MUST_CHECK struct error *pid_objects(struct pid_table *t, int pid, pid_object_vector *ret);
/* The same as found in this round of matching: formulas match hundreds of functions in one. */
bool pid_objects_of_round(const struct pid_table *t, int pid, pid_object_vector *ret);
void pid_objects_keep(struct pid_table *t, int pid, const pid_object_vector *objects);

/* Where the object's events are; without sites. */
struct event_code pid_object_code(const struct pid_object *object);

/* Open the object's file; an error if it cannot be read. */
MUST_CHECK struct error *pid_object_open(struct pid_object *object);
struct elf_file *pid_object_elf(const struct pid_object *object); /* NULL: it cannot be read */

/* pid_arguments.c: the types of its file; *WHY: image_btf()'s. */
struct file_types pid_object_types(const struct pid_object *object, const char **why);

struct mapping;
/* Does M, a mapping of a process, map the object's file, and is the object PID's? */
bool pid_object_is(const struct pid_object *o, int pid, const struct mapping *m);

/* Is MODULE another name of the object: a.out, its name up to or including ".so", its path?  A
 * path is as the object's process sees it, or if it is of every process, as one that maps it does.
 */
bool pid_object_alias(const struct pid_object *object, const char *module);

void pid_files_free(struct pid_table *t); /* pid_files.c */

/* Does MODULE name the file in another link map?  Of a file in several, the probes are one. */
bool pid_object_is_other_copy(const struct pid_object *object, const char *module);

/* The object whose code PID has mapped at ADDRESS; *OFFSET: in its file.  NULL: none. */
struct pid_object *pid_object_at(struct pid_table *t, int pid, uint64_t address, uint64_t *offset);

/* The object whose file PID has mapped from ADDRESS on, if code of it is mapped; NULL: none. */
struct pid_object *pid_object_beginning_at(struct pid_table *t, int pid, uint64_t address);

/* pid_arch - what the code of a traced file is for: this machine, or its programs of 32 bits */
/* NULL: we know nothing of such code, and the file is not traced (pid_object_open()). */
static inline const struct arch *pid_arch(const struct elf_file *elf)
{
	return arch_of_program(arch_host(), elf_file_word(elf), elf_file_machine(elf));
}

/* --- pid_red_zone.c --- */

/* Why a probe at ADDRESS (link-time) of O's code would do damage; NULL: it would not. */
const char *pid_red_zone_danger(struct pid_object *o, uint64_t address);

/* --- pid_ifunc.c --- */

enum pid_choice {
	PID_CHOICE_UNKNOWN,
	PID_CHOICE_KNOWN, /* known: at a link-time address of OBJECT */
	PID_CHOICE_VDSO,  /* in the kernel's vDSO, in no file */
};

/*
 * The implementation that OBJECT's ifunc NAME chooses.  It is known if our own process maps the
 * same file (the C library), or a copy with the same build id: both run on the same processor.
 */
enum pid_choice pid_ifunc_chosen(const struct pid_object *object, const char *name,
				 uint64_t *address);

/* The ifunc of OBJECT, whose file is open, that chooses the code at ADDRESS: the one with the best
 * name.  NULL: none is known. */
const struct elf_symbol *pid_ifunc_at(struct pid_object *object, uint64_t address);

/* --- pid_exits.c --- */

#define DESTINATIONS_MOST 32

typedef VECTOR(struct event_site) site_vector;

/*
 * Append the sites of SYMBOL's return probe, those of SYMBOL itself first.  None: it never
 * returns.  ONLY_EMULATED: none that the kernel would single-step.  The result is NULL, or why the
 * exits are not known; pid_exits_are_slow: some would be single-stepped.
 */
extern const char pid_exits_are_slow[];
const char *pid_exits(struct pid_object *object, const struct elf_symbol *symbol,
		      bool only_emulated, site_vector *ret);

/* What pid_exits() knows of the functions of an object. */
void pid_exits_free(struct hash *exits); /* NULL is fine */

#endif
