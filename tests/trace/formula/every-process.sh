# What: a provider of a user's with context pidclass means every process by NAME*: a probe for each file, each by its own alternative, events of the kernel once for all; values of a thread; a file that lacks the formula is named.  Needs: uprobe btf cc.
# Executors: kernel (every process).
. "$LIB"
name=libown$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
cat >library.c <<'C'
#include <unistd.h>
#if V == 1
__attribute__((noinline)) int own_begin(int n) { asm volatile("" ::: "memory"); return n; }
#else
__attribute__((noinline)) int own_begin2(int pad, int n) { asm volatile("" ::: "memory"); return n; }
#define own_begin(n) own_begin2(7, n)
#endif
__attribute__((noinline)) int own_end(int n) { asm volatile("" ::: "memory"); return n * 2; }
void own_run(int n)
{
	for (int i = 1; i <= n; i++) {
		own_begin(i);
		getppid();
		own_end(i);
	}
}
C
cat >program.c <<'C'
#include <stdlib.h>
void own_run(int);
int main(int count, char **values)
{
	own_run(atoi(values[1]));
	return 0;
}
C
for v in 1 2; do
	mkdir $v
	gcc -O1 -shared -fPIC -DV=$v -Wl,-soname,"$name.so" -o "$v/$name.so" library.c && gcc -O1 -o p$v program.c "$v/$name.so" -Wl,-rpath,"$PWD/$v" || fail "cannot compile"
done
mkdir providers
cat >providers/own.prov <<E2
provider own {
	context pidclass;
	probe begin (int n) {
		on uprobe $name:own_begin (int n) { n = n; }
		else on uprobe $name:own_begin2 (int pad, int n) { n = n; }
	}
	probe end (int n, int result) { on uprobe $name:own_end return (int n) = r { n = n; result = r; } }
	probe between (int n) {
		on uprobe $name:own_end (int n) { self.is_in = 0; n = n; silent; }
		on syscall getppid entry () when self.is_in != 0 { n = self.is_in; keep; }
		on uprobe $name:own_run (int n) { self.is_in = n; silent; }
	}
	probe calls (int n) {
		on uprobe $name:own_begin (int n) { n = n; }
		on syscall getppid entry () { }
		else on uprobe $name:own_begin2 (int pad, int n) { n = n; }
		on syscall getppid entry () { }
	}
}
E2
# NAME means the file that the formula names; here by paths, so that both are known before they run.
files() { for v in 1 2; do echo "own*:$PWD/$v/$name.so::$1"; done | paste -sd, -; }
must_trace -xprovdir=providers -n "$(files begin) { @b[\"begin\", execname, probeprov == strjoin(\"own\", lltostr(pid))] = sum(args[0]); }
	$(files end) { @e[\"end\", execname, args[0]] = sum(args[1]); }
	$(files between) { @[\"between\", execname, args[0]] = count(); }" -c 'sh -c "./p1 3; ./p2 2; ./p1 1"'
contains '^ *begin  *p1  *1  *7$'
contains '^ *begin  *p2  *1  *3$'
contains '^ *end  *p1  *1  *4$'
contains '^ *end  *p1  *3  *6$'
contains '^ *end  *p2  *2  *4$'
contains '^ *between  *p1  *1  *1$'
contains '^ *between  *p1  *3  *1$'
contains '^ *between  *p2  *2  *1$'
same "$(grep -c . out)" 10 "lines"
# One alternative has the kernel's events: the other file's probe is not there, and says why.
"$DTRACE" -xprovdir=providers -lvvn "$(files calls)" >out 2>err
contains "this file has none: in another file it is made in another way, with events of the kernel" err
trace -xprovdir=providers -n "own*:$PWD/p1::end"
same "$status" 1 "status of a file without the formula's functions"
contains "does not match any probes" err
