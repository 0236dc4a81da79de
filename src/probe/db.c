/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * db - the probe database
 *
 * Probes are in one arena, in id order in one vector, and by their four names in one hash table.
 *
 * For a description, the fixed providers up to the last one that it may mean discover all their
 * probes, in the order of the provider table.  So the id of a fixed probe before the providers of
 * processes is the same in each run, for any description; the id of one after them, in each run
 * without probes of processes.  A script with only BEGIN costs three probes.
 */
#include <assert.h>
#include <string.h>

#include "probe/probe.h"

struct probe_db {
	const struct provider **providers; /* NULL-ended */
	const char *const *announced;
	struct probe_settings settings;
	struct types *types;
	void **states; /* of each provider; NULL: not made yet */
	unsigned left_out;
	struct hash *left_out_names;	     /* each counted once */
	VECTOR(const char *) left_out_texts; /* in the arena */
	unsigned complete;	       /* of providers: these discovered all of their fixed set */
	VECTOR(struct probe *) probes; /* id - 1 */
	struct hash *names;
	const struct event_args *last_args[EVENT_COUNT]; /* of the last event of each kind */
	struct arena *arena;
};

struct probe_db *probe_db_new(const struct provider *const *providers)
{
	struct probe_db *db = mem_zalloc(sizeof(*db));
	unsigned count = 0;
	while (providers[count])
		count++;
	db->providers = mem_zalloc((count + 1) * sizeof(*db->providers));
	memcpy(db->providers, providers, count * sizeof(*db->providers));
	db->states = mem_zalloc((count + 1) * sizeof(*db->states));
	db->names = hash_new();
	db->left_out_names = hash_new();
	db->arena = arena_new();
	return db;
}

/* ITEM into the COUNT items of LIST, before number AT; a last item, the end, is moved along. */
static void *list_insert(void *list, unsigned count, unsigned at, const void *item)
{
	void **longer = mem_alloc((count + 2) * sizeof(*longer));
	memcpy(longer, list, at * sizeof(*longer));
	longer[at] = (void *)item;
	memcpy(longer + at + 1, (void **)list + at, (count + 1 - at) * sizeof(*longer));
	free(list);
	return longer;
}

bool probe_db_insert(struct probe_db *db, const struct provider *owner, const char *next)
{
	unsigned count = 0, at = 0;
	for (; db->providers[count]; count++) {
		if (string_equal(db->providers[count]->name, owner->name) &&
		    !db->providers[count]->takes_others)
			return false;
		if (!string_equal(db->providers[count]->name, next) && at == count)
			at++;
	}
	assert(db->complete <= at);
	db->providers = list_insert(db->providers, count, at, owner);
	db->states = list_insert(db->states, count, at, NULL);
	return true;
}

void probe_db_lend_types(struct probe_db *db, struct types *types)
{
	db->types = types;
}

struct types *probe_db_types(const struct probe_db *db)
{
	return db->types;
}

void probe_db_free(struct probe_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->probes.count; i++) {
		struct probe *p = db->probes.items[i];
		if (p->data && p->owner->free_data)
			p->owner->free_data(p->data);
	}
	unsigned count = 0;
	while (db->providers[count])
		count++;
	for (unsigned i = count; i-- > 0;) /* later ones may use those of earlier ones */
		if (db->states[i])
			db->providers[i]->state_free(db->states[i]);
	free(db->states);
	free(db->providers);
	hash_free(db->left_out_names);
	vector_free(&db->left_out_texts);
	vector_free(&db->probes);
	hash_free(db->names);
	arena_free(db->arena);
	free(db);
}

struct probe_settings *probe_db_settings(struct probe_db *db)
{
	return &db->settings;
}

bool probe_db_follows(const struct probe_db *db, int pid)
{
	const struct probe_settings *s = &db->settings;
	for (size_t i = 0; i < s->followed_count; i++)
		if (s->followed[i] == pid)
			return true;
	return false;
}

