/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/string/dentry.c, in a small tree of files made of test structs */
#include <stddef.h>

#include "host.h"

#include "runtime/string/dentry.c"

struct fake_dentry {
	struct fake_dentry *parent;
	const char *name;
	uint64_t hashed;
	struct fake_operations *operations;
	struct fake_sb *sb;
	uint64_t *inode;
};
struct fake_operations {
	uint64_t revalidate, make_name;
};
struct fake_sb {
	uint64_t size, magic;
};
struct fake_vfsmount {
	uint64_t flags;
	struct fake_dentry *root;
};
struct fake_mount {
	struct fake_mount *parent;
	struct fake_dentry *point;
	struct fake_vfsmount inner;
};
struct fake_path {
	struct fake_vfsmount *mount;
	struct fake_dentry *dentry;
};
struct fake_fs {
	uint64_t users;
	struct fake_path root;
};
struct fake_task_of_fs {
	uint64_t pid;
	struct fake_fs *fs;
};

#define PLACE(name, type, member) host_rt_offset_##name = offsetof(struct type, member)

static void choose_places(void)
{
	PLACE(task_fs, fake_task_of_fs, fs);
	PLACE(fs_root, fake_fs, root);
	PLACE(path_mount, fake_path, mount);
	PLACE(path_dentry, fake_path, dentry);
	PLACE(mount_inner, fake_mount, inner);
	PLACE(mount_parent, fake_mount, parent);
	PLACE(mount_point, fake_mount, point);
	PLACE(vfsmount_root, fake_vfsmount, root);
	PLACE(dentry_parent, fake_dentry, parent);
	PLACE(dentry_hash, fake_dentry, hashed);
	PLACE(dentry_name, fake_dentry, name);
	PLACE(dentry_inode, fake_dentry, inode);
	PLACE(dentry_sb, fake_dentry, sb);
	PLACE(dentry_operations, fake_dentry, operations);
	PLACE(operations_name, fake_operations, make_name);
	PLACE(inode_number, fake_operations, revalidate); /* the first word */
	PLACE(sb_magic, fake_sb, magic);
}

/* / with /usr/share; on /mnt another file system with /deep, of which /deep/er is a mount's root */
static struct fake_dentry root = { &root, "/", 1 }, usr = { &root, "usr", 1 },
			  share = { &usr, "share", 1 }, mnt = { &root, "mnt", 1 };
static struct fake_dentry other = { &other, "/", 1 }, deep = { &other, "deep", 1 },
			  er = { &deep, "er", 1 };
static struct fake_mount first = { &first, &root, { 0, &root } },
			 second = { &first, &mnt, { 0, &other } },
			 third = { &second, &deep, { 0, &er } };
static struct fake_fs fs = { 1, { &first.inner, &root } };
static struct fake_task_of_fs task = { 1, &fs };

static void tree_reset(void)
{
	choose_places();
	fs.root = (struct fake_path) { &first.inner, &root };
	task.fs = &fs;
	host_task = (uint64_t)&task;
	share.hashed = 1;
}

static void name_of(struct fake_vfsmount *mount, struct fake_dentry *dentry)
{
	struct fake_path path = { mount, dentry };
	rt_d_path(ROOM(0), (uint64_t)&path, ROOM(2));
}

TEST(names_of_files)
{
	tree_reset();
	FOR_SIZES
	{
		name_of(&first.inner, &root);
		CHECK_TEXT(0, cut("/"));
		name_of(&first.inner, &usr);
		CHECK_TEXT(0, cut("/usr"));
		name_of(&first.inner, &share);
		CHECK_TEXT(0, cut("/usr/share"));
		name_of(&second.inner, &other);
		CHECK_TEXT(0, cut("/mnt"));
		name_of(&second.inner, &er);
		CHECK_TEXT(0, cut("/mnt/deep/er"));
		name_of(&third.inner, &er);
		CHECK_TEXT(0, cut("/mnt/deep"));
		share.hashed = 0;
		name_of(&first.inner, &share);
		CHECK_TEXT(0, cut("/usr/share (deleted)"));
		share.hashed = 1;
		CHECK_NO_FAULT();
		CHECK_CUTS();
	}
}

TEST(other_roots)
{
	tree_reset();
	FOR_SIZES
	{
		fs.root = (struct fake_path) { &first.inner, &usr }; /* after chroot() */
		name_of(&first.inner, &share);
		CHECK_TEXT(0, cut("/share"));
		name_of(&first.inner, &usr);
		CHECK_TEXT(0, cut("/"));
		name_of(&first.inner, &mnt); /* outside: up to the end */
		CHECK_TEXT(0, cut("/mnt"));
		fs.root = (struct fake_path) { &second.inner, &other };
		name_of(&second.inner, &deep);
		CHECK_TEXT(0, cut("/deep"));
		task.fs = NULL; /* a thread that ends */
		name_of(&second.inner, &deep);
		CHECK_TEXT(0, cut("/mnt/deep"));
		tree_reset();
	}
}

