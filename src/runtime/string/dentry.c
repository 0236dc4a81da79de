/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * d_path(): the name of a kernel `struct path`, as /proc shows it
 *
 * bpf_d_path() is only for kinds of programs that we do not make, so we walk as
 * the kernel's prepend_path() does: from the dentry up to the root of its mount,
 * from there to its mount point, until the root directory of the current process
 * or the top.  The pointers to the names are saved on the way up, the text is
 * written on the way down, so that a long one is truncated at its end.  There is
 * memory for the names that can begin in a string; if there are more, the later
 * ones, which are nearer to the root, overwrite the first.
 *
 * Nothing is locked.  A rename meanwhile may give a mixture of old and new
 * names, memory that was freed gives "<unknown>".
 */
#include "runtime/string/digits.h"

/* What include/uapi/linux/magic.h calls them: file systems whose files have no names. */
#define MAGIC_PIPES 0x50495045
#define MAGIC_SOCKETS 0x534f434b
#define MAGIC_ANONYMOUS 0x09041934
#define MAGIC_PIDS 0x50494446
#define MAGIC_MEMORY 0x01021994
#define MAGIC_HUGE_PAGES 0x958458f6

struct climb {
	uint64_t dentry, mount;		  /* here; the mount as struct vfsmount */
	uint64_t mount_root;		  /* its highest dentry */
	uint64_t root_dentry, root_mount; /* where the process's files begin */
	uint64_t names;			  /* `at` of path_names() addresses of names */
	uint64_t count;			  /* of names so far */
	uint64_t arrived;
	uint64_t blur; /* a zero, see unknown_zero() */
};

/* Where the address of name N, counted from the path's end, is kept. */
static always_inline uint64_t *name_place(uint64_t names, uint64_t n)
{
	uint64_t room = path_names(NUMBER(rt_string_size));
	return scratch(names + n % room * sizeof(uint64_t));
}

/* Move to the mount point of this mount; 1: there is none. */
static always_inline long cross_mount(struct climb *c)
{
	uint64_t mount = c->mount - NUMBER(rt_offset_mount_inner);
	uint64_t parent = word_at(mount + NUMBER(rt_offset_mount_parent));
	if (!parent || parent == mount) {
		c->arrived = 1 + c->blur;
		return 1;
	}
	c->dentry = word_at(mount + NUMBER(rt_offset_mount_point));
	c->mount = parent + NUMBER(rt_offset_mount_inner);
	c->mount_root = word_at(c->mount + NUMBER(rt_offset_vfsmount_root));
	return 0;
}

static long climb_up(uint32_t i, struct climb *c)
{
	if (!c->dentry) /* it could not be read */
		return 1;
	if (c->dentry == c->root_dentry && c->mount == c->root_mount) {
		c->arrived = 1 + c->blur;
		return 1;
	}
	if (c->dentry == c->mount_root)
		return cross_mount(c);
	uint64_t parent = word_at(c->dentry + NUMBER(rt_offset_dentry_parent));
	if (parent == c->dentry) { /* moved out of its mount */
		c->arrived = 1 + c->blur;
		return 1;
	}
	uint64_t n = c->count + c->blur;
	OPAQUE(n);
	uint64_t *name = name_place(c->names, n);
	if (!parent || n >= PATH_NAMES_MAX || !name)
		return 1;
	*name = word_at(c->dentry + NUMBER(rt_offset_dentry_name));
	c->count = n + 1;
	c->dentry = parent;
	return 0;
}

/* A string that grows at its end, truncated to strsize. */
struct writing {
	uint64_t to;  /* `at` of the string */
	uint64_t len; /* so far */
	uint64_t names, count;
	uint64_t lost; /* a name could not be read */
	uint64_t cut;
	uint64_t blur;
};

/* The text that begins at ADDRESS, at most LIMIT bytes of it; its length, < 0: unreadable. */
static always_inline long write_text(struct writing *w, const void *address, uint64_t limit)
{
	uint64_t len = at_most(w->len, NUMBER(rt_string_size));
	uint64_t room = NUMBER(rt_string_size) + 1 - len;
	char *end = scratch(w->to + len); /* the string's bytes begin after its header */
	if (!end)
		return -1;
	end += __builtin_offsetof(struct rt_string, text);
	long got = port_read_kernel_text(end, room < limit ? room : limit, address);
	if (got > 0)
		w->len = len + got - 1 + w->blur;
	if (got < 0 || (uint64_t)got < room)
		return got;
	char next; /* where the NUL has been put */
	if (port_read_kernel(&next, 1, (const char *)address + room - 1) < 0 || next)
		w->cut = 1 + w->blur;
	return got;
}

/* Constants of up to 15 characters; longer ones do not stay in registers. */
#define WRITE(w, constant)                                                                         \
	do {                                                                                       \
		char text_[16] = constant;                                                         \
		write_text(w, text_, sizeof(text_));                                               \
	} while (0)

static long write_name(uint32_t i, struct writing *w)
{
	uint64_t n = w->count + w->blur - 1 - i;
	const uint64_t *name = name_place(w->names, n);
	if (!name || w->cut)
		return 1;
	WRITE(w, "/");
	if (write_text(w, (void *)*name, NUMBER(rt_string_size) + 1) >= 0)
		return 0;
	w->lost = 1 + w->blur;
	return 1;
}

