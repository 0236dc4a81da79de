# What: a function whose default version the linker wrote as name@@VERSION has the plain name, in probes and in stacks.  Needs: uprobe cc.
# Executors: kernel (a return has no place for a jump).
. "$LIB"
cat >lib.c <<'C'
#include <unistd.h>
__asm__(".symver old_work, work@V1");
__asm__(".symver new_work, work@@V2");
int old_work(int n) { return getppid() + n; }
int new_work(int n) { return n ? getppid() : 0; }
C
echo 'V1 { global: work; local: *; }; V2 { global: work; } V1;' >map
cat >main.c <<'C'
int work(int);
int main(void) { return (work(1) & 0) + (work(2) & 0); }
C
cc -O1 -fno-omit-frame-pointer -shared -fPIC -Wl,--version-script=map -Wl,-soname,libwork.so.1 -o libwork.so.1 lib.c 2>err || skip "no shared library can be linked"
cc -o main main.c ./libwork.so.1 -Wl,-rpath,"$PWD" || fail "cannot link"
for description in 'libwork:work:entry' 'libwork:w*k:entry' ':work:entry'; do
	must_trace -n "pid\$target:$description { @[probefunc] = count(); } END { printa(\"%s %@d\n\", @); }" -c ./main
	grep . out >lines
	grep -qx 'work 2' lines || fail "$description"
done
must_trace -n 'pid$target:libwork:work:return { ufunc(uregs[R_PC]); }' -c ./main -x pidret=insn
same "$(grep -o 'libwork.so.1.work ' out | wc -l)" 2 "ufunc()"
