/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program - a compiled program: made by codegen, read by loader, consumer and output
 *
 * A program is a set of groups (bytecode with open references) plus the layouts of the data that
 * its clauses record: records, aggregations, maps.  It is plain data without pointers into the
 * compiler, so an executor that never saw the D text can run it and a consumer can print it.
 *
 * To add a place where code can run: a row in abi/event.def.
 * To add something that compiled code can call: a row in abi/rt.def.
 * To add a field: program/serialize.c has to write and read it, program/verify.c has its promises.
 */
#ifndef ABI_PROGRAM_H
#define ABI_PROGRAM_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/aggregate.h"
#include "abi/call.h"
#include "abi/event.h"
#include "abi/llquantize.h"
#include "abi/record.h"
#include "abi/state.h"

enum rt_function {
#define RT(name, where, what) RT_##name,
#include "abi/rt.def"
#undef RT
	RT_COUNT,
};

static inline const char *rt_row_name(enum rt_function function)
{
	static const char *const names[] = {
#define RT(name, where, what) #name,
#include "abi/rt.def"
#undef RT
	};
	return names[function];
}

/* --- values in records and keys ----------------------------------------------------- */

enum value_kind {
	VALUE_INTEGER,	     /* size, is_signed */
	VALUE_STRING,	     /* record: struct record_ref; key: size bytes, NUL-padded */
	VALUE_STRING_INLINE, /* size bytes, NUL-padded, in records too: names of known length */
	VALUE_STRING_CONST,  /* no bytes: `text` */
	VALUE_BYTES,	     /* size bytes as they are: arrays, structs; is_text: char [] */
	VALUE_PROBE_PROVIDER,
	VALUE_PROBE_MODULE,
	VALUE_PROBE_FUNCTION,
	VALUE_PROBE_NAME,
	/* record: no bytes, of the record's probe; key: 4 bytes, the probe id */
	VALUE_STACK,  /* record: struct record_ref to u64 pcs; key: size bytes, zeros after them */
	VALUE_USTACK, /* u64 tgid before the pcs, in both places; after them frames of interpreters
		       */
	VALUE_SYM,
	VALUE_MOD, /* 8 bytes: kernel address */
	VALUE_USYM,
	VALUE_UMOD,
	VALUE_UADDR,  /* 16 bytes: tgid, address */
	VALUE_FLOAT,  /* size 4, 8 or 16 */
	VALUE_MEMORY, /* record: struct record_ref to bytes; not in keys */
};

/* In dumps. */
static inline const char *value_kind_name(enum value_kind kind)
{
	static const char *const names[] = {
		[VALUE_INTEGER] = "integer",
		[VALUE_STRING] = "string",
		[VALUE_STRING_INLINE] = "string-inline",
		[VALUE_STRING_CONST] = "literal",
		[VALUE_BYTES] = "bytes",
		[VALUE_PROBE_PROVIDER] = "probeprov",
		[VALUE_PROBE_MODULE] = "probemod",
		[VALUE_PROBE_FUNCTION] = "probefunc",
		[VALUE_PROBE_NAME] = "probename",
		[VALUE_STACK] = "stack",
		[VALUE_USTACK] = "ustack",
		[VALUE_SYM] = "sym",
		[VALUE_MOD] = "mod",
		[VALUE_USYM] = "usym",
		[VALUE_UMOD] = "umod",
		[VALUE_UADDR] = "uaddr",
		[VALUE_FLOAT] = "float",
		[VALUE_MEMORY] = "memory",
	};
	return names[kind];
}

struct type; /* types/types.h; a description, which the output shows values by */

struct value_field {
	enum value_kind kind;
	uint32_t offset; /* from the start of the record, or of the key */
	uint32_t size;	 /* bytes at offset; see enum value_kind */
	bool is_signed;
	bool is_text;	  /* VALUE_BYTES of a char array */
	bool is_argument; /* VALUE_STRING_CONST: a macro argument, not the program's own */
	/* VALUE_INTEGER in a key: its column is as wide as that of a number of so many bytes */
	uint8_t column_size;
	/* VALUE_USTACK: bytes of each interpreter frame that are printed; 0: it has none */
	uint32_t strings;
	const char *text;	 /* VALUE_STRING_CONST */
	const struct type *type; /* VALUE_INTEGER of an enum; else NULL */
};

/* Is it a struct record_ref to the record's tail? In keys such values are in place. */
static inline bool value_kind_is_ref(enum value_kind kind)
{
	return kind == VALUE_STRING || kind == VALUE_STACK || kind == VALUE_USTACK ||
	       kind == VALUE_MEMORY;
}

