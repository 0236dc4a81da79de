# What: numbers of errors, signals and flags in dlib/ are those of this machine's headers; their names are printed.  Needs: cc.
. "$LIB"
dlib=$(dirname "$LIB")/../../dlib
[ -d "$dlib" ] || fail "no dlib: $dlib"
cat "$dlib"/errno.d "$dlib"/signal.d "$dlib"/fcntl.d "$dlib"/net.d "$dlib/$(uname -m)/open_flags.d" |
	awk '/^enum/ { inside = 1 } inside && !/^enum.*[^}]$/ || /^enum.*{.*}/ { print } /}/ { inside = 0 }' |
	grep -o '[A-Z_0-9]* = [-0-9a-fx]*' >names
{
	cat <<-'C'
		#include <asm/errno.h>
		#include <asm/mman.h>
		#include <linux/fcntl.h>
		#include <linux/fs.h>
		#include <linux/sched.h>
		#include <signal.h>
		#include <stdio.h>
		#include <sys/socket.h>
		int same;
		#define LOOK(name, value) if (name == value) same++; else printf(#name " is %ld\n", (long)name);
		int main(void) {
	C
	awk '{ printf "#ifdef %s\nLOOK(%s, %s)\n#endif\n", $1, $1, $3 }' names
	echo 'printf("%d", same); puts(""); }'
} >names.c
gcc -D_GNU_SOURCE -o names names.c || fail "no program"
./names >compared || fail "names"
[ "$(wc -l <compared)" = 1 ] || { cat compared; fail "other numbers in the headers"; }
[ "$(cat compared)" -ge 240 ] || fail "only $(cat compared) names of $(wc -l <names) compared"

cat >printed.d <<'D'
BEGIN
{
	printf("%s %s %s %s|", errname[2], signame[15], family_name[10], whence_name[1]);
	printf("%s %s %s|", open_flags(02102), prot_flags[7], map_flags(0x22));
	printf("%s %s %s %d|", errname(11), errname[4000], clone_flags(0x10f11), errname[2]);
	printf("%s %s", message_flags(0x4040), at_flags(0x1100));
	@[errname[13]] = count();
	exit(errno == 0 ? ESRCH : 0);
}
D
trace -q -s printed.d
same "$status" 3 status
contains 'ENOENT SIGTERM AF_INET6 SEEK_CUR|O_RDWR|O_CREAT|O_APPEND PROT_READ|PROT_WRITE|PROT_EXEC MAP_PRIVATE|MAP_ANONYMOUS|' out
contains '|EAGAIN 4000 CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|0x11 2|MSG_DONTWAIT|MSG_NOSIGNAL AT_SYMLINK_NOFOLLOW|AT_EMPTY_PATH' out
contains '^  EACCES  *1$' out
