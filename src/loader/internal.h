/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of loader/; see loader.h */
#ifndef LOADER_INTERNAL_H
#define LOADER_INTERNAL_H

#include <linux/bpf.h>
#include <pthread.h>

#include "abi/interpreted.h"
#include "executor/flight.h"
#include "executor/unwind_pool.h"
#include "kernel/kernel.h"
#include "loader/loader.h"

/* Maps of the run-time library (library_map.def, maps.c). */
enum library_map {
#define MAP(name, type, key, value, entries, flags, make) LIBRARY_##name,
#include "loader/library_map.def"
#undef MAP
	LIBRARY_COUNT,
};

/* --- the loaded program (load.c) --- */
struct loaded {
	const struct program *program; /* a loan */
	void *state;		       /* the state region (abi/state.h), mapped */
	size_t state_size;
	struct control *control;
	struct area_counters *counters;	   /* one for each possible CPU */
	struct clause_drops *clause_drops; /* [CPUs][clauses]; NULL: not wanted */
	char *globals, *keyless;
	int *maps;		    /* program->map_count descriptors */
	int *programs;		    /* program->group_count descriptors */
	int library[LIBRARY_COUNT]; /* -1: not made */
	int thread_exit;	    /* program for sched_process_exit, or -1 */
	int thread_switch;	    /* for sched_switch, or -1 */
	/* Reports of code that arrives (struct arrival), or -1: */
	int code_mapped;      /* for a dynamic linker's function for debuggers; on demand, below */
	int program_executed; /* for sched_process_exec */
	int process_forked, process_ended, process_freed; /* keep the set of members of trees; or
							     -1 */
	int calls_ended, calls_executed;		  /* cells of calls (abi/call.h); or -1 */
	int exits_ended, exits_executed, exits_forked;	  /* notes of returns (abi/exit.h); or -1 */
	int cgroup_made, cgroup_released; /* keep the set of control groups; or -1 */
	uint64_t *cgroup_cells;		  /* mapped; NULL: no program tests control groups */
	uint32_t copies_size;		  /* bytes of LIBRARY_stack_copies */
	struct code_texts *code_texts;	  /* mapped; NULL: no program needs interpreters' frames */
	int file_key;			  /* program that calls RT_file_key(); or -1; on demand */
	struct table_pool pool;
	int *rings; /* ring_count of them: CPU n writes to n % ring_count; -1: none */
	unsigned ring_count;
	bool ring_lowered; /* memory was short */
	uint32_t ring_size;
	void *flight; /* bufpolicy=ring: flight_count recorders (abi/state.h), mapped; else NULL */
	size_t flight_size;
	uint32_t flight_count, flight_stride;
	bool speculation_lowered;  /* memory was short */
	uint32_t speculation_size; /* as it became; 0: the program has no speculations */
	/* Bytes that aggregations and arrays got where the kernel refused more; else 0. */
	uint64_t aggregation_lowered, dynamic_lowered;
	/* Opened by loader_source(): by CPU, NULL where there is none; the other rings. */
	struct ring **opened, *arrivals_opened, *copies_opened;
	struct flight_memory flight_memory;
	uint32_t exit_groups;	 /* so many programs have followed jumps: a number for each */
	VECTOR(int) parts;	 /* for each group in parts: the kernel's array of its programs */
	VECTOR(int) descriptors; /* all of the above and more, to close */
	struct link_set links;	 /* of programs that are attached as they are loaded */
	struct maps *maps_made;	 /* the loader's */
};

#define ARRIVALS_SIZE 65536 /* 1,100 of them; whole pages everywhere */

/* Nothing is attached yet.  On error nothing stays open. */
MUST_CHECK struct error *loader_load(const struct program *p,
				     const struct executor_options *options, struct loaded *ret);
/*
 * P, too (executor.h): PROGRAMS gets P's group_count descriptors, and OWN those of the maps that
 * only P uses, or -1.  LOADED closes them.
 */