TEST(files_without_names)
{
	static struct fake_operations plain = { 1, 0 }, made_up = { 1, 1 };
	static const struct {
		uint64_t magic;
		const char *name, *text;
	} cases[] = {
		{ MAGIC_PIPES, "", "pipe:[4026531999]" },
		{ MAGIC_SOCKETS, "", "socket:[4026531999]" },
		{ MAGIC_ANONYMOUS, "[eventfd]", "anon_inode:[eventfd]" },
		{ MAGIC_PIDS, "", "anon_inode:[pidfd]" },
		{ MAGIC_MEMORY, "memfd:x", "/memfd:x (deleted)" },
		{ 0x1234, "", "<unknown>" },
	};
	tree_reset();
	FOR_SIZES
	{
		for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			uint64_t inode = 4026531999;
			struct fake_sb sb = { 0, cases[i].magic };
			struct fake_dentry d = { &d, cases[i].name, 0, &made_up, &sb, &inode };
			name_of(&first.inner, &d);
			CHECK_TEXT(0, cut(cases[i].text));
		}
		usr.operations = &plain;
		name_of(&first.inner, &usr);
		CHECK_TEXT(0, cut("/usr"));
		usr.operations = NULL;
		CHECK_NO_FAULT();
		CHECK_CUTS();
	}
}

/* Up to the deepest that has a name; only as many names are kept as can begin in the string. */
TEST(many_levels)
{
	static struct fake_dentry chain[PATH_NAMES_MAX + 1];
	static char wanted[2 * PATH_NAMES_MAX + 16];
	tree_reset();
	for (unsigned i = 0; i <= PATH_NAMES_MAX; i++)
		chain[i] = (struct fake_dentry) { i ? &chain[i - 1] : &root, i ? "d" : "top", 1 };
	FOR_SIZES
	{
		char *end = wanted;
		for (unsigned i = 0; i < PATH_NAMES_MAX; i++) {
			end += sprintf(end, "/%s", i ? "d" : "top");
			if (i % 61 && i + 1 < PATH_NAMES_MAX && i > 140)
				continue;
			name_of(&first.inner, &chain[i]);
			CHECK_TEXT(0, cut(wanted));
		}
		CHECK_CUTS();
		name_of(&first.inner, &chain[PATH_NAMES_MAX]);
		CHECK_TEXT(0, cut("<unknown>"));
		CHECK_CUTS();
		CHECK_NO_FAULT();
	}
}

/* Every length around strsize, in one name and with the text appended to it. */
TEST(cut_names)
{
	static char name[8192], wanted[8300];
	tree_reset();
	struct fake_dentry d = { &root, name, 1 };
	FOR_SIZES
	{
		for (int more = -20; more < 20; more++) {
			int length = (int)NUMBER(rt_string_size) + more;
			if (length < 1)
				continue;
			long_text(name, length, 'n');
			for (d.hashed = 0; d.hashed < 2; d.hashed++) {
				snprintf(wanted, sizeof(wanted), "/%s%s", name,
					 d.hashed ? "" : " (deleted)");
				name_of(&first.inner, &d);
				CHECK_TEXT(0, cut(wanted));
				CHECK_CUTS();
			}
		}
	}
}

TEST(bad_addresses)
{
	struct fake_dentry loop[2] = { { &loop[1], "a", 1 }, { &loop[0], "b", 1 } };
	struct fake_dentry lost = { (struct fake_dentry *)8, "c", 1 };
	struct fake_dentry nameless = { &root, (char *)8, 1 };
	tree_reset();
	FOR_SIZES
	{
		rt_d_path(ROOM(0), 0, ROOM(2));
		CHECK_FAULT(FAULT_BADADDR, 0);
		rt_d_path(ROOM(0), 77, ROOM(2));
		CHECK_FAULT(FAULT_BADADDR, 77);
		name_of(NULL, NULL);
		CHECK_TEXT(0, cut("<unknown>"));
		name_of(&first.inner, loop); /* it ends */
		CHECK_TEXT(0, cut("<unknown>"));
		name_of(&first.inner, &lost);
		CHECK_TEXT(0, cut("<unknown>"));
		name_of(&first.inner, &nameless);
		CHECK_TEXT(0, cut("<unknown>"));
		CHECK_CUTS();
		CHECK_NO_FAULT();
	}
}

TEST_MAIN
