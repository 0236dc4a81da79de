/* SPDX-License-Identifier: BSD-2-Clause */
/* pid - declarations shared by the files of the pid provider; the theory is in pid.c */
#ifndef PROVIDER_PID_H
#define PROVIDER_PID_H

#include "probe/probe.h"
#include "provider/process/pid_object.h"
#include "provider/process/pid_site.h"

/* One description, and the state of its search through the objects of its process. */
struct pid_search {
	struct probe_db *db;
	const struct probe_desc *desc;
	int pid;
	bool of_every_process;	   /* pid*: pid_files.h */
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
	const char *ifunc;	  /* the function is an ifunc, in this module */
	uint64_t named_at; /* the address of the current function's names: for an ifunc its own
			    * address */
	size_t sites;
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
/* Make the probe or add a site to it; NULL: another object has the name. */
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

#endif