MUST_CHECK struct error *loader_load_more(const struct program *p,
					  const struct executor_options *options,
					  struct loaded *loaded, int *programs, int own[2]);
void loaded_deinit(struct loaded *l);

/* --- attachments (attach.c) --- */
enum attach_when {
	ATTACH_FIRST,
	ATTACH_CPU_CAME, /* all is attached already; only_cpu has just come online */
	ATTACH_CPU_LEFT, /* attachments to one CPU go to one_cpu: the CPU went offline */
};

/* Events of one group, to be attached to its loaded program. */
struct attach_request {
	const struct group_code *group;
	int program; /* fd */
	int pid;     /* not 0: events in this process alone; 0: those in no particular one */
	int tree;    /* not 0: events of this tree, in PID alone, which is a member of it */
	enum attach_when when;
	int only_cpu; /* the only one that is traced, or -1 */
	int one_cpu;  /* where events go that happen on one CPU and do not mind which */
	/* See executor_request. */
	struct error *(*refused)(void *arg, unsigned number, uint32_t event, bool alone,
				 struct error *why);
	void *arg;
	unsigned number;   /* of the group */
	bool finds_places; /* finds_places() */
};

/*
 * Let the program run at these events.  BEGIN and END need no attaching.  On error nothing
 * stays attached.
 */
MUST_CHECK struct error *loader_attach(const struct attach_request *request,
				       struct link_set *links);

/* --- a run (executor.c) --- */
/* A program and its descriptors, one for each group. */
struct running {
	const struct program *program; /* NULL: released */
	int *fds;		       /* of its groups */
	unsigned fd_count;
	bool *counts;	       /* for each: what the kernel skips is a loss */
	int own[2];	       /* maps that no other program uses; -1: none */
	struct link_set links; /* of a program of load_more(), but those of processes */
};

/* Programs whose links a thread closes (release.c). */
struct releasing {
	VECTOR(unsigned) next; /* programs to be released after those */
	VECTOR(unsigned) now;  /* while the thread runs */
	pthread_t thread;
	bool has_thread, is_done;
	struct link_set ended; /* of processes that have ended: to be closed, too */
	struct link_set links; /* the thread's */
	uint64_t missed;       /* firings of released programs that the kernel skipped */
};

/* A process with its own events. */
struct traced_process {
	int pid;
	int target;	     /* the root of the tree whose events it has (members.c), or 0 */
	uint64_t start_time; /* likewise */
	struct link_set links;
	struct link_set dead; /* links that put no probe anywhere any more */
	bool is_lost;	      /* reported: it no longer has probes */
};

struct kernel_run {
	struct executor_options options;
	struct loaded loaded;
	VECTOR(struct running) running; /* that of load(), then those of load_more() */
	VECTOR(struct traced_process) processes;
	VECTOR(struct event_code) linkers;    /* of trees: watched in each member (members.c) */
	struct link_set links;		      /* but those of processes */
	struct link_set watcher_links;	      /* closed after the others, which is faster */
	bool watches_programs;		      /* executed by watched processes */
	bool has_trees;			      /* their members' forks and ends are watched */
	bool watches_exits, watches_switches; /* of threads: attached */
	bool watches_calls[5]; /* notes: as processes end, execute and fork; values: the first two
				*/
	bool slow_end_told;
	bool unseen_reported;	   /* firings at semaphores before programs (link_set) */
	uint64_t unreached_before; /* firings that reached no program before tracing began */
	VECTOR(int) deep;	   /* reported: processes of which returns are missing, or may be */
	bool has_log;
	int log;     /* the kernel's, of returns that it does not follow; -1: not readable */
	int one_cpu; /* where events go that happen on one CPU and do not mind which */
	struct cpus_seen cpus;
	struct releasing releasing;
	pthread_t detacher; /* closes the links while the end is printed */
	bool detaching;
};

/* release.c */
void run_release(void *run, unsigned program);
void release_ended(struct kernel_run *run); /* links in processes that are gone */
void release_step(struct kernel_run *run);
void release_end(struct kernel_run *run); /* all links go to run->links */
struct running running_of(const struct program *p, int *fds);
uint64_t running_missed(const struct running *r);
/* Close FD, one of the descriptors of L. */
void loaded_close(struct loaded *l, int fd);

