/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall_args - what print(args) shows at the entry of a system call NAME: a struct syscall_NAME
 *
 * Further calls are a struct and its translator from int (its value does not matter), in a library
 * of -L or in the program.
 */
enum fcntl_command {
	F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4, F_GETLK = 5, F_SETLK = 6, F_SETLKW = 7, F_SETOWN = 8,
	F_GETOWN = 9, F_SETSIG = 10, F_GETSIG = 11, F_SETOWN_EX = 15, F_GETOWN_EX = 16, F_OFD_GETLK = 36, F_OFD_SETLK = 37,
	F_OFD_SETLKW = 38, F_SETLEASE = 1024, F_GETLEASE = 1025, F_NOTIFY = 1026, F_DUPFD_CLOEXEC = 1030, F_SETPIPE_SZ = 1031,
	F_GETPIPE_SZ = 1032, F_ADD_SEALS = 1033, F_GET_SEALS = 1034
};
enum access_mode { F_OK = 0, X_OK = 1, W_OK = 2, R_OK = 4 };
enum madvise_advice {
	MADV_NORMAL = 0, MADV_RANDOM = 1, MADV_SEQUENTIAL = 2, MADV_WILLNEED = 3, MADV_DONTNEED = 4, MADV_FREE = 8,
	MADV_REMOVE = 9, MADV_DONTFORK = 10, MADV_DOFORK = 11, MADV_MERGEABLE = 12, MADV_UNMERGEABLE = 13, MADV_HUGEPAGE = 14,
	MADV_NOHUGEPAGE = 15, MADV_DONTDUMP = 16, MADV_DODUMP = 17, MADV_WIPEONFORK = 18, MADV_KEEPONFORK = 19, MADV_COLD = 20,
	MADV_PAGEOUT = 21, MADV_POPULATE_READ = 22, MADV_POPULATE_WRITE = 23, MADV_DONTNEED_LOCKED = 24, MADV_COLLAPSE = 25
};
enum futex_operation {
	FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_REQUEUE = 3, FUTEX_CMP_REQUEUE = 4, FUTEX_WAKE_OP = 5, FUTEX_LOCK_PI = 6,
	FUTEX_UNLOCK_PI = 7, FUTEX_TRYLOCK_PI = 8, FUTEX_WAIT_BITSET = 9, FUTEX_WAKE_BITSET = 10, FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_CMP_REQUEUE_PI = 12, FUTEX_LOCK_PI2 = 13, FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129,
	FUTEX_REQUEUE_PRIVATE = 131, FUTEX_CMP_REQUEUE_PRIVATE = 132, FUTEX_WAKE_OP_PRIVATE = 133, FUTEX_LOCK_PI_PRIVATE = 134,
	FUTEX_UNLOCK_PI_PRIVATE = 135, FUTEX_TRYLOCK_PI_PRIVATE = 136, FUTEX_WAIT_BITSET_PRIVATE = 137,
	FUTEX_WAKE_BITSET_PRIVATE = 138, FUTEX_WAIT_REQUEUE_PI_PRIVATE = 139, FUTEX_CMP_REQUEUE_PI_PRIVATE = 140,
	FUTEX_LOCK_PI2_PRIVATE = 141
};
/* A bit of the operation. */
enum futex_clock { FUTEX_CLOCK_REALTIME = 256 };

/* A path, or "NULL". */
inline string path_at[uintptr_t address] = address ? copyinstr(address) : "NULL";

struct syscall_read { enum descriptor fd; uintptr_t buffer; uint64_t count; };
translator struct syscall_read < int call > { fd = (enum descriptor)arg0; buffer = arg1; count = arg2; };

struct syscall_write { enum descriptor fd; uintptr_t buffer; uint64_t count; };
translator struct syscall_write < int call > { fd = (enum descriptor)arg0; buffer = arg1; count = arg2; };

struct syscall_open { string path; enum open_flag flags; uint32_t mode; };
translator struct syscall_open < int call > { path = path_at[arg0]; flags = (enum open_flag)arg1; mode = (uint32_t)arg2; };

struct syscall_openat { enum descriptor dirfd; string path; enum open_flag flags; uint32_t mode; };
translator struct syscall_openat < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; flags = (enum open_flag)arg2; mode = (uint32_t)arg3; };

struct syscall_close { enum descriptor fd; };
translator struct syscall_close < int call > { fd = (enum descriptor)arg0; };

struct syscall_stat { string path; uintptr_t buffer; };
translator struct syscall_stat < int call > { path = path_at[arg0]; buffer = arg1; };

struct syscall_lstat { string path; uintptr_t buffer; };
translator struct syscall_lstat < int call > { path = path_at[arg0]; buffer = arg1; };

