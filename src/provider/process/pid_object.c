/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/process/pid_object.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "provider/process/mapped_files.h"
#include "provider/process/pid.h"
#include "provider/process/pid_code.h"
#include "provider/provider.h"

#define LINK_MAP "LM" /* before its number, and a backquote */

void *pid_table_new(struct probe_db *db)
{
	struct pid_table *t = mem_zalloc(sizeof(*t));
	t->db = db;
	t->images = probe_db_settings(db)->images;
	t->owns_images = !t->images;
	if (t->owns_images)
		t->images = images_new();
	return t;
}

void pid_object_free(struct pid_object *o)
{
	code_uses_free(o->uses);
	pid_exits_free(o->exits);
	vector_free(&o->choices);
	vector_free(&o->mappers);
	vector_free(&o->paths);
	pid_inlined_free(o->inlined);
	hash_free(o->red_zones);
	hash_free(o->usdt_sites);
	hash_free(o->usdt_events);
	image_release(o->image);
	free(o->module);
	free(o);
}

void pid_table_free(void *table)
{
	struct pid_table *t = table;
	for (size_t i = 0; i < t->known.count; i++)
		pid_object_free(t->known.items[i]);
	vector_free(&t->known);
	vector_free(&t->last.objects);
	vector_free(&t->members);
	pid_files_free(t);
	mapped_files_free(t->files);
	if (t->ours)
		process_mappings_free(t->ours, t->our_count);
	if (t->owns_images)
		images_free(t->images);
	free(t);
}

struct pid_table *pid_table_of(struct probe_db *db)
{
	return probe_db_state(db, &provider_pid);
}

/* MODULE without its link map, whose number is *RET; without one it is that of the first, 0. */
static const char *split_link_map(const char *module, unsigned *ret)
{
	char *end;
	*ret = 0;
	if (strncmp(module, LINK_MAP, strlen(LINK_MAP)) != 0 || !isdigit(module[strlen(LINK_MAP)]))
		return module;
	unsigned long number = strtoul(module + strlen(LINK_MAP), &end, 10);
	if (*end != '`')
		return module;
	*ret = (unsigned)number;
	return end + 1;
}

static const char *base_of(const struct pid_object *object)
{
	unsigned number;
	return split_link_map(object->module, &number);
}

/* Is O's file at PATH?  Some file systems have other device numbers in mappings than stat() says:
 * there the name decides. */
static bool is_at(const struct pid_object *o, const char *path)
{
	for (size_t i = 0; i < o->paths.count; i++)
		if (string_equal(o->paths.items[i], path))
			return true;
	struct seen_path seen = process_path(o->seen_by, path);
	bool is =
		seen.is_there && seen.st.st_ino == o->inode &&
		((major(seen.st.st_dev) == o->dev_major && minor(seen.st.st_dev) == o->dev_minor) ||
		 string_equal(path_base_name(path), base_of(o)));
	seen_path_deinit(&seen);
	return is;
}

bool pid_object_alias(const struct pid_object *object, const char *module)
{
	if (*module == '/')
		return is_at(object, module);
	unsigned number;
	const char *name = split_link_map(module, &number);
	return number == object->link_map &&
	       ((name > module && string_equal(name, base_of(object))) ||
		mapping_alias(base_of(object), object->is_main, name));
}

bool pid_object_is_other_copy(const struct pid_object *object, const char *module)
{
	unsigned number;
	const char *name = split_link_map(module, &number);
	return number != object->link_map &&
	       (string_equal(name, base_of(object)) ||
		mapping_alias(base_of(object), object->is_main, name));
}

struct elf_file *pid_object_elf(const struct pid_object *object)
{
	struct elf_file *elf = object->image ? image_elf(object->image) : NULL;
	return elf && pid_arch(elf) ? elf : NULL;
}

struct error *pid_object_open(struct pid_object *object)
{
	if (pid_object_elf(object))
		return NULL;
	if (object->image && image_elf(object->image))
		return error_new("%s: 32-bit programs are not supported on %s",
				 image_name(object->image), arch_host()->name);
	if (object->image)
		return image_problem(object->image);
	return error_new("cannot open the file of %s that process %d runs", object->module,
			 object->seen_by);
}

static char *module_of_path(const char *path)
{
	size_t len;
	const char *base = mapping_base_name(path, &len);
	return mem_strndup(base, len);
}

/* --- trees ------------------------------------------------------------------------------------ */

bool pid_is_followed(const struct pid_table *t, int pid)
{
	return probe_db_follows(t->db, pid);
}

