# What: puts@plt is the stub by which a file calls a function of another one: by name, by pattern, lazily bound or not, with CET, by
# other linkers; only this file's calls; -fno-plt has none.  Needs: uprobe cc.  Executors: kernel (pidret=kernel).
. "$LIB"
cat >calls.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int twice(const char *);
int main(void)
{
	void *(*by_pointer)(size_t) = malloc;
	for (int i = 0; i < 5; i++)
		puts("called");
	by_pointer(3);
	twice("in the library");
	return fflush(stdout) != 0 || getppid() < 0;
}
C
cat >library.c <<'C'
#include <stdio.h>
int twice(const char *s) { return puts(s) + puts(s); }
C
gcc -O1 -shared -fPIC -o libcalls.so library.c || fail "no library"
count=0
for flags in "" "-Wl,-z,now" "-fcf-protection=full -Wl,-z,ibtplt" -no-pie -fuse-ld=gold -fuse-ld=lld; do
	gcc -O1 -fno-builtin $flags -o calls calls.c -L. -lcalls -Wl,-rpath,"$PWD" 2>/dev/null || continue
	for stripped in no yes; do
		[ $stripped = no ] || strip calls
		# stacks and names of addresses, also between the stub's instructions
		must_trace -n 'pid$target:a.out:puts@plt:entry { @[ustack(1)] = count(); @n[ufunc(uregs[R_PC]), uaddr(uregs[R_PC] + 1)] = count(); }' -c ./calls
		contains '^ *calls`puts@plt$'
		contains '^ *calls`puts@plt  *calls`puts@plt+0x1  *5$'
	done
	must_trace -n 'pid$target:a.out:*@plt:entry { @[probefunc] = count(); } pid$target:a.out:puts@plt:entry { @s[copyinstr(arg0)] = count(); }
		pid$target:libcalls.so:puts@plt:entry { @l[copyinstr(arg0)] = count(); }
		END { printa("%s %@d\n", @); printa("%s: %@d\n", @s); printa("library %s: %@d\n", @l); }' -c ./calls
	for line in 'puts@plt 5' 'fflush@plt 1' 'getppid@plt 1' 'twice@plt 1' 'called: 5' 'library in the library: 2'; do
		contains "^$line\$"
	done
	same "$(grep -c 'malloc@plt' out)" "$(readelf -rW calls | grep -c 'JUMP_SLOT.* malloc@')" "a stub of malloc"
	count=$((count + 1))
done
[ "$count" -ge 3 ] || fail "only $count forms of stubs"
# the whole list is what binutils knows
gcc -O1 -fno-builtin -o calls calls.c -L. -lcalls -Wl,-rpath,"$PWD"
must_trace -ln 'pid$target:a.out:*@plt:entry' -c ./calls
same "$(awk '/entry/ { print $4 }' out | sort)" "$(objdump -d calls | sed -n 's/.*<\([a-z_]*@plt\)>:$/\1/p' | sort)" "all stubs"
trace -q -x pidret=kernel -n 'pid$target:a.out:getppid@plt:return { printf("%d", arg1 > 0); }' -c ./calls
contains '^1$'
trace -n 'pid$target:a.out:"operator new(unsigned long)@plt":entry' -c ./calls
same "$status" 1 "status of a name of C++"
contains "stubs have the linker's names: _Znwm@plt" err
gcc -O1 -fno-builtin -fno-plt -o calls calls.c -L. -lcalls -Wl,-rpath,"$PWD" || fail "no -fno-plt"
trace -n 'pid$target:a.out:puts@plt:entry' -c ./calls
same "$status" 1 "status without stubs"
contains 'no stub of the linker.*fno-plt' err
