/* SPDX-License-Identifier: BSD-2-Clause */
/* code - code that comes and goes while we trace: what the providers say to it */
#include "probe/probe_internal.h"

static const struct provider_code *code_of(const struct provider *p)
{
	return p->process ? p->process->code : NULL;
}

static const struct provider_files *provider_files_of(const struct provider *p)
{
	return p->process ? p->process->files : NULL;
}

struct error *probe_db_code_watch(struct probe_db *db, int pid, code_site_fn *watch, void *arg,
				  bool *had_it)
{
	struct error *err = NULL;
	for (unsigned i = 0; db->providers[i] && !err; i++)
		if (code_of(db->providers[i]))
			err = code_of(db->providers[i])->watch(db, pid, watch, arg, had_it);
	return err;
}

void probe_db_code_unwatch(struct probe_db *db, int pid)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (code_of(db->providers[i]))
			code_of(db->providers[i])->unwatch(db, pid);
}

void probe_db_code_join(struct probe_db *db, int target, int pid)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (code_of(db->providers[i]))
			code_of(db->providers[i])->join(db, target, pid);
}

bool probe_db_file_mapped(struct probe_db *db, int pid, const struct mapping *m)
{
	bool has_new = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (provider_files_of(db->providers[i]))
			has_new |= provider_files_of(db->providers[i])
					   ->mapped(db->providers[i], db, pid, m);
	return has_new;
}

bool probe_db_is_in_modules(const struct probe_db *db, const struct probe_desc *desc)
{
	for (unsigned i = 0; db->providers[i]; i++) {
		const struct provider *p = db->providers[i];
		if (p->kernel && probe_desc_may_mean(desc, p) && p->kernel->is_in_modules(desc))
			return true;
	}
	return false;
}

bool probe_db_modules_look(struct probe_db *db)
{
	bool has_new = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->kernel)
			has_new |= db->providers[i]->kernel->modules_look(db->providers[i], db);
	return has_new;
}

bool probe_db_files_look(struct probe_db *db)
{
	bool has_new = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (provider_files_of(db->providers[i]))
			has_new |= provider_files_of(db->providers[i])->look(db->providers[i], db);
	return has_new;
}

bool probe_db_is_gone(struct probe_db *db, const struct probe *p)
{
	const struct provider_files *files = provider_files_of(p->owner);
	return files && files->is_gone(db, p);
}

bool probe_file_key(const struct probe *p, struct file_key *ret)
{
	const struct provider_files *files = provider_files_of(p->owner);
	return files && files->key(p, ret);
}

size_t probe_mappers(const struct probe *p, const int **ret)
{
	const struct provider_files *files = provider_files_of(p->owner);
	return files ? files->mappers(p, ret) : 0;
}

bool probe_file(const struct probe *p, const char **name, struct bytes *build_id)
{
	const struct provider_files *files = provider_files_of(p->owner);
	*name = NULL;
	if (files)
		*build_id = files->file(p, name);
	return *name;
}

bool probe_same_file(const struct probe *a, const struct probe *b)
{
	const struct provider_files *files = provider_files_of(a->owner);
	return a == b || (files && a->owner == b->owner && files->same_file(a, b));
}

struct file_types probe_file_types(const struct probe *p)
{
	const struct provider_files *files = provider_files_of(p->owner);
	return files ? files->types(p) : (struct file_types) { .btf = bytes_of(NULL, 0) };
}

void probe_db_files_forget(struct probe_db *db)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (provider_files_of(db->providers[i]))
			provider_files_of(db->providers[i])->forget(db->providers[i], db);
}

bool probe_db_code_has_changed(struct probe_db *db, int pid)
{
	bool changed = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (code_of(db->providers[i]))
			changed |= code_of(db->providers[i])->has_changed(db, pid);
	return changed;
}
