/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

struct demangling {
	struct strbuf text;
	jmp_buf too_long;
};

/* libiberty has no way to stop; it holds no heap memory when it calls this. */
static void add(const char *text, size_t len, void *arg)
{
	struct demangling *d = arg;
	if (d->text.len + len > DEMANGLE_MOST)
		longjmp(d->too_long, 1);
	strbuf_add(&d->text, text, len);
}

/* Rust's first: its older form is a C++ name, too. */
static bool write_text(struct demangling *d, const char *name, int options)
{
	if (setjmp(d->too_long))
		return false;
	return rust_demangle_callback(name, options, add, d) ||
	       cplus_demangle_v3_callback(name, options, add, d);
}

bool demangle(const char *name, bool parameters, struct strbuf *ret)
{
	if (!is_mangled(name) || strnlen(name, DEMANGLE_MOST) == DEMANGLE_MOST)
		return false;
	struct demangling *d = mem_zalloc(sizeof(*d));
	bool known = write_text(
		d, name, parameters ? DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP : DMGL_NO_OPTS);
	if (known)
		strbuf_puts(ret, strbuf_text(&d->text));
	strbuf_deinit(&d->text);
	free(d);
	return known;
}