/* follow.c: events to CPUs and processes, which come and go */
/* Events of the group N of R, in no particular process. */
struct attach_request attach_request_of(const struct kernel_run *run, const struct running *r,
					unsigned n);
MUST_CHECK struct error *follow_attach(void *run, const struct executor_request *request);
MUST_CHECK struct error *follow_watch(void *run, int pid, const struct event_code *linker);
MUST_CHECK struct error *follow_join(void *run, int pid, int target, uint32_t flags, bool *is_new);
void follow_forget(void *run, int pid);
struct traced_process *traced_process_of(struct kernel_run *run, int pid); /* made, if it is new */
/* Move all its links to TO; links being closed are closed. */
void follow_leave(struct traced_process *process, struct link_set *to);
void follow_first_threads(struct kernel_run *run);
void follow_lost_returns(struct kernel_run *run);
MUST_CHECK struct error *follow_cpus(struct kernel_run *run);
/* members.c */
bool members_are_private(const struct kernel_run *run);
/* Are GROUP's events of trees whose members have their own links? */
bool members_have(const struct kernel_run *run, const struct group_code *group);
/* PID is a member of TARGET's tree: what is attached from now on is attached there, too. */
struct traced_process *members_begin(struct kernel_run *run, int pid, int target);
MUST_CHECK struct error *members_attach(struct kernel_run *run, const struct attach_request *r);
MUST_CHECK struct error *members_watch(struct kernel_run *run, const struct event_code *linker);
void members_deinit(struct kernel_run *run);
MUST_CHECK struct error *members_add(void *run, int pid, int target); /* executor.h */
/* pin.c */
MUST_CHECK struct error *loader_pin(void *run, uint64_t names, const char *dir);
MUST_CHECK struct error *loader_adopt(const struct program *p, uint64_t names, const char *dir,
				      struct kernel_run *run);

/* --- the run-time library, as tools/embed-runtime took it apart (runtime.c) --- */
enum runtime_reference_kind {
	RUNTIME_CALL,	  /* target: a function */
	RUNTIME_FUNCTION, /* a function's address */
	RUNTIME_RING,	  /* a call of rt_ring(), which link.c writes */
	RUNTIME_EXTERN,	  /* target: an index of runtime_extern_name() */
};

struct runtime_reference {
	uint16_t instruction;
	int16_t target;
	uint8_t kind; /* enum runtime_reference_kind */
};

struct runtime_function {
	const char *name;
	uint32_t first, count; /* instructions */
	uint32_t at;	       /* of the first one, in bytes */
	uint32_t params;
	bool global;	/* verified by itself */
	uint32_t stack; /* the most bytes that it and the functions that it calls need */
};

const struct runtime_function *runtime_function(unsigned index);
unsigned runtime_function_count(void);
int runtime_find(const char *name);	    /* -1: none */
int runtime_row(enum rt_function function); /* the same of rt_name(FUNCTION) */
/* F's first instruction in runtime_bytes(); the instruction *AT, which is then the next one. */
const unsigned char *runtime_code(const struct runtime_function *f);
struct bpf_insn runtime_insn(const unsigned char **at);
struct bytes runtime_bytes(void);      /* of all functions */
struct bytes runtime_form_bytes(void); /* by which they are read */
/* References at or after INSTRUCTION, in order; ends with NULL at the table's end. */
const struct runtime_reference *runtime_references_from(uint32_t instruction,
							const struct runtime_reference **end);
const char *runtime_extern_name(int index);

/* --- a program while it is put together --- */
struct function_info { /* struct bpf_func_info */
	uint32_t instruction, type;
};

