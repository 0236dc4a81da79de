# What: types and translators that a program declares in its own notes (section .note.dtrace): two versions at once, each by its own; those of the script and of -L come first; what is corrupt is reported and the probes stay.  Needs: uprobe.
# Executors: kernel (several processes).
. "$LIB"
# Connections that receive, as a server of two versions has them.
cat >rx.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#include "notes.h"
struct rx_conn {
#if VERSION == 2
	long opened;
	int status;
	const char *remote;
#elif VERSION == 3
	char name[40];
	const char *remote;
	int status;
#else
	const char *remote;
	short port;
	int status;
#endif
};
DECLARED_TEXT(TEXT);
DECLARED_PROVIDER("\"" PROVIDER "\"");
DECLARED_PROBE("2, 3", "1, 1, 0", "\"" PROVIDER "\", \"conn-state\", \"int id\", \"struct rx_conn *c\", \"conninfo_t *c\", \"rxinfo_t *c\", \"int id\"");
DECLARED_PROBE("1, 1", "0", "\"" PROVIDER "\", \"plain\", \"struct rx_conn *\", \"struct rx_conn *\"");
DECLARED_PROBE("2, 2", "0, 1", "\"" PROVIDER "\", \"odd\", \"struct nowhere c\", \"int (*[2])(int, nothing_t)\", \"struct nowhere c\", \"int (*[2])(int, nothing_t)\"");
__attribute__((noinline)) static void report(int id, struct rx_conn *c)
{
	STATIC_PROBE(PROVIDER, "conn__state", "0", "-4@%0 8@%1", "nor"(id), "nor"(c));
	STATIC_PROBE(PROVIDER, "plain", "0", "8@%0", "nor"(c));
	STATIC_PROBE(PROVIDER, "odd", "0", "8@%0 8@%1", "nor"(c), "nor"(c));
}
int main(void)
{
	static struct rx_conn c;
	c.remote = VERSION == 1 ? "192.0.2.1" : VERSION == 2 ? "192.0.2.2" : "192.0.2.3";
	for (int i = 0; getenv("GATE") && i < 60000 && access(getenv("GATE"), F_OK); i++) {
		usleep(1000);
		if (getenv("EARLY")) report(-1, &c); /* so that one sees whether it is traced */
	}
	for (int i = 0; i < 4; i++) {
		c.status = i;
		report(100 * VERSION + i, &c);
	}
	return 0;
}
C
cat >one.d <<'D'
struct rx_conn { char *remote; short port; int status; };
typedef struct rxinfo { string rx_status; int rx_version; } rxinfo_t;
inline string rx_status[int s] = s == 0 ? "idle" : s == 1 ? "open" : s == 2 ? "reading" : "?";
translator conninfo_t < struct rx_conn *C > { ci_local = "here"; ci_remote = C->remote; ci_protocol = "rx1"; };
translator rxinfo_t < struct rx_conn *C > { rx_status = rx_status[C->status]; rx_version = 1; };
D
cat >two.d <<'D'
struct rx_conn { long opened; int status; char *remote; };
typedef struct rxinfo { string rx_status; int rx_version; } rxinfo_t;
enum { RX_NEW, RX_READY, RX_BUSY };
inline string rx_status[int s] = s == RX_NEW ? "new" : s == RX_READY ? "ready" : s == RX_BUSY ? "busy" : "closed";
translator conninfo_t < struct rx_conn *C > { ci_remote = copyinstr((uintptr_t)((struct rx_conn *)copyin((uintptr_t)C, sizeof(struct rx_conn)))->remote); ci_protocol = "rx2"; };
translator rxinfo_t < struct rx_conn *C > { rx_status = rx_status[C->status]; rx_version = 2; };
D
cat >three.d <<'D'
struct rx_conn { char name[40]; char *remote; int status; };
typedef struct rxinfo { string rx_status; int rx_version; } rxinfo_t;
inline string rx_status[int s] = s == 3 ? "three" : lltostr(s);
translator conninfo_t < struct rx_conn *C > { ci_remote = C->remote; ci_protocol = "rx3"; };
translator rxinfo_t < struct rx_conn *C > { rx_status = rx_status[C->status]; rx_version = 3; };
D
sed 's/int rx_version/long rx_version/' one.d >wide.d
sed 's/rx_version = 1/rx_version = ++x/' one.d >wrong.d
# Names of this test and this run alone: another run must not see them.
name=rx$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
# build PROGRAM VERSION TEXT [OPTION...]
build() {
	to=$1 version=$2 text=$3
	shift 3
	gcc -O1 -w -DVERSION="$version" -DPROVIDER="\"$name\"" -DTEXT="\"$text\"" -I "$checkout/tests/trace/triggers" "$@" -o "$to" rx.c || fail "cannot compile"
}
build rx1 1 one.d -s
build rx2 2 two.d -s
build rx3 3 three.d -s
build wide 1 wide.d
build silent 1 wrong.d
build debug 1 one.d -g
: >empty.d
build described 1 empty.d -g

