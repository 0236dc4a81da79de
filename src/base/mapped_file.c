/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/mapped_file.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

#define PAGE_MOST 65536u /* of aarch64; x86_64 has smaller ones */

/*
 * What the handler may find at any time, also in another thread: so it is never moved.  A file that
 * finds no place here is read into memory.
 */
#define FILES_MOST 8192
static struct {
	uintptr_t begin, end; /* 0, 0: free */
	bool lost_bytes;
} mapped[FILES_MOST];
#define NOT_MAPPED FILES_MOST

static struct sigaction before; /* the handler of other errors, which is restored for them */
static uintptr_t page_size;

/* --- the signal ------------------------------------------------------------------------------- */

static bool add_zeros(uintptr_t address)
{
	for (unsigned i = 0; i < FILES_MOST; i++) {
		uintptr_t begin = __atomic_load_n(&mapped[i].begin, __ATOMIC_ACQUIRE);
		if (!begin || address < begin || address >= mapped[i].end)
			continue;
		void *page = (void *)(address & ~(page_size - 1));
		mapped[i].lost_bytes = true;
		return mmap(page, page_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
	}
	return false;
}

/* The instruction that read is executed again. */
static void handle(int number, siginfo_t *info, void *context)
{
	int kept = errno;
	if (info->si_code <= 0 || !add_zeros((uintptr_t)info->si_addr))
		sigaction(number, &before, NULL);
	errno = kept;
}

static void install(void)
{
	static bool is_installed;
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER };
	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	if (!is_installed)
		is_installed = sigaction(SIGBUS, &action, &before) == 0;
}

/* --- mappings --------------------------------------------------------------------------------- */

static size_t room_for(size_t size)
{
	return ALIGN_UP(size, PAGE_MOST) + PAGE_MOST;
}

static unsigned free_number(void)
{
	static unsigned hint;
	for (unsigned i = 0; i < FILES_MOST; i++) {
		unsigned number = (hint + i) % FILES_MOST;
		if (!mapped[number].begin) {
			hint = number + 1;
			return number;
		}
	}
	return NOT_MAPPED;
}

static bool fill_by_reading(int fd, unsigned char *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, to + done, size - done, (off_t)done);
		if (n < 0)
			return false;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return true;
}

struct error *mapped_file_init(struct mapped_file *f, int fd, const char *name)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return error_sys(errno, "cannot open %s", name);
	size_t size = (size_t)st.st_size;
	/* Zeros, and a page more. */
	void *at = mmap(NULL, room_for(size), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return error_sys(errno, "cannot map %s", name);
	unsigned number = free_number();
	bool is_there = number == NOT_MAPPED ? fill_by_reading(fd, at, size)
					     : mmap(at, size, PROT_READ | PROT_WRITE,
						    MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
	if (!is_there) {
		struct error *err = error_sys(errno, "cannot map %s", name);
		munmap(at, room_for(size));
		return err;
	}
	install();
	if (number != NOT_MAPPED) {
		mapped[number].lost_bytes = false;
		mapped[number].end = (uintptr_t)at + room_for(size);
		__atomic_store_n(&mapped[number].begin, (uintptr_t)at, __ATOMIC_RELEASE);
	}
	*f = (struct mapped_file) { bytes_of(at, size), number };
	return NULL;
}

void mapped_file_deinit(struct mapped_file *f)
{
	if (!f->bytes.data)
		return;
	if (f->number != NOT_MAPPED)
		__atomic_store_n(&mapped[f->number].begin, 0, __ATOMIC_SEQ_CST);
	munmap((void *)f->bytes.data, room_for(f->bytes.size));
	*f = (struct mapped_file) { 0 };
}

bool mapped_file_lost_bytes(const struct mapped_file *f)
{
	return f->bytes.data && f->number != NOT_MAPPED &&
	       __atomic_load_n(&mapped[f->number].lost_bytes, __ATOMIC_RELAXED);
}
