/* SPDX-License-Identifier: BSD-2-Clause */
/* interpreted - processes with an interpreter, and the names of its code (abi/interpreted.h) */
#include <sys/mman.h>

#include "loader/internal.h"

/* --- made when a program refers to them ------------------------------------------------------- */

static struct error *make_interpreters(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_LRU_HASH,
		.name = "interpreters",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(struct interpreted_process),
		.max_entries = INTERPRETERS_MOST,
	};
	struct error *err = make_map(m, &request, &m->interpreters);
	m->loaded->interpreters = m->interpreters;
	return err;
}

static struct error *make_codes(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "codes",
		.key_size = sizeof(struct code_key),
		.value_size = sizeof(uint64_t),
		.max_entries = CODES_MOST,
		.flags = BPF_F_NO_PREALLOC,
	};
	return make_map(m, &request, &m->codes);
}

static struct error *make_texts(struct maps *m)
{
	struct loaded *l = m->loaded;
	void *memory;
	struct error *err = make_memory(m, "code-texts", CODE_TEXTS_SIZE + CODE_TEXTS_SLACK,
					BPF_F_MMAPABLE, &m->code_texts);
	if (!err)
		err = map_memory(m->code_texts, CODE_TEXTS_SIZE + CODE_TEXTS_SLACK, &memory);
	if (err)
		return error_wrap(err, "cannot make the memory for names of jstack()");
	l->code_texts = memory;
	l->code_texts->used = sizeof(*l->code_texts);
	return NULL;
}

struct error *bind_interpreted(struct linker *k, const char *name, struct bpf_insn *at, bool *found)
{
	struct maps *m = k->maps;
	struct error *err = NULL;
	*found = true;
	if (string_equal(name, "rt_interpreters")) {
		err = m->interpreters >= 0 ? NULL : make_interpreters(m);
		set_map(at, m->interpreters);
	} else if (string_equal(name, "rt_codes")) {
		err = m->codes >= 0 ? NULL : make_codes(m);
		set_map(at, m->codes);
	} else if (string_equal(name, "rt_code_texts")) {
		err = m->code_texts >= 0 ? NULL : make_texts(m);
		set_value(at, m->code_texts, 0);
	} else {
		*found = false;
	}
	return err;
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
	struct loaded *l = &((struct kernel_run *)self)->loaded;
	uint32_t key = (uint32_t)pid;
	return l->interpreters < 0 ? NULL : map_update(l->interpreters, &key, in, BPF_ANY);
}

const struct code_texts *loader_code_texts(const void *self)
{
	return ((const struct kernel_run *)self)->loaded.code_texts;
}