static always_inline void write_end(struct writing *w)
{
	struct rt_string *s = scratch(w->to);
	if (s)
		string_end(s, at_most(w->len, NUMBER(rt_string_size)));
	if (w->cut)
		rt_truncated(w->to);
}

static always_inline void write_number(struct writing *w, uint64_t number)
{
	struct to_text t = { .rest = number, .base = 10 + w->blur };
	uint64_t start = put_digits(&t);
	if (start)
		write_text(w, t.text + start, sizeof(t.text) - start + 1);
}

/* Does its file system make the name up? */
static always_inline uint64_t dentry_is_nameless(uint64_t dentry)
{
	uint64_t operations = word_at(dentry + NUMBER(rt_offset_dentry_operations));
	return operations && word_at(operations + NUMBER(rt_offset_operations_name));
}

/* "pipe:[4026]", and other names without a file; those of unknown file systems stay unknown. */
static always_inline void write_nameless(struct writing *w, uint64_t dentry)
{
	uint64_t sb = word_at(dentry + NUMBER(rt_offset_dentry_sb));
	uint64_t magic = word_at(sb + NUMBER(rt_offset_sb_magic));
	uint64_t inode = word_at(dentry + NUMBER(rt_offset_dentry_inode));
	void *name = (void *)word_at(dentry + NUMBER(rt_offset_dentry_name));
	if (magic == MAGIC_PIPES || magic == MAGIC_SOCKETS) {
		if (magic == MAGIC_PIPES)
			WRITE(w, "pipe:[");
		else
			WRITE(w, "socket:[");
		write_number(w, word_at(inode + NUMBER(rt_offset_inode_number)));
		WRITE(w, "]");
	} else if (magic == MAGIC_ANONYMOUS) {
		WRITE(w, "anon_inode:");
		write_text(w, name, NUMBER(rt_string_size) + 1);
	} else if (magic == MAGIC_PIDS) {
		WRITE(w, "anon_inode:");
		WRITE(w, "[pidfd]");
	} else if (magic == MAGIC_MEMORY || magic == MAGIC_HUGE_PAGES) {
		WRITE(w, "/");
		write_text(w, name, NUMBER(rt_string_size) + 1);
		WRITE(w, " (deleted)");
	} else {
		WRITE(w, "<unknown>");
	}
}

static always_inline void climb_from(struct climb *c, uint64_t fs)
{
	uint64_t root = fs + NUMBER(rt_offset_fs_root);
	c->root_mount = fs ? word_at(root + NUMBER(rt_offset_path_mount)) : 0;
	c->root_dentry = fs ? word_at(root + NUMBER(rt_offset_path_dentry)) : 0;
	c->mount_root = word_at(c->mount + NUMBER(rt_offset_vfsmount_root));
	c->count = c->arrived = c->blur;
	port_loop(2 * PATH_NAMES_MAX, climb_up, c, 0); /* names and mounts */
}

static always_inline void write_path(struct writing *w, const struct climb *c, uint64_t deleted)
{
	w->count = c->count + w->blur;
	w->lost = w->blur;
	if (c->arrived) {
		port_loop(at_most(w->count, path_names(NUMBER(rt_string_size))), write_name, w, 0);
		if (!c->count)
			WRITE(w, "/");
		if (deleted)
			WRITE(w, " (deleted)");
	}
	if (!c->arrived || w->lost) {
		w->len = w->cut = w->blur;
		WRITE(w, "<unknown>");
	}
}

/*
 * The name of the struct path at ADDRESS.  NAMES_AT: memory for path_names()
 * words.  At most 2 * PATH_NAMES_MAX steps up, path_names() down.
 */
long rt_d_path(uint64_t to_at, uint64_t address, uint64_t names_at)
{
	struct rt_string *to = scratch(to_at);
	if (!to)
		return 0;
	uint64_t blur = unknown_zero(&to->tag);
	struct climb c = { .names = names_at + blur, .blur = blur };
	uint64_t mount = address + NUMBER(rt_offset_path_mount);
	uint64_t dentry = address + NUMBER(rt_offset_path_dentry);
	if (port_read_kernel(&c.mount, sizeof(c.mount), (void *)mount) < 0 ||
	    port_read_kernel(&c.dentry, sizeof(c.dentry), (void *)dentry) < 0)
		return fault(to_at, FAULT_BADADDR, address);
	struct writing w = {
		.to = to_at + blur, .names = c.names, .len = blur, .cut = blur, .blur = blur
	};
	uint64_t start = c.dentry;
	uint64_t parent = word_at(start + NUMBER(rt_offset_dentry_parent));
	if (parent && dentry_is_nameless(start)) {
		write_nameless(&w, start);
	} else {
		uint64_t deleted =
			parent != start && !word_at(start + NUMBER(rt_offset_dentry_hash));
		climb_from(&c, word_at(port_task_number() + NUMBER(rt_offset_task_fs)));
		write_path(&w, &c, deleted);
	}
	write_end(&w);
	return 0;
}
