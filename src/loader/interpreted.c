/* SPDX-License-Identifier: BSD-2-Clause */
/* interpreted - processes with an interpreter, and the names of its code (abi/interpreted.h) */
#include <sys/mman.h>

#include "loader/internal.h"

struct error *code_texts_make(struct maps *m, const struct map_request *request, int *ret)
{
	void *memory;
	struct error *err = map_make_mapped(m, request, ret, &memory);
	if (err)
		return error_wrap(err, "cannot make the memory for names of jstack()");
	m->loaded->code_texts = memory;
	m->loaded->code_texts->used = sizeof(*m->loaded->code_texts);
	return NULL;
}

void interpreted_deinit(struct loaded *l)
{
	if (l->code_texts)
		munmap(l->code_texts, CODE_TEXTS_SIZE + CODE_TEXTS_SLACK);
	l->code_texts = NULL;
}

/* --- for the tracer --------------------------------------------------------------------------- */

struct error *loader_interpreter(void *self, int pid, const struct interpreted_process *in)
{
	int map = ((struct kernel_run *)self)->loaded.library[LIBRARY_interpreters];
	uint32_t key = (uint32_t)pid;
	return map < 0 ? NULL : map_update(map, &key, in, BPF_ANY);
}

const struct code_texts *loader_code_texts(const void *self)
{
	return ((const struct kernel_run *)self)->loaded.code_texts;
}
