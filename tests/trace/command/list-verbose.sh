# What: -lv adds attributes and argument types, -lvv how the kernel runs a probe.  Needs: btf.
. "$LIB"
must_trace -lv -n 'syscall::read:entry'
for line in '	Probe Description Attributes' '	Argument Attributes' '	Argument Types' \
	'		Identifier Names: [A-Z][a-z]*' '		args\[0\]: .*int.*'; do
	grep -qx "$line" out || fail "no line $line"
done
must_trace -lv -n BEGIN
grep -A 1 'Argument Types' out | grep -qx '		None' || fail "BEGIN has arguments"
grep -q Implementation out && fail "-lv tells too much"
must_trace -lvv -n BEGIN,syscall::read:entry,profile-97
same "$(sed -n 's/^	Implementation: //p' out | tr '\n' ';')" "dtrace itself;raw_tracepoint sys_enter;perf_event cpu-clock;" implementations
same "$(sed -n 's/^	Cost of a firing: //p' out | tr '\n' ' ')" "none low low " costs
# Events and notes of a formula are of -lvv only; sched is a formula everywhere.
must_trace -lv -n sched:::on-cpu
grep -q 'Events:' out && fail "-lv has events"
must_trace -lvv -n sched:::on-cpu
contains 'Events: tracepoint '
# The members of lockstat's arguments are as stable as those of io.
attributes() {
	"$DTRACE" -lvn "$1" 2>err | sed -n '/Description Attributes/,/Argument Types/p'
}
same "$(attributes lockstat:::adaptive-block)" "$(attributes io:::start)" "attributes of lockstat and io"