struct linker {
	const struct executor_options *options;
	struct loaded *loaded;
	const struct group_code *group; /* NULL: a function of the library alone */
	uint32_t table_offset;		/* of the group's probe table in the constants */
	VECTOR(struct bpf_insn) code;
	uint32_t head;	      /* instructions before the group's: see link_head() */
	int *placed;	      /* for each library function: its first instruction, or -1 */
	VECTOR(int) order;    /* library functions in the order of their places */
	uint32_t ring;	      /* first instruction of rt_ring(); 0: not there */
	int functions, files; /* exit_functions.c; 0: it has none */
	struct maps *maps;
};

/* load.c */
/* Nothing is there yet: all descriptors are -1. */
struct loaded loaded_init(const struct program *p);
/* GROUP's program, whose probe table is at TABLE_OFFSET in the constants. */
MUST_CHECK struct error *load_code(struct maps *m, const struct group_code *group,
				   uint32_t table_offset, const char *name, int *ret);
/* The same of a typed raw tracepoint, whatever GROUP's kind is. */
MUST_CHECK struct error *load_typed(struct maps *m, const struct group_code *group,
				    const char *tracepoint, const char *name, int *ret);
#define CHILD_TRACEPOINT "sched_process_fork"

/* watcher.c: those that are needed, except the one at dynamic linkers */
MUST_CHECK struct error *load_watchers(struct maps *m);
/* What answers RT_file_key(): loaded->file_key, unless it is loaded already. */
MUST_CHECK struct error *load_file_key(const struct executor_options *options,
				       struct loaded *loaded);
/* That one: loaded->code_mapped, unless it is loaded already. */
MUST_CHECK struct error *load_code_watcher(const struct executor_options *options,
					   struct loaded *loaded);

/* unwind.c: user stacks by tables (abi/unwind.h) */
uint32_t walks_size(const struct maps *m);
uint32_t unwind_pool_size(const struct executor_options *o);
/* Where no stack is copied, the code still refers to a ring: the smallest. */
uint32_t stack_copies_size(const struct executor_options *o);
MUST_CHECK struct error *unwind_pool_make(struct maps *m, const struct map_request *request,
					  int *ret);
MUST_CHECK struct error *stack_copies_make(struct maps *m, const struct map_request *request,
					   int *ret);
/* Do the kernel's types say all that walks read?  If not, stacks are walked by frame pointers. */
MUST_CHECK struct error *check_unwind(struct executor_options *o);
/* What walks need, if a program walks, or one that comes later may. */
MUST_CHECK struct error *make_unwind(struct maps *m);
extern const struct executor_stacks loader_stacks;
void unwind_deinit(struct loaded *l);

/* interpreted.c */
MUST_CHECK struct error *code_texts_make(struct maps *m, const struct map_request *request,
					 int *ret);
void interpreted_deinit(struct loaded *l);
/* executor.h */
MUST_CHECK struct error *loader_interpreter(void *self, int pid,
					    const struct interpreted_process *in);
const struct code_texts *loader_code_texts(const void *self);

/* cgroups.c: control groups of -x target (abi/state.h) */
MUST_CHECK struct error *cgroup_cells_make(struct maps *m, const struct map_request *request,
					   int *ret);
MUST_CHECK struct error *cgroup_rules_make(struct maps *m, const struct map_request *request,
					   int *ret);
MUST_CHECK struct error *cgroups_watch(void *run); /* executor.h */
MUST_CHECK struct error *cgroups_add(void *run, uint64_t id, bool *is_new);
void cgroups_deinit(struct loaded *l);

/*
 * exit_functions.c: make K's tables of the covered functions of its group and of the files that
 * have them, which live as long as the program that uses them.
 */
MUST_CHECK struct error *exit_functions_make(struct linker *k);

/* attach.c: how the kernel runs programs at events of a kind */
struct event_way {
	enum bpf_prog_type type;
	uint32_t attach_type; /* expected when the program is loaded */
	const char *typed;    /* a tracepoint whose arguments the program sees with their types */
	/* One of the two: all events of the group, or event number I.  Where one is refused, the
	 * others are attached all the same; with PROVIDER the run fails. */
	struct error *(*attach)(const struct attach_request *request, struct link_set *links);
	struct error *(*one)(const struct attach_request *request, uint32_t i,
			     struct link_set *links);
	const char *provider;
};
const struct event_way *event_way(enum event_kind kind);
uint32_t attach_type(const struct event_way *way); /* on this kernel */