bool probe_db_lists(const struct probe_db *db)
{
	return db->settings.lists;
}

void *probe_db_state(struct probe_db *db, const struct provider *owner)
{
	unsigned i = 0;
	while (db->providers[i] != owner)
		i++;
	if (!db->states[i])
		db->states[i] = owner->state_new(db);
	return db->states[i];
}

void probe_db_leave_out(struct probe_db *db, const struct probe_desc *d, const char *why,
			bool by_name)
{
	auto_free char *what =
		mem_printf("%s%s%s", d->function, *d->function && *d->name ? ":" : "", d->name);
	auto_free char *key = mem_printf("%s:%s:%s", d->provider, d->module, what);
	void **place = hash_place(db->left_out_names, key, strlen(key));
	if (*place)
		return;
	*place = db;
	db->left_out++;
	log_debug("%s of %s is left out: %s", what, d->module, why);
	if (by_name)
		vector_push(&db->left_out_texts,
			    arena_printf(db->arena, "%s of %s cannot be probed: %s", what,
					 d->module, why));
}

const char *probe_db_left_out_text(const struct probe_db *db, unsigned which)
{
	return which < db->left_out_texts.count ? db->left_out_texts.items[which] : NULL;
}

unsigned probe_db_left_out(const struct probe_db *db)
{
	return db->left_out;
}

/* --- names ---------------------------------------------------------------------------- */

/* The four names with their NULs, one after the other. */
struct name_key {
	char small[256];
	char *text; /* small, or allocated */
	size_t len;
};

static void name_key_init(struct name_key *k, const char *const names[4])
{
	size_t lens[4];
	k->len = 0;
	for (int i = 0; i < 4; i++)
		k->len += lens[i] = strlen(names[i]) + 1;
	k->text = k->len <= sizeof(k->small) ? k->small : mem_alloc(k->len);
	char *to = k->text;
	for (int i = 0; i < 4; i++) {
		memcpy(to, names[i], lens[i]);
		to += lens[i];
	}
}

static void name_key_deinit(struct name_key *k)
{
	if (k->text != k->small)
		free(k->text);
}

const struct probe *probe_db_find(const struct probe_db *db, const char *provider,
				  const char *module, const char *function, const char *name)
{
	struct name_key key;
	name_key_init(&key, (const char *const[]) { provider, module, function, name });
	const struct probe *found = hash_get(db->names, key.text, key.len);
	name_key_deinit(&key);
	return found;
}

const struct probe *probe_db_get(const struct probe_db *db, uint32_t id)
{
	const struct probe *p = id >= 1 && id <= db->probes.count ? db->probes.items[id - 1] : NULL;
	assert(!p || p->id == id);
	return p;
}

/* --- adding ------------------------------------------------------------------------------ */

/* Neighbours mostly share provider and module: one copy serves them all. */
static const char *name_copy(struct probe_db *db, const char *name, const char *neighbour)
{
	if (neighbour && string_equal(name, neighbour))
		return neighbour;
	return *name ? arena_strdup(db->arena, name) : "";
}

static struct probe *probe_new(struct probe_db *db, const struct provider *owner,
			       const char *const names[4])
{
	size_t count = db->probes.count;
	const struct probe *last = count ? db->probes.items[count - 1] : NULL;
	struct probe *p = ARENA_NEW(db->arena, struct probe);
	vector_push(&db->probes, p);
	p->id = (uint32_t)count + 1;
	p->owner = owner;
	p->provider = name_copy(db, names[0], last ? last->provider : NULL);
	p->module = name_copy(db, names[1], last ? last->module : NULL);
	p->function = name_copy(db, names[2], last ? last->function : NULL);
	p->name = name_copy(db, names[3], last ? last->name : NULL);
	return p;
}

struct probe *probe_db_add(struct probe_db *db, const struct provider *owner, const char *provider,
			   const char *module, const char *function, const char *name)
{
	const char *const names[] = { provider, module, function, name };
	struct name_key key;
	name_key_init(&key, names);
	void **place = hash_place(db->names, key.text, key.len);
	name_key_deinit(&key);
	if (!*place)
		*place = probe_new(db, owner, names);
	struct probe *p = *place;
	p->is_retired = false;
	return p;
}

