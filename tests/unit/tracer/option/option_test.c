/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/option/option.h"

#include "abi/abi.h"
#include "base/base.h"
#include "test.h"

/* The classic words come first, then the allowed values. */
static bool is_bad_value(const char *why)
{
	static const char classic[] = "Invalid value for specified option (";
	return why && strncmp(why, classic, strlen(classic)) == 0;
}

static struct options *fresh(void)
{
	static struct options *o;
	options_free(o);
	o = options_new();
	return o;
}

static const char *set(struct options *o, const char *name, const char *value)
{
	return options_set(o, name, value, OPTION_BY_COMMAND);
}

TEST(initial_values)
{
	struct options *o = fresh();
	CHECK_INT(option_number(o, OPTION_bufsize), 4 << 20);
	CHECK_INT(option_number(o, OPTION_strsize), 256);
	CHECK_INT(option_number(o, OPTION_statusrate), 1000000000);
	CHECK_INT(option_number(o, OPTION_cleanrate), 9900990);
	CHECK_INT(option_number(o, OPTION_temporal), 1);
	CHECK_INT(option_number(o, OPTION_quiet), 0);
	CHECK_STR(option_text(o, OPTION_bufpolicy), "switch");
	CHECK_STR(option_text(o, OPTION_cpppath), "cpp");
	CHECK(!option_is_set(o, OPTION_cpu));
	CHECK(!option_is_set(o, OPTION_bufsize));
}

