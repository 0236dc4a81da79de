/* SPDX-License-Identifier: BSD-2-Clause */
/* args[] of a probe: as the providers' tables, its own file or the types of its function say */
#include <ctype.h>
#include <string.h>

#include "tracer/list/list.h"

/* Of a translated argument, the result's type comes first. */
static void arguments_of_texts(const struct probe_args *args, listed_argument_fn *visit, void *arg)
{
	for (unsigned i = 0; args->types && args->types[i]; i++) {
		const char *type = args->types[i];
		size_t len = strcspn(type, "<");
		while (len && type[len - 1] == ' ')
			len--;
		const char *name = args->names ? args->names[i] : NULL;
		visit(arg, &(struct listed_argument) { i, type, len, name });
	}
}

/* Those that the file itself declares; false: it declares none. */
static bool arguments_declared(struct sema *s, const struct probe *p, listed_argument_fn *visit,
			       void *arg)
{
	for (unsigned i = 0;; i++) {
		struct sema_declared a;
		if (!sema_declared_argument(s, p, i, &a))
			return false;
		if (!a.type)
			return true;
		visit(arg, &(struct listed_argument) { i, a.type, strlen(a.type), a.name });
	}
}

/* Print TYPE to RET without the word "userland": that pointers of a process point into it is
 * understood. */
static void print_plain(const struct type *type, struct strbuf *ret)
{
	static const char word[] = "userland ";
	auto_strbuf struct strbuf text = { 0 };
	type_print(type, &text);
	const char *begin = strbuf_text(&text), *from = begin;
	for (const char *at = from; (at = strstr(at, word)); at++) {
		bool is_word = at == begin || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
		if (!is_word)
			continue;
		strbuf_add(ret, from, (size_t)(at - from));
		from = at + strlen(word);
	}
	strbuf_puts(ret, from);
}

static void arguments_of_function(const struct probe_args *args, listed_argument_fn *visit,
				  void *arg)
{
	for (unsigned i = 0; i < args->count; i++) {
		auto_strbuf struct strbuf text = { 0 };
		print_plain(args->list[i].type, &text);
		const char *problem = args->list[i].problem;
		visit(arg,
		      &(struct listed_argument) { i, strbuf_text(&text), text.len,
						  problem ? args->list[i].name : NULL, problem });
	}
}

void list_arguments_of(struct tracer *t, const struct probe *p, listed_argument_fn *visit,
		       void *arg)
{
	const struct probe_args *args = probe_db_arguments(t->probes, p);
	if (arguments_declared(t->sema, p, visit, arg) || !args)
		return;
	arguments_of_texts(args, visit, arg);
	arguments_of_function(args, visit, arg);
}
