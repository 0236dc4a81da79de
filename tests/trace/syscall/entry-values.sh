# What: entry(EXPR) at the return of a system call: paths whose memory the call's return no longer shows, absent pages, times, all calls of a
# process; arguments are read at the return, without a program at the entry; exec, and threads that end in a call.  Needs: cc.
. "$LIB"
cat >calls.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *ends(void *path) { access(path, 0); syscall(SYS_exit, 0); return NULL; }
int main(int argc, char **argv)
{
	if (argc < 2) return 0;
	char buffer[64] = "/nowhere/first", *absent = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, open(argv[1], O_RDONLY), 0);
	pthread_t t;
	access(buffer, 0);
	access(absent, 0);
	int fd = open("/dev/zero", O_RDONLY);
	read(fd, buffer, sizeof(buffer)); /* over what is read at the entry */
	read(-1, NULL, 0);
	for (int i = 0; i < 3; i++) { pthread_create(&t, NULL, ends, "/nowhere/thread"); pthread_join(t, NULL); }
	execl(argv[0], argv[0], NULL);
	return 0;
}
C
gcc -O1 -o calls calls.c -pthread || fail "cannot compile"
printf '/nowhere/absent' >file
python3 -c 'import os; f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)' 2>/dev/null
must_trace -c './calls file' -n 'syscall::*access*:return /pid == $target && errno == 2/ { printf("%s %d\n", entry(copyinstr(probefunc == "access" ? arg0 : arg1)), (int)arg0); }
	syscall::read:return /pid == $target && entry(args[2]) == 64/ { printf("%s, %d of %d, %s %s\n", entry(copyinstr(arg1)), arg1, entry(arg2), copyinstr(entry(arg1)) == "" ? "zeros" : "?", entry(probename)); }
	syscall::read:return /pid == $target && (int)entry(arg0) < 0/ { printf("read %d: errno %d\n", (int)entry(arg0), errno); }' >/dev/null
same "$(sed '/ld.so\|\/etc\//d' out)" "/nowhere/first -1
/nowhere/absent -1
/nowhere/first, 64 of 64, zeros entry
read -1: errno 9
/nowhere/thread -1
/nowhere/thread -1
/nowhere/thread -1" "values"
# Times of all calls: those that returned.  The first is the exec that began before tracing.
trace -c './calls file' -n 'syscall:::return /pid == $target/ { @bad = sum(timestamp < entry(timestamp) || entry(probefunc) != probefunc); }
	syscall::execve:return /pid == $target/ { printf("%s\n", entry(execname)); } END { printa("bad %@d\n", @bad); }'
same "$(cat out)" "calls
bad 0" "all calls"
contains '^dtrace: [23] returns left out, as entry() has no value there' err
# Only arguments: nothing is saved.
"$DTRACE" -xdump=plan -e -n 'syscall::read:return { trace(entry(arg0) + entry(args[2])); }' >out 2>err || fail "$(cat err)"
grep -q syscall-entry out && fail "a program at the entry"
exit 0
