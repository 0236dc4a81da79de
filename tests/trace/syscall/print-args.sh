# What: print(args) at the entry of system calls: paths, flags and enums by name, in text and JSON; what is no path; a library's own call.
. "$LIB"
cat >calls.c <<'C'
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	signal(SIGUSR1, SIG_IGN);
	for (int i = 0; i < 2; i++) { /* the strings are in memory the second time at the latest */
		syscall(SYS_openat, AT_FDCWD, "/nowhere/file", O_WRONLY | O_CREAT | O_APPEND, 0644);
		syscall(SYS_openat, 77, NULL, 0);
	}
	syscall(SYS_openat, AT_FDCWD, (char *)16, O_RDWR);
	syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	syscall(SYS_kill, getpid(), SIGUSR1);
	syscall(SYS_fcntl, 1, F_DUPFD_CLOEXEC, 3);
	syscall(SYS_lseek, 12, 5L, SEEK_END);
	syscall(SYS_unlinkat, AT_FDCWD, "/nowhere/folder", AT_REMOVEDIR);
	syscall(SYS_faccessat2, AT_FDCWD, "/nowhere/file", R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
	static int word = 1;
	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, NULL, NULL, -1);
	syscall(SYS_futex, &word, FUTEX_WAKE, 77, NULL, NULL, 0);
	syscall(SYS_madvise, 0, 0, MADV_DONTNEED);
	syscall(SYS_getcwd, 0, 0);
	return 0;
}
C
gcc -O1 -o calls calls.c || fail "no program"
# printed NAME = the printed values of the call, in one line each
printed() {
	awk -v call="struct syscall_$1 {" '$0 == call { on = 1; line = ""; next } /^}/ && on { print line; on = 0 } on { sub(/^ +/, ""); line = line $0 ";" }' out
}
trace -q -n 'syscall::openat:entry /pid == $target && (arg0 == 77 || arg3 == 0644)/ { print(args); }
	syscall::mmap:entry /pid == $target && (int)arg4 == -1 && arg1 == 4096/ { print(args); }
	syscall::kill:entry /pid == $target/ { print(args); } syscall::fcntl:entry /pid == $target/ { print(args); }
	syscall::lseek:entry /pid == $target/ { print(args); } syscall::unlinkat:entry /pid == $target/ { print(args); }
	syscall::faccessat2:entry /pid == $target && arg3/ { print(args); }
	syscall::futex:entry /pid == $target && (arg1 & 256 || arg2 == 77)/ { print(args); }
	syscall::madvise:entry /pid == $target && !arg0/ { print(args); }' -c ./calls
same "$status" 0 status
[ -s err ] && fail "a message: $(cat err)"
open='enum descriptor dirfd = AT_FDCWD;string path = "/nowhere/file";enum open_flag flags = O_WRONLY|O_CREAT|O_APPEND;uint32_t mode = 0x1a4;'
null='enum descriptor dirfd = 77;string path = "NULL";enum open_flag flags = O_RDONLY;'
same "$(printed openat | sed 's/O_RDONLY;uint32_t mode.*/O_RDONLY;/' | sort -u)" "$(printf '%s\n%s' "$null" "$open" | sort)" openat
same "$(printed openat | wc -l)" 4 "calls of openat"
same "$(printed mmap | tail -n 1)" 'uintptr_t address = 0;uint64_t length = 0x1000;enum prot_flag prot = PROT_READ|PROT_WRITE;enum map_flag flags = MAP_PRIVATE|MAP_ANONYMOUS;enum descriptor fd = -1;int64_t offset = 0;' mmap
same "$(printed kill | sed 's/pid = [0-9a-fx]*/pid = N/')" "int pid = N;enum signal_number signal = SIGUSR1;" kill
same "$(printed fcntl | tail -n 1)" "enum descriptor fd = 1;enum fcntl_command command = F_DUPFD_CLOEXEC;uintptr_t argument = 0x3;" fcntl
same "$(printed lseek | tail -n 1)" "enum descriptor fd = 12;int64_t offset = 0x5;enum whence whence = SEEK_END;" lseek
same "$(printed unlinkat)" 'enum descriptor dirfd = AT_FDCWD;string path = "/nowhere/folder";enum at_flag flags = AT_REMOVEDIR;' unlinkat
same "$(printed faccessat2)" 'enum descriptor dirfd = AT_FDCWD;string path = "/nowhere/file";enum access_mode mode = R_OK;enum access_flag flags = AT_SYMLINK_NOFOLLOW|AT_EACCESS;' faccessat2
same "$(printed futex | sed 's/.*operation = //')" 'FUTEX_WAIT_BITSET_PRIVATE;enum futex_clock clock = FUTEX_CLOCK_REALTIME;uint32_t value = 0;uintptr_t timeout = 0;
FUTEX_WAKE;enum futex_clock clock = 0;uint32_t value = 0x4d;uintptr_t timeout = 0;' futex
same "$(printed madvise | tail -n 1)" "uintptr_t address = 0;uint64_t length = 0;enum madvise_advice advice = MADV_DONTNEED;" madvise
# an address without a string is a fault, as of copyinstr()
trace -q -n 'syscall::openat:entry /pid == $target && arg1 == 16/ { print(args); }' -c ./calls
contains 'invalid address (0x10)' err
must_trace -x oformat=json -n 'syscall::kill:entry /pid == $target/ { print(args); }' -c ./calls
same "$(grep '"type":"record"' out | grep -c '"signal":"SIGUSR1"')" 1 JSON
# calls of a library or program; those that nobody knows; several calls
must_trace -n 'struct syscall_getcwd { int size; }; translator struct syscall_getcwd < int call > { size = (int)arg1 + 7; };
	syscall::getcwd:entry /pid == $target/ { print(args); }' -c ./calls
same "$(printed getcwd)" "int size = 0x7;" "a program's own"
for description in syscall::getcwd:entry syscall::kill:return syscall::open*:entry; do
	trace -q -n "$description { print(args); }"
	same "$status" 1 "status of $description"
	contains 'there is nothing to print\|differ in the types' err
done
# all calls of the library compile
sed -n 's/^struct syscall_\([a-z0-9_]*\) .*/\1/p' "${LIB%/tests/*}/dlib/syscall_args.d" | while read -r call; do
	$DTRACE -ln "syscall::$call:entry" >/dev/null 2>&1 || continue
	$DTRACE -e -n "syscall::$call:entry { print(args); }" || fail "print(args) of $call"
done || exit 1
