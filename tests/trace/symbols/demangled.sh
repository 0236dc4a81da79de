# What: names of C++ and Rust as they were written, in stacks, keys and JSON, and in descriptions; as they are in the file with
# -x demangle=off.  Needs: x86_64.  Executors: kernel process.
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
cat >o.cc <<'C'
#define APART __attribute__((noinline, noclone))
namespace outer {
struct thing {
	APART int method(int n) { asm volatile("" : "+r"(n)); return n; }
	APART int method(const char *s) { asm volatile("" : "+r"(s)); return *s; }
	template <class T> APART T twice(T n) { asm volatile("" : "+r"(n)); return n + n; }
};
}
extern "C" APART int of_rust(int n) asm("_ZN5crate4work4step17h0123456789abcdefE");
extern "C" APART int of_rust(int n) { asm volatile("" : "+r"(n)); return n; }
APART int alone(int n) { asm volatile("" : "+r"(n)); return n; }
static APART int alone(const char *s) { asm volatile("" : "+r"(s)); return *s; }
int main()
{
	outer::thing t;
	alone(1);
	alone("a");
	for (int i = 0; i < 3; i++)
		t.method(i);
	t.method("a");
	return of_rust(2) + of_rust(2) - (int)t.twice<long>(2);
}
C
g++ -O1 -o o o.cc || fail "cannot compile"

# of DESCRIPTION [OPTION...] - the functions whose entries it means, and how often each began
of() {
	description=$1
	shift
	must_trace "$@" -n "$description"' { @[ufunc(uregs[R_RIP])] = count(); } END { printa("%A %@d\n", @); }' -c ./o
	grep . out | sort
}
same "$(of 'pid$target:a.out:outer::*:entry')" 'o`outer::thing::method(char const*) 1
o`outer::thing::method(int) 3
o`outer::thing::twice<long>(long) 1' "a pattern of a namespace"
same "$(of 'pid$target::outer::thing::method:entry')" 'o`outer::thing::method(char const*) 1
o`outer::thing::method(int) 3' "a name without parameters"
same "$(of 'pid$target:a.out:outer::thing::method\(int\):entry')" 'o`outer::thing::method(int) 3' "a name with parameters"
same "$(of 'pid$target:a.out:crate::work::step:entry')" 'o`crate::work::step 2' "a name of Rust"
same "$(of 'pid$target:a.out:crate::work::step:entry' -x demangle=off)" \
	'o`_ZN5crate4work4step17h0123456789abcdefE 2' "the name in the file"
same "$(of 'pid$target:a.out:outer::*:entry' -x demangle=short)" 'o`outer::thing::method 1
o`outer::thing::method 3
o`outer::thing::twice<...> 1' "short names"
same "$(of 'pid$target::outer::thing::twice\<...\>:entry' -x demangle=short)" 'o`outer::thing::twice<...> 1' "a short name as a description"
same "$(of 'pid$target::"outer::thing::twice<...>":entry')" 'o`outer::thing::twice<long>(long) 1' "the same in quotes"
if command -v python3 >/dev/null; then
	python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$DTRACE" -qn 'pid$target::outer::thing::twice*:entry { printf("%s ", probefunc); ustack(1); }' -c ./o >out </dev/null
	contains 'outer::thing::twice<long>(long) ' out # what the program computes is the same everywhere
	contains '`outer::thing::twice<...>.$' out # with a carriage return
fi
same "$(of 'pid$target::outer::thing::twice*:entry' -x demangle=0)" "$(of 'pid$target::outer::thing::twice*:entry' -x demangle=off)" "0 is off"
same "$(of 'pid$target::outer::thing::twice*:entry' -x demangle)" 'o`outer::thing::twice<long>(long) 1' "the bare word is on"
same "$(of 'pid$target:a.out:alone:entry')" 'o`alone(char const*) 1
o`alone(int) 1' "a function outside of namespaces"
same "$(of 'pid$target::alon*:entry')" 'o`alone(char const*) 1
o`alone(int) 1' "a pattern of functions outside of namespaces"
same "$(of 'pid$target:a.out:alone\(int\):entry')" 'o`alone(int) 1' "one of them with parameters"
same "$(of 'pid$target:a.out:"alone(int)":entry')" 'o`alone(int) 1' "the same in quotes, as it is shown"
must_trace -n 'pid$target::outer::thing::twice*:return { printf("%s %s", probefunc, probename); }' -c ./o
same "$(cat out)" "outer::thing::twice<long>(long) return" "probefunc of a return"
must_trace -x oformat=json -n 'pid$target::outer::thing::twice*:entry { ustack(1); }' -c ./o
contains '"outer::thing::twice<long>(long)"'
trace -n 'pid$target::outer::nothing:entry { exit(0); }' -c ./o
same "$status" 1 "status without such a function"
trace -n 'pid$target:a.out:crate::wrok::step:entry { exit(0); }' -c ./o
contains 'did you mean crate::work::step?' err
trace -n 'pid$target::alnoe:entry { exit(0); }' -c ./o
contains 'did you mean alone of o?' err
# probefunc: as a record, as a key, and as a string.
says() {
	must_trace "$@" -n 'pid$target:a.out:alone:entry { trace(probefunc); printf("\n"); @[probefunc] = count(); }
		pid$target:a.out:alone:entry /strstr(probefunc, "alone(") != NULL/ { trace(strjoin("it is ", probefunc)); printf("\n"); }' -c ./o
	sed 's/^ *//; s/  */ /g; s/ $//' out | grep . | sort
}
same "$(says)" 'alone(char const*)
alone(char const*) 1
alone(int)
alone(int) 1
it is alone(char const*)
it is alone(int)' "probefunc"
same "$(says -x demangle=off)" '_Z5alonei
_Z5alonei 1
_ZL5alonePKc
_ZL5alonePKc 1' "probefunc with demangle=off"
