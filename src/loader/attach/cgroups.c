/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroups - the control groups of -x target: their cells, ids and rules (abi/state.h) */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "loader/internal.h"

struct error *cgroup_cells_make(struct maps *m, const struct map_request *request, int *ret)
{
	void *memory;
	struct error *err = map_make_mapped(m, request, ret, &memory);
	if (!err)
		m->loaded->cgroup_cells = memory;
	return err;
}

struct error *cgroup_rules_make(struct maps *m, const struct map_request *request, int *ret)
{
	auto_free struct cgroup_rules *rules = mem_zalloc(sizeof(*rules));
	uint32_t key = 0;
	rules->count = m->options->cgroup_rule_count;
	memcpy(rules->rule, m->options->cgroup_rules, rules->count * sizeof(*rules->rule));
	struct error *err = map_make(m, request, ret);
	return err ? err : map_update(*ret, &key, rules, BPF_ANY);
}

void cgroups_deinit(struct loaded *l)
{
	if (l->cgroup_cells)
		munmap(l->cgroup_cells, CGROUP_CELLS * sizeof(uint64_t));
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
	struct error *err = map_update(l->library[LIBRARY_cgroups], &id, &traced, BPF_NOEXIST);
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