/* Neighbours of one kind mostly share the places of their arguments, too. */
static const struct event_args *args_copy(struct probe_db *db, enum event_kind kind,
					  const struct event_args *args)
{
	const struct event_args **last = &db->last_args[kind];
	if (*last && memcmp(*last, args, sizeof(*args)) == 0)
		return *last;
	struct event_args *copy = ARENA_NEW(db->arena, struct event_args);
	*copy = *args;
	return *last = copy;
}

struct event *probe_db_add_event(struct probe_db *db, struct probe *p, enum event_kind kind,
				 const struct event_args *args)
{
	struct probe_event **place = p->last_event ? &p->last_event->next : &p->events;
	p->last_event = *place = ARENA_NEW(db->arena, struct probe_event);
	struct event *e = &(*place)->event;
	e->kind = kind;
	e->args = args ? args_copy(db, kind, args) : NULL;
	return e;
}

void probe_set_source(struct probe *p, const struct formula_source *source)
{
	p->last_event->source = source;
}

void probe_db_hide(struct probe_db *db, const struct probe *p)
{
	db->probes.items[p->id - 1]->is_hidden = true;
}

struct probe *probe_db_succeed(struct probe_db *db, struct probe *old)
{
	const char *const names[] = { old->provider, old->module, old->function, old->name };
	struct name_key key;
	name_key_init(&key, names);
	void **place = hash_place(db->names, key.text, key.len);
	name_key_deinit(&key);
	struct probe *p = probe_new(db, old->owner, names);
	p->before = old;
	*place = p;
	return p;
}

void probe_db_retire(struct probe_db *db, const struct probe *probe)
{
	struct probe *p = db->probes.items[probe->id - 1];
	if (p->data && p->owner->free_data)
		p->owner->free_data(p->data);
	p->data = NULL;
	p->args = NULL;
	p->events = p->last_event = NULL;
	p->is_retired = true;
}

/* --- discovering ---------------------------------------------------------------------------- */

static bool is_fixed(const struct probe_db *db, const char *name)
{
	for (const struct provider *const *p = db->providers; *p; p++)
		if (!(*p)->per_process && string_equal((*p)->name, name))
			return true;
	return false;
}

const char *probe_db_without_pid(const struct probe_db *db, const char *provider)
{
	if (is_fixed(db, provider))
		return NULL;
	for (const struct provider *const *p = db->providers; *p; p++) {
		int pid;
		if ((*p)->per_process && !(*p)->process_of &&
		    strncmp(provider, (*p)->name, strlen((*p)->name)) == 0 &&
		    !probe_provider_pid(provider, (*p)->name, &pid))
			return (*p)->name;
	}
	return NULL;
}

/* BEGIN, END and ERROR belong to no other provider; this knowledge avoids all other discovery. */
static bool only_dtrace(const struct probe_desc *desc)
{
	return string_equal(desc->name, "BEGIN") || string_equal(desc->name, "END") ||
	       string_equal(desc->name, "ERROR");
}

static bool may_mean(const struct probe_desc *desc, const struct provider *provider)
{
	if (!probe_field_match(desc->provider, provider->name))
		return false;
	if (only_dtrace(desc) && !string_equal(provider->name, "dtrace"))
		return false;
	if (provider->may_mean_as)
		return provider->may_mean_as(provider, desc);
	return !provider->may_mean || provider->may_mean(desc);
}

static struct error *discover_one(struct probe_db *db, const struct provider *p,
				  const struct probe_desc *desc)
{
	return p->discover_as ? p->discover_as(p, db, desc) : p->discover(db, desc);
}

bool probe_db_has_provider(const struct probe_db *db, const char *name)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (string_equal(db->providers[i]->name, name))
			return true;
	return false;
}

