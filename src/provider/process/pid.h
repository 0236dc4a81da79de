/* SPDX-License-Identifier: BSD-2-Clause */
/* pid - declarations shared by the files of the pid provider; the theory is in pid.c */
#ifndef PROVIDER_PROCESS_PID_H
#define PROVIDER_PROCESS_PID_H

#include "abi/event.h"
#include "arch/arch.h"
#include "base/base.h"
#include "object/dwarf/parameter.h"
#include "object/object.h"
#include "probe/probe.h"
#include "provider/process/pid_object.h"

/* --- pid_site.c --- */

struct pid_variables;

/* The places of one probe in its object: more than one for static functions of one name. */
struct pid_probe {
	struct pid_object *object;	 /* first, for mapped_files.h; outlives this struct */
	VECTOR(struct event_site) sites; /* the event's */
	VECTOR(uint64_t) functions; /* where their functions begin, link-time: these have names */
	char *note;		    /* the probe's */
	struct pid_arguments *arguments; /* pid_arguments.c; NULL: nobody asked for args[] */
	struct pid_variables *variables; /* pid_lines.c; NULL: none was asked for */
	struct pid_copies *copies;	 /* pid_inlined.c; NULL: none */
	VECTOR(const char *) around;	 /* pid_functions_around() */
};

struct pid_probe *pid_probe_new(struct pid_object *object);
void pid_probe_free(void *probe);
/* Add a site, once, even if called again; FUNCTION 0: it is in no function. */
void pid_probe_add_site(struct pid_probe *p, struct event_site site, uint64_t function);

/* The offset of an entry probe for the function at ADDRESS; false: it cannot be probed. */
bool pid_site(const struct elf_file *elf, uint64_t address, uint64_t *ret);
/* The offset of the instruction at ADDRESS itself; false: it cannot be probed. */
bool pid_site_exact(const struct elf_file *elf, uint64_t address, uint64_t *ret);

/* Does the kernel emulate the instruction of pid_site() or, if EXACT, of pid_site_exact()? */
bool pid_site_is_emulated(const struct elf_file *elf, uint64_t address, bool exact);

/*
 * Why a kernel return probe on SYMBOL would break the process, in a few words; NULL: no
 * reason is known.  *RETURNS: the function returns, or may return.
 */
const char *pid_return_danger(const struct elf_file *elf, const struct elf_symbol *symbol,
			      bool *returns);

/* --- pid.c --- */

/* One description, and the state of its search through the objects of its process. */
struct pid_search {
	struct probe_db *db;
	const struct probe_desc *desc;
	int pid;
	bool of_every_process;	   /* pid*: pid_files.c */
	bool entry, leave;	   /* these names are wanted */
	bool inside;		   /* names that are or may match an offset are wanted */
	bool offset_is_plain;	   /* one offset, */
	uint64_t offset;	   /* this one */
	bool function_is_plain;	   /* named in full */
	pid_object_vector objects; /* all of the process's, or of every process */

	bool found_object;
	struct error *unreadable; /* why the program itself cannot be read */
	bool is_go;		  /* is the current object of Go? */
	const char *danger;	  /* why a matching function has no probe, */
	int danger_tag;		  /* and the tag of this reason; */
	bool exits_unknown;	  /* the kernel's return probe would do (-x pidret=kernel) */
	unsigned slow;		  /* functions that pidfast alone leaves out */
	const char *ifunc;	  /* the function is an ifunc, in this module */
	uint64_t named_at; /* the address of the current function's names: for an ifunc its own
			    * address */
	const char
		*inlined; /* what became of the function, if that is why it has no probe; or NULL */
	size_t sites, sites_before; /* so far, before the current object */
};

static inline struct pid_object *pid_object_of(const struct probe *probe)
{
	return ((const struct pid_probe *)probe->data)->object;
}

/* Does the description match OBJECT's module? */
bool pid_module_wanted(const struct pid_search *s, const struct pid_object *object);

/*
 * The objects mapped by PID, which is in PROVIDER's name; an error, with its tag, if it cannot be
 * traced.  The caller frees the vector in either case.
 */
MUST_CHECK struct error *pid_grab(struct probe_db *db, const char *provider, int pid,
				  pid_object_vector *ret);

/* --- pid_make.c --- */
/* Make the wanted probes of the function SYMBOL; s->danger: why some could not be made. */
void pid_function_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *symbol);
/* The probe of these names, maybe without an event; NULL: another object has the name. */
struct probe *pid_probe_take(struct pid_search *s, struct pid_object *object, const char *function,
			     const char *name);
/* The same with an event, to which SITE is added. */
struct probe *pid_probe_make(struct pid_search *s, struct pid_object *object, const char *function,
			     const char *name, struct event_site site);

/* Count FUNCTION of OBJECT, which a pattern matches but which gets no probe:
 * probe_db_leave_out(). */
void pid_leave_out(const struct pid_search *s, const struct pid_object *object,
		   const char *function, const char *why, bool by_name);

/* --- pid_watch.c: struct provider_code and provider_files --- */
MUST_CHECK struct error *pid_code_watch(struct probe_db *db, int pid, code_site_fn *watch,
					void *arg, bool *had_it);
