# What: a flame graph and a page of a program, and what happens if its reader cannot draw: ended, no room, nothing to draw, interrupted. Needs: cc.
# Executors: usual (it has stacks of the kernel, and its command line is drawn).
. "$LIB"
cat >work.c <<'C'
#define F __attribute__((noinline, noclone, noipa))
F long leaf(long n) { volatile long x = 0; for (long i = 0; i < n; i++) x += i; return x; }
F long once(void) { return leaf(1) + 1; }
F long thrice(void) { long r = 0; for (int i = 0; i < 3; i++) r += leaf(i); return r + 1; }
int main(void) { for (int i = 0; i < 10; i++) { once(); thrice(); } return 0; }
C
gcc -O1 -fno-optimize-sibling-calls -o work work.c || fail "cannot compile"
program='pid$target:a.out:leaf:entry { @calls[ustack(3)] = count(); @others[pid] = count(); }'

# the picture, by its ending; widths as counts
must_trace -o x.svg -n "$program" -c ./work
# box NAME - the width of its box
box() { awk -v name="<title>$1" '$0 ~ name"$" { getline; if (match($0, /width="[0-9.]*"/)) print substr($0, RSTART + 7, RLENGTH - 8) }' x.svg; }
same "$(box 'work`main')" 1200.0000 "width of main()"
same "$(box 'work`once')" 300.0000 "width of once()"
same "$(box 'work`thrice')" 900.0000 "width of thrice()"
contains '^30 of 40, 75.00 %; process</title>' x.svg
contains "<title>.*dtrace -q -o x.svg -n 'pid.*work</title>" x.svg
same "$(find . -name "*.svg")" ./x.svg "files"

# a page, by its ending
must_trace -o x.html -n "$program" -c ./work
contains '<h2>@calls\[ustack(3)\] = count()</h2>' x.html
contains '<h2>@others\[pid\] = count()</h2>' x.html
contains '^<tr><td class=n>[0-9]*<td class=v style=--p:100.0>40$' x.html
contains '^30 of 40, 75.00 %; process</title>' x.html
contains "<pre class=command>dtrace -q -o x.html -n 'pid" x.html

# a saved run gives the same stacks
must_trace -x oformat=json -o run.json -n "$program" -c ./work
check_json run.json
"$DTRACE" --show=folded run.json >folded || fail "--show"
same "$(cat folded)" 'work`main;work`once;work`leaf 10
work`main;work`thrice;work`leaf 30' "stacks of the saved run"
must_trace -x oformat=folded -n "$program" -c ./work
same "$(cat out)" "$(cat folded)" "stacks drawn at once"
must_trace -x oformat=folded -x show=@calls -n "$program" -c './work'
same "$(cat out)" "$(cat folded)" "stacks of the aggregation by name"

# nothing to draw: the old file stays, the command has run
echo old >x.svg
trace -o x.svg -n 'pid$target:a.out:leaf:entry { @ = count(); }' -c ./work
same "$status" 1 "status without stacks"
contains 'nothing has call stacks' err
same "$(cat x.svg)" old "the file before"
trace -o new.svg -n 'pid$target:a.out:leaf:entry { @ = count(); }' -c ./work
[ ! -e new.svg ] || fail "an empty file"

# no room for the document
mkdir small && mount -t tmpfs -o size=64k none small || fail "no tmpfs"
trap 'umount small' EXIT
head -c 60k /dev/zero >small/fill
echo old >small/x.svg
trace -o small/x.svg -n "$program" -c ./work
same "$status" 1 "status without room"
contains 'failed to write small/x.svg: No space left' err
same "$(cat small/x.svg)" old "the file before"

# interrupted: what was traced is drawn, though the signal is for all processes of the group
timeout -s INT 2 env --default-signal=INT "$DTRACE" -q -o i.svg -n 'tick-10hz { @[stack()] = count(); }' >out 2>err
grep -q '</svg>' i.svg || fail "no picture after ^C"

# the reader is a process without privileges; when it ends, tracing ends
background -o k.svg -n 'tick-10hz { @[stack()] = count(); }'
reader=
has_reader_of() {
	reader=$(tr -d ' ' <"/proc/$pid/task/$pid/children") && [ "$(basename "$(readlink "/proc/$reader/exe")")" = "$1" ]
}
until_true 20 has_reader_of flamegraph || fail "no reader"
same "$(sed -n 's/^Uid:[^0-9]*//p; s/^CapEff:.//p; s/^NoNewPrivs:.//p' "/proc/$reader/status" | tr '\t\n' '  ')" \
	'65534 65534 65534 65534 0000000000000000 1 ' "user, capabilities, no new privileges"
same "$(find "/proc/$reader/fd" -printf '%f ' | tr ' ' '\n' | grep -c '^[0-9]')" 3 "descriptors"
kill -KILL "$reader"
wait "$pid"
same "$?" 1 "status without the reader"
contains 'nothing is drawn: flamegraph was ended by SIGKILL' err
[ ! -e k.svg ] || fail "a file of no picture"

# the aggregations that SIGUSR1 shows are not added to those of the end
background -x oformat=folded -n 'BEGIN { @[stack(1)] = count(); }'
until_true 20 has_reader_of folded || fail "no reader"
sleep 0.5
kill -USR1 "$pid"
sleep 0.5
kill -INT "$pid"
wait "$pid" || fail "status after SIGUSR1"
same "$(awk '{ print $NF }' out)" 1 "the count, shown twice"