bool probe_db_matches_fixed(const struct probe_db *db, const char *pattern)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (!db->providers[i]->per_process && glob_match(pattern, db->providers[i]->name))
			return true;
	for (const char *const *p = db->announced; p && *p; p++)
		if (glob_match(pattern, *p))
			return true;
	return false;
}

static bool of_every_process(const struct probe_db *db, const struct provider *p, const char *field)
{
	return p->of_every_process && p->of_every_process(db, field);
}

bool probe_db_of_every_process(const struct probe_db *db, const char *provider)
{
	bool any = false;
	for (unsigned i = 0; db->providers[i]; i++)
		any |= of_every_process(db, db->providers[i], provider);
	return any;
}

void probe_db_announce(struct probe_db *db, const char *const *names)
{
	db->announced = names;
}

bool probe_db_is_announced(const struct probe_db *db, const char *name)
{
	for (const char *const *p = db->announced; p && *p; p++)
		if (string_equal(*p, name))
			return true;
	return false;
}

/* Fixed providers before COUNT know all of theirs afterwards. */
static struct error *discover_fixed(struct probe_db *db, unsigned count)
{
	static const struct probe_desc all = { "", "", "", "" };
	while (db->complete < count) {
		const struct provider *p = db->providers[db->complete];
		struct error *err = p->per_process ? NULL : discover_one(db, p, &all);
		if (err)
			return err;
		db->complete++;
	}
	return NULL;
}

struct error *probe_db_discover_all(struct probe_db *db)
{
	unsigned count = 0;
	while (db->providers[count])
		count++;
	return discover_fixed(db, count);
}

/* Whose probes a description with the provider FIELD, of a process, means; NULL: of none. */
static const struct provider *owner_in_process(const struct probe_db *db, const char *field,
					       int *pid)
{
	const struct provider *const *p = db->providers;
	while (*p && !provider_process_of(*p, field, pid))
		p++;
	return *p;
}

static struct error *discover(struct probe_db *db, const struct probe_desc *desc)
{
	int pid;
	const struct provider *owner = owner_in_process(db, desc->provider, &pid);
	for (unsigned i = 0; db->providers[i]; i++) {
		const struct provider *p = db->providers[i];
		bool asked = !p->per_process
				     ? may_mean(desc, p)
				     : p == owner || of_every_process(db, p, desc->provider);
		if (!asked)
			continue;
		struct error *err = discover_fixed(db, i + 1);
		if (!err)
			err = discover_one(db, p, desc);
		if (err)
			return err;
	}
	return NULL;
}

/* --- matching --------------------------------------------------------------------------------- */

static bool function_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->function, p->function))
		return true;
	return p->owner->function_alias && p->owner->function_alias(p, desc->function);
}

static bool module_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->module, p->module))
		return true;
	return p->owner->module_alias && glob_is_plain(desc->module) &&
	       p->owner->module_alias(p, desc->module);
}

static bool name_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->name, p->name))
		return true;
	return p->owner->name_alias && p->owner->name_alias(p, desc->name);
}

/*
 * A description with a process means probes of one provider in that process: `*$target:::`; one of
 * every process those alone.
 */
static bool process_match(const struct probe_db *db, const struct probe_desc *desc,
			  const struct probe *p)
{
	int asked, its;
	if (!p->owner->per_process)
		return true;
	bool has_process = provider_process_of(p->owner, p->provider, &its);
	const struct provider *owner = owner_in_process(db, desc->provider, &asked);
	if (owner)
		return owner == p->owner && has_process && its == asked;
	return has_process != of_every_process(db, p->owner, desc->provider);
}

static bool names_match(const struct probe_db *db, const struct probe_desc *desc,
			const struct probe *p)
{
	return name_match(desc, p) && probe_field_match(desc->provider, p->provider) &&
	       function_match(desc, p) && module_match(desc, p) && process_match(db, desc, p);
}

