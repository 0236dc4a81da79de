/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "inject/attaching.h"

struct error *remote_call(const struct remote *r, long number, const uint64_t *arguments,
			  int64_t *ret)
{
	return process_is_held(r->process)
		       ? process_call(r->process, number, arguments, ret)
		       : agent_errand(r->view, r->ticket, number, arguments, ret);
}

static struct error *remote_do(const struct remote *r, const char *what, long number,
			       const uint64_t *arguments, int64_t *ret)
{
	struct error *err = remote_call(r, number, arguments, ret);
	if (!err && *ret < 0)
		err = error_sys((int)-*ret, "process %d cannot %s", process_pid(r->process), what);
	return err;
}

/* Through MEMORY, the thread's descriptor of its own memory. */
static struct error *write_pieces(const struct remote *r, int64_t memory, uint64_t address,
				  const void *bytes, size_t size)
{
	uint64_t data = r->view->layout->head.errand_data;
	struct error *err = NULL;
	for (size_t done = 0; done < size && !err;) {
		int64_t got;
		size_t piece = MIN(size - done, (size_t)ERRAND_DATA);
		const uint64_t arguments[CALL_ARGUMENTS] = { (uint64_t)memory, r->memory_at + data,
							     piece, address + done };
		memcpy(r->view->memory + data, (const char *)bytes + done, piece);
		err = remote_do(r, "write to its code", SYS_pwrite64, arguments, &got);
		if (!err && got != (int64_t)piece)
			err = error_new("process %d wrote less of its code than it should",
					process_pid(r->process));
		done += piece;
	}
	return err;
}

/* By the thread itself: so nothing is written when it has gone on. */
static struct error *write_by_thread(const struct remote *r, uint64_t address, const void *bytes,
				     size_t size)
{
	static const char path[] = "/proc/self/mem";
	uint64_t data = r->view->layout->head.errand_data;
	const uint64_t open[CALL_ARGUMENTS] = { (uint64_t)AT_FDCWD, r->memory_at + data,
						O_RDWR | O_CLOEXEC };
	int64_t memory, ignored;
	memcpy(r->view->memory + data, path, sizeof(path));
	struct error *err = remote_do(r, "open its own memory", SYS_openat, open, &memory);
	if (err)
		return err;
	err = write_pieces(r, memory, address, bytes, size);
	const uint64_t close[CALL_ARGUMENTS] = { (uint64_t)memory };
	error_free(remote_call(r, SYS_close, close, &ignored));
	return err;
}

struct error *remote_write(const struct remote *r, uint64_t address, const void *bytes, size_t size)
{
	return process_is_held(r->process) ? process_write(r->process, address, bytes, size)
					   : write_by_thread(r, address, bytes, size);
}

/* --- the hold of a process that runs --- */

struct error *attaching_hold(struct attaching *a)
{
	struct injector *i = a->injector;
	if (a->holds) {
		struct error *err = process_hold(i->target.process);
		if (err)
			return err;
		link_maps_free(a->maps);
		process_mappings_free(a->list, a->space.count);
		a->maps = NULL;
		a->list = NULL;
		a->space.count = 0;
		err = process_mappings(i->target.pid, &a->list, &a->space.count);
		if (err)
			return err;
		a->space.list = a->list;
		arrival_begin(i, a->list, a->space.count);
	}
	if (!process_is_held(i->target.process))
		return NULL;
	struct error *err = stands_find(&i->target, &a->stands);
	a->remote.stands = a->stands.list.items;
	a->remote.stand_count = a->stands.list.count;
	return err;
}
