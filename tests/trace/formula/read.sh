# What: formulas of a provider are read when a description names one of its probes, and those of no other provider.  Needs: btf.
# Executors: kernel process.
. "$LIB"
# formulas_read PROGRAM OPTION... - the providers whose formulas are read to compile it
formulas_read() {
	program=$1
	shift
	DTRACE_DEBUG=1 "$DTRACE" -e "$@" -n "$program" >out 2>err || fail "$program: status $?"
	sed -n 's/.*the formulas of \(.*\) are read$/\1/p' err | sort | tr '\n' ' '
}
same "$(formulas_read BEGIN)" "" "none named"
same "$(formulas_read 'END { @q = quantize(1); } tick-1s, profile-97 { @["time"] = count(); }')" "" "timers"
same "$(formulas_read 'syscall:::entry { @[probefunc] = count(); } syscall::read:return')" "" "system calls"
same "$(formulas_read 'pid$target:a.out:main:entry, pid$target:a.out:main:return' -c "$TRIGGERS/calls 1")" "" "functions of a process"
same "$(formulas_read 'rawtp:::sched_switch')" "" "a tracepoint"
same "$(formulas_read 'proc:::exec-success')" "proc " "one"
same "$(formulas_read 'io:::start, tcp:::')" "io tcp " "two"
