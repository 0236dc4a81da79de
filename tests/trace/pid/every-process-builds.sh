# What: one clause of pid* for several builds of a library at once: args.NAME and casts to types of its file are by the debug information of each; those that come later, too; a build for which the record would differ, or without debug information, is left out and named.  Needs: uprobe cc.
# Executors: kernel (every process).
. "$LIB"
name=libbuild$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
cat >library.c <<'C'
struct conn {
#if V == 2
	long before; char more[12];
#endif
	int id;
	const char *host;
#if V == 3
	short port;
#else
	int port;
#endif
};
typedef struct conn conn_t;
__attribute__((noinline)) int build_open(conn_t *c, int n) { asm volatile("" ::: "memory"); return c->id + n; }
__attribute__((noinline)) int build_raw(void *c) { asm volatile("" ::: "memory"); return 0; }
void build_run(int n) { conn_t c = { .id = n, .host = HOST, .port = n + 1 }; build_open(&c, 5); build_raw(&c); }
C
cat >program.c <<'C'
#include <stdlib.h>
#include <unistd.h>
void build_run(int);
/* program FROM GATE [DONE]: calls with FROM, FROM + 1 and FROM + 2 once the gate is there */
int main(int count, char **values)
{
	int from = atoi(values[1]);
	while (access(values[2], F_OK)) usleep(5000);
	for (int i = from; i < from + 3; i++) build_run(i);
	while (count > 3 && access(values[3], F_OK)) usleep(5000);
	return 0;
}
C
# build NUMBER LAYOUT OPTION
build() {
	mkdir "$1"
	gcc "$3" -O1 -shared -fPIC -DV="$2" -DHOST="\"host$1\"" -Wl,-soname,"$name.so" -o "$1/$name.so" library.c && gcc -o "p$1" program.c "$1/$name.so" -Wl,-rpath,"$PWD/$1" || fail "cannot compile"
}
build 1 1 -g
build 2 2 -g
build 3 3 -g
build 4 1 -g0
build 5 2 -g
trap 'touch gate gate2 done; kill "$pid" $all 2>/dev/null' EXIT
all=
for i in 4 1 2 3; do
	"./p$i" ${i}0 gate done & all="$all $!"
	wait_for_program $! "p$i"
done
background -n "pid*:$name:build_open:entry { printf(\"open %d %s %d\\n\", args.c->id, stringof(args.c->host), args.c->port); }
	pid*:$name:build_open:return { @r[execname] = sum(args[1]); }
	pid*:$name:build_raw:entry { this->c = (struct pid\`$name\`conn *)arg0; printf(\"cast %d %s\\n\", this->c->id, stringof(((pid\`$name\`conn_t *)arg0)->host)); }
	pid*:$name:build_open:return { @e[execname, entry(args.c->port) - entry(args.c->id), entry(arg1)] = count(); }
	BEGIN { printf(\"begun\\n\"); } END { printa(\"return %s %@d\\n\", @r); printa(\"entry %s %d %d %@d\\n\", @e); }"
begun() { grep -qs begun out; }
until_true 30 begun || fail "tracing has not begun"
touch gate
seen() { grep -qs "^$1\$" out; }
# those NUMBER CAST - the three calls of a program
those() {
	for i in 0 1 2; do
		[ "$2" = only ] || until_true 10 seen "open $1$i host$1 $(($1 * 10 + i + 1))" || fail "call $i of build $1"
		until_true 10 seen "cast $1$i host$1" || fail "the cast of call $i of build $1"
	done
}
those 1 both
those 2 both
those 3 only
./p5 50 gate2 & all="$all $!"
has_breakpoints() { ! text_is_clean "$1" && grep -q "$PWD/5/$name" why; }
until_true 20 has_breakpoints $! || fail "the later build is not probed"
# Each clause has its own version, attached with the others.
sleep 1
touch gate2
those 5 both
touch done
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
same "$(grep -c '^open\|^cast' out)" 21 "records"
contains "build_open:entry of $PWD/3/$name.so cannot be probed: its args\[\] differ from those of the first probes, and the clause that reads them cannot be compiled for it: what the clause records of them has other types than of the first probes" err
contains "build_open:entry of $PWD/4/$name.so cannot be probed: .* has no debug information" err
contains "build_raw:entry of $PWD/4/$name.so cannot be probed: its types differ from those of the first probes, and .*: there is no type pid\`$name\`conn" err
contains "^return p1 $((10 + 11 + 12 + 15))\$"
contains "^return p2 $((20 + 21 + 22 + 15))\$"
contains "^return p5 $((50 + 51 + 52 + 15))\$"
for i in 1 2 5; do contains "^entry p$i 1 5 3\$"; done

# Nobody has mapped the file yet: by its path it is known, and a program misses nothing.
must_trace -n "pid*:$PWD/2/$name.so:build_open:entry { printf(\"%d %s\\n\", args.c->id, stringof(args.c->host)); }" -c "./p2 70 gate"
same "$(tr '\n' ' ' <out)" "70 host2 71 host2 72 host2  " "a file that nobody has mapped"
# A variable that several clauses name has one type.
./p1 1 gate3 & all="$all $!"
./p2 1 gate3 & all="$all $!"
wait_for_program $! p2
trace -n "pid*:$name:build_raw:entry { this->c = (struct pid\`$name\`conn *)arg0; } pid*:$name:build_raw:entry /this->c->id == 2/ { exit(0); } tick-200ms { exit(0); }"
touch gate3
contains "build_raw:entry of .* cannot be probed: .* operands of = have incompatible types" err
trace -n "pid*:$name:build_raw:entry { trace(((struct pid\`libc\`conn *)arg0)->id); }"
contains "there is no type pid\`libc\`conn: in probes of every process it is that of their own file, whose name must be libc" err
exit 0
