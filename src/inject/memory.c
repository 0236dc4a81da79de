/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that the process and dtrace share (abi/process.h)
 *
 * The process makes it: a file without a name, by memfd_create().  dtrace opens the descriptor
 * through /proc, gives the file its size, seals it against shrinking, and maps it.  The process
 * maps it after its own page and the image, and closes the descriptor, so its descriptors are as
 * before.  The file is sparse: pages are made when they are first written.
 *
 *   PROT_NONE   a free range, first mapped whole: the middle of the largest gap, far from what the
 *               process loads, from its heap and stack, and from the places of moved instructions
 *   own page    private, MADV_WIPEONFORK
 *   kept page   private
 *   memory      shared
 *   image       readable and executable, written through ptrace
 *
 * All is MADV_DONTDUMP: else a core dump has the whole size of the memory (368 KB on the disk
 * instead of 136 with the image and own page alone).  Under POLICY_RING a part of it is
 * MADV_DODUMP: agent_dumped(), and what the process adds to that (agent/inside/dump.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/internal.h"
#include "interpreter/interpreter.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U /* Linux 6.3 */
#endif
#ifndef F_SEAL_EXEC
#define F_SEAL_EXEC 0x20
#endif

#define NAME "dtrace"

/* --- what refuses it: asked before anything is changed --------------------------------------- */

static uint64_t target_size(const struct injector *i)
{
	return PROCESS_MEMORY_AT + i->layout.head.size;
}

#define MIB(bytes) ((unsigned long long)(bytes) >> 20)

static struct error *check_space(const struct injector *i)
{
	struct rlimit limit;
	uint64_t used = process_stat_number(i->target.pid, 23), size = target_size(i);
	if (prlimit(i->target.pid, RLIMIT_AS, NULL, &limit) < 0 ||
	    limit.rlim_cur == RLIM_INFINITY ||
	    (used <= limit.rlim_cur && size <= limit.rlim_cur - used))
		return NULL;
	return error_new("it may have %llu MiB of address space (ulimit -v) and has %llu, and the "
			 "shared memory needs %llu more: lower bufsize (-b), aggsize or dynvarsize",
			 MIB(limit.rlim_cur), MIB(used), MIB(size));
}

/* The system calls that the process will make, with the errors that a filter answers. */
static int calls_try(void)
{
	int fd = (int)syscall(SYS_memfd_create, NAME, 0);
	if (fd < 0)
		return errno;
	void *at = mmap(NULL, PROCESS_OWN_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED || ftruncate(fd, PROCESS_OWN_SIZE) < 0 ||
	    mprotect(at, PROCESS_OWN_SIZE, PROT_READ | PROT_EXEC) < 0 ||
	    madvise(at, PROCESS_OWN_SIZE, MADV_WIPEONFORK) < 0 ||
	    mmap(at, PROCESS_OWN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
		    at ||
	    madvise(at, PROCESS_OWN_SIZE, MADV_DONTDUMP) < 0 || close(fd) < 0)
		return errno;
	return 0;
}

/* Filters stay with children, so a child of ours finds out what the filters do. */
static struct error *check_own_filters(void)
{
	int status = 0, pid = fork();
	if (!pid) {
		struct rlimit none = { 0 };
		setrlimit(RLIMIT_CORE, &none);
		_exit(calls_try());
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
		return NULL;
	if (pid > 0 && WIFEXITED(status))
		return error_sys(WEXITSTATUS(status),
				 "a filter of system calls (seccomp) that it has from dtrace "
				 "refuses memfd_create(), mmap(), mprotect() or madvise()");
	return error_new("a filter of system calls (seccomp) that it has from dtrace kills at "
			 "memfd_create(), mmap(), mprotect() or madvise()");
}

/* Nobody can look into a filter without privileges: one of its own may kill it. */
static struct error *check_filters(int pid)
{
	int mode = process_status_number(pid, "Seccomp");
	if (mode == SECCOMP_MODE_DISABLED)
		return NULL;
	if (mode == SECCOMP_MODE_FILTER && process_status_number(pid, "Seccomp_filters") ==
						   process_status_number(getpid(), "Seccomp_"
										   "filters"))
		return check_own_filters();
	return error_new("it filters its system calls itself (seccomp), and may not make those "
			 "for the shared memory: use executor=kernel");
}

/* One that runs already does not have its filters from us, even if it has as many. */
static struct error *check_running(const struct injector *i)
{
	int pid = i->target.pid;
	if (process_is_created(i->target.process))
		return NULL;
	if (process_status_number(pid, "Seccomp"))
		return error_new("it filters its system calls (seccomp), and may not make those "
				 "for the shared memory: use executor=kernel");
	if (process_status_has(pid, "NSpid", "\t"))
		return error_new("it is in another PID namespace, where threads have other "
				 "numbers: use executor=kernel");
	if (process_lost_first_thread(pid, &(int) { 0 }))
		return error_new("its first thread has ended, and others run: use "
				 "executor=kernel");
	return NULL;
}

struct error *memory_check(const struct injector *i)
{
	if (process_word(i->target.pid) != sizeof(uint64_t))
		return error_new("it has a 32-bit program: use executor=kernel");
	struct error *err = check_running(i);
	if (!err)
		err = check_space(i);
	return err ? err : check_filters(i->target.pid);
}

/* --- in the process -------------------------------------------------------------------------- */

#define ADDRESS_LEAST 0x10000ull
#define ADDRESS_END 0x7ffffffff000ull /* of user addresses, with four levels of page tables */

/* The middle of the largest gap. */
static struct error *gap_find(struct injector *i)
{
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(i->target.pid, &list, &count);
	if (err)
		return err;
	struct address_range best = { 0 };
	uint64_t end = ADDRESS_LEAST, size = target_size(i);
	for (size_t k = 0; k <= count; k++) {
		uint64_t next = k < count ? MIN(list[k].start, ADDRESS_END) : ADDRESS_END;
		if (next > end && next - end > best.end - best.begin)
			best = (struct address_range) { end, next };
		if (k < count)
			end = MAX(end, list[k].end);
	}
	process_mappings_free(list, count);
	if (best.end - best.begin < size + 2 * PROCESS_OWN_SIZE)
		return error_new("its addresses have no gap of %llu MiB", MIB(size));
	i->target.base =
		ALIGN_UP(best.begin + (best.end - best.begin - size) / 2 - PROCESS_OWN_SIZE,
			 PROCESS_OWN_SIZE);
	return NULL;
}

/* A call whose result is not of interest; an error, WHAT, if it fails. */
static struct error *target_do(struct injector *i, long number, const uint64_t *arguments,
			       const char *what)
{
	int64_t ret;
	struct error *err = process_call(i->target.process, number, arguments, &ret);
	if (!err && ret < 0 && ret > -4096)
		err = error_sys((int)-ret, "%s", what);
	return err;
}

static struct error *target_reserve(struct injector *i)
{
	const uint64_t map[] = {
		i->target.base, target_size(i),
		PROT_NONE,	MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
		UINT64_MAX,	0
	};
	const uint64_t own[CALL_ARGUMENTS] = { i->target.base + PROCESS_OWN_AT,
					       PROCESS_OWN_SIZE + PROCESS_KEPT_SIZE,
					       PROT_READ | PROT_WRITE };
	const uint64_t wiped[CALL_ARGUMENTS] = { own[0], PROCESS_OWN_SIZE, MADV_WIPEONFORK };
	struct error *err = target_do(i, SYS_mmap, map, "it cannot map the shared memory");
	if (!err)
		err = target_do(i, SYS_mprotect, own, "it cannot use its page");
	return err ? err : target_do(i, SYS_madvise, wiped, "its page is not wiped by fork()");
}

/* Its descriptor of a new file without a name. */
static struct error *target_file(struct injector *i, uint64_t *ret)
{
	uint64_t name = i->target.base + PROCESS_OWN_AT;
	uint64_t flags = MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL;
	int64_t fd;
	struct error *err = process_write(i->target.process, name, NAME, sizeof(NAME));
	if (!err)
		err = process_call(i->target.process, SYS_memfd_create,
				   (uint64_t[CALL_ARGUMENTS]) { name, flags }, &fd);
	if (!err && fd == -EINVAL)
		err = process_call(i->target.process, SYS_memfd_create,
				   (uint64_t[CALL_ARGUMENTS]) { name, flags & ~MFD_NOEXEC_SEAL },
				   &fd);
	if (!err && fd < 0)
		err = error_sys((int)-fd, "it cannot make the shared memory");
	if (!err)
		*ret = (uint64_t)fd;
	return err;
}

/* Bytes of its own page, which is not used yet. */
struct exchange {
	int32_t sockets[2];
	struct msghdr message;
	struct iovec vector;
	char byte;
	_Alignas(8) char control[CMSG_SPACE(sizeof(int))];
};
_Static_assert(sizeof(struct exchange) <= PROCESS_OWN_SIZE, "one page");

static bool message_send(int socket, int fd)
{
	char byte = 0;
	_Alignas(8) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec vector = { &byte, 1 };
	struct msghdr m = { .msg_iov = &vector,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	*c = (struct cmsghdr) { .cmsg_len = CMSG_LEN(sizeof(int)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(socket, &m, MSG_NOSIGNAL) == 1;
}

/* What is in its page after CALL with PAGE, which has been written there. */
static struct error *exchange_call(struct injector *i, long number, const uint64_t *arguments,
				   struct exchange *page)
{
	uint64_t at = i->target.base + PROCESS_OWN_AT;
	auto_close int memory = process_open_memory(i->target.pid);
	struct error *err = process_write(i->target.process, at, page, sizeof(*page));
	if (!err)
		err = target_do(i, number, arguments, "it cannot get the shared memory");
	if (!err && pread(memory, page, sizeof(*page), (off_t)at) != sizeof(*page))
		err = error_sys(errno, "its page cannot be read");
	return err;
}

/* Another open file than ours: who has it is not us (children.c). */
static int memory_reopen(const struct injector *i)
{
	auto_free char *path = mem_printf("/proc/self/fd/%d", i->memory_fd);
	return open(path, O_RDWR | O_CLOEXEC);
}

/* What the process has received is our file's descriptor, unless it may not open one more. */
static struct error *received_check(const struct exchange *page)
{
	if (page->message.msg_controllen >= CMSG_LEN(sizeof(int32_t)) &&
	    !(page->message.msg_flags & MSG_CTRUNC))
		return NULL;
	return error_sys(EMFILE, "the process cannot receive the shared memory");
}

static struct error *sockets_close(struct injector *i, const uint64_t ends[2], struct error *err)
{
	for (unsigned k = 0; k < 2; k++) {
		struct error *worse =
			target_do(i, SYS_close, (uint64_t[CALL_ARGUMENTS]) { ends[k] },
				  "it cannot close a socket");
		if (err)
			error_free(worse);
		else
			err = worse;
	}
	return err;
}

/* The file's descriptor in a process that has none: by a socket that we have the other end of. */
static struct error *target_receive(struct injector *i, uint64_t *ret)
{
	uint64_t at = i->target.base + PROCESS_OWN_AT;
	struct exchange page = { 0 };
	const uint64_t pair[CALL_ARGUMENTS] = { AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, at };
	struct error *err = exchange_call(i, SYS_socketpair, pair, &page);
	if (err)
		return err;
	const uint64_t ends[2] = { (uint64_t)page.sockets[0], (uint64_t)page.sockets[1] };
	auto_close int ours = (int)syscall(SYS_pidfd_getfd, process_poll_fd(i->target.process),
					   page.sockets[0], 0);
	auto_close int theirs = memory_reopen(i);
	if (ours < 0 || theirs < 0 || !message_send(ours, theirs))
		return sockets_close(i, ends,
				     error_sys(errno, "cannot hand over the shared memory"));
	page.vector.iov_base = (void *)(uintptr_t)(at + offsetof(struct exchange, byte));
	page.vector.iov_len = 1;
	page.message = (struct msghdr) {
		.msg_iov = (void *)(uintptr_t)(at + offsetof(struct exchange, vector)),
		.msg_iovlen = 1,
		.msg_control = (void *)(uintptr_t)(at + offsetof(struct exchange, control)),
		.msg_controllen = sizeof(page.control),
	};
	const uint64_t receive[CALL_ARGUMENTS] = { ends[1], at + offsetof(struct exchange, message),
						   MSG_CMSG_CLOEXEC };
	err = exchange_call(i, SYS_recvmsg, receive, &page);
	if (!err)
		err = received_check(&page);
	int32_t fd;
	memcpy(&fd, page.control + CMSG_LEN(0), sizeof(fd));
	*ret = (uint64_t)fd;
	return sockets_close(i, ends, err);
}

/* Instead of its file *FD the same one, opened by us. */
static struct error *target_exchange(struct injector *i, uint64_t *fd)
{
	struct error *err = target_do(i, SYS_close, (uint64_t[CALL_ARGUMENTS]) { *fd },
				      "it cannot close the shared memory's file");
	return err ? err : target_receive(i, fd);
}

static struct error *target_dump(struct injector *i, struct address_range r)
{
	const uint64_t dump[CALL_ARGUMENTS] = { target_memory(i) + r.begin, r.end - r.begin,
						MADV_DODUMP };
	return target_do(i, SYS_madvise, dump, "core dumps would not have the flight recorder");
}

/*
 * What core dumps get: from the start on, and what a program before that executed this one has
 * added.  If some of the latter fails (vm.max_map_count), reading the core counts it.  The first
 * thread's recorder is among it, so that a process of one thread needs no system call for it.
 */
static struct error *target_dumps(struct injector *i)
{
	struct address_range r;
	struct error *err = NULL;
	if (!i->layout.head.dumped)
		return NULL;
	for (unsigned n = 0; !err && agent_dumped(&i->layout, n, &r); n++)
		err = target_dump(i, r);
	if (err)
		return err;
	agent_mark(&i->layout, i->view.memory, agent_recorder(&i->layout, (uint64_t)i->target.pid));
	for (r.end = 0; agent_marked(&i->layout, i->view.memory, r.end, &r);)
		error_free(target_dump(i, r));
	return NULL;
}

static struct error *target_map(struct injector *i, uint64_t fd)
{
	uint64_t at = target_memory(i), size = i->layout.head.size;
	const uint64_t map[] = { at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0 };
	const uint64_t hidden[CALL_ARGUMENTS] = { i->target.base, target_size(i), MADV_DONTDUMP };
	const uint64_t closed[CALL_ARGUMENTS] = { fd };
	const uint64_t code[CALL_ARGUMENTS] = { i->target.base, PROCESS_CODE_SIZE,
						PROT_READ | PROT_EXEC };
	struct error *err = target_do(i, SYS_mmap, map, "it cannot map the shared memory");
	if (!err)
		err = target_do(i, SYS_madvise, hidden, "core dumps would have the shared memory");
	if (!err)
		err = target_do(i, SYS_close, closed, "it cannot close the shared memory's file");
	if (!err)
		err = target_dumps(i);
	return err ? err : target_do(i, SYS_mprotect, code, "it cannot have code of dtrace");
}

static struct error *target_image(struct injector *i)
{
	struct agent_image image;
	struct error *err = agent_image(&image);
	if (err)
		return err;
	auto_free void *bytes = mem_alloc(image.size);
	err = agent_image_read(bytes);
	if (!err)
		err = process_write(i->target.process, i->target.base, bytes, image.size);
	if (!err)
		vector_push(&i->target.code,
			    ((struct address_range) { i->target.base,
						      i->target.base + PROCESS_CODE_SIZE }));
	return err;
}

/* --- here ------------------------------------------------------------------------------------- */

/* Of the new file. */
static struct error *memory_map(struct injector *i)
{
	int fd = i->memory_fd;
	uint64_t size = i->layout.head.size;
	if (ftruncate(fd, (off_t)size) < 0)
		return error_sys(errno,
				 "cannot give the shared memory its size, %llu MiB (limits: "
				 "ulimit -f)",
				 MIB(size));
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return error_sys(errno, "cannot seal the shared memory");
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return error_sys(errno, "cannot map %llu MiB of shared memory", MIB(size));
	madvise(memory, size, MADV_DONTDUMP);
	agent_layout_write(&i->layout, memory);
	agent_view_init(&i->view, &i->layout, memory);
	i->view.file = i->memory_fd;
	return NULL;
}

/*
 * The process has damaged it: from now on what is written here stays here, and so does what is
 * written anew: the control words, counters, maps' sizes.  Elements and values are as they are.
 */
void memory_separate(struct injector *i)
{
	const struct process_head *h = &i->layout.head;
	char *memory = i->view.memory;
	if (mmap(memory, h->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, i->memory_fd,
		 0) != memory)
		return;
	i->view.file = -1; /* what is written here is not in it */
	memset(memory + h->control, 0, h->globals - h->control);
	if (h->clause_drops)
		memset(memory + h->clause_drops, 0,
		       i->program->area_count * i->program->clause_count *
			       sizeof(struct clause_drops));
	agent_layout_write(&i->layout, memory);
	injector_control(i)->activity = ACTIVITY_ACTIVE;
}

static struct error *memory_begin(struct injector *i)
{
	struct interpreter_memory m = agent_tracer_memory(&i->view);
	struct process_head *head = (struct process_head *)(void *)i->view.memory;
	struct error *err = interpreter_on(i->program, &i->options, &m, &i->interpreter);
	return err ? err : waker_start(&i->waker, &head->wake, &head->tracer);
}

struct error *memory_alone(struct injector *i)
{
	i->memory_fd = (int)syscall(SYS_memfd_create, NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (i->memory_fd < 0)
		return error_sys(errno, "cannot make the shared memory");
	struct error *err = memory_map(i);
	return err ? err : memory_begin(i);
}

static struct error *memory_open(struct injector *i, uint64_t its)
{
	auto_free char *path =
		mem_printf("/proc/%d/fd/%llu", i->target.pid, (unsigned long long)its);
	i->memory_fd = open(path, O_RDWR | O_CLOEXEC);
	if (i->memory_fd < 0)
		return error_sys(errno, "cannot open its shared memory");
	return memory_map(i);
}

struct error *memory_enter(struct injector *i)
{
	uint64_t fd = 0;
	struct error *err = gap_find(i);
	if (!err)
		err = target_reserve(i);
	if (!err)
		err = target_file(i, &fd);
	if (!err)
		err = memory_open(i, fd);
	if (!err && i->layout.head.follows)
		err = target_exchange(i, &fd);
	if (!err)
		err = target_map(i, fd);
	if (!err)
		err = target_image(i);
	if (!err && i->layout.head.follows)
		err = children_check(i);
	if (!err) /* another dtrace would find it now */
		err = process_keep(i->target.process);
	if (!err)
		err = memory_begin(i);
	if (!err && i->layout.head.follows) /* until the first look: it may end before that */
		injector_control(i)->members = 1;
	return err;
}

struct error *memory_enter_again(struct injector *i)
{
	uint64_t fd = 0;
	struct error *err = memory_check(i);
	if (!err)
		err = gap_find(i);
	if (!err)
		err = target_reserve(i);
	if (!err)
		err = target_receive(i, &fd);
	if (!err)
		err = target_map(i, fd);
	return err ? err : target_image(i);
}

void memory_unmake(struct injector *i)
{
	jumps_forget(&i->target);
	waker_end(&i->waker);
	interpreter_executor.free(i->interpreter);
	if (i->view.memory) {
		munmap(i->view.memory, i->layout.head.size);
		agent_view_deinit(&i->view);
	}
	if (i->memory_fd >= 0)
		close(i->memory_fd);
	if (i->target.memory >= 0)
		close(i->target.memory);
}
