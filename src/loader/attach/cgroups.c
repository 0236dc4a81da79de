/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroups - the control groups of -x target: their cells, ids and rules (abi/state.h) */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "loader/internal.h"

#define CELLS_SIZE (CGROUP_CELLS * (uint32_t)sizeof(uint64_t))

/* --- made when a program first refers to them ------------------------------------------------- */

struct error *maps_cgroup_cells(struct maps *m)
{
	if (m->cgroup_cells >= 0)
		return NULL;
	void *memory;
	struct error *err =
		make_memory(m, "cgroup-cells", CELLS_SIZE, BPF_F_MMAPABLE, &m->cgroup_cells);
	if (!err)
		err = map_memory(m->cgroup_cells, CELLS_SIZE, &memory);
	if (!err)
		m->loaded->cgroup_cells = memory;
	return err;
}

static struct error *make_ids(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "cgroups",
		.key_size = sizeof(uint64_t),
		.value_size = sizeof(uint32_t),
		.max_entries = CGROUPS_MOST,
		.flags = BPF_F_NO_PREALLOC,
	};
	struct error *err = make_map(m, &request, &m->cgroups);
	m->loaded->cgroups = m->cgroups;
	return err;
}

static struct error *make_rules(struct maps *m)
{
	auto_free struct cgroup_rules *rules = mem_zalloc(sizeof(*rules));
	uint32_t key = 0;
	rules->count = m->options->cgroup_rule_count;
	memcpy(rules->rule, m->options->cgroup_rules, rules->count * sizeof(*rules->rule));
	struct error *err = make_memory(m, "cgroup-rules", sizeof(*rules), 0, &m->cgroup_rules);
	return err ? err : map_update(m->cgroup_rules, &key, rules, BPF_ANY);
}

struct error *bind_cgroups(struct linker *k, const char *name, struct bpf_insn *at, bool *found)
{
	struct maps *m = k->maps;
	struct error *err = NULL;
	*found = true;
	if (string_equal(name, "rt_cgroup_cells")) {
		err = maps_cgroup_cells(m);
		set_value(at, m->cgroup_cells, 0);
	} else if (string_equal(name, "rt_cgroup_rules")) {
		err = m->cgroup_rules >= 0 ? NULL : make_rules(m);
		set_value(at, m->cgroup_rules, 0);
	} else if (string_equal(name, "rt_cgroups")) {
		err = m->cgroups >= 0 ? NULL : make_ids(m);
		set_map(at, m->cgroups);
	} else {
		*found = false;
	}
	return err;
}

void cgroups_deinit(struct loaded *l)
{
	if (l->cgroup_cells)
		munmap(l->cgroup_cells, CELLS_SIZE);
	l->cgroup_cells = NULL;
}

/* --- the set ---------------------------------------------------------------------------------- */

struct error *cgroups_watch(void *self)
{
	struct kernel_run *run = self;
	struct error *err = link_raw_tracepoint(run->loaded.cgroup_made, "cgroup_mkdir", 0,
						&run->watcher_links);
	return err ? err
		   : link_raw_tracepoint(run->loaded.cgroup_released, "cgroup_release", 0,
					 &run->watcher_links);
}

/* As in runtime/process/cgroup.c. */
struct error *cgroups_add(void *self, uint64_t id, bool *is_new)
{
	struct loaded *l = &((struct kernel_run *)self)->loaded;
	uint32_t traced = 1;
	uint64_t *cell = &l->cgroup_cells[id % CGROUP_CELLS], was = 0;
	struct error *err = map_update(l->cgroups, &id, &traced, BPF_NOEXIST);
	*is_new = !err;
	if (err && error_errno(err) == EEXIST) {
		error_free(err);
		return NULL;
	}
	if (!err &&
	    !__atomic_compare_exchange_n(cell, &was, id, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST) &&
	    was != id)
		__atomic_store_n(cell, CGROUP_CELL_SHARED, __ATOMIC_SEQ_CST);
	return err;
}
