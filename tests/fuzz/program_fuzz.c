/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_fuzz - a written program may come from anywhere
 *
 * The input is a program, or changes of one that our compiler made: three bytes each, where (two
 * bytes) and what to put there.  What can be read is written and read again: the same bytes must
 * come out.
 */
#include "compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char script[] =
	"struct pt { int x; char name[4]; struct pt *next; enum e { A, B } kind; };"
	"syscall::read:entry /pid == 1/ { @a[execname, probefunc] = quantize(arg2); self->x = 1; }"
	"syscall::openat:entry { printf(\"%s %d\", copyinstr(arg1), arg2 / self->x); stack(3); }"
	"BEGIN { @ll = llquantize(1, 10, 0, 6, 20); print((struct pt *)arg0); array[pid] = 1; }"
	"ERROR { trace(arg4); } END { printa(\"%s %@d\", @a); }";

static struct strbuf made;

static void make(void)
{
	struct compiled c;
	if (!compile(&c, "fuzz.d", script, &compile_defaults))
		abort();
	program_write(&c.program, c.types, &made);
	compiled_deinit(&c);
}

static void read_twice(const char *bytes, size_t size)
{
	struct types *types = types_new("/nonexistent");
	struct arena *arena = arena_new();
	struct program p, q;
	auto_strbuf struct strbuf once = { 0 }, again = { 0 };
	struct error *err = program_read(bytes, size, types, arena, &p);
	if (!err) {
		program_write(&p, types, &once);
		if (program_read(once.text, once.len, types, arena, &q))
			abort();
		program_write(&q, types, &again);
		if (once.len != again.len || memcmp(once.text, again.text, once.len) != 0)
			abort();
	}
	error_free(err);
	arena_free(arena);
	types_free(types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!made.len)
		make();
	if (size % 3) {
		read_twice((const char *)data, size);
		return 0;
	}
	auto_free char *changed = mem_alloc(made.len);
	memcpy(changed, made.text, made.len);
	for (size_t i = 0; i + 3 <= size; i += 3)
		changed[(data[i] | data[i + 1] << 8) % made.len] = (char)data[i + 2];
	read_twice(changed, made.len);
	return 0;
}
