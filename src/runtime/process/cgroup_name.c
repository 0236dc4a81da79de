/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * cgroupname and container: names of the current thread's control group (version 2)
 *
 * A control group is a node of a file system that the kernel keeps in memory (kernfs).  A node
 * knows its name and the node above, so a path is written from its end: before what is there so
 * far, at the end of the string's memory, and moved to the beginning at last.
 */
#include "runtime/string/text.h"

/* The kernel's limit is cgroup.max.depth, which is unlimited by default. */
#define LEVELS 64

struct path {
	struct rt_string *to;
	uint64_t node;
	uint64_t begin; /* of what has been written; container: of the name */
	uint64_t len;	/* container: of the name; 0: not found */
	uint64_t lost;	/* the part that was to come next has no room, or could not be read */
	uint64_t blur;	/* a zero, see unknown_zero() */
};

static always_inline struct path path_of(struct rt_string *to)
{
	uint64_t set = word_at(port_task_number() + NUMBER(rt_offset_task_cgroups));
	uint64_t group = set ? word_at(set + NUMBER(rt_offset_set_cgroup)) : 0;
	struct path p = { .to = to, .blur = unknown_zero(&to->tag) };
	p.node = group ? word_at(group + NUMBER(rt_offset_cgroup_node)) : 0;
	p.begin = NUMBER(rt_string_size) + p.blur;
	p.len = p.lost = p.blur;
	return p;
}

/* The node above; 0: this one is the highest, which has no name. */
static always_inline uint64_t node_above(const struct path *p)
{
	return p->node ? word_at(p->node + NUMBER(rt_offset_node_parent)) : 0;
}

/* The name is read twice: first to the beginning of the memory, for its length. */
static long write_before(uint32_t i, struct path *p)
{
	uint64_t above = node_above(p);
	if (!above)
		return 1;
	uint64_t end = at_most(p->begin + p->blur, NUMBER(rt_string_size));
	void *name = (void *)word_at(p->node + NUMBER(rt_offset_node_name));
	long size = port_read_kernel_text(p->to->text, end, name); /* with the NUL */
	if (size < 1 || (uint64_t)size >= end) {
		p->lost = 1 + p->blur;
		return 1;
	}
	uint64_t begin = at_most(end - size, NUMBER(rt_string_size));
	p->to->text[begin] = '/';
	port_read_kernel(p->to->text + begin + 1, at_most(size - 1, NUMBER(rt_string_size)), name);
	p->begin = begin + p->blur;
	p->node = above;
	return 0;
}

/* At most LEVELS steps.  A path that is too long loses its first parts. */
long rt_cgroupname(uint64_t at)
{
	struct rt_string *to = scratch(at);
	if (!to)
		return 0;
	struct path p = path_of(to);
	port_loop(LEVELS, write_before, &p, 0);
	uint64_t begin = at_most(p.begin, NUMBER(rt_string_size));
	uint64_t len = at_most(NUMBER(rt_string_size) - begin, NUMBER(rt_string_size));
	port_copy(to->text, len, to->text + begin);
	string_end(to, len);
	if (!len)
		string_character(to, '/');
	if (p.lost || node_above(&p))
		rt_truncated(at);
	return 0;
}

/* --- container -------------------------------------------------------------------------------- */

/* Do the 16 bytes A, B begin with the constant PREFIX? */
static always_inline int bytes_begin(uint64_t a, uint64_t b, const char *prefix)
{
	uint64_t size = __builtin_strlen(prefix), words[2] = { 0, 0 };
#pragma clang loop unroll(full)
	for (uint64_t i = 0; i < 16; i++)
		if (i < size)
			words[i / 8] |= (uint64_t)(unsigned char)prefix[i] << i % 8 * 8;
	return (a & low_bytes(size)) == words[0] &&
	       (size <= 8 || (b & low_bytes(size - 8)) == words[1]);
}

/* What a runtime puts before the container's name (tracer/targets/named_target.c); 0: nothing. */
static always_inline uint64_t runtime_prefix(const struct rt_string *s)
{
	uint64_t a = port_word(s->text), b = port_word(s->text + 8);
	if (bytes_begin(a, b, "libpod-conmon-") || bytes_begin(a, b, "crio-conmon-"))
		return 0;
	return bytes_begin(a, b, "docker-")	      ? 7
	       : bytes_begin(a, b, "libpod-")	      ? 7
	       : bytes_begin(a, b, "cri-containerd-") ? 15
	       : bytes_begin(a, b, "crio-")	      ? 5
	       : bytes_begin(a, b, "lxc.payload.")    ? 12
	       : bytes_begin(a, b, "machine-")	      ? 8
	       : bytes_begin(a, b, "systemd-nspawn@") ? 15
						      : 0;
}

static long is_no_digit(uint32_t i, struct path *p)
{
	uint64_t at = at_most(i, NUMBER(rt_string_size));
	char c = p->to->text[at];
	p->lost = !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) + p->blur;
	return p->lost != 0;
}

/* Ids of containers where the control group has no other name. */
static always_inline int is_container_id(struct path *p, uint64_t len)
{
	p->lost = p->blur;
	if (len != 64)
		return 0;
	port_loop(64, is_no_digit, p, 0);
	return !p->lost;
}

/* LEN without the kind of unit at the end. */
static always_inline uint64_t without_suffix(const struct rt_string *s, uint64_t len)
{
	uint64_t last = at_most(len - 8, NUMBER(rt_string_size));
	uint64_t word = len > 8 ? port_word(s->text + last) : 0;
	if (bytes_begin(word >> 16, 0, ".scope"))
		return len - 6;
	return bytes_begin(word, 0, ".service") ? len - 8 : len;
}

static long find_container(uint32_t i, struct path *p)
{
	uint64_t above = node_above(p);
	if (!above)
		return 1;
	void *name = (void *)word_at(p->node + NUMBER(rt_offset_node_name));
	long size = port_read_kernel_text(p->to->text, NUMBER(rt_string_size) + 1, name);
	uint64_t len = size > 0 ? size - 1 : 0;
	uint64_t prefix = runtime_prefix(p->to);
	p->node = above;
	if (!prefix && !is_container_id(p, len))
		return 0;
	p->begin = prefix + p->blur;
	p->len = (prefix ? without_suffix(p->to, len) - prefix : len) + p->blur;
	return 1;
}

/* The innermost container's name; "" outside of containers.  At most LEVELS steps. */
long rt_container(uint64_t at)
{
	struct rt_string *to = scratch(at);
	if (!to)
		return 0;
	struct path p = path_of(to);
	port_loop(LEVELS, find_container, &p, 0);
	uint64_t begin = at_most(p.begin, 16);
	uint64_t len = at_most(p.len, NUMBER(rt_string_size));
	port_copy(to->text, len, to->text + begin);
	string_end(to, len);
	return 0;
}
