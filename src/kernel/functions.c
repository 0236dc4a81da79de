/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * functions - the kernel's functions that can be probed
 *
 * Their names are in tracefs (available_filter_functions): those that begin with the compiler's
 * call for tracers.  Their addresses are in /proc/kallsyms, where several functions may have one
 * name.  The modules that have some come and go.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "kernel/kernel.h"

const char *kernel_functions_problem(void)
{
	if (!kernel_has(FEATURE_KPROBE))
		return "this kernel has no kprobes (CONFIG_KPROBES)";
	auto_fclose FILE *f = tracefs_open("available_filter_functions");
	if (!f && errno == EPERM)
		return "the kernel does not list its functions (lockdown), or you are not root";
	if (!f)
		return "tracefs has no list of functions (CONFIG_FUNCTION_TRACER), or you are not "
		       "root";
	return NULL;
}

/* "name", or "name [module]": the module's name without brackets, and NAME ends after itself. */
static const char *split_module(char *line)
{
	line[strcspn(line, "\n")] = 0;
	char *open = strchr(line, '[');
	line[strcspn(line, " \t")] = 0;
	if (!open)
		return "vmlinux";
	open[strcspn(open, "]")] = 0;
	return open + 1;
}

void kernel_functions(kernel_function_fn *visit, void *arg)
{
	char line[FUNCTION_LINE_SIZE];
	auto_fclose FILE *f = tracefs_open("available_filter_functions");
	while (f && fgets(line, sizeof(line), f)) {
		const char *module = split_module(line);
		if (*line)
			visit(arg, module, line, 0);
	}
}

void kernel_traced_places(kernel_function_fn *visit, void *arg)
{
	char line[FUNCTION_LINE_SIZE];
	auto_fclose FILE *f = tracefs_open("available_filter_functions_addrs");
	while (f && fgets(line, sizeof(line), f)) {
		char *name;
		uint64_t address = strtoull(line, &name, 16);
		if (!address || *name++ != ' ')
			continue;
		const char *module = split_module(name);
		visit(arg, module, name, address);
	}
}

/* The kernel numbers the folders of sysfs one after the other and never again. */
void kernel_modules(kernel_module_fn *visit, void *arg)
{
	DIR *dir = opendir("/sys/module");
	struct dirent *e;
	while (dir && (e = readdir(dir)))
		if (*e->d_name != '.')
			visit(arg, e->d_name, e->d_ino);
	if (dir)
		closedir(dir);
}

static void add_module(void *mark, const char *name, uint64_t identity)
{
	*(uint64_t *)mark += hash_more(identity, name, strlen(name));
}

uint64_t kernel_modules_mark(void)
{
	char line[4096]; /* with the names of the modules that use it */
	uint64_t mark = 1;
	kernel_modules(add_module, &mark);
	auto_fclose FILE *f = fopen("/proc/modules", "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strstr(line, " Live "))
			return 0;
	return mark;
}

void kernel_function_addresses(kernel_function_fn *visit, void *arg)
{
	char line[FUNCTION_LINE_SIZE];
	auto_fclose FILE *f = fopen("/proc/kallsyms", "re");
	while (f && fgets(line, sizeof(line), f)) {
		char *type;
		uint64_t address = strtoull(line, &type, 16);
		if (!address || !*type || !strchr("tTwW", type[1]) || type[2] != ' ')
			continue;
		char *name = type + 3;
		const char *module = split_module(name);
		visit(arg, module, name, address);
	}
}

/* "0xffffffff81008940-0xffffffff81008970 name", a tab after the range; of a module as above. */
void kernel_forbidden_read(FILE *list, kernel_function_fn *visit, void *arg)
{
	char line[FUNCTION_LINE_SIZE];
	while (fgets(line, sizeof(line), list)) {
		char *name = strchr(line, '\t');
		if (!name++)
			continue;
		const char *module = split_module(name);
		visit(arg, module, name, strtoull(line, NULL, 16));
	}
}

bool kernel_forbidden_functions(kernel_function_fn *visit, void *arg)
{
	auto_fclose FILE *f = debugfs_open("kprobes/blacklist");
	if (f)
		kernel_forbidden_read(f, visit, arg);
	return f;
}