/* Is it a probe's name, or a part of it? */
static inline bool value_kind_is_probe_name(enum value_kind kind)
{
	return kind >= VALUE_PROBE_PROVIDER && kind <= VALUE_PROBE_NAME;
}

/* A string, wherever its bytes are, or a name of the probe. */
static inline bool value_kind_is_text(enum value_kind kind)
{
	return kind == VALUE_STRING || kind == VALUE_STRING_INLINE || kind == VALUE_STRING_CONST ||
	       value_kind_is_probe_name(kind);
}

static inline bool value_kind_is_stack(enum value_kind kind)
{
	return kind == VALUE_STACK || kind == VALUE_USTACK;
}

static inline bool value_kind_is_symbol(enum value_kind kind)
{
	return kind >= VALUE_SYM && kind <= VALUE_UADDR;
}

/* Of stacks and symbols: is it of a process, whose number comes first? */
static inline bool value_kind_is_user(enum value_kind kind)
{
	return kind == VALUE_USTACK || (kind >= VALUE_USYM && kind <= VALUE_UADDR);
}

/* Bytes of a symbol, in records and keys. */
static inline uint32_t value_symbol_size(enum value_kind kind)
{
	return value_kind_is_user(kind) ? 16 : 8;
}

/* --- actions -------------------------------------------------------------------------- */

enum action_kind {
#define ACTION_KIND(kind, name) ACTION_##kind,
#include "abi/action.def"
#undef ACTION_KIND
};

