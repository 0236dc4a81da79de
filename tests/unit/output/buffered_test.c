/* SPDX-License-Identifier: BSD-2-Clause */
/* buffered_test - the text in pieces, as calls of a buffer handler */
#include "output/capture.h"
#include "test.h"

struct sample {
	struct record_header header;
	int32_t number;
	int32_t pad;
	struct record_ref text;
	char tail[8];
};

#define AT(member) offsetof(struct sample, member)
static const struct value_field printed[] = {
	{ .kind = VALUE_INTEGER, .offset = AT(number), .size = 4, .is_signed = true },
	{ .kind = VALUE_STRING, .offset = AT(text) },
};
static const uint32_t both[] = { 0, 1 };
static const struct action_layout data[] = {
	{ .kind = ACTION_PRINTF,
	  .flag = -1,
	  .format = "%d %s",
	  .fields = printed,
	  .field_count = 2 },
	{ .kind = ACTION_CLEAR, .flag = -1, .aggregations = both, .aggregation_count = 1 },
};
static const struct action_layout shows[] = {
	{ .kind = ACTION_PRINTA, .flag = -1, .aggregations = both, .aggregation_count = 2 },
	{ .kind = ACTION_PRINTA,
	  .flag = -1,
	  .format = "%d: %@d\n",
	  .aggregations = both,
	  .aggregation_count = 1 },
};

#define CLAUSE(number, a)                                                                          \
	{                                                                                          \
		.epid = (number), .line = 7, .records = true, .fixed_size = AT(tail),              \
		.actions = (a), .action_count = ARRAY_SIZE(a)                                      \
	}
enum { DATA, SHOWS };
static const struct clause_layout clauses[] = { CLAUSE(1, data), CLAUSE(2, shows) };
static const struct value_field key = { .kind = VALUE_INTEGER, .size = 8, .is_signed = true };
#define AGGREGATION(title, f, m)                                                                   \
	{                                                                                          \
		.name = (title), .function = (f), .keys = &key, .key_count = 1, FAKE_KEY(8),       \
		.value_size = 8, .map = (m)                                                        \
	}
static const struct aggregation_layout aggregations[] = {
	AGGREGATION("n", AGGREGATE_COUNT, 0),
	AGGREGATION("s", AGGREGATE_SUM, 1),
};
static const struct map_layout maps[] = {
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
};
static const struct program program = {
	.clauses = clauses,
	.clause_count = 2,
	.aggregations = aggregations,
	.aggregation_count = 2,
	.maps = maps,
	.map_count = 2,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
};

static struct capture start(bool quiet)
{
	fake_reset();
	for (int i = 0; i < 2; i++) {
		fake_maps[i].key_size = 8;
		fake_maps[i].value_bytes = 8 * FAKE_CPUS;
	}
	capture_form = &output_buffered_ops;
	message_init("dtrace");
	return capture_new(&program, NULL, (struct output_options) { .quiet = quiet });
}

static void show(struct capture *c, uint32_t clause)
{
	struct sample s = {
		.header = { .clause = clause, .probe = 2, .time = 123 },
		.number = -5,
		.text = { AT(tail), 6 },
		.tail = "\"\\\n\t\x7f\xe9",
	};
	capture_record(c, 1, &s, sizeof(s));
}

#define CALL(text, probe, agg, rec, flags)                                                         \
	"dtrace: >>> Called buffer handler:\n"                                                     \
	"dtrace: \n"                                                                               \
	"dtrace:   dtrace_bufdata:\n"                                                              \
	"dtrace:       dtbda_buffered => \"" text "\"\n"                                           \
	"dtrace:          dtbda_probe => <" probe ">\n"                                            \
	"dtrace:        dtbda_aggdata => <" agg ">\n"                                              \
	"dtrace:        dtbda_recdesc => <" rec ">\n"                                              \
	"dtrace:          dtbda_flags => " flags "\n"                                              \
	"dtrace: \n"