/* Event number I of R's group, by ON, on the CPU or the CPUs that R means. */
typedef struct error *event_on_cpu_fn(const struct attach_request *r, int cpu, uint32_t i,
				      struct link_set *links);
MUST_CHECK struct error *attach_on_cpus(const struct attach_request *r, event_on_cpu_fn *on,
					uint32_t i, struct link_set *links);

/* watchpoint.c: event_way.one */
MUST_CHECK struct error *attach_watch(const struct attach_request *r, uint32_t i,
				      struct link_set *links);

/* verifier_log.c: REQUEST is K's program; a refusal is reported in the script author's words. */
MUST_CHECK struct error *verify_load(const struct linker *k, struct prog_request *request,
				     int *ret);

/* reader.c */
/* executor.h; RUN stays where it is while its source is used. */
MUST_CHECK struct error *loader_source(void *run, struct record_source *ret);
bool loader_is_above_mark(const void *run);
/*
 * Have the firings ended that may sleep?  They are not covered by a grace period; they count
 * themselves, and stay on their CPU.  So it is enough to see each CPU without one: of many, hardly
 * ever are all at once.
 */
bool sleepers_ended(const struct area_counters *counters, unsigned count, void (*pause)(void));
void loaded_reader_deinit(struct loaded *l);

/* link.c */
const uint16_t *loader_runtime_stack(void); /* executor_facts.runtime_stack */
MUST_CHECK struct error *link_group(struct linker *k);
/* Do programs of GROUP's kind find the cookie of a place that shares its event (runtime/site.c)? */
bool finds_places(const struct executor_options *o, const struct group_code *group);
void linker_deinit(struct linker *k);

/* maps.c: descriptors that exist once for all groups, made when first needed */
/*
 * Where the kernel counts how deep in interrupts a CPU is.  On x86_64 that is a per-CPU
 * variable; the CPU's run queue is one, too, and the current thread knows where that is.
 */
struct preempt {
	bool is_known;
	uint64_t place;		   /* 0: unknown, 1: in task_struct, 2: next to the run queue */
	int32_t fair_queue, queue; /* task_struct.se.cfs_rq, cfs_rq.rq */
	int64_t offset;		   /* from the task, or from the run queue */
};

/* The kernel's functions that call programs at system calls and tracepoints
 * (runtime/stack/stack.c). */
enum caller_kind { CALLER_STUB, CALLER_ITERATOR, CALLER_KINDS };
struct callers {
	bool is_known;
	struct address_range at[2][CALLER_KINDS]; /* at entries, at returns */
	/* of tracepoints: those of this group */
	const struct group_code *group;
	struct address_range of_group[CALLER_KINDS];
};

struct maps {
	const struct program *program;
	const struct executor_options *options;
	struct loaded *loaded;
	int parts;	   /* of the current group: array of its programs */
	int32_t task_work; /* the kernel's function that schedules it; -1: not there */
	uint32_t speculation_stride;
	struct preempt preempt; /* opened at the first use */
	struct callers callers; /* likewise */
};
void maps_init(struct maps *m, const struct program *p, const struct executor_options *options,
	       struct loaded *loaded);
/* The maps of LOADED; it forgets those of each load, scratch memory and constants, whose
 * descriptors stay open until loaded_close(). */
void maps_of_more(struct maps *m, const struct program *p, const struct executor_options *options,
		  struct loaded *loaded);
MUST_CHECK struct error *maps_begin(struct maps *m); /* what every program needs */
MUST_CHECK struct error *maps_parts(struct maps *m,
				    unsigned count); /* m->parts: so many empty places */