struct syscall_fstat { enum descriptor fd; uintptr_t buffer; };
translator struct syscall_fstat < int call > { fd = (enum descriptor)arg0; buffer = arg1; };

struct syscall_newfstatat { enum descriptor dirfd; string path; uintptr_t buffer; enum at_flag flags; };
translator struct syscall_newfstatat < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; buffer = arg2; flags = (enum at_flag)arg3; };

struct syscall_statx { enum descriptor dirfd; string path; enum at_flag flags; uint32_t mask; uintptr_t buffer; };
translator struct syscall_statx < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; flags = (enum at_flag)arg2; mask = (uint32_t)arg3; buffer = arg4; };

struct syscall_access { string path; enum access_mode mode; };
translator struct syscall_access < int call > { path = path_at[arg0]; mode = (enum access_mode)arg1; };

struct syscall_faccessat { enum descriptor dirfd; string path; enum access_mode mode; };
translator struct syscall_faccessat < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; mode = (enum access_mode)arg2; };

struct syscall_faccessat2 { enum descriptor dirfd; string path; enum access_mode mode; enum access_flag flags; };
translator struct syscall_faccessat2 < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; mode = (enum access_mode)arg2; flags = (enum access_flag)arg3; };

struct syscall_lseek { enum descriptor fd; int64_t offset; enum whence whence; };
translator struct syscall_lseek < int call > { fd = (enum descriptor)arg0; offset = arg1; whence = (enum whence)arg2; };

struct syscall_mmap { uintptr_t address; uint64_t length; enum prot_flag prot; enum map_flag flags; enum descriptor fd; int64_t offset; };
translator struct syscall_mmap < int call > { address = arg0; length = arg1; prot = (enum prot_flag)arg2; flags = (enum map_flag)arg3; fd = (enum descriptor)arg4; offset = arg5; };

struct syscall_munmap { uintptr_t address; uint64_t length; };
translator struct syscall_munmap < int call > { address = arg0; length = arg1; };

struct syscall_mprotect { uintptr_t address; uint64_t length; enum prot_flag prot; };
translator struct syscall_mprotect < int call > { address = arg0; length = arg1; prot = (enum prot_flag)arg2; };

struct syscall_madvise { uintptr_t address; uint64_t length; enum madvise_advice advice; };
translator struct syscall_madvise < int call > { address = arg0; length = arg1; advice = (enum madvise_advice)arg2; };

struct syscall_brk { uintptr_t address; };
translator struct syscall_brk < int call > { address = arg0; };

struct syscall_ioctl { enum descriptor fd; uint32_t command; uintptr_t argument; };
translator struct syscall_ioctl < int call > { fd = (enum descriptor)arg0; command = (uint32_t)arg1; argument = arg2; };

struct syscall_fcntl { enum descriptor fd; enum fcntl_command command; uintptr_t argument; };
translator struct syscall_fcntl < int call > { fd = (enum descriptor)arg0; command = (enum fcntl_command)arg1; argument = arg2; };

struct syscall_pipe2 { uintptr_t fds; enum open_flag flags; };
translator struct syscall_pipe2 < int call > { fds = arg0; flags = (enum open_flag)arg1; };

struct syscall_dup { enum descriptor fd; };
translator struct syscall_dup < int call > { fd = (enum descriptor)arg0; };

struct syscall_dup2 { enum descriptor fd; enum descriptor newfd; };
translator struct syscall_dup2 < int call > { fd = (enum descriptor)arg0; newfd = (enum descriptor)arg1; };

struct syscall_dup3 { enum descriptor fd; enum descriptor newfd; enum open_flag flags; };
translator struct syscall_dup3 < int call > { fd = (enum descriptor)arg0; newfd = (enum descriptor)arg1; flags = (enum open_flag)arg2; };

struct syscall_readlink { string path; uintptr_t buffer; uint64_t count; };
translator struct syscall_readlink < int call > { path = path_at[arg0]; buffer = arg1; count = arg2; };

struct syscall_readlinkat { enum descriptor dirfd; string path; uintptr_t buffer; uint64_t count; };
translator struct syscall_readlinkat < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; buffer = arg2; count = arg3; };

struct syscall_unlink { string path; };
translator struct syscall_unlink < int call > { path = path_at[arg0]; };

struct syscall_unlinkat { enum descriptor dirfd; string path; enum at_flag flags; };
translator struct syscall_unlinkat < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; flags = (enum at_flag)arg2; };

struct syscall_mkdir { string path; uint32_t mode; };
translator struct syscall_mkdir < int call > { path = path_at[arg0]; mode = (uint32_t)arg1; };

struct syscall_mkdirat { enum descriptor dirfd; string path; uint32_t mode; };
translator struct syscall_mkdirat < int call > { dirfd = (enum descriptor)arg0; path = path_at[arg1]; mode = (uint32_t)arg2; };

