/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed-dlib FILE.d ... - the D libraries as C data, with an index of their names
 *
 * Writes what tracer/library/library_files.c includes: struct embedded_file for each, and all names
 * sorted. A library that cannot be taken apart ends the build.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/outline.h"
#include "tools/pack.h"

struct file {
	const char *base;
	struct strbuf text;
	struct outline outline;
};

static struct file *files;

struct name {
	int file;
	size_t item;
};

static const char *name_text(const struct name *n)
{
	const struct outline *o = &files[n->file].outline;
	return strbuf_text(&o->names) + o->items.items[n->item].name;
}

/* Sorted by name; of one name, in the order of files and texts. */
static int compare(const void *pa, const void *pb)
{
	const struct name *a = pa, *b = pb;
	int order = strcmp(name_text(a), name_text(b));
	if (order)
		return order;
	if (a->file != b->file)
		return a->file - b->file;
	return a->item < b->item ? -1 : a->item > b->item;
}

static void read_file(struct file *f, const char *path)
{
	const char *slash = strrchr(path, '/');
	f->base = slash ? slash + 1 : path;
	auto_error struct error *err = file_read(path, SIZE_MAX, &f->text);
	if (err) {
		fprintf(stderr, "%s\n", error_text(err));
		exit(1);
	}
	outline_read(strbuf_text(&f->text), f->text.len, &f->outline);
	if (f->outline.problem) {
		fprintf(stderr, "%s:%u: %s\n", path, f->outline.problem_line, f->outline.problem);
		exit(1);
	}
}

static void print_bytes(const char *data, size_t len)
{
	printf("\t\"");
	for (size_t i = 0; i < len; i++) {
		char c = data[i];
		if (c == '\n')
			printf("\\n\"\n\t\"");
		else if (c == '\0')
			printf("\\0\"\n\t\"");
		else if (c == '"' || c == '\\' || c == '?')
			printf("\\%c", c);
		else if (c == '\t')
			printf("\\t");
		else
			putchar(c);
	}
	printf("\"");
}

static void print_file(int i)
{
	const struct file *f = &files[i];
	printf("TEXT(%d, ", i);
	pack(strbuf_text(&f->text), f->text.len);
	printf(")\nstatic const char names_%d[] =\n", i);
	print_bytes(strbuf_text(&f->outline.names), f->outline.names.len);
	printf(";\nstatic const struct outline_item items_%d[] = {\n", i);
	for (size_t k = 0; k < f->outline.items.count; k++) {
		const struct outline_item *item = &f->outline.items.items[k];
		printf("\t{ %u, %u, %u, %u, %u },\n", item->kind, item->line, item->name,
		       item->begin, item->end);
	}
	printf("};\n");
}

int main(int argc, char **argv)
{
	int count = argc - 1;
	VECTOR(struct name) names = { 0 };
	files = calloc((size_t)argc, sizeof(*files));
	printf("/* made by tools/embed-dlib */\n");
	for (int i = 0; i < count; i++) {
		read_file(&files[i], argv[i + 1]);
		print_file(i);
		for (size_t k = 0; k < files[i].outline.items.count; k++)
			vector_push(&names, (struct name) { i, k });
	}
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), compare);
	printf("static const struct embedded_file embedded_files[] = {\n");
	for (int i = 0; i < count; i++)
		printf("\t{ \"%s\", { text_%d, sizeof(text_%d), %zu }, items_%d, %zu, names_%d "
		       "},\n",
		       files[i].base, i, i, files[i].text.len, i, files[i].outline.items.count, i);
	printf("};\nstatic const struct embedded_name embedded_names[] = {\n");
	for (size_t i = 0; i < names.count; i++)
		printf("\t{ %d, %zu },\n", names.items[i].file, names.items[i].item);
	printf("};\n");
	return 0;
}