bool pid_code_has_changed(struct probe_db *db, int pid);

/* pid_missing.c: the error for a search without result; NULL: there is none to report. */
MUST_CHECK struct error *pid_nothing_found(const struct pid_search *s);

/* pid_name.c: struct provider_process */
enum probe_name pid_names_mean(const struct probe_desc *desc);

/* --- pid_arguments.c --- */

struct pid_arguments;

const struct probe_args *pid_arguments(struct probe_db *db, const struct probe *probe);
void pid_arguments_free(struct pid_arguments *a); /* NULL is fine */

/* The address after the comparison in the function at ADDRESS: ADDRESS if it has none. */
uint64_t pid_go_begin(struct elf_file *elf, uint64_t address);

/* --- pid_call.c --- */

/* The place P of a variable in RET, which has its type. */
void pid_call_variable(const struct arch *arch, const struct parameter_place *p,
		       struct probe_argument *ret);

/* Fill in the places and problems of LIST, F's parameters.  ARCH: what F's code is for. */
void pid_call_arguments(const struct arch *arch, struct types *t, const struct object_function *f,
			struct probe_argument *list);
/* The place of F's result in RET, which has its type. */
void pid_call_result(const struct arch *arch, struct types *t, const struct object_function *f,
		     struct probe_argument *ret);

/* Go's functions have several results: their places in LIST, which has their types. */
void pid_call_go_results(const struct arch *arch, struct types *t, const struct object_function *f,
			 struct probe_argument *list);

/* --- pid_inlined.c --- */

struct pid_copies;
struct pid_inlined;

/* Add the inlined copies of the function that S names in full to its entry probe. */
void pid_inlined_search(struct pid_search *s, struct pid_object *object);
/* ARGS of PROBE, which has copies, by the function's own code, if any: as all of them have it. */
void pid_copies_arguments(struct types *t, const struct probe *probe, struct probe_args *args);
/* Where the frame of the function with the link-time ADDRESS is. */
struct frame_place pid_frame_at(const struct pid_object *object, uint64_t address);
void pid_copies_free(struct pid_copies *c);   /* NULL is fine */
void pid_inlined_free(struct pid_inlined *i); /* the same */

/* --- pid_lines.c: struct provider_process --- */
const struct probe_argument *pid_variable(struct probe_db *db, const struct probe *probe,
					  const char *name);
void pid_variables_free(struct pid_variables *v); /* NULL is fine */
const char *const *pid_functions_around(const struct probe *probe);

/* At the first instruction of a function its registers are those of the entry. */
void pid_place_at_entry(const struct pid_object *object, uint64_t address,
			struct parameter_place *p);
/* Where the function's stack pointer at its entry is, at a place with the frame CFA. */
struct arg_location pid_frame_location(const struct pid_object *object,
				       const struct frame_place *cfa);

/* --- pid_frames.c --- */

#define PID_FRAMES_PREFIX "fde:"

/* Does FUNCTION, of a description, mean functions without a name? */
bool pid_frames_wanted(const char *function);

/* Call MAKE for each function of OBJECT that S means, until it returns an error. */
typedef struct error *pid_function_fn(struct pid_search *s, struct pid_object *object,
				      const struct elf_symbol *function);
MUST_CHECK struct error *pid_frames_search(struct pid_search *s, struct pid_object *object,
					   pid_function_fn *make);

/* Does FUNCTION mean stubs of the linker, puts@plt?  The same for these. */
bool pid_stubs_wanted(const char *function);
MUST_CHECK struct error *pid_stubs_search(struct pid_search *s, struct pid_object *object,
					  pid_function_fn *make);

/* --- pid_lines.c --- */

#define PID_LINE_NAME "line"

/* Does FUNCTION, of a description, mean lines? */
bool pid_lines_wanted(const char *function);

/* Why the instruction at ADDRESS cannot be probed; NULL: it can, at *SITE of the file. */
const char *pid_place_danger(struct pid_object *object, uint64_t address, uint64_t *site);

/* Make the probes of OBJECT's lines that S means; s->line_*: why there are none. */
void pid_lines_search(struct pid_search *s, struct pid_object *object);

/* The error for a search without result. */
MUST_CHECK struct error *pid_lines_missing(const struct pid_search *s);

/* --- pid_name.c --- */

/* Is it the name of a function in full, without a scope, rather than a pattern? */
bool pid_name_is_plain(const char *function);

/* Is the symbol NAME called FUNCTION, which is plain? */
bool pid_name_is(const char *function, const char *name);

/* Is the symbol NAME meant by FUNCTION? */
bool pid_name_match(const char *function, const char *name);

/* Does FUNCTION, a pattern, fit what a programmer wrote of the symbol NAME, :: or not? */
bool pid_name_match_written(const char *function, const char *name);

/* --- pid_files.c --- */

/* The files that S's description means, into S: an error, with its tag, if it cannot mean any. */
MUST_CHECK struct error *pid_files_find(struct pid_search *s);
/* The error for a search that found no file. */
MUST_CHECK struct error *pid_files_missing(const struct pid_search *s);

/* struct provider_process */
bool pid_of_every_process(const struct provider *self, const struct probe_db *db,
			  const char *field);

#endif