static bool probe_match(const struct probe_db *db, const struct probe_desc *desc,
			const struct probe *p)
{
	return !p->is_retired && !p->is_hidden && names_match(db, desc, p);
}

const struct probe *probe_db_missing(const struct probe_db *db, const struct probe_desc *desc,
				     const struct probe *after)
{
	for (size_t i = after ? after->id : 0; i < db->probes.count; i++) {
		const struct probe *p = db->probes.items[i];
		if (p->is_hidden && p->not_chosen && !p->events && names_match(db, desc, p))
			return p;
	}
	return NULL;
}

/* Does DESC, a pattern, leave probe number I out, which it would mean? */
static bool leaves_out(struct probe_db *db, const struct probe_desc *desc, size_t i)
{
	const struct probe *p = db->probes.items[i];
	const char *field = *p->function ? desc->function : desc->name;
	bool in_full = *field && glob_is_plain(field);
	const char *why = in_full || !p->owner->only_in_full ? NULL : p->owner->only_in_full(p);
	const struct probe_desc d = { p->provider, p->module, p->function, p->name };
	if (why)
		probe_db_leave_out(db, &d, why, false);
	return why;
}

struct error *probe_db_match(struct probe_db *db, const struct probe_desc *desc, probe_vector *ret)
{
	struct error *err = discover(db, desc);
	if (err)
		return err;
	for (size_t i = 0; i < db->probes.count; i++)
		if (probe_match(db, desc, db->probes.items[i]) && !leaves_out(db, desc, i))
			vector_push(ret, db->probes.items[i]);
	return NULL;
}

bool probe_db_has_match(const struct probe_db *db, const struct probe_desc *desc)
{
	for (size_t i = 0; i < db->probes.count; i++)
		if (probe_match(db, desc, db->probes.items[i]))
			return true;
	return false;
}

/* --- code that comes and goes ----------------------------------------------------------------- */

struct error *probe_db_code_watch(struct probe_db *db, int pid, code_site_fn *watch, void *arg,
				  bool *had_it)
{
	struct error *err = NULL;
	for (unsigned i = 0; db->providers[i] && !err; i++)
		if (db->providers[i]->code_watch)
			err = db->providers[i]->code_watch(db, pid, watch, arg, had_it);
	return err;
}

void probe_db_code_unwatch(struct probe_db *db, int pid)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->code_unwatch)
			db->providers[i]->code_unwatch(db, pid);
}

void probe_db_code_join(struct probe_db *db, int target, int pid)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->code_join)
			db->providers[i]->code_join(db, target, pid);
}

bool probe_db_file_mapped(struct probe_db *db, int pid, const struct mapping *m)
{
	bool has_new = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->file_mapped)
			has_new |= db->providers[i]->file_mapped(db, pid, m);
	return has_new;
}

bool probe_db_is_in_modules(const struct probe_db *db, const struct probe_desc *desc)
{
	for (unsigned i = 0; db->providers[i]; i++) {
		const struct provider *p = db->providers[i];
		if (p->is_in_modules && may_mean(desc, p) && p->is_in_modules(desc))
			return true;
	}
	return false;
}

bool probe_db_modules_look(struct probe_db *db)
{
	bool has_new = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->modules_look)
			has_new |= db->providers[i]->modules_look(db->providers[i], db);
	return has_new;
}

bool probe_db_files_look(struct probe_db *db)
{
	bool has_new = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->files_look)
			has_new |= db->providers[i]->files_look(db);
	return has_new;
}

bool probe_db_is_gone(struct probe_db *db, const struct probe *p)
{
	return p->owner->is_gone && p->owner->is_gone(db, p);
}

void probe_db_files_forget(struct probe_db *db)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->files_forget)
			db->providers[i]->files_forget(db);
}

bool probe_db_code_has_changed(struct probe_db *db, int pid)
{
	bool changed = false;
	for (unsigned i = 0; db->providers[i]; i++)
		if (db->providers[i]->code_has_changed)
			changed |= db->providers[i]->code_has_changed(db, pid);
	return changed;
}
