# What: a process given by -p is neither ptraced nor stopped, symbols are found all the same.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
"$TRIGGERS/calls" 1000000 2000 &
target=$!
trap 'kill $target 2>/dev/null' EXIT
wait_for_program $target calls
background -o log -n 'BEGIN { printf("ready\n"); } pid$target::inner:entry { @[ustack(3)] = count(); }
	tick-100ms /i++ > 3/ { exit(0); }' -p "$target"
while ! gone "$pid"; do
	same "$(sed -n 's/^TracerPid:\t//p' "/proc/$target/status")" 0 TracerPid
	sleep 0.01
done
wait "$pid" || fail "status $?"
contains 'calls`inner' log
contains 'calls`outer' log
