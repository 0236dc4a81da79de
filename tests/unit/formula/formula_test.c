/* SPDX-License-Identifier: BSD-2-Clause */
/* Which probes this kernel has of a file, of which events, and what is reported */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formula/formula.h"
#include "provider/provider.h"
#include "test.h"

static struct types *types;
static struct probe_db *db;
static struct formulas *formulas;
static unsigned reports, mistakes;

static bool is_type(void *arg, enum declarer who, const char *name)
{
	return types_is_typedef(types, name);
}

static void report(void *arg, struct diagnostics *d)
{
	reports++;
	mistakes += (unsigned)d->list.count;
}

/* The provider stock has TEXT. */
static bool begin(const char *text)
{
	static const struct formulas_env env = { .is_type = is_type, .report = report };
	if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
		return false;
	types = types_new(NULL);
	db = probe_db_new(providers);
	probe_db_lend_types(db, types);
	formulas = formulas_new(&env);
	formulas_add(formulas, db, "stock", "stock.prov", text, strlen(text));
	reports = mistakes = 0;
	return true;
}

static void end(void)
{
	probe_db_free(db);
	formulas_free(formulas);
	types_free(types);
}

/* The probe NAME of the provider, or NULL. */
static const struct probe *find(const char *provider, const char *name)
{
	probe_vector found = { 0 };
	const struct probe_desc desc = { provider, "", "", name };
	auto_error struct error *err = probe_db_match(db, &desc, &found);
	CHECK(!err);
	const struct probe *p = NULL;
	for (size_t i = 0; i < found.count; i++)
		p = string_equal(found.items[i]->provider, "stock") ? found.items[i] : p;
	vector_free(&found);
	return p;
}

static unsigned event_count(const struct probe *p)
{
	unsigned count = 0;
	for (const struct probe_event *e = p ? p->events : NULL; e; e = e->next)
		count++;
	return count;
}

TEST(the_first_alternative_that_is_there_is_chosen)
{
	if (!begin("provider stock {\n"
		   "probe a (int x) { note \"one\" on tp no_such_event(int a);\n"
		   "else note \"two\" on syscall no_such_call entry();\n"
		   "else note \"three\" on tp sched_process_exec(void *a); }\n"
		   "}"))
		SKIP("no /sys/kernel/btf/vmlinux");
	const struct probe *p = find("stock", "a");
	CHECK(p);
	CHECK_STR(p->note, "three");
	CHECK_STR(p->not_chosen, "stock.prov line 2: there is no tracepoint no_such_event\n"
				 "stock.prov line 3: there is no system call no_such_call\n");
	CHECK_INT(event_count(p), 1);
	CHECK_STR(p->events->event.tracepoint.name, "sched_process_exec");
	CHECK_STR(p->args->types[0], "int");
	CHECK(!p->args->types[1]);
	end();
}

TEST(all_sources_but_optional_ones_must_be_there)
{
	if (!begin("provider stock {\n"
		   "probe a () { on tp sched_switch(int a); on tp no_such_event(); }\n"
		   "probe b () { on tp sched_switch(int a); ?on tp no_such_event(); }\n"
		   "probe c () { ?on tp no_such_event(); }\n"
		   "probe d () { on tp sched_switch(int a); on syscall read, no_such_call, write "
		   "return (long r); }\n"
		   "probe e () { on tp sched_process_fork(int a, int b, int c, int d, int e, int "
		   "f); }\n"
		   "}"))
		SKIP("no /sys/kernel/btf/vmlinux");
	CHECK(!find("stock", "a"));
	CHECK_INT(event_count(find("stock", "b")), 1);
	CHECK(!find("stock", "c"));
	CHECK_INT(event_count(find("stock", "d")), 3);
	CHECK(!find("stock", "e"));
	CHECK_INT(reports, 0);
	end();
}

