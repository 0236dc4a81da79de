/* SPDX-License-Identifier: BSD-2-Clause */
/* pid - what the files of the pid provider share; pid.c tells the whole */
#ifndef PROVIDER_PID_H
#define PROVIDER_PID_H

#include "probe/probe.h"
#include "provider/pid_object.h"
#include "provider/pid_site.h"

/* One description on its way through the objects of its process. */
struct pid_search {
	struct probe_db *db;
	const struct probe_desc *desc;
	int pid;
	bool entry, leave;	   /* these names are wanted */
	bool inside;		   /* a name that is or may mean an offset is wanted */
	bool offset_is_plain;	   /* one offset, */
	uint64_t offset;	   /* this one */
	bool function_is_plain;	   /* named in full */
	pid_object_vector objects; /* all of the process's */

	bool found_object;
	struct error *unreadable; /* why the program itself cannot be read */
	bool is_go;		  /* the object at hand */
	bool by_exits;		  /* of the object at hand: returns are found in the code */
	const char *danger;	  /* why a function that was found has no probe, */
	int danger_tag;		  /* and the tag of that */
	const char *ifunc;	  /* the function in question is one, in this module */
	uint64_t named_at; /* where the function at hand has its names: an ifunc's own address */
	size_t sites;
};

static inline struct pid_object *pid_object_of(const struct probe *probe)
{
	return ((const struct pid_probe *)probe->data)->object;
}

/* Is OBJECT's module the one that the description means? */
bool pid_module_wanted(const struct pid_search *s, const struct pid_object *object);

/*
 * What PID, of which PROVIDER's name tells, has mapped; an error, with its tag, says why it cannot
 * be traced.  The caller frees the vector in either case.
 */
MUST_CHECK struct error *pid_grab(struct probe_db *db, const char *provider, int pid,
				  pid_object_vector *ret);

/* --- pid_make.c --- */
/* What is wanted of the function SYMBOL; s->danger says why something could not be. */
void pid_function_make(struct pid_search *s, struct pid_object *object,
		       const struct elf_symbol *symbol);
/* A probe with one more site; NULL: another object has the name. */
struct probe *pid_probe_make(struct pid_search *s, struct pid_object *object, const char *function,
			     const char *name, struct event_site site);

/* A pattern means FUNCTION of OBJECT, which gets no probe: counted, see probe_db_leave_out(). */
void pid_leave_out(const struct pid_search *s, const struct pid_object *object,
		   const char *function, const char *why, bool by_name);

/* --- pid_watch.c: struct provider's of the same names --- */
MUST_CHECK struct error *pid_code_watch(struct probe_db *db, int pid, code_site_fn *watch,
					void *arg, bool *had_it);
bool pid_code_has_changed(struct probe_db *db, int pid);

/* pid_missing.c: what is worth telling when a search has found nothing; NULL: nothing is. */
MUST_CHECK struct error *pid_nothing_found(const struct pid_search *s);

#endif