TEST(yes_and_no)
{
	static const struct {
		const char *value;
		int wanted;
	} cases[] = {
		{ NULL, 1 },	 { "", 0 },	   { "yes", 1 },     { "No", 0 },
		{ "ENABLE", 1 }, { "disable", 0 }, { "enabled", 1 }, { "disabled", 0 },
		{ "true", 1 },	 { "false", 0 },   { "on", 1 },	     { "off", 0 },
		{ "set", 1 },	 { "unset", 0 },   { "1", 1 },	     { "0", 0 },
		{ "0x10", 1 },	 { "00", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options *o = fresh();
		CHECK(!set(o, "quiet", "on"));
		CHECK(!set(o, "quiet", cases[i].value));
		CHECK_INT(option_number(o, OPTION_quiet), cases[i].wanted);
		CHECK(!set(o, "zdefs", cases[i].value));
		CHECK_INT(option_is_set(o, OPTION_zdefs), cases[i].wanted);
	}
	struct options *o = fresh();
	CHECK_STR(set(o, "quiet", "perhaps"),
		  "Invalid value for specified option ('perhaps' is not on or off)");
	CHECK(is_bad_value(set(o, "quiet", "-1")));
}

TEST(sizes)
{
	static const struct {
		const char *value;
		long long wanted;
	} cases[] = {
		{ "100", 100 },	   { "16k", 16384 },	{ "16K", 16384 },   { "2m", 2097152 },
		{ "1G", 1 << 30 }, { "3t", 3LL << 40 }, { "0x10k", 16384 }, { "010", 8 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options *o = fresh();
		CHECK(!set(o, "bufsize", cases[i].value));
		CHECK_INT(option_number(o, OPTION_bufsize), cases[i].wanted);
		CHECK(option_is_set(o, OPTION_bufsize));
	}
}

TEST(refused_sizes_change_nothing)
{
	static const char *const values[] = { "-1",	      "4q",   "k",
					      "4 k",	      "4mb",  "99999999999999999999",
					      "99999999999t", "1.5m", NULL };
	struct options *o = fresh();
	CHECK(!set(o, "bufsize", "8k"));
	for (const char *const *v = values; *v; v++)
		CHECK(is_bad_value(set(o, "bufsize", *v)));
	CHECK(is_bad_value(set(o, "bufsize", NULL)));
	CHECK(is_bad_value(set(o, "bufsize", "0")));
	CHECK_INT(option_number(o, OPTION_bufsize), 8192);
}

TEST(rates)
{
	static const struct {
		const char *value;
		long long wanted;
	} cases[] = {
		{ "5", 5 },
		{ "5ns", 5 },
		{ "5nsec", 5 },
		{ "5us", 5000 },
		{ "5USEC", 5000 },
		{ "5ms", 5000000 },
		{ "5msec", 5000000 },
		{ "5s", 5000000000 },
		{ "5sec", 5000000000 },
		{ "1m", 60000000000 },
		{ "1min", 60000000000 },
		{ "1h", 3600000000000 },
		{ "1hour", 3600000000000 },
		{ "1d", 86400000000000 },
		{ "1day", 86400000000000 },
		{ "100hz", 10000000 },
		{ "0", 0 },
		{ "0hz", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options *o = fresh();
		CHECK(!set(o, "switchrate", cases[i].value));
		CHECK_INT(option_number(o, OPTION_switchrate), cases[i].wanted);
	}
	CHECK(is_bad_value(set(fresh(), "switchrate", "5weeks")));
}

TEST(times)
{
	static const struct {
		const char *value;
		long long wanted;
	} cases[] = { { "2", 2000000000 },   { "2s", 2000000000 }, { "1500ms", 1500000000 },
		      { "1m", 60000000000 }, { "0", 0 },	   { "off", 10000000000 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options *o = fresh();
		CHECK(!set(o, "deadman", cases[i].value));
		CHECK_INT(option_number(o, OPTION_deadman), cases[i].wanted);
	}
	CHECK(is_bad_value(set(fresh(), "deadman", "2hz")));
	CHECK(is_bad_value(set(fresh(), "deadman", "5weeks")));
}

TEST(limits)
{
	struct options *o = fresh();
	CHECK(!set(o, "strsize", "1"));
	CHECK_INT(option_number(o, OPTION_strsize), 2);
	CHECK(!set(o, "statusrate", "1m"));
	CHECK_INT(option_number(o, OPTION_statusrate), 10000000000);
	/* these limits have names elsewhere */
	CHECK(!set(o, "ustackframes", "40000") && !set(o, "stackframes", "40000"));
	CHECK_INT(option_number(o, OPTION_ustackframes), STACK_FRAMES_MAX);
	CHECK_INT(option_number(o, OPTION_stackframes), STACK_FRAMES_MAX);
	CHECK_INT(option_number(o, OPTION_maxframes), STACK_FRAMES_MAX);
	CHECK(!set(o, "jstackframes", "4294967298"));
	CHECK_INT(option_number(o, OPTION_jstackframes), STACK_FRAMES_MAX);
	CHECK(!set(o, "strsize", "1g") && !set(o, "pcapsize", "1g"));
	CHECK_INT(option_number(o, OPTION_strsize), STRING_SIZE_MAX);
	CHECK_INT(option_number(o, OPTION_pcapsize), PACKET_SIZE_MAX);
	CHECK(!set(o, "stackindent", "4294967295"));
	CHECK_INT(option_number(o, OPTION_stackindent), 1000);
	/* Positions that there are not count as 0, so they must not become some that there are. */
	CHECK(!set(o, "aggsortpos", "4294967297"));
	CHECK(option_number(o, OPTION_aggsortpos) > 1000);
	CHECK(!set(o, "aggsortkeypos", "4294967297"));
	CHECK(option_number(o, OPTION_aggsortkeypos) > 1000);
}

static const char *printed(const struct options *o, enum option id)
{
	static struct strbuf text;
	strbuf_clear(&text);
	option_print(o, id, &text);
	return strbuf_text(&text);
}

TEST(moved_to_a_limit)
{
	struct options *o = fresh();
	CHECK_INT(option_moved(o, OPTION_strsize), 0);
	CHECK(!set(o, "strsize", "1"));
	CHECK_INT(option_moved(o, OPTION_strsize), 1);
	CHECK_STR(printed(o, OPTION_strsize), "2 bytes");
	CHECK(!set(o, "strsize", "65537"));
	CHECK_INT(option_moved(o, OPTION_strsize), -1);
	CHECK_STR(printed(o, OPTION_strsize), "64k");
	CHECK(!set(o, "strsize", "64k"));
	CHECK_INT(option_moved(o, OPTION_strsize), 0);
	CHECK(!set(o, "strsize", "1g"));
	CHECK(!set(o, "strsize", ""));
	CHECK_INT(option_moved(o, OPTION_strsize), 0);
	CHECK(!set(o, "cleanrate", "1d")); /* it is ignored: nothing to report */
	CHECK_INT(option_moved(o, OPTION_cleanrate), 0);
	CHECK_STR(option_name(OPTION_strsize), "strsize");
}

TEST(printed_values)
{
	static const struct {
		const char *name, *value, *wanted;
		enum option id;
	} cases[] = {
		{ "bufsize", "3t", "3t", OPTION_bufsize },
		{ "bufsize", "1024k", "1m", OPTION_bufsize },
		{ "bufsize", "4000", "4000 bytes", OPTION_bufsize },
		{ "jstackstrsize", "0", "0 bytes", OPTION_jstackstrsize },
		{ "switchrate", "50hz", "50 hz", OPTION_switchrate },
		{ "switchrate", "1s", "1 hz", OPTION_switchrate },
		{ "switchrate", "1m", "once every 60 seconds", OPTION_switchrate },
		{ "switchrate", "3ms", "once every 3000000 nanoseconds", OPTION_switchrate },
		{ "deadman", "2m", "120 seconds", OPTION_deadman },
		{ "deadman", "1500ms", "1500000000 nanoseconds", OPTION_deadman },
		{ "nspec", "7", "7", OPTION_nspec },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options *o = fresh();
		CHECK(!set(o, cases[i].name, cases[i].value));
		CHECK_STR(printed(o, cases[i].id), cases[i].wanted);
	}
}

TEST(plain_numbers)
{
	struct options *o = fresh();
	CHECK(!set(o, "cpu", "0"));
	CHECK(option_is_set(o, OPTION_cpu));
	CHECK(!set(o, "stackindent", "4"));
	CHECK_INT(option_number(o, OPTION_stackindent), 4);
	CHECK(!set(o, "stackindent", ""));
	CHECK_INT(option_number(o, OPTION_stackindent), 14);
	CHECK(!set(o, "aggsortkeypos", NULL));
	CHECK_INT(option_number(o, OPTION_aggsortkeypos), 0);
	CHECK(is_bad_value(set(o, "cpu", "4k")));
}

TEST(choices)
{
	struct options *o = fresh();
	CHECK(!set(o, "evaltime", "main"));
	CHECK_STR(option_text(o, OPTION_evaltime), "main");
	CHECK_INT(option_number(o, OPTION_evaltime), 3);
	CHECK(is_bad_value(set(o, "evaltime", "later")));
	CHECK(!set(o, "procfspath", "/proc"));
	CHECK(is_bad_value(set(o, "procfspath", "/mnt/proc")));
	CHECK(is_bad_value(set(o, "evaltime", NULL)));
	CHECK(is_bad_value(set(o, "evaltime", "ma")));
	CHECK_STR(option_text(o, OPTION_evaltime), "main");
}

TEST(lists_keep_order)
{
	struct options *o = fresh();
	size_t count;
	option_list(o, OPTION_libdir, &count);
	CHECK_INT(count, 0);
	CHECK(!set(o, "libdir", "/a"));
	CHECK(!set(o, "libdir", "/b,c"));
	const char *const *list = option_list(o, OPTION_libdir, &count);
	CHECK_INT(count, 2);
	CHECK_STR(list[0], "/a");
	CHECK_STR(list[1], "/b,c");
}

TEST(dump_takes_several)
{
	struct options *o = fresh();
	size_t count;
	CHECK(!set(o, "dump", "ast,asm"));
	const char *const *list = option_list(o, OPTION_dump, &count);
	CHECK_INT(count, 2);
	CHECK_STR(list[0], "ast");
	CHECK_STR(list[1], "asm");
	CHECK(is_bad_value(set(o, "dump", "typed,brunch")));
	option_list(o, OPTION_dump, &count);
	CHECK_INT(count, 2);
}

TEST(unknown_names)
{
	struct options *o = fresh();
	CHECK_STR(set(o, "bufsise", "4m"), "Invalid option name (did you mean bufsize?)");
	CHECK_STR(set(o, "QUIET", NULL), "Invalid option name (did you mean quiet?)");
	CHECK_STR(set(o, "nonsense", NULL), "Invalid option name (dtrace --help lists them)");
	CHECK_STR(set(o, "", NULL), "Invalid option name (dtrace --help lists them)");
	CHECK_STR(set(o, "a-name-of-more-than-thirty-one-letters", NULL),
		  "Invalid option name (dtrace --help lists them)");
}

TEST(who_may_set)
{
	struct options *o = fresh();
	CHECK_STR(options_set(o, "cpppath", "/x", OPTION_BY_PROGRAM),
		  "Option cannot be used from within a D program");
	CHECK(!options_set(o, "quiet", NULL, OPTION_BY_PROGRAM));
	CHECK(!options_set(o, "bufsize", "1k", OPTION_BY_PROGRAM));
	CHECK_STR(options_set(o, "bufsize", "1k", OPTION_BY_SETOPT),
		  "Operation illegal when tracing is active");
	CHECK(!options_set(o, "quiet", "off", OPTION_BY_SETOPT));
	CHECK_INT(option_number(o, OPTION_quiet), 0);
}

/* The settings of the command only: neither those of programs, nor those for the command alone. */
TEST(given_is_kept_in_order)
{
	struct options *o = fresh();
	size_t count;
	options_given(o, &count);
	CHECK_INT(count, 0);
	CHECK(!set(o, "quiet", NULL));
	CHECK(!set(o, "bufsize", "1m"));
	CHECK(set(o, "bufsize", "much"));
	CHECK(!set(o, "cpppath", "/x"));
	CHECK(!options_set(o, "strsize", "32", OPTION_BY_PROGRAM));
	CHECK(!options_set(o, "flowindent", NULL, OPTION_BY_SETOPT));
	CHECK(!set(o, "bufsize", "2m"));
	const char *const *given = options_given(o, &count);
	CHECK_INT(count, 3);
	CHECK_STR(given[0], "quiet");
	CHECK_STR(given[1], "bufsize=1m");
	CHECK_STR(given[2], "bufsize=2m");
}

TEST(what_has_no_effect_says_why)
{
	struct options *o = fresh();
	CHECK(!option_idle(o, OPTION_ctfpath));
	CHECK(!set(o, "ctfpath", "/a"));
	CHECK_STR(option_idle(o, OPTION_ctfpath), "types come from the kernel's own data (BTF)");
	CHECK(!option_idle(o, OPTION_sysslice));
	CHECK(!set(o, "sysslice", "50"));
	CHECK_STR(option_idle(o, OPTION_sysslice), "-p stops no process");
	CHECK(!set(o, "linktype", "elf"));
	CHECK(!option_idle(o, OPTION_linktype)); /* ignored in silence */
	CHECK(!set(o, "strsize", "16"));
	CHECK(!option_idle(o, OPTION_strsize));
}

TEST(opposites)
{
	struct options *o = fresh();
	CHECK(!set(o, "knodefs", NULL));
	CHECK_INT(option_number(o, OPTION_knodefs), 1);
	CHECK(!set(o, "kdefs", "0")); /* says nothing */
	CHECK_INT(option_number(o, OPTION_knodefs), 1);
	CHECK(!set(o, "kdefs", NULL));
	CHECK_INT(option_number(o, OPTION_knodefs), 0);
	CHECK(!set(o, "knodefs", NULL));
	CHECK_INT(option_number(o, OPTION_knodefs), 1);
	CHECK_INT(option_number(o, OPTION_kdefs), 0);
}

TEST(complaints_say_what_is_allowed)
{
	static const struct {
		const char *name, *value, *wanted;
	} cases[] = {
		{ "bufsize", "4q", "('4q' is not a size such as 64k, 4m or 1g)" },
		{ "bufsize", NULL, "(it needs a size such as 64k, 4m or 1g)" },
		{ "cpu", "4k", "('4k' is not a number)" },
		{ "switchrate", "5weeks",
		  "('5weeks' is not a time such as 100ms or 1s, or a frequency such as 50hz)" },
		{ "deadman", "2hz", "('2hz' is not a time such as 10s or 2m)" },
		{ "evaltime", "late", "('late' is not one of: exec preinit postinit main)" },
		{ "cpppath", "", "(it needs a text)" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char whole[128];
		snprintf(whole, sizeof(whole), "Invalid value for specified option %s",
			 cases[i].wanted);
		CHECK_STR(set(fresh(), cases[i].name, cases[i].value), whole);
	}
}

TEST(versions)
{
	struct options *o = fresh();
	CHECK_INT(option_number(o, OPTION_version), 0);
	CHECK(!set(o, "version", "1.2.1"));
	CHECK_INT(option_number(o, OPTION_version), 0x01002001);
	CHECK(!set(o, "version", "1"));
	CHECK_INT(option_number(o, OPTION_version), 0x01000000);
	CHECK_STR(set(o, "version", "1.1"), "Requested version conflicts with earlier setting");
	o = fresh();
	CHECK(!set(o, "version", "2.0.1"));
	CHECK_INT(option_number(o, OPTION_version), 0x02000001);
	CHECK(!set(o, "version", "2.0"));
	static const char *const unknown[] = { "2.0.2", "2.1", "1.7.9", "1.15", "0.1", "0", NULL };
	for (const char *const *v = unknown; *v; v++)
		CHECK_STR(set(o, "version", *v), "Requested version is not supported by compiler");
	static const char *const malformed[] = { "",	"1.",	  ".1", "1.x", "1.2.3.4",
						 "300", "1.5000", "-1", NULL };
	for (const char *const *v = malformed; *v; v++)
		CHECK_STR(set(o, "version", *v),
			  "Version is not properly formatted or is too large");
	CHECK_STR(set(o, "version", NULL), "Version is not properly formatted or is too large");
	CHECK_INT(option_number(o, OPTION_version), 0x02000000);
}

TEST(environment)
{
	char *good[] = { "HOME=/", "DTRACE_OPT_BUFSIZE=16k", "DTRACE_OPT_QUIET=", "DTRACE_OPT",
			 NULL };
	char *bad[] = { "DTRACE_OPT_STRSIZE=long", NULL };
	const char *variable = NULL;
	struct options *o = fresh();
	CHECK(!options_set_from_environment(o, good, &variable));
	CHECK_INT(option_number(o, OPTION_bufsize), 16384);
	CHECK_INT(option_number(o, OPTION_quiet), 1);
	CHECK(is_bad_value(options_set_from_environment(o, bad, &variable)));
	CHECK_STR(variable, "DTRACE_OPT_STRSIZE");

	static const char unknown[] =
		"DTRACE_OPT_A_NAME_THAT_IS_LONGER_THAN_ANY_OPTION_EVER_WAS_BY_FAR";
	auto_free char *setting = mem_printf("%s=1", unknown);
	char *longer[] = { setting, NULL };
	CHECK_STR(options_set_from_environment(o, longer, &variable),
		  "Invalid option name (dtrace --help lists them)");
	CHECK_STR(variable, unknown);
}

TEST(names_and_ids)
{
	CHECK_INT(option_by_name("bufsize"), OPTION_bufsize);
	CHECK_INT(option_by_name("nothing"), OPTION_COUNT);
	int id = 0;
#define OPTION(name, ...) CHECK_INT(option_by_name(#name), id++);
#include "tracer/option/option.def"
#undef OPTION
	fresh();
}

TEST_MAIN