TEST(functions_are_events_where_there_are_kprobes)
{
	if (!begin("provider stock {\n"
		   "probe a () { on func do_exit(long code); }\n"
		   "probe b () { on func do_exit(long code, long more); }\n"
		   "probe c () { on func vfs_read return (struct file *f, ...) = result; }\n"
		   "probe d () { on func do_exit return () = result; }\n"
		   "probe e () { on func no_such_function(); }\n"
		   "probe f () { on func no_such_function, do_exit, vfs_read(); }\n"
		   "probe g () { on func no_such_function, nor_this(); }\n"
		   "probe h () { on func vfs_read, do_exit(long a, long b); }\n"
		   "}"))
		SKIP("no /sys/kernel/btf/vmlinux");
	bool here = access("/sys/bus/event_source/devices/kprobe/type", R_OK) == 0;
	const struct probe *a = find("stock", "a"), *c = find("stock", "c");
	CHECK_INT(event_count(a), here ? 1 : 0);
	CHECK_INT(event_count(c), here ? 2 : 0);
	if (here) {
		CHECK_INT(a->events->event.kind, EVENT_KERNEL_ENTRY);
		CHECK_STR(a->events->event.function.name, "do_exit");
		CHECK_INT(c->events->event.kind, EVENT_KERNEL_ENTRY);
		CHECK_INT(c->events->next->event.kind, EVENT_KERNEL_RETURN);
		CHECK(c->events->source != c->events->next->source);
	}
	CHECK_INT(event_count(find("stock", "f")), here ? 2 : 0);
	CHECK(!find("stock", "b"));
	CHECK(!find("stock", "d"));
	CHECK(!find("stock", "e"));
	CHECK(!find("stock", "g"));
	CHECK(!find("stock", "h"));
	const struct probe_desc e = { "stock", "", "", "e" };
	const struct probe *missing = probe_db_missing(db, &e, NULL);
	CHECK(missing);
	CHECK_STR(missing->not_chosen,
		  here ? "stock.prov line 6: there is no function no_such_function\n"
		       : "stock.prov line 6: this kernel has no kprobes (CONFIG_KPROBES)\n");
	CHECK(!probe_db_missing(db, &e, missing));
	end();
}

static bool is_there(const char *condition)
{
	auto_free char *text = mem_printf(
		"provider stock { probe a () needs %s { on tp sched_switch(int a); } }", condition);
	CHECK(begin(text));
	bool found = find("stock", "a");
	CHECK_INT(reports, 0);
	end();
	return found;
}

TEST(conditions_are_about_this_kernel)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
		SKIP("no /sys/kernel/btf/vmlinux");
	CHECK(is_there("has(struct task_struct)"));
	CHECK(is_there("has(struct task_struct.signal)"));
	CHECK(is_there("has(struct task_struct.se.vruntime)"));
	CHECK(is_there("has(struct task_struct.signal.group_exit_code)"));
	CHECK(!is_there("has(struct task_struct.signal.no_such_member)"));
	CHECK(!is_there("has(struct task_struct.no_such_member)"));
	CHECK(!is_there("has(struct no_such_struct)"));
	CHECK(is_there("hastp(sched_process_exec)"));
	CHECK(is_there("hastp(sched_process_exec, 3)"));
	CHECK(!is_there("hastp(sched_process_exec, 4)"));
	CHECK(!is_there("hastp(no_such_event)"));
	CHECK(is_there("hasfunc(do_exit)"));
	CHECK(!is_there("hasfunc(no_such_function)"));
	CHECK(is_there("hasenum(PIDTYPE_TGID)"));
	CHECK(!is_there("hasenum(NO_SUCH_ENUMERATOR)"));
	CHECK(!is_there("arch(pdp11)"));
	CHECK(is_there("arch(x86_64) || arch(aarch64)"));
	CHECK(is_there("!arch(pdp11) && hasfunc(do_exit)"));
	CHECK(!is_there("arch(pdp11) && hasfunc(do_exit)"));
	CHECK(!is_there("config(NO_SUCH_OPTION)"));
}

TEST(a_file_is_read_when_its_probes_may_be_meant)
{
	if (!begin("provider stock { probe a-b ( { } probe rest () { on tp sched_switch(); } }"))
		SKIP("no /sys/kernel/btf/vmlinux");
	CHECK(!find("", "BEGIN"));
	CHECK(!find("", "tick-1s"));
	CHECK(!find("syscall", ""));
	CHECK_INT(reports, 0);
	CHECK(find("", "rest"));
	CHECK_INT(reports, 1);
	CHECK_INT(mistakes, 1);
	CHECK(find("stock", "rest"));
	CHECK_INT(reports, 1);
	end();
}

