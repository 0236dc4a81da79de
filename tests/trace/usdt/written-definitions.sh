# What: definition files as PostgreSQL, CPython and Perl have them, through -h and -G by the commands of their builds: every probe fires, guarded or not, all arguments by name and by number.  Needs: uprobe cc python3.  Executors: kernel process.
. "$LIB"
definitions=$checkout/tests/trace/usdt/definitions

# traced NAME PROBES - app.c, linked with the object probes.o: nothing untraced, all that is wanted traced
traced() {
	same "$(wc -l <app.wanted | tr -d ' ')" "$2" "probes of $1"
	for compiler in "gcc -O0" "gcc -O2" "g++ -x c++ -O2" "clang -O2"; do
		command -v "${compiler%% *}" >/dev/null || continue
		$compiler -Wall -Wextra -Werror -isystem "$checkout/include" -c app.c -o app.o || fail "$compiler: cannot compile $1"
		object "$1" || fail "$compiler: -G of $1"
		gcc app.o probes.o -o app || fail "$compiler: cannot link $1"
		[ -z "$(./app)" ] || fail "$1 writes something"
		must_trace -s app.script -c ./app
		grep . out | diff -u app.wanted - || fail "$1 by $compiler"
		must_trace -ln "$1\$target:::" -c ./app
		same "$(grep -c " $1" out)" "$2" "listed probes of $1"
	done
}

# The commands of the three builds, word by word; the macros are renamed as there.
object() {
	case $1 in
	postgresql) "$DTRACE" -C -G -s probes.d app.o -o probes.o ;;
	python) "$DTRACE" -o probes.o -G -s pydtrace.d app.o ;;
	perl) "$DTRACE" -G -xnolibs -s perldtrace.d -o probes.o app.o ;;
	esac
}

cp "$definitions/postgresql.d" probes.d
"$DTRACE" -C -h -s probes.d -o probes.h.tmp || fail "no header of PostgreSQL's"
sed -e 's/POSTGRESQL_/TRACE_POSTGRESQL_/g' -e 's/( *char \*/(const char */g' -e 's/, *char \*/, const char */g' probes.h.tmp >probes.h
"$definitions/program.py" probes.d probes.h TRACE_POSTGRESQL_
traced postgresql 57
must_trace -lvn 'postgresql$target:::lwlock-acquire' -c ./app
contains 'args\[0\]: const char \*'
"$DTRACE" -h -s probes.d -o not.h 2>err && fail "macros without -C"

cp "$definitions/python.d" pydtrace.d
"$DTRACE" -o pydtrace_probes.h -h -s pydtrace.d || fail "no header of CPython's"
sed 's/PYTHON_/PyDTrace_/' pydtrace_probes.h >renamed.h && mv renamed.h pydtrace_probes.h
"$definitions/program.py" pydtrace.d pydtrace_probes.h PyDTrace_
traced python 12
must_trace -lvn 'python$target:::gc-done' -c ./app
contains 'args\[0\]: long'
contains 'Data Semantics:   Evolving'

cp "$definitions/perl.d" perldtrace.d
"$DTRACE" -h -xnolibs -s perldtrace.d -o perldtrace.h.in || fail "no header of Perl's"
sed -e '/const/!s/char \*/const char */g' perldtrace.h.in >perldtrace.h
"$definitions/program.py" perldtrace.d perldtrace.h PERL_
traced perl 6

# All three in one program, as a server with both languages embedded would have them.
for name in probes pydtrace perldtrace; do
	[ $name = probes ] && how=-C || how=
	"$DTRACE" $how -G -s $name.d -o $name-all.o || fail "-G of $name"
done
cat >all.c <<'C'
#include "probes.h"
#include "pydtrace_probes.h"
#include "perldtrace.h"
int main(void)
{
	TRACE_POSTGRESQL_QUERY_START("select");
	PyDTrace_LINE("file", "function", 12);
	PERL_OP_ENTRY("leave");
	return 0;
}
C
gcc -O2 -isystem "$checkout/include" all.c probes-all.o pydtrace-all.o perldtrace-all.o -o all || fail "three in one"
must_trace -n 'postgresql$target:::query-start, perl$target:::op-entry { printf("%s\n", copyinstr(arg0)); }
	python$target:::line { printf("%s %d\n", stringof(args[1]), args[2]); }' -c ./all
same "$(grep . out | tr '\n' ' ')" "select function 12 leave " "three in one"
exit 0