#define PROBE                                                                                      \
	"dtrace:   dtrace_probedesc:\n"                                                            \
	"dtrace:        dtpd_provider => \"syscall\"\n"                                            \
	"dtrace:             dtpd_mod => \"vmlinux\"\n"                                            \
	"dtrace:            dtpd_func => \"read\"\n"                                               \
	"dtrace:            dtpd_name => \"entry\"\n"                                              \
	"dtrace: \n"
#define RECORD(action, size, format)                                                               \
	"dtrace:   dtrace_recdesc:\n"                                                              \
	"dtrace:          dtrd_action => \"" action "\"\n"                                         \
	"dtrace:            dtrd_size => " size "\n" format "dtrace: \n"
#define AGGREGATE(name, id)                                                                        \
	"dtrace:   dtrace_aggdesc:\n"                                                              \
	"dtrace:           dtagd_name => \"" name "\"\n"                                           \
	"dtrace:          dtagd_varid => " id "\n"                                                 \
	"dtrace:          dtagd_nrecs => 2\n"                                                      \
	"dtrace: \n"

/* Header and prefix belong to the first piece; clear() prints nothing and is not a call. */
TEST(an_action_is_a_call_and_the_end_of_the_line_another)
{
	struct capture c = start(false);
	show(&c, DATA);
	CHECK_STR(
		capture_text(&c),
		CALL("CPU     ID                    FUNCTION:NAME\\n"
		     "  1      2                       read:entry "
		     "-5 \\\"\\\\\\n\\011\\177\xe9",
		     "non-NULL", "NULL", "non-NULL", "0x0")
			PROBE RECORD("printf", "10", "dtrace:          dtrd_format => \"%d %s\"\n")
				CALL("\\n", "non-NULL", "NULL", "NULL", "0x0") PROBE);
	CHECK_STR(capture_messages(&c), "");
	capture_free(&c);
}

#define SHOWN(text, rec, flags) CALL(text, "non-NULL", "non-NULL", rec, flags) PROBE
TEST(a_row_is_a_call_for_each_key_and_value)
{
	struct capture c = start(true);
	int64_t one = 1;
	fake_entry(0, &one)->words[0] = 3;
	fake_entry(1, &one)->words[0] = 8;
	show(&c, SHOWS);
	CHECK_STR(
		capture_text(&c),
		SHOWN("\\n                1", "non-NULL", "0x1 (AGGKEY)") RECORD("key", "8", "")
			AGGREGATE("n", "1") SHOWN("                3", "non-NULL", "0x2 (AGGVAL)")
				RECORD("count", "8", "") AGGREGATE("n", "1") SHOWN(
					"                8", "non-NULL",
					"0x2 (AGGVAL)") RECORD("sum", "8", "") AGGREGATE("s", "2")
					SHOWN("\\n", "NULL", "0x8 (AGGLAST)") AGGREGATE("s", "2")
						SHOWN("1: 3\\n", "non-NULL",
						      "0xf (AGGKEY | AGGVAL | AGGFORMAT | AGGLAST)")
							RECORD("count", "8", "")
								AGGREGATE("n", "1"));
	capture_free(&c);
}

TEST(the_end_belongs_to_no_probe)
{
	struct capture c = start(true);
	int64_t one = 1;
	fake_entry(0, &one)->words[0] = 3;
	CHECK(!output_end(c.output, true));
	CHECK_STR(capture_text(&c),
		  CALL("\\n", "NULL", "NULL", "NULL",
		       "0x0") CALL("                1", "NULL", "non-NULL", "non-NULL",
				   "0x1 (AGGKEY)") RECORD("key", "8", "") AGGREGATE("n", "1")
			  CALL("                3", "NULL", "non-NULL", "non-NULL", "0x2 (AGGVAL)")
				  RECORD("count", "8", "") AGGREGATE("n", "1")
					  CALL("\\n", "NULL", "non-NULL", "NULL", "0x8 (AGGLAST)")
						  AGGREGATE("n", "1"));
	capture_free(&c);
}

TEST_MAIN
