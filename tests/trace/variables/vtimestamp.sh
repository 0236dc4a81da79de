# What: vtimestamp follows the thread's CPU time between ticks, never goes back, and does not count sleep.  Needs: uprobe.
# Executors: kernel (CPU time needs the scheduler).
. "$LIB"
must_trace -n 'pid$target::mark:entry { printf("%d %d %d %d\n", arg0, vtimestamp, arg1, timestamp); }' -c "$TRIGGERS/vtime 200"
awk 'NF == 4 {
	if (n++) {
		v = $2 - vtime; cpu = $3 - own; real = $4 - time
		if (v <= 0) bad = bad "not growing at mark " n "\n"
		if ($1 == 1 && v - cpu > real / 4) bad = bad "sleep counted at mark " n ": " v " of " real "\n"
		off = v > cpu ? v - cpu : cpu - v
		if (off > 30000 + cpu / 4) far++
	}
	vtime = $2; own = $3; time = $4
}
END {
	if (n != 221) bad = bad n " marks\n"
	# An interrupt between the two clocks is in one only.
	if (far > n / 10) bad = bad far " of " n " marks differ from the own CPU time\n"
	printf "%s", bad
	exit bad != ""
}' out || fail "see above"
# It is the same throughout a clause, predicate included.
must_trace -n 'BEGIN /self->p = vtimestamp/ { self->a = vtimestamp; this->s = strjoin(execname, execname); self->b = vtimestamp;
	printf("%d %d %d", self->a - self->p, self->b - self->a, self->a > 0); } BEGIN { printf(" %d\n", vtimestamp >= self->b); exit(0); }'
same "$(cat out)" "0 0 1 1" "vtimestamp within a clause"
# It grows from tick to tick of a spinning program, on whichever CPU, and does not jump.
must_trace -n 'profile-997 /pid == $target/ { printf("%d %d\n", vtimestamp, timestamp); }' -c "$TRIGGERS/spin 1000"
awk 'NF == 2 { if (n++ && $1 - v <= 0) bad = 1; if (n > 1 && $1 - v > $2 - t + 2000000) bad = 2; v = $1; t = $2 }
	END { if (n < 50) bad = 3; exit bad }' out || fail "ticks: $?"
