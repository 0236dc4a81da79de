/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * internal - the output's body, for the files of this folder only
 *
 *   output.c    life; records and their actions    writer.c  the buffer
 *   text.c      the text writer: prefix, header, flow indent value.c   one datum's bytes
 *   printf.c    formats: parsed, run                    convert.c one conversion
 *   trace.c     trace() data and automatic layout of keys    stack.c   stacks
 *   printa.c    aggregations, with and without format        dump.c    hex dumps
 *   histogram.c quantize and others                      message.c drops, faults
 *   json.c, json_*.c JSON (json.h)          buffered.c text as calls of a handler
 *   packed.c    agghist and aggpack                          bar.c     bars
 *   host.c      names of hosts                          columns.c  lines that fit a terminal
 *   names.c     names of probes that strsize truncates, counted
 *   command.c   system(), freopen(), ftruncate(), setopt()   address.c addresses
 *   print.c     print() of values     print_pointed.c of targets of pointers
 *   value_walker.c a value of a C type, part by part         pcap.c    packets
 *   verify.c    the statements of output.h, held against what was written
 *   shown.c     foreign text on a terminal
 *   decoder.c   packets decoded by other programs             program.c starts these
 */
#ifndef OUTPUT_INTERNAL_H
#define OUTPUT_INTERNAL_H

#include "output/output.h"
#include "output/writer.h"

struct prepared; /* a format, printf.c */

enum call_edge { EDGE_NONE, EDGE_ENTRY, EDGE_RETURN };
/* text.c: does a function, or something like it, begin or end at PROBE?  By its name. */
enum call_edge edge_of_probe(const struct probe_names *probe);

struct call_flow {
	int indent;
	uint32_t probe, clause; /* of the last entry or return shown as such */
	bool is_open;		/* the last record of this CPU was of that firing */
};

/* The line of a record, with a name that may be cut: see columns.c. */
struct record_line {
	uint64_t begin, name; /* counted in bytes of all output */
	size_t len;	      /* of the name; 0: there is none */
	size_t least;	      /* cells of it that remain */
};

struct output {
	struct output_setup setup;
	const struct output_ops *ops;
	struct output_options options;
	struct writer *out; /* where text goes now: &file, or memory for a while */
	struct writer file;
	const char *file_name;
	char *reopened_name; /* freopen()ed: its name ... */
	int reopened_fd;     /* ... and descriptor, ours; -1: not */
	bool has_begun;
	bool is_ending;			      /* what is shown now is shown at the end of tracing */
	bool packets_begun;		      /* pcap() wrote to the file of freopen() ... */
	uint32_t packet_link;		      /* ... packets of this link type */
	struct packet_reader *packet_readers; /* of each link type of packets shown so far */
	bool record_is_quiet;		      /* the current record */
	uint64_t stacks_cut[STACK_END_COUNT]; /* printed user stacks that end early */
	uint64_t stacks_native;		      /* those of CPython without its frames, */
	uint64_t frames_cut;		      /* frames longer than jstackstrsize, and */
	uint64_t frames_jit;	    /* frames in no file, without a name: all of jstack() */
	unsigned remedies_reported; /* enum remedy bits, see message.c */
	struct hash *faults;	    /* how many of each kind, see message.c; or NULL */
	uint64_t names_truncated;   /* of probes, see names.c */
	uint64_t skipped;	    /* records that are not shown, at a second ^C */
	struct call_flow *flows;    /* by CPU */
	struct record_line line;
	/* by source, clause and action: each source has its own layouts; NULL: no format */
	struct prepared ****prepared;
	unsigned source_count;
	struct strbuf scratch, shown, stack;
	struct printed { /* what print() shows now */
		const struct record *record;
		const struct action_layout *action;
		const unsigned char *bytes; /* of the value */
	} printed;
	unsigned lines_not_json, messages_too_soon; /* for output_verify() */
	void *form;				    /* data of the form of output; NULL: none */
};

/* The prepared format of an action of R; NULL: it has none. */
const struct prepared *prepared_of(const struct output *o, const struct record *r,
				   const struct action_layout *action);

/* --- value.c --- */

/* A datum of a record or of a key, its bytes found. */
struct value {
	const struct value_field *field;
	const unsigned char *bytes;
	uint32_t size; /* of strings: up to the NUL */
};