int pid_owner(const struct pid_table *t, int pid)
{
	for (size_t i = 0; i < t->members.count; i++)
		if (t->members.items[i].pid == pid)
			return t->members.items[i].target;
	return pid;
}

#define MEMBERS_FEW 64

static void remove_ended(struct pid_table *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->members.count; i++)
		if (process_state(t->members.items[i].pid) != PROCESS_ENDED)
			t->members.items[kept++] = t->members.items[i];
	t->members.count = kept;
	t->members_allowed = MAX(2 * kept, (size_t)MEMBERS_FEW);
}

void pid_code_join(struct probe_db *db, int target, int pid)
{
	struct pid_table *t = pid_table_of(db);
	struct pid_member member = { target, pid, false };
	for (size_t i = 0; i < t->members.count; i++)
		if (t->members.items[i].pid == pid) {
			t->members.items[i] = member;
			return;
		}
	if (pid == target) /* it is always looked at */
		return;
	if (t->members.count >= t->members_allowed)
		remove_ended(t);
	vector_push(&t->members, member);
}

struct event_code pid_object_code(const struct pid_object *o)
{
	bool follows = pid_is_followed(o->table, o->pid);
	return (struct event_code) {
		.pid = follows ? 0 : o->pid,
		.target = follows ? o->pid : 0,
		.path = image_path(o->image),
		.name = image_name(o->image),
	};
}

/* --- objects ---------------------------------------------------------------------------------- */

bool pid_object_is(const struct pid_object *o, int pid, const struct mapping *m)
{
	return o->pid == pid && o->inode == m->inode && o->dev_major == m->dev_major &&
	       o->dev_minor == m->dev_minor;
}

struct pid_object *pid_object_new(struct pid_table *t, int pid, int seen_by,
				  const struct mapping *m)
{
	struct pid_object *o = mem_zalloc(sizeof(*o));
	o->table = t;
	o->pid = pid;
	o->seen_by = seen_by;
	o->dev_major = m->dev_major;
	o->dev_minor = m->dev_minor;
	o->inode = m->inode;
	o->module = module_of_path(m->path);
	o->image = image_refer(images_find(t->images, seen_by, m));
	return o;
}

/* What dynamic linkers load has this; a program maps other files of code itself. */
static bool is_loadable(const struct elf_file *elf)
{
	struct bytes bytes;
	uint64_t address;
	return elf_file_section(elf, ".dynamic", &bytes, &address);
}

/* A look at what a process maps; its link maps are read once, if an object asks for them. */
struct look {
	int pid;
	struct link_maps *link_maps;
};

static void look_deinit(struct look *l)
{
	link_maps_free(l->link_maps);
}
#define auto_look __attribute__((cleanup(look_deinit)))

static int look_link_map(struct look *l, uint64_t base)
{
	if (!l->link_maps)
		l->link_maps = process_link_maps(l->pid);
	return link_maps_find(l->link_maps, base);
}

/* O's link map comes first in its module's name. */
static void find_link_map(struct pid_object *o, struct look *look, const struct mapping *m)
{
	uint64_t address;
	struct elf_file *elf = o->image ? image_elf(o->image) : NULL;
	if (o->knows_link_map || !elf || !elf_file_address(elf, m->offset, &address))
		return;
	int number = look_link_map(look, m->start - address);
	o->knows_link_map = number >= 0 || o->has_probes || !is_loadable(elf);
	if (number <= 0 || o->has_probes)
		return;
	o->link_map = (unsigned)number;
	o->is_matched = false; /* not by this name */
	char *base = take(o->module);
	o->module = mem_printf(LINK_MAP "%u`%s", o->link_map, base);
	free(base);
}

/* The process has M mapped. */
static struct pid_object *object_of_mapping(struct pid_table *t, struct look *look,
					    const struct mapping *m)
{
	int owner = pid_owner(t, look->pid);
	for (size_t i = 0; i < t->known.count; i++)
		if (pid_object_is(t->known.items[i], owner, m)) {
			find_link_map(t->known.items[i], look, m);
			return t->known.items[i];
		}
	struct pid_object *o = pid_object_new(t, owner, look->pid, m);
	find_link_map(o, look, m);
	vector_push(&t->known, o);
	return o;
}

static bool mapping_holds(const struct mapping *m, uint64_t address)
{
	return m->inode && m->executable && address >= m->start && address < m->end;
}

/* The mapping of code of PID at ADDRESS into *RET, whose path the caller frees. */
static bool mapping_at(int pid, uint64_t address, struct mapping *ret)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	bool found = false;
	for (size_t i = 0; !err && i < count && !found; i++) {
		found = mapping_holds(&list[i], address);
		if (found) {
			*ret = list[i];
			ret->path = mem_strdup(list[i].path);
		}
	}
	if (!err)
		process_mappings_free(list, count);
	return found;
}