/* As scripts, JSON and dumps call it. */
static inline const char *action_name(enum action_kind kind)
{
	static const char *const names[] = {
#define ACTION_KIND(kind, name) name,
#include "abi/action.def"
#undef ACTION_KIND
	};
	return (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "other";
}

/* A part of a printed value that stands for a string, which the record has, too. */
struct printed_text {
	uint32_t offset, depth; /* in the value, and how deep: a struct begins where its first
				 * member does */
};

struct action_layout {
	enum action_kind kind;
	int flag;	    /* bit of the record's flags that says it ran; -1: always runs */
	const char *format; /* escapes done; NULL: none */
	const struct value_field *fields;
	unsigned field_count;
	const uint32_t *aggregations; /* indexes into program.aggregations */
	unsigned aggregation_count;
	const struct type *type; /* print(): of the value, the last field before those of TEXTS */
	/* print(): the last fields, strings; one at offset 0 could not be read */
	const struct printed_text *texts;
	unsigned text_count;
	uint32_t link; /* pcap(): the link type of pcap files */
};

struct clause_layout {
	uint32_t epid;
	const char *description; /* of its probes */
	const char *source;	 /* for messages: "x.d" line 7 */
	uint32_t line;
	bool records;	     /* leaves records at all */
	uint32_t flag_words; /* u64 words of flags after the header */
	/* 1 + the bit of the flags which says that the record goes on with what others of its
	 * firing began, and gets no heading; 0: the clause leaves one record. */
	uint32_t continues;
	uint32_t thread;		     /* offset of struct record_thread; 0: it has none */
	uint32_t fixed_size;		     /* header, flags, thread and fields */
	const struct action_layout *actions; /* in text order */
	unsigned action_count;
};

/* --- aggregations ----------------------------------------------------------------------- */

struct aggregation_layout {
	const char *name; /* without @ */
	enum aggregate function;
	int64_t base;	       /* lquantize */
	uint32_t step, levels; /* lquantize */
	struct llquantize ll;  /* llquantize */
	const struct value_field *keys;
	unsigned key_count;
	uint32_t key_size;	  /* of the map's keys; 0: keyless */
	uint32_t key_id;	  /* not 0: in a map with others; keys begin with this number */
	uint32_t shard_offset;	  /* in a key, of struct key_shard; 0: it has none */
	unsigned areas_per_shard; /* a power of two: area n is in group n / this */
	bool has_generations;	  /* firings read the number, a uint64_t, among the globals */
	uint32_t generation_offset;
	bool is_walked;		 /* by foreach: clear() begins a generation, as trunc() does */
	uint32_t value_size;	 /* bytes, a multiple of 8 */
	uint32_t sum_word;	 /* of a histogram: the sum of its values; 0: there is none */
	int map;		 /* index into program.maps; -1: keyless */
	uint32_t keyless_offset; /* in each area's keyless aggregations */
};

/* The function that a change of a value calls; RT_COUNT: none. */
static inline enum rt_function aggregate_calls(enum aggregate function)
{
#define RT_none RT_COUNT
	static const uint8_t functions[] = {
#define AGGREGATE(id, name, arguments, words, change, calls, ...) RT_##calls,
#include "abi/aggregate.def"
#undef AGGREGATE
	};
#undef RT_none
	return functions[function];
}

/* The u64 words of a value; of a histogram, its buckets.  Without a mark. */
static inline uint64_t aggregation_words(const struct aggregation_layout *a)
{
	switch (a->function) {
#define AGGREGATE(id, name, arguments, words, ...)                                                 \
	case AGGREGATE_##id:                                                                       \
		return words;
#include "abi/aggregate.def"
#undef AGGREGATE
	default:
		return UINT64_MAX;
	}
}

/* --- maps and variables ------------------------------------------------------------------ */

enum map_kind {
	MAP_AGGREGATION,
	MAP_ARRAY_VARIABLE, /* an associative array of D */
};

#define MAP_ELEMENT 64	  /* the kernel's own bytes for each element, about */
#define SMALL_ELEMENT 256 /* bytes; of larger ones the kernel has fewer at hand (plan/plan.c) */

struct map_layout {
	enum map_kind kind;
	const char *name;
	uint32_t key_size, value_size, max_entries;
	unsigned shards;      /* elements that a key may have (struct key_shard); else 1 */
	bool is_preallocated; /* many may be made where memory cannot be got */
};

/* --- code ---------------------------------------------------------------------------------- */

/* An instruction that the executor completes. */
enum relocation_kind {
	RELOCATE_CALL,	  /* index: enum rt_function */
	RELOCATE_MAP,	  /* index into program.maps; a 16-byte load */
	RELOCATE_CONTROL, /* the state region + addend; a 16-byte load */
	RELOCATE_GLOBALS,
	RELOCATE_KEYLESS, /* keyless aggregations of area 0 + addend */
	RELOCATE_SCRATCH,
	RELOCATE_SLOTS_LAST, /* a number: the offset of the last slot */
	/* A number: kernel frames between the program and the probed code; addend: more of ours. */
	RELOCATE_STACK_SKIP,
	RELOCATE_CONSTANTS,	/* program.constants + addend */
	RELOCATE_CONSTANTS_END, /* a number: constants_size less a string's room */
	RELOCATE_PROBES,	/* the group's probe table + addend */
	RELOCATE_ERROR,		/* call of the group's ERROR clauses (a subprogram of this group) */
	RELOCATE_PARTS,		/* what RT_next_part finds the group's parts in; a 16-byte load */
	RELOCATE_CALLS,		/* the first cell of a call (abi/call.h) + addend */
	RELOCATE_CALLS_LAST,	/* a number: the offset of the last one */
	RELOCATE_CGROUPS,	/* the cells of control groups (abi/state.h) + addend */
	RELOCATE_THREADS,	/* the table of threads (struct self_thread); a 16-byte load */
	RELOCATE_FUNCTION,	/* the function at instruction `addend`, for RT_loop */
};

struct relocation {
	uint32_t instruction; /* index */
	enum relocation_kind kind;
	uint32_t index;
	uint32_t addend;
};

struct line_mark {
	uint32_t instruction; /* this and the following ones ... */
	uint32_t clause;      /* ... belong to this clause; UINT32_MAX: none */
	uint32_t line;
	const char *text; /* the source line, or NULL; without a clause what this part does */
};

/*
 * The group's probe table: by its entries the program finds the probe that fired and its enabled
 * clauses.  probe 0: not enabled.  An index has as many entries as one event may fire probes
 * (group_code.passes).
 */
struct probe_entry {
	uint32_t probe; /* id */
	union {
		/* Entries of system calls: 1 + the index in this table, to find it again at the
		 * return; 0: the thread never comes there. */
		uint32_t resume;
		uint32_t target; /* of functions: event_code.target; of returns: or .pid */
	};
	uint32_t layout;   /* static probes: where the event's arguments are (plan/group.h) */
	uint32_t names[4]; /* offsets of provider, module, function, name in the constants; or 0 */
	/* Bit i is clause i of the group; up to the entry's end.  Of a group in parts the last word
	 * has a bit for each part: some clause of it is enabled here. */
	uint32_t mask[];
};

#define PARTS_AT_MOST 32 /* the kernel follows 33 tail calls */

/*
 * The code of a group.  A group that one program cannot hold, or that loads slowly, is several,
 * its *parts*, one after the other in program.groups.  Events fire the first; each continues in
 * the next by RT_next_part.  They share the first one's probe table, and only the first has
 * events.
 */

struct group_code {
	enum event_kind kind;
	const struct bpf_insn *code;
	uint32_t count;
	uint32_t error_entry; /* first instruction of the ERROR subprogram; 0: none */
	const struct relocation *relocations;
	uint32_t relocation_count;
	const struct line_mark *lines;
	uint32_t line_count;
	uint32_t part, parts;	 /* part: from 0 */
	bool may_sleep;		 /* load as a sleepable program */
	bool follows_jumps;	 /* its code is called for each probe that fires (abi/exit.h) */
	const void *probe_table; /* struct probe_entry entries, table_entry_size each */
	uint32_t table_entries, table_entry_size;
	uint32_t jump_count; /* of the entries, the last are struct exit_jump */
	/*
	 * The events to attach to; an event's index in the probe table is its index here (its
	 * cookie), except for system calls, which have numbers.
	 */
	const struct event *events;
	uint32_t event_count;
	uint32_t passes;	   /* probes that one event may fire */
	const uint32_t *probe_ids; /* `passes` for each event; 0: no further one */
};

/* Has it 16 bytes?  Then the next struct bpf_insn is its second half. */
static inline bool insn_is_wide(const struct bpf_insn *n)
{
	return n->code == (BPF_LD | BPF_DW | BPF_IMM);
}

static inline bool insn_is_call(const struct bpf_insn *n)
{
	return n->code == (BPF_JMP | BPF_CALL);
}

static inline bool insn_is_exit(const struct bpf_insn *n)
{
	return n->code == (BPF_JMP | BPF_EXIT);
}

static inline bool insn_is_jump(const struct bpf_insn *n)
{
	int class = BPF_CLASS(n->code);
	return (class == BPF_JMP || class == BPF_JMP32) && !insn_is_call(n) && !insn_is_exit(n);
}

/* May control reach the instruction after it? */
static inline bool insn_falls_through(const struct bpf_insn *n)
{
	return !insn_is_exit(n) && n->code != (BPF_JMP | BPF_JA);
}

/* Bytes that a load or a store accesses. */
static inline unsigned insn_width(const struct bpf_insn *n)
{
	static const uint8_t widths[] = { 4, 2, 1, 8 };
	return widths[BPF_SIZE(n->code) >> 3];
}

/* The relocation of the instruction AT, or NULL: they are in the order of instructions. */
static inline const struct relocation *group_relocation(const struct group_code *group, uint32_t at)
{
	uint32_t low = 0, high = group->relocation_count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (group->relocations[middle].instruction == at)
			return &group->relocations[middle];
		if (group->relocations[middle].instruction < at)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Of group_code.probe_ids. */
static inline uint32_t group_probe_count(const struct group_code *group)
{
	return group->event_count * group->passes;
}

struct program {
	uint32_t version; /* RECORD_VERSION */
	const struct group_code *groups;
	unsigned group_count;
	const struct clause_layout *clauses;
	unsigned clause_count;
	const struct aggregation_layout *aggregations;
	unsigned aggregation_count;
	const struct map_layout *maps;
	unsigned map_count;
	const void *constants; /* read-only bytes: zeros first, then literals */
	uint32_t constants_size;
	uint32_t zeros_size; /* zeros at the start: as the largest variable, value, key or string */
	uint32_t globals_size;
	uint32_t keyless_size;	 /* for each area, a multiple of 64 */
	uint32_t self_size;	 /* one thread's self variables; 0: none */
	uint32_t call_size;	 /* a cell with a value that entries save (abi/call.h); 0: none */
	uint32_t call_values;	 /* how many such values there are */
	uint32_t suspended_size; /* struct suspended with this variables; 0: no firing ever waits */
	uint32_t slot_size;	 /* with struct slot; a power of two, at least 256 */
	uint32_t string_size;	 /* strsize */
	uint32_t area_count;	 /* areas of the shared state (abi/state.h) */
	uint32_t cpu_count;	 /* a bound on the numbers of CPUs in records, D's cpu */
	bool drops_by_clause;	 /* the state region counts them */
	uint64_t largest_record;
	uint64_t end_records;	  /* bytes that END leaves at most */
	uint64_t records_at_most; /* bytes that all firings can leave; UINT64_MAX: no bound */
};

static inline bool program_has_event(const struct program *p, enum event_kind kind)
{
	for (unsigned i = 0; i < p->group_count; i++)
		if (p->groups[i].kind == kind)
			return true;
	return false;
}

static inline bool group_calls(const struct group_code *g, enum rt_function function)
{
	for (uint32_t i = 0; i < g->relocation_count; i++)
		if (g->relocations[i].kind == RELOCATE_CALL && g->relocations[i].index == function)
			return true;
	return false;
}

static inline bool program_calls(const struct program *p, enum rt_function function)
{
	for (unsigned i = 0; i < p->group_count; i++)
		if (group_calls(&p->groups[i], function))
			return true;
	return false;
}

#endif