struct value value_of_record(const struct output *o, const struct record *r,
			     const struct value_field *f);
struct value value_of_key(const struct output *o, const unsigned char *key,
			  const struct value_field *f);
/* The probe of which F, of KEY, is a part of the name; NULL: it is not known. */
const struct probe_names *value_names_of_key(const struct output *o, const unsigned char *key,
					     const struct value_field *f);
bool value_is_text(const struct value *v); /* a string, or a name of the probe */
bool value_is_stack(const struct value *v);
bool value_is_symbol(const struct value *v);
bool value_is_user(const struct value *v);	/* of stacks and symbols */
int64_t value_integer(const struct value *v);	/* extended by its sign; 0 if it is not a number */
uint64_t value_unsigned(const struct value *v); /* its bytes only */
/* A C float, double or long double: as many BYTES as there are, read as one of SIZE. */
/* An integer that is printed as a number: of no enum, or without names. */
bool value_is_number(const struct output *o, const struct value *v);
/* The name of V, of an enum, in o->scratch.  False: it has none, or it is not to be shown. */
bool value_enumerator(struct output *o, const struct value *v);
/* The same; the number as text if it has none. */
void value_enum_text(struct output *o, const struct value *v);
long double float_read(const void *bytes, uint32_t there, uint32_t size);
uint64_t value_word(const struct value *v, uint32_t index);    /* of a stack */
uint64_t value_address(const struct value *v, uint32_t *tgid); /* of symbols and integers */

/* --- names.c: names of probes that strsize truncates, in what has been printed --- */
void names_of_record(struct output *o, const struct record *r, const struct action_layout *action);
void names_of_rows(struct output *o, const struct aggregation_rows *rows);
void names_report(struct output *o); /* at the end */

/* --- shown.c --- */

/* Text as the output may have it: what acts on a terminal is made visible (base/escape.h). */
struct shown {
	const char *text;
	size_t len;
};

enum show { SHOW_LINES, SHOW_IN_LINE /* a newline is made visible, too */ };

/* Valid until the next call. */
struct shown show_text(struct output *o, const void *text, size_t len, enum show how);
/* LEN bytes of V, a string; literals of our own script are not changed. */
struct shown show_value(struct output *o, const struct value *v, size_t len, enum show how);

static inline void writer_add_shown(struct writer *w, struct shown s)
{
	writer_add(w, s.text, s.len);
}

/* --- printf.c, convert.c --- */

struct format_conversion;

/* Where the arguments come from: a record, or a row of an aggregation. */
struct arguments {
	const struct record *record;	   /* NULL: row */
	const struct aggregation_row *row; /* NULL: record */
};

MUST_CHECK struct error *printf_prepare(const struct program *p, const struct action_layout *action,
					struct prepared **ret);
void prepared_free(struct prepared *p);
void printf_run(struct output *o, const struct prepared *p, const struct arguments *from);
/* The same into memory; the caller frees it. */
char *printf_text(struct output *o, const struct prepared *p, const struct arguments *from);

/* One conversion; SPEC is its C conversion with * for width and precision. */
struct conversion {
	const struct format_conversion *what;
	char spec[16];
	int width; /* 0: none */
	bool left;
	int precision; /* -1: none */
};
void convert_value(struct output *o, const struct conversion *c, const struct value *v);

/* --- host.c --- */

#define HOSTS_FILE "/etc/hosts"

/* The name that FILE has for ADDRESS, "127.0.0.1" or "::1"; NULL: none.  The caller frees it. */
char *host_name(const char *address, const char *file);

/* --- the others --- */

/* ns since 1970, local time; FORMAT is one of strftime(3), and has %f and %N (print/time_text.c).
 */
void time_text(const char *format, int64_t ns, struct strbuf *out);
void address_text(struct output *o, const struct value *v, bool with_offset, struct strbuf *out);
void address_text_kernel(struct output *o, uint64_t address, struct strbuf *out);
void address_text_user(struct output *o, uint32_t tgid, uint64_t address, struct strbuf *out);
struct symbol_name;
/* The symbol of an address (TGID 0: the kernel's); false: unknown. */
bool address_name(struct output *o, uint32_t tgid, uint64_t address, struct symbol_name *ret);
struct source_place;

