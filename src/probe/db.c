/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * db - the probe database
 *
 * Probes are in one arena, in id order in one vector, and by their four names in one hash table.
 */
#include <assert.h>
#include <string.h>

#include "probe/probe_internal.h"

struct probe_db *probe_db_new(const struct provider *const *providers)
{
	struct probe_db *db = mem_zalloc(sizeof(*db));
	unsigned count = 0;
	while (providers[count])
		count++;
	db->providers = mem_zalloc((count + 1) * sizeof(*db->providers));
	memcpy(db->providers, providers, count * sizeof(*db->providers));
	db->states = mem_zalloc((count + 1) * sizeof(*db->states));
	db->kept = mem_zalloc((count + 1) * sizeof(*db->kept));
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
	/* Those from AT on have kept no ids yet. */
	db->kept = mem_realloc(db->kept, (count + 2) * sizeof(*db->kept));
	db->kept[count + 1] = 0;
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
		if (p && p->data && p->owner->free_data)
			p->owner->free_data(p->data);
	}
	unsigned count = 0;
	while (db->providers[count])
		count++;
	for (unsigned i = count; i-- > 0;) /* later ones may use those of earlier ones */
		if (db->states[i])
			db->providers[i]->state_free(db->states[i]);
	free(db->states);
	free(db->kept);
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

void probe_db_unread(struct probe_db *db, const char *text)
{
	void **place = hash_place(db->left_out_names, text, strlen(text));
	if (!*place)
		vector_push(&db->left_out_texts, arena_strdup(db->arena, text));
	*place = db;
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

const struct probe *probe_db_next(const struct probe_db *db, const struct probe *probe)
{
	for (size_t i = probe ? probe->id : 0; i < db->probes.count; i++)
		if (db->probes.items[i])
			return db->probes.items[i];
	return NULL;
}

/* --- adding ------------------------------------------------------------------------------ */

/* Neighbours mostly share provider and module: one copy serves them all. */
static const char *name_copy(struct probe_db *db, const char *name, const char *neighbour)
{
	if (neighbour && string_equal(name, neighbour))
		return neighbour;
	return *name ? arena_strdup(db->arena, name) : "";
}

static uint32_t next_id(struct probe_db *db)
{
	if (db->filling)
		return db->filling++;
	vector_push(&db->probes, NULL);
	return (uint32_t)db->probes.count;
}

static struct probe *probe_new(struct probe_db *db, const struct provider *owner,
			       const char *const names[4])
{
	struct probe *p = ARENA_NEW(db->arena, struct probe);
	p->id = next_id(db);
	const struct probe *last = probe_db_get(db, p->id - 1);
	db->probes.items[p->id - 1] = p;
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

void probe_db_write(struct probe_db *db, const struct probe *probe, const char *written)
{
	db->probes.items[probe->id - 1]->written = arena_strdup(db->arena, written);
}

void probe_db_retire(struct probe_db *db, const struct probe *probe)
{
	struct probe *p = db->probes.items[probe->id - 1];
	if (p->data && p->owner->free_data)
		p->owner->free_data(p->data);
	p->data = NULL;
	p->args = NULL;
	p->unreadable = NULL;
	p->events = p->last_event = NULL;
	p->is_retired = true;
}
