/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children of fork() that fire, too (-x follow=fork)
 *
 * A child has its parent's jumps, and begins by itself at its first firing (agent/inside/child.c).
 * So nothing is done when it begins or ends, and dtrace has no list of children.  A child has the
 * memory mapped until it ends or executes a program.  Whether anybody has it the kernel knows: a
 * file that another open file writes to gets no lease (fcntl(2)).  Who they are is looked for in
 * /proc, where firings must have ended (settle()), and at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inject/internal.h"

/* --- does any live? --- */

/*
 * 0: nobody but us has the memory; EAGAIN: somebody has; else the kernel does not say.  If somebody
 * opens the file meanwhile, that breaks the lease, which is a signal: one that is ignored.
 */
static int lease_try(const struct injector *i)
{
	fcntl(i->memory_fd, F_SETSIG, SIGURG);
	if (fcntl(i->memory_fd, F_SETLEASE, F_WRLCK) < 0)
		return errno;
	fcntl(i->memory_fd, F_SETLEASE, F_UNLCK);
	return 0;
}

bool children_live(const struct injector *i)
{
	return i->layout.head.follows && i->memory_fd >= 0 && lease_try(i) == EAGAIN;
}

struct error *children_check(const struct injector *i)
{
	int errnum = lease_try(i);
	if (!errnum || errnum == EAGAIN)
		return NULL;
	return error_sys(errnum, "-x follow=fork cannot know when the last child ends (a lease of "
				 "a file; CAP_LEASE, fs.leases-enable)");
}

bool child_has_ended(uint32_t process, uint32_t thread, uint64_t own)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)(uintptr_t)own, 1 };
	/* by the thread: the first one of its process may have ended */
	if (process_vm_readv((pid_t)thread, &here, 1, &there, 1, 0) < 0 &&
	    (errno == ESRCH || errno == EFAULT))
		return true;
	return syscall(SYS_tgkill, process, thread, 0) < 0 && errno == ESRCH;
}

/* --- who they are --- */

/* Not helpers of ours, which have it where we do. */
static bool has_memory(const struct injector *i, int pid, uint64_t *base)
{
	struct mapping *list;
	struct stat st;
	size_t count;
	bool has = false;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err || fstat(i->memory_fd, &st) < 0)
		return false;
	for (size_t k = 0; k < count && !has; k++) {
		has = list[k].inode == st.st_ino && list[k].start > PROCESS_MEMORY_AT &&
		      list[k].start != (uintptr_t)i->view.memory &&
		      string_equal(list[k].path, PROCESS_MEMORY_PATH);
		*base = list[k].start - PROCESS_MEMORY_AT;
	}
	process_mappings_free(list, count);
	return has;
}

/* The code is that of T, unless T has executed another program since: then there is none. */
static struct injected child_of(const struct injected *t, struct process *p, uint64_t base)
{
	struct injected ret = { .process = p,
				.pid = process_pid(p),
				.base = base,
				.code = t->code,
				.vdso = t->vdso,
				.memory = -1 };
	if (base != t->base)
		ret.code.count = 0;
	own_open(&ret);
	return ret;
}

static struct error *child_visit(struct injector *i, int pid, uint64_t base, child_fn *fn,
				 void *arg)
{
	struct process *p;
	auto_error struct error *gone = process_grab(pid, &p);
	if (gone)
		return NULL;
	struct injected t = child_of(&i->target, p, base);
	struct error *err = t.memory < 0 ? NULL : fn(arg, &t);
	if (t.memory >= 0)
		close(t.memory);
	process_free(p);
	return err;
}

struct error *children_each(struct injector *i, child_fn *fn, void *arg)
{
	size_t count = 0;
	uint64_t base = 0, own_start = process_start_time(getpid());
	struct error *err = NULL;
	if (!children_live(i))
		return NULL;
	auto_free int *all = process_all(&count);
	for (size_t k = 0; k < count && !err; k++)
		if (all[k] != i->target.pid && all[k] != getpid() &&
		    process_start_time(all[k]) >= own_start && has_memory(i, all[k], &base))
			err = child_visit(i, all[k], base, fn, arg);
	return err;
}

/* --- the end --- */

static struct error *child_take(void *arg, struct injected *t)
{
	const struct injector *i = arg;
	auto_error struct error *err = process_hold(t->process);
	if (!err)
		err = leftovers_take(t, i->layout.head.image_id);
	error_free(process_run(t->process));
	if (err && !process_exited(t->process, NULL))
		message("jumps of probes stay in process %d, without effect: %s", t->pid,
			error_text(err));
	return NULL;
}

void children_take(struct injector *i)
{
	if (!i->target.is_damaged)
		error_free(children_each(i, child_take, i));
}

void children_report(struct injector *i)
{
	const struct process_head *h = (const struct process_head *)(void *)i->view.memory;
	if (!i->layout.head.follows || !h)
		return;
	uint32_t foreigners = __atomic_load_n(&h->foreigners, __ATOMIC_RELAXED);
	uint32_t more = foreigners - i->children.foreigners;
	if (more)
		message_loss("%u %s of process %d %s in another PID namespace, and not traced (-x "
			     "executor=kernel can)",
			     more, more == 1 ? "child" : "children", i->target.pid,
			     more == 1 ? "is" : "are");
	i->children.foreigners = foreigners;
	if (!i->children.has_arrivals &&
	    __atomic_load_n(&h->arrivals_in_children, __ATOMIC_RELAXED)) {
		i->children.has_arrivals = true;
		message_loss("children of process %d have loaded libraries: their functions are "
			     "not traced there (-x executor=kernel can)",
			     i->target.pid);
	}
}
