/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * described - what providers as data ask of a kernel, besides its types
 *
 * Of the kernel that runs; or of the description of another one, a folder that
 * tools/describe-kernel writes and -x provcheck names.
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <zlib.h>

#include "kernel/kernel.h"
#include "provider/provider.h"

static const char *folder_of(struct probe_db *db)
{
	return probe_db_settings(db)->described;
}

static FILE *described_open(struct probe_db *db, const char *name)
{
	auto_free char *path = mem_printf("%s/%s", folder_of(db), name);
	return fopen(path, "re");
}

const struct arch *asked_arch(struct probe_db *db)
{
	if (!folder_of(db))
		return arch_host();
	char name[32] = "";
	auto_fclose FILE *f = described_open(db, "arch");
	if (f && fgets(name, sizeof(name), f))
		name[strcspn(name, "\n")] = 0;
	for (const struct arch *const *a = arch_all; *a; a++)
		if (string_equal((*a)->name, name))
			return *a;
	return NULL;
}

/* The kernel's own copy, or else the file of its package; NULL: there is none. */
static gzFile config_of_host(void)
{
	struct utsname u;
	gzFile f = gzopen("/proc/config.gz", "re");
	if (f)
		return f;
	uname(&u);
	auto_free char *path = mem_printf("/boot/config-%s", u.release);
	return gzopen(path, "re");
}

static gzFile config_open(struct probe_db *db)
{
	if (!folder_of(db))
		return config_of_host();
	auto_free char *path = mem_printf("%s/config", folder_of(db));
	return gzopen(path, "re");
}

bool asked_config(struct probe_db *db, const char *name)
{
	static const char prefix[] = "CONFIG_";
	bool is_whole = strncmp(name, prefix, sizeof(prefix) - 1) == 0;
	gzFile f = config_open(db); /* or plain text */
	auto_free char *wanted = mem_printf("%s%s=", is_whole ? "" : prefix, name);
	size_t length = strlen(wanted);
	char line[256];
	bool found = false;
	while (f && !found && gzgets(f, line, sizeof(line)))
		found = strncmp(line, wanted, length) == 0 &&
			(line[length] == 'y' || line[length] == 'm');
	gzclose(f);
	return found;
}

bool asked_kprobes(struct probe_db *db)
{
	return folder_of(db) ? asked_config(db, "KPROBES") : kernel_has(FEATURE_KPROBE);
}

const char *asked_functions(struct probe_db *db, asked_function_fn *visit, void *arg)
{
	if (!folder_of(db)) {
		const char *problem = kernel_functions_problem();
		if (!problem)
			kernel_functions(visit, arg);
		return problem;
	}
	auto_fclose FILE *f = described_open(db, "functions");
	char line[FUNCTION_LINE_SIZE];
	while (f && fgets(line, sizeof(line), f)) {
		bool of_module = strchr(line, '[');
		line[strcspn(line, " \t\n")] = 0;
		if (*line && !of_module)
			visit(arg, "vmlinux", line, 0);
	}
	return f ? NULL : "not checked: the description has no list of functions";
}

FILE *asked_format(struct probe_db *db, const char *group, const char *name)
{
	auto_free char *path =
		mem_printf(folder_of(db) ? "formats/%s/%s" : "events/%s/%s/format", group, name);
	return folder_of(db) ? described_open(db, path) : tracefs_open(path);
}