/* The words of V, a stack, that are frames: from `first` to before `end`. */
struct frames_shown {
	uint32_t first, end;
	uint32_t tgid;	 /* 0: the kernel's */
	bool knows_end;	 /* `ended` is known: of user stacks with fewer frames than requested */
	bool ends_early; /* not a good end; the stack is counted */
	enum stack_end ended;
	uint32_t methods; /* words of methods, up to `interpreted`: one for some of the frames */
	uint32_t interpreted, interpreted_end; /* words of frames of an interpreter */
};
/* V's words become those of a copied stack with its rest, which are valid until the next call. */
struct frames_shown stack_frames(struct output *o, struct value *v);
uint64_t stack_address(const struct frames_shown *f, const struct value *v, uint32_t i);
/*
 * The name of what frame I is in, put into *ROOM; NULL: it has none.  A call that does not return
 * may be the last instruction of its function: where it would return to is another one, or none.
 */
const struct symbol_name *stack_name(struct output *o, const struct frames_shown *f,
				     const struct value *v, uint32_t i, struct symbol_name *room);
/* The places of frame I in its source, the innermost first; 0: not requested, or not known. */
unsigned stack_places(struct output *o, const struct frames_shown *f, const struct value *v,
		      uint32_t i, struct source_place *ret);
void stack_print(struct output *o, const struct value *v, int indent, int width);
void print_print(struct output *o, const struct record *r, const struct action_layout *action);
void put_name(struct output *o, const char *name); /* of types, members, symbols */
void put_quoted(struct output *o, const unsigned char *text, uint32_t len);
void print_pointed(struct output *o, const struct type *type, uint64_t address,
		   const struct value *v);
void pcap_print(struct output *o, const struct record *r, const struct action_layout *action);
/* Remaining output of packet decoders, after all records. */
void pcap_end(struct output *o);
void pcap_free(struct output *o);
void dump_print(struct output *o, const unsigned char *bytes, uint32_t size);
void trace_print(struct output *o, const struct value *v);
#define KEY_WIDTH 50			   /* of a text */
unsigned key_width(const struct value *v); /* the columns of an integer key */
/* V, a key that fills a column by its text; false: it is a number, or has lines of its own. */
bool key_text(struct output *o, const struct value *v, struct shown *ret);
/* COLUMN: NULL for the usual one. */
void key_print(struct output *o, const struct value *v, const struct table_column *column);
void histogram_print(struct output *o, const struct aggregation_value *v);
/*
 * The output for aggpercentiles: a label, the percentile, and a value (of histogram_percentile();
 * "<= 127" or ">= 1000" if only a bound is known, "-": none), on a row each, or PACKED after the
 * row.
 */
void percentiles_print(struct output *o, const struct aggregation_value *v, bool packed);

/*
 * --- columns.c: names are cut so that lines of our layout fit the terminal
 *
 * Only where o->out->line_cells is known.
 */
void record_line_begin(struct output *o);
/* The next bytes but SKIP have a name of LEN bytes, which may be cut to LEAST cells. */
void record_line_has_name(struct output *o, size_t skip, size_t len, size_t least);
void record_line_end(struct output *o);

/* Rows that are printed together: COUNT of them from `at` on. */
struct row_group {
	const struct aggregation_rows *rows;
	size_t at, count;
};
static inline const struct aggregation_row *row_of_group(const struct row_group *g, size_t i)
{
	return aggregation_row_at(g->rows, g->at + i);
}

struct key_style {
	size_t width;  /* the usual one of a column of text */
	size_t blanks; /* before a text; before a number there is one */
	size_t others; /* cells of a line that are not for keys */
};
/* Of the keys of GROUP; NULL: nothing is cut.  The caller frees them. */
struct table_column *key_columns(struct output *o, const struct row_group *group,
				 const struct key_style *style);
/* The cells of the values in a line, a number with WIDTH of them at least. */
size_t values_width(const struct row_group *group, size_t width);

/* --- interpreted.c: frames of interpreters, after each native frame --- */

struct interpreted_cursor {
	uint32_t next_method; /* word */
	uint32_t next;	      /* word */
	unsigned evaluators, met, groups;
	int later; /* so many native frames have no frames yet */
};
struct code_place;

struct interpreted_cursor interpreted_begin(struct output *o, const struct frames_shown *f,
					    const struct value *v);
