/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

struct demangling {
	struct strbuf text;
	bool is_too_long;
	jmp_buf too_long;
};

/* Mangled names of Rust are ASCII: only what libiberty has decoded (punycode) is not. */
static bool is_decoded(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80)
			return true;
	return false;
}

/*
 * libiberty has no way to stop but a jump out of it.  Text that it has decoded is in memory that
 * it frees after this call; in all other calls it holds none.
 */
static void demangled_add(const char *text, size_t len, void *arg)
{
	struct demangling *d = arg;
	d->is_too_long |= d->text.len + len > DEMANGLE_MOST;
	if (!d->is_too_long)
		strbuf_add(&d->text, text, len);
	else if (!is_decoded(text, len))
		longjmp(d->too_long, 1);
}

/* Rust's first: its older form is a C++ name, too. */
static bool demangled_write(struct demangling *d, const char *name, int options)
{
	if (setjmp(d->too_long))
		return false;
	return (rust_demangle_callback(name, options, demangled_add, d) ||
		cplus_demangle_v3_callback(name, options, demangled_add, d)) &&
	       !d->is_too_long;
}

bool demangle(const char *name, bool parameters, struct strbuf *ret)
{
	if (!is_mangled(name) || strnlen(name, DEMANGLE_MOST) == DEMANGLE_MOST)
		return false;
	struct demangling *d = mem_zalloc(sizeof(*d));
	bool known = demangled_write(
		d, name, parameters ? DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP : DMGL_NO_OPTS);
	if (known)
		strbuf_puts(ret, strbuf_text(&d->text));
	strbuf_deinit(&d->text);
	free(d);
	return known;
}