script='printf("%s %s %s %d %d\n", args[0]->ci_remote, args[0]->ci_protocol, args[1]->rx_status, args[1]->rx_version, args[2]); @[args[1]->rx_version] = count(); @all = count();'
both() {
	for line in '192.0.2.1 rx1 idle 1 100' '192.0.2.1 rx1 open 1 101' '192.0.2.1 rx1 reading 1 102' '192.0.2.1 rx1 ? 1 103' \
		'192.0.2.2 rx2 new 2 200' '192.0.2.2 rx2 ready 2 201' '192.0.2.2 rx2 busy 2 202' '192.0.2.2 rx2 closed 2 203'; do
		same "$(grep -cx "$line" out)" 1 "lines $line"
	done
	contains '^ *1  *4$'
	contains '^ *2  *4$'
	contains '^ *8$'
}
trace -n "$name"'$target:::conn-state { '"$script"' }' -c ./rx1 -c ./rx2
same "$status" 0 "status of two versions"
# A busy machine may let a program wait too long for its libraries, which have no such probes.
grep -v 'could not wait for probes of libraries' err && fail "something on standard error"
both

# One description of both, also where a constant of one version leaves a part of the condition out.
export GATE=$PWD/gate
./rx1 & ./rx2 & c=$!
wait_for_program $c rx2
must_trace_all -wn 'BEGIN { system("touch gate"); } '"$name"':::conn-state { '"$script"' }
	'"$name"'*:::conn-state /args[1]->rx_version == 2 && args[2] == 203/ { printf("last %s\n", args[1]->rx_status); }
	'"$name"':::conn-state { n++; } tick-10ms /n == 8/ { exit(0); }'
both
same "$(grep -c '^last closed$' out)" 1 "clauses of one version"
rm gate

# Outputs that differ cannot be read in one clause; the others can.
./wide & ./rx2 & c=$!
wait_for_program $c rx2
trace -n "$name"':::conn-state { trace(args[1]->rx_version); }'
same "$status" 1 "status of outputs that differ"
contains 'differ in the types of args\[\]: [a-z0-9]*:report:conn-state and' err
must_trace_all -wn 'BEGIN { system("touch gate"); } '"$name"':::conn-state { @[args[0]->ci_protocol, args[2]] = count(); n++; }
	tick-10ms /n == 8/ { exit(0); } END { printa("%s %d %@d\n", @); }'
contains '^rx1 103 1$'
contains '^rx2 203 1$'
rm gate

# What is run for the first time while we trace: a file of the same contents has the same types; other versions are
# compiled, with the clauses before and after; one that cannot be is named, and nothing of the others changes.
./rx1 & c=$!
wait_for_program $c rx1
cp rx1 later
cp rx3 again
export EARLY=1
background -wn 'BEGIN { system("touch gate"); } '"$name"':::conn-state /(int)arg0 < 0 && !self->told++/ { printf("waits %d\n", pid); }
	'"$name"':::conn-state /(int)arg0 >= 0/ { this->n = arg0; self->before++; }
	'"$name"':::conn-state /(int)arg0 >= 0/ { printf("%s %d %d %d\n", args[0]->ci_protocol, args[2], this->n, self->before);
		@[args[0]->ci_remote, args[1]->rx_status, args[1]->rx_version] = count(); self->before = 0; }
	'"$name"':::conn-state /(int)arg0 >= 0/ { @all[this->n] = count(); }
	END { printa("sum %s %s %d %@d\n", @); printa("all %d %@d\n", @all); }'
trap 'kill "$pid" 2>/dev/null' EXIT # also when it fails
has_line() { grep -qs "$1" "$2"; }
until_true 20 has_line '^rx1 103 103 1$' out || fail "the first one is not traced"
rm gate
# One after the other, so that each is found alone, and all are held until the last one is known.
all=
for program in later rx2 rx3 again wide silent; do
	"./$program" & c=$!
	all="$all $c"
	wait_for_program $c $program
done
until_true 20 has_line 'conn-state of .*wide' err || fail "a version with other records is not reported"
until_true 20 has_line 'conn-state of .*silent' err || fail "a version without program is not reported"
# What is reported was not attached before, but is soon.
all_wait() {
	for c in $all; do
		has_line "^waits $c\$" out || return 1
	done
}
until_true 20 all_wait || fail "some program is not traced"
touch gate
all_lines() { [ "$(grep -c '^rx' out)" = 20 ]; }
until_true 20 all_lines || fail "some version is not traced"
wait $all
kill -INT "$pid"
wait "$pid"
contains 'conn-state of .*wide cannot be probed: its args\[\] differ from those of the first probes, and the clause that reads them cannot be compiled for it: the probes of this description differ' err
same "$(grep -c '^rx' out)" 20 "lines of five programs"
for line in 'rx1 103 103 1:2' 'rx2 203 203 1:1' 'rx3 303 303 1:2'; do
	same "$(grep -cx "${line%:*}" out)" "${line#*:}" "lines $line"
