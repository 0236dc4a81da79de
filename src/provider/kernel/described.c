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

#define CONFIG_MAX (16 << 20) /* bytes; they have 0.2 million */

/* What gzip wrote, as it was.  Damaged: as far as it can be read. */
static void config_unpack(struct strbuf *text)
{
	enum { STEP = 65536, GZIP = 16 + MAX_WBITS };
	auto_strbuf struct strbuf packed = *text;
	z_stream z = { .next_in = (Bytef *)packed.text, .avail_in = (uInt)packed.len };
	*text = (struct strbuf) { 0 };
	for (int result = inflateInit2(&z, GZIP); result == Z_OK && text->len < CONFIG_MAX;) {
		z.next_out = (Bytef *)strbuf_room(text, STEP);
		z.avail_out = STEP;
		result = inflate(&z, Z_NO_FLUSH);
		text->len += STEP - z.avail_out;
	}
	inflateEnd(&z);
	strbuf_puts(text, ""); /* its end */
}

static bool config_read_file(const char *path, struct strbuf *ret)
{
	auto_error struct error *err = file_read(path, CONFIG_MAX, ret);
	return !err;
}

/* The kernel's own copy, or else the file of its package; empty: there is none. */
static void config_read(struct probe_db *db, struct strbuf *ret)
{
	static const char gzip[] = "\x1f\x8b";
	struct utsname u;
	uname(&u);
	auto_free char *path = folder_of(db) ? mem_printf("%s/config", folder_of(db))
					     : mem_printf("/boot/config-%s", u.release);
	if (folder_of(db) || !config_read_file("/proc/config.gz", ret))
		config_read_file(path, ret);
	if (strncmp(strbuf_text(ret), gzip, strlen(gzip)) == 0)
		config_unpack(ret);
}

bool asked_config(struct probe_db *db, const char *name)
{
	static const char prefix[] = "CONFIG_";
	bool is_whole = strncmp(name, prefix, sizeof(prefix) - 1) == 0;
	auto_free char *wanted = mem_printf("%s%s=", is_whole ? "" : prefix, name);
	size_t length = strlen(wanted);
	auto_strbuf struct strbuf text = { 0 };
	config_read(db, &text);
	bool found = false;
	for (const char *line = strbuf_text(&text); *line && !found;
	     line += strcspn(line, "\n"), line += *line == '\n')
		found = strncmp(line, wanted, length) == 0 &&
			(line[length] == 'y' || line[length] == 'm');
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
