/* SPDX-License-Identifier: BSD-2-Clause */
/* Tracepoints of this kernel, from its type data */
#include <unistd.h>

#include "provider/provider.h"
#include "test.h"

static struct types *types;
static struct probe_db *db;

static bool begin(void)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
		return false;
	types = types_new(NULL);
	db = probe_db_new(providers);
	probe_db_lend_types(db, types);
	return true;
}

static void end(void)
{
	probe_db_free(db);
	types_free(types);
}

static size_t match(const char *module, const char *name, probe_vector *ret)
{
	const struct probe_desc desc = { "rawtp", module, "", name };
	auto_error struct error *err = probe_db_match(db, &desc, ret);
	CHECK(!err);
	return ret->count;
}

TEST(arguments_are_typed_and_placed)
{
	if (!begin())
		SKIP("no /sys/kernel/btf/vmlinux");
	probe_vector found = { 0 };
	CHECK_INT(match("", "sched_switch", &found), 1);
	const struct probe *p = found.items[0];
	CHECK_STR(p->args->types[0], "bool");
	CHECK_STR(p->args->types[2], "struct task_struct *");
	const struct event *e = &p->events->event;
	CHECK_INT(e->kind, EVENT_TRACEPOINT);
	CHECK_STR(e->tracepoint.name, "sched_switch");
	CHECK_INT(e->args->arg[0].size, 1);
	CHECK_INT(e->args->arg[2].size, 0);
	CHECK_INT(e->args->arg[2].value, 16);
	CHECK(p->events->next == NULL);
	found.count = 0;
	CHECK_INT(match("", "sched_switch", &found), 1); /* once more: nothing twice */
	CHECK(p->events->next == NULL);
	vector_free(&found);
	end();
}

TEST(vmlinux_is_every_ones_module)
{
	if (!begin())
		SKIP("no /sys/kernel/btf/vmlinux");
	probe_vector found = { 0 };
	CHECK_INT(match("vmlinux", "sched_switch", &found), 1);
	CHECK_INT(match("no_such_module", "sched_switch", &found), 1);
	vector_free(&found);
	end();
}

/* So args[] and -lv are right for all of them. */
TEST(all_types_are_understood)
{
	if (!begin())
		SKIP("no /sys/kernel/btf/vmlinux");
	probe_vector found = { 0 };
	CHECK(match("", "", &found) > 100);
	for (size_t i = 0; i < found.count; i++) {
		const struct probe *p = found.items[i];
		for (unsigned k = 0; p->args->types[k]; k++) {
			const struct type *type = types_parse(types, p->args->types[k]);
			if (!type)
				printf("%s: %s\n", p->name, p->args->types[k]);
			CHECK(type && p->events->event.args->arg[k].kind == ARG_CONTEXT);
		}
	}
	vector_free(&found);
	end();
}

TEST(patterns_leave_out_what_programs_fire_themselves)
{
	if (!begin())
		SKIP("no /sys/kernel/btf/vmlinux");
	probe_vector found = { 0 };
	CHECK_INT(match("", "bpf_trace_print*", &found), 0);
	CHECK_INT(probe_db_left_out(db), 1);
	CHECK_INT(match("", "bpf_trace_print*", &found), 0);
	CHECK_INT(probe_db_left_out(db), 1);
	CHECK_INT(match("", "bpf_trace_printk", &found), 1);
	vector_free(&found);
	end();
}

/* A name with a hyphen is not a tracepoint's: the kernel's type data are not even opened. */
TEST(other_names_do_not_list_tracepoints)
{
	db = probe_db_new(providers);
	types = types_new("/nonexistent");
	probe_db_lend_types(db, types);
	probe_vector found = { 0 };
	const struct probe_desc tick = { "", "", "", "tick-5sec" }, none = { "rawtp", "", "", "x" };
	auto_error struct error *err = probe_db_match(db, &tick, &found);
	CHECK(!err);
	CHECK_INT(found.count, 1);
	auto_error struct error *missing = probe_db_match(db, &none, &found);
	CHECK(missing);
	vector_free(&found);
	end();
}

TEST_MAIN