/* The word of the method that the native frame I, the next to be asked for, runs; 0: none. */
uint64_t interpreted_method_of(const struct frames_shown *f, const struct value *v, uint32_t i,
			       struct interpreted_cursor *c);
/* The words [first, result) are of frames after the native frame I, the next to be asked for. */
uint32_t interpreted_after(struct output *o, const struct frames_shown *f, const struct value *v,
			   uint32_t i, struct interpreted_cursor *c, uint32_t *first);
/* False: its names are not known. */
bool interpreted_place_of(struct output *o, uint64_t word, struct code_place *ret);
/* The line of WORD; false: it has none. */
bool interpreted_text(struct output *o, const struct value *v, uint64_t word, struct strbuf *out);
/* A native frame, whose name is NAME (NULL: unknown): is it code of a JIT without a name? */
void interpreted_count_jit(struct output *o, const struct frames_shown *f, const struct value *v,
			   const struct symbol_name *name);
void interpreted_report(struct output *o); /* what is missing in them */

/* --- bar.c: all counts that share a scale are added first, then shown --- */

#define BAR_MOST 40
#define COUNT_WIDTH 9

struct bars {
	unsigned width;		   /* columns; even */
	long double sum, greatest; /* of the counts without their signs */
	bool has_positive, has_negative;
	bool zoom; /* scaled by the greatest, not by the sum */
};
long double magnitude(int64_t count);
void bars_add(struct bars *b, int64_t count);
/* Bars of lines that have BESIDE cells for other things, on the terminal if W writes to one. */
struct bars bars_begin(const struct writer *w, size_t beside);
/* The head of a column of bars and their counts, which follow a column WIDTH wide. */
void bars_head(struct writer *w, const struct bars *b, const char *column, size_t width);
void bar_print(struct writer *w, const struct bars *b, int64_t count);

/* --- printa.c, packed.c --- */

/* Rows of one aggregation in the layout of agghist or aggpack.  False: it does not apply. */
bool rows_print_packed(struct output *o, const struct row_group *group);
void rows_print(struct output *o, const struct aggregation_rows *rows);
void rows_printf(struct output *o, const struct prepared *p, const struct aggregation_rows *rows);

/* On the message descriptor, after all output so far. */
void message_drop(struct output *o, const struct drop *drop);
void message_fault(struct output *o, const struct record *r, const struct record_fault *fault);
/* What message_fault() has only counted. */
void message_more_faults(struct output *o);
void message_problem(struct output *o, const struct record *r, const char *text);
const char *fault_name(uint32_t code); /* "invalid address" */
/* "invalid address (0x10) in action #1 ..." */
void fault_text(struct strbuf *line, const struct record *r, const struct record_fault *fault);
/* A library-level fault of the record's clause. */
void message_library_fault(struct output *o, const struct record *r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Does R, of several machines, show anything of its own? */
bool record_shows(const struct record *r);

/* --- program.c, decoder.c --- */

/* Ends of pipes that are to be a program's standard input and output; ours to close. */
struct program_pipes {
	int in, out;
};

/*
 * WORDS[0] (found on PATH) with WORDS, or an error number.  PIPES: it is in a process group of its
 * own and its standard error goes nowhere; NULL: it has our terminal and input.  OUTPUT: its
 * standard output then; 0: ours.
 */
int program_start(const char *const words[], const struct program_pipes *pipes, int output,
		  pid_t *ret);

struct decoder;

/* Started; NULL: none is installed, or none can be started. */
struct decoder *decoder_new(const volatile sig_atomic_t *interrupts);
void decoder_free(struct decoder *d); /* ends it */
const char *decoder_name(const struct decoder *d);
/* A piece of a pcap file: a header, a packet. */
void decoder_send(struct decoder *d, const void *bytes, size_t size);
/*
 * The decoder's text for the last packet; false: it has ended or hangs, RET is its output so far.
 */
bool decoder_answer(struct decoder *d, struct strbuf *ret);
/* No more packets: read the remaining output. */
void decoder_end(struct decoder *d, struct strbuf *ret);

MUST_CHECK struct error *command_system(struct output *o, const struct record *r,
					const struct prepared *p);
void command_freopen(struct output *o, const struct record *r, const struct prepared *p);
void command_ftruncate(struct output *o);
void command_setopt(struct output *o, const struct record *r, const struct action_layout *action);

#endif