struct pid_object *pid_object_at(struct pid_table *t, int pid, uint64_t address, uint64_t *offset)
{
	struct mapping m;
	auto_look struct look look = { .pid = pid };
	if (!mapping_at(pid, address, &m))
		return NULL;
	struct pid_object *o = object_of_mapping(t, &look, &m);
	*offset = address - m.start + m.offset;
	free(m.path);
	return o;
}

struct pid_object *pid_object_beginning_at(struct pid_table *t, int pid, uint64_t address)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return NULL;
	auto_look struct look look = { .pid = pid };
	struct pid_object *found = NULL;
	uint64_t inode = 0;
	for (size_t i = 0; i < count && !found; i++) {
		if (list[i].start == address)
			inode = list[i].inode;
		if (inode && list[i].inode == inode && list[i].executable)
			found = object_of_mapping(t, &look, &list[i]);
	}
	process_mappings_free(list, count);
	return found;
}

static bool vector_has(const pid_object_vector *v, const struct pid_object *object)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->items[i] == object)
			return true;
	return false;
}

void pid_code_unwatch(struct probe_db *db, int pid)
{
	struct pid_table *t = pid_table_of(db);
	for (size_t i = 0; i < t->known.count; i++)
		if (t->known.items[i]->pid == pid)
			t->known.items[i]->is_watched = false;
}

/* After exec the process has another program. */
static void forget_mapped(struct pid_table *t, int pid)
{
	for (size_t i = 0; i < t->known.count; i++)
		if (t->known.items[i]->pid == pid)
			t->known.items[i]->is_mapped = t->known.items[i]->is_main = false;
}

/* What PID maps, by address. */
static struct error *add_mapped(struct pid_table *t, int pid, pid_object_vector *ret)
{
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return err;
	uint64_t program = process_program(pid);
	auto_look struct look look = { .pid = pid };
	if (!pid_is_followed(t, pid_owner(t, pid)))
		forget_mapped(t, pid);
	for (size_t i = 0; i < count; i++) {
		const struct mapping *m = &list[i];
		if (!m->executable || !m->inode || m->path[0] != '/')
			continue;
		struct pid_object *o = object_of_mapping(t, &look, m);
		o->is_mapped = true;
		o->is_main |= m->inode == program;
		if (!vector_has(ret, o))
			vector_push(ret, o);
	}
	process_mappings_free(list, count);
	return NULL;
}

/* Of a member that has ended, there is nothing to read. */
static void tree_add_members(struct pid_table *t, int target, pid_object_vector *ret)
{
	for (size_t i = 0; i < t->members.count; i++) {
		struct pid_member *m = &t->members.items[i];
		if (m->target != target || m->is_read)
			continue;
		m->is_read = true;
		auto_error struct error *err = add_mapped(t, m->pid, ret);
		if (err && process_state(m->pid) != PROCESS_ENDED)
			message_loss("the program of process %d is not traced: %s", m->pid,
				     error_text(err));
	}
}

/* What some member has mapped, others may have mapped, too. */
static struct error *objects_of_tree(struct pid_table *t, int target, pid_object_vector *ret)
{
	struct error *err = add_mapped(t, target, ret);
	tree_add_members(t, target, ret);
	for (size_t i = 0; i < t->known.count; i++)
		if (t->known.items[i]->pid == target && !vector_has(ret, t->known.items[i]))
			vector_push(ret, t->known.items[i]);
	if (!ret->count)
		return err;
	error_free(err);
	return NULL;
}

struct error *pid_objects(struct pid_table *t, int pid, pid_object_vector *ret)
{
	if (pid_is_followed(t, pid))
		return objects_of_tree(t, pid, ret);
	return add_mapped(t, pid, ret);
}

bool pid_objects_of_round(const struct pid_table *t, int pid, pid_object_vector *ret)
{
	unsigned round = probe_db_round(t->db);
	if (!round || t->last.round != round || t->last.pid != pid)
		return false;
	for (size_t i = 0; i < t->last.objects.count; i++)
		vector_push(ret, t->last.objects.items[i]);
	return true;
}

void pid_objects_keep(struct pid_table *t, int pid, const pid_object_vector *objects)
{
	t->last.round = probe_db_round(t->db);
	t->last.pid = pid;
	t->last.objects.count = 0;
	for (size_t i = 0; i < objects->count; i++)
		vector_push(&t->last.objects, objects->items[i]);
}