/* The descriptor of the map WHICH, made if it is not yet; -1: nothing that needs it will run. */
MUST_CHECK struct error *library_map(struct maps *m, enum library_map which, int *ret);
/* A reference to OFFSET in the memory WHICH; to NAME of the library, if it is a map: *FOUND. */
MUST_CHECK struct error *bind_memory(struct maps *m, enum library_map which, uint32_t offset,
				     struct bpf_insn *at);
MUST_CHECK struct error *bind_map(struct maps *m, const char *name, struct bpf_insn *at,
				  bool *found);
/* Have L see the state region of P's variables and counters, the map STATE. */
MUST_CHECK struct error *map_state(int state, const struct program *p, struct loaded *l);
/* A map that lives as long as the loaded program. */
MUST_CHECK struct error *map_make(struct maps *m, const struct map_request *request, int *ret);
/* The most that one region may have: the verifier follows offsets below 512 MiB only. */
#define REGION_LIMIT (256u << 20)
/* The same of an array of one value, which is mapped at *MEMORY. */
MUST_CHECK struct error *map_make_mapped(struct maps *m, const struct map_request *request,
					 int *ret, void **memory);

/* relocate.c */
/* Complete a relocation of compiled code, or a reference to NAME of the library. */
MUST_CHECK struct error *bind_relocation(struct linker *k, const struct relocation *r,
					 struct bpf_insn *at);
MUST_CHECK struct error *bind_extern(struct linker *k, const char *name, struct bpf_insn *at);
/* INSN of the library, which may call a function of the kernel that has no number. */
struct bpf_insn bind_kernel_call(const struct maps *m, struct bpf_insn insn);

/* program_btf.c: a struct of SIZE bytes that begins with struct bpf_task_work */
MUST_CHECK struct error *btf_of_work(uint32_t size, int *btf, uint32_t *key, uint32_t *value);

/* program_map.c: a map of the program; its limit may be lowered (loaded->aggregation_lowered ...)
 */
MUST_CHECK struct error *make_program_map(struct maps *m, const struct map_layout *layout,
					  int *ret);

/* ready_elements.c: of the program's MAPS.  ZEROS: the map of constants. */
void ready_elements(const struct program *p, const int *maps, int zeros);

/* buffers.c */
bool is_too_much(const struct error *err); /* for the kernel; half of it may be not */
MUST_CHECK struct error *bind_rings(struct maps *m);
MUST_CHECK struct error *bind_speculations(struct maps *m);

/* relocate.c, for maps.c and kernel_offsets.c */
void set_value(struct bpf_insn *at, int map, uint32_t offset);
void set_map(struct bpf_insn *at, int map);
void set_number(struct bpf_insn *at, uint64_t number); /* of a 16-byte load */

/* kernel_offsets.c: numbers of the running kernel */
MUST_CHECK struct error *bind_offset(const struct linker *k, const char *name, struct bpf_insn *at);
/* Does the running kernel have what NAME is of?  NAME: rt_offset_... */
bool kernel_has_member(const struct executor_kernel *kernel, const char *name);
const struct preempt *preempt_of(struct maps *m);
/* The functions that call programs of K's group; zeros: not known. */
const struct address_range *callers_of(const struct linker *k);
/* Which of control.callers_seen is the group's. */
enum caller_place callers_place(const struct linker *k);
/* Kernel frames that belong to tracing, without the callers; SUBPROGRAMS of ours are in between. */
uint64_t frames_of_ours(const struct linker *k, uint32_t subprograms);

/* A helper that does exactly what the run-time function does, or 0. */
int bind_helper(enum rt_function function);
/* Of the library; -1: none.  UNWINDS: user stacks are walked by tables. */
int library_function(enum rt_function function, bool unwinds);
const char *rt_name(enum rt_function function);

/* program_btf.c */
MUST_CHECK struct error *btf_of_program(const struct linker *k, int *btf,
					struct function_info **info, uint32_t *count);
/* BTF of a map of task storage: int keys, SIZE bytes of values. */
MUST_CHECK struct error *btf_of_task_storage(uint32_t size, int *btf, uint32_t *key,
					     uint32_t *value);

#endif
