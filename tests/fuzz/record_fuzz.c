/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_fuzz - damaged records must be told, never followed
 *
 * The input is one record of a program whose clauses have every kind of field
 * and conversion; it is checked by the consumer and printed.
 *
 *	clang -fsanitize=fuzzer,address,undefined -Isrc -Itests/unit ...
 */
#include <fcntl.h>
#include <stdio.h>

#include "consumer/fake.h"
#include "output/output.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct value_field fields[] = {
	{ VALUE_INTEGER, .offset = 32, .size = 8, .is_signed = true },
	{ VALUE_INTEGER, .offset = 32, .size = 1 },
	{ VALUE_STRING, .offset = 40 },
	{ VALUE_STRING_INLINE, .offset = 48, .size = 16 },
	{ VALUE_BYTES, .offset = 48, .size = 24 },
	{ VALUE_STACK, .offset = 72 },
	{ VALUE_USTACK, .offset = 80 },
	{ VALUE_SYM, .offset = 48 },
	{ VALUE_UADDR, .offset = 48 },
	{ VALUE_FLOAT, .offset = 48, .size = 8 },
	{ VALUE_PROBE_MODULE },
	{ VALUE_STRING_CONST, .text = "text" },
	/* 12: tracemem() with a size; pcap(); printed memory; an option's name and value */
	{ VALUE_BYTES, .offset = 48, .size = 24 },
	{ VALUE_INTEGER, .offset = 32, .size = 8 },
	{ VALUE_INTEGER, .offset = 32, .size = 4 },
	{ VALUE_MEMORY, .offset = 40 },
	{ VALUE_MEMORY, .offset = 80 },
	{ VALUE_STRING, .offset = 72 },
	{ VALUE_STRING, .offset = 40 },
	{ VALUE_MOD, .offset = 48 },
	{ VALUE_USYM, .offset = 48 },
};
static const struct value_field arguments[] = {
	{ VALUE_INTEGER, .offset = 32, .size = 4, .is_signed = true },
	{ VALUE_INTEGER, .offset = 36, .size = 4, .is_signed = true },
	{ VALUE_STRING, .offset = 40 },
	{ VALUE_STRING, .offset = 40 },
	{ VALUE_STACK, .offset = 72 },
	{ VALUE_USTACK, .offset = 80 },
	{ VALUE_INTEGER, .offset = 48, .size = 8 },
	{ VALUE_INTEGER, .offset = 48, .size = 8 },
	{ VALUE_INTEGER, .offset = 48, .size = 1 },
	{ VALUE_BYTES, .offset = 48, .size = 24 },
	{ VALUE_FLOAT, .offset = 48, .size = 16 },
	{ VALUE_UMOD, .offset = 48 },
};
static const struct aggregation_layout aggregations[] = {
	{ .name = "q", .function = AGGREGATE_QUANTIZE, .map = -1, .value_size = 1024 },
};
static const uint32_t first[] = { 0 };

#define ACTION(k, number, list, n)                                                                 \
	{                                                                                          \
		.kind = ACTION_##k, .flag = (number), .fields = (list), .field_count = (n),        \
		.aggregations = first, .aggregation_count = 1                                      \
	}
static const struct action_layout every_field[] = {
	ACTION(TRACE, 0, &fields[0], 1),      ACTION(TRACE, 1, &fields[1], 1),
	ACTION(TRACE, 2, &fields[2], 1),      ACTION(TRACE, 3, &fields[3], 1),
	ACTION(TRACE, 4, &fields[4], 1),      ACTION(STACK, 5, &fields[5], 1),
	ACTION(USTACK, 6, &fields[6], 1),     ACTION(SYMBOL, 7, &fields[7], 1),
	ACTION(SYMBOL, 8, &fields[8], 1),     ACTION(TRACE, 9, &fields[9], 1),
	ACTION(TRACE, 10, &fields[10], 1),    ACTION(TRACE, 11, &fields[11], 1),
	ACTION(PRINTA, 12, NULL, 0),	      ACTION(CLEAR, 13, NULL, 0),
	ACTION(TRUNC, 14, &fields[0], 1),     ACTION(NORMALIZE, 15, &fields[0], 1),
	ACTION(EXIT, 16, &fields[0], 1),      ACTION(DENORMALIZE, 17, NULL, 0),
	ACTION(TRACEMEM, 18, &fields[12], 2), ACTION(PCAP, 19, &fields[14], 2),
	ACTION(TRACE, 20, &fields[16], 1),    ACTION(SETOPT, 21, &fields[17], 2),
	ACTION(SYMBOL, 22, &fields[19], 1),   ACTION(SYMBOL, 23, &fields[20], 1),
};
static const struct action_layout formats[] = {
	{ .kind = ACTION_PRINTF,
	  .flag = -1,
	  .fields = arguments,
	  .field_count = 12,
	  .format = "%*.*s %S %k%-4k %Y %T %C %ls %Lg %A\n" },
};
static const struct clause_layout clauses[] = {
	{ .epid = 1,
	  .records = true,
	  .flag_words = 1,
	  .fixed_size = 88,
	  .actions = every_field,
	  .action_count = ARRAY_SIZE(every_field) },
	{ .epid = 2,
	  .records = true,
	  .flag_words = 1,
	  .fixed_size = 88,
	  .actions = formats,
	  .action_count = 1 },
};
static const struct program program = {
	.clauses = clauses,
	.clause_count = 2,
	.aggregations = aggregations,
	.aggregation_count = 1,
	.keyless_size = 1024,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
};

static struct consumer *consumer;
static struct output *outputs[2]; /* text, JSON */

static struct output *output_to(int fd, const struct output_ops *form)
{
	struct output *o;
	struct error *err = output_new(&(struct output_setup) { .consumer = consumer,
								.fd = fd,
								.fd_name = "null",
								.message_fd = fd,
								.ops = form },
				       &o);
	if (err)
		abort();
	return o;
}

static void start(void)
{
	static uint64_t keyless[FAKE_CPUS][128];
	keyless[0][70] = 3;
	int nowhere = open("/dev/null", O_WRONLY);
	consumer = fake_consumer(&program, keyless, true);
	outputs[0] = output_to(nowhere, &output_text_ops);
	outputs[1] = output_to(nowhere, &output_json_ops);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!consumer)
		start();
	if (size > UINT32_MAX)
		return 0;
	/* On the heap and aligned as in a ring, so that a step over the end is seen. */
	void *record = malloc(size ? size : 1);
	memcpy(record, data, size);
	struct record r;
	record_read(consumer, 0, 0, record, (uint32_t)size, &r);
	for (int i = 0; i < 2; i++) {
		error_free(output_record(outputs[i], &r));
		output_options(outputs[i])->quiet = size & 1;
		output_options(outputs[i])->flowindent = size & 2;
		output_options(outputs[i])->rawbytes = size & 4;
	}
	free(record);
	return 0;
}
