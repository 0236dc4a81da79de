# What: libraries of programs that members execute are traced from their first call on.  Needs: uprobe uprobe_multi cc x86_64.
. "$LIB"
linker=$(ldd /bin/sh | sed -n 's,^[[:space:]]*\(/[^ ]*ld-linux[^ ]*\).*,\1,p')
libc=$(ldd /bin/sh | sed -n 's,.*=> \(/[^ ]*libc\.so\.6\).*,\1,p')
mkdir own && cp "$linker" own/ld.so && cp "$libc" own/ # others run the system's
echo '__attribute__((noinline)) int in_library(int n) { return n + 1; }' >library.c
cat > user.c <<'C'
#include <stdlib.h>
int in_library(int);
int main(void) { for (int i = 0; i < 10; i++) in_library(i); exit(0); }
C
gcc -O1 -shared -fPIC -o own/libown.so library.c || fail "cannot compile"
gcc -O1 -o user user.c -Lown -lown -Wl,-rpath,"$PWD/own" -Wl,--dynamic-linker,"$PWD/own/ld.so" || fail "cannot compile"
for word in exec all; do
	trace -Z -x follow=$word -n 'pid$target:libown:in_library:entry,pid$target:libc:exit:entry { @[probefunc] = count(); }
		END { printa("%s %@u\n", @); }' -c "$TRIGGERS/family run 20 $PWD/user"
	same "$status" 0 "status"
	# Where the kernel cannot hold a program before its start, one may end before its linker is watched.
	if grep -q ' bpf_task_work_schedule_resume' /proc/kallsyms || ! [ -s err ]; then
		contains '^in_library 200$'
		contains '^exit 20$'
		[ -s err ] && fail "something on standard error"
	else
		contains 'executed another program\|programs* that traced processes executed ended' err
		grep -v 'executed another program\|programs* that traced processes executed ended' err && fail "more on standard error"
	fi
done
exit 0