struct syscall_rename { string oldpath; string newpath; };
translator struct syscall_rename < int call > { oldpath = path_at[arg0]; newpath = path_at[arg1]; };

struct syscall_renameat2 { enum descriptor olddirfd; string oldpath; enum descriptor newdirfd; string newpath; uint32_t flags; };
translator struct syscall_renameat2 < int call > { olddirfd = (enum descriptor)arg0; oldpath = path_at[arg1]; newdirfd = (enum descriptor)arg2; newpath = path_at[arg3]; flags = (uint32_t)arg4; };

struct syscall_chdir { string path; };
translator struct syscall_chdir < int call > { path = path_at[arg0]; };

struct syscall_execve { string path; uintptr_t argv; uintptr_t envp; };
translator struct syscall_execve < int call > { path = path_at[arg0]; argv = arg1; envp = arg2; };

struct syscall_kill { int pid; enum signal_number signal; };
translator struct syscall_kill < int call > { pid = (int)arg0; signal = (enum signal_number)arg1; };

struct syscall_tgkill { int tgid; int tid; enum signal_number signal; };
translator struct syscall_tgkill < int call > { tgid = (int)arg0; tid = (int)arg1; signal = (enum signal_number)arg2; };

struct syscall_rt_sigaction { enum signal_number signal; uintptr_t action; uintptr_t old; };
translator struct syscall_rt_sigaction < int call > { signal = (enum signal_number)arg0; action = arg1; old = arg2; };

struct syscall_clone { enum clone_flag flags; uintptr_t stack; uintptr_t parent_tid; uintptr_t child_tid; uintptr_t tls; };
translator struct syscall_clone < int call > { flags = (enum clone_flag)arg0; stack = arg1; parent_tid = arg2; child_tid = clone_tls_first ? arg4 : arg3; tls = clone_tls_first ? arg3 : arg4; };

struct syscall_futex { uintptr_t word; enum futex_operation operation; enum futex_clock clock; uint32_t value; uintptr_t timeout; };
translator struct syscall_futex < int call > { word = arg0; operation = (enum futex_operation)(arg1 & ~256); clock = (enum futex_clock)(arg1 & 256); value = (uint32_t)arg2; timeout = arg3; };

struct syscall_socket { enum address_family family; int type; int protocol; };
translator struct syscall_socket < int call > { family = (enum address_family)arg0; type = (int)arg1; protocol = (int)arg2; };

struct syscall_connect { enum descriptor fd; uintptr_t addr; uint64_t length; };
translator struct syscall_connect < int call > { fd = (enum descriptor)arg0; addr = arg1; length = arg2; };

struct syscall_accept4 { enum descriptor fd; uintptr_t addr; uint64_t length; int flags; };
translator struct syscall_accept4 < int call > { fd = (enum descriptor)arg0; addr = arg1; length = arg2; flags = (int)arg3; };

struct syscall_sendto { enum descriptor fd; uintptr_t buffer; uint64_t count; enum message_flag flags; uintptr_t addr; uint64_t length; };
translator struct syscall_sendto < int call > { fd = (enum descriptor)arg0; buffer = arg1; count = arg2; flags = (enum message_flag)arg3; addr = arg4; length = arg5; };

struct syscall_recvfrom { enum descriptor fd; uintptr_t buffer; uint64_t count; enum message_flag flags; uintptr_t addr; uint64_t length; };
translator struct syscall_recvfrom < int call > { fd = (enum descriptor)arg0; buffer = arg1; count = arg2; flags = (enum message_flag)arg3; addr = arg4; length = arg5; };

struct syscall_sendmsg { enum descriptor fd; uintptr_t message; enum message_flag flags; };
translator struct syscall_sendmsg < int call > { fd = (enum descriptor)arg0; message = arg1; flags = (enum message_flag)arg2; };

struct syscall_recvmsg { enum descriptor fd; uintptr_t message; enum message_flag flags; };
translator struct syscall_recvmsg < int call > { fd = (enum descriptor)arg0; message = arg1; flags = (enum message_flag)arg2; };

struct syscall_wait4 { int pid; uintptr_t status; int options; uintptr_t usage; };
translator struct syscall_wait4 < int call > { pid = (int)arg0; status = arg1; options = (int)arg2; usage = arg3; };

struct syscall_exit_group { int status; };
translator struct syscall_exit_group < int call > { status = (int)arg0; };

struct syscall_getdents64 { enum descriptor fd; uintptr_t buffer; uint64_t count; };
translator struct syscall_getdents64 < int call > { fd = (enum descriptor)arg0; buffer = arg1; count = arg2; };