done
for line in '192.0.2.1 idle 1 2' '192.0.2.1 reading 1 2' '192.0.2.2 new 2 1' '192.0.2.2 closed 2 1' '192.0.2.3 0 3 2' '192.0.2.3 three 3 2'; do
	contains "^sum $line\$"
done
contains '^all 103 4$' # the clauses that do not read args[] also see the other two
contains '^all 303 2$'
unset GATE EARLY
grep -q 'ended before' err && fail "a program that waited is missed"

# The script's translator comes first, then those of -L, each with its own idea of the struct.
mine='struct rx_conn { char *r; short p; int s; }; translator conninfo_t < struct rx_conn *X > { ci_remote = "mine"; ci_protocol = stringof(X->r); };'
mkdir library
echo "$mine" | sed s/mine/library/ >library/rx.d
must_trace -n "$mine $name"'$target:::conn-state { printf("%s %s %s\n", args[0]->ci_remote, args[0]->ci_protocol, args[1]->rx_status); }' -L library -c ./rx1
contains '^mine 192.0.2.1 reading$'
must_trace -n "$name"'$target:::conn-state { printf("%s %s %s\n", args[0]->ci_remote, args[0]->ci_protocol, args[1]->rx_status); }' -L library -c ./rx1
contains '^library 192.0.2.1 reading$'

# Without translators: natives; of types that only the debug information has; not at all.
must_trace -n "$name"'$target:::plain { printf("%d %s\n", args[0]->status, stringof(args[0]->remote)); }' -c ./described
contains '^3 192.0.2.1$'
must_trace -n "$mine $name"'$target:::conn-state { printf("%s %s\n", args[0]->ci_remote, args[0]->ci_protocol); }' -c ./described
contains '^mine 192.0.2.1$'
must_trace -lvn "$name"'$target:::plain' -c ./described
contains '^		args\[0\]: struct rx_conn \*$'
must_trace -x notranslators -n "$name"'$target:::conn-state { printf("%d\n", args[0]); }' -c ./rx1
contains '^103$'
trace -n "$name"'$target:::odd { trace(args[0]); }' -c ./rx1
contains 'gives args\[0\] the type struct nowhere, which no argument can have' err
trace -n "$name"'$target:::odd { trace(args[1]); }' -c ./rx1
contains 'declares args\[1\] as "int (\*\[2\])(int, nothing_t)": there is no type nothing_t' err
trace -n "$name"'$target:::odd { trace(args[2]); }' -c ./rx1
contains 'args\[2\] does not exist: the probe has 2 typed arguments' err
trace -n "$name"'$target:::conn-state { trace(args[0]); }' -c ./described
contains 'makes args\[0\] a conninfo_t \* out of a struct rx_conn \*, but there is no translator' err

# A list has the types, and the stability that is declared.
must_trace -lvn "$name"'$target:::conn-state' -c ./rx1
contains '^		args\[0\]: conninfo_t \*c$'
contains '^		args\[1\]: rxinfo_t \*c$'
contains '^		args\[2\]: int id$'
contains '^		Identifier Names: Unstable$'

# Text that is refused: one message, and args[] are those of the operands.
refused() {
	printf '%s\n' "$1" >bad.d
	build bad 1 bad.d
	trace -n "$name"'$target:::conn-state { printf("%d %d\n", args[0], args[1] == arg1); }' -c ./bad
	same "$status" 0 "status with $1"
	contains '^103 1$'
	contains "bad: the types and translators in the file are not used, and its static probes have those of their operands: its D text, .*$2" err
	same "$(wc -l <err)" 1 "messages"
}
refused 'inline int x = y;' 'y is unknown'
refused 'BEGIN { exit(0); }' 'no clauses'
refused 'int x;' 'no variables'
refused 'extern int x;' 'no variables'
refused '#pragma D depends_on library io.d
typedef int t;' 'no dependencies'
refused '#pragma D option quiet
typedef int t;' 'sets no options'
refused '#include "x.h"' '#include'
refused 'inline int x = rand();' 'not pure'
refused 'translator conninfo_t < int *P > { ci_remote = lltostr(y++); };' 'no assignments'
refused 'translator conninfo_t < int *P > { ci_remote = lltostr($1); };' ''
refused 'translator conninfo_t < struct nowhere *P > { ci_remote = P->x; };' 'struct nowhere is incomplete'
# Of the kernel's structs the file knows nothing: its own may have the name.
refused 'translator conninfo_t < struct task_struct *P > { ci_remote = P->comm; };' 'struct task_struct is incomplete'

# Bytes that are refused.
objcopy --dump-section .note.dtrace=notes rx1 || fail "no notes"
head -c 100 notes >cut
objcopy --update-section .note.dtrace=cut rx1 cut1
trace -n "$name"'$target:::conn-state { printf("%d\n", args[0]); }' -c ./cut1
same "$status" 0 "status with notes that are cut off"
contains '^103$'
contains 'cut1: the types and translators in the file are not used.*section .note.dtrace is cut off' err
exit 0
