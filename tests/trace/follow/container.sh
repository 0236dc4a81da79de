# What: a container that has its own mounts, root and process numbers is traced from outside: its programs and libraries are those of its root,
# not the files of the same names outside; names and mappings are right after its end.  Needs: uprobe cc unshare.
. "$LIB"
unshare -fpm true 2>/dev/null || skip "no namespaces here"
libc=$(ldd /bin/sh | sed -n 's,.*=> \(/[^ ]*libc\.so\.6\).*,\1,p')
linker=$(ldd /bin/sh | sed -n 's,^[[:space:]]*\(/[^ ]*ld-linux[^ ]*\).*,\1,p')
mkdir -p "root$(dirname "$libc")" "root$(dirname "$linker")" root/bin root/old root/proc root/usr/lib
cp -L "$libc" "root$libc" && cp -L "$linker" "root$linker" && cp -L /bin/sh root/bin/sh || fail "cannot make a root"
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int inside(int n) { __asm__ volatile("" : : "r"(n) : "memory"); return n + 1; }
__attribute__((noinline)) int work(int n) { int r = inside(n); __asm__ volatile("" : "+r"(r)); return r; }
int main(int argc, char **argv)
{
	int (*of_library)(int);
	for (int i = 0; i < 20; i++)
		if (fork() == 0) {
			for (int k = 0; k < 10; k++) work(k);
			void *volatile memory = malloc(12345);
			free(memory);
			_exit(0);
		}
	while (wait(NULL) > 0) {}
	printf("%d\n", getpid());
	return 0;
}
C
gcc -O1 -fno-omit-frame-pointer -o root/bin/program program.c || fail "cannot compile"
# The same name outside, another file: its probes must not be taken for those inside.
mkdir bin && echo 'int work(int n) { return n; } int main(void) { return work(1); }' >other.c && gcc -o bin/program other.c || fail "cannot compile"
cat >enter.sh <<'S'
mount --make-rprivate / && mount --bind root root && cd root && mount -t proc proc proc && pivot_root . old && umount -l old && exec /bin/sh -c "$1"
S
cp -L "$(command -v umount)" root/bin/ 2>/dev/null
for library in $(ldd "$(command -v umount)" | sed -n 's,.*=> \(/[^ ]*\) .*,\1,p'); do
	mkdir -p "root$(dirname "$library")" && cp -L "$library" "root$library"
done
container() { printf 'unshare -fpm --propagation private sh %s %s' "$PWD/enter.sh" "$1"; }
for follow in all tree private; do
	[ $follow != private ] || grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms || continue
	trace -Z -x ustackmerge=off -x follow=$follow -n 'pid$target:program:work:entry { @n = count(); @by[pid] = count(); }
		pid$target:program:inside:entry { @stack[ustack(2)] = count(); }
		pid$target:libc.so.6:malloc:entry /arg0 == 12345/ { @m = count(); }
		END { printa("n %@u\n", @n); printa("m %@u\n", @m); printa("process %@u\n", @by); printa(@stack); }' -c "$(container /bin/program)"
	same "$status" 0 "status with follow=$follow"
	grep -v 'run files that\|stop at\|strangers\|could not wait\|ended before they were looked at\|executed another program' err && fail "something on standard error with follow=$follow"
	grep -q 'could not wait\|executed another program' err && continue # reported: a busy machine, or an older kernel
	contains '^[1-9][0-9]\?$' # its number in there
	contains '^n 200$'
	contains '^m 20$'
	same "$(grep -c '^process 10$' out)" 20 "processes with 10 calls"
	same "$(grep -c 'program`inside' out) $(grep -c 'program`work+' out)" '20 20' "stacks, of ended processes of a root that is gone"
done
exit 0
