# printf.sh - shared by printf and printf-500000: every firing a printed line of five fields
#
# Records a second: lines that arrived, from the target's first call to the last write to the
# output file.  The books: lines + drops that were reported - firings, 0 if nothing vanished.
our_lines() {
	count=$1
	shift
	ours -- -q "$@" -n 'syscall::getppid:entry /pid == $target/
		{ printf("%d %d %s %d %d\n", pid, tid, execname, timestamp, cpu); }' -c "$bin/getppid $count $work/report"
	books '^dtrace: [0-9].*drop'
}

their_lines() {
	peer -- -e 'tracepoint:syscalls:sys_enter_getppid /pid == cpid/
		{ printf("%d %d %s %llu %d\n", pid, tid, comm, nsecs, cpu); }' -c "$bin/getppid $1 $work/report"
	books '^Lost [0-9]* events'
}

# books PATTERN - of the messages that report drops
books() {
	calls=$(get "$work/report" calls)
	lines=$(grep -c '^[0-9][0-9]* [0-9][0-9]* getppid [0-9][0-9]* [0-9][0-9]*$' "$work/out")
	drops=$(cat "$work/out" "$work/err" | grep "$1" | awk '
		match($0, /[0-9]+/) { sum += substr($0, RSTART, RLENGTH) } END { print sum + 0 }')
	last=$(date -r "$work/out" +%s%N)
	echo "lines $lines"
	echo "drops $drops"
	echo "unaccounted $((lines + drops - calls))"
	awk -v lines="$lines" -v ns=$((last - $(get "$work/report" start_ns))) 'BEGIN { print "rate", lines / ns * 1e9 }'
	target ns
}
