# What: beside strace and gdb a process is traced as alone, or refused with the reason before its command has run.  Needs: uprobe strace gdb cc.
# Executors: kernel (children).
. "$LIB"
. "${LIB%/*}/together/programs.inc"

# strace -f has our child already.
strace -f -o /dev/null "$DTRACE" -qn 'BEGIN { }' -c 'touch has-run' >out 2>err
same $? 1 "status of dtrace under strace -f"
contains '^dtrace: failed to execute touch: strace (process [0-9]*) traces dtrace and its children' err
[ ! -e has-run ] || fail "the command has run untraced"

# strace itself as the command, and of a process that dtrace has.
must_trace -x follow=all -n 'pid$target:work:own:entry { @ = count(); } END { printa("calls %@d\n", @); }' -Z -c 'strace -f -o calls ./runner 2'
contains '^runs 2$'
same "$(value_of calls)" 2 "calls of strace's children"
same "$(grep -c 'exited with 7' calls)" 2 "what strace saw"

# waiting - ./work, number $child, waits
waiting() {
	rm -f go
	./work ./go >own-out &
	child=$!
	until_true 10 grep -q ready own-out || fail "the program does not run"
}
# ends_as_alone WHAT
ends_as_alone() {
	touch go
	wait $child
	same $? 7 "status of the process with $1"
	same "$(tr '\n' ' ' <own-out)" 'ready done ' "what the process wrote with $1"
}
# debugger - gdb, number $gdb, holds $child, until the file ./leave exists
debugger() {
	rm -f leave attached
	gdb -nx -q -batch -p $child -ex 'shell touch attached; while [ ! -e leave ]; do sleep 0.05; done' -ex detach >gdb-out 2>&1 &
	gdb=$!
	until_true 20 [ -e attached ] || fail "gdb does not attach: $(cat gdb-out)"
}
traced() {
	rm -f probes
	background -o probes -Zn "$work_functions"' BEGIN { printf("begun\n"); }' -p $child
	until_true 10 grep -qs begun probes || fail "dtrace -p does not begin"
}
dtrace_ends() {
	until_true 10 gone "$pid" || fail "dtrace -p does not end"
	same "$(tr -d '\n' <probes)" 'begunown2 in_library2 ' "output with $1"
}

waiting
debugger
traced
touch leave
wait $gdb
ends_as_alone 'gdb first'
dtrace_ends 'gdb first'

waiting
traced
debugger
touch leave
wait $gdb
ends_as_alone 'dtrace first'
dtrace_ends 'dtrace first'