TEST(a_file_is_one_provider_with_its_attributes)
{
	if (!begin("provider stock { attributes Stable/Evolving/Common Private/Private/Unknown "
		   "Private/Private/Unknown Evolving/Evolving/ISA Stable/Stable/ISA; module ext4;\n"
		   "probe a () { on tp sched_switch(); } }\n"
		   "provider other { probe b () { on tp sched_switch(); } }"))
		SKIP("no /sys/kernel/btf/vmlinux");
	const struct probe *p = find("stock", "a");
	CHECK(p);
	CHECK_STR(p->module, "ext4");
	CHECK_INT(p->owner->attributes[PART_OF_PROVIDER].name, STABILITY_STABLE);
	CHECK_INT(p->owner->attributes[PART_OF_PROVIDER].class, CLASS_COMMON);
	CHECK_INT(p->owner->attributes[PART_OF_ARGS].class, CLASS_ISA);
	CHECK_INT(mistakes, 1);
	CHECK(!find("other", "b"));
	end();
}

TEST(a_provider_of_ours_is_not_replaced)
{
	if (!begin("provider stock { }"))
		SKIP("no /sys/kernel/btf/vmlinux");
	CHECK(!formulas_add(formulas, db, "rawtp", "rawtp.prov", "x", 1));
	CHECK(formulas_add(formulas, db, "stock", "again.prov", "x", 1));
	CHECK(!find("stock", ""));
	CHECK_INT(reports, 0);
	end();
}

/* Is the provider of TEXT one of processes? */
static bool is_of_processes(const char *text)
{
	begin(text);
	bool ret = formulas_provider(formulas, 0)->process;
	end();
	return ret;
}

TEST(a_text_says_whether_its_probes_are_of_processes)
{
	CHECK(is_of_processes("provider stock { context pidclass; }"));
	CHECK(is_of_processes("provider stock { probe a () { } context /* \" */\n\t pidclass ; }"));
	CHECK(is_of_processes("/* it's */ // context\nprovider stock {context pidclass;}"));
	CHECK(!is_of_processes("/* context pidclass; */ provider stock { }"));
	CHECK(!is_of_processes("provider stock { } // context pidclass"));
	CHECK(!is_of_processes("provider stock { probe a () { note \"context pidclass\" } }"));
	CHECK(!is_of_processes("provider stock { context other; } inline int pidclass = 1;"));
	CHECK(!is_of_processes("provider pidclass { }"));
	CHECK(!is_of_processes("context pidclas"));
	CHECK(!is_of_processes("/* pidclass"));
	CHECK(!is_of_processes("\"pidclass"));
}

void traced_function(int n);

__attribute__((noinline, used)) void traced_function(int n)
{
	__asm__ volatile("" : : "r"(n));
}

TEST(functions_of_a_process_are_events)
{
	if (!begin("provider stock {\n"
		   "context pidclass;\n"
		   "probe a (int n) { on uprobe a.out:traced_function (int n) { n = n; } }\n"
		   "probe b (int n) { on uprobe a.out:no_such_function (int n);\n"
		   "else on uprobe a.out:traced_function return (int n) = r { n = r; } }\n"
		   "probe c () { on uprobe a.out:no_such_function (); }\n"
		   "}"))
		SKIP("no /sys/kernel/btf/vmlinux");
	int pid = fork();
	if (!pid)
		for (;;)
			pause();
	auto_free char *provider = mem_printf("stock%d", pid);
	const struct probe_desc a = { provider, "", "", "a" }, b = { provider, "", "", "b" },
				c = { provider, "", "", "c" };
	probe_vector found = { 0 };
	for (int again = 0; again < 2; again++) {
		error_free(probe_db_match(db, &a, &found));
		error_free(probe_db_match(db, &b, &found));
		error_free(probe_db_match(db, &c, &found));
	}
	CHECK_INT(found.count, 4); /* nothing is new */
	CHECK(found.items[0] == found.items[2] && found.items[1] == found.items[3]);
	CHECK_INT(event_count(found.items[0]), 1);
	CHECK_INT(found.items[0]->events->event.kind, EVENT_FUNCTION_ENTRY);
	CHECK_INT(found.items[0]->events->event.code.pid, pid);
	CHECK_INT(event_count(found.items[1]), 2);
	CHECK(strstr(found.items[1]->not_chosen, "line 4: "));
	CHECK(strstr(probe_db_missing(db, &c, NULL)->not_chosen, "no_such_function"));
	vector_free(&found);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	end();
}

TEST_MAIN
